//! The readers: programs with their versions, as rows of quirks or as departures from the URL Standard.
//!
//! "Measured" rows were compared with the program by `scripts/compare/readers`, over published strings and
//! mutations of them (November 2026); `rust-url` and `rust-http` with the crates, by a test.

use super::definition::{Method, Reader, Source};
use super::quirk::{
    At, Backslash, Brackets, Colon, Decodes, EmptyAuthority, Files, Idna, Octets, PortSyntax, Quirks,
    Removes, SchemeSyntax, Slashes, Wrapper, any, controls_and_space, nothing, white_space,
    white_space_and_controls, white_space_of_node, white_space_of_python,
};
use super::standard::Departures;
use crate::schemes::Fetched;
use locator::{AddressReader, edition};

/// Nothing is forgiven and nothing is checked: appendix B of RFC 3986 and the C library.
const PLAIN: Quirks = Quirks {
    wrapper: Wrapper::None,
    trims_start: nothing,
    trims_end: nothing,
    removes: Removes::Never,
    redirects: None,
    raw_network: false,
    refused: Octets::NONE,
    refused_in_path: Octets::NONE,
    refused_in_query: Octets::NONE,
    refused_in_fragment: Octets::NONE,
    refused_beyond: nothing,
    ascii_path: false,
    checks_escapes: false,
    checks_escapes_of_query: false,
    checks_escapes_of_host: false,
    scheme: SchemeSyntax::Rfc,
    fetches: Fetched::SPECIAL,
    files: Files::Refused,
    archives: false,
    backslash: Backslash::Kept,
    slashes: Slashes::Two,
    empty_authority: EmptyAuthority::NoHost,
    ends: "/?#",
    ends_on_ftp: None,
    at: At::Last,
    refused_in_login: Octets::NONE,
    not_in_login: Octets::NONE,
    ascii_login: false,
    refused_in_authority: Octets::NONE,
    checks_brackets: false,
    checks_nfkc: false,
    needs_user: false,
    host_ends: Octets::NONE,
    colon: Colon::First,
    brackets: Brackets::Zone,
    port: PortSyntax::Digits,
    empty_port: true,
    decodes: Decodes::Never,
    decodes_first: false,
    masks_controls: false,
    latin_host: false,
    refused_in_host: Octets::NONE,
    refused_first: Octets::NONE,
    strict_labels: false,
    idna: Idna::Never,
    // The C library.
    address: AddressReader::InetAton,
    by_proxy: false,
    returns: false,
};

const NODE_URL_PARSE: Quirks = Quirks {
    returns: true,
    trims_start: white_space_of_node,
    trims_end: white_space_of_node,
    removes: Removes::Authority,
    scheme: SchemeSyntax::AnyFirst,
    backslash: Backslash::Special,
    slashes: Slashes::TwoOrCapital,
    host_ends: Octets::of(" \"%';<>\\^`{|}"),
    colon: Colon::BeforeDigitsOrCut,
    brackets: Brackets::Anything,
    idna: Idna::Checked,
    ..PLAIN
};

const URLLIB: Quirks = Quirks {
    returns: true,
    trims_start: controls_and_space,
    removes: Removes::Everywhere,
    empty_authority: EmptyAuthority::Base,
    checks_brackets: true,
    checks_nfkc: true,
    brackets: Brackets::Anywhere,
    idna: Idna::Old,
    ..PLAIN
};

/// `HTTPRedirectHandler` resolves by `urllib.parse`; then userinfo is part of the host.
const URLOPEN_REDIRECT: Quirks = Quirks {
    trims_start: controls_and_space,
    removes: Removes::Everywhere,
    fetches: Fetched::WEB,
    empty_authority: EmptyAuthority::BaseButFour,
    at: At::Never,
    checks_brackets: true,
    checks_nfkc: true,
    colon: Colon::Last,
    brackets: Brackets::Anything,
    port: PortSyntax::Int,
    decodes_first: true,
    latin_host: true,
    idna: Idna::Old,
    ..PLAIN
};

pub(super) const URLOPEN: Quirks = Quirks {
    wrapper: Wrapper::AnglesWithin,
    files: Files::OfHosts(&["localhost", "127.0.0.1"]),
    redirects: Some(&URLOPEN_REDIRECT),
    trims_start: nothing,
    removes: Removes::Never,
    refused_in_path: Octets::CONTROLS.and(Octets::of(" ")),
    refused_in_query: Octets::CONTROLS.and(Octets::of(" ")),
    ascii_path: true,
    scheme: SchemeSyntax::AnyText,
    empty_authority: EmptyAuthority::NoHost,
    ..URLOPEN_REDIRECT
};

const REQUESTS: Quirks = Quirks {
    trims_start: white_space_of_python,
    redirects: Some(&REQUESTS_REDIRECT),
    fetches: Fetched::WEB,
    ends: "\\/?#",
    port: PortSyntax::ZeroIsNone,
    decodes: Decodes::Unreserved,
    refused_first: Octets::of("*."),
    idna: Idna::Unmapped,
    ..PLAIN
};

/// `Session.resolve_redirects` resolves by urllib.
const REQUESTS_REDIRECT: Quirks = Quirks {
    returns: false,
    raw_network: true,
    fetches: Fetched::WEB,
    empty_authority: EmptyAuthority::BaseButFour,
    port: PortSyntax::ZeroIsNone,
    decodes: Decodes::Unreserved,
    idna: Idna::Never,
    ..URLLIB
};

const JAVA_URI: Quirks = Quirks {
    returns: true,
    refused: Octets::CONTROLS.and(Octets::of(" \"<>\\^`{|}")),
    refused_beyond: white_space_and_controls,
    refused_in_path: Octets::of("[]"),
    refused_in_fragment: Octets::CONTROLS.and(Octets::of(" \"#<>\\^`{|}")),
    checks_escapes: true,
    checks_escapes_of_query: true,
    scheme: SchemeSyntax::Strict,
    empty_authority: EmptyAuthority::Base,
    at: At::First,
    refused_in_login: Octets::of("[]"),
    strict_labels: true,
    address: AddressReader::Decimal,
    ..PLAIN
};

const JAVA_URL: Quirks = Quirks {
    returns: true,
    wrapper: Wrapper::Url,
    trims_start: controls_and_space,
    trims_end: controls_and_space,
    fetches: Fetched::WEB.and(Fetched::FTP),
    files: Files::OrFtp(&["localhost", "~"]),
    archives: true,
    refused_in_path: Octets::of("\n"),
    refused_in_query: Octets::of("\n"),
    refused_in_fragment: Octets::of("\n"),
    scheme: SchemeSyntax::AnyScript,
    slashes: Slashes::NotFour,
    refused_in_host: Octets::of("\\"),
    at: At::Only,
    refused_in_login: Octets::CONTROLS.and(Octets::of("[\\]")),
    brackets: Brackets::AnyZone,
    port: PortSyntax::Signed,
    address: AddressReader::Decimal,
    ..PLAIN
};

/// The target of a redirect: spaces are escaped.
const CURL_REDIRECT: Quirks = Quirks {
    refused: Octets::CONTROLS,
    refused_in_fragment: Octets::CONTROLS,
    scheme: SchemeSyntax::Curl,
    fetches: Fetched::WEB.and(Fetched::FTP),
    slashes: Slashes::OneToThree,
    at: At::First,
    brackets: Brackets::ShortZone,
    decodes: Decodes::All,
    refused_in_host: Octets::CONTROLS.and(Octets::of(" /:#?!@{}[]\\$'\"^`*<>=;,+&()")),
    idna: Idna::MappedOrOld,
    ..PLAIN
};

pub(super) const CURL: Quirks = Quirks {
    redirects: Some(&CURL_REDIRECT),
    files: Files::OfHosts(&["localhost", "127.0.0.1"]),
    refused: Octets::CONTROLS.and(Octets::of(" ")),
    refused_in_fragment: Octets::CONTROLS.and(Octets::of(" ")),
    ..CURL_REDIRECT
};

pub(super) const WGET: Quirks = Quirks {
    scheme: SchemeSyntax::Wget,
    fetches: Fetched::WEB.and(Fetched::FTP),
    ends_on_ftp: Some("/;#"),
    at: At::First,
    not_in_login: Octets::of("[]"),
    needs_user: true,
    brackets: Brackets::Address,
    decodes: Decodes::All,
    refused_in_host: Octets::CONTROLS,
    idna: Idna::MappedOrOld,
    ..PLAIN
};

/// Only arguments; links are not read by this row.
pub(super) const LYNX: Quirks = Quirks {
    trims_start: white_space,
    at: At::Last,
    colon: Colon::Last,
    brackets: Brackets::Address,
    idna: Idna::MappedOrOld,
    ..PLAIN
};

const PERL_URI: Quirks = Quirks {
    returns: true,
    wrapper: Wrapper::Angles,
    trims_start: white_space,
    trims_end: white_space,
    fetches: Fetched::WEB.and(Fetched::FTP),
    refused_in_login: Octets::of("\n"),
    colon: Colon::BeforeDigits,
    brackets: Brackets::Anything,
    decodes: Decodes::All,
    idna: Idna::Punycode,
    ..PLAIN
};

const GO: Quirks = Quirks {
    refused: Octets::CONTROLS,
    checks_escapes: true,
    scheme: SchemeSyntax::Strict,
    fetches: Fetched::WEB,
    empty_authority: EmptyAuthority::Base,
    refused_in_login: Octets::of(" \"#/<>?[\\]^`{|}"),
    ascii_login: true,
    colon: Colon::Last,
    brackets: Brackets::Anything,
    decodes: Decodes::BeyondAscii,
    idna: Idna::Mapped,
    address: AddressReader::Strict,
    ..PLAIN
};

const RUBY: Quirks = Quirks {
    returns: true,
    refused_in_path: Octets::CONTROLS.and(Octets::of(" \"<>[\\]^`{|}")),
    refused_in_fragment: Octets::CONTROLS.and(Octets::of(" \"#<>[\\]^`{|}")),
    refused_beyond: any,
    checks_escapes: true,
    checks_escapes_of_query: true,
    checks_escapes_of_host: true,
    refused_in_host: Octets::CONTROLS.and(Octets::of(" \"<>[\\]^`{|}")),
    scheme: SchemeSyntax::Strict,
    empty_authority: EmptyAuthority::Base,
    at: At::Only,
    refused_in_login: Octets::CONTROLS.and(Octets::of(" \"<>[\\]^`{|}")),
    brackets: Brackets::Literal,
    ..PLAIN
};

const PHP: Quirks = Quirks {
    returns: true,
    scheme: SchemeSyntax::Php,
    colon: Colon::Last,
    brackets: Brackets::AnyZone,
    port: PortSyntax::Strtol,
    masks_controls: true,
    ..PLAIN
};

const RUST_HTTP: Quirks = Quirks {
    returns: true,
    refused_in_path: Octets::CONTROLS.and(Octets::of(" <>`")),
    refused_in_query: Octets::CONTROLS.and(Octets::of(" \"<>")),
    scheme: SchemeSyntax::Exact,
    fetches: Fetched::WEB,
    refused_in_authority: Octets::CONTROLS.and(Octets::of(" \"<>\\^`{|}")),
    brackets: Brackets::AnythingAfter,
    port: PortSyntax::OrNone,
    refused_in_host: Octets::of("%"),
    ..PLAIN
};

/// A current program.
const fn program(name: &'static str, title: &'static str, source: Source, quirks: &'static Quirks) -> Reader {
    Reader { name, title, source, is_current: true, method: Method::Quirks(quirks) }
}

/// A current program that follows the URL Standard.
const fn standard(name: &'static str, title: &'static str, departures: Departures) -> Reader {
    Reader { name, title, source: Source::Measured, is_current: true, method: Method::Standard(departures) }
}

/// An edition of the standard.
const fn edition(edition: &'static edition::Edition, is_current: bool) -> Reader {
    Reader {
        name: edition.name,
        title: edition.document,
        source: Source::Document,
        is_current,
        method: Method::Edition(edition),
    }
}

/// Every reader: the programs, then the editions from the newest.
pub(super) static READERS: &[Reader] = &[
    standard("url-standard", "URL Standard of July 2026: browsers", Departures::NONE),
    standard("node-url", "Node 20 `URL`", Departures::NODE_20),
    program("node-url-parse", "Node 20 `url.parse`", Source::Measured, &NODE_URL_PARSE),
    program("python-urllib", "Python 3.11 `urllib.parse`", Source::Measured, &URLLIB),
    program("python-urlopen", "Python 3.11 `urllib.request.urlopen`", Source::Measured, &URLOPEN),
    program("python-requests", "requests 2.34 with urllib3 2.7", Source::Measured, &REQUESTS),
    program("java-uri", "Java 17 `java.net.URI`", Source::Measured, &JAVA_URI),
    program("java-url", "Java 17 `java.net.URL`", Source::Measured, &JAVA_URL),
    program("curl", "curl 7.88", Source::Measured, &CURL),
    program("wget", "wget 1.21", Source::Measured, &WGET),
    program("wget-proxy", "a proxy of wget 1.21", Source::Measured, &Quirks { by_proxy: true, ..WGET }),
    program("perl-uri", "Perl `URI` 5.17", Source::Measured, &PERL_URI),
    program("go", "Go 1.19 `net/http`", Source::Measured, &GO),
    program("ruby", "Ruby 3.1 `URI`", Source::Measured, &RUBY),
    program("php", "PHP 8.2 `parse_url`", Source::Measured, &PHP),
    standard("rust-url", "the crate `url` 2.5.8", Departures::RUST_URL),
    program("rust-http", "the crate `http` 1.5", Source::Measured, &RUST_HTTP),
    edition(&edition::RFC3987, true),
    edition(&edition::RFC3986, true),
    edition(&edition::URI_2003, false),
    edition(&edition::RFC2396, false),
    edition(&edition::URL_1997, false),
    edition(&edition::RFC1738, false),
    edition(&edition::URL_1994, false),
    edition(&edition::URL_1993, false),
];
