//! The verb `relative`: absolute references in, the shortest reference to each from a base out.

use std::borrow::Cow;

use locator::{Base, ResolveOptions, Uri};

use crate::arguments::{AskedByOne, Relation};
use crate::base;
use crate::exit::{Status, Trouble};
use crate::failure::Failure;
use crate::make::{self, Made, Make};
use crate::reading;
use crate::run::Output;
use crate::show::json::Head;

struct Relative<'b> {
    base: Base<'b>,
    options: ResolveOptions,
}

/// Makes every input relative.
pub(crate) fn run(relation: &Relation, asked: &AskedByOne, out: &mut Output) -> Result<Status, Trouble> {
    let base = base::read(relation.ground.base.as_encoded_bytes(), asked.by.edition, &mut out.errors())?;
    make::run(&asked.inputs, Head::Input, Relative { base, options: relation.options() }, out)
}

impl Make for Relative<'_> {
    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let target = reading::read(octets, self.base.edition())?.reference;
        let target = Uri::try_from(target)?;
        let reference = self.base.relativize_with(target, self.options)?;
        Ok(Made::Reference(Cow::Owned(reference.into_string())))
    }
}
