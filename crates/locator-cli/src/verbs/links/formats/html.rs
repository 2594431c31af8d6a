//! The results as a page for browsers: one file without scripts, that loads nothing. The numbers come first,
//! then the broken targets that several links lead to, then a section for each document, the worst first.
//!
//! The templates escape every text. Passwords and tokens are hidden as in the other formats, and a URL with one
//! is no link.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use locator::{Base, Redacted, ResolveOptions, UriBuf, UriRef};
use locator_links::{FileId, LinkTarget, Outcome, Page, Site, fragment_of};
use locator_web::report::quantity::grouped;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::super::checked::{CheckedLink, Numbers};
use crate::report::plural;
use crate::terminal::visible::{decoded, visible};
use crate::terminal::{Word, secrets};

/// The report of a run, up to now.
#[derive(Debug)]
pub(super) struct HtmlReport {
    hrefs: Hrefs,
    documents: Vec<Document>,
    often: RepeatedTargets,
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
        let (documents, often) = (Vec::new(), RepeatedTargets::default());
        Self { hrefs: Hrefs::new(file), documents, often, added: 0, listed: 0, left_out: 0 }
    }

    /// Adds the links of a document that are reported, the worst first. Good links are only counted.
    pub(super) fn add(&mut self, site: &Site, page: &Page, judged: &[&CheckedLink<'_>]) {
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

/// The broken targets.
#[derive(Debug, Default)]
struct RepeatedTargets(HashMap<String, BrokenTarget>);

/// A broken target.
#[derive(Debug, Default)]
struct BrokenTarget {
    links: u64,
    documents: u64,
    /// The number of the last one that has a link to it.
    last: Option<usize>,
    what: String,
}

/// How many targets are listed.
const MOST_TARGETS: usize = 20;

impl RepeatedTargets {
    /// Adds a broken link of a document.
    pub(super) fn add(&mut self, site: &Site, judged: &CheckedLink<'_>, document: usize) {
        let Some(target) = target(site, judged) else { return };
        let dead = self.0.entry(target).or_default();
        if dead.links == 0 {
            dead.what = shown(&judged.sentence());
        }
        dead.links += 1;
        dead.documents += u64::from(dead.last != Some(document));
        dead.last = Some(document);
    }

    /// Writes a table of the targets with several links.
    pub(super) fn section(&self) -> Markup {
        let mut all: Vec<_> = self.0.iter().filter(|(_, dead)| dead.links > 1).collect();
        all.sort_by_key(|(target, dead)| (Reverse(dead.links), *target));
        let left_out = all.len().saturating_sub(MOST_TARGETS) as u64;
        html! {
            @if !all.is_empty() {
                section aria-labelledby="often" {
                    h2 id="often" { "Broken targets that several links lead to" }
                    table.often {
                        caption.hidden { "Broken targets that several links lead to" }
                        thead {
                            tr {
                                th scope="col" { "Target" } th.number scope="col" { "Links" }
                                th.number scope="col" { "Documents" } th scope="col" { "What happened" }
                            }
                        }
                        tbody {
                            @for (target, dead) in all.iter().take(MOST_TARGETS) {
                                tr {
                                    th scope="row" { (code(&shown(target))) }
                                    td.number { (grouped(dead.links)) }
                                    td.number { (grouped(dead.documents)) }
                                    td { (dead.what) }
                                }
                            }
                        }
                    }
                    @if left_out > 0 { p.note { (plural(left_out, "other target")) " not listed here." } }
                }
            }
        }
    }
}

/// Returns the name of a target: a URL, or a path from the working directory if it is in it.
fn target(site: &Site, judged: &CheckedLink<'_>) -> Option<String> {
    let file = match judged.link.target {
        LinkTarget::File(file) => file,
        _ => return judged.absolute(site).map(|url| secrets::redacted(&url).to_string()),
    };
    let path = site.files.path(file);
    let here = std::env::current_dir().ok();
    let path = here.as_deref().and_then(|here| path.strip_prefix(here).ok()).unwrap_or(&path);
    let fragment = fragment_of(judged.page.url(judged.link)).map(|fragment| format!("#{fragment}"));
    Some(path.to_string_lossy().into_owned() + &fragment.unwrap_or_default())
}

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
    pub(super) fn add(&mut self, judged: &CheckedLink<'_>, href: Option<&str>) {
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

fn row(judged: &CheckedLink<'_>, href: Option<&str>) -> Markup {
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
                @if let Some(near) = judged.suggestion() {
                    @match judged.verdict.outcome() {
                        Outcome::Redirected => p { "Write " (code(&shown(&near))) "." },
                        _ => p { "Did you mean " (code(&shown(&near))) "?" },
                    }
                }
                (hops(judged))
            }
        }
    }
}

/// Writes the redirects that were followed. Only one is in the sentence.
fn hops(judged: &CheckedLink<'_>) -> Markup {
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

/// Where the report is.
#[derive(Debug)]
struct Hrefs {
    /// The URL of the report's directory; `None` if it is not a file.
    directory: Option<UriBuf>,
}

/// The schemes of URLs that are links. Others may start programs or run in the page.
const SCHEMES: [&str; 4] = ["http", "https", "ftp", "gopher"];

impl Hrefs {
    /// Takes the file of the report, which exists.
    pub(super) fn new(file: Option<&Path>) -> Self {
        let report = file.and_then(|file| fs::canonicalize(file).ok()).filter(|file| file.is_file());
        Self { directory: report.and_then(|report| UriBuf::from_file_path(report).ok()) }
    }

    /// Returns where a link leads.
    fn of_link(&self, site: &Site, judged: &CheckedLink<'_>) -> Option<String> {
        match judged.link.target {
            LinkTarget::File(file) => self.of_file(site, file),
            LinkTarget::Forge { .. } | LinkTarget::Known(_) | LinkTarget::Site(_) => {
                of_url(judged.page.url(judged.link))
            }
            LinkTarget::Url(_) => of_url(&judged.absolute(site)?),
        }
    }

    /// Returns where a document is.
    fn of_document(&self, site: &Site, page: &Page) -> Option<String> {
        match page.file {
            Some(file) => self.of_file(site, file),
            // The name of a page has no secret any more, so it is not its URL if it had one.
            None => of_url(&page.name).filter(|url| !url.contains(Redacted::HIDDEN)),
        }
    }

    /// Returns the reference to a file that exists, from the report. Both paths are without symbolic links, so
    /// ".." leads out of the directory that it seems to.
    fn of_file(&self, site: &Site, file: FileId) -> Option<String> {
        let path: PathBuf = fs::canonicalize(site.files.path(file)).ok()?;
        let target = UriBuf::from_file_path(path).ok()?;
        let options = ResolveOptions::new().path_relative(true);
        let base = Base::new(self.directory.as_ref()?.as_uri()).ok()?;
        let reference = base.make_relative_with(target.as_uri(), options).ok()?.to_string();
        (!reference.is_empty()).then_some(reference)
    }
}

/// Returns a URL that may be followed: without secrets, which the report does not have.
fn of_url(url: &str) -> Option<String> {
    let parsed = UriRef::parse(url).ok().filter(|url| url.authority().is_some())?;
    let is_known = SCHEMES.contains(&&*parsed.scheme()?.lowercase());
    let is_whole = || secrets::redacted(url).to_string() == url;
    (is_known && is_whole()).then(|| url.to_owned())
}

/// Returns a name that is a link if there is somewhere to go. A checker is not to report it again.
pub(super) fn linked(text: &str, href: Option<&str>) -> Markup {
    html! {
        @match href {
            Some(href) => a href=(href) rel="noreferrer noopener" data-proofer-ignore { (code(text)) },
            None => (code(text)),
        }
    }
}

/// Returns a URL or a name of others. It is isolated from the text around it, so that letters that are written
/// from right to left move nothing else.
pub(super) fn code(text: &str) -> Markup {
    html! { code.text { (text) } }
}

/// Returns a text with codes for the characters that do not show themselves.
pub(super) fn shown(text: &str) -> String {
    decoded(&visible(text).to_string())
}

/// Returns how many links have which outcome, in words.
pub(super) fn words(numbers: impl Iterator<Item = (&'static str, u64)>) -> String {
    let some = numbers.filter(|(_, number)| *number > 0);
    some.map(|(name, number)| format!("{} {name}", grouped(number))).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_some_urls_are_links() {
        for url in ["http://h/", "HTTPS://h/a?b=c#d", "ftp://h/a", "gopher://h/1"] {
            assert_eq!(of_url(url).as_deref(), Some(url));
        }
        for url in [
            "javascript:alert(1)//://",
            "javascript://h/%0aalert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "a/b",
            "//h/",
            "http:/h",
            "ftp://u:secret@h/",
            "http://h/?token=ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8",
            "http://h/\u{202E}",
            "http://h/ x",
            " http://h/",
            "http://[",
            "mailto://h/",
        ] {
            assert_eq!(of_url(url), None, "{url}");
        }
    }
}
