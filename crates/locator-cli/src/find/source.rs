//! A file or standard input in, its format and its octets out: seen by its name, then by its first octets.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use ignore::DirEntry;
use locator_find::Format;

use super::types::Types;
use crate::arguments::Places;

/// What is looked into.
pub(super) struct Source<'h> {
    /// What it is written in.
    pub(super) format: Format,
    /// Its octets.
    pub(super) octets: Octets<'h>,
}

/// The octets of what is looked into.
pub(super) enum Octets<'h> {
    /// They can be read twice.
    File(File),
    /// They come once.
    Stream(Box<dyn Read + 'h>),
}

/// How much of a file is looked at before anything is said of it: about as much as git does.
const HEAD: usize = 8 * 1024;

/// Opens what is to be looked into; none if it is not. What was named is looked into whatever it is.
pub(super) fn open<'h>(
    entry: &DirEntry,
    places: &Places,
    types: &Types,
    head: &'h mut Vec<u8>,
) -> io::Result<Option<Source<'h>>> {
    if entry.is_stdin() {
        return open_stdin(places.format.or(types.format()), head).map(Some);
    }
    let (path, was_named) = (entry.path(), entry.depth() == 0);
    if !was_named && types.wants(path, Format::of_path(path)) == Some(false) {
        return Ok(None);
    }
    let mut file = File::open(path)?;
    head.clear();
    file.by_ref().take(HEAD as u64).read_to_end(head)?;
    let format = places.format.or_else(|| format(path, head));
    let is_wanted = |format| places.format.is_some() || types.wants(path, Some(format)) == Some(true);
    let format = match format {
        Some(format) if was_named || is_wanted(format) => format,
        None if was_named || places.text => Format::Text,
        _ => return Ok(None),
    };
    let octets = match file.rewind() {
        Ok(()) => Octets::File(file),
        // A pipe, or a device.
        Err(_) => Octets::Stream(Box::new(head.chain(file))),
    };
    Ok(Some(Source { format, octets }))
}

fn open_stdin(format: Option<Format>, head: &mut Vec<u8>) -> io::Result<Source<'_>> {
    let mut stdin = io::stdin().lock();
    head.resize(HEAD, 0);
    // One read: who types has typed a line.
    let length = stdin.read(head)?;
    head.truncate(length);
    let format = format.or_else(|| Format::of_octets(head)).unwrap_or(Format::Text);
    Ok(Source { format, octets: Octets::Stream(Box::new(head.chain(stdin))) })
}

/// What a file is written in, by its name if that tells; none if it is binary.
fn format(path: &Path, head: &[u8]) -> Option<Format> {
    let by_octets = Format::of_octets(head)?;
    Some(Format::of_path(path).unwrap_or(by_octets))
}
