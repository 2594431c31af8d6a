//! `links -z`: the documents in archives, whose links lead to files of the same archive.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::http::{Server, answer, folder};
use crate::links::links;

fn archive(path: &Path, files: &[(&str, &str)]) {
    let mut archive = ZipWriter::new(File::create(path).unwrap());
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in files {
        match name.strip_suffix('/') {
            Some(name) => archive.add_directory(name, options).unwrap(),
            None => {
                archive.start_file(*name, options).unwrap();
                archive.write_all(content.as_bytes()).unwrap();
            }
        }
    }
    archive.finish().unwrap();
}

#[test]
fn members_lead_to_members() {
    let folder = folder();
    let root = folder.path();
    // Files beside the archive are not in it.
    fs::write(root.join("c.html"), "").unwrap();
    archive(
        &root.join("site.zip"),
        &[
            ("index.html", "<a href=docs/>1</a> <a href=docs/a.html#none>2</a> <a href=docs/a.html#x>3</a>"),
            (
                "docs/a.html",
                "<p id=x><a href=b.html>1</a> <a href=../c.html>2</a> <a href=../../c.html>3</a> <a href=B.MD>4</a>",
            ),
            ("docs/b.md", "# B\n\n[1](#b) [2](#nothing) [3](../empty) [4](data.json) [5](guide.html)\n"),
            ("docs/guide.rst", ""),
            ("docs/data.json", "{\"url\":\"none.html\"}"),
            ("empty/", ""),
            ("inner.zip", "PK\x03\x04"),
        ],
    );
    let (printed, status, said) = links(root, &["--offline", "-z", "--show", "broken,unknown", "site.zip"]);
    let expected = "\
site.zip!/docs/a.html:1:38: error: ../c.html: the file does not exist
site.zip!/docs/a.html:1:89: error: B.MD: the file does not exist; did you mean \"b.md\"?
site.zip!/docs/a.html:1:17: warning: b.html: a build may make the file (made from b.md?)
site.zip!/docs/a.html:1:62: warning: ../../c.html: the path leads out of the repository or the site, where others may be (the document is in an archive)
site.zip!/docs/b.md:3:13: warning: #nothing: the anchors of this kind of file are not known
site.zip!/docs/b.md:3:56: warning: guide.html: a build may make the file (made from guide.rst?)
site.zip!/index.html:1:29: error: docs/a.html#none: the file has no such heading or id
";
    assert_eq!((&*printed, status), (expected, 1), "{said}");
    let reasons = "unknown: 2 generated, 1 unread-anchor, 1 outside\n";
    assert_eq!(said, format!("12 links in 4 files: 3 broken, 4 unknown, 5 ok\n{reasons}"));
    let (printed, _, _) = links(root, &["--offline", "-z", "--json", "--show", "ok", "."]);
    let inside = "\"file\":\"site.zip!/index.html\",\"line\":1,\"column\":9,\"offset\":8,\"length\":5,\"url\":\"docs/\",\"absolute\":\"jar:file:///";
    assert!(printed.contains(inside) && printed.contains("/site.zip!/docs\""), "{printed}");
    // Without the option, it is said what could be done.
    let (_, status, said) = links(root, &["--offline", "site.zip"]);
    assert_eq!(status, 0);
    assert!(
        said.starts_with("note: \"site.zip\" is compressed (zip); use -z to search its contents\n"),
        "{said}"
    );
}

#[test]
fn a_fragment_of_the_same_member_is_looked_up_in_it() {
    let folder = folder();
    let page = "<p id=x></p><a href=#x>1</a> <a href=#y>2</a> <a href='#'>3</a>";
    archive(&folder.path().join("a.zip"), &[("a/b.html", page)]);
    let (printed, status, _) = links(folder.path(), &["--offline", "-z", "a.zip"]);
    let expected = "a.zip!/a/b.html:1:38: error: #y: the file has no such heading or id\n";
    assert_eq!((&*printed, status), (expected, 1));
}

#[test]
fn servers_are_asked_for_members() {
    let server = Server::new(|request| match request.line.ends_with("/ok") {
        true => answer("200 OK", "", ""),
        false => answer("404 Not Found", "", ""),
    });
    let folder = folder();
    let text = format!("[1]({}) [2]({})\n", server.url("/ok"), server.url("/gone"));
    archive(&folder.path().join("a.zip"), &[("a.md", &text), ("b.md", "[1](c/d.md)\n")]);
    let arguments = ["--private", "--interval", "0", "-z"];
    let (printed, status, said) = links(folder.path(), &[&arguments[..], &["a.zip"]].concat());
    assert_eq!((printed.lines().count(), status), (2, 1), "{printed}");
    assert!(
        printed.starts_with("a.zip!/a.md:1:") && printed.contains("/gone: the server does not"),
        "{printed}"
    );
    assert_eq!(said, "3 links in 2 files: 2 broken, 1 ok\n");
    // They are published there.
    let base = server.url("/");
    links(folder.path(), &[&arguments[..], &["--base-url", &base, "a.zip"]].concat());
    assert!(server.lines().contains(&"HEAD /c/d.md".to_owned()), "{:?}", server.lines());
    // Archives are not mended.
    let (printed, _, said) =
        links(folder.path(), &[&arguments[..], &["--offline", "--diff", "a.zip"]].concat());
    assert_eq!(
        (&*printed, said.lines().next()),
        ("", Some("3 links in 2 files: 1 broken, 2 skipped")),
        "{said}"
    );
}

#[test]
fn names_lead_nowhere_else() {
    let folder = folder();
    let root = folder.path();
    archive(
        &root.join("a.zip"),
        &[
            ("../x.html", "<a href=y.html>"),
            ("/abs.html", "<a href=y.html>"),
            (
                "a//b/./c.html",
                "<a href=../d.html> <a href=../../../../../../../../../../etc/passwd> <a href=file:///etc/passwd>",
            ),
            ("a/d.html", "x"),
            ("\u{1B}[31m.html", "<a href=no.html>"),
            (
                "word/_rels/document.xml.rels",
                "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
            <Relationship Target=\"beside.docx\" TargetMode=\"External\"/></Relationships>",
            ),
        ],
    );
    let (printed, status, said) = links(root, &["--offline", "-z", "--show", "all", "a.zip"]);
    assert_eq!(status, 1, "{printed}{said}");
    assert!(
        !printed.contains('\u{1B}') && printed.contains("a.zip!/<U+001B>[31m.html:1:9: error: no.html"),
        "{printed}"
    );
    for line in [
        "note: y.html: a relative reference in a document that has no base",
        "note: ../d.html: the target is there",
        "note: file:///etc/passwd: a file: URL outside of what is checked",
        "etc/passwd: the path leads out of the repository",
        "note: beside.docx: a relative reference in a document that has no base",
    ] {
        assert!(printed.contains(line), "{line}: {printed}");
    }
}

#[test]
fn a_broken_archive_is_one_line() {
    let folder = folder();
    fs::write(folder.path().join("a.zip"), "PK\x03\x04 and nothing").unwrap();
    let (printed, status, said) = links(folder.path(), &["--offline", "-z", "a.zip"]);
    assert_eq!((&*printed, status, said.lines().count()), ("", 2, 1), "{said}");
    assert!(said.starts_with("error: \"a.zip\" cannot be read: "), "{said}");
}
