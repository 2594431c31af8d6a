//! The names that `docs/stability.md` promises are those of the library.

use std::fmt::Write;

use locator::{Component, edition};
use locator_audit::Severity;

const PAGE: &str = include_str!("../../../../docs/stability.md");

/// Returns the names of an item of the list "Names".
fn promised(item: &str) -> Vec<&'static str> {
    let list = PAGE.split("\n## ").find(|section| section.starts_with("Names\n")).expect("the section");
    let text = list.split("\n- ").find_map(|one| one.strip_prefix(item)).expect("an item of the list");
    text.split('`').skip(1).step_by(2).collect()
}

/// Fails if the names of an item are not those of the library.
fn assert_promised(item: &str, names: &[&str]) {
    let mut written = String::new();
    for name in names {
        let separator = if written.is_empty() { "" } else { ", " };
        write!(written, "{separator}`{name}`").expect("a string takes everything");
    }
    assert_eq!(
        promised(item),
        names,
        "docs/stability.md: a name that is added belongs into the list; one that is removed or changed is a \
         breaking change. The names are\n{written}"
    );
}

#[test]
fn names_are_those_that_are_promised() {
    assert_promised("Editions", &edition::ALL.map(|edition| edition.name));
    assert_promised("Components", &Component::ALL.map(Component::name));
    assert_promised("Severities", &Severity::ALL.map(|severity| severity.name()));
    let findings: Vec<_> = locator_audit::codes().map(locator_audit::Code::name).collect();
    assert_promised("Findings", &findings);
}
