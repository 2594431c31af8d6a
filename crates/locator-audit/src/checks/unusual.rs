//! Hosts that are no names of the DNS and no addresses, although a grammar may allow them: takes the
//! host of a URL whose scheme connects.

use alloc::format;

use super::check::{Check, Subject};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use crate::schemes;
use locator::Component;

pub(super) static CHECK: Check = Check { codes: &[&CHARACTER, &LITERAL, &OPTION], run };

static CHARACTER: Code = Code {
    name: "odd-host-character",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "the host has a character that is in no host name",
    advice: "allow letters, digits, \"-\" and dots in hosts, and compare the whole host",
    citation: "RFC 1123, 2.1; RFC 3986, 3.2.2",
    explanation: "RFC 3986 allows punctuation such as \"&\" in a host, and browsers look such names up; host names have \
        letters, digits and hyphens. A person, or a check for \"good.example\" followed by something that is no letter, \
        takes what is before it for the host.",
    example: "https://good.example&.evil.example/",
};

static LITERAL: Code = Code {
    name: "odd-ip-literal",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "between the brackets is no IPv6 address",
    advice: "refuse the URL",
    citation: "RFC 3986, 3.2.2",
    explanation: "Only IPv6 addresses are written in brackets today. Some programs take anything else for a name, \
        ignore the brackets, or map characters such as \u{246B} to digits.",
    example: "http://[v1.evil.example]/",
};

static OPTION: Code = Code {
    name: "looks-like-option",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "a program that is called with the host or the user may take it for an option",
    advice: "refuse the URL, or put \"--\" before the argument",
    citation: "RFC 3986, 7.3; CVE-2017-1000117",
    explanation: "A host or user that begins with \"-\" is an option for ssh and other programs that are called with it. \
        No host name begins with a hyphen (RFC 1123, 2.1).",
    example: "ssh://-oProxyCommand=calc/",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    let (Some(host), Some(span)) = (subject.get(Component::Host), subject.span(Component::Host)) else {
        return;
    };
    if subject.least > Severity::Medium {
        return;
    }
    let scheme = subject.scheme();
    // Clients of the web are not called with a host.
    let may_be_argument = !schemes::is_usual(scheme);
    let user = subject.get(Component::Userinfo).unwrap_or_default();
    if may_be_argument && user.starts_with('-') {
        let span = subject.span(Component::Userinfo).unwrap_or_default();
        findings.push(Finding::new(&OPTION, Component::Userinfo, span));
    }
    if may_be_argument && host.starts_with('-') {
        findings.push(Finding::new(&OPTION, Component::Host, span));
        return;
    }
    if host.is_empty() || !scheme.is_empty() && !schemes::connects_to_host(scheme) {
        return;
    }
    if host.starts_with('[') {
        if is_odd_literal(host) {
            findings.push(Finding::new(&LITERAL, Component::Host, span));
        }
        return;
    }
    let mut start = 0;
    for label in host.split('.') {
        // At an end it is a quotation mark or a typing error: the trick has a name before and after it.
        let is_inside = |at: &usize| start + at > 0 && start + at + 1 < host.len();
        if let Some(at) = label.find(is_odd).filter(is_inside).filter(|_| !is_placeholder(label)) {
            let (at, c) = (span.start + start + at, label[at..].chars().next().unwrap_or_default());
            let message = format!("the host has \"{c}\", which is in no host name");
            findings.push(Finding::new(&CHARACTER, Component::Host, at..at + 1).saying(message));
            return;
        }
        start += label.len() + 1;
    }
}

/// Returns whether an ASCII character is in no host name. Escapes, brackets and white space are the
/// matter of other checks; placeholders have "<", ">", "{" and "}".
const fn is_odd(c: char) -> bool {
    matches!(
        c,
        '!' | '"' | '$' | '&' | '\'' | '(' | ')' | '*' | '+' | ',' | ';' | '=' | '`' | '~' | '^' | '|'
    )
}

/// Returns whether a label is a variable, a wildcard, or has an expression: `$HOST`, `*`, `${host}`.
fn is_placeholder(label: &str) -> bool {
    label == "*"
        || label.contains(['{', '<'])
        || label.strip_prefix('$').is_some_and(|name| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        })
}

/// Returns whether brackets have something that looks like a host, but is no IPv6 address: `[host]` is
/// a placeholder.
fn is_odd_literal(host: &str) -> bool {
    let Some(content) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else { return false };
    let address = content.split('%').next().unwrap_or_default();
    (!content.is_ascii() || address.contains(['.', ':']))
        && !content.contains(['{', '<', '$'])
        && address.parse::<core::net::Ipv6Addr>().is_err()
}
