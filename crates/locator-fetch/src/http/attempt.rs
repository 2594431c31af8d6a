//! One request of HTTP: takes what the plan says, gets a connection, sends the request, answers
//! challenges, and returns the head of the response with a body to read.

use std::pin::pin;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use hyper::body::Incoming;
use locator::plan::{self, MessagePiece, Origin, Prompt, Secret};
use tokio::time::{Instant, timeout_at};

use super::auth::{Challenge, Login};
use super::connection::{Connection, Fault};
use super::head::{Head, describes_body, is_about_body, is_for_all, withheld_headers};
use super::limits::{UNUSED_BODY, UNUSED_TIME};
use super::outcome::{Arrived, Outcome};
use super::range::{Asked, Part};
use super::reading::fields_of;
use super::redirect::{Request, redirects, written_origin};
use super::route::{Link, Route};
use crate::failure::{Failure, FailureKind, Withheld};
use crate::net::pool::LargeWindow;
use crate::response_head::{ResponseHead, Version};
use crate::settings::Settings;

/// A request that is sent, again where the server wants a login.
pub(crate) struct Attempt {
    pub(super) settings: Settings,
    pub(super) request: plan::Request,
    pub(super) route: Route,
    pub(super) origin: Origin,
    pub(super) method: String,
    pub(super) body: Option<Bytes>,
    /// Whether all headers and the login of the settings are sent to this origin.
    is_at_home: bool,
    /// Whether a redirect led on without the body.
    has_lost_body: bool,
    /// What is not sent to this origin.
    pub(super) withheld: Option<Withheld>,
    pub(super) asked: Asked,
    pub(super) login: Option<(Secret, Option<Secret>)>,
    server: Exchange,
    proxy: Exchange,
    start: Instant,
    /// The right to a large window, if the response may be compressed.
    pub(super) window: Option<LargeWindow>,
}

/// A login in progress: what the server, or the proxy, wants.
#[derive(Default)]
struct Exchange {
    challenge: Option<(Challenge, Login)>,
    /// How many requests were sent for this challenge.
    count: u32,
    has_been_refused: bool,
}

impl Attempt {
    /// Prepares the request of a plan; `state` is what redirects have made of the given one.
    pub(crate) fn new(
        settings: Settings,
        request: plan::Request,
        route: Route,
        origin: Origin,
        state: &mut Request,
    ) -> Result<Self, Failure> {
        let preparing = |kind| Failure::new(kind, "preparing the request");
        state.set_secured(route.is_secured()).map_err(|why| preparing(FailureKind::Redirect(why)))?;
        let target = request.target().to_bytes();
        let url = || format!("{}{}", written_origin(&origin), String::from_utf8_lossy(&target));
        state.check_repeated(Some(&origin), &url()).map_err(preparing)?;
        let is_at_home = state.is_at_home(&origin);
        if let Some(login) = request.credentials() {
            state.login = Some(login.clone());
        }
        let own = state.login.as_ref().filter(|login| state.shares(&login.origin, &origin));
        let of_settings = settings.http.login.clone().filter(|_| is_at_home);
        let has_login = state.login.is_some() || settings.http.login.is_some();
        let withheld = Withheld {
            origin: written_origin(&origin),
            login: has_login && own.is_none() && of_settings.is_none(),
            headers: withheld_headers(&settings.http, is_at_home),
        };
        let login = own.map(|login| (login.user.clone(), login.password.clone()));
        let login = login.or(of_settings.map(|(user, password)| (user, Some(password))));
        let asked = match (&settings.resume, settings.http.range) {
            (_, Some(range)) => Asked::Range(range),
            (Some(resume), None) => Asked::Rest(resume.clone()),
            (None, None) => Asked::All,
        };
        Ok(Self {
            request,
            route,
            origin,
            method: state.method.clone(),
            body: state.body.clone(),
            is_at_home,
            has_lost_body: state.has_lost_body,
            withheld: Some(withheld).filter(|withheld| withheld.login || !withheld.headers.is_empty()),
            asked,
            login,
            server: Exchange::default(),
            proxy: Exchange::default(),
            start: state.start,
            window: settings.http.is_compressed.then(|| LargeWindow::take(&settings.pool)).flatten(),
            settings,
        })
    }

    /// Returns the way to the server.
    pub(crate) const fn route(&self) -> &Route {
        &self.route
    }

    /// Sends the request, and reads the head of the response.
    pub(crate) async fn send(&mut self) -> Result<Arrived, Failure> {
        let Some(last) = self.last() else { return self.arrive().await };
        let limit = self.settings.limits.whole.unwrap_or_default();
        let late = |_| Err(Failure::new(FailureKind::TookTooLong(limit), "requesting the resource"));
        timeout_at(last, self.arrive()).await.unwrap_or_else(late)
    }

    /// Returns when all of it must have ended.
    pub(super) fn last(&self) -> Option<Instant> {
        self.settings.limits.whole.map(|limit| self.start + Duration::from_millis(limit))
    }

    async fn arrive(&mut self) -> Result<Arrived, Failure> {
        let mut may_use_again = true;
        loop {
            let link = self.link(may_use_again).await?;
            let Link { mut connection, is_used, address } = link;
            let head = self
                .head(connection.is_http2())
                .map_err(|kind| Failure::new(kind, "preparing the request"))?;
            if let Some(watcher) = &self.settings.watcher {
                self.withheld.iter().for_each(|withheld| watcher.withheld(withheld));
                watcher.requested(&head.shown());
            }
            let response = match self.exchange(&mut connection, &head).await {
                Ok(response) => response,
                // The server may have closed the connection while it waited.
                Err(fault) if is_used && !fault.has_answered && self.may_be_repeated() => {
                    may_use_again = false;
                    continue;
                }
                Err(fault) => {
                    let reply = connection.wire.head().status_line().filter(|_| fault.kind.is_said());
                    return Err(Failure { reply, ..Failure::new(fault.kind, "waiting for the response") });
                }
            };
            let sent = connection.wire.head().take();
            let (response, body) =
                read_head(response, sent).map_err(|kind| Failure::new(kind, "reading the head"))?;
            if let Some(watcher) = &self.settings.watcher {
                watcher.responded(&response);
            }
            let is_answered = self.challenged(&response).await?;
            let is_redirect = self.settings.http.follows && redirects(&response);
            if !is_answered && !is_redirect {
                return Ok(self.outcome(response, connection, body, address));
            }
            let unused = self.reading(connection, body, &response, Part::default(), None, address);
            unused.drop_body(UNUSED_BODY, UNUSED_TIME).await;
            if is_redirect {
                return Ok(Arrived { response, outcome: Outcome::Redirect });
            }
        }
    }

    /// Sends the request on a connection. "A user agent […] may retry": only what changes nothing (RFC
    /// 9110, 9.2.2).
    async fn exchange(
        &mut self,
        connection: &mut Connection,
        head: &Head,
    ) -> Result<hyper::Response<Incoming>, Fault> {
        let request = head.request(self.body.clone()).map_err(Fault::new)?;
        let (idle, start) = (self.settings.limits.idle, Instant::now());
        let wire = self.body.is_some().then(|| connection.wire.clone());
        // A server that reads a long body is not silent.
        let deadline = || {
            let sent_at = wire.as_ref().and_then(|wire| wire.sent_at());
            sent_at.unwrap_or(start).max(start) + Duration::from_millis(idle)
        };
        let mut response = pin!(connection.send(request));
        loop {
            let end = deadline();
            match timeout_at(end, response.as_mut()).await {
                Ok(response) => return response,
                Err(_) if deadline() > end => {}
                Err(_) => return Err(Fault::new(FailureKind::TimedOut(idle))),
            }
        }
    }

    fn may_be_repeated(&self) -> bool {
        matches!(&*self.method, "GET" | "HEAD" | "OPTIONS" | "PUT" | "DELETE" | "TRACE")
    }

    /// Returns the head of the request, with logins.
    fn head(&mut self, is_http2: bool) -> Result<Head, FailureKind> {
        let target = self.request.target().to_bytes();
        let fresh = |pieces: &[MessagePiece]| {
            pieces.iter().any(|piece| !matches!(piece, MessagePiece::Bytes(_) | MessagePiece::Secret(_)))
        };
        let mut values = self.request.fields().iter().map(plan::RequestField::value);
        if fresh(self.request.target().pieces()) || values.any(|value| fresh(value.pieces())) {
            return Err(FailureKind::NotSupported("a request with a prompt"));
        }
        let server = self.server.answer((&self.method, &target))?;
        let proxy = match self.route.asks_proxy() {
            true => self.proxy.answer((&self.method, &target))?,
            false => None,
        };
        Head::new(self, is_http2, &target, [("authorization", server), ("proxy-authorization", proxy)])
    }

    /// Returns whether a header of the settings is sent: to another origin only what RFC 9110 has for
    /// choosing a representation, and what describes the body with the body alone.
    pub(super) fn sends(&self, name: &str) -> bool {
        if self.has_lost_body && is_about_body(name) {
            return false;
        }
        self.is_at_home || is_for_all(name) || self.body.is_some() && describes_body(name)
    }

    pub(super) const fn has_window(&self) -> bool {
        self.window.is_some()
    }

    /// Returns whether the server may compress the object.
    pub(super) fn may_be_compressed(&self) -> bool {
        self.settings.http.is_compressed && self.asked.fields().0.is_none() && self.request.first_octet() == 0
    }

    /// Returns whether a response wants a login that is here, which the next request has.
    async fn challenged(&mut self, response: &ResponseHead) -> Result<bool, Failure> {
        let (name, is_proxy) = match response.status {
            401 => ("www-authenticate", false),
            407 if self.route.asks_proxy() => ("proxy-authenticate", true),
            _ => return Ok(false),
        };
        let Some(challenge) = Challenge::best(response.fields_named(name)) else { return Ok(false) };
        let exchange = if is_proxy { &self.proxy } else { &self.server };
        if !exchange.wants(&challenge) {
            return Ok(false);
        }
        let login = if is_proxy { self.route.proxy_login() } else { self.server_login().await? };
        let Some(login) = login else { return Ok(false) };
        if !is_proxy && challenge == Challenge::Basic && !self.route.is_secured() {
            self.warn();
        }
        let exchange = if is_proxy { &mut self.proxy } else { &mut self.server };
        exchange.take(challenge, login);
        Ok(true)
    }

    /// Returns user and password for the server; the user is asked for a password that is not there.
    async fn server_login(&mut self) -> Result<Option<Login>, Failure> {
        let Some((user, password)) = &mut self.login else { return Ok(None) };
        if password.is_none() {
            let prompt = Prompt::Password { user: user.reveal().to_vec() };
            let answer = match self.settings.prompter.clone() {
                Some(prompter) => {
                    let asking = tokio::task::spawn_blocking(move || prompter.answer(&prompt, b""));
                    asking.await.ok().flatten()
                }
                None => None,
            };
            let nobody = || Failure::new(FailureKind::NoAnswer("password"), "logging in");
            *password = Some(Secret::new(answer.ok_or_else(nobody)?));
        }
        let password = password.clone();
        Ok(password.map(|password| Login { user: user.clone(), password }))
    }

    /// Reports once that a password is sent in the clear.
    fn warn(&self) {
        let has_warned = self.settings.pool.common.has_warned.swap(true, Ordering::Relaxed);
        if let (false, Some(watcher)) = (has_warned, &self.settings.watcher) {
            let host = &self.origin.host;
            watcher.warned(&format!(
                "the password for {host} is sent in the clear: others on the way can read it"
            ));
        }
    }

    async fn link(&mut self, may_use_again: bool) -> Result<Link, Failure> {
        let user = self.login.as_ref().map(|(user, _)| user.reveal().to_vec());
        let Self { settings, route, .. } = self;
        let key = route.key(settings, user);
        if may_use_again && let Some(link) = route.waiting(&settings.pool, &key).await {
            return Ok(link);
        }
        self.route.connect(&self.settings).await
    }
}

impl Exchange {
    /// Returns whether a challenge is one to answer: the first one, or one whose nonce was too old.
    fn wants(&self, challenge: &Challenge) -> bool {
        let is_stale = matches!(challenge, Challenge::Digest(digest) if digest.is_stale);
        self.challenge.is_none() || is_stale && !self.has_been_refused
    }

    fn take(&mut self, challenge: Challenge, login: Login) {
        self.has_been_refused = self.challenge.is_some();
        self.challenge = Some((challenge, login));
        self.count = 0;
    }

    /// Returns the value of the field that answers the challenge, if there was one.
    fn answer(&mut self, request: (&str, &[u8])) -> Result<Option<Vec<u8>>, FailureKind> {
        let Some((challenge, login)) = &self.challenge else { return Ok(None) };
        self.count += 1;
        let nonce = random()?;
        Ok(Some(challenge.answer(login, request, self.count, &nonce)))
    }
}

/// Reads the head of a response; `sent` are its octets, if they are known.
fn read_head(
    response: hyper::Response<Incoming>,
    sent: Bytes,
) -> Result<(ResponseHead, Incoming), FailureKind> {
    let (parts, body) = response.into_parts();
    let reason = parts.extensions.get::<hyper::ext::ReasonPhrase>();
    let reason = match reason {
        Some(reason) => String::from_utf8_lossy(reason.as_bytes()).into_owned(),
        None => parts.status.canonical_reason().unwrap_or_default().to_owned(),
    };
    let version = match parts.version {
        hyper::Version::HTTP_10 => Version::Http10,
        hyper::Version::HTTP_2 => Version::Http2,
        _ => Version::Http11,
    };
    let status = parts.status.as_u16();
    if status < 200 {
        return Err(FailureKind::Protocol(format!("the final response has the status {status}")));
    }
    Ok((ResponseHead { version, status, reason, fields: fields_of(&parts.headers)?, sent }, body))
}

/// Returns random octets in hexadecimal.
pub(super) fn random() -> Result<String, FailureKind> {
    let mut octets = [0; 16];
    getrandom::fill(&mut octets).map_err(|_| FailureKind::NotSupported("random octets on this system"))?;
    Ok(octets.iter().map(|octet| format!("{octet:02x}")).collect())
}
