//! The same without `async`: the thread of the caller waits for the network, or a thread that wakes it,
//! so that it works inside another runtime, too. For what needs no network nothing is started.

use std::fmt::Display;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, JoinHandle, Thread};

use bytes::Bytes;
use locator::UriRef;
use locator::plan::Plan;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;

use crate::body;
use crate::config::setters;
use crate::error::FetchError;
use crate::failure::{Failure, FailureKind};
use crate::fetch::{self, Action, Fetch};
use crate::response_head::Field;
use crate::run::Whole;
use crate::{fetcher, response};

/// Fetches what URLs identify.
///
/// ```
/// use locator_fetch::blocking::Fetcher;
///
/// let mut fetched = Fetcher::for_user_input().fetch(locator::uri_ref!("data:,hello"))?;
/// assert_eq!(fetched.body.chunk()?.unwrap(), "hello");
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
#[derive(Clone, Default)]
pub struct Fetcher<'o> {
    fetcher: fetcher::Fetcher<'o>,
    network: Arc<OnceLock<Result<Arc<Network>, String>>>,
}

/// What a URL identifies.
pub type Response = response::Response<Body>;

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
        Self { fetcher: fetcher::Fetcher::for_user_input(), ..Self::default() }
    }

    setters!('o, fetcher);

    /// Returns the same fetcher with connections of its own; a clone shares them. Several threads that
    /// fetch at the same time are faster with a separate fetcher each, because no thread has to wake
    /// another. Each takes three file descriptors besides its connections.
    ///
    /// Limits for all connections, such as that of the memory for decompressing, are common to both.
    #[must_use]
    pub fn separate(&self) -> Self {
        let mut fetcher = self.fetcher.clone();
        fetcher.config.separate();
        Self { fetcher, network: Arc::default() }
    }

    /// Fetches what a URL identifies. Returns when its first octets, or its end, are there; the body is
    /// read afterwards.
    ///
    /// # Errors
    ///
    /// The URL has no plan, the policy forbids it, or the server does not have the object.
    pub fn fetch(&self, url: UriRef<'_>) -> Result<Response, FetchError> {
        let mut fetch = self.fetcher.begin(url);
        let action = fetch.begin(url);
        self.finish(fetch, action)
    }

    /// Fetches what a URL identifies by a plan that was made for it, as one that the user has seen.
    ///
    /// # Errors
    ///
    /// Those of [`fetch`](Self::fetch).
    pub fn carry_out(&self, url: UriRef<'_>, plan: Plan) -> Result<Response, FetchError> {
        let mut fetch = self.fetcher.begin(url);
        let action = fetch.carry_out(url, plan);
        self.finish(fetch, action)
    }

    /// Fetches a URL that an object names: an entry of a menu, or a link of a document. It is judged like
    /// a redirect, by the server of the object: it does not lead to a narrower reach, to a low port of
    /// another protocol, or to a file. An object of this machine leads nowhere.
    ///
    /// # Errors
    ///
    /// Those of [`fetch`](Self::fetch).
    pub fn follow(&self, from: &Response, url: UriRef<'_>) -> Result<Response, FetchError> {
        let mut fetch = self.fetcher.begin(from.url.as_uri_ref()).after(from.server.clone());
        let action = fetch.named(url);
        self.finish(fetch, action)
    }

    fn finish(
        &self,
        mut fetch: Fetch<'_>,
        mut action: Result<Action, FetchError>,
    ) -> Result<Response, FetchError> {
        loop {
            action = match action? {
                Action::Done(fetched) => return self.arrive(*fetched),
                Action::Redirect(url) => fetch.begin(url.as_uri_ref()),
                Action::Run(driver) => {
                    let run = self.run(fetch::run(driver));
                    fetch.take_run(run.map_err(|failure| fetch.error(failure))?)
                }
                #[cfg(feature = "http")]
                Action::Request(attempt) => {
                    let arrived = self.run(fetch::http::send(attempt));
                    fetch.take_response(arrived.map_err(|failure| fetch.error(failure))?)
                }
            };
        }
    }

    fn arrive(&self, fetched: response::Response) -> Result<Response, FetchError> {
        fetched.with_body(|body| {
            let network = if body.is_here() {
                None
            } else {
                Some(self.network().map_err(|failure| body.error(failure.into()))?.clone())
            };
            Ok(Body { body, network })
        })
    }

    fn network(&self) -> Result<&Arc<Network>, Failure> {
        let network = self.network.get_or_init(|| match Network::start() {
            Ok(network) => Ok(network.into()),
            Err(error) => Err(error.to_string()),
        });
        network.as_ref().map_err(no_network)
    }

    /// Carries out a future that needs the network.
    fn run<F: Future>(&self, future: F) -> Result<F::Output, Failure> {
        self.network()?.run(future)
    }
}

/// The octets of an object.
///
/// Dropping it closes the connections.
pub struct Body {
    body: body::Body,
    /// The network, if the object comes from there.
    network: Option<Arc<Network>>,
}

impl Body {
    /// Returns the next octets; `None` at the end of the object. After an error it returns the same
    /// error.
    ///
    /// # Errors
    ///
    /// The object is not whole.
    pub fn chunk(&mut self) -> Result<Option<Bytes>, FetchError> {
        let Some(network) = &self.network else { return self.body.chunk_here() };
        match network.run(self.body.chunk()) {
            Ok(chunk) => chunk,
            Err(failure) => Err(self.body.error(failure.into())),
        }
    }

    /// Returns whether the next octets, or the end, are there, so that [`chunk`](Self::chunk) does not
    /// wait. A caller with a buffer of its own writes it out if they are not.
    ///
    /// ```
    /// use std::io::Write;
    ///
    /// use locator_fetch::blocking::Fetcher;
    ///
    /// let mut body = Fetcher::for_user_input().fetch(locator::uri_ref!("data:,hello"))?.body;
    /// let mut out = std::io::BufWriter::new(std::io::stdout());
    /// loop {
    ///     if !body.is_ready() {
    ///         out.flush()?;
    ///     }
    ///     match body.chunk()? {
    ///         Some(octets) => out.write_all(&octets)?,
    ///         None => break,
    ///     }
    /// }
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_ready(&mut self) -> bool {
        // An error of the network is the next chunk.
        self.network.as_ref().is_none_or(|network| network.run(self.body.look()).unwrap_or(true))
    }

    /// Reads the rest, drops it, and returns how the end of the object is known.
    ///
    /// # Errors
    ///
    /// The object is not whole.
    pub fn finish(mut self) -> Result<Whole, FetchError> {
        while self.chunk()?.is_some() {}
        Ok(self.whole().unwrap_or(Whole::Unverified))
    }

    /// Returns how the end of the object is known, once it was read.
    #[must_use]
    pub fn whole(&self) -> Option<Whole> {
        self.body.whole()
    }

    /// Returns the fields after the octets (RFC 9110, 6.5), once they were read.
    #[must_use]
    pub fn trailers(&self) -> &[Field] {
        self.body.trailers()
    }
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Body").field("whole", &self.whole()).finish_non_exhaustive()
    }
}

/// What waits for the network and the time: the thread of the caller, or, inside another runtime, a
/// thread that wakes it.
struct Network {
    runtime: Option<Arc<Runtime>>,
    thread: OnceLock<Result<Waiting, String>>,
}

/// A thread that waits for others.
struct Waiting {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Network {
    fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok(Self { runtime: Some(runtime.into()), thread: OnceLock::new() })
    }

    /// Carries out a future on the thread of the caller.
    fn run<F: Future>(&self, future: F) -> Result<F::Output, Failure> {
        let Some(runtime) = &self.runtime else { return Err(no_network("it has ended")) };
        // A thread of a runtime cannot wait for another runtime.
        if self.thread.get().is_none() && Handle::try_current().is_err() {
            return Ok(runtime.block_on(future));
        }
        let thread = self.thread.get_or_init(|| Waiting::start(runtime).map_err(|error| error.to_string()));
        thread.as_ref().map_err(no_network)?;
        let _runtime = runtime.enter();
        Ok(wait_for(future))
    }
}

impl Waiting {
    fn start(runtime: &Arc<Runtime>) -> io::Result<Self> {
        let (runtime, (stop, stopped)) = (runtime.clone(), oneshot::channel());
        let thread = thread::Builder::new().name("locator-fetch".into());
        let thread = thread.spawn(move || drop(runtime.block_on(stopped)))?;
        Ok(Self { stop, thread })
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        if let Some(Ok(Waiting { stop, thread })) = self.thread.take() {
            drop(stop);
            let _ = thread.join();
        }
        // A look-up of a name cannot be ended, and is not waited for.
        self.runtime.take().and_then(Arc::into_inner).into_iter().for_each(Runtime::shutdown_background);
    }
}

/// Waits for a future on this thread, in a runtime or not; another thread must wake it.
fn wait_for<F: Future>(future: F) -> F::Output {
    struct Parked(Thread);

    impl Wake for Parked {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    thread_local! {
        static WAKER: Waker = Waker::from(Arc::new(Parked(thread::current())));
    }

    let waker = WAKER.with(Waker::clone);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

fn no_network(why: impl Display) -> Failure {
    Failure::new(FailureKind::NotConnected(why.to_string().into()), "preparing to wait for the network")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_network_for_files_and_data() {
        let fetcher = Fetcher::for_user_input();
        for url in [
            locator::uri_ref!("data:,a"),
            locator::uri_ref!("file:///"),
            locator::uri_ref!("mailto:a@b.example"),
        ] {
            fetcher.fetch(url).unwrap().body.finish().unwrap();
        }
        assert!(fetcher.network.get().is_none());
    }
}
