//! The file of the cache. Every run appends whole lines under a lock of the file, which it has only for that.
//!
//! A run that is killed while it writes leaves the begin of a line, so a line is begun on a line of its own. The
//! file is replaced under the lock, too: who waited for the lock meanwhile opens the new one. Where that cannot be
//! seen (only Unix has numbers of files here), its lines go to the old file and are lost, and the next run asks.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::hash::Hash;
use std::io::{self, BufRead, BufReader, Error, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The longest file that is read.
const LONGEST: u64 = 1 << 30;

/// How often a file is opened again because it was replaced.
const TRIES: usize = 1000;

/// Creates the file if it does not exist, only for this user; returns its path without symbolic links.
pub(super) fn create(path: &Path) -> io::Result<PathBuf> {
    // A pipe would be waited for.
    match fs::metadata(path) {
        Ok(known) if known.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        Ok(known) if !known.is_file() => return Err(Error::other("it is not a regular file")),
        Ok(known) if known.len() > LONGEST => return Err(Error::other("it is longer than 1 GiB")),
        _ => {}
    }
    open(path)?;
    fs::canonicalize(path)
}

/// Passes each line, without its end.
pub(super) fn each_line(path: &Path, mut each: impl FnMut(&[u8])) -> io::Result<()> {
    let file = File::open(path)?;
    locked(file.lock_shared())?;
    for line in BufReader::new(&file).split(b'\n') {
        each(&line?);
    }
    Ok(())
}

/// Appends a line.
pub(super) fn append(path: &Path, line: &[u8]) -> io::Result<()> {
    let mut file = open_locked(path)?;
    let is_torn = !ends_line(&mut file)?;
    match is_torn {
        true => file.write_all(&[b"\n", line].concat()),
        false => file.write_all(line),
    }
}

/// Keeps the last line of each key, and removes lines without one.
pub(super) fn rewrite<K: Eq + Hash>(path: &Path, key: impl Fn(&[u8]) -> Option<K>) -> io::Result<()> {
    let mut file = open_locked(path)?;
    let mut lines = Vec::new();
    let mut last = HashMap::new();
    file.rewind()?;
    for line in BufReader::new(&file).split(b'\n') {
        let line = line?;
        if let Some(key) = key(&line) {
            last.insert(key, lines.len());
            lines.push(line);
        }
    }
    let mut kept: Vec<_> = last.into_values().collect();
    kept.sort_unstable();
    let directory = path.parent().unwrap_or(Path::new("."));
    let mut new = tempfile::NamedTempFile::new_in(directory)?;
    for line in kept.into_iter().filter_map(|number| lines.get(number)) {
        new.write_all(line)?;
        new.write_all(b"\n")?;
    }
    new.as_file().set_permissions(file.metadata()?.permissions())?;
    let new = new.into_temp_path();
    fs::rename(&new, path)
}

/// Opens the file to append to it.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Opens the file with a lock, which ends when the file is closed.
fn open_locked(path: &Path) -> io::Result<File> {
    for _ in 0..TRIES {
        let file = open(path)?;
        locked(file.lock())?;
        if is_at(&file, path) {
            return Ok(file);
        }
    }
    Err(Error::other("it is replaced again and again"))
}

/// Some file systems have no locks; there a line that two runs write at once may be lost.
fn locked(result: io::Result<()>) -> io::Result<()> {
    result.or_else(|error| if error.kind() == ErrorKind::Unsupported { Ok(()) } else { Err(error) })
}

fn ends_line(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// Returns whether a file is the one at a path still.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let number = |file: fs::Metadata| (file.dev(), file.ino());
    fs::metadata(path).ok().map(number) == file.metadata().ok().map(number)
}

/// Returns whether a file is the one at a path still.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_torn_line_ends_where_it_is_torn() {
        let folder = tempfile::tempdir().unwrap();
        let path = create(&folder.path().join("cache")).unwrap();
        append(&path, b"a\n").unwrap();
        let mut torn = open(&path).unwrap();
        torn.write_all(b"to").unwrap();
        append(&path, b"b\n").unwrap();
        append(&path, b"c\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"a\nto\nb\nc\n");
        rewrite(&path, |line| (line.len() == 1).then(|| line[0] / 2)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"a\nc\n");
    }

    /// No line is lost, whoever replaces the file meanwhile.
    #[test]
    #[cfg(unix)]
    fn many_append_while_the_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = &create(&folder.path().join("cache")).unwrap();
        let line = |thread: usize, number: usize| format!("{thread} {number}\n");
        thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    (0..100).for_each(|number| append(path, line(thread, number).as_bytes()).unwrap());
                });
            }
            (0..50).for_each(|_| rewrite(path, |line| Some(line.to_vec())).unwrap());
        });
        let text = fs::read_to_string(path).unwrap();
        for (thread, number) in (0..4).flat_map(|thread| (0..100).map(move |number| (thread, number))) {
            assert_eq!(text.matches(&format!("{thread} {number}\n")).count(), 1, "{thread} {number}");
        }
    }
}
