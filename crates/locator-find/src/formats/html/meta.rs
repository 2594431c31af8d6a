//! The encoding that a page declares, found in its first octets. Follows the HTML standard,
//! 13.2.3.2: "prescan a byte stream to determine its encoding", with the same scanner as for links.

use std::ops::ControlFlow;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memmem;

use super::attributes::Name;
use super::scan::{Scanner, Token, TokenSink};
use super::tag::{Tag, is_space};

/// "the first 1024 bytes"
pub(super) const HEAD: usize = 1024;

/// Returns the encoding that the first octets declare, if any.
pub(super) fn encoding_of(octets: &[u8]) -> Option<&'static Encoding> {
    if octets.starts_with(b"\xEF\xBB\xBF") {
        return Some(UTF_8);
    }
    let head = &octets[..octets.len().min(HEAD)];
    memmem::find(&head.to_ascii_lowercase(), b"charset")?;
    let mut found = Found(None);
    let _ = Scanner::default().scan(head, false, &mut found);
    found.0
}

/// Returns the declared encoding if its tags are not ASCII, so that the page must be decoded first.
pub(super) fn wide_encoding_of(octets: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_bom(octets).map(|(encoding, _)| encoding).or_else(|| encoding_of(octets))?;
    // Content that the standard replaces as a whole has no readable links.
    (!encoding.is_ascii_compatible() && encoding != REPLACEMENT).then_some(encoding)
}

struct Found(Option<&'static Encoding>);

impl TokenSink for Found {
    fn take(&mut self, octets: &[u8], met: Token<'_>) -> ControlFlow<()> {
        if let Token::Start { tag, .. } = met
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
