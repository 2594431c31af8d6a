//! The cases of `testdata/headings.toml`.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;

use locator_find::{Anchor, Document, Finder, Format, HeadingIds, Link, Sink};
use serde::Deserialize;

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    document: String,
    #[serde(flatten)]
    ids: BTreeMap<String, Vec<String>>,
}

#[derive(Default)]
struct Names(Vec<String>);

impl Sink for Names {
    fn link(&mut self, _: &Link<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        self.0.push(anchor.name.to_string());
    }
}

fn names(document: &str, rule: HeadingIds) -> Vec<String> {
    let mut names = Names::default();
    let described = Document::new(Format::Markdown).heading_ids(rule);
    Finder::new().find(&described, &mut document.as_bytes(), &mut names).unwrap();
    names.0
}

#[test]
fn ids_of_each_program() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/headings.toml");
    let cases: Cases = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    for case in cases.case {
        // A case is of all programs, or at least of those that read Markdown alone.
        let is_complete = case.ids.len() == HeadingIds::ALL.len();
        let mut first = HeadingIds::ALL[..7].iter();
        assert!(is_complete || first.all(|rule| case.ids.contains_key(rule.name())), "{}", case.name);
        for (program, expected) in &case.ids {
            let rule = HeadingIds::from_name(program).unwrap();
            assert_eq!(names(&case.document, rule), *expected, "{}: {program}", case.name);
        }
    }
}

#[test]
fn headings_written_as_html_have_ids_at_github() {
    for (document, expected) in [
        ("<h1 align=\"center\">Heron &amp; co</h1>\n", &["heron--co", "heron-co"][..]),
        (
            "<h2>\n  Get <b>started</b>\n</h2>\n\n# Get started\n",
            &["--get-started", "get-started", "get-started"],
        ),
        ("<h1>\n\nOver *lines*\n\n</h1>\n", &["over-lines", "over-lines"]),
        ("<hr> <header>x</header>\n", &[]),
    ] {
        assert_eq!(names(document, HeadingIds::GitHub), expected, "{document}");
    }
    assert!(names("<h1>Heron</h1>\n", HeadingIds::MdBook).is_empty());
}

#[test]
fn attributes_of_a_block_are_read_by_kramdown_and_mkdocs() {
    let document = "# Title\n{: #own .x}\n\nA paragraph.\n{: #para }\n";
    assert_eq!(names(document, HeadingIds::Jekyll), ["title", "own", "para"]);
    assert_eq!(names(document, HeadingIds::MkDocs), ["title", "own", "para"]);
    assert_eq!(names(document, HeadingIds::GitHub), ["title"]);
}

#[test]
fn many_equal_headings_take_linear_time() {
    for rule in HeadingIds::ALL {
        for heading in ["# a\n", "# a_1\n"] {
            assert_eq!(names(&heading.repeat(5_000), rule).len(), 5_000, "{rule}");
        }
    }
}
