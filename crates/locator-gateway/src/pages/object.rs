//! The page of an object: takes what is known of a response and the octets of its body as they come, and
//! returns HTML.
//!
//! A [`PageShape`] is what the page looks like: a list, a text, an article, HTML, an image or a file. It follows
//! from the kind that the plan states, the media type, the name and the first octets. An [`ObjectPage`]
//! writes the page with the writer of that shape.
//!
//! ```text
//! let mut page = ObjectPage::new(&object, first_octets, links);
//! let mut html = page.begin();
//! for piece in body {
//!     html.extend(page.push(piece));
//! }
//! html.extend(page.end());
//! ```

use locator::plan::ObjectKind;
use locator::{Edition, UriRef, UriRefBuf};
use locator_fetch::Response;
use locator_fetch::entries::is_list;
use locator_web::report::visible::{legible, looks_binary};
use maud::{Markup, html};

use super::article::Article;
use super::frame::{Frame, FrameHalves};
use super::html::Cleaner;
use super::links::Links;
use super::list::List;
use super::text::{GuessingDecoder, Text, beginning, charset_of, visible};

/// What is known of a response, as far as its page needs it.
#[derive(Clone, Debug)]
pub(in super::super) struct Object<'a> {
    /// The URL after all redirects. A URL of news should contain its server, so that links do.
    pub(in super::super) url: UriRef<'a>,
    /// The edition that writes the URLs of entries.
    pub(in super::super) edition: &'static Edition,
    pub(in super::super) kind: ObjectKind,
    /// With its parameters.
    pub(in super::super) media_type: Option<&'a str>,
    /// The most results that a search was asked for.
    pub(in super::super) max_hits: u16,
}

impl<'a> Object<'a> {
    /// Takes what a response says.
    pub(in super::super) fn of<B>(
        response: &'a Response<B>,
        edition: &'static Edition,
        max_hits: u16,
    ) -> Self {
        let (url, kind, media_type) = (response.url(), response.kind(), response.media_type());
        Self { url, edition, kind, media_type, max_hits }
    }
}

/// Writes the page of an object.
pub(in super::super) struct ObjectPage {
    url: UriRefBuf,
    links: Links,
    title: String,
    shape: PageShape,
    media_type: Option<String>,
    charset: Option<String>,
    writer: Writer,
    /// What follows the content, once the page has begun.
    after: Option<Vec<u8>>,
}

enum Writer {
    List(Box<List>),
    Text(Box<Text>),
    Article(Box<Article>),
    /// HTML, which is cleaned as a whole.
    Html(Vec<u8>),
    /// What a page only links to.
    Nothing,
}

impl ObjectPage {
    /// Begins a page. `start` is the first octets of the body, which decide what it is if nothing else says
    /// it. They are to be pushed, too.
    pub(in super::super) fn new(object: &Object<'_>, start: &[u8], links: Links) -> Self {
        let shape = PageShape::of(object.kind, object.media_type, object.url, start);
        let charset = object.media_type.and_then(charset_of);
        let (url, edition) = (object.url.to_owned(), object.edition);
        let writer = match shape {
            PageShape::List => {
                let list = List::new(object.kind, url.clone(), edition, object.max_hits, links.clone());
                Writer::List(Box::new(list))
            }
            PageShape::Text => Writer::Text(Box::new(Text::new(charset.as_deref(), false, links.clone()))),
            PageShape::Article => {
                Writer::Article(Box::new(Article::new(url.clone(), edition, links.clone())))
            }
            PageShape::Html => Writer::Html(Vec::new()),
            PageShape::Image(_) | PageShape::Binary => Writer::Nothing,
        };
        let title = title(object.url, object.kind, shape);
        let media_type = object.media_type.map(Into::into);
        Self { url, links, title, shape, media_type, charset, writer, after: None }
    }

    /// Returns the media type of the body if it is to be passed on as it is: a client that uses the gateway
    /// as a proxy shows texts, images and files itself.
    pub(in super::super) fn passes_on(&self) -> Option<&str> {
        if self.links.is_gateway() {
            return None;
        }
        let usual = match self.shape {
            PageShape::List | PageShape::Article => return None,
            PageShape::Text => "text/plain",
            PageShape::Html => "text/html",
            PageShape::Image(media_type) => media_type,
            PageShape::Binary => "application/octet-stream",
        };
        Some(self.media_type.as_deref().unwrap_or(usual))
    }

    /// Returns whether no more octets are wanted, so that the fetch may be dropped.
    pub(in super::super) fn is_complete(&self) -> bool {
        match &self.writer {
            Writer::Nothing => true,
            Writer::List(list) => list.is_complete(),
            Writer::Html(octets) => octets.len() >= Cleaner::most(),
            Writer::Text(_) | Writer::Article(_) => false,
        }
    }

    /// Returns the beginning of the page; empty if that depends on what follows.
    pub(in super::super) fn begin(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        if !matches!(self.writer, Writer::Article(_)) {
            self.write_beginning(&mut out);
        }
        out
    }

    /// Takes the next octets; returns the next piece of the page, which may be empty.
    pub(in super::super) fn push(&mut self, octets: &[u8]) -> Vec<u8> {
        let (mut out, mut text) = (Vec::new(), String::new());
        match &mut self.writer {
            Writer::List(list) => list.push(octets, &mut text),
            Writer::Text(writer) => writer.push(octets, &mut text),
            Writer::Article(article) => {
                if let Some(subject) = article.push(octets, &mut text) {
                    self.title = subject;
                    self.write_beginning(&mut out);
                }
            }
            Writer::Html(held) => {
                let room = Cleaner::most().saturating_sub(held.len());
                held.extend_from_slice(octets.get(..room).unwrap_or(octets));
            }
            Writer::Nothing => {}
        }
        out.extend_from_slice(text.as_bytes());
        out
    }

    /// Returns whether its end takes so long that others should not wait for it.
    pub(in super::super) const fn ends_slowly(&self) -> bool {
        matches!(self.writer, Writer::Html(_))
    }

    /// Returns the end of the page of a complete body.
    pub(in super::super) fn end(self) -> Vec<u8> {
        self.finish(None)
    }

    /// Returns the end of the page of a body that ended early.
    pub(in super::super) fn fail(self, why: &str) -> Vec<u8> {
        self.finish(Some(why))
    }

    fn finish(mut self, why: Option<&str>) -> Vec<u8> {
        let (mut out, mut text) = (Vec::new(), String::new());
        match &mut self.writer {
            Writer::List(list) => list.end(why.is_none(), &mut text),
            Writer::Text(writer) => {
                if let Some(remark) = writer.end(&mut text) {
                    text.push_str(&html! { p.note { (remark) } }.into_string());
                }
            }
            Writer::Article(article) => {
                if let Some(subject) = article.end(&mut text) {
                    self.title = subject;
                }
            }
            Writer::Html(octets) => {
                let octets = std::mem::take(octets);
                let cleaner = Cleaner::new(self.url.as_uri_ref(), &self.links);
                let remark = cleaner.page(&octets, self.charset.as_deref(), &mut text);
                text.push_str(&html! { @if let Some(remark) = remark { p.note { (remark) } } }.into_string());
            }
            Writer::Nothing => text.push_str(&self.link().into_string()),
        }
        if self.after.is_none() {
            self.write_beginning(&mut out);
        }
        out.extend_from_slice(text.as_bytes());
        if let Some(why) = why {
            let said = html! { p.verdict.bad role="alert" { "This page is not complete: " (visible(why)) } };
            out.extend_from_slice(said.into_string().as_bytes());
        }
        out.extend_from_slice(&self.after.unwrap_or_default());
        out
    }

    fn write_beginning(&mut self, out: &mut Vec<u8>) {
        let frame = Frame::new(&self.links, beginning(&self.title).text).of(self.url.as_str());
        let FrameHalves { before, after } = frame.split_at_content();
        out.extend_from_slice(&before);
        self.after = Some(after);
    }

    /// Writes what is in place of octets that are no text.
    fn link(&self) -> Markup {
        let raw = self.links.raw(self.url.as_str());
        let name = file_name(self.url.as_uri_ref()).unwrap_or_default();
        html! {
            @if let PageShape::Image(_) = self.shape {
                p { img src=(raw) alt={ "Image: " (visible_text(&name)) }; }
            } @else {
                p { "This is a file, and not a text." }
                p { a.button href=(raw) { "Download " (visible(beginning(&name).text)) } }
            }
        }
    }
}

/// Returns a text for an attribute, with codes for what does not show itself.
fn visible_text(text: &str) -> String {
    legible(beginning(text).text).to_string()
}

/// Returns the last name in the path of a URL, decoded.
pub(super) fn file_name(url: UriRef<'_>) -> Option<String> {
    let path = url.path().as_str();
    let scheme = url.scheme()?.as_str();
    let path = if scheme.eq_ignore_ascii_case("gopher") {
        // The type is not part of the name, nor is a search.
        path.split("%09").next()?.get(2..).unwrap_or_default()
    } else {
        path.split(';').next()?
    };
    let name = path.split('/').rfind(|name| !name.is_empty())?;
    let octets = locator::PctStr::new(name).ok()?.decode().into_owned();
    Some(GuessingDecoder::default().decode(&octets).into_owned())
}

/// Returns the title of a page: what it shows, and of which server.
fn title(url: UriRef<'_>, kind: ObjectKind, shape: PageShape) -> String {
    let what = match (shape, kind) {
        (PageShape::List, ObjectKind::Menu) => "Menu",
        (PageShape::List, ObjectKind::Groups) => "Newsgroups",
        (PageShape::List, ObjectKind::Numbers | ObjectKind::Overview) => "Articles",
        (PageShape::List, ObjectKind::Hits) => "Search results",
        (PageShape::List, _) => "Directory",
        (PageShape::Text, _) => "Text",
        (PageShape::Article, _) => "Article",
        (PageShape::Html, _) => "Page",
        (PageShape::Image(_), _) => "Image",
        (PageShape::Binary, _) => "File",
    };
    let host = url.host().map(|host| host.as_str().to_owned()).filter(|host| !host.is_empty());
    let name = file_name(url).filter(|name| name != "*").map(|name| beginning(&name).text.to_owned());
    match (name, host) {
        (Some(name), Some(host)) => format!("{what}: {name} on {host}"),
        (Some(one), None) | (None, Some(one)) => format!("{what}: {one}"),
        (None, None) => what.into(),
    }
}

/// What a page of an object looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageShape {
    List,
    Text,
    /// An article or a mail.
    Article,
    Html,
    /// An image of a type that browsers show.
    Image(&'static str),
    /// Octets that are saved to a file.
    Binary,
}

impl PageShape {
    /// Returns the shape of an object; `start` is its first octets.
    pub(super) fn of(kind: ObjectKind, media_type: Option<&str>, url: UriRef<'_>, start: &[u8]) -> Self {
        let media_type = media_type.and_then(|stated| stated.split(';').next()).unwrap_or_default();
        let stated = media_type.trim().to_ascii_lowercase();
        match kind {
            _ if is_list(kind) => Self::List,
            ObjectKind::Article => Self::Article,
            _ if !stated.is_empty() && stated != "application/octet-stream" => Self::of_type(&stated, start),
            ObjectKind::Binary | ObjectKind::Unknown | ObjectKind::Text => match type_by_name(url, kind) {
                Some(named) => Self::of_type(named, start),
                None if kind == ObjectKind::Text => Self::Text,
                None => Self::guess(start),
            },
            _ => Self::Text,
        }
    }

    fn of_type(media_type: &str, start: &[u8]) -> Self {
        match media_type {
            "text/html" | "application/xhtml+xml" => Self::Html,
            "message/rfc822" | "message/news" => Self::Article,
            "application/json" | "application/xml" => Self::Text,
            _ if media_type.starts_with("text/") => Self::Text,
            _ => match IMAGES.iter().find(|image| **image == media_type) {
                Some(image) => Self::Image(image),
                None => Self::guess(start),
            },
        }
    }

    fn guess(start: &[u8]) -> Self {
        let image = SIGNATURES.iter().find(|(signature, _)| start.starts_with(signature));
        match image {
            Some((_, media_type)) => Self::Image(media_type),
            None if looks_binary(start) => Self::Binary,
            None => Self::Text,
        }
    }
}

/// The types of images that browsers show.
const IMAGES: [&str; 7] =
    ["image/gif", "image/jpeg", "image/png", "image/webp", "image/svg+xml", "image/bmp", "image/avif"];

const SIGNATURES: [(&[u8], &str); 4] = [
    (b"GIF8", "image/gif"),
    (b"\x89PNG\r\n\x1A\n", "image/png"),
    (b"\xFF\xD8\xFF", "image/jpeg"),
    (b"BM", "image/bmp"),
];

/// The types of names of files.
const SUFFIXES: [(&str, &str); 11] = [
    ("html", "text/html"),
    ("htm", "text/html"),
    ("gif", "image/gif"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("png", "image/png"),
    ("webp", "image/webp"),
    ("svg", "image/svg+xml"),
    ("avif", "image/avif"),
    ("txt", "text/plain"),
    ("eml", "message/rfc822"),
];

/// Returns the type of the last suffix of a URL's path. A text may only be HTML.
fn type_by_name(url: UriRef<'_>, kind: ObjectKind) -> Option<&'static str> {
    let path = url.path().as_str();
    let name = path.split(';').next()?.rsplit('/').next()?;
    let suffix = name.rsplit_once('.')?.1.to_ascii_lowercase();
    let (_, named) = SUFFIXES.iter().find(|(known, _)| *known == suffix)?;
    (kind != ObjectKind::Text || *named == "text/html").then_some(*named)
}
