//! The head of a response of HTTP ([`ResponseHead`]): its status, its [`Version`], and its [`Headers`], whose names are
//! compared without case (RFC 9110, 5.1).
//!
//! ```no_run
//! let page = locator_fetch::blocking::get("http://example.com/")?;
//! let head = page.head().unwrap();
//! println!("{} {:?}", head.status, head.headers.get("ETag"));
//! # Ok::<_, locator_fetch::FetchError>(())
//! ```

use std::borrow::Cow;
use std::fmt::{self, Debug, Display, Formatter};

use bytes::Bytes;

use crate::redact;

/// The head of a response of HTTP. `Debug` shows no values of headers, which may be secrets.
///
/// ```no_run
/// let response = locator_fetch::blocking::Fetcher::for_untrusted_urls()
///     .fetch("http://example.com/")?;
/// let head = response.head().unwrap();
/// assert_eq!((head.status, &*head.reason), (200, "OK"));
/// assert_eq!(head.headers.get("Content-Type"), Some("text/html"));
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub struct ResponseHead {
    /// The version of HTTP that the server used.
    pub version: Version,
    /// The status code, such as 200.
    pub status: u16,
    /// The reason phrase. HTTP/2 has none; it is then the usual one of the status, or empty.
    pub reason: String,
    /// The headers.
    pub headers: Headers,
    /// The octets of the head in HTTP/1.1, and of those before it.
    pub(crate) sent: Bytes,
}

impl ResponseHead {
    /// Returns the octets of the head, with the empty line at its end. Those of HTTP/1.1 are as the
    /// server sent them, after the responses before the final one, such as 103 (RFC 9110, 15.2). The
    /// head of HTTP/2 has no octets of its own, and is written in the same form.
    #[must_use]
    pub fn head(&self) -> Cow<'_, [u8]> {
        if self.sent.is_empty() { Cow::Owned(self.written()) } else { Cow::Borrowed(&self.sent) }
    }

    /// Writes the head in the form of HTTP/1.1.
    fn written(&self) -> Vec<u8> {
        let Self { version, status, reason, headers, .. } = self;
        let reason = if *version == Version::Http2 { "" } else { reason };
        let mut head = format!("{version} {status} {reason}\r\n").into_bytes();
        for (name, value) in headers.iter() {
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

/// The headers of a response. Names are in lower case, and headers of the same name are together. `Debug`
/// does not show the values, which may be secrets.
///
/// ```no_run
/// # let response = locator_fetch::blocking::Fetcher::for_untrusted_urls().fetch("http://example.com/")?;
/// let headers = response.headers();
/// assert_eq!(headers.get("Content-Type"), Some("text/html"));
/// for (name, value) in headers {
///     println!("{name}: {}", String::from_utf8_lossy(value));
/// }
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, Vec<u8>)>);

impl Headers {
    pub(crate) const NONE: &Self = &Self(Vec::new());

    /// Returns the value of the first header of a name, ignoring case; `None` without such a header,
    /// or if its value is not UTF-8.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        std::str::from_utf8(self.get_bytes(name)?).ok()
    }

    /// Returns the value of the first header of a name, ignoring case.
    #[must_use]
    pub fn get_bytes(&self, name: &str) -> Option<&[u8]> {
        self.get_all(name).next()
    }

    /// Returns the values of all headers of a name, ignoring case.
    pub fn get_all(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        self.iter().filter(move |(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Returns whether there is a header of a name, ignoring case.
    ///
    /// ```
    /// let page = locator_fetch::blocking::Fetcher::for_user_input().fetch("data:,x")?;
    /// // No response of HTTP.
    /// assert!(!page.headers().contains_key("ETag"));
    /// # Ok::<_, locator_fetch::FetchError>(())
    /// ```
    #[doc(alias("contains", "has"))]
    #[must_use]
    pub fn contains_key(&self, name: &str) -> bool {
        self.get_bytes(name).is_some()
    }

    /// Returns all headers in their order.
    pub fn iter(&self) -> HeadersIter<'_> {
        HeadersIter(self.0.iter())
    }

    /// Returns the number of headers.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no headers.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(String, Vec<u8>)> for Headers {
    fn from_iter<I: IntoIterator<Item = (String, Vec<u8>)>>(headers: I) -> Self {
        Self(headers.into_iter().collect())
    }
}

impl<'h> IntoIterator for &'h Headers {
    type Item = (&'h str, &'h [u8]);
    type IntoIter = HeadersIter<'h>;

    fn into_iter(self) -> HeadersIter<'h> {
        self.iter()
    }
}

/// The names and values of [`Headers`].
#[derive(Clone)]
pub struct HeadersIter<'h>(std::slice::Iter<'h, (String, Vec<u8>)>);

impl<'h> Iterator for HeadersIter<'h> {
    type Item = (&'h str, &'h [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(name, value)| (name.as_str(), value.as_slice()))
    }
}

impl Debug for ResponseHead {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { version, status, reason, headers, .. } = self;
        let mut response = f.debug_struct("ResponseHead");
        response.field("version", version).field("status", status);
        response.field("reason", &redact::sentence(reason)).field("headers", headers).finish_non_exhaustive()
    }
}

impl Debug for Headers {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let headers = self.iter().map(|(name, value)| (name, redact::Octets(value)));
        f.debug_map().entries(headers).finish()
    }
}

impl Debug for HeadersIter<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeadersIter").field("left", &self.0.len()).finish()
    }
}

locator::named! {
    /// A version of HTTP.
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Version {
        /// HTTP/1.0 (RFC 1945).
        Http10 = "HTTP/1.0",
        /// HTTP/1.1 (RFC 9112).
        Http11 = "HTTP/1.1",
        /// HTTP/2 (RFC 9113).
        Http2 = "HTTP/2",
    }

    /// Returns the name of this version, as it is written in HTTP/1.1: `HTTP/1.1`.
    pub const fn name;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_as_text() {
        let field = |name: &str, value: &str| (name.to_owned(), value.into());
        let response = ResponseHead {
            version: Version::Http11,
            status: 200,
            reason: "OK".into(),
            headers: [field("content-type", "text/plain"), field("via", "a"), field("via", "b")]
                .into_iter()
                .collect(),
            sent: Bytes::new(),
        };
        let text = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nvia: a\r\nvia: b\r\n\r\n";
        assert_eq!(response.to_string(), text);
        assert!(!format!("{response:?} {:?}", response.headers).contains("plain"));
        assert_eq!(response.headers.get("Content-TYPE"), Some("text/plain"));
        assert_eq!(response.headers.get_all("Via").count(), 2);
        let sent = "HTTP/1.1 200 OK\r\nVia: a\r\nContent-TYPE: text/plain\r\nVIA: b\r\n\r\n";
        let response = ResponseHead { sent: sent.into(), ..response };
        assert_eq!(response.to_string(), sent);
        let response = ResponseHead { version: Version::Http2, sent: Bytes::new(), ..response };
        assert!(response.to_string().starts_with("HTTP/2 200 \r\ncontent-type: text/plain\r\n"));
    }
}
