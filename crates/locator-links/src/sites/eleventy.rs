//! Eleventy: each template of `dir.input` is a page, `a.md` at `/a/`, or where its `permalink` or that of its directory says.
//! Only what `addPassthroughCopy` names is copied. Links are left as they are, unless a plugin looks them up as files.

use std::collections::HashMap;

use locator_find::HeadingIds;

use super::base;
use super::configuration::Value;
use super::front_matter::FrontMatter;
use super::glob::{Globs, fixed_directory, is_glob};
use super::model::{
    BaseUse, ContentRoot, Found, Generator, Headings, LinkRule, Lookup, Origin, SiteLink, SiteModel,
    SourceStep,
};
use super::program::{Program, package};
use super::tree::{joined, name_of, parent, path_below, resolved, split_ending};

/// The generator.
pub(crate) static ELEVENTY: Generator = Generator {
    name: "eleventy",
    title: "Eleventy",
    configurations: &[
        "eleventy.config.js",
        "eleventy.config.mjs",
        "eleventy.config.cjs",
        "eleventy.config.ts",
        ".eleventy.js",
        ".eleventy.cjs",
    ],
    read,
    special,
};

/// The endings of templates.
const TEMPLATES: [&str; 12] =
    ["md", "html", "njk", "liquid", "hbs", "mustache", "ejs", "haml", "pug", "webc", "vto", "mdx"];

fn read(found: &Found<'_>) -> Option<SiteModel> {
    let program = Program::of(found);
    let mut site = SiteModel::new(&ELEVENTY, found);
    let input = input_of(found, &program)?;
    base::set(&mut site, &program, "pathPrefix");
    site.content.push(ContentRoot::new(&input, "/"));
    // The plugin may have another function for ids.
    let has_ids = program.mentions("IdAttributePlugin") && !program.mentions("slugify");
    site.headings = Headings { ids: HeadingIds::Eleventy, is_changed: !has_ids, ..Headings::default() };
    let mut rule = LinkRule::default();
    if program.mentions("InputPathToUrl") {
        let step = |from| SourceStep {
            from,
            endings: &[".md", ".html", ".njk", ".liquid", ".webc", ".11ty.js", ".mdx"],
            added: &[""],
            any_file: false,
        };
        rule.sources = vec![step(Origin::Content), step(Origin::Document)];
    }
    if program.mentions("HtmlBasePlugin") {
        rule.base = BaseUse::AddedOnce;
    }
    (site.markdown, site.html, site.component) = (rule.clone(), rule.clone(), rule);

    let ignored = Ignored::of(found, &program, &input);
    let mut data = DirectoryData { found, input: &input, known: HashMap::new() };
    for path in found.tree.below(&input) {
        let Some(inside) = path_below(path, &input) else { continue };
        let Some(stem) = template_stem(inside) else { continue };
        if ignored.has(path, inside) {
            continue;
        }
        let is_program =
            inside.ends_with(".11ty.js") || inside.ends_with(".11ty.cjs") || inside.ends_with(".11ty.ts");
        let front = if is_program { FrontMatter::default() } else { found.tree.front_matter(path) };
        let around = data.permalink_of(path, stem);
        let own = match front.get("permalink") {
            Value::Map(entries) => {
                entries.iter().find(|(key, _)| key == "build").map(|(_, value)| value).cloned()
            }
            Value::Null => None,
            value => Some(value.clone()),
        };
        let is_paged = front.get("pagination").is_there();
        let computed = front.get("eleventyComputed.permalink").is_there();
        let text = if is_program { found.tree.beginning(path) } else { String::new() };
        let permalink = match own.or(around) {
            _ if computed => Value::Computed,
            _ if is_program && (text.contains("permalink") || text.contains("pagination")) => Value::Computed,
            None => Value::Null,
            Some(permalink) => permalink,
        };
        let template = Template { path, inside, stem, is_paged };
        template.add_to(&mut site, &permalink);
    }
    add_copies(&mut site, found, &program, &input);
    add_of_plugins(&mut site, &program);
    add_of_scripts(&mut site, found);
    Some(site)
}

/// Returns the directory of the templates.
fn input_of(found: &Found<'_>, program: &Program) -> Option<String> {
    let called = program.arguments("setInputDirectory");
    let called = called.first().and_then(Value::text).map(str::to_owned);
    let input = called.or_else(|| program.literals("input").next().map(str::to_owned));
    resolved(found.directory, input.as_deref().unwrap_or("."))
}

/// Returns the path of a template without its ending; `None` if it is not a template.
fn template_stem(inside: &str) -> Option<&str> {
    for program in [".11ty.js", ".11ty.cjs", ".11ty.mjs", ".11ty.ts"] {
        if let Some(stem) = inside.strip_suffix(program) {
            return Some(stem);
        }
    }
    let (stem, ending) = split_ending(inside);
    TEMPLATES.contains(&ending).then_some(stem)
}

/// What is below the input, and no template.
struct Ignored {
    /// Directories of layouts, includes, data and the output.
    directories: Vec<String>,
    patterns: Globs,
}

impl Ignored {
    fn of(found: &Found<'_>, program: &Program, input: &str) -> Self {
        let mut directories = vec![joined(found.directory, "_site"), joined(found.directory, "node_modules")];
        for (key, default) in [("includes", "_includes"), ("layouts", "_layouts"), ("data", "_data")] {
            directories.push(joined(input, default));
            directories.extend(program.literals(key).filter_map(|name| resolved(input, name)));
        }
        directories.extend(program.literals("output").filter_map(|name| resolved(found.directory, name)));
        directories.retain(|directory| directory != input && !directory.is_empty());
        let text = found.tree.read(&joined(found.directory, ".eleventyignore")).unwrap_or_default();
        let mut patterns: Vec<String> = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let plain = line.trim_start_matches("./").trim_start_matches('/').trim_end_matches('/');
            let plain = joined(found.directory, plain);
            patterns.push(format!("{plain}/**"));
            patterns.push(plain);
        }
        for added in program.arguments("ignores.add") {
            patterns.extend(added.text().map(|path| joined(found.directory, path.trim_start_matches("./"))));
        }
        Self { directories, patterns: Globs::new(patterns.iter().map(String::as_str)) }
    }

    fn has(&self, path: &str, inside: &str) -> bool {
        let is_hidden = inside.split('/').any(|name| name == "node_modules" || name.starts_with('.'));
        let is_readme = inside == "README.md";
        let in_directory = || self.directories.iter().any(|directory| path_below(path, directory).is_some());
        is_hidden || is_readme || in_directory() || self.patterns.has(path)
    }
}

/// The permalinks of directories: `posts/posts.json`, `posts/posts.11tydata.js`.
struct DirectoryData<'t> {
    found: &'t Found<'t>,
    input: &'t str,
    known: HashMap<String, Option<Value>>,
}

impl DirectoryData<'_> {
    /// Returns the permalink that a file beside a template or a directory around it says.
    fn permalink_of(&mut self, path: &str, stem: &str) -> Option<Value> {
        let own = joined(parent(path), name_of(stem));
        if let Some(value) = self.read(&own) {
            return Some(value);
        }
        let mut directory = parent(path);
        loop {
            let file = joined(directory, name_of(directory));
            if !self.known.contains_key(directory) {
                let value = if directory.is_empty() { None } else { self.read(&file) };
                self.known.insert(directory.to_owned(), value);
            }
            if let Some(Some(value)) = self.known.get(directory) {
                return Some(value.clone());
            }
            if directory == self.input || directory.is_empty() {
                return None;
            }
            directory = parent(directory);
        }
    }

    fn read(&self, stem: &str) -> Option<Value> {
        for ending in
            [".json", ".11tydata.json", ".11tydata.js", ".11tydata.cjs", ".11tydata.mjs", ".yaml", ".yml"]
        {
            let path = format!("{stem}{ending}");
            let Some(text) = self.found.tree.read(&path) else { continue };
            let value = Value::of_file(&path, &text);
            match value.get("permalink") {
                Value::Null | Value::Computed if !text.contains("permalink") => {}
                Value::Null => return Some(Value::Computed),
                permalink => return Some(permalink.clone()),
            }
        }
        None
    }
}

/// A template, whose page is to be added.
struct Template<'t> {
    path: &'t str,
    inside: &'t str,
    stem: &'t str,
    is_paged: bool,
}

impl Template<'_> {
    /// Adds the page with a permalink.
    fn add_to(&self, site: &mut SiteModel, permalink: &Value) {
        let reason = |what: &str| format!("{} {what}", self.inside);
        match permalink {
            Value::Bool(false) => {}
            Value::Text(text) => {
                let filled_in = self.filled_in(text);
                match filled_in.find("{{").or_else(|| filled_in.find("{%")).or_else(|| filled_in.find("${")) {
                    Some(at) => {
                        let fixed = format!("/{}", filled_in[..at].trim_start_matches(['/', '.']));
                        let prefix = fixed.rfind('/').map_or("/", |end| &fixed[..=end]);
                        site.routes.open(prefix, reason("computes its URLs"));
                    }
                    None => {
                        let url = format!("/{}", filled_in.trim_start_matches("./").trim_start_matches('/'));
                        site.routes.add_page(self.path, &url);
                    }
                }
            }
            Value::Null | Value::Bool(true) => {
                let url = self.default_url();
                if self.is_paged {
                    site.routes.open(&url, reason("has several pages"));
                }
                site.routes.add_page(self.path, &url);
            }
            _ => site.routes.open("/", reason("computes its URLs")),
        }
    }

    /// Returns the URL without a permalink: the path, with that of its directory for `index` and for the name of the directory.
    fn default_url(&self) -> String {
        let (directory, name) = (parent(self.stem), name_of(self.stem));
        let slug = match name {
            "index" => directory.to_owned(),
            name if name == name_of(directory) => directory.to_owned(),
            _ => self.stem.to_owned(),
        };
        if slug.is_empty() { "/".to_owned() } else { format!("/{slug}/") }
    }

    /// Returns a permalink in which the names of the file are filled in.
    fn filled_in(&self, permalink: &str) -> String {
        let name = without_date(name_of(self.stem));
        let directory = parent(self.stem);
        let slug = if name == "index" { without_date(name_of(directory)) } else { name };
        let path = format!("/{}", joined(directory, name));
        let mut text = String::with_capacity(permalink.len());
        let mut rest = permalink;
        while let Some(at) = rest.find("{{") {
            let (before, after) = rest.split_at(at);
            text.push_str(before);
            let Some(end) = after.find("}}") else { break };
            let inner = after[2..end].trim();
            match inner {
                "page.fileSlug" | "fileSlug" | "page.fileSlug | slugify" | "page.fileSlug | slug" => {
                    text.push_str(slug);
                }
                "page.filePathStem" => text.push_str(&path),
                "page.outputFileExtension" => text.push_str("html"),
                _ => text.push_str(&after[..end + 2]),
            }
            rest = &after[end + 2..];
        }
        text.push_str(rest);
        text.replace("//", "/")
    }
}

/// Returns a name without the date before it: `2020-01-02-name`.
fn without_date(name: &str) -> &str {
    let bytes = name.as_bytes();
    let is_date = bytes.len() > 11
        && [4, 7, 10].iter().all(|at| bytes[*at] == b'-')
        && [0, 1, 2, 3, 5, 6, 8, 9].iter().all(|at| bytes[*at].is_ascii_digit());
    if is_date { &name[11..] } else { name }
}

/// Adds what is copied: `addPassthroughCopy("img")`, `addPassthroughCopy({ "static": "/" })`.
fn add_copies(site: &mut SiteModel, found: &Found<'_>, program: &Program, input: &str) {
    for argument in program.arguments("addPassthroughCopy") {
        match &argument {
            Value::Text(path) => add_copy(site, found, path, None, input),
            Value::Map(entries) => {
                for (from, to) in entries {
                    match to.text().filter(|_| from != "...") {
                        Some(to) => add_copy(site, found, from, Some(to), input),
                        None => site.routes.open("/", "addPassthroughCopy has computed paths"),
                    }
                }
            }
            _ => site.routes.open("/", "addPassthroughCopy has computed paths"),
        }
    }
    // Endings of files that are no templates are copied: `setTemplateFormats(["md", "css"])`.
    let listed = program
        .arguments("setTemplateFormats")
        .into_iter()
        .chain(program.value.get("templateFormats").list().to_vec());
    let formats: Vec<String> = listed
        .flat_map(|value| {
            let texts: Vec<String> = value
                .texts()
                .iter()
                .flat_map(|text| text.split(','))
                .map(|text| text.trim().to_owned())
                .collect();
            texts
        })
        .collect();
    for path in found.tree.below(input) {
        let ending = split_ending(path).1;
        if !TEMPLATES.contains(&ending) && formats.iter().any(|format| format == ending) {
            let inside = path_below(path, input).unwrap_or(path);
            site.routes.add_file(path, inside);
        }
    }
}

fn add_copy(site: &mut SiteModel, found: &Found<'_>, from: &str, to: Option<&str>, input: &str) {
    let from = from.trim_start_matches("./").trim_end_matches('/');
    let (pattern, root) = (joined(found.directory, from), found.directory);
    let to = to.map(|to| to.trim_start_matches("./").trim_matches('/'));
    if is_glob(&pattern) {
        let globs = Globs::new([pattern.as_str()]);
        for path in found.tree.below(fixed_directory(&pattern)).filter(|path| globs.has(path)) {
            let place = match to {
                Some(to) => joined(to, name_of(path)),
                None => path_below(path, input).or_else(|| path_below(path, root)).unwrap_or(path).to_owned(),
            };
            site.routes.add_file(path, &place);
        }
        return;
    }
    let place = match to {
        Some(to) => to.to_owned(),
        None => {
            path_below(&pattern, input).or_else(|| path_below(&pattern, root)).unwrap_or(&pattern).to_owned()
        }
    };
    if found.tree.has_file(&pattern) {
        // A directory keeps the name of the file.
        let is_name = name_of(&place).contains('.');
        site.routes.add_file(&pattern, &if is_name { place } else { joined(&place, name_of(&pattern)) });
    } else if found.tree.has_directory(&pattern) {
        site.routes.add_directory(found.tree, &pattern, &place);
    } else {
        // It is made before, or is of a package.
        site.routes.open(&format!("/{place}"), format!("{from} is copied, and is not in the tree"));
    }
}

/// Opens what plugins and the configuration add.
fn add_of_plugins(site: &mut SiteModel, program: &Program) {
    for (word, prefix, reason) in [
        ("addTemplate(", "/", "the configuration adds templates"),
        ("addGlobalData(\"permalink\"", "/", "the configuration computes URLs"),
        ("addGlobalData('permalink'", "/", "the configuration computes URLs"),
        ("eleventyComputed", "/", "the configuration computes URLs"),
        ("eleventy-img", "/img/", "a plugin writes pictures"),
        ("feedPlugin", "/feed", "a plugin writes it"),
        ("eleventy-plugin-vite", "/assets/", "a bundler writes it"),
        ("eleventy.after", "/", "the configuration writes files at the end"),
        ("addExtension(", "/", "the configuration adds kinds of templates"),
        ("bundle", "/bundle/", "a plugin writes it"),
        ("pagefind", "/pagefind/", "the search writes it"),
    ] {
        if program.mentions(word) {
            site.routes.open(prefix, reason);
        }
    }
}

/// Opens what the scripts of `package.json` write beside the pages: style sheets, programs, pictures.
fn add_of_scripts(site: &mut SiteModel, found: &Found<'_>) {
    const TOOLS: [&str; 13] = [
        "postcss",
        "sass",
        "esbuild",
        "webpack",
        "rollup",
        "gulp",
        "tailwind",
        "parcel",
        "vite",
        "terser",
        "shx",
        "lightningcss",
        "cpx",
    ];
    let package = package(found.tree, found.directory);
    if TOOLS.iter().any(|tool| package.contains(tool)) || package.contains("cp -") {
        let reason = "scripts of package.json can write files";
        site.routes.open_files("/", &[], reason);
        site.routes.open("/.", reason);
    }
}

/// Reads `{{ "/a/" | url }}`, which is the path with the prefix.
fn special(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let Some(inner) = link.written.strip_prefix("{{").map(str::trim) else { return base::beyond(site, link) };
    let (inner, after) = inner.split_once("}}")?;
    let (text, filter) = inner.split_once('|')?;
    let path = text.trim().strip_prefix(['"', '\''])?.strip_suffix(['"', '\''])?;
    if filter.trim() != "url" {
        return Some(Lookup::Template);
    }
    let base = if path.starts_with('/') { &*site.base } else { "" };
    Some(Lookup::Means(format!("{base}{path}{after}").into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled_in(stem: &str, permalink: &str) -> String {
        Template { path: "", inside: "", stem, is_paged: false }.filled_in(permalink)
    }

    #[test]
    fn permalinks() {
        assert_eq!(filled_in("posts/2020-01-02-post", "/blog/{{ page.fileSlug }}.html"), "/blog/post.html");
        assert_eq!(filled_in("posts/2020-01-02-post/index", "/{{page.fileSlug}}/"), "/post/");
        assert_eq!(filled_in("a/b", "{{ page.filePathStem }}.html"), "/a/b.html");
        assert_eq!(filled_in("a/b", "/{{ title | slug }}/"), "/{{ title | slug }}/");
        for (stem, expected) in
            [("a/a", "/a/"), ("a/index", "/a/"), ("index", "/"), ("p/2020-01-02-x", "/p/2020-01-02-x/")]
        {
            assert_eq!(Template { path: "", inside: "", stem, is_paged: false }.default_url(), expected);
        }
    }
}
