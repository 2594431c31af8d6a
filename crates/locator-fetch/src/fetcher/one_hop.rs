//! What one request came to, if redirects are not followed: a response, or a redirect with what its target
//! is requested with.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use locator::{UriRef, UriRefBuf};

use crate::error::Hop;
use crate::fetcher::chain::RedirectChain;
use crate::fetcher::fetch::Fetch;
use crate::headers::{Headers, ResponseHead};
use crate::redact;
use crate::response::Response;
use crate::response::body::Body;
use crate::time::timings::Timings;

/// What [`RequestBuilder::hop`](crate::RequestBuilder::hop) returns: the response, or the redirect that the
/// server sent in place of it.
///
/// `B` is the body; that of a [blocking](crate::blocking) response is another type.
#[derive(Debug)]
pub enum OneHop<B = Body> {
    /// The response.
    Response(Response<B>),
    /// A redirect, which the caller may follow.
    Redirect(Redirect),
}

/// A redirect that was not followed: where it leads, the response that names it, and the [chain](Self::chain)
/// that the next request goes on with. The policy allows where it leads; a redirect that is refused is an
/// error.
///
/// A clone is cheap. A program that checks many links keeps the redirect of each URL, so that it is
/// requested once, whichever link leads there.
///
/// ```no_run
/// use locator_fetch::{Fetcher, OneHop};
///
/// # async fn example() -> Result<(), locator_fetch::FetchError> {
/// let fetcher = Fetcher::for_strangers();
/// let mut hop =
///     fetcher.request("http://example.com/a").method("HEAD").hop().await?;
/// let response = loop {
///     match hop {
///         OneHop::Response(response) => break response,
///         OneHop::Redirect(redirect) if redirect.is_loop() => return Ok(()),
///         OneHop::Redirect(redirect) => {
///             println!("{:?}: {}", redirect.status(), redirect.url());
///             let next = fetcher.request(redirect.url()).after(redirect.chain());
///             hop = next.hop().await?;
///         }
///     }
/// };
/// println!("{:?}: {}", response.status(), response.url());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Redirect(Arc<Found>);

struct Found {
    url: UriRefBuf,
    hop: Hop,
    chain: RedirectChain,
    is_loop: bool,
    timings: Timings,
}

impl Redirect {
    /// Creates the redirect at the end of a fetch, to a URL.
    pub(crate) fn new(url: UriRefBuf, fetch: Fetch<'_>, timings: Timings) -> Self {
        let hop = fetch.hops.last().cloned().unwrap_or_else(|| Hop::new(fetch.url.clone()));
        let is_loop = fetch.is_repeated(url.as_uri_ref());
        Self(Arc::new(Found { url, hop, is_loop, timings, chain: fetch.into_chain() }))
    }

    /// Returns the URL that this redirect leads to. It is absolute, and has the fragment of the URL that was
    /// requested if it names no other (RFC 9110, 10.2.2).
    #[must_use]
    pub fn url(&self) -> UriRef<'_> {
        self.0.url.as_uri_ref()
    }

    /// Returns the URL that was requested, with the head of the response.
    #[must_use]
    pub fn hop(&self) -> &Hop {
        &self.0.hop
    }

    /// Returns the status, such as 301; `None` for other protocols than HTTP.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.head().map(|head| head.status)
    }

    /// Returns the head of the response; `None` for other protocols than HTTP.
    #[must_use]
    pub fn head(&self) -> Option<&ResponseHead> {
        self.0.hop.head.as_deref()
    }

    /// Returns the headers of the response; none for other protocols than HTTP.
    #[must_use]
    pub fn headers(&self) -> &Headers {
        self.head().map_or(Headers::NONE, |head| &head.headers)
    }

    /// Returns whether this redirect leads to a URL of its chain that was requested before with the same
    /// method. The next request would be sent a second time; its response may be another one only if the
    /// server remembers the client, by a cookie or by its address.
    ///
    /// A program that keeps redirects and joins them to chains itself must look for loops itself, too.
    #[must_use]
    pub fn is_loop(&self) -> bool {
        self.0.is_loop
    }

    /// Returns the chain of redirects up to this one, with which the next request goes on
    /// ([`RequestBuilder::after`](crate::RequestBuilder::after)).
    #[must_use]
    pub fn chain(&self) -> &RedirectChain {
        &self.0.chain
    }

    /// Returns how long it took to connect, and until the response came.
    #[must_use]
    pub fn timings(&self) -> Timings {
        self.0.timings
    }
}

impl Debug for Redirect {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut redirect = f.debug_struct("Redirect");
        redirect.field("url", &redact::Url(self.url())).field("hop", self.hop());
        redirect.field("is_loop", &self.0.is_loop).finish_non_exhaustive()
    }
}
