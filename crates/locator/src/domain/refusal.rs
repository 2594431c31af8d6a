//! Finds why a host is not a domain name. Takes the decoded name and returns the first invalid
//! label and the rule that it breaks. Follows UTS 46, section 4.
//!
//! The crate that converts names reports only that it cannot. To find the rule, it is called again
//! for one label and then for one character at a time. The options of UTS 46 (section 4) are turned
//! off one after the other.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Display, Formatter};
use core::ops::Range;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

/// The rule that a host breaks, so that it has no form as a domain name in ASCII (UTS 46, section
/// 4).
///
/// ```
/// use locator::{IdnaError, IdnaRule, UriRef, edition::RFC3987};
///
/// let iri = UriRef::parse_with("http://\u{e9}_a.example/", &RFC3987)?;
/// let error = iri.to_uri_with_idna().unwrap_err();
/// assert!(matches!(
///     error,
///     IdnaError::Host { rule: IdnaRule::NotLetterDigitHyphen('_'), .. }
/// ));
/// # Ok::<_, locator::ParseError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IdnaRule {
    /// The escapes of the host are not UTF-8 (RFC 3987, section 3.2).
    NotText,
    /// The label is empty, or becomes empty.
    Empty,
    /// The character is not allowed in a domain name: unassigned, invisible or a symbol of control.
    Character(char),
    /// The character is, or becomes, ASCII other than a letter, a digit or a hyphen (STD 3).
    NotLetterDigitHyphen(char),
    /// The label begins or ends with a hyphen.
    Hyphen,
    /// The label begins with a combining mark.
    Mark(char),
    /// A zero width joiner or non-joiner is in a position where no script needs one (RFC 5892,
    /// appendix A).
    Joiner(char),
    /// The label mixes left-to-right and right-to-left characters in a way that has no order
    /// (RFC 5893).
    Direction,
    /// The text after `xn--` is not Punycode, or not that of a valid label.
    Punycode,
    /// The label has more than 63 octets in its ASCII form.
    LabelTooLong,
    /// The name has more than 253 octets in its ASCII form.
    NameTooLong,
    /// Another rule of UTS 46.
    Other,
}

impl IdnaRule {
    /// Returns the document and section of the rule: `UTS 46, 4.1`.
    #[must_use]
    pub const fn citation(self) -> &'static str {
        match self {
            Self::NotText => "RFC 3987, 3.2",
            Self::Other => "RFC 3987, 3.1",
            Self::Empty | Self::LabelTooLong | Self::NameTooLong => "UTS 46, 4.2",
            Self::Character(_) | Self::NotLetterDigitHyphen(_) => "UTS 46, 4.1, criterion 7",
            Self::Hyphen => "UTS 46, 4.1, criterion 3",
            Self::Mark(_) => "UTS 46, 4.1, criterion 6",
            Self::Joiner(_) => "UTS 46, 4.1, criterion 8",
            Self::Direction => "UTS 46, 4.1, criterion 9",
            Self::Punycode => "UTS 46, 4, step 4",
        }
    }
}

/// The violation of the label: "contains U+2028, which …".
impl Display for IdnaRule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotText => f.write_str("contains escapes that are not UTF-8"),
            Self::Empty => f.write_str("is empty"),
            Self::Character(c) => {
                write!(f, "contains {}, which is not allowed in a domain name", ShownCharacter(c))
            }
            Self::NotLetterDigitHyphen(c) => {
                write!(f, "contains {}, which is not a letter, a digit or a hyphen", ShownCharacter(c))
            }
            Self::Hyphen => f.write_str("begins or ends with a hyphen"),
            Self::Mark(c) => write!(f, "begins with the combining mark {}", ShownCharacter(c)),
            Self::Joiner(c) => {
                write!(f, "contains the joiner {} where no script needs it", ShownCharacter(c))
            }
            Self::Direction => {
                f.write_str("mixes left-to-right and right-to-left characters in a way that is not allowed")
            }
            Self::Punycode => f.write_str("begins with \"xn--\" and is not the Punycode of a valid label"),
            Self::LabelTooLong => f.write_str("is longer than 63 bytes in ASCII"),
            Self::NameTooLong => f.write_str("is longer than 253 bytes in ASCII"),
            Self::Other => f.write_str("has no ASCII form as a domain name"),
        }
    }
}

/// A character that a message names.
struct ShownCharacter(char);

impl Display for ShownCharacter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            c @ '!'..='~' => write!(f, "\"{c}\""),
            c => write!(f, "U+{:04X}", u32::from(c)),
        }
    }
}

/// What is invalid in a name, and the rule that it breaks.
pub(super) struct InvalidLabel {
    /// The number of the label, counted from 1, and its octets in the name; `None` if the whole name is
    /// invalid.
    pub(super) label: Option<(u32, Range<usize>)>,
    pub(super) rule: IdnaRule,
}

/// Returns the first invalid label of a name, and the rule that it breaks.
#[cold]
pub(super) fn find(name: &str, options: NameOptions) -> InvalidLabel {
    let labels = || labels(name).zip(1..);
    for (range, number) in labels() {
        // The empty label after the last dot is the root.
        let is_root = range.is_empty() && range.end == name.len() && range.start > 0;
        if let Some(rule) = fault_in(&name[range.clone()], options).filter(|_| !is_root) {
            return InvalidLabel { label: Some((number, range)), rule };
        }
    }
    let any_length = options.length(DnsLength::Ignore);
    if ascii(name, any_length).is_some() {
        return InvalidLabel { label: None, rule: IdnaRule::NameTooLong };
    }
    // In a name with a right-to-left label the rules of direction apply to the other labels, too.
    let converts_beside = |label: &str| ascii(&[label, ".\u{5D0}"].concat(), any_length).is_some();
    let against = labels().find(|(range, _)| !range.is_empty() && !converts_beside(&name[range.clone()]));
    match against {
        Some((range, number)) => InvalidLabel { label: Some((number, range)), rule: IdnaRule::Direction },
        None => InvalidLabel { label: None, rule: IdnaRule::Other },
    }
}

/// Returns the ranges of the labels in a name: "U+002E ( . ) FULL STOP", and the characters that
/// are mapped to it alone.
fn labels(name: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let dots = name.match_indices(['.', '\u{3002}', '\u{FF0E}', '\u{FF61}']);
    let dots = dots.map(|(at, dot)| (at, dot.len())).chain([(name.len(), 0)]);
    dots.map(move |(at, length)| {
        let range = start..at;
        start = at + length;
        range
    })
}

/// A label has at most so many characters (UTS 46 has 63 octets), so no more are examined.
const LOOKED_AT: usize = 1_000;

fn fault_in(label: &str, options: NameOptions) -> Option<IdnaRule> {
    if label.is_empty() {
        return (options.length != DnsLength::Ignore).then_some(IdnaRule::Empty);
    }
    if ascii(label, options).is_some() {
        return None;
    }
    let loose = options.hyphens(Hyphens::Allow).length(DnsLength::Ignore);
    if let Some(converted) = ascii(label, loose) {
        return Some(match () {
            () if ascii(label, options.length(DnsLength::Ignore)).is_none() => IdnaRule::Hyphen,
            () if converted.split('.').any(|label| label.len() > 63) => IdnaRule::LabelTooLong,
            () => IdnaRule::Empty,
        });
    }
    let following = label.chars().skip(1).map(Some).chain([None]);
    let mut characters = label.chars().zip(following).take(LOOKED_AT);
    if let Some(rule) = characters.find_map(|(c, next)| fault_of(c, loose).filter(|_| !is_composed(c, next)))
    {
        return Some(rule);
    }
    let joins = |c: &char| is_joiner(*c);
    let without_joiners = || label.replace(['\u{200C}', '\u{200D}'], "");
    Some(match (label.chars().take(LOOKED_AT).find(|c| remains(*c)), label.chars().find(joins)) {
        _ if label.chars().nth(LOOKED_AT).is_some() => IdnaRule::LabelTooLong,
        (Some(first), _) if is_joiner(first) => IdnaRule::Joiner(first),
        (Some(first), _) if is_mark(first) => IdnaRule::Mark(first),
        _ if label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--")) => IdnaRule::Punycode,
        (_, Some(joiner)) if ascii(&without_joiners(), loose).is_some() => IdnaRule::Joiner(joiner),
        _ => IdnaRule::Direction,
    })
}

/// Returns the rule that a character breaks in any position.
fn fault_of(c: char, loose: NameOptions) -> Option<IdnaRule> {
    if c.is_ascii_alphanumeric() || c == '-' || is_joiner(c) {
        return None;
    }
    match () {
        () if is_allowed_somewhere(c, loose) => None,
        () if is_allowed_somewhere(c, NameOptions { ascii: AsciiDenyList::EMPTY, ..loose }) => {
            Some(IdnaRule::NotLetterDigitHyphen(c))
        }
        () => Some(IdnaRule::Character(c)),
    }
}

/// Whether a character is allowed alone or after a letter of either direction.
fn is_allowed_somewhere(c: char, options: NameOptions) -> bool {
    ["", "a", "\u{628}"].iter().any(|before| ascii(&after(before, c), options).is_some())
}

/// Whether a character forms another one with the mark that follows it: ">" and U+0338 are U+226F.
fn is_composed(c: char, next: Option<char>) -> bool {
    let loose = STRICT.hyphens(Hyphens::Allow).length(DnsLength::Ignore);
    next.is_some_and(|next| ascii(&after(&String::from(c), next), loose).is_some())
}

/// Whether anything is left of a character: some are mapped to nothing.
fn remains(c: char) -> bool {
    is_joiner(c) || ascii(&after("", c), STRICT.length(DnsLength::Ignore)).is_none_or(|text| !text.is_empty())
}

const fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}')
}

/// Whether a character is allowed after a letter and not at the beginning, for it is a mark.
fn is_mark(c: char) -> bool {
    let loose = STRICT.length(DnsLength::Ignore);
    !is_joiner(c) && ascii(&after("", c), loose).is_none() && ascii(&after("a", c), loose).is_some()
}

fn after(before: &str, c: char) -> String {
    let mut text = String::from(before);
    text.push(c);
    text
}

/// The options of UTS 46, section 4.
#[derive(Clone, Copy)]
pub(super) struct NameOptions {
    pub(super) ascii: AsciiDenyList,
    pub(super) hyphens: Hyphens,
    pub(super) length: DnsLength,
}

/// The options for a host whose labels in ASCII may have what a host may contain (RFC 3986, 3.2.2).
pub(super) const HOST: NameOptions = NameOptions {
    ascii: AsciiDenyList::new(true, "\"#%/:<>?@[\\]^`{|}"),
    hyphens: Hyphens::Allow,
    length: DnsLength::Ignore,
};

/// The options for converting a name.
pub(super) const STRICT: NameOptions = NameOptions {
    ascii: AsciiDenyList::STD3,
    hyphens: Hyphens::CheckFirstLast,
    length: DnsLength::VerifyAllowRootDot,
};

impl NameOptions {
    const fn hyphens(self, hyphens: Hyphens) -> Self {
        Self { hyphens, ..self }
    }

    const fn length(self, length: DnsLength) -> Self {
        Self { length, ..self }
    }
}

/// Returns the ASCII form of a name, if it has one.
fn ascii(name: &str, NameOptions { ascii, hyphens, length }: NameOptions) -> Option<Cow<'_, str>> {
    Uts46::new().to_ascii(name.as_bytes(), ascii, hyphens, length).ok()
}
