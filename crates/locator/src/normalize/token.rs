//! Octets and escapes: a component's text enters, the same with its letters, hex digits and
//! escapes in normal form leaves. RFC 3986, sections 6.2.2.1 and 6.2.2.2.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::octet::{Class, Set};
use crate::reference::UriRef;

/// What makes no difference within a component.
#[derive(Clone, Copy)]
pub(crate) struct Undone<'a> {
    pub(super) reference: UriRef<'a>,
    /// The escapes of what may be undone …
    pub(super) set: Set,
    /// … where it may stand.
    pub(super) class: Class,
    /// Whether letters are the same in both cases.
    pub(super) lower: bool,
}

impl Undone<'_> {
    /// The same, but for one octet, whose escape stays.
    pub(super) fn without(self, octet: u8) -> Self {
        Self { set: self.set.without(Set::of(&[octet])), ..self }
    }

    /// The text in normal form.
    pub(crate) fn write<'t>(self, text: &'t str) -> Cow<'t, str> {
        let differs = |octet: u8| octet == b'%' || self.lower && octet.is_ascii_uppercase();
        if !text.bytes().any(differs) {
            return Cow::Borrowed(text);
        }
        let mut normal = String::with_capacity(text.len());
        for token in Tokens::of(text) {
            match self.token(token) {
                Token { octet, escaped: false, .. } => normal.push(char::from(octet)),
                // "should be normalized to use uppercase letters for the digits A-F"
                Token { text, .. } => normal.extend(text.chars().map(|digit| digit.to_ascii_uppercase())),
            }
        }
        if normal == text { Cow::Borrowed(text) } else { Cow::Owned(normal) }
    }

    /// One octet or escape in normal form, but for the case of its hex digits.
    pub(crate) fn token(self, token: Token<'_>) -> Token<'_> {
        let Token { octet, escaped, text } = token;
        // "decoding any percent-encoded octet that corresponds to an unreserved character"
        let escaped = escaped && !self.undoes(octet);
        // "the scheme and host are case-insensitive and therefore should be normalized to lowercase"
        let octet = if self.lower && !escaped { octet.to_ascii_lowercase() } else { octet };
        Token { octet, escaped, text }
    }

    fn undoes(self, octet: u8) -> bool {
        self.set.holds(octet) && self.reference.edition().table.holds(self.class, octet)
    }
}

/// An octet, as it stands or escaped.
#[derive(Clone, Copy)]
pub(crate) struct Token<'t> {
    pub(crate) octet: u8,
    pub(crate) escaped: bool,
    /// As it was given.
    pub(crate) text: &'t str,
}

/// The octets and escapes of a text that was read, one after the other.
#[derive(Clone)]
pub(crate) struct Tokens<'t>(&'t str);

impl<'t> Tokens<'t> {
    pub(crate) const fn of(text: &'t str) -> Self {
        Self(text)
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        let first = *self.0.as_bytes().first()?;
        let value = |triplet: &'t str| u8::from_str_radix(triplet.get(1..)?, 16).ok();
        // INVARIANT: what was read is ASCII, and "%" is followed by two hex digits.
        let escape = self.0.split_at_checked(3).filter(|_| first == b'%');
        if let Some((text, rest)) = escape
            && let Some(octet) = value(text)
        {
            self.0 = rest;
            return Some(Token { octet, escaped: true, text });
        }
        let (text, rest) = self.0.split_at_checked(1)?;
        self.0 = rest;
        Some(Token { octet: first, escaped: false, text })
    }
}
