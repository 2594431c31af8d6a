//! Random keys, and tokens that are bound to a text.

use std::io;
use std::time::Duration;

use sha2::{Digest, Sha256};
use tokio::time::Instant;

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

/// Makes tokens that only this process can make: when it was made, in seconds after the start, and a proof.
pub(super) struct Tokens {
    secret: [u8; 32],
    start: Instant,
}

impl Tokens {
    /// How long a token can be used.
    const TIME: Duration = Duration::from_secs(60 * 60);
    /// How many digits the time has.
    const DIGITS: usize = 16;

    pub(super) fn random() -> io::Result<Self> {
        Ok(Self { secret: random()?, start: Instant::now() })
    }

    /// Returns the token of a URL: a form with it is one that this process wrote for that URL.
    pub(super) fn of(&self, url: &str) -> String {
        self.of_time(url, self.start.elapsed())
    }

    /// Returns whether a token is that of a URL, and not too old.
    pub(super) fn is(&self, token: &str, url: &str) -> bool {
        self.is_at(token, url, self.start.elapsed())
    }

    fn of_time(&self, url: &str, time: Duration) -> String {
        let time = format!("{:0digits$x}", time.as_secs(), digits = Self::DIGITS);
        let proof = self.proof(&time, url);
        time + &proof
    }

    fn is_at(&self, token: &str, url: &str, now: Duration) -> bool {
        let Some((time, proof)) = token.split_at_checked(Self::DIGITS) else { return false };
        let is_ours = same(self.proof(time, url).as_bytes(), proof.as_bytes());
        let made = u64::from_str_radix(time, 16).ok().filter(|_| is_ours);
        made.is_some_and(|made| now < Duration::from_secs(made).saturating_add(Self::TIME))
    }

    fn proof(&self, time: &str, url: &str) -> String {
        let inner = Sha256::new().chain_update(self.secret).chain_update(time).chain_update(url).finalize();
        hex(&Sha256::new().chain_update(self.secret).chain_update(inner).finalize()[..16])
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
        let later = format!("{:016x}{}", 1, &token[Tokens::DIGITS..]);
        for wrong in
            [tokens.of("gopher://h/1"), others.of("gopher://h/"), String::new(), token[1..].into(), later]
        {
            assert!(!tokens.is(&wrong, "gopher://h/"), "{wrong}");
        }
    }

    #[test]
    fn a_token_is_for_an_hour() {
        let (tokens, url) = (Tokens::random().unwrap(), "gopher://h/");
        let token = tokens.of_time(url, Duration::from_millis(1_000_900));
        let is_at = |seconds| tokens.is_at(&token, url, Duration::from_secs(seconds));
        assert!(is_at(1000) && is_at(1000 + 3599));
        assert!(!is_at(1000 + 3600));
    }

    #[test]
    fn a_key_has_128_bits() {
        let key = Key::random().unwrap();
        assert_eq!(key.as_str().len(), 32);
        assert!(key.is(key.as_str().as_bytes()));
        assert!(!key.is(Key::random().unwrap().as_str().as_bytes()));
    }
}
