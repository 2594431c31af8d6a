//! What a response contains, and its body. [`Received`] is an object, a redirect or an error; the head says how
//! the body is coded and how it ends. [`Reading`] takes what the connection has, decompresses it, and finds the
//! end. The connection is kept for other requests if the end leaves it usable.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::body::{Body, Incoming};
use locator::plan::Object;
use tokio::time::{Instant, timeout_at};

use super::coding::Decompressor;
use super::connection::{ConnectionKey, HttpConnection, LargeWindow, Pool};
use super::wire::{FIELDS, UNUSED_BODY};
use crate::error::failure::{CodingCause, Detail, Failure, FailureKind, ProtocolCause, Reply};
use crate::headers::{Headers, ResponseHead, Version};
use crate::run::resume::Proof;
use crate::run::{Ending, Limits, Speed, Whole};

/// A body that is read.
pub(crate) struct Reading {
    connection: Option<HttpConnection>,
    body: Incoming,
    decoder: Option<Decompressor>,
    /// Whether the end of the body is that of the connection.
    ends_with_connection: bool,
    /// How many octets of the body follow, if the head says it, before they are decompressed.
    left: Option<u64>,
    given: u64,
    speed: Speed,
    begun: Instant,
    /// Whether the end of the body was read.
    is_sent: bool,
    /// Whether there are more octets than the limit allows.
    is_over: bool,
    pub(super) limits: Limits,
    /// When all of it must have ended.
    pub(super) last: Option<Instant>,
    pub(super) place: Option<PoolSlot>,
    pub(super) trailers: Headers,
    pub(super) window: Option<LargeWindow>,
}

/// Where a connection goes that can be used again.
pub(super) struct PoolSlot {
    pub(super) pool: Arc<Pool<HttpConnection>>,
    pub(super) key: ConnectionKey,
    pub(super) address: std::net::SocketAddr,
}

/// What a body came to.
pub(crate) enum Read {
    Given(Bytes),
    End(Whole),
    Failed(FailureKind),
}

impl Reading {
    pub(super) fn new(
        connection: HttpConnection,
        body: Incoming,
        limits: Limits,
        (ends_with_connection, left): (bool, Option<u64>),
        decoder: Option<Decompressor>,
    ) -> Self {
        Self {
            connection: Some(connection),
            body,
            decoder,
            ends_with_connection,
            left,
            given: 0,
            speed: Speed::new(limits.slowest),
            begun: Instant::now(),
            is_sent: false,
            is_over: false,
            limits,
            last: None,
            place: None,
            trailers: Headers::default(),
            window: None,
        }
    }

    /// Returns the trailer fields, once the end was read.
    pub(crate) fn take_trailers(&mut self) -> Headers {
        std::mem::take(&mut self.trailers)
    }

    /// Goes on to the next octets, or to the end. If the future is dropped, another call goes on from
    /// there.
    pub(crate) async fn next(&mut self) -> Read {
        if self.is_over {
            return self.over();
        }
        let idle = Instant::now() + Duration::from_millis(self.limits.idle);
        self.speed.update(0, true, self.now());
        let read = loop {
            let slow = self.speed.ends_at().map(|end| self.begun + Duration::from_millis(end));
            let deadline = [Some(idle), self.last, slow].into_iter().flatten().min().unwrap_or(idle);
            if let Ok(read) = timeout_at(deadline, self.advance()).await {
                break read;
            }
            if let Some(kind) = self.late(idle) {
                break Err(kind);
            }
        };
        match read {
            Ok(read) => {
                let count = if let Read::Given(octets) = &read { octets.len() as u64 } else { 0 };
                match self.speed.update(count, false, self.now()) {
                    Some(least) if count > 0 => Read::Failed(FailureKind::TooSlow(least)),
                    _ => self.counted(read),
                }
            }
            Err(kind) => Read::Failed(kind),
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Returns what was waited for too long; `None` if only a period ended in which enough octets came.
    fn late(&mut self, idle: Instant) -> Option<FailureKind> {
        let (now, slow) = (Instant::now(), self.speed.update(0, true, self.now()));
        match (self.last, slow) {
            (Some(last), _) if last <= now => {
                Some(FailureKind::TookTooLong(self.limits.whole.unwrap_or_default()))
            }
            (_, Some(least)) => Some(FailureKind::TooSlow(least)),
            _ => (idle <= now).then_some(FailureKind::TimedOut(self.limits.idle)),
        }
    }

    /// Counts the octets of the object, and gives no more than the limit.
    fn counted(&mut self, read: Read) -> Read {
        let Read::Given(mut octets) = read else { return read };
        let limit = self.limits.body.unwrap_or(u64::MAX);
        let room = limit - self.given;
        if octets.len() as u64 > room {
            self.is_over = true;
            if room == 0 {
                return self.over();
            }
            octets.truncate(usize::try_from(room).unwrap_or(usize::MAX));
        }
        self.given += octets.len() as u64;
        Read::Given(octets)
    }

    fn over(&self) -> Read {
        let limit = self.limits.body.unwrap_or(u64::MAX);
        Read::Failed(FailureKind::TooMuch { what: "bytes in the body", limit })
    }

    async fn advance(&mut self) -> Result<Read, FailureKind> {
        loop {
            if let Some(decoder) = &mut self.decoder {
                while let Some(octets) = decoder.next()? {
                    if !octets.is_empty() {
                        return Ok(Read::Given(octets));
                    }
                    // The limits of time count for what has no content, too.
                    tokio::task::yield_now().await;
                }
            }
            if self.is_sent {
                return self.end().await;
            }
            let Some(connection) = &mut self.connection else { return Err(FailureKind::CutOff) };
            let frame = connection.frame(&mut self.body).await.map_err(|fault| fault.kind)?;
            let Some(frame) = frame else {
                self.is_sent = true;
                continue;
            };
            match frame.into_data() {
                Ok(octets) => {
                    if let Some(left) = &mut self.left {
                        let count = octets.len() as u64;
                        *left = left.checked_sub(count).ok_or_else(body_too_long)?;
                    }
                    match &mut self.decoder {
                        Some(decoder) => decoder.push(octets),
                        None if octets.is_empty() => {}
                        None => return Ok(Read::Given(octets)),
                    }
                }
                Err(frame) => {
                    if let Ok(trailers) = frame.into_trailers() {
                        self.trailers = headers_of(&trailers)?;
                    }
                }
            }
        }
    }

    async fn end(&mut self) -> Result<Read, FailureKind> {
        if self.left.is_some_and(|left| left > 0) {
            return Err(FailureKind::CutOff);
        }
        if let Some(decoder) = &mut self.decoder {
            decoder.finish()?;
        }
        self.window = None;
        if self.ends_with_connection {
            let ending = self.connection.take().and_then(|connection| connection.wire.ending());
            return match ending {
                Some(Ending::Reset) => Err(FailureKind::Reset),
                Some(Ending::Notified) => Ok(Read::End(Whole::Confirmed)),
                _ => Ok(Read::End(Whole::Unverified)),
            };
        }
        self.give_back().await;
        Ok(Read::End(Whole::Framed))
    }

    /// Keeps the connection for other requests, if it can be used again.
    async fn give_back(&mut self) {
        let Some(mut connection) = self.connection.take() else { return };
        if let Some(place) = self.place.take()
            && connection.is_ready().await
        {
            place.pool.put(place.key, connection, place.address);
        }
    }

    /// Keeps the connection at once if no body follows, whether somebody reads it or not.
    pub(super) async fn give_back_if_empty(&mut self) {
        if !self.ends_with_connection && self.body.is_end_stream() {
            self.is_sent = true;
            self.give_back().await;
        }
    }

    /// Reads the rest of a short body that nobody wants.
    async fn drain(&mut self) {
        let mut left = UNUSED_BODY;
        while let Some(connection) = &mut self.connection {
            match connection.frame(&mut self.body).await {
                Ok(Some(frame)) => {
                    let count = frame.data_ref().map_or(0, |octets| octets.len() as u64);
                    let Some(rest) = left.checked_sub(count) else { return };
                    left = rest;
                }
                Ok(None) => self.give_back().await,
                Err(_) => return,
            }
        }
    }

    /// Reads a body that nobody wants, if it is short and comes within `time` milliseconds, so that its
    /// connection can be used again.
    pub(super) async fn drop_body(mut self, limit: u64, time: u64) {
        self.decoder = None;
        self.limits.body = Some(limit);
        let end = Instant::now() + Duration::from_millis(time);
        self.last = self.last.into_iter().chain([end]).min();
        while matches!(self.next().await, Read::Given(_)) {}
    }
}

/// What has come of a short body that nobody reads is taken, so that its connection can be used again. Nothing
/// is waited for.
impl Drop for Reading {
    fn drop(&mut self) {
        let is_short = self.left.is_none_or(|left| left <= UNUSED_BODY);
        if self.place.is_some() && is_short && !self.ends_with_connection {
            let _ = pin!(self.drain()).poll(&mut Context::from_waker(Waker::noop()));
        }
    }
}

fn body_too_long() -> FailureKind {
    FailureKind::Protocol(Detail::new(ProtocolCause::Body, "the body is longer than announced"))
}

/// Returns fields as text, if there are not too many.
fn headers_of(headers: &HeaderMap) -> Result<Headers, FailureKind> {
    if headers.len() > FIELDS {
        return Err(FailureKind::TooMuch { what: "headers in a response", limit: FIELDS as u64 });
    }
    let header = |(name, value): (&hyper::header::HeaderName, &hyper::header::HeaderValue)| {
        (name.as_str().to_owned(), value.as_bytes().to_vec())
    };
    Ok(headers.iter().map(header).collect())
}

/// Returns the failure of a body.
pub(crate) fn failure(kind: FailureKind) -> Failure {
    Failure::new(kind, "reading the response body")
}

/// What a response contains.
pub(crate) enum Received {
    /// The object.
    Object { object: Object, from: u64, proof: Proof, body: Option<Box<Reading>> },
    /// Another URL leads to it.
    Redirect,
    /// There is no object.
    Failed(Failure),
}

/// Checks that a body is in no transfer coding but chunked, which was undone: others were not asked for,
/// and what they make is not the object (RFC 9112, 6.1).
pub(super) fn check_transfer(response: &ResponseHead) -> Result<(), FailureKind> {
    match &*listed_codings(response, "transfer-encoding") {
        [] => Ok(()),
        [coding] if coding == "chunked" => Ok(()),
        codings => {
            let codings = codings.join(", ");
            let why = format!("transfer encoding \"{}\" was not requested", codings.escape_debug());
            Err(FailureKind::Protocol(Detail::new(ProtocolCause::TransferCoding, why)))
        }
    }
}

/// Returns the codings that a header lists, in lower case.
fn listed_codings(response: &ResponseHead, name: &str) -> Vec<String> {
    let values = response.headers.get_all(name).map(|value| String::from_utf8_lossy(value).to_lowercase());
    let words =
        values.flat_map(|value| value.split(',').map(|one| one.trim().to_owned()).collect::<Vec<_>>());
    words.filter(|coding| !coding.is_empty() && coding != "identity").collect()
}

pub(super) fn ends_with_chunked(value: &[u8]) -> bool {
    let last = value.rsplit(|octet| *octet == b',').next().unwrap_or_default();
    last.trim_ascii().eq_ignore_ascii_case(b"chunked")
}

/// Returns what decompresses a response, if it is compressed.
pub(super) fn decoder(response: &ResponseHead) -> Result<Option<Decompressor>, FailureKind> {
    match &*listed_codings(response, "content-encoding") {
        [] => Ok(None),
        [coding] => match Decompressor::new(coding) {
            Some(decoder) => Ok(Some(decoder)),
            None => {
                let why = format!("unknown encoding \"{}\"", coding.escape_debug());
                Err(FailureKind::Compressed(Detail::new(CodingCause::Unknown, why)))
            }
        },
        _ => Err(FailureKind::Compressed(Detail::new(
            CodingCause::Multiple,
            "it was compressed more than once",
        ))),
    }
}

pub(super) fn reply(response: &ResponseHead) -> Reply {
    Reply { code: Some(response.status), text: response.reason.clone().into_bytes() }
}

/// Reads the head of a response; `sent` are its octets, if they are known.
pub(super) fn read_head(
    response: hyper::Response<Incoming>,
    sent: Bytes,
) -> Result<(ResponseHead, Incoming), FailureKind> {
    let (parts, body) = response.into_parts();
    let reason = parts.extensions.get::<hyper::ext::ReasonPhrase>();
    let reason = match reason {
        Some(reason) => String::from_utf8_lossy(reason.as_bytes()).into_owned(),
        None => parts.status.canonical_reason().unwrap_or_default().to_owned(),
    };
    let version = match parts.version {
        hyper::Version::HTTP_10 => Version::Http10,
        hyper::Version::HTTP_2 => Version::Http2,
        _ => Version::Http11,
    };
    let status = parts.status.as_u16();
    if status < 200 {
        let why = format!("the final response has status {status}");
        return Err(FailureKind::Protocol(Detail::new(ProtocolCause::Status, why)));
    }
    Ok((ResponseHead { version, status, reason, headers: headers_of(&parts.headers)?, sent }, body))
}
