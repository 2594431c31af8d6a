//! A request that is being answered: how its pages are written, and the response that says why there is none.

use hyper::header::{self, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Response, StatusCode};
use locator::{Component, UriRef, UriRefBuf};
use locator_web::report::pasted;

use super::content::Content;
use super::gateway::Gateway;
use super::headers::{Document, response};
use super::pages::{self, Links};
use super::refusal::Refusal;

/// A request, and how its pages are written.
pub(super) struct Asked<'s> {
    pub(super) server: &'s Gateway,
    pub(super) head: Parts,
    pub(super) links: Links,
    /// Whether the path begins with the key, if the gateway has one.
    pub(super) is_keyed: bool,
}

impl Asked<'_> {
    pub(super) const fn is_proxied(&self) -> bool {
        !self.links.is_gateway()
    }

    pub(super) const fn document(&self) -> Document {
        if self.is_proxied() { Document::Native } else { Document::Page }
    }

    pub(super) fn page(&self, status: StatusCode, page: Vec<u8>) -> Response<Content> {
        response(status, self.document(), pages::CONTENT_TYPE, Content::octets(page))
    }

    /// Returns the response of a refusal: a page, or a text for a program that does not ask for HTML, and for
    /// who does not know the key, because the links of a page contain it.
    pub(super) fn refused(&self, refusal: &Refusal, url: Option<&str>) -> Response<Content> {
        let is_html = self.accepts_html() && (self.is_keyed || self.is_proxied());
        let document = refusal.document(url, is_html.then_some(&self.links));
        let media_type = if is_html { pages::CONTENT_TYPE } else { "text/plain; charset=utf-8" };
        let mut response = response(refusal.status, self.document(), media_type, Content::octets(document));
        let headers = response.headers_mut();
        match refusal.status {
            StatusCode::METHOD_NOT_ALLOWED => {
                headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD, POST"));
            }
            StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
            }
            StatusCode::PROXY_AUTHENTICATION_REQUIRED => {
                let challenge = HeaderValue::from_static("Basic realm=\"locator serve\"");
                headers.insert(header::PROXY_AUTHENTICATE, challenge);
            }
            // What the client sends after it is not read.
            StatusCode::BAD_REQUEST | StatusCode::LENGTH_REQUIRED => {
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        response
    }

    /// Returns whether the client asks for HTML, as browsers do.
    pub(super) fn accepts_html(&self) -> bool {
        let accepted = self.head.headers.get(header::ACCEPT).map(HeaderValue::as_bytes);
        accepted.is_some_and(|types| types.windows(9).any(|part| part == b"text/html"))
    }

    /// Returns what is wrong with a text that is not a URL with a scheme: a report of several lines, with a
    /// caret. `gopher.example:70` is such a text, too, though it can be read as one.
    pub(super) fn report(&self, text: &str) -> Option<String> {
        let parsed = UriRef::parse_with(text, self.server.edition);
        let lacks_scheme = match &parsed {
            Ok(url) => !url.has_scheme() || pasted::is_host_with_port(url.as_str()),
            Err(error) => error.component() == Component::Scheme,
        };
        let meant = pages::with_likely_scheme(text).filter(|_| lacks_scheme);
        match (parsed, meant) {
            (_, Some(meant)) => Some(self.without_scheme(text, &format!("did you mean {meant} ?"))),
            (Err(error), None) => Some(error.report(text).to_string()),
            (Ok(url), None) if url.has_scheme() => None,
            (Ok(_), None) => Some(self.without_scheme(text, "begin it with one, such as gopher:")),
        }
    }

    /// Parses a URL.
    pub(super) fn parsed(&self, text: &str) -> Result<UriRefBuf, Refusal> {
        let url = UriRef::parse_with(text, self.server.edition).map_err(|error| Refusal::no_url(&error))?;
        match url.has_scheme() {
            true => Ok(url.to_owned()),
            false => {
                let refusal = Refusal::bad_request("the URL has no scheme");
                Err(refusal.advise("Write it with its scheme, such as gopher://gopher.example/."))
            }
        }
    }

    fn without_scheme(&self, text: &str, advice: &str) -> String {
        let shown = self.links.redacted(text);
        format!("the URL has no scheme\n  {shown}\n  ^ byte 0\n  {advice}")
    }
}
