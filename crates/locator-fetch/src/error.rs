//! The error of fetching: the URL, how it was reached, and the failure.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::net::SocketAddr;

use locator::UriRefBuf;

use crate::failure::{Failure, FailureKind};
use crate::response_head::ResponseHead;
use crate::shown;

/// A URL that led to another one.
#[derive(Clone, PartialEq, Eq)]
pub struct Hop {
    /// The URL, in the edition that read it.
    pub url: UriRefBuf,
    /// The address of the server that named the next URL; `None` if no server was asked.
    pub address: Option<SocketAddr>,
    /// The response that redirects, if it is one of HTTP.
    pub response: Option<Box<ResponseHead>>,
}

/// Writes the status of the response only: its fields may contain secrets.
impl fmt::Debug for Hop {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { url, address, response } = self;
        let status = response.as_ref().map(|response| response.status);
        let mut hop = f.debug_struct("Hop");
        hop.field("url", &shown::Url(url.as_uri_ref()))
            .field("address", address)
            .field("status", &status)
            .finish()
    }
}

/// Why a URL was not fetched, or not whole. `Debug` and `Display` show no secret of a URL or a response.
#[derive(Clone, PartialEq, Eq)]
pub struct FetchError {
    /// The URL that the failure is about: the given one, or one that it led to.
    pub url: UriRefBuf,
    /// The failure.
    pub failure: Box<Failure>,
    /// The URLs that led to the last one, in order.
    pub hops: Vec<Hop>,
    /// The response of a server of HTTP whose status is an error.
    pub response: Option<Box<ResponseHead>>,
}

/// Writes the sentence of `Display`, for a `main` that returns the error, and with `{:#?}` its parts.
impl fmt::Debug for FetchError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return Display::fmt(self, f);
        }
        let Self { url, failure, hops, response } = self;
        let mut error = f.debug_struct("FetchError");
        error.field("url", &shown::Url(url.as_uri_ref())).field("failure", failure);
        error.field("hops", hops).field("response", response).finish()
    }
}

impl FetchError {
    /// Returns the kind of the failure.
    #[must_use]
    pub const fn kind(&self) -> &FailureKind {
        &self.failure.kind
    }
}

/// Writes the URL, without its password, and the failure.
impl Display for FetchError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let secrets = locator_audit::redacted(self.url.as_str());
        let url = self.url.redacted().hide(secrets.hidden().iter().cloned());
        write!(f, "{url}: {}", self.failure)
    }
}

impl Error for FetchError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.failure)
    }
}
