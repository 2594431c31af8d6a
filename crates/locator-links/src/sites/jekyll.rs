//! Jekyll and GitHub Pages: `_config.yml`.
//!
//! A file with front matter is a page, any other is copied. Links are left as they are written, unless
//! `jekyll-relative-links` is on, as at GitHub Pages: then a path of a source in Markdown means its page (jekyllrb.com, "Pages",
//! "Permalinks", "Collections"; the READMEs of the plugins; pages.github.com/versions).

use super::configuration::Value;
use super::front_matter::{Date, FrontMatter};
use super::glob::Globs;
use super::model::{
    ContentRoot, Found, Generator, Headings, LinkRule, Lookup, Origin, SiteLink, SiteModel, SourceStep,
};
use super::tree::{joined, name_of, parent, path_below, resolved, split_ending};
use locator_find::HeadingIds;

pub(super) static JEKYLL: Generator = Generator {
    name: "jekyll",
    title: "Jekyll",
    configurations: &["_config.yml", "_config.yaml", "_config.toml"],
    read,
    special,
};

/// The plugins that add no pages at paths that are not known.
const WITHOUT_PAGES: [&str; 20] = [
    "jekyll-redirect-from",
    "jekyll-optional-front-matter",
    "jekyll-readme-index",
    "jekyll-relative-links",
    "jekyll-titles-from-headings",
    "jekyll-default-layout",
    "jekyll-github-metadata",
    "jekyll-seo-tag",
    "jekyll-coffeescript",
    "jekyll-include-cache",
    "jekyll-mentions",
    "jemoji",
    "jekyll-sitemap",
    "jekyll-feed",
    "jekyll-paginate",
    "jekyll-gist",
    "jekyll-avatar",
    "jekyll-remote-theme",
    "jekyll-toc",
    "jekyll-last-modified-at",
];

fn read(found: &Found<'_>) -> Option<SiteModel> {
    let path = found.configuration.unwrap_or_default();
    let configuration = Value::of_file(path, &found.text());
    // Jupyter Book has a `_config.yml`, too, and its list of pages beside it.
    let is_book = found.tree.has_file(&joined(found.directory, "_toc.yml"))
        && ["sphinx", "execute", "repository", "parse", "html", "latex"]
            .iter()
            .any(|key| configuration.get(key).is_there());
    if is_of_hexo(found) || is_book {
        return None;
    }
    let mut site = SiteModel::new(&JEKYLL, found);
    let source = resolved(found.directory, configuration.get("source").text().unwrap_or("."))?;
    site.set_published(configuration.get("url").text().unwrap_or_default());
    if let Some(base) = configuration.get("baseurl").text() {
        site.set_base(base);
    }
    site.content.push(ContentRoot::new(&source, "/"));
    site.headings = headings(&configuration);
    let rules = Rules::read(&configuration, found, &source);
    if rules.has("jekyll-relative-links") {
        let step = |from| SourceStep { from, endings: &[], added: &[""], any_file: false };
        site.markdown.sources = vec![step(Origin::Document), step(Origin::RootedContent)];
    }
    site.html = LinkRule::default();
    if !found.tree.has_file(&joined(&source, ".nojekyll")) {
        for path in found.tree.below(&source) {
            add(&mut site, found, &rules, path);
        }
    } else {
        site.routes.add_directory(found.tree, &source, "/");
    }
    if rules.has("jekyll-readme-index") {
        add_readmes(&mut site, found, &source);
    }
    open(&mut site, &configuration, found, &rules);
    Some(site)
}

/// Returns whether the configuration is that of Hexo, whose file has the same name.
fn is_of_hexo(found: &Found<'_>) -> bool {
    let package = found.tree.read(&joined(found.directory, "package.json")).unwrap_or_default();
    package.contains("\"hexo\"") && found.tree.has_directory(&joined(found.directory, "source"))
}

/// What a configuration says of pages.
struct Rules {
    source: String,
    plugins: Vec<String>,
    /// Whether GitHub builds the site with its own plugins.
    is_at_github: bool,
    excluded: Globs,
    included: Globs,
    /// The pattern of `permalink`, or the name of one.
    permalink: String,
    /// Values for the files of a path and a type.
    defaults: Vec<Defaults>,
    collections: Vec<Collection>,
    collections_directory: String,
}

struct Defaults {
    path: String,
    kind: Option<String>,
    permalink: Option<String>,
    is_unpublished: bool,
}

struct Collection {
    name: String,
    has_output: bool,
    permalink: Option<String>,
}

impl Rules {
    fn read(configuration: &Value, found: &Found<'_>, source: &str) -> Self {
        let list =
            |key: &str| configuration.get(key).texts().into_iter().map(str::to_owned).collect::<Vec<_>>();
        let mut plugins = list("plugins");
        plugins.extend(list("gems"));
        let gems =
            found.tree.first_file(found.directory, &["Gemfile"]).and_then(|path| found.tree.read(&path));
        let keys = ["plugins", "gems", "collections", "defaults"];
        let is_plain = keys.iter().all(|key| configuration.get(key).is_null());
        let is_at_github = match &gems {
            Some(gems) => gems.contains("github-pages"),
            None => is_plain,
        };
        for line in gems.iter().flat_map(|gems| gems.lines()).map(str::trim) {
            let gem = line
                .strip_prefix("gem ")
                .and_then(|rest| rest.trim_start().get(1..)?.split(['"', '\'']).next());
            plugins.extend(gem.map(str::to_owned));
        }
        let patterns = |names: Vec<String>| {
            let all: Vec<_> =
                names.iter().flat_map(|name| super::mkdocs::gitignore_patterns(&anchored(name))).collect();
            Globs::new(all.iter().map(String::as_str))
        };
        let mut excluded = list("exclude");
        let always = [
            "Gemfile",
            "Gemfile.lock",
            "node_modules",
            "vendor/bundle/",
            "vendor/cache/",
            "vendor/gems/",
            "vendor/ruby/",
        ];
        excluded.extend(always.map(str::to_owned));
        excluded.push(
            configuration.get("destination").text().unwrap_or("_site").trim_start_matches("./").to_owned(),
        );
        let defaults = configuration.get("defaults").list().iter().map(|one| Defaults {
            path: one.get("scope.path").text().unwrap_or_default().trim_matches('/').to_owned(),
            kind: one.get("scope.type").text().map(str::to_owned),
            permalink: one.get("values.permalink").text().map(str::to_owned),
            is_unpublished: one.get("values.published").bool() == Some(false),
        });
        Self {
            source: source.to_owned(),
            plugins,
            is_at_github,
            excluded: patterns(excluded),
            included: patterns(list("include")),
            permalink: configuration.get("permalink").text().unwrap_or("date").to_owned(),
            defaults: defaults.collect(),
            collections: collections(configuration),
            collections_directory: configuration
                .get("collections_dir")
                .text()
                .unwrap_or_default()
                .trim_matches('/')
                .to_owned(),
        }
    }

    /// Returns whether a plugin is on.
    fn has(&self, plugin: &str) -> bool {
        const AT_GITHUB: [&str; 3] =
            ["jekyll-relative-links", "jekyll-optional-front-matter", "jekyll-readme-index"];
        self.plugins.iter().any(|own| own == plugin) || self.is_at_github && AT_GITHUB.contains(&plugin)
    }

    /// Returns whether a file of the source is left out.
    fn is_left_out(&self, below: &str) -> bool {
        if self.included.has(below) {
            return false;
        }
        let is_special = |name: &str| name.starts_with(['_', '.', '#']) || name.ends_with('~');
        below.split('/').any(is_special) || self.excluded.has(below)
    }

    /// Returns the permalink of the defaults for a file; those of the longest path count.
    fn default_for(&self, below: &str, kind: &str) -> Option<&str> {
        self.fitting(below, kind)
            .filter_map(|one| Some((one.path.len(), one.permalink.as_deref()?)))
            .max_by_key(|one| one.0)
            .map(|one| one.1)
    }

    fn fitting<'s, 'b>(
        &'s self,
        below: &'b str,
        kind: &'b str,
    ) -> impl Iterator<Item = &'s Defaults> + use<'s, 'b> {
        self.defaults.iter().filter(move |one| {
            let is_in = match one.path.contains('*') {
                true => Globs::new([&*one.path, &*format!("{}/**", one.path)]).has(below),
                false => one.path == below || path_below(below, &one.path).is_some(),
            };
            is_in && one.kind.as_deref().is_none_or(|own| own == kind)
        })
    }
}

/// Returns a name of `exclude`, which is one of a path from the source.
fn anchored(name: &str) -> String {
    let name = name.trim_start_matches("./");
    if name.contains('/') { name.to_owned() } else { format!("/{name}") }
}

fn collections(configuration: &Value) -> Vec<Collection> {
    let value = configuration.get("collections");
    let of_list = value.texts().into_iter().map(|name| Collection {
        name: name.to_owned(),
        has_output: false,
        permalink: None,
    });
    let of_map = value.entries().map(|(name, options)| Collection {
        name: name.to_owned(),
        has_output: options.get("output").bool() == Some(true) || name == "posts",
        permalink: options.get("permalink").text().map(str::to_owned),
    });
    of_list.chain(of_map).collect()
}

/// Returns whether a file is of Markdown, HTML or Textile, so that its page ends with `.html`.
fn is_html(ending: &str) -> bool {
    matches!(ending, "md" | "markdown" | "mkdown" | "mkdn" | "mkd" | "html" | "htm" | "textile" | "adoc")
}

fn is_markdown(ending: &str) -> bool {
    matches!(ending, "md" | "markdown" | "mkdown" | "mkdn" | "mkd")
}

/// Adds a file of the source.
fn add(site: &mut SiteModel, found: &Found<'_>, rules: &Rules, path: &str) {
    let below = path_below(path, &rules.source).unwrap_or(path);
    if let Some(at) = position_of(below, "_posts") {
        return add_post(site, found, rules, path, below, at);
    }
    let in_collections = path_below(below, &rules.collections_directory);
    let collection = in_collections.and_then(|inside| {
        let (directory, name) = inside.strip_prefix('_')?.split_once('/')?;
        rules.collections.iter().find(|one| one.name == directory).map(|one| (one, name))
    });
    if let Some((collection, name)) = collection {
        return add_member(site, found, rules, path, below, collection, name);
    }
    if rules.is_left_out(below) {
        return;
    }
    let (stem, ending) = split_ending(below);
    let front =
        if may_have_front_matter(ending) { found.tree.front_matter(path) } else { FrontMatter::default() };
    let is_optional =
        is_markdown(ending) && rules.has("jekyll-optional-front-matter") && !is_of_forge(name_of(stem));
    if !front.is_there && !is_optional {
        return site.routes.add_file(path, below);
    }
    if !front.is_there {
        site.routes.add_file(path, below);
    }
    if front.get("published").bool() == Some(false)
        || rules.fitting(below, "pages").any(|one| one.is_unpublished && front.get("published").is_null())
    {
        return;
    }
    let permalink = front.text("permalink").or_else(|| rules.default_for(below, "pages"));
    let output_ending = match ending {
        ending if is_html(ending) => "html",
        "scss" | "sass" => "css",
        "coffee" => "js",
        other => other,
    };
    let name = name_of(stem);
    let url = match permalink {
        Some(pattern) => filled(
            pattern,
            &Parts { path: parent(stem), name, title: name, ending: output_ending, ..Parts::default() },
        ),
        None if output_ending != "html" => format!("/{stem}.{output_ending}"),
        None if name == "index" => format!("/{}/", parent(stem)).replace("//", "/"),
        None => match &*rules.permalink {
            "pretty" => format!("/{stem}/"),
            "date" | "ordinal" | "none" | "weekdate" => format!("/{stem}.html"),
            custom if custom.ends_with('/') => format!("/{stem}/"),
            custom if custom.ends_with(":output_ext") || custom.ends_with(".html") => format!("/{stem}.html"),
            _ => format!("/{stem}"),
        },
    };
    add_page(site, rules, path, &url, &front);
}

fn may_have_front_matter(ending: &str) -> bool {
    const NONE: [&str; 16] = [
        "png", "jpg", "jpeg", "gif", "webp", "ico", "pdf", "zip", "gz", "woff", "woff2", "ttf", "eot", "mp4",
        "webm", "mp3",
    ];
    !NONE.contains(&ending)
}

/// Returns whether a name is one of those that `jekyll-optional-front-matter` leaves to the forge.
fn is_of_forge(name: &str) -> bool {
    const NAMES: [&str; 8] = [
        "README",
        "LICENSE",
        "LICENCE",
        "COPYING",
        "CODE_OF_CONDUCT",
        "CONTRIBUTING",
        "ISSUE_TEMPLATE",
        "PULL_REQUEST_TEMPLATE",
    ];
    NAMES.iter().any(|own| name.eq_ignore_ascii_case(own))
}

/// Adds a page with what its front matter says besides.
fn add_page(site: &mut SiteModel, rules: &Rules, path: &str, url: &str, front: &FrontMatter) {
    let url = if url.starts_with('/') { url.to_owned() } else { format!("/{url}") };
    site.routes.add_page(path, &url);
    if rules.has("jekyll-redirect-from") || rules.is_at_github {
        for from in front.get("redirect_from").texts() {
            let from = if from.starts_with('/') { from.to_owned() } else { format!("/{from}") };
            site.routes.add_redirect(&from, &url);
        }
    }
}

/// Returns where a directory with this name begins in a path.
fn position_of(below: &str, directory: &str) -> Option<usize> {
    let mut at = 0;
    for name in below.split('/') {
        if name == directory {
            return Some(at);
        }
        at += name.len() + 1;
    }
    None
}

/// Adds a post: `a/_posts/2020-01-02-name.md`.
fn add_post(site: &mut SiteModel, found: &Found<'_>, rules: &Rules, path: &str, below: &str, at: usize) {
    let before = below.get(..at).unwrap_or_default().trim_end_matches('/');
    if before
        .split('/')
        .any(|name| name.starts_with(['.', '_']) && !name.is_empty() && name != rules.collections_directory)
        || rules.excluded.has(below)
    {
        return;
    }
    let (stem, ending) = split_ending(name_of(below));
    let Some((of_name, title)) = Date::at_start(stem) else { return };
    let title = title.trim_start_matches('-');
    let front = found.tree.front_matter(path);
    if front.get("published").bool() == Some(false) || !is_html(ending) {
        return;
    }
    let date = front.date("date").unwrap_or(of_name);
    let mut categories: Vec<String> = before
        .split('/')
        .filter(|name| !name.is_empty() && *name != rules.collections_directory)
        .map(str::to_owned)
        .collect();
    for key in ["categories", "category"] {
        for category in front.words(key) {
            let category = category.to_lowercase();
            if !categories.contains(&category) {
                categories.push(category);
            }
        }
    }
    let slug = front.text("slug").unwrap_or(title);
    let pattern = front
        .text("permalink")
        .or_else(|| rules.default_for(below, "posts"))
        .or_else(|| rules.collections.iter().find(|one| one.name == "posts")?.permalink.as_deref())
        .unwrap_or(&rules.permalink);
    let categories =
        categories.iter().map(|name| slugified(name, Slug::Pretty)).collect::<Vec<_>>().join("/");
    let parts = Parts {
        path: title,
        name: title,
        title: &slugified(slug, Slug::Pretty),
        ending: "html",
        date: Some(&date),
        categories: &categories,
        collection: "posts",
    };
    let url = filled(style(pattern), &parts);
    add_page(site, rules, path, &url, &front);
    site.names.insert(("post", stem.into()), path.into());
    let within = joined(before, stem);
    site.names.insert(("post", within.into()), path.into());
}

/// Adds a file of a collection.
fn add_member(
    site: &mut SiteModel,
    found: &Found<'_>,
    rules: &Rules,
    path: &str,
    below: &str,
    collection: &Collection,
    name: &str,
) {
    if !collection.has_output || rules.excluded.has(below) {
        return;
    }
    let (stem, ending) = split_ending(name);
    let front = found.tree.front_matter(path);
    if !front.is_there {
        return site.routes.add_file(path, &format!("{}/{name}", collection.name));
    }
    if front.get("published").bool() == Some(false) {
        return;
    }
    let pattern = front
        .text("permalink")
        .or_else(|| rules.default_for(below, &collection.name))
        .or(collection.permalink.as_deref())
        .unwrap_or(match &*rules.permalink {
            "pretty" => "/:collection/:path/",
            custom if custom.ends_with('/') => "/:collection/:path/",
            _ => "/:collection/:path:output_ext",
        });
    let own = name_of(stem);
    let title = slugified(front.text("slug").unwrap_or(own), Slug::Pretty);
    let date = front.date("date");
    let parts = Parts {
        path: stem,
        name: own,
        title: &title,
        ending: if is_html(ending) { "html" } else { ending },
        date: date.as_ref(),
        categories: "",
        collection: &collection.name,
    };
    add_page(site, rules, path, &filled(style(pattern), &parts), &front);
}

/// What the placeholders of a permalink mean.
#[derive(Clone, Copy, Debug, Default)]
struct Parts<'a> {
    path: &'a str,
    name: &'a str,
    title: &'a str,
    ending: &'a str,
    date: Option<&'a Date>,
    categories: &'a str,
    collection: &'a str,
}

/// Returns the pattern of a style ("Permalinks", "Built-in formats").
fn style(name: &str) -> &str {
    match name {
        "date" => "/:categories/:year/:month/:day/:title:output_ext",
        "pretty" => "/:categories/:year/:month/:day/:title/",
        "ordinal" => "/:categories/:year/:y_day/:title:output_ext",
        "weekdate" => "/:categories/:year/W:week/:short_day/:title:output_ext",
        "none" => "/:categories/:title:output_ext",
        pattern => pattern,
    }
}

/// Returns a pattern with its placeholders replaced.
fn filled(pattern: &str, parts: &Parts<'_>) -> String {
    let mut result = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once(':') {
        result.push_str(before);
        let end = after.find(|one: char| !one.is_ascii_lowercase() && one != '_').unwrap_or(after.len());
        let (name, next) = after.split_at(end);
        rest = next;
        let date = |part: fn(&Date) -> &str| parts.date.map_or("", part).to_owned();
        let bare = |text: String| text.trim_start_matches('0').to_owned();
        let value = match name {
            "path" => parts.path.to_owned(),
            "basename" | "name" => parts.name.to_owned(),
            "title" => parts.title.to_owned(),
            "slug" => slugified(parts.title, Slug::Default),
            "output_ext" => format!(".{}", parts.ending),
            "collection" => parts.collection.to_owned(),
            "categories" | "slugified_categories" => parts.categories.to_owned(),
            "year" => date(|date| &date.year),
            "month" => date(|date| &date.month),
            "day" => date(|date| &date.day),
            "i_month" => bare(date(|date| &date.month)),
            "i_day" => bare(date(|date| &date.day)),
            "short_year" => date(|date| date.year.get(2..).unwrap_or_default()),
            "y_day" => parts.date.map(Date::day_of_year).unwrap_or_default(),
            other => format!(":{other}"),
        };
        result.push_str(&value);
    }
    result.push_str(rest);
    while result.contains("//") {
        result = result.replace("//", "/");
    }
    result
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Slug {
    /// The characters of a URL are kept.
    Pretty,
    /// Only letters and digits are kept, in lower case.
    Default,
}

/// Returns a text as a part of a URL (`Jekyll::Utils.slugify`).
fn slugified(text: &str, mode: Slug) -> String {
    let mut result = String::new();
    for one in text.chars() {
        let is_kept = one.is_alphanumeric() || mode == Slug::Pretty && "._~!$&'()+,;=@".contains(one);
        match is_kept {
            true if mode == Slug::Default => result.extend(one.to_lowercase()),
            true => result.push(one),
            false if !result.ends_with('-') => result.push('-'),
            false => {}
        }
    }
    result.trim_matches('-').to_owned()
}

/// Makes a `README.md` the index of its directory, where there is none.
fn add_readmes(site: &mut SiteModel, found: &Found<'_>, source: &str) {
    let readmes = found.tree.below(source).filter(|path| name_of(path).eq_ignore_ascii_case("readme.md"));
    for path in readmes {
        let directory = parent(path_below(path, source).unwrap_or(path));
        let output = joined(directory, "index.html");
        if site.routes.output(&output).is_none()
            && !directory.split('/').any(|name| name.starts_with(['_', '.']))
        {
            let url = if directory.is_empty() { "/".to_owned() } else { format!("/{directory}/") };
            site.routes.add_page(path, &url);
        }
    }
}

/// Notes what can add pages.
fn open(site: &mut SiteModel, configuration: &Value, found: &Found<'_>, rules: &Rules) {
    let programs = joined(&rules.source, "_plugins");
    if found.tree.below(&programs).any(|path| path.ends_with(".rb")) {
        site.routes.open("/", "a program in _plugins can add pages");
    }
    let named = configuration.get("plugins").texts().into_iter().chain(configuration.get("gems").texts());
    for plugin in named.filter(|plugin| !WITHOUT_PAGES.contains(plugin)) {
        site.routes.open("/", format!("the plugin {plugin} can add pages"));
    }
    for (plugin, url) in
        [("jekyll-feed", "/feed.xml"), ("jekyll-sitemap", "/sitemap.xml"), ("jekyll-sitemap", "/robots.txt")]
    {
        if rules.has(plugin) {
            site.routes.add_made(
                configuration.get("feed.path").text().filter(|_| plugin == "jekyll-feed").unwrap_or(url),
            );
        }
    }
    if rules.has("jekyll-feed") {
        site.routes.open("/feed/", "the plugin jekyll-feed adds feeds");
    }
    if configuration.get("paginate").is_there() {
        site.routes.open("/page", "pages of lists are numbered");
    }
    for key in ["theme", "remote_theme"] {
        if let Some(theme) = configuration.get(key).text() {
            site.routes.open("/assets/", format!("the theme {theme} has files there"));
            site.routes.open("/tags/", format!("the theme {theme} may have pages there"));
            site.routes.open("/categories/", format!("the theme {theme} may have pages there"));
        }
    }
    if rules.is_at_github && configuration.get("theme").is_null() {
        site.routes.open("/assets/", "the theme of GitHub Pages has files there");
    }
}

/// Reads what changes the ids of headings: kramdown may read its own Markdown, or give no ids, or not be there.
fn headings(configuration: &Value) -> Headings {
    let other =
        configuration.get("markdown").text().is_some_and(|name| !name.eq_ignore_ascii_case("kramdown"));
    let mut headings = Headings { ids: HeadingIds::Jekyll, is_changed: other, ..Headings::default() };
    let kramdown = configuration.get("kramdown");
    if kramdown.get("input").text().is_some_and(|input| input.eq_ignore_ascii_case("kramdown")) {
        headings.ids = HeadingIds::Kramdown;
    }
    let changes = ["auto_id_prefix", "transliterated_header_ids", "auto_id_stripping", "gfm_quirks"];
    headings.is_changed |= changes.iter().any(|key| kramdown.get(key).is_there())
        || kramdown.get("auto_ids").bool() == Some(false);
    headings
}

/// Looks up the tags and filters of Liquid that lead to pages: `{% link a.md %}`, `{% post_url 2020-01-02-a %}`,
/// `{{ "/a" | relative_url }}`, `{{ site.baseurl }}/a`.
fn special(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let mut written = link.written.trim();
    if !written.contains("{{") && !written.contains("{%") {
        return None;
    }
    let mut has_base = false;
    while let Some((name, rest)) = expression(written) {
        match name {
            "site.baseurl" => has_base = true,
            "site.url" => {}
            _ => break,
        }
        written = rest;
    }
    if let Some((tag, rest)) = written.strip_prefix("{%").and_then(|rest| rest.split_once("%}")) {
        let tag = tag.trim_matches('-').trim();
        let (name, argument) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        let argument = argument.trim();
        if argument.contains("{{") {
            return Some(Lookup::Template);
        }
        let file = match name {
            "link" => {
                let source = site.content.first().map_or("", |root| &root.directory);
                let path = resolved(source, argument)?;
                site.routes.is_published(&path).then(|| path.into_boxed_str())
            }
            "post_url" => site.names.get(&("post", argument.trim_start_matches('/').into())).cloned(),
            _ => return Some(Lookup::Template),
        };
        return Some(match file {
            Some(file) if rest.is_empty() || rest.starts_with(['#', '?']) => Lookup::Source(file),
            Some(_) => Lookup::Template,
            None => match site.routes.openness("/") {
                Some(reason) => Lookup::Unknown(reason.into()),
                None => Lookup::Dead("Jekyll stops at a tag whose file is not there".into()),
            },
        });
    }
    if let Some((name, rest)) = expression(written) {
        let (text, filter) = name.split_once('|').unwrap_or((name, ""));
        let (text, filter) = (text.trim(), filter.trim());
        let quoted = text.strip_prefix(['"', '\'']).and_then(|inner| inner.strip_suffix(['"', '\'']));
        return Some(match (quoted, filter) {
            (Some(path), "relative_url" | "absolute_url") if !path.contains("://") => {
                Lookup::Means(format!("{}/{}{rest}", site.base, path.trim_start_matches('/')).into())
            }
            _ => Lookup::Template,
        });
    }
    let is_plain = !written.contains("{{") && !written.contains("{%");
    if is_plain && (has_base || written.starts_with('/')) && !written.contains("://") {
        let base = if has_base { &*site.base } else { "" };
        return Some(Lookup::Means(
            format!("{base}{}{written}", if written.starts_with('/') { "" } else { "/" }).into(),
        ));
    }
    Some(Lookup::Template)
}

/// Returns the expression in braces at the beginning of a text, and what follows.
fn expression(text: &str) -> Option<(&str, &str)> {
    let (inside, rest) = text.strip_prefix("{{")?.split_once("}}")?;
    Some((inside.trim_matches('-').trim(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_permalinks() {
        let date = Date { year: "2020".to_owned(), month: "03".to_owned(), day: "04".to_owned() };
        let parts = Parts {
            path: "a/b",
            name: "b",
            title: "B",
            ending: "html",
            date: Some(&date),
            categories: "",
            collection: "c",
        };
        for (pattern, expected) in [
            ("date", "/2020/03/04/B.html"),
            ("pretty", "/2020/03/04/B/"),
            ("ordinal", "/2020/064/B.html"),
            ("/:collection/:path:output_ext", "/c/a/b.html"),
            ("/:i_month/:slug", "/3/b"),
            ("/plain/", "/plain/"),
        ] {
            assert_eq!(filled(style(pattern), &parts), expected, "{pattern}");
        }
        assert_eq!(slugified("A  b_c.d!", Slug::Default), "a-b-c-d");
        assert_eq!(slugified("A  b_c.d!", Slug::Pretty), "A-b_c.d!");
    }

    #[test]
    fn ids_of_headings() {
        use HeadingIds::{Jekyll, Kramdown};
        for (text, ids, is_changed) in [
            ("", Jekyll, false),
            ("markdown: kramdown\n", Jekyll, false),
            ("markdown: CommonMark\n", Jekyll, true),
            ("kramdown:\n  input: kramdown\nx:\n  auto_ids: false\n", Kramdown, false),
            ("kramdown:\n  # x\n\n  auto_ids: false\n", Jekyll, true),
        ] {
            assert_eq!(
                headings(&Value::yaml(text)),
                Headings { ids, is_changed, ..Headings::default() },
                "{text}"
            );
        }
    }
}
