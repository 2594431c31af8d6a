//! What must be known before the links of a page are searched: its base and its encoding. Both are found
//! with the same scanner as the links.
//!
//! The base is that of "the first base element in tree order that has an href attribute" (HTML standard,
//! 2.4.3 "Document base URLs"), at any position; it also applies to the links before it. The encoding is
//! declared in the first octets (13.2.3.2, "prescan a byte stream to determine its encoding").

use std::io::{self, Read};
use std::ops::ControlFlow;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memmem;

use crate::decode::charset::Charset;
use crate::formats::html::attributes::{Kind, Name};
use crate::formats::html::scan::{Scanner, Token, TokenSink};
use crate::formats::html::tag::{Tag, is_space};
use crate::formats::html::value::Value;
use crate::link::reference::{without_breaks, without_edges};
use crate::search::input::{Search, Window};

/// Searches a document in memory.
pub(super) fn base_in(octets: &[u8]) -> Option<String> {
    if !has_tag(octets) {
        return None;
    }
    let mut look = BaseSearch { charset: Charset::new(encoding_of(octets)), ..BaseSearch::default() };
    let _ = look.scanner.scan(octets, true, &mut BaseReader { charset: look.charset, base: &mut look.base });
    look.base
}

/// Searches a document in a separate pass.
pub(super) fn find_base(
    window: &mut Window,
    source: &mut (impl Read + ?Sized),
) -> io::Result<Option<String>> {
    let mut look = BaseSearch::default();
    window.run(source, &mut look)?;
    Ok(look.base)
}

/// Returns whether the document contains "<base": most do not, and need no second pass.
fn has_tag(octets: &[u8]) -> bool {
    [b"<b", b"<B"].iter().any(|start| {
        memmem::find_iter(octets, start)
            .any(|at| octets.get(at + 1..at + 5).is_some_and(|name| name.eq_ignore_ascii_case(b"base")))
    })
}

#[derive(Default)]
struct BaseSearch {
    scanner: Scanner,
    charset: Charset,
    base: Option<String>,
}

impl Search for BaseSearch {
    fn search(&mut self, window: &Window) -> ControlFlow<(), usize> {
        if window.is_first() {
            self.charset = Charset::new(encoding_of(window.octets()));
        }
        let mut found = BaseReader { charset: self.charset, base: &mut self.base };
        self.scanner.scan(window.octets(), window.is_last(), &mut found)
    }

    fn skip_overlong(&mut self, window: &Window) {
        self.scanner.skip_overlong(window.octets());
    }
}

/// Stores the first base.
struct BaseReader<'a> {
    charset: Charset,
    base: &'a mut Option<String>,
}

impl TokenSink for BaseReader<'_> {
    fn take(&mut self, octets: &[u8], token: Token<'_>) -> ControlFlow<()> {
        let Token::Start { tag, space, in_noscript: false, is_inert: false, .. } = token else {
            return ControlFlow::Continue(());
        };
        if tag.name() != b"base" {
            return ControlFlow::Continue(());
        }
        let is_base = |name: &Name| name.kind_in(space, "base") == Some(Kind::Base);
        let Some(href) = tag.attributes().iter().find(|attribute| is_base(&attribute.name)) else {
            return ControlFlow::Continue(());
        };
        let value = Value::of(octets, href.value.clone(), self.charset);
        let text = value.text();
        *self.base = Some(without_breaks(&text[without_edges(text, 0..text.len())]).into_owned());
        ControlFlow::Break(())
    }
}

/// "the first 1024 bytes"
pub(super) const HEAD: usize = 1024;

/// Returns the encoding that the first octets declare, if any.
pub(super) fn encoding_of(octets: &[u8]) -> Option<&'static Encoding> {
    if octets.starts_with(b"\xEF\xBB\xBF") {
        return Some(UTF_8);
    }
    let head = &octets[..octets.len().min(HEAD)];
    memmem::find(&head.to_ascii_lowercase(), b"charset")?;
    let mut found = EncodingReader(None);
    let _ = Scanner::default().scan(head, false, &mut found);
    found.0
}

/// Returns the declared encoding if its tags are not ASCII, so that the page must be decoded first.
pub(super) fn wide_encoding_of(octets: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_bom(octets).map(|(encoding, _)| encoding).or_else(|| encoding_of(octets))?;
    // Content that the standard replaces as a whole has no readable links.
    (!encoding.is_ascii_compatible() && encoding != REPLACEMENT).then_some(encoding)
}

struct EncodingReader(Option<&'static Encoding>);

impl TokenSink for EncodingReader {
    fn take(&mut self, octets: &[u8], token: Token<'_>) -> ControlFlow<()> {
        if let Token::Start { tag, .. } = token
            && tag.name() == b"meta"
        {
            self.0 = encoding_in(octets, tag);
        }
        match self.0 {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}

fn encoding_in(octets: &[u8], tag: &Tag) -> Option<&'static Encoding> {
    let value = |name| tag.value(name).map(|value| &octets[value]);
    let is_content_type =
        value(Name::HTTP_EQUIV).is_some_and(|value| value.eq_ignore_ascii_case(b"content-type"));
    let label = match value(Name::CHARSET) {
        Some(label) => label,
        None if is_content_type => label_in(value(Name::CONTENT)?)?,
        None => return None,
    };
    let encoding = Encoding::for_label(label)?;
    // "If charset is UTF-16BE/LE, then set charset to UTF-8. If charset is x-user-defined, then set
    // charset to windows-1252."
    Some(match encoding {
        utf_16 if utf_16 == UTF_16BE || utf_16 == UTF_16LE => UTF_8,
        own if own == X_USER_DEFINED => WINDOWS_1252,
        other => other,
    })
}

/// "algorithm for extracting a character encoding from a meta element"
fn label_in(content: &[u8]) -> Option<&[u8]> {
    let small = content.to_ascii_lowercase();
    let after = memmem::find_iter(&small, b"charset").find_map(|at| {
        let rest = content[at + "charset".len()..].trim_ascii_start();
        rest.strip_prefix(b"=").map(<[u8]>::trim_ascii_start)
    })?;
    match after.first()? {
        quote @ (b'"' | b'\'') => {
            let within = &after[1..];
            Some(&within[..memchr::memchr(*quote, within)?])
        }
        _ => after.split(|octet| is_space(*octet) || *octet == b';').next(),
    }
}
