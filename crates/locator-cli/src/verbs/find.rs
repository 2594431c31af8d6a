//! The verb `find`: prints the URLs in files, directories and standard input, each with its
//! location.
//!
//! Threads walk the directories ([`files`]) and open each file by its format ([`source`]). The
//! links that `locator_find` finds in it ([`look`], [`hits`]) are buffered and written together
//! ([`print`]).

mod args;
mod context;
mod counts;
mod files;
mod hits;
mod ignored;
mod json;
mod look;
mod print;
mod resolve;
mod search;
mod source;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

pub(crate) use self::args::FindArgs;
use self::look::Look;
use self::search::Search;
use crate::exit::{CliError, Status, say};
use crate::output::Output;

/// Searches all paths.
pub(crate) fn run(asked: &FindArgs, out: &mut Output) -> Result<Status, CliError> {
    if asked.places.type_list {
        files::list_types(&asked.places.rules.type_add, out)?;
        out.flush()?;
        return Ok(Status::Valid);
    }
    if asked.links.are_unrestricted() {
        say(UNRESTRICTED);
        return Err(CliError::Reported);
    }
    let paths = paths(asked)?;
    let search = Search::new(asked, &paths, out)?;
    files::walk(&asked.places, &paths, || Look::new(&search))?;
    search.end()
}

/// The error for `-uu`, which has another meaning in ripgrep.
const UNRESTRICTED: &str = "-u prints each URL once; for ripgrep's -uu use --no-ignore --hidden, for its -uuu \
    --no-ignore --hidden --text";

/// Returns the paths of the arguments and lists; without any, standard input or, on a terminal, the
/// working directory.
fn paths(asked: &FindArgs) -> Result<Vec<PathBuf>, CliError> {
    let (named, lists) = (asked.places.paths.as_slice(), asked.places.rules.files_from.as_slice());
    Ok(match (named, lists) {
        ([], []) if io::stdin().is_terminal() => vec!["./".into()],
        ([], []) => vec!["-".into()],
        _ => [named, &files::listed(lists)?].concat(),
    })
}
