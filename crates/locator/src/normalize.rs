//! The normal form of a reference.
//!
//! A reference and a level enter; what identifies the same, written as the level would have it,
//! leaves: the reference as it was given if it is so already, without a copy. Follows RFC 3986,
//! section 6.2, and section 6 of draft-fielding-uri-rfc2396bis-01. Which escapes and which dots
//! an edition lets go is the edition's data, what is peculiar to a scheme is the scheme's.

mod address;
mod by_normal_form;
mod component;
mod direct;
mod sight;
mod token;

use alloc::borrow::Cow;
use alloc::string::String;
use core::cmp::Ordering;
use core::fmt::{self, Debug, Display, Formatter};
use core::hash::{Hash, Hasher};

pub use by_normal_form::ByNormalForm;
pub(crate) use component::Forms;
use token::Tokens;
pub(crate) use token::{Token, Undone};

use crate::compose::Components;
use crate::equivalence::Basis;
use crate::part::Part;
use crate::reference::{Rewritten, UriRef, UriRefBuf};
#[cfg(feature = "schemes")]
use crate::scheme::Registry;

/// How much is known of the references whose normal form is asked for.
///
/// ```
/// use locator::{Level, uri_ref};
///
/// let reference = uri_ref!("HTTP://h:80/%7Ea");
/// assert_eq!(reference.normalize(Level::Syntax), "http://h:80/~a");
/// assert_eq!(reference.normalize(Level::Scheme), "http://h/~a");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// The edition: case of scheme, host and hex digits, escapes of unreserved characters, dot
    /// segments (RFC 3986, section 6.2.2).
    Syntax,
    /// The scheme too: its default port, an empty port, and what it says itself (section 6.2.3). Feature `schemes`.
    #[cfg(feature = "schemes")]
    Scheme,
}

impl Level {
    /// The word for it on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            #[cfg(feature = "schemes")]
            Self::Scheme => "scheme",
        }
    }
}

impl<'a> UriRef<'a> {
    /// The normal form by the edition that it was read by.
    ///
    /// It identifies the same, is valid where this is, and its own normal form is itself. A
    /// reserved character is neither escaped nor unescaped, and the dot segments of a relative
    /// reference stay, because its base has yet to come.
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
    pub fn normalize(self, level: Level) -> Normal<'a> {
        // Each level calls its own function: where the level is a constant, the list of schemes is linked only if it is
        // asked for.
        match level {
            Level::Syntax => self.normalize_syntax(Basis::SYNTAX),
            #[cfg(feature = "schemes")]
            Level::Scheme => self.normalize_by_schemes(Registry::BUILT_IN),
        }
    }

    /// The same by the schemes of a registry, a caller's own among them.
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
    pub fn normalize_with(self, level: Level, schemes: &Registry<'_>) -> Normal<'a> {
        match level {
            Level::Syntax => self.normalize_syntax(schemes.basis().by_syntax()),
            Level::Scheme => self.normalize_by_schemes(schemes),
        }
    }

    #[cfg(feature = "schemes")]
    #[inline(never)]
    fn normalize_by_schemes(self, schemes: &Registry<'_>) -> Normal<'a> {
        self.normalize_components(schemes.basis())
    }

    /// The normal form by one basis or another.
    pub(crate) fn normalize_by(self, basis: Basis<'_>) -> Normal<'a> {
        if basis.by_scheme { self.normalize_components(basis) } else { self.normalize_syntax(basis) }
    }

    fn normalize_syntax(self, basis: Basis<'_>) -> Normal<'a> {
        if sight::is_normal(self) {
            debug_assert!(self.normalize_components(basis).is_as_given(), "{self:?}");
            return Normal(Rewritten::AsGiven(self));
        }
        self.rewrite_syntax(basis)
    }

    #[inline(never)]
    fn rewrite_syntax(self, basis: Basis<'_>) -> Normal<'a> {
        match direct::write(self, basis) {
            Some(text) => {
                debug_assert_eq!(self.normalize_components(basis), *text);
                self.rewritten(text)
            }
            None => self.normalize_components(basis),
        }
    }

    /// The same component by component.
    fn normalize_components(self, basis: Basis<'_>) -> Normal<'a> {
        let forms = Forms::new(self, basis);
        let [scheme, authority, path, query, fragment] =
            [Part::Scheme, Part::Authority, Part::Path, Part::Query, Part::Fragment]
                .map(|part| forms.part(part));
        let normal = Components {
            prefix: forms.prefix(),
            scheme: scheme.as_deref(),
            authority: authority.as_deref(),
            path: path.as_deref().unwrap_or_default(),
            query: query.as_deref(),
            fragment: fragment.as_deref(),
            edition: self.edition(),
        };
        if normal == Components::of(self) {
            return Normal(Rewritten::AsGiven(self));
        }
        // A path that begins with "//" is no authority: "/.//x" is normal and loses its dot only here.
        let mut text = String::with_capacity(self.as_str().len() + "/.".len());
        text.extend(normal.pieces());
        self.rewritten(text)
    }

    /// Its normal form by the text of that.
    fn rewritten(self, text: String) -> Normal<'a> {
        if text == self.as_str() {
            return Normal(Rewritten::AsGiven(self));
        }
        match UriRefBuf::from_string(text, self.edition()) {
            Ok(changed) => Normal(Rewritten::Changed(changed)),
            Err((error, text)) => {
                debug_assert!(false, "{self:?} became {text:?}, which is not valid: {error}");
                Normal(Rewritten::AsGiven(self))
            }
        }
    }

    /// Whether it is in normal form. Nothing is copied to know it where it is.
    ///
    /// ```
    /// use locator::{Level, uri_ref};
    ///
    /// assert!(uri_ref!("http://example.com").is_normal(Level::Syntax));
    /// assert!(!uri_ref!("http://example.com").is_normal(Level::Scheme));
    /// ```
    #[inline]
    pub fn is_normal(self, level: Level) -> bool {
        self.normalize(level).is_as_given()
    }
}

/// The normal form of a reference: a reference itself.
///
/// Equality, order and hash are those of its text, as of every reference; see [`ByNormalForm`] for
/// a reference that keeps the text it was given.
///
/// ```
/// use locator::{Level, uri_ref};
///
/// let normal = uri_ref!("http://EXAMPLE.com/").normalize(Level::Syntax);
/// assert!(!normal.is_as_given());
/// assert_eq!(normal.as_uri_ref().authority().unwrap().as_str(), "example.com");
/// assert_eq!(normal.into_string(), "http://example.com/");
/// ```
#[derive(Clone)]
pub struct Normal<'a>(Rewritten<'a>);

impl<'a> Normal<'a> {
    /// The same as a reference, of which every question can be asked.
    pub fn as_uri_ref(&self) -> UriRef<'_> {
        self.0.as_uri_ref()
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.as_uri_ref().as_str()
    }

    /// Whether the reference was in normal form; nothing has been copied then.
    pub const fn is_as_given(&self) -> bool {
        self.0.is_as_given()
    }

    /// The text, borrowed from the reference that was given if it was in normal form.
    pub fn into_text(self) -> Cow<'a, str> {
        self.0.into_text()
    }

    /// The text, given away.
    pub fn into_string(self) -> String {
        self.into_text().into_owned()
    }

    /// The same with its own text.
    pub fn into_owned(self) -> UriRefBuf {
        self.0.into_owned()
    }
}

impl AsRef<str> for Normal<'_> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl Display for Normal<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Debug for Normal<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(self.as_str(), f)
    }
}

impl PartialEq<str> for Normal<'_> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Normal<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq for Normal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Normal<'_> {}

impl PartialOrd for Normal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Normal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Hash for Normal<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}
