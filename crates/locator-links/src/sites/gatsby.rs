//! Gatsby: pages are made by a program, so that the site is open, unless most documents say their URL themselves (`path`,
//! `slug` or `permalink` of the front matter).

use super::bundler;
use super::model::{ContentRoot, Found, Generator, Headings, LinkRule, SiteModel, no_special};
use super::program::Program;
use super::redirects;
use super::tree::{joined, path_below, split_ending};

/// The generator.
pub(crate) static GATSBY: Generator = Generator {
    name: "gatsby",
    title: "Gatsby",
    configurations: &["gatsby-config.js", "gatsby-config.ts", "gatsby-config.mjs"],
    read,
    special: no_special,
};

/// The directories that documents are in.
const CONTENT: [&str; 6] = ["content", "docs", "src/content", "src/docs", "src/markdown", "blog"];

/// The keys of the front matter that are URLs.
const KEYS: [&str; 3] = ["permalink", "path", "slug"];

fn read(found: &Found<'_>) -> Option<SiteModel> {
    let program = Program::of(found);
    let mut site = SiteModel::new(&GATSBY, found);
    site.set_base(program.text("pathPrefix").unwrap_or("/"));
    // The ids are those of a plugin.
    site.headings = Headings { is_changed: true, ..Headings::default() };
    site.serving.ignores_slash = true;
    site.markdown = LinkRule { sources: vec![bundler::pictures()], ..LinkRule::default() };
    for directory in CONTENT.map(|name| joined(found.directory, name)) {
        if !found.tree.has_directory(&directory) {
            continue;
        }
        site.content.push(ContentRoot::new(&directory, "/"));
        for path in found.tree.below(&directory) {
            if !matches!(split_ending(path).1, "md" | "mdx") {
                continue;
            }
            let front = found.tree.front_matter(path);
            if let Some(url) = KEYS.iter().find_map(|key| front.text(key)) {
                let url = format!("/{}/", url.trim_matches('/').trim_end_matches(".html"));
                site.routes.add_page(path, if url == "//" { "/" } else { &url });
            }
            for from in front.get("redirect_from").texts() {
                redirects::add(&mut site, from, "");
            }
        }
    }
    let pages = joined(found.directory, "src/pages");
    for path in found.tree.below(&pages) {
        let Some(inside) = path_below(path, &pages) else { continue };
        let (stem, ending) = split_ending(inside);
        if matches!(ending, "js" | "jsx" | "ts" | "tsx" | "md" | "mdx") && !stem.contains(['[', '{']) {
            let slug = stem.strip_suffix("index").unwrap_or(stem).trim_end_matches('/');
            site.routes.add_page(path, &if slug.is_empty() { "/".to_owned() } else { format!("/{slug}/") });
        }
    }
    site.routes.add_directory(found.tree, &joined(found.directory, "static"), "/");
    site.routes.open("/", "gatsby-node makes pages");
    Some(site)
}
