//! Sphinx: `conf.py` beside documents in reStructuredText, and in Markdown with MyST.
//!
//! A page has the path of its source with `.html`, or with "/" by the builder `dirhtml`. `:doc:` names a document without its
//! ending, `:ref:` a label of any document, `:term:` a term of a glossary; images, `include` and `:download:` are paths of files.
//! What the site does not define may be that of another project by `intersphinx`, which nobody can look up offline
//! (sphinx-doc.org, "Cross-referencing syntax", "Configuration"; myst-parser.readthedocs.io, "Cross-references").

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use locator_find::{Context, Document, Finder, Format, HeadingIds, Label, LabelKind, Link, Sink};

use super::configuration::Value;
use super::glob::Globs;
use super::model::{ContentRoot, Found, Generator, Headings, LinkForm, Lookup, SiteLink, SiteModel};
use super::python::Assignments;
use super::resolve::decoded;
use super::tree::{joined, name_of, parent, path_below, resolved, split_ending};

pub(super) static SPHINX: Generator =
    Generator { name: "sphinx", title: "Sphinx", configurations: &["conf.py"], read, special };

/// The same with pages that end with "/". Nothing in most trees says which builder is used, so the user does.
pub(super) static SPHINX_DIRHTML: Generator = Generator {
    name: "sphinx-dirhtml",
    title: "Sphinx (dirhtml)",
    configurations: &[],
    read: read_for_directories,
    special,
};

fn read(found: &Found<'_>) -> Option<SiteModel> {
    read_as(&SPHINX, found, is_for_directories(found))
}

fn read_for_directories(found: &Found<'_>) -> Option<SiteModel> {
    let configuration = found.tree.first_file(found.directory, &["conf.py"]);
    let found = Found { configuration: configuration.as_deref(), ..*found };
    read_as(&SPHINX_DIRHTML, &found, true)
}

/// Returns whether Read the Docs builds the site with pages that end with "/".
fn is_for_directories(found: &Found<'_>) -> bool {
    let file = found.tree.first_file("", &[".readthedocs.yaml", ".readthedocs.yml"]);
    let text = file.and_then(|path| found.tree.read(&path)).unwrap_or_default();
    Value::yaml(&text).get("sphinx.builder").text() == Some("dirhtml")
}

fn read_as(generator: &'static Generator, found: &Found<'_>, for_directories: bool) -> Option<SiteModel> {
    let program = Assignments::read(&found.text());
    const NAMES: [&str; 6] =
        ["extensions", "html_theme", "source_suffix", "master_doc", "root_doc", "sphinx"];
    if found.configuration.is_some() && !NAMES.iter().any(|name| program.mentions(name)) {
        return None;
    }
    let project = Project::read(&program, found);
    let documents = project.documents(found);
    if documents.is_empty() {
        return None;
    }
    let mut site = SiteModel::new(generator, found);
    // Links from "/" are not known to be of this site, which may have others for its versions beside it.
    site.set_published(program.get("html_baseurl").text().unwrap_or_default());
    site.content.push(ContentRoot::new(found.directory, "/"));
    // The rule for links in the source; pages have the ids of docutils.
    site.headings = Headings { ids: HeadingIds::GitHub, ..Headings::default() };
    add_pages(&mut site, &project, &documents, for_directories);
    add_static(&mut site, &program, found);
    add_openings(&mut site, &program, &project);
    add_names(&mut site, &program, &project, &documents, found);
    Some(site)
}

/// What a configuration says of documents.
struct Project {
    directory: String,
    /// The endings of documents, with ".".
    endings: Vec<String>,
    extensions: Vec<String>,
    excluded: Globs,
    included: Globs,
}

impl Project {
    fn read(program: &Assignments, found: &Found<'_>) -> Self {
        let extensions: Vec<String> =
            program.get("extensions").texts().into_iter().map(str::to_owned).collect();
        let suffix = program.get("source_suffix");
        let mut endings: Vec<String> = suffix.texts().into_iter().map(str::to_owned).collect();
        endings.extend(suffix.entries().map(|(ending, _)| ending.to_owned()));
        if endings.is_empty() {
            endings.push(".rst".to_owned());
        }
        let has = |names: &[&str]| extensions.iter().any(|own| names.iter().any(|name| own == name));
        let mut added = Vec::new();
        if has(&["myst_parser", "myst_nb", "recommonmark", "m2r", "m2r2", "sphinx_mdinclude"])
            || suffix.has_computed()
        {
            added.push(".md");
        }
        if has(&["nbsphinx", "myst_nb"]) {
            added.push(".ipynb");
        }
        if suffix.has_computed() {
            added.extend([".rst", ".txt"]);
        }
        for ending in added {
            if !endings.iter().any(|own| own == ending) {
                endings.push(ending.to_owned());
            }
        }
        // Directories of templates and of files that are copied have no documents.
        let mut excluded = program.get("exclude_patterns").texts();
        for name in ["templates_path", "html_static_path", "html_extra_path"] {
            excluded.extend(program.get(name).texts());
        }
        let patterns: Vec<String> =
            excluded.iter().map(|pattern| pattern.trim_matches('/').to_owned()).collect();
        let below: Vec<String> = patterns.iter().map(|pattern| format!("{pattern}/**")).collect();
        let all = patterns.iter().chain(&below).map(String::as_str);
        let excluded = Globs::new(all.chain(["_build/**", ".venv/**", "venv/**"]));
        let included = Globs::new(program.get("include_patterns").texts());
        Self { directory: found.directory.to_owned(), endings, extensions, excluded, included }
    }

    fn has(&self, extension: &str) -> bool {
        self.extensions.iter().any(|own| own == extension)
    }

    /// Returns the paths of the documents.
    fn documents(&self, found: &Found<'_>) -> Vec<String> {
        let is_document = |path: &&str| {
            let below = path_below(path, &self.directory).unwrap_or(path);
            self.stem(below).is_some()
                && !self.excluded.has(below)
                && (self.included.is_empty() || self.included.has(below))
        };
        found.tree.below(&self.directory).filter(is_document).map(str::to_owned).collect()
    }

    /// Returns a path without its ending; `None` if it has not that of a document.
    fn stem<'p>(&self, path: &'p str) -> Option<&'p str> {
        self.endings
            .iter()
            .find_map(|ending| path.strip_suffix(&**ending))
            .filter(|stem| !name_of(stem).is_empty())
    }

    /// Returns the name of a document: its path below the directory without its ending.
    fn name<'p>(&self, path: &'p str) -> &'p str {
        let below = path_below(path, &self.directory).unwrap_or(path);
        self.stem(below).unwrap_or(below)
    }
}

fn add_pages(site: &mut SiteModel, project: &Project, documents: &[String], for_directories: bool) {
    for path in documents {
        let name = project.name(path);
        let url = match for_directories {
            false => format!("/{name}.html"),
            true if name == "index" => "/".to_owned(),
            true => format!("/{}/", name.strip_suffix("/index").unwrap_or(name)),
        };
        site.routes.add_page(path, &url);
        let below = path_below(path, &project.directory).unwrap_or(path);
        let copy = if below.ends_with(".txt") { below.to_owned() } else { format!("{below}.txt") };
        site.routes.add_file(path, &format!("_sources/{copy}"));
        site.names.insert(("document", name.into()), path.as_str().into());
    }
    for name in ["genindex", "modindex", "py-modindex", "search"] {
        site.routes.add_made(&if for_directories { format!("/{name}/") } else { format!("/{name}.html") });
        site.names.entry(("label", name.into())).or_insert_with(|| name.into());
    }
    for made in ["/objects.inv", "/searchindex.js", "/404.html", "/sitemap.xml"] {
        site.routes.add_made(made);
    }
}

/// Adds the files that are copied.
fn add_static(site: &mut SiteModel, program: &Assignments, found: &Found<'_>) {
    for (name, url) in [("html_static_path", "_static"), ("html_extra_path", "")] {
        for path in program.get(name).texts() {
            let Some(path) = resolved(found.directory, path) else { continue };
            match found.tree.has_file(&path) {
                true => site.routes.add_file(&path, &joined(url, name_of(&path))),
                false => site.routes.add_directory(found.tree, &path, &format!("/{url}")),
            }
        }
        if program.get(name).has_computed() {
            site.routes.open(&format!("/{url}"), format!("conf.py computes {name}"));
        }
    }
    for (page, _) in program.get("html_additional_pages").entries() {
        site.routes.add_made(&format!("/{page}.html"));
    }
    for name in ["redirects", "rediraffe_redirects"] {
        for (from, to) in program.get(name).entries() {
            let from = from.trim_matches('/');
            let stem =
                [".rst", ".md", ".html"].iter().find_map(|ending| from.strip_suffix(ending)).unwrap_or(from);
            site.routes.add_redirect(&format!("/{stem}.html"), to.text().unwrap_or_default());
        }
        if program.get(name).has_computed() {
            site.routes.open("/", format!("conf.py computes {name}"));
        }
    }
}

/// Says where extensions add pages.
fn add_openings(site: &mut SiteModel, program: &Assignments, project: &Project) {
    let base = |name: &str, default: &str| {
        let directory = program.get(name).text().unwrap_or(default).trim_matches('/').to_owned();
        format!("/{directory}/")
    };
    for (prefix, reason) in [
        ("/_static/", "the theme adds files"),
        ("/_images/", "images are copied"),
        ("/_downloads/", "downloads are copied"),
        ("/_modules/", "sphinx.ext.viewcode makes pages of programs"),
        ("/_autosummary/", "sphinx.ext.autosummary makes documents"),
    ] {
        site.routes.open(prefix, reason);
    }
    for extension in &project.extensions {
        match &**extension {
            "autoapi.extension" => {
                site.routes.open(&base("autoapi_root", "autoapi"), "autoapi makes documents");
            }
            "sphinx_gallery.gen_gallery" | "sphinx_gallery.load_style" => {
                site.routes.open("/", "sphinx_gallery makes documents");
            }
            "exhale" => site.routes.open(&base("containmentFolder", "api"), "exhale makes documents"),
            "sphinxcontrib.apidoc"
            | "sphinx.ext.apidoc"
            | "ablog"
            | "autodoc2"
            | "sphinx_multiversion"
            | "breathe_apidoc"
            | "sphinx_external_toc" => {
                site.routes.open("/", format!("{extension} makes documents"));
            }
            _ => {}
        }
    }
    const PROGRAMS: [&str; 7] = [
        "builder-inited",
        "env-before-read-docs",
        "html-collect-pages",
        "apidoc",
        "import subprocess",
        "os.system",
        "shutil.copy",
    ];
    if let Some(program) = PROGRAMS.iter().find(|text| program.mentions(text)) {
        site.routes.open("/", format!("conf.py runs a program ({program}), which may make documents"));
    }
}

/// Adds the names that cross-references refer to.
fn add_names(
    site: &mut SiteModel,
    program: &Assignments,
    project: &Project,
    documents: &[String],
    found: &Found<'_>,
) {
    let extension = "sphinx.ext.autosectionlabel";
    let titles = match program.get("autosectionlabel_prefix_document").bool() {
        _ if !project.has(extension) => Titles::NoLabels,
        Some(true) => Titles::WithDocument,
        _ => Titles::Plain,
    };
    let (finder, mut read) = (Finder::new(), HashSet::new());
    let (mut generated, mut has_objects) = (Vec::new(), false);
    let mut open: Vec<(String, String)> =
        documents.iter().rev().map(|path| (path.clone(), path.clone())).collect();
    while let Some((path, page)) = open.pop() {
        if !read.insert(path.clone()) || read.len() > MOST_DOCUMENTS {
            continue;
        }
        let Some(text) = found.tree.read(&path) else { continue };
        let document = project.name(&page);
        let mut names = Names { names: &mut site.names, titles, file: &path, document, more: Vec::new() };
        // Reading from memory cannot fail.
        let _ = finder.find(&Document::new(format_of(&path)), &mut text.as_bytes(), &mut names);
        for more in names.more {
            let target = file_path(&more, &page, &project.directory);
            open.extend(
                target.filter(|target| found.tree.has_file(target)).map(|target| (target, page.clone())),
            );
        }
        has_objects |= [".. auto", "{auto", ".. doxygen", ".. click::", ".. argparse::"]
            .iter()
            .any(|one| text.contains(one));
        if text.contains("autosummary") {
            let options = text.lines().filter_map(|line| line.trim_start().strip_prefix(":toctree:"));
            generated.extend(
                options.map(|directory| joined(parent(document), directory.trim().trim_matches('/'))),
            );
        }
    }
    for directory in generated {
        let directory = resolved("", &directory).unwrap_or_default();
        site.routes
            .open(&format!("/{directory}/").replace("//", "/"), "sphinx.ext.autosummary makes documents");
    }
    let mapping = program.get("intersphinx_mapping");
    let has_others = mapping.is_there() && *mapping != Value::Map(Vec::new());
    let reason = match () {
        () if has_others => "another project may have it (intersphinx_mapping)",
        () if program.mentions("import *") || program.get("extensions").has_computed() => {
            "conf.py has more than its literals say"
        }
        () if has_objects => "documentation in programs is read, which may have it",
        () => "",
    };
    if !reason.is_empty() {
        site.names.insert(("open", "labels".into()), reason.into());
    }
    let is_own = |own: &String| own.starts_with("sphinx.ext.") || KNOWN_EXTENSIONS.contains(&&**own);
    if !project.extensions.iter().all(is_own) || !reason.is_empty() {
        site.names.insert(("open", "objects".into()), "an extension may define it".into());
    }
    let anchors = program.get("myst_heading_anchors").text().and_then(|level| level.parse::<u32>().ok());
    if anchors.is_some_and(|level| level > 0) || program.get("myst_heading_anchors").has_computed() {
        site.names.insert(("myst", "anchors".into()), "".into());
    }
}

/// The largest number of documents that are read for their names.
const MOST_DOCUMENTS: usize = 20_000;

/// Extensions that define no options of programs.
const KNOWN_EXTENSIONS: [&str; 6] = [
    "myst_parser",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_rtd_theme",
    "notfound.extension",
    "sphinxext.opengraph",
];

/// Whether titles are labels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Titles {
    NoLabels,
    Plain,
    /// With the name of their document: `guide/install:Set up`.
    WithDocument,
}

/// Collects the names of a document.
struct Names<'n> {
    names: &'n mut HashMap<(&'static str, Box<str>), Box<str>>,
    titles: Titles,
    /// The file that is read.
    file: &'n str,
    /// The name of its document.
    document: &'n str,
    /// The paths of files that it includes.
    more: Vec<String>,
}

impl Sink for Names<'_> {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        if link.context() == Context::Directive("include") {
            self.more.push(link.url().to_owned());
        }
        ControlFlow::Continue(())
    }

    fn label(&mut self, label: &Label<'_>) {
        let name = normal(&label.name);
        let keys: &[(&'static str, String)] = &match (label.kind, self.titles) {
            (LabelKind::Target, _) => vec![("label", name)],
            (LabelKind::Title, Titles::Plain) => vec![("label", name)],
            (LabelKind::Title, Titles::WithDocument) => {
                vec![("label", normal(&format!("{}:{name}", self.document)))]
            }
            (LabelKind::Term, _) => vec![("term", name)],
            (LabelKind::Option, _) => vec![("option", label.name.to_string())],
            (LabelKind::Object, _) => vec![("object", label.name.to_string())],
            _ => Vec::new(),
        };
        for (kind, name) in keys {
            self.names.entry((kind, name.as_str().into())).or_insert_with(|| self.file.into());
        }
    }
}

/// Returns a name as labels are compared: in lower case, with one space for any white space.
fn normal(name: &str) -> String {
    name.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn format_of(path: &str) -> Format {
    match split_ending(path).1 {
        "md" | "markdown" => Format::Markdown,
        _ => Format::Rst,
    }
}

/// Returns the path of a file that a directive names: relative to the document, or with "/" to the directory of the
/// configuration.
fn file_path(written: &str, document: &str, root: &str) -> Option<String> {
    match written.strip_prefix('/') {
        Some(rooted) => resolved(root, rooted),
        None => resolved(parent(document), written),
    }
}

/// Looks up roles, directives, and the links of MyST.
fn special(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let is_markdown = format_of(link.document) == Format::Markdown;
    match link.form {
        LinkForm::Role(role) => Some(of_role(site, link, role.strip_prefix("std:").unwrap_or(role))),
        LinkForm::Markup if is_markdown => of_myst(site, link),
        LinkForm::Markup if link.written.starts_with('/') && !link.written.starts_with("//") => {
            let is_there = site.routes.served(&decoded(link.path()), site.serving).is_some();
            // Most sites are published below a path, by language and version.
            (!is_there).then(|| Lookup::Unknown("where the site is published is not known".into()))
        }
        _ => None,
    }
}

fn of_role(site: &SiteModel, link: &SiteLink<'_>, role: &str) -> Lookup {
    let written = link.written;
    match role {
        _ if has_template(written) => Lookup::Template,
        // An entry of a `toctree` may be a URL.
        _ if written.contains("://") => Lookup::NotOfSite,
        "doc" | "toctree" => document(site, link, role == "toctree"),
        "ref" | "numref" => {
            let name = normal(written);
            found_or(site, &[("label", &name)], "labels")
        }
        "term" => found_or(site, &[("term", &normal(written))], "labels"),
        "option" => {
            let name = written.rsplit(' ').next().unwrap_or_default();
            let name = name.split(['=', '[']).next().unwrap_or_default();
            found_or(site, &[("option", name)], "objects")
        }
        "any" => any(site, link),
        "image" | "figure" | "include" | "literalinclude" | "download" | "csv-table" | "raw" | "graphviz"
        | "uml" | "mermaid" | "plantuml" | "thumbnail" | "video" | "audio" | "mdinclude" => file(site, link),
        // Objects of programs, URLs that the configuration abbreviates, names in the document.
        _ => match site.names.get(&("object", Box::from(written.trim_end_matches("()")))) {
            Some(place) => Lookup::Place(place.clone()),
            None => Lookup::NotOfSite,
        },
    }
}

/// Returns where one of these names is; without it, whether it is dead or may be elsewhere.
fn found_or(site: &SiteModel, names: &[(&'static str, &str)], open: &'static str) -> Lookup {
    let found = names.iter().find_map(|(kind, name)| site.names.get(&(*kind, Box::from(*name))));
    if let Some(place) = found {
        return Lookup::Place(place.clone());
    }
    match site.names.get(&("open", Box::from(open))) {
        Some(reason) => Lookup::Unknown(reason.clone()),
        None => Lookup::Dead("no document of the project defines it".into()),
    }
}

/// Looks up the name of a document.
fn document(site: &SiteModel, link: &SiteLink<'_>, is_entry: bool) -> Lookup {
    let written = link.written.split('#').next().unwrap_or_default();
    let target = written.strip_prefix('/');
    let own = path_below(link.document, &site.directory).unwrap_or(link.document);
    let name = match target {
        Some(rooted) => resolved("", rooted),
        None => resolved(parent(own), written),
    };
    let Some(name) = name else { return Lookup::Outside };
    let by_name = |name: &str| site.names.get(&("document", Box::from(name)));
    let stem = || {
        [".rst", ".md", ".txt", ".ipynb"]
            .iter()
            .find_map(|ending| name.strip_suffix(ending))
            .filter(|_| is_entry)
    };
    if let Some(source) = by_name(&name).or_else(|| by_name(stem()?)) {
        return Lookup::Source(source.clone());
    }
    if matches!(&*name, "genindex" | "modindex" | "py-modindex" | "search") {
        return Lookup::Made;
    }
    if let Some(reason) = missing_document(site, link, &name) {
        return Lookup::Unknown(reason.into());
    }
    // `python:library/os` names the project; without that, `intersphinx` looks up no documents.
    if name.contains(':')
        && let Some(reason) = site.names.get(&("open", Box::from("labels")))
    {
        return Lookup::Unknown(reason.clone());
    }
    Lookup::Dead("no document has this name".into())
}

/// Returns why a document that is not there may be made.
fn missing_document(site: &SiteModel, link: &SiteLink<'_>, name: &str) -> Option<String> {
    if site.routes.url_of(link.document).is_none() {
        return Some("the document is included by others, whose directories count".to_owned());
    }
    if let Some(reason) = site.routes.openness(&format!("/{name}")) {
        return Some(reason.to_owned());
    }
    let path = joined(&site.directory, name);
    let candidates = [format!("{path}.rst"), format!("{path}.md"), path];
    candidates.iter().find_map(|path| link.tree.build_reason(path))
}

/// Looks up the path of a file.
fn file(site: &SiteModel, link: &SiteLink<'_>) -> Lookup {
    let written = decoded(link.written);
    if written.contains("://") || written.starts_with("data:") {
        return Lookup::NotOfSite;
    }
    let Some(path) = file_path(&written, link.document, &site.directory) else { return Lookup::Outside };
    // The format is chosen by the builder: `a.*`.
    if let Some(stem) = path.strip_suffix('*') {
        let mut files = link.tree.below(parent(&path));
        return match files.find(|file| file.starts_with(stem)) {
            Some(file) => Lookup::Source(file.into()),
            None => missing_file(site, link, &path),
        };
    }
    if link.tree.has_file(&path) {
        return Lookup::Source(path.into());
    }
    missing_file(site, link, &path)
}

fn missing_file(site: &SiteModel, link: &SiteLink<'_>, path: &str) -> Lookup {
    if site.routes.url_of(link.document).is_none() {
        return Lookup::Unknown("the document is included by others, whose directories count".into());
    }
    let is_below = |unread: &str| path == unread || path_below(path, unread).is_some();
    let unread = link.tree.unread().find(|unread| is_below(unread));
    let reason =
        link.tree.build_reason(path).or_else(|| unread.map(|unread| format!("{unread} is not read")));
    match reason.or_else(|| site.routes.openness("/").map(str::to_owned)) {
        Some(reason) => Lookup::Unknown(reason.into()),
        None => Lookup::Dead("the file does not exist".into()),
    }
}

/// Looks up what any role may refer to.
fn any(site: &SiteModel, link: &SiteLink<'_>) -> Lookup {
    let name = normal(link.written);
    match document(site, link, false) {
        found @ Lookup::Source(_) => found,
        _ => found_or(
            site,
            &[("label", &name), ("term", &name), ("option", link.written), ("object", link.written)],
            "objects",
        ),
    }
}

/// Looks up a link of MyST in Markdown.
fn of_myst(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let written = link.written;
    if has_template(written) {
        return Some(Lookup::Template);
    }
    if written.starts_with("inv:") {
        return Some(Lookup::Unknown("another project may have it (intersphinx)".into()));
    }
    if let Some(path) = written.strip_prefix("path:") {
        let file = file_path(&decoded(path), link.document, &site.directory)?;
        return Some(if link.tree.has_file(&file) {
            Lookup::Source(file.into())
        } else {
            Lookup::Dead("".into())
        });
    }
    let written = written.strip_prefix("project:").unwrap_or(written);
    let (path, fragment) = written.split_once('#').unwrap_or((written, ""));
    let label = |name: &str| site.names.get(&("label", normal(&decoded(name)).into()));
    if path.is_empty() {
        // A label of any document; else an id of this one, which is in lower case.
        let is_id =
            fragment.chars().all(|one| one.is_lowercase() || one.is_numeric() || matches!(one, '-' | '_'));
        let open = site.names.get(&("open", Box::from("labels"))).filter(|_| !is_id);
        let found = label(fragment).map(|place| Lookup::Place(place.clone()));
        return found.or_else(|| open.map(|reason| Lookup::Unknown(reason.clone())));
    }
    if path.starts_with("//") || has_scheme(path) {
        return None;
    }
    let path = path.split('?').next().unwrap_or_default();
    let target = file_path(&decoded(path), link.document, &site.directory);
    let Some(target) = target else { return Some(Lookup::Outside) };
    let name = path_below(&target, &site.directory).unwrap_or(&target);
    let by_name = site.names.get(&("document", Box::from(name)));
    let source = by_name.map(|source| &**source).or_else(|| site.routes.url_of(&target).map(|_| &*target));
    if let Some(source) = source {
        return Some(match label(fragment) {
            Some(place) if !fragment.is_empty() => Lookup::Place(place.clone()),
            _ if site.names.contains_key(&("myst", Box::from("anchors"))) || fragment.is_empty() => {
                Lookup::Source(source.into())
            }
            // Headings have no anchors in the source.
            _ => Lookup::Unknown("myst_heading_anchors is not set".into()),
        });
    }
    if link.tree.has_file(&target) {
        return Some(Lookup::Source(target.into()));
    }
    if let Some(place) = label(path) {
        return Some(Lookup::Place(place.clone()));
    }
    if link.tree.has_directory(&target) {
        return Some(Lookup::NotPublished("MyST links to documents and files".into()));
    }
    if let Some(reason) = missing_document(site, link, split_ending(name).0) {
        return Some(Lookup::Unknown(reason.into()));
    }
    let is_path = path.contains('/') || !split_ending(path).1.is_empty();
    match site.names.get(&("open", Box::from("labels"))) {
        Some(reason) if !is_path => Some(Lookup::Unknown(reason.clone())),
        _ => Some(Lookup::Dead("no document, file or label has this name".into())),
    }
}

fn has_scheme(path: &str) -> bool {
    let scheme = path.split_once(':').map_or("", |(scheme, _)| scheme);
    !scheme.is_empty() && scheme.bytes().all(|one| one.is_ascii_alphanumeric() || b"+-.".contains(&one))
}

fn has_template(text: &str) -> bool {
    text.contains("{{") || text.contains("{%") || text.contains('|') || text.contains("${")
}
