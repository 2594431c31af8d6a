//! Normalizes characters and escapes. Takes a component's text and returns it with letters, hex
//! digits and escapes in normal form. RFC 3986, sections 6.2.2.1 and 6.2.2.2; RFC 3987, section
//! 5.3.2.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::edition::Edition;
use crate::pct::{escaped_character, escaped_octet, push_escapes};
use crate::simd::{AsciiSet, Class};

/// The escapes and cases that normalization removes in a component.
#[derive(Clone, Copy)]
pub(crate) struct PctDecodable {
    pub(super) edition: &'static Edition,
    /// The characters whose escapes are decoded …
    pub(super) set: AsciiSet,
    /// … in this position.
    pub(super) class: Class,
    /// Whether letters are the same in both cases.
    pub(super) lower: bool,
}

impl PctDecodable {
    /// Returns the same rules, except for one octet, whose escape stays.
    pub(super) fn without(self, octet: u8) -> Self {
        Self { set: self.set.difference(AsciiSet::of(&[octet])), ..self }
    }

    /// Returns the same rules, except for the case of letters.
    pub(crate) const fn keeping_case(self) -> Self {
        Self { lower: false, ..self }
    }

    /// Returns the text in normal form.
    pub(crate) fn write<'t>(self, text: &'t str) -> Cow<'t, str> {
        if !may_change(text, self.lower, self.edition.is_international()) {
            return Cow::Borrowed(text);
        }
        let mut normal = String::with_capacity(text.len());
        self.write_to(&mut normal, text);
        changed(text, normal)
    }

    /// Appends the normal form to another text.
    pub(super) fn write_to(self, normal: &mut String, text: &str) {
        let mut tokens = self.tokens(text);
        while !tokens.rest.is_empty() {
            let percent = tokens.rest.bytes().position(|octet| octet == b'%');
            let (before, rest) = tokens.rest.split_at(percent.unwrap_or(tokens.rest.len()));
            self.write_unescaped(before, normal);
            tokens.rest = rest;
            if let Some(escape) = tokens.next() {
                self.write_escape(escape, normal);
            }
        }
    }

    fn write_unescaped(self, text: &str, normal: &mut String) {
        let edition = self.edition;
        if !edition.is_international() || text.is_ascii() {
            return push_case(normal, text, self.lower);
        }
        for c in text.chars() {
            let written = if self.lower { c.to_ascii_lowercase() } else { c };
            match edition.keeps_escaped(c) {
                true => push_escapes(normal, c.encode_utf8(&mut [0; 4]).as_bytes()),
                false => push(normal, written),
            }
        }
    }

    fn write_escape(self, escape: Token<'_>, normal: &mut String) {
        match self.token(escape) {
            Token { value: Value::Character(c), escaped: false, .. } => push(normal, c),
            // "should be normalized to use uppercase letters for the digits A-F"
            Token { text, .. } => text.chars().for_each(|c| push(normal, c.to_ascii_uppercase())),
        }
    }

    /// Returns the characters and escapes of a text of the component.
    pub(crate) const fn tokens<'t>(self, text: &'t str) -> Tokens<'t> {
        Tokens { rest: text, international: self.edition.is_international() }
    }

    /// Returns one character or escape in normal form, except for the case of its hex digits.
    pub(crate) fn token(self, token: Token<'_>) -> Token<'_> {
        let Token { value: Value::Character(c), escaped, text } = token else { return token };
        // "decoding any percent-encoded octet that corresponds to an unreserved character"
        let escaped = if escaped { !self.undoes(c) } else { self.edition.keeps_escaped(c) };
        // "the scheme and host are case-insensitive and therefore should be normalized to
        // lowercase"
        let c = if self.lower && !escaped { c.to_ascii_lowercase() } else { c };
        Token { value: Value::Character(c), escaped, text }
    }

    fn undoes(self, c: char) -> bool {
        match u8::try_from(c) {
            Ok(octet) if octet.is_ascii() => self.undoes_octet(octet),
            _ => self.edition.writes(self.class, c),
        }
    }

    /// Returns whether the escape of an octet is decoded, in an edition without characters beyond ASCII.
    #[inline]
    pub(super) fn undoes_octet(self, octet: u8) -> bool {
        octet.is_ascii() && self.set.contains(octet) && self.edition.table.contains(self.class, octet)
    }
}

/// Appends a character; a function, because `push` is long where it is inlined.
#[inline(never)]
fn push(out: &mut String, c: char) {
    out.push(c);
}

/// Appends a text as it is, or in lower case.
#[inline(never)]
pub(super) fn push_case(out: &mut String, text: &str, lower: bool) {
    let start = out.len();
    out.push_str(text);
    if lower {
        out[start..].make_ascii_lowercase();
    }
}

/// Whether a text has escapes, capitals or characters that normalization may change.
#[inline(never)]
pub(super) fn may_change(text: &str, lower: bool, international: bool) -> bool {
    // Without a branch, so that many octets are examined at once.
    text.bytes().fold(false, |found, octet| {
        let capital = lower & octet.is_ascii_uppercase();
        found | (octet == b'%') | capital | (international & !octet.is_ascii())
    })
}

/// Returns the normal form of a text, borrowed if it is the text itself.
#[inline(never)]
pub(super) fn changed(text: &str, normal: String) -> Cow<'_, str> {
    if normal == text { Cow::Borrowed(text) } else { Cow::Owned(normal) }
}

/// A character or an octet, literal or escaped.
#[derive(Clone, Copy)]
pub(crate) struct Token<'t> {
    pub(crate) value: Value,
    pub(crate) escaped: bool,
    /// The text as given.
    pub(crate) text: &'t str,
}

/// The value of a token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    Character(char),
    /// An octet that is not ASCII: always escaped.
    Octet(u8),
}

/// An iterator over the characters and escapes of a parsed text.
#[derive(Clone)]
pub(crate) struct Tokens<'t> {
    rest: &'t str,
    /// Whether the escapes of one character are one token.
    international: bool,
}

impl<'t> Tokens<'t> {
    /// Returns the escapes of a text one by one.
    pub(crate) const fn of(text: &'t str) -> Self {
        Self { rest: text, international: false }
    }

    fn take(&mut self, value: Value, escaped: bool, len: usize) -> Option<Token<'t>> {
        let (text, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(Token { value, escaped, text })
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        let first = self.rest.chars().next()?;
        // INVARIANT: in a parsed text "%" is followed by two hex digits.
        let Some(octet) = escaped_octet(self.rest.as_bytes()) else {
            return self.take(Value::Character(first), false, first.len_utf8());
        };
        if octet.is_ascii() {
            return self.take(Value::Character(char::from(octet)), true, 3);
        }
        match escaped_character(self.rest.as_bytes()).filter(|_| self.international) {
            Some(c) => self.take(Value::Character(c), true, 3 * c.len_utf8()),
            None => self.take(Value::Octet(octet), true, 3),
        }
    }
}
