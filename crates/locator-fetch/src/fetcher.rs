//! The fetcher: its settings, and the loop that waits for the network.

use locator::UriRef;
use locator::plan::Plan;

use crate::config::{Config, setters};
use crate::error::FetchError;
use crate::fetch::{self, Action, Fetch};
use crate::response::Response;

/// Fetches what URLs identify, in a runtime of tokio with I/O and time.
///
/// ```
/// use locator_fetch::Fetcher;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// let mut fetched = Fetcher::for_user_input().fetch(locator::uri_ref!("data:,hello")).await?;
/// assert_eq!(fetched.body.chunk().await?.unwrap(), "hello");
/// # Ok::<_, locator_fetch::FetchError>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct Fetcher<'o> {
    pub(crate) config: Config<'o>,
}

impl Default for Fetcher<'_> {
    fn default() -> Self {
        Self { config: Config::strangers() }
    }
}

impl<'o> Fetcher<'o> {
    /// Creates a fetcher for URLs that strangers have chosen: those of a form, a message, a document.
    /// It fetches what [`Policy::public_web`](locator_audit::Policy::public_web) allows, `http` and
    /// `https` from public addresses, within [`Limits::strangers`](crate::run::Limits::strangers).
    #[must_use]
    pub fn for_strangers() -> Self {
        Self::default()
    }

    /// Creates a fetcher for URLs that a person has typed, of any scheme and at any address. Where an
    /// answer leads is judged as a stranger's ([`Policy::typed`](locator_audit::Policy::typed)). The
    /// limits are [`Limits::default`](crate::run::Limits), without one for the time or the size.
    #[must_use]
    pub fn for_user_input() -> Self {
        Self { config: Config::typed() }
    }

    setters!('o);

    /// Fetches what a URL identifies. Returns when its first octets, or its end, are there; the body is
    /// read afterwards.
    ///
    /// # Errors
    ///
    /// The URL has no plan, the policy forbids it, or the server does not have the object.
    pub async fn fetch(&self, url: UriRef<'_>) -> Result<Response, FetchError> {
        let mut fetch = self.begin(url);
        let action = fetch.begin(url);
        Self::finish(fetch, action).await
    }

    /// Fetches what a URL identifies by a plan that was made for it, as one that the user has seen.
    ///
    /// # Errors
    ///
    /// Those of [`fetch`](Self::fetch).
    pub async fn carry_out(&self, url: UriRef<'_>, plan: Plan) -> Result<Response, FetchError> {
        let mut fetch = self.begin(url);
        let action = fetch.carry_out(url, plan);
        Self::finish(fetch, action).await
    }

    /// Fetches a URL that an object names: an entry of a menu, or a link of a document. It is judged like
    /// a redirect, by the server of the object: it does not lead to a narrower reach, to a low port of
    /// another protocol, or to a file. An object of this machine leads nowhere.
    ///
    /// # Errors
    ///
    /// Those of [`fetch`](Self::fetch).
    pub async fn follow(&self, from: &Response, url: UriRef<'_>) -> Result<Response, FetchError> {
        let mut fetch = self.begin(from.url.as_uri_ref()).after(from.server.clone());
        let action = fetch.named(url);
        Self::finish(fetch, action).await
    }

    pub(crate) fn begin(&self, url: UriRef<'_>) -> Fetch<'_> {
        Fetch::new(&self.config, url)
    }

    async fn finish(
        mut fetch: Fetch<'_>,
        mut action: Result<Action, FetchError>,
    ) -> Result<Response, FetchError> {
        loop {
            action = match action? {
                Action::Done(fetched) => return Ok(*fetched),
                Action::Run(driver) => fetch.take_run(fetch::run(driver).await),
                #[cfg(feature = "http")]
                Action::Request(attempt) => fetch.take_response(fetch::http::send(attempt).await),
                Action::Redirect(url) => fetch.begin(url.as_uri_ref()),
            };
        }
    }
}
