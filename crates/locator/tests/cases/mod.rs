//! Reads the cases of `testdata`: takes the name of a file or a folder there, returns its cases.
#![allow(dead_code, reason = "a test reads a file or a folder")]

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<C> {
    case: Vec<C>,
}

/// Returns the cases of `testdata/NAME.toml`.
pub(crate) fn cases<C: DeserializeOwned>(name: &str) -> Vec<C> {
    read(&testdata().join(format!("{name}.toml")))
}

/// Returns the files of `testdata/NAME` in the order of their names, each with its cases.
pub(crate) fn files<C: DeserializeOwned>(name: &str) -> impl Iterator<Item = (PathBuf, Vec<C>)> {
    let folder = testdata().join(name);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    paths.into_iter().map(|path| {
        let cases = read(&path);
        (path, cases)
    })
}

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

fn read<C: DeserializeOwned>(path: &Path) -> Vec<C> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file: File<C> = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    file.case
}
