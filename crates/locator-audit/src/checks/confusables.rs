//! Hosts that look like other hosts: takes the labels of a host in letters, and reports scripts that
//! are mixed, labels of another script that look like Latin, characters without a meaning, and names
//! that imitate a protected one (UTS 39).

use alloc::format;
use alloc::string::String;
use core::ops::Range;

use super::check::{Check, Excerpt, Subject};
use crate::domain::labels::{Label, labels, may_have_letters_beyond_ascii};
use crate::domain::look;
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use locator::Component;

pub(super) static CHECK: Check =
    Check { codes: &[&MIXED_SCRIPTS, &WHOLE_SCRIPT, &UNASSIGNED, &DELIMITER_LOOK_ALIKE, &IMITATION], run };

static MIXED_SCRIPTS: Code = Code {
    name: "mixed-scripts",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "a label of the host mixes scripts that are not used together",
    advice: "compare the ASCII form of the host (xn--…) with that of the host you expect",
    citation: "UTS 39, 5.2",
    explanation: "A letter of another script makes another host that looks the same: \"p\u{430}ypal\" with a Cyrillic \"a\". \
        Latin is used together with the scripts of Chinese, Japanese and Korean, and with no other (\"highly \
        restrictive\"). Browsers show the ASCII form of such a host.",
    example: "https://p\u{430}ypal.example/",
};

static WHOLE_SCRIPT: Code = Code {
    name: "whole-script-confusable",
    severity: Severity::Medium,
    precision: Precision::Medium,
    title: "a label of the host looks like Latin letters, but all its letters are of another script",
    advice: "compare the ASCII form of the host (xn--…) with that of the host you expect",
    citation: "UTS 39, 4.1",
    explanation: "Each letter of \"\u{430}\u{440}\u{440}\u{4CF}\u{435}\" is Cyrillic. Browsers show the ASCII form of such a label, unless the \
        top-level domain is of the same script, or that of a country that writes in it.",
    example: "https://\u{430}\u{440}\u{440}\u{4CF}\u{435}.example/",
};

static UNASSIGNED: Code = Code {
    name: "unassigned-character",
    severity: Severity::Medium,
    precision: Precision::VeryHigh,
    title: "the host has a code point without a character: not assigned, for private use, or a noncharacter",
    advice: "refuse the URL",
    citation: "RFC 5892, 2.10; UTS 46, 4.1",
    explanation: "No host can be registered with such a code point. It is shown as a box or not at all. Whether it is \
        refused, mapped or looked up depends on the version of Unicode that a program knows.",
    example: "https://a\u{378}b.example/",
};

static DELIMITER_LOOK_ALIKE: Code = Code {
    name: "delimiter-look-alike",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "a character of the host looks like a delimiter, but is not one",
    advice: "compare the ASCII form of the host (xn--…) with that of the host you expect",
    citation: "UTS 39, 4; UTR 36, 2.4",
    explanation: "In https://good.example\u{2044}login.evil.example/ the host ends in \"evil.example\": the character after \
        \"good.example\" is a fraction slash, not the \"/\" that ends a host.",
    example: "https://good.example\u{2044}login.evil.example/",
};

static IMITATION: Code = Code {
    name: "imitates-protected-name",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "the host looks like a name that is protected, or contains it, but it is another host",
    advice: "do not enter a password there; compare the host letter by letter",
    citation: "UTS 39, 4; RFC 3986, 7.6",
    explanation: "Names are compared by how they look, without marks: paypa1, p\u{430}ypal and p\u{E1}ypal like paypal, \
        rnicrosoft like microsoft. The name before another domain (paypal.com.evil.example) is reported as well. The \
        names are those of `--protect FILE`; a protected name and its subdomains are never reported.",
    example: "https://www.examp1e.com/",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    let is_literal = |host: &Excerpt<'_>| host.text.starts_with('[');
    let Some(Excerpt { text: host, start }) = subject.dialled_host().filter(|host| !is_literal(host)) else {
        return;
    };
    if may_have_letters_beyond_ascii(host) {
        label_findings(host, start, findings);
    }
    let Some(protected) = subject.protected else { return };
    if let Some(imitation) = protected.find(labels(host)) {
        let span = imitation.span.start + start..imitation.span.end + start;
        findings.push(Finding::new(&IMITATION, Component::Host, span).saying(imitation.message()));
    }
}

fn label_findings(host: &str, start: usize, findings: &mut Findings) {
    let top = labels(host).last().map(|label| label.letters).unwrap_or_default();
    for label in labels(host) {
        let span = label.span.start + start..label.span.end + start;
        if !label.letters.is_ascii() {
            look_findings(&label, &top, span, findings);
        }
    }
}

fn look_findings(label: &Label, top: &str, span: Range<usize>, findings: &mut Findings) {
    let new = |code| Finding::new(code, Component::Host, span.clone());
    let letters = &*label.letters;
    if let Some(c) = letters.chars().find(|c| look::is_unassigned(*c)) {
        let message = format!("U+{:04X} in the host is not assigned to a character", u32::from(c));
        findings.push(new(&UNASSIGNED).saying(message));
    }
    let alike = letters.chars().find_map(|c| look::delimiter_look(c).map(|delimiter| (c, delimiter)));
    if let Some((c, delimiter)) = alike {
        let message = format!("U+{:04X} in the host looks like \"{delimiter}\"", u32::from(c));
        findings.push(new(&DELIMITER_LOOK_ALIKE).saying(message));
    }
    if look::is_mixed(letters) {
        let message = format!("a label of the host mixes {}", listed(&look::script_names(letters)));
        findings.push(new(&MIXED_SCRIPTS).saying(message));
    } else if let Some(look) = look::whole_script_look(letters, top) {
        let script = look::script_names(letters).first().copied().unwrap_or_default();
        let message = format!("a label of the host looks like \"{look}\", but its letters are {script}");
        findings.push(new(&WHOLE_SCRIPT).saying(message));
    }
}

/// Returns the names as a list: `Latin, Greek and Cyrillic`.
fn listed(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    }
}
