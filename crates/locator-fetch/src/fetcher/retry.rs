//! Retries: after which errors a request is sent again, how often and when. A [`RetryPolicy`] has the rules; its
//! [`Retries`] are those that are left for one URL: they take an error, return how long to wait. Nothing is sent or
//! waited for here.
//!
//! A server asks for a time by `Retry-After` (RFC 9110, 10.2.3). A request that may have taken effect is not sent again
//! (9.2.2), except after answers that say that it has not: 429 (RFC 6585, 4) and 503.

use std::time::{Duration, Instant, SystemTime};

use crate::error::FetchError;
use crate::run::FailureKind;
use crate::time::date::parse_retry_after;

/// After which errors a request is sent again, how often and when.
///
/// ```no_run
/// use std::thread;
///
/// use locator_fetch::RetryPolicy;
/// use locator_fetch::blocking::Fetcher;
///
/// let fetcher = Fetcher::for_user_input();
/// let mut retries = RetryPolicy::new(3).start();
/// let page = loop {
///     match fetcher.fetch("https://www.example/list") {
///         Ok(page) => break page,
///         Err(error) => match retries.wait_after(&error) {
///             Ok(wait) => thread::sleep(wait),
///             Err(_) => return Err(error),
///         },
///     }
/// };
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    most: u32,
    delay: Option<Duration>,
    max_time: Option<Duration>,
    after_all_errors: bool,
    is_repeatable: bool,
}

impl RetryPolicy {
    /// The longest time that a server may ask to wait; [`delay`](Self::delay) may be longer.
    pub const LONGEST_WAIT: Duration = Duration::from_secs(600);

    /// Retries so often after errors that may pass: no connection, a busy FTP server, a body that ends early, and the
    /// status 408, 429, 500, 502, 503 and 504.
    #[must_use]
    pub const fn new(most: u32) -> Self {
        Self { most, delay: None, max_time: None, after_all_errors: false, is_repeatable: true }
    }

    /// Waits this long before each retry. Without it the wait is what the server asks for, else 1 second, 2, 4 and so
    /// on.
    #[must_use]
    pub const fn delay(mut self, delay: Duration) -> Self {
        self.delay = Some(delay);
        self
    }

    /// Begins no retry later than this after the first request.
    #[must_use]
    pub const fn max_time(mut self, time: Duration) -> Self {
        self.max_time = Some(time);
        self
    }

    /// Sets whether every error is followed by a retry, also one that will not pass, such as 404.
    #[must_use]
    pub const fn after_all_errors(mut self, retries: bool) -> Self {
        self.after_all_errors = retries;
        self
    }

    /// Sets whether the request may be sent twice, which is so without this. With `false`, for a request such as POST,
    /// it is sent again only if the server did not carry it out.
    #[must_use]
    pub const fn repeatable(mut self, may_be_repeated: bool) -> Self {
        self.is_repeatable = may_be_repeated;
        self
    }

    /// Returns the retries for a URL, whose first request is sent now.
    #[must_use]
    pub fn start(&self) -> Retries {
        Retries {
            left: self.most,
            next: Duration::from_secs(1),
            last: self.max_time.and_then(|time| Instant::now().checked_add(time)),
            policy: self.clone(),
        }
    }
}

/// The retries that are left for a URL; [`RetryPolicy`] has an example.
#[derive(Clone, Debug)]
pub struct Retries {
    policy: RetryPolicy,
    left: u32,
    /// The time before the next retry, if neither the program nor the server says one.
    next: Duration,
    /// When the last retry may begin.
    last: Option<Instant>,
}

/// Why a request is not sent again.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRetry {
    /// There were as many retries as there may be.
    NoneLeft,
    /// The error will not pass, or the request may have taken effect.
    Permanent,
    /// The server asks to wait longer than [`RetryPolicy::LONGEST_WAIT`].
    AsksTooLong(Duration),
    /// The retry would begin after [`RetryPolicy::max_time`].
    OutOfTime,
}

impl Retries {
    /// Takes a retry: returns how long to wait before the request is sent again.
    ///
    /// # Errors
    ///
    /// Why it is not.
    pub fn wait_after(&mut self, error: &FetchError) -> Result<Duration, NoRetry> {
        if self.left == 0 {
            return Err(NoRetry::NoneLeft);
        }
        if !self.may_help(error) {
            return Err(NoRetry::Permanent);
        }
        let asked = || parse_retry_after(error.head()?.headers.get("retry-after")?, SystemTime::now());
        let wait = match self.policy.delay {
            Some(delay) => delay,
            None => asked().unwrap_or(self.next),
        };
        if self.policy.delay.is_none() && wait > RetryPolicy::LONGEST_WAIT {
            return Err(NoRetry::AsksTooLong(wait));
        }
        let is_late = |last| Instant::now().checked_add(wait).is_none_or(|next| next > last);
        if self.last.is_some_and(is_late) {
            return Err(NoRetry::OutOfTime);
        }
        self.left -= 1;
        self.next = (self.next * 2).min(RetryPolicy::LONGEST_WAIT);
        Ok(wait)
    }

    fn may_help(&self, error: &FetchError) -> bool {
        let kind = error.failure().map(|failure| &failure.kind);
        let is_repeatable = self.policy.is_repeatable;
        match error.status() {
            _ if self.policy.after_all_errors && is_repeatable => true,
            // The server has not carried the request out.
            Some(429 | 503) => true,
            Some(408 | 500 | 502 | 504) => is_repeatable,
            Some(400..) => false,
            _ if matches!(kind, Some(FailureKind::NotConnected(_) | FailureKind::NameNotFound(_))) => true,
            _ => is_repeatable && error.may_pass(),
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use locator::UriRefBuf;

    use super::*;
    use crate::error::failure::Failure;
    use crate::headers::{ResponseHead, Version};

    fn status(status: u16, retry_after: Option<&str>) -> FetchError {
        let failure = Failure::new(FailureKind::NotSupported("a test"), "");
        let headers = retry_after.map(|value| ("Retry-After".to_owned(), value.as_bytes().to_vec()));
        FetchError::new(UriRefBuf::default(), Vec::new(), failure).with_head(ResponseHead {
            version: Version::Http11,
            status,
            reason: String::new(),
            headers: headers.into_iter().collect(),
            sent: Bytes::new(),
        })
    }

    #[test]
    fn waits() {
        let seconds = |seconds| Ok(Duration::from_secs(seconds));
        let mut retries = RetryPolicy::new(3).start();
        assert_eq!(retries.wait_after(&status(503, None)), seconds(1));
        assert_eq!(retries.wait_after(&status(429, Some("7"))), seconds(7));
        assert_eq!(retries.wait_after(&status(404, None)), Err(NoRetry::Permanent));
        assert_eq!(
            retries.wait_after(&status(503, Some("1200"))),
            Err(NoRetry::AsksTooLong(Duration::from_secs(1200)))
        );
        assert_eq!(retries.wait_after(&status(500, None)), seconds(4));
        assert_eq!(retries.wait_after(&status(500, None)), Err(NoRetry::NoneLeft));
        let mut retries = RetryPolicy::new(9).delay(Duration::from_secs(900)).start();
        assert_eq!(retries.wait_after(&status(503, Some("1200"))), seconds(900));
        let mut late = RetryPolicy::new(9).max_time(Duration::from_millis(1)).start();
        assert_eq!(late.wait_after(&status(503, None)), Err(NoRetry::OutOfTime));
    }

    #[test]
    fn what_may_have_taken_effect_is_not_repeated() {
        let post = RetryPolicy::new(9).repeatable(false).after_all_errors(true);
        assert_eq!(post.start().wait_after(&status(500, None)), Err(NoRetry::Permanent));
        assert!(post.start().wait_after(&status(503, None)).is_ok());
        assert!(RetryPolicy::new(9).after_all_errors(true).start().wait_after(&status(404, None)).is_ok());
    }
}
