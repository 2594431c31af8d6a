//! Which files pages are made from, and which pages are shown for directories.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The pages that are shown for a directory, by servers and by forges.
pub(crate) const INDEXES: [&str; 4] = ["index.html", "index.htm", "README.md", "index.md"];

/// The endings of what pages are made from.
const SOURCES: [&str; 8] = ["md", "markdown", "mdx", "rst", "adoc", "html", "ipynb", "org"];

/// Returns the file that a generator makes a page from: of `a.html`, `a` and `a/index.html` it is `a.md`.
pub(crate) fn source_of(path: &Path, is_file: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    // Style sheets and scripts are made from other languages.
    let made: &[&str] = match path.extension().and_then(|end| end.to_str()) {
        Some("css") => &["scss", "sass", "less", "styl"],
        Some("js" | "mjs") => &["ts", "tsx", "jsx", "coffee", "mts"],
        _ => &[],
    };
    if let Some(source) = made.iter().map(|end| path.with_extension(end)).find(|source| is_file(source)) {
        return Some(source);
    }
    let is_page = path.extension().is_none_or(|end| end == "html" || end == "htm");
    if !is_page {
        return None;
    }
    let is_index = path.file_stem().is_some_and(|stem| stem == "index");
    let stem = path.with_extension("");
    let around = path.parent().filter(|_| is_index);
    let readme = around.map(|around| around.join("README"));
    let stems = [Some(stem), around.map(Path::to_owned), readme];
    stems.into_iter().flatten().find_map(|stem| {
        SOURCES.iter().map(|end| with_ending(&stem, end)).find(|source| source != path && is_file(source))
    })
}

fn with_ending(stem: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(stem);
    name.push(".");
    name.push(end);
    name.into()
}

/// Returns what a path of a link in a Markdown document means if a generator publishes its page as a directory: a
/// link of `a/b.md` is relative to `a/b/` then, as Jekyll and others leave it.
pub(crate) fn seen_from_page(path: &Path, document: &Path) -> Option<PathBuf> {
    let is_markdown = document.extension().is_some_and(|end| end == "md" || end == "markdown");
    let is_index = document.file_stem().is_some_and(|stem| stem == "index" || stem == "README");
    let around = document.parent().filter(|_| is_markdown && !is_index)?;
    // What they have in common is where the link goes up to: one name less from the page.
    let common = around.ancestors().find(|above| path.starts_with(above))?;
    let rest = path.strip_prefix(common).ok()?;
    let page = document.with_extension("");
    let next = page.strip_prefix(common).ok()?.iter().next()?;
    Some(common.join(next).join(rest))
}
