//! Where what is found in a text goes: a stretch of the text and what it means enter, a link or an anchor with its place in the
//! document's file and with the bases there leaves.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use locator::BaseStack;

use crate::charset::Charset;
use crate::link::{Anchor, Context, Link, PassedOver, Sink};
use crate::source::SourceMap;

/// What a search in a text that is held needs besides the text.
///
/// A search of a document in another puts its bases on, and takes them off again after it.
pub(crate) struct Emitter<'a> {
    pub(crate) source: &'a dyn SourceMap,
    pub(crate) bases: &'a mut BaseStack,
    pub(crate) sink: &'a mut dyn Sink,
    /// In which encoding queries are escaped: that of the document, if it is HTML.
    charset: Charset,
    /// What every link is, if what is around the text says it: an attribute, a field.
    context: Option<Context<'a>>,
}

impl<'a> Emitter<'a> {
    /// That of a document.
    pub(crate) fn new(source: &'a dyn SourceMap, bases: &'a mut BaseStack, sink: &'a mut dyn Sink) -> Self {
        Self { source, bases, sink, charset: Charset::UTF_8, context: None }
    }

    /// The same for a text that was made of this one.
    pub(crate) fn of<'b>(&'b mut self, source: &'b dyn SourceMap) -> Emitter<'b> {
        if let Some(place) = source.cut() {
            self.sink.passed_over(&place, PassedOver::Rest);
        }
        let (charset, context) = (self.charset, self.context);
        Emitter { source, bases: self.bases, sink: self.sink, charset, context }
    }

    /// The same for a text that has other bases.
    pub(crate) fn with_bases<'b>(&'b mut self, bases: &'b mut BaseStack) -> Emitter<'b> {
        Emitter { source: self.source, bases, sink: self.sink, charset: self.charset, context: self.context }
    }

    /// The same in another encoding.
    pub(crate) fn in_charset(self, charset: Charset) -> Self {
        Self { charset, ..self }
    }

    /// The same for a text that is the value of an attribute, a field or the like.
    pub(crate) fn in_context(self, context: Context<'a>) -> Self {
        Self { context: Some(context), ..self }
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
        let context = self.context.unwrap_or(context);
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
