//! Recognizes escapes that begin with "\". Takes the word after it and returns how many of its
//! octets may belong to an escape. In `\x00http://a/` and `\fBhttp://a/` these are the notations of
//! C, JSON and roff.

/// Returns the length of a numeric escape at the start of a word: `\x1b`, `\u0020`, `\033`.
pub(super) fn digits(text: &[u8], start: usize) -> Option<usize> {
    let word = text[..start].last().filter(|before| **before == b'\\').map(|_| &text[start..])?;
    let count = |word: &[u8], most: usize, is_digit: fn(&u8) -> bool| {
        word.iter().take(most).take_while(|octet| is_digit(octet)).count()
    };
    let hex = u8::is_ascii_hexdigit;
    match word {
        [b'x', rest @ ..] => Some(count(rest, 2, hex)).filter(|digits| *digits > 0).map(|digits| digits + 1),
        [b'u', rest @ ..] => Some(5).filter(|_| count(rest, 4, hex) == 4),
        [b'U', rest @ ..] => Some(9).filter(|_| count(rest, 8, hex) == 8),
        _ => Some(count(word, 3, u8::is_ascii_digit)).filter(|digits| *digits > 0),
    }
}

/// Whether a numeric escape is that of a control, a space or a quote, so that a word begins after
/// it.
pub(super) fn is_apart(escape: &[u8]) -> bool {
    let (digits, radix) = match escape {
        [b'x' | b'u' | b'U', hex @ ..] => (hex, 16),
        _ => (escape, 8),
    };
    let code = core::str::from_utf8(digits).ok().and_then(|digits| u32::from_str_radix(digits, radix).ok());
    code.is_some_and(|code| code <= 0x20 || code == 0x22 || code == 0x27)
}

/// Returns the length of a roff escape in a word: a font, as in `\fB`, a size, as in `\s-1`, or a
/// name of two octets, as in `\(lq` and `\f(CW`.
pub(super) fn roff(text: &[u8], start: usize) -> Option<usize> {
    match text.split_at(start) {
        ([.., b'\\'], [b'f', font, ..]) => (font.is_ascii_uppercase() || font.is_ascii_digit()).then_some(2),
        ([.., b'\\'], [b's', b'+' | b'-', digit, ..]) => digit.is_ascii_digit().then_some(3),
        ([.., b'\\'], [b's', digit, ..]) => digit.is_ascii_digit().then_some(2),
        ([.., b'\\', b'('] | [.., b'\\', b'f' | b'*' | b's' | b'm', b'('], _) => Some(2),
        _ => None,
    }
}

/// Whether a text begins with a roff font, or with a character that roff names.
pub(super) fn begins_roff(text: &[u8]) -> bool {
    match text {
        [b'\\', b'f', font, ..] => font.is_ascii_uppercase() || font.is_ascii_digit() || b"([".contains(font),
        [b'\\', b'(' | b'[' | b'&' | b'*', ..] => true,
        _ => false,
    }
}
