//! Retries: after which errors, how often and when. A retry resumes where the transfer ended early, or
//! it fails; nothing is written twice.

use std::ops::Deref;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use locator_fetch::ResponseHead;
use locator_fetch::blocking::{Body, Response};
use locator_fetch::run::{FailureKind, Whole};
use locator_fetch::{FetchError, Proof, Resume};

use super::settings::seconds;
use super::trouble::Trouble;
use crate::exit::say;

/// The options of retries.
#[derive(Args, Debug)]
pub(super) struct RetryArgs {
    /// Retry up to NUMBER times after a temporary error: no connection, a busy FTP
    /// server, or the status 408, 429, 500, 502, 503 or 504
    #[arg(long, value_name = "NUMBER", default_value_t = 0, hide_default_value = true)]
    retry: u32,
    /// Wait SECONDS before each retry; the default is what the server asks for
    /// (Retry-After), else 1, 2, 4 and so on
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    retry_delay: Option<Duration>,
}

impl RetryArgs {
    pub(super) const fn are_wanted(&self) -> bool {
        self.retry > 0
    }

    /// Returns the retries for a URL. `may_be_repeated` says whether its request may be sent twice.
    pub(super) const fn tries(&self, may_be_repeated: bool, is_silent: bool) -> Tries {
        let next = Duration::from_secs(1);
        Tries { left: self.retry, delay: self.retry_delay, next, may_be_repeated, is_silent }
    }
}

/// The retries that are left for a URL.
#[derive(Clone)]
pub(super) struct Tries {
    left: u32,
    delay: Option<Duration>,
    /// The time before the next retry, without `--retry-delay` and `Retry-After`.
    next: Duration,
    may_be_repeated: bool,
    is_silent: bool,
}

/// The longest time before a retry.
const LONGEST: Duration = Duration::from_secs(600);

impl Tries {
    /// Waits before a retry; returns whether there is a retry.
    pub(super) fn again(&mut self, error: &FetchError) -> bool {
        if self.left == 0 || !self.may_help(error) {
            return false;
        }
        let asked = error.head().and_then(retry_after);
        let wait = self.delay.or(asked).unwrap_or(self.next);
        if wait > LONGEST {
            return false;
        }
        self.left -= 1;
        self.next = (self.next * 2).min(LONGEST);
        if !self.is_silent
            && let Some(failure) = error.failure()
        {
            say(&format!("{failure}; retrying in {} s", wait.as_secs_f64()));
        }
        thread::sleep(wait);
        true
    }

    fn may_help(&self, error: &FetchError) -> bool {
        let kind = error.failure().map(|failure| &failure.kind);
        match error.status() {
            // The server has not carried the request out.
            Some(429 | 503) => true,
            Some(408 | 500 | 502 | 504) => self.may_be_repeated,
            Some(400..) => false,
            _ if matches!(kind, Some(FailureKind::NotConnected(_) | FailureKind::NameNotFound(_))) => true,
            _ => self.may_be_repeated && error.may_pass(),
        }
    }
}

/// Returns the time of `Retry-After` (RFC 9110, 10.2.3).
fn retry_after(response: &ResponseHead) -> Option<Duration> {
    let value = response.headers.get("retry-after")?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    Some(Duration::from_secs(seconds_of_date(value)?).saturating_sub(now))
}

/// Parses an HTTP date, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7), to the seconds since 1970.
fn seconds_of_date(text: &str) -> Option<u64> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut words = text.split_once(", ")?.1.split(' ');
    let day: u64 = words.next()?.parse().ok().filter(|day| (1..=31).contains(day))?;
    let name = words.next()?;
    let month = MONTHS.iter().position(|month| *month == name)? as u64;
    let year: u64 = words.next()?.parse().ok().filter(|year| (1970..=9999).contains(year))?;
    let mut time = words.next()?.splitn(3, ':').map(|number| number.parse::<u64>().ok());
    let (hour, minute, second) = (time.next()??, time.next()??, time.next()??);
    if words.next() != Some("GMT") || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    // Years begin in March, so that the day of a leap year is the last one.
    let (year, month) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    (((days - 719_468) * 24 + hour) * 60 + minute).checked_mul(60)?.checked_add(second)
}

/// Reads a response body. If the connection is lost, a retry resumes there.
pub(super) struct Reading<'g> {
    body: Body,
    proof: Proof,
    /// The number of bytes that were read.
    at: u64,
    go_on: Option<GoOn<'g>>,
}

/// Resumes a transfer.
pub(super) struct GoOn<'g> {
    pub(super) tries: Tries,
    /// Fetches the rest.
    pub(super) fetch: Box<dyn Fn(Resume) -> Result<Response, FetchError> + 'g>,
}

impl<'g> Reading<'g> {
    pub(super) fn new(fetched: Response, go_on: Option<GoOn<'g>>) -> Self {
        let (at, proof) = (fetched.resumed_from(), fetched.proof().clone());
        Self { at, body: fetched.body(), proof, go_on }
    }

    /// Returns the next bytes. Calls `wait` before it waits for them, or for a retry.
    pub(super) fn chunk(
        &mut self,
        wait: &mut dyn FnMut() -> Result<(), Trouble>,
    ) -> Result<Option<impl Deref<Target = [u8]> + use<>>, Trouble> {
        if !self.body.is_ready() {
            wait()?;
        }
        loop {
            match self.body.chunk() {
                Ok(octets) => {
                    self.at += octets.as_ref().map_or(0, |octets| octets.len() as u64);
                    return Ok(octets);
                }
                Err(error) => {
                    wait()?;
                    self.body = self.rest(&error).ok_or(error)?;
                }
            }
        }
    }

    /// Returns how the end of the body is known, once it was read.
    pub(super) fn whole(&self) -> Option<Whole> {
        self.body.whole()
    }

    /// Requests the rest; `None` if the server does not prove that the file is unchanged.
    fn rest(&mut self, lost: &FetchError) -> Option<Body> {
        let GoOn { tries, fetch } = self.go_on.as_mut()?;
        let has_proof = self.proof.strong_etag().is_some() || self.proof.last_modified.is_some();
        if self.at > 0 && !has_proof || !tries.again(lost) {
            return None;
        }
        loop {
            match fetch(Resume::new(self.at, self.proof.clone())) {
                Ok(rest) if rest.resumed_from() == self.at => return Some(rest.body()),
                Ok(_) => return None,
                Err(failed) if tries.again(&failed) => {}
                Err(_) => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (text, seconds) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Thu, 29 Feb 2024 23:59:59 GMT", Some(1_709_251_199)),
            ("Fri, 31 Dec 1999 23:59:59 GMT", Some(946_684_799)),
            ("Sun, 06 Nov 1994 08:49:37 CET", None),
            ("Sunday, 06-Nov-94 08:49:37 GMT", None),
            ("Sun, 06 Nov 1994 24:00:00 GMT", None),
            ("120", None),
        ] {
            assert_eq!(seconds_of_date(text), seconds, "{text}");
        }
    }
}
