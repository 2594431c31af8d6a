//! Signed URLs of storage services: takes the query of a URL, returns whose signature it has, where that is and when it
//! ends, as far as the query says. Everybody who has such a URL can use it until then.
//!
//! ```text
//! let found = signature("X-Amz-Date=20260101T120000Z&X-Amz-Expires=3600&X-Amz-Signature=0a1b")?;
//! assert_eq!((found.service, found.end), ("Amazon S3", Some("2026-01-01 13:00:00 UTC")));
//! ```

use alloc::format;
use alloc::string::String;
use core::ops::Range;

use crate::unwrap::decoded;

/// A signature in a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    pub(crate) service: &'static str,
    /// Where its value is in the query.
    pub(crate) span: Range<usize>,
    /// Until when the URL can be used: `2026-01-01 13:00:00 UTC`; `None` if the query does not say it.
    pub(crate) end: Option<String>,
}

/// How a service signs URLs.
struct SignatureForm {
    service: &'static str,
    /// The parameter whose value is the signature.
    signature: &'static str,
    /// A parameter that other signatures of this name do not have.
    with: &'static str,
    end: End,
}

/// How a query says when a signature ends.
#[derive(Clone, Copy)]
enum End {
    /// A date and a number of seconds: `20260101T120000Z`, `3600`.
    After(&'static str, &'static str),
    /// Seconds since 1970.
    Epoch(&'static str),
    /// A date of ISO 8601, as it is: `2026-01-01T12:00:00Z`.
    Date(&'static str),
    /// Two numbers of seconds since 1970: `1760000000;1760003600`.
    Range(&'static str),
    Unknown,
}

/// Sources: the documentation of the services on signed URLs.
#[rustfmt::skip]
static FORMS: [SignatureForm; 12] = [
    form("Amazon S3", "X-Amz-Signature", "X-Amz-Credential", End::After("X-Amz-Date", "X-Amz-Expires")),
    form("Amazon S3", "Signature", "AWSAccessKeyId", End::Epoch("Expires")),
    form("Amazon CloudFront", "Signature", "Key-Pair-Id", End::Epoch("Expires")),
    form("Google Cloud Storage", "X-Goog-Signature", "X-Goog-Credential", End::After("X-Goog-Date", "X-Goog-Expires")),
    form("Google Cloud Storage", "Signature", "GoogleAccessId", End::Epoch("Expires")),
    form("Google Cloud CDN", "Signature", "KeyName", End::Epoch("Expires")),
    form("Azure Storage", "sig", "se", End::Date("se")),
    form("Azure Storage", "sig", "si", End::Unknown),
    form("Alibaba Cloud OSS", "Signature", "OSSAccessKeyId", End::Epoch("Expires")),
    form("Alibaba Cloud OSS", "x-oss-signature", "x-oss-credential", End::After("x-oss-date", "x-oss-expires")),
    form("Tencent Cloud COS", "q-signature", "q-ak", End::Range("q-sign-time")),
    form("Huawei Cloud OBS", "Signature", "AccessKeyId", End::Epoch("Expires")),
];

const fn form(service: &'static str, signature: &'static str, with: &'static str, end: End) -> SignatureForm {
    SignatureForm { service, signature, with, end }
}

/// Returns the signature of a query; `None` if it is of no service that is known.
pub(crate) fn signature(query: &str) -> Option<Signature> {
    FORMS.iter().find_map(|form| {
        let span = value(query, form.signature).filter(|span| span.len() >= LEAST)?;
        value(query, form.with)?;
        Some(Signature { service: form.service, span, end: end_of(query, form.end) })
    })
}

/// A signature is not shorter; an example may be.
const LEAST: usize = 16;

/// Returns where the value of a parameter is.
fn value(query: &str, name: &str) -> Option<Range<usize>> {
    let mut start = 0;
    for pair in query.split('&') {
        if let Some((other, value)) = pair.split_once('=')
            && other.eq_ignore_ascii_case(name)
        {
            return Some(start + pair.len() - value.len()..start + pair.len());
        }
        start += pair.len() + 1;
    }
    None
}

fn end_of(query: &str, end: End) -> Option<String> {
    let text = |name: &str| query.get(value(query, name)?).map(decoded);
    let seconds = |name: &str| text(name)?.parse::<u64>().ok();
    match end {
        End::After(date, after) => {
            let start = Instant::from_basic(&text(date)?)?;
            Some(Instant(start.0.checked_add(seconds(after)?)?).to_text())
        }
        End::Epoch(name) => Some(Instant(seconds(name)?).to_text()),
        End::Date(name) => text(name).filter(|date| is_date(date)),
        End::Range(name) => {
            let range = text(name)?;
            let (_, last) = range.split_once(';')?;
            Some(Instant(last.parse().ok()?).to_text())
        }
        End::Unknown => None,
    }
}

/// Returns whether a text has only what a date of ISO 8601 has.
fn is_date(text: &str) -> bool {
    let is_part =
        |octet: u8| octet.is_ascii_digit() || matches!(octet, b'-' | b':' | b'T' | b'Z' | b'+' | b'.');
    (10..=32).contains(&text.len()) && text.bytes().all(is_part)
}

/// Seconds since 1970, UTC.
struct Instant(u64);

const DAY: u64 = 24 * 60 * 60;

/// The last second of the year 9999.
const LAST: u64 = 253_402_300_799;

impl Instant {
    /// Reads `20260101T120000Z`.
    fn from_basic(text: &str) -> Option<Self> {
        let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
        let number = |text: &str, part: Range<usize>| -> Option<u64> {
            text.get(part).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))?.parse().ok()
        };
        let (year, month, day) = (number(date, 0..4)?, number(date, 4..6)?, number(date, 6..8)?);
        let (hour, minute, second) = (number(time, 0..2)?, number(time, 2..4)?, number(time, 4..6)?);
        let is_right = date.len() == 8
            && time.len() == 6
            && year >= 1970
            && (1..=12).contains(&month)
            && (1..=31).contains(&day)
            && hour < 24
            && minute < 60
            && second <= 60;
        is_right.then(|| Self(days_before(year, month, day) * DAY + hour * 3600 + minute * 60 + second))
    }

    /// Returns `2026-01-01 12:00:00 UTC`.
    fn to_text(&self) -> String {
        let seconds = self.0.min(LAST);
        let (year, month, day) = date_of(seconds / DAY);
        let time = seconds % DAY;
        format!("{year}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC", time / 3600, time / 60 % 60, time % 60)
    }
}

/// Returns how many days there are from the first of January 1970 to a day. March is the first month of a year, so that
/// the day that some years have is the last.
const fn days_before(year: u64, month: u64, day: u64) -> u64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    days - EPOCH
}

/// The days from the first of March of the year 0 to the first of January 1970.
const EPOCH: u64 = 719_468;

/// Returns the year, the month and the day that is so many days after the first of January 1970.
const fn date_of(days: u64) -> (u64, u64, u64) {
    let days = days + EPOCH;
    let (era, rest) = (days / 146_097, days % 146_097);
    let year = (rest - rest / 1_460 + rest / 36_524 - rest / 146_096) / 365;
    let of_year = rest - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, after) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (400 * era + year + after, month, day)
}

#[cfg(test)]
mod tests {
    use super::{Signature, date_of, days_before, signature};

    #[test]
    fn signatures_and_their_ends() {
        const VALUE: &str = "0a1b2c3d4e5f60718293a4b5c6d7e8f9";
        for (before, name, after, service, end) in [
            (
                "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA%2F20260101%2Fs3&X-Amz-Date=20251231T235000Z\
                 &X-Amz-Expires=3600&",
                "X-Amz-Signature",
                "",
                "Amazon S3",
                Some("2026-01-01 00:50:00 UTC"),
            ),
            (
                "AWSAccessKeyId=AKIA&Expires=1700000000&",
                "Signature",
                "",
                "Amazon S3",
                Some("2023-11-14 22:13:20 UTC"),
            ),
            (
                "Expires=951782400&",
                "Signature",
                "&Key-Pair-Id=K",
                "Amazon CloudFront",
                Some("2000-02-29 00:00:00 UTC"),
            ),
            ("Policy=e30_&", "Signature", "&Key-Pair-Id=K", "Amazon CloudFront", None),
            (
                "GoogleAccessId=a%40b&Expires=0&",
                "Signature",
                "",
                "Google Cloud Storage",
                Some("1970-01-01 00:00:00 UTC"),
            ),
            (
                "sv=2022-11-02&se=2026-01-02T03%3A04%3A05Z&sp=r&",
                "sig",
                "",
                "Azure Storage",
                Some("2026-01-02T03:04:05Z"),
            ),
            ("sv=2022-11-02&se=x'y&sp=r&", "sig", "", "Azure Storage", None),
            (
                "q-ak=A&q-sign-time=1;1760003600&",
                "q-signature",
                "",
                "Tencent Cloud COS",
                Some("2025-10-09 09:53:20 UTC"),
            ),
        ] {
            let query = std::format!("{before}{name}={VALUE}{after}");
            let found = signature(&query);
            let start = before.len() + name.len() + 1;
            let expected = Signature { service, span: start..start + VALUE.len(), end: end.map(Into::into) };
            assert_eq!(found, Some(expected), "{query}");
        }
        for query in ["", "Signature=0a1b2c3d4e5f60718293", "sig=1&se=2", "X-Amz-Signature", "a=b&Expires=1"]
        {
            assert_eq!(signature(query), None, "{query}");
        }
    }

    #[test]
    fn days_of_four_hundred_years() {
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for days in 0..146_097 {
            assert_eq!(date_of(days), (year, month, day));
            assert_eq!(days_before(year, month, day), days);
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = match month {
                2 => 28 + u64::from(is_leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            (year, month, day) = match (day == length, month) {
                (false, _) => (year, month, day + 1),
                (true, 12) => (year + 1, 1, 1),
                (true, _) => (year, month + 1, 1),
            };
        }
    }
}
