//! What a list says of an entry, in words: kinds, sizes and dates.

use std::time::SystemTime;

use locator_fetch::entries::EntryKind;
use locator_fetch::fmt_http_date;

/// Returns the word for a kind of entries.
pub(super) const fn kind(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Text => "text",
        EntryKind::Binary => "binary",
        EntryKind::Menu => "menu",
        EntryKind::Search => "search",
        EntryKind::Form => "form",
        EntryKind::Session => "session",
        EntryKind::Link => "link",
        EntryKind::Name | EntryKind::File => "file",
        EntryKind::Directory => "directory",
        EntryKind::Symlink => "link",
        EntryKind::Group => "group",
        EntryKind::Article => "article",
        EntryKind::Error => "error",
        _ => "other",
    }
}

/// Returns a number of octets for people: `1.4 MB`.
pub(super) fn size(octets: u64) -> String {
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

/// Returns a day and a time of UTC: `12 Nov 2026 08:00`.
pub(super) fn time(time: SystemTime) -> String {
    // Thu, 12 Nov 2026 08:00:00 GMT
    let date = fmt_http_date(time);
    date.get(5..22).unwrap_or(&date).to_owned()
}
