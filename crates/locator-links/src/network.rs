//! Sends requests by the fetchers of `locator-fetch`: which addresses they may reach, and whose headers, logins and
//! tokens they have. No redirect is followed here.

pub(crate) mod answer;
pub(crate) mod asking;
pub(crate) mod github;
pub(crate) mod logins;
pub(crate) mod named;
pub(crate) mod robots;

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use locator_audit::{Block, Policy, Reach};
use locator_fetch::http::{Http, HttpError, Proxies};
use locator_fetch::{Fetcher, Resolver as _, SystemResolver};
use locator_find::Finder;

use self::answer::ask;
use self::asking::{Ask, Replying, Request, origin_of};
use self::logins::{Logins, OwnLogin};
use crate::cache::Cache;
use crate::judge::reply::{Method, Reply, Response, Said, Trouble, code_of_refusal};
use crate::outcome::Code;
use crate::pace::Pace;

/// A header that is sent to one origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnHeader {
    /// The origin: `https://h.example`.
    pub origin: String,
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

/// Sends requests to servers.
pub struct Network {
    public: (Policy, Fetcher),
    pub(crate) any: (Policy, Fetcher),
    pub(crate) http: Http,
    headers: Vec<OwnHeader>,
    pub(crate) logins: Logins,
    has_proxy: bool,
    github: Option<GitHub>,
    cache: Option<Arc<Cache>>,
    is_offline: bool,
    /// The longest time that is waited because a server asks for it.
    pub(crate) max_wait: Duration,
    finder: Finder,
}

/// The API of GitHub, with a token.
#[derive(Clone)]
struct GitHub {
    api: Arc<str>,
    fetcher: Fetcher,
    /// Whether the API does not know the token.
    refuses_token: Arc<AtomicBool>,
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
            (policy, fetcher)
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
        let fetcher = self.public.1.clone().http(http);
        self.github = Some(GitHub { api, fetcher, refuses_token: Arc::default() });
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
        self.github.as_ref().is_some_and(|github| github.refuses_token.load(Ordering::Relaxed))
    }
}

impl GitHub {
    /// Returns the reply of the API if it knows the page, else that of github.com.
    async fn instead_of(&self, reply: Reply, request: &Request) -> Reply {
        if !github::is_doubtful(request.method, &reply) {
            return reply;
        }
        let Some(path) = github::path_of(&request.url) else { return reply };
        let sent = self.fetcher.request(format!("{}{path}", self.api)).method("HEAD").send().await;
        let status = match &sent {
            Ok(response) => response.head().map(|head| head.status),
            Err(error) => error.head().map(|head| head.status),
        };
        match status {
            Some(200..=299) => {
                let reason = "found by the API of GitHub".to_owned();
                let response = Response { status: 200, reason, ..Response::default() };
                Reply { said: Said::Response(response), is_public: true, ..Reply::default() }
            }
            Some(401) => {
                self.refuses_token.store(true, Ordering::Relaxed);
                reply
            }
            _ => reply,
        }
    }
}

/// Returns a policy that never contacts the servers that give secrets to the machines of a cloud.
fn without_metadata(policy: Policy) -> Policy {
    let blocks = Block::all().filter(|block| block.is_metadata());
    blocks.fold(policy, |policy, block| policy.deny_block(block.network(), block.prefix_length()))
}

/// The longest time for a connection.
const CONNECT: Duration = Duration::from_secs(10);

impl Ask for Network {
    fn ask(&self, request: Request) -> Replying {
        let (_, fetcher) = if request.is_for_public { &self.public } else { &self.any };
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
                cache.store(request.question(), request.method, &reply);
            }
            if let Some(github) = github {
                reply = github.instead_of(reply, &request).await;
            }
            Reply { seen, ..reply }
        })
    }

    fn known(&self, request: &Request) -> Option<(Method, Reply)> {
        let found = self.cache_for(request).and_then(|cache| cache.find(request.question()));
        let decides = |method, reply: &Reply| github::decides(&request.url, method, reply);
        let found = found.filter(|(method, reply)| self.github.is_none() || !decides(*method, reply));
        found.or_else(|| self.is_offline.then(|| (Method::Get, not_asked())))
    }

    fn knows_names(&self) -> Pin<Box<dyn Future<Output = bool> + Send>> {
        Box::pin(async { SystemResolver.resolve(CERTAIN_NAME).await.is_ok_and(|found| !found.is_empty()) })
    }

    fn refused(&self, url: &str, is_for_public: bool) -> Option<Trouble> {
        let (policy, _) = if is_for_public { &self.public } else { &self.any };
        let refusal = policy.check(url).err()?;
        Some(Trouble { code: code_of_refusal(&refusal), text: refusal.to_string() })
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
    let trouble = Trouble { code: Code::Offline, text: String::new() };
    Reply { said: Said::Failed(trouble), ..Reply::default() }
}
