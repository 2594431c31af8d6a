//! What schemes mean to the audit, as data: protocols of lines, schemes that run code, and handlers that
//! were abused; where the document of a scheme prescribes escaped controls; and which programs fetch
//! which schemes.
//!
//! What opening a URL starts is in [`handlers`]. A [`WrapperScheme`] contains another URL, such as `jar:`; [`PrescribedControls`] are octets that other schemes must
//! not have; [`Fetched`] is a set of the schemes that a program fetches.
//!
//! ```text
//! assert_eq!(intended_scheme("hxxp"), Some("http"));
//! assert_eq!(WrapperScheme::of("jar").ends, ["!/", "*/", "^/"]);
//! assert!(runs_code("javascript") && names_socket("http+unix"));
//! ```

pub(crate) mod handlers;

use core::ops::Range;

use locator::scheme::{GopherPlus, GopherUrl, WaisObject, WaisUrl};
use locator::{AsciiSet, UriRef, internal};

/// The schemes of the web.
pub(crate) const WEB: [&str; 2] = ["http", "https"];

/// The default ports of the schemes of the web.
pub(crate) const WEB_PORTS: [u16; 2] = [80, 443];

/// Returns whether the scheme is one of the two of nearly every URL, in lower case.
pub(crate) fn is_usual(scheme: &str) -> bool {
    matches!(scheme, "https" | "http")
}

/// Returns the length of a [usual](is_usual) scheme and "://"; `None` if the text begins otherwise.
#[inline(always)]
pub(crate) fn after_usual_scheme(text: &[u8; 8]) -> Option<usize> {
    const HTTPS: u64 = u64::from_le_bytes(*b"https://");
    const HTTP: u64 = u64::from_le_bytes(*b"\0http://");
    let start = u64::from_le_bytes(*text);
    // Without a branch for each, because lists have both.
    let is_https = start == HTTPS;
    (is_https | (start << 8 == HTTP)).then_some(7 + usize::from(is_https))
}

/// Returns whether the protocol of the scheme sends commands as lines.
pub(crate) fn sends_lines(scheme: &str) -> bool {
    is_in(&LINES, scheme)
}

/// Returns whether the protocol of the scheme uses Telnet, in which the octet 255 begins a command.
pub(crate) fn speaks_telnet(scheme: &str) -> bool {
    is_in(&["ftp", "ftps", "telnet", "tn3270"], scheme)
}

/// Returns the octet that divides the path of a URL of the scheme, escaped: TAB is before the search of
/// gopher (RFC 1738, 3.4.1), NUL before the version of a Prospero link (drafts of 1993 and 1994).
pub(crate) fn path_divider(scheme: &str) -> Option<u8> {
    if is_in(&["gopher", "gophers"], scheme) {
        Some(b'\t')
    } else {
        is_in(&["prospero"], scheme).then_some(0)
    }
}

/// Escaped controls that the document of a scheme prescribes.
#[derive(Clone, Debug)]
pub(crate) struct PrescribedControls {
    /// Where they are in the URL, in bytes.
    pub(crate) span: Range<usize>,
    /// Which ones they are.
    pub(crate) octets: AsciiSet,
}

/// Returns the controls that the document of a scheme prescribes in a URL: the line ends of a filled
/// form of Gopher+ (RFC 1738, 3.4.9), if the form can be sent as it is, and every control in the
/// identifier of a WAIS document, whose octets no program but the server interprets (3.9).
pub(crate) fn prescribed_controls(reference: UriRef<'_>) -> Option<PrescribedControls> {
    if let Ok(url) = GopherUrl::of(reference) {
        let Some(GopherPlus::Filled { block, .. }) = url.gopher_plus() else { return None };
        // The block begins after the end of the first line.
        let span = block.span().start - "%0D%0A".len()..block.span().end;
        return internal::is_block(block)
            .then_some(PrescribedControls { span, octets: AsciiSet::of(b"\r\n") });
    }
    match WaisUrl::of(reference).ok()?.object {
        WaisObject::Document(document) => {
            Some(PrescribedControls { span: document.wpath.span(), octets: CONTROLS })
        }
        _ => None,
    }
}

const CONTROLS: AsciiSet = AsciiSet::range(0, 0x1F).union(AsciiSet::of(b"\x7F"));

/// Returns whether the query has fields of a mail, whose body has lines.
pub(crate) fn is_mail(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("mailto")
}

/// Returns whether the scheme names a file, and its host a server of files.
pub(crate) fn names_file(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("file")
}

/// Returns whether the host of a file is the machine that opens it.
pub(crate) fn is_this_machine(host: &str) -> bool {
    host.is_empty() || host.eq_ignore_ascii_case("localhost")
}

/// Returns whether the scheme names a socket of the machine that opens the URL, alone or beside the protocol
/// that is spoken there: `unix:`, `http+unix:`.
pub(crate) fn names_socket(scheme: &str) -> bool {
    scheme.split('+').any(|part| is_in(&["unix", "npipe", "ipc"], part))
}

/// Returns whether a client of the scheme connects to the host of its URLs. A scheme with "+" has the protocol
/// in one of its parts: `git+http:`, `postgresql+driver:`.
pub(crate) fn connects_to_host(scheme: &str) -> bool {
    let is_one = |name| internal::ports::connects(name) || is_in(&CLIENTS, name);
    is_usual(scheme) || is_one(scheme) || scheme.contains('+') && scheme.split('+').any(is_one)
}

/// Other schemes whose programs connect to the host, most of them by HTTP.
#[rustfmt::skip]
static CLIENTS: [&str; 30] = [
    "feed", "feeds", "pcast", "itpc", "podcast", "webcal", "webcals", "dav", "davs", "webdav", "webdavs", "jnlp",
    "jnlps", "x-safari-http", "x-safari-https", "hdfs", "kafka", "nats", "mms", "mmst", "mmsh", "tcp", "udp", "tls",
    "consul", "etcd", "zookeeper", "graphite", "rdp", "oracle",
];

/// Returns whether a URL of the scheme that is within another one, as a parameter, may be followed or fetched.
pub(crate) fn is_followed(scheme: &str) -> bool {
    is_in(&FOLLOWED, scheme) || names_file(scheme) || connects_to_host(scheme)
}

/// Returns whether browsers need no "//" after the scheme: `https:example.com` (URL Standard, 4.4).
pub(crate) fn is_followed_by_host(scheme: &str) -> bool {
    is_in(&FOLLOWED, scheme)
}

/// The special schemes of the URL Standard that have a host.
static FOLLOWED: [&str; 5] = ["http", "https", "ftp", "ws", "wss"];

/// Returns whether a text begins like an absolute URL of the web, of FTP or of mail.
pub(crate) fn begins_as_link(text: &str) -> bool {
    let begins =
        |start: &&str| text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start));
    ["https://", "http://", "ftp://", "mailto:"].iter().any(begins)
}

/// Returns whether something opens URLs of the scheme where it follows another scheme: `jar:http://…`.
pub(crate) fn is_within_others(scheme: &str) -> bool {
    names_file(scheme)
        || names_socket(scheme)
        || connects_to_host(scheme)
        || WRAPPERS.iter().any(|one| one.is(scheme))
}

/// Returns whether readers take the scheme off, and contact what follows.
pub(crate) fn is_taken_off(scheme: &str) -> bool {
    is_in(&["url", "jar"], scheme)
}

/// A scheme whose URLs contain another URL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrapperScheme {
    name: &'static str,
    /// What is before the other URL, if not only the scheme.
    pub(crate) after: &'static str,
    /// What is after it, if anything is.
    pub(crate) ends: &'static [&'static str],
}

impl WrapperScheme {
    const fn new(name: &'static str, after: &'static str, ends: &'static [&'static str]) -> Self {
        Self { name, after, ends }
    }

    fn is(&self, scheme: &str) -> bool {
        self.name.eq_ignore_ascii_case(scheme)
    }

    /// Returns what is known of a scheme; any other may be put before a URL, too.
    pub(crate) fn of(scheme: &str) -> Self {
        WRAPPERS.iter().find(|one| one.is(scheme)).copied().unwrap_or(Self::new("", "", &[]))
    }
}

/// The end of the archive within the URL of an entry: of Java, of Apache VFS, of Tomcat's `war:`.
const ENTRY: &[&str] = &["!/", "*/", "^/"];

/// Schemes that programs take off before they open what follows: Java and Python `url:`; Java, Spring and
/// Apache VFS archives; browsers `view-source:`; feed readers `feed:`; PHP filters; FFmpeg its protocols;
/// Windows its handlers.
#[rustfmt::skip]
static WRAPPERS: [WrapperScheme; 34] = [
    WrapperScheme::new("url", "", &[]),
    WrapperScheme::new("jar", "", ENTRY), WrapperScheme::new("wsjar", "", ENTRY),
    WrapperScheme::new("war", "", ENTRY), WrapperScheme::new("zip", "", ENTRY),
    WrapperScheme::new("vfszip", "", ENTRY), WrapperScheme::new("tar", "", ENTRY),
    WrapperScheme::new("tgz", "", ENTRY), WrapperScheme::new("tbz2", "", ENTRY),
    WrapperScheme::new("gz", "", ENTRY), WrapperScheme::new("bz2", "", ENTRY),
    WrapperScheme::new("mhtml", "", &["!"]),
    WrapperScheme::new("view-source", "", &[]), WrapperScheme::new("feed", "", &[]),
    WrapperScheme::new("pcast", "", &[]), WrapperScheme::new("blob", "", &[]),
    WrapperScheme::new("filesystem", "", &[]), WrapperScheme::new("wyciwyg", "/", &[]),
    WrapperScheme::new("php", "resource=", &[]), WrapperScheme::new("compress.zlib", "", &[]),
    WrapperScheme::new("compress.bzip2", "", &[]), WrapperScheme::new("phar", "", &[]),
    WrapperScheme::new("concat", "", &["|"]), WrapperScheme::new("crypto", "", &[]),
    WrapperScheme::new("cache", "", &[]), WrapperScheme::new("async", "", &[]),
    WrapperScheme::new("hls", "", &[]), WrapperScheme::new("microsoft-edge", "", &[]),
    WrapperScheme::new("ms-word", "|u|", &["|"]), WrapperScheme::new("ms-excel", "|u|", &["|"]),
    WrapperScheme::new("ms-powerpoint", "|u|", &["|"]), WrapperScheme::new("ms-appinstaller", "source=", &["&"]),
    WrapperScheme::new("itms-services", "url=", &["&"]), WrapperScheme::new("ms-its", "", &["::"]),
];

/// Returns whether URLs of the scheme contain a document themselves, after its media type (RFC 2397, 3).
pub(crate) fn contains_document(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("data")
}

/// Returns whether what follows the scheme is run as a program.
pub(crate) fn runs_code(scheme: &str) -> bool {
    is_in(&["javascript", "vbscript", "livescript", "mocha"], scheme)
}

/// Returns the scheme that was probably meant; `None` if the scheme is known, or near none.
///
/// "hxxp" is registered as the form of "http" that nobody opens by mistake.
pub(crate) fn intended_scheme(scheme: &str) -> Option<&'static str> {
    match scheme.to_ascii_lowercase().as_str() {
        "hxxp" => Some("http"),
        "hxxps" => Some("https"),
        _ => locator::scheme::suggest(scheme),
    }
}

/// A set of groups of schemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fetched(u8);

impl Fetched {
    /// `http` and `https`.
    pub(crate) const WEB: Self = Self(1);
    /// `ftp`.
    pub(crate) const FTP: Self = Self(2);
    /// `ws` and `wss`.
    pub(crate) const SOCKETS: Self = Self(4);
    /// The special schemes of the URL standard that have a host.
    pub(crate) const SPECIAL: Self = Self::WEB.and(Self::FTP).and(Self::SOCKETS);

    /// Returns the union of two sets.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether a scheme, written in lower case, is in a group of this set.
    pub(crate) fn contains(self, scheme: &str) -> bool {
        let group = match scheme {
            "http" | "https" => Self::WEB,
            "ftp" => Self::FTP,
            "ws" | "wss" => Self::SOCKETS,
            _ => return false,
        };
        self.0 & group.0 != 0
    }
}

/// The scheme of a host without one, for programs that guess: `www.example/` and `host:8080`.
pub(crate) const GUESSED: &str = "http";

/// The scheme of a host without one, for the address bars of browsers.
pub(crate) const SECURE: &str = "https";

/// Returns the scheme that curl guesses for a host without one, by the first label of its name.
pub(crate) fn guessed_by_curl(host: &str) -> &'static str {
    let is_first = |scheme: &&&str| {
        let label = host.get(..=scheme.len()).unwrap_or_default();
        label.strip_suffix('.').is_some_and(|label| label.eq_ignore_ascii_case(scheme))
    };
    ["ftp", "dict", "ldap", "imap", "smtp", "pop3"].iter().find(is_first).unwrap_or(&GUESSED)
}

/// The scheme of `host:path`, for programs that take it for a file of a host.
pub(crate) const OF_HOST_AND_PATH: &str = "ftp";

/// Returns whether a proxy is asked for a connection to the host (`CONNECT`), not for the URL.
pub(crate) fn is_tunnelled(scheme: &str) -> bool {
    matches!(scheme, "https" | "wss")
}

fn is_in(names: &[&str], scheme: &str) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(scheme))
}

/// Protocols of lines that end with CR LF or LF.
static LINES: [&str; 26] = [
    "ftp",
    "ftps",
    "gopher",
    "gophers",
    "news",
    "nntp",
    "snews",
    "nntps",
    "whois",
    "whois++",
    "rwhois",
    "finger",
    "telnet",
    "tn3270",
    "rlogin",
    "dict",
    "imap",
    "imaps",
    "pop",
    "pop3",
    "smtp",
    "sieve",
    "acap",
    "mupdate",
    "redis",
    "memcached",
];
