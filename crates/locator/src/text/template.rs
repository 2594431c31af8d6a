//! Finds URL templates. Takes the offset after a scheme and returns where the template ends, if
//! there is one. RFC 6570: an expression is between "{" and "}". Formatting functions have "%s" and
//! similar, shells and languages "$name" and "${name}".

use super::MatchKind;
use super::character::Character;
use super::end::trim_trailing;
use super::found::Found;
use super::place::{Outcome, Place};
use super::window::{Incomplete, NOTHING, Window};

/// The maximum length of a template, and of an expression in it.
const LONGEST: usize = 512;
const LONGEST_EXPRESSION: usize = 128;

/// The maximum number of octets after the "%" of a conversion.
const LONGEST_CONVERSION: usize = 48;

/// The length of "{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", which is a value and not an expression.
pub(super) const GUID: usize = 38;

/// The template that begins at `start` and has `from` after its scheme's delimiters. If templates
/// are not wanted, returns that no match begins before `behind`.
#[cold]
pub(super) fn find(
    place: &Place<'_, '_>,
    (start, from): (usize, usize),
    behind: usize,
    url: &mut Found,
) -> Result<Outcome, Incomplete> {
    if !place.finder.patterns {
        return Ok(Outcome::None(behind));
    }
    let around = if start > place.floor { place.window.before(start) } else { NOTHING };
    let Some(end) = end(place.window, start, from, around)? else { return Ok(Outcome::None(behind)) };
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

/// Returns the length of an expression, from its "{" to the "}" that closes it in the same line:
/// "{id}", "{{ page.url }}", "{}".
fn expression(window: Window<'_>, at: usize) -> Result<Option<usize>, Incomplete> {
    let mut depth = 0_usize;
    for (i, octet) in window.excerpt(at, LONGEST_EXPRESSION)?.iter().enumerate() {
        match octet {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Ok(Some(i + 1)),
            b'}' => depth -= 1,
            0..b' ' | 0x7F | b'"' | b'`' | b'<' | b'>' => return Ok(None),
            // Characters beyond ASCII are not part of a name.
            0x80.. => return Ok(None),
            _ => {}
        }
    }
    Ok(None)
}

/// Whether a "{" begins a GUID in braces, a common notation.
pub(super) fn is_guid(window: Window<'_>, at: usize) -> Result<bool, Incomplete> {
    let octets = window.excerpt(at, GUID)?;
    let is_right = |(i, octet): (usize, &u8)| match i {
        0 => *octet == b'{',
        9 | 14 | 19 | 24 => *octet == b'-',
        37 => *octet == b'}',
        _ => octet.is_ascii_hexdigit(),
    };
    Ok(octets.len() == GUID && octets.iter().enumerate().all(is_right))
}

/// Returns the length of a conversion with its "%"; `None` if the "%" begins an escape or belongs
/// to the text.
pub(super) fn conversion_at(window: Window<'_>, at: usize) -> Result<Option<usize>, Incomplete> {
    let rest = window.excerpt(at + 1, LONGEST_CONVERSION)?;
    Ok(conversion(window.before(at), rest).map(|octets| octets + 1))
}

/// Returns the length of the conversion after a "%": `%s`, `%5d`, `%1$s`, `%%`, `%(name)s`,
/// `%[1]d`, `%<name>s`.
fn conversion(before: u8, rest: &[u8]) -> Option<usize> {
    let named = |close: u8| {
        let name =
            rest.iter().skip(1).take_while(|octet| octet.is_ascii_alphanumeric() || b"_.-".contains(octet));
        let behind = name.count() + 1;
        (behind > 1 && rest.get(behind) == Some(&close)).then_some(behind + 1)
    };
    match rest.first()? {
        b'%' => Some(1),
        b'{' => named(b'}'),
        b'(' => letter(before, rest, named(b')')?),
        b'[' => letter(before, rest, named(b']')?),
        b'<' => letter(before, rest, named(b'>')?),
        _ => letter(before, rest, 0),
    }
}

/// Returns the length of a conversion whose final letter follows flags and numbers from `from` on.
fn letter(before: u8, rest: &[u8], from: usize) -> Option<usize> {
    let is_flag = |at: &usize| match rest.get(*at) {
        // "%.2f", and not the full stop of "100%.html"
        Some(b'.') => matches!(rest.get(at + 1), Some(b'*' | b'0'..=b'9')),
        Some(b'$') => *at > from && rest[at - 1].is_ascii_digit(),
        Some(octet) => octet.is_ascii_digit() || b"-+#*".contains(octet),
        None => false,
    };
    let at = (from..).find(|at| !is_flag(at))?;
    let letter = rest.get(at).filter(|octet| octet.is_ascii_alphabetic())?;
    let word = rest[at + 1..].iter().take_while(|octet| octet.is_ascii_alphanumeric()).count();
    let is_escape = rest.len() > 1 && rest[..2].iter().all(u8::is_ascii_hexdigit);
    // "%u4E00", which ECMAScript's `escape` makes
    let is_character =
        at == 0 && *letter == b'u' && rest.len() > 4 && rest[1..5].iter().all(u8::is_ascii_hexdigit);
    // "%1$s", "%.2f"; not the sign of "100%.html"
    let is_number =
        |two: &[u8]| two[0].is_ascii_digit() && two[1] == b'$' || two[0] == b'.' && two[1].is_ascii_digit();
    let is_explicit = from > 0 || rest[..at].windows(2).any(is_number);
    // "50%discount" has a number and a word; "%sindex" and "%dx%d" have conversions.
    let is_word = word > 0 && !is_explicit && {
        let is_followed = word == 1 && rest.get(at + 2) == Some(&b'%');
        before.is_ascii_digit() || *letter != b's' && !is_followed
    };
    (!is_escape && !is_character && !is_word).then_some(at + 1)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversion_is_told_from_an_escape_and_a_word() {
        for (text, is_one) in [
            ("%s", true),
            ("%d/", true),
            ("%dx%d", true),
            ("%sindex", true),
            ("%1$s", true),
            ("%.2fabc", true),
            ("%02d", false),
            ("%(name)s", true),
            ("%[1]s", true),
            ("%<a>s", true),
            ("%{a}", true),
            ("%%", true),
            ("1%d", true),
            ("%20", false),
            ("%2F", false),
            ("%2", false),
            ("%", false),
            ("%&", false),
            ("50%discount", false),
            ("50%off", false),
            ("%cotton", false),
            ("%zz", false),
            ("%u4E00", false),
            ("%(a", false),
            ("%()", false),
            ("100%.html", false),
            ("a%.c", false),
            ("%.2fm", true),
            ("100%+tax", false),
            ("100%$x", false),
            ("100%#top", false),
        ] {
            let at = text.find('%').unwrap_or_default();
            let window = Window::new(text.as_bytes(), true);
            assert_eq!(conversion_at(window, at).is_ok_and(|octets| octets.is_some()), is_one, "{text}");
        }
    }
}
