//! Classes of octets in a text, as one table for the SIMD module. Two classes of the table have
//! names of their own here.

use crate::edition::rfc3986::UNRESERVED;
use crate::simd::{AsciiSet, Class, Sets, Table};

/// The octets of a host that is a name or an IPv4 address.
pub(super) const NAME: AsciiSet = UNRESERVED;
pub(super) const IN_NAME: Class = Class::Host;

/// Octets of a URL that need no check: no bracket, no quote, no escape, and no colon, which may
/// belong to another URL.
const PLAIN: AsciiSet = NAME.union(AsciiSet::of(b"/?#@!$&+,;="));
pub(super) const IN_PLAIN: Class = Class::Path;

pub(super) static TABLE: Table = Table::new(&Sets {
    host: NAME,
    path: PLAIN,
    scheme_start: AsciiSet::EMPTY,
    scheme: AsciiSet::EMPTY,
    userinfo: AsciiSet::EMPTY,
    registry: AsciiSet::EMPTY,
    query: AsciiSet::EMPTY,
    fragment: AsciiSet::EMPTY,
    opaque: AsciiSet::EMPTY,
    label: AsciiSet::EMPTY,
});
