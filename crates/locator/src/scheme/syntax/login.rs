//! Logins and hosts: takes the cursor at "//" or at a host, returns the cursor after it. The
//! edition defines the extent of a login and the syntax of user, host and port, which the generic
//! level validates. This module checks what a scheme allows of them. [`Login`] is the view of a
//! login, and [`LoginParts`](crate::scheme::LoginParts) its builder.

use alloc::string::String;
use core::fmt::{self, Debug, Formatter};
use core::ops::Range;
use core::str;

use crate::component::SpannedStr;
#[cfg(feature = "idna")]
use crate::domain;
use crate::domain::ascii_form;
use crate::edition::Rule;
use crate::error::{Hidden, ParseError, ParseErrorKind};
use crate::form::{SyntaxError, ValueError};
use crate::parse;
#[cfg(feature = "plan")]
use crate::plan::{Connection, PlanError, Protocol, Server, Transport};
use crate::reference::UriRef;
use crate::scheme::cursor::Reader;
use crate::scheme::field::Fields;
use crate::scheme::{Scheme, rule_of};
use crate::simd::AsciiSet;
#[cfg(feature = "idna")]
use crate::span::Span;
use crate::span::{Component, HostKind};

/// A parsed login, `[ user [ ":" password ] "@" ] host [ ":" port ]`, each part as
/// written in the URL.
///
/// ```
/// use locator::scheme::FtpUrl;
/// use locator::uri;
///
/// let login = FtpUrl::try_from(uri!("ftp://jan:@h.example:2121/")).unwrap().login;
/// assert_eq!(
///     (login.user.unwrap().as_str(), login.password.unwrap().as_str()),
///     ("jan", "")
/// );
/// assert_eq!(
///     (login.host.as_str(), login.port_number().unwrap()),
///     ("h.example", Some(2121))
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Login<'a> {
    /// The user; empty if there is a "@" and nothing before it.
    pub user: Option<SpannedStr<'a>>,
    /// The password; empty if there is a ":" and nothing after it.
    pub password: Option<SpannedStr<'a>>,
    /// The host, with the brackets of an IPv6 address.
    pub host: SpannedStr<'a>,
    /// The port as written in the URL.
    pub port: Option<SpannedStr<'a>>,
    kind: HostKind,
}

impl Debug for Login<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut login = f.debug_struct("Login");
        login.field("user", &self.user).field("password", &self.password.map(|_| Hidden));
        login.field("host", &self.host).field("port", &self.port).field("kind", &self.kind).finish()
    }
}

impl<'a> Login<'a> {
    /// Reads the login of a URL of a scheme, and all text after it up to "#".
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, has no authority, or breaks the rule of its edition.
    pub fn read(reference: UriRef<'a>, scheme: &dyn Scheme) -> Result<(Self, SpannedStr<'a>), SyntaxError> {
        Self::read_by(reference, scheme, |reader| reader.take_login())
    }

    /// Reads the server of a URL of a scheme that has servers and no users.
    pub(in crate::scheme) fn read_hostport(
        reference: UriRef<'a>,
        scheme: &dyn Scheme,
    ) -> Result<(Self, SpannedStr<'a>), SyntaxError> {
        Self::read_by(reference, scheme, |reader| reader.take_hostport())
    }

    /// Reads the server of a URL of a scheme whose form has no user, and all text after it up to
    /// "#".
    ///
    /// "The scheme-specific resolution process should flag the reference as an error rather than
    /// ignore the unused parts" (RFC 3986, 3.1), especially text that looks like a host.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, has no authority or a user, or breaks the rule of its
    /// edition.
    pub fn read_server(
        reference: UriRef<'a>,
        scheme: &dyn Scheme,
    ) -> Result<(Self, SpannedStr<'a>), SyntaxError> {
        let read = Self::read_hostport(reference, scheme)?;
        match reference.spans().get(Component::Userinfo) {
            Some(span) => Err(SyntaxError::Form { span, form: scheme.form() }),
            None => Ok(read),
        }
    }

    fn read_by(
        reference: UriRef<'a>,
        scheme: &dyn Scheme,
        take: Take,
    ) -> Result<(Self, SpannedStr<'a>), SyntaxError> {
        let rest = scheme.specific(reference)?;
        let form = scheme.form();
        if rest.strip_prefix("//").is_none() {
            return Err(SyntaxError::Form { span: rest.place(), form });
        }
        if let Some(by_edition) = rule_of(scheme, reference.edition()) {
            take(&mut Reader::new(reference, by_edition.rule)).map_err(SyntaxError::Rule)?;
        }
        let login = Self::of(reference).unwrap_or(Self {
            user: None,
            password: None,
            host: reference.excerpt_of(0..0),
            port: None,
            kind: reference.spans().host_kind(),
        });
        let parts = reference.spans();
        Ok((login, reference.excerpt_of(parts.path_start as usize..parts.query_end as usize)))
    }

    /// Returns the login of a reference, whatever its scheme is.
    pub(in crate::scheme) fn of(reference: UriRef<'a>) -> Option<Self> {
        reference.authority()?;
        let parts = reference.spans();
        let excerpt = |part| parts.get(part).map(|span| reference.excerpt_of(span.range()));
        let userinfo = excerpt(Component::Userinfo);
        let divided = userinfo.and_then(|userinfo| userinfo.split_once(":"));
        Some(Self {
            user: divided.map(|(user, _)| user).or(userinfo),
            password: divided.map(|(_, password)| password),
            host: excerpt(Component::Host).unwrap_or(reference.excerpt_of(0..0)),
            port: excerpt(Component::Port),
            kind: parts.host_kind(),
        })
    }

    /// Returns the kind of the host.
    #[must_use]
    pub const fn host_kind(&self) -> HostKind {
        self.kind
    }

    /// Returns the host name for a connection: decoded, without brackets.
    ///
    /// # Errors
    ///
    /// There is no host, it is not a valid name of a server, or its address has an unknown format.
    pub fn host_name(&self) -> Result<String, ValueError> {
        let span = self.host.place();
        match self.kind {
            HostKind::Empty => return Err(ValueError::NoHost { span }),
            _ if self.host.is_empty() => return Err(ValueError::NoHost { span }),
            HostKind::Registry => return Err(ValueError::HostName { span }),
            HostKind::IpvFuture => return Err(ValueError::AddressFormat { span }),
            HostKind::Name | HostKind::Ipv4 | HostKind::Ipv6 => {}
        }
        let octets = self.host.decode();
        if self.kind == HostKind::Ipv6 {
            // A zone may be escaped, but the text of an address contains it decoded.
            let address = octets.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]"));
            let is_plain = |octet: &u8| octet.is_ascii_graphic() && !b"[]/@".contains(octet);
            let plain = address.filter(|address| address.iter().all(is_plain));
            return match plain.and_then(|plain| str::from_utf8(plain).ok()) {
                Some(plain) => Ok(plain.into()),
                None => Err(ValueError::HostName { span }),
            };
        }
        // A decoded name must not contain a delimiter.
        match str::from_utf8(&octets) {
            Ok(name)
                if !octets.iter().any(|&octet| octet <= b' ' || octet == 0x7F || NO_NAME.contains(octet)) =>
            {
                Ok(in_ascii(self.host)?.unwrap_or_else(|| name.into()))
            }
            _ => Err(ValueError::HostName { span }),
        }
    }

    /// Returns the port number; `None` without a port.
    ///
    /// # Errors
    ///
    /// The port is not a number from 1 to 65535.
    pub fn port_number(&self) -> Result<Option<u16>, ValueError> {
        match self.port.filter(|port| !port.is_empty()) {
            None => Ok(None),
            Some(port) => match port.as_str().parse() {
                Ok(0) | Err(_) => Err(ValueError::Port { span: port.place() }),
                Ok(number) => Ok(Some(number)),
            },
        }
    }

    /// Returns the connection to the server.
    ///
    /// # Errors
    ///
    /// The host is not a valid name of a server, or the port is not a number from 1 to 65535.
    #[cfg(feature = "plan")]
    pub fn connection(
        &self,
        default: u16,
        transport: Transport,
        protocol: &'static Protocol,
    ) -> Result<Connection, PlanError> {
        let port = self.port_number()?.unwrap_or(default);
        Ok(Connection::new(self.host_name()?, port, transport, protocol))
    }

    /// Returns the fields of this login, to which a scheme adds its own.
    pub fn fields(&self) -> Fields<'a> {
        let fields = Fields::default().maybe("user", self.user).maybe("password", self.password);
        fields.one("host", self.host).maybe("port", self.port)
    }
}

/// Returns the ASCII form of a non-ASCII host, which is looked up and sent to servers: "When a
/// non-ASCII registered name represents an internationalized domain name intended for resolution
/// via the DNS, the name must be transformed to the IDNA encoding" (RFC 3986, 3.2.2). `None` if the
/// host is ASCII.
pub(in crate::scheme) fn in_ascii(host: SpannedStr<'_>) -> Result<Option<String>, ValueError> {
    let octets = host.decode();
    if octets.is_ascii() {
        return Ok(None);
    }
    ascii_form(&octets).map(Some).ok_or_else(|| refused(host, &octets))
}

/// Returns the error of a host without an ASCII form.
#[cfg(feature = "idna")]
fn refused(host: SpannedStr<'_>, octets: &[u8]) -> ValueError {
    let domain::Refusal { label, range, rule } = domain::refusal(host.as_str(), octets, false);
    let start = host.span().start;
    ValueError::DomainName { span: Span::new(start + range.start, start + range.end), label, rule }
}

/// Returns the error of a host without an ASCII form.
#[cfg(not(feature = "idna"))]
fn refused(host: SpannedStr<'_>, _: &[u8]) -> ValueError {
    let expects = "a host with an ASCII form (xn--…)";
    ValueError::Unexpected { span: host.place(), expects, citation: "RFC 3986, 3.2.2" }
}

/// Returns the host name of a configured server; `option` is the name of its option.
#[cfg(feature = "plan")]
pub(in crate::scheme) fn configured(option: &'static str, server: Server<'_>) -> Result<String, PlanError> {
    let wrong = || PlanError::Option {
        option,
        byte: server.host.bytes().find(|octet| !octet.is_ascii()).unwrap_or(0),
    };
    if server.host.is_ascii() {
        Ok(server.host.into())
    } else {
        ascii_form(server.host.as_bytes()).ok_or_else(wrong)
    }
}

/// A function that reads a login from "//".
type Take = fn(&mut Reader<'_>) -> Result<(), ParseError>;

/// The characters that are not allowed in a host name.
const NO_NAME: AsciiSet = AsciiSet::of(b"/?#@:[]%<>\\^|\"{}`");

impl Reader<'_> {
    /// Reads `"//" [ user [ ":" password ] "@" ] hostport`.
    ///
    /// # Errors
    ///
    /// The first octet from the left that is not allowed.
    pub fn take_login(&mut self) -> Result<(), ParseError> {
        self.expect("//")?;
        for error in parse::server_errors(self.text, self.edition, self.parts) {
            self.report(error)?;
        }
        self.at = self.parts.path_start as usize;
        Ok(())
    }

    /// Reads `"//" [ user "@" ] hostport`.
    ///
    /// # Errors
    ///
    /// The first octet from the left that is not allowed; there is no password.
    pub fn take_login_without_password(&mut self) -> Result<(), ParseError> {
        let mut user = self.clone();
        user.expect("//")?;
        let end = self.parts.path_start as usize;
        let (colon, at) = (user.find(b":"), user.find(b"@").min(end));
        let login = self.take_login();
        let is_reported = login.is_err_and(|error| error.span().start <= colon);
        if colon < at && at < end && !is_reported {
            self.report(user.error_in(
                Component::Userinfo,
                ParseErrorKind::NotAllowed,
                colon..at,
                user.form,
            ))?;
        }
        login
    }

    /// Reads `"//" hostport`.
    ///
    /// # Errors
    ///
    /// The first octet from the left that is not allowed; there is no user.
    pub fn take_hostport(&mut self) -> Result<(), ParseError> {
        let mut user = self.clone();
        user.expect("//")?;
        match user.refuse_user(self.parts.path_start as usize) {
            Ok(()) => {}
            Err(error) => self.report(error)?,
        }
        self.take_login()
    }

    /// Checks that there is no user before the host that is next and ends at an offset.
    pub(in crate::scheme) fn refuse_user(&mut self, end: usize) -> Result<(), ParseError> {
        let (start, at) = (self.at, self.find(b"@"));
        if at >= end {
            return Ok(());
        }
        let span = start..at + 1;
        self.report(self.error_in(Component::Userinfo, ParseErrorKind::NotAllowed, span, self.form))
    }

    /// Reads a host that ends at an offset.
    ///
    /// # Errors
    ///
    /// The first octet from the left that is not allowed.
    pub fn take_host(&mut self, end: usize) -> Result<HostKind, ParseError> {
        self.take_host_by(end, None)
    }

    /// Reads a host that ends at an offset, by this rule instead of the edition's.
    fn take_host_by(&mut self, end: usize, rule: Option<&'static Rule>) -> Result<HostKind, ParseError> {
        let read = parse::read_host(self.text, self.edition, self.parts, (self.at, end));
        let kind = match read {
            Ok(kind) => kind,
            Err(error) => {
                self.report(self.error(error.kind(), error.span(), rule.unwrap_or(error.rule())))?;
                HostKind::Name
            }
        };
        self.at = end;
        Ok(kind)
    }

    /// Reads a host that ends at an offset and is not a number.
    ///
    /// # Errors
    ///
    /// The first octet from the left that is not allowed, by this rule.
    pub fn take_hostname(&mut self, end: usize, rule: &'static Rule) -> Result<(), ParseError> {
        let start = self.at;
        match self.take_host_by(end, Some(rule))? {
            HostKind::Ipv4 => self.report(self.error(ParseErrorKind::HostName, start..end, rule)),
            _ => Ok(()),
        }
    }

    /// Returns an error whose component may have another name on the generic level.
    fn error_in(
        &self,
        part: Component,
        kind: ParseErrorKind,
        span: Range<usize>,
        rule: &'static Rule,
    ) -> ParseError {
        ParseError::new(self.text.as_bytes(), self.edition, kind, part, span.into(), rule)
    }
}

#[cfg(test)]
mod tests {
    use crate::edition::{Edition, RFC1738, URL_1993};
    use crate::reference::UriRef;
    use crate::scheme::check;
    use crate::span::Component;

    fn place(text: &str, edition: &'static Edition) -> Option<(Component, usize)> {
        let reference = UriRef::parse_with(text, edition).expect(text);
        check(reference)?.err().map(|error| (error.component(), error.span().start))
    }

    #[test]
    fn a_question_mark_in_a_user_is_no_query() {
        assert_eq!(place("telnet://a?b@h/", &RFC1738), None);
        assert_eq!(place("telnet://a?b@-h/", &RFC1738), Some((Component::Host, 13)));
        assert_eq!(place("telnet://a?b@h?c", &RFC1738), Some((Component::Host, 14)));
        assert_eq!(place("telnet://a?b:c:d@h", &RFC1738), Some((Component::Userinfo, 14)));
    }

    #[test]
    fn the_first_error_from_the_left_is_reported() {
        assert_eq!(place("telnet://a+b:c@h", &URL_1993), Some((Component::Userinfo, 10)));
        assert_eq!(place("telnet://ab:c@-h", &URL_1993), Some((Component::Userinfo, 11)));
        assert_eq!(place("telnet://a@-h/", &URL_1993), Some((Component::Host, 11)));
    }
}
