//! The verb `links`: checks whether what the links of documents lead to is there.
//!
//! Threads read the documents ([`read`]), then the files and servers that their links lead to are looked at
//! by `locator_links`. [`print`](mod@print) and [`json`] write the results, a document after the other.

mod args;
mod json;
mod print;
mod read;
mod report;

use std::io::Write as _;
use std::path::PathBuf;

use locator_find::Finder;
use locator_links::{Settler, Site, Target, Verdict};

pub(crate) use self::args::LinksArgs;
use self::read::Documents;
use self::report::Report;
use crate::exit::{CliError, Status, say, say_error};
use crate::input::Origin;
use crate::interrupt::Turn;
use crate::output::Output;
use crate::verbs::find;

/// Checks the links of all documents.
pub(crate) fn run(asked: &LinksArgs, out: &mut Output) -> Result<Status, CliError> {
    if asked.list {
        args::list(out)?;
        out.flush()?;
        return Ok(Status::Valid);
    }
    let inputs = Inputs::new(asked)?;
    let site = Site::new(asked.rules(&inputs.paths)?, asked.filter());
    let finder = finder(asked);
    let documents = read::all(asked, &site, &finder, &inputs)?;
    check(asked, &site, &finder, documents, out)
}

/// What is checked.
struct Inputs {
    /// Files and directories.
    paths: Vec<PathBuf>,
}

impl Inputs {
    fn new(asked: &LinksArgs) -> Result<Self, CliError> {
        Ok(Self { paths: find::paths(&asked.places)? })
    }
}

fn finder(asked: &LinksArgs) -> Finder {
    let text = locator::text::Finder::new(locator::text::Preset::Default);
    let _ = asked;
    Finder::new().text(text.patterns(true))
}

/// Judges all links, and writes what is known of them.
fn check(
    asked: &LinksArgs,
    site: &Site,
    finder: &Finder,
    documents: Documents,
    out: &mut Output,
) -> Result<Status, CliError> {
    let Documents { pages, has_failed } = documents;
    let mut turn = Turn::begin(Origin::Link);
    let mut settler = Settler::new(site, finder);
    let mut read = Vec::with_capacity(pages.len());
    for one in pages {
        settler.add(&one.page, one.anchors);
        read.push(one.page);
    }
    let mut report = Report::new(asked, out);
    for page in &read {
        let verdicts: Vec<Verdict> = page
            .links
            .iter()
            .map(|link| match &link.target {
                Target::Known(verdict) => (**verdict).clone(),
                Target::File(file) => settler.verdict(page, link, *file),
                Target::Url(_) => Verdict::new(locator_links::Code::Offline),
            })
            .collect();
        report.page(site, page, &verdicts)?;
        turn.add(Origin::Link, page.len());
        if Turn::is_over() {
            report.end(read.len())?;
            turn.report();
            return Err(CliError::Interrupted);
        }
    }
    let status = report.end(read.len())?;
    if read.is_empty() && !has_failed {
        say("no file was searched; -t, -g, hidden files and .gitignore decide which are");
    }
    if has_failed { Err(CliError::Reported) } else { Ok(status) }
}

/// Reports wrong usage.
fn wrong(what: &str) -> CliError {
    say_error(what);
    CliError::Reported
}
