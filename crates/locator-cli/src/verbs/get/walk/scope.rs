//! What a walk takes: a URL that a server names has a path below the start, or a reason why it is not followed;
//! and the name of a file fits the patterns of `--accept` and `--reject`, or not. As in wget, a pattern without "*",
//! "?" and "[" is the end of a name.

use std::path::PathBuf;

use locator::scheme::{GopherUrl, default_port};
use locator::{PctStr, UriRef};
use locator_fetch::save::escaped_name;

/// The start of a walk, and what is below it.
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

/// What is not below the start.
const OUTSIDE: &str = "it is outside of the directory that the walk began with";

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
    pub(super) fn below(&self, url: UriRef<'_>) -> Result<Vec<Vec<u8>>, &'static str> {
        match self {
            Self::Ftp | Self::File => Err(OUTSIDE),
            Self::Gopher(server, start) => {
                if Server::of(url) != *server {
                    return Err("it is on another server");
                }
                let gopher = GopherUrl::of(url).map_err(|_| "it is not a gopher URL")?;
                let selector = without_type(&gopher);
                let rest = selector.strip_prefix(&**start).ok_or(OUTSIDE)?;
                // A menu may be named without the "/" at its end.
                Ok(rest
                    .split(|&octet| octet == b'/')
                    .filter(|name| !name.is_empty())
                    .map(<[u8]>::to_vec)
                    .collect())
            }
            Self::Http(server, start) => {
                if Server::of(url) != *server {
                    return Err("it is on another server");
                }
                let mut names = names_of(url).ok_or("its path is not valid")?;
                if names.len() < start.len() + 1 || !names.starts_with(start) {
                    return Err(OUTSIDE);
                }
                Ok(names.split_off(start.len()))
            }
        }
    }
}

/// Returns the path of names below the folder, each of which must be safe.
pub(super) fn path_of(names: &[Vec<u8>]) -> Result<PathBuf, String> {
    names.iter().map(|name| escaped_name(name)).collect::<Result<PathBuf, _>>().map_err(|why| why.to_string())
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

/// Which names are wanted.
pub(super) struct Patterns {
    accepted: Vec<Pattern>,
    rejected: Vec<Pattern>,
}

enum Pattern {
    End(Vec<u8>),
    Glob(Vec<u8>),
}

impl Patterns {
    /// Reads lists of patterns, which commas divide.
    pub(super) fn new(accept: &[String], reject: &[String]) -> Self {
        let read = |lists: &[String]| {
            let patterns =
                lists.iter().flat_map(|list| list.split(',')).filter(|pattern| !pattern.is_empty());
            patterns.map(Pattern::new).collect()
        };
        Self { accepted: read(accept), rejected: read(reject) }
    }

    /// Returns whether a file of this name is wanted.
    pub(super) fn allow(&self, name: &[u8]) -> bool {
        let is_one_of = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.fits(name));
        (self.accepted.is_empty() || is_one_of(&self.accepted)) && !is_one_of(&self.rejected)
    }
}

impl Pattern {
    fn new(pattern: &str) -> Self {
        let octets = pattern.as_bytes().to_vec();
        if pattern.contains(['*', '?', '[']) { Self::Glob(octets) } else { Self::End(octets) }
    }

    fn fits(&self, name: &[u8]) -> bool {
        match self {
            Self::End(end) => name.ends_with(end),
            Self::Glob(pattern) => fits(pattern, name),
        }
    }
}

/// Returns whether a name fits a pattern. After a mismatch the last "*" takes one more octet, so the time is
/// at most that of comparing the pattern at each octet of the name.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut read) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(&octet) = name.get(read) {
        match (pattern.get(at), one(pattern.get(at..).unwrap_or_default(), octet)) {
            (Some(b'*'), _) => {
                star = Some((at + 1, read));
                at += 1;
            }
            (_, Some(length)) => (at, read) = (at + length, read + 1),
            (_, None) => match star {
                Some((after, taken)) => {
                    star = Some((after, taken + 1));
                    (at, read) = (after, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|&octet| octet == b'*')
}

/// Returns the length of the beginning of a pattern that is for one octet, if it fits this one: "?", a set
/// such as `[a-z]` or `[!0-9]`, or the octet itself.
fn one(pattern: &[u8], octet: u8) -> Option<usize> {
    match pattern.first()? {
        b'?' => Some(1),
        b'[' => {
            // "]" at the beginning of a set is one of its octets.
            let is_inverted = matches!(pattern.get(1), Some(b'!' | b'^'));
            let start = if is_inverted { 2 } else { 1 };
            let rest = pattern.get(start + 1..)?;
            let Some(end) = rest.iter().position(|&octet| octet == b']').map(|end| start + 1 + end) else {
                return (octet == b'[').then_some(1);
            };
            let (set, mut at, mut is_in) = (pattern.get(start..end)?, 0, false);
            while let Some(&first) = set.get(at) {
                match (set.get(at + 1), set.get(at + 2)) {
                    (Some(b'-'), Some(&last)) => {
                        is_in |= (first..=last).contains(&octet);
                        at += 3;
                    }
                    _ => {
                        is_in |= first == octet;
                        at += 1;
                    }
                }
            }
            (is_in != is_inverted).then_some(end + 1)
        }
        &own => (own == octet).then_some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn below(scope: &Scope, url: &str) -> Result<String, &'static str> {
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
            ("http://h/pub/", Err(OUTSIDE)),
            ("http://h/pub/other/a", Err(OUTSIDE)),
            ("http://h/pub/~joeanna/a", Err(OUTSIDE)),
            ("https://h/pub/~joe/a", Err("it is on another server")),
            ("http://h:81/pub/~joe/a", Err("it is on another server")),
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
            ("gopher://h/1/", Err(OUTSIDE)),
            ("gopher://h/1/docs2/a", Err(OUTSIDE)),
            ("gopher://h:7070/0/docs/a", Err("it is on another server")),
        ] {
            assert_eq!(below(&docs, url), expected.map(Into::into), "{url}");
        }
        for root in ["gopher://h", "gopher://h/", "gopher://h/1", "gopher://h/1/"] {
            assert_eq!(below(&scope(root), "gopher://h/9/a/b"), Ok("a|b".into()), "{root}");
            assert_eq!(below(&scope(root), "gopher://h/0a"), Ok("a".into()), "{root}");
        }
    }

    #[test]
    fn globs() {
        for (pattern, name, expected) in [
            ("*.iso", "a.iso", true),
            ("*.iso", "a.iso.txt", false),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "aXbYcd", false),
            ("**", "", true),
            ("?", "", false),
            ("?.txt", "a.txt", true),
            ("[a-c]*", "b.txt", true),
            ("[!a-c]*", "b.txt", false),
            ("[]x]", "]", true),
            ("[a", "[a", true),
            ("*[0-9].log", "x9.log", true),
            ("*a", "aaaaaaaaaaaaaaaaaaaaaaaab", false),
        ] {
            assert_eq!(fits(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn lists() {
        let patterns = |accept: &[&str], reject: &[&str]| {
            let owned = |list: &[&str]| list.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
            Patterns::new(&owned(accept), &owned(reject))
        };
        assert!(patterns(&[], &[]).allow(b"x"));
        let both = patterns(&["txt,*.iso", ".gz"], &["old*"]);
        assert!(both.allow(b"a.txt") && both.allow(b"a.iso") && both.allow(b"a.tar.gz"));
        assert!(!both.allow(b"a.doc") && !both.allow(b"old.iso"));
    }
}
