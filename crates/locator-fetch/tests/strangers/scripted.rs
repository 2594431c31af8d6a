//! The dialogues of `testdata/fetch/strangers`, with servers in memory.

use locator_dev::cases::{self, octets};
use locator_fetch::run::{Limits, Outcome};
use serde::Deserialize;

use crate::memory::Driver;
use crate::script::script;

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

#[test]
fn dialogues() {
    for case in cases::read::<Dialogue>("fetch/strangers") {
        let plan = super::plan(&case.url).unwrap();
        for piece in [usize::MAX, 1] {
            let driver = Driver {
                peer: "192.0.2.1".parse().unwrap(),
                answers: [].into(),
                limits: Limits::default(),
                piece,
                is_strict: true,
            };
            let ran = driver.run(plan.clone(), script(&case.server));
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
