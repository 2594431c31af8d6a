//! Writes the typed builder of a scheme's URLs, such as [`FtpParts`](crate::scheme::FtpParts): a
//! method for each part by its name in the table of the scheme ([`Divide::parts`]), `build`, `build_with`
//! and `parts` of the view.
//!
//! [`Divide::parts`]: crate::scheme::Divide::parts
//!
//! The builder of a login, with the number of its port: takes values, as data or encoded, and sets
//! them in the authority of a URL. Follows RFC 3986, section 3.2.

use crate::build::{BuildError, Edit, Value};
use crate::error::Hidden;
use crate::reference::UriRef;
use crate::scheme::syntax::login::Login;
use crate::span::Component;
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use core::fmt::{self, Debug, Formatter};

/// Declares a builder, the view that it is made from, and the schemes whose URLs it builds. A
/// setter is one of these: `login` for the server, `one` for a part with one value, `each` and
/// `pair` for one more value of a part with several, and `number`. `prepare` is a function that
/// takes the parts before they are written, for what depends on the edition.
macro_rules! builder {
    (
        $(#[$doc:meta])*
        $name:ident of $view:ident, by [$($scheme:expr),+] $(, prepare $prepare:path)?;
        $($setters:tt)*
    ) => {
        $(#[$doc])*
        #[must_use = "it builds nothing before `build`"]
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name<'v>($crate::scheme::parts::Parts<'v>);

        impl<'v> $name<'v> {
            $crate::scheme::parts::setters! { $($setters)* }

            /// Returns the parts without the named one; [`part_names`](crate::scheme::part_names)
            /// lists the names.
            pub fn without(mut self, part: &str) -> Self {
                self.0.remove(part);
                self
            }

            /// Builds the URL by RFC 3986, as [`build_with`](Self::build_with) does by any edition.
            ///
            /// # Errors
            ///
            /// Returns the errors of `build_with`.
            pub fn build(&self) -> Result<$crate::reference::UriBuf, $crate::build::BuildError> {
                self.build_with($crate::edition::DEFAULT)
            }

            /// Writes the URL and parses it by the edition and by its rule for the scheme.
            ///
            /// # Errors
            ///
            /// A value that is not allowed in a URL of the edition, or that would be read as
            /// something else; a segment "." or ".." as data, which other programs would take for a
            /// step.
            pub fn build_with(
                &self,
                edition: &'static $crate::edition::Edition,
            ) -> Result<$crate::reference::UriBuf, $crate::build::BuildError> {
                let parts = self.0.clone();
                $(let parts = $prepare(parts, edition)?;)?
                parts.build(&[$(&$scheme),+], edition)
            }
        }

        impl<'a> $view<'a> {
            /// Returns the parts of this URL; building them by its edition returns the identical
            /// URL.
            pub fn parts(&self) -> $name<'a> {
                $name($crate::scheme::parts::Parts::of(self.url, &[$(&$scheme),+]))
            }
        }
    };
}

/// Writes the setters of a builder.
macro_rules! setters {
    () => {};
    ($(#[$doc:meta])* login; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn login(mut self, login: impl Into<$crate::scheme::LoginParts<'v>>) -> Self {
            self.0.login = Some(login.into());
            self
        }
        $crate::scheme::parts::setters! { $($rest)* }
    };
    ($(#[$doc:meta])* one $method:ident: $part:literal; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $method(mut self, value: impl Into<$crate::build::Value<'v>>) -> Self {
            self.0.set($part, $crate::scheme::parts::Piece::One(value.into()));
            self
        }
        $crate::scheme::parts::setters! { $($rest)* }
    };
    ($(#[$doc:meta])* each $method:ident: $part:literal; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $method(mut self, value: impl Into<$crate::build::Value<'v>>) -> Self {
            self.0.push($part, $crate::scheme::parts::Piece::One(value.into()));
            self
        }
        $crate::scheme::parts::setters! { $($rest)* }
    };
    ($(#[$doc:meta])* pair $method:ident: $part:literal; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $method(
            mut self,
            name: impl Into<$crate::build::Value<'v>>,
            value: impl Into<$crate::build::Value<'v>>,
        ) -> Self {
            self.0.push($part, $crate::scheme::parts::Piece::Pair(name.into(), value.into()));
            self
        }
        $crate::scheme::parts::setters! { $($rest)* }
    };
    ($(#[$doc:meta])* number $method:ident: $part:literal; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $method(mut self, number: u64) -> Self {
            let digits = alloc::string::ToString::to_string(&number);
            self.0.set($part, $crate::scheme::parts::Piece::Text(digits));
            self
        }
        $crate::scheme::parts::setters! { $($rest)* }
    };
}

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
#[derive(Clone, Copy, PartialEq, Eq)]
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
        login.field("user", &self.user).field("password", &self.password.map(|_| Hidden));
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
    pub(super) fn set(&self, edit: &mut Edit<'_>) -> Result<(), BuildError> {
        let is_raw =
            [Some(self.host), self.user, self.password].into_iter().flatten().all(|one| !one.is_decoded());
        if is_raw {
            // If host and port cannot be set separately, as with a registered name, the authority
            // is set as a whole.
            edit.set(Component::Authority, Value::Encoded(&self.text()))?;
            return Ok(());
        }
        edit.set(Component::Host, self.host)?;
        if let Some(user) = self.user {
            edit.set_user(user)?;
            if let Some(password) = self.password {
                edit.set_password(password)?;
            }
        }
        if let Some(port) = self.port {
            edit.set(Component::Port, Value::Encoded(&port.text()))?;
        }
        Ok(())
    }

    /// Returns the authority, with each value encoded.
    fn text(&self) -> String {
        let text = |value: Option<Value<'v>>| match value {
            Some(Value::Encoded(text) | Value::Text(text)) => text,
            _ => "",
        };
        let mut authority = String::new();
        if self.user.is_some() {
            authority.push_str(text(self.user));
            if self.password.is_some() {
                authority.push(':');
                authority.push_str(text(self.password));
            }
            authority.push('@');
        }
        authority.push_str(text(Some(self.host)));
        if let Some(port) = self.port {
            authority.push(':');
            authority.push_str(&port.text());
        }
        authority
    }

    /// Returns whether a URL has the values of this login that are encoded. Data needs no check: its
    /// delimiters are escaped.
    pub(super) fn is_read_in(self, url: UriRef<'_>) -> bool {
        let Some(read) = Login::of(url) else { return false };
        let read = read.parts();
        self.values().filter(|value| !value.is_decoded()).all(|value| read.values().any(|one| one == value))
    }

    fn values(&self) -> impl Iterator<Item = Value<'v>> + use<'v> {
        let password = self.password.filter(|_| self.user.is_some());
        let port = self.port.and_then(Number::raw);
        [self.user, password, Some(self.host), port].into_iter().flatten()
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
pub(crate) use {builder, setters};
