//! The schemes' own rules, beside the generic one: a URL that the generic grammar of an
//! edition allows may still break the rule that the edition has for its scheme.
//!
//! A scheme is one file that knows all of it, and one line in [`ALL`]. Only `url-1993`,
//! `url-1994` and `rfc1738` have rules for schemes; the later editions leave them to other
//! documents.

mod afs;
pub mod file;
mod ftp;
mod gopher;
mod group;
mod http;
mod login;
mod mailto;
mod mid;
mod news;
mod nntp;
mod piece;
mod prospero;
mod reader;
mod telnet;
mod wais;

pub use piece::Piece;
pub use reader::Reader;

use alloc::borrow::Cow;

use crate::edition::{Edition, Rule};
use crate::error::Error;
use crate::parse;
use crate::reference::UriRef;

/// Every scheme that is known here.
pub static ALL: &[&dyn Scheme] = &[
    &http::Http,
    &http::Https,
    &http::Ws,
    &http::Wss,
    &ftp::Ftp,
    &gopher::Gopher,
    &mailto::Mailto,
    &mid::Mid,
    &mid::Cid,
    &news::News,
    &nntp::Nntp,
    &telnet::Telnet,
    &telnet::Rlogin,
    &telnet::Tn3270,
    &wais::Wais,
    &prospero::Prospero,
    &file::File,
    &afs::Afs,
];

/// What is known about a scheme.
pub trait Scheme: Sync + core::fmt::Debug {
    /// Its name in lower case; several if they differ in nothing but the name.
    fn names(&self) -> &'static [&'static str];

    /// The rule of each edition that has one for it.
    fn rules(&self) -> &'static [SchemeRule] {
        &[]
    }

    /// The port that is meant where none is named.
    fn default_port(&self) -> Option<u16> {
        None
    }

    /// The host that its normal form has for this one, which is in lower case and stands alone: no
    /// user, no port.
    fn normal_host<'a>(&self, host: &'a str) -> &'a str {
        host
    }

    /// The path that the normal form of a reference has for this one, whose escapes and dots are in
    /// normal form already.
    ///
    /// It must be valid where this is, and must not begin with "//".
    fn normal_path<'a>(&self, path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        let _ = reference;
        Cow::Borrowed(path)
    }
}

/// The rule that an edition has for a scheme.
#[derive(Clone, Copy, Debug)]
pub struct SchemeRule {
    /// The edition.
    pub edition: &'static Edition,
    /// The rule, as a message quotes it; what it expects is "the form …".
    pub rule: &'static Rule,
    /// Reads what the rule allows after the scheme's ":"; what is left then is an error.
    pub check: fn(&mut Reader<'_>) -> Result<(), Error>,
}

/// The scheme of that name, without regard to case.
///
/// ```
/// assert_eq!(locator::scheme::named("HTTP").unwrap().names(), ["http"]);
/// assert!(locator::scheme::named("x-mine").is_none());
/// ```
pub fn named(name: &str) -> Option<&'static dyn Scheme> {
    ALL.iter().copied().find(|scheme| scheme.names().iter().any(|known| known.eq_ignore_ascii_case(name)))
}

/// Every error of a text, generic ones first and from left to right; if there is none of
/// those, the first by the rule of its scheme. None if it is valid on both levels.
///
/// ```
/// use locator::edition::RFC3986;
///
/// let errors: Vec<_> = locator::scheme::errors("ht_tp://a b/|", &RFC3986).map(|e| e.span().start).collect();
/// assert_eq!(errors, [2, 9, 12]);
/// ```
pub fn errors<'a>(text: &'a str, edition: &'static Edition) -> impl Iterator<Item = Error> + 'a {
    let by_scheme = UriRef::parse_by(text, edition).ok().and_then(check);
    parse::errors(text, edition).chain(by_scheme.and_then(Result::err))
}

/// Checks a reference by the rule that its edition has for its scheme; `None` if it has none.
///
/// The rule is about all that stands between the scheme's ":" and "#", whatever the generic
/// level calls it: a "?" may be data.
///
/// ```
/// use locator::UriRef;
/// use locator::edition::RFC1738;
/// use locator::scheme::check;
///
/// let with_user = UriRef::parse_by("http://user@host/", &RFC1738)?;
/// assert_eq!(check(with_user).unwrap().unwrap_err().rule().name, "httpurl");
/// assert_eq!(check(UriRef::parse_by("ftp://user@host/", &RFC1738)?), Some(Ok(())));
/// assert_eq!(check(UriRef::parse_by("x-mine:whatever", &RFC1738)?), None);
/// # Ok::<_, locator::Error>(())
/// ```
pub fn check(reference: UriRef<'_>) -> Option<Result<(), Error>> {
    let scheme = named(reference.scheme()?.as_str())?;
    let by_edition = scheme.rules().iter().find(|one| one.edition == reference.edition())?;
    let mut reader = Reader::new(reference, by_edition.rule);
    Some((by_edition.check)(&mut reader).and_then(|()| reader.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_in_lower_case() {
        let names: std::vec::Vec<_> = ALL.iter().flat_map(|scheme| scheme.names()).collect();
        for (i, name) in names.iter().enumerate() {
            assert_eq!(name.to_ascii_lowercase(), **name);
            assert!(!names[..i].contains(name), "{name}");
        }
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
