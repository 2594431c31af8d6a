//! Finds wrapped URLs. Takes a scheme's name in a text and returns the match, if an angle bracket
//! is before the name and is closed. RFC 3986, appendix C: "Using <> angle brackets around each URI
//! is especially recommended as a delimiting style for a reference that contains embedded
//! whitespace."

use alloc::string::String;

use super::finder::{LIMIT, Preset};
use super::matched::{self, Match, MatchKind, UrlPosition};
use super::name::{NAME, SearchPosition};
use super::window::{Character, Incomplete};
use super::{evident, refang, window};
use crate::reference::UriRef;
use crate::scheme;
use crate::simd::BLOCK;

/// The maximum length of a URL that contains white space and has no prefix. After an unclosed bracket,
/// the text up to a bracket pages away is not a URL.
const SPACED: usize = 2048;

/// The maximum distance between the bracket and the scheme's colon: white space and a prefix may
/// come between.
const LEAD: usize = BLOCK;

/// Finds the URL whose scheme's name goes from `start` to `colon`, if it is wrapped.
#[inline(always)]
pub(super) fn find(
    place: &SearchPosition<'_, '_>,
    start: usize,
    colon: usize,
    url: &mut UrlPosition,
) -> Result<bool, Incomplete> {
    // A word and one space or line end are before most candidates.
    let before = place.window.before(start);
    if !is_near(before) || before.is_ascii_whitespace() && !is_near(place.window.before(start - 1)) {
        return Ok(false);
    }
    let Some(open) = opened(place, start, colon) else { return Ok(false) };
    // "It is convenient to ... use the URL: prefix": "<URL:ftp://info.cern.ch/>" (RFC 1738,
    // appendix).
    if place.window.text[start..=colon].eq_ignore_ascii_case(PREFIX) {
        return prefixed(place, open, colon, url);
    }
    wrapped(place, (start, colon), (open, MatchKind::Angle), url)
}

/// Whether an octet is allowed near a wrapped URL.
const fn is_near(octet: u8) -> bool {
    octet == b'<' || window::may_end_space(octet)
}

/// Returns the offset of the bracket before a name, with only white space between.
#[cold]
fn opened(place: &SearchPosition<'_, '_>, start: usize, colon: usize) -> Option<usize> {
    let text = place.window.text;
    let least = place.floor.max(colon.saturating_sub(LEAD));
    if start < least {
        return None;
    }
    let end = window::spaces_start(text, least, start);
    (end > least && text[end - 1] == b'<').then(|| end - 1)
}

/// Finds the URL after the prefix in a bracket. Its scheme's name may contain white space, if the
/// name is known without it.
#[cold]
fn prefixed(
    place: &SearchPosition<'_, '_>,
    open: usize,
    prefix: usize,
    url: &mut UrlPosition,
) -> Result<bool, Incomplete> {
    let (mut start, mut at) = (prefix + 1, prefix + 1);
    let (mut name, mut is_broken) = (String::new(), false);
    let colon = loop {
        let octet = place.window.octet(at)?;
        let space = window::spaces_length(place.window, at)?;
        match octet {
            _ if at > open + LEAD => return Ok(false),
            _ if space > 0 && name.is_empty() => start = at + space,
            _ if space > 0 => is_broken = true,
            b':' => break at,
            _ if NAME.contains(octet) => name.push(char::from(octet)),
            _ => return Ok(false),
        }
        at += space.max(1);
    };
    let is_known = || place.finder.allows(name.as_bytes()) || scheme::status(&name).is_some();
    // "<URL:see" and "http://a/>" in the next line are a word and a URL.
    if name.is_empty()
        || is_broken && !is_known()
        || place.window.text[prefix + 1..=colon].eq_ignore_ascii_case(PREFIX)
    {
        return Ok(false);
    }
    wrapped(place, (start, colon), (open, MatchKind::UrlPrefix), url)
}

const PREFIX: &[u8] = b"URL:";

/// Finds the URL between a bracket and the one that closes it.
#[cold]
fn wrapped(
    place: &SearchPosition<'_, '_>,
    (start, colon): (usize, usize),
    (open, how): (usize, MatchKind),
    url: &mut UrlPosition,
) -> Result<bool, Incomplete> {
    let text = place.window.text;
    let most = if how == MatchKind::UrlPrefix { LIMIT } else { SPACED };
    let Some(close) = closed(place, open, colon + 1, most)? else { return Ok(false) };
    let end = window::spaces_start(text, start, close);
    if how == MatchKind::Angle && is_comparison(&text[open + 1..close]) {
        return Ok(false);
    }
    url.set((start, end), (open, close + 1), how);
    Ok(is_url(place, &place.hit(url)))
}

/// Whether the brackets are comparison signs: "x <http://a/ and y > 3" has words between them, a
/// blank before the second and none after the first. White space is "added to break a long URI
/// across lines", so the documents do not cover this case.
fn is_comparison(wrapped: &[u8]) -> bool {
    let Ok(text) = core::str::from_utf8(wrapped) else { return true };
    let is_blank = |character: char| window::is_space(character) && !matches!(character, '\n' | '\r');
    let has_words = |line: &str| line.trim_matches(is_blank).contains(is_blank);
    text.ends_with(is_blank) && !text.starts_with(window::is_space) && text.split(['\n', '\r']).any(has_words)
}

/// Returns the offset of the bracket that closes another one, at most so many octets away if there is white
/// space between.
fn closed(
    place: &SearchPosition<'_, '_>,
    open: usize,
    from: usize,
    most: usize,
) -> Result<Option<usize>, Incomplete> {
    let (mut at, mut spaced, mut breaks) = (from, false, 0);
    loop {
        let octet = place.window.octet(at)?;
        let mut length = 1;
        match octet {
            b'>' => return Ok((at - open < LIMIT).then_some(at)),
            b'<' | b'"' => return Ok(None),
            b' ' | b'\t' | b'\r' | 0x0B => spaced = true,
            // An empty line ends a paragraph, and no URL continues after it.
            b'\n' if breaks == 1 => return Ok(None),
            b'\n' => breaks = 1,
            0..b' ' | 0x7F => return Ok(None),
            0x80.. => match place.window.character(at)? {
                Some((space, octets)) if window::is_space(space) => (length, spaced) = (octets, true),
                Some((character, octets)) if !character.is_control() && character != PARAGRAPH => {
                    (length, breaks) = (octets, 0);
                }
                _ => return Ok(None),
            },
            _ => breaks = 0,
        }
        spaced |= breaks > 0;
        at += length;
        if at - open > if spaced { most } else { LIMIT } {
            return Ok(None);
        }
    }
}

/// The character that ends a paragraph, as an empty line does.
const PARAGRAPH: char = '\u{2029}';

/// Whether the text in a wrapper is a URL.
fn is_url(place: &SearchPosition<'_, '_>, hit: &Match<'_>) -> bool {
    let url = hit.url();
    let Some((name, rest)) = url.split_once(':') else { return false };
    match matched::read(&url, place.finder.edition) {
        Ok(reference) if rest.starts_with("//") => has_host(reference, place.finder.preset),
        Ok(_) if hit.how == MatchKind::UrlPrefix => !rest.is_empty(),
        // "<data:element>" is a tag of XML, and says nothing that "data:element" does not.
        Ok(_) => {
            place.finder.allows(name.as_bytes())
                || place.is_known(name)
                    && evident::is_recognizable(name, rest.as_bytes())
                    && place.is_by_rule(&url)
        }
        Err(_) if refang::is_defanged(&url, false) => {
            matched::read(&refang(&url), place.finder.edition).is_ok()
        }
        // Text with white space that is not a URL is text in brackets; "{name}" and "%s" make
        // templates.
        Err(_) => {
            place.finder.preset != Preset::Strict
                && url.len() == hit.end - hit.start
                && rest.strip_prefix("//").is_some_and(|rest| {
                    rest.starts_with(|first: char| {
                        first.is_ascii_alphanumeric()
                            || first == '['
                            || Character::of(first) == Character::Body
                    })
                })
                && !rest.contains(['{', '}'])
                && !rest.contains("%s")
        }
    }
}

/// Whether a URL with "//" has a host, or needs none. A URL without one is a typing error, but is a
/// match.
fn has_host(reference: UriRef<'_>, preset: Preset) -> bool {
    let has = reference.authority().is_some_and(|authority| !authority.host().as_str().is_empty());
    let scheme = reference.scheme().and_then(|name| scheme::lookup(name.as_str()));
    let needs_host = scheme.is_some_and(|scheme| scheme.default_port().is_some());
    has || reference.path().as_str().len() > 1 && (!needs_host || preset != Preset::Strict)
}
