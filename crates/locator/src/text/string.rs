//! Finds URLs in escaped strings, as in JSON. Takes a candidate position and returns the match and
//! its decoded octets. Follows RFC 8259, section 7: "/" may be written `\/`, and any character
//! `\u0026`. PHP writes the former, Go the latter.
//!
//! The meaning of a "\" in other texts is unknown, so a URL ends there: these two escapes exist in
//! no other notation.

use super::end::{Authority, Run, Tail, trim_trailing};
use super::escapes::character;
use super::finder::Preset;
use super::found::Found;
use super::matched::MatchKind;
use super::place::{Outcome, Place};
use super::template;
use super::window::{Incomplete, NOTHING, Window};

/// The text after the colon of a scheme in such a string.
const SLASHES: &[u8] = br"\/\/";

/// Finds the URL at a colon, if `\/\/` follows it.
pub(super) fn double(place: &Place<'_, '_>, colon: usize, url: &mut Found) -> Result<Outcome, Incomplete> {
    let none = Outcome::None(colon + 1);
    let after = colon + 1 + SLASHES.len();
    if place.window.excerpt(colon + 1, SLASHES.len())? != SLASHES {
        return Ok(none);
    }
    let Some(start) = place.name(colon).filter(|start| colon - start > 1) else { return Ok(none) };
    let mut tail = Tail::new(place.window, start, after);
    match tail.authority(place.finder.domains)? {
        Authority::Ends(least) | Authority::GoesOn(least) => rest(place, &mut tail, (least, true), url),
        Authority::Empty | Authority::None => template::find(place, (start, after), colon + 1, url),
    }
}

/// A URL between quotes that continues after a "\" at `at`; `None` if there is no escape.
pub(super) fn rest_of_quoted(
    place: &Place<'_, '_>,
    tail: &mut Tail<'_>,
    at: usize,
    url: &mut Found,
) -> Result<Option<Outcome>, Incomplete> {
    match escape_at(place.window, at)? {
        Some(_) => rest(place, tail, (at, false), url).map(Some),
        None => Ok(None),
    }
}

/// The rest of a URL, which is known up to `least`. If `has_slashes` is set, each "/" of it is
/// escaped, so that another one, which ends a regular expression, ends it.
fn rest(
    place: &Place<'_, '_>,
    tail: &mut Tail<'_>,
    (least, has_slashes): (usize, bool),
    url: &mut Found,
) -> Result<Outcome, Incomplete> {
    let (text, start, from) = (place.window.text, tail.start(), tail.from());
    let mut at = least;
    let end = loop {
        let end = match tail.run(at, NOTHING)? {
            Run::To(end) => end,
            Run::Pattern(at) => return template::find(place, (start, from), at, url),
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
