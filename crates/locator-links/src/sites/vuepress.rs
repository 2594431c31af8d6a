//! `VuePress` 1 and 2: Markdown beside `.vuepress`, `a.md` at `/a.html`, `README.md` and `index.md` at their directory, or at
//! the `permalink` of the document. Links of Markdown to documents and pages are looked up as files.

use locator_find::HeadingIds;

use super::configuration::Value;
use super::glob::Globs;
use super::model::{
    BaseUse, ContentRoot, Found, Generator, Headings, LinkForm, LinkRule, Lookup, Origin, SiteLink,
    SiteModel, SourceStep,
};
use super::program::Program;
use super::tree::{joined, name_of, parent, path_below, resolved};
use super::{base, bundler};

/// The generator.
pub(crate) static VUEPRESS: Generator = Generator {
    name: "vuepress",
    title: "VuePress",
    configurations: &[
        ".vuepress/config.ts",
        ".vuepress/config.js",
        ".vuepress/config.mts",
        ".vuepress/config.mjs",
        ".vuepress/config.cjs",
        ".vuepress/config.yml",
        ".vuepress/config.toml",
        ".vuepress/config/index.ts",
        ".vuepress/config/index.js",
    ],
    read,
    special,
};

/// Plugins that add no page.
const HARMLESS: [&str; 22] = [
    "search",
    "docsearch",
    "google-analytics",
    "back-to-top",
    "medium-zoom",
    "nprogress",
    "pwa",
    "active-header-links",
    "container",
    "copy-code",
    "git",
    "last-updated",
    "prismjs",
    "shiki",
    "theme-data",
    "toc",
    "palette",
    "media-player",
    "markdown",
    "seo",
    "comment",
    "photo-swipe",
];

fn read(found: &Found<'_>) -> Option<SiteModel> {
    let program = Program::of(found);
    let mut site = SiteModel::new(&VUEPRESS, found);
    let directory = found.directory;
    base::set(&mut site, &program, "base");
    site.content.push(ContentRoot::new(directory, "/"));
    let has_own_theme = program.mentions("theme-hope") || program.mentions("hopeTheme");
    let has_plugins = has_plugins(&program);
    let is_changed = program.has("markdown") || has_own_theme || has_plugins;
    site.headings = Headings { ids: HeadingIds::VuePress, is_changed, ..Headings::default() };
    let documents = |from| SourceStep { from, endings: &[".md"], added: &[""], any_file: false };
    site.markdown = LinkRule {
        sources: vec![bundler::pictures(), documents(Origin::Document), documents(Origin::RootedContent)],
        rewrites: &[("/README.md", "/"), ("/index.md", "/"), (".md", ".html")],
        base: BaseUse::AddedOnce,
        ..LinkRule::default()
    };
    site.component = LinkRule { base: BaseUse::AddedOnce, ..LinkRule::default() };

    if program.get("pagePatterns") == &Value::Computed {
        site.routes.open("/", "pagePatterns is computed");
    }
    let patterns = Globs::new(program.get("pagePatterns").texts());
    if program.has("permalink") || program.has("permalinkPattern") {
        site.routes.open("/", "permalinks have a pattern");
    }
    for path in found.tree.below(directory) {
        let Some(inside) = path_below(path, directory) else { continue };
        let Some(stem) = inside.strip_suffix(".md") else { continue };
        let is_hidden = inside.split('/').any(|name| name.starts_with('.') || name == "node_modules");
        if is_hidden || !patterns.is_empty() && !patterns.has(inside) {
            continue;
        }
        let front = found.tree.front_matter(path);
        match front.text("permalink") {
            Some(permalink) if permalink.contains(':') => site.routes.open("/", "permalinks have a pattern"),
            Some(permalink) => site.routes.add_page(path, &format!("/{}", permalink.trim_start_matches('/'))),
            None => match name_of(stem) {
                name @ ("README" | "readme" | "index") => {
                    let around = &stem[..stem.len() - name.len()];
                    // Where both are, one of them is the page.
                    site.routes.add_page(path, &format!("/{around}"));
                }
                _ => site.routes.add_page_in(path, &format!("/{stem}.html"), &format!("{stem}.html")),
            },
        }
    }
    let public = joined(directory, ".vuepress/public");
    site.routes.add_directory(found.tree, &public, "/");
    site.routes.add_made("/404.html");
    if has_own_theme {
        site.routes.open("/", "the theme adds pages");
    } else if has_plugins {
        site.routes.open("/", "a plugin can add pages");
    }
    let own_theme = joined(directory, ".vuepress/theme");
    if found.tree.below(&own_theme).any(|path| found.tree.beginning(path).contains("additionalPages")) {
        site.routes.open("/", "the theme adds pages");
    }
    Some(site)
}

/// Returns whether there is a plugin that is not known to leave the pages alone.
fn has_plugins(program: &Program) -> bool {
    let name_of_plugin = |plugin: &Value| match plugin {
        Value::Text(name) | Value::Call(name, _) => Some(name.clone()),
        Value::List(list) => list.first().and_then(Value::text).map(str::to_owned),
        _ => None,
    };
    let is_harmless = |plugin: &Value| {
        name_of_plugin(plugin).is_some_and(|name| {
            let plain = name.to_lowercase().replace('-', "");
            HARMLESS.iter().any(|known| plain.contains(&known.replace('-', "")))
        })
    };
    match program.get("plugins") {
        Value::Null => false,
        Value::List(list) => !list.iter().all(is_harmless),
        Value::Map(entries) => !entries.iter().all(|(name, _)| is_harmless(&Value::Text(name.clone()))),
        _ => true,
    }
}

/// Looks up `a.html` as the page of `a.md`, which may have another URL.
fn special(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let path = link.path();
    if bundler::is_alias(path) || path.starts_with('@') {
        return Some(Lookup::Unknown("the bundler has a name for a directory".into()));
    }
    if link.form != LinkForm::Markup || super::resolve::has_scheme(path) {
        return base::beyond(site, link);
    }
    let stem = path.strip_suffix(".html")?;
    let from = match path.starts_with('/') {
        true => &*site.root_of(link.document)?.directory,
        false => parent(link.document),
    };
    let source = format!("{}.md", resolved(from, stem)?);
    site.routes.url_of(&source).map(|_| Lookup::Source(source.into()))
}
