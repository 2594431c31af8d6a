//! The frame of all pages, and the pages that show nothing of a server: the first page, readings, errors, the
//! draft of a mail (RFC 6068, 7), and links that other programs follow.
//!
//! A [`Frame`] is what is around the content: the head, the address, links to the server and to other views
//! of the URL.
//!
//! ```text
//! let links = Links::gateway(String::new());
//! let page = Frame::new(&links, "A title").of("gopher://h/").wrap(&html! { p { "A < B" } });
//! assert!(page.starts_with(b"<!DOCTYPE html>"));
//! ```

use std::sync::LazyLock;

use locator::plan::{Draft, Local, Options, Step};
use locator::{PctStr, Uri, UriRef, scheme};
use locator_web::Renderer;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::links::{self, Links};
use super::text::{Beginning, GuessingDecoder, beginning, boundary, code, preformatted, visible};

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

/// What is before and after the content of a page.
pub(super) struct FrameHalves {
    pub(super) before: Vec<u8>,
    pub(super) after: Vec<u8>,
}

impl<'a> Frame<'a> {
    pub(super) const fn new(links: &'a Links, title: &'a str) -> Self {
        Self { links, title, url: None, has_script: false }
    }

    pub(super) const fn of(self, url: &'a str) -> Self {
        Self { url: Some(url), ..self }
    }

    /// Returns a whole document.
    pub(super) fn wrap(&self, content: &Markup) -> Vec<u8> {
        self.document(content).into_string().into_bytes()
    }

    /// Returns what is before and after the content.
    pub(super) fn split_at_content(&self) -> FrameHalves {
        // No text that is escaped contains it.
        const CONTENT: &str = "<!--content-->";
        let document = self.document(&PreEscaped(CONTENT.into())).into_string();
        let (before, after) = document.split_once(CONTENT).unwrap_or((&document, ""));
        FrameHalves { before: before.into(), after: after.into() }
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
        let Beginning { text: shown, is_cut } = beginning(&shown);
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
    links::FETCHED.contains(&&*scheme)
}

/// The script of the first page, which registers the gateway for the schemes that HTML allows.
pub(in super::super) const HANDLERS: &str = include_str!("handlers.js");

/// What the first page shows.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct FrontPage<'a> {
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
pub(in super::super) fn front_page(links: &Links, front: &FrontPage<'_>) -> Vec<u8> {
    let content = html! {
        p { "Opens URLs that browsers have given up: gopher, ftp, news, nntp, wais, prospero and whois." }
        (url_form(&links.own("/").unwrap_or_default(), front))
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
    frame.wrap(&content)
}

fn url_form(action: &str, front: &FrontPage<'_>) -> Markup {
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
    Frame::new(links, "How programs read a URL").wrap(&content)
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

/// What an error page says.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct ErrorPage<'a> {
    /// The status of the response, such as 404.
    pub(in super::super) status: u16,
    /// What failed, in a sentence without a period.
    pub(in super::super) title: &'a str,
    pub(in super::super) url: Option<&'a str>,
    /// What the server said, in its own words; or the text with the caret.
    pub(in super::super) reply: Option<&'a str>,
    /// What the reader can do, a sentence each.
    pub(in super::super) advice: &'a [&'a str],
}

/// Returns the page of an error.
pub(in super::super) fn error_page(links: &Links, error: &ErrorPage<'_>) -> Vec<u8> {
    let quoted = error.reply.map(str::trim_end).filter(|reply| !reply.is_empty());
    let content = html! {
        @if let Some(reply) = quoted {
            section.reading aria-labelledby="h-reply" {
                h2 #h-reply { "The reply" }
                // Of a long reply the beginning says what is wrong.
                @let Beginning { text: reply, is_cut } = reply_beginning(reply);
                pre tabindex="0" { @for line in reply.lines() { (visible(line)) "\n" } @if is_cut { "…" } }
            }
        }
        @if !error.advice.is_empty() {
            section.reading aria-labelledby="h-advice" {
                h2 #h-advice { "What you can do" }
                ul { @for advice in error.advice { li { (visible(advice)) } } }
            }
        }
        p.note { "Status " (error.status) }
    };
    let frame = Frame::new(links, beginning(error.title).text);
    let frame = error.url.map_or(Frame { ..frame }, |url| Frame { url: Some(url), ..frame });
    frame.wrap(&content)
}

/// How many octets of a reply are shown.
const LONGEST_REPLY: usize = 8 * 1024;

fn reply_beginning(reply: &str) -> Beginning<'_> {
    Beginning { text: &reply[..boundary(reply, LONGEST_REPLY)], is_cut: reply.len() > LONGEST_REPLY }
}

/// Returns the page of a mailto URL.
pub(in super::super) fn draft_page(links: &Links, url: UriRef<'_>) -> Vec<u8> {
    let plan = Uri::try_from(url).ok().and_then(|uri| scheme::plan(uri, &Options::new()).ok());
    let draft = plan.as_ref().and_then(|plan| {
        plan.all_steps().find_map(|step| match step {
            Step::Local(Local::Draft(draft)) => Some(draft),
            _ => None,
        })
    });
    match draft {
        Some(draft) => Frame::new(links, "Draft of a mail").of(url.as_str()).wrap(&draft_content(draft)),
        None => {
            let error =
                ErrorPage { status: 400, title: "This is not a valid mailto URL", ..ErrorPage::default() };
            error_page(links, &ErrorPage { url: Some(url.as_str()), ..error })
        }
    }
}

fn draft_content(draft: &Draft) -> Markup {
    let text = |octets: &[u8]| GuessingDecoder::default().decode(octets).into_owned();
    html! {
        p { a.button href=(draft.to_url()) { "Open in the mail program" } }
        table.fields {
            caption.hidden { "Header of the draft" }
            tbody {
                @for to in &draft.to { (draft_row("To", &text(to))) }
                @for (name, value) in &draft.fields { (draft_row(&text(name), &text(value))) }
            }
        }
        @if !draft.dropped.is_empty() {
            @let dropped: Vec<_> = draft.dropped.iter().map(|name| text(name)).collect();
            p.verdict.warn { "Left out, because it could add recipients or forge a sender: " (visible(&dropped.join(", "))) }
        }
        h2 { "Text" }
        pre.message tabindex="0" { "\n" (preformatted(&text(&draft.body).replace("\r\n", "\n"))) }
    }
}

fn draft_row(name: &str, value: &str) -> Markup {
    html! { tr { th scope="row" { (visible(beginning(name).text)) } td { bdi { (visible(value)) } } } }
}

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
            p { a.button.out href=(url) rel="noreferrer noopener" { "Open " (code(beginning(&shown).text)) } }
        } @else if is_session && is_option {
            p.verdict.warn {
                "The name of a user or host begins with \"-\", which programs take for an option. The gateway \
                 does not link to it."
            }
        } @else if is_session && is_valid {
            p { "This is an interactive session. Your browser may start a program for it." }
            p { a.button href=(url) rel="noreferrer noopener" { "Open " (code(beginning(&shown).text)) } }
        } @else {
            p.verdict.warn { "The gateway does not fetch URLs of this scheme, and does not link to them." }
        }
        (Renderer::new().url(url))
    };
    Frame::new(links, title).of(url).wrap(&content)
}

/// Returns whether a program that gets the user or the host as a word would take it for an option.
fn names_an_option(url: UriRef<'_>) -> bool {
    let user = url.authority().and_then(|authority| Some(authority.userinfo()?.user()));
    let user = user.map(|user| user.decode().into_owned());
    let host = url.host().and_then(|host| Some(PctStr::new(host.as_str()).ok()?.decode().into_owned()));
    user.into_iter().chain(host).any(|word| word.trim_ascii_start().starts_with(b"-"))
}
