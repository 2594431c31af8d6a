//! Prints or counts the links of one document.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use locator::text::MatchKind;
use locator_audit::{Auditor, Finding};
use locator_find::{Anchor, Context, Cut, Link, Location, PassedOver, Sink};

use super::args::Form;
use super::context::{Around, LinkPlace, Shown};
use super::counts::{Counts, Kind};
use super::json::{AnchorObject, LinkDetails, LinkObject};
use super::print::Page;
use super::resolve::{Absolute, escaped, why_broken};
use super::search::{Named, Search};
use crate::output::progress::Progress;
use crate::report::failure::Failure;
use crate::report::failure::sentence;
use crate::report::json;
use crate::terminal::{secrets, visible};

/// What is found in one document.
pub(super) struct Hits<'h, 's, 'o> {
    search: &'s Search<'o>,
    named: &'h Named<'h>,
    /// What each of its lines begins with.
    head: &'h [u8],
    page: &'h RefCell<Page<'s, 'o>>,
    /// How many there are.
    count: u64,
    /// How many are not broken.
    good: u64,
    /// How many of each kind.
    kinds: Counts,
    /// The last text printed for the bases.
    bases: Vec<u8>,
    /// The lines around what is found, if they are shown.
    around: Option<Around<'h>>,
}

/// How many links are counted before the shared count is updated, so that threads seldom contend
/// for it.
const COUNTED_AT_ONCE: u64 = 1024;

impl<'h, 's, 'o> Hits<'h, 's, 'o> {
    /// No links yet.
    pub(super) fn new(
        search: &'s Search<'o>,
        named: &'h Named<'h>,
        head: &'h [u8],
        page: &'h RefCell<Page<'s, 'o>>,
    ) -> Self {
        let (kinds, bases) = (Counts::new(), Vec::new());
        Self { search, named, head, page, count: 0, good: 0, kinds, bases, around: None }
    }

    /// Shows the lines around what is found, too.
    pub(super) fn show_around(&mut self, around: Option<Around<'h>>) {
        self.around = around;
    }

    /// Writes the lines for the whole document.
    pub(super) fn end(mut self) {
        let (search, named) = (self.search, self.named);
        self.write_around(None);
        if self.count > 0 {
            search.stats.add();
        }
        let mut page = self.page.borrow_mut();
        let is_listed = match search.form {
            Form::FilesWith => self.count > 0,
            Form::FilesWithout => self.count == 0,
            Form::Files => true,
            _ => false,
        };
        if is_listed {
            search.lines.file(page.lines(), &named.path, named.link.as_deref());
            // With --broken, a file without broken links is not a match.
            search.found.fetch_or(!search.asked.links.broken, Ordering::Relaxed);
        }
        if search.form == Form::Count && self.count > 0 {
            search.lines.count(page.lines(), self.head, self.count);
        }
        search.tally.add(self.kinds);
        search.checked.add_good(self.good);
        Progress::add(&search.progress.counts().links, self.count % COUNTED_AT_ONCE);
    }

    /// Counts a link; returns whether it is written, or whether the search ends.
    fn count(&mut self, text: &str) -> ControlFlow<(), bool> {
        self.count += 1;
        if self.count.is_multiple_of(COUNTED_AT_ONCE) {
            Progress::add(&self.search.progress.counts().links, COUNTED_AT_ONCE);
        }
        let form = self.search.form;
        if form != Form::FilesWithout || self.search.asked.links.broken {
            self.search.found.store(true, Ordering::Relaxed);
        }
        match form {
            Form::Each => return ControlFlow::Continue(true),
            Form::Count | Form::Files => {}
            Form::CountBy(what) => {
                let kind = Kind::of(text, self.search.asked.links.by.edition, what);
                *self.kinds.entry(kind).or_default() += 1;
            }
            Form::Quiet if !self.search.wants_one() => {}
            Form::FilesWith | Form::FilesWithout | Form::Quiet => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(false)
    }

    /// Returns whether a link passes the filters.
    fn is_wanted(&self, text: &str) -> bool {
        let (links, seen) = (&self.search.asked.links, &self.search.seen);
        let has_scheme = |scheme: &String| {
            text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
                && text[scheme.len()..].starts_with(':')
        };
        (links.only_scheme.is_empty() || links.only_scheme.iter().any(has_scheme))
            && (links.include.is_empty() || links.include.iter().any(|regex| regex.is_match(text)))
            && !links.exclude.iter().any(|regex| regex.is_match(text))
            && seen.as_ref().is_none_or(|seen| seen.is_new(text))
    }

    fn is_enough(&self) -> ControlFlow<()> {
        match self.search.asked.links.max_count {
            Some(most) if self.count >= most => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    /// The file's name in JSON; standard input has none.
    fn file(&self) -> Option<&'h [u8]> {
        (!self.named.is_stdin).then(|| self.named.path.as_os_str().as_encoded_bytes())
    }

    /// Writes what is before a link: the file's name if that is above the lines, and lines of the
    /// document; without a place what is after the last one.
    fn write_around(&mut self, link: Option<(&Location, &[u8])>) {
        let (lines, named, head) = (&self.search.lines, self.named, self.head);
        let mut page = self.page.borrow_mut();
        if link.is_some() && self.count == 1 {
            lines.heading(page.lines(), &named.path, named.link.as_deref());
        }
        let Some(around) = &mut self.around else { return };
        let mut write = |shown: Shown<'_>| lines.around(page.lines(), head, &shown);
        let read = match link {
            Some((place, written)) => {
                let link = LinkPlace {
                    line: place.line,
                    column: place.column,
                    offset: place.span.start,
                    line_ends: memchr::memchr_iter(b'\n', written).count() as u64,
                };
                around.reach(link, &mut write)
            }
            None => around.end(&mut write),
        };
        if let Err(error) = read {
            self.around = None;
            drop(page);
            let path = self.named.path.to_string_lossy();
            self.search.report(&format!("the lines of \"{}\" cannot be read again: {error}", visible(&path)));
        }
    }

    fn write_json(
        &self,
        link: &Link<'_>,
        absolute: Option<&Absolute<'_>>,
        broken: Option<&Failure>,
    ) -> ControlFlow<()> {
        let asked = self.search.asked;
        let findings = serious(link, &self.search.auditor);
        let details = LinkDetails {
            file: self.file(),
            edition: asked.links.by.edition,
            absolute,
            broken,
            findings: &findings,
            with_bases: asked.answer.bases,
        };
        let mut page = self.page.borrow_mut();
        let _ = json::line(page.lines(), &LinkObject::new(link, &details));
        page.end_link()
    }

    fn write(&mut self, link: &Link<'_>, absolute: Option<&Absolute<'_>>, text: &str) -> ControlFlow<()> {
        let (search, answer) = (self.search, &self.search.asked.answer);
        if answer.json {
            return self.write_json(link, absolute, None);
        }
        if absolute.is_some_and(|absolute| absolute.target.is_err()) {
            return ControlFlow::Continue(());
        }
        self.write_around(Some((link.place(), link.written())));
        let mut page = self.page.borrow_mut();
        let octets = match answer.as_written {
            true if link.cut().is_some() => &[link.written(), CUT.as_bytes()].concat(),
            true => link.written(),
            false => text.as_bytes(),
        };
        search.lines.link(page.lines(), self.head, link.place(), octets);
        if search.lines.is_terminal && !answer.no_messages {
            search.notes.add(&self.named.path, link.place(), link.url(), &serious(link, &search.auditor));
        }
        if answer.bases {
            let mut bases = Vec::new();
            search.lines.bases(&mut bases, link);
            // They are the same for most of a document's links.
            if bases != self.bases {
                page.lines().extend_from_slice(&bases);
                self.bases = bases;
            }
        }
        page.end_link()
    }

    fn write_broken(&mut self, link: &Link<'_>, why: &Failure) -> ControlFlow<()> {
        if self.search.asked.answer.json {
            return self.write_json(link, None, Some(why));
        }
        self.write_around(Some((link.place(), link.written())));
        let mut page = self.page.borrow_mut();
        self.search.lines.broken(page.lines(), self.head, link, why);
        page.end_link()
    }

    /// Writes a link that is only a part of a URL, and reports it. Whether it is broken is not known.
    fn take_cut(&mut self, link: &Link<'_>, cut: Cut) -> ControlFlow<()> {
        let url = link.url();
        let text = format!("{url}{CUT}");
        if !self.is_wanted(&text) {
            return ControlFlow::Continue(());
        }
        let is_object = self.search.asked.answer.json && self.search.form == Form::Each;
        if self.search.form == Form::Quiet || is_object && !self.search.asked.links.broken {
            self.search.fail();
        } else {
            let file = self.named.path.to_string_lossy();
            let Location { line, column, .. } = link.place();
            let (file, url) = (visible(&file), secrets::masked(url));
            self.search
                .report(&format!("{file}:{line}:{column}: only a part of a URL is found, \"{url}\": {cut}"));
        }
        if self.search.asked.links.broken {
            return ControlFlow::Continue(());
        }
        // Its host is known, unless it is cut itself.
        let has_host = url.split_once("://").is_some_and(|(_, rest)| rest.contains(['/', '?', '#']));
        if self.count(if has_host { url } else { &text })? {
            self.write(link, None, &text)?;
        }
        self.is_enough()
    }

    /// Reports why a link cannot be resolved or why the result is refused, unless its JSON object
    /// does or `--quiet` is given.
    fn report(&self, link: &Link<'_>, absolute: &Absolute<'_>, why: &Failure) {
        if self.search.form == Form::Quiet {
            return;
        }
        if self.search.asked.answer.json && self.search.form == Form::Each {
            return self.search.fail();
        }
        let file = self.named.path.to_string_lossy();
        let Location { line, column, .. } = link.place();
        let (url, why) = (secrets::masked(link.url()), sentence(why, &secrets::redacted(link.url())));
        let what = if absolute.refused.is_some() { "resolved" } else { "cannot resolve" };
        self.search.report(&format!("{}:{line}:{column}: {what} \"{url}\": {why}", visible(&file)));
    }
}

/// What follows a URL that is only a part of one. No URL contains these characters, so whoever reads
/// the line does not take the part for the whole.
const CUT: &str = "<cut>";

/// Returns the findings of a link. What is in the braces of a template is not known.
fn serious(link: &Link<'_>, auditor: &Auditor<'_>) -> Vec<Finding> {
    match link.context() {
        Context::Text(MatchKind::Template) => Vec::new(),
        _ => auditor.audit(link.url()),
    }
}

impl Sink for Hits<'_, '_, '_> {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        let asked = self.search.asked;
        self.is_enough()?;
        if asked.links.anchors {
            return ControlFlow::Continue(());
        }
        if link.context() == Context::Text(MatchKind::Template) {
            self.search.stats.add_template();
            if !asked.links.patterns {
                return ControlFlow::Continue(());
            }
        }
        if let Some(cut) = link.cut() {
            return self.take_cut(link, cut);
        }
        let broken = match asked.links.broken {
            true => match why_broken(link, asked.links.by.edition) {
                None => {
                    self.good += u64::from(self.is_wanted(link.url()));
                    return ControlFlow::Continue(());
                }
                why => why,
            },
            false => None,
        };
        // A template cannot be resolved.
        let is_resolved = asked.answer.absolute && link.context() != Context::Text(MatchKind::Template);
        let resolved = is_resolved.then(|| link.resolved());
        let escaped = escaped(link, resolved.as_ref());
        let absolute = resolved.map(|resolved| Absolute::new(link, resolved, escaped.as_deref()));
        let text = absolute.as_ref().and_then(Absolute::text).unwrap_or_else(|| link.url().into());
        if !self.is_wanted(&text) {
            return ControlFlow::Continue(());
        }
        if let Some(absolute) = &absolute
            && let Some(why) = absolute.failure()
        {
            self.report(link, absolute, why);
        }
        if link.context() == Context::Text(MatchKind::Defanged) {
            self.search.stats.add_defanged();
        }
        if self.count(&text)? {
            match &broken {
                Some(why) => self.write_broken(link, why)?,
                None => self.write(link, absolute.as_ref(), &text)?,
            }
        }
        self.is_enough()
    }

    fn malformed(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        if self.search.asked.links.broken { self.link(link) } else { ControlFlow::Continue(()) }
    }

    fn passed_over(&mut self, place: &Location, why: PassedOver) {
        let file = self.named.path.to_string_lossy();
        let Location { line, column, .. } = place;
        self.search.report(&format!("{}:{line}:{column}: {why}", visible(&file)));
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        let asked = self.search.asked;
        if !asked.links.anchors || self.is_enough().is_break() || !self.is_wanted(&anchor.name) {
            return;
        }
        if let ControlFlow::Continue(true) = self.count(&anchor.name) {
            if !asked.answer.json {
                self.write_around(Some((&anchor.place, b"")));
            }
            let mut page = self.page.borrow_mut();
            if asked.answer.json {
                let _ = json::line(page.lines(), &AnchorObject::new(self.file(), anchor));
            } else {
                self.search.lines.anchor(page.lines(), self.head, &anchor.place, &anchor.name);
            }
            let _ = page.end_link();
        }
    }
}
