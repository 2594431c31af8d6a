//! References as documents have them: which are links that can be checked, how browsers read them, and what of a
//! URL matters to its server or file.
//!
//! [`skipped`] and [`skipped_scheme`] return why nothing is asked for a reference, if that is so. Reserved names are
//! those of RFC 2606, RFC 6761, RFC 7686 and RFC 9476. The addresses of `mailto:` (RFC 6068, 2) are `local@domain`, as
//! RFC 5322, 3.4.1, and RFC 6532 have it.
//!
//! ```
//! use locator_links::Code;
//! use locator_links::reference::{is_reserved, origin_of, skipped_scheme};
//!
//! assert!(is_reserved("www.example.com"));
//! assert_eq!(skipped_scheme("tel"), Some(Code::Scheme));
//! assert_eq!(origin_of("https://h.de:443/a").as_deref(), Some("https://h.de"));
//! ```

use std::borrow::Cow;
use std::path::PathBuf;

use locator::scheme::file::Platform;
use locator::text::MatchKind;
use locator::{Component, Edit, Level, PctStr, UriRef};
use locator_find::{Context, Link, Method};

use crate::outcome::Code;

/// Returns the origin of a URL: `https://h.example`. A final dot of the host makes no other one.
#[must_use]
pub fn origin_of(url: &str) -> Option<String> {
    let url = without_final_dot(url, UriRef::parse(url).ok()?);
    Some(UriRef::parse(&url).ok()?.origin()?.into())
}

/// Returns whether a URL is one of https.
pub(crate) fn is_secure(url: &str) -> bool {
    UriRef::parse(url)
        .is_ok_and(|url| url.is_web() && url.scheme().is_some_and(|own| own.lowercase() == "https"))
}

/// Returns the words in the host and the path of a URL: what is between "/" and ".".
pub(crate) fn words(url: UriRef<'_>) -> impl Iterator<Item = &str> {
    let spans = [Component::Authority, Component::Path].map(|component| url.span(component));
    let texts = spans.into_iter().flatten().filter_map(move |span| url.as_str().get(span));
    texts.flat_map(|text| text.split(['/', '.']))
}

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
    let normal = parsed.normalize(Level::Scheme);
    let ends = |url: UriRef<'_>| {
        let [authority, path] = [Component::Authority, Component::Path].map(|component| url.span(component));
        Some((authority?.end, path?.end))
    };
    let normal_ends = UriRef::parse(normal.as_str()).ok().and_then(ends);
    let Some(((end, _), (normal_end, normal_path_end))) = ends(parsed).zip(normal_ends) else {
        return Cow::Borrowed(url);
    };
    let rest = url.get(end..).unwrap_or_default();
    // The path of the normal form, only where there was none.
    let begin_end = if parsed.path().is_empty() { normal_path_end } else { normal_end };
    let begin = normal.as_str().get(..begin_end).unwrap_or_default();
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

/// Where a reference is in its document.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkContext<'a> {
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
    /// Whether it is a definition of Markdown that no text uses.
    pub is_unused: bool,
}

impl<'a> LinkContext<'a> {
    /// Returns the place of a link that was found.
    #[must_use]
    pub fn of(link: &Link<'a>) -> Self {
        let place = Self {
            rel: link.rel().unwrap_or_default(),
            method: link.method(),
            is_code: link.is_code(),
            is_cut: link.cut().is_some(),
            is_unused: link.is_unused(),
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

impl LinkContext<'_> {
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

impl LinkContext<'_> {
    /// Returns whether this is an attribute that only its vocabulary makes a link: not one of `XLink` or `XInclude`, and not an
    /// absolute URL. The style sheet of a report is beside it only where a program writes the report.
    pub(crate) fn is_plain_attribute(&self, url: &str) -> bool {
        let is_other = self.attribute.contains(':')
            || self.element.ends_with(":include")
            || self.attribute.ends_with("chemaLocation");
        let is_absolute = url.starts_with("//") || url.contains("://");
        !self.attribute.is_empty() && !is_other && !is_absolute
    }
}

/// Returns whether what a style sheet names may be a module of a package: `@import "name"`, `name/a.css`. An image
/// is a file.
pub(crate) fn is_module(place: &LinkContext<'_>, url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let last = path.rsplit('/').next().unwrap_or_default();
    let is_sheet =
        last.rsplit_once('.').is_none_or(|(_, end)| matches!(end, "css" | "scss" | "sass" | "less"));
    let is_name = path.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '@');
    place.is_style && is_sheet && is_name && !path.contains(':')
}

fn is_style_sheet(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.get(path.len().saturating_sub(4)..).is_some_and(|end| end.eq_ignore_ascii_case(".css"))
}

/// Returns why a reference is not a link that is checked, by its place and its text.
#[must_use]
pub fn skipped(place: &LinkContext<'_>, url: &str, includes_code: bool) -> Option<Code> {
    let rel_is = |names: &[&str]| {
        let mut words = place.rel.split_ascii_whitespace();
        words.any(|word| names.iter().any(|name| name.eq_ignore_ascii_case(word)))
    };
    // Variables of what style sheets are made from: `@images`, `$dir/a.png`.
    let is_variable = place.is_style && url.starts_with(['$', '@']) && !is_scoped(url);
    if matches!(locator::text::refang(url), Cow::Owned(meant) if meant.contains("://")) {
        return Some(Code::Defanged);
    }
    if place.is_cut {
        return Some(Code::Cut);
    }
    if place.is_unused {
        return Some(Code::Unused);
    }
    if place.is_style && (url.starts_with('~') || is_scoped(url)) {
        return Some(Code::Module);
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

/// Returns whether a name is that of a package with a scope: `@scope/name/a.css`.
fn is_scoped(url: &str) -> bool {
    let scope = url.strip_prefix('@').and_then(|rest| rest.split_once('/'));
    scope.is_some_and(|(scope, rest)| is_placeholder_name(scope) && !rest.is_empty())
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

/// Returns whether a text is filled in later: `{{ url }}`, `{% url %}`, `<%= url %>`, `${url}`, `{id}`, `%PUBLIC_URL%`,
/// `@docroot@`, `$root/a`; or whether a generator replaces its beginning: `@/a.md` of Zola, `|filename|a.md` of Pelican.
pub(crate) fn is_template(url: &str) -> bool {
    let begins_with_variable =
        url.strip_prefix('$').is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_alphabetic()));
    if begins_with_variable || url.starts_with("@/") || is_between(url, '|') || has_at_signs(url) {
        return true;
    }
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
        || has_percent_name(rest)
}

/// Returns whether a text begins with a name between two of these: `|filename|`.
fn is_between(text: &str, mark: char) -> bool {
    let name = text.strip_prefix(mark).and_then(|rest| rest.split_once(mark)).map(|(name, _)| name);
    name.is_some_and(is_placeholder_name)
}

/// Returns whether a reference is a word for a URL that is put in its place: `ENGLISH_VERSION_URL`, `LINK_HERE`, `url`.
pub(crate) fn is_placeholder_word(url: &str) -> bool {
    const PARTS: [&str; 6] = ["URL", "LINK", "HERE", "PLACEHOLDER", "TODO", "YOUR"];
    let is_word = url.bytes().all(|octet| octet.is_ascii_uppercase() || octet == b'_' || octet == b'-');
    url == "url" || is_word && url.split(['_', '-']).any(|part| PARTS.contains(&part))
}

fn is_placeholder_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"_.-".contains(&octet))
}

/// Returns whether a segment begins with a name between "@": `@docroot@/a`, `/@@version@@/`.
fn has_at_signs(url: &str) -> bool {
    url.split('/').any(|segment| {
        is_between(segment, '@') || segment.strip_prefix('@').is_some_and(|rest| is_between(rest, '@'))
    })
}

/// Returns whether a text has a name between "%": `%PUBLIC_URL%/a`, `%sveltekit.assets%`, `%%version%%`. Two
/// hexadecimal digits after a "%" are an escape, unless the name is one of a variable, and ends the text or a segment.
fn has_percent_name(url: &str) -> bool {
    let mut parts = url.split('%').skip(1).peekable();
    while let Some(name) = parts.next() {
        let Some(after) = parts.peek() else { return false };
        if name.is_empty() {
            return true;
        }
        let is_escape = name.len() >= 2 && name.bytes().take(2).all(|octet| octet.is_ascii_hexdigit());
        let is_variable = name.contains('_')
            && name
                .bytes()
                .all(|octet| octet.is_ascii_uppercase() || octet.is_ascii_digit() || octet == b'_')
            && (after.is_empty() || after.starts_with(['/', '?', '#']));
        if is_placeholder_name(name) && !is_escape || is_variable {
            return true;
        }
    }
    false
}

/// Returns whether a text has a directive of `printf`: `%s`, `%q`, `%v`, `%d`. An escape has two hexadecimal digits.
fn has_format(url: &str) -> bool {
    let directives = url.split('%').skip(1);
    directives.map(str::as_bytes).any(|rest| match rest {
        [b's' | b'q' | b'v', ..] => true,
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
fn is_namespace(place: &LinkContext<'_>) -> bool {
    let LinkContext { element, attribute, .. } = place;
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

/// Returns what is wrong with the addresses of a `mailto` URL. Without any, those of `to=` may be meant.
pub(crate) fn wrong_address(url: UriRef<'_>) -> Option<String> {
    let addresses = url.path().as_str();
    if addresses.is_empty() {
        return None;
    }
    let decoded = |address| PctStr::new(address).map(PctStr::decode_utf8_lossy).ok();
    let wrong = addresses.split(',').filter_map(decoded).find(|address| !is_address(address))?;
    Some(format!("\"{wrong}\" is no address: local@domain (RFC 6068, 2)"))
}

/// Returns whether a text is an address. Comments and folding have no place in a URL.
fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let quoted = local.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let is_local = match quoted {
        Some(quoted) => is_quoted(quoted),
        None => is_dot_atom(local),
    };
    let literal = domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    is_local && literal.map_or_else(|| is_dot_atom(domain), |literal| !literal.is_empty())
}

/// Returns whether a text has no quote that ends it.
fn is_quoted(text: &str) -> bool {
    let mut is_escaped = false;
    let is_plain = text.chars().all(|one| {
        let is_good = is_escaped || one != '"';
        is_escaped = !is_escaped && one == '\\';
        is_good
    });
    is_plain && !is_escaped
}

/// Returns whether a text is a "dot-atom-text"; that of other languages may have every letter.
fn is_dot_atom(text: &str) -> bool {
    const SPECIAL: &str = "()<>[]:;@\\,\"";
    let is_part = |one: char| !one.is_whitespace() && !one.is_control() && !SPECIAL.contains(one);
    text.split('.').all(|atom| !atom.is_empty() && atom.chars().all(is_part))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            "%q",
            "/u/%d/x",
            "/<id>",
            "%PUBLIC_URL%/favicon.ico",
            "%BASE_URL%",
            "%sveltekit.assets%/a.png",
            "/%%version%%/a",
            "@docroot@/a.html",
            "../@@version@@/a",
            "@/docs/a.md",
            "$root/a",
            "|filename|/a.md",
        ] {
            assert!(is_template(url), "{url}");
        }
        for url in [
            "http://h/a%20b",
            "/%D0%B0",
            "/%D0ABC_X%D0",
            "/a$b",
            "/a%5Bb",
            "/a[1]",
            "%de",
            "https://h/@a/b@c",
            "mailto:a@b.example",
            "https://u@h.example/@x",
            "/a|b|c",
        ] {
            assert!(!is_template(url), "{url}");
        }
    }

    #[test]
    fn words_for_urls() {
        for (word, expected) in [
            ("ENGLISH_VERSION_URL", true),
            ("url", true),
            ("LICENSE_MIT", false),
            ("URLS", false),
            ("", false),
        ] {
            assert_eq!(is_placeholder_word(word), expected, "{word}");
        }
    }

    #[test]
    fn addresses() {
        for (url, is_good) in [
            ("mailto:a@b.example", true),
            ("mailto:a@b.example,c@d.example?subject=x", true),
            ("mailto:?to=a@b.example", true),
            ("mailto:", true),
            ("mailto:%22a%20@%20b%22@c.example", true),
            ("mailto:a%25b+c@d", true),
            ("mailto:%C3%BC@%C3%BC.example", true),
            ("mailto:a@%5B127.0.0.1%5D", true),
            ("mailto:nobody", false),
            ("mailto:nobody@@nowhere", false),
            ("mailto:@b.example", false),
            ("mailto:a@", false),
            ("mailto:a@b..example", false),
            ("mailto:a%20b@c.example", false),
            ("mailto:a@b.example,", false),
            ("mailto:http://h.example/", false),
        ] {
            assert_eq!(wrong_address(UriRef::parse(url).unwrap()).is_none(), is_good, "{url}");
        }
    }
}
