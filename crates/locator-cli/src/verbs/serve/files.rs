//! The files of `--files DIR`: decides which URLs are in the directory, and fetches them.

use std::io;
use std::path::{Path, PathBuf};

use locator::plan::{Local, Plan, Step};
use locator_audit::Policy;
use locator_fetch::Fetcher;

use super::refusal::Refusal;
use crate::exit::CliError;
use crate::paths::native;
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

    /// Checks that a file is in the directory, wherever symbolic links lead.
    pub(super) fn check(&self, file: &[u8]) -> Result<(), Refusal> {
        let outside = || Refusal::forbidden("the file is not in the directory of --files".into());
        let path = native(file).ok_or_else(outside)?;
        match path.canonicalize() {
            Ok(found) if found.starts_with(&self.root) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound && path.starts_with(&self.root) => {
                Err(Refusal::not_found("there is no such file".into()))
            }
            _ => Err(outside()),
        }
    }
}

/// Returns the name of the file that a plan reads.
pub(super) fn file_of(plan: &Plan) -> Option<&[u8]> {
    plan.steps().find_map(|step| match step {
        Step::Local(Local::File { file }) => Some(file.as_slice()),
        _ => None,
    })
}
