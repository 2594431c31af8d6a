//! Answers a request: takes its head and body, returns a response.

use hyper::body::{Body as _, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use locator::plan::{Local, Options, Prompt, Step};
use locator::{Edit, UriRef, UriRefBuf};

use super::content::{Content, Passed};
use super::fetch::{NotFetched, Purpose, fetch, first_octets};
use super::fields::Fields;
use super::guard::{self, Access, Form};
use super::headers::{Document, dispose, media_type, response, see_other};
use super::logins::{Secrets, user};
use super::pages::{self, Links, Object, ObjectPage};
use super::proxied;
use super::refusal::Refusal;
use super::route::{NoRoute, Route};
use super::server::Server;
use super::visit::Visit;
use crate::verbs::get::with_server;

/// A request, and how its pages are written.
pub(super) struct Asked<'s> {
    pub(super) server: &'s Server,
    pub(super) head: Parts,
    pub(super) links: Links,
}

/// Answers a request.
pub(super) async fn answer(
    server: &Server,
    request: Request<Incoming>,
    mut visit: Visit,
) -> Response<Content> {
    let (head, body) = request.into_parts();
    let links = if head.uri.scheme().is_some() { Links::Native } else { server.links() };
    let asked = Asked { server, head, links };
    let answered = asked.answer(body, &mut visit).await;
    let mut response = answered.unwrap_or_else(|refusal| asked.refused(&refusal, None));
    if asked.is_proxied() {
        let via = HeaderValue::from_str(&format!("1.1 {}", server.pseudonym));
        via.into_iter().for_each(|via| drop(response.headers_mut().insert(header::VIA, via)));
    }
    response.map(|content| content.of(visit))
}

impl Asked<'_> {
    pub(super) const fn is_proxied(&self) -> bool {
        matches!(self.links, Links::Native)
    }

    async fn answer(&self, body: Incoming, visit: &mut Visit) -> Result<Response<Content>, Refusal> {
        let form = guard::form(&self.head)?;
        if guard::is_loop(&self.head.headers, &self.server.pseudonym) {
            let why = "the request came through this gateway before";
            return Err(Refusal::new(StatusCode::LOOP_DETECTED, why));
        }
        if form == Form::Origin {
            guard::host(&self.head.headers, &self.server.hosts)?;
        }
        let access = guard::access(&self.head, form)?;
        if form == Form::Absolute {
            proxied::check_key(self)?;
            self.take_turn(visit).await?;
            return proxied::answer(self).await;
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

    async fn take_turn(&self, visit: &mut Visit) -> Result<(), Refusal> {
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
        visit: &Visit,
    ) -> Result<Response<Content>, Refusal> {
        let asks = access == Access::Asks;
        match route {
            Route::Front(fields) => Ok(self.front(&fields)),
            Route::Read(fields) => {
                let page = pages::readings_page(&self.links, fields.get("url"), fields.get("other"));
                Ok(self.page(StatusCode::OK, page))
            }
            Route::Search(fields) => self.search(&fields),
            Route::Style => Ok(file("text/css; charset=utf-8", pages::style())),
            Route::Handlers => Ok(file("text/javascript; charset=utf-8", pages::HANDLERS)),
            Route::Ping => Ok(file("text/plain", "locator serve\n")),
            Route::Page(url) | Route::Raw(url) if asks => {
                let token = self.server.tokens.of(&url);
                Ok(self.page(StatusCode::OK, pages::confirm_page(&self.links, &url, &token)))
            }
            Route::Page(url) => self.object(&url).await,
            Route::Raw(url) => self.raw(&url).await,
            Route::Go => {
                let (url, _) = self.posted(body, visit).await?;
                Ok(see_other(&self.links.page(&url)))
            }
            Route::LogIn => {
                let (url, fields) = self.posted(body, visit).await?;
                self.log_in(&url, &fields)
            }
            Route::Ask => {
                let (url, fields) = self.posted(body, visit).await?;
                self.ask(&url, &fields).await
            }
        }
    }

    fn front(&self, fields: &Fields) -> Response<Content> {
        let url = fields.get("url").map(str::trim).filter(|url| !url.is_empty());
        if let Some(url) = url {
            return see_other(&self.links.page(url));
        }
        let page = pages::front_page(&self.links, &pages::Front::default());
        response(StatusCode::OK, Document::Front, pages::CONTENT_TYPE, Content::octets(page))
    }

    /// Leads to the URL of a search with its words.
    fn search(&self, fields: &Fields) -> Result<Response<Content>, Refusal> {
        let url = parsed(self.server, fields.get("url").unwrap_or_default())?;
        let words = fields.get("words").unwrap_or_default();
        let found = pages::search_url(url.as_uri_ref(), words, self.server.edition);
        found.map(|url| see_other(&self.links.page(&url))).map_err(Refusal::bad_request)
    }

    /// Returns the URL and the fields of a form that this process wrote for that URL.
    async fn posted(&self, body: Incoming, visit: &Visit) -> Result<(String, Fields), Refusal> {
        let octets = tokio::time::timeout(visit.patience, read(body)).await;
        let octets =
            octets.map_err(|_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the form took too long"))??;
        let fields = Fields::parse(&octets);
        let (url, token) = (fields.get("url").unwrap_or_default(), fields.get("token").unwrap_or_default());
        if !self.server.tokens.is(token, url) {
            let why = "the form is not one of this gateway, or it has been started anew";
            return Err(Refusal::forbidden(why.into()).advise("Go back, reload the page, and send it again."));
        }
        Ok((url.to_owned(), fields))
    }

    fn log_in(&self, url: &str, fields: &Fields) -> Result<Response<Content>, Refusal> {
        let Some(logins) = &self.server.logins else {
            return Err(Refusal::forbidden("the gateway keeps no passwords".into()));
        };
        let url = parsed(self.server, url)?;
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
        let form = parsed(self.server, url)?;
        let filled = pages::ask_url(form.as_uri_ref(), fields.all(), self.server.edition);
        let filled = filled.map_err(Refusal::bad_request)?;
        let has_password = fields.all().iter().any(|(name, _)| name.starts_with('p'));
        match has_password {
            true => self.object(&filled).await,
            false => Ok(see_other(&self.links.page(&filled))),
        }
    }

    /// Returns the page of what a URL identifies.
    pub(super) async fn object(&self, text: &str) -> Result<Response<Content>, Refusal> {
        let url = match parsed(self.server, text) {
            Ok(url) => url,
            Err(refusal) => return Ok(self.refused(&refusal, Some(text))),
        };
        let url = url.as_uri_ref();
        if let Some(bare) = self.without_password(url)? {
            return Ok(see_other(&self.links.page(bare.as_str())));
        }
        if let Some(page) = self.page_without_fetch(url) {
            return Ok(page);
        }
        if self.head.method == Method::HEAD {
            return self.fetched_head(url, pages::CONTENT_TYPE).await;
        }
        match fetch(self.server, url, Purpose::Page).await {
            Ok(fetched) => Ok(self.shown(url, fetched).await),
            Err(not_fetched) => Ok(self.not_fetched(url, not_fetched)),
        }
    }

    /// Shows what was fetched as a page.
    async fn shown(&self, url: UriRef<'_>, mut fetched: locator_fetch::Response) -> Response<Content> {
        let first = match first_octets(self.server, &mut fetched).await {
            Ok(first) => first,
            Err(not_fetched) => return self.not_fetched(url, not_fetched),
        };
        let server = self.server;
        let max_hits = server.options.max_hits.unwrap_or(Options::USUAL_HITS);
        let mut object = Object::of(&fetched, server.edition, max_hits);
        let with_server = with_server(object.url, object.kind, server.edition, server.news_server);
        if let Some(url) = &with_server {
            object.url = url.as_uri_ref();
        }
        let page = ObjectPage::new(&object, first.as_deref().unwrap_or_default(), self.links.clone());
        let length = fetched.content_length();
        let known = media_type(fetched.media_type(), fetched.kind(), fetched.url());
        let octets = Passed { first, rest: fetched.body() };
        match page.passes_on() {
            Some("") => response_of_octets(&known, url, Content::raw(octets, length)),
            Some(passed) => response_of_octets(passed, url, Content::raw(octets, length)),
            None => {
                response(StatusCode::OK, self.document(), pages::CONTENT_TYPE, Content::page(page, octets))
            }
        }
    }

    /// Returns the page of a URL that is not fetched: of another program, of a draft, of a search without words.
    fn page_without_fetch(&self, url: UriRef<'_>) -> Option<Response<Content>> {
        let page = if pages::no_fetch(url) {
            pages::web_link_page(&self.links, url.as_str())
        } else if self.is_draft(url) {
            pages::draft_page(&self.links, url)
        } else {
            pages::search_form(&self.links, url)?
        };
        Some(self.page(StatusCode::OK, page))
    }

    fn is_draft(&self, url: UriRef<'_>) -> bool {
        let plan = self.server.plan(url);
        plan.is_ok_and(|plan| matches!(plan.steps().next(), Some(Step::Local(Local::Draft(_)))))
    }

    /// Returns the octets of what a URL identifies.
    async fn raw(&self, text: &str) -> Result<Response<Content>, Refusal> {
        let url = parsed(self.server, text)?;
        let url = url.as_uri_ref();
        if let Some(bare) = self.without_password(url)? {
            return Ok(see_other(&self.links.raw(bare.as_str())));
        }
        if pages::no_fetch(url) {
            let scheme = url.scheme().map(|scheme| scheme.as_str()).unwrap_or_default();
            let refusal = Refusal::forbidden(format!("the gateway does not fetch {scheme} URLs"));
            return Err(refusal.advise("Open it with the program that is made for them."));
        }
        let is_head = self.head.method == Method::HEAD;
        let purpose = if is_head { Purpose::Head } else { Purpose::Raw };
        match fetch(self.server, url, purpose).await {
            Ok(mut fetched) => {
                let raw_type = media_type(fetched.media_type(), fetched.kind(), fetched.url());
                let length = fetched.content_length();
                if is_head {
                    return Ok(response_of_octets(&raw_type, url, Content::none(length)));
                }
                // The status says whether the first octets came.
                let first = first_octets(self.server, &mut fetched).await;
                Ok(match first {
                    Ok(first) => {
                        let octets = Passed { first, rest: fetched.body() };
                        response_of_octets(&raw_type, url, Content::raw(octets, length))
                    }
                    Err(not_fetched) => self.not_fetched(url, not_fetched),
                })
            }
            Err(NotFetched::Prompted { prompt, .. }) => {
                let refusal = Refusal::forbidden(format!("{} is needed", words_of(&prompt)));
                Ok(self.refused(&refusal.advise("Open the page of the URL in a browser."), Some(text)))
            }
            Err(not_fetched) => Ok(self.not_fetched(url, not_fetched)),
        }
    }

    async fn fetched_head(&self, url: UriRef<'_>, media_type: &str) -> Result<Response<Content>, Refusal> {
        Ok(match fetch(self.server, url, Purpose::Head).await {
            Ok(_) => response(StatusCode::OK, self.document(), media_type, Content::none(None)),
            Err(not_fetched) => self.not_fetched(url, not_fetched),
        })
    }

    /// Returns the page that says why a URL was not fetched, or asks for what is needed.
    fn not_fetched(&self, url: UriRef<'_>, not_fetched: NotFetched) -> Response<Content> {
        let (prompt, form, was_wrong) = match not_fetched {
            NotFetched::Refused(refusal) => return self.refused(&refusal, Some(url.as_str())),
            NotFetched::Prompted { prompt, form, was_wrong } => (prompt, form, was_wrong),
        };
        let token = self.server.tokens.of(url.as_str());
        let page = match &prompt {
            Prompt::Form => pages::ask_form(&self.links, url, &form, &token),
            prompt => {
                let user = String::from_utf8_lossy(&user(url)).into_owned();
                let user = Some(user.as_str()).filter(|user| !user.is_empty());
                let login = pages::Login { url: url.as_str(), prompt, user, was_wrong, token: &token };
                pages::login_page(&self.links, &login)
            }
        };
        self.page(StatusCode::OK, page)
    }

    /// Returns a URL without its password, if it has one: the address of a page is shown, and kept by the
    /// browser. The password is kept in memory. A proxy is sent the URL, and shows it to nobody.
    fn without_password(&self, url: UriRef<'_>) -> Result<Option<UriRefBuf>, Refusal> {
        let userinfo = url.authority().and_then(|authority| authority.userinfo());
        let Some(password) = userinfo.and_then(|userinfo| userinfo.password()) else { return Ok(None) };
        if self.is_proxied() {
            return Ok(None);
        }
        let mut edit = Edit::of(url);
        let bare = edit.set_password(None::<&str>).and_then(|edit| edit.finish());
        let bare = bare.map_err(|error| Refusal::bad_request(error.to_string()))?;
        if let Some(logins) = &self.server.logins {
            let secrets = Secrets { password: password.decode().into_owned(), account: None };
            logins.keep(bare.as_uri_ref(), &user(url), secrets);
        }
        Ok(Some(bare))
    }

    const fn document(&self) -> Document {
        if self.is_proxied() { Document::Native } else { Document::Page }
    }

    pub(super) fn page(&self, status: StatusCode, page: Vec<u8>) -> Response<Content> {
        response(status, self.document(), pages::CONTENT_TYPE, Content::octets(page))
    }

    /// Returns the response of a refusal: a page, or a text for a program that does not ask for HTML.
    pub(super) fn refused(&self, refusal: &Refusal, url: Option<&str>) -> Response<Content> {
        let accepted = self.head.headers.get(header::ACCEPT).map(HeaderValue::as_bytes);
        let is_html = accepted.is_some_and(|types| types.windows(9).any(|part| part == b"text/html"));
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
}

/// Returns the response that passes octets of a server on.
fn response_of_octets(media_type: &str, url: UriRef<'_>, content: Content) -> Response<Content> {
    let mut response = response(StatusCode::OK, Document::Foreign, media_type, content);
    dispose(response.headers_mut(), media_type, url);
    response
}

/// Returns the response of a file that belongs to all pages.
fn file(media_type: &str, text: impl Into<String>) -> Response<Content> {
    response(StatusCode::OK, Document::Page, media_type, Content::octets(text.into()))
}

/// Parses a URL.
pub(super) fn parsed(server: &Server, text: &str) -> Result<UriRefBuf, Refusal> {
    let url = UriRef::parse_with(text, server.edition).map_err(|error| Refusal::no_url(&error))?;
    match url.has_scheme() {
        true => Ok(url.to_owned()),
        false => {
            let refusal = Refusal::bad_request("the URL has no scheme");
            Err(refusal.advise("Write it with its scheme, such as gopher://gopher.example/."))
        }
    }
}

const fn words_of(prompt: &Prompt) -> &'static str {
    match prompt {
        Prompt::User => "a user",
        Prompt::Search => "a text to search for",
        Prompt::Form => "a filled form",
        _ => "a password",
    }
}

/// The most octets of a form.
const FORM: usize = 1 << 20;

/// Reads the body of a request.
async fn read(mut body: Incoming) -> Result<Vec<u8>, Refusal> {
    let mut octets = Vec::new();
    loop {
        let next = std::future::poll_fn(|context| std::pin::Pin::new(&mut body).poll_frame(context)).await;
        let Some(frame) = next else { return Ok(octets) };
        let frame = frame.map_err(|_| Refusal::bad_request("the body of the request is not complete"))?;
        octets.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data));
        if octets.len() > FORM {
            return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "the form is larger than 1 MiB"));
        }
    }
}
