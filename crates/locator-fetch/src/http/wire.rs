//! What is seen of the octets of a connection below hyper: how many were read, how the peer ended it, the head
//! of a response as it was sent (hyper returns header names in lower case), and, of HTTP/2, what a server sends
//! besides bodies: the octets of its frames (RFC 9113, 4.1) are counted, because no limit of one response stops a
//! server that sends them without end.
//!
//! The limits of HTTP are here, in one table. Those of time and of the size of an object are in
//! [`Limits`](crate::run::Limits), the number of redirects is that of the hops of a fetcher, and how many octets a
//! compressed one may become is in `coding`. Those of proxies and of idle connections are in `net/`.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

use crate::error::failure::Reply;
use crate::net::tls::Stream;
use crate::run::Ending;

/// What was seen of a connection's octets.
#[derive(Debug, Default)]
pub(super) struct WireRecord {
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
    connection: Option<Arc<WireRecord>>,
    /// The frames of HTTP/2, if several requests are on this connection.
    frames: Option<Mutex<Frames>>,
    /// Whether the server has sent too much that is not a response.
    is_flooded: AtomicBool,
}

impl WireRecord {
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
pub(super) struct WatchedStream {
    pub(super) stream: Stream,
    pub(super) wire: Arc<WireRecord>,
}

impl AsyncRead for WatchedStream {
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

impl AsyncWrite for WatchedStream {
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

/// The octets of the head of a frame: a length of three octets, a type, flags, and a stream.
const FRAME_HEAD: usize = 9;

const DATA: u8 = 0;
const WINDOW_UPDATE: u8 = 8;

/// Follows the frames of a connection.
#[derive(Debug, Default)]
pub(super) struct Frames {
    head: [u8; FRAME_HEAD],
    /// How many octets of the head have come.
    count: usize,
    /// How many octets of the present frame follow its head.
    left: usize,
    /// The octets of frames since the last one with a part of a body.
    pub(super) octets: u64,
}

impl Frames {
    /// Takes what was read.
    pub(super) fn push(&mut self, mut octets: &[u8]) {
        while !octets.is_empty() {
            let skipped = self.left.min(octets.len());
            self.left -= skipped;
            octets = octets.get(skipped..).unwrap_or_default();
            let taken = octets.len().min(FRAME_HEAD - self.count);
            let (head, rest) = octets.split_at(taken);
            if let Some(place) = self.head.get_mut(self.count..self.count + taken) {
                place.copy_from_slice(head);
            }
            self.count += taken;
            octets = rest;
            if self.count == FRAME_HEAD {
                self.begin();
            }
        }
    }

    /// Counts a frame, whose head is there.
    fn begin(&mut self) {
        let [first, second, third, kind, ..] = self.head;
        self.left = usize::from(first) << 16 | usize::from(second) << 8 | usize::from(third);
        self.count = 0;
        match kind {
            DATA if self.left > 0 => self.octets = 0,
            // A server may send one for every piece of an upload.
            WINDOW_UPDATE => self.octets += 1,
            _ => self.octets += (FRAME_HEAD + self.left) as u64,
        }
    }
}

/// Records what a server sends after a request, to the end of the head of its response.
#[derive(Debug, Default)]
pub(super) struct HeadRecord {
    octets: Vec<u8>,
    /// Where the present head begins: after those of the responses before the final one.
    head: usize,
    /// Where the present line begins.
    line: usize,
    is_recording: bool,
}

impl HeadRecord {
    /// Begins to record.
    pub(super) fn begin(&mut self) {
        *self = Self { is_recording: true, ..Self::default() };
    }

    /// Takes octets that the server sent, in any cut.
    pub(super) fn push(&mut self, octets: &[u8]) {
        let mut lines = octets.split_inclusive(|octet| *octet == b'\n');
        // The body is not searched for lines.
        while self.is_recording
            && let Some(piece) = lines.next()
        {
            self.octets.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let is_empty = matches!(&self.octets[self.line..], b"\n" | b"\r\n");
        if is_empty && self.line == self.head {
            // "A client SHOULD ignore at least one empty line" before the status line (RFC 9112, 2.2).
            self.octets.truncate(self.head);
        } else if is_empty {
            self.is_recording = is_interim(&self.octets[self.head..]);
            self.head = self.octets.len();
        }
        self.line = self.octets.len();
    }

    /// Returns the status and the reason of the last head.
    pub(super) fn status_line(&self) -> Option<Reply> {
        let head = self.octets.get(self.head..).filter(|head| !head.is_empty());
        let line = head.unwrap_or(&self.octets).split(|octet| *octet == b'\n').next()?.trim_ascii_end();
        let mut words = line.splitn(3, |octet| *octet == b' ').skip(1);
        let digits = words.next().filter(|word| word.len() == 3 && word.iter().all(u8::is_ascii_digit))?;
        let code = std::str::from_utf8(digits).ok()?.parse().ok()?;
        Some(Reply { code: Some(code), text: words.next().unwrap_or_default().to_vec() })
    }

    /// Returns whether the server has answered with a record of TLS: an alert or a handshake, of version 3 (RFC
    /// 8446, 5.1).
    pub(super) fn is_tls(&self) -> bool {
        matches!(&*self.octets, [0x15 | 0x16, 3, ..])
    }

    /// Returns the first length that the last head states.
    pub(super) fn content_length(&self) -> Option<String> {
        let head = self.octets.get(self.head..).filter(|head| !head.is_empty()).unwrap_or(&self.octets);
        head.split(|octet| *octet == b'\n').find_map(|line| {
            let colon = line.iter().position(|octet| *octet == b':')?;
            let is_length = line[..colon].eq_ignore_ascii_case(b"content-length");
            is_length.then(|| String::from_utf8_lossy(line[colon + 1..].trim_ascii()).into_owned())
        })
    }

    /// Returns the heads; nothing if the last one did not end.
    pub(super) fn take(&mut self) -> Bytes {
        let record = std::mem::take(self);
        if record.is_recording { Bytes::new() } else { record.octets.into() }
    }
}

/// Returns whether another head follows this one (RFC 9110, 15.2).
fn is_interim(head: &[u8]) -> bool {
    let status = head.split(|octet| *octet == b' ').nth(1).unwrap_or_default();
    status.starts_with(b"1") && !status.starts_with(b"101")
}

/// The octets of a head, and of trailers.
pub(super) const HEAD: usize = 300 << 10;

/// The fields of a head, and of trailers. A table of so many is made for each response. Large sites send
/// hundreds, as policies and cookies.
pub(super) const FIELDS: usize = 2_000;

/// The responses before the final one, such as 103 (RFC 9110, 15.2).
pub(super) const INTERIM: u32 = 50;

/// The octets of a connection before a head is whole, whatever they are: frames of HTTP/2, responses
/// before the final one, and what is left of a message before.
pub(super) const BEFORE_HEAD: u64 = 1 << 20;

/// The octets of a body that is read only to use the connection again, and how many milliseconds it is
/// waited for.
pub(super) const UNUSED_BODY: u64 = 64 << 10;
pub(super) const UNUSED_TIME: u64 = 1_000;

/// How often a request is sent again whose connection was closed before it could answer.
pub(super) const REPEATS: u32 = 5;

/// The octets that a server of HTTP/2 may send before they are taken.
pub(super) const WINDOW: u32 = 1 << 20;

/// That of each response on the connections that threads share.
pub(super) const THREADS_WINDOW: u32 = 256 << 10;

/// A connection that many share has room for the windows of so many: otherwise responses that nobody takes yet
/// would stop the others.
pub(super) const SHARED_WINDOWS: u32 = 100;

/// The large windows, of br and zstd, that all responses of a fetcher together have; while they are in
/// use, only gzip is asked for, whose windows have 32 KiB.
pub(super) const LARGE_WINDOWS: usize = 2;

/// A longer body is announced by `Expect: 100-continue`, and is sent when the server wants it, or after so
/// many milliseconds (RFC 9110, 10.1.1).
pub(super) const EXPECT: u64 = 1 << 20;
pub(super) const CONTINUE_TIME: u64 = 1_000;

/// The octets of a request target: http's `Uri` takes no more.
pub(super) const TARGET: usize = 65_534;

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, length: u8) -> Vec<u8> {
        [&[0, 0, length, kind, 0, 0, 0, 0, 1][..], &vec![b'x'; length.into()]].concat()
    }

    #[test]
    fn frames_in_pieces() {
        let (headers, ping, empty) = (frame(1, 5), frame(6, 8), frame(DATA, 0));
        let all = [headers, ping, empty, frame(WINDOW_UPDATE, 4)].concat();
        for size in 1..=all.len() {
            let mut frames = Frames::default();
            all.chunks(size).for_each(|piece| frames.push(piece));
            assert_eq!(frames.octets, 14 + 17 + 9 + 1, "{size}");
            frame(DATA, 3).chunks(size).for_each(|piece| frames.push(piece));
            assert_eq!((frames.octets, frames.count, frames.left), (0, 0, 0), "{size}");
        }
    }

    #[test]
    fn heads_in_any_cut() {
        for (sent, expected) in [
            ("HTTP/1.1 200 OK\r\nX-A: b\r\nx-a:c\r\n\r\nbody\r\n\r\n", 34),
            ("HTTP/1.1 200 OK\nX-A: b\n\nbody\n", 24),
            ("HTTP/1.1 103 Early\r\nLink: <a>\r\n\r\nHTTP/1.1 100 x\r\n\r\nHTTP/1.1 204\r\n\r\nHTTP/1.1", 67),
            ("HTTP/1.1 101 x\r\n\r\nother\r\n\r\n", 18),
            ("HTTP/1.1 200 OK\r\nX-A: b\r\n", 0),
            ("", 0),
        ] {
            for size in 1..=sent.len().max(1) {
                let mut record = HeadRecord::default();
                record.begin();
                sent.as_bytes().chunks(size).for_each(|piece| record.push(piece));
                assert_eq!(record.take(), sent.as_bytes()[..expected], "{sent:?} by {size}");
                record.push(b"HTTP/1.1 200 OK\r\n\r\n");
                assert_eq!(record.take(), "", "what comes unasked is not recorded");
            }
        }
    }

    #[test]
    fn empty_lines_before_a_head() {
        let mut record = HeadRecord::default();
        record.begin();
        record.push(b"\r\n\nHTTP/1.1 200 OK\r\n\r\n");
        assert_eq!(record.take(), "HTTP/1.1 200 OK\r\n\r\n");
    }
}
