//! Notes for the reader of a plan.

use alloc::string::String;
use alloc::vec::Vec;

use super::text::Text;

/// A note for the reader of a plan: a code, and a sentence about this URL.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The code, which stays the same in later versions: `no-search-words`.
    pub code: Text,
    /// The sentence.
    pub text: Text,
    /// What the sentence is about, by name.
    pub fields: Vec<(Text, String)>,
}

impl Note {
    /// Creates a note without fields.
    #[must_use]
    pub fn new(code: impl Into<Text>, text: impl Into<Text>) -> Self {
        Self { code: code.into(), text: text.into(), fields: Vec::new() }
    }

    /// Adds a field.
    #[must_use]
    pub fn field(mut self, name: impl Into<Text>, value: impl Into<String>) -> Self {
        self.fields.push((name.into(), value.into()));
        self
    }
}
