//! The dialogues of `testdata/fetch/strangers`, with servers in memory.

use locator_dev::cases::{self, octets};
use locator_fetch::run::{Limits, Outcome};
use serde::Deserialize;

use crate::run::memory::Driver;
use crate::run::script::{End, cut, script, sent};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Dialogue {
    name: String,
    url: String,
    server: String,
    #[serde(default)]
    body: String,
    whole: Option<String>,
    failure: Option<String>,
}

fn driver(piece: usize, is_strict: bool) -> Driver {
    let peer = "192.0.2.1".parse().unwrap();
    Driver { peer, answers: [].into(), limits: Limits::default(), piece, is_strict }
}

#[test]
fn dialogues() {
    for case in cases::read::<Dialogue>("fetch/strangers") {
        let plan = super::plan(&case.url).unwrap();
        for piece in [usize::MAX, 1] {
            let ran = driver(piece, true).run(plan.clone(), script(&case.server));
            assert!(ran.is_played, "{}: {ran:?}", case.name);
            let (whole, failure) = match &ran.outcome {
                Outcome::Got { whole, .. } => (Some(format!("{whole:?}").to_lowercase()), None),
                Outcome::Failed(failure) => (None, Some(failure.kind.name().to_owned())),
                other => panic!("{}: {other:?}", case.name),
            };
            let found = (ran.body, whole, failure);
            assert_eq!(
                found,
                (octets(&case.body), case.whole.clone(), case.failure.clone()),
                "{}",
                case.name
            );
        }
    }
}

/// Cut off anywhere, what was read is a beginning of the object, and whole only if it is all of it.
#[test]
fn dialogues_cut_everywhere() {
    for case in cases::read::<Dialogue>("fetch/strangers") {
        let (plan, script) = (super::plan(&case.url).unwrap(), script(&case.server));
        let whole = driver(usize::MAX, true).run(plan.clone(), script.clone());
        for offset in 0..sent(&script) {
            for how in [End::Fin, End::Reset, End::Silence] {
                let ran = driver(usize::MAX, false).run(plan.clone(), cut(&script, offset, how));
                let name = format!("{} cut after {offset} octets by {how:?}: {ran:?}", case.name);
                assert!(whole.body.starts_with(&ran.body), "{name}");
                assert!(ran.sent.len() as u64 <= plan.most_sends(), "{name}");
                if let Outcome::Got { .. } = ran.outcome {
                    assert_eq!((&ran.body, &ran.outcome), (&whole.body, &whole.outcome), "{name}");
                }
            }
        }
    }
}
