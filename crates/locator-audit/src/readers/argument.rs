//! What programs do with a text without a scheme that is their argument: `curl example.com`. There it is
//! not relative to anything, as the same text is in a link: curl, wget and lynx take it for a host, and
//! libraries reject it. Takes a text, returns the outcomes with their programs.
//!
//! `scripts/compare/readers --arguments` runs the programs of "measured" rows; the tests below have some
//! of its lines. The row of address bars is what these commonly do: which texts are hosts was not measured; the host
//! is read by the parser of the URL Standard.

use alloc::format;
use alloc::vec::Vec;

use super::contact::{Contact, Host, Outcome};
use super::definition::Source;
use super::model;
use super::quirk::Quirks;
use super::readings::default_base;
use super::standard::{Departures, ParsedText};
use super::table::{CURL, LYNX, URLOPEN, WGET};
use crate::schemes::{self, GUESSED};
use locator::scheme;

/// A program that takes a URL as an argument, with its version.
///
/// ```
/// let found = locator_audit::arguments("example.com");
/// assert_eq!(found[0].programs[0].title(), "curl 7.88");
/// ```
#[derive(Debug)]
pub struct Program {
    name: &'static str,
    title: &'static str,
    source: Source,
    how: How,
}

/// How a program reads an argument without a scheme.
#[derive(Debug)]
enum How {
    /// It takes the text for a host, by these quirks.
    Host(&'static Quirks),
    /// The same; a file that the text may name comes first.
    FileOrHost(&'static Quirks),
    /// It takes what looks like a host for one, and searches the web for anything else.
    HostOrSearch,
    /// It needs a scheme, and takes "URL:" off.
    Wrapped(&'static Quirks),
    /// It needs a scheme.
    Rejects,
}

/// The programs, in the order in which they are shown.
static PROGRAMS: &[Program] = &[
    program("curl", "curl 7.88", Source::Measured, How::Host(&CURL)),
    program("wget", "wget 1.21", Source::Measured, How::Host(&WGET)),
    program("lynx", "lynx 2.9", Source::Measured, How::FileOrHost(&LYNX)),
    program("aria2", "aria2 1.36", Source::Measured, How::Rejects),
    program("python-urlopen", "Python 3.11 urlopen", Source::Measured, How::Wrapped(&URLOPEN)),
    program("python-requests", "requests 2.34", Source::Measured, How::Rejects),
    program("address-bar", "the address bar of a browser", Source::Assumed, How::HostOrSearch),
];

const fn program(name: &'static str, title: &'static str, source: Source, how: How) -> Program {
    Program { name, title, source, how }
}

impl Program {
    /// Returns the name in JSON: `curl`. It never changes.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the program with its version: `curl 7.88`.
    #[must_use]
    pub const fn title(&self) -> &'static str {
        self.title
    }

    /// Returns how it is known what the program does.
    #[must_use]
    pub const fn source(&self) -> Source {
        self.source
    }

    fn read(&self, text: &str) -> Argument {
        let host = |quirks| match model::read_argument(quirks, text) {
            Outcome::Contact(contact) => Argument::Contact(contact),
            _ => Argument::Rejected,
        };
        match self.how {
            How::Host(quirks) => host(quirks),
            How::FileOrHost(_) if begins_path(text) => Argument::File,
            // "mailto:joe@h.example" has a scheme for lynx, "h.example:80" has none.
            How::FileOrHost(_) if has_other_than_port(text) => Argument::Rejected,
            How::FileOrHost(quirks) => host(quirks),
            How::HostOrSearch => in_address_bar(text),
            How::Wrapped(quirks) if text.trim().starts_with("URL:") => {
                match model::read(quirks, text, &default_base()) {
                    Outcome::Contact(contact) => Argument::Contact(contact),
                    Outcome::File => Argument::File,
                    _ => Argument::Rejected,
                }
            }
            How::Wrapped(_) | How::Rejects => Argument::Rejected,
        }
    }
}

/// What a program does with an argument without a scheme.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// It contacts this server.
    Contact(Contact),
    /// It reads a file with this name.
    File,
    /// It searches the web for the text.
    Search,
    /// It reports an error.
    Rejected,
}

/// What some programs do with an argument.
///
/// ```
/// use locator_audit::{Argument, arguments};
///
/// let found = arguments("example.com");
/// let Argument::Contact(contact) = &found[0].outcome else { panic!() };
/// assert_eq!(contact.to_string(), "http://example.com:80");
/// ```
#[derive(Clone, Debug)]
pub struct Argued {
    /// What they do.
    pub outcome: Argument,
    /// The programs.
    pub programs: Vec<&'static Program>,
}

/// Returns what programs do with a text that is their argument and has no scheme that they know.
///
/// The same text in a link is relative to a base, which [`Readings`](crate::Readings) shows: two
/// situations with different answers. A text such as `h.example:8080` or `mailto:a@b` has a scheme there,
/// and for curl and wget a host. Contacts come first, errors last. The result is empty for every other text with a scheme.
///
/// ```
/// use locator_audit::{Argument, arguments};
///
/// let found = arguments("ftp.example.com");
/// let shown: Vec<_> = found
///     .iter()
///     .filter_map(|one| match &one.outcome {
///         Argument::Contact(contact) => Some(contact.to_string()),
///         _ => None,
///     })
///     .collect();
/// assert_eq!(
///     shown,
///     ["ftp://ftp.example.com:21", "http://ftp.example.com:80", "https://ftp.example.com:443"]
/// );
/// assert!(arguments("http://example.com/").is_empty());
/// ```
#[must_use]
pub fn arguments(text: &str) -> Vec<Argued> {
    let mut found: Vec<Argued> = Vec::new();
    if text.is_empty() || model::has_scheme_for_programs(text) {
        return found;
    }
    for program in PROGRAMS {
        let outcome = program.read(text);
        match found.iter_mut().find(|known| known.outcome == outcome) {
            Some(known) => known.programs.push(program),
            None => found.push(Argued { outcome, programs: alloc::vec![program] }),
        }
    }
    // What is contacted comes first, and errors last.
    found.sort_by_key(|one| match one.outcome {
        Argument::Contact(_) => 0,
        Argument::File | Argument::Search => 1,
        Argument::Rejected => 2,
    });
    found
}

/// Whether a text is a path or a fragment rather than a host.
fn begins_path(text: &str) -> bool {
    text.starts_with(['/', '~', '#']) || text.starts_with("./") || text.starts_with("../")
}

/// Whether something else than a port follows a ":" before the path.
fn has_other_than_port(text: &str) -> bool {
    let authority = text.split(['/', '?', '#']).next().unwrap_or_default();
    let rest = if authority.starts_with('[') { None } else { authority.split_once(':') };
    rest.is_some_and(|(_, port)| !port.bytes().all(|octet| octet.is_ascii_digit()))
}

/// Reads as address bars commonly do, which was not measured: a text without white space that has a dot in its first part, a port, or is `localhost` or an address, is a host. Names get
/// https.
fn in_address_bar(text: &str) -> Argument {
    let text = text.trim();
    if text.starts_with('/') {
        return Argument::File;
    }
    let end = text.find(['/', '?', '#', '\\']).unwrap_or(text.len());
    let authority = &text[..end];
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if text.contains(char::is_whitespace) || begins_path(text) || host.starts_with('.') || host.is_empty() {
        return Argument::Search;
    }
    let url = format!("{GUESSED}://{text}");
    let Outcome::Contact(contact) = ParsedText::without_base(&url, &default_base()).outcome(Departures::NONE)
    else {
        return Argument::Search;
    };
    let is_named = matches!(contact.host(), Host::Name(_)) && !host.eq_ignore_ascii_case("localhost");
    let has_port =
        host.rsplit_once(':').is_some_and(|(_, port)| port.bytes().all(|octet| octet.is_ascii_digit()));
    let is_host = host.contains('.') || has_port || end < text.len() || !is_named;
    // "tel:112" and "mailto:a@b" are for other programs.
    let is_foreign =
        authority.contains(':') && !has_port && !host.starts_with('[') || is_registered(authority);
    if !is_host || is_foreign {
        return if is_foreign { Argument::Rejected } else { Argument::Search };
    }
    let scheme = if is_named && host.contains('.') && !has_port { schemes::SECURE } else { GUESSED };
    let port = if has_port { contact.port() } else { scheme::default_port(scheme) };
    Argument::Contact(Contact::new(scheme, contact.host().clone(), port))
}

/// Whether a text with a ":" begins with a registered scheme.
fn is_registered(text: &str) -> bool {
    text.split_once(':')
        .is_some_and(|(name, _)| scheme::lookup(name).is_some() || scheme::status(name).is_some())
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};

    use super::*;

    /// What curl, wget and lynx do; aria2 and Python reject every one.
    const MEASURED: &[(&str, [&str; 3])] = &[
        ("example.com", ["http://example.com:80", "http://example.com:80", "http://example.com:80"]),
        (
            "example.com:8080/p",
            ["http://example.com:8080", "http://example.com:8080", "http://example.com:8080"],
        ),
        (
            "ftp.example.com/pub",
            ["ftp://ftp.example.com:21", "http://ftp.example.com:80", "http://ftp.example.com:80"],
        ),
        (
            "dict.example.com",
            ["dict://dict.example.com:2628", "http://dict.example.com:80", "http://dict.example.com:80"],
        ),
        ("localhost:8080/p", ["http://localhost:8080", "http://localhost:8080", "http://localhost:8080"]),
        ("127.0.0.1:8765/p", ["http://127.0.0.1:8765", "http://127.0.0.1:8765", "http://127.0.0.1:8765"]),
        ("[::1]:8080/p", ["http://[::1]:8080", "-", "http://[::1]:8080"]),
        ("banana", ["http://banana:80", "http://banana:80", "http://banana:80"]),
        ("x/y.html", ["http://x:80", "http://x:80", "http://x:80"]),
        ("//example.com/x", ["-", "-", "file"]),
        ("/etc/hosts", ["-", "-", "file"]),
        ("?q=1", ["-", "-", "-"]),
        ("user@example.com", ["http://example.com:80", "http://example.com:80", "http://example.com:80"]),
        ("mailto:joe@example.com", ["http://example.com:80", "ftp://mailto:21", "-"]),
        ("tel:112", ["http://tel:112", "http://tel:112", "http://tel:112"]),
        ("javascript:alert(1)", ["-", "ftp://javascript:21", "-"]),
        ("example.com?q=1", ["http://example.com:80", "http://example.com:80", "http://example.com:80"]),
        ("127.1", ["http://127.0.0.1:80", "http://127.0.0.1:80", "http://127.0.0.1:80"]),
    ];

    #[test]
    fn programs_do_what_was_measured() {
        for (text, expected) in MEASURED {
            let found = arguments(text);
            let of = |name: &str| -> String {
                let argued = found.iter().find(|one| one.programs.iter().any(|program| program.name == name));
                match &argued.unwrap().outcome {
                    Argument::Contact(contact) => contact.to_string(),
                    Argument::File => "file".into(),
                    Argument::Search => "search".into(),
                    Argument::Rejected => "-".into(),
                }
            };
            assert_eq!(["curl", "wget", "lynx"].map(of), expected.map(String::from), "{text}");
            for name in ["aria2", "python-urlopen", "python-requests"] {
                assert_eq!(of(name), "-", "{text}");
            }
        }
        for (text, expected) in [
            ("example.com", "https://example.com:443"),
            ("example.com\\@evil.example", "https://example.com:443"),
            ("EXAMPLE.com:8080/p", "http://example.com:8080"),
            ("0x7f.1/", "http://127.0.0.1:80"),
            ("[::1]/", "http://[::1]:80"),
        ] {
            let found = arguments(text);
            let is_bar = |one: &&Argued| one.programs.iter().any(|program| program.name == "address-bar");
            let argued = found.iter().find(is_bar).unwrap();
            let Argument::Contact(contact) = &argued.outcome else { panic!("{text}: {argued:?}") };
            assert_eq!(contact.to_string(), expected, "{text}");
        }
        for text in ["http://h/", "foo://h/", "file:///x", ""] {
            assert!(arguments(text).is_empty(), "{text}");
        }
    }
}
