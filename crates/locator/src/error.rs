//! The error of parsing: what is wrong with a text, where, and which rule it breaks.
//!
//! A [`ParseError`] is `Copy` and contains no text. Its [`Report`] shows it below the text with
//! advice. The rule and the section come from the data of the edition.
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
//! | [`InputError`](crate::plan::InputError) | the input | never: the protocol is that of the message |
//! | [`PartError`](crate::scheme::PartError) | the URL or the value | if there is a rule |
//! | [`PathError`](crate::scheme::file::PathError) | `offset()` only: it does not know where a name ends | if there is a rule |
//! | [`ItemError`](crate::scheme::menu::ItemError) | `line()` only: a line as a whole | always |
//! | [`ItemUrlError`](crate::scheme::menu::ItemUrlError) | the value that is not valid | if there is a rule |
//! | [`UnknownEditionError`](crate::edition::UnknownEditionError), [`DuplicateSchemeError`](crate::scheme::DuplicateSchemeError), [`BufferTooLongError`](crate::bulk::BufferTooLongError) | none: a name or a buffer as a whole | never: no document has a rule |

mod drawing;
mod found;
mod from_string;
mod message;
mod parse_error;
mod redacted;

#[doc(no_inline)]
pub use crate::edition::Rule;
pub use drawing::Report;
pub use found::Found;
pub use from_string::FromStringError;
pub use parse_error::{ParseError, ParseErrorKind};
#[cfg(feature = "schemes")]
pub(crate) use redacted::Hidden;
pub use redacted::Redacted;
