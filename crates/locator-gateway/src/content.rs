//! The body of a response: octets, a body that is passed on as it comes, or the page of one. The server of a
//! body is read only as fast as the client reads.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream as _;
use hyper::body::{Body, Frame, SizeHint};
use tokio::task::{JoinHandle, spawn_blocking};

use super::pages::ObjectPage;
use super::visit::Visit;

/// The body of a response.
pub(super) struct Content {
    source: Source,
    length: Option<u64>,
    /// Ends when all is written.
    visit: Option<Visit>,
}

enum Source {
    Octets(Bytes),
    Raw(Passed),
    /// The body has ended early, once what is there is written.
    Broken(Option<io::Error>),
    Page(Box<Shown>),
}

/// A body whose first octets were read.
pub(super) struct Passed {
    pub(super) first: Option<Bytes>,
    pub(super) rest: locator_fetch::Body,
}

impl Passed {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        match self.first.take() {
            Some(first) => Poll::Ready(Some(Ok(first))),
            None => Pin::new(&mut self.rest).poll_next(context),
        }
    }
}

/// A body that is shown as a page.
struct Shown {
    /// What is to be written first.
    begin: Bytes,
    page: Option<ObjectPage>,
    body: Option<Passed>,
    /// Writes the end of the page, on another thread.
    ending: Option<JoinHandle<Vec<u8>>>,
}

impl Content {
    fn new(source: Source, length: Option<u64>) -> Self {
        Self { source, length, visit: None }
    }

    /// Returns a body of octets.
    pub(super) fn octets(octets: impl Into<Bytes>) -> Self {
        let octets = octets.into();
        let length = octets.len() as u64;
        Self::new(Source::Octets(octets), Some(length))
    }

    /// Passes a body on; `length` is what its server says.
    pub(super) fn raw(body: Passed, length: Option<u64>) -> Self {
        Self::new(Source::Raw(body), length)
    }

    /// Returns nothing, but says a length, as the response to HEAD does.
    pub(super) fn none(length: Option<u64>) -> Self {
        Self::new(Source::Octets(Bytes::new()), length)
    }

    /// Shows a body as a page.
    pub(super) fn page(mut page: ObjectPage, body: Passed) -> Self {
        let shown = Shown { begin: page.begin().into(), page: Some(page), body: Some(body), ending: None };
        Self::new(Source::Page(Box::new(shown)), None)
    }

    /// Keeps the visit until all is written.
    pub(super) fn of(self, visit: Visit) -> Self {
        Self { visit: Some(visit), ..self }
    }
}

impl Shown {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        loop {
            if !self.begin.is_empty() {
                return Poll::Ready(Some(Ok(std::mem::take(&mut self.begin))));
            }
            if let Some(ending) = &mut self.ending {
                let end = ready!(Pin::new(ending).poll(context));
                self.ending = None;
                match end {
                    Ok(end) => self.begin = end.into(),
                    Err(error) => return Poll::Ready(Some(Err(io::Error::other(error)))),
                }
                continue;
            }
            let Some(page) = &mut self.page else { return Poll::Ready(None) };
            let next = match &mut self.body {
                Some(body) if !page.is_complete() => ready!(body.poll(context)),
                _ => None,
            };
            self.begin = match next {
                Some(Ok(octets)) => page.push(&octets),
                None => self.ended(None),
                // The page says that the rest is missing.
                Some(Err(error)) => self.ended(Some(reason(&error))),
            }
            .into();
        }
    }

    /// Returns the end of the page, and closes the connection to the server. An end that takes long is written
    /// by another thread.
    fn ended(&mut self, why: Option<String>) -> Vec<u8> {
        self.body = None;
        let Some(page) = self.page.take() else { return Vec::new() };
        let is_slow = page.ends_slowly();
        let end = move || match why {
            Some(why) => page.fail(&why),
            None => page.end(),
        };
        if is_slow {
            self.ending = Some(spawn_blocking(end));
            return Vec::new();
        }
        end()
    }
}

/// Returns why a body ended early.
fn reason(error: &io::Error) -> String {
    let error = error.get_ref().and_then(|inner| inner.downcast_ref::<locator_fetch::FetchError>());
    let failure = error.and_then(locator_fetch::FetchError::failure);
    failure.map_or_else(|| "the connection broke".to_owned(), ToString::to_string)
}

impl Body for Content {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let next = match &mut self.source {
            Source::Octets(octets) if octets.is_empty() => None,
            Source::Octets(octets) => Some(Ok(std::mem::take(octets))),
            Source::Raw(body) => match ready!(body.poll(context)) {
                Some(Err(error)) => {
                    self.source = Source::Broken(Some(error));
                    context.waker().wake_by_ref();
                    return Poll::Pending;
                }
                next => next,
            },
            Source::Broken(error) => error.take().map(Err),
            Source::Page(shown) => ready!(shown.poll(context)),
        };
        if next.is_none() {
            self.visit = None;
        }
        Poll::Ready(next.map(|result| result.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        matches!(&self.source, Source::Octets(octets) if octets.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        self.length.map_or_else(SizeHint::new, SizeHint::with_exact)
    }
}
