//! One request for a URL ([`Request`]), and who sends it ([`Transport`]): the network, or a test.
//!
//! The user's logins for hosts are sent where nobody else can read them on the way: by https, or on this machine.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use locator::component::Host;
use locator::{Edit, UriRef};
use locator_fetch::http::CookieJar;

use crate::cache::{CacheQuery, CachedReply};
use crate::judge::{Method, Reply, RequestFailure};
use crate::redacted::debug_redacted;

/// A request that is sent once.
#[derive(Clone)]
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

debug_redacted!(Request {
    method, is_for_public, wants_anchors, wants_text, wants_page, sends_headers, sends_login, jar; url
});

impl Request {
    /// Returns what the cache is asked for.
    pub(crate) fn query(&self) -> CacheQuery<'_> {
        let Self { url, is_for_public, wants_anchors, wants_page, wants_text, .. } = self;
        // Texts are not kept.
        let (wants_anchors, wants_page) = (*wants_anchors, *wants_page || *wants_text);
        CacheQuery { url, is_for_public: *is_for_public, wants_anchors, wants_page }
    }
}

/// The reply to a request, once it is there.
pub type ReplyFuture = Pin<Box<dyn Future<Output = Reply> + Send>>;

/// Sends requests: the network, or a test.
pub trait Transport: Send + Sync {
    /// Sends a request, and returns what came of it.
    fn send(&self, request: Request) -> ReplyFuture;

    /// Returns what an earlier run knows, and the method that was answered; nothing is sent.
    fn cached(&self, request: &Request) -> Option<CachedReply> {
        let _ = request;
        None
    }

    /// Returns whether names of the public network can be looked up.
    fn knows_names(&self) -> Pin<Box<dyn Future<Output = bool> + Send>> {
        Box::pin(async { true })
    }

    /// Returns why a URL is not asked for, if its text says so.
    fn refused(&self, url: &str, is_for_public: bool) -> Option<RequestFailure> {
        let _ = (url, is_for_public);
        None
    }
}

/// A login for a host, and for no other.
#[derive(Clone, PartialEq, Eq)]
pub struct OwnLogin {
    /// The name of the host.
    pub host: String,
    /// The name of the user.
    pub user: String,
    /// The password.
    pub password: Option<String>,
}

/// All logins.
#[derive(Clone, Default)]
pub(crate) struct Logins {
    logins: Vec<OwnLogin>,
    /// Whether a proxy sees what is sent by http, also to this machine.
    has_proxy: bool,
}

impl Logins {
    pub(crate) const fn new(logins: Vec<OwnLogin>, has_proxy: bool) -> Self {
        Self { logins, has_proxy }
    }

    /// Returns a URL with the login of its host; `None` if it has another one, or if there is none for it.
    pub(crate) fn add(&self, url: &str) -> Option<String> {
        if self.logins.is_empty() {
            return None;
        }
        let url = UriRef::parse(url).ok()?;
        let authority = url.authority().filter(|authority| authority.userinfo().is_none())?;
        let host = authority.host();
        let is_secret = match &*url.scheme()?.lowercase() {
            "https" => true,
            "http" => !self.has_proxy && is_loopback(host),
            _ => false,
        };
        let is_of_host = |login: &&OwnLogin| login.host.eq_ignore_ascii_case(host.as_str());
        let login = self.logins.iter().find(is_of_host).filter(|_| is_secret)?;
        let mut edit = Edit::of(url);
        edit.set_user(login.user.as_str()).ok()?;
        if let Some(password) = &login.password {
            edit.set_password(password.as_str()).ok()?;
        }
        edit.finish().ok().map(|url| url.to_string())
    }
}

/// Returns whether a host is this machine.
fn is_loopback(host: Host<'_>) -> bool {
    host.as_str().eq_ignore_ascii_case("localhost") || host.ip().is_some_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(url: &str, has_proxy: bool) -> Option<String> {
        let login = |host: &str| OwnLogin {
            host: host.to_owned(),
            user: "a@b".to_owned(),
            password: Some("c:d".to_owned()),
        };
        let all = ["h.example", "127.0.0.1", "[::1]", "localhost"].map(login);
        Logins::new(all.into(), has_proxy).add(url)
    }

    #[test]
    fn a_login_is_for_its_host_and_secret() {
        for (url, expected) in [
            ("https://h.example/a", Some("https://a%40b:c:d@h.example/a")),
            ("HTTPS://H.Example:8443", Some("HTTPS://a%40b:c:d@H.Example:8443")),
            ("http://127.0.0.1:80/", Some("http://a%40b:c:d@127.0.0.1:80/")),
            ("http://[::1]/", Some("http://a%40b:c:d@[::1]/")),
            ("http://localhost/", Some("http://a%40b:c:d@localhost/")),
            ("http://h.example/", None),
            ("https://www.h.example/", None),
            ("https://h.example.evil/", None),
            ("https://h.example./", None),
            ("https://u@h.example/", None),
            ("https://@h.example/", None),
            ("https://h.example@evil.example/", None),
            ("ftp://h.example/", None),
            ("ws://localhost/", None),
            ("a/b", None),
        ] {
            assert_eq!(added(url, false).as_deref(), expected, "{url}");
        }
        assert_eq!(added("http://127.0.0.1/", true), None);
        assert!(added("https://h.example/", true).is_some());
    }
}
