//! The cases of `testdata/edit`, and what holds for every change.

mod laws;

use laws::{Change, obeys};
use locator::{BuildError, Component, Edit, HostKind, SpaceEncoding, UriRef, Value, edition};
use locator_dev::cases;
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    edition: Option<String>,
    given: String,
    /// A verb, what it is done to, a value.
    changes: Vec<Vec<String>>,
    result: Option<String>,
    error: Option<String>,
}

impl Case {
    fn found(&self) -> String {
        let edition = edition::from_name(self.edition.as_deref().unwrap_or("rfc3986")).expect("an edition");
        let reference = UriRef::parse_with(&self.given, edition);
        let mut edit = reference.unwrap_or_else(|error| panic!("{}: {error}", self.name)).edit();
        for change in &self.changes {
            let words: Vec<_> = change.iter().map(String::as_str).collect();
            if let Err(error) = make(&mut edit, &words) {
                return format!("error {error}");
            }
        }
        match edit.finish() {
            Ok(result) => result.into_string(),
            Err(error) => format!("error {error}"),
        }
    }
}

fn make(edit: &mut Edit<'_>, words: &[&str]) -> Result<(), BuildError> {
    let index = |text: &str| text.parse().expect("an index");
    match *words {
        ["set", name, value] => edit.set(part(name), Value::Text(value)).map(drop),
        ["set-raw", name, value] => edit.set(part(name), Value::Encoded(value)).map(drop),
        ["remove", name] => edit.remove(part(name)).map(drop),
        ["user", value] => edit.set_user(value).map(drop),
        ["password", value] => edit.set_password(value).map(drop),
        ["remove-password"] => edit.set_password(None).map(drop),
        ["append", value] => edit.append_segment(value).map(drop),
        ["append-raw", value] => edit.append_segment(Value::Encoded(value)).map(drop),
        ["append-all", ref values @ ..] => edit.append_segments(values.iter().copied()).map(drop),
        ["replace", at, value] => edit.replace_segment(index(at), value).map(drop),
        ["insert", at, value] => edit.insert_segment(index(at), value).map(drop),
        ["remove-segment", at] => edit.remove_segment(index(at)).map(drop),
        ["pair", name, value] => edit.append_pair(name, value).map(drop),
        ["pair-raw", name, value] => edit.append_pair(Value::Encoded(name), Value::Encoded(value)).map(drop),
        ["flag", name] => edit.append_flag(name).map(drop),
        ["set-pair", name, value] => edit.set_pair(name, value).map(drop),
        ["replace-pair", at, name, value] => {
            edit.replace_nth_pair(name, index(at), Some(value.into())).map(drop)
        }
        ["remove-pairs", pattern] => {
            edit.remove_pairs(pattern);
            Ok(())
        }
        ["sort"] => {
            edit.sort_pairs();
            Ok(())
        }
        ["plus"] => {
            edit.spaces(SpaceEncoding::Plus);
            Ok(())
        }
        _ => panic!("{words:?} is no change"),
    }
}

fn part(name: &str) -> Component {
    let mut parts = [Component::Reference].into_iter().chain(Component::ALL);
    parts.find(|part| part.name() == name).unwrap_or_else(|| panic!("{name} is no part"))
}

#[test]
fn every_case_is_edited_as_stated() {
    let mut count = 0;
    let mut differences = Vec::new();
    for (_, cases) in cases::files::<Case>("edit") {
        for case in cases {
            count += 1;
            let stated = match (&case.result, &case.error) {
                (Some(result), None) => result.clone(),
                (None, Some(error)) => format!("error {error}"),
                _ => panic!("{}: either result or error is stated", case.name),
            };
            let found = case.found();
            if found != stated {
                differences.push(format!("{}: {found}\n    and not {stated}", case.name));
            }
        }
    }
    assert!(count >= 100, "the corpus is not whole: {count} cases");
    assert!(differences.is_empty(), "{} of {count}:\n{}", differences.len(), differences.join("\n"));
}

/// References with something of everything.
fn text() -> impl Strategy<Value = String> {
    let start = "(http:|x:|URL:|url:x:|ftp:|urn:|)";
    let authority =
        "|//([a%40.:]{0,3}@)?(h|a.b|a_b|10\\.0\\.0\\.1|\\[::1\\]|)(:[0-9]{0,3})?|//[a-z:@.;%41]{0,5}";
    let path = "[/a:.;~%41]{0,8}|(/[ab.]{0,2}){0,4}|[ab](/[ab]?){0,3}";
    let query = "|\\?[a&=+%41*]{0,10}";
    let fragment = "|#[a%41]{0,2}";
    (start, authority, path, query, fragment).prop_map(|(start, authority, path, query, fragment)| {
        [start, authority, path, query, fragment].concat()
    })
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-z0-9/:@?#%&=+;.\\[\\] *]{0,5}",
        2 => "[a-z]{1,3}",
        1 => "[0-9]{0,3}",
        1 => "(http|URL|::1|\\[::1\\]|\\[v1.a\\]|a\\.b|a_b|10\\.0\\.0\\.1|URL:|//a|/b//c|a:b|\\.\\.|%41|%C3%A9|é)",
        1 => "\\PC{0,3}",
    ]
}

/// Sets a component of one reference on another, as its view.
fn take(part: Component, from: UriRef<'_>, edit: &mut Edit<'_>) -> Result<(), BuildError> {
    let login = from.authority();
    match part {
        Component::Scheme => from.scheme().map(|scheme| edit.set_scheme(scheme).map(drop)),
        Component::Authority => login.map(|authority| edit.set(part, authority).map(drop)),
        Component::Userinfo => from.userinfo().map(|userinfo| edit.set(part, userinfo).map(drop)),
        Component::Host => from.host().map(|host| edit.set_host(host).map(drop)),
        Component::Port => from.port().map(|port| edit.set(part, port).map(drop)),
        Component::Path => Some(edit.set_path(from.path()).map(drop)),
        Component::Query => Some(match from.query() {
            Some(query) => edit.set_query(query).map(drop),
            None => edit.set_query(None).map(drop),
        }),
        Component::Fragment => Some(match from.fragment() {
            Some(fragment) => edit.set_fragment(fragment).map(drop),
            None => edit.set_fragment(None).map(drop),
        }),
        _ => None,
    }
    .unwrap_or(Ok(()))
}

/// A component taken from one reference and set on another keeps its bytes; set on its own, it
/// changes nothing.
fn keeps_bytes(from: UriRef<'_>, to: UriRef<'_>) {
    let is_registered = from.spans().host_kind() == HostKind::Registry;
    for part in Component::ALL {
        let (mut same, mut edit) = (from.edit(), to.edit());
        if !(is_registered && part == Component::Host) {
            take(part, from, &mut same).unwrap_or_else(|error| panic!("{part:?} of {from}: {error}"));
            assert_eq!(same.finish().as_ref().map(|same| same.as_str()), Ok(from.as_str()), "{part:?}");
        }
        let Ok(built) = take(part, from, &mut edit).and_then(|()| edit.finish()) else { continue };
        match (part, from.component(part)) {
            (Component::Path, Some(path)) => {
                let shield = built.path().as_str().strip_suffix(path);
                assert!(matches!(shield, Some("" | "/" | "/." | "./")), "{part:?} of {from} in {built}");
            }
            (Component::Prefix, _) => {}
            (_, None) if !matches!(part, Component::Query | Component::Fragment) => {}
            (_, taken) => assert_eq!(built.component(part), taken, "{part:?} of {from} in {built}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: std::env::var("CASES").map_or(6_000, |n| n.parse().unwrap()), ..ProptestConfig::default() })]

    #[test]
    fn a_component_of_another_reference_keeps_its_bytes(from in text(), to in text()) {
        for edition in edition::ALL {
            if let (Ok(from), Ok(to)) = (UriRef::parse_const_with(&from, edition), UriRef::parse_const_with(&to, edition)) {
                keeps_bytes(from, to);
            }
        }
    }

    #[test]
    fn changes_keep_the_law(
        text in text(),
        changes in proptest::collection::vec((any::<u8>(), any::<bool>(), value(), value()), 1..5),
    ) {
        let changes: Vec<_> = changes
            .iter()
            .map(|(kind, raw, value, other)| Change { kind: *kind, raw: *raw, value, other })
            .collect();
        for edition in edition::ALL {
            // The fast path and the reference implementation differ on "URL://".
            if let Ok(reference) = UriRef::parse_const_with(&text, edition) {
                obeys(reference, &changes);
            }
        }
    }
}
