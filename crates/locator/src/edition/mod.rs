//! The editions of the standard, as data.
//!
//! An edition is a table of character classes, a handful of switches (one for each question
//! that the parser asks) and the words and sections that its messages quote. One file an
//! edition, one line in [`ALL`]; no code decides by an edition's name.

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

/// Every edition, the oldest first.
pub static ALL: [&Edition; 8] =
    [&URL_1993, &URL_1994, &RFC1738, &URL_1997, &RFC2396, &URI_2003, &RFC3986, &RFC3987];

/// Editions with an option that another document adds to them; [`from_name`] knows them too.
pub static WITH_OPTIONS: [&Edition; 1] = [&RFC3986_WITH_ZONES];

/// The edition that is meant when none is named: RFC 3986.
pub static DEFAULT: &Edition = &RFC3986;

/// The edition of that name (`rfc3986`), without regard to case.
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
/// Two editions are equal if they have the same name, and it is the name that is shown of one.
pub struct Edition {
    /// What it is called here: `rfc3986`.
    pub name: &'static str,
    /// The document, as a message cites it: `RFC 3986`.
    pub document: &'static str,
    /// The document's title.
    pub title: &'static str,
    /// When it appeared: `January 2005`.
    pub date: &'static str,
    /// What it calls things.
    pub words: Terminology,
    /// The rules that its messages quote.
    pub(crate) rules: Rules,
    /// What updates its document, where it is put together of two.
    pub(crate) update: Option<Update>,
    /// Which octet may stand where.
    pub(crate) table: Table,
    /// Which character beyond ASCII may stand anywhere.
    pub(crate) characters: Option<&'static Characters>,
    /// What the octets of escapes stand for, where text is written and read.
    pub(crate) charset: Charset,
    /// What has no purpose but to be data.
    pub(crate) unreserved: AsciiSet,
    /// What may stand before the URL as a mark and is not part of it.
    pub(crate) prefix: Option<&'static str>,
    /// Whether a reference may do without a scheme.
    pub(crate) relative: bool,
    /// Whether a first segment with a ":" that is no scheme is a path.
    pub(crate) colon_in_first_segment: bool,
    /// Whether a scheme and its ":" are enough: `http:`.
    pub(crate) empty_after_scheme: bool,
    /// Whether a scheme's rest that does not begin with "/" is something other than a path, with an
    /// alphabet of its own.
    pub(crate) opaque: bool,
    /// Whether a query is words joined by "+", none of them empty.
    pub(crate) query_is_words: bool,
    /// The form of an authority that names a server.
    pub(crate) server: Server,
    /// Where an authority may be something else, in the octets of its own class.
    pub(crate) registry: RegName,
    /// Whether the path's segments may carry parameters after ";".
    pub(crate) parameters: bool,
    /// What may divide a segment in some scheme, so that data has it escaped there.
    pub(crate) divides_segment: AsciiSet,
    /// What is reserved within a query besides "&", "=" and "+", so that data in a pair has it escaped.
    pub(crate) reserved_in_query: AsciiSet,
    /// Whether ":" in the userinfo divides a user from a password.
    pub(crate) password: bool,
    /// How it resolves a reference, if it says how.
    pub(crate) resolution: Option<Resolution>,
    /// What makes no difference to what a reference identifies.
    pub(crate) equivalence: Equivalence,
    /// How it writes the URLs of some schemes.
    pub(crate) forms: SchemeForms,
    /// Where it says how references are compared.
    pub(crate) ladder: &'static Ladder,
}

/// Document and section of each rung of the ladder of comparison: those of RFC 3986, 6.2, where an edition has none.
#[derive(Debug)]
pub(crate) struct Ladder {
    /// Whether relative references are compared.
    pub(crate) relative: &'static str,
    /// Texts.
    pub(crate) simple: &'static str,
    /// Normal forms by syntax.
    pub(crate) syntax: &'static str,
    /// Normal forms by scheme.
    pub(crate) scheme: &'static str,
    /// What was seen.
    pub(crate) protocol: &'static str,
}

impl Edition {
    /// What may stand before a URL as a mark and is not part of it: `URL:`.
    #[must_use]
    pub const fn prefix(&self) -> Option<&'static str> {
        self.prefix
    }

    /// Returns how the octets that escapes give stand for characters.
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

    /// Returns whether this is the edition that reads where none is named.
    ///
    /// ```
    /// assert!(locator::edition::RFC3986.is_default());
    /// ```
    pub fn is_default(&self) -> bool {
        self == DEFAULT
    }

    /// Whether it defines references without a scheme.
    #[must_use]
    pub const fn defines_relative(&self) -> bool {
        self.relative
    }

    /// Whether it defines how a reference is resolved against a base.
    #[must_use]
    pub const fn defines_resolution(&self) -> bool {
        self.resolution.is_some()
    }

    /// Whether an IPv6 address may have a zone behind it (RFC 6874).
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

/// What an edition calls things, for people.
#[derive(Clone, Copy, Debug)]
pub struct Terminology {
    /// A reference that has a scheme: `URL`, `URI`.
    pub absolute: &'static str,
    /// What may stand in a document: `URI-reference`.
    pub reference: &'static str,
    /// `login`, `site` or `authority`.
    pub authority: &'static str,
    /// `user` or `userinfo`.
    pub userinfo: &'static str,
    /// `search` or `query`.
    pub query: &'static str,
    /// `fragmentid` or `fragment`.
    pub fragment: &'static str,
}

impl Terminology {
    /// The edition's word for the component.
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

/// A rule of a document, as a message quotes it.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name in the document's grammar: `pchar`.
    pub name: &'static str,
    /// Where the document has it: `3.3`.
    pub section: &'static str,
    /// What it allows, in words.
    pub expects: &'static str,
}

/// The rule of each component.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) reference: &'static Rule,
    pub(crate) scheme: &'static Rule,
    pub(crate) authority: &'static Rule,
    pub(crate) userinfo: &'static Rule,
    pub(crate) host: &'static Rule,
    pub(crate) port: &'static Rule,
    pub(crate) path: &'static Rule,
    /// What stands after the scheme of an opaque URI, where there are some.
    pub(crate) opaque: Option<&'static Rule>,
    pub(crate) first_segment: &'static Rule,
    pub(crate) segment: &'static Rule,
    /// That "." and ".." are steps in a path, where the edition says so.
    pub(crate) dot_segment: Option<&'static Rule>,
    pub(crate) query: &'static Rule,
    pub(crate) fragment: &'static Rule,
    pub(crate) escape: &'static Rule,
    pub(crate) scheme_and_colon: &'static Rule,
}

impl Rules {
    /// The rule of the component as a whole.
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

/// `[ userinfo "@" ] host [ ":" port ]`, and what an edition makes of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Server {
    /// Whether there may be nothing at all: `file:///etc/motd`.
    pub(crate) may_be_empty: bool,
    /// Whether a host of no octets is a name.
    pub(crate) host_may_be_empty: bool,
    /// Whether "@" may stand first.
    pub(crate) user_may_be_empty: bool,
    /// Whether a user may contain "?". An authority with an "@" then ends at "/" only.
    pub(crate) user_may_contain_question_mark: bool,
    /// Whether ":" may stand last.
    pub(crate) port_may_be_empty: bool,
    /// The form of a name; without one, the octets of the registry class.
    pub(crate) name: Option<Name>,
    /// Whether four decimal groups must each be at most 255 to be an address.
    pub(crate) numbers_are_octets: bool,
    /// What may stand in brackets; nothing where the edition knows none.
    pub(crate) literals: Option<IpLiterals>,
}

/// The form of a host name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    /// Whether the first label must begin with a letter.
    pub(crate) first_begins_with_letter: bool,
    /// Whether the last label must begin with a letter.
    pub(crate) last_begins_with_letter: bool,
    /// Whether a label must end with a letter or a digit.
    pub(crate) labels_end_alphanumeric: bool,
    /// How long a label may be, in octets.
    pub(crate) longest_label: usize,
    /// Whether a "." may stand last.
    pub(crate) last_dot: LastDot,
}

/// Whether a host name may end in ".".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastDot {
    /// It may not.
    Refused,
    /// It may.
    Allowed,
    /// It may after two labels or more, the last of which begins with a letter.
    AfterTopLabel,
}

/// What may stand in brackets where a host is expected: an IPv6 address, and what else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IpLiterals {
    /// The rule of the brackets.
    pub(crate) rule: &'static Rule,
    /// Whether an address of what comes after IPv6 may stand there.
    pub(crate) future: bool,
    /// The rule of a zone behind an IPv6 address, where there may be one.
    pub(crate) zones: Option<&'static Rule>,
}

/// What makes no difference to what a reference identifies, besides the case of scheme, host and
/// hex digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Equivalence {
    /// What may as well stand unescaped.
    pub(crate) unescapes: AsciiSet,
    /// The same in a query.
    pub(crate) unescapes_in_query: AsciiSet,
    /// Whether dot segments mean something in the path of a hierarchical URI; else they are names
    /// like others there, and an escaped dot must not become one.
    pub(crate) dots: bool,
    /// Whether an empty fragment means the same as none.
    pub(crate) void_fragment: bool,
}

/// Where an authority need not name a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegName {
    /// Nowhere.
    Never,
    /// After a scheme, the edition's generic rule being about octets alone.
    AfterScheme,
    /// Anywhere.
    Always,
}

impl RegName {
    /// Whether such a name may stand behind "//", a scheme being before it or not.
    pub(crate) const fn allows_reg_name(self, has_scheme: bool) -> bool {
        match self {
            Self::Never => false,
            Self::AfterScheme => has_scheme,
            Self::Always => true,
        }
    }
}

/// `ALPHA / DIGIT`, which every edition has.
const ALPHANUM: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT);

/// `escape = "%" HEXDIG HEXDIG`: "%" begins it, the parser sees to the digits.
const ESCAPE: AsciiSet = AsciiSet::ESCAPE;
