//! The work of one thread: searches one file after the other.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::mem;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicU64;

use ignore::DirEntry;
use locator_find::{Archive, Document};

use super::args::Form;
use super::context::Around;
use super::files::{self, Step, Visit};
use super::hits::Hits;
use super::print::Page;
use super::resolve;
use super::search::{Named, Search};
use super::source::{self, Octets, Opened, Source};
use crate::output::progress::Progress;
use crate::terminal::visible;

/// One thread of a search.
pub(super) struct Look<'s, 'o> {
    search: &'s Search<'o>,
    /// The first octets of the file that it looks into.
    head: Vec<u8>,
    /// A buffer for the pages, which is reused.
    paper: Vec<u8>,
}

impl<'s, 'o> Look<'s, 'o> {
    /// Creates the state of a thread.
    pub(super) const fn new(search: &'s Search<'o>) -> Self {
        Self { search, head: Vec::new(), paper: Vec::new() }
    }

    fn look_into(&mut self, entry: &DirEntry) -> io::Result<ControlFlow<()>> {
        let search = self.search;
        let mut head = mem::take(&mut self.head);
        let found = match source::open(entry, search.choice(), &mut head) {
            Ok(Some(Opened::Source(source))) => {
                let url = search.retrieval.as_ref().and_then(|retrieval| retrieval.of(entry));
                self.look_into_source(&Named::new(search, entry), source, url.as_deref())
            }
            Ok(Some(Opened::Archive(archive))) => self.look_into_archive(entry, archive),
            Ok(None) => Ok(ControlFlow::Continue(())),
            Err(error) => Err(error),
        };
        self.head = head;
        found
    }

    fn look_into_source(
        &mut self,
        named: &Named<'_>,
        source: Source<'_>,
        url: Option<&str>,
    ) -> io::Result<ControlFlow<()>> {
        let search = self.search;
        let (around, source) = match search.around() {
            Some(asked) => {
                let (from, source) = source.again(&named.path)?;
                (Some(Around::new(from, asked)), source)
            }
            None => (None, source),
        };
        let page = RefCell::new(search.floor.page(mem::take(&mut self.paper)));
        let head = search.lines.head(&named.path, named.link.as_deref());
        let mut hits = Hits::new(search, named, &head, &page);
        hits.show_around(around);
        let read = match search.form {
            Form::Files => Ok(()),
            _ => find(search, source, url, &page, &mut hits),
        };
        hits.end();
        Progress::add(&search.progress.counts().files, 1);
        let (flow, paper) = page.into_inner().finish();
        self.paper = paper;
        read.map(|()| flow)
    }

    /// Searches the files of an archive; an error in one is reported, and the others are read.
    fn look_into_archive(
        &mut self,
        entry: &DirEntry,
        mut archive: Archive<File>,
    ) -> io::Result<ControlFlow<()>> {
        let search = self.search;
        let mut head = Vec::new();
        let around = search.retrieval.as_ref().and_then(|retrieval| retrieval.of(entry));
        for name in archive.repeated_names() {
            let mut named = Named::new(search, entry);
            named.enter(name);
            search.report(&not_searched(&named, REPEATED));
        }
        for index in 0..archive.len() {
            let mut named = Named::new(search, entry);
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
                let url = around.as_deref().and_then(|around| resolve::of_member(around, &name));
                match search.choice().stream(Path::new(&name), false, member, &mut head)? {
                    Some(source) => self.look_into_source(&named, source, url.as_deref()),
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
    page: &RefCell<Page<'s, 'o>>,
    hits: &mut Hits<'_, 's, 'o>,
) -> io::Result<()> {
    let document = Document::new(source.format);
    // An edition without resolution was rejected before if links are to be resolved.
    let mut document = document.clone().resolved_by(search.asked.links.by.edition).unwrap_or(document);
    if let Some(separator) = search.asked.places.separator {
        document = document.separated_by(separator);
    }
    if let Some(url) = url {
        document = document.retrieved_by(url);
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
            Err(error) => search.report(&files::reason(&error)),
            Ok(entry) if !is_file(&entry) => {}
            Ok(entry) => match self.look_into(&entry) {
                Ok(flow) => flow?,
                Err(error) => search.report(&unreadable(&Named::new(search, &entry), &error)),
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

fn unreadable(named: &Named<'_>, error: &io::Error) -> String {
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

fn not_searched(named: &Named<'_>, why: &str) -> String {
    format!("\"{}\" is not searched: {why}", visible(&named.path.to_string_lossy()))
}

/// A reader that counts bytes and writes pending results before it blocks.
struct Watched<'w, 's, 'o, R> {
    from: R,
    octets: &'w AtomicU64,
    /// The page that is written before more is read.
    page: Option<&'w RefCell<Page<'s, 'o>>>,
}

impl<R: Read> Read for Watched<'_, '_, '_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(page) = self.page
            && page.borrow_mut().write().is_break()
        {
            // The output is closed.
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
