//! Form: what is invalid, not normal, or long. Most of it is usual, and of the least severity.

use super::check::{Check, Subject};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use alloc::format;
use locator::{Component, Level, ParseError, UriRef, edition, scheme};

pub(super) static CHECK: Check = Check { codes: &[&INVALID, &OLD_EDITION, &NOT_NORMAL, &LONG], run };

static INVALID: Code = Code {
    name: "invalid",
    severity: Severity::Low,
    precision: Precision::VeryHigh,
    title: "the URL is not valid, so programs treat it differently",
    advice: "correct the URL at its source, or refuse it",
    citation: "RFC 3986, appendix A",
    explanation: "A program either refuses an invalid URL or repairs it in its own way. `locator check` shows where the \
        first error is.",
    example: "https://host.example/a|b",
};

static OLD_EDITION: Code = Code {
    name: "old-edition",
    severity: Severity::Info,
    precision: Precision::VeryHigh,
    title: "not every edition of the standard allows the URL",
    advice: "nothing, unless programs that follow an old edition read it",
    citation: "RFC 3986, appendix D",
    explanation: "An older edition does not allow a character or the form of the URL. One URL in seven is like this.",
    example: "https://host.example/~anna",
};

static NOT_NORMAL: Code = Code {
    name: "not-normal",
    severity: Severity::Info,
    precision: Precision::VeryHigh,
    title: "the URL is not in normal form",
    advice: "normalise URLs before you compare them with a list",
    citation: "RFC 3986, 6.2.2",
    explanation: "An equivalent URL has another spelling, so a comparison of characters finds that they differ.",
    example: "HTTPS://host.example/%7Eanna",
};

static LONG: Code = Code {
    name: "long",
    severity: Severity::Info,
    precision: Precision::High,
    title: "the URL is longer than some programs allow",
    advice: "send data in the body of a request",
    citation: "RFC 9110, 4.1",
    explanation: "Programs should support 8,000 octets at least; some truncate or refuse longer URLs.",
    example: LONG_EXAMPLE,
};

/// The octets that programs should support at least (RFC 9110, 4.1).
const USUAL: usize = 8_000;

const LONG_EXAMPLE: &str = {
    const OCTETS: [u8; USUAL + 1] = {
        let start = b"https://host.example/";
        let mut octets = [b'a'; USUAL + 1];
        let mut i = 0;
        while i < start.len() {
            octets[i] = start[i];
            i += 1;
        }
        octets
    };
    match core::str::from_utf8(&OCTETS) {
        Ok(text) => text,
        Err(_) => "",
    }
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    let (text, whole) = (subject.text, 0..subject.text.len());
    if subject.parsed.is_ok() && subject.least > Severity::Info && !subject.has_rules {
        return;
    }
    let checked = subject.parsed.and_then(|reference| match scheme::check(reference) {
        Some(checked) => checked.map(|()| reference),
        None => Ok(reference),
    });
    let reference = match checked {
        Ok(reference) => reference,
        Err(error) => return invalid(subject, error, findings),
    };
    if subject.least > Severity::Info {
        return;
    }
    let is_refused =
        |edition: &&&'static edition::Edition| scheme::errors_with(text, edition).next().is_some();
    if let Some(refusing) = edition::ALL.iter().rev().find(is_refused) {
        let message = format!("{} does not allow the URL", refusing.name);
        findings.push(Finding::new(&OLD_EDITION, Component::Reference, whole.clone()).saying(message));
    }
    let mut push = |code| findings.push(Finding::new(code, Component::Reference, whole.clone()));
    if !reference.is_normalized(Level::Scheme) {
        push(&NOT_NORMAL);
    }
    if text.len() > USUAL {
        push(&LONG);
    }
}

/// Reports the first error, unless another check explains it. An IRI is usual where a URI is expected,
/// and white space around the URL is another finding.
fn invalid(subject: &Subject<'_>, error: ParseError, findings: &mut Findings) {
    let text = subject.text.trim();
    let start = subject.text.len() - subject.text.trim_start().len();
    let is_iri = !text.is_ascii() && UriRef::parse_with(text, &edition::RFC3987).is_ok();
    if is_iri {
        return;
    }
    if text.len() == subject.text.len() {
        push_invalid(Finding::new(&INVALID, error.component(), error.span()), findings, |finding| {
            finding.saying(format!("{}: {error}", INVALID.title))
        });
    } else if let Err(error) = UriRef::parse_with(text, subject.edition()) {
        // The message would count bytes from the first that is not white space.
        let range = start + error.span().start..start + error.span().end;
        push_invalid(Finding::new(&INVALID, error.component(), range), findings, |finding| finding);
    }
}

/// Appends a finding with its message, which is made last because it takes longest.
fn push_invalid(finding: Finding, findings: &mut Findings, with_message: impl FnOnce(Finding) -> Finding) {
    if !findings.are_about(finding.span().start, finding.severity()) {
        findings.push(with_message(finding));
    }
}
