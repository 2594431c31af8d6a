//! What the lines of `find` have besides the URLs: words of the command line in, the verb's values out.

use clap::Args;

/// What is around the lines of `find`.
#[derive(Args, Debug)]
pub(crate) struct LinesAsked {
    /// The offset of the URL's first octet in the file, from 0, before it
    #[arg(short = 'b', long)]
    pub(crate) byte_offset: bool,
    /// The file's name once, above its lines
    #[arg(long, overrides_with = "no_heading", conflicts_with = "json")]
    heading: bool,
    /// The file's name before each line: what is done anyway
    #[arg(long, overrides_with = "heading")]
    no_heading: bool,
    /// The line that a URL is in, and NUM lines after it
    #[arg(short = 'A', long, value_name = "NUM", conflicts_with = "json")]
    after_context: Option<u64>,
    /// The line that a URL is in, and NUM lines before it
    #[arg(short = 'B', long, value_name = "NUM", conflicts_with = "json")]
    before_context: Option<u64>,
    /// The same before and after it; 0 is the line alone
    #[arg(short = 'C', long, value_name = "NUM", conflicts_with = "json")]
    context: Option<u64>,
    /// How many URLs and files there were, and how long it took, at the end
    #[arg(long)]
    pub(crate) stats: bool,
}

/// How many lines around a link are shown, its own besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Around {
    /// Before it.
    pub(crate) before: u64,
    /// After it.
    pub(crate) after: u64,
}

impl LinesAsked {
    /// Whether a file's name is above its lines and not in them.
    pub(crate) const fn has_heading(&self) -> bool {
        self.heading
    }

    /// How many lines around a link are shown; none if none is, its own neither.
    pub(crate) fn around(&self) -> Option<Around> {
        let (before, after) = (self.before_context.or(self.context), self.after_context.or(self.context));
        (before.is_some() || after.is_some())
            .then(|| Around { before: before.unwrap_or(0), after: after.unwrap_or(0) })
    }
}
