//! One request of HTTP: takes what the plan says, gets a connection, sends the request, answers
//! challenges, and returns the head of the response with a body to read.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::atomic::Ordering;
use std::time::Duration;

use hyper::body::Incoming;
use locator::plan::{self, HttpOrigin, MessagePiece, Prompt, Secret};
use tokio::sync::OwnedMutexGuard;
use tokio::time::{Instant, timeout_at};

use super::auth::LoginAccount;
use super::auth::{AuthRequest, Authentication, Challenge, LoginOffer, next_nonce, why_unusable};
use super::body::{ContinueGate, RequestBody};
use super::coding::Decompressor;
use super::connection::ConnectionKey;
use super::connection::{Client, LargeWindow};
use super::connection::{ConnectionFault, HttpConnection};
use super::cookies::CookieTarget;
use super::head::{Head, LinkProtocol};
use super::range::{self, Part, RangeRequest};
use super::reading::{PoolSlot, Reading};
use super::reading::{Received, check_transfer, decoder, ends_with_chunked, read_head, reply};
use super::request::Redirect;
use super::request::{OriginLogin, PreparedRequest, Request};
use super::route::{OpenConnection, Route, unusable_login};
use super::wire::{REPEATS, UNUSED_BODY, UNUSED_TIME};
use crate::error::failure::{CodingCause, Detail, Failure, FailureKind, UnsentLogin};
use crate::headers::{ResponseHead, Version};
use crate::net::proxy;
use crate::net::proxy::Login;
use crate::run::resume::Proof;
use crate::settings::Settings;
use crate::time::timings::TimingStep;

/// A request that is sent on a connection, again where the server or the proxy wants a login.
pub(crate) struct Attempt {
    settings: Settings,
    client: Client,
    request: PreparedRequest,
    route: Route,
    key: ConnectionKey,
    server: Authentication,
    proxy: Authentication,
    start: Instant,
    /// Whether the body may be announced by `Expect`: the server has not refused that.
    may_expect: bool,
    /// The right to a large window, if the response may be compressed.
    window: Option<LargeWindow>,
}

impl Attempt {
    /// Prepares the request of a plan; `state` is what redirects have made of the given one.
    pub(crate) fn new(
        (settings, client): (&Settings, &Client),
        plan: plan::Request,
        route: Route,
        origin: HttpOrigin,
        state: &mut Request,
    ) -> Result<Self, Failure> {
        let context = (&*client.http, settings.resume.as_ref());
        let request = state.prepare(plan, origin, route.is_secured(), context);
        let request = request.map_err(|kind| Failure::new(kind, "preparing the request"))?;
        let key = route.key(settings, request.user());
        Ok(Self {
            request,
            route,
            key,
            server: Authentication::default(),
            proxy: Authentication::default(),
            start: state.start,
            may_expect: true,
            window: client.http.is_compressed.then(|| LargeWindow::take(&client.shared)).flatten(),
            settings: settings.clone(),
            client: client.clone(),
        })
    }

    /// Returns the way to the server.
    pub(crate) const fn route(&self) -> &Route {
        &self.route
    }

    /// Sends the request, and reads the head of the response.
    pub(crate) async fn send(&mut self) -> Result<(ResponseHead, Received), Failure> {
        let Some(last) = self.last() else { return self.arrive().await };
        let limit = self.settings.limits.whole.unwrap_or_default();
        let late = |_| Err(Failure::new(FailureKind::TookTooLong(limit), "waiting for the response"));
        timeout_at(last, self.arrive()).await.unwrap_or_else(late)
    }

    /// Returns when all of it must have ended.
    fn last(&self) -> Option<Instant> {
        self.settings.limits.whole.map(|limit| self.start + Duration::from_millis(limit))
    }

    async fn arrive(&mut self) -> Result<(ResponseHead, Received), Failure> {
        let (mut may_use_again, mut repeats) = (true, 0);
        let _turn = self.begin_logins().await?;
        loop {
            let link = self.link(may_use_again).await?;
            let OpenConnection { mut connection, is_used, address } = link;
            let follows_head = connection.follows_head;
            connection.follows_head = self.request.method == "HEAD";
            let head = self
                .head(connection.is_http2())
                .map_err(|kind| Failure::new(kind, "preparing the request"))?;
            if let Some(watcher) = &self.settings.watcher {
                self.request.withheld.iter().for_each(|withheld| watcher.withheld(withheld));
                watcher.requested(&head.shown());
            }
            self.settings.times.mark(TimingStep::PreTransfer);
            let response = match self.exchange(&mut connection, &head).await {
                Ok(response) => response,
                Err(fault) => {
                    let wire = connection.wire.clone();
                    connection.spoil();
                    // A body that was not sent is here again.
                    drop(connection);
                    // The server may have closed the connection while it waited.
                    // What it sent may be the body that belongs to no response to HEAD.
                    let was_idle = is_used && (!fault.has_answered || follows_head) && self.may_be_repeated();
                    let body = self.request.body.as_ref();
                    let is_unsent = fault.is_unsent && body.is_none_or(RequestBody::may_be_sent);
                    if repeats < REPEATS && (was_idle || is_unsent) {
                        repeats += 1;
                        may_use_again = false;
                        continue;
                    }
                    let reply = wire.head().status_line().filter(|_| fault.kind.is_said());
                    return Err(Failure { reply, ..Failure::new(fault.kind, "waiting for the response") });
                }
            };
            self.settings.times.mark(TimingStep::StartTransfer);
            let sent = connection.wire.head().take();
            let (response, body) = read_head(response, sent)
                .map_err(|kind| Failure::new(kind, "reading the response headers"))?;
            if let Some(watcher) = &self.settings.watcher {
                watcher.responded(&response);
            }
            self.note(&response);
            self.keep_cookies(&response);
            // "A client that receives a 417 (Expectation Failed) status code in response to a request
            // containing a 100-continue expectation SHOULD repeat that request without a 100-continue
            // expectation" (RFC 9110, 10.1.1).
            let is_unexpected = response.status == 417 && head.expects() && self.may_expect;
            self.may_expect &= !is_unexpected;
            let is_answered = is_unexpected || self.challenged(&response).await?;
            if !is_answered {
                self.note_answered();
            }
            let is_redirect = self.client.http.follows && Redirect::is_in(&response);
            if !is_answered && !is_redirect {
                let mut received = self.received(&response, connection, body, address);
                if let Received::Object { body: Some(reading), .. } = &mut received {
                    reading.give_back_if_empty().await;
                }
                return Ok((response, received));
            }
            let unused = self.reading(connection, body, &response, Part::default(), None, address);
            unused.drop_body(UNUSED_BODY, UNUSED_TIME).await;
            if is_redirect {
                return Ok((response, Received::Redirect));
            }
        }
    }

    /// Sends the request on a connection. "A user agent […] may retry": only what changes nothing (RFC
    /// 9110, 9.2.2).
    async fn exchange(
        &mut self,
        connection: &mut HttpConnection,
        head: &Head,
    ) -> Result<hyper::Response<Incoming>, ConnectionFault> {
        let gate = head.expects().then(|| ContinueGate::new(connection.wire.clone()));
        let request = head.request(self.request.body.clone(), gate).map_err(ConnectionFault::new)?;
        let (idle, start) = (self.settings.limits.idle, Instant::now());
        let wire = self.request.body.is_some().then(|| connection.wire.clone());
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
                Err(_) => return Err(ConnectionFault::new(FailureKind::TimedOut(idle))),
            }
        }
    }

    fn may_be_repeated(&self) -> bool {
        matches!(&*self.request.method, "GET" | "HEAD" | "OPTIONS" | "PUT" | "DELETE" | "TRACE")
            && self.request.body.as_ref().is_none_or(RequestBody::may_be_sent)
    }

    /// Returns the head of the request, with logins.
    fn head(&mut self, is_http2: bool) -> Result<Head, FailureKind> {
        let target = self.request.plan.target().to_bytes();
        let fresh = |pieces: &[MessagePiece]| {
            pieces.iter().any(|piece| !matches!(piece, MessagePiece::Bytes(_) | MessagePiece::Secret(_)))
        };
        let mut values = self.request.plan.fields().iter().map(plan::RequestField::value);
        if fresh(self.request.plan.target().pieces()) || values.any(|value| fresh(value.pieces())) {
            return Err(FailureKind::NotSupported("a prompt in an HTTP request"));
        }
        let server = self.server.answer(AuthRequest { method: &self.request.method, target: &target })?;
        let proxy = match self.route.asks_proxy() {
            true => self.proxy.answer(AuthRequest { method: &self.request.method, target: &target })?,
            false => None,
        };
        let (is_secured, has_window) = (self.route.is_secured(), self.window.is_some());
        let may_expect = self.may_expect;
        let protocol = LinkProtocol { is_http2, is_secured, has_window, may_expect };
        let logins = [("authorization", server), ("proxy-authorization", proxy)];
        Head::new(&self.request, &self.client.http, protocol, logins)
    }

    /// Returns whether a response wants a login that is here, which the next request has.
    async fn challenged(&mut self, response: &ResponseHead) -> Result<bool, Failure> {
        let (name, is_proxy) = match response.status {
            401 => ("www-authenticate", false),
            407 if self.route.asks_proxy() => ("proxy-authenticate", true),
            _ => return Ok(false),
        };
        let allowed = if is_proxy { self.client.http.proxy_auth } else { self.client.http.auth };
        let challenge = Challenge::best(response.headers.get_all(name), allowed);
        let Some(challenge) = challenge else { return Ok(false) };
        let login_state = if is_proxy { &self.proxy } else { &self.server };
        if !login_state.wants(&challenge) {
            return Ok(false);
        }
        let login = if is_proxy { self.route.proxy_login() } else { self.server_login().await? };
        let Some(login) = login else { return Ok(false) };
        if !is_proxy {
            self.warn_of(&challenge);
        }
        let login_state = if is_proxy { &mut self.proxy } else { &mut self.server };
        login_state.take(challenge, login);
        Ok(true)
    }

    /// Returns user and password for the server; the user is asked for a password that is not there.
    async fn server_login(&mut self) -> Result<Option<Login>, Failure> {
        let Some(OriginLogin { user, password, .. }) = &mut self.request.login else { return Ok(None) };
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
        let has_warned = self.client.shared.has_warned.swap(true, Ordering::Relaxed);
        if let (false, Some(watcher)) = (has_warned, &self.settings.watcher) {
            let host = &self.request.origin.host;
            watcher.warned(&format!("the password for {host} is sent unencrypted"));
        }
    }

    /// Sends the logins that the server and the proxy have accepted before, or that are sent at once. Returns
    /// the right to be the first request with a login, which others wait for.
    async fn begin_logins(&mut self) -> Result<Option<OwnedMutexGuard<()>>, Failure> {
        let (logins, target) = (&self.client.shared, self.request.plan.target().to_bytes());
        if let Some((account, login)) = self.proxy_account() {
            let schemes = self.client.http.proxy_auth;
            let found = logins.logins.find(&account, &target, Some(&login.password), schemes);
            found.into_iter().for_each(|offer| self.proxy.guess(offer));
        }
        let Some((account, password)) = self.account() else { return Ok(None) };
        let schemes = self.client.http.auth;
        let find = |password: Option<&Secret>| logins.logins.find(&account, &target, password, schemes);
        if let Some(offer) = find(password.as_ref()) {
            self.warn_of(&offer.challenge);
            self.server.guess(offer);
            return Ok(None);
        }
        if self.client.http.sends_basic_at_once() {
            if let Some(login) = self.server_login().await? {
                self.warn_of(&Challenge::Basic);
                self.server.guess(LoginOffer::new(Challenge::Basic, login));
            }
            return Ok(None);
        }
        let turn = logins.logins.turn(&account).await;
        if let Some(offer) = find(password.as_ref()) {
            self.warn_of(&offer.challenge);
            self.server.guess(offer);
        }
        Ok(turn)
    }

    /// Returns the user at the server, and the password if it is known.
    fn account(&self) -> Option<(LoginAccount, Option<Secret>)> {
        let OriginLogin { user, password, .. } = self.request.login.clone()?;
        Some((LoginAccount { origin: self.request.origin.clone(), user: user.reveal().to_vec() }, password))
    }

    fn proxy_account(&self) -> Option<(LoginAccount, Login)> {
        let login = self.route.proxy_login().filter(|_| self.route.asks_proxy())?;
        Some((LoginAccount { origin: self.route.proxy_origin()?, user: login.user.reveal().to_vec() }, login))
    }

    /// Notes which logins a response accepts or refuses.
    fn note(&self, response: &ResponseHead) {
        let logins = &self.client.shared.logins;
        let target = self.request.plan.target().to_bytes();
        let of_server = self.account().map(|(account, _)| account);
        let of_proxy = self.proxy_account().map(|(account, _)| account);
        let both = [
            (of_server, &self.server, 401, "authentication-info"),
            (of_proxy, &self.proxy, 407, "proxy-authentication-info"),
        ];
        for (account, login, refused, info) in both {
            let (Some(account), Some((offer, is_wanted))) = (account, login.sent()) else { continue };
            let is_refused = response.status == refused;
            match is_wanted {
                _ if is_refused => logins.forget(offer),
                true if response.status < 500 => logins.accept(&account, &target, offer),
                _ => {}
            }
            let nonce = response.headers.get_bytes(info).filter(|_| !is_refused).and_then(next_nonce);
            if let Some(next) = nonce.and_then(|nonce| offer.challenge.with_nonce(nonce)) {
                logins.replace(offer, LoginOffer::new(next, offer.login.clone()));
            }
        }
    }

    /// Keeps the cookies of a response, if there is a jar.
    fn keep_cookies(&self, response: &ResponseHead) {
        let path = self.request.path();
        if let Some(jar) = &self.client.http.cookies
            && let Some(place) = CookieTarget::new(&self.request.origin, &path)
        {
            jar.store(&place, response.headers.get_all("set-cookie"));
        }
    }

    /// Notes that the server has answered as it will answer others: nobody waits for that any more.
    fn note_answered(&self) {
        if let Some((account, _)) = self.account() {
            self.client.shared.logins.answered(&account);
        }
    }

    /// Reports that a password is sent in the clear, if it is.
    fn warn_of(&self, challenge: &Challenge) {
        if *challenge == Challenge::Basic && !self.route.is_secured() {
            self.warn();
        }
    }

    async fn link(&mut self, may_use_again: bool) -> Result<OpenConnection, Failure> {
        if let Some(server) = self.client.server(&self.key, self.request.body.as_ref())
            && let Some(link) = self.route.shared(server, &self.settings).await?
        {
            return Ok(link);
        }
        if may_use_again && let Some(link) = self.route.waiting(&self.client.pool, &self.key).await {
            return Ok(link);
        }
        self.route.connect(&self.settings).await
    }

    fn received(
        &mut self,
        response: &ResponseHead,
        connection: HttpConnection,
        body: Incoming,
        address: SocketAddr,
    ) -> Received {
        let http = &self.client.http;
        let is_rest = matches!(self.request.range, RangeRequest::Rest(_)) && response.status == 416;
        if response.status >= 400 && !http.gives_errors && !is_rest {
            // Its connection is used again if the page of the error is there.
            drop(self.reading(connection, body, response, Part::default(), None, address));
            return Received::Failed(self.refusal(response));
        }
        match self.object(response, connection, body, address) {
            Ok(received) => received,
            Err(kind) => {
                let mut failure = Failure::new(kind, "reading the response headers");
                failure.reply = Some(reply(response)).filter(|_| response.status >= 400);
                Received::Failed(failure)
            }
        }
    }

    /// Returns the failure of a status that is an error.
    pub(crate) fn refusal(&self, response: &ResponseHead) -> Failure {
        if response.status == 407 && self.route.asks_proxy() {
            let during = format!("asking the proxy {}", self.route.proxy_name());
            let is_sent = self.proxy.sent().is_some();
            let wanted = response.headers.get_all("proxy-authenticate");
            let unusable = self.route.proxy_login().filter(|_| !is_sent);
            let unusable = unusable.map(|_| unusable_login(wanted, self.client.http.proxy_auth));
            let kind = unusable.unwrap_or_else(|| proxy::login_failure(is_sent));
            let mut failure = Failure::new(kind, during);
            failure.reply = Some(reply(response));
            return failure;
        }
        let protocol = self.route.protocol();
        // "A client that receives a response with an invalid status code SHOULD process the response as if
        // it had a 5xx (Server Error) status code" (RFC 9110, 15).
        let status = if response.status > 599 { 500 } else { response.status };
        let mut failure = Failure::new(FailureKind::Said(protocol.meaning(status)), "");
        failure.reply = Some(reply(response));
        failure.withheld =
            self.request.withheld.clone().filter(|_| matches!(response.status, 401 | 403)).map(Box::new);
        failure.set_unsent_login(self.unsent_login(response).filter(|_| failure.withheld.is_none()));
        failure
    }

    /// Returns why the user's login was not sent, if there is one.
    pub(crate) fn unsent_login(&self, response: &ResponseHead) -> Option<UnsentLogin> {
        if self.server.sent().is_some() {
            return None;
        }
        let wanted = response.headers.get_all("www-authenticate");
        let unusable = (response.status == 401).then(|| why_unusable(wanted, self.client.http.auth));
        self.request.unsent_login(unusable)
    }

    /// Returns whether a login was sent to the server.
    pub(crate) fn has_sent_login(&self) -> bool {
        self.server.sent().is_some()
    }

    /// Returns the origin that was asked.
    pub(crate) const fn origin(&self) -> &HttpOrigin {
        &self.request.origin
    }

    fn object(
        &mut self,
        response: &ResponseHead,
        connection: HttpConnection,
        body: Incoming,
        address: SocketAddr,
    ) -> Result<Received, FailureKind> {
        check_transfer(response)?;
        let part = match response.status {
            400.. if response.status != 416 || self.client.http.gives_errors => Part::default(),
            _ => self.request.range.part(response)?,
        };
        let decoder =
            if self.request.may_be_compressed(&self.client.http) { decoder(response)? } else { None };
        // A given limit of the object is for what is decompressed, and then enough.
        let decoder = match self.settings.limits.body {
            Some(_) => decoder.map(Decompressor::without_ratio),
            None => decoder,
        };
        let window = match decoder.as_ref().is_some_and(Decompressor::is_large) {
            true => Some(self.window.take().ok_or_else(|| {
                let text = "an encoding that was not requested";
                FailureKind::Compressed(Detail::new(CodingCause::NotAsked, text))
            })?),
            false => None,
        };
        let proof = if decoder.is_some() { Proof::default() } else { range::proof(response, part) };
        let media_type = response
            .headers
            .get_bytes("content-type")
            .map(|value| String::from_utf8_lossy(value).into_owned());
        let mut object = self.request.plan.object().clone();
        object.media_type = media_type.map(Into::into);
        let body = match part.is_done {
            true => None,
            false => {
                let mut reading = self.reading(connection, body, response, part, decoder, address);
                reading.window = window;
                Some(reading.into())
            }
        };
        Ok(Received::Object { object, from: part.from, proof, body })
    }

    fn reading(
        &self,
        connection: HttpConnection,
        body: Incoming,
        response: &ResponseHead,
        part: Part,
        decoder: Option<Decompressor>,
        address: SocketAddr,
    ) -> Reading {
        let has_body = self.request.method != "HEAD" && !matches!(response.status, 204 | 304);
        let is_chunked = response.headers.get_all("transfer-encoding").last().is_some_and(ends_with_chunked);
        let is_framed = !has_body
            || response.version == Version::Http2
            || is_chunked
            || response.headers.get_bytes("content-length").is_some()
                && response.headers.get_bytes("transfer-encoding").is_none();
        let length = part.length.filter(|_| has_body && !is_chunked);
        let mut reading = Reading::new(connection, body, self.settings.limits, (!is_framed, length), decoder);
        reading.last = self.last();
        let (pool, key) = (self.client.pool.clone(), self.key.clone());
        reading.place = Some(PoolSlot { pool, key, address });
        reading
    }
}
