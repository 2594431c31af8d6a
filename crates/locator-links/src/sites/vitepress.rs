//! `VitePress`: Markdown below `srcDir`, `a.md` at `/a.html` or `/a`, `index.md` at its directory. Links of Markdown lose or
//! change their endings and have the base added; raw HTML is left as it is.

use locator_find::HeadingIds;

use super::configuration::Value;
use super::glob::Globs;
use super::model::{
    BaseUse, ContentRoot, Found, Generator, Headings, LinkForm, LinkRule, Lookup, SiteLink, SiteModel,
};
use super::program::Program;
use super::tree::{name_of, parent, path_below, resolved, split_ending};
use super::{base, bundler};

/// The generator.
pub(crate) static VITEPRESS: Generator = Generator {
    name: "vitepress",
    title: "VitePress",
    configurations: &[
        ".vitepress/config.ts",
        ".vitepress/config.mts",
        ".vitepress/config.js",
        ".vitepress/config.mjs",
        ".vitepress/config.cjs",
        ".vitepress/config.cts",
        ".vitepress/config/index.ts",
        ".vitepress/config/index.mts",
        ".vitepress/config/index.js",
        ".vitepress/config/index.mjs",
    ],
    read,
    special,
};

fn read(found: &Found<'_>) -> Option<SiteModel> {
    let program = Program::of(found);
    let mut site = SiteModel::new(&VITEPRESS, found);
    let source = resolved(found.directory, program.text("srcDir").unwrap_or("."))?;
    let is_clean = program.get("cleanUrls").bool() == Some(true);
    base::set(&mut site, &program, "base");
    site.set_published(program.text("sitemap.hostname").unwrap_or_default());
    site.content.push(ContentRoot::new(&source, "/"));
    site.serving.adds_index = true;
    let markdown = program.get("markdown");
    let is_changed =
        ["anchor", "config", "preConfig", "headers"].iter().any(|key| markdown.get(key).is_there())
            || program.get("vite.plugins").is_there();
    site.headings = Headings { ids: HeadingIds::VitePress, is_changed, ..Headings::default() };
    site.markdown = LinkRule {
        sources: vec![bundler::pictures()],
        rewrites: match is_clean {
            true => &[("/index.md", "/"), (".md", "")],
            false => &[("/index.md", "/"), (".md", ".html")],
        },
        base: BaseUse::Added,
        ..LinkRule::default()
    };
    site.component = LinkRule { base: BaseUse::AddedOnce, ..LinkRule::default() };

    let excluded = program.get("srcExclude");
    if *excluded == Value::Computed {
        site.routes.open("/", "srcExclude is computed");
    }
    let excluded = Globs::new(excluded.texts());
    let moves = Moves::of(&mut site, &program);
    for path in found.tree.below(&source) {
        let Some(inside) = path_below(path, &source) else { continue };
        let is_hidden = inside.split('/').any(|name| name.starts_with('.'));
        let is_build = inside.split('/').any(|name| name == "dist");
        let Some(stem) = inside.strip_suffix(".md") else { continue };
        if is_hidden || is_build || excluded.has(inside) {
            continue;
        }
        if let Some(at) = stem.find('[') {
            let prefix = moves.of_path(&stem[..at]);
            let prefix = prefix.rfind('/').map_or("/", |at| prefix.get(..=at).unwrap_or("/"));
            let prefix = format!("/{}", prefix.trim_start_matches('/'));
            site.routes.open(&prefix, format!("{inside} makes pages"));
            continue;
        }
        let moved = moves.of_path(inside);
        let stem = moved.strip_suffix(".md").unwrap_or(&moved);
        let url = match name_of(stem) {
            "index" => format!("/{}", &stem[..stem.len() - "index".len()]),
            _ if is_clean => format!("/{stem}"),
            _ => format!("/{stem}.html"),
        };
        let output = format!("{stem}.html");
        site.routes.add_page_in(path, &url, &output);
    }
    let public = super::tree::joined(&source, "public");
    site.routes.add_directory(found.tree, &public, "/");
    for made in ["/404.html", "/sitemap.xml", "/hashmap.json"] {
        site.routes.add_made(made);
    }
    if program.has("buildEnd") || program.mentions("llmstxt") {
        for prefix in ["/feed", "/rss", "/atom", "/llms", "/sitemap"] {
            site.routes.open(prefix, "the end of the build can write files");
        }
    }
    Some(site)
}

/// Where `rewrites` move pages.
struct Moves {
    /// The pattern of a path, and the path with the names of its parts.
    rules: Vec<(String, String)>,
}

impl Moves {
    /// Reads `rewrites`; those that are not understood open the site.
    fn of(site: &mut SiteModel, program: &Program) -> Self {
        let mut rules = Vec::new();
        match program.get("rewrites") {
            Value::Null => {}
            Value::Map(entries) => {
                for (from, to) in entries {
                    match to.text().filter(|_| from != "..." && !from.contains(['(', '{', '?', '+'])) {
                        Some(to) => rules.push((from.trim_start_matches('/').to_owned(), to.to_owned())),
                        None => site.routes.open("/", "rewrites are patterns"),
                    }
                }
            }
            _ => site.routes.open("/", "rewrites are computed"),
        }
        Self { rules }
    }

    /// Returns the path to which a file is moved.
    fn of_path(&self, path: &str) -> String {
        let moved = self.rules.iter().find_map(|(from, to)| moved(from, to, path));
        moved.unwrap_or_else(|| path.to_owned())
    }
}

/// Returns the path to which a rule moves one: `en/:rest*` to `:rest*`, `packages/:name/a.md` to `:name.md`.
fn moved(from: &str, to: &str, path: &str) -> Option<String> {
    let (mut values, mut rest) = (Vec::<(&str, &str)>::new(), path);
    let mut segments = from.split('/').peekable();
    while let Some(segment) = segments.next() {
        if let Some(name) = segment.strip_prefix(':').and_then(|name| name.strip_suffix('*')) {
            values.push((name, rest));
            rest = "";
            continue;
        }
        let is_last = segments.peek().is_none();
        let (own, after) = if is_last { (rest, "") } else { rest.split_once('/')? };
        rest = after;
        if own.contains('/') {
            return None;
        }
        match segment.split_once(':') {
            None if segment == own => {}
            None => return None,
            Some((before, name)) => {
                let end = name.find(|one: char| !one.is_alphanumeric() && one != '_').unwrap_or(name.len());
                let (name, end) = name.split_at(end);
                let value = own.strip_prefix(before)?.strip_suffix(end)?;
                values.push((name, value));
            }
        }
    }
    if !rest.is_empty() {
        return None;
    }
    // Longer names first: ":page" is the beginning of ":pages".
    values.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut result = to.to_owned();
    for (name, value) in values {
        result = result.replace(&format!(":{name}*"), value).replace(&format!(":{name}"), value);
    }
    Some(result.trim_start_matches('/').to_owned())
}

/// Looks up links without an ending: without `cleanUrls`, `a` is `a.html`, never `a/`.
fn special(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let path = link.path();
    if bundler::is_alias(path) {
        return Some(Lookup::Unknown("the bundler has a name for a directory".into()));
    }
    // The base is added to links of Markdown, and must be written in HTML.
    if link.form != LinkForm::Markup {
        return base::beyond(site, link);
    }
    let is_plain = link.form == LinkForm::Markup && !path.is_empty() && !super::resolve::has_scheme(path);
    if !is_plain || path.starts_with("//") || site.markdown.rewrites.contains(&(".md", "")) {
        return None;
    }
    let name = name_of(path);
    let is_page = !name.is_empty() && !matches!(name, "." | "..") && split_ending(path).1.is_empty();
    let rest = link.written.get(path.len()..).unwrap_or_default();
    // A file without an ending in the public directory is served as it is.
    let is_file = site.routes.output(path.trim_start_matches('/')).is_some();
    (is_page && !is_file && !parent(path).ends_with(".vitepress"))
        .then(|| Lookup::Means(format!("{path}.html{rest}").into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewrites() {
        for (from, to, path, expected) in [
            ("en/:rest*", ":rest*", "en/guide/a.md", Some("guide/a.md")),
            ("en/:rest*", ":rest*", "fr/guide/a.md", None),
            ("guide/moved.md", "elsewhere/moved.md", "guide/moved.md", Some("elsewhere/moved.md")),
            ("packages/:pkg/src/:page.md", ":pkg/:page.md", "packages/a/src/b.md", Some("a/b.md")),
            ("packages/:pkg/src/:page.md", ":pkg/:page.md", "packages/a/src/c/b.md", None),
        ] {
            assert_eq!(moved(from, to, path).as_deref(), expected, "{from} {path}");
        }
    }
}
