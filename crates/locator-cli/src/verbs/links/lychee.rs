//! The configuration of lychee 0.24: `lychee.toml` and `.lycheeignore` in the working directory.
//!
//! Such a file comes with the documents, so it may only leave links out, look at fewer files or ask servers
//! more slowly. It cannot make private addresses reachable, send headers or secrets, or start programs. Keys
//! that are not used are named with the reason, unless they have no effect. What it leaves out is counted.

use std::path::{Path, PathBuf};
use std::time::Duration;

use regex::{Regex, RegexSet, RegexSetBuilder};
use toml::{Table, Value};

use super::sites::{SiteSection, sections};
use crate::exit::{CliError, say_error, wrong};
use crate::input::files::{Named, found, in_toml};
use crate::terminal::visible;

/// What the files of lychee say.
#[derive(Debug, Default)]
pub(super) struct Lychee {
    /// URLs that are checked although they are excluded here; without `exclude`, no others are.
    include: Option<RegexSet>,
    /// URLs that are not checked, and those of `.lycheeignore`.
    exclude: Option<RegexSet>,
    ignored: Option<RegexSet>,
    /// Files that are not searched.
    exclude_path: Option<RegexSet>,
    /// The only endings of files that are searched.
    extensions: Vec<String>,
    /// The only schemes that are checked.
    schemes: Vec<String>,
    pub(super) base_url: Option<String>,
    pub(super) root_dir: Option<PathBuf>,
    pub(super) is_offline: bool,
    pub(super) includes_code: bool,
    pub(super) is_hidden: bool,
    pub(super) no_ignore: bool,
    pub(super) timeout: Option<Duration>,
    pub(super) interval: Option<Duration>,
    pub(super) per_host: Option<u16>,
    pub(super) at_once: Option<u16>,
    pub(super) threads: Option<u16>,
    /// The sections `[site]`, which are not of lychee.
    pub(super) sites: Vec<SiteSection>,
    /// The keys that are not used, each with the reason.
    pub(super) unused: Vec<String>,
    /// The names of the files that were read.
    pub(super) files: Vec<String>,
}

/// The most threads, and requests at a time, that a file of others asks for.
const MOST_AT_ONCE: u16 = 32;

/// The memory of all patterns of a list.
const MOST_MEMORY: usize = 64 << 20;

/// The names of the files.
const FILES: [&str; 2] = ["lychee.toml", ".lycheeignore"];

impl Lychee {
    /// Reads the configuration that is named, or the one in the working directory, and the patterns there.
    pub(super) fn read(named: Option<&Path>) -> Result<Self, CliError> {
        let [usual, patterns] = FILES.map(Path::new);
        let path = named.unwrap_or(usual);
        let mut lychee = Self::default();
        let text = match named {
            Some(named) => Some(text(named)?),
            None => found(path)?,
        };
        if let Some(text) = text {
            let table = toml::from_str::<Table>(&text)
                .map_err(|error| in_toml(&text, &error).report(&path.to_string_lossy()))?;
            let name = visible(&path.to_string_lossy()).to_string();
            for (key, value) in &table {
                lychee
                    .take(key, value)
                    .map_err(|why| wrong(&format!("{name}: \"{}\": {why}", visible(key))))?;
            }
            lychee.unused.iter_mut().for_each(|why| *why = format!("{name}: {why}"));
            lychee.files.push(name);
        }
        if let Some(text) = found(patterns)? {
            let is_pattern = |line: &&str| !line.is_empty() && !line.trim_start().starts_with('#');
            let (numbers, lines): (Vec<_>, Vec<_>) =
                text.lines().enumerate().filter(|(_, line)| is_pattern(line)).unzip();
            let name = patterns.display().to_string();
            lychee.ignored = regexes(&lines).map_err(|(number, why)| match number {
                Some(number) => wrong(&format!("{name}:{}: {why}", numbers.get(number).unwrap_or(&0) + 1)),
                None => wrong(&format!("{name}: {why}")),
            })?;
            lychee.files.push(name);
        }
        Ok(lychee)
    }

    fn take(&mut self, key: &str, value: &Value) -> Result<(), String> {
        match key {
            "site" => self.sites = sections(value)?,
            "include" => self.include = patterns(value)?,
            "exclude" => self.exclude = patterns(value)?,
            "exclude_path" => self.exclude_path = patterns(value)?,
            "extensions" => self.extensions = words(value)?,
            "scheme" => self.schemes = words(value)?,
            "base_url" => self.base_url = Some(text_of(value)?).filter(|base| base.contains("://")),
            "root_dir" => self.take_root(text_of(value)?.into()),
            "offline" => self.is_offline = is_true(value)?,
            "include_verbatim" => self.includes_code = is_true(value)?,
            "hidden" => self.is_hidden = is_true(value)?,
            "no_ignore" => self.no_ignore = is_true(value)?,
            "timeout" => self.timeout = Some(Duration::from_secs(number(value)?.max(1).into())),
            "host_request_interval" => self.interval = Some(duration(&text_of(value)?)?),
            "host_concurrency" => self.per_host = Some(number(value)?.clamp(1, 10)),
            "max_concurrency" => self.at_once = Some(number(value)?.clamp(1, MOST_AT_ONCE)),
            "threads" => self.threads = Some(number(value)?.clamp(1, MOST_AT_ONCE)),
            _ => {
                if let Some(why) = why_unused(key, value) {
                    self.unused.push(format!("\"{}\" is not used: {why}", visible(key)));
                }
            }
        }
        Ok(())
    }

    /// Takes the directory in which absolute paths begin, if it is below the working directory.
    fn take_root(&mut self, root: PathBuf) {
        let here = std::env::current_dir().and_then(|here| here.canonicalize());
        let is_below = || Some(root.canonicalize().ok()?.starts_with(here.ok()?));
        match is_below() {
            Some(true) => self.root_dir = Some(root),
            _ => self.unused.push(
                "\"root_dir\" is not used: it is no directory below the working directory; use --root-dir"
                    .to_owned(),
            ),
        }
    }

    /// Returns whether a URL is checked.
    pub(super) fn wants(&self, url: &str) -> bool {
        let matches = |set: &Option<RegexSet>| set.as_ref().is_some_and(|set| set.is_match(url));
        let scheme = url.split(':').next().unwrap_or_default();
        if !self.schemes.is_empty() && !self.schemes.iter().any(|own| own.eq_ignore_ascii_case(scheme)) {
            return false;
        }
        if matches(&self.include) {
            return true;
        }
        let has_only_includes = self.include.is_some() && self.exclude.is_none() && self.ignored.is_none();
        !has_only_includes && !matches(&self.exclude) && !matches(&self.ignored)
    }

    /// Returns whether all URLs are checked.
    pub(super) fn wants_all(&self) -> bool {
        let sets = [&self.include, &self.exclude, &self.ignored];
        sets.into_iter().all(Option::is_none) && self.schemes.is_empty()
    }

    /// Returns whether a file that was met in a directory is searched.
    pub(super) fn wants_file(&self, path: &Path) -> bool {
        let name = path.strip_prefix("./").unwrap_or(path).to_string_lossy();
        let ending = path.extension().map(|ending| ending.to_string_lossy()).unwrap_or_default();
        let is_of_kind = self.extensions.is_empty() || self.extensions.iter().any(|own| *own == ending);
        is_of_kind && !self.exclude_path.as_ref().is_some_and(|patterns| patterns.is_match(&name))
    }
}

/// Reads a file that the user names, which may be a pipe.
fn text(path: &Path) -> Result<String, CliError> {
    String::from_utf8(Named(path.as_os_str()).read()?).map_err(|_| {
        say_error(&format!("\"{}\" is not UTF-8", visible(&path.to_string_lossy())));
        CliError::Reported
    })
}

/// Compiles all patterns of a list to one program, whose size is limited. An error has the number of the pattern,
/// from 0, if it is one of a single pattern.
fn regexes(patterns: &[impl AsRef<str>]) -> Result<Option<RegexSet>, (Option<usize>, String)> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let build = |patterns: &[&str]| RegexSetBuilder::new(patterns).size_limit(MOST_MEMORY).build();
    let patterns: Vec<_> = patterns.iter().map(AsRef::as_ref).collect();
    match build(&patterns) {
        Ok(set) => Ok(Some(set)),
        Err(regex::Error::Syntax(_)) => {
            let first = patterns.iter().enumerate().find_map(|(number, one)| match Regex::new(one) {
                Err(regex::Error::Syntax(why)) => Some((number, last_line(&why))),
                _ => None,
            });
            let (number, why) = first.unzip();
            Err((number, why.unwrap_or_else(|| "a pattern is not valid".to_owned())))
        }
        Err(_) => Err((None, "the patterns need too much memory".to_owned())),
    }
}

/// Returns the line of an error in a pattern that says what is wrong.
fn last_line(why: &str) -> String {
    why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

fn patterns(value: &Value) -> Result<Option<RegexSet>, String> {
    regexes(&words(value)?).map_err(|(_, why)| why)
}

fn words(value: &Value) -> Result<Vec<String>, String> {
    let all = value.as_array().ok_or("expected a list of texts")?;
    all.iter().map(text_of).collect()
}

fn text_of(value: &Value) -> Result<String, String> {
    Ok(value.as_str().ok_or("expected a text")?.to_owned())
}

fn is_true(value: &Value) -> Result<bool, String> {
    Ok(value.as_bool().ok_or("expected true or false")?)
}

fn number(value: &Value) -> Result<u16, String> {
    let number = value.as_integer().and_then(|number| u64::try_from(number).ok());
    Ok(number.ok_or("expected a number from 0")?.try_into().unwrap_or(u16::MAX))
}

/// Returns a time as lychee has it: `50ms`, `1s`, `2m` or `0`.
fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let milliseconds = match unit.trim() {
        "ms" | "msec" => Some(1),
        "s" | "sec" => Some(1000),
        "m" | "min" => Some(60_000),
        "" if number == "0" => Some(0),
        _ => None,
    };
    let time = milliseconds.and_then(|unit: u64| number.parse::<u64>().ok()?.checked_mul(unit));
    Ok(Duration::from_millis(time.ok_or("expected a time: \"50ms\", \"1s\" or \"2m\"")?))
}

/// Returns why a key is not used; `None` if its value changes nothing here.
fn why_unused(key: &str, value: &Value) -> Option<&'static str> {
    let is_off = matches!(value, Value::Boolean(false));
    match key {
        // What is so anyway.
        "exclude_all_private"
        | "exclude_private"
        | "exclude_link_local"
        | "exclude_loopback"
        | "accept_timeouts"
        | "include_mail" => None,
        "include_fragments" => {
            let is_usual = matches!(value.as_str(), Some("anchor-only")) || value.as_bool() == Some(true);
            (!is_usual).then_some("headings and ids are always checked, texts of pages are not")
        }
        _ if is_off => None,
        _ => Some(reason(key)),
    }
}

fn reason(key: &str) -> &'static str {
    let reasons = REASONS.iter().find(|(keys, _)| keys.contains(&key));
    reasons.map_or("lychee 0.24 has no such key", |(_, reason)| reason)
}

/// The keys of lychee 0.24 that are not used.
static REASONS: [(&[&str], &str); 20] = [
    (
        &["header", "basic_auth", "cookie_jar", "user_agent"],
        "a file that comes with the documents sends no headers; use --header",
    ),
    (&["github_token"], "a file that comes with the documents has no secrets; use GITHUB_TOKEN"),
    (&["preprocess"], "a file that comes with the documents starts no programs"),
    (&["remap"], "links are checked as they are"),
    (&["hosts"], "all servers have the same limits; use --per-host and --interval"),
    (&["insecure", "min_tls"], "certificates are always checked, and TLS is 1.2 or later"),
    (&["accept"], "only the statuses 404 and 410 are broken; see --fail-on"),
    (&["method"], "HEAD is asked, and GET if HEAD does not find the page"),
    (&["max_redirects"], "20 redirects are followed"),
    (&["max_retries", "retry_wait_time"], "what fails is asked for once more at the end"),
    (&["require_https"], "http is no error"),
    (&["cache", "max_cache_age"], "a file that comes with the documents writes none; use --cache"),
    (&["cache_exclude_status"], "--cache keeps pages that are there, redirects, 404 and 410"),
    (&["archive", "suggest"], "no archive is asked"),
    (&["index_files", "fallback_extensions"], "a page that may be made from another file is unknown"),
    (&["default_extension"], "use --as"),
    (&["include_wikilinks"], "links of wikis are not read"),
    (&["files_from", "skip_missing", "glob_ignore_case"], "what is checked is named on the command line"),
    (&["dump", "dump_inputs", "generate"], "use 'locator find' and 'locator man'"),
    (
        &["output", "format", "mode", "verbose", "no_progress", "host_stats"],
        "the output is chosen on the command line: --show, --json, -q and -s",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        let why = |line: &str| {
            let table: Table = line.parse().unwrap();
            let (key, value) = table.iter().next().unwrap();
            why_unused(key, value)
        };
        assert_eq!(
            why("cache = true"),
            Some("a file that comes with the documents writes none; use --cache")
        );
        assert_eq!(why("cache = false"), None);
        assert_eq!(why("exclude_all_private = true"), None);
        assert_eq!(why("include_fragments = \"anchor-only\""), None);
        assert!(why("include_fragments = \"full\"").is_some());
        assert_eq!(why("exclud = []"), Some("lychee 0.24 has no such key"));
    }
}
