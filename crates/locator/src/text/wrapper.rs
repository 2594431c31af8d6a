//! Wrappers: a scheme's name in a text enters; the hit leaves, if an angle bracket stands before the name and is closed. RFC
//! 3986, appendix C: "Using <> angle brackets around each URI is especially recommended as a delimiting style for a
//! reference that contains embedded whitespace."

use super::character::Character;
use super::hit::{self, Hit};
use super::search::Place;
use super::window::More;
use super::{How, LIMIT, Preset};
use crate::reference::UriRef;
use crate::scheme;

/// How many octets a URL may have that has white space in it. Who opens a bracket and does not close it has not written
/// a URL up to the next bracket, be it pages away.
const SPACED: usize = 2048;

/// How much white space may stand before a URL in its wrapper.
const LEAD: usize = 64;

/// The hit of a URL whose scheme's name goes from `start` to `colon`, if it is wrapped.
#[inline(always)]
pub(super) fn hit<'t>(place: Place<'_, 't>, start: usize, colon: usize) -> Result<Option<Hit<'t>>, More> {
    match place.window.before(start) {
        b'<' | b':' | b' ' | b'\t' | b'\r' | b'\n' => match opened(place, start) {
            Some((open, how)) => wrapped(place, start, colon, open, how),
            None => Ok(None),
        },
        _ => Ok(None),
    }
}

/// Where the bracket stands that a URL is in, and what the URL is then.
#[inline(always)]
fn opened(place: Place<'_, '_>, start: usize) -> Option<(usize, How)> {
    let text = place.window.text;
    let without_space = |end: usize| {
        let lead =
            text[place.floor..end].iter().rev().take(LEAD).take_while(|octet| octet.is_ascii_whitespace());
        end - lead.count()
    };
    let is_open = |end: usize| end > place.floor && text[end - 1] == b'<';
    let before = without_space(start);
    if is_open(before) {
        return Some((before - 1, How::Angle));
    }
    // "It is convenient to ... use the URL: prefix": "<URL:ftp://info.cern.ch/>" (RFC 1738, appendix).
    let prefix = before.checked_sub(PREFIX.len()).filter(|at| *at >= place.floor)?;
    if !text[prefix..before].eq_ignore_ascii_case(PREFIX) {
        return None;
    }
    let before = without_space(prefix);
    is_open(before).then(|| (before - 1, How::Url))
}

const PREFIX: &[u8] = b"URL:";

/// The hit between a bracket and the one that closes it.
#[cold]
fn wrapped<'t>(
    place: Place<'_, 't>,
    start: usize,
    colon: usize,
    open: usize,
    how: How,
) -> Result<Option<Hit<'t>>, More> {
    // The prefix is no scheme.
    if place.window.text[start..=colon].eq_ignore_ascii_case(PREFIX) {
        return Ok(None);
    }
    let Some(close) = closed(place, open, colon + 1)? else { return Ok(None) };
    let end = close
        - place.window.text[start..close]
            .iter()
            .rev()
            .take_while(|octet| octet.is_ascii_whitespace())
            .count();
    let hit = place.hit(start, end, (open, close + 1), how);
    Ok(is_url(place, &hit, colon).then_some(hit))
}

/// Where the bracket stands that closes one.
fn closed(place: Place<'_, '_>, open: usize, from: usize) -> Result<Option<usize>, More> {
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
fn is_url(place: Place<'_, '_>, hit: &Hit<'_>, colon: usize) -> bool {
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
