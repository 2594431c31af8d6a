//! Random keys, and tokens that are bound to a text.

use std::io;

use sha2::{Digest, Sha256};

/// A key of 128 bits, which is the first segment of all paths.
pub(super) struct Key(String);

impl Key {
    /// Makes a random key.
    pub(super) fn random() -> io::Result<Self> {
        random::<16>().map(|octets| Self(hex(&octets)))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether a text is the key. The time does not say how much of it is right.
    pub(super) fn is(&self, text: &[u8]) -> bool {
        same(self.0.as_bytes(), text)
    }
}

/// Makes tokens that only this process can make.
pub(super) struct Tokens([u8; 32]);

impl Tokens {
    pub(super) fn random() -> io::Result<Self> {
        random().map(Self)
    }

    /// Returns the token of a URL: a form with it is one that this process wrote for that URL.
    pub(super) fn of(&self, url: &str) -> String {
        let inner = Sha256::new().chain_update(self.0).chain_update(url).finalize();
        hex(&Sha256::new().chain_update(self.0).chain_update(inner).finalize()[..16])
    }

    /// Returns whether a token is that of a URL.
    pub(super) fn is(&self, token: &str, url: &str) -> bool {
        same(self.of(url).as_bytes(), token.as_bytes())
    }
}

/// Returns a name that no other process has.
pub(super) fn pseudonym() -> io::Result<String> {
    random::<8>().map(|octets| format!("locator-{}", hex(&octets)))
}

fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut octets = [0; N];
    getrandom::fill(&mut octets).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(octets)
}

fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

fn same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_bound_to_its_url() {
        let (tokens, others) = (Tokens::random().unwrap(), Tokens::random().unwrap());
        let token = tokens.of("gopher://h/");
        assert!(tokens.is(&token, "gopher://h/"));
        for wrong in [tokens.of("gopher://h/1"), others.of("gopher://h/"), String::new(), token[1..].into()] {
            assert!(!tokens.is(&wrong, "gopher://h/"), "{wrong}");
        }
    }

    #[test]
    fn a_key_has_128_bits() {
        let key = Key::random().unwrap();
        assert_eq!(key.as_str().len(), 32);
        assert!(key.is(key.as_str().as_bytes()));
        assert!(!key.is(Key::random().unwrap().as_str().as_bytes()));
    }
}
