//! Makes the table of performance goals: for each goal what was measured, and whether the goal was
//! reached.

use crate::race::Outcome;

/// The outcomes of one verb on one corpus.
pub struct Measured {
    pub verb: &'static str,
    pub corpus: String,
    pub rows: usize,
    /// The mean length of a row in bytes.
    pub length: f64,
    /// The name of the count: `accepts`, `right`.
    pub counted: &'static str,
    /// Whether the goals of the verb apply to this corpus.
    pub counts: bool,
    pub outcomes: Vec<Outcome>,
}

/// A performance goal: our time compared with the fastest rival's.
struct Bar {
    /// The corpus that the goal is for; `None` means every corpus that counts.
    on: Option<&'static str>,
    work: &'static str,
    verb: &'static str,
    ours: &'static str,
    theirs: &'static [&'static str],
    at_most: f64,
}

const READERS: &[&str] = &["fluent-uri", "oxiri"];
const READERS_OF_LINES: &[&str] = &["fluent-uri, lines", "oxiri, lines"];

const ADA: &[&str] = &["ada-url"];
const ADA_CAN_PARSE: &[&str] = &["ada-url, can_parse"];
const URL: &[&str] = &["url"];

const BARS: [Bar; 51] = [
    reading("one URL", "locator", READERS, 0.25),
    reading("one URL, AVX2", "locator, avx2", READERS, 0.35),
    reading("one URL, plain safe Rust", "locator, plain", READERS, 1.0),
    reading("bulk, values", "bulk, values in pieces", READERS, 0.15),
    reading("bulk, values, all at once", "bulk, values", READERS, 0.15),
    reading("bulk, lines", "bulk, in pieces", READERS, 0.15),
    reading("bulk, lines, all at once", "bulk", READERS, 0.15),
    reading("bulk, lines, which rivals find, too", "bulk, in pieces", READERS_OF_LINES, 0.15),
    reading("url-1993", "locator, url-1993", &["locator, rfc3986"], 1.3),
    reading("url-1994", "locator, url-1994", &["locator, rfc3986"], 1.3),
    reading("rfc1738", "locator, rfc1738", &["locator, rfc3986"], 1.3),
    reading("url-1997", "locator, url-1997", &["locator, rfc3986"], 1.3),
    reading("rfc2396", "locator, rfc2396", &["locator, rfc3986"], 1.3),
    reading("uri-2003", "locator, uri-2003", &["locator, rfc3986"], 1.3),
    reading("file:///, url-1993", "locator, url-1993", &["locator, rfc3986"], 3.0).on("file-urls"),
    reading("file:///, url-1994", "locator, url-1994", &["locator, rfc3986"], 1.5).on("file-urls"),
    reading("file:///, rfc1738", "locator, rfc1738", &["locator, rfc3986"], 1.5).on("file-urls"),
    reading("relative references", "locator", READERS, 0.9).on("relative"),
    reading("relative references, AVX2", "locator, avx2", READERS, 0.9).on("relative"),
    reading("relative references, plain safe Rust", "locator, plain", READERS, 1.5).on("relative"),
    reading("hostile URLs", "locator", &["fluent-uri"], 1.0).on("hostile"),
    reading("hostile URLs, AVX2", "locator, avx2", &["fluent-uri"], 1.0).on("hostile"),
    reading("URLs with an octet too many", "locator", &["fluent-uri"], 1.3).on("refused"),
    Bar {
        on: None,
        work: "two, 4 MB of lines",
        verb: "threads",
        ours: "two threads",
        theirs: &["one thread"],
        at_most: 0.55,
    },
    auditing("all findings").on("web"),
    auditing("all findings").on("homepages"),
    Bar { ours: "uri_audit_severity", theirs: &["locator"], at_most: 2.5, ..auditing("function of tables").on("web") },
    Bar { ours: "uri_audit", theirs: &["locator"], at_most: 2.5, ..auditing("function of tables, codes").on("web") },
    Bar {
        on: None,
        work: "into a buffer",
        verb: "resolve",
        ours: "locator, resolve_into",
        theirs: &["oxiri, resolve_into", "fluent-uri", "url, join"],
        at_most: 0.5,
    },
    Bar {
        on: None,
        work: "by syntax",
        verb: "normalize",
        ours: "locator",
        theirs: &["fluent-uri"],
        at_most: 0.3,
    },
    Bar {
        on: Some("web, none normal"),
        work: "by syntax, none normal",
        verb: "normalize",
        ours: "locator",
        theirs: &["fluent-uri"],
        at_most: 1.0,
    },
    Bar {
        on: None,
        work: "the shortest",
        verb: "relativize",
        ours: "locator",
        theirs: &["oxiri"],
        at_most: 0.7,
    },
    finding("few URLs, schemes", "few", "locator", &["linkify, schemes"], 1.0),
    finding("few URLs, guesses", "few", "locator, relaxed", &["linkify, guesses"], 1.0),
    finding("many URLs, schemes", "many", "locator", &["linkify, schemes"], 0.67),
    finding("many URLs, guesses", "many", "locator, relaxed", &["linkify, guesses"], 0.33),
    whatwg("UrlRef", "UrlRef", ADA, 0.2),
    whatwg("UrlRef, AVX2", "UrlRef, avx2", ADA, 0.25),
    whatwg("UrlRef, plain safe Rust", "UrlRef, plain", ADA, 0.6),
    whatwg("UrlRef", "UrlRef", URL, 0.08),
    whatwg("UrlRef, AVX2", "UrlRef, avx2", URL, 0.1),
    whatwg("UrlRef, plain safe Rust", "UrlRef, plain", URL, 0.25),
    whatwg("can_parse", "can_parse", ADA_CAN_PARSE, 0.6),
    whatwg("can_parse, AVX2", "can_parse, avx2", ADA_CAN_PARSE, 0.7),
    whatwg("can_parse, plain safe Rust", "can_parse, plain", ADA_CAN_PARSE, 1.1),
    whatwg("Url", "Url", ADA, 0.4),
    whatwg("Url, AVX2", "Url, avx2", ADA, 0.45),
    whatwg("Url, plain safe Rust", "Url, plain", ADA, 0.8),
    Bar { verb: "whatwg-changed", ..whatwg("Url", "Url", ADA, 0.7) },
    Bar { verb: "whatwg-join", ..whatwg("Url", "Url", URL, 0.5) },
    Bar { verb: "whatwg-set", ..whatwg("Url", "Url", URL, 1.0) },
];

impl Bar {
    const fn on(self, corpus: &'static str) -> Self {
        Self { on: Some(corpus), ..self }
    }

    fn is_for(&self, measured: &Measured) -> bool {
        let is_on = self.on.map_or(measured.counts, |corpus| measured.corpus == corpus);
        is_on && measured.verb == self.verb
    }
}

const fn reading(work: &'static str, ours: &'static str, theirs: &'static [&str], at_most: f64) -> Bar {
    Bar { on: None, work, verb: "read", ours, theirs, at_most }
}

const fn auditing(work: &'static str) -> Bar {
    Bar { on: None, work, verb: "audit", ours: "locator", theirs: &["locator, read"], at_most: 2.0 }
}

const fn whatwg(
    work: &'static str,
    ours: &'static str,
    theirs: &'static [&'static str],
    at_most: f64,
) -> Bar {
    Bar { on: None, work, verb: "whatwg", ours, theirs, at_most }
}

const fn finding(
    work: &'static str,
    verb: &'static str,
    ours: &'static str,
    theirs: &'static [&'static str],
    at_most: f64,
) -> Bar {
    Bar { on: None, work, verb, ours, theirs, at_most }
}

/// Returns the table: for each goal the ratio of the medians, and in brackets that of the minima.
pub fn table(measured: &[Measured]) -> String {
    let mut table =
        String::from("| work | against | at most | median (minimum) | reached |\n|---|---|---|---|---|\n");
    for bar in &BARS {
        let of_verb = measured.iter().filter(|one| bar.is_for(one));
        let ratios: Vec<_> =
            of_verb.filter_map(|one| Some((one.corpus.as_str(), ratio(bar, one)?))).collect();
        table += &row(&format!("{}: {}", bar.verb, bar.work), &bar.theirs.join(", "), bar.at_most, &ratios);
    }
    let ratios: Vec<_> =
        LENGTHS.iter().filter_map(|(short, long)| Some((*long, growth(measured, short, long)?))).collect();
    table += &row("read: ten times the length", "locator", 10.0, &ratios);
    table
}

/// The ratio of the medians and that of the minima.
type Ratios = (f64, f64);

fn row(work: &str, against: &str, at_most: f64, ratios: &[(&str, Ratios)]) -> String {
    if ratios.is_empty() {
        return String::new();
    }
    let each =
        ratios.iter().map(|(corpus, (median, minimum))| format!("{corpus} {median:.2} ({minimum:.2})"));
    let each = each.collect::<Vec<_>>().join(", ");
    let held = ratios.iter().filter(|(_, (median, _))| *median <= at_most).count();
    let held = match held {
        _ if held == ratios.len() => "yes".to_owned(),
        0 => "no".to_owned(),
        _ => format!("{held} of {}", ratios.len()),
    };
    format!("| {work} | {against} | {at_most} | {each} | {held} |\n")
}

fn ratio(bar: &Bar, measured: &Measured) -> Option<Ratios> {
    let ours = named(measured, bar.ours)?;
    let theirs: Vec<_> = bar.theirs.iter().filter_map(|name| named(measured, name)).collect();
    let least = |time: fn(&Outcome) -> f64| theirs.iter().map(|one| time(one)).min_by(f64::total_cmp);
    Some((ours.median / least(|one| one.median)?, ours.minimum / least(|one| one.minimum)?))
}

/// Pairs of lists of generated URLs; those of the second are ten times as long.
const LENGTHS: [(&str, &str); 3] = [
    ("made, 20 octets", "made, 200 octets"),
    ("made, 60 octets", "made, 600 octets"),
    ("made, 200 octets", "made, 2000 octets"),
];

fn growth(measured: &[Measured], short: &str, long: &str) -> Option<Ratios> {
    let of = |corpus: &str| {
        let one = measured.iter().find(|one| one.verb == "read" && one.corpus == corpus);
        named(one?, "locator")
    };
    let (short, long) = (of(short)?, of(long)?);
    Some((long.median / short.median, long.minimum / short.minimum))
}

fn named<'a>(measured: &'a Measured, name: &str) -> Option<&'a Outcome> {
    measured.outcomes.iter().find(|outcome| outcome.name == name)
}
