//! The page of a URL that the gateway does not fetch: one of the web, or of a scheme that a program or
//! nobody uses. Takes the URL, returns a link where it is safe to follow, and its readings.

use locator::UriRef;
use locator_web::Renderer;
use maud::html;

use super::frame::Frame;
use super::links::{self, Links};
use super::words::{beginning, code};
use crate::terminal::secrets;

/// The schemes that the gateway fetches.
pub(super) const FETCHED: [&str; 13] = [
    "ftp", "ftps", "gopher", "news", "snews", "nntp", "wais", "prospero", "whois", "mid", "cid", "file",
    "data",
];
/// The schemes of this machine, to which a server may not link.
const HERE: [&str; 2] = ["file", "data"];
/// The schemes of the web and of programs for sessions and mail.
const OTHERS: [&str; 6] = ["http", "https", "mailto", "telnet", "rlogin", "tn3270"];

/// Returns the schemes that a link in a text of others may have.
pub(super) fn schemes() -> impl Iterator<Item = &'static str> {
    FETCHED.iter().filter(|scheme| !HERE.contains(scheme)).chain(&OTHERS).copied()
}

/// Returns whether a link in a text of others may have this scheme, in lower case.
pub(super) fn is_shown(scheme: &str) -> bool {
    schemes().any(|shown| shown == scheme)
}

/// Returns whether a URL is not fetched: it has a [page](web_link_page) instead. A mailto URL is a
/// [draft](super::draft_page).
pub(in super::super) fn no_fetch(url: UriRef<'_>) -> bool {
    let scheme = url.scheme().map(|scheme| scheme.as_str().to_ascii_lowercase()).unwrap_or_default();
    scheme != "mailto" && !FETCHED.contains(&&*scheme)
}

/// Returns the page of a URL that is not fetched.
pub(in super::super) fn web_link_page(links: &Links, url: &str) -> Vec<u8> {
    let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let is_session = matches!(&*scheme, "telnet" | "rlogin" | "tn3270");
    let is_valid = UriRef::parse(url).is_ok();
    let shown = secrets::redacted(url).to_string();
    let title = if links::is_web(url) { "A link to the web" } else { "A link to another program" };
    let content = html! {
        @if links::is_web(url) && is_valid {
            p { "The gateway does not fetch pages of the web; your browser does." }
            p { a.button.out href=(url) rel="noreferrer noopener" { "Open " (code(beginning(&shown).0)) } }
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
