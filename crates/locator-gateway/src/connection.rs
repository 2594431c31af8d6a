//! A connection of a client: [`Timed`] limits the time that the client may take to accept octets (hyper
//! limits the time of a head), a [`ActiveRequest`] is what a request has until its response is written: it counts for
//! its connection, and for the number of requests that are answered at once.
//!
//! ```text
//! let mut visit = ActiveRequest::new(ConnectionUse::begin(&count), slots, ended, patience);
//! if visit.takes_turn().await { /* contact a server */ }
//! ```

#![expect(clippy::disallowed_types, reason = "a connection to the listener of the gateway")]

use std::cell::Cell;
use std::future::Future as _;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep, timeout};

/// A connection, and since when it has accepted nothing.
pub(super) struct Timed {
    stream: TcpStream,
    limit: Duration,
    waits: Option<Pin<Box<Sleep>>>,
}

impl Timed {
    pub(super) fn new(stream: TcpStream, limit: Duration) -> Self {
        Self { stream, limit, waits: None }
    }

    /// Passes a result on, and fails if the client has accepted nothing for too long.
    fn within<T>(&mut self, result: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.waits = None;
            return result;
        }
        let limit = self.limit;
        let waits = self.waits.get_or_insert_with(|| Box::pin(sleep(limit)));
        match waits.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Timed {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Timed {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        octets: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, octets);
        self.within(result, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        octets: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(context, octets);
        self.within(result, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// A request on a connection, which is not closed meanwhile.
pub(super) struct ConnectionUse(Rc<Cell<usize>>);

impl ConnectionUse {
    pub(super) fn begin(count: &Rc<Cell<usize>>) -> Self {
        count.set(count.get() + 1);
        Self(count.clone())
    }
}

impl Drop for ConnectionUse {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

/// The addresses of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConnectionEnds {
    pub(super) client: SocketAddr,
    /// That of the gateway.
    pub(super) own: SocketAddr,
}

/// A request that is being answered.
pub(super) struct ActiveRequest {
    _busy: ConnectionUse,
    slots: Arc<Semaphore>,
    slot: Option<OwnedSemaphorePermit>,
    /// Notified when the visit ends.
    ended: Rc<Notify>,
    /// How long the client may take to send a body.
    pub(super) patience: Duration,
    /// The addresses of the client and of the gateway, if they are known.
    pub(super) ends: Option<ConnectionEnds>,
}

impl ActiveRequest {
    pub(super) const fn new(
        busy: ConnectionUse,
        slots: Arc<Semaphore>,
        ended: Rc<Notify>,
        patience: Duration,
    ) -> Self {
        Self { _busy: busy, slots, slot: None, ended, patience, ends: None }
    }

    /// Sets the addresses of a connection.
    pub(super) fn on(mut self, ends: Option<ConnectionEnds>) -> Self {
        self.ends = ends;
        self
    }

    /// Waits until less than the most requests are being answered; returns false if that takes too long.
    pub(super) async fn takes_turn(&mut self) -> bool {
        if let Ok(Ok(slot)) = timeout(self.patience, self.slots.clone().acquire_owned()).await {
            self.slot = Some(slot);
        }
        self.slot.is_some()
    }
}

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        self.ended.notify_one();
    }
}
