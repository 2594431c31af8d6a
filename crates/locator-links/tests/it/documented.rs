//! `docs/links.md` lists every code, and every reason why a link is not mended.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::Path;

use locator_links::Code;
use locator_links::mend::KeepReason;

/// Compares a table of the guide, which ends with an empty line or the file; `UPDATE=1` writes it.
fn is_table(head: &str, rows: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/links.md");
    let guide = fs::read_to_string(&path).unwrap();
    let (before, rest) = guide.split_once(head).unwrap();
    let (table, after) = rest.split_at(rest.find("\n\n").map_or(rest.len(), |end| end + 1));
    let table = if rest.starts_with('\n') { "" } else { table };
    let after = if table.is_empty() { rest } else { after };
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(&path, [before, head, rows, after].concat()).unwrap();
    }
    assert_eq!(table, rows);
}

#[test]
fn the_guide_lists_all_codes_and_reasons() {
    let code = |code: &Code| format!("| {} | `{code}` | {} |\n", code.outcome(), code.meaning());
    is_table(
        "| outcome | code | meaning |\n|---|---|---|\n",
        &Code::ALL.iter().map(code).collect::<String>(),
    );
    let kept = |kept: &KeepReason| format!("| `{kept}` | {} |\n", kept.meaning());
    is_table("| reason | meaning |\n|---|---|\n", &KeepReason::ALL.iter().map(kept).collect::<String>());
}
