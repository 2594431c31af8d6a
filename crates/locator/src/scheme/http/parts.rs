//! What builds a URL of http and its like: its parts enter, as data; a URL that has them leaves. Follows RFC 1738,
//! section 3.3, and RFC 9110, section 4.2.

use alloc::string::String;

use super::without_dots;
use crate::build::BuildError;
use crate::edition::{Edition, rfc1738};
use crate::escape::EscapedBuf;
use crate::octet::Set;
use crate::part::Part;
use crate::reference::UriBuf;
use crate::scheme::{LoginParts, kept};

/// What a URL of these schemes is built of; all of it is data.
///
/// ```
/// use locator::edition::RFC3986;
/// use locator::scheme::{HttpParts, LoginParts};
///
/// let login = LoginParts { host: "h", port: Some(8080), ..LoginParts::default() };
/// let parts = HttpParts { scheme: "https", login, segments: &[b"a/b", b"c"], query: Some(b"x y") };
/// assert_eq!(parts.build(&RFC3986)?, "https://h:8080/a%2Fb/c?x%20y");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HttpParts<'v> {
    /// The name of the scheme.
    pub scheme: &'static str,
    /// The server.
    pub login: LoginParts<'v>,
    /// The segments of the path.
    pub segments: &'v [&'v [u8]],
    /// What stands after "?".
    pub query: Option<&'v [u8]>,
}

impl HttpParts<'_> {
    /// The URL. "Within the `<path>` and `<searchpart>` components, "/", ";", "?" are reserved" (RFC 1738, 3.3).
    ///
    /// # Errors
    ///
    /// Something that cannot stand in a URL of the edition.
    pub fn build(&self, edition: &'static Edition) -> Result<UriBuf, BuildError> {
        let mut rest = String::new();
        for segment in self.segments {
            rest.push('/');
            let escaped = EscapedBuf::escape(segment, kept(edition, Part::Path, rfc1738::UCHAR));
            rest.push_str(&without_dots(escaped, edition)?);
        }
        if let Some(query) = self.query {
            rest.push('?');
            // "+" divides words where a query is words.
            let plus = if edition.query_is_words { Set::of(b"+") } else { Set::EMPTY };
            let set = kept(edition, Part::Query, rfc1738::UCHAR.or(Set::of(b"&="))).without(plus);
            rest.push_str(EscapedBuf::escape(query, set).as_str());
        }
        self.login.build(self.scheme, edition, &rest)
    }
}
