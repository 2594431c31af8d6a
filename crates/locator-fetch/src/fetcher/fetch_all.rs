//! Several fetches at the same time, in the order in which they end.

use std::fmt::{self, Debug, Formatter};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use futures_core::Stream;
use locator::UriRefBuf;

use crate::error::FetchError;
use crate::error::failure::Failure;
use crate::fetcher::into_url::{Given, IntoUrl};
use crate::response::Response;

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
pub struct FetchAll<I> {
    urls: std::iter::Enumerate<std::iter::Fuse<I>>,
    at_once: usize,
    start: StartFetch,
    running: Vec<Running>,
}

type Fetched = Result<Response, FetchError>;
type StartFetch = Box<dyn Fn(Given) -> Pin<Box<dyn Future<Output = Fetched> + Send>> + Send + Sync>;

/// A fetch that has not ended.
struct Running {
    index: usize,
    future: Pin<Box<dyn Future<Output = Fetched> + Send>>,
    woken: Arc<Woken>,
}

/// Notes which fetch can go on, so that the others are not polled.
pub(crate) struct Woken {
    is_woken: AtomicBool,
    /// What waits for all of them.
    outer: Mutex<Waker>,
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.is_woken.store(true, Ordering::Release);
        self.outer.lock().unwrap_or_else(PoisonError::into_inner).wake_by_ref();
    }
}

impl Woken {
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

impl<I: Iterator<Item: IntoUrl>> FetchAll<I> {
    pub(crate) fn new(urls: I, at_once: usize, start: StartFetch) -> Self {
        Self { urls: urls.fuse().enumerate(), at_once: at_once.max(1), start, running: Vec::new() }
    }

    /// Returns the next response with the index of its URL; `None` after all.
    pub async fn next(&mut self) -> Option<(usize, Fetched)> {
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

    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<(usize, Fetched)>> {
        while self.running.len() < self.at_once
            && let Some((index, url)) = self.urls.next()
        {
            let (future, woken) = ((self.start)(Given::new(url)), Woken::new(context.waker()));
            self.running.push(Running { index, future, woken });
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

impl<I: Iterator<Item: IntoUrl> + Unpin> Stream for FetchAll<I> {
    type Item = (usize, Fetched);

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll(context)
    }
}

impl<I> Debug for FetchAll<I> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("FetchAll").field("running", &self.running.len()).finish_non_exhaustive()
    }
}
