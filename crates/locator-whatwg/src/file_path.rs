//! Paths of files from and to URLs of the scheme file.

use alloc::string::String;
use alloc::vec::Vec;
use std::path::{Path, PathBuf};

use crate::percent::{self, EncodeSet};
use crate::url::Url;

#[allow(clippy::result_unit_err, reason = "as the crate `url` has it")]
impl Url {
    /// Returns the URL of a file.
    ///
    /// ```
    /// # if cfg!(unix) {
    /// use locator_whatwg::Url;
    ///
    /// let url = Url::from_file_path("/tmp/a b%").unwrap();
    /// assert_eq!(url.as_str(), "file:///tmp/a%20b%25");
    /// assert_eq!(url.to_file_path().unwrap().to_str(), Some("/tmp/a b%"));
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the path is not absolute.
    pub fn from_file_path<P: AsRef<Path>>(path: P) -> Result<Self, ()> {
        from_path(path.as_ref(), false)
    }

    /// Returns the URL of a directory, which ends with "/".
    ///
    /// # Errors
    ///
    /// Fails if the path is not absolute.
    pub fn from_directory_path<P: AsRef<Path>>(path: P) -> Result<Self, ()> {
        from_path(path.as_ref(), true)
    }

    /// Returns the path of a file.
    ///
    /// # Errors
    ///
    /// Fails if the URL has a host that is not `localhost`, or no absolute path.
    pub fn to_file_path(&self) -> Result<PathBuf, ()> {
        let segments =
            self.path_segments().filter(|_| !self.has_host() || self.host_str() == Some("localhost"));
        let mut path = Vec::new();
        for segment in segments.ok_or(())? {
            path.push(b'/');
            path.extend(percent::decode(segment.as_bytes()));
        }
        // The root of a drive.
        if matches!(path[..], [.., letter, b':'] if letter.is_ascii_alphabetic()) && path.len() == 3 {
            path.push(b'/');
        }
        to_path(path)
    }
}

#[cfg(unix)]
fn from_path(path: &Path, is_directory: bool) -> Result<Url, ()> {
    use std::os::unix::ffi::OsStrExt;

    if !path.is_absolute() {
        return Err(());
    }
    let mut text = String::from("file://");
    let mut is_root = true;
    for component in path.components().skip(1) {
        is_root = false;
        text.push('/');
        for &byte in component.as_os_str().as_bytes() {
            match byte {
                b'%' => text.push_str("%25"),
                b'\\' => text.push_str("%5C"),
                // "C|" would be read as a drive letter.
                b'|' => text.push_str("%7C"),
                byte => percent::push_encoded_bytes(&mut text, &[byte], EncodeSet::PATH),
            }
        }
    }
    if is_root || is_directory {
        text.push('/');
    }
    Url::parse(&text).map_err(|_| ())
}

#[cfg(unix)]
fn to_path(path: Vec<u8>) -> Result<PathBuf, ()> {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    Ok(PathBuf::from(OsString::from_vec(path)))
}

#[cfg(not(unix))]
fn from_path(path: &Path, is_directory: bool) -> Result<Url, ()> {
    let text = path.to_str().filter(|_| path.is_absolute()).ok_or(())?;
    let text = text.strip_prefix(r"\\?\").unwrap_or(text);
    let (host, rest) = match text.strip_prefix(r"\\") {
        Some(share) => share.split_once('\\').ok_or(())?,
        None => ("", text),
    };
    let mut url = String::from("file://");
    url.push_str(host);
    for segment in rest.split(['\\', '/']).filter(|segment| !segment.is_empty()) {
        url.push('/');
        for c in segment.chars() {
            match c {
                '%' => url.push_str("%25"),
                c => percent::push_encoded_char(&mut url, c, EncodeSet::PATH),
            }
        }
    }
    if is_directory {
        url.push('/');
    }
    Url::parse(&url).map_err(|_| ())
}

#[cfg(not(unix))]
fn to_path(path: Vec<u8>) -> Result<PathBuf, ()> {
    let text = String::from_utf8(path).map_err(|_| ())?;
    let text = text.strip_prefix('/').ok_or(())?;
    let has_drive = matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if has_drive { Ok(PathBuf::from(text.replace('/', r"\"))) } else { Err(()) }
}
