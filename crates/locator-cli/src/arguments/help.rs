//! Help: the verbs of the command in groups, which clap does not have, and what `-h` and `--help` print of a
//! verb: `-h` fits on a screen, `--help` has everything.

use std::fmt::Write as _;

use clap::{Arg, Command};

use crate::output::paragraph;
use crate::terminal::width;

/// The heading of the options that every verb has. They follow a verb's own.
pub(crate) const ALL_VERBS: &str = "All verbs";

/// The verbs by what one wants to do. A verb that the command is built without is left out.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Look at URLs", &["read", "check", "audit", "compare"]),
    (
        "Change URLs",
        &[
            "edit",
            "normalize",
            "resolve",
            "relative",
            "convert",
            "encode",
            "decode",
            "expand",
            "defang",
            "refang",
            "file",
            "path",
        ],
    ),
    ("Find URLs", &["find", "links", "uniq", "sql"]),
    ("Fetch URLs", &["get", "serve", "open", "plan"]),
    ("More", &["schemes", "editions", "completions", "man", "help"]),
];

/// The verbs of the first screen: what most people need.
const FIRST: [&str; 13] = [
    "read",
    "check",
    "audit",
    "compare",
    "edit",
    "normalize",
    "resolve",
    "encode",
    "find",
    "links",
    "uniq",
    "get",
    "open",
];

/// Which verbs help shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Screen {
    /// Those of the first screen, and how to see the others.
    First,
    /// All.
    All,
}

/// How wide the names of the verbs are, with blanks.
const NAMES: usize = 13;

/// How wide help is, as clap is told, too.
pub(crate) const WIDEST: usize = 80;

/// What the verb `help`, which clap adds, does.
pub(crate) const HELP: &str = "Print the help of a verb";

/// Returns the names of the verbs.
pub(crate) fn verbs() -> Vec<String> {
    let names = GROUPS.iter().flat_map(|(_, verbs)| verbs.iter());
    names.filter(|name| **name != "help").map(|name| (*name).to_owned()).collect()
}

/// Returns the groups: a title and the verbs of each that the command has.
pub(crate) fn groups(command: &Command) -> impl Iterator<Item = (&'static str, Vec<&Command>)> {
    let found = |verbs: &[&str]| verbs.iter().filter_map(|verb| command.find_subcommand(verb)).collect();
    GROUPS.iter().map(move |(title, verbs)| (*title, found(verbs)))
}

/// Puts the verbs into groups in the help of the command.
pub(crate) fn grouped(command: Command, screen: Screen) -> Command {
    let heading = heading(&command, ALL_VERBS);
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{heading}{{options}}{{after-help}}",
        text(&command, screen),
    );
    command.help_template(template)
}

fn text(command: &Command, screen: Screen) -> String {
    let is_shown = |verb: &&&str| screen == Screen::All || FIRST.contains(*verb);
    let mut text = String::new();
    let mut others = 0;
    for (title, verbs) in GROUPS {
        let lines: String = verbs.iter().filter(is_shown).filter_map(|verb| line(command, verb)).collect();
        others += verbs.iter().filter(|verb| !is_shown(verb) && line(command, verb).is_some()).count();
        if !lines.is_empty() {
            let _ = writeln!(text, "{}{lines}", heading(command, title));
        }
    }
    if others > 0 {
        let literal = command.get_styles().get_literal();
        let _ = writeln!(text, "{literal}locator help all{literal:#} shows {others} more verbs.\n");
    }
    text
}

/// Returns the line of a verb, if the command has it.
fn line(command: &Command, verb: &str) -> Option<String> {
    let about = match command.find_subcommand(verb) {
        Some(verb) => verb.get_about()?.to_string(),
        None if verb == "help" => HELP.to_owned(),
        None => return None,
    };
    let literal = command.get_styles().get_literal();
    let blanks = " ".repeat(NAMES.saturating_sub(verb.len()));
    let indent = 2 + NAMES;
    let lines = paragraph::lines(about.split(' '), width::of_stream(false).min(WIDEST), indent, indent);
    let about = lines.join(&format!("\n{:indent$}", ""));
    Some(format!("  {literal}{verb}{literal:#}{blanks}{about}\n"))
}

fn heading(command: &Command, title: &str) -> String {
    let style = command.get_styles().get_header();
    format!("{style}{title}:{style:#}\n")
}

/// Returns the text after the options in `--help`: the details, then all examples.
pub(crate) fn long_help(details: &str, examples: &str) -> String {
    format!("{details}\n\n{examples}")
}

/// Returns the text after the options in `-h`: of a section "Examples:" the first lines, and the
/// other sections.
pub(crate) fn short_help(text: &str, examples: usize) -> String {
    let (shown, rest) = text.split_once("\n\n").unwrap_or((text, ""));
    let shown = shown.lines().take(1 + examples).collect::<Vec<_>>().join("\n");
    if rest.is_empty() { shown } else { format!("{shown}\n\n{rest}") }
}

/// Hides an option in `-h` unless its long name is in the list, which has blanks between them.
/// `--help` prints it.
pub(crate) fn daily(option: Arg, names: &str) -> Arg {
    let is_daily = option.get_long().is_none_or(|long| names.split(' ').any(|name| name == long));
    option.hide_short_help(!is_daily)
}

#[cfg(test)]
mod tests {
    use super::{FIRST, GROUPS};

    #[test]
    fn each_verb_is_in_a_group() {
        let command = crate::command();
        for verb in command.get_subcommands() {
            let groups = GROUPS.iter().filter(|(_, verbs)| verbs.contains(&verb.get_name()));
            assert_eq!(groups.count(), 1, "{verb}");
        }
    }
    #[test]
    fn the_verbs_of_the_first_screen_are_in_groups() {
        for verb in FIRST {
            assert!(GROUPS.iter().any(|(_, verbs)| verbs.contains(&verb)), "{verb}");
        }
    }
}
