//! The file of `--cache`: where it is, and what is said if it cannot be used.

use std::fs::DirBuilder;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use locator_links::Cache;

use super::args::LinksArgs;
use crate::exit::{CliError, wrong};
use crate::input::files::Named;

/// Opens the cache, if one is asked for.
pub(super) fn open(asked: &LinksArgs) -> Result<Option<Arc<Cache>>, CliError> {
    let Some(named) = &asked.servers.cache else { return Ok(None) };
    let path = match named {
        Some(path) => path.clone(),
        None => usual()?,
    };
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
    if directory.is_some_and(|directory| !directory.is_dir()) {
        return Err(unusable(&path, &io::Error::other("its directory does not exist")));
    }
    let cache =
        Cache::open(path.clone(), asked.servers.cache_age).map_err(|error| unusable(&path, &error))?;
    // A link is only mended by what a server says now.
    let is_mended = asked.mend.diff || asked.mend.fix.is_some();
    Ok(Some(Arc::new(if is_mended { cache.without_redirects() } else { cache })))
}

/// Returns `~/.cache/locator/links`, or the equivalent of the platform, in a directory that exists.
fn usual() -> Result<PathBuf, CliError> {
    let Some(directory) = dirs::cache_dir() else {
        return Err(wrong("--cache: this user has no directory for caches; use --cache=FILE"));
    };
    let directory = directory.join("locator");
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&directory).map_err(|error| unusable(&directory, &error))?;
    Ok(directory.join("links"))
}

fn unusable(path: &Path, error: &io::Error) -> CliError {
    wrong(&format!("--cache: {} cannot be used: {error}", Named(path.as_os_str()).shown()))
}
