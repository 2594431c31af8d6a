//! The text of a page that a reader sees: without markup, with one space for any white space, and one between
//! blocks.

/// The visible text so far.
#[derive(Debug, Default)]
pub(crate) struct Visible {
    text: String,
    /// Whether a space precedes the next character.
    is_separate: bool,
}

impl Visible {
    /// Appends text.
    pub(crate) fn push(&mut self, text: &str) {
        for piece in text.split_inclusive(char::is_whitespace) {
            let word = piece.trim_end();
            if !word.is_empty() {
                if self.is_separate && !self.text.is_empty() {
                    self.text.push(' ');
                }
                self.is_separate = false;
                self.text.push_str(word);
            }
            self.is_separate |= word.len() < piece.len();
        }
    }

    /// Separates what precedes from what follows.
    pub(crate) const fn separate(&mut self) {
        self.is_separate = true;
    }

    /// Returns the text.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}
