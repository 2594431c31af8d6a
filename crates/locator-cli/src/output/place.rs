//! Where something is that a message is about, and the beginning of the message: `urls.txt:17:5:
//! error: `, as editors and terminals recognise it, or `error: argument 2: `.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::output::Output;
use crate::terminal::paint::FAINT;
use crate::terminal::visible::legible;
use crate::terminal::{Word, visible};

/// A place, for people.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    text: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The file, line and column of a byte.
    Byte,
    /// The file, line and column of a URL, or the file and line.
    Url,
    /// Another name, such as `argument 2`, or none.
    Name,
}

impl Place {
    /// Returns the place that is given with a URL: `README.md:12:5`.
    pub(crate) fn given(text: &str) -> Self {
        Self { text: visible(text).to_string(), kind: Kind::Url }
    }

    /// Returns the place of a byte of a line of a file.
    pub(crate) fn in_file(name: &str, line: u64, octet: usize) -> Self {
        Self { text: format!("{}:{line}:{}", visible(name), octet + 1), kind: Kind::Byte }
    }

    /// Returns a place with a name: `--base`.
    pub(crate) fn named(name: &str) -> Self {
        Self { text: name.to_owned(), kind: Kind::Name }
    }

    /// Returns this place with more words: `via the gateway`.
    pub(crate) fn with(&self, more: &str) -> Self {
        match (self.kind, self.text.as_str()) {
            (Kind::Name, "") => Self::named(more),
            (_, text) => Self { text: format!("{text}: {more}"), kind: self.kind },
        }
    }

    /// Returns whether it does not say which byte of the text something is about.
    pub(crate) fn has_no_byte(&self) -> bool {
        self.kind != Kind::Byte
    }

    /// Begins a message: writes the place and the word, and returns their columns.
    pub(crate) fn begin(&self, out: &mut Output, word: Word) -> io::Result<usize> {
        let (paint, text) = (out.paint, &*legible(&self.text).to_string());
        match (self.kind, text) {
            (Kind::Name, "") => write!(out, "{} ", paint.word(word))?,
            (Kind::Name, text) => {
                let text = paint.with(FAINT, format_args!("{text}:")).to_string();
                write!(out, "{} {text} ", paint.word(word))?;
            }
            (_, text) => {
                let text = paint.with(FAINT, format_args!("{text}:")).to_string();
                write!(out, "{text} {} ", paint.word(word))?;
            }
        }
        let place = if text.is_empty() { 0 } else { text.width() + 2 };
        Ok(place + word.text().len() + 1)
    }
}
