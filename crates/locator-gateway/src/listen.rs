//! Accepts connections, as many as the limits allow, until the gateway is to end: takes a socket and a
//! gateway, returns when all requests are answered, or after five seconds.

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
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::{Notify, Semaphore};
use tokio::task::LocalSet;
use tokio::time::{sleep, timeout};

use super::answer;
use super::gateway::{Gateway, Limits};
use super::stream::Timed;
use super::visit::{Busy, Visit};

impl Gateway {
    /// Answers requests until the future ends; then those that have begun have five seconds. The socket must be
    /// the one that the gateway was made for.
    ///
    /// # Errors
    ///
    /// The system cannot wait for connections.
    pub fn serve(self, listener: TcpListener, end: impl Future<Output = ()>) -> io::Result<()> {
        listener.set_nonblocking(true)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
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
}

async fn accept(
    listener: tokio::net::TcpListener,
    server: Rc<Gateway>,
    limits: Limits,
    end: impl Future<Output = ()>,
) {
    let slots = Arc::new(Semaphore::new(limits.clients));
    let clients = Rc::new(Clients { limits, all: RefCell::default(), slots, visit_ended: Rc::default() });
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
struct Clients {
    limits: Limits,
    all: RefCell<Vec<Rc<Client>>>,
    slots: Arc<Semaphore>,
    /// Notified when a response is written.
    visit_ended: Rc<Notify>,
}

/// A connection.
struct Client {
    busy: Rc<Cell<usize>>,
    /// Ends the connection once nothing is being answered on it.
    closes: Notify,
    /// Whether another connection has its place.
    is_replaced: Cell<bool>,
    ended: Notify,
}

impl Clients {
    /// Answers the requests of a connection.
    fn begin(self: Rc<Self>, stream: TcpStream, server: Rc<Gateway>) {
        if !self.make_room() {
            return;
        }
        let client = Rc::new(Client {
            busy: Rc::default(),
            closes: Notify::new(),
            is_replaced: Cell::new(false),
            ended: Notify::new(),
        });
        self.all.borrow_mut().push(client.clone());
        tokio::task::spawn_local(async move {
            self.talk(stream, &server, &client).await;
            self.all.borrow_mut().retain(|other| !Rc::ptr_eq(other, &client));
            client.ended.notify_one();
        });
    }

    /// Closes the connection that has waited longest for a request, if there are too many. Returns whether
    /// there is room for another one.
    fn make_room(&self) -> bool {
        let all = self.all.borrow();
        if all.len() < 4 * self.limits.clients {
            return true;
        }
        let waits = |client: &&Rc<Client>| client.busy.get() == 0 && !client.is_replaced.get();
        let Some(client) = all.iter().find(waits) else { return false };
        client.is_replaced.set(true);
        client.closes.notify_one();
        true
    }

    async fn talk(&self, stream: TcpStream, server: &Rc<Gateway>, client: &Rc<Client>) {
        let _ = stream.set_nodelay(true);
        let patience = self.limits.client_timeout;
        let ends = stream.peer_addr().ok().zip(stream.local_addr().ok());
        let service = service_fn(|request| {
            let busy = Busy::begin(&client.busy);
            let visit = Visit::new(busy, self.slots.clone(), self.visit_ended.clone(), patience).on(ends);
            let server = server.clone();
            async move { Ok::<_, Infallible>(answer::answer(&server, request, visit).await) }
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
