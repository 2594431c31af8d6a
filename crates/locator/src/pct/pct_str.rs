//! Percent-encoded text, borrowed, and its decoding.
//!
//! Percent-encoded text that is owned: the result of encoding bytes.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::iter::FusedIterator;
use core::ops::Range;

use super::{escaped_octet, hex_digit, hex_value, push_escapes};
use crate::as_text::{compares_by_text, error_as_sentence, orders_with_strings, text_traits};
use crate::edition::{self, Charset, CharsetError};
use crate::simd::{self, AsciiSet};

/// A percent-encoded text: every "%" in it is followed by two hex digits.
///
/// Equality compares the text: `%7E` and `~` are different here.
///
/// ```
/// use locator::pct::{Charset, PctStr};
///
/// let name = PctStr::new("caf%C3%A9")?;
/// assert_eq!(name, "caf%C3%A9");
/// assert_eq!(*name.decode(), *b"caf\xC3\xA9");
/// assert_eq!(name.decode_utf8().unwrap(), "café");
/// assert_eq!(name.decode_with(Charset::Latin1).unwrap(), "cafÃ©");
/// # Ok::<_, locator::PctError>(())
/// ```
#[derive(Clone, Copy, Default)]
#[doc(alias = "EStr")]
pub struct PctStr<'a>(&'a str);

impl<'a> PctStr<'a> {
    /// Validates a percent-encoded text.
    ///
    /// # Errors
    ///
    /// Returns the position of a "%" that is not followed by two hex digits.
    pub fn new(text: &'a str) -> Result<Self, PctError> {
        // All editions define hex digits alike.
        match simd::broken_escape(text.as_bytes(), 0, &edition::DEFAULT.table) {
            offset if offset < text.len() => Err(PctError { offset }),
            _ => Ok(Self(text)),
        }
    }

    /// Creates a view of a text that the parser has validated.
    pub(crate) const fn checked(text: &'a str) -> Self {
        Self(text)
    }

    /// Returns the text, exactly as it was given, not decoded.
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.0
    }

    /// Returns whether the text is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Returns the decoded bytes, borrowed if there is no "%". A "+" is not decoded: see
    /// [`SpaceEncoding`].
    ///
    /// ```
    /// use locator::pct::PctStr;
    ///
    /// assert_eq!(*PctStr::new("a%20b+c%FF").unwrap().decode(), *b"a b+c\xFF");
    /// ```
    ///
    /// [`SpaceEncoding`]: crate::build::SpaceEncoding
    #[doc(alias = "percent_decode")]
    #[must_use]
    pub fn decode(self) -> Cow<'a, [u8]> {
        let text = self.0.as_bytes();
        let Some(first) = self.0.find('%') else { return Cow::Borrowed(text) };
        let mut octets = alloc::vec![0; text.len()];
        octets[..first].copy_from_slice(&text[..first]);
        let (mut from, mut count) = (first, first);
        // Eight octets at a time are copied; those after the next "%" are overwritten.
        while let (Some(block), Some(place)) = (block_at(text, from), octets.get_mut(count..))
            && let Some(place) = place.first_chunk_mut()
        {
            *place = *block;
            let before = octets_before_percent(*block);
            if let Some(&[b'%', high, low]) = block.get(before..).and_then(|rest| rest.first_chunk()) {
                place[before] = hex_value(high) << 4 | hex_value(low);
                (from, count) = (from + before + "%XX".len(), count + before + 1);
            } else {
                (from, count) = (from + before, count + before);
                if before == 0 {
                    break;
                }
            }
        }
        while let (Some(&first), Some(place)) = (text.get(from), octets.get_mut(count)) {
            from += 1;
            count += 1;
            *place = first;
            if first == b'%'
                && let Some(&[high, low]) = text.get(from..).and_then(|rest| rest.first_chunk())
            {
                *place = hex_value(high) << 4 | hex_value(low);
                from += 2;
            }
        }
        octets.truncate(count);
        Cow::Owned(octets)
    }

    /// Returns the decoded text, borrowed if there is no "%".
    ///
    /// # Errors
    ///
    /// Returns the position of decoded bytes that are not UTF-8.
    pub fn decode_utf8(self) -> Result<Cow<'a, str>, CharsetError> {
        self.decode_with(Charset::Utf8)
    }

    /// Returns the decoded text, with U+FFFD in place of invalid UTF-8.
    ///
    /// ```
    /// use locator::pct::PctStr;
    ///
    /// assert_eq!(PctStr::new("%C3%A9%FF").unwrap().decode_utf8_lossy(), "é\u{FFFD}");
    /// ```
    #[doc(alias = "to_string_lossy")]
    #[must_use]
    pub fn decode_utf8_lossy(self) -> Cow<'a, str> {
        match self.decode() {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }

    /// Returns the text decoded with a charset.
    ///
    /// # Errors
    ///
    /// Returns the position of a decoded byte that the charset does not define.
    pub fn decode_with(self, charset: Charset) -> Result<Cow<'a, str>, CharsetError> {
        charset.decode(self.decode())
    }

    /// Returns the pieces between the delimiters. Encoded delimiters do not split, so decode the
    /// pieces afterwards.
    ///
    /// There is always at least one piece, which may be empty.
    ///
    /// ```
    /// use locator::pct::PctStr;
    ///
    /// let list = PctStr::new("a,b%2Cc,%2").unwrap_err();
    /// assert_eq!(list.offset(), 8);
    /// let pieces =
    ///     PctStr::new("a,b%2Cc").unwrap().split(',').map(PctStr::decode_utf8_lossy);
    /// assert!(pieces.eq(["a", "b,c"]));
    /// ```
    pub fn split(self, delimiter: char) -> PctSplit<'a> {
        PctSplit { rest: Some(self), delimiter }
    }

    /// Returns the text before and after the first unencoded delimiter, or `None` without one.
    ///
    /// ```
    /// use locator::pct::PctStr;
    ///
    /// let (name, value) = PctStr::new("a%3D=b=c").unwrap().split_once('=').unwrap();
    /// assert_eq!((name.as_str(), value.as_str()), ("a%3D", "b=c"));
    /// ```
    #[must_use]
    pub fn split_once(self, delimiter: char) -> Option<(Self, Self)> {
        let found = if delimiter == '%' || delimiter.is_ascii_hexdigit() {
            // The "%" and the digits of an escape are not delimiters.
            let mut after = 0;
            let is_free = |&(at, c): &(usize, char)| {
                let free = c != '%' && at >= after;
                after = if c == '%' { at + "%XX".len() } else { after };
                free && c == delimiter
            };
            self.0.char_indices().find(is_free).map(|(at, _)| at)
        } else {
            self.0.find(delimiter)
        };
        let at = found?;
        Some((Self(&self.0[..at]), Self(&self.0[at + delimiter.len_utf8()..])))
    }
}

text_traits!(PctStr<'_>);
compares_by_text!(PctStr<'_>);
orders_with_strings!(PctStr<'_>, PctString);

/// The pieces of a percent-encoded text: the result of [`PctStr::split`].
///
/// ```
/// let mut pieces = locator::PctStr::new("a%2Cb,c")?.split(',');
/// assert_eq!(pieces.next().unwrap(), "a%2Cb");
/// assert_eq!(pieces.next().unwrap(), "c");
/// # Ok::<_, locator::PctError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PctSplit<'a> {
    rest: Option<PctStr<'a>>,
    delimiter: char,
}

impl<'a> Iterator for PctSplit<'a> {
    type Item = PctStr<'a>;

    fn next(&mut self) -> Option<PctStr<'a>> {
        let whole = self.rest?;
        let (piece, after) = match whole.split_once(self.delimiter) {
            Some((piece, after)) => (piece, Some(after)),
            None => (whole, None),
        };
        self.rest = after;
        Some(piece)
    }
}

impl FusedIterator for PctSplit<'_> {}

impl<'a> TryFrom<&'a String> for PctStr<'a> {
    type Error = PctError;

    fn try_from(text: &'a String) -> Result<Self, PctError> {
        Self::new(text)
    }
}

impl<'a> TryFrom<&'a str> for PctStr<'a> {
    type Error = PctError;

    fn try_from(text: &'a str) -> Result<Self, PctError> {
        Self::new(text)
    }
}

/// The error of a "%" that is not followed by two hex digits.
///
/// ```
/// let error = locator::PctStr::new("a%4g").unwrap_err();
/// assert_eq!(error.offset(), 1);
/// assert_eq!(error.citation(), "RFC 3986, 2.1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PctError {
    offset: usize,
}

impl PctError {
    /// Returns the offset of the "%" in the text, in bytes.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the byte range of the "%".
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.offset..self.offset + 1
    }

    /// Returns the document and section that define escapes: `RFC 3986, 2.1`.
    #[must_use]
    pub const fn citation(&self) -> &'static str {
        "RFC 3986, 2.1"
    }
}

impl Display for PctError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "\"%\" is not followed by two hex digits, at byte {} ({})", self.offset, self.citation())
    }
}

error_as_sentence!(PctError);

/// Percent-encodes text or bytes, so that they can be a value anywhere in a URI: all but
/// [`AsciiSet::UNRESERVED`] is encoded, text as UTF-8.
///
/// ```
/// use locator::pct;
///
/// let name = "50% off/é";
/// let uri = format!("https://example.com/{}", pct::encode(name));
/// assert_eq!(uri, "https://example.com/50%25%20off%2F%C3%A9");
/// assert_eq!(pct::encode(b"\xFF"), "%FF");
/// ```
///
/// [`encode_with`] takes another set of what is kept.
#[doc(alias("quote", "urlencode", "encodeURIComponent", "utf8_percent_encode", "percent_encode"))]
#[must_use]
pub fn encode(data: impl AsRef<[u8]>) -> PctString {
    PctString::encode(data, AsciiSet::UNRESERVED)
}

/// Percent-encodes text or bytes, except for the bytes of a set, as [`PctString::encode`] does.
///
/// The sets of the crate `percent-encoding` contain what is encoded; these contain what is kept.
///
/// ```
/// use locator::pct::{self, AsciiSet};
///
/// // A path stays a path.
/// const PATH: AsciiSet = AsciiSet::UNRESERVED.add(b'/');
/// assert_eq!(pct::encode_with("/my files/50%", PATH), "/my%20files/50%25");
/// ```
#[doc(alias("utf8_percent_encode", "percent_encode"))]
#[must_use]
pub fn encode_with(data: impl AsRef<[u8]>, keep: impl Into<AsciiSet>) -> PctString {
    PctString::encode(data, keep.into())
}

/// Decodes a percent-encoded text, borrowed if there is no "%". A "+" is a plus sign.
///
/// ```
/// use locator::pct;
///
/// assert_eq!(pct::decode("50%25%20off")?, "50% off");
/// assert!(pct::decode("50%").is_err());
/// assert!(pct::decode("%FF").is_err());
/// # Ok::<_, pct::DecodeError>(())
/// ```
///
/// [`PctStr::decode`] returns bytes, which need not be UTF-8.
///
/// # Errors
///
/// Returns an error for a "%" that is not followed by two hex digits, and for decoded bytes that are not
/// UTF-8.
#[doc(alias("unquote", "urldecode", "decodeURIComponent", "percent_decode_str"))]
pub fn decode(text: &str) -> Result<Cow<'_, str>, DecodeError> {
    Ok(PctStr::new(text)?.decode_utf8()?)
}

/// Decodes a text that need not be valid: a "%" that begins no escape stays, and U+FFFD replaces what is
/// not UTF-8. It is borrowed if there is no "%".
///
/// It is for logs and messages. Two different texts may have one result, so do not compare or look up with it.
///
/// ```
/// use locator::pct;
///
/// assert_eq!(pct::decode_lossy("caf%C3%A9 100% %FF"), "café 100% \u{FFFD}");
/// ```
#[doc(alias("unquote", "percent_decode_str", "decode_utf8_lossy"))]
#[must_use]
pub fn decode_lossy(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let (octets, mut from) = (text.as_bytes(), 0);
    let mut decoded = Vec::with_capacity(octets.len());
    while let Some(&octet) = octets.get(from) {
        let escaped = escaped_octet(&octets[from..]);
        decoded.push(escaped.unwrap_or(octet));
        from += if escaped.is_some() { "%XX".len() } else { 1 };
    }
    Cow::Owned(String::from_utf8_lossy(&decoded).into_owned())
}

/// The error of a text that [`decode`] cannot decode.
///
/// ```
/// use locator::pct::{self, DecodeError};
///
/// let error = pct::decode("100%").unwrap_err();
/// assert!(matches!(error, DecodeError::Escape(_)));
/// assert_eq!(
///     error.to_string(),
///     "\"%\" is not followed by two hex digits, at byte 3 (RFC 3986, 2.1)"
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DecodeError {
    /// A "%" is not followed by two hex digits.
    Escape(PctError),
    /// The decoded bytes are not UTF-8.
    Utf8(CharsetError),
}

impl Display for DecodeError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Escape(error) => error.fmt(f),
            Self::Utf8(error) => error.fmt(f),
        }
    }
}

error_as_sentence!(DecodeError);

impl From<PctError> for DecodeError {
    fn from(error: PctError) -> Self {
        Self::Escape(error)
    }
}

impl From<CharsetError> for DecodeError {
    fn from(error: CharsetError) -> Self {
        Self::Utf8(error)
    }
}

/// An owned percent-encoded text.
///
/// ```
/// use locator::Component;
/// use locator::edition::RFC3986;
/// use locator::pct::{AsciiSet, PctString};
///
/// // A segment of a path may contain what a path may, except "/".
/// let segment = RFC3986.set(Component::Path).difference(AsciiSet::of(b"/"));
/// assert_eq!(PctString::encode("50%/50 + 1", segment), "50%25%2F50%20+%201");
/// assert_eq!(PctString::encode("a+b", AsciiSet::UNRESERVED), "a%2Bb");
/// assert_eq!(PctString::encode(b"a\xFF", AsciiSet::UNRESERVED), "a%FF");
/// ```
#[derive(Clone, Default)]
#[doc(alias = "EString")]
pub struct PctString(String);

impl PctString {
    /// Percent-encodes every byte that is not in `keep`; "%" and bytes that are not ASCII always.
    ///
    /// Text is encoded as UTF-8.
    #[doc(alias("percent_encode", "utf8_percent_encode"))]
    #[must_use]
    pub fn encode(data: impl AsRef<[u8]>, keep: AsciiSet) -> Self {
        Self::encode_octets(data.as_ref(), keep)
    }

    fn encode_octets(octets: &[u8], keep: AsciiSet) -> Self {
        let keep = keep.difference(AsciiSet::ESCAPE);
        let mut text = String::new();
        let (mut room, mut rest) = ([0; ROOM], octets.len());
        for block in octets.chunks(BLOCK) {
            // Three octets are always written and one or three are kept, which is faster than a
            // branch.
            let mut end = 0;
            for &octet in block {
                let kept = keep.contains(octet);
                if let Some(place) = room.get_mut(end..).and_then(|room| room.first_chunk_mut()) {
                    *place = if kept { [octet, 0, 0] } else { ESCAPES[usize::from(octet)] };
                }
                end += if kept { 1 } else { 3 };
            }
            rest -= block.len();
            text.reserve(end + rest);
            // INVARIANT: the written octets are ASCII.
            text.push_str(core::str::from_utf8(&room[..end]).unwrap_or_default());
        }
        Self(text)
    }

    /// Encodes the octets of every character that is not kept, and invalid UTF-8.
    pub(crate) fn encode_with(octets: &[u8], keep: impl Fn(char) -> bool) -> Self {
        let mut text = String::with_capacity(octets.len());
        for chunk in octets.utf8_chunks() {
            for c in chunk.valid().chars() {
                if keep(c) {
                    text.push(c);
                } else {
                    push_escapes(&mut text, c.encode_utf8(&mut [0; 4]).as_bytes());
                }
            }
            push_escapes(&mut text, chunk.invalid());
        }
        Self(text)
    }

    /// Borrows the text as a [`PctStr`].
    #[must_use]
    pub const fn as_pct_str(&self) -> PctStr<'_> {
        PctStr::checked(self.0.as_str())
    }

    /// Returns the text, not decoded.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns the text as a `String`, without copying.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

/// The methods of [`PctStr`] for [`PctString`].
impl PctString {
    /// Returns whether the text is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the decoded bytes: see [`PctStr::decode`].
    #[must_use]
    pub fn decode(&self) -> Cow<'_, [u8]> {
        self.as_pct_str().decode()
    }

    /// Returns the decoded text: see [`PctStr::decode_utf8`].
    ///
    /// ```
    /// use locator::pct::PctString;
    ///
    /// assert_eq!(
    ///     "caf%C3%A9".parse::<PctString>().unwrap().decode_utf8().unwrap(),
    ///     "café"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the position of decoded bytes that are not UTF-8.
    pub fn decode_utf8(&self) -> Result<Cow<'_, str>, CharsetError> {
        self.as_pct_str().decode_utf8()
    }

    /// Returns the decoded text, with U+FFFD in place of invalid UTF-8.
    #[must_use]
    pub fn decode_utf8_lossy(&self) -> Cow<'_, str> {
        self.as_pct_str().decode_utf8_lossy()
    }

    /// Returns the text decoded with a charset.
    ///
    /// # Errors
    ///
    /// Returns the position of a decoded byte that the charset does not define.
    pub fn decode_with(&self, charset: Charset) -> Result<Cow<'_, str>, CharsetError> {
        self.as_pct_str().decode_with(charset)
    }

    /// Returns the pieces between the delimiters: see [`PctStr::split`].
    pub fn split(&self, delimiter: char) -> PctSplit<'_> {
        self.as_pct_str().split(delimiter)
    }

    /// Returns the text before and after the first unencoded delimiter, or `None` without one.
    #[must_use]
    pub fn split_once(&self, delimiter: char) -> Option<(PctStr<'_>, PctStr<'_>)> {
        self.as_pct_str().split_once(delimiter)
    }
}

impl core::str::FromStr for PctString {
    type Err = PctError;

    fn from_str(text: &str) -> Result<Self, PctError> {
        PctStr::new(text).map(Self::from)
    }
}

impl<'a> From<&'a PctString> for PctStr<'a> {
    fn from(encoded: &'a PctString) -> Self {
        encoded.as_pct_str()
    }
}

impl From<PctString> for String {
    fn from(encoded: PctString) -> Self {
        encoded.0
    }
}

impl From<PctString> for Cow<'_, str> {
    fn from(encoded: PctString) -> Self {
        Cow::Owned(encoded.0)
    }
}

impl<'a> From<PctStr<'a>> for &'a str {
    fn from(encoded: PctStr<'a>) -> Self {
        encoded.0
    }
}

impl From<PctStr<'_>> for PctString {
    fn from(encoded: PctStr<'_>) -> Self {
        encoded.to_owned()
    }
}

impl PartialEq<PctString> for PctStr<'_> {
    fn eq(&self, other: &PctString) -> bool {
        self.as_str() == other.as_str()
    }
}

impl PartialEq<PctStr<'_>> for PctString {
    fn eq(&self, other: &PctStr<'_>) -> bool {
        self.as_str() == other.as_str()
    }
}

text_traits!(PctString);
compares_by_text!(PctString);

impl PctStr<'_> {
    /// Copies the text into a [`PctString`].
    #[must_use]
    pub fn to_owned(self) -> PctString {
        PctString(self.as_str().into())
    }
}

/// The number of octets that are encoded before the result is appended to the text.
const BLOCK: usize = 64;
const ROOM: usize = 3 * BLOCK;

/// Returns eight octets from an offset, if there are as many.
#[inline(always)]
fn block_at(text: &[u8], from: usize) -> Option<&[u8; 8]> {
    text.get(from..)?.first_chunk()
}

/// Returns the number of octets before the first "%"; 8 without one.
#[inline(always)]
const fn octets_before_percent(block: [u8; 8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The highest bit of the first octet that is zero is set: that of "%".
    let differs = u64::from_le_bytes(block) ^ (ONES * b'%' as u64);
    let zeros = differs.wrapping_sub(ONES) & !differs & (ONES << 7);
    (zeros.trailing_zeros() / u8::BITS) as usize
}

/// Returns the escape of an octet.
pub(crate) fn escape_of(octet: u8) -> &'static str {
    // INVARIANT: an escape is ASCII.
    core::str::from_utf8(&ESCAPES[usize::from(octet)]).unwrap_or_default()
}

/// The escape of each octet.
static ESCAPES: [[u8; 3]; 256] = {
    let mut escapes = [[b'%'; 3]; 256];
    let mut octet = 0;
    while octet < 256 {
        escapes[octet] = [b'%', hex_digit(octet as u8 >> 4), hex_digit(octet as u8)];
        octet += 1;
    }
    escapes
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escape_is_decoded_at_every_place() {
        for (before, between) in (0..20).flat_map(|before| (0..20).map(move |between| (before, between))) {
            let [before, between] = [before, between].map(|count| "a".repeat(count));
            let text = [&before, "%25%FF", &*between, "%41", &between].concat();
            let decoded = PctStr::new(&text).expect("its escapes are whole").decode();
            let expected =
                [before.as_bytes(), b"%\xFF", between.as_bytes(), b"A", between.as_bytes()].concat();
            assert_eq!(*decoded, expected, "{text}");
        }
    }
}
