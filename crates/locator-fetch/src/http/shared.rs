//! Connections of HTTP/2 that several requests share: a server gets few of them, each with as many requests
//! at the same time as it allows, and with a hundred at most.
//!
//! They are driven by tasks of the runtime in which the requests are. Threads that wait for one response each
//! have none; for them a thread drives the connections.

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::Poll;
use std::thread;
use std::time::Duration;

use hyper::client::conn::http2::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::runtime::{Builder, Handle, Id};
use tokio::sync::{Mutex as Turn, MutexGuard, Notify, oneshot};
use tokio::time::Instant;

use super::body::OutgoingBody;
use super::pool::{IDLE_TIME, Key};
use super::wire::{Watched, Wire};
use crate::error::failure::Failure;

/// How many requests a connection has at the same time before another one is made, if its server allows so
/// many, and how many connections a server has.
const REQUESTS: usize = 100;
const CONNECTIONS: usize = 2;

/// The servers that are known.
const SERVERS: usize = 256;

/// How long nothing came on a connection from which a request was taken back, so that it is not used again.
const SILENT_TIME: Duration = Duration::from_secs(1);

/// The servers whose connections of HTTP/2 are shared.
#[derive(Default)]
pub(super) struct Shared {
    /// Whether several threads fetch.
    has_threads: AtomicBool,
    thread: OnceLock<Option<DrivingThread>>,
    servers: Mutex<Vec<Arc<Server>>>,
}

/// What drives connections.
#[derive(Clone)]
pub(super) enum Driven {
    /// The runtime of the request.
    Here(Handle),
    /// The runtime of a thread that does nothing else.
    ByThread(Handle),
}

impl Driven {
    pub(super) const fn handle(&self) -> &Handle {
        let (Self::Here(handle) | Self::ByThread(handle)) = self;
        handle
    }
}

/// A server by one way to it, from one runtime.
pub(super) struct Server {
    key: Key,
    runtime: Id,
    state: Turn<State>,
    /// Is notified when a request on one of its connections has ended.
    ended: Arc<Notify>,
}

/// What is known of a server.
#[derive(Default)]
pub(super) struct State {
    /// Whether it has no HTTP/2.
    pub(super) is_other: bool,
    /// When a connection last failed, and why.
    pub(super) failed: Option<(Instant, Failure)>,
    connections: Vec<Multiplexed>,
}

/// Where the next request can go.
pub(super) enum Room<'s> {
    On(&'s Multiplexed),
    /// On a new connection.
    New,
    /// Nowhere, until another one has ended.
    Nowhere,
}

/// A connection that carries many requests.
pub(super) struct Multiplexed {
    sender: SendRequest<OutgoingBody>,
    /// Until it ends.
    connection: Arc<Mutex<Option<Connection>>>,
    wire: Arc<Wire>,
    load: Arc<Load>,
    pub(super) address: SocketAddr,
}

type Connection = Pin<Box<http2::Connection<TokioIo<Watched>, OutgoingBody, InRuntime>>>;

/// How much a connection is used.
struct Load {
    requests: AtomicUsize,
    /// Whether a request has failed on it.
    is_spoilt: AtomicBool,
    /// When the last request ended.
    idle_since: Mutex<Instant>,
}

impl Default for Load {
    fn default() -> Self {
        Self {
            requests: AtomicUsize::new(0),
            is_spoilt: AtomicBool::new(false),
            idle_since: Mutex::new(Instant::now()),
        }
    }
}

/// One request's part of a connection.
pub(super) struct Stream {
    pub(super) sender: SendRequest<OutgoingBody>,
    pub(super) wire: Arc<Wire>,
    load: Arc<Load>,
    ended: Arc<Notify>,
    begun: Instant,
    /// How many octets had come on the connection before.
    octets_before: u64,
    /// Whether the head of its response is there.
    is_answered: bool,
}

impl Drop for Stream {
    fn drop(&mut self) {
        let is_silent = self.wire.connection_octets() == self.octets_before;
        if !self.is_answered && is_silent && self.begun.elapsed() >= SILENT_TIME {
            self.spoil();
        }
        *self.load.idle_since.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.load.requests.fetch_sub(1, Ordering::Relaxed);
        self.ended.notify_one();
    }
}

impl Stream {
    /// Says that no other request may use the connection.
    pub(super) fn spoil(&self) {
        self.load.is_spoilt.store(true, Ordering::Relaxed);
    }

    /// Notes that the head of the response is there.
    pub(super) fn answered(&mut self) {
        self.is_answered = true;
        self.wire.useful();
    }
}

impl Multiplexed {
    /// Begins to drive a connection.
    pub(super) fn new(
        (sender, connection): (SendRequest<OutgoingBody>, Connection),
        wire: Arc<Wire>,
        address: SocketAddr,
        driven: &Driven,
    ) -> Self {
        let connection = Arc::new(Mutex::new(Some(connection)));
        let polled = connection.clone();
        driven.handle().spawn(poll_fn(move |context| {
            let mut connection = polled.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(open) = connection.as_mut() else { return Poll::Ready(()) };
            // Its error is one of each request on it. One that was not sent gets it when this is dropped.
            let ended = open.as_mut().poll(context).map(drop);
            if ended.is_ready() {
                *connection = None;
            }
            ended
        }));
        Self { sender, connection, wire, load: Arc::default(), address }
    }

    fn requests(&self) -> usize {
        self.load.requests.load(Ordering::Relaxed)
    }

    /// Returns whether another request may begin: the server says how many it allows (RFC 9113, 5.1.2).
    fn has_room(&self) -> bool {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let most = connection.as_ref().map_or(0, |open| open.current_max_send_streams());
        self.requests() < most.min(REQUESTS)
    }

    fn is_open(&self) -> bool {
        let is_late = || {
            let since = *self.load.idle_since.lock().unwrap_or_else(PoisonError::into_inner);
            self.requests() == 0 && since.elapsed() >= IDLE_TIME
        };
        !self.sender.is_closed() && !self.load.is_spoilt.load(Ordering::Relaxed) && !is_late()
    }

    /// Begins another request.
    pub(super) fn stream(&self, server: &Server) -> Stream {
        self.load.requests.fetch_add(1, Ordering::Relaxed);
        Stream {
            sender: self.sender.clone(),
            octets_before: self.wire.octets(),
            wire: Arc::new(Wire::of_stream(self.wire.clone())),
            load: self.load.clone(),
            ended: server.ended.clone(),
            begun: Instant::now(),
            is_answered: false,
        }
    }
}

impl State {
    /// Returns where another request can go, by a connection to an address that is allowed.
    pub(super) fn room(&mut self, is_allowed: impl Fn(&Multiplexed) -> bool) -> Room<'_> {
        self.connections.retain(Multiplexed::is_open);
        let has_most = self.connections.len() >= CONNECTIONS;
        let allowed = self.connections.iter().filter(|one| is_allowed(one));
        match allowed.min_by_key(|one| one.requests()) {
            Some(least) if least.has_room() => Room::On(least),
            Some(_) if has_most => Room::Nowhere,
            _ => Room::New,
        }
    }

    pub(super) fn add(&mut self, connection: Multiplexed) {
        self.connections.push(connection);
    }
}

impl Shared {
    /// Shares connections between threads from now on.
    pub(super) fn share_between_threads(&self) {
        self.has_threads.store(true, Ordering::Relaxed);
    }

    /// Returns the runtime of the thread that drives connections, if several threads fetch.
    pub(super) fn thread(&self) -> Option<Handle> {
        if !self.has_threads.load(Ordering::Relaxed) {
            return None;
        }
        let thread = self.thread.get_or_init(|| DrivingThread::start().ok()).as_ref()?;
        Some(thread.handle.clone())
    }

    /// Returns the server of a key, with what drives its connections.
    pub(super) fn server(&self, key: &Key, driven: Driven) -> (Arc<Server>, Driven) {
        let runtime = driven.handle().id();
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        let found = servers.iter().find(|server| server.runtime == runtime && server.key.is(key)).cloned();
        let server = found.unwrap_or_else(|| {
            // The oldest are forgotten; their connections end with the requests on them.
            if servers.len() >= SERVERS {
                servers.remove(0);
            }
            let (state, ended) = (Turn::default(), Arc::default());
            let server = Arc::new(Server { key: key.clone(), runtime, state, ended });
            servers.push(server.clone());
            server
        });
        (server, driven)
    }
}

impl Server {
    /// Returns what is known, which nobody else changes meanwhile: one request makes a connection, and the others
    /// wait for it.
    pub(super) async fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().await
    }

    /// Waits until a request has ended.
    pub(super) async fn woken(&self) -> Woken<'_> {
        self.ended.notified().await;
        Woken(Some(&self.ended))
    }
}

/// A request that waited, and was woken by the end of another one. Whatever becomes of it, it wakes the next
/// one: there may be room for more.
pub(super) struct Woken<'s>(Option<&'s Notify>);

impl Woken<'_> {
    /// Goes back to waiting: there is no room.
    pub(super) fn wait_again(mut self) {
        self.0 = None;
    }
}

impl Drop for Woken<'_> {
    fn drop(&mut self) {
        self.0.into_iter().for_each(Notify::notify_one);
    }
}

/// A thread whose runtime drives the connections. It ends with the fetcher.
struct DrivingThread {
    handle: Handle,
    _stop: oneshot::Sender<()>,
}

impl DrivingThread {
    fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        thread::Builder::new().name("http2".into()).spawn(move || runtime.block_on(stopped))?;
        Ok(Self { handle, _stop: stop })
    }
}

/// Runs the tasks of a connection in the runtime that drives it.
#[derive(Clone)]
pub(super) struct InRuntime(pub(super) Handle);

impl<F: Future<Output = ()> + Send + 'static> hyper::rt::Executor<F> for InRuntime {
    fn execute(&self, task: F) {
        self.0.spawn(task);
    }
}
