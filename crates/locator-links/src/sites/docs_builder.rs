//! docs-builder of Elastic: `docset.yml` in the directory of the documents.
//!
//! A link names a file of the set, relative to the document or, with "/", to the directory of `docset.yml`; one to another set
//! has its name as a scheme (`docs-content://a.md`). A heading may state its id at its end, `## Title [id]`, and a paragraph has
//! one by `$$$id$$$` (elastic.github.io/docs-builder, "Links", "Headings", "Redirects").

use locator_find::HeadingIds;

use super::configuration::Value;
use super::model::{
    ContentRoot, Found, Generator, Headings, LinkForm, LinkRule, Lookup, Origin, SiteLink, SiteModel,
    SourceStep,
};
use super::resolve::{decoded, has_scheme};
use super::tree::{joined, path_below, resolved, split_ending};

/// The generator.
pub(super) static DOCS_BUILDER: Generator = Generator {
    name: "docs-builder",
    title: "docs-builder",
    configurations: &["docset.yml", "_docset.yml"],
    read,
    special,
};

fn read(found: &Found<'_>) -> Option<SiteModel> {
    let configuration = Value::yaml(&found.text());
    let is_set = configuration.get("toc").is_there() || configuration.get("project").is_there();
    if found.configuration.is_some() && !is_set {
        return None;
    }
    let mut site = SiteModel::new(&DOCS_BUILDER, found);
    site.content.push(ContentRoot::new(found.directory, "/"));
    site.headings = Headings { ids: HeadingIds::DocsBuilder, ..Headings::default() };
    let any = |from| SourceStep { from, endings: &[], added: &[""], any_file: true };
    site.markdown =
        LinkRule { sources: vec![any(Origin::Document), any(Origin::RootedContent)], ..LinkRule::default() };
    site.html = site.markdown.clone();
    for path in found.tree.below(found.directory) {
        let below = path_below(path, found.directory).unwrap_or(path);
        match split_ending(below) {
            // What begins with "_" is included by others.
            (stem, "md") if !below.split('/').any(|name| name.starts_with('_')) => {
                let stem = stem.strip_suffix("/index").unwrap_or(if stem == "index" { "" } else { stem });
                site.routes.add_page(path, &format!("/{stem}"));
            }
            (_, "md") => {}
            _ => site.routes.add_file(path, below),
        }
    }
    for entry in configuration.get("toc").list().iter().filter(|entry| entry.get("cli").is_there()) {
        let folder = entry.get("folder").text().unwrap_or("cli").trim_matches('/');
        site.routes.open(&format!("/{folder}/"), "pages are made of the schema of a command");
    }
    for name in ["redirects.yml", "_redirects.yml"].map(|name| joined(found.directory, name)) {
        let redirects = Value::yaml(&found.tree.read(&name).unwrap_or_default());
        for (from, _) in redirects.get("redirects").entries() {
            if let Some(old) = resolved(found.directory, from.trim_start_matches('/')) {
                site.names.insert(("redirect", old.into()), "".into());
            }
        }
    }
    Some(site)
}

/// Looks up what has moved, and directories.
fn special(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let path = decoded(link.path());
    let is_path = !path.is_empty() && !has_scheme(&path) && !path.starts_with("//");
    if !is_path || !matches!(link.form, LinkForm::Markup | LinkForm::Html { .. }) {
        return None;
    }
    let there = match path.strip_prefix('/') {
        Some(inside) => resolved(&site.directory, inside)?,
        None => resolved(link.directory(), &path)?,
    };
    match () {
        () if link.tree.has_file(&there) => None,
        () if site.names.contains_key(&("redirect", Box::from(&*there))) => Some(Lookup::Made),
        () if link.tree.has_file(&joined(&there, "index.md")) => {
            Some(Lookup::Source(joined(&there, "index.md").into()))
        }
        () if !path.starts_with('/') => None,
        // Where files are shown, "/" is the root of the repository.
        () => {
            let shown = resolved("", &path).filter(|shown| link.tree.has_file(shown));
            shown.map(|_| Lookup::NotPublished("it is not in the directory of docset.yml".into()))
        }
    }
}
