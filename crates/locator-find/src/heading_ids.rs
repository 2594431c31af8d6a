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

pub(crate) mod slug;

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use self::slug::Heading;

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
        /// `MkDocs`: Python-Markdown.
        MkDocs = "mkdocs",
        /// `MkDocs` with `pymdownx.slugs`, in lower case.
        Pymdownx = "pymdownx",
        /// Hugo.
        Hugo = "hugo",
        /// Hugo with `autoHeadingIDType: github-ascii`.
        HugoAscii = "hugo-ascii",
        /// Hugo with `autoHeadingIDType: blackfriday`.
        Blackfriday = "blackfriday",
        /// Zola.
        Zola = "zola",
        /// `VitePress`.
        VitePress = "vitepress",
        /// `VuePress`.
        VuePress = "vuepress",
        /// Astro, with and without Starlight.
        Starlight = "starlight",
        /// Nextra.
        Nextra = "nextra",
        /// Hexo: hexo-renderer-marked.
        Hexo = "hexo",
        /// Eleventy: its `IdAttributePlugin`.
        Eleventy = "eleventy",
        /// `HonKit`, which was `GitBook`.
        HonKit = "honkit",
        /// Docsify.
        Docsify = "docsify",
        /// docutils: the pages of Sphinx.
        Docutils = "docutils",
        /// Asciidoctor.
        Asciidoctor = "asciidoctor",
        /// docs-builder of Elastic.
        DocsBuilder = "docs-builder",
    }

    /// Returns the name of the program in lower case.
    pub const fn name;
}

impl HeadingIds {
    /// All rules.
    pub const ALL: [Self; 23] = [
        Self::GitHub,
        Self::GitLab,
        Self::MdBook,
        Self::Docusaurus,
        Self::Jekyll,
        Self::Kramdown,
        Self::MkDocs,
        Self::Pymdownx,
        Self::Hugo,
        Self::HugoAscii,
        Self::Blackfriday,
        Self::Zola,
        Self::VitePress,
        Self::VuePress,
        Self::Starlight,
        Self::Nextra,
        Self::Hexo,
        Self::Eleventy,
        Self::HonKit,
        Self::Docsify,
        Self::Docutils,
        Self::Asciidoctor,
        Self::DocsBuilder,
    ];

    /// Returns the rule of the program with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ids| ids.name() == name)
    }

    /// Returns the id of a heading with this text, without a number and without an id that the text may state.
    ///
    /// ```
    /// use locator_find::HeadingIds;
    ///
    /// assert_eq!(HeadingIds::Docutils.id_of("Über 2 Wege"), "uber-2-wege");
    /// assert_eq!(HeadingIds::Asciidoctor.id_of("Set up"), "_set_up");
    /// ```
    #[must_use]
    pub fn id_of(self, text: &str) -> String {
        (self.rule().id)(&Heading { text, pieces: &[], written: text })
    }

    /// Returns the fragment that the program writes for one of a link of Markdown: `VitePress` makes an id of it, so that
    /// `#1.-First` leads to `_1-first`. To Starlight `_top` is the top of every page. Others leave it as it is.
    ///
    /// ```
    /// use locator_find::HeadingIds;
    ///
    /// assert_eq!(HeadingIds::VitePress.fragment_of("1.-First"), "_1-first");
    /// assert_eq!(HeadingIds::GitHub.fragment_of("1.-First"), "1.-First");
    /// ```
    #[must_use]
    pub fn fragment_of(self, fragment: &str) -> Cow<'_, str> {
        match self {
            Self::VitePress => Cow::Owned(self.id_of(fragment)),
            Self::Starlight if fragment == "_top" => Cow::Borrowed("top"),
            _ => Cow::Borrowed(fragment),
        }
    }

    /// Returns whether the id of a heading with this text is not known: the program transliterates it, and it has letters
    /// of another script than the Latin one, or emoji.
    ///
    /// ```
    /// use locator_find::HeadingIds;
    ///
    /// assert!(HeadingIds::Zola.is_unknown_for("中文标题") && !HeadingIds::Hugo.is_unknown_for("中文标题"));
    /// ```
    #[must_use]
    pub fn is_unknown_for(self, text: &str) -> bool {
        matches!(self, Self::Zola | Self::Eleventy) && slug::has_other_script(text)
    }

    pub(crate) const fn rule(self) -> Rule {
        let (id, numbers, syntax): (fn(&Heading<'_>) -> String, _, _) = match self {
            Self::GitHub => (slug::github, Counting::SameText, Syntax::Literal),
            Self::GitLab => (slug::gitlab, Counting::Unused, Syntax::Literal),
            Self::MdBook => (slug::mdbook, Counting::Unused, Syntax::Attributes),
            Self::Docusaurus => (slug::docusaurus, Counting::Unused, Syntax::Whole),
            Self::Jekyll => (slug::jekyll, Counting::SameText, Syntax::Name),
            Self::Kramdown => (slug::kramdown, Counting::SameText, Syntax::Name),
            Self::MkDocs => (slug::mkdocs, Counting::Underscore, Syntax::AttributeList),
            Self::Pymdownx => (slug::pymdownx, Counting::Underscore, Syntax::AttributeList),
            Self::Hugo => (slug::hugo, Counting::UnusedOrWritten, Syntax::Attributes),
            Self::HugoAscii => (slug::hugo_ascii, Counting::UnusedOrWritten, Syntax::Attributes),
            Self::Blackfriday => (slug::blackfriday, Counting::UnusedOrWritten, Syntax::Attributes),
            Self::Zola => (slug::zola, Counting::UnusedOrWritten, Syntax::Attributes),
            Self::VitePress => (slug::vitepress, Counting::UnusedOrWritten, Syntax::Attached),
            Self::VuePress => (slug::vuepress, Counting::Unused, Syntax::Text),
            Self::Starlight => (slug::starlight, Counting::Unused, Syntax::Text),
            Self::Nextra => (slug::nextra, Counting::Unused, Syntax::Brackets),
            Self::Hexo => (slug::hexo, Counting::SameText, Syntax::Text),
            Self::Eleventy => (slug::eleventy, Counting::FromTwo, Syntax::Text),
            Self::HonKit => (slug::honkit, Counting::Repeated, Syntax::Whole),
            Self::Docsify => (slug::docsify, Counting::SameText, Syntax::Settings),
            Self::Docutils => (slug::docutils, Counting::Serial, Syntax::Text),
            Self::Asciidoctor => (slug::asciidoctor, Counting::LowLineFromTwo, Syntax::Text),
            Self::DocsBuilder => (slug::docs_builder, Counting::SameText, Syntax::FinalBrackets),
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

/// The rule of notebooks: Jupyter and nbconvert write "-" for each space, and change nothing else.
pub(crate) const NOTEBOOK: Rule = Rule {
    id: |heading| heading.text.trim().replace(' ', "-"),
    numbers: Counting::SameText,
    syntax: Syntax::Literal,
};

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
    /// `{#id .class key=value}`, also before closing signs (markdown-it-attrs).
    Attached,
    /// `[#id]` (Nextra).
    Brackets,
    /// `[id]` (docs-builder).
    FinalBrackets,
    /// `:id=name` (Docsify).
    Settings,
    /// None: what is at the end is a part of the text.
    Text,
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
        match syntax {
            Syntax::Text => return None,
            Syntax::Brackets => return Self::in_brackets(text, "[#"),
            Syntax::FinalBrackets => return Self::in_brackets(text, "["),
            Syntax::Settings => return Self::in_settings(text),
            _ => {}
        }
        let inner = text.trim_end().strip_suffix('}')?;
        let at = inner.rfind('{')?;
        let (before, inner) = (&inner[..at], &inner[at + 1..]);
        let is_separate = before.is_empty() || before.ends_with([' ', '\t']);
        let at = before.trim_end().len();
        let id = match syntax {
            Syntax::Whole => Some(whole(inner)?),
            Syntax::Name => Some(inner.strip_prefix('#').filter(|id| is_separate && is_name(id))?),
            Syntax::Attributes => attribute(inner),
            Syntax::Attached if !inner.trim().is_empty() => attribute(inner),
            Syntax::AttributeList if is_separate && at > 0 && !inner.trim().is_empty() => {
                attribute(inner.strip_prefix(':').unwrap_or(inner))
            }
            Syntax::AttributeList
            | Syntax::Attached
            | Syntax::Brackets
            | Syntax::FinalBrackets
            | Syntax::Settings
            | Syntax::Text => {
                return None;
            }
            Syntax::Literal => {
                Some(attribute(inner.strip_prefix(':').unwrap_or(inner)).or_else(|| whole(inner))?)
            }
        };
        Some(Self { id, at })
    }

    /// Returns the id in `[#id]`.
    fn in_brackets(text: &'t str, open: &str) -> Option<Self> {
        let inner = text.trim_end().strip_suffix(']')?;
        let at = inner.rfind(open)?;
        let id = inner.get(at + open.len()..).filter(|id| !id.is_empty())?;
        // A text in brackets is no id.
        if open == "[" && id.contains(char::is_whitespace) {
            return None;
        }
        Some(Self { id: Some(id), at: inner.get(..at)?.trim_end().len() })
    }

    /// Returns the id in `:id=name`.
    fn in_settings(text: &'t str) -> Option<Self> {
        let (before, id) = text.split_once(":id=")?;
        let is_separate = before.is_empty() || before.ends_with(char::is_whitespace);
        let end = id.find(|one: char| !one.is_alphanumeric() && !matches!(one, '_' | '-' | '%'));
        let id = id.get(..end.unwrap_or(id.len())).filter(|id| is_separate && !id.is_empty())?;
        Some(Self { id: Some(id), at: before.trim_end().len() })
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
    /// "-1" and so on, the first that is neither used nor written in the document.
    UnusedOrWritten,
    /// "-2" and so on, by the number of earlier headings that have the same text.
    FromTwo,
    /// `_2` and so on, the first that is not used.
    LowLineFromTwo,
    /// `id1` and so on for all of the document together; so has an empty one.
    Serial,
    /// None: equal headings have the same id.
    Repeated,
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
    separator: &'i str,
    number: u32,
}

impl Numbers {
    pub(crate) fn new(counting: Counting) -> Self {
        Self { counting, ..Self::default() }
    }

    /// Returns an id with the number that distinguishes it from the earlier ones.
    pub(crate) fn unique(&mut self, id: String) -> String {
        let counting = self.counting;
        match counting {
            Counting::SameText => match self.count(&id) {
                0 => id,
                number => format!("{id}-{number}"),
            },
            Counting::Unused | Counting::UnusedOrWritten => {
                self.unused(&id, &NumberedId { stem: &id, separator: "-", number: 0 })
            }
            Counting::FromTwo => match self.count(&id) {
                0 => id,
                number => format!("{id}-{}", number.saturating_add(1)),
            },
            Counting::LowLineFromTwo if id.is_empty() => id,
            Counting::LowLineFromTwo => {
                self.unused(&id, &NumberedId { stem: &id, separator: "_", number: 1 })
            }
            Counting::Serial if !id.is_empty() && self.count(&id) == 0 => id,
            Counting::Serial => self.unused("", &NumberedId { stem: "id", separator: "", number: 0 }),
            Counting::Repeated => id,
            Counting::Underscore => {
                let numbered = id.rsplit_once('_').filter(|(_, digits)| is_number(digits));
                let numbered = numbered.and_then(|(stem, digits)| Some((stem, digits.parse().ok()?)));
                let (stem, number) = numbered.unwrap_or((&id, 0));
                self.unused(&id, &NumberedId { stem, separator: "_", number })
            }
        }
    }

    /// Notes an id that is written in the document.
    pub(crate) fn note(&mut self, id: &str) {
        if matches!(self.counting, Counting::Underscore | Counting::UnusedOrWritten) {
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
        if tried.is_none() && (!id.is_empty() || separator == "-") {
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
