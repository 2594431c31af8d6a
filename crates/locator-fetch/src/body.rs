//! The body of an object: pieces of octets, as the reader takes them, and how their end is known.

use std::fmt::{self, Debug, Formatter};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use bytes::Bytes;
use locator::UriRefBuf;

use crate::driver::{Driver, Progress};
use crate::error::{FetchError, Hop};
use crate::failure::{Failure, FailureKind};
#[cfg(feature = "http")]
use crate::http;
use crate::local::{self, Source};
use crate::response_head::Field;
use crate::run::{Outcome, Whole};

/// The octets of an object. They are read from the server only as fast as they are taken.
///
/// Dropping it closes the connections; nothing goes on without it.
pub struct Body {
    octets: Octets,
    /// Octets that were read before.
    first: Option<Bytes>,
    end: Option<Result<Whole, Box<Failure>>>,
    limit: Option<u64>,
    taken: u64,
    trailers: Vec<Field>,
    pub(crate) url: UriRefBuf,
    pub(crate) hops: Vec<Hop>,
}

/// Where octets come from.
pub(crate) enum Octets {
    Driver(Box<Driver>),
    #[cfg(feature = "http")]
    Http(Box<http::Reading>),
    Local(Source),
    None,
}

impl Body {
    pub(crate) fn new(octets: Octets, url: UriRefBuf, hops: Vec<Hop>) -> Self {
        Self { octets, first: None, end: None, limit: None, taken: 0, trailers: Vec::new(), url, hops }
    }

    /// Sets the octets that were read before.
    pub(crate) fn first(self, octets: Bytes) -> Self {
        Self { first: Some(octets), ..self }
    }

    /// Sets the largest number of octets; a driver has its own.
    pub(crate) fn limit(self, limit: Option<u64>) -> Self {
        Self { limit, ..self }
    }

    /// Sets the end.
    pub(crate) fn end(self, whole: Whole) -> Self {
        Self { end: Some(Ok(whole)), octets: Octets::None, ..self }
    }

    /// Returns the next octets; `None` at the end of the object. After an error it returns the same
    /// error. A call whose future is dropped loses nothing.
    ///
    /// # Errors
    ///
    /// The object is not whole.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, FetchError> {
        loop {
            if let Some(chunk) = self.ready() {
                return chunk;
            }
            self.advance().await;
        }
    }

    /// Goes on as far as that is possible without waiting; returns whether the next call of
    /// [`chunk`](Self::chunk) has something to return.
    pub(crate) async fn look(&mut self) -> bool {
        if self.first.is_none() && self.end.is_none() {
            let mut advance = pin!(self.advance());
            let _ = poll_fn(|context| Poll::Ready(advance.as_mut().poll(context))).await;
        }
        self.first.is_some() || self.end.is_some()
    }

    /// Reads the rest, drops it, and returns how the end of the object is known.
    ///
    /// # Errors
    ///
    /// The object is not whole.
    pub async fn finish(mut self) -> Result<Whole, FetchError> {
        while self.chunk().await?.is_some() {}
        Ok(self.whole().unwrap_or(Whole::Unverified))
    }

    /// Returns how the end of the object is known, once it was read.
    #[must_use]
    pub fn whole(&self) -> Option<Whole> {
        self.end.as_ref()?.as_ref().ok().copied()
    }

    /// Returns the fields after the octets (RFC 9110, 6.5), once they were read.
    #[must_use]
    pub fn trailers(&self) -> &[Field] {
        &self.trailers
    }

    async fn advance(&mut self) {
        match &mut self.octets {
            Octets::Driver(driver) => match driver.next().await {
                Progress::Given(octets) => self.first = Some(octets),
                Progress::Done(outcome) => self.ended(end_of(outcome)),
            },
            #[cfg(feature = "http")]
            Octets::Http(reading) => match reading.next().await {
                http::Read::Given(octets) => self.first = Some(octets),
                http::Read::End(whole) => {
                    self.trailers = reading.take_trailers();
                    self.ended(Ok(whole));
                }
                http::Read::Failed(kind) => self.ended(Err(http::failure(kind).into())),
            },
            Octets::Local(Source::File(file, offset)) => {
                let (file, at) = (file.clone(), *offset);
                let piece = tokio::task::spawn_blocking(move || local::read_piece(&file, at)).await;
                let piece = piece.unwrap_or_else(|_| {
                    Err(Failure::new(FailureKind::File("reading was ended".into()), "reading the file"))
                });
                self.read(piece);
            }
            _ => self.advance_here(),
        }
    }

    /// Goes on with what needs no runtime.
    pub(crate) fn advance_here(&mut self) {
        match std::mem::replace(&mut self.octets, Octets::None) {
            Octets::Local(Source::File(file, offset)) => {
                let piece = local::read_piece(&file, offset);
                self.octets = Octets::Local(Source::File(file, offset));
                self.read(piece);
            }
            Octets::Local(Source::Octets(octets)) => {
                self.give(octets);
                if self.end.is_none() {
                    self.ended(Ok(Whole::Framed));
                }
            }
            other => {
                self.octets = other;
                let kind = FailureKind::NotSupported("a network without a runtime");
                self.ended(Err(Failure::new(kind, "").into()));
            }
        }
    }

    /// Returns what is there without reading: octets, or the end.
    fn ready(&mut self) -> Option<Result<Option<Bytes>, FetchError>> {
        if let Some(octets) = self.first.take() {
            return Some(Ok(Some(octets)));
        }
        Some(match self.end.as_ref()? {
            Ok(_) => Ok(None),
            Err(failure) => Err(self.error(failure.clone())),
        })
    }

    /// Returns the next octets of an object of this machine.
    pub(crate) fn chunk_here(&mut self) -> Result<Option<Bytes>, FetchError> {
        loop {
            if let Some(chunk) = self.ready() {
                return chunk;
            }
            self.advance_here();
        }
    }

    /// Returns whether the object is of this machine.
    pub(crate) const fn is_here(&self) -> bool {
        matches!(self.octets, Octets::Local(_) | Octets::None)
    }

    fn read(&mut self, piece: Result<Bytes, Failure>) {
        match piece {
            Ok(piece) if piece.is_empty() => self.ended(Ok(Whole::Framed)),
            Ok(piece) => {
                if let Octets::Local(Source::File(_, offset)) = &mut self.octets {
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
            let kind = FailureKind::TooMuch { what: "octets of the object", limit: self.taken + left };
            self.ended(Err(Failure::new(kind, "reading the object").into()));
        }
        self.taken += octets.len() as u64;
        self.first = Some(octets).filter(|octets| !octets.is_empty());
    }

    /// Ends the body; its connections are closed.
    fn ended(&mut self, end: Result<Whole, Box<Failure>>) {
        self.octets = Octets::None;
        self.end = Some(end);
    }

    pub(crate) fn error(&self, failure: Box<Failure>) -> FetchError {
        FetchError { url: self.url.clone(), failure, hops: self.hops.clone(), response: None }
    }
}

/// Returns the end of a body that is being read.
fn end_of(outcome: Outcome) -> Result<Whole, Box<Failure>> {
    match outcome {
        Outcome::Got { whole, .. } => Ok(whole),
        Outcome::Failed(failure) => Err(failure.into()),
        _ => Err(Failure::new(FailureKind::NotSupported("another URL after an object"), "").into()),
    }
}

impl Debug for Body {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").field("end", &self.end).finish_non_exhaustive()
    }
}
