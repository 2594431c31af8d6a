//! Markdown: a document enters, its links, images and definitions leave, the URLs of its text, those of the HTML in it, and the ids of its
//! headings. Follows CommonMark with GitHub's additions, which `pulldown-cmark` reads.
//!
//! A definition is told once, where it stands, and not again where it is used. URLs in code count as those of other text: who looks for
//! every URL wants the one after `curl`. The text of a link is none in which to look for another.
//!
//! A document is held whole up to a length, or a number of signs that are markup, that few documents have; a longer one is read in pieces that end
//! where a block does. A definition in another piece makes no link there.

mod autolink;
mod destination;
mod dialect;
mod heading;
mod pieces;

use std::io::{self, Read};
use std::iter::Peekable;
use std::ops::{ControlFlow, Range};
use std::vec;

use encoding_rs::{Encoding, UTF_8};
use pulldown_cmark::{CowStr, Event, LinkType, Parser, Tag, TagEnd};

use crate::decoded::{Decoded, Traced};
use crate::document::Document;
use crate::encoding::decode;
use crate::finder::Finder;
use crate::html;
use crate::limits::LONGEST;
use crate::link::{Context, PassedOver, Sink};
use crate::outlet::{End, Outlet, find_in_pieces, find_whole};
use crate::steps::Steps;
use dialect::OPTIONS;
use heading::Headings;

/// Finds the links of a document that is read in pieces, if it is long.
pub(crate) fn find(
    finder: &Finder,
    document: &Document,
    source: &mut dyn Read,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let mut mark = Vec::new();
    source.take(2).read_to_end(&mut mark)?;
    let mut headings = Headings::default();
    let find_in = |octets: &[u8], outlet: &mut Outlet<'_>| find_after(finder, octets, outlet, &mut headings);
    match &*mark {
        // UTF-16, of which no other piece than the first would have the mark.
        b"\xFF\xFE" | b"\xFE\xFF" => find_whole(document, &mut mark.chain(source), sink, find_in),
        _ => {
            let pieces = (LONGEST, |octets: &[u8]| pieces::end(&octets[..pieces::light(octets)]));
            find_in_pieces(document, &mut mark.chain(source), sink, pieces, find_in)
        }
    }
}

/// Finds the links of a document that is held.
pub(crate) fn find_in(finder: &Finder, octets: &[u8], outlet: &mut Outlet<'_>) -> ControlFlow<()> {
    find_after(finder, octets, outlet, &mut Headings::default())
}

/// Finds the links of a piece of a document, which comes after those that have these headings.
fn find_after(
    finder: &Finder,
    octets: &[u8],
    outlet: &mut Outlet<'_>,
    headings: &mut Headings,
) -> ControlFlow<()> {
    let steps = Steps::new(outlet.source, 0, octets).then(|octets| {
        let marked = Encoding::for_bom(octets);
        decode(octets, marked.map_or(UTF_8, |(encoding, _)| encoding))
    });
    let mut outlet = outlet.of(&steps);
    let mut at = 0;
    while at < steps.text().len() {
        let rest = &steps.text()[at..];
        let end = match pieces::light(rest) {
            light if light < rest.len() => pieces::end(&rest[..light]),
            light => End::At(light),
        };
        let (End::At(length) | End::Divided(length)) = end;
        let piece = Steps::new(&steps, at, &rest[..length]);
        find_piece(finder, &piece, &mut outlet, headings)?;
        at += length;
        if matches!(end, End::Divided(_)) {
            outlet.passed_over(at, PassedOver::Divided);
        }
    }
    ControlFlow::Continue(())
}

fn find_piece(
    finder: &Finder,
    piece: &Steps<'_>,
    outlet: &mut Outlet<'_>,
    headings: &mut Headings,
) -> ControlFlow<()> {
    // INVARIANT: it is UTF-8, or was decoded.
    let text = str::from_utf8(piece.text()).unwrap_or_default();
    let events = Parser::new_ext(text, OPTIONS).into_offset_iter();
    let mut definitions: Vec<_> = events
        .reference_definitions()
        .iter()
        .map(|(_, definition)| Definition { span: definition.span.clone(), url: definition.dest.to_string() })
        .collect();
    definitions.sort_by_key(|definition| definition.span.start);
    let mut search = Search {
        finder,
        text,
        outlet: outlet.of(piece),
        definitions: definitions.into_iter().peekable(),
        run: Run::default(),
        in_code: false,
        links: Vec::new(),
        headings,
    };
    for (event, span) in events {
        search.take(event, span)?;
    }
    search.end_run()?;
    search.tell_definitions(text.len())
}

/// Finds the URLs of running text, and the links that GitHub makes of names and addresses in it.
fn find_in_text(
    finder: &Finder,
    text: &[u8],
    code: &[Range<usize>],
    outlet: &mut Outlet<'_>,
) -> ControlFlow<()> {
    let links = autolink::find_in(str::from_utf8(text).unwrap_or_default());
    let mut code = code.iter().peekable();
    let mut links = links.into_iter().filter(|link| {
        while code.next_if(|code| code.end <= link.span.start).is_some() {}
        code.peek().is_none_or(|code| link.span.end <= code.start)
    });
    let (mut next, mut hits) = (links.next(), finder.text.find(text));
    for hit in hits.by_ref() {
        let span = hit.span();
        while let Some(link) = next.take_if(|link| link.span.start < span.end) {
            // What is a URL as it stands, or is guessed, is told once.
            if link.span.end <= span.start {
                outlet.link(link.span, &link.url, Context::Markdown)?;
            }
            next = links.next();
        }
        outlet.link_or(span, &hit.url(), hit.other().as_deref(), Context::Text(hit.how()))?;
    }
    if let Some(start) = hits.passed_over() {
        outlet.passed_over(start, PassedOver::TooLong);
    }
    next.into_iter().chain(links).try_for_each(|link| outlet.link(link.span, &link.url, Context::Markdown))
}

struct Definition {
    span: Range<usize>,
    url: String,
}

/// A way through a document.
struct Search<'a> {
    finder: &'a Finder,
    text: &'a str,
    outlet: Outlet<'a>,
    definitions: Peekable<vec::IntoIter<Definition>>,
    run: Run,
    in_code: bool,
    /// Those that are open; the outermost first.
    links: Vec<Open>,
    headings: &'a mut Headings,
}

/// Text, or HTML, that was cut into events and is one.
#[derive(Default)]
struct Run {
    decoded: Decoded,
    is_html: bool,
    /// What is code in it, in which there are no autolinks.
    code: Vec<Range<usize>>,
}

/// A link or an image whose destination comes behind its text.
struct Open {
    url: Option<String>,
    /// Where its text ends, as far as it was read.
    inner_end: usize,
}

impl Search<'_> {
    fn take(&mut self, event: Event<'_>, span: Range<usize>) -> ControlFlow<()> {
        match event {
            Event::Text(text) => {
                let start = self.run.decoded.text().len();
                self.take_text(&text, span);
                if self.in_code {
                    self.run.code.push(start..self.run.decoded.text().len());
                }
            }
            Event::Code(code) => self.take_code(&code, span),
            Event::SoftBreak | Event::HardBreak => self.take_text("\n", span),
            Event::Html(_) => self.take_html(span)?,
            Event::InlineHtml(_) => {
                self.take_html(span)?;
                self.end_run()?;
            }
            Event::Start(tag) => self.start(tag, span)?,
            Event::End(tag) => self.end(tag, span)?,
            // Math is not asked for, and the others have no text.
            Event::InlineMath(_) | Event::DisplayMath(_) | Event::FootnoteReference(_) => {}
            Event::Rule | Event::TaskListMarker(_) => {}
        }
        ControlFlow::Continue(())
    }

    fn start(&mut self, tag: Tag<'_>, span: Range<usize>) -> ControlFlow<()> {
        self.end_run()?;
        self.tell_definitions(span.start)?;
        match tag {
            Tag::Heading { .. } => self.headings.start(),
            Tag::CodeBlock(_) | Tag::MetadataBlock(_) => self.in_code = true,
            Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. } => {
                let url = self.take_autolink(link_type, dest_url, &span)?;
                self.links.push(Open { url, inner_end: span.start + 1 });
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, tag: TagEnd, span: Range<usize>) -> ControlFlow<()> {
        self.end_run()?;
        match tag {
            TagEnd::CodeBlock | TagEnd::MetadataBlock(_) => self.in_code = false,
            TagEnd::Heading(_) => {
                if let Some((name, place)) = self.headings.end() {
                    self.outlet.anchor(place, &name);
                }
            }
            TagEnd::Link | TagEnd::Image => {
                let Some(link) = self.links.pop() else { return ControlFlow::Continue(()) };
                if let Some(around) = self.links.last_mut() {
                    around.inner_end = span.end;
                }
                if let Some(url) = link.url {
                    let place = destination::of_link(self.text, link.inner_end..span.end, &url);
                    self.outlet.link(place.unwrap_or(span), &url, Context::Markdown)?;
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Gives out what is a link by its text; leaves what has its destination behind its text, but for references, whose
    /// definition is told.
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
            // To CommonMark that is a scheme, but it is the wrapper of RFC 1738.
            LinkType::Autolink if url.get(..4).is_some_and(|prefix| prefix.eq_ignore_ascii_case("URL:")) => {
                self.outlet.link(inner.start + 4..inner.end, &url[4..], Context::Markdown)?;
            }
            LinkType::Autolink => self.outlet.link(inner, &url, Context::Markdown)?,
            // "The URL is `mailto:` followed by the email address."
            LinkType::Email => self.outlet.link(inner, &format!("mailto:{url}"), Context::Markdown)?,
            _ => {}
        }
        ControlFlow::Continue(None)
    }

    fn take_text(&mut self, text: &str, span: Range<usize>) {
        self.headings.take(text, &span);
        if let Some(link) = self.links.last_mut() {
            link.inner_end = span.end;
        } else if self.text.get(span.clone()) == Some(text) {
            self.run.decoded.keep(text.as_bytes(), span.start);
        } else {
            self.run.decoded.put(text.as_bytes(), span.start, (text.len(), span.len()));
        }
    }

    /// What stands between backquotes stands alone: no URL goes on behind them.
    fn take_code(&mut self, code: &str, span: Range<usize>) {
        let inside = self.text.get(span.clone()).and_then(|written| written.find(code));
        self.separate(span.start);
        let start = self.run.decoded.text().len();
        match inside {
            Some(at) => self.take_text(code, span.start + at..span.start + at + code.len()),
            None => self.take_text(code, span.clone()),
        }
        self.run.code.push(start..self.run.decoded.text().len());
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
        self.run.decoded.keep(self.text.get(span.clone()).unwrap_or_default().as_bytes(), span.start);
        ControlFlow::Continue(())
    }

    /// Looks through the text that has come together.
    fn end_run(&mut self) -> ControlFlow<()> {
        let Run { decoded, is_html, code } = std::mem::take(&mut self.run);
        if decoded.text().is_empty() {
            return ControlFlow::Continue(());
        }
        let traced = Traced { decoded: &decoded, source: self.outlet.source };
        let mut outlet = self.outlet.of(&traced);
        match is_html {
            true => html::find_in(self.finder, decoded.text(), &mut outlet),
            false => find_in_text(self.finder, decoded.text(), &code, &mut outlet),
        }
    }

    /// Gives out the definitions that stand before `end`.
    fn tell_definitions(&mut self, end: usize) -> ControlFlow<()> {
        while let Some(Definition { span, url }) = self.definitions.next_if(|next| next.span.start < end) {
            let place = destination::of_definition(self.text, span.clone(), &url);
            self.outlet.link(place.unwrap_or(span), &url, Context::Markdown)?;
        }
        ControlFlow::Continue(())
    }
}
