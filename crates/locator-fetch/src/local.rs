//! Objects that need no network: files and directories of this machine (RFC 8089), `data:` (RFC 2397), and what the
//! caller has by its [`Handler`]: messages and drafts. [`open`] takes what the plan says, returns the object and a
//! [`LocalBody`] to read. A pipe or a device is not opened, since reading it may have no end.
//!
//! ```
//! use locator_fetch::blocking::Fetcher;
//!
//! let listing = Fetcher::for_user_input().fetch("data:text/csv;charset=utf-8,a%2Cb")?;
//! assert_eq!(listing.charset(), Some("utf-8"));
//! assert_eq!(listing.text()?, "a,b");
//! # Ok::<_, locator_fetch::FetchError>(())
//! ```

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use locator::plan::{Framing, Local, Object, ObjectKind};

use crate::error::failure::{Detail, Failure, FailureKind, FileCause};
use crate::net::dialer::text_of;
use crate::settings::prompter::Handler;

/// How much of a file is read at once.
pub(crate) const PIECE: usize = 64 << 10;

/// An object of this machine.
pub(crate) enum LocalBody {
    /// A file, from the offset on.
    File(Arc<File>, u64),
    /// Octets.
    Octets(Bytes),
}

impl LocalBody {
    /// Returns the number of octets, if it is known.
    pub(crate) fn length(&self) -> Option<u64> {
        match self {
            Self::File(file, _) => file.metadata().ok().map(|metadata| metadata.len()),
            Self::Octets(octets) => Some(octets.len() as u64),
        }
    }
}

/// Begins to read what needs no network.
pub(crate) fn open(local: Local, handler: &dyn Handler) -> Result<(Object, LocalBody), Failure> {
    let object = |kind, name: &'static str| Object::new(kind, name, Framing::Connection);
    match local {
        Local::File { file } => {
            let name = String::from_utf8_lossy(&file).into_owned();
            open_file(&file).map_err(|kind| Failure::new(kind, format!("opening {name}")))
        }
        Local::Data { media_type, data } => {
            let object = object(ObjectKind::Binary, "the data").media_type(media_type);
            Ok((object, LocalBody::Octets(data.into())))
        }
        Local::LookUp(what) => {
            let during = "looking for a message";
            let found = handler.look_up(&what).map_err(|kind| Failure::new(kind, during))?;
            let missing = || {
                Failure::new(FailureKind::File(Detail::new(FileCause::NotFound, "message not found")), during)
            };
            let found = found.ok_or_else(missing)?;
            let mut object = object(ObjectKind::Article, "the message");
            object.media_type = found.media_type.map(Into::into);
            Ok((object, LocalBody::Octets(found.octets.into())))
        }
        Local::Draft(draft) => {
            let text = handler.draft(&draft).map_err(|kind| Failure::new(kind, "showing a draft"))?;
            Ok((object(ObjectKind::Article, "the draft"), LocalBody::Octets(text.into())))
        }
        Local::Start(session) => {
            let program = session.words.first().cloned().unwrap_or_default();
            handler.start(&session).map_err(|kind| Failure::new(kind, format!("starting {program}")))?;
            Ok((object(ObjectKind::Session, "the session"), LocalBody::Octets(Bytes::new())))
        }
        _ => Err(Failure::new(FailureKind::NotSupported("this step of the plan"), "")),
    }
}

fn open_file(name: &[u8]) -> Result<(Object, LocalBody), FailureKind> {
    let fault = file_failure;
    let path = path_of(name)?;
    let file = open_at_once(path).map_err(fault)?;
    let metadata = file.metadata().map_err(fault)?;
    if metadata.is_dir() {
        let names = Object::new(ObjectKind::Names, "the names, a NUL after each,", Framing::Connection);
        let listing = list(path).map_err(fault)?;
        return Ok((names, LocalBody::Octets(listing.into())));
    }
    if !metadata.is_file() {
        let text = format!("it is {}, not a file", kind_of(&metadata));
        return Err(FailureKind::File(Detail::new(FileCause::NotAFile, text)));
    }
    let object = Object::new(ObjectKind::Binary, "the file", Framing::Connection);
    Ok((object, LocalBody::File(Arc::new(file), 0)))
}

pub(crate) fn file_failure(error: io::Error) -> FailureKind {
    FailureKind::File(Detail::new(error.kind().into(), text_of(&error)).source(error))
}

/// Opens a file without waiting: a pipe without a writer, or a device, would wait for ever.
fn open_at_once(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOCTTY);
    #[cfg(windows)]
    // Directories can be opened with FILE_FLAG_BACKUP_SEMANTICS only.
    std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, 0x0200_0000);
    options.open(path)
}

/// Lists a directory: its names, sorted, with a "/" after those of directories and a NUL after each,
/// because a name may contain LF.
fn list(path: &Path) -> io::Result<Vec<u8>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        let is_directory = entry.path().is_dir();
        let mut name = entry.file_name().into_encoded_bytes();
        name.extend_from_slice(if is_directory { b"/\0" } else { b"\0" });
        names.push(name);
    }
    names.sort();
    Ok(names.concat())
}

/// Reads a piece of a file; empty at its end.
pub(crate) fn read_piece(file: &File, offset: u64) -> Result<Bytes, Failure> {
    let mut piece = vec![0; PIECE];
    match read_at(file, &mut piece, offset) {
        Ok(count) => {
            piece.truncate(count);
            Ok(piece.into())
        }
        Err(error) => Err(Failure::new(file_failure(error), "reading the file")),
    }
}

#[cfg(unix)]
fn read_at(file: &File, piece: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, piece, offset)
}

#[cfg(windows)]
fn read_at(file: &File, piece: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, piece, offset)
}

#[cfg(not(any(unix, windows)))]
fn read_at(mut file: &File, piece: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::io::{Read, Seek, SeekFrom};
    file.seek(SeekFrom::Start(offset))?;
    file.read(piece)
}

#[cfg(unix)]
fn path_of(name: &[u8]) -> Result<&Path, FailureKind> {
    Ok(Path::new::<std::ffi::OsStr>(std::os::unix::ffi::OsStrExt::from_bytes(name)))
}

#[cfg(not(unix))]
fn path_of(name: &[u8]) -> Result<&Path, FailureKind> {
    let fault = |_| FailureKind::File(Detail::new(FileCause::Name, "the file name is not UTF-8"));
    std::str::from_utf8(name).map(Path::new).map_err(fault)
}

#[cfg(unix)]
fn kind_of(metadata: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    match () {
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }
}

#[cfg(not(unix))]
fn kind_of(_: &Metadata) -> &'static str {
    "a device"
}
