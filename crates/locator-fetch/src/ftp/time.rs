//! Times of files: takes a date of a listing, returns a time, and the other way round.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A date and a time of day, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) year: u64,
    /// 1 is January.
    pub(crate) month: u64,
    pub(crate) day: u64,
    pub(crate) hour: u64,
    pub(crate) minute: u64,
    pub(crate) second: u64,
}

/// The names of the months, as Unix writes them.
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Returns the number of a month by its name, 1 for January.
pub(crate) fn month(name: &str) -> Option<u64> {
    let index = MONTHS.iter().position(|known| name.eq_ignore_ascii_case(known))?;
    Some(index as u64 + 1)
}

impl Moment {
    /// Returns the time; `None` for a date that no calendar has, or one before 1970.
    pub(crate) fn time(self) -> Option<SystemTime> {
        let Self { year, month, day, hour, minute, second } = self;
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 => 28 + u64::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        let is_date = (1970..=9999).contains(&year) && (1..=days).contains(&day);
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
    let Moment { year, month, day, hour, minute, second } = Moment::of(time)?;
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_is_written_and_read() {
        for day in 0..150_000 {
            let time = UNIX_EPOCH + Duration::from_secs(day * 86_400 + day % 86_400);
            assert_eq!(Moment::of(time).unwrap().time(), Some(time), "{day}");
        }
    }
}
