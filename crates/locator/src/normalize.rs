//! Normal forms: one spelling for all references that mean the same.
//!
//! [`UriRef::normalize`] takes a reference and a [`Level`], and returns an equivalent reference in the
//! normal form of that level. A reference that is in normal form already is borrowed, so normalising it
//! again costs a look and no allocation. It follows RFC 3986, section 6.2, and section 6 of
//! draft-fielding-uri-rfc2396bis-01. The edition's data defines which escapes are decoded and which dot
//! segments are removed; the scheme defines its own rules.
//!
//! # When
//!
//! - To find duplicates in a list, or to use a URL as the key of a cache: [`NormalizedKey`].
//! - To write URLs alike, for readers and for version control.
//! - Not to decide whether a URL may be fetched or shown, which is a question about what other programs
//!   read in it; and not to repair a URL, because what is invalid was rejected before.
//!
//! To compare two references, [`is_equivalent`](UriRef::is_equivalent) needs no copy of them, and
//! [`compare`](crate::compare()) also says where they differ.
//!
//! # The levels
//!
//! [`Level::Syntax`] applies what is true of every URL: lower case for the scheme and the host, upper
//! case for the digits of escapes, escapes of unreserved characters decoded, dot segments removed.
//! `Level::Scheme` (feature `schemes`) adds the rules of the scheme: its default port, an empty path,
//! `localhost` in a `file` URL, the type of an `ftp` URL, and so on.
//!
//! ```
//! use locator::{Level, uri};
//!
//! let uri = uri!("HTTP://Example.COM:80/%7ejan/./a/../b?q=%c3%a9");
//! assert_eq!(
//!     uri.normalize(Level::Syntax),
//!     "http://example.com:80/~jan/b?q=%C3%A9"
//! );
//! # #[cfg(feature = "schemes")]
//! assert_eq!(
//!     uri.normalize(Level::Scheme),
//!     "http://example.com/~jan/b?q=%C3%A9"
//! );
//! ```
//!
//! The normal form of a [`Uri`] is a [`UriCow`], and that of a [`UriRef`] a
//! [`UriRefCow`]: a normal form keeps its scheme, and the type says so. Both have all methods of a
//! reference.
//!
//! ```
//! use locator::{Level, uri};
//!
//! let normal = uri!("HTTP://h/a").normalize(Level::Syntax);
//! assert_eq!(
//!     (normal.scheme().as_str(), normal.path().as_str()),
//!     ("http", "/a")
//! );
//! let kept: locator::UriBuf = normal.into_owned();
//! assert!(kept.is_normalized(Level::Syntax));
//! ```
//!
//! A set of keys keeps the first spelling of each URL:
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use locator::{Level, NormalizedKey, UriRef};
//!
//! let mut seen = BTreeMap::new();
//! for text in ["http://h/a", "HTTP://H/a", "http://h/%61", "http://h/b"] {
//!     *seen
//!         .entry(NormalizedKey::new(UriRef::parse(text)?, Level::Syntax))
//!         .or_insert(0) += 1;
//! }
//! let counts: Vec<_> = seen
//!     .iter()
//!     .map(|(key, count)| (key.reference().as_str(), *count))
//!     .collect();
//! assert_eq!(counts, [("http://h/a", 3), ("http://h/b", 1)]);
//! # Ok::<_, locator::ParseError>(())
//! ```
//!
//! # Pitfalls
//!
//! - Only what the documents call equivalent becomes equal. `http://h/a` and `http://h/a/` stay
//!   different, and so do `?a&b` and `?b&a`, `www.h` and `h`, `http` and `https`, `h` and `h.`
//! - `%2F` in a path is not decoded: it is data, "/" is a delimiter. Which characters are reserved
//!   depends on the edition and the scheme, so `%7e` is decoded by RFC 3986 and kept by an edition in
//!   which "~" is no unreserved character.
//! - A relative path keeps its dot segments, `a/../b` too: what they remove depends on the base.
//!   Resolve first, then normalise.
//! - The fragment is normalised and kept. [`without_fragment`](UriRef::without_fragment) removes it.
//! - A host beyond ASCII keeps its characters, except for the case of ASCII letters; U-labels become
//!   A-labels by `to_uri_with_idna` (feature `idna`).
//! - Passwords stay in normal forms and keys. `Debug` hides them, `Display` does not.
//!
//! Compares references in sets and maps by normal form. Takes a reference and a level, and keeps
//! both texts.

mod component;
mod fast;

use alloc::string::String;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

use crate::compose::{self, Components};
use crate::equivalence::Basis;
use crate::reference::{Iri, IriBuf, Uri, UriBuf, UriCow, UriRef, UriRefBuf, UriRefCow, delegate};
#[cfg(feature = "schemes")]
use crate::scheme::Registry;
use crate::span::Component;
pub(crate) use component::{Normalizer, PctDecodable, Token};
use fast::NormalText;

/// The rules that a normal form follows.
///
/// ```
/// use locator::{Level, uri_ref};
///
/// let reference = uri_ref!("HTTP://h:80/%7Ea");
/// assert_eq!(reference.normalize(Level::Syntax), "http://h:80/~a");
/// assert_eq!(reference.normalize(Level::Scheme), "http://h/~a");
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// The edition: case of scheme, host and hex digits, escapes of unreserved characters, dot
    /// segments (RFC 3986, section 6.2.2).
    Syntax,
    /// The scheme too: its default port, an empty port, and its own rules (section 6.2.3).
    /// Feature `schemes`.
    #[cfg(feature = "schemes")]
    Scheme,
}

impl Level {
    /// Returns the name of the level on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            #[cfg(feature = "schemes")]
            Self::Scheme => "scheme",
        }
    }
}

impl<'a> UriRef<'a> {
    /// Returns the normal form of this reference in its edition.
    ///
    /// It identifies the same resource, is valid wherever this reference is, and is its own normal
    /// form. Reserved characters are neither encoded nor decoded. Dot segments of a relative
    /// reference stay, because only its base shows what they mean.
    ///
    /// ```
    /// use locator::{Level, uri_ref};
    ///
    /// let reference = uri_ref!("eXAMPLE://a/./b/../b/%63/%7bfoo%7d");
    /// assert_eq!(reference.normalize(Level::Syntax), "example://a/b/c/%7Bfoo%7D");
    ///
    /// let reference = uri_ref!("http://example.com:80");
    /// assert_eq!(reference.normalize(Level::Syntax), "http://example.com:80");
    /// assert_eq!(reference.normalize(Level::Scheme), "http://example.com/");
    /// ```
    #[inline]
    #[must_use]
    pub fn normalize(self, level: Level) -> UriRefCow<'a> {
        // Each level calls its own function: where the level is a constant, the list of schemes is
        // linked only if it is asked for.
        match level {
            Level::Syntax => self.normalize_syntax(Basis::SYNTAX),
            #[cfg(feature = "schemes")]
            Level::Scheme => self.normalize_by_schemes(Registry::BUILT_IN),
        }
    }

    /// Returns the normal form by the schemes of a registry, which may contain the caller's own.
    ///
    /// ```
    /// use locator::{Level, scheme::Registry, uri_ref};
    ///
    /// let registry = Registry::new();
    /// let normal = uri_ref!("gopher://h:70").normalize_with(Level::Scheme, &registry);
    /// assert_eq!(normal, "gopher://h/");
    /// ```
    #[cfg(feature = "schemes")]
    #[inline]
    #[must_use]
    pub fn normalize_with(self, level: Level, schemes: &Registry<'_>) -> UriRefCow<'a> {
        match level {
            Level::Syntax => self.normalize_syntax(schemes.basis().by_syntax()),
            Level::Scheme => self.normalize_by_schemes(schemes),
        }
    }

    #[cfg(feature = "schemes")]
    #[inline(never)]
    fn normalize_by_schemes(self, schemes: &Registry<'_>) -> UriRefCow<'a> {
        self.normalize_scheme(schemes.basis())
    }

    /// Returns the normal form on one basis or another.
    pub(crate) fn normalize_by(self, basis: Basis<'_>) -> UriRefCow<'a> {
        if basis.by_scheme { self.normalize_scheme(basis) } else { self.normalize_syntax(basis) }
    }

    fn normalize_scheme(self, basis: Basis<'_>) -> UriRefCow<'a> {
        let forms = Normalizer::new(self, basis).known_as_normal(fast::is_normal(&self));
        if forms.is_certainly_normal() {
            debug_assert!(self.normalize_components(basis).is_borrowed(), "{self:?}");
            return UriRefCow::Borrowed(self);
        }
        let normal = self.compose(&forms);
        debug_assert_eq!(normal, self.normalize_components(basis));
        normal
    }

    fn normalize_syntax(self, basis: Basis<'_>) -> UriRefCow<'a> {
        if fast::is_normal(&self) {
            debug_assert!(self.normalize_components(basis).is_borrowed(), "{self:?}");
            return UriRefCow::Borrowed(self);
        }
        self.rewrite_syntax(basis)
    }

    #[inline(never)]
    fn rewrite_syntax(self, basis: Basis<'_>) -> UriRefCow<'a> {
        let Some(NormalText { text, spans }) = fast::write(self, basis) else {
            return self.normalize_components(basis);
        };
        debug_assert_eq!(self.normalize_components(basis), *text);
        let Some(spans) = spans else { return self.rewritten(text) };
        match text == self.as_str() {
            true => UriRefCow::Borrowed(self),
            false => UriRefCow::Owned(UriRefBuf::of_parts(text, spans, self.edition())),
        }
    }

    /// Returns the normal form, computed component by component.
    fn normalize_components(self, basis: Basis<'_>) -> UriRefCow<'a> {
        self.compose(&Normalizer::new(self, basis))
    }

    /// Composes the normal form of its components.
    pub(crate) fn compose(self, forms: &Normalizer<'_, '_>) -> UriRefCow<'a> {
        let (scheme, authority) = (forms.part(Component::Scheme), forms.part(Component::Authority));
        let (path, query) = (forms.part(Component::Path), forms.part(Component::Query));
        let fragment = forms.part(Component::Fragment);
        let normal = Components {
            prefix: forms.prefix(),
            scheme: scheme.as_deref(),
            authority: authority.as_deref(),
            path: path.as_deref().unwrap_or_default(),
            query: query.as_deref(),
            fragment: fragment.as_deref(),
            edition: self.edition(),
        };
        // A path that begins with "//" is not an authority: "/.//x" is normal, and only its
        // component has lost the dot.
        let pieces = normal.pieces();
        if compose::is_concat(self.as_str(), &pieces) {
            return UriRefCow::Borrowed(self);
        }
        let mut text = String::with_capacity(self.as_str().len() + "/.".len());
        compose::append(&mut text, &pieces);
        self.rewritten(text)
    }

    /// Returns the reference that has the normal form as its text.
    fn rewritten(self, text: String) -> UriRefCow<'a> {
        if text == self.as_str() {
            return UriRefCow::Borrowed(self);
        }
        match UriRefBuf::from_string_with(text, self.edition()) {
            Ok(changed) => UriRefCow::Owned(changed),
            Err(error) => {
                debug_assert!(false, "{self:?} became {:?}, which is not valid: {error}", error.as_str());
                UriRefCow::Borrowed(self)
            }
        }
    }

    /// Returns whether this reference is in normal form. Nothing is copied if it is.
    ///
    /// ```
    /// use locator::{Level, uri_ref};
    ///
    /// assert!(uri_ref!("http://example.com").is_normalized(Level::Syntax));
    /// assert!(!uri_ref!("http://example.com").is_normalized(Level::Scheme));
    /// ```
    #[inline]
    #[must_use]
    pub fn is_normalized(self, level: Level) -> bool {
        self.normalize(level).is_borrowed()
    }
}

impl<'a> Uri<'a> {
    /// Returns the normal form of this URI in its edition, as [`UriRef::normalize`] does.
    ///
    /// ```
    /// use locator::{Level, uri};
    ///
    /// assert_eq!(
    ///     uri!("HTTP://h:80/%7Ea").normalize(Level::Scheme).as_uri(),
    ///     uri!("http://h/~a")
    /// );
    /// ```
    #[inline]
    #[must_use]
    pub fn normalize(self, level: Level) -> UriCow<'a> {
        UriCow::of_absolute(self.as_uri_ref().normalize(level))
    }

    /// Returns the normal form by the schemes of a registry, which may contain the caller's own.
    #[cfg(feature = "schemes")]
    #[inline]
    #[must_use]
    pub fn normalize_with(self, level: Level, schemes: &Registry<'_>) -> UriCow<'a> {
        UriCow::of_absolute(self.as_uri_ref().normalize_with(level, schemes))
    }
}

delegate! {
    [UriRefBuf, UriRefCow<'_>] by as_uri_ref:
    /// Returns the normal form of this reference by its edition.
    #[must_use]
    fn normalize(level: Level) -> UriRefCow<'_>;
    /// Returns the normal form by the schemes of a registry, which may contain the caller's own.
    #[cfg(feature = "schemes")]
    #[must_use]
    fn normalize_with(level: Level, schemes: &Registry<'_>) -> UriRefCow<'_>;
}

delegate! {
    [UriBuf, UriCow<'_>] by as_uri:
    /// Returns the normal form of this URI by its edition.
    #[must_use]
    fn normalize(level: Level) -> UriCow<'_>;
    /// Returns the normal form by the schemes of a registry, which may contain the caller's own.
    #[cfg(feature = "schemes")]
    #[must_use]
    fn normalize_with(level: Level, schemes: &Registry<'_>) -> UriCow<'_>;
}

delegate! {
    "Normal form":
    /// Returns whether this reference is in normal form.
    #[must_use]
    fn is_normalized(level: Level) -> (bool) {
        //! ```
        //! use locator::{Level, uri};
        //!
        //! // A list in which every URL is to be written alike.
        //! assert!(uri!("https://example.com/a").is_normalized(Level::Syntax));
        //! assert!(!uri!("https://Example.com/%7Ea").is_normalized(Level::Syntax));
        //! ```
    }
}

/// Implements the normal form of both types of IRIs.
macro_rules! normalizes_iri {
    ($($type:ty),*) => {$(
        impl $type {
            /// Returns the normal form of this IRI.
            ///
            /// ```
            /// use locator::{Iri, Level};
            ///
            /// let iri = Iri::parse("HTTPS://example.com/%C3%A9/../ü")?;
            /// assert_eq!(iri.normalize(Level::Syntax), "https://example.com/ü");
            /// # Ok::<_, locator::ParseError>(())
            /// ```
            #[must_use]
            pub fn normalize(&self, level: Level) -> IriBuf {
                IriBuf(self.as_uri().normalize(level).into_owned())
            }
        }
    )*};
}

normalizes_iri!(Iri<'_>, IriBuf);

/// A reference whose equality, order and hash are those of its normal form.
///
/// References themselves are compared by their text (RFC 3986, section 6.2.1). Use this type for
/// sets in which equivalent references are equal. All in one set should have the same level and
/// edition.
///
/// ```
/// use locator::{Level, NormalizedKey, uri_ref};
/// use std::collections::HashSet;
///
/// let four = [
///     uri_ref!("http://example.com"),
///     uri_ref!("http://example.com/"),
///     uri_ref!("http://example.com:/"),
///     uri_ref!("http://example.com:80/"),
/// ];
/// let set: HashSet<_> =
///     four.iter().map(|one| NormalizedKey::new(*one, Level::Scheme)).collect();
/// assert_eq!(set.len(), 1);
/// assert_eq!(set.iter().next().unwrap().reference(), "http://example.com");
/// ```
///
/// [`into_owned`](Self::into_owned) returns a key that does not borrow, for a map that outlives the texts.
#[derive(Clone, Debug)]
pub struct NormalizedKey<'a> {
    reference: UriRefCow<'a>,
    normal: UriRefCow<'a>,
}

impl<'a> NormalizedKey<'a> {
    /// Creates a key that compares a reference by its normal form of that level.
    #[inline]
    #[must_use]
    pub fn new(reference: impl Into<UriRef<'a>>, level: Level) -> Self {
        let reference = reference.into();
        Self { reference: reference.into(), normal: reference.normalize(level) }
    }

    /// Creates a key that compares by the schemes of a registry, which may contain the caller's
    /// own.
    #[cfg(feature = "schemes")]
    #[must_use]
    pub fn with(reference: impl Into<UriRef<'a>>, level: Level, schemes: &Registry<'_>) -> Self {
        let reference = reference.into();
        Self { reference: reference.into(), normal: reference.normalize_with(level, schemes) }
    }

    /// Returns the reference as it was given.
    #[must_use]
    pub fn reference(&self) -> UriRef<'_> {
        self.reference.as_uri_ref()
    }

    /// Returns the normal form of the reference.
    #[must_use]
    pub const fn normal(&self) -> &UriRefCow<'a> {
        &self.normal
    }

    /// Returns this key with texts of its own.
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// use locator::{Level, NormalizedKey, UriRef};
    ///
    /// let mut visits: HashMap<NormalizedKey<'static>, u32> = HashMap::new();
    /// for line in ["http://h/a", "HTTP://H/%61"].map(String::from) {
    ///     let key = NormalizedKey::new(UriRef::parse(&line)?, Level::Syntax);
    ///     *visits.entry(key.into_owned()).or_default() += 1;
    /// }
    /// assert_eq!(visits.values().collect::<Vec<_>>(), [&2]);
    /// # Ok::<_, locator::ParseError>(())
    /// ```
    #[must_use]
    pub fn into_owned(self) -> NormalizedKey<'static> {
        NormalizedKey {
            reference: self.reference.into_owned().into(),
            normal: self.normal.into_owned().into(),
        }
    }
}

impl PartialEq for NormalizedKey<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.normal == other.normal
    }
}

impl Eq for NormalizedKey<'_> {}

impl PartialOrd for NormalizedKey<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for NormalizedKey<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.normal.cmp(&other.normal)
    }
}

impl Hash for NormalizedKey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.normal.hash(state);
    }
}
