//! Mirrors: a directory of FTP or of this machine, a menu of gopher or an HTTP page of links, with everything below
//! it, saved to a folder under safe names.
//!
//! A [`Mirror`] has the settings; [`run`](Mirror::run) walks over the tree. What is there already is kept, a file whose
//! download ended early is resumed, and files get the time of those on the server, so a second run fetches what is
//! missing. Nothing outside of the given directory is fetched: no other server, no directory above it, no symbolic
//! link to another one, and no redirect that leads there. [`on_event`](Mirror::on_event) reports each file as it is
//! saved, and whatever is skipped or fails.
//!
//! ```
//! use locator_fetch::blocking::Fetcher;
//! use locator_fetch::mirror::{Mirror, MirrorEvent};
//!
//! # let temporary = tempfile::tempdir()?;
//! # let (source, copy) = (temporary.path().join("pub"), temporary.path().join("copy"));
//! # std::fs::create_dir_all(source.join("old"))?;
//! # for name in ["a.txt", "b.iso", "old/c.txt"] {
//! #     std::fs::write(source.join(name), "text")?;
//! # }
//! # let url = locator::UriBuf::from_file_path(&source).unwrap();
//! // The URL may also be "ftp://ftp.example/pub/" or "https://www.example/pub/".
//! let fetcher = Fetcher::for_user_input();
//! let summary = Mirror::new(&fetcher)
//!     .to(&copy)
//!     .accept("*.txt")
//!     .on_event(|event| {
//!         if let MirrorEvent::Failed { url, error, .. } = event {
//!             eprintln!("{}: {error}", url.redacted());
//!         }
//!     })
//!     .run(&url)?;
//! assert!(summary.is_complete());
//! assert_eq!(summary.to_string(), "2 files saved, 1 left out");
//! assert_eq!(std::fs::read_to_string(copy.join("old/c.txt"))?, "text");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! With an asynchronous [`Fetcher`], `run` is `async`. [`run_with`](Mirror::run_with) fetches by a
//! [`MirrorClient`] of the program, which has retries, logins or a progress of its own.
//!
//! Names of a server are percent-encoded where they could do harm
//! ([`escaped_name`](crate::save::escaped_name); RFC 6266, 4.3 says why). FTP is asked for MLSD (RFC 3659, 7), else
//! for NLST and LIST.

mod client;
mod error;
mod folder;
mod item;
mod listing;
mod scope;
mod settings;
mod walk;

use std::fmt::{self, Debug, Formatter};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use locator::edition::RFC3986;
use locator::{Edition, UriRef, UriRefBuf};
use tokio::sync::oneshot;

pub use self::client::{ListRequest, MirrorClient, MirrorEvent, MirrorSummary, NotAFile, SaveRequest};
pub use self::error::{MirrorError, SkipReason};
pub use self::item::MirrorItem;

use self::client::{FetcherClient, Listener};
use self::settings::Settings;
use crate::error::FetchError;
use crate::fetcher::request::{GivenUrl, IntoUrl};
use crate::{Fetcher, blocking};

/// Saves a directory with everything below it. See the [module](self) for an example.
///
/// `F` is the fetcher, [blocking](blocking::Fetcher) or not. Clones share the names of the files that they have
/// saved: no two URLs are saved to the same file.
#[derive(Clone)]
#[must_use = "a mirror is made by `run`"]
pub struct Mirror<F = Fetcher> {
    fetcher: F,
    settings: Settings,
    listener: Option<Arc<Listener>>,
}

impl<F: Clone> Mirror<F> {
    /// Creates a mirror that saves to a folder with the name of the last directory of the URL, up to 100 directories
    /// deep, one file after the other.
    pub fn new(fetcher: &F) -> Self {
        Self { fetcher: fetcher.clone(), settings: Settings::default(), listener: None }
    }
}

impl<F> Mirror<F> {
    /// Sets the folder to save to, which is created.
    pub fn to(mut self, folder: impl Into<PathBuf>) -> Self {
        self.settings.folder = Some(folder.into());
        self
    }

    /// Sets how many directories it descends; 1 is the given one alone.
    pub fn depth(mut self, directories: u32) -> Self {
        self.settings.levels = directories;
        self
    }

    /// Saves only files whose names fit these patterns, or those of another call: `*.iso,*.txt`, or for the ends of
    /// names `.iso,.txt`.
    pub fn accept(mut self, patterns: &str) -> Self {
        self.settings.patterns.accept(patterns);
        self
    }

    /// Saves no files whose names fit these patterns.
    pub fn reject(mut self, patterns: &str) -> Self {
        self.settings.patterns.reject(patterns);
        self
    }

    /// Sets whether a file that exists is fetched again if the server's is newer, or of another size. By default it
    /// is kept, and another size is [reported](SkipReason::OtherSize).
    pub fn newer(mut self, are_replaced: bool) -> Self {
        self.settings.newer = are_replaced;
        self
    }

    /// Sets whether every file that exists is fetched again.
    pub fn replace(mut self, are_replaced: bool) -> Self {
        self.settings.replaces = are_replaced;
        self
    }

    /// Sets whether nothing is saved: files are [found](MirrorEvent::Found) and counted.
    pub fn list_only(mut self, is_listed: bool) -> Self {
        self.settings.lists_only = is_listed;
        self
    }

    /// Sets how many files are fetched at the same time at most, on connections of their own; of FTP at most 8. The
    /// default is 1. Of a near server fewer are: more would take longer.
    ///
    /// A connection of FTP, with its login, is used for one file after the other, unless the fetcher has
    /// [`Reuse::Never`](crate::Reuse::Never).
    pub fn at_once(mut self, files: usize) -> Self {
        self.settings.at_once = files;
        self
    }

    /// Sets the edition that the URLs of listings are written by; RFC 3986 without it.
    pub fn edition(mut self, edition: &'static Edition) -> Self {
        self.settings.edition = edition;
        self
    }

    /// Sets what is called for each file that is saved, skipped or failed, by the thread that has fetched it. It is
    /// not called by [`run_with`](Self::run_with), whose client hears the events.
    pub fn on_event(mut self, listener: impl Fn(MirrorEvent<'_>) + Send + Sync + 'static) -> Self {
        self.listener = Some(Arc::new(listener));
        self
    }

    /// Mirrors a directory by a client, and waits for it.
    ///
    /// # Errors
    ///
    /// The directory was not listed, or the folder cannot be created. What fails later is an event.
    pub fn run_with<C: MirrorClient>(&self, client: &C, url: UriRef<'_>) -> Result<MirrorSummary, C::Error> {
        walk::walk(&self.settings, client, url)
    }
}

impl Mirror<blocking::Fetcher> {
    /// Mirrors the directory of a URL, and waits for it.
    ///
    /// # Errors
    ///
    /// The URL is not valid or not one of a directory, the directory was not listed, or the folder cannot be created.
    /// What fails later is an [event](Self::on_event), and is counted.
    pub fn run(&self, url: impl IntoUrl) -> Result<MirrorSummary, MirrorError> {
        let url = parse_url(url)?;
        let is_stopped = AtomicBool::new(false);
        let client = FetcherClient::new(&self.fetcher, self.listener.as_deref(), &is_stopped);
        self.run_with(&client, url.as_uri_ref())
    }
}

impl Mirror {
    /// Mirrors the directory of a URL, in threads of its own. Dropping the future ends it: the files that are being
    /// saved then are incomplete, and a later run resumes them.
    ///
    /// ```no_run
    /// use locator_fetch::Fetcher;
    /// use locator_fetch::mirror::Mirror;
    ///
    /// # async fn example() -> Result<(), locator_fetch::mirror::MirrorError> {
    /// let fetcher = Fetcher::for_user_input();
    /// let mirror = Mirror::new(&fetcher).to("docs").depth(3).at_once(4);
    /// let summary = mirror.run("https://www.example/docs/").await?;
    /// println!("{summary}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The URL is not valid or not one of a directory, the directory was not listed, or the folder cannot be created.
    /// What fails later is an [event](Self::on_event), and is counted.
    pub async fn run(&self, url: impl IntoUrl) -> Result<MirrorSummary, MirrorError> {
        let url = parse_url(url)?;
        let fetcher = blocking::Fetcher::apart(&self.fetcher);
        let (settings, listener) = (self.settings.clone(), self.listener.clone());
        let is_stopped = Arc::new(AtomicBool::new(false));
        let guard = StopsWhenDropped(is_stopped.clone());
        let (done, result) = oneshot::channel();
        let mirror = move || {
            let client = FetcherClient::new(&fetcher, listener.as_deref(), &is_stopped);
            // Nobody waits for it if the future was dropped.
            let _ = done.send(walk::walk(&settings, &client, url.as_uri_ref()));
        };
        thread::Builder::new().name("mirror".into()).spawn(mirror).map_err(MirrorError::Thread)?;
        let ended = result.await.map_err(|_| MirrorError::Thread(io::Error::other("it has ended")))?;
        drop(guard);
        ended
    }
}

impl<F> Debug for Mirror<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mirror").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// Ends a mirror that nobody waits for.
struct StopsWhenDropped(Arc<AtomicBool>);

impl Drop for StopsWhenDropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn parse_url(url: impl IntoUrl) -> Result<UriRefBuf, FetchError> {
    GivenUrl::new(url).parse(&RFC3986).map_err(|(text, error)| FetchError::of_text(text, error))
}
