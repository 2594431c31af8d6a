//! Bodies of requests: octets, files and streams, and how they are sent.

use std::fmt::{self, Debug, Formatter};
use std::fs::File;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use hyper::body::{Body, Frame, SizeHint};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::failure::{Failure, FailureKind};
use crate::local;
use crate::shown;

/// The body of a request: octets or a text, a file, or a [stream](Self::stream).
///
/// A redirect or a login may need it a second time; a stream has no second time, so such a request fails.
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
#[derive(Clone)]
pub struct RequestBody(Content);

type ByteStream = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>;

#[derive(Clone)]
enum Content {
    Octets(Bytes),
    File(Arc<File>),
    Stream(Arc<Mutex<Option<ByteStream>>>),
}

impl RequestBody {
    /// Creates a body of a stream, whose length is not known before: HTTP/1.1 sends it in chunks.
    #[must_use]
    pub fn stream(octets: impl Stream<Item = io::Result<Bytes>> + Send + 'static) -> Self {
        Self(Content::Stream(Arc::new(Mutex::new(Some(Box::pin(octets))))))
    }

    /// Returns whether it is known to have no octets.
    pub(super) fn is_empty(&self) -> bool {
        matches!(&self.0, Content::Octets(octets) if octets.is_empty())
    }

    /// Returns whether it can be sent twice.
    pub(super) const fn may_be_repeated(&self) -> bool {
        !matches!(self.0, Content::Stream(_))
    }

    /// Begins to send it.
    pub(super) fn open(self) -> Result<OutgoingBody, FailureKind> {
        Ok(match self.0 {
            Content::Octets(octets) => OutgoingBody::Octets(octets),
            Content::File(file) => {
                let metadata = file.metadata();
                let left = metadata.map_err(local::file_failure)?.len();
                OutgoingBody::File { file, at: 0, left, reading: None }
            }
            Content::Stream(octets) => {
                let octets = octets.lock().unwrap_or_else(PoisonError::into_inner).take();
                OutgoingBody::Stream(
                    octets.ok_or(FailureKind::NotSupported("sending a stream a second time"))?,
                )
            }
        })
    }
}

impl Default for RequestBody {
    fn default() -> Self {
        Self(Content::Octets(Bytes::new()))
    }
}

impl From<File> for RequestBody {
    /// The whole file, from its beginning.
    fn from(file: File) -> Self {
        Self(Content::File(Arc::new(file)))
    }
}

macro_rules! from_octets {
    ($($type:ty)*) => {$(
        impl From<$type> for RequestBody {
            fn from(octets: $type) -> Self {
                Self(Content::Octets(octets.into()))
            }
        }
    )*};
}

from_octets! { Bytes Vec<u8> String &'static str &'static [u8] }

/// Writes the number of the octets.
impl Debug for RequestBody {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Content::Octets(octets) => shown::Octets(octets).fmt(f),
            Content::File(_) => f.write_str("a file"),
            Content::Stream(_) => f.write_str("a stream"),
        }
    }
}

/// A body that is being sent.
pub(super) enum OutgoingBody {
    Octets(Bytes),
    File { file: Arc<File>, at: u64, left: u64, reading: Option<JoinHandle<Result<Bytes, Failure>>> },
    Stream(ByteStream),
}

impl Body for OutgoingBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let octets = match &mut *self {
            Self::Octets(octets) => Some(std::mem::take(octets)).filter(|one| !one.is_empty()).map(Ok),
            Self::Stream(stream) => ready!(stream.as_mut().poll_next(context)),
            Self::File { left: 0, .. } => None,
            Self::File { file, at, left, reading } => {
                let read = reading.get_or_insert_with(|| {
                    let (file, at) = (file.clone(), *at);
                    spawn_blocking(move || local::read_piece(&file, at))
                });
                let piece = ready!(Pin::new(read).poll(context));
                *reading = None;
                Some(match piece.map_err(io::Error::other)?.map_err(io::Error::other)? {
                    piece if piece.is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
                    mut piece => {
                        // What was added since is not announced.
                        piece.truncate(usize::try_from(*left).unwrap_or(usize::MAX));
                        *at += piece.len() as u64;
                        *left -= piece.len() as u64;
                        Ok(piece)
                    }
                })
            }
        };
        Poll::Ready(octets.map(|octets| octets.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Octets(octets) => octets.is_empty(),
            Self::File { left, .. } => *left == 0,
            Self::Stream(_) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Octets(octets) => SizeHint::with_exact(octets.len() as u64),
            Self::File { left, .. } => SizeHint::with_exact(*left),
            Self::Stream(_) => SizeHint::default(),
        }
    }
}
