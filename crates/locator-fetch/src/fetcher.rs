//! The fetcher: its settings, and the loop that waits for the network. A [`Fetcher`] makes requests (`request`)
//! with its settings (`config`); `fetch` is one call, from the given URL through redirects to a [`Response`];
//! [`FetchAll`] is several calls at the same time, in the order in which they end.
//!
//! ```
//! # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
//! # runtime.block_on(async {
//! let fetcher = locator_fetch::Fetcher::for_user_input();
//! let mut pages = fetcher.fetch_all(["data:,a", "data:,b"], 8);
//! let mut texts = Vec::new();
//! while let Some((number, page)) = pages.next().await {
//!     texts.push((number, page?.text().await?));
//! }
//! texts.sort();
//! assert_eq!(texts, [(0, "a".to_owned()), (1, "b".to_owned())]);
//! # Ok::<_, locator_fetch::FetchError>(())
//! # }).unwrap();
//! ```

pub(crate) mod config;
pub(crate) mod fetch;
pub(crate) mod request;
pub(crate) mod retry;

use std::fmt::{self, Debug, Formatter};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use futures_core::Stream;
use locator::UriRefBuf;
use locator_audit::Policy;

#[cfg(feature = "http")]
use self::config::methods;
use self::config::{Config, setters};
#[cfg(feature = "http")]
use self::fetch::http;
use self::fetch::{Action, Fetch, RequestOutcome, run};
use self::request::{GivenUrl, IntoUrl, OneHop, RequestBuilder};
use crate::error::FetchError;
use crate::error::failure::Failure;
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
#[doc(alias("Client", "ClientBuilder", "Agent", "Session"))]
#[derive(Clone)]
pub struct Fetcher {
    pub(crate) config: Arc<Config<'static>>,
}

/// Creates a fetcher [for untrusted URLs](Self::for_untrusted_urls).
impl Default for Fetcher {
    fn default() -> Self {
        Self::for_untrusted_urls()
    }
}

impl Fetcher {
    /// Creates a fetcher for untrusted URLs: those of a form, a message, a document.
    /// It fetches what [`Policy::public_web`](locator_audit::Policy::public_web) allows, `http` and
    /// `https` from public addresses, within 60 seconds, up to 64 MiB, and with at least 1 KiB a second
    /// after 10 seconds.
    #[must_use]
    pub fn for_untrusted_urls() -> Self {
        Self { config: Config::for_untrusted_urls().into() }
    }

    /// Creates a fetcher for URLs that a user of this program has given, of any scheme and at any address.
    /// Where an answer leads is judged as untrusted ([`Policy::typed`](locator_audit::Policy::typed)).
    /// There is no limit of the whole time and of the size.
    #[must_use]
    pub fn for_user_input() -> Self {
        Self { config: Config::for_user_input().into() }
    }

    /// Creates a fetcher [for untrusted URLs](Self::for_untrusted_urls), the safe one: it contacts public
    /// addresses only. For URLs that the user or the program itself chooses, use
    /// [`for_user_input`](Self::for_user_input).
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a fetcher to be set up, as [`new`](Self::new) does: a fetcher is its own builder.
    #[must_use]
    pub fn builder() -> Self {
        Self::default()
    }

    /// Creates a fetcher with a policy of the program, and the limits of
    /// [`for_untrusted_urls`](Self::for_untrusted_urls).
    #[must_use]
    pub fn with_policy(policy: Policy) -> Self {
        let mut fetcher = Self::for_untrusted_urls();
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

    #[cfg(feature = "http")]
    methods!(RequestBuilder<'static, Self>);

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
        let start = move |url: GivenUrl| {
            let fetcher = fetcher.clone();
            Box::pin(async move { fetcher.fetch(url).await }) as _
        };
        FetchAll::new(urls.into_iter(), at_once, Box::new(start))
    }
}

/// Fetches what a URL identifies, by a fetcher of its own
/// [for untrusted URLs](Fetcher::for_untrusted_urls): it contacts public addresses only. A program that fetches
/// several URLs has one [`Fetcher`].
///
/// ```no_run
/// # async fn example() -> Result<(), locator_fetch::FetchError> {
/// let page = locator_fetch::get("https://example.com/").await?.text().await?;
/// # drop(page);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Those of [`Fetcher::fetch`].
pub async fn get(url: impl IntoUrl) -> Result<Response, FetchError> {
    Fetcher::new().fetch(url).await
}

impl RequestBuilder<'_, Fetcher> {
    /// Sends the request. Returns when the first octets of the body, or its end, are there; the body is read
    /// afterwards.
    ///
    /// # Errors
    ///
    /// The request is not valid, it cannot be sent, the policy forbids it, or the server refuses it.
    #[doc(alias("call", "execute"))]
    pub async fn send(self) -> Result<Response, FetchError> {
        let call = self.into_call()?;
        let mut fetch = call.fetch();
        let mut action = call.begin(&mut fetch);
        let mut response = loop {
            action = match advance(&mut fetch, action).await {
                Ok(RequestOutcome::Response(response)) => break Ok(*response),
                Ok(RequestOutcome::Redirect(url)) => fetch.begin(url.as_uri_ref()),
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

impl Debug for Fetcher {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let limits = &self.config.settings.limits;
        f.debug_struct("Fetcher").field("limits", limits).finish_non_exhaustive()
    }
}

/// Goes on to a response, or to a redirect.
async fn advance(
    fetch: &mut Fetch<'_>,
    mut action: Result<Action, FetchError>,
) -> Result<RequestOutcome, FetchError> {
    loop {
        action = match action? {
            Action::Done(response) => return Ok(RequestOutcome::Response(response)),
            Action::Redirect(url) => return Ok(RequestOutcome::Redirect(url)),
            Action::Run(driver) => fetch.take_run(run(driver).await),
            #[cfg(feature = "http")]
            Action::Request(attempt) => fetch.take_response(http::send(attempt).await),
        };
    }
}

/// The responses of [`Fetcher::fetch_all`](crate::Fetcher::fetch_all): a `Stream` of the index of a URL and
/// what became of it. It goes on only while it is polled, and dropping it ends what is not done.
///
/// ```
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// let mut all = locator_fetch::Fetcher::for_user_input()
///     .fetch_all(["data:,a", "no URL"], 8);
/// let mut failed = 0;
/// while let Some((_, response)) = all.next().await {
///     failed += usize::from(response.is_err());
/// }
/// assert_eq!(failed, 1);
/// # });
/// ```
///
/// `T` is what becomes of a URL: of [`save_all`](crate::Fetcher::save_all) another type.
pub struct FetchAll<I, T = Fetched> {
    urls: std::iter::Enumerate<std::iter::Fuse<I>>,
    at_once: usize,
    start: StartFetch<T>,
    running: Vec<RunningFetch<T>>,
}

type Fetched = Result<Response, FetchError>;
type StartFetch<T> = Box<dyn Fn(GivenUrl) -> Pin<Box<dyn Future<Output = T> + Send>> + Send + Sync>;

/// A fetch that has not ended.
struct RunningFetch<T> {
    index: usize,
    future: Pin<Box<dyn Future<Output = T> + Send>>,
    woken: Arc<WokenFetches>,
}

/// Notes which fetch can go on, so that the others are not polled.
pub(crate) struct WokenFetches {
    is_woken: AtomicBool,
    /// What waits for all of them.
    outer: Mutex<Waker>,
}

impl Wake for WokenFetches {
    fn wake(self: Arc<Self>) {
        self.is_woken.store(true, Ordering::Release);
        self.outer.lock().unwrap_or_else(PoisonError::into_inner).wake_by_ref();
    }
}

impl WokenFetches {
    /// Creates that of a fetch which has not begun.
    pub(crate) fn new(outer: &Waker) -> Arc<Self> {
        Arc::new(Self { is_woken: true.into(), outer: Mutex::new(outer.clone()) })
    }

    /// Returns the context in which the fetch goes on, if it can; `outer` waits for all of them.
    pub(crate) fn take(self: &Arc<Self>, outer: &Waker) -> Option<Waker> {
        self.outer.lock().unwrap_or_else(PoisonError::into_inner).clone_from(outer);
        self.is_woken.swap(false, Ordering::AcqRel).then(|| Waker::from(self.clone()))
    }
}

impl<I: Iterator<Item: IntoUrl>, T> FetchAll<I, T> {
    pub(crate) fn new(urls: I, at_once: usize, start: StartFetch<T>) -> Self {
        Self { urls: urls.fuse().enumerate(), at_once: at_once.max(1), start, running: Vec::new() }
    }

    /// Returns the next response with the index of its URL; `None` after all.
    pub async fn next(&mut self) -> Option<(usize, T)> {
        poll_fn(|context| self.poll(context)).await
    }

    /// Ends one of them with this failure.
    pub(crate) fn fail(&mut self, failure: Failure) -> Option<(usize, FetchError)> {
        let index = match self.running.pop() {
            Some(running) => running.index,
            None => self.urls.next()?.0,
        };
        Some((index, FetchError::new(UriRefBuf::default(), Vec::new(), failure)))
    }

    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<(usize, T)>> {
        while self.running.len() < self.at_once
            && let Some((index, url)) = self.urls.next()
        {
            let (future, woken) = ((self.start)(GivenUrl::new(url)), WokenFetches::new(context.waker()));
            self.running.push(RunningFetch { index, future, woken });
        }
        for place in 0..self.running.len() {
            let running = &mut self.running[place];
            let Some(waker) = running.woken.take(context.waker()) else { continue };
            if let Poll::Ready(response) = running.future.as_mut().poll(&mut Context::from_waker(&waker)) {
                let index = self.running.swap_remove(place).index;
                return Poll::Ready(Some((index, response)));
            }
        }
        if self.running.is_empty() { Poll::Ready(None) } else { Poll::Pending }
    }
}

impl<I: Iterator<Item: IntoUrl> + Unpin, T> Stream for FetchAll<I, T> {
    type Item = (usize, T);

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll(context)
    }
}

impl<I, T> Debug for FetchAll<I, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("FetchAll").field("running", &self.running.len()).finish_non_exhaustive()
    }
}
