//! The id that each program makes of a heading, without the number that distinguishes it from others.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use super::heading::{Heading, Piece};

/// What is kept: letters, marks, digits, connectors, "-", and "-" for each space. GitHub does not document
/// its rule; it is inferred from its pages.
pub(super) fn github(heading: &Heading<'_>) -> String {
    dashed(&without_images(heading).to_lowercase(), is_word)
}

/// Like GitHub's, but all numbers are kept, and the texts of images. The end of a line is a space.
pub(super) fn gitlab(heading: &Heading<'_>) -> String {
    use GeneralCategory::ConnectorPunctuation;
    use GeneralCategoryGroup::{Letter, Mark, Number};
    let keeps = |character: char| {
        matches!(character.general_category_group(), Letter | Mark | Number)
            || character.general_category() == ConnectorPunctuation
    };
    dashed(&heading.text.to_lowercase().replace('\n', " "), keeps)
}

/// Letters and numbers without marks; "-" for each character of white space. Typography removes dashes.
pub(super) fn mdbook(heading: &Heading<'_>) -> String {
    // Any number of dashes is divided into long and short ones (pulldown-cmark, "smart punctuation").
    let text = with_dashes(heading, |_| 0);
    let lower = text.trim().to_lowercase();
    let kept = lower.chars().filter_map(|character| match character {
        '_' | '-' => Some(character),
        _ if character.is_whitespace() => Some('-'),
        _ => character.is_alphanumeric().then_some(character),
    });
    kept.collect()
}

/// Like GitHub's, with the texts of images.
pub(super) fn docusaurus(heading: &Heading<'_>) -> String {
    dashed(&heading.text.to_lowercase(), is_word)
}

/// Like GitHub's, without dashes that typography makes.
pub(super) fn jekyll(heading: &Heading<'_>) -> String {
    // Three make a long dash, then two make a short one.
    let text = with_dashes(heading, |run| usize::from(run % 3 == 1));
    let lower: String = text.chars().flat_map(char::to_lowercase).collect();
    dashed(&lower.replace('\t', " "), is_word)
}

/// The letters and digits of ASCII in the text as it is written, from the first letter on, with "-" for each
/// space (kramdown, "Automatic Generation of Header IDs").
pub(super) fn kramdown(heading: &Heading<'_>) -> String {
    let from_letter = heading.written.trim_start_matches(|one: char| !one.is_ascii_alphabetic());
    let kept = from_letter.chars().filter_map(|character| match character {
        ' ' | '-' => Some('-'),
        _ => character.is_ascii_alphanumeric().then(|| character.to_ascii_lowercase()),
    });
    let id: String = kept.collect();
    if id.is_empty() { "section".into() } else { id }
}

/// The characters of ASCII that remain when letters are divided from their marks; "-" for white space and
/// dashes, however many (Python-Markdown, `toc`).
pub(super) fn mkdocs(heading: &Heading<'_>) -> String {
    let text = without_images(heading);
    let ascii = text.nfkd().filter(char::is_ascii);
    let kept: String = ascii
        .filter(|one| one.is_ascii_alphanumeric() || matches!(one, '_' | '-') || is_space(*one))
        .collect();
    let mut id = String::with_capacity(kept.len());
    for character in kept.trim_matches(is_space).chars() {
        match character {
            '-' | ' ' | '\t'..='\r' | '\x1C'..='\x1F' if id.ends_with('-') => {}
            '-' | ' ' | '\t'..='\r' | '\x1C'..='\x1F' => id.push('-'),
            _ => id.push(character.to_ascii_lowercase()),
        }
    }
    id
}

/// White space of ASCII, as Python knows it.
const fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r' | '\x1C'..='\x1F')
}

/// Returns the characters that are kept, with "-" for each space.
fn dashed(text: &str, keeps: impl Fn(char) -> bool) -> String {
    let kept = text.chars().filter_map(|character| match character {
        ' ' | '-' => Some('-'),
        '_' => Some(character),
        _ if character.is_ascii() => character.is_ascii_alphanumeric().then_some(character),
        _ => keeps(character).then_some(character),
    });
    kept.collect()
}

/// Returns whether a character is one of a word in regular expressions (Unicode, UTS #18, annex C).
fn is_word(character: char) -> bool {
    use GeneralCategory::{ConnectorPunctuation, DecimalNumber};
    character.is_alphabetic()
        || character.general_category_group() == GeneralCategoryGroup::Mark
        || matches!(character.general_category(), DecimalNumber | ConnectorPunctuation)
}

/// Returns the text without the texts of images.
fn without_images<'h>(heading: &Heading<'h>) -> Cow<'h, str> {
    let mut images = heading.pieces.iter().filter(|(_, piece)| *piece == Piece::Image).peekable();
    if images.peek().is_none() {
        return Cow::Borrowed(heading.text);
    }
    let (mut kept, mut at) = (String::new(), 0);
    for (Range { start, end }, _) in images {
        kept.push_str(heading.text.get(at..*start).unwrap_or_default());
        at = *end;
    }
    kept.push_str(heading.text.get(at..).unwrap_or_default());
    Cow::Owned(kept)
}

/// Returns the text without the texts of images, and with a dash and as many "-" as `left` says for each run of
/// "-", except in code.
fn with_dashes<'h>(heading: &Heading<'h>, left: fn(usize) -> usize) -> Cow<'h, str> {
    if !heading.text.contains("--") {
        return without_images(heading);
    }
    let (mut kept, mut at) = (String::with_capacity(heading.text.len()), 0);
    for (span, piece) in heading.pieces {
        push_dashes(&mut kept, heading.text.get(at..span.start).unwrap_or_default(), left);
        if *piece == Piece::Code {
            kept.push_str(heading.text.get(span.clone()).unwrap_or_default());
        }
        at = span.end;
    }
    push_dashes(&mut kept, heading.text.get(at..).unwrap_or_default(), left);
    Cow::Owned(kept)
}

fn push_dashes(kept: &mut String, text: &str, left: fn(usize) -> usize) {
    let mut rest = text;
    while let Some(at) = rest.find("--") {
        let run = rest[at..].bytes().take_while(|octet| *octet == b'-').count();
        kept.push_str(&rest[..at]);
        // A dash is no white space: spaces before it stay.
        kept.push('\u{2013}');
        kept.extend(std::iter::repeat_n('-', left(run)));
        rest = &rest[at + run..];
    }
    kept.push_str(rest);
}
