//! Markdown. Finds links, images and definitions, the URLs of text and of HTML in it, and the ids
//! of headings. Follows CommonMark 0.31.2 with GitHub's extensions, which `pulldown-cmark` parses.
//!
//! A definition is found once, where it is written, and not where it is used. URLs in code are
//! found as in other text, such as the one after `curl`. The text of a link is not searched for
//! other links. The roles, targets and directives of MyST are found, too.
//!
//! A document is held in memory up to a length or a number of markup characters that few documents
//! exceed: the parser makes a node of about a hundred octets for each character that may be markup. A
//! longer one is read in pieces that end with a block; a definition in another piece makes no link
//! there.
//!
//! `mdx` makes Markdown of MDX; the links of its tags and programs are found in order with the others.

mod heading;
mod mdx;
mod myst;
mod running;

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Read};
use std::iter::Peekable;
use std::ops::{ControlFlow, Range};
use std::vec;

use encoding_rs::{Encoding, UTF_8};
use memchr::memrchr;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::decode::charset::decode;
use crate::decode::{DecodeChain, Decoded, DecodedSource, LONGEST, SourceMap};
use crate::formats::html::{VisibleReader, shown_link_text};
use crate::formats::markup::{OpenCode, Visible};
use crate::formats::rst::kinds::{Content, is_formatting};
use crate::heading_ids::HeadingIds;
use crate::link::{Context, LabelKind, PassedOver, Purpose};
use crate::search::emitter::Emitter;
use crate::search::input::{End, Input, Pieces};
use crate::search::{Extent, FormatSpec, Query};

use heading::{Headings, WrittenHeading};
use mdx::MdxPart;
use myst::Directive;
use running::{Verbatim, VerbatimSpan};

/// The Markdown format.
pub(crate) static MARKDOWN: FormatSpec = FormatSpec {
    name: "markdown",
    extensions: &["md", "markdown", "mdown", "mkd", "mkdn"],
    sections: None,
    has_media_type: |kind, subtype| kind == "text" && matches!(subtype, "markdown" | "x-markdown"),
    begins: None,
    find: |query, input| find(query, input, Flavour::Markdown),
    find_seekable: None,
    find_in: |query, octets, emitter| {
        find_after(query, octets, emitter, &mut Headings::new(HeadingIds::default()), Flavour::Markdown)
    },
};

/// The MDX format.
pub(crate) static MDX: FormatSpec = FormatSpec {
    name: "mdx",
    extensions: &["mdx"],
    sections: None,
    has_media_type: |kind, subtype| kind == "text" && matches!(subtype, "mdx" | "x-mdx"),
    begins: None,
    find: |query, input| find(query, input, Flavour::Mdx),
    find_seekable: None,
    find_in: |query, octets, emitter| {
        find_after(query, octets, emitter, &mut Headings::new(HeadingIds::default()), Flavour::Mdx)
    },
};

/// What a document may have besides Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flavour {
    Markdown,
    /// JSX and programs.
    Mdx,
}

/// The cells of a notebook that are Markdown, which share their headings.
pub(crate) struct MarkdownCells(Headings);

impl MarkdownCells {
    /// Returns the state before the first cell.
    pub(crate) fn new() -> Self {
        Self(Headings::of_notebook())
    }

    /// Finds the links of a cell.
    pub(crate) fn find(
        &mut self,
        query: &Query<'_>,
        octets: &[u8],
        emitter: &mut Emitter<'_>,
    ) -> ControlFlow<()> {
        find_after(query, octets, emitter, &mut self.0, Flavour::Markdown)
    }
}

/// Finds the links of a document; a long one is read in pieces.
fn find(query: &Query<'_>, input: Input<'_>, flavour: Flavour) -> io::Result<()> {
    let mut mark = Vec::new();
    input.source.take(2).read_to_end(&mut mark)?;
    let mut headings = Headings::new(input.heading_ids);
    let find_in =
        |octets: &[u8], emitter: &mut Emitter<'_>| find_after(query, octets, emitter, &mut headings, flavour);
    input.prepend(&mark, |input| match &*mark {
        // UTF-16 is decoded first: only the first piece would have the byte order mark.
        b"\xFF\xFE" | b"\xFE\xFF" => input.find_whole(find_in),
        _ => {
            let end = |octets: &[u8]| end_of_piece(&octets[..light_prefix(octets)]);
            input.find_in_pieces(Pieces { longest: LONGEST, end }, find_in)
        }
    })
}

/// Finds the links of a piece of a document, whose earlier pieces have these headings.
fn find_after(
    query: &Query<'_>,
    octets: &[u8],
    emitter: &mut Emitter<'_>,
    headings: &mut Headings,
    flavour: Flavour,
) -> ControlFlow<()> {
    let steps = DecodeChain::new(emitter.source, 0, octets).then(|octets| {
        let marked = Encoding::for_bom(octets);
        decode(octets, marked.map_or(UTF_8, |(encoding, _)| encoding))
    });
    let divided = (flavour == Flavour::Mdx).then(|| mdx::divide(steps.text(), query.extent == Extent::All));
    let traced;
    let (source, text): (&dyn SourceMap, &[u8]) = match &divided {
        Some(divided) => {
            traced = DecodedSource { decoded: &divided.markdown, source: &steps };
            (&traced, divided.markdown.text())
        }
        None => (&steps, steps.text()),
    };
    let parts = divided.as_ref().map_or(&[][..], |divided| divided.parts.as_slice());
    let mut others = OtherParts { parts, octets: steps.text(), source: &steps, start: 0 };
    let mut emitter = emitter.of(source);
    // A byte order mark is no text: "# Title" after it is a heading.
    let mut at = if text.starts_with("\u{FEFF}".as_bytes()) { "\u{FEFF}".len() } else { 0 };
    while at < text.len() {
        let rest = &text[at..];
        let end = match light_prefix(rest) {
            light if light < rest.len() => end_of_piece(&rest[..light]),
            light => End::At(light),
        };
        let (End::At(length) | End::Divided(length)) = end;
        let piece = DecodeChain::new(source, at, &rest[..length]);
        // A definition may be used in another piece.
        let is_whole = length == text.len();
        others.start = at;
        find_in_piece(query, &piece, is_whole, &mut emitter, headings, &mut others)?;
        at += length;
        if matches!(end, End::Divided(_)) {
            emitter.passed_over(at, PassedOver::Divided);
        }
    }
    others.start = 0;
    while let Some(part) = others.next_before(usize::MAX) {
        part.find(query, others.octets, &mut emitter.of(others.source))?;
    }
    ControlFlow::Continue(())
}

/// The parts of a document that are not Markdown and not reported yet.
struct OtherParts<'d> {
    parts: &'d [MdxPart],
    /// The document.
    octets: &'d [u8],
    source: &'d dyn SourceMap,
    /// Where the piece begins in the Markdown.
    start: usize,
}

impl<'d> OtherParts<'d> {
    /// No parts.
    const fn none(source: &'d dyn SourceMap) -> Self {
        Self { parts: &[], octets: &[], source, start: 0 }
    }

    /// Takes the next part if it is before this offset of the piece.
    fn next_before(&mut self, end: usize) -> Option<&'d MdxPart> {
        let (first, rest) = self.parts.split_first()?;
        let is_before = first.at.saturating_sub(self.start) < end;
        is_before.then(|| {
            self.parts = rest;
            first
        })
    }
}

/// The maximum number of markup characters in a piece.
const MOST: usize = 1 << 19;

/// Returns the length of the longest prefix that has not too many markup characters; it ends with a
/// complete character.
fn light_prefix(octets: &[u8]) -> usize {
    let counted = octets.iter().enumerate().try_fold(0, |count, (at, octet)| {
        let count = count + usize::from(SIGNS[usize::from(*octet)]);
        if count > MOST { ControlFlow::Break(at) } else { ControlFlow::Continue(count) }
    });
    match counted {
        ControlFlow::Break(at) => at,
        ControlFlow::Continue(_) => octets.len(),
    }
}

/// Returns the start of the last block, which may continue; if there is only one block, the end of
/// its last line.
fn end_of_piece(octets: &[u8]) -> End {
    let valid = match str::from_utf8(octets) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&octets[..error.valid_up_to()]).unwrap_or_default(),
    };
    match last_block(valid) {
        0 => End::Divided(last_line(octets)),
        at => End::At(at),
    }
}

fn last_block(text: &str) -> usize {
    let (mut depth, mut start) = (0_usize, 0);
    for (event, span) in Parser::new_ext(text, OPTIONS).into_offset_iter() {
        if depth == 0 && !matches!(event, Event::End(_)) {
            start = span.start;
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    start
}

fn last_line(octets: &[u8]) -> usize {
    let end = memrchr(b'\n', octets).map(|line_end| line_end + 1);
    // The octets of a character are not divided.
    let whole = || (1..octets.len()).rev().take(4).find(|at| octets[*at] & 0xC0 != 0x80);
    end.or_else(whole).unwrap_or(octets.len())
}

/// Characters that may be markup, and line ends. Others are markup only in certain positions, and
/// are rare.
static SIGNS: [bool; 256] = {
    let mut signs = [false; 256];
    let all = b"\n\r\t!#$&()*+<>[\\]^_`{|}~-";
    let mut at = 0;
    while at < all.len() {
        signs[all[at] as usize] = true;
        at += 1;
    }
    signs
};

/// GitHub's extensions of CommonMark, and the metadata blocks of static site generators.
const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_GFM)
    .union(Options::ENABLE_YAML_STYLE_METADATA_BLOCKS);

/// Finds the links of a piece of a document, whose earlier pieces have these headings. `is_whole` says
/// whether it is the whole document.
fn find_in_piece(
    query: &Query<'_>,
    piece: &DecodeChain<'_>,
    is_whole: bool,
    emitter: &mut Emitter<'_>,
    headings: &mut Headings,
    others: &mut OtherParts<'_>,
) -> ControlFlow<()> {
    // INVARIANT: the text is UTF-8 or was decoded.
    let text = str::from_utf8(piece.text()).unwrap_or_default();
    let events = Parser::new_ext(text, OPTIONS).into_offset_iter();
    let mut definitions: Vec<_> = events
        .reference_definitions()
        .iter()
        .map(|(_, definition)| Definition {
            span: definition.span.clone(),
            url: definition.dest.to_string(),
            is_used: true,
        })
        .collect();
    definitions.sort_by_key(|definition| definition.span.start);
    if is_whole && !definitions.is_empty() {
        note_use(text, &mut definitions);
    }
    let mut walk = Walk {
        query,
        text,
        emitter: emitter.of(piece),
        definitions: definitions.into_iter().peekable(),
        run: TextRun::default(),
        block: None,
        directive: None,
        html_code: OpenCode::default(),
        links: Vec::new(),
        headings,
        others,
    };
    for (event, span) in events {
        walk.take(event, span)?;
    }
    walk.end_run()?;
    walk.report_before(text.len())
}

struct Definition {
    span: Range<usize>,
    url: String,
    /// Whether its label is anywhere else in the document.
    is_used: bool,
}

/// Notes which definitions are used: those whose labels are in brackets elsewhere. These may be in code, or in
/// components whose content is Markdown to another program.
fn note_use(text: &str, definitions: &mut [Definition]) {
    let starts: Vec<_> = definitions.iter().map(|definition| definition.span.start).collect();
    let (mut open, mut used, mut is_escaped) = (None, HashSet::new(), false);
    for (at, octet) in text.bytes().enumerate() {
        match octet {
            _ if is_escaped => {}
            // A label has no brackets.
            b'[' => open = Some(at),
            b']' => {
                let start = open.take().filter(|start| at - start <= LONGEST_LABEL);
                // The first bracket of a definition is its own label, which may be after the ">" of a quote.
                let own = |start: &usize| starts.binary_search(start).is_ok();
                if let Some(start) = start.filter(|start| !own(start)) {
                    used.insert(label(text.get(start + 1..at).unwrap_or_default()));
                }
            }
            _ => {}
        }
        is_escaped = octet == b'\\' && !is_escaped;
    }
    for definition in definitions {
        let written = text.get(definition.span.clone()).unwrap_or_default();
        let own = written.strip_prefix('[').and_then(|rest| rest.split_once("]:"));
        definition.is_used = own.is_none_or(|(own, _)| used.contains(&label(own)));
    }
}

/// "the label can have at most 999 characters", which have at most four octets.
const LONGEST_LABEL: usize = 4 * 999 + 1;

/// "perform the Unicode case fold … and collapse consecutive internal spaces, tabs, and line endings to a
/// single space"
fn label(written: &str) -> String {
    written.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The state of a traversal.
struct Walk<'a, 'd> {
    query: &'a Query<'a>,
    text: &'a str,
    emitter: Emitter<'a>,
    definitions: Peekable<vec::IntoIter<Definition>>,
    run: TextRun,
    /// The kind of the block, if its text is not Markdown.
    block: Option<Verbatim>,
    /// The directive of MyST that the block is, if its content is no code.
    directive: Option<Directive>,
    /// The elements of code that tags of HTML have opened in this block.
    html_code: OpenCode,
    /// The open links, the outermost first.
    links: Vec<OpenLink>,
    headings: &'a mut Headings,
    others: &'a mut OtherParts<'d>,
}

/// A text, or HTML, that spans several events.
#[derive(Default)]
struct TextRun {
    decoded: Decoded,
    is_html: bool,
    /// Its stretches that are code or the like.
    verbatim: Vec<VerbatimSpan>,
}

/// A link or an image whose destination follows its text.
struct OpenLink {
    url: Option<String>,
    /// The end of its text so far.
    inner_end: usize,
    /// Its text so far, without markup, or as HTML if it has tags.
    text: String,
    is_html: bool,
}

/// A text of a link that has so many octets is not continued.
const LONGEST_TEXT: usize = 4096;

impl OpenLink {
    /// Appends to the text, unless it is long. Before the first tag it becomes HTML.
    fn keep(&mut self, text: &str, is_tag: bool) {
        if self.text.len() >= LONGEST_TEXT {
            return;
        }
        if is_tag && !self.is_html {
            self.is_html = true;
            self.text = as_html(&self.text);
        }
        if self.is_html && !is_tag {
            self.text.push_str(&as_html(text));
        } else {
            self.text.push_str(text);
        }
    }

    /// Returns the text that a reader sees.
    fn shown_text(&self) -> Cow<'_, str> {
        match self.is_html {
            true => Cow::Owned(shown_link_text(&self.text)),
            false => Cow::Borrowed(&self.text),
        }
    }
}

fn as_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

impl Walk<'_, '_> {
    fn take(&mut self, event: Event<'_>, span: Range<usize>) -> ControlFlow<()> {
        match event {
            Event::Text(text) => {
                if text.starts_with("{:")
                    && self.text.get(..span.start).is_none_or(|text| text.ends_with('\n'))
                {
                    self.take_attributes(&span);
                }
                if text.starts_with(['(', ':']) {
                    self.take_myst_line(&span)?;
                }
                let start = self.run.decoded.text().len();
                self.take_text(&text, span);
                let html = self.html_code.is_open().then_some(Verbatim::HtmlCode);
                if let Some(kind) = self.block.or(html) {
                    let span = start..self.run.decoded.text().len();
                    self.run.verbatim.push(VerbatimSpan { span, kind });
                }
            }
            Event::Code(code) => {
                if !self.take_role(&code, &span)? {
                    self.take_code(&code, span);
                }
            }
            Event::SoftBreak | Event::HardBreak => self.take_text("\n", span),
            Event::Html(_) => self.take_html(span)?,
            Event::InlineHtml(tag) => {
                if self.query.options.link_texts
                    && let Some(link) = self.links.last_mut()
                {
                    link.keep(&tag, true);
                }
                self.html_code.take_tag(self.text.get(span.clone()).unwrap_or_default());
                let end = span.end;
                self.take_html(span)?;
                self.end_run()?;
                // In MDX, the tag stands for another one.
                self.report_others(end)?;
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
        self.report_before(span.start)?;
        if !is_inline(tag.to_end()) {
            self.html_code = OpenCode::default();
        }
        let is_image = matches!(tag, Tag::Image { .. });
        match tag {
            Tag::Heading { .. } => self.headings.start(),
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) if info.starts_with('{') => {
                self.start_fence(&span)?;
            }
            Tag::CodeBlock(_) => self.block = Some(Verbatim::Code),
            Tag::MetadataBlock(_) => self.block = Some(Verbatim::Metadata),
            Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. } => {
                if is_image {
                    self.headings.image(true);
                }
                let url = self.take_autolink(link_type, dest_url, &span)?;
                self.links.push(OpenLink {
                    url,
                    inner_end: span.start + 1,
                    text: String::new(),
                    is_html: false,
                });
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, tag: TagEnd, span: Range<usize>) -> ControlFlow<()> {
        match self.directive.take() {
            Some(directive) => self.end_directive(&directive)?,
            None => self.end_run()?,
        }
        if !is_inline(tag) {
            self.html_code = OpenCode::default();
        }
        match tag {
            TagEnd::CodeBlock | TagEnd::MetadataBlock(_) => self.block = None,
            TagEnd::Heading(_) => {
                let text = self.text.get(span.clone()).unwrap_or_default();
                self.headings
                    .end(&WrittenHeading { text, span }, |name, place| self.emitter.anchor(place, name));
            }
            TagEnd::Link | TagEnd::Image => {
                if tag == TagEnd::Image {
                    self.headings.image(false);
                }
                let Some(link) = self.links.pop() else { return ControlFlow::Continue(()) };
                if let Some(around) = self.links.last_mut() {
                    around.inner_end = span.end;
                }
                if let Some(url) = &link.url {
                    let place = of_link(self.text, link.inner_end..span.end, url);
                    let has_text = self.query.options.link_texts && tag == TagEnd::Link;
                    let text = has_text.then(|| link.shown_text());
                    let purpose = Purpose::default().with_text(text.as_deref());
                    self.emitter.link_for(place.unwrap_or(span), url, Context::Markdown, purpose)?;
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

    /// Emits the target of MyST that a line is, `(name)=`, or the file that the line of a fence names: `:::{figure} a.png`.
    fn take_myst_line(&mut self, span: &Range<usize>) -> ControlFlow<()> {
        let before = self.text.get(..span.start).unwrap_or_default();
        let is_line_start = before.trim_end_matches([' ', '>']).ends_with('\n') || before.trim().is_empty();
        if !is_line_start || self.block.is_some() || !self.links.is_empty() {
            return ControlFlow::Continue(());
        }
        let line = self.text.get(span.start..).unwrap_or_default().lines().next().unwrap_or_default();
        if let Some(name) = myst::label_in(line) {
            let place = span.start + name.start..span.start + name.end;
            let name = line.get(name).unwrap_or_default();
            self.emitter.anchor(place.clone(), name);
            self.emitter.label(place, name, LabelKind::Target);
        }
        if line.starts_with(":::")
            && let Some(directive) = Directive::read(line)
        {
            self.emit_argument(&directive, span.start, line)?;
        }
        ControlFlow::Continue(())
    }

    /// Emits the file that a directive names.
    fn emit_argument(&mut self, directive: &Directive, start: usize, line: &str) -> ControlFlow<()> {
        let argument = line.get(directive.argument.clone()).unwrap_or_default();
        if argument.is_empty() || !directive.names_file() {
            return ControlFlow::Continue(());
        }
        let place = start + directive.argument.start..start + directive.argument.end;
        self.emitter.link(place, argument, Context::Directive(directive.name))
    }

    /// Emits the role of MyST that a code span is, if one is before it; returns whether that is so.
    fn take_role(&mut self, code: &str, span: &Range<usize>) -> ControlFlow<(), bool> {
        let before = self.text.get(..span.start).unwrap_or_default();
        let Some(role) = myst::role_before(before).filter(|_| self.block.is_none()) else {
            return ControlFlow::Continue(false);
        };
        let role = self.text.get(role).unwrap_or_default();
        let written = self.text.get(span.clone()).unwrap_or_default();
        let Some(at) = written.find(code).filter(|_| !is_formatting(role)) else {
            return ControlFlow::Continue(false);
        };
        self.end_run()?;
        let target = myst::target_in(code);
        let name = code.get(target.clone()).unwrap_or_default();
        let start = span.start + at;
        self.emitter.cross_reference(
            start + target.start..start + target.end,
            name.trim_start_matches(['~', '!']),
            Context::Role(role),
        )?;
        self.headings.take_code(code, &(start..start + code.len()));
        if let Some(link) = self.links.last_mut() {
            link.inner_end = span.end;
        }
        ControlFlow::Continue(true)
    }

    /// Begins a code block whose language is in braces: a directive of MyST, or code.
    fn start_fence(&mut self, span: &Range<usize>) -> ControlFlow<()> {
        let line = self.text.get(span.clone()).unwrap_or_default().lines().next().unwrap_or_default();
        let directive = Directive::read(line);
        self.block = Some(Verbatim::Code);
        if let Some(directive) = directive {
            self.emit_argument(&directive, span.start, line)?;
            if directive.has_title() {
                self.find_inside(line, span.start, directive.argument.clone())?;
            }
            if directive.content != Content::Code {
                self.directive = Some(directive);
            }
        }
        ControlFlow::Continue(())
    }

    /// Searches a stretch of a line as Markdown.
    fn find_inside(&mut self, line: &str, start: usize, span: Range<usize>) -> ControlFlow<()> {
        let text = line.get(span.clone()).unwrap_or_default();
        match self.query.nested() {
            Some(query) if !text.is_empty() => {
                let piece = DecodeChain::new(self.emitter.source, start + span.start, text.as_bytes());
                let others = &mut OtherParts::none(self.emitter.source);
                find_in_piece(&query, &piece, false, &mut self.emitter, self.headings, others)
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// Searches the content of a directive.
    fn end_directive(&mut self, directive: &Directive) -> ControlFlow<()> {
        let TextRun { decoded, .. } = std::mem::take(&mut self.run);
        let Some(query) = self.query.nested() else { return ControlFlow::Continue(()) };
        let traced = DecodedSource { decoded: &decoded, source: self.emitter.source };
        let mut emitter = self.emitter.of(&traced);
        let text = str::from_utf8(decoded.text()).unwrap_or_default();
        let content = find_options(directive, text, &mut emitter)?;
        match directive.content {
            Content::Rst => {
                let inside = DecodeChain::new(&traced, content, &decoded.text()[content..]);
                query.find_in("text/x-rst", inside.text(), &mut emitter.of(&inside))
            }
            Content::Documents => find_documents(text, content, &mut emitter),
            _ => {
                let inside = DecodeChain::new(&traced, content, &decoded.text()[content..]);
                let others = &mut OtherParts::none(&traced);
                find_in_piece(&query, &inside, false, &mut emitter, self.headings, others)
            }
        }
    }

    fn take_text(&mut self, text: &str, span: Range<usize>) {
        self.headings.take(text, &span);
        self.keep_text(text, span);
    }

    fn keep_text(&mut self, text: &str, span: Range<usize>) {
        if let Some(link) = self.links.last_mut() {
            link.inner_end = span.end;
            link.keep(text, false);
        } else if self.text.get(span.clone()) == Some(text) {
            self.run.decoded.keep(text.as_bytes(), span.start);
        } else {
            self.run.decoded.put(text.as_bytes(), span.start, span.len());
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
        let run = start..self.run.decoded.text().len();
        self.run.verbatim.push(VerbatimSpan { span: run, kind: Verbatim::Code });
        self.separate(span.end);
        if let Some(link) = self.links.last_mut() {
            link.inner_end = span.end;
        }
    }

    fn separate(&mut self, at: usize) {
        if self.links.is_empty() {
            self.run.decoded.put(b" ", at, 0);
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
            for name in heading::names_in(html) {
                let place = span.start + name.start..span.start + name.end;
                self.emitter.anchor(place, html.get(name).unwrap_or_default());
            }
        }
        self.run.decoded.keep(html.as_bytes(), span.start);
        ControlFlow::Continue(())
    }

    /// Searches the collected text.
    fn end_run(&mut self) -> ControlFlow<()> {
        let TextRun { decoded, is_html, verbatim } = std::mem::take(&mut self.run);
        if decoded.text().is_empty() {
            return ControlFlow::Continue(());
        }
        let traced = DecodedSource { decoded: &decoded, source: self.emitter.source };
        let mut emitter = self.emitter.of(&traced);
        match is_html {
            true => self.query.find_in("text/html", decoded.text(), &mut emitter),
            false => running::find(self.query, decoded.text(), &verbatim, &mut emitter),
        }
    }

    /// Emits the definitions and other parts before `end`.
    fn report_before(&mut self, end: usize) -> ControlFlow<()> {
        while let Some(next) = self.definitions.next_if(|next| next.span.start < end) {
            let Definition { span, url, is_used } = next;
            self.report_others(span.start)?;
            let place = of_definition(self.text, span.clone(), &url);
            let purpose = if is_used { Purpose::default() } else { Purpose::UNUSED };
            self.emitter.link_for(place.unwrap_or(span), &url, Context::Markdown, purpose)?;
        }
        self.report_others(end)
    }

    /// Emits the parts before `end` that are not Markdown.
    fn report_others(&mut self, end: usize) -> ControlFlow<()> {
        while let Some(part) = self.others.next_before(end) {
            let mut emitter = self.emitter.of(self.others.source);
            part.find(self.query, self.others.octets, &mut emitter)?;
        }
        ControlFlow::Continue(())
    }
}

/// Emits what the options at the beginning of a directive say, `:name: x`, or in YAML between "---"; returns where the
/// content begins.
fn find_options(directive: &Directive, text: &str, emitter: &mut Emitter<'_>) -> ControlFlow<(), usize> {
    let (mut at, mut is_yaml) = (0, false);
    for line in text.split_inclusive('\n') {
        let written = line.trim();
        let start = at;
        if written == "---" && (is_yaml || at == 0) {
            at += line.len();
            if is_yaml {
                break;
            }
            is_yaml = true;
            continue;
        }
        let option = if is_yaml {
            written.split_once(':')
        } else {
            written.strip_prefix(':').and_then(|rest| rest.split_once(':'))
        };
        let Some((name, value)) = option.filter(|_| !written.is_empty()) else {
            if is_yaml {
                at += line.len();
                continue;
            }
            break;
        };
        let value = value.trim().trim_matches(['"', '\'']);
        at += line.len();
        let Some(inside) = line.find(value).filter(|_| !value.is_empty()) else { continue };
        let place = start + inside..start + inside + value.len();
        match name.trim() {
            "name" => {
                emitter.anchor(place.clone(), value);
                emitter.label(place, value, LabelKind::Target);
            }
            "target" => emitter.link(place, value, Context::Directive(directive.name))?,
            "link" if text.contains("link-type: doc") => {
                emitter.cross_reference(place, value, Context::Role("doc"))?;
            }
            "link" if text.contains("link-type: ref") => {
                emitter.cross_reference(place, value, Context::Role("ref"))?;
            }
            "link" => emitter.link(place, value, Context::Directive(directive.name))?,
            _ => {}
        }
    }
    ControlFlow::Continue(at)
}

/// Emits the documents of a `toctree`: `title <document>`, or a document.
fn find_documents(text: &str, start: usize, emitter: &mut Emitter<'_>) -> ControlFlow<()> {
    let mut at = start;
    for line in text.get(start..).unwrap_or_default().split_inclusive('\n') {
        let entry = line.trim();
        let target = myst::target_in(entry);
        let name = entry.get(target.clone()).unwrap_or_default();
        let first = at + line.len() - line.trim_start().len();
        let place = first + target.start..first + target.end;
        at += line.len();
        match () {
            () if name.is_empty() || name == "self" || name.contains(['*', '?']) || name.starts_with('#') => {
            }
            () if name.contains("://") => emitter.link(place, name, Context::Directive("toctree"))?,
            () => emitter.cross_reference(place, name, Context::Directive("toctree"))?,
        }
    }
    ControlFlow::Continue(())
}

/// Returns whether a tag may be in a paragraph.
const fn is_inline(tag: TagEnd) -> bool {
    use TagEnd::{Emphasis, Image, Link, Strikethrough, Strong, Subscript, Superscript};
    matches!(tag, Emphasis | Strong | Strikethrough | Superscript | Subscript | Link | Image)
}

/// Returns the destination of an inline link; `rest` is the text after the link text: `](/url
/// "title")`.
fn of_link(text: &str, rest: Range<usize>, url: &str) -> Option<Range<usize>> {
    let start = rest.start + text.get(rest.clone())?.find("](")? + 2;
    at(text, start..rest.end, url, true)
}

/// Returns the destination of a definition: `[label]: /url "title"`.
fn of_definition(text: &str, span: Range<usize>, url: &str) -> Option<Range<usize>> {
    let octets = text.get(span.clone())?.as_bytes();
    let mut is_escaped = false;
    let end = octets.windows(2).position(|pair| {
        let is_end = pair == b"]:" && !is_escaped;
        is_escaped = pair[0] == b'\\' && !is_escaped;
        is_end
    })?;
    at(text, span.start + end + 2..span.end, url, false)
}

/// Returns the destination at the start of a stretch, after white space and block quote markers.
fn at(text: &str, span: Range<usize>, url: &str, in_parentheses: bool) -> Option<Range<usize>> {
    let octets = text.get(span.clone())?.as_bytes();
    let mut is_after_line = false;
    let start = octets.iter().position(|octet| {
        is_after_line |= *octet == b'\n';
        !(octet.is_ascii_whitespace() || is_after_line && *octet == b'>')
    })?;
    let written = match octets[start] {
        b'<' => start + 1..start + bracketed(&octets[start..])?,
        _ => start..start + bare(&octets[start..], in_parentheses),
    };
    let place = span.start + written.start..span.start + written.end;
    // Without "&" and "\" the destination must equal the URL; otherwise the match is wrong.
    let is_plain = !octets[written.clone()].iter().any(|octet| matches!(octet, b'&' | b'\\' | b'\r' | b'\n'));
    (!is_plain || octets[written] == *url.as_bytes()).then_some(place)
}

/// "zero or more characters between an opening < and a closing > that contains no line endings or
/// unescaped < or > characters"
fn bracketed(octets: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    octets.iter().position(|octet| {
        let is_end = *octet == b'>' && !is_escaped;
        is_escaped = *octet == b'\\' && !is_escaped;
        is_end
    })
}

/// "a nonempty sequence of characters that does not start with <, does not include ASCII control
/// characters or space character, and includes parentheses only if (a) they are backslash-escaped
/// or (b) they are part of a balanced pair of unescaped parentheses"
fn bare(octets: &[u8], in_parentheses: bool) -> usize {
    let (mut depth, mut is_escaped) = (0_usize, false);
    let end = octets.iter().position(|octet| {
        let was_escaped = is_escaped;
        is_escaped = *octet == b'\\' && !was_escaped;
        match octet {
            b'(' if !was_escaped => depth += 1,
            b')' if !was_escaped && depth == 0 => return in_parentheses,
            b')' if !was_escaped => depth -= 1,
            _ => {}
        }
        *octet <= b' ' || *octet == 0x7F
    });
    end.unwrap_or(octets.len())
}

/// Returns the visible text of a document of MDX.
pub(crate) fn visible_text_of_mdx(octets: &[u8]) -> String {
    let (text, _, _) = UTF_8.decode(octets);
    visible_text(mdx::divide(text.as_bytes(), false).markdown.text())
}

/// Returns the visible text of a document.
pub(crate) fn visible_text(octets: &[u8]) -> String {
    let (text, _, _) = UTF_8.decode(octets);
    let (mut visible, mut html) = (Visible::default(), VisibleReader::default());
    let mut rest = &*text;
    while !rest.is_empty() {
        let length = match light_prefix(rest.as_bytes()) {
            light if light < rest.len() => {
                let (End::At(length) | End::Divided(length)) = end_of_piece(&rest.as_bytes()[..light]);
                length
            }
            light => light,
        };
        let Some((piece, after)) = rest.split_at_checked(length) else { break };
        read(piece, &mut visible, &mut html);
        rest = after;
    }
    visible.finish()
}

fn read(text: &str, visible: &mut Visible, html: &mut VisibleReader) {
    let mut is_metadata = false;
    for event in Parser::new_ext(text, OPTIONS) {
        match event {
            Event::Start(Tag::MetadataBlock(_)) => is_metadata = true,
            Event::End(TagEnd::MetadataBlock(_)) => is_metadata = false,
            Event::Text(text) if !is_metadata => visible.push(&text),
            Event::Code(text) => visible.push(&text),
            Event::Html(text) | Event::InlineHtml(text) => html.read(text.as_bytes(), visible),
            Event::SoftBreak | Event::HardBreak | Event::Rule => visible.separate(),
            Event::Start(tag) if !is_inline(tag.to_end()) => visible.separate(),
            Event::End(tag) if !is_inline(tag) => visible.separate(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_ends_where_a_block_does() {
        for (text, ends) in [
            ("a\n\nb\n", End::At(3)),
            ("# a\n- b\n\n  c\n- d\n", End::At(4)),
            ("a\n\n```\nb\n\nc", End::At(3)),
            ("- a\n- b\nc", End::Divided(8)),
            ("abc\u{E9}", End::Divided(3)),
            ("a\n\n\u{E9}", End::At(3)),
        ] {
            assert_eq!(end_of_piece(text.as_bytes()), ends, "{text}");
        }
        assert_eq!(light_prefix(&[b'['; MOST + 9]), MOST);
        assert_eq!(light_prefix(b"a b"), 3);
    }

    #[track_caller]
    fn link(text: &str, url: &str, expected: Option<&str>) {
        assert_eq!(of_link(text, 0..text.len(), url).map(|place| &text[place]), expected);
    }

    #[test]
    fn definitions_that_are_used() {
        let used = |text: &str| {
            let events = Parser::new_ext(text, OPTIONS).into_offset_iter();
            let mut all: Vec<_> = events
                .reference_definitions()
                .iter()
                .map(|(_, one)| Definition { span: one.span.clone(), url: String::new(), is_used: true })
                .collect();
            all.sort_by_key(|one| one.span.start);
            note_use(text, &mut all);
            all.iter().map(|one| one.is_used).collect::<Vec<_>>()
        };
        assert_eq!(used("[a] [x][B\n c]\n\n[a]: 1\n[b C]: 2\n[d]: 3\n"), [true, true, false]);
        // In code it may be Markdown to another program.
        assert_eq!(used("<X>\n[t][a]\n</X>\n\n[a]: 1\n"), [true]);
        assert_eq!(used("> [a]: 1\n\n[//]: # (x)\n"), [false, false]);
        assert_eq!(used("![i][a]\n\n[a]: 1\n"), [true]);
    }

    #[test]
    fn destinations_are_found_as_they_are_written() {
        link("](/a)", "/a", Some("/a"));
        link("](  <a b> 'c')", "a b", Some("a b"));
        link("](a(b)c \"t\")", "a(b)c", Some("a(b)c"));
        link("](a\\)b)", "a)b", Some("a\\)b"));
        link("](\n> /a&amp;b)", "/a&b", Some("/a&amp;b"));
        link("](<>)", "", Some(""));
        link("]()", "", Some(""));
        link("](/b)", "/a", None);
        let text = "[a\\]: b]:\n  <c> 't'";
        assert_eq!(of_definition(text, 0..text.len(), "c").map(|place| &text[place]), Some("c"));
    }

    #[test]
    fn texts() {
        let document = "---\ntitle: x\n---\n# A *b*\n\nText\nwith `code`, [a link](u) and\n\n- one\n- <b>t</b>wo\n\n```\ncode\n```\n";
        assert_eq!(visible_text(document.as_bytes()), "A b Text with code, a link and one two code");
        assert_eq!(visible_text(b"\xFF\n\n<!-- x -->\n\ny"), "\u{FFFD} y");
    }
}
