//! The verb `plan`: URLs in, what would be done to fetch them out.

use std::io::{self, Write};

use locator::Edition;
use locator::plan::{Options, Plan};
use locator::scheme::Registry;

use crate::arguments::{AskedByOne, Wishes};
use crate::config;
use crate::exit::{Status, Trouble};
use crate::failure::Failure;
use crate::input::Input;
use crate::reading;
use crate::run::{self, Answer, Output};
use crate::show::{Reports, json, plan};

struct Planner<'a> {
    edition: &'static Edition,
    registry: Registry<'a>,
    options: &'a Options<'a>,
    form: OutputForm,
    errors: Output,
    reports: Reports,
}

#[derive(Clone, Copy)]
enum OutputForm {
    Dialogue,
    Octets,
    Json,
}

/// Plans for every input.
pub(crate) fn run(wishes: &Wishes, asked: &AskedByOne, out: &mut Output) -> Result<Status, Trouble> {
    let config = config::read(wishes.config.as_deref())?;
    wishes.with_options(&config, |options| {
        let registry = wishes.registry(&config);
        let form = match (asked.inputs.json, wishes.octets) {
            (true, _) => OutputForm::Json,
            (false, true) => OutputForm::Octets,
            (false, false) => OutputForm::Dialogue,
        };
        let edition = asked.by.edition;
        let reports = Reports::new(&asked.inputs);
        let mut planner = Planner { edition, registry, options, form, errors: out.errors(), reports };
        run::run(&asked.inputs, &mut planner, out)
    })
}

impl Planner<'_> {
    fn plan(&self, octets: &[u8]) -> Result<Plan, Failure> {
        let reference = reading::read(octets, self.edition)?.reference;
        Ok(self.registry.plan(reference, self.options)?)
    }
}

impl Answer for Planner<'_> {
    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        let plan = self.plan(input.octets);
        let status = Status::of(plan.is_ok());
        match (self.form, &plan) {
            (OutputForm::Json, plan) => json::plan(out, input.octets, self.edition, plan)?,
            (OutputForm::Octets, Ok(plan)) => plan::octets(out, &plan.octets())?,
            (OutputForm::Dialogue, Ok(plan)) => {
                if input.number > 1 {
                    writeln!(out)?;
                }
                plan::write(out, plan)?;
            }
            (_, Err(why)) => {
                // On a terminal both are seen in the order of the input.
                out.flush()?;
                self.reports.tell(&mut self.errors, input, why);
            }
        }
        Ok(status)
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        Status::of(self.plan(input.octets).is_ok())
    }

    fn reports(&self) -> Option<&Reports> {
        Some(&self.reports)
    }
}
