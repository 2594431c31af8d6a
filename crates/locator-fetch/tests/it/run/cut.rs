//! Each dialogue, ended after each octet of the server by FIN, reset and silence.

use locator::plan::Meaning;
use locator_fetch::run::{FailureKind, Outcome, Whole};

use crate::run::dialogues::{Case, cases, check_sent, is_of_connection};
use crate::run::memory::Ran;
use crate::run::script::{End, cut, sent};

#[test]
fn cut_everywhere() {
    for case in cases() {
        let (plan, script) = (case.plan(), case.script());
        let driver = case.driver(usize::MAX, false);
        let whole = case.driver(usize::MAX, true).run(plan.clone(), script.clone());
        for offset in 0..sent(&script) {
            for how in [End::Fin, End::Reset, End::Silence] {
                let ran = driver.run(plan.clone(), cut(&script, offset, how));
                let name = format!("{} cut after {offset} octets by {how:?}", case.name);
                check(&case, &name, how, &whole, &ran);
                check_sent(&name, &plan, &ran.sent);
            }
        }
    }
}

/// Checks a run that was cut off against the whole one.
fn check(case: &Case, name: &str, how: End, whole: &Ran, ran: &Ran) {
    if is_error_of_gopher(case, how, whole, ran) {
        return;
    }
    assert!(whole.body.starts_with(&ran.body), "{name}: {ran:?}");
    match &ran.outcome {
        // Its end was there, and what was cut off came after it.
        outcome @ Outcome::Got { .. } if *outcome == whole.outcome => {
            assert_eq!(ran.body, whole.body, "{name}");
        }
        Outcome::Got { whole: Whole::Unverified, .. } => {
            let ends_with_connection =
                ["gopher:", "whois:"].iter().any(|scheme| case.url.starts_with(scheme));
            // All octets that a WAIS URL announces were read, and the server closes instead of an answer.
            let length = format!("/{}/", ran.body.len());
            let is_announced = case.url.starts_with("wais:") && case.url.contains(&length);
            assert!((ends_with_connection || is_announced) && how == End::Fin, "{name}: {ran:?}");
        }
        // The server said that all was sent before it sent all: only the end of the data shows how much
        // that was.
        Outcome::Got { whole: Whole::Confirmed, .. } => {
            assert!(how == End::Fin && ran.heard.ends_with(b"226 Transfer complete.\r\n"), "{name}: {ran:?}");
        }
        // A line of a Gopher text that is "." alone, which looks like the last one.
        Outcome::Got { whole: Whole::Framed, .. } => {
            assert!(how == End::Fin && case.url.starts_with("gopher:"), "{name}: {ran:?}");
            assert!(ran.heard.ends_with(b"\n.\r\n") || ran.heard.ends_with(b"\n.\n"), "{name}: {ran:?}");
        }
        Outcome::Failed(failure) => {
            assert!(is_of_connection(&failure.kind) || is_refusal(&failure.kind, whole), "{name}: {failure}");
            assert!(!failure.during.is_empty(), "{name}: {failure}");
            let is_named = match how {
                End::Reset => !matches!(failure.kind, FailureKind::CutOff),
                End::Silence => !matches!(failure.kind, FailureKind::CutOff | FailureKind::Reset),
                _ => !matches!(failure.kind, FailureKind::Reset | FailureKind::TimedOut(_)),
            };
            assert!(is_named || failure_of(whole) == Some(&failure.kind), "{name}: {failure}");
        }
        other => assert_eq!(*other, whole.outcome, "{name}"),
    }
}

/// Returns whether a line of Gopher becomes an error, or an error a text, because the connection ends: only
/// the octets show errors, and nothing shows the end.
fn is_error_of_gopher(case: &Case, how: End, whole: &Ran, ran: &Ran) -> bool {
    let missing = FailureKind::Said(Meaning::Missing);
    let is_one = |ran: &Ran| failure_of(ran) == Some(&missing);
    let may_be_one = matches!(ran.heard.first(), Some(b'0' | b'3')) && how == End::Fin;
    case.url.starts_with("gopher:") && may_be_one && is_one(ran) != is_one(whole)
}

fn failure_of(ran: &Ran) -> Option<&FailureKind> {
    match &ran.outcome {
        Outcome::Failed(failure) => Some(&failure.kind),
        _ => None,
    }
}

/// Returns whether a failure is that of the whole run, whose text was cut off.
fn is_refusal(kind: &FailureKind, whole: &Ran) -> bool {
    failure_of(whole) == Some(kind)
}
