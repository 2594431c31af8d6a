//! What a fetcher is configured with ([`Config`]), and the methods that do it, for both fetchers: timeouts, sizes,
//! certificates, proxies, and what every request has. `settings` are those of runs, `http::Http` those of HTTP.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use locator::plan::Options;
use locator::scheme::Registry;

use crate::driver::Sessions;
#[cfg(feature = "http")]
use crate::http::{Client, Http};
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
    /// What is wrong with the settings: an error of each request.
    pub(crate) error: Option<Arc<dyn Error + Send + Sync>>,
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
            error: None,
        }
    }

    /// Returns the configuration for untrusted URLs.
    pub(crate) fn for_untrusted_urls() -> Self {
        Self { settings: Settings::for_untrusted_urls(), ..Self::for_user_input() }
    }

    /// Closes the connections that have waited at least so long; returns whether others wait.
    pub(crate) fn close_idle(&self, time: Duration) -> bool {
        let waits = self.sessions.close_idle(time);
        #[cfg(feature = "http")]
        let waits = self.client.close_idle(time) || waits;
        waits
    }

    /// Changes the settings of HTTP; an error is one of each request.
    #[cfg(feature = "http")]
    pub(crate) fn set_http<E>(&mut self, set: impl FnOnce(Http) -> Result<Http, E>)
    where
        E: Error + Send + Sync + 'static,
    {
        match set((*self.client.http).clone()) {
            Ok(http) => self.client.http = Arc::new(http),
            Err(error) => {
                self.error.get_or_insert(Arc::new(error));
            }
        }
    }

    /// Says that a thread waits for each response.
    pub(crate) fn block(&mut self) {
        #[cfg(feature = "http")]
        {
            self.client.is_blocking = true;
        }
    }

    /// Says that redirects are not followed.
    #[cfg(feature = "mirror")]
    pub(crate) fn follow_no_redirects(&mut self) {
        #[cfg(feature = "http")]
        {
            self.client.http = Arc::new((*self.client.http).clone().follow(false));
        }
    }

    /// Says that many files of a server are expected, unless its connections are not to be used again.
    #[cfg(feature = "mirror")]
    pub(crate) fn expect_reuse(&mut self) {
        use crate::settings::Reuse;

        if self.settings.reuse == Reuse::IfPossible {
            self.settings.reuse = Reuse::Expected;
        }
    }

    /// Separates all connections from those of other configurations, which another runtime drives.
    #[cfg(feature = "mirror")]
    pub(crate) fn separate_all(&mut self) {
        self.separate();
        self.sessions = Arc::default();
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

        /// Sets whether any certificate of a server is accepted, also one for another name: anybody on the way can then
        /// read and change what is sent. It is [`trust`](Self::trust) with [`Trust::Anything`](crate::Trust::Anything), or
        /// with the certificates of the system; the name is reqwest's.
        ///
        /// ```
        /// use locator_fetch::blocking::Fetcher;
        ///
        /// // For a test server with a certificate of its own.
        /// let fetcher = Fetcher::for_user_input().danger_accept_invalid_certs(true);
        /// # drop(fetcher);
        /// ```
        #[must_use]
        pub fn danger_accept_invalid_certs(self, accepts: bool) -> Self {
            self.trust(if accepts { crate::Trust::Anything } else { crate::Trust::System })
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

        /// Checks the settings, such as the headers of [`default_header`](Self::default_header). Without it what
        /// is wrong is an error of each request.
        ///
        /// ```
        /// use locator_fetch::{Fetcher, FetchErrorKind};
        ///
        /// let fetcher = Fetcher::builder().user_agent("my-program/1.0").build()?;
        /// # drop(fetcher);
        /// let error = Fetcher::builder().user_agent("two\nlines").build().unwrap_err();
        /// assert_eq!(error.kind(), FetchErrorKind::InvalidRequest);
        /// # Ok::<_, locator_fetch::FetchError>(())
        /// ```
        ///
        /// # Errors
        ///
        /// A header or a proxy is not valid.
        #[cfg(feature = "http")]
        pub fn build(self) -> Result<Self, crate::FetchError> {
            match self$(.$fetcher)?.config.error.clone() {
                Some(error) => Err(crate::FetchError::other(
                    crate::FetchErrorKind::InvalidRequest,
                    "invalid settings",
                    Some(error),
                    (locator::UriRefBuf::default(), Vec::new()),
                )),
                None => Ok(self),
            }
        }

        /// Sets the header `User-Agent` of each request of HTTP; `locator/` and the version without it.
        ///
        /// A text that cannot be a header is an error of each request.
        #[cfg(feature = "http")]
        #[must_use]
        pub fn user_agent(mut self, text: &str) -> Self {
            self$(.$fetcher)?.config_mut().set_http(|http| http.user_agent(Some(text)));
            self
        }

        /// Adds a header to each request of HTTP. To another origin, which a redirect leads to, only headers are
        /// sent that belong to nobody: see [`Http`](crate::http::Http).
        ///
        /// One that cannot be sent is an error of each request.
        #[cfg(feature = "http")]
        #[must_use]
        pub fn default_header(mut self, name: impl AsRef<str>, value: impl Into<Vec<u8>>) -> Self {
            self$(.$fetcher)?.config_mut().set_http(|http| http.header(name.as_ref(), value));
            self
        }

        /// Adds headers to each request of HTTP, as [`default_header`](Self::default_header) does.
        ///
        /// ```no_run
        /// use locator_fetch::blocking::Fetcher;
        ///
        /// let headers = [("Accept-Language", "en"), ("X-Api-Version", "2")];
        /// let fetcher = Fetcher::for_user_input().default_headers(headers);
        /// let page = fetcher.get("http://example.com/").send()?.text()?;
        /// # Ok::<_, locator_fetch::FetchError>(())
        /// ```
        #[cfg(feature = "http")]
        #[must_use]
        pub fn default_headers<N, V>(self, headers: impl IntoIterator<Item = (N, V)>) -> Self
        where
            N: AsRef<str>,
            V: Into<Vec<u8>>,
        {
            headers.into_iter().fold(self, |fetcher, (name, value)| fetcher.default_header(name, value))
        }

        /// Sets whether redirects are followed. A redirect that is not is a [`Response`](crate::Response) with its
        /// status, whose header `Location` says where it leads.
        ///
        /// ```no_run
        /// use locator_fetch::blocking::Fetcher;
        ///
        /// let fetcher = Fetcher::for_user_input().follow_redirects(false);
        /// let response = fetcher.get("http://example.com/old").send()?;
        /// println!("{:?} {:?}", response.status(), response.headers().get("location"));
        /// # Ok::<_, locator_fetch::FetchError>(())
        /// ```
        #[cfg(feature = "http")]
        #[doc(alias("redirect", "Policy::none"))]
        #[must_use]
        pub fn follow_redirects(mut self, follows: bool) -> Self {
            self$(.$fetcher)?.config_mut().set_http(|http| Ok::<_, crate::http::HttpError>(http.follow(follows)));
            self
        }

        /// Sets whether compressed responses are requested (gzip, brotli and zstd), which are decompressed.
        #[cfg(feature = "http")]
        #[doc(alias("gzip", "brotli", "zstd", "deflate"))]
        #[must_use]
        pub fn compressed(mut self, is_compressed: bool) -> Self {
            self$(.$fetcher)?
                .config_mut()
                .set_http(|http| Ok::<_, crate::http::HttpError>(http.compressed(is_compressed)));
            self
        }

        /// Sets the proxy of all URLs of http and https, such as `http://127.0.0.1:3128` or `socks5h://h:1080`; none
        /// without it. [`Proxies`](crate::http::Proxies) has one for each scheme, and those of the environment.
        ///
        /// One that is not the URL of a proxy is an error of each request.
        #[cfg(feature = "http")]
        #[must_use]
        pub fn proxy(mut self, url: &str) -> Self {
            let proxies = crate::http::Proxies::none().all(url);
            self$(.$fetcher)?.config_mut().set_http(|http| proxies.map(|proxies| http.proxies(proxies)));
            self
        }

        /// Sets that no proxy is used, which is so without [`proxy`](Self::proxy) and
        /// [`Http::proxies`](crate::http::Http::proxies).
        #[cfg(feature = "http")]
        #[must_use]
        pub fn no_proxy(mut self) -> Self {
            let proxies = crate::http::Proxies::none();
            self$(.$fetcher)?.config_mut().set_http(|http| Ok::<_, crate::http::HttpError>(http.proxies(proxies)));
            self
        }

        /// Sets whether the cookies of responses are kept in memory and sent again, as
        /// [`cookies`](Self::cookies) with an own jar does. A program that saves them has a jar itself.
        ///
        /// ```no_run
        /// use locator_fetch::blocking::Fetcher;
        ///
        /// let fetcher = Fetcher::for_user_input().cookie_store(true);
        /// fetcher.post("https://www.example/login").form(&[("user", "joe")]).send()?;
        /// let page = fetcher.get("https://www.example/mail").send()?.text()?;
        /// # Ok::<_, locator_fetch::FetchError>(())
        /// ```
        #[cfg(feature = "http")]
        #[must_use]
        pub fn cookie_store(self, keeps: bool) -> Self {
            if keeps { self.cookies(&crate::http::CookieJar::new()) } else { self }
        }

        /// Keeps the cookies of responses in a jar, and sends those that it has; without one there are none.
        #[cfg(feature = "http")]
        #[must_use]
        pub fn cookies(mut self, jar: &crate::http::CookieJar) -> Self {
            self$(.$fetcher)?.config_mut().set_http(|http| Ok::<_, crate::http::HttpError>(http.cookies(jar)));
            self
        }
    };
}

/// The methods that begin a request by a method of HTTP; `$request` is what they return.
#[cfg(feature = "http")]
macro_rules! methods {
    ($request:ty) => {
        /// Begins a request by GET.
        pub fn get(&self, url: impl IntoUrl) -> $request {
            self.request(url).method("GET")
        }

        /// Begins a request by HEAD, whose response has headers only.
        pub fn head(&self, url: impl IntoUrl) -> $request {
            self.request(url).method("HEAD")
        }

        /// Begins a request by POST.
        pub fn post(&self, url: impl IntoUrl) -> $request {
            self.request(url).method("POST")
        }

        /// Begins a request by PUT.
        pub fn put(&self, url: impl IntoUrl) -> $request {
            self.request(url).method("PUT")
        }

        /// Begins a request by PATCH (RFC 5789).
        pub fn patch(&self, url: impl IntoUrl) -> $request {
            self.request(url).method("PATCH")
        }

        /// Begins a request by DELETE.
        pub fn delete(&self, url: impl IntoUrl) -> $request {
            self.request(url).method("DELETE")
        }
    };
}

#[cfg(feature = "http")]
pub(crate) use methods;
pub(crate) use setters;
