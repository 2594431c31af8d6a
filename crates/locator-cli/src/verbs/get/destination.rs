//! The options that say where a response body is written, and the name of the file.

use std::ffi::{OsStr, OsString};

use clap::Args;
use locator::UriRef;
use locator_fetch::Resume;

use super::name;
use super::part::{self, Found, Part};
use crate::failure::Failure;

/// Where the response body is written, and in which form.
#[derive(Args, Clone, Debug)]
pub(super) struct Destination {
    /// Write to FILE instead of standard output; "-" prints even binary data to a terminal
    #[arg(short, long, value_name = "FILE", group = "destination")]
    output: Option<OsString>,
    /// Save to a file with the name of the remote file, in the working directory
    #[arg(short = 'O', long, group = "destination")]
    remote_name: bool,
    /// Resume the download in FILE.part, or start over if the file has changed on the server; "-" is the
    /// only value
    #[arg(short = 'C', long, value_name = "-", value_parser = ["-"], requires = "destination")]
    #[arg(conflicts_with = "clobber", hide_possible_values = true)]
    continue_at: Option<String>,
    /// Overwrite an existing file, and an unfinished FILE.part
    #[arg(long)]
    clobber: bool,
    /// Print a directory listing or a menu as the server sent it
    #[arg(long)]
    pub(super) raw: bool,
    /// Print only the URLs of a directory listing or a menu, without names
    #[arg(long = "urls", conflicts_with_all = ["raw", "json"])]
    pub(super) only_urls: bool,
}

impl Destination {
    /// Returns the name of the file that a URL is saved to, which may have a headline; `None` for standard
    /// output.
    pub(super) fn name(
        &self,
        given: UriRef<'_>,
        headline: Option<&str>,
    ) -> Result<Option<OsString>, Failure> {
        match &self.output {
            Some(name) if is_stdout(name) => Ok(None),
            Some(name) => Ok(Some(name.clone())),
            None if self.remote_name => match name::of(given, headline) {
                Ok(name) => Ok(Some(name)),
                Err(why) => Err(file_error(format!("{why}; use -o FILE to name the file"))),
            },
            None => Ok(None),
        }
    }

    /// Returns the point at which an earlier run ended early, if this one is to resume there.
    pub(super) fn resume(&self, name: Option<&OsStr>, given: UriRef<'_>) -> Option<Resume> {
        name.filter(|_| self.continue_at.is_some()).and_then(|name| part::resume(name, given))
    }

    /// Creates the file.
    pub(super) fn file(&self, name: &OsStr) -> Result<Part, Failure> {
        let found = match (self.clobber, &self.continue_at) {
            (true, _) => Found::Replaced,
            (_, Some(_)) => Found::Continued,
            _ => Found::Kept,
        };
        Part::create(name, found).map_err(file_error)
    }

    /// Returns whether `-o` is given, for a file or for standard output.
    pub(super) const fn is_named(&self) -> bool {
        self.output.is_some()
    }

    /// Returns whether the body of an error response is printed: it is never saved to a file.
    pub(super) fn prints_errors(&self) -> bool {
        !self.is_file()
    }

    /// Returns whether responses are saved to files.
    pub(super) fn is_file(&self) -> bool {
        self.remote_name || self.output.as_deref().is_some_and(|name| !is_stdout(name))
    }

    /// Returns whether `-O` is given.
    pub(super) const fn is_remote_name(&self) -> bool {
        self.remote_name
    }
}

/// Returns whether a file name means standard output.
fn is_stdout(name: &OsStr) -> bool {
    name == "-"
        || cfg!(unix) && ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|own| name == *own)
}

/// Returns the error for a file that cannot be written.
pub(super) fn file_error(why: String) -> Failure {
    Failure::other("file", why)
}
