//! What the rules of schemes share: logins and hosts ([`login`], RFC 1738, 3.1), and every error of a text
//! ([`errors()`](errors::errors)), by the generic grammar and by the rule of the scheme.
//!
//! ```
//! use locator::{edition::RFC1738, scheme};
//!
//! // The generic grammar allows this type of a file, the rule for ftp does not.
//! let offsets: Vec<_> =
//!     scheme::errors_with("ftp://h/a;type=x", &RFC1738).map(|error| error.offset()).collect();
//! assert_eq!(offsets, [15]);
//! ```

pub(super) mod errors;
pub(super) mod login;
