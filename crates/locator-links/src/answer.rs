//! Asks a server once: what it says, and what is wanted of the body.

use std::time::{Duration, SystemTime};

use encoding_rs::Encoding;
use locator::UriRef;
use locator::plan::Options;
use locator_audit::{Block, Reach};
use locator_fetch::{FetchError, Fetcher, Headers, Response as Fetched, parse_http_date};
use locator_find::{Finder, Format, HeadingIds};
use tokio::time::timeout;

use crate::asking::Request;
use crate::fragments::Names;
use crate::outcome::Code;
use crate::patience::{rate_limit, retry_after};
use crate::reply::{FetchedPage, Method, PageBody, Reply, Response, Said, Trouble};
use crate::text_fragment::PageText;

/// The largest part of a page that is read for its anchors.
pub(crate) const PAGE: u64 = 16 << 20;

/// The largest body that is read so that its connection can be used again, and how long it is waited for.
const REST: u64 = 64 << 10;
const REST_TIME: Duration = Duration::from_secs(1);

/// Sends a request, and reads what is wanted of its answer. `with_login` is the URL with the login of its host.
pub(crate) async fn ask(
    fetcher: &Fetcher,
    with_login: Option<&str>,
    request: &Request,
    finder: &Finder,
) -> Reply {
    let is_web = request.url.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("http"));
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
    let waits = waits(&head.headers);
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
    let (mut page, mut names, mut is_cut) = (None, None, false);
    match (read, named) {
        (Some(_), _) if is_coded => page = Some(PageBody::Unreadable),
        (Some(format), _) => match body(fetched).await {
            Ok(Some(octets)) => {
                let octets = in_utf8(charset.as_deref(), octets);
                let sniffed = || Format::of_octets(&octets).filter(|format| is_read(*format));
                let format = format.or_else(sniffed);
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
                let rule = HeadingIds::default();
                let names = Names::read_page(finder, (format, rule), &mut octets.as_slice()).ok()?;
                let text = request.wants_text.then(|| PageText::of(format, &octets));
                Some(names.anchors().with_text(text))
            };
            names = octets.ok().flatten().and_then(read);
        }
        (None, None) => drop_body(fetched).await,
    }
    Reply { said: Said::Response(response), is_public, waits, anchors: names, is_cut, page, seen: None }
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

fn waits(headers: &Headers) -> Option<Duration> {
    let until = |date: &str| parse_http_date(date)?.duration_since(SystemTime::now()).ok();
    let asked = headers.get("retry-after").and_then(|value| retry_after(value, until));
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
    let failed = |trouble| Reply { said: Said::Failed(trouble), is_public: true, ..Reply::default() };
    // A status of HTTP that the fetcher takes for an error.
    if let Some(head) = error.head() {
        let waits = waits(&head.headers);
        return Reply {
            said: Said::Response(response(head, url)),
            is_public: true,
            waits,
            ..Reply::default()
        };
    }
    failed(match error.failure() {
        Some(failure) => Trouble::of(&failure.kind),
        None => Trouble { code: Code::Policy, text: error.to_string() },
    })
}

/// Returns whether an address can be reached from everywhere.
fn is_public(address: std::net::IpAddr) -> bool {
    Block::of(address).is_none_or(|block| block.reach() == Reach::Public)
}
