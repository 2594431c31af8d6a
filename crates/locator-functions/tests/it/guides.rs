//! The pages on tables and engines: the functions that they name are in the list, and their answers are true.

use locator::edition::RFC3986;
use locator_functions::{Answer, ArgumentValue, Row, function};

const ENGINES: &str = include_str!("../../../../docs/engines.md");
const DATA: &str = include_str!("../../../../docs/data.md");

/// The cells of a line of a table in Markdown, without the spaces around them.
fn cells(line: &str) -> Option<Vec<&str>> {
    let cells = line.strip_prefix('|')?.strip_suffix('|')?.split(" | ");
    Some(cells.map(str::trim).collect())
}

/// Returns an answer as the page shows it.
fn shown(answer: &Answer<'_>) -> String {
    match answer {
        Answer::Null => "NULL".to_owned(),
        Answer::Text(text) if text.is_empty() => "''".to_owned(),
        answer => format!("`{}`", answer.cell()),
    }
}

#[test]
fn our_answers_beside_those_of_engines_are_true() {
    let mut rows = 0;
    for cells in ENGINES.lines().filter_map(cells) {
        let [class, _, url, ours, ..] = cells[..] else { continue };
        let Some((kind, _)) = class.split_once(": ") else { continue };
        let (name, given) = match kind {
            "param" => ("query_param", vec![ArgumentValue::Text("q")]),
            part => (part, vec![]),
        };
        let function = function(&format!("uri_{name}")).unwrap();
        let row = Row::new(url.trim_matches('`'), &RFC3986);
        let answer = function.answer(&row, &function.arguments(&given).unwrap());
        assert_eq!(shown(&answer), ours, "{class}");
        rows += 1;
    }
    assert!(rows > 40, "{rows}");
}

#[test]
fn functions_that_are_named_are_in_the_list() {
    let names = [ENGINES, DATA]
        .into_iter()
        .flat_map(|page| page.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    let names: Vec<_> = names.filter(|name| name.starts_with("uri_") && *name != "uri_").collect();
    assert!(names.len() > 20);
    for name in names {
        assert!(function(name).is_some(), "{name}");
    }
}
