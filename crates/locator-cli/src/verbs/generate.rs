//! The verbs `completions` and `man`: print completion scripts and manual pages, made from the
//! description of the command line.

use std::io::{self, Write};

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

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
  locator completions bash > ~/.local/share/bash-completion/completions/locator
  locator completions zsh > ~/.zfunc/_locator
  locator completions fish > ~/.config/fish/completions/locator.fish";

/// Print the manual page of the command or of a verb
#[derive(Args, Debug)]
#[command(after_help = MAN)]
pub(crate) struct ManArgs {
    /// Verb to document; if none is given, the command itself
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
    out.write_all(&script)?;
    out.flush()?;
    Ok(Status::Valid)
}

/// Prints the manual page of the command or of a verb.
pub(crate) fn man(args: ManArgs, mut command: Command, out: &mut Output) -> Result<Status, CliError> {
    command.build();
    let page = match args.verb {
        None => command,
        Some(verb) => command.find_subcommand(&verb).cloned().ok_or(CliError::NoVerb(verb))?,
    };
    write_page(page, out)?;
    out.flush()?;
    Ok(Status::Valid)
}

/// Writes a manual page: the sections of clap, then those of the text that follows the options in
/// help.
fn write_page(command: Command, out: &mut Output) -> io::Result<()> {
    let text = command.get_after_long_help().or(command.get_after_help()).map(ToString::to_string);
    let (has_arguments, has_verbs) = (command.get_arguments().next().is_some(), command.has_subcommands());
    let page = Man::new(command);
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    if has_arguments {
        page.render_options_section(out)?;
    }
    if has_verbs {
        page.render_subcommands_section(out)?;
    }
    let mut roff = Roff::new();
    write_sections(&mut roff, &text.unwrap_or_default());
    roff.to_writer(out)?;
    if has_verbs { page.render_version_section(out) } else { Ok(()) }
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
