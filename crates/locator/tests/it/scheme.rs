//! The cases of `testdata/scheme` and `testdata/dialog` run against the library: a URL has the
//! parts that its scheme's document gives it, and the plan that would fetch it is the one stated,
//! octet for octet.

mod alike;
mod built;
mod explained;
mod laws;
mod own;
mod registry;
mod unreserved;
mod views;

use std::collections::BTreeMap;
use std::path::PathBuf;

use locator::plan::{Gateway, Listing, Options, Program, Resumption, Server, Tls, TransferMode};
use locator::scheme::{FieldValue, Registry};
use locator::{Edition, SpannedStr, UriRef, edition, scheme};
use locator_dev::cases;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Value;

/// A URL and its parts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    name: String,
    #[serde(rename = "section")]
    _section: String,
    edition: String,
    input: String,
    #[serde(default)]
    parts: BTreeMap<String, Value>,
    /// Their decoded values, where those differ.
    #[serde(default)]
    decoded: BTreeMap<String, Value>,
    /// The sentence, where it has no parts.
    malformed: Option<String>,
}

/// A URL and its plan.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Planned {
    name: String,
    #[serde(rename = "section")]
    _section: String,
    edition: String,
    input: String,
    #[serde(default)]
    options: Chosen,
    #[serde(default)]
    gateways: BTreeMap<String, String>,
    /// The dialogue.
    plan: Option<String>,
    /// All that is sent.
    octets: Option<String>,
    /// The same in hex digits, where it is no text.
    hex: Option<String>,
    /// Why there is no plan.
    error: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Chosen {
    email: Option<String>,
    news_server: Option<String>,
    proxy: Option<String>,
    text: bool,
    low_ports: bool,
    literal_listing: bool,
    guessed: bool,
    head: bool,
    listing: String,
    overview: bool,
    range: Vec<u64>,
    ftp_tls: String,
    programs: BTreeMap<String, Vec<String>>,
    afs: Option<String>,
    resume: Option<Resume>,
}

/// Where a fetch was cut off; nothing of it to make going on possible.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Resume {
    start: u64,
    length: u64,
    modified: String,
}

#[test]
fn every_url_has_the_parts_stated() {
    let found = files::<Parts>("scheme").flat_map(|(path, case)| {
        let difference = parts(&case).err()?;
        Some(format!("{}: {} {:?}: {difference}", path.display(), case.name, case.input))
    });
    report(found.collect(), files::<Parts>("scheme").count());
}

#[test]
fn every_plan_is_the_one_stated() {
    let found = files::<Planned>("dialog").flat_map(|(path, case)| {
        let difference = planned(&case).err()?;
        Some(format!("{}: {} {:?}: {difference}", path.display(), case.name, case.input))
    });
    report(found.collect(), files::<Planned>("dialog").count());
}

fn report(differences: Vec<String>, count: usize) {
    assert!(count > 20, "the cases are not whole: {count}");
    assert!(differences.is_empty(), "{} of {count}:\n{}", differences.len(), differences.join("\n"));
}

fn files<C: DeserializeOwned>(folder: &str) -> impl Iterator<Item = (PathBuf, C)> {
    cases::files(folder)
        .into_iter()
        .flat_map(|(path, cases)| cases.into_iter().map(move |case| (path.clone(), case)))
}

fn read<'a>(input: &'a str, name: &str) -> Result<UriRef<'a>, String> {
    let edition: &'static Edition = edition::from_name(name).ok_or_else(|| format!("no edition {name}"))?;
    UriRef::parse_with(input, edition).map_err(|error| error.to_string())
}

fn parts(case: &Parts) -> Result<(), String> {
    let reference = read(&case.input, &case.edition)?;
    let fields = match (scheme::fields(reference).ok_or("its scheme is not known")?, &case.malformed) {
        (Err(error), Some(stated)) if error.to_string() == *stated => return Ok(()),
        (Err(error), _) => return Err(error.to_string()),
        (Ok(_), Some(stated)) => return Err(format!("it has parts, but this was stated: {stated}")),
        (Ok(fields), None) => fields,
    };
    let mut found = (BTreeMap::new(), BTreeMap::new());
    for field in fields {
        let raw = value(&field.value, &|excerpt| excerpt.as_str().to_owned());
        let decoded = value(&field.value, &|excerpt| text(&excerpt.decode()));
        if raw != decoded {
            found.1.insert(field.name.to_owned(), decoded);
        }
        if found.0.insert(field.name.to_owned(), raw).is_some() {
            return Err(format!("two parts are called {}", field.name));
        }
    }
    if (&found.0, &found.1) == (&case.parts, &case.decoded) {
        Ok(())
    } else {
        Err(format!("\n  stated {:?}, {:?}\n  found  {:?}, {:?}", case.parts, case.decoded, found.0, found.1))
    }
}

fn value(value: &FieldValue<'_>, of: &dyn Fn(&SpannedStr<'_>) -> String) -> Value {
    let string = |excerpt: &SpannedStr<'_>| Value::String(of(excerpt));
    match value {
        FieldValue::One(excerpt) => string(excerpt),
        FieldValue::Many(all) => Value::Array(all.iter().map(string).collect()),
        FieldValue::Pairs(pairs) => {
            Value::Array(pairs.iter().map(|(a, b)| Value::Array(vec![string(a), string(b)])).collect())
        }
        FieldValue::Word(word) => Value::String((*word).to_owned()),
        _ => Value::Boolean(false),
    }
}

/// Octets as text; those that are no UTF-8 as `\xE9`.
fn text(octets: &[u8]) -> String {
    let chunks = octets.utf8_chunks();
    chunks.fold(String::new(), |text, chunk| {
        let invalid: String = chunk.invalid().iter().map(|octet| format!("\\x{octet:02X}")).collect();
        text + chunk.valid() + &invalid
    })
}

fn planned(case: &Planned) -> Result<(), String> {
    let reference = read(&case.input, &case.edition)?;
    let mut registry = Registry::new();
    for (scheme, template) in &case.gateways {
        registry.map(Gateway::new(scheme, template).map_err(|error| error.to_string())?);
    }
    let chosen = &case.options;
    let words: Vec<Vec<&str>> =
        chosen.programs.values().map(|words| words.iter().map(String::as_str).collect()).collect();
    let programs: Vec<_> =
        chosen.programs.keys().zip(&words).map(|(scheme, words)| Program { scheme, words }).collect();
    let mut options = Options::new();
    options.email = chosen.email.as_deref();
    options.news_server = chosen.news_server.as_deref().map(server);
    options.proxy = chosen.proxy.as_deref().map(server);
    options.representation = if chosen.text { TransferMode::Text } else { TransferMode::Image };
    if chosen.guessed {
        options.representation = TransferMode::Guessed;
    }
    options.head = chosen.head;
    options.listing = match chosen.listing.as_str() {
        "" => Listing::Names,
        "facts" => Listing::Facts,
        "long" => Listing::Long,
        other => return Err(format!("listing is \"{other}\"")),
    };
    options.range = chosen.range.first().map(|&start| (start, chosen.range.get(1).copied()));
    options.programs = &programs;
    options.low_ports = chosen.low_ports;
    options.overview = chosen.overview;
    options.literal_listing = chosen.literal_listing;
    options.ftp_tls = match chosen.ftp_tls.as_str() {
        "" => Tls::Off,
        "try" => Tls::Try,
        "required" => Tls::Required,
        other => return Err(format!("ftp_tls is \"{other}\"")),
    };
    options.afs = chosen.afs.as_deref();
    options.resumption = match &chosen.resume {
        None => Resumption::Off,
        Some(resume) if resume.start == 0 => Resumption::Prepared,
        Some(Resume { start, length, modified }) => {
            Resumption::From { start: *start, length: *length, modified }
        }
    };
    let plan = match (registry.plan(reference, &options), &case.error) {
        (Err(error), Some(stated)) if error.to_string() == *stated => return Ok(()),
        (Err(error), _) => return Err(error.to_string()),
        (Ok(plan), Some(_)) => return Err(format!("it has a plan:\n{plan}")),
        (Ok(plan), None) => plan,
    };
    if case.plan.as_ref().is_some_and(|stated| *stated != plan.to_string()) {
        return Err(format!("\n{plan}"));
    }
    let octets = plan.to_bytes();
    if case.octets.as_ref().is_some_and(|stated| stated.as_bytes() != octets) {
        return Err(format!("sends {:?}", text(&octets)));
    }
    let hex: String = octets.iter().map(|octet| format!("{octet:02x}")).collect();
    let stated = case.hex.as_ref().map(|stated| stated.split_whitespace().collect::<String>());
    if stated.is_some_and(|stated| stated != hex) {
        return Err(format!("sends {hex}"));
    }
    if case.plan.is_none() && case.octets.is_none() && case.hex.is_none() {
        return Err("nothing is stated".to_owned());
    }
    Ok(())
}

fn server(word: &str) -> Server<'_> {
    let (host, port) = word.split_once(':').map_or((word, None), |(host, port)| (host, Some(port)));
    Server { host, port: port.map(|port| port.parse().expect("a port is a number")) }
}
