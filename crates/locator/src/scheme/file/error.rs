//! Why a path has no file URI, or a URI no path: a value that says so in a sentence.

use core::fmt::{self, Display, Formatter};

use super::Platform;
use crate::part::Part;

/// Why a path has no file URI, or a file URI no path.
///
/// A place counts octets, from 0, in the path or in the text of the URI: whichever was given.
///
/// ```
/// use locator::scheme::file::{PathError, Platform};
///
/// let error = Platform::Posix.to_path(locator::uri!("file:///a%2Fb")).unwrap_err();
/// assert_eq!(error, PathError::Delimiter { octet: b'/', at: 8 });
/// assert_eq!(
///     error.to_string(),
///     "the segment at octet 8 would hold \"/\" when its escapes are undone, and be two: no file has \
///      such a name"
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathError {
    /// The path is relative: what it is relative to is not known here.
    NotAbsolute {
        /// The platform, which says what an absolute path begins with.
        platform: Platform,
    },
    /// The path lacks its drive (`\a`) or its root (`C:a`), which a running program has for it.
    OnCurrentDrive,
    /// The path is one of the system's own, to which the rules of paths do not apply: `\\?\C:\a`, `\\.\COM1`.
    Device,
    /// The path begins as a UNC path and has no server or no share.
    NoShare,
    /// A UNC path cannot begin with this server, or `file:` means something else by it.
    Server {
        /// Where it begins.
        at: usize,
    },
    /// NUL, which ends a path wherever it stands.
    Nul {
        /// Where the segment begins.
        at: usize,
    },
    /// A segment "." or "..", escaped or not.
    Dots {
        /// Where it begins.
        at: usize,
    },
    /// A segment that, with its escapes undone, holds what divides segments.
    Delimiter {
        /// What it holds.
        octet: u8,
        /// Where it begins.
        at: usize,
    },
    /// Octets that are not UTF-8, where the platform's names are text.
    NotText {
        /// The path's first such octet, or where the URI's segment begins.
        at: usize,
    },
    /// A segment that is the name of a device of Windows, in any directory and with any extension: `NUL`, `com1.txt`.
    DeviceName {
        /// Where it begins.
        at: usize,
    },
    /// A segment with a character that no name on Windows has; ":" there begins the name of a stream.
    NameOctet {
        /// The character.
        octet: u8,
        /// Where the segment begins.
        at: usize,
    },
    /// A segment that ends in "." or a space, which Windows leaves out, so that another file is meant.
    NameEnd {
        /// Its last octet.
        octet: u8,
        /// Where it begins.
        at: usize,
    },
    /// A pipe or a mailslot of a server, which is no file: `\\server\pipe\name`.
    Pipe {
        /// Where the share begins.
        at: usize,
    },
    /// The reference's scheme is not `file`.
    NotFile,
    /// A component that a file URI does not have, or that no path can keep.
    Component {
        /// The component.
        part: Part,
    },
    /// The URI's path does not begin with "/".
    NoRoot,
    /// The file is another machine's.
    OtherHost,
    /// The URI's path does not begin with a drive.
    NoDrive,
    /// The URI would be longer than 4,294,967,294 octets.
    TooLong,
}

impl PathError {
    /// The word for it in JSON.
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
            Self::NameOctet { .. } => "name-octet",
            Self::NameEnd { .. } => "name-end",
            Self::Pipe { .. } => "pipe",
            Self::NotFile => "not-file",
            Self::Component { .. } => "component",
            Self::NoRoot => "no-root",
            Self::OtherHost => "other-host",
            Self::NoDrive => "no-drive",
            Self::TooLong => "too-long",
        }
    }

    /// The component that it is about, of a URI.
    pub const fn part(self) -> Option<Part> {
        match self {
            Self::NotFile => Some(Part::Scheme),
            Self::Component { part } => Some(part),
            Self::OtherHost => Some(Part::Host),
            Self::NoRoot | Self::NoDrive => Some(Part::Path),
            _ => None,
        }
    }

    /// The octet that it is about, counted from 0, or where what it is about begins: in the path or in
    /// the text of the URI, whichever was given.
    pub const fn at(self) -> Option<usize> {
        match self {
            Self::NotAbsolute { .. } | Self::OnCurrentDrive | Self::Device | Self::NoShare => Some(0),
            Self::Server { at }
            | Self::Nul { at }
            | Self::Dots { at }
            | Self::Delimiter { at, .. }
            | Self::DeviceName { at }
            | Self::NameOctet { at, .. }
            | Self::NameEnd { at, .. }
            | Self::Pipe { at }
            | Self::NotText { at } => Some(at),
            _ => None,
        }
    }

    /// The sentence alone, without document and section.
    pub const fn message(self) -> impl Display {
        Message(self)
    }

    /// Document and section, where one says so: `RFC 8089, 2`.
    pub const fn see(self) -> Option<&'static str> {
        match self {
            Self::NotAbsolute { platform: Platform::Posix }
            | Self::NotFile
            | Self::Component { .. }
            | Self::NoRoot => Some("RFC 8089, 2"),
            Self::NotAbsolute { platform: Platform::Windows } => Some("RFC 8089, E.2 and E.3"),
            Self::OnCurrentDrive | Self::NoDrive => Some("RFC 8089, E.2"),
            Self::Device | Self::NoShare | Self::Server { .. } => Some("RFC 8089, E.3"),
            Self::Dots { .. } => Some("RFC 3986, 5.2.4"),
            Self::DeviceName { .. } | Self::NameOctet { .. } | Self::NameEnd { .. } | Self::Pipe { .. } => {
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
        self.see().map_or(Ok(()), |see| write!(f, " ({see})"))
    }
}

/// The sentence of an error.
struct Message(PathError);

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            PathError::NotAbsolute { platform: Platform::Posix } => {
                f.write_str("the path is relative, it does not begin with \"/\": make it absolute first")
            }
            PathError::NotAbsolute { platform: Platform::Windows } => f.write_str(
                "the path is relative, it does not begin with a drive, as C:\\, or with \\\\server\\share: \
                 make it absolute first",
            ),
            PathError::OnCurrentDrive => f.write_str(
                "the path depends on the drive or directory that a program is in: an absolute one begins \
                 as C:\\",
            ),
            PathError::Device => f.write_str(
                "the path begins with \"\\\\?\\\", \"\\\\.\\\" or \"\\??\\\", which file URIs have no form \
                 for: leave that out where an ordinary path is meant",
            ),
            PathError::NoShare => {
                f.write_str("a UNC path begins with a server and a share: \\\\server\\share")
            }
            PathError::Server { at } => write!(
                f,
                "the server at octet {at} is none that a UNC path may begin with and a file URI can name"
            ),
            PathError::Nul { at } => {
                write!(f, "the segment at octet {at} holds NUL, where the system would take the path to end")
            }
            PathError::Dots { at } => write!(
                f,
                "the segment at octet {at} is a step and no name, and a URI's steps need not lead where the \
                 file system's do: remove the dot segments first"
            ),
            PathError::Delimiter { octet, at } => write!(
                f,
                "the segment at octet {at} would hold \"{}\" when its escapes are undone, and be two: no file \
                 has such a name",
                char::from(octet)
            ),
            PathError::NotText { at } => {
                write!(f, "what stands at octet {at} is not UTF-8, and a name on Windows is text")
            }
            PathError::DeviceName { at } => {
                write!(f, "the segment at octet {at} is the name of a device on Windows, and no file has it")
            }
            PathError::NameOctet { octet: b':', at } => write!(
                f,
                "the segment at octet {at} holds \":\", which begins the name of a stream on Windows: name the file \
                 alone"
            ),
            PathError::NameOctet { octet, at } if octet.is_ascii_graphic() => write!(
                f,
                "the segment at octet {at} holds \"{}\", which no name on Windows has",
                char::from(octet)
            ),
            PathError::NameOctet { octet, at } => {
                write!(
                    f,
                    "the segment at octet {at} holds the octet {octet:02X}, which no name on Windows has"
                )
            }
            PathError::NameEnd { octet, at } => write!(
                f,
                "the segment at octet {at} ends in {}, which Windows leaves out, so that another file is meant",
                if octet == b'.' { "\".\"" } else { "a space" }
            ),
            PathError::Pipe { at } => {
                write!(f, "the share at octet {at} has pipes of programs and no files")
            }
            PathError::NotFile => f.write_str("the scheme is not \"file\", so this names no file"),
            PathError::Component { part } => write!(
                f,
                "the {} is no part of a file's path: remove it, or escape its delimiter where it belongs to \
                 the name",
                part.name()
            ),
            PathError::NoRoot => {
                f.write_str("the path does not begin with \"/\": a file URI's path is absolute")
            }
            PathError::OtherHost => f.write_str(
                "the file is another host's: on this machine are those of no host and of \"localhost\"",
            ),
            PathError::NoDrive => {
                f.write_str("the path does not begin with a drive, as file:///C:/ does, and no host is named")
            }
            PathError::TooLong => f.write_str("the URI would be longer than 4,294,967,294 octets"),
        }
    }
}

impl core::error::Error for PathError {}
