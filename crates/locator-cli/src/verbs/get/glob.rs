//! Patterns in URLs, as curl has them: takes an argument, and returns the URLs that it stands for. "{a,b}" is
//! a choice, "[1-10]", "[001-100:5]" and "[a-z:2]" are ranges; "\\" before a bracket or a brace keeps it. An
//! argument that is a valid URL, such as one with an IPv6 address, is no pattern.

use std::ffi::{OsStr, OsString};
use std::net::Ipv6Addr;

use locator::Edition;

use crate::arguments::Inputs;
use crate::input::reading;
use crate::report::failure::Failure;

/// How many URLs the patterns of a run stand for at most.
const MOST: u64 = 100_000;

/// How many octets these URLs have at most, together.
const MOST_OCTETS: u64 = 1 << 28;

/// How many digits a number of a range has at most.
const MOST_DIGITS: usize = 256;

/// The patterns of the arguments.
#[derive(Debug, Default)]
pub(super) struct Globs {
    /// For each argument the number of its first URL, from 1, and its pattern; nothing if none is a pattern.
    arguments: Vec<(u64, Option<Pattern>)>,
}

/// Which URL of a run one is.
#[derive(Debug)]
pub(super) struct Nth {
    /// The number of its argument, from 1, or of its line.
    pub(super) argument: u64,
    /// What its patterns are in it.
    values: Vec<String>,
}

/// An argument with patterns.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pieces: Vec<Piece>,
    count: u64,
}

#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Choice(Vec<String>),
    Numbers { first: u64, step: u64, count: u64, width: usize },
    Letters { first: u8, step: u8, count: u64 },
}

impl Globs {
    /// Expands the arguments that are patterns.
    ///
    /// # Errors
    ///
    /// They stand for too many URLs.
    pub(super) fn expand(inputs: &mut Inputs, edition: &'static Edition) -> Result<Self, Failure> {
        let pattern = |url: &OsString| {
            let octets = url.as_encoded_bytes();
            let is_url =
                !octets.contains(&b'{') && !octets.contains(&b'[') || reading::read(octets, edition).is_ok();
            if is_url { None } else { Pattern::read(octets).ok().flatten() }
        };
        let patterns: Vec<_> = inputs.urls.iter().map(pattern).collect();
        if patterns.iter().all(Option::is_none) {
            return Ok(Self::default());
        }
        let all = patterns.iter().map(|pattern| pattern.as_ref().map_or(1, |pattern| pattern.count));
        // No URL is longer than its pattern, but for the digits of a range.
        let octets = patterns.iter().zip(&inputs.urls).filter_map(|(pattern, url)| {
            let length = (url.len() + MOST_DIGITS) as u64;
            pattern.as_ref().map(|pattern| pattern.count.saturating_mul(length))
        });
        if all.fold(0, u64::saturating_add) > MOST || octets.fold(0, u64::saturating_add) > MOST_OCTETS {
            let why = format!(
                "the patterns stand for more than {MOST} URLs, or for too long ones; list them, as with seq, and pipe them to 'locator get -'"
            );
            return Err(Failure::other("pattern", why));
        }
        inputs.expand(|at, url| match patterns.get(at).and_then(Option::as_ref) {
            Some(pattern) => (0..pattern.count).map(|index| pattern.nth(index).0.into()).collect(),
            None => vec![url],
        });
        let mut number = 1;
        let mut arguments = Vec::new();
        for pattern in patterns {
            let count = pattern.as_ref().map_or(1, |pattern| pattern.count);
            arguments.push((number, pattern));
            number += count;
        }
        Ok(Self { arguments })
    }

    /// Returns which URL has a number.
    pub(super) fn nth(&self, number: u64) -> Nth {
        let at = self.arguments.partition_point(|(first, _)| *first <= number);
        match at.checked_sub(1).and_then(|at| self.arguments.get(at)) {
            None => Nth { argument: number, values: Vec::new() },
            Some((first, pattern)) => {
                let values = pattern.as_ref().map(|pattern| pattern.nth(number - first).1);
                Nth { argument: at as u64, values: values.unwrap_or_default() }
            }
        }
    }
}

impl Nth {
    /// Returns the name of a file, with the nth pattern in place of "#n". One that the URL does not have is kept.
    pub(super) fn filled(&self, name: &OsStr) -> OsString {
        let Some(text) = name.to_str().filter(|text| !self.values.is_empty() && text.contains('#')) else {
            return name.to_owned();
        };
        let mut pieces = text.split('#');
        let mut filled = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let digits = piece.len() - piece.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let (number, rest) = piece.split_at(digits);
            let value =
                number.parse::<usize>().ok().and_then(|number| self.values.get(number.checked_sub(1)?));
            match value {
                Some(value) => filled.extend([value, rest]),
                None => filled.extend(["#", piece]),
            }
        }
        filled.into()
    }
}

impl Pattern {
    /// Reads an argument; `None` if it has no pattern.
    ///
    /// # Errors
    ///
    /// Why a pattern in it has no URLs, in curl's words.
    pub(super) fn read(octets: &[u8]) -> Result<Option<Self>, Failure> {
        let Ok(text) = std::str::from_utf8(octets) else { return Ok(None) };
        let (mut pieces, mut literal, mut rest) = (Vec::new(), String::new(), text);
        let at = |rest: &str| text.len() - rest.len();
        while let Some(first) = rest.chars().next() {
            let after = rest.get(first.len_utf8()..).unwrap_or_default();
            let found = match first {
                '\\' if after.starts_with(['[', ']', '{', '}']) => {
                    literal.push_str(&after[..1]);
                    rest = &after[1..];
                    continue;
                }
                '[' if address_in(after).is_some() => None,
                '[' => match after.split_once(']') {
                    Some((range, after)) if range.contains('-') => {
                        Some((Piece::range(range).map_err(|why| wrong(why, at(rest)))?, after))
                    }
                    _ if after.contains(']') => return Ok(None),
                    _ => {
                        return if after.contains('-') {
                            Err(wrong("bad range", at(rest)))
                        } else {
                            Ok(None)
                        };
                    }
                },
                '{' => match after.split_once('}') {
                    Some((choice, _)) if choice.contains(['{', '[']) && choice.contains(',') => {
                        return Err(wrong("nested brace", at(rest)));
                    }
                    // A name without a choice is one that a program was to fill in.
                    Some((choice, after)) if choice.contains(',') => {
                        let choice = choice.split(',').map(str::to_owned).collect();
                        Some((Piece::Choice(choice), after))
                    }
                    Some(_) => return Ok(None),
                    None => {
                        return if after.contains(',') {
                            Err(wrong("unmatched brace", at(rest)))
                        } else {
                            Ok(None)
                        };
                    }
                },
                ']' if !literal.contains('[') => return Ok(None),
                '}' => return Ok(None),
                _ => None,
            };
            match found {
                Some((piece, after)) => {
                    pieces.extend([Piece::Text(std::mem::take(&mut literal)), piece]);
                    rest = after;
                }
                None => {
                    literal.push(first);
                    rest = after;
                }
            }
        }
        if pieces.is_empty() {
            return Ok(None);
        }
        pieces.push(Piece::Text(literal));
        let count = pieces.iter().map(Piece::count).fold(1, u64::saturating_mul);
        Ok(Some(Self { pieces, count }))
    }

    /// Returns one of the URLs, from 0, the last pattern of which varies first; and what its patterns are.
    fn nth(&self, mut index: u64) -> (String, Vec<String>) {
        let mut chosen = Vec::new();
        for piece in self.pieces.iter().rev() {
            chosen.push(piece.nth(index % piece.count()));
            index /= piece.count();
        }
        chosen.reverse();
        let is_chosen = |piece: &&Piece| !matches!(piece, Piece::Text(_));
        let values = self.pieces.iter().zip(&chosen).filter(|(piece, _)| is_chosen(piece));
        (chosen.concat(), values.map(|(_, value)| value.clone()).collect())
    }
}

impl Piece {
    /// Reads what is in square brackets.
    fn range(text: &str) -> Result<Self, &'static str> {
        let (range, step) = text.split_once(':').map_or((text, None), |(range, step)| (range, Some(step)));
        let step = step.map_or(Ok(1), number).map_err(|_| "bad range")?;
        let (first, last) = range.split_once('-').ok_or("bad range")?;
        let (first, last) = (first, last.trim_start());
        // One value needs no step; a step leads to a second one.
        let is_wrong = |first: u64, last: u64| first > last || step == 0 || step > (last - first).max(1);
        if let ([one], [other]) = (first.as_bytes(), last.as_bytes())
            && one.is_ascii_alphabetic()
        {
            let is_letter =
                other.is_ascii_alphabetic() && one.is_ascii_lowercase() == other.is_ascii_lowercase();
            if !is_letter || is_wrong((*one).into(), (*other).into()) {
                return Err("bad range");
            }
            let (step, span) = (u8::try_from(step).unwrap_or(u8::MAX), u64::from(other - one));
            return Ok(Self::Letters { first: *one, step, count: span / u64::from(step) + 1 });
        }
        if first.len() > MOST_DIGITS {
            return Err("bad range");
        }
        let width = if first.starts_with('0') { first.len() } else { 0 };
        let (first, last) = (number(first)?, number(last)?);
        if is_wrong(first, last) {
            return Err("bad range");
        }
        Ok(Self::Numbers { first, step, count: ((last - first) / step).saturating_add(1), width })
    }

    /// Returns how many values it has.
    fn count(&self) -> u64 {
        match self {
            Self::Text(_) => 1,
            Self::Choice(values) => values.len() as u64,
            Self::Numbers { count, .. } | Self::Letters { count, .. } => *count,
        }
    }

    /// Returns one of its values, from 0.
    fn nth(&self, index: u64) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Choice(values) => {
                usize::try_from(index).ok().and_then(|index| values.get(index)).cloned().unwrap_or_default()
            }
            Self::Numbers { first, step, width, .. } => {
                format!("{:0width$}", first.saturating_add(index.saturating_mul(*step)))
            }
            Self::Letters { first, step, .. } => {
                let place = u64::from(*first) + index * u64::from(*step);
                u8::try_from(place).map_or(String::new(), |letter| char::from(letter).into())
            }
        }
    }
}

/// Reads a number: digits only.
fn number(text: &str) -> Result<u64, &'static str> {
    match text.is_empty() || !text.bytes().all(|octet| octet.is_ascii_digit()) {
        true => Err("bad range"),
        false => text.parse().map_err(|_| "range overflow"),
    }
}

/// Returns the IPv6 address after "[", perhaps with a zone.
fn address_in(after: &str) -> Option<Ipv6Addr> {
    let (address, _) = after.split_once(']')?;
    address.split('%').next()?.parse().ok()
}

fn wrong(why: &str, at: usize) -> Failure {
    Failure::other("pattern", format!("{why} in the pattern at byte {at}; with -g it is no pattern"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> Result<Vec<String>, String> {
        let pattern = Pattern::read(text.as_bytes()).map_err(|why| why.to_string())?;
        Ok(pattern.map_or_else(Vec::new, |one| (0..one.count).map(|index| one.nth(index).0).collect()))
    }

    #[test]
    fn patterns() {
        for (text, expected) in [
            ("h/{a,b}", "h/a h/b"),
            ("h/{a,}x{,b}", "h/ax h/axb h/x h/xb"),
            ("[1-3]", "1 2 3"),
            ("[01-03]", "01 02 03"),
            ("[9-010]", "9 10"),
            ("[098-101]", "098 099 100 101"),
            ("[1-10:4]", "1 5 9"),
            ("[0-0]", "0"),
            ("[1-1:1]", "1"),
            ("[a-e:2]", "a c e"),
            ("[X-Z]", "X Y Z"),
            ("[1- 2]", "1 2"),
            ("[1-2]{x,y}[a-b]", "1xa 1xb 1ya 1yb 2xa 2xb 2ya 2yb"),
            ("http://[::1]:80/{a,b}", "http://[::1]:80/a http://[::1]:80/b"),
            ("http://[fe80::1%25eth0]/[1-2]", "http://[fe80::1%25eth0]/1 http://[fe80::1%25eth0]/2"),
            ("\\[[1-2]\\]", "[1] [2]"),
            ("h/\u{e9}{\u{e9},b}", "h/\u{e9}\u{e9} h/\u{e9}b"),
            // No patterns.
            ("h/{id}", ""),
            ("h/{}", ""),
            ("h?a[]=b", ""),
            ("h?a[1]=b", ""),
            ("h/a}", ""),
            ("h/a]", ""),
            ("http://[::1]/", ""),
        ] {
            let expected: Vec<_> = expected.split(' ').filter(|one| !one.is_empty()).collect();
            assert_eq!(expanded(text).unwrap(), expected, "{text}");
        }
        for (text, expected) in [
            ("[3-1]", "bad range in the pattern at byte 0"),
            ("[a-Z]", "bad range in"),
            ("[A-z]", "bad range in"),
            ("[a-]", "bad range in"),
            ("[a-9]", "bad range in"),
            ("[1-]", "bad range in"),
            ("[-1-2]", "bad range in"),
            ("[1-3:0]", "bad range in"),
            ("[1-3:5]", "bad range in"),
            ("[1-1:2]", "bad range in"),
            ("[1-3", "bad range in"),
            (&format!("[{}-1]", "0".repeat(70_000)), "bad range in"),
            ("h/[1-99999999999999999999]", "range overflow in the pattern at byte 2"),
            ("{a,b", "unmatched brace in"),
            ("{a{b,c}}", "nested brace in"),
            ("{a[1-2],b}", "nested brace in"),
        ] {
            let found = expanded(text).unwrap_err();
            assert!(found.starts_with(expected), "{text}: {found}");
        }
    }

    #[test]
    fn many_need_no_memory() {
        let count = |text: &str| Pattern::read(text.as_bytes()).unwrap().unwrap().count;
        assert_eq!(count("[0-18446744073709551615]"), u64::MAX);
        assert_eq!(count("[1-1000000000000][1-1000000000000]"), u64::MAX);
    }

    #[test]
    fn names_of_files() {
        let nth = Nth { argument: 1, values: vec!["a".into(), "2".into()] };
        for (name, expected) in [
            ("#1_#2", "a_2"),
            ("#2#1", "2a"),
            ("#3", "#3"),
            ("#", "#"),
            ("#0#x", "#0#x"),
            ("#12", "#12"),
            ("x", "x"),
        ] {
            assert_eq!(nth.filled(OsStr::new(name)), expected, "{name}");
        }
    }
}
