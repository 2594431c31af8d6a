//! The header `Set-Cookie`, as section 5.6 of RFC 6265bis reads it.

use super::date;

/// What a header says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SetCookie {
    pub(super) name: Vec<u8>,
    pub(super) value: Vec<u8>,
    /// The domain, in lower case and without a dot before it.
    pub(super) domain: Option<String>,
    pub(super) path: Option<Vec<u8>>,
    pub(super) expires: Option<u64>,
    pub(super) is_secure: bool,
    pub(super) is_http_only: bool,
}

/// "If the sum of the lengths of the name string and the value string is more than 4096 octets, abort"; "if the
/// attribute-value is longer than 1024 octets, ignore the cookie-av string".
const LONGEST: usize = 4096;
const LONGEST_ATTRIBUTE: usize = 1024;

/// "The user agent MUST limit the maximum value": "SHOULD NOT be greater than 400 days in the future" (5.5).
const LONGEST_LIFE: u64 = 400 * 86_400;

impl SetCookie {
    /// Parses the value of a header; `None` if it must be ignored.
    pub(super) fn parse(header: &[u8], now: u64) -> Option<Self> {
        // "If the set-cookie-string contains a %x00-08 / %x0A-1F / %x7F character (CTL characters excluding
        // HTAB): Abort". A tab in a name, value, domain or path has no place in a file of cookies.
        if header.iter().any(|octet| octet.is_ascii_control() && *octet != b'\t') {
            return None;
        }
        let mut parts = header.split(|octet| *octet == b';');
        let (name, value) = divided(parts.next()?);
        let (name, value) = match value {
            Some(value) => (name, value),
            None => (&b""[..], name),
        };
        let is_empty = name.is_empty() && value.is_empty();
        if is_empty || name.len() + value.len() > LONGEST || [name, value].concat().contains(&b'\t') {
            return None;
        }
        let mut cookie = Self { name: name.into(), value: value.into(), ..Self::default() };
        let (mut max_age, mut expires) = (None, None);
        for part in parts {
            let (name, value) = divided(part);
            let value = value.unwrap_or_default();
            if value.len() > LONGEST_ATTRIBUTE {
                continue;
            }
            match &*name.to_ascii_lowercase() {
                b"expires" => expires = date::seconds(value).or(expires),
                b"max-age" => max_age = seconds(value).or(max_age),
                b"domain" | b"path" if value.contains(&b'\t') => return None,
                b"domain" => cookie.domain = domain(value)?,
                b"path" => cookie.path = Some(value.to_vec()).filter(|path| path.starts_with(b"/")),
                b"secure" => cookie.is_secure = true,
                b"httponly" => cookie.is_http_only = true,
                _ => {}
            }
        }
        // "If a cookie has both the Max-Age and the Expires attribute, the Max-Age attribute has precedence".
        let expires =
            max_age.map(|age| if age <= 0 { 0 } else { now.saturating_add(age.unsigned_abs()) }).or(expires);
        cookie.expires = expires.map(|expires| expires.min(now + LONGEST_LIFE));
        Some(cookie)
    }
}

/// Divides "NAME=VALUE", without the spaces around both.
fn divided(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    let mut parts = text.splitn(2, |octet| *octet == b'=');
    (trimmed(parts.next().unwrap_or_default()), parts.next().map(trimmed))
}

fn trimmed(text: &[u8]) -> &[u8] {
    let is_space = |octet: &u8| matches!(octet, b' ' | b'\t');
    let start = text.iter().position(|octet| !is_space(octet)).unwrap_or(text.len());
    let end = text.iter().rposition(|octet| !is_space(octet)).map_or(start, |last| last + 1);
    &text[start..end]
}

/// Reads a domain: "if the first character is ".": let cookie-domain be the attribute-value without the leading
/// "."". An empty one is ignored; one that is not in ASCII is not allowed, nor is the cookie.
fn domain(value: &[u8]) -> Option<Option<String>> {
    let text = std::str::from_utf8(value).ok().filter(|text| text.is_ascii())?.to_ascii_lowercase();
    let text = text.strip_prefix('.').unwrap_or(&text);
    Some(Some(text.to_owned()).filter(|text| !text.is_empty()))
}

/// Reads a `Max-Age`: digits, perhaps after "-". More than fit are very many.
fn seconds(value: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match value.strip_prefix(b"-") {
        Some(digits) => (true, digits),
        None => (false, value),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = std::str::from_utf8(digits).ok()?.parse().unwrap_or(i64::MAX);
    Some(if is_negative { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        let parsed = |text: &str| {
            let cookie = SetCookie::parse(text.as_bytes(), 1000)?;
            let text = |octets: Vec<u8>| String::from_utf8(octets).unwrap();
            Some((text(cookie.name), text(cookie.value), cookie.expires))
        };
        let pair = |name: &str, value: &str, expires| Some((name.to_owned(), value.to_owned(), expires));
        assert_eq!(parsed(" a = b c ; Path=/"), pair("a", "b c", None));
        assert_eq!(parsed("a=\"b\"=c"), pair("a", "\"b\"=c", None));
        assert_eq!(parsed("a=b; max-age=60"), pair("a", "b", Some(1060)));
        assert_eq!(parsed("a=b; max-age=60; Max-Age=x"), pair("a", "b", Some(1060)));
        assert_eq!(parsed("a=b; Max-Age=99999999999999999999"), pair("a", "b", Some(1000 + LONGEST_LIFE)));
        assert_eq!(parsed("a=b; Max-Age=-0"), pair("a", "b", Some(0)));
        assert_eq!(parsed("a=b; expires=Thu, 01-Jan-1970 00:20:00 GMT"), pair("a", "b", Some(1200)));
        let long = "a".repeat(LONGEST_ATTRIBUTE);
        let cookie = SetCookie::parse(format!("a=b; Path=/{long}; Domain=.a.B").as_bytes(), 0).unwrap();
        assert_eq!((cookie.path, cookie.domain.as_deref()), (None, Some("a.b")));
        for wrong in [
            "",
            "=",
            " ; Secure",
            "a=b\u{1}",
            "a=b\tc",
            "a=b; Path=/\tx",
            "a=b; Domain=\u{e9}.de",
            "a=b; Domain=h\t.de",
            &"a".repeat(LONGEST + 1),
        ] {
            assert_eq!(parsed(wrong), None, "{wrong:?}");
        }
    }
}
