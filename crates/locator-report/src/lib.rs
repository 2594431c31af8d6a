//! What a report about a URL says, for whatever shows it: a terminal or HTML.
//!
//! Takes a URL, or what `locator` and `locator-audit` return for it, and returns the facts in the
//! order and in the words in which people read them, without secrets. It contains no layout.
//!
//! ```
//! use locator_report::{AllEditions, Key};
//!
//! let every = AllEditions::of(b"http://10.0.0.256/");
//! let differing: Vec<_> = every.differing().map(Key::name).collect();
//! assert_eq!(differing, ["host_kind"]);
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod comparison;
mod contacts;
mod editions;
pub mod findings;
mod key;
mod readers;
mod reading;
pub mod secrets;
pub mod visible;
pub mod words;

pub use contacts::{ShownContacts, place_of_host};
pub use editions::{AllEditions, Group};
pub use key::Key;
pub use readers::{WithoutContact, names_of_programs, names_of_readers};
pub use reading::{Parsed, errors, parse, read};
