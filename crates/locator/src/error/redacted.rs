//! Hides the passwords of a text, and renders reports of errors below the redacted text.
//!
//! The search for passwords does not rely on the parser, because an invalid text has no reliable
//! components: in `ftp://gisle@aas.no:secret@host/` the grammar takes the password for a port. The
//! search therefore hides all text between the first ":" after "//" and the last "@" before the
//! next "/". See RFC 3986, 7.5: "Applications should not render as clear text any data after the
//! first colon (":") character found within a userinfo subcomponent".

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt::{self, Debug, Display, Formatter};
use core::ops::Range;

use super::parse_error::ParseError;

/// A text whose passwords are hidden when it is shown, with reports of its errors.
///
/// The references of this crate, builders, logins, errors with a text and the messages of a plan
/// hide passwords in their `Debug`, so that a value that contains them can be logged. Components
/// ([`Authority`](crate::Authority), [`Userinfo`](crate::Userinfo), [`PctStr`](crate::PctStr), …),
/// [`Value`](crate::Value) and texts of a plan such as
/// [`Next::Url`](crate::plan::Next::Url) are shown as they are, and so is everything by
/// `Display`.
///
/// ```
/// use locator::{Redacted, UriRef};
///
/// let text = "ftp://gisle:sec ret@host/";
/// assert_eq!(Redacted::new(text).to_string(), "ftp://gisle:(hidden)@host/");
///
/// let error = UriRef::parse(text).unwrap_err();
/// let message = "a hidden character is not allowed in the userinfo";
/// assert!(Redacted::new(text).report(error).to_string().starts_with(message));
/// ```
#[derive(Clone)]
pub struct Redacted<'a> {
    text: &'a str,
    /// The hidden ranges, from left to right.
    hidden: Vec<Range<usize>>,
}

impl<'a> Redacted<'a> {
    /// The replacement for a hidden password.
    pub const HIDDEN: &'static str = "(hidden)";

    /// Creates a redacted text that hides every possible password; the text need not be valid.
    ///
    /// ```
    /// use locator::Redacted;
    ///
    /// // Not valid, so nobody knows where the password ends.
    /// let shown = Redacted::new("https://jan:a b@c@h/").to_string();
    /// assert!(!shown.contains("a b"));
    /// assert_eq!(Redacted::new("/a/b").to_string(), "/a/b");
    /// ```
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let hidden = Scan { octets: text.as_bytes(), trusts: false }.passwords(0);
        Self { text, hidden }
    }

    /// Creates a redacted text of the valid UTF-8 that a text begins with. Passwords are looked for
    /// in the whole text, so their ranges may be beyond the valid part.
    pub(super) fn of_bytes(octets: &'a [u8]) -> Self {
        let hidden = Scan { octets, trusts: false }.passwords(0);
        Self { text: valid_part(octets), hidden }
    }

    /// Creates a redacted text from a valid reference: hides its password and those of URLs in its
    /// path, query and fragment.
    ///
    /// `authority_end` is the end of its authority, or 0 if it has none. Without an authority, or
    /// with an empty one, the first name of the path may be a login: browsers and curl take `h` in
    /// `http:/u:p@h/` and in `http:///u:p@h/` for the host.
    #[must_use]
    pub fn parsed(text: &'a str, password: Option<Range<usize>>, authority_end: usize) -> Self {
        let is_empty = text.as_bytes().get(..authority_end).is_none_or(|before| before.ends_with(b"/"));
        let from = if is_empty { 0 } else { authority_end };
        let in_rest = Scan { octets: text.as_bytes(), trusts: true }.passwords(from);
        let hidden = password.filter(|password| !password.is_empty()).into_iter().chain(in_rest);
        Self { text, hidden: hidden.collect() }
    }

    /// Creates a text that hides nothing.
    #[must_use]
    pub fn exact(text: &'a str) -> Self {
        Self { text, hidden: Vec::new() }
    }

    /// Hides further ranges, each as a whole character or more; ranges that overlap become one.
    ///
    /// ```
    /// let text = locator::Redacted::new("http://u:p@h/?token=abc").hide([20..23]);
    /// assert_eq!(text.to_string(), "http://u:(hidden)@h/?token=(hidden)");
    /// ```
    #[must_use]
    pub fn hide(mut self, ranges: impl IntoIterator<Item = Range<usize>>) -> Self {
        self.hidden.extend(ranges.into_iter().filter(|range| !range.is_empty()));
        self.hidden.sort_by_key(|range| range.start);
        self.hidden.dedup_by(|next, range| {
            let overlaps = next.start < range.end;
            if overlaps {
                range.end = range.end.max(next.end);
            }
            overlaps
        });
        self
    }

    /// Returns the text with its passwords.
    #[must_use]
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    /// Returns the hidden ranges, from left to right.
    #[must_use]
    pub fn hidden(&self) -> &[Range<usize>] {
        &self.hidden
    }

    /// Returns the hidden range that contains this byte.
    ///
    /// ```
    /// let text = locator::Redacted::new("http://jan:secret@h/");
    /// assert_eq!(text.hidden_at(12), Some(11..17));
    /// assert_eq!(text.hidden_at(18), None);
    /// ```
    #[must_use]
    pub fn hidden_at(&self, octet: usize) -> Option<Range<usize>> {
        let after = self.hidden.partition_point(|hidden| hidden.end <= octet);
        self.hidden.get(after).filter(|hidden| hidden.start <= octet).cloned()
    }

    /// Returns a slice of the text, with [`Self::HIDDEN`] in place of each hidden range.
    ///
    /// ```
    /// use locator::Redacted;
    ///
    /// let text = Redacted::new("http://jan:secret@h/a");
    /// assert_eq!(text.slice(7..19), "jan:(hidden)@h");
    /// assert_eq!(text.slice(19..21), "/a");
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the range is out of bounds or splits a character.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Cow<'a, str> {
        let first = self.hidden.partition_point(|hidden| hidden.end <= range.start);
        let inside = self.hidden[first..].iter().take_while(|hidden| hidden.start < range.end);
        let mut inside = inside.peekable();
        if range.is_empty() || inside.peek().is_none() {
            return Cow::Borrowed(&self.text[range]);
        }
        let (mut shown, mut from) = (alloc::string::String::new(), range.start);
        for hidden in inside {
            shown += &self.text[from..hidden.start.max(from)];
            shown += Self::HIDDEN;
            from = hidden.end.min(range.end);
        }
        shown += &self.text[from..range.end];
        Cow::Owned(shown)
    }

    /// Returns the error without the character that it found, if that character is hidden.
    ///
    /// An unescaped delimiter is not: without it nobody could correct the password.
    #[must_use]
    pub fn error(&self, error: ParseError) -> ParseError {
        match self.hidden_at(error.span.start as usize) {
            Some(_) => error.without_character(),
            None => error,
        }
    }
}

impl Debug for Redacted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(&*self.slice(0..self.text.len()), f)
    }
}

/// A hidden value: its `Debug` is [`Redacted::HIDDEN`].
#[cfg(feature = "schemes")]
pub(crate) struct Hidden;

#[cfg(feature = "schemes")]
impl Debug for Hidden {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(Redacted::HIDDEN)
    }
}

impl Display for Redacted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.slice(0..self.text.len()))
    }
}

/// Returns the valid UTF-8 that a text begins with.
pub(super) fn valid_part(octets: &[u8]) -> &str {
    octets.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

/// The search for passwords.
struct Scan<'a> {
    octets: &'a [u8],
    /// Whether the text is a valid reference with a known authority, so that fewer ranges are
    /// suspect.
    trusts: bool,
}

impl Scan<'_> {
    /// Returns the ranges of possible passwords from an offset on.
    fn passwords(&self, from: usize) -> Vec<Range<usize>> {
        let (mut found, mut from, mut is_first) = (Vec::new(), from, !self.trusts);
        while let Some(start) = self.authority(from) {
            let end = self.position(start, |octet| octet == b'/').unwrap_or(self.octets.len());
            let password = self.password(start, end);
            let password = password.or_else(|| if is_first { self.with_slash(start, end) } else { None });
            from = password.as_ref().map_or(end, |password| password.end.max(end));
            is_first = false;
            found.extend(password.filter(|password| !password.is_empty()));
        }
        found
    }

    /// Returns the start of the next possible authority: after "//", or after ":/" if the second
    /// "/" is missing. Browsers ignore tabs and line ends between them.
    fn authority(&self, mut from: usize) -> Option<usize> {
        // The ":" at the end of a known authority is that of an empty port.
        let floor = if self.trusts { from } else { 0 };
        loop {
            let start = self.position(from, is_slash)?;
            let is_end = |octet| !is_slash(octet) && !is_ignored(octet);
            let end = self.position(start, is_end).unwrap_or(self.octets.len());
            let slashes = self.octets[start..end].iter().filter(|octet| is_slash(**octet)).count();
            let before = self.octets[floor..start].iter().rfind(|octet| !is_ignored(**octet));
            if slashes > 1 || before == Some(&b':') {
                return Some(end);
            }
            from = end;
        }
    }

    /// Returns the range between the first ":" and the last "@".
    fn password(&self, start: usize, end: usize) -> Option<Range<usize>> {
        let colon = start + self.octets[start..end].iter().position(|&octet| octet == b':')?;
        let at = colon + self.octets[colon..end].iter().rposition(|&octet| octet == b'@')?;
        Some(colon + 1..at)
    }

    /// Returns a password that contains a "/": if the text after ":" is not a port, the password
    /// ends at the last "@".
    fn with_slash(&self, start: usize, end: usize) -> Option<Range<usize>> {
        let authority = &self.octets[start..end];
        let is_suspect = !authority.contains(&b'@') && !authority.starts_with(b"[");
        let colon = start + authority.iter().position(|&octet| octet == b':').filter(|_| is_suspect)?;
        self.octets[colon + 1..end].first().filter(|octet| !octet.is_ascii_digit())?;
        let space = self.position(colon, |octet| octet.is_ascii_whitespace());
        let rest = &self.octets[colon..space.unwrap_or(self.octets.len())];
        Some(colon + 1..colon + rest.iter().rposition(|&octet| octet == b'@')?)
    }

    fn position(&self, from: usize, is_it: impl Fn(u8) -> bool) -> Option<usize> {
        self.octets[from..].iter().position(|&octet| is_it(octet)).map(|index| from + index)
    }
}

/// Returns whether the octet is a tab or of a line end, which browsers remove from a URL.
fn is_ignored(octet: u8) -> bool {
    matches!(octet, b'\t' | b'\r' | b'\n')
}

/// Returns whether the octet is "/" or "\", which browsers treat as "/".
fn is_slash(octet: u8) -> bool {
    matches!(octet, b'/' | b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn passwords_are_hidden_without_a_parse() {
        for (text, shown) in [
            ("ftp://gisle:secret@h/", "ftp://gisle:(hidden)@h/"),
            ("ftp://gisle@aas.no:secret@h/", "ftp://gisle@aas.no:(hidden)@h/"),
            ("ftp://u:p:q@r@h:80/a:b@c", "ftp://u:(hidden)@h:80/a:b@c"),
            ("http://u:p?q#r@h/", "http://u:(hidden)@h/"),
            ("http:/u:p@h/", "http:/u:(hidden)@h/"),
            ("http:\\\\u:p\\q@h/", "http:\\\\u:(hidden)@h/"),
            ("http:/\t/u:p@h/", "http:/\t/u:(hidden)@h/"),
            ("http:\n/u:p@h/", "http:\n/u:(hidden)@h/"),
            ("//u:p@h", "//u:(hidden)@h"),
            (":///u:p@h", ":///u:(hidden)@h"),
            ("ftp://u:a/b+c==@h/x", "ftp://u:(hidden)@h/x"),
            (
                "http://a/?u=ftp://u:p@h/&v=ftp://u:p@h",
                "http://a/?u=ftp://u:(hidden)@h/&v=ftp://u:(hidden)@h",
            ),
            ("http://u:é@h", "http://u:(hidden)@h"),
        ] {
            assert_eq!(Redacted::new(text).to_string(), shown);
            assert_eq!(Redacted::exact(text).to_string(), text);
        }
    }

    #[test]
    fn what_cannot_be_a_password_is_shown() {
        for text in [
            "",
            "a",
            "//",
            "//@",
            "://:@",
            "http://h:80/a@b",
            "http://[::1]/a@b",
            "http://u@[::1]:80/x@y",
            "http://u:@h/",
            "mailto:a@b",
            "http://h/a:b@c",
            "http://h:x/",
            "http://u@h/",
        ] {
            assert_eq!(Redacted::new(text).to_string(), text);
        }
    }

    #[test]
    fn a_parse_is_trusted_about_its_authority() {
        let text = "http://h:80?a@b";
        assert_eq!(Redacted::parsed(text, None, 11).to_string(), text);
        for (text, end) in [("http:/h:80/a:b@c", 0), ("/a:b@c", 0), ("http://h:/a:b@c", 9)] {
            assert_eq!(Redacted::parsed(text, None, end).to_string(), text);
        }
        for (text, authority_end, shown) in [
            ("http:/u:p@h/", 0, "http:/u:(hidden)@h/"),
            ("http:///u:p@h/", 7, "http:///u:(hidden)@h/"),
            ("http://h/http:/u:p@h/", 8, "http://h/http:/u:(hidden)@h/"),
        ] {
            assert_eq!(Redacted::parsed(text, None, authority_end).to_string(), shown);
        }
        let text = "x://u:p@h/ftp://u:p@h";
        assert_eq!(Redacted::parsed(text, Some(6..7), 9).to_string(), "x://u:(hidden)@h/ftp://u:(hidden)@h");
    }

    #[test]
    fn a_slice_hides_what_it_has_of_a_password() {
        let text = Redacted::new("x://u:abc@h/");
        let slice = |range| text.slice(range).into_owned();
        assert_eq!(
            (slice(4..9), slice(7..9), slice(7..8)),
            ("u:(hidden)".into(), "(hidden)".into(), "(hidden)".into())
        );
        assert_eq!((slice(0..6), slice(9..12)), ("x://u:".into(), "@h/".into()));
    }
}
