//! The whois scheme: takes a URL, returns the query that it represents. Follows "WHOIS" of the
//! draft of 1993, which calls it "a subject for further study", and RFC 3912, which defines
//! queries.

use alloc::borrow::Cow;
#[cfg(feature = "plan")]
use alloc::vec;
use alloc::vec::Vec;

use super::parts::{Field, LoginParts, Part, Parts, builder};
use super::syntax::login::Login;
use super::{Equivalences, Scheme, or_root};
use crate::build::Value;
use crate::component::SpannedStr;
use crate::edition::{Edition, rfc1738};
use crate::form::{Syntax, SyntaxError};
#[cfg(feature = "plan")]
use crate::plan::{
    Exchange, Framing, Line, Object, ObjectKind, Options, Plan, PlanError, Protocol, ReplyFraming, Step,
    Transport,
};
use crate::reference::UriRef;
#[cfg(feature = "plan")]
use crate::simd::AsciiSet;

/// The scheme of answers of WHOIS servers.
#[derive(Debug)]
pub(super) struct Whois;

impl Scheme for Whois {
    fn names(&self) -> &'static [&'static str] {
        &["whois"]
    }

    fn object(&self) -> &'static str {
        "the answer to a query"
    }

    fn form(&self) -> Syntax {
        Syntax { text: "whois://host[:port]/query", citation: "draft of 1993, WHOIS; RFC 3912" }
    }

    fn default_port(&self) -> Option<u16> {
        Some(43)
    }
}

impl Equivalences for Whois {
    // "/" is an ordinary character of queries.
    fn is_hierarchical(&self) -> bool {
        false
    }

    fn normal_path<'a>(&self, path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        if reference.query().is_some() { Cow::Borrowed(path) } else { or_root(path, reference) }
    }
}

impl super::Divide for Whois {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        let url = WhoisUrl::of(reference)?;
        Ok(url.login.fields().one("handle", url.handle).end())
    }

    fn parts(&self, _: &Edition) -> &'static [Part] {
        &PARTS
    }
}

#[cfg(feature = "plan")]
impl super::Planner for Whois {
    // "The client transmits a text request to the server, then the server replies with the text
    // content. All requests are terminated with ASCII CR and then ASCII LF. The server closes its
    // connection as soon as the output is finished" (RFC 3912, 2).
    fn plan(&self, reference: UriRef<'_>, _: &Options<'_>) -> Result<Plan, PlanError> {
        let url = WhoisUrl::of(reference)?;
        let line = Line::new(&WHOIS, "").excerpt("the query", url.handle)?;
        let to = url.login.connection(43, Transport::Tcp, &WHOIS)?;
        let object = Object::new(ObjectKind::Text, "the answer", Framing::Connection);
        Ok(Plan::with_session(vec![Step::Connect(to)]).then(Exchange::new(line.end())).then(object))
    }

    fn has_proxies(&self) -> bool {
        true
    }
}

/// A view of a whois URL as a server and a handle.
///
/// ```
/// use locator::scheme::WhoisUrl;
///
/// let url =
///     WhoisUrl::of(locator::uri_ref!("whois://rs.internic.net/smith%2C%20bob"))
///         .unwrap();
/// assert_eq!(url.handle.decode().as_ref(), b"smith, bob");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WhoisUrl<'a> {
    url: UriRef<'a>,
    /// The server.
    pub login: Login<'a>,
    /// "A whois handle for a whois object, or a valid whois query string".
    pub handle: SpannedStr<'a>,
}

impl<'a> WhoisUrl<'a> {
    /// Parses a reference as a URL of this scheme, like `try_from`.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, or has no authority.
    pub fn of(reference: UriRef<'a>) -> Result<Self, SyntaxError> {
        let (login, rest) = Login::read_server(reference, &Whois)?;
        match rest.strip_prefix("/") {
            Some(handle) => Ok(Self { url: reference, login, handle }),
            None if rest.is_empty() => Ok(Self { url: reference, login, handle: rest }),
            None => Err(SyntaxError::Form { span: rest.place(), form: Whois.form() }),
        }
    }
}

#[cfg(feature = "plan")]
static WHOIS: Protocol = Protocol {
    name: "WHOIS",
    delimiters: AsciiSet::EMPTY,
    line_end: b"\r\n",
    citation: "RFC 3912, 2",
    replies: ReplyFraming::None,
    meanings: &[],
};

static PARTS: [Part; 1] = [Part::new("handle", "/", rfc1738::UCHAR)];

builder! {
    /// A builder of whois URLs from a server and a handle.
    ///
    /// ```
    /// use locator::scheme::{WhoisParts, WhoisUrl};
    ///
    /// let url = WhoisParts::new("rs.internic.net", "joe @").build()?;
    /// assert_eq!(url, "whois://rs.internic.net/joe%20%40");
    /// assert_eq!(
    ///     WhoisUrl::try_from(&url).unwrap().parts().login("h").build()?,
    ///     "whois://h/joe%20%40"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    WhoisParts of WhoisUrl, by [Whois];

    /// Sets the server.
    login;
    /// Sets the handle or query.
    one handle: "handle";
}

impl<'v> WhoisParts<'v> {
    /// Creates a builder of the URL of a query to a server.
    pub fn new(login: impl Into<LoginParts<'v>>, handle: impl Into<Value<'v>>) -> Self {
        Self(Parts::new("whois").at(login).with("handle", handle))
    }
}
