//! What a fetcher is configured with, and the methods that do it.

use std::sync::Arc;
use std::time::Duration;

use locator::plan::Options;
use locator::scheme::Registry;

use crate::driver::Sessions;
#[cfg(feature = "http")]
use crate::http::Client;
use crate::settings::Settings;

/// The configuration of a fetcher.
#[derive(Clone)]
pub(crate) struct Config<'o> {
    pub(crate) settings: Settings,
    pub(crate) registry: &'o Registry<'o>,
    pub(crate) options: Options<'o>,
    pub(crate) sessions: Arc<Sessions>,
    #[cfg(feature = "http")]
    pub(crate) client: Client,
}

impl Config<'_> {
    /// Returns the configuration for URLs that a user has given.
    pub(crate) fn for_user_input() -> Self {
        Self {
            settings: Settings::for_user_input(),
            registry: Registry::BUILT_IN,
            options: Options::new(),
            sessions: Arc::default(),
            #[cfg(feature = "http")]
            client: Client::default(),
        }
    }

    /// Returns the configuration for URLs of strangers.
    pub(crate) fn for_strangers() -> Self {
        Self { settings: Settings::for_strangers(), ..Self::for_user_input() }
    }

    /// Closes the connections that have waited at least so long; returns whether others wait.
    pub(crate) fn close_idle(&self, time: Duration) -> bool {
        let waits = self.sessions.close_idle(time);
        #[cfg(feature = "http")]
        let waits = self.client.close_idle(time) || waits;
        waits
    }

    /// Says that a thread waits for each response.
    pub(crate) fn block(&mut self) {
        #[cfg(feature = "http")]
        {
            self.client.is_blocking = true;
        }
    }

    /// Separates the connections of HTTP from those of other configurations, and the settings from those of
    /// other threads.
    pub(crate) fn separate(&mut self) {
        self.settings = self.settings.separate();
        #[cfg(feature = "http")]
        {
            self.client = self.client.separate();
        }
    }
}

/// The methods that set a fetcher up; `$fetcher` is the field of the asynchronous one.
macro_rules! setters {
    ($($fetcher:ident)?) => {
        /// Sets how long a whole request may take, with all redirects and the body; without limit if it is
        /// [`Duration::MAX`](std::time::Duration::MAX).
        #[must_use]
        pub fn timeout(mut self, timeout: std::time::Duration) -> Self {
            self$(.$fetcher)?.config_mut().settings.timeout(timeout);
            self
        }

        /// Sets how long it may take to make or to secure a connection; 30 seconds without it.
        #[must_use]
        pub fn connect_timeout(mut self, timeout: std::time::Duration) -> Self {
            self$(.$fetcher)?.config_mut().settings.limits.connect = crate::settings::milliseconds(timeout);
            self
        }

        /// Sets how long a server may be silent; 60 seconds without it.
        #[must_use]
        pub fn read_timeout(mut self, timeout: std::time::Duration) -> Self {
            self$(.$fetcher)?.config_mut().settings.limits.idle = crate::settings::milliseconds(timeout);
            self
        }

        /// Sets how many octets a body may have; without limit if it is `u64::MAX`. A longer body is an
        /// error that names the limit.
        #[must_use]
        pub fn max_size(mut self, octets: u64) -> Self {
            self$(.$fetcher)?.config_mut().settings.max_size(octets);
            self
        }

        /// Sets how many octets a second must come, counted over this time; any number if it is 0.
        #[must_use]
        pub fn min_speed(mut self, octets_a_second: u64, over: std::time::Duration) -> Self {
            self$(.$fetcher)?.config_mut().settings.min_speed(octets_a_second, over);
            self
        }

        /// Sets how many octets one reply of a server may have, of those protocols that have replies; 64 KiB
        /// without it.
        #[must_use]
        pub fn max_reply(mut self, octets: usize) -> Self {
            self$(.$fetcher)?.config_mut().settings.limits.reply = octets;
            self
        }

        /// Sets whether connections of FTP and NNTP are used again; [`Reuse::IfPossible`](crate::Reuse) without
        /// it.
        #[must_use]
        pub fn reuse(mut self, reuse: crate::Reuse) -> Self {
            self$(.$fetcher)?.config_mut().settings.reuse = reuse;
            self
        }

        /// Sets how many connections of FTP or NNTP there are to one host at the same time, at least 1; any
        /// number without it. A request waits until another one has ended: until its body was read or dropped.
        #[must_use]
        pub fn max_per_host(mut self, most: usize) -> Self {
            self$(.$fetcher)?.config_mut().settings.max_per_host = most;
            self
        }

        /// Sets how many URLs may lead to another one; 10 without it.
        #[must_use]
        pub fn max_redirects(mut self, most: usize) -> Self {
            self$(.$fetcher)?.config_mut().settings.hops = most;
            self
        }

        /// Sets the schemes and gateways; without it they are those of `locator`. A
        /// [request](Self::request) can have a registry that lives shorter.
        #[must_use]
        pub fn registry(mut self, registry: &'static locator::scheme::Registry<'static>) -> Self {
            self$(.$fetcher)?.config_mut().registry = registry;
            self
        }

        /// Sets what plans need that URLs do not contain. A [request](Self::request) can have options that
        /// live shorter.
        #[must_use]
        pub fn options(mut self, options: locator::plan::Options<'static>) -> Self {
            self$(.$fetcher)?.config_mut().options = options;
            self
        }

        /// Sets the prompter, which answers prompts. Without one they are errors, except that the
        /// e-mail address of anonymous ftp is `anonymous@`.
        #[must_use]
        pub fn prompter(mut self, prompter: std::sync::Arc<dyn crate::Prompter>) -> Self {
            self$(.$fetcher)?.config_mut().settings.prompter = Some(prompter);
            self
        }

        /// Sets the handler, which looks for messages, shows drafts and starts programs.
        #[must_use]
        pub fn handler(mut self, handler: std::sync::Arc<dyn crate::Handler>) -> Self {
            self$(.$fetcher)?.config_mut().settings.handler = handler;
            self
        }

        /// Sets the watcher of the dialogue.
        #[must_use]
        pub fn watcher(mut self, watcher: std::sync::Arc<dyn crate::Watcher>) -> Self {
            self$(.$fetcher)?.config_mut().settings.watcher = Some(watcher);
            self
        }

        /// Sets the resolver that looks names up; that of the system without it.
        #[must_use]
        pub fn resolver(mut self, resolver: std::sync::Arc<dyn crate::Resolver>) -> Self {
            self$(.$fetcher)?.config_mut().settings.resolver = resolver;
            self
        }

        /// Sets the versions of IP that are used; both without it.
        #[must_use]
        pub fn family(mut self, family: crate::Family) -> Self {
            self$(.$fetcher)?.config_mut().settings.family = family;
            self
        }

        /// Sets which servers are connected to instead of those of URLs.
        #[must_use]
        pub fn connect_to(mut self, servers: crate::ConnectTo) -> Self {
            self$(.$fetcher)?.config_mut().settings.connect_to = std::sync::Arc::new(servers);
            self
        }

        /// Sets which certificates of servers are trusted; those of the system without it.
        #[must_use]
        pub fn trust(mut self, trust: crate::Trust) -> Self {
            let tls = &mut self$(.$fetcher)?.config_mut().settings.tls;
            *tls = std::sync::Arc::new(tls.with_trust(trust));
            self
        }

        /// Sets the certificate by which the client identifies itself to servers that ask for one.
        #[cfg(feature = "tls")]
        #[must_use]
        pub fn identity(mut self, identity: crate::Identity) -> Self {
            let tls = &mut self$(.$fetcher)?.config_mut().settings.tls;
            *tls = std::sync::Arc::new(tls.with_identity(identity));
            self
        }

        /// Sets how HTTP is spoken, and what each request of HTTP is sent with.
        #[cfg(feature = "http")]
        #[must_use]
        pub fn http(mut self, http: crate::http::Http) -> Self {
            self$(.$fetcher)?.config_mut().client.http = std::sync::Arc::new(http);
            self
        }
    };
}

pub(crate) use setters;
