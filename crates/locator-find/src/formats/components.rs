//! Components of web pages: Vue, Svelte and Astro. Finds the links of their markup and of their style sheets, and
//! the names that fragments may refer to.
//!
//! Tags are read as `jsx` says. Scripts are programs, as is what is between the lines "---" at the start of
//! an Astro component: only the pictures and documents that it imports are links. Text between tags, comments
//! and programs are searched only if everything is.
//!
//! Follows the documentation of Vue 3 ("SFC Syntax Specification"), Svelte 5 and Astro 5.

use std::ops::{ControlFlow, Range};

use memchr::{memchr, memchr_iter, memmem};

use crate::decode::DecodeChain;
use crate::formats::jsx::{Budget, ComponentTag, Dialect, TagKind, imports, read_tag};
use crate::link::Context;
use crate::search::emitter::Emitter;
use crate::search::{Extent, FormatSpec, Query};

/// Single-file components of Vue.
pub(crate) static VUE: FormatSpec = FormatSpec {
    name: "vue",
    extensions: &["vue"],
    sections: None,
    has_media_type: |kind, subtype| (kind, subtype) == ("text", "x-vue"),
    begins: None,
    find: |query, input| {
        input.find_whole(|octets, emitter| find_in(Dialect::Vue, false, query, octets, emitter))
    },
    find_seekable: None,
    find_in: |query, octets, emitter| find_in(Dialect::Vue, false, query, octets, emitter),
};

/// Components of Svelte.
pub(crate) static SVELTE: FormatSpec = FormatSpec {
    name: "svelte",
    extensions: &["svelte"],
    sections: None,
    has_media_type: |kind, subtype| (kind, subtype) == ("text", "x-svelte"),
    begins: None,
    find: |query, input| {
        input.find_whole(|octets, emitter| find_in(Dialect::Svelte, false, query, octets, emitter))
    },
    find_seekable: None,
    find_in: |query, octets, emitter| find_in(Dialect::Svelte, false, query, octets, emitter),
};

/// Components of Astro.
pub(crate) static ASTRO: FormatSpec = FormatSpec {
    name: "astro",
    extensions: &["astro"],
    sections: None,
    has_media_type: |kind, subtype| (kind, subtype) == ("text", "x-astro"),
    begins: None,
    find: |query, input| {
        input.find_whole(|octets, emitter| find_in(Dialect::Jsx, true, query, octets, emitter))
    },
    find_seekable: None,
    find_in: |query, octets, emitter| find_in(Dialect::Jsx, true, query, octets, emitter),
};

/// Finds the links of a component.
fn find_in(
    dialect: Dialect,
    has_fence: bool,
    query: &Query<'_>,
    octets: &[u8],
    emitter: &mut Emitter<'_>,
) -> ControlFlow<()> {
    let budget = Budget::for_length(octets.len());
    let mut reader = ComponentReader { dialect, query, octets, budget, emitter: emitter.of(emitter.source) };
    let fence = fenced(octets).filter(|_| has_fence);
    if let Some(code) = fence.clone() {
        for import in imports(octets, code.clone(), &mut reader.budget) {
            reader.import(import)?;
        }
        reader.text(code, true)?;
    }
    reader.read(fence.map_or(0, |code| code.end))
}

/// Returns the program at the start of a component of Astro: what is before the second line "---".
fn fenced(octets: &[u8]) -> Option<Range<usize>> {
    let start =
        octets.len() - octets.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(octets).trim_ascii_start().len();
    let rest = octets[start..].strip_prefix(b"---")?;
    let code = start + 3;
    let mut at = 0;
    for (number, line) in rest.split_inclusive(|octet| *octet == b'\n').enumerate() {
        let text = line.trim_ascii_start();
        if number > 0 && text.starts_with(b"---") {
            return Some(code..code + at + line.len() - text.len() + 3);
        }
        at += line.len();
    }
    None
}

/// The state of a reading.
struct ComponentReader<'a> {
    dialect: Dialect,
    query: &'a Query<'a>,
    octets: &'a [u8],
    budget: Budget,
    emitter: Emitter<'a>,
}

impl ComponentReader<'_> {
    fn read(&mut self, from: usize) -> ControlFlow<()> {
        let octets = self.octets;
        // Whether no further comment has an end.
        let mut open_comment = false;
        let (mut at, mut text) = (from, from);
        while let Some(length) = memchr(b'<', &octets[at..]) {
            let open = at + length;
            at = open + 1;
            if octets[open..].starts_with(b"<!--") && !open_comment {
                let Some(length) = memmem::find(&octets[open..], b"-->") else {
                    open_comment = true;
                    continue;
                };
                self.text(text..open, false)?;
                self.text(open + 4..(open + length).max(open + 4), false)?;
                at = open + length + 3;
                text = at;
                continue;
            }
            let Some(tag) = read_tag(octets, open, &mut self.budget) else { continue };
            self.text(text..open, false)?;
            let all = self.query.extent == Extent::All;
            for link in tag.links(octets, self.dialect, all, &mut self.budget) {
                link.emit(self.query, octets, &mut self.emitter)?;
            }
            at = tag.end;
            if tag.kind == TagKind::Open {
                at = self.content(&tag)?;
            }
            text = at;
        }
        self.text(text..octets.len(), false)
    }

    /// Reads the content of an element that has no tags; returns the offset after it.
    fn content(&mut self, tag: &ComponentTag) -> ControlFlow<(), usize> {
        let octets = self.octets;
        let name = tag.name(octets);
        let language = tag.text_of(octets, "lang").unwrap_or_default();
        let is_style = name.eq_ignore_ascii_case(b"style");
        // A template in another language than HTML, such as Pug.
        let is_other = name == b"template" && !matches!(language, b"" | b"html");
        if !is_style && !is_other && !name.eq_ignore_ascii_case(b"script") {
            return ControlFlow::Continue(tag.end);
        }
        let end = end_of_element(octets, tag.end, name).unwrap_or(octets.len());
        let content = tag.end..end;
        // The indented languages of style sheets are other ones.
        if is_style && !matches!(language, b"sass" | b"stylus" | b"styl") {
            let steps = DecodeChain::new(self.emitter.source, content.start, &octets[content]);
            self.query.find_in("text/css", steps.text(), &mut self.emitter.of(&steps))?;
        } else {
            self.text(content, true)?;
        }
        ControlFlow::Continue(end)
    }

    /// Searches a text if everything is searched.
    fn text(&mut self, span: Range<usize>, is_code: bool) -> ControlFlow<()> {
        if self.query.extent == Extent::Links || span.is_empty() {
            return ControlFlow::Continue(());
        }
        let steps = DecodeChain::new(self.emitter.source, span.start, &self.octets[span]);
        self.query.find_urls(steps.text(), &mut self.emitter.of(&steps).in_code(is_code))
    }

    fn import(&mut self, span: Range<usize>) -> ControlFlow<()> {
        let url = String::from_utf8_lossy(&self.octets[span.clone()]);
        self.emitter.link(span, &url, Context::Import)
    }
}

/// Returns the offset of the end tag of an element whose content is text.
fn end_of_element(octets: &[u8], from: usize, name: &[u8]) -> Option<usize> {
    let is_end = |at: &usize| {
        let rest = octets.get(at + 1..).and_then(|rest| rest.strip_prefix(b"/"));
        let rest = rest.and_then(|rest| rest.split_at_checked(name.len()));
        rest.is_some_and(|(start, after)| {
            start.eq_ignore_ascii_case(name) && !after.first().is_some_and(u8::is_ascii_alphanumeric)
        })
    };
    memchr_iter(b'<', octets.get(from..)?).map(|at| from + at).find(is_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_of_astro_is_between_two_lines() {
        for (text, expected) in [
            ("---\na\n---\n<p>", Some("\na\n---")),
            ("\n---\nconst a = '---'\n  ---<p>", Some("\nconst a = '---'\n  ---")),
            ("---\na", None),
            ("<p>---\n---", None),
        ] {
            let code = fenced(text.as_bytes());
            assert_eq!(code.map(|code| &text[code]), expected, "{text}");
        }
    }
}
