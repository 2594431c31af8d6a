//! The arguments of verbs that take URLs: where the URLs are and how results are printed.

use std::ffi::OsString;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;

use super::edition::{EditionArg, NameParser, Selection};

/// The arguments of `read` and `check`.
#[derive(Args, Debug)]
pub(crate) struct VerbArgs {
    /// Follow this edition of the URL standard, an RFC or a draft of one; "all"
    /// compares all editions
    ///
    /// 'locator editions' describes them.
    #[arg(short, long, value_name = "NAME", default_value = "rfc3986", ignore_case = true)]
    #[arg(value_parser = NameParser)]
    pub(crate) edition: Selection,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

/// The arguments of verbs that use one edition.
#[derive(Args, Debug)]
pub(crate) struct VerbArgsOfOneEdition {
    #[command(flatten)]
    pub(crate) by: EditionArg,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

/// The arguments of every verb that takes URLs.
#[derive(Args, Debug)]
pub(crate) struct Inputs {
    /// URLs; without any, and for "-", they are read from standard input, one per line
    #[arg(value_name = "URL", help_heading = None)]
    pub(crate) urls: Vec<OsString>,
    /// Read the inputs from FILE, one per line; "-" is standard input
    #[arg(short, long, value_name = "FILE", conflicts_with = "urls")]
    pub(crate) file: Option<OsString>,
    /// Print one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
    /// Split the input at NUL, not at line ends
    #[arg(short = '0', long, hide_short_help = true)]
    pub(crate) null: bool,
    /// Stop with an error if an input is longer than SIZE bytes (suffix K, M or G)
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = size)]
    #[arg(hide_short_help = true)]
    pub(crate) max_line: usize,
    /// Print nothing; only set the exit status, and stop at the first invalid URL
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Print each error on one line; by default only those after the tenth are
    #[arg(long, hide_short_help = true)]
    pub(crate) brief: bool,
    /// Print no error messages; the exit status still reports errors
    #[arg(short = 's', long, hide_short_help = true)]
    pub(crate) no_messages: bool,
}

impl Inputs {
    /// Returns whether an argument is "-", standard input. After "--" it is a URL, so that a script can
    /// pass on any text.
    pub(crate) fn is_stdin(&self, at: usize) -> bool {
        self.urls.get(at).is_some_and(|url| url == "-") && at < before_dashes(self.urls.len())
    }

    /// Returns whether one of the arguments is standard input.
    pub(crate) fn names_stdin(&self) -> bool {
        (0..self.urls.len()).any(|at| self.is_stdin(at))
    }

    /// Replaces each argument, whose place is passed, by the URLs that it stands for.
    #[cfg(feature = "get")]
    pub(crate) fn expand(&mut self, mut each: impl FnMut(usize, OsString) -> Vec<OsString>) {
        let before = before_dashes(self.urls.len());
        let mut urls = Vec::new();
        let mut after = 0;
        for (at, url) in std::mem::take(&mut self.urls).into_iter().enumerate() {
            let expanded = each(at, url);
            after += if at >= before { expanded.len() } else { 0 };
            urls.extend(expanded);
        }
        self.urls = urls;
        AFTER_DASHES.store(after, Ordering::Relaxed);
    }

    /// Returns how many URLs there are; `None` if some are read from a list.
    pub(crate) fn count(&self) -> Option<usize> {
        Some(self.urls.len()).filter(|&count| count > 0 && !self.names_stdin())
    }
}

/// How many arguments are after "--".
static AFTER_DASHES: AtomicUsize = AtomicUsize::new(0);

/// Notes the arguments of the command that is run.
pub(crate) fn note_dashes(arguments: &[OsString]) {
    let after = arguments.iter().skip_while(|argument| *argument != "--").count();
    AFTER_DASHES.store(after.saturating_sub(1), Ordering::Relaxed);
}

/// Returns how many of the last arguments, those that are no options, are before "--".
pub(crate) fn before_dashes(arguments: usize) -> usize {
    arguments.saturating_sub(AFTER_DASHES.load(Ordering::Relaxed))
}

/// The help of `-q` in verbs that may have no result for a valid input.
pub(crate) const QUIET_NO_ANSWER: &str =
    "Print nothing; only set the exit status, and stop at the first input without a result";

/// The option `--repair`.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct RepairArgs {
    /// Percent-encode characters that are not allowed, as browsers do
    ///
    /// Such characters are a space, "|" and é. The repaired URL is also printed on
    /// standard error.
    #[arg(long)]
    pub(crate) repair: bool,
}

/// Parses a number of bytes: `4096`, `64K`, `16M`, `1G`.
pub(crate) fn size(word: &str) -> Result<usize, String> {
    let unit = |suffix: char| match suffix.to_ascii_uppercase() {
        'K' => Some(1 << 10),
        'M' => Some(1 << 20),
        'G' => Some(1 << 30),
        _ => None,
    };
    let unit = word.chars().next_back().and_then(unit);
    let number = if unit.is_some() { &word[..word.len() - 1] } else { word };
    let octets = number.parse::<usize>().ok().and_then(|number| number.checked_mul(unit.unwrap_or(1)));
    octets
        .filter(|&octets| octets > 0)
        .ok_or_else(|| "expected a number of bytes: 65536, 64K, 16M or 1G".into())
}
