//! Notes for the reader of a plan.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::str;

use super::text::{Secret, Text};
use crate::error::Redacted;

/// A note for the reader of a plan: a code, and a sentence about this URL.
///
/// A note changes nothing about the plan: it says what a reader could miss, such as a part of the
/// URL that is not sent. `Display` of a [`Plan`](super::Plan) prints it first.
///
/// ```
/// use locator::plan::{Note, Plan};
///
/// let note = Note::new("no-group", "the URL names no group")
///     .field("scheme", "nntp");
/// let plan = Plan::new().note(note);
/// assert_eq!(plan.notes[0].code, "no-group");
/// assert_eq!(plan.notes[0].exact_field("scheme"), Some("nntp"));
/// ```
///
/// The value of a field may contain a password. [`fields`](Self::fields) shows it hidden, and
/// [`exact_field`](Self::exact_field) returns it:
///
/// ```
/// use locator::Redacted;
/// use locator::plan::Note;
///
/// let proxy = Redacted::new("http://jan:secret@proxy/");
/// let note = Note::new("proxy", "a proxy is used").secret_field("url", &proxy);
/// assert_eq!(note.fields[0].1, "http://jan:(hidden)@proxy/");
/// assert_eq!(note.exact_field("url"), Some("http://jan:secret@proxy/"));
/// assert!(!format!("{note:?}").contains("secret@"));
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The code, which never changes: `no-search-words`.
    pub code: Text,
    /// The sentence.
    pub text: Text,
    /// What the sentence is about, by name. Secrets are hidden.
    pub fields: Vec<(Text, String)>,
    /// The values of fields that have a secret hidden, by name.
    exact: Vec<(Text, Secret)>,
}

impl Note {
    /// Creates a note without fields.
    #[must_use]
    pub fn new(code: impl Into<Text>, text: impl Into<Text>) -> Self {
        Self { code: code.into(), text: text.into(), fields: Vec::new(), exact: Vec::new() }
    }

    /// Adds a field.
    #[must_use]
    pub fn field(mut self, name: impl Into<Text>, value: impl Into<String>) -> Self {
        self.fields.push((name.into(), value.into()));
        self
    }

    /// Adds a field whose value has a secret, as it is and as it is shown.
    #[must_use]
    pub fn secret_field(self, name: impl Into<Text>, value: &Redacted<'_>) -> Self {
        let name = name.into();
        let mut note = self.field(name.clone(), value.to_string());
        if !value.hidden().is_empty() {
            note.exact.push((name, Secret::new(value.as_str())));
        }
        note
    }

    /// Returns the value of a field with its secrets.
    #[must_use]
    pub fn exact_field(&self, name: &str) -> Option<&str> {
        let exact = self.exact.iter().find(|(own, _)| own == name);
        let exact = exact.and_then(|(_, value)| str::from_utf8(value.reveal()).ok());
        exact.or_else(|| self.fields.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str()))
    }

    /// Returns the sentence with its secrets.
    #[must_use]
    pub fn exact_text(&self) -> String {
        let shown = |name: &Text| self.fields.iter().find(|(own, _)| own == name);
        self.exact.iter().fold(String::from(&*self.text), |text, (name, value)| {
            let pair = shown(name).zip(str::from_utf8(value.reveal()).ok());
            pair.map_or(text.clone(), |((_, shown), exact)| text.replace(shown.as_str(), exact))
        })
    }
}
