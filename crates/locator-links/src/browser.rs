//! Where a reference of an HTML document leads in a browser: takes the reference and the URL of its document, returns
//! an absolute URL or a path of the same site, by the parser of the URL Standard.
//!
//! Most references lead to the same place by RFC 3986: [`is_plain`] recognises these without a parser.
//!
//! The server of a document that is a file is not known. It is read as if it were published by https, so that
//! `//h.example/a` leads to `https://h.example/a`, and `https:a` to a file.

use std::borrow::Cow;

use locator::{Uri, UriRef};
use locator_find::Link;
use locator_whatwg::{ParseError, Position, Url, UrlRef, validate};

use crate::reference::with_normal_host;

/// The server of a document that is a file.
const SITE: &str = "page.invalid";

/// Where a reference leads.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BrowserTarget {
    /// To this absolute URL.
    Url(String),
    /// To this path, with its query, of the site whose document is a file.
    Path(String),
}

/// Returns whether a reference leads to the same place by RFC 3986 and in a browser: a relative path without anything
/// that browsers rewrite, or a URL in serialised form.
pub(crate) fn is_plain(reference: &str) -> bool {
    let is_kept = |octet: u8| octet.is_ascii_alphanumeric() || b"/._~?=&;+,@!$()*-%".contains(&octet);
    let has_escaped_dot = || reference.contains("%2e") || reference.contains("%2E");
    if reference.bytes().all(is_kept) {
        return !reference.starts_with("//") && !has_escaped_dot();
    }
    reference.is_ascii() && UrlRef::parse(reference).is_ok()
}

/// Returns where a reference of a document with this base leads. The result is `None` where the standard has no answer:
/// a relative reference without a base, or with a base that has no path.
///
/// # Errors
///
/// Why a browser rejects the reference, or why what it makes of it is not a URI.
pub(crate) fn resolve(reference: &str, base: Option<Uri<'_>>) -> Option<Result<BrowserTarget, String>> {
    let is_file = base.is_some_and(|base| base.scheme().lowercase() == "file");
    let base = match base {
        Some(base) if is_file => Some(Url::parse(&published(base.as_str())?).ok()?),
        Some(base) => Some(Url::parse(base.as_str()).ok().filter(Url::is_special)?),
        None => None,
    };
    let url = match Url::options().base_url(base.as_ref()).parse(reference) {
        Ok(url) => url,
        Err(ParseError::RelativeUrlWithoutBase) => return None,
        Err(error) => {
            let errors = validate(reference, base.as_ref());
            let failure = errors.iter().find(|found| found.is_failure());
            return Some(Err(failure.map_or_else(|| error.to_string(), ToString::to_string)));
        }
    };
    // Browsers keep characters that RFC 3986 does not allow, such as "|".
    let valid = match UriRef::parse_repaired(url.as_str()) {
        Ok(valid) => valid.as_str().to_owned(),
        Err(error) => return Some(Err(error.to_string())),
    };
    let is_of_site = is_file && url.scheme() == "https" && url.host_str() == Some(SITE);
    Some(Ok(match valid.get(url[..Position::BeforePath].len()..) {
        Some(path) if is_of_site => BrowserTarget::Path(path.to_owned()),
        _ => BrowserTarget::Url(valid),
    }))
}

/// Returns the URL of a file as if a server published it; `//h/a` as a base has a server.
fn published(file: &str) -> Option<String> {
    let rest = file.strip_prefix("file://")?;
    let host = if rest.starts_with('/') { SITE } else { "" };
    Some(format!("https://{host}{rest}"))
}

impl BrowserTarget {
    /// Returns whether a URL is the same, but for the case of its host, a default port and an empty path. Browsers
    /// decode escapes in a host.
    pub(crate) fn is(&self, uri: &str) -> bool {
        match self {
            Self::Url(url) => {
                let has_escape = uri.split('/').nth(2).is_some_and(|authority| authority.contains('%'));
                !has_escape && with_normal_host(uri) == url.as_str()
            }
            Self::Path(path) => uri.strip_prefix("file://") == Some(path),
        }
    }
}

/// Returns whether a reference begins with a path from the root of its site.
pub(crate) fn is_rooted(reference: &str) -> bool {
    let text = reference.trim_start_matches(|c| c <= ' ').trim_start_matches(['\t', '\n', '\r']);
    text.starts_with(['/', '\\'])
}

/// Returns a reference with its query in the encoding of its document, if it has characters beyond ASCII there (URL
/// Standard, "percent-encode after encoding").
pub(crate) fn with_encoded_query<'r>(link: &Link<'_>, reference: &'r str) -> Cow<'r, str> {
    let (Some((before, query)), Some(escaped)) = (reference.split_once('?'), link.escaped()) else {
        return Cow::Borrowed(reference);
    };
    let escaped = escaped.split('#').next().unwrap_or_default().split_once('?');
    match escaped {
        Some((_, escaped)) if !query.is_ascii() => Cow::Owned(format!("{before}?{escaped}")),
        _ => Cow::Borrowed(reference),
    }
}

#[cfg(test)]
mod tests {
    use locator::Uri;

    use super::*;

    fn shown(reference: &str, base: &str) -> String {
        match resolve(reference, Uri::parse(base).ok()) {
            Some(Ok(BrowserTarget::Url(url))) => url,
            Some(Ok(BrowserTarget::Path(path))) => format!("path {path}"),
            Some(Err(why)) => format!("error: {why}"),
            None => "none".to_owned(),
        }
    }

    #[test]
    fn references_lead_where_a_browser_goes() {
        for (reference, expected) in [
            ("b", "https://h.test/d/b"),
            (" b\n", "https://h.test/d/b"),
            ("/\\x.test/a", "https://x.test/a"),
            ("\\\\x.test\\a?\\", "https://x.test/a?%5C"),
            ("///x.test", "https://x.test/"),
            ("htt\nps://x.test", "https://x.test/"),
            ("https:b", "https://h.test/d/b"),
            ("http:b", "http://b/"),
            ("%2e%2e/b", "https://h.test/b"),
            ("b|c", "https://h.test/d/b%7Cc"),
            ("100%", "https://h.test/d/100%25"),
            ("mailto:a@b.test", "mailto:a@b.test"),
            ("http://0x7f.1/", "http://127.0.0.1/"),
            (
                "http://x.test:65536/",
                "error: the port is larger than 65535, at byte 14 (port-out-of-range, URL Standard)",
            ),
        ] {
            assert_eq!(shown(reference, "https://h.test/d/e"), expected, "{reference:?}");
        }
    }

    #[test]
    fn a_file_is_read_as_if_published() {
        for (reference, expected) in [
            ("b?c", "path /d/b?c"),
            ("\\b", "path /b"),
            ("\\\\x.test", "https://x.test/"),
            ("https:b", "path /d/b"),
            ("file:///x", "file:///x"),
        ] {
            assert_eq!(shown(reference, "file:///d/e"), expected, "{reference:?}");
        }
        assert_eq!(shown("b", "file://x.test/d/e"), "https://x.test/d/b");
        assert_eq!(shown("b", "mid:a@b"), "none");
        assert_eq!(shown("b", ""), "none");
        assert_eq!(shown("http:\\\\b", ""), "http://b/");
    }

    #[test]
    fn plain_references_lead_to_the_same_place() {
        let bases = ["https://h.test/d/e?f", "file:///d/e"];
        let texts = [
            "b",
            "../b/./c",
            "/b?c=d&e",
            "?q",
            "b%20c",
            "a//../b",
            "a;b@c",
            "http://x.test/",
            "http://x.test/a?b",
            "",
            "..",
            "*",
            "(b)",
        ];
        for text in texts {
            assert!(is_plain(text), "{text}");
            for base in bases.iter().filter(|_| !text.is_empty()) {
                let base = Uri::parse(base).unwrap();
                let target = resolve(text, Some(base)).unwrap().unwrap();
                let by_rfc = base.join(text).unwrap();
                assert!(target.is(by_rfc.as_str()), "{text}");
            }
        }
        for text in ["//x.test", "%2E%2e/b", "http:b", "http:/b", "\\b", " b", "b c", "http://X.test"] {
            assert!(!is_plain(text), "{text}");
        }
    }
}
