//! `docs/links.md` lists every code.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::Path;

use locator_links::Code;

#[test]
fn the_guide_lists_all_codes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/links.md");
    let guide = fs::read_to_string(&path).unwrap();
    let head = "| outcome | code | meaning |\n|---|---|---|\n";
    let (before, table) = guide.split_once(head).unwrap();
    let row = |code: &Code| format!("| {} | `{code}` | {} |\n", code.outcome(), code.meaning());
    let expected: String = Code::ALL.iter().map(row).collect();
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(path, [before, head, &expected].concat()).unwrap();
    }
    assert_eq!(table, expected);
}
