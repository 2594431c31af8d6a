//! What builds a URL of ftp or ftps: its parts enter, as data; a URL that has them leaves. Follows RFC 1738, section
//! 3.2.2.

use alloc::string::String;

use crate::build::BuildError;
use crate::edition::{Edition, rfc1738};
use crate::escape::EscapedBuf;
use crate::octet::Set;
use crate::part::Part;
use crate::reference::UriBuf;
use crate::scheme::http::without_dots;
use crate::scheme::{LoginParts, kept};

/// What an ftp URL is built of; all of it is data.
///
/// ```
/// use locator::edition::RFC1738;
/// use locator::scheme::{FtpParts, LoginParts};
///
/// let login = LoginParts { user: Some(b"myname"), host: "host.dom", ..LoginParts::default() };
/// let parts = FtpParts { login, cwds: &[b"/etc"], name: b"a;b", code: Some("i"), ..FtpParts::default() };
/// assert_eq!(parts.build(&RFC1738)?, "ftp://myname@host.dom/%2Fetc/a%3Bb;type=i");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FtpParts<'v> {
    /// The server, and who logs in there.
    pub login: LoginParts<'v>,
    /// The arguments of the commands `CWD`.
    pub cwds: &'v [&'v [u8]],
    /// The argument of the last command.
    pub name: &'v [u8],
    /// The type code: `i`.
    pub code: Option<&'v str>,
    /// Whether it is `ftps`.
    pub secured: bool,
}

impl FtpParts<'_> {
    /// The URL. "Within a name or CWD component, the characters "/" and ";" are reserved and must be encoded."
    ///
    /// # Errors
    ///
    /// Something that cannot stand in a URL of the edition; a segment "." or "..", which other programs
    /// would take for a step; a type code that there is not.
    pub fn build(&self, edition: &'static Edition) -> Result<UriBuf, BuildError> {
        let set = kept(edition, Part::Path, rfc1738::UCHAR);
        let mut rest = String::new();
        for segment in self.cwds.iter().copied().chain([self.name]) {
            rest.push('/');
            rest.push_str(&without_dots(EscapedBuf::escape(segment, set), edition)?);
        }
        if let Some(code) = self.code {
            rest.push_str(";type=");
            rest.push_str(EscapedBuf::escape(code.as_bytes(), Set::ALPHA.or(Set::DIGIT)).as_str());
        }
        self.login.build(if self.secured { "ftps" } else { "ftp" }, edition, &rest)
    }
}
