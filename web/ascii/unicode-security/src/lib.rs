//! What ASCII characters look like (UTS 39), with those names of the crate `unicode-security` that the
//! audit uses. The module of the page for URLs in ASCII needs no others, and they are a fifth of it.
#![no_std]
#![forbid(unsafe_code)]

use core::iter;

/// Returns the prototypes of the characters of an ASCII text (UTS 39, 4, `confusables.txt`).
pub fn skeleton(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(|c| {
        let (first, second) = match c {
            '0' => ('O', None),
            '1' | 'I' | '|' => ('l', None),
            'm' => ('r', Some('n')),
            '"' => ('\'', Some('\'')),
            '`' => ('\'', None),
            '%' => ('\u{BA}', Some('/')),
            c => (c, None),
        };
        iter::once(first).chain(second)
    })
}

/// Which characters are recommended in identifiers.
pub trait GeneralSecurityProfile {
    fn identifier_allowed(self) -> bool;
}

impl GeneralSecurityProfile for char {
    fn identifier_allowed(self) -> bool {
        self.is_ascii_alphanumeric() || self == '-'
    }
}

pub mod mixed_script {
    use unicode_script::ScriptExtension;

    /// The scripts that all characters of a text have in common: ASCII has no two that differ.
    #[derive(Clone, Copy, Debug)]
    pub struct AugmentedScriptSet {
        pub base: ScriptExtension,
        pub hanb: bool,
        pub jpan: bool,
        pub kore: bool,
    }

    impl Default for AugmentedScriptSet {
        fn default() -> Self {
            Self { base: ScriptExtension::from(' '), hanb: true, jpan: true, kore: true }
        }
    }

    impl AugmentedScriptSet {
        pub fn for_char(c: char) -> Self {
            Self { base: ScriptExtension::from(c), ..Self::default() }
        }

        pub fn intersect_with(&mut self, _: Self) {}

        pub const fn is_empty(&self) -> bool {
            false
        }
    }
}
