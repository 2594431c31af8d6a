//! The settings of a fetcher, which belong to it and to the runs that it began.

use std::sync::Arc;

use locator_audit::Policy;

use crate::net::dialer::{Dialer, Family, Resolver, SystemResolver};
use crate::net::tls::Tls;
use crate::prompter::{Handler, NoHandler, Prompter, Watcher};
use crate::resume::Resume;
use crate::run::Limits;

/// What a run needs of the fetcher that began it.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) limits: Limits,
    pub(crate) policy: Arc<Policy>,
    pub(crate) resolver: Arc<dyn Resolver>,
    pub(crate) family: Family,
    pub(crate) tls: Arc<Tls>,
    pub(crate) prompter: Option<Arc<dyn Prompter>>,
    pub(crate) handler: Arc<dyn Handler>,
    pub(crate) watcher: Option<Arc<dyn Watcher>>,
    /// How many URLs may lead to another one.
    pub(crate) hops: usize,
    /// Where an earlier fetch was cut off.
    pub(crate) resume: Option<Resume>,
    #[cfg(feature = "http")]
    pub(crate) http: Arc<crate::http::Http>,
    /// The connections of HTTP that wait to be used again.
    #[cfg(feature = "http")]
    pub(crate) pool: Arc<crate::net::pool::Pool>,
}

impl Settings {
    /// Returns the settings for URLs that a person has typed.
    pub(crate) fn typed() -> Self {
        Self {
            limits: Limits::default(),
            policy: Arc::new(Policy::typed()),
            resolver: Arc::new(SystemResolver),
            family: Family::Any,
            tls: Arc::default(),
            prompter: None,
            handler: Arc::new(NoHandler),
            watcher: None,
            hops: 10,
            resume: None,
            #[cfg(feature = "http")]
            http: Arc::default(),
            #[cfg(feature = "http")]
            pool: Arc::default(),
        }
    }

    /// Returns the settings for URLs of strangers.
    pub(crate) fn strangers() -> Self {
        let policy = Arc::new(Policy::public_web());
        Self { limits: Limits::strangers(), policy, ..Self::typed() }
    }

    /// Separates the connections from those of other settings.
    pub(crate) fn separate(&mut self) {
        #[cfg(feature = "http")]
        {
            self.pool = Arc::new(self.pool.separate());
        }
    }

    /// Returns what connections are made with.
    pub(crate) fn dialer(&self) -> Dialer<'_> {
        let Self { policy, resolver, family, limits, .. } = self;
        Dialer { policy, resolver: &**resolver, family: *family, limit: limits.connect, zone: None }
    }
}

/// The methods that set a fetcher up; `$fetcher` is the field of the asynchronous one.
macro_rules! setters {
    ($lifetime:lifetime $(, $fetcher:ident)?) => {
        /// Sets how long a run may wait and how much it may read, in place of all limits there are.
        #[must_use]
        pub fn limits(mut self, limits: crate::run::Limits) -> Self {
            self$(.$fetcher)?.settings.limits = limits;
            self
        }

        /// Sets the schemes and gateways; without it they are those of `locator`.
        #[must_use]
        pub fn registry(mut self, registry: &$lifetime locator::scheme::Registry<$lifetime>) -> Self {
            self$(.$fetcher)?.registry = registry;
            self
        }

        /// Sets what plans need that URLs do not contain.
        #[must_use]
        pub fn options(mut self, options: locator::plan::Options<$lifetime>) -> Self {
            self$(.$fetcher)?.options = options;
            self
        }

        /// Sets which URLs and addresses are allowed, in place of the policy that [`for_strangers`](Self::for_strangers) or
        /// [`for_user_input`](Self::for_user_input) chose.
        #[must_use]
        pub fn policy(mut self, policy: locator_audit::Policy) -> Self {
            self$(.$fetcher)?.settings.policy = std::sync::Arc::new(policy);
            self
        }

        /// Sets the prompter, which answers prompts. Without one they are errors, except that the
        /// e-mail address of anonymous ftp is `anonymous@`.
        #[must_use]
        pub fn prompter(mut self, prompter: std::sync::Arc<dyn crate::Prompter>) -> Self {
            self$(.$fetcher)?.settings.prompter = Some(prompter);
            self
        }

        /// Sets the handler, which looks for messages, shows drafts and starts programs.
        #[must_use]
        pub fn handler(mut self, handler: std::sync::Arc<dyn crate::Handler>) -> Self {
            self$(.$fetcher)?.settings.handler = handler;
            self
        }

        /// Sets the watcher of the dialogue.
        #[must_use]
        pub fn watcher(mut self, watcher: std::sync::Arc<dyn crate::Watcher>) -> Self {
            self$(.$fetcher)?.settings.watcher = Some(watcher);
            self
        }

        /// Sets the resolver that looks names up; that of the system without it.
        #[must_use]
        pub fn resolver(mut self, resolver: std::sync::Arc<dyn crate::Resolver>) -> Self {
            self$(.$fetcher)?.settings.resolver = resolver;
            self
        }

        /// Sets the versions of IP that are used; both without it.
        #[must_use]
        pub fn family(mut self, family: crate::Family) -> Self {
            self$(.$fetcher)?.settings.family = family;
            self
        }

        /// Sets which certificates of servers are trusted; those of the system without it.
        #[must_use]
        pub fn trust(mut self, trust: crate::Trust) -> Self {
            self$(.$fetcher)?.settings.tls = std::sync::Arc::new(crate::net::tls::Tls::new(trust));
            self
        }

        /// Sets how many URLs may lead to another one; 10 without it.
        #[must_use]
        pub fn hops(mut self, most: usize) -> Self {
            self$(.$fetcher)?.settings.hops = most;
            self
        }

        /// Goes on where an earlier fetch of the same URL was cut off, if the server proves that the
        /// object is still the same; else it begins anew.
        #[must_use]
        pub fn resume(mut self, resume: crate::Resume) -> Self {
            self$(.$fetcher)?.settings.resume = Some(resume);
            self
        }

        /// Sets how HTTP is spoken.
        #[cfg(feature = "http")]
        #[must_use]
        pub fn http(mut self, http: crate::http::Http) -> Self {
            self$(.$fetcher)?.settings.http = std::sync::Arc::new(http);
            self
        }
    };
}

pub(crate) use setters;
