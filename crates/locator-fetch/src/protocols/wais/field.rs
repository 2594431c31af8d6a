//! The fields of an APDU: a tag, the length of a value, and the value. Tags and lengths are compressed
//! integers: seven bits an octet, the highest first, and the highest bit of an octet is set if another
//! octet follows.

use std::fmt::{self, Display, Formatter};

/// The error of an answer that is not one of WAIS.
///
/// ```
/// use locator_fetch::wais::{InitResponse, MalformedError};
///
/// assert_eq!(InitResponse::parse(b"HTTP/1.1 200 OK"), Err(MalformedError));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MalformedError;

impl Display for MalformedError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("not a valid WAIS response")
    }
}

crate::redact::error!(MalformedError);

/// A field: its tag and its value.
type Field<'a> = (u64, &'a [u8]);

/// The tag of diagnostics, whose length has two octets and is not compressed.
pub(super) const DIAGNOSTIC: u64 = 28;

/// The octet that ends a diagnostic; its length does not count it.
const END: u8 = 0x1D;

/// The fields of some octets. They end after an error.
#[derive(Clone, Debug)]
pub(super) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub(super) const fn new(octets: &'a [u8]) -> Self {
        Self { rest: octets }
    }

    fn take(&mut self) -> Option<Field<'a>> {
        let (tag, rest) = compressed(std::mem::take(&mut self.rest))?;
        let (length, rest) = match tag {
            DIAGNOSTIC => {
                rest.split_first_chunk().map(|(&length, rest)| (u16::from_be_bytes(length).into(), rest))?
            }
            _ => compressed(rest)?,
        };
        let (value, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        self.rest = match rest {
            [END, rest @ ..] if tag == DIAGNOSTIC => rest,
            rest => rest,
        };
        Some((tag, value))
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Field<'a>, MalformedError>;

    fn next(&mut self) -> Option<Self::Item> {
        (!self.rest.is_empty()).then(|| self.take().ok_or(MalformedError))
    }
}

/// Reads a compressed integer. It may begin with octets of 0x80, which add nothing.
fn compressed(octets: &[u8]) -> Option<(u64, &[u8])> {
    let last = octets.iter().position(|octet| octet & 0x80 == 0)?;
    let (integer, rest) = octets.split_at(last + 1);
    let value = integer
        .iter()
        .try_fold(0_u64, |value, octet| Some(value.checked_mul(0x80)? | u64::from(octet & 0x7F)))?;
    Some((value, rest))
}

/// Reads a number: the highest octet first, as few octets as it needs.
pub(super) fn number(octets: &[u8]) -> Option<u64> {
    octets.iter().try_fold(0_u64, |value, octet| Some(value.checked_mul(0x100)? | u64::from(*octet)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        assert_eq!(compressed(&[0x81, 0x16, 5]), Some((150, &[5][..])));
        assert_eq!(compressed(&[0x80, 0x80, 0x80, 5]), Some((5, &[][..])));
        assert_eq!(compressed(&[&[0x80; 10_000][..], &[0x81, 0]].concat()), Some((128, &[][..])));
        assert_eq!(compressed(&[0xFF; 9]), None);
        assert_eq!(compressed(&[&[0xFF; 10][..], &[0]].concat()), None);
        assert_eq!(compressed(&[]), None);
        assert_eq!(number(&[0x01, 0x97, 0x24]), Some(104_228));
        assert_eq!(number(&[]), Some(0));
        assert_eq!(number(&[0xFF; 8]), Some(u64::MAX));
        assert_eq!(number(&[1, 0, 0, 0, 0, 0, 0, 0, 0]), None);
    }

    #[test]
    fn fields() {
        let all = |octets: &'static [u8]| Fields::new(octets).collect::<Vec<_>>();
        assert_eq!(all(b"\x81\x16\x80\x02ab\x7B\0"), [Ok((150, &b"ab"[..])), Ok((123, b""))]);
        let diagnostic = Ok((DIAGNOSTIC, &b"SF\0"[..]));
        assert_eq!(all(b"\x1C\0\x03SF\0\x1D\x63\x01x"), [diagnostic, Ok((99, b"x"))]);
        assert_eq!(all(b"\x1C\0\x03SF\0\x63\x01x"), [diagnostic, Ok((99, b"x"))]);
        for cut in [&b"\x63"[..], b"\x63\x02x", b"\x63\x81", b"\x1C\0", b"\x1C\0\x04SF\0", b"\xFF"] {
            assert_eq!(all(cut), [Err(MalformedError)], "{cut:?}");
        }
    }
}
