//! Writes JSON objects, one per line, with the keys and their order of `spec/command.md`. This
//! module has the objects that several verbs share; those of a single verb are declared with it.

mod error;
mod escape;
mod finding;
mod object;
mod scheme;

use std::borrow::Cow;
use std::io::{self, Write};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;

pub(crate) use error::ErrorObject;
pub(crate) use finding::FindingObject;
pub(crate) use object::Object;

/// Writes an object and ends the line.
pub(crate) fn line(out: &mut impl Write, object: &impl Serialize) -> io::Result<()> {
    object.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, escape::Terminal))?;
    out.write_all(b"\n")
}

/// Returns bytes as text; invalid UTF-8 with U+FFFD, and also in base64.
pub(crate) fn text_of(octets: &[u8]) -> (Cow<'_, str>, Option<String>) {
    match std::str::from_utf8(octets) {
        Ok(text) => (Cow::Borrowed(text), None),
        Err(_) => (String::from_utf8_lossy(octets), Some(BASE64_STANDARD.encode(octets))),
    }
}
