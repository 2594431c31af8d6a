//! The page of functions and the table of the specification are made from the list: `UPDATE=1 cargo test
//! -p locator-functions --test it pages` writes them.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use locator_functions::{
    ArgumentValue, Arguments, ENGINES, Engine, FUNCTIONS, Field, Function, PARTS, Parameter, ParameterKind,
    ResultType, Setting,
};

const START: &str = "<!-- made from the list of functions by UPDATE=1 cargo test -p locator-functions -->\n";
const END: &str = "<!-- end -->\n";

#[test]
fn the_page_of_functions_is_that_of_the_list() {
    let sections = FUNCTIONS.iter().map(section).collect::<Vec<_>>();
    is_as_made("docs/functions.md", &format!("{}\n{}", engines(), sections.join("\n")));
}

#[test]
fn the_table_of_the_specification_is_that_of_the_list() {
    let mut table = "| function | arguments | result |\n|---|---|---|\n".to_owned();
    for function in FUNCTIONS {
        let (name, arguments) = (function.name(), arguments(function));
        let cell = if arguments.is_empty() { String::new() } else { format!("`{arguments}`") };
        writeln!(table, "| `{name}` | {cell} | {} |", result(function.result())).unwrap();
    }
    is_as_made("spec/functions.md", &table);
}

#[test]
fn the_page_of_parts_is_that_of_the_list() {
    let mut table =
        "| part | other names | what it is | set by `edit` | SQL | Python |\n|---|---|---|---|---|---|\n"
            .to_owned();
    for part in PARTS {
        let code = |name: &str| format!("`{name}`");
        let ending = part.title().trim_start_matches(part.name()).to_owned();
        let others = part.aliases().iter().map(|alias| code(&format!("{alias}{ending}"))).collect::<Vec<_>>();
        let set = match part.setting() {
            Setting::Allowed => "yes".to_owned(),
            Setting::Derived(Some(instead)) => format!("set {instead}"),
            _ => "no".to_owned(),
        };
        let (title, sql, python) = (code(&part.title()), code(&part.sql()), code(&part.python()));
        let summary = part.summary();
        writeln!(table, "| {title} | {} | {summary} | {set} | {sql} | {python} |", others.join(", "))
            .unwrap();
    }
    is_as_made("docs/parts.md", &table);
}

/// Compares the part of a file between the marks, or writes it.
fn is_as_made(path: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(START).unwrap();
    let (found, after) = rest.split_once(END).unwrap();
    if std::env::var_os("UPDATE").is_some() {
        return std::fs::write(path, format!("{before}{START}\n{made}\n{END}{after}")).unwrap();
    }
    assert_eq!(found.trim(), made.trim(), "{}: run again with UPDATE=1", path.display());
}

/// Returns the table of engines, with the calls of a function that has an optional argument.
fn engines() -> String {
    let mut table =
        "| engine | a call | by another edition | does not have |\n|---|---|---|---|\n".to_owned();
    for engine in ENGINES {
        let [call, by] = match engine.arguments {
            Arguments::Named if engine.name == "command" => ["`normalize`", "`--edition rfc3987`"],
            Arguments::Named if matches!(engine.name, "polars" | "pandas") => {
                [".uri.normalize(level='syntax')", ".uri.normalize(edition='rfc3987')"]
            }
            Arguments::Named => ["normalize(url, level)", "normalize(url, level, edition)"],
            Arguments::Positional => {
                ["uri_normalize(url, 'syntax')", "uri_normalize_by(url, 'syntax', 'rfc3987')"]
            }
            Arguments::Fixed => ["uri_normalize(url)", "uri_normalize_by(url, 'syntax', 'rfc3987')"],
            _ => unreachable!("another way"),
        }
        .map(|code| if code.starts_with('`') { code.to_owned() } else { format!("`{code}`") });
        let lacks = FUNCTIONS.iter().filter(|function| engine.absence(function).is_some());
        let lacks = lacks.map(|function| format!("`{}`", function.name())).collect::<Vec<_>>().join(", ");
        writeln!(table, "| {} | {call} | {by} | {lacks} |", engine.title).unwrap();
    }
    table
}

fn section(function: &Function) -> String {
    let (name, example) = (function.name(), function.example());
    let heading = format!("### {name}\n\n");
    let summary = format!(
        "`{name}({})` returns {}: {}.",
        arguments(function),
        article(function.result()),
        function.summary()
    );
    let mut section = heading + &wrapped(&summary);
    for parameter in function.parameters() {
        if let Some(values) = values(parameter) {
            section += &wrapped(&format!("`{}` is {values}.", parameter.name));
        }
    }
    section += &absences(function);
    let given = example.arguments.iter().map(|given| literal(*given));
    let column = (!function.first().is_empty()).then(|| literal(ArgumentValue::Text(example.input)));
    let call: Vec<_> = column.into_iter().chain(given).collect();
    writeln!(section, "\n```text\n{name}({})\n{}\n```", call.join(", "), folded(example.result)).unwrap();
    section
}

/// Returns a sentence for each replacement, with the engines that need it.
fn absences(function: &Function) -> String {
    let mut engines = BTreeMap::<_, Vec<_>>::new();
    for absence in function.absent() {
        engines.entry(absence.instead).or_default().push(Engine::from_name(absence.engine).unwrap().title);
    }
    let sentence =
        |(instead, titles): (_, Vec<_>)| wrapped(&format!("Not in {}: use `{instead}`.", titles.join("; ")));
    engines.into_iter().map(sentence).collect()
}

/// Returns the arguments as in a signature.
fn arguments(function: &Function) -> String {
    let parameter = |parameter: &Parameter| match parameter.default {
        Some(default) => format!("{} = {}", parameter.name, literal(default)),
        None => parameter.name.to_owned(),
    };
    let first = Some(function.first().to_owned()).filter(|first| !first.is_empty());
    let arguments: Vec<_> = first.into_iter().chain(function.parameters().iter().map(parameter)).collect();
    arguments.join(", ")
}

fn literal(given: ArgumentValue<'_>) -> String {
    match given {
        ArgumentValue::Text(text) => format!("'{}'", text.replace('\'', "''")),
        ArgumentValue::Int(int) => int.to_string(),
    }
}

fn values(parameter: &Parameter) -> Option<String> {
    let words = |words: &[&str]| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>();
    Some(match parameter.kind {
        ParameterKind::Choice(choices) => format!("{}, a constant", words(choices).join(" or ")),
        ParameterKind::Choices(choices) => {
            format!("a constant with commas between: {}", words(choices).join(", "))
        }
        ParameterKind::Patterns => {
            "a constant: names with commas between, in which `*` is any text".to_owned()
        }
        ParameterKind::Part => {
            "a constant: the name of a part, as in [the list of parts](parts.md)".to_owned()
        }
        ParameterKind::Scheme => {
            "a constant: a scheme whose URLs have a host; without it none is added".to_owned()
        }
        _ => return None,
    })
}

fn result(result: ResultType) -> String {
    match result {
        ResultType::Text => "text".to_owned(),
        ResultType::Int => "integer, 32 bits".to_owned(),
        ResultType::BigInt => "integer, 64 bits".to_owned(),
        ResultType::Bool => "true or false".to_owned(),
        ResultType::Hash => "16 bytes".to_owned(),
        ResultType::Texts => "list of texts".to_owned(),
        ResultType::Record(fields) => format!("record: {}", names(fields)),
        ResultType::Records(fields) => format!("list of records: {}", names(fields)),
        _ => unreachable!("another type"),
    }
}

fn article(result: ResultType) -> String {
    let name = self::result(result);
    match result {
        ResultType::Bool | ResultType::Hash => name,
        ResultType::Int | ResultType::BigInt => format!("an {name}"),
        _ => format!("a {name}").replace("record: ", "record of ").replace("records: ", "records of "),
    }
}

/// Returns JSON on lines of at most 100 columns, divided before the name of a field.
fn folded(json: &str) -> String {
    let end = json.char_indices().nth(100).map_or(json.len(), |(end, _)| end);
    match json[..end].rfind(",\"") {
        Some(comma) if end < json.len() => format!("{}\n {}", &json[..=comma], folded(&json[comma + 1..])),
        _ => json.to_owned(),
    }
}

fn names(fields: &[Field]) -> String {
    fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ")
}

/// Returns lines of at most 100 columns.
fn wrapped(text: &str) -> String {
    let (mut lines, mut width) = (String::new(), 0);
    for word in text.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > 100 {
            lines.push('\n');
            width = 0;
        } else if width > 0 {
            lines.push(' ');
            width += 1;
        }
        lines += word;
        width += length;
    }
    lines + "\n"
}
