//! Measures every function of the list over Utf8 and Utf8View, against the parser of `locator::bulk` alone.

use std::hint::black_box;

use arrow_array::{Array, ArrayRef, StringArray, StringViewArray};
use locator::bulk::Batch;
use locator::edition;
use locator_arrow::{Argument, evaluate};
use locator_functions::{Answer, ArgumentValue, Call, FUNCTIONS, Function, Row};

use crate::cells;
use crate::kernel::seconds;

/// The rows of a run: as many as an engine has in a batch, and so few that some runs are not interrupted
/// on a busy machine. The fastest run counts.
const RUN: usize = 16_384;

/// How often each kernel runs.
const RUNS: usize = 150;

/// The rows whose answers are compared with those of the library.
const CHECKED: usize = 20_000;

/// The ratio to `bulk` that a kernel over Utf8 should reach.
const WANTED: f64 = 0.4;

/// Prints a line for each function whose name contains a text.
pub fn run(rows: &StringArray, name: &str) {
    let views: StringViewArray = rows.iter().collect();
    let offsets: Vec<u32> = rows.value_offsets().iter().map(|&offset| offset as u32).collect();
    let mut batch = Batch::new();
    let (mut reached, mut all) = (0, 0);
    println!("{} rows; nanoseconds a row, and the ratio to bulk", rows.len());
    println!("{:<22} {:>6} {:>8} {:>5} {:>9} {:>5}", "function", "bulk", "Utf8", "", "Utf8View", "");
    let functions = FUNCTIONS.iter().filter(|function| function.name().contains(name));
    for function in functions.filter(|function| !matches!(function.call(), Call::Distinct)) {
        check(function, rows);
        check(function, &views);
        let mut fastest = [f64::INFINITY; 3];
        for start in (0..rows.len()).step_by(RUN).cycle().take(RUNS) {
            let length = RUN.min(rows.len() - start);
            let (plain, viewed) = (rows.slice(start, length), views.slice(start, length));
            let offsets = &offsets[start..=start + length];
            let times = [
                seconds(|| batch.read_values(rows.value_data(), offsets).expect("offsets")),
                seconds(|| drop(black_box(kernel(function, &plain)))),
                seconds(|| drop(black_box(kernel(function, &viewed)))),
            ];
            for (fastest, time) in fastest.iter_mut().zip(times) {
                *fastest = fastest.min(time * 1e9 / length as f64);
            }
        }
        let [bulk, plain, viewed] = fastest;
        let (by_plain, by_views) = (bulk / plain, bulk / viewed);
        println!("{:<22} {bulk:6.1} {plain:8.1} {by_plain:5.2} {viewed:9.1} {by_views:5.2}", function.name());
        all += 1;
        reached += usize::from(by_plain >= WANTED);
    }
    println!("{reached} of {all} functions reach {WANTED} of the rate of bulk over Utf8");
}

fn kernel(function: &Function, rows: &dyn Array) -> ArrayRef {
    let argument = |given: &ArgumentValue<'static>| match *given {
        ArgumentValue::Text(text) => Argument::Text(text),
        ArgumentValue::Int(int) => Argument::Int(int),
    };
    let arguments: Vec<_> = function.example().arguments.iter().map(argument).collect();
    evaluate(function, rows, &arguments, edition::DEFAULT).expect("a column of texts")
}

/// Compares the first rows with what the function of the library returns for each.
fn check(function: &Function, rows: &dyn Array) {
    let rows = rows.slice(0, CHECKED.min(rows.len()));
    let texts: Vec<_> = (0..rows.len()).map(|row| text(&rows, row)).collect();
    let found = kernel(function, &rows);
    let arguments = function.arguments(function.example().arguments).expect("those of the example");
    for (row, text) in texts.iter().enumerate() {
        let answer = match text {
            Some(text) => function.answer(&Row::new(text, edition::DEFAULT), &arguments),
            None if matches!(function.call(), Call::Constant(_)) => continue,
            None => Answer::Null,
        };
        assert_eq!(cells::json(&found, row), answer.json().to_string(), "{} of {text:?}", function.name());
    }
}

fn text(rows: &dyn Array, row: usize) -> Option<&str> {
    use arrow_array::cast::AsArray;
    if rows.is_null(row) {
        return None;
    }
    Some(match rows.as_string_opt::<i32>() {
        Some(rows) => rows.value(row),
        None => rows.as_string_view().value(row),
    })
}
