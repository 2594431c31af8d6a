//! The items of a menu of Gopher, and of the attributes of a directory of Gopher+. The library
//! divides both and makes the URLs.

use locator::Edition;
use locator::scheme::{attributes, menu};

use super::entry::{Entry, EntryError, EntryKind};

/// Returns the entries of a menu.
pub(super) fn entries<'b>(edition: &'static Edition, body: &'b [u8]) -> Box<dyn Iterator<Item = Entry> + 'b> {
    if has_attributes(body) {
        let items = attributes::items(body).into_iter();
        return Box::new(items.filter_map(move |item| of_attributes(&item, edition)));
    }
    let mut lines = super::entry::lines(body);
    Box::new(menu::items(body).map(move |item| {
        // An item is a line that is not empty, so the two go side by side.
        let line = lines.next().unwrap_or_default();
        match item {
            Ok(item) => of_item(&item, edition),
            Err(_) => Entry::new(Err(EntryError::Line), line, EntryKind::Unknown),
        }
    }))
}

/// "+INFO" is the first block of every item; a menu has no name "INFO:" with the type "+".
fn has_attributes(body: &[u8]) -> bool {
    body.get(..6)
        .is_some_and(|start| start[..5].eq_ignore_ascii_case(b"+INFO") && matches!(start[5], b':' | b' '))
}

fn of_attributes(item: &attributes::Attributes<'_>, edition: &'static Edition) -> Option<Entry> {
    let mut entry = of_item(&item.info()?, edition);
    let mut views = item.views();
    // The size and the type of an item are those of its view, if there is one alone.
    if let (Some(view), None) = (views.next(), views.next()) {
        entry.size = octets(view.size);
        entry.media_type = str::from_utf8(view.media_type).ok().map(|name| name.trim().to_ascii_lowercase());
    }
    Some(entry)
}

fn of_item(item: &menu::Item<'_>, edition: &'static Edition) -> Entry {
    let kind = kind_of(item);
    let mut entry = Entry::new(item.url_with(edition).map_err(EntryError::Item), item.name, kind);
    entry.media_type = media_type(item).map(Into::into);
    entry
}

/// RFC 1436, 3.8, and what servers have added.
fn kind_of(item: &menu::Item<'_>) -> EntryKind {
    match item.kind {
        b'8' | b'T' => EntryKind::Session,
        _ if item.leads_elsewhere() => EntryKind::Link,
        b'i' => EntryKind::Words,
        b'3' => EntryKind::Error,
        _ if item.plus.is_some_and(|plus| plus.starts_with(b"?")) => EntryKind::Form,
        b'0' | b'4' | b'6' | b'h' => EntryKind::Text,
        b'1' => EntryKind::Menu,
        b'5' | b'9' | b'g' | b'I' | b's' | b';' | b'd' | b'p' => EntryKind::Binary,
        b'7' => EntryKind::Search,
        _ => EntryKind::Unknown,
    }
}

fn media_type(item: &menu::Item<'_>) -> Option<&'static str> {
    match item.kind {
        b'0' => Some("text/plain"),
        b'g' => Some("image/gif"),
        b'h' if !item.leads_elsewhere() => Some("text/html"),
        _ => None,
    }
}

/// Reads the size of a view: `60k`, `.1k`, `512`. A size that was rounded to nothing is not known.
fn octets(size: &[u8]) -> Option<u64> {
    let text = str::from_utf8(size).ok()?.trim().trim_end_matches(['b', 'B']);
    let (number, unit) = match text.chars().next_back()? {
        'k' | 'K' => (&text[..text.len() - 1], 1024.0),
        'm' | 'M' => (&text[..text.len() - 1], 1024.0 * 1024.0),
        _ => (text, 1.0),
    };
    let is_number = number.bytes().all(|octet| octet.is_ascii_digit() || octet == b'.');
    let octets = number.parse::<f64>().ok().filter(|_| is_number)? * unit;
    (1.0..9e15).contains(&octets).then_some(octets as u64)
}
