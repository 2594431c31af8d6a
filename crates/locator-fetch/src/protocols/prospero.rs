//! The answers of Prospero's directory protocol, version 5: takes the octets of an answer, returns
//! attributes, links and failures, and the URLs that access methods give. Pure: nothing is sent.
//!
//! ```
//! use locator_fetch::prospero::{Method, LinkedObject, attributes};
//!
//! let answer = b"ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE 9' bytes'
//! ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE AFTP INTERNET-D h ASCII '/pub/a b' BINARY\n";
//! let attributes = attributes(answer).unwrap();
//! assert_eq!(attributes[0].values, [b"9 bytes"]);
//! let place = LinkedObject { host: "h", port: None, name: b"AFTP/pub/a b" };
//! let method = Method::of(&attributes[1]).unwrap();
//! assert_eq!(method.url(place).unwrap(), "ftp://h/pub/a%20b;type=i");
//! ```
//!
//! [`records`] divides an answer into lines and words: spaces divide words; what is between two "'" belongs to
//! the word as it is, also spaces and line ends, and "''" there is a "'". A [`Method`] is the values of an
//! attribute ACCESS-METHOD, and returns the URL that they give.

use std::fmt::{self, Display, Formatter};

use locator::edition::RFC3986;
use locator::pct::PctStr;
use locator::plan::Meaning;
use locator::scheme::file::Platform;
use locator::scheme::{AfsParts, FtpParts, GopherParts, LoginParts, Number, SessionParts, WaisParts};
use locator::{BuildError, Edition, UriBuf};

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
/// use locator_fetch::prospero::{Method, MethodKind, LinkedObject, attributes};
///
/// let answer = b"ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE AFTP INTERNET-D h ASCII '/a b' TEXT\n";
/// let method = Method::of(&attributes(answer).unwrap()[0]).unwrap();
/// assert_eq!(method.kind, Some(MethodKind::AnonymousFtp));
/// let place = LinkedObject { host: "directory.example", port: None, name: b"a" };
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
pub struct LinkedObject<'p> {
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
/// use locator_fetch::prospero::{Method, MethodError, LinkedObject, attributes};
///
/// let answer = b"ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE SMTP INTERNET-D h ASCII a\n";
/// let attributes = attributes(answer).unwrap();
/// let place = LinkedObject { host: "h", port: None, name: b"a" };
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
    pub fn url(&self, of: LinkedObject<'_>) -> Result<UriBuf, MethodError> {
        self.url_with(of, &RFC3986)
    }

    /// Returns the URL that this method gives, written by an edition.
    ///
    /// # Errors
    ///
    /// Those of [`url`](Self::url).
    pub fn url_with(&self, of: LinkedObject<'_>, edition: &'static Edition) -> Result<UriBuf, MethodError> {
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
    fn login<'a>(&'a self, of: LinkedObject<'a>) -> Result<LoginParts<'a>, MethodError> {
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
        let port = port_of(&login);
        url.set_host(login.host)?.set_port(port)?;
        Ok(url)
    }
}

/// Reads a host with a port in parentheses; `None` if it is neither a name nor an address.
pub(crate) fn host_of(text: &[u8]) -> Option<LoginParts<'_>> {
    let text = str::from_utf8(text).ok()?;
    let (host, port) = match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((host, port)) => (host, Some(port.parse::<u16>().ok()?)),
        None => (text, None),
    };
    let is_host = |octet: u8| octet.is_ascii_alphanumeric() || b".-_:[]".contains(&octet);
    let login = LoginParts::new(host);
    if host.is_empty() || !host.bytes().all(is_host) {
        return None;
    }
    Some(match port {
        Some(port) => login.port(port),
        None => login,
    })
}

/// Returns the port of a host, if it has one.
pub(crate) fn port_of(login: &LoginParts<'_>) -> Option<u16> {
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

/// A line of an answer.
///
/// ```
/// use locator_fetch::prospero::{Record, records};
///
/// let answer =
///     b"LINK L FILE notes INTERNET-D h ASCII /pub/notes 0\nUNKNOWN line\n";
/// let found: Vec<_> = records(answer).collect();
/// assert!(
///     matches!(&found[..], [Record::Link(link), Record::Other] if link.name == b"notes")
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// An attribute of the object, or of the link before it.
    Attribute(Attribute),
    /// A link: an entry of a directory.
    Link(Link),
    /// The request failed.
    Failed(ServerFailure),
    /// The object is elsewhere; the link to it.
    Forwarded(Link),
    /// A line that says nothing about the object.
    Other,
}

/// An attribute.
///
/// ```
/// let answer = b"ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE 9' bytes'\n";
/// let size = locator_fetch::prospero::attributes(answer).unwrap().remove(0);
/// assert_eq!(
///     (size.name, size.values),
///     (b"SIZE".to_vec(), vec![b"9 bytes".to_vec()])
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The name: `SIZE`.
    pub name: Vec<u8>,
    /// The values, in order.
    pub values: Vec<Vec<u8>>,
}

/// A link to an object.
///
/// ```
/// use locator_fetch::prospero::{Record, records};
///
/// let answer = b"LINK L DIRECTORY docs INTERNET-D h(1525) ASCII /docs 0\n";
/// let Some(Record::Link(link)) = records(answer).next() else { panic!() };
/// assert_eq!(
///     (&*link.target, &*link.host, &*link.object),
///     (&b"DIRECTORY"[..], &b"h(1525)"[..], &b"/docs"[..])
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// What the object is: `FILE`, `DIRECTORY`, `EXTERNAL`.
    pub target: Vec<u8>,
    /// The name of the link in its directory.
    pub name: Vec<u8>,
    /// The host, with a port in parentheses if that is not the usual one.
    pub host: Vec<u8>,
    /// The name of the object on its host.
    pub object: Vec<u8>,
    /// The version; 0 for the current one.
    pub version: u64,
}

/// A failure that a server reports.
///
/// ```
/// let failed =
///     locator_fetch::prospero::failure(b"FAILURE NOT-AUTHORIZED\n").unwrap();
/// assert_eq!(
///     (failed.means, &*failed.line),
///     (locator::plan::Meaning::Refused, &b"FAILURE NOT-AUTHORIZED"[..])
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerFailure {
    /// What it means.
    pub means: Meaning,
    /// The line of the server.
    pub line: Vec<u8>,
}

/// Returns the records of an answer, a line each. A quotation that is not ended makes its line
/// `Other`.
///
/// ```
/// use locator_fetch::prospero::{Record, records};
///
/// let answer = b"ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE 9' bytes'\n";
/// assert!(matches!(records(answer).next(), Some(Record::Attribute(size)) if size.has(b"9 bytes")));
/// ```
pub fn records(answer: &[u8]) -> impl Iterator<Item = Record> + '_ {
    AnswerLines::new(answer).map(|line| record(&line))
}

fn record(line: &AnswerLine<'_>) -> Record {
    if !line.is_whole {
        return Record::Other;
    }
    let words: Vec<&[u8]> = line.words.iter().map(Vec::as_slice).collect();
    match words.as_slice() {
        [b"ATTRIBUTE", _, _, name, b"SEQUENCE" | b"FILTER" | b"LINK", values @ ..]
        | [b"ATTRIBUTE", _, b"FIELD", name, values @ ..] => Record::Attribute(Attribute {
            name: name.to_vec(),
            values: values.iter().map(|value| value.to_vec()).collect(),
        }),
        [b"LINK", _, target, name, rest @ ..] => link(target, name, rest).map_or(Record::Other, Record::Link),
        [b"FORWARDED", rest @ ..] => link(b"", b"", rest).map_or(Record::Other, Record::Forwarded),
        [b"FAILURE", reason, ..] => failure_record(meaning_of_reason(reason), line),
        [b"ERROR" | b"VERSION-NOT-SUPPORTED", ..] => failure_record(Meaning::NotSupported, line),
        _ => Record::Other,
    }
}

/// Reads host type, host, name type, name and version.
fn link(target: &[u8], name: &[u8], words: &[&[u8]]) -> Option<Link> {
    let &[_, host, _, object, ref rest @ ..] = words else { return None };
    let version = rest.first().and_then(|version| str::from_utf8(version).ok()?.parse().ok());
    let (target, name) = (target.into(), name.into());
    Some(Link { target, name, host: host.into(), object: object.into(), version: version.unwrap_or(0) })
}

fn failure_record(means: Meaning, line: &AnswerLine<'_>) -> Record {
    Record::Failed(ServerFailure { means, line: line.octets.into() })
}

fn meaning_of_reason(reason: &[u8]) -> Meaning {
    match reason {
        b"NOT-FOUND" | b"NOT-A-DIRECTORY" => Meaning::Missing,
        b"AUTHENTICATION-REQUIRED" => Meaning::NeedLogin,
        b"SERVER-FAILED" => Meaning::Busy,
        _ => Meaning::Refused,
    }
}

/// Why an answer contains no attributes.
///
/// ```
/// use locator_fetch::prospero::{AttributesError, attributes};
///
/// let answer = b"FORWARDED INTERNET-D other.example ASCII /a 0\n";
/// let Err(AttributesError::Forwarded(link)) = attributes(answer) else { panic!() };
/// assert_eq!((&*link.host, &*link.object), (&b"other.example"[..], &b"/a"[..]));
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributesError {
    /// The request failed.
    Failed(ServerFailure),
    /// The object is elsewhere.
    Forwarded(Link),
}

impl Display for AttributesError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Failed(_) => "the server reports a failure",
            Self::Forwarded(_) => "the object is on another server",
        })
    }
}

impl std::error::Error for AttributesError {}

/// Returns the attributes of an object.
///
/// # Errors
///
/// The request failed, or the object is elsewhere.
pub fn attributes(answer: &[u8]) -> Result<Vec<Attribute>, AttributesError> {
    let mut attributes = Vec::new();
    for record in records(answer) {
        match record {
            Record::Attribute(attribute) => attributes.push(attribute),
            Record::Failed(failed) => return Err(AttributesError::Failed(failed)),
            Record::Forwarded(link) => return Err(AttributesError::Forwarded(link)),
            Record::Link(_) | Record::Other => {}
        }
    }
    Ok(attributes)
}

/// Returns the first failure of an answer.
///
/// ```
/// use locator::plan::Meaning;
///
/// let failed =
///     locator_fetch::prospero::failure(b"FAILURE NOT-FOUND a\n").unwrap();
/// assert_eq!(failed.means, Meaning::Missing);
/// ```
#[must_use]
pub fn failure(answer: &[u8]) -> Option<ServerFailure> {
    records(answer).find_map(|record| match record {
        Record::Failed(failed) => Some(failed),
        _ => None,
    })
}

/// Returns whether an answer says that there is nothing of what was asked for: `NONE-FOUND` alone.
pub(crate) fn has_nothing(answer: &[u8]) -> bool {
    let mut lines = AnswerLines::new(answer);
    let is_so = |line: AnswerLine<'_>| line.words == [b"NONE-FOUND"];
    lines.next().is_some_and(is_so) && lines.next().is_none()
}

/// Returns the octets of an object: the values after `DATA` of its attributes `CONTENTS`, in their order;
/// `None` without one, or if one has another form.
#[must_use]
pub fn contents(answer: &[u8]) -> Option<Vec<u8>> {
    let parts = records(answer).filter_map(|record| match record {
        Record::Attribute(Attribute { name, values }) if name == b"CONTENTS" => Some(values),
        _ => None,
    });
    let mut octets = None;
    for values in parts {
        let [form, part, ..] = values.as_slice() else { return None };
        if form != b"DATA" {
            return None;
        }
        octets.get_or_insert_with(Vec::new).extend_from_slice(part);
    }
    octets
}

impl Attribute {
    /// Returns whether one of the values, or all of them with spaces between, is this one.
    #[must_use]
    pub fn has(&self, value: &[u8]) -> bool {
        self.values.iter().any(|one| one == value) || self.values.join(&b' ') == value
    }
}

/// Divides an answer into lines, and these into words.
struct AnswerLines<'a> {
    rest: &'a [u8],
}

impl<'a> AnswerLines<'a> {
    pub(super) const fn new(answer: &'a [u8]) -> Self {
        Self { rest: answer }
    }
}

/// A line: its words, and the octets that it was made from.
#[derive(Debug, PartialEq, Eq)]
struct AnswerLine<'a> {
    pub(super) words: Vec<Vec<u8>>,
    pub(super) octets: &'a [u8],
    /// Whether its last quotation is ended.
    pub(super) is_whole: bool,
}

impl<'a> Iterator for AnswerLines<'a> {
    type Item = AnswerLine<'a>;

    /// Returns the next line that is not empty.
    fn next(&mut self) -> Option<AnswerLine<'a>> {
        while !self.rest.is_empty() {
            let line = read_line(self.rest);
            let length = line.octets.len();
            self.rest = self.rest.get(length + 1..).unwrap_or_default();
            if !line.words.is_empty() {
                return Some(line);
            }
        }
        None
    }
}

fn read_line(octets: &[u8]) -> AnswerLine<'_> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut is_quoted = false;
    let mut length = 0;
    while let Some(&octet) = octets.get(length) {
        match octet {
            b'\'' if is_quoted && octets.get(length + 1) == Some(&b'\'') => {
                word.get_or_insert_default().push(octet);
                length += 1;
            }
            b'\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            _ if is_quoted => word.get_or_insert_default().push(octet),
            b'\n' => break,
            b' ' => words.extend(word.take()),
            _ => word.get_or_insert_default().push(octet),
        }
        length += 1;
    }
    words.extend(word);
    AnswerLine { words, octets: &octets[..length], is_whole: !is_quoted }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_lines() {
        let words = |text: &str| {
            let lines = AnswerLines::new(text.as_bytes());
            lines
                .map(|line| line.words.iter().map(|word| String::from_utf8_lossy(word).into()).collect())
                .collect()
        };
        let cases: [(&str, &[&[&str]]); 12] = [
            ("", &[]),
            ("\n \n\n", &[]),
            ("NONE-FOUND", &[&["NONE-FOUND"]]),
            ("LINK  L\nb\n", &[&["LINK", "L"], &["b"]]),
            ("SEQUENCE 9' bytes'\n", &[&["SEQUENCE", "9 bytes"]]),
            ("it'''s quoted' x", &[&["it's quoted", "x"]]),
            ("'' ''''", &[&["", "'"]]),
            ("AFTP'/pub/it''s quoted'", &[&["AFTP/pub/it's quoted"]]),
            ("a'b'c'd'e", &[&["abcde"]]),
            ("DATA hello' from\ntree\n'\nb", &[&["DATA", "hello from\ntree\n"], &["b"]]),
            ("'a\n", &[&["a\n"]]),
            ("a\r\n", &[&["a\r"]]),
        ];
        for (text, expected) in cases {
            let read: Vec<Vec<String>> = words(text);
            assert_eq!(read, expected, "{text:?}");
        }
    }
}
