//! Names that must not be imitated: takes a list of names, and returns which of them a host imitates.
//!
//! A host imitates a name if some of its labels, one after the other, look like those of the name
//! (`domain/look.rs`), or are those of the name, and other labels follow. This is how homographs and other look-alike
//! hosts of phishing are found (UTS 39, 4; RFC 5890, 4.4).
//!
//! [`Protected`] is the list, a [`ProtectedNameError`] says which line of it is no domain name.
//!
//! ```
//! use locator_audit::Protected;
//!
//! let ours = Protected::from_lines("example.com\n")?;
//! // "а" is Cyrillic.
//! assert_eq!(ours.imitated_by("ex\u{430}mple.com"), Some("example.com"));
//! # Ok::<_, locator_audit::ProtectedNameError>(())
//! ```

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::ops::Range;

use crate::domain;
use crate::domain::labels::{self, Label};
use crate::domain::look::look;

/// A set of names that hosts must not imitate.
///
/// A host imitates a name if it looks like it, or contains it before another domain: `paypal.com.co` is
/// anybody's, and so may be `paypal.com.au`. A name itself and its subdomains imitate no name, so
/// list every name that is yours. A name without a dot is one label: `paypal` is imitated by
/// `paypa1.example`, but not by `paypal.example`.
///
/// ```
/// use locator_audit::{Auditor, Protected};
///
/// let protected = Protected::from_lines("# our names\npaypal.com\nmünchen.de\n")?;
/// assert_eq!(protected.imitated_by("www.paypa1.com"), Some("paypal.com"));
/// assert_eq!(
///     protected.imitated_by("paypal.com.login.example"),
///     Some("paypal.com")
/// );
/// assert_eq!(protected.imitated_by("www.paypal.com"), None);
///
/// let findings =
///     Auditor::new().protect(&protected).audit("https://xn--mnchen-pya.de/");
/// assert_eq!(findings[0].code().name(), "imitates-protected-name");
/// # Ok::<(), locator_audit::ProtectedNameError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Protected {
    /// The names in letters, each once, in their order.
    names: BTreeSet<String>,
    /// What they look like, with the first name that does.
    looks: BTreeMap<String, String>,
    /// How many labels the names have.
    counts: BTreeSet<usize>,
}

impl Protected {
    /// Creates an empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a set from a list with one name on each line.
    ///
    /// Empty lines, and text after "#", are ignored.
    ///
    /// ```
    /// use locator_audit::Protected;
    ///
    /// let names = Protected::from_lines("example.com\n# our bank\nmybank.example\n")?;
    /// assert_eq!(names.imitated_by("rnybank.example"), Some("mybank.example"));
    ///
    /// let error = Protected::from_lines("example.com\nno name\n").unwrap_err();
    /// assert_eq!(error.line(), Some(2));
    /// # Ok::<_, locator_audit::ProtectedNameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a line has no domain name; the error has its [`line`](ProtectedNameError::line).
    pub fn from_lines(list: &str) -> Result<Self, ProtectedNameError> {
        let mut protected = Self::new();
        for (line, number) in list.lines().zip(1..) {
            let name = line.split('#').next().unwrap_or_default().trim();
            if !name.is_empty() {
                protected.add(name).map_err(|error| ProtectedNameError { line: Some(number), ..error })?;
            }
        }
        Ok(protected)
    }

    /// Adds a name, in letters or in its ASCII form.
    ///
    /// # Errors
    ///
    /// If it is not a domain name.
    pub fn add(&mut self, name: &str) -> Result<(), ProtectedNameError> {
        let error = || ProtectedNameError { name: name.to_owned(), line: None };
        let ascii = domain::ascii_form(name.as_bytes()).ok_or_else(error)?;
        let letters = HostLetters::new(labels::labels(&ascii));
        if letters.text.is_empty() {
            return Err(error());
        }
        self.counts.insert(letters.labels.len());
        self.looks.entry(letters.look).or_insert_with(|| letters.text.clone());
        self.names.insert(letters.text);
        Ok(())
    }

    /// Returns the protected name that a host imitates, in letters; `None` if the host imitates no
    /// name.
    ///
    /// A name imitates another by look-alike letters, by swapped or doubled ones, or by having the name in
    /// front of another domain. A host in a protected domain imitates nothing.
    ///
    /// ```
    /// use locator_audit::Protected;
    ///
    /// let names = Protected::from_lines("example.com")?;
    /// assert_eq!(names.imitated_by("exarnple.com"), Some("example.com"));
    /// assert_eq!(names.imitated_by("example.com.evil.test"), Some("example.com"));
    /// assert_eq!(names.imitated_by("www.example.com"), None);
    /// # Ok::<_, locator_audit::ProtectedNameError>(())
    /// ```
    #[must_use]
    pub fn imitated_by(&self, host: &str) -> Option<&str> {
        self.find(labels::labels(host)).map(|imitation| imitation.name)
    }

    /// Returns the first imitation in the labels of a host.
    pub(super) fn find(&self, labels: impl Iterator<Item = Label>) -> Option<Imitation<'_>> {
        let host = HostLetters::new(labels);
        if (0..host.labels.len()).any(|first| self.names.contains(host.text_from(first))) {
            return None;
        }
        (0..host.labels.len()).find_map(|first| {
            let lasts = self.counts.iter().map(|count| first + count - 1);
            lasts
                .take_while(|last| *last < host.labels.len())
                .find_map(|last| self.imitation(&host, first, last))
        })
    }

    /// Returns the name that the labels from the first to the last imitate.
    fn imitation(&self, host: &HostLetters, first: usize, last: usize) -> Option<Imitation<'_>> {
        let (one, other) = (host.labels.get(first)?, host.labels.get(last)?);
        let text = host.text.get(one.text.start..other.text.end)?;
        let span = one.span.start..other.span.end;
        if let Some(name) = self.names.get(text) {
            return (first < last).then_some(Imitation { name, span, is_exact: true });
        }
        let look = host.look.get(one.look.start..other.look.end)?;
        self.looks.get(look).map(|name| Imitation { name, span, is_exact: false })
    }
}

/// A name that some labels of a host imitate.
pub(super) struct Imitation<'a> {
    name: &'a str,
    /// The bytes of the host that imitate it.
    pub(super) span: Range<usize>,
    /// Whether the labels are those of the name, and others follow.
    is_exact: bool,
}

impl Imitation<'_> {
    pub(super) fn message(&self) -> String {
        let Self { name, is_exact, .. } = self;
        if *is_exact {
            format!("the host contains \"{name}\", but is in another domain")
        } else {
            format!("the host looks like \"{name}\", but it is another host")
        }
    }
}

/// The labels of a name, joined by dots: their letters, and what they look like.
#[derive(Default)]
struct HostLetters {
    text: String,
    look: String,
    labels: Vec<LabelPosition>,
}

/// Where a label is.
struct LabelPosition {
    /// The bytes of the host.
    span: Range<usize>,
    text: Range<usize>,
    look: Range<usize>,
}

impl HostLetters {
    fn new(labels: impl Iterator<Item = Label>) -> Self {
        let mut all = Self::default();
        for Label { span, letters } in labels {
            if !all.labels.is_empty() {
                all.text.push('.');
                all.look.push('.');
            }
            let (text, seen) = (all.text.len(), all.look.len());
            all.look.push_str(&look(&letters));
            all.text.push_str(&letters);
            all.labels.push(LabelPosition { span, text: text..all.text.len(), look: seen..all.look.len() });
        }
        all
    }

    /// Returns the letters from a label to the end.
    fn text_from(&self, first: usize) -> &str {
        let start = self.labels.get(first).map_or(self.text.len(), |label| label.text.start);
        self.text.get(start..).unwrap_or_default()
    }
}

/// The error of a text that is not a domain name.
///
/// ```
/// use locator_audit::Protected;
///
/// let error = Protected::from_lines("example.com\nnot a name\n").unwrap_err();
/// assert_eq!((error.line(), error.name()), (Some(2), "not a name"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ProtectedNameError {
    name: String,
    line: Option<usize>,
}

impl ProtectedNameError {
    /// Returns the text that is not a domain name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the line of the list, from 1; `None` if it was not in a list.
    #[must_use]
    pub const fn line(&self) -> Option<usize> {
        self.line
    }
}

impl Display for ProtectedNameError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "\"{}\" is not a domain name (RFC 3490, 4.1)", self.name)
    }
}

/// Shows the sentence of `Display`, for a `main` that returns the error.
impl fmt::Debug for ProtectedNameError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl core::error::Error for ProtectedNameError {}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    #[test]
    fn imitations() {
        let protected = Protected::from_lines(
            "paypal.com\nmicrosoft.com # a company\nmicrosoft.com.au\n\nbank\nxn--mnchen-3ya.de\nwww.hôtel.fr.",
        )
        .unwrap();
        for (host, expected) in [
            ("paypal.com", None),
            ("PAYPAL.com.", None),
            ("www.paypal.com", None),
            ("p%61ypal.com", None),
            ("paypa1.com.paypal.com", None),
            ("mypaypal.com", None),
            ("paypal.net", None),
            ("paypa1.net", None),
            ("com", None),
            ("paypa1.com", Some("paypal.com")),
            ("www.paypa1.com", Some("paypal.com")),
            ("paypaI.com", Some("paypal.com")),
            ("paypa%31.com", Some("paypal.com")),
            ("paypal.corn", Some("paypal.com")),
            ("xn--pypal-4ve.com", Some("paypal.com")),
            ("pаypal.com", Some("paypal.com")),
            ("rnicrosoft.com", Some("microsoft.com")),
            ("paypal.com.evil.example", Some("paypal.com")),
            ("paypal.com.au", Some("paypal.com")),
            ("microsoft.com.au", None),
            ("paypa1.com.evil.example", Some("paypal.com")),
            ("bank.example", None),
            ("bаnk.example", Some("bank")),
            ("münchen.de", None),
            ("munchen.de", Some("münchen.de")),
            ("hotel.fr", None),
            ("www.hotel.fr", Some("www.hôtel.fr")),
            ("", None),
            (".", None),
            ("..", None),
        ] {
            assert_eq!(protected.imitated_by(host), expected, "{host}");
        }
        assert_eq!(Protected::new().imitated_by("paypa1.com"), None);
    }

    #[test]
    fn what_is_not_a_name() {
        for name in ["https://paypal.com/", "pay pal.com", "", "a..b", "-", "xn--a", &"a".repeat(300)] {
            let error = Protected::new().add(name).unwrap_err();
            assert_eq!((error.name(), error.line()), (name, None));
        }
        let error = Protected::from_lines("paypal.com\n# one\npay pal.com").unwrap_err();
        assert_eq!(error.to_string(), "line 3: \"pay pal.com\" is not a domain name (RFC 3490, 4.1)");
    }
}
