//! What is known about a transfer, for the variables of `-w`.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::time::Duration;

use locator::UriRef;
use locator_fetch::blocking::Response;
use locator_fetch::run::{FailureKind, TlsCause};
use locator_fetch::{FetchError, Hop, ResponseHead, Timings};

/// What is known about a transfer.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Seen {
    /// The number of the argument, from 1, if that has patterns.
    pub(in super::super) argument: Option<u64>,
    /// Whether all of it is written.
    pub(super) is_wanted: bool,
    /// The last URL.
    pub(super) url: String,
    pub(super) scheme: String,
    pub(super) hops: usize,
    /// The head of the last response.
    pub(super) head: Option<ResponseHead>,
    /// The number of bytes of all response headers.
    pub(super) size_header: u64,
    /// The target of a redirect that is not followed.
    pub(in super::super) redirect: Option<String>,
    pub(super) content_type: Option<String>,
    pub(super) address: Option<SocketAddr>,
    pub(super) timings: Timings,
    /// The method of the first request, and of the last.
    pub(in super::super) method: String,
    /// The number of bytes that the body of the request has.
    pub(in super::super) size_upload: u64,
    /// Whether certificates are verified.
    pub(in super::super) is_verified: bool,
    pub(super) verify_result: u32,
    /// The number of bytes that were written.
    pub(in super::super) octets: u64,
    pub(in super::super) time: Duration,
    pub(in super::super) exit: u8,
    /// The error, in a sentence.
    pub(in super::super) error: Option<String>,
    /// The file that it is saved to.
    pub(in super::super) file: Option<OsString>,
    /// Whether a file is complete.
    pub(in super::super) is_saved: bool,
    /// Whether the file was complete before.
    pub(in super::super) is_complete: bool,
    /// What a user should know besides the error.
    pub(in super::super) note: Option<String>,
    /// Whether the error is reported.
    pub(in super::super) is_reported: bool,
}

impl Seen {
    /// Begins with the method of the first request, and the number of bytes of its body. `is_wanted` says
    /// whether the variables of `-w` are written.
    pub(in super::super) fn new(is_wanted: bool, method: &str, size_upload: u64, is_verified: bool) -> Self {
        Self { is_wanted, method: method.into(), size_upload, is_verified, ..Self::default() }
    }

    pub(in super::super) fn fetched(&mut self, fetched: &Response) {
        self.responded(fetched.url(), fetched.hops(), fetched.head());
        if !self.is_wanted {
            return;
        }
        self.content_type = fetched.media_type().map(str::to_owned);
        self.address = fetched.remote_addr();
        self.timings = fetched.timings();
        if let Some(method) = fetched.method() {
            method.clone_into(&mut self.method);
        }
        if matches!(&*self.method, "GET" | "HEAD") && self.hops > 0 {
            self.size_upload = 0;
        }
        // X509_V_ERR_UNSPECIFIED: nobody knows.
        self.verify_result = u32::from(!self.is_verified && self.timings.app_connect > Duration::ZERO);
    }

    pub(in super::super) fn failed(&mut self, error: &FetchError) {
        self.hops = error.hops().len();
        self.timings = error.timings();
        if let Some(url) = error.unredacted_url() {
            self.responded(url, error.hops(), error.head());
        }
        self.verify_result = match error.failure().map(|failure| &failure.kind) {
            Some(FailureKind::NotSecured(why)) => verify_result(&why.cause),
            _ => 0,
        };
    }

    /// Returns the value of a header of the last response, whose name is in lower case.
    pub(super) fn header(&self, name: &str) -> String {
        let value = self.head.as_ref().and_then(|head| head.headers.get_bytes(name));
        value.map(|value| String::from_utf8_lossy(value).into_owned()).unwrap_or_default()
    }

    fn responded(&mut self, url: UriRef<'_>, hops: &[Hop], response: Option<&ResponseHead>) {
        let redirect = response.filter(|response| response.status / 100 == 3);
        self.redirect = redirect.and_then(|response| Some(response.redirect_target(url)?.into_string()));
        if !self.is_wanted {
            return;
        }
        url.as_str().clone_into(&mut self.url);
        self.scheme = url.scheme().map(|scheme| scheme.lowercase().to_string()).unwrap_or_default();
        self.hops = hops.len();
        let heads = hops.iter().filter_map(|hop| hop.head.as_deref()).chain(response);
        self.size_header = heads.map(|head| head.head().len() as u64).sum();
        self.head = response.cloned();
    }
}

/// Returns the number that OpenSSL, and so curl, has for what is wrong with a certificate.
const fn verify_result(cause: &TlsCause) -> u32 {
    match cause {
        TlsCause::NotYetValid => 9,
        TlsCause::Expired => 10,
        TlsCause::SelfSigned => 18,
        TlsCause::UnknownIssuer => 20,
        TlsCause::Revoked => 23,
        TlsCause::OtherName => 62,
        _ => 1,
    }
}
