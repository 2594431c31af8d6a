//! Edits the pieces of an authority: user, password, host and port. Takes them one at a time and
//! returns the text of the authority. RFC 3986, section 3.2.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;

use super::authority::{Login, read_authority, read_host, read_password, read_user, server};
use super::value::Position;
use super::{BuildError, Edit, OptionalValue, Value};
use crate::error::ParseErrorKind;
use crate::span::{Component, Span};

impl Edit<'_> {
    /// Sets the user and keeps the password; ":" and "@" in data are escaped. `None` removes the
    /// user and the password.
    ///
    /// ```
    /// let mut edit = locator::uri!("ftp://jan:secret@h/").edit();
    /// assert_eq!(edit.set_user("a:b@c")?.finish()?, "ftp://a%3Ab%40c:secret@h/");
    /// assert_eq!(edit.set_user(None)?.finish()?, "ftp://h/");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there is no authority, if it is a registered name, or if the edition
    /// defines no user there.
    pub fn set_user<'v>(&mut self, user: impl OptionalValue<'v>) -> Result<&mut Self, BuildError> {
        let Some(user) = user.into_optional() else {
            self.remove_of_authority(Component::Userinfo)?;
            return Ok(self);
        };
        let login = server(self.edition, &self.login, Component::Userinfo)?;
        let user = read_user(self.edition, &user)?;
        let password = login.userinfo.as_deref().and_then(|userinfo| userinfo.split_once(':'));
        let userinfo = password.map_or(user.clone(), |(_, password)| format!("{user}:{password}"));
        self.put_userinfo(Some(userinfo))
    }

    /// Sets the password of the existing user. `None` removes the password, if there is one, and
    /// keeps the user.
    ///
    /// ```
    /// let mut edit = locator::uri!("ftp://jan@h/").edit();
    /// assert_eq!(
    ///     edit.set_password("p@ss word")?.finish()?,
    ///     "ftp://jan:p%40ss%20word@h/"
    /// );
    /// assert_eq!(edit.set_password(None)?.finish()?, "ftp://jan@h/");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there is no user, if the authority is a registered name, or if the
    /// edition defines no password there.
    pub fn set_password<'v>(&mut self, password: impl OptionalValue<'v>) -> Result<&mut Self, BuildError> {
        let Some(password) = password.into_optional() else {
            return self.remove_password();
        };
        let login = server(self.edition, &self.login, Component::Userinfo)?;
        let userinfo = login.userinfo.as_deref().ok_or(BuildError::NoUser { edition: self.edition })?;
        let password = read_password(self.edition, &password)?;
        let user = userinfo.split_once(':').map_or(userinfo, |(user, _)| user);
        let userinfo = format!("{user}:{password}");
        self.put_userinfo(Some(userinfo))
    }

    fn remove_password(&mut self) -> Result<&mut Self, BuildError> {
        let Some(login) = &self.login else { return Ok(self) };
        if login.registered {
            return Err(BuildError::Registered { edition: self.edition });
        }
        let user = login.userinfo.as_deref().and_then(|userinfo| userinfo.split_once(':'));
        let Some((user, _)) = user else { return Ok(self) };
        let user = String::from(user);
        self.put_userinfo(Some(user))
    }

    /// Sets the whole authority, which must be percent-encoded.
    pub(super) fn put_authority(&mut self, value: Value<'_>) -> Result<(), BuildError> {
        let text = match &value {
            Value::Encoded(text) => text,
            Value::Mixed(text) => &**text,
            _ => return Err(BuildError::AuthorityAsData { edition: self.edition }),
        };
        self.login = Some(read_authority(self.edition, text)?);
        Ok(())
    }

    /// Sets user and password together: data is a user; a text with escapes is divided at its first
    /// ":".
    pub(super) fn put_user_and_password(&mut self, value: Value<'_>) -> Result<(), BuildError> {
        server(self.edition, &self.login, Component::Userinfo)?;
        let piece: fn(&str) -> Value<'_> = match &value {
            Value::Mixed(_) => |text| Value::Mixed(Cow::Borrowed(text)),
            _ => |text| Value::Encoded(text),
        };
        let divided = match &value {
            Value::Encoded(text) => text.split_once(':'),
            Value::Mixed(text) => text.split_once(':'),
            _ => None,
        };
        let userinfo = match divided {
            None => read_user(self.edition, &value)?,
            Some((user, password)) => {
                let before = isize::try_from(user.len() + 1).unwrap_or(isize::MAX);
                let user = read_user(self.edition, &piece(user))?;
                let password = read_password(self.edition, &piece(password));
                format!("{user}:{}", password.map_err(|error| error.moved_by(before))?)
            }
        };
        self.put_userinfo(Some(userinfo)).map(|_| ())
    }

    /// Sets the host, and adds an authority if the reference has no authority.
    pub(super) fn put_host(&mut self, value: Value<'_>) -> Result<(), BuildError> {
        let host = read_host(self.edition, &value)?;
        match &mut self.login {
            None => self.login = Some(Login::of_host(host)),
            Some(login) if login.registered => return Err(BuildError::Registered { edition: self.edition }),
            Some(login) => login.host = host.into(),
        }
        Ok(())
    }

    pub(super) fn put_port(&mut self, value: Value<'_>) -> Result<(), BuildError> {
        server(self.edition, &self.login, Component::Port)?;
        let place = Position::of(self.edition, Component::Port);
        let port = place.admit(&value)?;
        if port.is_empty() && !self.edition.server.port_may_be_empty {
            return Err(place.fault(ParseErrorKind::PortEmpty, &[], Span::new(0, 0)));
        }
        if let Some(login) = &mut self.login {
            login.port = Some(port.into());
        }
        Ok(())
    }

    /// Removes a component of the authority; an absent component is not an error.
    pub(super) fn remove_of_authority(&mut self, part: Component) -> Result<(), BuildError> {
        let Some(login) = &mut self.login else { return Ok(()) };
        if login.registered {
            return Err(BuildError::Registered { edition: self.edition });
        }
        match part {
            Component::Userinfo => login.userinfo = None,
            Component::Port => login.port = None,
            _ if login.is_host_alone() => self.login = None,
            _ => return Err(BuildError::HostNeeded { edition: self.edition }),
        }
        Ok(())
    }

    fn put_userinfo(&mut self, userinfo: Option<String>) -> Result<&mut Self, BuildError> {
        if let Some(login) = &mut self.login {
            login.userinfo = userinfo.map(Cow::Owned);
        }
        Ok(self)
    }
}
