//! No `Debug` and no `Display` of an error shows a secret. The types are those of the records of the API,
//! `api.txt`: each is either made here of a URL with secrets, or named in `testdata/secrets.toml` with the
//! reason why it is not. So a new type fails this test until somebody has decided.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;

use locator::plan::{Next, Options, Secret, plan};
use locator::{Base, Iri, IriBuf, UriBuf, UriRef, UriRefBuf};
use locator_fetch::entries::entries;
use locator_fetch::run::{
    Channel, ConnectCause, Destination, Detail, Event, Failure, FailureKind, Outcome, Reply, Run, Want,
};
use locator_fetch::{Hop, MailMessage};

const PASSWORD: &str = "c4n4ryPassw0rd";
const TOKEN: &str = "7c1e9a44d2b84f03aa16";

fn url() -> String {
    format!("ftp://joe:{PASSWORD}@h.example/a?access_token={TOKEN}")
}

/// The types of a record with `Debug`, or all of them.
fn types(crate_name: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(crate_name).join("api.txt");
    let text = fs::read_to_string(path).unwrap();
    let is_type = |line: &str| {
        let rest = line.split(": ").skip(1).last().unwrap_or_default();
        let rest = rest.rsplit("] ").next().unwrap_or(rest).trim_start_matches("+ ");
        rest.starts_with("struct") || rest.starts_with("enum")
    };
    let name = |line: &str| line.split(": ").next().unwrap_or_default().to_owned();
    text.lines().filter(|line| is_type(line)).map(name).collect()
}

/// What `Debug` writes for values that contain the secrets.
fn shown() -> Vec<(&'static str, String)> {
    let url = url();
    let reference = UriRef::parse(&url).unwrap();
    let uri = reference.as_uri().unwrap();
    let owned = reference.to_owned();
    let octets = PASSWORD.as_bytes();
    let failure = || {
        let mut failure =
            Failure::new(FailureKind::NotConnected(format!("to {url}").into()), format!("at {url}"));
        failure.reply = Some(Reply::new(Some(500), format!("no {url}")));
        failure
    };
    let hop = || Hop::new(owned.clone());
    let fetcher = locator_fetch::blocking::Fetcher::for_untrusted_urls();
    let error = fetcher.fetch(&url).unwrap_err();
    let source = error.source().unwrap();
    let of_text = fetcher.fetch(format!("{url} ")).unwrap_err();
    let of_plan = plan(reference, &Options::new()).unwrap();
    let run = Run::new(of_plan.clone(), locator_fetch::run::Limits::default());
    let list = UriRef::parse("ftp://joe:c4n4ryPassw0rd@h.example/a/").unwrap();
    let entry = entries(locator::plan::ObjectKind::Names, list, b"x\n").unwrap().next().unwrap();
    let message = MailMessage::new(octets);
    vec![
        ("locator::UriBuf", format!("{:?}", UriBuf::parse(&url).unwrap())),
        ("locator::UriRefBuf", format!("{owned:?}")),
        ("locator::UriRef", format!("{reference:?}")),
        ("locator::Uri", format!("{uri:?}")),
        ("locator::Iri", format!("{:?}", Iri::parse(&url).unwrap())),
        ("locator::IriBuf", format!("{:?}", IriBuf::parse(&url).unwrap())),
        ("locator::Base", format!("{:?}", Base::new(uri).unwrap())),
        ("locator::FromStringError", format!("{:?}", UriRefBuf::try_from(format!("{url} ")).unwrap_err())),
        ("locator::plan::Secret", format!("{:?}", Secret::new(octets))),
        ("locator::plan::Next", format!("{:?}", Next::Url(url.clone()))),
        ("locator::scheme::Plan", format!("{of_plan:?}")),
        ("locator_fetch::Hop", format!("{:?}", hop())),
        ("locator_fetch::FetchError", format!("{error:?} {error} {source:?} {source} {of_text:?} {of_text}")),
        ("locator_fetch::MailMessage", format!("{message:?}")),
        ("locator_fetch::entries::Entry", format!("{entry:?}")),
        ("locator_fetch::run::Failure", format!("{:?}", failure())),
        ("locator_fetch::run::FailureKind", format!("{:?}", failure().kind)),
        ("locator_fetch::run::Detail", format!("{:?}", Detail::<ConnectCause>::from(format!("to {url}")))),
        ("locator_fetch::run::Reply", format!("{:?}", failure().reply)),
        ("locator_fetch::run::Outcome", format!("{:?}", Outcome::GoOn(Next::Url(url.clone())))),
        ("locator_fetch::run::Destination", format!("{:?}", Destination::Url(url.clone()))),
        ("locator_fetch::run::Run", format!("{run:?}")),
        ("locator_fetch::run::Want", format!("{:?} {:?}", Want::Send(octets), Want::Give(octets))),
        (
            "locator_fetch::run::Event",
            format!("{:?} {:?}", Event::Answer(octets), Event::Octets(Channel::Control, octets)),
        ),
    ]
}

/// The responses that are made by a server only are in the tests of `http`.
#[test]
fn no_debug_shows_a_secret() {
    for (name, shown) in shown() {
        assert!(!shown.contains(PASSWORD), "{name}: {shown}");
        // The library without `audit` knows passwords alone.
        let hides_tokens = name.starts_with("locator_fetch::") && name != "locator_fetch::run::Outcome";
        assert!(!hides_tokens || !shown.contains(TOKEN), "{name}: {shown}");
    }
}

#[test]
fn every_type_of_the_records_was_considered() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/secrets.toml");
    let considered: toml::Table = fs::read_to_string(&path).unwrap().parse().unwrap();
    let mut names: BTreeSet<String> = shown().into_iter().map(|(name, _)| name.to_owned()).collect();
    for list in considered.values() {
        let list = list.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned());
        names.extend(list);
    }
    let crates =
        ["", "-arrow", "-audit", "-domain", "-fetch", "-find", "-functions", "-gateway", "-links", "-web"];
    let all: BTreeSet<_> = crates.iter().flat_map(|name| types(&format!("locator{name}"))).collect();
    let forgotten: Vec<_> = all.difference(&names).collect();
    assert!(forgotten.is_empty(), "make them here, or name them in {}: {forgotten:?}", path.display());
    let gone: Vec<_> = names.iter().filter(|name| !all.contains(*name)).collect();
    assert!(gone.is_empty(), "{} names what is no type: {gone:?}", path.display());
}
