//! What the schemes say of a reference, as methods of the references.

use super::names::ports::is_web;
use super::{check, default_port};
use crate::error::ParseError;
use crate::reference::{UriRef, delegate};

impl UriRef<'_> {
    /// Returns whether this is a URL of the web: its scheme is `http` or `https`, and it has a host.
    ///
    /// ```
    /// use locator::{uri, uri_ref};
    ///
    /// assert!(uri!("https://example.com/").is_web());
    /// assert!(uri!("HTTP://example.com").is_web());
    /// assert!(!uri!("http:example.com").is_web()); // a path
    /// assert!(!uri!("http:///a").is_web());
    /// assert!(!uri!("httpx://example.com/").is_web());
    /// assert!(!uri!("ftp://example.com/").is_web());
    /// assert!(!uri_ref!("//example.com/").is_web());
    /// ```
    ///
    /// "A sender MUST NOT generate an "http" URI with an empty host identifier" (RFC 9110, 4.2.1).
    #[doc(alias("is_http", "is_https"))]
    #[must_use]
    pub fn is_web(self) -> bool {
        self.scheme().is_some_and(|scheme| is_web(scheme.as_str()))
            && self.host().is_some_and(|host| !host.as_str().is_empty())
    }

    /// Returns the port to connect to: the one that is written, or else the scheme's default port.
    ///
    /// `None` if neither is there, if there is no authority, or if the port is above 65535.
    ///
    /// ```
    /// use locator::uri;
    ///
    /// assert_eq!(uri!("https://h/").port_or_known_default(), Some(443));
    /// assert_eq!(uri!("https://h:8443/").port_or_known_default(), Some(8443));
    /// assert_eq!(uri!("https://h:99999/").port_or_known_default(), None);
    /// assert_eq!(uri!("mailto:jan@h").port_or_known_default(), None);
    /// ```
    #[doc(alias = "port_or_default")]
    #[must_use]
    pub fn port_or_known_default(self) -> Option<u16> {
        match self.authority()?.port() {
            Some(port) if !port.as_str().is_empty() => port.number(),
            _ => default_port(self.scheme()?.as_str()),
        }
    }

    /// Checks this reference by the rule that its edition has for its scheme, if it has one.
    ///
    /// ```
    /// use locator::{UriRef, edition::RFC1738};
    ///
    /// let reference = UriRef::parse_with("http://jan@h/", &RFC1738)?;
    /// assert!(reference.check_scheme().is_err());
    /// assert!(UriRef::parse("http://jan@h/")?.check_scheme().is_ok());
    /// # Ok::<_, locator::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error by that rule.
    pub fn check_scheme(self) -> Result<(), ParseError> {
        check(self).unwrap_or(Ok(()))
    }
}

delegate! {
    "What the scheme says":
    /// Returns the port to connect to: the one that is written, or else the scheme's default port.
    #[doc(alias = "port_or_default")]
    #[must_use]
    fn port_or_known_default() -> (Option<u16>) {
        //! ```
        //! use locator::uri;
        //!
        //! let uri = uri!("https://example.com/");
        //! let address = (uri.host_str().unwrap(), uri.port_or_known_default().unwrap());
        //! assert_eq!(address, ("example.com", 443));
        //! ```
    }
    /// Returns whether this is a URL of the web: its scheme is `http` or `https`, and it has a host.
    #[doc(alias("is_http", "is_https"))]
    #[must_use]
    fn is_web() -> (bool) {
        //! ```
        //! use locator::uri;
        //!
        //! // What a link of a user may lead to.
        //! assert!(uri!("https://example.com/").is_web());
        //! assert!(!uri!("javascript:alert(1)").is_web());
        //! ```
    }
    /// Checks this reference by the rule that its edition has for its scheme, if it has one.
    fn check_scheme() -> (Result<(), ParseError>) {
        //! ```
        //! use locator::{Uri, edition::RFC1738};
        //!
        //! // The generic grammar allows a user; the rule of `http` in RFC 1738 has none.
        //! let uri = Uri::parse_with("http://jan@example.com/", &RFC1738)?;
        //! assert!(uri.check_scheme().is_err());
        //! # Ok::<_, locator::ParseError>(())
        //! ```
        //!
        //! # Errors
        //!
        //! Returns the first error by that rule.
    }
}
