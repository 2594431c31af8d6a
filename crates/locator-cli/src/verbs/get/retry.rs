//! Retries: after which errors, how often and when. A retry resumes where the transfer ended early, or
//! it fails; nothing is written twice.

use std::ops::Deref;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use clap::Args;
use locator_fetch::ResponseHead;
use locator_fetch::blocking::{Body, Response};
use locator_fetch::run::{FailureKind, Whole};
use locator_fetch::{FetchError, Proof, Resume, parse_retry_after};

use super::error::TransferError;
use super::settings::seconds;
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
    /// Retry after every error, also a permanent one such as 404
    #[arg(long)]
    retry_all_errors: bool,
    /// Begin no retry more than SECONDS after the first try
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    retry_max_time: Option<Duration>,
    /// Retry if the connection is refused; this is the default
    #[arg(long)]
    retry_connrefused: bool,
}

impl RetryArgs {
    pub(super) const fn are_wanted(&self) -> bool {
        self.retry > 0
    }

    /// Returns the retries for a URL. `may_be_repeated` says whether its request may be sent twice.
    pub(super) fn tries(&self, may_be_repeated: bool, is_silent: bool) -> Tries {
        Tries {
            left: self.retry,
            delay: self.retry_delay,
            next: Duration::from_secs(1),
            last: self.retry_max_time.and_then(|time| Instant::now().checked_add(time)),
            after_all_errors: self.retry_all_errors,
            may_be_repeated,
            is_silent,
        }
    }
}

/// The retries that are left for a URL.
#[derive(Clone)]
pub(super) struct Tries {
    left: u32,
    delay: Option<Duration>,
    /// The time before the next retry, without `--retry-delay` and `Retry-After`.
    next: Duration,
    /// When the last retry may begin.
    last: Option<Instant>,
    after_all_errors: bool,
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
        let is_late = |last| Instant::now().checked_add(wait).is_none_or(|next| next > last);
        if wait > LONGEST || self.last.is_some_and(is_late) {
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
            _ if self.after_all_errors && self.may_be_repeated => true,
            // The server has not carried the request out.
            Some(429 | 503) => true,
            Some(408 | 500 | 502 | 504) => self.may_be_repeated,
            Some(400..) => false,
            _ if matches!(kind, Some(FailureKind::NotConnected(_) | FailureKind::NameNotFound(_))) => true,
            _ => self.may_be_repeated && error.may_pass(),
        }
    }
}

/// Returns how long a server asks to wait.
fn retry_after(response: &ResponseHead) -> Option<Duration> {
    parse_retry_after(response.headers.get("retry-after")?, SystemTime::now())
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

    /// Returns the next bytes. Calls `flush`, if it is given, before it waits for them, or for a retry.
    pub(super) fn chunk(
        &mut self,
        mut flush: Option<&mut dyn FnMut() -> Result<(), TransferError>>,
    ) -> Result<Option<impl Deref<Target = [u8]> + use<>>, TransferError> {
        if let Some(flush) = &mut flush
            && !self.body.is_ready()
        {
            flush()?;
        }
        loop {
            match self.body.chunk() {
                Ok(octets) => {
                    self.at += octets.as_ref().map_or(0, |octets| octets.len() as u64);
                    return Ok(octets);
                }
                Err(error) => {
                    flush.iter_mut().try_for_each(|flush| flush())?;
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
