//! Ports: of other protocols, reserved, out of range, and their form.

use alloc::format;
use alloc::string::String;

use super::check::{Check, Subject};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use locator::scheme::default_port;
use locator::{Component, internal};

pub(super) static CHECK: Check =
    Check { codes: &[&FOREIGN, &RESERVED, &ZERO, &TOO_LARGE, &EMPTY, &OTHER, &LEADING_ZEROS], run };

static FOREIGN: Code = Code {
    name: "foreign-port",
    severity: Severity::Low,
    precision: Precision::High,
    title: "the port is used by another protocol",
    advice: "remove the port, or make sure that the server there speaks the protocol of the scheme",
    citation: "RFC 1738, 6; Fetch Standard, 2.9",
    explanation: "A server of another protocol may execute the lines that a client sends for the URL: a gopher URL \
        with port 25 can send mail. Browsers refuse such ports.",
    example: "gopher://mail.example.com:25/",
};

static RESERVED: Code = Code {
    name: "reserved-port",
    severity: Severity::Low,
    precision: Precision::High,
    title: "the port is below 1024 and not the default of the scheme",
    advice: "remove the port, or make sure that the server there speaks the protocol of the scheme",
    citation: "RFC 1738, 6; RFC 6335, 6",
    explanation: "Ports below 1024 are assigned to services of the system. A URL that names one may be meant for \
        another protocol.",
    example: "http://www.example.com:82/",
};

static ZERO: Code = Code {
    name: "port-zero",
    severity: Severity::Medium,
    precision: Precision::VeryHigh,
    title: "the port is 0: some programs contact the default port, others refuse it",
    advice: "remove the port",
    citation: "RFC 6335, 6; Fetch Standard, 2.9",
    explanation: "Port 0 is reserved, and no server listens there. requests contacts port 80 for http://h:0/, \
        which evades a check of the port.",
    example: "http://www.example.com:0/",
};

static TOO_LARGE: Code = Code {
    name: "port-too-large",
    severity: Severity::Medium,
    precision: Precision::VeryHigh,
    title: "the port is above 65535",
    advice: "correct the port",
    citation: "RFC 3986, 3.2.3; RFC 9293, 3.1",
    explanation: "The grammar allows any number, but a port has 16 bits. A program that drops the others contacts \
        another port than the one that is checked.",
    example: "http://www.example.com:65616/",
};

static EMPTY: Code = Code {
    name: "empty-port",
    severity: Severity::Info,
    precision: Precision::VeryHigh,
    title: "the port is empty: the default port is meant",
    advice: "remove the \":\"",
    citation: "RFC 3986, 3.2.3",
    explanation: "\"URI producers and normalizers should omit the port component and its ':' delimiter if port is empty\".",
    example: "http://www.example.com:/",
};

static OTHER: Code = Code {
    name: "other-port",
    severity: Severity::Info,
    precision: Precision::VeryHigh,
    title: "the port is not the default of the scheme",
    advice: "make sure that the server there speaks the protocol of the scheme",
    citation: "RFC 1738, 6; RFC 3986, 7.2",
    explanation: "\"Caution should be used when using any URL which specifies a port number other than the default \
        for the protocol\". A client that contacts a server of another protocol may cause an unexpected operation.",
    example: "http://www.example.com:8080/",
};

static LEADING_ZEROS: Code = Code {
    name: "port-leading-zeros",
    severity: Severity::Info,
    precision: Precision::VeryHigh,
    title: "the port has leading zeros",
    advice: "remove the zeros",
    citation: "RFC 3986, 6.2.3",
    explanation: "The number is the same, but the text differs for a list of hosts and ports.",
    example: "http://www.example.com:0080/",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    let (Some(port), Some(span)) = (subject.get(Component::Port), subject.span(Component::Port)) else {
        return;
    };
    let new = |code| Finding::new(code, Component::Port, span.clone());
    if port.is_empty() {
        return findings.push(new(&EMPTY));
    }
    if !port.bytes().all(|octet| octet.is_ascii_digit()) {
        return;
    }
    if port.len() > 1 && port.starts_with('0') {
        findings.push(new(&LEADING_ZEROS));
    }
    match port.parse::<u16>() {
        Ok(0) => findings.push(new(&ZERO)),
        Ok(number) => {
            match internal::ports::foreign_port(subject.scheme(), number).map(|port| port.service()) {
                Some(Some(service)) => {
                    findings.push(
                        new(&FOREIGN)
                            .saying(format!("port {number} is for {service}, not for {}", subject.scheme())),
                    );
                }
                Some(None) => findings.push(new(&RESERVED)),
                // "Caution should be used when using any URL which specifies a port number other than
                // the default for the protocol, especially when it is a number within the reserved
                // space." (1997, 7; RFC 1738, 6; 2003, 7.2)
                None => {
                    if let Some(saying) = other(subject.scheme(), number) {
                        findings.push(new(&OTHER).saying(saying));
                    }
                }
            }
        }
        Err(_) => {
            let low = port
                .bytes()
                .fold(0_u16, |low, digit| low.wrapping_mul(10).wrapping_add(u16::from(digit - b'0')));
            let message =
                format!("the port is above 65535; a program that keeps 16 bits of it contacts port {low}");
            findings.push(new(&TOO_LARGE).saying(message));
        }
    }
}

/// Returns what is said of a port that is not the default of a scheme which has one.
fn other(scheme: &str, port: u16) -> Option<String> {
    let own = default_port(scheme).filter(|own| *own != port)?;
    Some(format!("the port is {port}; the default of {scheme} is {own}"))
}
