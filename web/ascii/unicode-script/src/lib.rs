//! The scripts of ASCII characters (UAX 24), with those names of the crate `unicode-script` that the
//! audit uses. The module of the page for URLs in ASCII needs no others, and they are a tenth of it.
#![no_std]
#![forbid(unsafe_code)]

/// A script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    Common,
    Inherited,
    Unknown,
    Latin,
    Arabic,
    Armenian,
    Bopomofo,
    Cyrillic,
    Ethiopic,
    Georgian,
    Greek,
    Han,
    Hangul,
    Hebrew,
    Hiragana,
    Katakana,
    Myanmar,
    Thai,
}

impl Script {
    /// Returns the name; of ASCII letters, always the same.
    pub const fn full_name(self) -> &'static str {
        if matches!(self, Self::Latin) { "Latin" } else { "Common" }
    }

    /// Returns whether the script is in general use (UAX 31, table 5), as that of ASCII is.
    pub const fn is_recommended(self) -> bool {
        true
    }
}

/// The script of a character.
pub trait UnicodeScript {
    fn script(&self) -> Script;
}

impl UnicodeScript for char {
    fn script(&self) -> Script {
        if self.is_ascii_alphabetic() { Script::Latin } else { Script::Common }
    }
}

/// The scripts that a character is used in: one, or for those of no script any.
#[derive(Clone, Copy, Debug)]
pub struct ScriptExtension(Script);

impl From<char> for ScriptExtension {
    fn from(c: char) -> Self {
        Self(c.script())
    }
}

impl ScriptExtension {
    pub const fn is_common(self) -> bool {
        matches!(self.0, Script::Common)
    }

    pub const fn is_inherited(self) -> bool {
        matches!(self.0, Script::Inherited)
    }

    pub fn contains_script(self, script: Script) -> bool {
        self.0 == Script::Common || self.0 == script
    }
}
