//! Links that are only a part of a URL. Takes a text and the place of a URL in it, and returns why the
//! URL goes on after that place, in a way that the format does not define.
//!
//! RFC 3986, appendix C, delimits URLs by white space, quotes and angle brackets. Source code, logs and
//! wrapped text divide them in other ways: a string goes on in another string, an escape stands for a
//! character, a line ends in a hyphen. What such a URL is as a whole is often not known, but that a
//! part of it is missing is.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use locator::text::{Match, MatchKind};

/// The reason why a link is only a part of the URL that its author meant.
///
/// [`Link::cut`](crate::Link::cut) returns it. Its `Display` is a clause: `a string goes on …`.
///
/// ```
/// use locator_find::{Cut, Document, Finder, Format, Link};
/// use std::ops::ControlFlow;
///
/// let code = br#"open("http://h.example/a/" + name); // see http://h.example/b"#;
/// let mut found = Vec::new();
/// let document = Document::new(Format::Text);
/// Finder::new().find(&document, &mut &code[..], &mut |link: &Link<'_>| {
///     found.push((link.url().to_owned(), link.cut()));
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(
///     found[0],
///     ("http://h.example/a/".to_owned(), Some(Cut::Concatenation))
/// );
/// assert_eq!(found[1], ("http://h.example/b".to_owned(), None));
/// # Ok::<_, std::io::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cut {
    /// An escape follows, and the format does not say which character it is: `http://h/a\_b`.
    Escape,
    /// The string goes on in another string or in a variable: `"http://h/" + name`.
    Concatenation,
    /// The URL goes on in the next line.
    LineEnd,
    /// The rest is left out: `http://h/a…`.
    Ellipsis,
    /// An octet that is not UTF-8 follows.
    NotUtf8,
    /// A character that nobody sees follows, and after it more of the URL.
    Invisible,
    /// Markup follows, and after it more of the URL.
    Markup,
    /// A blank follows, and after it more of what is between the delimiters: `[[http://h/a b][text]]`.
    Blank,
    /// A value follows that is known only when a program runs: `http://h/$(id -u)`.
    Value,
}

impl Cut {
    /// Returns the name of this reason in JSON: `escape`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Escape => "escape",
            Self::Concatenation => "concatenation",
            Self::LineEnd => "line-end",
            Self::Ellipsis => "ellipsis",
            Self::NotUtf8 => "not-utf-8",
            Self::Invisible => "invisible",
            Self::Markup => "markup",
            Self::Blank => "blank",
            Self::Value => "value",
        }
    }
}

impl Display for Cut {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Escape => "an escape follows, whose meaning is not known here",
            Self::Concatenation => "the string goes on in another string or in a variable",
            Self::LineEnd => "the URL goes on in the next line",
            Self::Ellipsis => "the rest is left out in the text",
            Self::NotUtf8 => "a byte follows that is not UTF-8; -E names the encoding",
            Self::Invisible => "more of the URL follows after an invisible character",
            Self::Markup => "more of the URL follows after markup",
            Self::Blank => "a blank follows, and more before the closing delimiter",
            Self::Value => "a value follows that is known only when a program runs",
        })
    }
}

/// The number of octets after a URL that decide.
const AHEAD: usize = 512;

/// More octets are needed.
#[derive(Debug)]
pub(crate) struct Incomplete;

/// Returns why the URL at `span` of a running text is cut, if it is. Without `is_last` more text may
/// follow.
#[inline]
pub(crate) fn in_text(
    text: &[u8],
    span: Range<usize>,
    kind: MatchKind,
    is_last: bool,
) -> Result<Option<Cut>, Incomplete> {
    match text.get(span.end) {
        // Most URLs end here; but "[[" is before a target of Org, which may have blanks.
        Some(b' ' | b'>' | b')' | b']' | b'\t')
            if !text[span.clone()].contains(&b'$') && !text[..span.start].ends_with(b"[[") =>
        {
            Ok(None)
        }
        _ => after(text, span, kind, is_last),
    }
}

/// Returns whether more of a URL follows after the markup at its end, which is in a line: a tag that begins
/// there, or a comment.
pub(crate) fn goes_on_after_markup(markup: &[u8]) -> bool {
    let rest = &markup[..markup.len().min(AHEAD)];
    if rest.starts_with(b"<!--") {
        let end = memchr::memmem::find(rest, b"-->");
        return end.and_then(|end| rest.get(end + 3)).is_some_and(|octet| goes_on(*octet));
    }
    rest.first() == Some(&b'<')
        && Ending { before: b"", url: b"", rest, is_all: true }.is_tag().unwrap_or(false)
}

/// Returns why a URL of a running text in memory is cut, if it is.
pub(crate) fn in_whole(text: &[u8], hit: &Match<'_>) -> Option<Cut> {
    in_text(text, hit.span(), hit.kind(), true).ok().flatten()
}

#[cold]
fn after(text: &[u8], span: Range<usize>, kind: MatchKind, is_last: bool) -> Result<Option<Cut>, Incomplete> {
    if !matches!(kind, MatchKind::Bare | MatchKind::Quoted | MatchKind::Escaped | MatchKind::Www) {
        return Ok(None);
    }
    let end = text.len().min(span.end + AHEAD);
    let end = Ending {
        before: &text[..span.start],
        url: &text[span.clone()],
        rest: &text[span.end..end],
        is_all: is_last || end < text.len() || end == span.end + AHEAD,
    };
    end.cut()
}

/// Whether more of a URL may begin with this octet.
const fn goes_on(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'/' | b'%' | b'_' | b'-' | b'=' | b'~')
}

/// The end of a URL.
struct Ending<'t> {
    before: &'t [u8],
    url: &'t [u8],
    rest: &'t [u8],
    /// Whether nothing that follows the rest counts.
    is_all: bool,
}

impl Ending<'_> {
    /// Returns the octet there; a NUL after all of them.
    fn octet(&self, at: usize) -> Result<u8, Incomplete> {
        match self.rest.get(at) {
            Some(octet) => Ok(*octet),
            None if self.is_all => Ok(0),
            None => Err(Incomplete),
        }
    }

    fn starts_with(&self, start: &[u8]) -> Result<bool, Incomplete> {
        for (at, octet) in start.iter().enumerate() {
            if self.octet(at)? != *octet {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the first octet from `at` on that is not of the set.
    fn past(&self, mut at: usize, set: &[u8]) -> Result<usize, Incomplete> {
        while set.contains(&self.octet(at)?) {
            at += 1;
        }
        Ok(at)
    }

    fn cut(&self) -> Result<Option<Cut>, Incomplete> {
        // A shell runs the command in "$(…)".
        if let Some(at) = memchr::memmem::rfind(self.url, b"$(")
            && !self.url[at..].contains(&b')')
        {
            return Ok(Some(Cut::Value));
        }
        let is = |is: bool, cut: Cut| is.then_some(cut);
        Ok(match self.octet(0)? {
            b'\\' => is(self.is_escape()?, Cut::Escape).or(is(self.is_continued()?, Cut::LineEnd)),
            // cmd.exe escapes by "^", PowerShell by "`".
            b'^' => is(goes_on(self.octet(1)?) || self.octet(1)? == b'&', Cut::Escape),
            b'`' => is(self.octet(1)? == b'&' && goes_on(self.octet(2)?), Cut::Escape),
            b'"' | b'\'' => is(self.is_concatenated()?, Cut::Concatenation),
            b'\n' | b'\r' => is(self.is_wrapped()? || self.is_target_continued()?, Cut::LineEnd),
            b' ' if self.before.ends_with(b"[[") => is(self.is_target_with_blanks()?, Cut::Blank),
            b'.' if self.starts_with(b"...")? => Some(Cut::Ellipsis),
            b'[' if self.starts_with(b"[...]")? || self.starts_with("[…]".as_bytes())? => {
                Some(Cut::Ellipsis)
            }
            b'[' => is(self.is_index()?, Cut::Markup),
            b'<' => match self.octet(1)? {
                b'?' | b'%' => Some(Cut::Value),
                _ => is(self.is_tag()?, Cut::Markup),
            },
            0x1B => is(self.is_control_sequence()?, Cut::Invisible),
            0x80.. => self.beyond_ascii()?,
            // Punctuation is not part of a URL, but a string may end after it.
            b'.' | b',' | b':' | b'!' | b'?' | b';' => {
                let at = self.past(0, b".,:!?;")?;
                let rest = self.rest.get(at..).unwrap_or_default();
                let inner = Self { before: self.before, url: self.url, rest, is_all: self.is_all };
                is(matches!(self.octet(at)?, b'"' | b'\'') && inner.is_concatenated()?, Cut::Concatenation)
            }
            _ => None,
        })
    }

    /// Whether a "\" begins an escape that is part of the URL. Escapes for quotes, control characters
    /// and white space end it, as the characters do.
    fn is_escape(&self) -> Result<bool, Incomplete> {
        let at = self.past(0, b"\\")?;
        let next = self.octet(at + 1)?;
        Ok(match self.octet(at)? {
            0 | b'\n' | b'\r' => false,
            b'n' | b'r' | b't' | b'v' | b'f' | b'a' | b'b' | b'e' => false,
            b'"' | b'\'' => {
                let quote = [b'\\', self.octet(at)?];
                !self.before.ends_with(&quote) && goes_on(next) && self.before.ends_with(&quote[1..])
            }
            b'x' => self.is_code(at, 2)?,
            b'u' => self.is_code(at, 4)?,
            b'U' => self.is_code(at, 8)?,
            b'0' if !next.is_ascii_digit() => false,
            b')' | b']' | b'}' | b'|' | b'>' | b'<' | b'(' | b'[' => false,
            b' ' => at == 1,
            b'_' | b'%' | b'#' | b'~' | b'=' | b':' | b'/' | b'-' => true,
            b'&' => goes_on(next),
            octet if octet.is_ascii_alphanumeric() || octet >= 0x80 => true,
            _ => goes_on(next),
        })
    }

    /// Whether an escape by a number is that of a character in the URL.
    fn is_code(&self, letter: usize, digits: usize) -> Result<bool, Incomplete> {
        let mut code = 0_u32;
        for at in letter + 1..=letter + digits {
            let Some(digit) = char::from(self.octet(at)?).to_digit(16) else { return Ok(true) };
            code = code.wrapping_mul(16).wrapping_add(digit);
        }
        let escape = &self.rest[..=letter + digits];
        let next = self.octet(letter + digits + 1)?;
        Ok(match code {
            0x22 | 0x27 => !self.before.ends_with(escape) && (goes_on(next) || next == b'\\'),
            0x00..=0x20 | 0x3C | 0x3E | 0x7F | 0xA0 => false,
            // Quotes and dashes of a text, in UTF-8 or as code points.
            0xE2 if letter + digits == 3 => !self.rest[4..].starts_with(br"\x80"),
            0x2010..=0x2025 | 0x2027..=0x205E | 0x3000..=0x303F => false,
            _ => true,
        })
    }

    /// Whether a "\" is before a line end and the next line begins without a blank.
    fn is_continued(&self) -> Result<bool, Incomplete> {
        let end = if self.octet(1)? == b'\r' { 2 } else { 1 };
        Ok(self.octet(end)? == b'\n' && goes_on(self.octet(end + 1)?))
    }

    /// Whether a line end is within a URL: after a hyphen (RFC 3986, appendix C), within an escape, or
    /// after the soft line break of a text that was not decoded.
    fn is_wrapped(&self) -> Result<bool, Incomplete> {
        let last = self.url.len().checked_sub(2).and_then(|at| self.url.get(at..));
        let Some(last) = last else { return Ok(false) };
        let is_encoded = || memchr::memmem::find(self.url, b"=3D").is_some();
        let is_divided = match last {
            [before, b'-'] => before.is_ascii_alphanumeric(),
            [_, b'%'] => true,
            [b'%', digit] => digit.is_ascii_hexdigit(),
            [_, b'='] => is_encoded(),
            _ => false,
        };
        if !is_divided {
            return Ok(false);
        }
        let line = if self.octet(0)? == b'\r' { 2 } else { 1 };
        let next = self.octet(self.past(line, b" \t")?)?;
        Ok(match last[1] {
            b'-' => next.is_ascii_lowercase() || next.is_ascii_digit(),
            b'=' => goes_on(next),
            _ => next.is_ascii_hexdigit(),
        })
    }

    /// Whether the target of a link of reStructuredText goes on in the next line, which is indented: after
    /// `.. _name:`, `__` and `.. image::`. Docutils joins such lines without the white space.
    fn is_target_continued(&self) -> Result<bool, Incomplete> {
        let start = memchr::memrchr(b'\n', self.before).map_or(0, |end| end + 1);
        let line = self.before.get(start..).unwrap_or_default().trim_ascii_start();
        let is_name = line.starts_with(b".. _") && line.trim_ascii_end().ends_with(b":");
        let is_image = line.starts_with(b".. ")
            && [&b"image::"[..], b"figure::"].iter().any(|name| line.trim_ascii_end().ends_with(name));
        if !is_name && !is_image && line.trim_ascii() != b"__" {
            return Ok(false);
        }
        let end = if self.octet(0)? == b'\r' { 2 } else { 1 };
        let next = self.past(end, b" \t")?;
        Ok(next > end && goes_on(self.octet(next)?))
    }

    /// Whether the target of a link of Org, which "][" ends, has blanks.
    fn is_target_with_blanks(&self) -> Result<bool, Incomplete> {
        let mut at = 0;
        loop {
            match self.octet(at)? {
                b']' => return Ok(self.octet(at + 1)? == b'['),
                0 | b'\n' | b'[' => return Ok(false),
                _ => at += 1,
            }
        }
    }

    /// Whether an index in brackets is followed by more: `http://h/a[0]/b`.
    fn is_index(&self) -> Result<bool, Incomplete> {
        let mut at = 1;
        while self.octet(at)?.is_ascii_alphanumeric() && at < 32 {
            at += 1;
        }
        Ok(self.octet(at)? == b']' && matches!(self.octet(at + 1)?, b'/' | b'?' | b'=' | b'&' | b'#' | b'['))
    }

    /// Whether a tag follows that does not end a word, and then more of the URL.
    fn is_tag(&self) -> Result<bool, Incomplete> {
        const TAGS: [&[u8]; 9] = [b"wbr", b"b", b"i", b"em", b"strong", b"span", b"mark", b"u", b"font"];
        let mut at = 1;
        while self.octet(at)?.is_ascii_alphabetic() && at < 8 {
            at += 1;
        }
        let name = &self.rest[1..at];
        if !TAGS.iter().any(|tag| name.eq_ignore_ascii_case(tag)) {
            return Ok(false);
        }
        while !matches!(self.octet(at)?, b'>' | b'<' | b'\n' | 0) {
            at += 1;
        }
        Ok(self.octet(at)? == b'>' && goes_on(self.octet(at + 1)?))
    }

    /// Whether more follows after a control sequence, as programs colour parts of a line.
    fn is_control_sequence(&self) -> Result<bool, Incomplete> {
        let mut at = 0;
        while self.octet(at)? == 0x1B && self.octet(at + 1)? == b'[' {
            at += 2;
            while matches!(self.octet(at)?, b'0'..=b'9' | b';' | b':') {
                at += 1;
            }
            at += 1;
        }
        Ok(at > 0 && goes_on(self.octet(at)?) && self.before.last() != Some(&b'm'))
    }

    fn beyond_ascii(&self) -> Result<Option<Cut>, Incomplete> {
        let (first, next) = (self.octet(0)?, self.octet(1)?);
        if first < 0xC0 {
            return Ok(None);
        }
        let length = match first {
            0xC0..0xE0 => 2,
            0xE0..0xF0 => 3,
            _ => 4,
        };
        self.octet(length - 1)?;
        let octets = self.rest.get(..length).unwrap_or(self.rest);
        let Some(character) = str::from_utf8(octets).ok().and_then(|text| text.chars().next()) else {
            // A letter of a text in another encoding.
            return Ok(Some(Cut::NotUtf8).filter(|_| goes_on(next) || next >= 0xC0 || next <= b' '));
        };
        let after = self.octet(length)?;
        Ok(match character {
            '…' => Some(Cut::Ellipsis),
            '\u{AD}' | '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}' => {
                Some(Cut::Invisible).filter(|_| goes_on(after))
            }
            _ => None,
        })
    }

    /// Whether the string that ends there is a part of a longer one.
    fn is_concatenated(&self) -> Result<bool, Incomplete> {
        let quote = self.octet(0)?;
        let next = self.octet(1)?;
        let is_direct = self.before.last() == Some(&quote);
        match next {
            b'"' | b'\'' => {
                let is_nested = self.before.ends_with(&[next, quote]);
                return Ok(!is_nested && goes_on(self.octet(2)?) && is_direct);
            }
            b'$' => return Ok(is_direct),
            b'/' | b'-' | b'=' | b'%' | b'~' => {}
            // `<a href="http://h/"class=x>`
            octet if octet.is_ascii_alphabetic() => return Ok(false),
            octet if goes_on(octet) => return Ok(is_direct),
            _ => {}
        }
        let blank = self.past(1, b" \t")?;
        let line = self.past(blank, b"\\\r\n \t")?;
        if blank > 1 && blank == line && self.opens_expression() && self.is_beside(quote, blank)? {
            return Ok(true);
        }
        let is_line_end = self.rest.get(blank..line).is_some_and(|between| between.contains(&b'\n'));
        if is_line_end && self.goes_on_in_line(quote, line)? {
            return Ok(true);
        }
        self.is_operator(line)
    }

    /// Whether the next line begins with a string: adjacent strings are one in C, Python and PO.
    fn goes_on_in_line(&self, quote: u8, line: usize) -> Result<bool, Incomplete> {
        // `f"…"`, `L"…"`
        let prefix = usize::from(b"fFrRbBuUL".contains(&self.octet(line)?));
        let is_indented = matches!(self.rest.get(line - 1), Some(b' ' | b'\t'));
        let own_line = self.before.len().checked_sub(2).and_then(|at| self.before.get(at..));
        let begins_line = own_line.is_none_or(|octets| octets[0] == b'\n');
        if self.octet(line + prefix)? != quote || !(is_indented || begins_line) {
            return Ok(false);
        }
        self.goes_on_in_string(line + prefix + 1)
    }

    /// Whether the string that begins there goes on with the URL: it is not another one, and no prose.
    fn goes_on_in_string(&self, start: usize) -> Result<bool, Incomplete> {
        let mut at = start;
        while self.octet(at)?.is_ascii_alphanumeric() && at < start + 16 {
            at += 1;
        }
        let is_url = self.octet(at)? == b':' && self.octet(at + 1)? == b'/';
        let first = self.octet(start)?;
        Ok(!is_url && (goes_on(first) || b"?&#.:@{$\\,;".contains(&first)) && !self.is_break(start)?)
    }

    /// Whether the string that has the URL is an operand: in a shell or a log, strings beside each other are
    /// several.
    fn opens_expression(&self) -> bool {
        let Some((_, before)) = self.before.split_last() else { return false };
        let trimmed = before.trim_ascii_end();
        match trimmed.last() {
            Some(b'(' | b'[' | b'{' | b',') => true,
            // `A="http://h/" "b"` is a command of a shell.
            Some(b'=') => trimmed.len() < before.len(),
            _ => false,
        }
    }

    /// Whether a string or a macro is beside the string that ends there: both are one in C, as strings are in
    /// Python.
    fn is_beside(&self, quote: u8, at: usize) -> Result<bool, Incomplete> {
        if self.octet(at)? == quote {
            // In a list without commas, as in Lisp and Nix, a whole URL is beside the next item.
            let is_open = self.url.last().is_some_and(|last| b"/?=&-_.:#%".contains(last));
            return Ok(is_open && self.goes_on_in_string(at + 1)?);
        }
        if quote != b'"' || !self.octet(at)?.is_ascii_uppercase() || !self.octet(at + 1)?.is_ascii_uppercase()
        {
            return Ok(false);
        }
        let mut end = at;
        while self.octet(end)?.is_ascii_alphanumeric() || self.octet(end)? == b'_' {
            end += 1;
        }
        Ok(matches!(self.octet(self.past(end, b" \t")?)?, b';' | b')' | b',' | b'"'))
    }

    /// Whether an escape for white space begins the next string.
    fn is_break(&self, at: usize) -> Result<bool, Incomplete> {
        Ok(self.octet(at)? == b'\\' && matches!(self.octet(at + 1)?, b'n' | b'r' | b't'))
    }

    /// Whether an operator that joins strings follows, and an operand.
    fn is_operator(&self, at: usize) -> Result<bool, Incomplete> {
        let (first, second) = (self.octet(at)?, self.octet(at + 1)?);
        let length = match (first, second) {
            (b'+', b'+') | (b'.', b'.') | (b'|', b'|') | (b'<', b'>') => 2,
            (b'+' | b'.' | b'&' | b'~', _) => 1,
            _ => return Ok(false),
        };
        let operand = self.past(at + length, b" \t\r\n\\")?;
        let octet = self.octet(operand)?;
        let is_string = matches!(octet, b'"' | b'\'' | b'`');
        let is_name = octet.is_ascii_alphabetic() || matches!(octet, b'_' | b'$' | b'(' | b'@');
        Ok(match (first, length) {
            (b'+', _) => is_string || is_name,
            (b'.', 2) | (b'<', _) => operand > at + length && (is_string || is_name),
            (b'.', _) => {
                octet == b'$' || is_string && at + length < operand || is_string && self.is_closed(at)?
            }
            // In a shell, "&" and "||" join commands.
            (b'|', _) if is_name => self.is_term(operand)?,
            (b'|' | b'&' | b'~', _) => is_string,
            _ => false,
        })
    }

    /// Whether a name is a term of SQL and not a command of a shell: more is joined to it, it belongs to a
    /// table, or it is a function.
    fn is_term(&self, at: usize) -> Result<bool, Incomplete> {
        let mut end = at;
        while self.octet(end)?.is_ascii_alphanumeric() || self.octet(end)? == b'_' {
            end += 1;
        }
        match self.octet(end)? {
            b',' => return Ok(true),
            b'.' => return Ok(self.octet(end + 1)?.is_ascii_alphabetic()),
            b'(' => return Ok(end > at && self.octet(end + 1)? != b')'),
            _ => {}
        }
        let next = self.past(end, b" \t\r\n")?;
        let joins = self.octet(next)? == b'|' && self.octet(next + 1)? == b'|';
        if joins {
            // A command is joined to another command by it, too.
            return Ok(matches!(self.octet(self.past(next + 2, b" \t\r\n")?)?, b'"' | b'\''));
        }
        let word = self.octet(next)?.to_ascii_lowercase();
        let second = self.octet(next + 1)?.to_ascii_lowercase();
        let third = self.octet(next + 2)?;
        Ok(next > end && (word, second) == (b'a', b's') && matches!(third, b' ' | b'\t' | b'\n'))
    }

    /// Whether a "." is directly between two strings of PHP: `'http://h/'.'a'`.
    fn is_closed(&self, dot: usize) -> Result<bool, Incomplete> {
        Ok(goes_on(self.octet(dot + 2)?))
    }
}

#[cfg(test)]
mod tests {
    use locator::text::Finder;

    use super::*;

    fn cut(text: &[u8]) -> Option<Cut> {
        let hit = Finder::default().find_iter(text).next().expect("there is a URL");
        let whole = in_text(text, hit.span(), hit.kind(), true).expect("the text is whole");
        // A shorter text is incomplete, or it has the same answer.
        for length in hit.span().end..text.len() {
            if let Ok(early) = in_text(&text[..length], hit.span(), hit.kind(), false) {
                assert_eq!(early, whole, "{length} of {}", text.escape_ascii());
            }
        }
        whole
    }

    #[test]
    fn a_part_of_a_url_is_recognised() {
        for (text, reason) in [
            (r#""http://h/" + id"#, Cut::Concatenation),
            ("\"http://h/a\"\n    + 'b'", Cut::Concatenation),
            ("x = ('http://h/a'\n     'b')", Cut::Concatenation),
            ("\"http://h/a\"\n\"b\"\n", Cut::Concatenation),
            (r#"print "http://h/" . $x"#, Cut::Concatenation),
            (r#"$u = 'http://h/'.$x;"#, Cut::Concatenation),
            (r#"local u = "http://h/" .. x"#, Cut::Concatenation),
            (r#"curl "http://h/"$x"#, Cut::Concatenation),
            (r#"= "http://h/" & "b""#, Cut::Concatenation),
            (r"select 'http://h/?' || 'b'", Cut::Concatenation),
            (r"select 'http://h/a/' || id || '/x'", Cut::Concatenation),
            (r"select 'http://h/a/' || t.id from t", Cut::Concatenation),
            (r"select 'http://h/a/' || id, b", Cut::Concatenation),
            (r"select 'http://h/a/' || id as u", Cut::Concatenation),
            (r"select 'http://h/a/' || lower(id)", Cut::Concatenation),
            (r#"char *u = "http://h/a/" "b";"#, Cut::Concatenation),
            (r#"open("http://h/a/" "b/c")"#, Cut::Concatenation),
            (r#"x = ['http://h/a/' 'b']"#, Cut::Concatenation),
            (r#"char *u = "http://h/a" SUFFIX;"#, Cut::Concatenation),
            (r#"printf("http://h/a?" PRIu64 "b", n)"#, Cut::Concatenation),
            (".. _a: http://h/a/\n   b/c", Cut::LineEnd),
            ("x\n  .. image:: http://h/a/\r\n\tb.png", Cut::LineEnd),
            ("__ http://h/a/\n  b", Cut::LineEnd),
            ("[[http://h/a b][x]]", Cut::Blank),
            (r"curl http://h/?a=1\&b=2", Cut::Escape),
            (r"start http://h/?a=1^&b=2", Cut::Escape),
            (r"http://h/a\_b", Cut::Escape),
            (r"http://h/a\ b", Cut::Escape),
            (r#""http://h/a\x22b""#, Cut::Escape),
            (r#""http://h/caf\xC3\xA9""#, Cut::Escape),
            (r"http://h/\d+", Cut::Escape),
            ("URL=http://h/a\\\nb", Cut::LineEnd),
            ("see http://h/long-\n  name", Cut::LineEnd),
            ("see http://h/a%2\n0b", Cut::LineEnd),
            ("http://h/?q=3Da=\nb", Cut::LineEnd),
            ("http://h/abc…", Cut::Ellipsis),
            ("http://h/abc...", Cut::Ellipsis),
            ("http://h/a\u{200B}b", Cut::Invisible),
            ("http://h/a\x1B[0mb", Cut::Invisible),
            ("http://h/a<wbr>b", Cut::Markup),
            ("http://h/a[0]/b", Cut::Markup),
            ("curl http://h/$(id -u)/x", Cut::Value),
            ("href=http://h/<?= $id ?>", Cut::Value),
        ] {
            assert_eq!(cut(text.as_bytes()), Some(reason), "{text}");
        }
        assert_eq!(cut(b"http://h/caf\xE9/b"), Some(Cut::NotUtf8));
    }

    #[test]
    fn a_whole_url_is_not_cut() {
        for text in [
            r#""http://h/a", "b""#,
            "\"http://h/a\",\n  \"b\"",
            "\"http://h/a\"\n  \"http://h/b\"",
            "\"http://h/a\"\n  \" and more\"",
            "\"http://h/a\"\n  \"\\nmore\"",
            r#""http://h/a" "Mozilla/5.0""#,
            r#"see "http://h/a". Then"#,
            r#"curl "http://h/a" & wait"#,
            r#"curl 'http://h/a' || exit 1"#,
            r#"f("http://h/a", "b") "#,
            r#"{"http://h/a" "http://h/b"}"#,
            r#"curl -o "a" "http://h/a" "b""#,
            r#"U="http://h/a" "b""#,
            r#"= 'http://h/a' AND b"#,
            r#"200 12 "http://h/" "curl/7.88""#,
            r#"curl 'http://h/a' || fail || exit 1"#,
            r#"$(curl 'http://h/a' || true)"#,
            r#"curl 'http://h/a' || { exit 1; }"#,
            r#"curl 'http://h/a' || assert it"#,
            ".. _a: http://h/a/\n\n   b",
            ".. _a: http://h/a/\n.. _b: http://h/b",
            ".. image:: http://h/a.png\n   :alt: b",
            ".. note:: http://h/a\n   and more",
            "[[http://h/a][x y]]",
            "[[http://h/a b]]",
            "[[http://h/a]]",
            r#"<img src="http://h/a"/>"#,
            r#"printf("http://h/a\n");"#,
            r#"{\"url\":\"http://h/a\",\"b\":1}"#,
            r"\x22http://h/a\x22b",
            r"<a\u003ehttp://h/a\u003c/a\u003e",
            r"\fIhttp://h/a\fR",
            "'''http://h/a''' b",
            "\"\"\"http://h/a\"\"\" b",
            "''http://h/a''b",
            "x \"'http://h/a'\" y",
            "curl http://h/a\\\n  -o b",
            "http://h/a\nnext",
            "http://h/a.\nNext",
            "http://h/a[1], b",
            "http://h/a<br>b",
            "<b>http://h/a</b>b",
            "\x1B[31mhttp://h/a\x1B[0m",
            "«http://h/a»",
        ] {
            assert_eq!(cut(text.as_bytes()), None, "{text}");
        }
        assert_eq!(cut(b"\xABhttp://h/a\xBB"), None);
    }
}
