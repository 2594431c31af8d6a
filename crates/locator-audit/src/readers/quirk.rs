//! Quirks: the switches in which programs that read URLs differ. A reader is a row of them.

use crate::schemes::Fetched;
use locator::AddressReader;

/// A set of ASCII characters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Octets(u128);

impl Octets {
    pub(super) const NONE: Self = Self(0);
    /// The controls of ASCII, with DEL.
    pub(super) const CONTROLS: Self = Self(0xFFFF_FFFF | 1 << 0x7F);

    pub(super) const fn of(text: &str) -> Self {
        let (octets, mut set, mut at) = (text.as_bytes(), 0, 0);
        while at < octets.len() {
            set |= 1 << (octets[at] & 0x7F);
            at += 1;
        }
        Self(set)
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn contains(self, c: char) -> bool {
        c.is_ascii() && self.0 & 1 << c as u32 != 0
    }

    pub(super) fn are_in(self, text: &str) -> bool {
        self.0 != 0 && text.contains(|c| self.contains(c))
    }
}

/// What is removed around a URL before anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrapper {
    None,
    /// `url:` before it, ignoring case.
    Url,
    /// `<…>`, `<URL:…>` and quotes.
    Angles,
    /// White space, then `<…>`, then white space and `URL:`.
    AnglesWithin,
}

/// Where TAB, LF and CR are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Removes {
    Never,
    Authority,
    Everywhere,
}

/// What is a scheme, and what happens to a text without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SchemeSyntax {
    /// A letter, then letters, digits, "+", "-" and "."; else the text is relative.
    Rfc,
    /// The same; but a ":" in the first segment after anything else is an error.
    Strict,
    /// Letters, digits, "+", "-" and "." in any order.
    AnyFirst,
    /// Anything without "/".
    AnyText,
    /// A letter, then letters, digits, "+", "-" and ".", of any script.
    AnyScript,
    /// `http::Uri`: a scheme is followed by "://". It does not resolve references, so others have no host.
    Exact,
    /// curl: a scheme is followed by "/"; else a host with a guessed scheme.
    Curl,
    /// wget: "://" after a known scheme; else `host:port` or, on FTP, `host:path`.
    Wget,
    /// PHP: `host:port` has no scheme, and nothing says what is contacted.
    Php,
}

/// What happens to a URL of the scheme `file`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Files {
    Refused,
    /// A file of this machine is opened. It may have one of these hosts.
    OfHosts(&'static [&'static str]),
    /// A file of another host is asked for by FTP.
    OrFtp(&'static [&'static str]),
}

/// Whether "\" is "/" up to the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Backslash {
    Kept,
    /// In the special schemes of the URL standard.
    Special,
}

/// How many "/" are before an authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slashes {
    Two,
    /// From one to three.
    OneToThree,
    /// Two, but with four there is no authority.
    NotFour,
    /// Two; or none, after a scheme with a capital letter.
    TwoOrCapital,
}

/// What a reference is whose authority is empty: `///path`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EmptyAuthority {
    NoHost,
    /// A path of the base.
    Base,
    /// A path of the base; but after four "/" there is an authority.
    BaseButFour,
}

/// Which "@" ends the userinfo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    First,
    Last,
    /// With two there is no host.
    Only,
    /// None: there is no userinfo.
    Never,
}

/// Which ":" begins the port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colon {
    First,
    Last,
    /// The last, if only digits follow, and at least one; others are part of the host.
    BeforeDigits,
    /// The last, if only digits follow; else the host ends at the first, and there is no port.
    BeforeDigitsOrCut,
}

/// What may be between brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Brackets {
    /// An IPv6 address.
    Address,
    /// An IPv6 address, which may have a zone of unreserved characters.
    Zone,
    /// An IPv6 address, which may have a zone of at most 15 characters.
    ShortZone,
    /// An IPv6 address, which may have any zone.
    AnyZone,
    /// Anything; a name loses the brackets.
    Anything,
    /// An address of any version, which may have a zone, anywhere in the authority; what is around the
    /// brackets is ignored.
    Anywhere,
    /// An IPv6 address or one of a later version.
    Literal,
    /// Anything, and anything after it but a second ":".
    AnythingAfter,
}

/// The syntax of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PortSyntax {
    Digits,
    /// At most five digits after zeros; 0 is no port.
    ZeroIsNone,
    /// Digits with a sign; -1 is no port.
    Signed,
    /// Digits, perhaps after "+"; anything else without ":" is ignored.
    OrNone,
    /// What Python's `int` reads: white space around, a sign, "_" between digits.
    Int,
    /// What `strtol` reads in at most five bytes, whatever follows.
    Strtol,
}

/// Which escapes of a host are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decodes {
    Never,
    Unreserved,
    All,
    /// Those beyond ASCII; others are an error.
    BeyondAscii,
}

/// How a host beyond ASCII becomes ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Idna {
    /// It does not, and is no name that can be looked up.
    Never,
    /// UTS 46; labels that begin with `xn--` are checked too.
    Checked,
    /// UTS 46.
    Mapped,
    /// UTS 46, and, if that fails, with the mapping of IDNA 2003 for "ß" and joiners.
    MappedOrOld,
    /// IDNA 2003: "ß" is "ss", joiners vanish.
    Old,
    /// IDNA 2008 without a mapping, label by label.
    Unmapped,
    /// Punycode of the letters as they are.
    Punycode,
}

/// One program's way to read a URL, switch by switch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quirks {
    pub(super) wrapper: Wrapper,
    pub(super) trims_start: fn(char) -> bool,
    pub(super) trims_end: fn(char) -> bool,
    pub(super) removes: Removes,
    /// The row by which a text without a scheme is read, such as the target of a redirect, if it is another.
    pub(super) redirects: Option<&'static Quirks>,
    /// Whether a reference is only relative to the scheme if "//" is at its start as written.
    pub(super) raw_network: bool,
    /// What the text must not contain before a fragment.
    pub(super) refused: Octets,
    pub(super) refused_in_path: Octets,
    pub(super) refused_in_query: Octets,
    pub(super) refused_in_fragment: Octets,
    /// Which characters beyond ASCII the text must not contain.
    pub(super) refused_beyond: fn(char) -> bool,
    /// Whether path and query must be ASCII.
    pub(super) ascii_path: bool,
    /// Whether "%" must begin an escape, except in a query.
    pub(super) checks_escapes: bool,
    /// Whether "%" must begin an escape in a query.
    pub(super) checks_escapes_of_query: bool,
    /// Whether "%" must begin an escape in a host.
    pub(super) checks_escapes_of_host: bool,
    pub(super) scheme: SchemeSyntax,
    pub(super) fetches: Fetched,
    pub(super) files: Files,
    /// Whether `jar:` and "!/" are around the URL of an archive.
    pub(super) archives: bool,
    pub(super) backslash: Backslash,
    pub(super) slashes: Slashes,
    pub(super) empty_authority: EmptyAuthority,
    /// What ends the authority.
    pub(super) ends: &'static str,
    /// What ends the host and port of an FTP URL after the userinfo.
    pub(super) ends_on_ftp: Option<&'static str>,
    pub(super) at: At,
    pub(super) refused_in_login: Octets,
    /// Before which characters there is no userinfo.
    pub(super) not_in_login: Octets,
    /// Whether the userinfo must be ASCII.
    pub(super) ascii_login: bool,
    /// What an authority must not contain; then it must be ASCII, too.
    pub(super) refused_in_authority: Octets,
    /// Whether an authority with brackets must have an address between the first.
    pub(super) checks_brackets: bool,
    /// Whether the authority must not contain characters whose NFKC form has a delimiter.
    pub(super) checks_nfkc: bool,
    /// Whether a userinfo must have a user.
    pub(super) needs_user: bool,
    /// What ends host and port within the authority.
    pub(super) host_ends: Octets,
    pub(super) colon: Colon,
    pub(super) brackets: Brackets,
    pub(super) port: PortSyntax,
    pub(super) empty_port: bool,
    pub(super) decodes: Decodes,
    /// Whether escapes are decoded before the port is found.
    pub(super) decodes_first: bool,
    /// Whether controls in a host become "_".
    pub(super) masks_controls: bool,
    /// Whether a host must be Latin-1.
    pub(super) latin_host: bool,
    /// What a host must not contain.
    pub(super) refused_in_host: Octets,
    /// What a host must not begin with.
    pub(super) refused_first: Octets,
    /// Whether labels are letters, digits and inner hyphens, and the last begins with a letter.
    pub(super) strict_labels: bool,
    pub(super) idna: Idna,
    /// What is read as an IPv4 address.
    pub(super) address: AddressReader,
    /// Whether the URL is composed again, with the login decoded, and read by a proxy.
    pub(super) by_proxy: bool,
    /// Whether the reader is a library that returns the host, not a program that contacts it.
    pub(super) returns: bool,
}

/// Trims nothing.
pub(super) fn nothing(_: char) -> bool {
    false
}

/// Any character.
pub(super) fn any(_: char) -> bool {
    true
}

/// White space and controls of Unicode.
pub(super) fn white_space_and_controls(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Controls of ASCII and space.
pub(super) fn controls_and_space(c: char) -> bool {
    c <= ' '
}

/// White space of Unicode.
pub(super) fn white_space(c: char) -> bool {
    c.is_whitespace()
}

/// White space of Unicode and the separators U+001C to U+001F.
pub(super) fn white_space_of_python(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1C}'..='\u{1F}')
}

/// Controls of ASCII, space, U+00A0 and U+FEFF.
pub(super) fn white_space_of_node(c: char) -> bool {
    c <= ' ' || matches!(c, '\u{A0}' | '\u{FEFF}')
}
