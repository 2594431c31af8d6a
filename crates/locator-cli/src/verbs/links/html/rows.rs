//! The rows of a document's table, a link each: its place, the link, and what happened.

use locator_links::Outcome;
use maud::{Markup, html};

use super::super::judged::Judged;
use super::texts::{code, linked, shown, words};
use crate::terminal::{Word, secrets};

/// The rows of a table.
#[derive(Debug, Default)]
pub(super) struct Rows {
    html: String,
    worst: Option<Outcome>,
    counts: [u64; Outcome::ALL.len()],
    fixed: u64,
}

impl Rows {
    /// Adds a link, which leads somewhere if `href` says where.
    pub(super) fn add(&mut self, judged: &Judged<'_>, href: Option<&str>) {
        let outcome = if judged.is_fixed() { Outcome::Ok } else { judged.verdict.outcome() };
        self.worst = Some(self.worst.map_or(outcome, |worst| worst.min(outcome)));
        match judged.is_fixed() {
            true => self.fixed += 1,
            false => self.counts[outcome as usize] += 1,
        }
        self.html.push('\n');
        self.html.push_str(&row(judged, href).into_string());
    }

    /// Returns the worst outcome; `None` without links.
    pub(super) const fn worst(&self) -> Option<Outcome> {
        self.worst
    }

    /// Returns how many links have which outcome.
    pub(super) fn numbers(&self) -> String {
        let all = Outcome::ALL.iter().map(|outcome| (outcome.name(), self.counts[*outcome as usize]));
        words(all.chain([("fixed", self.fixed)]))
    }

    pub(super) fn into_string(self) -> String {
        self.html
    }
}

fn row(judged: &Judged<'_>, href: Option<&str>) -> Markup {
    let (class, word) = match judged.word() {
        Word::Fixed => ("good", "fixed"),
        Word::Error => ("bad", judged.verdict.outcome().name()),
        Word::Warning => ("warn", judged.verdict.outcome().name()),
        _ => ("", judged.verdict.outcome().name()),
    };
    let place = format!("{}:{}", judged.link.line, judged.link.column);
    html! {
        tr class=(class) {
            td.place { (place) }
            th scope="row" { (linked(&shown(&secrets::sentence(judged.page.url(judged.link))), href)) }
            td {
                strong.outcome { (word) } ": " (shown(&judged.sentence()))
                @if let Some(near) = judged.suggestion() { p { "Did you mean " (code(&shown(&near))) "?" } }
                (hops(judged))
            }
        }
    }
}

/// Writes the redirects that were followed. Only one is in the sentence.
fn hops(judged: &Judged<'_>) -> Markup {
    html! {
        @if judged.verdict.hops.len() > 1 {
            ol.hops aria-label="Redirects" {
                @for hop in &judged.verdict.hops {
                    li { (hop.status) " to " (code(&shown(&secrets::redacted(&hop.to).to_string()))) }
                }
            }
        }
    }
}
