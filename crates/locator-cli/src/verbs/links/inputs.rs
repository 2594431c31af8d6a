//! What is checked: files and directories, and pages of servers.

use std::path::{Path, PathBuf};

use locator_links::origin_of;

use super::args::LinksArgs;
use crate::exit::CliError;
use crate::verbs::find;

/// What is checked.
pub(super) struct Inputs {
    /// Files and directories.
    pub(super) paths: Vec<PathBuf>,
    /// Pages of servers.
    pub(super) urls: Vec<String>,
}

impl Inputs {
    pub(super) fn new(asked: &LinksArgs) -> Result<Self, CliError> {
        let is_url = |path: &Path| path.to_str().is_some_and(|text| text.contains("://"));
        let (urls, paths) =
            find::paths(&asked.places)?.into_iter().partition::<Vec<_>, _>(|path| is_url(path));
        let urls = urls.into_iter().map(|url| url.to_string_lossy().into_owned()).collect();
        Ok(Self { paths, urls })
    }

    /// Returns the origins that the user named.
    pub(super) fn own(&self, asked: &LinksArgs) -> Vec<String> {
        self.urls.iter().chain(&asked.links.base_url).filter_map(|url| origin_of(url)).collect()
    }
}
