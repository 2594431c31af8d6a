//! HTML of others: takes a document, returns what can be shown of it. Scripts, styles, forms and frames are
//! removed by the crate `ammonia`. Links are made absolute by the base of the document and led through the
//! gateway; an image is shown if it is on the same server.

use std::collections::HashSet;
use std::ops::ControlFlow;

use ammonia::{Builder, UrlRelative};
use locator::{Base, BaseSource, UriBuf, UriRef};
use locator_find::{Document, Finder, Format, Link};
use maud::html;

use super::decode;
use super::links::{self, Links};
use super::schemes::is_shown;
use super::text::Text;
use crate::terminal::visible::does_harm;

/// How many octets are shown of a document. The serializer of `html5ever` looks at the whole rest of a text
/// for each "&" in it; with this many octets that is half a second at most.
const LONGEST: usize = 256 * 1024;
/// How deep elements may be nested, as in browsers.
const DEEPEST: usize = 512;
/// What is before each identifier, so that none is one of ours.
const PREFIX: &str = "h-";

/// Cleans documents from a URL.
pub(super) struct Cleaner<'a> {
    url: UriRef<'a>,
    links: &'a Links,
}

impl<'a> Cleaner<'a> {
    pub(super) const fn new(url: UriRef<'a>, links: &'a Links) -> Self {
        Self { url, links }
    }

    /// Returns how many octets are read of a document. With one more than are shown, it is known to be cut.
    pub(super) const fn most() -> usize {
        LONGEST + 1
    }

    /// Writes a document; returns what is to be said of it.
    pub(super) fn page(&self, octets: &[u8], charset: Option<&str>, out: &mut String) -> Option<String> {
        let is_cut = octets.len() > LONGEST;
        let octets = octets.get(..LONGEST).unwrap_or(octets);
        if is_deep(octets) {
            let said = "The elements of this page are nested too deeply, so its source is shown.";
            out.push_str(&html! { p.note { (said) } }.into_string());
            let mut text = Text::new(charset, false, self.links.clone());
            text.push(octets, out);
            return text.end(out);
        }
        let (text, remark) = decode::whole(octets, charset);
        let base = self.base(text.as_bytes());
        let cleaned = self.clean(&text, base.as_ref());
        out.push_str("<div class=\"foreign\">");
        out.push_str(&without_harm(&cleaned));
        out.push_str("</div>");
        if is_cut {
            let said = "The page is too long to be shown as a whole. Its beginning is shown.";
            out.push_str(&html! { p.note { (said) } }.into_string());
        }
        remark
    }

    /// Returns the base of the links of a document: the one that it declares, else its URL.
    fn base(&self, octets: &[u8]) -> Option<UriBuf> {
        let document = Document::new(Format::Html).retrieved_by(self.url.as_str());
        let mut found = None;
        let mut sink = |link: &Link<'_>| {
            // The base element is a link, too, which its own base does not apply to.
            let declared = link.base().filter(|base| base.source() == BaseSource::Embedded);
            found = declared.and_then(|base| base.uri()).map(|uri| uri.to_owned());
            if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        Finder::new().find(&document, &mut &*octets, &mut sink).ok()?;
        found.or_else(|| UriBuf::parse(self.url.as_str()).ok())
    }

    fn clean(&self, text: &str, base: Option<&UriBuf>) -> String {
        let (links, page) = (self.links.clone(), self.url.as_str().to_owned());
        let base = base.map(UriBuf::to_string);
        let mut builder = Builder::default();
        builder.rm_tags(["map", "area"]);
        builder.add_clean_content_tags(["title", "noscript"]);
        builder.add_generic_attributes(["id"]).id_prefix(Some(PREFIX));
        builder.rm_tag_attributes("blockquote", ["cite"]).rm_tag_attributes("q", ["cite"]);
        builder.rm_tag_attributes("del", ["cite"]).rm_tag_attributes("ins", ["cite"]);
        builder.add_tag_attributes("a", ["name"]);
        builder.url_schemes(super::schemes::schemes().collect::<HashSet<_>>());
        builder.url_relative(UrlRelative::PassThrough);
        builder.attribute_filter(move |element, attribute, value| match (element, attribute) {
            ("a", "name") => Some([PREFIX, value].concat().into()),
            ("a", "href") => match value.trim().strip_prefix('#') {
                Some(fragment) => Some(["#", PREFIX, fragment].concat().into()),
                None => href(&links, base.as_deref(), value).map(Into::into),
            },
            ("img", "src") => source(&links, base.as_deref(), &page, value).map(Into::into),
            (_, "href" | "src") => None,
            _ => Some(value.into()),
        });
        builder.clean(text).to_string()
    }
}

/// Returns the address of a link; `None` if it leads nowhere that is shown.
fn href(links: &Links, base: Option<&str>, reference: &str) -> Option<String> {
    let url = absolute(base, reference)?;
    let scheme = url.split(':').next()?.to_ascii_lowercase();
    is_shown(&scheme).then(|| links.href(&url))
}

/// Returns the address of an image of the same server. Others are not shown: a page could have the gateway
/// ask any server.
fn source(links: &Links, base: Option<&str>, page: &str, reference: &str) -> Option<String> {
    let url = absolute(base, reference)?;
    let (image, page) = (UriRef::parse(&url).ok()?, UriRef::parse(page).ok()?);
    let same = image.scheme()?.as_str().eq_ignore_ascii_case(page.scheme()?.as_str())
        && image.authority()?.as_str().eq_ignore_ascii_case(page.authority()?.as_str());
    (same && !links::is_web(&url)).then(|| links.raw(&url))
}

fn absolute(base: Option<&str>, reference: &str) -> Option<String> {
    let reference = UriRef::parse_repaired_with(reference.trim(), locator::edition::DEFAULT).ok()?;
    let base = locator::Uri::parse(base?).ok()?;
    Base::new(base).ok()?.join(reference.as_uri_ref()).ok().map(UriBuf::into_string)
}

/// Elements that a start tag does not nest: empty ones, and those that the next one ends.
const FLAT: [&[u8]; 22] = [
    b"area", b"base", b"br", b"col", b"dd", b"dt", b"embed", b"hr", b"img", b"input", b"li", b"link",
    b"meta", b"option", b"p", b"param", b"source", b"td", b"th", b"tr", b"wbr", b"isindex",
];

/// Returns whether elements are nested so deeply that it would take long to read them: each tag looks at
/// those that are open.
fn is_deep(octets: &[u8]) -> bool {
    let mut depth = 0_usize;
    for at in memchr::memchr_iter(b'<', octets) {
        let rest = &octets[at + 1..];
        match rest.first() {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(first) if first.is_ascii_alphabetic() => {
                let end = rest.iter().take(16).position(|octet| !octet.is_ascii_alphanumeric());
                let name = rest[..end.unwrap_or(1)].to_ascii_lowercase();
                depth += usize::from(!FLAT.contains(&&*name));
            }
            _ => {}
        }
        if depth > DEEPEST {
            return true;
        }
    }
    false
}

/// Writes characters that control a terminal or turn the direction of text by code. `<` is escaped, so the
/// codes are text wherever they are.
fn without_harm(html: &str) -> String {
    let is_harmful = |c: char| match c {
        '\n' | '\t' | '\r' => false,
        '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{61C}' => true,
        '\u{E0000}'..='\u{E0FFF}' => true,
        c => c.is_control() && (c < ' ' || does_harm(c)),
    };
    let mut clean = String::with_capacity(html.len());
    for c in html.chars() {
        match is_harmful(c) {
            true => clean.push_str(&format!("&lt;U+{:04X}&gt;", u32::from(c))),
            false => clean.push(c),
        }
    }
    clean
}
