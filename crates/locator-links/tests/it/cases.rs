//! The cases of `testdata/links`.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;

use locator::UriBuf;
use locator_dev::cases;
use locator_find::{Document, Finder, Format};
use locator_links::judge::{Method, Reply, ReplyKind, RequestFailure, Response};
use locator_links::judge::{NextStep, judge};
use locator_links::{Code, DocumentName, FileChecker, LinkRules, LinkTarget, Robots, Site};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    name: String,
    method: String,
    status: Option<u16>,
    location: Option<String>,
    failure: Option<String>,
    #[serde(default)]
    http2: bool,
    #[serde(default)]
    challenge: bool,
    /// Whether the server says for how long to wait.
    #[serde(default)]
    waits: bool,
    next: String,
}

impl Answer {
    fn reply(&self) -> Reply {
        let kind = match (self.status, &self.failure) {
            (Some(status), None) => ReplyKind::Response(Response {
                status,
                location: self.location.clone(),
                is_http2: self.http2,
                is_challenge: self.challenge,
                ..Response::default()
            }),
            (None, Some(code)) => ReplyKind::Failed(RequestFailure {
                code: Code::from_name(code).unwrap(),
                text: String::new(),
            }),
            _ => panic!("{}: either a status or a failure", self.name),
        };
        let waits = self.waits.then_some(std::time::Duration::from_secs(5));
        Reply { kind, waits, ..Reply::default() }
    }
}

const METHODS: [(&str, Method); 3] =
    [("head", Method::Head), ("get", Method::Get), ("get by HTTP/1.1", Method::GetHttp1)];

fn written(next: &NextStep) -> String {
    match next {
        NextStep::Final(code) => code.to_string(),
        NextStep::Later(code) => format!("later {code}"),
        NextStep::Wait(code) => format!("wait {code}"),
        NextStep::Redirect(to) => format!("redirect {to}"),
        NextStep::Ask(method) => {
            format!("ask {}", METHODS.iter().find(|(_, one)| one == method).unwrap().0)
        }
    }
}

#[test]
fn answers() {
    for case in cases::read::<Answer>("links/judge.toml") {
        let (_, method) = METHODS.into_iter().find(|(name, _)| *name == case.method).unwrap();
        assert_eq!(written(&judge(method, &case.reply())), case.next, "{}", case.name);
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tree {
    name: String,
    files: BTreeMap<String, String>,
    #[serde(default)]
    root: bool,
    #[serde(default)]
    code: bool,
    /// The links of the file `a.…`, in whatever directory, each with the code of its verdict and the suggestion, after which "!" says
    /// that nothing else can be meant.
    links: BTreeMap<String, String>,
}

/// Judges the links of the file `a.…`.
fn judged(case: &Tree) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let folder_path = folder.path().canonicalize().unwrap();
    for (name, content) in &case.files {
        let path = folder_path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let rules = LinkRules {
        root: case.root.then(|| folder_path.clone()),
        includes_code: case.code,
        keeps_all: true,
        is_offline: true,
        reads_configurations: true,
        named: vec![folder_path.clone()],
        ..LinkRules::default()
    };
    let (site, finder) = (Site::new(rules, None), Finder::new());
    let mut file_checker = FileChecker::new(&site, &finder);
    let mut first: Option<(usize, locator_links::Page)> = None;
    for (name, content) in &case.files {
        let path = folder_path.join(name);
        let Some(format) = Format::of(&path, content.as_bytes()) else { continue };
        let url = UriBuf::from_file_path(&path).unwrap();
        let document = Document::new(format).retrieved_by(url.as_str());
        let named = DocumentName { name: name.clone(), path: Some(&path), is_own: false };
        let read = site.read(&finder, &document, named, &mut Cursor::new(content)).unwrap();
        file_checker.add(&read.page, read.anchors);
        let is_a = path.file_stem().is_some_and(|stem| stem == "a");
        if is_a && first.as_ref().is_none_or(|(length, _)| name.len() < *length) {
            first = Some((name.len(), read.page));
        }
    }
    let (_, page) = first.unwrap();
    let judged = page.links.iter().map(|link| {
        let verdict = match &link.target {
            LinkTarget::Known(verdict) => (**verdict).clone(),
            LinkTarget::File(file) => file_checker.verdict(&page, link, *file),
            LinkTarget::Site(target) => file_checker.site_verdict(&page, link, target),
            LinkTarget::Forge { file, is_other_branch } => {
                let verdict = file_checker.forge_verdict(&page, link, *file);
                if *is_other_branch { verdict.of_other_branch() } else { verdict }
            }
            LinkTarget::Url(_) => panic!("{}: it is offline", case.name),
        };
        let sign = if verdict.is_sure { '!' } else { '?' };
        let near = verdict.suggestion.map(|near| format!(", {near}{sign}")).unwrap_or_default();
        (page.url(link).to_owned(), format!("{}{near}", verdict.code))
    });
    judged.collect()
}

#[test]
#[cfg(unix)]
fn what_has_no_end_is_not_read() {
    let case = Tree {
        name: "a device".to_owned(),
        files: [("a.md".to_owned(), format!("[x]({}dev/zero#x)", "../".repeat(40)))].into(),
        root: false,
        code: false,
        links: BTreeMap::new(),
    };
    assert_eq!(judged(&case).into_values().collect::<Vec<_>>(), ["unread-anchor"]);
}

#[test]
fn files() {
    let mut wrong = Vec::new();
    let read = ["links/files.toml", "links/generators.toml", "links/moved.toml", "links/texts.toml"]
        .map(cases::read::<Tree>);
    for case in read.into_iter().flatten() {
        let judged = judged(&case);
        let urls: std::collections::BTreeSet<_> = judged.keys().chain(case.links.keys()).collect();
        let differ = urls.into_iter().filter(|url| judged.get(*url) != case.links.get(*url));
        wrong.extend(differ.map(|url| (case.name.clone(), url.clone(), judged.get(url).cloned())));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Allowed {
    name: String,
    section: String,
    #[serde(default = "own_product")]
    product: String,
    robots: String,
    #[serde(default)]
    allowed: Vec<String>,
    #[serde(default)]
    denied: Vec<String>,
}

fn own_product() -> String {
    "locator".to_owned()
}

#[test]
fn robots() {
    for case in cases::read::<Allowed>("links/robots.toml") {
        let robots = Robots::parse(case.robots.as_bytes(), &case.product);
        let all = case.allowed.iter().map(|path| (path, true));
        for (path, expected) in all.chain(case.denied.iter().map(|path| (path, false))) {
            let allowed = robots.allows(&format!("https://h.example:8443{path}"));
            assert_eq!(allowed, expected, "{} (RFC 9309, {}): {path}", case.name, case.section);
        }
    }
    assert!(!Robots::allow_none().allows("https://h.example"));
    assert!(Robots::allow_none().allows("https://h.example/robots.txt"));
    assert!(Robots::allow_all().allows("https://h.example/a"));
}

/// Returns all texts of these letters that have at most so many.
fn texts(letters: &str, most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..most {
        last = last
            .iter()
            .flat_map(|text| letters.chars().map(move |letter| format!("{text}{letter}")))
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// Returns whether a path begins with a pattern, by trying everything (RFC 9309, 2.2.3).
fn begins_with(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => true,
        [b'$'] => path.is_empty(),
        [b'*', rest @ ..] => (0..=path.len()).any(|from| begins_with(rest, &path[from..])),
        [first, rest @ ..] => path.first() == Some(first) && begins_with(rest, &path[1..]),
    }
}

#[test]
fn every_short_pattern_matches_what_it_describes() {
    let paths = texts("/a.", 5).into_iter().filter(|path| path.starts_with('/')).collect::<Vec<_>>();
    for pattern in texts("/a*$", 5) {
        // "$" has a meaning at the end only; there is none in the paths.
        let robots = Robots::parse(format!("User-agent: *\nDisallow: {pattern}\n").as_bytes(), "locator");
        for path in &paths {
            let is_denied = !pattern.is_empty() && begins_with(pattern.as_bytes(), path.as_bytes());
            assert_eq!(
                !robots.allows(&format!("https://h.example{path}")),
                is_denied,
                "{pattern} and {path}"
            );
        }
    }
}
