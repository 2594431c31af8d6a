//! The output of a search in memory. Converts a stretch of a text and its meaning to a link or an
//! anchor, with its position in the original file and its base candidates.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use locator::BaseStack;
use locator::text::Match;

use crate::decode::SourceMap;
use crate::decode::charset::Charset;
use crate::link::cut::Cut;
use crate::link::{Anchor, Context, Label, LabelKind, Link, PassedOver, Purpose, Sink};

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
    /// Whether running text is code.
    pub(crate) in_code: bool,
}

impl<'a> Emitter<'a> {
    /// Returns the emitter of a document.
    pub(crate) fn new(source: &'a dyn SourceMap, bases: &'a mut BaseStack, sink: &'a mut dyn Sink) -> Self {
        Self { source, bases, sink, charset: Charset::UTF_8, context: None, in_code: false }
    }

    /// Returns an emitter for a text that was decoded from this one.
    pub(crate) fn of<'b>(&'b mut self, source: &'b dyn SourceMap) -> Emitter<'b> {
        if let Some(place) = source.truncated() {
            self.sink.passed_over(&place, PassedOver::Rest);
        }
        let (charset, context, in_code) = (self.charset, self.context, self.in_code);
        Emitter { source, bases: self.bases, sink: self.sink, charset, context, in_code }
    }

    /// Returns an emitter for a text that has other bases.
    pub(crate) fn with_bases<'b>(&'b mut self, bases: &'b mut BaseStack) -> Emitter<'b> {
        let (charset, context, in_code) = (self.charset, self.context, self.in_code);
        Emitter { source: self.source, bases, sink: self.sink, charset, context, in_code }
    }

    /// Returns this emitter with another encoding.
    pub(crate) fn in_charset(self, charset: Charset) -> Self {
        Self { charset, ..self }
    }

    /// Returns this emitter for the value of an attribute, a field or the like.
    pub(crate) fn in_context(self, context: Context<'a>) -> Self {
        Self { context: Some(context), ..self }
    }

    /// Returns this emitter for running text that is code, or is not.
    pub(crate) fn in_code(self, in_code: bool) -> Self {
        Self { in_code, ..self }
    }

    /// Emits a link.
    pub(crate) fn link(&mut self, span: Range<usize>, url: &str, context: Context<'_>) -> ControlFlow<()> {
        self.link_for(span, url, context, Purpose::default())
    }

    /// Emits a link for this purpose.
    pub(crate) fn link_for(
        &mut self,
        span: Range<usize>,
        url: &str,
        context: Context<'_>,
        purpose: Purpose<'_>,
    ) -> ControlFlow<()> {
        let (link, sink) = self.prepare(span, url, None, context, purpose);
        sink.link(&link)
    }

    /// Emits a URL of running text, which may have an alternative reading or be a part of a URL.
    pub(crate) fn text_match(&mut self, hit: &Match<'_>, cut: Option<Cut>) -> ControlFlow<()> {
        let purpose = Purpose { is_code: self.in_code, ..Purpose::default() };
        let (url, other) = (hit.url(), hit.alternate());
        let (mut link, sink) =
            self.prepare(hit.span(), &url, other.as_deref(), Context::Text(hit.kind()), purpose);
        link.cut = cut;
        sink.link(&link)
    }

    /// Emits a link that is only a part of a URL.
    pub(crate) fn cut_link(
        &mut self,
        span: Range<usize>,
        url: &str,
        context: Context<'_>,
        cut: Option<Cut>,
    ) -> ControlFlow<()> {
        let (mut link, sink) = self.prepare(span, url, None, context, Purpose::default());
        link.cut = cut;
        sink.link(&link)
    }

    /// Emits a cross-reference.
    pub(crate) fn cross_reference(
        &mut self,
        span: Range<usize>,
        name: &str,
        context: Context<'_>,
    ) -> ControlFlow<()> {
        let (link, sink) = self.prepare(span, name, None, context, Purpose::default());
        sink.cross_reference(&link)
    }

    /// Emits a name that cross-references refer to.
    pub(crate) fn label(&mut self, span: Range<usize>, name: &str, kind: LabelKind) {
        self.sink.label(&Label { name: Cow::Borrowed(name), kind, place: self.source.place(span) });
    }

    /// Emits a destination that makes no link, because it is malformed.
    pub(crate) fn malformed(
        &mut self,
        span: Range<usize>,
        url: &str,
        context: Context<'_>,
    ) -> ControlFlow<()> {
        let (link, sink) = self.prepare(span, url, None, context, Purpose::default());
        sink.malformed(&link)
    }

    /// Returns a link, and the sink that receives it.
    #[inline]
    fn prepare<'l>(
        &'l mut self,
        span: Range<usize>,
        url: &'l str,
        other: Option<&'l str>,
        context: Context<'l>,
        purpose: Purpose<'l>,
    ) -> (Link<'l>, &'l mut dyn Sink) {
        let link = Link {
            written: Cow::Borrowed(self.source.written(span.clone())),
            url: Cow::Borrowed(url),
            other: other.map(Cow::Borrowed),
            cut: None,
            place: self.source.place(span),
            part: None,
            context: self.context.unwrap_or(context),
            purpose,
            base: self.bases,
            charset: self.charset,
        };
        (link, self.sink)
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
