//! What octets are to a text, as one table for the SIMD module. Of the classes of a table two are asked for here, under
//! names of their own.

use crate::edition::rfc3986::UNRESERVED;
use crate::simd::{AsciiSet, Class, Sets, Table};

/// What a host may hold that is a name or four numbers.
pub(super) const NAME: AsciiSet = UNRESERVED;
pub(super) const IN_NAME: Class = Class::Host;

/// What may stand in a URL and needs no look: no bracket, no quote, no escape, and no colon, which may be another URL's.
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
