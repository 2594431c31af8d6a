//! AsciiDoc. Finds the targets of macros, cross-references and bare URLs, the files that are included, and the ids of
//! sections and other places. Follows the language reference of AsciiDoc ("Links", "Cross References", "Includes",
//! "Section Attributes and Styles") and Asciidoctor 2.0, which defines the ids of sections.
//!
//! | written | found |
//! |---|---|
//! | `https://h/a[label]`, `link:https://h/a[label]`, `<https://h/a>` | a URL, which ends before "[" |
//! | `link:a.html[label]`, `image::a.png[]`, `include::a.adoc[]` | a link ([`Context::Macro`]) |
//! | `xref:a.adoc#id[]`, `<<id>>`, `<<a.adoc#id,text>>` | a cross-reference ([`Context::Macro`]); a name in the document is `#id` |
//! | `== Title`, `[[id]]`, `[#id]`, `anchor:id[]` | anchors, and labels of titles |
//!
//! An attribute `{name}` that the document has defined before is replaced. With another one, or one that is set under a
//! condition, a URL is cut, and a path is a cross-reference, which is no URL. Listings, literals, passthroughs and comments
//! are code.

mod attributes;
mod inline;
mod section_ids;

use std::ops::{ControlFlow, Range};

use crate::formats::lightweight::{self, Line, Prose, UsedIds};
use crate::link::{Context, LabelKind};
use crate::search::FormatSpec;

use attributes::Attributes;
use section_ids::{shown, unique_id};

/// The AsciiDoc format.
pub(crate) static ASCIIDOC: FormatSpec = FormatSpec {
    name: "asciidoc",
    extensions: &["adoc", "asciidoc"],
    sections: None,
    has_media_type: |kind, subtype| kind == "text" && matches!(subtype, "asciidoc" | "x-asciidoc"),
    begins: Some(|head| is_asciidoc(head.start())),
    find: |query, input| input.find_whole(|octets, emitter| lightweight::read(query, octets, emitter, read)),
    find_seekable: None,
    find_in: |query, octets, emitter| lightweight::read(query, octets, emitter, read),
};

/// Recognises a document title or attributes, and a macro of a URL: `https://h/[a label]`.
fn is_asciidoc(text: &[u8]) -> bool {
    let first = text.split(|octet| *octet == b'\n').next().unwrap_or_default().trim_ascii_end();
    let is_title = first.strip_prefix(b"= ").is_some_and(|title| !title.is_empty());
    let is_attribute = first.strip_prefix(b":").is_some_and(|rest| {
        let name = rest.iter().take_while(|octet| octet.is_ascii_alphanumeric() || **octet == b'-').count();
        name > 0 && rest.get(name) == Some(&b':') && matches!(rest.get(name + 1), None | Some(b' '))
    });
    is_title || is_attribute
}

/// The longest title whose id is made.
const LONGEST_TITLE: usize = 4096;

/// Reads a document.
fn read(prose: Prose<'_, '_>) -> ControlFlow<()> {
    let at = prose.done();
    let attributes = Attributes::default();
    let ids = UsedIds::default();
    let (style, id) = (Style::Text, None);
    let mut reader =
        Reader { prose, at, attributes, ids, style, id, begins_block: true, is_after_term: false };
    while let Some(line) = Line::at(reader.prose.text(), reader.at) {
        reader.line(line)?;
        reader.prose.flush_if_long()?;
    }
    let end = reader.prose.text().len();
    reader.prose.keep(end);
    reader.prose.flush()
}

/// The state of a reader.
struct Reader<'a, 't> {
    prose: Prose<'a, 't>,
    /// Where the next line begins.
    at: usize,
    attributes: Attributes,
    ids: UsedIds,
    /// What the attributes above a block say of it.
    style: Style,
    /// The explicit id of the next block, if it has one.
    id: Option<&'t str>,
    /// Whether a block may begin with the next line.
    begins_block: bool,
    /// Whether the last paragraph is a term, whose definition may be indented.
    is_after_term: bool,
}

/// The kind of a block, by the attributes above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Text,
    Code,
}

impl<'t> Reader<'_, 't> {
    fn slice(&self, span: Range<usize>) -> &'t str {
        self.prose.text().get(span).unwrap_or_default()
    }

    /// Reads the block or the line that begins there.
    fn line(&mut self, line: Line) -> ControlFlow<()> {
        let text = line.of(self.prose.text());
        let begins_block = std::mem::replace(&mut self.begins_block, false);
        self.at = line.next;
        if line.is_blank() {
            self.begins_block = true;
            self.prose.keep(line.next);
            return ControlFlow::Continue(());
        }
        if let Some(block) = delimited(text, self.style).filter(|_| line.indent == 0) {
            return self.delimited_block(line, block);
        }
        let is_literal = begins_block && line.indent > 0 && !is_list_item(text) && !self.is_after_term;
        if is_literal || self.style == Style::Code && !(line.indent == 0 && is_above_block(text)) {
            self.at = line.start;
            self.code_paragraph();
            return ControlFlow::Continue(());
        }
        if line.indent == 0 && self.is_structure(line) {
            self.begins_block = true;
            return ControlFlow::Continue(());
        }
        self.id = None;
        if begins_block && line.indent == 0 && self.two_line_title(line) {
            return ControlFlow::Continue(());
        }
        self.paragraph(line);
        ControlFlow::Continue(())
    }

    /// Reads a line that is no text of a paragraph; returns whether it is one.
    fn is_structure(&mut self, line: Line) -> bool {
        let text = line.of(self.prose.text());
        match text.as_bytes() {
            [b'/', b'/'] => self.prose.keep_code(line.next),
            [b'/', b'/', next, ..] if *next != b'/' => self.prose.keep_code(line.next),
            [b':', ..] if self.attribute_entry(line) => {}
            [b'[', .., b']'] if is_attribute_list(text) => self.block_attributes(line),
            [b'.', next, ..] if !matches!(next, b' ' | b'.' | b'\t') => {
                self.inline(line.text + 1, line.end);
                self.prose.keep(line.next);
            }
            [b'=' | b'#', ..] if title_start(text).is_some() => {
                self.section(line, title_start(text).unwrap_or(0));
            }
            [b'i' | b'e', ..] if self.is_directive(line) => {}
            [b'+'] | [b'-', b'-'] => self.prose.keep(line.next),
            _ if is_delimiter(text) => self.prose.skip(line.next),
            _ => return false,
        }
        true
    }

    /// Reads `:name: value`; returns whether it is one.
    fn attribute_entry(&mut self, line: Line) -> bool {
        let text = self.prose.text();
        let Some((name, value)) = line.of(text).strip_prefix(':').and_then(|rest| rest.split_once(':'))
        else {
            return false;
        };
        let is_unset = name.starts_with('!') || name.ends_with('!');
        let name = name.trim_matches('!');
        let is_name = name.bytes().all(|one| one.is_ascii_alphanumeric() || b"_-".contains(&one));
        if name.is_empty() || !is_name || !(value.is_empty() || value.starts_with([' ', '\t'])) {
            return false;
        }
        // "a value may be continued on the next line by a backslash", after a blank.
        let mut value = value.trim().to_owned();
        while let Some(before) = value.strip_suffix(" \\").or_else(|| value.strip_suffix(" + \\"))
            && let Some(next) = Line::at(text, self.at)
        {
            value = format!("{} {}", before.trim_end(), next.of(text));
            self.at = next.next;
            if value.len() > attributes::LONGEST {
                break;
            }
        }
        self.attributes.set(name, if is_unset { None } else { Some(&value) });
        self.inline(line.text, line.end);
        self.prose.keep(self.at);
        true
    }

    /// Reads the attributes of the next block: `[[id]]`, `[#id]`, `[source,java]`.
    fn block_attributes(&mut self, line: Line) {
        let text = line.of(self.prose.text());
        let inner = text.get(1..text.len() - 1).unwrap_or_default();
        let id = match inner.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
            Some(anchor) => anchor.split(',').next().map(str::trim),
            None => {
                let first = inner.split(',').next().unwrap_or_default();
                let style = first.split(['#', '.', '%']).next().unwrap_or_default().trim();
                if is_code_style(style) || first.trim().is_empty() && inner.starts_with(',') {
                    self.style = Style::Code;
                }
                id_in(inner)
            }
        };
        if let Some(id) = id.filter(|id| !id.is_empty() && !id.contains('{')) {
            let start = line.text + text.find(id).unwrap_or_default();
            self.ids.add(id);
            self.prose.anchor(start..start + id.len(), id);
            self.id = Some(id);
            if let Some(name) = reference_text(inner) {
                self.prose.label(start..start + id.len(), name, LabelKind::Title);
            }
        }
        self.prose.keep(line.next);
    }

    /// Reads a section title, whose text begins after `mark` octets of the line.
    fn section(&mut self, line: Line, mark: usize) {
        let is_document = mark == 2;
        let end = line.text + line.of(self.prose.text()).trim_end_matches(['=', '#']).trim_end().len();
        self.title(line.text + mark..end.max(line.text + mark), is_document);
        self.prose.keep(line.next);
    }

    fn title(&mut self, span: Range<usize>, is_document: bool) {
        let written = self.slice(span.clone());
        let explicit = self.id.take();
        if written.len() <= LONGEST_TITLE {
            let expanded = self.attributes.expand(written);
            let name = shown(&expanded.text);
            if explicit.is_none() && !is_document && expanded.is_whole && self.attributes.has_section_ids() {
                let id = unique_id(&name, &self.attributes, &mut self.ids);
                self.prose.anchor(span.clone(), id);
            }
            self.prose.label(span.clone(), name.text, LabelKind::Title);
        }
        self.style = Style::Text;
        self.inline(span.start, span.end);
    }

    /// Reads a title with a line below it that is about as long; returns whether it is one.
    fn two_line_title(&mut self, line: Line) -> bool {
        let text = self.prose.text();
        let Some(below) = Line::at(text, line.next).filter(|below| below.indent == 0) else { return false };
        let (title, rule) = (line.of(text), below.of(text));
        let mark = rule.as_bytes().first().filter(|mark| b"=-~^+".contains(mark));
        let is_rule = rule.len() > 1 && mark.is_some_and(|mark| rule.bytes().all(|octet| octet == *mark));
        let is_title = is_rule
            && rule.len().abs_diff(title.chars().count()) <= 1
            && title.contains(char::is_alphanumeric)
            && !is_list_item(title);
        if is_title {
            self.title(line.text..line.end, mark == Some(&b'='));
            self.prose.skip(below.next);
            self.at = below.next;
        }
        is_title
    }

    /// Reads a directive of the preprocessor; returns whether it is one.
    fn is_directive(&mut self, line: Line) -> bool {
        let text = line.of(self.prose.text());
        let Some(inner) = text.strip_suffix(']') else { return false };
        let Some((name, rest)) = inner.split_once("::") else { return false };
        let Some((target, content)) = rest.split_once('[') else { return false };
        match name {
            "ifdef" | "ifndef" | "ifeval" => {
                if content.is_empty() || name == "ifeval" {
                    self.attributes.open_condition();
                } else if let Some((name, _)) =
                    content.strip_prefix(':').and_then(|rest| rest.split_once(':'))
                {
                    self.attributes.doubt(name.trim_matches('!'));
                }
                let start = line.end - content.len() - 1;
                if name != "ifeval" {
                    self.inline(start, line.end);
                }
            }
            "endif" => self.attributes.close_condition(),
            "include" => {
                let start = line.text + "include::".len();
                self.path("include", start..start + target.len());
            }
            _ => return false,
        }
        self.prose.keep(line.next);
        true
    }

    /// Reads a block between two lines that are the same.
    fn delimited_block(&mut self, first: Line, block: Delimited) -> ControlFlow<()> {
        let text = self.prose.text();
        let delimiter = match first.of(text) {
            fence if fence.starts_with("```") => "```",
            delimiter => delimiter,
        };
        (self.style, self.id) = (Style::Text, None);
        self.prose.skip(first.next);
        let mut end = first.next;
        let mut next = first.next;
        while let Some(line) = Line::at(text, next) {
            next = line.next;
            if line.indent == 0 && line.of(text) == delimiter {
                break;
            }
            // Nothing is included in a comment.
            if matches!(block, Delimited::Code) && !delimiter.starts_with('/') {
                self.include_in_code(line);
            }
            end = line.next;
        }
        match block {
            Delimited::Html => self.prose.embed(end, "text/html")?,
            Delimited::Code => self.prose.keep_code(end),
        }
        self.prose.skip(next);
        self.at = next;
        self.begins_block = true;
        ControlFlow::Continue(())
    }

    /// Takes the lines up to a blank one as code.
    fn code_paragraph(&mut self) {
        (self.style, self.id) = (Style::Text, None);
        let text = self.prose.text();
        let start = self.at;
        while let Some(line) = Line::at(text, self.at).filter(|line| !line.is_blank()) {
            if line.start > start && line.indent == 0 && line.of(text) == "+" {
                break;
            }
            self.include_in_code(line);
            self.at = line.next;
        }
        self.prose.keep_code(self.at);
    }

    /// Reads a line of code, which may be included from another file.
    fn include_in_code(&mut self, line: Line) {
        let text = line.of(self.prose.text());
        let target = text.strip_prefix("include::").filter(|_| text.ends_with(']'));
        if let Some((target, _)) = target.and_then(|rest| rest.split_once('[')) {
            let start = line.text + "include::".len();
            self.prose.keep_code(start);
            self.path("include", start..start + target.len());
        }
    }

    /// Reads the lines of a paragraph or a list item.
    fn paragraph(&mut self, first: Line) {
        let text = self.prose.text();
        let mut end = first.end;
        while let Some(line) = Line::at(text, self.at).filter(|line| !line.is_blank()) {
            let written = line.of(text);
            let is_new = line.indent == 0 && may_be_structure(written);
            if is_new {
                break;
            }
            (end, self.at) = (line.end, line.next);
        }
        self.is_after_term = is_term(self.slice(first.text..end));
        self.inline(first.text, end);
        self.prose.keep(self.at);
    }

    /// Emits a path, or the id of a resource, which is no URL.
    fn path(&mut self, name: &'static str, span: Range<usize>) {
        let expanded = self.attributes.expand(self.slice(span.clone()));
        self.prose.keep(span.start);
        match () {
            () if expanded.text.is_empty() => {}
            () if !expanded.is_whole || is_resource_id(&expanded.text) => {
                self.prose.cross_reference(span.clone(), expanded.text, Context::Macro(name));
            }
            () => self.prose.link(span.clone(), expanded.text, Context::Macro(name)),
        }
        self.prose.skip(span.end);
    }
}

/// Returns whether a path is the id of a resource of Antora: `ROOT:a.png`, `partial$a.adoc`, `1.0@component::a.adoc`.
fn is_resource_id(path: &str) -> bool {
    let start = path.split(['#', '?']).next().unwrap_or_default();
    let is_url =
        start.contains("://") || ["mailto:", "data:", "tel:"].iter().any(|scheme| start.starts_with(scheme));
    !is_url && (start.contains('$') || start.contains(':'))
}

/// What is between delimiters.
#[derive(Clone, Copy)]
enum Delimited {
    Code,
    Html,
}

/// Returns what begins with a line, if its content is no text.
fn delimited(text: &str, style: Style) -> Option<Delimited> {
    let first = *text.as_bytes().first()?;
    let is_run = text.len() >= 4 && text.bytes().all(|octet| octet == first);
    match first {
        b'-' | b'.' | b'/' if is_run => Some(Delimited::Code),
        b'+' if is_run && style == Style::Code => Some(Delimited::Code),
        b'+' if is_run => Some(Delimited::Html),
        b'`' if text.starts_with("```") && !text.get(3..)?.contains('`') => Some(Delimited::Code),
        b'-' if text == "--" && style == Style::Code => Some(Delimited::Code),
        b'=' | b'*' | b'_' if is_run && style == Style::Code => Some(Delimited::Code),
        _ => None,
    }
}

/// Returns whether a line begins or ends a block of text or a table.
fn is_delimiter(text: &str) -> bool {
    let Some(first) = text.bytes().next() else { return false };
    let is_run = text.len() >= 4 && text.bytes().all(|octet| octet == first);
    is_run && b"=*_~".contains(&first) || matches!(text, "|===" | ",===" | ":===" | "!===")
}

/// Returns whether a line ends the paragraph before it.
fn may_be_structure(text: &str) -> bool {
    delimited(text, Style::Text).is_some()
        || is_delimiter(text)
        || text == "+"
        || text == "--"
        || text.starts_with("//") && !text.starts_with("///")
        || text.starts_with('[') && is_attribute_list(text)
        || ["include::", "ifdef::", "ifndef::", "ifeval::", "endif::"]
            .iter()
            .any(|name| text.starts_with(name))
}

/// Returns whether a line is a list of attributes in brackets, and no text that begins with a bracket.
fn is_attribute_list(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else { return false };
    let is_anchor = inner.starts_with('[') && inner.ends_with(']');
    let starts = inner.is_empty()
        || inner.starts_with(|first: char| first.is_alphanumeric() || "_,.#\"'%{".contains(first));
    is_anchor || starts && (!inner.contains(']') || inner.contains('"'))
}

/// Returns whether a line may be between the attributes of a block and the block: more of them, a title, a comment.
fn is_above_block(text: &str) -> bool {
    let is_title =
        text.strip_prefix('.').is_some_and(|title| !title.starts_with([' ', '.']) && !title.is_empty());
    is_title || is_attribute_list(text) || text.starts_with("//")
}

/// Returns whether a line ends like a term: `term::`, `term;;`.
fn is_term(text: &str) -> bool {
    text.ends_with("::") || text.ends_with(";;")
}

/// Returns the length of the marks before a title, with the space: `== `.
fn title_start(text: &str) -> Option<usize> {
    let mark = *text.as_bytes().first()?;
    let count = text.bytes().take_while(|octet| *octet == mark).count();
    let is_title = (1..=6).contains(&count) && text.as_bytes().get(count) == Some(&b' ');
    is_title
        .then(|| count + 1)
        .filter(|start| text.get(*start..).is_some_and(|title| !title.trim().is_empty()))
}

/// Returns whether a line begins an item of a list: `* `, `. `, `- `, `1. `, `term:: `.
fn is_list_item(text: &str) -> bool {
    let Some(first) = text.bytes().next() else { return false };
    let run = text.bytes().take_while(|octet| *octet == first).count();
    let is_marked = b"*.-".contains(&first) && text.as_bytes().get(run) == Some(&b' ');
    let digits = text.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let is_numbered =
        (1..5).contains(&digits) && text.get(digits..).is_some_and(|rest| rest.starts_with(". "));
    let is_callout = text.starts_with('<') && text.contains("> ");
    is_marked || is_numbered || is_callout || text.contains(":: ") || text.ends_with("::") || first == b'|'
}

/// Returns whether a block of this style is code, or a diagram.
fn is_code_style(style: &str) -> bool {
    const STYLES: [&str; 22] = [
        "source",
        "listing",
        "literal",
        "stem",
        "latexmath",
        "asciimath",
        "pass",
        "plantuml",
        "mermaid",
        "ditaa",
        "graphviz",
        "dot",
        "blockdiag",
        "seqdiag",
        "actdiag",
        "nwdiag",
        "svgbob",
        "vega",
        "bytefield",
        "d2",
        "a2s",
        "comment",
    ];
    STYLES.contains(&style)
}

/// Returns the id of attributes: `#id.role`, `style#id`, `id=x`, `id="x"`.
fn id_in(inner: &str) -> Option<&str> {
    let first = inner.split(',').next().unwrap_or_default();
    if let Some((style, rest)) = first.split_once('#')
        && !style.contains(['=', '"', ' '])
    {
        return rest.split(['.', '%', '#']).next().map(str::trim);
    }
    let named = inner.split(',').find_map(|attribute| attribute.trim().strip_prefix("id="))?;
    Some(named.trim_matches(['"', '\'']))
}

/// Returns the text of an element by which it can be referred to: `[[id,text]]`, `reftext="text"`.
fn reference_text(inner: &str) -> Option<&str> {
    if let Some(anchor) = inner.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        return anchor.split_once(',').map(|(_, text)| text.trim());
    }
    let value = inner.split_once("reftext=")?.1;
    let quoted = value.strip_prefix('"').and_then(|value| value.split('"').next());
    Some(quoted.unwrap_or_else(|| value.split(',').next().unwrap_or_default()))
}
