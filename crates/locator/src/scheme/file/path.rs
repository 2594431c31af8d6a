//! Converts the path of a file to its file URI, and the reverse, by the rules of a named platform,
//! which need not be the local one. Follows RFC 8089, sections 2 to 4 and appendices D and E.
//!
//! A path consists of octets. It is divided into segments before each segment is escaped or
//! decoded, so that no character of a name becomes a delimiter. A path that cannot be converted
//! exactly is rejected.
//!
//! Paths of VMS: takes `DISK$USER:[MY.NOTES]NOTE.TXT`, returns the device, the directories and the name as the
//! segments of a URI's path, and the reverse. Follows RFC 1738, section 3.10.
//!
//! Names of VMS have no case. The example of RFC 1738 writes a URL in lower case and the path in upper case; so does
//! this module.

use super::error::PathError;
use super::platform::Platform;
use crate::edition::RFC3986;
use crate::edition::rfc3986::{SUB_DELIMS, UNRESERVED};
use crate::pct::{PctStr, PctString};
use crate::reference::{UriBuf, UriRef};
use crate::simd::AsciiSet;
use crate::span::Component;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

impl Platform {
    /// Converts an absolute path to a file URI of RFC 3986; a path that ends with a delimiter keeps
    /// it.
    ///
    /// # Errors
    ///
    /// The path is not absolute, is a device path, has a segment "." or "..", contains NUL, or is
    /// not UTF-8 on Windows.
    pub fn to_uri(self, path: impl AsRef<[u8]>) -> Result<UriBuf, PathError> {
        self.write_uri(path.as_ref()).and_then(read)
    }

    /// Converts the path of a directory to a base URI, which ends with "/" even if the path does
    /// not.
    ///
    /// ```
    /// use locator::scheme::file::Platform;
    /// use locator::{Base, uri_ref};
    ///
    /// let base = Platform::Posix.to_directory_uri("/home/jan").unwrap();
    /// assert_eq!(base, "file:///home/jan/");
    /// let base = Base::new(&base).unwrap();
    /// assert_eq!(
    ///     base.resolve(uri_ref!("a.txt")).unwrap().uri().unwrap(),
    ///     "file:///home/jan/a.txt"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// See [`Self::to_uri`].
    pub fn to_directory_uri(self, path: impl AsRef<[u8]>) -> Result<UriBuf, PathError> {
        let mut text = self.write_uri(path.as_ref())?;
        if !text.ends_with('/') {
            text.push('/');
        }
        read(text)
    }

    /// Converts a file URI to a path, decoded; a URI that ends with "/" becomes a path that ends
    /// with a delimiter.
    ///
    /// `file:/a`, `file:///a` and `file://localhost/a` are the same path. On Windows a UNC path is
    /// also allowed in the path of the URI, after four or five slashes.
    ///
    /// # Errors
    ///
    /// The reference is not a file URI, has a query or a fragment, or has the host of another
    /// machine on POSIX. A segment is "." or "..", or its decoded form contains a delimiter or NUL,
    /// or invalid UTF-8 on Windows.
    pub fn to_path<'u>(self, uri: impl Into<UriRef<'u>>) -> Result<Vec<u8>, PathError> {
        let uri = uri.into();
        let (host, path) = (host_of(uri, self)?, UriPiece::of(uri, Component::Path));
        // "As a special case, <host> can be the string "localhost" or the empty string" (RFC 1738,
        // 3.10)
        let is_local = host.text.is_empty() || host.octets().eq_ignore_ascii_case(b"localhost");
        let mut out = Vec::with_capacity(path.text.len() + host.text.len() + 2);
        match self {
            Self::Posix if is_local => write_segments(path.after_slash(), b'/', self, &mut out)?,
            Self::Posix => return Err(PathError::OtherHost),
            Self::Windows => write_windows(path, (!is_local).then_some(host), &mut out)?,
            Self::Vms => write_vms(path, (!is_local).then_some(host), &mut out)?,
        }
        Ok(out)
    }

    fn write_uri(self, path: &[u8]) -> Result<String, PathError> {
        let DividedPath { server, rest, mut at } = match self {
            Self::Posix => cut_posix(path)?,
            Self::Windows => cut_windows(path)?,
            Self::Vms => return write_vms_uri(path),
        };
        let mut text = String::with_capacity("file://".len() + path.len());
        text.push_str("file://");
        text.push_str(PctString::encode(server, SERVER).as_str());
        for (i, segment) in rest.split(|&octet| self.divides(octet)).enumerate() {
            check(segment, at)?;
            // A Windows path without a server begins with its drive.
            if self == Self::Windows && (i > 0 || !server.is_empty()) {
                check_name(segment, at)?;
            }
            text.push('/');
            text.push_str(PctString::encode(segment, SEGMENT).as_str());
            at += segment.len() + 1;
        }
        Ok(text)
    }
}

/// The characters that are not escaped in a segment.
const SEGMENT: AsciiSet = RFC3986.set(Component::Path).difference(AsciiSet::of(b"/"));

/// The characters that are not escaped in a host name: reg-name = *( unreserved / pct-encoded /
/// sub-delims ).
const SERVER: AsciiSet = UNRESERVED.union(SUB_DELIMS);

fn read(text: String) -> Result<UriBuf, PathError> {
    // INVARIANT: "//", a name, and escaped segments are a valid URI, unless they are too long.
    UriBuf::from_string(text).map_err(|_| PathError::TooLong)
}

/// An absolute path, divided.
struct DividedPath<'p> {
    /// The server; empty for the local machine.
    server: &'p [u8],
    /// The segments: on Windows from the drive or the share.
    rest: &'p [u8],
    /// The offset of the segments.
    at: usize,
}

fn cut_posix(path: &[u8]) -> Result<DividedPath<'_>, PathError> {
    match path {
        [b'/', rest @ ..] => Ok(DividedPath { server: b"", rest, at: 1 }),
        _ => Err(PathError::NotAbsolute { platform: Platform::Posix }),
    }
}

fn cut_windows(path: &[u8]) -> Result<DividedPath<'_>, PathError> {
    if let Err(error) = core::str::from_utf8(path) {
        return Err(PathError::NotText { at: error.valid_up_to() });
    }
    match path {
        [b'\\' | b'/', b'\\' | b'/', rest @ ..] => {
            let mut pieces = rest.splitn(2, |&octet| Platform::Windows.divides(octet));
            let (server, share) = (pieces.next().unwrap_or_default(), pieces.next().unwrap_or_default());
            check_server(server, 2)?;
            let first = share.split(|&octet| Platform::Windows.divides(octet)).next().unwrap_or_default();
            check_share(first, 2 + server.len() + 1)?;
            Ok(DividedPath { server, rest: share, at: 2 + server.len() + 1 })
        }
        [b'\\', b'?', b'?', b'\\', ..] => Err(PathError::Device),
        [b'\\' | b'/', ..] => Err(PathError::OnCurrentDrive),
        [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic() => {
            Ok(DividedPath { server: b"", rest: path, at: 0 })
        }
        [drive, b':', ..] if drive.is_ascii_alphabetic() => Err(PathError::OnCurrentDrive),
        _ => Err(PathError::NotAbsolute { platform: Platform::Windows }),
    }
}

/// A part of a URI's text in encoded form, and its offset.
#[derive(Clone, Copy)]
struct UriPiece<'u> {
    text: &'u str,
    at: usize,
}

impl<'u> UriPiece<'u> {
    fn of(uri: UriRef<'u>, part: Component) -> Self {
        let at = uri.spans().get(part).map_or(0, |span| span.start as usize);
        Self { text: uri.component(part).unwrap_or_default(), at }
    }

    fn octets(self) -> Cow<'u, [u8]> {
        PctStr::checked(self.text).decode()
    }

    /// Removes a prefix.
    fn strip(self, prefix: &str) -> Option<Self> {
        self.text.strip_prefix(prefix).map(|text| Self { text, at: self.at + prefix.len() })
    }

    fn after_slash(self) -> Self {
        self.strip("/").unwrap_or(self)
    }

    /// Returns the first segment, and the text after its "/".
    fn split_first(self) -> (Self, Option<Self>) {
        match self.text.split_once('/') {
            None => (self, None),
            Some((first, rest)) => {
                (Self { text: first, ..self }, Some(Self { text: rest, at: self.at + first.len() + 1 }))
            }
        }
    }
}

/// Returns the host of a file URI, which must have only the components of file URIs.
///
/// file-URI = file-scheme ":" ( auth-path / local-path ); file-auth = "localhost" / host
fn host_of(uri: UriRef<'_>, platform: Platform) -> Result<UriPiece<'_>, PathError> {
    if uri.scheme().is_none_or(|scheme| scheme != "file") {
        return Err(PathError::NotFile);
    }
    let extra = [Component::Userinfo, Component::Port, Component::Query, Component::Fragment];
    if let Some(part) = extra.into_iter().find(|&part| uri.component(part).is_some()) {
        return Err(PathError::Component { component: part });
    }
    // local-path = [ drive-letter ] path-absolute (RFC 8089, E.2): "file:c:/path"
    let path = uri.path();
    let is_whole = path.is_absolute() || platform == Platform::Windows && has_drive(path.as_str());
    if is_whole { Ok(UriPiece::of(uri, Component::Host)) } else { Err(PathError::NoRoot) }
}

/// Writes the segments of a path after its first "/", each after a delimiter.
fn write_segments(
    path: UriPiece<'_>,
    delimiter: u8,
    platform: Platform,
    out: &mut Vec<u8>,
) -> Result<(), PathError> {
    let mut rest = Some(path);
    while let Some(path) = rest {
        let (segment, after) = path.split_first();
        out.push(delimiter);
        let name = undo(segment, platform)?;
        if platform == Platform::Windows {
            check_name(&name, segment.at)?;
        }
        out.extend_from_slice(&name);
        rest = after;
    }
    Ok(())
}

/// Returns a decoded segment, if it is still a single segment.
fn undo(segment: UriPiece<'_>, platform: Platform) -> Result<Cow<'_, [u8]>, PathError> {
    let (octets, at) = (segment.octets(), segment.at);
    check(&octets, at)?;
    // "a decoded "/" in a segment is an error": it would be cut where nothing was.
    if let Some(&octet) = octets.iter().find(|&&octet| platform.divides(octet)) {
        return Err(PathError::Delimiter { byte: octet, at });
    }
    match platform {
        Platform::Windows if core::str::from_utf8(&octets).is_err() => Err(PathError::NotText { at }),
        _ => Ok(octets),
    }
}

/// Writes the path of a URI for Windows; a host is passed if it is not the local one.
fn write_windows(path: UriPiece<'_>, host: Option<UriPiece<'_>>, out: &mut Vec<u8>) -> Result<(), PathError> {
    let platform = Platform::Windows;
    // "file:////host.example.com/Share/path/to/file.txt": the whole UNC string in the path, after
    // an empty host, "or with an additional slash" (RFC 8089, E.3.2).
    let in_path = || path.strip("///").or_else(|| path.strip("//")).map(UriPiece::split_first);
    let unc = host.map(|host| (host, Some(path.after_slash()))).or_else(in_path);
    if let Some((server, rest)) = unc {
        let name = undo(server, platform)?;
        check_server(&name, server.at)?;
        let rest = rest.ok_or(PathError::NoShare)?;
        check_share(&rest.split_first().0.octets(), rest.at)?;
        out.extend_from_slice(b"\\\\");
        out.extend_from_slice(&name);
        return write_segments(rest, b'\\', platform, out);
    }
    // drive-letter = ALPHA ":", and programs that escape every ":" write "c%3A" (RFC 8089, E.2).
    let (drive, rest) = path.after_slash().split_first();
    let name = undo(drive, platform)?;
    if !matches!(&*name, [letter, b':'] if letter.is_ascii_alphabetic()) {
        return Err(PathError::NoDrive);
    }
    out.extend_from_slice(&name);
    // A drive without "\" would be the current directory on that drive.
    write_segments(rest.unwrap_or(UriPiece { text: "", at: drive.at }), b'\\', platform, out)
}

/// Writes the URI of a path of VMS: device, directories and name are segments, and the node is the host.
fn write_vms_uri(path: &[u8]) -> Result<String, PathError> {
    let VmsPath { node, segments } = divide(path)?;
    let mut text = String::with_capacity("file://".len() + path.len());
    text.push_str("file://");
    text.push_str(PctString::encode(node.to_ascii_lowercase(), SERVER).as_str());
    for segment in segments {
        text.push('/');
        text.push_str(PctString::encode(segment.to_ascii_lowercase(), SEGMENT).as_str());
    }
    Ok(text)
}

/// Writes the path of a URI for VMS; a host is passed if it is not the local one.
fn write_vms(path: UriPiece<'_>, host: Option<UriPiece<'_>>, out: &mut Vec<u8>) -> Result<(), PathError> {
    let mut segments = Vec::new();
    let mut rest = Some(path.after_slash());
    while let Some(path) = rest {
        let (segment, after) = path.split_first();
        segments.push((segment.at, undo(segment, Platform::Vms)?.into_owned()));
        rest = after;
    }
    let node = host.map(|host| undo(host, Platform::Vms)).transpose()?;
    let node = host.zip(node.as_deref()).map(|(host, node)| (host.at, node));
    write(node, &segments, out)
}

fn check(segment: &[u8], at: usize) -> Result<(), PathError> {
    if segment.contains(&0) {
        return Err(PathError::Nul { at });
    }
    if matches!(segment, b"." | b"..") { Err(PathError::Dots { at }) } else { Ok(()) }
}

/// Rejects "localhost", which would be the local machine and not a server.
fn check_server(server: &[u8], at: usize) -> Result<(), PathError> {
    match server {
        b"" => Err(PathError::NoShare),
        b"." | b"?" => Err(PathError::Device),
        b".." => Err(PathError::Dots { at }),
        _ if server.eq_ignore_ascii_case(b"localhost") => Err(PathError::Server { at }),
        _ if server.iter().any(|octet| matches!(octet, b':' | 0)) => Err(PathError::Server { at }),
        _ => Ok(()),
    }
}

/// Rejects `\\server\pipe\…`, which is a pipe of a program and not a file, and mailslots.
fn check_share(share: &[u8], at: usize) -> Result<(), PathError> {
    match share {
        b"" => Err(PathError::NoShare),
        _ if [&b"pipe"[..], b"mailslot", b"ipc$"].iter().any(|name| share.eq_ignore_ascii_case(name)) => {
            Err(PathError::Pipe { at })
        }
        _ => Ok(()),
    }
}

/// Returns whether a path begins with a drive and is absolute without a "/" before it: `c:/a`.
pub(super) fn has_drive(path: &str) -> bool {
    let rest = path.strip_prefix(|c: char| c.is_ascii_alphabetic());
    let rest = rest
        .and_then(|rest| rest.strip_prefix(':').or(rest.strip_prefix("%3A")).or(rest.strip_prefix("%3a")));
    rest.is_some_and(|rest| rest.starts_with('/'))
}

/// Checks that Windows uses a name only for a file: "File systems typically assign an operational
/// meaning to special characters […] and to special device names" (RFC 3986, 7.3).
fn check_name(name: &[u8], at: usize) -> Result<(), PathError> {
    let is_special = |octet: &&u8| **octet < b' ' || b":*?\"<>|".contains(octet);
    if let Some(&octet) = name.iter().find(is_special) {
        return Err(PathError::NameByte { byte: octet, at, platform: Platform::Windows });
    }
    if let Some(&octet @ (b'.' | b' ')) = name.last() {
        return Err(PathError::NameEnd { byte: octet, at });
    }
    if is_device(name) { Err(PathError::DeviceName { at }) } else { Ok(()) }
}

/// Returns whether a name is a device: `NUL`, `nul.txt`, `COM1 .x`. The text after the first "."
/// and the directory make no difference.
fn is_device(name: &[u8]) -> bool {
    let stem = name.split(|&octet| octet == b'.').next().unwrap_or_default().trim_ascii_end();
    let is = |device: &&str| stem.eq_ignore_ascii_case(device.as_bytes());
    let digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "\u{B9}", "\u{B2}", "\u{B3}"];
    let is_numbered = |device: &[u8], digit: &[u8]| {
        matches!(device, [c, o, m] if [c, o, m].map(u8::to_ascii_uppercase) == *b"COM" || [c, o, m].map(u8::to_ascii_uppercase) == *b"LPT")
            && digits.iter().any(|known| known.as_bytes() == digit)
    };
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].iter().any(is)
        || stem.split_at_checked(3).is_some_and(|(device, digit)| is_numbered(device, digit))
}

/// The highest directory of a device: `DISK:[000000]`.
const ROOT: &[u8] = b"000000";

/// A path, divided.
pub(super) struct VmsPath<'p> {
    /// The node; empty for the local machine.
    node: &'p [u8],
    /// The device, the directories and the name, which is empty if the path is that of a directory.
    pub(super) segments: Vec<&'p [u8]>,
}

/// Divides a path.
///
/// path = [ node "::" ] device ":" "[" directory *( "." directory ) "]" [ name [ "." type ] [ ";" version ] ]
pub(super) fn divide(path: &[u8]) -> Result<VmsPath<'_>, PathError> {
    const RELATIVE: PathError = PathError::NotAbsolute { platform: Platform::Vms };
    let (node, start) = match find(path, b"::") {
        Some(at) => (&path[..at], at + 2),
        None => (&path[..0], 0),
    };
    check_node(node, 0)?;
    let colon = start + find(&path[start..], b":").ok_or(RELATIVE)?;
    let device = &path[start..colon];
    let (open, close) = match path.get(colon + 1) {
        Some(b'[') => (colon + 2, b"]"),
        // "<" and ">" are the same as "[" and "]".
        Some(b'<') => (colon + 2, b">"),
        _ => return Err(RELATIVE),
    };
    let end = open + find(&path[open..], close).ok_or(RELATIVE)?;
    if device.is_empty() || start == 2 {
        return Err(RELATIVE);
    }
    check_vms_name(device, start)?;
    let mut segments = Vec::from([device]);
    let mut at = open;
    for directory in path[open..end].split(|&octet| octet == b'.') {
        match directory {
            // "[.SUB]" and "[]" depend on the current directory; "[A...]" is a pattern.
            b"" => return Err(RELATIVE),
            // "-" is the directory above.
            b"-" => return Err(PathError::Dots { at }),
            ROOT if at == open => {}
            _ => {
                check_vms_name(directory, at)?;
                segments.push(directory);
            }
        }
        at += directory.len() + 1;
    }
    let name = &path[end + 1..];
    check_vms_file(name, end + 1)?;
    segments.push(name);
    Ok(VmsPath { node, segments })
}

/// Writes decoded segments, each with its offset in the URI, as a path; the last one is the name of the file, or empty.
pub(super) fn write(
    node: Option<(usize, &[u8])>,
    segments: &[(usize, Vec<u8>)],
    out: &mut Vec<u8>,
) -> Result<(), PathError> {
    let [(device_at, device), directories @ .., (name_at, name)] = segments else {
        return Err(PathError::NoDevice);
    };
    if device.is_empty() {
        return Err(PathError::NoDevice);
    }
    if let Some((at, node)) = node {
        check_node(node, at)?;
        out.extend_from_slice(node);
        out.extend_from_slice(b"::");
    }
    check_vms_name(device, *device_at)?;
    out.extend_from_slice(device);
    out.extend_from_slice(b":[");
    for (i, (at, directory)) in directories.iter().enumerate() {
        if directory.is_empty() || directory == b"-" {
            return Err(PathError::Dots { at: *at });
        }
        check_vms_name(directory, *at)?;
        if i > 0 {
            out.push(b'.');
        }
        out.extend_from_slice(directory);
    }
    if directories.is_empty() {
        out.extend_from_slice(ROOT);
    }
    out.push(b']');
    check_vms_file(name, *name_at)?;
    out.extend_from_slice(name);
    out.make_ascii_uppercase();
    Ok(())
}

/// Rejects what is not a node, whose name may be that of a host.
fn check_node(node: &[u8], at: usize) -> Result<(), PathError> {
    node.split(|&octet| octet == b'.').try_for_each(|label| check_vms_name(label, at))
}

/// Rejects a name of a device or directory that the syntax would divide.
fn check_vms_name(name: &[u8], at: usize) -> Result<(), PathError> {
    let is_special =
        |octet: &&u8| **octet <= b' ' || **octet == 0x7F || b"[]<>:;.,*%?/\\|\"^@#'&=+".contains(octet);
    match name.iter().find(is_special) {
        Some(0) => Err(PathError::Nul { at }),
        Some(&byte) => Err(PathError::NameByte { byte, at, platform: Platform::Vms }),
        None => Ok(()),
    }
}

/// Rejects what is not `NAME.TYPE;VERSION`.
fn check_vms_file(file: &[u8], at: usize) -> Result<(), PathError> {
    let (file, version) = match find(file, b";") {
        Some(semicolon) => (&file[..semicolon], &file[semicolon + 1..]),
        None => (file, &b""[..]),
    };
    if let Some(&byte) = version.iter().find(|octet| !octet.is_ascii_digit()) {
        return Err(PathError::NameByte { byte, at, platform: Platform::Vms });
    }
    match find(file, b".") {
        Some(dot) if file.len() == 1 || &file[dot..] == b".." => Err(PathError::Dots { at }),
        Some(dot) => check_vms_name(&file[..dot], at).and_then(|()| check_vms_name(&file[dot + 1..], at)),
        None => check_vms_name(file, at),
    }
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}
