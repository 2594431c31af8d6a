//! Where a mirror stays: a URL that a server names has a path below the start, or a reason why it is not followed.

use std::path::PathBuf;

use locator::scheme::{GopherUrl, default_port};
use locator::{PctStr, UriRef};

use super::error::SkipReason;
use crate::save::{FileNameError, escaped_name};

/// The start of a mirror, and what is below it.
pub(super) enum Scope {
    /// Names of a listing are below it.
    Ftp,
    /// The same, on this machine.
    File,
    /// The server, and the selector of the menu without its type.
    Gopher(Server, Vec<u8>),
    /// The origin, and the names of the directory.
    Http(Server, Vec<Vec<u8>>),
}

/// A server: scheme, host and port.
#[derive(PartialEq, Eq)]
pub(super) struct Server(String, String, Option<u16>);

impl Server {
    pub(super) fn of(url: UriRef<'_>) -> Self {
        let scheme = url.scheme().map(|scheme| scheme.lowercase().to_string()).unwrap_or_default();
        let host = url.host().map(|host| host.as_str().to_ascii_lowercase()).unwrap_or_default();
        let given = url.authority().and_then(|authority| authority.port_u16());
        let port = given.or_else(|| default_port(&scheme));
        Self(scheme, host, port)
    }
}

impl Scope {
    /// Returns the scope of a gopher menu.
    pub(super) fn gopher(url: UriRef<'_>) -> Option<Self> {
        let gopher = GopherUrl::of(url).ok()?;
        let mut selector = without_type(&gopher);
        if !selector.is_empty() && !selector.ends_with(b"/") {
            selector.push(b'/');
        }
        Some(Self::Gopher(Server::of(url), selector))
    }

    /// Returns the scope of a page of http: the directory of its path.
    pub(super) fn http(url: UriRef<'_>) -> Option<Self> {
        let mut names = names_of(url)?;
        names.pop();
        Some(Self::Http(Server::of(url), names))
    }

    /// Returns whether a connection is used for one file at a time, and needs a login.
    pub(super) const fn has_logins(&self) -> bool {
        matches!(self, Self::Ftp)
    }

    /// Returns whether several items may lead to the same file.
    pub(super) const fn has_many_ways(&self) -> bool {
        matches!(self, Self::Gopher(..) | Self::Http(..))
    }

    /// Returns the names of a URL below the start; the last one is empty if it ends with "/".
    pub(super) fn below(&self, url: UriRef<'_>) -> Result<Vec<Vec<u8>>, SkipReason> {
        match self {
            Self::Ftp | Self::File => Err(SkipReason::Outside),
            Self::Gopher(server, start) => {
                if Server::of(url) != *server {
                    return Err(SkipReason::OtherServer);
                }
                let gopher =
                    GopherUrl::of(url).map_err(|_| SkipReason::InvalidUrl("it is not a gopher URL"))?;
                let selector = without_type(&gopher);
                let rest = selector.strip_prefix(&**start).ok_or(SkipReason::Outside)?;
                // A menu may be named without the "/" at its end.
                Ok(rest
                    .split(|&octet| octet == b'/')
                    .filter(|name| !name.is_empty())
                    .map(<[u8]>::to_vec)
                    .collect())
            }
            Self::Http(server, start) => {
                if Server::of(url) != *server {
                    return Err(SkipReason::OtherServer);
                }
                let mut names = names_of(url).ok_or(SkipReason::InvalidUrl("its path is not valid"))?;
                if names.len() < start.len() + 1 || !names.starts_with(start) {
                    return Err(SkipReason::Outside);
                }
                Ok(names.split_off(start.len()))
            }
        }
    }
}

/// Returns the path of names below the folder, each of which must be safe.
pub(super) fn path_of(names: &[Vec<u8>]) -> Result<PathBuf, FileNameError> {
    names.iter().map(|name| escaped_name(name)).collect()
}

/// Returns the selector without the type that servers of the University of Minnesota put before it, `1/docs`.
fn without_type(gopher: &GopherUrl<'_>) -> Vec<u8> {
    let selector = gopher.selector.decode();
    let kind = gopher.kind.map(|kind| kind.decode().into_owned()).unwrap_or_default();
    let selector =
        match selector.strip_prefix(&*kind).filter(|rest| rest.starts_with(b"/") && !kind.is_empty()) {
            Some(rest) => rest,
            None => &selector,
        };
    // The root is the empty selector or "/".
    selector.strip_prefix(b"/").unwrap_or(selector).to_vec()
}

/// Returns the decoded segments of a path.
fn names_of(url: UriRef<'_>) -> Option<Vec<Vec<u8>>> {
    let path = url.path().as_str();
    let path = path.strip_prefix('/').unwrap_or(path);
    path.split('/').map(|name| Some(PctStr::new(name).ok()?.decode().into_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn below(scope: &Scope, url: &str) -> Result<String, SkipReason> {
        let names = scope.below(UriRef::parse(url).unwrap())?;
        Ok(names.iter().map(|name| String::from_utf8_lossy(name)).collect::<Vec<_>>().join("|"))
    }

    #[test]
    fn pages() {
        let scope = Scope::http(UriRef::parse("http://h/pub/%7Ejoe/?C=N").unwrap()).unwrap();
        for (url, expected) in [
            ("http://h/pub/~joe/a%20b", Ok("a b")),
            ("HTTP://H:80/pub/%7ejoe/sub/", Ok("sub|")),
            ("http://h/pub/%7Ejoe/", Ok("")),
            ("http://h/pub/", Err(SkipReason::Outside)),
            ("http://h/pub/other/a", Err(SkipReason::Outside)),
            ("http://h/pub/~joeanna/a", Err(SkipReason::Outside)),
            ("https://h/pub/~joe/a", Err(SkipReason::OtherServer)),
            ("http://h:81/pub/~joe/a", Err(SkipReason::OtherServer)),
            ("http://h/pub/~joe/..%2Fa", Ok("../a")),
        ] {
            assert_eq!(below(&scope, url), expected.map(Into::into), "{url}");
        }
        assert_eq!(path_of(&[b"../a".to_vec()]), Ok("%2E.%2Fa".into()));
        assert!(path_of(&[b"..".to_vec()]).is_err());
    }

    #[test]
    fn menus() {
        let scope = |url| Scope::gopher(UriRef::parse(url).unwrap()).unwrap();
        let docs = scope("gopher://h/1/docs");
        for (url, expected) in [
            ("gopher://h:70/0/docs/a.txt", Ok("a.txt")),
            ("gopher://h/1/docs/sub/", Ok("sub")),
            ("gopher://h/00/docs/a.txt", Ok("a.txt")),
            ("gopher://h/1/", Err(SkipReason::Outside)),
            ("gopher://h/1/docs2/a", Err(SkipReason::Outside)),
            ("gopher://h:7070/0/docs/a", Err(SkipReason::OtherServer)),
        ] {
            assert_eq!(below(&docs, url), expected.map(Into::into), "{url}");
        }
        for root in ["gopher://h", "gopher://h/", "gopher://h/1", "gopher://h/1/"] {
            assert_eq!(below(&scope(root), "gopher://h/9/a/b"), Ok("a|b".into()), "{root}");
            assert_eq!(below(&scope(root), "gopher://h/0a"), Ok("a".into()), "{root}");
        }
    }
}
