//! Classifies characters beyond ASCII: takes one and returns its role for a URL in running text.
//! The ranges are those of Unicode's `Ps`, `Pe`, `Pi`, `Pf`, `Zs` and `Terminal_Punctuation`. They
//! are divided by whether a text continues after them without a space.

use crate::edition::{URL_ENDS, is_in};

/// The role of a character for a URL that may contain it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Character {
    /// The character is allowed in an IRI.
    Body,
    /// The character is allowed in an IRI; at its end it belongs to the sentence.
    Punctuation,
    /// The URL ends before this character: white space, quotes, brackets, punctuation of scripts
    /// without spaces.
    End,
}

impl Character {
    pub(super) fn of(character: char) -> Self {
        match () {
            () if is_in(URL_ENDS, character) => Self::End,
            () if is_in(PUNCTUATION, character) => Self::Punctuation,
            () => Self::Body,
        }
    }
}

/// Whether a character is of a script that is written without spaces, or with words that follow a
/// name at once: ideographs, kana and hangul, Thai, Lao, Burmese and Khmer.
pub(super) const fn is_unspaced(character: char) -> bool {
    matches!(character as u32, 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF)
        || matches!(character as u32, 0x2E80..=0xD7FF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F | 0x2_0000..=0x3_FFFF)
}

const PUNCTUATION: &[(char, char)] = &[
    ('\u{A1}', '\u{A1}'),
    ('\u{B7}', '\u{B7}'),
    ('\u{BF}', '\u{BF}'),
    ('\u{37E}', '\u{37E}'),
    ('\u{387}', '\u{387}'),
    ('\u{589}', '\u{589}'),
    ('\u{5C3}', '\u{5C3}'),
    ('\u{60C}', '\u{60C}'),
    ('\u{61B}', '\u{61B}'),
    ('\u{61D}', '\u{61F}'),
    ('\u{6D4}', '\u{6D4}'),
    ('\u{700}', '\u{70A}'),
    ('\u{70C}', '\u{70C}'),
    ('\u{7F8}', '\u{7F9}'),
    ('\u{830}', '\u{83E}'),
    ('\u{85E}', '\u{85E}'),
    ('\u{E5A}', '\u{E5B}'),
    ('\u{F08}', '\u{F08}'),
    ('\u{F0D}', '\u{F12}'),
    ('\u{104A}', '\u{104B}'),
    ('\u{1361}', '\u{1368}'),
    ('\u{166E}', '\u{166E}'),
    ('\u{16EB}', '\u{16ED}'),
    ('\u{1735}', '\u{1736}'),
    ('\u{17D4}', '\u{17D6}'),
    ('\u{17DA}', '\u{17DA}'),
    ('\u{1802}', '\u{1805}'),
    ('\u{1808}', '\u{1809}'),
    ('\u{1944}', '\u{1945}'),
    ('\u{1AA8}', '\u{1AAB}'),
    ('\u{1B5A}', '\u{1B5F}'),
    ('\u{1C3B}', '\u{1C3F}'),
    ('\u{1C7E}', '\u{1C7F}'),
    ('\u{2013}', '\u{2013}'),
    ('\u{2019}', '\u{2019}'),
    ('\u{2022}', '\u{2022}'),
    ('\u{2024}', '\u{2026}'),
    ('\u{203C}', '\u{203D}'),
    ('\u{2047}', '\u{2049}'),
    ('\u{2E2E}', '\u{2E2E}'),
    ('\u{2E3C}', '\u{2E3C}'),
    ('\u{2E41}', '\u{2E41}'),
    ('\u{2E4C}', '\u{2E4C}'),
    ('\u{2E4E}', '\u{2E4F}'),
    ('\u{2E53}', '\u{2E54}'),
    ('\u{30FB}', '\u{30FB}'),
    ('\u{A4FE}', '\u{A4FF}'),
    ('\u{A60D}', '\u{A60F}'),
    ('\u{A6F3}', '\u{A6F7}'),
    ('\u{A876}', '\u{A877}'),
    ('\u{A8CE}', '\u{A8CF}'),
    ('\u{A92F}', '\u{A92F}'),
    ('\u{A9C7}', '\u{A9C9}'),
    ('\u{AA5D}', '\u{AA5F}'),
    ('\u{AADF}', '\u{AADF}'),
    ('\u{AAF0}', '\u{AAF1}'),
    ('\u{ABEB}', '\u{ABEB}'),
    ('\u{FF0E}', '\u{FF0E}'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_are_in_order() {
        for ranges in [URL_ENDS, PUNCTUATION] {
            assert!(ranges.iter().all(|(first, last)| first <= last));
            assert!(ranges.windows(2).all(|pair| pair[0].1 < pair[1].0));
        }
    }

    #[test]
    fn a_character_is_what_its_script_uses_it_for() {
        for (characters, expected) in [
            ("é例ß\u{200D}\u{AD}\u{E000}😀‐", Character::Body),
            ("…’–؟։።។", Character::Punctuation),
            ("\u{A0}\u{3000}\u{200B}。、，）」』】〉“”„«»—।\u{FEFF}", Character::End),
        ] {
            for character in characters.chars() {
                assert_eq!(Character::of(character), expected, "{character:?}");
            }
        }
    }
}
