//! The verb `compare`: two absolute references in, with the redirects that were seen; the rung of the ladder on
//! which they meet, and what differs, out.

mod lists;

use std::io::Write;

use locator::{Comparison, NotComparable, Uri, UriRef};

use crate::arguments::Compared;
use crate::exit::{Status, Trouble};
use crate::failure::Failure;
use crate::reading;
use crate::redirects::Given;
use crate::run::Output;
use crate::show::{comparison, failure, json};

/// Two references, and how they compare.
#[derive(Debug)]
pub(crate) struct Pair<'a> {
    /// The first.
    pub(crate) first: UriRef<'a>,
    /// The second.
    pub(crate) second: UriRef<'a>,
    /// How they compare.
    pub(crate) comparison: Comparison,
}

/// Why they are not compared, and which of the two it is about.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The number of the argument, from 1.
    pub(crate) argument: u64,
    /// Why.
    pub(crate) why: Failure,
}

/// Compares the two.
pub(crate) fn run(asked: &Compared, out: &mut Output) -> Result<Status, Trouble> {
    if asked.lists {
        return lists::run(asked, out);
    }
    let given = Given::collect(asked)?;
    let seen = given.read(asked.by.edition, &mut out.errors())?;
    let compared = compare(asked, &seen);
    match &compared {
        _ if asked.quiet => {}
        _ if asked.json => json::comparison(out, asked, &compared)?,
        Ok(pair) => comparison::write(out, pair)?,
        Err(Refusal { argument, why }) => {
            let given = if *argument == 1 { &asked.first } else { &asked.second };
            failure::write(
                &mut out.errors(),
                &format!("argument {argument}: "),
                given.as_encoded_bytes(),
                why,
            );
        }
    }
    out.flush()?;
    compared.map(|pair| Status::of(pair.comparison.is_equivalent())).map_err(|_| Trouble::Told)
}

fn compare<'a>(asked: &'a Compared, seen: &[(Uri<'_>, Uri<'_>)]) -> Result<Pair<'a>, Refusal> {
    let read = |argument, octets| match reading::read(octets, asked.by.edition) {
        Ok(reading) => Ok(reading.reference),
        Err(error) => Err(Refusal { argument, why: error.into() }),
    };
    let first = read(1, asked.first.as_encoded_bytes())?;
    let second = read(2, asked.second.as_encoded_bytes())?;
    match asked.ladder().with_redirects(seen).compare(first, second) {
        Ok(comparison) => Ok(Pair { first, second, comparison }),
        Err(error) => {
            let argument = if matches!(error, NotComparable::SecondIsRelative { .. }) { 2 } else { 1 };
            Err(Refusal { argument, why: error.into() })
        }
    }
}
