//! Writes JSON objects, one per line, with the keys and their order of `spec/command.md`. This
//! module has the objects that several verbs share; those of a single verb are declared with it.

mod error;
mod finding;
mod object;
mod scheme;

use std::borrow::Cow;
use std::io::{self, Write};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use serde_json::ser::Formatter;

pub(crate) use error::ErrorObject;
pub(crate) use finding::{FindingObject, FindingObjects};
pub(crate) use object::Object;

use crate::terminal::visible::does_harm;

/// Writes an object and ends the line.
pub(crate) fn line(out: &mut impl Write, object: &impl Serialize) -> io::Result<()> {
    object.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Terminal))?;
    out.write_all(b"\n")
}

/// Returns bytes as text; invalid UTF-8 with U+FFFD, and also in base64.
pub(crate) fn text_of(octets: &[u8]) -> (Cow<'_, str>, Option<String>) {
    match std::str::from_utf8(octets) {
        Ok(text) => (Cow::Borrowed(text), None),
        Err(_) => (String::from_utf8_lossy(octets), Some(BASE64_STANDARD.encode(octets))),
    }
}

/// Compact JSON that is safe for a terminal. JSON itself escapes only characters below U+0020. DEL, the
/// C1 controls and characters that reorder or hide text are allowed in a string, and a terminal would
/// act on them.
struct Terminal;

impl Formatter for Terminal {
    #[inline]
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        if fragment.bytes().all(|octet| octet < 0x7F) {
            return out.write_all(fragment.as_bytes());
        }
        write_escaping(out, fragment)
    }
}

#[cold]
fn write_escaping<W: ?Sized + Write>(out: &mut W, fragment: &str) -> io::Result<()> {
    let mut written = 0;
    for (index, c) in fragment.char_indices().filter(|&(_, c)| does_harm(c)) {
        out.write_all(&fragment.as_bytes()[written..index])?;
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}")?;
        }
        written = index + c.len_utf8();
    }
    out.write_all(&fragment.as_bytes()[written..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> String {
        let mut out = Vec::new();
        let mut to = serde_json::Serializer::with_formatter(&mut out, Terminal);
        text.serialize(&mut to).expect("a string can always be written");
        String::from_utf8(out).expect("what is written is text")
    }

    #[test]
    fn what_harms_a_terminal_is_escaped_and_stays_what_it_is() {
        let text = "é\u{7F}\u{9B}31m\u{202E}\u{FEFF}\u{E0001}\u{1B}\"\\\u{FFFD}.";
        let written = json(text);
        assert_eq!(written, r#""é\u007f\u009b31m\u202e\ufeff\udb40\udc01\u001b\"\\�.""#);
        assert_eq!(serde_json::from_str::<String>(&written).expect("it is JSON"), text);
    }
}
