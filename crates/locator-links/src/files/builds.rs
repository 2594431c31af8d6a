//! Files that a repository does not have because a build makes them, or because they are in another repository: those that
//! git ignores, those in directories that are usual for them, and those of submodules that are not checked out.
//!
//! Git is not started: `.gitignore` and `.gitmodules` are read (gitignore(5), gitmodules(5)).
//!
//! ```text
//! assert_eq!(builds.reason(Path::new("/r/target/doc/a.html"), Path::new("/r")), Some("git ignores it".to_owned()));
//! ```

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::Match;
use ignore::gitignore::Gitignore;

/// What is known of the files that builds make. Each directory is looked at once.
#[derive(Debug, Default)]
pub(crate) struct Builds {
    rules: Mutex<HashMap<PathBuf, Arc<Gitignore>>>,
    /// The directories of submodules, by the roots of working trees.
    submodules: Mutex<HashMap<PathBuf, Arc<Vec<PathBuf>>>>,
}

/// The directories that builds make, and in which repositories have nothing: documentation that is made from
/// comments in code, files that Sphinx copies, packages, and what compilers write.
const BUILT: [&str; 18] = [
    "api",
    "_api",
    "apidoc",
    "apidocs",
    "javadoc",
    "doxygen",
    "_static",
    "_images",
    "_sources",
    "_modules",
    "_autosummary",
    "_build",
    "_site",
    "build",
    "dist",
    "target",
    "generated",
    "node_modules",
];

/// The largest file of git that is read.
const LARGEST: u64 = 1 << 20;

impl Builds {
    /// Returns why a build may make a file that is missing in the repository with this root.
    pub(crate) fn reason(&self, path: &Path, root: &Path) -> Option<String> {
        let inside = path.strip_prefix(root).ok().filter(|inside| !inside.as_os_str().is_empty())?;
        if let Some(submodule) = self.submodules(root).iter().find(|submodule| inside.starts_with(submodule))
        {
            return Some(format!("the submodule {} is not checked out", submodule.display()));
        }
        if self.is_ignored(path, root) {
            return Some("git ignores it".to_owned());
        }
        let directories = || path.ancestors().skip(1).take_while(|around| *around != root);
        let usual = directories().chain(path.extension().is_none().then_some(path)).find(|around| {
            let name = around.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| BUILT.contains(&name)) && !around.exists()
        });
        let name = usual?.file_name()?.to_string_lossy();
        Some(format!("a build usually makes \"{name}\""))
    }

    /// Returns whether git ignores a path, or a directory that it is in. The rules of a deeper directory count more.
    pub(crate) fn is_ignored(&self, path: &Path, root: &Path) -> bool {
        let mut around: Vec<&Path> = path.ancestors().take_while(|around| *around != root).collect();
        around.reverse();
        around.into_iter().any(|one| {
            let directories = one.ancestors().skip(1).take_while(|above| above.starts_with(root));
            let rules = directories.map(|above| self.rules(above));
            // The last of them may be a file or a directory.
            let matched =
                |is_dir| rules.clone().find_map(|rules| verdict(&rules, one, is_dir)).unwrap_or(false);
            matched(true) || one == path && matched(false)
        })
    }

    /// Returns the rules of the `.gitignore` in a directory.
    fn rules(&self, directory: &Path) -> Arc<Gitignore> {
        let mut known = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = known.get(directory) {
            return Arc::clone(rules);
        }
        let file = directory.join(".gitignore");
        let is_read = fs::metadata(&file).is_ok_and(|about| about.is_file() && about.len() <= LARGEST);
        // Lines that are not patterns are left out.
        let rules = Arc::new(if is_read { Gitignore::new(&file).0 } else { Gitignore::empty() });
        known.insert(directory.to_owned(), Arc::clone(&rules));
        rules
    }

    /// Returns the submodules of a working tree that are not checked out.
    fn submodules(&self, root: &Path) -> Arc<Vec<PathBuf>> {
        let mut known = self.submodules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(submodules) = known.get(root) {
            return Arc::clone(submodules);
        }
        let file = root.join(".gitmodules");
        let is_read = fs::metadata(&file).is_ok_and(|about| about.is_file() && about.len() <= LARGEST);
        let text = if is_read { fs::read_to_string(&file).unwrap_or_default() } else { String::new() };
        let is_empty = |path: &PathBuf| {
            fs::read_dir(root.join(path)).map_or(true, |mut entries| entries.next().is_none())
        };
        let submodules = Arc::new(paths_in(&text).filter(is_empty).collect::<Vec<_>>());
        known.insert(root.to_owned(), Arc::clone(&submodules));
        submodules
    }
}

/// Returns whether rules ignore a path; `None` if they say nothing of it.
fn verdict(rules: &Gitignore, path: &Path, is_dir: bool) -> Option<bool> {
    match rules.matched(path, is_dir) {
        Match::None => None,
        Match::Ignore(_) => Some(true),
        Match::Whitelist(_) => Some(false),
    }
}

/// Returns the directories of submodules: `path = x`.
fn paths_in(text: &str) -> impl Iterator<Item = PathBuf> {
    text.lines().filter_map(|line| {
        let (key, value) = line.split_once('=')?;
        let value = value.trim().trim_matches('"').trim_end_matches('/');
        (key.trim() == "path" && !value.is_empty()).then(|| PathBuf::from(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_build_makes() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for (name, text) in [
            (".gitignore", "/target/\n*.log\ndocs/gen\n"),
            ("docs/.gitignore", "!keep.log\n"),
            (".gitmodules", "[submodule \"x\"]\n\tpath = vendor/x\n\turl = ../x\n"),
            ("has/api/a.html", ""),
        ] {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let builds = Builds::default();
        for (path, expected) in [
            ("target/doc/a.html", Some("git ignores it")),
            ("target", Some("git ignores it")),
            ("docs/a.log", Some("git ignores it")),
            ("docs/keep.log", None),
            ("docs/gen/a/b.md", Some("git ignores it")),
            ("docs/api/a.html", Some("a build usually makes \"api\"")),
            ("docs/api", Some("a build usually makes \"api\"")),
            ("docs/api/a.md", Some("a build usually makes \"api\"")),
            ("has/api/b.html", None),
            ("vendor/x/README.md", Some("the submodule vendor/x is not checked out")),
            ("docs/a.md", None),
        ] {
            assert_eq!(builds.reason(&root.join(path), root).as_deref(), expected, "{path}");
        }
    }
}
