//! The parser: takes the octets of a text and returns [`ComponentSpans`] or the first error. It follows the
//! grammar of the edition; for RFC 3986 that is appendix A, and appendix B divides the text.
//!
//! ```
//! use locator::{Component, UriRef};
//!
//! let spans = UriRef::parse("http://example.com/a")?.spans();
//! assert_eq!(spans.span(Component::Host), Some(7..18));
//! assert_eq!(UriRef::parse("http://example.com/|").unwrap_err().offset(), 19);
//! # Ok::<_, locator::ParseError>(())
//! ```
//!
//! There is one grammar and three implementations. [`reader`] tries them in their order, for
//! `UriRef::parse` and for `bulk`:
//!
//! 1. [`fast`] reads the form of nearly every URL from bitmaps. It is compiled for each backend, so it
//!    must stay small. `rows` does so for eight rows at once.
//! 2. [`rare`] reads other texts from bitmaps in memory, and returns the first error if bitmaps show it.
//!    It is compiled once.
//! 3. The reference implementation, [`check`], reads octet by octet: it divides the text by appendix B
//!    ([`host::cut`]) and validates each component, with [`authority`] and [`host`]; [`Validator`] has the
//!    text, and [`Fault`](validator::Fault) is an error. It is `const`, so that the compiler checks
//!    literals, and `every` finds every error with it.
//!
//! The reference implementation must agree with every result and error of the others. Tests and fuzzing
//! check this.

mod authority;
mod check;
#[cfg(feature = "schemes")]
mod every;
mod fast;
pub(crate) mod host;
mod rare;
mod reader;
#[cfg(feature = "bulk")]
mod rows;
#[cfg(all(test, not(miri)))]
mod tests;
mod validator;

#[cfg(feature = "schemes")]
pub(crate) use every::{GenericErrors, errors, server_errors};
pub(crate) use host::authority_end;
pub(crate) use reader::{read_more, read_value};
#[cfg(feature = "bulk")]
pub(crate) use rows::{Places, ROWS, Rows};
pub(crate) use validator::InvalidByte;

use crate::edition::Edition;
use crate::error::ParseError;
use crate::span::{ComponentSpans, HostKind};
use validator::{Reported, Validator};

/// Like `read`, but `const`, octet by octet, for literals.
pub(crate) const fn read_const(text: &str, edition: &'static Edition) -> Result<ComponentSpans, ParseError> {
    check::read(text.as_bytes(), edition)
}

/// Returns the first error of the octets, which need not be UTF-8.
pub(crate) fn first_error(octets: &[u8], edition: &'static Edition) -> Option<ParseError> {
    check::read(octets, edition).err()
}

/// Divides a text into components by appendix B, whether it is valid or not.
#[cfg(feature = "schemes")]
pub fn divide(octets: &[u8], edition: &'static Edition) -> ComponentSpans {
    host::cut(octets, edition)
}

/// Returns the kind of the host from `start` to `end`, for hosts outside the authority.
pub(crate) fn read_host(
    text: &str,
    edition: &'static Edition,
    parts: ComponentSpans,
    (start, end): (usize, usize),
) -> Result<HostKind, ParseError> {
    let parts = ComponentSpans { host_start: start as u32, host_end: end as u32, ..parts };
    let octets = text.as_bytes();
    host::validate(&Validator { octets, edition, parts, from: Reported::NOTHING })
        .map_err(|fault| fault.error(octets, edition))
}
