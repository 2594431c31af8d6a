//! A document with the links that are still to be judged, or whose verdicts are reported.

use std::ops::Range;

use crate::files::FileId;
use crate::outcome::{Code, Outcome, Verdict};
use crate::site::urls::UrlId;

/// A document whose links were found.
#[derive(Debug, Default)]
pub struct Page {
    /// The name of the document, as the user knows it.
    pub name: String,
    /// The document, if it is a file that links may lead to.
    pub file: Option<FileId>,
    /// Where the document redirects to.
    pub refresh: Option<Target>,
    /// The links that are kept, in the order of the document.
    pub links: Vec<FoundLink>,
    /// How many links of each outcome are not kept.
    pub counts: Counts,
    /// The links that are kept, one after the other.
    pub(crate) text: String,
    /// The root of the working tree that the document is in.
    pub(crate) repository: Option<std::path::PathBuf>,
}

/// A link in a document.
#[derive(Debug)]
pub struct FoundLink {
    /// The line, from 1.
    pub line: u32,
    /// The position of the first byte in its line, from 1.
    pub column: u32,
    /// The position of the first byte in the document.
    pub offset: u64,
    /// How many bytes it has there.
    pub length: u32,
    pub(crate) text: Range<u32>,
    /// Where it leads.
    pub target: Target,
}

/// Where a link leads.
#[derive(Clone, Debug)]
pub enum Target {
    /// To a file of this machine.
    File(FileId),
    /// To a file of the working tree that the document is in, by its URL at a forge.
    Forge {
        /// The file.
        file: FileId,
        /// Whether the branch of the URL may be another one than that of the tree.
        is_other_branch: bool,
    },
    /// To a URL that is asked for.
    Url(UrlId),
    /// What is known of it already.
    Known(Box<Verdict>),
}

/// How many links there are of each outcome, and how many of them somebody else leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    outcomes: [u64; Outcome::ALL.len()],
    silenced: [u64; SILENT.len()],
}

/// The codes of links that the documents, or a file beside them, leave out.
const SILENT: [Code; 3] = [Code::ExcludedByFile, Code::Ignored, Code::Offline];

impl Counts {
    /// Returns the number of links with an outcome.
    #[must_use]
    pub const fn of(&self, outcome: Outcome) -> u64 {
        self.outcomes[outcome as usize]
    }

    /// Returns the number of links with this code; only [`Code::ExcludedByFile`], [`Code::Ignored`] and
    /// [`Code::Offline`] are counted, of others the number is 0.
    #[must_use]
    pub fn silenced(&self, code: Code) -> u64 {
        let all = SILENT.iter().zip(&self.silenced);
        all.filter(|(own, _)| **own == code).map(|(_, number)| *number).sum()
    }

    /// Adds a link.
    pub const fn add(&mut self, outcome: Outcome) {
        self.outcomes[outcome as usize] += 1;
    }

    /// Adds a link with this code.
    pub fn add_code(&mut self, code: Code) {
        self.add(code.outcome());
        let all = SILENT.iter().zip(&mut self.silenced);
        all.filter(|(own, _)| **own == code).for_each(|(_, number)| *number += 1);
    }

    /// Adds the links of another document.
    pub fn add_all(&mut self, other: &Self) {
        let add = |own: &mut [u64], other: &[u64]| {
            own.iter_mut().zip(other).for_each(|(own, other)| *own += other);
        };
        add(&mut self.outcomes, &other.outcomes);
        add(&mut self.silenced, &other.silenced);
    }

    /// Returns the number of all links.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.outcomes.iter().sum()
    }
}

impl Page {
    /// Returns the reference of a link, decoded.
    #[must_use]
    pub fn url(&self, link: &FoundLink) -> &str {
        let Range { start, end } = link.text;
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Returns how many links the document has.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.counts.total() + self.links.len() as u64
    }

    /// Returns whether the document has no link.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Returns the fragment of a reference.
#[must_use]
pub fn fragment_of(url: &str) -> Option<&str> {
    url.split_once('#').map(|(_, fragment)| fragment)
}
