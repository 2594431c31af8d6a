//! A link with its verdict, and what earlier runs say about it.

use locator_links::mend::Kept;
use locator_links::{FoundLink, Outcome, Page, Site, Target, Verdict, fragment_of};

use super::sentence::sentence;
use crate::terminal::{Word, secrets, visible};

/// A link that is reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged<'a> {
    pub(super) page: &'a Page,
    pub(super) link: &'a FoundLink,
    pub(super) verdict: &'a Verdict,
    /// Whether the same was said of another link to the same server, which asks to wait.
    pub(super) is_repeated: bool,
    /// Whether it decides about the exit status.
    pub(super) fails: bool,
    /// Since when the URL has been broken, if that is not long enough to fail.
    pub(super) broken_since: Option<&'a str>,
    /// What became of it, if it is to be mended: the new reference, or why it is kept.
    pub(super) mended: Option<&'a Result<String, Kept>>,
}

impl Judged<'_> {
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
            Some(near) => format!("{}; did you mean \"{near}\"?", self.sentence()),
            None => self.sentence(),
        }
    }

    /// Returns the absolute form of a link that leads to a file or a server.
    pub(super) fn absolute(&self, site: &Site) -> Option<String> {
        let stem = match self.link.target {
            Target::File(file) | Target::Forge { file, .. } => {
                let path = site.files.path(file);
                let scheme = site.files.archive_of(&path).map_or("", |_| "jar:");
                format!("{scheme}{}", locator::UriBuf::from_file_path(path).ok()?)
            }
            Target::Url(url) => site.urls.text(url).to_string(),
            Target::Known(_) => return None,
        };
        let fragment = fragment_of(self.page.url(self.link)).map(|fragment| format!("#{fragment}"));
        Some(stem + &fragment.unwrap_or_default())
    }
}
