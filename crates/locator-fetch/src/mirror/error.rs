//! Why a tree is not mirrored ([`MirrorError`]), and why something of it is left out ([`SkipReason`]).

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::PathBuf;

use crate::error::FetchError;
use crate::protocols::entries::{EntryError, EntryKind};
use crate::save::{FileNameError, SaveError};

/// Why a tree, or a file of it, is not mirrored.
///
/// ```
/// use locator_fetch::blocking::Fetcher;
/// use locator_fetch::mirror::{Mirror, MirrorError};
///
/// let error = Mirror::new(&Fetcher::for_user_input()).run("whois://h/").unwrap_err();
/// assert!(matches!(error, MirrorError::Scheme));
/// ```
#[non_exhaustive]
#[derive(Debug)]
pub enum MirrorError {
    /// The URL was not fetched, or not completely.
    Fetch(FetchError),
    /// A file cannot be written.
    Save(SaveError),
    /// URLs of this scheme have no directories.
    Scheme,
    /// The URL identifies a file, not a directory.
    NotADirectory,
    /// The gopher URL has another type than 1, that of a menu.
    NotOfTypeMenu,
    /// The response is not a menu.
    NotAMenu,
    /// The listing of an FTP directory came from an HTTP proxy.
    ListedByProxy,
    /// The directory has no URL by which it can be listed.
    Unlisted(EntryError),
    /// A listing is larger than 64 MiB.
    LongListing,
    /// More than 1,000,000 URLs were found; the others are left out.
    TooManyUrls,
    /// Neither the URL nor [`Mirror::to`](super::Mirror::to) names the folder to save to.
    FolderName(Option<FileNameError>),
    /// The folder cannot be created.
    CreateFolder(PathBuf, io::Error),
    /// A file has the name of a directory of the server.
    NotAFolder(PathBuf),
    /// Something that is neither a file nor a directory has the name of a file of the server.
    NotAFile(PathBuf),
    /// The thread that mirrors cannot be started, or has ended.
    Thread(io::Error),
}

impl Display for MirrorError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fetch(error) => error.fmt(f),
            Self::Save(error) => error.fmt(f),
            Self::Scheme => f.write_str("only ftp, ftps, gopher, file, http and https URLs have directories"),
            Self::NotADirectory => f.write_str("the URL is a file, not a directory"),
            Self::NotOfTypeMenu => f.write_str("the URL is not a menu (type 1)"),
            Self::NotAMenu => f.write_str("it is not a menu"),
            Self::ListedByProxy => f.write_str("a walk of ftp needs the server itself, not a proxy of HTTP"),
            Self::Unlisted(error) => error.fmt(f),
            Self::LongListing => f.write_str("the listing is larger than 64 MiB"),
            Self::TooManyUrls => {
                f.write_str("a walk finds at most 1,000,000 URLs; this one and others are left out")
            }
            Self::FolderName(None) => f.write_str("the URL has no name"),
            Self::FolderName(Some(error)) => error.fmt(f),
            Self::CreateFolder(path, error) => write!(f, "the folder {path:?} cannot be created: {error}"),
            Self::NotAFolder(path) => write!(f, "{path:?} is not a directory"),
            Self::NotAFile(path) => write!(f, "{path:?} is not a regular file"),
            Self::Thread(error) => write!(f, "the thread that mirrors failed: {error}"),
        }
    }
}

impl Error for MirrorError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Fetch(error) => error.source(),
            Self::Save(error) => error.source(),
            Self::CreateFolder(_, error) | Self::Thread(error) => Some(error),
            _ => None,
        }
    }
}

impl From<FetchError> for MirrorError {
    fn from(error: FetchError) -> Self {
        Self::Fetch(error)
    }
}

impl From<SaveError> for MirrorError {
    fn from(error: SaveError) -> Self {
        match error {
            SaveError::Fetch(error) => Self::Fetch(error),
            error => Self::Save(error),
        }
    }
}

/// Why something of a server is not mirrored, although nothing failed.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// It is not below the directory that the mirror began with.
    Outside,
    /// It is on another server.
    OtherServer,
    /// Its URL is not a valid one of its scheme.
    InvalidUrl(&'static str),
    /// Its URL has a query.
    Query,
    /// Its name cannot be that of a file here.
    Name(FileNameError),
    /// Another URL of this mirror was saved to a file of this name.
    NameTaken,
    /// A directory that was saved has its name.
    DirectoryHasName,
    /// No URL can be written for its name.
    NoUrl(EntryError),
    /// Its listing is the one of a directory above it.
    LeadsUp,
    /// It is deeper than this many directories, which [`Mirror::depth`](super::Mirror::depth) allows.
    TooDeep(u32),
    /// It is a symbolic link that leads out of its directory.
    LinkOut,
    /// It is a symbolic link to a directory.
    LinkToDirectory,
    /// It is neither a file nor a directory.
    Special,
    /// It is of a kind of menu item that is not a file.
    Item(EntryKind),
    /// It has no page, and its name is that of a directory.
    NotAPage,
    /// This file exists, and the one on the server has another size.
    OtherSize(PathBuf),
    /// The file exists, and its protocol states no times by which to tell which is newer.
    NoTimes,
    /// It is the folder that is saved to.
    OwnFolder,
    /// It redirects to this URL, whose secrets are hidden, which is not followed for this reason.
    Redirect(String, Box<Self>),
    /// It is a page from which this many links lead out of the directory that the mirror began with.
    LinksOut(u64),
}

impl Display for SkipReason {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside => f.write_str("it is outside of the directory that the walk began with"),
            Self::OtherServer => f.write_str("it is on another server"),
            Self::InvalidUrl(why) => f.write_str(why),
            Self::Query => f.write_str("it has a query"),
            Self::Name(error) => error.fmt(f),
            Self::NameTaken => f.write_str("another URL of this walk has the same file name"),
            Self::DirectoryHasName => f.write_str("a directory that was saved has its name"),
            Self::NoUrl(error) => error.fmt(f),
            Self::LeadsUp => f.write_str("its listing is that of a directory above it, so it leads back up"),
            Self::TooDeep(most) => write!(f, "it is deeper than {most} directories"),
            Self::LinkOut => f.write_str("it is a symbolic link that leads out of its directory"),
            Self::LinkToDirectory => f.write_str("it is a symbolic link to a directory"),
            Self::Special => f.write_str("it is neither a file nor a directory"),
            Self::Item(kind) => write!(f, "it is not a file: its kind is {}", kind.name()),
            Self::NotAPage => f.write_str("it is neither a page nor a file with a name"),
            Self::OtherSize(path) => write!(f, "{path:?} has another size than the file on the server"),
            Self::NoTimes => f.write_str("it is there, and gopher states no times"),
            Self::OwnFolder => f.write_str("it is the folder that the walk saves to"),
            Self::Redirect(target, why) => write!(f, "it redirects to {target}: {why}"),
            Self::LinksOut(1) => f.write_str("1 link leads out of the directory that the walk began with"),
            Self::LinksOut(links) => {
                write!(f, "{links} links lead out of the directory that the walk began with")
            }
        }
    }
}
