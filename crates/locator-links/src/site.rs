//! What all documents of a run share: the files and URLs that links lead to, and where they may lead.

use std::path::{Path, PathBuf};

use locator::PctStr;

use crate::local::{FileId, Files};
use crate::urls::Urls;

/// How links are resolved, and which of them are kept.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The directory in which absolute paths begin.
    pub root: Option<PathBuf>,
    /// The URL of that directory: links to it are checked in the directory.
    pub published: Option<String>,
    /// Whether URLs in code are links.
    pub includes_code: bool,
    /// Whether files and servers are checked that only this machine can reach.
    pub is_private: bool,
    /// Whether links that are certainly good are kept, too.
    pub keeps_all: bool,
    /// Whether no server is asked.
    pub is_offline: bool,
    /// The files and directories that the user named, as absolute paths.
    pub named: Vec<PathBuf>,
}

/// Returns whether a URL is checked, by the patterns of the user.
pub type Filter = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// The state that the documents of a run share.
pub struct Site {
    pub(crate) rules: Rules,
    pub(crate) filter: Option<Filter>,
    /// The files that links lead to.
    pub files: Files,
    /// The URLs that links lead to.
    pub urls: Urls,
}

impl Site {
    /// Creates a site without documents.
    #[must_use]
    pub fn new(rules: Rules, filter: Option<Filter>) -> Self {
        Self { rules, filter, files: Files::default(), urls: Urls::default() }
    }

    /// Returns whether a file is in what the user named.
    pub(crate) fn is_named(&self, path: &Path) -> bool {
        let roots = self.rules.named.iter().chain(&self.rules.root);
        roots.into_iter().any(|root| path.starts_with(root))
    }

    /// Returns the file in the root for a path of a URL: `/a/b.html`.
    pub(crate) fn in_root(&self, path: &str) -> Option<FileId> {
        let root = self.rules.root.as_ref()?;
        let mut file = root.clone();
        for segment in path.split('/').filter(|segment| !segment.is_empty() && *segment != ".") {
            match segment {
                ".." if file != *root => drop(file.pop()),
                ".." => {}
                segment => file.push(decoded(segment)),
            }
        }
        Some(self.files.find(&file))
    }

    /// Returns the file that is published at a URL.
    pub(crate) fn published(&self, url: &str) -> Option<FileId> {
        let base = self.rules.published.as_deref()?;
        let base = &base[..=base.rfind('/')?];
        let rest = url.strip_prefix(base)?;
        self.in_root(rest.split(['?', '#']).next().unwrap_or_default())
    }
}

/// Returns the name of a file in a path of a URL.
fn decoded(segment: &str) -> PathBuf {
    match PctStr::new(segment) {
        Ok(segment) => name_of(&segment.decode()),
        Err(_) => name_of(segment.as_bytes()),
    }
}

/// Returns the name with these octets. A name with a delimiter is that of no file.
#[cfg(unix)]
fn name_of(octets: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;

    let is_name = !octets.contains(&b'/');
    PathBuf::from(std::ffi::OsStr::from_bytes(if is_name { octets } else { b"\0" }))
}

/// Returns the name with these octets. A name with a delimiter is that of no file.
#[cfg(not(unix))]
fn name_of(octets: &[u8]) -> PathBuf {
    let name = String::from_utf8_lossy(octets);
    PathBuf::from(if name.contains(['/', '\\', ':']) { "\0" } else { &*name })
}

/// Returns a fragment without percent-encoding; "%" that begins no escape stays.
pub(crate) fn decoded_fragment(fragment: &str) -> String {
    if !fragment.contains('%') {
        return fragment.to_owned();
    }
    match PctStr::new(fragment) {
        Ok(fragment) => fragment.decode_utf8_lossy().into_owned(),
        Err(_) => fragment.to_owned(),
    }
}
