//! Measures the kernels of `locator-arrow` over five million URLs, on one table in memory.
//!
//!     cargo run --release                  kernels over Utf8, against `locator::bulk`
//!     cargo run --release -- functions [TEXT]   every function, or those whose names contain TEXT
//!     cargo run --release -- answers       queries on two threads: answers, compared with a loop, and seconds
//!     cargo run --release -- write FILE    writes the rows as lines, for other engines; NULL is \N
//!     cargo run --release -- parquet FILE  runs queries over a table, for bench/batch-against-engines
//!
//! Each number is the median of five runs, in turns with what it is compared with; for `functions` the
//! fastest of many runs over 16,384 rows.

#[path = "../../../crates/locator-arrow/tests/it/kernels/cells.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod cells;
mod functions;
mod kernel;
mod queries;
mod rows;

use std::collections::HashSet;
use std::hint::black_box;
use std::io::Write;

use arrow_array::cast::AsArray;
use arrow_array::{Array, StringArray};
use locator::bulk::Batch;
use kernel::seconds;
use locator_arrow::Uniq;

const ROWS: usize = 5_000_000;
const RUNS: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => against_bulk(&rows::make(ROWS, 1)),
        ["functions"] => functions::run(&rows::make(ROWS / 10, 1), ""),
        ["functions", name] => functions::run(&rows::make(ROWS / 10, 1), name),
        ["write", file] => write(&rows::make(ROWS, 1), file).expect("the file can be written"),
        ["answers"] => answers(&rows::make(ROWS, 1)),
        ["parquet", file] => queries::serve(file.as_ref()).expect("a table with a column of URLs"),
        _ => eprintln!("batch: see the top of main.rs"),
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn against_bulk(rows: &StringArray) {
    let offsets: Vec<u32> = rows.value_offsets().iter().map(|&offset| offset as u32).collect();
    let views: arrow_array::StringViewArray = rows.iter().collect();
    let mut batch = Batch::new();
    println!(
        "{ROWS} rows, {} octets; millions of rows a second, and the ratio to bulk",
        rows.value_data().len()
    );
    for name in [
        "uri_host",
        "uri_scheme",
        "uri_path",
        "uri_query",
        "uri_is_valid",
        "uri_port",
        "uri_host_normal",
        "uri_registered_domain",
        "uri_query_param",
        "uri_strip",
        "uri_key",
        "uri_hash128",
    ] {
        let (mut bulk, mut plain, mut viewed) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..RUNS {
            bulk.push(seconds(|| batch.read_values(rows.value_data(), &offsets).expect("offsets")));
            plain.push(seconds(|| drop(black_box(kernel::call(name, rows)))));
            viewed.push(seconds(|| drop(black_box(kernel::call(name, &views)))));
        }
        let (bulk, plain, viewed) = (median(bulk), median(plain), median(viewed));
        let rate = |seconds: f64| ROWS as f64 / seconds / 1e6;
        let (by_bulk, by_plain, by_views) = (rate(bulk), rate(plain), rate(viewed));
        println!(
            "{name:<22} bulk {by_bulk:6.1}  Utf8 {by_plain:6.1} {:5.2}  Utf8View {by_views:6.1} {:5.2}",
            bulk / plain,
            bulk / viewed
        );
    }
}

fn write(rows: &StringArray, file: &str) -> std::io::Result<()> {
    let mut file = std::io::BufWriter::new(std::fs::File::create(file)?);
    rows.iter().try_for_each(|row| writeln!(file, "{}", row.unwrap_or("\\N")))?;
    file.flush()
}

/// The column as the batches of an engine: 8192 rows would cost more calls, 65536 fit in a cache.
fn batches(rows: &StringArray) -> Vec<StringArray> {
    (0..rows.len()).step_by(65_536).map(|start| rows.slice(start, 65_536.min(rows.len() - start))).collect()
}

/// Runs a query on two threads, each with every other batch, and puts their results together.
fn on_two_threads<T: Send>(
    batches: &[StringArray],
    run: impl Fn(&[&StringArray]) -> T + Sync,
    put: impl FnOnce(T, T) -> u64,
) -> u64 {
    let half = |first: usize| batches.iter().skip(first).step_by(2).collect::<Vec<_>>();
    let (one, other) = std::thread::scope(|scope| {
        let other = scope.spawn(|| run(&half(1)));
        (run(&half(0)), other.join().expect("no panic"))
    });
    put(one, other)
}

fn sum_of_lengths(batches: &[StringArray]) -> u64 {
    let sum = |batches: &[&StringArray]| {
        batches
            .iter()
            .map(|rows| kernel::call("uri_host", rows).as_string::<i32>().value_data().len() as u64)
            .sum::<u64>()
    };
    on_two_threads(batches, sum, |one, other| one + other)
}

fn distinct(batches: &[StringArray], name: &str) -> u64 {
    let uniq = |batches: &[&StringArray]| {
        let mut uniq = Uniq::new();
        batches.iter().for_each(|rows| uniq.add(&kernel::call(name, rows)).expect("texts"));
        uniq
    };
    on_two_threads(batches, uniq, |mut one, other| {
        one.merge(other);
        one.count()
    })
}

/// Prints for each query the answer, that of a plain loop, and the seconds.
fn answers(rows: &StringArray) {
    let batches = batches(rows);
    let host = |url| locator::UriRef::parse(url).ok()?.host().map(|host| host.as_str());
    let plain: Vec<&str> = rows.iter().flatten().filter_map(host).collect();
    let sum: u64 = plain.iter().map(|host| host.len() as u64).sum();
    let hosts = plain.iter().collect::<HashSet<_>>().len() as u64;
    let strip = |url: &str| {
        let url = locator::UriRef::parse(url).ok()?;
        Some(url.as_str()[..url.spans().span(locator::Component::Path)?.end].to_owned())
    };
    let stripped = rows.iter().flatten().filter_map(strip).collect::<HashSet<_>>().len() as u64;
    type Query<'a> = (&'a str, u64, &'a dyn Fn() -> u64);
    let queries: [Query<'_>; 3] = [
        ("sum_host_lengths", sum, &|| sum_of_lengths(&batches)),
        ("distinct_hosts", hosts, &|| distinct(&batches, "uri_host")),
        ("distinct_without_query", stripped, &|| distinct(&batches, "uri_strip")),
    ];
    for (name, expected, query) in queries {
        let mut times = Vec::new();
        for _ in 0..RUNS {
            times.push(seconds(|| assert_eq!(query(), expected, "{name}")));
        }
        println!("{name} {expected} {:.3}", median(times));
    }
}
