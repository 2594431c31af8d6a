//! The visible text of a page. Skips what a browser does not show: comments, scripts, style sheets, templates,
//! the title, and what is for browsers without scripts. Whether a style sheet hides an element is not known.

use encoding_rs::UTF_8;
use memchr::{memchr, memmem};

use super::raw_text::{Escape, end_of_text, text_element};
use super::references::decode;
use super::tag::Tag;
use super::{Charset, meta};
use crate::formats::visible::Visible;

/// Elements that are in a line: a tag does not end a word.
const INLINE: [&[u8]; 36] = [
    b"a", b"abbr", b"acronym", b"b", b"bdi", b"bdo", b"big", b"cite", b"code", b"data", b"del", b"dfn",
    b"em", b"font", b"i", b"img", b"ins", b"kbd", b"label", b"mark", b"nobr", b"q", b"rp", b"s", b"samp",
    b"small", b"span", b"strike", b"strong", b"sub", b"sup", b"time", b"tt", b"u", b"var", b"wbr",
];

/// Returns the visible text of a page.
pub(crate) fn visible_text(octets: &[u8]) -> String {
    let declared = meta::wide_encoding_of(octets).or_else(|| meta::encoding_of(octets));
    let (page, _, _) = Charset::new(declared).of(octets).decode(octets);
    let mut visible = Visible::default();
    Reader::default().read(page.as_bytes(), &mut visible);
    visible.finish()
}

/// Reads HTML in UTF-8, which may continue.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    tag: Tag,
    /// How many templates are open.
    templates: u32,
}

impl Reader {
    /// Appends the text of octets in UTF-8.
    pub(crate) fn read(&mut self, octets: &[u8], visible: &mut Visible) {
        let mut at = 0;
        while let Some(rest) = octets.get(at..).filter(|rest| !rest.is_empty()) {
            let length = memchr(b'<', rest).unwrap_or(rest.len());
            self.take_text(&rest[..length], visible);
            at += length;
            if at < octets.len() {
                at = self.after_markup(octets, at, visible);
            }
        }
    }

    fn take_text(&self, text: &[u8], visible: &mut Visible) {
        if self.templates > 0 {
            return;
        }
        if memchr(b'&', text).is_some() {
            visible.push(str::from_utf8(decode(text, 0, UTF_8).text()).unwrap_or_default());
        } else {
            visible.push(str::from_utf8(text).unwrap_or_default());
        }
    }

    /// Returns the position after what begins with "<", and after its content if that is not visible.
    fn after_markup(&mut self, octets: &[u8], at: usize, visible: &mut Visible) -> usize {
        let rest = &octets[at..];
        let after = |end: &[u8], from: usize| {
            let found = rest.get(from..).and_then(|rest| memmem::find(rest, end));
            found.map_or(octets.len(), |found| at + from + found + end.len())
        };
        match rest {
            [b'<', b'!', b'-', b'-', b'>', ..] => at + 5,
            [b'<', b'!', b'-', b'-', ..] => after(b"-->", 2),
            [b'<', b'!' | b'?', ..] => after(b">", 2),
            [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => {
                self.after_tag(octets, at, 2, visible)
            }
            [b'<', letter, ..] if letter.is_ascii_alphabetic() => self.after_tag(octets, at, 1, visible),
            [b'<', b'/', ..] => after(b">", 2),
            _ => {
                self.take_text(b"<", visible);
                at + 1
            }
        }
    }

    /// Returns the position after a tag, whose name follows `open` octets, and after hidden content.
    fn after_tag(&mut self, octets: &[u8], at: usize, open: usize, visible: &mut Visible) -> usize {
        let Some(end) = self.tag.read(octets, at + open) else { return octets.len() };
        let (name, is_start) = (self.tag.name(), open == 1);
        if !INLINE.contains(&name) {
            visible.separate();
        }
        if name == b"template" {
            self.templates = if is_start { self.templates + 1 } else { self.templates.saturating_sub(1) };
        }
        match name {
            _ if !is_start => end,
            b"script" => Escape::No.pass(octets, end, true).0,
            b"style" => end_of_text(octets, end, "style", true).0,
            b"noscript" => end_of_text(octets, end, "noscript", true).0,
            b"plaintext" => octets.len(),
            _ => text_element(name).map_or(end, |name| end_of_text(octets, end, name, true).0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        for (page, expected) in [
            (
                "<title>T</title><style>s</style><p>A <b>bo</b>ld\n word<p>next<br>line",
                "A bold word next line",
            ),
            ("a<!-- <p> -->b<!--> c -->", "ab c -->"),
            ("x<script>if (a<b) '<p>'</script>y", "x y"),
            ("1 &lt; 2 &amp;&nbsp;3 &eacute;", "1 < 2 & 3 \u{E9}"),
            ("<template>a<template>b</template>c</template>d", "d"),
            ("a <3 b </> c <a title='>'>d</a", "a <3 b c d"),
            ("<noscript>a</noscript><textarea>b</textarea>c", "c"),
            ("", ""),
            ("<script>never closed", ""),
        ] {
            assert_eq!(visible_text(page.as_bytes()), expected, "{page}");
        }
        assert_eq!(visible_text(b"<meta charset=windows-1252>caf\xE9"), "caf\u{E9}");
        assert_eq!(visible_text(b"\xFF\xFE<\0p\0>\0a\0"), "a");
    }
}
