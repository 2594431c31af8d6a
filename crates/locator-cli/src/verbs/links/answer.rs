//! The options of `links` that say what is printed, what counts as a failure, and what is mended.

use std::ffi::OsString;
use std::time::Duration;

use clap::Args;
use locator_links::Outcome;
use locator_links::mend::Scope;

use super::format::{self, Format, Target};
use super::known;
use crate::exit::{CliError, wrong};

/// Which links are mended.
#[derive(Args, Debug)]
#[command(next_help_heading = "Mending")]
pub(super) struct Mend {
    /// Replace links in their files: moved pages by their new URLs, misspelled files and
    /// headings by the only one that can be meant
    ///
    /// Pages count as moved if all redirects are permanent and end on the same registrable
    /// domain ("domain"), or with "any" on any domain. Nothing else in the files changes.
    #[arg(long, value_name = "SCOPE", num_args = 0..=1, require_equals = true)]
    #[arg(value_parser = scope, default_missing_value = "domain")]
    pub(super) fix: Option<Scope>,
    /// Print what --fix would change, as a patch for 'git apply', and change nothing
    #[arg(long, conflicts_with_all = ["json", "reports", "show", "quiet"])]
    pub(super) diff: bool,
}

/// What is printed.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(super) struct Answer {
    /// Print the links of these outcomes, separated by ","; "all" are all of them
    ///
    /// Without it, links are printed that are broken, refused or unknown, or that --fail-on
    /// names; with --json all are.
    #[arg(long, value_name = "OUTCOME", value_delimiter = ',', value_parser = outcomes)]
    pub(super) show: Vec<Chosen>,
    /// Exit with status 1 if a link has one of these outcomes, separated by ","
    #[arg(long, value_name = "OUTCOME", value_delimiter = ',', value_parser = outcomes)]
    #[arg(default_value = "broken")]
    pub(super) fail_on: Vec<Chosen>,
    /// Exit with status 1 if there is no link at all
    #[arg(long)]
    pub(super) fail_on_empty: bool,
    /// Do not report links that are in FILE, the --json output of an earlier run
    ///
    /// A link is in it if it has the same file, URL and outcome there, on whatever line.
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<OsString>,
    /// A broken URL of a server fails only after this TIME, as in 3d or 12h; --baseline
    /// FILE records since when it has been broken
    ///
    /// Each run writes to FILE when it has first seen that a URL is broken, and removes URLs
    /// that are not any more. FILE need not exist. Missing files and headings fail at once.
    #[arg(long, value_name = "TIME", requires = "baseline", value_parser = known::grace)]
    pub(super) grace: Option<Duration>,
    /// Print one JSON object per line, for each link
    #[arg(long)]
    pub(super) json: bool,
    /// Print the links as text, json, junit, sarif, markdown (a table for the summary of a
    /// job), html or github (text and annotations)
    ///
    /// With =FILE, they are written to FILE, which is replaced. Can be repeated, once without
    /// FILE.
    #[arg(long = "format", value_name = "FORMAT[=FILE]", value_parser = format::target)]
    pub(super) reports: Vec<Target>,
    /// Print nothing; only set the exit status
    #[arg(short, long, conflicts_with_all = ["json", "reports", "show"])]
    pub(super) quiet: bool,
    /// Print no numbers and no progress on standard error
    #[arg(short = 's', long)]
    pub(super) no_messages: bool,
}

impl Answer {
    /// Returns whether standard output has JSON.
    pub(super) fn is_json(&self) -> bool {
        let is_json = |target: &Target| target.file.is_none() && target.format == Format::Json;
        self.json || self.reports.iter().any(is_json)
    }

    /// Returns the formats, and where they are written to.
    pub(super) fn targets(&self) -> Result<Vec<Target>, CliError> {
        let json = self.json.then_some(Target { format: Format::Json, file: None });
        let mut targets: Vec<_> = self.reports.iter().cloned().chain(json).collect();
        let mut printed = targets.iter().filter(|target| target.file.is_none());
        match (printed.next(), printed.next()) {
            (Some(one), Some(other)) => {
                let (one, other) = (one.format.name(), other.format.name());
                let what = format!("{one} and {other} cannot both go to standard output");
                Err(wrong(&format!("{what}; --format {other}=FILE writes to FILE")))
            }
            (Some(_), None) => Ok(targets),
            (None, _) => {
                targets.push(Target { format: Format::Text, file: None });
                Ok(targets)
            }
        }
    }
}

/// The outcomes that a word names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    All,
    One(Outcome),
}

impl Chosen {
    /// Returns whether an outcome is among these.
    pub(super) fn have(chosen: &[Self], outcome: Outcome) -> bool {
        chosen.iter().any(|one| matches!(one, Self::All) || *one == Self::One(outcome))
    }
}

fn outcomes(word: &str) -> Result<Chosen, String> {
    match Outcome::from_name(word) {
        Some(outcome) => Ok(Chosen::One(outcome)),
        None if word == "all" => Ok(Chosen::All),
        None => {
            let names = Outcome::ALL.map(|outcome| outcome.name()).join(", ");
            Err(format!("the outcomes are {names} and all"))
        }
    }
}

fn scope(word: &str) -> Result<Scope, String> {
    match word {
        "domain" => Ok(Scope::Domain),
        "any" => Ok(Scope::Any),
        _ => Err("expected domain or any".to_owned()),
    }
}
