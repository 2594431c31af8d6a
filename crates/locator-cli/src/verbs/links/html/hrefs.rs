//! Where the links of the report lead: URLs of schemes that browsers and their programs know, and files, by
//! their paths from the directory of the report.

use std::fs;
use std::path::{Path, PathBuf};

use locator::{Base, Redacted, ResolveOptions, UriBuf, UriRef};
use locator_links::{FileId, Page, Site, Target};

use super::super::judged::Judged;
use crate::terminal::secrets;

/// Where the report is.
#[derive(Debug)]
pub(super) struct Hrefs {
    /// The URL of the report's directory; `None` if it is not a file.
    directory: Option<UriBuf>,
}

/// The schemes of URLs that are links. Others may start programs or run in the page.
const SCHEMES: [&str; 4] = ["http", "https", "ftp", "gopher"];

impl Hrefs {
    /// Takes the file of the report, which exists.
    pub(super) fn new(file: Option<&Path>) -> Self {
        let report = file.and_then(|file| fs::canonicalize(file).ok()).filter(|file| file.is_file());
        Self { directory: report.and_then(|report| UriBuf::from_file_path(report).ok()) }
    }

    /// Returns where a link leads.
    pub(super) fn of_link(&self, site: &Site, judged: &Judged<'_>) -> Option<String> {
        match judged.link.target {
            Target::File(file) => self.of_file(site, file),
            Target::Forge { .. } | Target::Known(_) => of_url(judged.page.url(judged.link)),
            Target::Url(_) => of_url(&judged.absolute(site)?),
        }
    }

    /// Returns where a document is.
    pub(super) fn of_document(&self, site: &Site, page: &Page) -> Option<String> {
        match page.file {
            Some(file) => self.of_file(site, file),
            // The name of a page has no secret any more, so it is not its URL if it had one.
            None => of_url(&page.name).filter(|url| !url.contains(Redacted::HIDDEN)),
        }
    }

    /// Returns the reference to a file that exists, from the report. Both paths are without symbolic links, so
    /// ".." leads out of the directory that it seems to.
    fn of_file(&self, site: &Site, file: FileId) -> Option<String> {
        let path: PathBuf = fs::canonicalize(site.files.path(file)).ok()?;
        let target = UriBuf::from_file_path(path).ok()?;
        let options = ResolveOptions::new().path_relative(true);
        let base = Base::new(self.directory.as_ref()?.as_uri()).ok()?;
        let reference = base.relativize_with(target.as_uri(), options).ok()?.to_string();
        (!reference.is_empty()).then_some(reference)
    }
}

/// Returns a URL that may be followed: without secrets, which the report does not have.
fn of_url(url: &str) -> Option<String> {
    let scheme = url.split_once("://")?.0;
    let is_known = SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let is_valid = |url: &&str| UriRef::parse(url).is_ok();
    let is_whole = |url: &&str| secrets::redacted(url).to_string() == **url;
    Some(url).filter(|_| is_known).filter(is_valid).filter(is_whole).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_some_urls_are_links() {
        for url in ["http://h/", "HTTPS://h/a?b=c#d", "ftp://h/a", "gopher://h/1"] {
            assert_eq!(of_url(url).as_deref(), Some(url));
        }
        for url in [
            "javascript:alert(1)//://",
            "javascript://h/%0aalert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "a/b",
            "//h/",
            "http:/h",
            "ftp://u:secret@h/",
            "http://h/?token=ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8",
            "http://h/\u{202E}",
            "http://h/ x",
            " http://h/",
            "http://[",
            "mailto://h/",
        ] {
            assert_eq!(of_url(url), None, "{url}");
        }
    }
}
