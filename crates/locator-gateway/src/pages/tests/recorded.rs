//! The pages of the objects in `testdata/serve/pages.toml`, as recorded beside it: `UPDATE=1 cargo test -p
//! locator-cli --all-features --bin locator serve` writes them again.

use std::fs;
use std::path::{Path, PathBuf};

use locator::plan::ObjectKind;
use serde::Deserialize;

use super::super::Links;
use super::{gateway, object, page_in};

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    url: String,
    kind: String,
    media_type: Option<String>,
    body: String,
}

impl Case {
    fn kind(&self) -> ObjectKind {
        use ObjectKind::{
            Article, Binary, Facts, Groups, Hits, Links, Menu, Names, Numbers, Overview, Text, Unknown,
        };
        let all =
            [Article, Binary, Facts, Groups, Hits, Links, Menu, Names, Numbers, Overview, Text, Unknown];
        *all.iter().find(|kind| kind.name() == self.kind).expect("a kind")
    }

    fn body(&self) -> Vec<u8> {
        octets(&self.body)
    }
}

/// Returns the octets that a text with escapes stands for. A line end directly after the opening quotes is
/// not part of a string of TOML; those after "\r" are.
fn octets(text: &str) -> Vec<u8> {
    let (mut octets, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'\\' {
            octets.push(*first);
            continue;
        }
        let (octet, length) = match after {
            [b'r', ..] => (b'\r', 1),
            [b'n', ..] => (b'\n', 1),
            [b't', ..] => (b'\t', 1),
            [b'x', hex @ ..] => (u8::from_str_radix(str::from_utf8(&hex[..2]).unwrap(), 16).unwrap(), 3),
            [other, ..] => (*other, 1),
            [] => panic!("an escape"),
        };
        octets.push(octet);
        rest = &after[length..];
    }
    octets
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/serve")
}

fn cases() -> Vec<Case> {
    toml::from_str::<Cases>(&fs::read_to_string(directory().join("pages.toml")).unwrap()).unwrap().case
}

/// A line for each element, so that a difference can be read.
fn lines(html: &str) -> String {
    let mut text = html.to_owned();
    for name in [
        "<main",
        "<nav",
        "<h1",
        "<h2",
        "<p",
        "<div",
        "<table",
        "<tbody",
        "<tr",
        "<ul",
        "<ol",
        "<li",
        "<form",
        "<label",
        "<input",
        "<section",
        "<blockquote",
        "<details",
        "</main",
    ] {
        text = text.replace(name, &format!("\n{name}"));
    }
    text + "\n"
}

pub(super) fn is_as_recorded(name: &str, html: &str) {
    let path = directory().join(name).with_extension("html");
    let text = lines(html);
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(path, text).unwrap();
    }
    let recorded = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(recorded, text, "{} differs; if that is intended, run again with UPDATE=1", path.display());
}

#[test]
fn pages_are_as_recorded() {
    for case in cases() {
        let object = object(&case.url, case.kind(), case.media_type.as_deref());
        is_as_recorded(&case.name, &page_in(&object, &case.body(), usize::MAX, gateway()));
    }
}

#[test]
fn any_cut_gives_the_same_page() {
    for case in cases() {
        let (object, body) = (object(&case.url, case.kind(), case.media_type.as_deref()), case.body());
        let whole = page_in(&object, &body, usize::MAX, gateway());
        for size in [1, 2, 3, 7, 64] {
            assert_eq!(page_in(&object, &body, size, gateway()), whole, "{} by {size}", case.name);
        }
    }
}

#[test]
fn a_proxy_has_native_links_and_inline_style() {
    let menu = cases().into_iter().find(|case| case.name == "menu").unwrap();
    let html = page_in(&object(&menu.url, menu.kind(), None), &menu.body(), usize::MAX, Links::native());
    assert!(html.contains("href=\"gopher://gopher.example/1/docs\""), "{html}");
    assert!(html.contains("<style>") && !html.contains("/u/") && !html.contains("<script"));
}
