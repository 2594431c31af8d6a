//! Text fragments: `#:~:text=[prefix-,]start[,end][,-suffix]` leads to a text of the page (WICG, "URL Fragment
//! Text Directives", 3.4 and 3.5).
//!
//! The text is looked up in the text of the page without markup. Blocks are not told apart: a text that goes
//! over the end of a block is found, too, although browsers do not highlight it.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use locator::PctStr;
use locator_find::Format;
use memchr::memmem::Finder;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The delimiter of directives in a fragment.
pub(crate) const DELIMITER: &str = ":~:";

/// The text of a page, in the form in which it is compared.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct PageText(String);

/// A text that a link leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TextDirective {
    prefix: Option<String>,
    start: String,
    end: Option<String>,
    suffix: Option<String>,
}

/// The largest file whose text is read, and how much of it shows its format.
const LARGEST: u64 = 16 << 20;
const HEAD: usize = 8 * 1024;

/// How many places are tried for one text: a page of nothing but "a" has many for "a".
const MOST_TRIED: usize = 100_000;

impl PageText {
    /// Creates the text of a page from what its readers see.
    #[must_use]
    pub fn new(visible: &str) -> Self {
        let mut text = folded(visible);
        text.shrink_to_fit();
        Self(text)
    }

    /// Returns the text of a page; it is empty if the format has no text.
    #[must_use]
    pub fn of(format: Format, octets: &[u8]) -> Self {
        Self::new(&format.visible_text(octets).unwrap_or_default())
    }

    /// Reads the text of the page that is a file, or is made of it; it is empty if that is not possible.
    pub(crate) fn read(path: &Path) -> Self {
        let is_large = fs::metadata(path).is_ok_and(|about| about.len() > LARGEST);
        let octets = if is_large { Vec::new() } else { fs::read(path).unwrap_or_default() };
        let format = Format::of(path, octets.get(..HEAD).unwrap_or(&octets));
        format.map(|format| Self::of(format, &octets)).unwrap_or_default()
    }

    /// Returns how many octets it has.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the page shows no text.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a fragment has no text directive, or one whose text is in the page.
    #[must_use]
    pub fn has(&self, fragment: &str) -> bool {
        let mut directives = directives(fragment).peekable();
        directives.peek().is_none() || directives.any(|directive| directive.is_in(&self.0))
    }
}

impl std::fmt::Debug for PageText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PageText({} octets)", self.len())
    }
}

/// Returns whether a fragment, as it is written, has a text directive.
pub(crate) fn has_directive(fragment: &str) -> bool {
    fragment.contains(DELIMITER) && directives(fragment).next().is_some()
}

/// Returns a fragment without percent-encoding; "%" that begins no escape stays.
pub(crate) fn decoded_fragment(fragment: &str) -> Cow<'_, str> {
    if !fragment.contains('%') {
        return Cow::Borrowed(fragment);
    }
    PctStr::new(fragment).map_or(Cow::Borrowed(fragment), PctStr::decode_utf8_lossy)
}

/// Returns the text directives of a fragment.
fn directives(fragment: &str) -> impl Iterator<Item = TextDirective> {
    let after = fragment.split_once(DELIMITER).map_or("", |(_, after)| after);
    after.split('&').filter_map(|one| TextDirective::of(one.strip_prefix("text=")?))
}

impl TextDirective {
    /// Reads the value of a directive: "parse a text directive".
    fn of(value: &str) -> Option<Self> {
        let mut terms: Vec<&str> = value.split(',').collect();
        let prefix = terms.first().and_then(|term| term.strip_suffix('-'));
        if prefix.is_some() {
            terms.remove(0);
        }
        let suffix = terms.last().and_then(|term| term.strip_prefix('-'));
        if suffix.is_some() {
            terms.pop();
        }
        let term = |term: &str| Some(folded(&decoded_fragment(term))).filter(|term| !term.is_empty());
        let (start, end) = match *terms {
            [start] => (term(start)?, None),
            [start, end] => (term(start)?, Some(term(end)?)),
            _ => return None,
        };
        Some(Self { prefix: prefix.and_then(term), start, end, suffix: suffix.and_then(term) })
    }

    /// Returns whether a text has what this leads to: "find a range from a text directive".
    fn is_in(&self, text: &str) -> bool {
        let is_start = |at: usize| match &self.prefix {
            None => is_boundary(text, at),
            Some(prefix) => {
                let before = text[..at].trim_end();
                before.strip_suffix(&**prefix).is_some_and(|before| is_boundary(text, before.len()))
            }
        };
        let is_end = |at: usize| match &self.suffix {
            None => is_boundary(text, at),
            Some(suffix) => {
                let after = text[at..].trim_start();
                let length = text.len() - after.len() + suffix.len();
                after.starts_with(&**suffix) && is_boundary(text, length)
            }
        };
        let starts = |from: usize, to: usize| {
            is_start(from) && if self.end.is_some() { is_boundary(text, to) } else { is_end(to) }
        };
        let Some(after) = find(text, 0, &self.start, starts) else { return false };
        let ends = |from: usize, to: usize| is_boundary(text, from) && is_end(to);
        self.end.as_ref().is_none_or(|end| find(text, after, end, ends).is_some())
    }
}

/// Returns the end of the first place of a term, from a position on, that is as it should be. Of too many
/// places, none is known to be wrong.
fn find(text: &str, from: usize, term: &str, is_good: impl Fn(usize, usize) -> bool) -> Option<usize> {
    let (finder, mut at) = (Finder::new(term), from);
    for _ in 0..MOST_TRIED {
        let start = at + finder.find(text.as_bytes().get(at..)?)?;
        let end = start + term.len();
        if is_good(start, end) {
            return Some(end);
        }
        at = start + text.get(start..)?.chars().next().map_or(1, char::len_utf8);
    }
    Some(at)
}

/// Returns whether a word may begin or end at a position. Scripts that write words without spaces have
/// boundaries everywhere, since their words are not known.
fn is_boundary(text: &str, at: usize) -> bool {
    let Some((before, after)) = text.split_at_checked(at) else { return false };
    let is_word = |one: char| (one.is_alphanumeric() || one == '_') && !has_no_spaces(one);
    !(before.chars().next_back().is_some_and(is_word) && after.chars().next().is_some_and(is_word))
}

/// Returns whether a letter is one of Thai, Lao, Burmese, Khmer, Chinese or Japanese.
const fn has_no_spaces(letter: char) -> bool {
    matches!(letter,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{2E80}'..='\u{31FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

/// Returns a text in the form in which it is compared: "compare using the primary level", without regard to
/// case and marks, and with one space for any white space.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut is_separate = false;
    let mut push = |one: char| {
        if one.is_whitespace() {
            is_separate = true;
            return;
        }
        if std::mem::take(&mut is_separate) && !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(one.to_lowercase());
    };
    match text.is_ascii() {
        true => text.chars().for_each(push),
        false => text.nfkd().filter(|one| !is_ignored(*one)).for_each(&mut push),
    }
    folded
}

/// Returns whether a character is no letter of its own: a mark, a soft hyphen, a joiner.
fn is_ignored(one: char) -> bool {
    is_combining_mark(one) || matches!(one, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_a_page() {
        let page = PageText::new(
            "The quick brown fox, the lazy dog. Caf\u{E9} \u{6F22}\u{5B57}\u{3067}\u{3059} a_b a-b, c the end",
        );
        for (fragment, expected) in [
            (":~:text=quick", true),
            (":~:text=QUICK%20Brown", true),
            (":~:text=quick%20%20brown", true),
            (":~:text=uick", false),
            (":~:text=quic", false),
            (":~:text=slow", false),
            (":~:text=slow&text=fox", true),
            (":~:text=slow&text=cat", false),
            ("id:~:text=fox", true),
            (":~:text=quick,dog", true),
            (":~:text=dog,quick", false),
            (":~:text=quick,do", false),
            (":~:text=The-,quick", true),
            (":~:text=lazy-,quick", false),
            (":~:text=the-,lazy,-dog", true),
            (":~:text=the-,lazy,-cat", false),
            (":~:text=quick,the,-lazy", true),
            (":~:text=quick,the,-end", true),
            (":~:text=quick,the,-brown", false),
            (":~:text=the,the,-end", true),
            (":~:text=he-,quick", false),
            (":~:text=cafe", true),
            (":~:text=CAF%C3%89", true),
            (":~:text=%E5%AD%97%E3%81%A7", true),
            (":~:text=a%2Db%2C%20c", true),
            (":~:text=a_", false),
            // No text directive: browsers ignore these.
            (":~:text=", true),
            (":~:text=a,b,c,d,e", true),
            (":~:other=x", true),
            (":~:text=-a,", true),
            ("none", true),
            ("", true),
        ] {
            assert_eq!(page.has(fragment), expected, "{fragment}");
        }
        assert!(has_directive("x:~:text=a") && !has_directive("text=a") && !has_directive(":~:text="));
    }

    #[test]
    fn many_places_take_linear_time() {
        let page = PageText::new(&"a".repeat(1 << 20));
        assert!(page.has(&format!(":~:text={}", "a".repeat(1000))));
        assert!(!page.has(":~:text=ab"));
        assert!(!PageText::new(&"a ".repeat(1 << 16)).has(":~:text=b-,a"));
    }
}
