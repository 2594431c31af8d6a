//! References as browsers read them, and what of a URL matters to its server or file.

pub mod eligible;
pub(crate) mod mailto;

use std::borrow::Cow;
use std::path::PathBuf;

use locator::scheme::file::Platform;
use locator::{Edit, Level, UriRef};
use locator_find::Link;

/// Returns why a URL cannot be that of a server, although its grammar allows it.
pub(crate) fn impossible(url: UriRef<'_>) -> Option<&'static str> {
    if url.host().is_some_and(|host| host.as_str().is_empty()) {
        return Some("a host is missing");
    }
    // RFC 3986 has no largest port; TCP and the URL standard have ("port-out-of-range").
    let port = url.authority()?.port().filter(|port| !port.as_str().is_empty())?;
    port.number().is_none().then_some("the largest port is 65535")
}

/// Returns a URL whose host has no final dot: with it the name is the same, but some programs read it in their own
/// way, so that policies refuse it.
pub(crate) fn without_final_dot(url: &str, parsed: UriRef<'_>) -> String {
    let name = parsed.host().and_then(|host| host.as_str().strip_suffix('.'));
    let edited = name.filter(|name| !name.is_empty()).and_then(|name| {
        let mut edit = Edit::of(parsed);
        edit.set_host(name).ok()?;
        edit.finish().ok()
    });
    edited.map_or_else(|| url.to_owned(), |url| url.as_str().to_owned())
}

/// Returns a URL with the scheme, the host and the port of its normal form (RFC 3986, 6.2.2 and 6.2.3): in lower case,
/// without a default port, and with a path where an empty one is equal. The rest stays as it is, since servers exist
/// that tell `%7E` from `~`.
pub(crate) fn with_normal_host(url: &str) -> Cow<'_, str> {
    let Ok(parsed) = UriRef::parse(url) else { return Cow::Borrowed(url) };
    let Some(authority) = parsed.authority() else { return Cow::Borrowed(url) };
    let normal = parsed.normalize(Level::Scheme);
    let Some((own, own_path)) = UriRef::parse(normal.as_str())
        .ok()
        .and_then(|normal| Some((normal.authority()?.as_str().len(), normal.path().as_str().len())))
    else {
        return Cow::Borrowed(url);
    };
    let end = |of: &str, authority: usize| of.find("://").map_or(0, |at| at + 3) + authority;
    let rest = url.get(end(url, authority.as_str().len())..).unwrap_or_default();
    // The path of the normal form, only where there was none.
    let path = if parsed.path().is_empty() { own_path } else { 0 };
    let begin = normal.as_str().get(..end(normal.as_str(), own) + path).unwrap_or_default();
    if begin.len() + rest.len() == url.len() && url.starts_with(begin) {
        return Cow::Borrowed(url);
    }
    Cow::Owned(format!("{begin}{rest}"))
}

/// Returns the path of a `file` URL of this machine, without its query.
pub(crate) fn path_of(url: UriRef<'_>) -> Option<PathBuf> {
    if url
        .host()
        .is_some_and(|host| !host.as_str().is_empty() && !host.as_str().eq_ignore_ascii_case("localhost"))
    {
        return None;
    }
    let path = url.path();
    // A name of a directory may end with a delimiter.
    let text = format!("file://{}", path.as_str().trim_end_matches('/'));
    let text = if text.len() == "file://".len() { "file:///".to_owned() } else { text };
    let octets = Platform::HOST.to_path(UriRef::parse(&text).ok()?).ok()?;
    native(octets)
}

#[cfg(unix)]
fn native(octets: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;

    Some(std::ffi::OsString::from_vec(octets).into())
}

#[cfg(not(unix))]
fn native(octets: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(octets).ok().map(PathBuf::from)
}

/// Returns a reference as browsers send it: with characters that are not allowed escaped, "\" before the query as
/// "/", and "%" that begins no escape as "%25", which servers decode to the same octet.
pub(crate) fn repaired<'t>(link: &Link<'_>, stem: &'t str) -> Result<Cow<'t, str>, String> {
    if let Some(web) = with_two_slashes(stem) {
        let valid = UriRef::parse_repaired(&web).map(|url| url.as_str().to_owned());
        return valid.map(Cow::Owned).map_err(|error| error.to_string());
    }
    if UriRef::parse(stem).is_ok() {
        return Ok(Cow::Borrowed(stem));
    }
    if let Some(escaped) = link.escaped() {
        return Ok(Cow::Owned(escaped.split('#').next().unwrap_or_default().to_owned()));
    }
    match UriRef::parse_repaired(stem) {
        Ok(reference) => Ok(Cow::Owned(reference.as_str().to_owned())),
        Err(error) => Err(error.to_string()),
    }
}

/// Returns a URL of the web with two slashes, if it has fewer or more: browsers skip them (URL standard, 4.4,
/// "special authority slashes state").
fn with_two_slashes(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once(':')?;
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let host = rest.trim_start_matches(['/', '\\']);
    let slashes = &rest[..rest.len() - host.len()];
    (is_web && slashes != "//" && !slashes.is_empty()).then(|| format!("{scheme}://{host}"))
}

#[cfg(test)]
mod tests {
    use super::with_normal_host;

    #[test]
    fn scheme_host_and_port_are_those_of_the_normal_form() {
        for (url, expected) in [
            ("HTTP://H.Example/A%7e/../b?Q", "http://h.example/A%7e/../b?Q"),
            ("http://h.example:80/", "http://h.example/"),
            ("https://h.example:443", "https://h.example/"),
            ("https://h.example:/a", "https://h.example/a"),
            ("http://h.example?q", "http://h.example/?q"),
            ("http://h.example:443/", "http://h.example:443/"),
            ("http://%48.example/", "http://h.example/"),
            ("http://[2001:DB8::1]/", "http://[2001:db8::1]/"),
            ("FTP://User@H.example:21/a", "ftp://User@h.example/a"),
            ("http://h.example/", "http://h.example/"),
            ("mailto:A@B", "mailto:A@B"),
            ("/A", "/A"),
        ] {
            assert_eq!(with_normal_host(url), expected);
        }
    }
}
