//! Files that are sent: `-T`, which has curl's name, and the files of forms and of `--data-binary`. A file
//! is read while it is sent, so it may have any length.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::Path;

use clap::Args;
use locator::plan::{Options, Upload};
use locator::scheme::FtpUrl;
use locator::{AsciiSet, Edit, PctString, UriRef, UriRefBuf, Value};
use locator_fetch::http::RequestBody;

use crate::exit::CliError;
use crate::field::Refused;
use crate::input::files::Named;
use crate::report::failure::Failure;

/// The option of an upload.
#[derive(Args, Debug)]
pub(super) struct UploadArgs {
    /// Upload FILE: with PUT to an http URL, with STOR to an ftp URL; a URL that ends with "/" gets its
    /// name; "-" is standard input
    #[arg(short = 'T', long, value_name = "FILE")]
    upload_file: Option<OsString>,
    /// Append the data of --upload-file to the file on the FTP server, instead of replacing it
    #[arg(short = 'a', long, requires = "upload_file")]
    append: bool,
    /// Create the directories of an FTP upload that do not exist
    #[arg(long, requires = "upload_file")]
    ftp_create_dirs: bool,
}

impl UploadArgs {
    /// Returns the file.
    pub(super) fn file(&self) -> Option<&OsStr> {
        self.upload_file.as_deref()
    }

    /// Returns whether the file can be sent twice, as far as its name says: not to append it.
    pub(super) fn may_be_repeated(&self) -> bool {
        !self.append && self.file().is_none_or(|file| !Named(file).is_stdin())
    }

    /// Returns the options of plans of ftp with the upload.
    pub(super) fn ftp_options<'o>(&self, mut options: Options<'o>) -> Options<'o> {
        let upload = if self.append { Upload::Append } else { Upload::Store };
        options.upload = self.file().map(|_| upload);
        options.create_directories(self.ftp_create_dirs)
    }

    /// Returns a given option that only FTP has.
    pub(super) fn only_ftp(&self) -> Option<&'static str> {
        let given = [(self.append, "append"), (self.ftp_create_dirs, "ftp-create-dirs")];
        given.into_iter().find_map(|(is_given, name)| is_given.then_some(name))
    }
}

/// Opens a file, or standard input, to send it.
pub(super) fn body(file: &OsStr) -> Result<RequestBody, CliError> {
    if Named(file).is_stdin() {
        return Ok(RequestBody::reader(io::stdin()));
    }
    open(file).map(Into::into).map_err(|error| Named(file).unreadable(error))
}

/// Opens a file that is no directory.
fn open(file: &OsStr) -> io::Result<File> {
    let opened = File::open(file)?;
    match opened.metadata()?.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(opened),
    }
}

/// Opens a regular file to send it; `None` for what must be read to know its length: standard input, a pipe
/// or a file of `/proc`.
pub(super) fn body_of_regular(file: &OsStr) -> Result<Option<RequestBody>, CliError> {
    if Named(file).is_stdin() {
        return Ok(None);
    }
    let unreadable = |error| Named(file).unreadable(error);
    // Opening a pipe twice would lose what its writer sends.
    let metadata = std::fs::metadata(file).map_err(unreadable)?;
    match metadata.is_file() && metadata.len() > 0 {
        true => open(file).map(|file| Some(file.into())).map_err(unreadable),
        false => Ok(None),
    }
}

/// Returns the URL that a file is uploaded to, if it is another one than the given: as curl does, the name
/// of the file is appended to a path that ends with "/".
pub(super) fn destination(url: UriRef<'_>, file: &OsStr) -> Result<Option<UriRefBuf>, Failure> {
    let name = Path::new(file).file_name().filter(|_| !Named(file).is_stdin());
    // The type of an ftp URL is not part of the name.
    let path = url.path().as_str();
    let (path, code) = match FtpUrl::of(url) {
        Ok(_) => path.rfind(";type=").map_or((path, ""), |at| path.split_at(at)),
        Err(_) => (path, ""),
    };
    let is_folder = path.is_empty() || path.ends_with('/');
    let Some(name) = name.filter(|_| is_folder && url.query().is_none()) else { return Ok(None) };
    let refused = |why| Failure::not_edited("--upload-file", Refused::from(why));
    let name = PctString::encode(name.as_encoded_bytes(), AsciiSet::UNRESERVED);
    let path = if path.is_empty() { "/" } else { path };
    let path = format!("{path}{}{code}", name.as_str());
    let mut edit = Edit::of(url);
    edit.set_path(Value::Encoded(&path)).map_err(refused)?;
    edit.finish().map(Some).map_err(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_uploads() {
        let to = |url, file: &str| {
            let url = destination(UriRef::parse(url).unwrap(), OsStr::new(file)).ok().flatten();
            url.map(|url| url.to_string())
        };
        assert_eq!(to("http://h/a/", "dir/b c").as_deref(), Some("http://h/a/b%20c"));
        assert_eq!(to("ftp://h/a/;type=a", "b;c").as_deref(), Some("ftp://h/a/b%3Bc;type=a"));
        assert_eq!(to("http://h", "b#?.txt").as_deref(), Some("http://h/b%23%3F.txt"));
        for (url, file) in [
            ("http://h/a", "b"),
            ("http://h/?q", "b"),
            ("http://h/", "-"),
            ("http://h/", ".."),
            ("ftp://h/a;type=i", "b"),
        ] {
            assert_eq!(to(url, file), None, "{url} {file}");
        }
    }
}
