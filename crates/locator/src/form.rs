//! The URL syntax of a scheme, and the error of interpreting a reference as such a URL.

use core::fmt::{self, Display, Formatter};
use core::ops::Range;

use crate::error::ParseError;
use crate::span::{Component, Span};

/// The URL syntax of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Syntax {
    /// The syntax: `ftp://[user[:password]@]host[:port]/…`.
    pub text: &'static str,
    /// The document and section that define it: `RFC 1738, 3.2`.
    pub citation: &'static str,
}

impl Syntax {
    /// Returns whether the syntax requires a host: `ftp://[user[:password]@]host[:port]/…`.
    pub fn has_host(&self) -> bool {
        let Some((_, rest)) = self.text.split_once("://") else { return false };
        let mut depth = 0;
        let is_optional = |c: &char| {
            match c {
                '[' => depth += 1,
                ']' => {
                    depth -= 1;
                    return true;
                }
                _ => {}
            }
            depth > 0
        };
        let optional: usize = rest.chars().take_while(is_optional).map(char::len_utf8).sum();
        rest.get(optional..).is_some_and(|rest| rest.starts_with("host"))
    }
}

/// The reason why a reference is not a valid URL of its scheme.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxError {
    /// The URL breaks the rule that its edition has for the scheme.
    Rule(ParseError),
    /// The edition has no rule for the scheme, and the URL does not match the scheme's syntax.
    Form {
        /// The position of the mismatch.
        span: Span,
        /// The expected syntax.
        form: Syntax,
    },
    /// The URL has another scheme or no scheme.
    OtherScheme,
}

impl SyntaxError {
    /// Returns the bytes that the error is about; empty where something is missing.
    #[must_use]
    pub const fn span(&self) -> Option<Range<usize>> {
        match self {
            Self::Rule(error) => Some(error.span()),
            Self::Form { span, .. } => Some(span.range()),
            Self::OtherScheme => None,
        }
    }

    /// Returns the component that the error is in, if it is about one.
    #[must_use]
    pub const fn component(&self) -> Option<Component> {
        match self {
            Self::Rule(error) => Some(error.component()),
            Self::Form { .. } => None,
            Self::OtherScheme => Some(Component::Scheme),
        }
    }

    /// Returns the document and section of the rule or form, where there is one: `RFC 1738, 3.2`.
    #[must_use]
    pub const fn citation(&self) -> Option<impl Display> {
        match *self {
            Self::Rule(error) => Some(Citation::Rule(error)),
            Self::Form { form, .. } => Some(Citation::Form(form.citation)),
            Self::OtherScheme => None,
        }
    }

    /// Writes the sentence alone, without document and section.
    pub(crate) fn write_message(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(error) => error.message().fmt(f),
            Self::Form { span, form } => {
                write!(f, "expected the form {}, at byte {}", form.text, span.start)
            }
            Self::OtherScheme => f.write_str("the URL has another scheme"),
        }
    }
}

impl Display for SyntaxError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Self::Rule(error) = self {
            return error.fmt(f);
        }
        self.write_message(f)?;
        self.citation().map_or(Ok(()), |citation| write!(f, " ({citation})"))
    }
}

/// The citation of a rule or a syntax.
enum Citation {
    Rule(ParseError),
    Form(&'static str),
}

impl Display for Citation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(error) => error.citation().fmt(f),
            Self::Form(see) => f.write_str(see),
        }
    }
}

impl core::error::Error for SyntaxError {}

#[cfg(all(test, feature = "schemes"))]
mod tests {
    use crate::scheme::lookup;

    #[test]
    fn a_form_demands_a_host_outside_of_brackets() {
        let demands = ["http", "https", "ftp", "gopher", "telnet", "nntp", "wais", "prospero", "ws"];
        for name in demands {
            assert!(lookup(name).expect("it is known").form().has_host(), "{name}");
        }
        for name in ["file", "news", "mailto", "data", "urn", "mid"] {
            assert!(!lookup(name).expect("it is known").form().has_host(), "{name}");
        }
    }
}
