//! Finds URL templates. Takes the offset after a scheme and returns where the template ends, if
//! there is one. The variable parts are those of `expression`; shells and languages also have
//! "$name" and "${name}". A "{" that is not closed makes a template, too.
//!
//! Finds URLs in escaped strings, as in JSON. Takes a candidate position and returns the match and
//! its decoded octets. Follows RFC 8259, section 7: "/" may be written `\/`, and any character
//! `\u0026`. PHP writes the former, Go the latter.
//!
//! The meaning of a "\" in other texts is unknown, so a URL ends there: these two escapes exist in
//! no other notation.

use super::end::{Authority, Run, Tail, trim_trailing};
use super::expression::{GUID, conversion_at, expression, is_guid, named, placeholder};
use super::finder::{LIMIT, Preset};
use super::matched::{MatchKind, UrlPosition, character};
use super::name::{LONGEST_NAME, Outcome, SearchPosition};
use super::window::{Character, Incomplete, NOTHING, Window};

/// How far from its start a template has its first expression, unless that was found before.
const NEAR: usize = 512;

/// The template that begins at `start` and has `from` after its scheme's delimiters. If templates
/// are not wanted, returns that no match begins before `after`.
#[cold]
pub(super) fn find(
    place: &SearchPosition<'_, '_>,
    (start, from): (usize, usize),
    after: usize,
    url: &mut UrlPosition,
) -> Result<Outcome, Incomplete> {
    if !place.finder.patterns {
        return Ok(Outcome::None(after));
    }
    let around = if start > place.floor { place.window.before(start) } else { NOTHING };
    let template = Template { window: place.window, start, from, around, near: after.max(start + NEAR) };
    Ok(match template.end()? {
        End::None => Outcome::None(after),
        End::TooLong => Outcome::TooLong(start),
        End::At(end) => {
            let end = trim_trailing(place.window.text, from, end, around);
            url.set((start, end), (start, end), MatchKind::Template);
            Outcome::Found
        }
    })
}

/// The end of a template.
enum End {
    /// There is no expression.
    None,
    At(usize),
    TooLong,
}

/// A text that may be a template.
struct Template<'t> {
    window: Window<'t>,
    start: usize,
    from: usize,
    around: u8,
    /// No expression is looked for after this offset.
    near: usize,
}

impl Template<'_> {
    fn end(&self) -> Result<End, Incomplete> {
        let (mut at, mut is_template) = (self.from, false);
        let (mut round, mut square, mut in_query) = (0_usize, 0_usize, false);
        let end = loop {
            if at - self.start > LIMIT {
                return Ok(End::TooLong);
            }
            if !is_template && at > self.near {
                return Ok(End::None);
            }
            let octet = self.window.octet(at)?;
            if let Some(length) = self.expression_at(at, octet)? {
                (at, is_template) = (at + length, true);
                continue;
            }
            match octet {
                _ if octet == self.around => break at,
                b'{' => at += GUID - 1,
                b':' => {
                    if let Some(end) = self.next_of_list(at)? {
                        break end;
                    }
                }
                b'(' => round += 1,
                b')' if round > 0 => round -= 1,
                b'?' => in_query = true,
                b'[' if in_query => square += 1,
                b']' if square > 0 => square -= 1,
                b'\\' if self.window.octet(at + 1)? == b'/' => at += 1,
                0..=b' '
                | 0x7F
                | b'"'
                | b'<'
                | b'>'
                | b'`'
                | b'^'
                | b'|'
                | b'}'
                | b'\\'
                | b')'
                | b'['
                | b']' => break at,
                0x80.. => match self.window.character(at)? {
                    Some((character, octets)) if Character::of(character) != Character::End => {
                        at += octets - 1;
                    }
                    _ => break at,
                },
                _ => {}
            }
            at += 1;
        };
        Ok(if is_template { End::At(end) } else { End::None })
    }

    /// Returns the length of the expression at an offset; that of a "{" without a "}" is one octet.
    fn expression_at(&self, at: usize, octet: u8) -> Result<Option<usize>, Incomplete> {
        match octet {
            b'{' if is_guid(self.window, at)? => Ok(None),
            b'{' => Ok(expression(self.window, at)?.or(Some(1))),
            b'<' | b'[' => placeholder(self.window, at, self.around),
            // "http://$HOST/"
            b'$' if at == self.from => Ok(self.window.octet(at + 1)?.is_ascii_alphabetic().then_some(1)),
            b'%' => conversion_at(self.window, at),
            _ => Ok(None),
        }
    }

    /// In "http://a/{id},http://b/" the URL after the comma is not part of the template. Returns the
    /// end of the template, if this is the colon of another URL.
    fn next_of_list(&self, colon: usize) -> Result<Option<usize>, Incomplete> {
        if self.window.octet(colon + 1)? != b'/' || self.window.octet(colon + 2)? != b'/' {
            return Ok(None);
        }
        let before = &self.window.text[self.from..colon];
        let before = &before[before.len().saturating_sub(LONGEST_NAME)..];
        let name = before.iter().rev().take_while(|octet| octet.is_ascii_alphanumeric()).count();
        let separator = before.len().checked_sub(name + 1).map(|at| before[at]);
        Ok(matches!(separator, Some(b',' | b';')).then_some(colon - name - 1))
    }
}

/// Returns the text of a template before its first expression. All URLs made from it have this
/// prefix, unless an expression is in the scheme.
///
/// ```
/// use locator::text::literal_prefix;
///
/// assert_eq!(literal_prefix("http://example.com/{id}/a"), "http://example.com/");
/// assert_eq!(literal_prefix("http://example.com/${id}"), "http://example.com/");
/// assert_eq!(
///     literal_prefix("http://example.com/?q=%s"),
///     "http://example.com/?q="
/// );
/// assert_eq!(literal_prefix("http://$HOST/"), "http://");
/// assert_eq!(literal_prefix("http://example.com/<id>/a"), "http://example.com/");
/// ```
#[must_use]
pub fn literal_prefix(template: &str) -> &str {
    let octets = template.as_bytes();
    let window = Window::new(octets, true);
    let begins = |at: &usize| match octets[*at] {
        b'{' => !is_guid(window, *at).unwrap_or(false),
        b'%' => conversion_at(window, *at).is_ok_and(|octets| octets.is_some()),
        b'<' | b'[' => named(window, *at).is_ok_and(|octets| octets.is_some()),
        b'\\' => octets.get(at + 1) != Some(&b'/'),
        b'$' => octets[..*at].ends_with(b"//"),
        _ => false,
    };
    let end = (0..octets.len()).find(begins).unwrap_or(octets.len());
    // The "$" of "${id}" and the "#" of "#{id}" are not in the resulting URL.
    let is_sign =
        octets.get(end) == Some(&b'{') && octets[..end].ends_with(b"$") || octets[..end].ends_with(b"#");
    &template[..end - usize::from(is_sign && end < octets.len())]
}

/// The text after the colon of a scheme in such a string.
const SLASHES: &[u8] = br"\/\/";

/// Finds the URL at a colon, if `\/\/` follows it.
pub(super) fn double(
    place: &SearchPosition<'_, '_>,
    colon: usize,
    url: &mut UrlPosition,
) -> Result<Outcome, Incomplete> {
    let none = Outcome::None(colon + 1);
    let after = colon + 1 + SLASHES.len();
    if place.window.excerpt(colon + 1, SLASHES.len())? != SLASHES {
        return Ok(none);
    }
    let Some(start) = place.name(colon).filter(|start| colon - start > 1) else { return Ok(none) };
    let mut tail = Tail::new(place.window, start, after);
    match tail.authority(place.finder.domains)? {
        Authority::Ends(least) | Authority::GoesOn(least) => rest(place, &mut tail, (least, true), url),
        Authority::Empty | Authority::None => find(place, (start, after), colon + 1, url),
    }
}

/// A URL between quotes that continues after a "\" at `at`; `None` if there is no escape.
pub(super) fn rest_of_quoted(
    place: &SearchPosition<'_, '_>,
    tail: &mut Tail<'_>,
    at: usize,
    url: &mut UrlPosition,
) -> Result<Option<Outcome>, Incomplete> {
    match escape_at(place.window, at)? {
        Some(_) => rest(place, tail, (at, false), url).map(Some),
        None => Ok(None),
    }
}

/// The rest of a URL, which is known up to `least`. If `has_slashes` is set, each "/" of it is
/// escaped, so that another one, which ends a regular expression, ends it.
fn rest(
    place: &SearchPosition<'_, '_>,
    tail: &mut Tail<'_>,
    (least, has_slashes): (usize, bool),
    url: &mut UrlPosition,
) -> Result<Outcome, Incomplete> {
    let (text, start, from) = (place.window.text, tail.start(), tail.from());
    let mut at = least;
    let end = loop {
        let end = match tail.run(at, NOTHING)? {
            Run::To(end) => end,
            Run::Pattern(at) => return find(place, (start, from), at, url),
            Run::TooLong => return Ok(Outcome::TooLong(start)),
        };
        if let Some(slash) = text[at..end].iter().position(|octet| has_slashes && *octet == b'/') {
            break at + slash;
        }
        match escape_at(place.window, end)? {
            Some((_, length)) => at = end + length,
            None => break end,
        }
    };
    let is_quoted = start > place.floor
        && place.window.before(start) == b'"'
        && matches!(place.window.octet(end)?, b'"' | b'\\');
    // Between quotes nothing belongs to the sentence.
    let end = if is_quoted { end } else { trim_trailing(text, least, end, NOTHING) };
    url.set((start, end), (start, end), MatchKind::Escaped);
    match place.finder.preset == Preset::Strict && !place.hit(url).is_readable() {
        true => Ok(Outcome::None(end)),
        false => Ok(Outcome::Found),
    }
}

/// Returns the escaped character of a URL at an offset, and the length of its escape.
fn escape_at(window: Window<'_>, at: usize) -> Result<Option<(char, usize)>, Incomplete> {
    let escape = window.excerpt(at, 6)?;
    Ok(character(escape).filter(|(character, _)| is_in_url(*character)))
}

/// Whether a URL continues with the character.
fn is_in_url(character: char) -> bool {
    character.is_ascii_graphic() && !"\"<>\\^`{|}".contains(character)
}
