//! The elements of rules (RFC 5234, sections 3 and 4).

use crate::octets::OctetSet;

/// An element of the right side of a rule.
#[derive(Clone, Debug)]
pub(crate) enum Element {
    /// One octet of a set.
    Octets(OctetSet),
    /// Alternatives ("/").
    Choice(Vec<Element>),
    /// A sequence; without elements it is the empty string.
    Sequence(Vec<Element>),
    /// A repetition, `least*most`; without `most` there is no limit. An option is `0*1`.
    Repeat { least: usize, most: Option<usize>, of: Box<Element> },
    /// Another rule: its name in lower case, and the line that names it.
    Rule { name: String, line: usize },
}
