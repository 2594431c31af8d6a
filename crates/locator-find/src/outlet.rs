//! Where what is found in a text goes: a stretch of the text and what it means enter, a link or an anchor with its place in the
//! document's file and with the bases there leaves.

use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};

use locator::BaseStack;

use crate::charset::Charset;
use crate::document::Document;
use crate::link::{Anchor, Context, Link, Sink};
use crate::source::{Octets, Source};

/// What a search in a text that is held needs besides the text.
///
/// Who searches a document in another puts its bases on, and takes them off again behind it.
pub(crate) struct Outlet<'a> {
    pub(crate) source: &'a dyn Source,
    pub(crate) bases: &'a mut BaseStack,
    pub(crate) sink: &'a mut dyn Sink,
    /// In which encoding queries are escaped: that of the document, if it is HTML.
    pub(crate) charset: Charset,
}

impl<'a> Outlet<'a> {
    /// That of a document.
    pub(crate) fn new(source: &'a dyn Source, bases: &'a mut BaseStack, sink: &'a mut dyn Sink) -> Self {
        Self { source, bases, sink, charset: Charset::UTF_8 }
    }

    /// The same for a text that was made of this one.
    pub(crate) fn of<'b>(&'b mut self, source: &'b dyn Source) -> Outlet<'b> {
        Outlet { source, bases: self.bases, sink: self.sink, charset: self.charset }
    }

    /// The same in another encoding.
    pub(crate) fn in_charset(self, charset: Charset) -> Self {
        Self { charset, ..self }
    }

    /// Gives a link out.
    pub(crate) fn link(&mut self, span: Range<usize>, url: &str, context: Context<'_>) -> ControlFlow<()> {
        self.link_or(span, url, None, context)
    }

    /// Gives a link out that can be read in two ways.
    pub(crate) fn link_or(
        &mut self,
        span: Range<usize>,
        url: &str,
        other: Option<&str>,
        context: Context<'_>,
    ) -> ControlFlow<()> {
        let written = Cow::Borrowed(self.source.written(span.clone()));
        let place = self.source.place(span);
        let other = other.map(Cow::Borrowed);
        let url = Cow::Borrowed(url);
        let (base, charset) = (&*self.bases, self.charset);
        self.sink.link(&Link { written, url, other, place, part: None, context, base, charset })
    }

    /// Says that what begins there is passed over.
    pub(crate) fn passed_over(&mut self, at: usize) {
        self.sink.passed_over(&self.source.place(at..at));
    }

    /// Gives a name out that a fragment may point to.
    pub(crate) fn anchor(&mut self, span: Range<usize>, name: &str) {
        self.sink.anchor(&Anchor { name: Cow::Borrowed(name), place: self.source.place(span) });
    }
}

/// Reads a document to its end and searches it as a whole.
pub(crate) fn find_whole(
    document: &Document,
    source: &mut dyn Read,
    sink: &mut dyn Sink,
    find_in: impl FnOnce(&[u8], &mut Outlet<'_>) -> ControlFlow<()>,
) -> io::Result<()> {
    let mut octets = Vec::new();
    source.read_to_end(&mut octets)?;
    // That it wants no more is all it could say.
    let _ = find_in(&octets, &mut Outlet::new(&Octets::new(&octets), &mut document.bases(), sink));
    Ok(())
}
