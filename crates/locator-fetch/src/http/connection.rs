//! Connections of HTTP/1.1 and HTTP/2, by hyper. A connection of one request at a time has no task of its
//! own: it goes on only while a response is waited for or a body is read, and dropping it closes it. Those of
//! HTTP/2 that several requests share are in `shared`.

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body as _, Frame, Incoming};
use hyper::client::conn::{http1, http2};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use locator::plan::Meaning;

use super::body::OutgoingBody;
use super::limits::{BEFORE_HEAD, FIELDS, HEAD, INTERIM, SHARED_WINDOWS, THREADS_WINDOW, WINDOW};
use super::shared::{self, Driven, InRuntime, Multiplexed};
use super::wire::{Watched, Wire};
use crate::error::failure::{Detail, FailureKind, ProtocolCause};
use crate::net::tls::Stream;
use crate::run::Ending;

type Io = TokioIo<Watched>;

/// A connection that one request at a time is sent on.
pub(crate) struct HttpConnection {
    kind: Kind,
    pub(super) wire: Arc<Wire>,
    /// Whether the last request was HEAD. A wrong server sends a body after the head.
    pub(super) follows_head: bool,
}

enum Kind {
    Http1 {
        sender: http1::SendRequest<OutgoingBody>,
        connection: Option<Box<http1::Connection<Io, OutgoingBody>>>,
    },
    Http2 {
        sender: http2::SendRequest<OutgoingBody>,
        connection: Option<Http2>,
        tasks: Tasks,
    },
    /// One request of several on a connection, which a task drives.
    Shared(shared::Stream),
}

type Http2 = Pin<Box<dyn Future<Output = hyper::Result<()>> + Send>>;

impl HttpConnection {
    /// Takes a part of a connection that others use, too.
    pub(super) fn shared(stream: shared::Stream) -> Self {
        Self { wire: stream.wire.clone(), kind: Kind::Shared(stream), follows_head: false }
    }

    /// Begins HTTP/2 on a connection that several requests share.
    pub(super) async fn multiplexed(
        stream: Stream,
        address: SocketAddr,
        driven: &Driven,
    ) -> hyper::Result<Multiplexed> {
        let wire = Arc::new(Wire::of_several());
        let io = TokioIo::new(Watched { stream, wire: wire.clone() });
        let window = match driven {
            Driven::Here(_) => WINDOW,
            Driven::ByThread(_) => THREADS_WINDOW,
        };
        let (sender, connection) = http2::Builder::new(InRuntime(driven.handle().clone()))
            .initial_stream_window_size(window)
            .initial_connection_window_size(SHARED_WINDOWS * window)
            .max_header_list_size(HEAD as u32)
            .handshake(io)
            .await?;
        Ok(Multiplexed::new((sender, Box::pin(connection)), wire, address, driven))
    }

    /// Says that no other request may use this connection, if others could.
    pub(super) fn spoil(&self) {
        if let Kind::Shared(stream) = &self.kind {
            stream.spoil();
        }
    }

    /// Begins HTTP on a connection: HTTP/2 if that was agreed on in TLS.
    pub(super) async fn begin(stream: Stream) -> hyper::Result<Self> {
        let wire = Arc::new(Wire::default());
        let is_http2 = stream.agreed() == Some(b"h2");
        let io = TokioIo::new(Watched { stream, wire: wire.clone() });
        let kind = if is_http2 {
            let tasks = Tasks::default();
            let (sender, connection) = http2::Builder::new(tasks.clone())
                .initial_stream_window_size(WINDOW)
                .initial_connection_window_size(WINDOW)
                .max_header_list_size(HEAD as u32)
                .handshake(io)
                .await?;
            Kind::Http2 { sender, connection: Some(Box::pin(connection)), tasks }
        } else {
            let mut builder = http1::Builder::new();
            builder.max_buf_size(HEAD).max_header_size(HEAD).max_headers(FIELDS);
            // "A user agent that receives an obs-fold in a response message that is not within a
            // message/http container MUST replace each received obs-fold with one or more SP octets prior
            // to interpreting the field value" (RFC 9112, 5.2).
            builder.allow_obsolete_multiline_headers_in_responses(true);
            let (sender, connection) = builder.handshake(io).await?;
            Kind::Http1 { sender, connection: Some(Box::new(connection)) }
        };
        Ok(Self { kind, wire, follows_head: false })
    }

    pub(super) const fn is_http2(&self) -> bool {
        matches!(self.kind, Kind::Http2 { .. } | Kind::Shared(_))
    }

    /// Sends a request, and returns the head of its response.
    pub(super) async fn send(
        &mut self,
        mut request: Request<OutgoingBody>,
    ) -> Result<Response<Incoming>, Fault> {
        let wire = self.wire.clone();
        wire.begin();
        let before = wire.octets();
        if !self.is_http2() {
            wire.head().begin();
            let wire = wire.clone();
            hyper::ext::on_informational(&mut request, move |response| {
                wire.informed(response.status().as_u16());
            });
        }
        let mut response: Pin<Box<dyn Future<Output = hyper::Result<Response<Incoming>>> + Send>> =
            match &mut self.kind {
                Kind::Http1 { sender, .. } => Box::pin(sender.send_request(request)),
                Kind::Http2 { sender, .. } => Box::pin(sender.send_request(request)),
                Kind::Shared(stream) => Box::pin(stream.sender.send_request(request)),
            };
        let response = poll_fn(|cx| {
            if let Poll::Ready(response) = response.as_mut().poll(cx) {
                return Poll::Ready(response.map_err(|error| self.fault(error)));
            }
            let error = self.poll(cx);
            if wire.interim.load(Ordering::Relaxed) > INTERIM {
                let what = "interim responses";
                return Poll::Ready(Err(Fault::new(FailureKind::TooMuch { what, limit: INTERIM.into() })));
            }
            if let Poll::Ready(response) = response.as_mut().poll(cx) {
                // The connection knows more than the response.
                let fault = |error: hyper::Error| self.fault(error);
                return Poll::Ready(
                    response.map_err(|own| fault(error.filter(|_| own.is_canceled()).unwrap_or(own))),
                );
            }
            if wire.octets() - before > BEFORE_HEAD {
                let what = "bytes before the response headers";
                return Poll::Ready(Err(Fault::new(FailureKind::TooMuch { what, limit: BEFORE_HEAD })));
            }
            Poll::Pending
        });
        let mut response = response.await;
        wire.answered();
        if let Err(fault) = &mut response {
            fault.has_answered = wire.octets() > before;
        } else if let Kind::Shared(stream) = &mut self.kind {
            stream.answered();
        }
        response
    }

    /// Returns the next frame of a body; `None` at its end.
    pub(super) async fn frame(&mut self, body: &mut Incoming) -> Result<Option<Frame<Bytes>>, Fault> {
        let frame = poll_fn(|cx| {
            for _ in 0..2 {
                if let Poll::Ready(frame) = Pin::new(&mut *body).poll_frame(cx) {
                    return Poll::Ready(frame);
                }
                self.poll(cx);
            }
            Pin::new(&mut *body).poll_frame(cx)
        });
        match frame.await.transpose().map_err(|error| self.fault(error))? {
            // "An HTTP response is complete after the server sends […] a frame with the END_STREAM flag set"
            // (RFC 9113, 8.1). hyper also ends a body at RST_STREAM and GOAWAY with NO_ERROR.
            None if self.is_http2() && !body.is_end_stream() => Err(Fault::new(FailureKind::CutOff)),
            frame => Ok(frame),
        }
    }

    /// Returns whether another request can be sent, after what has been read of the connection.
    pub(super) async fn is_ready(&mut self) -> bool {
        poll_fn(|cx| {
            self.poll(cx);
            Poll::Ready(match &mut self.kind {
                Kind::Http1 { sender, connection } => connection.is_some() && sender.is_ready(),
                Kind::Http2 { sender, connection, .. } => connection.is_some() && sender.is_ready(),
                // It does not wait in a pool.
                Kind::Shared(_) => false,
            })
        })
        .await
    }

    /// Goes on with the connection; returns its error if it ended with one.
    fn poll(&mut self, cx: &mut Context<'_>) -> Option<hyper::Error> {
        let ended = match &mut self.kind {
            Kind::Http1 { connection, .. } => poll_once(connection, cx),
            Kind::Http2 { connection, tasks, .. } => {
                tasks.poll(cx);
                let ended = poll_once(connection, cx);
                tasks.poll(cx);
                ended
            }
            Kind::Shared(_) => None,
        };
        ended.and_then(Result::err)
    }

    /// Returns what is wrong with a head of HTTP/1.1 that hyper refuses for another reason than its own: a
    /// length that it does not count, and a status line whose reason has control characters.
    fn invalid_head(&self, error: &hyper::Error) -> Option<FailureKind> {
        if !error.is_parse() || self.is_http2() {
            return None;
        }
        let head = self.wire.head();
        let (status, length) = (head.status_line(), head.content_length());
        let is_control = |octet: &u8| octet.is_ascii_control() && *octet != b'\t';
        let why = match (status, length) {
            (Some(reply), _) if reply.text.iter().any(is_control) => {
                let text = String::from_utf8_lossy(&reply.text).escape_debug().to_string();
                format!(
                    "control characters in the reason \"{text}\" of status {}",
                    reply.code.unwrap_or_default()
                )
            }
            (_, Some(length))
                if !length.is_empty()
                    && length.bytes().all(|octet| octet.is_ascii_digit())
                    && length.parse::<i64>().is_err() =>
            {
                format!("Content-Length is too large: {length}")
            }
            _ => return None,
        };
        Some(FailureKind::Protocol(Detail::new(ProtocolCause::Head, why)))
    }

    /// Returns what an error of hyper means.
    fn fault(&self, error: hyper::Error) -> Fault {
        let text = text_of(&error);
        // hyper has not begun to send it; or the server did not process it.
        let is_unsent = error.is_canceled() || is_refused(&error);
        let kind = if self.wire.head().is_tls() {
            FailureKind::Protocol(Detail::new(ProtocolCause::Tls, "the server speaks TLS on this port"))
        } else if let Some(kind) = self.invalid_head(&error) {
            kind
        } else if is_too_large(&error, &text) {
            FailureKind::TooMuch { what: "bytes, or 2,000 headers, in a response head", limit: HEAD as u64 }
        } else if error.is_parse_status() && self.wire.head().status_line().is_some() {
            // "A client that receives a response with an invalid status code SHOULD process the response
            // as if it had a 5xx (Server Error) status code" (RFC 9110, 15).
            FailureKind::Said(Meaning::Busy)
        } else if self.wire.is_flooded() {
            FailureKind::TooMuch { what: "bytes before the response headers", limit: BEFORE_HEAD }
        } else if let Some(kind) = of_system(&error) {
            kind
        } else if let Some(is_remote) = ended_by_http2(&error) {
            match is_remote {
                true => FailureKind::Reset,
                false => FailureKind::Protocol(Detail::new(ProtocolCause::Http2, text).source(error)),
            }
        } else if error.is_incomplete_message() || error.is_canceled() || error.is_closed() {
            match self.wire.ending() {
                Some(Ending::Reset) => FailureKind::Reset,
                _ => FailureKind::CutOff,
            }
        } else {
            let cause = match error.is_parse() {
                true => ProtocolCause::Head,
                false => ProtocolCause::Other,
            };
            FailureKind::Protocol(Detail::new(cause, text).source(error))
        };
        Fault { is_unsent, ..Fault::new(kind) }
    }
}

/// Polls a connection that has not ended; one that has is dropped.
fn poll_once<F: Future + Unpin>(connection: &mut Option<F>, cx: &mut Context<'_>) -> Option<F::Output> {
    match Pin::new(connection.as_mut()?).poll(cx) {
        Poll::Ready(result) => {
            *connection = None;
            Some(result)
        }
        Poll::Pending => None,
    }
}

/// What went wrong on a connection.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) kind: FailureKind,
    /// Whether the server sent anything after the request.
    pub(super) has_answered: bool,
    /// Whether the server cannot have seen the request.
    pub(super) is_unsent: bool,
}

impl Fault {
    pub(super) const fn new(kind: FailureKind) -> Self {
        Self { kind, has_answered: true, is_unsent: false }
    }
}

/// Returns what an error of the system means, if it is the cause of another one.
fn of_system(error: &hyper::Error) -> Option<FailureKind> {
    let error = causes(error).find_map(|cause| cause.downcast_ref::<io::Error>())?;
    if let Some(alert) = crate::net::tls::alert(error) {
        return Some(alert);
    }
    // The body of HTTP/1.1 reports a part that is missing, or wrong, as an error of the system.
    Some(match error.kind() {
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted | io::ErrorKind::BrokenPipe => {
            FailureKind::Reset
        }
        io::ErrorKind::UnexpectedEof => FailureKind::CutOff,
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            FailureKind::Protocol(Detail::new(ProtocolCause::Body, error.to_string()))
        }
        kind => FailureKind::NotConnected(Detail::new(kind.into(), crate::net::dialer::text_of(error))),
    })
}

/// Returns whether the server ended a stream or the connection of HTTP/2, if one of the two did.
fn ended_by_http2(error: &hyper::Error) -> Option<bool> {
    let error: &h2::Error = causes(error).find_map(|cause| cause.downcast_ref())?;
    (error.is_reset() || error.is_go_away()).then(|| error.is_remote())
}

/// Returns whether a server of HTTP/2 said that it did not process a request (RFC 9113, 8.7).
fn is_refused(error: &hyper::Error) -> bool {
    let error: Option<&h2::Error> = causes(error).find_map(|cause| cause.downcast_ref());
    error.is_some_and(|error| {
        let is_later = error.is_go_away() && error.reason() == Some(h2::Reason::NO_ERROR);
        error.is_remote() && (is_later || error.reason() == Some(h2::Reason::REFUSED_STREAM))
    })
}

fn causes<'e>(
    error: &'e (dyn std::error::Error + 'static),
) -> impl Iterator<Item = &'e (dyn std::error::Error + 'static)> {
    std::iter::successors(Some(error), |error| error.source())
}

/// Returns whether a head is too large: hyper says so to servers only, but in the text.
fn is_too_large(error: &hyper::Error, text: &str) -> bool {
    error.is_parse() && text == "message head is too large"
}

/// Returns the text of the first cause.
fn text_of(error: &hyper::Error) -> String {
    causes(error).last().map_or_else(String::new, ToString::to_string)
}

/// The tasks that HTTP/2 begins, which are polled with their connection.
#[derive(Clone, Default)]
struct Tasks(Arc<Mutex<Vec<Task>>>);

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

impl<F: Future<Output = ()> + Send + 'static> hyper::rt::Executor<F> for Tasks {
    fn execute(&self, task: F) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Box::pin(task));
    }
}

impl Tasks {
    fn poll(&self, cx: &mut Context<'_>) {
        let take = || std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let mut waiting = Vec::new();
        // Tasks may begin others.
        loop {
            let tasks = take();
            if tasks.is_empty() {
                break;
            }
            waiting.extend(
                tasks.into_iter().filter_map(|mut task| task.as_mut().poll(cx).is_pending().then_some(task)),
            );
        }
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(waiting);
    }
}
