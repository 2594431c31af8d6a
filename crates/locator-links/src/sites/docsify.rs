//! Docsify: a page of HTML that loads documents in the browser, so that a link is alive if its document is there. `a` is
//! `a.md`, `a/` is `a/README.md`, and `?id=b` is a heading.

use locator_find::HeadingIds;

use super::configuration::Value;
use super::javascript;
use super::model::{
    ContentRoot, Found, Generator, Headings, LinkForm, LinkRule, Lookup, RelativeTo, SiteLink, SiteModel,
};
use super::resolve::decoded;
use super::tree::{name_of, parent, path_below, resolved, split_ending};

/// The generator.
pub(crate) static DOCSIFY: Generator =
    Generator { name: "docsify", title: "Docsify", configurations: &["index.html"], read, special };

fn read(found: &Found<'_>) -> Option<SiteModel> {
    let text = found.text();
    let after = text.split_once("$docsify").map_or("", |(_, after)| after);
    let is_docsify = !after.is_empty() || text.contains("/docsify.min.js") || text.contains("/docsify@");
    if !is_docsify && found.configuration.is_some() {
        return None;
    }
    let options = after.trim_start().strip_prefix('=').map(javascript::literal).unwrap_or_default();
    let options = if options == Value::Computed { Value::Null } else { options };
    let mut site = SiteModel::new(&DOCSIFY, found);
    let base = options.get("basePath").text().unwrap_or_default();
    let source = match base.contains("://") {
        // The documents are elsewhere.
        true => {
            site.routes.open("/", "the documents are on another host");
            found.directory.to_owned()
        }
        false => resolved(found.directory, base.trim_start_matches('/'))
            .unwrap_or_else(|| found.directory.to_owned()),
    };
    site.content.push(ContentRoot::new(&source, "/"));
    site.headings = Headings { ids: HeadingIds::Docsify, is_changed: false, ..Headings::default() };
    let is_relative = options.get("relativePath").bool() == Some(true);
    let relative_to = if is_relative { RelativeTo::Page } else { RelativeTo::Root };
    site.markdown = LinkRule { relative_to, ..LinkRule::default() };
    for path in found.tree.below(&source) {
        let Some(inside) = path_below(path, &source) else { continue };
        site.routes.add_file(path, inside);
        if let Some(stem) = inside.strip_suffix(".md") {
            match name_of(stem) {
                "README" => site
                    .routes
                    .add_page(path, &format!("/{}", stem.strip_suffix("README").unwrap_or_default())),
                _ => site.routes.add_page_in(path, &format!("/{stem}"), &format!("{stem}.html")),
            }
        }
    }
    if let Some(home) = options.get("homepage").text() {
        site.names.insert(("home", "".into()), home.into());
    }
    for (alias, _) in options.get("alias").entries() {
        match alias {
            "..." => site.routes.open("/", "aliases are computed"),
            alias => open_alias(&mut site, alias),
        }
    }
    if options.get("routes").is_there() {
        options.get("routes").entries().for_each(|(route, _)| open_alias(&mut site, route));
    }
    if text.contains("hook.beforeEach") || text.contains("plugins:") {
        // Plugins can change the text of documents.
        site.headings.is_changed = true;
    }
    Some(site)
}

/// Opens what a regular expression of an alias can match: `/.*/_sidebar.md`, `changelog`.
fn open_alias(site: &mut SiteModel, alias: &str) {
    let fixed = alias.trim_start_matches(['^', '/']);
    let end = fixed.find(['(', '.', '*', '[', '\\', '+', '?', '|', '$', ':']).unwrap_or(fixed.len());
    // "/.*/_sidebar.md" is for the lists beside pages.
    let is_list = ["_sidebar", "_navbar", "_coverpage"].iter().any(|name| alias.contains(name));
    if end == 0 && is_list {
        return;
    }
    site.routes.open(&format!("/{}", &fixed[..end]), format!("the alias {alias} can match it"));
}

fn special(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let written = link.written;
    if let Some(route) = written.strip_prefix("#/") {
        return Some(Lookup::Means(format!("/{route}").into()));
    }
    if link.form != LinkForm::Markup {
        return None;
    }
    let path = decoded(link.path());
    let rest = written.get(link.path().len()..).unwrap_or_default();
    // `?id=name` is a fragment.
    if let Some(id) = rest.strip_prefix("?id=") {
        let id = id.split(['&', '#']).next().unwrap_or_default();
        return Some(Lookup::Means(format!("{}#{id}", link.path()).into()));
    }
    if path.is_empty() || super::resolve::has_scheme(&path) || path.starts_with("//") {
        return None;
    }
    let root = site.root_of(link.document)?;
    let directory = match (path.starts_with('/'), site.markdown.relative_to) {
        (false, RelativeTo::Page) => parent(link.document),
        _ => &*root.directory,
    };
    let source = |candidate: String| {
        let path = resolved(directory, &candidate)?;
        link.tree.has_file(&path).then_some(path)
    };
    let candidates = match (&*path, split_ending(&path).1) {
        (directory, _) if directory.ends_with('/') => vec![format!("{path}README.md")],
        (_, "") => vec![format!("{path}.md"), path.to_string(), format!("{path}/README.md")],
        // A file, and a page with "." in its name.
        _ => vec![path.to_string(), format!("{path}.md")],
    };
    if let Some(mut found) = candidates.into_iter().find_map(source) {
        if let Some((_, fragment)) = written.split_once('#') {
            found = format!("{found}#{fragment}");
        }
        return Some(Lookup::Source(found.into()));
    }
    if &*path == "/" {
        return Some(Lookup::Made);
    }
    // Assets of the page are relative to it, and pictures to their document.
    let there = resolved(parent(link.document), &path).filter(|there| link.tree.has_file(there));
    if let Some(there) = there.filter(|there| !there.ends_with(".md")) {
        return Some(Lookup::Source(there.into()));
    }
    let url = format!("/{}", resolved("", &path).unwrap_or_default());
    if let Some(reason) = site.routes.openness(&url) {
        return Some(Lookup::Unknown(reason.into()));
    }
    if site
        .names
        .get(&("home", Box::<str>::from("")))
        .is_some_and(|home| path.trim_start_matches('/') == &**home)
    {
        return Some(Lookup::Made);
    }
    // What the forge shows beside it is judged as a file.
    let is_beside =
        resolved(parent(link.document), &path).is_some_and(|there| link.tree.has_directory(&there));
    if is_beside {
        return Some(Lookup::Unknown("a directory has no page without README.md".into()));
    }
    None
}
