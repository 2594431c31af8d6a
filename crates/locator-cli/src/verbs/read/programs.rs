//! What current programs make of a text that they do not all read as the edition does: a mark in
//! `read -e all`.

use std::borrow::Cow;
use std::io::{self, Write};

use locator_audit::{Contacted, Readings, Returned};
use serde::Serialize;

use crate::output::Output;
use crate::output::paragraph;
use crate::terminal::paint::{BAD, WARN};
use crate::terminal::{secrets, visible};

/// What programs contact, if they do not agree.
pub(super) struct Programs(Option<Readings>);

impl Programs {
    /// Asks the readers of `audit`.
    pub(super) fn of(text: &str) -> Self {
        let text = text.trim_matches([' ', '\t', '\n', '\r']);
        Self(Some(Readings::new(text, None)).filter(|readings| !readings.agree()))
    }

    /// Writes a line that says whom programs contact, if they do not agree.
    pub(super) fn write(&self, out: &mut Output) -> io::Result<()> {
        let Some(readings) = &self.0 else { return Ok(()) };
        let paint = out.paint;
        let contacts = readings.contacts();
        let names = contacts.iter().filter(|found| found.is_current()).map(shown);
        let at_base = readings.at_base().filter(Contacted::is_current);
        let names =
            names.chain(at_base.map(|_| "the server of the base, as for a relative reference,".into()));
        let names = names.collect::<Vec<_>>().join(" or ");
        let returned = readings.returned();
        let others = returned.iter().filter(|found| found.is_current()).map(host_of);
        let others = others.collect::<Vec<_>>().join(" or ");
        let also = if others.is_empty() { String::new() } else { format!(", and return the host {others}") };
        let sentence = format!("current programs contact {}{}", visible(&names), visible(&also));
        write!(out, "{} ", paint.with(WARN, "≠"))?;
        paragraph::short(out, 2, BAD, &sentence, [" ", "(locator audit --readings)"])
    }

    /// Returns the contacts as objects; empty if programs agree.
    pub(super) fn objects(&self) -> Vec<ContactObject> {
        let Some(readings) = &self.0 else { return Vec::new() };
        readings.contacts().iter().map(ContactObject::new).collect()
    }

    /// Returns the readers to which the text is relative, if programs do not agree; `read` has no base.
    pub(super) fn at_base(&self) -> Vec<&'static str> {
        let at_base = self.0.as_ref().and_then(Readings::at_base);
        at_base.map(|found| found.readers.iter().map(|reader| reader.name()).collect()).unwrap_or_default()
    }
}

/// Returns `http://host:80`, without what may be a part of a password.
fn shown(found: &Contacted<'_>) -> Cow<'static, str> {
    if found.is_of_password && !secrets::are_shown() {
        "a part of the password".into()
    } else {
        found.contact.to_string().into()
    }
}

/// Returns a host that is returned, unless it may be a part of a password.
fn host_of<'a>(found: &Returned<'a>) -> &'a str {
    if found.is_of_password && !secrets::are_shown() { "(a part of the password)" } else { found.host }
}

/// What some readers contact.
#[derive(Serialize)]
pub(super) struct ContactObject {
    scheme: String,
    host: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<u16>,
    readers: Vec<&'static str>,
}

impl ContactObject {
    fn new(found: &Contacted<'_>) -> Self {
        Self {
            scheme: found.contact.scheme().to_owned(),
            host: found.contact.host().to_string(),
            port: found.contact.port(),
            readers: found.readers.iter().map(|reader| reader.name()).collect(),
        }
    }
}
