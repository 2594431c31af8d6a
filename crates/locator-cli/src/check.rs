//! The verb `check`: inputs in; what is wrong with those that are not valid out.

use std::io::{self, Write};

use crate::arguments::Asked;
use crate::exit::{Status, Trouble};
use crate::input::Input;
use crate::reading;
use crate::run::{self, Answer, Output};
use crate::selection::Selection;
use crate::show::{diagnosis, json};

struct Check {
    selection: Selection,
    json: bool,
    /// Every error, not just the first.
    all: bool,
    /// Whether something has been said, which the next diagnosis must stand off from.
    said: bool,
}

/// Checks every input.
pub(crate) fn run(asked: Asked, all: bool, out: &mut Output) -> Result<Status, Trouble> {
    let mut verb = Check { selection: asked.edition, json: asked.inputs.json, all, said: false };
    run::run(&asked.inputs, &mut verb, out)
}

impl Answer for Check {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        let (mut status, selection) = (Status::Valid, self.selection);
        for edition in selection.editions() {
            if let Err(error) = reading::read(input.octets, edition) {
                status = Status::NotValid;
                self.tell(input, error, out)?;
            }
        }
        Ok(status)
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        reading::judge(input.octets, self.selection.editions())
    }
}

impl Check {
    #[cold]
    fn tell(&mut self, input: Input<'_>, first: locator::Error, out: &mut Output) -> io::Result<()> {
        let mut errors: Box<dyn Iterator<Item = _>> = Box::new(std::iter::once(first));
        if self.all {
            errors = Box::new(reading::errors(input.octets, first));
        }
        if self.json {
            return json::check(out, input, &first, errors);
        }
        let place = self.place(input, first.edition().name);
        for error in errors {
            if self.said {
                writeln!(out)?;
            }
            self.said = true;
            diagnosis::write(out, &place, input.octets, &error)?;
        }
        Ok(())
    }

    /// Where a person finds what is diagnosed: `line 17, rfc1738: `.
    fn place(&self, input: Input<'_>, edition: &str) -> String {
        let of_input = (!input.alone).then(|| format!("{} {}", input.origin.name(), input.number));
        let of_edition = self.selection.is_all().then(|| edition.to_owned());
        let words: Vec<_> = of_input.into_iter().chain(of_edition).collect();
        if words.is_empty() { String::new() } else { words.join(", ") + ": " }
    }
}
