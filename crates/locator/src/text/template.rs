//! Finds URL templates. Takes the offset after a scheme and returns where the template ends, if
//! there is one. The variable parts are those of `expression`; shells and languages also have
//! "$name" and "${name}".

use super::character::Character;
use super::expression::{GUID, conversion_at, expression, is_guid};
use super::found::Found;
use super::matched::MatchKind;
use super::place::{Outcome, Place};
use super::trim::trim_trailing;
use super::window::{Incomplete, NOTHING, Window};

/// The maximum length of a template in octets.
const LONGEST: usize = 512;

/// The template that begins at `start` and has `from` after its scheme's delimiters. If templates
/// are not wanted, returns that no match begins before `after`.
#[cold]
pub(super) fn find(
    place: &Place<'_, '_>,
    (start, from): (usize, usize),
    after: usize,
    url: &mut Found,
) -> Result<Outcome, Incomplete> {
    if !place.finder.patterns {
        return Ok(Outcome::None(after));
    }
    let around = if start > place.floor { place.window.before(start) } else { NOTHING };
    let Some(end) = end(place.window, start, from, around)? else { return Ok(Outcome::None(after)) };
    let end = trim_trailing(place.window.text, from, end, around);
    url.set((start, end), (start, end), MatchKind::Template);
    Ok(Outcome::Found)
}

/// Returns the end of a template; `None` if there is no expression, or an unclosed one.
fn end(window: Window<'_>, start: usize, from: usize, around: u8) -> Result<Option<usize>, Incomplete> {
    let (mut at, mut is_template, mut round) = (from, false, 0_usize);
    while at - start <= LONGEST {
        let octet = window.octet(at)?;
        let mut length = 1;
        match octet {
            _ if octet == around => return Ok(is_template.then_some(at)),
            b'{' => match expression(window, at)? {
                Some(octets) => {
                    (length, is_template) = (octets, is_template || octets != GUID || !is_guid(window, at)?);
                }
                None => return Ok(None),
            },
            // "http://$HOST/"
            b'$' => is_template |= at == from && window.octet(at + 1)?.is_ascii_alphabetic(),
            b'%' => {
                if let Some(octets) = conversion_at(window, at)? {
                    (length, is_template) = (octets, true);
                }
            }
            b'(' => round += 1,
            b')' if round > 0 => round -= 1,
            b'\\' if window.octet(at + 1)? == b'/' => length = 2,
            0..=b' ' | 0x7F | b'"' | b'<' | b'>' | b'`' | b'^' | b'|' | b'}' | b'\\' | b')' | b'[' | b']' => {
                return Ok(is_template.then_some(at));
            }
            0x80.. => match window.character(at)? {
                Some((character, octets)) if Character::of(character) != Character::End => length = octets,
                _ => return Ok(is_template.then_some(at)),
            },
            _ => {}
        }
        at += length;
    }
    Ok(None)
}

/// Returns the text of a template before its first expression. All URLs made from it have this
/// prefix, unless an expression is in the scheme.
///
/// ```
/// use locator::text::literal_prefix;
///
/// assert_eq!(literal_prefix("http://example.com/{id}/a"), "http://example.com/");
/// assert_eq!(literal_prefix("http://example.com/${id}"), "http://example.com/");
/// assert_eq!(literal_prefix("http://example.com/?q=%s"), "http://example.com/?q=");
/// assert_eq!(literal_prefix("http://$HOST/"), "http://");
/// ```
#[must_use]
pub fn literal_prefix(template: &str) -> &str {
    let octets = template.as_bytes();
    let window = Window::new(octets, true);
    let begins = |at: &usize| match octets[*at] {
        b'{' => !is_guid(window, *at).unwrap_or(false),
        b'%' => conversion_at(window, *at).is_ok_and(|octets| octets.is_some()),
        b'$' => octets[..*at].ends_with(b"//"),
        _ => false,
    };
    let end = (0..octets.len()).find(begins).unwrap_or(octets.len());
    // The "$" of "${id}" and the "#" of "#{id}" are not in the resulting URL.
    let is_sign =
        octets.get(end) == Some(&b'{') && octets[..end].ends_with(b"$") || octets[..end].ends_with(b"#");
    &template[..end - usize::from(is_sign && end < octets.len())]
}
