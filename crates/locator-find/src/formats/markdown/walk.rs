//! The traversal of a piece of a document. Finds the links in the events of `pulldown-cmark`, in
//! order.

use std::iter::Peekable;
use std::ops::{ControlFlow, Range};
use std::vec;

use pulldown_cmark::{CowStr, Event, LinkType, Parser, Tag, TagEnd};

use super::destination;
use super::heading::Headings;
use super::names;
use super::pieces::OPTIONS;
use super::running::{self, Verbatim};
use crate::decode::chain::DecodeChain;
use crate::decode::decoded::{Decoded, Traced};
use crate::formats::code::OpenCode;
use crate::link::Context;
use crate::search::Query;
use crate::search::emitter::Emitter;

/// Finds the links of a piece of a document, whose earlier pieces have these headings.
pub(super) fn find(
    query: &Query<'_>,
    piece: &DecodeChain<'_>,
    emitter: &mut Emitter<'_>,
    headings: &mut Headings,
) -> ControlFlow<()> {
    // INVARIANT: the text is UTF-8 or was decoded.
    let text = str::from_utf8(piece.text()).unwrap_or_default();
    let events = Parser::new_ext(text, OPTIONS).into_offset_iter();
    let mut definitions: Vec<_> = events
        .reference_definitions()
        .iter()
        .map(|(_, definition)| Definition { span: definition.span.clone(), url: definition.dest.to_string() })
        .collect();
    definitions.sort_by_key(|definition| definition.span.start);
    let mut walk = Walk {
        query,
        text,
        emitter: emitter.of(piece),
        definitions: definitions.into_iter().peekable(),
        run: Run::default(),
        block: None,
        html_code: OpenCode::default(),
        links: Vec::new(),
        headings,
    };
    for (event, span) in events {
        walk.take(event, span)?;
    }
    walk.end_run()?;
    walk.report_definitions(text.len())
}

struct Definition {
    span: Range<usize>,
    url: String,
}

/// The state of a traversal.
struct Walk<'a> {
    query: &'a Query<'a>,
    text: &'a str,
    emitter: Emitter<'a>,
    definitions: Peekable<vec::IntoIter<Definition>>,
    run: Run,
    /// The kind of the block, if its text is not Markdown.
    block: Option<Verbatim>,
    /// The elements of code that tags of HTML have opened in this block.
    html_code: OpenCode,
    /// The open links, the outermost first.
    links: Vec<Open>,
    headings: &'a mut Headings,
}

/// A text, or HTML, that spans several events.
#[derive(Default)]
struct Run {
    decoded: Decoded,
    is_html: bool,
    /// Its stretches that are code or the like.
    verbatim: Vec<(Range<usize>, Verbatim)>,
}

/// A link or an image whose destination follows its text.
struct Open {
    url: Option<String>,
    /// The end of its text so far.
    inner_end: usize,
}

impl Walk<'_> {
    fn take(&mut self, event: Event<'_>, span: Range<usize>) -> ControlFlow<()> {
        match event {
            Event::Text(text) => {
                if text.starts_with("{:")
                    && self.text.get(..span.start).is_none_or(|text| text.ends_with('\n'))
                {
                    self.take_attributes(&span);
                }
                let start = self.run.decoded.text().len();
                self.take_text(&text, span);
                let html = self.html_code.is_open().then_some(Verbatim::HtmlCode);
                if let Some(kind) = self.block.or(html) {
                    self.run.verbatim.push((start..self.run.decoded.text().len(), kind));
                }
            }
            Event::Code(code) => self.take_code(&code, span),
            Event::SoftBreak | Event::HardBreak => self.take_text("\n", span),
            Event::Html(_) => self.take_html(span)?,
            Event::InlineHtml(_) => {
                self.html_code.take_tag(self.text.get(span.clone()).unwrap_or_default());
                self.take_html(span)?;
                self.end_run()?;
            }
            Event::Start(tag) => self.start(tag, span)?,
            Event::End(tag) => self.end(tag, span)?,
            // Math is not enabled, and the other events have no text.
            Event::InlineMath(_) | Event::DisplayMath(_) | Event::FootnoteReference(_) => {}
            Event::Rule | Event::TaskListMarker(_) => {}
        }
        ControlFlow::Continue(())
    }

    fn start(&mut self, tag: Tag<'_>, span: Range<usize>) -> ControlFlow<()> {
        self.end_run()?;
        self.report_definitions(span.start)?;
        if !is_inline(tag.to_end()) {
            self.html_code = OpenCode::default();
        }
        let is_image = matches!(tag, Tag::Image { .. });
        match tag {
            Tag::Heading { .. } => self.headings.start(),
            Tag::CodeBlock(_) => self.block = Some(Verbatim::Code),
            Tag::MetadataBlock(_) => self.block = Some(Verbatim::Metadata),
            Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. } => {
                if is_image {
                    self.headings.image(true);
                }
                let url = self.take_autolink(link_type, dest_url, &span)?;
                self.links.push(Open { url, inner_end: span.start + 1 });
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, tag: TagEnd, span: Range<usize>) -> ControlFlow<()> {
        self.end_run()?;
        if !is_inline(tag) {
            self.html_code = OpenCode::default();
        }
        match tag {
            TagEnd::CodeBlock | TagEnd::MetadataBlock(_) => self.block = None,
            TagEnd::Heading(_) => {
                let written = (self.text.get(span.clone()).unwrap_or_default(), span);
                self.headings.end(written, |name, place| self.emitter.anchor(place, name));
            }
            TagEnd::Link | TagEnd::Image => {
                if tag == TagEnd::Image {
                    self.headings.image(false);
                }
                let Some(link) = self.links.pop() else { return ControlFlow::Continue(()) };
                if let Some(around) = self.links.last_mut() {
                    around.inner_end = span.end;
                }
                if let Some(url) = link.url {
                    let place = destination::of_link(self.text, link.inner_end..span.end, &url);
                    self.emitter.link(place.unwrap_or(span), &url, Context::Markdown)?;
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Emits a link that is determined by its text. Leaves links whose destination follows; for
    /// references the definition is emitted.
    fn take_autolink(
        &mut self,
        link_type: LinkType,
        url: CowStr<'_>,
        span: &Range<usize>,
    ) -> ControlFlow<(), Option<String>> {
        // "An absolute URI followed by `>`"
        let inner = span.start + 1..(span.end - 1).max(span.start + 1);
        match link_type {
            LinkType::Inline | LinkType::WikiLink { .. } => {
                return ControlFlow::Continue(Some(url.into_string()));
            }
            // To CommonMark this is a scheme, but it is the wrapper of RFC 1738.
            LinkType::Autolink if url.get(..4).is_some_and(|prefix| prefix.eq_ignore_ascii_case("URL:")) => {
                self.emitter.link(inner.start + 4..inner.end, &url[4..], Context::Markdown)?;
            }
            LinkType::Autolink => self.emitter.link(inner, &url, Context::Markdown)?,
            // "The URL is `mailto:` followed by the email address."
            LinkType::Email => self.emitter.link(inner, &format!("mailto:{url}"), Context::Markdown)?,
            _ => {}
        }
        ControlFlow::Continue(None)
    }

    /// Emits the id in a line of attributes: `{: #id}`.
    fn take_attributes(&mut self, span: &Range<usize>) {
        let line = self.text.get(span.start..).unwrap_or_default().lines().next().unwrap_or_default();
        if let Some(id) = self.headings.of_block(line) {
            self.emitter.anchor(span.start..span.start + line.len(), id);
        }
    }

    fn take_text(&mut self, text: &str, span: Range<usize>) {
        self.headings.take(text, &span);
        self.keep_text(text, span);
    }

    fn keep_text(&mut self, text: &str, span: Range<usize>) {
        if let Some(link) = self.links.last_mut() {
            link.inner_end = span.end;
        } else if self.text.get(span.clone()) == Some(text) {
            self.run.decoded.keep(text.as_bytes(), span.start);
        } else {
            self.run.decoded.put(text.as_bytes(), span.start, (text.len(), span.len()));
        }
    }

    /// A code span is separate from its surroundings: no URL continues after it.
    fn take_code(&mut self, code: &str, span: Range<usize>) {
        let inside = self.text.get(span.clone()).and_then(|written| written.find(code));
        self.separate(span.start);
        let start = self.run.decoded.text().len();
        let place = inside.map_or(span.clone(), |at| span.start + at..span.start + at + code.len());
        self.headings.take_code(code, &place);
        self.keep_text(code, place);
        self.run.verbatim.push((start..self.run.decoded.text().len(), Verbatim::Code));
        self.separate(span.end);
        if let Some(link) = self.links.last_mut() {
            link.inner_end = span.end;
        }
    }

    fn separate(&mut self, at: usize) {
        if self.links.is_empty() {
            self.run.decoded.put(b" ", at, (1, 0));
        }
    }

    fn take_html(&mut self, span: Range<usize>) -> ControlFlow<()> {
        if !self.run.is_html {
            self.end_run()?;
            self.run.is_html = true;
        }
        if let Some(link) = self.links.last_mut() {
            link.inner_end = span.end;
        }
        let html = self.text.get(span.clone()).unwrap_or_default();
        self.headings.html(html, &span, |name, place| self.emitter.anchor(place, name));
        if self.headings.has_names() {
            for name in names::find_in(html) {
                let place = span.start + name.start..span.start + name.end;
                self.emitter.anchor(place, html.get(name).unwrap_or_default());
            }
        }
        self.run.decoded.keep(html.as_bytes(), span.start);
        ControlFlow::Continue(())
    }

    /// Searches the collected text.
    fn end_run(&mut self) -> ControlFlow<()> {
        let Run { decoded, is_html, verbatim } = std::mem::take(&mut self.run);
        if decoded.text().is_empty() {
            return ControlFlow::Continue(());
        }
        let traced = Traced { decoded: &decoded, source: self.emitter.source };
        let mut emitter = self.emitter.of(&traced);
        match is_html {
            true => self.query.find_in("text/html", decoded.text(), &mut emitter),
            false => running::find(self.query, decoded.text(), &verbatim, &mut emitter),
        }
    }

    /// Emits the definitions before `end`.
    fn report_definitions(&mut self, end: usize) -> ControlFlow<()> {
        while let Some(Definition { span, url }) = self.definitions.next_if(|next| next.span.start < end) {
            let place = destination::of_definition(self.text, span.clone(), &url);
            self.emitter.link(place.unwrap_or(span), &url, Context::Markdown)?;
        }
        ControlFlow::Continue(())
    }
}

/// Returns whether a tag may be in a paragraph.
const fn is_inline(tag: TagEnd) -> bool {
    use TagEnd::{Emphasis, Image, Link, Strikethrough, Strong, Subscript, Superscript};
    matches!(tag, Emphasis | Strong | Strikethrough | Superscript | Subscript | Link | Image)
}
