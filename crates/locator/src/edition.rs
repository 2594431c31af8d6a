//! The editions of the standard, as data.
//!
//! An edition contains a table of character classes, switches for the differences between the
//! grammars, and the words and sections that messages quote. Each edition has its own file and an
//! entry in [`ALL`]. No code depends on the name of an edition.

mod characters;
mod charset;
mod citation;
mod classes;
mod comparison;
mod definition;
mod forms;
mod name;
mod resolution;
pub(crate) mod rfc1738;
mod rfc2396;
pub(crate) mod rfc3986;
mod rfc3987;
mod rule;
mod server;
mod sets;
mod uri_2003;
pub(crate) mod url_1993;
pub(crate) mod url_1994;
mod url_1997;

pub use charset::{Charset, CharsetError};
pub use definition::Edition;
pub use name::UnknownEditionError;
pub use resolution::{PathUnderflow, SameDocument};
pub use rfc1738::RFC1738;
pub use rfc2396::RFC2396;
pub use rfc3986::{RFC3986, RFC3986_WITH_ZONES};
pub use rfc3987::RFC3987;
pub use rule::{Rule, Terminology};
pub use uri_2003::URI_2003;
pub use url_1993::URL_1993;
pub use url_1994::URL_1994;
pub use url_1997::URL_1997;

#[cfg(feature = "text")]
pub(crate) use characters::{URL_ENDS, is_in};
use citation::Update;
pub(crate) use comparison::{Equivalence, Ladder};
pub(crate) use forms::{GopherSearch, SchemeForms, WaisLength};
pub(crate) use resolution::{DotsIn, Resolution, Sections, Slash};
pub(crate) use rule::Rules;
pub(crate) use server::{IpLiterals, LastDot, Name, RegName, Server};
use sets::{ALPHANUM, ESCAPE};

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

/// Returns the edition with this name (`rfc3986`), ignoring case.
///
/// ```
/// assert_eq!(locator::edition::from_name("RFC1738"), Some(&locator::edition::RFC1738));
/// assert_eq!(locator::edition::from_name("rfc3986+zones"), Some(&locator::edition::RFC3986_WITH_ZONES));
/// assert_eq!(locator::edition::from_name("rfc0001"), None);
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
