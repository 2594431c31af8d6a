//! Terminals: the characters that are allowed in one place of a URL, and the rule that defines
//! them. This module contains those that several schemes of a document share, from the grammars of
//! `url-1993`, `url-1994` and `rfc1738`; the others are in the files of the schemes.

use crate::edition::{Rule, rfc1738, url_1993, url_1994};
use crate::simd::AsciiSet;

/// The characters that are allowed in one place of a URL, and their rule.
///
/// ```
/// use locator::AsciiSet;
/// use locator::scheme::Terminal;
///
/// const DIGITS: Terminal =
///     Terminal::new(AsciiSet::DIGIT, "digits", "5", "a digit");
/// assert!(DIGITS.set.contains(b'7') && DIGITS.rule.name == "digits");
/// ```
#[derive(Debug)]
pub struct Terminal {
    /// The allowed octets; "%" in this set allows a whole percent-encoded octet.
    pub set: AsciiSet,
    /// The rule that defines the set.
    pub rule: Rule,
}

impl Terminal {
    /// Creates the terminal that a document calls `name` in `section`.
    #[must_use]
    pub const fn new(
        set: AsciiSet,
        name: &'static str,
        section: &'static str,
        expects: &'static str,
    ) -> Self {
        Self { set, rule: Rule { name, section, expects } }
    }
}

/// The section of the grammar in the draft of 1993.
pub(in crate::scheme) const BNF_1993: &str = "BNF syntax";
/// The section of the grammar in the draft of 1994.
pub(in crate::scheme) const BNF_1994: &str = "BNF for specific URL schemes";

/// One decimal digit or more.
const NUMBER: &str = "one decimal digit or more";

// path = *xpalpha *( "/" *xpalpha )
pub(in crate::scheme) static PATH_1993: Terminal = Terminal::new(
    url_1993::XPALPHA.union(AsciiSet::of(b"/")),
    "path",
    BNF_1993,
    "letters, digits, escapes or any of $-_@.&!*\"'():;,+ and \"/\"",
);

// search = 1*xalpha *( "+" 1*xalpha )
// The generic level has already checked that no word is empty.
pub(in crate::scheme) static SEARCH_1993: Terminal = Terminal::new(
    url_1993::XPALPHA,
    "search",
    BNF_1993,
    "words of letters, digits, escapes or any of $-_@.&!*\"'():;, joined by \"+\"",
);

// digits = 1*DIGIT
pub(in crate::scheme) static DIGITS_1993: Terminal =
    Terminal::new(AsciiSet::DIGIT, "digits", BNF_1993, NUMBER);

// path = segment *( "/" segment ); segment = *xpalpha; xpalpha = xalpha / "+"
// "+" is in xalpha already.
pub(in crate::scheme) static PATH_1994: Terminal = Terminal::new(
    url_1994::XALPHA.union(AsciiSet::of(b"/")),
    "path",
    BNF_1994,
    "letters, digits, escapes or any of $-_@.&+!*\"'(), and \"/\"",
);

// search = 1*xalpha *( "+" 1*xalpha )
// "+" is in xalpha already, so this is 1*xalpha.
pub(in crate::scheme) static SEARCH_1994: Terminal = Terminal::new(
    url_1994::XALPHA,
    "search",
    BNF_1994,
    "letters, digits, escapes or any of $-_@.&+!*\"'(),, at least one",
);

// xalpha = ALPHA / DIGIT / safe / extra / escape
pub(in crate::scheme) static XALPHA_1994: Terminal = Terminal::new(
    url_1994::XALPHA,
    "xalphas",
    BNF_1994,
    "letters, digits, escapes or any of $-_@.&+!*\"'(),, at least one",
);

// digits = 1*DIGIT
pub(in crate::scheme) static DIGITS_1994: Terminal =
    Terminal::new(AsciiSet::DIGIT, "digits", BNF_1994, NUMBER);

// search = *( uchar / ";" / ":" / "@" / "&" / "=" )
pub(in crate::scheme) static SEARCH_1738: Terminal = Terminal::new(
    rfc1738::UCHAR.union(AsciiSet::of(b";:@&=")),
    "search",
    "3.3",
    "letters, digits, escapes or any of $-_.+!*'(),;:@&=",
);

// fpath = fsegment *( "/" fsegment ); fsegment = *( uchar / "?" / ":" / "@" / "&" / "=" )
pub(in crate::scheme) static FPATH_1738: Terminal = Terminal::new(
    rfc1738::UCHAR.union(AsciiSet::of(b"?:@&=/")),
    "fpath",
    "3.2.2",
    "letters, digits, escapes or any of $-_.+!*'(),?:@&= and \"/\"",
);

// digits = 1*DIGIT
pub(in crate::scheme) static DIGITS_1738: Terminal = Terminal::new(AsciiSet::DIGIT, "digits", "5", NUMBER);

/// Returns whether the text begins with `addr-spec = local-part "@" domain`, its "@" escaped or
/// not, as in a text that contains an address.
pub(crate) fn is_addr_spec(rest: &[u8]) -> bool {
    let end = rest.iter().position(|octet| b"?#".contains(octet)).unwrap_or(rest.len());
    let rest = &rest[..end];
    let at = rest.iter().position(|octet| *octet == b'@').map(|at| (at, at + 1));
    let at = at.or_else(|| rest.windows(3).position(|octets| octets == b"%40").map(|at| (at, at + 3)));
    let begins = |octet: &u8| octet.is_ascii_alphanumeric() || *octet >= 0x80 || *octet == b'[';
    at.is_some_and(|(at, after)| at > 0 && rest[0] != b':' && rest.get(after).is_some_and(begins))
}
