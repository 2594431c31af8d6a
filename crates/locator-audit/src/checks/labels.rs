//! Names with a private address in a label, which are usually answered with that address.

use alloc::format;

use super::check::{Check, Excerpt, Subject};
use crate::address::label::{LabelAddress, private_in_label};
use crate::domain::special::{self as names, SpecialUse};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use crate::plain::ordinary::has_dashed_address;
use locator::Component;

pub(super) static CHECK: Check = Check { codes: &[&PRIVATE_LABEL], run };

static PRIVATE_LABEL: Code = Code {
    name: "private-address-in-name",
    severity: Severity::Low,
    precision: Precision::Medium,
    title: "a label of the host is a private address",
    advice: "check the address that the name resolves to, not the name",
    citation: "RFC 1918, 5",
    explanation: "Services that give devices in private networks a certificate, such as Plex, clouds and companies, answer \
        10-0-0-1.example.com with 10.0.0.1. A list of forbidden names does not know it, and whoever has the domain can \
        change the answer between a check and the request (DNS rebinding).",
    example: "https://192-168-1-20.devices.example.net/",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    if subject.least > Severity::Low || !subject.get(Component::Host).is_some_and(has_dashed_address) {
        return;
    }
    let Some(Excerpt { text: host, start }) = subject.dialled_host() else { return };
    // These have their own findings.
    let is_special = names::special(host).is_some_and(|special| special.for_use != SpecialUse::Example);
    if is_special || names::wildcard_name(host).is_some() {
        return;
    }
    if let Some(LabelAddress { address, span }) = private_in_label(host) {
        let message = format!("a label of the host is {address}, which such names are usually answered with");
        let span = start + span.start..start + span.end;
        findings.push(Finding::new(&PRIVATE_LABEL, Component::Host, span).saying(message));
    }
}
