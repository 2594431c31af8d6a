//! The file by which `locator open` finds a gateway that runs: writes the address of one, and reads it. The
//! address may have a key, so only the user can read the file.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// How many octets an address may have.
const LONGEST: u64 = 1024;

/// The file of this gateway, which is removed with it.
#[derive(Debug)]
pub(in crate::verbs) struct Running {
    path: PathBuf,
    address: String,
    /// The open file. It is locked as long as this process lives, whatever ends it.
    _locked: fs::File,
}

impl Running {
    /// Writes the address of a gateway that listens. That of another one, which ended or is older, is
    /// replaced.
    pub(in crate::verbs) fn write(address: &str) -> io::Result<Self> {
        let directory = directory()?;
        let mut file = tempfile::NamedTempFile::new_in(&directory)?;
        writeln!(file, "{address}")?;
        #[cfg(unix)]
        file.as_file().lock()?;
        let path = directory.join(NAME);
        let locked = file.persist(&path)?;
        Ok(Self { path, address: address.into(), _locked: locked })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Another gateway may have been started since.
        if fs::File::open(&self.path).ok().and_then(text).as_deref() == Some(&*self.address) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Returns the address of a gateway that runs. Since one that was killed leaves its file, and anybody may
/// listen at its port then, the file counts only as long as it is locked.
pub(super) fn address() -> Option<String> {
    let file = fs::File::open(directory().ok()?.join(NAME)).ok()?;
    is_locked(&file).then(|| text(file)).flatten()
}

#[cfg(unix)]
fn is_locked(file: &fs::File) -> bool {
    matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock))
}

/// Other systems do not let a file be read that another process has locked.
#[cfg(not(unix))]
fn is_locked(_: &fs::File) -> bool {
    true
}

/// The name of the file.
const NAME: &str = "serve";

/// Reads an address.
fn text(file: fs::File) -> Option<String> {
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    Some(text.trim_end().to_owned()).filter(|text| text.starts_with("http://"))
}

/// Returns the directory of the file: below the user's own for such files (XDG Base Directory
/// Specification), else below the one for temporary files. Others must not be able to write it: they could
/// lead the user to a gateway of theirs.
fn directory() -> io::Result<PathBuf> {
    let own = dirs::runtime_dir().filter(|directory| directory.is_absolute());
    let directory = match own {
        Some(directory) => directory.join("locator"),
        None => std::env::temp_dir().join(["locator-", &user()].concat()),
    };
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(&directory) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    check(&directory)?;
    Ok(directory)
}

/// Checks that a directory is the user's alone, and is no link to another.
#[cfg(unix)]
fn check(directory: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let found = fs::symlink_metadata(directory)?;
    let is_own =
        found.is_dir() && found.uid() == rustix::process::geteuid().as_raw() && found.mode() & 0o077 == 0;
    let why = "the directory of the gateway's address is not the user's alone";
    if is_own { Ok(()) } else { Err(io::Error::new(io::ErrorKind::PermissionDenied, why)) }
}

/// The temporary directory of other systems is the user's own.
#[cfg(not(unix))]
fn check(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn user() -> String {
    rustix::process::geteuid().as_raw().to_string()
}

#[cfg(not(unix))]
fn user() -> String {
    "user".into()
}
