//! File names for the documents of WAIS: takes the URL of a document and the headline by which a search
//! has listed it, returns a name. The identifier in the URL is octets for its server, and no name.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use locator::scheme::{WaisDocument, WaisObject, WaisUrl};
use locator::{Edition, UriRef};

use crate::terminal::visible::does_harm;

/// The headlines of the documents in a list of URLs, until they are fetched.
#[derive(Debug, Default)]
pub(super) struct Headlines(Mutex<HashMap<String, String>>);

impl Headlines {
    /// Keeps the headline of a URL, if it is one of a document.
    pub(super) fn keep(&self, url: &[u8], headline: &[u8], edition: &'static Edition) {
        let Ok(url) = str::from_utf8(url) else { return };
        if UriRef::parse_with(url, edition).is_ok_and(|url| document(url).is_some()) {
            self.all().insert(url.into(), String::from_utf8_lossy(headline).into_owned());
        }
    }

    /// Returns the headline of a URL, once.
    pub(super) fn take(&self, url: UriRef<'_>) -> Option<String> {
        self.all().remove(url.as_str())
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Splits a line of a list that `get` has printed: a URL, a tab and a name.
pub(super) fn with_name(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let tab = memchr::memchr(b'\t', line)?;
    Some((line.get(..tab)?, line.get(tab + 1..)?))
}

/// The number of characters of the longest name, without its suffix.
const LONGEST: usize = 100;

/// Returns the name of a document: its headline, or the last segment of its server's own name for it,
/// with the suffix of its type. `None` if the URL is not one of a document.
pub(super) fn name(url: UriRef<'_>, headline: Option<&str>) -> Option<String> {
    let document = document(url)?;
    let name = match headline {
        Some(headline) => safe(headline),
        None => safe(&local_name(&document).unwrap_or_default()),
    };
    let suffix = suffix(&document.wtype.decode()).filter(|_| !name.is_empty() && !has_suffix(&name));
    Some([&*name, suffix.unwrap_or_default()].concat())
}

fn document(url: UriRef<'_>) -> Option<WaisDocument<'_>> {
    match WaisUrl::of(url).ok()?.object {
        WaisObject::Document(document) => Some(document),
        _ => None,
    }
}

/// Returns a text without what has a meaning in file names.
fn safe(text: &str) -> String {
    let replaced = |c: char| match c {
        '/' | '\\' | ':' | '<' | '>' | '"' | '|' | '?' | '*' => '_',
        c if c.is_control() || does_harm(c) => '_',
        c => c,
    };
    let text = text.trim_start_matches(|c: char| c == '.' || c.is_whitespace());
    let name: String = text.chars().map(replaced).take(LONGEST).collect();
    name.trim_end_matches(|c: char| c == '.' || c.is_whitespace()).into()
}

/// Returns the last segment of the name that the server has for a document: field 3 of its identifier,
/// which is `START END PATH`.
fn local_name(document: &WaisDocument<'_>) -> Option<String> {
    let identifier = document.identifier().ok()?;
    let mut rest = &identifier[..];
    loop {
        let tag = number(&mut rest)?;
        let length = number(&mut rest)?;
        let (value, after) = rest.split_at_checked(length)?;
        if tag == 3 {
            let last = value.rsplit(|&octet| octet == b'/' || octet == b' ').next()?;
            return Some(String::from_utf8_lossy(last).into_owned());
        }
        rest = after;
    }
}

/// Takes a number to the base 128, the most significant digit first; all but the last have the high bit.
fn number(octets: &mut &[u8]) -> Option<usize> {
    let mut number = 0_usize;
    loop {
        let (&octet, rest) = octets.split_first()?;
        *octets = rest;
        number = number.checked_mul(128)?.checked_add(usize::from(octet & 0x7F))?;
        if octet < 0x80 {
            return Some(number);
        }
    }
}

/// Returns whether a name ends in a suffix, such as `.txt`.
fn has_suffix(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, suffix)| {
        (1..=4).contains(&suffix.len()) && suffix.bytes().all(|octet| octet.is_ascii_alphanumeric())
    })
}

/// Returns the usual suffix of a type of documents.
fn suffix(wtype: &[u8]) -> Option<&'static str> {
    Some(match wtype {
        b"TEXT" => ".txt",
        b"HTML" => ".html",
        b"WSRC" => ".src",
        b"GIF" => ".gif",
        b"JPEG" => ".jpg",
        b"TIFF" => ".tif",
        b"PS" => ".ps",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        const APPLE: &str = "wais://h/db/TEXT/%01%01h%02%02db%03%0F0%20114%20/a/b/pear";
        const FIELDS: &str = "wais://h/db/GIF/9/1=h;2=db;3=0%209%20big.gif;7=%00;";
        for (url, headline, expected) in [
            (APPLE, None, Some("pear.txt")),
            (APPLE, Some("Apples & pears"), Some("Apples & pears.txt")),
            (APPLE, Some("../../etc/passwd"), Some("_.._etc_passwd.txt")),
            (APPLE, Some("a\tb\u{202E}\u{1B}[2Jc.html "), Some("a_b__[2Jc.html")),
            (APPLE, Some(" . "), Some("")),
            (FIELDS, None, Some("big.gif")),
            (FIELDS, Some("A map"), Some("A map.gif")),
            ("wais://h/db/ODD/%03%01a", None, Some("a")),
            ("wais://h/db/TEXT/%FF%FF", None, Some("")),
            ("wais://h/db?apple", None, None),
            ("http://h/a", Some("x"), None),
        ] {
            let name = name(UriRef::parse(url).unwrap(), headline);
            assert_eq!(name.as_deref(), expected, "{url} {headline:?}");
        }
        let long = name(UriRef::parse(APPLE).unwrap(), Some(&"ä".repeat(1_000)));
        assert_eq!(long.unwrap().chars().count(), 104);
    }
}
