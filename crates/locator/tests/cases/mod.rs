//! Files of cases: the name of one in `testdata` enters, its cases leave.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<C> {
    case: Vec<C>,
}

/// The cases of `testdata/NAME.toml`.
pub(crate) fn cases<C: DeserializeOwned>(name: &str) -> Vec<C> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../testdata/{name}.toml"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file: File<C> = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    file.case
}
