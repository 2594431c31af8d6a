//! Parts of a URL that was read by the URL Standard. A part is that of its serialisation, and is set by the setters of
//! the class `URL` (6.1). Where the standard's setter ignores a value and says nothing, an error says why.

use std::borrow::Cow;

use locator::{Component, UriRef};
use locator_functions::Access;
use locator_whatwg::{Position, SetError, Url, quirks};

use super::Field;
use crate::input::url_standard::{self, host_kind, part};
use crate::terminal::visible;

/// Why a part of a URL is not set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UrlRefused {
    /// The word for it in JSON.
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    pub(crate) see: Option<String>,
    /// Whether another URL could be changed this way.
    pub(crate) depends_on_url: bool,
}

impl UrlRefused {
    pub(crate) fn new(kind: &'static str, message: impl Into<String>) -> Self {
        let see = Some(format!("{}, 6.1", url_standard::DOCUMENT));
        Self { kind, message: message.into(), see, depends_on_url: true }
    }

    fn of_value(kind: &'static str, message: impl Into<String>) -> Self {
        Self { depends_on_url: false, ..Self::new(kind, message) }
    }

    /// A URL with an opaque path has no segments and no host.
    pub(crate) fn opaque() -> Self {
        Self::new(
            "opaque-path",
            "the path of this URL is opaque, and the URL Standard ignores a new one; use -e rfc3986 to set it",
        )
    }

    /// A segment that the parser would remove.
    pub(crate) fn dot_segment() -> Self {
        Self::of_value("dot-segment", SetError::DotSegment.to_string())
    }

    fn of_user_or_port(error: SetError, what: &str) -> Self {
        match error {
            SetError::FileHasNoUserOrPort => {
                Self::new("no-authority", format!("a file URL has no {what}, so the URL Standard ignores it"))
            }
            SetError::NoHost => Self::new(
                "no-host",
                format!("a {what} needs a host, and this URL has none; set the host first"),
            ),
            other => Self::other(other),
        }
    }

    fn of_scheme(error: SetError, url: &Url, scheme: &str) -> Self {
        let advice = format!("use -e rfc3986 to change {} to {}", url.scheme(), visible(scheme));
        match error {
            SetError::InvalidScheme => Self::of_value("scheme", error.to_string()),
            SetError::SchemeIsSpecial => Self::new(
                "scheme-kind",
                format!(
                    "http, https, ws, wss, ftp and file are special, and {} is not, so the URL Standard ignores \
                     it; {advice}",
                    url.scheme()
                ),
            ),
            SetError::SchemeIsNotSpecial => Self::new(
                "scheme-kind",
                format!(
                    "{} is special (http, https, ws, wss, ftp, file), and the new scheme is not, so the URL \
                     Standard ignores it; {advice}",
                    url.scheme()
                ),
            ),
            SetError::FileHasNoUserOrPort => Self::new(
                "no-authority",
                "a file URL has no user, password or port, which this URL has, so the URL Standard ignores it; \
                 unset them first",
            ),
            SetError::NoHost => Self::new(
                "no-host",
                "this URL has no host, so the URL Standard ignores the scheme; set the host first",
            ),
            other => Self::other(other),
        }
    }

    fn of_host(error: SetError, url: &Url, host: &str) -> Self {
        match error {
            SetError::PortAfterHost => {
                Self::of_value("port-after-host", "a port follows the host; set it with -s port=NUMBER")
            }
            SetError::OpaquePath => Self::new(
                "opaque-path",
                "the path of this URL is opaque, so it has no host, and the URL Standard ignores one",
            ),
            SetError::InvalidHost(_) if host.is_empty() => {
                Self::new("host-missing", format!("{} needs a host", url.scheme()))
            }
            SetError::InvalidHost(error) => {
                // The parser knows the name of the error.
                let probe = format!("{}://{host}/", url.scheme());
                let why = url_standard::parse(probe.as_bytes(), None).err();
                let message = why.as_ref().map_or_else(|| error.to_string(), |why| why.message().to_owned());
                let (kind, see) = why.map_or(("host", None), |why| (why.rule(), Some(why.citation())));
                Self { see: see.or_else(|| Self::new("", "").see), ..Self::new(kind, message) }
            }
            other => Self::other(other),
        }
    }

    fn other(error: SetError) -> Self {
        Self::new("not-set", error.to_string())
    }
}

impl Field {
    /// Returns the text of the part of a URL, as the URL Standard reads it; `None` if it is undefined.
    ///
    /// What is computed of an RFC's reading, such as the registered domain, is computed of the serialisation.
    pub(crate) fn of_url(self, url: &Url) -> Option<Cow<'_, str>> {
        let Self::Part(selection) = self else {
            return reference(url).and_then(|reference| self.of(reference));
        };
        let userinfo = || part(url, Component::Userinfo);
        let owned = |text: Option<&'_ str>| text.map(|text| Cow::Owned(text.to_owned()));
        match selection.part().access() {
            Access::Whole => Some(Cow::Borrowed(url.as_str())),
            Access::Component(component) => part(url, component).map(Cow::Borrowed),
            Access::Protocol => Some(Cow::Borrowed(quirks::protocol(url))),
            Access::User => userinfo().map(|_| Cow::Borrowed(url.username())),
            Access::Password => url.password().map(Cow::Borrowed),
            Access::HostAndPort => url.has_authority().then(|| Cow::Borrowed(quirks::host(url))),
            Access::PathAndQuery => Some(Cow::Borrowed(&url[Position::BeforePath..Position::AfterQuery])),
            Access::Search => url.query().map(|_| Cow::Borrowed(quirks::search(url))),
            Access::Hash => url.fragment().map(|_| Cow::Borrowed(quirks::hash(url))),
            Access::Segment => {
                let mut segments = url.path_segments()?;
                let index = self.nth().among(segments.clone().count())?;
                segments.nth(index).map(Cow::Borrowed)
            }
            Access::Label => {
                let host = url.domain()?;
                let labels = host.strip_suffix('.').unwrap_or(host).split('.');
                labels.clone().nth(self.nth().among(labels.count())?).map(Cow::Borrowed)
            }
            Access::Pair => {
                let name = selection.parameter().unwrap_or_default();
                owned(url.search_params().get(name))
            }
            _ => match selection.part().name() {
                "origin" => Some(Cow::Owned(url.origin().ascii_serialization())),
                "host_kind" => host_kind(url).map(Cow::Borrowed),
                "host_normal" | "host_ascii" => url.host_str().map(Cow::Borrowed),
                "host_unicode" => {
                    url.host_str().map(|host| match url.domain().filter(|_| url.is_special()) {
                        Some(domain) => Cow::Owned(quirks::domain_to_unicode(domain)),
                        None => Cow::Borrowed(host),
                    })
                }
                "effective_port" => url.port_or_known_default().map(|port| Cow::Owned(port.to_string())),
                _ => reference(url).and_then(|reference| self.of(reference)),
            },
        }
    }

    /// Whether it is there already.
    pub(crate) fn is_set_in_url(self, url: &Url) -> bool {
        match self.access() {
            Some(Access::Component(Component::Path)) => !url.path().is_empty(),
            _ => self.of_url(url).is_some(),
        }
    }

    /// Sets it as the setters of the standard do: escapes in the value stay.
    pub(crate) fn set_in_url(self, url: &mut Url, value: &str) -> Result<(), UrlRefused> {
        match self.access() {
            Some(Access::Component(Component::Scheme) | Access::Protocol) => {
                let scheme = value.strip_suffix(':').unwrap_or(value);
                let set = url.try_set_scheme(scheme).map(drop);
                set.map_err(|error| UrlRefused::of_scheme(error, url, scheme))
            }
            Some(Access::Component(Component::Userinfo)) => set_userinfo(url, value),
            Some(Access::Component(Component::Authority)) => set_authority(url, value),
            Some(Access::User) => set_user(url, value),
            Some(Access::Password) => set_password(url, Some(value)),
            Some(Access::Component(Component::Host)) => set_host(url, Some(value)),
            Some(Access::Component(Component::Port)) => set_port(url, value),
            Some(Access::Component(Component::Path)) if url.cannot_be_a_base() => Err(UrlRefused::opaque()),
            Some(Access::Component(Component::Path)) => {
                url.try_set_path(value).map(drop).map_err(UrlRefused::other)
            }
            Some(Access::Segment) => self.set_segment_of_url(url, value),
            Some(Access::Component(Component::Query) | Access::Search) => {
                let query = value.strip_prefix('?').unwrap_or(value);
                url.try_set_query(Some(query)).map(drop).map_err(UrlRefused::other)
            }
            Some(Access::Component(Component::Fragment) | Access::Hash) => {
                let fragment = value.strip_prefix('#').unwrap_or(value);
                url.try_set_fragment(Some(fragment)).map(drop).map_err(UrlRefused::other)
            }
            Some(Access::Pair) => {
                let Self::Part(selection) = self else { return Err(self.not_in_url()) };
                let name = selection.parameter().unwrap_or_default();
                url.edit_query(|query| {
                    query.set(name, value);
                });
                Ok(())
            }
            _ => Err(self.not_in_url()),
        }
    }

    /// Removes it with its delimiter; what is not there is no error.
    pub(crate) fn remove_from_url(self, url: &mut Url) -> Result<(), UrlRefused> {
        let has_userinfo = part(url, Component::Userinfo).is_some();
        match self.access() {
            Some(Access::Component(Component::Scheme) | Access::Protocol) => {
                Err(UrlRefused::of_value("no-scheme", "a URL has a scheme by the URL Standard"))
            }
            Some(Access::User | Access::Password | Access::Component(Component::Userinfo))
                if !has_userinfo =>
            {
                Ok(())
            }
            Some(Access::Component(Component::Userinfo)) => set_userinfo(url, ""),
            Some(Access::User) => set_user(url, ""),
            Some(Access::Password) => set_password(url, None),
            Some(Access::Component(Component::Port)) if url.port().is_none() => Ok(()),
            Some(Access::Component(Component::Port)) => set_port(url, ""),
            Some(Access::Component(Component::Host | Component::Authority)) if !url.has_authority() => Ok(()),
            Some(Access::Component(Component::Host | Component::Authority)) => set_host(url, None),
            Some(Access::Component(Component::Path)) => self.set_in_url(url, ""),
            Some(Access::Segment) => self.remove_segment_of_url(url),
            Some(Access::Component(Component::Query) | Access::Search) => {
                url.set_query(None);
                Ok(())
            }
            Some(Access::Component(Component::Fragment) | Access::Hash) => {
                url.set_fragment(None);
                Ok(())
            }
            Some(Access::Pair) => {
                let Self::Part(selection) = self else { return Err(self.not_in_url()) };
                let name = selection.parameter().unwrap_or_default();
                url.edit_query(|query| {
                    query.retain(|other, _| other != name);
                });
                Ok(())
            }
            _ => Err(self.not_in_url()),
        }
    }

    fn set_segment_of_url(self, url: &mut Url, value: &str) -> Result<(), UrlRefused> {
        let mut segments = segments(url)?;
        let index = self.nth().among(segments.len()).ok_or_else(|| self.no_segment(segments.len()))?;
        segments[index] = segment(url, value)?;
        url.set_path(&segments.join("/"));
        Ok(())
    }

    fn remove_segment_of_url(self, url: &mut Url) -> Result<(), UrlRefused> {
        let mut segments = segments(url)?;
        let Some(index) = self.nth().among(segments.len()) else { return Ok(()) };
        segments.remove(index);
        url.set_path(&segments.join("/"));
        Ok(())
    }

    fn no_segment(self, count: usize) -> UrlRefused {
        let nth = self.nth();
        UrlRefused::new(
            "no-segment",
            format!(
                "there is no segment {nth}; the path has {count} (counted from 0, or from -1 at the end)"
            ),
        )
    }

    /// The error for a part that only an edition has.
    fn not_in_url(self) -> UrlRefused {
        let name = self.title();
        UrlRefused::of_value(
            "no-part",
            format!("\"{name}\" cannot be set by the URL Standard; use -e rfc3986"),
        )
    }
}

/// Returns the serialisation as a reference by RFC 3986, or if it is none, what is before its path.
fn reference(url: &Url) -> Option<UriRef<'_>> {
    UriRef::parse(url.as_str()).or_else(|_| UriRef::parse(&url[..Position::BeforePath])).ok()
}

/// Returns the segments of a path, percent-encoded.
fn segments(url: &Url) -> Result<Vec<String>, UrlRefused> {
    let segments = url.path_segments().ok_or_else(UrlRefused::opaque)?;
    Ok(segments.map(str::to_owned).collect())
}

/// Returns a value as a segment, in which a setter finds no delimiter.
pub(crate) fn segment(url: &Url, value: &str) -> Result<String, UrlRefused> {
    if matches!(value, "." | "..") {
        return Err(UrlRefused::dot_segment());
    }
    let mut text = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '%' => text.push_str("%25"),
            '/' => text.push_str("%2F"),
            '\\' if url.is_special() => text.push_str("%5C"),
            // The parser removes them.
            '\t' => text.push_str("%09"),
            '\n' => text.push_str("%0A"),
            '\r' => text.push_str("%0D"),
            c => text.push(c),
        }
    }
    Ok(text)
}

fn set_user(url: &mut Url, value: &str) -> Result<(), UrlRefused> {
    url.try_set_username(value).map(drop).map_err(|error| UrlRefused::of_user_or_port(error, "user"))
}

fn set_password(url: &mut Url, value: Option<&str>) -> Result<(), UrlRefused> {
    url.try_set_password(value).map(drop).map_err(|error| UrlRefused::of_user_or_port(error, "password"))
}

fn set_userinfo(url: &mut Url, value: &str) -> Result<(), UrlRefused> {
    let (user, password) = match value.split_once(':') {
        Some((user, password)) => (user, Some(password)),
        None => (value, None),
    };
    set_user(url, user)?;
    set_password(url, password)
}

fn set_host(url: &mut Url, value: Option<&str>) -> Result<(), UrlRefused> {
    let set = url.try_set_host(value).map(drop);
    set.map_err(|error| UrlRefused::of_host(error, url, value.unwrap_or_default()))
}

fn set_port(url: &mut Url, value: &str) -> Result<(), UrlRefused> {
    let port = match value {
        "" => None,
        text if text.bytes().all(|octet| octet.is_ascii_digit())
            && let Ok(port) = text.parse() =>
        {
            Some(port)
        }
        _ => return Err(UrlRefused::of_value("port-invalid", "a port is a number up to 65535")),
    };
    url.try_set_port(port).map(drop).map_err(|error| UrlRefused::of_user_or_port(error, "port"))
}

/// Sets user, password, host and port: `user@example.com:8080`.
fn set_authority(url: &mut Url, value: &str) -> Result<(), UrlRefused> {
    let (userinfo, rest) = value.rsplit_once('@').unwrap_or(("", value));
    let (host, port) = match rest.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, port),
        _ => (rest, ""),
    };
    set_host(url, Some(host))?;
    if url.has_host() && url.scheme() != "file" || !userinfo.is_empty() || !port.is_empty() {
        set_userinfo(url, userinfo)?;
        set_port(url, port)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(url: &str, part: &str, value: &str) -> Result<String, &'static str> {
        let mut url = Url::parse(url).expect("it is a URL");
        let field = Field::settable(part).expect("it is the name of a part");
        let set = if value.is_empty() {
            field.remove_from_url(&mut url)
        } else {
            field.set_in_url(&mut url, value)
        };
        set.map(|()| url.into()).map_err(|refused| refused.kind)
    }

    #[test]
    fn parts_are_set_or_an_error_says_why_not() {
        for (url, part, value, expected) in [
            ("http://h/a", "host", "EXAMPLE.org", Ok("http://example.org/a")),
            ("http://h/a", "host", "0x7f.1", Ok("http://127.0.0.1/a")),
            ("http://h/a", "host", "h:80", Err("port-after-host")),
            ("http://h/a", "host", "a b", Err("domain-to-ASCII")),
            ("http://h/a", "host", "", Err("host-missing")),
            ("http://h/a", "scheme", "foo", Err("scheme-kind")),
            ("foo://h/a", "scheme", "http", Err("scheme-kind")),
            ("http://h/a", "protocol", "wss:", Ok("wss://h/a")),
            ("http://h/a", "scheme", "", Err("no-scheme")),
            ("http://h:8/a", "port", "80", Ok("http://h/a")),
            ("http://h/a", "port", "8x", Err("port-invalid")),
            ("file:///a", "port", "80", Err("no-authority")),
            ("mailto:a@b", "user", "u", Err("no-host")),
            ("mailto:a@b", "host", "h", Err("opaque-path")),
            ("mailto:a@b", "path", "x", Err("opaque-path")),
            ("web+demo:/", "path", "//evil.example/x", Ok("web+demo:/.//evil.example/x")),
            ("http://h/a", "path", "b c?d", Ok("http://h/b%20c%3Fd")),
            ("http://h/a/b", "path:0", "x/y", Ok("http://h/x%2Fy/b")),
            ("http://h/a/b", "path:-1", "", Ok("http://h/a")),
            ("http://h/a/b", "path:2", "c", Err("no-segment")),
            ("http://h/a/b", "path:1", "..", Err("dot-segment")),
            ("http://h/?f[]=1&a=2", "query:a", "x y", Ok("http://h/?f[]=1&a=x+y")),
            ("http://h/?a=1#f", "search", "?b", Ok("http://h/?b#f")),
            ("http://h/?a=1#f", "query", "", Ok("http://h/#f")),
            ("http://h/", "hash", "#a b", Ok("http://h/#a%20b")),
            ("http://h/", "authority", "u:p@[::0001]:81", Ok("http://u:p@[::1]:81/")),
            ("http://u:p@h/", "userinfo", "", Ok("http://h/")),
        ] {
            let expected = expected.map(str::to_owned);
            assert_eq!(edited(url, part, value), expected, "{url} {part}={value}");
        }
    }

    #[test]
    fn parts_are_those_of_the_serialisation() {
        let url =
            Url::parse("HTTPS:\\\\u:p@B\u{FC}cher.de:443\\a|b\\..\\c?x=1&y=%20#top").expect("it is a URL");
        for (part, expected) in [
            ("url", Some("https://u:p@xn--bcher-kva.de/c?x=1&y=%20#top")),
            ("origin", Some("https://xn--bcher-kva.de")),
            ("protocol", Some("https:")),
            ("user", Some("u")),
            ("port", None),
            ("effective_port", Some("443")),
            ("host_unicode", Some("b\u{FC}cher.de")),
            ("registered_domain", Some("xn--bcher-kva.de")),
            ("path:0", Some("c")),
            ("label:0", Some("xn--bcher-kva")),
            ("query:y", Some(" ")),
            ("hash", Some("#top")),
        ] {
            let field = Field::named(part).expect("it is the name of a part");
            assert_eq!(field.of_url(&url).as_deref(), expected, "{part}");
        }
    }
}
