//! The public API of `locator`, `locator-arrow`, `locator-audit`, `locator-domain`, `locator-find`,
//! `locator-functions`, `locator-web`, `locator-fetch` and `locator-sql`, compared with the
//! listings `api.txt` in their directories.
//!
//! The listing is made from the source by `syn`: modules are walked from `lib.rs`, `pub use` is
//! followed and `macro_rules!` of the crate and of `locator` are expanded. It has every feature; an item with a
//! condition shows its `#[cfg]`. Blanket implementations and automatic traits are not in it.
//!
//! `UPDATE=1 cargo test -p locator-dev --test api` writes the listings anew: look at the
//! difference.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod listing;
mod macros;
mod modules;
mod nameable;
mod print;

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

fn is_as_recorded(name: &str, directory: &str) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(directory);
    let macros = match name {
        "locator" => HashMap::new(),
        _ => {
            modules::Crate::read("locator", &directory.join("../locator/src/lib.rs"), HashMap::new()).exported
        }
    };
    let found = listing::of(&modules::Crate::read(name, &directory.join("src/lib.rs"), macros));
    let path = directory.join("api.txt");
    if std::env::var_os("UPDATE").is_some() {
        let mut text = found.join("\n");
        text.push('\n');
        return fs::write(path, text).unwrap();
    }
    let recorded = fs::read_to_string(&path).unwrap();
    let (recorded, found): (BTreeSet<_>, BTreeSet<_>) =
        (recorded.lines().collect(), found.iter().map(String::as_str).collect());
    let gone = recorded.difference(&found).map(|line| format!("- {line}"));
    let changes: Vec<_> = gone.chain(found.difference(&recorded).map(|line| format!("+ {line}"))).collect();
    assert!(
        changes.is_empty(),
        "the public API of {name} is not the one in {}; if that is intended, run again with UPDATE=1:\n{}",
        path.display(),
        changes.join("\n")
    );
}

#[test]
fn the_api_of_locator_is_as_recorded() {
    is_as_recorded("locator", "locator");
}

#[test]
fn the_api_of_locator_arrow_is_as_recorded() {
    is_as_recorded("locator_arrow", "locator-arrow");
}

#[test]
fn the_api_of_locator_audit_is_as_recorded() {
    is_as_recorded("locator_audit", "locator-audit");
}

#[test]
fn the_api_of_locator_domain_is_as_recorded() {
    is_as_recorded("locator_domain", "locator-domain");
}

#[test]
fn the_api_of_locator_find_is_as_recorded() {
    is_as_recorded("locator_find", "locator-find");
}

#[test]
fn the_api_of_locator_functions_is_as_recorded() {
    is_as_recorded("locator_functions", "locator-functions");
}

#[test]
fn the_api_of_locator_sql_is_as_recorded() {
    is_as_recorded("locator_sql", "locator-sql");
}

#[test]
fn the_api_of_locator_links_is_as_recorded() {
    is_as_recorded("locator_links", "locator-links");
}

#[test]
fn the_api_of_locator_web_is_as_recorded() {
    is_as_recorded("locator_web", "locator-web");
}

#[test]
fn the_api_of_locator_fetch_is_as_recorded() {
    is_as_recorded("locator_fetch", "locator-fetch");
}

/// With the default features, and with those that need no other crate whose types are in signatures.
#[test]
fn every_type_in_a_signature_of_locator_has_a_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../locator/src/lib.rs");
    let listing = listing::of(&modules::Crate::read("locator", &root, HashMap::new()));
    let features = ["std", "schemes", "plan", "text", "bulk", "idna"];
    for on in [&features[..2], &features] {
        let found = nameable::without_a_name(&listing, on);
        assert!(
            found.is_empty(),
            "with {on:?} these have a type that no caller can name:\n{}",
            found.join("\n")
        );
    }
}
