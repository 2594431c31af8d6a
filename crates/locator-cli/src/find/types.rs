//! Names of types in, which files are looked into out: the formats that are read here, known by a file's name and by
//! its first octets, and the types that ripgrep knows by names alone.

use std::io::{self, Write};
use std::path::Path;

use ignore::types::{self, TypesBuilder};
use locator_find::Format;

use crate::arguments::Places;
use crate::exit::{Trouble, say};
use crate::show::visible;

/// Which files are looked into, by what they are.
pub(super) struct Types {
    wanted: Chosen,
    unwanted: Chosen,
}

/// Types that were named.
struct Chosen {
    formats: Vec<Format>,
    by_name: types::Types,
}

impl Types {
    /// Those that the command line names.
    pub(super) fn new(places: &Places) -> Result<Self, Trouble> {
        Ok(Self { wanted: Chosen::new(&places.types)?, unwanted: Chosen::new(&places.type_not)? })
    }

    /// Whether a file is to be looked into; none as long as its format has to be known.
    pub(super) fn wants(&self, path: &Path, format: Option<Format>) -> Option<bool> {
        match (self.unwanted.has(path, format), self.wanted.is_empty()) {
            (Some(true), _) => Some(false),
            (unwanted, true) => unwanted.map(|unwanted| !unwanted),
            (unwanted, false) => match self.wanted.has(path, format) {
                Some(true) => unwanted.map(|_| true),
                wanted => wanted,
            },
        }
    }

    /// The format that is wanted, if it is one.
    pub(super) fn format(&self) -> Option<Format> {
        match self.wanted.formats[..] {
            [format] if self.wanted.by_name.is_empty() => Some(format),
            _ => None,
        }
    }
}

impl Chosen {
    fn new(names: &[String]) -> Result<Self, Trouble> {
        let mut builder = TypesBuilder::new();
        builder.add_defaults();
        let mut formats = Vec::new();
        for name in names {
            match Format::from_name(name) {
                Some(format) => formats.push(format),
                None => drop(builder.select(name)),
            }
        }
        let by_name = builder.build().map_err(|error| refused(&error))?;
        Ok(Self { formats, by_name })
    }

    fn is_empty(&self) -> bool {
        self.formats.is_empty() && self.by_name.is_empty()
    }

    fn has(&self, path: &Path, format: Option<Format>) -> Option<bool> {
        if self.by_name.matched(path, false).is_whitelist() {
            return Some(true);
        }
        if self.formats.is_empty() {
            return Some(false);
        }
        format.map(|format| self.formats.contains(&format))
    }
}

fn refused(error: &ignore::Error) -> Trouble {
    match error {
        ignore::Error::UnrecognizedFileType(name) => {
            say(&format!("there is no type \"{}\": see locator find --type-list", visible(name)));
        }
        error => say(&error.to_string()),
    }
    Trouble::Told
}

/// Writes all types: the formats first.
pub(super) fn list(out: &mut impl Write) -> io::Result<()> {
    for format in Format::ALL {
        let endings = format.extensions().iter().chain(format.sections());
        let names: Vec<_> = endings.map(|one| format!("*.{one}")).collect();
        let content = if format.is_told_by_octets() { ", and by content" } else { "" };
        writeln!(out, "{}: {}{content}", format.name(), names.join(", "))?;
    }
    let of_ripgrep = TypesBuilder::new().add_defaults().definitions();
    for definition in of_ripgrep.iter().filter(|definition| Format::from_name(definition.name()).is_none()) {
        writeln!(out, "{}: {}", definition.name(), definition.globs().join(", "))?;
    }
    Ok(())
}
