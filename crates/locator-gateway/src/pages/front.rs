//! The first page, with the form for a URL, and the page of readings.

use locator_web::Renderer;
use maud::{Markup, html};

use super::frame::Frame;
use super::links::Links;
use super::words::visible;

/// The script of the first page, which registers the gateway for the schemes that HTML allows.
pub(in super::super) const HANDLERS: &str = include_str!("handlers.js");

/// What the first page shows.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Front<'a> {
    /// What was typed, if it is not a URL that can be opened.
    pub(in super::super) url: Option<&'a str>,
    /// What is wrong with it: the report with the caret, on several lines.
    pub(in super::super) error: Option<&'a str>,
}

/// URLs to begin with.
const EXAMPLES: [(&str, &str); 4] = [
    ("gopher://gopher.floodgap.com/", "a menu of Gopher"),
    ("ftp://ftp.gnu.org/gnu/", "a directory"),
    ("whois://whois.iana.org/example.com", "who has a domain"),
    ("news://news.gmane.io/*", "newsgroups"),
];

/// Returns the first page.
pub(in super::super) fn front_page(links: &Links, front: &Front<'_>) -> Vec<u8> {
    let content = html! {
        p { "Opens URLs that browsers have given up: gopher, ftp, news, nntp, wais, prospero and whois." }
        (form(&links.own("/").unwrap_or_default(), front))
        section.reading aria-labelledby="h-examples" {
            h2 #h-examples { "Examples" }
            ul {
                @for (url, what) in EXAMPLES {
                    li { a href=(links.page(url)) { code.text { (url) } } " " span.note { (what) } }
                }
            }
        }
        (readings_form(links, None, None, "How do programs read a URL?"))
        section #handlers hidden {
            h2 { "Links on other pages" }
            p { "Your browser can send ftp:, ftps:, news: and nntp: links to this gateway, as long as it runs." }
            p { button #register type="button" { "Use this gateway for such links" } }
            p #registered role="status" {}
        }
    };
    let frame = Frame { has_script: true, ..Frame::new(links, "Open a URL") };
    frame.around(&content)
}

fn form(action: &str, front: &Front<'_>) -> Markup {
    let url = front.url.unwrap_or_default();
    html! {
        form.asked action=(action) method="get" {
            label for="url" { "URL" }
            input #url type="text" name="url" value=(url) required autocomplete="off" spellcheck="false"
                autocapitalize="none" inputmode="url" aria-describedby=[front.error.map(|_| "wrong")];
            button type="submit" { "Open" }
            @if let Some(error) = front.error {
                div #wrong.error role="alert" { pre tabindex="0" { @for line in error.lines() { (visible(line)) "\n" } } }
            }
        }
    }
}

/// Returns the page with the readings of a URL, or of two that are compared.
pub(in super::super) fn readings_page(links: &Links, url: Option<&str>, other: Option<&str>) -> Vec<u8> {
    let start = links.own("/read?url=").unwrap_or_default();
    let renderer = Renderer::new().links(&start);
    let other = other.filter(|other| !other.is_empty());
    let content = html! {
        (readings_form(links, url, other, "A URL"))
        @match (url, other) {
            (Some(url), Some(other)) => (renderer.comparison(url, other)),
            (Some(url), None) => (renderer.url(url)),
            (None, _) => {},
        }
    };
    Frame::new(links, "How programs read a URL").around(&content)
}

fn readings_form(links: &Links, url: Option<&str>, other: Option<&str>, title: &str) -> Markup {
    html! {
        section.reading aria-labelledby="h-read" {
            h2 #h-read { (title) }
            form.asked action=(links.own("/read").unwrap_or_default()) method="get" {
                label for="read" { "URL" }
                input #read type="text" name="url" value=(url.unwrap_or_default()) required autocomplete="off"
                    spellcheck="false" autocapitalize="none";
                label for="other" { "Compare with (optional)" }
                input #other type="text" name="other" value=(other.unwrap_or_default()) autocomplete="off"
                    spellcheck="false" autocapitalize="none";
                button type="submit" { "Show readings" }
            }
        }
    }
}
