//! The scanner of a style sheet. Reads octets piece by piece and reports each URL with the octets
//! it is written as. Follows CSS Syntax Module Level 3, chapter 4 "Tokenization"; it distinguishes
//! only the tokens that contain or introduce a URL.

use std::mem;
use std::ops::{ControlFlow, Range};

use memchr::memmem;

use super::token::{
    Piece, end_of_string, end_of_url, is_escape, is_in_name, is_line_end, is_space, name_of, text_of,
};
use crate::link::whitespace::{DIVIDED, LongText, without_breaks, without_edges};

/// A receiver of tokens and their octets.
type Take<'t> = dyn FnMut(Range<usize>, Token<'_>) -> ControlFlow<()> + 't;

/// A token that is reported.
pub(super) enum Token<'u> {
    /// The octets of a URL.
    Url(&'u str),
    /// A comment or a piece of one, without its delimiters, or a string that is no URL.
    Text,
    /// Other tokens, one after the other.
    Code,
}

/// The scanner of a style sheet.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    /// Whether everything is reported, not only URLs.
    all: bool,
    state: State,
    wanted: Wanted,
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
enum Wanted {
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
    pub(super) fn new(all: bool) -> Self {
        Self { all, ..Self::default() }
    }

    /// Scans octets up to a token that needs more; returns the number consumed.
    pub(super) fn scan(
        &mut self,
        octets: &[u8],
        is_last: bool,
        take: &mut Take<'_>,
    ) -> ControlFlow<(), usize> {
        let mut at = self.code.ahead;
        if mem::take(&mut self.code.is_before_overlong) {
            self.report_code(octets, at, at, take)?;
            self.state = State::Overlong(0);
        }
        while at < octets.len() {
            let before = self.state;
            let step = match before {
                State::Data => self.token(&Piece { octets, is_last }, at, take)?,
                State::Comment => self.comment(&Piece { octets, is_last }, at, take)?,
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
    pub(super) fn let_go(&mut self) {
        match self.state {
            State::Comment => self.long_comment.skip_word(),
            State::Data if self.code.ahead > 0 => self.code.is_before_overlong = true,
            State::Data | State::Overlong(_) => self.state = State::Overlong(0),
        }
    }

    /// "consume a token"
    fn token(&mut self, piece: &Piece<'_>, at: usize, take: &mut Take<'_>) -> ControlFlow<(), Step> {
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

    fn comment(&mut self, piece: &Piece<'_>, at: usize, take: &mut Take<'_>) -> ControlFlow<(), Step> {
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
                "url" => return self.url(piece, &Function { at, inside: end + 1 }, take),
                "src" => return self.source(piece, &Function { at, inside: end + 1 }, take),
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
    fn url(&mut self, piece: &Piece<'_>, function: &Function, take: &mut Take<'_>) -> ControlFlow<(), Step> {
        let octets = piece.octets;
        let at = function.at;
        let Some(start) = piece.skip_space(function.inside) else {
            return ControlFlow::Continue(Step::Wait(at));
        };
        if matches!(octets.get(start), Some(b'"' | b'\'')) {
            return self.argument(piece, at, start, take);
        }
        let (end, is_good) = end_of_url(octets, start);
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
        piece: &Piece<'_>,
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
        piece: &Piece<'_>,
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
        // The line end after a bad string is not part of it.
        let next = (end + usize::from(is_good)).min(octets.len());
        if is_good {
            self.report_code(octets, token, next, take)?;
            if token != at || matches!(self.wanted, Wanted::Next | Wanted::Image(0)) {
                self.report(octets, at + 1..end, take)?;
            } else if self.all && self.wanted != Wanted::Never {
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
        match url.is_empty() || self.wanted == Wanted::Never {
            true => ControlFlow::Continue(()),
            false => take(start..start + written.len(), Token::Url(&url)),
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
