//! The work of one thread: searches one file after the other, and prints or counts the links of each.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::mem;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use ignore::DirEntry;
use locator::text::MatchKind;
use locator_audit::{Auditor, Finding};
use locator_find::{Anchor, Archive, Context, Cut, Document, Link, Location, PassedOver, Sink};

use crate::output::progress::Progress;
use crate::report::failure::{Failure, sentence};
use crate::report::json;
use crate::terminal::{secrets, visible};
use crate::verbs::find::arguments::OutputForm;
use crate::verbs::find::files::{self, FileVisitor, WalkEntry};
use crate::verbs::find::iocs::{self, IndicatorObject};
use crate::verbs::find::json::{AnchorObject, LinkDetails, LinkObject};
use crate::verbs::find::print::{ContextLine, ContextReader, LineBuffer, LinkPlace};
use crate::verbs::find::resolve::{self, Absolute, escaped, why_broken};
use crate::verbs::find::search::{DocumentName, Search};
use crate::verbs::find::source::{self, Octets, Opened, Source};
use crate::verbs::find::summary::Counts;

/// What is found in one document.
struct ResultSink<'h, 's, 'o> {
    search: &'s Search<'o>,
    named: &'h DocumentName<'h>,
    /// What each of its lines begins with.
    head: &'h [u8],
    buffer: &'h RefCell<LineBuffer<'s, 'o>>,
    /// How many there are.
    count: u64,
    /// How many are not broken.
    good: u64,
    /// How many of each kind.
    kinds: Counts,
    /// The last text printed for the bases.
    bases: Vec<u8>,
    /// The lines around what is found, if they are shown.
    around: Option<ContextReader<'h>>,
}

/// How many links are counted before the shared count is updated, so that threads seldom contend
/// for it.
const COUNTED_AT_ONCE: u64 = 1024;

impl<'h, 's, 'o> ResultSink<'h, 's, 'o> {
    /// No links yet.
    fn new(
        search: &'s Search<'o>,
        named: &'h DocumentName<'h>,
        head: &'h [u8],
        buffer: &'h RefCell<LineBuffer<'s, 'o>>,
    ) -> Self {
        let (kinds, bases) = (Counts::default(), Vec::new());
        Self { search, named, head, buffer, count: 0, good: 0, kinds, bases, around: None }
    }

    /// Shows the lines around what is found, too.
    fn show_around(&mut self, around: Option<ContextReader<'h>>) {
        self.around = around;
    }

    /// Writes the lines for the whole document.
    fn end(mut self) {
        let (search, named) = (self.search, self.named);
        self.write_around(None);
        if self.count > 0 {
            search.stats.add();
        }
        let mut buffer = self.buffer.borrow_mut();
        let is_listed = match search.form {
            OutputForm::FilesWith => self.count > 0,
            OutputForm::FilesWithout => self.count == 0,
            OutputForm::Files => true,
            _ => false,
        };
        if is_listed {
            search.lines.file(buffer.lines(), &named.path, named.link.as_deref());
            // With --broken, a file without broken links is not a match.
            search.found.fetch_or(!search.args.links.broken, Ordering::Relaxed);
        }
        if search.form == OutputForm::Count && self.count > 0 {
            search.lines.count(buffer.lines(), self.head, self.count);
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
        if form != OutputForm::FilesWithout || self.search.args.links.broken {
            self.search.found.store(true, Ordering::Relaxed);
        }
        match form {
            OutputForm::Each => return ControlFlow::Continue(true),
            OutputForm::Count | OutputForm::Files => {}
            OutputForm::CountBy(what) => {
                self.kinds.add(text, self.search.args.links.by.edition, what);
            }
            OutputForm::Quiet if !self.search.wants_one() => {}
            OutputForm::FilesWith | OutputForm::FilesWithout | OutputForm::Quiet => {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(false)
    }

    /// Returns whether a link passes the filters.
    fn is_wanted(&self, text: &str) -> bool {
        let (links, seen) = (&self.search.args.links, &self.search.seen);
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
        match self.search.args.links.max_count {
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
        let mut buffer = self.buffer.borrow_mut();
        if link.is_some() && self.count == 1 {
            lines.heading(buffer.lines(), &named.path, named.link.as_deref());
        }
        let Some(around) = &mut self.around else { return };
        let mut write = |shown: ContextLine<'_>| lines.around(buffer.lines(), head, &shown);
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
            drop(buffer);
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
        let args = self.search.args;
        let findings = serious(link, &self.search.auditor);
        let details = LinkDetails {
            file: self.file(),
            edition: args.links.by.edition,
            absolute,
            broken,
            findings: &findings,
            with_bases: args.output.bases,
        };
        let mut buffer = self.buffer.borrow_mut();
        let _ = json::line(buffer.lines(), &LinkObject::new(link, &details));
        buffer.end_link()
    }

    fn write(&mut self, link: &Link<'_>, absolute: Option<&Absolute<'_>>, text: &str) -> ControlFlow<()> {
        let (search, output) = (self.search, &self.search.args.output);
        if output.json {
            return self.write_json(link, absolute, None);
        }
        if absolute.is_some_and(|absolute| absolute.target.is_err()) {
            return ControlFlow::Continue(());
        }
        self.write_around(Some((link.place(), link.written())));
        let mut buffer = self.buffer.borrow_mut();
        let octets = match output.as_written {
            true if link.cut().is_some() => &[link.written(), CUT.as_bytes()].concat(),
            true => link.written(),
            false => text.as_bytes(),
        };
        search.lines.link(buffer.lines(), self.head, link.place(), octets);
        if search.lines.is_terminal && !output.no_messages {
            search.notes.add(&self.named.path, link.place(), link.url(), &serious(link, &search.auditor));
        }
        if output.bases {
            let mut bases = Vec::new();
            search.lines.bases(&mut bases, link);
            // They are the same for most of a document's links.
            if bases != self.bases {
                buffer.lines().extend_from_slice(&bases);
                self.bases = bases;
            }
        }
        buffer.end_link()
    }

    /// Writes the indicators of compromise of a link.
    fn take_indicators(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        let output = &self.search.args.output;
        for indicator in iocs::indicators(link) {
            if !self.is_wanted(&indicator.value) {
                continue;
            }
            if self.count(&indicator.value)? {
                if !output.csv && !output.json {
                    self.write_around(Some((link.place(), link.written())));
                }
                let mut buffer = self.buffer.borrow_mut();
                let lines = buffer.lines();
                if output.csv {
                    iocs::write_row(lines, &indicator, link, self.file());
                } else if output.json {
                    let _ = json::line(lines, &IndicatorObject::new(&indicator, link, self.file()));
                } else {
                    self.search.lines.indicator(lines, self.head, link.place(), &indicator);
                }
                buffer.end_link()?;
            }
            self.is_enough()?;
        }
        ControlFlow::Continue(())
    }

    fn write_broken(&mut self, link: &Link<'_>, why: &Failure) -> ControlFlow<()> {
        if self.search.args.output.json {
            return self.write_json(link, None, Some(why));
        }
        self.write_around(Some((link.place(), link.written())));
        let mut buffer = self.buffer.borrow_mut();
        self.search.lines.broken(buffer.lines(), self.head, link, why);
        buffer.end_link()
    }

    /// Writes a link that is only a part of a URL, and reports it. Whether it is broken is not known.
    fn take_cut(&mut self, link: &Link<'_>, cut: Cut) -> ControlFlow<()> {
        let url = link.url();
        let text = format!("{url}{CUT}");
        if !self.is_wanted(&text) {
            return ControlFlow::Continue(());
        }
        let is_object = self.search.args.output.json && self.search.form == OutputForm::Each;
        if self.search.form == OutputForm::Quiet || is_object && !self.search.args.links.broken {
            self.search.fail();
        } else {
            let file = self.named.path.to_string_lossy();
            let Location { line, column, .. } = link.place();
            let (file, url) = (visible(&file), secrets::masked(url));
            self.search
                .report(&format!("{file}:{line}:{column}: only a part of a URL is found, \"{url}\": {cut}"));
        }
        if self.search.args.links.broken {
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
        if self.search.form == OutputForm::Quiet {
            return;
        }
        if self.search.args.output.json && self.search.form == OutputForm::Each {
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

impl Sink for ResultSink<'_, '_, '_> {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        let args = self.search.args;
        self.is_enough()?;
        if args.links.anchors {
            return ControlFlow::Continue(());
        }
        if args.links.iocs {
            return self.take_indicators(link);
        }
        if link.context() == Context::Text(MatchKind::Template) {
            self.search.stats.add_template();
            if !args.links.patterns {
                return ControlFlow::Continue(());
            }
        }
        if let Some(cut) = link.cut() {
            return self.take_cut(link, cut);
        }
        let broken = match args.links.broken {
            true => match why_broken(link, args.links.by.edition) {
                None => {
                    self.good += u64::from(self.is_wanted(link.url()));
                    return ControlFlow::Continue(());
                }
                why => why,
            },
            false => None,
        };
        // A template cannot be resolved.
        let is_resolved = args.output.is_absolute() && link.context() != Context::Text(MatchKind::Template);
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
        if self.search.args.links.broken { self.link(link) } else { ControlFlow::Continue(()) }
    }

    fn passed_over(&mut self, place: &Location, why: PassedOver) {
        let file = self.named.path.to_string_lossy();
        let Location { line, column, .. } = place;
        self.search.report(&format!("{}:{line}:{column}: {why}", visible(&file)));
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        let args = self.search.args;
        if !args.links.anchors || self.is_enough().is_break() || !self.is_wanted(&anchor.name) {
            return;
        }
        if let ControlFlow::Continue(true) = self.count(&anchor.name) {
            if !args.output.json {
                self.write_around(Some((&anchor.place, b"")));
            }
            let mut buffer = self.buffer.borrow_mut();
            if args.output.json {
                let _ = json::line(buffer.lines(), &AnchorObject::new(self.file(), anchor));
            } else {
                self.search.lines.anchor(buffer.lines(), self.head, &anchor.place, &anchor.name);
            }
            let _ = buffer.end_link();
        }
    }
}

/// One thread of a search.
pub(super) struct Worker<'s, 'o> {
    search: &'s Search<'o>,
    /// The first octets of the file that it looks into.
    head: Vec<u8>,
    /// A buffer for the pages, which is reused.
    spare: Vec<u8>,
}

impl<'s, 'o> Worker<'s, 'o> {
    /// Creates the state of a thread.
    pub(super) const fn new(search: &'s Search<'o>) -> Self {
        Self { search, head: Vec::new(), spare: Vec::new() }
    }

    fn search_file(&mut self, entry: &DirEntry) -> io::Result<ControlFlow<()>> {
        let search = self.search;
        let mut head = mem::take(&mut self.head);
        let found = match source::open(entry, search.choice(), &mut head) {
            Ok(Some(Opened::Source(source))) => {
                let url = search.retrieval.as_ref().and_then(|retrieval| retrieval.of(entry));
                self.search_source(&DocumentName::new(search, entry), source, url.as_deref())
            }
            Ok(Some(Opened::Archive(archive))) => self.search_archive(entry, archive),
            Ok(None) => Ok(ControlFlow::Continue(())),
            Err(error) => Err(error),
        };
        self.head = head;
        found
    }

    fn search_source(
        &mut self,
        named: &DocumentName<'_>,
        source: Source<'_>,
        url: Option<&str>,
    ) -> io::Result<ControlFlow<()>> {
        let search = self.search;
        let (around, source) = match search.around() {
            Some(args) => {
                let (from, source) = source.with_second_reader(&named.path)?;
                (Some(ContextReader::new(from, args)), source)
            }
            None => (None, source),
        };
        let buffer = RefCell::new(search.shared.buffer(mem::take(&mut self.spare)));
        let head = search.lines.head(&named.path, named.link.as_deref());
        let mut results = ResultSink::new(search, named, &head, &buffer);
        results.show_around(around);
        let read = match search.form {
            OutputForm::Files => Ok(()),
            _ => find(search, source, url, &buffer, &mut results),
        };
        results.end();
        Progress::add(&search.progress.counts().files, 1);
        let (flow, spare) = buffer.into_inner().finish();
        self.spare = spare;
        read.map(|()| flow)
    }

    /// Searches the files of an archive; an error in one is reported, and the others are read.
    fn search_archive(
        &mut self,
        entry: &DirEntry,
        mut archive: Archive<File>,
    ) -> io::Result<ControlFlow<()>> {
        let search = self.search;
        let mut head = Vec::new();
        let around = search.retrieval.as_ref().and_then(|retrieval| retrieval.of(entry));
        for name in archive.repeated_names() {
            let mut named = DocumentName::new(search, entry);
            named.enter(name);
            search.report(&not_searched(&named, REPEATED));
        }
        for index in 0..archive.len() {
            let mut named = DocumentName::new(search, entry);
            let read = archive.member(index).and_then(|member| {
                let Some(mut member) = member else { return Ok(ControlFlow::Continue(())) };
                let name = member.name().to_owned();
                named.enter(&name);
                let mut first = Vec::new();
                member.by_ref().take(FIRST).read_to_end(&mut first)?;
                if let Some(what) = source::packed(&first) {
                    search.report(&not_searched(&named, &format!("{what} in an archive")));
                    return Ok(ControlFlow::Continue(()));
                }
                let member = io::Cursor::new(first).chain(member);
                let url = around.as_deref().and_then(|around| resolve::member_url(around, &name));
                match search.choice().stream(Path::new(&name), false, member, &mut head)? {
                    Some(source) => self.search_source(&named, source, url.as_deref()),
                    None => Ok(ControlFlow::Continue(())),
                }
            });
            match read {
                Ok(flow) => {
                    if flow.is_break() || search.is_over() {
                        return Ok(flow);
                    }
                }
                Err(error) => search.report(&unreadable(&named, &error)),
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Why a member is not searched.
const REPEATED: &str = "the archive has several files of this name, and only the last is searched";

/// How many octets show that a member is packed.
const FIRST: u64 = 8;

fn find<'s, 'o>(
    search: &'s Search<'o>,
    source: Source<'_>,
    url: Option<&str>,
    buffer: &RefCell<LineBuffer<'s, 'o>>,
    results: &mut ResultSink<'_, 's, 'o>,
) -> io::Result<()> {
    let document = Document::new(source.format);
    // An edition without resolution was rejected before if links are to be resolved.
    let mut document = document.clone().resolved_by(search.args.links.by.edition).unwrap_or(document);
    if let Some(separator) = search.args.places.separator {
        document = document.separated_by(separator);
    }
    if let Some(url) = url {
        document = document.retrieved_by(url);
    }
    let octets = &search.progress.counts().octets;
    match source.octets {
        Octets::File(from) => search.finder.find_seekable(
            &document,
            &mut CountingReader { from, octets, buffer: None },
            results,
        ),
        Octets::Stream(from) => {
            search.finder.find(&document, &mut CountingReader { from, octets, buffer: Some(buffer) }, results)
        }
    }
}

impl FileVisitor for Worker<'_, '_> {
    fn visit(&mut self, step: WalkEntry) -> ControlFlow<()> {
        let search = self.search;
        match step {
            Err(error) => search.report(&files::reason(&error)),
            Ok(entry) if !is_file(&entry) => {}
            Ok(entry) => match self.search_file(&entry) {
                Ok(flow) => flow?,
                Err(error) => search.report(&unreadable(&DocumentName::new(search, &entry), &error)),
            },
        }
        if search.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Whether it is looked into: what was named is, unless it is a directory; of what is met, files
/// are.
fn is_file(entry: &DirEntry) -> bool {
    match entry.depth() {
        0 => entry.is_stdin() || !entry.path().is_dir(),
        _ => entry.file_type().is_some_and(|of| of.is_file()),
    }
}

fn unreadable(named: &DocumentName<'_>, error: &io::Error) -> String {
    match named.is_stdin {
        true => format!("standard input cannot be read: {error}"),
        false => {
            format!(
                "\"{}\" cannot be read: {}",
                visible(&named.path.to_string_lossy()),
                visible(&error.to_string())
            )
        }
    }
}

fn not_searched(named: &DocumentName<'_>, why: &str) -> String {
    format!("\"{}\" is not searched: {why}", visible(&named.path.to_string_lossy()))
}

/// A reader that counts bytes and writes pending results before it blocks.
struct CountingReader<'w, 's, 'o, R> {
    from: R,
    octets: &'w AtomicU64,
    /// The page that is written before more is read.
    buffer: Option<&'w RefCell<LineBuffer<'s, 'o>>>,
}

impl<R: Read> Read for CountingReader<'_, '_, '_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(buffer) = self.buffer
            && buffer.borrow_mut().write().is_break()
        {
            // The output is closed.
            return Ok(0);
        }
        let length = self.from.read(buffer)?;
        Progress::add(self.octets, length as u64);
        Ok(length)
    }
}

impl<R: Seek> Seek for CountingReader<'_, '_, '_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.from.seek(to)
    }
}
