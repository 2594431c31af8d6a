//! The verb `find`: prints the URLs in files, directories and standard input, each with its
//! location.
//!
//! Threads walk the directories ([`files`]); each is a [`Worker`], which opens one file after the other
//! by its format ([`source`]). The links that `locator_find` finds in it are resolved ([`resolve`]),
//! buffered as lines ([`print`]) or objects ([`json`]) and written together. [`Search`] is what the
//! threads share.

mod arguments;
mod ebcdic;
mod files;
mod iocs;
mod json;
mod print;
mod resolve;
mod search;
mod source;
mod summary;
mod worker;

use std::io::Write;
use std::path::PathBuf;

pub(super) use self::arguments::FileArgs;
pub(crate) use self::arguments::FindArgs;
use self::arguments::OutputForm;
pub(super) use self::files::walk;
pub(super) use self::files::{FileVisitor, Types, WalkEntry, reason};
pub(super) use self::iocs::{is_domain, is_host_name};
#[cfg(feature = "links")]
pub(super) use self::resolve::file_url;
pub(super) use self::resolve::url_below;
use self::search::Search;
pub(super) use self::source::{FileSelection, packed};
#[cfg(feature = "links")]
pub(super) use self::source::{Octets, Opened, Source, open};
use self::worker::Worker;
use crate::exit::{CliError, Status, say, say_error};
use crate::field::Field;
use crate::input::stdin_has_content;
use crate::output::Output;
use crate::terminal::visible;

/// Searches all paths.
pub(crate) fn run(args: &FindArgs, out: &mut Output) -> Result<Status, CliError> {
    if args.places.type_list {
        files::list_types(&args.places.rules.type_add, out)?;
        out.flush()?;
        return Ok(Status::Valid);
    }
    if args.links.are_unrestricted() {
        say(UNRESTRICTED);
        return Err(CliError::Reported);
    }
    if args.output.csv && !args.links.iocs {
        say_error("--csv prints the table of --iocs; to read the input as CSV, use --as csv");
        return Err(CliError::Reported);
    }
    let paths = paths(&args.places)?;
    let format = args.places.glob.iter().find(|glob| is_format(glob));
    let has_directory = paths.iter().any(|path| path.is_dir());
    if let Some(glob) = format.filter(|_| !has_directory) {
        return Err(no_glob(glob));
    }
    if args.output.csv && args.output.form() == OutputForm::Each {
        out.write_all(iocs::CSV_HEADER)?;
    }
    let search = Search::new(args, &paths, out)?;
    walk(&args.places, &paths, || Worker::new(&search))?;
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
pub(super) fn paths(places: &FileArgs) -> Result<Vec<PathBuf>, CliError> {
    let (named, lists) = (places.paths.as_slice(), places.rules.files_from.as_slice());
    Ok(match (named, lists) {
        ([], []) if stdin_has_content() => vec!["-".into()],
        ([], []) => vec!["./".into()],
        _ => [named, &files::paths_in_lists(lists)?].concat(),
    })
}
