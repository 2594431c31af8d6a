//! The attributes of an AsciiDoc document: sets them, and replaces `{name}` in a text. An attribute that is set under a
//! condition has no known value, since it depends on who converts the document.

use std::collections::HashMap;

/// The longest value that is kept.
pub(super) const LONGEST: usize = 4096;

/// How many attributes are kept.
const MOST: usize = 10_000;

/// The values of attributes so far.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    /// `None` if the value is not known; unset attributes are not known either, since somebody else may set them.
    values: HashMap<Box<str>, Option<Box<str>>>,
    /// How many conditions are open.
    conditions: usize,
}

/// A text after its attributes were replaced.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Expanded {
    pub(super) text: String,
    /// Whether all were known.
    pub(super) is_whole: bool,
}

/// Attributes that every document has ("Character Replacement Attributes"), and those that are empty by default.
const KNOWN: [(&str, &str); 24] = [
    ("empty", ""),
    ("blank", ""),
    ("sp", " "),
    ("nbsp", "\u{A0}"),
    ("zwsp", "\u{200B}"),
    ("wj", "\u{2060}"),
    ("apos", "'"),
    ("quot", "\""),
    ("lsquo", "\u{2018}"),
    ("rsquo", "\u{2019}"),
    ("ldquo", "\u{201C}"),
    ("rdquo", "\u{201D}"),
    ("deg", "\u{B0}"),
    ("plus", "+"),
    ("brvbar", "\u{A6}"),
    ("vbar", "|"),
    ("amp", "&"),
    ("lt", "<"),
    ("gt", ">"),
    ("startsb", "["),
    ("endsb", "]"),
    ("caret", "^"),
    ("asterisk", "*"),
    ("tilde", "~"),
];

impl Attributes {
    /// Sets an attribute, or unsets it.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) {
        let expanded = value.map(|value| self.expand(value.strip_suffix('@').unwrap_or(value)));
        let known = expanded
            .filter(|expanded| self.conditions == 0 && expanded.is_whole && expanded.text.len() <= LONGEST);
        if self.values.len() < MOST || self.values.contains_key(&*name.to_lowercase()) {
            let value = known.map(|expanded| expanded.text.into_boxed_str());
            self.values.insert(name.to_lowercase().into(), value);
        }
    }

    /// Notes that the value of an attribute is not known.
    pub(super) fn doubt(&mut self, name: &str) {
        self.set(name, None);
    }

    /// Opens a condition.
    pub(super) fn open_condition(&mut self) {
        self.conditions += 1;
    }

    /// Closes a condition.
    pub(super) fn close_condition(&mut self) {
        self.conditions = self.conditions.saturating_sub(1);
    }

    /// Returns the value of an attribute: `None` if it is not set here, `Some(None)` if it is not known.
    pub(super) fn get(&self, name: &str) -> Option<Option<&str>> {
        self.values.get(name).map(|value| value.as_deref())
    }

    /// Returns whether sections have ids: `:sectids!:` takes them away.
    pub(super) fn has_section_ids(&self) -> bool {
        self.get("sectids") != Some(None)
    }

    /// Replaces the attributes in a text. Those that are not known stay.
    pub(super) fn expand(&self, text: &str) -> Expanded {
        let mut expanded = Expanded { text: String::with_capacity(text.len()), is_whole: true };
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let (before, after) = rest.split_at(open);
            expanded.text.push_str(before);
            let length = after
                .bytes()
                .skip(1)
                .take_while(|one| one.is_ascii_alphanumeric() || b"_-".contains(one))
                .count();
            let is_reference = length > 0 && after.as_bytes().get(length + 1) == Some(&b'}');
            let name = after.get(1..=length).filter(|_| is_reference);
            match name.and_then(|name| self.value(name)) {
                Some(value) if expanded.text.len() < 4 * LONGEST => expanded.text.push_str(value),
                _ => {
                    expanded.is_whole &= name.is_none();
                    expanded.text.push_str(after.get(..=length).unwrap_or_default());
                    expanded.text.push_str(if is_reference { "}" } else { "" });
                }
            }
            let taken = if is_reference { length + 2 } else { length + 1 };
            rest = after.get(taken..).unwrap_or_default();
        }
        expanded.text.push_str(rest);
        expanded
    }

    fn value(&self, name: &str) -> Option<&str> {
        let lower = name.to_lowercase();
        match self.values.get(&*lower) {
            Some(value) => value.as_deref(),
            None => KNOWN.iter().find(|(own, _)| *own == lower).map(|(_, value)| *value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_replaced_where_they_are_known() {
        let mut attributes = Attributes::default();
        attributes.set("base", Some("https://h"));
        attributes.set("Docs", Some("{base}/docs@"));
        attributes.open_condition();
        attributes.set("version", Some("1"));
        attributes.close_condition();
        attributes.set("gone", None);
        for (text, expected, is_whole) in [
            ("{docs}/a{sp}b", "https://h/docs/a b", true),
            ("{base}/{version}/{x}", "https://h/{version}/{x}", false),
            ("{gone}", "{gone}", false),
            ("{ a } {}{", "{ a } {}{", true),
        ] {
            assert_eq!(attributes.expand(text), Expanded { text: expected.to_owned(), is_whole }, "{text}");
        }
    }
}
