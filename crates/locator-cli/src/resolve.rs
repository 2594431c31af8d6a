//! The verb `resolve`: references in, their absolute form out.

use std::borrow::Cow;

use locator::{Base, ResolveOptions, Resolved, UriRef};

use crate::arguments::{AskedByOne, Ground};
use crate::base;
use crate::exit::{Status, Trouble};
use crate::failure::{Failure, Of};
use crate::make::{self, Made, Make};
use crate::reading;
use crate::run::Output;
use crate::show::json::Head;

struct Resolve<'b> {
    base: Base<'b>,
    options: ResolveOptions,
    target: String,
}

/// Resolves every input.
pub(crate) fn run(ground: &Ground, asked: &AskedByOne, out: &mut Output) -> Result<Status, Trouble> {
    let octets = ground.base.as_encoded_bytes();
    let base = base::read(octets, asked.by.edition, &mut out.errors())?;
    let head = Head::Resolve { base: String::from_utf8_lossy(octets), edition: asked.by.edition };
    let verb = Resolve { base, options: ground.options(), target: String::new() };
    make::run(&asked.inputs, head, verb, out)
}

impl Make for Resolve<'_> {
    const TAKES_NAMES_OF_FILES: bool = true;

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let reference = UriRef::from_octets(octets, self.base.edition())?;
        let resolved = self.base.resolve_into(reference, self.options, &mut self.target);
        let in_base = |error| Failure::from(error).shown_in(self.base.as_str(), Of::Base);
        Ok(match resolved.map_err(in_base)? {
            Resolved::Uri(text) => match reading::read(text.as_bytes(), self.base.edition()) {
                Ok(_) => Made::Reference(Cow::Borrowed(text)),
                Err(error) => Made::Refused { text, why: Failure::result_not_valid(text, &error) },
            },
            Resolved::CurrentDocument { fragment } => {
                Made::CurrentDocument { fragment: fragment.map(|fragment| fragment.as_str()) }
            }
        })
    }
}
