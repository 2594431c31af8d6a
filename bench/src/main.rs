//! The race: measures each verb for `locator` and its rivals in one run. The racers take turns; the
//! tables show the minimum and median of many rounds. They also count what each racer accepts or
//! answers correctly, so no racer wins by doing less. The last table shows the goals.
//!
//!     cargo run --release [-- --rounds 40] [--only resolve] [--text FILE] [--write FILE] [FOLDER OF URLS]

mod audit;
mod bars;
mod corpus;
mod document;
mod escape;
mod normalize;
mod pages;
mod race;
mod read;
mod relativize;
mod resolve;
mod table;
mod text;
mod whatwg;

use bars::Measured;
use corpus::Corpus;
use pages::Pages;
use race::{Racer, race};
use table::Heading;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds = corpus::word(&arguments, "--rounds").and_then(|word| word.parse().ok()).unwrap_or(40);
    let only = corpus::word(&arguments, "--only");
    println!("{rounds} rounds for each racer, taking turns; ratios compare medians with ours\n");
    let corpora = corpus::all(&arguments);
    let mut measured = Vec::new();
    if only.is_none_or(|only| only == "read") {
        measured.extend(corpora.iter().map(|corpus| race_reading("read", read::racers, corpus, rounds)));
    }
    if only.is_none_or(|only| only == "threads") {
        let real = corpora.iter().filter(|corpus| corpus.is_real);
        measured.extend(real.map(|corpus| race_reading("threads", read::threads, corpus, rounds)));
    }
    if only.is_none_or(|only| only == "audit") {
        let real = corpora.iter().filter(|corpus| corpus.is_real);
        measured.extend(real.map(|corpus| race_reading("audit", audit::racers, corpus, rounds)));
    }
    let lists: Vec<&Corpus> = corpora.iter().filter(|corpus| corpus.is_real).collect();
    if only.is_none_or(|only| only == "text") {
        let texts = text::texts(&lists, corpus::word(&arguments, "--text"));
        measured.extend(texts.iter().map(|text| race_finding(text, rounds)));
    }
    for verb in VERBS.iter().filter(|verb| only.is_none_or(|only| only == verb.name)) {
        measured.extend((verb.pages)(&lists).iter().map(|pages| race_verb(verb, pages, rounds)));
    }
    if only.is_none_or(|only| only == "whatwg") {
        measured.extend(race_url_standard(&lists, rounds));
    }
    print!("{}", bars::table(&measured));
    if let Some(path) = corpus::word(&arguments, "--write") {
        document::write(path.as_ref(), &measured, rounds);
    }
}

/// A verb other than reading: its inputs and its racers.
struct Verb {
    name: &'static str,
    pages: fn(&[&'static Corpus]) -> Vec<Pages>,
    racers: fn(&Pages) -> Vec<Racer>,
}

const VERBS: [Verb; 5] = [
    Verb { name: "resolve", pages: resolve::pages, racers: resolve::racers },
    Verb { name: "normalize", pages: normalize::pages, racers: normalize::racers },
    Verb { name: "relativize", pages: relativize::pages, racers: relativize::racers },
    Verb { name: "escape", pages: escape::texts, racers: escape::escapers },
    Verb { name: "unescape", pages: escape::escaped_texts, racers: escape::unescapers },
];

fn race_reading(
    verb: &'static str,
    racers: fn(&'static Corpus) -> Vec<Racer>,
    corpus: &'static Corpus,
    rounds: usize,
) -> Measured {
    let rows = corpus.urls.len();
    let outcomes = race(rows, &racers(corpus), rounds);
    let length = corpus.mean_length();
    let heading = Heading { verb, corpus: &corpus.name, rows, length, counted: "accepts" };
    table::print(&heading, &outcomes);
    heading.measured(corpus.is_real, outcomes)
}

/// The race for the URL Standard: parsing, joining and setters.
fn race_url_standard(corpora: &[&'static Corpus], rounds: usize) -> Vec<Measured> {
    let lists = whatwg::lists(corpora);
    let measure = |verb, corpus: &str, list: &whatwg::Texts, outcomes: Vec<race::Outcome>| {
        let (rows, length) = (list.texts.len(), list.mean_length());
        let heading = Heading { verb, corpus, rows, length, counted: "accepts" };
        table::print(&heading, &outcomes);
        heading.measured(true, outcomes)
    };
    let mut measured = Vec::new();
    for list in &lists {
        let verb = if list.name == whatwg::CHANGED { "whatwg-changed" } else { "whatwg" };
        measured.push(measure(verb, &list.name, list, whatwg::parsing(list, rounds)));
    }
    for list in lists.iter().filter(|list| list.name != whatwg::CHANGED) {
        measured.push(measure("whatwg-join", &list.name, list, whatwg::joining(list, rounds)));
    }
    for list in lists.iter().filter(|list| ["web", whatwg::LONG_QUERIES].contains(&&*list.name)) {
        for (name, racers) in whatwg::setters() {
            let outcomes = race(list.texts.len(), &racers(list), rounds);
            measured.push(measure("whatwg-set", &format!("{name}, {}", list.name), list, outcomes));
        }
    }
    measured
}

fn race_finding(text: &text::Text, rounds: usize) -> Measured {
    let rows = text.rows();
    let outcomes = race(rows, &text.racers(), rounds);
    let heading =
        Heading { verb: text.verb, corpus: &text.name, rows, length: text::ROW as f64, counted: "hits" };
    table::print(&heading, &outcomes);
    heading.measured(true, outcomes)
}

fn race_verb(verb: &Verb, pages: &Pages, rounds: usize) -> Measured {
    let rows = pages.rows();
    let outcomes = race(rows, &(verb.racers)(pages), rounds);
    let length = pages.mean_length();
    let heading = Heading { verb: verb.name, corpus: &pages.name, rows, length, counted: "right" };
    table::print(&heading, &outcomes);
    heading.measured(pages.counts, outcomes)
}
