//! The verb `file`: paths of files in, their URIs out. A relative path is one of the directory that the command
//! runs in, unless another platform's paths are meant.

use std::borrow::Cow;
use std::env;
use std::path::{Component, Path, PathBuf};

use locator::scheme::file::Platform;

use crate::arguments::{FileAsked, Inputs};
use crate::exit::{Status, Trouble};
use crate::failure::Failure;
use crate::make::{self, Made, Make};
use crate::run::Output;
use crate::show::json::Head;
use crate::show::visible;

struct File {
    platform: Platform,
    /// Whether relative paths are of the working directory.
    is_here: bool,
    directory: bool,
    /// Whether each URL ends with NUL.
    null: bool,
}

/// Makes a URI of every path.
pub(crate) fn run(asked: &FileAsked, inputs: &Inputs, out: &mut Output) -> Result<Status, Trouble> {
    let platform = asked.platform.named();
    let is_here = platform.is_none();
    let platform = platform.unwrap_or(Platform::HOST);
    make::run(
        inputs,
        Head::Input,
        File { platform, is_here, directory: asked.directory, null: inputs.null },
        out,
    )
}

impl Make for File {
    const TAKES_NAMES_OF_FILES: bool = true;

    fn make<'a>(&'a mut self, octets: &'a [u8]) -> Result<Made<'a>, Failure> {
        let here = if self.is_here { absolute(octets) } else { None };
        let path = here.as_ref().map_or(octets, |path| path.as_os_str().as_encoded_bytes());
        let made = match self.directory {
            true => self.platform.to_directory_uri(path),
            false => self.platform.to_uri(path),
        };
        match (made, here) {
            (Ok(uri), _) if self.null => {
                Ok(Made::Path { octets: uri.into_string().into_bytes(), ended_by_nul: true })
            }
            (Ok(uri), _) => Ok(Made::Reference(Cow::Owned(uri.into_string()))),
            (Err(error), None) => Err(error.into()),
            // Its place is one in the path that was made.
            (Err(error), Some(path)) => {
                let whole = path.to_string_lossy();
                let see = error.see().map(str::to_owned);
                let message = format!("{}, in {}", error.message(), visible(&whole));
                Err(Failure::Other { kind: error.name(), message, see, place: None })
            }
        }
    }
}

/// The absolute path of one that is relative to the working directory; none if there is nothing to do.
pub(crate) fn absolute(octets: &[u8]) -> Option<PathBuf> {
    let path = native(octets)?;
    // `C:a` and `\a` are relative to more than a directory, and nothing is no file.
    let is_relative =
        !path.has_root() && !matches!(path.components().next(), None | Some(Component::Prefix(_)));
    let mut whole = env::current_dir().ok().filter(|_| is_relative)?;
    let mut leads = true;
    for step in path.components() {
        match step {
            Component::CurDir => {}
            // The working directory is told without links, so its parent is what stands before it.
            Component::ParentDir if leads => drop(whole.pop()),
            step => {
                leads = false;
                whole.push(step);
            }
        }
    }
    let ends_with_delimiter = octets.last().is_some_and(|&octet| std::path::is_separator(char::from(octet)));
    if ends_with_delimiter {
        whole.push("");
    }
    Some(whole)
}

/// A path that has these octets.
#[cfg(unix)]
pub(crate) fn native(octets: &[u8]) -> Option<&Path> {
    use std::os::unix::ffi::OsStrExt;

    Some(Path::new(std::ffi::OsStr::from_bytes(octets)))
}

/// A path that has these octets.
#[cfg(not(unix))]
pub(crate) fn native(octets: &[u8]) -> Option<&Path> {
    std::str::from_utf8(octets).ok().map(Path::new)
}
