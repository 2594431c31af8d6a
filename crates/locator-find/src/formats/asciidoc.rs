//! AsciiDoc. Finds the URLs of macros: `https://h/a[label]`, `link:url[label]`, `image::url[]`. Follows
//! the language reference of AsciiDoc, "URL macro", "Link macro" and "Complex URLs". The rest is
//! running text.
//!
//! A URL before "[" ends there, whatever is in the brackets: it is no template.

use crate::link::cut::Cut;
use crate::search::FormatSpec;
use crate::search::stream::{self, Decoder, Text};

/// The AsciiDoc format.
pub(crate) static ASCIIDOC: FormatSpec = FormatSpec {
    name: "asciidoc",
    extensions: &["adoc", "asciidoc"],
    sections: None,
    has_media_type: |kind, subtype| kind == "text" && matches!(subtype, "asciidoc" | "x-asciidoc"),
    begins: Some(|head| is_asciidoc(head.start())),
    find: |query, input| stream::find(query, input, AsciiDoc),
    find_seekable: None,
    find_in: |query, text, emitter| stream::find_in(query, AsciiDoc, text, emitter),
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

/// The decoder of AsciiDoc.
#[derive(Debug)]
struct AsciiDoc;

/// The octets after which a URL begins.
const BEFORE: &[u8] = b" \t\n\r<>()[];\"'*_`|:,";

impl Decoder for AsciiDoc {
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize {
        let mut done = 0;
        while done < octets.len() {
            let rest = &octets[done..];
            let Some(length) = rest
                .iter()
                .position(|octet| *octet == b'\n')
                .map(|end| end + 1)
                .or(is_all.then_some(rest.len()))
            else {
                return done;
            };
            line(&rest[..length], at + done, text);
            done += length;
        }
        done
    }
}

/// Adds a line.
fn line(line: &[u8], at: usize, text: &mut Text) {
    // The text after the last bracket, so that no text is read twice.
    let (mut done, mut from) = (0, 0);
    while let Some(bracket) = line[from..].iter().position(|octet| *octet == b'[').map(|at| from + at) {
        let before = std::mem::replace(&mut from, bracket + 1).max(done);
        let Some(start) = target(&line[before..bracket]) else { continue };
        let (start, url) = (before + start, &line[before + start..bracket]);
        let passed = url.strip_prefix(b"++").and_then(|url| url.strip_suffix(b"++"));
        let (start, url) = passed.map_or((start, url), |url| (start + 2, url));
        let Ok(url) = str::from_utf8(url) else { continue };
        text.keep(&line[done..start], at + done);
        // An attribute that the document or the command line sets: "{url-base}".
        let reference = url.find('{').filter(|brace| url[*brace..].contains('}'));
        let written = at + start..at + start + url.len();
        match reference {
            Some(0) => {}
            Some(brace) => {
                let part = url[..brace].to_owned();
                text.cut_link(written.start..written.start + brace, part, Some(Cut::Value));
            }
            None => text.cut_link(written.clone(), url.to_owned(), None),
        }
        text.gap(written.start, 0);
        done = bracket;
    }
    text.keep(&line[done..], at + done);
}

/// Returns where the target of a macro begins that ends with the text.
fn target(text: &[u8]) -> Option<usize> {
    // A passthrough may have blanks: `link:++https://h/a b++[]`.
    if text.ends_with(b"++") {
        let start = memchr::memmem::rfind(&text[..text.len() - 2], b":++")? + 1;
        return Some(start);
    }
    let word = text.iter().rposition(|octet| b" \t\n\r<>()\"'`|".contains(octet)).map_or(0, |at| at + 1);
    let colon = memchr::memmem::find(&text[word..], b"://")? + word;
    let name = text[word..colon]
        .iter()
        .rev()
        .take_while(|octet| octet.is_ascii_alphanumeric() || b"+-.".contains(octet))
        .count();
    let start = colon - name;
    let is_begin = start == word || BEFORE.contains(&text[start - 1]);
    let is_host = text.get(colon + 3).is_some_and(|octet| {
        octet.is_ascii_alphanumeric() || matches!(octet, b'/' | b'{' | b'_' | b'%' | b'[')
    });
    (name > 1 && is_begin && is_host).then_some(start)
}
