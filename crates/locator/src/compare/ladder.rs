//! The ladder of comparison: takes two references and returns the first rung on which they are
//! equivalent. Follows RFC 3986, section 6.2.
//!
//! The rungs of the ladder of comparison (RFC 3986, section 6.2).
//!
//! Compares two hosts that differ in normal form. Takes two references in normal form and returns
//! the rung on which the hosts are equal. They are compared as domain names (RFC 3987, section
//! 5.3.3) and as IPv4 addresses (RFC 3986, section 7.4), if the caller asks for it.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::mem;
use core::net::Ipv4Addr;

use super::error::{CompareError, check_comparable};
use crate::compose::Components;
use crate::domain::host_form;
use crate::edition::Edition;
use crate::equivalence::Basis;
use crate::normalize::Normalizer;
use crate::numeric::AddressReader;
use crate::reference::{Uri, UriRef, UriRefCow};
#[cfg(feature = "schemes")]
use crate::scheme::Registry;
use crate::span::{Component, HostKind};

/// The comparison ladder of RFC 3986, 6.2, with its options.
///
/// ```
/// use locator::{Ladder, Rung, uri, uri_ref};
///
/// let (data, slash) =
///     (uri!("http://example.com/data"), uri!("http://example.com/data/"));
/// let seen = [(data, slash)];
/// let ladder = Ladder::new().without_fragments().with_redirects(&seen);
/// assert_eq!(ladder.compare(data, slash)?.rung, Some(Rung::Protocol));
/// assert_eq!(
///     ladder.compare(data, uri_ref!("http://example.com/data#a"))?.rung,
///     Some(Rung::Simple)
/// );
/// # Ok::<_, locator::CompareError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ladder<'a> {
    pub(super) without_fragments: bool,
    redirects: &'a [(Uri<'a>, Uri<'a>)],
    /// Whether hosts are domain names.
    domain_names: bool,
    /// The reader of hosts as IPv4 addresses.
    pub(super) addresses: Option<AddressReader>,
    pub(super) basis: Basis<'a>,
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
    /// assert_eq!(
    ///     ladder.compare(uri_ref!("HTTP://h/%7Ea"), uri_ref!("http://h/~a"))?.rung,
    ///     Some(Rung::Syntax)
    /// );
    /// assert_eq!(
    ///     ladder.compare(uri_ref!("http://h:80/"), uri_ref!("http://h/"))?.rung,
    ///     None
    /// );
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

    /// Excludes fragments from the comparison.
    ///
    /// RFC 3986, 6.1: "When URIs are compared to select (or avoid) a network action, such as
    /// retrieval of a representation, fragment components (if any) should be excluded from the
    /// comparison."
    ///
    /// ```
    /// use locator::{Ladder, uri};
    ///
    /// let (a, b) = (uri!("http://h/#a"), uri!("http://h/#b"));
    /// assert!(!Ladder::new().compare(a, b)?.is_equivalent());
    /// assert!(Ladder::new().without_fragments().compare(a, b)?.is_equivalent());
    /// # Ok::<_, locator::CompareError>(())
    /// ```
    #[must_use]
    pub const fn without_fragments(self) -> Self {
        Self { without_fragments: true, ..self }
    }

    /// Sets the redirects that were seen, each from the first to the second; several may form a
    /// chain.
    ///
    /// Two references that redirect to the same target are not equivalent. A redirect is ignored if
    /// another edition parsed it or if its target has a fragment.
    ///
    /// ```
    /// use locator::{Ladder, Rung, uri};
    ///
    /// let (old, new) = (uri!("http://h/old"), uri!("http://h/new"));
    /// let seen = [(old, new)];
    /// let comparison = Ladder::new().with_redirects(&seen).compare(old, new)?;
    /// assert_eq!(comparison.rung, Some(Rung::Protocol));
    /// # Ok::<_, locator::CompareError>(())
    /// ```
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
    /// assert_eq!(
    ///     Ladder::new().with_domain_names().compare(letters, ascii).unwrap().rung,
    ///     Some(Rung::Idn)
    /// );
    /// # Ok::<_, locator::ParseError>(())
    /// ```
    #[cfg(feature = "idna")]
    #[must_use]
    pub const fn with_domain_names(self) -> Self {
        Self { domain_names: true, ..self }
    }

    /// Compares hosts as the IPv4 addresses that this kind of program reads them as; equal
    /// addresses are equivalent on [`Rung::Number`].
    ///
    /// ```
    /// use locator::{AddressReader, Ladder, Rung, uri_ref};
    ///
    /// let [octal, decimal] =
    ///     [uri_ref!("http://0177.0.0.1/"), uri_ref!("http://127.0.0.1/")];
    /// let by = |reader| {
    ///     Ladder::new()
    ///         .with_addresses(reader)
    ///         .compare(octal, decimal)
    ///         .map(|found| found.rung)
    /// };
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

    /// Returns the key that a reference is compared by.
    ///
    /// Without redirects, two references are equivalent if their keys are equal, and only then.
    ///
    /// The key need not be the normal form: `mailto` allows addresses in the path or in a field. A
    /// relative reference has a key, too, for lists of references that share one base.
    ///
    /// ```
    /// use locator::{Ladder, uri_ref};
    ///
    /// let key = |reference| Ladder::new().key(reference);
    /// assert_eq!(
    ///     key(uri_ref!("HTTP://example.com:80")),
    ///     key(uri_ref!("http://example.com/"))
    /// );
    /// assert_eq!(key(uri_ref!("file:c:/a")), key(uri_ref!("file:///c:/a")));
    /// assert_ne!(
    ///     key(uri_ref!("http://example.com/a")),
    ///     key(uri_ref!("http://example.com/a/"))
    /// );
    /// ```
    #[must_use]
    pub fn key<'r>(&self, reference: impl Into<UriRef<'r>>) -> String {
        self.key_of(reference.into())
    }

    fn key_of(&self, reference: UriRef<'_>) -> String {
        let normal = opened(reference, self.basis);
        let normal = normal.as_uri_ref();
        let components = self.compared(normal);
        if let Some(form) = self.scheme_form(normal) {
            let fragment = components.fragment.map(|fragment| ["#", fragment].concat());
            return form + &fragment.unwrap_or_default();
        }
        let authority = self.host_key(normal);
        let authority = authority.as_deref().or(components.authority);
        Components { authority, ..components }.pieces().concat()
    }

    /// Whether two references are equivalent by their texts and the rules of the schemes.
    pub(super) fn is_equivalent(&self, first: UriRef<'_>, second: UriRef<'_>) -> Result<bool, CompareError> {
        check_comparable(first, second)?;
        Ok(self.rung_of_texts(first, second).is_some())
    }

    /// Returns the first rung on which two references are equivalent.
    pub(super) fn rung(&self, first: UriRef<'_>, second: UriRef<'_>) -> Option<Rung> {
        self.rung_of_texts(first, second).or_else(|| self.rung_of_others(first, second))
    }

    /// Returns the first rung on which two references are equivalent by their texts and the rules of the
    /// schemes.
    fn rung_of_texts(&self, first: UriRef<'_>, second: UriRef<'_>) -> Option<Rung> {
        if self.cut(first) == self.cut(second) {
            return Some(Rung::Simple);
        }
        let [one, other] = [first, second].map(|one| opened(one, self.basis.by_syntax()));
        if self.cut(one.as_uri_ref()) == self.cut(other.as_uri_ref()) {
            return Some(Rung::Syntax);
        }
        let [one, other] = [first, second].map(|one| opened(one, self.basis));
        self.meet_by_scheme(one.as_uri_ref(), other.as_uri_ref()).then_some(Rung::Scheme)
    }

    /// Returns the first rung on which two references are equivalent by their hosts or by redirects.
    fn rung_of_others(&self, first: UriRef<'_>, second: UriRef<'_>) -> Option<Rung> {
        if !self.domain_names && self.addresses.is_none() && self.redirects.is_empty() {
            return None;
        }
        let [one, other] = [first, second].map(|one| opened(one, self.basis));
        if let Some(rung) = self.meet_by_host(one.as_uri_ref(), other.as_uri_ref()) {
            return Some(rung);
        }
        let meet = lead(self.redirects, first, second, self.basis)
            && (self.without_fragments || fragment(first) == fragment(second));
        meet.then_some(Rung::Protocol)
    }

    /// Whether two references in normal form are equivalent by their scheme.
    fn meet_by_scheme(&self, one: UriRef<'_>, other: UriRef<'_>) -> bool {
        let same_fragment = self.without_fragments
            || one.component(Component::Fragment) == other.component(Component::Fragment);
        let form = |reference| self.scheme_form(reference);
        let same = || form(one).is_some_and(|form_of_one| form(other) == Some(form_of_one));
        self.compared(one) == self.compared(other) || same_fragment && same()
    }

    /// Returns the text that the scheme compares a reference in normal form by, if it has its own.
    fn scheme_form(&self, normal: UriRef<'_>) -> Option<String> {
        Normalizer::new(normal, self.basis).compared_form()
    }

    /// Returns the components of a normalized reference that the scheme compares.
    pub(super) fn compared<'t>(&self, normal: UriRef<'t>) -> Components<'t> {
        let forms = Normalizer::new(normal, self.basis);
        let all = Components::of(normal);
        let query = all.query.filter(|_| forms.is_compared(Component::Query));
        let has_fragment = !self.without_fragments && forms.is_compared(Component::Fragment);
        Components { query, fragment: all.fragment.filter(|_| has_fragment), ..all }
    }

    /// Returns the text that is compared.
    fn cut<'t>(&self, reference: UriRef<'t>) -> &'t str {
        if self.without_fragments { reference.without_fragment().as_str() } else { reference.as_str() }
    }
}

#[cfg(feature = "schemes")]
impl Default for Ladder<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the fragment in normal form.
fn fragment(reference: UriRef<'_>) -> Option<String> {
    let normal = opened(reference, Basis::SYNTAX);
    normal.as_uri_ref().component(Component::Fragment).map(String::from)
}

/// Returns the normal form with every unreserved character decoded, by which references are compared.
pub(super) fn opened<'t>(reference: UriRef<'t>, basis: Basis<'_>) -> UriRefCow<'t> {
    let forms = Normalizer::new(reference, basis);
    if forms.may_open() { reference.compose(&forms.opening()) } else { reference.normalize_by(basis) }
}

/// Returns whether the redirects that the caller has seen lead from one of the two references to the
/// other, without fragments (RFC 3986, 6.2.4).
fn lead(seen: &[(Uri<'_>, Uri<'_>)], first: UriRef<'_>, second: UriRef<'_>, basis: Basis<'_>) -> bool {
    // The URL that is requested: the normal form without the fragment.
    let key = |reference: UriRef<'_>| String::from(opened(reference, basis).without_fragment().as_str());
    let fits = |uri: &Uri<'_>| uri.edition() == first.edition();
    let counts = |(from, to): &&(Uri<'_>, Uri<'_>)| fits(from) && fits(to) && to.fragment().is_none();
    let mut steps: Vec<_> =
        seen.iter().filter(counts).map(|(from, to)| (key(from.as_uri_ref()), key(to.as_uri_ref()))).collect();
    steps.sort_unstable();
    let (first, second) = (key(first), key(second));
    leads(&steps, &first, &second) || leads(&steps, &second, &first)
}

/// Follows redirects, which are sorted, each at most once.
fn leads(steps: &[(String, String)], from: &str, to: &str) -> bool {
    let mut followed = vec![false; steps.len()];
    let mut next = vec![from];
    while let Some(here) = next.pop() {
        let first = steps.partition_point(|(from, _)| from.as_str() < here);
        for ((from, there), followed) in steps[first..].iter().zip(&mut followed[first..]) {
            if from != here || mem::replace(followed, true) {
                break;
            }
            if there == to {
                return true;
            }
            next.push(there);
        }
    }
    false
}

crate::as_text::named! {
    /// A rung of the comparison ladder. Each costs more than the one before it and misses fewer
    /// equivalent references.
    ///
    /// ```
    /// use locator::{Ladder, Rung, compare, uri};
    ///
    /// let rung = |other| compare(uri!("http://h/~a"), other).map(|found| found.rung);
    /// assert_eq!(rung(uri!("http://h/~a"))?, Some(Rung::Simple));
    /// assert_eq!(rung(uri!("http://H/%7Ea"))?, Some(Rung::Syntax));
    /// assert_eq!(rung(uri!("http://h:80/~a"))?, Some(Rung::Scheme));
    /// assert_eq!(rung(uri!("http://h/~b"))?, None);
    /// assert!(Rung::Simple < Rung::Protocol);
    /// # Ok::<_, locator::CompareError>(())
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Rung {
        /// Identical texts (RFC 3986, section 6.2.1).
        Simple = "simple",
        /// Identical normal forms by the edition (section 6.2.2).
        Syntax = "syntax",
        /// Identical normal forms by the scheme, or another equivalence that it defines (section
        /// 6.2.3).
        Scheme = "scheme",
        /// Identical domain names, in letters or in ASCII form, if the caller asks for it (RFC
        /// 3987, section 5.3.3).
        Idn = "idn",
        /// Identical IPv4 addresses to a kind of program, if the caller asks for it (RFC 3986,
        /// section 7.4).
        Number = "number",
        /// One reference was seen to redirect to the other (section 6.2.4).
        Protocol = "protocol",
    }

    /// Returns the name of the rung in JSON.
    pub const fn name;
}

impl Rung {
    /// Returns the document and section that define the rung.
    ///
    /// It is that of the edition, or RFC 3986 where the edition does not define comparison.
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

impl Ladder<'_> {
    /// Returns the rung on which two normalized references are equivalent that differ only in their
    /// hosts.
    fn meet_by_host(&self, one: UriRef<'_>, other: UriRef<'_>) -> Option<Rung> {
        let without_host = |reference| Components { authority: None, ..self.compared(reference) };
        let parts = [Component::Userinfo, Component::Port];
        let same_rest = || {
            parts.into_iter().all(|part| one.component(part) == other.component(part))
                && without_host(one) == without_host(other)
        };
        self.rung_of_hosts(one, other).filter(|_| same_rest())
    }

    /// Returns the rung on which their hosts are equal.
    pub(super) fn rung_of_hosts(&self, one: UriRef<'_>, other: UriRef<'_>) -> Option<Rung> {
        let same_name =
            || self.domain_name(one)?.eq_ignore_ascii_case(&self.domain_name(other)?).then_some(());
        let same_address = || (self.address(one)? == self.address(other)?).then_some(());
        let by_name = self.domain_names.then(same_name).flatten().map(|()| Rung::Idn);
        by_name.or_else(|| same_address().map(|()| Rung::Number))
    }

    /// Returns the authority of a normalized reference with its host in the form that is compared,
    /// if that differs.
    fn host_key(&self, normal: UriRef<'_>) -> Option<String> {
        let host = match self.address(normal) {
            Some(address) => Cow::Owned(address.to_string()),
            None if self.domain_names => self.domain_name(normal)?,
            None => return None,
        };
        let (authority, parts) = (normal.component(Component::Authority)?, normal.spans());
        let span = parts.get(Component::Host)?;
        let before = (span.start - parts.authority_start()) as usize;
        let after = (span.end - parts.authority_start()) as usize;
        Some([&authority[..before], &host.to_ascii_lowercase(), &authority[after..]].concat())
    }

    /// Returns the host as a domain name in ASCII, if hosts are domain names; otherwise its text.
    fn domain_name<'t>(&self, reference: UriRef<'t>) -> Option<Cow<'t, str>> {
        let host = reference.authority()?.host();
        if !matches!(host.kind(), HostKind::Name | HostKind::Ipv4) {
            return None;
        }
        let octets = host.as_pct_str().decode();
        if !self.domain_names || octets.is_ascii() {
            return Some(Cow::Borrowed(host.as_str()));
        }
        host_form(&octets).map(Cow::Owned)
    }

    fn address(&self, reference: UriRef<'_>) -> Option<Ipv4Addr> {
        self.addresses?.read(&self.domain_name(reference)?)
    }
}
