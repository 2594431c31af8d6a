//! References as browsers read them, and what of a URL matters to its server or file.

use std::borrow::Cow;
use std::path::PathBuf;

use locator::scheme::file::Platform;
use locator::{Edit, UriRef};
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
