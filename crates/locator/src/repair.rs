//! Repairs invalid references, as browsers do.
//!
//! [`UriRef::parse_repaired`] takes a text as people write it and returns a valid reference. A text that
//! is valid as written stays as it is. From others it removes white space and percent-encodes the
//! characters that the edition rejects, if the result is valid. Follows the URL standard, 4.4 ("UTF-8
//! percent-encode" and "percent-encode after encoding"), XLink 1.1, 5.4.1, and RFC 3987, 3.1.
//!
//! The edition defines these characters for each component. "%" is never escaped, because existing
//! escapes must not be escaped again. Nor is "\" in a path, which browsers convert to "/".
//!
//! [`escape_with`] is for documents, whose queries are in the encoding of the document.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use core::ops::Range;

use crate::edition::{self, Edition, RFC3987};
use crate::error::ParseError;
use crate::pct::PctString;
use crate::reference::{UriRef, UriRefBuf, UriRefCow};
use crate::span::Component;

impl<'a> UriRef<'a> {
    /// Parses a text by RFC 3986 and repairs it if it is invalid.
    ///
    /// White space around it is removed, and so are line ends and tabs within (URL standard, 4.4).
    /// Characters that are not allowed are escaped as UTF-8, and a host beyond ASCII is converted to its
    /// DNS name. Nothing else is changed: "%" and "\" are not repaired, and no scheme is added.
    ///
    /// ```
    /// use locator::UriRef;
    ///
    /// assert_eq!(
    ///     UriRef::parse_repaired(" http://é.example/a b|c\n")?,
    ///     "http://xn--9ca.example/a%20b%7Cc"
    /// );
    /// assert!(UriRef::parse_repaired("http://h/a%20b")?.is_borrowed());
    /// assert!(UriRef::parse_repaired("http://h/100%").is_err());
    /// # Ok::<_, locator::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error of the text as given, if it cannot be repaired.
    pub fn parse_repaired(text: &'a str) -> Result<UriRefCow<'a>, ParseError> {
        Self::parse_repaired_with(text, edition::DEFAULT)
    }

    /// Parses a text by an edition and repairs it if it is invalid, as
    /// [`parse_repaired`](Self::parse_repaired) does by RFC 3986.
    ///
    /// ```
    /// use locator::{UriRef, edition::RFC3987};
    ///
    /// assert_eq!(UriRef::parse_repaired_with("é x", &RFC3987)?, "é%20x");
    /// # Ok::<_, locator::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error of the text as given, if it cannot be repaired.
    pub fn parse_repaired_with(
        text: &'a str,
        edition: &'static Edition,
    ) -> Result<UriRefCow<'a>, ParseError> {
        let error = match UriRef::parse_with(text, edition) {
            Ok(reference) => return Ok(UriRefCow::Borrowed(reference)),
            Err(error) => error,
        };
        let clean = without_space(text);
        if let Cow::Borrowed(within) = clean
            && let Ok(reference) = UriRef::parse_with(within, edition)
        {
            return Ok(UriRefCow::Borrowed(reference));
        }
        let encode = |query: &str| PctString::encode(query, edition.set(Component::Query));
        let valid = |text: String| UriRefBuf::from_string_with(text, edition).ok();
        let repaired = escape_with(&clean, edition, encode).or_else(|| Some(clean.into_owned()));
        repaired.and_then(valid).map(UriRefCow::Owned).ok_or(error)
    }
}

/// Escapes the characters of an invalid reference that its edition rejects, where the query has an
/// encoding of its own; returns `None` if the reference is valid as written or stays invalid.
///
/// `encode_query` takes the characters of a query that the edition rejects, and returns what replaces
/// them. "If encoding is not UTF-8 and url is not special \[...\] then set encoding to UTF-8" (URL standard,
/// query state): it is not called for a URL without "/" after the scheme, nor by an edition with a
/// charset of its own.
///
/// ```
/// use locator::{
///     Charset, Component, PctString, edition::RFC3986, repair::escape_with,
/// };
///
/// let latin1 = |query: &str| {
///     let octets = Charset::Latin1.encode(query).unwrap_or("?".as_bytes().into());
///     PctString::encode(octets, RFC3986.set(Component::Query))
/// };
/// assert_eq!(
///     escape_with("/é?é", &RFC3986, latin1).as_deref(),
///     Some("/%C3%A9?%E9")
/// );
/// assert_eq!(escape_with("/a?b", &RFC3986, latin1), None);
/// ```
#[must_use]
pub fn escape_with(
    reference: &str,
    edition: &'static Edition,
    encode_query: impl Fn(&str) -> PctString,
) -> Option<String> {
    if UriRef::parse_with(reference, edition).is_ok() {
        return None;
    }
    let cut = Cut::new(reference);
    if reference[cut.path.clone()].contains('\\') && !cut.is_opaque {
        return None;
    }
    let has_own_encoding = !cut.is_opaque && edition.charset() == edition::Charset::Utf8;
    let mut text = reference[..cut.userinfo.start].to_owned();
    escape(&reference[cut.userinfo.clone()], edition, Component::Userinfo, None, &mut text)?;
    text.push_str(&reference[cut.userinfo.end..cut.path.start]);
    for (part, span) in
        [(Component::Path, cut.path), (Component::Query, cut.query), (Component::Fragment, cut.fragment)]
    {
        // The delimiter of a component is not part of it.
        let lead = usize::from(part != Component::Path && !span.is_empty());
        text.push_str(&reference[span.start..span.start + lead]);
        let encode: Option<&dyn Fn(&str) -> PctString> =
            if part == Component::Query && has_own_encoding { Some(&encode_query) } else { None };
        escape(&reference[span.start + lead..span.end], edition, part, encode, &mut text)?;
    }
    match UriRef::parse_with(&text, edition) {
        Ok(_) => Some(text),
        Err(_) => with_host(&text, edition),
    }
}

/// Returns the text without "any leading and trailing C0 control or space" and without "all ASCII tab
/// or newline".
fn without_space(text: &str) -> Cow<'_, str> {
    let is_break = |c: char| matches!(c, '\t' | '\n' | '\r');
    let text = text.trim_matches(|c: char| c <= ' ');
    if text.contains(is_break) { Cow::Owned(text.replace(is_break, "")) } else { Cow::Borrowed(text) }
}

/// Returns the reference with its host converted to the DNS name.
fn with_host(text: &str, edition: &'static Edition) -> Option<String> {
    let iri = UriRef::parse_with(text, &RFC3987).ok()?;
    let uri = iri.to_uri_with_idna().ok()?;
    UriRef::parse_with(uri.as_str(), edition).is_ok().then(|| uri.as_str().to_owned())
}

/// A reference, divided as in appendix B, whatever its components contain.
struct Cut {
    /// The user and the password, before the last "@" of the authority: "Set atSignSeen to true"
    /// and "append "%40"" for an "@" before it (URL standard, authority state).
    userinfo: Range<usize>,
    path: Range<usize>,
    /// The query with its "?".
    query: Range<usize>,
    /// The fragment with its "#".
    fragment: Range<usize>,
    /// Whether it has a scheme without a slash after it.
    is_opaque: bool,
}

impl Cut {
    fn new(reference: &str) -> Self {
        let fragment = reference.find('#').unwrap_or(reference.len());
        let query = reference[..fragment].find('?').unwrap_or(fragment);
        // scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
        let in_name = |character: char| character.is_ascii_alphanumeric() || "+-.".contains(character);
        let scheme = reference[..query].find(':').filter(|colon| {
            let name = &reference[..*colon];
            name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(in_name)
        });
        let hier = scheme.map_or(0, |colon| colon + 1);
        let (userinfo, path) = match reference[hier..query].strip_prefix("//") {
            Some(rest) => {
                let authority = &rest[..rest.find(['/', '\\']).unwrap_or(rest.len())];
                (hier + 2..hier + 2 + authority.rfind('@').unwrap_or(0), hier + 2 + authority.len())
            }
            None => (hier..hier, hier),
        };
        let is_opaque = scheme.is_some() && !reference[hier..].starts_with(['/', '\\']);
        let (path, query, fragment) = (path..query, query..fragment, fragment..reference.len());
        Self { userinfo, path, query, fragment, is_opaque }
    }
}

/// Appends a component with escapes for the characters that are not allowed; "%" is never escaped.
/// Returns `None` if a character is not in the charset of the edition.
fn escape(
    component: &str,
    edition: &'static Edition,
    part: Component,
    encode: Option<&dyn Fn(&str) -> PctString>,
    text: &mut String,
) -> Option<()> {
    let is_kept = |character: char| character == '%' || edition.allows(part, character);
    let mut rest = component;
    while let Some(kept) = rest.find(|character| !is_kept(character)) {
        let length = rest[kept..].find(is_kept).unwrap_or(rest.len() - kept);
        let rejected = &rest[kept..kept + length];
        let escapes = match encode {
            Some(encode) => encode(rejected),
            None => PctString::encode(edition.charset().encode(rejected).ok()?, edition.set(part)),
        };
        text.push_str(&rest[..kept]);
        text.push_str(escapes.as_str());
        rest = &rest[kept + length..];
    }
    text.push_str(rest);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edition::{RFC1738, RFC3986, URL_1993};

    fn escaped(text: &str, edition: &'static Edition) -> Option<String> {
        let encode = |query: &str| {
            edition
                .charset()
                .encode(query)
                .map(|octets| PctString::encode(octets, edition.set(Component::Query)))
                .unwrap_or_default()
        };
        escape_with(text, edition, encode)
    }

    #[test]
    fn what_is_refused_is_escaped_and_no_more() {
        for (written, expected) in [
            ("x y", Some("x%20y")),
            ("é", Some("%C3%A9")),
            ("a%20b c", Some("a%20b%20c")),
            ("a[1]{2}<3>\"^`|", Some("a%5B1%5D%7B2%7D%3C3%3E%22%5E%60%7C")),
            ("?a b\\c[]|#d e#f", Some("?a%20b%5Cc%5B%5D%7C#d%20e%23f")),
            ("//h/a b?c d#e f", Some("//h/a%20b?c%20d#e%20f")),
            ("http://é.example/é", Some("http://xn--9ca.example/%C3%A9")),
            ("javascript:a(\"\\n\")", Some("javascript:a(%22%5Cn%22)")),
            // Valid as written, or invalid with every escape.
            ("x%20y", None),
            ("100%", None),
            ("100% x", None),
            ("a\\b c", None),
            ("http:\\\\h\\a b", None),
            ("http://u w@h/", Some("http://u%20w@h/")),
            ("http://u:p|w@h/a b", Some("http://u:p%7Cw@h/a%20b")),
            ("//ü@é.example/", Some("//%C3%BC@xn--9ca.example/")),
            ("http://u@v:p@h/", Some("http://u%40v:p@h/")),
            ("http://u w@h?a@b", Some("http://u%20w@h?a@b")),
            ("mailto:a b@h", Some("mailto:a%20b@h")),
            ("http://u w@a b/", None),
            ("http://u%zw@h/", None),
            ("http://[bad", None),
            ("http://a b/c d", None),
            ("a b:c", None),
        ] {
            assert_eq!(escaped(written, &RFC3986).as_deref(), expected, "{written}");
        }
    }

    #[test]
    fn an_edition_says_what_it_refuses() {
        assert_eq!(escaped("é x", &RFC3987).as_deref(), Some("é%20x"));
        assert_eq!(escaped("http://h/~a b", &RFC1738).as_deref(), Some("http://h/%7Ea%20b"));
        assert_eq!(escaped("http://h/é?é#é", &URL_1993).as_deref(), Some("http://h/%E9?%E9#%E9"));
        assert_eq!(escaped("http://h/€", &URL_1993), None);
    }

    #[test]
    fn white_space_is_removed_where_a_reference_is_invalid() {
        for (written, expected) in [
            (" http://h/a ", Some("http://h/a")),
            ("ht\ntp://h/\ta\r\n", Some("http://h/a")),
            ("\u{1}http://h/\u{1f}", Some("http://h/")),
            (" \t", Some("")),
            ("", Some("")),
            // U+00A0 is no white space of the URL standard.
            ("http://h/a\u{a0}", Some("http://h/a%C2%A0")),
            ("\u{a0}http://h/a", None),
            (" 100% ", None),
        ] {
            let repaired = UriRef::parse_repaired(written).ok();
            assert_eq!(repaired.as_ref().map(UriRefCow::as_str), expected, "{written:?}");
        }
        let error = UriRef::parse_repaired(" a%").expect_err("it has half an escape");
        assert_eq!(error.offset(), 0);
    }
}
