//! The verbs `completions` and `man`: the command's own description in, what shells and
//! `man` read out.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::arguments::Arguments;
use crate::exit::{Status, Trouble};
use crate::run::Output;

/// Prints a completion script.
pub(crate) fn completions(shell: Shell, out: &mut Output) -> Result<Status, Trouble> {
    // In memory first: the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "locator", &mut script);
    out.write_all(&script)?;
    out.flush()?;
    Ok(Status::Valid)
}

/// Prints the manual page of the command or of a verb.
pub(crate) fn man(verb: Option<String>, out: &mut Output) -> Result<Status, Trouble> {
    let mut command = Arguments::command();
    command.build();
    let page = match verb {
        None => command,
        Some(verb) => command.find_subcommand(&verb).cloned().ok_or(Trouble::NoVerb(verb))?,
    };
    Man::new(page).render(out)?;
    out.flush()?;
    Ok(Status::Valid)
}
