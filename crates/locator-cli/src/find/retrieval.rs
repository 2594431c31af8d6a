//! A file in, the URL that it was retrieved by out: RFC 3986, section 5.1.3.

use std::path::Path;

use ignore::DirEntry;
use locator::scheme::file::Platform;
use locator::{Base, UriRef};

use crate::file;

/// By which URLs documents were retrieved.
pub(super) enum Retrieval<'b> {
    /// By the one that was given: what is named has it, and what is in a directory has one that is relative to it.
    Given(Base<'b>),
    /// From this machine's files.
    Files,
}

impl Retrieval<'_> {
    /// The URL that something was retrieved by.
    pub(super) fn of(&self, entry: &DirEntry) -> Option<String> {
        match self {
            Self::Given(base) if entry.depth() == 0 => Some(base.as_str().to_owned()),
            Self::Given(base) => inside(base, entry),
            Self::Files if entry.is_stdin() => None,
            Self::Files => of_file(entry.path()),
        }
    }
}

/// The `file` URL of a path.
pub(super) fn of_file(path: &Path) -> Option<String> {
    let octets = path.as_os_str().as_encoded_bytes();
    let absolute = file::absolute(octets);
    let octets = absolute.as_ref().map_or(octets, |path| path.as_os_str().as_encoded_bytes());
    Platform::HOST.to_uri(octets).ok().map(|uri| uri.into_string())
}

/// The URL of a file in an archive, in the form that Java gave it: `jar:`, the archive's URL, `!/` and its name there.
pub(super) fn of_member(archive: &str, name: &str) -> Option<String> {
    let uri = Platform::Posix.to_uri(format!("/{name}").as_bytes()).ok()?;
    Some(format!("jar:{archive}!{}", uri.as_uri().path().as_str()))
}

/// The path from the directory that was named to the file is a reference.
fn inside(base: &Base<'_>, entry: &DirEntry) -> Option<String> {
    let root = entry.path().ancestors().nth(entry.depth())?;
    let path = Path::new("/").join(entry.path().strip_prefix(root).ok()?);
    let uri = Platform::HOST.to_uri(path.as_os_str().as_encoded_bytes()).ok()?;
    let reference = format!(".{}", uri.as_uri().path().as_str());
    let reference = UriRef::parse_by(&reference, base.edition()).ok()?;
    base.resolve(reference).ok()?.uri().map(|uri| uri.into_string())
}
