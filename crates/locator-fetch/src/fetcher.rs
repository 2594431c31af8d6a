//! The fetcher: its settings, and the loop that waits for the network.

pub(crate) mod chain;
pub(crate) mod config;
pub(crate) mod fetch;
pub(crate) mod fetch_all;
pub(crate) mod into_url;
pub(crate) mod one_hop;
pub(crate) mod request;

use std::sync::Arc;
use std::time::Duration;

use locator_audit::Policy;

use crate::error::FetchError;
use crate::fetcher::config::{Config, setters};
#[cfg(feature = "http")]
use crate::fetcher::fetch::http;
use crate::fetcher::fetch::{Action, Fetch, Landed, run};
use crate::fetcher::fetch_all::FetchAll;
use crate::fetcher::into_url::{Given, IntoUrl};
use crate::fetcher::one_hop::OneHop;
use crate::fetcher::request::RequestBuilder;
use crate::response::Response;

/// Fetches what URLs identify, in a runtime of tokio with I/O and time.
///
/// A clone shares the connections that wait to be used again, so a program has one fetcher for each policy.
/// These are connections of HTTP, and of FTP and NNTP: there the next URL of the same server, with an equal
/// user, password and security, needs no login. They wait for at most 30 seconds. A connection that turns out
/// to be closed is replaced by a new one. If a server refuses one of several connections, the fetcher uses
/// fewer of them, and no request fails; see [`reuse`](Self::reuse) and
/// [`max_per_host`](Self::max_per_host).
///
/// Requests that are sent at the same time share connections of HTTP/2, which tasks of the runtime drive: a
/// server has at most two, each with as many requests as it allows, and at most a hundred.
///
/// Dropping the future of a fetch, or its body, ends it.
///
/// ```
/// use std::time::Duration;
///
/// use locator_fetch::Fetcher;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// let fetcher = Fetcher::for_user_input()
///     .timeout(Duration::from_secs(20))
///     .max_size(1 << 20);
/// assert_eq!(fetcher.fetch("data:,hello").await?.text().await?, "hello");
/// # Ok::<_, locator_fetch::FetchError>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct Fetcher {
    pub(crate) config: Arc<Config<'static>>,
}

/// Creates a fetcher [for strangers](Self::for_strangers).
impl Default for Fetcher {
    fn default() -> Self {
        Self::for_strangers()
    }
}

impl Fetcher {
    /// Creates a fetcher for URLs that strangers have chosen: those of a form, a message, a document.
    /// It fetches what [`Policy::public_web`](locator_audit::Policy::public_web) allows, `http` and
    /// `https` from public addresses, within 60 seconds, up to 64 MiB, and with at least 1 KiB a second
    /// after 10 seconds.
    #[must_use]
    pub fn for_strangers() -> Self {
        Self { config: Config::for_strangers().into() }
    }

    /// Creates a fetcher for URLs that a user of this program has given, of any scheme and at any address.
    /// Where an answer leads is judged as a stranger's ([`Policy::typed`](locator_audit::Policy::typed)).
    /// There is no limit of the whole time and of the size.
    #[must_use]
    pub fn for_user_input() -> Self {
        Self { config: Config::for_user_input().into() }
    }

    /// Creates a fetcher with a policy of the program, and the limits of
    /// [`for_strangers`](Self::for_strangers).
    #[must_use]
    pub fn with_policy(policy: Policy) -> Self {
        let mut fetcher = Self::for_strangers();
        fetcher.config_mut().settings.policy = Arc::new(policy);
        fetcher
    }

    setters!();

    /// Closes the connections that have waited to be used again at least so long, and returns whether others
    /// still wait. Without it a connection that has waited for 30 seconds is closed at the next request: a
    /// fetcher has no task of its own. For one that waits for long, such as that of a server:
    ///
    /// ```
    /// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    /// # runtime.block_on(async {
    /// use std::time::Duration;
    ///
    /// let fetcher = locator_fetch::Fetcher::for_user_input();
    /// // After a request:
    /// while fetcher.close_idle(Duration::from_secs(10)) {
    ///     tokio::time::sleep(Duration::from_secs(5)).await;
    /// }
    /// # });
    /// ```
    pub fn close_idle(&self, time: Duration) -> bool {
        self.config.close_idle(time)
    }

    /// Returns the configuration to change it, but not that of clones.
    pub(crate) fn config_mut(&mut self) -> &mut Config<'static> {
        Arc::make_mut(&mut self.config)
    }

    /// Fetches what a URL identifies. Returns when its first octets, or its end, are there; the body is
    /// read afterwards.
    ///
    /// # Errors
    ///
    /// The text is not a URL, it cannot be fetched, the policy forbids it, or the server refuses it.
    pub async fn fetch(&self, url: impl IntoUrl) -> Result<Response, FetchError> {
        self.request(url).send().await
    }

    /// Begins a request that is more than a URL: a method, headers, a body, a timeout of its own.
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), locator_fetch::FetchError> {
    /// let fetcher = locator_fetch::Fetcher::for_user_input();
    /// let sent = fetcher
    ///     .request("https://example.com/search")
    ///     .form(&[("q", "rust")])
    ///     .send()
    ///     .await?;
    /// println!("{}", sent.text().await?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn request(&self, url: impl IntoUrl) -> RequestBuilder<'static, Self> {
        RequestBuilder::new(self.clone(), (*self.config).clone(), url)
    }

    /// Fetches a URL that a response names: an entry of a menu, or a link of a document. It is judged like
    /// a redirect, by the server of the response: it does not lead to a narrower reach, to a low port of
    /// another protocol, or to a file. What is on this machine leads nowhere.
    ///
    /// # Errors
    ///
    /// Those of [`fetch`](Self::fetch).
    pub fn follow<B, U: IntoUrl>(
        &self,
        from: &Response<B>,
        url: U,
    ) -> impl Future<Output = Result<Response, FetchError>> + Send + use<B, U> {
        self.request(url).named_by(from).send()
    }

    /// Fetches several URLs, so many at once, and returns the responses in the order in which their first
    /// octets come, each with the index of its URL.
    ///
    /// ```
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    /// # runtime.block_on(async {
    /// let fetcher = locator_fetch::Fetcher::for_user_input();
    /// let mut all = fetcher.fetch_all(["data:,a", "data:,b", "data:,c"], 2);
    /// let mut texts = [const { String::new() }; 3];
    /// while let Some((index, response)) = all.next().await {
    ///     texts[index] = response?.text().await?;
    /// }
    /// assert_eq!(texts, ["a", "b", "c"]);
    /// # Ok::<_, locator_fetch::FetchError>(())
    /// # }).unwrap();
    /// ```
    pub fn fetch_all<I>(&self, urls: I, at_once: usize) -> FetchAll<I::IntoIter>
    where
        I: IntoIterator,
        I::Item: IntoUrl,
    {
        let fetcher = self.clone();
        let start = move |url: Given| {
            let fetcher = fetcher.clone();
            Box::pin(async move { fetcher.fetch(url).await }) as _
        };
        FetchAll::new(urls.into_iter(), at_once, Box::new(start))
    }
}

impl RequestBuilder<'_, Fetcher> {
    /// Sends the request. Returns when the first octets of the body, or its end, are there; the body is read
    /// afterwards.
    ///
    /// # Errors
    ///
    /// The request is not valid, it cannot be sent, the policy forbids it, or the server refuses it.
    pub async fn send(self) -> Result<Response, FetchError> {
        let call = self.into_call()?;
        let mut fetch = call.fetch();
        let mut action = call.begin(&mut fetch);
        let mut response = loop {
            action = match advance(&mut fetch, action).await {
                Ok(Landed::Response(response)) => break Ok(*response),
                Ok(Landed::Redirect(url)) => fetch.begin(url.as_uri_ref()),
                Err(error) => break Err(error),
            };
        };
        call.end(&mut response);
        response
    }

    /// Sends the request, and follows no redirect: returns the response, or the redirect that the server sent.
    /// See [`Redirect`](crate::Redirect) for an example.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send), so also that the policy refuses where the redirect leads.
    pub async fn hop(self) -> Result<OneHop, FetchError> {
        let call = self.into_call()?;
        let mut fetch = call.fetch();
        let action = call.begin(&mut fetch);
        let landed = advance(&mut fetch, action).await;
        call.end_hop(landed, fetch)
    }
}

impl std::fmt::Debug for Fetcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let limits = &self.config.settings.limits;
        f.debug_struct("Fetcher").field("limits", limits).finish_non_exhaustive()
    }
}

/// Goes on to a response, or to a redirect.
async fn advance(
    fetch: &mut Fetch<'_>,
    mut action: Result<Action, FetchError>,
) -> Result<Landed, FetchError> {
    loop {
        action = match action? {
            Action::Done(response) => return Ok(Landed::Response(response)),
            Action::Redirect(url) => return Ok(Landed::Redirect(url)),
            Action::Run(driver) => fetch.take_run(run(driver).await),
            #[cfg(feature = "http")]
            Action::Request(attempt) => fetch.take_response(http::send(attempt).await),
        };
    }
}
