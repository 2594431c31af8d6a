//! Logins and hosts: the cursor at "//" or at a host enters, the cursor behind it leaves. Where a login
//! ends and what a user, a host and a port are is the edition's, and judged where the generic level
//! judges it; what is here is what of it a scheme allows. [`Login`] is the view of it, [`LoginParts`]
//! what one is built of.

use alloc::string::{String, ToString};
use core::ops::Range;
use core::str;

use super::field::Fields;
use super::{Reader, Scheme, rule_of};
use crate::build::{BuildError, Edit, Value};
use crate::component::Excerpt;
use crate::domain::ascii_form;
use crate::edition::{Edition, Rule};
use crate::error::{Error, ErrorKind};
use crate::form::Malformed;
use crate::octet::Set;
use crate::parse;
use crate::part::{HostKind, Part};
use crate::plan::{Connection, Options, PlanError, Server, Transport};
use crate::reference::{UriBuf, UriRef};

/// `[ user [ ":" password ] "@" ] host [ ":" port ]`, each part raw and decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Login<'a> {
    /// The user; empty if there is a "@" and nothing before it.
    pub user: Option<Excerpt<'a>>,
    /// The password; empty if there is a ":" and nothing behind it.
    pub password: Option<Excerpt<'a>>,
    /// The host, with the brackets of an IPv6 address.
    pub host: Excerpt<'a>,
    /// The port as it stands.
    pub port: Option<Excerpt<'a>>,
    kind: HostKind,
}

impl<'a> Login<'a> {
    /// The login of a URL of a scheme, and all that follows it up to "#".
    pub(super) fn read(reference: UriRef<'a>, scheme: &dyn Scheme) -> Result<(Self, Excerpt<'a>), Malformed> {
        Self::read_by(reference, scheme, |reader| reader.take_login())
    }

    /// The same for a scheme that has servers and no users.
    pub(super) fn read_hostport(
        reference: UriRef<'a>,
        scheme: &dyn Scheme,
    ) -> Result<(Self, Excerpt<'a>), Malformed> {
        Self::read_by(reference, scheme, |reader| reader.take_hostport())
    }

    /// The same for a scheme whose form has no user: "the scheme-specific resolution process should flag the reference
    /// as an error rather than ignore the unused parts" (RFC 3986, 3.1), above all what looks like a host.
    pub(super) fn read_server(
        reference: UriRef<'a>,
        scheme: &dyn Scheme,
    ) -> Result<(Self, Excerpt<'a>), Malformed> {
        let read = Self::read_hostport(reference, scheme)?;
        match reference.parts().span(Part::Userinfo) {
            Some(span) => Err(Malformed::Form { span, form: scheme.form() }),
            None => Ok(read),
        }
    }

    fn read_by(
        reference: UriRef<'a>,
        scheme: &dyn Scheme,
        take: Take,
    ) -> Result<(Self, Excerpt<'a>), Malformed> {
        let rest = scheme.specific(reference)?;
        let form = scheme.form();
        if rest.strip_prefix("//").is_none() {
            return Err(Malformed::Form { span: rest.span(), form });
        }
        let parts = reference.parts();
        if let Some(by_edition) = rule_of(scheme, reference.edition()) {
            take(&mut Reader::new(reference, by_edition.rule)).map_err(Malformed::Rule)?;
        }
        let excerpt = |part| parts.span(part).map(|span| reference.excerpt_of(span.range()));
        let userinfo = excerpt(Part::Userinfo);
        let divided = userinfo.and_then(|userinfo| userinfo.split_once(":"));
        let login = Self {
            user: divided.map(|(user, _)| user).or(userinfo),
            password: divided.map(|(_, password)| password),
            host: excerpt(Part::Host).unwrap_or(reference.excerpt_of(0..0)),
            port: excerpt(Part::Port),
            kind: parts.host_kind(),
        };
        Ok((login, reference.excerpt_of(parts.path_start as usize..parts.query_end as usize)))
    }

    /// The kind of the host.
    pub const fn host_kind(&self) -> HostKind {
        self.kind
    }

    /// The host as it is connected to: unescaped, without brackets.
    ///
    /// # Errors
    ///
    /// There is none, it is no name that a server can have, or an address of a format that is not known.
    pub fn host_name(&self) -> Result<String, PlanError> {
        let span = self.host.span();
        match self.kind {
            HostKind::Empty => return Err(PlanError::NoHost { span }),
            _ if self.host.is_empty() => return Err(PlanError::NoHost { span }),
            HostKind::Registry => return Err(PlanError::HostName { span }),
            HostKind::IpvFuture => return Err(PlanError::AddressFormat { span }),
            HostKind::Name | HostKind::Ipv4 | HostKind::Ipv6 => {}
        }
        let octets = self.host.octets();
        if self.kind == HostKind::Ipv6 {
            // A zone may be escaped, and stands in the text of an address as it is.
            let address = octets.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]"));
            let is_plain = |octet: &u8| octet.is_ascii_graphic() && !b"[]/@".contains(octet);
            let plain = address.filter(|address| address.iter().all(is_plain));
            return match plain.and_then(|plain| str::from_utf8(plain).ok()) {
                Some(plain) => Ok(plain.into()),
                None => Err(PlanError::HostName { span }),
            };
        }
        // What an escape hides in a name must not become something else where the name is written.
        match str::from_utf8(&octets) {
            Ok(name)
                if !octets.iter().any(|&octet| octet <= b' ' || octet == 0x7F || NO_NAME.holds(octet)) =>
            {
                Ok(in_ascii(self.host)?.unwrap_or_else(|| name.into()))
            }
            _ => Err(PlanError::HostName { span }),
        }
    }

    /// The number of the port; `None` if none is named.
    ///
    /// # Errors
    ///
    /// It is no number from 1 to 65535.
    pub fn port_number(&self) -> Result<Option<u16>, PlanError> {
        match self.port.filter(|port| !port.is_empty()) {
            None => Ok(None),
            Some(port) => match port.as_str().parse() {
                Ok(0) | Err(_) => Err(PlanError::Port { span: port.span() }),
                Ok(number) => Ok(Some(number)),
            },
        }
    }

    /// What is connected to.
    pub(super) fn connection(&self, default: u16, transport: Transport) -> Result<Connection, PlanError> {
        let port = self.port_number()?.unwrap_or(default);
        Ok(Connection { host: self.host_name()?, port, transport })
    }

    /// What is connected to where the client speaks first, so that a server of another protocol may take what it
    /// says, which the URL chooses, for its own commands: "it is potentially harmful for client software to use any
    /// URL which specifies a port number other than the default for the protocol, especially when it is a number
    /// within the reserved space" (draft of 1994, Security considerations). `own` are the protocol's reserved ports.
    ///
    /// # Errors
    ///
    /// As `connection`, or a port below 1024 that is not in `own`, without consent.
    pub(super) fn first_word(
        &self,
        default: u16,
        transport: Transport,
        own: &[u16],
        options: &Options<'_>,
    ) -> Result<Connection, PlanError> {
        let to = self.connection(default, transport)?;
        if to.port < 1024 && !own.contains(&to.port) && !options.low_ports {
            let span = self.port.unwrap_or(self.host).span();
            return Err(PlanError::Consent { port: to.port, span });
        }
        Ok(to)
    }

    /// Its parts.
    pub(super) fn fields(&self) -> Fields<'a> {
        let fields = Fields::default().maybe("user", self.user).maybe("password", self.password);
        fields.one("host", self.host).maybe("port", self.port)
    }
}

/// The ASCII form of a host that is a name beyond ASCII, which is what is looked up and what servers are told: "When
/// a non-ASCII registered name represents an internationalized domain name intended for resolution via the DNS, the
/// name must be transformed to the IDNA encoding" (RFC 3986, 3.2.2). `None` if the host is ASCII.
pub(super) fn in_ascii(host: Excerpt<'_>) -> Result<Option<String>, PlanError> {
    let octets = host.octets();
    if octets.is_ascii() {
        return Ok(None);
    }
    let (span, see) = (host.span(), "RFC 3986, 3.2.2");
    let expects = "a host that has an ASCII form (xn--…), by which it is looked up,";
    ascii_form(&octets).map(Some).ok_or(PlanError::Value { span, expects, see })
}

/// The name by which a server that was configured is connected to; `option` is what it was configured as.
pub(super) fn configured(option: &'static str, server: Server<'_>) -> Result<String, PlanError> {
    let wrong = || PlanError::Option {
        option,
        octet: server.host.bytes().find(|octet| !octet.is_ascii()).unwrap_or(0),
    };
    if server.host.is_ascii() {
        Ok(server.host.into())
    } else {
        ascii_form(server.host.as_bytes()).ok_or_else(wrong)
    }
}

/// Reads a login from "//" on.
type Take = fn(&mut Reader<'_>) -> Result<(), Error>;

/// What no name of a host holds.
const NO_NAME: Set = Set::of(b"/?#@:[]%<>\\^|\"{}`");

/// What a login is built of; all of it is data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoginParts<'v> {
    /// The user.
    pub user: Option<&'v [u8]>,
    /// His password; without a user it is not written.
    pub password: Option<&'v [u8]>,
    /// A name, four numbers, or an IPv6 address without brackets.
    pub host: &'v str,
    /// The port, if it is not the scheme's own.
    pub port: Option<u16>,
}

impl LoginParts<'_> {
    /// A URL of this login and of what follows it, which is in escaped form.
    pub(super) fn build(
        &self,
        scheme: &'static str,
        edition: &'static Edition,
        rest: &str,
    ) -> Result<UriBuf, BuildError> {
        let mut edit = Edit::new(edition);
        edit.set(Part::Scheme, scheme)?.set(Part::Host, self.host)?;
        if let Some(user) = self.user {
            edit.set_user(user)?;
            if let Some(password) = self.password {
                edit.set_password(password)?;
            }
        }
        if let Some(port) = self.port {
            edit.set(Part::Port, &port.to_string())?;
        }
        finish(edit, rest)
    }
}

/// The URL of an edit and of what follows the login, which must be one by the scheme's own rule too.
pub(super) fn finish(mut edit: Edit<'_>, rest: &str) -> Result<UriBuf, BuildError> {
    let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
    edit.set(Part::Path, Value::Raw(path))?;
    if let Some(query) = query {
        edit.set(Part::Query, Value::Raw(query))?;
    }
    let built = edit.finish_uri()?;
    match super::check(*built.as_uri()) {
        Some(Err(error)) => Err(BuildError::Whole(error)),
        _ => Ok(built),
    }
}

impl Reader<'_> {
    /// Reads `"//" [ user [ ":" password ] "@" ] hostport`.
    ///
    /// # Errors
    ///
    /// The first octet from the left that is wrong in it.
    pub fn take_login(&mut self) -> Result<(), Error> {
        self.expect("//")?;
        parse::check_server(self.text, self.edition, self.parts)?;
        self.at = self.parts.path_start as usize;
        Ok(())
    }

    /// Reads `"//" [ user "@" ] hostport`.
    ///
    /// # Errors
    ///
    /// The first octet from the left that is wrong in it; there is no password.
    pub fn take_login_without_password(&mut self) -> Result<(), Error> {
        let mut user = *self;
        user.expect("//")?;
        let end = self.parts.path_start as usize;
        let (colon, at) = (user.find(b":"), user.find(b"@").min(end));
        let login = self.take_login();
        let told = login.is_err_and(|error| error.span().start as usize <= colon);
        if colon < at && at < end && !told {
            return Err(user.error_in(Part::Userinfo, ErrorKind::NotAllowed, colon..at, user.form));
        }
        login
    }

    /// Reads `"//" hostport`.
    ///
    /// # Errors
    ///
    /// The first octet from the left that is wrong in it; there is no user.
    pub fn take_hostport(&mut self) -> Result<(), Error> {
        let mut user = *self;
        user.expect("//")?;
        let (start, at) = (user.at, user.find(b"@"));
        if at < self.parts.path_start as usize {
            return Err(self.error_in(Part::Userinfo, ErrorKind::NotAllowed, start..at + 1, self.form));
        }
        self.take_login()
    }

    /// Reads a host that ends at an offset.
    ///
    /// # Errors
    ///
    /// The first octet from the left that is wrong in it.
    pub fn take_host(&mut self, end: usize) -> Result<HostKind, Error> {
        let read = parse::read_host(self.text, self.edition, self.parts, (self.at, end));
        let kind = read.map_err(|error| self.error(error.kind(), error.span().range(), error.rule()))?;
        self.at = end;
        Ok(kind)
    }

    /// Reads a host that ends at an offset and is no number.
    ///
    /// # Errors
    ///
    /// The first octet from the left that is wrong in it, by this rule.
    pub fn take_hostname(&mut self, end: usize, rule: &'static Rule) -> Result<(), Error> {
        let start = self.at;
        match self.take_host(end) {
            Ok(HostKind::Ipv4) => Err(self.error(ErrorKind::HostName, start..end, rule)),
            Ok(_) => Ok(()),
            Err(error) => Err(self.error(error.kind(), error.span().range(), rule)),
        }
    }

    /// An error whose component the generic level may call otherwise.
    fn error_in(&self, part: Part, kind: ErrorKind, span: Range<usize>, rule: &'static Rule) -> Error {
        Error::new(self.text.as_bytes(), self.edition, kind, part, (span.start, span.end), rule)
    }
}

#[cfg(test)]
mod tests {
    use crate::edition::{Edition, RFC1738, URL_1993};
    use crate::part::Part;
    use crate::reference::UriRef;
    use crate::scheme::check;

    fn place(text: &str, edition: &'static Edition) -> Option<(Part, u32)> {
        let reference = UriRef::parse_by(text, edition).expect(text);
        check(reference)?.err().map(|error| (error.part(), error.span().start))
    }

    #[test]
    fn a_question_mark_in_a_user_is_no_query() {
        assert_eq!(place("telnet://a?b@h/", &RFC1738), None);
        assert_eq!(place("telnet://a?b@-h/", &RFC1738), Some((Part::Host, 13)));
        assert_eq!(place("telnet://a?b@h?c", &RFC1738), Some((Part::Host, 14)));
        assert_eq!(place("telnet://a?b:c:d@h", &RFC1738), Some((Part::Userinfo, 14)));
    }

    #[test]
    fn the_first_error_from_the_left_is_told() {
        assert_eq!(place("telnet://a+b:c@h", &URL_1993), Some((Part::Userinfo, 10)));
        assert_eq!(place("telnet://ab:c@-h", &URL_1993), Some((Part::Userinfo, 11)));
        assert_eq!(place("telnet://a@-h/", &URL_1993), Some((Part::Host, 11)));
    }
}
