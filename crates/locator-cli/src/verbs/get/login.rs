//! The user and password for URLs that have none: `-u`, or the file `.netrc`; and the schemes of HTTP by
//! which they may be sent.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use locator::scheme::HttpUrl;
use locator::{Edit, PctStr, UriRef, UriRefBuf};
use locator_fetch::http::{AuthSchemes, Http};

use crate::arguments::netrc::{self, Login};
use crate::exit::{CliError, say};
use crate::field::Refused;
use crate::report::failure::Failure;

/// The options of a login.
#[derive(Args, Debug)]
pub(super) struct LoginArgs {
    /// Log in as USER if the URL contains no user; without PASSWORD you are asked for it
    #[arg(short, long, value_name = "USER[:PASSWORD]")]
    user: Option<String>,
    /// Like the password of --user; wget's name
    #[arg(long, value_name = "PASSWORD", requires = "user", hide = true)]
    password: Option<String>,
    /// Read the user and password of the host from .netrc in the home directory, or from the file that
    /// the environment variable NETRC names
    #[arg(short = 'n', long, conflicts_with = "user")]
    netrc: bool,
    /// Like --netrc, but the file need not exist, and --user comes first
    #[arg(long)]
    netrc_optional: bool,
    /// Like --netrc, from FILE
    #[arg(long, value_name = "FILE", conflicts_with = "user")]
    netrc_file: Option<PathBuf>,
    /// Send the login with the first request (Basic), before the server asks for it; wget's name, and what
    /// curl does
    #[arg(long, conflicts_with_all = ["digest", "anyauth"])]
    auth_no_challenge: bool,
    /// Send the login by Basic only
    #[arg(long)]
    basic: bool,
    /// Send the login by Digest only; a server that wants Basic does not get the password
    #[arg(long)]
    digest: bool,
    /// Log in as the server demands, by Digest or Basic; this is the default
    #[arg(long)]
    anyauth: bool,
}

/// The logins for URLs that have none.
pub(super) struct Logins {
    /// The login of `-u`, for every host.
    user: Option<Login>,
    /// Whether it has been said that it is not used for a URL with a user, or need not be said.
    has_said_unused: AtomicBool,
    /// The logins of `.netrc` by host; `None` is its `default`.
    hosts: Vec<(Option<String>, Login)>,
}

impl LoginArgs {
    /// Adds the schemes of logins, and whether one is sent before the server asks for it.
    pub(super) fn add_to(&self, http: Http) -> Http {
        http.auth_no_challenge(self.auth_no_challenge).auth_schemes(schemes([
            self.basic,
            self.digest,
            self.anyauth,
        ]))
    }

    /// Returns whether the login may be sent before the server asks for it.
    pub(super) const fn may_be_sent_at_once(&self) -> bool {
        !self.digest && !self.anyauth
    }

    /// Returns the option that allows no password to be sent itself, as other protocols than HTTP do.
    pub(super) fn only_http(&self) -> Option<&'static str> {
        (self.digest && !self.basic && !self.anyauth).then_some("digest")
    }

    /// Reads the logins.
    pub(super) fn read(&self, is_silent: bool) -> Result<Logins, CliError> {
        let user = self.user.as_deref().map(|word| match word.split_once(':') {
            Some((user, password)) => Login { user: user.into(), password: Some(password.into()) },
            None => Login { user: word.into(), password: self.password.clone() },
        });
        let hosts = match &self.netrc_file {
            Some(file) => netrc::read_file(file)?,
            None if self.netrc => netrc::read()?,
            None if self.netrc_optional && user.is_none() => netrc::read_if_there()?,
            None => Vec::new(),
        };
        Ok(Logins { user, has_said_unused: is_silent.into(), hosts })
    }
}

/// Returns the schemes of logins that options allow: Basic, Digest, or both. Several options allow more, as in
/// curl.
pub(super) fn schemes([basic, digest, any]: [bool; 3]) -> AuthSchemes {
    match (basic, digest) {
        (true, false) if !any => AuthSchemes::BASIC,
        (false, true) if !any => AuthSchemes::DIGEST,
        _ => AuthSchemes::ALL,
    }
}

impl Logins {
    /// Returns the login for a server that the user chose.
    pub(super) fn of_host(&self, host: &str) -> Option<&Login> {
        self.user.as_ref().or_else(|| netrc::find(&self.hosts, host, None))
    }

    /// Returns whether the login is that of every host.
    pub(super) const fn is_for_all(&self) -> bool {
        self.user.is_some()
    }

    /// Adds the logins of hosts to HTTP, which knows where redirects lead.
    pub(super) fn add_hosts_to(&self, http: Http) -> Http {
        self.hosts.iter().fold(http, |http, (host, login)| {
            http.host_login(host.as_deref(), login.user.as_str(), login.password.as_deref())
        })
    }

    /// Adds the login of its host to a URL without one, unless HTTP does; `None` if there is nothing to add.
    pub(super) fn add(&self, url: UriRef<'_>) -> Result<Option<UriRefBuf>, Failure> {
        let Some(authority) = url.authority() else { return Ok(None) };
        let host = authority.host().as_str();
        let given = authority.userinfo().map(|userinfo| userinfo.as_str());
        let login = match (&self.user, given) {
            (Some(_), Some(_)) => {
                self.say_unused();
                return Ok(None);
            }
            (Some(login), None) => Some(login),
            (None, _) if HttpUrl::of(url).is_ok() => None,
            (None, Some(user)) if user.is_empty() || user.contains(':') => None,
            (None, Some(user)) => {
                let user = PctStr::new(user).map(|user| user.decode_utf8_lossy().into_owned());
                user.ok().and_then(|user| netrc::find(&self.hosts, host, Some(&user)))
            }
            (None, None) => netrc::find(&self.hosts, host, None),
        };
        let Some(login) = login else { return Ok(None) };
        let refused = |why| Failure::not_edited("--user", Refused::from(why));
        let mut edit = Edit::of(url);
        if given.is_none() {
            edit.set_user(login.user.as_str()).map_err(refused)?;
        }
        if let Some(password) = &login.password {
            edit.set_password(password.as_str()).map_err(refused)?;
        }
        edit.finish().map(Some).map_err(refused)
    }

    /// Says once that the login of `-u` is not used.
    fn say_unused(&self) {
        if !self.has_said_unused.swap(true, Ordering::Relaxed) {
            say("--user is not used for a URL that contains a user");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_is_added_to_a_url_without_one() {
        let hosts =
            netrc::parse("machine h login a@b password c:d\nmachine h login u@v password p\n").unwrap();
        let logins = Logins { user: None, has_said_unused: true.into(), hosts };
        let with = |url| logins.add(UriRef::parse(url).unwrap()).unwrap().map(|url| url.to_string());
        assert_eq!(with("ftp://H/x").as_deref(), Some("ftp://a%40b:c:d@H/x"));
        assert_eq!(with("ftp://u%40v@h/x").as_deref(), Some("ftp://u%40v:p@h/x"));
        assert_eq!(with("ftp://u@h/x"), None);
        assert_eq!(with("ftp://u%40v:@h/x"), None);
        // HTTP adds its own, also where redirects lead.
        assert_eq!(with("http://h/x"), None);
        assert_eq!(with("ftp://other/x"), None);
        assert_eq!(with("news:*"), None);
    }
}
