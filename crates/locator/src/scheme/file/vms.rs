//! Paths of VMS: takes `DISK$USER:[MY.NOTES]NOTE.TXT`, returns the device, the directories and the name as the
//! segments of a URI's path, and the reverse. Follows RFC 1738, section 3.10.
//!
//! Names of VMS have no case. The example of RFC 1738 writes a URL in lower case and the path in upper case; so does
//! this module.

use alloc::vec::Vec;

use super::error::PathError;
use super::platform::Platform;

/// The highest directory of a device: `DISK:[000000]`.
const ROOT: &[u8] = b"000000";

/// A path, divided.
pub(super) struct VmsPath<'p> {
    /// The node; empty for the local machine.
    pub(super) node: &'p [u8],
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
    check_name(device, start)?;
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
                check_name(directory, at)?;
                segments.push(directory);
            }
        }
        at += directory.len() + 1;
    }
    let name = &path[end + 1..];
    check_file(name, end + 1)?;
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
    check_name(device, *device_at)?;
    out.extend_from_slice(device);
    out.extend_from_slice(b":[");
    for (i, (at, directory)) in directories.iter().enumerate() {
        if directory.is_empty() || directory == b"-" {
            return Err(PathError::Dots { at: *at });
        }
        check_name(directory, *at)?;
        if i > 0 {
            out.push(b'.');
        }
        out.extend_from_slice(directory);
    }
    if directories.is_empty() {
        out.extend_from_slice(ROOT);
    }
    out.push(b']');
    check_file(name, *name_at)?;
    out.extend_from_slice(name);
    out.make_ascii_uppercase();
    Ok(())
}

/// Rejects what is not a node, whose name may be that of a host.
fn check_node(node: &[u8], at: usize) -> Result<(), PathError> {
    node.split(|&octet| octet == b'.').try_for_each(|label| check_name(label, at))
}

/// Rejects a name of a device or directory that the syntax would divide.
fn check_name(name: &[u8], at: usize) -> Result<(), PathError> {
    let is_special =
        |octet: &&u8| **octet <= b' ' || **octet == 0x7F || b"[]<>:;.,*%?/\\|\"^@#'&=+".contains(octet);
    match name.iter().find(is_special) {
        Some(0) => Err(PathError::Nul { at }),
        Some(&byte) => Err(PathError::NameByte { byte, at, platform: Platform::Vms }),
        None => Ok(()),
    }
}

/// Rejects what is not `NAME.TYPE;VERSION`.
fn check_file(file: &[u8], at: usize) -> Result<(), PathError> {
    let (file, version) = match find(file, b";") {
        Some(semicolon) => (&file[..semicolon], &file[semicolon + 1..]),
        None => (file, &b""[..]),
    };
    if let Some(&byte) = version.iter().find(|octet| !octet.is_ascii_digit()) {
        return Err(PathError::NameByte { byte, at, platform: Platform::Vms });
    }
    match find(file, b".") {
        Some(dot) if file.len() == 1 || &file[dot..] == b".." => Err(PathError::Dots { at }),
        Some(dot) => check_name(&file[..dot], at).and_then(|()| check_name(&file[dot + 1..], at)),
        None => check_name(file, at),
    }
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}
