//! The model of the readers that have quirks: takes a row of quirks and a text, returns what the program contacts.
//!
//! The reading of an edition, whose parser has divided the text.
//!
//! Whether a text has anything that some reader treats differently: most texts do not, and the readers
//! need not run.

use alloc::borrow::Cow;
use alloc::string::String;
use core::net::IpAddr;

use locator::{AddressReader, Component, Uri, scheme};

use super::contact::{Contact, Host, Outcome, are_escapes, unescaped, without_breaks};
use super::quirk::{
    Backslash, EmptyAuthority, Files, Quirks, Removes, SchemeSyntax, Slashes, Wrapper, white_space_of_python,
};
use super::server;
use crate::domain;
use crate::schemes::{self, Fetched, GUESSED, OF_HOST_AND_PATH, guessed_by_curl};

/// How a text begins.
enum Start<'a> {
    /// A scheme in lower case, whether it had a capital, and the text after ":".
    Scheme(String, bool, Cow<'a, str>),
    /// An authority without a scheme before it; the scheme is guessed, or that of the base.
    Host(Option<&'static str>, Cow<'a, str>),
    Relative(&'a str),
    NoHost,
    Refused,
}

/// Returns what a reader contacts for a text; what has no scheme refers to the base.
pub(super) fn read(quirks: &Quirks, text: &str, base: &Contact) -> Outcome {
    let Some(text) = without_archive(quirks, text) else { return Outcome::Refused };
    let quirks = quirks.redirects.filter(|_| !has_plain_scheme(quirks, text)).unwrap_or(quirks);
    let prepared = prepared(quirks, text);
    let before_fragment = prepared.split('#').next().unwrap_or_default();
    if prepared.contains(|c: char| !c.is_ascii() && (quirks.refused_beyond)(c))
        || quirks.refused.are_in(before_fragment)
        || quirks.raw_network && prepared.starts_with("//") && !text.starts_with("//")
    {
        return Outcome::Refused;
    }
    match start(quirks, text, &prepared) {
        Start::Scheme(scheme, capital, rest) => absolute(quirks, &scheme, capital, &slashed(quirks, &rest)),
        Start::Host(scheme, authority) => {
            let end = authority.find(['/', '?', '#']).unwrap_or(authority.len());
            let (authority, path) = authority.split_at(end);
            // curl: "http:" is no host without a port.
            if quirks.scheme == SchemeSyntax::Curl && authority.ends_with(':') || !allows(quirks, path) {
                return Outcome::Refused;
            }
            server::read(quirks, scheme.unwrap_or(base.scheme()), authority, false)
        }
        Start::Relative(rest) => relative(quirks, &slashed(quirks, rest), base),
        Start::NoHost => Outcome::NoHost,
        Start::Refused => Outcome::Refused,
    }
}

/// Returns the URL of the archive, if the text is that of an entry and the reader opens it: `jar:URL!/entry`;
/// `None` if there is no entry, or if the URL has no scheme.
fn without_archive<'a>(quirks: &Quirks, text: &'a str) -> Option<&'a str> {
    let start = text.trim_start_matches(quirks.trims_start);
    let is_archive = start.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("jar:"));
    if !quirks.archives || !is_archive {
        return Some(text);
    }
    start.get(4..start.find("!/")?).filter(|url| has_scheme(url))
}

/// Returns what a program contacts for an argument without a scheme that it knows; it takes it for a host.
pub(super) fn read_argument(quirks: &Quirks, text: &str) -> Outcome {
    let prepared = prepared(quirks, text);
    if quirks.refused.are_in(prepared.split('#').next().unwrap_or_default()) {
        return Outcome::Refused;
    }
    let scheme = match quirks.scheme {
        SchemeSyntax::Wget => match shorthand(&prepared) {
            Start::Host(Some(scheme), _) => scheme,
            _ => return Outcome::Refused,
        },
        SchemeSyntax::Curl => guessed_by_curl(&prepared),
        _ => GUESSED,
    };
    let end = prepared.find(['/', '?', '#']).unwrap_or(prepared.len());
    let (authority, path) = prepared.split_at(end);
    let is_path_of_ftp = scheme == OF_HOST_AND_PATH && quirks.scheme == SchemeSyntax::Wget;
    let authority = if is_path_of_ftp { authority.split(':').next().unwrap_or_default() } else { authority };
    if authority.is_empty() || authority.ends_with(':') || !allows(quirks, path) {
        return Outcome::Refused;
    }
    match server::read(quirks, scheme, authority, false) {
        // The port of a host without one is that of the guessed scheme.
        Outcome::Contact(contact) if contact.port().is_none() => {
            Outcome::Contact(Contact::new(scheme, contact.host().clone(), scheme::default_port(scheme)))
        }
        outcome => outcome,
    }
}

/// Returns whether programs read a text as a URL with a scheme, also as an argument: one that they fetch,
/// or one with "//".
pub(super) fn has_scheme_for_programs(text: &str) -> bool {
    let rest = text.split_once(':').map_or("", |(_, rest)| rest);
    has_scheme(text) && (!has_foreign_scheme(text) || rest.starts_with("//"))
}

/// Returns whether the URL standard finds a scheme: programs on a command line read what has one as a
/// URL, and only what has none as a reference.
fn has_scheme(text: &str) -> bool {
    let mut kept = text.chars().skip_while(|c| *c <= ' ').filter(|c| !matches!(c, '\t' | '\n' | '\r'));
    kept.next().is_some_and(|c| c.is_ascii_alphabetic()) && kept.find(|c| !is_of_scheme(*c)) == Some(':')
}

/// Returns whether the URL standard finds a scheme that general programs do not fetch. curl and wget may
/// take such a text for a host and a port.
pub(super) fn has_foreign_scheme(text: &str) -> bool {
    let kept = text.chars().skip_while(|c| *c <= ' ').filter(|c| !matches!(c, '\t' | '\n' | '\r'));
    let name = kept.take_while(|c| *c != ':').map(|c| c.to_ascii_lowercase()).collect::<String>();
    has_scheme(text) && !Fetched::SPECIAL.contains(&name)
}

/// Returns whether the reader finds a scheme, and so does not take the text for the target of a redirect.
fn has_plain_scheme(quirks: &Quirks, text: &str) -> bool {
    if matches!(quirks.scheme, SchemeSyntax::Curl | SchemeSyntax::Wget) {
        return has_scheme(text);
    }
    if quirks.scheme == SchemeSyntax::AnyText {
        let prepared = prepared(quirks, text);
        return prepared.find([':', '/']).is_some_and(|at| at > 0 && prepared[at..].starts_with(':'));
    }
    let text = text.trim_start_matches(quirks.trims_start);
    let end = text.find(|c| !is_of_scheme(c)).unwrap_or(text.len());
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text[end..].starts_with(':')
}

/// Returns whether a scheme has such characters after its first.
pub(super) const fn is_of_scheme(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')
}

/// Removes what the reader strips before it looks at the text.
fn prepared<'a>(quirks: &Quirks, text: &'a str) -> Cow<'a, str> {
    let mut text = text;
    let line = text.strip_suffix('\n').unwrap_or(text);
    if quirks.wrapper == Wrapper::Angles && !line.contains('\n') {
        text = line;
        if let Some(inner) = text.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')) {
            text = inner.strip_prefix("URL:").unwrap_or(inner);
        }
        text = text.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(text);
    }
    if quirks.wrapper == Wrapper::AnglesWithin {
        text = text.trim_matches(white_space_of_python);
        if let Some(inner) = text.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')) {
            text = inner.trim_matches(white_space_of_python);
        }
        text = text.strip_prefix("URL:").map_or(text, |rest| rest.trim_matches(white_space_of_python));
    }
    text = text.trim_start_matches(quirks.trims_start).trim_end_matches(quirks.trims_end);
    if quirks.wrapper == Wrapper::Url && text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("url:"))
    {
        text = &text[4..];
    }
    if quirks.removes == Removes::Everywhere { without_breaks(text) } else { text.into() }
}

/// Returns the text with "\" as "/" up to the query, if the reader sees it so.
fn slashed<'a>(quirks: &Quirks, text: &'a str) -> Cow<'a, str> {
    let end = text.find(['?', '#']).unwrap_or(text.len());
    let (path, rest) = text.split_at(end);
    if quirks.backslash == Backslash::Kept || !path.contains('\\') {
        return text.into();
    }
    let mut slashed = path.replace('\\', "/");
    slashed.push_str(rest);
    slashed.into()
}

fn start<'a>(quirks: &Quirks, text: &str, prepared: &'a str) -> Start<'a> {
    let colon = prepared.find(':');
    let name = colon.map_or("", |at| &prepared[..at]);
    let is_word = !name.is_empty() && name.chars().all(is_of_scheme);
    let is_scheme = is_word && name.starts_with(|c: char| c.is_ascii_alphabetic());
    let rest = colon.map_or("", |at| &prepared[at + 1..]);
    let found = || {
        let capital = name.contains(|c: char| c.is_ascii_uppercase());
        Start::Scheme(name.to_ascii_lowercase(), capital, rest.into())
    };
    match quirks.scheme {
        SchemeSyntax::Rfc | SchemeSyntax::Strict if is_scheme => found(),
        SchemeSyntax::AnyFirst if is_word => found(),
        SchemeSyntax::AnyText if !name.is_empty() && !name.contains('/') => found(),
        SchemeSyntax::AnyScript if is_scheme || is_word_of_any_script(name) => found(),
        SchemeSyntax::Strict if colon.is_some() && !name.contains(['/', '?', '#']) => Start::Refused,
        SchemeSyntax::Rfc
        | SchemeSyntax::Strict
        | SchemeSyntax::AnyFirst
        | SchemeSyntax::AnyScript
        | SchemeSyntax::AnyText => Start::Relative(prepared),
        SchemeSyntax::Exact if is_word && rest.starts_with("//") => found(),
        SchemeSyntax::Exact => Start::NoHost,
        SchemeSyntax::Curl => match (has_scheme(text), is_word) {
            (true, true) if rest.starts_with('/') => found(),
            (true, _) => Start::Host(Some(guessed(prepared)), prepared.into()),
            (false, true) => Start::Refused,
            (false, false) => Start::Relative(prepared),
        },
        SchemeSyntax::Wget => {
            if rest.starts_with("//") && quirks.fetches.contains(&name.to_ascii_lowercase()) {
                found()
            } else if has_scheme(text) || is_word && !name.contains('.') {
                shorthand(prepared)
            } else {
                Start::Relative(prepared)
            }
        }
        SchemeSyntax::Php => php(prepared, colon, is_word, rest),
    }
}

/// Returns whether a word begins with a letter, and has letters, digits, "+", "-" and ".", of any script.
fn is_word_of_any_script(name: &str) -> bool {
    name.starts_with(char::is_alphabetic) && name.chars().all(|c| c.is_alphabetic() || is_of_scheme(c))
}

/// Returns the scheme that curl takes for a host.
fn guessed(host: &str) -> &'static str {
    let is_ftp = host.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("ftp."));
    if is_ftp { OF_HOST_AND_PATH } else { GUESSED }
}

/// Reads `host:port` and, on FTP, `host:path`, as wget does.
fn shorthand(text: &str) -> Start<'_> {
    let Some(at) = text.find([':', '/']) else { return Start::Host(Some(GUESSED), text.into()) };
    let (host, rest) = text.split_at(at);
    if host.is_empty() || rest.starts_with("://") {
        return Start::Refused;
    }
    let after = rest.get(1..).unwrap_or_default();
    let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let is_port = digits > 0 && matches!(after.as_bytes().get(digits), None | Some(b'/'));
    if rest.starts_with('/') || is_port {
        return Start::Host(Some(GUESSED), text.into());
    }
    Start::Host(Some(OF_HOST_AND_PATH), host.into())
}

/// Reads as PHP does, which finds `host:port` without a scheme.
fn php<'a>(text: &'a str, colon: Option<usize>, is_word: bool, rest: &'a str) -> Start<'a> {
    let network = text.strip_prefix("//");
    let relative = || network.map_or(Start::Relative(text), |host| Start::Host(None, host.into()));
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let ends = matches!(rest.as_bytes().get(digits), None | Some(b'/'));
    let port = || match digits {
        1..=5 if ends => network.map_or(Start::NoHost, |host| Start::Host(None, host.into())),
        0 if rest.is_empty() => Start::Refused,
        _ => relative(),
    };
    match colon {
        None => relative(),
        Some(0) => port(),
        Some(at) if !is_word => {
            let before = text.find(['?', '#']).unwrap_or(text.len());
            if !rest.is_empty() && at < before { port() } else { relative() }
        }
        Some(_) if rest.is_empty() => Start::NoHost,
        Some(_) if rest.starts_with("//") => {
            let name = text.split(':').next().unwrap_or_default();
            Start::Scheme(name.to_ascii_lowercase(), false, rest.into())
        }
        Some(_) if rest.starts_with('/') => Start::NoHost,
        Some(_) if ends && digits < 6 => port(),
        Some(_) => Start::NoHost,
    }
}

/// Returns how many "/" the text begins with.
fn slashes(text: &str) -> usize {
    text.len() - text.trim_start_matches('/').len()
}

fn absolute(quirks: &Quirks, scheme: &str, capital: bool, rest: &str) -> Outcome {
    if schemes::names_file(scheme) {
        return file(quirks, rest);
    }
    if !quirks.fetches.contains(scheme) {
        return Outcome::Refused;
    }
    let count = slashes(rest);
    let skipped = match quirks.slashes {
        Slashes::OneToThree if (1..=3).contains(&count) => count,
        Slashes::OneToThree => return Outcome::Refused,
        Slashes::NotFour if count >= 4 => return Outcome::NoHost,
        Slashes::TwoOrCapital if capital && count < 2 => 0,
        _ if count >= 2 => 2,
        _ => return Outcome::NoHost,
    };
    authority(quirks, scheme, rest.get(skipped..).unwrap_or_default())
}

/// Reads what is after `file:`.
fn file(quirks: &Quirks, rest: &str) -> Outcome {
    let authority =
        rest.strip_prefix("//").and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    let is_one = |hosts: &[&str]| {
        authority.is_empty() || hosts.iter().any(|host| host.eq_ignore_ascii_case(authority))
    };
    match quirks.files {
        Files::OfHosts(hosts) | Files::OrFtp(hosts) if is_one(hosts) => Outcome::File,
        Files::OfHosts(_) | Files::Refused => Outcome::Refused,
        Files::OrFtp(_) => match server::read(quirks, OF_HOST_AND_PATH, authority, true) {
            Outcome::Contact(contact) => {
                let port = scheme::default_port(OF_HOST_AND_PATH);
                Outcome::Contact(Contact::new(OF_HOST_AND_PATH, contact.host().clone(), port))
            }
            outcome => outcome,
        },
    }
}

fn relative(quirks: &Quirks, rest: &str, base: &Contact) -> Outcome {
    if !quirks.fetches.contains(base.scheme()) {
        return Outcome::Refused;
    }
    let count = slashes(rest);
    let at_base = || if allows(quirks, rest) { Outcome::Contact(base.clone()) } else { Outcome::Refused };
    if count < 2 {
        return at_base();
    }
    let skipped = match quirks.slashes {
        Slashes::OneToThree if count > 3 => return Outcome::Refused,
        Slashes::OneToThree => count,
        Slashes::NotFour if count >= 4 => return at_base(),
        _ if count == 2 => 2,
        _ => match quirks.empty_authority {
            EmptyAuthority::NoHost => return Outcome::NoHost,
            EmptyAuthority::BaseButFour if count == 4 => 4,
            EmptyAuthority::Base | EmptyAuthority::BaseButFour => return at_base(),
        },
    };
    let rest = rest.get(skipped..).unwrap_or_default();
    if skipped == 2 && quirks.empty_authority != EmptyAuthority::NoHost && rest.starts_with(['?', '#'])
        || rest.is_empty()
    {
        return if quirks.empty_authority == EmptyAuthority::NoHost { Outcome::NoHost } else { at_base() };
    }
    authority(quirks, base.scheme(), rest)
}

/// Reads what is after the slashes: an authority, and a path that is only checked.
fn authority(quirks: &Quirks, scheme: &str, rest: &str) -> Outcome {
    let is_end = |c: char| quirks.ends.contains(c);
    let mut end = rest.find(is_end).unwrap_or(rest.len());
    let mut has_login = true;
    if let Some(ends) = quirks.ends_on_ftp.filter(|_| Fetched::FTP.contains(scheme)) {
        let login = rest.find(['@', '/', '?', '#']).filter(|&at| rest[at..].starts_with('@'));
        let start = login.map_or(0, |at| at + 1);
        has_login = login.is_some();
        end = rest[start..].find(|c| ends.contains(c)).map_or(rest.len(), |at| start + at);
    }
    let (authority, path) = rest.split_at(end);
    if !has_login && authority.contains('@') || !allows(quirks, path) {
        return Outcome::Refused;
    }
    server::read(quirks, scheme, authority, true)
}

/// Returns whether the reader allows the path, the query and the fragment.
fn allows(quirks: &Quirks, text: &str) -> bool {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (path, query) = text.split_once('?').unwrap_or((text, ""));
    let refused = quirks.refused_in_path.are_in(path)
        || quirks.refused_in_query.are_in(query)
        || quirks.refused_in_fragment.are_in(fragment)
        || quirks.ascii_path && !(path.is_ascii() && query.is_ascii());
    let broken = quirks.checks_escapes && !(are_escapes(path) && are_escapes(fragment))
        || quirks.checks_escapes_of_query && !are_escapes(query);
    !refused && !broken
}

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
pub(super) fn read_by_edition(
    scheme: Option<&str>,
    host: Option<&str>,
    port: Option<&str>,
    base: &Contact,
) -> Outcome {
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

/// Returns whether readers may contact different hosts for the text. If not, all readers that contact
/// anything contact the same; a property test checks this.
pub(crate) fn may_differ(text: &str) -> bool {
    let octets = text.as_bytes();
    let at = octets.iter().position(|octet| !octet.is_ascii_alphanumeric() && !b"+-.".contains(octet));
    match at.map(|at| (at, octets[at])) {
        // A path, or an empty text.
        None | Some((_, b'?' | b'#')) => false,
        Some((0, b'/')) => after_slash(text),
        Some((_, b'/')) => false,
        Some((at, b':')) if octets[0].is_ascii_alphabetic() => after_scheme(&text[..at], &text[at + 1..]),
        Some((_, b':')) => true,
        // Another octet before the first delimiter matters if a scheme can follow, or before the text.
        Some((at, octet)) => at == 0 && octet <= b' ' || may_begin(text),
    }
}

/// Returns whether a text that begins with "/" may be more than a path.
fn after_slash(text: &str) -> bool {
    match text.as_bytes().get(1) {
        Some(b'/') => server_differs("", &text[2..]),
        Some(b'\\' | b'\t' | b'\n' | b'\r') => true,
        _ => false,
    }
}

/// Returns whether a text that begins with neither a scheme nor "/" may have a host.
fn may_begin(text: &str) -> bool {
    let first = text.split(['/', '?', '#']).next().unwrap_or_default();
    first.contains([':', '\\'])
        || first.len() < text.len() && text.starts_with(|c: char| c.is_whitespace() || c.is_control())
        || text.starts_with(['<', '"', '\u{FEFF}'])
}

fn after_scheme(scheme: &str, rest: &str) -> bool {
    let mut lower = [0; 5];
    let Some(lower) = lower.get_mut(..scheme.len()) else { return false };
    lower.copy_from_slice(scheme.as_bytes());
    lower.make_ascii_lowercase();
    let lower = core::str::from_utf8(lower).unwrap_or_default();
    if !Fetched::SPECIAL.contains(lower) {
        return schemes::is_taken_off(lower);
    }
    rest.strip_prefix("//").is_none_or(|rest| server_differs(lower, rest))
}

/// Returns whether an authority is other than a plain host with an optional plain port.
fn server_differs(scheme: &str, rest: &str) -> bool {
    let octets = rest.as_bytes();
    let is_plain = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'.' | b'-' | b'_');
    let end = octets.iter().position(|octet| !is_plain(octet)).unwrap_or(octets.len());
    let host = &rest[..end];
    let (after, port) = match octets.get(end) {
        Some(b':') => {
            let digits = octets[end + 1..].iter().position(|octet| !octet.is_ascii_digit());
            let after = digits.map_or(octets.len(), |digits| end + 1 + digits);
            (after, rest.get(end + 1..after).unwrap_or_default())
        }
        _ => (end, "1"),
    };
    let ends = match octets.get(after) {
        None | Some(b'/') => true,
        // wget does not end the host of an FTP URL there; by RFC 1738 a login may contain "?".
        Some(octet @ (b'?' | b'#')) => {
            let rest = rest.get(after..).unwrap_or_default().split('/').next().unwrap_or_default();
            !(Fetched::FTP.contains(scheme) || *octet == b'?' && rest.contains('@'))
        }
        _ => false,
    };
    host.is_empty() || !ends || !port.bytes().any(|octet| octet != b'0') || number_differs(host)
}

/// Returns whether a host ends like an IPv4 address, but is not one by RFC 3986.
fn number_differs(host: &str) -> bool {
    let last = host.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
    last.starts_with(|c: char| c.is_ascii_digit()) && AddressReader::Strict.read(host).is_none()
}
