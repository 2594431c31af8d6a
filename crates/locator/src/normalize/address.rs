//! Normalizes an IPv6 address. Takes the host and returns it as RFC 5952 writes it.

use alloc::format;
use alloc::string::String;
use core::net::Ipv4Addr;

use crate::component::Host;

/// Returns the bracket and the address, up to the zone or the other bracket; `None` if the host is
/// no such address.
///
/// Section 4: no leading zeros, "::" for the longest run of zeros, the first of equals, and never
/// for one; lower case.
pub(super) fn opened(host: Host<'_>) -> Option<String> {
    let address = host.ipv6()?;
    // Section 5: "mixed notation is recommended if … the address can be distinguished as having
    // IPv4 addresses embedded in the lower 32 bits solely from the address field through the use of
    // a well-known prefix. Such prefixes are defined in [RFC4291] and [RFC2765]". The first,
    // ::ffff:0:0/96, is written so by the standard library.
    Some(match address.segments() {
        [0, 0, 0, 0, 0xFFFF, 0, high, low] => {
            format!("[::ffff:0:{}", Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)))
        }
        _ => format!("[{address}"),
    })
}

/// Whether a host is in this form, if it is an IPv6 address.
pub(super) fn is_normal(host: Host<'_>) -> bool {
    opened(host).is_none_or(|normal| {
        host.as_str().strip_prefix(&*normal).is_some_and(|rest| rest.starts_with([']', '%']))
    })
}
