//! The ftp scheme, and ftps, its variant over TLS: takes a URL, returns the first octet that breaks
//! the edition's rule for it, its parts, or the commands that fetch a file. Follows "FTP" of the
//! draft of 1993, "User name and password" and "Data type" of that of 1994, and RFC 1738, section
//! 3.2; the commands are those of RFC 959.
//!
//! The rules of three editions for ftp: takes the cursor after the scheme's ":", returns the first
//! octet that breaks the rule. Follows "BNF syntax" of the draft of 1993, "Data type" and "BNF for
//! specific URL schemes" of that of 1994, and RFC 1738, section 3.2.

#[cfg(feature = "plan")]
mod plan;

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::parts::{Field, Fields, LoginParts, Part, Parts, Shape, builder};
use super::syntax::login::Login;
use super::{Equivalences, Scheme, SchemeRule, if_ruled, or_root};
use crate::component::{SpannedSplit, SpannedStr};
use crate::edition::{Edition, RFC1738, Rule, URL_1993, URL_1994, rfc1738};
use crate::error::ParseError;
use crate::form::{Syntax, SyntaxError, ValueError};
#[cfg(feature = "plan")]
use crate::plan::{Options, Plan, PlanError};
use crate::reference::UriRef;
use crate::scheme::cursor::{BNF_1993, BNF_1994, DIGITS_1994, FPATH_1738, PATH_1993, PATH_1994};
use crate::scheme::{Reader, Terminal};
use crate::simd::AsciiSet;
use crate::span::Component;

/// A scheme of files and directories of FTP servers.
#[derive(Debug)]
pub(super) struct Ftp {
    names: &'static [&'static str],
    object: &'static str,
    form: Syntax,
    rules: &'static [SchemeRule],
    port: u16,
    /// Whether the connection uses TLS from the first octet.
    #[cfg_attr(not(feature = "plan"), allow(dead_code, reason = "data for its plan"))]
    is_secured: bool,
}

/// The scheme of files and directories of FTP servers.
pub(super) static FTP: Ftp = Ftp {
    names: &["ftp"],
    object: "a file or a directory listing",
    form: Syntax {
        text: "ftp://[user[:password]@]host[:port][/path[;type=code]]",
        citation: "RFC 1738, 3.2",
    },
    rules: &RULES,
    port: 21,
    is_secured: false,
};

/// The ftps scheme, ftp over TLS; no document defines it, and the port is IANA's.
pub(super) static FTPS: Ftp = Ftp {
    names: &["ftps"],
    object: "a file or a directory listing, secured",
    form: Syntax {
        text: "ftps://[user[:password]@]host[:port][/path[;type=code]]",
        citation: "by analogy with RFC 1738, 3.2",
    },
    rules: &[],
    port: 990,
    is_secured: true,
};

impl Scheme for Ftp {
    fn names(&self) -> &'static [&'static str] {
        self.names
    }

    fn object(&self) -> &'static str {
        self.object
    }

    fn form(&self) -> Syntax {
        self.form
    }

    fn rules(&self) -> &'static [SchemeRule] {
        self.rules
    }

    fn default_port(&self) -> Option<u16> {
        Some(self.port)
    }
}

impl Equivalences for Ftp {
    fn normal_path<'a>(&self, path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        // "?" is a character of a name, so a type code may be in the query, and what looks like one
        // in the path is part of the name. Where the path includes the query, it ends the whole.
        let is_whole = reference.query().is_none()
            || reference.edition().equivalence.scheme_reserves
                && self.unreserved(Component::Path, reference).contains(b'?');
        if is_whole { normal_path(path, reference) } else { Cow::Borrowed(path) }
    }

    // "Within the user and password field, any ":", "@", or "/" must be encoded" (3.1); "/" and ";"
    // in names (3.2.2).
    fn unreserved(&self, part: Component, reference: UriRef<'_>) -> AsciiSet {
        match part {
            Component::Userinfo => if_ruled(self, reference, b";?&="),
            Component::Path => if_ruled(self, reference, b"?:@&="),
            _ => AsciiSet::EMPTY,
        }
    }

    // "Within a name or CWD component, the characters "/" and ";" are reserved" (RFC 1738, 3.2.2).
    fn reserved(&self) -> AsciiSet {
        AsciiSet::of(b";")
    }

    // ftpaddress = "ftp://" login "/" path: no type (draft of 1993)
    fn undivided(&self, reference: UriRef<'_>) -> AsciiSet {
        if reference.edition().forms.ftp_type { AsciiSet::EMPTY } else { self.reserved() }
    }
}

impl super::Divide for Ftp {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        FtpUrl::read(reference, self).map(|url| url.fields())
    }

    // The draft of 1993 has no type.
    fn parts(&self, edition: &Edition) -> &'static [Part] {
        if edition.forms.ftp_type { &PARTS } else { &PARTS[..2] }
    }
}

#[cfg(feature = "plan")]
impl super::Planner for Ftp {
    fn plan(&self, reference: UriRef<'_>, options: &Options<'_>) -> Result<Plan, PlanError> {
        let url = FtpUrl::read(reference, self)?;
        url.plan(self, options)
    }

    fn has_proxies(&self) -> bool {
        !self.is_secured
    }
}

/// "Within a name or CWD component, the characters "/" and ";" are reserved and must be encoded"
/// (RFC 1738, 3.2.2).
static PARTS: [Part; 3] = [
    Part::new("cwds", "/", rfc1738::UCHAR).without_steps().of(Shape::Many('/')),
    Part::new("name", "/", rfc1738::UCHAR).without_steps(),
    Part::new("type", TYPE, AsciiSet::ALPHA.union(AsciiSet::DIGIT)),
];

/// ftpurl = "ftp://" login [ "/" fpath … ]: the listing is the same with and without the "/", but
/// the drafts require it. Type codes are literals of a grammar, which are case-insensitive.
fn normal_path<'a>(path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
    let forms = &reference.edition().forms;
    let path = if forms.ftp_path_is_optional { or_root(path, reference) } else { Cow::Borrowed(path) };
    let typed = type_at(&path).filter(|_| forms.ftp_type);
    match typed.and_then(|at| path.split_at_checked(at)) {
        Some((before, code))
            if code.bytes().any(|octet| octet.is_ascii_uppercase()) && !code.contains('%') =>
        {
            Cow::Owned([before, &code.to_ascii_lowercase()].concat())
        }
        _ => path,
    }
}

/// Returns the offset of `;type=` in a path, after the last "/".
fn type_at(path: &str) -> Option<usize> {
    let name = path.rfind('/').map_or(0, |slash| slash + 1);
    let semicolon = name + path.get(name..)?.rfind(';')?;
    let word = path.get(semicolon..)?.get(..TYPE.len())?;
    word.eq_ignore_ascii_case(TYPE).then_some(semicolon)
}

const TYPE: &str = ";type=";

/// Returns the text before `;type=`, after the last "/", and the code. Escaped letters are
/// equivalent.
fn divide_type(path: SpannedStr<'_>) -> Option<(SpannedStr<'_>, SpannedStr<'_>)> {
    let (before, typed) = path.rsplit_once(";")?;
    let (word, code) = typed.split_once("=")?;
    (word.decode().eq_ignore_ascii_case(b"type") && !code.as_str().contains('/')).then_some((before, code))
}

/// A view of an ftp or ftps URL as a server, directories, a name and a type.
///
/// ```
/// use locator::scheme::{FtpType, FtpUrl};
///
/// let url =
///     FtpUrl::of(locator::uri_ref!("ftp://myname@host.dom/%2Fetc/motd;type=a"))
///         .unwrap();
/// assert_eq!(url.login.user.unwrap().as_str(), "myname");
/// assert_eq!(
///     url.cwds().map(|cwd| cwd.decode().into_owned()).collect::<Vec<_>>(),
///     [b"/etc"]
/// );
/// assert_eq!(
///     (url.name.as_str(), url.transfer()),
///     ("motd", Ok(Some(FtpType::Ascii(None))))
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FtpUrl<'a> {
    url: UriRef<'a>,
    /// The server, and the user.
    pub login: Login<'a>,
    /// `<cwd1>/<cwd2>/…/<cwdN>`; `None` if there is no "/" before the name.
    directories: Option<SpannedStr<'a>>,
    /// The name of the file or directory, `<name>`; it may be empty.
    pub name: SpannedStr<'a>,
    /// The type code after ";type=".
    pub code: Option<SpannedStr<'a>>,
}

/// The transfer type of a file, or the listing of a directory.
///
/// ```
/// use locator::scheme::{FtpType, FtpUrl};
/// use locator::uri;
///
/// let kind = |uri| FtpUrl::try_from(uri).unwrap().transfer();
/// assert!(matches!(kind(uri!("ftp://h/a;type=d")), Ok(Some(FtpType::Directory))));
/// assert!(matches!(kind(uri!("ftp://h/a;type=i")), Ok(Some(FtpType::Image))));
/// assert!(matches!(kind(uri!("ftp://h/a")), Ok(None)));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FtpType<'a> {
    /// ASCII text, with a form code.
    Ascii(Option<FormCode>),
    /// EBCDIC text, with a form code.
    Ebcdic(Option<FormCode>),
    /// Octets without conversion (image).
    Image,
    /// A local byte size, in bits.
    Local(SpannedStr<'a>),
    /// A list of names instead of a file.
    Directory,
}

/// The format control of text (RFC 959, 3.1.1.5).
///
/// ```
/// use locator::scheme::{FormCode, FtpType, FtpUrl};
/// use locator::uri;
///
/// let url = FtpUrl::try_from(uri!("ftp://h/log;type=ac"))?;
/// let Some(FtpType::Ascii(Some(code))) = url.transfer()? else { panic!() };
/// assert_eq!(code, FormCode::CarriageControl);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormCode {
    /// Text without format control (non print).
    NonPrint,
    /// Telnet format controls.
    Telnet,
    /// Carriage control (ASA).
    CarriageControl,
}

impl<'a> FtpUrl<'a> {
    /// Parses a reference as a URL of this scheme, like `try_from`.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, has no authority, or breaks the rule of its edition.
    pub fn of(reference: UriRef<'a>) -> Result<Self, SyntaxError> {
        match Self::read(reference, &FTP) {
            Err(SyntaxError::OtherScheme) => Self::read(reference, &FTPS),
            read => read,
        }
    }

    fn read(reference: UriRef<'a>, scheme: &dyn Scheme) -> Result<Self, SyntaxError> {
        // Checks the rule of the edition, if it has one (`rules`). The rest is the path with "?" and
        // the query, because "?" is a character of a name. Where no rule restricts the type code,
        // `transfer` checks it.
        let (login, rest) = Login::read(reference, scheme)?;
        let path = match rest.strip_prefix("/") {
            Some(path) => path,
            None if rest.is_empty() => rest,
            None => return Err(SyntaxError::Form { span: rest.place(), form: scheme.form() }),
        };
        // The draft of 1993 has no type: ";" is an ordinary character.
        let typed = divide_type(path).filter(|_| reference.edition().forms.ftp_type);
        let (path, code) = typed.map_or((path, None), |(path, code)| (path, Some(code)));
        let divided = path.rsplit_once("/");
        let (directories, name) = divided.map_or((None, path), |(before, name)| (Some(before), name));
        Ok(Self { url: reference, login, directories, name, code })
    }

    /// Returns the arguments of the `CWD` commands, in order; some may be empty.
    pub fn cwds(&self) -> SpannedSplit<'a, 'static> {
        SpannedSplit::of(self.directories, "/")
    }

    /// Returns the transfer type; `None` without a type code.
    ///
    /// # Errors
    ///
    /// The type code is not valid.
    pub fn transfer(&self) -> Result<Option<FtpType<'a>>, ValueError> {
        let Some(code) = self.code else { return Ok(None) };
        let wrong =
            ValueError::Unexpected { span: code.place(), expects: TYPE_CODES, citation: "RFC 1738, 3.2.2" };
        let (first, rest) = code.split_at(1, 0).ok_or(wrong)?;
        let form = match rest.as_str() {
            "" => None,
            "N" | "n" => Some(FormCode::NonPrint),
            "T" | "t" => Some(FormCode::Telnet),
            "C" | "c" => Some(FormCode::CarriageControl),
            digits if digits.bytes().all(|digit| digit.is_ascii_digit()) => {
                return match first.as_str() {
                    "L" | "l" => Ok(Some(FtpType::Local(rest))),
                    _ => Err(wrong),
                };
            }
            _ => return Err(wrong),
        };
        match (first.as_str(), form) {
            ("A" | "a", form) => Ok(Some(FtpType::Ascii(form))),
            ("E" | "e", form) => Ok(Some(FtpType::Ebcdic(form))),
            ("I" | "i", None) => Ok(Some(FtpType::Image)),
            ("D" | "d", None) => Ok(Some(FtpType::Directory)),
            _ => Err(wrong),
        }
    }

    fn fields(&self) -> Vec<Field<'a>> {
        let fields: Fields<'a> = self.login.fields().many("cwds", self.cwds());
        let meaning = self.code.and_then(|code| match code.as_str() {
            "a" | "A" => Some("a text"),
            "i" | "I" => Some("a binary file"),
            "d" | "D" => Some("a listing"),
            _ => None,
        });
        let fields = fields.one("name", self.name);
        match self.code {
            Some(code) => fields.one("type", code).meaning(meaning),
            None => fields,
        }
        .end()
    }
}

const TYPE_CODES: &str = "a type code: A or E with or without N, T or C, I, L and digits, or D";

builder! {
    /// A builder of ftp and ftps URLs from a server, directories, a name and a type.
    ///
    /// ```
    /// use locator::edition::RFC1738;
    /// use locator::scheme::{FtpParts, FtpUrl, LoginParts};
    ///
    /// let parts = FtpParts::new(LoginParts::new("host.dom").user("myname"))
    ///     .cwd("/etc")
    ///     .name("a;b")
    ///     .code("i");
    /// let url = parts.build_with(&RFC1738)?;
    /// assert_eq!(url, "ftp://myname@host.dom/%2Fetc/a%3Bb;type=i");
    ///
    /// // A view returns its parts; one of them can be changed, the others keep their spelling.
    /// let parts = FtpUrl::try_from(&url).unwrap().parts().name("c");
    /// assert_eq!(
    ///     parts.build_with(&RFC1738)?,
    ///     "ftp://myname@host.dom/%2Fetc/c;type=i"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    FtpParts of FtpUrl, by [FTP, FTPS];

    /// Sets the server, and the user.
    login;
    /// Adds an argument of a `CWD` command: one directory.
    each cwd: "cwds";
    /// Sets the name of the file, or of the directory to list.
    one name: "name";
    /// Sets the type code, such as `i`, `a` or `d`.
    one code: "type";
}

impl<'v> FtpParts<'v> {
    /// Creates a builder of the URL of a server.
    pub fn new(login: impl Into<LoginParts<'v>>) -> Self {
        Self(Parts::new("ftp").at(login).with("name", ""))
    }

    /// Sets whether the scheme is `ftps`.
    pub const fn secured(mut self, secured: bool) -> Self {
        self.0.set_scheme(if secured { "ftps" } else { "ftp" });
        self
    }
}

static RULES: [SchemeRule; 3] = [
    SchemeRule {
        edition: &URL_1993,
        rule: &Rule::new("fileaddress", BNF_1993, "the form ftp://[user[:password]@]host[:port]/path"),
        check: check_1993,
    },
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule::new(
            "ftpaddress",
            BNF_1994,
            "the form ftp://[user[:password]@]host[:port]/path[;type=code]",
        ),
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule::new("ftpurl", "3.2", "the form ftp://[user[:password]@]host[:port][/path[;type=code]]"),
        check: check_1738,
    },
];

// fileaddress = "ftp://" [ user [ ":" user ] "@" ] hostport "/" path
fn check_1993(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_login()?;
    reader.expect("/")?;
    reader.take(&PATH_1993, b"")?;
    Ok(())
}

// ftpaddress = "ftp://" login "/" path [ ";type=" ftptype ]
fn check_1994(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_login()?;
    reader.expect("/")?;
    reader.take(&PATH_1994, b";")?;
    if reader.is_at_end() {
        return Ok(());
    }
    reader.expect(";type=")?;
    // ftptype = "A" formcode / "E" formcode / "I" / "L" digits / "A" / "E" / "D"
    match reader.take_one(&FTPTYPE_1994)? {
        "A" | "a" | "E" | "e" if !reader.is_at_end() => reader.take_one(&FORMCODE)?,
        "L" | "l" => reader.take_some(&DIGITS_1994, b"")?,
        code => code,
    };
    Ok(())
}

static FTPTYPE_1994: Terminal = Terminal::new(
    AsciiSet::of(b"AEILDaeild"),
    "ftptype",
    "Data type",
    "\"A\" or \"E\" with or without \"N\", \"T\" or \"C\", or \"I\", \"L\" and digits, or \"D\"",
);

// formcode = "N" / "T" / "C"
static FORMCODE: Terminal =
    Terminal::new(AsciiSet::of(b"NTCntc"), "formcode", "Data type", "\"N\", \"T\" or \"C\", or nothing");

// ftpurl = "ftp://" login [ "/" fpath [ ";type=" ftptype ] ]
fn check_1738(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_login()?;
    if reader.skip("/") {
        reader.take(&FPATH_1738, b";")?;
        if !reader.is_at_end() {
            reader.expect(";type=")?;
            reader.take_one(&FTPTYPE_1738)?;
        }
    }
    Ok(())
}

// ftptype = "A" / "I" / "D"
static FTPTYPE_1738: Terminal =
    Terminal::new(AsciiSet::of(b"AIDaid"), "ftptype", "3.2.2", "one of \"a\", \"i\" and \"d\"");
