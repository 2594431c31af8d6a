//! Style sheets. Finds the URLs that a browser would fetch. Follows CSS Syntax Module Level 3; CSS
//! Values and Units Level 4 and 5, CSS Cascading Level 5 (`@import`) and CSS Images Level 4
//! (`image-set()`) define the functions and rules that have URLs.
//!
//! Comments, other strings and other tokens are searched only with [`Extent::All`]. The names of
//! `@namespace` are not fetched and are not links. The position of a rule is not validated.
//!
//! The scanner reads octets piece by piece and reports each URL with the octets it is written as. It
//! follows chapter 4 "Tokenization" and distinguishes only the tokens that contain or introduce a URL.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};
use std::{io, mem};

use encoding_rs::{Encoding, UTF_8};
use locator::BaseStack;
use memchr::memmem;

use crate::decode::{DecodeChain, Escape, SourceMap};
use crate::link::reference::{without_breaks, without_edges};
use crate::link::{Context, PassedOver, Sink};
use crate::search::emitter::Emitter;
use crate::search::input::{DIVIDED, Input, LongText, Search, Window};
use crate::search::{Extent, FormatSpec, Query};

/// The style sheet format.
pub(crate) static CSS: FormatSpec = FormatSpec {
    name: "css",
    extensions: &["css"],
    sections: None,
    has_media_type: |kind, subtype| (kind, subtype) == ("text", "css"),
    begins: None,
    find,
    find_seekable: None,
    find_in,
};

/// Finds the links of a style sheet.
fn find(query: &Query<'_>, input: Input<'_>) -> io::Result<()> {
    let mut window = Window::new();
    window.hold(input.source, HEAD)?;
    if let Some(encoding) = encoding_of(window.octets()) {
        return input.find_decoded(window, encoding, |text, emitter| find_in(query, text, emitter));
    }
    let Input { source, mut bases, sink, .. } = input;
    window.run(source, &mut Sheet { query, scanner: scanner(query), bases: &mut bases, sink })
}

/// Returns a scanner, which reports everything if everything is searched.
fn scanner(query: &Query<'_>) -> Scanner {
    Scanner::new(query.extent == Extent::All)
}

/// "the first 1024 bytes"
const HEAD: usize = 1024;

/// Returns the encoding that the first octets declare, if it is not UTF-8: "determine the fallback
/// encoding" (CSS Syntax, 3.2).
fn encoding_of(head: &[u8]) -> Option<&'static Encoding> {
    let declared = || {
        let label = head.strip_prefix(b"@charset \"")?;
        // "followed by [...] 22 3B"
        let end = memmem::find(&label[..label.len().min(HEAD)], b"\";")?;
        // "If the return value was utf-16be or utf-16le, use utf-8 as the fallback encoding"
        Encoding::for_label(&label[..end]).filter(|encoding| encoding.is_ascii_compatible())
    };
    let marked = Encoding::for_bom(head).map(|(encoding, _)| encoding);
    marked.or_else(declared).filter(|encoding| *encoding != UTF_8)
}

/// Finds the links of a style sheet in memory.
fn find_in(query: &Query<'_>, text: &[u8], emitter: &mut Emitter<'_>) -> ControlFlow<()> {
    let found = scanner(query).scan(text, true, &mut |span, token| report(query, text, span, token, emitter));
    found.map_continue(|_| ())
}

/// Emits a URL, or the URLs of a text.
fn report(
    query: &Query<'_>,
    octets: &[u8],
    span: Range<usize>,
    token: Token<'_>,
    emitter: &mut Emitter<'_>,
) -> ControlFlow<()> {
    match token {
        Token::Url(url) => emitter.link(span, url, Context::Style),
        Token::Text => {
            let steps = DecodeChain::new(emitter.source, span.start, &octets[span]);
            query.find_urls(steps.text(), &mut emitter.of(&steps))
        }
        Token::Code => find_in_code(query, octets, span, emitter),
    }
}

/// Emits the URLs with "//" of tokens that are neither strings nor comments. Another colon belongs
/// to a selector or a declaration, and a semicolon ends a declaration.
fn find_in_code(
    query: &Query<'_>,
    octets: &[u8],
    span: Range<usize>,
    emitter: &mut Emitter<'_>,
) -> ControlFlow<()> {
    let mut start = span.start;
    for declaration in octets[span].split_inclusive(|octet| *octet == b';') {
        if memmem::find(declaration, b"://").is_some() {
            let text = declaration.strip_suffix(b";").unwrap_or(declaration);
            let steps = DecodeChain::new(emitter.source, start, text);
            query.find_urls_with(text, |url| url.contains("://"), &mut emitter.of(&steps))?;
        }
        start += declaration.len();
    }
    ControlFlow::Continue(())
}

struct Sheet<'a> {
    query: &'a Query<'a>,
    scanner: Scanner,
    bases: &'a mut BaseStack,
    sink: &'a mut dyn Sink,
}

impl Search for Sheet<'_> {
    fn search(&mut self, window: &Window) -> ControlFlow<(), usize> {
        let mut emitter = Emitter::new(window, self.bases, self.sink);
        let octets = window.octets();
        self.scanner.scan(octets, window.is_last(), &mut |span, token| {
            report(self.query, octets, span, token, &mut emitter)
        })
    }

    fn skip_overlong(&mut self, window: &Window) {
        self.sink.passed_over(&window.place(0..0), PassedOver::TooLong);
        self.scanner.skip_overlong();
    }
}

/// Octets, and whether they are the last ones.
struct HeldOctets<'a> {
    octets: &'a [u8],
    is_last: bool,
}

impl HeldOctets<'_> {
    /// "consume an ident sequence"; `None` if more octets are needed.
    fn end_of_name(&self, from: usize) -> Option<usize> {
        let mut at = from;
        while let Some(octet) = self.octets.get(at) {
            match octet {
                octet if is_in_name(*octet) => at += 1,
                b'\\' if is_escape(&self.octets[at..]) => at += escape_at(&self.octets[at..]).length,
                _ if *octet != b'\\' || self.is_last || at + 1 < self.octets.len() => return Some(at),
                _ => return None,
            }
        }
        self.is_last.then_some(at)
    }

    fn skip_space(&self, from: usize) -> Option<usize> {
        let space = self.octets[from..].iter().position(|octet| !is_space(*octet));
        space.map(|length| from + length).or(self.is_last.then_some(self.octets.len()))
    }
}

/// The end of a string or of an unquoted URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TokenEnd {
    /// The offset of what ends it, or of the end of the octets.
    at: usize,
    /// Whether it is valid.
    is_good: bool,
}

/// Returns the end of an unquoted URL; "the remnants of a bad url" end at the same parenthesis.
fn end_of_url(octets: &[u8], start: usize) -> TokenEnd {
    let (mut at, mut is_good, mut is_over) = (start, true, false);
    while let Some(octet) = octets.get(at) {
        at += match octet {
            b')' => return TokenEnd { at, is_good },
            octet if is_space(*octet) => {
                is_over = true;
                1
            }
            b'\\' if is_escape(&octets[at..]) => {
                is_good &= !is_over;
                escape_at(&octets[at..]).length
            }
            // "This is a parse error. Consume the remnants of a bad url"
            b'"' | b'\'' | b'(' | b'\\' | 0..=8 | 0x0B | 0x0E..=0x1F | 0x7F => {
                is_good = false;
                1
            }
            _ => {
                is_good &= !is_over;
                1
            }
        };
    }
    TokenEnd { at: octets.len(), is_good }
}

/// Returns the end of a string, without its quote: a line end is not allowed in it.
fn end_of_string(octets: &[u8], quote: usize) -> TokenEnd {
    let mut at = quote + 1;
    while let Some(octet) = octets.get(at) {
        match octet {
            octet if *octet == octets[quote] => return TokenEnd { at, is_good: true },
            octet if is_line_end(*octet) => return TokenEnd { at, is_good: false },
            b'\\' if octets.get(at + 1) == Some(&b'\r') && octets.get(at + 2) == Some(&b'\n') => at += 3,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    TokenEnd { at: octets.len(), is_good: true }
}

/// Returns a name in the form that is compared.
fn name_of(written: &[u8]) -> Cow<'_, str> {
    // No known name is longer, even with escapes.
    match written.len() <= 120 {
        true => Cow::Owned(text_of(written).to_ascii_lowercase()),
        false => Cow::Borrowed(""),
    }
}

/// Decodes the escapes of octets.
fn text_of(written: &[u8]) -> Cow<'_, str> {
    if !written.contains(&b'\\') {
        return text_without_escapes(written);
    }
    let mut text = String::new();
    let mut rest = written;
    while let Some(length) = memchr::memchr(b'\\', rest) {
        text.push_str(&text_without_escapes(&rest[..length]));
        rest = &rest[length..];
        let escape = match rest {
            // "If the next input code point is EOF, do nothing. Otherwise, if the next input code
            // point is a newline, consume it."
            [_] | [_, b'\n' | 0x0C, ..] => Escape::new(None, rest.len().min(2)),
            [_, b'\r', b'\n', ..] => Escape::new(None, 3),
            [_, b'\r', ..] => Escape::new(None, 2),
            _ => escape_at(rest),
        };
        text.extend(escape.means);
        rest = &rest[escape.length..];
    }
    text.push_str(&text_without_escapes(rest));
    Cow::Owned(text)
}

/// "The fallback encoding" is UTF-8; other octets are most likely windows-1252.
fn text_without_escapes(octets: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(octets) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(octets).0,
    }
}

/// "consume an escaped code point". Octets beyond ASCII follow unchanged.
fn escape_at(octets: &[u8]) -> Escape<Option<char>> {
    let digits = octets[1..].iter().take(6).take_while(|octet| octet.is_ascii_hexdigit()).count();
    match octets[1] {
        octet if !octet.is_ascii() => Escape::new(None, 1),
        octet if digits == 0 => Escape::new(Some(char::from(octet)), 2),
        _ => {
            let number = octets[1..=digits]
                .iter()
                .fold(0, |number, octet| number * 16 + char::from(*octet).to_digit(16).unwrap_or(0));
            let rest = &octets[1 + digits..];
            let space = match rest {
                [b'\r', b'\n', ..] => 2,
                [octet, ..] if is_space(*octet) => 1,
                _ => 0,
            };
            // "If this number is zero, or is for a surrogate, or is greater than the maximum
            // allowed code point, return U+FFFD"
            let character =
                char::from_u32(number).filter(|character| *character != '\0').unwrap_or('\u{FFFD}');
            Escape::new(Some(character), 1 + digits + space)
        }
    }
}

/// "check if two code points are a valid escape"
fn is_escape(octets: &[u8]) -> bool {
    matches!(octets, [b'\\', next, ..] if !is_line_end(*next))
}

/// "ident code point"
const fn is_in_name(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_' | 0x80..)
}

const fn is_space(octet: u8) -> bool {
    matches!(octet, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

const fn is_line_end(octet: u8) -> bool {
    matches!(octet, b'\n' | 0x0C | b'\r')
}

/// A receiver of tokens and their octets.
type Take<'t> = dyn FnMut(Range<usize>, Token<'_>) -> ControlFlow<()> + 't;

/// A token that is reported.
enum Token<'u> {
    /// The octets of a URL.
    Url(&'u str),
    /// A comment or a piece of one, without its delimiters, or a string that is no URL.
    Text,
    /// Other tokens, one after the other.
    Code,
}

/// The scanner of a style sheet.
#[derive(Debug, Default)]
struct Scanner {
    /// Whether everything is reported, not only URLs.
    all: bool,
    state: State,
    wanted: StringMeaning,
    long_comment: LongText,
    code: Code,
}

/// The tokens that are not reported yet, if everything is reported.
#[derive(Debug, Default)]
struct Code {
    /// Where they begin in the held octets.
    start: usize,
    /// How many of the held octets are already scanned.
    ahead: usize,
    long: LongText,
    /// Whether the token after them is too long to hold.
    is_before_overlong: bool,
}

impl Code {
    /// Returns the part of the tokens before `end` that can be searched, if they are many.
    fn part(&mut self, octets: &[u8], end: usize) -> Option<Range<usize>> {
        let held = self.start..end;
        let block = |octets: &[u8]| octets.iter().rposition(|octet| *octet == b'}');
        let part = self.long.part(octets, held.clone(), false).or_else(|| {
            // A style sheet may have no white space, but no URL continues after a block.
            let end = block(octets.get(held).filter(|held| held.len() >= DIVIDED)?)? + 1;
            Some(self.start..self.start + end)
        })?;
        self.start = part.end;
        Some(part)
    }
}

#[derive(Clone, Copy, Debug, Default)]
enum State {
    #[default]
    Data,
    Comment,
    /// In a token that is too long to hold; this octet ends it.
    Overlong(u8),
}

/// The meaning of a string at this position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum StringMeaning {
    #[default]
    Nothing,
    /// The next token may be a URL: after `@import`, or in `src(`.
    Next,
    /// After `@namespace`: no URL is a link up to the semicolon.
    Never,
    /// In `image-set(`, and in this number of further parentheses.
    Image(u32),
}

/// `url(` or `src(`.
struct Function {
    /// The start of its name.
    at: usize,
    /// The first position of its argument.
    inside: usize,
}

enum Step {
    At(usize),
    Wait(usize),
}

impl Scanner {
    /// Returns a scanner for URLs and, if `all` is set, for everything else.
    fn new(all: bool) -> Self {
        Self { all, ..Self::default() }
    }

    /// Scans octets up to a token that needs more; returns the number consumed.
    fn scan(&mut self, octets: &[u8], is_last: bool, take: &mut Take<'_>) -> ControlFlow<(), usize> {
        let mut at = self.code.ahead;
        if mem::take(&mut self.code.is_before_overlong) {
            self.report_code(octets, at, at, take)?;
            self.state = State::Overlong(0);
        }
        while at < octets.len() {
            let before = self.state;
            let step = match before {
                State::Data => self.token(&HeldOctets { octets, is_last }, at, take)?,
                State::Comment => self.comment(&HeldOctets { octets, is_last }, at, take)?,
                State::Overlong(end) => self.overlong(octets, at, end),
            };
            let (Step::At(next) | Step::Wait(next)) = step;
            if !self.all || !matches!(before, State::Data) {
                self.code.start = next;
            }
            at = next;
            if let Step::Wait(_) = step {
                break;
            }
        }
        if is_last {
            self.report_code(octets, octets.len(), octets.len(), take)?;
            return ControlFlow::Continue(octets.len());
        }
        if let Some(code) = self.code.part(octets, at) {
            take(code, Token::Code)?;
        }
        let done = mem::take(&mut self.code.start);
        self.code.ahead = at - done;
        ControlFlow::Continue(done)
    }

    /// Reports the tokens before `end`, of which `next` is the first that is not scanned.
    fn report_code(
        &mut self,
        octets: &[u8],
        end: usize,
        next: usize,
        take: &mut Take<'_>,
    ) -> ControlFlow<()> {
        if !self.all {
            return ControlFlow::Continue(());
        }
        let code = self.code.long.part(octets, self.code.start..end, true).filter(|code| !code.is_empty());
        self.code.start = next;
        code.map_or(ControlFlow::Continue(()), |code| take(code, Token::Code))
    }

    /// Drops the pending token or word, which is too long to hold; its URL is not reported.
    fn skip_overlong(&mut self) {
        match self.state {
            State::Comment => self.long_comment.skip_word(),
            State::Data if self.code.ahead > 0 => self.code.is_before_overlong = true,
            State::Data | State::Overlong(_) => self.state = State::Overlong(0),
        }
    }

    /// "consume a token"
    fn token(&mut self, piece: &HeldOctets<'_>, at: usize, take: &mut Take<'_>) -> ControlFlow<(), Step> {
        let octets = piece.octets;
        let next = match octets[at] {
            b'/' if octets.get(at + 1) == Some(&b'*') => {
                self.report_code(octets, at, at + 2, take)?;
                self.state = State::Comment;
                at + 2
            }
            b'/' | b'\\' if at + 1 == octets.len() && !piece.is_last => {
                return ControlFlow::Continue(Step::Wait(at));
            }
            b'"' | b'\'' => return self.string(piece, at, at, take),
            b'@' => return ControlFlow::Continue(self.at_keyword(piece, at)),
            // A hash token: a parenthesis after it does not begin a function.
            b'#' => return ControlFlow::Continue(piece.end_of_name(at + 1).map_or(Step::Wait(at), Step::At)),
            b'(' => self.nest(at),
            b')' => self.unnest(at),
            b';' | b'{' | b'}' => {
                self.wanted = StringMeaning::Nothing;
                at + 1
            }
            octet if is_space(octet) => at + 1,
            octet if is_in_name(octet) || is_escape(&octets[at..]) => return self.word(piece, at, take),
            _ => {
                self.want_no_more();
                at + 1
            }
        };
        ControlFlow::Continue(Step::At(next))
    }

    fn comment(&mut self, piece: &HeldOctets<'_>, at: usize, take: &mut Take<'_>) -> ControlFlow<(), Step> {
        let octets = piece.octets;
        let end = memmem::find(&octets[at..], b"*/").map(|length| at + length);
        let is_whole = end.is_some() || piece.is_last;
        // The last octet may begin the delimiter.
        let content = at..end.unwrap_or(if is_whole { octets.len() } else { octets.len() - 1 }.max(at));
        let content = match self.all {
            true => self.long_comment.part(octets, content, is_whole),
            false => Some(content.end..content.end),
        };
        let Some(content) = content else {
            return ControlFlow::Continue(Step::Wait(at));
        };
        let next = content.end;
        if !content.is_empty() {
            take(content, Token::Text)?;
        }
        ControlFlow::Continue(match end {
            Some(end) => {
                self.state = State::Data;
                Step::At(end + 2)
            }
            None => Step::Wait(next),
        })
    }

    fn at_keyword(&mut self, piece: &HeldOctets<'_>, at: usize) -> Step {
        let Some(end) = piece.end_of_name(at + 1) else {
            return Step::Wait(at);
        };
        self.wanted = match &*name_of(&piece.octets[at + 1..end]) {
            "import" => StringMeaning::Next,
            "namespace" => StringMeaning::Never,
            _ => StringMeaning::Nothing,
        };
        Step::At(end)
    }

    /// "consume an ident-like token", and numbers with their units.
    fn word(&mut self, piece: &HeldOctets<'_>, at: usize, take: &mut Take<'_>) -> ControlFlow<(), Step> {
        let Some(end) = piece.end_of_name(at) else {
            return ControlFlow::Continue(Step::Wait(at));
        };
        let mut step = end;
        if piece.octets.get(end) == Some(&b'(') {
            match &*name_of(&piece.octets[at..end]) {
                "url" => return self.url(piece, &Function { at, inside: end + 1 }, take),
                "src" => return self.source(piece, &Function { at, inside: end + 1 }, take),
                "image-set" | "-webkit-image-set" if self.wanted != StringMeaning::Never => {
                    self.wanted = StringMeaning::Image(0);
                    step = end + 1;
                }
                // The parenthesis is the next token.
                _ => {}
            }
        }
        if !matches!(self.wanted, StringMeaning::Image(_)) {
            self.want_no_more();
        }
        ControlFlow::Continue(Step::At(step))
    }

    /// "consume a url token"; before a quote it is a function with a string.
    fn url(
        &mut self,
        piece: &HeldOctets<'_>,
        function: &Function,
        take: &mut Take<'_>,
    ) -> ControlFlow<(), Step> {
        let octets = piece.octets;
        let at = function.at;
        let Some(start) = piece.skip_space(function.inside) else {
            return ControlFlow::Continue(Step::Wait(at));
        };
        if matches!(octets.get(start), Some(b'"' | b'\'')) {
            return self.argument(piece, at, start, take);
        }
        let TokenEnd { at: end, is_good } = end_of_url(octets, start);
        if end == octets.len() && !piece.is_last {
            return ControlFlow::Continue(Step::Wait(at));
        }
        let next = (end + 1).min(octets.len());
        if is_good {
            self.report_code(octets, at, next, take)?;
            self.report(octets, start..end, take)?;
        }
        self.want_no_more();
        ControlFlow::Continue(Step::At(next))
    }

    /// `src()` has its URL in a string, or computes it.
    fn source(
        &mut self,
        piece: &HeldOctets<'_>,
        function: &Function,
        take: &mut Take<'_>,
    ) -> ControlFlow<(), Step> {
        let at = function.at;
        let Some(start) = piece.skip_space(function.inside) else {
            return ControlFlow::Continue(Step::Wait(at));
        };
        match piece.octets.get(start) {
            Some(b'"' | b'\'') => self.argument(piece, at, start, take),
            _ => {
                self.nest(at);
                ControlFlow::Continue(Step::At(start))
            }
        }
    }

    /// A string that is the argument of the function at `token`. Its parenthesis counts once, although the token is
    /// scanned again until the end of the string is there.
    fn argument(
        &mut self,
        piece: &HeldOctets<'_>,
        token: usize,
        at: usize,
        take: &mut Take<'_>,
    ) -> ControlFlow<(), Step> {
        let before = self.wanted;
        self.nest(token);
        let step = self.string(piece, token, at, take)?;
        if let Step::Wait(_) = step {
            self.wanted = before;
        }
        ControlFlow::Continue(step)
    }

    /// "consume a string token": it is the argument of the function at `token`, unless it begins
    /// there itself.
    fn string(
        &mut self,
        piece: &HeldOctets<'_>,
        token: usize,
        at: usize,
        take: &mut Take<'_>,
    ) -> ControlFlow<(), Step> {
        let octets = piece.octets;
        let TokenEnd { at: end, is_good } = end_of_string(octets, at);
        if end == octets.len() && !piece.is_last {
            return ControlFlow::Continue(Step::Wait(token));
        }
        // The line end after a bad string is not part of it.
        let next = (end + usize::from(is_good)).min(octets.len());
        if is_good {
            self.report_code(octets, token, next, take)?;
            if token != at || matches!(self.wanted, StringMeaning::Next | StringMeaning::Image(0)) {
                self.report(octets, at + 1..end, take)?;
            } else if self.all && self.wanted != StringMeaning::Never {
                take(at..next, Token::Text)?;
            }
        }
        self.want_no_more();
        ControlFlow::Continue(Step::At(next))
    }

    fn report(&mut self, octets: &[u8], span: Range<usize>, take: &mut Take<'_>) -> ControlFlow<()> {
        let written = octets[span.clone()].trim_ascii();
        let start = span.start + octets[span.clone()].len() - octets[span].trim_ascii_start().len();
        let text = text_of(written);
        let url = without_breaks(&text[without_edges(&text, 0..text.len())]).into_owned();
        // "If the value of the url() is the empty string [...] the url must resolve to an invalid
        // resource"
        match url.is_empty() || self.wanted == StringMeaning::Never {
            true => ControlFlow::Continue(()),
            false => take(start..start + written.len(), Token::Url(&url)),
        }
    }

    fn want_no_more(&mut self) {
        if self.wanted == StringMeaning::Next {
            self.wanted = StringMeaning::Nothing;
        }
    }

    fn nest(&mut self, at: usize) -> usize {
        if let StringMeaning::Image(depth) = self.wanted {
            self.wanted = StringMeaning::Image(depth.saturating_add(1));
        }
        at + 1
    }

    fn unnest(&mut self, at: usize) -> usize {
        if let StringMeaning::Image(depth) = self.wanted {
            self.wanted = depth.checked_sub(1).map_or(StringMeaning::Nothing, StringMeaning::Image);
        }
        at + 1
    }

    /// A name has no delimiter to search for; other tokens end with the quote or the parenthesis.
    fn overlong(&mut self, octets: &[u8], at: usize, end: u8) -> Step {
        let (end, mut from) = match (end, octets[at]) {
            (0, quote @ (b'"' | b'\'')) => (quote, at + 1),
            (0, _) => (b')', at + 1),
            (end, _) => (end, at),
        };
        self.state = State::Overlong(end);
        while let Some(octet) = octets.get(from) {
            match octet {
                b'\\' if from + 1 == octets.len() => return Step::Wait(from),
                b'\\' => from += 2,
                octet if *octet == end || (end != b')' && is_line_end(*octet)) => {
                    self.state = State::Data;
                    return Step::At(from + 1);
                }
                _ => from += 1,
            }
        }
        Step::Wait(octets.len())
    }
}

#[cfg(test)]
mod tests {
    use locator::BaseStack;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::finder::Finder;
    use crate::link::Link;

    const PIECES: [&str; 24] = [
        "http://h/a",
        "http://h/b ",
        " ",
        "\n",
        "\"",
        "'",
        "/*",
        "*/",
        "url(",
        "url('",
        ")",
        "src(",
        "image-set(",
        "@import ",
        "@namespace ",
        ";",
        "{",
        "}",
        "a:b",
        "\\",
        "\\41 ",
        "/",
        "*",
        "(",
    ];

    fn found_in_pieces(sheet: &[u8], limit: usize, all: bool) -> Vec<(String, u64)> {
        let (finder, mut found) = (Finder::new().all(all), Vec::new());
        let query = finder.query();
        let mut sink = |link: &Link<'_>| {
            found.push((link.url().to_owned(), link.place().span.start));
            ControlFlow::Continue(())
        };
        let mut sheet_search = Sheet {
            query: &query,
            scanner: scanner(&query),
            bases: &mut BaseStack::default(),
            sink: &mut sink,
        };
        Window::with_capacity(limit).run(&mut &*sheet, &mut sheet_search).expect("a slice can be read");
        found
    }

    #[test]
    fn a_function_whose_string_comes_in_pieces_counts_once() {
        let sheet = b"image-set(url('http://h/a\n)\"'";
        assert_eq!(found_in_pieces(sheet, 1, false), found_in_pieces(sheet, 100, false));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn a_sheet_in_pieces_has_the_same_links(pieces in prop::collection::vec(select(&PIECES[..]), 0..30), limit in 1usize..20, all: bool) {
            let sheet = pieces.concat();
            let whole = found_in_pieces(sheet.as_bytes(), sheet.len() + 1, all);
            prop_assert_eq!(found_in_pieces(sheet.as_bytes(), limit, all), whole);
        }
    }
}
