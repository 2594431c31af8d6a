//! What a fetcher is configured with, and the methods that do it.

use locator::plan::Options;
use locator::scheme::Registry;

#[cfg(feature = "http")]
use crate::http::Client;
use crate::settings::Settings;

/// The configuration of a fetcher.
#[derive(Clone)]
pub(crate) struct Config<'o> {
    pub(crate) settings: Settings,
    pub(crate) registry: &'o Registry<'o>,
    pub(crate) options: Options<'o>,
    #[cfg(feature = "http")]
    pub(crate) client: Client,
}

impl Config<'_> {
    /// Returns the configuration for URLs that a person has typed.
    pub(crate) fn typed() -> Self {
        Self {
            settings: Settings::typed(),
            registry: Registry::BUILT_IN,
            options: Options::new(),
            #[cfg(feature = "http")]
            client: Client::default(),
        }
    }

    /// Returns the configuration for URLs of strangers.
    pub(crate) fn strangers() -> Self {
        Self { settings: Settings::strangers(), ..Self::typed() }
    }

    /// Separates the connections from those of other configurations.
    pub(crate) fn separate(&mut self) {
        #[cfg(feature = "http")]
        {
            self.client = self.client.separate();
        }
    }
}

/// The methods that set a fetcher up; `$fetcher` is the field of the asynchronous one.
macro_rules! setters {
    ($lifetime:lifetime $(, $fetcher:ident)?) => {
        /// Sets how long a run may wait and how much it may read, in place of all limits there are.
        #[must_use]
        pub fn limits(mut self, limits: crate::run::Limits) -> Self {
            self$(.$fetcher)?.config.settings.limits = limits;
            self
        }

        /// Sets the schemes and gateways; without it they are those of `locator`.
        #[must_use]
        pub fn registry(mut self, registry: &$lifetime locator::scheme::Registry<$lifetime>) -> Self {
            self$(.$fetcher)?.config.registry = registry;
            self
        }

        /// Sets what plans need that URLs do not contain.
        #[must_use]
        pub fn options(mut self, options: locator::plan::Options<$lifetime>) -> Self {
            self$(.$fetcher)?.config.options = options;
            self
        }

        /// Sets which URLs and addresses are allowed, in place of the policy that [`for_strangers`](Self::for_strangers) or
        /// [`for_user_input`](Self::for_user_input) chose.
        #[must_use]
        pub fn policy(mut self, policy: locator_audit::Policy) -> Self {
            self$(.$fetcher)?.config.settings.policy = std::sync::Arc::new(policy);
            self
        }

        /// Sets the prompter, which answers prompts. Without one they are errors, except that the
        /// e-mail address of anonymous ftp is `anonymous@`.
        #[must_use]
        pub fn prompter(mut self, prompter: std::sync::Arc<dyn crate::Prompter>) -> Self {
            self$(.$fetcher)?.config.settings.prompter = Some(prompter);
            self
        }

        /// Sets the handler, which looks for messages, shows drafts and starts programs.
        #[must_use]
        pub fn handler(mut self, handler: std::sync::Arc<dyn crate::Handler>) -> Self {
            self$(.$fetcher)?.config.settings.handler = handler;
            self
        }

        /// Sets the watcher of the dialogue.
        #[must_use]
        pub fn watcher(mut self, watcher: std::sync::Arc<dyn crate::Watcher>) -> Self {
            self$(.$fetcher)?.config.settings.watcher = Some(watcher);
            self
        }

        /// Sets the resolver that looks names up; that of the system without it.
        #[must_use]
        pub fn resolver(mut self, resolver: std::sync::Arc<dyn crate::Resolver>) -> Self {
            self$(.$fetcher)?.config.settings.resolver = resolver;
            self
        }

        /// Sets the versions of IP that are used; both without it.
        #[must_use]
        pub fn family(mut self, family: crate::Family) -> Self {
            self$(.$fetcher)?.config.settings.family = family;
            self
        }

        /// Sets which certificates of servers are trusted; those of the system without it.
        #[must_use]
        pub fn trust(mut self, trust: crate::Trust) -> Self {
            self$(.$fetcher)?.config.settings.tls = std::sync::Arc::new(crate::net::tls::Tls::new(trust));
            self
        }

        /// Sets how many URLs may lead to another one; 10 without it.
        #[must_use]
        pub fn hops(mut self, most: usize) -> Self {
            self$(.$fetcher)?.config.settings.hops = most;
            self
        }

        /// Goes on where an earlier fetch of the same URL was cut off, if the server proves that the
        /// object is still the same; else it begins anew.
        #[must_use]
        pub fn resume(mut self, resume: crate::Resume) -> Self {
            self$(.$fetcher)?.config.settings.resume = Some(resume);
            self
        }

        /// Sets how HTTP is spoken.
        #[cfg(feature = "http")]
        #[must_use]
        pub fn http(mut self, http: crate::http::Http) -> Self {
            self$(.$fetcher)?.config.client.http = std::sync::Arc::new(http);
            self
        }
    };
}

pub(crate) use setters;
