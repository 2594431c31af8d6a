//! Parses RFC 5234 text, one rule at a time.

use super::element::Element;
use super::error::{GrammarError, GrammarErrorKind};
use crate::octets::OctetSet;
use crate::utf8;

/// A position in the text of a grammar.
pub(super) struct Reader<'t> {
    rest: &'t str,
    line: usize,
}

/// One rule of the text.
pub(super) struct Rule {
    /// The name in lower case.
    pub(super) name: String,
    /// The line of the name.
    pub(super) line: usize,
    /// Whether the rule is defined with "=/".
    pub(super) adds: bool,
    pub(super) element: Element,
}

type Read<T> = Result<T, GrammarError>;

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { rest: text, line: 1 }
    }

    /// Parses the next rule; returns `None` at the end of the text.
    pub(super) fn read_rule(&mut self) -> Read<Option<Rule>> {
        self.skip_blank_lines();
        if self.rest.is_empty() {
            return Ok(None);
        }
        let line = self.line;
        let name = self.read_name().ok_or_else(|| self.expected("the name of a rule"))?;
        self.skip_space();
        self.expect('=')?;
        let adds = self.take('/');
        self.skip_space();
        let element = self.read_choice()?;
        match self.peek() {
            None | Some('\n') => Ok(Some(Rule { name, line, adds, element })),
            Some(_) => Err(self.expected("the end of the rule")),
        }
    }

    fn read_choice(&mut self) -> Read<Element> {
        let mut of = vec![self.read_sequence()?];
        while self.take('/') {
            self.skip_space();
            of.push(self.read_sequence()?);
        }
        Ok(one_or(of, Element::Choice))
    }

    fn read_sequence(&mut self) -> Read<Element> {
        let mut of = vec![self.read_repeat()?];
        self.skip_space();
        while self.peek().is_some_and(|next| !matches!(next, '/' | ')' | ']' | '\n')) {
            of.push(self.read_repeat()?);
            self.skip_space();
        }
        Ok(one_or(of, Element::Sequence))
    }

    /// Parses `n*m element`, `*element`, `n element` or an element alone (sections 3.6 and 3.7).
    fn read_repeat(&mut self) -> Read<Element> {
        let least = self.read_number(10)?;
        let (least, most) = if self.take('*') {
            (least.unwrap_or(0), self.read_number(10)?)
        } else {
            match least {
                None => return self.read_element(),
                Some(exactly) => (exactly, Some(exactly)),
            }
        };
        if most.is_some_and(|most| most < least) {
            return Err(self.error(GrammarErrorKind::Backwards));
        }
        Ok(Element::Repeat { least, most, of: Box::new(self.read_element()?) })
    }

    fn read_element(&mut self) -> Read<Element> {
        match self.peek() {
            Some('(') => self.read_bracketed('(', ')'),
            Some('[') => {
                let of = Box::new(self.read_bracketed('[', ']')?);
                Ok(Element::Repeat { least: 0, most: Some(1), of })
            }
            Some('"') => self.read_quoted(),
            Some('%') => self.read_value(),
            _ => {
                let line = self.line;
                let name = self.read_name().ok_or_else(|| self.expected("an element"))?;
                Ok(Element::Rule { name, line })
            }
        }
    }

    fn read_bracketed(&mut self, open: char, close: char) -> Read<Element> {
        self.expect(open)?;
        self.skip_space();
        let element = self.read_choice()?;
        self.expect(close)?;
        Ok(element)
    }

    /// Parses case-insensitive text: every octet except the quote, on one line.
    fn read_quoted(&mut self) -> Read<Element> {
        self.expect('"')?;
        let mut of = Vec::new();
        loop {
            match self.peek() {
                Some('"') => break self.advance(),
                Some(octet @ ' '..='~') => of.push(Element::Octets(OctetSet::any_case(octet as u8))),
                _ => return Err(self.expected("a closing quote")),
            }
            self.advance();
        }
        Ok(one_or(of, Element::Sequence))
    }

    /// Parses `%x41`, `%x41-5A` or `%x41.42.43`, in binary, decimal or hexadecimal (section 2.3).
    fn read_value(&mut self) -> Read<Element> {
        self.expect('%')?;
        let base = match self.peek().map(|letter| letter.to_ascii_lowercase()) {
            Some('b') => 2,
            Some('d') => 10,
            Some('x') => 16,
            _ => return Err(self.expected("b, d or x")),
        };
        self.advance();
        let first = self.read_code(base)?;
        if self.take('-') {
            let last = self.read_code(base)?;
            return self.range(first, last);
        }
        let mut of = vec![self.range(first, first)?];
        while self.take('.') {
            let next = self.read_code(base)?;
            of.push(self.range(next, next)?);
        }
        Ok(one_or(of, Element::Sequence))
    }

    fn read_code(&mut self, base: u32) -> Read<u32> {
        let number = self.read_number(base)?.ok_or_else(|| self.expected("a number"))?;
        u32::try_from(number).map_err(|_| self.error(GrammarErrorKind::TooLarge))
    }

    /// Returns a range of octets, or of characters if the end is not an octet: "Terminals in the
    /// ABNF are characters, not bytes" (RFC 3987, section 2.2).
    fn range(&self, first: u32, last: u32) -> Read<Element> {
        if last < first {
            return Err(self.error(GrammarErrorKind::Backwards));
        }
        if let (Ok(first), Ok(last)) = (u8::try_from(first), u8::try_from(last)) {
            return Ok(Element::Octets(OctetSet::range(first, last)));
        }
        match (char::from_u32(first), char::from_u32(last)) {
            (Some(first), Some(last)) => Ok(characters(first, last)),
            _ => Err(self.error(GrammarErrorKind::TooLarge)),
        }
    }

    fn read_number(&mut self, base: u32) -> Read<Option<usize>> {
        let digits = self.take_while(|next| next.is_digit(base));
        if digits.is_empty() {
            return Ok(None);
        }
        let number = usize::from_str_radix(digits, base);
        number.map(Some).map_err(|_| self.error(GrammarErrorKind::TooLarge))
    }

    fn read_name(&mut self) -> Option<String> {
        self.peek().filter(char::is_ascii_alphabetic)?;
        let name = self.take_while(|next| next.is_ascii_alphanumeric() || next == '-');
        Some(name.to_ascii_lowercase())
    }

    /// Skips white space, comments, and the ends of lines that continue in the next line.
    fn skip_space(&mut self) {
        loop {
            self.take_while(|next| matches!(next, ' ' | '\t' | '\r'));
            match self.peek() {
                Some(';') => drop(self.take_while(|next| next != '\n')),
                Some('\n') if self.next_line_continues() => self.advance(),
                _ => return,
            }
        }
    }

    /// Returns whether the next line continues the rule. A blank line does, if a continuation
    /// follows it.
    fn next_line_continues(&self) -> bool {
        let next = self.rest.trim_start_matches('\n');
        next.starts_with([' ', '\t'])
    }

    fn skip_blank_lines(&mut self) {
        self.skip_space();
        while self.take('\n') {
            self.skip_space();
        }
    }

    fn expect(&mut self, wanted: char) -> Read<()> {
        if self.take(wanted) {
            return Ok(());
        }
        Err(self.expected(match wanted {
            ')' => "\")\"",
            ']' => "\"]\"",
            _ => "\"=\"",
        }))
    }

    fn take(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.advance();
        }
        there
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|next| !wanted(next)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn advance(&mut self) {
        let mut rest = self.rest.chars();
        if rest.next() == Some('\n') {
            self.line += 1;
        }
        self.rest = rest.as_str();
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn expected(&self, what: &'static str) -> GrammarError {
        // The message names the end of a line only inside quotes; elsewhere it ends the rule.
        let there = self.peek().filter(|there| *there != '\n' || what == "a closing quote");
        self.error(GrammarErrorKind::Expected(what, there))
    }

    fn error(&self, kind: GrammarErrorKind) -> GrammarError {
        GrammarError { line: self.line, kind }
    }
}

/// Returns the characters from `first` to `last`, inclusive, in UTF-8.
fn characters(first: char, last: char) -> Element {
    let octets = |&(first, last): &(u8, u8)| Element::Octets(OctetSet::range(first, last));
    let sequence = |of: Vec<_>| one_or(of.iter().map(octets).collect(), Element::Sequence);
    one_or(utf8::ranges(first, last).into_iter().map(sequence).collect(), Element::Choice)
}

/// Returns the only element of a list of one, or the list as an element.
fn one_or(mut of: Vec<Element>, many: fn(Vec<Element>) -> Element) -> Element {
    match of.pop() {
        Some(only) if of.is_empty() => only,
        Some(last) => {
            of.push(last);
            many(of)
        }
        None => many(of),
    }
}
