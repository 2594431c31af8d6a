//! One exchange: takes the head and the body of a request, returns the response.
//!
//! [`answer`] asks `guard` whether the request may be answered and `route` what it asks for. The gateway as
//! a proxy gets a URL in place of a path (RFC 9112, 3.2.2), as clients of 1994 send it for every scheme; the
//! links of its pages are the URLs themselves. `objects` has the responses that show what a URL identifies.
//!
//! ```text
//! let response = answer(&gateway, request, visit).await;
//! ```

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::body::{Body as _, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use locator::{Component, Edit, UriRef, UriRefBuf};
use locator_web::report::pasted;

use super::connection::ActiveRequest;
use super::gateway::Gateway;
use super::guard::{self, Access, TargetForm};
use super::logins::Secrets;
use super::pages::{self, Links};
use super::refusal::Refusal;
use super::response::{Content, Document, response, see_other};
use super::route::{Fields, NoRoute, Route, has_key};

/// Answers a request.
pub(super) async fn answer(
    server: &Gateway,
    request: Request<Incoming>,
    mut visit: ActiveRequest,
) -> Response<Content> {
    let (head, body) = request.into_parts();
    let is_keyed = has_key(head.uri.path(), server.key.as_ref());
    let links = match is_keyed {
        _ if head.uri.scheme().is_some() => Links::native().showing_secrets(server.shows_secrets),
        true => server.links(),
        // Whoever does not know the key is not to learn it from the links of a page.
        false => Links::gateway(String::new()).showing_secrets(server.shows_secrets),
    };
    let exchange = Exchange { server, head, links, is_keyed };
    let answered = exchange.answer(body, &mut visit).await;
    let mut response = answered.unwrap_or_else(|refusal| exchange.refused(&refusal, None));
    if exchange.is_proxied() {
        let via = HeaderValue::from_str(&format!("1.1 {}", server.pseudonym));
        via.into_iter().for_each(|via| drop(response.headers_mut().insert(header::VIA, via)));
    }
    response.map(|content| content.of(visit))
}

impl Exchange<'_> {
    async fn answer(&self, body: Incoming, visit: &mut ActiveRequest) -> Result<Response<Content>, Refusal> {
        let form = guard::form(&self.head)?;
        if guard::is_loop(&self.head.headers, &self.server.pseudonym) {
            let why = "the request came through this gateway before";
            return Err(Refusal::new(StatusCode::LOOP_DETECTED, why));
        }
        if form == TargetForm::Origin {
            guard::host(&self.head.headers, &self.server.hosts)?;
        }
        let access = guard::access(&self.head, form)?;
        if form == TargetForm::Absolute {
            check_proxy_key(self)?;
            self.take_turn(visit).await?;
            return answer_proxied(self).await;
        }
        let route = match Route::of(self.head.uri.path(), self.head.uri.query(), self.server.key.as_ref()) {
            Ok(route) => route,
            Err(NoRoute::NoSlash) => return Ok(see_other(&format!("{}/", self.head.uri.path()))),
            Err(NoRoute::NotEncoded) => {
                let why = "the URL must be percent-encoded as one segment of the path, in UTF-8";
                return Err(Refusal::not_found(why.into()).advise("Enter it on the first page."));
            }
            Err(NoRoute::NotFound) => return Err(Refusal::not_found("there is no such page".into())),
        };
        if route.is_posted() != (self.head.method == Method::POST) {
            let why =
                if route.is_posted() { "this is for forms (POST)" } else { "this page takes no form (POST)" };
            return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, why));
        }
        if route.contacts() {
            self.take_turn(visit).await?;
        }
        self.answer_route(route, access, body, visit).await
    }

    async fn take_turn(&self, visit: &mut ActiveRequest) -> Result<(), Refusal> {
        match visit.takes_turn().await {
            true => Ok(()),
            false => Err(Refusal::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "too many requests at once; try again later",
            )),
        }
    }

    async fn answer_route(
        &self,
        route: Route,
        access: Access,
        body: Incoming,
        visit: &ActiveRequest,
    ) -> Result<Response<Content>, Refusal> {
        let asks = access == Access::Asks;
        match route {
            Route::FrontPage(fields) => Ok(self.front(&fields)),
            Route::Read(fields) => {
                let page = pages::readings_page(&self.links, fields.get("url"), fields.get("other"));
                Ok(self.page(StatusCode::OK, page))
            }
            Route::Search(fields) => self.search(&fields),
            Route::Style => Ok(shared_file("text/css; charset=utf-8", pages::style())),
            Route::Handlers => Ok(shared_file("text/javascript; charset=utf-8", pages::HANDLERS)),
            Route::Icon => Ok(no_content()),
            Route::Ping => Ok(shared_file("text/plain", "locator serve\n")),
            Route::Page(url) | Route::Raw(url) if asks => {
                let token = self.server.tokens.of(&url);
                Ok(self.page(StatusCode::OK, pages::confirm_page(&self.links, &url, &token)))
            }
            Route::Page(url) => self.object(&url).await,
            Route::Raw(url) => self.raw(&url).await,
            Route::Go => {
                let PostedForm { url, .. } = self.posted(body, visit).await?;
                Ok(see_other(&self.links.page(&url)))
            }
            Route::LogIn => {
                let PostedForm { url, fields } = self.posted(body, visit).await?;
                self.log_in(&url, &fields)
            }
            Route::Ask => {
                let PostedForm { url, fields } = self.posted(body, visit).await?;
                self.ask(&url, &fields).await
            }
            Route::MakeOnce => {
                let fields = self.fields(body, visit).await?;
                self.make_once(fields.get("url").unwrap_or_default())
            }
            Route::Once(token) => self.once(&token, visit),
        }
    }

    /// Leads to the page of the URL that was entered. What is not a URL is shown in the form again, with what
    /// is wrong with it.
    fn front(&self, fields: &Fields) -> Response<Content> {
        let given = fields.get("url").map(str::trim).filter(|url| !url.is_empty());
        let unwrapped = given.and_then(|url| pasted::unwrapped(url.as_bytes(), self.server.edition));
        let url = unwrapped.as_deref().or(given);
        let wrong = url.and_then(|url| self.report(url));
        match (url, &wrong) {
            (Some(url), None) => see_other(&self.links.page(url)),
            (Some(_), Some(report)) if !self.accepts_html() => {
                self.refused(&Refusal::bad_request(report.as_str()), None)
            }
            _ => {
                let front = pages::FrontPage { url, error: wrong.as_deref() };
                let page = Content::octets(pages::front_page(&self.links, &front));
                let status = if wrong.is_none() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
                response(status, Document::FrontPage, pages::CONTENT_TYPE, page)
            }
        }
    }

    /// Leads to the URL of a search with its words.
    fn search(&self, fields: &Fields) -> Result<Response<Content>, Refusal> {
        let url = self.parsed(fields.get("url").unwrap_or_default())?;
        let words = fields.get("words").unwrap_or_default();
        let found = pages::search_url(url.as_uri_ref(), words, self.server.edition);
        found.map(|url| see_other(&self.links.page(&url))).map_err(Refusal::bad_request)
    }

    /// Returns a form that this process wrote for its URL.
    async fn posted(&self, body: Incoming, visit: &ActiveRequest) -> Result<PostedForm, Refusal> {
        let fields = self.fields(body, visit).await?;
        let (url, token) = (fields.get("url").unwrap_or_default(), fields.get("token").unwrap_or_default());
        if !self.server.tokens.is(token, url) {
            let why =
                "the form is older than an hour, or not one of this gateway, which may have been restarted";
            return Err(Refusal::forbidden(why.into()).advise("Go back, reload the page, and send it again."));
        }
        Ok(PostedForm { url: url.to_owned(), fields })
    }

    async fn fields(&self, body: Incoming, visit: &ActiveRequest) -> Result<Fields, Refusal> {
        let octets = tokio::time::timeout(visit.patience, read_body(body)).await;
        let octets =
            octets.map_err(|_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the form took too long"))??;
        Ok(Fields::parse(&octets))
    }

    /// Returns the path of an address that leads to the page of a URL once. Whoever asks for it has the key.
    fn make_once(&self, url: &str) -> Result<Response<Content>, Refusal> {
        let token = self.server.one_time.keep(url.into());
        let token = token
            .map_err(|error| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, format!("no token: {error}")))?;
        Ok(shared_file("text/plain", format!("/once/{token}\n")))
    }

    /// Leads from an address that is used once to the page with the key.
    fn once(&self, token: &str, visit: &ActiveRequest) -> Result<Response<Content>, Refusal> {
        // The tables of the system are long: nobody has them read by a token that does not exist.
        let is_of_another =
            || visit.ends.is_some_and(|ends| guard::is_of_another_user(ends.client, ends.own));
        if self.server.one_time.has(token) && is_of_another() {
            return Err(Refusal::forbidden("this address is for the user who runs the gateway".into()));
        }
        // Programs that look what an address is, before they start a browser, ask so. It is not used by that.
        if self.head.method == Method::HEAD {
            return Err(Refusal::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "this address can be used once, by GET",
            ));
        }
        match self.server.one_time.take(token) {
            Some(url) => Ok(see_other(&self.server.links().page(&url))),
            None => {
                let refusal = Refusal::not_found("this address was used, or is older than a minute".into());
                Err(refusal.advise("Run 'locator open' again."))
            }
        }
    }

    fn log_in(&self, url: &str, fields: &Fields) -> Result<Response<Content>, Refusal> {
        let Some(logins) = &self.server.logins else {
            return Err(Refusal::forbidden("the gateway keeps no passwords".into()));
        };
        let url = self.parsed(url)?;
        let user = fields.get("user").unwrap_or_default();
        let mut edit = Edit::of(url.as_uri_ref());
        let with_user = edit.set_user(user).and_then(|edit| edit.finish());
        let with_user = with_user.map_err(|error| Refusal::bad_request(error.to_string()))?;
        let octets = |name| fields.get(name).map(|value| value.as_bytes().to_vec());
        let account = octets("account").filter(|account| !account.is_empty());
        let secrets = Secrets { password: octets("password").unwrap_or_default(), account };
        logins.keep(with_user.as_uri_ref(), user.as_bytes(), secrets);
        Ok(see_other(&self.links.page(with_user.as_str())))
    }

    /// Leads to the URL of a filled form. One with a password is not shown as a URL, so its page is the
    /// response.
    async fn ask(&self, url: &str, fields: &Fields) -> Result<Response<Content>, Refusal> {
        let form = self.parsed(url)?;
        let filled = pages::ask_url(form.as_uri_ref(), fields.all(), self.server.edition);
        let filled = filled.map_err(Refusal::bad_request)?;
        let has_password = fields.all().iter().any(|(name, _)| name.starts_with('p'));
        match has_password {
            true => self.filled(form.as_uri_ref(), &filled).await,
            false => Ok(see_other(&self.links.page(&filled))),
        }
    }
}

/// A form that was filled in.
struct PostedForm {
    /// The URL that the form is for.
    url: String,
    fields: Fields,
}

/// Returns the response of a file that belongs to all pages.
fn shared_file(media_type: &str, text: impl Into<String>) -> Response<Content> {
    response(StatusCode::OK, Document::Page, media_type, Content::octets(text.into()))
}

/// Returns a response without content, as there is no icon.
fn no_content() -> Response<Content> {
    let mut empty = response(StatusCode::NO_CONTENT, Document::Page, "", Content::none(None));
    empty.headers_mut().remove(header::CONTENT_TYPE);
    empty
}

/// The most octets of a form.
const LARGEST_FORM: usize = 1 << 20;

/// Reads the body of a request.
async fn read_body(mut body: Incoming) -> Result<Vec<u8>, Refusal> {
    let mut octets = Vec::new();
    loop {
        let next = std::future::poll_fn(|context| std::pin::Pin::new(&mut body).poll_frame(context)).await;
        let Some(frame) = next else { return Ok(octets) };
        let frame = frame.map_err(|_| Refusal::bad_request("the body of the request is not complete"))?;
        octets.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data));
        if octets.len() > LARGEST_FORM {
            return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "the form is larger than 1 MiB"));
        }
    }
}

/// A request, and how its pages are written.
pub(super) struct Exchange<'s> {
    pub(super) server: &'s Gateway,
    pub(super) head: Parts,
    pub(super) links: Links,
    /// Whether the path begins with the key, if the gateway has one.
    pub(super) is_keyed: bool,
}

impl Exchange<'_> {
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

/// Checks the key, which a proxy gets as a password: its clients have no path to put it in.
pub(super) fn check_proxy_key(exchange: &Exchange<'_>) -> Result<(), Refusal> {
    let Some(key) = &exchange.server.key else { return Ok(()) };
    let given = exchange.head.headers.get(header::PROXY_AUTHORIZATION);
    let password = given.and_then(|given| basic_password(given.as_bytes()));
    match password.is_some_and(|password| key.is(&password)) {
        true => Ok(()),
        false => {
            let why = "the proxy needs the key in the printed address as its password";
            Err(Refusal::new(StatusCode::PROXY_AUTHENTICATION_REQUIRED, why))
        }
    }
}

/// Returns the password of credentials by Basic (RFC 7617, 2).
fn basic_password(credentials: &[u8]) -> Option<Vec<u8>> {
    let (scheme, token) = credentials.split_at_checked(6)?;
    let octets = STANDARD.decode(token.trim_ascii()).ok()?;
    let colon = octets.iter().position(|octet| *octet == b':')?;
    scheme.eq_ignore_ascii_case(b"basic ").then(|| octets[colon + 1..].to_vec())
}

/// Answers a request for a URL.
pub(super) async fn answer_proxied(exchange: &Exchange<'_>) -> Result<Response<Content>, Refusal> {
    if exchange.head.method == Method::POST {
        return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "the proxy takes no form (POST)"));
    }
    let text = exchange.head.uri.to_string();
    let scheme = exchange.head.uri.scheme_str().unwrap_or_default();
    if scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https") {
        let refusal = Refusal::new(StatusCode::NOT_IMPLEMENTED, "this proxy does not fetch http and https");
        return Err(refusal.advise("Use it for ftp, gopher, wais and news only."));
    }
    match with_words(exchange, &text)? {
        Some(url) => Ok(see_other(&url)),
        None => exchange.object(&text).await,
    }
}

/// Returns the URL of a search with the words that a client has asked for. It adds them as a query, with "+" in
/// place of blanks, as to the address of any document with ISINDEX.
fn with_words(exchange: &Exchange<'_>, text: &str) -> Result<Option<String>, Refusal> {
    let Some((url, query)) = text.split_once('?') else { return Ok(None) };
    let search = exchange.parsed(url)?;
    if pages::search_form(&exchange.server.links(), search.as_uri_ref()).is_none() {
        return Ok(None);
    }
    let fields = Fields::parse(query.as_bytes());
    let words =
        fields.get("words").or(fields.all().first().map(|(name, _)| name.as_str())).unwrap_or_default();
    let found = pages::search_url(search.as_uri_ref(), words, exchange.server.edition);
    // The query of wais is where the words belong.
    found.map(|url| Some(url).filter(|url| url != text)).map_err(Refusal::bad_request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_a_password() {
        for (credentials, expected) in [
            ("Basic eDprZXk=", Some(&b"key"[..])),
            ("basic OmE6Yg==", Some(b"a:b")),
            ("Bearer eDprZXk=", None),
            ("Basic eA==", None),
            ("Basic", None),
            ("", None),
        ] {
            assert_eq!(basic_password(credentials.as_bytes()).as_deref(), expected, "{credentials}");
        }
    }
}
