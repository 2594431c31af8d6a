//! The list of functions: its examples are true, and its names, parameters and sentences have one form.

use locator::edition::RFC3986;
use locator_functions::{FUNCTIONS, Row};

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
