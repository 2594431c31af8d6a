//! What is around the content of a page: the head, the address, links to the server and to other views of
//! the URL.

use std::sync::LazyLock;

use locator::UriRef;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::links::{self, Links};
use super::words::{beginning, code, visible};

/// The media type of all pages.
pub(in super::super) const CONTENT_TYPE: &str = "text/html; charset=utf-8";

/// Returns the style sheet of all pages.
pub(in super::super) fn style() -> &'static str {
    static STYLE: LazyLock<String> =
        LazyLock::new(|| [locator_web::STYLE, include_str!("style.css")].concat());
    &STYLE
}

/// A page of which the content is not written yet.
pub(super) struct Frame<'a> {
    pub(super) links: &'a Links,
    pub(super) title: &'a str,
    /// The URL that the page shows.
    pub(super) url: Option<&'a str>,
    /// Whether the page has the script that registers the gateway.
    pub(super) has_script: bool,
}

impl<'a> Frame<'a> {
    pub(super) const fn new(links: &'a Links, title: &'a str) -> Self {
        Self { links, title, url: None, has_script: false }
    }

    pub(super) const fn of(self, url: &'a str) -> Self {
        Self { url: Some(url), ..self }
    }

    /// Returns a whole document.
    pub(super) fn around(&self, content: &Markup) -> Vec<u8> {
        self.document(content).into_string().into_bytes()
    }

    /// Returns what is before and after the content.
    pub(super) fn halves(&self) -> (Vec<u8>, Vec<u8>) {
        // No text that is escaped contains it.
        const CONTENT: &str = "<!--content-->";
        let document = self.document(&PreEscaped(CONTENT.into())).into_string();
        let (before, after) = document.split_once(CONTENT).unwrap_or((&document, ""));
        (before.into(), after.into())
    }

    fn document(&self, content: &Markup) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                (self.head())
                body {
                    main {
                        @if let Some(start) = self.links.own("/") {
                            nav aria-label="Gateway" { a href=(start) { "locator" } }
                        }
                        h1 { (visible(self.title)) }
                        @if let Some(url) = self.url { (self.address(url)) }
                        (content)
                    }
                }
            }
        }
    }

    fn head(&self) -> Markup {
        html! {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                title { (visible(self.title)) }
                @match self.links.own("/style.css") {
                    Some(style) => link rel="stylesheet" href=(style);,
                    None => style { (PreEscaped(style())) },
                }
                @if let Some(script) = self.links.own("/handlers.js").filter(|_| self.has_script) {
                    script src=(script) defer {}
                }
            }
        }
    }

    /// Writes the URL, and where it leads from here.
    fn address(&self, url: &str) -> Markup {
        let shown = self.links.redacted(url).to_string();
        let (shown, is_cut) = beginning(&shown);
        let reference = UriRef::parse(url).ok();
        let parent = reference.and_then(links::parent);
        let server = reference.and_then(links::server).filter(|server| Some(server) != parent.as_ref());
        html! {
            p.address { (code(shown)) @if is_cut { "…" } }
            nav.views aria-label="This URL" {
                ul {
                    @if let Some(parent) = parent { li { a href=(self.links.page(&parent)) { (links::parent_name(url)) } } }
                    @if let Some(server) = server { li { a href=(self.links.page(&server)) { "Top of the server" } } }
                    @if self.links.is_gateway() && is_fetched(url) {
                        li { a href=(self.links.raw(url)) { "Raw" } }
                    }
                    @if let Some(read) = self.links.read(url) { li { a href=(read) { "How programs read it" } } }
                }
            }
        }
    }
}

/// Returns whether a URL has octets that the gateway gets.
fn is_fetched(url: &str) -> bool {
    let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
    super::schemes::FETCHED.contains(&&*scheme)
}
