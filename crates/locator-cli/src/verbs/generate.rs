//! The verbs `completions` and `man`: print completion scripts and manual pages, made from the
//! description of the command line.

use std::io::{self, Write};

use clap::builder::StringValueParser;
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::arguments::Suggested;
use crate::arguments::help;
use crate::exit::{CliError, Status};
use crate::output::Output;

/// Print a shell completion script
#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS)]
pub(crate) struct CompletionsArgs {
    /// Shell to complete for
    shell: Shell,
}

/// After the options of `locator completions`.
const COMPLETIONS: &str = "\
Examples:
  locator completions bash > ~/.bash_completion
  locator completions zsh > ~/.zfunc/_locator
  locator completions fish > ~/.config/fish/completions/locator.fish";

/// Print the manual page of the command or of a verb
///
/// In a file or a pipe it is the source of the page, for man(1); on a terminal its text.
#[derive(Args, Debug)]
#[command(after_help = MAN)]
pub(crate) struct ManArgs {
    /// Verb to document; without it, the command itself
    #[arg(hide_possible_values = true, value_parser = Suggested::new(StringValueParser::new(), help::verbs))]
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
) -> Result<Status, CliError> {
    // In memory first: the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "locator", &mut script);
    let script = String::from_utf8_lossy(&script).replace(HELP_OF_CLAP, help::HELP);
    out.write_all(with_values(args.shell, &script).as_bytes())?;
    out.flush()?;
    Ok(Status::Valid)
}

/// What clap says that its verb `help` does.
const HELP_OF_CLAP: &str = "Print this message or the help of the given subcommand(s)";

/// Lets the value follow what ends with "=", as in `-s host=`, without a blank, which fish does itself; and quotes
/// what fish would read as a comment.
fn with_values(shell: Shell, script: &str) -> String {
    match shell {
        Shell::Bash => {
            let at = script.find("\nif [[ \"${BASH_VERSINFO").unwrap_or(script.len());
            let (functions, rest) = script.split_at(at);
            let rest = rest.replace("complete -F _locator ", "complete -F _locator_values ");
            [functions, BASH_VALUES, &rest].concat()
        }
        Shell::Zsh => script.lines().map(|line| zsh_values(line) + "\n").collect(),
        // "#" begins a comment; clap_complete writes the letters of options without quotes.
        Shell::Fish => script.replace(" -s # ", " -s '#' "),
        _ => script.to_owned(),
    }
}

/// Lets `compadd` offer a list, which adds no blank.
fn zsh_values(line: &str) -> String {
    match line.split_once(":PART=DATA").and_then(|(before, rest)| Some((before, rest.split_once(":(")?))) {
        Some((before, (name, list))) => {
            let list = list.replacen(")'", "}'", 1);
            format!("{before}:PART=DATA{name}:{{compadd -S \"\" - {list}")
        }
        None => line.to_owned(),
    }
}

/// Completes as `_locator` does.
const BASH_VALUES: &str = r#"
_locator_values() {
    _locator "$@"
    if [[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" == *= ]]; then
        compopt -o nospace
    fi
    return 0
}
"#;

/// Prints the manual page of the command or of a verb.
pub(crate) fn man(args: ManArgs, mut command: Command, out: &mut Output) -> Result<Status, CliError> {
    command.build();
    let mut page = match args.verb {
        None => command,
        Some(verb) => command.find_subcommand(&verb).cloned().ok_or(CliError::NoVerb(verb))?,
    };
    if out.is_terminal {
        // A person reads the text; the source of the page is for files and pipes.
        let text = page.render_long_help();
        match out.paint.is_on() {
            true => write!(out, "{}", text.ansi())?,
            false => write!(out, "{text}")?,
        }
        out.flush()?;
        return Ok(Status::Valid);
    }
    // What `-h` leaves out would have no text.
    write_page(page.mut_args(|option| option.hide_short_help(false)), out)?;
    out.flush()?;
    Ok(Status::Valid)
}

/// Writes a manual page: the sections of clap, then those of the text that follows the options in
/// help.
fn write_page(mut command: Command, out: &mut Output) -> io::Result<()> {
    let text = command.get_after_long_help().or(command.get_after_help()).map(ToString::to_string);
    let has_arguments = command.get_arguments().next().is_some();
    let usage = command.render_usage().to_string();
    let verbs: Vec<_> = help::groups(&command).filter(|(_, verbs)| !verbs.is_empty()).map(section).collect();
    let page = Man::new(command);
    page.render_title(out)?;
    page.render_name_section(out)?;
    let mut roff = Roff::new();
    write_synopsis(&mut roff, &usage);
    roff.to_writer(out)?;
    page.render_description_section(out)?;
    if has_arguments {
        page.render_options_section(out)?;
    }
    for section in &verbs {
        section.to_writer(out)?;
    }
    let mut roff = Roff::new();
    write_sections(&mut roff, &text.unwrap_or_default());
    roff.to_writer(out)?;
    if verbs.is_empty() { Ok(()) } else { page.render_version_section(out) }
}

/// Writes the usage as `-h` has it. That of clap lists all options, which are described below it.
fn write_synopsis(roff: &mut Roff, usage: &str) {
    roff.control("SH", ["SYNOPSIS"]);
    for (number, line) in usage.trim().trim_start_matches("Usage: ").lines().map(str::trim).enumerate() {
        if number > 0 {
            roff.control("br", []);
        }
        let (name, rest) = line.split_at(line.find(['[', '<']).unwrap_or(line.len()));
        roff.text([bold(name), roman(rest)]);
    }
}

/// Returns the section of a group of verbs.
fn section((title, verbs): (&str, Vec<&Command>)) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", [title.to_uppercase().as_str()]);
    for verb in verbs {
        let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
        roff.control("TP", []).text([bold(format!("locator-{}(1)", verb.get_name()))]).text([roman(about)]);
    }
    roff
}

/// Writes the sections of a help text. A line that is not indented and ends with ":" is the heading
/// of a section.
fn write_sections(roff: &mut Roff, text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    for section in lines.chunk_by(|_, next| !is_heading(next)) {
        let Some((heading, lines)) = section.split_first() else { continue };
        let heading = heading.trim_end_matches(':').to_uppercase();
        roff.control("SH", [heading.as_str()]);
        for paragraph in lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty()) {
            roff.control("PP", []);
            match &*heading {
                "EXAMPLES" | "CONFIGURATION" => write_literal(roff, paragraph),
                "EXIT STATUS" => write_statuses(roff, paragraph),
                _ => write_paragraph(roff, paragraph),
            }
        }
    }
}

fn is_heading(line: &str) -> bool {
    line.ends_with(':') && !line.starts_with(' ')
}

/// Writes text in which lines that are further indented, such as JSON objects, are not filled.
fn write_paragraph(roff: &mut Roff, lines: &[&str]) {
    for lines in lines.chunk_by(|line, next| line.starts_with("    ") == next.starts_with("    ")) {
        match lines.iter().all(|line| line.starts_with("    ")) {
            true => write_literal(roff, lines),
            false => lines.iter().for_each(|line| {
                roff.text([roman(line.trim_start())]);
            }),
        }
    }
}

/// Writes lines as they are.
fn write_literal(roff: &mut Roff, lines: &[&str]) {
    roff.control("nf", []);
    lines.iter().for_each(|line| {
        roff.text([roman(line.trim_start())]);
    });
    roff.control("fi", []);
}

/// Writes a list of exit statuses, `130  interrupted`; other lines continue the one before them.
fn write_statuses(roff: &mut Roff, lines: &[&str]) {
    for line in lines.iter().map(|line| line.trim_start()) {
        match line.split_once("  ") {
            Some((status, meaning)) => {
                roff.control("TP", []).text([bold(status)]).text([roman(meaning.trim_start())])
            }
            None => roff.text([roman(line)]),
        };
    }
}
