//! HTML of others: takes a document, returns what can be shown of it. Scripts, styles, forms and frames are
//! removed by the crate `ammonia`. Links are made absolute by the base of the document and led through the
//! gateway; an image is shown if it is on the same server.

use std::collections::HashSet;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use ammonia::{Builder, UrlRelative};
use locator::{Base, BaseSource, UriBuf, UriRef};
use locator_find::{Document, Finder, Format, Link};
use locator_web::report::visible::does_harm;
use maud::html;

use super::links::{self, Links, is_shown};
use super::text::{DecodedText, Text, decode_whole};

/// How many octets are shown of a document. The serializer of `html5ever` looks at the whole rest of a text
/// for each "&" in it; with this many octets that is half a second at most. It happens on a thread of its own.
const LONGEST: usize = 256 * 1024;
/// How deep elements may be nested, as in browsers.
const DEEPEST: usize = 512;
/// How many attributes a tag may have.
const MOST_ATTRIBUTES: usize = 256;
/// How many end tags may end nothing.
const MOST_UNMATCHED: usize = 512;
/// How many octets are looked at of the name of an element.
const LONGEST_NAME: usize = 32;
/// How many octets may be looked at in tags.
const MOST_WORK: usize = 4 * LONGEST;
/// How long a document may be read. Without optimization all is slower.
const LONGEST_TIME: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });
/// How many octets are read between looks at the time.
const PIECE: usize = 256;
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
        if is_too_much(octets) {
            return self.source(octets, charset, out);
        }
        let DecodedText { text, remark } = decode_whole(octets, charset);
        let base = self.base(text.as_bytes());
        let Ok(cleaned) = self.clean(&text, base.as_ref()) else {
            return self.source(octets, charset, out);
        };
        out.push_str("<div class=\"foreign\">");
        out.push_str(&without_harm(&cleaned));
        out.push_str("</div>");
        if is_cut {
            let said = "The page is too long to be shown as a whole. Its beginning is shown.";
            out.push_str(&html! { p.note { (said) } }.into_string());
        }
        remark
    }

    /// Writes the source of a document in place of it.
    fn source(&self, octets: &[u8], charset: Option<&str>, out: &mut String) -> Option<String> {
        let said = "The elements of this page are nested too deeply, or its tags are too many to read them, so \
                    its source is shown.";
        out.push_str(&html! { p.note { (said) } }.into_string());
        let mut text = Text::new(charset, false, self.links.clone());
        text.push(octets, out);
        text.end(out)
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

    fn clean(&self, text: &str, base: Option<&UriBuf>) -> io::Result<String> {
        let (links, page) = (self.links.clone(), self.url.as_str().to_owned());
        let base = base.map(UriBuf::to_string);
        let mut builder = Builder::default();
        builder.rm_tags(["map", "area"]);
        builder.add_clean_content_tags(["title", "noscript"]);
        builder.add_generic_attributes(["id"]).id_prefix(Some(PREFIX));
        builder.rm_tag_attributes("blockquote", ["cite"]).rm_tag_attributes("q", ["cite"]);
        builder.rm_tag_attributes("del", ["cite"]).rm_tag_attributes("ins", ["cite"]);
        builder.add_tag_attributes("a", ["name"]);
        builder.url_schemes(links::schemes().collect::<HashSet<_>>());
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
        let paced = Paced { rest: text.as_bytes(), until: Instant::now() + LONGEST_TIME };
        Ok(builder.clean_from_reader(paced)?.to_string())
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

/// Elements that are opened anew if the element around them ends before they do.
const STYLES: [&[u8]; 13] =
    [b"b", b"big", b"code", b"em", b"font", b"i", b"nobr", b"s", b"small", b"strike", b"strong", b"tt", b"u"];

/// Returns whether a document would take long to read: each tag looks at the elements that are open, and
/// each attribute at those before it. An end tag ends only an element that is open.
fn is_too_much(octets: &[u8]) -> bool {
    // The names of what is open, and whether it is opened anew after the element around it has ended.
    let mut open = Vec::<(&[u8], bool)>::new();
    let (mut unmatched, mut work, mut at) = (0_usize, 0_usize, 0_usize);
    while let Some(found) = memchr::memchr(b'<', &octets[at..]) {
        at += found + 1;
        let is_end = octets.get(at) == Some(&b'/');
        let rest = &octets[at + usize::from(is_end)..];
        if !rest.first().is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let end = rest
            .iter()
            .take(LONGEST_NAME)
            .position(|octet| matches!(octet, b'>' | b'/') || octet.is_ascii_whitespace());
        let (name, after) = rest.split_at(end.unwrap_or(rest.len().min(LONGEST_NAME)));
        let is_flat = FLAT.iter().any(|flat| name.eq_ignore_ascii_case(flat));
        let AttributeCount { count, length } = count_attributes(after);
        // Tags that begin in a tag are looked at, too; a document of nothing else would take long.
        work += length;
        if count > MOST_ATTRIBUTES || work > MOST_WORK {
            return true;
        }
        match (is_end, is_flat) {
            (false, false) => {
                // Three of those without attributes are opened anew at most.
                let is_style = STYLES.iter().any(|style| name.eq_ignore_ascii_case(style));
                open.push((name, is_style && count > 0));
            }
            (true, false) => match open.iter().rposition(|(one, _)| one.eq_ignore_ascii_case(name)) {
                Some(position) => {
                    let is_table = name.eq_ignore_ascii_case(b"table");
                    let mut inner = open.split_off(position).into_iter();
                    inner.next();
                    open.extend(inner.filter(|(_, stays)| *stays && !is_table));
                }
                None => unmatched += 1,
            },
            (_, true) => {}
        }
        if open.len() > DEEPEST || unmatched > MOST_UNMATCHED {
            return true;
        }
    }
    false
}

/// How many attributes a tag has at most, and how many octets they are.
struct AttributeCount {
    count: usize,
    length: usize,
}

/// Counts the attributes of a tag, from what follows its name. Stops after one more than the limit.
fn count_attributes(after: &[u8]) -> AttributeCount {
    let mut length = 0;
    let (mut count, mut quote, mut is_between) = (0, None, true);
    let mut before = b' ';
    for &octet in after {
        length += 1;
        match (quote, octet) {
            (Some(mark), octet) if octet == mark => (quote, is_between) = (None, true),
            (Some(_), _) => {}
            (None, b'>') => break,
            (None, b'"' | b'\'') if before == b'=' => quote = Some(octet),
            (None, b'/') => is_between = true,
            (None, octet) if octet.is_ascii_whitespace() => is_between = true,
            (None, b'=') => is_between = false,
            (None, _) => {
                count += usize::from(is_between && before != b'=');
                is_between = false;
            }
        }
        if count > MOST_ATTRIBUTES {
            break;
        }
        if !octet.is_ascii_whitespace() {
            before = octet;
        }
    }
    AttributeCount { count, length }
}

/// Gives a document in pieces, and fails once that takes too long: whatever makes the parser slow, it ends.
struct Paced<'a> {
    rest: &'a [u8],
    until: Instant,
}

impl Read for Paced<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if Instant::now() > self.until {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let room = buffer.len().min(PIECE);
        self.rest.read(&mut buffer[..room])
    }
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
