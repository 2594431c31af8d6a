//! Which files of a directory are documents. Source code and data have URLs, too, but these are examples,
//! identifiers and configuration, which no reader follows.

use std::path::Path;

use locator_find::Format;

/// The endings of plain text that people write for readers.
const TEXTS: [&str; 9] = ["txt", "text", "rst", "adoc", "asciidoc", "org", "textile", "rdoc", "wiki"];

/// The names of such texts without an ending.
const NAMES: [&str; 12] = [
    "readme",
    "changelog",
    "changes",
    "news",
    "contributing",
    "authors",
    "install",
    "license",
    "copying",
    "notice",
    "todo",
    "faq",
];

/// Returns whether a file of this format is a document.
pub(super) fn is_document(path: &Path, format: Format) -> bool {
    match format {
        Format::Text => is_text(path),
        Format::Json | Format::Yaml | Format::Toml | Format::Csv | Format::Tsv | Format::Ldif => false,
        _ => true,
    }
}

fn is_text(path: &Path) -> bool {
    let is_in =
        |names: &[&str], name: &std::ffi::OsStr| names.iter().any(|one| name.eq_ignore_ascii_case(one));
    match path.extension() {
        Some(ending) => is_in(&TEXTS, ending),
        None => path.file_name().is_some_and(|name| is_in(&NAMES, name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_readers_read() {
        for (name, format, expected) in [
            ("a/notes.TXT", Format::Text, true),
            ("README", Format::Text, true),
            ("guide.rst", Format::Text, true),
            ("page", Format::Html, true),
            ("a.svg", Format::Xml, true),
            ("main.rs", Format::Text, false),
            ("Makefile", Format::Text, false),
            ("data.json", Format::Json, false),
        ] {
            assert_eq!(is_document(Path::new(name), format), expected, "{name}");
        }
    }
}
