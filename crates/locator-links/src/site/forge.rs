//! URLs of files of a repository, as forges have them: GitHub, GitLab, Forgejo and their hosts for raw files.

use locator::UriRef;
use locator_find::HeadingIds;

/// A file of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileUrl<'u> {
    host: &'u str,
    project: &'u str,
    /// The revision and the path: a branch may have slashes, too.
    rest: &'u str,
}

/// The words before a revision, in the paths of GitHub and of GitLab.
const VIEWS: [&str; 5] = ["blob", "tree", "raw", "edit", "blame"];

/// The same in paths of Forgejo and Gitea.
const FORGEJO: [&str; 3] = ["src/branch/", "raw/branch/", "blame/branch/"];

impl<'u> FileUrl<'u> {
    /// Returns the file that a URL of the web leads to, if the URL has the form of a forge.
    pub(crate) fn of(url: &UriRef<'u>) -> Option<Self> {
        let scheme = url.scheme()?;
        let is_web =
            scheme.as_str().eq_ignore_ascii_case("https") || scheme.as_str().eq_ignore_ascii_case("http");
        let host = url.authority()?.as_str();
        let path = url.path().as_str().strip_prefix('/').filter(|_| is_web)?;
        if host.eq_ignore_ascii_case("raw.githubusercontent.com") {
            let (project, rest) = after_segments(path, 2)?;
            return Some(Self { host: "github.com", project, rest });
        }
        let host =
            host.get(..4).filter(|start| start.eq_ignore_ascii_case("www.")).map_or(host, |_| &host[4..]);
        if let Some((project, rest)) = path.split_once("/-/") {
            return Some(Self { host, project, rest: after_view(rest)? });
        }
        let (project, rest) = after_segments(path, 2)?;
        let rest = FORGEJO.iter().find_map(|view| rest.strip_prefix(view)).or_else(|| after_view(rest))?;
        Some(Self { host, project, rest })
    }

    /// Returns the rule by which the forge gives headings ids.
    pub(crate) fn heading_ids(&self) -> HeadingIds {
        match is_gitlab(&self.host.to_ascii_lowercase()) {
            true => HeadingIds::GitLab,
            false => HeadingIds::GitHub,
        }
    }

    /// Returns the project, the revision, if it has no slash, and the path.
    pub(crate) fn split(&self) -> Option<(&'u str, &'u str, &'u str)> {
        let prefixes = ["refs/heads/", "refs/tags/"];
        let rest = prefixes.iter().find_map(|prefix| self.rest.strip_prefix(prefix)).unwrap_or(self.rest);
        let (revision, path) = rest.split_once('/').unwrap_or((rest, ""));
        (!revision.is_empty()).then_some((self.project, revision, path))
    }

    /// Returns whether this is a file of a project on a host, both in lower case.
    pub(crate) fn is_of(&self, host: &str, project: &str) -> bool {
        self.host.eq_ignore_ascii_case(host) && self.project.eq_ignore_ascii_case(project)
    }

    /// Returns the path if the revision is this branch.
    pub(crate) fn path_in(&self, branch: &str) -> Option<&'u str> {
        let rest = self.rest.strip_prefix("refs/heads/").unwrap_or(self.rest).strip_prefix(branch)?;
        match rest.strip_prefix('/') {
            Some(path) => Some(path),
            None => rest.is_empty().then_some(rest),
        }
    }
}

/// Returns whether a host in lower case is one of GitLab, by its name.
pub(crate) fn is_gitlab(host: &str) -> bool {
    host.split('.').any(|label| label == "gitlab")
}

/// Splits a path after a number of segments.
fn after_segments(path: &str, segments: usize) -> Option<(&str, &str)> {
    let (at, _) = path.match_indices('/').nth(segments.checked_sub(1)?)?;
    Some((&path[..at], &path[at + 1..]))
}

fn after_view(path: &str) -> Option<&str> {
    let (view, rest) = path.split_once('/')?;
    VIEWS.contains(&view).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_files() {
        for (url, expected) in [
            ("https://github.com/o/r/blob/main/a/b.md?plain=1", Some(("github.com", "o/r", "main/a/b.md"))),
            ("http://WWW.github.com/o/r/tree/main", Some(("github.com", "o/r", "main"))),
            ("https://gitlab.com/g/s/r/-/raw/main/a", Some(("gitlab.com", "g/s/r", "main/a"))),
            ("https://codeberg.org/o/r/src/branch/main/a", Some(("codeberg.org", "o/r", "main/a"))),
            ("https://raw.githubusercontent.com/o/r/main/a", Some(("github.com", "o/r", "main/a"))),
            ("https://codeberg.org/o/r/src/commit/abc/a", None),
            ("https://gitlab.com/g/s/r/-/issues/1", None),
            ("https://github.com/o/r/issues/1", None),
            ("https://codeload.github.com/o/r/zip/main", None),
            ("https://github.com/o/r", None),
            ("ftp://github.com/o/r/blob/main/a", None),
        ] {
            let parsed = UriRef::parse(url).unwrap();
            let found = FileUrl::of(&parsed);
            let shown = found.map(|file| (file.host, file.project, file.rest));
            assert_eq!(shown, expected, "{url}");
        }
    }

    #[test]
    fn hosts_of_gitlab() {
        assert!(is_gitlab("gitlab.com") && is_gitlab("gitlab.gnome.org"));
        assert!(!is_gitlab("github.com") && !is_gitlab("notgitlab.example"));
    }

    #[test]
    fn paths_in_branches() {
        let of = |rest| FileUrl { host: "", project: "", rest };
        assert_eq!(of("main/a").path_in("main"), Some("a"));
        assert_eq!(of("refs/heads/main/a").path_in("main"), Some("a"));
        assert_eq!(of("main").path_in("main"), Some(""));
        assert_eq!(of("a/b/c").path_in("a/b"), Some("c"));
        assert_eq!(of("mainline/a").path_in("main"), None);
    }
}
