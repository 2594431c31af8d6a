//! Hugo: `hugo.toml`, `config.toml` with `baseURL`, `config/_default/`.
//!
//! A page is at its path in `content`, in lower case, and ends with "/". Links of Markdown are left as they are written, unless a
//! hook renders them: the embedded one looks a path up as content, one of the layouts or of a theme can do anything. `ref` and
//! `relref` look up content, too (gohugo.io, "URL management", "Link render hooks", "Module mounts", "Multilingual mode").

use std::collections::BTreeSet;

use super::configuration::Value;
use super::front_matter::{Date, FrontMatter};
use super::model::{BaseUse, ContentRoot, Found, Generator, Headings, LinkForm, Lookup, SiteLink, SiteModel};
use super::resolve::{decoded, has_scheme};
use super::tree::{joined, name_of, parent, path_below, resolved, split_ending};
use locator_find::HeadingIds;

pub(super) static HUGO: Generator = Generator {
    name: "hugo",
    title: "Hugo",
    configurations: &[
        "hugo.toml",
        "hugo.yaml",
        "hugo.yml",
        "hugo.json",
        "config/_default/hugo.toml",
        "config/_default/hugo.yaml",
        "config/_default/hugo.yml",
        "config/_default/config.toml",
        "config/_default/config.yaml",
        "config/_default/config.yml",
        "config.toml",
        "config.yaml",
        "config.yml",
        "config.json",
    ],
    read,
    special,
};

fn read(found: &Found<'_>) -> Option<SiteModel> {
    // `config/production/hugo.toml` is a part of the configuration above.
    if name_of(parent(found.directory)) == "config" {
        return None;
    }
    let configuration = configuration(found);
    let path = found.configuration.unwrap_or_default();
    let is_named = path.is_empty() || name_of(path).starts_with("hugo.") || path.contains("config/_default/");
    let has_content = || found.tree.has_directory(&joined(found.directory, "content"));
    if !is_named
        && configuration.get("baseurl").is_null()
        && !(configuration.get("languagecode").is_there() && has_content())
    {
        return None;
    }
    let mut site = SiteModel::new(&HUGO, found);
    if let Some(base) = configuration.get("baseurl").text() {
        site.set_base(base);
    }
    site.headings = headings(&configuration);
    if configuration.get("canonifyurls").bool() == Some(true) {
        site.markdown.base = BaseUse::AddedOnce;
        site.html.base = BaseUse::AddedOnce;
    }
    let languages = Languages::read(&configuration);
    let mounts = Mounts::read(&configuration, found, &languages);
    let hook = hook(&configuration, found, &mounts, &languages);
    if hook == Hook::Own {
        site.markdown.doubt = Some("a hook of the layouts or of a theme can rewrite the link");
    }
    let mut pages =
        Pages { found, configuration: &configuration, languages: &languages, terms: BTreeSet::new() };
    for mount in &mounts.content {
        pages.add_mount(&mut site, mount);
    }
    pages.add_lists(&mut site);
    for (directory, url) in &mounts.files {
        match found.tree.has_file(directory) {
            true => site.routes.add_file(directory, url.trim_matches('/')),
            false => site.routes.add_directory(found.tree, directory, url),
        }
    }
    open(&mut site, &configuration, found, &mounts);
    let hooked = if hook == Hook::None { "no" } else { "yes" };
    site.names.insert(("hook", "".into()), hooked.into());
    Some(site)
}

/// Reads the configuration, of one file or of a directory with a file for each key. Keys are in lower case.
fn configuration(found: &Found<'_>) -> Value {
    let path = found.configuration.unwrap_or_default();
    let mut value = Value::of_file(path, &found.text()).with_lower_keys();
    let directory = joined(found.directory, "config/_default");
    let files = found.tree.below(&directory).filter(|other| *other != path);
    for other in files.filter(|other| matches!(split_ending(other).1, "toml" | "yaml" | "yml" | "json")) {
        let (key, _) = split_ending(name_of(other));
        let read = Value::of_file(other, &found.tree.read(other).unwrap_or_default()).with_lower_keys();
        if let Value::Map(entries) = &mut value {
            match (key, read) {
                ("hugo" | "config", Value::Map(more)) => entries.extend(more),
                (key, read) => match key.split_once('.') {
                    // `menus.en.toml` and `params.en.toml` are of no interest.
                    Some(_) => {}
                    None => entries.push((key.to_lowercase(), read)),
                },
            }
        }
    }
    value
}

/// The languages of a site.
struct Languages {
    /// The keys, in lower case.
    keys: Vec<String>,
    default: String,
    is_default_in_directory: bool,
}

impl Languages {
    fn read(configuration: &Value) -> Self {
        let default = configuration.get("defaultcontentlanguage").text().unwrap_or("en").to_lowercase();
        let disabled = configuration.get("disablelanguages").texts();
        let entries = configuration.get("languages").entries();
        let is_on = |(key, value): &(&str, &Value)| {
            value.get("disabled").bool() != Some(true) && !disabled.contains(key)
        };
        let keys = entries.filter(is_on).map(|(key, _)| key.to_owned()).collect();
        let is_default_in_directory =
            configuration.get("defaultcontentlanguageinsubdir").bool() == Some(true);
        Self { keys, default, is_default_in_directory }
    }

    /// Returns what is before the URLs of a language: "/fr".
    fn prefix(&self, key: &str) -> String {
        if key == self.default && !self.is_default_in_directory || self.keys.is_empty() {
            String::new()
        } else {
            format!("/{key}")
        }
    }

    /// Returns a stem without the key of a language at its end, and the key.
    fn without_key<'s>(&'s self, stem: &'s str) -> (&'s str, Option<&'s str>) {
        let ends = stem.rsplit_once('.').and_then(|(before, key)| {
            let own = self.keys.iter().find(|own| own.eq_ignore_ascii_case(key))?;
            Some((before, own))
        });
        ends.map_or((stem, None), |(before, key)| (before, Some(key)))
    }
}

/// A directory or a file that is mounted as content.
struct ContentMount {
    /// In the tree.
    source: String,
    /// Where it is in the content, "" at its top.
    target: String,
    language: Option<String>,
}

/// What is mounted where.
#[derive(Default)]
struct Mounts {
    content: Vec<ContentMount>,
    /// Directories that are published, and their URLs.
    files: Vec<(String, String)>,
    layouts: Vec<String>,
    /// A theme or a module that is not in the tree.
    missing: Option<String>,
    /// Whether a module that is not in the tree has mounts of content.
    has_missing_content: bool,
}

impl Mounts {
    fn read(configuration: &Value, found: &Found<'_>, languages: &Languages) -> Self {
        let mut mounts = Self::default();
        let home = found.directory;
        let directory = |key: &str, default: &str| {
            resolved(home, configuration.get(key).text().unwrap_or(default)).unwrap_or_default()
        };
        for mount in configuration.get("module.mounts").list() {
            mounts.add(mount, found, home);
        }
        if mounts.content.is_empty() {
            let content = directory("contentdir", "content");
            let mut has_own = false;
            for key in &languages.keys {
                let own = configuration.get("languages").member(key).get("contentdir").text();
                if let Some(source) = own.and_then(|own| resolved(home, own)) {
                    has_own = true;
                    mounts.content.push(ContentMount {
                        source,
                        target: String::new(),
                        language: Some(key.clone()),
                    });
                }
            }
            if !has_own {
                mounts.content.push(ContentMount { source: content, target: String::new(), language: None });
            }
        }
        if mounts.files.is_empty() {
            let mut names = configuration.get("staticdir").texts();
            for (key, value) in configuration.entries() {
                if key.starts_with("staticdir") && key != "staticdir" {
                    names.extend(value.texts());
                }
            }
            if names.is_empty() {
                names.push("static");
            }
            mounts
                .files
                .extend(names.into_iter().filter_map(|name| Some((resolved(home, name)?, "/".to_owned()))));
        }
        mounts.layouts.push(directory("layoutdir", "layouts"));
        mounts.add_themes(configuration, found);
        mounts
    }

    fn add(&mut self, mount: &Value, found: &Found<'_>, home: &str) {
        let (Some(source), Some(target)) = (mount.get("source").text(), mount.get("target").text()) else {
            return;
        };
        let Some(source) = resolved(home, source) else { return };
        let is_there = found.tree.has_directory(&source) || found.tree.has_file(&source);
        let (component, below) = target.split_once('/').unwrap_or((target, ""));
        match component {
            // What npm or a build puts there.
            "content" if !is_there => self.has_missing_content = true,
            "content" => {
                let language = mount.get("lang").text().map(str::to_lowercase);
                self.content.push(ContentMount {
                    source,
                    target: below.trim_matches('/').to_owned(),
                    language,
                });
            }
            "static" if found.tree.has_file(&source) => {
                self.files.push((source, format!("/{}", below.trim_matches('/'))));
            }
            "static" => self.files.push((source, format!("/{}/", below.trim_matches('/')))),
            "layouts" => self.layouts.push(source),
            _ => {}
        }
    }

    /// Adds the themes and modules that are in the tree.
    fn add_themes(&mut self, configuration: &Value, found: &Found<'_>) {
        let home = found.directory;
        let themes_directory = configuration.get("themesdir").text().unwrap_or("themes");
        let mut names: Vec<String> =
            configuration.get("theme").texts().into_iter().map(str::to_owned).collect();
        for import in configuration.get("module.imports").list() {
            names.extend(import.get("path").text().map(str::to_owned));
            let is_content = |mount: &Value| {
                mount.get("target").text().is_some_and(|target| target.starts_with("content"))
            };
            self.has_missing_content |= import.get("mounts").list().iter().any(is_content);
        }
        for name in names {
            let candidates = [
                resolved(home, &format!("{themes_directory}/{name}")),
                resolved(home, &format!("_vendor/{name}")),
                resolved(home, &format!("{themes_directory}/{}", name_of(&name))),
            ];
            let is_there = |path: &String| found.tree.below(path).next().is_some();
            match candidates.into_iter().flatten().find(is_there) {
                Some(theme) => {
                    self.files.push((joined(&theme, "static"), "/".to_owned()));
                    self.layouts.push(joined(&theme, "layouts"));
                }
                None => self.missing = Some(name),
            }
        }
    }
}

/// What renders links of Markdown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hook {
    None,
    /// The one of Hugo, which looks up content.
    Embedded,
    /// One that is not known.
    Own,
}

fn hook(configuration: &Value, found: &Found<'_>, mounts: &Mounts, languages: &Languages) -> Hook {
    let is_hook = |path: &str| path.contains("_markup/") && name_of(path).starts_with("render-link");
    let has_own = mounts.layouts.iter().any(|layouts| found.tree.below(layouts).any(is_hook));
    let use_embedded = configuration.get("markup.goldmark.renderhooks.link.useembedded").text();
    let is_default = configuration.get("markup.goldmark.renderhooks.link.enabledefault").bool();
    match (use_embedded, has_own || mounts.missing.is_some()) {
        (Some("always"), _) => Hook::Embedded,
        (_, true) => Hook::Own,
        (Some("fallback"), false) => Hook::Embedded,
        (Some("never"), false) => Hook::None,
        _ if is_default == Some(true) || languages.keys.len() > 1 && !has_hosts(configuration) => {
            Hook::Embedded
        }
        _ => Hook::None,
    }
}

/// Returns whether each language has a host of its own.
fn has_hosts(configuration: &Value) -> bool {
    configuration.get("languages").entries().any(|(_, language)| language.get("baseurl").is_there())
}

/// Reads what changes the ids of headings.
fn headings(configuration: &Value) -> Headings {
    let parser = configuration.get("markup.goldmark.parser");
    let ids = match parser.get("autoheadingidtype").text().or(parser.get("autoidtype").text()) {
        Some("github-ascii") => HeadingIds::HugoAscii,
        Some("blackfriday") => HeadingIds::Blackfriday,
        _ => HeadingIds::Hugo,
    };
    let is_changed = parser.get("autoheadingid").bool() == Some(false)
        || parser.get("autodefinitiontermid").bool() == Some(true)
        || configuration.get("markup.defaultmarkdownhandler").text().is_some_and(|name| name != "goldmark");
    Headings { ids, is_changed, ..Headings::default() }
}

/// Adds the pages of a site.
struct Pages<'s> {
    found: &'s Found<'s>,
    configuration: &'s Value,
    languages: &'s Languages,
    /// The lists of terms, by their URLs.
    terms: BTreeSet<String>,
}

/// The endings of content.
const CONTENT: [&str; 13] = [
    "md", "markdown", "mdown", "html", "htm", "adoc", "asciidoc", "ad", "org", "rst", "pandoc", "pdc",
    "mmark",
];

impl Pages<'_> {
    fn add_mount(&mut self, site: &mut SiteModel, mount: &ContentMount) {
        let tree = self.found.tree;
        let prefix = self.languages.prefix(mount.language.as_deref().unwrap_or(&self.languages.default));
        site.content
            .push(ContentRoot::new(&mount.source, &format!("{prefix}/{}/", mount.target).replace("//", "/")));
        if tree.has_file(&mount.source) {
            self.add(site, mount, &mount.source.clone(), &mount.target.clone());
            return;
        }
        let bundles: BTreeSet<&str> = tree
            .below(&mount.source)
            .filter(|path| {
                split_ending(name_of(path)).0.split('.').next() == Some("index") && self.is_content(path)
            })
            .map(parent)
            .collect();
        let is_resource = |path: &str| {
            let mut around = parent(path);
            let is_index = bundles.contains(around) && name_of(path).starts_with("index.");
            loop {
                if bundles.contains(around) && !(is_index && around == parent(path)) {
                    return true;
                }
                if around.is_empty() || around == mount.source {
                    return false;
                }
                around = parent(around);
            }
        };
        let mut files = Vec::new();
        for path in tree.below(&mount.source) {
            let below = path_below(path, &mount.source).unwrap_or(path);
            let below = joined(&mount.target, below);
            if name_of(&below) == "_content.gotmpl" {
                site.routes.open(
                    &format!("/{}/", parent(&below)).replace("//", "/"),
                    "a content adapter adds pages",
                );
            } else if self.is_content(path) && !is_resource(path) {
                self.add(site, mount, path, &below);
            } else if !self.is_content(path) {
                files.push((path, below));
            }
        }
        for (path, below) in files {
            self.add_resource(site, mount, path, &below);
        }
    }

    fn is_content(&self, path: &str) -> bool {
        match split_ending(path).1 {
            "html" | "htm" => self.found.tree.front_matter(path).is_there,
            ending => CONTENT.contains(&ending),
        }
    }

    /// Adds a page or a section, whose path in the content is `below`.
    fn add(&mut self, site: &mut SiteModel, mount: &ContentMount, path: &str, below: &str) {
        let (stem, _) = split_ending(below);
        let (stem, own) = self.languages.without_key(stem);
        let language = own.or(mount.language.as_deref()).unwrap_or(&self.languages.default).to_owned();
        if mount.language.as_deref().is_some_and(|mounted| own.is_some_and(|own| own != mounted)) {
            return;
        }
        let front = self.found.tree.front_matter(path);
        add_names(site, path, stem, &language);
        if is_left_out(&front) {
            return;
        }
        let prefix = self.languages.prefix(&language);
        let url = format!("{prefix}{}", self.url_of(stem, &front));
        let url = if front.text("url").is_some_and(|url| url.starts_with('/')) {
            site.routes.add_other_url(path, &format!("{prefix}{}", self.url_of(stem, &front)));
            self.url_of(stem, &front)
        } else {
            url
        };
        site.routes.add_page(path, &url);
        let is_section = name_of(stem) == "_index";
        if is_section {
            site.routes.add_made(&format!("{url}index.xml"));
            site.routes.open(&format!("{url}page/"), "pages of lists are numbered");
        }
        for alias in front.get("aliases").texts() {
            let directory = parent(url.trim_end_matches('/'));
            let path = match alias.starts_with('/') {
                true => alias.to_owned(),
                false => format!("/{}", resolved(directory.trim_matches('/'), alias).unwrap_or_default()),
            };
            let path = path.trim_end_matches('/');
            let end = if alias.ends_with(".html") { "" } else { "/" };
            site.routes.add_redirect(&format!("{path}{end}"), &url);
            site.routes.add_redirect(&format!("{prefix}{path}{end}"), &url);
        }
        if front
            .get("outputs")
            .texts()
            .iter()
            .any(|format| !matches!(&*format.to_lowercase(), "html" | "rss"))
        {
            site.routes.open_files(&url, &[], "the page has other formats");
        }
        self.add_terms(&front, &prefix);
    }

    /// Returns the URL of a page, without its language.
    fn url_of(&self, stem: &str, front: &FrontMatter) -> String {
        if let Some(url) = front.text("url").filter(|url| !has_scheme(url)) {
            let url = format!("/{}", url.trim_start_matches('/'));
            return if url.ends_with('/') || url.ends_with(".html") || url.contains(':') {
                url
            } else {
                format!("{url}/")
            };
        }
        let keeps_case = self.configuration.get("disablepathtolower").bool() == Some(true);
        let removes_accents = self.configuration.get("removepathaccents").bool() == Some(true);
        let sane = |text: &str| {
            let text = sanitized(text, keeps_case);
            if removes_accents { HeadingIds::HugoAscii.id_of(&text) } else { text }
        };
        let name = name_of(stem);
        let directory: Vec<_> = parent(stem).split('/').filter(|name| !name.is_empty()).map(sane).collect();
        let directory = directory.join("/");
        if name == "_index" {
            return format!("/{directory}/").replace("//", "/");
        }
        let section = stem.split_once('/').map_or("", |(section, _)| section);
        let is_bundle = name == "index";
        let own = if is_bundle { name_of(parent(stem)) } else { name };
        let permalinks = self.configuration.get("permalinks");
        let pattern = permalinks.get("page").member(&section.to_lowercase()).text();
        let pattern = pattern.or_else(|| permalinks.member(&section.to_lowercase()).text());
        if let Some(pattern) = pattern.filter(|_| !section.is_empty() || !is_bundle) {
            return self.filled(pattern, stem, own, front, &sane);
        }
        let around = if is_bundle { parent(&directory) } else { &*directory };
        let own = sane(front.text("slug").unwrap_or(own));
        let page = joined(around, &own);
        let is_ugly = self.configuration.get("uglyurls");
        let is_ugly = is_ugly.bool() == Some(true) || is_ugly.member(section).bool() == Some(true);
        match (is_ugly && !page.is_empty(), page.is_empty()) {
            (_, true) => "/".to_owned(),
            (true, _) => format!("/{page}.html"),
            _ => format!("/{page}/"),
        }
    }

    /// Returns the URL by a pattern of `permalinks`.
    fn filled(
        &self,
        pattern: &str,
        stem: &str,
        own: &str,
        front: &FrontMatter,
        sane: &dyn Fn(&str) -> String,
    ) -> String {
        let of_name = Date::at_start(own);
        let date = front.date("date").or_else(|| of_name.as_ref().map(|(date, _)| date.clone()));
        let part = |part: fn(&Date) -> &str| date.as_ref().map_or("0001", part).to_owned();
        let mut directory = parent(stem);
        if name_of(stem) == "index" {
            directory = parent(directory);
        }
        let mut result = String::new();
        let mut rest = pattern;
        while let Some((before, after)) = rest.split_once(':') {
            result.push_str(before);
            let end = after.find(|one: char| !one.is_ascii_lowercase()).unwrap_or(after.len());
            let (name, next) = after.split_at(end);
            rest = next;
            let title = front.text("title").unwrap_or(own);
            let undated = of_name.as_ref().map_or(own, |(_, rest)| rest.trim_start_matches(['-', '_']));
            let value = match name {
                "year" => part(|date| &date.year),
                "month" => part(|date| &date.month),
                "day" => part(|date| &date.day),
                "monthname" => month_name(&part(|date| &date.month)).to_owned(),
                "yearday" => date
                    .as_ref()
                    .map(Date::day_of_year)
                    .unwrap_or_default()
                    .trim_start_matches('0')
                    .to_owned(),
                "section" => sane(stem.split('/').next().unwrap_or_default()),
                "sections" => {
                    let all: Vec<_> = directory.split('/').map(sane).collect();
                    let range = rest.strip_prefix('[').and_then(|inside| inside.split_once(']'));
                    let kept = match range {
                        Some((range, next)) => {
                            rest = next;
                            in_range(&all, range).to_vec()
                        }
                        None => all,
                    };
                    kept.join("/")
                }
                "slug" => sane(front.text("slug").unwrap_or(title)),
                "title" => sane(title),
                "filename" | "contentbasename" => sane(own),
                "slugorfilename" | "slugorcontentbasename" => sane(front.text("slug").unwrap_or(undated)),
                other => format!(":{other}"),
            };
            result.push_str(&value);
        }
        result.push_str(rest);
        let result = format!("/{}", result.trim_matches('/'));
        if result.ends_with(".html") { result } else { format!("{result}/").replace("//", "/") }
    }

    fn add_resource(&self, site: &mut SiteModel, mount: &ContentMount, path: &str, below: &str) {
        // The files of a bundle are beside its page, which may have a URL of its own.
        let mut around = parent(path);
        loop {
            let index = CONTENT.iter().map(|ending| joined(around, &format!("index.{ending}")));
            let mut urls = index.filter_map(|index| site.routes.url_of(&index));
            if let Some(url) = urls.next().map(str::to_owned) {
                let inside = path_below(path, around).unwrap_or(path);
                site.routes.add_file(path, &joined(url.trim_matches('/'), inside));
            }
            if around.is_empty() || around == mount.source {
                break;
            }
            around = parent(around);
        }
        let prefix = self.languages.prefix(mount.language.as_deref().unwrap_or(&self.languages.default));
        let directory: Vec<_> = parent(below).split('/').map(|name| sanitized(name, false)).collect();
        let start = joined(prefix.trim_start_matches('/'), &directory.join("/"));
        site.routes.add_file(path, &joined(&start, name_of(below)));
        site.routes.add_file(path, &joined(prefix.trim_start_matches('/'), below));
    }

    /// Returns the names of taxonomies in the plural.
    fn taxonomies(&self) -> Vec<String> {
        let disabled = self.configuration.get("disablekinds").texts();
        if disabled.iter().any(|kind| matches!(&*kind.to_lowercase(), "taxonomy" | "term" | "taxonomyterm")) {
            return Vec::new();
        }
        let own = self.configuration.get("taxonomies");
        match own.is_there() {
            true => own.entries().filter_map(|(_, name)| name.text().map(str::to_lowercase)).collect(),
            false => vec!["tags".to_owned(), "categories".to_owned()],
        }
    }

    fn add_terms(&mut self, front: &FrontMatter, prefix: &str) {
        for taxonomy in self.taxonomies() {
            let values = front.values.clone().with_lower_keys();
            for term in values.member(&taxonomy).texts() {
                self.terms.insert(format!("{prefix}/{taxonomy}/{}/", sanitized(term, false)));
            }
        }
    }

    /// Adds what Hugo makes besides the pages of files.
    fn add_lists(&self, site: &mut SiteModel) {
        let prefixes: BTreeSet<_> = match self.languages.keys.is_empty() {
            true => BTreeSet::from([String::new()]),
            false => self
                .languages
                .keys
                .iter()
                .map(|key| self.languages.prefix(key))
                .chain([String::new()])
                .collect(),
        };
        for prefix in &prefixes {
            let mut lists = vec![format!("{prefix}/")];
            lists.extend(self.taxonomies().iter().map(|name| format!("{prefix}/{name}/")));
            for url in lists {
                site.routes.add_made(&url);
                site.routes.add_made(&format!("{url}index.xml"));
                site.routes.open(&format!("{url}page/"), "pages of lists are numbered");
            }
        }
        for url in &self.terms {
            site.routes.add_made(url);
            site.routes.add_made(&format!("{url}index.xml"));
            site.routes.open(&format!("{url}page/"), "pages of lists are numbered");
        }
        // A section at the first level needs no file of its own.
        let roots: Vec<_> =
            site.content.iter().map(|root| (root.directory.clone(), root.url.clone())).collect();
        for (directory, url) in roots {
            let sections: BTreeSet<_> = self
                .found
                .tree
                .below(&directory)
                .filter(|path| CONTENT.contains(&split_ending(path).1))
                .filter_map(|path| Some(path_below(path, &directory)?.split_once('/')?.0))
                .collect();
            for section in sections {
                let has_bundle =
                    self.found.tree.has_file(&joined(&directory, &format!("{section}/index.md")));
                if !has_bundle {
                    let url = format!("{url}{}/", sanitized(section, false));
                    site.routes.add_made(&url);
                    site.routes.add_made(&format!("{url}index.xml"));
                }
            }
        }
        for made in ["/sitemap.xml", "/404.html", "/robots.txt", "/index.json"] {
            site.routes.add_made(made);
        }
    }
}

/// Adds the names by which `ref` finds a page: its path in the content and its last name, with and without its language.
fn add_names(site: &mut SiteModel, path: &str, stem: &str, language: &str) {
    let logical = key_of(stem);
    site.names.insert(("stem", path.into()), stem.into());
    site.names.insert(("language", path.into()), language.into());
    site.names.entry(("content", format!("{language}:{logical}").into())).or_insert_with(|| path.into());
    site.names.entry(("content", logical.as_str().into())).or_insert_with(|| path.into());
    site.names.entry(("name", name_of(&logical).into())).or_insert_with(|| path.into());
}

/// Returns the name by which a path of content is found: without its ending, in lower case; that of a directory for its index.
fn key_of(path: &str) -> String {
    let path = path.trim_matches('/');
    let (stem, ending) = split_ending(path);
    let stem = if CONTENT.contains(&ending) { stem } else { path };
    let stem = match name_of(stem) {
        "index" | "_index" => parent(stem),
        _ => stem,
    };
    stem.to_lowercase().replace(' ', "-")
}

/// Returns whether front matter leaves a page out.
fn is_left_out(front: &FrontMatter) -> bool {
    let build = [front.get("build"), front.get("_build")];
    front.is("draft")
        || front.is("headless")
        || build.iter().any(|build| {
            let render = build.get("render");
            render.bool() == Some(false) || matches!(render.text(), Some("never" | "link"))
        })
}

/// Returns the name of a month in lower case.
fn month_name(number: &str) -> &'static str {
    const NAMES: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    number
        .parse::<usize>()
        .ok()
        .and_then(|number| NAMES.get(number.checked_sub(1)?))
        .copied()
        .unwrap_or_default()
}

/// Returns the elements of a range like `1:`, `:last`, `0:2` or of an index like `1`, `last`.
fn in_range<'l>(all: &'l [String], range: &str) -> &'l [String] {
    let place = |text: &str, default: usize| match text {
        "" => default,
        "last" => all.len().saturating_sub(1),
        number => number.parse().unwrap_or(default),
    };
    let (from, to) = match range.split_once(':') {
        Some((from, to)) => (place(from, 0), place(to, all.len())),
        None => (place(range, 0), place(range, 0) + 1),
    };
    all.get(from..to.min(all.len())).unwrap_or_default()
}

/// Returns a text as a part of a path (`MakePathSanitized`): spaces become "-", and what is no letter or digit is left out but
/// for a few.
fn sanitized(text: &str, keeps_case: bool) -> String {
    let mut result = String::new();
    let mut has_space = false;
    for one in text.chars() {
        let is_kept = one.is_alphanumeric() || "._-#+~@/\\%".contains(one) || is_mark(one);
        if is_kept {
            if has_space && !result.is_empty() && one != '-' && !result.ends_with('-') {
                result.push('-');
            }
            has_space = false;
            match keeps_case {
                true => result.push(one),
                false => result.extend(one.to_lowercase()),
            }
        } else {
            has_space |= one.is_whitespace();
        }
    }
    result
}

/// Returns whether a character is a mark that belongs to the letter before it: combining marks, vowel signs.
fn is_mark(one: char) -> bool {
    unicode_normalization::char::is_combining_mark(one)
}

/// Notes what can add pages and files.
fn open(site: &mut SiteModel, configuration: &Value, found: &Found<'_>, mounts: &Mounts) {
    if mounts.has_missing_content {
        site.routes.open("/", "a module mounts content that is not in the tree");
    }
    if let Some(missing) = &mounts.missing {
        site.routes.open_files("/", &[], format!("the theme {missing} is not in the tree"));
    }
    // Style sheets, scripts and images are made by pipes.
    site.routes.open_files("/", &["css", "js", "webp", "map"], "Hugo can make the file from another one");
    if found.tree.has_directory(&joined(found.directory, "assets")) {
        site.routes.open_files("/", &[], "Hugo can publish files of assets");
    }
    let outputs = configuration.get("outputs");
    let formats: BTreeSet<String> =
        outputs.entries().flat_map(|(_, formats)| formats.texts()).map(str::to_lowercase).collect();
    for format in formats {
        match &*format {
            "html" | "rss" => {}
            "json" => site.routes.add_made("/index.json"),
            "print" => site.routes.open("/_print", "there is a page to print for each section"),
            other => site.routes.open_files("/", &[], format!("pages have the format {other}")),
        }
    }
    if outputs.has_computed() {
        site.routes.open_files("/", &[], "the formats are computed");
    }
}

/// Looks up shortcodes, and paths of content if a hook does.
fn special(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    if link.written.starts_with("{{<") || link.written.starts_with("{{%") {
        return shortcode(site, link);
    }
    let is_hooked = site.names.get(&("hook", "".into())).is_some_and(|hooked| **hooked == *"yes");
    let path = decoded(link.path());
    if !is_hooked
        || link.form != LinkForm::Markup
        || path.is_empty()
        || has_scheme(&path)
        || path.starts_with("//")
    {
        return None;
    }
    content(site, link, &path, false).map(Lookup::Source)
}

/// Looks up `{{< ref "a#b" >}}` and `{{% relref path="a" lang="fr" %}}`.
fn shortcode(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let (inside, rest) = link.written.get(3..)?.split_once("}}")?;
    let inside = inside.trim_end_matches(['>', '%']).trim();
    let (name, arguments) = inside.split_once(char::is_whitespace)?;
    if !matches!(name, "ref" | "relref") {
        return Some(Lookup::Template);
    }
    let arguments = arguments.trim();
    let quoted = |text: &str| -> Option<String> {
        let quote = text.chars().next().filter(|first| matches!(first, '"' | '\'' | '`'))?;
        text.get(1..)?.split(quote).next().map(str::to_owned)
    };
    let named = |key: &str| {
        let at = arguments.find(&format!("{key}="))?;
        quoted(arguments.get(at + key.len() + 1..)?)
    };
    let has_language = named("lang").is_some();
    let reference = match arguments.contains("path=") {
        true => named("path")?,
        false => quoted(arguments)
            .unwrap_or_else(|| arguments.split_whitespace().next().unwrap_or_default().to_owned()),
    };
    let (path, fragment) =
        reference.split_once('#').map_or((&*reference, None), |(path, fragment)| (path, Some(fragment)));
    if path.is_empty() {
        return Some(Lookup::NotOfSite);
    }
    let after = rest.strip_prefix('#').or(fragment).unwrap_or_default();
    // Hugo parses the reference as a URL.
    let file = content(site, link, &decoded(path), true);
    Some(match file {
        Some(file) if site.routes.url_of(&file).is_some() || has_language => {
            Lookup::Source(format!("{file}#{after}").into())
        }
        Some(_) => Lookup::Dead("the page is not published".into()),
        None => match site.routes.openness("/") {
            Some(reason) => Lookup::Unknown(reason.into()),
            None => Lookup::Dead("Hugo stops at a page that is not there".into()),
        },
    })
}

/// Returns the file of the content that a path names: relative to the document, from the root, or, if `by_name`, any page of
/// this name.
fn content(site: &SiteModel, link: &SiteLink<'_>, path: &str, by_name: bool) -> Option<Box<str>> {
    let is_rooted = path.starts_with('/');
    let of_document = |kind| site.names.get(&(kind, Box::from(link.document))).map(|name| &**name);
    let language = of_document("language").unwrap_or_default();
    let find = |path: &str| {
        let key = key_of(path);
        let own = site.names.get(&("content", format!("{language}:{key}").into()));
        own.or_else(|| site.names.get(&("content", key.into())).filter(|_| by_name)).cloned()
    };
    if !is_rooted {
        let stem = of_document("stem").unwrap_or_default();
        let directory = parent(stem);
        let around = if name_of(stem) == "index" { parent(directory) } else { directory };
        for directory in [around, directory] {
            if let Some(found) = resolved(directory, path).and_then(|path| find(&path)) {
                return Some(found);
            }
        }
        // A resource of the bundle.
        let beside = resolved(link.directory(), path).filter(|path| link.tree.has_file(path));
        if let Some(beside) = beside.filter(|beside| site.routes.is_published(beside)) {
            return Some(beside.into());
        }
    }
    if (is_rooted || by_name)
        && let Some(found) = find(path)
    {
        return Some(found);
    }
    let bare = key_of(path);
    if by_name && !is_rooted && !bare.contains('/') {
        return site.names.get(&("name", bare.into())).cloned();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_paths() {
        for (text, expected) in [
            ("With Space_X", "with-space_x"),
            ("C++", "c++"),
            ("a.b", "a.b"),
            ("A - B!", "a-b"),
            ("Über", "über"),
        ] {
            assert_eq!(sanitized(text, false), expected, "{text}");
        }
        let all = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(in_range(&all, "1:"), ["b", "c"]);
        assert_eq!(in_range(&all, ":last"), ["a", "b"]);
        assert_eq!(in_range(&all, "last"), ["c"]);
    }
}
