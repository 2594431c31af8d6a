//! One call of a fetcher: from the given URL through all that it leads to, to an object. A [`RedirectChain`] is
//! what has led to a URL, as a value that the request for that URL goes on with.

#[cfg(feature = "http")]
pub(crate) mod http;

use std::fmt::{self, Debug, Formatter};
use std::net::SocketAddr;
use std::sync::Arc;

use locator::edition::RFC3986;
use locator::plan::{GatewayPlanError, Local, Next, Object, Plan, Step};
use locator::{ParseError, UriRef, UriRefBuf};
use locator_audit::Refusal;

use super::config::Config;
use crate::driver::{Driver, Progress};
use crate::error::failure::{Detail, Failure, FailureKind, PlanCause, REDIRECTS};
use crate::error::{FetchError, Hop};
#[cfg(feature = "http")]
use crate::http::{Attempt, Request};
use crate::local;
use crate::net::dialer::ConnectedServer;
use crate::redact::{plain, scheme_of};
use crate::response::body::{Body, BodySource};
use crate::response::{BodyStart, Response};
use crate::run::Outcome;
use crate::run::resume::Proof;

/// What a fetch does next.
pub(crate) enum Action {
    /// Return the object.
    Done(Box<Response>),
    /// Carry out a plan, to the first octets or to the end.
    Run(Box<Driver>),
    /// Send a request of HTTP, and read the head of its response.
    #[cfg(feature = "http")]
    Request(Box<Attempt>),
    /// Plan another URL.
    Redirect(UriRefBuf),
}

/// What a request came to.
pub(crate) enum RequestOutcome {
    Response(Box<Response>),
    Redirect(UriRefBuf),
}

/// Carries out a plan to the first octets or to the end.
pub(crate) async fn run(mut driver: Box<Driver>) -> (Box<Driver>, Progress) {
    let progress = driver.next().await;
    (driver, progress)
}

/// One call of a fetcher: the URLs from the given one to the object. Its methods do not wait; what must be
/// waited for is an [`Action`].
pub(crate) struct Fetch<'f> {
    config: &'f Config<'f>,
    pub(crate) url: UriRefBuf,
    pub(crate) hops: Vec<Hop>,
    /// The last server that was asked. It named the present URL, if that is not the given one.
    pub(crate) server: Option<Arc<ConnectedServer>>,
    /// The request of HTTP, as redirects have changed it.
    #[cfg(feature = "http")]
    pub(crate) request: Request,
}

impl<'f> Fetch<'f> {
    pub(crate) fn new(config: &'f Config<'f>, url: UriRef<'_>) -> Self {
        Self {
            config,
            url: url.to_owned(),
            hops: Vec::new(),
            server: None,
            #[cfg(feature = "http")]
            request: Request::new(&config.client.http),
        }
    }

    /// Sets the server of the object at whose URL this begins.
    pub(crate) fn after(self, server: Option<Arc<ConnectedServer>>) -> Self {
        Self { server, ..self }
    }

    /// Sets what the redirects of a chain have made of the request.
    pub(crate) fn after_chain(self, chain: &RedirectChain) -> Self {
        Self {
            url: chain.last_url().to_owned(),
            hops: chain.hops().to_vec(),
            server: chain.server().cloned(),
            #[cfg(feature = "http")]
            request: chain.request().continued(&self.config.client.http),
            config: self.config,
        }
    }

    /// Begins with the URL that a chain of redirects has led to. The policy is asked again: the URL may be
    /// another one than the last redirect named.
    pub(crate) fn go_on(&mut self, url: UriRef<'_>) -> Result<Action, FetchError> {
        let shown = locator_audit::redacted(url.as_str()).to_string();
        match self.next_url(url) {
            Ok(next) => self.begin(next.as_uri_ref()),
            Err(kind) => {
                // It is about the URL that redirected, which is the last of the hops.
                self.hops.pop();
                Err(self.error(Failure::of_redirect(kind, &shown)))
            }
        }
    }

    /// Asks the policy about a URL that the last server of a chain named, and returns it as the policy writes
    /// it.
    fn next_url(&self, url: UriRef<'_>) -> Result<UriRefBuf, FailureKind> {
        #[cfg(feature = "http")]
        let checked = self.checked_redirect(url)?;
        #[cfg(not(feature = "http"))]
        let checked = self.checked(url)?;
        as_checked(checked, url).map_err(no_url)
    }

    /// Returns the chain of redirects that has led to a URL.
    pub(crate) fn into_chain(self) -> RedirectChain {
        RedirectChain::new(
            self.hops,
            self.server,
            #[cfg(feature = "http")]
            self.request,
        )
    }

    /// Returns whether a URL was requested before in this chain.
    #[cfg(not(feature = "http"))]
    pub(crate) fn is_repeated(&self, url: UriRef<'_>) -> bool {
        self.hops.iter().any(|hop| hop.url.without_fragment() == url.without_fragment())
    }

    /// Goes on with a URL that the object names.
    pub(crate) fn named(&mut self, url: UriRef<'_>) -> Result<Action, FetchError> {
        #[cfg(feature = "http")]
        self.request.forget();
        let action = self.follow_url(url, None);
        action.map_err(|failure| self.error(failure))
    }

    /// Plans a URL, and begins with what needs no network.
    pub(crate) fn begin(&mut self, url: UriRef<'_>) -> Result<Action, FetchError> {
        self.url = url.to_owned();
        let action = self.plan(url).and_then(|plan| self.prepare(url, plan));
        action.map_err(|failure| self.error(failure))
    }

    /// Begins with the plan of the first URL.
    pub(crate) fn carry_out(&mut self, url: UriRef<'_>, plan: Plan) -> Result<Action, FetchError> {
        self.prepare(url, plan).map_err(|failure| self.error(failure))
    }

    /// Returns the plan of the first URL as it is carried out, if the policy allows it; `plan` is what was made
    /// of it before.
    pub(crate) fn complete_plan(&mut self, url: UriRef<'_>, plan: Option<Plan>) -> Result<Plan, FetchError> {
        let plan = self.ask_policy(url).and_then(|()| plan.map_or_else(|| self.plan(url), Ok));
        #[cfg(feature = "http")]
        let plan =
            plan.and_then(|plan| match plan.work.iter().any(|step| matches!(step, Step::Request(_))) {
                true => self.complete_request(url, plan),
                false => Ok(plan),
            });
        plan.map_err(|failure| self.error(failure))
    }

    fn plan(&self, url: UriRef<'_>) -> Result<Plan, Failure> {
        let mut options = self.config.options;
        if !self.is_given() {
            options.upload = None;
        }
        if let Some(resume) = &self.config.settings.resume {
            options.resumption = resume.resumption();
        }
        self.config.registry.plan(url, &options).map_err(|error| Failure::new(no_plan(error), ""))
    }

    /// Asks the policy about a URL, as far as its text says where it leads.
    fn ask_policy(&self, url: UriRef<'_>) -> Result<(), Failure> {
        let policy = &self.config.settings.policy;
        let forbidden = |refusal: Refusal| Failure::new(refusal.into(), "");
        policy.check_scheme(scheme_of(url)).map_err(forbidden)?;
        // A typed URL is trusted; where it leads to is judged when it is dialled.
        if !policy.is_typed() && url.authority().is_some() {
            policy.check(plain(url)).map_err(forbidden)?;
        }
        Ok(())
    }

    fn prepare(&mut self, url: UriRef<'_>, plan: Plan) -> Result<Action, Failure> {
        self.ask_policy(url)?;
        let (settings, scheme) = (&self.config.settings, scheme_of(url));
        let is_request = |step: &Step| matches!(step, Step::Request(_));
        #[cfg(feature = "http")]
        if plan.work.iter().any(is_request) {
            return self.begin_request(url, plan);
        }
        if plan.all_steps().any(is_request) {
            return Err(Failure::new(FailureKind::NotSupported("HTTP"), ""));
        }
        let first = plan.steps().next().cloned();
        match first {
            Some(Step::Local(local)) => self.open(local),
            Some(Step::GoOn(next)) => self.follow(&next, None),
            _ => {
                let is_typed = self.is_given();
                let named_by = self.server.clone().filter(|_| !self.is_chosen(url, &plan));
                let own = if is_typed { settings.clone() } else { settings.anonymous() };
                let driver = Driver::new(plan, scheme, named_by, own, &self.config.sessions);
                let reads_files = is_typed && settings.policy.allows_scheme("file");
                // What the user sends is for the given URL.
                #[cfg(feature = "http")]
                let driver = driver.uploads(self.request.body.clone().filter(|_| is_typed));
                Ok(Action::Run(driver.reads_files(reads_files).into()))
            }
        }
    }

    /// Returns whether the present URL is the given one, and not one that a server named.
    fn is_given(&self) -> bool {
        self.hops.is_empty() && self.server.is_none()
    }

    /// Returns whether the user chose the server that the plan contacts for a URL, and not the URL: a
    /// news server, a gateway or a proxy.
    pub(crate) fn is_chosen(&self, url: UriRef<'_>, plan: &Plan) -> bool {
        let Some(host) = url.host() else { return true };
        let scheme = scheme_of(url);
        let is_mapped = self
            .config
            .registry
            .gateways()
            .iter()
            .any(|gateway| gateway.scheme().eq_ignore_ascii_case(scheme));
        plan.all_steps().all(|step| match step {
            Step::Connect(to) => {
                let is_proxy = self.config.options.proxy.is_some_and(|proxy| {
                    proxy.host == to.host && proxy.port.is_none_or(|port| port == to.port)
                });
                is_proxy || is_mapped && to.host != host.as_str().trim_matches(['[', ']'])
            }
            _ => true,
        })
    }

    fn open(&mut self, local: Local) -> Result<Action, Failure> {
        let settings = &self.config.settings;
        let (object, source) = local::open(local, &*settings.handler)?;
        let proof = Proof { length: source.length(), ..Proof::default() };
        let body = self.body(BodySource::Local(source)).limit(settings.limits.body);
        Ok(self.done(object, BodyStart { from: 0, proof }, body))
    }

    /// Takes the result of a driver.
    pub(crate) fn take_run(
        &mut self,
        (driver, progress): (Box<Driver>, Progress),
    ) -> Result<Action, FetchError> {
        let object = driver.object().cloned();
        self.server = driver.peer().or(self.server.as_ref()).cloned();
        let action = match (progress, object) {
            (Progress::Given(octets), Some(object)) => {
                let start = self.start_of(&driver);
                let body = self.body(BodySource::Driver(driver)).first(octets);
                Ok(self.done(object, start, body))
            }
            (Progress::Done(Outcome::Got { whole, .. }), Some(object)) => {
                let body = self.body(BodySource::None).end(whole);
                Ok(self.done(object, self.start_of(&driver), body))
            }
            (Progress::Done(Outcome::GoOn(next)), _) => self.follow(&next, Some(&driver)),
            (Progress::Done(Outcome::Redirected(to)), _) => {
                self.at(to).and_then(|url| self.follow_url(url.as_uri_ref(), Some(&driver)))
            }
            (Progress::Done(Outcome::Failed(failure)), _) => Err(failure),
            _ => Err(Failure::new(FailureKind::NotSupported("a plan without a body"), "")),
        };
        action.map_err(|failure| self.error(failure))
    }

    /// Returns where the body of a run begins. Octets before a range are not there.
    fn start_of(&self, driver: &Driver) -> BodyStart {
        let from = if self.config.options.range.is_some() { 0 } else { driver.from() };
        BodyStart { from, proof: driver.proof().clone() }
    }

    /// Returns the present URL with the address of another server.
    fn at(&self, server: SocketAddr) -> Result<UriRefBuf, Failure> {
        let moved = || {
            let mut edit = self.url.edit();
            edit.set_host(server.ip().to_string()).ok()?.set_port(Some(server.port())).ok()?;
            edit.finish().ok()
        };
        let why = || {
            let text = format!("the URL cannot have the host {server}");
            FailureKind::NoPlan(Detail::new(PlanCause::Server, text))
        };
        moved().ok_or_else(|| Failure::new(why(), "following a redirect"))
    }

    /// Goes on with another URL of a plan, which RFC 3986 reads: one that the given URL contains, or one
    /// that a server named.
    fn follow(&mut self, next: &Next, driver: Option<&Driver>) -> Result<Action, Failure> {
        let Next::Url(url) = next else {
            return Err(Failure::new(FailureKind::NotSupported("this kind of redirect"), ""));
        };
        let invalid = |error: ParseError| Failure::of_redirect(no_url(error), url.as_ref());
        self.follow_url(UriRef::parse_with(url, &RFC3986).map_err(invalid)?, driver)
    }

    fn follow_url(&mut self, url: UriRef<'_>, driver: Option<&Driver>) -> Result<Action, Failure> {
        let refused = |kind| Failure::of_redirect(kind, url.as_ref());
        // For a file the driver has asked the policy.
        let is_file = driver.is_some_and(|driver| driver.has_chosen_file(url.as_str()));
        let checked = if is_file { Ok(None) } else { self.checked(url) };
        let checked = checked.map_err(|refusal| refused(refusal.into()))?;
        let address = driver.and_then(Driver::peer).map(|server| server.address);
        self.hop(Hop { address, ..Hop::new(self.url.clone()) }, url.as_ref())?;
        let Some(checked) = checked else { return Ok(Action::Redirect(url.to_owned())) };
        // The policy writes by RFC 3986. Its text is read by the edition of the URL if that can read it.
        let read = UriRef::parse_with(&checked, url.edition()).or_else(|_| UriRef::parse(&checked));
        match read {
            Ok(url) => Ok(Action::Redirect(url.to_owned())),
            Err(error) => Err(refused(no_url(error))),
        }
    }

    /// Asks the policy about a URL that the answer of a server leads to, or the text of the present one.
    /// Returns the URL that a server named as the policy writes it.
    pub(crate) fn checked(&self, url: UriRef<'_>) -> Result<Option<String>, Refusal> {
        let policy = &self.config.settings.policy;
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

    /// Adds a URL to those that led to another one, `to`.
    pub(crate) fn hop(&mut self, hop: Hop, to: &str) -> Result<(), Failure> {
        let most = self.config.settings.hops;
        self.hops.push(hop);
        self.config.settings.times.redirected();
        if self.hops.len() > most {
            let kind = FailureKind::TooMuch { what: REDIRECTS, limit: most as u64 };
            return Err(Failure::of_redirect(kind, to));
        }
        Ok(())
    }

    pub(crate) fn body(&self, octets: BodySource) -> Body {
        Body::new(octets, self.url.clone(), self.hops.clone())
    }

    fn done(&self, object: Object, start: BodyStart, body: Body) -> Action {
        Action::Done(self.response(object, start, body).into())
    }

    /// Returns an object with a body.
    pub(crate) fn response(&self, object: Object, start: BodyStart, body: Body) -> Response {
        Response::new(object, start, self.server.clone(), body)
    }

    pub(crate) fn error(&self, failure: Failure) -> FetchError {
        FetchError::new(self.url.clone(), self.hops.clone(), failure)
    }
}

/// Returns a URL as the policy writes it, which leaves out its fragment; the URL itself if it does not.
fn as_checked(checked: Option<String>, url: UriRef<'_>) -> Result<UriRefBuf, ParseError> {
    let Some(mut text) = checked else { return Ok(url.to_owned()) };
    if let Some(fragment) = url.fragment() {
        text.push('#');
        text.push_str(fragment.as_str());
    }
    // The policy writes by RFC 3986. Its text is read by the edition of the URL if that can read it.
    UriRef::parse_with(&text, url.edition()).or_else(|_| UriRef::parse(&text)).map(|url| url.to_owned())
}

/// Returns the failure of planning a URL, from the `PlanError`, or from the error of a gateway's URL.
fn no_plan(error: GatewayPlanError) -> FailureKind {
    let why = Detail::new(PlanCause::Plan, error.to_string());
    FailureKind::NoPlan(match error.gateway_url {
        None => why.source(error.error),
        Some(_) => why.source(error),
    })
}

/// Returns the failure of reading a text as a URL.
fn no_url(error: ParseError) -> FailureKind {
    FailureKind::NoPlan(Detail::new(PlanCause::Url, error.to_string()).source(error))
}

/// The redirects that have led to a URL: which server sent the last one, what they made of the request, and
/// the URL that the chain began with. [`RequestBuilder::after`](crate::RequestBuilder::after) goes on with
/// it.
///
/// A clone is cheap, and a chain can be continued any number of times and by several threads. It keeps no
/// connection. `Debug` shows no secret.
///
/// See [`Redirect`](crate::Redirect) for an example.
#[derive(Clone)]
pub struct RedirectChain(Arc<RedirectChainParts>);

struct RedirectChainParts {
    hops: Vec<Hop>,
    /// The server that sent the last redirect; `None` if the URL itself led on.
    server: Option<Arc<ConnectedServer>>,
    /// The request, as the redirects have changed it.
    #[cfg(feature = "http")]
    request: Request,
}

impl RedirectChain {
    pub(crate) fn new(
        hops: Vec<Hop>,
        server: Option<Arc<ConnectedServer>>,
        #[cfg(feature = "http")] request: Request,
    ) -> Self {
        Self(Arc::new(RedirectChainParts {
            hops,
            server,
            #[cfg(feature = "http")]
            request,
        }))
    }

    /// Returns the URLs of this chain that were requested, in order. The URL that the last one led to is not
    /// among them.
    #[must_use]
    pub fn hops(&self) -> &[Hop] {
        &self.0.hops
    }

    /// Returns the URL that sent the last redirect.
    fn last_url(&self) -> UriRef<'_> {
        self.0.hops.last().map_or_else(UriRef::default, |hop| hop.url.as_uri_ref())
    }

    pub(crate) fn server(&self) -> Option<&Arc<ConnectedServer>> {
        self.0.server.as_ref()
    }

    #[cfg(feature = "http")]
    pub(crate) fn request(&self) -> &Request {
        &self.0.request
    }
}

impl Debug for RedirectChain {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedirectChain").field("hops", &self.0.hops).finish_non_exhaustive()
    }
}
