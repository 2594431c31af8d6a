//! The file name of `-O`: the last segment of the URL's path, or the headline of a document of WAIS,
//! unless it is refused.

use std::ffi::OsString;

use locator::scheme::{FtpUrl, GopherUrl};
use locator::{PctStr, UriRef};

use super::hit;
use crate::terminal::visible::does_harm;

/// Returns the name of the file that a URL is saved to, which a search has listed by a headline.
///
/// # Errors
///
/// Why the URL has no such name.
pub(super) fn of(url: UriRef<'_>, headline: Option<&str>) -> Result<OsString, &'static str> {
    let octets = hit::name(url, headline).map_or_else(|| last_name(url), String::into_bytes);
    if octets.is_empty() {
        return Err("the URL has no file name");
    }
    // A program would take it for an option, or not show it.
    match octets.split_first() {
        Some((first @ (b'.' | b'-'), rest)) if rest.iter().any(|octet| *octet != b'.') => {
            checked([format!("%{first:02X}").as_bytes(), rest].concat())
        }
        _ => checked(octets),
    }
}

/// Returns a name that a server has given to a file or a directory below a folder: what could do harm here, or
/// cannot be in a name, is percent-encoded, as are a leading "." and "-" and the first letter of a device.
///
/// # Errors
///
/// Why there is no such name.
pub(super) fn escaped(octets: &[u8]) -> Result<OsString, &'static str> {
    if octets.is_empty() {
        return Err("it has no file name");
    }
    if matches!(octets, b"." | b"..") {
        return Err("its file name is that of another directory");
    }
    let is_device = is_device(&String::from_utf8_lossy(octets));
    let mut name = Vec::with_capacity(octets.len());
    let escape = |name: &mut Vec<u8>, octets: &[u8]| {
        octets.iter().for_each(|octet| name.extend_from_slice(format!("%{octet:02X}").as_bytes()));
    };
    for (at, chunk) in octets.utf8_chunks().enumerate() {
        for (place, c) in chunk.valid().char_indices() {
            let is_first = at == 0 && place == 0 && (matches!(c, '.' | '-') || is_device);
            let mut buffer = [0; 4];
            let octets = c.encode_utf8(&mut buffer).as_bytes();
            match is_first || matches!(c, '/' | '\\') || c.is_ascii_control() || is_harmful(c) {
                true => escape(&mut name, octets),
                false => name.extend_from_slice(octets),
            }
        }
        match cfg!(unix) {
            true => name.extend_from_slice(chunk.invalid()),
            false => escape(&mut name, chunk.invalid()),
        }
    }
    os_string(name).ok_or("the file name is not UTF-8")
}

/// Returns a name that a server has given to a file or a directory, unless it could do harm here.
///
/// # Errors
///
/// Why it is not used.
pub(super) fn checked(octets: Vec<u8>) -> Result<OsString, &'static str> {
    let text = String::from_utf8_lossy(&octets);
    if octets.iter().any(|octet| matches!(octet, b'/' | b'\\')) {
        return Err("the file name contains \"/\" or \"\\\"");
    }
    if octets.iter().any(|&octet| octet < b' ' || octet == 0x7F) || text.chars().any(is_harmful) {
        return Err("the file name contains a control or invisible character");
    }
    if octets.starts_with(b".") {
        return Err("the file name begins with \".\"");
    }
    if is_device(&text) {
        return Err("the file name is that of a device");
    }
    os_string(octets).ok_or("the file name is not UTF-8")
}

/// A replaced octet is not a character of the name.
pub(super) fn is_harmful(c: char) -> bool {
    c != char::REPLACEMENT_CHARACTER && does_harm(c)
}

/// Returns the octets after the last "/": of a selector of Gopher, or of the path.
fn last_name(url: UriRef<'_>) -> Vec<u8> {
    if let Ok(ftp) = FtpUrl::of(url) {
        return ftp.name.decode().into_owned();
    }
    if let Ok(gopher) = GopherUrl::of(url) {
        let selector = gopher.selector.decode();
        return selector.rsplit(|&octet| octet == b'/').next().unwrap_or_default().to_vec();
    }
    let path = url.path();
    let name = path.as_str().rsplit('/').next().unwrap_or_default();
    PctStr::new(name).map(|name| name.decode().into_owned()).unwrap_or_default()
}

/// Returns whether the name is that of a device on Windows, whatever follows its first ".".
pub(super) fn is_device(name: &str) -> bool {
    let stem = name.split(['.', ':']).next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let is_numbered = |prefix| {
        stem.strip_prefix(prefix).is_some_and(|rest| {
            let mut chars = rest.chars();
            matches!((chars.next(), chars.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
        })
    };
    matches!(&stem[..], "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$")
        || is_numbered("COM")
        || is_numbered("LPT")
}

#[cfg(unix)]
fn os_string(octets: Vec<u8>) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(octets))
}

#[cfg(not(unix))]
fn os_string(octets: Vec<u8>) -> Option<OsString> {
    // What these systems do not keep as it is, or read as a stream of another file.
    let name = String::from_utf8(octets).ok()?;
    (!name.ends_with(['.', ' ']) && !name.contains([':', '<', '>', '"', '|', '?', '*'])).then(|| name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn names_of_a_walk() {
        let name = |octets: &[u8]| escaped(octets).ok().map(|name| name.to_string_lossy().into_owned());
        for (octets, expected) in [
            (&b"a b.txt"[..], Some("a b.txt")),
            (b".profile", Some("%2Eprofile")),
            (b"-rf", Some("%2Drf")),
            (b"...", Some("%2E..")),
            (b"a/b", Some("a%2Fb")),
            (b"a\\b", Some("a%5Cb")),
            (b"a\nb\x7F", Some("a%0Ab%7F")),
            (b"nul.txt", Some("%6Eul.txt")),
            ("r\u{202E}l".as_bytes(), Some("r%E2%80%AEl")),
            (b"100%", Some("100%")),
            (b"", None),
            (b".", None),
            (b"..", None),
        ] {
            assert_eq!(name(octets).as_deref(), expected, "{octets:?}");
        }
        assert_eq!(escaped(b"\xE9t").unwrap().as_encoded_bytes(), b"\xE9t");
    }

    #[test]
    fn names() {
        for (url, name) in [
            ("ftp://h/pub/a%20b;type=i", Ok("a b")),
            ("ftp://h/pub/semi%3Btype=a", Ok("semi;type=a")),
            ("ftp://h/-l", Ok("%2Dl")),
            ("gopher://h/0about.txt", Ok("about.txt")),
            ("gopher://h/00/docs/100%25.txt", Ok("100%.txt")),
            ("news:first@test.invalid", Ok("first@test.invalid")),
            ("file:///tmp/a?b", Ok("a")),
            ("ftp://h/pub/", Err("the URL has no file name")),
            ("gopher://h", Err("the URL has no file name")),
            ("data:,x", Ok(",x")),
            ("ftp://h/a%2Fb", Err("the file name contains \"/\" or \"\\\"")),
            ("ftp://h/..%5Ca", Err("the file name contains \"/\" or \"\\\"")),
            ("ftp://h/.bashrc", Ok("%2Ebashrc")),
            ("ftp://h/a%0A", Err("the file name contains a control or invisible character")),
            ("ftp://h/a%E2%80%AEb", Err("the file name contains a control or invisible character")),
            ("ftp://h/NUL", Err("the file name is that of a device")),
            ("ftp://h/com1.txt", Err("the file name is that of a device")),
            ("ftp://h/aux%20.x", Err("the file name is that of a device")),
            ("ftp://h/COM%C2%B9", Err("the file name is that of a device")),
            ("ftp://h/community", Ok("community")),
        ] {
            let found = of(UriRef::parse(url).unwrap(), None);
            assert_eq!(found, name.map(OsString::from), "{url}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_name_need_not_be_text() {
        use std::os::unix::ffi::OsStrExt;
        let found = of(UriRef::parse("ftp://h/latin%E9.txt").unwrap(), None).unwrap();
        assert_eq!(found.as_bytes(), b"latin\xE9.txt");
    }
}
