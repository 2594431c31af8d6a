//! The running text of Markdown. Finds its URLs, GitHub's autolinks and destinations with a space, and
//! whether each is code.

use std::iter::Peekable;
use std::ops::{ControlFlow, Range};
use std::slice;

use locator::text::MatchKind;

use super::autolink::{self, Autolink};
use super::spaced;
use crate::link::cut::{self, Cut};
use crate::link::purpose::Purpose;
use crate::link::{Context, PassedOver};
use crate::search::Query;
use crate::search::emitter::Emitter;

/// The kind of a text that is not Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verbatim {
    /// A code span or a code block.
    Code,
    /// The text of `<code>` or the like, in which Markdown is read.
    HtmlCode,
    /// Metadata before the document.
    Metadata,
}

impl Verbatim {
    /// Returns whether its URLs are code.
    fn is_code(self) -> bool {
        self != Self::Metadata
    }

    /// Returns whether GitHub makes links of names and addresses in it.
    fn has_autolinks(self) -> bool {
        self == Self::HtmlCode
    }
}

/// Finds the URLs of running text, and GitHub's autolinks of names and addresses.
pub(super) fn find(
    query: &Query<'_>,
    text: &[u8],
    verbatim: &[(Range<usize>, Verbatim)],
    emitter: &mut Emitter<'_>,
) -> ControlFlow<()> {
    let characters = str::from_utf8(text).unwrap_or_default();
    let mut around_spaced = Kinds::new(verbatim);
    let mut spaced = spaced::find_in(characters).filter(|span| around_spaced.of(span).is_none());
    let mut next_spaced = spaced.next();
    let mut around_links = Kinds::new(verbatim);
    let mut links = autolink::find_in(characters)
        .map(|link| (around_links.of(&link.span), link))
        .filter(|(kind, _)| kind.is_none_or(Verbatim::has_autolinks));
    let mut around_hits = Kinds::new(verbatim);
    let (mut next, mut hits) = (links.next(), query.options.text.find_iter(text));
    for hit in hits.by_ref() {
        let span = hit.span();
        while let Some(before) = next_spaced.take_if(|spaced| spaced.start <= span.start) {
            emit_spaced(text, before, emitter)?;
            next_spaced = spaced.next();
        }
        while let Some((kind, link)) = next.take_if(|(_, link)| link.span.start < span.end) {
            // A link found in both ways is emitted once.
            if link.span.end <= span.start {
                emit_autolink(link, kind, emitter)?;
            }
            next = links.next();
        }
        let kind = around_hits.of(&span);
        emitter.in_code = kind.is_some_and(Verbatim::is_code);
        if hit.kind() == MatchKind::Angle
            && kind.is_none()
            && hit.as_bytes().iter().any(u8::is_ascii_whitespace)
        {
            emit_words(query, text, span, emitter)?;
            continue;
        }
        emitter.hit(&hit, cut::in_whole(text, &hit))?;
    }
    if let Some(start) = hits.passed_over() {
        emitter.passed_over(start, PassedOver::TooLong);
    }
    next_spaced.into_iter().chain(spaced).try_for_each(|span| emit_spaced(text, span, emitter))?;
    next.into_iter().chain(links).try_for_each(|(kind, link)| emit_autolink(link, kind, emitter))
}

/// Emits the URLs of a text in angle brackets that is no autolink, because white space is in it: "Spaces
/// are not allowed in autolinks". In other texts such white space is ignored, so a URL before a line end
/// may have been meant as a part.
fn emit_words(
    query: &Query<'_>,
    text: &[u8],
    span: Range<usize>,
    emitter: &mut Emitter<'_>,
) -> ControlFlow<()> {
    let inner = &text[span.clone()];
    for hit in query.options.text.find_iter(inner) {
        let end = hit.span().end;
        let is_broken =
            matches!(inner[end..].iter().find(|octet| !matches!(octet, b' ' | b'\t')), Some(b'\n' | b'\r'));
        let place = span.start + hit.span().start..span.start + end;
        emitter.cut_link(place, &hit.url(), Context::Text(hit.kind()), is_broken.then_some(Cut::LineEnd))?;
    }
    ControlFlow::Continue(())
}

/// Emits a link that is determined by its text; it is code if its text is.
fn emit_autolink(link: Autolink, kind: Option<Verbatim>, emitter: &mut Emitter<'_>) -> ControlFlow<()> {
    let purpose = kind.map_or_else(Purpose::default, |_| Purpose::CODE);
    emitter.link_for(link.span, &link.url, Context::Markdown, purpose)
}

/// The kinds of the stretches of a text, which are asked for in order.
struct Kinds<'a>(Peekable<slice::Iter<'a, (Range<usize>, Verbatim)>>);

impl<'a> Kinds<'a> {
    fn new(verbatim: &'a [(Range<usize>, Verbatim)]) -> Self {
        Self(verbatim.iter().peekable())
    }

    /// Returns the kind of the text, if a part of it is not Markdown.
    fn of(&mut self, span: &Range<usize>) -> Option<Verbatim> {
        while self.0.next_if(|(verbatim, _)| verbatim.end <= span.start).is_some() {}
        self.0.peek().filter(|(verbatim, _)| verbatim.start < span.end).map(|(_, kind)| *kind)
    }
}

/// Emits a destination with a space, unless a bracket or a part of it is escaped.
fn emit_spaced(text: &[u8], span: Range<usize>, emitter: &mut Emitter<'_>) -> ControlFlow<()> {
    let before = &text[..span.start.saturating_sub(2)];
    let bracket = before.iter().rposition(|octet| matches!(octet, b'[' | b']'));
    // With the octet before the bracket, after which a backslash may be in the document.
    let start = bracket.unwrap_or(before.len()).saturating_sub(1);
    let around = start..span.end;
    match str::from_utf8(&text[span.clone()]) {
        Ok(url) if emitter.source.written(around.clone()) == &text[around] => {
            emitter.malformed(span, url, Context::Markdown)
        }
        _ => ControlFlow::Continue(()),
    }
}
