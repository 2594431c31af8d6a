//! Requests: what is sent to an origin, after the redirects that led to it.

use locator::plan::{self, Credentials, GatewayUrl, HttpOrigin, Secret};
use tokio::time::Instant;

use super::body::RequestBody;
use super::range::RangeRequest;
use super::redirect::{
    Redirect, describes_body, is_about_body, is_for_all, shown, withheld_headers, written_origin,
};
use super::settings::Http;
use crate::error::failure::{Detail, FailureKind, RedirectCause, UnsentLogin, Withheld};
use crate::run::resume::Resume;

/// A request, as the redirects that were followed have changed it.
#[derive(Clone)]
pub(crate) struct Request {
    /// The origin of the URL that was given, which headers, body and login belong to.
    origin: Option<HttpOrigin>,
    /// Whether they are sent to any origin, and whether the body is.
    trusts_all: bool,
    sends_body: bool,
    pub(crate) method: String,
    pub(crate) body: Option<RequestBody>,
    pub(crate) login: Option<Credentials>,
    /// Whether a redirect changed the method, and the body is not sent again.
    pub(crate) has_lost_body: bool,
    /// The URL of the gateway that was asked in place of the present URL.
    pub(crate) gateway: Option<GatewayUrl>,
    /// When it began.
    pub(crate) start: Instant,
    /// Whether the request before was secured.
    was_secured: bool,
    /// Whether a login was sent to a server.
    has_sent_login: bool,
}

impl Request {
    pub(crate) fn new(http: &Http) -> Self {
        let method = http.method.clone();
        let usual = if http.body.is_some() { "POST" } else { "GET" };
        Self {
            origin: None,
            trusts_all: http.trusts_redirects,
            sends_body: http.redirects_body || http.trusts_redirects,
            method: method.unwrap_or_else(|| usual.into()),
            body: http.body.clone(),
            login: None,
            has_lost_body: false,
            gateway: None,
            start: Instant::now(),
            was_secured: false,
            has_sent_login: false,
        }
    }

    /// Returns this request as another call goes on with it, which has settings of its own: its method and its
    /// body, if it has them, are sent in place of those that the redirects have left.
    pub(crate) fn continued(&self, http: &Http) -> Self {
        let own = Self::new(http);
        let has_own = http.method.is_some() || http.body.is_some();
        Self {
            trusts_all: own.trusts_all,
            sends_body: own.sends_body,
            start: own.start,
            method: if has_own { own.method } else { self.method.clone() },
            body: own.body.or_else(|| self.body.clone()),
            has_lost_body: self.has_lost_body && http.body.is_none(),
            ..self.clone()
        }
    }

    /// Forgets what belongs to another URL than the one that an object names: the body.
    pub(crate) fn forget(&mut self) {
        self.body = None;
        if self.method != "HEAD" {
            self.method = "GET".into();
        }
    }

    /// Notes the origin of the URL that was given; later ones may be other origins.
    pub(crate) fn begin(&mut self, origin: Option<HttpOrigin>) {
        self.origin = origin;
    }

    /// Returns whether what belongs to the URL that was given is sent to an origin.
    pub(crate) fn is_at_home(&self, origin: &HttpOrigin) -> bool {
        self.origin.as_ref().is_some_and(|own| self.shares(own, origin))
    }

    /// Returns whether what belongs to one origin is sent to another: to the same host from port 80 of
    /// http to port 443 of https, too: what answers there could have read the same on port 80.
    pub(crate) fn shares(&self, own: &HttpOrigin, other: &HttpOrigin) -> bool {
        let is = |origin: &HttpOrigin, scheme, port| origin.scheme == scheme && origin.port == port;
        let is_secured = own.host == other.host && is(own, "http", 80) && is(other, "https", 443);
        self.trusts_all || own == other || is_secured
    }

    /// Checks that the body, if there still is one, and the method may be sent to an origin; `url` is the
    /// one that is led to. "Automatic redirection needs to be done with care for methods not known to be
    /// safe […] since the user might not wish to redirect an unsafe request" (RFC 9110, 15.4).
    pub(crate) fn check_repeated(&self, origin: Option<&HttpOrigin>, url: &str) -> Result<(), FailureKind> {
        if self.sends_body || origin.is_some_and(|origin| self.is_at_home(origin)) {
            return Ok(());
        }
        match &*self.method {
            _ if self.body.is_some() => Err(FailureKind::RedirectsBody { to: shown(url).into() }),
            "GET" | "HEAD" | "OPTIONS" | "TRACE" => Ok(()),
            method => Err(FailureKind::RedirectsMethod { method: method.into(), to: shown(url).into() }),
        }
    }

    /// Returns why a request with a body may not be sent; else notes whether it is secured.
    pub(crate) fn set_secured(&mut self, is_secured: bool) -> Result<(), Detail<RedirectCause>> {
        if self.was_secured && !is_secured && self.body.is_some() {
            let text = "the request body would be sent unencrypted after https";
            return Err(Detail::new(RedirectCause::Downgrade, text));
        }
        self.was_secured = is_secured;
        Ok(())
    }

    /// Notes that a login was sent.
    pub(crate) fn note_login(&mut self, is_sent: bool) {
        self.has_sent_login |= is_sent;
    }

    /// Changes the method as a redirect says.
    pub(crate) fn follow(&mut self, redirect: &Redirect) {
        if redirect.becomes_get(&self.method) {
            self.has_lost_body |= self.body.is_some() || self.method != "GET";
            self.method = "GET".into();
            self.body = None;
        }
    }
}

/// A request that is ready to be sent to an origin.
pub(super) struct PreparedRequest {
    /// The target, and the fields of the plan.
    pub(super) plan: plan::Request,
    pub(super) origin: HttpOrigin,
    pub(super) method: String,
    pub(super) body: Option<RequestBody>,
    /// Whether all headers and the login of the settings are sent to this origin.
    is_at_home: bool,
    /// Whether a redirect led on without the body.
    has_lost_body: bool,
    /// What is not sent to this origin.
    pub(super) withheld: Option<Withheld>,
    pub(super) range: RangeRequest,
    /// User and password; the user is asked for a password that is not there.
    pub(super) login: Option<(Secret, Option<Secret>)>,
    /// Whether nobody misses the login, because a server that redirected here was sent one.
    has_sent_login: bool,
}

impl Request {
    /// Returns the request of a plan for an origin; `is_secured` is the way to it.
    pub(super) fn prepare(
        &mut self,
        plan: plan::Request,
        origin: HttpOrigin,
        is_secured: bool,
        (http, resume): (&Http, Option<&Resume>),
    ) -> Result<PreparedRequest, FailureKind> {
        self.set_secured(is_secured).map_err(FailureKind::Redirect)?;
        let target = plan.target().to_bytes();
        let url = || format!("{}{}", written_origin(&origin), String::from_utf8_lossy(&target));
        self.check_repeated(Some(&origin), &url())?;
        let is_at_home = self.is_at_home(&origin);
        if let Some(login) = plan.credentials() {
            self.login = Some(login.clone());
        }
        let has_login = self.login.is_some() || http.login.is_some();
        let (login, is_of_any_host) = self.login_for(&origin, http);
        let withheld = Withheld {
            origin: written_origin(&origin),
            login: has_login && login.is_none(),
            headers: withheld_headers(http, is_at_home),
        };
        Ok(PreparedRequest {
            plan,
            origin,
            method: self.method.clone(),
            body: self.body.clone(),
            is_at_home,
            has_lost_body: self.has_lost_body,
            withheld: Some(withheld).filter(|withheld| withheld.login || !withheld.headers.is_empty()),
            range: RangeRequest::new(http.range, resume),
            login,
            // Nobody expects that every server asks for the login of any host.
            has_sent_login: self.has_sent_login || is_of_any_host,
        })
    }
}

impl Request {
    /// Returns the user and the password for an origin, and whether they are those of any host.
    fn login_for(&self, origin: &HttpOrigin, http: &Http) -> (Option<(Secret, Option<Secret>)>, bool) {
        let is_at_home = self.is_at_home(origin);
        let of_host = |user| http.login_of(&origin.host, user, is_at_home);
        if let Some(own) = self.login.as_ref().filter(|login| self.shares(&login.origin, origin)) {
            let of_user = || of_host(Some(&own.user)).and_then(|(_, password, _)| password);
            return (Some((own.user.clone(), own.password.clone().or_else(of_user))), false);
        }
        if let Some((user, password)) = http.login.clone().filter(|_| is_at_home) {
            return (Some((user, Some(password))), false);
        }
        match of_host(None) {
            Some((user, password, is_of_any_host)) => (Some((user, password)), is_of_any_host),
            None => (None, false),
        }
    }
}

impl PreparedRequest {
    /// Returns whether a header of the settings is sent: to another origin only what RFC 9110 has for
    /// choosing a representation, and what describes the body with the body alone.
    pub(super) fn sends(&self, name: &str) -> bool {
        if self.has_lost_body && is_about_body(name) {
            return false;
        }
        self.is_at_home || is_for_all(name) || self.body.is_some() && describes_body(name)
    }

    /// Returns why the user's login was not sent, if there is one and no server was sent it before.
    /// `unusable` says why a server that asks for a login gets none.
    pub(super) fn unsent_login(&self, unusable: Option<String>) -> Option<UnsentLogin> {
        match (&self.login, &self.withheld) {
            _ if self.has_sent_login => None,
            (Some(_), _) => {
                Some(unusable.map_or(UnsentLogin::NotAsked, |why| UnsentLogin::Scheme(why.into())))
            }
            (None, Some(withheld)) if withheld.login => Some(UnsentLogin::OtherOrigin),
            (None, _) => None,
        }
    }

    /// Returns the path of the target, which for a proxy is a whole URL; nothing if that has none.
    pub(super) fn path(&self) -> Vec<u8> {
        path_of(&self.plan.target().to_bytes()).to_vec()
    }

    /// Returns whether the server may compress the object.
    pub(super) fn may_be_compressed(&self, http: &Http) -> bool {
        http.is_compressed && self.range.fields().0.is_none() && self.plan.first_octet() == 0
    }

    /// Returns the user, for whom a connection is made.
    pub(super) fn user(&self) -> Option<Vec<u8>> {
        self.login.as_ref().map(|(user, _)| user.reveal().to_vec())
    }
}

/// Returns the path of a request target, which for a proxy is a whole URL.
pub(super) fn path_of(target: &[u8]) -> &[u8] {
    let path = target.split(|octet| *octet == b'?').next().unwrap_or_default();
    if path.starts_with(b"/") {
        return path;
    }
    let after = path.windows(3).position(|three| three == b"://").map_or(0, |at| at + 3);
    let rest = path.get(after..).unwrap_or_default();
    let start = rest.iter().position(|octet| *octet == b'/').unwrap_or(rest.len());
    &rest[start..]
}
