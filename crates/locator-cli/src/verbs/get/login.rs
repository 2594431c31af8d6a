//! The user and password for URLs that have none: `-u`, or the file `.netrc`.

use std::fs::File;
use std::path::PathBuf;

use clap::Args;
use locator::{Edit, UriRef, UriRefBuf};

use crate::exit::CliError;
use crate::failure::Failure;
use crate::field::Refused;
use crate::input::whole;
use crate::terminal::visible;

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

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Login {
    pub(super) user: String,
    pub(super) password: Option<String>,
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
        let hosts = if self.netrc { read_netrc()? } else { Vec::new() };
        Ok(Logins { user, hosts })
    }
}

fn read_netrc() -> Result<Vec<(Option<String>, Login)>, CliError> {
    let named = std::env::var_os("NETRC").filter(|name| !name.is_empty()).map(PathBuf::from);
    let path = named.or_else(|| Some(dirs::home_dir()?.join(".netrc"))).unwrap_or_else(|| ".netrc".into());
    let octets = File::open(&path).and_then(whole).map_err(|error| CliError::Reading {
        what: format!("\"{}\"", visible(&path.to_string_lossy())),
        error,
    })?;
    Ok(parse(&String::from_utf8_lossy(&octets)))
}

/// Parses a `.netrc`: `machine NAME`, or `default`, then `login NAME`, `password WORD` and `account
/// WORD` in any order. A macro, `macdef NAME`, ends with an empty line.
fn parse(text: &str) -> Vec<(Option<String>, Login)> {
    let mut hosts: Vec<(Option<String>, Login)> = Vec::new();
    let mut words = Vec::new();
    let mut is_macro = false;
    for line in text.lines() {
        is_macro &= !line.trim().is_empty();
        if is_macro || line.trim_start().starts_with('#') {
            continue;
        }
        let mut of_line = line.split_whitespace();
        words.extend(of_line.by_ref().take_while(|word| *word != "macdef"));
        is_macro = line.split_whitespace().any(|word| word == "macdef");
    }
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        match word {
            "machine" => hosts.push((words.next().map(Into::into), Login::default())),
            "default" => hosts.push((None, Login::default())),
            "login" | "password" | "account" => {
                let value = words.next().unwrap_or_default().to_owned();
                let Some((_, login)) = hosts.last_mut() else { continue };
                match word {
                    "login" => login.user = value,
                    "password" => login.password = Some(value),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    hosts.retain(|(_, login)| !login.user.is_empty());
    hosts
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
    fn a_netrc_is_parsed() {
        let text = "machine a.test login joe password s3cret\n# machine c.test login no\n\
            macdef init\n  machine x login y\n\nmachine b.test\n\tpassword p\n\tlogin ann account z\n\
            machine d.test password only\ndefault login anonymous password me@";
        let found = parse(text);
        let login = |user: &str, password: &str| Login { user: user.into(), password: Some(password.into()) };
        assert_eq!(
            found,
            [
                (Some("a.test".into()), login("joe", "s3cret")),
                (Some("b.test".into()), login("ann", "p")),
                (None, login("anonymous", "me@")),
            ]
        );
    }

    #[test]
    fn a_login_is_added_to_a_url_without_one() {
        let logins = Logins { user: None, hosts: parse("machine h login a@b password c:d\n") };
        let with = |url| logins.add(UriRef::parse(url).unwrap()).unwrap().map(|url| url.to_string());
        assert_eq!(with("ftp://H/x").as_deref(), Some("ftp://a%40b:c:d@H/x"));
        assert_eq!(with("ftp://u@h/x"), None);
        assert_eq!(with("ftp://other/x"), None);
        assert_eq!(with("news:*"), None);
    }
}
