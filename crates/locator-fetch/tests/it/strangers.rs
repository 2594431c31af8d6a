//! Schemes of a program's own, which only the public API knows: `finger` (RFC 1288; URLs by
//! draft-ietf-uri-url-finger), `dict` (RFC 2229, section 5), and `counted`, which is invented. They are
//! registered, planned, printed, carried out against servers in memory, and fetched from real ones.
//! `scripts/static/plans` checks their JSON, and `scripts/command/dialogues` carries it out.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod counted;
mod dict;
#[cfg(target_os = "linux")]
mod fetched;
mod finger;
mod scripted;

use std::collections::VecDeque;

use locator::UriRef;
use locator::edition::RFC3986;
use locator::plan::{Options, Plan, Prompt};
use locator::scheme::Registry;
use locator_fetch::run::{Channel, Ending, Event, Limits, Outcome, Run, Want, Whole};
use locator_web::report::plan_object;
use serde_json::{Value, json};

fn registry() -> Registry<'static> {
    let mut registry = Registry::new();
    registry.register_planner(&finger::Finger).unwrap();
    registry.register_planner(&dict::Dict).unwrap();
    registry.register_planner(&counted::Counted).unwrap();
    registry
}

fn plan(url: &str) -> Result<Plan, String> {
    let reference = UriRef::parse_with(url, &RFC3986).map_err(|error| error.to_string())?;
    registry().plan(reference, &Options::new()).map_err(|error| error.to_string())
}

/// What a server does: it reads a line, or sends octets.
enum Does {
    Reads(&'static str),
    Sends(&'static str),
}

/// Carries out a plan against a server in memory; returns the object and how the run ended. The
/// octets of the server come in pieces of this length.
fn fetch(url: &str, dialogue: Vec<Does>, piece: usize) -> (String, Outcome) {
    let mut run = Run::new(plan(url).unwrap(), Limits::default());
    let mut dialogue = VecDeque::from(dialogue);
    let (mut body, mut sent, mut coming) = (Vec::new(), Vec::new(), VecDeque::new());
    loop {
        while let Some(Does::Sends(text)) = dialogue.front() {
            coming.extend(text.bytes());
            dialogue.pop_front();
        }
        let next: Vec<u8> = coming.iter().take(piece).copied().collect();
        let event = match run.want() {
            Want::Dial(to) => {
                Event::Dialled(Channel::Control, format!("192.0.2.1:{}", to.port).parse().unwrap())
            }
            Want::Send(octets) => {
                sent.extend_from_slice(octets);
                Event::Sent(octets.len())
            }
            Want::Ask(Prompt::Search) => Event::Answer(b"well known"),
            Want::Give(octets) => {
                body.extend_from_slice(octets);
                Event::Taken(octets.len())
            }
            Want::Read { .. } if next.is_empty() => Event::Ended(Channel::Control, Ending::Fin),
            Want::Read { .. } => {
                coming.drain(..next.len());
                Event::Octets(Channel::Control, &next)
            }
            Want::Done(outcome) => {
                assert!(sent.is_empty() && dialogue.is_empty(), "{url}: {}", sent.escape_ascii());
                return (String::from_utf8(body).unwrap(), outcome.clone());
            }
            want => panic!("{url}: {want:?}"),
        };
        run.handle(event, 0);
        if sent.ends_with(b"\r\n") {
            let Some(Does::Reads(line)) = dialogue.pop_front() else { panic!("{url}: {sent:?} is sent") };
            assert_eq!(String::from_utf8(std::mem::take(&mut sent)).unwrap(), format!("{line}\r\n"));
        }
    }
}

/// Fetches with the server's octets whole and one by one; both must be the same.
fn fetched(url: &str, dialogue: impl Fn() -> Vec<Does>) -> (String, Outcome) {
    let whole = fetch(url, dialogue(), usize::MAX);
    assert_eq!(fetch(url, dialogue(), 1), whole, "{url}");
    whole
}

fn got(octets: &str, whole: Whole) -> Outcome {
    Outcome::Got { whole, octets: octets.len() as u64 }
}

#[test]
fn finger_is_fetched() {
    let answer = "Login: joe\r\n.\r\n";
    for (url, line) in [
        ("finger://h/joe", "joe"),
        ("finger://h:79/", ""),
        ("finger://h", ""),
        ("finger://h/W%20joe", "W joe"),
        ("finger://h/%2FW%20joe%40other", "/W joe@other"),
    ] {
        let (body, outcome) = fetched(url, || vec![Does::Reads(line), Does::Sends(answer)]);
        assert_eq!((body.as_str(), outcome), (answer, got(answer, Whole::Unverified)), "{url}");
    }
}

#[test]
fn dict_is_fetched() {
    use Does::{Reads, Sends};
    let hello =
        || vec![Sends("220 dict <auth.mime> <1@h>\r\n"), Reads("CLIENT locator"), Sends("250 ok\r\n")];
    let with = |more: Vec<Does>| hello().into_iter().chain(more).collect::<Vec<_>>();
    let all = || {
        with(vec![
            Reads(r#"DEFINE * a\ \"b\"\ c"#),
            Sends("150 2 definitions\r\n151 \"x\" web \"Web\"\r\none\r\n..two\r\n.\r\n"),
            Sends("151 \"x\" gcide \"G\"\r\nthree\r\n.\r\n250 ok [d/m/c]\r\n"),
        ])
    };
    let (body, outcome) = fetched("dict://h/d:a%20%22b%22%20c:*", all);
    assert_eq!(body, "one\r\n.two\r\nthree\r\n");
    assert_eq!(outcome, got(&body, Whole::Framed));

    let first = || with(vec![Reads("DEFINE ! x"), Sends("150 1 x\r\n151 x web w\r\none\r\n.\r\n250 ok\r\n")]);
    assert_eq!(fetched("dict://h/d:x", first).0, "one\r\n");

    let matched = || {
        with(vec![Reads("MATCH web prefix x"), Sends("152 1 matches\r\nweb \"xylem\"\r\n.\r\n250 ok\r\n")])
    };
    assert_eq!(fetched("dict://h/m:x:web:prefix", matched).0, "web \"xylem\"\r\n");
    assert_eq!(fetched("dict://h/m:x:web:prefix:", matched).0, "web \"xylem\"\r\n");

    let shown = || with(vec![Reads("SHOW INFO web"), Sends("112 web\r\nWeb\r\n.\r\n250 ok\r\n")]);
    assert_eq!(fetched("dict://h/show:info:web", shown).0, "Web\r\n");

    let asked = || with(vec![Reads("DEFINE ! \"well known\""), Sends("552 no match\r\n")]);
    let (_, outcome) = fetched("dict://h/d:", asked);
    let Outcome::Failed(failure) = outcome else { panic!("{outcome:?}") };
    assert_eq!(failure.kind.name(), "missing");

    let cut = || with(vec![Reads("DEFINE ! x"), Sends("150 1 x\r\n151 x web w\r\none\r\n")]);
    let (body, outcome) = fetched("dict://h/d:x", cut);
    let Outcome::Failed(failure) = outcome else { panic!("{outcome:?}") };
    assert_eq!((body.as_str(), failure.kind.name()), ("one\r\n", "cut-off"));
}

/// The URLs whose plans are recorded.
const RECORDED: [&str; 9] = [
    "finger://h/joe",
    "finger://h:70/joe",
    "dict://h/d:x:web",
    "dict://h:2629/m:x",
    "dict://h/d:",
    "dict://h/d:x:web:1",
    "dict://h/d:x:web:3",
    "counted://h/a",
    "dict://h/show:info:web",
];

#[test]
fn plans_are_printed_and_recorded() {
    let known = RECORDED.map(|url| match plan(url) {
        Ok(plan) => json!({"input": url, "edition": "rfc3986", "plan": plan_object(&plan, true)}),
        Err(message) => json!({"input": url, "edition": "rfc3986", "error": {"message": message}}),
    });
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/fetch/strangers.jsonl");
    if std::env::var_os("UPDATE").is_some() {
        let lines: String = known.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(path, lines).unwrap();
    }
    // The order of keys depends on the features of serde_json.
    let recorded = std::fs::read_to_string(path).unwrap();
    let recorded: Vec<Value> = recorded.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(recorded, known, "UPDATE=1 records it again");
    let printed = plan("dict://h/m:x").unwrap().to_string();
    assert!(printed.contains("  C: MATCH ! . x\n  S: 152 (the data follows)\n"), "{printed}");
}

#[test]
fn what_would_be_another_command_is_refused() {
    for (url, why) in [
        ("finger://h/a%0D%0Ab", "CR is not allowed in the request"),
        ("dict://h/d:a%0Ab", "LF is not allowed in the word"),
        ("dict://h/d:a:b%20c", "a space is not allowed in the database"),
        ("dict://h/d:a:%22", "is not allowed in the database"),
        ("dict://u;p@h/d:a", "the form"),
        ("dict://h/x:a", "the form"),
        ("finger://u@h/a", "the form"),
        ("finger://h/a?b", "the form"),
        ("dict://h/d:a:b:0", "from 1 to 16"),
        ("dict://h/d:a:b:17", "from 1 to 16"),
        ("dict://h/d:a:b:x", "from 1 to 16"),
        ("dict://h/m:a:b:c:1", "all matches"),
        ("dict://h/show:x", "show:info:database"),
        ("dict://h/show:info:a%20b", "a space is not allowed in the database"),
    ] {
        let error = plan(url).unwrap_err();
        assert!(error.contains(why), "{url}: {error}");
    }
}
