//! The format of forms, `application/x-www-form-urlencoded` (URL Standard, section of this name).
//!
//! ```
//! use locator_whatwg::form_urlencoded::{Serializer, parse};
//!
//! let pairs: Vec<_> = parse(b"a=1+2&b=%26&c").collect();
//! assert_eq!(pairs, [("a".into(), "1 2".into()), ("b".into(), "&".into()), ("c".into(), "".into())]);
//!
//! let query = Serializer::new(String::new()).append_pair("a b", "c&d").append_key_only("e").finish();
//! assert_eq!(query, "a+b=c%26d&e");
//! ```

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;

use crate::percent;

/// Encodes the query of a URL by the encoding of its document.
pub type EncodingOverride<'a> = Option<&'a dyn Fn(&str) -> Cow<'_, [u8]>>;

/// Parses pairs, decoded.
#[must_use]
pub fn parse(input: &[u8]) -> Parse<'_> {
    Parse { input }
}

/// The pairs of a text: [`parse`].
#[derive(Clone, Copy, Debug)]
pub struct Parse<'a> {
    input: &'a [u8],
}

impl<'a> Iterator for Parse<'a> {
    type Item = (Cow<'a, str>, Cow<'a, str>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.input.is_empty() {
                return None;
            }
            let end = self.input.iter().position(|&byte| byte == b'&').unwrap_or(self.input.len());
            let sequence = &self.input[..end];
            self.input = self.input.get(end + 1..).unwrap_or_default();
            if sequence.is_empty() {
                continue;
            }
            let equals = sequence.iter().position(|&byte| byte == b'=').unwrap_or(sequence.len());
            let value = sequence.get(equals + 1..).unwrap_or_default();
            return Some((decode(&sequence[..equals]), decode(value)));
        }
    }
}

impl<'a> Parse<'a> {
    /// Returns an iterator of pairs of `String`.
    #[must_use]
    pub fn into_owned(self) -> ParseIntoOwned<'a> {
        ParseIntoOwned { inner: self }
    }
}

/// The pairs of a text, as `String`: [`Parse::into_owned`].
#[derive(Clone, Debug)]
pub struct ParseIntoOwned<'a> {
    inner: Parse<'a>,
}

impl Iterator for ParseIntoOwned<'_> {
    type Item = (String, String);

    fn next(&mut self) -> Option<Self::Item> {
        self.inner.next().map(|(name, value)| (name.into_owned(), value.into_owned()))
    }
}

/// "+" is a space; then percent-decoding, and UTF-8 decode without BOM.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if !bytes.iter().any(|byte| matches!(byte, b'+' | b'%')) {
        return String::from_utf8_lossy(bytes);
    }
    let spaced: Vec<u8> = bytes.iter().map(|&byte| if byte == b'+' { b' ' } else { byte }).collect();
    let decoded = percent::decode(&spaced);
    Cow::Owned(
        String::from_utf8(decoded)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
    )
}

/// Encodes bytes: an iterator of pieces of the result.
#[must_use]
pub fn byte_serialize(input: &[u8]) -> ByteSerialize<'_> {
    ByteSerialize { bytes: input }
}

/// The pieces of an encoded text: [`byte_serialize`].
#[derive(Debug)]
pub struct ByteSerialize<'a> {
    bytes: &'a [u8],
}

/// Whether a byte is not in the `application/x-www-form-urlencoded` percent-encode set.
fn is_kept(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'*' | b'-' | b'.' | b'_')
}

/// `%00` to `%FF`.
const ESCAPES: &str = {
    const TEXT: [u8; 768] = {
        let mut text = [b'%'; 768];
        let mut byte = 0;
        while byte < 256 {
            text[3 * byte + 1] = b"0123456789ABCDEF"[byte >> 4];
            text[3 * byte + 2] = b"0123456789ABCDEF"[byte & 15];
            byte += 1;
        }
        text
    };
    match core::str::from_utf8(&TEXT) {
        Ok(text) => text,
        Err(_) => panic!("ASCII"),
    }
};

impl<'a> Iterator for ByteSerialize<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (&first, rest) = self.bytes.split_first()?;
        if !is_kept(first) {
            self.bytes = rest;
            let at = 3 * usize::from(first);
            return Some(if first == b' ' { "+" } else { &ESCAPES[at..at + 3] });
        }
        let end = self.bytes.iter().position(|&byte| !is_kept(byte)).unwrap_or(self.bytes.len());
        let (kept, rest) = self.bytes.split_at(end);
        self.bytes = rest;
        // INVARIANT: what is kept is ASCII.
        core::str::from_utf8(kept).ok()
    }
}

/// Where a [`Serializer`] writes to.
pub trait Target {
    /// What [`Serializer::finish`] returns.
    type Finished;

    /// Returns the text that is appended to.
    fn as_mut_string(&mut self) -> &mut String;

    /// Ends writing.
    fn finish(self) -> Self::Finished;
}

impl Target for String {
    type Finished = Self;

    fn as_mut_string(&mut self) -> &mut String {
        self
    }

    fn finish(self) -> Self {
        self
    }
}

impl Target for &mut String {
    type Finished = Self;

    fn as_mut_string(&mut self) -> &mut String {
        self
    }

    fn finish(self) -> Self {
        self
    }
}

/// Appends pairs to a text.
pub struct Serializer<'a, T: Target> {
    target: Option<T>,
    start_position: usize,
    encoding: EncodingOverride<'a>,
}

impl<'a, T: Target> Serializer<'a, T> {
    /// Appends to a text, which is empty or has this format already.
    pub fn new(target: T) -> Self {
        Self::for_suffix(target, 0)
    }

    /// Appends to what begins at a byte of a text.
    ///
    /// # Panics
    ///
    /// If the text is shorter.
    pub fn for_suffix(mut target: T, start_position: usize) -> Self {
        let length = target.as_mut_string().len();
        assert!(length >= start_position, "invalid length {start_position} for target of length {length}");
        Self { target: Some(target), start_position, encoding: None }
    }

    fn text(&mut self) -> &mut String {
        self.target.as_mut().expect("url::form_urlencoded::Serializer double finish").as_mut_string()
    }

    /// Removes all pairs.
    ///
    /// # Panics
    ///
    /// After [`Self::finish`].
    pub fn clear(&mut self) -> &mut Self {
        let start = self.start_position;
        self.text().truncate(start);
        self
    }

    /// Sets the encoding of names and values.
    pub fn encoding_override(&mut self, new: EncodingOverride<'a>) -> &mut Self {
        self.encoding = new;
        self
    }

    /// Appends a pair.
    ///
    /// # Panics
    ///
    /// After [`Self::finish`].
    pub fn append_pair(&mut self, name: &str, value: &str) -> &mut Self {
        self.append(name, Some(value));
        self
    }

    /// Appends a name without "=".
    ///
    /// # Panics
    ///
    /// After [`Self::finish`].
    pub fn append_key_only(&mut self, name: &str) -> &mut Self {
        self.append(name, None);
        self
    }

    fn append(&mut self, name: &str, value: Option<&str>) {
        let (start, encoding) = (self.start_position, self.encoding);
        let text = self.text();
        if text.len() > start {
            text.push('&');
        }
        push_encoded(text, name, encoding);
        if let Some(value) = value {
            text.push('=');
            push_encoded(text, value, encoding);
        }
    }

    /// Appends pairs.
    ///
    /// # Panics
    ///
    /// After [`Self::finish`].
    pub fn extend_pairs<I, K, V>(&mut self, iter: I) -> &mut Self
    where
        I: IntoIterator,
        I::Item: Borrow<(K, V)>,
        K: AsRef<str>,
        V: AsRef<str>,
    {
        for pair in iter {
            let (name, value) = pair.borrow();
            self.append(name.as_ref(), Some(value.as_ref()));
        }
        self
    }

    /// Appends names without "=".
    ///
    /// # Panics
    ///
    /// After [`Self::finish`].
    pub fn extend_keys_only<I, K>(&mut self, iter: I) -> &mut Self
    where
        I: IntoIterator,
        I::Item: Borrow<K>,
        K: AsRef<str>,
    {
        for name in iter {
            self.append(name.borrow().as_ref(), None);
        }
        self
    }

    /// Returns what was written to.
    ///
    /// # Panics
    ///
    /// If it is called twice.
    pub fn finish(&mut self) -> T::Finished {
        self.target.take().expect("url::form_urlencoded::Serializer double finish").finish()
    }
}

impl<T: Target> fmt::Debug for Serializer<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serializer").field("start_position", &self.start_position).finish_non_exhaustive()
    }
}

fn push_encoded(out: &mut String, text: &str, encoding: EncodingOverride<'_>) {
    if let Some(encode) = encoding {
        return out.extend(byte_serialize(&encode(text)));
    }
    let mut kept = 0;
    for (at, byte) in text.bytes().enumerate().filter(|(_, byte)| !is_kept(*byte)) {
        // All bytes that are not ASCII are encoded, so these are places between characters.
        out.push_str(text.get(kept..at).unwrap_or_default());
        let escape = 3 * usize::from(byte);
        out.push_str(if byte == b' ' { "+" } else { &ESCAPES[escape..escape + 3] });
        kept = at + 1;
    }
    out.push_str(text.get(kept..).unwrap_or_default());
}
