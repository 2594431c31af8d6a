//! Asks a server once: what it says, and what is wanted of the body.

use std::ops::ControlFlow;
use std::time::{Duration, SystemTime};

use encoding_rs::Encoding;
use locator::plan::Options;
use locator::{BaseStack, Resolved, UriRef};
use locator_audit::{Block, Reach};
use locator_fetch::{FetchError, Fetcher, Headers, Response as Fetched, parse_retry_after};
use locator_find::{Document, Finder, Format, HeadingIds, Link};
use tokio::time::timeout;

use super::request::Request;
use crate::anchors::AnchorNames;
use crate::anchors::text::PageText;
use crate::judge::{FetchedPage, Method, PageBody, Reply, ReplyKind, RequestFailure, Response};
use crate::outcome::Code;
use crate::pace::rate_limit;
use crate::reference::repaired;

/// The largest part of a page that is read for its anchors.
pub(crate) const PAGE: u64 = 16 << 20;

/// The largest body that is read so that its connection can be used again, and how long it is waited for.
const REST: u64 = 64 << 10;
const REST_TIME: Duration = Duration::from_secs(1);

/// The largest page that is asked for by GET after HEAD, as it may do nothing but refresh to another one.
const STUB: u64 = 4 << 10;

/// How many seconds after it was shown a page leads to another one so that nobody reads it.
const SOON: u32 = 10;

/// Sends a request, and reads what is wanted of its answer. `with_login` is the URL with the login of its host.
pub(crate) async fn ask(
    fetcher: &Fetcher,
    with_login: Option<&str>,
    request: &Request,
    finder: &Finder,
) -> Reply {
    let is_web = UriRef::parse(&request.url).is_ok_and(UriRef::is_web);
    let is_head = request.method == Method::Head;
    let url = with_login.unwrap_or(&request.url);
    let mut sent = fetcher.request(url).options(Options::new().head(is_head && !is_web));
    if is_web && is_head {
        sent = sent.method("HEAD");
    }
    match sent.send().await {
        Ok(fetched) => replied(fetched, request, finder).await,
        Err(error) => failed(&error, &request.url),
    }
}

/// Returns the reply of a response; what is needed of its body is read.
async fn replied(fetched: Fetched, request: &Request, finder: &Finder) -> Reply {
    let is_public = fetched.remote_addr().is_none_or(|address| is_public(address.ip()));
    let Some(head) = fetched.head() else { return Reply { is_public, ..Reply::default() } };
    let response = response(head, &request.url);
    let waits = waits(head.status, &head.headers);
    let header = head.headers.get("refresh").map(as_meta);
    let length = head.headers.get("content-length").and_then(|length| length.parse::<u64>().ok());
    // No coding was asked for (RFC 9110, 12.5.3); servers exist that send compressed pages all the same.
    let is_coded = head.headers.get("content-encoding").is_some_and(|coding| coding != "identity");
    let is_page = matches!(response.status, 200..=299);
    let bases = fetched.bases();
    let media_type = fetched.media_type().filter(|name| !name.is_empty());
    let charset = fetched.charset().map(str::to_owned);
    // A page without a type is one by its first octets.
    let read = media_type.map_or(Some(None), |name| format_of_page(name).map(Some));
    let read = read.filter(|_| is_page && request.wants_page);
    let named = media_type.and_then(format_of).filter(|_| is_page && !is_coded && request.wants_anchors);
    let is_html = is_page && !is_coded && media_type.is_some_and(|name| format_of(name).is_some());
    let is_head = request.method == Method::Head;
    // Servers exist that answer HEAD with the length 0.
    let may_refresh = is_html && is_head && header.is_none() && length.is_none_or(|length| length <= STUB);
    let refresh_of = |octets: &[u8]| refresh_of(finder, &bases, octets);
    let mut refresh = header.filter(|_| is_page).and_then(|meta| refresh_of(meta.as_bytes()));
    let (mut page, mut names, mut is_cut) = (None, None, false);
    match (read, named) {
        (Some(_), _) if is_coded => page = Some(PageBody::Unreadable),
        (Some(format), _) => match body(fetched).await {
            Ok(Some(octets)) => {
                let octets = in_utf8(charset.as_deref(), octets);
                let sniffed = || Format::of_octets(&octets).filter(|format| is_read(*format));
                let format = format.or_else(sniffed);
                refresh = refresh.or_else(|| refresh_of(&octets).filter(|_| format == Some(Format::Html)));
                let bases = bases.clone();
                let whole = |format| FetchedPage { url: request.url.to_string(), bases, format, octets };
                page = format.map(whole).map(PageBody::Whole);
            }
            Ok(None) => page = Some(PageBody::Unreadable),
            Err(error) => return failed(&error, &request.url),
        },
        (None, Some(format)) => {
            let octets = body(fetched).await;
            is_cut = octets.is_err();
            let read = |octets: Vec<u8>| {
                let octets = in_utf8(charset.as_deref(), octets);
                refresh = refresh.take().or_else(|| refresh_of(&octets));
                let rule = HeadingIds::default();
                let names = AnchorNames::read_page(finder, format, rule, &mut octets.as_slice()).ok()?;
                let text = request.wants_text.then(|| PageText::of(format, &octets));
                Some(names.anchors().with_text(text))
            };
            names = octets.ok().flatten().and_then(read);
        }
        (None, None) if is_html && !is_head && refresh.is_none() => {
            refresh = refresh_of(&in_utf8(charset.as_deref(), beginning(fetched).await));
        }
        (None, None) => drop_body(fetched).await,
    }
    let kind = ReplyKind::Response(response);
    Reply { kind, is_public, waits, anchors: names, is_cut, refresh, may_refresh, page, seen: None }
}

/// Reads the first part of a page.
async fn beginning(fetched: Fetched) -> Vec<u8> {
    let mut body = fetched.body();
    let mut octets = Vec::new();
    let read = async {
        while let Ok(Some(more)) = body.chunk().await {
            octets.extend_from_slice(&more);
            if octets.len() as u64 > REST {
                return;
            }
        }
    };
    let _ = timeout(REST_TIME, read).await;
    octets
}

/// Returns where a page leads by itself within ten seconds, by its first refresh (HTML, 4.2.5.3).
fn refresh_of(finder: &Finder, bases: &BaseStack, octets: &[u8]) -> Option<String> {
    let mut octets = octets.get(..REST as usize).unwrap_or(octets);
    let document = Document::new(Format::Html).within(bases.clone());
    let mut refresh = None;
    let mut sink = |link: &Link<'_>| match link.refresh_delay() {
        None => ControlFlow::Continue(()),
        Some(delay) => {
            let to = repaired(link, link.url()).ok().and_then(|url| match link.resolve(&url) {
                Ok(Resolved::Uri(uri)) => Some(uri.as_str().to_owned()),
                _ => None,
            });
            refresh = to.filter(|_| delay <= SOON);
            ControlFlow::Break(())
        }
    };
    finder.find(&document, &mut octets, &mut sink).ok()?;
    refresh
}

/// Returns the value of the header `Refresh` as the element that means the same: "It takes the same value" (HTML, "The
/// `Refresh` header").
fn as_meta(value: &str) -> String {
    let value = value.replace('&', "&amp;").replace('"', "&quot;");
    format!("<meta http-equiv=refresh content=\"{value}\">")
}

/// Reads a short body that is of no interest, so that its connection can be used again. The fetcher does so only
/// with what is there already.
async fn drop_body(fetched: Fetched) {
    let length = fetched.headers().get("content-length").and_then(|length| length.parse::<u64>().ok());
    if length.is_some_and(|length| length > REST) {
        return;
    }
    let mut body = fetched.body();
    let read = async {
        let mut left = REST;
        while let Ok(Some(octets)) = body.chunk().await {
            let Some(less) = left.checked_sub(octets.len() as u64) else { return };
            left = less;
        }
    };
    let _ = timeout(REST_TIME, read).await;
}

fn response(head: &locator_fetch::ResponseHead, url: &str) -> Response {
    let url = UriRef::parse(url).ok();
    let location = url.and_then(|url| head.redirect_target(url)).map(|url| url.into_string());
    Response {
        status: head.status,
        reason: head.reason.clone(),
        location,
        is_http2: head.version == locator_fetch::Version::Http2,
        is_challenge: head.headers.get("cf-mitigated").is_some(),
        sets_cookie: head.headers.get("set-cookie").is_some(),
    }
}

/// Returns how long a server asks to wait. `Retry-After` means that with an error only: with a redirect it is for what
/// the redirect leads to, with a page it means nothing (RFC 9110, 10.2.3).
pub(crate) fn waits(status: u16, headers: &Headers) -> Option<Duration> {
    let value = headers.get("retry-after").filter(|_| status >= 400);
    let asked = value.and_then(|value| parse_retry_after(value, SystemTime::now()));
    asked.max(rate_limit(|name| headers.get(name)))
}

/// Returns the format of a page whose names are known.
pub(crate) fn format_of(media_type: &str) -> Option<Format> {
    let media_type = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match &*media_type {
        "text/html" | "application/xhtml+xml" => Some(Format::Html),
        _ => None,
    }
}

/// Returns the format of a page that is read for its links.
fn format_of_page(media_type: &str) -> Option<Format> {
    let named = format_of(media_type).or_else(|| Format::of_media_type(media_type));
    named.filter(|format| is_read(*format))
}

const fn is_read(format: Format) -> bool {
    matches!(format, Format::Html | Format::Css | Format::Xml | Format::Markdown)
}

/// Returns a page in UTF-8, with a byte order mark: the encoding that the server states has precedence over that of
/// the page (HTML, 13.2.3.2), and the mark over both.
pub(crate) fn in_utf8(charset: Option<&str>, octets: Vec<u8>) -> Vec<u8> {
    let stated = charset.and_then(|name| Encoding::for_label(name.as_bytes()));
    let other = stated.filter(|encoding| *encoding != encoding_rs::UTF_8);
    match other.filter(|_| Encoding::for_bom(&octets).is_none()) {
        None => octets,
        Some(encoding) => format!("\u{FEFF}{}", encoding.decode_without_bom_handling(&octets).0).into_bytes(),
    }
}

/// Reads a body; `None` if it is too large.
async fn body(fetched: Fetched) -> Result<Option<Vec<u8>>, FetchError> {
    let mut body = fetched.body();
    let mut octets = Vec::new();
    while let Some(more) = body.chunk().await? {
        octets.extend_from_slice(&more);
        if octets.len() as u64 > PAGE {
            return Ok(None);
        }
    }
    Ok(Some(octets))
}

fn failed(error: &FetchError, url: &str) -> Reply {
    let failed = |failure| Reply { kind: ReplyKind::Failed(failure), is_public: true, ..Reply::default() };
    // A status of HTTP that the fetcher takes for an error.
    if let Some(head) = error.head() {
        let waits = waits(head.status, &head.headers);
        return Reply {
            kind: ReplyKind::Response(response(head, url)),
            is_public: true,
            waits,
            ..Reply::default()
        };
    }
    failed(match error.failure() {
        Some(failure) => RequestFailure::of(&failure.kind),
        None => RequestFailure { code: Code::Policy, text: error.to_string() },
    })
}

/// Returns whether an address can be reached from everywhere.
fn is_public(address: std::net::IpAddr) -> bool {
    Block::of(address).is_none_or(|block| block.reach() == Reach::Public)
}
