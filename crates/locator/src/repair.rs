//! Repairs invalid references, as browsers do.
//!
//! [`UriRef::parse_repaired`] takes a text as people write it and returns a valid reference. A text that
//! is valid as written stays as it is. From others it removes white space and percent-encodes the
//! characters that the edition rejects, if the result is valid. Follows the URL standard, 4.4 ("UTF-8
//! percent-encode" and "percent-encode after encoding"), XLink 1.1, 5.4.1, and RFC 3987, 3.1.
//!
//! The edition defines these characters for each component. "%" is escaped only where no two hex digits
//! follow it, because existing escapes must not be escaped again. Browsers keep such a "%" and send it
//! ("invalid-URL-unit" is no failure); the valid text of the same octet is "%25". "\" before the query is
//! "/" in a URL with a special scheme and in a reference without a scheme, as in browsers.
//!
//! [`escape_with`] is for documents, whose queries are in the encoding of the document.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use core::ops::Range;

use crate::edition::{self, Edition, RFC3987};
use crate::equivalence::Slashes;
use crate::error::ParseError;
use crate::pct::PctString;
use crate::reference::{UriRef, UriRefBuf, UriRefCow};
use crate::span::Component;

impl<'a> UriRef<'a> {
    /// Parses a text by RFC 3986 and repairs it if it is invalid.
    ///
    /// White space around it is removed, and so are line ends and tabs within (URL standard, 4.4).
    /// Characters that are not allowed are escaped as UTF-8, and so is a "%" without two hex digits,
    /// except in a host. A host beyond ASCII is converted to its DNS name. "\\" before the query is "/",
    /// and a host follows two of them, if the scheme is `http`, `https`, `ws`, `wss`, `ftp` or `file`;
    /// "\\" is "/" without a scheme, too. No scheme is added.
    ///
    /// ```
    /// use locator::UriRef;
    ///
    /// assert_eq!(
    ///     UriRef::parse_repaired(" http://é.example/a b|c\n")?,
    ///     "http://xn--9ca.example/a%20b%7Cc"
    /// );
    /// assert!(UriRef::parse_repaired("http://h/a%20b")?.is_borrowed());
    /// assert_eq!(UriRef::parse_repaired("http:\\\\h\\100%")?, "http://h/100%25");
    ///
    /// let error = UriRef::parse_repaired("http://u v@a b/").unwrap_err();
    /// assert_eq!(error.offset(), 12);
    /// # Ok::<_, locator::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error that cannot be repaired, at its place in the text as given.
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
    /// Returns the first error that cannot be repaired, at its place in the text as given.
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
        let slashed = with_slashes(&clean);
        let (text_with_host, scheme_end) = with_two_slashes(&slashed);
        let valid = |text: String| UriRefBuf::from_string_with(text, edition).ok();
        let repaired =
            mended(&text_with_host, edition, encode).or_else(|| Some(text_with_host.clone().into_owned()));
        repaired.and_then(valid).map(UriRefCow::Owned).ok_or_else(|| {
            // The slashes after the scheme are the only ones whose number changes.
            let added = text_with_host.len().wrapping_sub(clean.len());
            let in_clean = |at: usize| {
                if at <= scheme_end { at } else { at.wrapping_sub(added).max(scheme_end) }
            };
            match unmended(&text_with_host, edition) {
                Some(found) => {
                    let span = found.span();
                    let start = place_before_cleaning(text, in_clean(span.start));
                    let length = span.len().min(text.len() - start);
                    found.moved_to(start..start + length)
                }
                None => error,
            }
        })
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
    mended(&with_slashes(reference), edition, encode_query)
}

/// Returns a reference with escapes and the DNS name of its host; `None` if it stays invalid.
fn mended(
    reference: &str,
    edition: &'static Edition,
    encode_query: impl Fn(&str) -> PctString,
) -> Option<String> {
    let cut = DividedReference::new(reference);
    let has_own_encoding = !cut.is_opaque && edition.charset() == edition::Charset::Utf8;
    let mut text = reference[..cut.userinfo.start].to_owned();
    escape(&reference[cut.userinfo.clone()], edition, Component::Userinfo, None, &mut text)?;
    text.push_str(&reference[cut.userinfo.end..cut.path.start]);
    for (part, span) in cut.after_authority() {
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

/// Returns the first error that escapes do not mend, at its place in the reference.
fn unmended(reference: &str, edition: &'static Edition) -> Option<ParseError> {
    let cut = DividedReference::new(reference);
    let mut masked = reference.as_bytes().to_owned();
    let of_authority = [(Component::Userinfo, cut.userinfo.clone())];
    for (part, span) in of_authority.into_iter().chain(cut.after_authority()) {
        let lead = usize::from(matches!(part, Component::Query | Component::Fragment) && !span.is_empty());
        let from = span.start + lead;
        for range in Rejected::of(&reference[from..span.end], edition, part) {
            let rejected = &reference[from + range.start..from + range.end];
            if edition.charset().encode(rejected).is_ok() {
                // A character of no scheme and of every component.
                masked[from + range.start..from + range.end].fill(b'_');
            }
        }
    }
    let first = UriRef::parse_bytes_with(&masked, edition).err()?;
    if masked[first.span()] != reference.as_bytes()[first.span()] {
        return UriRef::parse_with(reference, edition).err();
    }
    // Characters beyond ASCII are those of a name, which has a form in ASCII unless another character
    // is wrong.
    let host = cut.userinfo.end..cut.path.start;
    if host.contains(&first.offset()) && !masked[first.offset()].is_ascii() {
        masked[host].iter_mut().filter(|octet| !octet.is_ascii()).for_each(|octet| *octet = b'a');
        return UriRef::parse_bytes_with(&masked, edition).err().or(Some(first));
    }
    Some(first)
}

/// Returns a reference with "/" for each "\" before the query that browsers read as "/": "Otherwise, if
/// url is special and c is U+005C (\)" (URL standard, path state and others).
fn with_slashes(reference: &str) -> Cow<'_, str> {
    let query = reference.find(['?', '#']).unwrap_or(reference.len());
    let (before, after) = reference.split_at(query);
    let is_kept = scheme_of(before).is_some_and(|scheme| Slashes::after(scheme) == Slashes::Counted);
    if is_kept || !before.contains('\\') {
        return Cow::Borrowed(reference);
    }
    Cow::Owned(before.replace('\\', "/") + after)
}

/// Returns a URL with two slashes between a special scheme and its host, and where the scheme ends: "If c
/// is neither U+002F (/) nor U+005C (\), then set state to authority state" (special authority ignore slashes
/// state). A file has a drive in its path, with ":": "file-invalid-Windows-drive-letter-host".
fn with_two_slashes(url: &str) -> (Cow<'_, str>, usize) {
    let query = url.find(['?', '#']).unwrap_or(url.len());
    let Some(scheme) = scheme_of(&url[..query]) else { return (Cow::Borrowed(url), 0) };
    let end = scheme.len() + 1;
    let rest = url[end..].trim_start_matches('/');
    let slashes = url.len() - end - rest.len();
    let fixed = match Slashes::after(scheme) {
        Slashes::BeforeHost if slashes != 2 => Some([&url[..end], "//", rest].concat()),
        Slashes::BeforeFile => with_drive(rest).map(|path| [&url[..end], "///", &path].concat()),
        _ => None,
    };
    (fixed.map_or(Cow::Borrowed(url), Cow::Owned), end)
}

/// Returns a path that begins with a drive, with ":" after its letter.
fn with_drive(path: &str) -> Option<String> {
    match path.as_bytes() {
        [letter, b':' | b'|'] | [letter, b':' | b'|', b'/' | b'?' | b'#', ..]
            if letter.is_ascii_alphabetic() =>
        {
            Some([&path[..1], ":", &path[2..]].concat())
        }
        _ => None,
    }
}

/// Returns the scheme of a reference without its query.
fn scheme_of(reference: &str) -> Option<&str> {
    // scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
    let in_name = |character: char| character.is_ascii_alphanumeric() || "+-.".contains(character);
    let (name, _) = reference.split_once(':')?;
    (name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(in_name)).then_some(name)
}

/// Returns the text without "any leading and trailing C0 control or space" and without "all ASCII tab
/// or newline".
fn without_space(text: &str) -> Cow<'_, str> {
    let is_break = |c: char| matches!(c, '\t' | '\n' | '\r');
    let text = text.trim_matches(|c: char| c <= ' ');
    if text.contains(is_break) { Cow::Owned(text.replace(is_break, "")) } else { Cow::Borrowed(text) }
}

/// Returns where a byte of the text [`without_space`] is in the text as given.
fn place_before_cleaning(text: &str, at: usize) -> usize {
    let start = text.len() - text.trim_start_matches(|c: char| c <= ' ').len();
    let kept = |(_, octet): &(usize, u8)| !matches!(octet, b'\t' | b'\n' | b'\r');
    let mut octets = text.bytes().enumerate().skip(start).filter(kept);
    octets.nth(at).map_or_else(|| text.trim_end_matches(|c: char| c <= ' ').len(), |(place, _)| place)
}

/// Returns the reference with its host converted to the DNS name.
fn with_host(text: &str, edition: &'static Edition) -> Option<String> {
    let iri = UriRef::parse_with(text, &RFC3987).ok()?;
    let uri = iri.to_uri_with_idna().ok()?;
    UriRef::parse_with(uri.as_str(), edition).is_ok().then(|| uri.as_str().to_owned())
}

/// A reference, divided as in appendix B, whatever its components contain.
struct DividedReference {
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

impl DividedReference {
    fn new(reference: &str) -> Self {
        let fragment = reference.find('#').unwrap_or(reference.len());
        let query = reference[..fragment].find('?').unwrap_or(fragment);
        let scheme = scheme_of(&reference[..query]).map(str::len);
        let hier = scheme.map_or(0, |colon| colon + 1);
        let (userinfo, path) = match reference[hier..query].strip_prefix("//") {
            Some(rest) => {
                let authority = &rest[..rest.find('/').unwrap_or(rest.len())];
                (hier + 2..hier + 2 + authority.rfind('@').unwrap_or(0), hier + 2 + authority.len())
            }
            None => (hier..hier, hier),
        };
        let is_opaque = scheme.is_some() && !reference[hier..].starts_with('/');
        let (path, query, fragment) = (path..query, query..fragment, fragment..reference.len());
        Self { userinfo, path, query, fragment, is_opaque }
    }

    fn after_authority(&self) -> [(Component, Range<usize>); 3] {
        [
            (Component::Path, self.path.clone()),
            (Component::Query, self.query.clone()),
            (Component::Fragment, self.fragment.clone()),
        ]
    }
}

/// Appends a component with escapes for the characters that are not allowed, and for each "%" that begins
/// no escape. Returns `None` if a character is not in the charset of the edition.
fn escape(
    component: &str,
    edition: &'static Edition,
    part: Component,
    encode: Option<&dyn Fn(&str) -> PctString>,
    text: &mut String,
) -> Option<()> {
    let mut end = 0;
    for range in Rejected::of(component, edition, part) {
        text.push_str(&component[end..range.start]);
        end = range.end;
        let rejected = &component[range];
        let escapes = match encode {
            _ if rejected == "%" => {
                text.push_str("%25");
                continue;
            }
            Some(encode) => encode(rejected),
            None => PctString::encode(edition.charset().encode(rejected).ok()?, edition.set(part)),
        };
        text.push_str(escapes.as_str());
    }
    text.push_str(&component[end..]);
    Some(())
}

/// The ranges of a component that are to be escaped: runs of characters that the edition rejects, and
/// each "%" that begins no escape, alone.
struct Rejected<'a> {
    component: &'a str,
    at: usize,
    edition: &'static Edition,
    part: Component,
}

impl<'a> Rejected<'a> {
    const fn of(component: &'a str, edition: &'static Edition, part: Component) -> Self {
        Self { component, at: 0, edition, part }
    }
}

impl Iterator for Rejected<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let is_kept = |character: char| self.edition.allows(self.part, character);
        loop {
            let rest = &self.component[self.at..];
            let start = self.at + rest.find(|c| c == '%' || !is_kept(c))?;
            let rejected = &self.component[start..];
            if let Some(after) = rejected.strip_prefix('%') {
                self.at = start + 1;
                match after.as_bytes() {
                    [high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {}
                    _ => return Some(start..self.at),
                }
            } else {
                let length = rejected.find(|c| c == '%' || is_kept(c)).unwrap_or(rejected.len());
                self.at = start + length;
                return Some(start..self.at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

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
            ("100%", Some("100%25")),
            ("100% x%2", Some("100%25%20x%252")),
            ("a%%41%é%zz", Some("a%25%41%25%C3%A9%25zz")),
            ("?100%#%u20AC", Some("?100%25#%25u20AC")),
            ("http://u%:%p@h/%", Some("http://u%25:%25p@h/%25")),
            ("a\\b c", Some("a/b%20c")),
            ("a\\b?c\\d#e\\f", Some("a/b?c%5Cd#e%5Cf")),
            ("\\\\h\\a", Some("//h/a")),
            ("http:\\\\h\\a b", Some("http://h/a%20b")),
            ("HTTPS:\\/u\\@h\\", Some("HTTPS://u/@h/")),
            ("foo://h/a\\b", Some("foo://h/a%5Cb")),
            ("foo://h\\a", None),
            ("c:\\a", Some("c:%5Ca")),
            ("http://u w@h/", Some("http://u%20w@h/")),
            ("http://u:p|w@h/a b", Some("http://u:p%7Cw@h/a%20b")),
            ("//ü@é.example/", Some("//%C3%BC@xn--9ca.example/")),
            ("http://u@v:p@h/", Some("http://u%40v:p@h/")),
            ("http://u w@h?a@b", Some("http://u%20w@h?a@b")),
            ("mailto:a b@h", Some("mailto:a%20b@h")),
            ("http://u w@a b/", None),
            ("http://u%zw@h/", Some("http://u%25zw@h/")),
            ("http://h%/", None),
            ("http://a%zz/", None),
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
            (" 100% ", Some("100%25")),
            ("http://h/%\n41 ", Some("http://h/%41")),
            // A host follows the slashes of a special scheme, whatever their number.
            ("http:\\h\\a", Some("http://h/a")),
            ("http:///h/a b", Some("http://h/a%20b")),
            ("wss:h/|", Some("wss://h/%7C")),
            ("http:\t\\\\\\h", Some("http://h")),
            ("foo:///h/a b", Some("foo:///h/a%20b")),
            // That of a file may be missing, and a drive is none.
            ("file:\\\\\\C:\\a", Some("file:///C:/a")),
            ("file:\\\\C:\\a b", Some("file:///C:/a%20b")),
            ("file:C|\\a", Some("file:///C:/a")),
            ("file:///c|/a", Some("file:///c:/a")),
            ("file:\\\\server\\share", Some("file://server/share")),
            ("file:\\a", Some("file:/a")),
        ] {
            let repaired = UriRef::parse_repaired(written).ok();
            assert_eq!(repaired.as_ref().map(UriRefCow::as_str), expected, "{written:?}");
        }
    }

    #[test]
    fn the_error_is_what_cannot_be_repaired() {
        for (written, edition, expected) in [
            ("http://u v@a b/", &RFC3986, "a space is not allowed in the host, at byte 12"),
            ("http://h|/a b", &RFC3986, "\"|\" is not allowed in the host, at byte 8"),
            (" http://u v@a\tb c/", &RFC3986, "a space is not allowed in the host, at byte 15"),
            ("http:///\\a b/c d", &RFC3986, "a space is not allowed in the host, at byte 10"),
            ("http:a b", &RFC3986, "a space is not allowed in the host, at byte 6"),
            ("http://h%/100%", &RFC3986, "\"%\" in the host is not followed by two hex digits, at byte 8"),
            ("http://u%@h:8a/|", &RFC3986, "\"a\" is not allowed in the port, at byte 13"),
            ("http://é h/é", &RFC3986, "a space is not allowed in the host, at byte 9"),
            ("http://u|@[::1/", &RFC3986, "\"[\" has no matching \"]\", at byte 10"),
            ("a b:c%", &RFC3986, "a space is not allowed in the scheme, at byte 1"),
            ("1:a b", &RFC3986, "a scheme cannot begin with \"1\", at byte 0"),
            ("foo://h\\a|", &RFC3986, "\"\\\" is not allowed in the host, at byte 7"),
            ("http://h/a b€", &URL_1993, "U+20AC is not allowed in the path, at byte 12"),
        ] {
            let error = UriRef::parse_repaired_with(written, edition).expect_err(written).to_string();
            assert!(error.starts_with(expected), "{written}: {error}");
        }
    }
}
