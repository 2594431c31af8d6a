//! `MkDocs`, with Material and the usual plugins: `mkdocs.yml`.
//!
//! Every file of `docs_dir` is published; a Markdown file `a.md` is `/a/`, or `/a.html` without `use_directory_urls`. A link of
//! Markdown to a file of `docs_dir` is rewritten; any other is read from the URL of the page, as is raw HTML ("Writing your
//! docs", "Linking to pages").

use super::configuration::Value;
use super::glob::Globs;
use super::model::{
    BaseUse, ContentRoot, Found, Generator, Headings, LinkRule, Origin, SiteModel, SourceStep, no_special,
};
use super::tree::{joined, name_of, parent, path_below, resolved, split_ending};
use locator_find::HeadingIds;

pub(super) static MKDOCS: Generator = Generator {
    name: "mkdocs",
    title: "MkDocs",
    configurations: &["mkdocs.yml", "mkdocs.yaml", "properdocs.yml"],
    read,
    special: no_special,
};

/// The plugins that add pages.
const ADDING: [&str; 20] = [
    "gen-files",
    "i18n",
    "static-i18n",
    "monorepo",
    "multirepo",
    "mkdocs-simple",
    "simple",
    "api-autonav",
    "same-dir",
    "blogging",
    "mike",
    "autoapi",
    "mkdoxy",
    "typedoc",
    "jupyter",
    "mkdocs-jupyter",
    "with-pdf",
    "print-site",
    "pdf-export",
    "ezlinks",
];

fn read(found: &Found<'_>) -> Option<SiteModel> {
    let configuration = Value::yaml(&found.text());
    let mut site = SiteModel::new(&MKDOCS, found);
    let docs = configuration.get("docs_dir").text().unwrap_or("docs");
    let docs = resolved(found.directory, docs)?;
    if let Some(url) = configuration.get("site_url").text() {
        site.set_base(url);
    }
    site.content.push(ContentRoot::new(&docs, "/"));
    site.headings = headings(&configuration);
    let is_directory = configuration.get("use_directory_urls").bool().unwrap_or(true);
    let excluded = excluded(&configuration);
    for path in found.tree.below(&docs) {
        let below = path_below(path, &docs).unwrap_or(path);
        if is_left_out(below, &excluded) {
            continue;
        }
        let (stem, ending) = split_ending(below);
        if !matches!(ending, "md" | "markdown" | "mdown" | "mkdn" | "mkd") {
            site.routes.add_file(path, below);
            continue;
        }
        let name = name_of(stem);
        let is_index = name == "index" || name == "README" && !has_index(found, path);
        if name == "README" && !is_index {
            // Both index.md and README.md: the second is dropped.
            continue;
        }
        let url = match (is_index, is_directory) {
            (true, _) if parent(stem).is_empty() => "/".to_owned(),
            (true, _) => format!("/{}/", parent(stem)),
            (false, true) => format!("/{stem}/"),
            (false, false) => format!("/{stem}.html"),
        };
        site.routes.add_page(path, &url);
    }
    for made in ["/sitemap.xml", "/sitemap.xml.gz", "/404.html", "/search/search_index.json", "/objects.inv"]
    {
        site.routes.add_made(made);
    }
    site.routes.open("/assets/", "the theme has files there");
    site.routes.open("/search/", "the theme has files there");
    read_plugins(&mut site, &configuration, is_directory);
    for key in ["INHERIT", "hooks"] {
        if configuration.get(key).is_there() {
            site.routes.open("/", format!("the key {key} can add pages"));
        }
    }
    if let Some(version) = configuration.get("extra.version.provider").text() {
        site.routes.open("/", format!("{version} publishes several versions beside each other"));
    }
    let rewritten = |from| SourceStep { from, endings: &[], added: &[""], any_file: false };
    site.markdown.sources.push(rewritten(Origin::Document));
    match configuration.get("validation.links.absolute_links").text() {
        Some("relative_to_docs") => site.markdown.sources.push(rewritten(Origin::RootedContent)),
        _ if configuration.get("validation.absolute_links").text() == Some("relative_to_docs") => {
            site.markdown.sources.push(rewritten(Origin::RootedContent));
        }
        _ => {}
    }
    site.html = LinkRule { base: BaseUse::Written, ..LinkRule::default() };
    site.component = site.html.clone();
    Some(site)
}

/// Returns whether `index.md` is beside a file.
fn has_index(found: &Found<'_>, path: &str) -> bool {
    found.tree.has_file(&joined(parent(path), "index.md"))
}

/// Returns the patterns of files that are not published, of `exclude_docs` and the plugin exclude.
fn excluded(configuration: &Value) -> Globs {
    let mut patterns = Vec::new();
    for key in ["exclude_docs", "draft_docs"] {
        let lines = configuration.get(key).text().unwrap_or_default();
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            patterns.extend(gitignore_patterns(line));
        }
    }
    for (name, options) in plugins(configuration) {
        if name == "exclude" {
            patterns.extend(options.get("glob").texts().into_iter().flat_map(gitignore_patterns));
        }
    }
    Globs::new(patterns.iter().map(String::as_str))
}

/// Returns the patterns of whole paths for a line of gitignore(5).
pub(super) fn gitignore_patterns(line: &str) -> Vec<String> {
    let (not, line) = line.strip_prefix('!').map_or(("", line), |rest| ("!", rest));
    let pattern = line.trim_end_matches('/');
    let is_anchored = pattern.contains('/');
    let start = if is_anchored { "" } else { "**/" };
    let pattern = pattern.trim_start_matches('/');
    let inside = format!("{not}{start}{pattern}/**");
    match line.ends_with('/') {
        true => vec![inside],
        false => vec![format!("{not}{start}{pattern}"), inside],
    }
}

/// Returns whether a file is left out: its name, or that of a directory around it, begins with ".", or a pattern says so.
/// Templates at the top are left out, too (`mkdocs` `get_files`, `exclude_docs`).
fn is_left_out(below: &str, excluded: &Globs) -> bool {
    below.split('/').any(|name| name.starts_with('.'))
        || below.starts_with("templates/")
        || excluded.has(below)
}

/// Returns the names of plugins with their options.
fn plugins(configuration: &Value) -> Vec<(&str, &Value)> {
    let list = configuration.get("plugins");
    let of_list = list.list().iter().flat_map(|plugin| match plugin {
        Value::Text(name) => vec![(&**name, plugin)],
        other => other.entries().collect(),
    });
    of_list.chain(list.entries()).collect()
}

fn read_plugins(site: &mut SiteModel, configuration: &Value, is_directory: bool) {
    for (name, options) in plugins(configuration) {
        let short = name.rsplit('/').next().unwrap_or(name);
        if ADDING.contains(&short) {
            site.routes.open("/", format!("the plugin {short} adds pages"));
        }
        match short {
            "redirects" => add_redirects(site, options, is_directory),
            "blog" => {
                let directory = options.get("blog_dir").text().unwrap_or("blog").trim_matches('/').to_owned();
                let prefix =
                    if matches!(&*directory, "." | "") { "/".to_owned() } else { format!("/{directory}/") };
                site.routes.open(&prefix, "the plugin blog moves posts and adds lists");
            }
            "tags" => site.routes.open("/tags", "the plugin tags adds pages"),
            "rss" => {
                site.routes.add_made("/feed_rss_created.xml");
                site.routes.add_made("/feed_rss_updated.xml");
            }
            _ => {}
        }
    }
}

fn add_redirects(site: &mut SiteModel, options: &Value, is_directory: bool) {
    for (from, to) in options.get("redirect_maps").entries() {
        let Some(to) = to.text() else { continue };
        let (path, fragment) = to.split_once('#').map_or((to, ""), |(path, fragment)| (path, fragment));
        let path = if path.contains("://") { path.to_owned() } else { page_url(path, is_directory) };
        let fragment = if fragment.is_empty() { String::new() } else { format!("#{fragment}") };
        site.routes.add_redirect(&page_url(from, is_directory), &format!("{path}{fragment}"));
    }
}

/// Returns the URL of the page of a file.
fn page_url(path: &str, is_directory: bool) -> String {
    let path = path.trim_start_matches('/');
    let (stem, ending) = split_ending(path);
    if !matches!(ending, "md" | "markdown") {
        return format!("/{path}");
    }
    match name_of(stem) {
        "index" | "README" if parent(stem).is_empty() => "/".to_owned(),
        "index" | "README" => format!("/{}/", parent(stem)),
        _ if is_directory => format!("/{stem}/"),
        _ => format!("/{stem}.html"),
    }
}

/// Reads what changes the ids of headings: `toc` can have another function, and plugins and snippets may add headings.
fn headings(configuration: &Value) -> Headings {
    let mut headings = Headings { ids: HeadingIds::MkDocs, ..Headings::default() };
    let extensions = configuration.get("markdown_extensions");
    let of_list = extensions.list().iter().flat_map(|extension| match extension {
        Value::Text(name) => vec![(&**name, extension)],
        other => other.entries().collect(),
    });
    for (name, options) in of_list.chain(extensions.entries()) {
        let has = |key: &str| options.get(key).is_there() || options.entries().any(|(own, _)| own == key);
        if matches!(name, "toc" | "markdown.extensions.toc") {
            match options.member("slugify") {
                Value::Call(name, arguments) if is_pymdownx_lower(name, arguments) => {
                    headings.ids = HeadingIds::Pymdownx;
                    headings.is_changed |= has("separator");
                }
                _ => headings.is_changed |= has("slugify") || has("separator"),
            }
        }
        headings.is_changed |= name.contains("snippets");
    }
    headings.is_changed |= plugins(configuration).iter().any(|(name, _)| name.contains("macros"));
    headings
}

/// Returns whether a function for ids is that of `pymdownx.slugs` in lower case.
fn is_pymdownx_lower(name: &str, arguments: &[Value]) -> bool {
    let is_lower = arguments.iter().any(|one| one.get("kwds.case").text() == Some("lower"));
    name.ends_with("pymdownx.slugs.uslugify") || name.ends_with("pymdownx.slugs.slugify") && is_lower
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_gitignore() {
        assert_eq!(gitignore_patterns("a.md"), ["**/a.md", "**/a.md/**"]);
        assert_eq!(gitignore_patterns("!/a/"), ["!a/**"]);
    }

    #[test]
    fn ids_of_headings() {
        for (text, is_changed) in [
            ("site_name: x\n", false),
            ("markdown_extensions:\n  - toc:\n      permalink: true\n", false),
            ("markdown_extensions:\n- toc:\n    slugify: !!python/name:x\n", true),
            ("markdown_extensions: [attr_list, pymdownx.snippets]\n", true),
            ("markdown_extensions:\n  toc:\n    separator: _\n", true),
            ("plugins:\n  - macros\n", true),
        ] {
            assert_eq!(headings(&Value::yaml(text)).is_changed, is_changed, "{text}");
        }
    }
}
