//! What a report about a URL says, for whatever shows it: a terminal or HTML.
//!
//! Takes a URL, or what `locator` and `locator-audit` return for it, and returns the facts in the
//! order and in the words in which people read them, without secrets. It contains no layout.
//!
//! ```
//! use locator_web::report::{AllEditions, Key};
//!
//! let every = AllEditions::of(b"http://10.0.0.256/");
//! let differing: Vec<_> = every.differing().map(Key::name).collect();
//! assert_eq!(differing, ["host_kind"]);
//! ```

pub mod comparison;
mod editions;
pub mod pasted;
#[cfg(feature = "json")]
mod plan_object;
mod programs;
pub mod quantity;
pub mod secrets;
pub mod visible;
pub mod words;

pub use self::editions::{AllEditions, Group, Key, Parsed, errors, parse, read};
#[cfg(feature = "json")]
pub use self::plan_object::plan_object;
pub use self::programs::{ShownContacts, WithoutContact, names_of_programs, names_of_readers, place_of_host};
