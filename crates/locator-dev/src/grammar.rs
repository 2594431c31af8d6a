//! Parses the text of an RFC 5234 (ABNF) grammar. Rule names are
//! case-insensitive (section 2.1). Every grammar has the core rules of appendix B.1, and may
//! redefine them. A range that ends beyond 255 is a range of characters, in UTF-8.
//!
//! [`Grammar`] has the rules, each an `Element` (sections 3 and 4); a position of a rule allows an
//! `OctetSet`. A [`GrammarError`] has the line of what is wrong.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt;

/// A grammar's rules, by name.
#[derive(Clone, Debug)]
pub struct Grammar {
    rules: HashMap<String, Element>,
    line_of: HashMap<String, usize>,
}

impl Grammar {
    /// Parses a grammar. A rule begins in the first column; a line that begins with white space
    /// continues the previous line.
    ///
    /// # Errors
    ///
    /// The first line that is not ABNF, or that defines a rule a second time.
    pub fn parse(text: &str) -> Result<Grammar, GrammarError> {
        let mut grammar = Grammar { rules: HashMap::new(), line_of: HashMap::new() };
        grammar.read_rules(CORE_RULES)?;
        // A core rule does not count as a first definition: the grammar may redefine it.
        grammar.line_of.clear();
        grammar.read_rules(text)?;
        Ok(grammar)
    }

    /// Returns the element of a rule, after a check of every rule that it refers to.
    ///
    /// # Errors
    ///
    /// See [`Grammar::compile`].
    pub(crate) fn start(&self, rule: &str) -> Result<Element, GrammarError> {
        let start = Element::Rule { name: rule.to_ascii_lowercase(), line: 0 };
        self.check(&start, &mut Vec::new(), &mut HashSet::new())?;
        Ok(start)
    }

    /// Returns the names of the rules that the text defines, in lower case and in order.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.line_of.keys().map(String::as_str).collect();
        names.sort_by_key(|name| self.line_of[*name]);
        names
    }

    /// Returns the rule of this name in lower case; `check` has verified that it is defined.
    pub(crate) fn rule(&self, name: &str) -> &Element {
        self.rules.get(name).expect("compile has checked every name that the start rule reaches")
    }

    fn read_rules(&mut self, text: &str) -> Result<(), GrammarError> {
        let mut reader = Reader::new(text);
        while let Some(rule) = reader.read_rule()? {
            let defined = self.line_of.insert(rule.name.clone(), rule.line).is_some();
            if rule.adds {
                // "=/" adds alternatives to a rule (section 3.3).
                let Some(before) = self.rules.remove(&rule.name) else {
                    return Err(GrammarError { line: rule.line, kind: GrammarErrorKind::Unknown(rule.name) });
                };
                self.rules.insert(rule.name, Element::Choice(vec![before, rule.element]));
            } else if defined {
                return Err(GrammarError { line: rule.line, kind: GrammarErrorKind::Twice(rule.name) });
            } else {
                self.rules.insert(rule.name, rule.element);
            }
        }
        Ok(())
    }

    /// Checks that every name is defined, and that no rule refers to itself.
    fn check<'g>(
        &'g self,
        element: &'g Element,
        open: &mut Vec<&'g str>,
        done: &mut HashSet<&'g str>,
    ) -> Result<(), GrammarError> {
        match element {
            Element::Octets(_) => Ok(()),
            Element::Choice(of) | Element::Sequence(of) => {
                of.iter().try_for_each(|one| self.check(one, open, done))
            }
            Element::Repeat { of, .. } => self.check(of, open, done),
            Element::Rule { name, line } => {
                let error = |kind| GrammarError { line: *line, kind };
                let Some((name, rule)) = self.rules.get_key_value(name) else {
                    return Err(error(GrammarErrorKind::Unknown(name.clone())));
                };
                if open.contains(&name.as_str()) {
                    return Err(error(GrammarErrorKind::Recursive(name.clone())));
                }
                if !done.insert(name) {
                    return Ok(());
                }
                open.push(name);
                self.check(rule, open, done)?;
                open.pop();
                Ok(())
            }
        }
    }
}

/// RFC 5234, appendix B.1.
const CORE_RULES: &str = r#"
ALPHA  = %x41-5A / %x61-7A
BIT    = "0" / "1"
CHAR   = %x01-7F
CR     = %x0D
CRLF   = CR LF
CTL    = %x00-1F / %x7F
DIGIT  = %x30-39
DQUOTE = %x22
HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
HTAB   = %x09
LF     = %x0A
LWSP   = *( WSP / CRLF WSP )
OCTET  = %x00-FF
SP     = %x20
VCHAR  = %x21-7E
WSP    = SP / HTAB
"#;

/// An element of the right side of a rule.
#[derive(Clone, Debug)]
pub(crate) enum Element {
    /// One octet of a set.
    Octets(OctetSet),
    /// Alternatives ("/").
    Choice(Vec<Element>),
    /// A sequence; without elements it is the empty string.
    Sequence(Vec<Element>),
    /// A repetition, `least*most`; without `most` there is no limit. An option is `0*1`.
    Repeat { least: usize, most: Option<usize>, of: Box<Element> },
    /// Another rule: its name in lower case, and the line that names it.
    Rule { name: String, line: usize },
}

/// An error in a grammar, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarError {
    /// The line, counted from 1; 0 if the name came from the caller.
    pub line: usize,
    /// The kind of error.
    pub kind: GrammarErrorKind,
}

/// The kinds of errors in a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrammarErrorKind {
    /// What was expected, and the character that was found (`None`: the end of the rule).
    Expected(&'static str, Option<char>),
    /// A number that is too large (above U+10FFFF for a character).
    TooLarge,
    /// A range or repetition whose end is below its start.
    Backwards,
    /// A rule that is used but not defined.
    Unknown(String),
    /// A rule that is defined a second time.
    Twice(String),
    /// A rule that refers to itself.
    Recursive(String),
}

impl fmt::Display for GrammarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        match &self.kind {
            GrammarErrorKind::Expected(what, Some(there)) => write!(f, "expected {what}, found {there:?}"),
            GrammarErrorKind::Expected(what, None) => write!(f, "expected {what}, found the end of the rule"),
            GrammarErrorKind::TooLarge => f.write_str("the number is too large"),
            GrammarErrorKind::Backwards => f.write_str("the end of the range is below its start"),
            GrammarErrorKind::Unknown(name) => write!(f, "the rule {name} is not defined"),
            GrammarErrorKind::Twice(name) => write!(f, "the rule {name} is defined a second time"),
            GrammarErrorKind::Recursive(name) => write!(f, "the rule {name} refers to itself"),
        }
    }
}

impl Error for GrammarError {}

/// A position in the text of a grammar.
struct Reader<'t> {
    rest: &'t str,
    line: usize,
}

/// One rule of the text.
struct Rule {
    /// The name in lower case.
    name: String,
    /// The line of the name.
    line: usize,
    /// Whether the rule is defined with "=/".
    adds: bool,
    element: Element,
}

type Read<T> = Result<T, GrammarError>;

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Self { rest: text, line: 1 }
    }

    /// Parses the next rule; returns `None` at the end of the text.
    fn read_rule(&mut self) -> Read<Option<Rule>> {
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
    one_or(utf8_ranges(first, last).into_iter().map(sequence).collect(), Element::Choice)
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

/// A set of octets, as 256 flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct OctetSet([u64; 4]);

impl OctetSet {
    /// Returns the octets from `first` to `last`, inclusive.
    pub(crate) fn range(first: u8, last: u8) -> Self {
        (first..=last).fold(Self::default(), Self::with)
    }

    /// Returns the octets of one character of a quoted string, which is case-insensitive (RFC 5234,
    /// 2.3).
    pub(crate) fn any_case(octet: u8) -> Self {
        Self::default().with(octet.to_ascii_lowercase()).with(octet.to_ascii_uppercase())
    }

    pub(crate) fn with(mut self, octet: u8) -> Self {
        self.0[usize::from(octet >> 6)] |= 1 << (octet & 63);
        self
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    pub(crate) fn contains(self, octet: u8) -> bool {
        self.0[usize::from(octet >> 6)] >> (octet & 63) & 1 == 1
    }
}

/// Returns sequences of octet ranges, one range for each position. Together they match exactly the
/// characters from `first` to `last`, inclusive.
fn utf8_ranges(first: char, last: char) -> Vec<Vec<(u8, u8)>> {
    let mut sequences = Vec::new();
    let mut first = u32::from(first);
    while first <= u32::from(last) {
        // Surrogates are not characters.
        let Some(from) = char::from_u32(first) else {
            first = 0xE000;
            continue;
        };
        let to = block_end(from, last);
        let (mut low, mut high) = ([0; 4], [0; 4]);
        let octets = (from.encode_utf8(&mut low).bytes(), to.encode_utf8(&mut high).bytes());
        sequences.push(octets.0.zip(octets.1).collect());
        first = u32::from(to) + 1;
    }
    sequences
}

/// Returns the end of the largest block of characters that begins with `from`, does not exceed
/// `last`, and is the product of one octet range for each position.
fn block_end(from: char, last: char) -> char {
    let from_code = u32::from(from);
    let end_of_length = match from.len_utf8() {
        1 => 0x7F,
        2 => 0x7FF,
        3 if from_code < 0xD800 => 0xD7FF,
        3 => 0xFFFF,
        _ => 0x10_FFFF,
    };
    let limit = end_of_length.min(u32::from(last));
    // Each octet after the first has six bits. The more octets are free, the larger is the block.
    let mut ends = (0..from.len_utf8()).rev().filter_map(|free| {
        let block = 1_u32 << (6 * free);
        let aligned = from_code.is_multiple_of(block);
        // The octet before the free ones runs to the end of its own range; the first one has no
        // limit.
        let run = if free + 1 == from.len_utf8() { u32::MAX } else { from_code | ((block << 6) - 1) };
        let whole = (limit.min(run) + 1) / block * block;
        (aligned && whole > from_code).then(|| whole - 1)
    });
    ends.next().and_then(char::from_u32).unwrap_or(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        let error = match Grammar::parse(text) {
            Ok(grammar) => grammar.compile("a").expect_err("the grammar is wrong"),
            Err(error) => error,
        };
        error.to_string()
    }

    #[test]
    fn an_error_names_its_line() {
        assert_eq!(error("a = \"x\"\n\nb = ( \"x\"\n"), "line 3: expected \")\", found the end of the rule");
        assert_eq!(error("a = \"x\n"), "line 1: expected a closing quote, found '\\n'");
        assert_eq!(error("; c\na = b\n  / c\nb = \"\"\n"), "line 3: the rule c is not defined");
        assert_eq!(error("a = [ b ]\nb = \"x\" A\n"), "line 2: the rule a refers to itself");
        assert_eq!(error("a = \"x\"\nA = \"y\"\n"), "line 2: the rule a is defined a second time");
        assert_eq!(error("a = %x110000\n"), "line 1: the number is too large");
        assert_eq!(error("a = %x39-30\n"), "line 1: the end of the range is below its start");
        assert_eq!(error("a = 3*2DIGIT\n"), "line 1: the end of the range is below its start");
        assert_eq!(error("a = <prose>\n"), "line 1: expected an element, found '<'");
        assert_eq!(error("a =\n"), "line 1: expected an element, found the end of the rule");
        assert_eq!(error("b = \"x\"\n"), "the rule a is not defined");
    }

    #[test]
    fn a_rule_may_be_named_twice_without_being_recursive() {
        let grammar = Grammar::parse("a = b b\nb = c c\nc = DIGIT\n").expect("the grammar is well formed");
        assert!(grammar.compile("a").expect("nothing is recursive").accepts(b"1234"));
    }

    /// Checks that each character of a range matches one sequence, and that no other character
    /// matches.
    fn agrees(first: char, last: char) {
        let sequences = utf8_ranges(first, last);
        for c in '\0'..=char::MAX {
            let mut buffer = [0; 4];
            let octets = c.encode_utf8(&mut buffer).as_bytes();
            let holds = |sequence: &&Vec<(u8, u8)>| {
                sequence.len() == octets.len()
                    && sequence.iter().zip(octets).all(|((low, high), octet)| (low..=high).contains(&octet))
            };
            let count = sequences.iter().filter(holds).count();
            assert_eq!(count, usize::from((first..=last).contains(&c)), "{c:?} {sequences:02X?}");
        }
    }

    #[test]
    fn each_character_has_one_sequence() {
        agrees('\u{A0}', '\u{D7FF}');
        agrees('\u{FDF0}', '\u{FFEF}');
        agrees('\u{1F}', '\u{1F400}');
        agrees('\u{E1000}', '\u{EFFFD}');
        agrees('\0', char::MAX);
        agrees('\u{D7FE}', '\u{E001}');
        agrees('a', 'a');
    }

    #[test]
    fn there_are_few_sequences() {
        assert_eq!(utf8_ranges('\u{80}', '\u{7FF}'), [[(0xC2, 0xDF), (0x80, 0xBF)]]);
        assert_eq!(utf8_ranges('\0', char::MAX).len(), 9);
    }
}
