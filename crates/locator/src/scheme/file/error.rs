//! The error of converting between paths and file URIs.

use core::fmt::{self, Display, Formatter};

use super::platform::Platform;
use crate::as_text::error_as_sentence;
use crate::span::Component;

/// The reason why a path has no file URI, or a file URI has no path.
///
/// Positions are bytes, counted from 0, in the path or in the text of the URI, whichever was given.
///
/// ```
/// use locator::scheme::file::{PathError, Platform};
///
/// let error =
///     Platform::Posix.to_path(locator::uri!("file:///a%2Fb")).unwrap_err();
/// assert_eq!(error, PathError::Delimiter { byte: b'/', at: 8 });
/// assert_eq!(
///     error.to_string(),
///     "the decoded segment would contain \"/\", which no file name contains, at byte 8"
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PathError {
    /// The path is relative, and its base is unknown.
    NotAbsolute {
        /// The platform, which defines the beginning of an absolute path.
        platform: Platform,
    },
    /// The path lacks its drive (`\a`) or its root (`C:a`), which only a running program has.
    OnCurrentDrive,
    /// The path is a device path, to which the rules of paths do not apply: `\\?\C:\a`, `\\.\COM1`.
    Device,
    /// The path begins as a UNC path and has no server or no share.
    NoShare,
    /// A UNC path cannot begin with this server, or the server has another meaning in `file:`.
    Server {
        /// The offset of the server.
        at: usize,
    },
    /// The path contains NUL, which would end it.
    Nul {
        /// The offset of the segment.
        at: usize,
    },
    /// A segment "." or "..", escaped or not.
    Dots {
        /// The offset of the segment.
        at: usize,
    },
    /// A segment that, when decoded, contains a delimiter of segments.
    Delimiter {
        /// The delimiter.
        byte: u8,
        /// The offset of the segment.
        at: usize,
    },
    /// Bytes that are not UTF-8, on a platform whose names are text.
    NotText {
        /// The offset of the first such byte of the path, or of the URI's segment.
        at: usize,
    },
    /// A segment that is the name of a device of Windows, in any directory and with any extension:
    /// `NUL`, `com1.txt`.
    DeviceName {
        /// The offset of the segment.
        at: usize,
    },
    /// A segment with a character that is not allowed in names on Windows, where ":" begins the name
    /// of a stream, or on VMS.
    NameByte {
        /// The character that is not allowed.
        byte: u8,
        /// The offset of the segment.
        at: usize,
        /// The platform.
        platform: Platform,
    },
    /// A segment that ends with "." or a space, which Windows removes, so that another file is
    /// meant.
    NameEnd {
        /// The last byte of the segment.
        byte: u8,
        /// The offset of the segment.
        at: usize,
    },
    /// A pipe or a mailslot of a server, which is not a file: `\\server\pipe\name`.
    Pipe {
        /// The offset of the share.
        at: usize,
    },
    /// The reference's scheme is not `file`.
    NotFile,
    /// A component that a file URI does not have, or that no path can keep.
    Component {
        /// The component.
        component: Component,
    },
    /// The URI's path does not begin with "/".
    NoRoot,
    /// The file is on another machine.
    OtherHost,
    /// The URI's path does not begin with a drive.
    NoDrive,
    /// The URI's path does not begin with a device of VMS and a "/".
    NoDevice,
    /// The URI would be longer than 4,294,967,294 bytes.
    TooLong,
}

impl PathError {
    /// Returns the name of this kind of error in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotAbsolute { .. } => "not-absolute",
            Self::OnCurrentDrive => "on-current-drive",
            Self::Device => "device",
            Self::NoShare => "no-share",
            Self::Server { .. } => "server",
            Self::Nul { .. } => "nul",
            Self::Dots { .. } => "dots",
            Self::Delimiter { .. } => "delimiter",
            Self::NotText { .. } => "not-text",
            Self::DeviceName { .. } => "device-name",
            Self::NameByte { .. } => "name-octet",
            Self::NameEnd { .. } => "name-end",
            Self::Pipe { .. } => "pipe",
            Self::NotFile => "not-file",
            Self::Component { .. } => "component",
            Self::NoRoot => "no-root",
            Self::OtherHost => "other-host",
            Self::NoDrive => "no-drive",
            Self::NoDevice => "no-device",
            Self::TooLong => "too-long",
        }
    }

    /// Returns the component of the URI that the error is about.
    #[must_use]
    pub const fn component(self) -> Option<Component> {
        match self {
            Self::NotFile => Some(Component::Scheme),
            Self::Component { component: part } => Some(part),
            Self::OtherHost => Some(Component::Host),
            Self::NoRoot | Self::NoDrive | Self::NoDevice => Some(Component::Path),
            _ => None,
        }
    }

    /// Returns the byte offset of the error, counted from 0, in the path or in the text of the URI,
    /// whichever was given.
    #[must_use]
    pub const fn offset(self) -> Option<usize> {
        match self {
            Self::NotAbsolute { .. } | Self::OnCurrentDrive | Self::Device | Self::NoShare => Some(0),
            Self::Server { at }
            | Self::Nul { at }
            | Self::Dots { at }
            | Self::Delimiter { at, .. }
            | Self::DeviceName { at }
            | Self::NameByte { at, .. }
            | Self::NameEnd { at, .. }
            | Self::Pipe { at }
            | Self::NotText { at } => Some(at),
            _ => None,
        }
    }

    /// Returns the message of this error, without document and section.
    #[must_use]
    pub const fn message(self) -> impl Display {
        PathMessage(self)
    }

    /// Returns advice on how to correct the error, if there is any.
    #[must_use]
    pub const fn advice(self) -> Option<&'static str> {
        match self {
            Self::NotAbsolute { .. } => Some("make it absolute first"),
            Self::OnCurrentDrive => Some("an absolute path begins as C:\\"),
            Self::Device => Some("remove that where an ordinary path is meant"),
            Self::Dots { .. } => Some("remove the dot segments first"),
            Self::NameByte { byte: b':', platform: Platform::Windows, .. } => Some("name the file alone"),
            Self::Component { .. } => Some("remove it, or escape its delimiter where it belongs to the name"),
            _ => None,
        }
    }

    /// Returns the document and section of the rule, where there is one: `RFC 8089, 2`.
    #[must_use]
    pub const fn citation(self) -> Option<&'static str> {
        match self {
            Self::NotAbsolute { platform: Platform::Posix }
            | Self::NotFile
            | Self::Component { .. }
            | Self::NoRoot => Some("RFC 8089, 2"),
            Self::NotAbsolute { platform: Platform::Windows } => Some("RFC 8089, E.2 and E.3"),
            Self::NotAbsolute { platform: Platform::Vms }
            | Self::NameByte { platform: Platform::Vms, .. }
            | Self::NoDevice => Some("RFC 1738, 3.10"),
            Self::OnCurrentDrive | Self::NoDrive => Some("RFC 8089, E.2"),
            Self::Device | Self::NoShare | Self::Server { .. } => Some("RFC 8089, E.3"),
            Self::Dots { .. } => Some("RFC 3986, 5.2.4"),
            Self::DeviceName { .. } | Self::NameByte { .. } | Self::NameEnd { .. } | Self::Pipe { .. } => {
                Some("RFC 3986, 7.3")
            }
            Self::NotText { .. } => Some("RFC 8089, 4"),
            Self::OtherHost => Some("RFC 8089, 3"),
            Self::Nul { .. } | Self::Delimiter { .. } | Self::TooLong => None,
        }
    }
}

impl Display for PathError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)?;
        self.citation().map_or(Ok(()), |see| write!(f, " ({see})"))
    }
}

/// The message of an error.
struct PathMessage(PathError);

impl Display for PathMessage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            PathError::NotAbsolute { platform: Platform::Posix } => {
                f.write_str("the path is relative: it does not begin with \"/\"")
            }
            PathError::NotAbsolute { platform: Platform::Windows } => f.write_str(
                "the path is relative: it begins neither with a drive, as C:\\, nor with \\\\server\\share",
            ),
            PathError::NotAbsolute { platform: Platform::Vms } => f.write_str(
                "the path is relative: it does not begin with a device and directories, as DISK$USER:[MY.NOTES]",
            ),
            PathError::OnCurrentDrive => f.write_str("the path depends on the current drive or directory"),
            PathError::Device => f.write_str(
                "the path begins with \"\\\\?\\\", \"\\\\.\\\" or \"\\??\\\", which no file URI \
                 represents",
            ),
            PathError::NoShare => f.write_str("a UNC path needs a server and a share: \\\\server\\share"),
            PathError::Server { at } => {
                write!(f, "a UNC path in a file URI cannot have this server, at byte {at}")
            }
            PathError::Nul { at } => {
                write!(f, "the segment contains NUL, which would end the path, at byte {at}")
            }
            PathError::Dots { at } => write!(
                f,
                "the segment is a dot segment, which need not lead to the same directory in a URI and in the \
                 file system, at byte {at}"
            ),
            PathError::Delimiter { byte: octet, at } => write!(
                f,
                "the decoded segment would contain \"{}\", which no file name contains, at byte {at}",
                char::from(octet)
            ),
            PathError::NotText { at } => {
                write!(f, "invalid UTF-8, which no name on Windows contains, at byte {at}")
            }
            PathError::DeviceName { at } => {
                write!(f, "the segment is the name of a device on Windows, which no file has, at byte {at}")
            }
            PathError::NameByte { byte: b':', at, platform: Platform::Windows } => write!(
                f,
                "the segment contains \":\", which begins the name of a stream on Windows, at byte {at}"
            ),
            PathError::NameByte { byte: octet, at, platform } if octet.is_ascii_graphic() => write!(
                f,
                "the segment contains \"{}\", which is not allowed in names on {}, at byte {at}",
                char::from(octet),
                name_of(platform)
            ),
            PathError::NameByte { byte: octet, at, platform } => {
                write!(
                    f,
                    "the segment contains byte {octet:02X}, which is not allowed in names on {}, at byte {at}",
                    name_of(platform)
                )
            }
            PathError::NameEnd { byte: octet, at } => write!(
                f,
                "the segment ends with {}, which Windows removes, so that another file is meant, at byte {at}",
                if octet == b'.' { "\".\"" } else { "a space" }
            ),
            PathError::Pipe { at } => {
                write!(f, "the share contains pipes or mailslots and no files, at byte {at}")
            }
            PathError::NotFile => f.write_str("the scheme is not \"file\""),
            PathError::Component { component: part } => {
                write!(f, "the path of a file has no place for the {}", part.name())
            }
            PathError::NoRoot => {
                f.write_str("the path does not begin with \"/\", as that of a file URI must")
            }
            PathError::OtherHost => f.write_str(
                "the file is on another host: files of this machine have no host or \"localhost\"",
            ),
            PathError::NoDrive => {
                f.write_str("the path does not begin with a drive, as file:///C:/ does, and there is no host")
            }
            PathError::NoDevice => {
                f.write_str("the path does not begin with a device of VMS, as file:///disk$user/ does")
            }
            PathError::TooLong => f.write_str("the URI would be longer than 4,294,967,294 bytes"),
        }
    }
}

/// The name of a platform in messages.
const fn name_of(platform: Platform) -> &'static str {
    match platform {
        Platform::Posix => "POSIX",
        Platform::Windows => "Windows",
        Platform::Vms => "VMS",
    }
}

error_as_sentence!(PathError);
