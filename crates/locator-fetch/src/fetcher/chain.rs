//! The redirects that have led to a URL, as a value that the request for that URL goes on with.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use locator::UriRef;

use crate::error::Hop;
#[cfg(feature = "http")]
use crate::http::Request;
use crate::net::dialer::ConnectedServer;

/// The redirects that have led to a URL: which server sent the last one, what they made of the request, and
/// the URL that the chain began with. [`RequestBuilder::after`](crate::RequestBuilder::after) goes on with
/// it.
///
/// A clone is cheap, and a chain can be continued any number of times and by several threads. It keeps no
/// connection. `Debug` shows no secret.
///
/// See [`Redirect`](crate::Redirect) for an example.
#[derive(Clone)]
pub struct RedirectChain(Arc<Chain>);

struct Chain {
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
        Self(Arc::new(Chain {
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
    pub(crate) fn last_url(&self) -> UriRef<'_> {
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
