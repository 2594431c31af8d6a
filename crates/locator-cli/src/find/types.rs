//! Names of types in, which files are looked into out: the formats that are read here, known by a file's name and by
//! its first octets, and the types that ripgrep knows by names alone.

use std::io::Write;
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
    /// Formats that globs were added to, and the globs.
    added: Vec<(Format, types::Types)>,
}

/// Types that were named.
struct Chosen {
    formats: Vec<Format>,
    by_name: types::Types,
}

impl Types {
    /// Those that the command line names.
    pub(super) fn new(places: &Places) -> Result<Self, Trouble> {
        let added = &places.rules.type_add;
        Ok(Self {
            wanted: Chosen::new(&places.types, added)?,
            unwanted: Chosen::new(&places.type_not, added)?,
            added: formats(added)?,
        })
    }

    /// The format that a file's name tells, also by the globs that were added.
    pub(super) fn format_of_path(&self, path: &Path) -> Option<Format> {
        self.added_format(path).or_else(|| Format::of_path(path))
    }

    /// The format of a file that begins so; none if it is binary.
    pub(super) fn format_of(&self, path: &Path, first: &[u8]) -> Option<Format> {
        let format = Format::of(path, first)?;
        Some(self.added_format(path).unwrap_or(format))
    }

    fn added_format(&self, path: &Path) -> Option<Format> {
        let has = |globs: &types::Types| globs.matched(path, false).is_whitelist();
        self.added.iter().find(|(_, globs)| has(globs)).map(|(format, _)| *format)
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
    fn new(names: &[String], added: &[String]) -> Result<Self, Trouble> {
        let mut builder = builder(added)?;
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

/// ripgrep's types, and those that are added to them.
fn builder(added: &[String]) -> Result<TypesBuilder, Trouble> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    for one in added {
        builder.add_def(one).map_err(|_| {
            let how =
                "TYPE:GLOB or TYPE:include:TYPE,TYPE is expected, and letters and digits in a type's name";
            say(&format!("--type-add \"{}\": {how}", visible(one)));
            Trouble::Told
        })?;
    }
    Ok(builder)
}

/// The formats that globs are added to.
fn formats(added: &[String]) -> Result<Vec<(Format, types::Types)>, Trouble> {
    let mut formats = Vec::new();
    for one in added {
        let name = one.split(':').next().unwrap_or_default();
        let Some(format) = Format::from_name(name) else { continue };
        let mut globs = TypesBuilder::new();
        // What it includes must be there.
        if one.contains(":include:") {
            globs.add_defaults();
            globs.clear(name);
        }
        let _ = globs.add_def(one);
        globs.select(name);
        formats.push((format, globs.build().map_err(|error| refused(&error))?));
    }
    Ok(formats)
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
pub(super) fn list(added: &[String], out: &mut impl Write) -> Result<(), Trouble> {
    let of_format = |name: &str, one: &&String| one.split_once(':').is_some_and(|(of, _)| of == name);
    for format in Format::ALL {
        let endings = format.extensions().iter().chain(format.sections());
        let added = added.iter().filter(|one| of_format(format.name(), one));
        let added = added.filter_map(|one| one.split_once(':')).map(|(_, glob)| glob.to_owned());
        let names: Vec<_> = endings.map(|one| format!("*.{one}")).chain(added).collect();
        let content = if format.is_told_by_octets() { ", and by content" } else { "" };
        writeln!(out, "{}: {}{content}", format.name(), names.join(", "))?;
    }
    let of_ripgrep = builder(added)?.definitions();
    for definition in of_ripgrep.iter().filter(|definition| Format::from_name(definition.name()).is_none()) {
        writeln!(out, "{}: {}", definition.name(), definition.globs().join(", "))?;
    }
    Ok(())
}
