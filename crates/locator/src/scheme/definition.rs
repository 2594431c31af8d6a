//! What a scheme is: the trait [`Scheme`], and the rules that editions have for it.

use super::cursor::Reader;
use crate::component::SpannedStr;
use crate::edition::{Edition, Rule};
use crate::equivalence::Equivalences;
use crate::error::ParseError;
use crate::form::{Syntax, SyntaxError};
use crate::reference::UriRef;
use crate::simd::AsciiSet;
use alloc::borrow::Cow;
use core::fmt::Debug;

/// A scheme: its names, its port and the rules that editions have for it.
///
/// [`Equivalences`] defines which of its URLs are equivalent, and `Planner` (feature `plan`)
/// divides and fetches them.
///
/// A program implements this trait for a scheme of its own and adds it to a
/// [`Registry`](super::Registry); this module contains all types that its methods take and return.
/// Three methods are required: [`names`](Self::names), [`object`](Self::object) and
/// [`form`](Self::form).
///
/// ```
/// use locator::edition::RFC3986;
/// use locator::scheme::{
///     AsciiSet, Equivalences, ParseError, Reader, Registry, Rule, Scheme,
///     SchemeRule, Syntax, Terminal,
/// };
/// use locator::{Level, UriRef};
/// use std::borrow::Cow;
///
/// /// `echo://host[:port]/text`: a server answers a line with the same line (RFC 862).
/// #[derive(Debug)]
/// struct Echo;
///
/// impl Scheme for Echo {
///     // In lower case. Several names are for schemes that differ in nothing else.
///     fn names(&self) -> &'static [&'static str] {
///         &["echo"]
///     }
///     // What a URL identifies, for people.
///     fn object(&self) -> &'static str {
///         "an echo"
///     }
///     // The form that error messages quote, and the document that defines it.
///     fn form(&self) -> Syntax {
///         Syntax { text: "echo://host[:port]/text", citation: "RFC 862" }
///     }
///     // The grammar, by edition; an edition without a rule accepts what its generic grammar accepts.
///     fn rules(&self) -> &'static [SchemeRule] {
///         &RULES
///     }
///     fn default_port(&self) -> Option<u16> {
///         Some(7)
///     }
/// }
///
/// // What is equivalent: here an empty path is "/".
/// impl Equivalences for Echo {
///     fn normal_path<'a>(&self, path: &'a str, _: UriRef<'_>) -> Cow<'a, str> {
///         Cow::Borrowed(if path.is_empty() { "/" } else { path })
///     }
/// }
///
/// static RULES: [SchemeRule; 1] =
///     [SchemeRule { edition: &RFC3986, rule: &RULE, check }];
/// static RULE: Rule =
///     Rule::new("echo-url", "RFC 862", "the form echo://host[:port]/text");
/// static TEXT: Terminal = Terminal::new(
///     AsciiSet::ALPHA.union(AsciiSet::of(b"%")),
///     "text",
///     "RFC 862",
///     "letters or escapes",
/// );
///
/// // Reads what follows "echo:"; what is left unread is an error.
/// fn check(reader: &mut Reader<'_>) -> Result<(), ParseError> {
///     reader.take_hostport()?;
///     if reader.skip("/") {
///         reader.take(&TEXT, b"")?;
///     }
///     Ok(())
/// }
///
/// let mut registry = Registry::new();
/// registry.register(&Echo).unwrap();
/// assert_eq!(registry.default_port("ECHO"), Some(7));
/// assert_eq!(registry.check(UriRef::parse("echo://h/a%20b")?), Some(Ok(())));
/// assert_eq!(
///     registry
///         .check(UriRef::parse("echo://h/a1")?)
///         .unwrap()
///         .unwrap_err()
///         .span()
///         .start,
///     10
/// );
/// let url = UriRef::parse("ECHO://H:7")?;
/// assert_eq!(url.normalize_with(Level::Scheme, &registry).as_str(), "echo://h/");
/// // `specific` is what a typed view of the scheme begins with: the text between ":" and "#".
/// assert_eq!(Echo.specific(url).unwrap().as_str(), "//H:7");
/// # Ok::<_, ParseError>(())
/// ```
pub trait Scheme: Equivalences + Debug + Send + Sync {
    /// Returns the names of this scheme in lower case; there are several if they differ in nothing
    /// else.
    fn names(&self) -> &'static [&'static str];

    /// Returns whether this is a name of the scheme, ignoring case.
    fn is_named(&self, name: &str) -> bool {
        self.names().iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Returns a description of what its URLs identify: "a file or a directory listing".
    fn object(&self) -> &'static str;

    /// Returns the form of its URLs and the document that defines it.
    fn form(&self) -> Syntax;

    /// Returns the document that defines which of its URLs are equivalent, including the default
    /// port and the empty path.
    ///
    /// ```
    /// use locator::scheme;
    ///
    /// assert_eq!(scheme::lookup("http").unwrap().equivalence(), "RFC 9110, 4.2.3");
    /// assert_eq!(scheme::lookup("ftp").unwrap().equivalence(), "RFC 1738, 3.2");
    /// ```
    fn equivalence(&self) -> &'static str {
        self.form().citation
    }

    /// Returns the rule of each edition that has one for this scheme.
    fn rules(&self) -> &'static [SchemeRule] {
        &[]
    }

    /// Returns the port of URLs without one; [`default_port`](super::default_port) also knows other
    /// registered schemes.
    fn default_port(&self) -> Option<u16> {
        None
    }

    /// Returns whether the text after the ":" in running text is recognizable as a URL of this
    /// scheme, and not a word followed by a colon.
    ///
    /// It is called where no "//" follows, with at most 256 octets; the URL may end before they do.
    fn is_evident(&self, rest: &[u8]) -> bool {
        let _ = rest;
        false
    }

    /// Returns the text after the ":" of a URL of this scheme that follows the rule of its edition.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, or breaks the rule.
    fn specific<'a>(&self, reference: UriRef<'a>) -> Result<SpannedStr<'a>, SyntaxError> {
        let name = reference.scheme().ok_or(SyntaxError::OtherScheme)?;
        if !self.is_named(name.as_str()) {
            return Err(SyntaxError::OtherScheme);
        }
        check_by(self, reference).unwrap_or(Ok(())).map_err(SyntaxError::Rule)?;
        Ok(reference.scheme_specific())
    }
}

/// The rule that an edition has for a scheme.
///
/// A scheme returns its rules from [`Scheme::rules`], which has a whole example. Editions differ: one may
/// allow what another forbids, and for an edition without a rule the generic grammar decides.
///
/// ```
/// use locator::edition::{RFC1738, RFC3986};
/// use locator::scheme;
///
/// let gopher = scheme::lookup("gopher").unwrap();
/// let rule_of = |edition| {
///     gopher.rules().iter().find(|one| one.edition == edition)
/// };
/// assert_eq!(rule_of(&RFC1738).unwrap().rule.section, "3.4.1");
/// assert!(rule_of(&RFC3986).is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SchemeRule {
    /// The edition that has the rule.
    pub edition: &'static Edition,
    /// The rule as a message quotes it; it expects "the form …".
    pub rule: &'static Rule,
    /// The function that reads what the rule allows after the scheme's ":"; unread text is an
    /// error.
    pub check: fn(&mut Reader<'_>) -> Result<(), ParseError>,
}

/// Returns the rule that an edition has for a scheme.
pub(super) fn rule_of<S: Scheme + ?Sized>(scheme: &S, edition: &Edition) -> Option<&'static SchemeRule> {
    scheme.rules().iter().find(|one| one.edition == edition)
}

/// Checks a reference by the rule that its edition has for a scheme; returns `None` without a rule.
pub(super) fn check_by<S: Scheme + ?Sized>(
    scheme: &S,
    reference: UriRef<'_>,
) -> Option<Result<(), ParseError>> {
    Some(rule_of(scheme, reference.edition())?.obey(reference))
}

/// Returns a set if the reference obeys the rule that its edition has for a scheme, otherwise the
/// empty set.
pub(super) fn if_ruled<S: Scheme + ?Sized>(scheme: &S, reference: UriRef<'_>, set: &[u8]) -> AsciiSet {
    match check_by(scheme, reference) {
        Some(Ok(())) => AsciiSet::of(set),
        _ => AsciiSet::EMPTY,
    }
}

/// What normalizing needs of a scheme: its equivalences, its names and its port.
pub(super) trait NamedEquivalences: Equivalences {
    /// Returns whether this is a name of the scheme, ignoring case.
    fn has_name(&self, name: &str) -> bool;

    /// Returns the port of URLs without one.
    fn port(&self) -> Option<u16>;
}

impl<S: Scheme> NamedEquivalences for S {
    fn has_name(&self, name: &str) -> bool {
        self.is_named(name)
    }

    fn port(&self) -> Option<u16> {
        self.default_port()
    }
}

impl SchemeRule {
    /// Checks a reference by this rule.
    fn obey(&self, reference: UriRef<'_>) -> Result<(), ParseError> {
        let mut reader = Reader::new(reference, self.rule);
        (self.check)(&mut reader).and_then(|()| reader.finish())
    }
}

/// Returns the text after the ":" of a URL of a scheme without authority. If the edition has a rule
/// for the scheme, that rule determines what is allowed.
pub(super) fn without_authority<'a>(
    scheme: &dyn Scheme,
    reference: UriRef<'a>,
) -> Result<SpannedStr<'a>, SyntaxError> {
    let rest = scheme.specific(reference)?;
    if reference.authority().is_some() && rule_of(scheme, reference.edition()).is_none() {
        return Err(SyntaxError::Form { span: rest.place(), form: scheme.form() });
    }
    Ok(rest)
}

/// "In general, a URI that uses the generic syntax for authority with an empty path should be
/// normalized to a path of "/"" (RFC 3986, 6.2.3).
pub(super) fn or_root<'a>(path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
    let is_root = path.is_empty() && reference.authority().is_some();
    Cow::Borrowed(if is_root { "/" } else { path })
}
