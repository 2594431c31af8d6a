//! Responses: their headers, which say what a browser may do with them, and their body.
//!
//! [`response`] makes one with the headers that all have, for a kind of [`Document`]. Its [`Content`] is
//! octets, a body that is passed on as it comes, or the page of one; the server of a body is read only as
//! fast as the client reads.
//!
//! ```text
//! let page = Content::octets("<!DOCTYPE html>…");
//! let response = response(StatusCode::OK, Document::Page, "text/html; charset=utf-8", page);
//! ```

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream as _;
use hyper::body::{Body, Frame, SizeHint};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use locator::UriRef;
use locator::plan::ObjectKind;
use locator_fetch::save::sanitized_name;
use tokio::task::{JoinHandle, spawn_blocking};

use super::connection::ActiveRequest;
use super::pages::ObjectPage;
use super::route::percent_decoded;

/// What a document is to a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Document {
    /// A page of the gateway.
    Page,
    /// The first page, which has a script.
    FrontPage,
    /// A page for a client that uses the gateway as a proxy, with its style.
    Native,
    /// What a server sent.
    Foreign,
}

impl Document {
    const fn policy(self) -> &'static str {
        match self {
            Self::Page => {
                "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; \
                 frame-ancestors 'none'"
            }
            Self::FrontPage => {
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; \
                 base-uri 'none'; frame-ancestors 'none'"
            }
            Self::Native => {
                "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
            }
            Self::Foreign => "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        }
    }
}

/// Returns a response with the headers that all have.
pub(super) fn response(
    status: StatusCode,
    document: Document,
    media_type: &str,
    content: Content,
) -> Response<Content> {
    let mut response = Response::new(content);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    let fixed: [(HeaderName, &'static str); 7] = [
        (header::CONTENT_SECURITY_POLICY, document.policy()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        // What another user of the browser is asked about must not be answered from a cache.
        (header::CACHE_CONTROL, "private, no-cache"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let media_type = HeaderValue::from_str(media_type);
    let unknown = HeaderValue::from_static("application/octet-stream");
    headers.insert(header::CONTENT_TYPE, media_type.unwrap_or(unknown));
    response
}

/// Returns a response that leads to another page of the gateway, by GET.
pub(super) fn see_other(to: &str) -> Response<Content> {
    let content = Content::octets(&b"See the header Location.\n"[..]);
    let mut response = response(StatusCode::SEE_OTHER, Document::Page, "text/plain; charset=utf-8", content);
    match HeaderValue::from_str(to) {
        Ok(to) => drop(response.headers_mut().insert(header::LOCATION, to)),
        Err(_) => *response.status_mut() = StatusCode::BAD_REQUEST,
    }
    response
}

/// Returns the media type of octets that are passed on: the one that is known, or that of the kind.
pub(super) fn media_type(known: Option<&str>, kind: ObjectKind, url: UriRef<'_>) -> String {
    let is_valid = |known: &&str| HeaderValue::from_str(known).is_ok() && known.contains('/');
    if let Some(known) = known.filter(is_valid) {
        return known.to_owned();
    }
    let of_kind = match kind {
        ObjectKind::Binary | ObjectKind::Unknown => media_type_of_suffix(&last_segment(url)),
        _ => "text/plain",
    };
    of_kind.to_owned()
}

/// Returns the media type of an image or a sound by the suffix of its name, so that a browser shows it.
fn media_type_of_suffix(name: &str) -> &'static str {
    let suffix = name.rsplit_once('.').map(|(_, suffix)| suffix.to_ascii_lowercase());
    match suffix.as_deref() {
        Some("gif") => "image/gif",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("png") => "image/png",
        Some("webp") => "image/webp",
        Some("au" | "snd") => "audio/basic",
        Some("mp3") => "audio/mpeg",
        Some("ogg") => "audio/ogg",
        Some("wav") => "audio/wav",
        Some("txt") => "text/plain",
        _ => "application/octet-stream",
    }
}

/// Adds `Content-Disposition` to octets that a browser does not show itself: they are saved.
pub(super) fn dispose(headers: &mut HeaderMap, media_type: &str, url: UriRef<'_>) {
    let is_shown =
        ["image/", "text/", "audio/"].iter().any(|of| media_type.to_ascii_lowercase().starts_with(of));
    if is_shown {
        return;
    }
    if let Ok(value) = HeaderValue::from_str(&disposition(&last_segment(url))) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
}

/// Returns the value of `Content-Disposition` (RFC 6266, 4.1) with a safe name.
fn disposition(name: &str) -> String {
    let Some(name) = sanitized_name(name) else { return "attachment".into() };
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || "-._".contains(*c);
    let plain: String = name.chars().map(|c| if is_plain(&c) { c } else { '_' }).collect();
    if plain == name {
        return format!("attachment; filename=\"{plain}\"");
    }
    let is_attr_char = |octet: u8| octet.is_ascii_alphanumeric() || b"-._".contains(&octet);
    let octets = name.bytes().map(|octet| match is_attr_char(octet) {
        true => char::from(octet).to_string(),
        false => format!("%{octet:02X}"),
    });
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{}", octets.collect::<String>())
}

fn last_segment(url: UriRef<'_>) -> String {
    let path = url.path().as_str();
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let last = last.split(';').next().unwrap_or_default();
    String::from_utf8_lossy(&percent_decoded(last.as_bytes())).into_owned()
}

/// The body of a response.
pub(super) struct Content {
    source: BodySource,
    length: Option<u64>,
    /// Ends when all is written.
    visit: Option<ActiveRequest>,
}

enum BodySource {
    Octets(Bytes),
    Raw(PassedBody),
    /// The body has ended early, once what is there is written.
    Broken(Option<io::Error>),
    Page(Box<PageBody>),
}

/// A body whose first octets were read.
pub(super) struct PassedBody {
    pub(super) first: Option<Bytes>,
    pub(super) rest: locator_fetch::Body,
}

impl PassedBody {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        match self.first.take() {
            Some(first) => Poll::Ready(Some(Ok(first))),
            None => Pin::new(&mut self.rest).poll_next(context),
        }
    }
}

/// A body that is shown as a page.
struct PageBody {
    /// What is to be written first.
    begin: Bytes,
    page: Option<ObjectPage>,
    body: Option<PassedBody>,
    /// Writes the end of the page, on another thread.
    ending: Option<JoinHandle<Vec<u8>>>,
}

impl Content {
    fn new(source: BodySource, length: Option<u64>) -> Self {
        Self { source, length, visit: None }
    }

    /// Returns a body of octets.
    pub(super) fn octets(octets: impl Into<Bytes>) -> Self {
        let octets = octets.into();
        let length = octets.len() as u64;
        Self::new(BodySource::Octets(octets), Some(length))
    }

    /// Passes a body on; `length` is what its server says.
    pub(super) fn raw(body: PassedBody, length: Option<u64>) -> Self {
        Self::new(BodySource::Raw(body), length)
    }

    /// Returns nothing, but says a length, as the response to HEAD does.
    pub(super) fn none(length: Option<u64>) -> Self {
        Self::new(BodySource::Octets(Bytes::new()), length)
    }

    /// Shows a body as a page.
    pub(super) fn page(mut page: ObjectPage, body: PassedBody) -> Self {
        let shown = PageBody { begin: page.begin().into(), page: Some(page), body: Some(body), ending: None };
        Self::new(BodySource::Page(Box::new(shown)), None)
    }

    /// Keeps the visit until all is written.
    pub(super) fn of(self, visit: ActiveRequest) -> Self {
        Self { visit: Some(visit), ..self }
    }
}

impl PageBody {
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
                Some(Err(error)) => self.ended(Some(broken_reason(&error))),
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
fn broken_reason(error: &io::Error) -> String {
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
            BodySource::Octets(octets) if octets.is_empty() => None,
            BodySource::Octets(octets) => Some(Ok(std::mem::take(octets))),
            BodySource::Raw(body) => match ready!(body.poll(context)) {
                Some(Err(error)) => {
                    self.source = BodySource::Broken(Some(error));
                    context.waker().wake_by_ref();
                    return Poll::Pending;
                }
                next => next,
            },
            BodySource::Broken(error) => error.take().map(Err),
            BodySource::Page(shown) => ready!(shown.poll(context)),
        };
        if next.is_none() {
            self.visit = None;
        }
        Poll::Ready(next.map(|result| result.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        matches!(&self.source, BodySource::Octets(octets) if octets.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        self.length.map_or_else(SizeHint::new, SizeHint::with_exact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe() {
        for (name, expected) in [
            ("a.tar.gz", "attachment; filename=\"a.tar.gz\""),
            ("", "attachment"),
            ("../..", "attachment"),
            (".bashrc", "attachment; filename=\"_bashrc\""),
            (
                "a\r\nSet-Cookie: x",
                "attachment; filename=\"a__Set-Cookie__x\"; filename*=UTF-8''a__Set-Cookie_%20x",
            ),
            ("a\"b", "attachment; filename=\"a_b\""),
            ("é;x", "attachment; filename=\"__x\"; filename*=UTF-8''%C3%A9%3Bx"),
            ("gpj.\u{202E}exe", "attachment; filename=\"gpj._exe\""),
        ] {
            assert_eq!(disposition(name), expected, "{name:?}");
        }
        assert!(disposition(&"x".repeat(100_000)).len() < 300);
    }

    #[test]
    fn media_types() {
        let url = UriRef::parse("ftp://h/a/b.GIF;type=i").unwrap();
        assert_eq!(media_type(Some("text/html"), ObjectKind::Text, url), "text/html");
        assert_eq!(media_type(Some("text/html\r\nX: y"), ObjectKind::Text, url), "text/plain");
        assert_eq!(media_type(None, ObjectKind::Menu, url), "text/plain");
        assert_eq!(media_type(None, ObjectKind::Binary, url), "image/gif");
        let url = UriRef::parse("ftp://h/a/b.svg").unwrap();
        assert_eq!(media_type(None, ObjectKind::Binary, url), "application/octet-stream");
    }
}
