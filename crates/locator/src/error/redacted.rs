//! Hides the passwords and other secrets of a text, and renders reports of errors below the redacted text.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt::{self, Debug, Display, Formatter};
use core::ops::Range;

use super::parse_error::ParseError;
use crate::secrets::scan::{self, PasswordScan};

/// A text whose secrets are hidden when it is shown, with reports of its errors.
///
/// Hidden are passwords, the values of parameters with the names of secrets (`access_token`, `PHPSESSID`,
/// `X-Amz-Signature`, …), and values of names such as `code`, `key` and `sid` that look random. The
/// parameters may be in the query, the fragment, the path (`;jsessionid=…`), or in a URL that is the value
/// of another one.
///
/// The references of this crate, builders, logins, errors with a text and the messages of a plan
/// hide secrets in their `Debug`, so that a value that contains them can be logged. Components
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
    /// The replacement for a hidden text.
    pub const HIDDEN: &'static str = "(hidden)";

    /// Creates a redacted text that hides every possible password and the secrets of parameters; the text
    /// need not be valid.
    ///
    /// ```
    /// use locator::Redacted;
    ///
    /// // Not valid, so nobody knows where the password ends.
    /// let shown = Redacted::new("https://jan:a b@c@h/").to_string();
    /// assert!(!shown.contains("a b"));
    /// let shown = Redacted::new("/a?token=0f8fad5bd9cb469f&b=c").to_string();
    /// assert_eq!(shown, "/a?token=(hidden)&b=c");
    /// assert_eq!(Redacted::new("/a/b").to_string(), "/a/b");
    /// ```
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let hidden = PasswordScan { octets: text.as_bytes(), trusts: false }.passwords(0);
        Self { text, hidden }.hide(scan::secrets(text.as_bytes()))
    }

    /// Creates a redacted text of the valid UTF-8 that a text begins with. Secrets are looked for
    /// in the whole text, so their ranges may be beyond the valid part.
    pub(super) fn of_bytes(octets: &'a [u8]) -> Self {
        let hidden = PasswordScan { octets, trusts: false }.passwords(0);
        Self { text: valid_part(octets), hidden }.hide(scan::secrets(octets))
    }

    /// Creates a redacted text from a valid reference: hides its password, those of URLs in its path,
    /// query and fragment, and the secrets of parameters.
    ///
    /// `authority_end` is the end of its authority, or 0 if it has none. Without an authority, or
    /// with an empty one, the first name of the path may be a login: browsers and curl take `h` in
    /// `http:/u:p@h/` and in `http:///u:p@h/` for the host.
    #[must_use]
    pub fn parsed(text: &'a str, password: Option<Range<usize>>, authority_end: usize) -> Self {
        let is_empty = text.as_bytes().get(..authority_end).is_none_or(|before| before.ends_with(b"/"));
        let from = if is_empty { 0 } else { authority_end };
        let in_rest = PasswordScan { octets: text.as_bytes(), trusts: true }.passwords(from);
        let hidden = password.filter(|password| !password.is_empty()).into_iter().chain(in_rest);
        Self { text, hidden: hidden.collect() }.hide(scan::secrets(text.as_bytes()))
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

    /// Returns the text with its secrets.
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
