//! The rules of an edition for comparing references, as data: which differences do not matter, and
//! the sections that say so.

use crate::simd::AsciiSet;

/// The differences in text that do not change what a reference identifies, besides the case of the
/// scheme, the host and hex digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Equivalence {
    /// The characters whose escapes are equivalent to the characters.
    pub(crate) unescapes: AsciiSet,
    /// The characters whose escapes are equivalent to the characters in a query.
    pub(crate) unescapes_in_query: AsciiSet,
    /// Whether each scheme defines which of the reserved characters it reserves: the escapes of
    /// the others are equivalent to the characters.
    pub(crate) scheme_reserves: bool,
    /// Whether dot segments are special in the path of a hierarchical URI. If not, they are
    /// ordinary names, and an escaped dot must stay escaped.
    pub(crate) dots: bool,
    /// Whether an empty fragment is equivalent to no fragment.
    pub(crate) void_fragment: bool,
}

/// The section of each rung of the ladder of comparison; those of RFC 3986, 6.2, if the edition has
/// none.
#[derive(Debug)]
pub(crate) struct Ladder {
    /// The section on comparing relative references.
    pub(crate) relative: &'static str,
    /// The section on simple string comparison.
    pub(crate) simple: &'static str,
    /// The section on syntax-based normalization.
    pub(crate) syntax: &'static str,
    /// The section on scheme-based normalization.
    pub(crate) scheme: &'static str,
    /// The section on protocol-based normalization.
    pub(crate) protocol: &'static str,
}

impl Ladder {
    /// The sections of RFC 3986.
    pub(crate) const RFC3986: Self = Self {
        relative: "RFC 3986, 6.1",
        simple: "RFC 3986, 6.2.1",
        syntax: "RFC 3986, 6.2.2",
        scheme: "RFC 3986, 6.2.3",
        protocol: "RFC 3986, 6.2.4",
    };
}
