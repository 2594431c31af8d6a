//! Which program makes pages of a file of Markdown, and thereby the ids of its headings: the nearest
//! configuration of a generator decides, else where the repository is, else it is GitHub.
//!
//! Configurations are not parsed: only a few keys at known places matter, and these are read line by line. They
//! come with the documents, so they can choose a rule, and nothing else.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use locator_find::HeadingIds;

use super::repository::{WorkingTree, is_gitlab};

/// What makes pages of the files of a directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Generator {
    /// The rule for the ids of headings.
    pub(crate) ids: HeadingIds,
    /// Whether its configuration changes the rule, or adds headings.
    pub(crate) is_changed: bool,
    /// Whether its configuration can add files.
    adds_files: bool,
    /// How far below the directory of all documents of the site this one is.
    depth: Option<usize>,
}

impl Generator {
    /// Creates a generator without a configuration that changes something.
    pub(crate) const fn new(ids: HeadingIds) -> Self {
        Self { ids, is_changed: false, adds_files: false, depth: None }
    }

    /// Returns whether the site may have a page or a file that is not among its documents. Jekyll and Docusaurus have
    /// pages at paths that a document states (`permalink`, `slug`), mdBook has some of its own.
    pub(crate) fn may_add(self, path: &Path) -> bool {
        let is_page = path.extension().is_none_or(|end| end == "html");
        let has_name =
            |names: &[&str]| path.file_name().is_some_and(|own| names.iter().any(|name| own == *name));
        match self.ids {
            _ if self.adds_files => true,
            _ if self.depth.is_none() => false,
            HeadingIds::Jekyll | HeadingIds::Kramdown | HeadingIds::Docusaurus => is_page,
            HeadingIds::MdBook => has_name(&["print.html", "404.html", "toc.html", "index.html"]),
            _ => false,
        }
    }

    /// Returns the directory of all documents of the site that a document is one of.
    pub(crate) fn site_of(self, document: &Path) -> Option<&Path> {
        document.parent()?.ancestors().nth(self.depth?)
    }
}

/// The generators of directories. Each directory is looked at once.
#[derive(Debug, Default)]
pub(crate) struct Generators {
    known: Mutex<HashMap<PathBuf, Generator>>,
    configurations: Mutex<HashMap<PathBuf, Vec<Configuration>>>,
}

/// Which configurations count for the files of a directory.
pub(crate) struct ConfigurationScope {
    /// The directory above which none counts; the directory itself, if this is `None`.
    pub(crate) root: Option<PathBuf>,
    /// The rule where there is none.
    pub(crate) ids: HeadingIds,
}

/// What the configuration of a site says.
#[derive(Clone, Debug)]
struct Configuration {
    /// The directory of the documents in that of the configuration; "*" is any but that one.
    source: String,
    generator: Generator,
}

/// The files by which a generator is recognised, and what reads them. In a directory the first counts.
const CONFIGURATIONS: [(&str, Reader); 9] = [
    ("book.toml", book),
    ("mkdocs.yml", mkdocs),
    ("mkdocs.yaml", mkdocs),
    ("docusaurus.config.js", docusaurus),
    ("docusaurus.config.ts", docusaurus),
    ("docusaurus.config.mjs", docusaurus),
    ("docusaurus.config.cjs", docusaurus),
    ("_config.yml", jekyll),
    ("_config.yaml", jekyll),
];

/// Reads the text of a configuration.
type Reader = fn(&str) -> Configuration;

/// The largest configuration that is read.
const LARGEST: u64 = 1 << 20;

impl Generators {
    /// Returns what makes a page of a file. `reads` says whether configurations count, `scope_of` finds those of a
    /// directory that do.
    pub(crate) fn of(
        &self,
        file: &Path,
        reads: bool,
        scope_of: impl FnOnce(&Path) -> ConfigurationScope,
    ) -> Generator {
        let Some(directory) = file.parent() else { return Generator::default() };
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(directory) {
            return *known;
        }
        let ConfigurationScope { root, ids } = scope_of(directory);
        let root = root.as_deref().unwrap_or(directory);
        let mut above = directory.ancestors().take_while(|above| above.starts_with(root));
        let mut found = || above.find_map(|above| self.configured(root, above, directory));
        let found = if reads { found() } else { None };
        let found = found.unwrap_or(Generator::new(ids));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(directory.to_owned(), found);
        found
    }

    /// Returns the generator of a site whose configuration is in a directory, and whose documents are in
    /// another.
    fn configured(&self, root: &Path, at: &Path, documents: &Path) -> Option<Generator> {
        let mut known = self.configurations.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.contains_key(at) {
            known.insert(at.to_owned(), configurations(root, at));
        }
        // What is next to the configuration of a site, such as README.md, is read at the forge.
        let is_in_site = |one: &&Configuration| match &*one.source {
            "*" => documents != at,
            source => documents.starts_with(at.join(source)),
        };
        known.get(at)?.iter().find(is_in_site).map(|one| {
            let inside = documents.strip_prefix(at.join(&*one.source)).ok();
            Generator { depth: inside.map(|inside| inside.components().count()), ..one.generator }
        })
    }
}

/// Returns the configurations in a directory. They are regular files below the root, also where a symbolic link leads
/// to one.
fn configurations(root: &Path, at: &Path) -> Vec<Configuration> {
    let is_inside = |path: &Path| {
        let inside = || Some(fs::canonicalize(path).ok()?.starts_with(fs::canonicalize(root).ok()?));
        !path.is_symlink() || inside().unwrap_or(false)
    };
    let read = |(name, read): (&str, Reader)| {
        let path = at.join(name);
        let about = fs::metadata(&path).ok().filter(fs::Metadata::is_file).filter(|_| is_inside(&path))?;
        let text = if about.len() <= LARGEST { fs::read(&path).unwrap_or_default() } else { Vec::new() };
        Some(read(&String::from_utf8_lossy(&text)))
    };
    CONFIGURATIONS.into_iter().filter_map(read).collect()
}

/// Returns the rule of the forge that shows the files of a working tree.
pub(crate) fn of_forge(tree: &WorkingTree) -> HeadingIds {
    let hosts = || tree.remotes.iter().map(|remote| &*remote.host);
    let is_at_github = hosts().any(|host| host == "github.com");
    let is_at_gitlab = hosts().any(is_gitlab);
    let has_its_ci = || tree.root.join(".gitlab-ci.yml").is_file();
    match is_at_gitlab || !is_at_github && has_its_ci() {
        true => HeadingIds::GitLab,
        false => HeadingIds::GitHub,
    }
}

/// Reads `book.toml`: its preprocessors may add headings.
fn book(text: &str) -> Configuration {
    let (mut section, mut source, mut is_changed) = ("", "src".to_owned(), false);
    for line in text.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            section = header.split(']').next().unwrap_or_default().trim();
            let preprocessor = section.strip_prefix("preprocessor.");
            is_changed |= preprocessor.is_some_and(|name| !matches!(name, "links" | "index"));
        } else if let Some(value) = value(line, "src", '=').filter(|_| section == "book") {
            source = value.to_owned();
        } else if section == "output.html" && value(line, "smart-punctuation", '=') == Some("false") {
            is_changed = true;
        }
    }
    Configuration { source, generator: Generator { is_changed, ..Generator::new(HeadingIds::MdBook) } }
}

/// Reads `mkdocs.yml`: `toc` can have another function for ids, and plugins and snippets may add headings.
fn mkdocs(text: &str) -> Configuration {
    let source = top_value(text, "docs_dir").unwrap_or("docs").to_owned();
    let is_changing = |line: &str| {
        let line = line.trim().trim_start_matches("- ");
        ["slugify", "separator"].iter().any(|key| value(line, key, ':').is_some())
            || line.contains("snippets")
            || line.contains("macros")
    };
    let is_adding =
        |line: &str| ["hooks:", "INHERIT:"].iter().any(|key| line.starts_with(key)) || adds_files(line);
    let (is_changed, adds_files) = (text.lines().any(is_changing), text.lines().any(is_adding));
    let generator = Generator { is_changed, adds_files, ..Generator::new(HeadingIds::MkDocs) };
    Configuration { source, generator }
}

/// Returns whether a line names a plugin of MkDocs that adds pages.
fn adds_files(line: &str) -> bool {
    const PLUGINS: [&str; 7] =
        ["gen-files", "i18n", "static-i18n", "monorepo", "multirepo", "mkdocs-simple", "api-autonav"];
    let is_list = line.trim_start().starts_with("- ") || line.starts_with("plugins:");
    let words = || line.split(|one: char| !one.is_alphanumeric() && one != '-');
    is_list && words().any(|word| PLUGINS.contains(&word))
}

fn docusaurus(_: &str) -> Configuration {
    Configuration { source: "*".to_owned(), generator: Generator::new(HeadingIds::Docusaurus) }
}

/// Reads `_config.yml`: kramdown may read its own Markdown, or give no ids, or not be there.
fn jekyll(text: &str) -> Configuration {
    let source = top_value(text, "source").unwrap_or(".").to_owned();
    let other = top_value(text, "markdown").is_some_and(|name| !name.eq_ignore_ascii_case("kramdown"));
    let mut generator = Generator { is_changed: other, ..Generator::new(HeadingIds::Jekyll) };
    let lines = text.lines().skip_while(|line| value(line, "kramdown", ':').is_none()).skip(1);
    for line in lines.take_while(|line| line.is_empty() || line.starts_with([' ', '\t', '#'])) {
        let line = line.trim();
        if value(line, "input", ':').is_some_and(|input| input.eq_ignore_ascii_case("kramdown")) {
            generator.ids = HeadingIds::Kramdown;
        }
        let changes = ["auto_id_prefix", "transliterated_header_ids", "auto_id_stripping", "gfm_quirks"];
        generator.is_changed |= changes.iter().any(|key| value(line, key, ':').is_some())
            || value(line, "auto_ids", ':') == Some("false");
    }
    Configuration { source, generator }
}

/// Returns the value of a key of YAML that is at the beginning of a line.
fn top_value<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines().find_map(|line| value(line, key, ':')).filter(|value| !value.is_empty())
}

/// Returns the value of a key that begins a line, without quotes and comments.
fn value<'t>(line: &'t str, key: &str, separator: char) -> Option<&'t str> {
    let rest = line.strip_prefix(key)?.trim_start().strip_prefix(separator)?.trim();
    let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''));
    Some(match quote {
        Some(quote) => rest.get(1..)?.split(quote).next().unwrap_or_default(),
        None => rest.split(" #").next().unwrap_or_default().trim_end(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(reader: Reader, text: &str) -> (String, HeadingIds, bool) {
        let Configuration { source, generator } = reader(text);
        (source, generator.ids, generator.is_changed)
    }

    #[test]
    fn configurations() {
        use HeadingIds::{Jekyll, Kramdown, MdBook, MkDocs};
        for (reader, text, source, ids, is_changed) in [
            (book as Reader, "[book]\ntitle = \"x\"\n", "src", MdBook, false),
            (book, "[book]\nsrc = \"text\" # x\n[build]\nsrc = \"no\"\n", "text", MdBook, false),
            (book, "[preprocessor.links]\n[preprocessor.toc]\n", "src", MdBook, true),
            (book, "[output.html]\nsmart-punctuation = false\n", "src", MdBook, true),
            (mkdocs, "site_name: x\n", "docs", MkDocs, false),
            (
                mkdocs,
                "docs_dir: 'text'\nmarkdown_extensions:\n  - toc:\n      permalink: true\n",
                "text",
                MkDocs,
                false,
            ),
            (mkdocs, "markdown_extensions:\n- toc:\n    slugify: !!python/name:x\n", "docs", MkDocs, true),
            (jekyll, "", ".", Jekyll, false),
            (jekyll, "markdown: kramdown\nsource: text\n", "text", Jekyll, false),
            (jekyll, "markdown: CommonMark\n", ".", Jekyll, true),
            (jekyll, "kramdown:\n  input: kramdown\nx:\n  auto_ids: false\n", ".", Kramdown, false),
            (jekyll, "kramdown:\n  # x\n\n  auto_ids: false\n", ".", Jekyll, true),
        ] {
            assert_eq!(read(reader, text), (source.to_owned(), ids, is_changed), "{text}");
        }
    }
}
