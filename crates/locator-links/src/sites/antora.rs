//! Antora: `antora.yml` above `modules/`, with documents in AsciiDoc.
//!
//! A cross-reference is the id of a resource, `version@component:module:family$path#id`, whose parts may be left out from the
//! left: the module and the component of the document are the default, the path begins at the directory of the family. Other
//! links are URLs, relative to the page. A component may be in several repositories, so that a missing page is only dead if a
//! playbook says that all are here (docs.antora.org, "Resource IDs", "Xref", "Playbook").

use super::configuration::Value;
use super::model::{ContentRoot, Found, Generator, LinkForm, Lookup, SiteLink, SiteModel};
use super::resolve::decoded;
use super::tree::{Tree, joined, name_of, parent, path_below, resolved, split_ending};

pub(super) static ANTORA: Generator =
    Generator { name: "antora", title: "Antora", configurations: &["antora.yml"], read, special };

fn read(found: &Found<'_>) -> Option<SiteModel> {
    let mut site = SiteModel::new(&ANTORA, found);
    let modules = joined(found.directory, "modules");
    if !found.tree.has_directory(&modules) {
        return None;
    }
    site.content.push(ContentRoot::new(&modules, "/"));
    let playbook = Playbook::find(found.tree);
    for path in found.tree.files().filter(|path| name_of(path) == "antora.yml") {
        add_component(&mut site, found.tree, path, parent(path) == found.directory);
    }
    site.set_published(playbook.value.get("site.url").text().unwrap_or_default());
    if let Some(attributes) = playbook.attributes() {
        add_attributes(&mut site, attributes);
    }
    let own = Value::yaml(&found.text());
    let reason = match () {
        () if own.get("ext.collector").is_there() => "the collector of antora.yml makes pages",
        () if playbook.has_extensions => "extensions in the playbook may make pages",
        () if !playbook.is_all_here => "the component may have pages in other repositories",
        () => "",
    };
    if !reason.is_empty() {
        site.names.insert(("open", "pages".into()), reason.into());
        site.routes.open("/", reason);
    }
    Some(site)
}

/// What the playbooks of a repository say.
#[derive(Default)]
struct Playbook {
    value: Value,
    /// Whether all sources of content are in this repository.
    is_all_here: bool,
    has_extensions: bool,
}

impl Playbook {
    /// Returns the playbook, the one whose sources are all here if there is one.
    fn find(tree: &Tree) -> Self {
        let mut first = Self::default();
        for path in tree.files() {
            let name = name_of(path);
            let is_playbook = name.contains("playbook") || matches!(name, "site.yml" | "antora-site.yml");
            if !is_playbook || !matches!(split_ending(name).1, "yml" | "yaml" | "json") {
                continue;
            }
            let value = Value::of_file(path, &tree.read(path).unwrap_or_default());
            let sources = value.get("content.sources").list();
            let is_here = |source: &Value| {
                let url = source.get("url").text().unwrap_or_default();
                let is_local = url.starts_with('.') && resolved(parent(path), url).is_some();
                // The branches of a repository have other versions.
                is_local
                    && source.get("branches").texts().iter().all(|branch| matches!(*branch, "HEAD" | "."))
            };
            let extensions = value.get("antora.extensions");
            let is_all_here = !sources.is_empty() && sources.iter().all(is_here);
            let (has_sources, has_extensions) = (!sources.is_empty(), extensions.is_there());
            let read = Self { is_all_here, has_extensions, value };
            if read.is_all_here {
                return read;
            }
            if has_sources && first.value.is_null() {
                first = read;
            }
        }
        first
    }

    fn attributes(&self) -> Option<&Value> {
        Some(self.value.get("asciidoc.attributes")).filter(|attributes| attributes.is_there())
    }
}

/// Adds the attributes that documents can refer to: `{name}`.
fn add_attributes(site: &mut SiteModel, attributes: &Value) {
    for (name, value) in attributes.entries() {
        if let Some(text) = value.text() {
            let text = text.strip_suffix('@').unwrap_or(text);
            site.names.insert(("attribute", name.to_lowercase().into()), text.into());
        }
    }
}

/// Adds the pages and files of a component.
fn add_component(site: &mut SiteModel, tree: &Tree, configuration: &str, is_own: bool) {
    let directory = parent(configuration);
    let value = Value::yaml(&tree.read(configuration).unwrap_or_default());
    let name = value.get("name").text().unwrap_or_default().to_owned();
    let version = value.get("version").text().unwrap_or_default().to_owned();
    if is_own {
        add_attributes(site, value.get("asciidoc.attributes"));
        site.names.insert(("own", "component".into()), name.as_str().into());
        site.names.insert(("own", "version".into()), version.as_str().into());
    }
    let key = ("component", Box::from(name.as_str()));
    let others = site.names.get(&key).map(|own| format!("{own}\n")).unwrap_or_default();
    site.names.insert(key, format!("{others}{version}\t{directory}").into());
    let component = if name == "ROOT" { String::new() } else { name };
    let start = joined(&component, &version);
    let modules = joined(directory, "modules");
    for path in tree.below(&modules) {
        let Some(place) = Place::of(path, &modules) else { continue };
        let module = if place.module == "ROOT" { "" } else { place.module };
        let url = joined(&start, module);
        match place.family {
            "pages" => match split_ending(place.path) {
                (stem, "adoc") => {
                    site.routes.add_page(path, &format!("/{}.html", joined(&url, stem)));
                    add_aliases(site, tree, path, directory);
                }
                _ => site.routes.add_file(path, &joined(&url, place.path)),
            },
            "images" => site.routes.add_file(path, &joined(&joined(&url, "_images"), place.path)),
            "attachments" => site.routes.add_file(path, &joined(&joined(&url, "_attachments"), place.path)),
            _ => {}
        }
    }
}

/// Adds the other names of a page: `:page-aliases: old.adoc, module:old.adoc`.
fn add_aliases(site: &mut SiteModel, tree: &Tree, path: &str, directory: &str) {
    let text = tree.beginning(path);
    let mut lines = text.lines().skip_while(|line| !line.starts_with(":page-aliases:"));
    let mut aliases = String::new();
    while let Some(line) = lines.next().map(str::trim_end) {
        let line = line.strip_prefix(":page-aliases:").unwrap_or(line);
        aliases.push_str(line.trim_end_matches('\\'));
        if !line.ends_with('\\') {
            break;
        }
    }
    let modules = joined(directory, "modules");
    let module = Place::of(path, &modules).map_or("ROOT", |place| place.module).to_owned();
    for alias in aliases.split(',').map(str::trim).filter(|alias| !alias.is_empty()) {
        let id = ResourceId::read(alias);
        let module = id.module.map_or(&*module, |module| if module.is_empty() { "ROOT" } else { module });
        let file = joined(&modules, &format!("{module}/pages/{}", id.path));
        site.names.insert(("alias", file.into()), path.into());
    }
}

/// Where a file of a module is.
struct Place<'p> {
    module: &'p str,
    /// The directory of the family: `pages`.
    family: &'p str,
    /// The path below it.
    path: &'p str,
}

impl<'p> Place<'p> {
    fn of(path: &'p str, modules: &str) -> Option<Self> {
        let below = path_below(path, modules)?;
        let (module, rest) = below.split_once('/')?;
        let (family, path) = rest.split_once('/').unwrap_or(("", rest));
        // Before Antora 2 they were in a directory `assets`.
        let (family, path) = if family == "assets" { path.split_once('/')? } else { (family, path) };
        Some(Self { module, family, path })
    }
}

/// The id of a resource, with the parts that are written.
struct ResourceId<'i> {
    version: Option<&'i str>,
    component: Option<&'i str>,
    module: Option<&'i str>,
    family: Option<&'i str>,
    path: &'i str,
}

impl<'i> ResourceId<'i> {
    /// Reads `version@component:module:family$path`.
    fn read(id: &'i str) -> Self {
        let at = id.find('@').filter(|at| !id[..*at].contains(['/', ':', '$']));
        let (version, rest) = at.map_or((None, id), |at| (Some(&id[..at]), &id[at + 1..]));
        let (before, path) =
            rest.rsplit_once(':').map_or((None, rest), |(before, path)| (Some(before), path));
        let (component, module) = match before.map(|before| before.split_once(':')) {
            Some(Some((component, module))) => (Some(component), Some(module)),
            Some(None) => (None, before),
            None => (None, None),
        };
        let (family, path) = path.split_once('$').map_or((None, path), |(family, path)| (Some(family), path));
        Self { version, component, module, family, path }
    }
}

/// Looks up resources, and links with attributes.
fn special(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let LinkForm::Role(role) = link.form else { return None };
    let written = link.written;
    if written.contains('{') {
        let expanded = expanded(site, link);
        return Some(if expanded.contains('{') { Lookup::Template } else { Lookup::Means(expanded.into()) });
    }
    match role {
        "xref" if written.starts_with('#') => Some(Lookup::NotOfSite),
        "xref" => Some(resource(site, link, "page")),
        "image" | "video" | "audio" if !written.contains("://") && !written.starts_with("data:") => {
            // Antora does not look in the `imagesdir` of a document.
            let inside = written.rsplit_once("images/").filter(|(before, _)| !before.contains([':', '$']));
            let found = inside.map(|(_, path)| resource(site, &SiteLink { written: path, ..*link }, "image"));
            let found = found.filter(|found| matches!(found, Lookup::Source(_)));
            Some(found.unwrap_or_else(|| resource(site, link, "image")))
        }
        "include" if written.contains('$') => Some(resource(site, link, "partial")),
        "include" => Some(included(site, link)),
        _ => None,
    }
}

/// Replaces the attributes that Antora and its configuration define.
fn expanded(site: &SiteModel, link: &SiteLink<'_>) -> String {
    let (mut text, mut rest) = (String::new(), link.written);
    while let Some(open) = rest.find('{') {
        let (before, after) = rest.split_at(open);
        text.push_str(before);
        let end = after.find('}').unwrap_or(after.len());
        let name = after.get(1..end).unwrap_or_default().to_lowercase();
        // Files are beside the page in the site.
        let page = site.routes.url_of(link.document).unwrap_or_default();
        let depth = page.matches('/').count();
        let (_, place) = modules_of(site, link.document);
        let inside = place.map_or(0, |place| place.path.matches('/').count());
        let up = "../".repeat(inside.min(depth));
        let own = |key: &'static str| site.names.get(&("own", Box::from(key))).map(|own| own.to_string());
        let value = match &*name {
            "attachmentsdir" => Some(format!("{up}_attachments")),
            "imagesdir" => Some(format!("{up}_images")),
            "page-component-name" => own("component"),
            "page-component-version" | "page-version" => own("version"),
            _ => site.names.get(&("attribute", name.as_str().into())).map(|value| value.to_string()),
        };
        match value {
            Some(value) => text.push_str(&value),
            None => return link.written.to_owned(),
        }
        rest = after.get(end + 1..).unwrap_or_default();
    }
    text.push_str(rest);
    // A value may have attributes itself.
    if text.contains('{') { link.written.to_owned() } else { text }
}

/// Returns the directory of the modules of a document, and where it is in them.
fn modules_of<'d>(site: &SiteModel, document: &'d str) -> (String, Option<Place<'d>>) {
    let modules = joined(&site.directory, "modules");
    let place = Place::of(document, &modules);
    (modules, place)
}

/// Looks up a resource.
fn resource(site: &SiteModel, link: &SiteLink<'_>, default: &str) -> Lookup {
    let written = decoded(link.path());
    let id = ResourceId::read(&written);
    let family = id.family.unwrap_or(default);
    let families = match family {
        "page" => "pages",
        "partial" => "partials",
        "image" => "images",
        "attachment" => "attachments",
        "example" => "examples",
        _ => return Lookup::Dead("there is no such family".into()),
    };
    let own = |key: &'static str| site.names.get(&("own", Box::from(key))).map_or("", |own| &**own);
    let component = id.component.unwrap_or_else(|| own("component"));
    let Some(known) = site.names.get(&("component", Box::from(component))) else {
        return Lookup::Unknown(format!("the component {component} is not in this repository").into());
    };
    let is_other = id.component.is_some_and(|other| other != own("component"));
    let versions: Vec<(&str, &str)> = known.lines().filter_map(|line| line.split_once('\t')).collect();
    let wanted = id.version.or_else(|| (!is_other).then(|| own("version")));
    let mut directories: Vec<&str> = versions
        .iter()
        .filter(|(version, _)| wanted.is_none_or(|wanted| wanted == *version))
        .map(|(_, at)| *at)
        .collect();
    if directories.is_empty() {
        let version = wanted.unwrap_or_default();
        return Lookup::Unknown(format!("the version {version} of {component} is not in this tree").into());
    }
    directories.sort_by_key(|directory| **directory != *site.directory);
    let (_, place) = modules_of(site, link.document);
    let default_module =
        if id.component.is_some() { "ROOT" } else { place.as_ref().map_or("ROOT", |place| place.module) };
    let module = id.module.map_or(default_module, |module| if module.is_empty() { "ROOT" } else { module });
    // "./a" and "../a" are relative to the document.
    let inside = match place.as_ref().filter(|_| id.path.starts_with("./") || id.path.starts_with("../")) {
        Some(place) => resolved(parent(place.path), id.path),
        None => resolved("", id.path),
    };
    let Some(inside) = inside else { return Lookup::Dead("the path leads out of its family".into()) };
    let path = format!("{module}/{families}/{inside}");
    let old = format!("{module}/assets/{families}/{inside}");
    for directory in &directories {
        for path in [&path, &old] {
            let file = joined(&joined(directory, "modules"), path);
            if link.tree.has_file(&file) && !id.path.is_empty() {
                return Lookup::Source(file.into());
            }
            if let Some(page) = site.names.get(&("alias", file.as_str().into())) {
                return Lookup::Source(page.clone());
            }
        }
    }
    let reason = site.names.get(&("open", Box::from("pages"))).map(|reason| reason.to_string());
    let file = joined(&joined(directories.first().unwrap_or(&""), "modules"), &path);
    let is_part = place.is_some_and(|place| !matches!(place.family, "pages" | ""));
    let reason = reason
        .or_else(|| is_part.then(|| "a partial belongs to the module that includes it".to_owned()))
        .or_else(|| link.tree.build_reason(&file));
    match reason {
        Some(reason) => Lookup::Unknown(reason.into()),
        None if family == "page" && split_ending(&inside).1.is_empty() => {
            Lookup::Dead("a page is named with its ending, .adoc".into())
        }
        None => Lookup::Dead(format!("{file} does not exist").into()),
    }
}

/// Looks up a file that is included by its path.
fn included(site: &SiteModel, link: &SiteLink<'_>) -> Lookup {
    let written = decoded(link.written);
    if written.contains("://") {
        return Lookup::NotOfSite;
    }
    let Some(file) = resolved(link.directory(), &written) else { return Lookup::Outside };
    match site.names.get(&("open", Box::from("pages"))) {
        _ if link.tree.has_file(&file) => Lookup::Source(file.into()),
        _ if written.contains(':') => resource(site, link, "page"),
        Some(reason) => Lookup::Unknown(reason.clone()),
        None => match link.tree.build_reason(&file) {
            Some(reason) => Lookup::Unknown(reason.into()),
            None => Lookup::Dead("the file does not exist".into()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_resources() {
        let read = |id: &'static str| {
            let ResourceId { version, component, module, family, path } = ResourceId::read(id);
            [version, component, module, family, Some(path)].map(|part| part.unwrap_or("-")).join(" ")
        };
        for (id, parts) in [
            ("a.adoc", "- - - - a.adoc"),
            ("m:a.adoc", "- - m - a.adoc"),
            ("c::a.adoc", "- c  - a.adoc"),
            ("1.0@c:m:partial$x/a.adoc", "1.0 c m partial x/a.adoc"),
            ("2@a.adoc", "2 - - - a.adoc"),
            ("image$a@2x.png", "- - - image a@2x.png"),
        ] {
            assert_eq!(read(id), parts, "{id}");
        }
    }
}
