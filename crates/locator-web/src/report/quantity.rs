//! Numbers, sizes and times as people read them: takes a count of something, returns a short text.
//!
//! Sizes have the units of the International System where a page shows them ([`decimal_size`]), and those of
//! IEC 80000-13 where a program measures octets ([`binary_size`], [`part_of_size`], [`exact_size`]).
//!
//! ```
//! use locator_web::report::quantity::{binary_size, decimal_size, duration, grouped};
//!
//! assert_eq!(grouped(1_234_567), "1,234,567");
//! assert_eq!((binary_size(20 << 20), decimal_size(20 << 20)), ("20.0 MiB".into(), "21 MB".into()));
//! assert_eq!(duration(std::time::Duration::from_secs(125)), "2:05");
//! ```

use alloc::format;
use alloc::string::{String, ToString};
use core::time::Duration;

/// Returns a number with its digits in groups: `1,234,567`.
///
/// ```
/// assert_eq!(locator_web::report::quantity::grouped(1_000), "1,000");
/// ```
#[must_use]
pub fn grouped(number: u64) -> String {
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

/// The units of sizes by 1024.
const BINARY_UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];

/// Returns how many of a unit a size is. Dividing by 1024 is exact.
fn in_unit(octets: u64, unit: usize) -> f64 {
    (0..unit).fold(octets as f64, |number, _| number / 1024.0)
}

/// Returns the index of the unit for a size, with at most three digits before the point.
fn unit_of(octets: u64) -> usize {
    let most = |unit: usize| if unit == 0 { 1024.0 } else { 999.95 };
    let fits = |unit: usize| in_unit(octets, unit) < most(unit);
    (0..BINARY_UNITS.len()).find(|&unit| fits(unit)).unwrap_or(BINARY_UNITS.len() - 1)
}

fn number_in(octets: u64, unit: usize) -> String {
    match unit {
        0 => octets.to_string(),
        _ => format!("{:.1}", in_unit(octets, unit)),
    }
}

/// Returns a size by 1024: `512 B`, `20.0 MiB`.
///
/// ```
/// assert_eq!(locator_web::report::quantity::binary_size(1536), "1.5 KiB");
/// ```
#[must_use]
pub fn binary_size(octets: u64) -> String {
    let unit = unit_of(octets);
    format!("{} {}", number_in(octets, unit), BINARY_UNITS[unit])
}

/// Returns a part of a size, as wide as all of it: ` 7.0 of 20.0 MiB`.
///
/// ```
/// assert_eq!(locator_web::report::quantity::part_of_size(7 << 20, 20 << 20), " 7.0 of 20.0 MiB");
/// ```
#[must_use]
pub fn part_of_size(octets: u64, all: u64) -> String {
    let unit = unit_of(all);
    let (done, all) = (number_in(octets, unit), number_in(all, unit));
    format!("{done:>width$} of {all} {}", BINARY_UNITS[unit], width = all.len())
}

/// Returns a size by 1024 without rounding: `16 MiB`, `10 bytes`.
///
/// ```
/// assert_eq!(locator_web::report::quantity::exact_size(16 << 20), "16 MiB");
/// ```
#[must_use]
pub fn exact_size(octets: usize) -> String {
    for (shift, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")] {
        if octets.is_multiple_of(1 << shift) {
            return format!("{} {unit}", octets >> shift);
        }
    }
    format!("{octets} bytes")
}

/// Returns a size by 1000: `1.4 MB`.
///
/// ```
/// assert_eq!(locator_web::report::quantity::decimal_size(1_400_000), "1.4 MB");
/// ```
#[must_use]
pub fn decimal_size(octets: u64) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    if octets < 1000 {
        return format!("{octets} B");
    }
    let (mut number, mut unit) = (octets as f64 / 1000.0, 0);
    while number >= 999.95 && unit + 1 < UNITS.len() {
        (number, unit) = (number / 1000.0, unit + 1);
    }
    if number < 9.95 {
        format!("{number:.1} {}", UNITS[unit])
    } else {
        format!("{number:.0} {}", UNITS[unit])
    }
}

/// Returns a time as a clock shows it: `0:07`, `1:02:03`.
///
/// ```
/// assert_eq!(locator_web::report::quantity::clock(std::time::Duration::from_secs(65)), "1:05");
/// ```
#[must_use]
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// Returns a time that has passed: `12 ms`, `11.7 s`, `2:05`.
///
/// ```
/// assert_eq!(locator_web::report::quantity::duration(std::time::Duration::from_millis(12)), "12 ms");
/// ```
#[must_use]
pub fn duration(time: Duration) -> String {
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
            assert_eq!(binary_size(octets), shown, "{octets}");
        }
        for (octets, shown) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.0 kB"),
            (9_949, "9.9 kB"),
            (9_950, "10 kB"),
            (999_950, "1.0 MB"),
            (u64::MAX, "18447 PB"),
        ] {
            assert_eq!(decimal_size(octets), shown, "{octets}");
        }
        assert_eq!([0, 10, 1 << 10, 3 << 30].map(exact_size), ["0 GiB", "10 bytes", "1 KiB", "3 GiB"]);
    }

    #[test]
    fn parts_and_times() {
        assert_eq!(part_of_size(7 << 20, 20 << 20), " 7.0 of 20.0 MiB");
        assert_eq!(part_of_size(7, 512), "  7 of 512 B");
        let times = [0, 7, 65, 3723].map(|seconds| clock(Duration::from_secs(seconds)));
        assert_eq!(times, ["0:00", "0:07", "1:05", "1:02:03"]);
        let times = [0, 12, 999, 1_000, 11_730, 59_990, 125_000];
        let times = times.map(|time| duration(Duration::from_millis(time)));
        assert_eq!(times, ["1 ms", "12 ms", "999 ms", "1.0 s", "11.7 s", "0:59", "2:05"]);
    }
}
