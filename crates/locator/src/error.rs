//! The error of parsing: what is wrong with a text, where, and which rule it breaks.
//!
//! A [`ParseError`] is `Copy` and contains no text. Its [`Report`] shows it below the text with
//! advice. The rule and the section come from the data of the edition.
//!
//! # What to print
//!
//! `Display` and `Debug` are one sentence with the position and the rule, so `main` may return the error.
//! For the author of the text, [`ParseError::report`] shows it with a caret and advice, and hides
//! its passwords:
//!
//! ```
//! use locator::UriRef;
//!
//! let text = "http://example.com/a b";
//! let error = UriRef::parse(text).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "a space is not allowed in the path, at byte 20 (pchar, RFC 3986, 3.3)"
//! );
//! assert!(error.report(text).to_string().contains("^"));
//! ```
//!
//! A program looks at the values, not at the sentence, which may change:
//!
//! ```
//! use locator::{Component, ParseErrorKind, UriRef};
//!
//! let error = UriRef::parse("http://example.com/a b").unwrap_err();
//! assert_eq!(
//!     (error.kind(), error.component()),
//!     (ParseErrorKind::InvalidByte, Component::Path)
//! );
//! assert_eq!(error.span(), 20..21);
//! ```
//!
//! Parsing returns the first error. With the feature `schemes`, `scheme::errors` returns all of them:
//!
//! ```
//! # #[cfg(feature = "schemes")] {
//! let errors: Vec<_> = locator::scheme::errors("http://a b/|")
//!     .map(|error| error.offset())
//!     .collect();
//! assert_eq!(errors, [8, 11]);
//! # }
//! ```
//!
//! An owned string that is not valid is returned with its error, so that nothing is lost:
//!
//! ```
//! use locator::UriBuf;
//!
//! let error = UriBuf::try_from(String::from("http://a b/")).unwrap_err();
//! assert_eq!(
//!     (error.span(), error.into_string().as_str()),
//!     (8..9, "http://a b/")
//! );
//! ```
//!
//! # The errors of this crate
//!
//! Every error implements [`core::error::Error`]. `span()` returns the bytes that it is about,
//! `citation()` the document and section of the rule that is broken. An error that is an enum is
//! its own kind: match on its variants. The structs have one kind each, except for those with
//! `kind()`.
//!
//! | error | `span()` is in | `citation()` |
//! |---|---|---|
//! | [`ParseError`], [`FromStringError`] (both have `kind()`) | the text | always |
//! | [`PctError`](crate::PctError) | the encoded text | always |
//! | [`CharsetError`](crate::CharsetError) | the decoded data | always |
//! | [`BuildError`](crate::BuildError) | the value, or the whole result | always |
//! | [`ResolveError`](crate::ResolveError) | the base or the reference: `is_in_base()` | if there is a rule |
//! | [`BaseError`](crate::BaseError) | the text of the candidate | if there is a rule |
//! | [`CompareError`](crate::CompareError) | no bytes: a reference as a whole | if there is a rule |
//! | [`IdnaError`](crate::IdnaError) | the reference | always |
//! | [`ConvertError`](crate::ConvertError) | the text, if that is not valid | if there is a rule |
//! | [`SyntaxError`](crate::scheme::SyntaxError), [`ValueError`](crate::scheme::ValueError), [`PlanError`](crate::plan::PlanError) | the URL | if there is a rule |
//! | [`GatewayPlanError`](crate::plan::GatewayPlanError) | the URL, or the one that the gateway made | if there is a rule |
//! | [`TemplateError`](crate::plan::TemplateError) | the template | never: templates are of this crate |
//! | [`UriTemplateError`](crate::template::UriTemplateError) | the template, or what it expands to | always |
//! | [`InputError`](crate::plan::InputError) | the input | never: the protocol is that of the message |
//! | [`PartError`](crate::scheme::PartError) | the URL or the value | if there is a rule |
//! | [`PathError`](crate::scheme::file::PathError) | `offset()` only: it does not know where a name ends | if there is a rule |
//! | [`ItemError`](crate::scheme::menu::ItemError) | `line()` only: a line as a whole | always |
//! | [`ItemUrlError`](crate::scheme::menu::ItemUrlError) | the value that is not valid | if there is a rule |
//! | [`UnknownEditionError`](crate::edition::UnknownEditionError), [`DuplicateSchemeError`](crate::scheme::DuplicateSchemeError), [`BufferTooLongError`](crate::bulk::BufferTooLongError), [`RowsError`](crate::bulk::RowsError) | none: a name or a buffer as a whole | never: no document has a rule |

mod drawing;
mod from_string;
mod parse_error;
mod redacted;

#[doc(no_inline)]
pub use crate::edition::Rule;
pub use drawing::{Report, Reports};
pub use from_string::FromStringError;
pub use parse_error::{Found, ParseError, ParseErrorKind};
#[cfg(feature = "schemes")]
pub(crate) use redacted::Hidden;
pub use redacted::Redacted;
