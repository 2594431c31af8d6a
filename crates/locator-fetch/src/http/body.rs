//! Bodies of requests: octets, files and streams, one after the other, and how they are sent.

use std::collections::VecDeque;
use std::fmt::{self, Debug, Formatter};
use std::fs::File;
use std::io::{self, Read};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use hyper::body::{Body, Frame, SizeHint};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{Sleep, sleep};

use super::wire::CONTINUE_TIME;
use super::wire::WireRecord;
use crate::error::failure::{Failure, FailureKind};
use crate::local::{self, PIECE};

/// The body of a request: octets or a text, a file, a [reader](Self::reader), a [stream](Self::stream), or
/// several of these [one after the other](Self::then). Only octets are kept in memory.
///
/// A redirect, a login or a retry may need it a second time; a reader and a stream have no second time, so
/// such a request fails.
///
/// ```no_run
/// use std::fs::File;
///
/// use locator_fetch::blocking::Fetcher;
///
/// let fetcher = Fetcher::for_user_input();
/// fetcher.request("http://localhost/a").method("PUT").body("a text").send()?;
/// fetcher
///     .request("http://localhost/b")
///     .method("PUT")
///     .body(File::open("large.bin")?)
///     .send()?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct RequestBody(Vec<Content>);

type ByteStream = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>;

/// Where a stream is until it is sent.
type StreamSlot = Arc<Mutex<Option<ByteStream>>>;

#[derive(Clone)]
enum Content {
    Octets(Bytes),
    /// A regular file, and its length when it was opened.
    File(Arc<File>, u64),
    Stream(StreamSlot),
}

impl RequestBody {
    /// Creates a body of a stream, whose length is not known before: HTTP/1.1 sends it in chunks.
    #[must_use]
    pub fn stream(octets: impl Stream<Item = io::Result<Bytes>> + Send + 'static) -> Self {
        Self(vec![Content::Stream(Arc::new(Mutex::new(Some(Box::pin(octets)))))])
    }

    /// Creates a body of a reader, such as standard input. It is read while it is sent, by a thread that may
    /// wait for it; its length is not known before.
    ///
    /// ```no_run
    /// use locator_fetch::blocking::Fetcher;
    /// use locator_fetch::http::RequestBody;
    ///
    /// let body = RequestBody::reader(std::io::stdin());
    /// Fetcher::for_user_input().request("http://localhost/a").body(body).send()?;
    /// # Ok::<_, locator_fetch::FetchError>(())
    /// ```
    #[must_use]
    pub fn reader(reader: impl Read + Send + 'static) -> Self {
        Self::stream(ReaderStream { reader: Some(Box::new(reader)), reading: None })
    }

    /// Adds another body after this one.
    #[must_use]
    pub fn then(mut self, other: impl Into<Self>) -> Self {
        self.0.extend(other.into().0);
        self
    }

    /// Returns the length in octets; `None` if a reader or a stream is in it.
    #[must_use]
    pub fn content_length(&self) -> Option<u64> {
        let length = |content: &Content| match content {
            Content::Octets(octets) => Some(octets.len() as u64),
            Content::File(_, length) => Some(*length),
            Content::Stream(_) => None,
        };
        self.0.iter().try_fold(0_u64, |sum, content| sum.checked_add(length(content)?))
    }

    /// Returns the octets, if it has nothing else.
    #[cfg(test)]
    pub(super) fn octets(&self) -> Vec<u8> {
        let octets = |content: &Content| match content {
            Content::Octets(octets) => octets.to_vec(),
            _ => Vec::new(),
        };
        self.0.iter().flat_map(octets).collect()
    }

    /// Returns whether it can be sent: what is read only once was not sent before.
    pub(super) fn may_be_sent(&self) -> bool {
        let is_here = |home: &StreamSlot| home.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        self.0.iter().all(|content| !matches!(content, Content::Stream(home) if !is_here(home)))
    }

    /// Begins to send it, through a gate if there is one.
    pub(crate) fn open(self, gate: Option<ContinueGate>) -> Result<OutgoingBody, FailureKind> {
        if !self.may_be_sent() {
            return Err(FailureKind::NotSupported(
                "sending the data from a pipe a second time, after a login, a redirect or a failure,",
            ));
        }
        let parts = self.0.into_iter().map(|content| match content {
            Content::Octets(octets) => Part::Octets(octets),
            Content::File(file, length) => Part::File { file, at: 0, left: length, reading: None },
            Content::Stream(home) => {
                let stream = home.lock().unwrap_or_else(PoisonError::into_inner).take();
                Part::Stream(OpenStream { stream, home, is_begun: false })
            }
        });
        Ok(OutgoingBody { parts: parts.collect(), gate })
    }
}

impl From<File> for RequestBody {
    /// The whole file, from its beginning. A pipe or a device is read once, from where it is.
    fn from(file: File) -> Self {
        match file.metadata() {
            Ok(metadata) if metadata.is_file() => Self(vec![Content::File(Arc::new(file), metadata.len())]),
            _ => Self::reader(file),
        }
    }
}

macro_rules! from_octets {
    ($($type:ty)*) => {$(
        impl From<$type> for RequestBody {
            fn from(octets: $type) -> Self {
                Self(vec![Content::Octets(octets.into())])
            }
        }
    )*};
}

from_octets! { Bytes Vec<u8> String &'static str &'static [u8] }

/// Writes the number of the octets.
impl Debug for RequestBody {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.content_length() {
            Some(length) => write!(f, "{length} octets"),
            None => f.write_str("a stream"),
        }
    }
}

/// The pieces of a reader, each read by a thread that may wait.
struct ReaderStream {
    reader: Option<Box<dyn Read + Send>>,
    reading: Option<JoinHandle<ReadSome>>,
}

/// A reader, and what was read of it.
type ReadSome = (Box<dyn Read + Send>, io::Result<Vec<u8>>);

impl Stream for ReaderStream {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(reader) = self.reader.take() {
            self.reading = Some(spawn_blocking(move || read_some(reader)));
        }
        let Some(reading) = &mut self.reading else { return Poll::Ready(None) };
        let read = ready!(Pin::new(reading).poll(context));
        self.reading = None;
        let (reader, read) = match read {
            Ok(read) => read,
            Err(error) => return Poll::Ready(Some(Err(io::Error::other(error)))),
        };
        Poll::Ready(match read {
            Ok(octets) if octets.is_empty() => None,
            Ok(octets) => {
                self.reader = Some(reader);
                Some(Ok(octets.into()))
            }
            Err(error) => Some(Err(error)),
        })
    }
}

fn read_some(mut reader: Box<dyn Read + Send>) -> ReadSome {
    let mut piece = vec![0; PIECE];
    let read = loop {
        match reader.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read,
        }
    };
    let octets = read.map(|count| {
        piece.truncate(count);
        piece
    });
    (reader, octets)
}

/// What holds a body back until the server wants it: it says 100 (Continue), or nothing for a while. "A
/// client that sends a 100-continue expectation is not required to wait for any specific length of time"
/// (RFC 9110, 10.1.1).
pub(crate) struct ContinueGate {
    wire: Arc<WireRecord>,
    wait: Pin<Box<Sleep>>,
}

impl ContinueGate {
    pub(super) fn new(wire: Arc<WireRecord>) -> Self {
        Self { wire, wait: Box::pin(sleep(Duration::from_millis(CONTINUE_TIME))) }
    }

    /// Waits until the body may be sent. After a final response it never is.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        match self.wire.continues() {
            Some(true) => Poll::Ready(()),
            Some(false) => Poll::Pending,
            None => self.wait.as_mut().poll(context),
        }
    }
}

/// A body that is being sent.
pub(crate) struct OutgoingBody {
    parts: VecDeque<Part>,
    gate: Option<ContinueGate>,
}

enum Part {
    Octets(Bytes),
    File { file: Arc<File>, at: u64, left: u64, reading: Option<JoinHandle<Result<Bytes, Failure>>> },
    Stream(OpenStream),
}

/// A stream that is sent. If nothing of it was, another request may send it.
struct OpenStream {
    stream: Option<ByteStream>,
    home: StreamSlot,
    is_begun: bool,
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        if !self.is_begun {
            *self.home.lock().unwrap_or_else(PoisonError::into_inner) = self.stream.take();
        }
    }
}

impl Part {
    fn is_over(&self) -> bool {
        match self {
            Self::Octets(octets) => octets.is_empty(),
            Self::File { left, .. } => *left == 0,
            Self::Stream(_) => false,
        }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        match self {
            Self::Octets(octets) => {
                Poll::Ready(Some(std::mem::take(octets)).filter(|one| !one.is_empty()).map(Ok))
            }
            Self::Stream(OpenStream { stream, is_begun, .. }) => {
                *is_begun = true;
                match stream {
                    Some(stream) => stream.as_mut().poll_next(context),
                    None => Poll::Ready(None),
                }
            }
            Self::File { left: 0, .. } => Poll::Ready(None),
            Self::File { file, at, left, reading } => {
                let read = reading.get_or_insert_with(|| {
                    let (file, at) = (file.clone(), *at);
                    spawn_blocking(move || local::read_piece(&file, at))
                });
                let piece = ready!(Pin::new(read).poll(context));
                *reading = None;
                Poll::Ready(Some(match piece.map_err(io::Error::other)?.map_err(io::Error::other)? {
                    piece if piece.is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
                    mut piece => {
                        // What was added since is not announced.
                        piece.truncate(usize::try_from(*left).unwrap_or(usize::MAX));
                        *at += piece.len() as u64;
                        *left -= piece.len() as u64;
                        Ok(piece)
                    }
                }))
            }
        }
    }
}

impl OutgoingBody {
    /// Returns the next octets; `None` at the end.
    pub(crate) fn poll_piece(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        if let Some(gate) = &mut self.gate {
            ready!(gate.poll(context));
            self.gate = None;
        }
        while let Some(part) = self.parts.front_mut() {
            if let Some(octets) = ready!(part.poll(context)) {
                return Poll::Ready(Some(octets));
            }
            self.parts.pop_front();
        }
        Poll::Ready(None)
    }
}

impl Body for OutgoingBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        self.poll_piece(context).map(|piece| piece.map(|octets| octets.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.parts.iter().all(Part::is_over)
    }

    fn size_hint(&self) -> SizeHint {
        let length = |part: &Part| match part {
            Part::Octets(octets) => Some(octets.len() as u64),
            Part::File { left, .. } => Some(*left),
            Part::Stream(_) => None,
        };
        let sum = self.parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(length(part)?));
        sum.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}
