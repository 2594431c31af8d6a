//! MDX: Markdown with JSX and programs. Takes the text of a document, and returns it as Markdown, each octet with
//! its source ([`MdxDocument`]), and the links of tags and programs, which are not Markdown.
//!
//! In MDX, a tag is JSX wherever it is, and its content is Markdown; braces have a program; a paragraph that
//! begins with `import` or `export` is one. There is no HTML and no indented code, so that the content of a
//! tag may be indented. Here a tag in a line becomes one that Markdown passes over; a line of tags only
//! becomes an empty one; and a line is indented by as much as its list needs.
//!
//! Follows MDX 3 ("What is MDX?" and its syntax extensions), and Docusaurus for `{#id}` at the end of a heading.

use std::ops::{ControlFlow, Range};

use memchr::{memchr, memmem};

use crate::decode::{DecodeChain, Decoded};
use crate::formats::jsx::{
    Budget, CodeToken, CodeTokens, Dialect, TagKind, TagLink, expression_end, imports, read_tag,
};
use crate::formats::markup;
use crate::link::Context;
use crate::search::emitter::Emitter;
use crate::search::{Extent, Query};

/// A document of MDX.
pub(super) struct MdxDocument {
    /// Its Markdown.
    pub(super) markdown: Decoded,
    /// What is not Markdown, in order.
    pub(super) parts: Vec<MdxPart>,
}

/// A part that is not Markdown.
#[derive(Debug)]
pub(super) struct MdxPart {
    /// The offset in the Markdown before which it is.
    pub(super) at: usize,
    kind: PartKind,
}

#[derive(Debug)]
enum PartKind {
    Link(TagLink),
    /// The span of an imported file.
    Import(Range<usize>),
    /// The span of a program, whose URLs are code.
    Program(Range<usize>),
    /// The span of a comment.
    Comment(Range<usize>),
}

impl MdxPart {
    /// Finds its links; `octets` is the document, and the source of `emitter`.
    pub(super) fn find(
        &self,
        query: &Query<'_>,
        octets: &[u8],
        emitter: &mut Emitter<'_>,
    ) -> ControlFlow<()> {
        match &self.kind {
            PartKind::Link(link) => link.emit(query, octets, emitter),
            PartKind::Import(span) => {
                let url = String::from_utf8_lossy(octets.get(span.clone()).unwrap_or_default());
                emitter.link(span.clone(), &url, Context::Import)
            }
            PartKind::Comment(_) if query.extent != Extent::All => ControlFlow::Continue(()),
            PartKind::Program(span) | PartKind::Comment(span) => {
                let text = octets.get(span.clone()).unwrap_or_default();
                let steps = DecodeChain::new(emitter.source, span.start, text);
                query.find_urls(steps.text(), &mut emitter.of(&steps).in_code(true))
            }
        }
    }
}

/// Divides a document of MDX into its Markdown and the rest.
pub(super) fn divide(octets: &[u8], all: bool) -> MdxDocument {
    let mut divider = Divider {
        octets,
        all,
        at: 0,
        budget: Budget::for_length(octets.len()),
        markdown: Decoded::default(),
        parts: Vec::new(),
        lists: Vec::new(),
        fence: None,
        open_comment: false,
    };
    divider.front_matter(if octets.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 });
    let mut may_begin_program = true;
    while divider.at < octets.len() {
        may_begin_program = divider.line(may_begin_program);
    }
    MdxDocument { markdown: divider.markdown, parts: divider.parts }
}

/// The state of a division.
struct Divider<'t> {
    octets: &'t [u8],
    all: bool,
    /// The start of a line.
    at: usize,
    budget: Budget,
    markdown: Decoded,
    parts: Vec<MdxPart>,
    /// The lists around the line, the outermost first.
    lists: Vec<ListContent>,
    fence: Option<Fence>,
    /// Whether no further comment of HTML has an end.
    open_comment: bool,
}

/// The columns at which the content of a list item begins, in the document and in the Markdown that is made of it.
#[derive(Clone, Copy, Debug, Default)]
struct ListContent {
    source: usize,
    made: usize,
}

/// An open code block.
#[derive(Clone, Copy, Debug)]
struct Fence {
    sign: u8,
    length: usize,
    /// By how many columns its lines are indented less than in the document.
    shift: usize,
}

/// A stretch of a line.
#[derive(Debug)]
enum Segment {
    Text(Range<usize>),
    /// A tag or a program, and what Markdown has in its place.
    Hidden {
        span: Range<usize>,
        substitute: &'static str,
        parts: Vec<PartKind>,
    },
}

/// What is at the start of a line.
#[derive(Clone, Copy, Debug)]
struct Indentation {
    octets: usize,
    columns: usize,
}

impl Divider<'_> {
    /// Copies a byte order mark, which ends at `start`, and metadata between lines "---", which is not MDX.
    fn front_matter(&mut self, start: usize) {
        let mut end = start;
        for (number, line) in self.octets[start..].split_inclusive(|octet| *octet == b'\n').enumerate() {
            let is_mark = line.trim_ascii_end() == b"---";
            if number == 0 && !is_mark {
                break;
            }
            end += line.len();
            if number > 0 && is_mark {
                self.at = end;
                break;
            }
        }
        self.at = self.at.max(start);
        self.markdown.keep(&self.octets[..self.at], 0);
    }

    /// Reads a line, with the constructs that continue after it; returns whether a program may begin the next one.
    fn line(&mut self, may_begin_program: bool) -> bool {
        let indentation = self.indentation();
        let content = self.at + indentation.octets;
        if let Some(fence) = self.fence {
            self.line_of_code(fence, indentation);
            return false;
        }
        let rest = &self.octets[content..];
        if matches!(rest.first(), None | Some(b'\n' | b'\r')) {
            let end = self.line_end(self.at);
            self.markdown.keep(&self.octets[self.at..end], self.at);
            self.at = end;
            return true;
        }
        if indentation.octets == 0 && may_begin_program && begins_program(rest) {
            let end = self.program_end();
            self.program(end);
            return true;
        }
        let made = self.indent(indentation.columns, content);
        if let Some(fence) = fence_at(&self.octets[after_containers(self.octets, content)..]) {
            let shift = indentation.columns.saturating_sub(made);
            self.fence = Some(Fence { shift, ..fence });
            let end = self.line_end(content);
            self.put_spaces(made);
            self.markdown.keep(&self.octets[content..end], content);
            self.at = end;
            return false;
        }
        self.put_spaces(made);
        self.running_text(content);
        false
    }

    fn indentation(&self) -> Indentation {
        let (mut octets, mut columns) = (0, 0);
        for octet in &self.octets[self.at..] {
            match octet {
                b' ' => columns += 1,
                b'\t' => columns += 4 - columns % 4,
                _ => break,
            }
            octets += 1;
        }
        Indentation { octets, columns }
    }

    /// Returns the offset after the line end after `from`.
    fn line_end(&self, from: usize) -> usize {
        memchr(b'\n', &self.octets[from..]).map_or(self.octets.len(), |length| from + length + 1)
    }

    /// Appends spaces, which the document may have or not.
    fn put_spaces(&mut self, count: usize) {
        self.markdown.put(" ".repeat(count).as_bytes(), self.at, 0);
    }

    /// Returns how far a line is indented in Markdown, and notes the list item that it begins.
    fn indent(&mut self, columns: usize, content: usize) -> usize {
        while self.lists.pop_if(|list| list.source > columns).is_some() {}
        let list = self.lists.last().copied().unwrap_or_default();
        let more = columns - list.source;
        // Four columns would be code.
        let made = list.made + if more < 4 { more } else { 0 };
        if let Some(width) = list_marker(&self.octets[content..]) {
            self.lists.push(ListContent { source: columns + width, made: made + width });
        }
        made
    }

    fn line_of_code(&mut self, fence: Fence, indentation: Indentation) {
        let (start, end) = (self.at, self.line_end(self.at));
        let content = start + indentation.octets;
        let is_mark = |octet: &&u8| matches!(octet, b'>' | b' ' | b'\t');
        let line = &self.octets[content..end];
        let line = line[line.iter().take_while(is_mark).count()..].trim_ascii_end();
        let length = line.iter().take_while(|octet| **octet == fence.sign).count();
        if length >= fence.length && length == line.len() {
            self.fence = None;
        }
        let spaces = self.octets[start..content].iter().take_while(|octet| **octet == b' ').count();
        let from = start + spaces.min(fence.shift);
        self.markdown.keep(&self.octets[from..end], from);
        self.at = end;
    }

    /// Returns the end of the program that begins the line: an empty line that is in no brackets, or the first
    /// one if the brackets are never closed.
    fn program_end(&mut self) -> usize {
        let (octets, start, is_spent) = (self.octets, self.at, self.budget.is_spent());
        let (mut depth, mut first) = (0_usize, None);
        for token in CodeTokens::new(octets, start, &mut self.budget) {
            match token {
                CodeToken::Octet(b'{' | b'(' | b'[', _) => depth += 1,
                CodeToken::Octet(b'}' | b')' | b']', _) => depth = depth.saturating_sub(1),
                CodeToken::Octet(b'\n', at) => {
                    let next = octets[at + 1..].iter().find(|octet| !matches!(octet, b' ' | b'\t' | b'\r'));
                    if matches!(next, None | Some(b'\n')) {
                        first.get_or_insert(at + 1);
                        if depth == 0 || is_spent {
                            return at + 1;
                        }
                    }
                }
                _ => {}
            }
        }
        if depth == 0 {
            return octets.len();
        }
        self.budget.spend(octets.len() - start);
        first.unwrap_or(octets.len())
    }

    /// Reads a program.
    fn program(&mut self, end: usize) {
        let span = self.at..end;
        let at = self.markdown.text().len();
        let imports = imports(self.octets, span.clone(), &mut self.budget);
        self.parts.extend(imports.into_iter().map(|span| MdxPart { at, kind: PartKind::Import(span) }));
        self.parts.push(MdxPart { at, kind: PartKind::Program(span) });
        self.markdown.put(b"\n", self.at, end - self.at);
        self.at = end;
    }

    /// Reads the rest of a line that begins at `content`, and what continues after it.
    fn running_text(&mut self, content: usize) {
        let octets = self.octets;
        let mut segments = Vec::new();
        let start = after_containers(octets, content);
        let (mut text, mut at) = (content, start);
        let end = loop {
            let Some(octet) = octets.get(at) else { break octets.len() };
            match octet {
                b'\n' => break at + 1,
                b'\\' => at = (at + 2).min(octets.len()),
                b'`' => at = self.after_code(at),
                b']' => at = after_destination(octets, at),
                b'<' | b'{' => match self.hidden(at) {
                    Some(segment) => {
                        segments.push(Segment::Text(text..at));
                        at = segment.end();
                        text = at;
                        segments.push(segment);
                    }
                    None => at = self.after_comment(at),
                },
                _ => at += 1,
            }
        };
        segments.push(Segment::Text(text..end));
        // A line of tags only is none of a paragraph.
        let is_text = |segment: &Segment| match segment {
            Segment::Text(span) => {
                let from = span.start.max(start).min(span.end);
                !octets[from..span.end].trim_ascii().is_empty()
            }
            Segment::Hidden { .. } => false,
        };
        let has_text = segments.iter().any(is_text);
        for segment in segments {
            self.write(segment, has_text);
        }
        self.at = end;
    }

    fn write(&mut self, segment: Segment, has_text: bool) {
        match segment {
            Segment::Text(span) => self.markdown.keep(&self.octets[span.clone()], span.start),
            Segment::Hidden { span, substitute, parts } => {
                let at = self.markdown.text().len();
                self.parts.extend(parts.into_iter().map(|kind| MdxPart { at, kind }));
                if has_text {
                    self.markdown.put(substitute.as_bytes(), span.start, span.len());
                }
            }
        }
    }

    /// Returns the offset after the code span at `at`, or after its backticks if they begin none.
    fn after_code(&mut self, at: usize) -> usize {
        let octets = self.octets;
        let run = |at: usize| octets[at..].iter().take_while(|octet| **octet == b'`').count();
        let length = run(at);
        if self.budget.is_spent() {
            return at + length;
        }
        let mut next = at + length;
        while let Some(found) = memchr::memchr2(b'`', b'\n', &octets[next..]) {
            next += found;
            if octets[next] == b'\n' {
                // No code span continues after an empty line.
                let line = &octets[next + 1..];
                let first = line.iter().find(|octet| !matches!(octet, b' ' | b'\t' | b'\r'));
                if matches!(first, None | Some(b'\n')) {
                    break;
                }
                next += 1;
                continue;
            }
            let other = run(next);
            next += other;
            if other == length {
                return next;
            }
        }
        self.budget.spend(next - at);
        at + length
    }

    /// Returns the offset after a comment of HTML, or after the sign that begins none.
    fn after_comment(&mut self, at: usize) -> usize {
        let rest = &self.octets[at..];
        if !rest.starts_with(b"<!--") || self.open_comment {
            return at + 1;
        }
        match memmem::find(rest, b"-->") {
            Some(length) => at + length + 3,
            None => {
                self.open_comment = true;
                at + 1
            }
        }
    }

    /// Returns the tag or the program at this sign.
    fn hidden(&mut self, at: usize) -> Option<Segment> {
        let octets = self.octets;
        if octets[at] == b'<' {
            let tag = read_tag(octets, at, &mut self.budget)?;
            let links = tag.links(octets, Dialect::Jsx, self.all, &mut self.budget);
            let parts = links.into_iter().map(PartKind::Link).collect();
            let substitute = substitute(tag.name(octets), tag.kind);
            return Some(Segment::Hidden { span: at..tag.end, substitute, parts });
        }
        // The id of a heading, as Docusaurus has it.
        if octets.get(at + 1) == Some(&b'#') || self.budget.is_spent() {
            return None;
        }
        let Some(end) = expression_end(octets, at, &mut self.budget) else {
            self.budget.spend(octets.len() - at);
            return None;
        };
        let inner = octets[at + 1..end - 1].trim_ascii();
        let span = at..end;
        let comment = inner.strip_prefix(b"/*").and_then(|inner| inner.strip_suffix(b"*/"));
        let comment = comment.filter(|comment| memmem::find(comment, b"*/").is_none());
        match comment {
            // The id of a heading in another way.
            Some(comment) if comment.trim_ascii_start().starts_with(b"#") => return None,
            Some(_) => {
                let parts = vec![PartKind::Comment(span.clone())];
                return Some(Segment::Hidden { span, substitute: OTHER, parts });
            }
            None => {}
        }
        Some(Segment::Hidden { parts: self.parts_of_program(span.clone()), span, substitute: OTHER })
    }

    /// Returns the links of the tags in a program, and its text.
    fn parts_of_program(&mut self, span: Range<usize>) -> Vec<PartKind> {
        let octets = &self.octets[..span.end];
        let mut parts = Vec::new();
        let (mut at, mut text) = (span.start, span.start);
        while let Some(length) = memchr(b'<', &octets[at..]) {
            let open = at + length;
            at = open + 1;
            let Some(tag) = read_tag(octets, open, &mut self.budget) else { continue };
            parts.push(PartKind::Program(text..open));
            let links = tag.links(octets, Dialect::Jsx, self.all, &mut self.budget);
            parts.extend(links.into_iter().map(PartKind::Link));
            at = tag.end;
            text = at;
        }
        parts.push(PartKind::Program(text..span.end));
        parts
    }
}

impl Segment {
    const fn end(&self) -> usize {
        let (Self::Text(span) | Self::Hidden { span, .. }) = self;
        span.end
    }
}

/// Returns the offset after the bracket that ends the text of a link, and after the destination that follows it:
/// a brace in it begins no program.
fn after_destination(octets: &[u8], at: usize) -> usize {
    let rest = &octets[at + 1..];
    let open = match rest.first() {
        Some(b'(') => 1,
        Some(b':') => 1 + rest[1..].iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count(),
        _ => return at + 1,
    };
    let rest = &rest[open..];
    let is_end = |octet: &u8| match rest.first() {
        Some(b'<') => matches!(octet, b'>' | b'\n'),
        _ => octet.is_ascii_whitespace() || *octet == b')',
    };
    at + 1 + open + rest.iter().position(is_end).unwrap_or(rest.len())
}

/// What Markdown has in place of a tag: one of HTML without a meaning.
const OTHER: &str = "<i>";

/// Returns what Markdown has in place of a tag. The text of some elements is code.
fn substitute(name: &[u8], kind: TagKind) -> &'static str {
    let is_code = str::from_utf8(name).is_ok_and(markup::is_code);
    match kind {
        TagKind::Open if is_code => "<code>",
        TagKind::Close if is_code => "</code>",
        _ => OTHER,
    }
}

/// Returns whether a program begins here: "import" or "export" and what may follow it.
fn begins_program(octets: &[u8]) -> bool {
    let after = |word: &[u8]| octets.strip_prefix(word);
    if let Some(rest) = after(b"import") {
        let name = rest.trim_ascii_start();
        let line = name.split(|octet| *octet == b'\n').next().unwrap_or_default();
        let is_separate = name.len() < rest.len();
        return match name.first() {
            Some(b'"' | b'\'' | b'{' | b'*') => true,
            Some(_) => {
                is_separate
                    && memmem::find(line, b"from").is_some()
                    && memchr::memchr2(b'"', b'\'', line).is_some()
            }
            None => false,
        };
    }
    let Some(rest) = after(b"export") else { return false };
    let name = rest.trim_ascii_start();
    let words = [
        "const ",
        "let ",
        "var ",
        "function",
        "default ",
        "class ",
        "async ",
        "{",
        "*",
        "type ",
        "interface ",
    ];
    name.len() < rest.len() && words.iter().any(|word| name.starts_with(word.as_bytes()))
        || matches!(rest.first(), Some(b'{' | b'*'))
}

/// Returns the width of the list marker that a text begins with, and of the spaces after it (CommonMark, 5.2).
fn list_marker(octets: &[u8]) -> Option<usize> {
    let marker = match octets {
        [b'-' | b'+' | b'*', ..] => 1,
        _ => {
            let digits = octets.iter().take_while(|octet| octet.is_ascii_digit()).count();
            let is_end = matches!(octets.get(digits), Some(b'.' | b')'));
            if (1..=9).contains(&digits) && is_end { digits + 1 } else { return None }
        }
    };
    let rest = &octets[marker..];
    let spaces = rest.iter().take_while(|octet| **octet == b' ').count();
    match rest.get(spaces) {
        Some(b'\n' | b'\r') | None => Some(marker + 1),
        Some(b'\t') if spaces == 0 => Some(marker + 1),
        _ if spaces == 0 => None,
        _ if spaces > 4 => Some(marker + 1),
        _ => Some(marker + spaces),
    }
}

/// Returns the offset after the marks of quotes and list items at `from`, which are no text of their line.
fn after_containers(octets: &[u8], from: usize) -> usize {
    let mut at = from;
    loop {
        let rest = &octets[at..];
        let width = match rest.first() {
            Some(b'>') => 1,
            Some(b' ' | b'\t') if at > from => 1,
            _ => match list_marker(rest) {
                Some(width) => width.min(rest.len()),
                None => return at,
            },
        };
        // A line end is no mark.
        let width = memchr(b'\n', &rest[..width]).unwrap_or(width);
        if width == 0 {
            return at;
        }
        at += width;
    }
}

/// Returns the code block that a line begins (CommonMark, 4.5).
fn fence_at(octets: &[u8]) -> Option<Fence> {
    let sign = *octets.first().filter(|sign| matches!(sign, b'`' | b'~'))?;
    let length = octets.iter().take_while(|octet| **octet == sign).count();
    let line = octets[length..].split(|octet| *octet == b'\n').next().unwrap_or_default();
    // "If the info string comes after a backtick fence, it may not contain any backtick characters."
    let is_fence = length >= 3 && !(sign == b'`' && memchr(b'`', line).is_some());
    is_fence.then_some(Fence { sign, length, shift: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(document: &str, markdown: &str) {
        let divided = divide(document.as_bytes(), false);
        assert_eq!(String::from_utf8_lossy(divided.markdown.text()), markdown, "{document}");
    }

    #[test]
    fn tags_and_programs_are_no_markdown() {
        check("import A from './a.mdx'\nexport const b = {\n\n  c: 1 }\n\n# A\n", "\n\n# A\n");
        check("a <B c='d'>e</B> f\n", "a <i>e<i> f\n");
        check("<B>\n  <C d={e}>\n\n      # f\n\n  </C>\n</B>\n", "\n  \n\n# f\n\n  \n\n");
        check("- a\n\n      b\n", "- a\n\n  b\n");
        check("1. a\n   - b\n\n     c\n", "1. a\n   - b\n\n     c\n");
        check("{/* a */}\na {b} c\n", "\na <i> c\n");
        check("## A {#b}\n## A {/* #b */}\n", "## A {#b}\n## A {/* #b */}\n");
        check("[a](/b/{c}) [d](</e {f}>) {g}\n[h]: {i}\n", "[a](/b/{c}) [d](</e {f}>) <i>\n[h]: {i}\n");
        check("`<A>` `` {a} ``\n```\n<A>\n```\n", "`<A>` `` {a} ``\n```\n<A>\n```\n");
        check("    ```\n    <A>\n    ```\n<A>\n", "```\n<A>\n```\n\n");
        check("\\<A> \\{b} a < b\n", "\\<A> \\{b} a < b\n");
        check("import this word\n", "import this word\n");
        check("---\na: <B>\n---\n<B>\n", "---\na: <B>\n---\n\n");
        check("> <A>\n> b\n", "> \n> b\n");
        check("<a>`b` {", "<i>`b` {");
    }

    #[test]
    fn a_line_keeps_its_source() {
        let divided = divide(b"  <A b='c'>\n     d <e/>f", false);
        let text = divided.markdown.text();
        let at = text.iter().position(|octet| *octet == b'd').unwrap_or_default();
        assert_eq!(divided.markdown.source_of(at..at + 1), 17..18);
        assert_eq!(divided.parts.len(), 0);
    }
}
