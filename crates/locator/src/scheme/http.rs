//! http and what is addressed like it: what follows the scheme enters, the first octet that breaks
//! the edition's rule for it leaves. Follows "HTTP" of the draft of 1993, the draft of 1994, and RFC 1738, section 3.3.

use alloc::borrow::Cow;

use super::piece::{BNF_1993, BNF_1994, PATH_1993, PATH_1994, SEARCH_1738, SEARCH_1993, SEARCH_1994};
use super::{Piece, Reader, Scheme, SchemeRule};
use crate::edition::{RFC1738, Rule, URL_1993, URL_1994, rfc1738};
use crate::error::Error;
use crate::octet::Set;
use crate::reference::UriRef;

/// Resources of the World Wide Web.
#[derive(Debug)]
pub(super) struct Http;

impl Scheme for Http {
    fn names(&self) -> &'static [&'static str] {
        &["http"]
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &RULES
    }

    fn default_port(&self) -> Option<u16> {
        Some(80)
    }

    fn normal_path<'a>(&self, path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        or_root(path, reference)
    }
}

/// The same over TLS (RFC 9110, 4.2.2); no edition has a rule for it.
#[derive(Debug)]
pub(super) struct Https;

impl Scheme for Https {
    fn names(&self) -> &'static [&'static str] {
        &["https"]
    }

    fn default_port(&self) -> Option<u16> {
        Some(443)
    }

    fn normal_path<'a>(&self, path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        or_root(path, reference)
    }
}

/// Conversations that begin as HTTP (RFC 6455, 3).
#[derive(Debug)]
pub(super) struct Ws;

impl Scheme for Ws {
    fn names(&self) -> &'static [&'static str] {
        &["ws"]
    }

    fn default_port(&self) -> Option<u16> {
        Some(80)
    }

    fn normal_path<'a>(&self, path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        or_root(path, reference)
    }
}

/// The same over TLS.
#[derive(Debug)]
pub(super) struct Wss;

impl Scheme for Wss {
    fn names(&self) -> &'static [&'static str] {
        &["wss"]
    }

    fn default_port(&self) -> Option<u16> {
        Some(443)
    }

    fn normal_path<'a>(&self, path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        or_root(path, reference)
    }
}

/// "In general, a URI that uses the generic syntax for authority with an empty path should be
/// normalized to a path of "/"" (RFC 3986, 6.2.3); http says so itself, and RFC 6455, 3, of its own.
fn or_root<'a>(path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
    let root = path.is_empty() && reference.authority().is_some();
    Cow::Borrowed(if root { "/" } else { path })
}

static RULES: [SchemeRule; 3] = [
    SchemeRule {
        edition: &URL_1993,
        rule: &Rule {
            name: "httpaddress",
            section: BNF_1993,
            expects: "the form http://host[:port][/path][?search]",
        },
        check: check_1993,
    },
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule {
            name: "httpaddress",
            section: BNF_1994,
            expects: "the form http://host[:port][/path][?search]",
        },
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule {
            name: "httpurl",
            section: "3.3",
            expects: "the form http://host[:port][/path[?search]]",
        },
        check: check_1738,
    },
];

// httpaddress = "http://" hostport [ "/" path ] [ "?" search ]
fn check_1993(reader: &mut Reader<'_>) -> Result<(), Error> {
    check_address(reader, &PATH_1993, &SEARCH_1993)
}

// httpaddress = "http://" hostport [ "/" path ] [ "?" search ]
fn check_1994(reader: &mut Reader<'_>) -> Result<(), Error> {
    check_address(reader, &PATH_1994, &SEARCH_1994)
}

fn check_address(reader: &mut Reader<'_>, path: &'static Piece, search: &'static Piece) -> Result<(), Error> {
    reader.take_hostport()?;
    if reader.skip("/") {
        reader.take(path, b"?")?;
    }
    if reader.skip("?") {
        reader.take_some(search, b"")?;
    }
    Ok(())
}

// httpurl = "http://" hostport [ "/" hpath [ "?" search ] ]
fn check_1738(reader: &mut Reader<'_>) -> Result<(), Error> {
    reader.take_hostport()?;
    if reader.skip("/") {
        reader.take(&HPATH_1738, b"?")?;
        if reader.skip("?") {
            reader.take(&SEARCH_1738, b"")?;
        }
    }
    Ok(())
}

// hpath = hsegment *( "/" hsegment ); hsegment = *( uchar / ";" / ":" / "@" / "&" / "=" )
static HPATH_1738: Piece = Piece::new(
    rfc1738::UCHAR.or(Set::of(b";:@&=/")),
    "hpath",
    "3.3",
    "letters, digits, escapes or any of $-_.+!*'(),;:@&= and \"/\"",
);
