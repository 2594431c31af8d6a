//! Divides, checks, builds and edits URLs as their schemes define them.
//!
//! A URL that the generic grammar of an edition allows may still break the edition's rule for its
//! scheme.
//!
//! Each scheme is defined in one file and listed in [`ALL`]. It defines the rule of each edition,
//! the typed view of its URLs and their builder, its port and its equivalences, and the
//! [plan](crate::plan) that fetches what they identify. Only `url-1993`, `url-1994` and `rfc1738`
//! have rules for schemes; the later editions leave them to other documents.
//!
//! # When
//!
//! - To read what a scheme puts into its URLs: the type of an `ftp` URL, the addresses of a `mailto`, the
//!   item of a `gopher` menu. Each scheme has a *view* for that.
//! - To write such a URL from its parts: each view has a *builder*, whose name ends in `Parts`.
//! - To ask a question by name: [`default_port`], [`lookup`], [`check`].
//! - To add schemes of a program: [`Registry`].
//!
//! # Views and builders
//!
//! A view divides a URL and leaves decoding to its caller, because only the caller knows the charset. It
//! is made with `try_from`; a URL of another scheme is [`SyntaxError::OtherScheme`]. `parts()` returns the
//! builder of the same URL, in which single parts are replaced:
//!
//! ```
//! use locator::scheme::{FtpUrl, MailtoUrl};
//! use locator::uri;
//!
//! let url = uri!("ftp://jan@host.example/pub/a%20b.txt;type=i");
//! let ftp = FtpUrl::try_from(url)?;
//! assert_eq!(
//!     ftp.parts().name("c.txt").build().unwrap(),
//!     "ftp://jan@host.example/pub/c.txt;type=i"
//! );
//!
//! assert!(MailtoUrl::try_from(url).is_err());
//! # Ok::<_, locator::scheme::SyntaxError>(())
//! ```
//!
//! # By name
//!
//! ```
//! use locator::scheme;
//!
//! assert_eq!(scheme::default_port("HTTPS"), Some(443));
//! assert_eq!(
//!     scheme::lookup("mailto").unwrap().form().citation,
//!     "RFC 6068, 2"
//! );
//! assert!(scheme::lookup("javascript").is_none());
//! ```
//!
//! # The rules of 1993 and 1994
//!
//! The first editions say what the URL of each scheme looks like, and later ones leave that to other
//! documents. [`check`] applies the rule of an edition, and [`errors_with`] lists what breaks it:
//!
//! ```
//! use locator::edition::RFC1738;
//! use locator::{UriRef, scheme};
//!
//! // RFC 1738 allows no user in an http URL (3.3).
//! let with_user = UriRef::parse_with("http://jan@h/", &RFC1738)?;
//! assert!(scheme::check(with_user).unwrap().is_err());
//! assert!(scheme::check(UriRef::parse("http://jan@h/")?).is_none());
//! # Ok::<_, locator::ParseError>(())
//! ```
//!
//! # Pitfalls
//!
//! - A reference with an unknown scheme is valid and has all components; it has no view, port or plan.
//! - Compare scheme names without case: `uri.scheme() == "http"` does, `uri.scheme().as_str()` does not.
//!   For a `match` use [`SchemeName::lowercase`](crate::SchemeName::lowercase).
//! - A view borrows from its reference and keeps the escapes. `name.as_str()` is encoded text;
//!   `decode_utf8()` is what a server is sent.
//! - A default port is the usual one, not a permission to connect.

mod afs;
mod cursor;
mod data;
mod definition;
mod field;
pub mod file;
mod ftp;
mod gopher;
mod http;
mod mailto;
mod mid;
pub(crate) mod names;
mod news;
mod of_reference;
mod parts;
#[cfg(feature = "plan")]
mod planned;
#[cfg(feature = "plan")]
mod planner;
mod prospero;
mod registry;
#[cfg(feature = "plan")]
mod set;
mod syntax;
mod telnet;
mod urn;
pub(crate) mod views;
pub(crate) mod wais;
mod whois;
mod z3950;

pub use afs::{AfsParts, AfsUrl};
pub use cursor::Reader;
pub use cursor::Terminal;
#[cfg(feature = "text")]
pub(crate) use cursor::is_addr_spec;
#[cfg(feature = "text")]
pub(crate) use data::contains_document;
pub use data::{DataParts, DataUrl};
use definition::{NamedEquivalences, check_by, if_ruled, or_root, rule_of, without_authority};
pub use definition::{Scheme, SchemeRule};
pub use field::{NamedValues, Values};
pub use ftp::{FormCode, FtpParts, FtpType, FtpUrl};
pub use gopher::{GopherParts, GopherPlus, GopherUrl};
#[cfg(feature = "plan")]
pub use gopher::{attributes, menu};
pub use http::{HttpParts, HttpUrl};
#[cfg(feature = "text")]
pub(crate) use mailto::names_mailbox;
pub use mailto::{MailtoParts, MailtoUrl};
pub use mid::{MidParts, MidUrl};
#[cfg(feature = "text")]
pub(crate) use names::ports::is_fetched_by_browsers;
pub use names::ports::{RegisteredPort, default_port, registered_port};
pub use names::registered::{IanaStatus, status, suggest};
#[cfg(feature = "text")]
pub(crate) use names::registered::{defanged, may_be_registered, refanged, wraps_urls};
pub use news::nntp::{NntpParts, NntpUrl};
pub use news::{News, NewsParts, NewsUrl};
pub use parts::{Divide, Field, FieldValue, Fields, LoginParts, Number, Part, Shape, Unfinished, edit};
#[cfg(feature = "plan")]
pub use planned::{fields, plan, planner_named};
#[cfg(feature = "plan")]
pub use planner::Planner;
pub use prospero::{ProsperoParts, ProsperoUrl};
#[cfg(feature = "plan")]
pub use registry::GatewayPlanError;
pub use registry::{DuplicateSchemeError, Registry, Schemes};
#[cfg(feature = "plan")]
pub use set::{Key, PartError, PartNames, part_names, remove_part, set_part};
pub use syntax::errors::{Errors, errors, errors_with};
pub use syntax::errors::{ExplainedErrors, explain, explain_each};
pub use syntax::login::Login;
pub use telnet::{SessionParts, SessionUrl};
pub use urn::{UrnName, UrnParts};
#[cfg(feature = "text")]
pub(crate) use views::form_error;
pub use wais::{WaisDocument, WaisObject, WaisParts, WaisUrl};
pub use whois::{WhoisParts, WhoisUrl};
pub use z3950::{Z3950Parts, Z3950Url};

#[doc(no_inline)]
pub use crate::component::SpannedStr;
#[doc(no_inline)]
pub use crate::edition::Rule;
pub use crate::equivalence::Equivalences;
#[doc(no_inline)]
pub use crate::error::ParseError;
pub use crate::form::{Syntax, SyntaxError, ValueError};
#[cfg(feature = "plan")]
#[doc(no_inline)]
pub use crate::plan::{Options, Plan, PlanError};
use crate::reference::UriRef;
#[doc(no_inline)]
pub use crate::simd::AsciiSet;

/// Writes the list of the schemes once, for [`ALL`], [`EQUIVALENCES`] and [`PLANNERS`].
macro_rules! lists {
    ($($scheme:path),+ $(,)?) => {
        /// Every scheme that this crate defines.
        pub static ALL: &[&dyn Scheme] = &[$(&$scheme),+];

        /// The equivalences of the schemes in [`ALL`], in its order.
        ///
        /// The list is separate, so that a program that only normalizes does not link the rules of
        /// every edition.
        static EQUIVALENCES: &[&dyn NamedEquivalences] = &[$(&$scheme),+];

        /// The planners of the schemes in [`ALL`], in its order.
        ///
        /// The list is separate, so that a program that needs only a name, a port or a normal form
        /// does not link the dialogues of all protocols.
        #[cfg(feature = "plan")]
        pub static PLANNERS: &[&dyn Planner] = &[$(&$scheme),+];
    };
}

lists![
    http::HTTP,
    http::HTTPS,
    http::WS,
    http::WSS,
    ftp::FTP,
    ftp::FTPS,
    gopher::Gopher,
    mailto::Mailto,
    mid::MID,
    mid::CID,
    news::NEWS,
    news::SNEWS,
    news::nntp::Nntp,
    telnet::TELNET,
    telnet::RLOGIN,
    telnet::TN3270,
    wais::Wais,
    prospero::Prospero,
    file::File,
    afs::Afs,
    whois::Whois,
    z3950::SESSION,
    z3950::RETRIEVAL,
    urn::Urn,
    data::Data,
    names::reserved::X500,
    names::reserved::NFS,
    names::reserved::MAILSERVER,
    names::reserved::Z39_50,
    names::reserved::Experimental,
];

/// Returns the scheme of this name, ignoring case.
///
/// ```
/// assert_eq!(locator::scheme::lookup("HTTP").unwrap().names(), ["http"]);
/// assert!(locator::scheme::lookup("mine").is_none());
/// ```
#[must_use]
pub fn lookup(name: &str) -> Option<&'static dyn Scheme> {
    ALL.iter().copied().find(|scheme| scheme.is_named(name))
}

/// Returns the equivalences of the scheme of this name, ignoring case.
fn equivalences(name: &str) -> Option<&'static dyn NamedEquivalences> {
    EQUIVALENCES.iter().copied().find(|scheme| scheme.has_name(name))
}

/// Checks a reference by the rule that its edition has for its scheme; returns `None` without a
/// rule.
///
/// The rule covers everything between the scheme's ":" and "#", whatever component the generic
/// grammar assigns: a "?" may be data.
///
/// ```
/// use locator::UriRef;
/// use locator::edition::RFC1738;
/// use locator::scheme::check;
///
/// let with_user = UriRef::parse_with("http://user@host/", &RFC1738)?;
/// assert_eq!(check(with_user).unwrap().unwrap_err().rule().name, "httpurl");
/// assert_eq!(
///     check(UriRef::parse_with("ftp://user@host/", &RFC1738)?),
///     Some(Ok(()))
/// );
/// assert_eq!(check(UriRef::parse_with("x-mine:whatever", &RFC1738)?), None);
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn check<'r>(reference: impl Into<UriRef<'r>>) -> Option<Result<(), ParseError>> {
    let reference = reference.into();
    let scheme = lookup(reference.scheme()?.as_str())?;
    check_by(scheme, reference)
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::equivalence::SYNTAX;

    #[test]
    fn names_are_unique_and_in_lower_case() {
        let names: Vec<_> = ALL.iter().flat_map(|scheme| scheme.names()).collect();
        for (i, name) in names.iter().enumerate() {
            assert_eq!(name.to_ascii_lowercase(), **name);
            assert!(!names[..i].contains(name), "{name}");
        }
    }

    #[test]
    fn the_table_for_syntax_says_what_the_schemes_say() {
        for scheme in ALL {
            for name in scheme.names() {
                let listed = SYNTAX.iter().find(|(known, _)| known == name).map(|(_, syntax)| syntax);
                let hierarchical = listed.is_none_or(|syntax| syntax.is_hierarchical());
                let reserved = listed.map_or(AsciiSet::EMPTY, |syntax| syntax.reserved());
                assert_eq!((hierarchical, reserved), (scheme.is_hierarchical(), scheme.reserved()), "{name}");
            }
        }
        assert!(SYNTAX.iter().all(|(name, _)| lookup(name).is_some()));
    }

    #[test]
    fn an_edition_has_one_rule_for_a_scheme() {
        for scheme in ALL {
            for (i, one) in scheme.rules().iter().enumerate() {
                assert!(scheme.rules()[..i].iter().all(|other| other.edition != one.edition), "{scheme:?}");
                assert!(one.rule.expects.starts_with("the form "), "{}", one.rule.name);
            }
        }
    }
}
