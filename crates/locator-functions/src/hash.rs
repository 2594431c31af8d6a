//! Hashes of 128 bits: XXH3 with seed 0, as its canonical octets (the highest octet first).

use twox_hash::XxHash3_128;

/// Returns the hash of octets, for distinct counts and joins: XXH3-128, seed 0, canonical octets.
///
/// Two different texts of a table of 10 billion rows have the same hash with a probability below 10^-18.
/// An attacker can make texts with one hash: it is not a hash for security.
///
/// ```
/// let hash = locator_functions::hash128(b"");
/// assert_eq!(u128::from_be_bytes(hash), 0x99aa06d3014798d86001c324468d497f);
/// ```
#[must_use]
pub fn hash128(octets: &[u8]) -> [u8; 16] {
    XxHash3_128::oneshot(octets).to_be_bytes()
}
