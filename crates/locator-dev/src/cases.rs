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
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(path);
    let mut files = vec![path.clone()];
    if path.is_dir() {
        files = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
    }
    files.iter().flat_map(read_file).collect()
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
