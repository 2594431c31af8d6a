//! The options of times: `-z`, which fetches only what has changed, and `-R`, which gives a file the time of
//! the file on the server.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use clap::Args;
use locator_fetch::blocking::Response;
use locator_fetch::http::Http;
use locator_fetch::{fmt_http_date, parse_http_date};

use super::http::with_option;
use crate::exit::{CliError, say, say_error};
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
    /// Returns the condition of `-z`. A file that is not there yet is one that is fetched for the first time if
    /// `is_saved` says that the run saves it; a note says so. What is neither a date nor a file is an error.
    pub(super) fn condition(
        &self,
        is_saved: impl FnOnce(&OsStr) -> bool,
        is_silent: bool,
    ) -> Result<Option<TimeCondition>, CliError> {
        let Some(word) = self.time_cond.as_deref() else { return Ok(None) };
        let text = word.to_string_lossy();
        let (is_older, name) = match text.split_at_checked(1) {
            Some(("-", rest)) => (true, OsStr::new(rest).to_owned()),
            // In curl the default has a sign, too.
            Some(("+", rest)) => (false, OsStr::new(rest).to_owned()),
            _ => (false, word.to_owned()),
        };
        if let Some(time) = date(&name.to_string_lossy()) {
            return Ok(Some(TimeCondition { time, is_older, file: None }));
        }
        let path = PathBuf::from(&name);
        let shown = visible(&path.to_string_lossy()).to_string();
        match fs::metadata(&path).and_then(|found| found.modified()) {
            Ok(time) => Ok(Some(TimeCondition { time, is_older, file: Some(path) })),
            Err(_) if is_saved(&name) => {
                if !is_silent {
                    say(&format!("\"{shown}\" does not exist yet, so -z fetches it in any case"));
                }
                Ok(None)
            }
            Err(_) => {
                say_error(&format!(
                    "--time-cond: \"{shown}\" is neither a date, such as \"1 Mar 2026 12:00:00\", nor a file"
                ));
                Err(CliError::Reported)
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
        with_option("--time-cond", http.header(name, fmt_http_date(self.time)))
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

/// Parses a date: `2026-03-01` with a time after it or without, in UTC, or one in any form that curl reads.
fn date(text: &str) -> Option<SystemTime> {
    parse_http_date(text).or_else(|| of_iso_8601(text)).or_else(|| Parts::read(text)?.time())
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTHS_IN_FULL: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// The zones that curl knows, and how many minutes they are before UTC; then the military ones.
const ZONES: [(&str, i64); 40] = [
    ("gmt", 0),
    ("ut", 0),
    ("utc", 0),
    ("wet", 0),
    ("bst", 60),
    ("wat", -60),
    ("ast", -240),
    ("adt", -180),
    ("est", -300),
    ("edt", -240),
    ("cst", -360),
    ("cdt", -300),
    ("mst", -420),
    ("mdt", -360),
    ("pst", -480),
    ("pdt", -420),
    ("yst", -540),
    ("ydt", -480),
    ("hst", -600),
    ("hdt", -540),
    ("cat", -600),
    ("ahst", -600),
    ("nt", -660),
    ("idlw", -720),
    ("cet", 60),
    ("met", 60),
    ("mewt", 60),
    ("mest", 120),
    ("cest", 120),
    ("mesz", 120),
    ("fwt", 60),
    ("fst", 120),
    ("eet", 120),
    ("wast", 420),
    ("wadt", 480),
    ("cct", 480),
    ("jst", 540),
    ("nzt", 720),
    ("nzst", 720),
    ("nzdt", 780),
];

/// Returns how many minutes a zone is before UTC.
fn zone(name: &str) -> Option<i64> {
    if let Some((_, minutes)) = ZONES.iter().find(|(own, _)| *own == name) {
        return Some(*minutes);
    }
    // "Z" is UTC, "A" to "M" are west of it in curl, as RFC 822 has them, and "J" is none.
    let hour = match name.as_bytes() {
        [b'z'] => 0,
        [letter @ b'a'..=b'i'] => -i64::from(letter - b'a' + 1),
        [letter @ b'k'..=b'm'] => -i64::from(letter - b'a'),
        [letter @ b'n'..=b'y'] => i64::from(letter - b'n' + 1),
        _ => return None,
    };
    Some(hour * 60)
}

/// Parses a date of ISO 8601: `2026-03-01`, `2026-03-01T12:00:00Z`, with seconds or without, and with an offset.
fn of_iso_8601(text: &str) -> Option<SystemTime> {
    let (date, time) = text.trim().split_once(['T', ' ']).unwrap_or((text.trim(), ""));
    let mut numbers = date.splitn(3, ['-', '/']);
    let (year, month, day) = (numbers.next()?, numbers.next()?, numbers.next()?);
    let month = match month.parse::<usize>() {
        Ok(month) => MONTHS.get(month.checked_sub(1)?)?,
        Err(_) => month,
    };
    let (time, offset) = match time.find(['+', '-']) {
        Some(at) => (&time[..at], time[at..].replacen(':', "", 1)),
        None => (time.trim_end_matches('Z'), String::new()),
    };
    let seconds = time.trim().split('.').next().unwrap_or_default();
    let is_number =
        year.len() == 4 && [year, day].iter().all(|text| text.bytes().all(|c| c.is_ascii_digit()));
    is_number.then(|| Parts::read(&format!("{day} {month} {year} {seconds} {offset}"))?.time()).flatten()
}

/// The parts of a date, each at most once.
#[derive(Default)]
struct Parts {
    year: Option<u64>,
    month: Option<usize>,
    day: Option<u64>,
    /// Hour, minute and second.
    time: Option<String>,
    /// Minutes before UTC.
    offset: Option<i64>,
    has_weekday: bool,
}

impl Parts {
    /// Reads the words of a date as curl does: names of days, months and zones, times and numbers, in any order
    /// and with anything between them; the first number that can be one is the day.
    fn read(text: &str) -> Option<Self> {
        let mut parts = Self::default();
        let (mut rest, mut before) = (text, ' ');
        while let Some(first) = rest.chars().next() {
            let length = match first {
                _ if first.is_ascii_alphabetic() => rest.find(|c: char| !c.is_ascii_alphabetic()),
                _ if first.is_ascii_digit() => rest.find(|c: char| !c.is_ascii_digit() && c != ':'),
                _ => Some(first.len_utf8()),
            };
            let (word, after) = rest.split_at(length.unwrap_or(rest.len()));
            match first {
                _ if first.is_ascii_alphabetic() => parts.take_name(&word.to_ascii_lowercase())?,
                _ if word.contains(':') && first.is_ascii_digit() => parts.take_time(word)?,
                _ if first.is_ascii_digit() => parts.take_number(word, before)?,
                _ => {}
            }
            before = first;
            rest = after;
        }
        Some(parts)
    }

    fn take_name(&mut self, name: &str) -> Option<()> {
        let is_day = |day: &&str| *day == name || day[..3] == *name;
        if !self.has_weekday && DAYS.iter().any(is_day) {
            self.has_weekday = true;
            return Some(());
        }
        let month = MONTHS.iter().position(|month| *month == name);
        let month = month.or_else(|| MONTHS_IN_FULL.iter().position(|month| *month == name));
        match (month, zone(name)) {
            (Some(month), _) if self.month.is_none() => self.month = Some(month),
            (_, Some(minutes)) if self.offset.is_none() => self.offset = Some(minutes),
            _ => return None,
        }
        Some(())
    }

    fn take_time(&mut self, word: &str) -> Option<()> {
        let colons = word.matches(':').count();
        let time = if colons == 1 { format!("{word}:00") } else { word.to_owned() };
        (self.time.is_none() && colons < 3).then(|| self.time = Some(time))
    }

    fn take_number(&mut self, word: &str, before: char) -> Option<()> {
        let number: u64 = word.parse().ok()?;
        if self.offset.is_none() && word.len() == 4 && number <= 1400 && matches!(before, '+' | '-') {
            let minutes = i64::try_from(number / 100 * 60 + number % 100).ok()?;
            self.offset = Some(if before == '-' { -minutes } else { minutes });
        } else if word.len() == 8 && self.year.is_none() && self.month.is_none() && self.day.is_none() {
            self.year = Some(number / 10_000);
            self.month = Some(usize::try_from(number / 100 % 100).ok()?.checked_sub(1)?);
            self.day = Some(number % 100);
        } else if self.day.is_none() && (1..32).contains(&number) && word.len() < 3 {
            self.day = Some(number);
        } else if self.year.is_none() && matches!(word.len(), 2 | 4) {
            self.year = Some(match number {
                0..=70 => 2000 + number,
                71..=99 => 1900 + number,
                _ => number,
            });
        } else {
            return None;
        }
        Some(())
    }

    fn time(self) -> Option<SystemTime> {
        let month = MONTHS.get(self.month?)?;
        let name = month[..1].to_ascii_uppercase() + &month[1..];
        let time = self.time.as_deref().unwrap_or("00:00:00");
        let utc = parse_http_date(&format!("Day, {} {name} {:04} {time} GMT", self.day?, self.year?))?;
        let offset = Duration::from_secs(self.offset.unwrap_or_default().unsigned_abs() * 60);
        // A zone before UTC has the hour earlier.
        if self.offset.is_some_and(|minutes| minutes > 0) {
            utc.checked_sub(offset)
        } else {
            utc.checked_add(offset)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

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
            // The forms of curl's documentation.
            ("Sunday, 06-Nov-94 08:49:37 GMT", Some(784_111_777)),
            ("Sun Nov  6 08:49:37 1994", Some(784_111_777)),
            ("06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("06-Nov-94 08:49:37 GMT", Some(784_111_777)),
            ("Nov  6 08:49:37 1994", Some(784_111_777)),
            ("06-Nov-94", Some(784_080_000)),
            ("1994 Nov 6", Some(784_080_000)),
            ("06-nov-94", Some(784_080_000)),
            ("Sun Nov 6 94", Some(784_080_000)),
            ("1994.Nov.6", Some(784_080_000)),
            ("Sun/Nov/6/94/GMT", Some(784_080_000)),
            ("Sun, 06 Nov 1994 08:49:37 CET", Some(784_108_177)),
            ("06 Nov 1994 08:49:37 EST", Some(784_129_777)),
            ("Sun, 06 Nov 1994 08:49:37 -0700", Some(784_136_977)),
            ("Sun, 06 Nov 1994 08:49:37 +0230", Some(784_102_777)),
            ("19941106 08:49:37 -0700", Some(784_136_977)),
            ("19941106 +0200", Some(784_072_800)),
            ("6 November 1994 8:49", Some(784_111_740)),
            ("1994-11-06T08:49:37+01:00", Some(784_108_177)),
            ("1994-11-06T08:49Z", Some(784_111_740)),
            ("1994/11/06", Some(784_080_000)),
            ("06 Nov 1994 08:49:37 A", Some(784_115_377)),
            ("32 Nov 1994", None),
            ("6 Nov", None),
            ("6 Nov 1994 7 8", None),
            ("6 Nov 1994 Dec", None),
            ("6 Nov 1994 25:00", None),
            ("6 Nov 1994 later", None),
            ("now", None),
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
