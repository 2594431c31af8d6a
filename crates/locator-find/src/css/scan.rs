//! The way through a style sheet: its octets enter, in pieces if need be; each URL leaves, with the octets that it is written as. Follows CSS Syntax
//! Module Level 3, chapter 4 "Tokenization": those tokens are told apart in which, or behind which, a URL may stand.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use memchr::memmem;

use crate::html::{without_breaks, without_edges};

/// Takes the octets that a URL is written as, and the URL.
type Take<'t> = dyn FnMut(Range<usize>, &str) -> ControlFlow<()> + 't;

/// Goes through a style sheet.
#[derive(Debug, Default)]
pub(crate) struct Scanner {
    state: State,
    wanted: Wanted,
}

#[derive(Clone, Copy, Debug, Default)]
enum State {
    #[default]
    Data,
    Comment,
    /// In a token that cannot be held, which the octet ends.
    Overlong(u8),
}

/// What a string is here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Wanted {
    #[default]
    Nothing,
    /// The next token may be a URL: behind `@import`, or in `src(`.
    Next,
    /// Behind `@namespace`: no URL is a link up to the semicolon.
    Never,
    /// In `image-set(`, and in so many more parentheses.
    Image(u32),
}

enum Step {
    At(usize),
    Wait(usize),
}

impl Scanner {
    /// Goes through octets, up to what needs more behind them; gives how many of them it is done with.
    pub(crate) fn scan(
        &mut self,
        octets: &[u8],
        is_last: bool,
        take: &mut Take<'_>,
    ) -> ControlFlow<(), usize> {
        let mut at = 0;
        while at < octets.len() {
            let step = match self.state {
                State::Data => self.token(&Piece { octets, is_last }, at, take)?,
                State::Comment => self.comment(octets, at),
                State::Overlong(end) => self.overlong(octets, at, end),
            };
            match step {
                Step::At(next) => at = next,
                Step::Wait(_) if is_last => return ControlFlow::Continue(octets.len()),
                Step::Wait(next) => return ControlFlow::Continue(next),
            }
        }
        ControlFlow::Continue(at)
    }

    /// Gives up what is waited for: it cannot be held, and its URL is not told.
    pub(crate) fn let_go(&mut self) {
        self.state = State::Overlong(0);
    }

    /// "consume a token"
    fn token(&mut self, piece: &Piece<'_>, at: usize, take: &mut Take<'_>) -> ControlFlow<(), Step> {
        let octets = piece.octets;
        let next = match octets[at] {
            b'/' if octets.get(at + 1) == Some(&b'*') => {
                self.state = State::Comment;
                at + 2
            }
            b'/' | b'\\' if at + 1 == octets.len() && !piece.is_last => {
                return ControlFlow::Continue(Step::Wait(at));
            }
            b'"' | b'\'' => return self.string(piece, at, at, take),
            b'@' => return ControlFlow::Continue(self.at_keyword(piece, at)),
            // A hash token: what is behind it is no function.
            b'#' => return ControlFlow::Continue(piece.end_of_name(at + 1).map_or(Step::Wait(at), Step::At)),
            b'(' => self.nest(at),
            b')' => self.unnest(at),
            b';' | b'{' | b'}' => {
                self.wanted = Wanted::Nothing;
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

    fn comment(&mut self, octets: &[u8], at: usize) -> Step {
        match memmem::find(&octets[at..], b"*/") {
            Some(length) => {
                self.state = State::Data;
                Step::At(at + length + 2)
            }
            None => Step::Wait((octets.len() - 1).max(at)),
        }
    }

    fn at_keyword(&mut self, piece: &Piece<'_>, at: usize) -> Step {
        let Some(end) = piece.end_of_name(at + 1) else {
            return Step::Wait(at);
        };
        self.wanted = match &*name_of(&piece.octets[at + 1..end]) {
            "import" => Wanted::Next,
            "namespace" => Wanted::Never,
            _ => Wanted::Nothing,
        };
        Step::At(end)
    }

    /// "consume an ident-like token", and numbers with their units.
    fn word(&mut self, piece: &Piece<'_>, at: usize, take: &mut Take<'_>) -> ControlFlow<(), Step> {
        let Some(end) = piece.end_of_name(at) else {
            return ControlFlow::Continue(Step::Wait(at));
        };
        let mut step = end;
        if piece.octets.get(end) == Some(&b'(') {
            match &*name_of(&piece.octets[at..end]) {
                "url" => return self.url(piece, at, end + 1, take),
                "src" => return self.source(piece, at, end + 1, take),
                "image-set" | "-webkit-image-set" if self.wanted != Wanted::Never => {
                    self.wanted = Wanted::Image(0);
                    step = end + 1;
                }
                // The parenthesis is the next token.
                _ => {}
            }
        }
        if !matches!(self.wanted, Wanted::Image(_)) {
            self.want_no_more();
        }
        ControlFlow::Continue(Step::At(step))
    }

    /// "consume a url token"; before a quote it is a function with a string.
    fn url(
        &mut self,
        piece: &Piece<'_>,
        at: usize,
        inside: usize,
        take: &mut Take<'_>,
    ) -> ControlFlow<(), Step> {
        let octets = piece.octets;
        let Some(start) = piece.skip_space(inside) else {
            return ControlFlow::Continue(Step::Wait(at));
        };
        if matches!(octets.get(start), Some(b'"' | b'\'')) {
            self.nest(at);
            return self.string(piece, at, start, take);
        }
        let (end, is_good) = end_of_url(octets, start);
        if end == octets.len() && !piece.is_last {
            return ControlFlow::Continue(Step::Wait(at));
        }
        if is_good {
            self.tell(octets, start..end, take)?;
        }
        self.want_no_more();
        ControlFlow::Continue(Step::At((end + 1).min(octets.len())))
    }

    /// `src()` has its URL in a string, or makes it of something else.
    fn source(
        &mut self,
        piece: &Piece<'_>,
        at: usize,
        inside: usize,
        take: &mut Take<'_>,
    ) -> ControlFlow<(), Step> {
        let Some(start) = piece.skip_space(inside) else {
            return ControlFlow::Continue(Step::Wait(at));
        };
        self.nest(at);
        match piece.octets.get(start) {
            Some(b'"' | b'\'') => self.string(piece, at, start, take),
            _ => ControlFlow::Continue(Step::At(start)),
        }
    }

    /// "consume a string token": it is the argument of the function that begins at `token`, if it does not begin there itself.
    fn string(
        &mut self,
        piece: &Piece<'_>,
        token: usize,
        at: usize,
        take: &mut Take<'_>,
    ) -> ControlFlow<(), Step> {
        let octets = piece.octets;
        let (end, is_good) = end_of_string(octets, at);
        if end == octets.len() && !piece.is_last {
            return ControlFlow::Continue(Step::Wait(token));
        }
        if is_good && (token != at || matches!(self.wanted, Wanted::Next | Wanted::Image(0))) {
            self.tell(octets, at + 1..end, take)?;
        }
        self.want_no_more();
        // What ends a bad string is no part of it.
        ControlFlow::Continue(Step::At((end + usize::from(is_good)).min(octets.len())))
    }

    fn tell(&mut self, octets: &[u8], span: Range<usize>, take: &mut Take<'_>) -> ControlFlow<()> {
        let written = octets[span.clone()].trim_ascii();
        let start = span.start + octets[span.clone()].len() - octets[span].trim_ascii_start().len();
        let text = text_of(written);
        let url = without_breaks(&text[without_edges(&text, 0..text.len())]).into_owned();
        // "If the value of the url() is the empty string [...] the url must resolve to an invalid resource"
        match url.is_empty() || self.wanted == Wanted::Never {
            true => ControlFlow::Continue(()),
            false => take(start..start + written.len(), &url),
        }
    }

    fn want_no_more(&mut self) {
        if self.wanted == Wanted::Next {
            self.wanted = Wanted::Nothing;
        }
    }

    fn nest(&mut self, at: usize) -> usize {
        if let Wanted::Image(depth) = self.wanted {
            self.wanted = Wanted::Image(depth.saturating_add(1));
        }
        at + 1
    }

    fn unnest(&mut self, at: usize) -> usize {
        if let Wanted::Image(depth) = self.wanted {
            self.wanted = depth.checked_sub(1).map_or(Wanted::Nothing, Wanted::Image);
        }
        at + 1
    }

    /// A name has no end of its own that could be looked for; all else ends with the quote or the parenthesis.
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

/// Octets, and whether they are the last ones.
struct Piece<'a> {
    octets: &'a [u8],
    is_last: bool,
}

impl Piece<'_> {
    /// "consume an ident sequence"; none if more octets might belong to it, or must be seen behind it.
    fn end_of_name(&self, from: usize) -> Option<usize> {
        let mut at = from;
        while let Some(octet) = self.octets.get(at) {
            match octet {
                octet if is_in_name(*octet) => at += 1,
                b'\\' if is_escape(&self.octets[at..]) => at += escape(&self.octets[at..]).1,
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

/// Where a URL without quotes ends, and whether it is one; for "the remnants of a bad url" that is the same parenthesis.
fn end_of_url(octets: &[u8], start: usize) -> (usize, bool) {
    let (mut at, mut is_good, mut is_over) = (start, true, false);
    while let Some(octet) = octets.get(at) {
        at += match octet {
            b')' => return (at, is_good),
            octet if is_space(*octet) => {
                is_over = true;
                1
            }
            b'\\' if is_escape(&octets[at..]) => {
                is_good &= !is_over;
                escape(&octets[at..]).1
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
    (octets.len(), is_good)
}

/// Where a string ends, without its quote, and whether it is a good one: a line's end is in none.
fn end_of_string(octets: &[u8], quote: usize) -> (usize, bool) {
    let mut at = quote + 1;
    while let Some(octet) = octets.get(at) {
        match octet {
            octet if *octet == octets[quote] => return (at, true),
            octet if is_line_end(*octet) => return (at, false),
            b'\\' if octets.get(at + 1) == Some(&b'\r') && octets.get(at + 2) == Some(&b'\n') => at += 3,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    (octets.len(), true)
}

/// A name as it is compared.
fn name_of(written: &[u8]) -> Cow<'_, str> {
    // Longer ones are none that is asked for, with whatever escapes.
    match written.len() <= 120 {
        true => Cow::Owned(text_of(written).to_ascii_lowercase()),
        false => Cow::Borrowed(""),
    }
}

/// Octets without escapes.
fn text_of(written: &[u8]) -> Cow<'_, str> {
    if !written.contains(&b'\\') {
        return text_without_escapes(written);
    }
    let mut text = String::new();
    let mut rest = written;
    while let Some(length) = memchr::memchr(b'\\', rest) {
        text.push_str(&text_without_escapes(&rest[..length]));
        rest = &rest[length..];
        let (character, length) = match rest {
            // "If the next input code point is EOF, do nothing. Otherwise, if the next input code point is a newline, consume it."
            [_] | [_, b'\n' | 0x0C, ..] => (None, rest.len().min(2)),
            [_, b'\r', b'\n', ..] => (None, 3),
            [_, b'\r', ..] => (None, 2),
            _ => escape(rest),
        };
        text.extend(character);
        rest = &rest[length..];
    }
    text.push_str(&text_without_escapes(rest));
    Cow::Owned(text)
}

/// "The fallback encoding" is UTF-8; what is not, is most likely that of the western web.
fn text_without_escapes(octets: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(octets) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(octets).0,
    }
}

/// "consume an escaped code point"; gives how many octets it is written with. What is beyond ASCII stands behind as it is.
fn escape(octets: &[u8]) -> (Option<char>, usize) {
    let digits = octets[1..].iter().take(6).take_while(|octet| octet.is_ascii_hexdigit()).count();
    match octets[1] {
        octet if !octet.is_ascii() => (None, 1),
        octet if digits == 0 => (Some(char::from(octet)), 2),
        _ => {
            let number = octets[1..=digits]
                .iter()
                .fold(0, |number, octet| number * 16 + char::from(*octet).to_digit(16).unwrap_or(0));
            let behind = &octets[1 + digits..];
            let space = match behind {
                [b'\r', b'\n', ..] => 2,
                [octet, ..] if is_space(*octet) => 1,
                _ => 0,
            };
            // "If this number is zero, or is for a surrogate, or is greater than the maximum allowed code point, return U+FFFD"
            let character =
                char::from_u32(number).filter(|character| *character != '\0').unwrap_or('\u{FFFD}');
            (Some(character), 1 + digits + space)
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
