//! URLs within URLs: takes `jar:http://h/a.jar!/b`, returns where `http://h/a.jar` is. A program that takes
//! the first scheme off contacts that host, which a check of the whole text does not see.
//!
//! ```text
//! assert_eq!(innermost("view-source:http://h/"), Some(12..21));
//! ```

use core::ops::Range;

use crate::schemes::{self, Fetched, WrapperScheme};

/// How many schemes are taken off. Programs take one or two.
const MOST: usize = 8;

/// Returns where the innermost URL is; `None` if the text is not within another scheme.
pub(crate) fn innermost(text: &str) -> Option<Range<usize>> {
    let mut found = None;
    let (mut start, mut end) = (0, text.len());
    for _ in 0..MOST {
        let Some(inner) = inner_span(text.get(start..end)?) else { break };
        (start, end) = (start + inner.start, start + inner.end);
        found = Some(start..end);
    }
    found
}

/// Takes one scheme off.
fn inner_span(text: &str) -> Option<Range<usize>> {
    let SchemeSplit { scheme, rest } = split_scheme(text)?;
    // The inner URL has a scheme, too.
    if !rest.contains(':') {
        return None;
    }
    if Fetched::SPECIAL.contains(&scheme.to_ascii_lowercase()) || schemes::runs_code(scheme) {
        return None;
    }
    let wrapper = WrapperScheme::of(scheme);
    // Git and Terraform have "git::http://…".
    let slashes = rest.strip_prefix("//").or(rest.strip_prefix(':')).unwrap_or(rest);
    let at = slashes.find(wrapper.after)?;
    let inner = slashes.get(at + wrapper.after.len()..)?;
    let trimmed = inner.trim_start_matches(|c: char| c <= ' ');
    let SchemeSplit { scheme: name, rest: after } = split_scheme(trimmed)?;
    let is_url = after.starts_with(['/', '\\']) || split_scheme(after.trim_start_matches('/')).is_some();
    if !schemes::is_within_others(name) || !is_url {
        return None;
    }
    let start = text.len() - trimmed.len();
    let ends = wrapper.ends.iter().filter_map(|end| trimmed.find(end)).min();
    // The entry of an archive may be missing: "jar:http://h!".
    let bare = trimmed.strip_suffix('!').filter(|_| !wrapper.ends.is_empty()).map(str::len);
    Some(start..start + ends.or(bare).unwrap_or(trimmed.len()))
}

/// A text that begins with a scheme.
struct SchemeSplit<'t> {
    scheme: &'t str,
    /// What follows ":".
    rest: &'t str,
}

/// Splits a text after its scheme. "_" is in no scheme of the standard, but in names that
/// programs know.
fn split_scheme(text: &str) -> Option<SchemeSplit<'_>> {
    let text = text.trim_start_matches(|c: char| c <= ' ');
    let end = text
        .bytes()
        .take(64)
        .position(|octet| !octet.is_ascii_alphanumeric() && !b"+-._".contains(&octet))?;
    let (scheme, rest) = text.split_at(end);
    let rest = rest.strip_prefix(':').filter(|_| scheme.starts_with(|c: char| c.is_ascii_alphabetic()))?;
    Some(SchemeSplit { scheme, rest })
}

#[cfg(test)]
mod tests {
    use super::innermost;

    #[test]
    fn inner_urls() {
        for (text, inner) in [
            ("url:http://h/", "http://h/"),
            ("URL: http://h/", "http://h/"),
            ("jar:http://h!/", "http://h"),
            ("jar:http://h!", "http://h"),
            ("jar:file:///a.jar!/b", "file:///a.jar"),
            ("zip:jar:url:http://h/a.zip!/b.jar!/c", "http://h/a.zip"),
            ("war:http://h/a.war*/b.jar", "http://h/a.war"),
            ("view-source:http://h/!/x", "http://h/!/x"),
            ("compress.zlib://http://h/", "http://h/"),
            ("php://filter/read=string.rot13/resource=http://h/", "http://h/"),
            ("wyciwyg://0/http://h/", "http://h/"),
            ("concat:http://h/a|http://i/b", "http://h/a"),
            ("ms-word:ofe|u|http://h/a.doc", "http://h/a.doc"),
            ("ms-appinstaller:?source=http://h/a.appx", "http://h/a.appx"),
            ("x-unknown:gopher://h/", "gopher://h/"),
            ("x-unknown:http:/h/", "http:/h/"),
            ("feed:unix:/run/s", "unix:/run/s"),
            ("git::http://h/", "http://h/"),
        ] {
            assert_eq!(innermost(text).map(|span| &text[span]), Some(inner), "{text}");
        }
        for text in [
            "",
            ":",
            "http://h/",
            "http://http://h/",
            "https:http://h/",
            "feed:javascript:alert(1)",
            "mailto:http",
            "urn:isbn:0",
            "a:b:c",
            "std:http:c",
            "std::http::c",
            "ftp://http://h/",
            "data:text/plain,http://h/",
            "/url:http://h/",
            "git+http://h/",
        ] {
            assert_eq!(innermost(text), None, "{text}");
        }
    }
}
