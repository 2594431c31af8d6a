//! Finds the ends of host names in texts without spaces. Takes a name and the character after it,
//! and returns whether that character belongs to the text or to the name. No top-level label has
//! ASCII letters before others. So `http://example.com看看` contains an ASCII name, and
//! `http://www.abc例え.jp/` contains a mixed one.

use super::character::{Character, is_unspaced};
use super::window::{Incomplete, Window};
use crate::simd::AsciiSet;

/// The predicate that recognizes domains, if the caller has set it.
pub(super) type Domains = Option<fn(&str) -> bool>;

/// The number of octets of a name that are examined for its end.
const LONGEST: usize = 256;

const LABEL: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT).union(AsciiSet::of(b"-_~"));

/// Whether the character at `end` belongs to the text, and not to the host that begins at `start`.
/// The character is beyond ASCII.
#[cold]
pub(super) fn goes_on(
    window: Window<'_>,
    domains: Domains,
    start: usize,
    end: usize,
) -> Result<bool, Incomplete> {
    let is_unspaced = window.character(end)?.is_some_and(|(character, _)| is_unspaced(character));
    if end == start || !is_unspaced || !window.before(end).is_ascii_alphanumeric() {
        return Ok(false);
    }
    let name = core::str::from_utf8(&window.text[start..end]).unwrap_or_default();
    let has_labels = name.contains('.');
    if has_labels && domains.is_some_and(|is_domain| is_domain(name)) {
        return Ok(true);
    }
    let (is_whole, after) = last_label(window, end)?;
    // What follows decides whether a single label is a host, or a user.
    let is_url = match window.octet(after)? {
        b'/' | b'?' | b'#' | b'@' => true,
        b':' => window.octet(after + 1)?.is_ascii_digit() || is_password(window, after + 1)?,
        _ => false,
    };
    Ok(!is_whole && (has_labels || !is_url))
}

/// Whether the text after a colon is a password, which ends at "@".
fn is_password(window: Window<'_>, at: usize) -> Result<bool, Incomplete> {
    let inside = |octet: &&u8| LABEL.contains(**octet) || b".!$&'()*+,;=%:".contains(octet);
    let octets = window.excerpt(at, LONGEST)?;
    Ok(octets.get(octets.iter().take_while(inside).count()) == Some(&b'@'))
}

/// Whether a name whose label continues at `at` ends in a possible top-level label, and where it
/// ends.
fn last_label(window: Window<'_>, mut at: usize) -> Result<(bool, usize), Incomplete> {
    let limit = at + LONGEST;
    let mut label = Label { begins_in_ascii: true, letters: 1, others: 1 };
    let mut is_last_empty = false;
    while at < limit {
        let octet = window.octet(at)?;
        let mut length = 1;
        match octet {
            b'.' => is_last_empty = true,
            0x80.. => match window.character(at)? {
                Some((character, octets)) if Character::of(character) != Character::End => length = octets,
                _ => break,
            },
            _ if LABEL.contains(octet) => {}
            _ => break,
        }
        if octet != b'.' {
            label = if is_last_empty { Label::default() } else { label };
            label.take(octet, octet.is_ascii());
            is_last_empty = false;
        }
        at += length;
    }
    Ok((at < limit && label.can_be_last(), at))
}

/// The contents of a label.
#[derive(Clone, Copy, Debug, Default)]
struct Label {
    begins_in_ascii: bool,
    /// The numbers of ASCII letters and of characters beyond ASCII.
    letters: usize,
    others: usize,
}

impl Label {
    fn take(&mut self, octet: u8, is_ascii: bool) {
        self.begins_in_ascii |= is_ascii && self.others == 0;
        self.letters += usize::from(octet.is_ascii_alphabetic());
        self.others += usize::from(!is_ascii);
    }

    /// At least two letters, or only characters beyond ASCII.
    const fn can_be_last(self) -> bool {
        if self.begins_in_ascii { self.others == 0 && self.letters > 1 } else { self.others > 0 }
    }
}
