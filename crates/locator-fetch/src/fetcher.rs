//! The fetcher: plans a URL, carries the plan out, and goes on where it leads.

use std::fmt::{self, Debug, Formatter};
use std::net::SocketAddr;
use std::sync::Arc;

use locator::audit::Refusal;
use locator::edition::RFC3986;
use locator::plan::{Local, Next, Object, Options, Plan, Step};
use locator::scheme::Registry;
use locator::{Component, ParseError, UriRef, UriRefBuf};

use crate::body::{Body, Octets};
use crate::driver::{Driver, Progress};
use crate::error::{FetchError, Hop};
#[cfg(feature = "http")]
use crate::http;
use crate::local;
use crate::net::dialer::Server;
use crate::response::Response;
use crate::resume::Proof;
use crate::run::{Failure, FailureKind, Outcome};
use crate::settings::{Settings, setters};
use crate::shown;

/// Fetches what URLs identify, in a runtime of tokio with I/O and time.
///
/// ```
/// use locator_fetch::Fetcher;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// let mut fetched = Fetcher::typed().fetch(locator::uri_ref!("data:,hello")).await?;
/// assert_eq!(fetched.body.chunk().await?.unwrap(), "hello");
/// # Ok::<_, locator_fetch::FetchError>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct Fetcher<'o> {
    pub(crate) settings: Settings,
    pub(crate) registry: &'o Registry<'o>,
    pub(crate) options: Options<'o>,
}

/// What a URL identifies; `B` is the [`Body`], or that of the blocking front. `Debug` shows no secret of a
/// URL or a response.
pub struct Fetched<B = Body> {
    /// The URL of the object, in the edition that read it: the given one, or one that it led to.
    pub url: UriRefBuf,
    /// The URLs that led to it, in order.
    pub hops: Vec<Hop>,
    /// The object: its kind, and its media type if that is known.
    pub object: Object,
    /// The character encoding, if the media type names one.
    pub charset: Option<String>,
    /// The number of octets of the object before those of the body; not 0 only if the fetch was to
    /// [go on](Fetcher::resume) there.
    pub from: u64,
    /// What proves, in a later fetch, that the object is still this one.
    pub proof: Proof,
    /// The octets of the object.
    pub body: B,
    /// The head of the response, if the object was fetched by HTTP.
    pub response: Option<Response>,
    /// The error of a status of 400 or more whose [body](crate::http::Http::error_bodies) is given
    /// nevertheless.
    pub refusal: Option<Box<FetchError>>,
    /// The server that the object is from, or the one that named its URL.
    pub(crate) server: Option<Arc<Server>>,
}

impl<B: Debug> Debug for Fetched<B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut fetched = f.debug_struct("Fetched");
        fetched.field("url", &shown::Url(self.url.as_uri_ref())).field("hops", &self.hops);
        fetched.field("object", &self.object).field("body", &self.body);
        fetched.field("response", &self.response).field("refusal", &self.refusal).finish_non_exhaustive()
    }
}

impl Fetched {
    pub(crate) fn with_body<B, E>(self, body: impl FnOnce(Body) -> Result<B, E>) -> Result<Fetched<B>, E> {
        let Self { url, hops, object, charset, from, proof, response, refusal, server, .. } = self;
        let body = body(self.body)?;
        Ok(Fetched { url, hops, object, charset, from, proof, body, response, refusal, server })
    }
}

impl<B> Fetched<B> {
    /// Returns the address of the server that the object is from, or of the proxy; `None` if no server was
    /// asked.
    #[must_use]
    pub fn address(&self) -> Option<SocketAddr> {
        self.server.as_ref().map(|server| server.address)
    }
}

impl Default for Fetcher<'_> {
    fn default() -> Self {
        Self { settings: Settings::strangers(), registry: Registry::BUILT_IN, options: Options::new() }
    }
}

impl<'o> Fetcher<'o> {
    /// Creates a fetcher for URLs that strangers have chosen: those of a form, a message, a document.
    /// It fetches what [`Policy::public_web`](locator::audit::Policy::public_web) allows, `http` and
    /// `https` from public addresses, within [`Limits::strangers`](crate::run::Limits::strangers).
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a fetcher for URLs that a person has typed, of any scheme and at any address. Where an
    /// answer leads is judged as a stranger's ([`Policy::typed`](locator::audit::Policy::typed)). The
    /// limits are [`Limits::default`](crate::run::Limits), without one for the time or the size.
    #[must_use]
    pub fn typed() -> Self {
        Self { settings: Settings::typed(), ..Self::default() }
    }

    setters!('o);

    /// Fetches what a URL identifies. Returns when its first octets, or its end, are there; the body is
    /// read afterwards.
    ///
    /// # Errors
    ///
    /// The URL has no plan, the policy forbids it, or the server does not have the object.
    pub async fn fetch(&self, url: UriRef<'_>) -> Result<Fetched, FetchError> {
        let mut trip = Trip::new(self, url);
        let stage = trip.begin(url);
        Self::go(trip, stage).await
    }

    /// Fetches what a URL identifies by a plan that was made for it, as one that the user has seen.
    ///
    /// # Errors
    ///
    /// Those of [`fetch`](Self::fetch).
    pub async fn carry_out(&self, url: UriRef<'_>, plan: Plan) -> Result<Fetched, FetchError> {
        let mut trip = Trip::new(self, url);
        let stage = trip.carry_out(url, plan);
        Self::go(trip, stage).await
    }

    /// Fetches a URL that an object names: an entry of a menu, or a link of a document. It is judged like
    /// a redirect, by the server of the object: it does not lead to a narrower reach, to a low port of
    /// another protocol, or to a file. An object of this machine leads nowhere.
    ///
    /// # Errors
    ///
    /// Those of [`fetch`](Self::fetch).
    pub async fn follow(&self, from: &Fetched, url: UriRef<'_>) -> Result<Fetched, FetchError> {
        let mut trip = Trip::after(self, from.url.as_uri_ref(), from.server.clone());
        let stage = trip.named(url);
        Self::go(trip, stage).await
    }

    async fn go(mut trip: Trip<'_>, mut stage: Result<Stage, FetchError>) -> Result<Fetched, FetchError> {
        loop {
            stage = match stage? {
                Stage::Arrived(fetched) => return Ok(*fetched),
                Stage::Driver(driver) => trip.drove(start(driver).await),
                #[cfg(feature = "http")]
                Stage::Http(fetch) => trip.answered(crate::fetch::http::start(fetch).await),
                Stage::Next(url) => trip.begin(url.as_uri_ref()),
            };
        }
    }
}

/// How far a fetch is.
pub(crate) enum Stage {
    /// The object is there.
    Arrived(Box<Fetched>),
    /// A driver is to be started.
    Driver(Box<Driver>),
    /// A request of HTTP is to be sent.
    #[cfg(feature = "http")]
    Http(Box<http::Fetch>),
    /// Another URL is to be planned.
    Next(UriRefBuf),
}

/// Starts a driver: goes on to the first octets or to the end.
pub(crate) async fn start(mut driver: Box<Driver>) -> (Box<Driver>, Progress) {
    let progress = driver.next().await;
    (driver, progress)
}

/// What is known of an object before its octets are read.
pub(crate) struct Known {
    pub(crate) from: u64,
    pub(crate) proof: Proof,
}

impl Known {
    fn of(driver: &Driver) -> Self {
        Self { from: driver.from(), proof: driver.proof().clone() }
    }
}

/// The way from a URL to an object, without waiting.
pub(crate) struct Trip<'f> {
    pub(crate) fetcher: &'f Fetcher<'f>,
    pub(crate) url: UriRefBuf,
    pub(crate) hops: Vec<Hop>,
    /// The last server that was asked. It named the present URL, if that is not the given one.
    pub(crate) server: Option<Arc<Server>>,
    /// What HTTP keeps from one URL to the next.
    #[cfg(feature = "http")]
    pub(crate) journey: http::Journey,
}

impl<'f> Trip<'f> {
    pub(crate) fn new(fetcher: &'f Fetcher<'_>, url: UriRef<'_>) -> Self {
        Self::after(fetcher, url, None)
    }

    /// Returns the way from an object, whose URL and server these are.
    pub(crate) fn after(fetcher: &'f Fetcher<'_>, url: UriRef<'_>, server: Option<Arc<Server>>) -> Self {
        Self {
            fetcher,
            url: url.to_owned(),
            hops: Vec::new(),
            server,
            #[cfg(feature = "http")]
            journey: http::Journey::new(&fetcher.settings.http),
        }
    }

    /// Goes on with a URL that the object names.
    pub(crate) fn named(&mut self, url: UriRef<'_>) -> Result<Stage, FetchError> {
        #[cfg(feature = "http")]
        self.journey.forget();
        let stage = self.follow_url(url, None);
        stage.map_err(|failure| self.error(failure))
    }

    /// Plans a URL, and begins with what needs no network.
    pub(crate) fn begin(&mut self, url: UriRef<'_>) -> Result<Stage, FetchError> {
        self.url = url.to_owned();
        let stage = self.plan(url).and_then(|plan| self.stage(url, plan));
        stage.map_err(|failure| self.error(failure))
    }

    /// Begins with the plan of the first URL.
    pub(crate) fn carry_out(&mut self, url: UriRef<'_>, plan: Plan) -> Result<Stage, FetchError> {
        self.stage(url, plan).map_err(|failure| self.error(failure))
    }

    fn plan(&self, url: UriRef<'_>) -> Result<Plan, Failure> {
        let Fetcher { registry, options, settings } = self.fetcher;
        let mut options = *options;
        if let Some(resume) = &settings.resume {
            options.resumption = resume.resumption();
        }
        registry
            .plan(url, &options)
            .map_err(|error| Failure::new(FailureKind::NoPlan(error.to_string()), "planning"))
    }

    fn stage(&mut self, url: UriRef<'_>, plan: Plan) -> Result<Stage, Failure> {
        let settings = &self.fetcher.settings;
        let scheme = scheme_of(url);
        let forbidden = |refusal: Refusal| Failure::new(refusal.into(), "planning");
        settings.policy.check_scheme(scheme).map_err(forbidden)?;
        // A typed URL is trusted; where it leads to is judged when it is dialled.
        if !settings.policy.is_typed() && url.authority().is_some() {
            settings.policy.check(plain(url)).map_err(forbidden)?;
        }
        #[cfg(feature = "http")]
        if crate::fetch::http::has_request(&plan) {
            return self.request(url, plan);
        }
        if let Some(what) = unsupported(&plan) {
            return Err(Failure::new(FailureKind::NotSupported(what), "planning"));
        }
        let first = plan.steps().next().cloned();
        match first {
            Some(Step::Local(local)) => self.open(local),
            Some(Step::GoOn(next)) => self.follow(&next, None),
            _ => {
                let is_typed = self.hops.is_empty() && self.server.is_none();
                let named_by = self.server.clone().filter(|_| !self.is_chosen(url, &plan));
                let driver = Driver::new(plan, scheme, named_by, settings.clone());
                let reads_files = is_typed && settings.policy.allows_scheme("file");
                Ok(Stage::Driver(driver.reads_files(reads_files).into()))
            }
        }
    }

    /// Returns whether the user chose the server that the plan contacts for a URL, and not the URL: a
    /// news server, a gateway or a proxy.
    pub(crate) fn is_chosen(&self, url: UriRef<'_>, plan: &Plan) -> bool {
        let Fetcher { registry, options, .. } = self.fetcher;
        let Some(host) = url.host() else { return true };
        let scheme = scheme_of(url);
        let is_mapped =
            registry.gateways().iter().any(|gateway| gateway.scheme().eq_ignore_ascii_case(scheme));
        plan.all_steps().all(|step| match step {
            Step::Connect(to) => {
                let is_proxy = options.proxy.is_some_and(|proxy| {
                    proxy.host == to.host && proxy.port.is_none_or(|port| port == to.port)
                });
                is_proxy || is_mapped && to.host != host.as_str().trim_matches(['[', ']'])
            }
            _ => true,
        })
    }

    fn open(&mut self, local: Local) -> Result<Stage, Failure> {
        let settings = &self.fetcher.settings;
        let (object, source) = local::open(local, &*settings.handler)?;
        let proof = Proof { length: source.length(), ..Proof::default() };
        let body = self.body(Octets::Local(source)).limit(settings.limits.body);
        Ok(self.arrive(object, Known { from: 0, proof }, body))
    }

    /// Takes what a driver came to.
    pub(crate) fn drove(&mut self, (driver, progress): (Box<Driver>, Progress)) -> Result<Stage, FetchError> {
        let object = driver.object().cloned();
        self.server = driver.peer().or(self.server.as_ref()).cloned();
        let stage = match (progress, object) {
            (Progress::Given(octets), Some(object)) => {
                let known = Known::of(&driver);
                let body = self.body(Octets::Driver(driver)).first(octets);
                Ok(self.arrive(object, known, body))
            }
            (Progress::Done(Outcome::Got { whole, .. }), Some(object)) => {
                let body = self.body(Octets::None).end(whole);
                Ok(self.arrive(object, Known::of(&driver), body))
            }
            (Progress::Done(Outcome::GoOn(next)), _) => self.follow(&next, Some(&driver)),
            (Progress::Done(Outcome::Redirected(to)), _) => {
                self.at(to).and_then(|url| self.follow_url(url.as_uri_ref(), Some(&driver)))
            }
            (Progress::Done(Outcome::Failed(failure)), _) => Err(failure),
            _ => Err(Failure::new(FailureKind::NotSupported("a plan without an object"), "")),
        };
        stage.map_err(|failure| self.error(failure))
    }

    /// Returns the present URL with the address of another server.
    fn at(&self, server: SocketAddr) -> Result<UriRefBuf, Failure> {
        let moved = || {
            let mut edit = self.url.edit();
            edit.set_host(&server.ip().to_string()).ok()?.set_port(Some(server.port())).ok()?;
            edit.finish().ok()
        };
        let why = || FailureKind::NoPlan(format!("the URL cannot name the server {server}"));
        moved().ok_or_else(|| Failure::new(why(), "going on with another server"))
    }

    /// Goes on with another URL of a plan, which RFC 3986 reads: one that the given URL contains, or one
    /// that a server named.
    fn follow(&mut self, next: &Next, driver: Option<&Driver>) -> Result<Stage, Failure> {
        let Next::Url(url) = next else {
            return Err(Failure::new(FailureKind::NotSupported("this way to another URL"), ""));
        };
        let invalid = |error: ParseError| {
            Failure::new(
                FailureKind::NoPlan(error.to_string()),
                format!("going on with {}", shown::sentence(url.as_ref())),
            )
        };
        self.follow_url(UriRef::parse_with(url, &RFC3986).map_err(invalid)?, driver)
    }

    fn follow_url(&mut self, url: UriRef<'_>, driver: Option<&Driver>) -> Result<Stage, Failure> {
        let during = || format!("going on with {}", shown::sentence(url.as_ref()));
        // For a file the driver has asked the policy.
        let is_file = driver.is_some_and(|driver| driver.has_chosen_file(url.as_str()));
        let checked = if is_file { Ok(None) } else { self.checked(url) };
        let checked = checked.map_err(|refusal| Failure::new(refusal.into(), during()))?;
        let address = driver.and_then(Driver::peer).map(|server| server.address);
        self.hop(Hop { url: self.url.clone(), address, response: None }, &during())?;
        let Some(checked) = checked else { return Ok(Stage::Next(url.to_owned())) };
        // The policy writes by RFC 3986. Its text is read by the edition of the URL if that can read it.
        let read = UriRef::parse_with(&checked, url.edition()).or_else(|_| UriRef::parse(&checked));
        match read {
            Ok(url) => Ok(Stage::Next(url.to_owned())),
            Err(error) => Err(Failure::new(FailureKind::NoPlan(error.to_string()), during())),
        }
    }

    /// Asks the policy about a URL that the answer of a server leads to, or the text of the present one.
    /// Returns the URL that a server named as the policy writes it.
    pub(crate) fn checked(&self, url: UriRef<'_>) -> Result<Option<String>, Refusal> {
        let policy = &self.fetcher.settings.policy;
        let has_no_host = url.has_scheme() && url.authority().is_none();
        match &self.server {
            // The user chose the server of `news:comp.lang.rust`.
            Some(server) if has_no_host => policy.leads_to(server.target.scheme(), scheme_of(url))?,
            Some(server) => {
                let followed = policy.follow(&server.peer()?, plain(url));
                return followed.map(|target| Some(target.to_string()));
            }
            None => {
                policy.leads_to(scheme_of(self.url.as_uri_ref()), scheme_of(url))?;
                if !has_no_host {
                    policy.check(plain(url))?;
                }
            }
        }
        Ok(None)
    }

    /// Adds a URL to those that led to another one.
    pub(crate) fn hop(&mut self, hop: Hop, during: &str) -> Result<(), Failure> {
        let most = self.fetcher.settings.hops;
        self.hops.push(hop);
        if self.hops.len() > most {
            let kind = FailureKind::TooMuch { what: "URLs that lead to others", limit: most as u64 };
            return Err(Failure::new(kind, during));
        }
        Ok(())
    }

    pub(crate) fn body(&self, octets: Octets) -> Body {
        Body::new(octets, self.url.clone(), self.hops.clone())
    }

    fn arrive(&self, object: Object, known: Known, body: Body) -> Stage {
        Stage::Arrived(self.arrived(object, known, body).into())
    }

    pub(crate) fn arrived(&self, object: Object, Known { from, proof }: Known, body: Body) -> Fetched {
        let charset = object.media_type.as_deref().and_then(charset);
        let (url, hops) = (self.url.clone(), self.hops.clone());
        let server = self.server.clone();
        Fetched { url, hops, object, charset, from, proof, body, response: None, refusal: None, server }
    }

    pub(crate) fn error(&self, failure: Failure) -> FetchError {
        FetchError { url: self.url.clone(), failure: failure.into(), hops: self.hops.clone(), response: None }
    }
}

/// Returns the text of a URL without the prefix of its edition (`URL:`), which other programs do not know.
pub(crate) fn plain(url: UriRef<'_>) -> &str {
    let start = url.span(Component::Scheme).map_or(0, |scheme| scheme.start);
    url.as_str().get(start..).unwrap_or_default()
}

/// Returns the name of the scheme of a URL; empty if it has none.
pub(crate) fn scheme_of(url: UriRef<'_>) -> &str {
    url.scheme().map(|scheme| scheme.as_str()).unwrap_or_default()
}

/// Returns what a plan needs that this crate does not do yet.
fn unsupported(plan: &Plan) -> Option<&'static str> {
    let has_request = plan.all_steps().any(|step| matches!(step, Step::Request(_)));
    has_request.then_some("fetching by HTTP")
}

/// Returns the parameter "charset" of a media type.
fn charset(media_type: &str) -> Option<String> {
    media_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches('"');
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then(|| value.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::charset;

    #[test]
    fn charsets() {
        assert_eq!(charset("text/plain;charset=US-ASCII").as_deref(), Some("US-ASCII"));
        assert_eq!(charset("text/plain; a=b; CharSet=\"utf-8\"").as_deref(), Some("utf-8"));
        assert_eq!(charset("text/plain"), None);
        assert_eq!(charset("text/plain;charset="), None);
    }
}
