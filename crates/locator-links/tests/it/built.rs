//! Sites that were built (`LinkRules::built`): links of the sources are judged by the pages that the generator wrote, with what
//! its plugins added.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::io::Cursor;
use std::path::Path;

use locator::UriBuf;
use locator_find::{Document, Finder, Format};
use locator_links::{BuiltSite, Code, DocumentName, FileChecker, LinkRules, LinkTarget, PageLink, Site};

fn write(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Returns the codes of the links of a document, judged by what was built of its site.
fn codes(root: &Path, directory: &str, output: &str, document: &str) -> Vec<(String, Code)> {
    let built = vec![BuiltSite { directory: root.join(directory), output: root.join(output) }];
    let rules = LinkRules {
        keeps_all: true,
        is_offline: true,
        reads_configurations: true,
        named: vec![root.to_owned()],
        built,
        ..LinkRules::default()
    };
    let (site, finder) = (Site::new(rules, None), Finder::new());
    let path = root.join(document);
    let content = fs::read(&path).unwrap();
    let url = UriBuf::from_file_path(&path).unwrap();
    let described = Document::new(Format::of(&path, &content).unwrap()).retrieved_by(url.as_str());
    let name = DocumentName { name: document.to_owned(), path: Some(&path), is_own: false };
    let read = site.read(&finder, &described, name, &mut Cursor::new(&content)).unwrap();
    let mut checker = FileChecker::new(&site, &finder);
    checker.add(&read.page, read.anchors);
    let page = &read.page;
    let mut code = |link: &PageLink| match &link.target {
        LinkTarget::Known(verdict) => verdict.code,
        LinkTarget::File(file) => checker.verdict(page, link, *file).code,
        LinkTarget::Site(target) => checker.site_verdict(page, link, target).code,
        other => panic!("{other:?}"),
    };
    page.links.iter().map(|link| (page.url(link).to_owned(), code(link))).collect()
}

/// A site of `MkDocs` with a plugin that adds pages and ids, so that its sources alone say little.
#[test]
fn what_plugins_add_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let links = [
        ("b.md", Code::Ok),
        ("b.md#made-by-a-plugin", Code::Ok),
        ("b.md#heading", Code::NoSuchAnchor),
        ("../reference/api/", Code::Ok),
        ("/reference/api/#run", Code::Ok),
        ("../old/", Code::Ok),
        ("../img/x.svg", Code::Ok),
        ("../none/", Code::NoSuchPage),
        ("draft.md", Code::NoSuchPage),
    ];
    let text: String = links.iter().map(|(link, _)| format!("- [x]({link})\n")).collect();
    write(
        &root,
        &[
            ("mkdocs.yml", "site_name: x\nplugins: [gen-files]\nexclude_docs: draft.md\n"),
            ("docs/a.md", &text),
            ("docs/b.md", "# B\n\n## Heading\n"),
            ("docs/draft.md", "# D\n"),
            ("docs/img/x.svg", "<svg/>"),
            (".gitignore", "site/\n"),
            (".git/HEAD", "ref: refs/heads/main\n"),
            ("site/index.html", "<a href=a/>a</a>"),
            ("site/a/index.html", "<a href=../b/>b</a>"),
            ("site/b/index.html", "<h2 id=made-by-a-plugin>b</h2>"),
            ("site/reference/api/index.html", "<h2 id=run>run</h2>"),
            ("site/old/index.html", "<meta http-equiv=refresh content='0; url=../b/'>"),
            ("site/img/x.svg", "<svg/>"),
        ],
    );
    let expected: Vec<_> = links.iter().map(|(link, code)| ((*link).to_owned(), *code)).collect();
    assert_eq!(codes(&root, "", "site", "docs/a.md"), expected);
}

/// A generator that is not known: documents are found by their paths, and the base by the links of the pages.
#[test]
fn other_generators() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let links = [
        ("other.md", Code::Ok),
        ("/base/tags/", Code::Ok),
        ("/base/none/", Code::NoSuchPage),
        ("none.md", Code::NoSuchPage),
    ];
    let text: String = links.iter().map(|(link, _)| format!("- [x]({link})\n")).collect();
    write(
        &root,
        &[
            ("text/guide/page.md", &text),
            ("text/guide/other.md", "# Other\n"),
            ("public/index.html", "<a href=/base/guide/page.html>a</a>"),
            ("public/guide/page.html", "<a href=/base/guide/other.html>b</a><a href=/base/tags/>t</a>"),
            ("public/guide/other.html", ""),
            ("public/tags/index.html", ""),
        ],
    );
    let expected: Vec<_> = links.iter().map(|(link, code)| ((*link).to_owned(), *code)).collect();
    assert_eq!(codes(&root, "text", "public", "text/guide/page.md"), expected);
}
