//! `mdBook`: `book.toml`.
//!
//! The pages are the chapters that `SUMMARY.md` names, and what they include; other files of the book are copied. Every relative
//! link that ends with `.md` becomes `.html`, in HTML, too (the `mdBook` guide, "Renderers").

use std::collections::BTreeSet;

use super::configuration::Value;
use super::model::{ContentRoot, Found, Generator, Headings, LinkRule, SiteModel, no_special};
use super::tree::{joined, name_of, parent, path_below, resolved, split_ending};
use locator_find::HeadingIds;

pub(super) static MDBOOK: Generator =
    Generator { name: "mdbook", title: "mdBook", configurations: &["book.toml"], read, special: no_special };

fn read(found: &Found<'_>) -> Option<SiteModel> {
    let configuration = Value::toml(&found.text());
    let mut site = SiteModel::new(&MDBOOK, found);
    let source = resolved(found.directory, configuration.get("book.src").text().unwrap_or("src"))?;
    if let Some(url) = configuration.get("output.html.site-url").text() {
        site.set_base(url);
    }
    site.content.push(ContentRoot::new(&source, "/"));
    site.headings = headings(&configuration);
    let rule = LinkRule { rewrites: &[(".md", ".html")], ..LinkRule::default() };
    (site.markdown, site.html, site.component) = (rule.clone(), rule.clone(), rule);
    add_pages(&mut site, found, &source);
    for made in ["/print.html", "/404.html", "/toc.html", "/toc.js", "/searchindex.js", "/searchindex.json"] {
        site.routes.add_made(made);
    }
    for (from, to) in configuration.get("output.html.redirect").entries() {
        site.routes.add_redirect(from, to.text().unwrap_or_default());
    }
    for (name, _) in configuration.get("preprocessor").entries() {
        // What these change is in chapters.
        const WITHOUT_PAGES: [&str; 14] = [
            "links",
            "index",
            "toc",
            "mermaid",
            "katex",
            "admonish",
            "alerts",
            "linkcheck",
            "emojicodes",
            "graphviz",
            "plantuml",
            "footnote",
            "pagetoc",
            "svgbob",
        ];
        if !WITHOUT_PAGES.contains(&name) {
            site.routes.open("/", format!("the preprocessor {name} may add pages"));
        }
    }
    Some(site)
}

/// Adds the chapters and the files that are copied.
fn add_pages(site: &mut SiteModel, found: &Found<'_>, source: &str) {
    let summary = found
        .tree
        .read(&joined(source, "SUMMARY.md"))
        .or_else(|| found.tree.read(&joined(source, "summary.md")));
    if summary.is_none() {
        site.routes.open("/", "the book has no SUMMARY.md");
    }
    let summary = summary.unwrap_or_default();
    let mut first = None;
    let mut chapters = BTreeSet::new();
    for target in link_targets(&summary) {
        let target = super::resolve::decoded(target.split('#').next().unwrap_or_default());
        let Some(path) = resolved(source, &target).filter(|path| found.tree.has_file(path)) else { continue };
        first.get_or_insert_with(|| path.clone());
        chapters.insert(path);
    }
    for path in found.tree.below(source) {
        let below = path_below(path, source).unwrap_or(path);
        let (stem, ending) = split_ending(below);
        if chapters.contains(path) && matches!(ending, "md" | "markdown") {
            let is_readme = name_of(stem).eq_ignore_ascii_case("readme");
            let output = if is_readme { joined(parent(stem), "index.html") } else { format!("{stem}.html") };
            site.routes.add_page_in(path, &format!("/{output}"), &output);
        } else if ending != "md" {
            site.routes.add_file(path, below);
        }
    }
    if let Some(first) = first
        && site.routes.output("index.html").is_none()
    {
        site.routes.add_file(&first, "index.html");
    }
}

/// Returns the destinations of the links of `SUMMARY.md`: `[text](target)`, `[text](<a target>)`.
fn link_targets(summary: &str) -> impl Iterator<Item = &str> {
    summary.split("](").skip(1).filter_map(|rest| match rest.strip_prefix('<') {
        Some(rest) => rest.split_once('>').map(|(target, _)| target),
        None => {
            let end = rest.find(|one: char| one == ')' || one.is_whitespace())?;
            rest.get(..end)
        }
    })
}

/// Reads what changes the ids of headings: preprocessors may add some.
fn headings(configuration: &Value) -> Headings {
    let is_adding = |name: &str| !matches!(name, "links" | "index");
    let is_changed = configuration.get("preprocessor").entries().any(|(name, _)| is_adding(name))
        || configuration.get("output.html.smart-punctuation").bool() == Some(false);
    Headings { ids: HeadingIds::MdBook, is_changed, ..Headings::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_headings() {
        for (text, is_changed) in [
            ("[book]\ntitle = \"x\"\n", false),
            ("[preprocessor.links]\n[preprocessor.toc]\n", true),
            ("[output.html]\nsmart-punctuation = false\n", true),
        ] {
            assert_eq!(headings(&Value::toml(text)).is_changed, is_changed, "{text}");
        }
    }

    #[test]
    fn chapters() {
        let targets: Vec<_> =
            link_targets("# S\n- [A](a.md)\n- [B](<b c.md>)\n- [D]()\n- [E](e.md \"t\")\n").collect();
        assert_eq!(targets, ["a.md", "b c.md", "", "e.md"]);
    }
}
