//! Several plans on one connection: the cases of `testdata/fetch/sessions.toml`, whole, in pieces and cut off.

use locator::UriRef;
use locator::plan::{self, Options, Plan};
use locator_dev::cases::{self, octets};
use locator_fetch::run::{Limits, Outcome};
use serde::Deserialize;

use crate::run::dialogues::fits;
use crate::run::memory::{Driver, Ran};
use crate::run::script::{Act, End, cut, script, sent};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    urls: Vec<String>,
    /// Whether the server is asked for its directory after the login.
    #[serde(default = "yes")]
    keeps: bool,
    server: String,
    results: Vec<String>,
}

const fn yes() -> bool {
    true
}

impl Case {
    fn plans(&self) -> Vec<Plan> {
        let plan = |url: &String| plan::plan(UriRef::parse(url).unwrap(), &Options::new()).unwrap();
        self.urls.iter().map(plan).collect()
    }

    fn run(&self, piece: usize, is_strict: bool, script: Vec<Act>) -> Vec<Ran> {
        let (peer, answers) =
            ("192.0.2.1".parse().unwrap(), std::iter::repeat_n(b"me@h".to_vec(), 9).collect());
        let driver = Driver { peer, answers, limits: Limits::new(), piece, is_strict };
        driver.run_all(self.plans(), self.keeps, script)
    }
}

fn result(ran: &Ran) -> String {
    match &ran.outcome {
        Outcome::Got { .. } => ran.body.escape_ascii().to_string(),
        Outcome::Failed(failure) => format!("error: {}", failure.kind.name()),
        other => format!("{other:?}"),
    }
}

#[test]
fn sessions() {
    for case in cases::read::<Case>("fetch/sessions.toml") {
        for piece in [usize::MAX, 1] {
            let all = case.run(piece, true, script(&case.server));
            let results: Vec<_> = all.iter().map(result).collect();
            let expected = case.results.iter().map(|text| octets(text).escape_ascii().to_string());
            assert_eq!(results, expected.collect::<Vec<_>>(), "{}", case.name);
            assert!(all.last().unwrap().is_played, "{}: the script was not played to its end", case.name);
            for (plan, ran) in case.plans().iter().zip(&all) {
                check_sent(&case.name, plan, &ran.sent);
            }
        }
    }
}

/// What is sent is of the plan, or of the session: `PWD`, and `CWD` to the directory that it names.
fn check_sent(name: &str, plan: &Plan, sent: &[Vec<u8>]) {
    for message in sent {
        let is_of_session = message == b"PWD\r\n"
            || message.starts_with(b"CWD /")
            || message == b"EPSV\r\n"
            || message == b"PASV\r\n";
        assert!(
            is_of_session || plan.messages().any(|own| fits(own, message)),
            "{name}: {}",
            message.escape_ascii()
        );
    }
}

#[test]
fn cut_sessions() {
    for case in cases::read::<Case>("fetch/sessions.toml") {
        let script = script(&case.server);
        let whole = case.run(usize::MAX, true, script.clone());
        for offset in 0..sent(&script) {
            for how in [End::Fin, End::Reset, End::Silence] {
                let name = format!("{} cut after {offset} octets by {how:?}", case.name);
                let all = case.run(usize::MAX, false, cut(&script, offset, how));
                assert_eq!(all.len(), whole.len(), "{name}");
                for ((whole, ran), plan) in whole.iter().zip(&all).zip(case.plans()) {
                    assert!(whole.body.starts_with(&ran.body), "{name}: {ran:?}");
                    assert!(
                        !matches!(ran.outcome, Outcome::Got { .. })
                            || ran.body == whole.body
                            || is_early(ran),
                        "{name}: {ran:?}"
                    );
                    check_sent(&name, &plan, &ran.sent);
                }
            }
        }
    }
}

/// Returns whether the server said that all was sent before it sent all.
fn is_early(ran: &Ran) -> bool {
    ran.heard.ends_with(b"226 sent\r\n")
}
