//! Text on a terminal: decoded, with control characters shown as codes.

use std::io::{self, Write};

use encoding_rs::{Decoder, Encoding, UTF_8};
use locator::plan::{Object, ObjectKind};

use crate::output::Output;
use crate::terminal::visible::{legible, looks_binary};

/// Writes a text to a terminal, piece by piece.
pub(super) struct Text {
    decoder: Decoder,
    /// Whether the body is text; `None` if its first bytes decide.
    is_text: Option<bool>,
    /// Whether a CR was read whose LF may follow.
    has_return: bool,
    ends_line: bool,
}

impl Text {
    /// Begins a body.
    pub(super) fn new(object: &Object, charset: Option<&str>) -> Self {
        let encoding = charset.and_then(|name| Encoding::for_label(name.as_bytes())).unwrap_or(UTF_8);
        let decoder = encoding.new_decoder();
        Self { decoder, is_text: is_text(object), has_return: false, ends_line: true }
    }

    /// Returns whether the body is binary data; these are its next bytes.
    pub(super) fn refuses(&mut self, octets: &[u8]) -> bool {
        !*self.is_text.get_or_insert_with(|| !looks_binary(octets))
    }

    /// Writes the next bytes.
    pub(super) fn write(&mut self, octets: &[u8], out: &mut Output) -> io::Result<()> {
        self.decode(octets, false, out)
    }

    /// Writes what is left, and ends the line.
    pub(super) fn end(&mut self, out: &mut Output) -> io::Result<()> {
        self.decode(b"", true, out)?;
        if self.has_return {
            write!(out, "{}", legible("\r"))?;
        }
        if self.ends_line { Ok(()) } else { writeln!(out) }
    }

    fn decode(&mut self, octets: &[u8], is_last: bool, out: &mut Output) -> io::Result<()> {
        let most = self.decoder.max_utf8_buffer_length(octets.len()).unwrap_or(octets.len());
        let mut text = String::with_capacity(most);
        let _ = self.decoder.decode_to_string(octets, &mut text, is_last);
        self.write_text(&text, out)
    }

    fn write_text(&mut self, text: &str, out: &mut impl Write) -> io::Result<()> {
        for piece in text.split_inclusive(['\n', '\r', '\t']) {
            if self.has_return && piece != "\n" {
                write!(out, "{}", legible("\r"))?;
            }
            self.has_return = piece.ends_with('\r');
            let (inner, end) = match piece.as_bytes() {
                [.., b'\n' | b'\t'] => piece.split_at(piece.len() - 1),
                [.., b'\r'] => (&piece[..piece.len() - 1], ""),
                _ => (piece, ""),
            };
            write!(out, "{}{end}", legible(inner))?;
            self.ends_line = end == "\n";
        }
        Ok(())
    }
}

/// Returns whether a body is text, if its kind or its media type says so.
fn is_text(object: &Object) -> Option<bool> {
    let media_type = object.media_type.as_deref().unwrap_or_default().to_ascii_lowercase();
    match object.kind {
        _ if media_type.starts_with("text/") || media_type.starts_with("message/") => Some(true),
        _ if media_type.starts_with("image/") || media_type.starts_with("audio/") => Some(false),
        ObjectKind::Binary | ObjectKind::Unknown => None,
        _ => Some(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written of a text that comes in pieces of any size.
    fn written(octets: &[u8]) -> String {
        let object = Object::new(ObjectKind::Text, "a text", locator::plan::Framing::Connection);
        let by = |size: usize| {
            let mut text = Text::new(&object, None);
            let mut out = Vec::new();
            for piece in octets.chunks(size) {
                let mut decoded = String::with_capacity(64 + 3 * piece.len());
                let _ = text.decoder.decode_to_string(piece, &mut decoded, false);
                text.write_text(&decoded, &mut out).unwrap();
            }
            String::from_utf8(out).unwrap()
        };
        assert_eq!(by(1), by(1000));
        by(1)
    }

    #[test]
    fn controls_are_written_by_code() {
        assert_eq!(written(b"a\tb\r\nc\rd\n\x1B[2Je\n"), "a\tb\nc<U+000D>d\n<U+001B>[2Je\n");
        assert_eq!(written("é\u{202E}x\r\r\n".as_bytes()), "é<U+202E>x<U+000D>\n");
        assert_eq!(written(b"latin \xE9\n"), "latin \u{FFFD}\n");
    }
}
