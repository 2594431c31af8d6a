//! The verb `normalize`: references in, their normal form out.

use locator::{Edition, Level};

use crate::arguments::{AskedByOne, Normal};
use crate::exit::{Status, Trouble};
use crate::failure::Failure;
use crate::find::Seen;
use crate::make::{self, Made, Make};
use crate::reading;
use crate::run::Output;
use crate::show::json::Head;

struct Normalize {
    edition: &'static Edition,
    level: Level,
    /// Only those that are not normal are told of.
    check: bool,
    /// The normal forms so far, if each is printed once.
    seen: Option<Seen>,
    /// Whether what is not valid is repaired first.
    repair: bool,
}

/// Normalizes every input.
pub(crate) fn run(normal: &Normal, asked: &AskedByOne, out: &mut Output) -> Result<Status, Trouble> {
    let seen = normal.unique.then(Seen::default);
    let (edition, level, check) = (asked.by.edition, normal.level(), normal.check);
    let verb = Normalize { edition, level, check, repair: normal.repair.repair, seen };
    make::run(&asked.inputs, Head::Input, verb, out)
}

impl Make for Normalize {
    fn repaired(&self, octets: &[u8]) -> Option<String> {
        self.repair.then(|| reading::repaired(octets, self.edition)).flatten()
    }

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let reference = reading::read(octets, self.edition)?.reference;
        let normal = reference.normalize(self.level);
        if self.seen.as_ref().is_some_and(|seen| !seen.is_new(normal.as_str())) {
            return Ok(Made::Nothing);
        }
        Ok(match (self.check, normal.is_as_given()) {
            (true, true) => Made::Nothing,
            (true, false) => Made::Wanting { given: reference.as_str(), normal: normal.into_string() },
            (false, _) => Made::Reference(normal.into_text()),
        })
    }
}
