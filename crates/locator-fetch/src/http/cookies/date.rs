//! Dates of cookies, in the many forms that servers write: RFC 6265, 5.1.1.

use std::time::UNIX_EPOCH;

use crate::time::calendar::{Moment, days_of, month};

/// Parses a date to the seconds since 1970; earlier ones are 0.
pub(super) fn seconds(text: &[u8]) -> Option<u64> {
    let (mut time, mut day, mut month, mut year) = (None, None, None, None);
    for token in text.split(|octet| is_delimiter(*octet)).filter(|token| !token.is_empty()) {
        if time.is_none()
            && let Some(found) = time_of(token)
        {
            time = Some(found);
        } else if day.is_none()
            && let Some(found) = number(token, 1, 2)
        {
            day = Some(found);
        } else if month.is_none()
            && let Some(found) = month_of(token)
        {
            month = Some(found);
        } else if year.is_none()
            && let Some(found) = number(token, 2, 4)
        {
            year = Some(found);
        }
    }
    let ((hour, minute, second), day, month, year) = (time?, day?, month?, year?);
    // "If the year-value is greater than or equal to 70 and less than or equal to 99, increment the year-value
    // by 1900"; "greater than or equal to 0 and less than or equal to 69, […] by 2000".
    let year = match year {
        70..=99 => year + 1900,
        0..=69 => year + 2000,
        _ => year,
    };
    // "Let the parsed-cookie-date be the date"; one that does not exist, such as 30 February, is none.
    if !(1..=days_of(year, month)).contains(&day) || year < 1601 || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    if year < 1970 {
        return Some(0);
    }
    let time = Moment { year, month, day, hour, minute, second }.time()?;
    time.duration_since(UNIX_EPOCH).ok().map(|time| time.as_secs())
}

/// "delimiter = %x09 / %x20-2F / %x3B-40 / %x5B-60 / %x7B-7E".
const fn is_delimiter(octet: u8) -> bool {
    matches!(octet, 0x09 | 0x20..=0x2F | 0x3B..=0x40 | 0x5B..=0x60 | 0x7B..=0x7E)
}

/// Reads "at least" and "at most" so many digits at the beginning of a token, which others may follow but no
/// digit.
fn number(token: &[u8], least: usize, most: usize) -> Option<u64> {
    let count = token.iter().take_while(|octet| octet.is_ascii_digit()).count();
    let is_right = (least..=most).contains(&count);
    is_right.then(|| token[..count].iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0')))
}

/// "hms-time = time-field ":" time-field ":" time-field", each of one or two digits.
fn time_of(token: &[u8]) -> Option<(u64, u64, u64)> {
    let mut fields = token.splitn(3, |octet| *octet == b':');
    let exact = |field: &[u8]| number(field, 1, 2).filter(|_| field.len() <= 2);
    let hour = exact(fields.next()?).filter(|_| token.contains(&b':'))?;
    let minute = exact(fields.next()?)?;
    Some((hour, minute, number(fields.next()?, 1, 2)?))
}

/// Returns the month by its first three letters.
fn month_of(token: &[u8]) -> Option<u64> {
    month(str::from_utf8(token.get(..3)?).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (text, expected) in [
            ("Thu, 01 Jan 1970 00:00:01 GMT", Some(1)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", Some(784_111_777)),
            ("Sun Nov  6 08:49:37 1994", Some(784_111_777)),
            ("6 november 1994 8:49:37", Some(784_111_777)),
            ("Fri, 31-Dec-9999 23:59:59 GMT", Some(253_402_300_799)),
            ("Thu, 29 Feb 2024 23:59:59 GMT", Some(1_709_251_199)),
            ("Mon, 01 Jan 1601 00:00:00 GMT", Some(0)),
            ("Mon, 01 Jan 1600 00:00:00 GMT", None),
            ("Wed, 30 Feb 2024 00:00:00 GMT", None),
            ("Sun, 06 Nov 1994 24:00:00 GMT", None),
            ("06 Nov 1994", None),
            ("0", None),
            ("", None),
        ] {
            assert_eq!(seconds(text.as_bytes()), expected, "{text}");
        }
    }
}
