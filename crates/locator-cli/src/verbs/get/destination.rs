//! Where an object goes: the options, and the name of the file.

use std::ffi::{OsStr, OsString};

use clap::Args;
use locator::UriRef;
use locator_fetch::Resume;

use super::name;
use super::part::{self, Found, Part};
use crate::failure::Failure;

/// Where the object goes, and in which form.
#[derive(Args, Clone, Debug)]
pub(super) struct Destination {
    /// Write to FILE; "-" is standard output, also for binary objects on a terminal
    #[arg(short, long, value_name = "FILE", group = "destination")]
    output: Option<OsString>,
    /// Write to a file with the last name of the URL, in the working directory
    #[arg(short = 'O', long, group = "destination")]
    remote_name: bool,
    /// Go on with what an earlier run left in FILE.part, if the server proves that the object is still
    /// the same; "-" is the only value
    #[arg(short = 'C', long, value_name = "-", value_parser = ["-"], requires = "destination")]
    #[arg(conflicts_with = "clobber", hide_possible_values = true)]
    continue_at: Option<String>,
    /// Replace a file that exists, and what is left of an earlier try
    #[arg(long)]
    clobber: bool,
    /// Print lists as the server sent them
    #[arg(long)]
    pub(super) raw: bool,
    /// Print only the URLs of the entries of a list
    #[arg(long = "urls", conflicts_with_all = ["raw", "json"])]
    pub(super) only_urls: bool,
}

impl Destination {
    /// Returns the name of the file that a URL is written to, if there is to be one.
    pub(super) fn name(&self, given: UriRef<'_>) -> Result<Option<OsString>, Failure> {
        match &self.output {
            Some(name) if is_stdout(name) => Ok(None),
            Some(name) => Ok(Some(name.clone())),
            None if self.remote_name => match name::of(given) {
                Ok(name) => Ok(Some(name)),
                Err(why) => Err(file_error(format!("{why}; use -o FILE to choose another"))),
            },
            None => Ok(None),
        }
    }

    /// Returns where an earlier run was cut off, if this one is to go on there.
    pub(super) fn resume(&self, name: Option<&OsStr>, given: UriRef<'_>) -> Option<Resume> {
        name.filter(|_| self.continue_at.is_some()).and_then(|name| part::resume(name, given))
    }

    /// Begins a file.
    pub(super) fn file(&self, name: &OsStr) -> Result<Part, Failure> {
        let found = match (self.clobber, &self.continue_at) {
            (true, _) => Found::Replaced,
            (_, Some(_)) => Found::Continued,
            _ => Found::Kept,
        };
        Part::create(name, found).map_err(file_error)
    }

    /// Returns whether an output was named, also standard output.
    pub(super) const fn is_named(&self) -> bool {
        self.output.is_some()
    }

    /// Returns whether the page of a server that said no is printed: a file is for the object alone.
    pub(super) fn prints_errors(&self) -> bool {
        !self.remote_name && self.output.as_deref().is_none_or(is_stdout)
    }

    /// Returns whether files have the names of their URLs.
    pub(super) const fn is_remote_name(&self) -> bool {
        self.remote_name
    }
}

/// Returns whether a name is one of standard output.
fn is_stdout(name: &OsStr) -> bool {
    name == "-"
        || cfg!(unix) && ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|own| name == *own)
}

/// Returns the failure of a file that cannot be written.
pub(super) fn file_error(why: String) -> Failure {
    Failure::other("file", why)
}
