//! Finds the secrets of a text by the names of parameters: takes a text, valid or not, and returns the
//! ranges of the values that are hidden.
//!
//! The text is read once, from left to right, with its escapes decoded: a delimiter has a level, which is the
//! number of times that it is encoded. "&" is of level 0, "%26" of level 1, "%2526" of level 2. So the URLs
//! in a URL need no parse of their own. A value ends at a delimiter of the level of its "=" or less.
//!
//! Hides the passwords of userinfo: takes a text, valid or not, and returns the ranges of what may be
//! passwords.
//!
//! The search does not rely on the parser, because an invalid text has no reliable components: in
//! `ftp://gisle@aas.no:secret@host/` the grammar takes the password for a port. The search therefore
//! hides all text between the first ":" after "//" and the last "@" before the next "/". See RFC 3986,
//! 7.5: "Applications should not render as clear text any data after the first colon (":") character
//! found within a userinfo subcomponent".
//!
//! Whether a value looks random: takes the octets of a value without escapes, and returns whether it is
//! rather a token than a word, a number, a date, a code of a country or a product, or a name of a page.
//!
//! A UUID looks random. So does a value in whose letters and digits the kind (digit, small, capital) changes
//! often: random letters and digits do so at nearly every second place, and `spring-2024`, `page2` and
//! `camelCase` seldom. A number looks random from 24 digits on; no date is that long.

use alloc::vec::Vec;
use core::ops::Range;

use super::{SecretName, SecretRule};

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
    PasswordScan { octets: text.as_bytes(), trusts: false }.passwords(0)
}

/// Returns the ranges of secrets in a URL, valid or not, from left to right: values of parameters, users
/// that look random, and passwords of escaped URLs.
#[must_use]
pub fn secrets(text: &[u8]) -> Vec<Range<usize>> {
    if !text.iter().any(|octet| matches!(octet, b'=' | b'%' | b'@')) {
        return Vec::new();
    }
    let mut scan = SecretScan { text, places: [UrlPart::START; LEVELS], found: Vec::new() };
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
struct UrlPart {
    /// Whether a value ends at "/" and "?".
    is_path: bool,
    is_query: bool,
}

impl UrlPart {
    const START: Self = Self { is_path: false, is_query: false };
    const PATH: Self = Self { is_path: true, is_query: false };
    const QUERY: Self = Self { is_path: false, is_query: true };
}

struct SecretScan<'a> {
    text: &'a [u8],
    places: [UrlPart; LEVELS],
    found: Vec<Range<usize>>,
}

impl SecretScan<'_> {
    fn run(&mut self) {
        let (mut at, mut name) = (0, SecretName::new());
        let mut before = [0; 2];
        while let Some(unit) = self.unit(at) {
            at = unit.end;
            if !name.push(unit.octet) {
                let rule = name.rule().filter(|_| matches!(unit.octet, b'=' | b'"'));
                name.clear();
                let value = rule.and_then(|rule| match unit.octet {
                    b'"' => self.json_value(unit, rule),
                    _ => self.value(unit, rule),
                });
                if let Some(value) = value {
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
            b'/' if before == *b":/" => *place = UrlPart::PATH,
            b'/' | b';' if !place.is_query => place.is_path = true,
            b'?' => *place = UrlPart::QUERY,
            // Some programs have a path in the fragment: `#/callback?token=…`.
            b'#' => *place = UrlPart::START,
            b'&' => place.is_path = false,
            _ => return,
        }
        if matches!(unit.octet, b'?' | b'#' | b'&') {
            self.places[unit.level + 1..].fill(UrlPart::START);
        }
    }

    /// Returns the value after a "=", if it is hidden.
    fn value(&self, equals: Unit, rule: SecretRule) -> Option<Range<usize>> {
        let is_path = self.places[equals.level].is_path;
        let is_end = |unit: Unit| {
            let ends = matches!(unit.octet, b'&' | b';' | b'#')
                || is_path && matches!(unit.octet, b'/' | b'?' | b'\\');
            ends && unit.level <= equals.level
        };
        let start = equals.end;
        // Most values are not hidden. The end of those that are need not be near.
        let (shape, end) = self.decoded(start, is_end);
        let end = if is_hidden(&shape, rule) { self.find(end, is_end) } else { start };
        (end > start).then_some(start..end)
    }

    /// Returns the string after a name in JSON, if it is hidden: `{"password": "x"}`, where `quote` is the end of the
    /// name (RFC 8259, 4).
    fn json_value(&self, quote: Unit, rule: SecretRule) -> Option<Range<usize>> {
        let is_space = |unit: Unit| matches!(unit.octet, b' ' | b'+' | b'\t' | b'\n' | b'\r');
        let colon = self.unit(self.find(quote.end, |unit| !is_space(unit)))?;
        let opening = self.unit(self.find(colon.end, |unit| !is_space(unit)))?;
        if (colon.octet, opening.octet) != (b':', b'"') {
            return None;
        }
        let start = opening.end;
        let is_end = |unit: Unit| unit.octet == b'"' && unit.level <= opening.level;
        let (shape, end) = self.decoded(start, is_end);
        let end = if is_hidden(&shape, rule) { self.find(end, is_end) } else { start };
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

/// Returns whether the value of a parameter is hidden.
fn is_hidden(value: &[u8], rule: SecretRule) -> bool {
    let value = value.trim_ascii();
    match rule {
        SecretRule::Always => true,
        SecretRule::UnlessFlag => !is_flag(value),
        SecretRule::OneTime => is_code(value) || looks_random(value, 8),
        SecretRule::IfRandom(least) => looks_random(value, least),
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

/// The search for passwords.
pub(crate) struct PasswordScan<'a> {
    pub(crate) octets: &'a [u8],
    /// Whether the text is a valid reference with a known authority, so that fewer ranges are
    /// suspect.
    pub(crate) trusts: bool,
}

impl PasswordScan<'_> {
    /// Returns the ranges of possible passwords from an offset on.
    pub(crate) fn passwords(&self, from: usize) -> Vec<Range<usize>> {
        let (mut found, mut from, mut is_first) = (Vec::new(), from, !self.trusts);
        while let Some(start) = self.authority(from) {
            let end = self.position(start, |octet| octet == b'/').unwrap_or(self.octets.len());
            let password = self.password(start, end);
            let password = password.or_else(|| if is_first { self.with_slash(start, end) } else { None });
            from = password.as_ref().map_or(end, |password| password.end.max(end));
            is_first = false;
            found.extend(password.filter(|password| !password.is_empty()));
        }
        found
    }

    /// Returns the start of the next possible authority: after "//", or after ":/" if the second
    /// "/" is missing. Browsers ignore tabs and line ends between them.
    fn authority(&self, mut from: usize) -> Option<usize> {
        // The ":" at the end of a known authority is that of an empty port.
        let floor = if self.trusts { from } else { 0 };
        loop {
            let start = self.position(from, is_slash)?;
            let is_end = |octet| !is_slash(octet) && !is_ignored(octet);
            let end = self.position(start, is_end).unwrap_or(self.octets.len());
            let slashes = self.octets[start..end].iter().filter(|octet| is_slash(**octet)).count();
            let before = self.octets[floor..start].iter().rfind(|octet| !is_ignored(**octet));
            if slashes > 1 || before == Some(&b':') {
                return Some(end);
            }
            from = end;
        }
    }

    /// Returns the range between the first ":" and the last "@".
    fn password(&self, start: usize, end: usize) -> Option<Range<usize>> {
        let colon = start + self.octets[start..end].iter().position(|&octet| octet == b':')?;
        let at = colon + self.octets[colon..end].iter().rposition(|&octet| octet == b'@')?;
        Some(colon + 1..at)
    }

    /// Returns a password that contains a "/": if the text after ":" is not a port, the password
    /// ends at the last "@".
    fn with_slash(&self, start: usize, end: usize) -> Option<Range<usize>> {
        let authority = &self.octets[start..end];
        let is_suspect = !authority.contains(&b'@') && !authority.starts_with(b"[");
        let colon = start + authority.iter().position(|&octet| octet == b':').filter(|_| is_suspect)?;
        self.octets[colon + 1..end].first().filter(|octet| !octet.is_ascii_digit())?;
        let space = self.position(colon, |octet| octet.is_ascii_whitespace());
        let rest = &self.octets[colon..space.unwrap_or(self.octets.len())];
        Some(colon + 1..colon + rest.iter().rposition(|&octet| octet == b'@')?)
    }

    fn position(&self, from: usize, is_it: impl Fn(u8) -> bool) -> Option<usize> {
        self.octets[from..].iter().position(|&octet| is_it(octet)).map(|index| from + index)
    }
}

/// Returns whether the octet is a tab or of a line end, which browsers remove from a URL.
fn is_ignored(octet: u8) -> bool {
    matches!(octet, b'\t' | b'\r' | b'\n')
}

/// Returns whether the octet is "/" or "\", which browsers treat as "/".
fn is_slash(octet: u8) -> bool {
    matches!(octet, b'/' | b'\\')
}

/// Returns whether a value looks random, and has at least so many letters and digits.
fn looks_random(value: &[u8], least: usize) -> bool {
    if is_uuid(value) {
        return true;
    }
    if value.windows(3).any(|octets| octets == b"://") {
        return false;
    }
    let is_separator = |octet: &u8| !octet.is_ascii_alphanumeric();
    let words = value.split(is_separator);
    let (count, changes) = words.fold((0, 0), |(count, sum), word| (count + word.len(), sum + changes(word)));
    let is_long_number = |word: &[u8]| word.len() >= 24 && word.iter().all(u8::is_ascii_digit);
    let is_often = match count {
        _ if count < least => false,
        0..16 => changes * 5 >= count * 2,
        16..24 => changes * 5 >= count,
        _ => changes * 6 >= count,
    };
    is_often || value.split(is_separator).any(|word| is_long_number(word) || has_few_vowels(word))
}

/// Counts how often the kind of letter or digit changes in a word. The letter after a capital is no change,
/// and neither is a number at one end of a word: `Page2`, `10px`.
fn changes(word: &[u8]) -> usize {
    let kind = |octet: &u8| match octet {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        _ => 2,
    };
    let pairs = word.iter().map(kind).zip(word.iter().skip(1).map(kind));
    let mut numbers = 0;
    let changes = pairs.filter(|(first, second)| {
        numbers += usize::from(first != second && (*first == 0 || *second == 0));
        first != second && (*first, *second) != (2, 1)
    });
    match changes.count() {
        1 if numbers == 1 => 0,
        count => count,
    }
}

/// Returns whether a long word of letters has so few vowels that it is no word.
fn has_few_vowels(word: &[u8]) -> bool {
    let is_vowel = |octet: &&u8| b"aeiouyAEIOUY".contains(octet);
    word.len() >= 20
        && word.iter().all(u8::is_ascii_alphabetic)
        && word.iter().filter(is_vowel).count() * 5 < word.len()
}

/// Returns whether the value has the form of a UUID.
fn is_uuid(value: &[u8]) -> bool {
    let is_of_uuid = |(at, octet): (usize, &u8)| match at {
        8 | 13 | 18 | 23 => *octet == b'-',
        _ => octet.is_ascii_hexdigit(),
    };
    let value = value.strip_prefix(b"{").and_then(|value| value.strip_suffix(b"}")).unwrap_or(value);
    // Not the nil UUID.
    value.len() == 36
        && value.iter().enumerate().all(is_of_uuid)
        && value.iter().any(|octet| !b"0-".contains(octet))
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::{looks_random, *};

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
            ("/?d={\"password\": \"x&y\",\"a\":1}", "/?d={\"password\": \"(hidden)\",\"a\":1}"),
            (
                "/?d=%7B%22token%22%3A%220f8fad5b%22%2C%22a%22%3A%22b%22%7D",
                "/?d=%7B%22token%22%3A%22(hidden)%22%2C%22a%22%3A%22b%22%7D",
            ),
            ("/?d=%7B%22token%22%3A%22a%22%7D&b=c", "/?d=%7B%22token%22%3A%22a%22%7D&b=c"),
            ("/?d={\"password\":1}", "/?d={\"password\":1}"),
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

    #[test]
    fn tokens_look_random() {
        for value in [
            "0f8fad5b",
            "1CE83F32EF497A20A3830FB49E2A6FD4",
            "8r53nra5m7lpph7tbivvrdvcl2",
            "aaa7LxxireKymd19UfOg",
            "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            "550e8400-e29b-41d4-a716-446655440000",
            "ST-1856339-aA5Yuvrxzpv8Tau1cYQ7",
            "4/0AX4XfWh3kQ9b2Zt7uLpVn1sYcEoRgKd",
            "xvztbqrwkpdfghjklmnb",
            "849302849302840932845555",
        ] {
            assert!(looks_random(value.as_bytes(), 8), "{value}");
        }
    }

    #[test]
    fn words_numbers_and_dates_do_not() {
        for value in [
            "",
            "x",
            "US",
            "02/10/12/1710205",
            "2002/4/6/183820/2721",
            "20240115T101010Z",
            "2024-01-15T10:10:10.000+01:00",
            "spring-2024",
            "page2_section3_item4",
            "gettingStartedWithXUL",
            "https://h/1CE83F32EF497A20A3830FB49E2A6FD4",
            "en-US,de-DE",
            "SUMMER2024",
            "INC0012345",
            "Rechtsschutzversicherungsgesellschaften",
            "00000000-0000-0000-0000-000000000000",
            "user@mail2.example.com",
            "1920x1080",
            "978-3-16-148410-0",
        ] {
            assert!(!looks_random(value.as_bytes(), 8), "{value}");
        }
    }
}
