//! Domain names as IDNA reads them: takes the labels of a host, and reports A-labels and labels in letters that break a
//! rule (RFC 5891), hosts that are written in characters or escapes which programs replace, and letters that IDNA 2003
//! and IDNA 2008 read differently.
//!
//! The rules of labels are in `domain/idna.rs`; this runs after the check of the readers, which reports more if programs
//! contact different hosts.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::characters::does_harm;
use super::check::{Check, Excerpt, Subject};
use super::hosts::{DISGUISED_ADDRESS, DISGUISED_NAME, ODD_IPV4};
use super::reader::{DISAGREE, different_hosts};
use crate::domain::labels::{self, Label, may_have_letters_beyond_ascii};
use crate::domain::{self, idna};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use locator::Component;

pub(super) static CHECK: Check = Check { codes: &[&INVALID_LABEL, &MAPPED_HOST, &DEVIATION], run };

static INVALID_LABEL: Code = Code {
    name: "invalid-label",
    severity: Severity::Low,
    precision: Precision::VeryHigh,
    title: "a label of the host is not valid in IDNA 2008",
    advice: "refuse the URL",
    citation: "RFC 5891, 5.4",
    explanation: "An A-label (xn--\u{2026}) encodes letters. If it does not decode, or its letters would make another \
        A-label, some programs look it up as it is, others refuse it, and each shows something else. A label that begins \
        with a mark puts it over the character before it, a \".\" or \"/\"; joiners and letters that are written from \
        right to left, where they do not belong, make a host that is shown as another one.",
    example: "https://xn--z.example/",
};

static MAPPED_HOST: Code = Code {
    name: "mapped-host",
    severity: Severity::Low,
    precision: Precision::VeryHigh,
    title: "the host is written in characters that programs replace, so another text is contacted",
    advice: "compare the host that is contacted with your lists, not the text of the URL",
    citation: "UTS 46, 4; RFC 3491; RFC 3986, 3.2.2",
    explanation: "Programs map fullwidth, circled and mathematical letters, ligatures and the dots of East Asia to ASCII, \
        and decode escapes, before they look a host up. A list of denied hosts, or a search of logs, that compares texts \
        does not find the host.",
    example: "https://\u{FF47}ood.example/",
};

static DEVIATION: Code = Code {
    name: "idna-deviation",
    severity: Severity::Info,
    precision: Precision::VeryHigh,
    title: "the host has a letter or joiner that IDNA 2003 and IDNA 2008 read differently",
    advice: "write the ASCII form of the host (xn--\u{2026}) that is meant; register both names if they are yours",
    citation: "UTS 46, 6; RFC 5894, 7.2",
    explanation: "Sharp s, final sigma, ZERO WIDTH JOINER and ZERO WIDTH NON-JOINER are letters of their own in IDNA 2008 \
        and in browsers of today. Programs of IDNA 2003 write \"ss\" and another sigma, and remove the joiners, so they \
        contact another host.",
    example: "https://xn--fa-hia.example/",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    let Some(Excerpt { text: host, start }) = subject.dialled_host() else { return };
    if host.starts_with('[') || subject.least > Severity::Low || !may_have_letters_beyond_ascii(host) {
        return;
    }
    let all = labels::labels(host).collect::<Vec<_>>();
    let is_bidi = all.iter().any(|label| idna::is_right_to_left(&label.letters));
    for label in &all {
        label_findings(host, label, is_bidi, start, findings);
    }
    let span = start..start + host.len();
    let is_named = |findings: &Findings, codes: &[&Code]| {
        findings.spans_of(codes).iter().any(|named| named.start < span.end && span.start < named.end)
    };
    if subject.least == Severity::Info
        && !is_named(findings, &[&DISAGREE])
        && idna::without_deviations(&labels::decoded(host)).is_some()
        && let Some(message) = different_hosts(subject)
    {
        findings.push(Finding::new(&DEVIATION, Component::Host, span.clone()).saying(message));
    }
    // Others name the host that is contacted.
    if !is_named(findings, &[&DISAGREE, &DISGUISED_ADDRESS, &DISGUISED_NAME, &ODD_IPV4])
        && let Some(message) = mapped_message(host)
    {
        findings.push(Finding::new(&MAPPED_HOST, Component::Host, span.clone()).saying(message));
    }
}

/// Reports what is wrong with a label, or that programs of IDNA 2003 read its letters differently.
fn label_findings(host: &str, label: &Label, is_bidi: bool, start: usize, findings: &mut Findings) {
    let written = labels::decoded(host.get(label.span.clone()).unwrap_or_default());
    let new = |code| Finding::new(code, Component::Host, label.span.start + start..label.span.end + start);
    let is_a_label = labels::is_a_label(&written);
    // Characters that are not seen are reported as what they are.
    if !is_a_label && label.letters.chars().any(|c| does_harm(c) && !matches!(c, '\u{200C}' | '\u{200D}')) {
        return;
    }
    let fault = match is_a_label {
        true => idna::fault_of_a_label(&written, is_bidi),
        false => idna::fault(&label.letters, is_bidi),
    };
    if let Some(fault) = fault {
        findings.push(new(&INVALID_LABEL).citing(fault.citation()).saying(fault.message()));
    } else if is_a_label && let Some(old) = old_form(&label.letters) {
        let message =
            format!("in letters, programs of IDNA 2003 contact \"{old}\", and others \"{written}\"");
        findings.push(new(&DEVIATION).saying(message));
    }
}

/// Returns a label as IDNA 2003 reads its letters, if IDNA 2008 reads them differently.
fn old_form(letters: &str) -> Option<String> {
    let old = idna::without_deviations(letters)?;
    domain::ascii_form(old.as_bytes())
}

/// Returns which host is contacted, if the host is written in characters that IDNA maps, or in escapes.
fn mapped_message(host: &str) -> Option<String> {
    let decoded = labels::decoded(host);
    let is_escaped = *decoded != *host;
    let is_mapped = decoded.chars().any(idna::is_mapped);
    if !is_escaped && !is_mapped {
        return None;
    }
    let contacted = domain::ascii_form(decoded.as_bytes())?;
    let how = match (is_escaped, is_mapped) {
        (true, false) => "decode escapes",
        (true, true) => "decode escapes and apply IDNA",
        _ => "apply IDNA",
    };
    Some(format!("programs that {how} contact \"{contacted}\""))
}
