//! The tables of `docs/url-standard.md`: what RFC 3986, the URL Standard and some programs read in the
//! same text. `UPDATE=1` writes them again.

use std::path::Path;

use locator::{Base, Uri, UriRef, uri};
use locator_audit::{Contact, readers};
use locator_whatwg::Url;

const BASE: Uri<'static> = uri!("https://base.example/d/p");

/// The programs of the last column, by their names in the audit.
const PROGRAMS: [(&str, &str); 3] = [("curl", "curl"), ("go", "Go"), ("python-requests", "requests")];

/// Returns the text of the first cell of a row.
fn text_of(row: &str) -> Option<String> {
    let cell = row.strip_prefix("| `")?.split("` |").next()?;
    Some(cell.replace("\\|", "|").replace('␉', "\t"))
}

/// Writes a text as code in a cell.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|").replace('\t', "␉"))
}

/// Returns the sentence of an error, without its place and its rule.
fn refused(error: &impl std::fmt::Display) -> String {
    let text = error.to_string();
    let sentence = text.split(", at byte").next().unwrap_or(&text);
    format!("refuses it: {}", sentence.replace('|', "\\|"))
}

fn by_rfc3986(text: &str, has_base: bool) -> String {
    let reference = match UriRef::parse(text) {
        Ok(reference) => reference,
        Err(error) => return refused(&error),
    };
    let joined = Base::new(BASE).expect("it has a scheme").join(text).expect("it is valid");
    let reference = if has_base { joined.as_uri().as_uri_ref() } else { reference };
    if reference.scheme().is_none() {
        return format!("a reference; host {}", code(reference.host_str().unwrap_or_default()));
    }
    let shown = |name, text: Option<&str>| match text {
        None => format!("no {name}"),
        Some("") => format!("empty {name}"),
        Some(text) => format!("{name} {}", code(text)),
    };
    let host = shown("host", reference.host().map(|host| host.as_str()));
    let port = reference.port().map(|port| ", ".to_owned() + &shown("port", Some(port.as_str())));
    let path = reference.path().as_str();
    let path = if path.is_empty() { String::new() } else { format!(", path {}", code(path)) };
    host + &port.unwrap_or_default() + &path
}

fn by_url_standard(text: &str, has_base: bool) -> String {
    let url = match has_base {
        true => Url::parse(BASE.as_str()).and_then(|base| base.join(text)),
        false => Url::parse(text),
    };
    url.map_or_else(|error| refused(&error), |url| code(url.as_str()))
}

fn contacted(text: &str) -> String {
    let base = Contact::from_uri(BASE).expect("it has a host");
    // Programs that contact the same host are named together.
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for (name, title) in PROGRAMS {
        let reader = readers().find(|reader| reader.name() == name).expect("a reader of the audit");
        let outcome = reader.read(text, &base);
        let host = outcome.contact().map_or("nothing".to_owned(), |to| code(&to.host().to_string()));
        match groups.iter_mut().find(|(other, _)| *other == host) {
            Some((_, titles)) => titles.push(title),
            None => groups.push((host, vec![title])),
        }
    }
    let groups: Vec<_> =
        groups.iter().map(|(host, titles)| format!("{}: {host}", titles.join(", "))).collect();
    groups.join("; ")
}

#[test]
fn the_tables_of_the_url_standard_are_true() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/url-standard.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (mut written, mut rows, mut has_base, mut is_table) = (String::new(), 0, false, false);
    for line in page.lines() {
        if line.starts_with('#') {
            has_base = line.contains("With the base");
            is_table = false;
        }
        is_table |= line == "| text | RFC 3986 | URL Standard | programs contact |";
        match text_of(line).filter(|_| is_table) {
            Some(text) => {
                rows += 1;
                let (rfc, standard) = (by_rfc3986(&text, has_base), by_url_standard(&text, has_base));
                let row = [code(&text), rfc, standard, contacted(&text)].join(" | ");
                written += &format!("| {row} |\n");
            }
            None => written += &format!("{line}\n"),
        }
    }
    assert!(rows > 40, "{rows} rows");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &written).expect("the page is written");
    }
    let wrong = page.lines().zip(written.lines()).find(|(was, is)| was != is);
    assert_eq!(wrong, None, "UPDATE=1 writes the page");
}
