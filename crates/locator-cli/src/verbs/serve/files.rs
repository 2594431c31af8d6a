//! The files of `--files DIR`: decides which URLs are in the directory, and fetches them.

use std::io;
use std::path::{Path, PathBuf};

use locator::plan::{Local, Plan, Step};
use locator_audit::Policy;
use locator_fetch::Fetcher;

use super::refusal::Refusal;
use crate::exit::CliError;
use crate::input::paths::native;
use crate::terminal::visible;

/// A directory of this machine.
pub(super) struct Files {
    root: PathBuf,
    pub(super) fetcher: Fetcher,
}

impl Files {
    /// Looks at the directory.
    pub(super) fn open(directory: &Path) -> Result<Self, CliError> {
        let found = directory.canonicalize().and_then(|root| match root.is_dir() {
            true => Ok(root),
            false => Err(io::Error::from(io::ErrorKind::NotADirectory)),
        });
        let what = || format!("--files \"{}\"", visible(&directory.to_string_lossy()));
        let root = found.map_err(|error| CliError::Reading { what: what(), error })?;
        Ok(Self { root, fetcher: Fetcher::with_policy(Policy::typed().schemes(["file"])).max_size(u64::MAX) })
    }

    /// Opens a file if it is in the directory, wherever symbolic links lead.
    pub(super) fn find(&self, file: &[u8]) -> Result<Found, Refusal> {
        let outside = || Refusal::forbidden("the file is not in the directory of --files".into());
        let path = native(file).ok_or_else(outside)?;
        match path.canonicalize() {
            Ok(found) if found.starts_with(&self.root) => Found::open(&found).ok_or_else(outside),
            Err(error) if error.kind() == io::ErrorKind::NotFound && path.starts_with(&self.root) => {
                Err(Refusal::not_found("there is no such file".into()))
            }
            _ => Err(outside()),
        }
    }
}

/// A file that is in the directory. Its name may lead elsewhere by now.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) struct Found(std::os::fd::OwnedFd);

#[cfg(any(target_os = "linux", target_os = "android"))]
impl Found {
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
pub(super) struct Found;

#[cfg(not(any(target_os = "linux", target_os = "android")))]
impl Found {
    const fn open(_: &Path) -> Option<Self> {
        Some(Self)
    }

    #[expect(clippy::unused_self, reason = "on Linux it is used")]
    pub(super) const fn url(&self) -> Option<String> {
        None
    }
}

/// Returns the name of the file that a plan reads.
pub(super) fn file_of(plan: &Plan) -> Option<&[u8]> {
    plan.steps().find_map(|step| match step {
        Step::Local(Local::File { file }) => Some(file.as_slice()),
        _ => None,
    })
}
