//! Wrappers: a scheme's name in a text enters; the hit leaves, if an angle bracket stands before the name and is closed. RFC
//! 3986, appendix C: "Using <> angle brackets around each URI is especially recommended as a delimiting style for a
//! reference that contains embedded whitespace."

use super::character::Character;
use super::found::Found;
use super::hit::{self, Hit};
use super::place::Place;
use super::window::More;
use super::{How, LIMIT, Preset};
use crate::octet::BLOCK;
use crate::reference::UriRef;
use crate::scheme;

/// How many octets a URL may have that has white space in it. Who opens a bracket and does not close it has not written
/// a URL up to the next bracket, be it pages away.
const SPACED: usize = 2048;

/// How far before its scheme's colon the bracket of a URL may stand, at most: white space and a prefix may come between.
const LEAD: usize = BLOCK;

/// Finds the URL whose scheme's name goes from `start` to `colon`, if it is wrapped.
#[inline(always)]
pub(super) fn find(place: &Place<'_, '_>, start: usize, colon: usize, url: &mut Found) -> Result<bool, More> {
    // A word and one space or line's end is what stands before most.
    let before = place.window.before(start);
    if !is_near(before) || before.is_ascii_whitespace() && !is_near(place.window.before(start - 1)) {
        return Ok(false);
    }
    match opened(place, start, colon) {
        Some((open, how)) => wrapped(place, start, colon, (open, how), url),
        None => Ok(false),
    }
}

/// Whether an octet may stand near a URL that is wrapped.
const fn is_near(octet: u8) -> bool {
    octet == b'<' || octet == b':' || octet.is_ascii_whitespace()
}

/// Where the bracket stands that a URL is in, and what the URL is then.
#[cold]
fn opened(place: &Place<'_, '_>, start: usize, colon: usize) -> Option<(usize, How)> {
    let text = place.window.text;
    let least = place.floor.max(colon.saturating_sub(LEAD));
    let without_space = |end: usize| least + text[least..end].trim_ascii_end().len();
    let is_open = |end: usize| end > least && text[end - 1] == b'<';
    if start < least {
        return None;
    }
    let before = without_space(start);
    if is_open(before) {
        return Some((before - 1, How::Angle));
    }
    // "It is convenient to ... use the URL: prefix": "<URL:ftp://info.cern.ch/>" (RFC 1738, appendix).
    let prefix = before.checked_sub(PREFIX.len()).filter(|at| *at >= least)?;
    if !text[prefix..before].eq_ignore_ascii_case(PREFIX) {
        return None;
    }
    let before = without_space(prefix);
    is_open(before).then(|| (before - 1, How::Url))
}

const PREFIX: &[u8] = b"URL:";

/// Finds the URL between a bracket and the one that closes it.
#[cold]
fn wrapped(
    place: &Place<'_, '_>,
    start: usize,
    colon: usize,
    (open, how): (usize, How),
    url: &mut Found,
) -> Result<bool, More> {
    // The prefix is no scheme.
    if place.window.text[start..=colon].eq_ignore_ascii_case(PREFIX) {
        return Ok(false);
    }
    let Some(close) = closed(place, open, colon + 1)? else { return Ok(false) };
    let end = start + place.window.text[start..close].trim_ascii_end().len();
    if how == How::Angle && is_comparison(place.window.text, (open, close), (start, end)) {
        return Ok(false);
    }
    url.set((start, end), (open, close + 1), how);
    Ok(is_url(place, &place.hit(url), colon))
}

/// Whether the brackets are signs: "x <http://a/ and y > 3" has words between them, a blank before the second and none behind the first.
/// White space is "added to break a long URI across lines", so documents have nothing to say for it there.
fn is_comparison(text: &[u8], (open, close): (usize, usize), (start, end): (usize, usize)) -> bool {
    let is_blank = |octet: u8| matches!(octet, b' ' | b'\t');
    let has_words = |line: &[u8]| line.trim_ascii().iter().any(|octet| is_blank(*octet));
    is_blank(text[close - 1])
        && !text[open + 1].is_ascii_whitespace()
        && text[start..end].split(|octet| matches!(octet, b'\n' | b'\r')).any(has_words)
}

/// Where the bracket stands that closes one.
fn closed(place: &Place<'_, '_>, open: usize, from: usize) -> Result<Option<usize>, More> {
    let (mut at, mut spaced, mut breaks) = (from, false, 0);
    loop {
        let octet = place.window.octet(at)?;
        match octet {
            b'>' => return Ok((at - open < LIMIT).then_some(at)),
            b'<' | b'"' => return Ok(None),
            b' ' | b'\t' | b'\r' => spaced = true,
            // An empty line ends a paragraph, and no URL goes on in the next.
            b'\n' if breaks == 1 => return Ok(None),
            b'\n' => breaks = 1,
            0..b' ' | 0x7F => return Ok(None),
            _ => breaks = 0,
        }
        spaced |= breaks > 0;
        at += match octet {
            0x80.. => match place.window.character(at)? {
                Some((character, length)) if !character.is_control() => length,
                _ => return Ok(None),
            },
            _ => 1,
        };
        if at - open > if spaced { SPACED } else { LIMIT } {
            return Ok(None);
        }
    }
}

/// Whether what stands in a wrapper is a URL.
fn is_url(place: &Place<'_, '_>, hit: &Hit<'_>, colon: usize) -> bool {
    let (url, name) = (hit.url(), colon - hit.start);
    let rest = &url[name + 1..];
    match hit::read(&url, place.finder.edition) {
        Ok(reference) if rest.starts_with("//") => has_host(reference),
        Ok(_) if hit.how == How::Url => !rest.is_empty(),
        // "<data:element>" is a tag of XML, and says nothing that "data:element" does not.
        Ok(_) => {
            place.finder.allows(url[..name].as_bytes())
                || place.is_known(&url[..name])
                    && scheme::is_evident(&url[..name], rest.as_bytes())
                    && place.is_by_rule(&url)
        }
        // What is no URL and has white space in it is a text with brackets, and "{name}" and "%s" make patterns.
        Err(_) => {
            place.finder.preset != Preset::Strict
                && rest.len() == hit.end - colon - 1
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

/// Whether a URL with "//" has a host, or needs none.
fn has_host(reference: UriRef<'_>) -> bool {
    let has = reference.authority().is_some_and(|authority| !authority.host().as_str().is_empty());
    let scheme = reference.scheme().and_then(|name| scheme::named(name.as_str()));
    has || reference.path().as_str().len() > 1 && scheme.is_none_or(|scheme| scheme.default_port().is_none())
}
