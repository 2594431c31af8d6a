//! What a label looks like: takes letters, and returns a text that is the same for all labels that look alike.
//!
//! The data are those of UTS 39 (which characters look alike), Unicode 18, by the crate `unicode-security`.
//!
//! Characters beyond ASCII that programs read as ASCII in a host: takes a host, returns it with
//! those characters replaced.
//!
//! Python, Java, browsers and the C library map a host before they look it up, by NFKC in Nameprep
//! (RFC 3491) or in UTS 46: `①②⑦.⓪.⓪.①` is 127.0.0.1. The tables have every character whose
//! NFKC form, in lower case, consists of letters, digits, hyphens and dots of ASCII (Unicode 14,
//! and what UTS 46 of `idna` 1.1 maps since), and the two full stops of East Asia, which
//! IDNA reads as dots (RFC 3490, 3.1). `UNSEEN` has the characters that the mapping removes. The
//! delimiters that NFKC makes are not here.

use alloc::string::String;

use unicode_security::skeleton;

use crate::domain::scripts::{is_mark, script, stroke_look};

/// Returns the ASCII delimiter that a symbol looks like. Letters of a script look like delimiters only
/// to people that do not read the script.
pub(crate) fn delimiter_look(c: char) -> Option<char> {
    if c.is_ascii() || script(c).is_some() {
        return None;
    }
    let mut octets = [0; 4];
    let mut prototype = skeleton(c.encode_utf8(&mut octets));
    let first = prototype.next().filter(|c| "/\\?#@:.".contains(*c))?;
    prototype.next().is_none().then_some(first)
}

/// Returns a text that is the same for all labels that look alike: the skeleton of UTS 39 (4) without
/// marks and in lower case, and with what `LETTERS` and `PAIRS` have.
pub(crate) fn look(letters: &str) -> String {
    let mut look = String::with_capacity(letters.len());
    // Among letters of China and Japan these are read as what they are.
    let has_latin = letters.bytes().any(|octet| octet.is_ascii_alphabetic());
    for c in skeleton(letters).filter(|c| !is_mark(*c)).flat_map(char::to_lowercase) {
        let like = LETTERS.iter().find(|(letter, _)| *letter == c);
        match like {
            Some((_, ascii)) => look.push_str(ascii),
            None => look.push(stroke_look(c).filter(|_| has_latin).unwrap_or(c)),
        }
        for (pair, letter) in PAIRS {
            if look.ends_with(pair) {
                look.truncate(look.len() - pair.len());
                look.push_str(letter);
            }
        }
    }
    // "I" looks like "l", which looks like "1".
    look.replace('i', "l")
}

/// Prototypes of UTS 39 that look like ASCII letters in many fonts: small capitals, letters that are turned, and others.
static LETTERS: [(char, &str); 26] = [
    ('ʙ', "b"),
    ('ʜ', "h"),
    ('ĸ', "k"),
    ('ᴋ', "k"),
    ('ʍ', "rn"),
    ('ᴍ', "rn"),
    ('ᴛ', "t"),
    ('π', "n"),
    ('ƅ', "b"),
    ('є', "e"),
    ('χ', "x"),
    ('ʟ', "l"),
    ('ʀ', "r"),
    ('\u{1DD}', "e"),
    ('\u{250}', "a"),
    ('\u{254}', "o"),
    ('\u{25B}', "e"),
    ('\u{25F}', "j"),
    ('\u{265}', "h"),
    ('\u{26F}', "rn"),
    ('\u{279}', "r"),
    ('\u{287}', "t"),
    ('\u{28C}', "v"),
    ('\u{28E}', "y"),
    ('\u{29E}', "k"),
    ('\u{14B}', "n"),
];

/// Pairs of letters that look like one.
const PAIRS: [(&str, &str); 2] = [("vv", "w"), ("cl", "d")];

/// Returns the host with such characters replaced, if it is then ASCII; `None` if it is not, or if
/// it was ASCII already.
pub(crate) fn folded(host: &str) -> Option<String> {
    if host.is_ascii() {
        return None;
    }
    let mut result = String::with_capacity(host.len());
    for c in host.chars() {
        if c.is_ascii() {
            result.push(c);
        } else {
            fold(c, &mut result)?;
        }
    }
    Some(result)
}

/// Appends a character as it is read: in ASCII if programs map it to that or if it looks like a delimiter, or not at all.
#[cfg(feature = "public-suffix")]
pub(crate) fn push_ascii(c: char, to: &mut String) {
    if c.is_ascii() || fold(c, to).is_none() {
        to.push(delimiter_look(c).unwrap_or(c));
    }
}

/// Appends the ASCII form of a character; `None` if it has none.
fn fold(c: char, to: &mut String) -> Option<()> {
    let code = u32::from(c);
    let run = RUNS.partition_point(|run| run.1 < code);
    if let Some(&(first, _, ascii)) = RUNS.get(run).filter(|run| run.0 <= code) {
        // A run has at most 26 characters.
        to.push(char::from(ascii + (code - first) as u8));
    } else if let Ok(index) = STRINGS.binary_search_by_key(&code, |row| row.0) {
        to.push_str(STRINGS.get(index).map_or("", |row| row.1));
    } else if !UNSEEN.iter().any(|range| range.contains(&code)) {
        return None;
    }
    Some(())
}

/// Characters that map to nothing (RFC 3454, B.1; UTS 46).
static UNSEEN: [core::ops::RangeInclusive<u32>; 14] = [
    0xAD..=0xAD,
    0x34F..=0x34F,
    0x115F..=0x1160,
    0x17B4..=0x17B5,
    0x180B..=0x180F,
    0x200B..=0x200D,
    0x2060..=0x206F,
    0x3164..=0x3164,
    0xFE00..=0xFE0F,
    0xFEFF..=0xFEFF,
    0xFFA0..=0xFFA0,
    0x1BCA0..=0x1BCA3,
    0x1D173..=0x1D17A,
    0xE0100..=0xE01EF,
];

/// The first and last character of a run, and the ASCII character of the first; the others follow.
#[rustfmt::skip]
static RUNS: [(u32, u32, u8); 163] = [
    (0xAA, 0xAA, b'a'), (0xB2, 0xB3, b'2'), (0xB9, 0xB9, b'1'), (0xBA, 0xBA, b'o'), (0x17F, 0x17F, b's'),
    (0x2B0, 0x2B0, b'h'), (0x2B2, 0x2B2, b'j'), (0x2B3, 0x2B3, b'r'), (0x2B7, 0x2B7, b'w'),
    (0x2B8, 0x2B8, b'y'), (0x2E1, 0x2E1, b'l'), (0x2E2, 0x2E2, b's'), (0x2E3, 0x2E3, b'x'),
    (0x1D2C, 0x1D2C, b'a'), (0x1D2E, 0x1D2E, b'b'), (0x1D30, 0x1D31, b'd'), (0x1D33, 0x1D3A, b'g'),
    (0x1D3C, 0x1D3C, b'o'), (0x1D3E, 0x1D3E, b'p'), (0x1D3F, 0x1D3F, b'r'), (0x1D40, 0x1D41, b't'),
    (0x1D42, 0x1D42, b'w'), (0x1D43, 0x1D43, b'a'), (0x1D47, 0x1D47, b'b'), (0x1D48, 0x1D49, b'd'),
    (0x1D4D, 0x1D4D, b'g'), (0x1D4F, 0x1D4F, b'k'), (0x1D50, 0x1D50, b'm'), (0x1D52, 0x1D52, b'o'),
    (0x1D56, 0x1D56, b'p'), (0x1D57, 0x1D58, b't'), (0x1D5B, 0x1D5B, b'v'), (0x1D62, 0x1D62, b'i'),
    (0x1D63, 0x1D63, b'r'), (0x1D64, 0x1D65, b'u'), (0x1D9C, 0x1D9C, b'c'), (0x1DA0, 0x1DA0, b'f'),
    (0x1DBB, 0x1DBB, b'z'), (0x2024, 0x2024, b'.'), (0x2070, 0x2070, b'0'), (0x2071, 0x2071, b'i'),
    (0x2074, 0x2079, b'4'), (0x207F, 0x207F, b'n'), (0x2080, 0x2089, b'0'), (0x2090, 0x2090, b'a'),
    (0x2091, 0x2091, b'e'), (0x2092, 0x2092, b'o'), (0x2093, 0x2093, b'x'), (0x2095, 0x2095, b'h'),
    (0x2096, 0x2099, b'k'), (0x209A, 0x209A, b'p'), (0x209B, 0x209C, b's'), (0x209D, 0x209D, b'w'),
    (0x209E, 0x209F, b'y'), (0x2102, 0x2102, b'c'), (0x210A, 0x210B, b'g'), (0x210C, 0x210C, b'h'),
    (0x210D, 0x210D, b'h'), (0x210E, 0x210E, b'h'), (0x2110, 0x2110, b'i'), (0x2111, 0x2111, b'i'),
    (0x2112, 0x2112, b'l'), (0x2113, 0x2113, b'l'), (0x2115, 0x2115, b'n'), (0x2119, 0x211B, b'p'),
    (0x211C, 0x211C, b'r'), (0x211D, 0x211D, b'r'), (0x2124, 0x2124, b'z'), (0x2128, 0x2128, b'z'),
    (0x212A, 0x212A, b'k'), (0x212C, 0x212D, b'b'), (0x212F, 0x212F, b'e'), (0x2130, 0x2131, b'e'),
    (0x2133, 0x2133, b'm'), (0x2134, 0x2134, b'o'), (0x2139, 0x2139, b'i'), (0x2145, 0x2145, b'd'),
    (0x2146, 0x2147, b'd'), (0x2148, 0x2149, b'i'), (0x2160, 0x2160, b'i'), (0x2164, 0x2164, b'v'),
    (0x2169, 0x2169, b'x'), (0x216C, 0x216C, b'l'), (0x216D, 0x216E, b'c'), (0x216F, 0x216F, b'm'),
    (0x2170, 0x2170, b'i'), (0x2174, 0x2174, b'v'), (0x2179, 0x2179, b'x'), (0x217C, 0x217C, b'l'),
    (0x217D, 0x217E, b'c'), (0x217F, 0x217F, b'm'), (0x2460, 0x2468, b'1'), (0x24B6, 0x24CF, b'a'),
    (0x24D0, 0x24E9, b'a'), (0x24EA, 0x24EA, b'0'), (0x2C7C, 0x2C7C, b'j'), (0x2C7D, 0x2C7D, b'v'),
    (0x3002, 0x3002, b'.'), (0xA7F1, 0xA7F1, b's'), (0xA7F2, 0xA7F2, b'c'), (0xA7F3, 0xA7F3, b'f'),
    (0xA7F4, 0xA7F4, b'q'), (0xFE52, 0xFE52, b'.'), (0xFE63, 0xFE63, b'-'), (0xFF0D, 0xFF0E, b'-'),
    (0xFF10, 0xFF19, b'0'), (0xFF21, 0xFF3A, b'a'), (0xFF41, 0xFF5A, b'a'), (0xFF61, 0xFF61, b'.'),
    (0x107A5, 0x107A5, b'q'), (0x1CCD6, 0x1CCEF, b'a'), (0x1CCF0, 0x1CCF9, b'0'), (0x1D400, 0x1D419, b'a'),
    (0x1D41A, 0x1D433, b'a'), (0x1D434, 0x1D44D, b'a'), (0x1D44E, 0x1D454, b'a'), (0x1D456, 0x1D467, b'i'),
    (0x1D468, 0x1D481, b'a'), (0x1D482, 0x1D49B, b'a'), (0x1D49C, 0x1D49C, b'a'), (0x1D49E, 0x1D49F, b'c'),
    (0x1D4A2, 0x1D4A2, b'g'), (0x1D4A5, 0x1D4A6, b'j'), (0x1D4A9, 0x1D4AC, b'n'), (0x1D4AE, 0x1D4B5, b's'),
    (0x1D4B6, 0x1D4B9, b'a'), (0x1D4BB, 0x1D4BB, b'f'), (0x1D4BD, 0x1D4C3, b'h'), (0x1D4C5, 0x1D4CF, b'p'),
    (0x1D4D0, 0x1D4E9, b'a'), (0x1D4EA, 0x1D503, b'a'), (0x1D504, 0x1D505, b'a'), (0x1D507, 0x1D50A, b'd'),
    (0x1D50D, 0x1D514, b'j'), (0x1D516, 0x1D51C, b's'), (0x1D51E, 0x1D537, b'a'), (0x1D538, 0x1D539, b'a'),
    (0x1D53B, 0x1D53E, b'd'), (0x1D540, 0x1D544, b'i'), (0x1D546, 0x1D546, b'o'), (0x1D54A, 0x1D550, b's'),
    (0x1D552, 0x1D56B, b'a'), (0x1D56C, 0x1D585, b'a'), (0x1D586, 0x1D59F, b'a'), (0x1D5A0, 0x1D5B9, b'a'),
    (0x1D5BA, 0x1D5D3, b'a'), (0x1D5D4, 0x1D5ED, b'a'), (0x1D5EE, 0x1D607, b'a'), (0x1D608, 0x1D621, b'a'),
    (0x1D622, 0x1D63B, b'a'), (0x1D63C, 0x1D655, b'a'), (0x1D656, 0x1D66F, b'a'), (0x1D670, 0x1D689, b'a'),
    (0x1D68A, 0x1D6A3, b'a'), (0x1D7CE, 0x1D7D7, b'0'), (0x1D7D8, 0x1D7E1, b'0'), (0x1D7E2, 0x1D7EB, b'0'),
    (0x1D7EC, 0x1D7F5, b'0'), (0x1D7F6, 0x1D7FF, b'0'), (0x1F12B, 0x1F12B, b'c'), (0x1F12C, 0x1F12C, b'r'),
    (0x1F130, 0x1F149, b'a'), (0x1FBF0, 0x1FBF9, b'0'),
];

#[rustfmt::skip]
static STRINGS: [(u32, &str); 217] = [
    (0x132, "ij"), (0x133, "ij"), (0x1C7, "lj"), (0x1C8, "lj"), (0x1C9, "lj"), (0x1CA, "nj"), (0x1CB, "nj"),
    (0x1CC, "nj"), (0x1F1, "dz"), (0x1F2, "dz"), (0x1F3, "dz"), (0x2025, ".."), (0x2026, "..."),
    (0x20A8, "rs"), (0x2116, "no"), (0x2120, "sm"), (0x2121, "tel"), (0x2122, "tm"), (0x213B, "fax"),
    (0x2161, "ii"), (0x2162, "iii"), (0x2163, "iv"), (0x2165, "vi"), (0x2166, "vii"), (0x2167, "viii"),
    (0x2168, "ix"), (0x216A, "xi"), (0x216B, "xii"), (0x2171, "ii"), (0x2172, "iii"), (0x2173, "iv"),
    (0x2175, "vi"), (0x2176, "vii"), (0x2177, "viii"), (0x2178, "ix"), (0x217A, "xi"), (0x217B, "xii"),
    (0x2469, "10"), (0x246A, "11"), (0x246B, "12"), (0x246C, "13"), (0x246D, "14"), (0x246E, "15"),
    (0x246F, "16"), (0x2470, "17"), (0x2471, "18"), (0x2472, "19"), (0x2473, "20"), (0x2488, "1."),
    (0x2489, "2."), (0x248A, "3."), (0x248B, "4."), (0x248C, "5."), (0x248D, "6."), (0x248E, "7."),
    (0x248F, "8."), (0x2490, "9."), (0x2491, "10."), (0x2492, "11."), (0x2493, "12."), (0x2494, "13."),
    (0x2495, "14."), (0x2496, "15."), (0x2497, "16."), (0x2498, "17."), (0x2499, "18."), (0x249A, "19."),
    (0x249B, "20."), (0x3250, "pte"), (0x3251, "21"), (0x3252, "22"), (0x3253, "23"), (0x3254, "24"),
    (0x3255, "25"), (0x3256, "26"), (0x3257, "27"), (0x3258, "28"), (0x3259, "29"), (0x325A, "30"),
    (0x325B, "31"), (0x325C, "32"), (0x325D, "33"), (0x325E, "34"), (0x325F, "35"), (0x32B1, "36"),
    (0x32B2, "37"), (0x32B3, "38"), (0x32B4, "39"), (0x32B5, "40"), (0x32B6, "41"), (0x32B7, "42"),
    (0x32B8, "43"), (0x32B9, "44"), (0x32BA, "45"), (0x32BB, "46"), (0x32BC, "47"), (0x32BD, "48"),
    (0x32BE, "49"), (0x32BF, "50"), (0x32CC, "hg"), (0x32CD, "erg"), (0x32CE, "ev"), (0x32CF, "ltd"),
    (0x3371, "hpa"), (0x3372, "da"), (0x3373, "au"), (0x3374, "bar"), (0x3375, "ov"), (0x3376, "pc"),
    (0x3377, "dm"), (0x3378, "dm2"), (0x3379, "dm3"), (0x337A, "iu"), (0x3380, "pa"), (0x3381, "na"),
    (0x3383, "ma"), (0x3384, "ka"), (0x3385, "kb"), (0x3386, "mb"), (0x3387, "gb"), (0x3388, "cal"),
    (0x3389, "kcal"), (0x338A, "pf"), (0x338B, "nf"), (0x338E, "mg"), (0x338F, "kg"), (0x3390, "hz"),
    (0x3391, "khz"), (0x3392, "mhz"), (0x3393, "ghz"), (0x3394, "thz"), (0x3396, "ml"), (0x3397, "dl"),
    (0x3398, "kl"), (0x3399, "fm"), (0x339A, "nm"), (0x339C, "mm"), (0x339D, "cm"), (0x339E, "km"),
    (0x339F, "mm2"), (0x33A0, "cm2"), (0x33A1, "m2"), (0x33A2, "km2"), (0x33A3, "mm3"), (0x33A4, "cm3"),
    (0x33A5, "m3"), (0x33A6, "km3"), (0x33A9, "pa"), (0x33AA, "kpa"), (0x33AB, "mpa"), (0x33AC, "gpa"),
    (0x33AD, "rad"), (0x33B0, "ps"), (0x33B1, "ns"), (0x33B3, "ms"), (0x33B4, "pv"), (0x33B5, "nv"),
    (0x33B7, "mv"), (0x33B8, "kv"), (0x33B9, "mv"), (0x33BA, "pw"), (0x33BB, "nw"), (0x33BD, "mw"),
    (0x33BE, "kw"), (0x33BF, "mw"), (0x33C2, "a.m."), (0x33C3, "bq"), (0x33C4, "cc"), (0x33C5, "cd"),
    (0x33C7, "co."), (0x33C8, "db"), (0x33C9, "gy"), (0x33CA, "ha"), (0x33CB, "hp"), (0x33CC, "in"),
    (0x33CD, "kk"), (0x33CE, "km"), (0x33CF, "kt"), (0x33D0, "lm"), (0x33D1, "ln"), (0x33D2, "log"),
    (0x33D3, "lx"), (0x33D4, "mb"), (0x33D5, "mil"), (0x33D6, "mol"), (0x33D7, "ph"), (0x33D8, "p.m."),
    (0x33D9, "ppm"), (0x33DA, "pr"), (0x33DB, "sr"), (0x33DC, "sv"), (0x33DD, "wb"), (0x33FF, "gal"),
    (0xFB00, "ff"), (0xFB01, "fi"), (0xFB02, "fl"), (0xFB03, "ffi"), (0xFB04, "ffl"), (0xFB05, "st"),
    (0xFB06, "st"), (0xFE19, "..."), (0xFE30, ".."), (0x1D6A6, "ss"), (0x1DF95, "ss"), (0x1F100, "0."),
    (0x1F12D, "cd"), (0x1F12E, "wz"), (0x1F14A, "hv"), (0x1F14B, "mv"), (0x1F14C, "sd"), (0x1F14D, "ss"),
    (0x1F14E, "ppv"), (0x1F14F, "wc"), (0x1F16A, "mc"), (0x1F16B, "md"), (0x1F16C, "mr"), (0x1F190, "dj"),
];

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn symbols_that_look_like_delimiters() {
        for (c, expected) in
            [('\u{2044}', Some('/')), ('\u{2236}', Some(':')), ('ノ', None), ('/', None), ('é', None)]
        {
            assert_eq!(delimiter_look(c), expected, "{c}");
        }
    }

    #[test]
    fn looks() {
        for (one, other) in [
            ("paypal", "paypa1"),
            ("paypal", "pаураӏ"),
            ("paypal", "paypai"),
            ("microsoft", "rnicr0soft"),
            ("google", "gοοɡle"),
            ("github", "gíthub"),
            ("whatsapp", "vvhatsapp"),
            ("docusign", "clocusign"),
            ("market", "маrкет"),
            ("linkedin", "\u{4E28}inkedin"),
            ("instagram", "\u{5DE5}nstagram"),
            ("netflix", "n\u{1DD}tflix"),
            ("coupons", "\u{531A}o\u{51F5}pons"),
        ] {
            assert_eq!(look(one), look(other), "{one} {other}");
        }
        for (one, other) in
            [("paypal", "paypals"), ("city", "dty"), ("google", "goggle"), ("de", "cle-"), ("l", "\u{4E28}")]
        {
            assert_ne!(look(one), look(other), "{one} {other}");
        }
    }

    #[test]
    fn tables_are_sorted_and_runs_are_short() {
        assert!(RUNS.is_sorted_by(|one, other| one.1 < other.0));
        assert!(RUNS.iter().all(|run| run.0 <= run.1 && run.1 - run.0 < 26));
        assert!(STRINGS.is_sorted_by(|one, other| one.0 < other.0));
    }

    #[test]
    fn hosts() {
        for (host, expected) in [
            ("①②⑦.⓪.⓪.①", Some("127.0.0.1")),
            ("127。0。0。1", Some("127.0.0.1")),
            ("⑫7.0.0.1", Some("127.0.0.1")),
            ("ⓛocal\u{AD}host", Some("localhost")),
            ("münchen.de", None),
            ("localhost", None),
            ("日本語。jp", None),
        ] {
            assert_eq!(folded(host).as_deref(), expected, "{host}");
        }
    }

    /// The tables agree with UTS 46 wherever it maps a character to ASCII.
    #[test]
    fn every_character_of_uts_46_is_folded() {
        let (mut mapped, mut missing) = (0, Vec::new());
        for c in ('\u{80}'..=char::MAX).filter(|c| !c.is_ascii()) {
            let host = std::format!("a{c}a");
            let Some(ascii) = crate::domain::ascii_form(host.as_bytes()) else { continue };
            if !ascii.split('.').any(|label| label.starts_with("xn--")) {
                mapped += 1;
                if folded(&host).as_deref() != Some(&*ascii) {
                    missing.push(std::format!("U+{:04X} {ascii}", u32::from(c)));
                }
            }
        }
        assert!(missing.is_empty(), "{missing:?}");
        assert!(mapped > 1000, "{mapped}");
    }
}
