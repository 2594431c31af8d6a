//! Random keys, tokens that are bound to a text, and addresses that are used once.
//!
//! A [`Key`] is the first segment of all paths. [`Tokens`] prove that a form is one that this process wrote.
//! [`OneTimeAddresses`] lead to a page once, within a minute: `locator open` gives the browser one in place of
//! the address with the key, because other users of the machine can see the arguments of programs.
//!
//! ```text
//! let tokens = Tokens::random()?;
//! let token = tokens.of("gopher://h/");
//! assert!(tokens.is(&token, "gopher://h/") && !tokens.is(&token, "gopher://other/"));
//! ```

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
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
        equals_in_constant_time(self.0.as_bytes(), text)
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
        let is_ours = equals_in_constant_time(self.proof(time, url).as_bytes(), proof.as_bytes());
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

fn equals_in_constant_time(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// The addresses that were not used yet.
#[derive(Default)]
pub(super) struct OneTimeAddresses(Mutex<Vec<UnusedAddress>>);

struct UnusedAddress {
    token: Key,
    url: String,
    until: Instant,
}

impl OneTimeAddresses {
    /// How long an address can be used.
    const TIME: Duration = Duration::from_secs(60);
    /// How many there are at once; an older one is useless then.
    const MOST: usize = 100;

    /// Returns the token of an address that leads to the page of a URL.
    pub(super) fn keep(&self, url: String) -> io::Result<String> {
        let token = Key::random()?;
        let text = token.as_str().to_owned();
        self.add(UnusedAddress { token, url, until: Instant::now() + Self::TIME });
        Ok(text)
    }

    /// Returns whether a token can be used.
    pub(super) fn has(&self, token: &str) -> bool {
        self.all().iter().any(|one| one.token.is(token.as_bytes()))
    }

    /// Returns the URL of a token, which is useless from now on.
    pub(super) fn take(&self, token: &str) -> Option<String> {
        self.take_at(token, Instant::now())
    }

    fn add(&self, one: UnusedAddress) {
        let mut all = self.all();
        if all.len() >= Self::MOST {
            all.remove(0);
        }
        all.push(one);
    }

    fn take_at(&self, token: &str, now: Instant) -> Option<String> {
        let mut all = self.all();
        all.retain(|one| now < one.until);
        let found = all.iter().position(|one| one.token.is(token.as_bytes()))?;
        Some(all.remove(found).url)
    }

    fn all(&self) -> MutexGuard<'_, Vec<UnusedAddress>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
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

    #[test]
    fn a_token_is_used_once() {
        let once = OneTimeAddresses::default();
        let (a, b) = (once.keep("gopher://a/".into()).unwrap(), once.keep("gopher://b/".into()).unwrap());
        assert!(once.has(&a) && !once.has(&a[1..]));
        assert_eq!(once.take(&a).as_deref(), Some("gopher://a/"));
        assert_eq!((once.has(&a), once.take(&a)), (false, None));
        assert_eq!(once.take(&b[1..]), None);
        assert_eq!(once.take(&b).as_deref(), Some("gopher://b/"));
    }

    #[test]
    fn a_token_is_for_a_minute() {
        let (once, before) = (OneTimeAddresses::default(), Instant::now());
        let (a, b) = (once.keep("gopher://a/".into()).unwrap(), once.keep("gopher://b/".into()).unwrap());
        let after = Instant::now();
        assert!(once.take_at(&a, before + Duration::from_secs(59)).is_some());
        assert_eq!(once.take_at(&b, after + Duration::from_secs(60)), None);
    }

    #[test]
    fn there_are_not_many_at_once() {
        let once = OneTimeAddresses::default();
        let tokens: Vec<_> =
            (0..=OneTimeAddresses::MOST).map(|_| once.keep("gopher://h/".into()).unwrap()).collect();
        assert_eq!(once.take(&tokens[0]), None);
        assert!(tokens[1..].iter().all(|token| once.take(token).is_some()));
    }
}
