//! The words of an edition for messages: its terms, the grammar rules that errors quote, and the
//! citations of sections (`RFC 3986, 3.3`).

use crate::span::Component;
use core::fmt::{self, Display, Formatter};

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
