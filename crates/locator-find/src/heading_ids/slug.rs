//! The id that each program makes of a [`Heading`], without a number.
//!
//! The functions follow the sources of the programs, and what the programs make of the cases of
//! `testdata/headings.toml`. Two of them transliterate (Zola, Eleventy): of Latin letters alone, since the tables for other
//! scripts are larger than this crate; [`has_other_script`] says which headings have ids that are not known.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// A heading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heading<'h> {
    /// Its text as it is shown, with the texts of images and "\n" for the end of a line.
    pub(crate) text: &'h str,
    /// Stretches of the text that are more than text, in order.
    pub(crate) pieces: &'h [(Range<usize>, Piece)],
    /// The heading as it is written, without what makes it a heading.
    pub(crate) written: &'h str,
}

/// The kind of a stretch of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Code,
    /// The alternative text of an image.
    Image,
}

impl<'h> Heading<'h> {
    /// Returns the heading up to a position of its text.
    pub(crate) fn up_to(self, end: usize) -> Self {
        let text = self.text.get(..end).unwrap_or(self.text);
        let count = self.pieces.iter().take_while(|(piece, _)| piece.end <= text.len()).count();
        Self { text, pieces: &self.pieces[..count], written: self.written }
    }
}

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

/// Hugo's: letters, decimal digits and "_", "-" for each space (`autoHeadingIDType: github`).
pub(super) fn hugo(heading: &Heading<'_>) -> String {
    let kept = heading.text.chars().filter_map(|character| match character {
        ' ' | '\t' | '\n' | '-' => Some('-'),
        '_' => Some(character),
        _ => is_letter_or_digit(character).then_some(character),
    });
    or_word(kept.flat_map(char::to_lowercase).collect(), "heading")
}

/// Hugo's, with letters without accents, and only those of ASCII (`autoHeadingIDType: github-ascii`).
pub(super) fn hugo_ascii(heading: &Heading<'_>) -> String {
    let kept = heading.text.nfd().filter_map(|character| match character {
        ' ' | '\t' | '\n' | '-' => Some('-'),
        _ => (character.is_ascii_alphanumeric() || character == '_').then(|| character.to_ascii_lowercase()),
    });
    or_word(kept.collect(), "heading")
}

/// The letters and numbers, with "-" between them, however much is there (`autoHeadingIDType: blackfriday`).
pub(super) fn blackfriday(heading: &Heading<'_>) -> String {
    let words = joined(heading.text, '-', |character| {
        is_letter_or_digit(character) || character.general_category_group() == GeneralCategoryGroup::Number
    });
    or_word(words.chars().flat_map(char::to_lowercase).collect(), "heading")
}

/// The letters and digits of ASCII in a transliteration, with "-" between them (Zola, `slugify.anchors = "on"`).
pub(super) fn zola(heading: &Heading<'_>) -> String {
    let ascii: String = heading.text.chars().map(folded).collect();
    joined(&ascii.to_ascii_lowercase(), '-', |character| character.is_ascii_alphanumeric())
}

/// What is no special character of ASCII and no quote, without accents, with "-" for the others: `@mdit-vue` with the
/// texts of images, as `VitePress` has them.
pub(super) fn vitepress(heading: &Heading<'_>) -> String {
    mdit_vue(&without_shortcodes(heading.text))
}

/// The same without the texts of images: `@mdit-vue`, as `VuePress` has it.
pub(super) fn vuepress(heading: &Heading<'_>) -> String {
    mdit_vue(&without_shortcodes(&without_images(heading)))
}

fn mdit_vue(text: &str) -> String {
    let is_special = |one: char| {
        one.is_whitespace()
            || one == '\u{FEFF}'
            || matches!(one, '\u{201C}' | '\u{201D}' | '\u{2018}' | '\u{2019}')
            || one.is_ascii_punctuation()
    };
    let plain = text.nfkd().filter(|one| !is_accent(*one) && !matches!(one, '\0'..='\x1F'));
    let id = joined(&plain.collect::<String>(), '-', |one| !is_special(one)).to_lowercase();
    after_low_line(id)
}

/// Like GitHub's, without dashes that typography makes of two (Astro, which has it by default).
pub(super) fn starlight(heading: &Heading<'_>) -> String {
    let text = with_dashes(heading, |run| if run == 2 { 0 } else { run });
    dashed(&text.to_lowercase(), is_word)
}

/// Like GitHub's.
pub(super) fn nextra(heading: &Heading<'_>) -> String {
    github(heading)
}

/// What is no special character of ASCII, with its case and "-" for the others, after typography (hexo-util, `slugize`).
pub(super) fn hexo(heading: &Heading<'_>) -> String {
    let text = with_curly_quotes(heading);
    let plain = text.chars().filter(|one| !matches!(one, '\0'..='\x1F')).map(folded_mark).collect::<String>();
    joined(&plain, '-', |one| !one.is_whitespace() && !one.is_ascii_punctuation())
}

/// The letters and digits of ASCII in a transliteration, with "and" for "&" and "-" between them
/// (`@sindresorhus/slugify`).
pub(super) fn eleventy(heading: &Heading<'_>) -> String {
    let text = without_images(heading).replace('&', " and ");
    let mut ascii = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            'ä' | 'Ä' => ascii.push_str("ae"),
            'ö' | 'Ö' => ascii.push_str("oe"),
            'ü' | 'Ü' => ascii.push_str("ue"),
            '\u{2019}' => ascii.push('\''),
            _ => ascii.push_str(&folded(character)),
        }
    }
    joined(&without_contractions(&ascii.to_ascii_lowercase()), '-', |one| one.is_ascii_alphanumeric())
}

/// Returns a text without the "'" of `it's` and `don't`.
fn without_contractions(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        let before = text[..at].ends_with(|one: char| one.is_ascii_alphanumeric());
        let mut after = text[at + character.len_utf8()..].chars();
        let is_short = before
            && character == '\''
            && matches!(after.next(), Some('t' | 's'))
            && after.next().is_none_or(char::is_whitespace);
        if !is_short {
            kept.push(character);
        }
    }
    kept
}

/// What is no punctuation of ASCII, nor one of the signs that keyboards have; "-" for each space (`github-slugid`).
pub(super) fn honkit(heading: &Heading<'_>) -> String {
    const SIGNS: &str = "©∑®†“”‘’∂ƒ™℠…œŒ˚ºª•∆∞♥";
    let kept = heading.text.chars().filter_map(|character| match character {
        ' ' | '-' => Some('-'),
        _ => (!character.is_ascii_punctuation() && !SIGNS.contains(character)).then_some(character),
    });
    kept.collect::<String>().to_lowercase()
}

/// What is no punctuation of ASCII or of Unicode's general block, without emoji; "-" for each space (Docsify).
pub(super) fn docsify(heading: &Heading<'_>) -> String {
    let kept = heading.text.trim().chars().filter_map(|character| match character {
        '-' | '_' => Some(character),
        '\u{2000}'..='\u{206F}' | '\u{2E00}'..='\u{2E7F}' | '\u{FE0F}' => None,
        _ if character.is_whitespace() => Some('-'),
        _ if character.is_ascii_punctuation() || is_emoji(character) => None,
        _ => Some(character.to_ascii_lowercase()),
    });
    after_low_line(kept.collect())
}

/// Letters, digits, "_" and "-", composed, with "-" for each space (`pymdownx.slugs`, `case: lower`).
pub(super) fn pymdownx(heading: &Heading<'_>) -> String {
    let text: String = without_images(heading).nfc().collect();
    let lower = text.trim().to_lowercase();
    let kept = lower.chars().filter_map(|character| match character {
        ' ' => Some('-'),
        '-' | '_' => Some(character),
        _ => character.is_alphanumeric().then_some(character),
    });
    kept.collect()
}

/// The letters and digits of ASCII from the first letter on, with "-" for what is between them (docutils, `make_id`).
pub(super) fn docutils(heading: &Heading<'_>) -> String {
    let mut ascii = String::with_capacity(heading.text.len());
    for character in heading.text.to_lowercase().chars() {
        match character {
            'ß' => ascii.push_str("sz"),
            'æ' => ascii.push_str("ae"),
            'œ' => ascii.push_str("oe"),
            'ø' => ascii.push('o'),
            'đ' => ascii.push('d'),
            'ħ' => ascii.push('h'),
            'ı' => ascii.push('i'),
            'ł' => ascii.push('l'),
            'ŧ' => ascii.push('t'),
            _ => ascii.extend(std::iter::once(character).nfkd().filter(char::is_ascii)),
        }
    }
    let id = joined(&ascii, '-', |one| one.is_ascii_lowercase() || one.is_ascii_digit());
    id.trim_start_matches(|one: char| one == '-' || one.is_ascii_digit()).to_owned()
}

/// "_" and the words, with "_" for runs of spaces, ".", "-" and "_" (Asciidoctor, without `idprefix` and `idseparator`).
pub(super) fn asciidoctor(heading: &Heading<'_>) -> String {
    // Typography makes a dash with thin spaces of two, and an id has none of them.
    let text = heading.text.to_lowercase().replace(" -- ", "");
    let mut id = "_".to_owned();
    for character in text.chars() {
        match character {
            ' ' | '.' | '-' | '_' if id.ends_with('_') => {}
            ' ' | '.' | '-' | '_' => id.push('_'),
            _ if is_word(character) => id.push(character),
            _ => {}
        }
    }
    if id.len() > 1 && id.ends_with('_') {
        id.pop();
    }
    id
}

/// Slugify: letters and digits of ASCII, ".", "_" and single dashes.
pub(super) fn docs_builder(heading: &Heading<'_>) -> String {
    let mut id = String::with_capacity(heading.text.len());
    for character in heading.text.trim().chars() {
        match character {
            _ if (character.is_whitespace() || character == '-') && id.ends_with('-') => {}
            _ if character.is_whitespace() => id.push('-'),
            '.' | '_' | '-' => id.push(character),
            _ if character.is_ascii_alphanumeric() => id.push(character.to_ascii_lowercase()),
            _ => {}
        }
    }
    id
}

/// Returns the stretches of a text that are kept, with a separator between them.
fn joined(text: &str, separator: char, keeps: impl Fn(char) -> bool) -> String {
    let mut id = String::with_capacity(text.len());
    let mut is_apart = false;
    for character in text.chars() {
        if !keeps(character) {
            is_apart = !id.is_empty();
            continue;
        }
        if std::mem::take(&mut is_apart) {
            id.push(separator);
        }
        id.push(character);
    }
    id
}

/// Returns a word for an id that is empty.
fn or_word(id: String, word: &str) -> String {
    if id.is_empty() { word.to_owned() } else { id }
}

/// Returns an id with "_" before a digit at its beginning.
fn after_low_line(id: String) -> String {
    if id.starts_with(|first: char| first.is_ascii_digit()) { format!("_{id}") } else { id }
}

/// A letter or a decimal digit, as Go knows them.
fn is_letter_or_digit(character: char) -> bool {
    character.general_category_group() == GeneralCategoryGroup::Letter
        || character.general_category() == GeneralCategory::DecimalNumber
}

/// A mark of the block of combining diacritical marks.
const fn is_accent(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}')
}

/// Emoji and pictographs.
const fn is_emoji(character: char) -> bool {
    matches!(character, '\u{2600}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}')
}

/// Returns a Latin letter without its accents, other characters as they are.
fn folded_mark(character: char) -> char {
    let mut parts = std::iter::once(character).nfd();
    match (character, parts.next()) {
        ('ß', _) => 's',
        ('ø', _) => 'o',
        ('Ø', _) => 'O',
        ('đ', _) => 'd',
        ('Đ', _) => 'D',
        ('ł', _) => 'l',
        ('Ł', _) => 'L',
        (_, Some(base)) if base.is_ascii_alphabetic() && parts.all(is_accent) => base,
        _ => character,
    }
}

/// Returns a Latin letter in letters of ASCII, other characters as they are.
fn folded(character: char) -> String {
    match character {
        'ß' => "ss".to_owned(),
        'æ' => "ae".to_owned(),
        'Æ' => "AE".to_owned(),
        'œ' => "oe".to_owned(),
        'Œ' => "OE".to_owned(),
        'þ' => "th".to_owned(),
        'ð' => "d".to_owned(),
        // An apostrophe and the other quotes are "'" in letters of ASCII.
        '\u{2018}' | '\u{2019}' => "'".to_owned(),
        _ => folded_mark(character).to_string(),
    }
}

/// Returns a text without the names of emoji, which are not text to markdown-it: `:tada:`.
fn without_shortcodes(text: &str) -> Cow<'_, str> {
    if !text.contains(':') {
        return Cow::Borrowed(text);
    }
    let (mut kept, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(':') {
        let name = &rest[at + 1..];
        let length =
            name.bytes().take_while(|one| one.is_ascii_alphanumeric() || b"_+-".contains(one)).count();
        let is_code =
            length > 1 && name[length..].starts_with(':') && !rest[..at].ends_with(char::is_alphanumeric);
        kept.push_str(&rest[..at]);
        if !is_code {
            kept.push(':');
        }
        rest = if is_code { &name[length + 1..] } else { name };
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// Returns the text with the quotes, dashes and points that typography makes, except in code.
fn with_curly_quotes(heading: &Heading<'_>) -> String {
    let mut text = String::with_capacity(heading.text.len());
    let mut at = 0;
    for (span, piece) in heading.pieces {
        push_curly(&mut text, heading.text.get(at..span.start).unwrap_or_default());
        if *piece == Piece::Code {
            text.push_str(heading.text.get(span.clone()).unwrap_or_default());
        }
        at = span.end;
    }
    push_curly(&mut text, heading.text.get(at..).unwrap_or_default());
    text
}

fn push_curly(kept: &mut String, text: &str) {
    let text = text.replace("---", "\u{2014}").replace("--", "\u{2013}").replace("...", "\u{2026}");
    for character in text.chars() {
        let opens = kept.chars().next_back().is_none_or(|before| {
            before.is_whitespace()
                || matches!(before, '-' | '\u{2014}' | '/' | '(' | '[' | '{' | '"' | '\u{2018}')
        });
        kept.push(match character {
            '\'' if opens => '\u{2018}',
            '\'' => '\u{2019}',
            '"' if opens => '\u{201C}',
            '"' => '\u{201D}',
            other => other,
        });
    }
}

/// Returns whether a text has letters or pictures that a transliteration of Latin letters leaves as they are.
pub(super) fn has_other_script(text: &str) -> bool {
    text.chars().any(|one| (one.is_alphanumeric() || is_emoji(one)) && !folded(one).is_ascii())
}
