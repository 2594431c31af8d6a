//! The working tree of git that a document is in: where its remotes are, and which of their branches its files
//! are those of. Git is not started; the files of a repository are read (gitrepository-layout(5),
//! git-config(1)).

use std::fs;
use std::path::{Path, PathBuf};

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
    pub(crate) is_sparse: bool,
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
    /// Reads what is known of the working tree at `root`. What cannot be read is not known.
    pub(crate) fn read(root: &Path) -> Self {
        let tree = Self { root: root.to_owned(), ..Self::default() };
        let Some(own) = directory_of(root) else { return tree };
        let shared = match text(&own.join("commondir")) {
            Some(path) => own.join(path.trim_end()),
            None => own.clone(),
        };
        let named = remotes(&text(&shared.join("config")).unwrap_or_default());
        let defaults = named.iter().filter_map(|(name, _)| {
            let prefix = format!("refs/remotes/{name}/");
            let head = text(&shared.join(&prefix).join("HEAD"))?;
            head.trim_end().strip_prefix("ref: ")?.strip_prefix(&prefix).map(str::to_owned)
        });
        let head = text(&own.join("HEAD"));
        let head = head.as_deref().and_then(|head| head.trim_end().strip_prefix("ref: refs/heads/"));
        let usual = ["HEAD", "main", "master"].map(str::to_owned);
        let branches = defaults.chain(head.map(str::to_owned)).chain(usual).collect();
        let remotes = named.into_iter().map(|(_, remote)| remote).collect();
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
    let file = text(&git)?;
    Some(root.join(file.strip_prefix("gitdir: ")?.trim_end()))
}

fn text(path: &Path) -> Option<String> {
    let about = fs::metadata(path).ok()?;
    (about.is_file() && about.len() <= LARGEST).then(|| fs::read_to_string(path).ok())?
}

/// Returns the remotes of a configuration with their names: `[remote "origin"]`, `url = …`.
fn remotes(config: &str) -> Vec<(String, Remote)> {
    let mut section = None;
    let mut found = Vec::new();
    for line in config.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            section = header.strip_prefix("remote \"").and_then(|name| name.split('"').next());
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let value = value.split([';', '#']).next().unwrap_or_default();
        let remote = remote(value.trim().trim_matches('"'));
        if key.trim_end().eq_ignore_ascii_case("url")
            && let (Some(name), Some(remote)) = (section, remote)
        {
            found.push((name.to_owned(), remote));
        }
    }
    found
}

/// Returns where a remote is: `https://h.example/o/r.git`, `ssh://git@h.example/o/r`, `git@h.example:o/r.git`.
fn remote(url: &str) -> Option<Remote> {
    let (is_web, authority, path) = match url.split_once("://") {
        Some((scheme, rest)) => {
            let (authority, path) = rest.split_once('/')?;
            (scheme.starts_with("http"), authority, path)
        }
        // The form of scp, which paths of this machine do not have (git-clone(1), "GIT URLS").
        None => {
            let (authority, path) = url.split_once(':')?;
            (false, authority, path)
        }
    };
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = if is_web { host } else { host.split(':').next()? }.to_ascii_lowercase();
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
            let found = remote(url);
            let found = found.as_ref().map(|remote| (&*remote.host, &*remote.project));
            assert_eq!(found, expected, "{url}");
        }
    }

    #[test]
    fn configurations() {
        let config = "[core]\n\turl = https://a.example/o/r\n[remote \"origin\"] # x\n\tfetch = +refs/*\n\
            \tURL=\"https://b.example/o/r\" ; y\n[remote \"fork\"]\n  url = git@c.example:o/r.git\n\
            [branch \"x\"]\n\tremote = origin\n[url \"https://d.example/\"]\n\tinsteadOf = d:\n";
        let hosts: Vec<_> = remotes(config).into_iter().map(|(name, at)| (name, at.host)).collect();
        let expected = [("origin", "b.example"), ("fork", "c.example")];
        assert_eq!(hosts, expected.map(|(name, host)| (name.to_owned(), host.to_owned())));
    }
}
