//! What a request in origin form asks for: takes a path and a query, returns a [`Route`].

use super::fields::{Fields, decoded};
use super::key::Key;

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// The first page, with a form for a URL; with a URL it leads to its page.
    Front(Fields),
    /// The page of a URL.
    Page(String),
    /// What the URL identifies, octet for octet.
    Raw(String),
    /// How the editions and programs read a URL.
    Read(Fields),
    /// The URL of a search with the words of a form.
    Search(Fields),
    /// The answer to the question whether a link of another site may be followed.
    Go,
    /// A user and a password.
    LogIn,
    /// The filled form of Gopher+.
    Ask,
    /// An address for the page of a URL that can be used once, in a form.
    MakeOnce,
    /// Such an address, by its token.
    Once(String),
    Style,
    Handlers,
    /// The icon that browsers ask every server for.
    Icon,
    /// Whether this is a gateway.
    Ping,
}

/// Why a path leads nowhere.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoRoute {
    /// There is no such page, or the key is missing or wrong.
    NotFound,
    /// The path is that of the key alone, without the slash after it.
    NoSlash,
    /// The URL in the path is not percent-encoded UTF-8 in one segment.
    NotEncoded,
}

/// Returns whether the first segment of a path is the key, if there is one.
pub(super) fn has_key(path: &str, key: Option<&Key>) -> bool {
    let first = path.split('/').nth(1).unwrap_or_default();
    key.is_none_or(|key| key.is(first.as_bytes()))
}

impl Route {
    /// Returns what a path asks for. With a key, it is the first segment of all paths, but of the one that
    /// browsers ask every server for, and of addresses that are used once.
    pub(super) fn of(path: &str, query: Option<&str>, key: Option<&Key>) -> Result<Self, NoRoute> {
        let path = path.strip_prefix('/').ok_or(NoRoute::NotFound)?;
        if path == "favicon.ico" {
            return Ok(Self::Icon);
        }
        if let Some(token) = path.strip_prefix("once/") {
            return Ok(Self::Once(token.into()));
        }
        let path = match key {
            None => path,
            Some(key) => {
                let (first, rest) =
                    path.split_once('/').map_or((path, None), |(first, rest)| (first, Some(rest)));
                if !key.is(first.as_bytes()) {
                    return Err(NoRoute::NotFound);
                }
                rest.ok_or(NoRoute::NoSlash)?
            }
        };
        let fields = || Fields::parse(query.unwrap_or_default().as_bytes());
        Ok(match path {
            "" => Self::Front(fields()),
            "read" => Self::Read(fields()),
            "search" => Self::Search(fields()),
            _ if query.is_some() => return Err(without_route(path)),
            "go" => Self::Go,
            "login" => Self::LogIn,
            "ask" => Self::Ask,
            "once" => Self::MakeOnce,
            "style.css" => Self::Style,
            "handlers.js" => Self::Handlers,
            "ping" => Self::Ping,
            _ => match path.split_once('/') {
                Some(("u", segment)) => Self::Page(url(segment)?),
                Some(("raw", segment)) => Self::Raw(url(segment)?),
                _ => return Err(NoRoute::NotFound),
            },
        })
    }

    /// Returns whether the request is made by a form with the method POST, and by no other.
    pub(super) const fn is_posted(&self) -> bool {
        matches!(self, Self::Go | Self::LogIn | Self::Ask | Self::MakeOnce)
    }

    /// Returns whether a server is contacted for it.
    pub(super) const fn contacts(&self) -> bool {
        matches!(self, Self::Page(_) | Self::Raw(_) | Self::LogIn | Self::Ask)
    }
}

fn without_route(path: &str) -> NoRoute {
    match path.starts_with("u/") || path.starts_with("raw/") {
        true => NoRoute::NotEncoded,
        false => NoRoute::NotFound,
    }
}

/// Returns the URL of a segment, which is decoded once.
fn url(segment: &str) -> Result<String, NoRoute> {
    if segment.contains('/') {
        return Err(NoRoute::NotEncoded);
    }
    String::from_utf8(decoded(segment.as_bytes())).map_err(|_| NoRoute::NotEncoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let of = |path, query| Route::of(path, query, None);
        assert_eq!(of("/", None), Ok(Route::Front(Fields::default())));
        assert_eq!(of("/u/gopher%3A%2F%2Fh%2F", None), Ok(Route::Page("gopher://h/".into())));
        assert_eq!(of("/raw/gopher:%2f%2fh%2F%3Fa", None), Ok(Route::Raw("gopher://h/?a".into())));
        // Decoded once.
        assert_eq!(of("/u/gopher%253A%252F%252Fh", None), Ok(Route::Page("gopher%3A%2F%2Fh".into())));
        assert_eq!(of("/u/%2e%2e", None), Ok(Route::Page("..".into())));
        assert_eq!(of("/u/%2e%2e%2Fping", None), Ok(Route::Page("../ping".into())));
        for path in ["/u/gopher://h/", "/raw/a/b", "/u/a%FF", "/u//"] {
            assert_eq!(of(path, None), Err(NoRoute::NotEncoded), "{path}");
        }
        assert_eq!(of("/u/gopher%3A%2F%2Fh%2F", Some("a")), Err(NoRoute::NotEncoded));
        for path in ["//", "/u", "/U/x", "/x", "/../", "//ping", "/ping/", "/%70ing", "ping"] {
            assert_eq!(of(path, None), Err(NoRoute::NotFound), "{path}");
        }
    }

    #[test]
    fn the_key_comes_first() {
        let key = Key::random().unwrap();
        let of = |path: &str| Route::of(&path.replace("KEY", key.as_str()), None, Some(&key));
        assert_eq!(of("/KEY/ping"), Ok(Route::Ping));
        assert_eq!(of("/KEY/u/news%3A%2A"), Ok(Route::Page("news:*".into())));
        assert_eq!(of("/KEY"), Err(NoRoute::NoSlash));
        assert_eq!(of("/favicon.ico"), Ok(Route::Icon));
        assert_eq!(of("/once/0"), Ok(Route::Once("0".into())));
        assert_eq!(of("/once"), Err(NoRoute::NotFound));
        assert_eq!(of("/KEY/once"), Ok(Route::MakeOnce));
        for path in ["/", "/ping", "/KEYx/ping", "/0/ping", "//KEY/ping", "/u/news%3A%2A"] {
            assert_eq!(of(path), Err(NoRoute::NotFound), "{path}");
        }
    }
}
