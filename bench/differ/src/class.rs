//! The classes of differences: each has a name, a section of the standard, and who is right.

use std::fmt::{self, Display, Formatter};

use crate::case::Case;
use crate::implementation::Outcome;

/// A case that two implementations answer differently.
pub struct Difference<'a> {
    pub case: &'a Case,
    pub ours: &'a Outcome,
    pub theirs: &'a Outcome,
}

/// Who follows the standard.
#[derive(Clone, Copy, Debug)]
pub enum Right {
    /// `locator-whatwg`.
    Ours,
    /// Both, because the standard leaves it open: the version of Unicode.
    Both,
}

impl Display for Right {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ours => "locator-whatwg",
            Self::Both => "both",
        })
    }
}

/// A class of differences.
pub struct Class {
    /// The implementations that differ in this way.
    of: &'static [&'static str],
    pub name: &'static str,
    /// The section of the URL Standard, or of Unicode Technical Standard 46.
    pub section: &'static str,
    pub right: Right,
    is: fn(&Difference<'_>) -> bool,
}

/// Returns the first class of a difference.
pub fn of(implementation: &str, difference: &Difference<'_>) -> Option<&'static Class> {
    CLASSES.iter().find(|class| class.of.contains(&implementation) && (class.is)(difference))
}

impl Display for Difference<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let shown = |outcome: &Outcome| match &outcome.href {
            Some(href) => format!("{href:?} ({})", outcome.origin),
            None => "failure".to_owned(),
        };
        write!(f, "{}: {}, not {}", self.case, shown(self.ours), shown(self.theirs))
    }
}

impl Difference<'_> {
    /// Returns all texts of the case, as one.
    fn given(&self) -> String {
        match self.case {
            Case::Parse { text, base } => format!("{text}\u{1}{}", base.as_deref().unwrap_or_default()),
            Case::Set { text, value, .. } => format!("{text}\u{1}{value}"),
        }
    }

    /// Returns the texts in lower case, without what the parser removes, and with "/" for "\".
    fn simple(&self) -> String {
        self.given().replace(['\t', '\n', '\r'], "").replace('\\', "/").to_ascii_lowercase()
    }

    /// Returns the text that is parsed as a URL, in lower case and without what the parser removes.
    fn parsed(&self) -> String {
        let text = match self.case {
            Case::Parse { text, .. } => text,
            Case::Set { attribute: "href", value, .. } => value,
            Case::Set { text, .. } => text,
        };
        text.replace(['\t', '\n', '\r'], "").trim_start_matches(|c: char| c <= ' ').to_ascii_lowercase()
    }

    /// Returns whether the text, and its base if it has one, are of special schemes.
    fn is_special(&self) -> bool {
        let base = match self.case {
            Case::Parse { base, .. } => base.as_deref().map(str::to_ascii_lowercase),
            Case::Set { .. } => None,
        };
        is_special(&self.parsed()) && is_special(&self.simple()) && base.is_none_or(|base| is_special(&base))
    }

    /// Returns the new value of an attribute, in lower case and without what the parser removes.
    fn value(&self) -> String {
        match self.case {
            Case::Set { value, .. } => value.replace(['\t', '\n', '\r'], "").to_ascii_lowercase(),
            Case::Parse { .. } => String::new(),
        }
    }

    fn attribute(&self) -> Option<&'static str> {
        match self.case {
            Case::Set { attribute, .. } => Some(attribute),
            Case::Parse { .. } => None,
        }
    }

    fn our_href(&self) -> &str {
        self.ours.href.as_deref().unwrap_or_default()
    }

    fn their_href(&self) -> &str {
        self.theirs.href.as_deref().unwrap_or_default()
    }

    fn only_we_parse(&self) -> bool {
        self.ours.href.is_some() && self.theirs.href.is_none()
    }

    fn only_they_parse(&self) -> bool {
        self.ours.href.is_none() && self.theirs.href.is_some()
    }

    fn both_parse(&self) -> bool {
        self.ours.href.is_some() && self.theirs.href.is_some()
    }
}

/// Returns whether a text contains a letter or digit of a script that is written from right to left.
fn has_right_to_left(text: &str) -> bool {
    text.contains(
        |c: char| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'),
    ) || text.to_ascii_lowercase().contains("xn--")
        || text.contains("%D7")
        || text.contains("%d7")
}

/// Returns how many segments of a path are drive letters.
fn drive_letters(href: &str) -> usize {
    let is_drive =
        |segment: &str| matches!(segment.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic());
    href.split(['/', '?', '#']).skip(1).filter(|segment| is_drive(segment)).count()
}

fn is_special(href: &str) -> bool {
    ["http:", "https:", "ws:", "wss:", "ftp:", "file:"].iter().any(|scheme| href.starts_with(scheme))
}

const CLASSES: &[Class] = &[
    Class {
        of: &["url", "ada-url"],
        name: "the origin of blob:",
        section: "Origin",
        right: Right::Ours,
        is: |one| one.ours.href == one.theirs.href && one.our_href().starts_with("blob:"),
    },
    Class {
        of: &["url"],
        name: "an ASCII label xn-- is refused",
        section: "IDNA, domain to ASCII, 5",
        right: Right::Ours,
        is: |one| (one.only_we_parse() || one.attribute().is_some()) && one.simple().contains("xn--"),
    },
    Class {
        of: &["url"],
        name: "\"^\" in a path is kept",
        section: "Percent-encoded bytes, path percent-encode set",
        right: Right::Ours,
        is: |one| {
            one.both_parse() && one.our_href().replace("%5E", "^") == one.their_href().replace("%5E", "^")
        },
    },
    Class {
        of: &["url"],
        name: "file: slashes are collapsed, the host is dropped before a drive letter",
        section: "URL parsing, file state to path state",
        right: Right::Ours,
        is: |one| one.simple().contains("file:") && one.both_parse(),
    },
    Class {
        of: &["url"],
        name: "spaces at the end of an opaque path",
        section: "URL parsing, opaque path state",
        right: Right::Ours,
        is: |one| one.both_parse() && one.our_href().contains("%20") && one.given().contains(' '),
    },
    Class {
        of: &["url"],
        name: "several slashes without a scheme are refused",
        section: "URL parsing, special authority ignore slashes state",
        right: Right::Ours,
        is: |one| {
            one.only_we_parse() && one.simple().trim_start_matches(|c: char| c <= ' ').starts_with("///")
        },
    },
    Class {
        of: &["url"],
        name: "a path of a scheme that is not special becomes a host",
        section: "URL serializing, 3",
        right: Right::Ours,
        is: |one| one.our_href().contains(":/.//"),
    },
    Class {
        of: &["url"],
        name: "\"\\\" with a base that is not special",
        section: "URL parsing, relative slash state",
        right: Right::Ours,
        is: |one| matches!(one.case, Case::Parse { text, base: Some(_) } if text.contains('\\')),
    },
    Class {
        of: &["url"],
        name: "a port of tabs and line ends",
        section: "URL parsing, port state with a state override",
        right: Right::Ours,
        is: |one| one.attribute() == Some("port"),
    },
    Class {
        of: &["url"],
        name: "\"/.\" is left before a path that needs none",
        section: "URL serializing, 3",
        right: Right::Ours,
        is: |one| {
            let (ours, theirs) = (one.our_href().replace("%5E", "^"), one.their_href().replace("%5E", "^"));
            let mut places = theirs.match_indices("/.").map(|(at, _)| at);
            one.both_parse() && places.any(|at| theirs[..at].to_owned() + &theirs[at + 2..] == ours)
        },
    },
    Class {
        of: &["url"],
        name: "\"..\" keeps a drive letter of other schemes than file",
        section: "URL representation, shorten a url's path",
        right: Right::Ours,
        is: |one| one.both_parse() && drive_letters(one.their_href()) > drive_letters(one.our_href()),
    },
    Class {
        of: &["url"],
        name: "an empty new host empties the host",
        section: "URL parsing, host state with a state override",
        right: Right::Ours,
        is: |one| {
            let is_empty = one.value().is_empty() || one.value().starts_with([':', '/', '?', '#', '\\']);
            matches!(one.attribute(), Some("host" | "hostname")) && is_empty
        },
    },
    Class {
        of: &["url"],
        name: "an empty path becomes \"/\"",
        section: "URL parsing, path start state with a state override",
        right: Right::Ours,
        is: |one| one.attribute() == Some("pathname") && one.our_href().len() + 1 == one.their_href().len(),
    },
    Class {
        of: &["url"],
        name: "tabs and line ends in a new path",
        section: "URL parsing, 3",
        right: Right::Ours,
        is: |one| one.attribute() == Some("pathname") && one.given().contains(['\t', '\n', '\r']),
    },
    Class {
        of: &["url"],
        name: "the new scheme file is refused",
        section: "URL parsing, scheme state with a state override",
        right: Right::Ours,
        is: |one| one.attribute() == Some("protocol") && one.value().starts_with("file"),
    },
    Class {
        of: &["url"],
        name: "\"\\\" ends the host and the port of a scheme that is not special",
        section: "URL parsing, authority state",
        right: Right::Ours,
        is: |one| one.given().contains('\\') && !one.is_special(),
    },
    Class {
        of: &["url"],
        name: "a user without a host",
        section: "URL parsing, authority state",
        right: Right::Ours,
        is: |one| {
            let is_parsed = one.only_they_parse() || one.attribute() == Some("href");
            is_parsed && one.given().contains('@')
        },
    },
    Class {
        of: &["ada-url"],
        name: "the Bidi rule is not applied to all labels",
        section: "UTS 46, 4.1, criterion 8",
        right: Right::Ours,
        is: |one| has_right_to_left(&one.given()) && (one.only_they_parse() || one.attribute().is_some()),
    },
];
