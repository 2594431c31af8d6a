//! The builder of a login, with the number of its port: takes values, as data or encoded, and sets
//! them in the authority of a URL. Follows RFC 3986, section 3.2.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use core::fmt::{self, Debug, Formatter};

use crate::build::{BuildError, Edit, Value};
use crate::error::Hidden;
use crate::reference::UriRef;
use crate::scheme::syntax::login::Login;
use crate::span::Component;

/// A number in a URL: its value, or its digits as a URL has them (`080`, or nothing).
///
/// ```
/// use locator::edition::RFC1738;
/// use locator::scheme::{LoginParts, Number, SessionParts};
///
/// let mut login = LoginParts::new("host.dom").port(23);
/// assert_eq!(login.port, Some(Number::Value(23)));
/// login.port = Some(Number::Raw("0023"));
/// assert_eq!(
///     SessionParts::new("telnet", login).build_with(&RFC1738)?,
///     "telnet://host.dom:0023"
/// );
/// # Ok::<_, locator::BuildError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number<'v> {
    /// The number, written in decimal digits.
    Value(u64),
    /// The digits, written unchanged.
    Raw(&'v str),
}

impl<'v> Number<'v> {
    /// Returns the written form of this number.
    fn text(self) -> Cow<'v, str> {
        match self {
            Self::Value(value) => Cow::Owned(value.to_string()),
            Self::Raw(digits) => Cow::Borrowed(digits),
        }
    }

    /// Returns the number as a value if it is given as digits.
    const fn raw(self) -> Option<Value<'v>> {
        match self {
            Self::Value(_) => None,
            Self::Raw(digits) => Some(Value::Encoded(digits)),
        }
    }
}

impl From<u64> for Number<'_> {
    fn from(value: u64) -> Self {
        Self::Value(value)
    }
}

/// A builder of the login of a URL: `[ user [ ":" password ] "@" ] host [ ":" port ]`.
///
/// A `&str` is a host alone, so it is accepted wherever a server is expected.
///
/// ```
/// use locator::scheme::{FtpParts, LoginParts};
///
/// let login = LoginParts::new("::1").user("a@b").password("c:d").port(2121);
/// assert_eq!(FtpParts::new(login).build()?, "ftp://a%40b:c:d@[::1]:2121/");
/// assert_eq!(FtpParts::new("h").build()?, "ftp://h/");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[non_exhaustive]
#[must_use]
#[derive(Clone, PartialEq, Eq)]
pub struct LoginParts<'v> {
    /// The user name.
    pub user: Option<Value<'v>>,
    /// The password of the user; it is not written without a user.
    pub password: Option<Value<'v>>,
    /// The host: a name, an IPv4 address, or an IPv6 address, whose brackets are optional in data.
    pub host: Value<'v>,
    /// The port; without one the scheme's default applies.
    pub port: Option<Number<'v>>,
}

impl Debug for LoginParts<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut login = f.debug_struct("LoginParts");
        login.field("user", &self.user).field("password", &self.password.as_ref().map(|_| Hidden));
        login.field("host", &self.host).field("port", &self.port).finish()
    }
}

impl<'v> LoginParts<'v> {
    /// Creates a login of a host: a name, an IPv4 address, or an IPv6 address with or without
    /// brackets.
    pub fn new(host: impl Into<Value<'v>>) -> Self {
        Self { user: None, password: None, host: host.into(), port: None }
    }

    /// Sets the user; ":" and "@" in data are escaped.
    pub fn user(self, user: impl Into<Value<'v>>) -> Self {
        Self { user: Some(user.into()), ..self }
    }

    /// Sets the password of the user.
    pub fn password(self, password: impl Into<Value<'v>>) -> Self {
        Self { password: Some(password.into()), ..self }
    }

    /// Sets the host.
    pub fn host(self, host: impl Into<Value<'v>>) -> Self {
        Self { host: host.into(), ..self }
    }

    /// Sets the port.
    pub fn port(self, port: u16) -> Self {
        Self { port: Some(Number::Value(port.into())), ..self }
    }

    /// Sets the authority of a URL.
    pub(in crate::scheme) fn set(&self, edit: &mut Edit<'_>) -> Result<(), BuildError> {
        let values = [Some(&self.host), self.user.as_ref(), self.password.as_ref()];
        let is_raw = values.into_iter().flatten().all(|one| !one.is_decoded());
        if is_raw {
            // If host and port cannot be set separately, as with a registered name, the authority
            // is set as a whole.
            edit.set(Component::Authority, Value::Encoded(&self.text()))?;
            return Ok(());
        }
        edit.set(Component::Host, self.host.clone())?;
        if let Some(user) = &self.user {
            edit.set_user(user.clone())?;
            if let Some(password) = &self.password {
                edit.set_password(password.clone())?;
            }
        }
        if let Some(port) = self.port {
            edit.set(Component::Port, Value::Encoded(&port.text()))?;
        }
        Ok(())
    }

    /// Returns the authority, with each value encoded.
    fn text(&self) -> String {
        let mut authority = String::new();
        if let Some(user) = &self.user {
            authority.push_str(user.text().unwrap_or_default());
            if let Some(password) = &self.password {
                authority.push(':');
                authority.push_str(password.text().unwrap_or_default());
            }
            authority.push('@');
        }
        authority.push_str(self.host.text().unwrap_or_default());
        if let Some(port) = self.port {
            authority.push(':');
            authority.push_str(&port.text());
        }
        authority
    }

    /// Returns whether a URL has the values of this login that are encoded. Data needs no check: its
    /// delimiters are escaped.
    pub(in crate::scheme) fn is_read_in(&self, url: UriRef<'_>) -> bool {
        let Some(read) = Login::of(url) else { return false };
        let read = read.parts();
        self.values().filter(|value| !value.is_decoded()).all(|value| read.values().any(|one| one == value))
    }

    fn values(&self) -> impl Iterator<Item = Value<'v>> + use<'v> {
        let password = self.password.clone().filter(|_| self.user.is_some());
        let port = self.port.and_then(Number::raw);
        [self.user.clone(), password, Some(self.host.clone()), port].into_iter().flatten()
    }
}

impl<'v, H: Into<Value<'v>>> From<H> for LoginParts<'v> {
    fn from(host: H) -> Self {
        Self::new(host)
    }
}

impl<'a> Login<'a> {
    /// Returns the parts of this login.
    pub fn parts(&self) -> LoginParts<'a> {
        LoginParts {
            user: self.user.map(Value::from),
            password: self.password.map(Value::from),
            host: self.host.into(),
            port: self.port.map(|port| Number::Raw(port.as_str())),
        }
    }
}
