//! Where what is found in a text goes: a stretch of the text and what it means enter, a link or an anchor with its place in the
//! document's file and with the bases there leaves.

use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};

use locator::BaseStack;

use crate::charset::Charset;
use crate::document::Document;
use crate::limits::WHOLE;
use crate::link::{Anchor, Context, Link, PassedOver, Sink};
use crate::source::{Octets, Source};
use crate::window::Window;

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
        if let Some(place) = source.cut() {
            self.sink.passed_over(&place, PassedOver::Rest);
        }
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

    /// Reports that what begins there is passed over.
    pub(crate) fn passed_over(&mut self, at: usize, why: PassedOver) {
        self.sink.passed_over(&self.source.place(at..at), why);
    }

    /// Gives a name out that a fragment may point to.
    pub(crate) fn anchor(&mut self, span: Range<usize>, name: &str) {
        self.sink.anchor(&Anchor { name: Cow::Borrowed(name), place: self.source.place(span) });
    }
}

/// Reads a document to its end and searches it as a whole; of one that is longer than [`WHOLE`] the rest is passed over.
pub(crate) fn find_whole(
    document: &Document,
    source: &mut dyn Read,
    sink: &mut dyn Sink,
    find_in: impl FnOnce(&[u8], &mut Outlet<'_>) -> ControlFlow<()>,
) -> io::Result<()> {
    let mut octets = Vec::new();
    let is_whole = hold(source, &mut octets, WHOLE)?;
    let (held, mut bases) = (Octets::new(&octets), document.bases());
    let mut outlet = Outlet::new(&held, &mut bases, sink);
    if find_in(&octets, &mut outlet).is_continue() && !is_whole {
        outlet.passed_over(octets.len(), PassedOver::TooLarge(WHOLE));
    }
    Ok(())
}

/// Reads a document in pieces of that length at most and searches one after the other.
///
/// `end` returns where a piece ends before which nothing goes on behind it. Where there is no such place the document is divided all the same.
pub(crate) fn find_in_pieces(
    document: &Document,
    source: &mut dyn Read,
    sink: &mut dyn Sink,
    (length, end): (usize, impl Fn(&[u8]) -> End),
    mut find_in: impl FnMut(&[u8], &mut Outlet<'_>) -> ControlFlow<()>,
) -> io::Result<()> {
    let (mut window, mut bases) = (Window::new(), document.bases());
    loop {
        window.hold(source, length)?;
        let octets = &window.octets()[..window.octets().len().min(length)];
        let (at, is_divided) = match octets.len() == window.octets().len() && window.is_last() {
            true => (octets.len(), false),
            false => match end(octets) {
                End::At(at) => (at, false),
                End::Divided(at) => (at, true),
            },
        };
        let held = Octets::behind(window.place(0..0), &octets[..at]);
        let mut outlet = Outlet::new(&held, &mut bases, sink);
        if find_in(&octets[..at], &mut outlet).is_break() {
            return Ok(());
        }
        if is_divided {
            outlet.passed_over(at, PassedOver::Divided);
        }
        if window.is_last() && at == window.octets().len() {
            return Ok(());
        }
        window.drop_first(at);
    }
}

/// Where a piece of a document ends; never at its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Nothing goes on behind it.
    At(usize),
    /// Something does, maybe.
    Divided(usize),
}

/// Reads no more octets than may be held; returns whether these are all.
pub(crate) fn hold(source: &mut dyn Read, octets: &mut Vec<u8>, most: u64) -> io::Result<bool> {
    source.take((most + 1).saturating_sub(octets.len() as u64)).read_to_end(octets)?;
    let is_whole = octets.len() as u64 <= most;
    octets.truncate(most as usize);
    Ok(is_whole)
}
