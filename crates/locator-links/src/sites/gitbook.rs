//! `GitBook` and `HonKit`: the pages of `SUMMARY.md`, `a.md` at `/a.html`, `README.md` at its directory. Other files are copied.
//! gitbook.com has the same sources, and URLs without an ending.

use locator_find::HeadingIds;

use super::configuration::Value;
use super::model::{
    ContentRoot, Found, Generator, Headings, LinkForm, LinkRule, Lookup, Origin, SiteLink, SiteModel,
    SourceStep,
};
use super::redirects;
use super::resolve::decoded;
use super::tree::{joined, name_of, parent, path_below, resolved, split_ending};

/// The generator.
pub(crate) static HONKIT: Generator = Generator {
    name: "honkit",
    title: "HonKit",
    configurations: &["book.json", "book.js"],
    read: read_honkit,
    special,
};

/// The service.
pub(crate) static GITBOOK: Generator = Generator {
    name: "gitbook",
    title: "GitBook",
    configurations: &[".gitbook.yaml", ".gitbook.yml"],
    read: read_gitbook,
    special: special_of_service,
};

fn read_honkit(found: &Found<'_>) -> Option<SiteModel> {
    let path = found.configuration.unwrap_or("book.json");
    let configuration = Value::of_file(path, &found.text());
    let root = resolved(found.directory, configuration.get("root").text().unwrap_or("."))?;
    let summary = configuration.get("structure.summary").text().unwrap_or("SUMMARY.md").to_owned();
    let readme = configuration.get("structure.readme").text().unwrap_or("README.md").to_owned();
    let mut site = SiteModel::new(&HONKIT, found);
    site.content.push(ContentRoot::new(&root, "/"));
    let languages = joined(&root, "LANGS.md");
    let books = match found.tree.read(&languages) {
        Some(text) => {
            chapters(&text).iter().filter_map(|path| Some(path.split('/').next()?.to_owned())).collect()
        }
        None => vec![String::new()],
    };
    if !books.iter().any(|book| found.tree.has_file(&joined(&joined(&root, book), &summary))) {
        return None;
    }
    let plugins = configuration.get("plugins").texts();
    let changes = |name: &&str| {
        ["anchor", "id", "toc", "head", "include", "swagger", "api"].iter().any(|word| name.contains(word))
    };
    let is_changed = *configuration.get("plugins") == Value::Computed || plugins.iter().any(changes);
    site.headings = Headings { ids: HeadingIds::HonKit, is_changed, ..Headings::default() };
    let step =
        |from| SourceStep { from, endings: &[".md", ".markdown", ".adoc"], added: &[""], any_file: false };
    site.markdown = LinkRule {
        sources: vec![step(Origin::Document), step(Origin::RootedContent)],
        ..LinkRule::default()
    };
    for book in &books {
        let directory = joined(&root, book);
        let text = found.tree.read(&joined(&directory, &summary)).unwrap_or_default();
        add_page(&mut site, &joined(&directory, &readme), &joined(book, "README.md"), &readme);
        for chapter in chapters(&text) {
            if let Some(path) = resolved(&directory, &chapter).filter(|path| found.tree.has_file(path)) {
                add_page(&mut site, &path, &joined(book, &chapter), &readme);
            }
        }
    }
    if books.len() > 1 {
        site.routes.add_made("/");
    }
    let output = joined(found.directory, "_book");
    for path in found.tree.below(&root) {
        let Some(inside) = path_below(path, &root) else { continue };
        let is_hidden = inside.split('/').any(|name| name.starts_with('.') || name == "node_modules");
        let is_own =
            [&*summary, "GLOSSARY.md", "LANGS.md", "book.json", "book.js"].contains(&name_of(inside));
        let is_built = path_below(path, &output).is_some();
        if !is_hidden && !is_own && !is_built && site.routes.url_of(path).is_none() {
            site.routes.add_file(path, inside);
        }
    }
    if found.tree.has_file(&joined(&root, "GLOSSARY.md")) {
        site.routes.add_made("/GLOSSARY.html");
    }
    site.routes.open("/gitbook/", "the build writes it");
    Some(site)
}

/// Adds the page of a chapter.
fn add_page(site: &mut SiteModel, path: &str, inside: &str, readme: &str) {
    let inside = resolved("", inside).unwrap_or_default();
    let (stem, _) = split_ending(&inside);
    let is_readme = name_of(&inside) == name_of(readme) || name_of(&inside) == "README.md";
    let url = match is_readme {
        true => format!("/{}", stem.strip_suffix(name_of(stem)).unwrap_or_default()),
        false => format!("/{stem}.html"),
    };
    site.routes.add_page(path, &url);
}

/// Returns the paths of the chapters of a summary: the destinations of its links that are files.
fn chapters(summary: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in summary.lines() {
        let mut rest = line;
        while let Some(at) = rest.find("](") {
            rest = &rest[at + 2..];
            let inner = rest.trim_start();
            let path = match inner.strip_prefix('<') {
                Some(inner) => inner.split('>').next().unwrap_or_default(),
                None => inner.split([')', ' ', '\t']).next().unwrap_or_default(),
            };
            let path = path.split('#').next().unwrap_or_default();
            if !path.is_empty() && !super::resolve::has_scheme(path) {
                found.push(decoded(path).trim_start_matches('/').to_owned());
            }
        }
    }
    found
}

/// Looks up a path without an ending: it is a URL.
fn special(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    // `SUMMARY.md` is not copied.
    let is_summary = link.form == LinkForm::Markup && name_of(link.path()) == "SUMMARY.md";
    let there = resolved(parent(link.document), link.path()).filter(|_| is_summary)?;
    (!site.routes.is_published(&there)).then(|| Lookup::Dead("the list of chapters is no page".into()))
}

fn read_gitbook(found: &Found<'_>) -> Option<SiteModel> {
    let configuration = Value::yaml(&found.text());
    let root = resolved(found.directory, configuration.get("root").text().unwrap_or("."))?;
    let summary = configuration.get("structure.summary").text().unwrap_or("SUMMARY.md");
    let readme = configuration.get("structure.readme").text().unwrap_or("README.md");
    let text = found.tree.read(&resolved(&root, summary)?)?;
    let mut site = SiteModel::new(&GITBOOK, found);
    site.content.push(ContentRoot::new(&root, "/"));
    // The service does not say how it makes ids.
    site.headings = Headings { ids: HeadingIds::GitHub, is_changed: true, ..Headings::default() };
    let any = |from| SourceStep { from, endings: &[], added: &["", ".md", "/README.md"], any_file: true };
    site.markdown =
        LinkRule { sources: vec![any(Origin::Document), any(Origin::RootedContent)], ..LinkRule::default() };
    site.html = site.markdown.clone();
    site.component = site.markdown.clone();
    let readme = resolved(&root, readme)?;
    site.routes.add_page(&readme, "/");
    for chapter in chapters(&text) {
        let Some(path) =
            resolved(&root, &chapter).filter(|path| found.tree.has_file(path) && *path != readme)
        else {
            continue;
        };
        let (stem, _) = split_ending(&chapter);
        let slug = stem.strip_suffix("README").map_or(stem, |rest| rest.trim_end_matches('/'));
        site.routes.add_page(&path, &format!("/{}", slug.to_lowercase()));
    }
    for (from, to) in configuration.get("redirects").entries() {
        redirects::add(&mut site, from, to.text().unwrap_or_default());
    }
    // Titles make URLs, and spaces of the service have more pages than the tree.
    site.routes.open("/", "the service names pages");
    Some(site)
}

/// Looks up a path of a document: what is not in the tree is not on the site.
fn special_of_service(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let path = decoded(link.path());
    if link.form != LinkForm::Markup || super::resolve::has_scheme(&path) || !path.ends_with(".md") {
        return None;
    }
    let from = match path.starts_with('/') {
        true => &*site.root_of(link.document)?.directory,
        false => parent(link.document),
    };
    match resolved(from, &path) {
        Some(there) if link.tree.has_file(&there) => Some(Lookup::Source(there.into())),
        Some(there) if site.root_of(&there).is_some() => Some(Lookup::Dead("".into())),
        _ => Some(Lookup::Outside),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries() {
        let text = "# Summary\n\n* [A](README.md)\n    * [B [c]](a/b%20c.md#d) and [E](<f g.md>)\n* [X](https://h/)\n* [Y]()\n";
        assert_eq!(chapters(text), ["README.md", "a/b c.md", "f g.md"]);
    }
}
