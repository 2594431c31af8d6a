//! What a document is, by its path and its beginning: a document for readers, data of tests, or a part of other
//! documents ([`DocumentRole`]); and whether the links of an XML document are known ([`has_known_links`]).
//!
//! Links in data of tests are often dead on purpose, and relative links of a part are relative to the documents that include
//! it. So [`DocumentRole::doubted`] makes what would be broken there unknown.
//!
//! ```text
//! let role = DocumentRole::of(path, &rules.named, Format::Html, b"<nav>{{ menu }}</nav>");
//! let verdict = role.doubted(verdict, "../style.css");
//! ```

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use locator_find::Format;
use memchr::memmem;

use crate::outcome::{Code, Outcome, Verdict};

/// What a document is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DocumentRole {
    /// A document for readers.
    #[default]
    Document,
    /// Data of tests.
    TestData,
    /// A part that is included in documents, or a template of them.
    Partial,
}

/// How much of a document shows what it is.
pub(crate) const HEAD: u64 = 8 * 1024;

impl DocumentRole {
    /// Returns the role of a document that begins with `head`. `named` are the files and directories that the user named:
    /// only the directories below them count as those of test data.
    pub(crate) fn of(path: &Path, named: &[PathBuf], format: Format, head: &[u8]) -> Self {
        let below = named.iter().filter_map(|named| path.strip_prefix(named).ok());
        // The user may name a file or a directory within another one.
        let below = below.min_by_key(|below| below.components().count()).unwrap_or(path);
        match () {
            () if is_test_data(below) => Self::TestData,
            () if is_part(path, format, head) || is_of_templates(below, format) => Self::Partial,
            () => Self::Document,
        }
    }

    /// Returns the verdict of a link of such a document: what would be broken may be meant so, or may be relative to
    /// another document.
    pub(crate) fn doubted(self, verdict: Verdict, url: &str) -> Verdict {
        let code = match self {
            Self::TestData if verdict.outcome() == Outcome::Broken => Code::TestData,
            Self::Partial if is_relative(url) && is_missing(verdict.code) => Code::Partial,
            _ => return verdict,
        };
        Verdict { route: verdict.route, ..Verdict::new(code).because(verdict.code.meaning()) }
    }
}

const fn is_missing(code: Code) -> bool {
    matches!(code, Code::NoSuchFile | Code::NoSuchAnchor | Code::NoSuchPage)
}

/// Returns whether a reference depends on where its document is.
fn is_relative(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    !path.starts_with('/') && !path.split('/').next().unwrap_or_default().contains(':')
}

/// The names of directories with data of tests.
const TEST_DATA: [&str; 25] = [
    "test",
    "tests",
    "__tests__",
    "testdata",
    "test-data",
    "test_data",
    "testcases",
    "test-cases",
    "test_cases",
    "fixture",
    "fixtures",
    "__fixtures__",
    "testfixtures",
    "test-fixtures",
    "test_fixtures",
    "__testfixtures__",
    "__mocks__",
    "snapshots",
    "__snapshots__",
    "golden",
    "goldens",
    "golden-files",
    "playground",
    "playgrounds",
    "e2e",
];

/// Returns whether a path is one of test data, by the names of its directories, or by its own: `page.verified.html`.
fn is_test_data(path: &Path) -> bool {
    let mut names = path.components().map(|name| lower(name.as_os_str()));
    let own = names.next_back().unwrap_or_default();
    let is_of_tests = |name: String| {
        // Projects of .NET: `Parser.Tests`; `integration-tests`.
        let ends = [".tests", "-tests", "_tests"];
        TEST_DATA.contains(&&*name)
            || name.starts_with("golden")
            || ends.iter().any(|end| name.ends_with(end))
    };
    // The projects that Maven builds to test a plugin.
    let is_of_maven = || path.to_string_lossy().replace('\\', "/").contains("src/it/");
    let is_of_tests = names.any(is_of_tests) || is_testing(path) || is_of_maven();
    is_of_tests || [".verified.", ".received.", ".golden."].iter().any(|part| own.contains(part))
}

/// The names of directories with documents for readers, which may be about tests.
const GUIDES: [&str; 12] = [
    "doc",
    "docs",
    "documentation",
    "content",
    "contents",
    "guide",
    "guides",
    "site",
    "website",
    "pages",
    "wiki",
    "book",
];

/// Returns whether a path is in a directory `testing` that is not one of documents about tests.
fn is_testing(path: &Path) -> bool {
    let mut names = path.parent().into_iter().flat_map(Path::components).map(|name| lower(name.as_os_str()));
    let before = names.find(|name| name == "testing" || GUIDES.contains(&&**name));
    before.is_some_and(|name| name == "testing")
}

fn lower(name: &OsStr) -> String {
    name.to_string_lossy().to_lowercase()
}

/// The names of directories whose files are parts of others, or templates of them.
const PARTS: [&str; 14] = [
    "_include",
    "_includes",
    "includes",
    "partials",
    "_partials",
    "layouts",
    "_layouts",
    "snippets",
    "_snippets",
    "shortcodes",
    "archetypes",
    "_templates",
    "issue_template",
    "pull_request_template",
];

/// The names of directories whose files are templates if they have expressions.
const TEMPLATES: [&str; 6] = ["template", "templates", "theme", "themes", "overrides", "views"];

/// The names of directories of programs.
const PROGRAMS: [&str; 6] = ["scripts", "script", "packages", "tools", "lib", "bin"];

/// How the names of templates end.
const TEMPLATE_ENDINGS: [&str; 6] =
    [".component.html", ".partial.html", ".tpl.html", ".tmpl.html", ".template.html", ".jinja.html"];

/// Files whose names begin with "_" and that are documents: sections of Hugo and Zola, parts of wikis and of Docsify, which
/// are shown beside each page.
const WHOLE: [&str; 9] =
    ["_index", "_sidebar", "_navbar", "_footer", "_header", "_coverpage", "_home", "_toc", "_404"];

/// Returns whether a document is a part of others, or a template.
fn is_part(path: &Path, format: Format, head: &[u8]) -> bool {
    let mut names = path.components().map(|name| lower(name.as_os_str()));
    let own = names.next_back().unwrap_or_default();
    let stem = own.split('.').next().unwrap_or_default();
    let is_document = format == Format::Html || format.is_markdown();
    let mut is_in_templates = false;
    let is_in_parts = names.any(|name| {
        is_in_templates |= TEMPLATES.contains(&&*name) || name.ends_with("templates");
        // A project that is copied: `{{cookiecutter.name}}/README.md`.
        PARTS.contains(&&*name) || name.contains("{{")
    });
    let is_named_so = own.starts_with('_') && !WHOLE.contains(&stem)
        || TEMPLATE_ENDINGS.iter().any(|end| own.ends_with(end))
        // Forges show them in a form for a new issue, at another URL.
        || matches!(stem, "issue_template" | "pull_request_template");
    let is_template = |head: &[u8]| {
        has_expressions(head) && (is_in_templates || is_fragment(head)) || has_template_code(head)
    };
    is_document && (is_in_parts || is_named_so || format == Format::Html && is_template(head))
        || is_in_templates && is_among_templates(path)
}

/// How the names of files end that only a program makes documents of.
const TEMPLATE_LANGUAGES: [&str; 19] = [
    "erb",
    "tt",
    "ejs",
    "eta",
    "hbs",
    "handlebars",
    "mustache",
    "j2",
    "jinja",
    "jinja2",
    "tmpl",
    "tpl",
    "gotmpl",
    "ftl",
    "vm",
    "haml",
    "slim",
    "liquid",
    "twig",
];

/// How many directories around a document are looked at, and how many names of each.
const MOST_AROUND: usize = 8;
const MOST_NAMES: usize = 1_000;

/// Returns whether a document in a directory `templates` is copied by a program, which fills in others: beside it, or above it
/// in that directory, is a file in a language of templates.
fn is_among_templates(path: &Path) -> bool {
    let is_templates = |around: &&Path| {
        let name = lower(around.file_name().unwrap_or_default());
        TEMPLATES.contains(&&*name) || name.ends_with("templates")
    };
    let around = || path.ancestors().skip(1).take(MOST_AROUND);
    let Some(top) = around().find(is_templates) else { return false };
    around().take_while(|directory| directory.starts_with(top)).any(has_template)
}

fn has_template(directory: &Path) -> bool {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().take(MOST_NAMES);
    let mut names = entries.map(|entry| entry.file_name());
    names.any(|name| {
        let ending = Path::new(&name).extension().map(lower).unwrap_or_default();
        TEMPLATE_LANGUAGES.contains(&&*ending)
    })
}

/// The elements in whose text a page may show code or have a script, and what ends them.
const CODE: [[&[u8]; 2]; 6] = [
    [b"<script", b"</script"],
    [b"<style", b"</style"],
    [b"<pre", b"</pre"],
    [b"<code", b"</code"],
    [b"<textarea", b"</textarea"],
    [b"<!--", b"-->"],
];

/// Returns whether a page has code that no browser reads, outside of scripts and examples: `<% %>` of JSP, ASP and GStrings,
/// `<?php`, `${}`.
fn has_template_code(head: &[u8]) -> bool {
    const OPENINGS: [&[u8]; 4] = [b"<%", b"<?php", b"<?=", b"${"];
    let head = head.to_ascii_lowercase();
    let mut rest = &*head;
    while let Some(at) = memchr::memchr2(b'<', b'$', rest) {
        let here = rest.get(at..).unwrap_or_default();
        if OPENINGS.iter().any(|opening| here.starts_with(opening)) {
            return true;
        }
        let code = CODE.iter().find(|[open, _]| here.starts_with(open));
        let next = match code {
            // What is not closed may go on after these octets.
            Some([_, close]) => memmem::find(here, close).unwrap_or(here.len()),
            None => 1,
        };
        rest = here.get(next.max(1)..).unwrap_or_default();
    }
    false
}

/// Returns whether a document is in a directory of templates of a program, such as `templates` of `create-app`.
fn is_of_templates(below: &Path, format: Format) -> bool {
    let mut is_in_program = false;
    let mut around =
        below.parent().into_iter().flat_map(Path::components).map(|name| lower(name.as_os_str()));
    (format == Format::Html || format.is_markdown())
        && around.any(|name| {
            let is_found = name == "templates" && is_in_program;
            is_in_program |= PROGRAMS.contains(&&*name) || name.starts_with("create-");
            is_found
        })
}

/// Returns whether HTML has expressions of a template language.
fn has_expressions(head: &[u8]) -> bool {
    const OPENINGS: [&[u8]; 6] = [b"{{", b"{%", b"<%", b"<?php", b"<?=", b"${"];
    OPENINGS.iter().any(|opening| memmem::find(head, opening).is_some())
}

/// Returns whether HTML is not a page: it has none of the elements of one. Front matter makes one of it.
fn is_fragment(head: &[u8]) -> bool {
    const ELEMENTS: [&[u8]; 4] = [b"<!doctype", b"<html", b"<head", b"<body"];
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).to_ascii_lowercase();
    !head.starts_with(b"---") && !ELEMENTS.iter().any(|element| memmem::find(&head, element).is_some())
}

/// The names of roots of XML whose attributes `href` and `src` are links: XHTML, SVG, MathML, feeds, RDF, sitemaps,
/// OPML, the parts of EPUB and Office Open XML, XML Schema, WSDL, maps, XSLT, TEI, DocBook and DITA.
const VOCABULARIES: [&str; 48] = [
    "html",
    "svg",
    "math",
    "rss",
    "feed",
    "entry",
    "rdf",
    "urlset",
    "sitemapindex",
    "opml",
    "ncx",
    "package",
    "container",
    "relationships",
    "opensearchdescription",
    "schema",
    "definitions",
    "kml",
    "gpx",
    "stylesheet",
    "transform",
    "tei",
    "teicorpus",
    "smil",
    "book",
    "article",
    "chapter",
    "appendix",
    "section",
    "sect1",
    "refentry",
    "reference",
    "preface",
    "part",
    "set",
    "info",
    "glossary",
    "bibliography",
    "topic",
    "concept",
    "task",
    "map",
    "bookmap",
    "dita",
    "glossentry",
    "troubleshooting",
    "fictionbook",
    "toc",
];

/// The namespaces of roots whose names others have, too: a `package` of EPUB is known, one of `NuGet` has patterns of files.
const NAMESPACES: [(&str, &str); 2] = [
    ("package", "http://www.idpf.org/2007/opf"),
    ("container", "urn:oasis:names:tc:opendocument:xmlns:container"),
];

/// Returns whether the attributes `href` and `src` of an XML document that begins with `head` are links. In vocabularies that
/// are not known they may be anything, such as names of parts of a program.
pub(crate) fn has_known_links(head: &[u8]) -> bool {
    let Some(root) = root_of(head) else { return true };
    let local = root.rsplit(|octet| *octet == b':').next().unwrap_or_default();
    let is = |name: &str| local.eq_ignore_ascii_case(name.as_bytes());
    let namespace = NAMESPACES.iter().find(|(name, _)| is(name));
    VOCABULARIES.iter().any(|name| is(name))
        && namespace.is_none_or(|(_, namespace)| memmem::find(head, namespace.as_bytes()).is_some())
}

/// Returns the name of the root element; `None` if it does not begin within these octets.
fn root_of(head: &[u8]) -> Option<&[u8]> {
    let mut rest = head;
    loop {
        let at = memchr::memchr(b'<', rest)?;
        rest = rest.get(at + 1..)?;
        let end = match rest {
            [b'?', ..] => "?>",
            [b'!', b'-', b'-', ..] => "-->",
            // The internal subset has markup of its own.
            [b'!', ..] if is_before(rest, b'[', b'>') => "]>",
            [b'!', ..] => ">",
            _ => {
                let is_end = |octet: &u8| octet.is_ascii_whitespace() || matches!(octet, b'>' | b'/');
                let end = rest.iter().position(is_end)?;
                return rest.get(..end);
            }
        };
        rest = rest.get(memmem::find(rest, end.as_bytes())? + end.len()..)?;
    }
}

/// Returns whether one octet is there, and before the other.
fn is_before(octets: &[u8], one: u8, other: u8) -> bool {
    memchr::memchr2(one, other, octets).is_some_and(|at| octets.get(at) == Some(&one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_test_data() {
        for (path, named, expected) in [
            ("/r/tests/a.md", "/r", true),
            ("/r/src/__snapshots__/a.html", "/r", true),
            ("/r/golden-html/x/a.html", "/r", true),
            ("/r/Parser.Tests/a.md", "/r", true),
            ("/r/a.verified.html", "/r", true),
            ("/r/tests/a.md", "/r/tests", false),
            ("/r/tests/a.md", "/r/tests/a.md", false),
            ("/r/tests/fixtures/a.md", "/r/tests", true),
            ("/tests/r/docs/a.md", "/tests/r", false),
            ("/r/docs/testing/a.md", "/r", false),
            ("/r/src/testing/a.html", "/r", true),
            ("/r/testing.md", "/r", false),
            ("/r/plugin/src/it/book/a.adoc", "/r", true),
            ("/r/docs/tests.md", "/r", false),
            ("/r/contest/a.md", "/r", false),
        ] {
            let role = DocumentRole::of(Path::new(path), &[named.into()], Format::Markdown, b"");
            assert_eq!(role == DocumentRole::TestData, expected, "{path} in {named}");
        }
        // What is named within another directory that is named is named, too.
        let named = [PathBuf::from("/r"), PathBuf::from("/r/tests")];
        let role = DocumentRole::of(Path::new("/r/tests/a.md"), &named, Format::Markdown, b"");
        assert_eq!(role, DocumentRole::Document);
    }

    #[test]
    fn parts_of_documents() {
        for (path, head, expected) in [
            ("/r/_includes/a.html", "<p>", true),
            ("/r/docs/_note.md", "", true),
            ("/r/docs/_index.fr.md", "", false),
            ("/r/_Sidebar.md", "", false),
            ("/r/src/app.component.html", "<p>", true),
            ("/r/{{cookiecutter.name}}/README.md", "", true),
            ("/r/.github/ISSUE_TEMPLATE/bug.md", "", true),
            ("/r/templates/a.html", "<html>{{ x }}", true),
            ("/r/templates/a.html", "<html>", false),
            ("/r/create-app/templates/app/README.md", "", true),
            ("/r/content/en/templates/base.md", "", false),
            ("/r/docs/scripts/typedoc/templates/a.mdx", "", true),
            ("/r/theme/a.html", "<html>{{ x }}", true),
            ("/r/theme/a.html", "<html>", false),
            ("/r/web/a.html", "<nav>{% for x in y %}", true),
            ("/r/web/a.html", "---\ntitle: x\n---\n{% for x in y %}", false),
            ("/r/web/a.html", "<!DOCTYPE html>{{ x }}", false),
            ("/r/web/a.html", "<html><a href=\"<%= x %>\">", true),
            ("/r/web/a.html", "<html><title>${title}</title>", true),
            ("/r/web/a.html", "<html><script>`${x}`</script><pre><% x %></pre><!-- <?php -->", false),
            ("/r/web/a.html", "<html><script>`${x}`", false),
            ("/r/gstringTemplates/a.html", "<html>{{ x }}", true),
            ("/r/web/a.html", "<p>", false),
        ] {
            let format = Format::of_path(Path::new(path)).unwrap_or(Format::Html);
            let role = DocumentRole::of(Path::new(path), &["/r".into()], format, head.as_bytes());
            assert_eq!(role == DocumentRole::Partial, expected, "{path}: {head}");
        }
    }

    #[test]
    fn documents_among_templates() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in ["templates/app/Gemfile.tt", "templates/app/public/404.html", "templates/plain/a.md"] {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let role = |name: &str, format| DocumentRole::of(&root.join(name), &[root.into()], format, b"<html>");
        assert_eq!(role("templates/app/public/404.html", Format::Html), DocumentRole::Partial);
        assert_eq!(role("templates/plain/a.md", Format::Markdown), DocumentRole::Document);
    }

    #[test]
    fn roots_of_xml() {
        for (head, root) in [
            ("<?xml version='1.0'?>\n<!-- <a> --><rss version='2.0'>", Some("rss")),
            ("<!DOCTYPE svg PUBLIC 'x' 'y'><svg:svg>", Some("svg:svg")),
            ("<!DOCTYPE a [ <!ENTITY b 'c>'> ]><a/>", Some("a")),
            ("\u{FEFF}<project>", Some("project")),
            ("<?xml", None),
            ("", None),
        ] {
            assert_eq!(root_of(head.as_bytes()), root.map(str::as_bytes), "{head}");
        }
        assert!(has_known_links(b"<svg:svg>") && has_known_links(b"<rdf:RDF>") && has_known_links(b"<?xml"));
        assert!(!has_known_links(b"<project>") && !has_known_links(b"<resources>"));
        assert!(has_known_links(b"<package xmlns='http://www.idpf.org/2007/opf'>"));
        assert!(!has_known_links(
            b"<package xmlns='http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd'>"
        ));
    }

    #[test]
    fn what_would_be_broken_is_in_doubt() {
        let code = |role: DocumentRole, code, url| role.doubted(Verdict::new(code), url).code;
        assert_eq!(code(DocumentRole::TestData, Code::Invalid, "http://["), Code::TestData);
        assert_eq!(code(DocumentRole::TestData, Code::Ok, "a.md"), Code::Ok);
        assert_eq!(code(DocumentRole::Partial, Code::NoSuchFile, "../a.md"), Code::Partial);
        assert_eq!(code(DocumentRole::Partial, Code::NoSuchFile, "/a.md"), Code::NoSuchFile);
        assert_eq!(code(DocumentRole::Partial, Code::NoSuchFile, "https://h/a"), Code::NoSuchFile);
        assert_eq!(code(DocumentRole::Document, Code::NoSuchFile, "a.md"), Code::NoSuchFile);
    }
}
