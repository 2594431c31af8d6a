//! The reference that is better than the one of a link: where the redirects of a site end ([`for_redirect`]), and what was
//! probably meant by one that is dead ([`for_dead`]).
//!
//! A reference has the form that the generator wants: the path of the source, `../new.md`, where it makes URLs of paths;
//! `@/new.md`, `:doc:` and `xref:` stay what they are; else it is the URL of the page, rooted or relative as the old one is. Each
//! candidate is judged as the link is, and only one that leads to the file itself is returned.
//!
//! ```text
//! // "/old/" redirects to the page of docs/guide/new.md.
//! let suggestion = for_redirect(&site, &link, "docs/guide/new.md", &redirects);
//! assert_eq!(suggestion.map(|suggestion| suggestion.reference), Some("guide/new.md".to_owned()));
//! ```

use std::collections::HashMap;
use std::ops::Range;

use super::model::{LinkForm, Output, SiteLink, SiteModel, SiteRedirect, has_file_ending};
use super::resolve::{DeadLink, State, decoded, judge, look_up_url, relative_url, within};
use super::tree::{joined, name_of, parent, path_below, split_ending};
use crate::suggestion::{nearest, only_candidate, written_like};

/// A better reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SiteSuggestion {
    /// It as it would be written in the document, with the query and the fragment of the old one.
    pub(crate) reference: String,
    /// The file of the tree that it leads to, "" if it is a name.
    pub(crate) file: String,
    /// Whether nothing else can have been meant: the map is closed, and no other name is near.
    pub(crate) is_sure: bool,
}

/// How a link is written ([`LinkForm`]).
#[derive(Clone, Debug)]
pub(crate) enum OwnedForm {
    Markup,
    Html { element: Box<str>, attribute: Box<str> },
    Component { element: Box<str> },
    Role(Box<str>),
}

impl OwnedForm {
    pub(crate) fn new(form: LinkForm<'_>) -> Self {
        match form {
            LinkForm::Markup => Self::Markup,
            LinkForm::Html { element, attribute } => {
                Self::Html { element: element.into(), attribute: attribute.into() }
            }
            LinkForm::Component { element } => Self::Component { element: element.into() },
            LinkForm::Role(name) => Self::Role(name.into()),
        }
    }

    pub(crate) fn as_form(&self) -> LinkForm<'_> {
        match self {
            Self::Markup => LinkForm::Markup,
            Self::Html { element, attribute } => LinkForm::Html { element, attribute },
            Self::Component { element } => LinkForm::Component { element },
            Self::Role(name) => LinkForm::Role(name),
        }
    }
}

/// The names of the pages and files of a site, by where they are.
#[derive(Debug, Default)]
pub(crate) struct SiteIndex {
    /// By the directories of URLs: the last name of a URL, and the file.
    urls: HashMap<String, Vec<(String, String)>>,
    /// By the directories of sources: the name of the file, and the file.
    sources: HashMap<String, Vec<(String, String)>>,
    /// By the last name of a URL or a source without its ending, in lower case; "" for a name that several files have.
    names: HashMap<String, String>,
}

/// The names of pages that are not names of what they are about.
const NAMELESS: [&str; 4] = ["index", "readme", "_index", "default"];

/// The fewest letters of a name that says what is meant wherever it is.
const SHORTEST: usize = 4;

impl SiteIndex {
    /// Reads the map of a site.
    pub(crate) fn new(site: &SiteModel) -> Self {
        let mut index = Self::default();
        let mut outputs: Vec<_> = site.routes.outputs().collect();
        outputs.sort_unstable_by_key(|(path, _)| *path);
        for (path, output) in outputs {
            let Output::Source(file) = output else { continue };
            let page = path.strip_suffix("index.html").map(|page| page.trim_end_matches('/'));
            let url = page.or(path.strip_suffix(".html")).unwrap_or(path);
            if !url.is_empty() {
                index.add_url(parent(url), name_of(url), file);
            }
            let source = (name_of(file).to_owned(), file.to_string());
            let beside = index.sources.entry(parent(file).to_owned()).or_default();
            if !beside.contains(&source) {
                beside.push(source);
            }
            let (stem, _) = split_ending(name_of(file));
            index.add_name(stem, file);
        }
        index
    }

    fn add_url(&mut self, directory: &str, name: &str, file: &str) {
        self.urls.entry(directory.to_owned()).or_default().push((name.to_owned(), file.to_owned()));
        self.add_name(name, file);
    }

    fn add_name(&mut self, name: &str, file: &str) {
        let name = name.to_lowercase();
        if name.chars().count() < SHORTEST || NAMELESS.contains(&&*name) {
            return;
        }
        let known = self.names.entry(name).or_insert_with(|| file.to_owned());
        if known != file {
            known.clear();
        }
    }

    /// Returns the only file with this name anywhere on the site.
    fn only(&self, name: &str) -> Option<&str> {
        let stem = if has_file_ending(name) { split_ending(name).0 } else { name };
        self.names.get(&stem.to_lowercase()).map(String::as_str).filter(|file| !file.is_empty())
    }
}

/// The most names of a directory that are compared.
const MOST_NAMES: usize = 5_000;

/// A file that is probably meant.
struct NearFile<'i> {
    file: &'i str,
    is_sure: bool,
}

/// Returns the file in a directory whose name is near.
fn beside<'i>(names: Option<&'i Vec<(String, String)>>, wanted: &str) -> Option<NearFile<'i>> {
    let names = names.filter(|names| names.len() <= MOST_NAMES)?;
    let all = || names.iter().map(|(name, _)| name.as_str());
    let sure = only_candidate(wanted, all());
    let near = sure.or_else(|| nearest(wanted, all()))?;
    let (_, file) = names.iter().find(|(name, _)| name == near)?;
    Some(NearFile { file, is_sure: sure.is_some() })
}

/// Returns the reference to where the redirects of a link end, which is the page of a file.
pub(crate) fn for_redirect(
    site: &SiteModel,
    link: &SiteLink<'_>,
    file: &str,
    redirects: &[SiteRedirect],
) -> Option<SiteSuggestion> {
    let end = redirects.last()?;
    let url = within(&end.to, &site.base)?;
    let reference = reference_to(site, link, file, if url.is_empty() { "/" } else { url })?;
    // Something else may be there if the map is open.
    let passed = redirects.iter().filter_map(|one| within(&one.to, &site.base));
    let is_closed = passed.into_iter().all(|url| site.routes.openness(url).is_none());
    Some(SiteSuggestion { reference, file: file.to_owned(), is_sure: is_closed && !is_template(link) })
}

/// Returns the reference that was probably meant by one that is dead, by a name that is near, or the same elsewhere.
pub(crate) fn for_dead(
    site: &SiteModel,
    index: &SiteIndex,
    link: &SiteLink<'_>,
    dead: &DeadLink,
) -> Option<SiteSuggestion> {
    if dead.names_file || dead.is_loop {
        return None;
    }
    if let Some(name) = near_label(site, link) {
        return Some(name);
    }
    let written = template_path(link.written).and_then(|range| link.written.get(range));
    let path = written.unwrap_or(link.path()).split('#').next().unwrap_or_default();
    let path = decoded(path.trim_end_matches('/'));
    let of_source =
        dead.path.as_deref().and_then(|path| beside(index.sources.get(parent(path)), name_of(path)));
    let of_url = || {
        let inside = within(&dead.wanted, &site.base).filter(|inside| inside.starts_with('/'))?;
        let inside = inside.trim_matches('/');
        let inside = inside.strip_suffix(".html").unwrap_or(inside);
        beside(index.urls.get(parent(inside)), name_of(inside))
    };
    let of_name = || {
        let is_named = written.is_some()
            || matches!(link.form, LinkForm::Role(_))
            || PREFIXES.iter().any(|prefix| path.starts_with(prefix));
        is_named.then(|| near_source(site, index, link, &path)).flatten()
    };
    let elsewhere = || {
        let name = path.rsplit(['/', ':', '$']).next()?;
        index.only(name).map(|file| NearFile { file, is_sure: false })
    };
    let near = of_source.or_else(of_url).or_else(of_name).or_else(elsewhere)?;
    let url = site.routes.url_of(near.file).map(str::to_owned).or_else(|| served_at(site, near.file))?;
    let reference = reference_to(site, link, near.file, &url)?;
    let is_sure = near.is_sure && !is_template(link) && !dead.is_absolute;
    Some(SiteSuggestion { reference, file: near.file.to_owned(), is_sure })
}

/// Returns the file whose name is near that of a path which only the generator reads: a document, a resource.
fn near_source<'i>(
    site: &SiteModel,
    index: &'i SiteIndex,
    link: &SiteLink<'_>,
    path: &str,
) -> Option<NearFile<'i>> {
    let prefix = PREFIXES.iter().find(|prefix| path.starts_with(**prefix)).map_or(0, |prefix| prefix.len());
    let (before, inside) = path.split_at(path.rfind([':', '$']).map_or(prefix, |at| (at + 1).max(prefix)));
    let inside = inside.trim_start_matches('/');
    let (directory, name) = (parent(inside), name_of(inside));
    let module = before.trim_end_matches(':').rsplit(':').next().filter(|_| before.ends_with(':'));
    let mut around: Vec<String> = vec![joined(link.directory(), directory)];
    around.extend(site.content.iter().map(|root| joined(&root.directory, directory)));
    around.push(joined(&site.directory, directory));
    if let Some(module) = module {
        let is_of_module = |own: &&String| own.split('/').any(|name| name == module);
        let mut own: Vec<String> = index.sources.keys().filter(is_of_module).cloned().collect();
        own.sort_unstable();
        around = own;
    }
    let ending = split_ending(link.document).1;
    around.iter().find_map(|directory| {
        let names = index.sources.get(directory.trim_end_matches('/'));
        let whole = || beside(names, &format!("{name}.{ending}"));
        beside(names, name).or_else(|| whole().filter(|_| split_ending(name).1.is_empty()))
    })
}

/// Returns the URL of a file that is copied.
fn served_at(site: &SiteModel, file: &str) -> Option<String> {
    let copied = site.routes.directories().find_map(|(directory, start)| {
        let below = path_below(file, directory)?;
        Some(format!("/{}", joined(start, below)))
    });
    copied.or_else(|| {
        let outputs = site.routes.outputs();
        let of_file = outputs.filter(|(_, output)| matches!(output, Output::Source(own) if **own == *file));
        of_file.map(|(path, _)| path).min().map(|path| format!("/{path}"))
    })
}

/// Returns the label or the term that was probably meant by a role.
fn near_label(site: &SiteModel, link: &SiteLink<'_>) -> Option<SiteSuggestion> {
    let LinkForm::Role(role) = link.form else { return None };
    let kind = match role.strip_prefix("std:").unwrap_or(role) {
        "ref" | "numref" => "label",
        "term" => "term",
        _ => return None,
    };
    let mut names: Vec<&str> =
        site.names.keys().filter(|(own, _)| *own == kind).map(|(_, name)| &**name).collect();
    names.sort_unstable();
    names.truncate(MOST_NAMES);
    let wanted = link.written.to_lowercase();
    let sure = only_candidate(&wanted, names.iter().copied());
    let near = sure.or_else(|| nearest(&wanted, names.iter().copied()))?;
    Some(SiteSuggestion { reference: near.to_owned(), file: String::new(), is_sure: sure.is_some() })
}

/// Returns whether the path is in an expression of a template: `{{< ref "a" >}}`.
fn is_template(link: &SiteLink<'_>) -> bool {
    template_path(link.written).is_some()
}

/// Returns where the path is in an expression of a template: `a` of `{{< ref "a" >}}`, `{{ "/a" | relative_url }}`,
/// `{% link a.md %}` and `{{ site.baseurl }}/a`.
fn template_path(written: &str) -> Option<Range<usize>> {
    let is_template = written.starts_with("{{") || written.starts_with("{%");
    let close = if written.starts_with("{%") { "%}" } else { "}}" };
    let end = written.find(close).filter(|_| is_template)?;
    let inside = written.get(..end)?;
    let from = |start: usize, length: usize| Some(start..start + length);
    if let Some(at) = inside.find(['"', '\'', '`']) {
        let quote = inside.get(at..=at)?;
        let length = inside.get(at + 1..)?.find(quote)?;
        return from(at + 1, length);
    }
    let after = end + close.len();
    if let Some(rest) = written.get(after..).filter(|rest| rest.starts_with('/')) {
        return from(after, rest.find(['?', '#']).unwrap_or(rest.len()));
    }
    ["link ", "post_url ", "relref ", "ref "].iter().find_map(|word| {
        let at = inside.find(word)? + word.len();
        let token = inside.get(at..)?;
        let start = at + token.len() - token.trim_start().len();
        from(start, token.split_whitespace().next()?.len())
    })
}

/// Returns the reference in place of a link that leads to a file, whose page is at a URL below the base.
fn reference_to(site: &SiteModel, link: &SiteLink<'_>, file: &str, url: &str) -> Option<String> {
    let written = link.written;
    let authority = written.find("://").filter(|_| is_absolute(written));
    let range = match (template_path(written), authority) {
        (Some(range), _) => range,
        (None, Some(at)) => {
            let host = written.get(at + 3..)?;
            let start = at + 3 + host.find(['/', '?', '#']).unwrap_or(host.len());
            start..link.path().len().max(start)
        }
        (None, None) => 0..link.path().len(),
    };
    let (before, rest) = (written.get(..range.start)?, written.get(range.end..)?);
    let old = written.get(range)?;
    // The fragment of a shortcode is in its argument.
    let (path, fragment) = old.split_at(old.find('#').unwrap_or(old.len()));
    let new = paths(site, link, path, file, url);
    let references = new.into_iter().map(|new| format!("{before}{new}{fragment}{rest}"));
    references
        .filter(|reference| reference != written)
        .find(|reference| leads_to(site, link, reference, file))
}

fn is_absolute(written: &str) -> bool {
    written.starts_with("http://") || written.starts_with("https://")
}

/// Returns whether a reference in place of a link leads to a file, without a redirect.
fn leads_to(site: &SiteModel, link: &SiteLink<'_>, reference: &str, file: &str) -> bool {
    let link = SiteLink { written: reference, ..*link };
    let judged = match reference.split_once("://").filter(|_| is_absolute(reference)) {
        Some((_, rest)) => {
            let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
            let path = path.split(['?', '#']).next().unwrap_or_default();
            site.inside_of_url(authority, path).map(|inside| look_up_url(site, &link, inside))
        }
        None => judge(site, &link),
    };
    judged.is_some_and(|judged| {
        let leads = matches!(&judged.state, State::Source { file: own, .. } if *own == file);
        leads && judged.redirects.is_empty()
    })
}

/// What is before a path from the root of the content or of the site: of Zola, Docusaurus, `DocFX` and MyST.
const PREFIXES: [&str; 7] = ["@/", "~@site/", "@site/", "~/", "project:", "path:", "pathname://"];

/// Returns the paths to a file that may be written in place of one, the likeliest first.
fn paths(site: &SiteModel, link: &SiteLink<'_>, old: &str, file: &str, url: &str) -> Vec<String> {
    let is_role = matches!(link.form, LinkForm::Role(_));
    let prefix = PREFIXES.iter().find(|prefix| old.starts_with(**prefix)).map_or(0, |prefix| prefix.len());
    let prefix = if is_role { prefix.max(old.rfind([':', '$']).map_or(0, |at| at + 1)) } else { prefix };
    let (prefix, old) = old.split_at(prefix);
    let stem = file.len() - split_ending(name_of(file)).1.len();
    let stem = file.get(..stem).map_or(file, |stem| stem.strip_suffix('.').unwrap_or(stem));
    let is_plain = is_role || template_path(link.written).is_some();
    let escaped = |path: &str| match is_plain {
        true => path.to_owned(),
        false => path.split('/').map(|name| written_like(old, name)).collect::<Vec<_>>().join("/"),
    };
    let mut all: Vec<String> = Vec::new();
    let mut add = |path: String| all.push(format!("{prefix}{}", escaped(&path)));
    let base = &*site.base;
    if is_absolute(link.written) {
        let known = site.published.as_ref().and_then(|published| published.path.as_deref());
        add(format!("{}{url}", known.unwrap_or(base)));
    } else if old.starts_with('/') {
        let is_source = matches!(split_ending(old).1, "md" | "mdx" | "markdown" | "rst" | "adoc");
        let sources = || suffixes(file).chain(suffixes(stem)).map(|path| format!("/{path}"));
        if is_source || is_role {
            sources().for_each(&mut add);
        }
        // The base is written where it was, or must be.
        let has_base = !base.is_empty() && within(old, base).is_some();
        match has_base {
            true => add(format!("{base}{url}")),
            false => [url.to_owned(), format!("{base}{url}")].into_iter().for_each(&mut add),
        }
        sources().for_each(&mut add);
    } else {
        let dotted = |path: String| match old.starts_with("./") && !path.starts_with("../") {
            true => format!("./{path}"),
            false => path,
        };
        let (from, rooted) = (format!("/{}", link.document), format!("/{file}"));
        let of_stem = dotted(relative_url(&from, &format!("/{stem}")));
        // Names of documents have no ending.
        if is_plain && split_ending(old).1.is_empty() {
            add(of_stem.clone());
        }
        add(dotted(relative_url(&from, &rooted)));
        if let Some(page) = site.routes.url_of(link.document) {
            add(dotted(relative_url(&format!("{base}{page}"), &format!("{base}{url}"))));
        }
        add(of_stem);
        if is_plain || !prefix.is_empty() {
            suffixes(file).chain(suffixes(stem)).map(str::to_owned).for_each(&mut add);
            // A resource of another module.
            if let Some((module, path)) = file.split_once("/pages/").or_else(|| file.split_once("/images/")) {
                add(format!("{}:{path}", name_of(module)));
            }
        }
    }
    all
}

/// Returns a path without its first names, the shortest first: "c", "b/c", "a/b/c".
fn suffixes(path: &str) -> impl Iterator<Item = &str> {
    let starts = path.rmatch_indices('/').map(|(at, _)| at + 1);
    starts.chain([0]).filter_map(|start| path.get(start..))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_templates() {
        for (written, path) in [
            ("{{< ref \"a.md#b\" >}}", Some("a.md#b")),
            ("{{% relref path=\"a\" lang=\"fr\" %}}", Some("a")),
            ("{{< ref a.md >}}#b", Some("a.md")),
            ("{{ '/a/' | relative_url }}", Some("/a/")),
            ("{{ site.baseurl }}/a/#b", Some("/a/")),
            ("{% link _docs/a.md %}", Some("_docs/a.md")),
            ("{% post_url 2020-01-02-a %}", Some("2020-01-02-a")),
            ("a.md", None),
            ("{{ x }}", None),
        ] {
            assert_eq!(template_path(written).and_then(|range| written.get(range)), path, "{written}");
        }
    }

    #[test]
    fn ends_of_paths() {
        assert_eq!(suffixes("a/b/c.md").collect::<Vec<_>>(), ["c.md", "b/c.md", "a/b/c.md"]);
        assert_eq!(suffixes("c").collect::<Vec<_>>(), ["c"]);
    }
}
