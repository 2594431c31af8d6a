//! The ids that generators of pages give headings. Takes a [`Heading`] of Markdown and returns the id
//! that a rule makes of its text, the one that is written at its end, and the number that makes it
//! unique in its document.
//!
//! The rules are those of the programs, as `testdata/headings.toml` shows them; `docs/links.md` names the
//! versions. No standard defines them.
//!
//! ```
//! use locator_find::HeadingIds;
//!
//! assert_eq!(HeadingIds::from_name("gitlab"), Some(HeadingIds::GitLab));
//! ```

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

locator::named! {
    /// The program that makes pages of Markdown, and thereby the rule for the ids of headings.
    ///
    /// ```
    /// use locator_find::HeadingIds;
    ///
    /// assert_eq!(HeadingIds::default(), HeadingIds::GitHub);
    /// assert_eq!(HeadingIds::MdBook.to_string(), "mdbook");
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum HeadingIds {
        /// GitHub.
        #[default]
        GitHub = "github",
        /// GitLab.
        GitLab = "gitlab",
        /// mdBook.
        MdBook = "mdbook",
        /// Docusaurus.
        Docusaurus = "docusaurus",
        /// Jekyll: kramdown, which reads GitHub's Markdown.
        Jekyll = "jekyll",
        /// kramdown, which reads its own Markdown.
        Kramdown = "kramdown",
        /// `MkDocs`.
        MkDocs = "mkdocs",
    }

    /// Returns the name of the program in lower case.
    pub const fn name;
}

impl HeadingIds {
    /// All rules.
    pub const ALL: [Self; 7] = [
        Self::GitHub,
        Self::GitLab,
        Self::MdBook,
        Self::Docusaurus,
        Self::Jekyll,
        Self::Kramdown,
        Self::MkDocs,
    ];

    /// Returns the rule of the program with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ids| ids.name() == name)
    }

    pub(crate) const fn rule(self) -> Rule {
        let (id, numbers, syntax): (fn(&Heading<'_>) -> String, _, _) = match self {
            Self::GitHub => (github, Counting::SameText, Syntax::Literal),
            Self::GitLab => (gitlab, Counting::Unused, Syntax::Literal),
            Self::MdBook => (mdbook, Counting::Unused, Syntax::Attributes),
            Self::Docusaurus => (docusaurus, Counting::Unused, Syntax::Whole),
            Self::Jekyll => (jekyll, Counting::SameText, Syntax::Name),
            Self::Kramdown => (kramdown, Counting::SameText, Syntax::Name),
            Self::MkDocs => (mkdocs, Counting::Underscore, Syntax::AttributeList),
        };
        Rule { id, numbers, syntax }
    }
}

/// A rule, as functions.
pub(crate) struct Rule {
    /// Returns the id of a heading, without a number.
    pub(crate) id: fn(&Heading<'_>) -> String,
    pub(crate) numbers: Counting,
    pub(crate) syntax: Syntax,
}

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

/// The syntax of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// None: the braces are text. Most authors who write them have another program in mind, so their id is
    /// accepted, too.
    #[default]
    Literal,
    /// `{#id .class key=value}` (pulldown-cmark, "heading attributes").
    Attributes,
    /// `{#id}` and `{/* #id */}`, with anything else for "id" (Docusaurus, "Explicit IDs").
    Whole,
    /// `{#id}`, with a name of XML (kramdown, "Specifying a Header ID").
    Name,
    /// `{#id .class key=value}` and `{: #id}` (Python-Markdown, "Attribute Lists").
    AttributeList,
}

impl Syntax {
    /// Returns whether the braces are text.
    pub(crate) fn is_literal(self) -> bool {
        self == Self::Literal
    }

    /// Returns whether the braces are text if "#" follows them.
    pub(crate) fn is_last(self) -> bool {
        matches!(self, Self::Attributes | Self::Name)
    }
}

/// What is at the end of a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trailer<'t> {
    /// The id, if there is one.
    pub(crate) id: Option<&'t str>,
    /// The length of the text before.
    pub(crate) at: usize,
}

impl<'t> Trailer<'t> {
    /// Returns what is at the end of the text of a heading, if it is no text.
    pub(crate) fn of(text: &'t str, syntax: Syntax) -> Option<Self> {
        let inner = text.trim_end().strip_suffix('}')?;
        let at = inner.rfind('{')?;
        let (before, inner) = (&inner[..at], &inner[at + 1..]);
        let is_separate = before.is_empty() || before.ends_with([' ', '\t']);
        let at = before.trim_end().len();
        let id = match syntax {
            Syntax::Whole => Some(whole(inner)?),
            Syntax::Name => Some(inner.strip_prefix('#').filter(|id| is_separate && is_name(id))?),
            Syntax::Attributes => attribute(inner),
            Syntax::AttributeList if is_separate && at > 0 && !inner.trim().is_empty() => {
                attribute(inner.strip_prefix(':').unwrap_or(inner))
            }
            Syntax::AttributeList => return None,
            Syntax::Literal => {
                Some(attribute(inner.strip_prefix(':').unwrap_or(inner)).or_else(|| whole(inner))?)
            }
        };
        Some(Self { id, at })
    }
}

/// Returns the id of a line of attributes that belong to the block around it: `{: #id}`.
pub(crate) fn of_block(line: &str, syntax: Syntax) -> Option<&str> {
    let has_blocks = matches!(syntax, Syntax::Name | Syntax::AttributeList);
    let inner = line.trim().strip_prefix("{:").filter(|_| has_blocks)?.strip_suffix('}')?;
    attribute(inner)
}

/// Returns the id of attributes.
fn attribute(inner: &str) -> Option<&str> {
    let mut words = inner.split_ascii_whitespace();
    let id = words.find_map(|word| {
        let value = || Some(word.strip_prefix("id=")?.trim_matches(['"', '\'']));
        word.strip_prefix('#').or_else(value)
    });
    id.filter(|id| !id.is_empty())
}

fn whole(inner: &str) -> Option<&str> {
    let comment = || inner.trim().strip_prefix("/*")?.strip_suffix("*/")?.trim().strip_prefix('#');
    inner.strip_prefix('#').or_else(comment).map(str::trim).filter(|id| !id.is_empty())
}

/// Returns whether a text is a name, as kramdown accepts it (XML 1.0, 2.3).
fn is_name(text: &str) -> bool {
    let starts = |one: char| one.is_alphabetic() || matches!(one, '_' | ':');
    let continues = |one: char| starts(one) || one.is_numeric() || matches!(one, '-' | '.' | '\u{B7}');
    text.starts_with(starts) && text.chars().all(continues)
}

/// What is kept: letters, marks, digits, connectors, "-", and "-" for each space. GitHub does not document
/// its rule; it is inferred from its pages.
fn github(heading: &Heading<'_>) -> String {
    dashed(&without_images(heading).to_lowercase(), is_word)
}

/// Like GitHub's, but all numbers are kept, and the texts of images. The end of a line is a space.
fn gitlab(heading: &Heading<'_>) -> String {
    use GeneralCategory::ConnectorPunctuation;
    use GeneralCategoryGroup::{Letter, Mark, Number};
    let keeps = |character: char| {
        matches!(character.general_category_group(), Letter | Mark | Number)
            || character.general_category() == ConnectorPunctuation
    };
    dashed(&heading.text.to_lowercase().replace('\n', " "), keeps)
}

/// Letters and numbers without marks; "-" for each character of white space. Typography removes dashes.
fn mdbook(heading: &Heading<'_>) -> String {
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
fn docusaurus(heading: &Heading<'_>) -> String {
    dashed(&heading.text.to_lowercase(), is_word)
}

/// Like GitHub's, without dashes that typography makes.
fn jekyll(heading: &Heading<'_>) -> String {
    // Three make a long dash, then two make a short one.
    let text = with_dashes(heading, |run| usize::from(run % 3 == 1));
    let lower: String = text.chars().flat_map(char::to_lowercase).collect();
    dashed(&lower.replace('\t', " "), is_word)
}

/// The letters and digits of ASCII in the text as it is written, from the first letter on, with "-" for each
/// space (kramdown, "Automatic Generation of Header IDs").
fn kramdown(heading: &Heading<'_>) -> String {
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
fn mkdocs(heading: &Heading<'_>) -> String {
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

/// How headings with the same text get different ids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Counting {
    /// "-1" and so on, by the number of earlier headings that have the same text.
    #[default]
    SameText,
    /// "-1" and so on, the first that is not used.
    Unused,
    /// `_1` and so on, the first that is not used; an empty id has a number, too.
    Underscore,
}

/// The maximum number of ids that are stored.
const MOST: usize = 1 << 20;

/// The maximum number of numbers that are tried in a document. Few are, unless its texts are made for it.
const MOST_TRIED: usize = 1 << 22;

/// The ids of a document so far, as hashes, so that memory is bounded.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    counting: Counting,
    /// For each id that was made, and each that was used, the number that is tried next.
    next: HashMap<u64, u32>,
    keys: RandomState,
    /// How many numbers were tried.
    tried: usize,
}

/// An id that ends with a number: `name-1`.
struct NumberedId<'i> {
    stem: &'i str,
    separator: char,
    number: u32,
}

impl Numbers {
    pub(crate) fn new(counting: Counting) -> Self {
        Self { counting, ..Self::default() }
    }

    /// Returns an id with the number that distinguishes it from the earlier ones.
    pub(crate) fn unique(&mut self, id: String) -> String {
        match self.counting {
            Counting::SameText => match self.count(&id) {
                0 => id,
                number => format!("{id}-{number}"),
            },
            Counting::Unused => self.unused(&id, &NumberedId { stem: &id, separator: '-', number: 0 }),
            Counting::Underscore => {
                let numbered = id.rsplit_once('_').filter(|(_, digits)| is_number(digits));
                let numbered = numbered.and_then(|(stem, digits)| Some((stem, digits.parse().ok()?)));
                let (stem, number) = numbered.unwrap_or((&id, 0));
                self.unused(&id, &NumberedId { stem, separator: '_', number })
            }
        }
    }

    /// Notes an id that is written in the document.
    pub(crate) fn note(&mut self, id: &str) {
        if self.counting == Counting::Underscore {
            self.count(id);
        }
    }

    /// Counts an id; returns how often it was counted before.
    fn count(&mut self, id: &str) -> u32 {
        let key = self.keys.hash_one(id);
        if self.next.len() >= MOST && !self.next.contains_key(&key) {
            return 0;
        }
        let seen = self.next.entry(key).or_default();
        std::mem::replace(seen, seen.saturating_add(1))
    }

    /// Returns the id, or the stem with the first number after that of `last` that makes an unused one.
    fn unused(&mut self, id: &str, last: &NumberedId<'_>) -> String {
        let NumberedId { stem, separator, number } = *last;
        let key = self.keys.hash_one(id);
        let tried = self.next.get(&key).copied();
        if tried.is_none() && (!id.is_empty() || separator == '-') {
            self.count(id);
            return id.to_owned();
        }
        // The numbers up to the last one are used.
        let mut number = number.max(tried.unwrap_or(1).saturating_sub(1));
        loop {
            number = number.saturating_add(1);
            self.tried += 1;
            let numbered = format!("{stem}{separator}{number}");
            let is_unused = !self.next.contains_key(&self.keys.hash_one(&numbered));
            if is_unused || self.tried > MOST_TRIED {
                self.count(&numbered);
                if self.next.len() < MOST || self.next.contains_key(&key) {
                    self.next.insert(key, number.saturating_add(1));
                }
                return numbered;
            }
        }
    }
}

fn is_number(digits: &str) -> bool {
    !digits.is_empty() && digits.bytes().all(|octet| octet.is_ascii_digit())
}
