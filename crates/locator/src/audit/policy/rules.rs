//! Which addresses a policy allows.

use alloc::vec::Vec;
use core::net::IpAddr;

use crate::audit::address::Nat64Prefix;
use crate::audit::blocks::Reach;

/// The addresses that a policy allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AddressRules {
    /// The narrowest reach.
    pub(super) reach: Reach,
    pub(super) prefixes: Vec<Nat64Prefix>,
    /// Blocks that are allowed whatever their reach is: a network and the length of the prefix.
    pub(super) blocks: Vec<(IpAddr, u8)>,
}

impl AddressRules {
    /// Returns the reach of an address, if it is not allowed.
    pub(super) fn refused(&self, address: IpAddr) -> Option<Reach> {
        // The operating system connects to a mapped address by IPv4.
        let address = address.to_canonical();
        let reach = Reach::with_prefixes(address, &self.prefixes);
        let is_allowed = reach <= self.reach || self.blocks.iter().any(|block| is_in(address, *block));
        (!is_allowed).then_some(reach)
    }
}

fn is_in(address: IpAddr, (network, length): (IpAddr, u8)) -> bool {
    let (differs, width) = match (address, network) {
        (IpAddr::V4(address), IpAddr::V4(network)) => (u128::from(address.to_bits() ^ network.to_bits()), 32),
        (IpAddr::V6(address), IpAddr::V6(network)) => (address.to_bits() ^ network.to_bits(), 128),
        _ => return false,
    };
    let rest = u32::checked_sub(width, length.into());
    rest.is_some_and(|rest| differs.checked_shr(rest).unwrap_or(0) == 0)
}

#[cfg(test)]
mod tests {
    use std::vec;

    use super::*;

    #[test]
    fn blocks_and_reach() {
        let rules = AddressRules {
            reach: Reach::Public,
            prefixes: Vec::new(),
            blocks: vec![
                ("10.1.0.0".parse().unwrap(), 16),
                ("fd00::".parse().unwrap(), 8),
                ("::".parse().unwrap(), 0),
                ("1.2.3.4".parse().unwrap(), 33),
            ],
        };
        for (address, expected) in [
            ("10.1.255.255", None),
            ("::ffff:10.1.0.1", None),
            ("10.2.0.0", Some(Reach::Private)),
            ("::ffff:10.2.0.0", Some(Reach::Private)),
            ("127.0.0.1", Some(Reach::ThisMachine)),
            ("fd00::1", None),
            ("8.8.8.8", None),
        ] {
            assert_eq!(rules.refused(address.parse().unwrap()), expected, "{address}");
        }
    }
}
