//! Octets of a path in, a path of this system out; relative paths made absolute.

use std::env;
use std::path::{Component, Path, PathBuf};

/// The absolute path of one that is relative to the working directory; none if there is nothing to do.
pub(crate) fn absolute(octets: &[u8]) -> Option<PathBuf> {
    let path = native(octets)?;
    // `C:a` and `\a` are relative to more than a directory, and nothing is no file.
    let is_relative =
        !path.has_root() && !matches!(path.components().next(), None | Some(Component::Prefix(_)));
    let mut whole = env::current_dir().ok().filter(|_| is_relative)?;
    let mut leads = true;
    for step in path.components() {
        match step {
            Component::CurDir => {}
            // The working directory is told without links, so its parent is what stands before it.
            Component::ParentDir if leads => drop(whole.pop()),
            step => {
                leads = false;
                whole.push(step);
            }
        }
    }
    let ends_with_delimiter = octets.last().is_some_and(|&octet| std::path::is_separator(char::from(octet)));
    if ends_with_delimiter {
        whole.push("");
    }
    Some(whole)
}

/// A path that has these octets.
#[cfg(unix)]
pub(crate) fn native(octets: &[u8]) -> Option<&Path> {
    use std::os::unix::ffi::OsStrExt;

    Some(Path::new(std::ffi::OsStr::from_bytes(octets)))
}

/// A path that has these octets.
#[cfg(not(unix))]
pub(crate) fn native(octets: &[u8]) -> Option<&Path> {
    std::str::from_utf8(octets).ok().map(Path::new)
}
