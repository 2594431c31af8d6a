//! EBCDIC: the code pages of mainframes, which the Encoding standard does not have. A [`CodePage`] takes octets of one
//! and returns UTF-8. Each has the characters of ISO 8859-1 in another order. Lines of mainframes end with NEL, those of
//! other systems with LF: both become LF.

use std::io::{self, Read};

/// An EBCDIC code page: where it differs from code page 37.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::verbs) struct CodePage {
    number: &'static str,
    differs: &'static [(u8, char)],
}

/// The code pages of the United States, of several countries, and of z/OS; then the first two with the euro sign.
static PAGES: [CodePage; 5] = [
    CodePage { number: "037", differs: &[] },
    CodePage { number: "500", differs: &INTERNATIONAL },
    CodePage {
        number: "1047",
        differs: &[(0x5F, '^'), (0xAD, '['), (0xB0, '¬'), (0xBA, 'Ý'), (0xBB, '¨'), (0xBD, ']')],
    },
    CodePage { number: "1140", differs: &[EURO] },
    CodePage { number: "1148", differs: &INTERNATIONAL_EURO },
];

const EURO: (u8, char) = (0x9F, '€');

const INTERNATIONAL: [(u8, char); 7] =
    [(0x4A, '['), (0x4F, '!'), (0x5A, ']'), (0x5F, '^'), (0xB0, '¢'), (0xBA, '¬'), (0xBB, '|')];

const INTERNATIONAL_EURO: [(u8, char); 8] = {
    let mut all = [EURO; 8];
    let mut at = 0;
    while at < INTERNATIONAL.len() {
        all[at] = INTERNATIONAL[at];
        at += 1;
    }
    all
};

/// The character of each octet in code page 37, as a number.
#[rustfmt::skip]
const CODE_PAGE_37: [u8; 256] = [
    0x00, 0x01, 0x02, 0x03, 0x9C, 0x09, 0x86, 0x7F, 0x97, 0x8D, 0x8E, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F,
    0x10, 0x11, 0x12, 0x13, 0x9D, 0x85, 0x08, 0x87, 0x18, 0x19, 0x92, 0x8F, 0x1C, 0x1D, 0x1E, 0x1F,
    0x80, 0x81, 0x82, 0x83, 0x84, 0x0A, 0x17, 0x1B, 0x88, 0x89, 0x8A, 0x8B, 0x8C, 0x05, 0x06, 0x07,
    0x90, 0x91, 0x16, 0x93, 0x94, 0x95, 0x96, 0x04, 0x98, 0x99, 0x9A, 0x9B, 0x14, 0x15, 0x9E, 0x1A,
    0x20, 0xA0, 0xE2, 0xE4, 0xE0, 0xE1, 0xE3, 0xE5, 0xE7, 0xF1, 0xA2, 0x2E, 0x3C, 0x28, 0x2B, 0x7C,
    0x26, 0xE9, 0xEA, 0xEB, 0xE8, 0xED, 0xEE, 0xEF, 0xEC, 0xDF, 0x21, 0x24, 0x2A, 0x29, 0x3B, 0xAC,
    0x2D, 0x2F, 0xC2, 0xC4, 0xC0, 0xC1, 0xC3, 0xC5, 0xC7, 0xD1, 0xA6, 0x2C, 0x25, 0x5F, 0x3E, 0x3F,
    0xF8, 0xC9, 0xCA, 0xCB, 0xC8, 0xCD, 0xCE, 0xCF, 0xCC, 0x60, 0x3A, 0x23, 0x40, 0x27, 0x3D, 0x22,
    0xD8, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0xAB, 0xBB, 0xF0, 0xFD, 0xFE, 0xB1,
    0xB0, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F, 0x70, 0x71, 0x72, 0xAA, 0xBA, 0xE6, 0xB8, 0xC6, 0xA4,
    0xB5, 0x7E, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0xA1, 0xBF, 0xD0, 0xDD, 0xDE, 0xAE,
    0x5E, 0xA3, 0xA5, 0xB7, 0xA9, 0xA7, 0xB6, 0xBC, 0xBD, 0xBE, 0x5B, 0x5D, 0xAF, 0xA8, 0xB4, 0xD7,
    0x7B, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0xAD, 0xF4, 0xF6, 0xF2, 0xF3, 0xF5,
    0x7D, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F, 0x50, 0x51, 0x52, 0xB9, 0xFB, 0xFC, 0xF9, 0xFA, 0xFF,
    0x5C, 0xF7, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5A, 0xB2, 0xD4, 0xD6, 0xD2, 0xD3, 0xD5,
    0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0xB3, 0xDB, 0xDC, 0xD9, 0xDA, 0x9F,
];

impl CodePage {
    /// Returns the code page of this name: "cp037", "IBM-1047", "ebcdic-cp-us".
    pub(in crate::verbs) fn of_name(name: &str) -> Option<&'static Self> {
        let name = name.to_ascii_lowercase();
        let number = match &*name {
            "ebcdic" | "ebcdic-cp-us" | "ebcdic-cp-ca" | "ebcdic-cp-nl" => "037",
            "ebcdic-cp-be" | "ebcdic-cp-ch" | "ebcdic-international" => "500",
            _ => ["ccsid", "ibm", "cp"].iter().find_map(|prefix| name.strip_prefix(prefix))?,
        };
        let number = number.trim_start_matches(['-', '_', '0']);
        PAGES.iter().find(|page| page.number.trim_start_matches('0') == number)
    }

    /// Returns what a text of this code page contains, in UTF-8.
    pub(in crate::verbs) fn reader(&self, text: impl Read) -> impl Read {
        let mut characters = CODE_PAGE_37.map(char::from);
        for &(octet, character) in self.differs {
            characters[usize::from(octet)] = character;
        }
        for character in &mut characters {
            if *character == NEXT_LINE {
                *character = '\n';
            }
        }
        Decoded { text, characters, decoded: Vec::new(), at: 0 }
    }
}

const NEXT_LINE: char = '\u{85}';

/// A text that is decoded as it is read.
struct Decoded<R> {
    text: R,
    characters: [char; 256],
    /// What is decoded, and how much of it was read.
    decoded: Vec<u8>,
    at: usize,
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.decoded.len() {
            let mut octets = [0; 8192];
            let count = self.text.read(&mut octets)?;
            self.decoded.clear();
            self.at = 0;
            for &octet in &octets[..count] {
                let mut utf8 = [0; 4];
                self.decoded
                    .extend_from_slice(self.characters[usize::from(octet)].encode_utf8(&mut utf8).as_bytes());
            }
        }
        let count = (&self.decoded[self.at..]).read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded_by_page(name: &str, octets: &[u8]) -> String {
        let mut text = String::new();
        let page = CodePage::of_name(name).expect("it is known");
        page.reader(octets).read_to_string(&mut text).expect("a slice can be read");
        text
    }

    #[test]
    fn each_code_page_has_its_characters() {
        // "http://h/[^!]~|€" and a line end, by the tables of IBM.
        assert_eq!(
            decoded_by_page("cp037", b"\x88\xA3\xA3\x97\x7A\x61\x61\x88\x61\xBA\xB0\x5A\xBB\xA1\x4F\x15"),
            "http://h/[^!]~|\n"
        );
        assert_eq!(decoded_by_page("IBM500", b"\x88\x61\x4A\x5F\x4F\x5A\xBB\x25"), "h/[^!]|\n");
        assert_eq!(decoded_by_page("IBM-1047", b"\x88\x61\xAD\x5F\x5A\xBD\x4F\x25"), "h/[^!]|\n");
        assert_eq!(decoded_by_page("CP1140", b"\x9F\xBA"), "€[");
        assert_eq!(decoded_by_page("ccsid1148", b"\x9F\x4A"), "€[");
    }

    #[test]
    fn each_octet_is_another_character() {
        for page in &PAGES {
            let mut text = String::new();
            page.reader(&(0..=255).collect::<Vec<u8>>()[..])
                .read_to_string(&mut text)
                .expect("a slice can be read");
            let mut characters: Vec<char> = text.chars().collect();
            characters.sort_unstable();
            characters.dedup();
            // Two octets are line ends.
            assert_eq!(characters.len(), 255, "{page:?}");
        }
    }

    #[test]
    fn other_names_are_unknown() {
        for name in ["cp1252", "ibm850", "cp", "37", "ebcdic-it", ""] {
            assert_eq!(CodePage::of_name(name), None, "{name}");
        }
    }
}
