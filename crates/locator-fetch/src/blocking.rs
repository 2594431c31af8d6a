//! The same without `async`. What needs a network runs on a thread of its own, so that it works inside
//! another runtime, too; the thread begins with the first such URL.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, JoinHandle, Thread};

use bytes::Bytes;
use locator::UriRef;
use locator::plan::Object;
use tokio::runtime::{Builder, Handle};
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;

use crate::body;
use crate::dialer::Server;
use crate::error::{FetchError, Hop};
use crate::fetcher::{self, Stage, Trip};
use crate::http::{Field, Response};
use crate::resume::Proof;
use crate::run::{Failure, FailureKind, Whole};
use crate::settings::setters;

/// Fetches what URLs identify.
///
/// ```
/// use locator_fetch::blocking::Fetcher;
///
/// let mut fetched = Fetcher::typed().fetch(locator::uri_ref!("data:,hello"))?;
/// assert_eq!(fetched.body.chunk()?.unwrap(), "hello");
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
#[derive(Clone, Default)]
pub struct Fetcher<'o> {
    fetcher: fetcher::Fetcher<'o>,
    worker: Arc<OnceLock<Result<Arc<Worker>, String>>>,
}

/// What a URL identifies.
#[derive(Debug)]
pub struct Fetched {
    /// The URL of the object: the given one, or one that it led to.
    pub url: String,
    /// The URLs that led to it, in order.
    pub hops: Vec<Hop>,
    /// The object: its kind, and its media type if that is known.
    pub object: Object,
    /// The character encoding, if the media type names one.
    pub charset: Option<String>,
    /// The number of octets of the object before those of the body; not 0 only if the fetch was to
    /// [go on](Fetcher::resume) there.
    pub from: u64,
    /// What proves, in a later fetch, that the object is still this one.
    pub proof: Proof,
    /// The octets of the object.
    pub body: Body,
    /// The head of the response, if the object was fetched by HTTP.
    pub response: Option<Response>,
    /// The error of a status of 400 or more whose [body](crate::http::Http::error_bodies) is given
    /// nevertheless.
    pub refusal: Option<Box<FetchError>>,
    server: Option<Arc<Server>>,
}

impl Fetched {
    /// Returns the address of the server that the object is from, or of the proxy; `None` if no server was
    /// asked.
    #[must_use]
    pub fn address(&self) -> Option<std::net::SocketAddr> {
        self.server.as_ref().map(|server| server.address)
    }
}

impl<'o> Fetcher<'o> {
    /// Creates a fetcher for URLs that strangers have chosen: those of a form, a message, a document.
    /// It fetches what [`Policy::public_web`](locator::audit::Policy::public_web) allows, `http` and
    /// `https` from public addresses, within [`Limits::strangers`](crate::run::Limits::strangers).
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a fetcher for URLs that a person has typed, of any scheme and at any address. Where an
    /// answer leads is judged as a stranger's ([`Policy::typed`](locator::audit::Policy::typed)). The
    /// limits are [`Limits::default`](crate::run::Limits), without one for the time or the size.
    #[must_use]
    pub fn typed() -> Self {
        Self { fetcher: fetcher::Fetcher::typed(), worker: Arc::default() }
    }

    setters!('o, fetcher);

    /// Fetches what a URL identifies. Returns when its first octets, or its end, are there; the body is
    /// read afterwards.
    ///
    /// # Errors
    ///
    /// The URL has no plan, the policy forbids it, or the server does not have the object.
    pub fn fetch(&self, url: UriRef<'_>) -> Result<Fetched, FetchError> {
        let mut trip = Trip::new(&self.fetcher, url);
        let stage = trip.begin(url);
        self.go(trip, stage)
    }

    /// Fetches a URL that an object names: an entry of a menu, or a link of a document. It is judged like
    /// a redirect, by the server of the object: it does not lead to a narrower reach, to a low port of
    /// another protocol, or to a file. An object of this machine leads nowhere.
    ///
    /// # Errors
    ///
    /// Those of [`fetch`](Self::fetch).
    pub fn follow(&self, from: &Fetched, url: UriRef<'_>) -> Result<Fetched, FetchError> {
        let mut trip = Trip::after(&self.fetcher, &from.url, from.server.clone());
        let stage = trip.named(url);
        self.go(trip, stage)
    }

    fn go(&self, mut trip: Trip<'_>, mut stage: Result<Stage, FetchError>) -> Result<Fetched, FetchError> {
        loop {
            stage = match stage? {
                Stage::Arrived(fetched) => return self.arrive(*fetched),
                Stage::Next(url) => trip.begin(url.as_uri_ref()),
                Stage::Driver(driver) => {
                    let worker = self.worker().map_err(|failure| trip.error(failure))?;
                    let started = worker.run(fetcher::start(driver));
                    let started = started.ok_or_else(|| trip.error(ended()))?;
                    trip.drove(started)
                }
                #[cfg(feature = "http")]
                Stage::Http(fetch) => {
                    let worker = self.worker().map_err(|failure| trip.error(failure))?;
                    let arrived = worker.run(crate::http::start(fetch));
                    let arrived = arrived.ok_or_else(|| trip.error(ended()))?;
                    trip.answered(arrived)
                }
            };
        }
    }

    fn arrive(&self, fetched: fetcher::Fetched) -> Result<Fetched, FetchError> {
        let fetcher::Fetched { url, hops, object, charset, from, proof, body, response, refusal, server } =
            fetched;
        let body = if body.is_here() {
            Body { from: From::Here(body), whole: None, trailers: Vec::new() }
        } else {
            let error = |failure: Failure| FetchError {
                url: body.url.clone(),
                failure: failure.into(),
                hops: body.hops.clone(),
                response: None,
            };
            let worker = self.worker().map_err(error)?;
            Body { from: From::Worker(worker.read(body)), whole: None, trailers: Vec::new() }
        };
        Ok(Fetched { url, hops, object, charset, from, proof, body, response, refusal, server })
    }

    fn worker(&self) -> Result<Arc<Worker>, Failure> {
        let worker = self.worker.get_or_init(|| match Worker::start() {
            Ok(worker) => Ok(worker.into()),
            Err(error) => Err(error.to_string()),
        });
        worker.clone().map_err(|why| Failure::new(FailureKind::NotConnected(why), "starting a thread"))
    }
}

fn ended() -> Failure {
    Failure::new(FailureKind::NotConnected("the thread of the network has ended".into()), "")
}

/// The octets of an object.
///
/// Dropping it closes the connections.
pub struct Body {
    from: From,
    whole: Option<Whole>,
    trailers: Vec<Field>,
}

enum From {
    Here(body::Body),
    Worker(Reading),
}

/// A body that the worker reads, at most one piece ahead.
struct Reading {
    pieces: mpsc::Receiver<Piece>,
    task: AbortHandle,
    failure: Option<FetchError>,
    url: String,
    /// The thread goes on while there is a body.
    _worker: Arc<Worker>,
}

enum Piece {
    Octets(Bytes),
    End(Option<Whole>, Vec<Field>),
    Failed(FetchError),
}

impl Body {
    /// Returns the next octets; `None` at the end of the object. After an error it returns the same
    /// error.
    ///
    /// # Errors
    ///
    /// The object is not whole.
    pub fn chunk(&mut self) -> Result<Option<Bytes>, FetchError> {
        match &mut self.from {
            From::Here(body) => {
                let chunk = body.chunk_here();
                self.whole = body.whole();
                chunk
            }
            From::Worker(_) if self.whole.is_some() => Ok(None),
            From::Worker(reading) => match reading.next()? {
                Piece::Octets(octets) => Ok(Some(octets)),
                Piece::End(whole, trailers) => {
                    self.trailers = trailers;
                    self.whole = Some(whole.unwrap_or(Whole::Unverified));
                    Ok(None)
                }
                Piece::Failed(error) => Err(error),
            },
        }
    }

    /// Reads the rest, drops it, and returns how the end of the object is known.
    ///
    /// # Errors
    ///
    /// The object is not whole.
    pub fn finish(mut self) -> Result<Whole, FetchError> {
        while self.chunk()?.is_some() {}
        Ok(self.whole.unwrap_or(Whole::Unverified))
    }

    /// Returns how the end of the object is known, once it was read.
    #[must_use]
    pub const fn whole(&self) -> Option<Whole> {
        self.whole
    }

    /// Returns the fields after the octets (RFC 9110, 6.5), once they were read.
    #[must_use]
    pub fn trailers(&self) -> &[Field] {
        &self.trailers
    }
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Body").field("whole", &self.whole).finish_non_exhaustive()
    }
}

impl Reading {
    fn next(&mut self) -> Result<Piece, FetchError> {
        if let Some(error) = &self.failure {
            return Err(error.clone());
        }
        let piece = block_on(std::future::poll_fn(|cx| self.pieces.poll_recv(cx)));
        match piece {
            Some(Piece::Failed(error)) => {
                self.failure = Some(error.clone());
                Err(error)
            }
            Some(piece) => Ok(piece),
            None => {
                let (url, failure) = (self.url.clone(), ended().into());
                Err(FetchError { url, failure, hops: Vec::new(), response: None })
            }
        }
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A thread with a runtime.
struct Worker {
    handle: Handle,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new().name("locator-fetch".into()).spawn(move || {
            let _ = runtime.block_on(stopped);
            // A look-up of a name cannot be ended, and is not waited for.
            runtime.shutdown_background();
        })?;
        Ok(Self { handle, stop: Some(stop), thread: Some(thread) })
    }

    /// Waits for a future that the thread runs; `None` if the thread has ended.
    fn run<T: Send + 'static>(&self, future: impl Future<Output = T> + Send + 'static) -> Option<T> {
        let (sender, receiver) = oneshot::channel();
        self.handle.spawn(async move { sender.send(future.await).ok() });
        block_on(receiver).ok()
    }

    /// Begins to read a body.
    fn read(self: Arc<Self>, mut body: body::Body) -> Reading {
        let url = body.url.clone();
        let (sender, pieces) = mpsc::channel(1);
        let task = self.handle.spawn(async move {
            loop {
                let (piece, is_last) = match body.chunk().await {
                    Ok(Some(octets)) => (Piece::Octets(octets), false),
                    Ok(None) => (Piece::End(body.whole(), body.trailers().to_vec()), true),
                    Err(error) => (Piece::Failed(error), true),
                };
                if sender.send(piece).await.is_err() || is_last {
                    return;
                }
            }
        });
        Reading { pieces, task: task.abort_handle(), failure: None, url, _worker: self }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Waits for a future on this thread, in a runtime or not; another thread must wake it.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Parked(Thread);

    impl Wake for Parked {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    let waker = Waker::from(Arc::new(Parked(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_thread_for_files_and_data() {
        let fetcher = Fetcher::typed();
        for url in [
            locator::uri_ref!("data:,a"),
            locator::uri_ref!("file:///"),
            locator::uri_ref!("mailto:a@b.example"),
        ] {
            fetcher.fetch(url).unwrap().body.finish().unwrap();
        }
        assert!(fetcher.worker.get().is_none());
    }
}
