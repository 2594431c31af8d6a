//! Places between the components of a URL, `url[Position::BeforeHost..Position::AfterPath]`, and the bytes at
//! which the components are.

use alloc::string::String;
use core::num::NonZeroU32;

/// A place between two components of a URL.
///
/// ```
/// use locator_whatwg::{Position, Url};
///
/// let url = Url::parse("https://user@example.com:8080/a?b#c")?;
/// assert_eq!(&url[Position::BeforeHost..Position::AfterPort], "example.com:8080");
/// assert_eq!(&url[Position::BeforePath..], "/a?b#c");
/// assert_eq!(&url[..Position::AfterQuery], "https://user@example.com:8080/a?b");
/// # Ok::<_, locator_whatwg::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Position {
    /// The start of the URL.
    BeforeScheme,
    /// Before ":".
    AfterScheme,
    /// After "//".
    BeforeUsername,
    /// Before ":", "@" or the host.
    AfterUsername,
    /// After ":".
    BeforePassword,
    /// Before "@".
    AfterPassword,
    /// After "@".
    BeforeHost,
    /// Before ":", or the path.
    AfterHost,
    /// After ":".
    BeforePort,
    /// Before the path.
    AfterPort,
    /// Before the path.
    BeforePath,
    /// Before "?", "#" or the end.
    AfterPath,
    /// After "?".
    BeforeQuery,
    /// Before "#" or the end.
    AfterQuery,
    /// After "#".
    BeforeFragment,
    /// The end of the URL.
    AfterFragment,
}

/// Where the components of a URL in serialised form are, in bytes of the text.
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

/// A URL in serialised form.
pub(crate) struct Serialised {
    pub(crate) text: String,
    pub(crate) at: Positions,
}

/// What the host of a URL is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum HostKind {
    None,
    Domain,
    Ipv4,
    Ipv6,
    Opaque,
    Empty,
}
