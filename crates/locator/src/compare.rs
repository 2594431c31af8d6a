//! Compares two references for equivalence by the comparison ladder.
//!
//! Takes two absolute references and the redirects that the caller has seen. Returns the first rung
//! on which they are equivalent, if any, and the differences. Follows RFC 3986, section 6, and
//! section 6 of draft-fielding-uri-rfc2396bis-01: "minimize false negatives while strictly avoiding
//! false positives".

mod difference;
mod hosts;
mod redirects;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};

pub use difference::{Difference, DifferenceKind};

use crate::compose::Components;
use crate::edition::Edition;
use crate::equivalence::Basis;
use crate::normalize::{Level, Normalizer};
use crate::numeric::AddressReader;
use crate::reference::{Uri, UriRef, delegate};
#[cfg(feature = "schemes")]
use crate::scheme::Registry;
use crate::span::Component;

/// A rung of the comparison ladder. Each costs more than the one before it and misses fewer
/// equivalent references.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rung {
    /// The same text, character by character (RFC 3986, section 6.2.1).
    Simple,
    /// The same normal form in the edition (section 6.2.2).
    Syntax,
    /// The same normal form in the scheme, or another equivalence that the scheme defines (section
    /// 6.2.3).
    Scheme,
    /// The same domain name in letters and in ASCII form, if the caller asks for it (RFC 3987,
    /// section 5.3.3).
    Idn,
    /// The same IPv4 address to a kind of reader, if the caller asks for it (RFC 3986, section
    /// 7.4).
    Number,
    /// One reference was seen to redirect to the other (section 6.2.4).
    Protocol,
}

impl Rung {
    /// Returns the name of the rung in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Syntax => "syntax",
            Self::Scheme => "scheme",
            Self::Idn => "idn",
            Self::Number => "number",
            Self::Protocol => "protocol",
        }
    }

    /// Returns the document and section that define the rung: the edition's own, or RFC 3986 where
    /// the edition does not define comparison.
    /// [`Scheme::equivalence`](crate::scheme::Scheme::equivalence) returns the document of the
    /// scheme's own equivalences.
    ///
    /// ```
    /// use locator::{Rung, edition};
    ///
    /// assert_eq!(Rung::Syntax.citation(&edition::RFC3986), "RFC 3986, 6.2.2");
    /// assert_eq!(Rung::Syntax.citation(&edition::RFC3987), "RFC 3987, 5.3.2");
    /// ```
    #[must_use]
    pub const fn citation(self, edition: &Edition) -> &'static str {
        let ladder = edition.ladder;
        match self {
            Self::Simple => ladder.simple,
            Self::Syntax => ladder.syntax,
            Self::Scheme => ladder.scheme,
            Self::Idn => "RFC 3987, 5.3.3",
            Self::Number => "RFC 3986, 7.4",
            Self::Protocol => ladder.protocol,
        }
    }
}

/// The result of comparing two references (RFC 3986, 6.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The first rung on which they are equivalent. `None` does not mean that they identify
    /// different resources.
    pub rung: Option<Rung>,
    /// The differences, from left to right.
    pub differences: Vec<Difference>,
}

impl Comparison {
    /// Returns whether the references are equivalent on some rung.
    #[must_use]
    pub const fn is_equivalent(&self) -> bool {
        self.rung.is_some()
    }
}

/// Compares two absolute references, fragments included.
///
/// ```
/// use locator::{DifferenceKind, Rung, compare, uri_ref};
///
/// let found = compare(uri_ref!("HTTP://example.com/%7Ea"), uri_ref!("http://example.com:80/~a"))?;
/// assert_eq!(found.rung, Some(Rung::Scheme));
/// let kinds: Vec<_> = found.differences.iter().map(|difference| difference.kind).collect();
/// assert_eq!(kinds, [DifferenceKind::Case, DifferenceKind::Port, DifferenceKind::Escape]);
///
/// let found = compare(uri_ref!("http://example.com/"), uri_ref!("http://example.com/?"))?;
/// assert_eq!(found.rung, None);
/// # Ok::<_, locator::CompareError>(())
/// ```
///
/// # Errors
///
/// Returns an error if a reference is relative (resolve it first), or if different editions parsed
/// the two.
#[cfg(feature = "schemes")]
pub fn compare<'a, 'b>(
    first: impl Into<UriRef<'a>>,
    second: impl Into<UriRef<'b>>,
) -> Result<Comparison, CompareError> {
    Ladder::new().compare(first, second)
}

/// The comparison ladder with its options.
///
/// ```
/// use locator::{Ladder, Rung, uri, uri_ref};
///
/// let (data, slash) = (uri!("http://example.com/data"), uri!("http://example.com/data/"));
/// let seen = [(data, slash)];
/// let ladder = Ladder::new().without_fragments().with_redirects(&seen);
/// assert_eq!(ladder.compare(*data, *slash)?.rung, Some(Rung::Protocol));
/// assert_eq!(ladder.compare(*data, uri_ref!("http://example.com/data#a"))?.rung, Some(Rung::Simple));
/// # Ok::<_, locator::CompareError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ladder<'a> {
    without_fragments: bool,
    redirects: &'a [(Uri<'a>, Uri<'a>)],
    /// Whether hosts are domain names.
    domain_names: bool,
    /// The reader of hosts as IPv4 addresses.
    addresses: Option<AddressReader>,
    basis: Basis<'a>,
}

impl<'a> Ladder<'a> {
    /// Creates a ladder with the built-in schemes. Fragments are compared, and no redirects are
    /// known.
    #[cfg(feature = "schemes")]
    #[must_use]
    pub const fn new() -> Self {
        Self::by_syntax().with_schemes(Registry::BUILT_IN)
    }

    /// Creates a ladder that compares by the edition alone, without linking the code of any scheme.
    /// No references are equivalent on [`Rung::Scheme`].
    ///
    /// ```
    /// use locator::{Ladder, Rung, uri_ref};
    ///
    /// let ladder = Ladder::by_syntax();
    /// assert_eq!(ladder.compare(uri_ref!("HTTP://h/%7Ea"), uri_ref!("http://h/~a"))?.rung, Some(Rung::Syntax));
    /// assert_eq!(ladder.compare(uri_ref!("http://h:80/"), uri_ref!("http://h/"))?.rung, None);
    /// # Ok::<_, locator::CompareError>(())
    /// ```
    #[must_use]
    pub const fn by_syntax() -> Self {
        Self {
            without_fragments: false,
            redirects: &[],
            domain_names: false,
            addresses: None,
            basis: Basis::SYNTAX,
        }
    }

    /// Excludes fragments: "When URIs are compared to select (or avoid) a network action, such as
    /// retrieval of a representation, fragment components (if any) should be excluded from the
    /// comparison."
    #[must_use]
    pub const fn without_fragments(self) -> Self {
        Self { without_fragments: true, ..self }
    }

    /// Sets the redirects that were seen, each from the first to the second; several may form a
    /// chain. Two references that redirect to the same target are not equivalent. A redirect is
    /// ignored if another edition parsed it or if its target has a fragment.
    #[must_use]
    pub const fn with_redirects(self, seen: &'a [(Uri<'a>, Uri<'a>)]) -> Self {
        Self { redirects: seen, ..self }
    }

    /// Compares hosts as domain names: a name in letters and its ASCII form (`xn--…`) are
    /// equivalent on [`Rung::Idn`].
    ///
    /// ```
    /// use locator::{Ladder, Rung, UriRef, edition::RFC3987};
    ///
    /// let letters = UriRef::parse_with("http://résumé.example.org", &RFC3987)?;
    /// let ascii = UriRef::parse_with("http://xn--rsum-bpad.example.org/", &RFC3987)?;
    /// assert_eq!(Ladder::new().compare(letters, ascii).unwrap().rung, None);
    /// assert_eq!(Ladder::new().with_domain_names().compare(letters, ascii).unwrap().rung, Some(Rung::Idn));
    /// # Ok::<_, locator::ParseError>(())
    /// ```
    #[cfg(feature = "idna")]
    #[must_use]
    pub const fn with_domain_names(self) -> Self {
        Self { domain_names: true, ..self }
    }

    /// Compares hosts as the IPv4 addresses that such a reader takes them for: equal addresses are
    /// equivalent on [`Rung::Number`].
    ///
    /// ```
    /// use locator::{AddressReader, Ladder, Rung, uri_ref};
    ///
    /// let [octal, decimal] = [uri_ref!("http://0177.0.0.1/"), uri_ref!("http://127.0.0.1/")];
    /// let by = |reader| Ladder::new().with_addresses(reader).compare(octal, decimal).map(|found| found.rung);
    /// assert_eq!(by(AddressReader::InetAton)?, Some(Rung::Number));
    /// assert_eq!(by(AddressReader::Decimal)?, None);
    /// # Ok::<_, locator::CompareError>(())
    /// ```
    #[must_use]
    pub const fn with_addresses(self, reader: AddressReader) -> Self {
        Self { addresses: Some(reader), ..self }
    }

    /// Sets the schemes whose equivalences are known, which may include the caller's own.
    #[cfg(feature = "schemes")]
    #[must_use]
    pub const fn with_schemes(self, schemes: &'a Registry<'a>) -> Self {
        Self { basis: schemes.basis(), ..self }
    }

    /// Compares two absolute references.
    ///
    /// ```
    /// use locator::{Ladder, Rung, uri_ref};
    ///
    /// let ladder = Ladder::new().without_fragments();
    /// assert_eq!(ladder.compare(uri_ref!("urn:a-b:c#d"), uri_ref!("URN:A-B:c"))?.rung, Some(Rung::Scheme));
    /// # Ok::<_, locator::CompareError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a reference is relative (resolve it first), or if different editions
    /// parsed the two.
    pub fn compare<'f, 's>(
        &self,
        first: impl Into<UriRef<'f>>,
        second: impl Into<UriRef<'s>>,
    ) -> Result<Comparison, CompareError> {
        self.compare_references(first.into(), second.into())
    }

    fn compare_references(&self, first: UriRef<'_>, second: UriRef<'_>) -> Result<Comparison, CompareError> {
        check_comparable(first, second)?;
        let rung = self.rung(first, second);
        let mut differences = match rung {
            Some(Rung::Simple) => Vec::new(),
            _ => difference::all(first, second, self),
        };
        // References with different normal forms may be equivalent by a rule of the scheme.
        for one in
            differences.iter_mut().filter(|one| rung == Some(Rung::Scheme) && one.kind.rung().is_none())
        {
            one.kind = DifferenceKind::Scheme;
        }
        Ok(Comparison { rung, differences })
    }

    /// Returns the key that a reference is compared by: two references with the same key are
    /// equivalent, without redirects.
    ///
    /// Two references that a scheme calls equivalent may have different keys if their normal forms
    /// differ (`mailto` allows addresses in the path or in a field). A relative reference has a
    /// key, too, for lists of references that share one base.
    ///
    /// ```
    /// use locator::{Ladder, uri_ref};
    ///
    /// let key = |reference| Ladder::new().key(reference);
    /// assert_eq!(key(uri_ref!("HTTP://example.com:80")), key(uri_ref!("http://example.com/")));
    /// assert_ne!(key(uri_ref!("http://example.com/a")), key(uri_ref!("http://example.com/a/")));
    /// ```
    #[must_use]
    pub fn key<'r>(&self, reference: impl Into<UriRef<'r>>) -> String {
        self.key_of(reference.into())
    }

    fn key_of(&self, reference: UriRef<'_>) -> String {
        let normal = reference.normalize_by(self.basis);
        let normal = normal.as_uri_ref();
        let components = self.compared(normal);
        let authority = self.host_key(normal);
        let compared = Components { authority: authority.as_deref().or(components.authority), ..components };
        compared.pieces().collect()
    }

    /// Whether two references are equivalent by their texts and the rules of the schemes.
    fn is_equivalent(&self, first: UriRef<'_>, second: UriRef<'_>) -> Result<bool, CompareError> {
        check_comparable(first, second)?;
        Ok(matches!(self.rung(first, second), Some(Rung::Simple | Rung::Syntax | Rung::Scheme)))
    }

    fn rung(&self, first: UriRef<'_>, second: UriRef<'_>) -> Option<Rung> {
        if self.cut(first) == self.cut(second) {
            return Some(Rung::Simple);
        }
        let normal = |basis| [first, second].map(|one| one.normalize_by(basis));
        let [one, other] = normal(self.basis.by_syntax());
        if self.cut(one.as_uri_ref()) == self.cut(other.as_uri_ref()) {
            return Some(Rung::Syntax);
        }
        let [one, other] = normal(self.basis);
        if self.meet_by_scheme(one.as_uri_ref(), other.as_uri_ref()) {
            return Some(Rung::Scheme);
        }
        if let Some(rung) = self.meet_by_host(one.as_uri_ref(), other.as_uri_ref()) {
            return Some(rung);
        }
        let meet = redirects::lead(self.redirects, first, second, self.basis)
            && (self.without_fragments || fragment(first) == fragment(second));
        meet.then_some(Rung::Protocol)
    }

    /// Whether two references in normal form are equivalent by their scheme.
    fn meet_by_scheme(&self, one: UriRef<'_>, other: UriRef<'_>) -> bool {
        let same_fragment = self.without_fragments
            || one.component(Component::Fragment) == other.component(Component::Fragment);
        let same = || Normalizer::new(one, self.basis).is_equivalent(other);
        self.compared(one) == self.compared(other) || same_fragment && same()
    }

    /// Returns the components of a normalized reference that the scheme compares.
    fn compared<'t>(&self, normal: UriRef<'t>) -> Components<'t> {
        let forms = Normalizer::new(normal, self.basis);
        let all = Components::of(normal);
        let query = all.query.filter(|_| forms.is_compared(Component::Query));
        let has_fragment = !self.without_fragments && forms.is_compared(Component::Fragment);
        Components { query, fragment: all.fragment.filter(|_| has_fragment), ..all }
    }

    /// Returns the text that is compared.
    fn cut<'t>(&self, reference: UriRef<'t>) -> &'t str {
        if self.without_fragments { without_fragment(reference) } else { reference.as_str() }
    }
}

#[cfg(feature = "schemes")]
impl Default for Ladder<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// Checks that two references have schemes and one edition.
fn check_comparable(first: UriRef<'_>, second: UriRef<'_>) -> Result<(), CompareError> {
    if !first.has_scheme() {
        return Err(CompareError::FirstIsRelative { edition: first.edition() });
    }
    if !second.has_scheme() {
        return Err(CompareError::SecondIsRelative { edition: second.edition() });
    }
    let (one, other) = (first.edition(), second.edition());
    if one != other {
        return Err(CompareError::EditionsDiffer { first: one, second: other });
    }
    Ok(())
}

impl UriRef<'_> {
    /// Returns whether two references with schemes are equivalent at a level, fragments included.
    ///
    /// `false` does not mean that they identify different resources (RFC 3986, section 6.1).
    /// [`compare()`] returns the differences.
    ///
    /// ```
    /// use locator::{Level, uri};
    ///
    /// let (one, other) = (uri!("HTTP://example.com/%7Ea"), uri!("http://example.com:80/~a"));
    /// assert!(!one.is_equivalent(other, Level::Syntax)?);
    /// assert!(one.is_equivalent(other, Level::Scheme)?);
    /// # Ok::<_, locator::CompareError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if one has no scheme (resolve it first), or if different editions parsed them.
    #[inline]
    pub fn is_equivalent<'o>(self, other: impl Into<UriRef<'o>>, level: Level) -> Result<bool, CompareError> {
        let other = other.into();
        // As in normalization, the schemes are linked only if the level needs them.
        match level {
            Level::Syntax => Ladder::by_syntax().is_equivalent(self, other),
            #[cfg(feature = "schemes")]
            Level::Scheme => Ladder::new().is_equivalent(self, other),
        }
    }
}

delegate! {
    /// Returns whether two references with schemes are equivalent at a level, fragments included.
    fn is_equivalent<'o>(other: impl Into<UriRef<'o>>, level: Level) -> Result<bool, CompareError>;
}

fn without_fragment(reference: UriRef<'_>) -> &str {
    reference.as_str().get(..reference.spans().query_end as usize).unwrap_or_default()
}

/// Returns the fragment in normal form.
fn fragment(reference: UriRef<'_>) -> Option<String> {
    let normal = reference.normalize_by(Basis::SYNTAX);
    normal.as_uri_ref().component(Component::Fragment).map(String::from)
}

/// Why two references cannot be compared.
///
/// ```
/// let error = locator::compare(locator::uri_ref!("http://h/a"), locator::uri_ref!("a")).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the second reference is relative, and relative references cannot be compared (RFC 3986, 6.1)"
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareError {
    /// The first reference has no scheme.
    FirstIsRelative {
        /// The edition that parsed it.
        edition: &'static Edition,
    },
    /// The second reference has no scheme.
    SecondIsRelative {
        /// The edition that parsed it.
        edition: &'static Edition,
    },
    /// Different editions parsed the references; what one calls equivalent another may not.
    EditionsDiffer {
        /// The edition of the first.
        first: &'static Edition,
        /// The edition of the second.
        second: &'static Edition,
    },
}

impl CompareError {
    /// Returns the sentence alone, without document and section.
    pub fn message(&self) -> impl Display {
        Message(*self)
    }

    /// Returns what to do about the error.
    #[must_use]
    pub const fn advice(&self) -> Option<&'static str> {
        match self {
            Self::FirstIsRelative { .. } | Self::SecondIsRelative { .. } => Some("resolve it first"),
            Self::EditionsDiffer { .. } => Some("parse both by one edition"),
        }
    }

    /// Returns the component that the error is about: the scheme, if it is missing.
    #[must_use]
    pub const fn component(&self) -> Option<Component> {
        match self {
            Self::FirstIsRelative { .. } | Self::SecondIsRelative { .. } => Some(Component::Scheme),
            Self::EditionsDiffer { .. } => None,
        }
    }

    /// Returns the document and section of the rule, where there is one: `RFC 3986, 6.1`.
    #[must_use]
    pub const fn citation(&self) -> Option<&'static str> {
        match self {
            // "applications should not directly compare relative references; the references should be
            // converted to their respective target URIs before comparison"
            Self::FirstIsRelative { edition } | Self::SecondIsRelative { edition } => {
                Some(edition.ladder.relative)
            }
            Self::EditionsDiffer { .. } => None,
        }
    }
}

impl Display for CompareError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)?;
        self.citation().map_or(Ok(()), |see| write!(f, " ({see})"))
    }
}

/// The message of an error.
struct Message(CompareError);

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let relative = |f: &mut Formatter<'_>, which| {
            write!(f, "the {which} reference is relative, and relative references cannot be compared")
        };
        match self.0 {
            CompareError::FirstIsRelative { .. } => relative(f, "first"),
            CompareError::SecondIsRelative { .. } => relative(f, "second"),
            CompareError::EditionsDiffer { first, second } => {
                write!(f, "the references were parsed by different editions ({first}, {second})")
            }
        }
    }
}

impl core::error::Error for CompareError {}
