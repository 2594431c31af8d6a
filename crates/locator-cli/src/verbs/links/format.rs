//! The option `--format`: what is written, and where to.

use std::path::PathBuf;

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Lines for people.
    Text,
    /// An object for each link.
    Json,
    /// A suite for each document, as test runners write it.
    Junit,
    /// A log of code scanning.
    Sarif,
    /// A table.
    Markdown,
    /// A page for browsers.
    Html,
    /// Lines for people, and annotations of a pull request.
    Github,
}

impl Format {
    const ALL: [Self; 7] =
        [Self::Text, Self::Json, Self::Junit, Self::Sarif, Self::Markdown, Self::Html, Self::Github];

    /// Returns the name of this format.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Junit => "junit",
            Self::Sarif => "sarif",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Github => "github",
        }
    }
}

/// A format, and the file that it is written to; `None` for standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) format: Format,
    pub(super) file: Option<PathBuf>,
}

/// Parses `FORMAT` or `FORMAT=FILE`.
pub(super) fn target(word: &str) -> Result<Target, String> {
    let (name, file) = word.split_once('=').map_or((word, None), |(name, file)| (name, Some(file)));
    let format = Format::ALL.into_iter().find(|format| format.name() == name);
    let names = || format!("the formats are {}", Format::ALL.map(Format::name).join(", "));
    let format = format.ok_or_else(names)?;
    match file {
        Some("") => Err("a file is missing after \"=\"; is a variable empty?".to_owned()),
        file => Ok(Target { format, file: file.map(PathBuf::from) }),
    }
}
