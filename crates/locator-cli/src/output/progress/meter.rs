//! The speed of a transfer, over the last seconds; and numbers, sizes and times for people.

use std::collections::VecDeque;
use std::time::Duration;

/// The numbers of bytes at some times.
pub(super) struct Meter {
    samples: VecDeque<(Duration, u64)>,
}

/// The speed is that of this time, as in curl.
const SPAN: Duration = Duration::from_secs(5);

impl Meter {
    /// Begins with so many bytes at the time 0.
    pub(super) fn new(octets: u64) -> Self {
        Self { samples: VecDeque::from([(Duration::ZERO, octets)]) }
    }

    /// Notes how many bytes there are at a time.
    pub(super) fn note(&mut self, time: Duration, octets: u64) {
        self.samples.push_back((time, octets));
        while self.samples.get(1).is_some_and(|(second, _)| time.saturating_sub(*second) >= SPAN) {
            self.samples.pop_front();
        }
    }

    /// Returns the time of the last number.
    pub(super) fn elapsed(&self) -> Duration {
        self.samples.back().map_or(Duration::ZERO, |(time, _)| *time)
    }

    /// Returns the number of bytes per second.
    #[cfg(feature = "get")]
    pub(super) fn speed(&self) -> u64 {
        let (Some(first), Some(last)) = (self.samples.front(), self.samples.back()) else { return 0 };
        let (time, octets) = (last.0.saturating_sub(first.0), last.1.saturating_sub(first.1));
        if time.is_zero() { 0 } else { (octets as f64 / time.as_secs_f64()) as u64 }
    }

    /// Returns the time that so many bytes take; `None` if nothing comes.
    #[cfg(feature = "get")]
    pub(super) fn left(&self, octets: u64) -> Option<Duration> {
        let speed = self.speed();
        (speed > 0).then(|| Duration::from_secs(octets.div_ceil(speed)))
    }
}

/// Returns a number with its digits in groups: `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The units of sizes.
const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];

/// Returns the index of the unit for a size, with at most three digits before the point.
fn unit_of(octets: u64) -> usize {
    let most = |unit: usize| if unit == 0 { 1024.0 } else { 999.95 };
    let fits = |unit: usize| octets as f64 / 1024_f64.powi(unit as i32) < most(unit);
    (0..UNITS.len()).find(|&unit| fits(unit)).unwrap_or(UNITS.len() - 1)
}

fn number(octets: u64, unit: usize) -> String {
    match unit {
        0 => octets.to_string(),
        _ => format!("{:.1}", octets as f64 / 1024_f64.powi(unit as i32)),
    }
}

/// Returns a size: `512 B`, `20.0 MiB`.
pub(crate) fn size(octets: u64) -> String {
    let unit = unit_of(octets);
    format!("{} {}", number(octets, unit), UNITS[unit])
}

/// Returns a speed: `1.8 MiB/s`.
#[cfg(feature = "get")]
pub(super) fn speed(octets: u64) -> String {
    format!("{}/s", size(octets))
}

/// Returns a part of a size: `7.0 of 20.0 MiB`.
#[cfg(feature = "get")]
pub(super) fn size_of(octets: u64, all: u64) -> String {
    let unit = unit_of(all);
    let (done, all) = (number(octets, unit), number(all, unit));
    format!("{done:>width$} of {all} {}", UNITS[unit], width = all.len())
}

/// Returns a time as a clock shows it: `0:07`, `1:02:03`.
pub(super) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// Returns a time that has passed: `12 ms`, `11.7 s`, `2:05`.
#[cfg(feature = "get")]
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match time.as_millis() {
        milliseconds @ 0..1000 => format!("{} ms", milliseconds.max(1)),
        _ if seconds < 59.95 => format!("{seconds:.1} s"),
        _ => clock(time),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let grouped = [0, 999, 1_000, 1_234_567].map(grouped);
        assert_eq!(grouped, ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn sizes() {
        for (octets, shown) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (20 << 20, "20.0 MiB"),
            (999 << 10, "999.0 KiB"),
            (1000 << 10, "1.0 MiB"),
            (u64::MAX, "16777216.0 TiB"),
        ] {
            assert_eq!(size(octets), shown, "{octets}");
        }
    }

    #[cfg(feature = "get")]
    #[test]
    fn parts_and_times() {
        assert_eq!(size_of(7 << 20, 20 << 20), " 7.0 of 20.0 MiB");
        assert_eq!(size_of(7, 512), "  7 of 512 B");
        let times = [0, 7, 65, 3723].map(|seconds| clock(Duration::from_secs(seconds)));
        assert_eq!(times, ["0:00", "0:07", "1:05", "1:02:03"]);
        let times = [0, 12, 999, 1_000, 11_730, 59_990, 125_000];
        let times = times.map(|time| duration(Duration::from_millis(time)));
        assert_eq!(times, ["1 ms", "12 ms", "999 ms", "1.0 s", "11.7 s", "0:59", "2:05"]);
    }

    #[cfg(feature = "get")]
    #[test]
    fn the_speed_is_that_of_the_last_seconds() {
        let mut meter = Meter::new(100);
        assert_eq!((meter.speed(), meter.left(1)), (0, None));
        meter.note(Duration::from_secs(2), 300);
        assert_eq!((meter.speed(), meter.left(250)), (100, Some(Duration::from_secs(3))));
        for second in 3..20 {
            meter.note(Duration::from_secs(second), 300);
        }
        assert_eq!((meter.speed(), meter.elapsed()), (0, Duration::from_secs(19)));
    }
}
