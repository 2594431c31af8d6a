//! Hosts that need no further look: takes a host, and answers with a few instructions for nearly
//! every one. The answer "no" means nothing.

/// Returns whether the host is a name of at least two labels, with a letter at its beginning,
/// without escapes, A-labels and characters beyond ASCII, which no table of [`names`](super::names) has. It
/// may have empty labels and octets that are in no name.
pub(super) fn is_ordinary(host: &str) -> bool {
    let octets = host.as_bytes();
    let (Some(&first), Some(&last)) = (octets.first_chunk(), octets.last_chunk()) else { return false };
    let (first, last) = (u64::from_le_bytes(first), u64::from_le_bytes(last));
    let (mut strange, mut after_hyphen) = (escapes(last) | hyphen_pairs(last, 0), 0);
    let (chunks, _) = octets.as_chunks();
    for chunk in chunks {
        let chunk = u64::from_le_bytes(*chunk);
        strange |= escapes(chunk) | hyphen_pairs(chunk, after_hyphen);
        after_hyphen = chunk;
    }
    let dots = zeros(last ^ each(b'.'));
    let after_dot = dots.leading_zeros() / 8;
    if strange != 0 || !octets[0].is_ascii_alphabetic() || dots == 0 || after_dot == 0 || octets.len() > 63 {
        return false;
    }
    let (start, end) = (first | each(0x20), last | each(0x20));
    let top = end >> (64 - 8 * after_dot);
    // Nearly every top label is in no slot of the filter.
    let is_special = FILTER >> slot(top) & 1 == 1 && TOPS.contains(&top);
    (top as u8).is_ascii_alphabetic() && !is_special && !STARTS.contains(&start) && !ENDS.contains(&end)
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
    if !cfg!(feature = "confusables") {
        return 0;
    }
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

/// Returns one of 64 slots for a top label. The factor gives the usual ones free slots.
const fn slot(top: u64) -> u64 {
    top.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 58
}

/// A bit for each slot of a label in `TOPS`.
const FILTER: u64 = {
    let (mut filter, mut i) = (0, 0);
    while i < TOPS.len() {
        filter |= 1 << slot(TOPS[i]);
        i += 1;
    }
    filter
};

/// Top labels of special names and of wildcard services that are shorter than seven letters. Longer
/// ones have no dot in the last eight octets, or are in the list, too.
const TOPS: [u64; 17] = [
    packed("alt"),
    packed("arpa"),
    packed("ca"),
    packed("corp"),
    packed("example"),
    packed("goog"),
    packed("home"),
    packed("invalid"),
    packed("io"),
    packed("lan"),
    packed("local"),
    packed("mail"),
    packed("me"),
    packed("onion"),
    packed("private"),
    packed("svc"),
    packed("test"),
];

static STARTS: [u64; 2] = [packed("metadata"), packed("api.meta")];

static ENDS: [u64; 2] = [packed("host.com"), packed("loth.com")];

#[cfg(test)]
mod tests {
    use super::is_ordinary;

    #[cfg(feature = "confusables")]
    #[test]
    fn a_labels_are_not_ordinary() {
        for before in 0..24 {
            let host = std::format!("{}xn--80ak6aa92e.com", "a.".repeat(before));
            assert!(!is_ordinary(&host), "{host}");
        }
    }

    #[test]
    fn hosts() {
        for host in ["www.example.com", "example.de", "a.b.c.museum-x.org", "münchen-x.de.example.org"] {
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
            "1.example.com",
            "example.com1.0x7f",
            "www.ex%61mple.com",
            "[2001:db8::1]",
            "intranet-server",
            "10.0.0.1.NIP.io",
            "app.lvh.me",
            "LACOLHOST.com",
            "app.localtest.me",
            "metadata.goog",
            "METADATA.packet.net",
            "api.metadata.cloud.ibm.com",
            "wpad.corp",
            "a.example",
            ".example.com",
        ] {
            assert!(!is_ordinary(host), "{host}");
        }
    }
}
