//! Notebooks of Jupyter. Finds the links of the cells: a cell of Markdown is read as Markdown, each link at its
//! place in the file, a cell of code is code, another one is text. What a program printed is searched only if
//! everything is.
//!
//! Follows nbformat 4.5 and 3; a file without cells is read as JSON. The strings of a cell are joined to one
//! text, as the format says ("source": a string, or a list of strings).

use std::ops::{ControlFlow, Range};

use memchr::{memchr, memchr2};

use crate::decode::{Decoded, DecodedSource};
use crate::formats::json::{JsonEscape, escape_at};
use crate::formats::markdown::MarkdownCells;
use crate::search::emitter::Emitter;
use crate::search::{Extent, FormatSpec, Query};

/// Notebooks of Jupyter.
pub(crate) static JUPYTER: FormatSpec = FormatSpec {
    name: "jupyter",
    extensions: &["ipynb"],
    sections: None,
    has_media_type: |kind, subtype| (kind, subtype) == ("application", "x-ipynb+json"),
    begins: None,
    find: |query, input| input.find_whole(|octets, emitter| find_in(query, octets, emitter)),
    find_seekable: None,
    find_in,
};

/// Finds the links of a notebook.
fn find_in(query: &Query<'_>, octets: &[u8], emitter: &mut Emitter<'_>) -> ControlFlow<()> {
    let cells = Cells { octets, at: 0, depth: 0, lists: Vec::new(), cell: None };
    let (mut markdown, mut count) = (MarkdownCells::new(), 0_u64);
    for cell in cells {
        count += 1;
        cell.find(query, octets, &mut markdown, emitter)?;
    }
    match count {
        0 => query.find_in("application/json", octets, emitter),
        _ => ControlFlow::Continue(()),
    }
}

/// The cells of a notebook, in order. Each is known once its object ends.
struct Cells<'o> {
    octets: &'o [u8],
    at: usize,
    /// The number of open objects and arrays.
    depth: usize,
    /// The depths of the open arrays of cells; nbformat 3 has some in worksheets, none has one within another.
    lists: Vec<usize>,
    cell: Option<Cell>,
}

/// A cell.
#[derive(Debug, Default)]
struct Cell {
    kind: CellKind,
    /// The depth of its members.
    depth: usize,
    /// The member whose value follows.
    member: Member,
    /// The contents of the strings of its text.
    source: Vec<Range<usize>>,
    /// The contents of the strings that a program printed.
    outputs: Vec<Range<usize>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CellKind {
    Markdown,
    Code,
    #[default]
    Other,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Member {
    Type,
    Source,
    Outputs,
    #[default]
    Other,
}

impl Iterator for Cells<'_> {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        loop {
            let octet = *self.octets.get(self.at)?;
            match octet {
                b'"' => self.string()?,
                b'{' | b'[' => {
                    self.depth += 1;
                    if octet == b'{'
                        && self.cell.is_none()
                        && self.lists.last() == Some(&self.depth.saturating_sub(1))
                    {
                        self.cell = Some(Cell { depth: self.depth, ..Cell::default() });
                    }
                }
                b'}' | b']' => {
                    let ended = self.cell.take_if(|cell| cell.depth == self.depth);
                    self.lists.pop_if(|list| *list == self.depth);
                    self.depth = self.depth.saturating_sub(1);
                    if ended.is_some() {
                        self.at += 1;
                        return ended;
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
    }
}

impl Cells<'_> {
    /// Reads the string at the quote, up to its last octet.
    fn string(&mut self) -> Option<()> {
        let start = self.at + 1;
        let end = end_of_string(self.octets, start)?;
        self.at = end;
        let content = start..end;
        let rest = self.octets[end + 1..].trim_ascii_start();
        let value = rest.strip_prefix(b":").map(<[u8]>::trim_ascii_start);
        let name = &self.octets[content.clone()];
        match (&mut self.cell, value) {
            (None, Some(value)) if name == b"cells" && value.starts_with(b"[") => {
                self.lists.push(self.depth + 1);
            }
            (Some(cell), Some(_)) if cell.depth == self.depth => {
                cell.member = match name {
                    b"cell_type" => Member::Type,
                    // nbformat 3 calls the text of a cell of code so.
                    b"source" | b"input" => Member::Source,
                    b"outputs" => Member::Outputs,
                    _ => Member::Other,
                };
            }
            (Some(cell), None) => cell.take(name, content, self.depth),
            _ => {}
        }
        Some(())
    }
}

impl Cell {
    /// Takes a string that is no name of a member.
    fn take(&mut self, text: &[u8], content: Range<usize>, depth: usize) {
        match self.member {
            Member::Type if depth == self.depth => {
                self.kind = match text {
                    b"markdown" | b"heading" => CellKind::Markdown,
                    b"code" => CellKind::Code,
                    _ => CellKind::Other,
                };
            }
            Member::Source if depth <= self.depth + 1 => self.source.push(content),
            Member::Outputs => self.outputs.push(content),
            _ => {}
        }
    }

    fn find(
        &self,
        query: &Query<'_>,
        octets: &[u8],
        markdown: &mut MarkdownCells,
        emitter: &mut Emitter<'_>,
    ) -> ControlFlow<()> {
        let decoded = joined(octets, &self.source);
        let source = DecodedSource { decoded: &decoded, source: emitter.source };
        let mut text = emitter.of(&source);
        match self.kind {
            CellKind::Markdown => markdown.find(query, decoded.text(), &mut text)?,
            CellKind::Code => query.find_urls(decoded.text(), &mut text.in_code(true))?,
            CellKind::Other => query.find_urls(decoded.text(), &mut text)?,
        }
        if query.extent != Extent::All {
            return ControlFlow::Continue(());
        }
        for output in &self.outputs {
            let decoded = joined(octets, std::slice::from_ref(output));
            let source = DecodedSource { decoded: &decoded, source: emitter.source };
            query.find_urls(decoded.text(), &mut emitter.of(&source).in_code(true))?;
        }
        ControlFlow::Continue(())
    }
}

/// Returns the offset of the quote that ends a string.
fn end_of_string(octets: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += memchr2(b'"', b'\\', octets.get(at..)?)?;
        match octets[at] {
            b'"' => return Some(at),
            _ => at += 2,
        }
    }
}

/// Decodes strings to one text.
fn joined(octets: &[u8], strings: &[Range<usize>]) -> Decoded {
    let mut decoded = Decoded::default();
    for string in strings {
        let mut at = string.start;
        while at < string.end {
            let rest = &octets[at..string.end];
            let length = memchr(b'\\', rest).unwrap_or(rest.len());
            decoded.keep(&rest[..length], at);
            at += length;
            if length == rest.len() {
                break;
            }
            match escape_at(&rest[length..], true) {
                JsonEscape::Character(character, length) => {
                    decoded.put(character.encode_utf8(&mut [0; 4]).as_bytes(), at, length);
                    at += length;
                }
                _ => {
                    decoded.keep(b"\\", at);
                    at += 1;
                }
            }
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(notebook: &str) -> Vec<(CellKind, String)> {
        let octets = notebook.as_bytes();
        let cells = Cells { octets, at: 0, depth: 0, lists: Vec::new(), cell: None };
        let text = |cell: &Cell| String::from_utf8_lossy(joined(octets, &cell.source).text()).into_owned();
        cells.map(|cell| (cell.kind, text(&cell))).collect()
    }

    #[test]
    fn the_strings_of_a_cell_are_one_text() {
        let notebook = r#"{"metadata": {"cells": "a"}, "cells": [
            {"cell_type": "markdown", "metadata": {"source": "no"}, "source": ["a\n", "b \"c\""]},
            {"source": "d\u0020e", "cell_type": "code", "outputs": [{"text": ["f"], "cells": [{"source": "g"}]}]},
            {"cell_type": "raw", "source": []}
        ], "x": {"cells": "no"}}"#;
        let expected = [(CellKind::Markdown, "a\nb \"c\""), (CellKind::Code, "d e"), (CellKind::Other, "")];
        assert_eq!(cells(notebook), expected.map(|(kind, text)| (kind, text.to_owned())));
        assert_eq!(cells(r#"{"worksheets": [{"cells": [{"cell_type": "code", "input": "a"}]}]}"#).len(), 1);
        for broken in
            ["", "{", "}}]]", r#"{"cells": [{"cell_type": "markdown", "source": "a"#, r#""cells": ["#]
        {
            assert!(cells(broken).is_empty(), "{broken}");
        }
    }
}
