//! Dates as they are written: those of HTTP (RFC 9110, 5.6.7), of FTP (RFC 3659, 2.3), and of RFC 3339; and the
//! calendar: a date and a time of day in UTC as a time, and the other way round.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/// Parses the value of `Retry-After`: a number of seconds, or a date of HTTP, of which the time from `now` is
/// returned (RFC 9110, 10.2.3). A number that is too large is the largest time, a date in the past is no time.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
///
/// use locator_fetch::parse_retry_after;
///
/// let now = UNIX_EPOCH + Duration::from_secs(784_111_770);
/// assert_eq!(parse_retry_after("120", now), Some(Duration::from_secs(120)));
/// assert_eq!(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", now), Some(Duration::from_secs(7)));
/// assert_eq!(parse_retry_after("Thu, 01 Jan 1970 00:00:00 GMT", now), Some(Duration::ZERO));
/// assert_eq!(parse_retry_after("soon", now), None);
/// ```
#[must_use]
pub fn parse_retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim_matches([' ', '\t']);
    // "delay-seconds = 1*DIGIT"
    if !value.is_empty() && value.bytes().all(|octet| octet.is_ascii_digit()) {
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    Some(parse_http_date(value)?.duration_since(now).unwrap_or_default())
}

/// Parses a date of HTTP in any of its three forms: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94
/// 08:49:37 GMT`, and `Sun Nov  6 08:49:37 1994` (RFC 9110, 5.6.7). A year of two digits is of this century
/// if it is before 70.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
///
/// let date = locator_fetch::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT");
/// assert_eq!(date, Some(UNIX_EPOCH + Duration::from_secs(784_111_777)));
/// assert_eq!(locator_fetch::parse_http_date("yesterday"), None);
/// ```
#[must_use]
pub fn parse_http_date(text: &str) -> Option<SystemTime> {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let (day, name, year, time) = match *words {
        // IMF-fixdate.
        [name, day, month, year, time, "GMT"] if name.ends_with(',') => (day, month, year, time),
        // rfc850-date.
        [name, date, time, "GMT"] if name.ends_with(',') => {
            let mut parts = date.splitn(3, '-');
            (parts.next()?, parts.next()?, parts.next()?, time)
        }
        // asctime-date.
        [_, month, day, time, year] => (day, month, year, time),
        _ => return None,
    };
    let month = month(name)?;
    let year = match (number(year)?, year.len()) {
        (year @ ..70, 2) => 2000 + year,
        (year, 2) => 1900 + year,
        (year, 4) => year,
        _ => return None,
    };
    let mut time = time.splitn(3, ':').map(number);
    let (day, hour, minute, second) = (number(day)?, time.next()??, time.next()??, time.next()??);
    UtcTime { year, month, day, hour, minute, second }.time()
}

/// Writes a date of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7). Parts of seconds are left out,
/// and a time before 1970 is written as 1970.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
///
/// let date = locator_fetch::fmt_http_date(UNIX_EPOCH + Duration::from_secs(784_111_777));
/// assert_eq!(date, "Sun, 06 Nov 1994 08:49:37 GMT");
/// ```
#[must_use]
pub fn fmt_http_date(time: SystemTime) -> String {
    let time = time.max(UNIX_EPOCH);
    let days = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / 86_400;
    // The first day was a Thursday.
    let name = DAYS[usize::try_from((days + 4) % 7).unwrap_or_default()];
    let Some(moment) = UtcTime::of(time) else { return String::new() };
    let UtcTime { year, day, hour, minute, second, .. } = moment;
    let month = moment.month_name();
    format!("{name}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT")
}

/// Writes a time as RFC 3339 does, in UTC and without parts of seconds; `None` for a time before 1970.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
///
/// let time = UNIX_EPOCH + Duration::from_secs(784_111_777);
/// assert_eq!(locator_fetch::timestamp(time).unwrap(), "1994-11-06T08:49:37Z");
/// ```
#[must_use]
pub fn timestamp(time: SystemTime) -> Option<String> {
    let UtcTime { year, month, day, hour, minute, second } = UtcTime::of(time)?;
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))
}

/// Parses a time of FTP, `20260301120000` or with parts of seconds, `20260301120000.5`.
pub(crate) fn parse_ftp_time(text: &str) -> Option<SystemTime> {
    let digits = text.split('.').next()?;
    if digits.len() != 14 {
        return None;
    }
    let part = |from: usize, to: usize| number(digits.get(from..to)?);
    let (year, month, day) = (part(0, 4)?, part(4, 6)?, part(6, 8)?);
    let (hour, minute, second) = (part(8, 10)?, part(10, 12)?, part(12, 14)?);
    UtcTime { year, month, day, hour, minute, second }.time()
}

fn number(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|octet| octet.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// A date and a time of day, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UtcTime {
    pub(crate) year: u64,
    /// 1 is January.
    pub(crate) month: u64,
    pub(crate) day: u64,
    pub(crate) hour: u64,
    pub(crate) minute: u64,
    pub(crate) second: u64,
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Returns the number of a month by the first three letters of its name, 1 for January.
pub(crate) fn month(name: &str) -> Option<u64> {
    let index = MONTHS.iter().position(|known| name.eq_ignore_ascii_case(known))?;
    Some(index as u64 + 1)
}

/// Returns the number of days that a month has; none for a month that no year has.
pub(crate) const fn days_of(year: u64, month: u64) -> u64 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    }
}

impl UtcTime {
    /// Returns the time; `None` for a date that no calendar has, or one before 1970.
    pub(crate) fn time(self) -> Option<SystemTime> {
        let Self { year, month, day, hour, minute, second } = self;
        let is_date = (1970..=9999).contains(&year) && (1..=days_of(year, month)).contains(&day);
        if !is_date || hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        // Years begin in March, so that the day of a leap year is the last one.
        let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
        let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
        let seconds = (((days - 719_468) * 24 + hour) * 60 + minute) * 60 + second;
        UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
    }

    /// Returns the date and the time of day of a time after 1969.
    pub(crate) fn of(time: SystemTime) -> Option<Self> {
        let seconds = time.duration_since(UNIX_EPOCH).ok()?.as_secs();
        let days = seconds / 86_400 + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let (year, month) = match month {
            10.. => (era * 400 + year + 1, month - 9),
            _ => (era * 400 + year, month + 3),
        };
        let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
        Some(Self { year, month, day, hour, minute, second })
    }

    /// Returns the name of the month, in three letters.
    fn month_name(self) -> &'static str {
        let index = usize::try_from(self.month).unwrap_or_default();
        MONTHS.get(index.wrapping_sub(1)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn seconds(time: Option<SystemTime>) -> Option<u64> {
        Some(time?.duration_since(UNIX_EPOCH).unwrap().as_secs())
    }

    #[test]
    fn dates() {
        for (text, expected) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", Some(784_111_777)),
            ("Sun Nov  6 08:49:37 1994", Some(784_111_777)),
            ("Sun Nov 06 08:49:37 1994", Some(784_111_777)),
            ("Thursday, 01-Jan-26 00:00:00 GMT", Some(1_767_225_600)),
            ("Thu, 29 Feb 2024 23:59:59 GMT", Some(1_709_251_199)),
            ("Fri, 31 Dec 1999 23:59:59 GMT", Some(946_684_799)),
            ("Fri, 31 Dec 9999 23:59:59 GMT", Some(253_402_300_799)),
            ("Fri, 29 Feb 2025 00:00:00 GMT", None),
            ("Sun, 06 Nov 1994 08:49:37 CET", None),
            ("Sun, 06 Nov 1994 24:49:37 GMT", None),
            ("Sun, 06 Nov 1994 08:49 GMT", None),
            ("Sun, 06 Nov 1969 08:49:37 GMT", None),
            ("Sun, +6 Nov 1994 08:49:37 GMT", None),
            ("Sun, 00 Nov 1994 08:49:37 GMT", None),
            ("1994-11-06", None),
            ("", None),
        ] {
            assert_eq!(seconds(parse_http_date(text)), expected, "{text}");
        }
        assert_eq!(seconds(parse_ftp_time("19941106084937")), Some(784_111_777));
        assert_eq!(seconds(parse_ftp_time("19941106084937.25")), Some(784_111_777));
        assert_eq!((parse_ftp_time("1994110608493"), parse_ftp_time("1994é1060849")), (None, None));
    }

    #[test]
    fn what_is_written_is_read() {
        for day in (0..2_932_896).step_by(13).chain([58, 59, 789, 11_016, 11_017, 19_782, 2_932_895]) {
            let time = UNIX_EPOCH + Duration::from_secs(day * 86_400 + day % 86_400);
            let text = fmt_http_date(time);
            assert_eq!(parse_http_date(&text), Some(time), "{text}");
        }
        assert_eq!(
            fmt_http_date(UNIX_EPOCH + Duration::from_secs(1_709_251_199)),
            "Thu, 29 Feb 2024 23:59:59 GMT"
        );
    }

    #[test]
    fn every_day_is_written_and_read() {
        for day in 0..150_000 {
            let time = UNIX_EPOCH + Duration::from_secs(day * 86_400 + day % 86_400);
            assert_eq!(UtcTime::of(time).unwrap().time(), Some(time), "{day}");
        }
    }
}
