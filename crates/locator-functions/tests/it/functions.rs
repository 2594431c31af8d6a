//! The list of functions: its examples and the cases of `testdata/functions` are true, and its names,
//! parameters and sentences have one form.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;

use locator::Edition;
use locator::edition::RFC3986;
use locator_dev::cases;
use locator_functions::{
    ArgumentValue, Call, Engine, FUNCTIONS, Function, ParameterKind, ResultType, Row, function, hash128,
};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    function: String,
    input: String,
    #[serde(default)]
    arguments: Vec<Argument>,
    edition: Option<String>,
    /// The result as JSON.
    result: Option<String>,
    /// Instead: the error of the arguments.
    error: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Argument {
    Int(i64),
    Text(String),
}

impl Case {
    fn run(&self) -> Result<String, String> {
        let function = function(&self.function).unwrap();
        let edition = self.edition.as_deref().map_or(&RFC3986, |name| Edition::from_name(name).unwrap());
        let given: Vec<_> = self.arguments.iter().map(Argument::given).collect();
        let arguments = function.arguments(&given).map_err(|error| error.to_string())?;
        Ok(function.answer(&Row::new(&self.input, edition), &arguments).json().to_string())
    }
}

impl Argument {
    fn given(&self) -> ArgumentValue<'_> {
        match self {
            Self::Int(int) => ArgumentValue::Int(*int),
            Self::Text(text) => ArgumentValue::Text(text),
        }
    }
}

#[test]
fn every_case_is_answered_as_stated() {
    let mut wrong = String::new();
    for case in cases::read::<Case>("functions") {
        let found = case.run();
        let expected = case.result.clone().ok_or_else(|| case.error.clone().unwrap());
        if found != expected {
            let (name, input) = (&case.function, &case.input);
            wrong += &format!("{name} {input:?}\n  expected {expected:?}\n  found    {found:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_function_has_five_cases() {
    let mut counts = BTreeMap::new();
    for case in cases::read::<Case>("functions") {
        *counts.entry(case.function).or_insert(0) += 1;
    }
    let is_rare = |function: &&Function| {
        !matches!(function.name(), "uri_psl_version" | "uri_uniq")
            && counts.get(function.name()).is_none_or(|count| *count < 5)
    };
    let rare: Vec<_> = FUNCTIONS.iter().filter(is_rare).map(Function::name).collect();
    assert_eq!(rare, [""; 0], "functions with fewer than 5 cases");
}

#[test]
fn every_example_is_true() {
    let mut wrong = String::new();
    for function in FUNCTIONS {
        let example = function.example();
        let arguments = function.arguments(example.arguments).unwrap();
        let answer = function.answer(&Row::new(example.input, &RFC3986), &arguments);
        let found = answer.json().to_string();
        if found != example.result {
            wrong += &format!("{}\n  expected {}\n  found    {found}\n", function.name(), example.result);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn hashes_are_those_of_other_programs() {
    let vectors = include_str!("../../../../spec/hash128.tsv").lines().filter(|line| !line.starts_with('#'));
    for (text, expected) in vectors.map(|line| line.split_once('\t').unwrap()) {
        let repeated = text.strip_prefix("x*").map(|count| "x".repeat(count.parse().unwrap()));
        let hash = hash128(repeated.as_deref().unwrap_or(text).as_bytes());
        assert_eq!(format!("{:032x}", u128::from_be_bytes(hash)), expected, "{text}");
    }
}

#[test]
fn names_parameters_and_sentences_have_one_form() {
    for (place, function) in FUNCTIONS.iter().enumerate() {
        let name = function.name();
        let is_word = |name: &str| {
            let is_part = |octet: u8| octet.is_ascii_lowercase() || octet.is_ascii_digit() || octet == b'_';
            name.bytes().all(is_part)
        };
        assert!(name.starts_with("uri_") && is_word(name), "{name}");
        assert!(FUNCTIONS[..place].iter().all(|other| other.name() != name), "{name} is there twice");
        assert!(matches!(function.first(), "url" | "text" | "host" | "base" | ""), "{name}");
        let summary = function.summary();
        assert!(!summary.ends_with('.') && summary.starts_with(char::is_lowercase), "{name}: {summary}");
        for parameter in function.parameters() {
            assert!(is_word(parameter.name), "{name}");
            let is_text = |given| matches!(given, ArgumentValue::Text(_));
            assert!(parameter.default.is_none_or(is_text) || parameter.kind == ParameterKind::Int, "{name}");
        }
        let needed = function.parameters().iter().rev().skip_while(|parameter| parameter.default.is_some());
        assert!(
            needed.into_iter().all(|parameter| parameter.default.is_none()),
            "{name}: a default before none"
        );
        for absence in function.absent() {
            assert!(Engine::from_name(absence.engine).is_some(), "{name}: {}", absence.engine);
            assert!(!absence.instead.is_empty(), "{name}: {} has nothing instead", absence.engine);
        }
    }
}

#[test]
fn each_engine_lacks_what_it_cannot_have() {
    for function in FUNCTIONS {
        let is_of_row = !matches!(function.call(), Call::Constant(_) | Call::Distinct);
        let is_column = is_of_row && function.first() != "base" && function.arguments(&[]).is_ok();
        let lacks = |engine| function.absent().iter().any(|absence| absence.engine == engine);
        assert_eq!(lacks("command"), !is_column, "{}", function.name());
        for engine in ["arrow", "duckdb", "datafusion", "spark"] {
            assert_eq!(lacks(engine), matches!(function.call(), Call::Distinct), "{}", function.name());
        }
        for engine in ["polars", "pandas"] {
            assert_eq!(lacks(engine), matches!(function.call(), Call::Constant(_)), "{}", function.name());
        }
        assert!(!lacks("python") && !lacks("sql"), "{}", function.name());
    }
}

/// What depends on the edition has a second name, with the edition as its last argument, and only that.
#[test]
fn second_names_are_those_of_functions_that_depend_on_the_edition() {
    let cases = cases::read::<Case>("functions");
    for function in FUNCTIONS {
        let results = |edition| {
            let arguments = function.arguments(function.example().arguments).unwrap();
            let inputs = cases.iter().map(|case| case.input.as_str()).chain(["http://h/\u{e9}?\u{e9}"]);
            let json = |text| function.answer(&Row::new(text, edition), &arguments).json().to_string();
            inputs.map(json).collect::<Vec<_>>()
        };
        let first = results(&RFC3986);
        let depends = locator::edition::ALL.iter().any(|edition| results(edition) != first);
        assert_eq!(function.has_edition(), depends, "{}", function.name());
        let second = function.second_name();
        assert_eq!(second, depends.then(|| format!("{}_by", function.name())));
        assert!(FUNCTIONS.iter().all(|other| Some(other.name()) != second.as_deref()));
    }
}

#[test]
fn arguments_are_checked_and_have_defaults() {
    let param = function("uri_query_param").unwrap();
    let given = [ArgumentValue::Text("q")];
    assert_eq!(param.arguments(&given), Ok(vec![ArgumentValue::Text("q"), ArgumentValue::Text("form")]));
    assert_eq!(param.result(), ResultType::Text);
    for (name, given, message) in [
        ("uri_host", &[ArgumentValue::Int(1)][..], "uri_host takes at most 1 argument, not 2"),
        ("uri_query_param", &[], "uri_query_param needs the argument \"name\""),
        ("uri_path_segment", &[ArgumentValue::Text("1")], "uri_path_segment takes an integer as \"number\""),
        ("uri_query_param", &[ArgumentValue::Int(1)], "uri_query_param takes a text as \"name\""),
        (
            "uri_normalize",
            &[ArgumentValue::Text("all")],
            "uri_normalize takes as \"level\" syntax, scheme, not 'all'",
        ),
        (
            "uri_strip",
            &[ArgumentValue::Text("query,host")],
            "uri_strip takes as \"parts\" scheme, authority, userinfo, port, query, fragment, not 'host'",
        ),
        (
            "uri_repair",
            &[ArgumentValue::Text("mailto")],
            "uri_repair takes a scheme whose URLs have a host as \"scheme\", not 'mailto'",
        ),
    ] {
        let error = function(name).unwrap().arguments(given).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}
