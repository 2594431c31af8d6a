//! Plain URLs, as nearly all are: takes a text, and answers whether no check can find anything in it.
//! The answer "no" means nothing.
//!
//! A plain URL is `scheme "://" host [ "/" … ]` with a usual scheme, an ordinary host, no userinfo, no
//! port, and only octets and words that no check looks at. It is valid, so it is not parsed: one pass
//! over the text makes four bitmaps of each block, and the answer is a few operations on them.
//!
//! `ordinary` has the classes of octets and the hosts without anything special, `tokens` the formats of credentials
//! of services, `webhooks` the paths that are credentials.
//!
//! ```text
//! assert!(is_plain("https://www.example.com/a/b.html"));
//! assert!(!is_plain("https://www.example.com:8443/"));
//! ```

pub(crate) mod ordinary;
pub(crate) mod tokens;
pub(crate) mod webhooks;

use alloc::format;
use alloc::string::String;

use crate::enclosed;
use crate::schemes;
use locator::edition::RFC3986;
use locator::internal::{Backend, WithBackend, secrets};
use locator::{AsciiSet, Edition, UriRef, internal as simd};
use ordinary::{AFTER_HOST, BLOCK, DOT, HOST, HYPHEN, IN_HOST, REST, TABLE, WORD};

/// Returns whether the text is a plain URL. In an edition that [`allows_plain`] URLs, no check finds
/// anything of more than [`Severity::Info`](crate::Severity) in it.
#[inline(always)]
pub(super) fn is_plain(text: &str) -> bool {
    simd::dispatch(IsPlain { octets: text.as_bytes() })
}

/// Returns whether every plain URL is valid in the edition, with the same components as in RFC 3986. To find
/// that out, it reads a URL that has each octet of one twice, so that it has labels and words that no other
/// edition allows.
pub(super) fn allows_plain(edition: &'static Edition) -> bool {
    let twice = |set: AsciiSet| {
        let octets = (0..128).filter(move |octet| set.contains(*octet)).map(char::from);
        octets.flat_map(|octet| [octet, octet]).collect::<String>()
    };
    let (path, rest) = (twice(AFTER_HOST.difference(AsciiSet::of(b"?"))), twice(AFTER_HOST));
    let url = format!("https://{}/{path}?{rest}#{rest}", twice(IN_HOST));
    let spans = |edition| UriRef::parse_with(&url, edition).map(UriRef::spans);
    edition.prefix().is_none() && spans(edition).is_ok_and(|own| spans(&RFC3986) == Ok(own))
}

struct IsPlain<'a> {
    octets: &'a [u8],
}

impl WithBackend for IsPlain<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> bool {
        let Self { octets } = self;
        let Some(host_start) = octets.first_chunk().and_then(schemes::after_usual_scheme) else {
            return false;
        };
        let block = backend.load(octets, &TABLE);
        let bitmap = |class| backend.bitmap(&block, &TABLE, class);
        // All bitmaps are made before anything is decided, so that no register is kept for later.
        let (host, dots, words, rest) = (bitmap(HOST), bitmap(DOT), bitmap(WORD), bitmap(REST));
        let host_end = (!host & u64::MAX << host_start).trailing_zeros() as usize;
        if host_end >= BLOCK || octets.get(host_end).is_some_and(|&octet| octet != b'/') {
            return false;
        }
        if !ordinary::is_ordinary_at(octets, host_start, host_end, dots) {
            return false;
        }
        let hyphens = bitmap(HYPHEN) & !(u64::MAX << host_end);
        if hyphens & hyphens << 1 != 0
            || !ordinary::is_without_address(&octets[host_start..host_end], hyphens)
        {
            return false;
        }
        if octets.len() >= BLOCK {
            return Rest::of_long_is_plain(octets, host_end);
        }
        let odd = !rest & u64::MAX << host_end & u64::MAX >> (BLOCK - octets.len());
        let (pairs, long) = (dots & dots << 1, ordinary::long_words(words));
        odd | pairs | long == 0 || pairs == 0 && Rest::default().is_plain(octets, 0, odd, words, long)
    }

    /// Not inlined, because every call would reserve stack space for it.
    #[inline(never)]
    fn run_plain(self) -> bool {
        self.run(simd::Plain)
    }
}

/// Whether what follows the host is plain, in a text of any length.
struct OfLong<'a> {
    octets: &'a [u8],
    host_end: usize,
}

impl WithBackend for OfLong<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> bool {
        let Self { octets, host_end } = self;
        let mut rest = Rest::default();
        let (mut ahead, mut after_dot) = (u64::MAX << host_end, 0);
        for (i, chunk) in octets.chunks(BLOCK).enumerate() {
            let block = backend.load(chunk, &TABLE);
            let bitmap = |class| backend.bitmap(&block, &TABLE, class);
            let (dots, words) = (bitmap(DOT), bitmap(WORD));
            let odd = !bitmap(REST) & ahead & u64::MAX >> (BLOCK - chunk.len());
            let long = ordinary::long_words_of_many(words);
            if dots & (dots << 1 | after_dot) != 0
                || odd | long != 0 && !rest.is_plain(octets, BLOCK * i, odd, words, long)
            {
                return false;
            }
            (ahead, after_dot, rest.in_word) = (u64::MAX, dots >> (BLOCK - 1), words >> (BLOCK - 1));
        }
        octets.len() < u32::MAX as usize
    }
}

/// What was seen of the octets after the host.
#[derive(Default)]
struct Rest {
    /// Whether the octet before the block is of a word.
    in_word: u64,
    has_fragment: bool,
}

impl Rest {
    /// Returns whether what follows the host is plain, in a text of any length. It is selected again for
    /// the backend, so that a short text does not pay for the registers of the loop.
    #[inline(never)]
    fn of_long_is_plain(octets: &[u8], host_end: usize) -> bool {
        simd::dispatch(OfLong { octets, host_end })
    }

    /// Looks at the octets of a block that need a second look, and at the beginnings of long words.
    /// Compiled once, not for each backend.
    #[inline(never)]
    fn is_plain(&mut self, octets: &[u8], start: usize, odd: u64, words: u64, long: u64) -> bool {
        let starts = long & !(words << 1 | self.in_word);
        places(odd).all(|at| self.is_quiet(octets, start + at))
            && !places(starts).any(|at| tokens::begins_credential(octets, start + at))
    }

    /// Returns whether the octet is the "=" of a parameter that is no token and no URL, a ":" after which no URL
    /// goes on, a ";" after no dot, or the first "#".
    fn is_quiet(&mut self, octets: &[u8], at: usize) -> bool {
        match octets.get(at) {
            Some(b'=') => {
                !secrets::ends_with_name(octets.get(..at).unwrap_or_default())
                    && !enclosed::may_begin_value(octets.get(at + 1..).unwrap_or_default())
            }
            Some(b':') => !enclosed::may_be_colon(octets, at),
            // ".;" is a dot-segment for servers that remove parameters.
            Some(b';') => at == 0 || octets.get(at - 1) != Some(&b'.'),
            Some(b'#') => !core::mem::replace(&mut self.has_fragment, true),
            _ => false,
        }
    }
}

/// Returns the positions of the bits, from the lowest.
fn places(mut bitmap: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let at = bitmap.trailing_zeros();
        bitmap &= bitmap.wrapping_sub(1);
        (at < u64::BITS).then_some(at as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::allows_plain;
    use locator::edition::{ALL, WITH_OPTIONS};
    use std::vec::Vec;

    #[test]
    fn editions_without_rules_for_hosts_allow_plain_urls() {
        let allowing = ALL.into_iter().chain(WITH_OPTIONS).filter(|edition| allows_plain(edition));
        let names = allowing.map(|edition| edition.name).collect::<Vec<_>>();
        assert_eq!(names, ["rfc3986", "rfc3987", "rfc3986+zones"]);
    }
}
