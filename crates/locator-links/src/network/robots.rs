//! Reads `robots.txt`: which pages of a site programs may fetch that walk over it (RFC 9309).

use locator::edition::RFC3987;
use locator::{Component, UriRef};

/// What a site allows a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Robots {
    rules: Vec<Rule>,
}

/// A line `Allow` or `Disallow`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    is_allowed: bool,
    pattern: Pattern,
}

/// A path with "*" for any octets.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern {
    /// What is between the "*".
    parts: Vec<String>,
    /// Whether the path must end where the pattern does: "$".
    is_anchored: bool,
    /// The length of the pattern in octets.
    length: usize,
}

/// How many octets of the file are read. The standard demands 500 KiB at least (RFC 9309, 2.5).
pub(crate) const MOST_OCTETS: usize = 512 << 10;

impl Robots {
    /// Returns the rules of a site that allows everything: it has no `robots.txt` (RFC 9309, 2.3.1.3).
    #[must_use]
    pub const fn allow_all() -> Self {
        Self { rules: Vec::new() }
    }

    /// Returns the rules of a site that allows nothing, since its `robots.txt` could not be read
    /// (RFC 9309, 2.3.1.4).
    #[must_use]
    pub fn allow_none() -> Self {
        Self { rules: vec![Rule { is_allowed: false, pattern: Pattern::new("/") }] }
    }

    /// Reads a `robots.txt`, and keeps the rules for the program with this product token. What is no rule
    /// is passed over (RFC 9309, 2.2.4).
    ///
    /// ```
    /// use locator_links::Robots;
    ///
    /// let robots = Robots::parse(b"User-agent: *\nDisallow: /private/\n", "locator");
    /// assert!(robots.allows("https://example.com/public.html"));
    /// assert!(!robots.allows("https://example.com/private/a.html"));
    /// ```
    #[must_use]
    pub fn parse(octets: &[u8], product: &str) -> Self {
        let octets = octets.get(..MOST_OCTETS).unwrap_or(octets);
        let text = String::from_utf8_lossy(octets.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(octets));
        let mut groups = Groups { product, ..Groups::default() };
        for line in text.split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default();
            if let Some((key, value)) = line.split_once(':') {
                groups.take(key.trim_matches(BLANKS), value.trim_matches(BLANKS));
            }
        }
        // "If no matching group exists, crawlers MUST obey the group with a user-agent line with the
        // '*' value, if present." (RFC 9309, 2.2.1)
        Self { rules: if groups.has_own { groups.own } else { groups.of_all } }
    }

    /// Returns whether a URL may be fetched.
    ///
    /// "The most specific match found MUST be used. […] If an allow rule and a disallow rule are equivalent,
    /// then the allow rule SHOULD be used." (RFC 9309, 2.2.2)
    #[must_use]
    pub fn allows(&self, url: &str) -> bool {
        let path = path_of(url);
        // "The /robots.txt URI is implicitly allowed."
        if path == "/robots.txt" {
            return true;
        }
        let path = normal_path(path, false);
        let matching = self.rules.iter().filter(|rule| rule.pattern.matches(&path));
        matching.max_by_key(|rule| (rule.pattern.length, rule.is_allowed)).is_none_or(|rule| rule.is_allowed)
    }
}

const BLANKS: [char; 2] = [' ', '\t'];

/// The groups of a file, as far as they concern one program.
#[derive(Default)]
struct Groups<'p> {
    product: &'p str,
    /// Whether the open group is for this program, and whether it is for all.
    is_own: bool,
    is_of_all: bool,
    /// Whether the open group has rules: the next `User-agent` begins another one.
    has_rules: bool,
    has_own: bool,
    own: Vec<Rule>,
    of_all: Vec<Rule>,
}

impl Groups<'_> {
    /// Takes a line. Other keys, such as `Sitemap`, do not end a group (RFC 9309, 2.2.4).
    fn take(&mut self, key: &str, value: &str) {
        let is_allowed = key.eq_ignore_ascii_case("allow");
        if key.eq_ignore_ascii_case("user-agent") {
            if self.has_rules {
                (self.is_own, self.is_of_all, self.has_rules) = (false, false, false);
            }
            self.is_own |= product_of(value).eq_ignore_ascii_case(self.product);
            self.is_of_all |= value.starts_with('*');
            self.has_own |= self.is_own;
        } else if is_allowed || key.eq_ignore_ascii_case("disallow") {
            self.has_rules = true;
            // An empty pattern matches nothing.
            if value.is_empty() {
                return;
            }
            let rule = || Rule { is_allowed, pattern: Pattern::new(value) };
            if self.is_own {
                self.own.push(rule());
            }
            if self.is_of_all {
                self.of_all.push(rule());
            }
        }
    }
}

/// Returns the product token of a value: `ExampleBot/1.0` is `ExampleBot`.
fn product_of(value: &str) -> &str {
    let is_part = |character: char| character.is_ascii_alphabetic() || matches!(character, '_' | '-');
    let end = value.find(|character| !is_part(character)).unwrap_or(value.len());
    &value[..end]
}

impl Pattern {
    fn new(text: &str) -> Self {
        let (path, is_anchored) = text.strip_suffix('$').map_or((text, false), |path| (path, true));
        let parts = path.split('*').map(|part| normal_path(part, true)).collect();
        Self { parts, is_anchored, length: text.len() }
    }

    /// Returns whether a path begins with the pattern. The first place of each part is the best one, since
    /// "*" matches any octets; so the time is linear.
    fn matches(&self, path: &str) -> bool {
        let Some((first, others)) = self.parts.split_first() else { return true };
        let Some(mut rest) = path.strip_prefix(&**first) else { return false };
        let Some((last, middle)) = others.split_last() else { return !self.is_anchored || rest.is_empty() };
        for part in middle {
            match rest.find(&**part) {
                Some(at) => rest = &rest[at + part.len()..],
                None => return false,
            }
        }
        if self.is_anchored { rest.ends_with(&**last) } else { rest.contains(&**last) }
    }
}

/// Returns the path and the query of an absolute URL.
fn path_of(url: &str) -> &str {
    let Ok(reference) = UriRef::parse_with(url, &RFC3987) else { return "/" };
    let path = reference.path().as_str();
    let length = path.len() + reference.query().map_or(0, |query| 1 + query.as_str().len());
    let start = reference.span(Component::Path).map_or(0, |span| span.start);
    url.get(start..start + length).filter(|path| !path.is_empty()).unwrap_or("/")
}

/// Returns a path in the form in which paths are compared: octets that are not ASCII are escaped, unreserved
/// ones are not, and neither are the delimiters of the path (RFC 9309, 2.2.2). "*" and "$" of a URL are escaped,
/// since they have a meaning in patterns (2.2.3); in a pattern they are literal here.
fn normal_path(path: &str, is_pattern: bool) -> String {
    let mut made = String::with_capacity(path.len());
    let mut is_query = false;
    let mut rest = path.as_bytes();
    while let Some((&octet, after)) = rest.split_first() {
        rest = after;
        if octet == b'%'
            && let Some((value, after)) = escaped_octet(rest)
        {
            rest = after;
            match value {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                    made.push(value as char);
                }
                _ => push_escape(&mut made, value),
            }
            continue;
        }
        let is_delimiter = is_query && b":/?[]@".contains(&octet);
        let is_special = !is_pattern && b"*$".contains(&octet);
        match octet {
            _ if is_delimiter || is_special => push_escape(&mut made, octet),
            0x21..=0x7E => made.push(octet as char),
            _ => push_escape(&mut made, octet),
        }
        is_query |= octet == b'?';
    }
    made
}

/// Returns the octet of an escape whose "%" was read, and what follows.
fn escaped_octet(rest: &[u8]) -> Option<(u8, &[u8])> {
    let (digits, after) = rest.split_at_checked(2)?;
    let digit = |octet: u8| (octet as char).to_digit(16);
    let value = digit(digits[0])? * 16 + digit(digits[1])?;
    Some((u8::try_from(value).ok()?, after))
}

fn push_escape(made: &mut String, octet: u8) {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    made.extend(['%', DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 15)]]);
}
