//! The output of a search in memory. Converts a stretch of a text and its meaning to a link or an
//! anchor, with its position in the original file and its base candidates.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use locator::BaseStack;

use crate::charset::Charset;
use crate::link::{Anchor, Context, Link, PassedOver, Sink};
use crate::source::SourceMap;

/// The context of a search in memory: the source map, the bases and the sink.
///
/// A document within another one adds its bases and removes them at its end.
pub(crate) struct Emitter<'a> {
    pub(crate) source: &'a dyn SourceMap,
    pub(crate) bases: &'a mut BaseStack,
    pub(crate) sink: &'a mut dyn Sink,
    /// The encoding in which queries are escaped: that of an HTML document.
    charset: Charset,
    /// The context of every link, if the surrounding document defines it: an attribute, a field.
    context: Option<Context<'a>>,
}

impl<'a> Emitter<'a> {
    /// Returns the emitter of a document.
    pub(crate) fn new(source: &'a dyn SourceMap, bases: &'a mut BaseStack, sink: &'a mut dyn Sink) -> Self {
        Self { source, bases, sink, charset: Charset::UTF_8, context: None }
    }

    /// Returns an emitter for a text that was decoded from this one.
    pub(crate) fn of<'b>(&'b mut self, source: &'b dyn SourceMap) -> Emitter<'b> {
        if let Some(place) = source.cut() {
            self.sink.passed_over(&place, PassedOver::Rest);
        }
        let (charset, context) = (self.charset, self.context);
        Emitter { source, bases: self.bases, sink: self.sink, charset, context }
    }

    /// Returns an emitter for a text that has other bases.
    pub(crate) fn with_bases<'b>(&'b mut self, bases: &'b mut BaseStack) -> Emitter<'b> {
        Emitter { source: self.source, bases, sink: self.sink, charset: self.charset, context: self.context }
    }

    /// Returns this emitter with another encoding.
    pub(crate) fn in_charset(self, charset: Charset) -> Self {
        Self { charset, ..self }
    }

    /// Returns this emitter for the value of an attribute, a field or the like.
    pub(crate) fn in_context(self, context: Context<'a>) -> Self {
        Self { context: Some(context), ..self }
    }

    /// Emits a link.
    pub(crate) fn link(&mut self, span: Range<usize>, url: &str, context: Context<'_>) -> ControlFlow<()> {
        self.link_or(span, url, None, context)
    }

    /// Emits a link that has an alternative reading.
    pub(crate) fn link_or(
        &mut self,
        span: Range<usize>,
        url: &str,
        other: Option<&str>,
        context: Context<'_>,
    ) -> ControlFlow<()> {
        let (base, charset) = (&*self.bases, self.charset);
        self.sink.link(&Link {
            written: Cow::Borrowed(self.source.written(span.clone())),
            url: Cow::Borrowed(url),
            other: other.map(Cow::Borrowed),
            place: self.source.place(span),
            part: None,
            context: self.context.unwrap_or(context),
            base,
            charset,
        })
    }

    /// Emits a destination that makes no link, because it is malformed.
    pub(crate) fn malformed(
        &mut self,
        span: Range<usize>,
        url: &str,
        context: Context<'_>,
    ) -> ControlFlow<()> {
        let (base, charset) = (&*self.bases, self.charset);
        self.sink.malformed(&Link {
            written: Cow::Borrowed(self.source.written(span.clone())),
            url: Cow::Borrowed(url),
            other: None,
            place: self.source.place(span),
            part: None,
            context: self.context.unwrap_or(context),
            base,
            charset,
        })
    }

    /// Reports a stretch that is not searched and begins at `at`.
    pub(crate) fn passed_over(&mut self, at: usize, why: PassedOver) {
        self.sink.passed_over(&self.source.place(at..at), why);
    }

    /// Emits a name that a fragment may refer to.
    pub(crate) fn anchor(&mut self, span: Range<usize>, name: &str) {
        self.sink.anchor(&Anchor { name: Cow::Borrowed(name), place: self.source.place(span) });
    }
}
