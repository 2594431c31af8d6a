//! The rules of schemes: a URL that the generic grammar of an edition allows may still break the
//! edition's rule for its scheme.
//!
//! Each scheme is defined in one file and listed in [`ALL`]. It defines the rule of each edition,
//! the typed view of its URLs and their builder, its port and its equivalences, and the
//! [plan](crate::plan) that fetches what they identify. Only `url-1993`, `url-1994` and `rfc1738`
//! have rules for schemes; the later editions leave them to other documents.

mod afs;
mod data;
mod edited;
mod evident;
mod field;
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
mod of_reference;
#[cfg(feature = "plan")]
mod own;
mod own_part;
mod parts;
mod piece;
#[cfg(feature = "plan")]
mod planner;
mod ports;
mod prospero;
mod reader;
mod registered;
mod registry;
mod reserved;
mod telnet;
mod urn;
mod views;
mod wais;
mod whois;

pub use afs::{AfsParts, AfsUrl};
pub use data::{DataParts, DataUrl};
pub use edited::{Unfinished, edit};
pub use evident::is_recognizable;
pub(crate) use evident::may_be_evident;
pub use field::{Field, FieldValue, Fields};
pub use ftp::{FtpParts, FtpType, FtpUrl};
pub use gopher::{GopherParts, GopherPlus, GopherPlusParts, GopherUrl, attributes, menu};
pub use http::{HttpParts, HttpUrl};
pub use login::{Login, LoginParts};
pub use mailto::{MailtoParts, MailtoUrl};
pub use mid::{MidParts, MidUrl};
pub use news::{News, NewsParts, NewsUrl};
pub use nntp::{NntpParts, NntpUrl};
#[cfg(feature = "plan")]
pub use own::{Key, PartError, part_names, remove_part, set_part};
pub use own_part::{OwnPart, Shape};
pub use parts::Number;
pub use piece::Terminal;
#[cfg(feature = "plan")]
pub use planner::{Planner, fields, plan, planner_named};
pub use ports::{default_port, registered_port};
pub use prospero::{ProsperoParts, ProsperoUrl};
pub use reader::Reader;
pub use registered::{IanaStatus, status, suggest};
#[cfg(feature = "plan")]
pub use registry::GatewayPlanError;
pub use registry::{DuplicateScheme, Registry};
pub use telnet::{SessionParts, SessionUrl};
pub use urn::{UrnName, UrnParts};
pub use wais::{WaisDocument, WaisObject, WaisObjectParts, WaisParts, WaisUrl};
pub use whois::{WhoisParts, WhoisUrl};

use alloc::borrow::Cow;

#[doc(no_inline)]
pub use crate::component::SpannedStr;
use crate::edition::Edition;
#[doc(no_inline)]
pub use crate::edition::Rule;
pub use crate::equivalence::Equivalences;
#[doc(no_inline)]
pub use crate::error::ParseError;
#[cfg(feature = "plan")]
#[doc(no_inline)]
pub use crate::exchange::{Options, Plan, PlanError};
pub use crate::form::{Syntax, SyntaxError};
use crate::parse;
use crate::reference::UriRef;
#[doc(no_inline)]
pub use crate::simd::AsciiSet;
use crate::span::Component;

/// Writes the list of the schemes once, for [`ALL`] and for [`PLANNERS`].
macro_rules! lists {
    ($($scheme:path),+ $(,)?) => {
        /// Every scheme that this crate defines.
        pub static ALL: &[&dyn Scheme] = &[$(&$scheme),+];

        /// The planners of the same schemes, in the same order.
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
    nntp::Nntp,
    telnet::TELNET,
    telnet::RLOGIN,
    telnet::TN3270,
    wais::Wais,
    prospero::Prospero,
    file::File,
    afs::Afs,
    whois::Whois,
    urn::Urn,
    data::Data,
    reserved::X500,
    reserved::NFS,
    reserved::MAILSERVER,
    reserved::Z39_50,
    reserved::Experimental,
];

/// A scheme: its names, its port and the rules that editions have for it. [`Equivalences`] defines
/// which of its URLs are equivalent, and `Planner` (feature `plan`) divides and fetches them.
///
/// A program implements this trait for a scheme of its own and adds it to a [`Registry`]; this
/// module contains all types that its methods take and return. Three methods are required:
/// [`names`](Self::names), [`object`](Self::object) and [`form`](Self::form).
///
/// ```
/// use locator::edition::RFC3986;
/// use locator::scheme::{Equivalences, ParseError, Syntax, Terminal, Reader, Registry, Rule, Scheme, SchemeRule, AsciiSet};
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
///         Syntax { text: "echo://host[:port]/text", see: "RFC 862" }
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
/// static RULES: [SchemeRule; 1] = [SchemeRule { edition: &RFC3986, rule: &RULE, check }];
/// static RULE: Rule = Rule { name: "echo-url", section: "RFC 862", expects: "the form echo://host[:port]/text" };
/// static TEXT: Terminal = Terminal::new(AsciiSet::ALPHA.union(AsciiSet::of(b"%")), "text", "RFC 862", "letters or escapes");
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
/// assert_eq!(registry.check(UriRef::parse("echo://h/a1")?).unwrap().unwrap_err().span().start, 10);
/// let url = UriRef::parse("ECHO://H:7")?;
/// assert_eq!(url.normalize_with(Level::Scheme, &registry).as_str(), "echo://h/");
/// // `specific` is what a typed view of the scheme begins with: the text between ":" and "#".
/// assert_eq!(Echo.specific(url).unwrap().as_str(), "//H:7");
/// # Ok::<_, ParseError>(())
/// ```
pub trait Scheme: Equivalences {
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
        self.form().see
    }

    /// Returns the rule of each edition that has one for this scheme.
    fn rules(&self) -> &'static [SchemeRule] {
        &[]
    }

    /// Returns the port of URLs without one; [`default_port`] also knows other registered schemes.
    fn default_port(&self) -> Option<u16> {
        None
    }

    /// Returns whether the text after the ":" in running text is recognizable as a URL of this
    /// scheme, and not a word followed by a colon. It is called where no "//" follows, with at most
    /// 256 octets; the URL may end before they do.
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
        if let Some(by_edition) = rule_of(self, reference.edition()) {
            by_edition.obey(reference).map_err(SyntaxError::Rule)?;
        }
        Ok(reference.scheme_specific())
    }
}

/// The rule that an edition has for a scheme.
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

/// Returns the scheme of this name, ignoring case.
///
/// ```
/// assert_eq!(locator::scheme::lookup("HTTP").unwrap().names(), ["http"]);
/// assert!(locator::scheme::lookup("mine").is_none());
/// ```
pub fn lookup(name: &str) -> Option<&'static dyn Scheme> {
    ALL.iter().copied().find(|scheme| scheme.is_named(name))
}

/// Returns every generic error of a text from left to right; without one, the first error by the
/// rule of its scheme. It returns no error for a text that is valid on both levels.
///
/// ```
/// use locator::edition::RFC3986;
///
/// let errors: Vec<_> = locator::scheme::errors("ht_tp://a b/|", &RFC3986).map(|e| e.span().start).collect();
/// assert_eq!(errors, [2, 9, 12]);
/// ```
pub fn errors<'a>(text: &'a str, edition: &'static Edition) -> impl Iterator<Item = ParseError> + 'a {
    let by_scheme = UriRef::parse_with(text, edition).ok().and_then(check);
    parse::errors(text, edition).chain(by_scheme.and_then(Result::err))
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
/// assert_eq!(check(UriRef::parse_with("ftp://user@host/", &RFC1738)?), Some(Ok(())));
/// assert_eq!(check(UriRef::parse_with("x-mine:whatever", &RFC1738)?), None);
/// # Ok::<_, locator::ParseError>(())
/// ```
pub fn check<'r>(reference: impl Into<UriRef<'r>>) -> Option<Result<(), ParseError>> {
    let reference = reference.into();
    let scheme = lookup(reference.scheme()?.as_str())?;
    Some(rule_of(scheme, reference.edition())?.obey(reference))
}

/// Returns the rule that an edition has for a scheme.
fn rule_of<S: Scheme + ?Sized>(scheme: &S, edition: &Edition) -> Option<&'static SchemeRule> {
    scheme.rules().iter().find(|one| one.edition == edition)
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
fn without_authority<'a>(scheme: &dyn Scheme, reference: UriRef<'a>) -> Result<SpannedStr<'a>, SyntaxError> {
    let rest = scheme.specific(reference)?;
    if reference.authority().is_some() && rule_of(scheme, reference.edition()).is_none() {
        return Err(SyntaxError::Form { span: rest.span(), form: scheme.form() });
    }
    Ok(rest)
}

/// "In general, a URI that uses the generic syntax for authority with an empty path should be
/// normalized to a path of "/"" (RFC 3986, 6.2.3).
fn or_root<'a>(path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
    let is_root = path.is_empty() && reference.authority().is_some();
    Cow::Borrowed(if is_root { "/" } else { path })
}

/// Returns those of these octets that are allowed as data in a component.
fn kept(edition: &Edition, part: Component, set: AsciiSet) -> AsciiSet {
    set.difference(set.difference(edition.set(part)))
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
