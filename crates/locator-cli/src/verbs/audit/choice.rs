//! Which findings are reported: by severity (`--min-severity`, `--fail-on`), not those that are
//! ignored (`--ignore`), known from an earlier run (`--baseline`) or in old lines (`--since`); and the
//! count of them.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::str::FromStr;

use anstyle::Style;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Args, Command, Error};
use locator::{Edition, Redacted};
use locator_audit::{self as audit, Code, Finding, Severity};
use locator_web::report::quantity::grouped;
use serde::Deserialize;

use crate::arguments::pattern::Pattern;
use crate::exit::CliError;
use crate::input::located::{Located, Place};
use crate::output::Output;
use crate::report::baseline::{Baseline, Key};
use crate::report::plural;
use crate::since::Since;
use crate::terminal::paint::GOOD;
use crate::terminal::{Word, secrets, visible};

/// The options that decide which findings are reported.
#[derive(Args, Debug)]
pub(super) struct ChoiceArgs {
    /// Report findings of SEVERITY or more
    #[arg(long, value_name = "SEVERITY", default_value = "low", value_parser = SeverityParser)]
    min_severity: Severity,
    /// Exit with status 1 if a finding has SEVERITY or more, or "never"
    #[arg(long, value_name = "SEVERITY", default_value = "high", value_parser = FailOnParser)]
    fail_on: FailOn,
    /// Do not report findings with this code
    ///
    /// With PATTERN, in which "*" is any text, only for URLs that match it. Can be
    /// repeated.
    #[arg(long, value_name = "CODE[:PATTERN]")]
    ignore: Vec<Ignored>,
    /// Do not report findings that are in FILE, the --json output of an earlier run
    #[arg(long, value_name = "FILE")]
    baseline: Option<OsString>,
    /// Report only findings in lines that have changed since the git revision REF
    ///
    /// Findings in files that git does not track are reported, too.
    #[arg(long, value_name = "REF")]
    since: Option<String>,
}

/// The least severity that makes the run fail; `None` if no finding does.
#[derive(Clone, Copy, Debug)]
struct FailOn(Option<Severity>);

/// Which findings are reported, and how many there were.
pub(super) struct Choice {
    least: Severity,
    fail_on: FailOn,
    ignored: Vec<Ignored>,
    known: Baseline,
    since: Option<Since>,
    counts: Counts,
}

/// How many findings were reported or left out.
#[derive(Default)]
struct Counts {
    by_severity: [u64; Severity::ALL.len()],
    urls: u64,
    ignored: u64,
    known: u64,
    old: u64,
}

impl Choice {
    /// Reads the options, and the baseline.
    pub(super) fn new(args: &ChoiceArgs, edition: &'static Edition) -> Result<Self, CliError> {
        Ok(Self {
            least: args.fail_on.0.map_or(args.min_severity, |fails| args.min_severity.min(fails)),
            fail_on: args.fail_on,
            ignored: args.ignore.clone(),
            known: match &args.baseline {
                Some(path) => read_baseline(path, edition)?,
                None => Baseline::default(),
            },
            since: args.since.as_deref().map(Since::new).transpose()?,
            counts: Counts::default(),
        })
    }

    /// Returns the least severity that is needed to decide about the exit status.
    pub(super) fn least_for_status(&self) -> Severity {
        let least = self.fail_on.0.unwrap_or(Severity::High);
        // The keys of a baseline contain the URL without its secrets, which findings locate.
        if self.known.is_empty() { least } else { least.min(Severity::Low) }
    }

    /// Returns the least severity that is reported.
    pub(super) const fn least(&self) -> Severity {
        self.least
    }

    /// Returns whether one of the findings reaches `--fail-on`.
    pub(super) fn fails(&self, findings: &[Finding]) -> bool {
        self.fail_on.0.is_some_and(|least| findings.iter().any(|finding| finding.severity() >= least))
    }

    /// Removes the findings that are not to be reported, and counts.
    pub(super) fn retain(
        &mut self,
        located: &Located<'_>,
        place: Option<&Place>,
        hidden: &Redacted<'_>,
        findings: &mut Vec<Finding>,
    ) {
        findings.retain(|finding| finding.severity() >= self.least);
        let ignored: Vec<_> = self.ignored.iter().filter(|ignored| ignored.matches(located.text())).collect();
        let all = findings.len();
        findings.retain(|finding| !ignored.iter().any(|ignored| ignored.code == finding.code()));
        self.counts.ignored += (all - findings.len()) as u64;
        if !self.known.is_empty() && !findings.is_empty() {
            let (all, url) = (findings.len(), Key::of_url(located.file(), hidden));
            findings.retain(|finding| !self.known.contains(&url.of(finding.code().name())));
            self.counts.known += (all - findings.len()) as u64;
        }
        if let Some(since) = &mut self.since
            && !findings.is_empty()
            && place.is_some_and(|place| since.is_old(place))
        {
            self.counts.old += findings.len() as u64;
            findings.clear();
        }
        self.counts.urls += u64::from(!findings.is_empty());
        for finding in &*findings {
            self.counts.by_severity[finding.severity() as usize] += 1;
        }
    }

    /// Prints how many findings there are in that many URLs, and how many were left out. For one URL,
    /// only at a terminal, and not one finding, which is seen.
    pub(super) fn say_summary(&self, urls: u64, is_seen: bool) {
        let Counts { by_severity, ignored, known, old, .. } = self.counts;
        let count = |count: u64, what: &str| (count > 0).then(|| format!("{} {what}", grouped(count)));
        let left_out = [
            count(ignored, "ignored"),
            count(known, "in the baseline"),
            count(old, "in lines that have not changed"),
        ];
        let left_out: Vec<_> = left_out.into_iter().flatten().collect();
        let all: u64 = by_severity.iter().sum();
        if urls < 2 && left_out.is_empty() && (!is_seen || urls == 0 || all == 1) {
            return;
        }
        let mut out = Output::messages();
        let paint = out.paint;
        let severities = Severity::ALL.iter().rev();
        let each = severities.filter_map(|one| {
            let count = count(by_severity[*one as usize], one.name())?;
            Some((count, Word::of(*one).style()))
        });
        let of_urls = plural(urls, "URL");
        let mut words = Vec::new();
        match (all, self.counts.urls) {
            (0, _) if urls < 2 => words.push(("no findings".to_owned(), GOOD)),
            (0, _) => words.push((format!("no findings in {of_urls}"), GOOD)),
            (_, with) if with == urls => words.push((format!("{of_urls}:"), Style::new())),
            (_, with) => words.push((format!("{of_urls}, {} with findings:", grouped(with)), Style::new())),
        }
        words.extend(each);
        words.extend(left_out.into_iter().map(|count| (count, Style::new())));
        let (mut summary, mut column) = (String::new(), 0);
        for (number, (text, style)) in words.iter().enumerate() {
            let comma = if number + 1 < words.len() && !text.ends_with(':') { "," } else { "" };
            let gap = if column + text.len() + 2 > out.columns && out.is_terminal { "\n  " } else { " " };
            if number > 0 {
                summary.push_str(gap);
                column = if gap == " " { column + 1 } else { 2 };
            }
            summary.push_str(&format!("{}{comma}", paint.with(*style, text)));
            column += text.len() + comma.len();
        }
        // A failure to write to standard error is ignored.
        let _ = writeln!(out, "{summary}").and_then(|()| out.flush());
    }
}

/// A line of a baseline.
#[derive(Deserialize)]
struct Known {
    input: String,
    file: Option<String>,
    #[serde(default)]
    redacted: bool,
    secret_hash: Option<String>,
    findings: Vec<KnownFinding>,
}

#[derive(Deserialize)]
struct KnownFinding {
    code: String,
}

/// Reads the findings of an earlier run.
fn read_baseline(path: &OsStr, edition: &'static Edition) -> Result<Baseline, CliError> {
    Baseline::read(path, "audit", |known: Known| {
        let Known { input, file, redacted, secret_hash, findings } = known;
        let file = file.as_ref().map(String::as_bytes);
        let url = match redacted {
            true => Key::of_hidden(file, &input, secret_hash.as_deref()),
            false => Key::of_url(file, &secrets::hidden(&input, edition)),
        };
        findings.iter().map(|finding| url.of(&finding.code)).collect()
    })
}

/// `CODE` or `CODE:PATTERN`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ignored {
    code: &'static Code,
    /// The URLs; `None` for every URL.
    pattern: Option<Pattern>,
}

impl FromStr for Ignored {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let (name, pattern) =
            word.split_once(':').map_or((word, None), |(name, pattern)| (name, Some(pattern)));
        let code = audit::code(name).ok_or_else(|| unknown(name))?;
        Ok(Self { code, pattern: pattern.map(Pattern::new) })
    }
}

impl Ignored {
    fn matches(&self, url: &str) -> bool {
        self.pattern.as_ref().is_none_or(|pattern| pattern.matches(url))
    }
}

/// Returns the error for a code that is not in the list.
fn unknown(name: &str) -> String {
    format!("there is no finding \"{}\"; see 'locator audit --list'", visible(name))
}

/// Parses the code of a finding.
#[derive(Clone, Copy, Debug)]
pub(super) struct CodeParser;

impl TypedValueParser for CodeParser {
    type Value = &'static Code;

    fn parse_ref(&self, command: &Command, _: Option<&Arg>, value: &OsStr) -> Result<Self::Value, Error> {
        let name = value.to_string_lossy();
        audit::code(&name)
            .ok_or_else(|| Error::raw(ErrorKind::InvalidValue, unknown(&name) + "\n").with_cmd(command))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(audit::codes().map(|code| PossibleValue::new(code.name()).help(code.title()))))
    }
}

/// Parses a severity.
#[derive(Clone, Copy, Debug)]
struct SeverityParser;

impl TypedValueParser for SeverityParser {
    type Value = Severity;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Severity, Error> {
        let names = PossibleValuesParser::new(Severity::ALL.map(Severity::name));
        let name = names.parse_ref(command, arg, value)?;
        Ok(Severity::ALL.into_iter().find(|severity| severity.name() == name).unwrap_or(Severity::Low))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Severity::ALL.into_iter().map(|severity| PossibleValue::new(severity.name()))))
    }
}

/// The word for "whatever is found, the status is 0".
const NEVER: &str = "never";

/// Parses a severity, or "never".
#[derive(Clone, Copy, Debug)]
struct FailOnParser;

impl TypedValueParser for FailOnParser {
    type Value = FailOn;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<FailOn, Error> {
        let names = PossibleValuesParser::new(Severity::ALL.map(Severity::name).into_iter().chain([NEVER]));
        let name = names.parse_ref(command, arg, value)?;
        Ok(FailOn(Severity::ALL.into_iter().find(|severity| severity.name() == name)))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = Severity::ALL.map(Severity::name).into_iter().chain([NEVER]);
        Some(Box::new(names.map(PossibleValue::new)))
    }
}
