//! Converts paths of `std` on the local machine: takes a `Path`, returns a file URI, and the
//! reverse.

use std::path::{Path, PathBuf};

use super::{PathError, Platform};
use crate::reference::{UriBuf, UriRef, delegate};

impl UriBuf {
    /// Converts an absolute path of this machine to a file URI; see [`Platform::to_uri`].
    ///
    /// ```
    /// # #[cfg(unix)] {
    /// use locator::UriBuf;
    ///
    /// assert_eq!(
    ///     UriBuf::from_file_path("/home/jan/a b").unwrap(),
    ///     "file:///home/jan/a%20b"
    /// );
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// See [`Platform::to_uri`].
    pub fn from_file_path(path: impl AsRef<Path>) -> Result<Self, PathError> {
        Platform::HOST.to_uri(path.as_ref().as_os_str().as_encoded_bytes())
    }

    /// Converts the path of a directory to a URI that ends with "/" even if the path does not.
    ///
    /// # Errors
    ///
    /// See [`Platform::to_uri`].
    pub fn from_directory_path(path: impl AsRef<Path>) -> Result<Self, PathError> {
        Platform::HOST.to_directory_uri(path.as_ref().as_os_str().as_encoded_bytes())
    }
}

impl UriRef<'_> {
    /// Converts a file URI to a path of this machine; see [`Platform::to_path`].
    ///
    /// ```
    /// # #[cfg(unix)] {
    /// use std::path::Path;
    ///
    /// let uri = locator::uri!("file:///home/jan/a%20b");
    /// assert_eq!(uri.to_file_path().unwrap(), Path::new("/home/jan/a b"));
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// See [`Platform::to_path`].
    pub fn to_file_path(self) -> Result<PathBuf, PathError> {
        Platform::HOST.to_path(self).and_then(path_of)
    }
}

delegate! {
    "Files":
    /// Returns the path of the file on this platform.
    fn to_file_path() -> (Result<PathBuf, PathError>) {
        //! ```
        //! # #[cfg(unix)] {
        //! let uri = locator::uri!("file:///home/jan/a%20b");
        //! assert_eq!(uri.to_file_path().unwrap(), std::path::Path::new("/home/jan/a b"));
        //! # }
        //! ```
        //!
        //! # Errors
        //!
        //! See [`Platform::to_path`](crate::scheme::file::Platform::to_path).
    }
}

#[cfg(unix)]
fn path_of(octets: std::vec::Vec<u8>) -> Result<PathBuf, PathError> {
    use std::os::unix::ffi::OsStringExt;

    Ok(std::ffi::OsString::from_vec(octets).into())
}

#[cfg(not(unix))]
fn path_of(octets: std::vec::Vec<u8>) -> Result<PathBuf, PathError> {
    let not_text = |error: std::string::FromUtf8Error| error.utf8_error().valid_up_to();
    let text =
        std::string::String::from_utf8(octets).map_err(|error| PathError::NotText { at: not_text(error) });
    text.map(PathBuf::from)
}
