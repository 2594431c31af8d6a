//! The telnet, rlogin and tn3270 schemes, for interactive sessions: takes a URL, returns the first
//! octet that breaks the edition's rule for it, or its login; `plan` has the program to start. Follows
//! "Telnet, rlogin, tn3270" of the drafts of 1993 and 1994, and RFC 1738, section 3.8.

#[cfg(feature = "plan")]
mod plan;

#[cfg(feature = "plan")]
pub(super) use plan::{Client, session};

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::cursor::{BNF_1993, BNF_1994};
use super::parts::{Field, LoginParts, Parts, builder};
use super::syntax::login::Login;
use super::{Equivalences, Reader, Scheme, SchemeRule, if_ruled, or_root};
use crate::edition::{RFC1738, Rule, URL_1993, URL_1994};
use crate::error::ParseError;
use crate::form::{Syntax, SyntaxError};
#[cfg(feature = "plan")]
use crate::plan::{Options, Plan, PlanError};
use crate::reference::UriRef;
use crate::simd::AsciiSet;
use crate::span::Component;

/// A scheme of interactive sessions.
#[derive(Debug)]
pub(super) struct Interactive {
    names: &'static [&'static str],
    form: Syntax,
    port: u16,
    /// The default program and its arguments.
    #[cfg_attr(not(feature = "plan"), allow(dead_code, reason = "data for its plan"))]
    program: &'static [&'static str],
    rules: &'static [SchemeRule],
}

/// The scheme of TELNET sessions.
pub(super) static TELNET: Interactive = Interactive {
    names: &["telnet"],
    form: Syntax { text: "telnet://[user[:password]@]host[:port][/]", citation: "RFC 1738, 3.8" },
    port: 23,
    program: &["telnet", "{host}", "{port}"],
    rules: &TELNET_RULES,
};

/// The scheme of rlogin sessions.
pub(super) static RLOGIN: Interactive = Interactive {
    names: &["rlogin"],
    form: Syntax { text: "rlogin://[user[:password]@]host[:port]", citation: "draft of 1994, BNF" },
    port: 513,
    program: &["rlogin", "-p", "{port}", "-l", "{user}", "{host}"],
    rules: &RLOGIN_RULES,
};

/// The scheme of sessions with a 3270 terminal.
pub(super) static TN3270: Interactive = Interactive {
    names: &["tn3270"],
    form: Syntax { text: "tn3270://[user[:password]@]host[:port]", citation: "RFC 6270, 2" },
    port: 23,
    program: &["c3270", "{host}:{port}"],
    rules: &TN3270_RULES,
};

impl Scheme for Interactive {
    fn names(&self) -> &'static [&'static str] {
        self.names
    }

    fn object(&self) -> &'static str {
        "an interactive session"
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

impl Equivalences for Interactive {
    fn normal_path<'a>(&self, path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        normal_path(path, reference)
    }

    // "Within the user and password field, any ":", "@", or "/" must be encoded" (RFC 1738, 3.1).
    fn unreserved(&self, part: Component, reference: UriRef<'_>) -> AsciiSet {
        if part == Component::Userinfo { if_ruled(self, reference, b";?&=") } else { AsciiSet::EMPTY }
    }

    fn is_hierarchical(&self) -> bool {
        false
    }
}

impl super::Divide for Interactive {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        SessionUrl::read(reference, self).map(|url| url.login.fields().end())
    }
}

#[cfg(feature = "plan")]
impl super::Planner for Interactive {
    fn plan(&self, reference: UriRef<'_>, options: &Options<'_>) -> Result<Plan, PlanError> {
        SessionUrl::read(reference, self)?.plan(self, options)
    }
}

/// telneturl = "telnet://" login [ "/" ]; the drafts have no "/", and nothing but a login.
fn normal_path<'a>(path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
    let has_slash = reference.edition().forms.session_slash && reference.query().is_none();
    if has_slash { or_root(path, reference) } else { Cow::Borrowed(path) }
}

/// A view of a telnet, rlogin or tn3270 URL as a server and a suggested user.
///
/// ```
/// use locator::scheme::SessionUrl;
///
/// let url =
///     SessionUrl::of(locator::uri_ref!("telnet://guest:guest@host.dom:2323/"))
///         .unwrap();
/// assert_eq!(url.login.user.unwrap().as_str(), "guest");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionUrl<'a> {
    url: UriRef<'a>,
    /// The server; "the `<user>` and `<password>` supplied are advisory only".
    pub login: Login<'a>,
}

impl<'a> SessionUrl<'a> {
    /// Parses a reference as a URL of this scheme, like `try_from`.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, has no authority or a path, or breaks the rule of its
    /// edition.
    pub fn of(reference: UriRef<'a>) -> Result<Self, SyntaxError> {
        let mut read = [&TELNET, &RLOGIN, &TN3270].into_iter().map(|scheme| Self::read(reference, scheme));
        read.find(|read| *read != Err(SyntaxError::OtherScheme)).unwrap_or(Err(SyntaxError::OtherScheme))
    }

    fn read(reference: UriRef<'a>, scheme: &Interactive) -> Result<Self, SyntaxError> {
        let (login, rest) = Login::read(reference, scheme)?;
        match rest.as_str() {
            "" | "/" => Ok(Self { url: reference, login }),
            _ => Err(SyntaxError::Form { span: rest.place(), form: scheme.form }),
        }
    }
}

builder! {
    /// A builder of telnet, rlogin and tn3270 URLs from a server and a suggested user.
    ///
    /// ```
    /// use locator::edition::RFC1738;
    /// use locator::scheme::{LoginParts, SessionParts, SessionUrl};
    ///
    /// let url = SessionParts::new("telnet", LoginParts::new("host.dom").user("a@b"))
    ///     .build_with(&RFC1738)?;
    /// assert_eq!(url, "telnet://a%40b@host.dom");
    /// assert_eq!(
    ///     SessionUrl::try_from(&url)
    ///         .unwrap()
    ///         .parts()
    ///         .login("h")
    ///         .build_with(&RFC1738)?,
    ///     "telnet://h"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    SessionParts of SessionUrl, by [TELNET, RLOGIN, TN3270];

    /// Sets the server, and a suggested user.
    login;
}

impl<'v> SessionParts<'v> {
    /// Creates a builder of a URL of a scheme, `telnet`, `rlogin` or `tn3270`, and a server.
    pub fn new(scheme: &'v str, login: impl Into<LoginParts<'v>>) -> Self {
        Self(Parts::new(scheme).at(login))
    }
}

static TELNET_RULES: [SchemeRule; 3] = [
    SchemeRule {
        edition: &URL_1993,
        rule: &Rule::new("telnetaddress", BNF_1993, "the form telnet://[user@]host[:port]"),
        check: check_1993,
    },
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule::new("telnetaddress", BNF_1994, "the form telnet://[user[:password]@]host[:port]"),
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule::new("telneturl", "3.8", "the form telnet://[user[:password]@]host[:port][/]"),
        check: check_1738,
    },
];

static RLOGIN_RULES: [SchemeRule; 1] = [SchemeRule {
    edition: &URL_1994,
    rule: &Rule::new("telnetaddress", BNF_1994, "the form rlogin://[user[:password]@]host[:port]"),
    check: check_1994,
}];

static TN3270_RULES: [SchemeRule; 1] = [SchemeRule {
    edition: &URL_1994,
    rule: &Rule::new("telnetaddress", BNF_1994, "the form tn3270://[user[:password]@]host[:port]"),
    check: check_1994,
}];

// telnetaddress = "telnet://" [ user "@" ] hostport
fn check_1993(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_login_without_password()
}

// telnetaddress = ( "telnet" / "rlogin" / "tn3270" ) "://" login
fn check_1994(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_login()
}

// telneturl = "telnet://" login [ "/" ]
fn check_1738(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_login()?;
    reader.skip("/");
    Ok(())
}
