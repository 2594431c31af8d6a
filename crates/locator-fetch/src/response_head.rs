//! Responses: what a server of HTTP says about an object.

use std::borrow::Cow;
use std::fmt::{self, Debug, Display, Formatter};

use bytes::Bytes;

use crate::shown;

/// The head of a response. `Debug` shows no values of headers, which may be secrets.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub struct ResponseHead {
    /// The version of HTTP that the server used.
    pub version: Version,
    /// The status code, such as 200.
    pub status: u16,
    /// The reason phrase. HTTP/2 has none; it is then the usual one of the status, or empty.
    pub reason: String,
    /// The header fields. Names are in lower case, and fields of the same name are together.
    pub fields: Vec<Field>,
    /// The octets of the head in HTTP/1.1, and of those before it.
    pub(crate) sent: Bytes,
}

impl ResponseHead {
    /// Returns the value of the first field of a name, ignoring case.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), locator_fetch::FetchError> {
    /// let fetched = locator_fetch::blocking::Fetcher::for_strangers().fetch(locator::uri_ref!("http://example.com/"))?;
    /// let response = fetched.response.unwrap();
    /// assert_eq!((response.status, response.field("Content-Type")), (200, Some(&b"text/html"[..])));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&[u8]> {
        self.fields_named(name).next()
    }

    /// Returns the values of all fields of a name, ignoring case.
    pub fn fields_named(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        let named = self.fields.iter().filter(move |field| field.name.eq_ignore_ascii_case(name));
        named.map(|field| field.value.as_slice())
    }

    /// Returns the octets of the head, with the empty line at its end. Those of HTTP/1.1 are as the
    /// server sent them, after the responses before the final one, such as 103 (RFC 9110, 15.2). The
    /// head of HTTP/2 has no octets of its own, and is written in the same form.
    #[must_use]
    pub fn head(&self) -> Cow<'_, [u8]> {
        if self.sent.is_empty() { Cow::Owned(self.written()) } else { Cow::Borrowed(&self.sent) }
    }

    /// Writes the head in the form of HTTP/1.1.
    fn written(&self) -> Vec<u8> {
        let Self { version, status, reason, fields, .. } = self;
        let reason = if *version == Version::Http2 { "" } else { reason };
        let mut head = format!("{version} {status} {reason}\r\n").into_bytes();
        for Field { name, value } in fields {
            head.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
        }
        head.extend(b"\r\n");
        head
    }
}

/// Writes the [head](ResponseHead::head). Octets that are not UTF-8 are replaced.
impl Display for ResponseHead {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.head()))
    }
}

/// A header or trailer field. `Debug` does not show the value, which may be a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Field {
    /// The name, in lower case.
    pub name: String,
    /// The value.
    pub value: Vec<u8>,
}

impl Debug for ResponseHead {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { version, status, reason, fields, .. } = self;
        let mut response = f.debug_struct("ResponseHead");
        response.field("version", version).field("status", status);
        response.field("reason", &shown::sentence(reason)).field("fields", fields).finish_non_exhaustive()
    }
}

impl Debug for Field {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { name, value } = self;
        f.debug_struct("Field").field("name", name).field("value", &shown::Octets(value)).finish()
    }
}

/// A version of HTTP.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// HTTP/1.0 (RFC 1945).
    Http10,
    /// HTTP/1.1 (RFC 9112).
    Http11,
    /// HTTP/2 (RFC 9113).
    Http2,
}

impl Version {
    /// Returns the name of this version, as it is written in HTTP/1.1: `HTTP/1.1`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Http10 => "HTTP/1.0",
            Self::Http11 => "HTTP/1.1",
            Self::Http2 => "HTTP/2",
        }
    }
}

impl Display for Version {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_as_text() {
        let field = |name: &str, value: &str| Field { name: name.into(), value: value.into() };
        let response = ResponseHead {
            version: Version::Http11,
            status: 200,
            reason: "OK".into(),
            fields: vec![field("content-type", "text/plain"), field("via", "a"), field("via", "b")],
            sent: Bytes::new(),
        };
        let text = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nvia: a\r\nvia: b\r\n\r\n";
        assert_eq!(response.to_string(), text);
        assert!(!format!("{response:?} {:?}", response.fields).contains("plain"));
        assert_eq!(response.field("Content-TYPE"), Some(&b"text/plain"[..]));
        assert_eq!(response.fields_named("Via").count(), 2);
        let sent = "HTTP/1.1 200 OK\r\nVia: a\r\nContent-TYPE: text/plain\r\nVIA: b\r\n\r\n";
        let response = ResponseHead { sent: sent.into(), ..response };
        assert_eq!(response.to_string(), sent);
        let response = ResponseHead { version: Version::Http2, sent: Bytes::new(), ..response };
        assert!(response.to_string().starts_with("HTTP/2 200 \r\ncontent-type: text/plain\r\n"));
    }
}
