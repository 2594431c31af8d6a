//! Texts that are references as they are, but URLs with a scheme or a host of their own for a program
//! that decodes them first: percent-encoding, and the character references of HTML.

use alloc::string::String;

use super::check::{Check, Subject};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use crate::schemes;
use crate::schemes::Fetched;
use locator::Component;
use locator::internal::escaped_octet;
use locator_whatwg::{UrlRef, url};

pub(super) static CHECK: Check = Check { codes: &[&ABSOLUTE], run };

static ABSOLUTE: Code = Code {
    name: "absolute-when-decoded",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "the text is a path; for a program that decodes it first, it has a scheme or a host",
    advice: "decode as often as the program that opens the URL does, then check",
    citation: "RFC 3986, 2.4 and 7.3",
    explanation: "A check for \"//\" or \"javascript:\" finds nothing in /%2f/evil.example or in java&#115;cript:, \
        but a server that decodes a parameter once more, or a page that contains the text, has a URL of another server \
        or a program.",
    example: "javascript&colon;alert(1)",
};

/// The beginning of a text that is decoded: no scheme with its slashes is longer, escaped or not.
const LIMIT: usize = 256;

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    // Appendix B takes what is before ":" for a scheme, even an escape.
    let is_escaped = subject.scheme().contains(['%', '&']);
    let has_own = subject.span(Component::Authority).is_some() || Fetched::SPECIAL.contains(subject.scheme());
    let has_own = has_own && !is_escaped;
    if has_own || subject.least > Severity::Medium {
        return;
    }
    let end = subject.text.find('?').unwrap_or(subject.text.len());
    let mut limit = end.min(LIMIT);
    while !subject.text.is_char_boundary(limit) {
        limit -= 1;
    }
    let text = &subject.text[..limit];
    if !text.contains(['%', '&']) {
        return;
    }
    let decoded = decoded(text);
    if decoded != text.trim() && has_scheme_or_host(&decoded) && !schemes::runs_code(subject.scheme()) {
        findings.push(Finding::new(&ABSOLUTE, Component::Reference, 0..end));
    }
}

/// Returns whether browsers find a scheme that runs code, or a host of its own.
fn has_scheme_or_host(decoded: &str) -> bool {
    const BASE: UrlRef<'static> = url!("wss://base.invalid/");
    let Ok(url) = BASE.to_url().join(decoded) else { return false };
    schemes::runs_code(url.scheme())
        || Fetched::SPECIAL.contains(url.scheme()) && url.host_str() != BASE.host_str()
}

/// Returns the text with its escapes and character references decoded once.
fn decoded(text: &str) -> String {
    let (mut written, mut rest) = (String::new(), text.trim());
    while let Some(c) = rest.chars().next() {
        let (c, length) = match c {
            '%' => escaped_octet(rest.as_bytes()).filter(u8::is_ascii).map_or((c, 1), |o| (char::from(o), 3)),
            '&' => character_reference(rest).unwrap_or((c, 1)),
            _ => (c, c.len_utf8()),
        };
        written.push(c);
        rest = rest.get(length..).unwrap_or_default();
    }
    written
}

/// Reads a character reference of HTML: the character and the length of the reference.
fn character_reference(text: &str) -> Option<(char, usize)> {
    let body = text.strip_prefix('&')?;
    if let Some(number) = body.strip_prefix('#') {
        let hexadecimal = number.strip_prefix(['x', 'X']);
        let (digits, radix) = hexadecimal.map_or((number, 10), |digits| (digits, 16));
        let length = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
        let c = u32::from_str_radix(digits.get(..length)?, radix).ok().and_then(char::from_u32)?;
        let end = text.len() - digits.len() + length;
        return Some((c, end + usize::from(text.as_bytes().get(end) == Some(&b';'))));
    }
    NAMED.iter().find(|(name, _)| body.starts_with(name)).map(|(name, c)| (*c, 1 + name.len()))
}

/// References to characters that divide a URL or that browsers remove (HTML, 13.5).
static NAMED: [(&str, char); 6] = [
    ("Tab;", '\t'),
    ("NewLine;", '\n'),
    ("colon;", ':'),
    ("sol;", '/'),
    ("bsol;", '\\'),
    ("nbsp;", '\u{A0}'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_and_escapes_are_decoded_once() {
        for (text, expected) in [
            ("java&#115;cript&colon;x", "javascript:x"),
            ("&#x6A;avascript&#58x", "javascript:x"),
            ("&#0000106avascript", "javascript"),
            ("%2f%252f&sol;a", "/%2f/a"),
            ("a&amp;b&#;c&", "a&amp;b&#;c&"),
            ("\u{E9}%c3%a9", "\u{E9}%c3%a9"),
        ] {
            assert_eq!(decoded(text), expected, "{text}");
        }
    }
}
