//! Retries ([`Tries`]): after which errors, how often and when, says `locator_fetch::RetryPolicy`. A retry resumes where
//! the transfer ended early ([`Reading`]), or it fails; nothing is written twice.

use std::ops::Deref;
use std::thread;
use std::time::Duration;

use clap::Args;
use locator_fetch::blocking::{Body, Response};
use locator_fetch::run::Whole;
use locator_fetch::{FetchError, NoRetry, Proof, Resume, Retries, RetryPolicy};

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
        let policy =
            RetryPolicy::new(self.retry).after_all_errors(self.retry_all_errors).repeatable(may_be_repeated);
        let policy = self.retry_delay.into_iter().fold(policy, RetryPolicy::delay);
        let policy = self.retry_max_time.into_iter().fold(policy, RetryPolicy::max_time);
        Tries { left: policy.start(), is_silent }
    }
}

/// The retries that are left for a URL.
#[derive(Clone)]
pub(super) struct Tries {
    left: Retries,
    is_silent: bool,
}

impl Tries {
    /// Waits before a retry; returns whether there is a retry.
    pub(super) fn again(&mut self, error: &FetchError) -> bool {
        match self.left.wait_after(error) {
            Ok(wait) => {
                if let Some(failure) = error.failure() {
                    self.say(&format!("{failure}; retrying in {} s", wait.as_secs_f64()));
                }
                thread::sleep(wait);
                return true;
            }
            Err(NoRetry::AsksTooLong(wait)) => {
                let (wait, longest) = (wait.as_secs(), RetryPolicy::LONGEST_WAIT.as_secs());
                self.say(&format!(
                    "no retry: the server asks to wait {wait} s (Retry-After), and get waits at most {longest} s; use \
                     --retry-delay to wait another time"
                ));
            }
            Err(NoRetry::OutOfTime) => {
                self.say("no retry: it would begin after the time of --retry-max-time");
            }
            Err(_) => {}
        }
        false
    }

    fn say(&self, note: &str) {
        if !self.is_silent {
            say(note);
        }
    }
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
