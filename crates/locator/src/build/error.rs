//! The error of building and of editing a reference.

use core::fmt::{self, Display, Formatter};
use core::ops::Range;

use crate::as_text::error_as_sentence;
use crate::edition::{ALL, DEFAULT, Edition, Rule};
use crate::error::ParseError;
use crate::span::Component;

/// The reason why a reference cannot be built or edited.
///
/// ```
/// use locator::{BuildError, Component, Value, uri_ref};
///
/// let mut edit = uri_ref!("/a").edit();
/// let error = edit.set_port(Some(80)).unwrap_err();
/// assert!(matches!(
///     error,
///     BuildError::NoAuthority { component: Component::Port, .. }
/// ));
/// assert_eq!(
///     error.to_string(),
///     "there is no authority for the port (authority, RFC 3986, 3.2)"
/// );
/// assert_eq!(error.advice().unwrap().to_string(), "set the host first");
///
/// let error = edit.set_query(Value::Encoded("a b")).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "invalid value: a space is not allowed in the query, at byte 1 (query, RFC 3986, 3.4)"
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum BuildError {
    /// The value is not valid in that component; the error positions are in the value.
    Value(ParseError),
    /// Each value is valid, but the whole is not. The error positions are in the resulting text,
    /// which an [`Edit`](super::Edit) displays.
    Whole(ParseError),
    /// A piece of an authority was set, but there is no authority.
    NoAuthority {
        /// The component.
        component: Component,
        /// The edition that defines the rule.
        edition: &'static Edition,
    },
    /// A password was set, but there is no user before it.
    NoUser {
        /// The edition that defines the rule.
        edition: &'static Edition,
    },
    /// The host cannot be removed, because the authority has a user or a port.
    HostNeeded {
        /// The edition that defines the rule.
        edition: &'static Edition,
    },
    /// The authority is a registered name, which has no user, host or port to edit.
    Registered {
        /// The edition that defines the rule.
        edition: &'static Edition,
    },
    /// An authority was given as data, which would escape its delimiters.
    AuthorityAsData {
        /// The edition that defines the rule.
        edition: &'static Edition,
    },
    /// A host was given as data that contains a delimiter or a blank: `h:8080` is a host and a port.
    HostAsData {
        /// The first delimiter or blank.
        found: char,
        /// The edition that defines the rule.
        edition: &'static Edition,
    },
    /// An authority was set before a path that does not begin with "/": `a@h` of `mailto:a@h`.
    NoRoot {
        /// The edition that defines the rule.
        edition: &'static Edition,
    },
    /// The segments of a path without a hierarchy were to be changed: `a@h` of `mailto:a@h`.
    NoHierarchy {
        /// The edition that defines the rule.
        edition: &'static Edition,
    },
    /// The whole reference was given as the component to edit.
    NoComponent {
        /// The edition that defines the rule.
        edition: &'static Edition,
    },
    /// A prefix before the URL that the edition does not define.
    NoPrefix {
        /// The edition.
        edition: &'static Edition,
    },
    /// A segment "." or ".." was given as data; it would be a dot segment even if escaped.
    DotSegment {
        /// The edition that the reference is written in.
        edition: &'static Edition,
    },
    /// The path has no segment with that index.
    NoSegment {
        /// The requested index, counted from 0.
        index: usize,
        /// The number of segments.
        count: usize,
        /// The edition that defines the rule.
        edition: &'static Edition,
    },
    /// The edition's queries do not allow "&" and "=".
    NoPairs {
        /// The edition.
        edition: &'static Edition,
    },
    /// The result would be parsed differently from what was set.
    Misread {
        /// The first component that would differ from the request.
        component: Component,
        /// The edition that would parse it so.
        edition: &'static Edition,
    },
}

impl BuildError {
    /// Returns the name of this kind of error in JSON: `no-authority`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Value(_) => "value",
            Self::Whole(_) => "whole",
            Self::NoAuthority { .. } => "no-authority",
            Self::NoUser { .. } => "no-user",
            Self::HostNeeded { .. } => "host-needed",
            Self::Registered { .. } => "registered",
            Self::AuthorityAsData { .. } => "authority-as-data",
            Self::HostAsData { .. } => "host-as-data",
            Self::NoRoot { .. } => "no-root",
            Self::NoHierarchy { .. } => "no-hierarchy",
            Self::NoComponent { .. } => "no-component",
            Self::NoPrefix { .. } => "no-prefix",
            Self::DotSegment { .. } => "dot-segment",
            Self::NoSegment { .. } => "no-segment",
            Self::NoPairs { .. } => "no-pairs",
            Self::Misread { .. } => "misread",
        }
    }

    /// Returns the component that the error is about.
    ///
    /// ```
    /// use locator::{Component, Value, uri};
    ///
    /// let mut edit = uri!("http://h/").edit();
    /// let error = edit.set_query(Value::Encoded("a%2")).unwrap_err();
    /// assert_eq!(
    ///     (error.component(), error.span().unwrap()),
    ///     (Component::Query, 1..2)
    /// );
    /// assert_eq!(
    ///     (error.rule().name, error.citation().to_string()),
    ///     ("pct-encoded", "RFC 3986, 2.1".into())
    /// );
    ///
    /// let error = edit.set_password("p").unwrap_err();
    /// assert_eq!(
    ///     (error.name(), error.component(), error.span()),
    ///     ("no-user", Component::Userinfo, None)
    /// );
    /// assert_eq!(error.citation().to_string(), "RFC 3986, 3.2.1");
    /// ```
    #[must_use]
    pub const fn component(&self) -> Component {
        match *self {
            Self::Value(error) | Self::Whole(error) => error.component(),
            Self::NoAuthority { component: part, .. } | Self::Misread { component: part, .. } => part,
            Self::NoUser { .. } => Component::Userinfo,
            Self::HostNeeded { .. } | Self::HostAsData { .. } => Component::Host,
            Self::Registered { .. } | Self::AuthorityAsData { .. } => Component::Authority,
            Self::NoComponent { .. } => Component::Reference,
            Self::NoPrefix { .. } => Component::Prefix,
            Self::NoRoot { .. }
            | Self::NoHierarchy { .. }
            | Self::DotSegment { .. }
            | Self::NoSegment { .. } => Component::Path,
            Self::NoPairs { .. } => Component::Query,
        }
    }

    /// Returns the bytes of the value that the error is about, or of the whole text for
    /// [`Whole`](Self::Whole). `None` if the error is not about bytes.
    #[must_use]
    pub const fn span(&self) -> Option<Range<usize>> {
        match *self {
            Self::Value(error) | Self::Whole(error) => Some(error.span()),
            _ => None,
        }
    }

    /// Returns this error with its span moved by a number of bytes.
    ///
    /// It makes of the error of a value that of a longer value, in which the value begins after
    /// this many bytes. It is negative if the value has bytes before it that were not given.
    ///
    /// ```
    /// use locator::{Value, uri};
    ///
    /// let mut edit = uri!("http://h/").edit();
    /// let error = edit.set_query(Value::Encoded("a%2")).unwrap_err();
    /// assert_eq!(error.moved_by(4).span(), Some(5..6));
    /// ```
    #[must_use]
    pub const fn moved_by(self, bytes: isize) -> Self {
        match self {
            Self::Value(error) => Self::Value(error.moved_by(bytes)),
            other => other,
        }
    }

    /// Returns the rule that is broken, with its section in the document of
    /// [`edition`](Self::edition).
    #[must_use]
    pub const fn rule(&self) -> &'static Rule {
        let rules = &self.edition().rules;
        match *self {
            Self::Value(error) | Self::Whole(error) => error.rule(),
            Self::NoAuthority { .. } | Self::HostNeeded { .. } => rules.authority,
            Self::DotSegment { .. } => match rules.dot_segment {
                Some(rule) => rule,
                None => rules.segment,
            },
            Self::NoSegment { .. } => rules.segment,
            _ => rules.of(self.component()),
        }
    }

    /// Returns the edition that defines the rule.
    #[must_use]
    pub const fn edition(&self) -> &'static Edition {
        match *self {
            Self::Value(error) | Self::Whole(error) => error.edition(),
            // If the edition does not define dot segments, the rule is that of a later edition.
            Self::DotSegment { edition } if edition.rules.dot_segment.is_none() => DEFAULT,
            Self::NoAuthority { edition, .. }
            | Self::NoUser { edition }
            | Self::HostNeeded { edition }
            | Self::Registered { edition }
            | Self::AuthorityAsData { edition }
            | Self::HostAsData { edition, .. }
            | Self::NoRoot { edition }
            | Self::NoHierarchy { edition }
            | Self::NoComponent { edition }
            | Self::NoPrefix { edition }
            | Self::DotSegment { edition }
            | Self::NoSegment { edition, .. }
            | Self::NoPairs { edition }
            | Self::Misread { edition, .. } => edition,
        }
    }

    /// Returns the message alone, without position, rule and section.
    #[must_use]
    pub fn message(&self) -> impl Display {
        BuildMessage(*self)
    }

    /// Returns advice on how to correct the error, if there is any.
    #[must_use]
    pub const fn advice(&self) -> Option<impl Display> {
        match self {
            Self::Value(_) | Self::Whole(_) | Self::NoPrefix { .. } | Self::NoSegment { .. } => None,
            _ => Some(BuildAdvice(*self)),
        }
    }

    /// Returns the document and section of the rule: `RFC 3986, 3.3`.
    #[must_use]
    pub fn citation(&self) -> impl Display {
        self.edition().cite(self.rule())
    }
}

impl Display for BuildError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)?;
        if let Some(span) = self.span() {
            write!(f, ", at byte {}", span.start)?;
        }
        write!(f, " ({}, {})", self.rule().name, self.citation())
    }
}

/// The message of an error.
struct BuildMessage(BuildError);

impl Display for BuildMessage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            BuildError::Value(error) => write!(f, "invalid value: {}", error.message()),
            BuildError::Whole(error) => write!(f, "the result would not be valid: {}", error.message()),
            BuildError::NoAuthority { component: part, edition } => {
                let words = &edition.words;
                write!(f, "there is no {} for the {}", words.authority, words.of(part))
            }
            BuildError::NoUser { .. } => f.write_str("there is no user before the password"),
            BuildError::HostNeeded { edition } => {
                write!(f, "the host cannot be removed while there is a {} or a port", edition.words.userinfo)
            }
            BuildError::Registered { edition } => write!(
                f,
                "the {} is a registered name, which has no user, host or port",
                edition.words.authority
            ),
            BuildError::AuthorityAsData { edition } => write!(
                f,
                "the {} cannot be set as data: its delimiters would be escaped",
                edition.words.authority
            ),
            BuildError::HostAsData { found, .. } => match found {
                ' ' => f.write_str("a host cannot contain a space"),
                '\t' | '\r' | '\n' => f.write_str("a host cannot contain white space"),
                found => write!(f, "a host cannot contain \"{found}\""),
            },
            BuildError::NoRoot { edition } => write!(
                f,
                "the path does not begin with \"/\", so no {} is allowed before it",
                edition.words.authority
            ),
            BuildError::NoHierarchy { .. } => {
                f.write_str("the path does not begin with \"/\", so it is not divided into segments")
            }
            BuildError::NoComponent { .. } => f.write_str("the reference as a whole is not a component"),
            BuildError::NoPrefix { edition } => {
                write!(
                    f,
                    "{} defines no such prefix of a reference; these editions define one:",
                    edition.document
                )?;
                let mut having = ALL.into_iter().filter_map(|edition| Some((edition, edition.prefix?)));
                having.try_for_each(|(edition, prefix)| write!(f, " {edition} (\"{prefix}\")"))
            }
            BuildError::DotSegment { .. } => f.write_str(
                "a segment \".\" or \"..\" cannot be set as data: it is a dot segment, escaped or not",
            ),
            BuildError::NoSegment { index, count, .. } => {
                write!(f, "there is no segment {index}: the path has {count}, counted from 0")
            }
            BuildError::NoPairs { edition } => write!(
                f,
                "a {word} of {} cannot contain pairs: \"=\" is not allowed in it",
                edition.document,
                word = edition.words.query
            ),
            BuildError::Misread { component: part, edition } => write!(
                f,
                "the {} would be read as something else than the value given",
                edition.words.of(part)
            ),
        }
    }
}

/// The advice for an error.
struct BuildAdvice(BuildError);

impl Display for BuildAdvice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            BuildError::NoAuthority { .. } => f.write_str("set the host first"),
            BuildError::NoUser { .. } => f.write_str("set the user first"),
            BuildError::HostNeeded { edition } => {
                let words = &edition.words;
                write!(f, "remove {} and port first, or the {} as a whole", words.userinfo, words.authority)
            }
            BuildError::Registered { .. } => f.write_str("set or remove it as a whole"),
            BuildError::AuthorityAsData { .. } => f.write_str("set its components, or give it encoded"),
            BuildError::HostAsData { found, .. } => f.write_str(match found {
                ':' => "set the port separately",
                '@' => "set the user separately",
                '/' => "set the path separately",
                '?' => "set the query separately",
                '#' => "set the fragment separately",
                '[' | ']' => "only an IPv6 address is in brackets: [::1]",
                _ => "remove it",
            }),
            BuildError::NoRoot { .. } => f.write_str("set the path as well"),
            BuildError::NoHierarchy { .. } => f.write_str("set the path as a whole"),
            BuildError::NoComponent { .. } => f.write_str("parse it instead"),
            BuildError::DotSegment { .. } => f.write_str("give it encoded if a dot segment is meant"),
            BuildError::NoPairs { edition } => write!(f, "set the {} as a whole", edition.words.query),
            BuildError::Misread { .. } => f.write_str("give another value"),
            BuildError::Value(_)
            | BuildError::Whole(_)
            | BuildError::NoPrefix { .. }
            | BuildError::NoSegment { .. } => Ok(()),
        }
    }
}

error_as_sentence!(BuildError);
