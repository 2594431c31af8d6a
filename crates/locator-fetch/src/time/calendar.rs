//! The calendar: takes a date and a time of day in UTC, returns the time, and the other way round.

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

impl Moment {
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
    pub(crate) fn month_name(self) -> &'static str {
        let index = usize::try_from(self.month).unwrap_or_default();
        MONTHS.get(index.wrapping_sub(1)).copied().unwrap_or_default()
    }
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
