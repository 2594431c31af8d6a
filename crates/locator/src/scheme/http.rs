//! The http scheme and its variants: takes a URL, returns the first octet that breaks the edition's
//! rule for it, or its parts; `plan` has the request that fetches it. Follows "HTTP" of the draft of 1993, the
//! draft of 1994, RFC 1738, section 3.3, RFC 9110, section 4.2, and RFC 6455, section 3. This file
//! contains four schemes and the proxy of all others, because they use one protocol.
//!
//! The rules of three editions for http: takes the cursor after the scheme's ":", returns the first
//! octet that breaks the rule. Follows "BNF syntax" of the draft of 1993, "BNF for specific URL
//! schemes" of that of 1994, and RFC 1738, section 3.3.

#[cfg(feature = "plan")]
pub(super) mod plan;

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::parts::{Field, LoginParts, Part, Parts, Piece, Shape, builder};
use super::syntax::login::Login;
use super::{Equivalences, Scheme, SchemeRule, if_ruled, or_root};
use crate::build::ComponentValue;
use crate::component::SpannedStr;
use crate::edition::{Edition, RFC1738, Rule, URL_1993, URL_1994, rfc1738};
use crate::error::ParseError;
use crate::form::{Syntax, SyntaxError};
#[cfg(feature = "plan")]
use crate::plan::{Options, Plan, PlanError};
use crate::reference::UriRef;
use crate::scheme::cursor::{
    BNF_1993, BNF_1994, PATH_1993, PATH_1994, SEARCH_1738, SEARCH_1993, SEARCH_1994,
};
use crate::scheme::{Reader, Terminal};
use crate::simd::AsciiSet;
use crate::span::Component;

/// A scheme of resources that are addressed like those of the World Wide Web.
#[derive(Debug)]
pub(super) struct Http {
    names: &'static [&'static str],
    object: &'static str,
    form: Syntax,
    equivalence: &'static str,
    rules: &'static [SchemeRule],
    port: u16,
    /// Whether the connection uses TLS.
    #[cfg_attr(not(feature = "plan"), allow(dead_code, reason = "data for its plan"))]
    is_secured: bool,
    /// Whether HTTP only opens the connection, as for WebSocket.
    #[cfg_attr(not(feature = "plan"), allow(dead_code, reason = "data for its plan"))]
    is_conversation: bool,
}

/// The scheme of resources of the World Wide Web.
pub(super) static HTTP: Http = Http {
    names: &["http"],
    object: "a resource",
    form: Syntax { text: "http://host[:port][/path][?query]", citation: "RFC 9110, 4.2.1" },
    equivalence: "RFC 9110, 4.2.3",
    rules: &RULES,
    port: 80,
    is_secured: false,
    is_conversation: false,
};

/// The https scheme, http over TLS (RFC 9110, 4.2.2); no edition has a rule for it.
pub(super) static HTTPS: Http = Http {
    names: &["https"],
    object: "a resource, secured",
    form: Syntax { text: "https://host[:port][/path][?query]", citation: "RFC 9110, 4.2.2" },
    rules: &[],
    port: 443,
    is_secured: true,
    ..HTTP
};

/// The WebSocket scheme, whose connections begin as HTTP (RFC 6455, 3).
pub(super) static WS: Http = Http {
    names: &["ws"],
    object: "a conversation",
    form: Syntax { text: "ws://host[:port][/path][?query]", citation: "RFC 6455, 3" },
    equivalence: "RFC 6455, 3",
    rules: &[],
    is_conversation: true,
    ..HTTP
};

/// The WebSocket scheme over TLS.
pub(super) static WSS: Http = Http {
    names: &["wss"],
    object: "a conversation, secured",
    form: Syntax { text: "wss://host[:port][/path][?query]", citation: "RFC 6455, 3" },
    port: 443,
    is_secured: true,
    ..WS
};

impl Scheme for Http {
    fn names(&self) -> &'static [&'static str] {
        self.names
    }

    fn object(&self) -> &'static str {
        self.object
    }

    fn form(&self) -> Syntax {
        self.form
    }

    fn equivalence(&self) -> &'static str {
        self.equivalence
    }

    fn rules(&self) -> &'static [SchemeRule] {
        self.rules
    }

    fn default_port(&self) -> Option<u16> {
        Some(self.port)
    }
}

impl Equivalences for Http {
    fn normal_path<'a>(&self, path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        // "An empty path component is equivalent to an absolute path of "/"" (RFC 9110, 4.2.3).
        or_root(path, reference)
    }

    // "Within the <path> and <searchpart> components, "/", ";", "?" are reserved" (RFC 1738, 3.3).
    // Forms reserve "&", "=" and "+" in the query (RFC 1866, 8.2.1).
    fn unreserved(&self, part: Component, reference: UriRef<'_>) -> AsciiSet {
        match part {
            Component::Path => if_ruled(self, reference, b":@&="),
            Component::Query => if_ruled(self, reference, b":@"),
            _ => AsciiSet::EMPTY,
        }
    }
}

impl super::Divide for Http {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        HttpUrl::read(reference, self).map(|url| url.fields())
    }

    fn parts(&self, edition: &Edition) -> &'static [Part] {
        if edition.query_is_words { &PARTS_WITH_WORDS } else { &PARTS }
    }
}

#[cfg(feature = "plan")]
impl super::Planner for Http {
    fn plan(&self, reference: UriRef<'_>, options: &Options<'_>) -> Result<Plan, PlanError> {
        HttpUrl::read(reference, self)?.plan(self, options)
    }

    // The other schemes use a proxy that does not see the content.
    fn has_proxies(&self) -> bool {
        !self.is_secured && !self.is_conversation
    }
}

/// A view of an http, https, ws or wss URL as a server, a path and a query.
///
/// ```
/// use locator::scheme::HttpUrl;
///
/// let url = HttpUrl::of(locator::uri_ref!("http://h:8080/a%20b?q#f")).unwrap();
/// assert_eq!((url.path.as_str(), url.query.unwrap().as_str()), ("/a%20b", "q"));
/// assert_eq!(url.login.port_number(), Ok(Some(8080)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HttpUrl<'a> {
    url: UriRef<'a>,
    /// The server. RFC 1738, 3.3: "No user name or password is allowed"; later editions do not say
    /// so, and neither is sent unless the server requests it.
    pub login: Login<'a>,
    /// The path with its first "/", or an empty path.
    pub path: SpannedStr<'a>,
    /// The query after "?".
    pub query: Option<SpannedStr<'a>>,
}

impl<'a> HttpUrl<'a> {
    /// Parses a reference as a URL of this scheme, like `try_from`.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, has no authority, or breaks the rule of its edition.
    pub fn of(reference: UriRef<'a>) -> Result<Self, SyntaxError> {
        let mut read = [&HTTP, &HTTPS, &WS, &WSS].into_iter().map(|scheme| Self::read(reference, scheme));
        let own = read.find(|read| *read != Err(SyntaxError::OtherScheme));
        own.unwrap_or(Err(SyntaxError::OtherScheme))
    }

    fn read(reference: UriRef<'a>, scheme: &dyn Scheme) -> Result<Self, SyntaxError> {
        let (login, rest) = Login::read_hostport(reference, scheme)?;
        let (path, query) = rest.split_once("?").map_or((rest, None), |(path, query)| (path, Some(query)));
        Ok(Self { url: reference, login, path, query })
    }

    fn fields(&self) -> Vec<Field<'a>> {
        self.login.fields().one("path", self.path).maybe("query", self.query).end()
    }
}
const PATH: Part = Part::new("path", "", rfc1738::UCHAR).without_steps().of(Shape::Many('/'));
const QUERY: AsciiSet = rfc1738::UCHAR.union(AsciiSet::of(b"&="));

/// "Within the `<path>` and `<searchpart>` components, "/", ";", "?" are reserved" (RFC 1738, 3.3).
static PARTS: [Part; 2] = [PATH, Part::new("query", "?", QUERY).in_query()];
/// "+" divides words if the query consists of words.
static PARTS_WITH_WORDS: [Part; 2] =
    [PATH, Part::new("query", "?", QUERY.difference(AsciiSet::of(b"+"))).in_query()];

builder! {
    /// A builder of http, https, ws and wss URLs from a server, a path and a query.
    ///
    /// ```
    /// use locator::Value;
    /// use locator::scheme::{HttpParts, HttpUrl, LoginParts};
    ///
    /// let parts = HttpParts::new("https", LoginParts::new("h").port(8080))
    ///     .segment("a/b")
    ///     .segment("c");
    /// let url = parts.query(Value::Text("x y")).build()?;
    /// assert_eq!(url, "https://h:8080/a%2Fb/c?x%20y");
    /// let parts = HttpUrl::try_from(&url).unwrap().parts();
    /// assert_eq!(parts.query(None).build()?, "https://h:8080/a%2Fb/c");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    HttpParts of HttpUrl, by [HTTP, HTTPS, WS, WSS];

    /// Sets the server.
    login;
    /// Adds a segment to the path.
    each segment: "path";
}

impl<'v> HttpParts<'v> {
    /// Creates a builder of a URL of a scheme, such as `https`, and a server.
    pub fn new(scheme: &'v str, login: impl Into<LoginParts<'v>>) -> Self {
        // A "/" is before each segment, so the first value is what is before the first "/".
        Self(Parts::new(scheme).at(login).with("path", ""))
    }

    /// Sets the query, without "?", or removes it.
    pub fn query(mut self, query: impl ComponentValue<'v>) -> Self {
        match query.into_value() {
            Some(query) => self.0.set("query", Piece::One(query)),
            None => self.0.remove("query"),
        }
        self
    }
}

static RULES: [SchemeRule; 3] = [
    SchemeRule {
        edition: &URL_1993,
        rule: &Rule::new("httpaddress", BNF_1993, "the form http://host[:port][/path][?search]"),
        check: check_1993,
    },
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule::new("httpaddress", BNF_1994, "the form http://host[:port][/path][?search]"),
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule::new("httpurl", "3.3", "the form http://host[:port][/path[?search]]"),
        check: check_1738,
    },
];

// httpaddress = "http://" hostport [ "/" path ] [ "?" search ]
fn check_1993(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    check_address(reader, &PATH_1993, &SEARCH_1993)
}

// httpaddress = "http://" hostport [ "/" path ] [ "?" search ]
fn check_1994(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    check_address(reader, &PATH_1994, &SEARCH_1994)
}

fn check_address(
    reader: &mut Reader<'_>,
    path: &'static Terminal,
    search: &'static Terminal,
) -> Result<(), ParseError> {
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
fn check_1738(reader: &mut Reader<'_>) -> Result<(), ParseError> {
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
static HPATH_1738: Terminal = Terminal::new(
    rfc1738::UCHAR.union(AsciiSet::of(b";:@&=/")),
    "hpath",
    "3.3",
    "letters, digits, escapes or any of $-_.+!*'(),;:@&= and \"/\"",
);
