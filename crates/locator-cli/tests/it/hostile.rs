//! Runs every verb on texts made to take long (`testdata/hostile.toml`), of 128 KiB each, in the thorough
//! test of a megabyte, and bounds the length of the output. `scripts/measure/command-lengths` checks
//! that the time is linear.

use std::io::{self, Read, Write};
use std::process::Stdio;
use std::sync::Mutex;
use std::thread;

use serde::Deserialize;

use crate::runner;

#[derive(Deserialize)]
struct File {
    shape: Vec<Shape>,
    verb: Vec<Vec<String>>,
    compare: Compare,
}

#[derive(Deserialize)]
struct Shape {
    #[serde(default)]
    before: String,
    piece: String,
    #[serde(default)]
    after: String,
}

#[derive(Deserialize)]
struct Compare {
    arguments: Vec<String>,
}

impl Shape {
    fn text(&self, length: usize) -> String {
        let left = length.saturating_sub(self.before.len() + self.after.len());
        self.before.clone() + &self.piece.repeat(left / self.piece.len()) + &self.after
    }
}

fn length() -> usize {
    if locator_dev::is_thorough() { 1 << 20 } else { 1 << 17 }
}

/// Each error has one line for every edition that reports it.
const MOST: usize = 4_000;

/// The exit status, and how many octets were printed; `None` if a signal ended it.
fn answer(arguments: &[String], stdin: &[u8]) -> (Option<i32>, u64) {
    let mut child = runner::locator(arguments).stderr(Stdio::null()).spawn().expect("the command is built");
    let mut to = child.stdin.take().expect("it was asked for as a pipe");
    let mut from = child.stdout.take().expect("it was asked for as a pipe");
    let printed = thread::scope(|scope| {
        // With --quiet the input is not read to its end.
        scope.spawn(move || drop(to.write_all(stdin)));
        io::copy(&mut from.by_ref(), &mut io::sink()).expect("a pipe can be read")
    });
    (child.wait().expect("a child can be waited for").code(), printed)
}

fn file() -> File {
    let text = std::fs::read_to_string(runner::testdata("hostile.toml")).expect("the texts are there");
    toml::from_str(&text).expect("they are TOML")
}

#[test]
fn long_texts_are_answered_by_every_verb() {
    let File { shape, verb, .. } = file();
    assert!(shape.len() >= 20, "{}", shape.len());
    let lines: String = shape.iter().flat_map(|shape| [shape.text(length()), "\n".to_owned()]).collect();
    let (next, lines) = (Mutex::new(verb.iter()), lines.as_bytes());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(arguments) = { next.lock().expect("nobody panics with it").next() } {
                    let (status, printed) = answer(arguments, lines);
                    assert!(matches!(status, Some(0 | 1)), "{arguments:?}: {status:?}");
                    assert!(printed < (MOST * lines.len()) as u64, "{arguments:?}: {printed}");
                }
            });
        }
    });
}

#[test]
fn what_is_compared_may_be_as_long_as_an_argument() {
    let File { shape, compare, .. } = file();
    for shape in shape {
        let (one, other) = (shape.text(100_000), shape.text(120_000));
        let arguments: Vec<_> = compare.arguments.iter().cloned().chain([one, other]).collect();
        let (status, _) = answer(&arguments, b"");
        assert!(matches!(status, Some(0..=2)), "{}: {status:?}", shape.piece);
    }
}
