//! The builder of ftp and ftps URLs: takes their parts, returns a URL. Follows RFC 1738, section
//! 3.2.2.

use alloc::string::String;
use alloc::vec::Vec;

use super::{FTP, FTPS, FtpUrl, TYPE};
use crate::build::{BuildError, Value};
use crate::edition::{Edition, rfc1738};
use crate::reference::UriBuf;
use crate::scheme::LoginParts;
use crate::scheme::parts::{Frame, checked, raw, segment, setters, written};
use crate::simd::AsciiSet;
use crate::span::Component;

/// Builds a URL of ftp or ftps.
///
/// ```
/// use locator::edition::RFC1738;
/// use locator::scheme::{FtpParts, FtpUrl, LoginParts};
///
/// let parts = FtpParts::new(LoginParts::new("host.dom").user("myname")).cwd("/etc").name("a;b").code("i");
/// let url = parts.build_with(&RFC1738)?;
/// assert_eq!(url, "ftp://myname@host.dom/%2Fetc/a%3Bb;type=i");
///
/// // A view returns its parts; one of them can be changed, the others keep their spelling.
/// let parts = FtpUrl::try_from(&url).unwrap().parts().name("c");
/// assert_eq!(parts.build_with(&RFC1738)?, "ftp://myname@host.dom/%2Fetc/c;type=i");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[must_use = "it builds nothing before `build`"]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FtpParts<'v> {
    frame: Frame<'v>,
    /// The server, and the user.
    pub login: LoginParts<'v>,
    /// The arguments of the `CWD` commands.
    pub cwds: Vec<Value<'v>>,
    /// The name of the file or directory, the argument of the last command.
    pub name: Value<'v>,
    /// The type code: `i`.
    pub code: Option<Value<'v>>,
    /// Whether the scheme is `ftps`.
    pub secured: bool,
    /// The spelling of `;type=` in the view: `;TYPE=`.
    marker: &'v str,
    /// Whether the view has no text after the authority.
    bare: bool,
}

impl<'v> FtpParts<'v> {
    /// Begins a URL of a server.
    pub fn new(login: impl Into<LoginParts<'v>>) -> Self {
        Self {
            frame: Frame::default(),
            login: login.into(),
            cwds: Vec::new(),
            name: Value::Text(""),
            code: None,
            secured: false,
            marker: TYPE,
            bare: false,
        }
    }

    setters! {
        /// Sets the server, and the user.
        login;
        /// Adds an argument of a `CWD` command: one directory.
        each cwds cwd;
        /// Sets the name of the file, or of the directory to list.
        one name;
        /// Sets the type code, such as `i`, `a` or `d`.
        maybe code;
    }

    /// Sets whether the scheme is `ftps`.
    pub const fn secured(mut self, secured: bool) -> Self {
        self.secured = secured;
        self
    }

    /// Builds the URL. "Within a name or CWD component, the characters "/" and ";" are reserved and
    /// must be encoded."
    ///
    /// # Errors
    ///
    /// A value that is not allowed in a URL of the edition; data "." or "..", which other programs
    /// would treat as a dot segment; an invalid type code.
    pub fn build_with(&self, edition: &'static Edition) -> Result<UriBuf, BuildError> {
        let values = self.values();
        let mut rest = String::new();
        let is_bare = self.bare && self.cwds.is_empty() && self.code.is_none() && is_empty(self.name);
        if !is_bare {
            for &value in self.cwds.iter().chain([&self.name]) {
                rest.push('/');
                rest.push_str(&segment(value, edition, rfc1738::UCHAR)?);
            }
        }
        if let Some(code) = self.code {
            rest.push_str(self.marker);
            rest.push_str(&written(code, edition, Component::Path, AsciiSet::ALPHA.union(AsciiSet::DIGIT))?);
        }
        let scheme = if self.secured { &FTPS } else { &FTP };
        let built = self.login.build(self.frame.begin(scheme.names[0], edition)?, scheme, &rest)?;
        checked(built, &values, |url| FtpUrl::of(url).map(|url| url.parts().values()))
    }

    fn values(&self) -> Vec<Value<'v>> {
        let cwds = self.cwds.iter().copied();
        self.login.values().chain(cwds).chain([self.name]).chain(self.code).collect()
    }
}

fn is_empty(value: Value<'_>) -> bool {
    value.as_bytes().is_empty()
}

impl<'a> FtpUrl<'a> {
    /// Returns the parts of this URL; building them by its edition returns the identical URL.
    pub fn parts(&self) -> FtpParts<'a> {
        let end = self.name.span().end;
        let marker = self.code.and_then(|code| self.url.as_str().get(end..code.span().start));
        let frame = Frame::of(self.url);
        FtpParts {
            login: self.login.parts(),
            cwds: self.cwds().map(raw).collect(),
            name: raw(self.name),
            code: self.code.map(raw),
            secured: frame.has_scheme("ftps"),
            marker: marker.unwrap_or(TYPE),
            bare: self.url.path().as_str().is_empty(),
            frame,
        }
    }
}
