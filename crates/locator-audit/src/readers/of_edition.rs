//! The reading of an edition, whose parser has divided the text.

use alloc::string::String;
use core::net::IpAddr;

use super::contact::{Contact, Host, Outcome};
use super::text::unescaped;
use crate::domain;
use locator::{AddressReader, Component, Uri, scheme};

impl Contact {
    /// Returns the contact of a URI by its edition; `None` if it has no host that can be looked up,
    /// or a port above 65535.
    ///
    /// ```
    /// use locator::Uri;
    /// use locator_audit::Contact;
    ///
    /// let contact = Contact::from_uri(Uri::parse("HTTP://www.Example.com/a")?);
    /// assert_eq!(
    ///     contact.map(|contact| contact.to_string()),
    ///     Some("http://www.example.com:80".into())
    /// );
    /// assert_eq!(Contact::from_uri(Uri::parse("mailto:anna@example.com")?), None);
    /// # Ok::<(), locator::ParseError>(())
    /// ```
    #[must_use]
    pub fn from_uri(uri: Uri<'_>) -> Option<Self> {
        let get = |component| uri.component(component);
        // An authority is there, so no base is asked for.
        let host = get(Component::Authority).and_then(|_| get(Component::Host))?;
        match read_absolute(get(Component::Scheme)?, host, get(Component::Port)) {
            Outcome::Contact(contact) => Some(contact),
            _ => None,
        }
    }
}

/// Returns what a text contacts whose components are these: the host is decoded, as RFC 3986, 3.2.2,
/// asks, and is an IPv4 address only in the form of that section.
pub(super) fn read(scheme: Option<&str>, host: Option<&str>, port: Option<&str>, base: &Contact) -> Outcome {
    let scheme = match (scheme, host) {
        (Some(scheme), _) => scheme,
        (None, Some(_)) => base.scheme(),
        (None, None) => return Outcome::Contact(base.clone()),
    };
    read_absolute(scheme, host.unwrap_or_default(), port)
}

/// Returns what is contacted with a scheme and a host.
pub(super) fn read_absolute(scheme: &str, host: &str, port: Option<&str>) -> Outcome {
    if host.is_empty() {
        return Outcome::NoHost;
    }
    let port = match port {
        None | Some("") => scheme::default_port(scheme),
        Some(digits) => match digits.parse() {
            Ok(port) => Some(port),
            Err(_) => return Outcome::Refused,
        },
    };
    let returned = || Outcome::Returned(host.to_lowercase());
    let found = if let Some(literal) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        let address = literal.split('%').next().unwrap_or_default().parse();
        address.ok().map(|address: IpAddr| Host::Address(address.to_canonical()))
    } else {
        let decoded = String::from_utf8(unescaped(host)).ok();
        let Some(ascii) = decoded else { return returned() };
        let ascii = if ascii.is_ascii() { Some(ascii) } else { domain::ascii_form(ascii.as_bytes()) };
        ascii.and_then(|ascii| match AddressReader::Strict.read(&ascii) {
            Some(address) => Some(Host::Address(address.into())),
            None => Host::from_name(&ascii),
        })
    };
    found.map_or_else(returned, |host| Outcome::Contact(Contact::new(scheme, host, port)))
}
