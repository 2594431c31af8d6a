//! The command `locator`: a table of contents.
//!
//! Arguments enter, an exit status leaves. A verb is a file of [`verbs`]; what several share is beside them.

mod arguments;
mod base;
mod config;
mod exit;
mod failure;
mod field;
mod hint;
mod input;
mod interrupt;
mod lint;
mod make;
mod output;
mod paths;
mod progress;
mod reading;
mod run;
mod seen;
mod show;
mod terminal;
mod verbs;

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser};

use crate::output::Output;
use crate::terminal::secrets;
use crate::verbs::Verb;

/// Reads, checks and explains URLs by every edition of the standard.
#[derive(Debug, Parser)]
#[command(name = "locator", version, after_help = EXAMPLES)]
#[command(arg_required_else_help = true, max_term_width = 80)]
#[command(subcommand_value_name = "VERB", subcommand_help_heading = "Verbs")]
struct Arguments {
    /// When to use colour; auto is on a terminal, unless NO_COLOR says otherwise
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    #[arg(display_order = 100)]
    color: ColorChoice,
    /// Show passwords, which messages and what people read hide otherwise
    #[arg(long, global = true, display_order = 101)]
    show_secrets: bool,
    /// What to do.
    #[command(subcommand)]
    verb: Verb,
}

/// After the options of `locator`.
const EXAMPLES: &str = "\
Examples:
  locator read http://user@example.com:8080/a?q#f
  locator check < urls.txt
  locator read -e all http://10.0.0.256/
  locator resolve --base http://a/b/c/d ../g
  locator normalize HTTP://Example.COM:80/%7euser
  locator edit -s host=example.org --qtrim 'utm_*' < urls.txt
  locator convert http://résumé.example/
  locator find -t html --absolute --base https://example.com/ public/
  locator plan ftp://myname@host.dom/%2Fetc/motd

Exit status: 0 all is valid, 1 something is not, 2 wrong use.
Each verb has more to say: locator read --help";

fn main() -> ExitCode {
    let arguments = match read() {
        Ok(arguments) => arguments,
        Err(error) => return exit::wrong_use(&error),
    };
    secrets::show(arguments.show_secrets);
    let mut out = Output::open(arguments.color);
    let result = arguments.verb.run(Arguments::command, &mut out);
    exit::code(result)
}

/// Reads the command line.
fn read() -> Result<Arguments, clap::Error> {
    let mut command = Arguments::command();
    let matches = command.try_get_matches_from_mut(std::env::args_os()).map_err(with_tip)?;
    Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Who forgets the verb is told how to go on.
fn with_tip(mut error: clap::Error) -> clap::Error {
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidSubcommand)
        && given.contains([':', '/', '.'])
    {
        let tip = format!("to read a URL: 'locator read {given}'");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn no_line_is_broken_by_a_terminal() {
        let command = super::Arguments::command();
        for verb in command.get_subcommands().chain([&command]) {
            assert!(verb.get_after_help().is_some(), "{verb} has no examples");
            let texts = [verb.get_after_help(), verb.get_after_long_help()];
            let text = texts.into_iter().flatten().map(|text| format!("{text}\n")).collect::<String>();
            for line in text.lines() {
                assert!(line.chars().count() < 80, "{line}");
            }
        }
    }
}
