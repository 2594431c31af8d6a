//! The URI of a file in results: relative to the working directory where it is in it.

use locator::scheme::file::Platform;

use crate::input::paths::absolute;

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
