//! How many links of how many documents have which outcome.

use locator_links::{Code, Counts, Outcome};
use serde::Serialize;

use super::args::LinksArgs;
use crate::output::progress::grouped;
use crate::report::plural;

/// The numbers of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers<'a> {
    pub(super) counts: &'a Counts,
    /// How many documents there are, in words.
    pub(super) place: &'a str,
    /// What there is besides, in words.
    pub(super) others: &'a [String],
    /// What the documents, or files beside them, leave out.
    pub(super) silenced: &'a Silenced,
}

/// How much is not checked since the documents, or files beside them, say so.
#[derive(Debug, Serialize)]
pub(super) struct Silenced {
    /// The links that patterns of the configuration of lychee leave out.
    links: u64,
    /// The links that it does not ask servers for.
    offline: u64,
    /// The files that it leaves out.
    pub(super) files: u64,
    /// The files of that configuration.
    by: Vec<String>,
    /// The links that comments and attributes of documents leave out.
    in_documents: u64,
}

impl Silenced {
    pub(super) fn new(asked: &LinksArgs, counts: &Counts, files: u64) -> Self {
        let offline = if asked.lychee.is_offline { counts.silenced(Code::Offline) } else { 0 };
        Self {
            links: counts.silenced(Code::ExcludedByFile),
            offline,
            files,
            by: asked.lychee.files.clone(),
            in_documents: counts.silenced(Code::Ignored),
        }
    }

    /// Returns whether nothing is left out.
    pub(super) const fn is_nothing(&self) -> bool {
        self.links + self.offline + self.files + self.in_documents == 0
    }

    /// Returns the numbers in words, one text for each reason.
    pub(super) fn words(&self) -> Vec<String> {
        let Self { links, offline, files, by, in_documents } = self;
        let what = [
            (*links, plural(*links, "link")),
            (*offline, format!("{} to servers", plural(*offline, "link"))),
            (*files, plural(*files, "file")),
        ];
        let by_file: Vec<_> = what.into_iter().filter(|(n, _)| *n > 0).map(|(_, words)| words).collect();
        let by_file =
            (!by_file.is_empty()).then(|| format!("{} left out by {}", by_file.join(", "), by.join(" and ")));
        let by_document = (*in_documents > 0)
            .then(|| format!("{} left out by comments in documents", plural(*in_documents, "link")));
        by_file.into_iter().chain(by_document).collect()
    }
}

impl Numbers<'_> {
    /// Returns the numbers as a line; `paint` writes those of an outcome.
    pub(super) fn line(&self, paint: &dyn Fn(Outcome, String) -> String) -> String {
        let others = self.besides();
        if self.counts.total() == 0 {
            return self.sum();
        }
        let some = Outcome::ALL.into_iter().filter(|outcome| self.counts.of(*outcome) > 0);
        let words = some.map(|outcome| {
            paint(outcome, format!("{} {}", grouped(self.counts.of(outcome)), outcome.name()))
        });
        format!("{}: {}{others}", self.links(), words.collect::<Vec<_>>().join(", "))
    }

    /// Returns the numbers without those of the outcomes.
    pub(super) fn sum(&self) -> String {
        self.links() + &self.besides()
    }

    fn links(&self) -> String {
        let place = self.place;
        match self.counts.total() {
            0 if self.others.is_empty() => format!("no links in {place}"),
            0 => format!("no links to report in {place}"),
            links => format!("{} in {place}", plural(links, "link")),
        }
    }

    fn besides(&self) -> String {
        self.others.iter().map(|words| format!("; {words}")).collect()
    }
}
