//! What a row of `spec/coverage.md` names: a case of `testdata`, which must state a result, or a test of a Rust
//! file, which must run and assert something.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use toml::Table;

/// The keys that state the result of a case, by the beginning of its file. A case of another file states one by
/// its keys or by their absence: without `findings` there are none.
const RESULTS: [(&str, &[&str]); 13] = [
    ("parse/", &["valid"]),
    ("resolve/", &["result", "error", "current_document"]),
    ("base/", &["base", "layers"]),
    ("find/", &["links", "anchors", "malformed"]),
    ("edit/", &["result", "error"]),
    ("file/", &["path", "path_octets", "error"]),
    ("scheme/", &["parts", "malformed"]),
    ("dialog/", &["plan", "octets", "hex", "error"]),
    ("fetch/", &["entries", "url", "body", "failure", "go_on", "results"]),
    ("text/", &["text"]),
    ("iri", &["uri", "as_iri"]),
    ("command/", &["exit"]),
    ("links/", &["links", "next"]),
];

/// The cases of the files of `testdata`, by the file's path without `.toml`, and Rust files.
pub(crate) struct Named {
    root: PathBuf,
    cases: HashMap<String, Option<Vec<Table>>>,
    sources: HashMap<String, String>,
}

impl Named {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root, cases: HashMap::new(), sources: HashMap::new() }
    }

    /// Returns what is wrong with a reference: `FILE: NAME` for a case, `PATH: FUNCTION` for a test.
    pub(crate) fn fault(&mut self, reference: &str) -> Option<String> {
        let Some((file, name)) = reference.split_once(": ") else {
            return Some(format!("{reference:?} names no case"));
        };
        let fault = if file.ends_with(".rs") {
            self.fault_of_test(file, name)
        } else {
            self.fault_of_case(file, name)
        };
        fault.map(|fault| format!("{reference:?} {fault}"))
    }

    fn fault_of_test(&mut self, file: &str, name: &str) -> Option<&'static str> {
        let path = self.root.join(file);
        let source = self
            .sources
            .entry(file.to_owned())
            .or_insert_with(|| std::fs::read_to_string(path).unwrap_or_default());
        let Some(at) = source.find(&format!("fn {name}(")) else { return Some("does not exist") };
        let before = source[..at].rsplit("\n\n").next().unwrap_or_default();
        if !before.contains("test]") && !before.contains("test(") {
            return Some("is not a test");
        }
        if before.contains("#[ignore") {
            return Some("is ignored");
        }
        (!asserts(source, name)).then_some("asserts nothing")
    }

    fn fault_of_case(&mut self, file: &str, name: &str) -> Option<&'static str> {
        let (root, folder) = (self.root.join("testdata"), file.split('/').next().unwrap_or_default());
        let cases = self.cases.entry(file.to_owned()).or_insert_with(|| {
            let read = |path: PathBuf| -> Option<Vec<Table>> {
                let text = std::fs::read_to_string(path).ok()?;
                let mut table: Table =
                    toml::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
                table.remove("case")?.try_into().ok()
            };
            let own = read(root.join(format!("{file}.toml")));
            let shared = read(root.join(folder).join("shared.toml"));
            Some(own.into_iter().chain(shared).flatten().collect())
        });
        let edition = file.split('/').next_back().unwrap_or_default();
        let is_text = |value: &toml::Value| match value {
            toml::Value::Array(names) => names.iter().any(|one| one.as_str() == Some(name)),
            value => value.as_str() == Some(name),
        };
        let is_named = |case: &&Table| {
            let shared = case.get("names").and_then(|names| names.get(edition));
            shared.or(case.get("name")).or(case.get("title")).is_some_and(is_text)
        };
        let mut named = cases.iter().flatten().filter(is_named);
        let Some(case) = named.next() else { return Some("does not exist") };
        if named.next().is_some() {
            return Some("names two cases");
        }
        let results = RESULTS.iter().find(|(begin, _)| file.starts_with(begin)).map(|(_, keys)| *keys);
        let states = |keys: &[&str]| keys.iter().any(|key| case.contains_key(*key));
        results.is_some_and(|keys| !states(keys)).then_some("states no result")
    }
}

/// Whether a function of a file asserts something, itself or by functions of the file that it calls.
fn asserts(source: &str, name: &str) -> bool {
    let mut seen = HashSet::from([name.to_owned()]);
    let mut pending = vec![name.to_owned()];
    while let Some(name) = pending.pop() {
        let Some(at) = source.find(&format!("fn {name}")) else { continue };
        let body = body(&source[at..]);
        if body.contains("assert") || body.contains("panic!") {
            return true;
        }
        let words = body.split(|c: char| !c.is_alphanumeric() && c != '_').skip(2);
        let called = words.filter(|word| !word.is_empty() && source.contains(&format!("fn {word}")));
        for word in called {
            if seen.insert(word.to_owned()) {
                pending.push(word.to_owned());
            }
        }
    }
    false
}

/// The text of a function, from its name to the brace that closes it.
fn body(text: &str) -> &str {
    let mut depth = 0_usize;
    for (at, octet) in text.bytes().enumerate() {
        match octet {
            b'{' => depth += 1,
            b'}' if depth == 1 => return &text[..at],
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    text
}

#[test]
fn faults_are_found() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut named = Named::new(root);
    let mut fault = |reference: &str| named.fault(reference).unwrap_or_default();
    assert_eq!(fault("crates/locator-dev/tests/it/coverage/named.rs: faults_are_found"), "");
    assert!(fault("crates/locator-dev/tests/it/coverage/named.rs: body").ends_with("is not a test"));
    assert!(fault("crates/locator-dev/tests/it/coverage/named.rs: nothing").ends_with("does not exist"));
    assert_eq!(fault("parse/rfc3986: 3 foo"), "");
    assert!(fault("parse/rfc3986: 3 fo").ends_with("does not exist"));
    assert!(fault("parse/rfc0: 3 foo").ends_with("does not exist"));
    assert!(fault("3 foo").ends_with("names no case"));
    let source = "#[test]\nfn one() { let x = { 1 }; two(x) }\nfn two(_: u8) {}\nfn three() { four() }\nfn four() { assert!(true) }";
    assert!(!asserts(source, "one") && asserts(source, "three"));
}
