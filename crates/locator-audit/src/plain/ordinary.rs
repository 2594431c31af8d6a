//! Hosts that need no further look: takes a host, and answers with a few instructions for nearly
//! every one. The answer "no" means nothing.
//!
//! Signs: octets without which a check finds nothing. They are looked for in one pass over the text,
//! so that a plain URL, as nearly all are, is not read again by every check.

use locator::internal::{Backend, Class, Table, WithBackend};
use locator::{AsciiSet, internal as simd};

use super::tokens::may_begin;
use super::webhooks;
use crate::address::label;
use crate::domain::special as names;
use crate::services;

/// Returns whether the host is a name of at least two labels, with a letter at the beginning of the
/// last, without escapes, A-labels and characters beyond ASCII, which no table of [`names`] has. It may have
/// empty labels and octets that are in no name. Nor has it paths that are credentials.
pub(crate) fn is_ordinary(host: &str) -> bool {
    let octets = host.as_bytes();
    let Some(&last) = octets.last_chunk() else { return false };
    let last = u64::from_le_bytes(last);
    let (mut strange, mut after_hyphen) = (escapes(last) | hyphen_pairs(last, 0), 0);
    let mut hyphens = zeros(last ^ each(b'-')).count_ones();
    let (chunks, _) = octets.as_chunks();
    for chunk in chunks {
        let chunk = u64::from_le_bytes(*chunk);
        strange |= escapes(chunk) | hyphen_pairs(chunk, after_hyphen);
        hyphens += zeros(chunk ^ each(b'-')).count_ones();
        after_hyphen = chunk;
    }
    let dots = zeros(last ^ each(b'.'));
    let label = dots.leading_zeros() / 8;
    strange == 0
        && dots != 0
        && octets.len() <= 63
        && ends_ordinary(last, label, octets)
        // The last octets may be counted twice.
        && (hyphens < label::HYPHENS || !has_dashed_address(host))
}

/// Returns whether a label of the host has a private address with hyphens: `10-0-0-1.example.com`.
pub(crate) fn has_dashed_address(host: &str) -> bool {
    host.bytes().filter(|octet| *octet == b'-').count() >= label::HYPHENS as usize
        && label::private_in_label(host).is_some()
}

/// Returns whether the host, of which the hyphens are these bits, has no [dashed address](has_dashed_address).
#[inline(always)]
pub(crate) fn is_without_address(host: &[u8], hyphens: u64) -> bool {
    hyphens.count_ones() < label::HYPHENS || !has_dashed_address_in(host)
}

#[cold]
#[inline(never)]
fn has_dashed_address_in(host: &[u8]) -> bool {
    core::str::from_utf8(host).is_ok_and(has_dashed_address)
}

/// Like [`is_ordinary`], for a host of letters, digits, "-" and "." without A-labels, after a scheme and
/// "://", with the bitmap of the dots in the text.
#[inline(always)]
pub(crate) fn is_ordinary_at(text: &[u8], start: usize, end: usize, dots: u64) -> bool {
    let Some(last) = text.get(..end).and_then(|host| host.last_chunk()) else { return false };
    let dots = dots & !(u64::MAX << end) & u64::MAX << start;
    let label = (end + dots.leading_zeros() as usize).wrapping_sub(64) as u32;
    dots != 0 && ends_ordinary(u64::from_le_bytes(*last), label, &text[start..end])
}

/// Returns whether the last eight octets of a host, of which the last label has so many, are the end of
/// no name in the tables. What is before a shorter host does not matter.
#[inline(always)]
fn ends_ordinary(last: u64, label: u32, host: &[u8]) -> bool {
    let end = last | each(0x20);
    if label == 0 || label > 7 {
        return false;
    }
    let top = end >> (64 - 8 * label);
    // Nearly every top label, and every end, is in no slot of its filter.
    (top as u8).is_ascii_lowercase()
        && (!MAY_BE_TOP.may_contain(top) || is_ordinary_under(top, end))
        && (!MAY_BE_END.may_contain(end) || !ENDS.contains(&end) || !is_in_tables(host))
}

/// Returns whether a host is in a table by its end.
#[cold]
#[inline(never)]
fn is_in_tables(host: &[u8]) -> bool {
    core::str::from_utf8(host).is_ok_and(|host| {
        names::metadata_cloud(host).is_some()
            || names::wildcard_name(host).is_some()
            || webhooks::has_webhooks(host)
            || services::has_hidden_target(host)
    })
}

/// Returns whether a host is ordinary, by its top label and its last six octets.
#[cold]
#[inline(never)]
fn is_ordinary_under(top: u64, end: u64) -> bool {
    !TOPS.contains(&top) && !SERVICES.contains(&(end >> 16))
}

const fn each(octet: u8) -> u64 {
    u64::from_le_bytes([octet; 8])
}

/// Returns a bit for each octet that is 0: its highest.
const fn zeros(octets: u64) -> u64 {
    !(((octets & each(0x7F)) + each(0x7F)) | octets | each(0x7F))
}

/// Returns bits for "%" and octets beyond ASCII.
const fn escapes(octets: u64) -> u64 {
    zeros(octets ^ each(b'%')) | (octets & each(0x80))
}

/// Returns bits for two hyphens after each other, as A-labels (`xn--`) have them, whose letters need a
/// look. The second argument is the eight octets before.
const fn hyphen_pairs(octets: u64, before: u64) -> u64 {
    let hyphens = zeros(octets ^ each(b'-'));
    hyphens & (hyphens << 8 | zeros(before ^ each(b'-')) >> 56)
}

/// Returns up to eight octets as a number, as they are at the end of a host.
const fn packed(text: &str) -> u64 {
    let (mut number, mut i) = (0, text.len());
    while i > 0 {
        i -= 1;
        number = number << 8 | text.as_bytes()[i] as u64;
    }
    number
}

/// A set that answers "no" at once for nearly every number that is not in it.
struct Filter([u64; 16]);

/// One of the 1,024 bits of a filter.
struct FilterSlot {
    word: usize,
    bit: u32,
}

impl Filter {
    const fn new(sets: &[&[u64]]) -> Self {
        let (mut slots, mut i) = ([0; 16], 0);
        while i < sets.len() {
            let mut j = 0;
            while j < sets[i].len() {
                let slot = Self::slot(sets[i][j]);
                slots[slot.word] |= 1 << slot.bit;
                j += 1;
            }
            i += 1;
        }
        Self(slots)
    }

    /// Returns one of 1,024 slots. The factor gives the usual numbers free slots.
    const fn slot(number: u64) -> FilterSlot {
        let hash = number.wrapping_mul(0xBF58_476D_1CE4_E5B9);
        FilterSlot { word: (hash >> 60) as usize, bit: (hash >> 54) as u32 % 64 }
    }

    #[inline(always)]
    const fn may_contain(&self, number: u64) -> bool {
        let slot = Self::slot(number);
        self.0[slot.word] >> slot.bit & 1 == 1
    }
}

const MAY_BE_TOP: &Filter = &Filter::new(&[&TOPS, &[packed("ca"), packed("io"), packed("me")]]);
const MAY_BE_END: &Filter = &Filter::new(&[&ENDS]);

/// Top labels of special names, and of names of metadata, that are shorter than eight letters.
const TOPS: [u64; 15] = [
    packed("alt"),
    packed("arpa"),
    packed("corp"),
    packed("example"),
    packed("goog"),
    packed("home"),
    packed("invalid"),
    packed("lan"),
    packed("local"),
    packed("mail"),
    packed("ms"),
    packed("onion"),
    packed("private"),
    packed("svc"),
    packed("test"),
];

/// The last six octets of the wildcard services that end in ".ca", ".io" and ".me".
const SERVICES: [u64; 9] = [
    packed("127.ca"),
    packed("cap.me"),
    packed("est.me"),
    packed("fik.me"),
    packed("fuf.me"),
    packed("lip.io"),
    packed("lvh.me"),
    packed("nip.io"),
    packed("xip.io"),
];

/// The last eight octets of other wildcard services, names of metadata, and hosts with webhooks or with wrapped links.
const ENDS: [u64; 63] = [
    packed("host.com"),
    packed("loth.com"),
    packed("tyun.com"),
    packed("inix.com"),
    packed("cket.net"),
    packed("cale.com"),
    packed(".ibm.com"),
    packed("lack.com"),
    packed("-gov.com"),
    packed("cord.com"),
    packed("dapp.com"),
    packed("gram.org"),
    packed("apis.com"),
    packed("fice.com"),
    packed("e365.com"),
    packed("zure.com"),
    packed("form.com"),
    packed("pier.com"),
    packed("make.com"),
    packed("omat.com"),
    packed("fttt.com"),
    packed("park.com"),
    packed("eishu.cn"),
    packed("uite.com"),
    packed("n.qq.com"),
    packed("talk.com"),
    packed("oint.com"),
    packed("ense.com"),
    packed("fense.us"),
    packed("ahoo.com"),
    packed("ject.org"),
    packed("bing.com"),
    packed("isco.com"),
    packed("phos.com"),
    packed("an.click"),
    packed(".network"),
    packed("ndo.site"),
    packed("dev.site"),
    packed("local.gd"),
    packed("calho.st"),
    packed("ckaho.st"),
    packed("ebind.it"),
    packed("d.gl0.eu"),
    packed("rbndr.us"),
    packed("ogle.com"),
    packed("live.com"),
    packed("able.com"),
    packed("tack.com"),
    packed("rops.com"),
    packed("kato.com"),
    packed("duty.com"),
    packed("ping.com"),
    packed("hemy.com"),
    packed("nfura.io"),
    packed("myapi.io"),
    packed("node.pro"),
    packed("osnch.in"),
    packed("tor.link"),
    packed("ilded.gg"),
    packed("abu.casa"),
    packed("track.me"),
    packed("mail.com"),
    packed("stmrk.it"),
];

/// A set of signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signs(u8);

impl Signs {
    /// The sign of every text, for checks that are always made.
    pub(crate) const ALWAYS: Self = Self(1);
    /// A control, a space, or a character beyond ASCII.
    pub(crate) const ODD: Self = Self(2);
    /// A "%".
    pub(crate) const PERCENT: Self = Self(4);
    /// Two dots after each other.
    pub(crate) const DOTS: Self = Self(8);
    /// A word of 24 octets or more that begins like a credential.
    pub(crate) const CREDENTIAL: Self = Self(16);
    /// A "=".
    pub(crate) const EQUALS: Self = Self(32);
    /// Two hyphens after each other, as A-labels (`xn--`) have them.
    pub(crate) const HYPHENS: Self = Self(64);
    /// The signs of a host that may have letters beyond ASCII: as they are, in escapes or in A-labels.
    pub(crate) const LETTERS: Self = Self::ODD.union(Self::PERCENT).union(Self::HYPHENS);

    /// Returns the signs of both sets.
    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether a sign is in both sets.
    pub(crate) const fn has_any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the set of one sign if the bitmap is not empty.
    #[inline(always)]
    const fn of(self, bitmap: u64) -> u8 {
        if bitmap == 0 { 0 } else { self.0 }
    }
}

/// The octets of a block: a bitmap has a bit for each.
pub(crate) const BLOCK: usize = u64::BITS as usize;

const GRAPHIC: Class = Class::of(0);
/// The octets of words that may be credentials.
pub(crate) const WORD: Class = Class::of(1);
const EQUAL: Class = Class::of(2);
/// The octets of an ordinary host.
pub(crate) const HOST: Class = Class::of(3);
/// The octets after a host that no check looks at, whatever is around them.
pub(crate) const REST: Class = Class::of(4);
pub(crate) const DOT: Class = Class::of(6);
pub(crate) const HYPHEN: Class = Class::of(7);

/// The octets of the names of hosts in the DNS.
pub(crate) const IN_HOST: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT).union(AsciiSet::of(b"-."));
/// The octets of a path, a query and a fragment, without escapes.
pub(crate) const AFTER_HOST: AsciiSet = IN_HOST.union(AsciiSet::of(b"_~!$&'()*+,;=:@/?"));

pub(crate) static TABLE: Table = Table::new(
    &[
        (GRAPHIC, AsciiSet::range(0x21, 0x7E)),
        (WORD, IN_HOST.union(AsciiSet::of(b"_"))),
        (EQUAL, AsciiSet::of(b"=")),
        (HOST, IN_HOST),
        (REST, AFTER_HOST.difference(AsciiSet::of(b";=:"))),
        (Class::PERCENT, AsciiSet::of(b"%")),
        (DOT, AsciiSet::of(b".")),
        (HYPHEN, AsciiSet::of(b"-")),
    ],
    [0; 128],
);

/// Returns the signs in a text.
pub(crate) fn signs(text: &[u8]) -> Signs {
    simd::dispatch(Pass { text })
}

struct Pass<'a> {
    text: &'a [u8],
}

impl WithBackend for Pass<'_> {
    type Output = Signs;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> Signs {
        let Self { text } = self;
        let mut signs = Signs::ALWAYS.0;
        // Whether the octet before the block is of a word, a dot, or a hyphen.
        let (mut in_word, mut after_dot, mut after_hyphen) = (0, 0, 0);
        for (i, octets) in text.chunks(BLOCK).enumerate() {
            let block = backend.load(octets, &TABLE);
            let bitmap = |class| backend.bitmap(&block, &TABLE, class);
            let all = u64::MAX >> (BLOCK - octets.len());
            let (words, dots, hyphens) = (bitmap(WORD), bitmap(DOT), bitmap(HYPHEN));
            signs |= Signs::ODD.of(!bitmap(GRAPHIC) & all)
                | Signs::PERCENT.of(bitmap(Class::PERCENT))
                | Signs::EQUALS.of(bitmap(EQUAL))
                | Signs::DOTS.of(dots & (dots << 1 | after_dot))
                | Signs::HYPHENS.of(hyphens & (hyphens << 1 | after_hyphen));
            let mut starts = long_words_of_many(words) & !(words << 1 | in_word);
            while starts != 0 {
                if text.get(BLOCK * i + starts.trailing_zeros() as usize..).is_some_and(may_begin) {
                    signs |= Signs::CREDENTIAL.0;
                }
                starts &= starts - 1;
            }
            in_word = words >> (BLOCK - 1);
            (after_dot, after_hyphen) = (dots >> (BLOCK - 1), hyphens >> (BLOCK - 1));
        }
        Signs(signs)
    }
}

/// Returns the bits that begin 24 such bits, as few octets are no credential.
#[inline(always)]
pub(crate) const fn long_words(words: u64) -> u64 {
    let two = words & words >> 1;
    let four = two & two >> 2;
    let eight = four & four >> 4;
    let sixteen = eight & eight >> 8;
    sixteen & eight >> 16
}

/// Like [`long_words`], where the words may go on after the block.
#[inline(always)]
pub(crate) const fn long_words_of_many(words: u64) -> u64 {
    !near(!words)
}

/// Returns the bits with one of these bits less than 24 after them.
#[inline(always)]
const fn near(ends: u64) -> u64 {
    let two = ends | ends >> 1;
    let four = two | two >> 2;
    let eight = four | four >> 4;
    let sixteen = eight | eight >> 8;
    sixteen | eight >> 16
}

#[cfg(test)]
mod tests {
    use std::format;
    use std::string::String;

    use super::{Signs, is_ordinary, signs};

    #[test]
    fn a_labels_are_not_ordinary() {
        for before in 0..24 {
            let host = std::format!("{}xn--80ak6aa92e.com", "a.".repeat(before));
            assert!(!is_ordinary(&host), "{host}");
        }
    }

    #[test]
    fn hosts() {
        for host in [
            "www.example.com",
            ".example.com",
            "1.example.com",
            "a.ibm.com",
            "example.de",
            "a.b.c.museum-x.org",
            "münchen-x.de.example.org",
        ] {
            assert_eq!(is_ordinary(host), host.is_ascii(), "{host}");
        }
        for host in [
            "",
            "t.co",
            "localhost",
            "printer.local",
            "a.b.test",
            "www.example.com.",
            "127.0.0.1",
            "example.com1.0x7f",
            "www.ex%61mple.com",
            "[2001:db8::1]",
            "intranet-server",
            "10.0.0.1.NIP.io",
            "app.lvh.me",
            "LACOLHOST.com",
            "app.localtest.me",
            "a.rbndr.us",
            "make-127-0-0-1-rr.1u.ms",
            "metadata.goog",
            "METADATA.packet.net",
            "metadata.exoscale.com",
            "api.metadata.cloud.ibm.com",
            "wpad.corp",
            "example.svc",
            "hooks.slack.com",
            "chat.googleapis.com",
            "a.example",
        ] {
            assert!(!is_ordinary(host), "{host}");
        }
    }

    fn of(text: &str) -> u8 {
        signs(text.as_bytes()).0 & !Signs::ALWAYS.0
    }

    #[test]
    fn each_sign_is_found_at_every_place() {
        for length in 0..200 {
            let before = "/".repeat(length);
            for (text, sign) in [
                (String::new(), 0),
                (" ".into(), Signs::ODD.0),
                ("é".into(), Signs::ODD.0),
                ("\x7F".into(), Signs::ODD.0),
                ("%".into(), Signs::PERCENT.0),
                ("..".into(), Signs::DOTS.0),
                (".".into(), 0),
                ("--".into(), Signs::HYPHENS.0),
                ("-".into(), 0),
                ("=".into(), Signs::EQUALS.0),
                (format!("gh{}", "0".repeat(22)), Signs::CREDENTIAL.0),
                (format!("xgh{}", "0".repeat(22)), 0),
            ] {
                for after in ["", "/", "//////////////////////////////////////////////////////////////////"] {
                    assert_eq!(of(&format!("{before}{text}{after}")), sign, "{length} {text}");
                }
            }
        }
        assert_eq!(of("/gh00000/"), 0);
    }
}
