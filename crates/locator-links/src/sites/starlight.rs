//! Astro: pages of `src/pages`, and with Starlight those of `src/content/docs`, in each language. Links are left as they are
//! written, so that they are URLs.

use std::collections::BTreeSet;

use locator_find::HeadingIds;

use super::configuration::Value;
use super::model::{
    ContentRoot, Found, Generator, Headings, LinkRule, Lookup, Origin, SiteLink, SiteModel, SourceStep,
};
use super::program::Program;
use super::redirects;
use super::tree::{joined, name_of, parent, path_below, resolved, split_ending};
use super::{base, bundler};

/// The generator.
pub(crate) static STARLIGHT: Generator = Generator {
    name: "starlight",
    title: "Starlight",
    configurations: &CONFIGURATIONS,
    read: read_starlight,
    special,
};

/// The same without Starlight.
pub(crate) static ASTRO: Generator =
    Generator { name: "astro", title: "Astro", configurations: &CONFIGURATIONS, read: read_astro, special };

const CONFIGURATIONS: [&str; 5] =
    ["astro.config.mjs", "astro.config.ts", "astro.config.js", "astro.config.mts", "astro.config.cjs"];

/// The endings of documents.
const DOCUMENTS: [&str; 8] = ["md", "mdx", "mdoc", "markdown", "mdown", "mkdn", "mkd", "mdwn"];

fn read_starlight(found: &Found<'_>) -> Option<SiteModel> {
    let program = Program::of(found);
    let is_named = found.configuration.is_none();
    if !is_named && !program.mentions("@astrojs/starlight") {
        return None;
    }
    let mut site = read_pages(&STARLIGHT, found, &program)?;
    let source = source_of(found, &program)?;
    let content = joined(&source, "content/docs");
    let options = options_of(&program.value);
    let content_configuration =
        ["content.config.ts", "content/config.ts", "content.config.mjs", "content.config.js"];
    let loader =
        found.tree.first_file(&source, &content_configuration).and_then(|path| found.tree.read(&path));
    let loader = loader.unwrap_or_default();
    if loader.contains("generateId") || loader.contains("docsLoader") && loader.contains("base:") {
        site.routes.open("/", "the loader of the documents is a program");
    }
    site.content.push(ContentRoot::new(&content, "/"));

    let locales = Locales::of(found, &content, options);
    let mut pages = Vec::new();
    for path in found.tree.below(&content) {
        let Some(inside) = path_below(path, &content) else { continue };
        let (stem, ending) = split_ending(inside);
        if !DOCUMENTS.contains(&ending) || name_of(inside).starts_with('_') {
            continue;
        }
        let front = found.tree.front_matter(path);
        if front.is("draft") {
            continue;
        }
        let slug = match front.text("slug") {
            Some(slug) => slug.trim_matches('/').to_owned(),
            None => slug_of(stem),
        };
        add_page(&mut site, path, &slug);
        pages.push((path, slug));
    }
    locales.add_fallbacks(&mut site, &pages);
    add_of_plugins(&mut site, options, &program);
    // Without a page, the root leads to the language of the browser.
    if !locales.names.is_empty() {
        site.routes.add_made("/");
    }
    site.routes.add_made("/404.html");
    site.routes.open("/pagefind/", "the search writes it");
    Some(site)
}

fn read_astro(found: &Found<'_>) -> Option<SiteModel> {
    let program = Program::of(found);
    if found.configuration.is_some() && program.mentions("@astrojs/starlight") {
        return None;
    }
    let mut site = read_pages(&ASTRO, found, &program)?;
    let source = source_of(found, &program)?;
    let content = joined(&source, "content");
    if found.tree.has_directory(&content) {
        site.content.push(ContentRoot::new(&content, "/"));
    }
    for integration in integrations(&program.value) {
        let is_known = matches!(
            integration,
            "mdx"
                | "react"
                | "preact"
                | "vue"
                | "svelte"
                | "solid"
                | "solidJs"
                | "tailwind"
                | "lit"
                | "alpinejs"
                | "partytown"
                | "prefetch"
                | "icon"
                | "markdoc"
                | "sitemap"
                | "expressiveCode"
                | "astroExpressiveCode"
        );
        if !is_known {
            site.routes.open_pages("/", format!("the integration {integration} can add pages"));
        }
    }
    Some(site)
}

/// Returns the directory of the sources.
fn source_of(found: &Found<'_>, program: &Program) -> Option<String> {
    resolved(found.directory, program.text("srcDir").unwrap_or("src"))
}

/// Reads what each site of Astro has.
fn read_pages(generator: &'static Generator, found: &Found<'_>, program: &Program) -> Option<SiteModel> {
    let mut site = SiteModel::new(generator, found);
    base::set(&mut site, program, "base");
    site.set_published(program.text("site").unwrap_or_default());
    let markdown = program.get("markdown");
    let has_plugins =
        ["remarkPlugins", "rehypePlugins", "processor"].iter().any(|key| markdown.get(key).is_there());
    site.headings = Headings { ids: HeadingIds::Starlight, is_changed: has_plugins, ..Headings::default() };
    let mut rule = LinkRule { sources: vec![bundler::pictures()], ..LinkRule::default() };
    if has_plugins || program.mentions("relative-link") || program.mentions("relative-markdown") {
        // A plugin of the Markdown can make URLs of paths of documents.
        let documents = |from| SourceStep { from, endings: &[".md", ".mdx"], added: &[""], any_file: false };
        rule.sources.extend([documents(Origin::Document), documents(Origin::RootedContent)]);
    }
    site.markdown = rule;

    let source = source_of(found, program)?;
    let pages = joined(&source, "pages");
    site.content.push(ContentRoot::new(&pages, "/"));
    for path in found.tree.below(&pages) {
        let Some(inside) = path_below(path, &pages) else { continue };
        let (stem, ending) = split_ending(inside);
        if inside.split('/').any(|name| name.starts_with('_')) {
            continue;
        }
        let is_page = ending == "astro" || ending == "html" || DOCUMENTS.contains(&ending);
        let is_endpoint = matches!(ending, "ts" | "js" | "mjs");
        if let Some(at) = stem.find('[').filter(|_| is_page || is_endpoint) {
            let prefix = stem[..at].rfind('/').map_or("", |end| &stem[..=end]);
            site.routes.open(&format!("/{prefix}"), format!("{inside} makes pages"));
        } else if is_page {
            let slug = stem
                .strip_suffix("index")
                .filter(|rest| rest.is_empty() || rest.ends_with('/'))
                .unwrap_or(stem);
            add_page(&mut site, path, slug.trim_end_matches('/'));
        } else if is_endpoint {
            site.routes.add_made(&format!("/{stem}"));
        }
    }
    let public = resolved(found.directory, program.text("publicDir").unwrap_or("public"))?;
    site.routes.add_directory(found.tree, &public, "/");
    if program.mentions("sitemap") || generator.name == "starlight" {
        site.routes.open("/sitemap", "an integration writes it");
    }
    site.routes.open("/_astro/", "the build writes it");
    redirects::add_of_program(&mut site, program);
    Some(site)
}

/// Adds a page, which is found with and without "/" at its end.
fn add_page(site: &mut SiteModel, path: &str, slug: &str) {
    match slug {
        "" => site.routes.add_page(path, "/"),
        "404" | "500" => site.routes.add_page(path, &format!("/{slug}.html")),
        slug => site.routes.add_page_in(path, &format!("/{slug}/"), &format!("{slug}/index.html")),
    }
}

/// Returns the names of the integrations that a configuration calls.
fn integrations(value: &Value) -> impl Iterator<Item = &str> {
    value.get("integrations").list().iter().map(|one| match one {
        Value::Call(name, _) => name.as_str(),
        _ => "that is computed",
    })
}

/// Returns the options of `starlight({ … })`.
fn options_of(value: &Value) -> &Value {
    let calls = value.get("integrations").list().iter();
    let mut options = calls.filter_map(|one| match one {
        Value::Call(name, arguments) if name == "starlight" => arguments.first(),
        _ => None,
    });
    options.next().unwrap_or(&Value::Computed)
}

/// Opens what plugins of Starlight add.
fn add_of_plugins(site: &mut SiteModel, options: &Value, program: &Program) {
    const PAGES: [&str; 9] = [
        "openapi",
        "blog",
        "typedoc",
        "versions",
        "obsidian",
        "changelogs",
        "sidebar-topics-dropdown",
        "videos",
        "tags",
    ];
    let has_plugins = match options.get("plugins") {
        Value::Computed => program.mentions("plugins"),
        plugins => !plugins.list().is_empty(),
    };
    if has_plugins {
        let plugins = PAGES.iter().filter(|name| program.mentions(&format!("starlight-{name}")));
        for name in plugins {
            site.routes.open("/", format!("the plugin starlight-{name} adds pages"));
        }
        // Plugins of the project itself.
        if program.mentions("injectRoute") {
            site.routes.open("/", "a plugin of the project adds pages");
        }
        site.routes.open("/llms", "a plugin can write it");
        site.routes.open("/_llms", "a plugin can write it");
    } else if program.mentions("injectRoute") {
        site.routes.open("/", "an integration of the project adds pages");
    }
}

/// The languages of a site of Starlight.
struct Locales {
    /// The directories of the languages, without that of the root.
    names: Vec<String>,
    /// The directory of the default language, "" for the root.
    default: String,
}

impl Locales {
    fn of(found: &Found<'_>, content: &str, options: &Value) -> Self {
        let default = match options.get("defaultLocale") {
            Value::Text(name) if name != "root" => name.clone(),
            _ => String::new(),
        };
        match options.get("locales") {
            Value::Map(entries) if !entries.iter().any(|(name, _)| name == "...") => {
                let names = entries.iter().map(|(name, _)| name.to_lowercase()).filter(|name| name != "root");
                let default =
                    if entries.iter().any(|(name, _)| name == "root") { String::new() } else { default };
                Self { names: names.collect(), default: default.to_lowercase() }
            }
            Value::Null => Self { names: Vec::new(), default: String::new() },
            // They are in another file: directories that are named like languages.
            _ => {
                let below =
                    found.tree.below(content).filter_map(|path| path_below(path, content)?.split_once('/'));
                let names: BTreeSet<String> =
                    below.map(|(name, _)| name.to_lowercase()).filter(|name| is_language(name)).collect();
                let has_root =
                    DOCUMENTS.iter().any(|ending| found.tree.has_file(&format!("{content}/index.{ending}")));
                let default = match default.is_empty() && !has_root && names.contains("en") {
                    true => "en".to_owned(),
                    false => default,
                };
                Self { names: names.into_iter().collect(), default }
            }
        }
    }

    /// Adds the pages of the default language to each other language that does not have them.
    fn add_fallbacks(&self, site: &mut SiteModel, pages: &[(&str, String)]) {
        let own: BTreeSet<&str> = pages.iter().map(|(_, slug)| &**slug).collect();
        let is_other = |slug: &str| {
            let first = slug.split('/').next().unwrap_or_default();
            self.names.iter().any(|name| name == first)
        };
        for (path, slug) in pages {
            let slug = slug.as_str();
            let inside = match &*self.default {
                "" if !is_other(slug) => slug,
                "" => continue,
                default if slug == default => "",
                default => match path_below(slug, default) {
                    Some(inside) => inside,
                    None => continue,
                },
            };
            for name in self.names.iter().filter(|name| **name != self.default) {
                let there = joined(name, inside);
                if !own.contains(&*there) {
                    add_page(site, path, &there);
                }
            }
        }
    }
}

/// Returns whether a name is like that of a language: `fr`, `pt-br`, `zh-hans`.
fn is_language(name: &str) -> bool {
    let (language, region) = name.split_once('-').unwrap_or((name, ""));
    let is_word = |word: &str| word.bytes().all(|one| one.is_ascii_lowercase());
    (2..=3).contains(&language.len()) && is_word(language) && region.len() <= 4 && is_word(region)
}

/// Returns the slug of a path: that of each part, without "index" at the end.
fn slug_of(stem: &str) -> String {
    let parts: Vec<String> = stem.split('/').map(|part| HeadingIds::GitHub.id_of(part)).collect();
    let slug = parts.join("/");
    match slug.strip_suffix("index") {
        Some(rest) if rest.is_empty() || rest.ends_with('/') => rest.trim_end_matches('/').to_owned(),
        _ => slug,
    }
}

/// Looks up a path that the bundler resolves.
fn special(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let path = link.path();
    if bundler::is_alias(path) || path.starts_with('@') {
        return Some(Lookup::Unknown("the bundler has a name for a directory".into()));
    }
    if let Some(found) = bundler::script(link).or_else(|| base::beyond(site, link)) {
        return Some(found);
    }
    // `src/assets/…` is written from the root of the project in front matter and components.
    (path.starts_with("/src/") && link.tree.has_file(&resolved(parent_site(link), path)?))
        .then(|| Lookup::Unknown("the bundler resolves paths of the project".into()))
}

/// Returns the directory that has `src` in the path of a document.
fn parent_site<'a>(link: &SiteLink<'a>) -> &'a str {
    let document = link.document;
    match document.find("/src/") {
        Some(at) => &document[..at],
        None => parent(document).split("src").next().unwrap_or_default().trim_end_matches('/'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs() {
        for (stem, expected) in [
            ("guide/UpperCase", "guide/uppercase"),
            ("guide/with space", "guide/with-space"),
            ("guide/sub/index", "guide/sub"),
            ("index", ""),
            ("myindex", "myindex"),
            ("v1.2", "v12"),
        ] {
            assert_eq!(slug_of(stem), expected, "{stem}");
        }
        assert!(
            is_language("pt-br") && is_language("zh-hans") && !is_language("guide") && !is_language("v1")
        );
    }
}
