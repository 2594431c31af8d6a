//! The configuration of lychee 0.24: `lychee.toml` and `.lycheeignore` in the working directory.
//!
//! Such a file comes with the documents, so it may only leave links out, look at fewer files or ask servers
//! more slowly. It cannot make private addresses reachable, send headers or secrets, or start programs. Keys
//! that are not used are named with the reason, unless they have no effect.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use regex::Regex;
use toml::{Table, Value};

use super::unused;
use crate::exit::{CliError, say_error, say_error_at, wrong};
use crate::lines::{Named, in_toml};
use crate::message::Place;
use crate::terminal::visible;

/// What the files of lychee say.
#[derive(Debug, Default)]
pub(super) struct Lychee {
    /// URLs that are checked although they are excluded here; without `exclude`, no others are.
    include: Vec<Regex>,
    /// URLs that are not checked.
    exclude: Vec<Regex>,
    /// Files that are not searched.
    exclude_path: Vec<Regex>,
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
    /// The keys that are not used, each with the reason.
    pub(super) unused: Vec<String>,
}

/// The names of the files.
const FILES: [&str; 2] = ["lychee.toml", ".lycheeignore"];

impl Lychee {
    /// Reads the configuration that is named, or the one in the working directory, and the patterns there.
    pub(super) fn read(named: Option<&Path>) -> Result<Self, CliError> {
        let [usual, patterns] = FILES.map(Path::new);
        let path = named.unwrap_or(usual);
        let mut lychee = Self::default();
        if let Some(text) = text(path, named.is_some())? {
            let table = toml::from_str::<Table>(&text).map_err(|error| {
                let (place, why) = in_toml(&text, &error);
                say_error_at(&Place::given(&format!("{}:{place}", path.to_string_lossy())), &why);
                CliError::Reported
            })?;
            let name = visible(&path.to_string_lossy()).to_string();
            for (key, value) in &table {
                lychee
                    .take(key, value)
                    .map_err(|why| wrong(&format!("{name}: \"{}\": {why}", visible(key))))?;
            }
            lychee.unused.iter_mut().for_each(|why| *why = format!("{name}: {why}"));
        }
        for (number, line) in text(patterns, false)?.unwrap_or_default().lines().enumerate() {
            if !line.is_empty() && !line.trim_start().starts_with('#') {
                let wrong = |why| wrong(&format!("{}:{}: {why}", patterns.display(), number + 1));
                lychee.exclude.push(regex(line).map_err(wrong)?);
            }
        }
        Ok(lychee)
    }

    fn take(&mut self, key: &str, value: &Value) -> Result<(), String> {
        match key {
            "include" => self.include = regexes(value)?,
            "exclude" => self.exclude = regexes(value)?,
            "exclude_path" => self.exclude_path = regexes(value)?,
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
            "max_concurrency" => self.at_once = Some(number(value)?.clamp(1, 100)),
            "threads" => self.threads = Some(number(value)?.clamp(1, 1024)),
            _ => {
                if let Some(why) = unused::why(key, value) {
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
        let matches = |patterns: &[Regex]| patterns.iter().any(|pattern| pattern.is_match(url));
        let scheme = url.split(':').next().unwrap_or_default();
        if !self.schemes.is_empty() && !self.schemes.iter().any(|own| own.eq_ignore_ascii_case(scheme)) {
            return false;
        }
        if matches(&self.include) {
            return true;
        }
        let has_only_includes = !self.include.is_empty() && self.exclude.is_empty();
        !has_only_includes && !matches(&self.exclude)
    }

    /// Returns whether all URLs are checked.
    pub(super) fn wants_all(&self) -> bool {
        self.include.is_empty() && self.exclude.is_empty() && self.schemes.is_empty()
    }

    /// Returns whether a file that was met in a directory is searched.
    pub(super) fn wants_file(&self, path: &Path) -> bool {
        let name = path.strip_prefix("./").unwrap_or(path).to_string_lossy();
        let ending = path.extension().map(|ending| ending.to_string_lossy()).unwrap_or_default();
        let is_of_kind = self.extensions.is_empty() || self.extensions.iter().any(|own| *own == ending);
        is_of_kind && !self.exclude_path.iter().any(|pattern| pattern.is_match(&name))
    }
}

/// Reads a file, which need not exist unless it was named.
fn text(path: &Path, is_named: bool) -> Result<Option<String>, CliError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound && !is_named => Ok(None),
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            say_error(&format!("\"{}\" is not UTF-8", visible(&path.to_string_lossy())));
            Err(CliError::Reported)
        }
        Err(error) => Err(Named(path.as_os_str()).unreadable(error)),
    }
}

fn regex(pattern: &str) -> Result<Regex, String> {
    Regex::new(pattern).map_err(|error| match error {
        regex::Error::Syntax(why) => {
            why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
        }
        error => error.to_string(),
    })
}

fn regexes(value: &Value) -> Result<Vec<Regex>, String> {
    words(value)?.iter().map(|pattern| regex(pattern)).collect()
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
