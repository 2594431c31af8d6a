//! URLs in the path, the query and the fragment of a URL: takes a URL that is divided into components, returns the URLs
//! in it, decoded, with their positions. A server that redirects, fetches or shows them contacts their hosts, which a check
//! of the whole text does not see.
//!
//! `nested` has the URLs after a wrapper scheme. [`may_be_colon`] and [`may_begin_value`] are the signs that a text
//! without escapes must have, for the fast answer of `plain`.
//!
//! ```text
//! let found = &urls(&divide("https://h/login?next=https%3A%2F%2Fevil.example%2F"), is_ordinary)[0];
//! assert_eq!(found.text, "https://evil.example/");
//! assert!(found.is_of_redirect && !found.is_exact);
//! ```

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::divided::Divided;
use crate::schemes;
use crate::unwrap::{self, base64, decoded};
use locator::Component;

/// A URL in another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EnclosedUrl<'t> {
    /// The URL as a server reads it.
    pub(crate) text: Cow<'t, str>,
    /// Where it is in the whole text.
    pub(crate) span: Range<usize>,
    /// Whether it is written there as it is read, so that its positions are those of the text.
    pub(crate) is_exact: bool,
    /// Whether it is the value of a parameter that names the target of a redirect.
    pub(crate) is_of_redirect: bool,
    /// Whether the outer URL is a link of a service that leads there: a safe link of a mail provider.
    pub(crate) is_wrapped: bool,
    pub(crate) component: Component,
}

/// How often a value is decoded: a redirect to a redirect is escaped twice.
const MOST_DECODED: usize = 3;

/// How many URLs of one text are looked at. Each is in a stretch of its own.
const MOST: usize = 16;

/// Returns the URLs in a URL, from left to right. `is_ordinary` answers whether a host is of no table, so that it has no
/// links whose targets are not written as URLs.
pub(crate) fn urls<'t>(outer: &Divided<'t>, is_ordinary: fn(&str) -> bool) -> Vec<EnclosedUrl<'t>> {
    let mut found = Vec::new();
    // A data URL or a program has no parameters, and a URL without a host and scheme is enclosed itself.
    if outer.span(Component::Authority).is_none() && !outer.scheme().is_empty() {
        return found;
    }
    if let Some(span) = outer.span(Component::Path)
        && let Some(url) = in_path(outer, span)
    {
        let is_whole = url.is_exact;
        found.push(url);
        if is_whole {
            mark_wrapped(outer, &mut found);
            return found;
        }
    }
    for component in [Component::Query, Component::Fragment] {
        let (Some(text), Some(span)) = (outer.get(component), outer.span(component)) else { continue };
        if may_have_one(text) {
            pairs(text, span.start, component, &mut found);
        }
    }
    if !found.is_empty() || outer.get(Component::Host).is_some_and(|host| !is_ordinary(host)) {
        mark_wrapped(outer, &mut found);
    }
    found
}

/// Returns whether a text has a sign of a URL.
fn may_have_one(text: &str) -> bool {
    text.contains([':', '%', '\\']) || text.contains("=//") || text.contains(BASE64)
}

/// The beginning of "http" in base64.
const BASE64: &str = "aHR0c";

/// Finds a URL in a path, which goes on to the end of the text unless it is escaped.
fn in_path<'t>(outer: &Divided<'t>, span: Range<usize>) -> Option<EnclosedUrl<'t>> {
    let path = outer.text.get(span.clone())?;
    let with = |text, span, is_exact| EnclosedUrl {
        text,
        span,
        is_exact,
        is_of_redirect: false,
        is_wrapped: false,
        component: Component::Path,
    };
    // The beginning of a path is "/"; a relative reference may be a URL itself.
    for (at, _) in path.match_indices(':') {
        let start = path.get(..at)?.rfind(|c: char| !is_of_scheme(c)).map_or(0, |before| before + 1);
        let (scheme, rest) = (path.get(start..at)?, path.get(at + 1..)?);
        if start > 0 && rest.starts_with('/') && is_of_path(scheme, rest) {
            let span = span.start + start..outer.text.len();
            return Some(with(Cow::Borrowed(outer.text.get(span.clone())?), span, true));
        }
    }
    if !path.contains('%') {
        return None;
    }
    let mut start = 0;
    for segment in path.split('/') {
        let length = segment.len();
        // "%3A", also escaped again.
        if segment.contains("%3") || segment.contains("%25") {
            let url = decoded_url(segment).filter(|url| {
                url.split_once(':').is_some_and(|(scheme, rest)| is_of_path(scheme.trim_start(), rest))
            });
            if let Some(url) = url {
                let span = span.start + start..span.start + start + length;
                return Some(with(Cow::Owned(url), span, false));
            }
        }
        start += length + 1;
    }
    None
}

/// Returns whether a scheme in a path, which this follows, begins a URL.
fn is_of_path(scheme: &str, rest: &str) -> bool {
    schemes::is_followed(scheme) && (rest.starts_with("//") || schemes::is_followed_by_host(scheme))
}

const fn is_of_scheme(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')
}

/// Finds the URLs in the parameters of a query or a fragment.
fn pairs<'t>(text: &'t str, start: usize, component: Component, found: &mut Vec<EnclosedUrl<'t>>) {
    let mut at = start;
    for piece in text.split('&') {
        let (piece_start, length) = (at, piece.len());
        at += length + 1;
        if found.len() == MOST {
            return;
        }
        let (name, value) = match piece.split_once('=') {
            // "?https://h/?a=b" has no name.
            Some((name, value)) if begins(name, false).is_none() => (name, value),
            _ => ("", piece),
        };
        let is_of_redirect = is_redirect(name);
        let value_start = piece_start + length - value.len();
        let url = begins(value, is_of_redirect)
            .map(|skipped| (Cow::Borrowed(&value[skipped..]), value_start + skipped, true))
            .or_else(|| {
                let decoded = decoded_value(value, is_of_redirect)?;
                Some((Cow::Owned(decoded), value_start, false))
            });
        if let Some((text, url_start, is_exact)) = url {
            let span = url_start..piece_start + length;
            found.push(EnclosedUrl { text, span, is_exact, is_of_redirect, is_wrapped: false, component });
        }
    }
}

/// Returns how many octets precede the URL that a text is; `None` if it is none. The value of a redirect may begin with
/// "//" or, for browsers, with "/\".
fn begins(text: &str, is_of_redirect: bool) -> Option<usize> {
    let trimmed = text.trim_start_matches(|c: char| c <= ' ');
    let skipped = text.len() - trimmed.len();
    let is_relative = ["//", "/\\", "\\\\", "\\/"].iter().any(|start| trimmed.starts_with(start));
    if is_relative && is_of_redirect {
        let host = trimmed.get(2..)?.chars().next()?;
        return (host.is_alphanumeric() || host == '[').then_some(skipped);
    }
    let colon = trimmed.bytes().take(LONGEST_SCHEME).position(|octet| !is_of_scheme(char::from(octet)))?;
    let (scheme, rest) = (trimmed.get(..colon)?, trimmed.get(colon..)?.strip_prefix(':')?);
    let is_url = if schemes::runs_code(scheme) {
        true
    } else if schemes::contains_document(scheme) {
        rest.contains(',')
    } else {
        schemes::is_followed(scheme)
            && (rest.starts_with(['/', '\\']) || schemes::is_followed_by_host(scheme))
    };
    (is_url && !rest.is_empty()).then_some(skipped)
}

/// No scheme of [`begins`] is longer.
const LONGEST_SCHEME: usize = 32;

/// Decodes a value until it is a URL.
fn decoded_url(value: &str) -> Option<String> {
    decoded_value(value, false)
}

fn decoded_value(value: &str, is_of_redirect: bool) -> Option<String> {
    if value.starts_with(BASE64) {
        let octets = base64(&decoded(value))?;
        return String::from_utf8(octets).ok().filter(|url| begins(url, false).is_some());
    }
    let mut text = Cow::Borrowed(value);
    for _ in 0..MOST_DECODED {
        if !text.contains('%') {
            return None;
        }
        // "Remove all ASCII tab or newline" (URL Standard, 4.4).
        text = Cow::Owned(decoded(&text).replace(['\t', '\n', '\r'], ""));
        if let Some(skipped) = begins(&text, is_of_redirect) {
            return text.get(skipped..).map(String::from);
        }
    }
    None
}

/// Marks the target of a wrapped link, and adds it if it is not written as a URL.
fn mark_wrapped(outer: &Divided<'_>, found: &mut Vec<EnclosedUrl<'_>>) {
    let Some(target) = unwrap::read(outer).and_then(|link| link.target().map(String::from)) else { return };
    let Some(path) = outer.span(Component::Path) else { return };
    if let Some(url) = found.iter_mut().find(|url| url.text == target) {
        url.is_wrapped = true;
    } else {
        found.push(EnclosedUrl {
            text: Cow::Owned(target),
            span: path.start..outer.text.len(),
            is_exact: false,
            is_of_redirect: true,
            is_wrapped: true,
            component: Component::Path,
        });
    }
}

/// Returns whether a parameter names where a server redirects to, without regard to case, "-" and "_".
pub(crate) fn is_redirect(name: &str) -> bool {
    if name.is_empty() || name.len() > 24 {
        return false;
    }
    let mut letters = [0; 24];
    let mut length = 0;
    for octet in name.bytes().filter(|octet| !matches!(octet, b'-' | b'_')) {
        letters[length] = octet.to_ascii_lowercase();
        length += 1;
    }
    let name = letters.get(..length).unwrap_or_default();
    REDIRECTS.iter().any(|known| known.as_bytes() == name)
}

/// The names of parameters that redirect: those of OAuth 2.0, SAML, CAS, OpenID, frameworks, and of the cheat sheet
/// "Unvalidated Redirects and Forwards" of OWASP.
#[rustfmt::skip]
static REDIRECTS: [&str; 54] = [
    "url", "uri", "u", "next", "nexturl", "continue", "continueto", "return", "returnto", "returnurl", "returnuri",
    "returnpath", "redirect", "redirecturl", "redirecturi", "redirectto", "redir", "redirurl", "rurl", "ru", "dest",
    "destination", "desturl", "target", "targeturl", "to", "goto", "go", "out", "link", "linkurl", "forward", "forwardto",
    "relaystate", "service", "callback", "callbackurl", "postlogoutredirecturi", "logout", "logouturl", "login",
    "successurl", "failureurl", "cancelurl", "checkouturl", "backurl", "back", "referer", "referrer", "from", "origin",
    "openidreturnto", "wreply", "springsecurityredirect",
];

/// Returns whether a ":" in a text without escapes may be of a URL in it.
pub(crate) fn may_be_colon(octets: &[u8], at: usize) -> bool {
    if matches!(octets.get(at + 1), Some(b'/' | b'\\')) {
        return true;
    }
    let before = octets.get(..at).unwrap_or_default();
    let length =
        before.iter().rev().take(LONGEST_SCHEME).take_while(|octet| octet.is_ascii_alphabetic()).count();
    let scheme = before.get(at - length..).and_then(|scheme| core::str::from_utf8(scheme).ok());
    scheme.is_some_and(|scheme| {
        schemes::runs_code(scheme)
            || schemes::contains_document(scheme)
            || schemes::is_followed(scheme) && schemes::is_followed_by_host(scheme)
    })
}

/// Returns whether a value without escapes and ":" may be a URL.
pub(crate) fn may_begin_value(value: &[u8]) -> bool {
    value.starts_with(b"//") || value.starts_with(b"/\\") || value.starts_with(BASE64.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::{is_redirect, urls};
    use crate::divided::Divided;
    use locator::edition::DEFAULT;

    fn found(text: &str) -> Vec<(std::string::String, &str)> {
        let found = urls(&Divided::new(text, DEFAULT), |_| false);
        found.into_iter().map(|url| (url.text.into_owned(), &text[url.span])).collect()
    }

    #[test]
    fn urls_are_found() {
        for (text, url, written) in [
            ("https://h/?next=https://e.example/a&b=c", "https://e.example/a", "https://e.example/a"),
            ("https://h/?q=http%3A%2F%2Fe.example%2F", "http://e.example/", "http%3A%2F%2Fe.example%2F"),
            ("https://h/?q=http%253A%252F%252Fe.example", "http://e.example", "http%253A%252F%252Fe.example"),
            ("https://h/?q=%20javascript:alert(1)", "javascript:alert(1)", "%20javascript:alert(1)"),
            ("https://h/?q=java%09script:alert(1)", "javascript:alert(1)", "java%09script:alert(1)"),
            ("https://h/?https://e.example/?a=b", "https://e.example/?a=b", "https://e.example/?a=b"),
            ("https://h/?u=//e.example/a", "//e.example/a", "//e.example/a"),
            ("https://h/?u=/\\e.example/a", "/\\e.example/a", "/\\e.example/a"),
            ("https://h/?u=http:e.example", "http:e.example", "http:e.example"),
            ("https://h/?c=aHR0cDovL2UuZXhhbXBsZS8", "http://e.example/", "aHR0cDovL2UuZXhhbXBsZS8"),
            ("https://h/?c=aHR0cDovL2UuZXhhbXBsZS8%3D", "http://e.example/", "aHR0cDovL2UuZXhhbXBsZS8%3D"),
            ("https://h/web/2020/http://e.example/?a#b", "http://e.example/?a#b", "http://e.example/?a#b"),
            (
                "https://h/r/https%3A%2F%2Fe.example%2Fa/b",
                "https://e.example/a",
                "https%3A%2F%2Fe.example%2Fa",
            ),
            ("https://h/#u=https://e.example/", "https://e.example/", "https://e.example/"),
            ("https://h/#https://e.example/", "https://e.example/", "https://e.example/"),
            ("/login?next=https://e.example/", "https://e.example/", "https://e.example/"),
            ("https://h/?x=data:text/html,a", "data:text/html,a", "data:text/html,a"),
            ("https://h/?x=gopher://e.example/", "gopher://e.example/", "gopher://e.example/"),
            ("https://h/?x=file:///etc/passwd", "file:///etc/passwd", "file:///etc/passwd"),
            (
                "https://urldefense.proofpoint.com/v2/url?u=http-3A__e.example_&d=x",
                "http://e.example/",
                "/v2/url?u=http-3A__e.example_&d=x",
            ),
        ] {
            assert_eq!(found(text), [(url.into(), written)], "{text}");
        }
    }

    #[test]
    fn other_values_are_none() {
        for text in [
            "https://h/wiki/Talk:Main/a",
            "https://h/C:/a",
            "https://h/?q=site:e.example",
            "https://h/?time=12:30&q=a//b",
            "https://h/?q=//comment",
            "https://h/?u=//",
            "https://h/?q=data:x",
            "https://h/?q=http:",
            "https://h/?next=/account",
            "https://h/?q=aHR0c",
            "mailto:a@b?body=http://e.example/",
            "data:text/html,?a=http://e.example/",
            "https://h/a://b",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn names_of_redirects() {
        for name in
            ["url", "RelayState", "return_to", "redirect_uri", "Return-URL", "u", "post_logout_redirect_uri"]
        {
            assert!(is_redirect(name), "{name}");
        }
        for name in ["", "q", "urls", "surl", "a_very_long_name_of_a_parameter"] {
            assert!(!is_redirect(name), "{name}");
        }
    }
}
