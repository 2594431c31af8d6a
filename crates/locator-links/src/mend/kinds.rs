//! Which files are mended: documents, not data or programs, whose URLs may be names, settings or expectations.

use std::path::Path;

use locator_find::Format;

use super::kept::Kept;

/// Returns why no link of a file is replaced, by its name and format.
#[must_use]
pub fn kept_file(path: &Path, format: Format) -> Option<Kept> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    let is_one_of = |endings: &[&str]| ending.as_deref().is_some_and(|own| endings.contains(&own));
    let is_document = match format {
        Format::Text if ending.is_none() => has_name_of_text(path),
        Format::Text => {
            is_one_of(&["txt", "text", "rst", "rest", "adoc", "asciidoc", "asc", "org", "textile"])
        }
        Format::Xml => is_one_of(&["xhtml", "xht", "svg", "atom", "rss", "opml", "docbook", "dbk", "dita"]),
        _ => true,
    };
    kept_format(format).or((!is_document).then_some(Kept::Data))
}

/// Returns why no link of a format is replaced.
pub(super) const fn kept_format(format: Format) -> Option<Kept> {
    match format {
        Format::Mail | Format::Mbox | Format::Http | Format::Warc => Some(Kept::Message),
        Format::Csv
        | Format::Tsv
        | Format::Json
        | Format::Yaml
        | Format::Toml
        | Format::ICalendar
        | Format::VCard
        | Format::Ldif => Some(Kept::Data),
        _ => None,
    }
}

/// Returns whether a name without an ending is that of a text: `README`, but not `Makefile`.
fn has_name_of_text(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    !name.chars().any(char::is_lowercase) && !matches!(&*name, "BUILD" | "WORKSPACE" | "MODULE")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_and_others() {
        for (name, kept) in [
            ("a.html", None),
            ("a.md", None),
            ("docs/a.txt", None),
            ("README", None),
            ("a.rst", None),
            ("a.css", None),
            ("a.svg", None),
            ("Makefile", Some(Kept::Data)),
            ("a.rs", Some(Kept::Data)),
            ("pom.xml", Some(Kept::Data)),
            ("package.json", Some(Kept::Data)),
            ("a.eml", Some(Kept::Message)),
        ] {
            let path = Path::new(name);
            assert_eq!(kept_file(path, Format::of_path(path).unwrap_or(Format::Text)), kept, "{name}");
        }
    }
}
