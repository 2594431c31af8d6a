//! Values in, one JSON object a line out, for programs: the keys and their order are those of `spec/command.md`.
//! Here are the objects that several verbs have; those of one verb alone are declared with it.

mod error;
mod escape;
mod object;
mod scheme;

use std::borrow::Cow;
use std::io::{self, Write};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;

pub(crate) use error::ErrorObject;
pub(crate) use object::Object;

/// Writes an object and ends the line.
pub(crate) fn line(out: &mut impl Write, object: &impl Serialize) -> io::Result<()> {
    object.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, escape::Terminal))?;
    out.write_all(b"\n")
}

/// What is no UTF-8 is shown with U+FFFD, and given in base64 as it is.
pub(crate) fn text_of(octets: &[u8]) -> (Cow<'_, str>, Option<String>) {
    match std::str::from_utf8(octets) {
        Ok(text) => (Cow::Borrowed(text), None),
        Err(_) => (String::from_utf8_lossy(octets), Some(BASE64_STANDARD.encode(octets))),
    }
}
