//! Wikis of forges, cloned as repositories. At GitHub pages have one name space, without directories, and spaces of a name are
//! "-"; at GitLab a page is in its directory. A link without an ending is the name of a page.

use locator_find::HeadingIds;

use super::model::{
    ContentRoot, Found, Generator, Headings, LinkForm, LinkRule, Lookup, SiteLink, SiteModel,
};
use super::resolve::{decoded, has_scheme};
use super::tree::{joined, name_of, parent, path_below, resolved, split_ending};

/// The wiki of a repository at GitHub.
pub(crate) static GITHUB_WIKI: Generator = Generator {
    name: "github-wiki",
    title: "GitHub wiki",
    configurations: &["_Sidebar.md", "_Footer.md"],
    read: read_github,
    special: special_at_github,
};

/// The wiki of a project at GitLab.
pub(crate) static GITLAB_WIKI: Generator = Generator {
    name: "gitlab-wiki",
    title: "GitLab wiki",
    configurations: &["_sidebar.md"],
    read: read_gitlab,
    special: special_at_gitlab,
};

/// The endings of pages.
const PAGES: [&str; 10] =
    ["md", "markdown", "mediawiki", "textile", "rdoc", "org", "creole", "rst", "asciidoc", "adoc"];

fn read_github(found: &Found<'_>) -> Option<SiteModel> {
    let home = |ending: &&str| found.tree.has_file(&joined(found.directory, &format!("Home.{ending}")));
    PAGES.iter().any(home).then(|| read(&GITHUB_WIKI, found, HeadingIds::GitHub))
}

fn read_gitlab(found: &Found<'_>) -> Option<SiteModel> {
    let has_home = found.tree.has_file(&joined(found.directory, "home.md"));
    // Docsify has a list of this name, too.
    let has_page = found.tree.has_file(&joined(found.directory, "index.html"));
    (has_home && !has_page).then(|| read(&GITLAB_WIKI, found, HeadingIds::GitLab))
}

fn read(generator: &'static Generator, found: &Found<'_>, ids: HeadingIds) -> SiteModel {
    let mut site = SiteModel::new(generator, found);
    site.content.push(ContentRoot::new(found.directory, "/"));
    site.headings = Headings { ids, is_changed: false, ..Headings::default() };
    site.markdown = LinkRule::default();
    for path in found.tree.below(found.directory) {
        let Some(inside) = path_below(path, found.directory) else { continue };
        let (stem, ending) = split_ending(inside);
        site.routes.add_file(path, inside);
        if PAGES.contains(&ending) {
            site.routes.add_page_in(path, &format!("/{stem}"), &format!("{stem}.html"));
            site.names.insert(("page", key(name_of(stem)).into()), path.into());
            site.names.insert(("path", key(stem).into()), path.into());
        }
    }
    site
}

/// Returns the name of a page as it is compared: without case, and spaces as "-".
fn key(name: &str) -> String {
    name.to_lowercase().replace([' ', '_'], "-")
}

/// Returns the name of a page in a link: without the directory, an ending and what is around a wiki.
fn special_at_github(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let path = path_of(link)?;
    let (stem, ending) = split_ending(&path);
    let page = if PAGES.contains(&ending) { stem } else { &*path };
    let known = |name: &str| site.names.get(&("page", key(name).into()));
    if let Some(found) = known(name_of(page.trim_end_matches('/'))) {
        return Some(Lookup::Source(found.clone()));
    }
    if let Some(file) = resolved(parent(link.document), &path).filter(|file| link.tree.has_file(file)) {
        return Some(Lookup::Source(file.into()));
    }
    if path.starts_with('/') || path.starts_with("..") {
        return Some(Lookup::Outside);
    }
    match path.trim_start_matches("./").trim_start_matches("wiki/").contains('/') {
        // `wiki/Page` and other paths of the repository.
        true => Some(Lookup::Outside),
        false => Some(Lookup::Dead("the wiki has no such page".into())),
    }
}

/// Returns the page of a link at GitLab: relative to the directory of the page, or from the root of the wiki.
fn special_at_gitlab(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let path = path_of(link)?;
    if path.starts_with("/-/") || path.starts_with("../../") {
        return Some(Lookup::Outside);
    }
    let inside = match path.strip_prefix('/') {
        Some(rooted) => resolved("", rooted)?,
        None => {
            let directory = path_below(parent(link.document), &site.directory).unwrap_or_default();
            match resolved(directory, &path) {
                Some(inside) => inside,
                None => return Some(Lookup::Outside),
            }
        }
    };
    let (stem, ending) = split_ending(&inside);
    let page = if PAGES.contains(&ending) { stem } else { &*inside };
    let file = joined(&site.directory, &inside);
    let found = site.names.get(&("path", key(page).into())).cloned();
    Some(match found {
        Some(found) => Lookup::Source(found),
        None if link.tree.has_file(&file) => Lookup::Source(file.into()),
        None if inside.starts_with("uploads/") => Lookup::Unknown("the forge keeps uploads".into()),
        None => Lookup::Dead("the wiki has no such page".into()),
    })
}

/// Returns the decoded path of a link to a page; `None` if it is no such link.
fn path_of(link: &SiteLink<'_>) -> Option<String> {
    let path = decoded(link.path()).into_owned();
    let is_path = !path.is_empty() && !has_scheme(&path) && !path.starts_with("//");
    (is_path && matches!(link.form, LinkForm::Markup)).then_some(path)
}
