//! Addresses in the labels of names: takes a host, and returns the private IPv4 address that one of its labels has with
//! hyphens: `app-10-0-0-1.dev.example.com`. Services and networks answer such names with that address.
//!
//! ```text
//! assert_eq!(private_in_label("10-0-0-1.example.com")?.address, Ipv4Addr::new(10, 0, 0, 1));
//! ```

use core::net::Ipv4Addr;
use core::ops::Range;

use super::Reach;

/// An address in a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LabelAddress {
    pub(crate) address: Ipv4Addr,
    /// Where it is in the host.
    pub(crate) span: Range<usize>,
}

/// How many hyphens an address in a label has at least.
pub(crate) const HYPHENS: u32 = 3;

/// Returns the first address in a label that is not public.
pub(crate) fn private_in_label(host: &str) -> Option<LabelAddress> {
    let mut start = 0;
    for label in host.split('.') {
        let found = address_in(label);
        if let Some(LabelAddress { address, span }) = found {
            return Some(LabelAddress { address, span: start + span.start..start + span.end });
        }
        start += label.len() + 1;
    }
    None
}

/// Finds four numbers after each other, as they are in no word: at the ends of the label or beside a hyphen.
fn address_in(label: &str) -> Option<LabelAddress> {
    let mut octets = [0_u8; 4];
    let (mut count, mut first, mut at) = (0, [0; 4], 0);
    for part in label.split('-') {
        match octet(part) {
            Some(value) => {
                octets.rotate_left(1);
                first.rotate_left(1);
                (octets[3], first[3]) = (value, at);
                count += 1;
            }
            None => count = 0,
        }
        let end = at + part.len();
        if count >= 4 {
            let address = Ipv4Addr::from(octets);
            if !matches!(Reach::of(address), Reach::Public | Reach::Reserved) {
                return Some(LabelAddress { address, span: first[0]..end });
            }
        }
        at = end + 1;
    }
    None
}

/// Reads a number from 0 to 255 without leading zeros.
fn octet(part: &str) -> Option<u8> {
    let is_number = part.bytes().all(|digit| digit.is_ascii_digit());
    let has_zero = part.len() > 1 && part.starts_with('0');
    part.parse().ok().filter(|_| is_number && !has_zero)
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::{LabelAddress, private_in_label};

    #[test]
    fn private_addresses_in_labels() {
        for (host, expected) in [
            ("10-0-0-1.example.com", Some(("10.0.0.1", 0..8))),
            ("ip-192-168-1-20.eu.example.com", Some(("192.168.1.20", 3..15))),
            ("a.127-0-0-1.org.uk", Some(("127.0.0.1", 2..11))),
            ("v-9-10-1-2-3.example.com", Some(("10.1.2.3", 4..12))),
            ("169-254-169-254.example.com", Some(("169.254.169.254", 0..15))),
            ("ec2-3-80-1-2.compute-1.amazonaws.com", None),
            ("10-0-0.example.com", None),
            ("10-0-0-256.example.com", None),
            ("10-00-0-1.example.com", None),
            ("10-0-a-1.example.com", None),
            ("a10-0-0-1.example.com", None),
            ("", None),
        ] {
            let found = private_in_label(host);
            let found = found.map(|LabelAddress { address, span }| (address.to_string(), span));
            assert_eq!(found, expected.map(|(address, span)| (address.to_string(), span)), "{host}");
        }
    }
}
