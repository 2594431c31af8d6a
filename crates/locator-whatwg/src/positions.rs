//! The positions of the components in a URL in serialised form.

use core::num::NonZeroU32;

/// Where the components are, in bytes of the text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Positions {
    pub(crate) scheme_end: u32,
    pub(crate) username_end: u32,
    pub(crate) host_start: u32,
    pub(crate) host_end: u32,
    pub(crate) path_start: u32,
    pub(crate) query_start: Option<NonZeroU32>,
    pub(crate) fragment_start: Option<NonZeroU32>,
    pub(crate) port: Option<u16>,
    pub(crate) host_kind: HostKind,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum HostKind {
    None,
    Domain,
    Ipv4,
    Ipv6,
    Opaque,
    Empty,
}
