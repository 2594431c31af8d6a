//! Access methods: takes the values of an attribute ACCESS-METHOD, returns the URL that they give.

use std::fmt::{self, Display, Formatter};

use locator::edition::RFC3986;
use locator::pct::PctStr;
use locator::scheme::file::Platform;
use locator::scheme::{AfsParts, FtpParts, GopherParts, LoginParts, Number, SessionParts, WaisParts};
use locator::{BuildError, Edition, UriBuf};

use super::Attribute;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $word:literal;)*) => {
        /// The kind of an access method, in the order in which they are tried: transfers whose end is
        /// confirmed before others, and the files of this machine last, because servers offer these
        /// to everybody on it.
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum MethodKind {
            $($(#[$doc])* $name,)*
        }

        impl MethodKind {
            const ALL: &[Self] = &[$(Self::$name,)*];

            /// Returns the name of this kind in the protocol.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }
        }
    };
}

kinds! {
    /// FTP, with a full name.
    Ftp = "FTP";
    /// Anonymous FTP, with a name from the directory of its users.
    AnonymousFtp = "AFTP";
    /// Gopher.
    Gopher = "GOPHER";
    /// WAIS.
    Wais = "WAIS";
    /// The octets are an attribute of the object, which the directory server itself sends.
    Contents = "PROSPERO-CONTENTS";
    /// The Andrew file system.
    Afs = "AFS";
    /// The network file system.
    Nfs = "NFS";
    /// A file of this machine.
    Local = "LOCAL";
    /// An interactive session.
    Telnet = "TELNET";
}

impl MethodKind {
    /// Returns whether the method reads a file of this machine, or one that is mounted there.
    #[must_use]
    pub const fn reads_files(self) -> bool {
        matches!(self, Self::Afs | Self::Nfs | Self::Local)
    }
}

/// An access method.
///
/// ```
/// use locator_fetch::prospero::{Method, MethodKind, Place, attributes};
///
/// let answer = b"ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE AFTP INTERNET-D h ASCII '/a b' TEXT\n";
/// let method = Method::of(&attributes(answer).unwrap()[0]).unwrap();
/// assert_eq!(method.kind, Some(MethodKind::AnonymousFtp));
/// let place = Place { host: "directory.example", port: None, name: b"a" };
/// assert_eq!(method.url(place).unwrap(), "ftp://h/a%20b;type=a");
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// The kind; `None` if it is not known.
    pub kind: Option<MethodKind>,
    /// The name, as the server wrote it.
    pub name: Vec<u8>,
    /// The host, with a port in parentheses if that is not the usual one; empty for that of the link.
    pub host: Vec<u8>,
    /// The name of the object; empty for that of the link.
    pub object: Vec<u8>,
    /// The values after them.
    pub others: Vec<Vec<u8>>,
}

/// What a method without a host or a name of its own refers to: an example is that of [`Method`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'p> {
    /// The host of the link, without a port.
    pub host: &'p str,
    /// The port of the link, which belongs to its host; `None` for the usual one of each scheme.
    pub port: Option<u16>,
    /// The name of the object.
    pub name: &'p [u8],
}

/// Why a method gives no URL.
///
/// ```
/// use locator_fetch::prospero::{Method, MethodError, Place, attributes};
///
/// let answer = b"ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE SMTP INTERNET-D h ASCII a\n";
/// let attributes = attributes(answer).unwrap();
/// let place = Place { host: "h", port: None, name: b"a" };
/// let method = Method::of(&attributes[0]).unwrap();
/// assert_eq!(method.url(place), Err(MethodError::Unknown));
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub enum MethodError {
    /// The method is not known.
    Unknown,
    /// The method is no URL: the object is in another answer.
    Contents,
    /// The host is not a name or an address.
    Host,
    /// The name is not one of this method.
    Name,
    /// The values cannot be written as a URL.
    Build(BuildError),
}

impl Display for MethodError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("unknown method"),
            Self::Contents => f.write_str("the server itself has the file"),
            Self::Host => f.write_str("its host is not a name or address"),
            Self::Name => f.write_str("invalid name for this method"),
            Self::Build(error) => error.fmt(f),
        }
    }
}

crate::redact::error!(MethodError);

impl From<BuildError> for MethodError {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

impl Method {
    /// Reads an attribute; `None` if it is not an access method.
    #[must_use]
    pub fn of(attribute: &Attribute) -> Option<Self> {
        if attribute.name != b"ACCESS-METHOD" {
            return None;
        }
        let mut values = attribute.values.iter().cloned();
        let name = values.next()?;
        let kind = MethodKind::ALL.iter().copied().find(|kind| kind.name().as_bytes() == name);
        let (host, object) = (values.nth(1).unwrap_or_default(), values.nth(1).unwrap_or_default());
        Some(Self { kind, name, host, object, others: values.collect() })
    }

    /// Returns the methods among attributes, in the order in which they are tried.
    #[must_use]
    pub fn all(attributes: &[Attribute]) -> Vec<Self> {
        let mut methods: Vec<_> = attributes.iter().filter_map(Self::of).collect();
        methods.sort_by_key(|method| (method.kind.is_none(), method.kind));
        methods
    }

    /// Returns the URL that this method gives, by RFC 3986.
    ///
    /// # Errors
    ///
    /// The method is not known or gives no URL, or its values cannot be written as one.
    pub fn url(&self, of: Place<'_>) -> Result<UriBuf, MethodError> {
        self.url_with(of, &RFC3986)
    }

    /// Returns the URL that this method gives, written by an edition.
    ///
    /// # Errors
    ///
    /// Those of [`url`](Self::url).
    pub fn url_with(&self, of: Place<'_>, edition: &'static Edition) -> Result<UriBuf, MethodError> {
        let login = self.login(of)?;
        let object = if self.object.is_empty() { of.name } else { &self.object };
        Ok(match self.kind.ok_or(MethodError::Unknown)? {
            MethodKind::Ftp => self.ftp(login, names(object), object.starts_with(b"/"), edition)?,
            MethodKind::AnonymousFtp => {
                let path = object.strip_prefix(b"AFTP").unwrap_or(object);
                self.ftp(login, names(path), false, edition)?
            }
            MethodKind::Gopher => self.gopher(login, object, edition)?,
            MethodKind::Wais => wais(object, edition)?,
            MethodKind::Contents => return Err(MethodError::Contents),
            MethodKind::Afs => afs(object, edition)?,
            MethodKind::Nfs => self.nfs(login, object)?,
            MethodKind::Local => file(object)?,
            MethodKind::Telnet => SessionParts::new("telnet", login).build_with(edition)?,
        })
    }

    /// Reads the host, which may have a port: `h(150)`.
    fn login<'a>(&'a self, of: Place<'a>) -> Result<LoginParts<'a>, MethodError> {
        let login = match (self.host.is_empty(), of.port) {
            (true, None) => LoginParts::new(of.host),
            (true, Some(port)) => LoginParts::new(of.host).port(port),
            (false, _) => host_of(&self.host).ok_or(MethodError::Host)?,
        };
        Ok(login)
    }

    /// Writes the names as arguments of `CWD` and the last as that of `RETR`; the first begins with "/"
    /// if it is at the top of the server.
    fn ftp(
        &self,
        login: LoginParts<'_>,
        mut names: Vec<Vec<u8>>,
        is_top: bool,
        edition: &'static Edition,
    ) -> Result<UriBuf, MethodError> {
        if let Some(first) = names.first_mut().filter(|_| is_top) {
            first.insert(0, b'/');
        }
        let (last, directories) = names.split_last().ok_or(MethodError::Name)?;
        let parts = directories.iter().fold(FtpParts::new(login), |parts, name| parts.cwd(name.as_slice()));
        let parts = parts.name(last.as_slice());
        Ok(match self.others.first().map(Vec::as_slice) {
            Some(b"BINARY") => parts.code("i"),
            Some(b"TEXT") => parts.code("a"),
            _ => parts,
        }
        .build_with(edition)?)
    }

    fn gopher(
        &self,
        login: LoginParts<'_>,
        selector: &[u8],
        edition: &'static Edition,
    ) -> Result<UriBuf, MethodError> {
        let kind = match self.others.first().map_or(&b""[..], Vec::as_slice) {
            b"BINARY" => b"9",
            b"TEXT" => b"0",
            b"" => selector.get(..1).unwrap_or(b"1"),
            kind => kind.get(..1).unwrap_or_default(),
        };
        Ok(GopherParts::new(login).kind(kind).selector(selector).build_with(edition)?)
    }

    /// Writes an `nfs` URL (RFC 2224) of the file system and the name in it. That they follow each other
    /// is a guess: the clients of the time left the rule to each site.
    fn nfs(&self, login: LoginParts<'_>, object: &[u8]) -> Result<UriBuf, MethodError> {
        let system = self.others.first().map_or(&b""[..], Vec::as_slice);
        let path: Vec<u8> = names(system).into_iter().chain(names(object)).flat_map(slash_before).collect();
        let mut url = file(&path)?;
        url.set_scheme("nfs")?;
        url.set_host(login.host)?;
        url.set_port(port_of(login))?;
        Ok(url)
    }
}

/// Reads a host with a port in parentheses; `None` if it is neither a name nor an address.
pub(crate) fn host_of(text: &[u8]) -> Option<LoginParts<'_>> {
    let text = str::from_utf8(text).ok()?;
    let (host, port) = match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((host, port)) => (host, Some(port.parse().ok()?)),
        None => (text, None),
    };
    let is_host = |octet: u8| octet.is_ascii_alphanumeric() || b".-_:[]".contains(&octet);
    let login = LoginParts::new(host);
    (!host.is_empty() && host.bytes().all(is_host)).then(|| port.map_or(login, |port: u16| login.port(port)))
}

/// Returns the port of a host, if it has one.
pub(crate) fn port_of(login: LoginParts<'_>) -> Option<u16> {
    match login.port? {
        Number::Value(port) => u16::try_from(port).ok(),
        Number::Raw(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// Divides a path into names; "/" at its beginning, its end, or after another one divides nothing.
fn names(path: &[u8]) -> Vec<Vec<u8>> {
    let names = path.split(|&octet| octet == b'/').filter(|name| !name.is_empty());
    names.map(<[u8]>::to_vec).collect()
}

fn slash_before(name: Vec<u8>) -> impl Iterator<Item = u8> {
    std::iter::once(b'/').chain(name)
}

/// The name is `WAIS-GW/host(port)/type/database/identifier`, with octets of the identifier escaped, as
/// the gateway of Prospero to WAIS writes it.
fn wais(name: &[u8], edition: &'static Edition) -> Result<UriBuf, MethodError> {
    let mut parts =
        name.strip_prefix(b"WAIS-GW/").ok_or(MethodError::Name)?.splitn(4, |&octet| octet == b'/');
    let mut part = || parts.next().filter(|part| !part.is_empty()).ok_or(MethodError::Name);
    let login = host_of(part()?).ok_or(MethodError::Host)?;
    let (wtype, database, identifier) = (part()?, part()?, part()?);
    let text = str::from_utf8(identifier).map_err(|_| MethodError::Name)?;
    let identifier = PctStr::new(text).map_err(|_| MethodError::Name)?.decode();
    Ok(WaisParts::new(login, database).document(wtype, &*identifier).build_with(edition)?)
}

/// The name begins with "/" and a cell, below `/afs` on the server, whose name may be there, too.
fn afs(name: &[u8], edition: &'static Edition) -> Result<UriBuf, MethodError> {
    let path = name.strip_prefix(b"/afs").filter(|path| path.starts_with(b"/")).unwrap_or(name);
    let names = names(path.strip_prefix(b"/").ok_or(MethodError::Name)?);
    let (cell, names) = names.split_first().ok_or(MethodError::Name)?;
    // A cell has the name of a domain; other names are files of the server.
    let cell = str::from_utf8(cell).ok().filter(|cell| cell.contains('.')).ok_or(MethodError::Name)?;
    let parts = names.iter().fold(AfsParts::new(cell), |parts, name| parts.name(name.as_slice()));
    Ok(parts.build_with(edition)?)
}

fn file(path: &[u8]) -> Result<UriBuf, MethodError> {
    Platform::Posix.to_uri(path).map_err(|_| MethodError::Name)
}
