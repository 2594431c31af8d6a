//! A file that the walk came upon in, what was asked of it out: one thread's way of looking into one file after the
//! other.

use std::cell::RefCell;
use std::io::{self, Read, Seek, SeekFrom};
use std::mem;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicU64;

use ignore::DirEntry;
use locator_find::Document;

use super::hits::Hits;
use super::page::Page;
use super::source::{self, Octets, Source};
use super::walk::{self, Step, Visit};
use super::{Search, retrieval};
use crate::arguments::Form;
use crate::progress::Progress;
use crate::show::visible;

/// One thread of a search.
pub(super) struct Look<'s, 'o> {
    search: &'s Search<'o>,
    /// The first octets of the file that it looks into.
    head: Vec<u8>,
    /// Paper for the pages.
    paper: Vec<u8>,
}

impl<'s, 'o> Look<'s, 'o> {
    /// Begins to look.
    pub(super) const fn new(search: &'s Search<'o>) -> Self {
        Self { search, head: Vec::new(), paper: Vec::new() }
    }

    fn look_into(&mut self, entry: &DirEntry) -> io::Result<ControlFlow<()>> {
        let search = self.search;
        let source = source::open(entry, &search.asked.places, &search.types, &mut self.head)?;
        let Some(source) = source else { return Ok(ControlFlow::Continue(())) };
        let path = search.name(entry);
        let link = search.lines.has_links.then(|| retrieval::of_file(entry.path())).flatten();
        let page = RefCell::new(search.floor.page(mem::take(&mut self.paper)));
        let head = search.lines.head(path, link.as_deref());
        let mut hits = Hits::new(search, entry, &head, &page);
        let read = match search.form {
            Form::Files => Ok(()),
            _ => find(search, entry, source, &page, &mut hits),
        };
        hits.end(link.as_deref());
        Progress::add(&search.progress.counts().files, 1);
        let (flow, paper) = page.into_inner().finish();
        self.paper = paper;
        read.map(|()| flow)
    }
}

fn find<'s, 'o>(
    search: &'s Search<'o>,
    entry: &DirEntry,
    source: Source<'_>,
    page: &RefCell<Page<'s, 'o>>,
    hits: &mut Hits<'_, 's, 'o>,
) -> io::Result<()> {
    let document = Document::new(source.format);
    // An edition that resolves nothing is refused before, where anything is to be resolved.
    let mut document = document.clone().resolved_by(search.asked.links.by.edition).unwrap_or(document);
    if let Some(url) = search.retrieval.as_ref().and_then(|retrieval| retrieval.of(entry)) {
        document = document.retrieved_by(&url);
    }
    let octets = &search.progress.counts().octets;
    match source.octets {
        Octets::File(from) => {
            search.finder.find_seekable(&document, &mut Watched { from, octets, page: None }, hits)
        }
        Octets::Stream(from) => {
            search.finder.find(&document, &mut Watched { from, octets, page: Some(page) }, hits)
        }
    }
}

impl Visit for Look<'_, '_> {
    fn visit(&mut self, step: Step) -> ControlFlow<()> {
        let search = self.search;
        match step {
            Err(error) => search.tell(&walk::reason(&error)),
            Ok(entry) if !is_file(&entry) => {}
            Ok(entry) => match self.look_into(&entry) {
                Ok(flow) => flow?,
                Err(error) => search.tell(&unreadable(&entry, &error)),
            },
        }
        if search.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Whether it is looked into: what was named is, unless it is a directory; of what is met, files are.
fn is_file(entry: &DirEntry) -> bool {
    match entry.depth() {
        0 => entry.is_stdin() || !entry.path().is_dir(),
        _ => entry.file_type().is_some_and(|of| of.is_file()),
    }
}

fn unreadable(entry: &DirEntry, error: &io::Error) -> String {
    match entry.is_stdin() {
        true => format!("standard input cannot be read: {error}"),
        false => format!("\"{}\" cannot be read: {error}", visible(&entry.path().to_string_lossy())),
    }
}

/// Octets that are counted as they are read, and for which nobody waits with an answer in hand.
struct Watched<'w, 's, 'o, R> {
    from: R,
    octets: &'w AtomicU64,
    /// What is to be written before more is waited for.
    page: Option<&'w RefCell<Page<'s, 'o>>>,
}

impl<R: Read> Read for Watched<'_, '_, '_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(page) = self.page
            && page.borrow_mut().write().is_break()
        {
            // Nobody listens any more.
            return Ok(0);
        }
        let length = self.from.read(buffer)?;
        Progress::add(self.octets, length as u64);
        Ok(length)
    }
}

impl<R: Seek> Seek for Watched<'_, '_, '_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.from.seek(to)
    }
}
