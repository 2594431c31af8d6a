//! Readings: what programs of today and of the past contact for one text.
//!
//! A *reader* is a program with its version. Browsers, and programs that follow the URL Standard as they do, are read
//! by its parser, with the departures of each program ([`standard`]). Any other program is a row of *quirks*,
//! switches in which programs differ: which "@" ends the userinfo, whether "\" is "/", what is stripped, how many "/"
//! are needed, whether a host is decoded, and what is read as an IPv4 address. One function reads by any row
//! ([`model`]).

mod argument;
mod contact;
mod definition;
pub(crate) mod model;
mod quirk;
pub(crate) mod readings;
mod server;
mod standard;
mod table;

pub use argument::{Argued, Argument, Program, arguments};
pub use contact::{Contact, Host, Outcome};
pub use definition::{Reader, Source};
pub use readings::{Contacted, Readings, Returned};

/// Returns every reader: the programs, then the editions from the newest.
pub fn readers() -> impl ExactSizeIterator<Item = &'static Reader> {
    table::READERS.iter()
}

/// Returns what each reader contacts for a link with this text, read by RFC 3986. The base has no name.
/// For an argument of a program see [`arguments`].
///
/// ```
/// let readings = locator_audit::readings("http://evil.example\\@good.example/");
/// let contacts = readings.contacts();
/// assert_eq!(contacts[0].contact.to_string(), "http://good.example:80");
/// assert!(
///     contacts[0].is_own
///         && contacts[0].readers.iter().any(|reader| reader.name() == "curl")
/// );
/// assert_eq!(contacts[1].contact.to_string(), "http://evil.example:80");
/// assert!(
///     contacts[1].readers.iter().any(|reader| reader.name() == "url-standard")
/// );
/// ```
#[must_use]
pub fn readings(text: &str) -> Readings {
    Readings::new(text, None)
}
