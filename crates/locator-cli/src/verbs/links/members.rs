//! The files in an archive (`-z`): passes each on that is not packed itself, and reports those that cannot be
//! read.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use locator_find::Archive;

use crate::run::interrupt::Turn;
use crate::terminal::visible;
use crate::verbs::find;

/// How many bytes show that a member is packed.
const FIRST: u64 = 8;

/// Reads a member, which has this name in its archive.
type Reading<'a> = dyn FnMut(&str, Box<dyn Read + '_>) -> io::Result<()> + 'a;

/// Returns the name of the directory in which the files of an archive seem to be: that of `find`.
pub(super) fn directory(archive: &Path) -> PathBuf {
    let mut name = OsString::from(archive);
    name.push("!");
    name.into()
}

/// Reads the members of an archive one after the other. `name` is that of the archive for messages.
pub(super) fn each(archive: &mut Archive<File>, name: &str, report: &dyn Fn(&str), read: &mut Reading<'_>) {
    let named = |member: &str| visible(&format!("{name}!/{member}")).to_string();
    for member in archive.repeated_names() {
        let why = "the archive has several files of this name, and only the last is checked";
        report(&format!("\"{}\" is not checked: {why}", named(member)));
    }
    for index in 0..archive.len() {
        if Turn::is_over() {
            return;
        }
        let mut shown = visible(name).to_string();
        let done = archive.member(index).and_then(|member| {
            let Some(mut member) = member else { return Ok(()) };
            let inner = member.name().to_owned();
            shown = named(&inner);
            let mut first = Vec::new();
            member.by_ref().take(FIRST).read_to_end(&mut first)?;
            // An archive in an archive is no document.
            if find::packed(&first).is_some() {
                return Ok(());
            }
            read(&inner, Box::new(io::Cursor::new(first).chain(member)))
        });
        if let Err(error) = done {
            report(&format!("\"{shown}\" cannot be read: {}", visible(&error.to_string())));
        }
    }
}
