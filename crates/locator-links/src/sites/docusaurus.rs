//! Docusaurus: `docusaurus.config.js` and its kin.
//!
//! Each instance of the plugin for documents has a directory, a route and versions. A link of Markdown to a `.md` file of the
//! same version means its page; any other is read from the URL of the page, which does not end with "/" unless `trailingSlash`
//! is true (docusaurus.io, "Markdown links", "Versioning", "i18n"; `plugin-content-docs`, `slug.ts`, `numberPrefix.ts`).

use super::configuration::Value;
use super::front_matter::{Date, FrontMatter};
use super::glob::Globs;
use super::model::{
    BaseUse, ContentRoot, Found, Generator, Headings, LinkForm, LinkRule, Lookup, Origin, Serving, SiteLink,
    SiteModel, SourceStep,
};
use super::program::Program;
use super::resolve::decoded;
use super::tree::{joined, name_of, parent, path_below, resolved, split_ending};
use locator_find::HeadingIds;

pub(super) static DOCUSAURUS: Generator = Generator {
    name: "docusaurus",
    title: "Docusaurus",
    configurations: &[
        "docusaurus.config.js",
        "docusaurus.config.ts",
        "docusaurus.config.mjs",
        "docusaurus.config.cjs",
        "docusaurus.config.mts",
        "docusaurus.config.cts",
    ],
    read,
    special,
};

/// Plugins that add no routes.
const WITHOUT_ROUTES: [&str; 24] = [
    "ideal-image",
    "pwa",
    "sitemap",
    "google-analytics",
    "google-gtag",
    "google-tag-manager",
    "debug",
    "svgr",
    "css-cascade-layers",
    "docusaurus-plugin-sass",
    "docusaurus-lunr-search",
    "docusaurus-plugin-image-zoom",
    "plugin-image-zoom",
    "docusaurus-plugin-matomo",
    "docusaurus-plugin-hotjar",
    "docusaurus-plugin-fathom",
    "docusaurus-plugin-plausible",
    "plausible",
    "posthog-docusaurus",
    "vercel-analytics",
    "live-codeblock",
    "mermaid",
    "raw-loader",
    "docusaurus-plugin-segment",
];

fn read(found: &Found<'_>) -> Option<SiteModel> {
    let program = Program::of(found);
    let configuration = &program.value;
    let mut site = SiteModel::new(&DOCUSAURUS, found);
    site.set_published(configuration.get("url").text().unwrap_or_default());
    match configuration.get("baseUrl") {
        Value::Text(base) => site.set_base(base),
        Value::Null => {}
        _ => site.routes.open("/", "baseUrl is computed"),
    }
    site.headings = Headings { ids: HeadingIds::Docusaurus, ..Headings::default() };
    site.serving = Serving { ignores_slash: true, ..Serving::default() };
    let asset = SourceStep { from: Origin::Document, endings: &[], added: &[""], any_file: true };
    site.markdown = LinkRule { sources: vec![asset], base: BaseUse::AddedOnce, ..LinkRule::default() };
    site.component = LinkRule { base: BaseUse::AddedOnce, ..LinkRule::default() };
    if *configuration == Value::Computed {
        site.routes.open("/", "the configuration is computed");
    }
    if program.mentions("remarkPlugins") || program.mentions("RemarkPlugins") {
        site.names.insert(("remark", "".into()), "".into());
    }
    let mut builder = Builder {
        found,
        has_slash: configuration.get("trailingSlash").bool() == Some(true),
        locales: other_locales(configuration),
        site,
    };
    builder.read_presets(configuration);
    builder.read_plugins(configuration);
    builder.add_static(configuration);
    let Builder { mut site, .. } = builder;
    site.routes.add_made("/404.html");
    site.routes.add_made("/sitemap.xml");
    site.routes.open("/search", "a plugin may add a page to search");
    site.routes.open("/assets/", "a bundler writes files there");
    Some(site)
}

/// Returns the locales whose pages have a prefix.
fn other_locales(configuration: &Value) -> Vec<String> {
    let default = configuration.get("i18n.defaultLocale").text().unwrap_or("en");
    let locales = configuration.get("i18n.locales").texts();
    locales.into_iter().filter(|locale| *locale != default).map(str::to_owned).collect()
}

/// Returns the name of a plugin or a preset and its options: `['name', {…}]`, `'name'`.
fn named(entry: &Value) -> Option<(&str, &Value)> {
    match entry {
        Value::Text(name) => Some((name, &Value::Null)),
        Value::List(list) => match list.first()? {
            Value::Text(name) => Some((name, list.get(1).unwrap_or(&Value::Null))),
            // `require.resolve('name')`
            Value::Call(function, arguments) if function == "require.resolve" || function == "require" => {
                Some((arguments.first()?.text()?, list.get(1).unwrap_or(&Value::Null)))
            }
            _ => None,
        },
        Value::Call(function, arguments) if function == "require.resolve" || function == "require" => {
            Some((arguments.first()?.text()?, &Value::Null))
        }
        _ => None,
    }
}

/// Returns the path of the program of a plugin: `path.resolve(__dirname, './src/plugin.ts')`.
fn program_of(entry: &Value) -> Option<String> {
    let first = entry.list().first().unwrap_or(entry);
    let Value::Call(function, arguments) = first else { return None };
    let is_path = matches!(&**function, "path.resolve" | "path.join" | "resolve" | "join");
    let path = arguments.last().and_then(Value::text).filter(|_| is_path && arguments.len() == 2)?;
    Some(if path.starts_with('.') { path.to_owned() } else { format!("./{path}") })
}

struct Builder<'t> {
    found: &'t Found<'t>,
    has_slash: bool,
    locales: Vec<String>,
    site: SiteModel,
}

/// An instance of the plugin for documents.
struct Instance<'v> {
    id: &'v str,
    options: &'v Value,
    /// The directory of the current version, in that of the site.
    path: &'v str,
    /// The URL of all versions: `/docs`, "" for the root.
    route: String,
}

/// A version of the documents of an instance.
struct Version {
    directory: String,
    /// The name of its directory of translations: `current`, `version-1.0`.
    key: String,
    route: String,
}

impl Builder<'_> {
    fn read_presets(&mut self, configuration: &Value) {
        let presets = configuration.get("presets");
        if presets.has_computed() && presets.list().is_empty() {
            self.site.routes.open("/", "the presets are computed");
        }
        for preset in presets.list() {
            match named(preset) {
                Some(("classic" | "@docusaurus/preset-classic", options)) => {
                    self.add_docs("default", options.member("docs"));
                    self.add_blog("default", options.member("blog"));
                    self.add_pages(options.member("pages"));
                }
                Some((name, _)) => self.site.routes.open("/", format!("the preset {name} can add pages")),
                None if *preset == Value::Bool(false) || preset.is_null() => {}
                None => self.site.routes.open("/", "a preset is computed"),
            }
        }
    }

    fn read_plugins(&mut self, configuration: &Value) {
        let plugins = configuration.get("plugins");
        if *plugins == Value::Computed {
            self.site.routes.open("/", "the plugins are computed");
        }
        let themes = configuration.get("themes");
        for plugin in plugins.list().iter().chain(themes.list()) {
            let Some((name, options)) = named(plugin) else {
                match program_of(plugin) {
                    Some(path) => self.read_plugin(&path),
                    None if matches!(plugin, Value::Bool(_) | Value::Null) => {}
                    None => self.site.routes.open_pages("/", "a plugin is computed"),
                }
                continue;
            };
            if name.starts_with('.') {
                self.read_plugin(name);
                continue;
            }
            let short = name.rsplit('/').next().unwrap_or(name);
            let short = short.strip_prefix("plugin-").unwrap_or(short);
            let id = options.get("id").text().unwrap_or("default");
            match short {
                "content-docs" => self.add_docs(id, options),
                "content-blog" => self.add_blog(id, options),
                "content-pages" => self.add_pages(options),
                "client-redirects" => self.add_redirects(options),
                _ if WITHOUT_ROUTES.contains(&short) || short.starts_with("theme-") => {}
                _ if short.contains("search") => {
                    self.site.routes.open("/search", "the plugin adds a page to search");
                }
                _ => self.site.routes.open_pages("/", format!("the plugin {name} can add pages")),
            }
        }
    }

    /// Reads a plugin of the repository: the routes that it adds, and whether it writes files.
    fn read_plugin(&mut self, path: &str) {
        let tree = self.found.tree;
        let path = resolved(self.found.directory, path);
        let Some(path) = path.and_then(|path| super::program::existing(tree, &path)) else {
            return self.site.routes.open_pages("/", "a plugin is not in the tree");
        };
        let plugin = Program::read(tree, &path);
        if plugin.mentions("addRoute") {
            let routes: Vec<&str> = plugin.literals("path").filter(|route| route.starts_with('/')).collect();
            if routes.is_empty() {
                self.site.routes.open_pages("/", format!("{path} adds pages"));
            }
            for route in routes {
                self.site.routes.open_pages(route, format!("{path} adds pages"));
            }
        }
        if plugin.mentions("postBuild") || plugin.mentions("outDir") {
            const WRITTEN: [&str; 5] = ["txt", "md", "json", "xml", "html"];
            self.site.routes.open_files("/", &WRITTEN, format!("{path} can write it"));
        }
        // Another plugin, which it calls.
        if plugin.mentions("plugin-content-") {
            self.site.routes.open("/", format!("{path} can add pages"));
        }
    }

    /// Adds the documents of an instance, in all versions.
    fn add_docs(&mut self, id: &str, options: &Value) {
        if options.bool() == Some(false) {
            return;
        }
        if *options == Value::Computed {
            self.site.routes.open("/", "the options of the documents are computed");
        }
        let path = options.get("path").text().unwrap_or("docs");
        let route = options.get("routeBasePath");
        if *route == Value::Computed || options.member("path") == &Value::Computed {
            self.site.routes.open("/", "the route of the documents is computed");
        }
        let route = route.text().unwrap_or("docs").trim_matches('/');
        let route = if route.is_empty() { String::new() } else { format!("/{route}") };
        let instance = Instance { id, options, path, route };
        for version in self.versions(&instance) {
            self.add_version(&instance, &version);
        }
    }

    /// Returns the versions of an instance, with the current one.
    fn versions(&mut self, instance: &Instance<'_>) -> Vec<Version> {
        let Instance { id, options, path, route } = instance;
        let home = self.found.directory;
        let prefix = if *id == "default" { String::new() } else { format!("{id}_") };
        let list = self.found.tree.read(&joined(home, &format!("{prefix}versions.json"))).unwrap_or_default();
        let list = Value::json(&list);
        let is_versioned = options.get("disableVersioning").bool() != Some(true);
        let mut names: Vec<&str> = if is_versioned { list.texts() } else { Vec::new() };
        let only = options.get("onlyIncludeVersions").texts();
        let has_current = options.get("includeCurrentVersion").bool() != Some(false);
        names.retain(|name| only.is_empty() || only.contains(name));
        let has_current = has_current && (only.is_empty() || only.contains(&"current"));
        let last = options.get("lastVersion").text().or(names.first().copied()).unwrap_or("current");
        let route_of = |name: &str| {
            let own = options.get("versions").member(name).member("path").text();
            let own = own.unwrap_or(match name {
                _ if name == last => "",
                "current" => "next",
                name => name,
            });
            format!("{route}/{own}").trim_end_matches('/').to_owned()
        };
        if *options.get("versions") == Value::Computed || *options.get("lastVersion") == Value::Computed {
            self.site.routes.open(&format!("{route}/"), "the versions are computed");
        }
        let mut versions = Vec::new();
        if has_current && let Some(directory) = resolved(home, path) {
            versions.push(Version { directory, key: "current".to_owned(), route: route_of("current") });
        }
        for name in names {
            let directory = joined(home, &format!("{prefix}versioned_docs/version-{name}"));
            versions.push(Version { directory, key: format!("version-{name}"), route: route_of(name) });
        }
        versions
    }

    fn add_version(&mut self, instance: &Instance<'_>, version: &Version) {
        let tree = self.found.tree;
        let options = instance.options;
        let globs = |key: &str, defaults: &[&str]| match options.get(key).texts() {
            own if own.is_empty() => Globs::new(defaults.iter().copied()),
            own => Globs::new(own),
        };
        let included = globs("include", &["**/*.{md,mdx}"]);
        let excluded = globs(
            "exclude",
            &["**/_*.{js,jsx,ts,tsx,md,mdx}", "**/_*/**", "**/*.test.{js,jsx,ts,tsx}", "**/__tests__/**"],
        );
        let strips = options.get("numberPrefixParser").bool() != Some(false);
        if matches!(options.get("numberPrefixParser"), Value::Computed) {
            self.site.routes.open(&format!("{}/", version.route), "numberPrefixParser is computed");
        }
        self.site.content.push(ContentRoot::new(&version.directory, &format!("{}/", version.route)));
        let id = if instance.id == "default" { String::new() } else { format!("-{}", instance.id) };
        for locale in self.locales.clone() {
            let home = self.found.directory;
            let directory =
                joined(home, &format!("i18n/{locale}/docusaurus-plugin-content-docs{id}/{}", version.key));
            self.site.content.push(ContentRoot {
                directory,
                url: format!("/{locale}{}/", version.route),
                fallbacks: vec![version.directory.clone()],
            });
        }
        let mut has_tags = false;
        for path in tree.below(&version.directory) {
            let below = path_below(path, &version.directory).unwrap_or(path);
            if name_of(below).starts_with("_category_.") {
                self.add_category(version, path, parent(below), strips);
                continue;
            }
            let (stem, ending) = split_ending(below);
            if !matches!(ending, "md" | "mdx" | "markdown") || !included.has(below) || excluded.has(below) {
                continue;
            }
            let front = tree.front_matter(path);
            if front.is("draft") {
                continue;
            }
            has_tags |= front.get("tags").is_there();
            let url = format!("{}{}", version.route, url_of(stem, &front, strips));
            let below = below.to_owned();
            self.add_page(path, &url, |locale| {
                joined(&format!("i18n/{locale}/docusaurus-plugin-content-docs{id}/{}", version.key), &below)
            });
        }
        if has_tags {
            self.made(&format!("{}/tags", version.route));
            self.site.routes.open(&format!("{}/tags/", version.route), "there is a page for each tag");
        }
        self.add_sidebar(instance, version);
    }

    /// Adds a page at a URL, and in all locales; `translated` is the file of a locale, in the directory of the site.
    fn add_page(&mut self, path: &str, url: &str, translated: impl Fn(&str) -> String) {
        let url = self.slashed(url);
        let output = joined(url.trim_matches('/'), "index.html");
        self.site.routes.add_page_in(path, &url, &output);
        for locale in &self.locales {
            let file = joined(self.found.directory, &translated(locale));
            let localized = format!("/{locale}{url}");
            let output = joined(locale, &output);
            if self.found.tree.has_file(&file) {
                self.site.routes.add_page_in(&file, &localized, &output);
            } else {
                self.site.routes.add_file(path, &output);
            }
        }
    }

    /// Adds a page that Docusaurus makes, in all locales.
    fn made(&mut self, url: &str) {
        let url = format!("{}/", url.trim_end_matches('/'));
        self.site.routes.add_made(&url);
        for locale in &self.locales {
            self.site.routes.add_made(&format!("/{locale}{url}"));
        }
    }

    fn slashed(&self, url: &str) -> String {
        let bare = url.trim_end_matches('/');
        match (bare.is_empty(), self.has_slash) {
            (true, _) => "/".to_owned(),
            (_, true) => format!("{bare}/"),
            _ => bare.to_owned(),
        }
    }

    /// Adds the index that `_category_.json` asks for.
    fn add_category(&mut self, version: &Version, path: &str, directory: &str, strips: bool) {
        let value = Value::of_file(path, &self.found.tree.read(path).unwrap_or_default());
        let name = without_number(name_of(directory), strips);
        self.add_index(version, &value, name);
    }

    /// Adds the index of a category whose link is a generated one.
    fn add_index(&mut self, version: &Version, category: &Value, name: &str) {
        if category.get("link.type").text() != Some("generated-index") {
            return;
        }
        let label = category.get("label").text().unwrap_or(name);
        let slug = match category.get("link.slug").text() {
            Some(slug) => format!("/{}", slug.trim_start_matches('/')),
            None => format!("/category/{}", HeadingIds::GitHub.id_of(label)),
        };
        self.made(&format!("{}{slug}", version.route));
    }

    /// Adds the indexes of the categories of a sidebar.
    fn add_sidebar(&mut self, instance: &Instance<'_>, version: &Version) {
        let home = self.found.directory;
        let path = match (&*version.key, instance.options.get("sidebarPath")) {
            ("current", Value::Text(path)) => resolved(home, path),
            ("current", Value::Call(_, arguments)) => {
                arguments.first().and_then(Value::text).and_then(|path| resolved(home, path))
            }
            ("current", Value::Bool(false)) => None,
            ("current", _) => {
                self.found.tree.first_file(home, &["sidebars.js", "sidebars.ts", "sidebars.json"])
            }
            (key, _) => {
                let prefix =
                    if instance.id == "default" { String::new() } else { format!("{}_", instance.id) };
                Some(joined(home, &format!("{prefix}versioned_sidebars/{key}-sidebars.json")))
            }
        };
        let Some(path) = path.filter(|path| self.found.tree.has_file(path)) else { return };
        let value = Value::of_file(&path, &self.found.tree.read(&path).unwrap_or_default());
        if value.has_computed() {
            self.site.routes.open(&format!("{}/category/", version.route), "the sidebar is computed");
        }
        let mut open = vec![value.unwrapped()];
        while let Some(value) = open.pop() {
            self.add_index(version, value, "");
            open.extend(value.list());
            open.extend(value.entries().map(|(_, value)| value));
        }
    }

    fn add_blog(&mut self, id: &str, options: &Value) {
        if options.bool() == Some(false) {
            return;
        }
        let home = self.found.directory;
        let path = options.get("path").text().unwrap_or("blog");
        let Some(directory) = resolved(home, path) else { return };
        let route = options.get("routeBasePath").text().unwrap_or("blog").trim_matches('/');
        let route = if route.is_empty() { String::new() } else { format!("/{route}") };
        if *options == Value::Computed || *options.get("routeBasePath") == Value::Computed {
            self.site.routes.open("/", "the options of the blog are computed");
        }
        let id = if id == "default" { String::new() } else { format!("-{id}") };
        self.site.content.push(ContentRoot::new(&directory, &format!("{route}/")));
        for locale in self.locales.clone() {
            let directory_of = joined(home, &format!("i18n/{locale}/docusaurus-plugin-content-blog{id}"));
            self.site.content.push(ContentRoot {
                directory: directory_of,
                url: format!("/{locale}{route}/"),
                fallbacks: vec![directory.clone()],
            });
        }
        let mut has_posts = false;
        for path in self.found.tree.below(&directory) {
            let below = path_below(path, &directory).unwrap_or(path);
            let (stem, ending) = split_ending(below);
            let is_hidden = below.split('/').any(|name| name.starts_with('_')) || below.contains("__tests__");
            if !matches!(ending, "md" | "mdx") || is_hidden {
                continue;
            }
            let front = self.found.tree.front_matter(path);
            if front.is("draft") {
                continue;
            }
            has_posts = true;
            let slug = front
                .text("slug")
                .map_or_else(|| blog_slug(stem), |slug| format!("/{}", slug.trim_start_matches('/')));
            let below = below.to_owned();
            self.add_page(path, &format!("{route}{slug}"), |locale| {
                joined(&format!("i18n/{locale}/docusaurus-plugin-content-blog{id}"), &below)
            });
        }
        if !has_posts && !self.found.tree.has_directory(&directory) {
            return;
        }
        for list in ["", "/archive", "/tags", "/authors"] {
            self.made(&format!("{route}{list}"));
        }
        let archive = options.get("archiveBasePath").text();
        if let Some(archive) = archive {
            self.made(&format!("{route}/{}", archive.trim_matches('/')));
        }
        for file in ["rss.xml", "atom.xml", "feed.json"] {
            self.site.routes.add_made(&format!("{route}/{file}"));
        }
        for list in ["tags", "page", "authors"] {
            self.site.routes.open(&format!("{route}/{list}/"), "there is a page for each");
        }
    }

    /// Adds the pages of `src/pages`.
    fn add_pages(&mut self, options: &Value) {
        if options.bool() == Some(false) {
            return;
        }
        let home = self.found.directory;
        let Some(directory) = resolved(home, options.get("path").text().unwrap_or("src/pages")) else {
            return;
        };
        let route = options.get("routeBasePath").text().unwrap_or("/").trim_matches('/');
        let route = if route.is_empty() { String::new() } else { format!("/{route}") };
        self.site.content.push(ContentRoot::new(&directory, &format!("{route}/")));
        for path in self.found.tree.below(&directory) {
            let below = path_below(path, &directory).unwrap_or(path);
            let (stem, ending) = split_ending(below);
            let is_hidden = below.split('/').any(|name| name.starts_with('_'))
                || stem.ends_with(".test")
                || below.contains("__tests__");
            if is_hidden
                || !matches!(ending, "js" | "jsx" | "ts" | "tsx" | "md" | "mdx")
                || stem.ends_with(".d")
            {
                continue;
            }
            let is_index = name_of(stem) == "index";
            let bare = if is_index { parent(stem) } else { stem };
            let mut url = format!("{route}/{bare}");
            if matches!(ending, "md" | "mdx") {
                let front = self.found.tree.front_matter(path);
                if front.is("draft") {
                    continue;
                }
                if let Some(slug) = front.text("slug") {
                    url = if slug.starts_with('/') {
                        format!("{route}{slug}")
                    } else {
                        joined(parent(&url), slug)
                    };
                }
            }
            let below = below.to_owned();
            self.add_page(path, &url, |locale| {
                joined(&format!("i18n/{locale}/docusaurus-plugin-content-pages"), &below)
            });
        }
    }

    fn add_redirects(&mut self, options: &Value) {
        if options.get("createRedirects").is_there() {
            self.site.routes.open("/", "createRedirects adds redirects");
        }
        if options.get("redirects").has_computed() {
            self.site.routes.open("/", "redirects are computed");
        }
        for redirect in options.get("redirects").list() {
            let to = redirect.get("to").text().unwrap_or_default();
            for from in redirect.get("from").texts() {
                let from = format!("{}/", from.trim_end_matches('/'));
                self.site.routes.add_redirect(&from, to);
                for locale in &self.locales {
                    self.site.routes.add_redirect(&format!("/{locale}{from}"), to);
                }
            }
        }
    }

    fn add_static(&mut self, configuration: &Value) {
        let directories = configuration.get("staticDirectories").texts();
        let directories = if directories.is_empty() { vec!["static"] } else { directories };
        for directory in directories.into_iter().filter_map(|path| resolved(self.found.directory, path)) {
            self.site.routes.add_directory(self.found.tree, &directory, "/");
        }
    }
}

/// Returns the URL of a document below the route of its version (`slug.ts`).
fn url_of(stem: &str, front: &FrontMatter, strips: bool) -> String {
    let directory: Vec<_> = parent(stem)
        .split('/')
        .filter(|name| !name.is_empty())
        .map(|name| without_number(name, strips))
        .collect();
    let directory = directory.join("/");
    let inside = |name: &str| {
        let url = format!("/{}", resolved(&directory, name).unwrap_or_default());
        if name.ends_with('/') && !url.ends_with('/') { format!("{url}/") } else { url }
    };
    let name = name_of(stem);
    match front.text("slug") {
        Some(slug) if slug.starts_with('/') => slug.to_owned(),
        Some(slug) => inside(slug),
        None => {
            let around = name_of(parent(stem));
            let is_index = ["index", "readme"].iter().any(|own| name.eq_ignore_ascii_case(own))
                || !around.is_empty() && name.to_lowercase() == around.to_lowercase();
            match is_index {
                true => inside(""),
                false => inside(front.text("id").unwrap_or_else(|| without_number(name, strips))),
            }
        }
    }
}

/// Returns a name without the number that orders it: `02-x`, `02_x`, `02. x`; dates and versions stay (`numberPrefix.ts`).
fn without_number(name: &str, strips: bool) -> &str {
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let (_, rest) = name.split_at(digits);
    if !strips || digits == 0 {
        return name;
    }
    let spaced = rest.trim_start();
    let marks = spaced.trim_start_matches(['-', '_', '.']);
    let has_mark = marks.len() < spaced.len();
    let suffix = marks.trim_start();
    let is_version = spaced.len() == rest.len()
        && spaced.get(1..).is_some_and(|after| after.starts_with(|first: char| first.is_ascii_digit()));
    let is_good = has_mark
        && !is_version
        && suffix.chars().next().is_some_and(|first| !matches!(first, '-' | '_' | '.'));
    if is_good { suffix } else { name }
}

/// Returns the path of a post without a slug: `/2020/01/02/name` of `2020-01-02-name` (`blogUtils.ts`).
fn blog_slug(stem: &str) -> String {
    let stem = stem.strip_suffix("/index").unwrap_or(stem);
    // The date may be in the name of a directory, or be made of directories.
    let mut at = 0;
    loop {
        let (before, rest) = stem.split_at(at);
        if let Some((date, rest)) = Date::at_start(rest) {
            let text = rest.trim_start_matches(['-', '/']);
            let Date { year, month, day } = date;
            return format!("/{before}{year}/{month}/{day}/{text}");
        }
        match rest.find('/') {
            Some(next) => at += next + 1,
            None => return format!("/{stem}"),
        }
    }
}

/// Looks up paths of documents, `@site/…` and `pathname:///…`.
fn special(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    if let Some(path) = link.path().strip_prefix("pathname://") {
        let rest = link.written.get(link.path().len()..).unwrap_or_default();
        return match path.starts_with('/') {
            true => Some(Lookup::Means(format!("{path}{rest}").into())),
            false => Some(Lookup::NotOfSite),
        };
    }
    let path = decoded(link.path());
    if leaves_content(site, link, &path) {
        return Some(Lookup::Unknown(
            "a plugin of the Markdown can rewrite links that leave the documents".into(),
        ));
    }
    let at_site = path.strip_prefix("@site/").or_else(|| path.strip_prefix("~@site/"));
    let is_document = matches!(split_ending(&path).1, "md" | "mdx");
    if let Some(inside) = at_site {
        let file = resolved(&site.directory, inside)?;
        return Some(match (is_document, link.tree.has_file(&file)) {
            (true, true) => same_version(site, link, &file),
            (false, true) => Lookup::Source(file.into()),
            (_, false) => Lookup::Dead("no such file in the directory of the site".into()),
        });
    }
    if !is_document || link.form != LinkForm::Markup || super::resolve::has_scheme(&path) {
        return None;
    }
    let relative = || resolved(link.directory(), &path).filter(|_| !path.starts_with('/'));
    let root = site.root_of(link.document)?;
    let translated = || {
        let file = relative()?;
        let inside = path_below(&file, &root.directory)?;
        root.fallbacks.iter().map(|original| joined(original, inside)).find(|path| link.tree.has_file(path))
    };
    let inside = path.trim_start_matches('/');
    let of_roots = std::iter::once(&root.directory).chain(&root.fallbacks);
    let in_content =
        of_roots.filter_map(|directory| resolved(directory, inside)).find(|path| link.tree.has_file(path));
    let in_site = || resolved(&site.directory, inside).filter(|path| link.tree.has_file(path));
    let file = relative()
        .filter(|path| link.tree.has_file(path))
        .or_else(translated)
        .or(in_content)
        .or_else(in_site)?;
    Some(same_version(site, link, &file))
}

/// Returns whether a relative link leads out of the content root to no file of the tree, on a site whose links plugins can
/// rewrite: documents that are copied from another repository.
fn leaves_content(site: &SiteModel, link: &SiteLink<'_>, path: &str) -> bool {
    let is_relative = path.starts_with("../") && link.form == LinkForm::Markup;
    if !is_relative || !site.names.contains_key(&("remark", "".into())) {
        return false;
    }
    let Some(root) = site.root_of(link.document) else { return false };
    let named = resolved(link.directory(), path);
    let ups = path.split('/').take_while(|name| *name == "..").count();
    let depth = path_below(link.directory(), &root.directory)
        .map_or(0, |inside| inside.split('/').filter(|name| !name.is_empty()).count());
    // The root may have versions or languages, of which each is a copy.
    let first = path.split('/').nth(ups).unwrap_or_default();
    let is_copy = ups == depth && !first.ends_with(".md") && {
        !link.tree.has_directory(&joined(&root.directory, first))
    };
    let leaves = ups > depth || is_copy;
    leaves && !named.is_some_and(|named| link.tree.has_file(&named) || link.tree.has_directory(&named))
}

/// Returns where a path of a document leads: to its page, if that is of the same version of the same instance.
fn same_version(site: &SiteModel, link: &SiteLink<'_>, file: &str) -> Lookup {
    let (own, other) = (site.root_of(link.document), site.root_of(file));
    let is_same = match (own, other) {
        (Some(own), Some(other)) => {
            own.directory == other.directory
                || own.fallbacks.contains(&other.directory)
                || other.fallbacks.contains(&own.directory)
        }
        _ => false,
    };
    match site.routes.url_of(file) {
        Some(_) if is_same => Lookup::Source(file.into()),
        Some(_) => {
            Lookup::NotPublished("Docusaurus links only documents of the same instance and version".into())
        }
        None => Lookup::NotPublished("the file is no page of the site".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names() {
        for (name, expected) in [
            ("02-numbered", "numbered"),
            ("02_x", "x"),
            ("3. A b", "A b"),
            ("1 - a", "a"),
            ("2020-01-02-x", "2020-01-02-x"),
            ("7.0-foo", "7.0-foo"),
            ("12", "12"),
            ("12-", "12-"),
            ("a-1", "a-1"),
        ] {
            assert_eq!(without_number(name, true), expected, "{name}");
        }
        assert_eq!(without_number("02-x", false), "02-x");
    }

    #[test]
    fn posts() {
        for (stem, expected) in [
            ("2021-03-04-second", "/2021/03/04/second"),
            ("2021-03-04-a/index", "/2021/03/04/a"),
            ("x/2021/03/04/a", "/x/2021/03/04/a"),
            ("plain/a", "/plain/a"),
        ] {
            assert_eq!(blog_slug(stem), expected, "{stem}");
        }
    }
}
