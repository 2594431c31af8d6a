//! The cases of `testdata`, for the tests of several crates: takes a path there, returns what its tables
//! `[[case]]` contain; and the octets of texts with escapes.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<C> {
    case: Vec<C>,
}

/// Reads the cases of a file in `testdata`, or of all files of a folder, in the order of their names.
///
/// # Panics
///
/// A file cannot be read, or is not one of such cases.
#[must_use]
pub fn read<C: DeserializeOwned>(path: &str) -> Vec<C> {
    files(path).into_iter().flat_map(|(_, cases)| cases).collect()
}

/// Like [`read`], but returns the cases of each file with its path.
///
/// # Panics
///
/// A file cannot be read, or is not one of such cases.
#[must_use]
pub fn files<C: DeserializeOwned>(path: &str) -> Vec<(PathBuf, Vec<C>)> {
    let path = testdata(path);
    let mut files = vec![path.clone()];
    if path.is_dir() {
        files = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
    }
    let with_cases = |file| {
        let cases = read_file(&file);
        (file, cases)
    };
    files.into_iter().map(with_cases).collect()
}

/// Reads the cases of an edition in a folder of `testdata`: those of its file, then those of `shared.toml`
/// that have a name for it. `[case.names]` there has one name, or a list, for each edition.
///
/// # Panics
///
/// A file cannot be read, or is not one of such cases.
#[must_use]
pub fn of_edition<C: DeserializeOwned>(folder: &str, edition: &str) -> Vec<C> {
    let own = format!("{folder}/{edition}.toml");
    // An edition that shares all its cases has no file.
    let own = if testdata(&own).exists() { read::<toml::Table>(&own) } else { Vec::new() };
    let shared = read::<toml::Table>(&format!("{folder}/shared.toml"));
    let cases = own.into_iter().chain(shared.into_iter().flat_map(|case| named_by(&case, edition)));
    cases.map(|case| case.try_into().unwrap_or_else(|error| panic!("{folder} {edition}: {error}"))).collect()
}

/// A shared case as an edition's own, once for each of its names.
fn named_by(case: &toml::Table, edition: &str) -> Vec<toml::Table> {
    let names = match &case["names"].get(edition) {
        None => Vec::new(),
        Some(toml::Value::Array(names)) => names.clone(),
        Some(name) => vec![(*name).clone()],
    };
    let own = |name| {
        let mut own = case.clone();
        own.remove("names");
        own.remove("sections");
        own.insert("name".to_owned(), name);
        own
    };
    names.into_iter().map(own).collect()
}

fn testdata(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(path)
}

fn read_file<C: DeserializeOwned>(path: &PathBuf) -> Vec<C> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file: File<C> = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    file.case
}

/// Returns the octets of a text with `\r`, `\n`, `\t`, `\\` and `\xE9`.
///
/// # Panics
///
/// There is another escape.
#[must_use]
pub fn octets(text: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let (octet, length) = match (first, tail) {
            (b'\\', [b'r', ..]) => (b'\r', 1),
            (b'\\', [b'n', ..]) => (b'\n', 1),
            (b'\\', [b't', ..]) => (b'\t', 1),
            (b'\\', [b'\\', ..]) => (b'\\', 1),
            (b'\\', [b'x', digits @ ..]) => {
                let digits = std::str::from_utf8(&digits[..2]).unwrap();
                (u8::from_str_radix(digits, 16).unwrap(), 3)
            }
            (b'\\', _) => panic!("{text:?}"),
            _ => (*first, 0),
        };
        octets.push(octet);
        rest = &tail[length..];
    }
    octets
}

/// A packet that a real client or a real server of WAIS sent.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packet {
    /// What it is.
    pub name: String,
    /// `client` or `server`.
    pub from: String,
    octets: String,
}

impl Packet {
    /// Returns its octets.
    #[must_use]
    pub fn octets(&self) -> Vec<u8> {
        octets(&self.octets)
    }
}

/// Reads a capture of WAIS.
///
/// # Panics
///
/// The capture is not there.
#[must_use]
pub fn wais_capture(name: &str) -> Vec<Packet> {
    read(&format!("captures/wais/{name}"))
}
