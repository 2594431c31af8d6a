//! The links of one document in; what was asked of them is written on its page, or counted.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use locator_find::{Anchor, Link, PassedOver, Place, Sink};

use super::Search;
use super::absolute::{Absolute, escaped};
use super::look::Named;
use super::page::Page;
use super::tally::{Counts, Kind};
use crate::arguments::Form;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::show::failure::sentence;
use crate::show::{json, secrets, visible};

/// What is found in one document.
pub(super) struct Hits<'h, 's, 'o> {
    search: &'s Search<'o>,
    named: &'h Named<'h>,
    /// What each of its lines begins with.
    head: &'h [u8],
    page: &'h RefCell<Page<'s, 'o>>,
    /// How many there are.
    count: u64,
    /// How many of each kind.
    kinds: Counts,
    /// What was last said of the bases.
    bases: Vec<u8>,
}

/// After how many links it is told that they are found: threads should not meet at a count.
const TOLD_AT_ONCE: u64 = 1024;

impl<'h, 's, 'o> Hits<'h, 's, 'o> {
    /// Nothing is found yet.
    pub(super) fn new(
        search: &'s Search<'o>,
        named: &'h Named<'h>,
        head: &'h [u8],
        page: &'h RefCell<Page<'s, 'o>>,
    ) -> Self {
        Self { search, named, head, page, count: 0, kinds: Counts::new(), bases: Vec::new() }
    }

    /// Writes what is said of the whole document.
    pub(super) fn end(self) {
        let (search, named) = (self.search, self.named);
        let mut page = self.page.borrow_mut();
        let is_listed = match search.form {
            Form::FilesWith => self.count > 0,
            Form::FilesWithout => self.count == 0,
            Form::Files => true,
            _ => false,
        };
        if is_listed {
            search.lines.file(page.lines(), &named.path, named.link.as_deref());
            search.found.store(true, Ordering::Relaxed);
        }
        if search.form == Form::Count && self.count > 0 {
            search.lines.count(page.lines(), self.head, self.count);
        }
        search.tally.add(self.kinds);
        Progress::add(&search.progress.counts().links, self.count % TOLD_AT_ONCE);
    }

    /// Counts one; whether it is to be written, or whether that was enough.
    fn count(&mut self, text: &str) -> ControlFlow<(), bool> {
        self.count += 1;
        if self.count.is_multiple_of(TOLD_AT_ONCE) {
            Progress::add(&self.search.progress.counts().links, TOLD_AT_ONCE);
        }
        let form = self.search.form;
        if form != Form::FilesWithout {
            self.search.found.store(true, Ordering::Relaxed);
        }
        match form {
            Form::Each => return ControlFlow::Continue(true),
            Form::Count | Form::Files => {}
            Form::CountBy(what) => {
                let kind = Kind::of(text, self.search.asked.links.by.edition, what);
                *self.kinds.entry(kind).or_default() += 1;
            }
            Form::FilesWith | Form::FilesWithout | Form::Quiet => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(false)
    }

    /// Whether it is one of those that are looked for.
    fn is_sought(&self, text: &str) -> bool {
        let (links, seen) = (&self.search.asked.links, &self.search.seen);
        let has_scheme = |scheme: &String| {
            text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
                && text[scheme.len()..].starts_with(':')
        };
        (links.only_scheme.is_empty() || links.only_scheme.iter().any(has_scheme))
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

    fn write(&mut self, link: &Link<'_>, absolute: Option<&Absolute<'_>>, text: &str) -> ControlFlow<()> {
        let (search, answer) = (self.search, &self.search.asked.answer);
        let mut page = self.page.borrow_mut();
        if answer.json {
            let edition = search.asked.links.by.edition;
            let _ = json::link(page.lines(), self.file(), link, edition, absolute, answer.bases);
            return page.end_link();
        }
        if absolute.is_some_and(|absolute| absolute.target.is_err()) {
            return ControlFlow::Continue(());
        }
        let octets = if answer.as_written { link.written() } else { text.as_bytes() };
        search.lines.link(page.lines(), self.head, link.place(), octets);
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

    /// Says why a link is not resolved; in JSON its object does, and who asks quietly has an answer.
    fn tell(&self, link: &Link<'_>, why: &Failure) {
        if self.search.form == Form::Quiet {
            return;
        }
        if self.search.asked.answer.json && self.search.form == Form::Each {
            return self.search.fail();
        }
        let file = self.named.path.to_string_lossy();
        let Place { line, column, .. } = link.place();
        let (url, why) = (secrets::masked(link.url()), sentence(why, &secrets::redacted(link.url())));
        self.search.tell(&format!("{}:{line}:{column}: \"{url}\" is not resolved: {why}", visible(&file)));
    }
}

impl Sink for Hits<'_, '_, '_> {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        let asked = self.search.asked;
        self.is_enough()?;
        if asked.links.anchors {
            return ControlFlow::Continue(());
        }
        let resolved = asked.answer.absolute.then(|| link.resolved());
        let escaped = escaped(link, resolved.as_ref());
        let absolute = resolved.map(|resolved| Absolute::new(link, resolved, escaped.as_deref()));
        let text = absolute.as_ref().and_then(Absolute::text).unwrap_or_else(|| link.url().into());
        if !self.is_sought(&text) {
            return ControlFlow::Continue(());
        }
        if let Some(Absolute { target: Err(why), .. }) = &absolute {
            self.tell(link, why);
        }
        if self.count(&text)? {
            self.write(link, absolute.as_ref(), &text)?;
        }
        self.is_enough()
    }

    fn passed_over(&mut self, place: &Place, why: PassedOver) {
        let file = self.named.path.to_string_lossy();
        let Place { line, column, .. } = place;
        self.search.tell(&format!("{}:{line}:{column}: {why}", visible(&file)));
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        let asked = self.search.asked;
        if !asked.links.anchors || self.is_enough().is_break() || !self.is_sought(&anchor.name) {
            return;
        }
        if let ControlFlow::Continue(true) = self.count(&anchor.name) {
            let mut page = self.page.borrow_mut();
            if asked.answer.json {
                let _ = json::anchor(page.lines(), self.file(), anchor);
            } else {
                self.search.lines.anchor(page.lines(), self.head, &anchor.place, &anchor.name);
            }
            let _ = page.end_link();
        }
    }
}
