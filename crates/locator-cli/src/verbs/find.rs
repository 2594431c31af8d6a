//! The verb `find`: prints the URLs in files, directories and standard input, each with its
//! location.
//!
//! Threads walk the directories ([`files`]) and open each file by its format ([`source`]). The
//! links that `locator_find` finds in it ([`look`], [`hits`]) are buffered and written together
//! ([`print`]).

mod args;
mod context;
mod counts;
mod ebcdic;
mod files;
mod footer;
mod hits;
mod ignored;
mod json;
mod look;
mod print;
mod resolve;
mod search;
mod source;

#[cfg(unix)]
use std::io::Write;
use std::path::PathBuf;

pub(crate) use self::args::FindArgs;
pub(super) use self::args::Places;
pub(super) use self::files::walk;
#[cfg(feature = "links")]
pub(super) use self::files::{Step, Types, Visit, reason};
use self::look::Look;
#[cfg(feature = "links")]
pub(super) use self::resolve::of_file;
use self::search::Search;
#[cfg(feature = "links")]
pub(super) use self::source::{Choice, Octets, Opened, Source, open, packed};
use crate::exit::{CliError, Status, say, say_error};
use crate::field::Field;
use crate::input::stdin_has_content;
use crate::output::Output;
use crate::terminal::visible;

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
    let paths = paths(&asked.places)?;
    let format = asked.places.glob.iter().find(|glob| is_format(glob));
    let has_directory = paths.iter().any(|path| path.is_dir());
    if let Some(glob) = format.filter(|_| !has_directory) {
        return Err(no_glob(glob));
    }
    let search = Search::new(asked, &paths, out)?;
    walk(&asked.places, &paths, || Look::new(&search))?;
    match format.filter(|_| search.is_empty()) {
        Some(glob) => Err(no_glob(glob)),
        None => search.end(),
    }
}

/// Whether a glob looks like a format of `edit --get`: "{host}", "{scheme}://{host}".
fn is_format(glob: &str) -> bool {
    let names = glob.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    names.map(|(name, _)| name.rsplit(':').next().unwrap_or(name)).any(|name| Field::named(name).is_ok())
}

fn no_glob(glob: &str) -> CliError {
    say_error(&format!(
        "-g \"{0}\" is a glob for the names of files in directories, and matches none; \
         to print a part of URLs, pipe them to 'locator edit --get \"{0}\"'",
        visible(glob)
    ));
    CliError::Reported
}

/// The error for `-uu`, which has another meaning in ripgrep.
const UNRESTRICTED: &str = "-u prints each URL once; for ripgrep's -uu use --no-ignore --hidden, for its -uuu \
    --no-ignore --hidden --text";

/// Returns the paths of the arguments and lists; without any, standard input if it can have content,
/// else the working directory.
pub(super) fn paths(places: &Places) -> Result<Vec<PathBuf>, CliError> {
    let (named, lists) = (places.paths.as_slice(), places.rules.files_from.as_slice());
    Ok(match (named, lists) {
        ([], []) if stdin_has_content() => vec!["-".into()],
        ([], []) => vec!["./".into()],
        _ => [named, &files::listed(lists)?].concat(),
    })
}
