//! The page of a URL that the gateway does not fetch: one of the web, or of a scheme that a program or
//! nobody uses. Takes the URL, returns a link where it is safe to follow, and its readings.

use locator::{PctStr, UriRef};
use locator_web::Renderer;
use maud::html;

use super::frame::Frame;
use super::links::{self, Links};
use super::words::{beginning, code};

/// Returns the page of a URL that is not fetched.
pub(in super::super) fn web_link_page(links: &Links, url: &str) -> Vec<u8> {
    let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let is_session = matches!(&*scheme, "telnet" | "rlogin" | "tn3270");
    let is_valid = UriRef::parse(url).is_ok();
    let is_option = UriRef::parse(url).is_ok_and(names_an_option);
    let shown = links.redacted(url).to_string();
    let title = if links::is_web(url) { "A link to the web" } else { "A link to another program" };
    let content = html! {
        @if links::is_web(url) && is_valid {
            p { "The gateway does not fetch pages of the web; your browser does." }
            p { a.button.out href=(url) rel="noreferrer noopener" { "Open " (code(beginning(&shown).0)) } }
        } @else if is_session && is_option {
            p.verdict.warn {
                "The name of a user or host begins with \"-\", which programs take for an option. The gateway \
                 does not link to it."
            }
        } @else if is_session && is_valid {
            p { "This is an interactive session. Your browser may start a program for it." }
            p { a.button href=(url) rel="noreferrer noopener" { "Open " (code(beginning(&shown).0)) } }
        } @else {
            p.verdict.warn { "The gateway does not fetch URLs of this scheme, and does not link to them." }
        }
        (Renderer::new().url(url))
    };
    Frame::new(links, title).of(url).around(&content)
}

/// Returns whether a program that gets the user or the host as a word would take it for an option.
fn names_an_option(url: UriRef<'_>) -> bool {
    let user = url.authority().and_then(|authority| Some(authority.userinfo()?.user()));
    let user = user.map(|user| user.decode().into_owned());
    let host = url.host().and_then(|host| Some(PctStr::new(host.as_str()).ok()?.decode().into_owned()));
    user.into_iter().chain(host).any(|word| word.trim_ascii_start().starts_with(b"-"))
}
