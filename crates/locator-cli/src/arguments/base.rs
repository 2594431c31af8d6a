//! The base that references are resolved against, and how they are. Words of the command line in, the library's
//! values out.

use std::ffi::OsString;

use clap::{Args, ValueEnum};
use locator::ResolveOptions;
use locator::edition::{Empty, Leftover};

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
