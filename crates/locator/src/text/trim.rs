//! Trims the end of a URL: takes its octets and returns its end without the punctuation of the
//! sentence. Follows section 5 of `spec/editions.md`: "The punctuation of the surrounding sentence
//! is trimmed from its end".

use super::character::Character;

/// The maximum length of an entity's name with the ";" after it.
pub(super) const LONGEST_ENTITY: usize = 9;

/// Trims the end of a URL: `. , ; : ! ?`, quotes, unmatched closing brackets, a page's entity for a
/// quote or bracket, and an emphasis sign that is also before the URL.
#[inline(always)]
pub(super) fn trim_trailing(text: &[u8], least: usize, mut end: usize, around: u8) -> usize {
    while end > least {
        let length = match text[end - 1] {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' => return end,
            b';' => entity(&text[least..end]).unwrap_or(1),
            b'.' | b',' | b':' | b'!' | b'?' | b'\'' | b'(' | b'[' => 1,
            octet @ (b'*' | b'_' | b'~') if octet == around => 1,
            0x80.. => match punctuation(&text[least..end]) {
                Some(length) => length,
                None => return end,
            },
            _ => return end,
        };
        end -= length;
    }
    end
}

/// Returns the length of the entity at the end of the text: "&gt;".
#[cold]
fn entity(text: &[u8]) -> Option<usize> {
    let name = text
        .iter()
        .rev()
        .skip(1)
        .take(LONGEST_ENTITY - 1)
        .take_while(|octet| octet.is_ascii_alphanumeric())
        .count();
    let at = text.len().checked_sub(name + 2)?;
    (name > 0 && text[at] == b'&').then_some(name + 2)
}

/// Returns the length of the last character of the text, if it is punctuation.
#[cold]
fn punctuation(text: &[u8]) -> Option<usize> {
    let tail = &text[text.len().saturating_sub(4)..];
    let start = tail.iter().rposition(|octet| *octet & 0xC0 != 0x80)?;
    let character = core::str::from_utf8(&tail[start..]).ok()?.chars().next()?;
    (Character::of(character) == Character::Punctuation).then_some(character.len_utf8())
}
