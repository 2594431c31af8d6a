//! What a URL identifies, as a page or as octets: fetches it for a page, for its octets, or only to know
//! whether it is there, and returns the response.
//!
//! ```text
//! let fetched = fetch(gateway, url, Purpose::Page).await?;
//! ```

use bytes::Bytes;
use hyper::{Method, Response, StatusCode};
use locator::plan::{Listing, Local, Meaning, Options, Prompt, Step};
use locator::scheme::FtpUrl;
use locator::{Edit, UriRef, UriRefBuf};
use locator_fetch::FetchError;
use locator_fetch::entries::with_news_server;
use locator_fetch::run::FailureKind;

use super::exchange::Exchange;
use super::gateway::{Gateway, OpenedFile, file_of};
use super::logins::{Answers, Secrets, Unanswered, user};
use super::pages::{self, Object, ObjectPage};
use super::refusal::Refusal;
use super::response::{Content, Document, PassedBody, dispose, media_type, response, see_other};

impl Exchange<'_> {
    /// Returns the page of what a URL identifies.
    pub(super) async fn object(&self, text: &str) -> Result<Response<Content>, Refusal> {
        self.object_at(text, None).await
    }

    /// Returns the page of what the URL of a filled form identifies, with the URL of the form as its address:
    /// the other one has a password.
    pub(super) async fn filled(&self, form: UriRef<'_>, text: &str) -> Result<Response<Content>, Refusal> {
        self.object_at(text, Some(form)).await
    }

    async fn object_at(&self, text: &str, address: Option<UriRef<'_>>) -> Result<Response<Content>, Refusal> {
        let url = match self.parsed(text) {
            Ok(url) => url,
            Err(refusal) => {
                return Ok(self.refused(&refusal, Some(address.map_or(text, |address| address.as_str()))));
            }
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
            Ok(fetched) => Ok(self.shown(address.unwrap_or(url), address, fetched).await),
            Err(not_fetched) => Ok(self.not_fetched(address.unwrap_or(url), not_fetched)),
        }
    }

    /// Shows what was fetched as a page, at another address if one is given.
    async fn shown(
        &self,
        url: UriRef<'_>,
        address: Option<UriRef<'_>>,
        mut fetched: locator_fetch::Response,
    ) -> Response<Content> {
        let first = match first_octets(self.server, &mut fetched).await {
            Ok(first) => first,
            Err(not_fetched) => return self.not_fetched(url, not_fetched),
        };
        let server = self.server;
        let max_hits = server.options.max_hits.unwrap_or(Options::USUAL_HITS);
        let mut object = Object::of(&fetched, server.edition, max_hits);
        let with_server =
            with_news_server(object.url, object.kind, server.edition, server.options.news_server);
        if let Some(url) = &with_server {
            object.url = url.as_uri_ref();
        }
        if let Some(address) = address {
            object.url = address;
        }
        let page = ObjectPage::new(&object, first.as_deref().unwrap_or_default(), self.links.clone());
        let length = fetched.content_length();
        let known = media_type(fetched.media_type(), fetched.kind(), fetched.url());
        let octets = PassedBody { first, rest: fetched.body() };
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
    pub(super) async fn raw(&self, text: &str) -> Result<Response<Content>, Refusal> {
        let url = self.parsed(text)?;
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
                        let octets = PassedBody { first, rest: fetched.body() };
                        response_of_octets(&raw_type, url, Content::raw(octets, length))
                    }
                    Err(not_fetched) => self.not_fetched(url, not_fetched),
                })
            }
            Err(NotFetched::Prompted { prompt, .. }) => {
                let refusal = Refusal::forbidden(format!("{} is needed", prompt_words(&prompt)));
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
}

/// Returns the response that passes octets of a server on.
fn response_of_octets(media_type: &str, url: UriRef<'_>, content: Content) -> Response<Content> {
    let mut response = response(StatusCode::OK, Document::Foreign, media_type, content);
    dispose(response.headers_mut(), media_type, url);
    response
}

const fn prompt_words(prompt: &Prompt) -> &'static str {
    match prompt {
        Prompt::User => "a user",
        Prompt::Search => "a text to search for",
        Prompt::Form => "a filled form",
        _ => "a password",
    }
}

/// What a URL is fetched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Page,
    Raw,
    /// What HEAD asks for.
    Head,
}

/// Why a URL was not fetched.
pub(super) enum NotFetched {
    /// It cannot be, or a server refused it.
    Refused(Refusal),
    /// Something must be answered: a prompt, what describes it, and whether the answer that was given is wrong.
    Prompted { prompt: Prompt, form: Vec<u8>, was_wrong: bool },
}

impl From<Refusal> for NotFetched {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// The most octets that are shown as a page.
const LARGEST_PAGE: u64 = 64 << 20;

/// Fetches a URL. Returns when its first octets are there.
pub(super) async fn fetch(
    server: &Gateway,
    url: UriRef<'_>,
    purpose: Purpose,
) -> Result<locator_fetch::Response, NotFetched> {
    let plan = server.plan(url)?;
    let file = file_of(&plan);
    let (fetcher, found) = match (file, &server.files) {
        (None, _) => (&server.fetcher, None),
        (Some(file), Some(files)) => (&files.fetcher, Some(files.find(file)?)),
        (Some(_), None) => {
            let refusal = Refusal::forbidden("files of this machine are not shown".into());
            return Err(refusal
                .advise("To show a directory, start the gateway with: locator serve --files DIR")
                .into());
        }
    };
    let is_head = purpose == Purpose::Head;
    if is_head && file.is_none() && FtpUrl::of(url).is_err() {
        let why = "the protocol cannot ask for the headers alone; use GET";
        return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, why).into());
    }
    let is_page = purpose == Purpose::Page;
    let listing = if is_page { Listing::Facts } else { Listing::Names };
    let answers = server.answers.of(url, server.logins.as_ref());
    let options = server.options.head(is_head).listing(listing).overview(is_page);
    let mut request = fetcher.request(url).options(options).prompter(answers.clone());
    if is_page {
        request = request.max_size(LARGEST_PAGE);
    }
    if let Some(opened) = found.as_ref().and_then(OpenedFile::url) {
        let opened = UriRef::parse(&opened).map_err(|error| Refusal::bad_request(error.to_string()))?;
        request = request.plan(server.plan(opened)?);
    }
    let fetched = request.send().await.map_err(|error| not_fetched(server, url, &error, &answers));
    // Until here the file is open.
    drop(found);
    fetched
}

/// Reads the first octets of a response, which say whether there are any.
pub(super) async fn first_octets(
    server: &Gateway,
    fetched: &mut locator_fetch::Response,
) -> Result<Option<Bytes>, NotFetched> {
    fetched.chunk().await.map_err(|error| Refusal::of(&error, server.logins.is_some()).into())
}

fn not_fetched(server: &Gateway, url: UriRef<'_>, error: &FetchError, answers: &Answers) -> NotFetched {
    let refusal = || NotFetched::Refused(Refusal::of(error, server.logins.is_some()));
    let failed = error.failure().map(|failure| &failure.kind);
    if let Some(FailureKind::NoAnswer(name)) = failed
        && let Some(Unanswered { prompt, form }) = answers.unanswered(name)
        && (prompt == Prompt::Form || server.logins.is_some())
    {
        return NotFetched::Prompted { prompt, form, was_wrong: false };
    }
    let Some(logins) = &server.logins else { return refusal() };
    match failed {
        Some(FailureKind::Said(Meaning::WrongLogin | Meaning::NeedLogin)) => {
            let user = user(url);
            logins.forget(url, &user);
            let was_wrong = !user.is_empty();
            let prompt = if was_wrong { Prompt::Password { user } } else { Prompt::User };
            NotFetched::Prompted { prompt, form: Vec::new(), was_wrong }
        }
        _ => refusal(),
    }
}
