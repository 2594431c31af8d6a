//! What is seen of a connection's octets: how many were read, the head of a response, and how the peer
//! ended the connection.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

use super::frames::Frames;
use super::limits::BEFORE_HEAD;
use super::record::HeadRecord;
use crate::net::tls::Stream;
use crate::run::Ending;

/// What was seen of a connection's octets.
#[derive(Debug, Default)]
pub(super) struct Wire {
    /// How many octets were read.
    pub(super) read: AtomicU64,
    /// How many responses came before the final one.
    pub(super) interim: AtomicU32,
    /// How the connection ended: 0 if it did not.
    ending: AtomicU8,
    /// Whether the server wants the body that waits: 0 if it has not said so.
    continues: AtomicU8,
    head: Mutex<HeadRecord>,
    /// When octets were last sent.
    sent_at: Mutex<Option<Instant>>,
    /// That of the connection, if this is of one request of several on it.
    connection: Option<Arc<Wire>>,
    /// The frames of HTTP/2, if several requests are on this connection.
    frames: Option<Mutex<Frames>>,
    /// Whether the server has sent too much that is not a response.
    is_flooded: AtomicBool,
}

impl Wire {
    /// Creates that of one request on a connection that others use, too.
    pub(super) fn of_stream(connection: Arc<Self>) -> Self {
        Self { connection: Some(connection), ..Self::default() }
    }

    /// Creates that of a connection of HTTP/2 that several requests are on.
    pub(super) fn of_several() -> Self {
        Self { frames: Some(Mutex::default()), ..Self::default() }
    }

    /// Returns how many octets were read of the connection that others use, too.
    pub(super) fn connection_octets(&self) -> u64 {
        self.connection.as_ref().map_or(0, |connection| connection.octets())
    }

    /// Notes that a response has come on the connection that others use, too.
    pub(super) fn useful(&self) {
        if let Some(frames) = self.connection.as_ref().and_then(|connection| connection.frames.as_ref()) {
            frames.lock().unwrap_or_else(PoisonError::into_inner).octets = 0;
        }
    }

    /// Returns whether the server has sent too much that is not a response.
    pub(super) fn is_flooded(&self) -> bool {
        let connection = self.connection.as_deref().unwrap_or(self);
        connection.is_flooded.load(Ordering::Relaxed)
    }

    /// Counts what was read; returns an error if the server sends too much that is not a response.
    fn count(&self, octets: &[u8]) -> io::Result<()> {
        self.read.fetch_add(octets.len() as u64, Ordering::Relaxed);
        let Some(frames) = &self.frames else {
            self.head().push(octets);
            return Ok(());
        };
        let mut frames = frames.lock().unwrap_or_else(PoisonError::into_inner);
        frames.push(octets);
        if frames.octets <= BEFORE_HEAD {
            return Ok(());
        }
        self.is_flooded.store(true, Ordering::Relaxed);
        Err(io::Error::other("too many frames without a response"))
    }

    pub(super) fn octets(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Returns how the peer ended the connection, if it did.
    pub(super) fn ending(&self) -> Option<Ending> {
        match self.ending.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Ending::Fin),
            2 => Some(Ending::Notified),
            _ => Some(Ending::Reset),
        }
    }

    /// Begins another request.
    pub(super) fn begin(&self) {
        self.interim.store(0, Ordering::Relaxed);
        self.continues.store(0, Ordering::Relaxed);
    }

    /// Notes a response before the final one.
    pub(super) fn informed(&self, status: u16) {
        self.interim.fetch_add(1, Ordering::Relaxed);
        if status == 100 {
            self.continues.store(1, Ordering::Relaxed);
        }
    }

    /// Notes the final response: a body that still waits for 100 (Continue) is not sent.
    pub(super) fn answered(&self) {
        self.continues.store(2, Ordering::Relaxed);
    }

    /// Returns whether a body that waits is to be sent, if that is known.
    pub(super) fn continues(&self) -> Option<bool> {
        match self.continues.load(Ordering::Relaxed) {
            0 => None,
            said => Some(said == 1),
        }
    }

    /// Returns the head of the response to the last request, as it came.
    pub(super) fn head(&self) -> MutexGuard<'_, HeadRecord> {
        self.head.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns when octets were last sent, if there were any.
    pub(super) fn sent_at(&self) -> Option<Instant> {
        if let Some(connection) = &self.connection {
            return connection.sent_at();
        }
        *self.sent_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_ending(&self, ending: Ending) {
        let ending = match ending {
            Ending::Fin => 1,
            Ending::Notified => 2,
            Ending::Reset => 3,
        };
        self.ending.store(ending, Ordering::Relaxed);
    }
}

/// A stream whose octets and end are noted.
pub(super) struct Watched {
    pub(super) stream: Stream,
    pub(super) wire: Arc<Wire>,
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let has_room = buffer.remaining() > 0;
        let result = Pin::new(&mut self.stream).poll_read(cx, buffer);
        match &result {
            Poll::Ready(Ok(())) => {
                let octets = &buffer.filled()[before..];
                self.wire.count(octets)?;
                if octets.is_empty() && has_room {
                    self.wire.set_ending(self.stream.ending());
                }
            }
            Poll::Ready(Err(error)) if error.kind() == io::ErrorKind::UnexpectedEof => {
                self.wire.set_ending(Ending::Fin);
            }
            Poll::Ready(Err(_)) => self.wire.set_ending(Ending::Reset),
            Poll::Pending => {}
        }
        result
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, octets: &[u8]) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(cx, octets);
        if matches!(result, Poll::Ready(Ok(1..))) {
            *self.wire.sent_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        result
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
