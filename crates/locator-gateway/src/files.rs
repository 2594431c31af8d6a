//! The directory whose files a gateway shows: decides which URLs are in it, and fetches them.

use std::io;
use std::path::{Path, PathBuf};

use locator::plan::{Local, Plan, Step};
use locator_audit::Policy;
use locator_fetch::Fetcher;

use super::refusal::Refusal;

/// A directory of this machine whose files a gateway shows.
///
/// ```
/// use locator_gateway::Directory;
///
/// assert!(Directory::open(&std::env::temp_dir()).is_ok());
/// assert!(Directory::open("Cargo.toml".as_ref()).is_err());
/// ```
#[derive(Debug)]
pub struct Directory {
    root: PathBuf,
    pub(super) fetcher: Fetcher,
}

impl Directory {
    /// Looks at the directory.
    ///
    /// # Errors
    ///
    /// It is not there, or is no directory.
    pub fn open(directory: &Path) -> io::Result<Self> {
        let root = directory.canonicalize()?;
        if !root.is_dir() {
            return Err(io::Error::from(io::ErrorKind::NotADirectory));
        }
        Ok(Self { root, fetcher: Fetcher::with_policy(Policy::typed().schemes(["file"])).max_size(u64::MAX) })
    }

    /// Opens a file if it is in the directory, wherever symbolic links lead.
    pub(super) fn find(&self, file: &[u8]) -> Result<OpenedFile, Refusal> {
        let outside = || Refusal::forbidden("the file is not in the directory of --files".into());
        let path = native(file).ok_or_else(outside)?;
        match path.canonicalize() {
            Ok(found) if found.starts_with(&self.root) => OpenedFile::open(&found).ok_or_else(outside),
            Err(error) if error.kind() == io::ErrorKind::NotFound && path.starts_with(&self.root) => {
                Err(Refusal::not_found("there is no such file".into()))
            }
            _ => Err(outside()),
        }
    }
}

/// A file that is in the directory. Its name may lead elsewhere by now.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) struct OpenedFile(std::os::fd::OwnedFd);

#[cfg(any(target_os = "linux", target_os = "android"))]
impl OpenedFile {
    /// Opens a file by a path without symbolic links; `None` if it has one, because it was changed since.
    fn open(path: &Path) -> Option<Self> {
        use std::path::Component;

        use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, openat};

        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = openat(CWD, "/", flags, Mode::empty()).ok()?;
        for name in path.components() {
            match name {
                Component::RootDir => {}
                Component::Normal(name) => file = openat(&file, name, flags, Mode::empty()).ok()?,
                _ => return None,
            }
            // With O_PATH a symbolic link is opened itself. It is no directory, so nothing is opened in it.
            if FileType::from_raw_mode(fstat(&file).ok()?.st_mode) == FileType::Symlink {
                return None;
            }
        }
        Some(Self(file))
    }

    /// Returns the URL by which the open file itself is read, as long as `self` is there.
    pub(super) fn url(&self) -> Option<String> {
        use std::os::fd::AsRawFd as _;
        Some(format!("file:///proc/self/fd/{}", self.0.as_raw_fd()))
    }
}

/// A file that was in the directory. Only Linux can read the file that was looked at, whatever its name is by
/// now.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) struct OpenedFile;

#[cfg(not(any(target_os = "linux", target_os = "android")))]
impl OpenedFile {
    const fn open(_: &Path) -> Option<Self> {
        Some(Self)
    }

    #[expect(clippy::unused_self, reason = "on Linux it is used")]
    pub(super) const fn url(&self) -> Option<String> {
        None
    }
}

/// Returns the path with these bytes.
#[cfg(unix)]
fn native(octets: &[u8]) -> Option<&Path> {
    use std::os::unix::ffi::OsStrExt;

    Some(Path::new(std::ffi::OsStr::from_bytes(octets)))
}

/// Returns the path with these bytes.
#[cfg(not(unix))]
fn native(octets: &[u8]) -> Option<&Path> {
    str::from_utf8(octets).ok().map(Path::new)
}

/// Returns the name of the file that a plan reads.
pub(super) fn file_of(plan: &Plan) -> Option<&[u8]> {
    plan.steps().find_map(|step| match step {
        Step::Local(Local::File { file }) => Some(file.as_slice()),
        _ => None,
    })
}
