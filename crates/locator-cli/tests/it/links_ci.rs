//! `links` in CI: the links that a change concerns, what is known, and formats for other programs.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::Path;

use crate::http::{Server, answer, folder};
use crate::links::links;
use crate::runner;
use crate::since::git;

/// A repository with a commit on "main", and a branch.
fn repository() -> tempfile::TempDir {
    let repository = folder();
    let root = repository.path();
    git(root, &["init", "-q", "-b", "main"]);
    fs::create_dir(root.join("docs")).unwrap();
    write(
        root,
        "README.md",
        "[a](docs/a.md)\n[b](docs/b.md#setting-up)\n[c](no.md)\n[d](#no)\n[e](docs/c.md)\n",
    );
    write(root, "docs/a.md", "# A\n\n[b](b.md#use)\n");
    write(root, "docs/b.md", "# B\n\n## Setting up\n\n## Use\n\n[c](c.md) [d](#setting-up)\n");
    write(root, "docs/c.md", "# C\n\n[b](b.md#gone-long-ago)\n");
    commit(root);
    git(root, &["checkout", "-q", "-b", "branch"]);
    repository
}

fn write(root: &Path, name: &str, text: &str) {
    fs::write(root.join(name), text).unwrap();
}

fn commit(root: &Path) {
    git(root, &["add", "-A"]);
    git(root, &["commit", "-q", "-m", "x"]);
}

fn since(root: &Path, revision: &str) -> (String, i32, String) {
    links(root, &["--offline", "--since", revision, "."])
}

#[test]
fn what_was_broken_before_is_not_reported() {
    let repository = repository();
    assert_eq!(links(repository.path(), &["--offline", "-q", "."]).1, 1);
    let (printed, status, said) = since(repository.path(), "main");
    assert_eq!((&*printed, status), ("", 0));
    assert_eq!(said, "no links to report in 4 files; the change does not concern 9 other links\n");
}

#[test]
fn links_on_added_lines_are_checked() {
    let repository = repository();
    let root = repository.path();
    write(root, "docs/a.md", "# A\n\n[b](b.md#use)\n[x](x.md) [c](c.md)\n");
    write(root, "new.md", "[y](y.md)\n");
    let (printed, status, said) = since(root, "main");
    let expected = "docs/a.md:4:5: error: x.md: the file does not exist\n\
        new.md:1:5: error: y.md: the file does not exist\n";
    assert_eq!((&*printed, status), (expected, 1));
    assert_eq!(said, "3 links in 5 files: 2 broken, 1 ok; the change does not concern 9 other links\n");
    commit(root);
    assert_eq!(since(root, "main").0, expected);
    assert_eq!(since(root, "HEAD").1, 0);
    // What "main" has changed since is not the change of the branch.
    git(root, &["checkout", "-q", "main"]);
    write(root, "README.md", "[z](z.md)\n");
    commit(root);
    git(root, &["checkout", "-q", "branch"]);
    assert_eq!(since(root, "main").0, expected);
}

#[test]
fn links_to_what_is_removed_are_checked() {
    let repository = repository();
    let root = repository.path();
    write(root, "docs/b.md", "# B\n\n## Set up\n\n## Use\n\n[c](c.md) [d](#setting-up)\n");
    fs::remove_file(root.join("docs/a.md")).unwrap();
    git(root, &["mv", "docs/c.md", "c d.md"]);
    let (printed, status, said) = since(root, "main");
    let expected = "README.md:1:5: error: docs/a.md: the file does not exist (removed)\n\
        README.md:2:5: error: docs/b.md#setting-up: the file has no such heading or id\n\
        README.md:5:5: error: docs/c.md: the file does not exist (renamed); did you mean \"c%20d.md\"?\n\
        c d.md:3:5: error: b.md#gone-long-ago: the file does not exist\n\
        docs/b.md:7:5: error: c.md: the file does not exist (renamed); did you mean \"../c%20d.md\"?\n\
        docs/b.md:7:15: error: #setting-up: the file has no such heading or id\n";
    assert_eq!((&*printed, status), (expected, 1), "{said}");
    assert!(said.ends_with("6 broken; the change does not concern 2 other links\n"), "{said}");
}

#[test]
fn a_wrong_revision_is_one_line() {
    let repository = repository();
    let root = repository.path();
    git(root, &["checkout", "-q", "--orphan", "other"]);
    write(root, "new.md", "");
    commit(root);
    for (revision, why) in [
        ("origin/main", "git does not know this revision; a shallow clone has only the last ones"),
        ("main", "it has no commit in common with HEAD; a shallow clone has only the last ones"),
        ("", "expected a revision of git, such as HEAD~1 or origin/main"),
        ("main...HEAD", "git does not know this revision; a shallow clone has only the last ones"),
    ] {
        let line = format!("error: --since {revision}: {why}\n");
        assert_eq!(since(root, revision), (String::new(), 2, line));
    }
    let outside = folder();
    let (printed, status, said) = since(outside.path(), "main");
    assert_eq!((&*printed, status, said.lines().count()), ("", 2, 1), "{said}");
    assert!(said.starts_with("error: --since main: git says: not a git repository"), "{said}");
}

#[test]
fn what_is_in_the_baseline_is_not_reported() {
    let folder = folder();
    let root = folder.path();
    write(root, "a.md", "[x](x.md) [y](y.md) [a](a.md)\n");
    let (known, status, _) = links(root, &["--offline", "--json", "."]);
    assert_eq!(status, 1);
    write(root, "known.json", &known);
    let with = |path| links(root, &["--offline", "--baseline", "known.json", path]);
    write(root, "a.md", "\n[y](y.md) [x](x.md) [a](a.md)\n");
    let said = "1 link in 1 file: 1 ok; 2 in the baseline\n".to_owned();
    assert_eq!(with("a.md"), (String::new(), 0, said));
    // It is the same file by its absolute name.
    let absolute = root.join("a.md");
    let (printed, status, _) = with(absolute.to_str().unwrap());
    assert_eq!((&*printed, status), ("", 0));
    // The same link in another file is new.
    write(root, "b.md", "[x](x.md)\n");
    let (printed, status, said) = with(".");
    assert_eq!((&*printed, status), ("b.md:1:5: error: x.md: the file does not exist\n", 1));
    assert_eq!(said, "2 links in 2 files: 1 broken, 1 ok; 2 in the baseline\n");
    // A link that was good is not in the baseline if it is broken now.
    write(root, "x.md", "");
    write(root, "known.json", &links(root, &["--offline", "--json", "a.md"]).0);
    fs::remove_file(root.join("x.md")).unwrap();
    assert_eq!(with("a.md").1, 1);
}

#[test]
fn a_wrong_baseline_is_one_line() {
    let folder = folder();
    write(folder.path(), "a.md", "[x](x.md)\n");
    write(folder.path(), "bad.json", "{\"url\":\"x\"}\nnot json\n");
    for (arguments, line) in [
        (&["--baseline", "no.json"][..], "error: \"no.json\" cannot be read: No such file or directory"),
        (
            &["--baseline", "bad.json"],
            "\"bad.json\" cannot be read: line 2 is not output of 'locator links --json'",
        ),
        (&["--grace", "3d"], "--baseline <FILE>"),
        (&["--baseline", "new.json", "--grace", "3 days"], "expected a number and a unit (s, m, h, d or w)"),
        (
            &["--baseline", "no/new.json", "--grace", "3d"],
            "error: \"no/new.json\" cannot be written: its directory does not exist\n",
        ),
        (&["--baseline", ".", "--grace", "3d"], "\".\" cannot be read: --grace needs a file"),
    ] {
        let (_, status, said) = links(folder.path(), &[&["--offline", "a.md"], arguments].concat());
        assert_eq!(status, 2, "{said}");
        assert!(said.contains(line), "{said}");
        assert!(!line.ends_with('\n') || said == line, "nothing was checked: {said}");
    }
    assert!(!folder.path().join("new.json").exists());
}

#[test]
fn a_url_fails_only_after_its_grace() {
    let server = Server::new(|request| match request.line.ends_with("/ok") {
        true => answer("200 OK", "", ""),
        false => answer("404 Not Found", "", ""),
    });
    let folder = folder();
    let root = folder.path();
    let [new, old, ok] = ["/new", "/old", "/ok"].map(|path| server.url(path));
    write(root, "a.md", &format!("[a]({new}#x) [b]({old}) [c]({ok}) [d](x.md)\n"));
    let known = "{\"file\":\"a.md\",\"url\":\"x.md\",\"outcome\":\"broken\"}\n".to_owned();
    let record =
        |url: &str, year| format!("{{\"url\":\"{url}\",\"broken_since\":\"{year}-01-02T03:04:05Z\"}}\n");
    write(
        root,
        "known.json",
        &(known.clone() + &record(&old, 2020) + &record(&ok, 2020) + &record("http://h/", 2021)),
    );
    let run = || {
        let arguments = ["--private", "--interval", "0", "--baseline", "known.json", "--grace", "3d", "a.md"];
        links(root, &arguments)
    };
    let (printed, status, said) = run();
    assert_eq!(status, 1);
    let lines: Vec<_> = printed.lines().collect();
    assert_eq!(lines.len(), 2, "{printed}");
    let warning = format!(
        "a.md:1:5: warning: {new}#x: the server does not have the page (404 Not Found); broken since 2"
    );
    assert!(lines[0].starts_with(&warning) && lines[0].ends_with("Z, which is within --grace"), "{printed}");
    assert!(lines[1].contains(&format!("error: {old}: the server does not")), "{printed}");
    assert_eq!(said, "3 links in 1 file: 2 broken, 1 ok; 1 in the baseline; 1 within --grace\n");
    // What is known stays, and what was not looked at; what is mended is removed.
    let written = fs::read_to_string(root.join("known.json")).unwrap();
    assert!(written.starts_with(&known), "{written}");
    assert!(
        written.contains(&record(&old, 2020)) && written.contains(&record("http://h/", 2021)),
        "{written}"
    );
    assert!(!written.contains(&ok), "{written}");
    assert_eq!(written.matches(&format!("{{\"url\":\"{new}\",\"broken_since\":\"2")).count(), 1, "{written}");
    // The first time stays.
    assert_eq!(run().1, 1);
    assert_eq!(fs::read_to_string(root.join("known.json")).unwrap(), written);
    // Without a file, everything is new.
    fs::remove_file(root.join("known.json")).unwrap();
    let (_, status, said) = run();
    assert_eq!(status, 1, "the missing file is no URL of a server: {said}");
    assert!(said.ends_with("; 2 within --grace\n"), "{said}");
    // A program knows which these are, and its file can be a baseline.
    let arguments =
        ["--private", "--interval", "0", "--baseline", "known.json", "--grace", "3d", "--json", "a.md"];
    let (printed, status, _) = links(root, &arguments);
    assert_eq!((status, printed.matches("\"broken_since\":\"2").count()), (1, 2), "{printed}");
    let missing = printed.lines().find(|line| line.contains("x.md")).unwrap();
    assert!(!missing.contains("broken_since"), "{missing}");
    write(root, "known.json", &printed);
    let (_, status, said) = run();
    assert_eq!((status, &*said), (0, "1 link in 1 file: 1 ok; 3 in the baseline\n"));
    assert!(fs::read_to_string(root.join("known.json")).unwrap().starts_with(&printed));
}

/// Documents with names and links that mean something to other formats.
fn documents() -> tempfile::TempDir {
    let folder = folder();
    write(
        folder.path(),
        "a,b.md",
        "é [x](x%7Cy.md?a&b) [y](<z|`.md>)\n\n[x](x%7Cy.md?a&b)\n[s](heron.md#setup)\n",
    );
    write(folder.path(), "heron.md", "# Set up\n\n[a](heron.md)\n");
    folder
}

#[test]
fn github_gets_annotations() {
    let folder = documents();
    let (printed, status, said) = links(folder.path(), &["--offline", "--format", "github", "."]);
    assert_eq!(status, 1, "{said}");
    let lines: Vec<_> = printed.lines().collect();
    let token = lines[0].strip_prefix("::stop-commands::").unwrap();
    assert_eq!(lines[5], format!("::{token}::"));
    assert!(lines[1].starts_with("a,b.md:1:8: error: x%7Cy.md?a&b: the file does not exist"), "{printed}");
    let expected = [
        "::error file=a%2Cb.md,line=1,col=8,title=broken link (no-such-file)::x%257Cy.md?a&b: the file does not exist \
         (and 1 other link to it)",
        "::error file=a%2Cb.md,line=1,col=27,title=broken link (no-such-file)::z|`.md: the file does not exist",
        "::warning file=a%2Cb.md,line=4,col=5,title=unknown link (other-anchor)::heron.md#setup: the heading exists, \
         and its id depends on the generator",
    ];
    assert_eq!(lines[6..], expected);
}

#[test]
fn annotations_have_names_in_the_repository() {
    let folder = folder();
    let root = fs::canonicalize(folder.path()).unwrap();
    fs::create_dir(root.join("docs")).unwrap();
    write(&root, "docs/a.md", "[x](x.md)\n");
    let mut command = runner::locator(&["links", "--offline", "--format", "github", "a.md"]);
    let output =
        runner::run(command.env("GITHUB_WORKSPACE", &root).current_dir(root.join("docs")), Vec::new());
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("\n::error file=docs/a.md,line=1,col=5,"), "{printed}");
}

#[test]
fn github_gets_ten_annotations() {
    let folder = folder();
    write(folder.path(), "a.md", &(0..13).map(|number| format!("[x](x{number}.md)\n")).collect::<String>());
    let (printed, ..) = links(folder.path(), &["--offline", "--format", "github", "."]);
    assert_eq!(printed.lines().filter(|line| line.starts_with("::error")).count(), 10);
    assert_eq!(printed.lines().last(), Some("3 URLs without an annotation: GitHub shows 10"));
}

#[test]
fn several_formats_have_a_file_each() {
    let folder = documents();
    let root = folder.path();
    let formats = ["markdown=s.md", "junit=j.xml", "sarif=s.sarif", "json=all.json"];
    let formats = formats.iter().flat_map(|format| ["--format", format]);
    let arguments: Vec<_> = ["--offline"].into_iter().chain(formats).chain(["."]).collect();
    let (printed, status, said) = links(root, &arguments);
    assert_eq!((printed.lines().count(), status), (4, 1), "{said}");
    // They are no documents of the next run.
    assert_eq!(links(root, &arguments), (printed, status, said));
    let read = |name: &str| fs::read_to_string(root.join(name)).unwrap();
    let summary = "### Links\n\n5 links in 2 files: 3 broken, 1 unknown, 1 ok\n\nunknown: 1 other-anchor\n\n\
        | | place | link | what happened |\n|---|---|---|---|\n\
        | error | a,b.md:1 | `x%7Cy.md?a&b` | the file does not exist |\n\
        | error | a,b.md:1 | ``z\\|`.md`` | the file does not exist |\n\
        | error | a,b.md:3 | `x%7Cy.md?a&b` | the file does not exist |\n\
        | warning | a,b.md:4 | `heron.md#setup` | the heading exists, and its id depends on the generator |\n";
    assert_eq!(read("s.md"), summary);
    let junit = read("j.xml");
    let begin = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"locator links\">\n\
        <testsuite name=\"a,b.md\" tests=\"4\" failures=\"3\" skipped=\"1\">\n  \
        <testcase classname=\"a,b.md\" name=\"x%7Cy.md?a&amp;b (line 1, column 8)\" file=\"a,b.md\" line=\"1\">\n    \
        <failure type=\"no-such-file\" message=\"the file does not exist\">\
        a,b.md:1:8: x%7Cy.md?a&amp;b: the file does not exist</failure>\n  </testcase>\n";
    assert!(junit.starts_with(begin), "{junit}");
    let end = "<testsuite name=\"heron.md\" tests=\"1\" failures=\"0\" skipped=\"0\">\n  \
        <testcase classname=\"heron.md\" name=\"links\"/>\n</testsuite>\n</testsuites>\n";
    assert!(junit.ends_with(end), "{junit}");
    let sarif: serde_json::Value = serde_json::from_str(&read("s.sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let region = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(results.len(), 4);
    assert_eq!(results[0]["ruleId"], "no-such-file");
    assert_eq!(results[0]["level"], "error");
    assert_eq!(region["artifactLocation"]["uri"], "a,b.md");
    assert_eq!((&region["region"]["startLine"], &region["region"]["startColumn"]), (&1.into(), &7.into()));
    assert_eq!(read("all.json").lines().count(), 5);
}

#[test]
fn a_wrong_format_is_wrong_use() {
    let folder = documents();
    for (arguments, why) in [
        (&["--format", "junitxml"][..], "the formats are text, json, junit, sarif, markdown, html, github"),
        (&["--format", "markdown="], "a file is missing after \"=\"; is a variable empty?"),
        (&["--format", "markdown=no/such/s.md"], "--format: \"no/such/s.md\" cannot be written"),
        (&["--format", "github", "--json"], "github and json cannot both go to standard output"),
        (&["--format", "github", "-q"], "cannot be used with"),
    ] {
        let (printed, status, said) = links(folder.path(), &[&["--offline"], arguments, &["."]].concat());
        assert_eq!((&*printed, status), ("", 2), "{said}");
        assert!(said.contains(why), "{said}");
    }
}
