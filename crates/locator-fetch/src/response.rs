//! What a fetch returns. A [`Response`] says what is known of the URL and of what it identifies: its kind, and of HTTP
//! the status and headers (RFC 9110, 6); its [`Body`] is read to the end at once, or piece by piece.
//!
//! ```
//! let response = locator_fetch::blocking::Fetcher::for_user_input()
//!     .fetch("data:text/plain,hello")?;
//! assert_eq!(response.media_type(), Some("text/plain"));
//! assert_eq!(response.text()?, "hello");
//! # Ok::<_, locator_fetch::FetchError>(())
//! ```

pub(crate) mod body;

use std::error::Error;
use std::fmt::{self, Debug, Formatter};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use futures_core::Stream;
use locator::plan::{Object, ObjectKind};
use locator::{BaseStack, UriRef, UriRefBuf};
use tokio::io::{AsyncWrite, AsyncWriteExt};

use crate::error::failure::{Failure, UnsentLogin};
use crate::error::{FetchError, FetchErrorKind, Hop};
use crate::headers::{Headers, ResponseHead, Version};
use crate::net::dialer::ConnectedServer;
#[cfg(feature = "entries")]
use crate::protocols::entries::{Entry, entries, is_list};
use crate::redact;
use crate::response::body::Body;
use crate::run::Whole;
use crate::run::resume::Proof;
use crate::time::timings::Timings;

/// What a URL identifies: its kind, its headers, and its [`Body`], which is read as it is wanted.
///
/// A response is a success: an error status, such as 404, is a [`FetchError`] of the fetch, unless
/// [error bodies](crate::http::Http::error_bodies) are wanted. What is fetched by other protocols than HTTP
/// has no status and no headers. `Debug` shows no secret.
///
/// ```
/// use locator_fetch::Fetcher;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// let response = Fetcher::for_user_input()
///     .fetch("data:text/plain;charset=utf-8,caf%C3%A9")
///     .await?;
/// assert_eq!(response.media_type(), Some("text/plain;charset=utf-8"));
/// assert_eq!(response.status(), None);
/// assert_eq!(response.text().await?, "café");
/// # Ok::<_, locator_fetch::FetchError>(())
/// # }).unwrap();
/// ```
///
/// `B` is the body; that of a [blocking](crate::blocking) response is another type, with the same methods.
pub struct Response<B = Body> {
    about: Box<ResponseDetails>,
    body: B,
}

/// Where a body begins.
pub(crate) struct BodyStart {
    /// How many octets are left out because they are there.
    pub(crate) from: u64,
    /// What proves to a later fetch that the object is still this one.
    pub(crate) proof: Proof,
}

/// What is known of a response besides its body, and besides the URLs that the body has.
struct ResponseDetails {
    url: UriRefBuf,
    requested: UriRefBuf,
    hops: Vec<Hop>,
    object: Object,
    charset: Option<String>,
    from: u64,
    proof: Proof,
    head: Option<ResponseHead>,
    refusal: Option<FetchError>,
    /// The server that the object is from, or the one that named its URL.
    server: Option<Arc<ConnectedServer>>,
    timings: Timings,
    /// The method of the last request, if it was one of HTTP.
    method: Option<String>,
    unsent_login: Option<UnsentLogin>,
}

impl Response {
    pub(crate) fn new(
        object: Object,
        BodyStart { from, proof }: BodyStart,
        server: Option<Arc<ConnectedServer>>,
        body: Body,
    ) -> Self {
        let (url, hops) = (body.url.clone(), body.hops.clone());
        let requested = hops.first().map_or_else(|| url.clone(), |hop| hop.url.clone());
        let charset = object.media_type.as_deref().and_then(charset);
        let about = ResponseDetails {
            url,
            requested,
            hops,
            object,
            charset,
            from,
            proof,
            head: None,
            refusal: None,
            server,
            timings: Timings::default(),
            method: None,
            unsent_login: None,
        };
        Self { about: about.into(), body }
    }

    #[cfg(feature = "http")]
    pub(crate) fn with_head(mut self, head: ResponseHead, refusal: Option<FetchError>) -> Self {
        (self.about.head, self.about.refusal) = (Some(head), refusal);
        self
    }

    pub(crate) fn set_timings(&mut self, timings: Timings) {
        self.about.timings = timings;
    }

    #[cfg(feature = "http")]
    pub(crate) fn with_method(mut self, method: &str) -> Self {
        self.about.method = Some(method.into());
        self
    }

    #[cfg(feature = "http")]
    pub(crate) fn with_unsent_login(mut self, why: Option<UnsentLogin>) -> Self {
        self.about.unsent_login = why;
        self
    }

    /// Sets the URL that was requested, if an object named it.
    pub(crate) fn requested_as(&mut self, url: &UriRefBuf) {
        self.about.requested = url.clone();
    }

    /// Shows another URL in place of the one that was requested.
    pub(crate) fn shown_as(&mut self, url: &UriRefBuf) {
        let ResponseDetails { url: at, hops, requested, .. } = &mut *self.about;
        for (at, hops) in [(at, hops), (&mut self.body.url, &mut self.body.hops)] {
            *hops.first_mut().map_or(at, |hop| &mut hop.url) = url.clone();
        }
        *requested = url.clone();
    }

    pub(crate) fn with_body<B, E>(self, body: impl FnOnce(Body) -> Result<B, E>) -> Result<Response<B>, E> {
        Ok(Response { about: self.about, body: body(self.body)? })
    }

    /// Reads the next octets; `None` at the end.
    ///
    /// # Errors
    ///
    /// The body is not complete, or exceeds a limit.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, FetchError> {
        self.body.chunk().await
    }

    /// Reads the whole body.
    ///
    /// # Errors
    ///
    /// The body is not complete, or has more octets than [`max_size`](crate::Fetcher::max_size) allows,
    /// which [`for_user_input`](crate::Fetcher::for_user_input) does not limit.
    pub async fn bytes(mut self) -> Result<Bytes, FetchError> {
        let (mut first, mut all) = (Bytes::new(), BytesMut::new());
        while let Some(chunk) = self.body.chunk().await? {
            gather(&mut first, &mut all, chunk);
        }
        Ok(if all.is_empty() { first } else { all.freeze() })
    }

    /// Reads the whole body as a text. It is decoded by its [charset](Self::charset), without one by UTF-8;
    /// what is invalid in it is replaced by U+FFFD.
    ///
    /// # Errors
    ///
    /// Those of [`bytes`](Self::bytes), and a charset that is not known. Without the feature `charset` only
    /// UTF-8 and US-ASCII are.
    pub async fn text(self) -> Result<String, FetchError> {
        let reading = self.reading();
        let octets = self.bytes().await?;
        reading.text(&octets)
    }

    /// Reads the whole body as JSON.
    ///
    /// ```
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    /// # runtime.block_on(async {
    /// let response =
    ///     locator_fetch::Fetcher::for_user_input().fetch("data:,%5B1,2%5D").await?;
    /// assert_eq!(response.json::<Vec<u8>>().await?, [1, 2]);
    /// # Ok::<_, locator_fetch::FetchError>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`bytes`](Self::bytes), and [`InvalidBody`](FetchErrorKind::InvalidBody), whose source is the
    /// error of `serde_json`.
    #[cfg(feature = "json")]
    pub async fn json<T: serde::de::DeserializeOwned>(self) -> Result<T, FetchError> {
        let reading = self.reading();
        let octets = self.bytes().await?;
        reading.json(&octets)
    }

    /// Writes the body, and returns the number of its octets.
    ///
    /// # Errors
    ///
    /// The body is not complete, exceeds a limit, or cannot be written.
    pub async fn copy_to<W>(mut self, writer: &mut W) -> Result<u64, FetchError>
    where
        W: AsyncWrite + Unpin + ?Sized,
    {
        let (reading, mut count) = (self.reading(), 0);
        while let Some(chunk) = self.body.chunk().await? {
            writer.write_all(&chunk).await.map_err(|error| reading.not_written(error))?;
            count += chunk.len() as u64;
        }
        writer.flush().await.map_err(|error| reading.not_written(error))?;
        Ok(count)
    }

    /// Writes the body to a file, and returns the number of its octets. The file is replaced once the body
    /// is complete; after an error it is as it was.
    ///
    /// # Errors
    ///
    /// The body is not complete, exceeds a limit, or cannot be written.
    pub async fn save(mut self, path: impl AsRef<Path>) -> Result<u64, FetchError> {
        let reading = self.reading();
        let mut part = PartFile::create(path.as_ref()).map_err(|error| reading.not_written(error))?;
        while let Some(chunk) = self.body.chunk().await? {
            let written = tokio::task::spawn_blocking(move || part.with(&chunk)).await;
            part = written.map_err(io::Error::other).flatten().map_err(|error| reading.not_written(error))?;
        }
        part.finish().map_err(|error| reading.not_written(error))
    }

    /// Returns the body as a stream of its octets, as they come. [`body`](Self::body) is such a stream, too.
    pub fn bytes_stream(self) -> impl Stream<Item = io::Result<Bytes>> + Send {
        self.body
    }

    /// Reads the whole body as a list: a directory, a menu, newsgroups, articles, or what a search found.
    ///
    /// # Errors
    ///
    /// Those of [`bytes`](Self::bytes), and [`InvalidBody`](FetchErrorKind::InvalidBody) for a
    /// [kind](Self::kind) that is not a list.
    #[cfg(feature = "entries")]
    pub async fn entries(self) -> Result<Vec<Entry>, FetchError> {
        let reading = self.reading();
        let octets = self.bytes().await?;
        reading.entries(&octets)
    }
}

impl<B> Response<B> {
    /// Returns the URL that the body is from: the requested one, or one that it led to.
    #[must_use]
    pub fn url(&self) -> UriRef<'_> {
        self.about.url.as_uri_ref()
    }

    /// Returns the URL that was requested.
    #[must_use]
    pub fn requested(&self) -> UriRef<'_> {
        self.about.requested.as_uri_ref()
    }

    /// Returns the URLs that led to [`url`](Self::url), in order.
    #[must_use]
    pub fn hops(&self) -> &[Hop] {
        &self.about.hops
    }

    /// Returns the status of a response of HTTP, such as 200; `None` for other protocols.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.head().map(|head| head.status)
    }

    /// Returns whether the response is no error: an error status is an error of the request, except with
    /// [`Http::error_bodies`](crate::http::Http::error_bodies). A redirect that is not followed is no error.
    ///
    /// ```
    /// let response = locator_fetch::blocking::Fetcher::for_user_input().fetch("data:,x")?;
    /// assert!(response.is_success());
    /// # Ok::<_, locator_fetch::FetchError>(())
    /// ```
    #[doc(alias("ok", "is_ok", "raise_for_status"))]
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.about.refusal.is_none()
    }

    /// Returns the version of HTTP that the server used; `None` for other protocols.
    #[must_use]
    pub fn version(&self) -> Option<Version> {
        self.head().map(|head| head.version)
    }

    /// Returns the method of the request that this is the response to, which redirects may have changed to
    /// GET; `None` for other protocols than HTTP.
    #[must_use]
    pub fn method(&self) -> Option<&str> {
        self.about.method.as_deref()
    }

    /// Returns why the login that was given was not sent to a server of HTTP; `None` if it was, or if there is
    /// none. What such a response contains may be for anybody.
    #[must_use]
    pub fn unsent_login(&self) -> Option<&UnsentLogin> {
        self.about.unsent_login.as_ref()
    }

    /// Returns the headers of a response of HTTP; none for other protocols.
    #[must_use]
    pub fn headers(&self) -> &Headers {
        self.head().map_or(Headers::NONE, |head| &head.headers)
    }

    /// Returns the candidates for the base of the links in this response (RFC 3986, 5.1): the URL that it is
    /// from, and within it the headers Content-Location and Content-Base. What the document itself
    /// declares is within these.
    ///
    /// The base is that of the URL's edition, or of RFC 3986 if that edition resolves no references. A
    /// server states the headers, so a link that they lead to is one that the server names.
    ///
    /// ```no_run
    /// let response = locator_fetch::blocking::Fetcher::for_untrusted_urls()
    ///     .fetch("http://example.com/")?;
    /// let mut bases = response.bases();
    /// bases.embedded("/docs/");
    /// assert_eq!(bases.base().unwrap().as_str(), "http://example.com/docs/");
    /// # Ok::<_, locator_fetch::FetchError>(())
    /// ```
    #[must_use]
    pub fn bases(&self) -> BaseStack {
        let url = self.url();
        let mut bases = BaseStack::new_with(url.edition()).unwrap_or_default();
        bases.retrieved_by(url.as_str());
        let [base, location] = ["Content-Base", "Content-Location"].map(|name| self.headers().get(name));
        bases.entity(base, location);
        bases
    }

    /// Returns the head of a response of HTTP: status, reason, version and headers.
    #[must_use]
    pub fn head(&self) -> Option<&ResponseHead> {
        self.about.head.as_ref()
    }

    /// Returns the media type with its parameters, as the server or the URL states it.
    #[must_use]
    pub fn media_type(&self) -> Option<&str> {
        self.about.object.media_type.as_deref()
    }

    /// Returns the character encoding, if the media type names one.
    #[must_use]
    pub fn charset(&self) -> Option<&str> {
        self.about.charset.as_deref()
    }

    /// Returns what the URL identifies: a text, a menu, a directory …
    #[must_use]
    pub fn kind(&self) -> ObjectKind {
        self.about.object.kind
    }

    /// Returns what the plan of the URL says of the object.
    #[must_use]
    pub fn object(&self) -> &Object {
        &self.about.object
    }

    /// Returns the number of octets of the whole object, if the server states it. It is not that of the body
    /// where the server compressed it.
    #[must_use]
    pub fn content_length(&self) -> Option<u64> {
        self.about.proof.length
    }

    /// Returns the number of octets of the object before those of the body; not 0 only if the request was to
    /// [resume](crate::RequestBuilder::resume) there.
    #[must_use]
    pub fn resumed_from(&self) -> u64 {
        self.about.from
    }

    /// Returns what proves, in a later request that resumes, that the object is still this one.
    #[must_use]
    pub fn proof(&self) -> &Proof {
        &self.about.proof
    }

    /// Returns the address of the server that the body is from, or of the proxy; `None` if no server was
    /// asked.
    #[must_use]
    pub fn remote_addr(&self) -> Option<SocketAddr> {
        self.about.server.as_ref().map(|server| server.address)
    }

    /// Returns how long it took to connect, and until the first bytes of the body came.
    #[must_use]
    pub fn timings(&self) -> Timings {
        self.about.timings
    }

    /// Returns the error of a status of 400 or more whose [body](crate::http::Http::error_bodies) is given
    /// nevertheless.
    ///
    /// # Errors
    ///
    /// The status is an error.
    pub fn error_for_status_ref(&self) -> Result<&Self, &FetchError> {
        self.about.refusal.as_ref().map_or(Ok(self), Err)
    }

    /// Returns the error of a status of 400 or more whose [body](crate::http::Http::error_bodies) is given
    /// nevertheless; else this response.
    ///
    /// # Errors
    ///
    /// The status is an error.
    pub fn error_for_status(mut self) -> Result<Self, FetchError> {
        self.about.refusal.take().map_or(Ok(self), Err)
    }

    /// Returns an error about this response, with its URLs and its head, for a program that cannot use it.
    #[must_use]
    pub fn error(&self, failure: Failure) -> FetchError {
        let ResponseDetails { url, hops, head, .. } = &*self.about;
        let error = FetchError::new(url.clone(), hops.clone(), failure);
        head.iter().cloned().fold(error, FetchError::with_head)
    }

    /// Returns the body, to be read as it comes.
    #[must_use]
    pub fn body(self) -> B {
        self.body
    }

    pub(crate) fn body_ref(&self) -> &B {
        &self.body
    }

    pub(crate) fn body_mut(&mut self) -> &mut B {
        &mut self.body
    }

    pub(crate) fn server(&self) -> Option<Arc<ConnectedServer>> {
        self.about.server.clone()
    }

    /// Returns what is needed to read the whole body as something else.
    pub(crate) fn reading(&self) -> BodyContext {
        let ResponseDetails { url, hops, charset, .. } = &*self.about;
        BodyContext {
            url: url.clone(),
            hops: hops.clone(),
            #[cfg(feature = "entries")]
            kind: self.kind(),
            charset: charset.clone(),
        }
    }
}

impl Response {
    /// Returns how the end of the body is known, once it was read.
    #[must_use]
    pub fn whole(&self) -> Option<Whole> {
        self.body.whole()
    }
}

impl<B: Debug> Debug for Response<B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ResponseDetails { url, hops, object, head, refusal, .. } = &*self.about;
        let mut response = f.debug_struct("Response");
        response.field("url", &redact::Url(url.as_uri_ref())).field("hops", hops);
        response.field("object", object).field("body", &self.body);
        response.field("head", head).field("refusal", refusal).finish_non_exhaustive()
    }
}

/// Adds a chunk to those before it. A body of one chunk is not copied.
pub(crate) fn gather(first: &mut Bytes, all: &mut BytesMut, chunk: Bytes) {
    if first.is_empty() && all.is_empty() {
        *first = chunk;
        return;
    }
    all.extend_from_slice(&std::mem::take(first));
    all.extend_from_slice(&chunk);
}

/// Reads a whole body as something else.
pub(super) struct BodyContext {
    url: UriRefBuf,
    hops: Vec<Hop>,
    #[cfg(feature = "entries")]
    kind: ObjectKind,
    charset: Option<String>,
}

impl BodyContext {
    pub(crate) fn text(self, octets: &[u8]) -> Result<String, FetchError> {
        let Some(charset) = self.charset.as_deref() else { return Ok(lossy(octets)) };
        match decoded(charset, octets) {
            Some(text) => Ok(text),
            None => Err(self.invalid("unknown character encoding", None)),
        }
    }

    #[cfg(feature = "json")]
    pub(crate) fn json<T: serde::de::DeserializeOwned>(self, octets: &[u8]) -> Result<T, FetchError> {
        serde_json::from_slice(octets)
            .map_err(|error| self.invalid("the body is not the expected JSON", Some(Arc::new(error))))
    }

    #[cfg(feature = "entries")]
    pub(crate) fn entries(self, octets: &[u8]) -> Result<Vec<Entry>, FetchError> {
        match entries(self.kind, self.url.as_uri_ref(), octets) {
            Some(entries) if is_list(self.kind) => Ok(entries.collect()),
            _ => Err(self.invalid("not a list", None)),
        }
    }

    fn invalid(&self, what: &'static str, source: Option<Arc<dyn Error + Send + Sync>>) -> FetchError {
        let place = (self.url.clone(), self.hops.clone());
        FetchError::other(FetchErrorKind::InvalidBody, what, source, place)
    }

    pub(crate) fn not_written(&self, error: io::Error) -> FetchError {
        let place = (self.url.clone(), self.hops.clone());
        FetchError::other(FetchErrorKind::File, "cannot write the body", Some(Arc::new(error)), place)
    }
}

fn lossy(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

#[cfg(feature = "charset")]
fn decoded(charset: &str, octets: &[u8]) -> Option<String> {
    let encoding = encoding_rs::Encoding::for_label(charset.as_bytes())?;
    Some(encoding.decode(octets).0.into_owned())
}

#[cfg(not(feature = "charset"))]
fn decoded(charset: &str, octets: &[u8]) -> Option<String> {
    let is_known = ["utf-8", "utf8", "us-ascii", "ascii"].iter().any(|one| one.eq_ignore_ascii_case(charset));
    is_known.then(|| lossy(octets))
}

/// A file beside the one to write, which takes its place once it is complete. Dropping it removes it.
pub(crate) struct PartFile {
    file: std::fs::File,
    path: PathBuf,
    /// The file to replace, until that is done.
    target: Option<PathBuf>,
    count: u64,
}

impl PartFile {
    pub(crate) fn create(target: &Path) -> io::Result<Self> {
        let name = target.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(|_| io::Error::other("no random octets"))?;
        let mut part = std::ffi::OsString::from(".");
        part.push(name);
        part.push(format!(".{:016x}.part", u64::from_ne_bytes(random)));
        let path = target.with_file_name(part);
        let file = std::fs::OpenOptions::new().write(true).create_new(true).open(&path)?;
        Ok(Self { file, path, target: Some(target.to_owned()), count: 0 })
    }

    pub(crate) fn with(mut self, octets: &[u8]) -> io::Result<Self> {
        self.count += octets.len() as u64;
        io::Write::write_all(&mut self.file, octets)?;
        Ok(self)
    }

    pub(crate) fn finish(mut self) -> io::Result<u64> {
        if let Some(target) = &self.target {
            std::fs::rename(&self.path, target)?;
        }
        self.target = None;
        Ok(self.count)
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if self.target.is_some() {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Returns the parameter "charset" of a media type.
fn charset(media_type: &str) -> Option<String> {
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
