//! The words for kinds of hosts and of references.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use locator::{HostKind, ReferenceKind};

/// Returns the kind of a host, in words; an empty one is seen to be empty.
///
/// ```
/// use locator::HostKind;
///
/// assert_eq!(locator_report::words::host_kind(HostKind::Ipv4), "IPv4 address");
/// ```
#[must_use]
pub const fn host_kind(kind: HostKind) -> &'static str {
    match kind {
        HostKind::Empty => "",
        HostKind::Name => "name",
        HostKind::Ipv4 => "IPv4 address",
        HostKind::Ipv6 => "IPv6 address",
        HostKind::IpvFuture => "address of a later IP version",
        HostKind::Registry => "registry-based name, not a server",
        other => other.name(),
    }
}

/// Returns the kind of a reference, in words; `absolute` is what the edition calls one with a scheme.
#[must_use]
pub fn reference_kind(kind: ReferenceKind, absolute: &str) -> String {
    let article = if absolute.starts_with(['a', 'e', 'I']) { "an" } else { "a" };
    match kind {
        ReferenceKind::Uri => format!("{article} {absolute}"),
        ReferenceKind::Opaque => format!("an opaque {absolute}"),
        ReferenceKind::NetworkPath => "a network-path reference".to_owned(),
        ReferenceKind::AbsolutePath => "an absolute-path reference".to_owned(),
        ReferenceKind::RelativePath => "a relative-path reference".to_owned(),
        ReferenceKind::Query => "a query-only reference".to_owned(),
        ReferenceKind::Fragment => "a same-document reference to a fragment".to_owned(),
        ReferenceKind::Empty => "a same-document reference".to_owned(),
        kind => format!("a reference ({})", kind.name()),
    }
}
