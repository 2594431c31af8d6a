//! What a fetch returns: the object with what is known of it.

use std::fmt::{self, Debug, Formatter};
use std::net::SocketAddr;
use std::sync::Arc;

use locator::UriRefBuf;
use locator::plan::Object;

use crate::body::Body;
use crate::error::{FetchError, Hop};
use crate::net::dialer::Server;
use crate::response_head::ResponseHead;
use crate::resume::Proof;
use crate::shown;

/// What a URL identifies; `B` is the [`Body`], or that of the blocking front. `Debug` shows no secret of a
/// URL or a response.
pub struct Response<B = Body> {
    /// The URL of the object, in the edition that read it: the given one, or one that it led to.
    pub url: UriRefBuf,
    /// The URLs that led to it, in order.
    pub hops: Vec<Hop>,
    /// The object: its kind, and its media type if that is known.
    pub object: Object,
    /// The character encoding, if the media type names one.
    pub charset: Option<String>,
    /// The number of octets of the object before those of the body; not 0 only if the fetch was to
    /// [go on](Fetcher::resume) there.
    pub from: u64,
    /// What proves, in a later fetch, that the object is still this one.
    pub proof: Proof,
    /// The octets of the object.
    pub body: B,
    /// The head of the response, if the object was fetched by HTTP.
    pub response: Option<ResponseHead>,
    /// The error of a status of 400 or more whose [body](crate::http::Http::error_bodies) is given
    /// nevertheless.
    pub refusal: Option<Box<FetchError>>,
    /// The server that the object is from, or the one that named its URL.
    pub(crate) server: Option<Arc<Server>>,
}

impl<B: Debug> Debug for Response<B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut fetched = f.debug_struct("Response");
        fetched.field("url", &shown::Url(self.url.as_uri_ref())).field("hops", &self.hops);
        fetched.field("object", &self.object).field("body", &self.body);
        fetched.field("response", &self.response).field("refusal", &self.refusal).finish_non_exhaustive()
    }
}

impl Response {
    pub(crate) fn with_body<B, E>(self, body: impl FnOnce(Body) -> Result<B, E>) -> Result<Response<B>, E> {
        let Self { url, hops, object, charset, from, proof, response, refusal, server, .. } = self;
        let body = body(self.body)?;
        Ok(Response { url, hops, object, charset, from, proof, body, response, refusal, server })
    }
}

impl<B> Response<B> {
    /// Returns the address of the server that the object is from, or of the proxy; `None` if no server was
    /// asked.
    #[must_use]
    pub fn address(&self) -> Option<SocketAddr> {
        self.server.as_ref().map(|server| server.address)
    }
}

/// Returns the parameter "charset" of a media type.
pub(crate) fn charset(media_type: &str) -> Option<String> {
    media_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches('"');
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then(|| value.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::charset;

    #[test]
    fn charsets() {
        assert_eq!(charset("text/plain;charset=US-ASCII").as_deref(), Some("US-ASCII"));
        assert_eq!(charset("text/plain; a=b; CharSet=\"utf-8\"").as_deref(), Some("utf-8"));
        assert_eq!(charset("text/plain"), None);
        assert_eq!(charset("text/plain;charset="), None);
    }
}
