//! Addresses that lead to a page once, within a minute. `locator open` gives the browser one in place of the
//! address with the key, because other users of the machine can see the arguments of programs.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::key::Key;

/// The addresses that were not used yet.
#[derive(Default)]
pub(super) struct Once(Mutex<Vec<Unused>>);

struct Unused {
    token: Key,
    url: String,
    until: Instant,
}

impl Once {
    /// How long an address can be used.
    const TIME: Duration = Duration::from_secs(60);
    /// How many there are at once; an older one is useless then.
    const MOST: usize = 100;

    /// Returns the token of an address that leads to the page of a URL.
    pub(super) fn keep(&self, url: String) -> io::Result<String> {
        let token = Key::random()?;
        let text = token.as_str().to_owned();
        self.add(Unused { token, url, until: Instant::now() + Self::TIME });
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

    fn add(&self, one: Unused) {
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

    fn all(&self) -> MutexGuard<'_, Vec<Unused>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_used_once() {
        let once = Once::default();
        let (a, b) = (once.keep("gopher://a/".into()).unwrap(), once.keep("gopher://b/".into()).unwrap());
        assert!(once.has(&a) && !once.has(&a[1..]));
        assert_eq!(once.take(&a).as_deref(), Some("gopher://a/"));
        assert_eq!((once.has(&a), once.take(&a)), (false, None));
        assert_eq!(once.take(&b[1..]), None);
        assert_eq!(once.take(&b).as_deref(), Some("gopher://b/"));
    }

    #[test]
    fn a_token_is_for_a_minute() {
        let (once, before) = (Once::default(), Instant::now());
        let (a, b) = (once.keep("gopher://a/".into()).unwrap(), once.keep("gopher://b/".into()).unwrap());
        let after = Instant::now();
        assert!(once.take_at(&a, before + Duration::from_secs(59)).is_some());
        assert_eq!(once.take_at(&b, after + Duration::from_secs(60)), None);
    }

    #[test]
    fn there_are_not_many_at_once() {
        let once = Once::default();
        let tokens: Vec<_> = (0..=Once::MOST).map(|_| once.keep("gopher://h/".into()).unwrap()).collect();
        assert_eq!(once.take(&tokens[0]), None);
        assert!(tokens[1..].iter().all(|token| once.take(token).is_some()));
    }
}
