//! Requests that a thread has sent, and whose responses have not come: takes requests, returns each with its
//! response.

use std::collections::VecDeque;
use std::fmt::{self, Debug, Formatter};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use locator::UriRefBuf;

use super::{Fetcher, RequestBuilder, Response};
use crate::error::FetchError;
use crate::fetcher::fetch_all::Woken;
use crate::{fetcher, response};

/// Requests that are in flight: one thread sends several, and waits for all of them. That is faster than a
/// thread for each, because no thread must be woken for a response that has come.
///
/// They go on only while [`next`](Self::next) waits. Each request has a value of the caller, which is
/// returned with its response.
///
/// ```
/// use locator_fetch::blocking::{Fetcher, InFlight};
///
/// let fetcher = Fetcher::for_user_input();
/// let mut requests = InFlight::new(&fetcher);
/// for text in ["a", "b"] {
///     requests.send(fetcher.request(format!("data:,{text}")), text);
/// }
/// while let Some((text, response)) = requests.next() {
///     assert_eq!(response?.text()?, text);
/// }
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
pub struct InFlight<'r, V> {
    fetcher: Fetcher,
    running: Vec<Running<'r, V>>,
    /// What has come, and was not returned.
    ready: VecDeque<(V, Sent)>,
}

type Sent = Result<response::Response, FetchError>;

struct Running<'r, V> {
    value: V,
    future: Pin<Box<dyn Future<Output = Sent> + 'r>>,
    woken: Arc<Woken>,
}

impl<'r, V> InFlight<'r, V> {
    /// Creates it for the requests of one fetcher, whose connections they use.
    #[must_use]
    pub fn new(fetcher: &Fetcher) -> Self {
        Self { fetcher: fetcher.clone(), running: Vec::new(), ready: VecDeque::new() }
    }

    /// Adds a request, with a value that is returned with its response. It is sent when [`next`](Self::next)
    /// is called.
    pub fn send(&mut self, request: RequestBuilder<'r>, value: V) {
        let asynchronous: fetcher::Fetcher = request.fetcher.fetcher.clone();
        let future = Box::pin(request.by(asynchronous).send());
        self.running.push(Running { value, future, woken: Woken::new(Waker::noop()) });
    }

    /// Returns the number of requests whose responses were not returned.
    #[must_use]
    pub fn len(&self) -> usize {
        self.running.len() + self.ready.len()
    }

    /// Returns whether there is no such request.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Waits for the next response, in whatever order they come.
impl<V> Iterator for InFlight<'_, V> {
    type Item = (V, Result<Response, FetchError>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_empty() {
            return None;
        }
        let Self { fetcher, running, ready } = self;
        // New requests are sent before a response is returned that has come.
        let come = fetcher.run(poll_fn(|context| {
            poll_woken(running, ready, context);
            ready.pop_front().map_or(Poll::Pending, Poll::Ready)
        }));
        match come {
            Ok((value, response)) => {
                Some((value, response.and_then(|response| self.fetcher.with_network(response))))
            }
            Err(failure) => {
                let Running { value, .. } = self.running.pop()?;
                Some((value, Err(FetchError::new(UriRefBuf::default(), Vec::new(), failure))))
            }
        }
    }
}

/// Goes on with the requests that can go on.
fn poll_woken<V>(
    running: &mut Vec<Running<'_, V>>,
    ready: &mut VecDeque<(V, Sent)>,
    context: &mut Context<'_>,
) {
    let mut place = 0;
    while let Some(one) = running.get_mut(place) {
        let waker = one.woken.take(context.waker());
        let polled = waker.map(|waker| one.future.as_mut().poll(&mut Context::from_waker(&waker)));
        match polled {
            Some(Poll::Ready(response)) => {
                let Running { value, .. } = running.swap_remove(place);
                ready.push_back((value, response));
            }
            _ => place += 1,
        }
    }
}

impl<V> Debug for InFlight<'_, V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("InFlight").field("len", &self.len()).finish_non_exhaustive()
    }
}
