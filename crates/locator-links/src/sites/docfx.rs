//! DocFX: the files of `build.content`, `a.md` at `/a.html`, and those of `build.resource`, which are copied. Links are looked up
//! as files, relative to the document, or with `~/` from `docfx.json`.

use locator_find::HeadingIds;

use super::configuration::Value;
use super::glob::Globs;
use super::model::{
    ContentRoot, Found, Generator, Headings, LinkForm, LinkRule, Lookup, Origin, SiteLink, SiteModel,
    SourceStep,
};
use super::resolve::decoded;
use super::tree::{joined, parent, path_below, resolved, split_ending};

/// The generator.
pub(crate) static DOCFX: Generator =
    Generator { name: "docfx", title: "DocFX", configurations: &["docfx.json"], read, special };

fn read(found: &Found<'_>) -> Option<SiteModel> {
    let configuration = Value::json(&found.text());
    let mut site = SiteModel::new(&DOCFX, found);
    site.headings = Headings { ids: HeadingIds::GitHub, is_changed: false, ..Headings::default() };
    let any = |from| SourceStep { from, endings: &[], added: &[""], any_file: true };
    site.markdown = LinkRule { sources: vec![any(Origin::Document)], ..LinkRule::default() };
    site.html = site.markdown.clone();
    let build = configuration.get("build");
    for group in groups(build.get("content")) {
        for (path, inside, dest) in group.files(found) {
            let (stem, ending) = split_ending(inside);
            let place = joined(&dest, stem);
            match ending {
                "md" | "yml" | "yaml" => {
                    let front = found.tree.front_matter(path);
                    site.routes.add_page(path, &format!("/{place}.html"));
                    if let Some(to) = front.text("redirect_url") {
                        site.routes.add_redirect(&format!("/{place}.html"), to);
                    }
                    if let Some(uid) = front.text("uid") {
                        site.names.insert(("uid", uid.into()), path.into());
                    }
                }
                _ => site.routes.add_file(path, &joined(&dest, inside)),
            }
        }
    }
    for group in groups(build.get("resource")) {
        for (path, inside, dest) in group.files(found) {
            site.routes.add_file(path, &joined(&dest, inside));
        }
    }
    let service = above(found, ".openpublishing.publish.config.json");
    let is_of_service = service.is_some();
    let service = service.and_then(|path| found.tree.read(&path)).unwrap_or_default();
    for repository in Value::json(&service).get("dependent_repositories").list() {
        if let Some(path) = repository.get("path_to_root").text() {
            site.names.insert(("repository", path.trim_matches('/').into()), "".into());
        }
    }
    for path in found.tree.below(found.directory).filter(|_| is_of_service) {
        site.names.insert(("lower", path.to_lowercase().into()), path.into());
    }
    // Documents are read where the groups are.
    let mut roots = vec![found.directory.to_owned()];
    roots.extend(
        groups(build.get("content")).into_iter().filter_map(|group| resolved(found.directory, &group.source)),
    );
    roots.sort_unstable();
    roots.dedup();
    for root in roots {
        // The root of the repository is not all of a site that is in a directory of it.
        if !root.is_empty() || found.directory.is_empty() {
            site.content.push(ContentRoot::new(&root, "/"));
        }
    }
    let metadata = configuration.get("metadata");
    let metadata = if metadata.list().is_empty() { std::slice::from_ref(metadata) } else { metadata.list() };
    for one in metadata {
        for key in ["dest", "output"] {
            if let Some(dest) = one.get(key).text() {
                let prefix = format!("/{}/", dest.trim_start_matches("./").trim_matches('/'));
                site.names.insert(("generated", prefix.trim_matches('/').into()), "".into());
                site.routes.open(&prefix, "it is generated from code");
            }
        }
    }
    add_redirections(&mut site, found);
    Some(site)
}

/// Returns the path of a file in the directory of a site or one above it.
fn above(found: &Found<'_>, name: &str) -> Option<String> {
    let mut directory = found.directory;
    loop {
        let path = joined(directory, name);
        if found.tree.has_file(&path) {
            return Some(path);
        }
        if directory.is_empty() {
            return None;
        }
        directory = parent(directory);
    }
}

/// Files of `build.content` or `build.resource`.
struct Group {
    source: String,
    dest: String,
    files: Globs,
    excluded: Globs,
}

impl Group {
    /// Returns the files, with their paths in the source and the directory that they are published in.
    fn files<'t>(&self, found: &Found<'t>) -> Vec<(&'t str, &'t str, String)> {
        let Some(source) = resolved(found.directory, &self.source) else { return Vec::new() };
        let mut files = Vec::new();
        for path in found.tree.below(&source) {
            let Some(inside) = path_below(path, &source) else { continue };
            if self.files.has(inside) && !self.excluded.has(inside) {
                files.push((path, inside, self.dest.clone()));
            }
        }
        files
    }
}

/// Reads the groups of files: objects with `files`, `src`, `dest` and `exclude`, or patterns.
fn groups(value: &Value) -> Vec<Group> {
    let all = if value.list().is_empty() { std::slice::from_ref(value) } else { value.list() };
    let mut groups = Vec::new();
    for one in all.iter().filter(|one| one.is_there()) {
        let (files, source) = match one {
            Value::Text(pattern) => (vec![&**pattern], "."),
            object => (
                object.get("files").texts(),
                object.get("src").text().or(object.get("cwd").text()).unwrap_or("."),
            ),
        };
        let dest = one.get("dest").text().unwrap_or_default().trim_start_matches("./").trim_matches('/');
        groups.push(Group {
            source: source.trim_end_matches('/').to_owned(),
            dest: if dest == "." { String::new() } else { dest.to_owned() },
            files: globs(&files),
            excluded: globs(&one.get("exclude").texts()),
        });
    }
    groups
}

/// Returns patterns, in which `**.md` is a file of any directory.
fn globs(patterns: &[&str]) -> Globs {
    let written_out: Vec<String> = patterns.iter().map(|pattern| pattern.replace("**.", "**/*.")).collect();
    Globs::new(written_out.iter().map(String::as_str))
}

/// Returns the file that a path from the root of a site means for one whose directory is around this one.
fn of_site_around(site: &SiteModel, link: &SiteLink<'_>, inside: &str) -> Option<String> {
    let mut directory = &*site.directory;
    while !directory.is_empty() {
        directory = parent(directory);
        let file = resolved(directory, inside).filter(|file| link.tree.has_file(file));
        if file.is_some() && link.tree.has_file(&joined(directory, "docfx.json")) {
            return file;
        }
    }
    None
}

/// Adds the redirections of `.openpublishing.redirection.json`, by the paths of the files that were there.
fn add_redirections(site: &mut SiteModel, found: &Found<'_>) {
    let mut directory = found.directory;
    loop {
        let start = joined(directory, ".openpublishing.redirection");
        let files =
            found.tree.below(directory).filter(|path| path.starts_with(&start) && path.ends_with(".json"));
        for path in files {
            let value = Value::json(&found.tree.read(path).unwrap_or_default());
            for one in value.get("redirections").list() {
                let source = one.get("source_path").text().or(one.get("source_path_from_root").text());
                let (Some(source), Some(to)) = (source, one.get("redirect_url").text()) else { continue };
                if let Some(old) = resolved(directory, source) {
                    site.names.insert(("redirect", old.into()), to.into());
                }
            }
        }
        if directory.is_empty() {
            return;
        }
        directory = parent(directory);
    }
}

fn special(site: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let written = link.written;
    // `#tab/name` makes tabs of headings; `xref:` and `@` name code.
    if written.starts_with("#tab/") {
        return Some(Lookup::Template);
    }
    if let Some(uid) = written.strip_prefix("xref:").or_else(|| written.strip_prefix("XREF:")) {
        let uid = uid.split(['?', '#']).next().unwrap_or_default();
        return Some(match site.names.get(&("uid", Box::<str>::from(&*decoded(uid)))) {
            Some(path) => Lookup::Source(path.clone()),
            None => Lookup::Unknown("the name is of code or of another site".into()),
        });
    }
    // Windows writes paths with "\\".
    let path = decoded(link.path()).replace('\\', "/");
    let is_path = !path.is_empty() && !super::resolve::has_scheme(&path) && !path.starts_with("//");
    if !is_path || !matches!(link.form, LinkForm::Markup | LinkForm::Html { .. }) {
        return None;
    }
    if path.starts_with('/') {
        // The site may be published in a directory that its configuration does not name.
        let is_served = site.routes.served(&path, site.serving).is_some();
        return (!is_served)
            .then(|| Lookup::Unknown("the configuration does not say where the site is published".into()));
    }
    let there = match path.strip_prefix("~/") {
        Some(inside) => resolved(&site.directory, inside)?,
        None => resolved(parent(link.document), &path)?,
    };
    if link.tree.has_file(&there) {
        return Some(Lookup::Source(there.into()));
    }
    if let Some(inside) = path.strip_prefix("~/") {
        // A site around this one, or a repository that the service puts beside it.
        if let Some(file) = of_site_around(site, link, inside) {
            return Some(Lookup::Source(file.into()));
        }
        let first =
            path_below(&there, &site.directory).unwrap_or(&there).split('/').next().unwrap_or_default();
        if inside.starts_with("../") || site.names.contains_key(&("repository", first.into())) {
            return Some(Lookup::Unknown("the service puts another repository there".into()));
        }
    }
    if link.tree.has_directory(&there) {
        return Some(Lookup::Place(there.into()));
    }
    if let Some(to) = site.names.get(&("redirect", Box::<str>::from(&*there))) {
        return Some(Lookup::Redirect(to.clone()));
    }
    // Names are compared without case where the service builds the site.
    if let Some(file) = site.names.get(&("lower", Box::<str>::from(there.to_lowercase()))) {
        return Some(Lookup::Source(file.clone()));
    }
    let below = path_below(&there, &site.directory).unwrap_or(&there);
    if let Some(reason) = site.routes.openness(&format!("/{below}")) {
        return Some(Lookup::Unknown(reason.into()));
    }
    // A page by its URL: `a.html`.
    None
}
