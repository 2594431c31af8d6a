//! The systems whose paths are converted, and what divides their segments.

/// The path syntax of a system.
///
/// ```
/// use locator::scheme::file::Platform::{Posix, Vms, Windows};
/// use locator::uri;
///
/// assert_eq!(
///     Posix.to_uri("/home/jan/50% off?.txt")?,
///     "file:///home/jan/50%25%20off%3F.txt"
/// );
/// assert_eq!(
///     Windows.to_uri(r"C:\Users\jan\a b.txt")?,
///     "file:///C:/Users/jan/a%20b.txt"
/// );
/// assert_eq!(
///     Windows.to_uri(r"\\server\share\a.txt")?,
///     "file://server/share/a.txt"
/// );
///
/// assert_eq!(Posix.to_path(uri!("file:///caf%E9"))?, b"/caf\xE9");
/// assert_eq!(Windows.to_path(uri!("file:///c%3A/a/"))?, br"c:\a\");
/// assert_eq!(
///     Windows.to_path(uri!("file://server/share/a.txt"))?,
///     br"\\server\share\a.txt"
/// );
///
/// let uri = "file:///disk$user/my/notes/note12345.txt";
/// assert_eq!(Vms.to_uri("DISK$USER:[MY.NOTES]NOTE12345.TXT")?, uri);
/// # Ok::<_, locator::scheme::file::PathError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Platform {
    /// POSIX paths: "/" divides segments, and a name is any octets except "/" and NUL (RFC 8089,
    /// D.1).
    Posix,
    /// Windows paths: "\" and "/" divide segments, names are text, and a path begins with a drive
    /// or with a server and a share (RFC 8089, D.2, E.2 and E.3).
    Windows,
    /// Paths of VMS: a device, directories in brackets, and a name: `DISK$USER:[MY.NOTES]NOTE.TXT`
    /// (RFC 1738, 3.10). Names have no case: those of a URI are in lower case, those of a path in
    /// upper case.
    Vms,
}

impl Platform {
    /// The platform that this crate is compiled for.
    pub const HOST: Self = if cfg!(windows) { Self::Windows } else { Self::Posix };

    /// Returns whether the octet divides segments.
    pub(super) const fn divides(self, octet: u8) -> bool {
        octet == b'/' || octet == b'\\' && matches!(self, Self::Windows)
    }
}
