//! Which references are links that can be checked. Takes a reference and where it is in its document;
//! returns why nothing is asked for it, if that is so.
//!
//! Reserved names are those of RFC 2606, RFC 6761, RFC 7686 and RFC 9476.

use std::borrow::Cow;

use locator::text::MatchKind;
use locator_find::{Context, Link, Method};

use crate::outcome::Code;

/// Where a reference is in its document.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place<'a> {
    /// The name of the element.
    pub element: &'a str,
    /// The name of the attribute.
    pub attribute: &'a str,
    /// The value of `rel`.
    pub rel: &'a str,
    /// The method of a form, or of a ping.
    pub method: Option<Method>,
    /// Whether it is in code: a code span, a code block or a `pre`.
    pub is_code: bool,
    /// Whether it was recognised in running text by its looks alone.
    pub is_guess: bool,
    /// Whether it is a template by its syntax.
    pub is_template: bool,
    /// Whether it is only a part of a URL.
    pub is_cut: bool,
    /// Whether it is in a style sheet.
    pub is_style: bool,
}

impl<'a> Place<'a> {
    /// Returns the place of a link that was found.
    #[must_use]
    pub fn of(link: &Link<'a>) -> Self {
        let place = Self {
            rel: link.rel().unwrap_or_default(),
            method: link.method(),
            is_code: link.is_code(),
            is_cut: link.cut().is_some(),
            ..Self::default()
        };
        match link.context() {
            Context::Attribute { element, attribute } => Self { element, attribute, ..place },
            Context::Element(element) => Self { element, ..place },
            Context::Json(member) => Self { attribute: member, ..place },
            Context::Text(kind) => Self {
                is_template: kind == MatchKind::Template,
                is_guess: !matches!(kind, MatchKind::UrlPrefix | MatchKind::Angle),
                ..place
            },
            Context::Style => Self { is_style: true, ..place },
            _ => place,
        }
    }
}

impl Place<'_> {
    /// Returns whether the link at this place leads to a document of its own, which may have links: not to an
    /// image, a script or a font. A style sheet is a document.
    pub(crate) fn is_page(&self, url: &str) -> bool {
        const PARTS: [&str; 11] = [
            "img", "image", "script", "source", "video", "audio", "track", "embed", "object", "input", "use",
        ];
        let rel_is = |names: &[&str]| {
            let mut words = self.rel.split_ascii_whitespace();
            words.any(|word| names.iter().any(|name| name.eq_ignore_ascii_case(word)))
        };
        match self.element {
            "link" => {
                !rel_is(&["icon", "apple-touch-icon", "mask-icon", "preload", "modulepreload", "prefetch"])
            }
            // In a style sheet only the name says what it is.
            _ if self.is_style || self.attribute == "style" => is_style_sheet(url),
            element => !PARTS.contains(&element),
        }
    }
}

fn is_style_sheet(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.get(path.len().saturating_sub(4)..).is_some_and(|end| end.eq_ignore_ascii_case(".css"))
}

/// Returns why a reference is not a link that is checked, by its place and its text.
#[must_use]
pub fn skipped(place: &Place<'_>, url: &str, includes_code: bool) -> Option<Code> {
    let rel_is = |names: &[&str]| {
        let mut words = place.rel.split_ascii_whitespace();
        words.any(|word| names.iter().any(|name| name.eq_ignore_ascii_case(word)))
    };
    // Variables and modules of what style sheets are made from: `@images`, `$dir/a.png`, `~module/a.css`.
    let is_variable = place.is_style && url.starts_with(['$', '@', '~']);
    if matches!(locator::text::refang(url), Cow::Owned(meant) if meant.contains("://")) {
        return Some(Code::Defanged);
    }
    if place.is_cut {
        return Some(Code::Cut);
    }
    if place.is_template || is_variable || is_template(url) {
        return Some(Code::Template);
    }
    if rel_is(&["preconnect", "dns-prefetch"]) {
        return Some(Code::Preconnect);
    }
    if place.element == "base" || place.attribute == "xml:base" {
        return Some(Code::Base);
    }
    if place.method.is_some_and(|method| method != Method::Get) {
        return Some(Code::PostForm);
    }
    if is_namespace(place) {
        return Some(Code::Namespace);
    }
    if is_rust_path(url) {
        return Some(Code::RustPath);
    }
    if place.is_code && !includes_code {
        return Some(Code::Verbatim);
    }
    None
}

/// Returns why a URL is not asked for, by its scheme.
#[must_use]
pub fn skipped_scheme(scheme: &str) -> Option<Code> {
    const CHECKED: [&str; 13] = [
        "http", "https", "ftp", "ftps", "gopher", "news", "nntp", "wais", "file", "data", "mid", "cid",
        "mailto",
    ];
    match scheme {
        "javascript" | "vbscript" => Some(Code::Script),
        _ if CHECKED.contains(&scheme) => None,
        _ => Some(Code::Scheme),
    }
}

/// Returns whether a name is reserved, so that nothing can be published under it.
#[must_use]
pub fn is_reserved(host: &str) -> bool {
    const TOP: [&str; 7] = ["test", "example", "invalid", "alt", "onion", "in-addr.arpa", "ip6.arpa"];
    const SECOND: [&str; 3] = ["example.com", "example.net", "example.org"];
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    let is_in =
        |name: &str| host.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    TOP.iter().any(|name| is_in(name)) || SECOND.iter().any(|name| is_in(name))
}

/// Returns whether a text is filled in later: `{{ url }}`, `{% url %}`, `<%= url %>`, `${url}`, `{id}`.
fn is_template(url: &str) -> bool {
    let Some(start) = url.find(['{', '<', '$', '%', '[']) else { return false };
    let rest = &url[start..];
    let has_pair = |open: &str, close: &str| rest.find(open).is_some_and(|at| rest[at..].contains(close));
    // An attribute ends at a quote that the template has for itself: href="{{ resource "a.css" }}".
    const OPENINGS: [&str; 4] = ["{{", "{%", "<%", "<?"];
    OPENINGS.iter().any(|open| rest.contains(open))
        || has_pair("{", "}")
        || has_pair("<", ">")
        || rest.contains("$(")
        || has_pair("[[", "]]")
        || has_format(rest)
}

/// Returns whether a text has a directive of `printf`: `%s`, `%d`. An escape has two hexadecimal digits.
fn has_format(url: &str) -> bool {
    let directives = url.split('%').skip(1);
    directives.map(str::as_bytes).any(|rest| match rest {
        [b's', ..] => true,
        [b'd', next, ..] => !next.is_ascii_hexdigit(),
        [b'd'] => true,
        _ => false,
    })
}

/// Returns whether a reference is a path of Rust: `crate::Type::method`, `struct@Name` (the rustdoc book, "Linking
/// to items by name").
fn is_rust_path(url: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|octet| octet.is_ascii_alphanumeric() || octet == b'_')
    };
    let path = url.split('#').next().unwrap_or_default();
    let path = path.trim_end_matches(['!', '(', ')']);
    let (kind, path) = path.split_once('@').map_or(("", path), |(kind, path)| (kind, path));
    let is_kind = kind.is_empty() || kind.bytes().all(|octet| octet.is_ascii_lowercase());
    is_kind && (path.contains("::") || !kind.is_empty()) && path.split("::").all(is_name)
}

/// Returns whether a value is a name that identifies a vocabulary, a type or a schema.
fn is_namespace(place: &Place<'_>) -> bool {
    let Place { element, attribute, .. } = place;
    let is_prefix = attribute.starts_with("xmlns");
    let is_schema = attribute.ends_with("schemaLocation") || attribute.ends_with("noNamespaceSchemaLocation");
    let is_type = matches!(*attribute, "itemtype" | "itemid" | "profile" | "datatype" | "typeof" | "vocab");
    let is_json = matches!(*attribute, "$schema" | "$id" | "@context" | "@type" | "@id");
    // `<link rel=profile>` says which conventions a page follows (RFC 6906, 3), `rel=schema.DC` those of its names
    // (DCMI, "Expressing Dublin Core in HTML", 3.2).
    let mut rel = place.rel.split_ascii_whitespace();
    let is_convention = rel.any(|word| word.eq_ignore_ascii_case("profile") || word.starts_with("schema."));
    // An entry of Atom is identified by a URL that need not lead anywhere (RFC 4287, 4.2.6).
    is_prefix || is_schema || is_type || is_json || is_convention || *element == "id"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_reserved() {
        for host in ["example.com", "www.Example.org", "a.test", "invalid", "x.onion", "example.net."] {
            assert!(is_reserved(host), "{host}");
        }
        for host in ["examples.com", "notexample.com", "test.de", "example.co.uk", "localhost"] {
            assert!(!is_reserved(host), "{host}");
        }
    }

    #[test]
    fn paths_of_rust() {
        for url in ["crate::Foo", "a_b::C::d()", "mod@derive", "Vec::new#x", "struct@a::B"] {
            assert!(is_rust_path(url), "{url}");
        }
        for url in ["Foo", "a/b::c", "mailto:a@b.de", "a@b.de", "::", "http://[::1]/", ""] {
            assert!(!is_rust_path(url), "{url}");
        }
    }

    #[test]
    fn templates() {
        for url in [
            "{{ url }}/a",
            "http://h/{id}",
            "/a/${b}",
            "<%= x %>",
            "{{ resource ",
            "/{% url ",
            "http://h/%s",
            "/u/%d/x",
            "/<id>",
        ] {
            assert!(is_template(url), "{url}");
        }
        for url in ["http://h/a%20b", "/%D0%B0", "/a$b", "/a%5Bb", "/a[1]", "%de"] {
            assert!(!is_template(url), "{url}");
        }
    }
}
