//! The arguments `--base`, `--leftover`, `--empty` and `--same-scheme`, converted to the library's
//! types.

use std::ffi::OsString;

use clap::{Args, ValueEnum};
use locator::ResolveOptions;
use locator::edition::{PathUnderflow, SameDocument};

/// The base, and the options of resolution.
#[derive(Args, Debug)]
pub(crate) struct BaseArgs {
    /// The base: the absolute URL of the document that contains the references
    #[arg(short, long, value_name = "URL")]
    base: OsString,
    /// Keep, remove or refuse ".." above the root, as in ../../../g
    ///
    /// The default is the edition's rule: "remove" in rfc3986 and rfc3987, "keep" in
    /// the others.
    #[arg(long, value_name = "HOW", value_enum)]
    leftover: Option<LeftoverWord>,
    /// Resolve an empty reference or "#s" to WHAT
    ///
    /// The default is the edition's rule: "base" in rfc3986 and rfc3987, "document" in
    /// the others.
    #[arg(long, value_name = "WHAT", value_enum)]
    empty: Option<EmptyWord>,
    /// Read "http:g" as relative if the base has the scheme http, as old browsers did
    #[arg(long)]
    same_scheme: bool,
}

impl BaseArgs {
    /// Returns the bytes of the base as given.
    pub(crate) fn octets(&self) -> &[u8] {
        self.base.as_encoded_bytes()
    }

    /// Converts the options to those of the library.
    pub(crate) fn options(&self) -> ResolveOptions {
        let mut options = ResolveOptions::new().same_scheme(self.same_scheme);
        if let Some(word) = self.leftover {
            options = options.path_underflow(match word {
                LeftoverWord::Keep => PathUnderflow::Keep,
                LeftoverWord::Remove => PathUnderflow::Remove,
                LeftoverWord::Refuse => PathUnderflow::Refuse,
            });
        }
        match self.empty {
            None => options,
            Some(EmptyWord::Base) => options.same_document(SameDocument::Base),
            Some(EmptyWord::Document) => options.same_document(SameDocument::CurrentDocument),
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LeftoverWord {
    /// Keep it: http://a/../g
    Keep,
    /// Remove it: http://a/g
    Remove,
    /// Report an error
    Refuse,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EmptyWord {
    /// The base, as for the action of a form
    Base,
    /// The current document, which need not be the base
    Document,
}
