//! The settings of a fetcher that all its runs and requests need: the policy, the limits, and what it asks
//! ([`Prompter`]), tells ([`Watcher`]) and hands over ([`Handler`]). `fetcher::config` has the methods that change them.
//!
//! ```
//! use std::time::Duration;
//!
//! use locator_fetch::{Reuse, blocking::Fetcher};
//!
//! let fetcher = Fetcher::for_user_input()
//!     .connect_timeout(Duration::from_secs(5))
//!     .max_size(1 << 20)
//!     .reuse(Reuse::Never);
//! # drop(fetcher);
//! ```

pub(crate) mod prompter;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use locator_audit::Policy;

use crate::net::dialer::{ConnectTo, Dialer, Family, Resolver, SystemResolver};
use crate::net::tls::Tls;
use crate::run::resume::Resume;
use crate::run::{Limits, Slowest};
use crate::settings::prompter::{Handler, NoHandler, Prompter, Watcher};
use crate::time::timings::Stopwatch;

/// Whether connections of FTP and NNTP are used again.
///
/// ```
/// use locator_fetch::{Reuse, blocking::Fetcher};
///
/// // A program that fetches one URL.
/// let fetcher = Fetcher::for_user_input().reuse(Reuse::Never);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reuse {
    /// No: each URL is a login, and its connection is closed after it.
    Never,
    /// Yes. After the first login, an FTP server is not asked for its directory (`PWD`), because most programs
    /// fetch one URL of a server: another directory may need a second login.
    #[default]
    IfPossible,
    /// Yes, and many URLs of a server are expected: an FTP server is asked for its directory after each
    /// login, and a server that has too many connections is asked again for up to 60 seconds.
    Expected,
}

/// What a run needs of the fetcher that began it. A clone shares all that is common to its requests.
#[derive(Clone)]
pub(crate) struct Settings {
    common: Arc<Common>,
    /// Where an earlier fetch was cut off.
    pub(crate) resume: Option<Resume>,
    /// Notes how long the steps of a request take.
    pub(crate) times: Arc<Stopwatch>,
}

/// What is common to the requests of a fetcher.
#[derive(Clone)]
pub(crate) struct Common {
    pub(crate) limits: Limits,
    pub(crate) policy: Arc<Policy>,
    pub(crate) resolver: Arc<dyn Resolver>,
    pub(crate) family: Family,
    pub(crate) connect_to: Arc<ConnectTo>,
    pub(crate) tls: Arc<Tls>,
    pub(crate) prompter: Option<Arc<dyn Prompter>>,
    pub(crate) handler: Arc<dyn Handler>,
    pub(crate) watcher: Option<Arc<dyn Watcher>>,
    /// Whether connections are used again, and how many there are to one host.
    pub(crate) reuse: Reuse,
    pub(crate) max_per_host: usize,
    /// How many URLs may lead to another one.
    pub(crate) hops: usize,
}

impl Deref for Settings {
    type Target = Common;

    fn deref(&self) -> &Common {
        &self.common
    }
}

/// A change is not one of the settings that others share.
impl DerefMut for Settings {
    fn deref_mut(&mut self) -> &mut Common {
        Arc::make_mut(&mut self.common)
    }
}

impl Settings {
    /// Returns the settings for URLs that a user has given.
    pub(crate) fn for_user_input() -> Self {
        let common = Common {
            limits: Limits::default(),
            policy: Arc::new(Policy::typed()),
            resolver: Arc::new(SystemResolver),
            family: Family::Any,
            connect_to: Arc::default(),
            tls: Arc::default(),
            prompter: None,
            handler: Arc::new(NoHandler),
            watcher: None,
            reuse: Reuse::IfPossible,
            max_per_host: usize::MAX,
            hops: 10,
        };
        Self { common: common.into(), resume: None, times: Arc::default() }
    }

    /// Returns the same settings for another thread. Threads that count the users of one value are slower
    /// than those that have one each.
    pub(crate) fn separate(&self) -> Self {
        Self { common: Arc::new((*self.common).clone()), ..self.clone() }
    }

    /// Returns what is common to the requests of a fetcher.
    #[cfg(feature = "http")]
    pub(crate) const fn common(&self) -> &Arc<Common> {
        &self.common
    }

    /// Returns the settings for untrusted URLs.
    pub(crate) fn for_untrusted_urls() -> Self {
        let mut settings = Self::for_user_input();
        (settings.limits, settings.policy) = (Limits::for_untrusted_urls(), Arc::new(Policy::public_web()));
        settings
    }

    pub(crate) fn timeout(&mut self, timeout: Duration) {
        self.limits.whole = Some(milliseconds(timeout)).filter(|_| timeout != Duration::MAX);
    }

    pub(crate) fn max_size(&mut self, octets: u64) {
        self.limits.body = Some(octets).filter(|&octets| octets != u64::MAX);
    }

    pub(crate) fn min_speed(&mut self, octets_a_second: u64, over: Duration) {
        let slowest = Slowest { octets_a_second, grace: milliseconds(over) };
        self.limits.slowest = Some(slowest).filter(|_| octets_a_second > 0);
    }

    /// Returns the settings for a server that the user did not name: it learns nothing of the certificate of
    /// the client.
    pub(crate) fn anonymous(&self) -> Self {
        let mut settings = self.clone();
        settings.tls = self.tls.anonymous().clone();
        settings
    }

    /// Returns what connections are made with.
    pub(crate) fn dialer(&self) -> Dialer<'_> {
        let Common { policy, resolver, family, connect_to, limits, .. } = &*self.common;
        let (resolver, times) = (&**resolver, Some(&*self.times));
        Dialer { policy, resolver, family: *family, connect_to, limit: limits.connect, zone: None, times }
    }
}

/// Returns a time in milliseconds, at least one.
pub(crate) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)
}
