//! Lists of files in, the paths that they have out: one a line or, where there is a NUL, each with NUL after it, as
//! `find -print0` writes. A name in a list is always that of a file: "-" is one, too.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::exit::Trouble;
use crate::file;
use crate::show::visible;

/// How long a list may be.
const LONGEST: u64 = 64 << 20;

/// The paths in all of the lists.
pub(super) fn read(lists: &[PathBuf]) -> Result<Vec<PathBuf>, Trouble> {
    let mut paths = Vec::new();
    for list in lists {
        let octets = octets(list).map_err(|error| Trouble::Reading {
            what: match is_stdin(list) {
                true => "standard input".to_owned(),
                false => format!("--files-from \"{}\"", visible(&list.to_string_lossy())),
            },
            error,
        })?;
        let end = if octets.contains(&0) { 0 } else { b'\n' };
        let names = octets.split(|octet| *octet == end).filter(|name| !name.is_empty());
        paths.extend(names.filter_map(path));
    }
    Ok(paths)
}

fn is_stdin(list: &Path) -> bool {
    list == Path::new("-")
}

fn octets(list: &Path) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    match is_stdin(list) {
        true => io::stdin().lock().take(LONGEST + 1).read_to_end(&mut octets)?,
        false => File::open(list)?.take(LONGEST + 1).read_to_end(&mut octets)?,
    };
    match octets.len() as u64 > LONGEST {
        true => Err(io::Error::new(io::ErrorKind::InvalidData, "it is longer than 64 MiB")),
        false => Ok(octets),
    }
}

fn path(name: &[u8]) -> Option<PathBuf> {
    if name == b"-" {
        return Some("./-".into());
    }
    let name = name.strip_suffix(b"\r").filter(|_| cfg!(windows)).unwrap_or(name);
    file::native(name).map(PathBuf::from)
}
