//! Answers a request: takes its head and body, returns a response.

use hyper::body::{Body as _, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use locator::Edit;
use locator_web::report::pasted;

use super::asked::Asked;
use super::content::Content;
use super::fields::Fields;
use super::gateway::Gateway;
use super::guard::{self, Access, Form};
use super::headers::{Document, response, see_other};
use super::logins::Secrets;
use super::pages::{self, Links};
use super::peer;
use super::proxied;
use super::refusal::Refusal;
use super::route::{NoRoute, Route, has_key};
use super::visit::Visit;

/// Answers a request.
pub(super) async fn answer(
    server: &Gateway,
    request: Request<Incoming>,
    mut visit: Visit,
) -> Response<Content> {
    let (head, body) = request.into_parts();
    let is_keyed = has_key(head.uri.path(), server.key.as_ref());
    let links = match is_keyed {
        _ if head.uri.scheme().is_some() => Links::native().showing_secrets(server.shows_secrets),
        true => server.links(),
        // Whoever does not know the key is not to learn it from the links of a page.
        false => Links::gateway(String::new()).showing_secrets(server.shows_secrets),
    };
    let asked = Asked { server, head, links, is_keyed };
    let answered = asked.answer(body, &mut visit).await;
    let mut response = answered.unwrap_or_else(|refusal| asked.refused(&refusal, None));
    if asked.is_proxied() {
        let via = HeaderValue::from_str(&format!("1.1 {}", server.pseudonym));
        via.into_iter().for_each(|via| drop(response.headers_mut().insert(header::VIA, via)));
    }
    response.map(|content| content.of(visit))
}

impl Asked<'_> {
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
            Route::Icon => Ok(no_content()),
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
                let front = pages::Front { url, error: wrong.as_deref() };
                let page = Content::octets(pages::front_page(&self.links, &front));
                let status = if wrong.is_none() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
                response(status, Document::Front, pages::CONTENT_TYPE, page)
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

    /// Returns the URL and the fields of a form that this process wrote for that URL.
    async fn posted(&self, body: Incoming, visit: &Visit) -> Result<(String, Fields), Refusal> {
        let fields = self.fields(body, visit).await?;
        let (url, token) = (fields.get("url").unwrap_or_default(), fields.get("token").unwrap_or_default());
        if !self.server.tokens.is(token, url) {
            let why =
                "the form is older than an hour, or not one of this gateway, which may have been restarted";
            return Err(Refusal::forbidden(why.into()).advise("Go back, reload the page, and send it again."));
        }
        Ok((url.to_owned(), fields))
    }

    async fn fields(&self, body: Incoming, visit: &Visit) -> Result<Fields, Refusal> {
        let octets = tokio::time::timeout(visit.patience, read(body)).await;
        let octets =
            octets.map_err(|_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the form took too long"))??;
        Ok(Fields::parse(&octets))
    }

    /// Returns the path of an address that leads to the page of a URL once. Whoever asks for it has the key.
    fn make_once(&self, url: &str) -> Result<Response<Content>, Refusal> {
        let token = self.server.once.keep(url.into());
        let token = token
            .map_err(|error| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, format!("no token: {error}")))?;
        Ok(file("text/plain", format!("/once/{token}\n")))
    }

    /// Leads from an address that is used once to the page with the key.
    fn once(&self, token: &str, visit: &Visit) -> Result<Response<Content>, Refusal> {
        // The tables of the system are long: nobody has them read by a token that does not exist.
        let is_of_another = || visit.ends.is_some_and(|(peer, own)| peer::is_of_another_user(peer, own));
        if self.server.once.has(token) && is_of_another() {
            return Err(Refusal::forbidden("this address is for the user who runs the gateway".into()));
        }
        // Programs that look what an address is, before they start a browser, ask so. It is not used by that.
        if self.head.method == Method::HEAD {
            return Err(Refusal::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "this address can be used once, by GET",
            ));
        }
        match self.server.once.take(token) {
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

/// Returns the response of a file that belongs to all pages.
fn file(media_type: &str, text: impl Into<String>) -> Response<Content> {
    response(StatusCode::OK, Document::Page, media_type, Content::octets(text.into()))
}

/// Returns a response without content, as there is no icon.
fn no_content() -> Response<Content> {
    let mut empty = response(StatusCode::NO_CONTENT, Document::Page, "", Content::none(None));
    empty.headers_mut().remove(header::CONTENT_TYPE);
    empty
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
