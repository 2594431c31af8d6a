//! Accepts connections, as many as the limits allow, until the gateway is to end: takes a socket and a
//! gateway, returns when all requests are answered, or after five seconds.
//!
//! [`Gateway::serve`] waits on the thread of its caller, [`Gateway::serve_async`] in a runtime of tokio; their
//! examples show both. The connections that are open are [`OpenConnections`], which make room for new ones.

#![expect(clippy::disallowed_types, reason = "the listener of the gateway")]

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io;
use std::net::TcpListener;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;
use std::thread;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Handle};
use tokio::sync::{Notify, Semaphore, oneshot};
use tokio::task::LocalSet;
use tokio::time::{sleep, timeout};

use super::connection::{ActiveRequest, ConnectionEnds, ConnectionUse, Timed};
use super::exchange::answer;
use super::gateway::{Gateway, Limits};

impl Gateway {
    /// Answers requests until the future ends; then those that have begun have five seconds. The socket must be
    /// the one that the gateway was made for. It waits on the thread of the caller; inside a runtime of tokio
    /// use [`serve_async`](Self::serve_async).
    ///
    /// # Errors
    ///
    /// The system cannot wait for connections, or a runtime of tokio is running on this thread.
    ///
    /// ```no_run
    /// use std::net::TcpListener;
    ///
    /// use locator_audit::Policy;
    /// use locator_gateway::{Gateway, Settings};
    ///
    /// let listener = TcpListener::bind("127.0.0.1:1738")?;
    /// let gateway = Gateway::new(Settings::new(Policy::public_network()), &listener)?;
    /// // Until the process ends.
    /// gateway.serve(listener, std::future::pending())?;
    /// # Ok::<_, std::io::Error>(())
    /// ```
    pub fn serve(self, listener: TcpListener, end: impl Future<Output = ()>) -> io::Result<()> {
        // A thread of a runtime cannot wait for another runtime.
        if Handle::try_current().is_ok() {
            let why = "Gateway::serve blocks, so it cannot be called inside a runtime of tokio; use \
                       Gateway::serve_async there";
            return Err(io::Error::other(why));
        }
        listener.set_nonblocking(true)?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let limits = self.limits;
        let result = LocalSet::new().block_on(&runtime, async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            accept(listener, Rc::new(self), limits, end).await;
            Ok(())
        });
        // A look-up of a name that has not ended is left.
        runtime.shutdown_background();
        result
    }

    /// Answers requests as [`serve`](Self::serve) does, without blocking a thread of the caller: the gateway has
    /// a thread of its own. It ends when `end` does, or when the future that this returns is dropped.
    ///
    /// # Errors
    ///
    /// The system cannot start a thread, or cannot wait for connections.
    ///
    /// ```no_run
    /// use std::net::TcpListener;
    ///
    /// use locator_audit::Policy;
    /// use locator_gateway::{Gateway, Settings};
    /// use tokio::sync::oneshot;
    ///
    /// # async fn example() -> std::io::Result<()> {
    /// let listener = TcpListener::bind("127.0.0.1:0")?;
    /// let gateway = Gateway::new(Settings::new(Policy::public_network()), &listener)?;
    /// let address = gateway.address();
    /// let (stop, stopped) = oneshot::channel::<()>();
    /// let running = tokio::spawn(gateway.serve_async(listener, async { drop(stopped.await) }));
    /// // … open the address …
    /// drop(stop);
    /// running.await?
    /// # }
    /// ```
    pub async fn serve_async(
        self,
        listener: TcpListener,
        end: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        let (result, ended) = oneshot::channel();
        // Its other end is dropped with this future.
        let (_waits, dropped) = oneshot::channel::<Infallible>();
        thread::Builder::new().name("locator-gateway".into()).spawn(move || {
            let end = async {
                let (mut end, mut dropped) = (pin!(end), pin!(dropped));
                poll_fn(|context| match end.as_mut().poll(context) {
                    Poll::Pending => dropped.as_mut().poll(context).map(drop),
                    ready => ready,
                })
                .await;
            };
            // Nobody waits for the result if the future was dropped.
            let _ = result.send(self.serve(listener, end));
        })?;
        ended.await.unwrap_or_else(|_| Err(io::Error::other("the thread of the gateway has ended early")))
    }
}

async fn accept(
    listener: tokio::net::TcpListener,
    server: Rc<Gateway>,
    limits: Limits,
    end: impl Future<Output = ()>,
) {
    let slots = Arc::new(Semaphore::new(limits.clients));
    let clients =
        Rc::new(OpenConnections { limits, all: RefCell::default(), slots, visit_ended: Rc::default() });
    tokio::task::spawn_local(close_idle(server.clone(), clients.visit_ended.clone(), limits.idle_timeout));
    let mut ends = pin!(end);
    loop {
        let next = poll_fn(|context| match ends.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(None),
            Poll::Pending => listener.poll_accept(context).map(Some),
        });
        match next.await {
            None => break,
            Some(Ok((stream, _))) => clients.clone().begin(stream, server.clone()),
            // There are too many open files, or the client has gone.
            Some(Err(_)) => sleep(Duration::from_millis(50)).await,
        }
    }
    drop(listener);
    clients.end().await;
}

/// Closes the connections to servers that have waited for that long, once a visit has ended.
async fn close_idle(server: Rc<Gateway>, visit_ended: Rc<Notify>, time: Duration) {
    loop {
        visit_ended.notified().await;
        while server.fetcher.close_idle(time) {
            sleep(time / 2).await;
        }
    }
}

/// The connections that are open.
struct OpenConnections {
    limits: Limits,
    all: RefCell<Vec<Rc<ClientConnection>>>,
    slots: Arc<Semaphore>,
    /// Notified when a response is written.
    visit_ended: Rc<Notify>,
}

/// A connection.
struct ClientConnection {
    busy: Rc<Cell<usize>>,
    /// Ends the connection once nothing is being answered on it.
    closes: Notify,
    /// Whether another connection has its place.
    is_replaced: Cell<bool>,
    ended: Notify,
}

impl OpenConnections {
    /// Answers the requests of a connection.
    fn begin(self: Rc<Self>, stream: TcpStream, server: Rc<Gateway>) {
        if !self.make_room() {
            return;
        }
        let client = Rc::new(ClientConnection {
            busy: Rc::default(),
            closes: Notify::new(),
            is_replaced: Cell::new(false),
            ended: Notify::new(),
        });
        self.all.borrow_mut().push(client.clone());
        tokio::task::spawn_local(async move {
            self.serve_connection(stream, &server, &client).await;
            self.all.borrow_mut().retain(|other| !Rc::ptr_eq(other, &client));
            client.ended.notify_one();
        });
    }

    /// Closes the connection that has waited longest for a request, if there are too many. Returns whether
    /// there is room for another one.
    fn make_room(&self) -> bool {
        let all = self.all.borrow();
        if all.len() < self.limits.clients.saturating_mul(4) {
            return true;
        }
        let waits = |client: &&Rc<ClientConnection>| client.busy.get() == 0 && !client.is_replaced.get();
        let Some(client) = all.iter().find(waits) else { return false };
        client.is_replaced.set(true);
        client.closes.notify_one();
        true
    }

    async fn serve_connection(&self, stream: TcpStream, server: &Rc<Gateway>, client: &Rc<ClientConnection>) {
        let _ = stream.set_nodelay(true);
        let patience = self.limits.client_timeout;
        let ends = stream.peer_addr().ok().zip(stream.local_addr().ok());
        let ends = ends.map(|(client, own)| ConnectionEnds { client, own });
        let service = service_fn(|request| {
            let busy = ConnectionUse::begin(&client.busy);
            let visit =
                ActiveRequest::new(busy, self.slots.clone(), self.visit_ended.clone(), patience).on(ends);
            let server = server.clone();
            async move { Ok::<_, Infallible>(answer(&server, request, visit).await) }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(patience)
            .max_headers(Limits::HEADERS)
            .max_buf_size(Limits::HEAD)
            .serve_connection(TokioIo::new(Timed::new(stream, patience)), service);
        let (mut connection, mut closes) = (pin!(connection), pin!(client.closes.notified()));
        let mut is_closing = false;
        let _ = poll_fn(|context| {
            if !is_closing && closes.as_mut().poll(context).is_ready() {
                // A graceful end would wait for the rest of a head.
                if client.is_replaced.get() && client.busy.get() == 0 {
                    return Poll::Ready(Ok(()));
                }
                is_closing = true;
                connection.as_mut().graceful_shutdown();
            }
            connection.as_mut().poll(context)
        })
        .await;
    }

    /// Waits until all requests are answered, but not longer than the time of grace.
    async fn end(&self) {
        let left: Vec<_> = self.all.borrow().iter().cloned().collect();
        left.iter().for_each(|client| client.closes.notify_one());
        let all_end = async {
            for client in left {
                client.ended.notified().await;
            }
        };
        let _ = timeout(Limits::GRACE, all_end).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};

    use locator_audit::Policy;

    use crate::Settings;

    fn gateway(limits: Limits) -> (Gateway, TcpListener) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let settings = Settings { limits, ..Settings::new(Policy::public_network()) };
        (Gateway::new(settings, &listener).unwrap(), listener)
    }

    /// Returns the response to a request for `/ping`.
    fn ping(address: &str) -> String {
        let host = address.trim_start_matches("http://").trim_end_matches('/');
        let mut stream = std::net::TcpStream::connect(host).unwrap();
        write!(stream, "GET /ping HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response
    }

    #[test]
    fn inside_a_runtime_it_runs_on_a_thread_of_its_own() {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (blocking, listener) = gateway(Limits::default());
            let error = blocking.serve(listener, std::future::pending()).unwrap_err();
            assert!(error.to_string().contains("use Gateway::serve_async"), "{error}");
            let (gateway, listener) = gateway(Limits::default());
            let address = gateway.address();
            let (stop, stopped) = oneshot::channel::<()>();
            let running = tokio::spawn(gateway.serve_async(listener, async { drop(stopped.await) }));
            let response = tokio::task::spawn_blocking(move || ping(&address)).await.unwrap();
            assert!(
                response.starts_with("HTTP/1.1 200") && response.ends_with("locator serve\n"),
                "{response}"
            );
            drop(stop);
            running.await.unwrap().unwrap();
        });
    }

    #[test]
    fn it_ends_when_its_future_is_dropped() {
        let (gateway, listener) = gateway(Limits::default());
        let address = listener.local_addr().unwrap();
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let running = gateway.serve_async(listener, std::future::pending());
            assert!(timeout(Duration::from_millis(1), running).await.is_err());
        });
        // Nobody listens once the thread has ended.
        while std::net::TcpStream::connect(address).is_ok() {
            thread::yield_now();
        }
    }

    #[test]
    fn limits_of_any_size() {
        let largest =
            Limits { client_timeout: Duration::MAX, clients: usize::MAX, idle_timeout: Duration::MAX };
        for limits in [largest, Limits { clients: usize::MAX / 3, ..largest }] {
            let (gateway, listener) = gateway(limits);
            let address = gateway.address();
            let (stop, stopped) = oneshot::channel::<()>();
            let running = thread::spawn(move || gateway.serve(listener, async { drop(stopped.await) }));
            assert!(ping(&address).starts_with("HTTP/1.1 200"));
            drop(stop);
            running.join().unwrap().unwrap();
        }
        // Nobody is served, and it ends.
        let smallest = Limits { client_timeout: Duration::ZERO, clients: 0, idle_timeout: Duration::ZERO };
        let (gateway, listener) = gateway(smallest);
        gateway.serve(listener, std::future::ready(())).unwrap();
    }
}
