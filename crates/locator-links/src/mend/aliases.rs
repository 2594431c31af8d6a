//! URLs that redirect by design: persistent names, shorteners, and names of the newest version. Takes a URL,
//! returns why it must not be replaced by where it leads now.

use locator::UriRef;

use super::kept::Kept;

/// Resolvers of persistent names, and archives.
const RESOLVERS: [&str; 29] = [
    "doi.org",
    "purl.org",
    "purl.com",
    "purl.net",
    "purl.oclc.org",
    "purl.obolibrary.org",
    "purl.archive.org",
    "purl.fdlp.gov",
    "w3id.org",
    "handle.net",
    "n2t.net",
    "arks.org",
    "identifiers.org",
    "bioregistry.io",
    "nbn-resolving.org",
    "nbn-resolving.de",
    "urn.fi",
    "urn.kb.se",
    "resolver.kb.nl",
    "d-nb.info",
    "id.loc.gov",
    "orcid.org",
    "ror.org",
    "isni.org",
    "viaf.org",
    "perma.cc",
    "web.archive.org",
    "archive.today",
    "webcitation.org",
];

/// Shorteners, and the short names that projects give.
const SHORTENERS: [&str; 46] = [
    "bit.ly",
    "j.mp",
    "goo.gl",
    "t.co",
    "tinyurl.com",
    "ow.ly",
    "is.gd",
    "v.gd",
    "buff.ly",
    "git.io",
    "youtu.be",
    "amzn.to",
    "amzn.eu",
    "a.co",
    "g.co",
    "fb.me",
    "lnkd.in",
    "rebrand.ly",
    "cutt.ly",
    "shorturl.at",
    "tiny.cc",
    "tiny.one",
    "t.ly",
    "s.id",
    "rb.gy",
    "db.tt",
    "wp.me",
    "redd.it",
    "nyti.ms",
    "aka.ms",
    "fwd.wf",
    "apple.co",
    "msft.it",
    "discord.gg",
    "forms.gle",
    "page.link",
    "app.link",
    "dlvr.it",
    "trib.al",
    "bl.ink",
    "short.io",
    "deb.li",
    "s.apache.org",
    "go.microsoft.com",
    "links.jetbrains.com",
    "soo.gd",
];

/// Segments that name what is newest.
const NEWEST: [&str; 9] =
    ["latest", "stable", "current", "nightly", "lts", "newest", "latest-stable", "latest-release", "devel"];

/// Returns why a URL redirects by design, if it does.
#[must_use]
pub(super) fn reason(url: UriRef<'_>) -> Option<Kept> {
    let host = url.host().map(|host| host.as_str().to_ascii_lowercase()).unwrap_or_default();
    let host = host.strip_suffix('.').unwrap_or(&host);
    let is_in = |names: &[&str]| names.iter().any(|name| is_in_domain(host, name));
    let path = url.path().as_str().to_ascii_lowercase();
    if is_in(&RESOLVERS) || has_persistent_name(host, &path) {
        return Some(Kept::Persistent);
    }
    if is_in(&SHORTENERS) {
        return Some(Kept::Shortener);
    }
    let is_newest = |name: &str| NEWEST.contains(&name);
    (path.split('/').any(is_newest) || host.split('.').any(is_newest)).then_some(Kept::Alias)
}

fn is_in_domain(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Returns whether a path has a persistent name: an ARK, a URN, a handle or a DOI. Any server may resolve
/// them.
fn has_persistent_name(host: &str, path: &str) -> bool {
    let is_resolver = host.split('.').any(|label| matches!(label, "purl" | "hdl" | "doi" | "ark" | "urn"));
    let mut segments = path.split('/');
    let is_name = |segment: &str| {
        let is_scheme = ["ark:", "urn:", "doi:", "hdl:", "info:"].iter().any(|own| segment.starts_with(own));
        is_scheme || matches!(segment, "permalink" | "purl" | "hdl" | "urn" | "ark%3a")
    };
    let has_handle = path.split_once("/handle/").is_some_and(|(_, rest)| starts_with_digit(rest));
    is_resolver || has_handle || segments.any(is_name)
}

fn starts_with_digit(text: &str) -> bool {
    text.bytes().next().is_some_and(|octet| octet.is_ascii_digit())
}
