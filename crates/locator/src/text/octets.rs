//! Classes of octets in a text, as one table for the SIMD module.

use crate::edition::rfc3986::UNRESERVED;
use crate::simd::{AsciiSet, Class, Table};

/// The octets of a host that is a name or an IPv4 address.
pub(super) const NAME: AsciiSet = UNRESERVED;
pub(super) const IN_NAME: Class = Class::of(0);

/// Octets of a URL that need no check: no bracket, no quote, no escape, and no colon, which may
/// belong to another URL.
const PLAIN: AsciiSet = NAME.union(AsciiSet::of(b"/?#@!$&+,;="));
pub(super) const IN_PLAIN: Class = Class::of(1);

pub(super) static TABLE: Table = Table::new(&[(IN_NAME, NAME), (IN_PLAIN, PLAIN)], [0; 128]);
