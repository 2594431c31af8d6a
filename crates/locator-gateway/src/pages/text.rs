//! Texts of others: takes octets, returns HTML in which every character shows itself.
//!
//! [`GuessingDecoder`] and [`TextDecoder`] decode: by the encoding that the server states, else as UTF-8, else as
//! windows-1252, which has a character for nearly every octet. [`visible`] and [`preformatted`] escape a text
//! in a template, with a code in place of each character that does not show itself. [`Linker`] makes links of
//! the URLs in a line, and [`Text`] writes a whole text line by line, as it comes. In messages quoted lines
//! are marked, and the signature.
//!
//! ```text
//! let mut guess = GuessingDecoder::default();
//! assert_eq!(guess.decode(b"caf\xE9"), "café");
//! assert!(guess.was_windows);
//! assert_eq!(visible("a\u{202E}<").into_string(), "a<span class=\"code\">&lt;U+202E&gt;</span>&lt;");
//! ```

use std::borrow::Cow;

use encoding_rs::{Decoder, Encoding, UTF_8, WINDOWS_1252};
use locator::text::Finder;
use locator_web::report::visible::{legible, shows_itself};
use maud::{Markup, html};
use memchr::memchr;

use super::links::{self, Links};

/// How many octets of a line are written at once. A longer line is written in pieces, and is not cut.
const PIECE: usize = 16 * 1024;

/// Writes a text.
pub(super) struct Text {
    charset: TextDecoder,
    linker: Linker,
    held: Vec<u8>,
    /// A decoded text that does not end a line yet.
    decoded: String,
    /// Whether quotes and signatures are marked.
    is_message: bool,
    block: Option<Block>,
    is_begun: bool,
}

/// What a line of a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Own,
    /// How many ">" are before it.
    Quoted(u8),
    /// It and all lines after it.
    Signature,
}

impl Text {
    pub(super) fn new(charset: Option<&str>, is_message: bool, links: Links) -> Self {
        Self {
            charset: TextDecoder::new(charset),
            linker: Linker::new(links),
            held: Vec::new(),
            decoded: String::new(),
            is_message,
            block: None,
            is_begun: false,
        }
    }

    /// Writes the lines that are complete.
    pub(super) fn push(&mut self, mut octets: &[u8], out: &mut String) {
        if !self.charset.is_guessed() {
            let text = self.charset.decode(octets, false).into_owned();
            return self.decoded_lines(&text, false, out);
        }
        while let Some(end) = memchr(b'\n', octets) {
            self.held.extend_from_slice(&octets[..end]);
            let line = std::mem::take(&mut self.held);
            self.octets(line.strip_suffix(b"\r").unwrap_or(&line), true, out);
            octets = &octets[end + 1..];
        }
        for octets in octets.chunks(PIECE) {
            self.held.extend_from_slice(octets);
            if self.held.len() > PIECE {
                let rest = self.held.split_off(utf8_boundary(&self.held, PIECE));
                let piece = std::mem::replace(&mut self.held, rest);
                self.octets(&piece, false, out);
            }
        }
    }

    /// Writes what is left; returns what is to be said of the text.
    pub(super) fn end(&mut self, out: &mut String) -> Option<String> {
        if self.charset.is_guessed() {
            let rest = std::mem::take(&mut self.held);
            if !rest.is_empty() {
                self.octets(&rest, true, out);
            }
        } else {
            let text = self.charset.decode(b"", true).into_owned();
            self.decoded_lines(&text, true, out);
        }
        if self.block.is_some() {
            out.push_str(close(self.block));
        } else if !self.is_begun {
            out.push_str(&html! { p.note { "The text is empty." } }.into_string());
        }
        self.charset.remark()
    }

    fn octets(&mut self, line: &[u8], ends: bool, out: &mut String) {
        let text = self.charset.decode(line, false).into_owned();
        self.line(&text, ends, out);
    }

    fn decoded_lines(&mut self, text: &str, is_last: bool, out: &mut String) {
        self.decoded.push_str(text);
        let all = std::mem::take(&mut self.decoded);
        let mut rest = &*all;
        while let Some((line, after)) = rest.split_once('\n') {
            self.line(line.strip_suffix('\r').unwrap_or(line), true, out);
            rest = after;
        }
        while rest.len() > PIECE {
            let (piece, after) = rest.split_at(boundary(rest, PIECE));
            self.line(piece, false, out);
            rest = after;
        }
        if is_last && !rest.is_empty() {
            self.line(rest, true, out);
        } else if !is_last {
            self.decoded.push_str(rest);
        }
    }

    /// Writes a line, or a piece of one.
    fn line(&mut self, line: &str, ends: bool, out: &mut String) {
        self.is_begun = true;
        let block = self.block_of(line);
        if self.block != Some(block) {
            out.push_str(close(self.block));
            out.push_str(&open(block, self.is_message));
            self.block = Some(block);
        }
        out.push_str(&self.linker.line(line).into_string());
        if ends {
            out.push('\n');
        }
    }

    fn block_of(&self, line: &str) -> Block {
        match self.block {
            _ if !self.is_message => Block::Own,
            Some(Block::Signature) => Block::Signature,
            // "-- " separates the signature (RFC 3676, 4.3).
            _ if line == "-- " => Block::Signature,
            _ => match depth(line) {
                0 => Block::Own,
                depth => Block::Quoted(depth),
            },
        }
    }
}

/// Returns how often a line is quoted, at most 3 times.
fn depth(line: &str) -> u8 {
    let marks = line.bytes().take_while(|octet| matches!(octet, b'>' | b' '));
    marks.filter(|octet| *octet == b'>').take(3).map(|_| 1).sum::<u8>() * u8::from(line.starts_with('>'))
}

fn open(block: Block, is_message: bool) -> String {
    // A line end directly after the tag is not part of the text.
    match block {
        Block::Own if is_message => "<pre class=\"message\">\n".into(),
        Block::Own => "<pre class=\"message\" tabindex=\"0\">\n".into(),
        Block::Quoted(depth) => format!("<blockquote class=\"quoted-{depth}\"><pre class=\"message\">\n"),
        Block::Signature => "<pre class=\"message signature\">\n".into(),
    }
}

const fn close(block: Option<Block>) -> &'static str {
    match block {
        None => "",
        Some(Block::Quoted(_)) => "</pre></blockquote>",
        Some(_) => "</pre>",
    }
}

/// Returns where octets can be divided, at most here, without dividing a character of UTF-8.
fn utf8_boundary(octets: &[u8], most: usize) -> usize {
    (most.saturating_sub(3)..=most).rev().find(|&at| octets[at] & 0xC0 != 0x80).unwrap_or(most)
}

/// Decodes names and lines, each for itself, and remembers whether one was not UTF-8.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GuessingDecoder {
    /// Whether octets were taken for windows-1252.
    pub(super) was_windows: bool,
}

impl GuessingDecoder {
    /// Returns the text of octets.
    pub(super) fn decode<'o>(&mut self, octets: &'o [u8]) -> Cow<'o, str> {
        match str::from_utf8(octets) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => {
                self.was_windows = true;
                // The octets of C1 that have no character become controls, which are shown by code.
                WINDOWS_1252.decode_without_bom_handling(octets).0
            }
        }
    }
}

/// Decodes a text that comes in pieces of whole lines.
pub(super) enum TextDecoder {
    /// The one that the server states.
    Stated(Box<Decoder>, &'static Encoding),
    Guessed(GuessingDecoder),
}

impl TextDecoder {
    /// Returns the one that the server states, if it is known; else it is guessed by the line. UTF-8 is
    /// guessed, too: a text that is stated to be UTF-8 and is not would be full of U+FFFD.
    pub(super) fn new(label: Option<&str>) -> Self {
        let stated = label.and_then(|label| Encoding::for_label(label.as_bytes()));
        match stated.filter(|encoding| *encoding != UTF_8) {
            Some(encoding) => Self::Stated(Box::new(encoding.new_decoder()), encoding),
            None => Self::Guessed(GuessingDecoder::default()),
        }
    }

    /// Returns whether every line can be decoded for itself.
    pub(super) const fn is_guessed(&self) -> bool {
        matches!(self, Self::Guessed(_))
    }

    pub(super) fn decode<'o>(&mut self, octets: &'o [u8], is_last: bool) -> Cow<'o, str> {
        match self {
            Self::Guessed(guess) => guess.decode(octets),
            Self::Stated(decoder, _) => {
                let most = decoder.max_utf8_buffer_length(octets.len()).unwrap_or(octets.len());
                let mut text = String::with_capacity(most);
                let _ = decoder.decode_to_string(octets, &mut text, is_last);
                Cow::Owned(text)
            }
        }
    }

    /// Returns what the reader should know of the encoding.
    pub(super) fn remark(&self) -> Option<String> {
        match self {
            Self::Stated(_, encoding) => {
                Some(format!("The text is decoded as {}, as the server states.", encoding.name()))
            }
            Self::Guessed(guess) => guess.was_windows.then(|| WINDOWS.to_owned()),
        }
    }
}

/// What is said of text that is not UTF-8.
pub(super) const WINDOWS: &str =
    "Some of the text is not UTF-8 and no encoding is stated, so that is shown as windows-1252.";

/// A whole text, decoded.
pub(super) struct DecodedText<'o> {
    pub(super) text: Cow<'o, str>,
    /// What the reader should know of its encoding.
    pub(super) remark: Option<String>,
}

/// Decodes a whole text.
pub(super) fn decode_whole<'o>(octets: &'o [u8], label: Option<&str>) -> DecodedText<'o> {
    let mut charset = TextDecoder::new(label);
    let text = charset.decode(octets, true);
    DecodedText { text, remark: charset.remark() }
}

/// Makes links of the URLs in lines.
pub(super) struct Linker {
    finder: Finder,
    links: Links,
}

impl Linker {
    pub(super) fn new(links: Links) -> Self {
        Self { finder: Finder::new(), links }
    }

    /// Returns a line with links, without its end.
    pub(super) fn line(&self, line: &str) -> Markup {
        // No URL has no ":".
        if !line.contains(':') {
            return preformatted(line);
        }
        let mut end = 0;
        let found = self.finder.find_iter(line.as_bytes()).filter(|one| !one.is_guess());
        let found: Vec<_> = found.filter_map(|one| Some((one.span(), one.read().ok()?))).collect();
        html! {
            @for (span, url) in found {
                @if let (Some(before), Some(text)) = (line.get(end..span.start), line.get(span.clone())) {
                    (preformatted(before))
                    (self.url(url.as_str(), text))
                    ({ end = span.end; "" })
                }
            }
            (preformatted(line.get(end..).unwrap_or_default()))
        }
    }

    fn url(&self, url: &str, text: &str) -> Markup {
        let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
        let is_led = links::is_shown(&scheme);
        html! {
            @if links::is_web(url) { a.out href=(url) rel="noreferrer noopener" { (preformatted(text)) } }
            @else if is_led { a href=(self.links.page(url)) { (preformatted(text)) } }
            @else { (preformatted(text)) }
        }
    }
}

/// Returns a text whose characters show themselves, those of others as codes.
pub(super) fn visible(text: &str) -> Markup {
    shown(text, shows_itself)
}

/// Returns a text that keeps its lines and tabs, for `pre`.
pub(super) fn preformatted(text: &str) -> Markup {
    shown(text, |c| matches!(c, '\n' | '\t') || shows_itself(c))
}

fn shown(text: &str, is_shown: impl Fn(char) -> bool) -> Markup {
    if text.chars().all(&is_shown) {
        return html! { (text) };
    }
    let mut rest = text;
    html! {
        @while !rest.is_empty() {
            @let end = rest.find(|c| !is_shown(c)).unwrap_or(rest.len());
            @let (run, after) = rest.split_at(end);
            (run)
            @let end = after.find(&is_shown).unwrap_or(after.len());
            @let (codes, after) = after.split_at(end);
            @if !codes.is_empty() { span.code { (legible(codes).to_string()) } }
            ({ rest = after; "" })
        }
    }
}

/// Returns a URL or a part of one. It is isolated from the text around it, so that letters that are written
/// from right to left move nothing else.
pub(super) fn code(text: &str) -> Markup {
    html! { code.text { (visible(text)) } }
}

/// Returns a name of others, isolated from the text around it.
pub(super) fn name(text: &str) -> Markup {
    html! { @if text.trim().is_empty() { span.none { "(no name)" } } @else { bdi { (visible(text)) } } }
}

/// Returns where a text can be divided, at most here, without dividing a character.
pub(super) fn boundary(text: &str, most: usize) -> usize {
    (0..=most.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default()
}

/// How many characters of a name are shown.
const LONGEST_NAME: usize = 500;

/// The beginning of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beginning<'t> {
    pub(super) text: &'t str,
    /// Whether that is not all of it.
    pub(super) is_cut: bool,
}

/// Returns the beginning of a long text.
pub(super) fn beginning(text: &str) -> Beginning<'_> {
    match text.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => Beginning { text: &text[..end], is_cut: true },
        None => Beginning { text, is_cut: false },
    }
}

/// Returns the parameter "charset" of a media type.
pub(super) fn charset_of(media_type: &str) -> Option<String> {
    media_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let is_it = name.trim().eq_ignore_ascii_case("charset");
        is_it.then(|| value.trim().trim_matches('"').to_owned()).filter(|value| !value.is_empty())
    })
}
