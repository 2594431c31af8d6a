//! What bundlers (Vite, webpack) make of paths in documents: a picture of the source tree is copied with the page, and a path
//! may begin with the name of a directory (`@/img/a.png`).

use super::model::{LinkForm, Lookup, Origin, SiteLink, SourceStep};
use super::tree::resolved;

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

/// Looks up the program of an element `script`, which is bundled: its path is relative to the document, and its ending may be
/// that of another language or left out.
pub(crate) fn script(link: &SiteLink<'_>) -> Option<Lookup> {
    const ENDINGS: [&str; 7] = ["", ".ts", ".js", ".tsx", ".jsx", ".mjs", ".mts"];
    let is_script = matches!(link.form, LinkForm::Html { element: "script", attribute: "src" });
    let path = link.path();
    if !is_script || !path.starts_with('.') {
        return None;
    }
    let path = resolved(link.directory(), path)?;
    let stem = path.strip_suffix(".js").unwrap_or(&path);
    let mut candidates =
        [&*path, stem].into_iter().flat_map(|stem| ENDINGS.map(|ending| format!("{stem}{ending}")));
    let found = candidates.find(|path| link.tree.has_file(path))?;
    Some(Lookup::Source(found.into()))
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::*;

    #[test]
    fn programs_of_elements() {
        let folder = tempfile::tempdir().expect("a directory");
        std::fs::create_dir(folder.path().join("pages")).expect("a directory");
        for name in ["menu.ts", "pages/a.astro"] {
            std::fs::write(folder.path().join(name), "").expect("a file");
        }
        let tree = Tree::open(folder.path());
        let form = LinkForm::Html { element: "script", attribute: "src" };
        let look_up = |written| script(&SiteLink { document: "pages/a.astro", tree: &tree, written, form });
        for written in ["../menu", "../menu.js", "../menu.ts"] {
            assert_eq!(look_up(written), Some(Lookup::Source("menu.ts".into())), "{written}");
        }
        assert_eq!((look_up("../none.js"), look_up("/menu.js")), (None, None));
    }
}
