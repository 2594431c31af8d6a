//! The body of a response: pieces of octets, as the reader takes them, and how their end is known.

use std::fmt::{self, Debug, Formatter};
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use locator::UriRefBuf;
use tokio::io::{AsyncRead, ReadBuf};

use crate::driver::{Driver, Progress};
use crate::error::failure::{Failure, FailureKind};
use crate::error::{FetchError, Hop};
use crate::headers::Headers;
#[cfg(feature = "http")]
use crate::http;
use crate::local::{self, LocalBody};
use crate::run::{Outcome, Whole};

/// The octets of a response, as an `AsyncRead`, as a `Stream` of chunks, or by [`chunk`](Self::chunk). They
/// are read from the server only as fast as they are taken.
///
/// The end is an end only if nothing is known to be missing: a body that was cut short is an error, as a
/// reader `UnexpectedEof`. After an error each further read returns the same error.
///
/// Dropping it closes the connections, unless the rest of a short body is there already; nothing goes on
/// without it.
///
/// ```
/// use locator_fetch::Fetcher;
/// use tokio::io::AsyncReadExt;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// let mut body = Fetcher::for_user_input().fetch("data:,hello").await?.body();
/// let mut text = String::new();
/// body.read_to_string(&mut text).await?;
/// assert_eq!(text, "hello");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
pub struct Body {
    /// What reads, unless that is being polled.
    reader: Option<Box<Reader>>,
    /// A read that was polled and has not ended.
    pending: Mutex<Option<Pending>>,
    /// What is left of a chunk.
    rest: Bytes,
    pub(crate) url: UriRefBuf,
    pub(crate) hops: Vec<Hop>,
}

type Pending = Pin<Box<dyn Future<Output = Box<Reader>> + Send>>;

/// What reads a body.
struct Reader {
    octets: BodySource,
    /// BodySource that were read before.
    first: Option<Bytes>,
    end: Option<Result<Whole, Box<Failure>>>,
    limit: Option<u64>,
    taken: u64,
    trailers: Headers,
}

/// Where octets come from.
pub(crate) enum BodySource {
    Driver(Box<Driver>),
    #[cfg(feature = "http")]
    Http(Box<http::Reading>),
    Local(LocalBody),
    None,
}

impl Body {
    pub(crate) fn new(octets: BodySource, url: UriRefBuf, hops: Vec<Hop>) -> Self {
        let trailers = Headers::default();
        let reader = Reader { octets, first: None, end: None, limit: None, taken: 0, trailers };
        Self { reader: Some(reader.into()), pending: Mutex::default(), rest: Bytes::new(), url, hops }
    }

    fn with(mut self, set: impl FnOnce(&mut Reader)) -> Self {
        if let Some(reader) = &mut self.reader {
            set(reader);
        }
        self
    }

    /// Sets the octets that were read before.
    pub(crate) fn first(self, octets: Bytes) -> Self {
        self.with(|reader| reader.first = Some(octets))
    }

    /// Sets the largest number of octets; a driver has its own.
    pub(crate) fn limit(self, limit: Option<u64>) -> Self {
        self.with(|reader| reader.limit = limit)
    }

    /// Sets the end.
    pub(crate) fn end(self, whole: Whole) -> Self {
        self.with(|reader| reader.ended(Ok(whole)))
    }

    /// Returns the next octets; `None` at the end. A call whose future is dropped loses nothing.
    ///
    /// # Errors
    ///
    /// The body is not complete, or exceeds a limit.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, FetchError> {
        loop {
            if let Some(chunk) = self.ready() {
                return chunk;
            }
            match &mut self.reader {
                Some(reader) => reader.advance().await,
                None => poll_fn(|context| self.poll_advance(context)).await,
            }
        }
    }

    /// Goes on as far as that is possible without waiting; returns whether the next call of
    /// [`chunk`](Self::chunk) has something to return.
    pub(crate) async fn look(&mut self) -> bool {
        let has =
            |body: &Self| !body.rest.is_empty() || body.reader.as_ref().is_some_and(|one| one.is_ready());
        if !has(self) {
            let _ = poll_fn(|context| Poll::Ready(self.poll_advance(context))).await;
        }
        has(self)
    }

    /// Reads the rest, drops it, and returns how the end is known.
    ///
    /// # Errors
    ///
    /// The body is not complete, or exceeds a limit.
    pub async fn finish(mut self) -> Result<Whole, FetchError> {
        while self.chunk().await?.is_some() {}
        Ok(self.whole().unwrap_or(Whole::Unverified))
    }

    /// Returns how the end is known, once it was read.
    #[must_use]
    pub fn whole(&self) -> Option<Whole> {
        self.reader.as_ref()?.end.as_ref()?.as_ref().ok().copied()
    }

    /// Returns the headers after the octets (RFC 9110, 6.5), once they were read.
    #[must_use]
    pub fn trailers(&self) -> &Headers {
        self.reader.as_ref().map_or(Headers::NONE, |reader| &reader.trailers)
    }

    /// Returns what is there without reading: octets, or the end.
    fn ready(&mut self) -> Option<Result<Option<Bytes>, FetchError>> {
        if !self.rest.is_empty() {
            return Some(Ok(Some(std::mem::take(&mut self.rest))));
        }
        let reader = self.reader.as_mut()?;
        if let Some(octets) = reader.first.take() {
            return Some(Ok(Some(octets)));
        }
        Some(match reader.end.as_ref()? {
            Ok(_) => Ok(None),
            Err(failure) => {
                let failure = (**failure).clone();
                Err(self.error(failure))
            }
        })
    }

    /// Goes on. What waits is kept, so that its timers and wakers are, too.
    fn poll_advance(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let pending = self.pending.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(mut reader) = self.reader.take() {
            *pending = Some(Box::pin(async move {
                reader.advance().await;
                reader
            }));
        }
        if let Some(future) = pending {
            self.reader = Some(ready!(future.as_mut().poll(context)));
            *pending = None;
        }
        Poll::Ready(())
    }

    fn poll_chunk(&mut self, context: &mut Context<'_>) -> Poll<Result<Option<Bytes>, FetchError>> {
        loop {
            if let Some(chunk) = self.ready() {
                return Poll::Ready(chunk);
            }
            ready!(self.poll_advance(context));
        }
    }

    /// Copies octets of a chunk to a buffer of a reader, and keeps the rest of it.
    pub(crate) fn copy(&mut self, mut chunk: Bytes, buffer_length: usize) -> Bytes {
        let taken = chunk.split_to(chunk.len().min(buffer_length));
        self.rest = chunk;
        taken
    }

    /// Returns the next octets of an object of this machine.
    pub(crate) fn chunk_here(&mut self) -> Result<Option<Bytes>, FetchError> {
        loop {
            if let Some(chunk) = self.ready() {
                return chunk;
            }
            self.reader.as_deref_mut().into_iter().for_each(Reader::advance_here);
        }
    }

    /// Returns whether the object is of this machine.
    pub(crate) fn is_here(&self) -> bool {
        self.reader
            .as_ref()
            .is_some_and(|reader| matches!(reader.octets, BodySource::Local(_) | BodySource::None))
    }

    pub(crate) fn error(&self, failure: Failure) -> FetchError {
        FetchError::new(self.url.clone(), self.hops.clone(), failure)
    }
}

impl Stream for Body {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        self.poll_chunk(context).map(|chunk| chunk.map_err(io::Error::from).transpose())
    }
}

impl AsyncRead for Body {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        while buffer.remaining() > 0 {
            let Some(chunk) = ready!(self.poll_chunk(context))? else { break };
            let taken = self.copy(chunk, buffer.remaining());
            buffer.put_slice(&taken);
            if !taken.is_empty() {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl Reader {
    const fn is_ready(&self) -> bool {
        self.first.is_some() || self.end.is_some()
    }

    async fn advance(&mut self) {
        match &mut self.octets {
            BodySource::Driver(driver) => match driver.next().await {
                Progress::Given(octets) => self.first = Some(octets),
                Progress::Done(outcome) => self.ended(end_of(outcome)),
            },
            #[cfg(feature = "http")]
            BodySource::Http(reading) => match reading.next().await {
                http::Read::Given(octets) => self.first = Some(octets),
                http::Read::End(whole) => {
                    self.trailers = reading.take_trailers();
                    self.ended(Ok(whole));
                }
                http::Read::Failed(kind) => self.ended(Err(http::failure(kind).into())),
            },
            BodySource::Local(LocalBody::File(file, offset)) => {
                let (file, at) = (file.clone(), *offset);
                let piece = tokio::task::spawn_blocking(move || local::read_piece(&file, at)).await;
                let piece = piece.unwrap_or_else(|_| {
                    Err(Failure::new(FailureKind::File("interrupted".into()), "reading the file"))
                });
                self.read(piece);
            }
            _ => self.advance_here(),
        }
    }

    /// Goes on with what needs no runtime.
    fn advance_here(&mut self) {
        match std::mem::replace(&mut self.octets, BodySource::None) {
            BodySource::Local(LocalBody::File(file, offset)) => {
                let piece = local::read_piece(&file, offset);
                self.octets = BodySource::Local(LocalBody::File(file, offset));
                self.read(piece);
            }
            BodySource::Local(LocalBody::Octets(octets)) => {
                self.give(octets);
                if self.end.is_none() {
                    self.ended(Ok(Whole::Framed));
                }
            }
            other => {
                self.octets = other;
                let kind = FailureKind::NotSupported("using the network without a runtime");
                self.ended(Err(Failure::new(kind, "").into()));
            }
        }
    }

    fn read(&mut self, piece: Result<Bytes, Failure>) {
        match piece {
            Ok(piece) if piece.is_empty() => self.ended(Ok(Whole::Framed)),
            Ok(piece) => {
                if let BodySource::Local(LocalBody::File(_, offset)) = &mut self.octets {
                    *offset += piece.len() as u64;
                }
                self.give(piece);
            }
            Err(failure) => self.ended(Err(failure.into())),
        }
    }

    /// Gives octets of this machine, as many as the limit lets.
    fn give(&mut self, mut octets: Bytes) {
        let left = self.limit.map_or(u64::MAX, |limit| limit - self.taken);
        if octets.len() as u64 > left {
            octets.truncate(usize::try_from(left).unwrap_or(usize::MAX));
            let kind = FailureKind::TooMuch { what: "bytes in the body", limit: self.taken + left };
            self.ended(Err(Failure::new(kind, "reading the data").into()));
        }
        self.taken += octets.len() as u64;
        self.first = Some(octets).filter(|octets| !octets.is_empty());
    }

    /// Ends the body; its connections are closed.
    fn ended(&mut self, end: Result<Whole, Box<Failure>>) {
        self.octets = BodySource::None;
        self.end = Some(end);
    }
}

/// Returns the end of a body that is being read.
fn end_of(outcome: Outcome) -> Result<Whole, Box<Failure>> {
    match outcome {
        Outcome::Got { whole, .. } => Ok(whole),
        Outcome::Failed(failure) => Err(failure.into()),
        _ => Err(Failure::new(FailureKind::NotSupported("a redirect after the body"), "").into()),
    }
}

impl Debug for Body {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let end = self.reader.as_ref().and_then(|reader| reader.end.as_ref());
        f.debug_struct("Body").field("end", &end).finish_non_exhaustive()
    }
}
