//! A link with its verdict, and what earlier runs say about it, in words; and how many links of how many documents have
//! which outcome.

use locator_links::mend::KeepReason;
use locator_links::{Code, LinkTarget, Outcome, OutcomeCounts, Page, PageLink, Site, Verdict, fragment_of};
use locator_web::report::quantity::grouped;
use serde::Serialize;

use super::arguments::LinksArgs;
use crate::report::plural;
use crate::terminal::{Word, secrets, visible};

/// A link that is reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckedLink<'a> {
    pub(super) page: &'a Page,
    pub(super) link: &'a PageLink,
    pub(super) verdict: &'a Verdict,
    /// Whether the same was said of another link to the same server, which asks to wait.
    pub(super) is_repeated: bool,
    /// Whether it decides about the exit status.
    pub(super) fails: bool,
    /// Since when the URL has been broken, if that is not long enough to fail.
    pub(super) broken_since: Option<&'a str>,
    /// What became of it, if it is to be mended: the new reference, or why it is kept.
    pub(super) mended: Option<&'a Result<String, KeepReason>>,
}

impl CheckedLink<'_> {
    /// Returns whether the link is replaced.
    pub(super) fn is_fixed(&self) -> bool {
        self.mended.is_some_and(Result::is_ok)
    }

    /// Returns how grave the result is.
    pub(super) fn word(&self) -> Word {
        match self.verdict.outcome() {
            _ if self.is_fixed() => Word::Fixed,
            _ if self.fails => Word::Error,
            Outcome::Broken if self.broken_since.is_none() => Word::Error,
            Outcome::Broken | Outcome::Refused | Outcome::Unknown => Word::Warning,
            Outcome::Redirected | Outcome::Skipped | Outcome::Ok => Word::Note,
        }
    }

    /// Returns the reference for people, without secrets.
    pub(super) fn url(&self) -> String {
        secrets::masked(self.page.url(self.link))
    }

    /// Returns what happened, without a suggestion.
    pub(super) fn sentence(&self) -> String {
        if let Some(Ok(new)) = self.mended {
            return format!("replaced by {}", secrets::masked(new));
        }
        let what = visible(&secrets::sentence(&sentence(self.verdict))).to_string();
        let kept = self.mended.and_then(|mended| mended.as_ref().err());
        let kept = kept.map(|kept| format!("; not fixed: {}", kept.meaning())).unwrap_or_default();
        let what = what + &kept;
        match self.broken_since {
            Some(time) => format!("{what}; broken since {time}, which is within --grace"),
            None => what,
        }
    }

    /// Returns what was probably meant, without secrets.
    pub(super) fn suggestion(&self) -> Option<String> {
        self.verdict.suggestion.as_deref().filter(|_| !self.is_fixed()).map(secrets::masked)
    }

    /// Returns what happened, with a suggestion.
    pub(super) fn advice(&self) -> String {
        match self.suggestion() {
            Some(near) => {
                let [before, after] = self.words_of_suggestion();
                format!("{}; {before} \"{near}\"{after}", self.sentence())
            }
            None => self.sentence(),
        }
    }

    /// Returns the words before and after a suggestion: what a redirect leads to is known.
    pub(super) fn words_of_suggestion(&self) -> [&'static str; 2] {
        match self.verdict.outcome() {
            Outcome::Redirected => ["write", ""],
            _ => ["did you mean", "?"],
        }
    }

    /// Returns the steps by which a site was searched for the link, without secrets.
    pub(super) fn route(&self) -> Vec<String> {
        let steps = self.verdict.route.iter().filter(|_| !self.is_fixed());
        steps.map(|step| visible(&secrets::sentence(step)).to_string()).collect()
    }

    /// Returns the absolute form of a link that leads to a file or a server.
    pub(super) fn absolute(&self, site: &Site) -> Option<String> {
        let stem = match self.link.target {
            LinkTarget::File(file) | LinkTarget::Forge { file, .. } => {
                let path = site.files.path(file);
                let scheme = site.files.archive_of(&path).map_or("", |_| "jar:");
                format!("{scheme}{}", locator::UriBuf::from_file_path(path).ok()?)
            }
            LinkTarget::Url(url) => site.urls.text(url).to_string(),
            LinkTarget::Site(ref target) => locator::UriBuf::from_file_path(target.file()?).ok()?.to_string(),
            LinkTarget::Known(_) => return None,
        };
        let fragment = fragment_of(self.page.url(self.link)).map(|fragment| format!("#{fragment}"));
        Some(stem + &fragment.unwrap_or_default())
    }
}

/// Returns what a verdict says, in words.
pub(super) fn sentence(verdict: &Verdict) -> String {
    let meaning = verdict.code.meaning();
    // The server's own words have the number.
    let meaning = meaning.split(" (").next().unwrap_or(meaning);
    let said = match (verdict.status, verdict.reason.as_deref()) {
        (Some(status), Some(reason)) if !reason.is_empty() => Some(format!("{status} {reason}")),
        (Some(status), _) => Some(status.to_string()),
        (None, reason) => reason.map(str::to_owned),
    };
    // A page that is there needs no words.
    let said =
        said.filter(|_| !matches!(verdict.status, Some(200..=299)) || verdict.outcome() == Outcome::Ok);
    let end = verdict.final_url().map(|url| format!(", after a redirect to {url}")).unwrap_or_default();
    match said {
        _ if verdict.code == Code::SiteRedirect => {
            format!("its site redirects to {}", verdict.final_url().unwrap_or_default())
        }
        _ if verdict.code == Code::Redirected => {
            let status = verdict.hops.first().map(|hop| format!(" ({})", hop.status)).unwrap_or_default();
            format!("redirects to {}{status}", verdict.final_url().unwrap_or_default())
        }
        Some(said) => format!("{meaning} ({said}){end}"),
        None => format!("{meaning}{end}"),
    }
}

/// The numbers of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers<'a> {
    pub(super) counts: &'a OutcomeCounts,
    /// How many documents there are, in words.
    pub(super) place: &'a str,
    /// What there is besides, in words.
    pub(super) others: &'a [String],
    /// What the documents, or files beside them, leave out.
    pub(super) silenced: &'a LeftOut,
    /// What was found of sites, and why links are unknown or skipped.
    pub(super) notes: &'a [String],
}

/// How much is not checked since the documents, or files beside them, say so.
#[derive(Debug, Serialize)]
pub(super) struct LeftOut {
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

impl LeftOut {
    pub(super) fn new(asked: &LinksArgs, counts: &OutcomeCounts, files: u64) -> Self {
        let offline = if asked.lychee.is_offline { counts.of_code(Code::Offline) } else { 0 };
        Self {
            links: counts.of_code(Code::ExcludedByFile),
            offline,
            files,
            by: asked.lychee.files.clone(),
            in_documents: counts.of_code(Code::Ignored),
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
