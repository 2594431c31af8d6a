//! Temporary files, which are removed when the program ends, also by Ctrl-C, SIGTERM or SIGHUP.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What a signal removes.
static REMOVED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file or folder that is removed when this is dropped, or when a signal ends the program.
#[derive(Debug)]
pub(crate) struct Temporary(PathBuf);

impl Temporary {
    /// Creates a folder for the temporary files of this run.
    pub(crate) fn folder() -> io::Result<Self> {
        handle_signals();
        let mut paths = lock();
        let folder = tempfile::Builder::new().prefix("locator-sql-").tempdir()?.keep();
        paths.push(folder.clone());
        Ok(Self(folder))
    }

    /// Creates a file beside the one that it replaces later.
    pub(crate) fn beside(path: &Path) -> io::Result<(Self, fs::File)> {
        let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::IsADirectory))?;
        let name = format!("{}.part", name.to_string_lossy());
        if path.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        let mut paths = lock();
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        builder.prefix(&name);
        // As a shell creates a file, and not for this user only.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(parent.unwrap_or_else(|| Path::new(".")));
        // Its message names the temporary file.
        let file = file.map_err(|error| match (error.kind(), parent) {
            (io::ErrorKind::NotFound, Some(parent)) => {
                io::Error::new(error.kind(), format!("no folder '{}'", parent.display()))
            }
            (kind, _) => io::Error::from(kind),
        })?;
        let (file, path) = file.keep()?;
        paths.push(path.clone());
        Ok((Self(path), file))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Gives the file its name.
    pub(crate) fn rename(self, path: &Path) -> io::Result<()> {
        fs::rename(&self.0, path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut paths = lock();
        remove(&self.0);
        paths.retain(|path| *path != self.0);
    }
}

fn lock() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    REMOVED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes everything, before the program ends in an unexpected place.
pub(crate) fn remove_all() {
    if let Ok(paths) = REMOVED.try_lock() {
        paths.iter().for_each(|path| remove(path));
    }
}

/// Removes a file or folder. A thread that works on can add a file to a folder meanwhile, so it is tried
/// some times.
fn remove(path: &Path) {
    const TIMES: usize = 10;
    for _ in 0..TIMES {
        let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        if removed.is_ok() || !path.exists() {
            break;
        }
    }
}

/// Begins to handle signals, once.
#[cfg(unix)]
fn handle_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    let _ = std::thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            // Nothing is created after this: the lock is kept.
            let paths = lock();
            paths.iter().for_each(|path| remove(path));
            end_line();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
}

#[cfg(not(unix))]
fn handle_signals() {}

/// Removes the progress from the terminal.
pub(crate) fn end_line() {
    if io::stderr().is_terminal() {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}
