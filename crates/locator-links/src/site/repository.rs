//! The working tree of git that a document is in: where its remotes are, and which of their branches its files
//! are those of. Git is not started; the files of a repository are read (gitrepository-layout(5),
//! git-config(1)).
//!
//! And the URLs of such files, as forges have them: GitHub, GitLab, Forgejo and their hosts for raw files.

use std::fs;
use std::path::{Path, PathBuf};

use locator::UriRef;
use locator_find::HeadingIds;

/// A working tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WorkingTree {
    /// The directory of its files.
    pub(crate) root: PathBuf,
    /// Where its remotes are.
    pub(crate) remotes: Vec<Remote>,
    /// The branches whose files are likely to be those of this tree.
    pub(crate) branches: Vec<String>,
    /// The branch that is checked out, unless it is a commit.
    pub(crate) head: Option<String>,
    /// Whether some of its files are left out.
    is_sparse: bool,
}

/// Where a remote is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remote {
    /// The host in lower case, with its port if a URL of the web has one.
    pub(crate) host: String,
    /// The owner and the name in lower case, without ".git": `owner/name`.
    pub(crate) project: String,
}

/// The largest file of a repository that is read.
const LARGEST: u64 = 1 << 20;

impl WorkingTree {
    /// Returns the rule by which the forge that shows the files gives headings ids: GitLab by a remote, or by its
    /// continuous integration.
    pub(crate) fn heading_ids(&self) -> HeadingIds {
        let hosts = || self.remotes.iter().map(|remote| &*remote.host);
        let is_at_github = hosts().any(|host| host == "github.com");
        let is_at_gitlab = hosts().any(is_gitlab);
        let has_its_ci = || self.root.join(".gitlab-ci.yml").is_file();
        match is_at_gitlab || !is_at_github && has_its_ci() {
            true => HeadingIds::GitLab,
            false => HeadingIds::GitHub,
        }
    }

    /// Reads what is known of the working tree at `root`. What cannot be read is not known.
    pub(crate) fn read(root: &Path) -> Self {
        let tree = Self { root: root.to_owned(), ..Self::default() };
        let Some(own) = directory_of(root) else { return tree };
        let shared = match text_of(&own.join("commondir")) {
            Some(path) => own.join(path.trim_end()),
            None => own.clone(),
        };
        let named = remotes_in(&text_of(&shared.join("config")).unwrap_or_default());
        let defaults = named.iter().filter_map(|NamedRemote { name, .. }| {
            let prefix = format!("refs/remotes/{name}/");
            let head = text_of(&shared.join(&prefix).join("HEAD"))?;
            head.trim_end().strip_prefix("ref: ")?.strip_prefix(&prefix).map(str::to_owned)
        });
        let head = text_of(&own.join("HEAD"));
        let head = head.as_deref().and_then(|head| head.trim_end().strip_prefix("ref: refs/heads/"));
        let usual = ["HEAD", "main", "master"].map(str::to_owned);
        let branches = defaults.chain(head.map(str::to_owned)).chain(usual).collect();
        let remotes = named.into_iter().map(|named| named.remote).collect();
        let is_sparse = own.join("info/sparse-checkout").exists();
        Self { remotes, branches, head: head.map(str::to_owned), is_sparse, ..tree }
    }

    /// Returns whether what is missing in this tree is missing in a branch: not if another branch is checked
    /// out, which may lack what that one has.
    pub(crate) fn decides(&self, branch: &str) -> bool {
        !self.is_sparse && self.head.as_deref().is_none_or(|head| head == branch)
    }
}

/// Returns the directory of git that belongs to a working tree: `.git`, or what a file of this name says.
fn directory_of(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let file = text_of(&git)?;
    Some(root.join(file.strip_prefix("gitdir: ")?.trim_end()))
}

fn text_of(path: &Path) -> Option<String> {
    let about = fs::metadata(path).ok()?;
    (about.is_file() && about.len() <= LARGEST).then(|| fs::read_to_string(path).ok())?
}

/// A remote and what the working tree calls it.
struct NamedRemote {
    name: String,
    remote: Remote,
}

/// Returns the remotes of a configuration: `[remote "origin"]`, `url = …`.
fn remotes_in(config: &str) -> Vec<NamedRemote> {
    let mut section = None;
    let mut found = Vec::new();
    for line in config.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            section = header.strip_prefix("remote \"").and_then(|name| name.split('"').next());
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let value = value.split([';', '#']).next().unwrap_or_default();
        let remote = remote_of(value.trim().trim_matches('"'));
        if key.trim_end().eq_ignore_ascii_case("url")
            && let (Some(name), Some(remote)) = (section, remote)
        {
            found.push(NamedRemote { name: name.to_owned(), remote });
        }
    }
    found
}

/// Returns where a remote is: `https://h.example/o/r.git`, `ssh://git@h.example/o/r`, `git@h.example:o/r.git`.
fn remote_of(url: &str) -> Option<Remote> {
    let (host, path) = match UriRef::parse(url).ok().and_then(|url| Some((url, url.authority()?))) {
        Some((url, authority)) => {
            // A server of the web at another port is another one.
            let port = authority.port().filter(|_| url.is_web());
            let port = port.map(|port| format!(":{}", port.as_str())).unwrap_or_default();
            (format!("{}{port}", authority.host()), url.path().as_str())
        }
        // The form of scp, which paths of this machine do not have (git-clone(1), "GIT URLS").
        None => {
            let (authority, path) = url.split_once(':')?;
            let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
            (host.to_owned(), path)
        }
    };
    let host = host.to_ascii_lowercase();
    let host = match &*host {
        // The hosts that forges have for SSH at the port of HTTPS.
        "ssh.github.com" => "github.com".to_owned(),
        "altssh.gitlab.com" => "gitlab.com".to_owned(),
        "altssh.bitbucket.org" => "bitbucket.org".to_owned(),
        _ => host,
    };
    let path = path.trim_matches('/');
    let project = path.strip_suffix(".git").unwrap_or(path).to_lowercase();
    let is_project = project.contains('/') && !host.is_empty() && !host.contains(['/', '\\']);
    is_project.then_some(Remote { host, project })
}

/// A file of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileUrl<'u> {
    host: &'u str,
    project: &'u str,
    /// The revision and the path: a branch may have slashes, too.
    rest: &'u str,
}

/// A file of a project at a revision.
pub(crate) struct FileAtRevision<'u> {
    pub(crate) project: &'u str,
    pub(crate) revision: &'u str,
    pub(crate) path: &'u str,
}

/// The words before a revision, in the paths of GitHub and of GitLab.
const VIEWS: [&str; 5] = ["blob", "tree", "raw", "edit", "blame"];

/// The same in paths of Forgejo and Gitea.
const FORGEJO: [&str; 3] = ["src/branch/", "raw/branch/", "blame/branch/"];

impl<'u> FileUrl<'u> {
    /// Returns the file that a URL of the web leads to, if the URL has the form of a forge.
    pub(crate) fn of(url: &UriRef<'u>) -> Option<Self> {
        let host = url.authority()?.as_str();
        let path = url.path().as_str().strip_prefix('/').filter(|_| url.is_web())?;
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

    /// Returns the file at its revision, if that has no slash.
    pub(crate) fn at_revision(&self) -> Option<FileAtRevision<'u>> {
        let prefixes = ["refs/heads/", "refs/tags/"];
        let rest = prefixes.iter().find_map(|prefix| self.rest.strip_prefix(prefix)).unwrap_or(self.rest);
        let (revision, path) = rest.split_once('/').unwrap_or((rest, ""));
        (!revision.is_empty()).then_some(FileAtRevision { project: self.project, revision, path })
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
    fn urls_of_remotes() {
        for (url, expected) in [
            ("https://github.com/o/r.git", Some(("github.com", "o/r"))),
            ("https://user:token@GitHub.com/O/R", Some(("github.com", "o/r"))),
            ("https://h.example:8443/g/s/r/", Some(("h.example:8443", "g/s/r"))),
            ("git@github.com:o/r.git", Some(("github.com", "o/r"))),
            ("github.com:o/r", Some(("github.com", "o/r"))),
            ("ssh://git@ssh.github.com:443/o/r.git", Some(("github.com", "o/r"))),
            ("ssh://git@h.example:2222/o/r.git", Some(("h.example", "o/r"))),
            ("../other", None),
            ("/srv/git/o/r.git", None),
            ("file:///srv/git/o/r.git", None),
            ("./a:b/c", None),
            ("git@h.example:r", None),
            ("", None),
        ] {
            let found = remote_of(url);
            let found = found.as_ref().map(|remote| (&*remote.host, &*remote.project));
            assert_eq!(found, expected, "{url}");
        }
    }

    #[test]
    fn configurations() {
        let config = "[core]\n\turl = https://a.example/o/r\n[remote \"origin\"] # x\n\tfetch = +refs/*\n\
            \tURL=\"https://b.example/o/r\" ; y\n[remote \"fork\"]\n  url = git@c.example:o/r.git\n\
            [branch \"x\"]\n\tremote = origin\n[url \"https://d.example/\"]\n\tinsteadOf = d:\n";
        let hosts: Vec<_> =
            remotes_in(config).into_iter().map(|named| (named.name, named.remote.host)).collect();
        let expected = [("origin", "b.example"), ("fork", "c.example")];
        assert_eq!(hosts, expected.map(|(name, host)| (name.to_owned(), host.to_owned())));
    }

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
