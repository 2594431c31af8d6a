//! Saving responses to files: under safe names, without overwriting others, and by another name until they
//! are complete, so that a later run can resume.
//!
//! A [`SavePolicy`] says where files are saved and what is done about those that exist;
//! [`save`](SavePolicy::save) fetches a URL by it. What it consists of can be used alone: [`name_from_url`],
//! [`suggested_name`] and others say how a file may be called, and a [`Download`] is a file that is
//! being written.
//!
//! ```
//! use locator_fetch::blocking::Fetcher;
//! use locator_fetch::save::{Existing, SavePolicy};
//!
//! # let temporary = tempfile::tempdir()?;
//! # let (source, folder) = (temporary.path().join("list.txt"), temporary.path().join("downloads"));
//! # std::fs::create_dir(&folder)?;
//! # std::fs::write(&source, "a list")?;
//! # let url = locator::UriBuf::from_file_path(&source).unwrap();
//! // The URL may also be "https://www.example/list.txt".
//! let fetcher = Fetcher::for_user_input();
//! let policy = SavePolicy::new().folder(&folder).existing(Existing::Resume);
//! let saved = policy.save(&fetcher, url.as_uri_ref())?;
//! assert_eq!((saved.path, saved.length), (folder.join("list.txt"), 6));
//! // There is a file of this name now.
//! assert!(policy.save(&fetcher, url.as_uri_ref()).is_err());
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod download;
mod name;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;

use locator::UriRef;
use locator::edition::RFC3986;

pub use self::download::{
    Download, Existing, SaveError, complete_length, is_device, record_path, resume_point,
};
pub use self::name::{FileNameError, escaped_name, name_from_url, sanitized_name, suggested_name};
use crate::blocking::{Fetcher, Response};
use crate::error::FetchError;
use crate::fetcher::request::{Given, IntoUrl};
use crate::protocols::entries::is_list;

/// Where responses are saved, by which names, and what is done about files that exist.
#[derive(Clone, Debug, Default)]
pub struct SavePolicy {
    folder: PathBuf,
    existing: Existing,
    uses_suggested_names: bool,
    keeps_time: bool,
}

/// A file that was saved.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The file.
    pub path: PathBuf,
    /// The number of its bytes.
    pub length: u64,
    /// The number of bytes that an earlier run had left, and that were not fetched again.
    pub resumed_from: u64,
}

impl SavePolicy {
    /// Saves to the current directory, and replaces no file.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the directory of the files, which must exist.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = folder.into();
        self
    }

    /// Sets what is done about files that exist. The default is [`Existing::Keep`].
    #[must_use]
    pub const fn existing(mut self, existing: Existing) -> Self {
        self.existing = existing;
        self
    }

    /// Sets whether a file gets the name that the server suggests (`Content-Disposition`), if it does; else it
    /// has that of the URL. Such a file starts over, because its name is not known before the response.
    #[must_use]
    pub const fn suggested_names(mut self, are_used: bool) -> Self {
        self.uses_suggested_names = are_used;
        self
    }

    /// Sets whether files get the time of those on the server. By default they have the time of the download.
    #[must_use]
    pub const fn keep_time(mut self, is_kept: bool) -> Self {
        self.keeps_time = is_kept;
        self
    }

    /// Fetches a URL, and saves the response. The file has the name `NAME.part` until it is complete. If the
    /// body ends early, it keeps that name, and with [`Existing::Resume`] a later call resumes it, unless the
    /// server does not prove that the file is unchanged.
    ///
    /// # Errors
    ///
    /// The URL is not valid, was not fetched or has no file name, or the file exists or cannot be written.
    pub fn save(&self, fetcher: &Fetcher, url: impl IntoUrl) -> Result<Saved, SaveError> {
        let url =
            Given::new(url).parse(&RFC3986).map_err(|(text, error)| FetchError::of_text(text, error))?;
        let url = url.as_uri_ref();
        let own = name_from_url(url, None);
        if self.uses_suggested_names {
            let response = fetcher.request(url).send()?;
            let header = response.headers().get_bytes("content-disposition");
            let name = header.and_then(suggested_name).map_or(own, |name| Ok(name.into()))?;
            return self.write(response, url, self.create(name)?);
        }
        // No server is contacted for a file that cannot be written.
        let name = own?;
        let resume = match self.existing {
            Existing::Resume => resume_point(self.folder.join(&name), url),
            _ => None,
        };
        let download = self.create(name)?;
        let request = fetcher.request(url);
        let request = match resume {
            Some(resume) => request.resume(resume),
            None => request,
        };
        match request.send() {
            Ok(response) => self.write(response, url, download),
            Err(error) => {
                download.discard();
                Err(error.into())
            }
        }
    }

    fn create(&self, name: OsString) -> Result<Download, SaveError> {
        let path = self.folder.join(name);
        // Only a user names a pipe or a device, not the URL and not the server.
        if is_device(&path) {
            return Err(SaveError::Exists(path));
        }
        Download::create(path, self.existing)
    }

    fn write(&self, mut response: Response, url: UriRef<'_>, mut file: Download) -> Result<Saved, SaveError> {
        if is_list(response.kind()) {
            file.discard();
            return Err(SaveError::Listing);
        }
        if let Some(time) = response.proof().modified().filter(|_| self.keeps_time) {
            file.set_time(time);
        }
        let resumed_from = response.resumed_from();
        file.begin(url, resumed_from, response.proof())?;
        loop {
            match response.chunk() {
                Ok(Some(octets)) => {
                    file.write_all(&octets).map_err(|error| SaveError::Write(file.path().into(), error))?;
                }
                Ok(None) => break,
                Err(error) => {
                    if file.length() > 0 {
                        file.keep();
                    } else {
                        file.discard();
                    }
                    return Err(error.into());
                }
            }
        }
        let (path, length) = (file.target().to_owned(), file.length());
        file.finish()?;
        Ok(Saved { path, length, resumed_from })
    }
}
