//! The listing for people: takes a line that a server prints after `LIST`, returns what it says of a file,
//! and what may be its name. No document defines the lines (RFC 959, 4.1.3: "the information on a file may
//! vary widely from system to system"); these are the forms of Unix, of DOS and IIS, and EPLF.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::time::date::{UtcTime, month};

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LongLine<'l> {
    pub(crate) kind: LineKind,
    pub(crate) size: Option<u64>,
    /// The time of the last change by the clock of the server, to the minute or the day.
    pub(crate) modified: Option<SystemTime>,
    /// The name, and for a symbolic link ` -> ` and its target.
    pub(crate) name: &'l [u8],
}

/// What a line is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    File,
    Directory,
    Symlink,
    Other,
}

/// Reads a line. `now` tells the year of a date without one.
pub(crate) fn parse_long(line: &[u8], now: SystemTime) -> Option<LongLine<'_>> {
    of_eplf(line).or_else(|| of_unix(line, now)).or_else(|| of_dos(line))
}

/// Takes a word and the spaces before it.
fn take_word<'l>(rest: &mut &'l [u8]) -> Option<&'l str> {
    let start = rest.iter().position(|&octet| octet != b' ')?;
    let trimmed = rest.get(start..)?;
    let end = trimmed.iter().position(|&octet| octet == b' ').unwrap_or(trimmed.len());
    *rest = trimmed.get(end..)?;
    str::from_utf8(trimmed.get(..end)?).ok()
}

/// `drwxr-xr-x  2 ftp  ftp  4096 Mar  1 12:00 pub`: the date ends what is not the name, and one space is
/// between both. Owner, group and number of links may be missing.
fn of_unix(line: &[u8], now: SystemTime) -> Option<LongLine<'_>> {
    let kind = match line.first()? {
        b'-' => LineKind::File,
        b'd' => LineKind::Directory,
        b'l' => LineKind::Symlink,
        b'b' | b'c' | b'p' | b's' | b'D' => LineKind::Other,
        _ => return None,
    };
    let mut rest = line;
    let mode = take_word(&mut rest)?;
    if mode.len() < 10 || !mode.bytes().skip(1).take(9).all(|octet| b"-rwxsStTlL".contains(&octet)) {
        return None;
    }
    // The size is the last number before the date.
    let mut size = None;
    for _ in 0..6 {
        let before = rest;
        if let Some(modified) = date(&mut rest, now) {
            let name = rest.strip_prefix(b" ").filter(|name| !name.is_empty())?;
            let size = if kind == LineKind::Other { None } else { size? };
            return Some(LongLine { kind, size, modified, name });
        }
        rest = before;
        size = Some(take_word(&mut rest)?.parse::<u64>().ok());
    }
    None
}

/// Takes a date: `Mar  1 12:00`, `Mar  1  2024`, `1 Mar 2024` or `2024-03-01 12:00`. It is a date also if
/// the calendar does not have it.
fn date(rest: &mut &[u8], now: SystemTime) -> Option<Option<SystemTime>> {
    let first = take_word(rest)?;
    if let Some([year, month, day]) = numbers::<3>(first, '-').filter(|_| first.len() == 10) {
        let time = take_word(rest)?;
        let [hour, minute] = numbers(time.get(..5)?, ':')?;
        return Some(UtcTime { year, month, day, hour, minute, second: 0 }.time());
    }
    let second = take_word(rest)?;
    let (month, day) = match (month(first), month(second)) {
        (Some(month), None) => (month, second.parse().ok()?),
        (None, Some(month)) => (month, first.parse().ok()?),
        _ => return None,
    };
    let last = take_word(rest)?;
    if let Some([hour, minute]) = numbers(last, ':') {
        return Some(in_last_year(UtcTime { year: 0, month, day, hour, minute, second: 0 }, now));
    }
    let year = last.parse().ok().filter(|_| last.len() == 4)?;
    Some(UtcTime { year, month, day, hour: 0, minute: 0, second: 0 }.time())
}

/// Returns the last time of this date that is not more than a day after now: clocks and zones differ.
fn in_last_year(moment: UtcTime, now: SystemTime) -> Option<SystemTime> {
    let latest = now + Duration::from_secs(86_400);
    let year = UtcTime::of(now)?.year;
    // The 29th of February may be eight years ago.
    let years = (0..=8).filter_map(|ago| (year + 1).checked_sub(ago));
    let mut times = years.filter_map(|year| UtcTime { year, ..moment }.time());
    times.find(|&time| time <= latest)
}

fn numbers<const N: usize>(text: &str, delimiter: char) -> Option<[u64; N]> {
    let numbers: Option<Vec<u64>> = text.split(delimiter).map(|part| part.parse().ok()).collect();
    numbers?.try_into().ok()
}

/// `03-01-26  12:00PM       <DIR>          pub`, or with a size in place of `<DIR>`. The year has two or
/// four digits.
fn of_dos(line: &[u8]) -> Option<LongLine<'_>> {
    let mut rest = line;
    let [month, day, year] = numbers(take_word(&mut rest)?, '-')?;
    let year = match year {
        0..=69 => year + 2000,
        70..=99 => year + 1900,
        _ => year,
    };
    let time = take_word(&mut rest)?.to_ascii_uppercase();
    let (digits, is_afternoon) = match (time.strip_suffix("PM"), time.strip_suffix("AM")) {
        (Some(digits), _) => (digits, Some(true)),
        (_, Some(digits)) => (digits, Some(false)),
        _ => (&*time, None),
    };
    let [hour, minute] = numbers(digits, ':')?;
    let hour = match is_afternoon {
        Some(is_afternoon) => hour % 12 + if is_afternoon { 12 } else { 0 },
        None => hour,
    };
    let modified = UtcTime { year, month, day, hour, minute, second: 0 }.time();
    let (kind, size) = match take_word(&mut rest)? {
        "<DIR>" => (LineKind::Directory, None),
        "<JUNCTION>" | "<SYMLINK>" | "<SYMLINKD>" => (LineKind::Symlink, None),
        size => (LineKind::File, Some(size.parse().ok()?)),
    };
    // A size is right-aligned, with one space after it; `<DIR>` has ten.
    let spaces = if kind == LineKind::File { 1 } else { 10 };
    let spaces = rest.iter().take(spaces).take_while(|&&octet| octet == b' ').count();
    let name = rest.get(spaces..).filter(|name| spaces > 0 && !name.is_empty())?;
    Some(LongLine { kind, size, modified, name })
}

/// `+i8388621.48594,m825718503,r,s280,\tdjb.html` (Easily Parsed LIST Format).
fn of_eplf(line: &[u8]) -> Option<LongLine<'_>> {
    let facts = line.strip_prefix(b"+")?;
    let tab = facts.iter().position(|&octet| octet == b'\t')?;
    let (facts, name) = (str::from_utf8(facts.get(..tab)?).ok()?, facts.get(tab + 1..)?);
    let mut line = LongLine { kind: LineKind::Other, size: None, modified: None, name };
    for fact in facts.split(',') {
        let number = |text: &str| text.parse().ok();
        match fact.split_at_checked(1) {
            Some(("r", "")) => line.kind = LineKind::File,
            Some(("/", "")) => line.kind = LineKind::Directory,
            Some(("s", size)) => line.size = number(size),
            Some(("m", time)) => {
                line.modified =
                    number(time).and_then(|time| UNIX_EPOCH.checked_add(Duration::from_secs(time)));
            }
            _ => {}
        }
    }
    Some(line).filter(|line| !line.name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> SystemTime {
        crate::time::date::parse_ftp_time("20261124130000").unwrap()
    }

    #[test]
    fn lines() {
        use LineKind::{Directory, File, Other, Symlink};
        for (line, kind, size, modified, name) in [
            (
                "drwxr-xr-x    2 0        0            4096 Nov 24 12:59 sub dir",
                Directory,
                Some(4096),
                "20261124125900",
                "sub dir",
            ),
            (
                "-rw-r--r--    1 ftp      ftp            12 Nov 26 12:59  a",
                File,
                Some(12),
                "20251126125900",
                " a",
            ),
            ("-rw-r--r--  1 ftp ftp 12 Mar  1  2024 a -> b", File, Some(12), "20240301000000", "a -> b"),
            (
                "lrwxrwxrwx 1 ftp ftp 3 Feb 29 01:02 latest -> a-1",
                Symlink,
                Some(3),
                "20240229010200",
                "latest -> a-1",
            ),
            ("-rw-r--r--+ 1 a b 9 2024-03-01 12:00 x", File, Some(9), "20240301120000", "x"),
            ("-rw-r--r-- 1 a 9 1 Mar 2024 x", File, Some(9), "20240301000000", "x"),
            ("crw-rw-rw- 1 root root 1, 3 Nov 24 12:59 null", Other, None, "20261124125900", "null"),
            ("-rw-r--r-- 1 Mar Jan 9 Nov 24 12:59 x", File, Some(9), "20261124125900", "x"),
            ("03-01-26  12:00AM       <DIR>          pub x", Directory, None, "20260301000000", "pub x"),
            ("03-01-2026  01:30PM                 1234 a b", File, Some(1234), "20260301133000", "a b"),
            ("+i8388621.48594,m825718503,r,s280,\tdjb.html", File, Some(280), "19960301221503", "djb.html"),
            ("+/,m1,\tdev", Directory, None, "19700101000001", "dev"),
        ] {
            let modified = crate::time::date::parse_ftp_time(modified);
            let expected = LongLine { kind, size, modified, name: name.as_bytes() };
            assert_eq!(parse_long(line.as_bytes(), now()), Some(expected), "{line}");
        }
    }

    #[test]
    fn what_is_not_a_line() {
        for line in [
            "",
            "total 12",
            "d",
            "drwxr-xr-x",
            "drwxr-xr-x 2 0 0 4096 Nov 24 12:59",
            "drwxr-xr-x 2 0 0 4096 Nov 24 12:59 ",
            "-rw-r--r-- 1 a b c Nov 24 12:59 x",
            "README",
            "01-02-03",
            "03-01-26 12:00PM <DIR>",
            "03-01-26 12:00PM 12",
            "+",
            "+r,\t",
            "-rw-r--r-- 1 a b 99999999999999999999 Nov 24 12:59 x",
        ] {
            assert!(parse_long(line.as_bytes(), now()).is_none_or(|line| line.size.is_none()), "{line:?}");
        }
    }
}
