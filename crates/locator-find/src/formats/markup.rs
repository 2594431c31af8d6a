//! What HTML, XHTML and Markdown share: [`OpenCode`] counts the open elements whose text is code, by
//! their tags, without a tree; [`Visible`] collects the text of a page that a reader sees, without
//! markup, with one space for any white space, and one between blocks.

/// The names of the elements: "code", "computer output", "user input", "preformatted text", and
/// obsolete ones.
const NAMES: [&str; 6] = ["code", "pre", "samp", "kbd", "tt", "listing"];

/// Returns whether the text of an element with this name, in lower case, is code.
pub(crate) fn is_code(name: &str) -> bool {
    NAMES.contains(&name)
}

/// The number of open elements whose text is code, by name.
///
/// An element without an end tag is open up to the end of the document.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OpenCode([u64; NAMES.len()]);

impl OpenCode {
    /// Returns whether text here is code.
    pub(crate) fn is_open(self) -> bool {
        self.0 != [0; NAMES.len()]
    }

    /// Opens an element; its name is in lower case. Most searches do not need it: it is not inlined.
    #[inline(never)]
    pub(crate) fn open(&mut self, name: &[u8]) {
        if let Some(count) = self.count_of(name) {
            *count += 1;
        }
    }

    /// Closes an element. An end tag without a start tag has no effect.
    #[inline(never)]
    pub(crate) fn close(&mut self, name: &[u8]) {
        if let Some(count) = self.count_of(name) {
            *count = count.saturating_sub(1);
        }
    }

    /// Opens or closes an element by a tag as it is written, from "<" on.
    pub(crate) fn take_tag(&mut self, tag: &str) {
        let Some(rest) = tag.strip_prefix('<') else { return };
        let name = rest.strip_prefix('/').unwrap_or(rest);
        let end = name.find(|character: char| !character.is_ascii_alphanumeric());
        let name_in_lower_case = name[..end.unwrap_or(name.len())].to_ascii_lowercase();
        match rest.len() == name.len() {
            true => self.open(name_in_lower_case.as_bytes()),
            false => self.close(name_in_lower_case.as_bytes()),
        }
    }

    fn count_of(&mut self, name: &[u8]) -> Option<&mut u64> {
        let index = NAMES.iter().position(|one| one.as_bytes() == name)?;
        self.0.get_mut(index)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_open_from_its_start_tag_to_its_end_tag() {
        let mut code = OpenCode::default();
        for (tag, is_open) in [
            ("</code>", false),
            ("<b>", false),
            ("<pre class=x>", true),
            ("<CODE>", true),
            ("</pre >", true),
            ("</code", false),
            ("<codex>", false),
            ("<!-- <code> -->", false),
        ] {
            code.take_tag(tag);
            assert_eq!(code.is_open(), is_open, "{tag}");
        }
    }
}
