//! Characters beyond ASCII: one enters, what it is to a URL in running text leaves. The ranges are those of Unicode's
//! `Ps`, `Pe`, `Pi`, `Pf`, `Zs` and `Terminal_Punctuation`, divided by whether a text goes on behind them
//! without a space.

/// What a character is to a URL that it may stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Character {
    /// It may stand in an IRI.
    Body,
    /// It may stand in one, and at its end it is the sentence's.
    Punctuation,
    /// The URL ends before it: white space, quotes, brackets, punctuation of scripts that have no spaces.
    End,
}

impl Character {
    pub(super) fn of(character: char) -> Self {
        let code = character as u32;
        let among = |ranges: &[(u32, u32)]| {
            let behind = ranges.partition_point(|&(first, _)| first <= code);
            behind > 0 && code <= ranges[behind - 1].1
        };
        match () {
            () if among(ENDS) => Self::End,
            () if among(PUNCTUATION) => Self::Punctuation,
            () => Self::Body,
        }
    }
}

/// Whether a character is of a script that is written without spaces, or with words that follow a name at once: ideographs, kana and
/// hangul, Thai, Lao, Burmese and Khmer.
pub(super) const fn is_unspaced(character: char) -> bool {
    matches!(character as u32, 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF)
        || matches!(character as u32, 0x2E80..=0xD7FF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F | 0x2_0000..=0x3_FFFF)
}

/// "。" and "，" are followed by the next word at once, and so are brackets and quotes in every script. U+2019 is not among
/// them, for it is an apostrophe too, nor is the en dash, which stands in titles of articles.
const ENDS: &[(u32, u32)] = &[
    (0x80, 0xA0),
    (0xAB, 0xAB),
    (0xBB, 0xBB),
    (0x0964, 0x0965),
    (0x0F3A, 0x0F3D),
    (0x1680, 0x1680),
    (0x169B, 0x169C),
    (0x2000, 0x200B),
    (0x200E, 0x200F),
    (0x2014, 0x2015),
    (0x2018, 0x2018),
    (0x201A, 0x201F),
    (0x2028, 0x202F),
    (0x2039, 0x203A),
    (0x2045, 0x2046),
    (0x205F, 0x206F),
    (0x207D, 0x207E),
    (0x208D, 0x208E),
    (0x2308, 0x230B),
    (0x2329, 0x232A),
    (0x2768, 0x2775),
    (0x27C5, 0x27C6),
    (0x27E6, 0x27EF),
    (0x2983, 0x2998),
    (0x29D8, 0x29DB),
    (0x29FC, 0x29FD),
    (0x2E22, 0x2E29),
    (0x2E55, 0x2E5C),
    (0x3000, 0x3002),
    (0x3008, 0x3011),
    (0x3014, 0x301F),
    (0xFD3E, 0xFD3F),
    (0xFE10, 0xFE19),
    (0xFE30, 0xFE6B),
    (0xFEFF, 0xFEFF),
    (0xFF01, 0xFF02),
    (0xFF07, 0xFF09),
    (0xFF0C, 0xFF0C),
    (0xFF1A, 0xFF1B),
    (0xFF1F, 0xFF1F),
    (0xFF3B, 0xFF3B),
    (0xFF3D, 0xFF3D),
    (0xFF5B, 0xFF65),
    (0xFFF0, 0xFFFF),
];

const PUNCTUATION: &[(u32, u32)] = &[
    (0xA1, 0xA1),
    (0xB7, 0xB7),
    (0xBF, 0xBF),
    (0x037E, 0x037E),
    (0x0387, 0x0387),
    (0x0589, 0x0589),
    (0x05C3, 0x05C3),
    (0x060C, 0x060C),
    (0x061B, 0x061B),
    (0x061D, 0x061F),
    (0x06D4, 0x06D4),
    (0x0700, 0x070A),
    (0x070C, 0x070C),
    (0x07F8, 0x07F9),
    (0x0830, 0x083E),
    (0x085E, 0x085E),
    (0x0E5A, 0x0E5B),
    (0x0F08, 0x0F08),
    (0x0F0D, 0x0F12),
    (0x104A, 0x104B),
    (0x1361, 0x1368),
    (0x166E, 0x166E),
    (0x16EB, 0x16ED),
    (0x1735, 0x1736),
    (0x17D4, 0x17D6),
    (0x17DA, 0x17DA),
    (0x1802, 0x1805),
    (0x1808, 0x1809),
    (0x1944, 0x1945),
    (0x1AA8, 0x1AAB),
    (0x1B5A, 0x1B5F),
    (0x1C3B, 0x1C3F),
    (0x1C7E, 0x1C7F),
    (0x2013, 0x2013),
    (0x2019, 0x2019),
    (0x2022, 0x2022),
    (0x2024, 0x2026),
    (0x203C, 0x203D),
    (0x2047, 0x2049),
    (0x2E2E, 0x2E2E),
    (0x2E3C, 0x2E3C),
    (0x2E41, 0x2E41),
    (0x2E4C, 0x2E4C),
    (0x2E4E, 0x2E4F),
    (0x2E53, 0x2E54),
    (0x30FB, 0x30FB),
    (0xA4FE, 0xA4FF),
    (0xA60D, 0xA60F),
    (0xA6F3, 0xA6F7),
    (0xA876, 0xA877),
    (0xA8CE, 0xA8CF),
    (0xA92F, 0xA92F),
    (0xA9C7, 0xA9C9),
    (0xAA5D, 0xAA5F),
    (0xAADF, 0xAADF),
    (0xAAF0, 0xAAF1),
    (0xABEB, 0xABEB),
    (0xFF0E, 0xFF0E),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_are_in_order() {
        for ranges in [ENDS, PUNCTUATION] {
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
