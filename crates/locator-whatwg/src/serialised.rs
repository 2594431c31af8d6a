//! Recognises texts that are in serialised form already, as nearly all URLs are: takes a text, returns
//! its positions, or nothing, which means that the state machine must look at it.
//!
//! Of schemes it knows the special ones. The text is read as bitmaps, 64 octets at a time: the end of a
//! component is the first octet that its set does not contain. Property tests compare the answer with that of
//! the state machine.

use core::num::NonZeroU32;

use locator::AsciiSet;
use locator::internal::{self as simd, Backend, Class, Plain, Table, WithBackend};

use crate::address::{ends_in_number, is_serialised_ipv4, parse_port};
use crate::host::is_forbidden_domain;
use crate::machine::{dots, special_scheme};
use crate::percent::EncodeSet;
use crate::position::{HostKind, Positions};

/// The octets of a block: a bitmap has a bit for each.
const BLOCK: usize = u64::BITS as usize;

/// What a domain keeps as it is.
const HOST: Class = Class::of(0);
const PATH: Class = Class::of(1);
const QUERY: Class = Class::of(2);
const FRAGMENT: Class = Class::of(3);
/// What a segment begins with that may be "." or "..": a dot, or the "%" of an escaped one.
const DOT: Class = Class::of(4);
const SLASH: Class = Class::of(5);

/// What a component keeps as it is: the complement of a percent-encode set.
const fn kept_by(set: EncodeSet) -> AsciiSet {
    let (mut kept, mut octet) = (AsciiSet::EMPTY, 0);
    while octet < 0x80 {
        if !set.contains(octet) {
            kept = kept.union(AsciiSet::of(&[octet]));
        }
        octet += 1;
    }
    kept
}

/// What a domain keeps: all but forbidden domain code points, and capital letters.
const fn kept_by_domain() -> AsciiSet {
    let (mut kept, mut octet) = (AsciiSet::EMPTY, 0_u8);
    while octet < 0x80 {
        if !is_forbidden_domain(octet as char) && !octet.is_ascii_uppercase() {
            kept = kept.union(AsciiSet::of(&[octet]));
        }
        octet += 1;
    }
    kept
}

static TABLE: Table = Table::new(
    &[
        (HOST, kept_by_domain()),
        // "\" is a slash for special schemes.
        (PATH, kept_by(EncodeSet::PATH).difference(AsciiSet::of(b"\\"))),
        (QUERY, kept_by(EncodeSet::SPECIAL_QUERY)),
        (FRAGMENT, kept_by(EncodeSet::FRAGMENT)),
        (DOT, AsciiSet::of(b".%")),
        (SLASH, AsciiSet::of(b"/")),
    ],
    [0; 128],
);

/// Returns the positions of a text that is in serialised form, or would be with "/" at its end, as homepages are
/// written.
#[inline(always)]
pub(crate) fn recognise(text: &str) -> Option<Positions> {
    simd::dispatch(Recognise { text })
}

/// Returns whether the path is missing in what was recognised.
#[inline(always)]
pub(crate) fn lacks_path(text: &str, at: &Positions) -> bool {
    at.path_start as usize == text.len()
}

struct Recognise<'a> {
    text: &'a str,
}

impl WithBackend for Recognise<'_> {
    type Output = Option<Positions>;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> Option<Positions> {
        recognise_with(backend, self.text)
    }

    /// Not inlined, because every call would reserve stack space for it.
    #[inline(never)]
    fn run_plain(self) -> Option<Positions> {
        self.run(Plain)
    }
}

/// As [`recognise`], in an operation that runs on a backend already.
///
/// The first block has scheme, host and port of nearly all URLs; a text in which it has not is not recognised.
#[inline(always)]
pub(crate) fn recognise_with<M: Backend>(backend: M, text: &str) -> Option<Positions> {
    let octets = text.as_bytes();
    let host_start = host_start(octets)?;
    // Positions have 32 bits.
    if octets.len() >= u32::MAX as usize {
        return None;
    }
    let is_long = octets.len() > BLOCK;
    let block = backend.load(octets, &TABLE);
    let bitmap = |class| backend.bitmap(&block, &TABLE, class);
    let host_end = end_in(bitmap(HOST), host_start);
    let (path_start, port) = after_host(octets, host_start, host_end)?;
    if is_long && path_start >= BLOCK {
        return None;
    }
    let dots = bitmap(DOT);
    let host_kind = host_kind(octets, host_start, host_end, dots)?;
    let slashes = bitmap(SLASH);
    let mut end = end_in(bitmap(PATH), path_start);
    let mut dot_segments = dots & slashes << 1 & from(path_start) & !from(end);
    if is_long && end == BLOCK {
        let rest = rest_of_path(backend, octets, slashes);
        end = rest.end;
        dot_segments |= rest.dot_segments;
    }
    // A segment may be "." or ".." if it begins with a dot or an escape.
    if dot_segments != 0 && has_dot_segment(octets, path_start, end) {
        return None;
    }
    let (mut query_start, mut fragment_start) = (None, None);
    if octets.get(end) == Some(&b'?') {
        query_start = NonZeroU32::new(end as u32);
        end += 1;
        if end < BLOCK {
            end = end_in(bitmap(QUERY), end);
        }
        if is_long && end >= BLOCK {
            end = end_of(octets, QUERY, end);
        }
    }
    if octets.get(end) == Some(&b'#') {
        fragment_start = NonZeroU32::new(end as u32);
        end = end_of(octets, FRAGMENT, end + 1);
    }
    if end < octets.len() {
        return None;
    }
    Some(Positions {
        host_kind,
        scheme_end: host_start as u32 - 3,
        username_end: host_start as u32,
        host_start: host_start as u32,
        host_end: host_end as u32,
        path_start: path_start as u32,
        query_start,
        fragment_start,
        port,
    })
}

/// The bits of a block from an octet on.
#[inline(always)]
fn from(at: usize) -> u64 {
    u64::MAX.unbounded_shl(at as u32)
}

/// The first octet from a position on that is not in a bitmap; the end of the block if there is none. No bitmap has a
/// bit after the end of the text.
#[inline(always)]
fn end_in(bitmap: u64, at: usize) -> usize {
    (!bitmap & from(at)).trailing_zeros() as usize
}

/// The rest of a path that is longer than the first block.
struct RestOfPath {
    end: usize,
    /// Whether a segment may be "." or ".."; 0 if none is.
    dot_segments: u64,
}

#[inline(always)]
fn rest_of_path<M: Backend>(backend: M, octets: &[u8], first_slashes: u64) -> RestOfPath {
    let (mut at, mut slashes, mut dot_segments) = (BLOCK, first_slashes, 0);
    while let Some(rest) = octets.get(at..) {
        let block = backend.load(rest, &TABLE);
        let bitmap = |class| backend.bitmap(&block, &TABLE, class);
        let end = end_in(bitmap(PATH), 0);
        let is_after_slash = slashes >> (BLOCK - 1);
        slashes = bitmap(SLASH);
        dot_segments |= bitmap(DOT) & (slashes << 1 | is_after_slash) & !from(end);
        at += end;
        if end < BLOCK {
            break;
        }
    }
    RestOfPath { end: at.min(octets.len()), dot_segments }
}

/// Returns the first octet of a path that it does not keep, or that follows a slash and may begin a dot segment; the
/// length if there is none.
pub(crate) fn path_end(path: &str) -> usize {
    simd::dispatch(PathEnd { octets: path.as_bytes() })
}

/// Returns how many octets of a path are in serialised form: all, or those before the slash of the first segment that
/// may be another.
pub(crate) fn kept_path(path: &str) -> usize {
    let end = path_end(path);
    if end == path.len() {
        return end;
    }
    let kept = path.as_bytes().get(..end).unwrap_or_default();
    kept.iter().rposition(|&octet| octet == b'/').unwrap_or(0)
}

struct PathEnd<'a> {
    octets: &'a [u8],
}

impl WithBackend for PathEnd<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> usize {
        let (mut at, mut is_after_slash) = (0, 1);
        while let Some(rest) = self.octets.get(at..) {
            let block = backend.load(rest, &TABLE);
            let bitmap = |class| backend.bitmap(&block, &TABLE, class);
            let slashes = bitmap(SLASH);
            let end = end_in(bitmap(PATH) & !(bitmap(DOT) & (slashes << 1 | is_after_slash)), 0);
            if end < BLOCK {
                return at + end;
            }
            at += BLOCK;
            is_after_slash = slashes >> (BLOCK - 1);
        }
        self.octets.len()
    }

    #[inline(never)]
    fn run_plain(self) -> usize {
        self.run(Plain)
    }
}

/// What follows the path of a URL with a special scheme.
#[derive(Clone, Copy)]
pub(crate) enum AfterPath {
    Query,
    Fragment,
}

impl AfterPath {
    pub(crate) const fn set(self) -> EncodeSet {
        match self {
            Self::Query => EncodeSet::SPECIAL_QUERY,
            Self::Fragment => EncodeSet::FRAGMENT,
        }
    }

    /// Returns the first octet that is not kept; the length if there is none. "#" is not kept in a query.
    pub(crate) fn end(self, text: &str) -> usize {
        let class = match self {
            Self::Query => QUERY,
            Self::Fragment => FRAGMENT,
        };
        end_of(text.as_bytes(), class, 0)
    }
}

/// Returns the first octet from a position on that is not of a class; the length if there is none. Not inlined, because
/// its callers are compiled for each backend.
#[inline(never)]
fn end_of(octets: &[u8], class: Class, at: usize) -> usize {
    simd::dispatch(EndOf { octets, class, at })
}

/// The first octet from a position on that is not of a class; the length if there is none.
struct EndOf<'a> {
    octets: &'a [u8],
    class: Class,
    at: usize,
}

impl WithBackend for EndOf<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> usize {
        let mut at = self.at;
        // An empty rest ends at once, so this ends at the length.
        while let Some(rest) = self.octets.get(at..) {
            let block = backend.load(rest, &TABLE);
            let end = end_in(backend.bitmap(&block, &TABLE, self.class), 0);
            if end < BLOCK {
                return at + end;
            }
            at += BLOCK;
        }
        self.octets.len()
    }

    #[inline(never)]
    fn run_plain(self) -> usize {
        self.run(Plain)
    }
}

/// Where the host begins: after a special scheme in lower case, and "://".
#[inline(always)]
pub(crate) fn host_start(octets: &[u8]) -> Option<usize> {
    const HTTPS: u64 = u64::from_le_bytes(*b"https://");
    const HTTP: u64 = u64::from_le_bytes(*b"\0http://");
    const FILE: u64 = u64::from_le_bytes(*b"\0file://");
    let start = u64::from_le_bytes(*octets.first_chunk()?);
    // Without a branch for each, because lists have both.
    let is_https = start == HTTPS;
    if is_https | (start << 8 == HTTP) | (start << 8 == FILE) {
        return Some(7 + usize::from(is_https));
    }
    rare_host_start(octets)
}

#[inline(never)]
fn rare_host_start(octets: &[u8]) -> Option<usize> {
    let schemes: [&[u8]; 3] = [b"ftp://", b"ws://", b"wss://"];
    schemes.into_iter().find(|scheme| octets.starts_with(scheme)).map(<[u8]>::len)
}

/// Whether the scheme is file, in a text of which [`host_start`] is known.
#[inline(always)]
pub(crate) fn is_file(octets: &[u8], host_start: usize) -> bool {
    octets.first() == Some(&b'f') && host_start == 7
}

/// The start of the path after a host, which is the end if there is none, and the port.
#[inline(always)]
fn after_host(octets: &[u8], host_start: usize, host_end: usize) -> Option<(usize, Option<u16>)> {
    // The host of a file may be empty, and its path may not.
    let is_file = is_file(octets, host_start);
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
    let digits = after.get(..count)?;
    let port = parse_port(digits).ok()?.filter(|_| digits.first() != Some(&b'0') || count == 1)?;
    let scheme = octets.get(..host_start - 3)?;
    let is_serialised = scheme != b"file" && special_scheme(scheme) != Some(Some(port));
    let path_start = host_end + 1 + count;
    (is_serialised && octets.get(path_start) == Some(&b'/')).then_some((path_start, Some(port)))
}

/// The kind of a host that consists of what a domain keeps, if it is in serialised form. In a host the octets of [`DOT`]
/// are dots.
#[inline(always)]
fn host_kind(octets: &[u8], host_start: usize, host_end: usize, dots: u64) -> Option<HostKind> {
    let is_file = is_file(octets, host_start);
    if is_file && is_rewritten_file(octets, host_start, host_end) {
        return None;
    }
    if is_name(octets, host_start, host_end, dots) {
        return Some(HostKind::Domain);
    }
    rare_host_kind(octets, host_start, host_end, is_file)
}

/// Whether a host that consists of what a domain keeps is no number: only a last label that begins with a digit is one.
#[inline(always)]
fn is_name(octets: &[u8], host_start: usize, host_end: usize, dots: u64) -> bool {
    let in_host = dots & from(host_start) & !from(host_end);
    // After the last dot, or the start.
    let last_label = ((u64::BITS - in_host.leading_zeros()) as usize).max(host_start);
    last_label < host_end && !octets[last_label].is_ascii_digit()
}

/// Returns whether a text is a URL because it has a special scheme other than file and a name as host; "no" means
/// nothing. What follows the host cannot be wrong.
#[inline(always)]
pub(crate) fn has_name(text: &str) -> bool {
    simd::dispatch(HasName { octets: text.as_bytes() })
}

struct HasName<'a> {
    octets: &'a [u8],
}

impl WithBackend for HasName<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> bool {
        let Self { octets } = self;
        let Some(host_start) = host_start(octets) else { return false };
        let block = backend.load(octets, &TABLE);
        let host_end = end_in(backend.bitmap(&block, &TABLE, HOST), host_start);
        matches!(octets.get(host_end), None | Some(b'/' | b'?' | b'#' | b'\\'))
            && !is_file(octets, host_start)
            && octets.len() < u32::MAX as usize / 8
            && is_name(octets, host_start, host_end, backend.bitmap(&block, &TABLE, DOT))
    }

    /// A block takes longer than the octets of a host, one by one.
    #[inline(always)]
    fn run_plain(self) -> bool {
        false
    }
}

/// Whether a file URL has a host that is dropped, or a drive letter "C|", which becomes "C:".
#[inline(always)]
fn is_rewritten_file(octets: &[u8], host_start: usize, host_end: usize) -> bool {
    let has_drive =
        matches!(octets.get(host_end..), Some([b'/', letter, b'|', ..]) if letter.is_ascii_alphabetic());
    has_drive || octets.get(host_start..host_end) == Some(&b"localhost"[..])
}

#[inline(never)]
fn rare_host_kind(octets: &[u8], host_start: usize, host_end: usize, is_file: bool) -> Option<HostKind> {
    let host = octets.get(host_start..host_end)?;
    if host.is_empty() {
        return is_file.then_some(HostKind::Empty);
    }
    if !ends_in_number(host) {
        return Some(HostKind::Domain);
    }
    is_serialised_ipv4(host).then_some(HostKind::Ipv4)
}

/// Whether a path has a segment such as ".", "..", "%2e".
#[inline(never)]
fn has_dot_segment(octets: &[u8], path_start: usize, path_end: usize) -> bool {
    octets[path_start..path_end].split(|&octet| octet == b'/').any(|segment| dots(segment) > 0)
}

#[cfg(test)]
mod tests {
    use super::{lacks_path, recognise};
    use crate::input::Reporter;
    use crate::machine;
    use crate::url::Url;
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    /// What is recognised has the positions that the state machine finds.
    fn is_as_the_machine_says(text: &str) -> bool {
        let Some(at) = recognise(text) else { return true };
        let record = machine::parse(text, None, None, &mut Reporter::silent());
        let url = record.ok().and_then(|record| Url::from_record(&record).ok());
        let form = if lacks_path(text, &at) { String::from(text) + "/" } else { String::from(text) };
        url.is_some_and(|url| url.as_str() == form && url.as_url_ref().at == at)
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
            assert!(recognise(text).is_some(), "{text}");
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
