//! The base that references are resolved against, and how they are. Words of the command line in, the library's
//! values out; why there is no base is told, and the run is over before it has begun.

use std::ffi::OsString;

use clap::{Args, ValueEnum};
use locator::edition::{Empty, Leftover};
use locator::{Base, Edition, ResolveError, ResolveOptions, UriRef};

use crate::exit::{Trouble, say};
use crate::failure::Failure;
use crate::output::Output;
use crate::show::failure;

/// What references are resolved against, and how.
#[derive(Args, Debug)]
pub(crate) struct BaseArgs {
    /// The absolute URL of the document that the references stand in
    #[arg(short, long, value_name = "URL")]
    base: OsString,
    /// What becomes of ".." that leads above the root; if not given, the
    /// edition's own answer: "remove" by rfc3986 and rfc3987, "keep" by the others
    #[arg(long, value_name = "HOW", value_enum)]
    leftover: Option<LeftoverWord>,
    /// What an empty reference or "#s" means; if not given, the edition's own
    /// answer: "base" by rfc3986 and rfc3987, "document" by the others
    #[arg(long, value_name = "WHAT", value_enum)]
    empty: Option<EmptyWord>,
    /// A scheme that is the base's own counts for nothing, so that "http:g" is
    /// relative: for old documents
    #[arg(long)]
    same_scheme: bool,
}

impl BaseArgs {
    /// The octets of the base as they were given.
    pub(crate) fn octets(&self) -> &[u8] {
        self.base.as_encoded_bytes()
    }

    /// Reads the base.
    pub(crate) fn read(&self, edition: &'static Edition, errors: &mut Output) -> Result<Base<'_>, Trouble> {
        read_base(self.octets(), edition, errors)
    }

    /// The choices as the library has them.
    pub(crate) fn options(&self) -> ResolveOptions {
        let mut options = ResolveOptions::new().same_scheme_is_relative(self.same_scheme);
        if let Some(word) = self.leftover {
            options = options.leftover(match word {
                LeftoverWord::Keep => Leftover::Keep,
                LeftoverWord::Remove => Leftover::Remove,
                LeftoverWord::Refuse => Leftover::Refuse,
            });
        }
        match self.empty {
            None => options,
            Some(EmptyWord::Base) => options.empty(Empty::Base),
            Some(EmptyWord::Document) => options.empty(Empty::CurrentDocument),
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LeftoverWord {
    /// It stays: http://a/../g
    Keep,
    /// It goes: http://a/g
    Remove,
    /// The reference is in error
    Refuse,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EmptyWord {
    /// The base, as for a form's action
    Base,
    /// The current document, which need not be the base
    Document,
}

/// Reads a base.
pub(crate) fn read_base<'a>(
    octets: &'a [u8],
    edition: &'static Edition,
    errors: &mut Output,
) -> Result<Base<'a>, Trouble> {
    let reference = match UriRef::from_octets(octets, edition) {
        Ok(reference) => reference,
        Err(error) => return Err(told(octets, &error.into(), errors)),
    };
    Base::new(reference).map_err(|error| match error {
        // Whatever the base.
        ResolveError::NotDefined { .. } => {
            say(&error.to_string());
            Trouble::Told
        }
        error => told(octets, &Failure::from(error).of_base(), errors),
    })
}

fn told(octets: &[u8], why: &Failure, errors: &mut Output) -> Trouble {
    failure::write(errors, "--base: ", octets, why);
    Trouble::Told
}
