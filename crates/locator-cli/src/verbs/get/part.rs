//! A file that gets its name when it is whole. Until then it is `NAME.part`, created exclusively, so
//! that no other file and no symbolic link is written through, and only its owner may read it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::terminal::visible;

/// A file that is being written.
pub(super) struct Part {
    file: File,
    path: PathBuf,
    /// The name that it gets; `None` if it has it already, as a device has.
    whole: Option<PathBuf>,
    clobber: bool,
}

impl Part {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// A sentence: the file exists, or it cannot be created.
    pub(super) fn create(name: &OsStr, clobber: bool) -> Result<Self, String> {
        let whole = PathBuf::from(name);
        let found = fs::symlink_metadata(&whole).ok();
        // A device or a pipe that the user names is written to.
        if found.as_ref().is_some_and(is_special) {
            let opened = OpenOptions::new().write(true).open(&whole);
            let file = opened.map_err(|error| cannot(&whole, "written", &error))?;
            return Ok(Self { file, path: whole, whole: None, clobber });
        }
        if found.is_some_and(|found| found.is_dir()) {
            return Err(format!("{} is a directory", shown(&whole)));
        }
        if !clobber && fs::symlink_metadata(&whole).is_ok() {
            return Err(format!("{} exists; use --clobber to replace it", shown(&whole)));
        }
        let path = part_of(name);
        if clobber {
            // A link is removed, and not what it leads to.
            let _ = fs::remove_file(&path);
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => format!(
                "{} exists: an earlier try was cut off, or another one is running; remove it or use --clobber",
                shown(&path)
            ),
            _ => cannot(&path, "created", &error),
        })?;
        Ok(Self { file, path, whole: Some(whole), clobber })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    ///
    /// A sentence: a file of that name has appeared, or the file cannot be renamed.
    pub(super) fn finish(mut self) -> Result<(), String> {
        self.file.flush().map_err(|error| cannot(&self.path, "written", &error))?;
        let Some(whole) = &self.whole else { return Ok(()) };
        let renamed = if self.clobber {
            self.open_up(whole).and_then(|()| fs::rename(&self.path, whole))
        } else {
            self.link(whole)
        };
        renamed.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                format!(
                    "{} has appeared meanwhile; what was fetched is in {}",
                    shown(whole),
                    shown(&self.path)
                )
            }
            _ => cannot(whole, "created", &error),
        })
    }

    /// Gives the file its name, unless another file has it.
    fn link(&self, whole: &Path) -> io::Result<()> {
        // The new name is reserved first: a rename would replace whatever has it. An empty file is
        // there only until the next call.
        let reserved = OpenOptions::new().write(true).create_new(true).open(whole)?;
        // It has the permissions that a new file has.
        let permissions = reserved.metadata()?.permissions();
        self.file.set_permissions(permissions)?;
        drop(reserved);
        fs::rename(&self.path, whole)
    }

    /// Gives the file the permissions of the one that it replaces, or else those of a new one.
    fn open_up(&self, whole: &Path) -> io::Result<()> {
        match fs::symlink_metadata(whole) {
            Ok(found) if found.is_file() => self.file.set_permissions(found.permissions()),
            Ok(_) => Ok(()),
            Err(_) => {
                let reserved = OpenOptions::new().write(true).create_new(true).open(whole)?;
                self.file.set_permissions(reserved.metadata()?.permissions())
            }
        }
    }

    /// Removes the file.
    pub(super) fn discard(self) {
        if self.whole.is_some() {
            let _ = fs::remove_file(&self.path);
        }
    }

    /// Returns the name that the file gets.
    pub(super) fn whole_name(&self) -> String {
        self.whole.as_ref().unwrap_or(&self.path).to_string_lossy().into_owned()
    }

    /// Returns the name for messages.
    pub(super) fn shown(&self) -> String {
        shown(&self.path)
    }

    /// Returns the error of a write as a sentence.
    pub(super) fn cannot_write(&self, error: &io::Error) -> String {
        cannot(&self.path, "written", error)
    }
}

impl Write for Part {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.file.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Returns whether a file is neither a regular one, nor a directory or a link.
fn is_special(found: &fs::Metadata) -> bool {
    !found.is_file() && !found.is_dir() && !found.is_symlink()
}

fn part_of(name: &OsStr) -> PathBuf {
    let mut part = OsString::from(name);
    part.push(".part");
    part.into()
}

fn cannot(path: &Path, what: &str, error: &io::Error) -> String {
    format!("{} cannot be {what}: {error}", shown(path))
}

fn shown(path: &Path) -> String {
    format!("\"{}\"", visible(&path.to_string_lossy()))
}
