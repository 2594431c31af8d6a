//! The part of HTTP in the way from a URL to an object: chooses the proxy, and follows redirects.

use std::sync::Arc;

use locator::plan::{self, HttpOrigin, Plan, Step, Transport};
use locator::scheme::{HttpUrl, default_port};
use locator::{UriRef, UriRefBuf, Value};
use locator_audit::Refusal;

use crate::error::failure::{Detail, Failure, FailureKind, RedirectCause};
use crate::error::{FetchError, Hop};
use crate::fetcher::fetch::{Action, Fetch, as_checked, no_plan};
use crate::headers::ResponseHead;
use crate::http::Attempt;
use crate::http::reading::Received;
use crate::http::request::{self, Redirect};
use crate::http::route::Route;
use crate::net::dialer::{ConnectedServer, Endpoint};
use crate::net::proxy::{Proxy, ProxyKind};
use crate::response::BodyStart;
use crate::response::body::BodySource;
use crate::run::Whole;

/// An attempt, and its response.
type AttemptResponse = (Box<Attempt>, Result<(ResponseHead, Received), Failure>);

/// Sends a request, and reads the head of its response.
pub(crate) async fn send(mut attempt: Box<Attempt>) -> AttemptResponse {
    let arrived = attempt.send().await;
    (attempt, arrived)
}

impl Fetch<'_> {
    /// Prepares the request of a plan.
    pub(super) fn begin_request(&mut self, url: UriRef<'_>, plan: Plan) -> Result<Action, Failure> {
        let origin = origin_of(url, &plan)?;
        self.request.gateway = plan.gateway.clone();
        if self.hops.is_empty() {
            self.request.begin(Some(origin.clone()));
        }
        let named_by = self.server.clone().filter(|_| !self.is_chosen(url, &plan));
        let (plan, proxy) = self.by_proxy(url, plan)?;
        // The certificate of the client is for the server that the user named.
        let anonymous = (!self.request.is_at_home(&origin)).then(|| self.config.settings.anonymous());
        let settings = anonymous.as_ref().unwrap_or(&self.config.settings);
        let is_direct = proxy.is_none();
        let client = &self.config.client;
        let ways = (proxy, settings.connect_to.as_ref());
        let route = Route::new(&plan, ways, &client.http, |host, port| {
            // Where a proxy looks names up, only the name is judged.
            let (host, port) = if is_direct { (host, port) } else { (&*origin.host, origin.port) };
            let place = Endpoint { scheme: &origin.scheme, host, port, named_by: named_by.as_deref() };
            settings.dialer().target(place).map_err(|refusal| planning_failure(refusal.into()))
        })?;
        let mut work = plan.work.into_iter();
        let request = work.find_map(|step| match step {
            Step::Request(request) => Some(request),
            _ => None,
        });
        let request = request.ok_or_else(|| planning_failure(FailureKind::NotSupported("this plan")))?;
        let attempt = Attempt::new((settings, client), request, route, origin, &mut self.request)?;
        Ok(Action::Request(attempt.into()))
    }

    /// Returns a plan as it is carried out: by the proxy for its URL, and with all headers of the request.
    pub(super) fn complete_request(&mut self, url: UriRef<'_>, plan: Plan) -> Result<Plan, Failure> {
        let origin = origin_of(url, &plan)?;
        if self.hops.is_empty() {
            self.request.begin(Some(origin.clone()));
        }
        let (mut plan, _) = self.by_proxy(url, plan)?;
        let is_secured = plan.session.iter().any(|step| match step {
            Step::Connect(to) => to.transport == Transport::Tls,
            step => matches!(step, Step::Secure { .. }),
        });
        let (http, resume) = (&*self.config.client.http, self.config.settings.resume.as_ref());
        for step in &mut plan.work {
            if let Step::Request(request) = step {
                let one = request.clone();
                let complete = self.request.complete(one, origin.clone(), is_secured, (http, resume));
                *request = complete.map_err(planning_failure)?;
            }
        }
        Ok(plan)
    }

    /// Returns the plan by the proxy for a URL, if there is one, and the proxy.
    fn by_proxy(&self, url: UriRef<'_>, plan: Plan) -> Result<(Plan, Option<Proxy>), Failure> {
        let (settings, options) = (&self.config.settings, &self.config.options);
        let check =
            |host| settings.policy.check_proxy(host).map_err(|refusal| Failure::new(refusal.into(), ""));
        if let Some(server) = options.proxy {
            check(server.host)?;
            return Ok((plan, Some(self.config.client.http.proxies.of_plan(server))));
        }
        if is_for_proxy(&plan) {
            return Err(planning_failure(FailureKind::NotSupported(
                "a plan for a proxy that is not configured",
            )));
        }
        let Some(Step::Connect(to)) = plan.session.first() else { return Ok((plan, None)) };
        if settings.connect_to.leads_from(&to.host, to.port) {
            return Ok((plan, None));
        }
        let proxies = &self.config.client.http.proxies;
        let Some(proxy) = proxies.proxy_for(to.transport == Transport::Tls, &to.host).cloned() else {
            return Ok((plan, None));
        };
        check(&proxy.host)?;
        if proxy.kind != ProxyKind::Http {
            return Ok((plan, Some(proxy)));
        }
        let server = plan::Server { host: &proxy.host, port: Some(proxy.port) };
        let plan = self.config.registry.plan(url, &options.proxy(server));
        let plan = plan.map_err(|error| planning_failure(no_plan(error)))?;
        Ok((plan, Some(proxy)))
    }

    /// Takes the response to a request.
    pub(crate) fn take_response(
        &mut self,
        (attempt, arrived): AttemptResponse,
    ) -> Result<Action, FetchError> {
        self.server = attempt.route().server().map(Arc::new).or_else(|| self.server.take());
        self.request.note_login(attempt.has_sent_login());
        let (response, received) = arrived.map_err(|failure| self.error(failure))?;
        match received {
            Received::Object { object, from, proof, body } => {
                // 416 says that nothing is missing of an object whose rest was asked for.
                let is_refused = response.status >= 400 && body.is_some();
                let unsent = attempt.unsent_login(&response);
                if let (Some(why), Some(watcher), false) =
                    (&unsent, &self.config.settings.watcher, is_refused)
                {
                    watcher.login_unsent(&request::written_origin(attempt.origin()), why);
                }
                let body = match body {
                    Some(reading) => self.body(BodySource::Http(reading)),
                    None => self.body(BodySource::None).end(Whole::Framed),
                };
                let refusal = is_refused.then(|| self.error_of(attempt.refusal(&response), response.clone()));
                let done =
                    self.response(object, BodyStart { from, proof }, body).with_head(response, refusal);
                let done = done.with_method(&self.request.method).with_unsent_login(unsent);
                Ok(Action::Done(done.into()))
            }
            Received::Redirect => match self.redirect(&response) {
                Ok(action) => {
                    if let Some(hop) = self.hops.last_mut() {
                        hop.head = Some(response.into());
                    }
                    Ok(action)
                }
                Err(failure) => Err(self.error_of(failure, response)),
            },
            Received::Failed(failure) => Err(self.error_of(failure, response)),
        }
    }

    fn error_of(&self, failure: Failure, response: ResponseHead) -> FetchError {
        self.error(failure).with_head(response)
    }

    /// Goes on to where a response leads.
    fn redirect(&mut self, response: &ResponseHead) -> Result<Action, Failure> {
        let location = String::from_utf8_lossy(response.headers.get_bytes("location").unwrap_or_default());
        let refused = |why| match location.trim() {
            "" => Failure::new(FailureKind::Redirect(why), ""),
            location => Failure::of_redirect(FailureKind::Redirect(why), &request::shown(location)),
        };
        let redirect = self.redirect_of(response).map_err(refused)?;
        let url = &redirect.url;
        let shown = request::shown(url.as_str());
        let refused = |kind| Failure::of_redirect(kind, &shown);
        let scheme = url.scheme().lowercase();
        let allowed = &self.config.client.http.redirects_to;
        if allowed.as_ref().is_some_and(|schemes| !schemes.iter().any(|one| **one == *scheme)) {
            let why = format!("redirects to {scheme} are not allowed");
            return Err(refused(FailureKind::Redirect(Detail::new(RedirectCause::Scheme, why))));
        }
        let method = self.request.method.as_str().into();
        self.request.follow(&redirect);
        let checked = self.checked_redirect(url.as_uri_ref()).map_err(|refusal| refused(refusal.into()))?;
        let next = origin(url.as_uri_ref());
        let repeated = self.request.check_repeated(next.as_ref(), url.as_str());
        repeated.map_err(|kind| Failure::new(kind, ""))?;
        let address = self.server.as_ref().map(|server| server.address);
        self.hop(Hop { address, method: Some(method), ..Hop::new(self.url.clone()) }, &shown)?;
        match as_checked(checked, url.as_uri_ref()) {
            Ok(url) => Ok(Action::Redirect(url)),
            Err(error) => {
                let why = Detail::new(RedirectCause::Url, error.to_string()).source(error);
                Err(refused(FailureKind::Redirect(why)))
            }
        }
    }

    /// Returns whether a request for a URL was sent before in this chain, with the method of the next one.
    pub(crate) fn is_repeated(&self, url: UriRef<'_>) -> bool {
        self.hops.iter().any(|hop| {
            hop.method.as_deref().is_none_or(|method| method == self.request.method)
                && is_same_request(hop.url.as_uri_ref(), url)
        })
    }

    /// Reads a redirect, whose URL is relative to the one that was requested.
    fn redirect_of(&self, response: &ResponseHead) -> Result<Redirect, Detail<RedirectCause>> {
        if let Some(gateway) = &self.request.gateway {
            return Redirect::read(response, gateway.url.as_uri_ref());
        }
        let without_dot = without_dot(self.url.as_uri_ref());
        Redirect::read(response, without_dot.as_ref().unwrap_or(&self.url).as_uri_ref())
    }

    /// Asks the policy about where a response leads. One for a URL of another scheme, which a proxy was
    /// asked for, is an answer by HTTP nevertheless: it also leads where those for URLs of http do.
    pub(super) fn checked_redirect(&self, url: UriRef<'_>) -> Result<Option<String>, Refusal> {
        self.checked(url).or_else(|refusal| {
            let is_other = |server: &&Arc<ConnectedServer>| {
                server.is_proxied && !matches!(server.target.scheme(), "http" | "https")
            };
            let Some(server) = self.server.as_ref().filter(is_other) else { return Err(refusal) };
            let policy = &self.config.settings.policy;
            let target = policy.endpoint("http", server.target.host(), server.target.port())?;
            policy.follow(&target.peer_by_own_proxy(), url.as_str()).map(|target| Some(target.to_string()))
        })
    }
}

/// Returns a URL without the dot at the end of its host, which the user may write and answers may not.
fn without_dot(url: UriRef<'_>) -> Option<UriRefBuf> {
    let host = url.host()?.as_str().strip_suffix('.')?;
    let mut edit = url.edit();
    edit.set_host(Value::Encoded(host)).ok()?;
    edit.finish().ok()
}

/// Returns whether a plan asks a proxy: for a tunnel, or for a whole URL.
fn is_for_proxy(plan: &Plan) -> bool {
    plan.steps().any(|step| match step {
        Step::Exchange(_) => true,
        Step::Request(request) => !request.target().to_bytes().starts_with(b"/"),
        _ => false,
    })
}

fn planning_failure(kind: FailureKind) -> Failure {
    Failure::new(kind, "")
}

/// Returns the origin that a plan of HTTP contacts. A gateway answers for its own URL.
fn origin_of(url: UriRef<'_>, plan: &Plan) -> Result<HttpOrigin, Failure> {
    let found = match &plan.gateway {
        Some(gateway) => gateway.origin.clone().or_else(|| origin(gateway.url.as_uri_ref())),
        None => origin(url),
    };
    found.ok_or_else(|| planning_failure(FailureKind::NotSupported("a URL without a host")))
}

/// Returns whether the same is sent to the same server for two URLs.
fn is_same_request(one: UriRef<'_>, other: UriRef<'_>) -> bool {
    let target = |url: UriRef<'_>| {
        let target = url.without_fragment();
        let path = target.path().as_str();
        (if path.is_empty() { "/" } else { path }.to_owned(), target.query().map(|query| query.to_string()))
    };
    match (origin(one), origin(other)) {
        (Some(origin), Some(of_other)) => origin == of_other && target(one) == target(other),
        _ => one.without_fragment() == other.without_fragment(),
    }
}

/// Returns the origin of a URL.
fn origin(url: UriRef<'_>) -> Option<HttpOrigin> {
    // An internationalized name is looked up and sent in ASCII.
    if let Ok(url) = HttpUrl::of(url) {
        return url.origin().ok();
    }
    let (scheme, authority) = (url.scheme()?.as_str(), url.authority()?);
    let host = authority.host().as_str().trim_matches(['[', ']']);
    let port = authority.port().filter(|port| !port.as_str().is_empty());
    let port = port.map_or_else(|| default_port(&scheme.to_ascii_lowercase()), |port| port.number())?;
    Some(HttpOrigin::new(scheme, host, port))
}
