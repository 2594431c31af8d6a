//! The ids that generators of pages give headings. Takes a heading of Markdown and returns the id that a
//! rule makes of its text, and the one that is written at its end.
//!
//! The rules are those of the programs, as `testdata/headings.toml` shows them; `docs/links.md` names the
//! versions. No standard defines them.

mod explicit;
mod heading;
mod made;
mod numbers;

pub(crate) use explicit::{Syntax, Trailer, of_block};
pub(crate) use heading::{Heading, Piece};
pub(crate) use numbers::{Counting, Numbers};

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
            Self::GitHub => (made::github, Counting::SameText, Syntax::Literal),
            Self::GitLab => (made::gitlab, Counting::Unused, Syntax::Literal),
            Self::MdBook => (made::mdbook, Counting::Unused, Syntax::Attributes),
            Self::Docusaurus => (made::docusaurus, Counting::Unused, Syntax::Whole),
            Self::Jekyll => (made::jekyll, Counting::SameText, Syntax::Name),
            Self::Kramdown => (made::kramdown, Counting::SameText, Syntax::Name),
            Self::MkDocs => (made::mkdocs, Counting::Underscore, Syntax::AttributeList),
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
