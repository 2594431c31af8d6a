//! Connections of HTTP/1.1 and HTTP/2, by hyper. A connection of one request at a time has no task of its
//! own: it goes on only while a response is waited for or a body is read, and dropping it closes it.
//!
//! Several requests may share connections of HTTP/2 ([`Http2Connections`]): a server gets few of them, each with as
//! many requests at the same time as it allows, and with a hundred at most. They are driven by tasks of the runtime
//! in which the requests are. Threads that wait for one response each have none; for them a thread drives the
//! connections.
//!
//! A [`Pool`] has the connections that wait to be used again. One is used again only for the same server, by the
//! same way to it, for the same user, and under the same policy and settings of TLS (CVE-2026-8286: a key without
//! these). A [`Client`] is what all requests of a fetcher have in common: the settings, the pool, and the memory for
//! decompressing.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use std::{io, thread};

use bytes::Bytes;
use hyper::body::{Body as _, Frame, Incoming};
use hyper::client::conn::http2::SendRequest;
use hyper::client::conn::{http1, http2};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use locator::plan::Meaning;
use tokio::runtime::{Builder, Handle, Id};
use tokio::sync::{Mutex as Turn, MutexGuard, Notify, oneshot};
use tokio::time::Instant;

use super::auth::AcceptedLogins;
use super::body::{OutgoingBody, RequestBody};
use super::settings::Http;
use super::wire::{
    BEFORE_HEAD, EXPECT, FIELDS, HEAD, INTERIM, LARGE_WINDOWS, SHARED_WINDOWS, THREADS_WINDOW, WINDOW,
    WatchedStream, WireRecord,
};
use crate::error::failure::{Detail, Failure, FailureKind, ProtocolCause};
use crate::net::proxy::Proxy;
use crate::net::tls::Stream;
use crate::run::Ending;
use crate::settings::Common;

type Io = TokioIo<WatchedStream>;

/// A connection that one request at a time is sent on.
pub(crate) struct HttpConnection {
    kind: HttpSender,
    pub(super) wire: Arc<WireRecord>,
    /// Whether the last request was HEAD. A wrong server sends a body after the head.
    pub(super) follows_head: bool,
}

enum HttpSender {
    Http1 {
        sender: http1::SendRequest<OutgoingBody>,
        connection: Option<Box<http1::Connection<Io, OutgoingBody>>>,
    },
    Http2 {
        sender: SendRequest<OutgoingBody>,
        connection: Option<Http2>,
        tasks: Tasks,
    },
    /// One request of several on a connection, which a task drives.
    Shared(SharedStream),
}

type Http2 = Pin<Box<dyn Future<Output = hyper::Result<()>> + Send>>;

impl HttpConnection {
    /// Takes a part of a connection that others use, too.
    pub(super) fn shared(stream: SharedStream) -> Self {
        Self { wire: stream.wire.clone(), kind: HttpSender::Shared(stream), follows_head: false }
    }

    /// Begins HTTP/2 on a connection that several requests share.
    pub(super) async fn multiplexed(
        stream: Stream,
        address: SocketAddr,
        driven: &ConnectionDriver,
    ) -> hyper::Result<Multiplexed> {
        let wire = Arc::new(WireRecord::of_several());
        let io = TokioIo::new(WatchedStream { stream, wire: wire.clone() });
        let window = match driven {
            ConnectionDriver::Here(_) => WINDOW,
            ConnectionDriver::ByThread(_) => THREADS_WINDOW,
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
        if let HttpSender::Shared(stream) = &self.kind {
            stream.spoil();
        }
    }

    /// Begins HTTP on a connection: HTTP/2 if that was agreed on in TLS.
    pub(super) async fn begin(stream: Stream) -> hyper::Result<Self> {
        let wire = Arc::new(WireRecord::default());
        let is_http2 = stream.agreed() == Some(b"h2");
        let io = TokioIo::new(WatchedStream { stream, wire: wire.clone() });
        let kind = if is_http2 {
            let tasks = Tasks::default();
            let (sender, connection) = http2::Builder::new(tasks.clone())
                .initial_stream_window_size(WINDOW)
                .initial_connection_window_size(WINDOW)
                .max_header_list_size(HEAD as u32)
                .handshake(io)
                .await?;
            HttpSender::Http2 { sender, connection: Some(Box::pin(connection)), tasks }
        } else {
            let mut builder = http1::Builder::new();
            builder.max_buf_size(HEAD).max_header_size(HEAD).max_headers(FIELDS);
            // "A user agent that receives an obs-fold in a response message that is not within a
            // message/http container MUST replace each received obs-fold with one or more SP octets prior
            // to interpreting the field value" (RFC 9112, 5.2).
            builder.allow_obsolete_multiline_headers_in_responses(true);
            let (sender, connection) = builder.handshake(io).await?;
            HttpSender::Http1 { sender, connection: Some(Box::new(connection)) }
        };
        Ok(Self { kind, wire, follows_head: false })
    }

    pub(super) const fn is_http2(&self) -> bool {
        matches!(self.kind, HttpSender::Http2 { .. } | HttpSender::Shared(_))
    }

    /// Sends a request, and returns the head of its response.
    pub(super) async fn send(
        &mut self,
        mut request: Request<OutgoingBody>,
    ) -> Result<Response<Incoming>, ConnectionFault> {
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
                HttpSender::Http1 { sender, .. } => Box::pin(sender.send_request(request)),
                HttpSender::Http2 { sender, .. } => Box::pin(sender.send_request(request)),
                HttpSender::Shared(stream) => Box::pin(stream.sender.send_request(request)),
            };
        let response = poll_fn(|cx| {
            if let Poll::Ready(response) = response.as_mut().poll(cx) {
                return Poll::Ready(response.map_err(|error| self.fault(error)));
            }
            let error = self.poll(cx);
            if wire.interim.load(Ordering::Relaxed) > INTERIM {
                let what = "interim responses";
                return Poll::Ready(Err(ConnectionFault::new(FailureKind::TooMuch {
                    what,
                    limit: INTERIM.into(),
                })));
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
                return Poll::Ready(Err(ConnectionFault::new(FailureKind::TooMuch {
                    what,
                    limit: BEFORE_HEAD,
                })));
            }
            Poll::Pending
        });
        let mut response = response.await;
        wire.answered();
        if let Err(fault) = &mut response {
            fault.has_answered = wire.octets() > before;
        } else if let HttpSender::Shared(stream) = &mut self.kind {
            stream.answered();
        }
        response
    }

    /// Returns the next frame of a body; `None` at its end.
    pub(super) async fn frame(
        &mut self,
        body: &mut Incoming,
    ) -> Result<Option<Frame<Bytes>>, ConnectionFault> {
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
            None if self.is_http2() && !body.is_end_stream() => {
                Err(ConnectionFault::new(FailureKind::CutOff))
            }
            frame => Ok(frame),
        }
    }

    /// Returns whether another request can be sent, after what has been read of the connection.
    pub(super) async fn is_ready(&mut self) -> bool {
        poll_fn(|cx| {
            self.poll(cx);
            Poll::Ready(match &mut self.kind {
                HttpSender::Http1 { sender, connection } => connection.is_some() && sender.is_ready(),
                HttpSender::Http2 { sender, connection, .. } => connection.is_some() && sender.is_ready(),
                // It does not wait in a pool.
                HttpSender::Shared(_) => false,
            })
        })
        .await
    }

    /// Goes on with the connection; returns its error if it ended with one.
    fn poll(&mut self, cx: &mut Context<'_>) -> Option<hyper::Error> {
        let ended = match &mut self.kind {
            HttpSender::Http1 { connection, .. } => poll_once(connection, cx),
            HttpSender::Http2 { connection, tasks, .. } => {
                tasks.poll(cx);
                let ended = poll_once(connection, cx);
                tasks.poll(cx);
                ended
            }
            HttpSender::Shared(_) => None,
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
    fn fault(&self, error: hyper::Error) -> ConnectionFault {
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
        ConnectionFault { is_unsent, ..ConnectionFault::new(kind) }
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
pub(super) struct ConnectionFault {
    pub(super) kind: FailureKind,
    /// Whether the server sent anything after the request.
    pub(super) has_answered: bool,
    /// Whether the server cannot have seen the request.
    pub(super) is_unsent: bool,
}

impl ConnectionFault {
    pub(super) const fn new(kind: FailureKind) -> Self {
        Self { kind, has_answered: true, is_unsent: false }
    }
}

/// Returns what an error of the system means, if it is the cause of another one.
fn of_system(error: &hyper::Error) -> Option<FailureKind> {
    let error = error_causes(error).find_map(|cause| cause.downcast_ref::<io::Error>())?;
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
    let error: &h2::Error = error_causes(error).find_map(|cause| cause.downcast_ref())?;
    (error.is_reset() || error.is_go_away()).then(|| error.is_remote())
}

/// Returns whether a server of HTTP/2 said that it did not process a request (RFC 9113, 8.7).
fn is_refused(error: &hyper::Error) -> bool {
    let error: Option<&h2::Error> = error_causes(error).find_map(|cause| cause.downcast_ref());
    error.is_some_and(|error| {
        let is_later = error.is_go_away() && error.reason() == Some(h2::Reason::NO_ERROR);
        error.is_remote() && (is_later || error.reason() == Some(h2::Reason::REFUSED_STREAM))
    })
}

fn error_causes<'e>(
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
    error_causes(error).last().map_or_else(String::new, ToString::to_string)
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

/// How many requests a connection has at the same time before another one is made, if its server allows so
/// many, and how many connections a server has.
const REQUESTS: usize = 100;
const CONNECTIONS: usize = 2;

/// The servers that are known.
const SERVERS: usize = 256;

/// How long nothing came on a connection from which a request was taken back, so that it is not used again.
const SILENT_TIME: Duration = Duration::from_secs(1);

/// The servers whose connections of HTTP/2 are shared.
#[derive(Default)]
pub(super) struct Http2Connections {
    /// Whether several threads fetch.
    has_threads: AtomicBool,
    thread: OnceLock<Option<DrivingThread>>,
    servers: Mutex<Vec<Arc<Server>>>,
}

/// What drives connections.
#[derive(Clone)]
pub(super) enum ConnectionDriver {
    /// The runtime of the request.
    Here(Handle),
    /// The runtime of a thread that does nothing else.
    ByThread(Handle),
}

impl ConnectionDriver {
    pub(super) const fn handle(&self) -> &Handle {
        let (Self::Here(handle) | Self::ByThread(handle)) = self;
        handle
    }
}

/// A server by one way to it, from one runtime.
pub(super) struct Server {
    key: ConnectionKey,
    runtime: Id,
    state: Turn<State>,
    /// Is notified when a request on one of its connections has ended.
    ended: Arc<Notify>,
}

/// What is known of a server.
#[derive(Default)]
pub(super) struct State {
    /// Whether it has no HTTP/2.
    pub(super) is_other: bool,
    /// When a connection last failed, and why.
    pub(super) failed: Option<(Instant, Failure)>,
    connections: Vec<Multiplexed>,
}

/// Where the next request can go.
pub(super) enum NextConnection<'s> {
    On(&'s Multiplexed),
    /// On a new connection.
    New,
    /// Nowhere, until another one has ended.
    Nowhere,
}

/// A connection that carries many requests.
pub(super) struct Multiplexed {
    sender: SendRequest<OutgoingBody>,
    /// Until it ends.
    connection: Arc<Mutex<Option<Connection>>>,
    wire: Arc<WireRecord>,
    load: Arc<ConnectionLoad>,
    pub(super) address: SocketAddr,
}

type Connection = Pin<Box<http2::Connection<TokioIo<WatchedStream>, OutgoingBody, InRuntime>>>;

/// How much a connection is used.
struct ConnectionLoad {
    requests: AtomicUsize,
    /// Whether a request has failed on it.
    is_spoilt: AtomicBool,
    /// When the last request ended.
    idle_since: Mutex<Instant>,
}

impl Default for ConnectionLoad {
    fn default() -> Self {
        Self {
            requests: AtomicUsize::new(0),
            is_spoilt: AtomicBool::new(false),
            idle_since: Mutex::new(Instant::now()),
        }
    }
}

/// One request's part of a connection.
pub(super) struct SharedStream {
    sender: SendRequest<OutgoingBody>,
    pub(super) wire: Arc<WireRecord>,
    load: Arc<ConnectionLoad>,
    ended: Arc<Notify>,
    begun: Instant,
    /// How many octets had come on the connection before.
    octets_before: u64,
    /// Whether the head of its response is there.
    is_answered: bool,
}

impl Drop for SharedStream {
    fn drop(&mut self) {
        let is_silent = self.wire.connection_octets() == self.octets_before;
        if !self.is_answered && is_silent && self.begun.elapsed() >= SILENT_TIME {
            self.spoil();
        }
        *self.load.idle_since.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.load.requests.fetch_sub(1, Ordering::Relaxed);
        self.ended.notify_one();
    }
}

impl SharedStream {
    /// Says that no other request may use the connection.
    pub(super) fn spoil(&self) {
        self.load.is_spoilt.store(true, Ordering::Relaxed);
    }

    /// Notes that the head of the response is there.
    pub(super) fn answered(&mut self) {
        self.is_answered = true;
        self.wire.useful();
    }
}

impl Multiplexed {
    /// Begins to drive a connection.
    pub(super) fn new(
        (sender, connection): (SendRequest<OutgoingBody>, Connection),
        wire: Arc<WireRecord>,
        address: SocketAddr,
        driven: &ConnectionDriver,
    ) -> Self {
        let connection = Arc::new(Mutex::new(Some(connection)));
        let polled = connection.clone();
        driven.handle().spawn(poll_fn(move |context| {
            let mut connection = polled.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(open) = connection.as_mut() else { return Poll::Ready(()) };
            // Its error is one of each request on it. One that was not sent gets it when this is dropped.
            let ended = open.as_mut().poll(context).map(drop);
            if ended.is_ready() {
                *connection = None;
            }
            ended
        }));
        Self { sender, connection, wire, load: Arc::default(), address }
    }

    fn requests(&self) -> usize {
        self.load.requests.load(Ordering::Relaxed)
    }

    /// Returns whether another request may begin: the server says how many it allows (RFC 9113, 5.1.2).
    fn has_room(&self) -> bool {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let most = connection.as_ref().map_or(0, |open| open.current_max_send_streams());
        self.requests() < most.min(REQUESTS)
    }

    fn is_open(&self) -> bool {
        let is_late = || {
            let since = *self.load.idle_since.lock().unwrap_or_else(PoisonError::into_inner);
            self.requests() == 0 && since.elapsed() >= IDLE_TIME
        };
        !self.sender.is_closed() && !self.load.is_spoilt.load(Ordering::Relaxed) && !is_late()
    }

    /// Begins another request.
    pub(super) fn stream(&self, server: &Server) -> SharedStream {
        self.load.requests.fetch_add(1, Ordering::Relaxed);
        SharedStream {
            sender: self.sender.clone(),
            octets_before: self.wire.octets(),
            wire: Arc::new(WireRecord::of_stream(self.wire.clone())),
            load: self.load.clone(),
            ended: server.ended.clone(),
            begun: Instant::now(),
            is_answered: false,
        }
    }
}

impl State {
    /// Returns where another request can go, by a connection to an address that is allowed.
    pub(super) fn room(&mut self, is_allowed: impl Fn(&Multiplexed) -> bool) -> NextConnection<'_> {
        self.connections.retain(Multiplexed::is_open);
        let has_most = self.connections.len() >= CONNECTIONS;
        let allowed = self.connections.iter().filter(|one| is_allowed(one));
        match allowed.min_by_key(|one| one.requests()) {
            Some(least) if least.has_room() => NextConnection::On(least),
            Some(_) if has_most => NextConnection::Nowhere,
            _ => NextConnection::New,
        }
    }

    pub(super) fn add(&mut self, connection: Multiplexed) {
        self.connections.push(connection);
    }
}

impl Http2Connections {
    /// Shares connections between threads from now on.
    fn share_between_threads(&self) {
        self.has_threads.store(true, Ordering::Relaxed);
    }

    /// Returns the runtime of the thread that drives connections, if several threads fetch.
    pub(super) fn thread(&self) -> Option<Handle> {
        if !self.has_threads.load(Ordering::Relaxed) {
            return None;
        }
        let thread = self.thread.get_or_init(|| DrivingThread::start().ok()).as_ref()?;
        Some(thread.handle.clone())
    }

    /// Returns the server of a key, with what drives its connections.
    pub(super) fn server(
        &self,
        key: &ConnectionKey,
        driven: ConnectionDriver,
    ) -> (Arc<Server>, ConnectionDriver) {
        let runtime = driven.handle().id();
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        let found = servers.iter().find(|server| server.runtime == runtime && server.key.is(key)).cloned();
        let server = found.unwrap_or_else(|| {
            // The oldest are forgotten; their connections end with the requests on them.
            if servers.len() >= SERVERS {
                servers.remove(0);
            }
            let (state, ended) = (Turn::default(), Arc::default());
            let server = Arc::new(Server { key: key.clone(), runtime, state, ended });
            servers.push(server.clone());
            server
        });
        (server, driven)
    }
}

impl Server {
    /// Returns what is known, which nobody else changes meanwhile: one request makes a connection, and the others
    /// wait for it.
    pub(super) async fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().await
    }

    /// Waits until a request has ended.
    pub(super) async fn woken(&self) -> WokenRequest<'_> {
        self.ended.notified().await;
        WokenRequest(Some(&self.ended))
    }
}

/// A request that waited, and was woken by the end of another one. Whatever becomes of it, it wakes the next
/// one: there may be room for more.
pub(super) struct WokenRequest<'s>(Option<&'s Notify>);

impl WokenRequest<'_> {
    /// Goes back to waiting: there is no room.
    pub(super) fn wait_again(mut self) {
        self.0 = None;
    }
}

impl Drop for WokenRequest<'_> {
    fn drop(&mut self) {
        self.0.into_iter().for_each(Notify::notify_one);
    }
}

/// A thread whose runtime drives the connections. It ends with the fetcher.
struct DrivingThread {
    handle: Handle,
    _stop: oneshot::Sender<()>,
}

impl DrivingThread {
    fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        thread::Builder::new().name("http2".into()).spawn(move || runtime.block_on(stopped))?;
        Ok(Self { handle, _stop: stop })
    }
}

/// Runs the tasks of a connection in the runtime that drives it.
#[derive(Clone)]
pub(super) struct InRuntime(pub(super) Handle);

impl<F: Future<Output = ()> + Send + 'static> hyper::rt::Executor<F> for InRuntime {
    fn execute(&self, task: F) {
        self.0.spawn(task);
    }
}

/// The connections that wait to be used again, and how long they do.
const IDLE: usize = 128;
pub(super) const IDLE_TIME: Duration = Duration::from_secs(30);

/// What a connection was made for: an origin with the way to it, the user and the settings. It is made once
/// for a request; a clone is cheap, and two are compared by their hashes first.
#[derive(Clone)]
pub(crate) struct ConnectionKey(Arc<(u64, ConnectionKeyParts)>);

/// The parts of a key.
#[derive(Hash)]
pub(crate) struct ConnectionKeyParts {
    pub(crate) host: String,
    /// The zone of a link-local address.
    pub(crate) zone: Option<String>,
    pub(crate) port: u16,
    pub(crate) is_secured: bool,
    /// Whether HTTP/2 was offered.
    pub(crate) has_http2: bool,
    pub(crate) proxy: Option<Proxy>,
    pub(crate) user: Option<Vec<u8>>,
    pub(crate) settings: ConnectionSettings,
}

/// The policy, the resolver, the versions of IP and the settings of TLS. They are the same for most requests
/// of a fetcher, so that they are not a part of the hash.
pub(crate) struct ConnectionSettings(pub(crate) Arc<Common>);

impl Hash for ConnectionSettings {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl ConnectionKey {
    pub(crate) fn new(parts: ConnectionKeyParts) -> Self {
        let mut hasher = DefaultHasher::new();
        parts.hash(&mut hasher);
        Self(Arc::new((hasher.finish(), parts)))
    }

    /// Returns whether connections may be HTTP/2.
    fn may_be_http2(&self) -> bool {
        self.0.1.is_secured && self.0.1.has_http2
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.0 == other.0.0 && self.0.1.are(&other.0.1)
    }
}

impl ConnectionKeyParts {
    fn are(&self, other: &Self) -> bool {
        let parts = |key: &Self| (key.port, key.is_secured, key.has_http2);
        self.host == other.host
            && parts(self) == parts(other)
            && self.zone == other.zone
            && self.proxy == other.proxy
            && self.user == other.user
            && are_equal(&self.settings.0, &other.settings.0)
    }
}

/// Returns whether connections are made under the same policy, and with the same settings of TLS.
fn are_equal(one: &Arc<Common>, other: &Arc<Common>) -> bool {
    let are_same = || {
        one.family == other.family
            && one.connect_to == other.connect_to
            && Arc::ptr_eq(&one.policy, &other.policy)
            && Arc::ptr_eq(&one.resolver, &other.resolver)
            && Arc::ptr_eq(&one.tls, &other.tls)
    };
    Arc::ptr_eq(one, other) || are_same()
}

/// A connection with its address, which the policy is asked about again.
pub(crate) struct IdleConnection<C> {
    pub(crate) key: ConnectionKey,
    pub(crate) connection: C,
    pub(crate) address: SocketAddr,
    since: Instant,
}

/// The connections of a fetcher that wait, those that have waited longest first. They are closed with the
/// fetcher.
pub(crate) struct Pool<C>(Mutex<VecDeque<IdleConnection<C>>>);

impl<C> Default for Pool<C> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<C> Pool<C> {
    /// Takes a connection for a key.
    pub(crate) fn take(&self, key: &ConnectionKey) -> Option<IdleConnection<C>> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let is_late = |one: &IdleConnection<C>| now.saturating_duration_since(one.since) >= IDLE_TIME;
        while idle.front().is_some_and(is_late) {
            idle.pop_front();
        }
        let found = idle.iter().rposition(|one| one.key.is(key))?;
        idle.remove(found)
    }

    /// Closes the connections that have waited at least so long; returns whether others wait.
    pub(crate) fn close_idle(&self, time: Duration) -> bool {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        idle.retain(|one| now.saturating_duration_since(one.since) < time);
        !idle.is_empty()
    }

    /// Keeps a connection; the one that has waited longest is closed if there are too many.
    pub(crate) fn put(&self, key: ConnectionKey, connection: C, address: SocketAddr) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() >= IDLE {
            idle.pop_front();
        }
        idle.push_back(IdleConnection { key, connection, address, since: Instant::now() });
    }
}

/// The part of HTTP in a fetcher. Its connections are closed with it.
#[derive(Clone, Default)]
pub(crate) struct Client {
    pub(crate) http: Arc<Http>,
    pub(super) pool: Arc<Pool<HttpConnection>>,
    pub(super) shared: Arc<ClientShared>,
    /// Whether a thread waits for each response, so that no task drives a connection.
    pub(crate) is_blocking: bool,
}

impl Client {
    /// Returns the server of a key and what drives its connections, if requests share these. One with a long
    /// body has a connection of its own: its server says often how much more it takes, and that is not
    /// distinguished from what a server says without end.
    pub(super) fn server(
        &self,
        key: &ConnectionKey,
        body: Option<&RequestBody>,
    ) -> Option<(Arc<Server>, ConnectionDriver)> {
        let is_short = |body: &RequestBody| body.content_length().is_some_and(|length| length < EXPECT);
        if !key.may_be_http2() {
            return None;
        }
        match self.shared.http2.thread() {
            Some(thread) => Some(self.shared.http2.server(key, ConnectionDriver::ByThread(thread))),
            None if self.is_blocking || !body.is_none_or(is_short) => None,
            None => Some(self.shared.http2.server(key, ConnectionDriver::Here(Handle::try_current().ok()?))),
        }
    }

    /// Returns a client with connections of its own.
    pub(crate) fn separate(&self) -> Self {
        self.shared.http2.share_between_threads();
        Self { http: Arc::new((*self.http).clone()), pool: Arc::default(), ..self.clone() }
    }

    /// Closes the connections that have waited at least so long; returns whether others wait.
    pub(crate) fn close_idle(&self, time: Duration) -> bool {
        self.pool.close_idle(time)
    }
}

/// What separate clients share.
#[derive(Default)]
pub(super) struct ClientShared {
    /// Whether it was reported that a password is sent in the clear.
    pub(super) has_warned: AtomicBool,
    pub(super) logins: AcceptedLogins,
    pub(super) http2: Http2Connections,
    /// How many large windows are in use.
    windows: AtomicUsize,
}

/// The right to one large window, while a response is decompressed.
pub(super) struct LargeWindow(Arc<ClientShared>);

impl LargeWindow {
    /// Returns one, unless all are in use.
    pub(super) fn take(shared: &Arc<ClientShared>) -> Option<Self> {
        let more = |used: usize| (used < LARGE_WINDOWS).then_some(used + 1);
        let taken = shared.windows.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        taken.ok().map(|_| Self(shared.clone()))
    }
}

impl Drop for LargeWindow {
    fn drop(&mut self) {
        self.0.windows.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_windows_are_few() {
        let client = Client::default();
        let take = || LargeWindow::take(&client.shared);
        let windows: Vec<_> = (0..LARGE_WINDOWS).map(|_| take().unwrap()).collect();
        assert!(take().is_none());
        assert!(LargeWindow::take(&client.separate().shared).is_none());
        drop(windows);
        assert!(take().is_some());
    }
}
