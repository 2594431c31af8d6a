//! The options of times: `-z`, which fetches only what has changed, and `-R`, which gives a file the time of
//! the file on the server.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use clap::Args;
use locator_fetch::blocking::Response;
use locator_fetch::http::Http;
use locator_fetch::{fmt_http_date, parse_http_date};

use super::http::refused;
use crate::exit::{CliError, say};
use crate::terminal::visible;

/// The options of times.
#[derive(Args, Debug)]
pub(super) struct TimeArgs {
    /// Fetch only what has changed after DATE (2026-03-01, "1 Mar 2026 12:00:00"; UTC), or after the last
    /// change of the file DATE; "-DATE" fetches only what has not
    #[arg(short = 'z', long, value_name = "DATE|FILE", allow_hyphen_values = true)]
    time_cond: Option<OsString>,
    /// Give a saved file the time of the last change of the file on the server
    #[arg(short = 'R', long, requires = "destination")]
    remote_time: bool,
}

/// What the time of a file must be so that it is fetched.
#[derive(Clone, Debug)]
pub(super) struct TimeCondition {
    time: SystemTime,
    /// Whether only an older file is fetched, and not only a newer one.
    is_older: bool,
    /// The file whose time it is.
    file: Option<PathBuf>,
}

impl TimeArgs {
    /// Returns the condition of `-z`; a note says if there is none, as when a file is fetched for the first
    /// time.
    pub(super) fn condition(&self, is_silent: bool) -> Option<TimeCondition> {
        let word = self.time_cond.as_deref()?;
        let text = word.to_string_lossy();
        let (is_older, name) = match text.strip_prefix('-') {
            Some(rest) => (true, OsStr::new(rest).to_owned()),
            None => (false, word.to_owned()),
        };
        if let Some(time) = date(&name.to_string_lossy()) {
            return Some(TimeCondition { time, is_older, file: None });
        }
        let path = PathBuf::from(name);
        let time = fs::metadata(&path).and_then(|found| found.modified());
        match time {
            Ok(time) => Some(TimeCondition { time, is_older, file: Some(path) }),
            Err(_) => {
                if !is_silent {
                    let name = path.to_string_lossy();
                    let name = visible(&name);
                    say(&format!("\"{name}\" is not a date and no file, so -z fetches unconditionally"));
                }
                None
            }
        }
    }

    /// Returns whether files get the time of those on the server.
    pub(super) const fn keeps_time(&self) -> bool {
        self.remote_time
    }
}

impl TimeCondition {
    /// Adds the condition to requests of HTTP (RFC 9110, 13.1.3 and 13.1.4).
    pub(super) fn add_to(&self, http: Http) -> Result<Http, CliError> {
        let name = if self.is_older { "If-Unmodified-Since" } else { "If-Modified-Since" };
        refused("--time-cond", http.header(name, fmt_http_date(self.time)))
    }

    /// Returns why a response is not wanted, if its time is known: a server may ignore the condition, and only
    /// HTTP has one.
    pub(super) fn refuses(&self, response: &Response) -> Option<&'static str> {
        let modified = modified(response)?;
        match self.is_older {
            false if modified <= self.time => Some("the file has not changed since the time of -z"),
            true if modified > self.time => Some("the file has changed since the time of -z"),
            _ => None,
        }
    }

    /// Returns whether it is the time of this file, which is then to be replaced by a newer one.
    pub(super) fn is_of(&self, name: &OsStr) -> bool {
        self.file.as_deref().is_some_and(|file| file == name)
    }
}

/// Returns the time of the last change of a file on the server.
pub(super) fn modified(response: &Response) -> Option<SystemTime> {
    let header = || parse_http_date(response.headers().get("last-modified")?);
    response.proof().modified().or_else(header)
}

/// Parses a date: one of HTTP, `2026-03-01`, `20260301` or `1 Mar 2026`, with a time after it or without, in
/// UTC.
fn date(text: &str) -> Option<SystemTime> {
    parse_http_date(text).or_else(|| parse_http_date(&as_http(text)?))
}

/// Writes a date as one of HTTP.
fn as_http(text: &str) -> Option<String> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let text = text.trim().trim_end_matches("GMT").trim_end_matches("UTC").trim_end_matches(['Z', ' ']);
    let text = match text.split_once('T') {
        Some((date, time)) if date.ends_with(|c: char| c.is_ascii_digit()) => format!("{date} {time}"),
        _ => text.to_owned(),
    };
    let mut words: Vec<&str> = text.split([' ', ',', '-', '/']).filter(|word| !word.is_empty()).collect();
    let time = match words.last().copied() {
        Some(time) if time.contains(':') => {
            words.pop();
            time.split('.').next().unwrap_or_default()
        }
        _ => "00:00:00",
    };
    let time = if time.matches(':').count() == 1 { format!("{time}:00") } else { time.to_owned() };
    let is_month = |word: &&str| MONTHS.iter().position(|name| word.get(..3) == Some(name));
    let (year, month, day) = match *words {
        [whole] if whole.len() == 8 && whole.bytes().all(|octet| octet.is_ascii_digit()) => {
            (&whole[..4], whole[4..6].parse().ok()?, &whole[6..])
        }
        [year, month, day] if year.len() == 4 => match is_month(&month) {
            Some(month) => (year, month + 1, day),
            None => (year, month.parse().ok()?, day),
        },
        [day, month, year] if is_month(&month).is_some() => (year, is_month(&month)? + 1, day),
        [month, day, year] => (year, is_month(&month)? + 1, day),
        _ => return None,
    };
    let name = MONTHS.get(usize::checked_sub(month, 1)?)?;
    Some(format!("Day, {day} {name} {year} {time} GMT"))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn dates() {
        for (text, expected) in [
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("1994-11-06T08:49:37Z", Some(784_111_777)),
            ("1994-11-06 08:49:37.5", Some(784_111_777)),
            ("6 Nov 1994 08:49:37", Some(784_111_777)),
            ("Nov 6 1994 08:49:37 UTC", Some(784_111_777)),
            ("November 6, 1994 08:49", Some(784_111_740)),
            ("1994-11-06", Some(784_080_000)),
            ("19941106", Some(784_080_000)),
            ("6 Nov 1994", Some(784_080_000)),
            ("1994-13-06", None),
            ("1994-11-31", None),
            ("yesterday", None),
            ("list.txt", None),
            ("0", None),
            ("", None),
        ] {
            let seconds = date(text).map(|time| time.duration_since(UNIX_EPOCH).unwrap());
            assert_eq!(seconds, expected.map(Duration::from_secs), "{text}");
        }
    }
}
