//! The user and password for URLs that have none: `-u`, or the file `.netrc`.

use clap::Args;
use locator::{Edit, UriRef, UriRefBuf};

use crate::exit::CliError;
use crate::failure::Failure;
use crate::field::Refused;
use crate::netrc::{self, Login};

/// The options of a login.
#[derive(Args, Debug)]
pub(super) struct LoginArgs {
    /// Log in as USER if the URL contains no user; without PASSWORD you are asked for it
    #[arg(short, long, value_name = "USER[:PASSWORD]")]
    user: Option<String>,
    /// Read the user and password of the host from .netrc in the home directory, or from the file that
    /// the environment variable NETRC names
    #[arg(short = 'n', long, conflicts_with = "user")]
    netrc: bool,
    /// Send the login with the first request (Basic), before the server asks for it; wget's name, and what
    /// curl does
    #[arg(long)]
    auth_no_challenge: bool,
}

/// The logins for URLs that have none.
pub(super) struct Logins {
    /// The login of `-u`, for every host.
    user: Option<Login>,
    /// The logins of `.netrc` by host; `None` is its `default`.
    hosts: Vec<(Option<String>, Login)>,
}

impl LoginArgs {
    /// Returns whether a login is sent before the server asks for it.
    pub(super) const fn is_sent_at_once(&self) -> bool {
        self.auth_no_challenge
    }

    /// Reads the logins.
    pub(super) fn read(&self) -> Result<Logins, CliError> {
        let user = self.user.as_deref().map(|word| match word.split_once(':') {
            Some((user, password)) => Login { user: user.into(), password: Some(password.into()) },
            None => Login { user: word.into(), password: None },
        });
        let hosts = if self.netrc { netrc::read()? } else { Vec::new() };
        Ok(Logins { user, hosts })
    }
}

impl Logins {
    /// Returns the login for a server that the user chose.
    pub(super) fn of_host(&self, host: &str) -> Option<&Login> {
        let is_of_host = |(name, _): &&(Option<String>, Login)| {
            name.as_ref().is_none_or(|name| name.eq_ignore_ascii_case(host))
        };
        self.user.as_ref().or_else(|| self.hosts.iter().find(is_of_host).map(|(_, login)| login))
    }

    /// Adds the login of its host to a URL without a user; `None` if there is nothing to add.
    pub(super) fn add(&self, url: UriRef<'_>) -> Result<Option<UriRefBuf>, Failure> {
        let Some(authority) = url.authority().filter(|authority| authority.userinfo().is_none()) else {
            return Ok(None);
        };
        let Some(login) = self.of_host(authority.host().as_str()) else { return Ok(None) };
        let refused = |why| Failure::not_edited("--user", Refused::from(why));
        let mut edit = Edit::of(url);
        edit.set_user(login.user.as_str()).map_err(refused)?;
        if let Some(password) = &login.password {
            edit.set_password(password.as_str()).map_err(refused)?;
        }
        edit.finish().map(Some).map_err(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_is_added_to_a_url_without_one() {
        let logins = Logins { user: None, hosts: netrc::parse("machine h login a@b password c:d\n") };
        let with = |url| logins.add(UriRef::parse(url).unwrap()).unwrap().map(|url| url.to_string());
        assert_eq!(with("ftp://H/x").as_deref(), Some("ftp://a%40b:c:d@H/x"));
        assert_eq!(with("ftp://u@h/x"), None);
        assert_eq!(with("ftp://other/x"), None);
        assert_eq!(with("news:*"), None);
    }
}
