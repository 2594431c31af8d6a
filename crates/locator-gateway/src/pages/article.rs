//! The page of an article or a mail: takes its octets, returns its header as a table, with links to groups
//! and to the articles that it refers to, and its text. Follows RFC 5536, 3, and RFC 2392.

use locator::scheme::{LoginParts, MidUrl, NewsParts, NewsUrl, NntpUrl};
use locator::{AsciiSet, Edition, PctString, UriRef, UriRefBuf};
use maud::{Markup, html};

use super::decode::WINDOWS;
use super::header::{self, Header};
use super::html::Cleaner;
use super::links::Links;
use super::text::Text;
use super::words::{beginning, visible};

/// How many octets a header may have.
const LONGEST_HEADER: usize = 256 * 1024;
/// How many octets a text may have that is decoded as a whole.
const LONGEST_ENCODED: usize = 4 * 1024 * 1024;
/// How many articles that an article refers to are listed.
const REFERENCES: usize = 50;

/// Writes an article.
pub(super) struct Article {
    url: UriRefBuf,
    edition: &'static Edition,
    links: Links,
    state: State,
    was_windows: bool,
}

enum State {
    /// The header is not complete; and up to where its end was looked for.
    Header(Vec<u8>, usize),
    /// The text is written as it comes.
    Text(Box<Text>),
    /// The text is decoded as a whole: by this transfer encoding, of this charset, and HTML or not.
    Whole { body: Vec<u8>, encoding: String, charset: Option<String>, is_html: bool },
}

impl Article {
    pub(super) fn new(url: UriRefBuf, edition: &'static Edition, links: Links) -> Self {
        Self { url, edition, links, state: State::Header(Vec::new(), 0), was_windows: false }
    }

    /// Writes what is complete. Returns the subject once the header is.
    pub(super) fn push(&mut self, octets: &[u8], out: &mut String) -> Option<String> {
        match &mut self.state {
            State::Header(held, from) => {
                held.extend_from_slice(octets);
                let found = header::end(held, *from);
                if found.is_none() && held.len() <= LONGEST_HEADER {
                    *from = held.len().saturating_sub(2);
                    return None;
                }
                let held = std::mem::take(held);
                // Without an empty line it is no message: all of it is text.
                let (end, start) = found.unwrap_or((0, 0));
                let subject = self.begin(&held[..end], out);
                self.push(&held[start..], out);
                return Some(subject);
            }
            State::Text(text) => text.push(octets, out),
            State::Whole { body, .. } => {
                let room = LONGEST_ENCODED.saturating_sub(body.len());
                body.extend_from_slice(octets.get(..room).unwrap_or(octets));
            }
        }
        None
    }

    /// Writes what is left; returns the subject if the header was not complete before.
    pub(super) fn end(&mut self, out: &mut String) -> Option<String> {
        let mut subject = None;
        if let State::Header(held, _) = &mut self.state {
            let held = std::mem::take(held);
            // An article without a text may lack the empty line.
            let is_header = Header::read(&held).fields.len() > 1;
            subject = Some(self.begin(if is_header { &held } else { b"" }, out));
            if !is_header {
                self.push(&held, out);
            }
        }
        let remark = match &mut self.state {
            State::Header(..) => None,
            State::Text(text) => text.end(out),
            State::Whole { body, encoding, charset, is_html } => {
                let body = std::mem::take(body);
                let is_full = body.len() >= LONGEST_ENCODED;
                let octets = header::decoded(&body, encoding).unwrap_or(body);
                let remark = if *is_html {
                    Cleaner::new(self.url.as_uri_ref(), &self.links).page(&octets, charset.as_deref(), out)
                } else {
                    let mut text = Text::new(charset.as_deref(), true, self.links.clone());
                    text.push(&octets, out);
                    text.end(out)
                };
                remark.or_else(|| is_full.then(|| "The message is too long for a page, and is cut.".into()))
            }
        };
        let windows = self.was_windows.then(|| WINDOWS.to_owned());
        if let Some(remark) = remark.or(windows) {
            out.push_str(&html! { p.note { (remark) } }.into_string());
        }
        subject
    }

    /// Writes the header, and begins the text; returns the subject.
    fn begin(&mut self, octets: &[u8], out: &mut String) -> String {
        let header = Header::read(octets);
        self.was_windows = header.was_windows;
        if !header.fields.is_empty() {
            out.push_str(&self.header(&header).into_string());
        }
        out.push_str("<h2 class=\"hidden\">Text</h2>");
        self.state = self.state_of(&header, out);
        header.get("Subject").unwrap_or("(no subject)").to_owned()
    }

    fn state_of(&self, header: &Header, out: &mut String) -> State {
        let media_type = header.get("Content-Type").unwrap_or("text/plain");
        let name = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let charset = super::shape::charset(media_type);
        let encoding = header.get("Content-Transfer-Encoding").unwrap_or_default().trim().to_owned();
        let is_encoded = ["base64", "quoted-printable"].iter().any(|one| encoding.eq_ignore_ascii_case(one));
        let is_html = name == "text/html";
        if is_html || is_encoded && name.starts_with("text/") {
            return State::Whole { body: Vec::new(), encoding, charset, is_html };
        }
        if !name.starts_with("text/") {
            let said = html! { p.note { "This message is of the type " (visible(beginning(&name).0)) ". It is shown as it was sent." } };
            out.push_str(&said.into_string());
        }
        State::Text(Box::new(Text::new(charset.as_deref(), true, self.links.clone())))
    }

    /// Writes the header as a table: the fields that readers look for, then all others, folded.
    fn header(&self, header: &Header) -> Markup {
        const SHOWN: [&str; 8] =
            ["From", "Reply-To", "To", "Cc", "Newsgroups", "Followup-To", "Date", "Organization"];
        let shown: Vec<_> = SHOWN.iter().filter_map(|name| Some((*name, header.get(name)?))).collect();
        let is_other = |name: &str| !SHOWN.iter().any(|shown| name.eq_ignore_ascii_case(shown));
        let others: Vec<_> = header.fields.iter().filter(|field| is_other(&field.name)).collect();
        html! {
            h2.hidden { "Header" }
            (table("Header of the article", &html! {
                @for (name, value) in shown { (row(name, &self.value(name, value))) }
            }))
            (self.thread(header))
            @if !others.is_empty() {
                details {
                    summary { "All other headers" }
                    (table("Other headers", &html! {
                        @for field in others { (row(&field.name, &html! { (visible(&field.value)) })) }
                    }))
                }
            }
        }
    }

    fn value(&self, name: &str, value: &str) -> Markup {
        if !matches!(name, "Newsgroups" | "Followup-To") {
            return html! { bdi { (visible(value)) } };
        }
        html! {
            @for (number, group) in value.split(',').map(str::trim).filter(|group| !group.is_empty()).enumerate() {
                @if number > 0 { ", " }
                @match self.news(group) {
                    Some(url) if group != "poster" => a href=(self.links.page(&url)) { (visible(group)) },
                    _ => (visible(group)),
                }
            }
        }
    }

    /// Writes links to the articles that this one refers to, the oldest first: "the References header field
    /// […] lists the message identifiers of the precursors" (RFC 5536, 3.2.10).
    fn thread(&self, header: &Header) -> Markup {
        let ids = |name| header.get(name).map(identifiers).unwrap_or_default();
        let mut references = ids("References");
        for id in ids("In-Reply-To") {
            if !references.contains(&id) {
                references.push(id);
            }
        }
        let left_out = references.len().saturating_sub(REFERENCES);
        let count = references.len();
        html! {
            @if count > 0 {
                nav.thread aria-label="Thread" {
                    h2 { "Thread" }
                    @if left_out > 0 { p.note { (left_out) " older articles are left out." } }
                    ol {
                        @for (number, id) in references.iter().enumerate().skip(left_out) {
                            li {
                                @let text = html! { (visible(beginning(id).0)) };
                                @match self.news(id) {
                                    Some(url) => a href=(self.links.page(&url)) { (text) },
                                    None => (text),
                                }
                                @if number + 1 == count { " " span.note { "(answered here)" } }
                            }
                        }
                        li aria-current="true" { strong { "This article" } }
                    }
                }
            }
        }
    }

    /// Returns the URL of a group or an article, on the server of this one; of a mail, by its identifier.
    fn news(&self, name: &str) -> Option<String> {
        let url = self.url.as_uri_ref();
        if MidUrl::of(url).is_ok() && name.contains('@') {
            // id-left may contain what a URL reserves (RFC 2392, 2).
            const KEPT: AsciiSet = AsciiSet::UNRESERVED.union(AsciiSet::of(b"@"));
            return Some(["mid:", PctString::encode(name, KEPT).as_str()].concat());
        }
        let parts = match NewsUrl::of(url) {
            Ok(news) => news.parts().news(name.as_bytes()),
            Err(_) => self.beside(url, name)?,
        };
        parts.build_with(self.edition).ok().map(locator::UriBuf::into_string)
    }

    /// Returns what is on the server of an nntp URL.
    fn beside<'n>(&'n self, url: UriRef<'n>, name: &'n str) -> Option<NewsParts<'n>> {
        let login: LoginParts<'n> = NntpUrl::of(url).ok()?.login.parts();
        Some(NewsParts::new(name.as_bytes()).login(login))
    }
}

/// Returns the identifiers in a value, without "<" and ">", each once.
fn identifiers(value: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut rest = value;
    while let Some((_, after)) = rest.split_once('<') {
        let Some((id, after)) = after.split_once('>') else { break };
        if id.contains('@') && seen.insert(id) {
            found.push(id.to_owned());
        }
        rest = after;
    }
    found
}

fn table(caption: &str, rows: &Markup) -> Markup {
    html! {
        div.scroll role="group" aria-label=(caption) tabindex="0" {
            table.fields { caption.hidden { (caption) } tbody { (rows) } }
        }
    }
}

fn row(name: &str, value: &Markup) -> Markup {
    html! { tr { th scope="row" { (visible(beginning(name).0)) } td { (value) } } }
}
