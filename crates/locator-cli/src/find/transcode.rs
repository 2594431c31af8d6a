//! Octets of a known encoding in, the same text in UTF-8 out, as it comes. Follows the Encoding standard: a byte order mark
//! counts for more than what is known.

use std::io::{self, BufRead, BufReader, Read};

use encoding_rs::{CoderResult, Decoder, Encoding};

/// A text that is decoded as it is read.
pub(super) struct Transcode<R> {
    from: BufReader<R>,
    decoder: Decoder,
    /// What is decoded, and from where on it is not given out yet.
    text: Vec<u8>,
    at: usize,
    is_last: bool,
}

/// How much is decoded at once.
const ROOM: usize = 16 * 1024;

impl<R: Read> Transcode<R> {
    /// A text in that encoding.
    pub(super) fn new(from: R, encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder();
        Self { from: BufReader::new(from), decoder, text: Vec::new(), at: 0, is_last: false }
    }

    fn decode_more(&mut self) -> io::Result<()> {
        let octets = self.from.fill_buf()?;
        let is_end = octets.is_empty();
        self.text.resize(ROOM, 0);
        let (result, read, written, _) = self.decoder.decode_to_utf8(octets, &mut self.text, is_end);
        self.is_last = is_end && result == CoderResult::InputEmpty;
        self.text.truncate(written);
        self.at = 0;
        self.from.consume(read);
        Ok(())
    }
}

impl<R: Read> Read for Transcode<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() && !self.is_last {
            self.decode_more()?;
        }
        let length = (&self.text[self.at..]).read(buffer)?;
        self.at += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{UTF_16LE, WINDOWS_1252};

    use super::*;

    fn decoded(octets: &[u8], encoding: &'static Encoding) -> String {
        let mut text = String::new();
        Transcode::new(octets, encoding).read_to_string(&mut text).expect("a slice can be read");
        text
    }

    #[test]
    fn a_text_is_decoded_to_its_end() {
        assert_eq!(decoded(b"caf\xE9", WINDOWS_1252), "café");
        assert_eq!(decoded(&b"\xE9".repeat(3 * ROOM), WINDOWS_1252), "é".repeat(3 * ROOM));
        assert_eq!(decoded(b"h\0\xE9\0\0", UTF_16LE), "hé\u{FFFD}");
        // Its mark says another one.
        assert_eq!(decoded("\u{FEFF}é".as_bytes(), WINDOWS_1252), "é");
    }
}
