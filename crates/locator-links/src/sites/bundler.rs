//! What bundlers (Vite, webpack) make of paths in documents: a picture of the source tree is copied with the page, and a path
//! may begin with the name of a directory (`@/img/a.png`).

use super::model::{Origin, SourceStep};

/// The endings of files that are bundled where a page shows them.
const SHOWN: [&str; 20] = [
    ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".ico", ".bmp", ".apng", ".mp4", ".webm",
    ".mov", ".ogg", ".mp3", ".wav", ".pdf", ".vtt", ".PNG", ".JPG",
];

/// Returns the look-up of a picture relative to its document.
pub(crate) const fn pictures() -> SourceStep {
    SourceStep { from: Origin::Document, endings: &SHOWN, added: &[""], any_file: true }
}

/// Returns whether a path begins with the name of a directory that a configuration gives: `@/a`, `~/a`, `@assets/a`.
pub(crate) fn is_alias(path: &str) -> bool {
    path.starts_with("~/")
        || path.starts_with("@/")
        || path.starts_with("@site/")
        || path.starts_with("@assets/")
}
