//! What is dangerous in a URL: the findings of the audit with their severity and advice.

use alloc::vec::Vec;

use crate::report::words::{fact, is_about_readers};
use locator_audit::Finding;
use maud::{Markup, html};

use crate::section;
use crate::subject::Subject;
use crate::text::{marked, sentence};

/// Returns the section.
pub(crate) fn section(subject: &Subject<'_>) -> Markup {
    let mut findings: Vec<_> = subject.findings.iter().collect();
    findings.sort_by_key(|finding| core::cmp::Reverse(finding.severity()));
    let body = html! {
        @if findings.is_empty() { p.verdict.good { "Nothing dangerous was found." } }
        @else {
            ul.findings { @for finding in findings { li class=(finding.severity().name()) { (one(subject, finding)) } } }
        }
    };
    section::section("findings", "What is dangerous", &body)
}

fn one(subject: &Subject<'_>, finding: &Finding) -> Markup {
    let code = finding.code();
    let marks = [(finding.span(), finding.severity().name())];
    html! {
        p {
            strong.severity { (finding.severity().name()) } " "
            (words(subject, finding))
        }
        p.url { code.text { (marked(&subject.redacted, &marks)) } }
        p { (code.advice()) }
        details {
            summary { "Why: " code { (code.name()) } ", " (finding.citation()) }
            @for paragraph in code.explanation().split("\n\n") { p { (paragraph) } }
        }
    }
}

/// The sentence. That about programs is long, and what is above says it.
fn words(subject: &Subject<'_>, finding: &Finding) -> Markup {
    match is_about_readers(finding) {
        true => sentence(finding.code().title()),
        false => sentence(&fact(finding, subject.edition, &subject.redacted)),
    }
}
