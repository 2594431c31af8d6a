//! A kernel with the arguments that it needs, and how long a call takes.

use std::time::Instant;

use arrow_array::{Array, ArrayRef};
use locator_arrow::{Argument, evaluate};
use locator_functions::function;

/// Returns how long a call takes.
pub(crate) fn seconds(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

/// Returns what the kernel of a function returns for rows.
pub(crate) fn call(name: &str, rows: &dyn Array) -> ArrayRef {
    let arguments: &[Argument<'_>] = match name {
        "uri_strip" => &[Argument::Text("query,fragment")],
        "uri_query_param" => &[Argument::Text("q")],
        _ => &[],
    };
    evaluate(function(name).expect("a function"), rows, arguments, locator::edition::DEFAULT).expect("texts")
}
