//! The file name that a server suggests in `Content-Disposition` (RFC 6266), made safe for `-J`.

use std::borrow::Cow;

use locator::PctStr;

use super::name::{is_device, is_harmful};

/// The most bytes of a name: file systems allow 255, and a download is named `NAME.part.json` meanwhile.
const LONGEST: usize = 200;

/// Returns the file name that the header suggests; `None` if it suggests none that can be made safe.
pub(super) fn name(header: &[u8]) -> Option<String> {
    let parameters = parameters(header);
    let value = |wanted: &str| parameters.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
    // "recipients SHOULD pick "filename*" and ignore "filename" when both are present" (RFC 6266, 4.3).
    let extended = value("filename*").and_then(|value| extended(value));
    let name = extended.or_else(|| Some(text(value("filename")?).into_owned()))?;
    safe(&name)
}

/// Returns a name without folders, in which characters that could do harm are replaced. "Recipients MUST NOT
/// be able to write into any location other than one to which they are specifically entitled" (RFC 6266,
/// 4.3).
pub(crate) fn safe(name: &str) -> Option<String> {
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
        let (value, after) = value(rest[end + 1..].trim_ascii_start());
        found.push((name, value));
        rest = after.trim_ascii_start();
    }
    found
}

/// Divides octets into the value at their start, a token or a quoted string, and what follows it.
fn value(octets: &[u8]) -> (Vec<u8>, &[u8]) {
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
fn text(octets: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(octets) {
        Ok(text) => text.into(),
        Err(_) => octets.iter().copied().map(char::from).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
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
            assert_eq!(name(header.as_bytes()).as_deref(), expected, "{header}");
        }
        assert_eq!(name(b"attachment; filename=\xe9t\xe9").as_deref(), Some("été"));
        let long = format!("attachment; filename={}", "é".repeat(300));
        assert_eq!(name(long.as_bytes()), Some("é".repeat(100)));
    }
}
