//! Next.js and Nextra: pages of `app` and `pages`, and of Nextra 4 those of `content`. Links of Markdown lose the ending of a
//! document and have the base added; they are URLs relative to a page without "/" at its end.

use locator_find::HeadingIds;

use super::model::{BaseUse, ContentRoot, Found, Generator, Headings, LinkRule, Lookup, SiteLink, SiteModel};
use super::program::{Program, package};
use super::redirects;
use super::tree::{joined, name_of, parent, path_below, split_ending};
use super::{base, bundler};

/// The generator.
pub(crate) static NEXTRA: Generator = Generator {
    name: "nextra",
    title: "Nextra",
    configurations: &CONFIGURATIONS,
    read: read_nextra,
    special,
};

/// The same without Nextra.
pub(crate) static NEXT: Generator =
    Generator { name: "next", title: "Next.js", configurations: &CONFIGURATIONS, read: read_next, special };

const CONFIGURATIONS: [&str; 5] =
    ["next.config.mjs", "next.config.js", "next.config.ts", "next.config.cjs", "next.config.mts"];

/// The endings of programs and documents that are pages.
const PAGES: [&str; 6] = ["mdx", "md", "tsx", "jsx", "ts", "js"];

fn read_nextra(found: &Found<'_>) -> Option<SiteModel> {
    let program = Program::of(found);
    let uses = program.mentions("nextra") || found.configuration.is_none();
    if !uses && !package(found.tree, found.directory).contains("\"nextra\"") {
        return None;
    }
    let mut site = read_pages(&NEXTRA, found, &program);
    let content = ["content", "src/content"].map(|name| joined(found.directory, name));
    let content = content.into_iter().find(|directory| found.tree.has_directory(directory));
    let Some(content) = content else { return Some(site) };

    let route = found.tree.below(found.directory).find(|path| path.contains("[[...mdxPath]]/page."));
    let around = route.map(|path| url_of_app(found, parent(parent(path))));
    let start = match program.text("contentDirBasePath") {
        Some(base) => base.trim_matches('/').to_owned(),
        None => around.flatten().unwrap_or_default(),
    };
    site.content.push(ContentRoot::new(&content, &format!("/{start}")));
    let locales = program.get("i18n.locales").texts();
    let has_languages = program.has("i18n") || route.is_some_and(|path| path.contains("[lang]"));
    for path in found.tree.below(&content) {
        let Some(inside) = path_below(path, &content) else { continue };
        let (stem, ending) = split_ending(inside);
        if !matches!(ending, "md" | "mdx") || inside.split('/').any(|name| name.starts_with('_')) {
            continue;
        }
        let slug = without_index(stem);
        add_page(&mut site, path, &joined(&start, slug));
        // A link without the language leads to that of the reader.
        if let Some((first, rest)) = slug.split_once('/').or(Some((slug, "")))
            && has_languages
            && (locales.contains(&first) || locales.is_empty() && is_language(first))
        {
            site.routes.add_made(&format!("/{}", joined(&start, rest)));
        }
    }
    Some(site)
}

fn read_next(found: &Found<'_>) -> Option<SiteModel> {
    let program = Program::of(found);
    let is_nextra = program.mentions("nextra") || package(found.tree, found.directory).contains("\"nextra\"");
    if is_nextra && found.configuration.is_some() {
        return None;
    }
    let mut site = read_pages(&NEXT, found, &program);
    // Fumadocs, Contentlayer and others make pages of documents.
    for name in ["content", "src/content", "docs", "posts"] {
        let directory = joined(found.directory, name);
        if found.tree.below(&directory).any(|path| matches!(split_ending(path).1, "md" | "mdx")) {
            site.content.push(ContentRoot::new(&directory, "/"));
            site.routes.open("/", format!("a program makes pages of {name}"));
        }
    }
    Some(site)
}

/// Reads what each site of Next.js has.
fn read_pages(generator: &'static Generator, found: &Found<'_>, program: &Program) -> SiteModel {
    let mut site = SiteModel::new(generator, found);
    base::set(&mut site, program, "basePath");
    let has_plugins = program.mentions("remarkPlugins") || program.mentions("rehypePlugins");
    site.headings = Headings {
        ids: HeadingIds::Nextra,
        is_changed: has_plugins || generator.name != "nextra",
        ..Headings::default()
    };
    site.serving.ignores_slash = true;
    let rule = LinkRule {
        sources: vec![bundler::pictures()],
        rewrites: &[(".mdx", ""), (".md", "")],
        base: BaseUse::Added,
        ..LinkRule::default()
    };
    site.markdown = rule.clone();
    site.component = LinkRule { base: BaseUse::AddedOnce, ..rule };

    for name in ["app", "src/app"] {
        let directory = joined(found.directory, name);
        if found.tree.has_directory(&directory) {
            site.content.push(ContentRoot::new(&directory, "/"));
            read_app(&mut site, found, &directory);
        }
    }
    for name in ["pages", "src/pages"] {
        let directory = joined(found.directory, name);
        if found.tree.has_directory(&directory) {
            site.content.push(ContentRoot::new(&directory, "/"));
            read_directory_of_pages(&mut site, found, &directory);
        }
    }
    site.routes.add_directory(found.tree, &joined(found.directory, "public"), "/");
    site.routes.open("/_next/", "the build writes it");
    site.routes.open("/_pagefind/", "the search writes it");
    if program.mentions("i18n") && generator.name == "next" {
        site.routes.open("/", "pages have languages");
    }
    redirects::add_of_program(&mut site, program);
    site
}

/// Reads the App Router: `app/docs/page.mdx` is `/docs`.
fn read_app(site: &mut SiteModel, found: &Found<'_>, directory: &str) {
    for path in found.tree.below(directory) {
        let (stem, ending) = split_ending(name_of(path));
        let (is_page, is_route) = (stem == "page", stem == "route");
        let is_metadata =
            matches!(stem, "sitemap" | "robots" | "manifest" | "favicon" | "icon" | "apple-icon")
                || stem.starts_with("opengraph-image")
                || stem.starts_with("twitter-image");
        if !PAGES.contains(&ending) && !is_metadata {
            continue;
        }
        let around = parent(path);
        match url_of_app(found, around) {
            Some(url) if is_page => add_page(site, path, &url),
            Some(url) if is_route => site.routes.add_made(&format!("/{url}")),
            Some(url) if is_metadata => {
                site.routes.open(&format!("/{}", joined(&url, stem)), "the build writes it");
            }
            None if is_page || is_route => {
                let inside = path_below(around, directory).unwrap_or_default();
                // The content of Nextra is read where it is.
                let is_content = around.ends_with("[[...mdxPath]]") && site.generator.name == "nextra";
                if !is_content {
                    let prefix = dynamic_prefix(inside);
                    site.routes.open(&prefix, format!("{inside} makes pages"));
                }
            }
            _ => {}
        }
    }
}

/// Returns the path of the URL of a directory of `app`, without "/" at the ends; `None` if it has a parameter.
fn url_of_app(found: &Found<'_>, directory: &str) -> Option<String> {
    let inside = path_below(directory, found.directory).unwrap_or(directory);
    let inside = inside.strip_prefix("src/").unwrap_or(inside);
    let inside = inside.strip_prefix("app").unwrap_or(inside);
    let mut url = String::new();
    for name in inside.split('/').filter(|name| !name.is_empty()) {
        let is_group = name.starts_with('(') && name.ends_with(')') || name.starts_with('@');
        match name {
            // The language of a site of Nextra is in the paths of its content.
            "[lang]" | "[locale]" => {}
            _ if is_group => {}
            _ if name.starts_with('[') || name.starts_with('_') => return None,
            _ => url = joined(&url, name),
        }
    }
    Some(url)
}

/// Returns the part of a site that a path with parameters can be in: `/docs/` of `docs/[slug]`.
fn dynamic_prefix(inside: &str) -> String {
    let mut prefix = String::from("/");
    for name in inside.split('/').filter(|name| !(name.starts_with('(') || name.starts_with('@'))) {
        if name.is_empty() || name.starts_with(['[', '_']) {
            break;
        }
        prefix.push_str(name);
        prefix.push('/');
    }
    prefix
}

/// Reads the Pages Router: `pages/docs/a.mdx` is `/docs/a`.
fn read_directory_of_pages(site: &mut SiteModel, found: &Found<'_>, directory: &str) {
    for path in found.tree.below(directory) {
        let Some(inside) = path_below(path, directory) else { continue };
        let (stem, ending) = split_ending(inside);
        if !PAGES.contains(&ending) || name_of(inside).starts_with('_') {
            continue;
        }
        if let Some(at) = stem.find('[') {
            let prefix = stem[..at].rfind('/').map_or("", |end| &stem[..=end]);
            site.routes.open(&format!("/{prefix}"), format!("{inside} makes pages"));
            continue;
        }
        // Nextra 2 has the language at the end of the name: `index.en-US.mdx`.
        let plain = match split_ending(stem) {
            (plain, language) if !language.is_empty() && is_language(language) => plain,
            _ => stem,
        };
        let slug = without_index(plain);
        match slug {
            "404" | "500" => site.routes.add_page(path, &format!("/{slug}.html")),
            slug => add_page(site, path, slug),
        }
    }
}

fn add_page(site: &mut SiteModel, path: &str, slug: &str) {
    match slug {
        "" => site.routes.add_page(path, "/"),
        slug => site.routes.add_page_in(path, &format!("/{slug}"), &format!("{slug}.html")),
    }
}

fn without_index(stem: &str) -> &str {
    match stem.strip_suffix("index") {
        Some(rest) if rest.is_empty() || rest.ends_with('/') => rest.trim_end_matches('/'),
        _ => stem,
    }
}

/// Returns whether a name is like that of a language: `en`, `zh-CN`.
fn is_language(name: &str) -> bool {
    let (language, region) = name.split_once(['-', '_']).unwrap_or((name, ""));
    let is_word = |word: &str| word.bytes().all(|one| one.is_ascii_alphabetic());
    language.len() == 2 && is_word(language) && region.len() <= 4 && is_word(region)
}

/// Looks up a path that the bundler resolves.
fn special(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    match bundler::is_alias(link.path()) {
        true => Some(Lookup::Unknown("the bundler has a name for a directory".into())),
        false => base::beyond(site, link),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_parameters() {
        for (inside, expected) in [
            ("docs/[slug]", "/docs/"),
            ("(site)/docs/[[...path]]", "/docs/"),
            ("[slug]", "/"),
            ("@modal/a/[b]/c", "/a/"),
        ] {
            assert_eq!(dynamic_prefix(inside), expected, "{inside}");
        }
        assert!(is_language("zh-CN") && is_language("en") && !is_language("api"));
    }

    #[test]
    fn documents_of_which_a_program_makes_pages() {
        use super::super::model::LinkForm;
        use super::super::resolve::{State, judge};
        use super::super::tree::Tree;

        let folder = tempfile::tempdir().expect("a directory");
        for (path, text) in [
            ("next.config.js", "module.exports = {}\n"),
            ("public/_redirects", "/docs/old/* /docs/b.yaml 301\n"),
            ("public/docs/b.yaml", ""),
            ("public/docs/guide/c.yaml", ""),
            ("content/docs/README.md", ""),
            ("content/docs/guide.md", ""),
        ] {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            std::fs::write(path, text).expect("a file");
        }
        let tree = Tree::open(folder.path());
        let found = Found { tree: &tree, directory: "", configuration: Some("next.config.js") };
        let mut site = read_next(&found).expect("a site");
        redirects::add_of_hosts(&mut site, &found);
        for (document, written, is_there) in [
            ("content/docs/README.md", "b.yaml", true),
            ("content/docs/guide.md", "c.yaml", true),
            ("content/docs/guide.md", "old/x", true),
            ("content/docs/guide.md", "none.md", false),
        ] {
            let link = SiteLink { document, tree: &tree, written, form: LinkForm::Markup };
            let judged = judge(&site, &link).map(|judgement| judgement.state);
            assert_eq!(matches!(judged, Some(State::Source { .. })), is_there, "{written}: {judged:?}");
        }
    }
}
