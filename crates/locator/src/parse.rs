//! The parser: takes the octets of a text and returns [`ComponentSpans`] or the first error.
//!
//! There is one grammar and three implementations; `run` defines their order, and is called by
//! `UriRef::parse` and by `bulk`.
//!
//! The reference implementation reads octet by octet: `cut` splits the text by appendix B without
//! checks, and `check` validates each component with `authority` and `host`; `validator` has what
//! these share. It is const, so that the compiler checks literals, and it finds every error.
//!
//! The fast path, `fast`, reads the form of nearly every URL from bitmaps. It is compiled for each
//! backend, so it must stay small. Other texts go to `rare`, which reads bitmaps in memory and is
//! compiled once; it returns the first error if bitmaps show it. `reader` contains the code that
//! both use. `rows` is the fast path for eight rows at once. The reference
//! implementation must agree with every result and error of the others; tests and fuzzing check
//! this.
//!
//! `fault` has what all of them return for an invalid text; `login` finds the unescaped "@" that led
//! to an error.

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
pub(crate) use every::{errors, server_errors};
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
