//! The cases of `testdata/file`, and what holds for every path and every file URI.

use locator::scheme::file::{PathError, Platform};
use locator::{Component, Level, UriRef, edition};
use locator_dev::cases;
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(rename = "section")]
    _section: Option<String>,
    edition: Option<String>,
    path: Option<String>,
    path_octets: Option<Vec<u8>>,
    uri: Option<String>,
    only: Option<String>,
    #[serde(default)]
    directory: bool,
    error: Option<String>,
    at: Option<usize>,
    part: Option<String>,
}

#[test]
fn every_case_is_converted_as_stated() {
    let (mut count, mut wrong) = (0, Vec::new());
    for (name, platform) in
        [("posix", Platform::Posix), ("windows", Platform::Windows), ("vms", Platform::Vms)]
    {
        for case in cases(name) {
            count += 1;
            wrong.extend(run(&case, platform).err().map(|why| format!("{name}: {}: {why}", case.name)));
        }
    }
    assert!(count > 80, "the cases are not whole: {count}");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

fn cases(name: &str) -> Vec<Case> {
    cases::read(&format!("file/{name}.toml"))
}

fn run(case: &Case, platform: Platform) -> Result<(), String> {
    let path = case.path_octets.clone().or_else(|| case.path.clone().map(String::into_bytes));
    let edition = edition::from_name(case.edition.as_deref().unwrap_or("rfc3986")).expect("an edition");
    let uri =
        case.uri.as_deref().map(|uri| UriRef::parse_with(uri, edition).expect("the URI of a case is valid"));
    if let (Some(path), true) = (&path, case.only.as_deref() != Some("to-path")) {
        let found = if case.directory { platform.to_directory_uri(path) } else { platform.to_uri(path) };
        let found = found.map(|uri| uri.into_string().into_bytes());
        agrees(case, found, uri.map(|uri| uri.as_str().as_bytes().to_vec()))?;
    }
    match (uri, case.only.as_deref()) {
        (Some(uri), only) if only != Some("to-uri") => agrees(case, platform.to_path(uri), path),
        _ => Ok(()),
    }
}

fn agrees(case: &Case, found: Result<Vec<u8>, PathError>, stated: Option<Vec<u8>>) -> Result<(), String> {
    let shown = |octets: &[u8]| octets.escape_ascii().to_string();
    match (found, &case.error) {
        (Ok(found), None) if Some(&found) == stated.as_ref() => Ok(()),
        (Err(error), Some(stated))
            if error.name() == stated && place(error) == (case.at, case.part.clone()) =>
        {
            Ok(())
        }
        (Ok(found), _) => Err(format!("found {}", shown(&found))),
        (Err(error), _) => Err(format!("found {error:?}: {error}")),
    }
}

fn place(error: PathError) -> (Option<usize>, Option<String>) {
    match error {
        PathError::Nul { at }
        | PathError::Dots { at }
        | PathError::Server { at }
        | PathError::NotText { at }
        | PathError::DeviceName { at }
        | PathError::NameByte { at, .. }
        | PathError::NameEnd { at, .. }
        | PathError::Pipe { at }
        | PathError::Delimiter { at, .. } => (Some(at), None),
        PathError::Component { component: part } => (None, Some(part.name().to_owned())),
        _ => (None, None),
    }
}

/// Octets that are paths, or nearly.
fn path() -> impl Strategy<Value = Vec<u8>> {
    let start = prop_oneof![
        4 => "/|//|",
        4 => "[cC]:[\\\\/]|\\\\\\\\(srv|a@b|é|\\.|\\?|localhost)[\\\\/]|\\\\|[A-Z]:",
    ];
    let start = start.prop_map(String::into_bytes);
    let piece = prop_oneof![
        4 => Just(b"/".to_vec()),
        2 => Just(b"\\".to_vec()),
        2 => "[a-c.]{1,3}".prop_map(String::into_bytes),
        2 => "[%?#:|é \\[2eEF]{1,3}".prop_map(String::into_bytes),
        1 => any::<u8>().prop_map(|octet| vec![octet]),
    ];
    let rest = prop::collection::vec(piece, 0..9).prop_map(|pieces| pieces.concat());
    (start, rest).prop_map(|(start, rest)| [start, rest].concat())
}

/// File URIs, or nearly.
fn uri() -> impl Strategy<Value = String> {
    let start = "(file|FILE)://?(localhost|LOCALhost|srv|%3[fF]|\\.|a%5Cb|\\[::1\\]|h:1|u@h)?/{0,4}";
    let piece = "/|[a-c.]{1,3}|[cC](:|%3A|%7C)/|%2[eEfF5]|%5[cC]|%[0-9a-fA-F]{2}|[:;=+~]|[?#]";
    let rest = prop::collection::vec(piece, 0..9).prop_map(|pieces| pieces.concat());
    (start, rest).prop_map(|(start, rest)| format!("{start}{rest}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    /// A path that has a URI is had back from it, octet for octet but for the kind of slash.
    #[test]
    fn a_path_is_had_back(path in path()) {
        for platform in [Platform::Posix, Platform::Windows] {
            let Ok(uri) = platform.to_uri(&path) else { continue };
            let mut same = path.clone();
            if platform == Platform::Windows {
                same.iter_mut().filter(|octet| **octet == b'/').for_each(|octet| *octet = b'\\');
            }
            prop_assert_eq!(platform.to_path(&uri), Ok(same), "{}", uri);
            // It is in normal form, so no program that normalises makes another name of it.
            prop_assert!(uri.as_uri().normalize(Level::Syntax).is_borrowed() || has_capital_host(&uri), "{}", uri);
            let directory = platform.to_directory_uri(&path).expect("it is a path");
            prop_assert_eq!(directory.as_str().trim_end_matches('/'), uri.as_str().trim_end_matches('/'));
            prop_assert!(directory.as_str().ends_with('/'));
        }
    }

    /// What a URI is converted to is converted to a URI that means the same.
    #[test]
    fn a_uri_is_had_back(uri in uri()) {
        let Ok(uri) = UriRef::parse(&uri) else { return Ok(()) };
        for platform in [Platform::Posix, Platform::Windows] {
            let Ok(path) = platform.to_path(uri) else { continue };
            let back = platform.to_uri(&path).unwrap_or_else(|error| panic!("{uri}: {error}"));
            prop_assert_eq!(platform.to_path(&back), Ok(path), "{} became {}", uri, back);
            let slashes = |text: &str| text.bytes().filter(|&octet| octet == b'/').count();
            let ends = |part: &str| part.ends_with('/');
            let (given, made) = (uri.path().as_str(), back.as_uri().path().as_str());
            prop_assert!(ends(given) == ends(made) || given.len() <= 5, "{} became {}", uri, back);
            prop_assert!(slashes(given) <= slashes(made) + 3);
        }
    }
}

/// A host is had in lower case by normalising.
fn has_capital_host(uri: &locator::UriBuf) -> bool {
    let host = uri.as_uri().component(Component::Host).unwrap_or_default();
    host.bytes().any(|octet| octet.is_ascii_uppercase())
}

/// A megabyte of anything is converted in time that grows with its length.
#[test]
fn a_megabyte_of_anything_is_linear() {
    for piece in ["a", "/", "\\", "%", "é", "..", " "] {
        let path = format!("/{}", piece.repeat((1 << 20) / piece.len()));
        if let Ok(uri) = Platform::Posix.to_uri(&path) {
            assert_eq!(Platform::Posix.to_path(&uri), Ok(path.into_bytes()));
        }
    }
}
