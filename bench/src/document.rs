//! Writes `BENCHMARKS.md`: every number in it comes from the run that has just ended, except those of
//! its last section, which is written by hand and kept.

use std::fmt::Write as _;
use std::path::Path;

use crate::bars::{self, Measured};

const HEAD: &str = "\
# Benchmarks

The tables are written by the program in `bench/`, which runs `locator` and its rivals in turns, in
one process:

```sh
cd bench && cargo run --release -- --rounds 25 --write ../BENCHMARKS.md [FOLDER OF URL LISTS]
```

Without a folder it reads the samples in `testdata/urls`. `--only read` runs one verb,
`--features ada` adds `ada-url` (needs a C++ compiler). Times are nanoseconds per row. Ratios are
ratios of medians; ratios of minima are in brackets.

All parsers accept the same URLs, except `url`, `ada-url` and `http`, which follow other rules. The
number of URLs that each accepts, or of results that are right by RFC 3986, is counted beside its
time. The last section says what was tried, and what each step gave.
";

/// The heading of the section that is written by hand.
const KEPT: &str = "\n## What was tried\n";

/// Writes the document.
pub fn write(path: &Path, measured: &[Measured], rounds: usize) {
    let mut text = String::from(HEAD);
    let _ = writeln!(text, "\nThis run: {rounds} rounds, {}.", processor());
    let _ = writeln!(text, "\n## Goals\n\n{}", bars::table(measured));
    let mut verb = "";
    for one in measured {
        if one.verb != verb {
            verb = one.verb;
            let _ = writeln!(text, "## {}", title(verb));
        }
        let _ = writeln!(text, "\n{}", table(one));
    }
    let before = std::fs::read_to_string(path).unwrap_or_default();
    let kept = before.find(KEPT).map_or("", |at| &before[at..]);
    if let Err(error) = std::fs::write(path, text.trim_end().to_owned() + "\n" + kept) {
        eprintln!("{}: {error}", path.display());
    }
}

fn title(verb: &str) -> &str {
    match verb {
        "read" => "Reading",
        "threads" => "Reading with two threads",
        "audit" => "Auditing",
        "few" => "Finding in text with few URLs (a row is 1,024 bytes)",
        "many" => "Finding in text with many URLs (a row is 1,024 bytes)",
        "resolve" => "Resolving",
        "normalize" => "Normalising",
        "relativize" => "Relativising",
        "escape" => "Percent-encoding",
        "unescape" => "Percent-decoding",
        "whatwg" => "The URL Standard: parsing",
        "whatwg-changed" => "The URL Standard: parsing what must be changed",
        "whatwg-join" => "The URL Standard: joining",
        "whatwg-set" => "The URL Standard: setters",
        other => other,
    }
}

fn table(measured: &Measured) -> String {
    let Measured { corpus, rows, length, counted, outcomes, .. } = measured;
    let mut text = format!("### {corpus}\n\n{rows} rows of {length:.0} bytes.\n\n");
    let _ = writeln!(text, "| | median ns | minimum ns | MB/s | to the first | {counted} |");
    let _ = writeln!(text, "|---|--:|--:|--:|--:|--:|");
    for outcome in outcomes {
        let (median, minimum, name) = (outcome.median, outcome.minimum, &outcome.name);
        let (speed, ratio) = (length / median * 1_000.0, median / outcomes[0].median);
        let _ = writeln!(
            text,
            "| {name} | {median:.1} | {minimum:.1} | {speed:.0} | {ratio:.2} | {} |",
            outcome.count
        );
    }
    text
}

/// The model of the processor, and how many cores this run may use.
fn processor() -> String {
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = information.lines().find(|line| line.starts_with("model name"));
    let model =
        line.and_then(|line| line.split_once(": ")).map_or("an unknown processor", |(_, model)| model);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{cores} cores of {model}")
}
