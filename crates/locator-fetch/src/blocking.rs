//! The same without `async`: the thread of the caller waits for the network, or a thread that wakes it,
//! so that it works inside another runtime, too. For what needs no network nothing is started.
//!
//! ```
//! use std::io::Read;
//!
//! let fetcher = locator_fetch::blocking::Fetcher::for_user_input();
//! let mut response = fetcher.fetch("data:,hello")?;
//! let mut text = String::new();
//! response.read_to_string(&mut text)?;
//! assert_eq!(text, "hello");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! [`InFlight`] is requests that a thread has sent, and whose responses have not come: it takes requests, returns
//! each with its response.

use std::collections::VecDeque;
use std::fmt::{self, Debug, Display, Formatter};
use std::future::poll_fn;
use std::io::{self, Read, Write};
use std::path::Path;
use std::pin::{Pin, pin};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, JoinHandle, Thread};

use bytes::{Bytes, BytesMut};
use locator::UriRefBuf;
use locator_audit::Policy;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;

use crate::error::FetchError;
use crate::error::failure::{Failure, FailureKind};
#[cfg(feature = "http")]
use crate::fetcher::config::methods;
use crate::fetcher::config::setters;
use crate::fetcher::fetch::{self, Action, Fetch, RequestOutcome};
use crate::fetcher::request::IntoUrl;
use crate::fetcher::{WokenFetches, request};
use crate::headers::Headers;
#[cfg(feature = "entries")]
use crate::protocols::entries::Entry;
use crate::response::{PartFile, body, gather};
use crate::run::Whole;
use crate::{fetcher, response};

/// Fetches what URLs identify, and waits for it.
///
/// A clone shares the connections that wait to be used again, so a program has one fetcher for each policy.
///
/// ```
/// use std::time::Duration;
///
/// use locator_fetch::blocking::Fetcher;
///
/// let fetcher = Fetcher::for_user_input()
///     .timeout(Duration::from_secs(20))
///     .max_size(1 << 20);
/// assert_eq!(fetcher.fetch("data:,hello")?.text()?, "hello");
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
#[doc(alias("Client", "ClientBuilder", "Agent", "Session"))]
#[derive(Clone)]
pub struct Fetcher {
    fetcher: fetcher::Fetcher,
    network: Arc<OnceLock<Result<Arc<NetworkWait>, String>>>,
}

/// What a URL identifies; its body is read with [`Read`], too.
///
/// ```
/// let response =
///     locator_fetch::blocking::Fetcher::for_user_input().fetch("data:,hello")?;
/// assert_eq!(response.bytes()?, "hello");
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
pub type Response = response::Response<Body>;

/// What [`hop`](RequestBuilder::hop) returns: the response, or the redirect that the server sent in place of
/// it.
pub type OneHop = request::OneHop<Body>;

/// A request: a URL, and what is set for it besides the settings of the fetcher.
///
/// ```no_run
/// let fetcher = locator_fetch::blocking::Fetcher::for_user_input();
/// let sent = fetcher
///     .request("https://example.com/search")
///     .form(&[("q", "rust")])
///     .send()?;
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
pub type RequestBuilder<'r> = request::RequestBuilder<'r, Fetcher>;

impl Fetcher {
    /// Creates a fetcher for untrusted URLs: those of a form, a message, a document.
    /// It fetches what [`Policy::public_web`](locator_audit::Policy::public_web) allows, `http` and
    /// `https` from public addresses, within 60 seconds, up to 64 MiB, and with at least 1 KiB a second
    /// after 10 seconds.
    #[must_use]
    pub fn for_untrusted_urls() -> Self {
        fetcher::Fetcher::for_untrusted_urls().into()
    }

    /// Creates a fetcher for URLs that a user of this program has given, of any scheme and at any address.
    /// Where an answer leads is judged as untrusted ([`Policy::typed`](locator_audit::Policy::typed)).
    /// There is no limit of the whole time and of the size.
    #[must_use]
    pub fn for_user_input() -> Self {
        fetcher::Fetcher::for_user_input().into()
    }

    /// Creates a fetcher [for untrusted URLs](Self::for_untrusted_urls), the safe one: it contacts public
    /// addresses only. For URLs that the user or the program itself chooses, use
    /// [`for_user_input`](Self::for_user_input).
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a fetcher to be set up, as [`new`](Self::new) does: a fetcher is its own builder.
    #[must_use]
    pub fn builder() -> Self {
        Self::default()
    }

    /// Creates a fetcher with a policy of the program, and the limits of
    /// [`for_untrusted_urls`](Self::for_untrusted_urls).
    #[must_use]
    pub fn with_policy(policy: Policy) -> Self {
        fetcher::Fetcher::with_policy(policy).into()
    }

    setters!(fetcher);

    /// Returns the same fetcher with connections of its own; a clone shares them. Several threads that
    /// fetch at the same time are faster with a separate fetcher each, because no thread has to wake
    /// another. Each takes three file descriptors besides its connections.
    ///
    /// Limits for all connections, such as that of the memory for decompressing, are common to both.
    #[must_use]
    pub fn separate(&self) -> Self {
        let mut fetcher = self.fetcher.clone();
        fetcher.config_mut().separate();
        fetcher.into()
    }

    /// Creates the fetcher for other threads than those of an asynchronous one.
    #[cfg(feature = "mirror")]
    pub(crate) fn apart(asynchronous: &fetcher::Fetcher) -> Self {
        let mut fetcher = asynchronous.clone();
        fetcher.config_mut().separate_all();
        fetcher.into()
    }

    /// Returns the same fetcher, which expects many files of a server.
    #[cfg(feature = "mirror")]
    pub(crate) fn expecting_reuse(&self) -> Self {
        let mut fetcher = self.clone();
        fetcher.fetcher.config_mut().expect_reuse();
        fetcher
    }

    /// Returns the same fetcher, which follows no redirects.
    #[cfg(feature = "mirror")]
    pub(crate) fn following_no_redirects(&self) -> Self {
        let mut fetcher = self.clone();
        fetcher.fetcher.config_mut().follow_no_redirects();
        fetcher
    }

    /// Fetches what a URL identifies. Returns when its first octets, or its end, are there; the body is
    /// read afterwards.
    ///
    /// # Errors
    ///
    /// The text is not a URL, it cannot be fetched, the policy forbids it, or the server refuses it.
    pub fn fetch(&self, url: impl IntoUrl) -> Result<Response, FetchError> {
        self.request(url).send()
    }

    /// Begins a request that is more than a URL: a method, headers, a body, a timeout of its own.
    pub fn request(&self, url: impl IntoUrl) -> RequestBuilder<'static> {
        RequestBuilder::new(self.clone(), (*self.fetcher.config).clone(), url)
    }

    #[cfg(feature = "http")]
    methods!(RequestBuilder<'static>);

    /// Fetches a URL that a response names: an entry of a menu, or a link of a document. It is judged like
    /// a redirect, by the server of the response: it does not lead to a narrower reach, to a low port of
    /// another protocol, or to a file. What is on this machine leads nowhere.
    ///
    /// # Errors
    ///
    /// Those of [`fetch`](Self::fetch).
    pub fn follow<B>(&self, from: &response::Response<B>, url: impl IntoUrl) -> Result<Response, FetchError> {
        self.request(url).named_by(from).send()
    }

    /// Fetches several URLs, so many at once, and returns the responses in the order in which their first
    /// octets come, each with the index of its URL. They go on only while the next one is waited for.
    ///
    /// ```
    /// let fetcher = locator_fetch::blocking::Fetcher::for_user_input();
    /// let mut texts = [const { String::new() }; 3];
    /// for (index, response) in fetcher.fetch_all(["data:,a", "data:,b", "data:,c"], 2)
    /// {
    ///     texts[index] = response?.text()?;
    /// }
    /// assert_eq!(texts, ["a", "b", "c"]);
    /// # Ok::<_, locator_fetch::FetchError>(())
    /// ```
    pub fn fetch_all<I>(&self, urls: I, at_once: usize) -> FetchAll<I::IntoIter>
    where
        I: IntoIterator,
        I::Item: IntoUrl,
    {
        FetchAll { all: self.fetcher.fetch_all(urls, at_once), fetcher: self.clone() }
    }

    fn with_network(&self, response: response::Response) -> Result<Response, FetchError> {
        response.with_body(|body| {
            let network = if body.is_here() {
                None
            } else {
                Some(self.network().map_err(|failure| body.error(failure))?.clone())
            };
            Ok(Body { body, network })
        })
    }

    fn network(&self) -> Result<&Arc<NetworkWait>, Failure> {
        let network = self.network.get_or_init(|| match NetworkWait::start() {
            Ok(network) => Ok(network.into()),
            Err(error) => Err(error.to_string()),
        });
        network.as_ref().map_err(no_network)
    }

    /// Carries out a future that needs the network.
    fn run<F: Future>(&self, future: F) -> Result<F::Output, Failure> {
        self.network()?.run(future)
    }
}

/// Fetches what a URL identifies, by a fetcher of its own
/// [for untrusted URLs](Fetcher::for_untrusted_urls): it contacts public addresses only. A program that fetches
/// several URLs has one [`Fetcher`].
///
/// ```
/// let error = locator_fetch::blocking::get("http://127.0.0.1/").unwrap_err();
/// assert_eq!(error.kind(), locator_fetch::FetchErrorKind::Forbidden);
/// ```
///
/// # Errors
///
/// Those of [`Fetcher::fetch`].
pub fn get(url: impl IntoUrl) -> Result<Response, FetchError> {
    Fetcher::new().fetch(url)
}

/// Creates a fetcher [for untrusted URLs](Self::for_untrusted_urls).
impl Default for Fetcher {
    fn default() -> Self {
        Self::for_untrusted_urls()
    }
}

impl From<fetcher::Fetcher> for Fetcher {
    fn from(mut fetcher: fetcher::Fetcher) -> Self {
        fetcher.config_mut().block();
        Self { fetcher, network: Arc::default() }
    }
}

impl RequestBuilder<'_> {
    /// Sends the request. Returns when the first octets of the body, or its end, are there; the body is read
    /// afterwards.
    ///
    /// # Errors
    ///
    /// The request is not valid, it cannot be sent, the policy forbids it, or the server refuses it.
    #[doc(alias("call", "execute"))]
    pub fn send(self) -> Result<Response, FetchError> {
        let fetcher = self.fetcher.clone();
        let call = self.into_call()?;
        let mut fetch = call.fetch();
        let mut action = call.begin(&mut fetch);
        let mut response = loop {
            action = match advance(&fetcher, &mut fetch, action) {
                Ok(RequestOutcome::Response(response)) => break Ok(*response),
                Ok(RequestOutcome::Redirect(url)) => fetch.begin(url.as_uri_ref()),
                Err(error) => break Err(error),
            };
        };
        call.end(&mut response);
        fetcher.with_network(response?)
    }

    /// Sends the request, and follows no redirect: returns the response, or the redirect that the server sent.
    /// See [`Redirect`](crate::Redirect) for an example.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send), so also that the policy refuses where the redirect leads.
    pub fn hop(self) -> Result<OneHop, FetchError> {
        let fetcher = self.fetcher.clone();
        let call = self.into_call()?;
        let mut fetch = call.fetch();
        let action = call.begin(&mut fetch);
        let landed = advance(&fetcher, &mut fetch, action);
        Ok(match call.end_hop(landed, fetch)? {
            request::OneHop::Response(response) => OneHop::Response(fetcher.with_network(response)?),
            request::OneHop::Redirect(redirect) => OneHop::Redirect(redirect),
        })
    }
}

/// Goes on to a response, or to a redirect.
fn advance(
    fetcher: &Fetcher,
    fetch: &mut Fetch<'_>,
    mut action: Result<Action, FetchError>,
) -> Result<RequestOutcome, FetchError> {
    loop {
        action = match action? {
            Action::Done(response) => return Ok(RequestOutcome::Response(response)),
            Action::Redirect(url) => return Ok(RequestOutcome::Redirect(url)),
            Action::Run(driver) => {
                let run = fetcher.run(fetch::run(driver));
                fetch.take_run(run.map_err(|failure| fetch.error(failure))?)
            }
            #[cfg(feature = "http")]
            Action::Request(attempt) => {
                let arrived = fetcher.run(fetch::http::send(attempt));
                fetch.take_response(arrived.map_err(|failure| fetch.error(failure))?)
            }
        };
    }
}

/// The responses of [`Fetcher::fetch_all`], each with the index of its URL.
///
/// ```
/// let all = locator_fetch::blocking::Fetcher::for_user_input()
///     .fetch_all(["data:,a", "no URL"], 8);
/// assert_eq!(all.filter(|(_, response)| response.is_ok()).count(), 1);
/// ```
#[derive(Debug)]
pub struct FetchAll<I> {
    all: fetcher::FetchAll<I>,
    fetcher: Fetcher,
}

impl<I: Iterator<Item: IntoUrl>> Iterator for FetchAll<I> {
    type Item = (usize, Result<Response, FetchError>);

    fn next(&mut self) -> Option<Self::Item> {
        let network = self.fetcher.network();
        let next = network.and_then(|network| network.run(poll_fn(|context| self.all.poll(context))));
        match next {
            Ok(next) => next.map(|(index, response)| {
                (index, response.and_then(|response| self.fetcher.with_network(response)))
            }),
            // Without a network each of them fails when it is waited for.
            Err(failure) => self.all.fail(failure).map(|(index, error)| (index, Err(error))),
        }
    }
}

impl Response {
    /// Reads the next octets; `None` at the end.
    ///
    /// # Errors
    ///
    /// The body is not complete, or exceeds a limit.
    pub fn chunk(&mut self) -> Result<Option<Bytes>, FetchError> {
        self.body_mut().chunk()
    }

    /// Reads the whole body.
    ///
    /// # Errors
    ///
    /// The body is not complete, or has more octets than [`max_size`](Fetcher::max_size) allows, which
    /// [`for_user_input`](Fetcher::for_user_input) does not limit.
    pub fn bytes(mut self) -> Result<Bytes, FetchError> {
        let (mut first, mut all) = (Bytes::new(), BytesMut::new());
        while let Some(chunk) = self.chunk()? {
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
    #[doc(alias("into_string", "read_to_string"))]
    pub fn text(self) -> Result<String, FetchError> {
        let reading = self.reading();
        reading.text(&self.bytes()?)
    }

    /// Reads the whole body as JSON.
    ///
    /// # Errors
    ///
    /// Those of [`bytes`](Self::bytes), and [`InvalidBody`](crate::FetchErrorKind::InvalidBody), whose source
    /// is the error of `serde_json`.
    #[cfg(feature = "json")]
    #[doc(alias("into_json", "read_json"))]
    pub fn json<T: serde::de::DeserializeOwned>(self) -> Result<T, FetchError> {
        let reading = self.reading();
        reading.json(&self.bytes()?)
    }

    /// Writes the body, and returns the number of its octets.
    ///
    /// # Errors
    ///
    /// The body is not complete, exceeds a limit, or cannot be written.
    pub fn copy_to<W: Write + ?Sized>(mut self, writer: &mut W) -> Result<u64, FetchError> {
        let (reading, mut count) = (self.reading(), 0);
        while let Some(chunk) = self.chunk()? {
            writer.write_all(&chunk).map_err(|error| reading.not_written(error))?;
            count += chunk.len() as u64;
        }
        writer.flush().map_err(|error| reading.not_written(error))?;
        Ok(count)
    }

    /// Writes the body to a file, and returns the number of its octets. The file is replaced once the body
    /// is complete; after an error it is as it was.
    ///
    /// # Errors
    ///
    /// The body is not complete, exceeds a limit, or cannot be written.
    pub fn save(mut self, path: impl AsRef<Path>) -> Result<u64, FetchError> {
        let reading = self.reading();
        let mut part = PartFile::create(path.as_ref()).map_err(|error| reading.not_written(error))?;
        while let Some(chunk) = self.chunk()? {
            part = part.with(&chunk).map_err(|error| reading.not_written(error))?;
        }
        part.finish().map_err(|error| reading.not_written(error))
    }

    /// Reads the whole body as a list: a directory, a menu, newsgroups, articles, or what a search found.
    ///
    /// # Errors
    ///
    /// Those of [`bytes`](Self::bytes), and [`InvalidBody`](crate::FetchErrorKind::InvalidBody) for a
    /// [kind](Self::kind) that is not a list.
    #[cfg(feature = "entries")]
    pub fn entries(self) -> Result<Vec<Entry>, FetchError> {
        let reading = self.reading();
        reading.entries(&self.bytes()?)
    }

    /// Returns how the end of the body is known, once it was read.
    #[must_use]
    pub fn whole(&self) -> Option<Whole> {
        self.body_ref().whole()
    }
}

/// Reads the body. A body that was cut short is an `UnexpectedEof`.
impl Read for Response {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.body_mut().read(buffer)
    }
}

/// The octets of a response, as a [`Read`] or by [`chunk`](Self::chunk).
///
/// The end is an end only if nothing is known to be missing: a body that was cut short is an error, as a
/// reader `UnexpectedEof`. After an error each further read returns the same error.
///
/// Dropping it closes the connections, unless the rest of a short body is there already.
///
/// ```
/// let mut body = locator_fetch::blocking::Fetcher::for_user_input()
///     .fetch("data:,hello")?
///     .body();
/// assert_eq!(std::io::copy(&mut body, &mut std::io::sink())?, 5);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub struct Body {
    body: body::Body,
    /// The network, if the object comes from there.
    network: Option<Arc<NetworkWait>>,
}

impl Body {
    /// Returns the next octets; `None` at the end.
    ///
    /// # Errors
    ///
    /// The body is not complete, or exceeds a limit.
    pub fn chunk(&mut self) -> Result<Option<Bytes>, FetchError> {
        let Some(network) = &self.network else { return self.body.chunk_here() };
        match network.run(self.body.chunk()) {
            Ok(chunk) => chunk,
            Err(failure) => Err(self.body.error(failure)),
        }
    }

    /// Returns whether the next octets, or the end, are there, so that [`chunk`](Self::chunk) does not
    /// wait. A caller with a buffer of its own writes it out if they are not.
    ///
    /// ```
    /// use std::io::Write;
    ///
    /// use locator_fetch::blocking::Fetcher;
    ///
    /// let mut body = Fetcher::for_user_input().fetch("data:,hello")?.body();
    /// let mut out = std::io::BufWriter::new(std::io::stdout());
    /// loop {
    ///     if !body.is_ready() {
    ///         out.flush()?;
    ///     }
    ///     match body.chunk()? {
    ///         Some(octets) => out.write_all(&octets)?,
    ///         None => break,
    ///     }
    /// }
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_ready(&mut self) -> bool {
        // An error of the network is the next chunk.
        self.network.as_ref().is_none_or(|network| network.run(self.body.look()).unwrap_or(true))
    }

    /// Reads the rest, drops it, and returns how the end is known.
    ///
    /// # Errors
    ///
    /// The body is not complete, or exceeds a limit.
    pub fn finish(mut self) -> Result<Whole, FetchError> {
        while self.chunk()?.is_some() {}
        Ok(self.whole().unwrap_or(Whole::Unverified))
    }

    /// Returns how the end is known, once it was read.
    #[must_use]
    pub fn whole(&self) -> Option<Whole> {
        self.body.whole()
    }

    /// Returns the headers after the octets (RFC 9110, 6.5), once they were read.
    #[must_use]
    pub fn trailers(&self) -> &Headers {
        self.body.trailers()
    }
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !buffer.is_empty() {
            let Some(chunk) = self.chunk()? else { break };
            let taken = self.body.copy(chunk, buffer.len());
            if !taken.is_empty() {
                buffer[..taken.len()].copy_from_slice(&taken);
                return Ok(taken.len());
            }
        }
        Ok(0)
    }
}

impl Debug for Body {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").field("whole", &self.whole()).finish_non_exhaustive()
    }
}

impl Debug for Fetcher {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.fetcher.fmt(f)
    }
}

/// What waits for the network and the time: the thread of the caller, or, inside another runtime, a
/// thread that wakes it.
struct NetworkWait {
    runtime: Option<Arc<Runtime>>,
    thread: OnceLock<Result<Waiting, String>>,
}

/// A thread that waits for others.
struct Waiting {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl NetworkWait {
    fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok(Self { runtime: Some(runtime.into()), thread: OnceLock::new() })
    }

    /// Carries out a future on the thread of the caller.
    fn run<F: Future>(&self, future: F) -> Result<F::Output, Failure> {
        let Some(runtime) = &self.runtime else { return Err(no_network("it has ended")) };
        // A thread of a runtime cannot wait for another runtime.
        if self.thread.get().is_none() && Handle::try_current().is_err() {
            return Ok(runtime.block_on(future));
        }
        let thread = self.thread.get_or_init(|| Waiting::start(runtime).map_err(|error| error.to_string()));
        thread.as_ref().map_err(no_network)?;
        let _runtime = runtime.enter();
        Ok(wait_for(future))
    }
}

impl Waiting {
    fn start(runtime: &Arc<Runtime>) -> io::Result<Self> {
        let (runtime, (stop, stopped)) = (runtime.clone(), oneshot::channel());
        let thread = thread::Builder::new().name("locator-fetch".into());
        let thread = thread.spawn(move || drop(runtime.block_on(stopped)))?;
        Ok(Self { stop, thread })
    }
}

impl Drop for NetworkWait {
    fn drop(&mut self) {
        if let Some(Ok(Waiting { stop, thread })) = self.thread.take() {
            drop(stop);
            let _ = thread.join();
        }
        // A look-up of a name cannot be ended, and is not waited for.
        self.runtime.take().and_then(Arc::into_inner).into_iter().for_each(Runtime::shutdown_background);
    }
}

/// Waits for a future on this thread, in a runtime or not; another thread must wake it.
fn wait_for<F: Future>(future: F) -> F::Output {
    struct Parked(Thread);

    impl Wake for Parked {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    thread_local! {
        static WAKER: Waker = Waker::from(Arc::new(Parked(thread::current())));
    }

    let waker = WAKER.with(Waker::clone);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

fn no_network(why: impl Display) -> Failure {
    Failure::new(FailureKind::NotConnected(why.to_string().into()), "starting the network")
}

/// Requests that are in flight: one thread sends several, and waits for all of them. That is faster than a
/// thread for each, because no thread must be woken for a response that has come.
///
/// They go on only while [`next`](Self::next) waits. Each request has a value of the caller, which is
/// returned with its response.
///
/// ```
/// use locator_fetch::blocking::{Fetcher, InFlight};
///
/// let fetcher = Fetcher::for_user_input();
/// let mut requests = InFlight::new(&fetcher);
/// for text in ["a", "b"] {
///     requests.send(fetcher.request(format!("data:,{text}")), text);
/// }
/// while let Some((text, response)) = requests.next() {
///     assert_eq!(response?.text()?, text);
/// }
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
pub struct InFlight<'r, V> {
    fetcher: Fetcher,
    running: Vec<RunningRequest<'r, V>>,
    /// What has come, and was not returned.
    ready: VecDeque<(V, Sent)>,
}

type Sent = Result<response::Response, FetchError>;

struct RunningRequest<'r, V> {
    value: V,
    future: Pin<Box<dyn Future<Output = Sent> + 'r>>,
    woken: Arc<WokenFetches>,
}

impl<'r, V> InFlight<'r, V> {
    /// Creates it for the requests of one fetcher, whose connections they use.
    #[must_use]
    pub fn new(fetcher: &Fetcher) -> Self {
        Self { fetcher: fetcher.clone(), running: Vec::new(), ready: VecDeque::new() }
    }

    /// Adds a request, with a value that is returned with its response. It is sent when [`next`](Self::next)
    /// is called.
    pub fn send(&mut self, request: RequestBuilder<'r>, value: V) {
        let asynchronous: fetcher::Fetcher = request.fetcher.fetcher.clone();
        let future = Box::pin(request.by(asynchronous).send());
        self.running.push(RunningRequest { value, future, woken: WokenFetches::new(Waker::noop()) });
    }

    /// Returns the number of requests whose responses were not returned.
    #[must_use]
    pub fn len(&self) -> usize {
        self.running.len() + self.ready.len()
    }

    /// Returns whether there is no such request.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Waits for the next response, in whatever order they come.
impl<V> Iterator for InFlight<'_, V> {
    type Item = (V, Result<Response, FetchError>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_empty() {
            return None;
        }
        let Self { fetcher, running, ready } = self;
        // New requests are sent before a response is returned that has come.
        let come = fetcher.run(poll_fn(|context| {
            poll_woken(running, ready, context);
            ready.pop_front().map_or(Poll::Pending, Poll::Ready)
        }));
        match come {
            Ok((value, response)) => {
                Some((value, response.and_then(|response| self.fetcher.with_network(response))))
            }
            Err(failure) => {
                let RunningRequest { value, .. } = self.running.pop()?;
                Some((value, Err(FetchError::new(UriRefBuf::default(), Vec::new(), failure))))
            }
        }
    }
}

/// Goes on with the requests that can go on.
fn poll_woken<V>(
    running: &mut Vec<RunningRequest<'_, V>>,
    ready: &mut VecDeque<(V, Sent)>,
    context: &mut Context<'_>,
) {
    let mut place = 0;
    while let Some(one) = running.get_mut(place) {
        let waker = one.woken.take(context.waker());
        let polled = waker.map(|waker| one.future.as_mut().poll(&mut Context::from_waker(&waker)));
        match polled {
            Some(Poll::Ready(response)) => {
                let RunningRequest { value, .. } = running.swap_remove(place);
                ready.push_back((value, response));
            }
            _ => place += 1,
        }
    }
}

impl<V> Debug for InFlight<'_, V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("InFlight").field("len", &self.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_network_for_files_and_data() {
        let fetcher = Fetcher::for_user_input();
        for url in ["data:,a", "file:///", "mailto:a@b.example"] {
            fetcher.fetch(url).unwrap().body().finish().unwrap();
        }
        assert!(fetcher.network.get().is_none());
    }
}
