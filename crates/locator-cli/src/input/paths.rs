//! Converts bytes to paths of this system and makes relative paths absolute.

use std::env;
use std::path::{Component, Path, PathBuf};

/// Returns the absolute path of a path relative to the working directory; `None` if it is absolute
/// already.
pub(crate) fn absolute(octets: &[u8]) -> Option<PathBuf> {
    let path = native(octets)?;
    // `C:a` and `\a` are not relative to the working directory alone, and an empty path is not a
    // file.
    let is_relative =
        !path.has_root() && !matches!(path.components().next(), None | Some(Component::Prefix(_)));
    let mut whole = env::current_dir().ok().filter(|_| is_relative)?;
    let mut leads = true;
    for step in path.components() {
        match step {
            Component::CurDir => {}
            // The working directory contains no symbolic links, so its parent is the path without
            // its last segment.
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

/// Returns the path with these bytes.
#[cfg(unix)]
pub(crate) fn native(octets: &[u8]) -> Option<&Path> {
    use std::os::unix::ffi::OsStrExt;

    Some(Path::new(std::ffi::OsStr::from_bytes(octets)))
}

/// Returns the path with these bytes.
#[cfg(not(unix))]
pub(crate) fn native(octets: &[u8]) -> Option<&Path> {
    std::str::from_utf8(octets).ok().map(Path::new)
}
