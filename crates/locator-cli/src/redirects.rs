//! The redirects that were seen in, as arguments and as lines of files; pairs of URIs to compare by out. What is
//! no such pair is told, and the run is over before it has begun.

use std::fs::File;
use std::io;
use std::path::Path;

use locator::{Edition, Error, Uri, UriRef};

use crate::arguments::Compared;
use crate::exit::{Trouble, say};
use crate::input::whole;
use crate::run::Output;
use crate::show::{failure, visible};

/// The text of every redirect, and where it is from.
#[derive(Debug)]
pub(crate) struct Given {
    redirects: Vec<Redirect>,
}

/// A redirect as it was given.
#[derive(Debug)]
struct Redirect {
    from: Vec<u8>,
    to: Vec<u8>,
    /// What stands before a diagnosis: `redirects.txt:3: `.
    place: String,
}

impl Given {
    /// Collects them from the command line and from the files that it names.
    pub(crate) fn collect(asked: &Compared) -> Result<Self, Trouble> {
        let pairs = asked.redirect.chunks_exact(2).zip(1..);
        let argument = |(pair, number): (&[std::ffi::OsString], u32)| Redirect {
            from: pair[0].as_encoded_bytes().to_vec(),
            to: pair[1].as_encoded_bytes().to_vec(),
            place: format!("--redirect {number}: "),
        };
        let mut redirects: Vec<_> = pairs.map(argument).collect();
        for path in &asked.redirects {
            lines(path, &mut redirects)?;
        }
        Ok(Self { redirects })
    }

    /// Reads them by an edition.
    pub(crate) fn read<'a>(
        &'a self,
        edition: &'static Edition,
        errors: &mut Output,
    ) -> Result<Vec<(Uri<'a>, Uri<'a>)>, Trouble> {
        let mut seen = Vec::with_capacity(self.redirects.len());
        for Redirect { from, to, place } in &self.redirects {
            let mut read = |octets: &'a [u8]| {
                uri(octets, edition).map_err(|error| {
                    failure::write(errors, place, octets, &error.into());
                    Trouble::Told
                })
            };
            seen.push((read(from)?, read(to)?));
        }
        Ok(seen)
    }
}

fn uri<'a>(octets: &'a [u8], edition: &'static Edition) -> Result<Uri<'a>, Error> {
    UriRef::from_octets(octets, edition)?.try_into()
}

/// The redirects of a file, a line each; "-" is standard input.
fn lines(path: &Path, redirects: &mut Vec<Redirect>) -> Result<(), Trouble> {
    let name = path.to_string_lossy();
    let octets = if name == "-" { whole(io::stdin().lock()) } else { File::open(path).and_then(whole) };
    let octets = octets.map_err(|error| told(&format!("{} cannot be read: {error}", visible(&name))))?;
    for (line, number) in octets.split(|&octet| octet == b'\n').zip(1..) {
        let place = format!("{}:{number}: ", visible(&name));
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        match (words.next(), words.next(), words.next()) {
            (None, ..) => {}
            (Some(from), Some(to), None) => {
                redirects.push(Redirect { from: from.to_vec(), to: to.to_vec(), place });
            }
            _ => return Err(told(&format!("{place}a redirect is two URLs with white space between them"))),
        }
    }
    Ok(())
}

fn told(what: &str) -> Trouble {
    say(what);
    Trouble::Told
}
