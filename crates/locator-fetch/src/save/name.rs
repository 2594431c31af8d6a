//! File names that are safe here: from a URL, from the headline that a search has listed it by, and from
//! the header `Content-Disposition` (RFC 6266).
//!
//! "Recipients MUST NOT be able to write into any location other than one to which they are specifically
//! entitled" (RFC 6266, 4.3): a name has no folder, is not one of a device, begins neither with "." nor with
//! "-", and has no character that is invisible or controls a terminal.

use std::borrow::Cow;
use std::error::Error;
use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};

use locator::scheme::{FtpUrl, GopherUrl, WaisDocument, WaisObject, WaisUrl};
use locator::{PctStr, UriRef};
use locator_audit::does_harm;

/// Why there is no safe file name.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileNameError {
    /// The URL has no last segment.
    NoName,
    /// The name that a server has given is empty.
    Empty,
    /// The name is "." or "..".
    Directory,
    /// The name contains "/" or "\".
    Separator,
    /// The name contains a control character, or one that is invisible.
    Control,
    /// The name begins with ".".
    Dot,
    /// The name is that of a device of Windows.
    Device,
    /// The name is not UTF-8, which this system needs.
    NotUtf8,
}

impl Display for FileNameError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoName => "the URL has no file name",
            Self::Empty => "it has no file name",
            Self::Directory => "its file name is that of another directory",
            Self::Separator => "the file name contains \"/\" or \"\\\"",
            Self::Control => "the file name contains a control or invisible character",
            Self::Dot => "the file name begins with \".\"",
            Self::Device => "the file name is that of a device",
            Self::NotUtf8 => "the file name is not UTF-8",
        })
    }
}

impl Error for FileNameError {}

/// Returns the name of the file that a URL is saved to: the last segment of its path, or of a document of
/// WAIS the headline by which a search has listed it, if there is one. A leading "." or "-" is
/// percent-encoded; what could do more harm is an error.
///
/// # Errors
///
/// The URL has no such name.
///
/// ```
/// use locator_fetch::save::{FileNameError, name_from_url};
///
/// let url = locator::uri_ref!("ftp://ftp.example/pub/a%20b.txt;type=i");
/// assert_eq!(name_from_url(url, None).unwrap(), "a b.txt");
/// let url = locator::uri_ref!("https://www.example/..%2Fpasswd");
/// assert_eq!(name_from_url(url, None), Err(FileNameError::Separator));
/// ```
pub fn name_from_url(url: UriRef<'_>, headline: Option<&str>) -> Result<OsString, FileNameError> {
    let octets = document_name(url, headline).map_or_else(|| last_name(url), String::into_bytes);
    if octets.is_empty() {
        return Err(FileNameError::NoName);
    }
    // A program would take it for an option, or not show it.
    match octets.split_first() {
        Some((first @ (b'.' | b'-'), rest)) if rest.iter().any(|octet| *octet != b'.') => {
            checked_name([format!("%{first:02X}").as_bytes(), rest].concat())
        }
        _ => checked_name(octets),
    }
}

/// Returns a name that a server has given to a file or a directory below a folder: what could do harm here, or
/// cannot be in a name, is percent-encoded, as are a leading "." and "-" and the first letter of a device.
///
/// # Errors
///
/// The name is empty or that of another directory, or this system has no such name.
///
/// ```
/// use locator_fetch::save::escaped_name;
///
/// assert_eq!(escaped_name(b".profile").unwrap(), "%2Eprofile");
/// assert_eq!(escaped_name(b"a/b").unwrap(), "a%2Fb");
/// assert!(escaped_name(b"..").is_err());
/// ```
pub fn escaped_name(octets: &[u8]) -> Result<OsString, FileNameError> {
    if octets.is_empty() {
        return Err(FileNameError::Empty);
    }
    if matches!(octets, b"." | b"..") {
        return Err(FileNameError::Directory);
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
    os_string(name).ok_or(FileNameError::NotUtf8)
}

/// Returns a name that a server has given to a file or a directory, unless it could do harm here.
///
/// # Errors
///
/// Why it is not used.
fn checked_name(octets: Vec<u8>) -> Result<OsString, FileNameError> {
    let text = String::from_utf8_lossy(&octets);
    if octets.iter().any(|octet| matches!(octet, b'/' | b'\\')) {
        return Err(FileNameError::Separator);
    }
    if octets.iter().any(|&octet| octet < b' ' || octet == 0x7F) || text.chars().any(is_harmful) {
        return Err(FileNameError::Control);
    }
    if octets.starts_with(b".") {
        return Err(FileNameError::Dot);
    }
    if is_device(&text) {
        return Err(FileNameError::Device);
    }
    os_string(octets).ok_or(FileNameError::NotUtf8)
}

/// A replaced octet is not a character of the name.
fn is_harmful(c: char) -> bool {
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
fn is_device(name: &str) -> bool {
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

/// The most bytes of a name: file systems allow 255, and a download is named `NAME.part.json` meanwhile.
const LONGEST: usize = 200;

/// Returns the file name that a header `Content-Disposition` suggests, made safe; `None` if it suggests none
/// that can be made so.
///
/// ```
/// use locator_fetch::save::suggested_name;
///
/// let header = b"attachment; filename=\"EURO rates\"; filename*=utf-8''%e2%82%ac%20rates";
/// assert_eq!(suggested_name(header).as_deref(), Some("\u{20AC} rates"));
/// assert_eq!(suggested_name(b"attachment; filename=../../.bashrc").as_deref(), Some("_bashrc"));
/// ```
#[must_use]
pub fn suggested_name(header: &[u8]) -> Option<String> {
    let parameters = parameters(header);
    let value = |wanted: &str| parameters.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
    // "recipients SHOULD pick "filename*" and ignore "filename" when both are present" (RFC 6266, 4.3).
    let extended = value("filename*").and_then(|value| extended(value));
    let name = extended.or_else(|| Some(text_without_encoding(value("filename")?).into_owned()))?;
    sanitized_name(&name)
}

/// Returns a name without folders, in which characters that could do harm are replaced. "Recipients MUST NOT
/// be able to write into any location other than one to which they are specifically entitled" (RFC 6266,
/// 4.3).
///
/// ```
/// use locator_fetch::save::sanitized_name;
///
/// assert_eq!(sanitized_name("a/b: c?.txt").as_deref(), Some("b_ c_.txt"));
/// assert_eq!(sanitized_name(".."), None);
/// ```
#[must_use]
pub fn sanitized_name(name: &str) -> Option<String> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_wrong = |c: char| c.is_control() || is_harmful(c) || ":<>\"|?*".contains(c);
    let mut name: String = name.chars().map(|c| if is_wrong(c) { '_' } else { c }).collect();
    while name.len() > LONGEST {
        name.pop();
    }
    let name = name.trim_matches(' ').trim_end_matches('.');
    match name {
        "" => None,
        name if name.starts_with(['.', '-']) => Some(format!("_{}", name.trim_start_matches(['.', '-']))),
        name if is_device(name) => Some(format!("_{name}")),
        name => Some(name.to_owned()),
    }
}

/// Returns the parameters of the header: their names in lower case, and their values.
fn parameters(header: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut rest = header.iter().position(|octet| *octet == b';').map_or(&header[..0], |at| &header[at..]);
    while let Some((b';' | b' ' | b'\t', after)) = rest.split_first() {
        rest = after.trim_ascii_start();
        let Some(end) = rest.iter().position(|octet| matches!(octet, b'=' | b';')) else { break };
        let name = String::from_utf8_lossy(rest[..end].trim_ascii_end()).to_ascii_lowercase();
        if rest[end] == b';' {
            rest = &rest[end..];
            continue;
        }
        let (value, after) = take_value(rest[end + 1..].trim_ascii_start());
        found.push((name, value));
        rest = after.trim_ascii_start();
    }
    found
}

/// Divides octets into the value at their start, a token or a quoted string, and what follows it.
fn take_value(octets: &[u8]) -> (Vec<u8>, &[u8]) {
    let Some(quoted) = octets.strip_prefix(b"\"") else {
        let end = octets.iter().position(|octet| *octet == b';').unwrap_or(octets.len());
        return (octets[..end].trim_ascii_end().to_vec(), &octets[end..]);
    };
    let (mut value, mut place) = (Vec::new(), 0);
    while let Some(&octet) = quoted.get(place) {
        place += 1;
        match octet {
            b'"' => break,
            // A backslash quotes the next octet (RFC 9110, 5.6.4).
            b'\\' if place < quoted.len() => {
                value.push(quoted[place]);
                place += 1;
            }
            octet => value.push(octet),
        }
    }
    (value, quoted.get(place..).unwrap_or_default())
}

/// Decodes a value with a character encoding: `UTF-8'en'%e2%82%ac` (RFC 8187, 3.2.1).
fn extended(value: &[u8]) -> Option<String> {
    let mut parts = std::str::from_utf8(value).ok()?.splitn(3, '\'');
    let (charset, _, encoded) = (parts.next()?, parts.next()?, parts.next()?);
    let octets = PctStr::new(encoded).ok()?.decode();
    match charset.to_ascii_lowercase().as_str() {
        "utf-8" => String::from_utf8(octets.into_owned()).ok(),
        "iso-8859-1" => Some(octets.iter().copied().map(char::from).collect()),
        _ => None,
    }
}

/// Returns a value without an encoding: UTF-8, as servers send, or ISO-8859-1 (RFC 9110, 5.5).
fn text_without_encoding(octets: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(octets) {
        Ok(text) => text.into(),
        Err(_) => octets.iter().copied().map(char::from).collect(),
    }
}

/// The most characters of the name of a document, without its suffix.
const LONGEST_HEADLINE: usize = 100;

/// Returns the name of a document: its headline, or the last segment of its server's own name for it,
/// with the suffix of its type. `None` if the URL is not one of a document.
fn document_name(url: UriRef<'_>, headline: Option<&str>) -> Option<String> {
    let document = wais_document(url)?;
    let name = match headline {
        Some(headline) => headline_name(headline),
        None => headline_name(&local_name(&document).unwrap_or_default()),
    };
    let suffix = suffix_of_type(&document.wtype.decode()).filter(|_| !name.is_empty() && !has_suffix(&name));
    Some([&*name, suffix.unwrap_or_default()].concat())
}

fn wais_document(url: UriRef<'_>) -> Option<WaisDocument<'_>> {
    match WaisUrl::of(url).ok()?.object {
        WaisObject::Document(document) => Some(document),
        _ => None,
    }
}

/// Returns a text without what has a meaning in file names.
fn headline_name(text: &str) -> String {
    let replaced = |c: char| match c {
        '/' | '\\' | ':' | '<' | '>' | '"' | '|' | '?' | '*' => '_',
        c if c.is_control() || does_harm(c) => '_',
        c => c,
    };
    let text = text.trim_start_matches(|c: char| c == '.' || c.is_whitespace());
    let name: String = text.chars().map(replaced).take(LONGEST_HEADLINE).collect();
    name.trim_end_matches(|c: char| c == '.' || c.is_whitespace()).into()
}

/// Returns the last segment of the name that the server has for a document: field 3 of its identifier,
/// which is `START END PATH`.
fn local_name(document: &WaisDocument<'_>) -> Option<String> {
    let identifier = document.identifier().ok()?;
    let mut rest = &identifier[..];
    loop {
        let tag = take_base_128(&mut rest)?;
        let length = take_base_128(&mut rest)?;
        let (value, after) = rest.split_at_checked(length)?;
        if tag == 3 {
            let last = value.rsplit(|&octet| octet == b'/' || octet == b' ').next()?;
            return Some(String::from_utf8_lossy(last).into_owned());
        }
        rest = after;
    }
}

/// Takes a number to the base 128, the most significant digit first; all but the last have the high bit.
fn take_base_128(octets: &mut &[u8]) -> Option<usize> {
    let mut number = 0_usize;
    loop {
        let (&octet, rest) = octets.split_first()?;
        *octets = rest;
        number = number.checked_mul(128)?.checked_add(usize::from(octet & 0x7F))?;
        if octet < 0x80 {
            return Some(number);
        }
    }
}

/// Returns whether a name ends in a suffix, such as `.txt`.
fn has_suffix(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, suffix)| {
        (1..=4).contains(&suffix.len()) && suffix.bytes().all(|octet| octet.is_ascii_alphanumeric())
    })
}

/// Returns the usual suffix of a type of documents.
fn suffix_of_type(wtype: &[u8]) -> Option<&'static str> {
    Some(match wtype {
        b"TEXT" => ".txt",
        b"HTML" => ".html",
        b"WSRC" => ".src",
        b"GIF" => ".gif",
        b"JPEG" => ".jpg",
        b"TIFF" => ".tif",
        b"PS" => ".ps",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn names_of_a_walk() {
        let name = |octets: &[u8]| escaped_name(octets).ok().map(|name| name.to_string_lossy().into_owned());
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
        assert_eq!(escaped_name(b"\xE9t").unwrap().as_encoded_bytes(), b"\xE9t");
    }

    #[test]
    fn names_of_urls() {
        for (url, name) in [
            ("ftp://h/pub/a%20b;type=i", Ok("a b")),
            ("ftp://h/pub/semi%3Btype=a", Ok("semi;type=a")),
            ("ftp://h/-l", Ok("%2Dl")),
            ("gopher://h/0about.txt", Ok("about.txt")),
            ("gopher://h/00/docs/100%25.txt", Ok("100%.txt")),
            ("news:first@test.invalid", Ok("first@test.invalid")),
            ("file:///tmp/a?b", Ok("a")),
            ("ftp://h/pub/", Err(FileNameError::NoName)),
            ("gopher://h", Err(FileNameError::NoName)),
            ("data:,x", Ok(",x")),
            ("ftp://h/a%2Fb", Err(FileNameError::Separator)),
            ("ftp://h/..%5Ca", Err(FileNameError::Separator)),
            ("ftp://h/.bashrc", Ok("%2Ebashrc")),
            ("ftp://h/a%0A", Err(FileNameError::Control)),
            ("ftp://h/a%E2%80%AEb", Err(FileNameError::Control)),
            ("ftp://h/NUL", Err(FileNameError::Device)),
            ("ftp://h/com1.txt", Err(FileNameError::Device)),
            ("ftp://h/aux%20.x", Err(FileNameError::Device)),
            ("ftp://h/COM%C2%B9", Err(FileNameError::Device)),
            ("ftp://h/community", Ok("community")),
        ] {
            let found = name_from_url(UriRef::parse(url).unwrap(), None);
            assert_eq!(found, name.map(OsString::from), "{url}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_name_need_not_be_text() {
        use std::os::unix::ffi::OsStrExt;
        let found = name_from_url(UriRef::parse("ftp://h/latin%E9.txt").unwrap(), None).unwrap();
        assert_eq!(found.as_bytes(), b"latin\xE9.txt");
    }

    #[test]
    fn names_of_headers() {
        for (header, expected) in [
            ("attachment; filename=a.txt", Some("a.txt")),
            ("Attachment; FileName=\"a b;c.txt\"; size=3", Some("a b;c.txt")),
            ("inline; filename=\"a\\\"b\\\\c\"", Some("c")),
            ("attachment; filename=\"EURO rates\"; filename*=utf-8''%e2%82%ac%20rates", Some("€ rates")),
            ("attachment; filename*=UTF-8'de'stra%C3%9Fe.txt; filename=x", Some("straße.txt")),
            ("attachment; filename*=iso-8859-1'en'%A3%20rates", Some("£ rates")),
            ("attachment; filename*=koi8-r''%c1; filename=x", Some("x")),
            ("attachment; filename*=UTF-8''%ff; filename=x", Some("x")),
            ("attachment; filename*=UTF-8'x; filename=y", Some("y")),
            ("attachment; filename=\"../../etc/passwd\"", Some("passwd")),
            ("attachment; filename*=UTF-8''..%2F..%2F.bashrc", Some("_bashrc")),
            ("attachment; filename=\"C:\\\\Users\\\\x.exe\"", Some("x.exe")),
            ("attachment; filename=.ssh", Some("_ssh")),
            ("attachment; filename=-rf", Some("_rf")),
            ("attachment; filename=\"--output=x\"", Some("_output=x")),
            ("attachment; filename=NUL.txt", Some("_NUL.txt")),
            ("attachment; filename=\"a\u{202E}b\u{7}c?\"", Some("a_b_c_")),
            ("attachment; filename=\"a\nb\"", Some("a_b")),
            ("attachment; filename=\"a.txt. \"", Some("a.txt")),
            ("attachment; filename=\"\"", None),
            ("attachment; filename=\"..\"", None),
            ("attachment; filename=/", None),
            ("attachment; filename", None),
            ("attachment; x; filename = a", Some("a")),
            ("attachment", None),
            ("filename=a", None),
            ("", None),
        ] {
            assert_eq!(suggested_name(header.as_bytes()).as_deref(), expected, "{header}");
        }
        assert_eq!(suggested_name(b"attachment; filename=\xe9t\xe9").as_deref(), Some("été"));
        let long = format!("attachment; filename={}", "é".repeat(300));
        assert_eq!(suggested_name(long.as_bytes()), Some("é".repeat(100)));
    }

    #[test]
    fn names_of_documents() {
        const APPLE: &str = "wais://h/db/TEXT/%01%01h%02%02db%03%0F0%20114%20/a/b/pear";
        const FIELDS: &str = "wais://h/db/GIF/9/1=h;2=db;3=0%209%20big.gif;7=%00;";
        for (url, headline, expected) in [
            (APPLE, None, Some("pear.txt")),
            (APPLE, Some("Apples & pears"), Some("Apples & pears.txt")),
            (APPLE, Some("../../etc/passwd"), Some("_.._etc_passwd.txt")),
            (APPLE, Some("a\tb\u{202E}\u{1B}[2Jc.html "), Some("a_b__[2Jc.html")),
            (APPLE, Some(" . "), Some("")),
            (FIELDS, None, Some("big.gif")),
            (FIELDS, Some("A map"), Some("A map.gif")),
            ("wais://h/db/ODD/%03%01a", None, Some("a")),
            ("wais://h/db/TEXT/%FF%FF", None, Some("")),
            ("wais://h/db?apple", None, None),
            ("http://h/a", Some("x"), None),
        ] {
            let name = document_name(UriRef::parse(url).unwrap(), headline);
            assert_eq!(name.as_deref(), expected, "{url} {headline:?}");
        }
        let long = document_name(UriRef::parse(APPLE).unwrap(), Some(&"ä".repeat(1_000)));
        assert_eq!(long.unwrap().chars().count(), 104);
    }
}
