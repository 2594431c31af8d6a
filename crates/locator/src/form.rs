//! The form that the URLs of a scheme have, and why a reference cannot be read as one of them.

use core::fmt::{self, Display, Formatter};

use crate::error::Error;
use crate::part::Span;

/// The form that a scheme's URLs have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The form itself: `ftp://[user[:password]@]host[:port]/…`.
    pub text: &'static str,
    /// Where it is defined: `RFC 1738, 3.2`.
    pub see: &'static str,
}

/// Why a reference cannot be read as a URL of its scheme.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// It breaks the rule that its edition has for the scheme.
    Rule(Error),
    /// Its edition has no rule for the scheme, and it is not of the scheme's form.
    Form {
        /// Where it is another.
        span: Span,
        /// The form.
        form: Form,
    },
    /// It is of another scheme, or of none.
    OtherScheme,
}

impl Malformed {
    /// Writes the sentence alone, without document and section.
    pub(crate) fn write_message(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(error) => error.message().fmt(f),
            Self::Form { span, form } => {
                write!(f, "the form {} is expected, and is broken at octet {}", form.text, span.start)
            }
            Self::OtherScheme => f.write_str("it is of another scheme"),
        }
    }
}

impl Display for Malformed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Self::Rule(error) = self {
            return error.fmt(f);
        }
        self.write_message(f)?;
        match self {
            Self::Form { form, .. } => write!(f, " ({})", form.see),
            _ => Ok(()),
        }
    }
}

impl core::error::Error for Malformed {}
