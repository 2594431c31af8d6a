//! Sends requests by the fetchers of `locator-fetch`: which addresses they may reach, and whose headers, logins and
//! tokens they have. No redirect is followed here, but for pages that the user names.
//!
//! [`Network`] implements [`Transport`], by which the checker asks for the URLs of links; it also fetches the pages that the user
//! names, and the rules of their sites.
//!
//! ```
//! use std::time::Duration;
//!
//! use locator_links::Network;
//!
//! // Nothing is sent yet; a `Checker` sends requests by it.
//! let network = Network::new(Duration::from_secs(20), None, Vec::new())?;
//! let _offline = network.offline();
//! # Ok::<_, locator_fetch::http::HttpError>(())
//! ```

mod answer;
pub(crate) mod github;
pub(crate) mod request;
pub(crate) mod robots;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use locator::UriRefBuf;
use locator_audit::{Block, Policy, Reach};
use locator_fetch::http::{Http, HttpError, Proxies};
use locator_fetch::{FetchError, Fetcher, Resolver as _, SystemResolver};
use locator_find::{Finder, Format};
use tokio::time::{Instant, sleep};

use self::answer::{PAGE, ask, format_of, in_utf8, waits};
use self::github::GitHub;
use self::request::{Logins, OwnLogin, ReplyFuture, Request, Transport};
use self::robots::{MOST_OCTETS, Robots};
use crate::cache::{Cache, CachedReply};
use crate::judge::{FetchedPage, Method, Reply, ReplyKind, RequestFailure, code_of_refusal};
use crate::outcome::Code;
use crate::pace::{HostPace, Pace, Permission};
use crate::reference::origin_of;

/// A header that is sent to one origin.
#[derive(Clone, PartialEq, Eq)]
pub struct OwnHeader {
    /// The origin: `https://h.example`.
    pub origin: String,
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

/// Without the value, which may be a password.
impl fmt::Debug for OwnHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnHeader")
            .field("origin", &self.origin)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Sends requests to servers.
pub struct Network {
    public: JudgedFetcher,
    any: JudgedFetcher,
    http: Http,
    headers: Vec<OwnHeader>,
    logins: Logins,
    has_proxy: bool,
    github: Option<GitHub>,
    cache: Option<Arc<Cache>>,
    is_offline: bool,
    /// The longest time that is waited because a server asks for it.
    max_wait: Duration,
    finder: Finder,
}

/// A fetcher, and the policy that judges where it sends requests.
struct JudgedFetcher {
    policy: Policy,
    fetcher: Fetcher,
}

/// A name that exists as long as there are names. Where it cannot be looked up, the resolver does not know the
/// names of the public network, and says of each that it does not exist.
const CERTAIN_NAME: &str = "a.root-servers.net";

impl Network {
    /// Creates a network with a time limit for each request.
    ///
    /// # Errors
    ///
    /// A header is not valid.
    pub fn new(
        timeout: Duration,
        proxies: Option<Proxies>,
        headers: Vec<OwnHeader>,
    ) -> Result<Self, HttpError> {
        let has_proxy = proxies.is_some();
        let proxies = proxies.unwrap_or_else(Proxies::none);
        let http = Http::new().follow(false).error_bodies(true).proxies(proxies);
        headers.iter().try_fold(http.clone(), |http, own| http.header(&own.name, own.value.as_str()))?;
        let with = |policy: Policy| {
            let fetcher =
                Fetcher::with_policy(policy.clone()).timeout(timeout).connect_timeout(timeout.min(CONNECT));
            let fetcher = fetcher.max_size(u64::MAX).min_speed(0, Duration::ZERO).http(http.clone());
            JudgedFetcher { policy, fetcher }
        };
        // What documents name is judged as if it was typed, but only at public addresses: no finding of the
        // audit stops a request.
        // A proxy that the user names looks names up itself.
        let public = with(Policy::typed().reach(Reach::Public).proxy_checks(has_proxy));
        Ok(Self {
            public,
            any: with(without_metadata(Policy::typed().proxy_checks(has_proxy))),
            http,
            headers,
            logins: Logins::default(),
            has_proxy,
            github: None,
            cache: None,
            is_offline: false,
            max_wait: Pace::default().max_wait,
            finder: Finder::new(),
        })
    }

    /// Sends a login when its host asks for one, by https or on this machine.
    #[must_use]
    pub fn with_logins(self, logins: Vec<OwnLogin>) -> Self {
        Self { logins: Logins::new(logins, self.has_proxy), ..self }
    }

    /// Asks the API of GitHub at `api` where github.com says that a page does not exist or that it is asked too
    /// much. The token is sent to the API only.
    ///
    /// # Errors
    ///
    /// The token is not the value of a header.
    pub fn with_github(mut self, api: &str, token: &str) -> Result<Self, HttpError> {
        let http = self.http.clone().header("Authorization", format!("Bearer {token}"))?;
        let http = http.header("Accept", "application/vnd.github+json")?;
        let api = api.trim_end_matches('/').into();
        let fetcher = self.public.fetcher.clone().http(http);
        self.github = Some(GitHub::new(api, fetcher));
        Ok(self)
    }

    /// Answers from a cache what it has, and keeps other answers in it, except those that own headers, cookies or
    /// the API of GitHub have brought.
    #[must_use]
    pub fn with_cache(self, cache: Arc<Cache>) -> Self {
        Self { cache: Some(cache), ..self }
    }

    /// Waits at most so long for a server of a page that the user named, if it asks to wait.
    #[must_use]
    pub fn with_max_wait(self, max_wait: Duration) -> Self {
        Self { max_wait, ..self }
    }

    /// Sends no requests: what is not in the cache is not known.
    #[must_use]
    pub fn offline(self) -> Self {
        Self { is_offline: true, ..self }
    }

    /// Returns the cache, if it may have the answer to a request.
    fn cache_for(&self, request: &Request) -> Option<&Arc<Cache>> {
        let cache = self.cache.as_ref()?;
        let is_plain = |origin: String| self.headers.iter().all(|own| own.origin != origin);
        let is_for_all = request.jar.is_none() && origin_of(&request.url).is_some_and(is_plain);
        let has_login = request.sends_login && self.logins.add(&request.url).is_some();
        (is_for_all && !has_login).then_some(cache)
    }

    /// Returns whether the API of GitHub was asked and does not know the token.
    #[must_use]
    pub fn refuses_github_token(&self) -> bool {
        self.github.as_ref().is_some_and(GitHub::refuses_token)
    }
}

/// Returns a policy that never contacts the servers that give secrets to the machines of a cloud.
fn without_metadata(policy: Policy) -> Policy {
    let blocks = Block::all().filter(|block| block.is_metadata());
    blocks.fold(policy, |policy, block| policy.deny_block(block.network(), block.prefix_length()))
}

/// The longest time for a connection.
const CONNECT: Duration = Duration::from_secs(10);

impl Transport for Network {
    fn send(&self, request: Request) -> ReplyFuture {
        let JudgedFetcher { fetcher, .. } = if request.is_for_public { &self.public } else { &self.any };
        let fetcher =
            self.settings(&request).map_or_else(|| fetcher.clone(), |http| fetcher.clone().http(http));
        let finder = self.finder.clone();
        let github = self.github.clone();
        let cache = self.cache_for(&request).cloned();
        if self.is_offline {
            return Box::pin(async { not_asked() });
        }
        let with_login = self.logins.add(&request.url).filter(|_| request.sends_login);
        Box::pin(async move {
            let mut reply = ask(&fetcher, with_login.as_deref(), &request, &finder).await;
            let seen = SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|time| time.as_secs());
            reply.seen = seen;
            let is_of_user = github.is_some() && github::decides(&request.url, request.method, &reply);
            // Where a page refreshes to is not kept.
            let is_whole = reply.refresh.is_none() && !reply.may_refresh;
            if let Some(cache) = cache.filter(|_| !is_of_user && is_whole) {
                cache.store(request.query(), request.method, &reply);
            }
            if let Some(github) = github {
                reply = github.instead_of(reply, &request).await;
            }
            Reply { seen, ..reply }
        })
    }

    fn cached(&self, request: &Request) -> Option<CachedReply> {
        let found = self.cache_for(request).and_then(|cache| cache.find(request.query()));
        let decides = |found: &CachedReply| github::decides(&request.url, found.method, &found.reply);
        let found = found.filter(|found| self.github.is_none() || !decides(found));
        found.or_else(|| self.is_offline.then(|| CachedReply { method: Method::Get, reply: not_asked() }))
    }

    fn knows_names(&self) -> Pin<Box<dyn Future<Output = bool> + Send>> {
        Box::pin(async { SystemResolver.resolve(CERTAIN_NAME).await.is_ok_and(|found| !found.is_empty()) })
    }

    fn refused(&self, url: &str, is_for_public: bool) -> Option<RequestFailure> {
        let JudgedFetcher { policy, .. } = if is_for_public { &self.public } else { &self.any };
        let refusal = policy.check(url).err()?;
        Some(RequestFailure { code: code_of_refusal(&refusal), text: refusal.to_string() })
    }
}

impl Network {
    /// Returns the settings of a request that has others than the rest.
    pub(crate) fn settings(&self, request: &Request) -> Option<Http> {
        let origin = origin_of(&request.url)?;
        let headers = self.headers.iter().filter(|own| request.sends_headers && own.origin == origin);
        let mut http = self.http.clone();
        let mut is_own = false;
        for own in headers {
            http = http.header(&own.name, own.value.as_str()).ok()?;
            is_own = true;
        }
        if request.method == Method::GetHttp1 {
            (http, is_own) = (http.http2(false), true);
        }
        if let Some(jar) = &request.jar {
            (http, is_own) = (http.cookies(jar), true);
        }
        is_own.then_some(http)
    }
}

/// Returns the answer of a network that is not used.
fn not_asked() -> Reply {
    let failure = RequestFailure { code: Code::Offline, text: String::new() };
    Reply { kind: ReplyKind::Failed(failure), ..Reply::default() }
}

/// The product token of this program, by which `robots.txt` names it.
const PRODUCT: &str = "locator";

impl Network {
    /// Fetches a page that the user named.
    ///
    /// # Errors
    ///
    /// The page cannot be fetched.
    pub async fn page(&self, url: &str) -> Result<FetchedPage, FetchError> {
        let (fetcher, with_login) = (self.named(url).max_size(PAGE), self.logins.add(url));
        let mut retries = Retries::new(self.max_wait);
        let fetched = loop {
            let mut request = fetcher.request(with_login.as_deref().unwrap_or(url));
            if let Some(shown) = with_login.as_ref().and_then(|_| UriRefBuf::parse(url).ok()) {
                request = request.shown_as(shown);
            }
            match request.send().await {
                Ok(fetched) => break fetched,
                Err(error) => retries.after(error).await?,
            }
        };
        let mut url = fetched.url().without_fragment().as_str().to_owned();
        if fetched.url().path().is_empty() && !url.contains('?') {
            // As links of the page are resolved.
            url.push('/');
        }
        let known = fetched.media_type().and_then(format_of);
        let charset = fetched.charset().map(str::to_owned);
        let bases = fetched.bases();
        let octets = in_utf8(charset.as_deref(), fetched.bytes().await?.into());
        let path = url.split('?').next().unwrap_or_default();
        let format =
            known.or_else(|| Format::of(std::path::Path::new(path), &octets)).unwrap_or(Format::Text);
        Ok(FetchedPage { url, bases, format, octets })
    }

    /// Fetches the rules of the site of a page that the user named.
    ///
    /// # Errors
    ///
    /// The server cannot be reached or has an error. "If the robots.txt file is unreachable due to server or
    /// network errors, […] the crawler MUST assume complete disallow." (RFC 9309, 2.3.1.4)
    pub async fn robots(&self, url: &str) -> Result<Robots, FetchError> {
        let Some(origin) = origin_of(url) else { return Ok(Robots::allow_all()) };
        let url = format!("{origin}/robots.txt");
        let mut retries = Retries::new(self.max_wait);
        let fetched = loop {
            let error = match self.named(&url).fetch(&*url).await {
                Ok(fetched) => break fetched,
                Err(error) => error,
            };
            match retries.after(error).await {
                Ok(()) => {}
                // "If a server status code indicates that the robots.txt file is unavailable to the crawler, then
                // the crawler MAY access any resources on the server." (RFC 9309, 2.3.1.3)
                Err(error) if error.head().is_some_and(|head| matches!(head.status, 400..=499)) => {
                    return Ok(Robots::allow_all());
                }
                Err(error) => return Err(error),
            }
        };
        let mut body = fetched.body();
        let mut octets = Vec::new();
        while let Some(more) = body.chunk().await? {
            octets.extend_from_slice(&more);
            if octets.len() >= MOST_OCTETS {
                break;
            }
        }
        Ok(Robots::parse(&octets, PRODUCT))
    }

    /// Returns what fetches a URL that the user named, or that it redirects to.
    fn named(&self, url: &str) -> Fetcher {
        let own = Request {
            url: url.into(),
            method: Method::Get,
            is_for_public: false,
            wants_anchors: true,
            wants_text: false,
            wants_page: false,
            sends_headers: true,
            sends_login: true,
            jar: None,
        };
        let http = self.settings(&own).unwrap_or_else(|| self.http.clone());
        self.any.fetcher.clone().http(http.follow(true).error_bodies(false).compressed(true))
    }
}

/// Waits for a server that has too many requests or is busy, as long as for the servers of links.
struct Retries {
    host: HostPace,
    start: Instant,
}

impl Retries {
    fn new(max_wait: Duration) -> Self {
        Self { host: HostPace::new(Pace { max_wait, ..Pace::default() }), start: Instant::now() }
    }

    /// Waits after an error; returns the error if that does not help, or not any longer.
    async fn after(&mut self, error: FetchError) -> Result<(), FetchError> {
        let refusal = error.head().and_then(|head| match head.status {
            429 => Some((Code::TooManyRequests, waits(429, &head.headers))),
            503 => Some((Code::Busy, waits(503, &head.headers))),
            _ => None,
        });
        let Some((code, asked)) = refusal else { return Err(error) };
        let now = self.start.elapsed();
        if !self.host.refuses(now, code, asked) {
            return Err(error);
        }
        if let Permission::At(time) = self.host.permission(now) {
            sleep(time.saturating_sub(now)).await;
        }
        Ok(())
    }
}
