//! The HTML of a few URLs, as recorded in `testdata/web`: `UPDATE=1 cargo test -p locator-web` writes it
//! again.

use std::fs;
use std::path::Path;

use locator_web::{Html, Renderer};

/// A line for each element, so that a difference can be read.
fn lines(html: &Html) -> String {
    let mut text = html.as_str().to_owned();
    for name in [
        "<section", "<h2", "<p", "<div", "<caption", "<thead", "<tbody", "<tr", "<ul", "<li", "<pre",
        "<details",
    ] {
        text = text.replace(name, &format!("\n{name}"));
    }
    text.trim_start().to_owned() + "\n"
}

fn is_as_recorded(name: &str, html: &Html) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/web").join(name);
    let text = lines(html);
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(path, text).unwrap();
    }
    let recorded = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(recorded, text, "{} differs; if that is intended, run again with UPDATE=1", path.display());
}

#[test]
fn urls_are_as_recorded() {
    let renderer = Renderer::new();
    for (name, url) in [
        ("two-hosts.html", "http://good.example\\@evil.example/"),
        ("plain.html", "http://example.com/a?b#c"),
        ("address.html", "http://0x7f.1/"),
        ("edition.html", "http://10.0.0.256/"),
        ("no-slashes.html", "http:evil.example"),
        ("ftp.html", "ftp://joe:secret@ftp.example/%2Fetc/motd;type=a"),
        ("invalid.html", "http://example.com/a b|<c>"),
        ("iri.html", "http://b\u{FC}cher.example/\u{202E}x"),
        ("homograph.html", "https://\u{430}\u{440}\u{440}\u{4CF}\u{435}.com/"),
        ("normal.html", "HTTP://Example.COM:80/a/../%7euser"),
        ("relative.html", "/\\evil.example/"),
        ("empty.html", ""),
    ] {
        is_as_recorded(name, &renderer.url(url));
    }
}

#[test]
fn comparisons_are_as_recorded() {
    let renderer = Renderer::new();
    for (name, first, second) in [
        ("equivalent.html", "http://example.com/~a", "HTTP://EXAMPLE.com:80/%7Ea"),
        ("different.html", "http://u:one@h/a", "http://u:two@h/b"),
        ("not-comparable.html", "a", "http://h/ "),
    ] {
        is_as_recorded(name, &renderer.comparison(first, second));
    }
}

#[test]
fn urls_in_text_are_as_recorded() {
    let text =
        "See <http://a.example/x>, www.b.example and\n(ftp://u:p@c.example/), not http://d.example/%zz.";
    is_as_recorded("found.html", &Renderer::new().links("#u=").found(text));
}

#[test]
fn a_page_is_as_recorded() {
    let main = Renderer::new().plan("gopher://h/1");
    is_as_recorded("page.html", &Renderer::page("The plan of <gopher://h/1>", "/style.css", &main));
}
