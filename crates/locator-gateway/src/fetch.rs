//! Fetches a URL for a page, for its octets, or only to know whether it is there.

use bytes::Bytes;
use locator::UriRef;
use locator::plan::{Listing, Meaning, Prompt};
use locator::scheme::FtpUrl;
use locator_fetch::run::FailureKind;
use locator_fetch::{FetchError, Response};

use super::files::{OpenedFile, file_of};
use super::gateway::Gateway;
use super::logins::{Answers, user};
use super::refusal::Refusal;

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
const PAGE: u64 = 64 << 20;

/// Fetches a URL. Returns when its first octets are there.
pub(super) async fn fetch(
    server: &Gateway,
    url: UriRef<'_>,
    purpose: Purpose,
) -> Result<Response, NotFetched> {
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
        return Err(Refusal::new(hyper::StatusCode::METHOD_NOT_ALLOWED, why).into());
    }
    let is_page = purpose == Purpose::Page;
    let listing = if is_page { Listing::Facts } else { Listing::Names };
    let answers = server.answers.of(url, server.logins.as_ref());
    let options = server.options.head(is_head).listing(listing).overview(is_page);
    let mut request = fetcher.request(url).options(options).prompter(answers.clone());
    if is_page {
        request = request.max_size(PAGE);
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
    fetched: &mut Response,
) -> Result<Option<Bytes>, NotFetched> {
    fetched.chunk().await.map_err(|error| Refusal::of(&error, server.logins.is_some()).into())
}

fn not_fetched(server: &Gateway, url: UriRef<'_>, error: &FetchError, answers: &Answers) -> NotFetched {
    let refusal = || NotFetched::Refused(Refusal::of(error, server.logins.is_some()));
    let failed = error.failure().map(|failure| &failure.kind);
    if let Some(FailureKind::NoAnswer(name)) = failed
        && let Some((prompt, form)) = answers.unanswered(name)
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
