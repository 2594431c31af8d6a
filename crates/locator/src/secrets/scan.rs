//! Finds the secrets of a text by the names of parameters: takes a text, valid or not, and returns the
//! ranges of the values that are hidden.
//!
//! The text is read once, from left to right, with its escapes decoded: a delimiter has a level, which is the
//! number of times that it is encoded. "&" is of level 0, "%26" of level 1, "%2526" of level 2. So the URLs
//! in a URL need no parse of their own. A value ends at a delimiter of the level of its "=" or less.

use alloc::vec::Vec;
use core::ops::Range;

use super::passwords;
use super::random::looks_random;
use super::{Name, Rule};

/// Returns whether a text without escapes ends with the name of a parameter whose value may be a secret.
#[inline]
#[must_use]
pub fn ends_with_name(text: &[u8]) -> bool {
    super::ends_with_name(text)
}

/// Returns whether the name of a header of HTTP says that its value is a secret.
#[must_use]
pub fn is_header(name: &str) -> bool {
    super::is_header(name)
}

/// Returns the ranges of the passwords of userinfo in a text, valid or not, for sentences that quote URLs.
#[must_use]
pub fn passwords(text: &str) -> Vec<Range<usize>> {
    passwords::Scan { octets: text.as_bytes(), trusts: false }.passwords(0)
}

/// Returns the ranges of secrets in a URL, valid or not, from left to right: values of parameters, users
/// that look random, and passwords of escaped URLs.
#[must_use]
pub fn secrets(text: &[u8]) -> Vec<Range<usize>> {
    if !text.iter().any(|octet| matches!(octet, b'=' | b'%' | b'@')) {
        return Vec::new();
    }
    let mut scan = Scan { text, places: [Place::START; LEVELS], found: Vec::new() };
    scan.run();
    scan.found
}

/// Returns the ranges of secrets in sentences or lines of a protocol, whose URLs are between white space
/// and quotation marks.
#[cfg(feature = "plan")]
pub(crate) fn of_words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let words = text.split([' ', '\t', '\n', '"', '\'', '<', '>', '`']);
    words.flat_map(|word| {
        let start = word.as_ptr().addr() - text.as_ptr().addr();
        secrets(word.as_bytes()).into_iter().map(move |range| range.start + start..range.end + start)
    })
}

/// So many levels are distinguished; what is encoded more often has the last.
const LEVELS: usize = 6;

/// A user with so many letters and digits may be a token.
const LONG_USER: usize = 16;

/// A value is looked at up to this length.
const SHAPE: usize = 256;

/// An octet of the decoded text.
#[derive(Clone, Copy)]
struct Unit {
    octet: u8,
    level: usize,
    end: usize,
}

/// Where in a URL of a level the scan is.
#[derive(Clone, Copy)]
struct Place {
    /// Whether a value ends at "/" and "?".
    is_path: bool,
    is_query: bool,
}

impl Place {
    const START: Self = Self { is_path: false, is_query: false };
    const PATH: Self = Self { is_path: true, is_query: false };
    const QUERY: Self = Self { is_path: false, is_query: true };
}

struct Scan<'a> {
    text: &'a [u8],
    places: [Place; LEVELS],
    found: Vec<Range<usize>>,
}

impl Scan<'_> {
    fn run(&mut self) {
        let (mut at, mut name) = (0, Name::new());
        let mut before = [0; 2];
        while let Some(unit) = self.unit(at) {
            at = unit.end;
            if !name.push(unit.octet) {
                let rule = name.rule().filter(|_| unit.octet == b'=');
                name.clear();
                if let Some(value) = rule.and_then(|rule| self.value(unit, rule)) {
                    at = value.end;
                    self.found.push(value);
                }
                if unit.octet == b'/' && before[1] == b'/' {
                    self.userinfo(unit);
                }
                self.move_on(unit, before);
            }
            before = [before[1], unit.octet];
        }
    }

    /// Returns the octet at a place, and how often it is encoded.
    fn unit(&self, at: usize) -> Option<Unit> {
        let rest = self.text.get(at..)?;
        let octet = *rest.first()?;
        // "%", "25" as often as it is escaped again, and the digits of the octet.
        let (mut decoded, mut level, mut digits) = (octet, 0, 1);
        while decoded == b'%' {
            let Some(next) = rest.get(digits..digits + 2).and_then(decode) else { break };
            (decoded, level, digits) = (next, level + 1, digits + 2);
        }
        Some(Unit { octet: decoded, level: level.min(LEVELS - 1), end: at + digits })
    }

    /// Notes what a delimiter says of the place in the URL.
    fn move_on(&mut self, unit: Unit, before: [u8; 2]) {
        let place = &mut self.places[unit.level];
        match unit.octet {
            b'/' if before == *b":/" => *place = Place::PATH,
            b'/' | b';' if !place.is_query => place.is_path = true,
            b'?' => *place = Place::QUERY,
            // Some programs have a path in the fragment: `#/callback?token=…`.
            b'#' => *place = Place::START,
            b'&' => place.is_path = false,
            _ => return,
        }
        if matches!(unit.octet, b'?' | b'#' | b'&') {
            self.places[unit.level + 1..].fill(Place::START);
        }
    }

    /// Returns the value after a "=", if it is hidden.
    fn value(&self, equals: Unit, rule: Rule) -> Option<Range<usize>> {
        let is_path = self.places[equals.level].is_path;
        let is_end = |unit: Unit| {
            let ends = matches!(unit.octet, b'&' | b';' | b'#')
                || is_path && matches!(unit.octet, b'/' | b'?' | b'\\');
            ends && unit.level <= equals.level
        };
        let start = equals.end;
        // Most values are not hidden. The end of those that are need not be near.
        let (shape, end) = self.decoded(start, is_end);
        let shape = shape.trim_ascii();
        let is_hidden = match rule {
            Rule::Always => true,
            Rule::UnlessFlag => !is_flag(shape),
            Rule::OneTime => is_code(shape) || looks_random(shape, 8),
            Rule::IfRandom(least) => looks_random(shape, least),
        };
        let end = if is_hidden { self.find(end, is_end) } else { start };
        (end > start).then_some(start..end)
    }

    /// Returns the decoded beginning of a value, and where that ends.
    fn decoded(&self, start: usize, is_end: impl Fn(Unit) -> bool) -> (Vec<u8>, usize) {
        let (mut decoded, mut at) = (Vec::new(), start);
        while let Some(unit) = self.unit(at).filter(|unit| decoded.len() < SHAPE && !is_end(*unit)) {
            decoded.push(unit.octet);
            at = unit.end;
        }
        (decoded, at)
    }

    /// Returns where the next octet begins that is an end; the length of the text without one.
    fn find(&self, mut at: usize, is_end: impl Fn(Unit) -> bool) -> usize {
        while let Some(unit) = self.unit(at).filter(|unit| !is_end(*unit)) {
            at = unit.end;
        }
        at
    }

    /// Hides a user after "//" that looks random, and in an escaped URL the password, too. Passwords
    /// of URLs that are not escaped have a search of their own, for which no character ends them.
    fn userinfo(&mut self, slash: Unit) {
        let level = slash.level;
        let is_end = |unit: Unit| {
            unit.level <= level && matches!(unit.octet, b'/' | b'?' | b'#' | b'\\')
                || unit.level < level && matches!(unit.octet, b'&' | b';')
        };
        let (mut at, mut colon, mut sign) = (slash.end, None, None);
        while let Some(unit) = self.unit(at).filter(|unit| !is_end(*unit)) {
            match unit.octet {
                b':' if unit.level <= level && colon.is_none() => colon = Some(at..unit.end),
                b'@' if unit.level <= level => sign = Some(at),
                _ => {}
            }
            at = unit.end;
        }
        let Some(sign) = sign else { return };
        let colon = colon.filter(|colon| colon.start < sign).unwrap_or(sign..sign);
        let (user, _) = self.decoded(slash.end, |unit| unit.end > colon.start);
        if looks_random(&user, LONG_USER) {
            self.found.push(slash.end..colon.start);
        }
        if level > 0 && colon.end < sign {
            self.found.push(colon.end..sign);
        }
    }
}

/// Returns the octet of two hexadecimal digits.
fn decode(digits: &[u8]) -> Option<u8> {
    let digit = |octet: &u8| char::from(*octet).to_digit(16);
    let value = digit(digits.first()?)? << 4 | digit(digits.get(1)?)?;
    u8::try_from(value).ok()
}

/// Returns whether a value only says yes or no: `show_password=1`.
fn is_flag(value: &[u8]) -> bool {
    const FLAGS: [&[u8]; 12] =
        [b"0", b"1", b"y", b"n", b"yes", b"no", b"on", b"off", b"true", b"false", b"null", b"none"];
    FLAGS.iter().any(|flag| flag.eq_ignore_ascii_case(value))
}

/// Returns whether a value is a code as it is sent to telephones.
fn is_code(value: &[u8]) -> bool {
    (6..=8).contains(&value.len()) && value.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    fn shown(text: &str) -> String {
        let (mut shown, mut from) = (String::new(), 0);
        for range in secrets(text.as_bytes()) {
            shown = shown + &text[from..range.start] + "(hidden)";
            from = range.end;
        }
        shown + &text[from..]
    }

    #[test]
    fn values_are_hidden_wherever_they_are() {
        for (text, expected) in [
            ("http://h/?password=a b&c=d", "http://h/?password=(hidden)&c=d"),
            ("http://h/?a=b;pwd=x;c=d#e", "http://h/?a=b;pwd=(hidden);c=d#e"),
            ("http://h/a;jsessionid=1CE8.node1/b?c=d", "http://h/a;jsessionid=(hidden)/b?c=d"),
            ("http://h/a;jsessionid=1CE8?state=x", "http://h/a;jsessionid=(hidden)?state=x"),
            ("http://h/#access_token=a/b=&x=y", "http://h/#access_token=(hidden)&x=y"),
            ("http://h/#/cb?access_token=a/b&x=y", "http://h/#/cb?access_token=(hidden)&x=y"),
            ("http://h/#!/cb;sessionid=a?x=y", "http://h/#!/cb;sessionid=(hidden)?x=y"),
            ("http://h/?%61ccess%5Ftoken=a%26b&c=d", "http://h/?%61ccess%5Ftoken=(hidden)&c=d"),
            ("http://h/?user%5Bpassword%5D=x&c", "http://h/?user%5Bpassword%5D=(hidden)&c"),
            ("http://h/?API-KEY[]=x", "http://h/?API-KEY[]=(hidden)"),
            ("/?u=http://i/?token=0f8fad5b&c=d", "/?u=http://i/?token=(hidden)&c=d"),
            (
                "/?u=http%3A%2F%2Fi%2F%3Fpwd%3Dx%26y%3Dz&c=d",
                "/?u=http%3A%2F%2Fi%2F%3Fpwd%3D(hidden)%26y%3Dz&c=d",
            ),
            ("/?u=i%253Fpwd%253Dx%2526y%253Dz%26c=d", "/?u=i%253Fpwd%253D(hidden)%2526y%253Dz%26c=d"),
            ("/?u=%2Fa%3Bjsessionid%3Dx%2Fb%3Fc&d", "/?u=%2Fa%3Bjsessionid%3D(hidden)%2Fb%3Fc&d"),
            ("/?u=ftp%3A%2F%2Fu%3Ap%2540q%40h%2F&d", "/?u=ftp%3A%2F%2Fu%3A(hidden)%40h%2F&d"),
            ("https://8r53nra5m7lpph7tbivvrdvcl2:x@h/", "https://(hidden):x@h/"),
            ("https://8r53nra5m7lpph7tbivvrdvcl2@h/", "https://(hidden)@h/"),
            ("pw=a/b&sig=0f8f/ad5b9", "pw=(hidden)&sig=(hidden)"),
            ("/?show_password=1&password=1", "/?show_password=1&password=(hidden)"),
            ("/?otp=123456&otp=12&code=123456", "/?otp=(hidden)&otp=12&code=123456"),
            ("/?sid=02/10/12/1710205&key=name&password=", "/?sid=02/10/12/1710205&key=name&password="),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn octets_that_are_no_text_are_passed_over() {
        for text in [&b"?pwd=%"[..], b"%", b"%2", b"%25", b"%2525=", b"=%zz\xFF", b"?pwd=\xFF%FF&", b"//%40@"]
        {
            for range in secrets(text) {
                assert!(text.get(range).is_some());
            }
        }
    }
}
