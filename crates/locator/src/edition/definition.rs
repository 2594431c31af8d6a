//! What an edition is: the fields of [`Edition`], and the questions that they answer.
//!
//! The words of an edition for messages: its terms, the grammar rules that errors quote, and the
//! citations of sections (`RFC 3986, 3.3`).
//!
//! The syntax of an authority in an edition, as data: one switch for each question that the
//! documents answer differently.
//!
//! The rules of an edition for resolving references, as data: one switch for each question that the
//! five documents answer differently, and the choices that they leave to the caller.
//!
//! The rules of an edition for comparing references, as data: which differences do not matter, and
//! the sections that say so.
//!
//! The URL syntax of some schemes in an edition, as data: one switch for each question that the
//! documents answer differently. The rules themselves are in `scheme/`. An edition that leaves the
//! schemes to other documents uses the syntax of the latest document of the scheme.

use super::charset::Charset;
use super::classes::{Characters, is_in};
use crate::simd::{AsciiSet, Class, GROUPS, Table};
use crate::span::Component;
use core::fmt::{self, Display, Formatter};
use core::hash::Hash;

/// An edition of the standard: one document that defines what a URL is.
///
/// Two editions are equal if their names are equal, and `Debug` and `Display` show only the name.
///
/// ```
/// use locator::{Component, Edition, edition};
///
/// let edition: &Edition = "rfc3986".parse()?;
/// assert_eq!(edition.document, "RFC 3986");
/// assert!(
///     edition.allows(Component::Path, '~')
///         && !edition.allows(Component::Path, '^')
/// );
/// assert!(
///     !edition::RFC1738.allows(Component::Path, '~')
///         && !edition::RFC1738.defines_relative()
/// );
/// # Ok::<_, edition::UnknownEditionError>(())
/// ```
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
    #[cfg_attr(not(feature = "schemes"), allow(dead_code, reason = "an edition is data, for schemes, too"))]
    pub(crate) forms: SchemeForms,
    /// The sections that define how references are compared.
    pub(crate) ladder: &'static Ladder,
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

    /// Returns whether an empty reference is replaced by the base "in a context that is always intended
    /// to result in a new request" (1997, 3; RFC 2396 and 2003, 4.2), such as the `src` of an image.
    ///
    /// ```
    /// use locator::edition::{RFC3986, URL_1997};
    ///
    /// assert!(URL_1997.requests_empty_references());
    /// assert!(!RFC3986.requests_empty_references());
    /// ```
    #[must_use]
    pub const fn requests_empty_references(&self) -> bool {
        matches!(&self.resolution, Some(rule) if rule.empty_is_requested)
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

/// The characters that the edition allows.
impl Edition {
    /// Returns whether the character is allowed unescaped in a component of the class.
    pub(crate) const fn contains(&self, class: Class, c: char) -> bool {
        if c.is_ascii() {
            return self.table.contains(class, c as u8);
        }
        let Some(characters) = self.characters else { return false };
        match class {
            Class::USERINFO | Class::HOST | Class::REGISTRY | Class::PATH | Class::FRAGMENT => {
                is_in(characters.data, c)
            }
            Class::QUERY => is_in(characters.data, c) || is_in(characters.in_query, c),
            // Schemes, ports and delimiters are ASCII in every edition.
            _ => false,
        }
    }

    /// Returns whether the character is allowed in a component of the class and is safe to write
    /// there.
    pub(crate) const fn writes(&self, class: Class, c: char) -> bool {
        self.contains(class, c) && !self.keeps_escaped(c)
    }

    /// Returns how many groups of eight classes the parser searches for: the last one only if names,
    /// opaque parts or queries have a form.
    pub(crate) const fn groups(&self) -> usize {
        let has_forms = self.server.name.is_some() || self.opaque || self.query_is_words;
        if has_forms { GROUPS } else { GROUPS - 1 }
    }

    /// Returns whether the character is allowed in some component although its escape is the normal
    /// form.
    pub(crate) const fn keeps_escaped(&self, c: char) -> bool {
        match self.characters {
            Some(characters) => is_in(characters.stay_escaped, c) || is_in(characters.in_query, c),
            None => false,
        }
    }

    /// Returns whether the edition allows non-ASCII characters.
    pub(crate) const fn is_international(&self) -> bool {
        self.characters.is_some()
    }
}

/// Citations of the edition's document.
impl Edition {
    /// Returns the citation of a rule.
    pub(crate) fn cite(&self, rule: &'static Rule) -> Citation {
        match self.update {
            Some(update) if update.rules.contains(&rule) => {
                Citation { document: update.by, section: rule.section }
            }
            _ => self.cite_section(rule.section),
        }
    }

    /// Returns the citation of a section; the document is the updated one if the edition combines
    /// two documents.
    pub(crate) fn cite_section(&self, section: &'static str) -> Citation {
        Citation { document: self.update.map_or(self.document, |update| update.of), section }
    }
}

impl PartialEq for Edition {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other) || self.name == other.name
    }
}

impl Eq for Edition {}

impl fmt::Debug for Edition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Display for Edition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The terms that an edition uses, for messages.
///
/// ```
/// use locator::Component;
/// use locator::edition::{RFC1738, RFC3986};
///
/// assert_eq!(RFC3986.words.of(Component::Query), "query");
/// assert_eq!(RFC1738.words.of(Component::Query), "search");
/// ```
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
///
/// ```
/// let error = locator::UriRef::parse("http://h/a|b").unwrap_err();
/// assert_eq!((error.rule().name, error.rule().section), ("pchar", "3.3"));
/// ```
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// The name of the rule in the document's grammar: `pchar`.
    pub name: &'static str,
    /// The section that contains the rule: `3.3`.
    pub section: &'static str,
    /// A description of what the rule allows.
    pub expects: &'static str,
}

impl Rule {
    /// Creates the rule with this name and section, and a description of what it allows.
    ///
    /// ```
    /// use locator::edition::Rule;
    ///
    /// static LINE: Rule = Rule::new("line", "2.1", "letters and digits");
    /// assert_eq!(
    ///     (LINE.name, LINE.section, LINE.expects),
    ///     ("line", "2.1", "letters and digits")
    /// );
    /// ```
    #[must_use]
    pub const fn new(name: &'static str, section: &'static str, expects: &'static str) -> Self {
        Self { name, section, expects }
    }
}

/// The rules of the components.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) reference: &'static Rule,
    pub(crate) scheme: &'static Rule,
    pub(crate) authority: &'static Rule,
    pub(crate) userinfo: &'static Rule,
    /// The rule for the password, in an edition where ":" divides it from the user.
    pub(crate) password: &'static Rule,
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

/// A citation of a section of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Citation {
    pub(super) document: &'static str,
    pub(super) section: &'static str,
}

/// A document that updates the document of an edition ("Updates: 3986"). Some rules are in the
/// update and the others are in the updated document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Update {
    /// The document that is updated.
    pub(crate) of: &'static str,
    /// The document that updates it.
    pub(crate) by: &'static str,
    /// The rules that the updating document defines.
    pub(crate) rules: &'static [&'static Rule],
}

impl Display for Citation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.document, self.section)
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

/// The rules of an edition for resolving a reference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resolution {
    /// Which slash is removed with a dot segment.
    pub(crate) slash: Slash,
    /// The paths from which dot segments are removed.
    pub(crate) dots: DotsIn,
    /// Whether the query is appended before dot segments are removed, so that dot segments are
    /// removed from it too.
    pub(crate) query_before_dots: bool,
    /// Whether the directory of a base with an empty path is "/" even if the base has no authority.
    pub(crate) empty_base_is_root: bool,
    /// Whether a path without a leading "/" still has none after ".." removes its first segment.
    pub(crate) stays_rootless: bool,
    /// Whether a query-only reference keeps the whole path of the base, not only its directory.
    pub(crate) query_keeps_path: bool,
    /// The default treatment of ".." above the root.
    pub(crate) leftover: PathUnderflow,
    /// The default meaning of an empty reference.
    pub(crate) empty: SameDocument,
    /// Whether an empty reference is requested where a request is always intended.
    pub(crate) empty_is_requested: bool,
    /// Whether a base from the content or a Content-Base may be relative to the enclosing base.
    pub(crate) relative_base: bool,
    /// Whether an application may define a default base.
    pub(crate) default_base: bool,
    /// The sections that errors cite.
    pub(crate) sections: Sections,
}

/// The sections on the requirements for a reference and its base.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sections {
    /// The section that requires an absolute base.
    pub(crate) absolute: &'static str,
    /// The section that requires a hierarchical base for a relative path.
    pub(crate) hierarchy: &'static str,
    /// The section on ".." above the root.
    pub(crate) leftover: &'static str,
    /// The section on removing dot segments.
    pub(crate) dots: &'static str,
}

/// The slash that is removed with a dot segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slash {
    /// The slash before it: `/xxx/..` and `/.` are removed, and no slash is left at the end.
    Before,
    /// The slash after it: `<segment>/../` and `./` are removed, and the slash before them is left.
    After,
}

/// The paths from which dot segments are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DotsIn {
    /// The path of a relative-path reference, after merging with the base's path.
    Merged,
    /// The path of every reference, unless it is taken unchanged from the base.
    Every,
}

/// The treatment of a ".." above the root of the base's path.
///
/// The draft of 2003 says: "The reference is considered to be in error". An implementation may
/// keep, remove or refuse it (2003, 5.2); RFC 3986 removes it (5.2.4 and 5.4.2).
///
/// ```
/// use locator::edition::PathUnderflow::{Keep, Remove};
/// use locator::{Base, ResolveOptions, uri, uri_ref};
///
/// let base = Base::new(uri!("http://a/b")).unwrap();
/// for (leftover, target) in [(Keep, "http://a/../g"), (Remove, "http://a/g")] {
///     let options = ResolveOptions::new().path_underflow(leftover);
///     assert_eq!(
///         base.resolve_with(uri_ref!("../g"), options).unwrap().uri().unwrap(),
///         target
///     );
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathUnderflow {
    /// Keeps the segment in the target: `http://a/../g`.
    Keep,
    /// Removes the segment: `http://a/g`.
    Remove,
    /// Returns an error.
    Refuse,
}

/// The meaning of an empty or fragment-only reference (1997, 3 and 5.2; RFC 3986, 4.4 and 5.4).
///
/// ```
/// use locator::edition::SameDocument;
/// use locator::{Base, ResolveOptions, Resolved, uri, uri_ref};
///
/// let base = Base::new(uri!("http://h/a?q#f"))?;
/// assert_eq!(base.resolve(uri_ref!(""))?.uri().unwrap(), "http://h/a?q");
/// let options =
///     ResolveOptions::new().same_document(SameDocument::CurrentDocument);
/// let resolved = base.resolve_with(uri_ref!("#x"), options)?;
/// assert!(
///     matches!(resolved, Resolved::CurrentDocument { fragment: Some(fragment) } if fragment == "x")
/// );
/// # Ok::<_, locator::ResolveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SameDocument {
    /// The current document, which may differ from the base; nothing is retrieved.
    CurrentDocument,
    /// The base, as for a form action, which always makes a new request.
    Base,
}

/// The differences in text that do not change what a reference identifies, besides the case of the
/// scheme, the host and hex digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Equivalence {
    /// The characters whose escapes are equivalent to the characters.
    pub(crate) unescapes: AsciiSet,
    /// The characters whose escapes are equivalent to the characters in a query.
    pub(crate) unescapes_in_query: AsciiSet,
    /// Whether each scheme defines which of the reserved characters it reserves: the escapes of
    /// the others are equivalent to the characters.
    pub(crate) scheme_reserves: bool,
    /// Whether dot segments are special in the path of a hierarchical URI. If not, they are
    /// ordinary names, and an escaped dot must stay escaped.
    pub(crate) dots: bool,
    /// Whether an empty fragment is equivalent to no fragment.
    pub(crate) void_fragment: bool,
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

impl Ladder {
    /// The sections of RFC 3986.
    pub(crate) const RFC3986: Self = Self {
        relative: "RFC 3986, 6.1",
        simple: "RFC 3986, 6.2.1",
        syntax: "RFC 3986, 6.2.2",
        scheme: "RFC 3986, 6.2.3",
        protocol: "RFC 3986, 6.2.4",
    };
}

/// The syntax of the schemes that the documents define differently.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "schemes"), allow(dead_code, reason = "an edition is data, for schemes, too"))]
pub(crate) struct SchemeForms {
    /// Whether an ftp URL may end after the login, with the same meaning as with "/".
    pub(crate) ftp_path_is_optional: bool,
    /// Whether an ftp URL may end in `;type=` and a code.
    pub(crate) ftp_type: bool,
    /// Whether the URL of a session (telnet, rlogin, tn3270) may have "/" after the login.
    pub(crate) session_slash: bool,
    /// The delimiter before the search of a gopher URL.
    pub(crate) gopher_search: GopherSearch,
    /// Whether "+" separates the words of the search of a wais URL.
    pub(crate) wais_search_is_words: bool,
    /// Whether a wais URL contains the length of the document.
    pub(crate) wais_length: WaisLength,
    /// Whether "=" and ";" may split the identifier of a wais URL into fields.
    pub(crate) wais_fields: bool,
    /// Whether an escaped NUL separates the fields of a prospero URL, instead of ";" and "=".
    pub(crate) prospero_nuls: bool,
}

impl SchemeForms {
    /// The syntax in an edition that leaves the schemes to other documents, of which RFC 1738 was the
    /// last for these; the path of wais may be divided, since the generic syntax allows ";" and "=".
    pub(super) const OF_OTHER_DOCUMENTS: Self = Self {
        ftp_path_is_optional: true,
        ftp_type: true,
        session_slash: true,
        gopher_search: GopherSearch::Tab,
        wais_search_is_words: false,
        wais_length: WaisLength::Optional,
        wais_fields: true,
        prospero_nuls: false,
    };
}

/// The delimiter before the search of a gopher URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GopherSearch {
    /// "?", with words separated by "+". There is no Gopher+ string.
    QuestionMark,
    /// An escaped tab. A second one may introduce a Gopher+ string.
    Tab,
}

/// The presence of the document's length in a wais URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaisLength {
    /// The length is required, before the path.
    Required,
    /// The length is optional, before the fields of an identifier.
    Optional,
    /// The length is not allowed.
    Absent,
}
