//! The verb `read`: inputs in, their components out.

use std::io::{self, Write};

use crate::arguments::Asked;
use crate::every::Every;
use crate::exit::{Status, Trouble};
use crate::input::Input;
use crate::reading;
use crate::run::{self, Answer, Output};
use crate::selection::Selection;
use crate::show::{diagnosis, every, json, person};

struct Read {
    selection: Selection,
    json: bool,
}

/// Reads every input.
pub(crate) fn run(asked: Asked, out: &mut Output) -> Result<Status, Trouble> {
    let mut verb = Read { selection: asked.edition, json: asked.inputs.json };
    run::run(&asked.inputs, &mut verb, out)
}

impl Answer for Read {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        if !self.json && input.number > 1 {
            writeln!(out)?;
        }
        let octets = input.octets;
        match self.selection {
            Selection::All => {
                let readings = Every::of(octets);
                if self.json {
                    json::every(out, &readings)?;
                } else {
                    every::write(out, &readings)?;
                }
                Ok(Status::of(readings.refused().next().is_none()))
            }
            Selection::One(edition) => {
                let reading = reading::read(octets, edition);
                match &reading {
                    _ if self.json => json::read(out, octets, edition, &reading)?,
                    Ok(reading) => person::write(out, reading)?,
                    Err(error) => diagnosis::refusal(out, octets, error)?,
                }
                Ok(Status::of(reading.is_ok()))
            }
        }
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        reading::judge(input.octets, self.selection.editions())
    }
}
