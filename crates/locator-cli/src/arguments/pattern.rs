//! Patterns in which "*" is any text.

use memchr::memmem;

/// A pattern: the texts between its asterisks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern(Vec<String>);

impl Pattern {
    /// Divides a pattern at its asterisks; `\*` is one that is meant.
    pub(crate) fn new(pattern: &str) -> Self {
        let mut pieces = vec![String::new()];
        let mut rest = pattern.chars().peekable();
        while let Some(c) = rest.next() {
            let c = if c == '\\' {
                rest.next_if_eq(&'*').unwrap_or(c)
            } else if c == '*' {
                pieces.push(String::new());
                continue;
            } else {
                c
            };
            if let Some(piece) = pieces.last_mut() {
                piece.push(c);
            }
        }
        Self(pieces)
    }

    /// Returns whether the text consists of the pieces with any text between them.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let [first, middle @ .., last] = &*self.0 else {
            return self.0.first().is_some_and(|piece| piece == text);
        };
        let rest = text.as_bytes().strip_prefix(first.as_bytes());
        let Some(mut rest) = rest.and_then(|rest| rest.strip_suffix(last.as_bytes())) else { return false };
        middle.iter().all(|piece| match memmem::find(rest, piece.as_bytes()) {
            Some(at) => {
                rest = &rest[at + piece.len()..];
                true
            }
            None => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_asterisk_is_any_text() {
        for (pattern, text, is_matched) in [
            ("", "", true),
            ("", "a", false),
            ("*", "", true),
            ("a*", "abc", true),
            ("*c", "abc", true),
            ("a*c", "ac", true),
            ("ab*bc", "abc", false),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c", false),
            ("http://h/?q=*", "http://h/?q=1", true),
            ("http://h/?q=*", "http://h/xq=1", false),
            (r"a\*", "a*", true),
            (r"a\*", "ab", false),
            (r"a\b", r"a\b", true),
        ] {
            assert_eq!(Pattern::new(pattern).matches(text), is_matched, "{pattern} {text}");
        }
    }
}
