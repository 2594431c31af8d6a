//! The URLs in a text, each with its line and column, as `locator find` finds them in running text.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::report::secrets;
use locator::text::{Finder, Lines, Match};
use locator::{AsciiSet, Edition, PctString};
use locator_audit::{Auditor, Severity};
use maud::{Markup, html};

use crate::section;
use crate::text::{code, sentence};

/// How many URLs are listed.
const LISTED: usize = 1000;

/// Returns the section. `links` is what links begin with.
pub(crate) fn section(text: &str, edition: &'static Edition, links: Option<&str>, shows: bool) -> Markup {
    let finder = Finder::new().edition(edition);
    let mut matches = finder.find_iter(text.as_bytes());
    let found: Vec<_> = matches.by_ref().take(LISTED).collect();
    let (mut lines, auditor) = (Lines::new(), Auditor::new().edition(edition).least(Severity::Medium));
    let more = matches.count();
    let rows = html! {
        @for one in &found {
            @let place = lines.at(text.as_bytes(), one.span().start);
            tr {
                th scope="row" { (place.line) ":" (place.column) }
                td { (linked(one, links, shows)) }
                td { (remark(one, &auditor)) }
            }
        }
    };
    let body = html! {
        p.verdict.calm { (count(found.len() + more)) }
        @if !found.is_empty() {
            (section::table_below_heading("URLs in the text", &["Line:column", "URL", "Remark"], &rows))
        }
        @if more > 0 { p { (more) " more are not listed." } }
    };
    section::section("found", "URLs in the text", &body)
}

fn count(count: usize) -> String {
    match count {
        0 => "There is no URL in the text.".to_string(),
        1 => "There is one URL in the text.".to_string(),
        count => alloc::format!("There are {count} URLs in the text."),
    }
}

/// The URL, with a link to its readings.
fn linked(one: &Match<'_>, links: Option<&str>, shows: bool) -> Markup {
    let url = one.url();
    let shown = if shows { url.to_string() } else { secrets::without_secrets(&url).to_string() };
    html! {
        @match links {
            Some(start) => a href={ (start) (encoded(&url)) } { (code(&shown)) },
            None => (code(&shown)),
        }
    }
}

/// Returns a URL as a part of another URL: only what RFC 3986 does not reserve is as it is.
fn encoded(url: &str) -> String {
    PctString::encode(url.as_bytes(), AsciiSet::UNRESERVED).to_string()
}

/// What is wrong with a URL: its error, or its most severe finding.
fn remark(one: &Match<'_>, auditor: &Auditor<'_>) -> Markup {
    match one.read() {
        Err(error) => html! { strong.severity { "error" } " " (sentence(&error.message().to_string())) },
        Ok(url) => {
            let findings = auditor.audit(url.as_str());
            // The first of those with the same severity.
            let worst = findings.iter().rev().max_by_key(|finding| finding.severity());
            html! {
                @if let Some(finding) = worst {
                    strong.severity { (finding.severity().name()) } " " (finding.code().title())
                } @else if one.is_guess() { "without a scheme: a guess" }
            }
        }
    }
}
