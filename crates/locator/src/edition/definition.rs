//! What an edition is: the fields of [`Edition`], and the questions that they answer.

use super::characters::{Characters, is_in};
use super::charset::Charset;
use super::comparison::{Equivalence, Ladder};
use super::forms::SchemeForms;
use super::resolution::Resolution;
use super::rule::{Citation, Rule, Rules, Terminology, Update};
use super::server::{RegName, Server};
use crate::simd::{AsciiSet, Class, GROUPS, Table};

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
