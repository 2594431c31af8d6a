//! The command `locator`: reads the command line, runs a verb and returns its exit status.
//!
//! [`arguments`] describes the command line, and [`verbs`] has a file for each verb. [`input`] is what they read, [`run`]
//! passes each input to a verb, [`report`] says what is wrong with one, [`output`] and [`terminal`] are what they write
//! to. [`field`] are the parts of URLs by name, [`pasted`] what people type around a URL, [`since`] what git says has
//! changed, and [`exit`] the statuses and messages of a run.

mod arguments;
mod exit;
mod field;
mod input;
mod output;
mod pasted;
mod report;
mod run;
mod since;
mod terminal;
mod verbs;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, ColorChoice, Command, CommandFactory, FromArgMatches, Parser};

use crate::arguments::help::{self, ALL_VERBS, Screen};
use crate::arguments::hints::{self, Rejected};
use crate::arguments::note_dashes;
use crate::output::Output;
use crate::terminal::{paint, secrets};
use crate::verbs::Verb;

/// Check, audit, edit, find and fetch URLs, by RFC 3986 or any earlier URL standard
///
/// The verbs take URLs as arguments or, one per line, from standard input. 'locator URL' is the same
/// as 'locator read URL', and 'locator' alone reads a pipe or a file. An edition, which -e selects, is one version of the URL standard: an RFC or
/// a draft, from 1993 on.
#[derive(Debug, Parser)]
#[command(name = "locator", version, after_help = EXAMPLES)]
#[command(arg_required_else_help = true, disable_help_flag = true, max_term_width = help::WIDEST)]
#[command(styles = paint::styles())]
#[command(subcommand_value_name = "VERB", subcommand_help_heading = "Verbs")]
#[command(override_usage = "locator [OPTIONS] <VERB>\n       locator [OPTIONS] <URL>...")]
struct Arguments {
    /// When to use colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    #[arg(help_heading = ALL_VERBS, display_order = 100, hide_short_help = true)]
    color: ColorChoice,
    /// Print passwords and tokens instead of (hidden); in JSON only audit hides them
    #[arg(long, global = true)]
    #[arg(help_heading = ALL_VERBS, display_order = 101, hide_short_help = true)]
    show_secrets: bool,
    #[arg(short, long, global = true, action = ArgAction::Help)]
    #[arg(help = "Print this help; --help describes all options")]
    #[arg(long_help = "Print this help; -h describes only the most common options")]
    #[arg(help_heading = ALL_VERBS, display_order = 102)]
    help: Option<bool>,
    /// The verb to run.
    #[command(subcommand)]
    verb: Verb,
}

/// After the options of `locator`.
const EXAMPLES: &str = "\
Examples:
  locator 'http://user@example.com:8080/a?q#f'
  locator read -e all http://10.0.0.256/
  locator check < urls.txt
  locator audit 'http://www.example.com&story=news@10.0.0.1/'
  locator edit -s host=example.org --qtrim 'utm_*' < urls.txt
  locator resolve --base http://a/b/c/d ../g
  locator links docs/

Exit status:
  0    every input is valid
  1    at least one input is not valid
  2    wrong usage
  130  interrupted

Run 'locator VERB --help' for a full description of a verb.
The exit statuses of compare and find are different.";

fn main() -> ExitCode {
    let lines = match read() {
        Ok(lines) => lines,
        Err(rejected) => {
            secrets::show(shows_secrets());
            return match rejected {
                Rejected::Clap(error) => exit::wrong_use(&error),
                Rejected::Misuse(misuse) => exit::misused(&misuse),
            };
        }
    };
    if lines.iter().filter(|(arguments, _)| arguments.verb.reads_stdin()).nth(1).is_some() {
        exit::say_error(
            "standard input can be read only once, and two of the lines that --next divides use it",
        );
        return exit::code(Err(exit::CliError::Reported));
    }
    let mut all = Ok(exit::Status::Valid);
    for (arguments, given) in lines {
        note_dashes(&given);
        secrets::show(arguments.show_secrets);
        let mut out = Output::open(arguments.color);
        let result = arguments.verb.run(command, &mut out);
        if matches!(result, Err(exit::CliError::Interrupted)) {
            run::interrupt::end_by(run::interrupt::Signal::Interrupt);
        }
        let ends = matches!(result, Err(exit::CliError::Writing(_)));
        all = exit::both(all, result);
        if ends {
            break;
        }
    }
    exit::code(all)
}

fn shows_secrets() -> bool {
    std::env::args_os().any(|argument| argument == "--show-secrets")
}

/// Describes the command line, with all verbs in its help.
fn command() -> Command {
    help::grouped(Arguments::command(), Screen::All)
}

/// What a line of the command is: its arguments, and those that it was read from.
type Lines = Vec<(Arguments, Vec<OsString>)>;

/// Reads the command line: several with `--next` of `get`.
fn read() -> Result<Lines, Rejected> {
    let given: Vec<OsString> = std::env::args_os().collect();
    let parse = |given: &[OsString]| read_lines(given.to_vec());
    secrets::show(shows_secrets());
    if let Some(rejected) = hints::misread(&given, command, parse) {
        return Err(rejected);
    }
    parse(&given).or_else(|error| match error.use_stderr() {
        true => hints::meaning(error, &given, &command(), parse),
        false => Err(Rejected::Clap(error)),
    })
}

/// Reads the lines of a command line.
fn read_lines(mut given: Vec<OsString>) -> Result<Lines, clap::Error> {
    if given.get(1).is_some_and(|verb| verb == "help") {
        // 'locator help -h' is 'locator help'; clap would look for a verb of that name.
        given.retain(|argument| argument != "-h" && argument != "--help");
        match given.get(2) {
            None => given = vec!["locator".into(), "-h".into()],
            Some(what) if what == "all" && given.len() == 3 => {
                given = vec!["locator".into(), "--help".into()];
            }
            Some(_) => {}
        }
    }
    let screen = if given.iter().any(|argument| argument == "--help") { Screen::All } else { Screen::First };
    let mut command = help::grouped(Arguments::command(), screen);
    #[cfg(feature = "get")]
    let lines = arguments::curl::lines(given, &command)?.into_iter().map(|line| line.arguments);
    #[cfg(not(feature = "get"))]
    let lines = std::iter::once(given);
    lines.map(|given| read_line(given, &mut command)).collect()
}

/// Reads one command line.
fn read_line(
    mut given: Vec<OsString>,
    command: &mut Command,
) -> Result<(Arguments, Vec<OsString>), clap::Error> {
    let matches = command.try_get_matches_from_mut(&given).or_else(|error| {
        let Some(place) = place_of_read(&error, &given, command) else {
            return Err(explained(error, &given));
        };
        given.insert(place, "read".into());
        command.try_get_matches_from_mut(&given)
    })?;
    let arguments = Arguments::from_arg_matches(&matches).map_err(|error| error.format(command))?;
    Ok((arguments, given))
}

/// Returns where the verb `read` is left out: before a URL in place of a verb, an option that only
/// verbs have, or nothing, if standard input has content.
fn place_of_read(error: &clap::Error, given: &[OsString], command: &Command) -> Option<usize> {
    let has_verb = || given.iter().skip(1).any(|argument| command.find_subcommand(argument).is_some());
    match error.kind() {
        ErrorKind::InvalidSubcommand => place_of_url(error, given),
        ErrorKind::UnknownArgument => (!has_verb()).then_some(1),
        // Nothing is given but what `locator` itself takes: URLs may be in standard input.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            input::stdin_has_content().then_some(1)
        }
        _ => None,
    }
}

/// Says in an error about `-s` of `edit` what it is elsewhere.
fn explained(error: clap::Error, given: &[OsString]) -> clap::Error {
    match given.iter().skip(1).any(|verb| verb == "edit") {
        true => verbs::edit::explain(error),
        false => error,
    }
}

/// Returns which argument is a URL where a verb is expected.
fn place_of_url(error: &clap::Error, given: &[OsString]) -> Option<usize> {
    let Some(ContextValue::String(verb)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let is_url = verb.contains([':', '/', '.']) || verb == "-";
    given.iter().skip(1).position(|argument| is_url && argument == verb.as_str()).map(|place| place + 1)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::{Arguments, Screen, help};

    #[test]
    fn no_line_is_broken_by_a_terminal() {
        let command = super::command();
        let mut wrong = Vec::new();
        for verb in command.get_subcommands().chain([&command]) {
            assert!(verb.get_after_help().is_some(), "{verb} has no examples");
            let texts = [verb.get_after_help(), verb.get_after_long_help()];
            let text = texts.into_iter().flatten().map(|text| format!("{text}\n")).collect::<String>();
            let long = text.lines().filter(|line| line.chars().count() >= 80);
            wrong.extend(long.map(|line| format!("{verb}: {line}")));
            // A manual page has them further to the right.
            let examples = text.split("Examples:\n").last().unwrap_or_default().split("\n\n").next();
            let of_json = text.lines().filter(|line| line.starts_with("    "));
            let literal = examples.unwrap_or_default().lines().chain(of_json);
            let long = literal.filter(|line| line.trim_start().chars().count() > 73);
            wrong.extend(long.map(|line| format!("{verb}, in the manual: {line}")));
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn the_short_help_fits_on_a_screen() {
        let mut first = help::grouped(Arguments::command(), Screen::First).term_width(80);
        let first = first.render_help().to_string();
        let mut command = super::command().term_width(80);
        command.build();
        let verbs = command.get_subcommands_mut().map(|verb| verb.render_help().to_string());
        for help in verbs.chain([first]) {
            assert!(help.lines().count() <= 60, "{}:\n{help}", help.lines().count());
        }
    }
}
