//! Paths: ".." above the root.

use super::check::{Check, Subject};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use locator::Component;

pub(super) static CHECK: Check = Check { codes: &[&ABOVE_ROOT], run };

static ABOVE_ROOT: Code = Code {
    name: "dots-above-root",
    severity: Severity::Low,
    precision: Precision::High,
    title: "more \"..\" than there are directories",
    advice: "remove dot-segments before the path is used, and refuse what remains",
    citation: "RFC 3986, 5.4.2",
    explanation: "RFC 3986 and browsers remove such segments; a server or a program that joins the path to a directory \
        leaves it.",
    example: "https://host.example/../../etc/passwd",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    let Some(span) = subject.span(Component::Path) else { return };
    let Some(path) = subject.get(Component::Path) else { return };
    // A relative reference may lead upwards.
    if !path.starts_with('/') || !path.contains("..") {
        return;
    }
    let (mut depth, mut at) = (0_usize, 1);
    for segment in path[1..].split('/') {
        match segment {
            ".." if depth == 0 => {
                let start = span.start + at;
                findings.push(Finding::new(&ABOVE_ROOT, Component::Path, start..start + 2));
                return;
            }
            ".." => depth -= 1,
            "." => {}
            _ => depth += 1,
        }
        at += segment.len() + 1;
    }
}
