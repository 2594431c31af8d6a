//! The verbs `completions` and `man`: the command's own description in, what shells and
//! `man` read out.

use std::io::Write;

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::exit::{Status, Trouble};
use crate::output::Output;

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS)]
pub(crate) struct CompletionsArgs {
    /// The shell it is for
    shell: Shell,
}

/// After the options of `locator completions`.
const COMPLETIONS: &str = "\
Examples:
  locator completions bash > ~/.local/share/bash-completion/completions/locator
  locator completions zsh > ~/.zfunc/_locator
  locator completions fish > ~/.config/fish/completions/locator.fish";

/// Print the manual page, or that of a verb
#[derive(Args, Debug)]
#[command(after_help = MAN)]
pub(crate) struct ManArgs {
    /// The verb it is about
    verb: Option<String>,
}

/// After the options of `locator man`.
const MAN: &str = "\
Examples:
  locator man > locator.1
  locator man read > locator-read.1
  locator man | man -l -";

/// Prints a completion script.
pub(crate) fn completions(
    args: &CompletionsArgs,
    mut command: Command,
    out: &mut Output,
) -> Result<Status, Trouble> {
    // In memory first: the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "locator", &mut script);
    out.write_all(&script)?;
    out.flush()?;
    Ok(Status::Valid)
}

/// Prints the manual page of the command or of a verb.
pub(crate) fn man(args: ManArgs, mut command: Command, out: &mut Output) -> Result<Status, Trouble> {
    command.build();
    let page = match args.verb {
        None => command,
        Some(verb) => command.find_subcommand(&verb).cloned().ok_or(Trouble::NoVerb(verb))?,
    };
    Man::new(page).render(out)?;
    out.flush()?;
    Ok(Status::Valid)
}
