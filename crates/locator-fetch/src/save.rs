//! Saving responses to files: under safe names, without overwriting others, and by another name until they
//! are complete, so that a later run can resume.
//!
//! A [`SavePolicy`] says where files are saved and what is done about those that exist;
//! [`Fetcher::save`](crate::Fetcher::save) fetches a URL by it, [`Fetcher::save_all`](crate::Fetcher::save_all)
//! several at once, and [`blocking::Fetcher::save`](crate::blocking::Fetcher::save) without `async`. What it
//! consists of can be used alone: [`name_from_url`], [`suggested_name`] and others say how a file may be called,
//! and a [`Download`] is a file that is being written. [`mirror`](crate::mirror) saves whole directories.
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
//! let saved = fetcher.save(&url, &policy)?;
//! assert_eq!((saved.path, saved.length), (folder.join("list.txt"), 6));
//! // There is a file of this name now.
//! assert!(fetcher.save(&url, &policy).is_err());
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod download;
mod name;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::SystemTime;

use locator::edition::RFC3986;
use locator::{UriRef, UriRefBuf};

pub use self::download::{
    Download, Existing, SaveError, complete_length, is_device, record_path, resume_point,
};
pub use self::name::{FileNameError, escaped_name, name_from_url, sanitized_name, suggested_name};
use crate::blocking;
use crate::error::FetchError;
use crate::fetcher::request::{GivenUrl, IntoUrl, RequestBuilder};
use crate::fetcher::retry::{Retries, RetryPolicy};
use crate::fetcher::{FetchAll, Fetcher};
use crate::protocols::entries::is_list;
use crate::response::Response;
use crate::run::resume::{Proof, Resume};

/// Where responses are saved, by which names, and what is done about files that exist.
#[derive(Clone, Debug, Default)]
pub struct SavePolicy {
    folder: PathBuf,
    existing: Existing,
    uses_suggested_names: bool,
    keeps_time: bool,
    retries: Option<RetryPolicy>,
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

    /// Sends requests again after errors that may pass. A retry resumes the file where its body ended, if the server
    /// proves that it is unchanged, and else starts over; [`Existing::Replace`] always starts over.
    ///
    /// ```no_run
    /// use locator_fetch::save::SavePolicy;
    /// use locator_fetch::{Fetcher, RetryPolicy};
    ///
    /// # async fn example() -> Result<(), locator_fetch::save::SaveError> {
    /// let urls = ["https://www.example/a.iso", "https://www.example/b.iso"];
    /// let policy = SavePolicy::new().folder("downloads").retry(RetryPolicy::new(3));
    /// let mut all = Fetcher::for_user_input().save_all(urls, 8, &policy);
    /// while let Some((index, saved)) = all.next().await {
    ///     println!("{}: {} bytes", urls[index], saved?.length);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn retry(mut self, retries: RetryPolicy) -> Self {
        self.retries = Some(retries);
        self
    }

    /// Returns the retries of a URL.
    fn start_retries(&self) -> Retries {
        self.retries.clone().unwrap_or(RetryPolicy::new(0)).start()
    }

    /// Creates the file of a URL again, which a request before this one may have begun.
    fn prepare_retry(&self, url: &UriRefBuf) -> Result<PreparedSave, SaveError> {
        let existing = if self.existing == Existing::Replace { Existing::Replace } else { Existing::Resume };
        Self { existing, ..self.clone() }.prepare(url)
    }

    /// Creates the file of a URL, or says that the server names it.
    pub(crate) fn prepare(&self, url: impl IntoUrl) -> Result<PreparedSave, SaveError> {
        let url =
            GivenUrl::new(url).parse(&RFC3986).map_err(|(text, error)| FetchError::of_text(text, error))?;
        let name = name_from_url(url.as_uri_ref(), None);
        if self.uses_suggested_names {
            return Ok(PreparedSave { url, resume: None, file: SaveTo::Suggested(name) });
        }
        // No server is contacted for a file that cannot be written.
        let path = self.folder.join(name?);
        let resume = match self.existing {
            Existing::Resume => resume_point(&path, url.as_uri_ref()),
            _ => None,
        };
        let file = SaveTo::File(self.create(path)?);
        Ok(PreparedSave { url, resume, file })
    }

    /// Begins to save a response.
    pub(crate) fn begin<B>(
        &self,
        file: SaveTo,
        url: UriRef<'_>,
        response: &Response<B>,
    ) -> Result<PartialSave, SaveError> {
        let mut file = match file {
            SaveTo::File(file) => file,
            SaveTo::Suggested(name) => {
                let header = response.headers().get_bytes("content-disposition");
                let name = header.and_then(suggested_name).map_or(name, |name| Ok(name.into()))?;
                self.create(self.folder.join(name))?
            }
        };
        if is_list(response.kind()) {
            file.discard();
            return Err(SaveError::Listing);
        }
        if let Some(time) = response.proof().modified().filter(|_| self.keeps_time) {
            file.set_time(time);
        }
        file.begin(url, response.resumed_from(), response.proof())
    }

    fn create(&self, path: PathBuf) -> Result<PartialSave, SaveError> {
        // Only a user names a pipe or a device, not the URL and not the server.
        if is_device(&path) {
            return Err(SaveError::Exists(path));
        }
        PartialSave::create(path, self.existing)
    }
}

/// A URL that is to be saved.
pub(crate) struct PreparedSave {
    pub(crate) url: UriRefBuf,
    /// Where an earlier run ended.
    pub(crate) resume: Option<Resume>,
    pub(crate) file: SaveTo,
}

/// The file that a URL is saved to.
pub(crate) enum SaveTo {
    File(PartialSave),
    /// The server names it; otherwise it has the name of the URL.
    Suggested(Result<OsString, FileNameError>),
}

impl SaveTo {
    /// Removes a file that was created for nothing.
    pub(crate) fn discard(self) {
        if let Self::File(file) = self {
            file.discard();
        }
    }
}

/// A file that a body is being saved to. Whatever ends it early, a later run can resume it.
pub(crate) struct PartialSave {
    file: Download,
    resumed_from: u64,
}

impl PartialSave {
    pub(crate) fn create(path: impl Into<PathBuf>, existing: Existing) -> Result<Self, SaveError> {
        Ok(Self { file: Download::create(path, existing)?, resumed_from: 0 })
    }

    pub(crate) const fn set_time(&mut self, time: SystemTime) {
        self.file.set_time(time);
    }

    #[cfg(feature = "mirror")]
    pub(crate) const fn set_time_if_possible(&mut self, time: SystemTime) {
        self.file.set_time_if_possible(time);
    }

    /// Begins to write after the octets of an earlier run.
    pub(crate) fn begin(
        mut self,
        url: UriRef<'_>,
        resumed_from: u64,
        proof: &Proof,
    ) -> Result<Self, SaveError> {
        self.file.begin(url, resumed_from, proof)?;
        self.resumed_from = resumed_from;
        Ok(self)
    }

    /// Writes octets. If that fails, such as on a full disk, what was written is kept.
    pub(crate) fn with(mut self, octets: &[u8]) -> Result<Self, SaveError> {
        match self.file.write_all(octets) {
            Ok(()) => Ok(self),
            Err(error) => {
                let path = self.file.path().to_owned();
                self.keep();
                Err(SaveError::Write(path, error))
            }
        }
    }

    /// Keeps what was written, with what a later run needs to resume.
    pub(crate) fn keep(mut self) {
        if self.file.length() > 0 {
            self.file.keep();
        } else {
            self.file.discard();
        }
    }

    pub(crate) fn discard(self) {
        self.file.discard();
    }

    /// Gives the complete file its name.
    pub(crate) fn finish(self) -> Result<Saved, SaveError> {
        let Self { file, resumed_from } = self;
        let (path, length) = (file.target().to_owned(), file.length());
        file.finish()?;
        Ok(Saved { path, length, resumed_from })
    }
}

impl Fetcher {
    /// Fetches a URL, and saves the response to a file. The file has the name `NAME.part` until it is complete. If
    /// the body ends early, or the disk is full, it keeps that name, and with
    /// [`Existing::Resume`] a later call resumes it, unless the server does not prove
    /// that the file is unchanged.
    ///
    /// ```no_run
    /// use locator_fetch::Fetcher;
    /// use locator_fetch::save::{Existing, SavePolicy};
    ///
    /// # async fn example() -> Result<(), locator_fetch::save::SaveError> {
    /// let policy = SavePolicy::new().folder("downloads").existing(Existing::Resume);
    /// let fetcher = Fetcher::for_user_input();
    /// let saved = fetcher.save("https://www.example/large.iso", &policy).await?;
    /// println!("{} bytes in {}", saved.length, saved.path.display());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The URL is not valid, was not fetched or has no file name, or the file exists or cannot be written.
    pub async fn save(&self, url: impl IntoUrl, policy: &SavePolicy) -> Result<Saved, SaveError> {
        let mut prepared = policy.prepare(url)?;
        let mut retries = policy.start_retries();
        loop {
            let url = prepared.url.clone();
            let error = match self.save_once(prepared, policy).await {
                Err(SaveError::Fetch(error)) => error,
                saved => return saved,
            };
            let Ok(wait) = retries.wait_after(&error) else { return Err(error.into()) };
            tokio::time::sleep(wait).await;
            prepared = policy.prepare_retry(&url)?;
        }
    }

    async fn save_once(&self, prepared: PreparedSave, policy: &SavePolicy) -> Result<Saved, SaveError> {
        let PreparedSave { url, resume, file } = prepared;
        let request = resume.into_iter().fold(self.request(&url), RequestBuilder::resume);
        let mut response = match request.send().await {
            Ok(response) => response,
            Err(error) => {
                file.discard();
                return Err(error.into());
            }
        };
        let mut file = policy.begin(file, url.as_uri_ref(), &response)?;
        loop {
            match response.chunk().await {
                Ok(Some(octets)) => {
                    let written = tokio::task::spawn_blocking(move || file.with(&octets)).await;
                    file = written.map_err(|error| SaveError::Write(PathBuf::new(), error.into()))??;
                }
                Ok(None) => return file.finish(),
                Err(error) => {
                    file.keep();
                    return Err(error.into());
                }
            }
        }
    }

    /// Fetches several URLs, so many at once, and saves the responses to files. Returns them in the order in which
    /// they are complete, each with the index of its URL.
    ///
    /// ```
    /// use locator_fetch::Fetcher;
    /// use locator_fetch::save::SavePolicy;
    ///
    /// # let temporary = tempfile::tempdir()?;
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let policy = SavePolicy::new().folder(temporary.path());
    /// let urls = ["data:,one", "data:,two"];
    /// let mut all = Fetcher::for_user_input().save_all(urls, 8, &policy);
    /// while let Some((index, saved)) = all.next().await {
    ///     println!("{}: {} bytes", urls[index], saved?.length);
    /// }
    /// assert_eq!(std::fs::read_to_string(temporary.path().join(",one"))?, "one");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn save_all<I>(
        &self,
        urls: I,
        at_once: usize,
        policy: &SavePolicy,
    ) -> FetchAll<I::IntoIter, Result<Saved, SaveError>>
    where
        I: IntoIterator,
        I::Item: IntoUrl,
    {
        let (fetcher, policy) = (self.clone(), policy.clone());
        let start = move |url: GivenUrl| {
            let (fetcher, policy) = (fetcher.clone(), policy.clone());
            Box::pin(async move { fetcher.save(url, &policy).await }) as _
        };
        FetchAll::new(urls.into_iter(), at_once, Box::new(start))
    }
}

impl blocking::Fetcher {
    /// Fetches a URL, and saves the response to a file. The file has the name `NAME.part` until it is complete. If
    /// the body ends early, or the disk is full, it keeps that name, and with
    /// [`Existing::Resume`] a later call resumes it, unless the server does not prove
    /// that the file is unchanged. See [`save`](crate::save) for an example.
    ///
    /// # Errors
    ///
    /// The URL is not valid, was not fetched or has no file name, or the file exists or cannot be written.
    pub fn save(&self, url: impl IntoUrl, policy: &SavePolicy) -> Result<Saved, SaveError> {
        let mut prepared = policy.prepare(url)?;
        let mut retries = policy.start_retries();
        loop {
            let url = prepared.url.clone();
            let error = match self.save_once(prepared, policy) {
                Err(SaveError::Fetch(error)) => error,
                saved => return saved,
            };
            let Ok(wait) = retries.wait_after(&error) else { return Err(error.into()) };
            std::thread::sleep(wait);
            prepared = policy.prepare_retry(&url)?;
        }
    }

    fn save_once(&self, prepared: PreparedSave, policy: &SavePolicy) -> Result<Saved, SaveError> {
        let PreparedSave { url, resume, file } = prepared;
        let request = resume.into_iter().fold(self.request(&url), RequestBuilder::resume);
        let mut response = match request.send() {
            Ok(response) => response,
            Err(error) => {
                file.discard();
                return Err(error.into());
            }
        };
        let mut file = policy.begin(file, url.as_uri_ref(), &response)?;
        loop {
            match response.chunk() {
                Ok(Some(octets)) => file = file.with(&octets)?,
                Ok(None) => return file.finish(),
                Err(error) => {
                    file.keep();
                    return Err(error.into());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_before_a_full_disk_is_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.iso");
        let url = locator::uri_ref!("http://h/a.iso");
        let proof = Proof::default().etag("\"v1\"");
        let save = PartialSave::create(&path, Existing::Keep).unwrap();
        let save = save.begin(url, 0, &proof).unwrap().with(b"the first").unwrap();
        // As on a full disk, no more can be written.
        let file = save.file.unwritable();
        let Err(error) = (PartialSave { file, ..save }).with(b" and the rest") else { panic!() };
        assert!(matches!(error, SaveError::Write(part, _) if part == folder.path().join("a.iso.part")));
        let resume = resume_point(&path, url).unwrap();
        assert_eq!((resume.from, resume.proof.etag.as_deref()), (9, Some("\"v1\"")));
    }

    #[test]
    fn nothing_is_kept_of_a_body_without_octets() {
        let folder = tempfile::tempdir().unwrap();
        let save = PartialSave::create(folder.path().join("a"), Existing::Keep).unwrap();
        let url = locator::uri_ref!("http://h/a");
        save.begin(url, 0, &Proof::default().etag("\"v1\"")).unwrap().keep();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
