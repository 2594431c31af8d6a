//! Writes a URL for running text: takes a URL and a width, returns it between `<URL:` and `>`, on lines of that
//! width. The search ([`Finder`]) finds it again.

use alloc::string::String;

use super::finder::Finder;
use crate::reference::UriRef;
use crate::span::Component;

/// Returns a URL as it is written into text, in lines of at most `columns` characters where that is possible.
///
/// "Using <> angle brackets around each URI is especially recommended as a delimiting style for URI that contain
/// whitespace. The prefix "URL:" (with or without a trailing space) was recommended" (RFC 2396, appendix E; the
/// appendix of RFC 1738; RFC 3986, appendix C, without the prefix). Lines are broken after a delimiter if there is one
/// in their second half, and never after "-": "No whitespace should be introduced after a hyphen ("-") character",
/// because a reader cannot know whether it was added with the line break. A scheme and a percent-encoded octet are not
/// divided.
///
/// `None` if [`Finder`] would not find this URL in the text again: it has no scheme, or contains a character that is
/// white space in text, as an IRI can.
///
/// ```
/// use locator::text::{Finder, wrap};
/// use locator::uri_ref;
///
/// let url = uri_ref!("http://www.example.org/reports/well-known?year=1994");
/// let text = wrap(url, 24).unwrap();
/// assert_eq!(text, "<URL:http://www.example.\norg/reports/well-known?\nyear=1994>");
/// let found: Vec<_> = Finder::default()
///     .find_iter(text.as_bytes())
///     .map(|found| found.url().into_owned())
///     .collect();
/// assert_eq!(found, [url.as_str()]);
/// assert_eq!(wrap(uri_ref!("a/b"), 72), None);
/// ```
#[must_use]
pub fn wrap(url: UriRef<'_>, columns: usize) -> Option<String> {
    // A prefix in the text is no part of the URL.
    let scheme = url.span(Component::Scheme)?;
    let whole = &url.as_str()[scheme.start..];
    let mut text = String::from(OPEN);
    let (mut rest, mut left, mut room) = (whole, whole.chars().count(), columns.saturating_sub(OPEN.len()));
    let mut undivided = scheme.len() + 1;
    // ">" is on the last line, too.
    while left >= room {
        let Some((end, count)) = line_end(rest, room, undivided) else { break };
        text.push_str(&rest[..end]);
        text.push('\n');
        (rest, left, room, undivided) = (&rest[end..], left - count, columns, 0);
    }
    text.push_str(rest);
    text.push('>');
    let finder = Finder::new().edition(url.edition());
    let mut found = finder.find_iter(text.as_bytes());
    let is_found = found.next().is_some_and(|found| found.url() == whole) && found.next().is_none();
    is_found.then_some(text)
}

const OPEN: &str = "<URL:";

/// Returns where a line of at most `room` characters ends, after at least `least` octets: the offset, and the number
/// of characters before it; `None` if the text cannot be divided.
fn line_end(text: &str, room: usize, least: usize) -> Option<(usize, usize)> {
    let (mut last, mut last_delimiter) = (None, None);
    for (count, (at, _)) in text.char_indices().enumerate().skip(1) {
        if count > room && last.is_some() {
            break;
        }
        let before = &text.as_bytes()[..at];
        // Not after "-", and not within a percent-encoded octet.
        if at < least || matches!(before, [.., b'-' | b'%'] | [.., b'%', _]) {
            continue;
        }
        last = Some((at, count));
        if count > room / 2 && before.last().is_some_and(|octet| b"/?#&;,=".contains(octet)) {
            last_delimiter = last;
        }
    }
    last_delimiter.or(last)
}
