//! What a request asks for: takes a path and a query, returns a [`Route`]; takes a query or the body of a
//! POST request, returns the [`Fields`] of its form (`application/x-www-form-urlencoded`, URL Standard, 5.1).
//!
//! ```text
//! assert_eq!(Route::of("/u/gopher%3A%2F%2Fh%2F", None, None), Ok(Route::Page("gopher://h/".into())));
//! assert_eq!(Fields::parse(b"url=gopher%3A%2F%2Fh%2F").get("url"), Some("gopher://h/"));
//! ```

use super::keys::Key;

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// The first page, with a form for a URL; with a URL it leads to its page.
    FrontPage(Fields),
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
            "" => Self::FrontPage(fields()),
            "read" => Self::Read(fields()),
            "search" => Self::Search(fields()),
            _ if query.is_some() => return Err(no_route(path)),
            "go" => Self::Go,
            "login" => Self::LogIn,
            "ask" => Self::Ask,
            "once" => Self::MakeOnce,
            "style.css" => Self::Style,
            "handlers.js" => Self::Handlers,
            "ping" => Self::Ping,
            _ => match path.split_once('/') {
                Some(("u", segment)) => Self::Page(url_of_segment(segment)?),
                Some(("raw", segment)) => Self::Raw(url_of_segment(segment)?),
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

fn no_route(path: &str) -> NoRoute {
    match path.starts_with("u/") || path.starts_with("raw/") {
        true => NoRoute::NotEncoded,
        false => NoRoute::NotFound,
    }
}

/// Returns the URL of a segment, which is decoded once.
fn url_of_segment(segment: &str) -> Result<String, NoRoute> {
    if segment.contains('/') {
        return Err(NoRoute::NotEncoded);
    }
    String::from_utf8(percent_decoded(segment.as_bytes())).map_err(|_| NoRoute::NotEncoded)
}

/// The fields of a form, in their order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Parses fields. Invalid UTF-8 is replaced by U+FFFD.
    pub(super) fn parse(octets: &[u8]) -> Self {
        let pairs = octets.split(|octet| *octet == b'&').filter(|pair| !pair.is_empty());
        Self(
            pairs
                .map(|pair| {
                    let end = pair.iter().position(|octet| *octet == b'=');
                    let (name, value) = end.map_or((pair, &b""[..]), |end| (&pair[..end], &pair[end + 1..]));
                    (field_text(name), field_text(value))
                })
                .collect(),
        )
    }

    /// Returns the value of the first field of this name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Returns all fields.
    pub(super) fn all(&self) -> &[(String, String)] {
        &self.0
    }
}

fn field_text(octets: &[u8]) -> String {
    let octets: Vec<u8> = octets.iter().map(|octet| if *octet == b'+' { b' ' } else { *octet }).collect();
    String::from_utf8_lossy(&percent_decoded(&octets)).into_owned()
}

/// Replaces percent-encoded octets; a "%" that begins none is left.
pub(super) fn percent_decoded(octets: &[u8]) -> Vec<u8> {
    let digit = |octet: Option<&u8>| octet.and_then(|octet| char::from(*octet).to_digit(16));
    let (mut decoded, mut at) = (Vec::with_capacity(octets.len()), 0);
    while let Some(&octet) = octets.get(at) {
        let pair = digit(octets.get(at + 1)).zip(digit(octets.get(at + 2))).filter(|_| octet == b'%');
        let value = pair.and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        decoded.push(value.unwrap_or(octet));
        at += if value.is_some() { 3 } else { 1 };
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let of = |path, query| Route::of(path, query, None);
        assert_eq!(of("/", None), Ok(Route::FrontPage(Fields::default())));
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

    #[test]
    fn fields_of_forms() {
        let fields = Fields::parse(b"url=gopher%3A%2F%2Fh%2F&a=b+c%2B&&d&%C3%A9=%FF%2&a=second");
        assert_eq!(fields.get("url"), Some("gopher://h/"));
        assert_eq!(fields.get("a"), Some("b c+"));
        assert_eq!(fields.get("d"), Some(""));
        assert_eq!(fields.get("é"), Some("\u{FFFD}%2"));
        assert_eq!(fields.get("none"), None);
        assert_eq!(Fields::parse(b""), Fields::default());
    }
}
