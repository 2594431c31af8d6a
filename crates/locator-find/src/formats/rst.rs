//! reStructuredText, with the roles and directives of Sphinx. Finds hyperlinks, targets, images, files that directives
//! include, cross-references, and the names that they may refer to. Follows the specification of docutils
//! ("reStructuredText Markup Specification") and Sphinx 9 ("Cross-referencing syntax", "Directives").
//!
//! | written | found |
//! |---|---|
//! | `` `text <https://h/>`_ ``, `.. _name: https://h/`, `__ https://h/` | a link ([`Context::Hyperlink`]) |
//! | `.. image:: a.png`, its `:target:`, `.. include:: x.rst` | a link ([`Context::Directive`]) |
//! | `` :ref:`name` ``, `` :doc:`page` ``, any other role | a cross-reference ([`Context::Role`]) |
//! | `` `name`_ ``, `name_` | a cross-reference ([`Context::Hyperlink`]) |
//! | the entries of a `toctree` | cross-references, or links ([`Context::Directive`]) |
//! | a title, `.. _name:`, `:name:`, the terms of a `glossary`, `.. option::`, `.. py:function::` | labels and anchors |
//!
//! Literal blocks, the content of `code-block` and the like, literals and comments are code. Everything else is running
//! text. The blocks are recognised by their first lines and by their indentation, without a tree.

mod directives;
mod inline;
pub(crate) mod kinds;
pub(crate) mod names;

use std::ops::{ControlFlow, Range};

use crate::formats::lightweight::{self, Line, Prose, UsedIds, end_of_indented};
use crate::link::{Context, LabelKind};
use crate::search::FormatSpec;

use names::{make_id, unescaped, uri, visible};

/// The reStructuredText format.
pub(crate) static RST: FormatSpec = FormatSpec {
    name: "rst",
    extensions: &["rst"],
    sections: None,
    has_media_type: |kind, subtype| {
        kind == "text" && matches!(subtype, "x-rst" | "prs.fallenstein.rst" | "restructuredtext")
    },
    begins: None,
    find: |query, input| input.find_whole(|octets, emitter| lightweight::read(query, octets, emitter, read)),
    find_seekable: None,
    find_in: |query, octets, emitter| lightweight::read(query, octets, emitter, read),
};

/// The longest title whose id is made.
const LONGEST_TITLE: usize = 4096;

/// Reads a document.
fn read(prose: Prose<'_, '_>) -> ControlFlow<()> {
    let at = prose.done();
    let mut reader = Reader { prose, at, ids: UsedIds::default(), numbered: 0, glossary: None, program: "" };
    while let Some(line) = Line::at(reader.prose.text(), reader.at) {
        reader.block(line)?;
        reader.prose.flush_if_long()?;
    }
    let end = reader.prose.text().len();
    reader.prose.keep(end);
    reader.prose.flush()
}

/// The state of a reader.
struct Reader<'a, 't> {
    prose: Prose<'a, 't>,
    /// Where the next block begins.
    at: usize,
    ids: UsedIds,
    /// How many elements have an id of a number.
    numbered: usize,
    /// The glossary around the text: the indentation of its directive, and of its terms once there is one.
    glossary: Option<Glossary>,
    /// The program whose options are described.
    program: &'t str,
}

/// The indentations of a glossary.
#[derive(Clone, Copy)]
struct Glossary {
    directive: usize,
    terms: Option<usize>,
}

/// A paragraph, or a list item, a field or the like that begins with one.
#[derive(Clone, Copy)]
struct Paragraph {
    start: usize,
    end: usize,
    next: usize,
    /// The column of its text.
    indent: usize,
}

impl<'t> Reader<'_, 't> {
    fn slice(&self, span: Range<usize>) -> &'t str {
        self.prose.text().get(span).unwrap_or_default()
    }

    /// Reads the block that begins with a line.
    fn block(&mut self, line: Line) -> ControlFlow<()> {
        let text = line.of(self.prose.text());
        self.at = line.next;
        if line.is_blank() {
            self.prose.keep(line.next);
            return ControlFlow::Continue(());
        }
        self.leave_glossary(&line);
        if text == ".." || text.starts_with(".. ") || text.starts_with("..\t") {
            return self.explicit(line);
        }
        if text == "__" || text.starts_with("__ ") {
            self.target_of(line, line.text + 2, None);
            return ControlFlow::Continue(());
        }
        if text.starts_with(">>> ") {
            self.doctest();
        } else if !self.title(line) {
            match text.as_bytes().first() {
                Some(b'|' | b'+') => self.row(line),
                _ => self.paragraph(line),
            }
        }
        ControlFlow::Continue(())
    }

    /// Notes the terms of a glossary.
    fn leave_glossary(&mut self, line: &Line) {
        let Some(glossary) = &mut self.glossary else { return };
        if line.indent <= glossary.directive {
            self.glossary = None;
            return;
        }
        let column = *glossary.terms.get_or_insert(line.indent);
        let text = line.of(self.prose.text());
        if line.indent != column || text.starts_with("..") {
            return;
        }
        // "term : classifier"
        let term = text.split(" : ").next().unwrap_or_default();
        let name = visible(term);
        let span = line.text..line.text + term.len();
        let id = format!("term-{}", make_id(&name));
        self.ids.add(&id);
        self.prose.anchor(span.clone(), id);
        self.prose.label(span, name, LabelKind::Term);
    }

    /// "Doctest blocks are interactive Python sessions […] ended with blank lines."
    fn doctest(&mut self) {
        while let Some(line) = Line::at(self.prose.text(), self.at).filter(|line| !line.is_blank()) {
            self.at = line.next;
        }
        self.prose.keep_code(self.at);
    }

    /// Reads a title with a line of punctuation below it, and maybe above it; returns whether there is one.
    fn title(&mut self, first: Line) -> bool {
        let text = self.prose.text();
        let Some(second) = Line::at(text, first.next).filter(|line| !line.is_blank()) else { return false };
        let has_line_above = is_adornment(first.of(text));
        let (title, below) = match has_line_above && first.indent == 0 {
            true => (second, Line::at(text, second.next)),
            false => (first, Some(second)),
        };
        let Some(below) = below.filter(|below| below.indent == 0 && is_adornment(below.of(text))) else {
            return false;
        };
        let written = title.of(text);
        let (length, width) = (below.end - below.text, written.chars().count());
        let is_same =
            !has_line_above || first.of(text).as_bytes().first() == below.of(text).as_bytes().first();
        let is_title = (has_line_above || title.indent == 0) && (length >= width || length >= 4);
        if !is_title || !is_same || has_line_above && is_adornment(written) {
            return false;
        }
        self.prose.keep(title.text);
        let (start, end) = (title.text, title.end);
        if written.len() <= LONGEST_TITLE {
            let name = visible(written);
            self.give_id(&name, start..end);
            self.prose.label(start..end, name, LabelKind::Title);
        }
        self.inline(start, end);
        self.prose.skip(below.next);
        self.at = below.next;
        true
    }

    /// Gives an element the id that is made of a name, or one with a number if that is used.
    fn give_id(&mut self, name: &str, span: Range<usize>) {
        let mut id = make_id(name);
        while id.is_empty() || !self.ids.add(&id) {
            self.numbered += 1;
            id = format!("id{}", self.numbered);
        }
        self.prose.anchor(span, id);
    }

    /// Gives an element an explicit name.
    fn give_name(&mut self, written: &str, span: Range<usize>) {
        let name = unescaped(written);
        if !name.is_empty() {
            self.give_id(&name, span.clone());
            self.prose.label(span, name, LabelKind::Target);
        }
    }

    /// Reads a row of a table: no markup goes on in the next cell.
    fn row(&mut self, line: Line) {
        let cells = self.prose.text();
        let mut start = line.text;
        while start < line.end {
            let end = cells
                .get(start..line.end)
                .and_then(|rest| rest.find(" |"))
                .map_or(line.end, |at| start + at + 2);
            self.inline(start, end);
            start = end;
        }
        self.prose.keep(line.next);
    }

    /// Reads a paragraph, and the literal block after it.
    fn paragraph(&mut self, line: Line) {
        let paragraph = self.lines_of(line);
        self.text_of(paragraph);
    }

    fn text_of(&mut self, paragraph: Paragraph) {
        let Paragraph { start, end, next, indent } = paragraph;
        self.inline(start, end);
        self.prose.keep(next);
        self.at = next;
        // "a double-colon at the end of a paragraph […] the following indented text is a literal block"
        if self.slice(start..end).ends_with("::") {
            let end = end_of_indented(self.prose.text(), next, indent);
            self.prose.keep_code(end);
            self.at = end;
        }
    }

    /// Returns the paragraph that begins with a line.
    fn lines_of(&self, first: Line) -> Paragraph {
        let text = self.prose.text();
        let marker = marker_length(first.of(text));
        let mut indent = first.indent + marker;
        let is_field = field_length(first.of(text)).is_some();
        let (mut end, mut next) = (first.end, first.next);
        while let Some(line) = Line::at(text, next) {
            let written = line.of(text);
            let least = if is_field { first.indent + 1 } else { indent };
            let is_new = line.is_blank()
                || written.starts_with(".. ")
                || marker_length(written) > 0
                || field_length(written).is_some()
                || line.indent < least;
            if is_new {
                break;
            }
            (end, next) = (line.end, line.next);
            // The last line of a definition is not its term.
            if !is_field && marker == 0 {
                indent = indent.max(line.indent);
            }
        }
        let indent = if is_field { first.indent } else { indent };
        Paragraph { start: first.text, end, next, indent }
    }

    /// Reads explicit markup: what begins with "..".
    fn explicit(&mut self, line: Line) -> ControlFlow<()> {
        let rest = self.slice(line.text + 2..line.end);
        let body = rest.trim_start();
        let start = line.end - body.len();
        match body.as_bytes().first() {
            Some(b'_') if self.target(line, start + 1) => {}
            Some(b'[') if self.note(line, start) => {}
            Some(b'|') => {
                let end = body.get(1..).and_then(|inner| inner.find('|')).map(|at| at + 2);
                let of = end.map(|end| (end, body.get(end..).unwrap_or_default().trim_start()));
                if let Some((_, directive)) =
                    of.filter(|(_, directive)| directive_length(directive).is_some())
                {
                    return self.directive(line, line.end - directive.len());
                }
                self.comment(line);
            }
            _ if directive_length(body).is_some() => return self.directive(line, start),
            _ => self.comment(line),
        }
        ControlFlow::Continue(())
    }

    /// Reads a comment, in which nothing is a link, so that its URLs are code.
    fn comment(&mut self, line: Line) {
        // "an empty comment […] does not consume following blocks"
        let is_empty = line.end - line.text == 2;
        let is_closed = is_empty && Line::at(self.prose.text(), line.next).is_none_or(|next| next.is_blank());
        let end =
            if is_closed { line.next } else { end_of_indented(self.prose.text(), line.next, line.indent) };
        self.prose.keep_code(end);
        self.at = end;
    }

    /// Reads a target, `.. _name: …`, whose name begins there; returns whether it is one.
    fn target(&mut self, line: Line, start: usize) -> bool {
        let rest = self.slice(start..line.end);
        if let Some(after) = rest.strip_prefix("_:") {
            self.target_of(line, line.end - after.len(), None);
            return true;
        }
        let Some(length) = target_name_length(rest) else { return false };
        let name = self.slice(start..start + length).trim_matches('`');
        let name_start = start + usize::from(rest.starts_with('`'));
        self.target_of(line, start + length + 1, Some(name_start..name_start + name.len()));
        true
    }

    /// Reads what a target leads to, from `start` on and in the following indented lines.
    fn target_of(&mut self, line: Line, start: usize, name: Option<Range<usize>>) {
        let end = end_of_block(self.prose.text(), line.next, line.indent);
        let written = self.slice(start..end.text);
        let (first, last) = (end.text - written.trim_start().len(), start + written.trim_end().len());
        self.prose.keep(start.min(first));
        self.at = end.next;
        if first >= last {
            if let Some(name) = name {
                self.give_name(self.slice(name.clone()), name);
            }
            self.prose.keep(end.next);
            return;
        }
        let written = self.slice(first..last);
        let is_alias = written.ends_with('_') && !written.ends_with("\\_");
        if let Some(name) = name {
            let kind = if is_alias { LabelKind::Target } else { LabelKind::Url };
            self.prose.label(name.clone(), unescaped(self.slice(name)), kind);
        }
        match is_alias {
            true => {
                let alias = written.trim_end_matches('_').trim_matches('`');
                self.prose.cross_reference(first..last, unescaped(alias), Context::Hyperlink);
            }
            false => self.prose.link(first..last, with_scheme(uri(written)), Context::Hyperlink),
        }
        self.prose.skip(end.next);
    }

    /// Reads a footnote or a citation, `.. [1] …`, whose text is a paragraph; returns whether it is one.
    fn note(&mut self, line: Line, start: usize) -> bool {
        let body = self.slice(start..line.end);
        let Some(close) = body.find(']') else { return false };
        let label = body.get(1..close).unwrap_or_default();
        let is_label =
            label.bytes().all(|one| one.is_ascii_alphanumeric() || b"#*-_.+:".contains(&one) || one >= 0x80);
        if label.is_empty()
            || !is_label
            || body.get(close + 1..).is_some_and(|rest| !rest.is_empty() && !rest.starts_with(' '))
        {
            return false;
        }
        if !label.starts_with(['#', '*']) && !label.bytes().all(|one| one.is_ascii_digit()) {
            self.give_name(label, start + 1..start + close);
        }
        let lines = self.lines_of(line);
        self.text_of(Paragraph { start: start + close + 1, indent: line.indent, ..lines });
        true
    }
}

/// Returns whether a line is one of a title: a character of punctuation, repeated.
fn is_adornment(text: &str) -> bool {
    let mut octets = text.bytes();
    let first = octets.next().filter(u8::is_ascii_punctuation);
    first.is_some_and(|first| text.len() > 1 && octets.all(|octet| octet == first))
        && text != ".."
        && text != "::"
}

/// Returns the length of the marker of a list item, with the space after it; 0 if there is none.
fn marker_length(text: &str) -> usize {
    let mark = match text.as_bytes() {
        [b'*' | b'-' | b'+', b' ', ..] => 1,
        [b'#', b'.', b' ', ..] => 2,
        _ if text.starts_with("\u{2022} ") => '\u{2022}'.len_utf8(),
        _ => {
            let inner = text.strip_prefix('(').unwrap_or(text);
            let name = inner.bytes().take_while(u8::is_ascii_alphanumeric).count();
            let is_number = name > 0
                && (name == 1 || inner.bytes().take(name).all(|one| one.is_ascii_digit()) && name < 5);
            let start = text.len() - inner.len();
            let ends = match (start, inner.as_bytes().get(name)) {
                (1, Some(b')')) | (0, Some(b'.' | b')')) => inner.as_bytes().get(name + 1) == Some(&b' '),
                _ => false,
            };
            if is_number && ends { start + name + 1 } else { 0 }
        }
    };
    let after = text.get(mark..).unwrap_or_default();
    if mark == 0 { 0 } else { mark + after.len() - after.trim_start_matches(' ').len() }
}

/// Returns the length of the name of a field with its colons: `:name:`, before a space or the end.
pub(super) fn field_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix(':').filter(|inner| !inner.starts_with([':', ' ']))?;
    let octets = inner.as_bytes();
    let mut at = 0;
    while let Some(octet) = octets.get(at) {
        match octet {
            b'\\' => at += 1,
            b'`' => return None,
            b':' if matches!(octets.get(at + 1), None | Some(b' ' | b'\t')) => return Some(at + 2),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the length of the name of a directive, without its colons: `name::`, before a space or the end.
fn directive_length(text: &str) -> Option<usize> {
    let is_part = |octet: &u8| octet.is_ascii_alphanumeric() || b"_.+:-".contains(octet);
    let name = text.bytes().take_while(|octet| is_part(octet)).count();
    // `py:function:: x` has all colons.
    let at = text.get(..name)?.find("::")?;
    (at > 0 && matches!(text.as_bytes().get(at + 2), None | Some(b' ' | b'\t'))).then_some(at)
}

/// Returns the length of the name of a target, which a colon before a space or the end ends.
fn target_name_length(text: &str) -> Option<usize> {
    let octets = text.as_bytes();
    if octets.first() == Some(&b'`') {
        let close = text.get(1..)?.find('`')? + 2;
        return (octets.get(close) == Some(&b':')).then_some(close);
    }
    let mut at = 0;
    while let Some(octet) = octets.get(at) {
        match octet {
            b'\\' => at += 1,
            b':' if at > 0 && matches!(octets.get(at + 1), None | Some(b' ' | b'\t')) => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The end of lines.
#[derive(Clone, Copy)]
struct BlockEnd {
    /// Where their text ends.
    text: usize,
    /// Where the next line begins.
    next: usize,
}

/// Returns the end of the lines before the first one that is blank or not indented.
fn end_of_block(text: &str, from: usize, indent: usize) -> BlockEnd {
    let mut end = BlockEnd { text: text.get(..from).unwrap_or_default().trim_end().len(), next: from };
    // The line before `from` may have trailing white space, and belongs to the block.
    end.text = end.text.min(from);
    while let Some(line) = Line::at(text, end.next).filter(|line| !line.is_blank() && line.indent > indent) {
        end = BlockEnd { text: line.end, next: line.next };
    }
    end
}

/// Returns a URI; an address gets its scheme.
pub(super) fn with_scheme(uri: String) -> String {
    let is_address = uri.contains('@') && !uri.contains([':', '/', '#', '?']);
    if is_address { format!("mailto:{uri}") } else { uri }
}
