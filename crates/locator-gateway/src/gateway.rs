//! What the gateway knows: its address and key, what it fetches with, the passwords that it keeps, and the
//! directory whose files it shows.
//!
//! [`Settings`] with their [`Limits`] and perhaps a [`Directory`] make a [`Gateway`], as the example of that
//! type shows.

#![expect(clippy::disallowed_types, reason = "the listener of the gateway")]

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::time::Duration;

use locator::plan::{Local, Options, Plan, Step};
use locator::scheme::Registry;
use locator::{Edition, UriRef, edition};
use locator_audit::Policy;
use locator_fetch::Fetcher;
use tokio::sync::Semaphore;

use super::guard::OwnHosts;
use super::keys::{Key, OneTimeAddresses, Tokens, pseudonym};
use super::logins::{Logins, SharedAnswers};
use super::pages::Links;
use super::refusal::Refusal;

/// What clients are limited to.
///
/// ```
/// let limits = locator_gateway::Limits::default();
/// assert_eq!(limits.clients, 100);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long the head of a request may take, a body of one, and a client to accept a part of a response.
    pub client_timeout: Duration,
    /// How many requests are answered at once; three times as many connections wait for one.
    pub clients: usize,
    /// How long a connection to a server waits to be used again.
    pub idle_timeout: Duration,
}

impl Default for Limits {
    /// 30 seconds, 100 requests at once, and 10 seconds.
    fn default() -> Self {
        let [client_timeout, idle_timeout] = [30, 10].map(Duration::from_secs);
        Self { client_timeout, clients: 100, idle_timeout }
    }
}

impl Limits {
    /// The largest head of a request: a URL of 65,534 octets, which is the longest that hyper reads, and the
    /// other headers.
    pub(super) const HEAD: usize = 96 * 1024;
    /// The most headers.
    pub(super) const HEADERS: usize = 100;
    /// How long requests may take when a signal has come.
    pub(super) const GRACE: Duration = Duration::from_secs(5);
    /// The longest time: a later point in time may not exist. Thirty years, as tokio has it.
    const LONGEST: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);

    /// Returns the limits that can be kept: nobody notices the difference.
    fn bounded(self) -> Self {
        Self {
            client_timeout: self.client_timeout.min(Self::LONGEST),
            clients: self.clients.min(Semaphore::MAX_PERMITS),
            idle_timeout: self.idle_timeout.min(Self::LONGEST),
        }
    }
}

/// What a [`Gateway`] is started with.
///
/// ```
/// use locator_audit::Policy;
/// use locator_gateway::Settings;
///
/// let mut settings = Settings::new(Policy::public_network());
/// settings.keeps_logins = true;
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Which servers are contacted. http, https, files and the gateway itself are refused in any case.
    pub policy: Policy,
    /// How URLs are planned: the server of news URLs, the address for anonymous ftp.
    pub options: Options<'static>,
    /// The directory whose files are shown.
    pub files: Option<Directory>,
    /// Whether passwords are asked for, and kept in memory.
    pub keeps_logins: bool,
    /// Whether other machines may use it.
    pub is_public: bool,
    /// Whether pages show the passwords in URLs.
    pub shows_secrets: bool,
    /// What clients are limited to.
    pub limits: Limits,
}

impl Settings {
    /// Returns the settings of a gateway for this machine, without files and logins.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        Self {
            policy,
            options: Options::new(),
            files: None,
            keeps_logins: false,
            is_public: false,
            shows_secrets: false,
            limits: Limits::default(),
        }
    }
}

/// A gateway: what it knows, and what it fetches with.
///
/// If it shows files, keeps logins or is public, whoever uses it needs its key, which is a part of its
/// [address](Self::address).
///
/// ```no_run
/// use std::net::TcpListener;
///
/// use locator_audit::Policy;
/// use locator_gateway::{Gateway, Settings};
///
/// let listener = TcpListener::bind("127.0.0.1:0")?;
/// let gateway = Gateway::new(Settings::new(Policy::public_network()), &listener)?;
/// println!("{}", gateway.address());
/// // Without an end: until the process is killed.
/// gateway.serve(listener, std::future::pending())?;
/// # Ok::<_, std::io::Error>(())
/// ```
pub struct Gateway {
    address: SocketAddr,
    pub(super) hosts: OwnHosts,
    pub(super) key: Option<Key>,
    pub(super) tokens: Tokens,
    pub(super) one_time: OneTimeAddresses,
    /// Its name in the header Via.
    pub(super) pseudonym: String,
    pub(super) edition: &'static Edition,
    pub(super) fetcher: Fetcher,
    pub(super) files: Option<Directory>,
    pub(super) options: Options<'static>,
    /// The passwords, if the gateway asks for some.
    pub(super) logins: Option<Logins>,
    pub(super) answers: SharedAnswers,
    pub(super) shows_secrets: bool,
    pub(super) limits: Limits,
}

/// Without the keys and passwords.
impl fmt::Debug for Gateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gateway").field("socket", &self.address).finish_non_exhaustive()
    }
}

impl Gateway {
    /// Returns the gateway that will listen at a socket.
    ///
    /// # Errors
    ///
    /// The socket has no address, or the system has no random numbers for the keys.
    pub fn new(settings: Settings, listener: &TcpListener) -> io::Result<Self> {
        let Settings { policy, options, files, keeps_logins, is_public, shows_secrets, limits } = settings;
        let address = listener.local_addr()?;
        let has_key = is_public || keeps_logins || files.is_some();
        Ok(Self {
            address,
            hosts: if is_public { OwnHosts::any() } else { OwnHosts::of_loopback(address) },
            key: if has_key { Some(Key::random()?) } else { None },
            tokens: Tokens::random()?,
            one_time: OneTimeAddresses::default(),
            pseudonym: pseudonym()?,
            edition: edition::DEFAULT,
            fetcher: fetcher(policy, address),
            files,
            options,
            logins: keeps_logins.then(Logins::default),
            answers: SharedAnswers::default(),
            shows_secrets,
            limits: limits.bounded(),
        })
    }

    /// Returns the address for a browser on this machine, with the key if it has one: `http://127.0.0.1:1738/`.
    #[must_use]
    pub fn address(&self) -> String {
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        format!("http://{}{}/", SocketAddr::new(ip, self.address.port()), self.prefix())
    }

    /// Returns how pages link to each other.
    pub(super) fn links(&self) -> Links {
        Links::gateway(self.prefix()).showing_secrets(self.shows_secrets)
    }

    fn prefix(&self) -> String {
        self.key.as_ref().map(|key| format!("/{}", key.as_str())).unwrap_or_default()
    }

    /// Plans a URL, without the user's gateways and proxies.
    pub(super) fn plan(&self, url: UriRef<'_>) -> Result<Plan, Refusal> {
        Registry::BUILT_IN.plan(url, &self.options).map_err(|error| Refusal::no_plan(&error.error))
    }
}

/// Returns what fetches everything but files of this machine.
fn fetcher(policy: Policy, own: SocketAddr) -> Fetcher {
    let policy = policy.deny_schemes(["http", "https", "file"]).deny_socket(own);
    Fetcher::with_policy(policy)
        .timeout(Duration::MAX)
        .max_size(u64::MAX)
        .min_speed(0, Duration::ZERO)
        .max_redirects(10)
}

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
        let path = native_path(file).ok_or_else(outside)?;
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
fn native_path(octets: &[u8]) -> Option<&Path> {
    use std::os::unix::ffi::OsStrExt;

    Some(Path::new(std::ffi::OsStr::from_bytes(octets)))
}

/// Returns the path with these bytes.
#[cfg(not(unix))]
fn native_path(octets: &[u8]) -> Option<&Path> {
    str::from_utf8(octets).ok().map(Path::new)
}

/// Returns the name of the file that a plan reads.
pub(super) fn file_of(plan: &Plan) -> Option<&[u8]> {
    plan.steps().find_map(|step| match step {
        Step::Local(Local::File { file }) => Some(file.as_slice()),
        _ => None,
    })
}
