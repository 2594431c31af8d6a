//! Every verb that takes a part takes every part of the list, by each of its names, and answers alike.

use locator::edition::RFC3986;
use locator_functions::{Access, PARTS, Part, PartKey, Row, Selection, function};
use serde_json::Value;

use crate::runner;

const URL: &str = "https://jan;x=y:pw@www.example.co.uk:8443/a/b%20c.tar.gz?q=1&page=2#top";

fn named(part: &Part, name: &str) -> String {
    match part.key() {
        None => name.to_owned(),
        Some(PartKey::Name) => format!("{name}:page"),
        Some(_) => format!("{name}:-1"),
    }
}

/// Each part by each of its names.
fn names() -> Vec<(&'static Part, String)> {
    let all = |part: &'static Part| part.aliases().iter().copied().chain([part.name()]);
    PARTS.iter().flat_map(|part| all(part).map(move |name| (part, named(part, name)))).collect()
}

fn output(arguments: &[&str], stdin: &str) -> String {
    let output = runner::run(&mut runner::locator(arguments), stdin.as_bytes().to_vec());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).expect("the command prints UTF-8")
}

/// What the list says that a part is, as text.
fn expected(name: &str) -> String {
    let row = Row::new(URL, &RFC3986);
    Selection::parse(name).expect("it is a part").answer(&row).cell().to_string()
}

#[test]
fn edit_prints_every_part() {
    let names = names();
    // A parameter is printed decoded, everything else as it is given.
    let slot = |(part, name): &(&Part, String)| match part.access() {
        Access::Pair => format!("{{{name}}}"),
        _ => format!("[{name}]"),
    };
    let format: Vec<_> = names.iter().map(slot).collect();
    let printed = output(&["edit", "-g", &format.join("\\n"), URL], "");
    let printed: Vec<_> = printed.lines().collect();
    assert_eq!(printed.len(), names.len());
    for ((_, name), printed) in names.iter().zip(printed) {
        assert_eq!(printed, expected(name), "{name}");
    }
}

#[test]
fn read_has_a_column_of_every_part() {
    let names = names();
    let columns: Vec<_> = names.iter().map(|(_, name)| name.as_str()).collect();
    let printed = output(&["read", "--ndjson", "--columns", &columns.join(","), URL], "");
    let row: Value = serde_json::from_str(&printed).expect("it is an object");
    for name in columns {
        let printed = match &row[name] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        assert_eq!(printed, expected(name), "{name}");
    }
}

#[test]
fn uniq_and_find_count_by_every_part() {
    let row = Row::new(URL, &RFC3986);
    for part in PARTS {
        let name = named(part, part.name());
        let selection = Selection::parse(&name).expect("it is a part");
        let grouped = selection.grouped(&row);
        let grouped = grouped.map_or_else(|| format!("(no {name})"), |text| text.into_owned());
        let counted = if selection.is_whole() { URL } else { &*grouped };
        assert_eq!(
            output(&["uniq", "-c", "--by", &name], &format!("{URL}\n")),
            format!("      1 {counted}\n")
        );
        let found = output(&["find", "--count-by", &name], &format!("{URL}\n"));
        assert_eq!(found, format!("1  {grouped}\n"));
    }
}

#[test]
fn every_part_that_can_be_set_is_set() {
    use locator_functions::Setting;

    for (part, name) in names() {
        let set = match &*name {
            "zoneid" | "zone" | "prefix" => continue,
            name => format!("{name}=1"),
        };
        let run = runner::run(&mut runner::locator(&["edit", "-s", &set, URL]), Vec::new());
        let is_settable = part.setting() == Setting::Allowed;
        // A scheme begins with a letter, and options stand within the userinfo.
        let is_refused = matches!(part.access(), Access::Protocol) || part.name() == "scheme";
        assert_eq!(run.status.code() == Some(0), is_settable && !is_refused, "{name}");
        let error = String::from_utf8_lossy(&run.stderr);
        assert!(is_settable || error.contains("cannot be set"), "{name}: {error}");
    }
}

#[test]
fn sql_and_python_name_every_part() {
    for part in PARTS {
        let called = part.sql();
        let (called, _) = called.split_once('(').expect("it is a call");
        assert!(function(called).is_some(), "{called}");
        let called = part.python();
        let (called, _) = called.split_once('(').expect("it is a call");
        assert!(function(&format!("uri_{called}")).is_some(), "{called}");
    }
}
