//! A request: what a fetcher takes as a URL ([`IntoUrl`], a text or a reference that was parsed before), what is
//! set for it ([`RequestBuilder`]), and what it came to if redirects are not followed ([`OneHop`]: a response, or a
//! [`Redirect`] with what its target is requested with).

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;
use std::time::Duration;

use locator::edition::RFC3986;
use locator::plan::{Options, Plan};
use locator::scheme::Registry;
use locator::{BuildError, Edit, Edition, ParseError, Uri, UriBuf, UriRef, UriRefBuf};

use super::config::Config;
use super::fetch::{Action, Fetch, RedirectChain, RequestOutcome};
use crate::error::{FetchError, FetchErrorKind, Hop};
use crate::headers::{Headers, ResponseHead};
#[cfg(feature = "http")]
use crate::http::{AuthSchemes, ByteRange, Http, HttpError, Multipart, RequestBody};
use crate::net::dialer::ConnectedServer;
use crate::redact;
use crate::response::Response;
use crate::response::body::Body;
use crate::run::resume::Resume;
use crate::settings::prompter::Prompter;
use crate::time::timings::Timings;

/// What a fetcher can fetch: a text, which it parses, or a reference that was parsed before, borrowed or
/// owned.
///
/// A text is read by RFC 3986, or by the [edition](crate::RequestBuilder::edition) of the request. If it is
/// not a URL, the fetch fails with [`FetchErrorKind::InvalidUrl`](crate::FetchErrorKind::InvalidUrl).
///
/// ```
/// use locator_fetch::blocking::Fetcher;
///
/// let fetcher = Fetcher::for_user_input();
/// assert_eq!(fetcher.fetch("data:,text")?.text()?, "text");
/// assert_eq!(fetcher.fetch(locator::uri!("data:,borrowed"))?.text()?, "borrowed");
/// assert_eq!(
///     fetcher.fetch(&locator::UriBuf::parse("data:,owned")?)?.text()?,
///     "owned"
/// );
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub trait IntoUrl: sealed::Sealed {}

mod sealed {
    pub trait Sealed {
        fn into_given(self) -> super::GivenUrl;
    }
}

/// A pair of a [query](RequestBuilder::query) or a form: two texts or numbers, or a reference to a pair. So arrays,
/// vectors and maps of pairs are queries and forms.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use locator_fetch::blocking::Fetcher;
///
/// let request = Fetcher::for_user_input().request("http://example.com/");
/// let map = BTreeMap::from([("lang", "en")]);
/// let plan = request.query([("page", 2)]).query(&map).into_plan()?;
/// assert!(plan.to_string().contains("/?page=2&lang=en"));
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
pub trait NameValue {
    /// Returns the name.
    fn name(&self) -> String;
    /// Returns the value.
    fn value(&self) -> String;
}

impl<N: fmt::Display, V: fmt::Display> NameValue for (N, V) {
    fn name(&self) -> String {
        self.0.to_string()
    }

    fn value(&self) -> String {
        self.1.to_string()
    }
}

impl<N: fmt::Display, V: fmt::Display> NameValue for &(N, V) {
    fn name(&self) -> String {
        self.0.to_string()
    }

    fn value(&self) -> String {
        self.1.to_string()
    }
}

/// A URL as it was given.
pub enum GivenUrl {
    /// A text, which is not parsed yet.
    Text(String),
    /// A reference, in its own edition.
    Url(UriRefBuf),
}

impl GivenUrl {
    pub(crate) fn new(url: impl IntoUrl) -> Self {
        url.into_given()
    }

    /// Parses a text by an edition; the text is returned with the error.
    pub(crate) fn parse(self, edition: &'static Edition) -> Result<UriRefBuf, (String, ParseError)> {
        match self {
            Self::Url(url) => Ok(url),
            Self::Text(text) => match UriRef::parse_with(&text, edition) {
                Ok(url) => Ok(url.to_owned()),
                Err(error) => Err((text, error)),
            },
        }
    }
}

macro_rules! into_url {
    ($($type:ty: $url:ident => $given:expr;)*) => {$(
        impl IntoUrl for $type {}

        impl sealed::Sealed for $type {
            fn into_given(self) -> GivenUrl {
                let $url = self;
                $given
            }
        }
    )*};
}

into_url! {
    &str: text => GivenUrl::Text(text.to_owned());
    &String: text => GivenUrl::Text(text.clone());
    String: text => GivenUrl::Text(text);
    &&str: text => GivenUrl::Text((*text).to_owned());
    Cow<'_, str>: text => GivenUrl::Text(text.into_owned());
    Box<str>: text => GivenUrl::Text(text.into());
    UriRef<'_>: url => GivenUrl::Url(url.to_owned());
    &UriRef<'_>: url => GivenUrl::Url((*url).to_owned());
    Uri<'_>: url => GivenUrl::Url(UriRef::from(url).to_owned());
    &Uri<'_>: url => GivenUrl::Url(UriRef::from(*url).to_owned());
    UriRefBuf: url => GivenUrl::Url(url);
    &UriRefBuf: url => GivenUrl::Url(url.clone());
    UriBuf: url => GivenUrl::Url(url.into());
    &UriBuf: url => GivenUrl::Url(url.clone().into());
    GivenUrl: given => given;
}

/// A request: a URL, and what is set for it besides the settings of the fetcher. What is wrong in it, such as
/// a line break in a header, is an error of `send`.
///
/// Methods, headers, bodies and ranges are for HTTP; other protocols ignore them.
///
/// ```no_run
/// use std::time::Duration;
///
/// use locator_fetch::blocking::Fetcher;
///
/// let fetcher = Fetcher::for_user_input();
/// let response = fetcher
///     .request("https://example.com/items")
///     .header("Accept", "application/json")
///     .form(&[("name", "a b")])
///     .timeout(Duration::from_secs(10))
///     .send()?;
/// assert_eq!(response.status(), Some(201));
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
///
/// `F` is the fetcher that sends it; that of the [blocking](crate::blocking) one has the same methods.
#[must_use = "a request is sent by `send`"]
pub struct RequestBuilder<'r, F> {
    pub(crate) fetcher: F,
    url: GivenUrl,
    edition: &'static Edition,
    config: Box<Config<'r>>,
    plan: Option<Plan>,
    shown_as: Option<UriRefBuf>,
    /// The URL and the server of the response that named the URL.
    named_by: Option<(UriRefBuf, Option<Arc<ConnectedServer>>)>,
    /// The redirects that led to the URL.
    chain: Option<RedirectChain>,
    /// The pairs that are added to the query of the URL.
    query: Vec<(String, String)>,
    /// What is wrong with it.
    error: Option<Arc<dyn Error + Send + Sync>>,
}

impl<'r, F> RequestBuilder<'r, F> {
    pub(crate) fn new(fetcher: F, config: Config<'r>, url: impl IntoUrl) -> Self {
        let error = config.error.clone();
        Self {
            fetcher,
            url: GivenUrl::new(url),
            edition: &RFC3986,
            config: config.into(),
            plan: None,
            shown_as: None,
            named_by: None,
            chain: None,
            query: Vec::new(),
            error,
        }
    }

    /// Returns the same request of another fetcher.
    pub(crate) fn by<G>(self, fetcher: G) -> RequestBuilder<'r, G> {
        let Self { url, edition, config, plan, shown_as, named_by, chain, query, error, .. } = self;
        RequestBuilder { fetcher, url, edition, config, plan, shown_as, named_by, chain, query, error }
    }

    pub(crate) fn named_by<B>(mut self, from: &Response<B>) -> Self {
        self.named_by = Some((from.url().to_owned(), from.server()));
        self
    }

    /// Goes on with a chain of redirects, which have led to the URL. What [`send`](Self::send) does with a
    /// redirect is done here, too:
    ///
    /// - the policy judges the URL by the server that sent the last redirect;
    /// - headers, login and client certificate are sent only to the origin that the chain began with, as
    ///   [`Http`](crate::http::Http) says; set them for each request of the chain;
    /// - method and body are those that the redirects have left, unless they are set here;
    /// - the redirects count against [`max_redirects`](crate::Fetcher::max_redirects), and are among the
    ///   [hops](Response::hops).
    ///
    /// The timeout counts anew. See [`Redirect`](crate::Redirect) for an example.
    pub fn after(mut self, chain: &RedirectChain) -> Self {
        self.chain = Some(chain.clone());
        self
    }

    /// Sets the edition that the URL is read by, if it is given as a text; RFC 3986 without it.
    pub fn edition(mut self, edition: &'static Edition) -> Self {
        self.edition = edition;
        self
    }

    /// Appends pairs to the query of the URL; what they contain is encoded.
    ///
    /// ```
    /// use locator_fetch::blocking::Fetcher;
    ///
    /// let request =
    ///     Fetcher::for_user_input().request("http://example.com/search?lang=en");
    /// let plan = request.query(&[("q", "a&b"), ("page", "2")]).into_plan()?;
    /// assert!(plan.to_string().contains("/search?lang=en&q=a%26b&page=2"));
    /// # Ok::<_, locator_fetch::FetchError>(())
    /// ```
    #[doc(alias("param", "params"))]
    pub fn query(mut self, pairs: impl IntoIterator<Item: NameValue>) -> Self {
        self.query.extend(pairs.into_iter().map(|pair| (pair.name(), pair.value())));
        self
    }

    /// Sets how long the request may take, with all redirects and the body; without limit if it is
    /// [`Duration::MAX`].
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.config.settings.timeout(timeout);
        self
    }

    /// Sets how many octets the body of the response may have; without limit if it is `u64::MAX`.
    pub fn max_size(mut self, octets: u64) -> Self {
        self.config.settings.max_size(octets);
        self
    }

    /// Sets how many documents a search of wais asks for.
    pub fn max_hits(mut self, most: u16) -> Self {
        self.config.options.max_hits = Some(most);
        self
    }

    /// Sets what answers the prompts of this request, such as for a password.
    pub fn prompter(mut self, prompter: Arc<dyn Prompter>) -> Self {
        self.config.settings.prompter = Some(prompter);
        self
    }

    /// Goes on where an earlier fetch of this URL was cut short, if the server proves that the object is
    /// still the same; else it begins anew, and [`resumed_from`](Response::resumed_from) is 0.
    pub fn resume(mut self, resume: Resume) -> Self {
        self.config.settings.resume = Some(resume);
        self
    }

    /// Sets the schemes and gateways.
    pub fn registry(mut self, registry: &'r Registry<'r>) -> Self {
        self.config.registry = registry;
        self
    }

    /// Sets what plans need that URLs do not contain.
    pub fn options(mut self, options: Options<'r>) -> Self {
        self.config.options = options;
        self
    }

    /// Changes what plans need that URLs do not contain.
    #[cfg(feature = "mirror")]
    pub(crate) fn with_options(mut self, set: impl FnOnce(&mut Options<'r>)) -> Self {
        set(&mut self.config.options);
        self
    }

    /// Sets the plan to carry out, as one that a user has seen; without it the fetcher makes one.
    pub fn plan(mut self, plan: Plan) -> Self {
        self.plan = Some(plan);
        self
    }

    /// Sets the URL that responses and errors show in place of this one, such as one without a login that
    /// was added to it.
    pub fn shown_as(mut self, url: impl Into<UriRefBuf>) -> Self {
        self.shown_as = Some(url.into());
        self
    }

    /// Returns the plan that `send` would carry out, and sends nothing. A request of HTTP has all headers, as
    /// HTTP/1.1 sends them; what is known only after the server is connected, such as HTTP/2 or a login that
    /// it asks for, is not in it.
    ///
    /// ```
    /// use locator::plan::Step;
    /// use locator_fetch::blocking::Fetcher;
    ///
    /// # #[cfg(feature = "http")] {
    /// let request =
    ///     Fetcher::for_user_input().request("http://example.com/a").method("HEAD");
    /// let plan = request.into_plan()?;
    /// let Some(Step::Request(request)) = plan.work.first() else { panic!() };
    /// assert!(
    ///     request
    ///         .head()
    ///         .to_bytes()
    ///         .starts_with(b"HEAD /a HTTP/1.1\r\nhost: example.com\r\n")
    /// );
    /// # }
    /// # Ok::<_, locator_fetch::FetchError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The request is not valid, or the URL has no plan.
    pub fn into_plan(self) -> Result<Plan, FetchError> {
        self.into_call()?.into_plan()
    }

    /// Returns what is to be sent.
    pub(crate) fn into_call(self) -> Result<ReadyRequest<'r>, FetchError> {
        let url = self.url.parse(self.edition).map_err(|(text, error)| FetchError::of_text(text, error))?;
        let (url, error) = match with_query(url.as_uri_ref(), &self.query) {
            Ok(with_query) => (with_query.unwrap_or(url), self.error),
            Err(error) => (url, Some(Arc::new(error) as _)),
        };
        if let Some(error) = error {
            let kind = FetchErrorKind::InvalidRequest;
            return Err(FetchError::other(kind, "invalid request", Some(error), (url, Vec::new())));
        }
        let Self { mut config, plan, shown_as, named_by, chain, .. } = self;
        config.settings.times = Arc::default();
        Ok(ReadyRequest { url, config, plan, shown_as, named_by, chain })
    }
}

#[cfg(feature = "http")]
impl<F> RequestBuilder<'_, F> {
    /// Sets the method; the default is GET, and POST with a body. A method that is not a token (RFC 9110,
    /// 5.6.2), or is CONNECT, is an error.
    pub fn method(self, method: &str) -> Self {
        self.set(|http| http.method(method))
    }

    /// Adds a header. One of the same name that the client would send is left out, also `Host`, `User-Agent`
    /// and `Accept`. To another origin, which a redirect leads to, only headers are sent that belong to
    /// nobody: see [`Http`].
    #[doc(alias = "set")]
    pub fn header(self, name: impl AsRef<str>, value: impl Into<Vec<u8>>) -> Self {
        self.set(|http| http.header(name.as_ref(), value))
    }

    /// Adds headers.
    pub fn headers<N, V>(self, headers: impl IntoIterator<Item = (N, V)>) -> Self
    where
        N: AsRef<str>,
        V: Into<Vec<u8>>,
    {
        headers.into_iter().fold(self, |request, (name, value)| request.header(name, value))
    }

    /// Sets user and password, which are sent if the server asks for them, by Digest or Basic.
    pub fn login(self, user: impl Into<Vec<u8>>, password: impl Into<Vec<u8>>) -> Self {
        self.set(|http| Ok(http.login(user, password)))
    }

    /// Sends user and password with the request, before the server asks for them (Basic, RFC 7617), to the origin of
    /// the URL only. [`login`](Self::login) does not show the password to a server that asks for Digest.
    pub fn basic_auth(self, user: impl Into<Vec<u8>>, password: Option<impl Into<Vec<u8>>>) -> Self {
        let password = password.map(Into::into).unwrap_or_default();
        self.set(|http| {
            let http = http.login(user, password).auth_schemes(AuthSchemes::BASIC);
            Ok(http.auth_no_challenge(true))
        })
    }

    /// Adds the header `Authorization` with a token (RFC 6750).
    pub fn bearer_auth(self, token: impl fmt::Display) -> Self {
        self.header("Authorization", format!("Bearer {token}"))
    }

    /// Sets the body: octets, a text, a file or a stream. A redirect by 303, and after POST by 301 and 302,
    /// is followed by GET without the body; other redirects repeat it.
    pub fn body(self, body: impl Into<RequestBody>) -> Self {
        self.set(|http| Ok(http.body(body)))
    }

    /// Sets the body to the fields of a form (`application/x-www-form-urlencoded`).
    #[doc(alias = "send_form")]
    pub fn form(self, fields: impl IntoIterator<Item: NameValue>) -> Self {
        let fields: Vec<_> = fields.into_iter().map(|field| (field.name(), field.value())).collect();
        let text = crate::http::form(&fields);
        self.header("Content-Type", "application/x-www-form-urlencoded").body(text)
    }

    /// Sets the body to a form with files (`multipart/form-data`).
    pub fn multipart(self, form: Multipart) -> Self {
        match form.finish() {
            Ok((media_type, body)) => self.header("Content-Type", media_type).body(body),
            Err(error) => self.failed(Arc::new(error)),
        }
    }

    /// Sets the body to a value as JSON.
    #[cfg(feature = "json")]
    #[doc(alias = "send_json")]
    pub fn json<T: serde::Serialize + ?Sized>(self, value: &T) -> Self {
        match serde_json::to_vec(value) {
            Ok(body) => self.header("Content-Type", "application/json").body(body),
            Err(error) => self.failed(Arc::new(error)),
        }
    }

    /// Requests a part of the body only. A server may send all of it: the status is 206 if it did not.
    pub fn range(self, range: ByteRange) -> Self {
        self.set(|http| Ok(http.range(range)))
    }

    fn set(mut self, set: impl FnOnce(Http) -> Result<Http, HttpError>) -> Self {
        match set((*self.config.client.http).clone()) {
            Ok(http) => {
                self.config.client.http = Arc::new(http);
                self
            }
            Err(error) => self.failed(Arc::new(error)),
        }
    }

    fn failed(mut self, error: Arc<dyn Error + Send + Sync>) -> Self {
        self.error.get_or_insert(error);
        self
    }
}

impl<F> Debug for RequestBuilder<'_, F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestBuilder").finish_non_exhaustive()
    }
}

/// Returns a URL with further pairs in its query; `None` if there are none.
fn with_query(url: UriRef<'_>, pairs: &[(String, String)]) -> Result<Option<UriRefBuf>, BuildError> {
    if pairs.is_empty() {
        return Ok(None);
    }
    let mut edit = Edit::of(url);
    for (name, value) in pairs {
        edit.append_pair(&**name, &**value)?;
    }
    edit.finish().map(Some)
}

/// A request that is ready to be sent.
pub(crate) struct ReadyRequest<'r> {
    url: UriRefBuf,
    config: Box<Config<'r>>,
    plan: Option<Plan>,
    shown_as: Option<UriRefBuf>,
    named_by: Option<(UriRefBuf, Option<Arc<ConnectedServer>>)>,
    chain: Option<RedirectChain>,
}

impl ReadyRequest<'_> {
    pub(crate) fn fetch(&self) -> Fetch<'_> {
        if let Some(chain) = &self.chain {
            return Fetch::new(&self.config, self.url.as_uri_ref()).after_chain(chain);
        }
        let url = self.named_by.as_ref().map_or(&self.url, |(url, _)| url);
        let server = self.named_by.as_ref().and_then(|(_, server)| server.clone());
        Fetch::new(&self.config, url.as_uri_ref()).after(server)
    }

    fn into_plan(self) -> Result<Plan, FetchError> {
        let plan = self.fetch().complete_plan(self.url.as_uri_ref(), self.plan.clone());
        plan.map_err(|mut error| {
            if let Some(url) = &self.shown_as {
                error.shown_as(url);
            }
            error
        })
    }

    /// Begins with the URL, or with its plan.
    pub(crate) fn begin(&self, fetch: &mut Fetch<'_>) -> Result<Action, FetchError> {
        let url = self.url.as_uri_ref();
        match &self.plan {
            _ if self.chain.is_some() => fetch.go_on(url),
            _ if self.named_by.is_some() => fetch.named(url),
            Some(plan) => fetch.carry_out(url, plan.clone()),
            None => fetch.begin(url),
        }
    }

    /// Returns what a request came to whose redirect is not followed.
    pub(crate) fn end_hop(
        &self,
        landed: Result<RequestOutcome, FetchError>,
        fetch: Fetch<'_>,
    ) -> Result<OneHop, FetchError> {
        let mut response = match landed {
            Ok(RequestOutcome::Redirect(url)) => {
                return Ok(OneHop::Redirect(Redirect::new(url, fetch, self.timings())));
            }
            Ok(RequestOutcome::Response(response)) => Ok(*response),
            Err(error) => Err(error),
        };
        self.end(&mut response);
        response.map(OneHop::Response)
    }

    /// Returns how long the steps took until now.
    fn timings(&self) -> Timings {
        self.config.settings.times.timings()
    }

    /// Sets the times, and the URLs that are shown.
    pub(crate) fn end(&self, response: &mut Result<Response, FetchError>) {
        match response {
            Ok(response) => response.set_timings(self.timings()),
            Err(error) => error.set_timings(self.timings()),
        }
        match (response, &self.shown_as) {
            (Ok(response), Some(url)) => response.shown_as(url),
            (Ok(response), None) if self.named_by.is_some() => response.requested_as(&self.url),
            (Err(error), Some(url)) => error.shown_as(url),
            _ => {}
        }
    }
}

/// What [`RequestBuilder::hop`](crate::RequestBuilder::hop) returns: the response, or the redirect that the
/// server sent in place of it.
///
/// `B` is the body; that of a [blocking](crate::blocking) response is another type.
#[derive(Debug)]
pub enum OneHop<B = Body> {
    /// The response.
    Response(Response<B>),
    /// A redirect, which the caller may follow.
    Redirect(Redirect),
}

/// A redirect that was not followed: where it leads, the response that names it, and the [chain](Self::chain)
/// that the next request goes on with. The policy allows where it leads; a redirect that is refused is an
/// error.
///
/// A clone is cheap. A program that checks many links keeps the redirect of each URL, so that it is
/// requested once, whichever link leads there.
///
/// ```no_run
/// use locator_fetch::{Fetcher, OneHop};
///
/// # async fn example() -> Result<(), locator_fetch::FetchError> {
/// let fetcher = Fetcher::for_untrusted_urls();
/// let mut hop =
///     fetcher.request("http://example.com/a").method("HEAD").hop().await?;
/// let response = loop {
///     match hop {
///         OneHop::Response(response) => break response,
///         OneHop::Redirect(redirect) if redirect.is_loop() => return Ok(()),
///         OneHop::Redirect(redirect) => {
///             println!("{:?}: {}", redirect.status(), redirect.url());
///             let next = fetcher.request(redirect.url()).after(redirect.chain());
///             hop = next.hop().await?;
///         }
///     }
/// };
/// println!("{:?}: {}", response.status(), response.url());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Redirect(Arc<RedirectDetails>);

struct RedirectDetails {
    url: UriRefBuf,
    hop: Hop,
    chain: RedirectChain,
    is_loop: bool,
    timings: Timings,
}

impl Redirect {
    /// Creates the redirect at the end of a fetch, to a URL.
    pub(crate) fn new(url: UriRefBuf, fetch: Fetch<'_>, timings: Timings) -> Self {
        let hop = fetch.hops.last().cloned().unwrap_or_else(|| Hop::new(fetch.url.clone()));
        let is_loop = fetch.is_repeated(url.as_uri_ref());
        Self(Arc::new(RedirectDetails { url, hop, is_loop, timings, chain: fetch.into_chain() }))
    }

    /// Returns the URL that this redirect leads to. It is absolute, and has the fragment of the URL that was
    /// requested if it names no other (RFC 9110, 10.2.2).
    #[must_use]
    pub fn url(&self) -> UriRef<'_> {
        self.0.url.as_uri_ref()
    }

    /// Returns the URL that was requested, with the head of the response.
    #[must_use]
    pub fn hop(&self) -> &Hop {
        &self.0.hop
    }

    /// Returns the status, such as 301; `None` for other protocols than HTTP.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.head().map(|head| head.status)
    }

    /// Returns the head of the response; `None` for other protocols than HTTP.
    #[must_use]
    pub fn head(&self) -> Option<&ResponseHead> {
        self.0.hop.head.as_deref()
    }

    /// Returns the headers of the response; none for other protocols than HTTP.
    #[must_use]
    pub fn headers(&self) -> &Headers {
        self.head().map_or(Headers::NONE, |head| &head.headers)
    }

    /// Returns whether this redirect leads to a URL of its chain that was requested before with the same
    /// method. The next request would be sent a second time; its response may be another one only if the
    /// server remembers the client, by a cookie or by its address.
    ///
    /// A program that keeps redirects and joins them to chains itself must look for loops itself, too.
    #[must_use]
    pub fn is_loop(&self) -> bool {
        self.0.is_loop
    }

    /// Returns the chain of redirects up to this one, with which the next request goes on
    /// ([`RequestBuilder::after`](crate::RequestBuilder::after)).
    #[must_use]
    pub fn chain(&self) -> &RedirectChain {
        &self.0.chain
    }

    /// Returns how long it took to connect, and until the response came.
    #[must_use]
    pub fn timings(&self) -> Timings {
        self.0.timings
    }
}

impl Debug for Redirect {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut redirect = f.debug_struct("Redirect");
        redirect.field("url", &redact::Url(self.url())).field("hop", self.hop());
        redirect.field("is_loop", &self.0.is_loop).finish_non_exhaustive()
    }
}
