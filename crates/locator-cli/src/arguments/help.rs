//! What `-h` and `--help` print of a verb: `-h` fits on a screen, `--help` has everything.

use clap::Arg;

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
