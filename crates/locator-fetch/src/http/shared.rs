//! Connections of HTTP/2 that several threads share: a server gets few of them, each with up to a hundred
//! requests at the same time. They are driven by a thread of their own, as the threads that send requests
//! wait for one response each.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use hyper::client::conn::http2::SendRequest;
use tokio::runtime::{Builder, Handle};
use tokio::sync::{Mutex as Turn, oneshot};
use tokio::time::Instant;

use super::body::OutgoingBody;
use super::pool::Key;
use super::wire::Wire;

/// How many requests a connection has at the same time before another one is made, and how many connections
/// a server has.
const REQUESTS: usize = 100;
const CONNECTIONS: usize = 2;

/// The servers whose connections of HTTP/2 are shared, if a fetcher is used by several threads.
#[derive(Default)]
pub(super) struct Shared {
    is_wanted: AtomicBool,
    driver: OnceLock<Option<Driver>>,
    servers: Mutex<Vec<Arc<Server>>>,
}

/// A server by one way to it.
pub(super) struct Server {
    key: Key,
    state: Turn<State>,
}

/// What is known of a server.
#[derive(Default)]
pub(super) struct State {
    /// Whether it has no HTTP/2.
    pub(super) is_other: bool,
    /// When a connection last failed.
    pub(super) failed: Option<Instant>,
    connections: Vec<Multiplexed>,
}

/// A connection that carries many requests.
#[derive(Clone)]
pub(super) struct Multiplexed {
    sender: SendRequest<OutgoingBody>,
    wire: Arc<Wire>,
    load: Arc<Load>,
    pub(super) address: SocketAddr,
}

/// How much a connection is used.
#[derive(Default)]
struct Load {
    requests: AtomicUsize,
    /// Whether a request has failed on it.
    is_spoilt: AtomicBool,
}

/// One request's part of a connection.
pub(super) struct Stream {
    pub(super) sender: SendRequest<OutgoingBody>,
    pub(super) wire: Arc<Wire>,
    load: Arc<Load>,
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.load.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Stream {
    /// Says that no other request may use the connection.
    pub(super) fn spoil(&self) {
        self.load.is_spoilt.store(true, Ordering::Relaxed);
    }
}

impl Multiplexed {
    pub(super) fn new(sender: SendRequest<OutgoingBody>, wire: Arc<Wire>, address: SocketAddr) -> Self {
        Self { sender, wire, load: Arc::default(), address }
    }

    fn requests(&self) -> usize {
        self.load.requests.load(Ordering::Relaxed)
    }

    fn is_open(&self) -> bool {
        !self.sender.is_closed() && !self.load.is_spoilt.load(Ordering::Relaxed)
    }

    /// Begins another request.
    pub(super) fn stream(&self) -> Stream {
        self.load.requests.fetch_add(1, Ordering::Relaxed);
        let wire = Arc::new(Wire::of_stream(self.wire.clone()));
        Stream { sender: self.sender.clone(), wire, load: self.load.clone() }
    }
}

impl State {
    /// Returns a connection that has room for another request; `None` if one is to be made.
    pub(super) fn free(&mut self, is_allowed: impl Fn(&Multiplexed) -> bool) -> Option<&Multiplexed> {
        self.connections.retain(Multiplexed::is_open);
        let count = self.connections.len();
        let least = self.connections.iter().filter(|one| is_allowed(one)).min_by_key(|one| one.requests())?;
        (least.requests() < REQUESTS || count >= CONNECTIONS).then_some(least)
    }

    pub(super) fn add(&mut self, connection: Multiplexed) {
        self.connections.push(connection);
    }
}

impl Shared {
    /// Shares connections from now on: several threads fetch.
    pub(super) fn want(&self) {
        self.is_wanted.store(true, Ordering::Relaxed);
    }

    /// Returns the server of a key, and the runtime of its connections, if they are shared.
    pub(super) fn server(&self, key: &Key) -> Option<(Arc<Server>, Handle)> {
        if !self.is_wanted.load(Ordering::Relaxed) || !key.is_secured || !key.has_http2 {
            return None;
        }
        let driver = self.driver.get_or_init(|| Driver::start().ok()).as_ref()?;
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        let found = servers.iter().find(|server| server.key.is(key)).cloned();
        let server = found.unwrap_or_else(|| {
            // The oldest are forgotten; their connections end with the requests on them.
            if servers.len() >= SERVERS {
                servers.remove(0);
            }
            let server = Arc::new(Server { key: key.clone(), state: Turn::default() });
            servers.push(server.clone());
            server
        });
        Some((server, driver.handle.clone()))
    }
}

/// The servers that are known.
const SERVERS: usize = 64;

impl Server {
    /// Returns what is known, which nobody else changes meanwhile: one request makes a connection, and the others
    /// wait for it.
    pub(super) async fn state(&self) -> tokio::sync::MutexGuard<'_, State> {
        self.state.lock().await
    }
}

/// A thread whose runtime drives the connections. It ends with the fetcher.
struct Driver {
    handle: Handle,
    _stop: oneshot::Sender<()>,
}

impl Driver {
    fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        thread::Builder::new().name("http2".into()).spawn(move || runtime.block_on(stopped))?;
        Ok(Self { handle, _stop: stop })
    }
}

/// Runs the tasks of a connection on the thread that drives it.
#[derive(Clone)]
pub(super) struct OnDriver(pub(super) Handle);

impl<F: Future<Output = ()> + Send + 'static> hyper::rt::Executor<F> for OnDriver {
    fn execute(&self, task: F) {
        self.0.spawn(task);
    }
}
