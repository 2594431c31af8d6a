//! Which links a change concerns (`--since`): those on lines that it adds, those of documents that it
//! moves, and those that lead to files, headings and ids that it removes.

use std::collections::HashMap;
use std::io::Cursor;
use std::path::{Component, Path, PathBuf};

use locator::{AsciiSet, PctString};
use locator_find::{Finder, Format};
use locator_links::anchors::Anchors;
use locator_links::{
    AnchorNames, Code, FileId, FileKind, LinkTarget, Page, PageLink, Site, Verdict, fragment_of,
};

use crate::input::located::Place;
use crate::since::{Removed, Since};

/// What has changed, for the links of documents.
pub(super) struct ChangedLinks<'s> {
    since: Since,
    site: &'s Site,
    finder: &'s Finder,
    /// The names that files had before the change; `None` if they are not known.
    before: HashMap<FileId, Option<Anchors>>,
    left_out: u64,
}

/// What is not escaped in a path (RFC 3986, 2.3 and 3.3).
const KEPT: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT).union(AsciiSet::of(b"-._~/"));

impl<'s> ChangedLinks<'s> {
    pub(super) fn new(since: Since, site: &'s Site, finder: &'s Finder) -> Self {
        Self { since, site, finder, before: HashMap::new(), left_out: 0 }
    }

    /// Removes the links of a document that the change does not concern.
    pub(super) fn retain(&mut self, page: &mut Page) {
        // What is in no file of this machine is new.
        let Some(file) = page.file else { return };
        let path = self.octets(file);
        let was_renamed = self.since.was_renamed(&path);
        let mut place = Place { file: Some(path), line: 0, column: None };
        let mut links = std::mem::take(&mut page.links);
        let all = links.len();
        links.retain(|link| {
            place.line = link.line.into();
            let leads_elsewhere = was_renamed && matches!(link.target, LinkTarget::File(_));
            leads_elsewhere || !self.since.is_old(&place) || self.leads_to_removed(page, link)
        });
        self.left_out += (all - links.len()) as u64;
        page.links = links;
    }

    /// Returns how many links were removed.
    pub(super) const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Returns verdicts that say what the change has done to the files that are missing.
    pub(super) fn explained(&self, page: &Page, verdicts: &[Verdict]) -> Vec<Verdict> {
        page.links.iter().zip(verdicts).map(|(link, verdict)| self.explain(page, link, verdict)).collect()
    }

    fn explain(&self, page: &Page, link: &PageLink, verdict: &Verdict) -> Verdict {
        let mut verdict = verdict.clone();
        let LinkTarget::File(file) = link.target else { return verdict };
        if verdict.code == Code::NoSuchFile
            && let Some(Removed::File { now }) = self.since.removed(&self.octets(file))
        {
            verdict.reason = Some(if now.is_some() { "renamed" } else { "removed" }.to_owned());
            let fragment = fragment_of(page.url(link)).map(|fragment| format!("#{fragment}"));
            let near = now.and_then(|now| self.reference(page, &now));
            verdict.suggestion = near.map(|near| near + &fragment.unwrap_or_default()).or(verdict.suggestion);
        }
        verdict
    }

    fn leads_to_removed(&mut self, page: &Page, link: &PageLink) -> bool {
        let (LinkTarget::File(file) | LinkTarget::Forge { file, .. }) = link.target else { return false };
        let file = match self.site.files.kind(file) {
            FileKind::Directory(Some(index)) => index,
            _ => file,
        };
        match self.since.removed(&self.octets(file)) {
            None => false,
            Some(Removed::File { .. }) => true,
            Some(Removed::Lines(_)) => fragment_of(page.url(link))
                .is_some_and(|fragment| !fragment.is_empty() && self.was_there(file, fragment)),
        }
    }

    /// Returns whether a file had the name of a fragment before the change, as far as it is known.
    fn was_there(&mut self, file: FileId, fragment: &str) -> bool {
        if !self.before.contains_key(&file) {
            let anchors = self.anchors_before(&self.site.files.path(file));
            self.before.insert(file, anchors);
        }
        let Some(Some(before)) = self.before.get(&file) else { return true };
        // Whether a text was there is not known.
        before.missing(fragment.split(":~:").next().unwrap_or_default()).is_none()
    }

    fn anchors_before(&self, path: &Path) -> Option<Anchors> {
        let content = self.since.content(path.as_os_str().as_encoded_bytes()).ok()?;
        let head = content.get(..8192).unwrap_or(&content);
        let format = Format::of(path, head)?;
        let rule = self.site.heading_ids(path);
        let names = AnchorNames::read_page(self.finder, format, rule, &mut Cursor::new(content)).ok()?;
        Some(names.anchors())
    }

    /// Returns a reference from a document to a file.
    fn reference(&self, page: &Page, to: &Path) -> Option<String> {
        // The path of `to` has no symbolic links.
        let from = std::fs::canonicalize(self.site.files.path(page.file?)).ok()?;
        let path = relative(from.parent()?, to);
        Some(PctString::encode(path.to_str()?, KEPT).as_str().to_owned())
    }

    fn octets(&self, file: FileId) -> Vec<u8> {
        self.site.files.path(file).into_os_string().into_encoded_bytes()
    }
}

/// Returns the path of a file relative to a directory; both are absolute.
fn relative(directory: &Path, file: &Path) -> PathBuf {
    let (mut from, mut to) = (directory.components().peekable(), file.components().peekable());
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
    }
    from.map(|_| Component::ParentDir).chain(to).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_file_has_a_relative_path() {
        for (directory, file, expected) in [
            ("/a/b", "/a/b/c.md", "c.md"),
            ("/a/b", "/a/c.md", "../c.md"),
            ("/a/b", "/c/d.md", "../../c/d.md"),
            ("/", "/c.md", "c.md"),
        ] {
            assert_eq!(relative(directory.as_ref(), file.as_ref()), Path::new(expected));
        }
    }
}
