//! The errors of a URL: by the chosen edition all of them, each with a caret; by the others the first
//! one, in a line.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::report::{errors, secrets};
use locator::{Report, UriRef};
use maud::{Markup, html};

use crate::section;
use crate::subject::Subject;
use crate::text::{code, visible};

/// How many errors are drawn: a text of a kilobyte may have a thousand.
const DRAWN: usize = 3;

/// Returns the section; empty if every edition accepts the URL.
pub(crate) fn section(subject: &Subject<'_>) -> Markup {
    let mut refused = subject.every.refused().peekable();
    if refused.peek().is_none() {
        return html! {};
    }
    let own = subject.every.refused().find(|error| error.edition() == subject.edition);
    let text = subject.text;
    let redacted = match subject.shows_secrets {
        true => locator::Redacted::exact(text),
        false => secrets::without_secrets(text),
    };
    let drawn: Vec<_> = own.into_iter().flat_map(|error| errors(text.as_bytes(), *error)).collect();
    let others: Vec<_> = refused.filter(|error| error.edition() != subject.edition).collect();
    let body = html! {
        @for report in redacted.report_each(drawn.iter().copied().take(DRAWN)) { (drawing(&report)) }
        @if drawn.len() > DRAWN { p { "There are " (drawn.len() - DRAWN) " more." } }
        (repaired(subject))
        @if !others.is_empty() {
            (section::table("First error by the other editions", &["Edition", "Error"], &html! {
                @for error in others {
                    tr {
                        th scope="row" { (error.edition().name) }
                        td { (visible(&redacted.report(*error).in_one_line().to_string())) }
                    }
                }
            }))
        }
    };
    section::section("errors", "What is wrong", &body)
}

/// The message, the text with the caret, and the rule.
fn drawing(report: &Report<'_>) -> Markup {
    let report = report.to_string();
    let lines: Vec<&str> = report.lines().collect();
    let [message, text, caret, rest @ ..] = &lines[..] else { return html! { p { (report) } } };
    let rest: String = rest.iter().map(|line| line.trim_start()).collect::<Vec<_>>().join("; ");
    html! {
        div.error {
            p { strong.severity { "error" } " " (message) }
            pre tabindex="0" { (text) "\n" strong { (caret) } }
            p.note { (rest) }
        }
    }
}

/// What browsers make of the text, where that is a valid URL.
fn repaired(subject: &Subject<'_>) -> Markup {
    let repaired = UriRef::parse_repaired_with(subject.text, subject.edition).ok();
    html! {
        @if let Some(repaired) = repaired.filter(|repaired| repaired.as_str() != subject.text) {
            @let shown = secrets::without_secrets(repaired.as_str()).to_string();
            p { "Repaired as browsers do: " (code(if subject.shows_secrets { repaired.as_str() } else { &shown })) }
        }
    }
}
