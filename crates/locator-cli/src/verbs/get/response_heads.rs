//! Response headers, as `-i` and `-I` print them, including those of redirects; and the values of headers
//! in messages, without secrets.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use locator::plan::ObjectKind;
use locator::{Redacted, internal};
use locator_fetch::blocking::Response;
use locator_fetch::entries::directory;
use locator_fetch::{Hop, ResponseHead, fmt_http_date};

use super::download::quoted_path;
use crate::output::Output;
use crate::terminal::secrets;
use crate::terminal::visible::legible;

/// Returns the headers of redirects and of the last response; nothing if none is an HTTP response.
pub(super) fn of(hops: &[Hop], last: Option<&ResponseHead>) -> Vec<u8> {
    let responses = hops.iter().filter_map(|hop| hop.head.as_deref()).chain(last);
    responses.flat_map(|response| response.head().into_owned()).collect()
}

/// Returns what an ftp server says of a file, written as headers, as curl does; `None` if it says nothing.
/// A directory has its URL, which ends with "/".
pub(super) fn of_ftp(fetched: &Response) -> Option<Vec<u8>> {
    let mut heads = Vec::new();
    if let Some(time) = fetched.proof().modified() {
        heads.extend_from_slice(format!("Last-Modified: {}\r\n", fmt_http_date(time)).as_bytes());
    }
    if let Some(length) = fetched.content_length() {
        heads.extend_from_slice(format!("Content-Length: {length}\r\n").as_bytes());
    }
    if fetched.kind() == ObjectKind::Names {
        let url = directory(fetched.url()).ok()?;
        heads.extend_from_slice(format!("Content-Location: {url}\r\n").as_bytes());
    }
    let is_known = !heads.is_empty();
    heads.extend_from_slice(b"\r\n");
    is_known.then_some(heads)
}

/// Writes headers to standard output; on a terminal control characters are shown as codes.
pub(super) fn write(heads: &[u8], out: &mut Output) -> io::Result<()> {
    if !out.is_terminal {
        return out.write_all(heads);
    }
    let text = String::from_utf8_lossy(heads);
    text.lines().try_for_each(|line| writeln!(out, "{}", legible(line)))
}

/// Where `-D` writes the headers of all responses, one URL after the other.
#[derive(Debug)]
pub(super) enum HeaderFile {
    /// Standard output.
    Stdout,
    /// A file, and its name for messages.
    File(Mutex<File>, String),
}

impl HeaderFile {
    /// Creates the file; an existing one is replaced if that is wanted, never written through a link. A device
    /// or a pipe is written directly.
    ///
    /// # Errors
    ///
    /// A sentence: the file exists, or it cannot be created.
    pub(super) fn create(path: &Path, is_replaced: bool) -> Result<Self, String> {
        let shown = quoted_path(path);
        let failed = |error: io::Error| format!("-D: {shown} cannot be written: {error}");
        let is_there = fs::symlink_metadata(path).is_ok();
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
            return Ok(Self::File(file.into(), shown));
        }
        if is_there && !is_replaced {
            return Err(format!("-D: {shown} already exists; use --clobber to overwrite it"));
        }
        if is_there {
            fs::remove_file(path).map_err(failed)?;
        }
        let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
        Ok(Self::File(file.into(), shown))
    }

    /// Writes the headers of the responses for a URL.
    pub(super) fn write(&self, heads: &[u8], out: &mut Output) -> io::Result<()> {
        match self {
            Self::Stdout => write(heads, out),
            Self::File(file, name) => {
                let written = file.lock().unwrap_or_else(PoisonError::into_inner).write_all(heads);
                written.map_err(|error| io::Error::new(error.kind(), format!("-D: {name}: {error}")))
            }
        }
    }
}

/// Returns the value of a header with its secrets hidden: those of URLs, the values of cookies, and all of
/// a header whose name says that it is one.
pub(super) fn shown_value(name: &str, value: &str) -> String {
    if secrets::are_shown() {
        return value.to_owned();
    }
    let name = name.to_ascii_lowercase();
    if name == "set-cookie" {
        let (pair, attributes) = value.split_once(';').unwrap_or((value, ""));
        let cookie = pair.split_once('=').map_or("", |(cookie, _)| cookie);
        let semicolon = if attributes.is_empty() { "" } else { ";" };
        return format!("{cookie}={}{semicolon}{}", Redacted::HIDDEN, secrets::sentence(attributes));
    }
    if internal::secrets::is_header(&name) { Redacted::HIDDEN.into() } else { secrets::sentence(value) }
}
