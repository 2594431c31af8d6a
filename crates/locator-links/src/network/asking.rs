//! What one request for a URL is, and who sends it: the network, or a test.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use locator::UriRef;
use locator_fetch::http::CookieJar;

use crate::cache::Question;
use crate::judge::reply::{Method, Reply, Trouble};

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
    pub(crate) fn question(&self) -> Question<'_> {
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
