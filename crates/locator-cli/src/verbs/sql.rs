//! The verb `sql`: starts the program `locator-sql`, with the arguments as they are.
//!
//! The engine for SQL takes minutes to compile, so it is a program of its own. It is beside this one or
//! in PATH; where it is not, the verb prints how to install it.

use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use clap::{ArgAction, Args};

use crate::exit::{CliError, Status, say_error, say_help};

/// Run SQL over Parquet, CSV and text files (needs locator-sql)
///
/// Starts the program locator-sql, which is installed separately; 'locator sql --help' is its help.
/// A table is the name of a file in quotes: from 'urls.parquet'.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, override_usage = "locator sql [OPTIONS] <QUERY>")]
pub(crate) struct SqlArgs {
    /// Options and the query
    #[arg(value_name = "QUERY", help_heading = None, allow_hyphen_values = true, trailing_var_arg = true)]
    arguments: Vec<OsString>,
    /// Print the help of locator-sql; --help describes all options
    #[arg(short = 'h', id = "help", action = ArgAction::SetTrue)]
    short_help: bool,
    #[arg(long = "help", hide = true, action = ArgAction::SetTrue)]
    long_help: bool,
}

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
Examples:
  locator sql \"select uri_host(url) from 'urls.txt'\"
  locator sql -o hosts.csv \"select uri_host_normal(url), count(*)
                            from 'crawl/*.parquet' group by 1\"

Exit status:
  0    the whole result is written
  2    wrong usage, a file cannot be read, or locator-sql is not installed
  130  interrupted";

/// What the program is called.
const PROGRAM: &str = "locator-sql";

/// Starts the program.
pub(crate) fn run(args: &SqlArgs) -> Result<Status, CliError> {
    let Some(program) = program() else {
        say_error(&format!("{PROGRAM} is not installed; it is a program of its own because of its size"));
        say_help(
            "in a clone of the repository, run 'cargo install --locked --path crates/locator-sql'; this \
             takes about 20 minutes on two cores",
        );
        return Err(CliError::Reported);
    };
    let mut command = Command::new(&program);
    let help = [(args.short_help, "-h"), (args.long_help, "--help")];
    command.args(help.into_iter().filter(|(is_given, _)| *is_given).map(|(_, option)| option));
    let error = start(command.args(&args.arguments));
    say_error(&format!("{} cannot be started: {error}", program.display()));
    Err(CliError::Reported)
}

/// Replaces this program by the other one, so that its exit status and signals are those of the other.
#[cfg(unix)]
fn start(command: &mut Command) -> std::io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

#[cfg(not(unix))]
fn start(command: &mut Command) -> std::io::Error {
    match command.status() {
        #[expect(clippy::disallowed_methods, reason = "in place of this program another has run")]
        Ok(status) => std::process::exit(status.code().unwrap_or(2)),
        Err(error) => error,
    }
}

/// Finds the program: beside this one, else in PATH. A relative path in PATH depends on the folder that
/// one is in, so it is left out.
fn program() -> Option<PathBuf> {
    let name = format!("{PROGRAM}{EXE_SUFFIX}");
    let beside = env::current_exe().ok().and_then(|own| Some(own.parent()?.to_owned()));
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = beside.into_iter().chain(env::split_paths(&path));
    folders.filter(|folder| folder.is_absolute()).map(|folder| folder.join(&name)).find(|path| path.is_file())
}
