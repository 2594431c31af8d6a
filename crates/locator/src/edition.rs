//! The editions of the standard, as data.
//!
//! An [`Edition`] is one document that says what a URL is: RFC 3986, one of its predecessors since 1993,
//! or RFC 3987 for characters beyond ASCII. It contains a table of character classes, switches for the
//! differences between the grammars, and the words and sections that messages quote. Each edition has
//! its own file and an entry in [`ALL`]. No code depends on the name of an edition.
//!
//! # When to use another edition than RFC 3986
//!
//! Every constructor with a plain name, such as [`UriRef::parse`](crate::UriRef::parse), uses RFC 3986,
//! and most programs need no other. Choose one by the text that you have:
//!
//! | you have | use |
//! |---|---|
//! | URLs of the web, of a configuration, of an API | [`RFC3986`], the default |
//! | URLs with letters beyond ASCII | [`RFC3987`]; [`to_uri_form`](crate::UriRef::to_uri_form) converts them |
//! | link-local addresses with a zone, `http://[fe80::1%25eth0]/` | [`RFC3986_WITH_ZONES`] |
//! | an archive, a protocol or a program of the nineties | the edition it was written by: [`URL_1993`], [`URL_1994`], [`RFC1738`], [`URL_1997`], [`RFC2396`], [`URI_2003`] |
//! | a standard that cites RFC 2396 or RFC 1738 | that one, to report what it forbids |
//!
//! A browser follows none of them: it reads the URL Standard, which repairs what it reads. Use the crate
//! `url` to read links as a browser does.
//!
//! # How
//!
//! A function that takes an edition ends in `_with`. A reference keeps the edition that parsed it, and
//! everything that is made from it (a normal form, a resolved reference, an edit) is parsed by that
//! edition again.
//!
//! ```
//! use locator::edition::{RFC1738, RFC3986};
//! use locator::{Level, UriRef};
//!
//! // "~" became an unreserved character in RFC 2396.
//! let home = "http://example.com/~jan";
//! assert!(UriRef::parse(home).is_ok());
//! let error = UriRef::parse_with(home, &RFC1738).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "\"~\" is not allowed in the path, at byte 19 (xchar, RFC 1738, 5)"
//! );
//!
//! let reference = UriRef::parse(home)?;
//! assert_eq!(reference.edition(), &RFC3986);
//! assert_eq!(reference.normalize(Level::Syntax).edition(), &RFC3986);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! An edition is found by its name, which is what users write on a command line and in a configuration:
//!
//! ```
//! use locator::Edition;
//! use locator::edition::{self, RFC2396};
//!
//! let edition: &Edition = "rfc2396".parse()?;
//! assert_eq!(edition, &RFC2396);
//! assert_eq!((edition.document, edition.date), ("RFC 2396", "August 1998"));
//! assert!(edition::from_name("rfc9999").is_none());
//! # Ok::<_, edition::UnknownEditionError>(())
//! ```
//!
//! This prints which editions accept a text:
//!
//! ```
//! use locator::{UriRef, edition};
//!
//! let accepts = |text| {
//!     let editions = edition::ALL
//!         .into_iter()
//!         .filter(move |edition| UriRef::parse_with(text, edition).is_ok());
//!     editions.map(|edition| edition.name).collect::<Vec<_>>()
//! };
//! assert_eq!(accepts("http://[::1]/"), ["uri-2003", "rfc3986", "rfc3987"]);
//! assert_eq!(accepts("/é"), ["rfc3987"]);
//! assert_eq!(accepts("/a|b"), [""; 0]);
//! ```
//!
//! # Pitfalls
//!
//! - Two references of different editions are not resolved against each other and not compared:
//!   [`ResolveError::EditionsDiffer`](crate::ResolveError::EditionsDiffer),
//!   [`CompareError::EditionsDiffer`](crate::CompareError::EditionsDiffer). Parse both by the same one.
//!   `==` compares texts and ignores the edition.
//! - A newer edition is not a superset of an older one: `x://a:b/` has a registered name in RFC 2396
//!   and an invalid port in RFC 3986. What an old program wrote may need its own edition.
//! - [`URL_1994`] and [`RFC1738`] define no relative references: `UriRef::parse_with("a", &RFC1738)` is
//!   an error, and nothing can be resolved.
//! - Escapes are ISO 8859-1 in [`URL_1993`] and UTF-8 in the others: see [`Edition::charset`].
//! - [`RFC3986_WITH_ZONES`] is an option of RFC 3986, which must be asked for, so it is not in [`ALL`]
//!   but in [`WITH_OPTIONS`].

mod charset;
mod classes;
mod definition;
mod name;
pub(crate) mod rfc1738;
mod rfc2396;
pub(crate) mod rfc3986;
mod rfc3987;
mod uri_2003;
pub(crate) mod url_1993;
pub(crate) mod url_1994;
mod url_1997;

pub use charset::{Charset, CharsetError};
pub use definition::{Edition, PathUnderflow, Rule, SameDocument, Terminology};
pub use name::UnknownEditionError;
pub use rfc1738::RFC1738;
pub use rfc2396::RFC2396;
pub use rfc3986::{RFC3986, RFC3986_WITH_ZONES};
pub use rfc3987::RFC3987;
pub use uri_2003::URI_2003;
pub use url_1993::URL_1993;
pub use url_1994::URL_1994;
pub use url_1997::URL_1997;

use classes::{ALPHANUM, ESCAPE};
#[cfg(feature = "text")]
pub(crate) use classes::{URL_ENDS, is_in};
use definition::Update;
pub(crate) use definition::{
    DotsIn, Equivalence, GopherSearch, IpLiterals, Ladder, LastDot, Name, RegName, Resolution, Rules,
    SchemeForms, Sections, Server, Slash, WaisLength,
};

/// All editions, from oldest to newest.
pub static ALL: [&Edition; 8] =
    [&URL_1993, &URL_1994, &RFC1738, &URL_1997, &RFC2396, &URI_2003, &RFC3986, &RFC3987];

/// Editions extended by an option that another document defines; [`from_name`] finds them too.
pub static WITH_OPTIONS: [&Edition; 1] = [&RFC3986_WITH_ZONES];

/// The default edition, RFC 3986.
pub static DEFAULT: &Edition = &RFC3986;

impl Default for &'static Edition {
    /// Returns the default edition, RFC 3986.
    fn default() -> Self {
        DEFAULT
    }
}

/// Returns the edition with this name (`rfc3986`), ignoring case. For an error in place of `None`
/// parse the name: `"rfc1738".parse::<&Edition>()?`.
///
/// ```
/// use locator::Edition;
///
/// assert_eq!("rfc1738".parse::<&Edition>()?, &locator::edition::RFC1738);
/// assert_eq!(
///     locator::edition::from_name("RFC1738"),
///     Some(&locator::edition::RFC1738)
/// );
/// assert_eq!(
///     locator::edition::from_name("rfc3986+zones"),
///     Some(&locator::edition::RFC3986_WITH_ZONES)
/// );
/// assert_eq!(locator::edition::from_name("rfc0001"), None);
/// # Ok::<_, locator::edition::UnknownEditionError>(())
/// ```
#[must_use]
pub fn from_name(name: &str) -> Option<&'static Edition> {
    ALL.into_iter().chain(WITH_OPTIONS).find(|edition| edition.name.eq_ignore_ascii_case(name))
}

impl Edition {
    /// Returns whether this is the default edition.
    ///
    /// ```
    /// assert!(locator::edition::RFC3986.is_default());
    /// ```
    #[must_use]
    pub fn is_default(&self) -> bool {
        self == DEFAULT
    }
}
