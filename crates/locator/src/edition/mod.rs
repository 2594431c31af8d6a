//! The editions of the standard, as data.
//!
//! An edition contains a table of character classes, switches for the differences between the
//! grammars, and the words and sections that messages quote. Each edition has its own file and an
//! entry in [`ALL`]. No code depends on the name of an edition.

mod characters;
mod charset;
mod citation;
mod forms;
mod name;
mod resolution;
pub(crate) mod rfc1738;
mod rfc2396;
pub(crate) mod rfc3986;
mod rfc3987;
mod uri_2003;
pub(crate) mod url_1993;
pub(crate) mod url_1994;
mod url_1997;

pub use charset::{Charset, CharsetError};
pub use name::UnknownEditionError;
pub use resolution::{PathUnderflow, SameDocument};
pub use rfc1738::RFC1738;
pub use rfc2396::RFC2396;
pub use rfc3986::{RFC3986, RFC3986_WITH_ZONES};
pub use rfc3987::RFC3987;
pub use uri_2003::URI_2003;
pub use url_1993::URL_1993;
pub use url_1994::URL_1994;
pub use url_1997::URL_1997;

use characters::Characters;
pub(crate) use characters::{URL_ENDS, is_in};
use citation::Update;
pub(crate) use forms::{GopherSearch, SchemeForms, WaisLength};
pub(crate) use resolution::{DotsIn, Resolution, Sections, Slash};

use crate::simd::{AsciiSet, Table};
use crate::span::Component;

/// All editions, from oldest to newest.
pub static ALL: [&Edition; 8] =
    [&URL_1993, &URL_1994, &RFC1738, &URL_1997, &RFC2396, &URI_2003, &RFC3986, &RFC3987];

/// Editions extended by an option that another document defines; [`from_name`] finds them too.
pub static WITH_OPTIONS: [&Edition; 1] = [&RFC3986_WITH_ZONES];

/// The default edition, RFC 3986.
pub static DEFAULT: &Edition = &RFC3986;

/// Returns the edition with this name (`rfc3986`), ignoring case.
///
/// ```
/// assert_eq!(locator::edition::from_name("RFC1738"), Some(&locator::edition::RFC1738));
/// assert_eq!(locator::edition::from_name("rfc3986+zones"), Some(&locator::edition::RFC3986_WITH_ZONES));
/// assert_eq!(locator::edition::from_name("rfc0001"), None);
/// ```
pub fn from_name(name: &str) -> Option<&'static Edition> {
    ALL.into_iter().chain(WITH_OPTIONS).find(|edition| edition.name.eq_ignore_ascii_case(name))
}

/// One edition of the standard.
///
/// Two editions are equal if their names are equal, and `Debug` and `Display` show only the name.
pub struct Edition {
    /// The short name of the edition: `rfc3986`.
    pub name: &'static str,
    /// The name of the document in citations: `RFC 3986`.
    pub document: &'static str,
    /// The title of the document.
    pub title: &'static str,
    /// The date of publication: `January 2005`.
    pub date: &'static str,
    /// The terms that the edition uses.
    pub words: Terminology,
    /// The rules that error messages quote.
    pub(crate) rules: Rules,
    /// The document that updates this one, if the edition combines two.
    pub(crate) update: Option<Update>,
    /// The octets that each component allows.
    pub(crate) table: Table,
    /// The non-ASCII characters that each component allows.
    pub(crate) characters: Option<&'static Characters>,
    /// The charset of percent-encoded octets, used to encode and decode text.
    pub(crate) charset: Charset,
    /// The characters that are never delimiters.
    pub(crate) unreserved: AsciiSet,
    /// The prefix that is allowed before a URL and is not part of it.
    pub(crate) prefix: Option<&'static str>,
    /// Whether a reference is allowed to have no scheme.
    pub(crate) relative: bool,
    /// Whether a first segment that contains ":" but has no valid scheme before it is a path.
    pub(crate) colon_in_first_segment: bool,
    /// Whether the text after a scheme and its ":" may be empty: `http:`.
    pub(crate) empty_after_scheme: bool,
    /// Whether the text after a scheme is opaque, with its own character set, if it does not begin
    /// with "/".
    pub(crate) opaque: bool,
    /// Whether a query is a list of non-empty words joined by "+".
    pub(crate) query_is_words: bool,
    /// The syntax of an authority that names a server.
    pub(crate) server: Server,
    /// Where an authority may be a registry name with its own character set.
    pub(crate) registry: RegName,
    /// Whether path segments may have parameters after ";".
    pub(crate) parameters: bool,
    /// The characters that split a segment in some scheme; they are escaped in data.
    pub(crate) divides_segment: AsciiSet,
    /// The characters other than "&", "=" and "+" that are reserved in a query; they are escaped in
    /// pairs.
    pub(crate) reserved_in_query: AsciiSet,
    /// Whether ":" in the userinfo separates a user from a password.
    pub(crate) password: bool,
    /// The rules for resolving a reference, if the edition defines them.
    pub(crate) resolution: Option<Resolution>,
    /// The differences in text that do not change what a reference identifies.
    pub(crate) equivalence: Equivalence,
    /// The syntax of some schemes in this edition.
    pub(crate) forms: SchemeForms,
    /// The sections that define how references are compared.
    pub(crate) ladder: &'static Ladder,
}

/// The section of each rung of the ladder of comparison; those of RFC 3986, 6.2, if the edition has
/// none.
#[derive(Debug)]
pub(crate) struct Ladder {
    /// The section on comparing relative references.
    pub(crate) relative: &'static str,
    /// The section on simple string comparison.
    pub(crate) simple: &'static str,
    /// The section on syntax-based normalization.
    pub(crate) syntax: &'static str,
    /// The section on scheme-based normalization.
    pub(crate) scheme: &'static str,
    /// The section on protocol-based normalization.
    pub(crate) protocol: &'static str,
}

impl Edition {
    /// Returns the prefix that is allowed before a URL and is not part of it: `URL:`.
    #[must_use]
    pub const fn prefix(&self) -> Option<&'static str> {
        self.prefix
    }

    /// Returns the charset of percent-encoded octets.
    ///
    /// ```
    /// use locator::{Charset, edition};
    ///
    /// assert_eq!(edition::URL_1993.charset(), Charset::Latin1);
    /// assert_eq!(edition::RFC3986.charset(), Charset::Utf8);
    /// ```
    #[must_use]
    pub const fn charset(&self) -> Charset {
        self.charset
    }

    /// Returns whether this is the default edition.
    ///
    /// ```
    /// assert!(locator::edition::RFC3986.is_default());
    /// ```
    pub fn is_default(&self) -> bool {
        self == DEFAULT
    }

    /// Returns whether the edition defines references without a scheme.
    #[must_use]
    pub const fn defines_relative(&self) -> bool {
        self.relative
    }

    /// Returns whether the edition defines how a reference is resolved against a base.
    #[must_use]
    pub const fn defines_resolution(&self) -> bool {
        self.resolution.is_some()
    }

    /// Returns whether an IPv6 address may have a zone (RFC 6874).
    ///
    /// ```
    /// use locator::edition::{RFC3986, RFC3986_WITH_ZONES};
    ///
    /// assert!(RFC3986_WITH_ZONES.defines_zones() && !RFC3986.defines_zones());
    /// ```
    #[must_use]
    pub const fn defines_zones(&self) -> bool {
        matches!(&self.server.literals, Some(literals) if literals.zones.is_some())
    }
}

impl PartialEq for Edition {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other) || self.name == other.name
    }
}

impl Eq for Edition {}

impl core::fmt::Debug for Edition {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name)
    }
}

impl core::fmt::Display for Edition {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name)
    }
}

/// The terms that an edition uses, for messages.
#[derive(Clone, Copy, Debug)]
pub struct Terminology {
    /// The term for a reference with a scheme: `URL`, `URI`.
    pub absolute: &'static str,
    /// The term for a reference in a document: `URI-reference`.
    pub reference: &'static str,
    /// The term for the authority: `login`, `site` or `authority`.
    pub authority: &'static str,
    /// The term for the user information: `user` or `userinfo`.
    pub userinfo: &'static str,
    /// The term for the query: `search` or `query`.
    pub query: &'static str,
    /// The term for the fragment: `fragmentid` or `fragment`.
    pub fragment: &'static str,
}

impl Terminology {
    /// Returns the edition's term for the component.
    #[must_use]
    pub const fn of(&self, part: Component) -> &'static str {
        match part {
            Component::Reference => self.reference,
            Component::Authority => self.authority,
            Component::Userinfo => self.userinfo,
            Component::Query => self.query,
            Component::Fragment => self.fragment,
            _ => part.name(),
        }
    }
}

/// A grammar rule of a document, as messages quote it.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name of the rule in the document's grammar: `pchar`.
    pub name: &'static str,
    /// The section that contains the rule: `3.3`.
    pub section: &'static str,
    /// A description of what the rule allows.
    pub expects: &'static str,
}

/// The rules of the components.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) reference: &'static Rule,
    pub(crate) scheme: &'static Rule,
    pub(crate) authority: &'static Rule,
    pub(crate) userinfo: &'static Rule,
    pub(crate) host: &'static Rule,
    pub(crate) port: &'static Rule,
    pub(crate) path: &'static Rule,
    /// The rule for the text after the scheme of an opaque URI, if the edition has opaque URIs.
    pub(crate) opaque: Option<&'static Rule>,
    pub(crate) first_segment: &'static Rule,
    pub(crate) segment: &'static Rule,
    /// The rule that gives "." and ".." a special meaning in a path, if the edition has one.
    pub(crate) dot_segment: Option<&'static Rule>,
    pub(crate) query: &'static Rule,
    pub(crate) fragment: &'static Rule,
    pub(crate) escape: &'static Rule,
    pub(crate) scheme_and_colon: &'static Rule,
}

impl Rules {
    /// Returns the rule of the component as a whole.
    pub(crate) const fn of(&self, part: Component) -> &'static Rule {
        match part {
            Component::Reference | Component::Prefix => self.reference,
            Component::Scheme => self.scheme,
            Component::Authority => self.authority,
            Component::Userinfo => self.userinfo,
            Component::Host => self.host,
            Component::Port => self.port,
            Component::Path => self.path,
            Component::Query => self.query,
            Component::Fragment => self.fragment,
        }
    }
}

/// The syntax of `[ userinfo "@" ] host [ ":" port ]` in an edition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Server {
    /// Whether the authority may be empty: `file:///etc/motd`.
    pub(crate) may_be_empty: bool,
    /// Whether an empty host is a valid name.
    pub(crate) host_may_be_empty: bool,
    /// Whether the user before "@" may be empty.
    pub(crate) user_may_be_empty: bool,
    /// Whether a user may contain "?". If so, an authority with an "@" ends only at "/".
    pub(crate) user_may_contain_question_mark: bool,
    /// Whether the port after ":" may be empty.
    pub(crate) port_may_be_empty: bool,
    /// The syntax of a host name; if `None`, the name is any text of the registry class.
    pub(crate) name: Option<Name>,
    /// Whether each of four decimal groups must be at most 255 to form an address.
    pub(crate) numbers_are_octets: bool,
    /// The syntax of addresses in brackets, if the edition has them.
    pub(crate) literals: Option<IpLiterals>,
}

/// The syntax of a host name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    /// Whether the first label must begin with a letter.
    pub(crate) first_begins_with_letter: bool,
    /// Whether the last label must begin with a letter.
    pub(crate) last_begins_with_letter: bool,
    /// Whether a label must end with a letter or a digit.
    pub(crate) labels_end_alphanumeric: bool,
    /// The maximum length of a label, in octets.
    pub(crate) longest_label: usize,
    /// Whether a host name may end with ".".
    pub(crate) last_dot: LastDot,
}

/// Whether a host name may end with ".".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastDot {
    /// The final dot is not allowed.
    Refused,
    /// The final dot is allowed.
    Allowed,
    /// The final dot is allowed after at least two labels if the last label begins with a letter.
    AfterTopLabel,
}

/// The syntax of hosts in brackets: IPv6 addresses, and possibly future versions and zones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IpLiterals {
    /// The rule for the brackets.
    pub(crate) rule: &'static Rule,
    /// Whether an address of a version after IPv6 is allowed.
    pub(crate) future: bool,
    /// The rule for the zone of an IPv6 address, if zones are allowed.
    pub(crate) zones: Option<&'static Rule>,
}

/// The differences in text that do not change what a reference identifies, besides the case of the
/// scheme, the host and hex digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Equivalence {
    /// The characters whose escapes are equivalent to the characters.
    pub(crate) unescapes: AsciiSet,
    /// The characters whose escapes are equivalent to the characters in a query.
    pub(crate) unescapes_in_query: AsciiSet,
    /// Whether dot segments are special in the path of a hierarchical URI. If not, they are
    /// ordinary names, and an escaped dot must stay escaped.
    pub(crate) dots: bool,
    /// Whether an empty fragment is equivalent to no fragment.
    pub(crate) void_fragment: bool,
}

/// The places where an authority need not name a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegName {
    /// An authority always names a server.
    Never,
    /// After a scheme only, because the edition's generic rule restricts only the octets.
    AfterScheme,
    /// With or without a scheme.
    Always,
}

impl RegName {
    /// Returns whether a registry name is allowed after "//".
    pub(crate) const fn allows_reg_name(self, has_scheme: bool) -> bool {
        match self {
            Self::Never => false,
            Self::AfterScheme => has_scheme,
            Self::Always => true,
        }
    }
}

/// `ALPHA / DIGIT`, which is the same in every edition.
const ALPHANUM: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT);

/// `escape = "%" HEXDIG HEXDIG`: the set contains "%"; the parser checks the digits.
const ESCAPE: AsciiSet = AsciiSet::ESCAPE;
