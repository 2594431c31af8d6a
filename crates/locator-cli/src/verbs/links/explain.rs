//! How the links of a line were judged (`--explain FILE:LINE`): for each of them its outcome, and the steps that led to it.
//! `--explain CODE` prints what a code means.
//!
//! ```text
//! docs/guide.md:12:5: ../configure/: broken: the site of the document has no such page [no-such-page]
//!   1. the document is the page /docs/guide of Docusaurus
//!   2. ../configure/ is relative to it: /configure/
//! ```

use std::io::{self, Write as _};
use std::path::PathBuf;

use anstyle::Style;
use locator_links::{LinkTarget, Page, Site};

use super::arguments::ExplainedLine;
use super::checked::CheckedLink;
use crate::exit::say_error;
use crate::output::{Output, Place, paragraph};
use crate::terminal::{secrets, visible};

/// Explains the links of a line.
#[derive(Debug)]
pub(super) struct Explanation {
    file: PathBuf,
    line: u32,
    /// Whether the file was read.
    is_read: bool,
    /// How many links were explained.
    links: u64,
    /// The lines of the file that have links.
    others: Vec<u32>,
}

/// How many lines with links are named if the one that is asked for has none.
const MOST_LINES: usize = 8;

impl Explanation {
    /// Creates an explanation, if a line is to be explained.
    pub(super) fn new(asked: Option<&ExplainedLine>) -> Option<Self> {
        let Some(ExplainedLine::Line { file, line }) = asked else { return None };
        Some(Self { file: file.clone(), line: *line, is_read: false, links: 0, others: Vec::new() })
    }

    /// Explains the links of the line, if it is one of this page.
    pub(super) fn page(
        &mut self,
        out: &mut Output,
        site: &Site,
        page: &Page,
        judged: &[CheckedLink<'_>],
    ) -> io::Result<()> {
        let Some(file) = page.file else { return Ok(()) };
        let own = crate::input::paths::absolute(self.file.as_os_str().as_encoded_bytes());
        if own.is_none_or(|own| own != site.files.path(file)) {
            return Ok(());
        }
        self.is_read = true;
        self.others.extend(page.links.iter().map(|link| link.line));
        for one in judged.iter().filter(|one| one.link.line == self.line) {
            self.links += 1;
            explain(out, site, one)?;
        }
        Ok(())
    }

    /// Says why nothing was explained; returns whether something was.
    pub(super) fn end(mut self) -> bool {
        let name = visible(&self.file.to_string_lossy()).to_string();
        if !self.is_read {
            say_error(&format!("--explain: \"{name}\" is not one of the documents that are checked"));
        } else if self.links == 0 {
            self.others.sort_unstable();
            self.others.dedup();
            self.others.sort_by_key(|line| line.abs_diff(self.line));
            let near: Vec<_> = self.others.iter().take(MOST_LINES).map(u32::to_string).collect();
            let others = match near.is_empty() {
                true => "the file has no link".to_owned(),
                false => format!("the next lines with links are {}", near.join(", ")),
            };
            say_error(&format!("--explain: {name} has no link in line {}; {others}", self.line));
        }
        self.links > 0
    }
}

/// Writes what is known of a link, and the steps.
fn explain(out: &mut Output, site: &Site, judged: &CheckedLink<'_>) -> io::Result<()> {
    let octet = (judged.link.column as usize).saturating_sub(1);
    let place = Place::in_file(&judged.page.name, judged.link.line.into(), octet);
    let column = place.begin(out, judged.word())?;
    let (outcome, code) = (judged.verdict.outcome(), judged.verdict.code);
    let text = format!("{}: {outcome}: {} [{code}]", judged.url(), judged.advice());
    paragraph::flow(out, column, 2, Style::new(), &text)?;
    for (number, step) in steps(site, judged).iter().enumerate() {
        let number = format!("  {}. ", number + 1);
        write!(out, "{number}")?;
        paragraph::flow(out, number.len(), number.len(), Style::new(), &secrets::sentence(step))?;
    }
    Ok(())
}

/// Returns the steps by which a link was judged.
fn steps(site: &Site, judged: &CheckedLink<'_>) -> Vec<String> {
    let mut steps = Vec::new();
    let (link, page, verdict) = (judged.link, judged.page, judged.verdict);
    if page.written(link) != page.url(link) {
        steps.push(format!("it is written {}", page.written(link)));
    }
    steps.extend(verdict.route.iter().cloned());
    let absolute = judged.absolute(site);
    match &link.target {
        LinkTarget::File(file) | LinkTarget::Forge { file, .. } if verdict.route.is_empty() => {
            let path = site.files.path(*file);
            let here = std::env::current_dir().unwrap_or_default();
            steps
                .push(format!("it leads to the file {}", path.strip_prefix(here).unwrap_or(&path).display()));
        }
        LinkTarget::Url(_) => steps.extend(absolute.map(|absolute| format!("it leads to {absolute}"))),
        _ => {}
    }
    steps.extend(verdict.hops.iter().map(|hop| format!("a redirect ({}) leads to {}", hop.status, hop.to)));
    steps.push(format!("{} is {}: {}", verdict.code, verdict.outcome(), verdict.code.meaning()));
    steps
}
