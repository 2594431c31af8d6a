//! The verb `path`: file URIs in, the paths of their files out.

use locator::scheme::file::Platform;
use locator::{Edition, Part};

use crate::arguments::{AskedByOne, PlatformAsked};
use crate::exit::{Status, Trouble};
use crate::failure::Failure;
use crate::make::{self, Made, Make};
use crate::reading;
use crate::run::Output;
use crate::show::json::Head;

struct ToPath {
    platform: Platform,
    edition: &'static Edition,
    /// Whether a path may hold a line end, because it ends with something else.
    any: bool,
}

/// Makes a path of every URI.
pub(crate) fn run(of: PlatformAsked, asked: &AskedByOne, out: &mut Output) -> Result<Status, Trouble> {
    let inputs = &asked.inputs;
    let platform = of.named().unwrap_or(Platform::HOST);
    let verb = ToPath { platform, edition: asked.by.edition, any: inputs.null || inputs.json };
    make::run(inputs, Head::Input, verb, out)
}

impl Make for ToPath {
    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let reference = reading::read(octets, self.edition)?.reference;
        let octets = self.platform.to_path(reference);
        let octets = octets
            .map_err(|error| Failure::from(error).about(error.part().unwrap_or(Part::Path), reference))?;
        if !self.any && octets.iter().any(|octet| matches!(octet, b'\n' | b'\r')) {
            let message = "the path holds a line end: paths that end with NUL may, with -0".to_owned();
            return Err(Failure::other("line-end", message));
        }
        Ok(Made::Path { octets, ended_by_nul: self.any })
    }
}
