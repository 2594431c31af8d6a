//! The record beside an incomplete download, `FILE.part.json`: the URL, and the ETag or date by which a
//! later run knows that the file is unchanged on the server.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write as _};
use std::path::{Path, PathBuf};

use locator::UriRef;
use locator_fetch::Proof;
use serde::{Deserialize, Serialize};

/// A record is shorter than this.
const LONGEST: u64 = 64 << 10;

/// Returns the name of the record beside an incomplete download.
pub(super) fn path_of(part: &Path) -> PathBuf {
    let mut name = part.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

/// The record of a file.
#[derive(Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    etag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_modified: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    length: Option<u64>,
}

impl Record {
    /// Creates the record of a download; `None` without an ETag and a date.
    pub(super) fn new(url: UriRef<'_>, proof: &Proof) -> Option<Self> {
        let Proof { etag, last_modified, date, length, .. } = proof.clone();
        // Only the change needs it.
        let date = date.filter(|_| last_modified.is_some());
        let proves = etag.is_some() || last_modified.is_some();
        proves.then(|| Self { url: url.redacted().to_string(), etag, last_modified, date, length })
    }

    /// Returns the ETag, date and length, if the record is of this URL. Passwords are not recorded.
    pub(super) fn proof_of(self, url: UriRef<'_>) -> Option<Proof> {
        let Self { url: own, etag, last_modified, date, length } = self;
        let mut proof = Proof::default();
        (proof.etag, proof.last_modified, proof.date, proof.length) = (etag, last_modified, date, length);
        (own == url.redacted().to_string()).then_some(proof)
    }

    /// Reads a record; `None` without one of this program.
    pub(super) fn read(path: &Path) -> Option<Self> {
        // Opening a pipe would wait for a writer.
        if !fs::symlink_metadata(path).is_ok_and(|found| found.is_file()) {
            return None;
        }
        let mut text = String::new();
        File::open(path).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Writes the record, which must not be there.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path)?.write_all(&serde_json::to_vec(self)?)
    }
}

/// Removes a record, if there is one.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    // Checking first is faster, and does not lock the directory.
    match fs::symlink_metadata(path).and_then(|_| fs::remove_file(path)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_of_one_url_and_has_no_password() {
        let url = UriRef::parse("ftp://joe:secret@h/a").unwrap();
        let proof = Proof::default().last_modified("20260301120000").length(9);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.part.json");
        assert_eq!(Record::read(&path), None);
        Record::new(url, &proof).unwrap().write(&path).unwrap();
        remove(&path).unwrap();
        Record::new(url, &proof).unwrap().write(&path).unwrap();
        assert!(!fs::read_to_string(&path).unwrap().contains("secret"));
        assert_eq!(Record::read(&path).unwrap().proof_of(url), Some(proof));
        assert_eq!(Record::read(&path).unwrap().proof_of(UriRef::parse("ftp://h/b").unwrap()), None);
        fs::write(&path, "{}").unwrap();
        assert_eq!(Record::read(&path), None);
        assert_eq!(Record::new(url, &Proof::default().length(9)), None);
    }
}
