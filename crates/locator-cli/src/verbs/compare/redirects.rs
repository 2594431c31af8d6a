//! The redirects that `compare` takes into account: of arguments, and of files.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use locator::{Edition, ParseError, Uri, UriRef};

use crate::exit::{CliError, say_error_at};
use crate::input::STDIN;
use crate::input::files::{Named, check_stdin_once};
use crate::output::Output;
use crate::output::Place;
use crate::report::failure;

/// The redirects that were seen: the text of each, and where it is from.
#[derive(Debug)]
pub(super) struct Redirects {
    redirects: Vec<Redirect>,
}

/// A redirect as it was given.
#[derive(Debug)]
struct Redirect {
    from: Vec<u8>,
    to: Vec<u8>,
    /// Where it is from: `redirects.txt:3:1`.
    place: Place,
}

impl Redirects {
    /// Collects the redirects of the command line and of files. An invalid redirect is reported,
    /// and the run does not start.
    pub(super) fn collect(pairs: &[OsString], files: &[PathBuf]) -> Result<Self, CliError> {
        let pairs = pairs.chunks_exact(2).zip(1..);
        let argument = |(pair, number): (&[OsString], u32)| Redirect {
            from: pair[0].as_encoded_bytes().to_vec(),
            to: pair[1].as_encoded_bytes().to_vec(),
            place: Place::named(&format!("--redirect {number}")),
        };
        let mut redirects: Vec<_> = pairs.map(argument).collect();
        check_stdin_once(files.iter().map(|path| path.as_os_str()), "--redirects names it twice")?;
        for path in files {
            lines(path, &mut redirects)?;
        }
        Ok(Self { redirects })
    }

    /// Reads them by an edition.
    pub(super) fn read<'a>(
        &'a self,
        edition: &'static Edition,
        errors: &mut Output,
    ) -> Result<Vec<(Uri<'a>, Uri<'a>)>, CliError> {
        let mut seen = Vec::with_capacity(self.redirects.len());
        for Redirect { from, to, place } in &self.redirects {
            let mut read = |octets: &'a [u8]| {
                uri(octets, edition).map_err(|error| {
                    failure::write(errors, place, octets, &error.into());
                    CliError::Reported
                })
            };
            seen.push((read(from)?, read(to)?));
        }
        Ok(seen)
    }
}

fn uri<'a>(octets: &'a [u8], edition: &'static Edition) -> Result<Uri<'a>, ParseError> {
    UriRef::parse_bytes_with(octets, edition)?.try_into()
}

/// The redirects of a file, a line each; "-" is standard input.
fn lines(path: &Path, redirects: &mut Vec<Redirect>) -> Result<(), CliError> {
    let file = Named(path.as_os_str());
    let name = if file.is_stdin() { STDIN.into() } else { path.to_string_lossy() };
    let octets = file.read()?;
    for (line, number) in octets.split(|&octet| octet == b'\n').zip(1..) {
        let place = Place::given(&format!("{name}:{number}:1"));
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        match (words.next(), words.next(), words.next()) {
            (None, ..) => {}
            (Some(from), Some(to), None) => {
                redirects.push(Redirect { from: from.to_vec(), to: to.to_vec(), place });
            }
            _ => {
                say_error_at(&place, "expected two URLs separated by white space");
                return Err(CliError::Reported);
            }
        }
    }
    Ok(())
}
