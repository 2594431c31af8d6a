//! The objects of `audit --json`, key by key in their order.

use std::borrow::Cow;
use std::io;

use locator_audit::{Argued, Argument, Code, Contacted, Finding, Outcome, Returned};
use serde::Serialize;

use super::audited::Audited;
use crate::input::Origin;
use crate::output::Output;
use crate::report::baseline::secret_hash;
use crate::report::json::{self, FindingObject, text_of};

/// Writes a URL with its findings.
pub(super) fn write(out: &mut Output, audited: &Audited<'_>) -> io::Result<()> {
    json::line(out, &UrlObject::new(audited))
}

/// Writes what a code is.
pub(super) fn write_code(out: &mut Output, code: &Code) -> io::Result<()> {
    json::line(out, &CodeObject::new(code))
}

/// A URL with findings.
#[derive(Serialize)]
struct UrlObject<'a> {
    input: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redacted: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret_hash: Option<String>,
    findings: Vec<FindingObject<'a>>,
    /// The hosts as they are dialled, that of the edition first.
    hosts: Vec<String>,
    contacts: Vec<ContactObject>,
    /// The hosts that are returned and not contacted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    returned: Vec<ReturnedObject>,
    /// The readers that open a file of their own machine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    opens_file: Vec<&'static str>,
    /// The readers that stay at the server of a base that nobody has set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    at_base: Vec<&'static str>,
    /// What programs do with the text as their argument.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    as_argument: Vec<ArgumentObject>,
}

/// What some programs do with a text without a scheme that is their argument.
#[derive(Serialize)]
struct ArgumentObject {
    does: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<u16>,
    programs: Vec<&'static str>,
}

impl ArgumentObject {
    fn new(audited: &Audited<'_>, argued: &Argued) -> Self {
        let (does, contact) = match &argued.outcome {
            Argument::Contact(contact) => ("contacts", Some(contact)),
            Argument::File => ("reads-file", None),
            Argument::Search => ("searches", None),
            _ => ("rejects", None),
        };
        Self {
            does,
            scheme: contact.map(|contact| contact.scheme().to_owned()),
            host: contact.map(|contact| audited.host(contact.host())),
            port: contact.and_then(|contact| contact.port()),
            programs: argued.programs.iter().map(|program| program.name()).collect(),
        }
    }
}

/// A host that some readers return, and none of them can contact.
#[derive(Serialize)]
struct ReturnedObject {
    host: String,
    readers: Vec<&'static str>,
}

/// What some readers contact.
#[derive(Serialize)]
struct ContactObject {
    scheme: String,
    host: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<u16>,
    readers: Vec<&'static str>,
}

impl<'a> UrlObject<'a> {
    fn new(audited: &'a Audited<'_>) -> Self {
        let Audited { located, shown, .. } = audited;
        let input = located.input;
        let of_cell = audited.place.filter(|_| input.column.is_some());
        let place = located.place.as_ref().or(of_cell);
        let file = place.and_then(|place| place.file.as_deref());
        let (file, file_base64) =
            file.map(text_of).map_or((None, None), |(text, base64)| (Some(text), base64));
        let number = |origin| (place.is_none() && input.origin == origin).then_some(input.number);
        let (is_redacted, readings) = (!shown.hidden().is_empty(), audited.readings());
        let names =
            |found: &Contacted<'_>| found.readers.iter().map(|reader| reader.name()).collect::<Vec<_>>();
        let contact = |found: &Contacted<'_>| ContactObject {
            scheme: found.contact.scheme().to_owned(),
            host: audited.host(found.contact.host()),
            port: found.contact.port(),
            readers: names(found),
        };
        let returned = |found: &Returned<'_>| ReturnedObject {
            host: audited.returned(found),
            readers: found.readers.iter().map(|reader| reader.name()).collect(),
        };
        let finding = |finding| {
            let span = located.octets_of(Finding::span(finding));
            FindingObject::new(finding, span, audited.message(finding))
        };
        Self {
            input: shown.slice(0..shown.as_str().len()),
            input_base64: text_of(located.octets()).1.filter(|_| !is_redacted),
            file,
            file_base64,
            argument: number(Origin::Argument),
            line: place.map(|place| place.line).or(number(Origin::Line)),
            item: number(Origin::Item),
            column: place.and_then(|place| place.column),
            redacted: is_redacted.then_some(true),
            secret_hash: is_redacted.then(|| secret_hash(audited.hidden)).flatten(),
            findings: audited.findings().map(finding).collect(),
            hosts: readings.hosts().into_iter().map(|host| audited.host(host)).collect(),
            contacts: readings.contacts().iter().map(contact).collect(),
            returned: readings.returned().iter().map(returned).collect(),
            opens_file: readings
                .outcomes()
                .filter(|(_, outcome)| **outcome == Outcome::File)
                .map(|(reader, _)| reader.name())
                .collect(),
            at_base: readings.at_base().iter().flat_map(names).collect(),
            as_argument: audited.arguments().iter().map(|one| ArgumentObject::new(audited, one)).collect(),
        }
    }
}

/// What a code is.
#[derive(Serialize)]
struct CodeObject {
    code: &'static str,
    severity: &'static str,
    precision: &'static str,
    title: &'static str,
    explanation: &'static str,
    example: &'static str,
    advice: &'static str,
    see: &'static str,
}

impl CodeObject {
    const fn new(code: &Code) -> Self {
        Self {
            code: code.name(),
            severity: code.severity().name(),
            precision: code.precision().name(),
            title: code.title(),
            explanation: code.explanation(),
            example: code.example(),
            advice: code.advice(),
            see: code.citation(),
        }
    }
}
