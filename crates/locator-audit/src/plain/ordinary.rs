//! Hosts that need no further look: takes a host, and answers with a few instructions for nearly
//! every one. The answer "no" means nothing.

use super::tokens;
use crate::domain::special as names;

/// Returns whether the host is a name of at least two labels, with a letter at the beginning of the
/// last, without escapes, A-labels and characters beyond ASCII, which no table of [`names`] has. It may have
/// empty labels and octets that are in no name. Nor has it paths that are credentials.
pub(crate) fn is_ordinary(host: &str) -> bool {
    let octets = host.as_bytes();
    let Some(&last) = octets.last_chunk() else { return false };
    let last = u64::from_le_bytes(last);
    let (mut strange, mut after_hyphen) = (escapes(last) | hyphen_pairs(last, 0), 0);
    let (chunks, _) = octets.as_chunks();
    for chunk in chunks {
        let chunk = u64::from_le_bytes(*chunk);
        strange |= escapes(chunk) | hyphen_pairs(chunk, after_hyphen);
        after_hyphen = chunk;
    }
    let dots = zeros(last ^ each(b'.'));
    let label = dots.leading_zeros() / 8;
    strange == 0 && dots != 0 && octets.len() <= 63 && ends_ordinary(last, label, octets)
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
        names::metadata(host).is_some() || names::wildcard(host).is_some() || tokens::has_hooks(host)
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

impl Filter {
    const fn new(sets: &[&[u64]]) -> Self {
        let (mut slots, mut i) = ([0; 16], 0);
        while i < sets.len() {
            let mut j = 0;
            while j < sets[i].len() {
                let (word, bit) = Self::slot(sets[i][j]);
                slots[word] |= 1 << bit;
                j += 1;
            }
            i += 1;
        }
        Self(slots)
    }

    /// Returns one of 1,024 slots. The factor gives the usual numbers free slots.
    const fn slot(number: u64) -> (usize, u32) {
        let hash = number.wrapping_mul(0xBF58_476D_1CE4_E5B9);
        ((hash >> 60) as usize, (hash >> 54) as u32 % 64)
    }

    #[inline(always)]
    const fn may_contain(&self, number: u64) -> bool {
        let (word, bit) = Self::slot(number);
        self.0[word] >> bit & 1 == 1
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

/// The last eight octets of other wildcard services, names of metadata, and hosts with hooks.
const ENDS: [u64; 13] = [
    packed("host.com"),
    packed("loth.com"),
    packed("tyun.com"),
    packed("inix.com"),
    packed("cket.net"),
    packed("cale.com"),
    packed(".ibm.com"),
    packed("lack.com"),
    packed("cord.com"),
    packed("dapp.com"),
    packed("gram.org"),
    packed("apis.com"),
    packed("rbndr.us"),
];

#[cfg(test)]
mod tests {
    use super::is_ordinary;
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
}
