//! Forms: the words of a search, a login, and the question whether a link of another page is followed.

use locator::plan::Prompt;
use locator::scheme::{GopherUrl, WaisObject, WaisUrl, WhoisUrl};
use locator::{Edition, UriRef};
use locator_web::Renderer;
use maud::{Markup, html};

use super::decode::Guess;
use super::frame::Frame;
use super::links::Links;
use super::words::{beginning, code, visible};

/// Returns the form of a search, if the URL is one without words. By proxy the form is sent to the URL
/// itself.
pub(in super::super) fn search_form(links: &Links, url: UriRef<'_>) -> Option<Vec<u8>> {
    let own = links.own("/search");
    let action = own.as_deref().unwrap_or(url.as_str());
    let what = searched(url)?;
    let content = html! {
        form.asked action=(action) method="get" role="search" {
            @if own.is_some() { input type="hidden" name="url" value=(url.as_str()); }
            label for="words" { (what.label()) }
            input #words type="search" name="words" required autocomplete="off" spellcheck="false";
            button type="submit" { "Search" }
        }
    };
    let title = super::object::name(url).or_else(|| Some(url.host()?.as_str().to_owned()));
    let title = format!("Search: {}", beginning(&title.unwrap_or_default()).0);
    Some(Frame::new(links, &title).of(url.as_str()).around(&content))
}

/// Returns the URL of a search for words.
///
/// # Errors
///
/// The URL is not a search, or the edition cannot write the words.
pub(in super::super) fn search_url(
    url: UriRef<'_>,
    words: &str,
    edition: &'static Edition,
) -> Result<String, String> {
    let built = if let Ok(gopher) = GopherUrl::of(url) {
        gopher.parts().search(words).build_with(edition)
    } else if let Ok(wais) = WaisUrl::of(url) {
        wais.parts().search(words).build_with(edition)
    } else if let Ok(whois) = WhoisUrl::of(url) {
        whois.parts().handle(words).build_with(edition)
    } else {
        return Err("the URL is not a search".into());
    };
    built.map(locator::UriBuf::into_string).map_err(|error| error.to_string())
}

/// What is searched.
#[derive(Clone, Copy)]
enum Searched {
    Engine,
    Database,
    Directory,
}

impl Searched {
    const fn label(self) -> &'static str {
        match self {
            Self::Engine | Self::Database => "Words to search for",
            Self::Directory => "Name, domain or address to look up",
        }
    }
}

/// Returns what a URL without words searches.
fn searched(url: UriRef<'_>) -> Option<Searched> {
    if let Ok(gopher) = GopherUrl::of(url) {
        // "If the URL refers to a search to be submitted to a gopher search engine, the search string is
        // required" (draft of 1994).
        let is_empty = gopher.search.is_none_or(|search| search.is_empty());
        return (gopher.item_type() == '7' && gopher.plus.is_none() && is_empty).then_some(Searched::Engine);
    }
    if let Ok(wais) = WaisUrl::of(url) {
        return match wais.object {
            WaisObject::Database => Some(Searched::Database),
            WaisObject::Search(words) if words.is_empty() => Some(Searched::Database),
            _ => None,
        };
    }
    WhoisUrl::of(url).is_ok_and(|whois| whois.handle.is_empty()).then_some(Searched::Directory)
}

/// What a server asks for.
#[derive(Clone, Debug)]
pub(in super::super) struct Login<'a> {
    pub(in super::super) url: &'a str,
    pub(in super::super) prompt: &'a Prompt,
    /// The user, if the URL names one.
    pub(in super::super) user: Option<&'a str>,
    /// Whether the server has refused a login.
    pub(in super::super) was_wrong: bool,
    /// Proves that the form was sent by this page.
    pub(in super::super) token: &'a str,
}

/// Returns the form of a login.
pub(in super::super) fn login_page(links: &Links, login: &Login<'_>) -> Vec<u8> {
    let action = links.own("/login").unwrap_or_default();
    let named = match login.prompt {
        Prompt::Password { user } if !user.is_empty() => Some(Guess::default().decode(user).into_owned()),
        _ => None,
    };
    let user = named.as_deref().or(login.user).unwrap_or_default();
    let host = UriRef::parse(login.url).ok().and_then(|url| Some(url.host()?.as_str().to_owned()));
    let host = host.unwrap_or_default();
    let content = html! {
        @if login.was_wrong { p.verdict.bad role="alert" { "The server refused this login." } }
        p { (code(&host)) " asks for a login. It is kept in the memory of the gateway until that ends." }
        (warning(login.url))
        form.asked action=(action) method="post" {
            input type="hidden" name="url" value=(login.url);
            input type="hidden" name="token" value=(login.token);
            label for="user" { "User" }
            input #user type="text" name="user" value=(user) required autocomplete="username" spellcheck="false" autocapitalize="none";
            label for="password" { "Password" }
            input #password type="password" name="password" autocomplete="current-password";
            @if matches!(login.prompt, Prompt::Account) {
                label for="account" { "Account" }
                input #account type="password" name="account" autocomplete="off";
            }
            button type="submit" { "Log in" }
        }
    };
    Frame::new(links, "Login").of(login.url).around(&content)
}

/// Says that a password is sent unencrypted, where it may be.
fn warning(url: &str) -> Markup {
    let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let is_open = matches!(&*scheme, "ftp" | "news" | "nntp" | "wais" | "prospero");
    html! { @if is_open { p.note { "Unless the server supports TLS, the password is sent unencrypted." } } }
}

/// Returns the question whether a link of another page is followed.
pub(in super::super) fn confirm_page(links: &Links, url: &str, token: &str) -> Vec<u8> {
    let action = links.own("/go").unwrap_or_default();
    let shown = links.redacted(url).to_string();
    let content = html! {
        p { "Another page leads here. Nothing was fetched yet. Open it only if you meant to." }
        form.asked action=(action) method="post" {
            input type="hidden" name="url" value=(url);
            input type="hidden" name="token" value=(token);
            button type="submit" { "Open " (code(beginning(&shown).0)) }
        }
        (Renderer::new().hosts(url))
        (Renderer::new().findings(url))
    };
    let title = "Open this link?";
    let content = html! { (content) p.note { (visible("Whoever made the page chose this URL.")) } };
    Frame::new(links, title).of(url).around(&content)
}
