//! What an earlier run has reported: reads its `--json` output, and says of a result whether it was
//! in it. A result has a key that is the same in every run.
//!
//! [`Address`] is the URI of a file in results: relative to the working directory where it is in it.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io;

use locator::Redacted;
use locator::scheme::file::Platform;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::exit::CliError;
use crate::input::files::Named;
use crate::input::paths::absolute;

/// The keys of the results of an earlier run.
#[derive(Debug, Default)]
pub(crate) struct Baseline(HashSet<Key>);

/// What is the same for a result in every run: the code, the file, the URL without its secrets, and 16
/// bits of a hash of its secrets. A hash keeps it short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key([u8; 32]);

impl Baseline {
    /// Reads a file of one object a line, which a verb has printed; `keys` returns the keys of the
    /// results in an object.
    pub(crate) fn read<T: DeserializeOwned>(
        path: &OsStr,
        verb: &str,
        keys: impl Fn(T) -> Vec<Key>,
    ) -> Result<Self, CliError> {
        let file = Named(path);
        let mut known = HashSet::new();
        file.each_line(|number, line| {
            if line.trim_ascii().is_empty() {
                return Ok(());
            }
            let object = serde_json::from_slice(line).map_err(|_| {
                let message = format!("line {number} is not output of 'locator {verb} --json'");
                file.unreadable(io::Error::other(message))
            })?;
            known.extend(keys(object));
            Ok(())
        })?;
        Ok(Self(known))
    }

    /// Returns whether the earlier run reported nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether the earlier run reported a result with this key.
    pub(crate) fn contains(&self, key: &Key) -> bool {
        self.0.contains(key)
    }
}

impl Key {
    /// Returns the key of a URL; a file has one name, whichever way it was named.
    pub(crate) fn of_url(file: Option<&[u8]>, url: &Redacted<'_>) -> Self {
        Self::of_hidden(file, &url.to_string(), secret_hash(url).as_deref())
    }

    /// Returns the key of a URL whose secrets are known by their hash alone.
    pub(crate) fn of_hidden(file: Option<&[u8]>, url: &str, secrets: Option<&str>) -> Self {
        let file = file.map_or_else(String::new, |file| Address::of(file).uri);
        let hash = Sha256::new().chain_update(file).chain_update([0]).chain_update(url);
        let secrets = secrets.map(|secrets| ["\0", secrets].concat());
        Self(hash.chain_update(secrets.unwrap_or_default()).finalize().into())
    }

    /// Returns the key of a result with this code, which is about this URL.
    pub(crate) fn of(&self, code: &str) -> Self {
        Self(Sha256::new().chain_update(self.0).chain_update(code).finalize().into())
    }

    /// Returns the beginning of the key, for people and for programs that compare results.
    pub(crate) fn digits(&self) -> String {
        digits(&self.0[..16])
    }
}

/// Returns four digits for the secrets of a URL, so that another password is another result; `None` if
/// nothing is hidden. A baseline is committed: 16 bits exclude most passwords and confirm none.
pub(crate) fn secret_hash(url: &Redacted<'_>) -> Option<String> {
    if url.hidden().is_empty() {
        return None;
    }
    let mut hash = Sha256::new_with_prefix(url.to_string());
    for secret in url.hidden() {
        hash.update([0]);
        hash.update(url.as_str().get(secret.clone()).unwrap_or_default());
    }
    Some(digits(&hash.finalize()[..2]))
}

fn digits(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

/// The address of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) uri: String,
    /// Whether the URI is relative to the working directory.
    pub(crate) is_relative: bool,
}

impl Address {
    /// Returns the address of a file with this name.
    pub(crate) fn of(name: &[u8]) -> Self {
        let path = absolute(name);
        let octets = path.as_ref().map_or(name, |path| path.as_os_str().as_encoded_bytes());
        let Ok(uri) = Platform::HOST.to_uri(octets) else {
            // A path with ".." in its middle has no URI.
            return Self { uri: escaped(name), is_relative: true };
        };
        let here = std::env::current_dir().ok();
        let here =
            here.and_then(|here| Platform::HOST.to_directory_uri(here.as_os_str().as_encoded_bytes()).ok());
        match here.and_then(|here| uri.as_str().strip_prefix(here.as_str()).map(str::to_owned)) {
            Some(relative) => Self { uri: not_a_scheme(relative), is_relative: true },
            None => Self { uri: uri.into_string(), is_relative: false },
        }
    }
}

/// A relative reference must not begin with what looks like a scheme (RFC 3986, 4.2).
fn not_a_scheme(relative: String) -> String {
    let first = relative.split('/').next().unwrap_or_default();
    if first.contains(':') { format!("./{relative}") } else { relative }
}

/// Escapes whatever is not allowed in a path.
fn escaped(name: &[u8]) -> String {
    let octet = |octet: &u8| match octet {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            char::from(*octet).to_string()
        }
        octet => format!("%{octet:02X}"),
    };
    name.iter().map(octet).collect()
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn an_address_is_relative_to_the_working_directory() {
        for (name, uri) in
            [("a b/c.md", "a%20b/c.md"), ("./a", "a"), ("a:b", "./a:b"), ("a/../b#", "a/../b%23")]
        {
            assert_eq!(Address::of(name.as_bytes()), Address { uri: uri.to_owned(), is_relative: true });
        }
        #[cfg(unix)]
        assert_eq!(Address::of(b"/a"), Address { uri: "file:///a".to_owned(), is_relative: false });
    }
}
