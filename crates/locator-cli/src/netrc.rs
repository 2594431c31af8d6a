//! The file `.netrc` of ftp and curl: logins by the names of hosts.

use std::fs::File;
use std::path::PathBuf;

use crate::exit::CliError;
use crate::input::whole;
use crate::terminal::visible;

/// The name of a user, and the password.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Login {
    pub(crate) user: String,
    pub(crate) password: Option<String>,
}

/// Reads the file that the environment variable NETRC names, else that of the home directory.
pub(crate) fn read() -> Result<Vec<(Option<String>, Login)>, CliError> {
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
pub(crate) fn parse(text: &str) -> Vec<(Option<String>, Login)> {
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
}
