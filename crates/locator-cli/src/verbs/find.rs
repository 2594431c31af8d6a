//! The verb `find`: files, directories and standard input in, the URLs in them out, each with its place.
//!
//! A walk comes upon the files, in as many threads as there are processors ([`files`]); each is opened and its format
//! seen ([`source`]); what `locator_find` finds in it ([`look`], [`hits`]) is written on a page of its own ([`print`]),
//! so that what a file has stands together.

mod args;
mod context;
mod counts;
mod files;
mod hits;
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
use crate::exit::{Status, Trouble, say};
use crate::output::Output;

/// Looks into all that is named.
pub(crate) fn run(asked: &FindArgs, out: &mut Output) -> Result<Status, Trouble> {
    if asked.places.type_list {
        files::list_types(&asked.places.rules.type_add, out)?;
        out.flush()?;
        return Ok(Status::Valid);
    }
    if asked.links.are_unrestricted() {
        say(UNRESTRICTED);
        return Err(Trouble::Told);
    }
    let paths = paths(asked)?;
    let search = Search::new(asked, &paths, out)?;
    files::walk(&asked.places, &paths, || Look::new(&search))?;
    search.end()
}

/// What is said to those who mean ripgrep's `-uu`.
const UNRESTRICTED: &str = "-u is \"each URL once\" here: ripgrep's -uu is --no-ignore --hidden, its -uuu \
    --no-ignore --hidden --text";

/// What is named, by itself and in lists; if nothing is: standard input, but at a terminal the working directory.
fn paths(asked: &FindArgs) -> Result<Vec<PathBuf>, Trouble> {
    let (named, lists) = (asked.places.paths.as_slice(), asked.places.rules.files_from.as_slice());
    Ok(match (named, lists) {
        ([], []) if io::stdin().is_terminal() => vec!["./".into()],
        ([], []) => vec!["-".into()],
        _ => [named, &files::listed(lists)?].concat(),
    })
}
