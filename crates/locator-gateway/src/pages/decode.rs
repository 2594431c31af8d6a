//! Texts of servers: takes octets, returns text. The encoding is the one that the server states, else
//! UTF-8, else windows-1252, which has a character for nearly every octet.

use std::borrow::Cow;

use encoding_rs::{Decoder, Encoding, UTF_8, WINDOWS_1252};

/// Decodes names and lines, each for itself, and remembers whether one was not UTF-8.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Guess {
    /// Whether octets were taken for windows-1252.
    pub(super) was_windows: bool,
}

impl Guess {
    /// Returns the text of octets.
    pub(super) fn decode<'o>(&mut self, octets: &'o [u8]) -> Cow<'o, str> {
        match str::from_utf8(octets) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => {
                self.was_windows = true;
                // The octets of C1 that have no character become controls, which are shown by code.
                WINDOWS_1252.decode_without_bom_handling(octets).0
            }
        }
    }
}

/// Decodes a text that comes in pieces of whole lines.
pub(super) enum Charset {
    /// The one that the server states.
    Stated(Box<Decoder>, &'static Encoding),
    Guessed(Guess),
}

impl Charset {
    /// Returns the one that the server states, if it is known; else it is guessed by the line. UTF-8 is
    /// guessed, too: a text that is stated to be UTF-8 and is not would be full of U+FFFD.
    pub(super) fn new(label: Option<&str>) -> Self {
        let stated = label.and_then(|label| Encoding::for_label(label.as_bytes()));
        match stated.filter(|encoding| *encoding != UTF_8) {
            Some(encoding) => Self::Stated(Box::new(encoding.new_decoder()), encoding),
            None => Self::Guessed(Guess::default()),
        }
    }

    /// Returns whether every line can be decoded for itself.
    pub(super) const fn is_guessed(&self) -> bool {
        matches!(self, Self::Guessed(_))
    }

    pub(super) fn decode<'o>(&mut self, octets: &'o [u8], is_last: bool) -> Cow<'o, str> {
        match self {
            Self::Guessed(guess) => guess.decode(octets),
            Self::Stated(decoder, _) => {
                let most = decoder.max_utf8_buffer_length(octets.len()).unwrap_or(octets.len());
                let mut text = String::with_capacity(most);
                let _ = decoder.decode_to_string(octets, &mut text, is_last);
                Cow::Owned(text)
            }
        }
    }

    /// Returns what the reader should know of the encoding.
    pub(super) fn remark(&self) -> Option<String> {
        match self {
            Self::Stated(_, encoding) => {
                Some(format!("The text is decoded as {}, as the server states.", encoding.name()))
            }
            Self::Guessed(guess) => guess.was_windows.then(|| WINDOWS.to_owned()),
        }
    }
}

/// What is said of text that is not UTF-8.
pub(super) const WINDOWS: &str =
    "Some of the text is not UTF-8 and no encoding is stated, so that is shown as windows-1252.";

/// Returns a whole text, and what the reader should know of its encoding.
pub(super) fn whole<'o>(octets: &'o [u8], label: Option<&str>) -> (Cow<'o, str>, Option<String>) {
    let mut charset = Charset::new(label);
    let text = charset.decode(octets, true);
    (text, charset.remark())
}
