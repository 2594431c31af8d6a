//! Zola: `config.toml` with `base_url`, or `zola.toml`.
//!
//! A page is at the path of its section with its slug, and ends with "/". `@/a.md` is a path in `content`, with its ending; every
//! other link is left as it is written (getzola.org, "Page", "Section", "Internal links"; `components/markdown`).

use std::collections::BTreeSet;

use super::configuration::Value;
use super::front_matter::{Date, FrontMatter};
use super::glob::Globs;
use super::model::{ContentRoot, Found, Generator, Headings, LinkForm, Lookup, SiteLink, SiteModel};
use super::resolve::decoded;
use super::tree::{joined, name_of, parent, path_below, resolved, split_ending};
use locator_find::HeadingIds;

pub(super) static ZOLA: Generator =
    Generator { name: "zola", title: "Zola", configurations: &["zola.toml", "config.toml"], read, special };

fn read(found: &Found<'_>) -> Option<SiteModel> {
    let configuration = Value::toml(&found.text());
    let content = joined(found.directory, "content");
    if found.configuration.is_some() && configuration.get("base_url").is_null() {
        return None;
    }
    let mut site = SiteModel::new(&ZOLA, found);
    site.set_base(configuration.get("base_url").text().unwrap_or_default());
    site.content.push(ContentRoot::new(&content, "/"));
    site.headings = Headings { ids: HeadingIds::Zola, ..Headings::default() };
    // `safe` and `off` keep more of the text.
    site.headings.is_changed |= configuration.get("slugify.anchors").text().is_some_and(|how| how != "on");
    let mut pages = Pages::read(&configuration, &content);
    pages.add_all(&mut site, found);
    pages.add_lists(&mut site, &configuration);
    site.routes.add_directory(found.tree, &joined(found.directory, "static"), "/");
    for made in ["/", "/sitemap.xml", "/robots.txt", "/404.html"] {
        site.routes.add_made(made);
    }
    if let Some(theme) = configuration.get("theme").text() {
        let directory = joined(found.directory, &format!("themes/{theme}/static"));
        if found.tree.has_directory(&directory) {
            site.routes.add_directory(found.tree, &directory, "/");
        } else if !found.tree.has_directory(&joined(found.directory, &format!("themes/{theme}"))) {
            site.routes.open_files("/", &[], format!("the theme {theme} is not in the tree"));
        }
    }
    // Style sheets are made of SASS, and a search index of the pages.
    site.routes.open_files("/", &["css", "js", "json"], "style sheets and indexes are made");
    Some(site)
}

/// What a configuration says of pages.
struct Pages {
    content: String,
    default_language: String,
    languages: Vec<String>,
    slugs: String,
    ignored: Globs,
    /// The terms of taxonomies, by their URLs.
    terms: BTreeSet<String>,
    taxonomies: Vec<String>,
    term_slugs: String,
    feeds: Vec<String>,
}

impl Pages {
    fn read(configuration: &Value, content: &str) -> Self {
        let text = |path: &str, default: &str| configuration.get(path).text().unwrap_or(default).to_owned();
        let taxonomies = configuration.get("taxonomies").list().iter();
        let mut feeds: Vec<_> =
            configuration.get("feed_filenames").texts().into_iter().map(str::to_owned).collect();
        feeds.extend(configuration.get("feed_filename").text().map(str::to_owned));
        if feeds.is_empty() {
            feeds.push("atom.xml".to_owned());
        }
        Self {
            content: content.to_owned(),
            default_language: text("default_language", "en"),
            languages: configuration.get("languages").entries().map(|(name, _)| name.to_owned()).collect(),
            slugs: text("slugify.paths", "on"),
            ignored: Globs::new(configuration.get("ignored_content").texts()),
            terms: BTreeSet::new(),
            taxonomies: taxonomies.filter_map(|one| one.get("name").text().map(str::to_owned)).collect(),
            term_slugs: text("slugify.taxonomies", "on"),
            feeds,
        }
    }

    fn add_all(&mut self, site: &mut SiteModel, found: &Found<'_>) {
        let mut assets = Vec::new();
        for path in found.tree.below(&self.content) {
            let below = path_below(path, &self.content).unwrap_or(path);
            if self.ignored.has(below) || name_of(below).starts_with('.') {
                continue;
            }
            match split_ending(below) {
                (stem, "md") => self.add(site, found, path, stem),
                _ => assets.push((path, below)),
            }
        }
        for (path, below) in assets {
            self.add_asset(site, path, below);
        }
    }

    /// Adds a page or a section.
    fn add(&mut self, site: &mut SiteModel, found: &Found<'_>, path: &str, stem: &str) {
        let front = found.tree.front_matter(path);
        if front.is("draft") || front.get("render").bool() == Some(false) {
            return;
        }
        let directory = parent(stem);
        let (name, language) = self.without_language(name_of(stem));
        let prefix = language.map(|language| format!("/{language}")).unwrap_or_default();
        let has_other = |text: &str| HeadingIds::Zola.is_unknown_for(text);
        let url = match name {
            "_index" => format!("/{directory}/").replace("//", "/"),
            _ => match front.text("path") {
                Some(own) => format!("/{}/", own.trim_matches('/')).replace("//", "/"),
                None => {
                    let is_bundle = name == "index" && !directory.is_empty();
                    let section = if is_bundle { parent(directory) } else { directory };
                    let own = if is_bundle { name_of(directory) } else { name };
                    let undated = Date::at_start(own).map(|(_, rest)| rest.trim_start_matches(['-', '_']));
                    let own = undated.filter(|rest| !rest.is_empty()).unwrap_or(own);
                    let own = front.text("slug").unwrap_or(own);
                    if self.slugs == "on" && has_other(own) {
                        site.routes.open(
                            &format!("{prefix}/{section}").replace("//", "/"),
                            "a name in another script is transliterated",
                        );
                    }
                    format!("/{}/", joined(section, &slugified(own, &self.slugs)))
                }
            },
        };
        let url = format!("{prefix}{url}");
        site.routes.add_page(path, &url);
        // Names of directories may be changed, too.
        let slugged: Vec<_> = url.split('/').map(|name| slugified(name, &self.slugs)).collect();
        let slugged = slugged.join("/");
        if slugged != url {
            site.routes.add_other_url(path, &slugged);
        }
        for alias in front.get("aliases").texts() {
            let alias = alias.trim_matches('/');
            let end = if alias.ends_with(".html") { "" } else { "/" };
            site.routes.add_redirect(&format!("/{alias}{end}"), &url);
        }
        for feed in &self.feeds {
            if name == "_index" {
                site.routes.add_made(&format!("{url}{feed}"));
            }
        }
        if name == "_index" && front.get("paginate_by").is_there() {
            let part = front.text("paginate_path").unwrap_or("page");
            site.routes.open(&format!("{url}{part}/"), "pages of lists are numbered");
        }
        self.add_terms(&front, &prefix);
    }

    fn add_terms(&mut self, front: &FrontMatter, prefix: &str) {
        for taxonomy in &self.taxonomies {
            let terms = front.get("taxonomies").member(taxonomy).texts();
            let terms = terms.into_iter().map(|term| slugified(term, &self.term_slugs));
            let start = format!("{prefix}/{}", slugified(taxonomy, &self.term_slugs));
            self.terms.extend(terms.map(|term| format!("{start}/{term}/")));
        }
    }

    /// Adds the lists of terms, and what is made for all pages.
    fn add_lists(&self, site: &mut SiteModel, configuration: &Value) {
        for taxonomy in configuration.get("taxonomies").list() {
            let Some(name) = taxonomy.get("name").text() else { continue };
            if taxonomy.get("render").bool() != Some(false) {
                let url = format!("/{}/", slugified(name, &self.term_slugs));
                site.routes.add_made(&url);
                for language in &self.languages {
                    site.routes.add_made(&format!("/{language}{url}"));
                }
            }
        }
        for url in &self.terms {
            site.routes.add_made(url);
            for feed in &self.feeds {
                site.routes.add_made(&format!("{url}{feed}"));
            }
            site.routes.open(&format!("{url}page/"), "pages of lists are numbered");
        }
        for language in &self.languages {
            site.routes.add_made(&format!("/{language}/"));
        }
        for feed in &self.feeds {
            site.routes.add_made(&format!("/{feed}"));
        }
    }

    /// Returns a name without the code of a language at its end, and the code, if it is not the default one.
    fn without_language<'n>(&self, name: &'n str) -> (&'n str, Option<&'n str>) {
        let Some((stem, language)) = name.rsplit_once('.') else { return (name, None) };
        match self.languages.iter().any(|own| own == language) {
            true => (stem, Some(language).filter(|language| *language != self.default_language)),
            false => (name, None),
        }
    }

    /// Adds a file beside a page: of the directory of an `index.md`, or of a section.
    fn add_asset(&self, site: &mut SiteModel, path: &str, below: &str) {
        let mut around = parent(below);
        loop {
            let is_own = around == parent(below);
            for (name, counts) in [("index.md", true), ("_index.md", is_own)] {
                let page = joined(&self.content, &joined(around, name));
                if counts && let Some(url) = site.routes.url_of(&page).map(str::to_owned) {
                    let inside = path_below(below, around).unwrap_or(below);
                    return site.routes.add_file(path, &joined(url.trim_matches('/'), inside));
                }
            }
            if around.is_empty() {
                return;
            }
            around = parent(around);
        }
    }
}

/// Returns a name as a part of a URL, by the strategy of `slugify`.
fn slugified(text: &str, strategy: &str) -> String {
    match strategy {
        "on" => HeadingIds::Zola.id_of(text),
        "safe" => {
            let kept = text.chars().filter(|one| !"<>:\"/\\|?*#%+,;=@[]{}'`&!$()".contains(*one));
            kept.collect::<String>().trim().replace(' ', "_")
        }
        _ => text.replace(' ', "_"),
    }
}

/// Looks up `@/a.md`, which is not read in HTML.
fn special(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let path = link.path().strip_prefix("@/")?;
    if link.form != LinkForm::Markup {
        return Some(Lookup::Dead("Zola reads \"@/\" in Markdown only".into()));
    }
    let path = decoded(path);
    let content = site.content.first().map_or("", |root| &root.directory);
    let file = resolved(content, &path)?;
    Some(match site.routes.url_of(&file) {
        Some(_) => Lookup::Source(file.into()),
        // A section without `_index.md`, or a draft, is an error, too.
        None => Lookup::Dead("Zola stops at a path of content that is no page".into()),
    })
}
