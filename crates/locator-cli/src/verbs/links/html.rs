//! The results as a page for browsers: one file without scripts, that loads nothing. The numbers come first,
//! then the broken targets that several links lead to, then a section for each document, the worst first.
//!
//! The templates escape every text. Passwords and tokens are hidden as in the other formats, and a URL with one
//! is no link.

mod hrefs;
mod often;
mod rows;
mod texts;

use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use locator_links::{Outcome, Page, Site};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use self::hrefs::Hrefs;
use self::often::Often;
use self::rows::Rows;
use self::texts::{code, linked, shown};
use super::judged::Judged;
use super::numbers::Numbers;
use crate::output::progress::grouped;
use crate::report::plural;

/// The report of a run, up to now.
#[derive(Debug)]
pub(super) struct HtmlReport {
    hrefs: Hrefs,
    documents: Vec<Document>,
    often: Often,
    /// How many documents were added.
    added: usize,
    /// How many links are listed, and how many are not because there are too many.
    listed: u64,
    left_out: u64,
}

/// A document with links that are listed.
#[derive(Debug)]
struct Document {
    name: String,
    href: Option<String>,
    worst: Outcome,
    /// How many of them have which outcome, in words.
    numbers: String,
    rows: String,
}

/// How many links are listed. A browser shows more than these slowly.
const MOST: u64 = 10_000;
/// How many of those that decide about the exit status are listed.
const MOST_ERRORS: u64 = 50_000;

impl HtmlReport {
    /// Creates a report without links. `file` exists if it is known where the report will be.
    pub(super) fn new(file: Option<&Path>) -> Self {
        let (documents, often) = (Vec::new(), Often::default());
        Self { hrefs: Hrefs::new(file), documents, often, added: 0, listed: 0, left_out: 0 }
    }

    /// Adds the links of a document that are reported, the worst first. Good links are only counted.
    pub(super) fn add(&mut self, (site, page): (&Site, &Page), judged: &[&Judged<'_>]) {
        self.added += 1;
        let mut rows = Rows::default();
        for one in judged.iter().filter(|one| one.is_fixed() || one.verdict.outcome() != Outcome::Ok) {
            if one.verdict.outcome() == Outcome::Broken && !one.is_fixed() {
                self.often.add(site, one, self.added);
            }
            if self.listed >= MOST && !one.fails || self.listed >= MOST_ERRORS {
                self.left_out += 1;
                continue;
            }
            self.listed += 1;
            rows.add(one, self.hrefs.of_link(site, one).as_deref());
        }
        if let Some(worst) = rows.worst() {
            let href = self.hrefs.of_document(site, page);
            let (name, numbers) = (shown(&page.name), rows.numbers());
            self.documents.push(Document { name, href, worst, numbers, rows: rows.into_string() });
        }
    }

    /// Writes the page.
    pub(super) fn write(mut self, out: &mut impl Write, numbers: Numbers<'_>) -> io::Result<()> {
        self.documents.sort_by_key(|document| document.worst);
        let checked = locator_fetch::timestamp(SystemTime::now()).unwrap_or_default();
        writeln!(out, "{}", self.page(numbers, &checked).into_string())
    }

    fn page(&self, numbers: Numbers<'_>, checked: &str) -> Markup {
        let title = match numbers.counts.of(Outcome::Broken) {
            0 => "No broken links".to_owned(),
            broken => plural(broken, "broken link"),
        };
        html! {
            (DOCTYPE)
            html lang="en" {
                (head(&title))
                body {
                    main {
                        h1 { (title) }
                        p { (numbers.sum()) "." }
                        (outcomes(numbers))
                        (self.often.section())
                        (self.contents())
                        @for (number, document) in self.documents.iter().enumerate() {
                            "\n" (section(number + 1, document))
                        }
                        @if self.left_out > 0 { p.note { (plural(self.left_out, "other link")) " not listed." } }
                    }
                    footer {
                        p.note {
                            "Checked on " time datetime=(checked) { (date(checked)) }
                            " by locator " (env!("CARGO_PKG_VERSION")) "."
                        }
                    }
                }
            }
        }
    }

    /// Writes where the sections of the documents are.
    fn contents(&self) -> Markup {
        html! {
            @if self.documents.len() > 1 {
                nav aria-labelledby="contents" {
                    h2 id="contents" { "Documents" }
                    ul.contents {
                        @for (number, document) in self.documents.iter().enumerate() {
                            li { a href={ "#d" (number + 1) } { (code(&document.name)) } " " span.note { (document.numbers) } }
                        }
                    }
                }
            }
        }
    }
}

fn head(title: &str) -> Markup {
    let style = [locator_web::STYLE, include_str!("html/style.css")].concat();
    let hash = BASE64_STANDARD.encode(Sha256::digest(&style));
    // The style sheet is known by its hash, and nothing else may be loaded, run or sent.
    let policy =
        format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'");
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="referrer" content="no-referrer";
            title { (title) }
            style { (PreEscaped(style)) }
        }
    }
}

/// Writes how many links have which outcome.
fn outcomes(numbers: Numbers<'_>) -> Markup {
    html! {
        table.outcomes {
            caption.hidden { "Links by outcome" }
            thead { tr { th scope="col" { "Outcome" } th.number scope="col" { "Links" } th scope="col" { "Meaning" } } }
            tbody {
                @for outcome in Outcome::ALL {
                    @let links = numbers.counts.of(outcome);
                    tr class=(class(outcome, links > 0)) {
                        th scope="row" { (outcome.name()) }
                        td.number { (grouped(links)) }
                        td { (meaning(outcome)) }
                    }
                }
            }
        }
    }
}

const fn meaning(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Broken => "certainly dead",
        Outcome::Refused => "leads where the policy forbids",
        Outcome::Unknown => "may be alive",
        Outcome::Redirected => "alive, at another URL",
        Outcome::Skipped => "not checked, for a reason",
        Outcome::Ok => "alive",
    }
}

const fn class(outcome: Outcome, is_some: bool) -> &'static str {
    match outcome {
        _ if !is_some => "none",
        Outcome::Broken => "bad",
        Outcome::Refused | Outcome::Unknown => "warn",
        Outcome::Ok => "good",
        Outcome::Redirected | Outcome::Skipped => "",
    }
}

fn section(number: usize, document: &Document) -> Markup {
    let Document { name, href, numbers, rows, .. } = document;
    html! {
        section.reading id={ "d" (number) } aria-labelledby={ "h" (number) } {
            h2 id={ "h" (number) } { (linked(name, href.as_deref())) }
            p.note { (numbers) }
            table.links {
                caption.hidden { "Links of " (name) }
                thead {
                    tr { th scope="col" { "Place" } th scope="col" { "Link" } th scope="col" { "What happened" } }
                }
                tbody { (PreEscaped(rows)) }
            }
        }
    }
}

/// Returns `2026-03-01 12:00 UTC` for `2026-03-01T12:00:00Z`.
fn date(checked: &str) -> String {
    let (date, time) = checked.split_once('T').unwrap_or((checked, ""));
    let minutes = time.rsplit_once(':').map_or("", |(minutes, _)| minutes);
    format!("{date} {minutes} UTC")
}
