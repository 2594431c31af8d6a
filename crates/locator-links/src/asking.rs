//! One request for a URL, by a fetcher of `locator-fetch`: no redirect is followed here.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use locator::UriRef;
use locator::plan::Options;
use locator_audit::{Block, Policy, Reach};
use locator_fetch::http::{CookieJar, Http, HttpError, Proxies};
use locator_fetch::{
    FetchError, Fetcher, Headers, Resolver as _, Response as Fetched, SystemResolver, parse_http_date,
};
use locator_find::{Finder, Format, HeadingIds};
use tokio::time::timeout;

use crate::cache::{Cache, Question};
use crate::fragments::Names;
use crate::github;
use crate::logins::{Logins, OwnLogin};
use crate::outcome::Code;
use crate::patience::{rate_limit, retry_after};
use crate::reply::{FetchedPage, Method, PageBody, Reply, Response, Said, Trouble, code_of_refusal};
use crate::text_fragment::PageText;

/// A request that is sent once.
#[derive(Clone, Debug)]
pub struct Request {
    /// The URL, without a fragment.
    pub url: Arc<str>,
    /// The method of HTTP.
    pub method: Method,
    /// Whether only public addresses may be contacted.
    pub is_for_public: bool,
    /// Whether the anchors of the page are wanted.
    pub wants_anchors: bool,
    /// Whether the text of the page is wanted.
    pub wants_text: bool,
    /// Whether the page is wanted if its format has links.
    pub wants_page: bool,
    /// Whether own headers are sent.
    pub sends_headers: bool,
    /// Whether the own login of the host is sent.
    pub sends_login: bool,
    /// The cookies of a chain of redirects.
    pub jar: Option<CookieJar>,
}

impl Request {
    /// Returns what the cache is asked for.
    fn question(&self) -> Question<'_> {
        let Self { url, is_for_public, wants_anchors, wants_page, wants_text, .. } = self;
        // Texts are not kept.
        let (wants_anchors, wants_page) = (*wants_anchors, *wants_page || *wants_text);
        Question { url, is_for_public: *is_for_public, wants_anchors, wants_page }
    }
}

/// The reply to a request, once it is there.
pub type Replying = Pin<Box<dyn Future<Output = Reply> + Send>>;

/// Sends requests: the network, or a test.
pub trait Ask: Send + Sync {
    /// Sends a request, and returns what came of it.
    fn ask(&self, request: Request) -> Replying;

    /// Returns what an earlier run knows, and the method that was answered; nothing is sent.
    fn known(&self, request: &Request) -> Option<(Method, Reply)> {
        let _ = request;
        None
    }

    /// Returns whether names of the public network can be looked up.
    fn knows_names(&self) -> Pin<Box<dyn Future<Output = bool> + Send>> {
        Box::pin(async { true })
    }

    /// Returns why a URL is not asked for, if its text says so.
    fn refused(&self, url: &str, is_for_public: bool) -> Option<Trouble> {
        let _ = (url, is_for_public);
        None
    }
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

/// A name that exists as long as there are names. Where it cannot be looked up, the resolver does not know the
/// names of the public network, and says of each that it does not exist.
const CERTAIN_NAME: &str = "a.root-servers.net";

/// The largest part of a page that is read for its anchors.
pub(crate) const PAGE: u64 = 16 << 20;

/// The largest body that is read so that its connection can be used again, and how long it is waited for.
const REST: u64 = 64 << 10;
const REST_TIME: Duration = Duration::from_secs(1);

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
            if let Some(cache) = cache.filter(|_| !is_of_user) {
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

/// Returns the origin of a URL of the web, with its port: `https://h.example:443`.
#[must_use]
pub fn origin_of(url: &str) -> Option<String> {
    let url = UriRef::parse(url).ok()?;
    let scheme = url.scheme()?.lowercase();
    let authority = url.authority()?;
    let port =
        authority.port().and_then(|port| port.number()).or_else(|| locator::scheme::default_port(&scheme));
    let host = authority.host().as_str().to_ascii_lowercase();
    let host = host.strip_suffix('.').unwrap_or(&host);
    Some(format!("{scheme}://{host}:{}", port.unwrap_or_default()))
}

async fn ask(fetcher: &Fetcher, with_login: Option<&str>, request: &Request, finder: &Finder) -> Reply {
    let is_web = request.url.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("http"));
    let is_head = request.method == Method::Head;
    let url = with_login.unwrap_or(&request.url);
    let mut sent = fetcher.request(url).options(Options::new().head(is_head && !is_web));
    if is_web && is_head {
        sent = sent.method("HEAD");
    }
    match sent.send().await {
        Ok(fetched) => replied(fetched, request, finder).await,
        Err(error) => failed(&error, &request.url),
    }
}

/// Returns the reply of a response; what is needed of its body is read.
async fn replied(fetched: Fetched, request: &Request, finder: &Finder) -> Reply {
    let is_public = fetched.remote_addr().is_none_or(|address| is_public(address.ip()));
    let Some(head) = fetched.head() else { return Reply { is_public, ..Reply::default() } };
    let response = response(head, &request.url);
    let waits = waits(&head.headers);
    // No coding was asked for (RFC 9110, 12.5.3); servers exist that send compressed pages all the same.
    let is_coded = head.headers.get("content-encoding").is_some_and(|coding| coding != "identity");
    let is_page = matches!(response.status, 200..=299);
    let media_type = fetched.media_type();
    let read = media_type.and_then(format_of_page).filter(|_| is_page && request.wants_page);
    let named = media_type.and_then(format_of).filter(|_| is_page && !is_coded && request.wants_anchors);
    let (mut page, mut names, mut is_cut) = (None, None, false);
    match (read, named) {
        (Some(_), _) if is_coded => page = Some(PageBody::Unreadable),
        (Some(format), _) => match body(fetched).await {
            Ok(Some(octets)) => {
                page = Some(PageBody::Whole(FetchedPage { url: request.url.to_string(), format, octets }));
            }
            Ok(None) => page = Some(PageBody::Unreadable),
            Err(error) => return failed(&error, &request.url),
        },
        (None, Some(format)) => {
            let octets = body(fetched).await;
            is_cut = octets.is_err();
            let read = |octets: Vec<u8>| {
                let rule = HeadingIds::default();
                let names = Names::read_page(finder, (format, rule), &mut octets.as_slice()).ok()?;
                let text = request.wants_text.then(|| PageText::of(format, &octets));
                Some(names.anchors().with_text(text))
            };
            names = octets.ok().flatten().and_then(read);
        }
        (None, None) => drop_body(fetched).await,
    }
    Reply { said: Said::Response(response), is_public, waits, anchors: names, is_cut, page, seen: None }
}

/// Reads a short body that is of no interest, so that its connection can be used again. The fetcher does so only
/// with what is there already.
async fn drop_body(fetched: Fetched) {
    let length = fetched.headers().get("content-length").and_then(|length| length.parse::<u64>().ok());
    if length.is_some_and(|length| length > REST) {
        return;
    }
    let mut body = fetched.body();
    let read = async {
        let mut left = REST;
        while let Ok(Some(octets)) = body.chunk().await {
            let Some(less) = left.checked_sub(octets.len() as u64) else { return };
            left = less;
        }
    };
    let _ = timeout(REST_TIME, read).await;
}

fn response(head: &locator_fetch::ResponseHead, url: &str) -> Response {
    let url = UriRef::parse(url).ok();
    let location = url.and_then(|url| head.redirect_target(url)).map(|url| url.into_string());
    Response {
        status: head.status,
        reason: head.reason.clone(),
        location,
        is_http2: head.version == locator_fetch::Version::Http2,
        is_challenge: head.headers.get("cf-mitigated").is_some(),
        sets_cookie: head.headers.get("set-cookie").is_some(),
    }
}

fn waits(headers: &Headers) -> Option<Duration> {
    let until = |date: &str| parse_http_date(date)?.duration_since(SystemTime::now()).ok();
    let asked = headers.get("retry-after").and_then(|value| retry_after(value, until));
    asked.max(rate_limit(|name| headers.get(name)))
}

/// Returns the format of a page whose names are known.
pub(crate) fn format_of(media_type: &str) -> Option<Format> {
    let media_type = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match &*media_type {
        "text/html" | "application/xhtml+xml" => Some(Format::Html),
        _ => None,
    }
}

/// Returns the format of a page that is read for its links.
fn format_of_page(media_type: &str) -> Option<Format> {
    let named = format_of(media_type).or_else(|| Format::of_media_type(media_type));
    named.filter(|format| matches!(format, Format::Html | Format::Css | Format::Xml | Format::Markdown))
}

/// Reads a body; `None` if it is too large.
async fn body(fetched: Fetched) -> Result<Option<Vec<u8>>, FetchError> {
    let mut body = fetched.body();
    let mut octets = Vec::new();
    while let Some(more) = body.chunk().await? {
        octets.extend_from_slice(&more);
        if octets.len() as u64 > PAGE {
            return Ok(None);
        }
    }
    Ok(Some(octets))
}

fn failed(error: &FetchError, url: &str) -> Reply {
    let failed = |trouble| Reply { said: Said::Failed(trouble), is_public: true, ..Reply::default() };
    // A status of HTTP that the fetcher takes for an error.
    if let Some(head) = error.head() {
        let waits = waits(&head.headers);
        return Reply {
            said: Said::Response(response(head, url)),
            is_public: true,
            waits,
            ..Reply::default()
        };
    }
    failed(match error.failure() {
        Some(failure) => Trouble::of(&failure.kind),
        None => Trouble { code: Code::Policy, text: error.to_string() },
    })
}

/// Returns whether an address can be reached from everywhere.
fn is_public(address: std::net::IpAddr) -> bool {
    Block::of(address).is_none_or(|block| block.reach() == Reach::Public)
}
