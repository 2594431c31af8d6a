//! The page of an article or a mail: takes its octets, returns its header as a table, with links to groups
//! and to the articles that it refers to, and its text. Follows RFC 5536, 3, and RFC 2392; for headers RFC
//! 5322, 2.2, and RFC 2047 for encoded words.
//!
//! An [`Article`] writes the page as the octets come; a [`Header`] is the fields, unfolded and decoded.
//!
//! ```text
//! let header = Header::read(b"Subject: =?utf-8?Q?caf=C3=A9?=\r\n");
//! assert_eq!(header.get("subject"), Some("café"));
//! ```

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use encoding_rs::Encoding;
use locator::scheme::{LoginParts, MidUrl, NewsParts, NewsUrl, NntpUrl};
use locator::{AsciiSet, Edition, PctString, UriRef, UriRefBuf};
use maud::{Markup, html};
use memchr::memchr;

use super::html::Cleaner;
use super::links::Links;
use super::text::{GuessingDecoder, Text, WINDOWS, beginning, boundary, charset_of, visible};

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
    state: ArticleState,
    was_windows: bool,
}

enum ArticleState {
    /// The header is not complete; and up to where its end was looked for.
    Header(Vec<u8>, usize),
    /// The text is written as it comes.
    Text(Box<Text>),
    /// The text is decoded as a whole: by this transfer encoding, of this charset, and HTML or not.
    Whole { body: Vec<u8>, encoding: String, charset: Option<String>, is_html: bool },
}

impl Article {
    pub(super) fn new(url: UriRefBuf, edition: &'static Edition, links: Links) -> Self {
        Self { url, edition, links, state: ArticleState::Header(Vec::new(), 0), was_windows: false }
    }

    /// Writes what is complete. Returns the subject once the header is.
    pub(super) fn push(&mut self, octets: &[u8], out: &mut String) -> Option<String> {
        match &mut self.state {
            ArticleState::Header(held, from) => {
                held.extend_from_slice(octets);
                let found = end_of_header(held, *from);
                if found.is_none() && held.len() <= LONGEST_HEADER {
                    *from = held.len().saturating_sub(2);
                    return None;
                }
                let held = std::mem::take(held);
                // Without an empty line it is no message: all of it is text.
                let HeaderEnd { end, body: start } = found.unwrap_or_default();
                let subject = self.begin(&held[..end], out);
                self.push(&held[start..], out);
                return Some(subject);
            }
            ArticleState::Text(text) => text.push(octets, out),
            ArticleState::Whole { body, .. } => {
                let room = LONGEST_ENCODED.saturating_sub(body.len());
                body.extend_from_slice(octets.get(..room).unwrap_or(octets));
            }
        }
        None
    }

    /// Writes what is left; returns the subject if the header was not complete before.
    pub(super) fn end(&mut self, out: &mut String) -> Option<String> {
        let mut subject = None;
        if let ArticleState::Header(held, _) = &mut self.state {
            let held = std::mem::take(held);
            // An article without a text may lack the empty line.
            let is_header = Header::read(&held).fields.len() > 1;
            subject = Some(self.begin(if is_header { &held } else { b"" }, out));
            if !is_header {
                self.push(&held, out);
            }
        }
        let remark = match &mut self.state {
            ArticleState::Header(..) => None,
            ArticleState::Text(text) => text.end(out),
            ArticleState::Whole { body, encoding, charset, is_html } => {
                let body = std::mem::take(body);
                let is_full = body.len() >= LONGEST_ENCODED;
                let octets = decoded_body(&body, encoding).unwrap_or(body);
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

    fn state_of(&self, header: &Header, out: &mut String) -> ArticleState {
        let media_type = header.get("Content-Type").unwrap_or("text/plain");
        let name = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let charset = charset_of(media_type);
        let encoding = header.get("Content-Transfer-Encoding").unwrap_or_default().trim().to_owned();
        let is_encoded = ["base64", "quoted-printable"].iter().any(|one| encoding.eq_ignore_ascii_case(one));
        let is_html = name == "text/html";
        if is_html || is_encoded && name.starts_with("text/") {
            return ArticleState::Whole { body: Vec::new(), encoding, charset, is_html };
        }
        if !name.starts_with("text/") {
            let said = html! { p.note { "This message is of the type " (visible(beginning(&name).text)) ". It is shown as it was sent." } };
            out.push_str(&said.into_string());
        }
        ArticleState::Text(Box::new(Text::new(charset.as_deref(), true, self.links.clone())))
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
            (fields_table("Header of the article", &html! {
                @for (name, value) in shown { (fields_row(name, &self.value(name, value))) }
            }))
            (self.thread(header))
            @if !others.is_empty() {
                details {
                    summary { "All other headers" }
                    (fields_table("Other headers", &html! {
                        @for field in others { (fields_row(&field.name, &html! { (visible(&field.value)) })) }
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
                                @let text = html! { (visible(beginning(id).text)) };
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

fn fields_table(caption: &str, rows: &Markup) -> Markup {
    html! {
        div.scroll role="group" aria-label=(caption) tabindex="0" {
            table.fields { caption.hidden { (caption) } tbody { (rows) } }
        }
    }
}

fn fields_row(name: &str, value: &Markup) -> Markup {
    html! { tr { th scope="row" { (visible(beginning(name).text)) } td { (value) } } }
}

/// A field of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HeaderField {
    pub(super) name: String,
    pub(super) value: String,
}

/// The header of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) fields: Vec<HeaderField>,
    /// Whether some of it was taken for windows-1252.
    pub(super) was_windows: bool,
}

impl Header {
    /// Reads the fields; a line that is none is left out.
    pub(super) fn read(octets: &[u8]) -> Self {
        let mut guess = GuessingDecoder::default();
        let mut fields: Vec<HeaderField> = Vec::new();
        for line in octets.split(|&octet| octet == b'\n') {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            // A line that begins with white space continues the one before (RFC 5322, 2.2.3).
            if let (Some(b' ' | b'\t'), Some(field)) = (line.first(), fields.last_mut()) {
                field.value.push_str(&guess.decode(line).replace('\t', " "));
            } else if let Some(end) = memchr(b':', line).filter(|&end| is_name(&line[..end])) {
                let (name, value) = (guess.decode(&line[..end]).into_owned(), guess.decode(&line[end + 1..]));
                fields.push(HeaderField { name, value: value.trim().to_owned() });
            }
        }
        for field in &mut fields {
            field.value = decoded_words(&field.value);
        }
        Self { fields, was_windows: guess.was_windows }
    }

    /// Returns the value of the first field of this name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|field| field.name.eq_ignore_ascii_case(name)).map(|field| &*field.value)
    }
}

/// Where the header of a message ends, and where its text begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct HeaderEnd {
    end: usize,
    body: usize,
}

/// Returns where the header of a message ends and where its text begins; `from` is where to look.
pub(super) fn end_of_header(octets: &[u8], from: usize) -> Option<HeaderEnd> {
    let mut at = from;
    if at == 0 {
        match octets {
            [b'\n', ..] => return Some(HeaderEnd { end: 0, body: 1 }),
            [b'\r', b'\n', ..] => return Some(HeaderEnd { end: 0, body: 2 }),
            _ => {}
        }
    }
    while let Some(line) = memchr(b'\n', octets.get(at..)?) {
        at += line + 1;
        match &octets[at..] {
            [b'\n', ..] => return Some(HeaderEnd { end: at, body: at + 1 }),
            [b'\r', b'\n', ..] => return Some(HeaderEnd { end: at, body: at + 2 }),
            _ => {}
        }
    }
    None
}

/// "field-name = 1*ftext", printable octets without ":" (RFC 5322, 3.6.8).
fn is_name(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(|octet| matches!(octet, 33..=57 | 59..=126))
}

/// Decodes the encoded words of a value: `=?iso-8859-1?Q?caf=E9?=`. White space between two of them is not
/// shown (RFC 2047, 6.2).
pub(super) fn decoded_words(value: &str) -> String {
    let (mut text, mut rest, mut was_word) = (String::new(), value, false);
    while let Some(at) = rest.find("=?") {
        let (before, from) = rest.split_at(at);
        let Some(word) = encoded_word(from) else {
            text.push_str(&rest[..at + 2]);
            (rest, was_word) = (&rest[at + 2..], false);
            continue;
        };
        if !was_word || !before.trim().is_empty() {
            text.push_str(before);
        }
        text.push_str(&word.decoded);
        (rest, was_word) = (word.rest, true);
    }
    text.push_str(rest);
    text
}

/// How many octets an encoded word may have; RFC 2047, 2 allows 75, and programs write longer ones.
const LONGEST_WORD: usize = 1024;

/// The encoded word that a text begins with (RFC 2047, 2).
struct EncodedWord<'t> {
    decoded: String,
    /// What follows it.
    rest: &'t str,
}

/// Decodes the encoded word that a text begins with.
fn encoded_word(text: &str) -> Option<EncodedWord<'_>> {
    let inner = text.strip_prefix("=?")?;
    let window = &inner[..boundary(inner, LONGEST_WORD)];
    let (charset, rest) = window.split_once('?')?;
    let (encoding, rest) = rest.split_once('?')?;
    let (encoded, _) = rest.split_once("?=")?;
    let length = 2 + charset.len() + 1 + encoding.len() + 1 + encoded.len() + 2;
    // A language may follow "*" (RFC 2231, 5).
    let charset = Encoding::for_label(charset.split('*').next()?.as_bytes())?;
    let octets = match encoding {
        "B" | "b" => STANDARD.decode(encoded).ok()?,
        "Q" | "q" => quoted(&encoded.replace('_', " ")),
        _ => return None,
    };
    let decoded = charset.decode_without_bom_handling(&octets).0.into_owned();
    Some(EncodedWord { decoded, rest: text.get(length..)? })
}

/// Decodes "=XX"; what is not an escape stays (RFC 2045, 6.7).
fn quoted(text: &str) -> Vec<u8> {
    let (mut octets, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let Some((&octet, after)) = rest.split_first() {
        let escape = after.get(..2).filter(|_| octet == b'=').and_then(|digits| {
            let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
            u8::from_str_radix(str::from_utf8(digits).ok().filter(|_| is_hex)?, 16).ok()
        });
        octets.push(escape.unwrap_or(octet));
        rest = if escape.is_some() { &after[2..] } else { after };
    }
    octets
}

/// Decodes a body by its Content-Transfer-Encoding; `None` if it is sent as it is.
pub(super) fn decoded_body(body: &[u8], encoding: &str) -> Option<Vec<u8>> {
    if encoding.eq_ignore_ascii_case("base64") {
        let text: Vec<u8> = body.iter().copied().filter(|octet| !octet.is_ascii_whitespace()).collect();
        return STANDARD.decode(text).ok();
    }
    if !encoding.eq_ignore_ascii_case("quoted-printable") {
        return None;
    }
    let text = String::from_utf8_lossy(body);
    // "=" at the end of a line is a soft line break.
    let joined = text.replace("=\r\n", "").replace("=\n", "");
    Some(quoted(&joined))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_unfolded_and_decoded() {
        let header = Header::read(
            b"Subject: =?utf-8?Q?caf=C3=A9_?=\r\n =?iso-8859-1*fr?b?6Q==?= x\r\nno field\r\nX-A:\tb\r\nX-B: =?x?Q?a?=\r\n",
        );
        assert_eq!(header.get("subject"), Some("café é x"));
        assert_eq!((header.get("X-A"), header.get("X-B")), (Some("b"), Some("=?x?Q?a?=")));
        assert_eq!(header.fields.len(), 3);
        assert!(Header::read(b"A: caf\xE9").was_windows);
    }

    #[test]
    fn the_end_is_an_empty_line() {
        assert_eq!(end_of_header(b"A: b\r\n\r\nc", 0), Some(HeaderEnd { end: 6, body: 8 }));
        assert_eq!(end_of_header(b"A: b\n\nc", 0), Some(HeaderEnd { end: 5, body: 6 }));
        assert_eq!(
            (end_of_header(b"\nA", 0), end_of_header(b"A: b\n", 0)),
            (Some(HeaderEnd { end: 0, body: 1 }), None)
        );
    }

    #[test]
    fn bodies_are_decoded() {
        assert_eq!(decoded_body(b"aGVs\r\nbG8=\r\n", "BASE64").unwrap(), b"hello");
        assert_eq!(decoded_body(b"a=3Db=\r\nc=4\n", "quoted-printable").unwrap(), b"a=bc=4\n");
        assert_eq!(decoded_body(b"a", "8bit"), None);
    }
}
