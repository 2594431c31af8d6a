//! Recognises texts that are in serialised form already, as nearly all URLs are: takes a text, returns
//! its positions, or nothing, which means that the state machine must look at it.
//!
//! Of schemes it knows the special ones. The text is read as bitmaps, 64 octets at a time: the end of a
//! component is the first octet that its set does not contain. Property tests compare the answer with that of
//! the state machine.

use core::num::NonZeroU32;
use core::ops::Range;

use locator::AsciiSet;
use locator::internal::{self as simd, Backend, Class, Plain, Table, WithBackend};

use crate::host::ends_in_number;
use crate::machine::special_scheme;
use crate::position::{HostKind, Positions};

/// The octets of a block: a bitmap has a bit for each.
const BLOCK: usize = u64::BITS as usize;

/// What a domain keeps as it is.
const HOST: Class = Class::of(0);
const PATH: Class = Class::of(1);
const QUERY: Class = Class::of(2);
const FRAGMENT: Class = Class::of(3);
const DOT: Class = Class::of(4);
const SLASH: Class = Class::of(6);

/// The graphic ASCII octets without some.
const fn all_but(octets: &[u8]) -> AsciiSet {
    AsciiSet::range(0x21, 0x7E).difference(AsciiSet::of(octets))
}

/// The complements of the percent-encode sets, and of the forbidden domain code points.
static TABLE: Table = Table::new(
    &[
        (HOST, all_but(b"#/:<>?@[\\]^|%ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
        (PATH, all_but(b"\"#<>?^`{}\\")),
        (QUERY, all_but(b"\"#<>'")),
        (FRAGMENT, all_but(b"\"<>`")),
        (DOT, AsciiSet::of(b".")),
        (Class::PERCENT, AsciiSet::of(b"%")),
        (SLASH, AsciiSet::of(b"/")),
    ],
    [0; 128],
);

/// Returns the positions of a text in serialised form.
#[inline(always)]
pub(crate) fn positions(text: &str) -> Option<Positions> {
    recognise(text).filter(|at| !lacks_path(text, at))
}

/// Returns the positions of a text that is in serialised form, or would be with "/" at its end, as homepages are
/// written.
#[inline(always)]
pub(crate) fn recognise(text: &str) -> Option<Positions> {
    simd::dispatch(Recognise { octets: text.as_bytes() })
}

/// Returns whether the path is missing in what was recognised.
#[inline(always)]
pub(crate) fn lacks_path(text: &str, at: &Positions) -> bool {
    at.path_start as usize == text.len()
}

struct Recognise<'a> {
    octets: &'a [u8],
}

impl WithBackend for Recognise<'_> {
    type Output = Option<Positions>;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> Option<Positions> {
        let Self { octets } = self;
        let host_start = host_start(octets)?;
        if octets.len() > BLOCK {
            return of_long(octets, host_start);
        }
        let block = backend.load(octets, &TABLE);
        let bitmap = |class| backend.bitmap(&block, &TABLE, class);
        let (host, path, query, fragment) = (bitmap(HOST), bitmap(PATH), bitmap(QUERY), bitmap(FRAGMENT));
        let (dots, percents, slashes) = (bitmap(DOT), bitmap(Class::PERCENT), bitmap(SLASH));
        let end_of = |class: u64, from: usize| {
            ((!class & u64::MAX.unbounded_shl(from as u32)).trailing_zeros() as usize).min(octets.len())
        };
        let host_end = end_of(host, host_start);
        let (path_start, port) = after_host(octets, host_start, host_end)?;
        let path_end = end_of(path, path_start);
        let in_path = u64::MAX.unbounded_shl(path_start as u32) & !u64::MAX.unbounded_shl(path_end as u32);
        // A segment may be "." or ".." if it begins with a dot or an escape.
        if (dots | percents) & slashes << 1 & in_path != 0 && has_dot_segment(octets, path_start, path_end) {
            return None;
        }
        let host = host_start..host_end;
        after_path(
            octets,
            host,
            path_start,
            path_end,
            port,
            |at| end_of(query, at),
            |at| end_of(fragment, at),
        )
    }

    /// Not inlined, because every call would reserve stack space for it.
    #[inline(never)]
    fn run_plain(self) -> Option<Positions> {
        self.run(Plain)
    }
}

/// The same for a text of more than a block, selected again for the backend.
#[inline(never)]
fn of_long(octets: &[u8], host_start: usize) -> Option<Positions> {
    // Positions have 32 bits.
    if octets.len() >= u32::MAX as usize {
        return None;
    }
    let host_end = end_of(octets, HOST, host_start);
    let (path_start, port) = after_host(octets, host_start, host_end)?;
    let path_end = end_of(octets, PATH, path_start);
    if has_dot_segment(octets, path_start, path_end) {
        return None;
    }
    let ends = |class| move |at| end_of(octets, class, at);
    after_path(octets, host_start..host_end, path_start, path_end, port, ends(QUERY), ends(FRAGMENT))
}

/// Query and fragment, whose ends two functions find, and the positions of all components.
#[inline(always)]
fn after_path(
    octets: &[u8],
    host: Range<usize>,
    path_start: usize,
    path_end: usize,
    port: Option<u16>,
    query_end: impl FnOnce(usize) -> usize,
    fragment_end: impl FnOnce(usize) -> usize,
) -> Option<Positions> {
    let mut end = path_end;
    let (mut query_start, mut fragment_start) = (None, None);
    if octets.get(end) == Some(&b'?') {
        query_start = NonZeroU32::new(end as u32);
        end = query_end(end + 1);
    }
    if octets.get(end) == Some(&b'#') {
        fragment_start = NonZeroU32::new(end as u32);
        end = fragment_end(end + 1);
    }
    if end < octets.len() {
        return None;
    }
    Some(Positions {
        host_kind: host_kind(octets, host.start, host.end)?,
        scheme_end: host.start as u32 - 3,
        username_end: host.start as u32,
        host_start: host.start as u32,
        host_end: host.end as u32,
        path_start: path_start as u32,
        query_start,
        fragment_start,
        port,
    })
}

/// Returns whether a path of a special scheme begins with a slash and is in serialised form.
pub(crate) fn is_path(path: &str) -> bool {
    let octets = path.as_bytes();
    octets.first() == Some(&b'/')
        && match simd::dispatch(SeePath { octets }) {
            Seen::Other => false,
            Seen::Path => true,
            Seen::PathWithDots => !has_dot_segment(octets, 0, octets.len()),
        }
}

/// What bitmaps show of a path.
enum Seen {
    /// It contains what is encoded, or is no path.
    Other,
    Path,
    /// A segment may be "." or "..", because it begins with a dot or an escape.
    PathWithDots,
}

struct SeePath<'a> {
    octets: &'a [u8],
}

impl WithBackend for SeePath<'_> {
    type Output = Seen;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> Seen {
        let (mut seen, mut is_after_slash) = (Seen::Path, 0);
        for octets in self.octets.chunks(BLOCK) {
            let block = backend.load(octets, &TABLE);
            let bitmap = |class| backend.bitmap(&block, &TABLE, class);
            let inside = u64::MAX >> (BLOCK - octets.len());
            if !bitmap(PATH) & inside != 0 {
                return Seen::Other;
            }
            let slashes = bitmap(SLASH);
            if (bitmap(DOT) | bitmap(Class::PERCENT)) & (slashes << 1 | is_after_slash) & inside != 0 {
                seen = Seen::PathWithDots;
            }
            is_after_slash = slashes >> (BLOCK - 1);
        }
        seen
    }

    #[inline(never)]
    fn run_plain(self) -> Seen {
        self.run(Plain)
    }
}

/// The first octet from a position on that is not of a class; the length if there is none.
fn end_of(octets: &[u8], class: Class, from: usize) -> usize {
    simd::dispatch(EndOf { octets, class, from })
}

struct EndOf<'a> {
    octets: &'a [u8],
    class: Class,
    from: usize,
}

impl WithBackend for EndOf<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> usize {
        let Self { octets, class, from } = self;
        let mut at = from;
        while let Some(rest) = octets.get(at..).filter(|rest| !rest.is_empty()) {
            let block = backend.load(rest, &TABLE);
            let ends = !backend.bitmap(&block, &TABLE, class);
            let length = rest.len().min(BLOCK);
            let end = (ends.trailing_zeros() as usize).min(length);
            at += end;
            if end < length {
                break;
            }
        }
        at.min(octets.len())
    }

    #[inline(never)]
    fn run_plain(self) -> usize {
        self.run(Plain)
    }
}

/// Where the host begins: after a special scheme in lower case, and "://".
#[inline(always)]
fn host_start(octets: &[u8]) -> Option<usize> {
    const HTTPS: u64 = u64::from_le_bytes(*b"https://");
    const HTTP: u64 = u64::from_le_bytes(*b"\0http://");
    let start = u64::from_le_bytes(*octets.first_chunk()?);
    // Without a branch for each, because lists have both.
    let is_https = start == HTTPS;
    if is_https | (start << 8 == HTTP) {
        return Some(7 + usize::from(is_https));
    }
    rare_host_start(octets)
}

#[inline(never)]
fn rare_host_start(octets: &[u8]) -> Option<usize> {
    let schemes: [&[u8]; 4] = [b"file://", b"ftp://", b"ws://", b"wss://"];
    schemes.into_iter().find(|scheme| octets.starts_with(scheme)).map(<[u8]>::len)
}

/// The start of the path after a host, which is the end if there is none, and the port.
#[inline(always)]
fn after_host(octets: &[u8], host_start: usize, host_end: usize) -> Option<(usize, Option<u16>)> {
    // The host of a file may be empty, and its path may not.
    let is_file = octets[0] == b'f' && host_start == 7;
    match octets.get(host_end) {
        Some(b'/') if host_end > host_start || is_file => Some((host_end, None)),
        Some(b':') if host_end > host_start => after_port(octets, host_start, host_end),
        None if host_end > host_start && !is_file => Some((host_end, None)),
        _ => None,
    }
}

/// The same after a port: without leading zeros, and not the scheme's default.
#[inline(never)]
fn after_port(octets: &[u8], host_start: usize, host_end: usize) -> Option<(usize, Option<u16>)> {
    let after = octets.get(host_end + 1..)?;
    let count = after.iter().take_while(|octet| octet.is_ascii_digit()).count();
    let digits = core::str::from_utf8(after.get(..count)?).ok()?;
    let port = digits.parse().ok().filter(|_| !digits.starts_with('0') || digits == "0")?;
    let scheme = core::str::from_utf8(octets.get(..host_start - 3)?).ok()?;
    let is_serialised = scheme != "file" && special_scheme(scheme) != Some(Some(port));
    let path_start = host_end + 1 + count;
    (is_serialised && octets.get(path_start) == Some(&b'/')).then_some((path_start, Some(port)))
}

/// The kind of a host that consists of what a domain keeps, if it is in serialised form.
#[inline(always)]
fn host_kind(octets: &[u8], host_start: usize, host_end: usize) -> Option<HostKind> {
    // Only a last label that begins with a digit is a number.
    let last = octets[host_start..host_end].iter().rev().position(|&octet| octet == b'.');
    let is_file = octets[0] == b'f' && host_start == 7;
    let is_name = match last {
        Some(0) => false,
        Some(length) => !octets[host_end - length].is_ascii_digit(),
        None => host_end > host_start && !octets[host_start].is_ascii_digit(),
    };
    if is_name && !is_file {
        return Some(HostKind::Domain);
    }
    rare_host_kind(octets, host_start, host_end, is_file)
}

#[inline(never)]
fn rare_host_kind(octets: &[u8], host_start: usize, host_end: usize, is_file: bool) -> Option<HostKind> {
    let host = core::str::from_utf8(&octets[host_start..host_end]).ok()?;
    let path = &octets[host_end..];
    // "C|" is a drive letter, which becomes "C:".
    let has_drive = matches!(path, [b'/', letter, b'|', ..] if letter.is_ascii_alphabetic());
    if is_file && (has_drive || host == "localhost") {
        return None;
    }
    if host.is_empty() {
        return is_file.then_some(HostKind::Empty);
    }
    if !ends_in_number(host) {
        return Some(HostKind::Domain);
    }
    // What Rust reads as an address is in serialised form.
    host.parse::<core::net::Ipv4Addr>().ok().map(|_| HostKind::Ipv4)
}

/// Whether a path has a segment such as ".", "..", "%2e".
#[inline(never)]
fn has_dot_segment(octets: &[u8], path_start: usize, path_end: usize) -> bool {
    octets[path_start..path_end].split(|&octet| octet == b'/').any(|segment| dots(segment) > 0)
}

/// 1 for a single-dot segment, 2 for a double-dot segment, 0 for others.
pub(crate) fn dots(segment: &[u8]) -> usize {
    let mut rest = segment;
    let mut count = 0;
    while let [b'.', after @ ..] | [b'%', b'2', b'e' | b'E', after @ ..] = rest {
        rest = after;
        count += 1;
        if count > 2 {
            return 0;
        }
    }
    if rest.is_empty() { count } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::positions;
    use crate::input::Reporter;
    use crate::machine;
    use crate::url::Url;
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    /// What is recognised has the positions that the state machine finds.
    fn is_as_the_machine_says(text: &str) -> bool {
        let Some(at) = positions(text) else { return true };
        let record = machine::parse(text, None, None, &mut Reporter::silent());
        let url = record.ok().and_then(|record| Url::from_record(&record).ok());
        url.is_some_and(|url| url.as_str() == text && url.as_url_ref().at == at)
    }

    #[test]
    fn short_texts() {
        let octets = b"a1.:/?#@%e2C|[\\ 'x0";
        for start in ["http://", "http://a/", "http://a.b/", "file://", "file:///", "ws://a:"] {
            let mut texts = Vec::from([String::from(start)]);
            for _ in 0..3 {
                let longer = texts.iter().flat_map(|text| {
                    octets
                        .iter()
                        .map(move |&octet| text.clone() + core::str::from_utf8(&[octet]).unwrap_or(""))
                });
                texts = longer.collect();
                for text in &texts {
                    assert!(is_as_the_machine_says(text), "{text}");
                    // The same where it does not fit in a block.
                    let long = text.clone() + &"/".repeat(80);
                    assert!(is_as_the_machine_says(&long), "{long}");
                }
            }
        }
    }

    #[test]
    fn usual_urls_are_recognised() {
        let long = String::from("https://example.com/") + &"a/".repeat(100) + "?q=1&r=%20#top";
        for text in [
            "https://example.com/",
            "http://a.b:8080/c/d.e?f=g&h#i",
            "http://127.0.0.1/",
            "file:///etc/hosts",
            "file://h/a",
            "wss://x.example/",
            &long,
        ] {
            assert!(positions(text).is_some(), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn random_texts(
            start in prop::sample::select(vec!["http://", "https://", "file://", "ftp://", "ws://"]),
            host in "[a-z0-9.~_é-]{0,70}",
            port in "(:[0-9]{0,6})?",
            path in "(/[a-z.%2eE~!\"#^|:@é\\\\']{0,70}){0,3}",
            query in "(\\?[a-z'\" <>%/?]{0,70})?",
            fragment in "(#[a-z`\" <>%/?#]{0,70})?",
        ) {
            let text = String::from(start) + &host + &port + &path + &query + &fragment;
            prop_assert!(is_as_the_machine_says(&text), "{}", text);
        }
    }
}
