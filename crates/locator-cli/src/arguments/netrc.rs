//! The file `.netrc` of ftp and curl: logins by the names of hosts.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::exit::{CliError, say_error};
use crate::input::whole;
use crate::terminal::visible;

/// The name of a user, and the password.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Login {
    pub(crate) user: String,
    pub(crate) password: Option<String>,
}

/// A login, and the host that it is for; `None` is any other.
pub(crate) type Entry = (Option<String>, Login);

/// Reads the file that the environment variable NETRC names, else that of the home directory.
pub(crate) fn read() -> Result<Vec<Entry>, CliError> {
    read_file(&path())
}

/// Reads the same file; there are no logins without it.
pub(crate) fn read_if_there() -> Result<Vec<Entry>, CliError> {
    let path = path();
    if path.exists() { read_file(&path) } else { Ok(Vec::new()) }
}

fn path() -> PathBuf {
    let named = std::env::var_os("NETRC").filter(|name| !name.is_empty()).map(PathBuf::from);
    named.or_else(|| Some(dirs::home_dir()?.join(".netrc"))).unwrap_or_else(|| ".netrc".into())
}

/// Reads a file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<Entry>, CliError> {
    let name = || format!("\"{}\"", visible(&path.to_string_lossy()));
    let octets = File::open(path).and_then(whole);
    let octets = octets.map_err(|error| CliError::Reading { what: name(), error })?;
    parse(&String::from_utf8_lossy(&octets)).map_err(|why| {
        say_error(&format!("{}, {why}", name()));
        CliError::Reported
    })
}

/// Returns the first login of a host: that of a user, if one is given. An entry without a user has the password
/// of any.
pub(crate) fn find<'e>(entries: &'e [Entry], host: &str, user: Option<&str>) -> Option<&'e Login> {
    // An address of IPv6 is in brackets in a URL alone.
    let plain = |host: &str| host.trim_end_matches('.').trim_matches(['[', ']']).to_ascii_lowercase();
    let host = plain(host);
    let is_of_host = |name: &Option<String>| name.as_ref().is_none_or(|name| plain(name) == host);
    let is_of_user = |login: &Login| match user {
        None => !login.user.is_empty(),
        Some(user) => login.user == user || login.user.is_empty(),
    };
    entries.iter().find(|(name, login)| is_of_host(name) && is_of_user(login)).map(|(_, login)| login)
}

/// Parses a `.netrc`: `machine NAME`, or `default`, then `login NAME`, `password WORD` and `account
/// WORD` in any order. A macro, `macdef NAME`, ends with an empty line, and what follows "#" in place of a word
/// is a comment. As in curl, a word may be in quotes, in which "\" escapes.
pub(crate) fn parse(text: &str) -> Result<Vec<Entry>, String> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut is_macro = false;
    // The keyword whose value is the next word, which may be on a later line, and its line.
    let mut open: Option<(String, usize)> = None;
    for (index, line) in text.lines().enumerate() {
        is_macro &= !line.trim().is_empty();
        let mut rest = if is_macro { "" } else { line.trim_start() };
        while !rest.is_empty() {
            let (word, after) = word(rest).map_err(|why| format!("line {}: {why}", index + 1))?;
            let is_quoted = rest.starts_with('"');
            match open.take() {
                Some((keyword, _)) => take(&mut entries, &keyword, word),
                None if word.starts_with('#') && !is_quoted => break,
                None => match &*word {
                    "default" => entries.push((None, Login::default())),
                    "macdef" => {
                        is_macro = true;
                        break;
                    }
                    "machine" | "login" | "password" | "account" => open = Some((word, index + 1)),
                    _ => {}
                },
            }
            rest = after.trim_start();
        }
    }
    if let Some((keyword, line)) = open {
        return Err(format!("line {line}: nothing follows \"{keyword}\""));
    }
    entries.retain(|(_, login)| !login.user.is_empty() || login.password.is_some());
    Ok(entries)
}

/// Takes the value of a keyword.
fn take(entries: &mut Vec<Entry>, keyword: &str, value: String) {
    if keyword == "machine" {
        entries.push((Some(value), Login::default()));
        return;
    }
    let Some((_, login)) = entries.last_mut() else { return };
    match keyword {
        "login" => login.user = value,
        "password" => login.password = Some(value),
        _ => {}
    }
}

/// Takes the first word of a text; returns it and the rest.
fn word(text: &str) -> Result<(String, &str), &'static str> {
    let Some(quoted) = text.strip_prefix('"') else {
        let (word, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
        return Ok((word.into(), rest));
    };
    let (mut word, mut characters) = (String::new(), quoted.char_indices());
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Ok((word, &quoted[at + 1..])),
            '\\' => match characters.next() {
                Some((_, 'n')) => word.push('\n'),
                Some((_, 'r')) => word.push('\r'),
                Some((_, 't')) => word.push('\t'),
                Some((_, escaped)) => word.push(escaped),
                None => break,
            },
            other => word.push(other),
        }
    }
    Err("a quotation mark is missing at the end of a word")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(host: &str, user: &str, password: &str) -> Entry {
        let host = Some(host).filter(|host| !host.is_empty());
        (host.map(Into::into), Login { user: user.into(), password: Some(password.into()) })
    }

    #[test]
    fn a_netrc_is_parsed() {
        let text = "machine a.test login joe password s3cret # machine x login y\n# machine c.test login no\n\
            macdef init\n  machine x login y\n\nmachine b.test\n\tpassword p\n\tlogin\nann account z\n\
            machine d.test password #only\nmachine e.test account z\ndefault login anonymous password me@";
        assert_eq!(
            parse(text).unwrap(),
            [
                entry("a.test", "joe", "s3cret"),
                entry("b.test", "ann", "p"),
                entry("d.test", "", "#only"),
                entry("", "anonymous", "me@"),
            ]
        );
    }

    #[test]
    fn words_in_quotes() {
        for (text, user, password) in [
            (r#"login "a b" password "c \"d\" \\""#, "a b", r#"c "d" \"#),
            (r##"login "machine" password "#x""##, "machine", "#x"),
            (r#"login "a"password "\t\n\q""#, "a", "\t\nq"),
            (r#"login a"b password ''"#, "a\"b", "''"),
            (r#"login "\u" password """#, "u", ""),
        ] {
            assert_eq!(parse(&format!("machine h {text}")).unwrap(), [entry("h", user, password)], "{text}");
        }
        for (text, why) in [
            ("machine h\nlogin \"a", "line 2: a quotation mark is missing at the end of a word"),
            ("machine h login \"a\\", "line 1: a quotation mark is missing at the end of a word"),
            ("machine h login a password", "line 1: nothing follows \"password\""),
            ("\nmachine", "line 2: nothing follows \"machine\""),
        ] {
            assert_eq!(parse(text).unwrap_err(), why, "{text}");
        }
    }

    #[test]
    fn the_entry_of_a_host_and_a_user() {
        let text = "machine h password any\nmachine h login joe password 1\nmachine h login ann password 2\n\
            machine k login kim password 3\nmachine ::1 login six password 6\ndefault login all password 4";
        let entries = parse(text).unwrap();
        for (host, user, expected) in [
            ("h", None, Some("1")),
            ("H.", Some("ann"), Some("any")),
            ("k", Some("kim"), Some("3")),
            ("k", Some("joe"), None),
            ("x", None, Some("4")),
            ("[::1]", None, Some("6")),
            ("x", Some("all"), Some("4")),
        ] {
            let found = find(&entries, host, user).and_then(|login| login.password.as_deref());
            assert_eq!(found, expected, "{host} {user:?}");
        }
        assert_eq!(find(&parse("machine h login a").unwrap(), "h", None).unwrap().password, None);
    }
}
