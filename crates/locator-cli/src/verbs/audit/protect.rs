//! The option `--protect`: takes a file of names, and returns those that hosts must not imitate.

use std::ffi::OsString;
use std::io;

use clap::Args;
use locator_audit::Protected;

use crate::exit::CliError;
use crate::lines::Named;
use crate::terminal::visible;

/// The option that names the file.
#[derive(Args, Debug)]
pub(super) struct ProtectArgs {
    /// Report hosts that look like a name in FILE, or contain one before another
    /// domain; one name per line, "#" begins a comment; list all names that are yours
    #[arg(long, value_name = "FILE")]
    protect: Option<OsString>,
}

impl ProtectArgs {
    /// Reads the file; `None` without the option.
    pub(super) fn read(&self) -> Result<Option<Protected>, CliError> {
        let Some(path) = &self.protect else { return Ok(None) };
        let file = Named(path);
        let list = String::from_utf8(file.read()?).map_err(|_| io::Error::other("it is not UTF-8"));
        let names = list.and_then(|list| {
            Protected::from_lines(&list)
                .map_err(|error| io::Error::other(visible(&error.to_string()).to_string()))
        });
        names.map(Some).map_err(|error| file.unreadable(error))
    }
}
