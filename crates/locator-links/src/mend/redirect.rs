//! Whether a link may be replaced by where its redirects lead. Takes the URL, the reference and its verdict;
//! returns the new URL with the fragment of the reference.
//!
//! "The target resource has been assigned a new permanent URI" (301, RFC 9110, 15.4.2; 308 is 15.4.9). Servers
//! say so of logins, of start pages in place of deleted ones and of the language of the visitor, too; and URLs exist
//! that redirect by design: persistent names, shorteners, and names of the newest version.

use locator::UriRef;
use locator_audit::secrets;
use locator_domain::{DomainExt, Rules};

use super::kept::KeepReason;
use crate::document::fragment_of;
use crate::judge::is_login;
use crate::outcome::{Code, Verdict};
use crate::reference::{is_secure, words};

/// Where a redirect may lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RedirectScope {
    /// To the same registrable domain.
    #[default]
    Domain,
    /// To any domain.
    Any,
}

/// Returns what a link to `url` is replaced by, with the fragment of `reference`.
///
/// # Errors
///
/// Returns why the link is kept.
pub fn moved_url(
    url: &str,
    reference: &str,
    verdict: &Verdict,
    scope: RedirectScope,
) -> Result<String, KeepReason> {
    let end = verdict.final_url().ok_or(KeepReason::Temporary)?;
    let old = UriRef::parse(url).map_err(|_| KeepReason::Invalid)?;
    let new = UriRef::parse(end).map_err(|_| KeepReason::Invalid)?;
    if let Some(reason) = redirects_by_design(old) {
        return Err(reason);
    }
    redirects(url, verdict)?;
    if is_gate(old, new) {
        return Err(KeepReason::Login);
    }
    if scope == RedirectScope::Domain && !is_same_domain(old, new) {
        return Err(KeepReason::OtherDomain);
    }
    page(old, new)?;
    let fragment = fragment(reference, verdict)?;
    let whole = format!("{end}{fragment}");
    // A URL that has a secret must not get into a file.
    if !secrets(&whole).is_empty() {
        return Err(KeepReason::Session);
    }
    UriRef::parse(&whole).map_err(|_| KeepReason::Invalid)?;
    Ok(whole)
}

/// Returns the reference that replaces a link to the path `from` of its own site, which redirects. The fragment of the link is
/// known to be there.
///
/// # Errors
///
/// Returns why the link is kept.
pub(super) fn moved_on_site(from: &str, verdict: &Verdict) -> Result<String, KeepReason> {
    let end = verdict.final_url().ok_or(KeepReason::Temporary)?;
    // Paths of files may have spaces.
    let (Ok(old), Ok(new)) = (UriRef::parse_repaired(from), UriRef::parse_repaired(end)) else {
        return Err(KeepReason::Invalid);
    };
    let (old, new) = (old.as_uri_ref(), new.as_uri_ref());
    if new.has_scheme() {
        return Err(KeepReason::OtherDomain);
    }
    if verdict.hops.iter().any(|hop| matches!(hop.status, 302 | 303 | 307)) {
        return Err(KeepReason::Temporary);
    }
    if new.fragment().is_some() {
        return Err(KeepReason::Fragment);
    }
    if let Some(reason) = redirects_by_design(old) {
        return Err(reason);
    }
    page(old, new)?;
    match &verdict.suggestion {
        Some(suggestion) if verdict.is_sure => Ok(suggestion.clone()),
        Some(_) => Err(KeepReason::Open),
        None => Err(KeepReason::Place),
    }
}

/// Checks the redirects themselves: all are permanent, none is insecure, and they end at a page.
fn redirects(url: &str, verdict: &Verdict) -> Result<(), KeepReason> {
    let urls = || std::iter::once(url).chain(verdict.hops.iter().map(|hop| hop.to.as_str()));
    let is_downgrade = |(from, to): (&str, &str)| is_secure(from) && !is_secure(to);
    if urls().zip(urls().skip(1)).any(is_downgrade) {
        return Err(KeepReason::Downgrade);
    }
    if !urls().all(|url| UriRef::parse(url).is_ok_and(UriRef::is_web)) {
        return Err(KeepReason::Invalid);
    }
    if verdict.code == Code::Login {
        return Err(KeepReason::Login);
    }
    if !verdict.hops.iter().all(|hop| matches!(hop.status, 301 | 308)) {
        return Err(KeepReason::Temporary);
    }
    if verdict.status == Some(200) { Ok(()) } else { Err(KeepReason::Status) }
}

/// Returns whether a redirect leads to a page that lets only some visitors pass: it is named so, or has the
/// URL that was asked for in its query, to return there.
fn is_gate(old: UriRef<'_>, new: UriRef<'_>) -> bool {
    const WORDS: [&str; 14] = [
        "consent",
        "cookies",
        "cookie-consent",
        "cookiewall",
        "gdpr",
        "captcha",
        "challenge",
        "age-gate",
        "accounts",
        "auth",
        "logon",
        "session",
        "signup",
        "register",
    ];
    let has = |url: UriRef<'_>, own: &str| words(url).any(|word| word.eq_ignore_ascii_case(own));
    let is_new = |own: &&str| has(new, own) && !has(old, own);
    let query = new.query().map(|query| query.as_str().to_ascii_lowercase()).unwrap_or_default();
    let returns = ["http:", "https:", "http%3a", "https%3a"].iter().any(|start| query.contains(start));
    is_login(new.as_str()) || WORDS.iter().any(is_new) || returns && old.query().is_none()
}

/// Returns whether two URLs are those of one owner, by the list of public suffixes; of addresses and names of
/// a local network host and port are compared.
fn is_same_domain(old: UriRef<'_>, new: UriRef<'_>) -> bool {
    match (old.registered_domain(Rules::Private), new.registered_domain(Rules::Private)) {
        (Some(old), Some(new)) => old == new,
        (None, None) => {
            let server = |url: UriRef<'_>| {
                let origin = url.origin()?;
                let host = origin.host().strip_suffix('.').unwrap_or(origin.host()).to_owned();
                Some((host, origin.port().filter(|port| !matches!(port, 80 | 443))))
            };
            server(old).is_some_and(|old| server(new) == Some(old))
        }
        _ => false,
    }
}

/// Checks that the new URL names the same page as the old one, as far as their texts show it.
fn page(old: UriRef<'_>, new: UriRef<'_>) -> Result<(), KeepReason> {
    if is_above(old, new) {
        return Err(KeepReason::Root);
    }
    let query = |url: UriRef<'_>| url.query().map(|query| query.as_str().to_owned());
    if query(old) != query(new) {
        return Err(KeepReason::Query);
    }
    let has_user =
        |url: UriRef<'_>| url.authority().is_some_and(|authority| authority.as_str().contains('@'));
    if has_session(old, new) || has_user(old) || has_user(new) {
        return Err(KeepReason::Session);
    }
    if languages(old) != languages(new) {
        return Err(KeepReason::Language);
    }
    let known = versions(old);
    if versions(new).iter().any(|version| !known.contains(version)) {
        return Err(KeepReason::Version);
    }
    Ok(())
}

/// The names of a page that a directory shows, and of pages that stand for missing ones.
const INDEXES: [&str; 4] = ["index", "default", "main", "readme"];
const START: [&str; 10] =
    ["home", "start", "welcome", "error", "404", "notfound", "not-found", "not_found", "missing", "gone"];

/// Returns whether the new URL is a start page, an error page or a directory that the old page is in; or the
/// old one is a start page and the new one is not.
fn is_above(old: UriRef<'_>, new: UriRef<'_>) -> bool {
    let segments = |url: UriRef<'_>| -> Vec<String> {
        let path = url.path().as_str().to_ascii_lowercase();
        path.split('/').filter(|segment| !segment.is_empty()).map(str::to_owned).collect()
    };
    let stem = |segment: &String| segment.split('.').next().unwrap_or_default().to_owned();
    let without_index = |mut path: Vec<String>| {
        if path.last().map(stem).is_some_and(|last| INDEXES.contains(&last.as_str())) {
            path.pop();
        }
        path
    };
    let (old_path, new_path) = (without_index(segments(old)), without_index(segments(new)));
    let is_start = new_path.last().map(stem).is_some_and(|last| START.contains(&last.as_str()));
    let is_deep = !old_path.is_empty() || old.query().is_some();
    match () {
        () if old_path == new_path => false,
        () if is_start || new_path.is_empty() || !is_deep => true,
        () => new_path.len() < old_path.len() && old_path.starts_with(&new_path),
    }
}

/// Returns the fragment with its "#", which must be that of the link, and must be on the page.
fn fragment(reference: &str, verdict: &Verdict) -> Result<String, KeepReason> {
    let is_set = verdict.hops.iter().any(|hop| hop.to.contains('#'));
    let is_missing = matches!(verdict.code, Code::RemoteAnchor | Code::ScriptAnchor | Code::UnreadAnchor);
    if is_set || is_missing {
        return Err(KeepReason::Fragment);
    }
    Ok(fragment_of(reference).map(|fragment| format!("#{fragment}")).unwrap_or_default())
}

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
fn redirects_by_design(url: UriRef<'_>) -> Option<KeepReason> {
    let host = url.host().map(|host| host.as_str().to_ascii_lowercase()).unwrap_or_default();
    let host = host.strip_suffix('.').unwrap_or(&host);
    let is_in = |names: &[&str]| names.iter().any(|name| is_in_domain(host, name));
    let path = url.path().as_str().to_ascii_lowercase();
    if is_in(&RESOLVERS) || has_persistent_name(host, &path) {
        return Some(KeepReason::Persistent);
    }
    if is_in(&SHORTENERS) {
        return Some(KeepReason::Shortener);
    }
    let is_newest = |name: &str| NEWEST.contains(&name);
    (path.split('/').any(is_newest) || host.split('.').any(is_newest)).then_some(KeepReason::Alias)
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

/// The languages that have two letters (ISO 639-1).
const LANGUAGES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu \
    cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia \
    id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg \
    mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw \
    sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz \
    ve vi vo wa wo xh yi yo za zh zu";

/// Returns the language tags in a URL, in their order: `/en-us/`, `de.h.example`, `page.fr.html`.
pub(super) fn languages(url: UriRef<'_>) -> Vec<String> {
    let host = url.host().map(|host| host.as_str().to_ascii_lowercase()).unwrap_or_default();
    let labels: Vec<&str> = host.split('.').collect();
    // The last two labels are the name of the site, such as "h.de".
    let below = labels.get(..labels.len().saturating_sub(2)).unwrap_or_default();
    let path = url.path().as_str().to_ascii_lowercase();
    let (folders, last) = path.rsplit_once('/').unwrap_or(("", &path));
    // The ending of a file is no language: "a.so".
    let stem = if last.contains('.') { last.rsplit_once('.').map_or("", |(stem, _)| stem) } else { last };
    let parts = below.iter().copied().chain(folders.split('/')).chain(stem.split('.'));
    parts.filter(|part| is_language(part)).map(str::to_owned).collect()
}

/// Returns whether a text in lower case is a language tag: two letters, and perhaps a region or a script.
fn is_language(text: &str) -> bool {
    let mut subtags = text.split(['-', '_']);
    let has_language = subtags.next().is_some_and(|first| {
        first.len() == 2 && LANGUAGES.split_ascii_whitespace().any(|language| language == first)
    });
    let is_subtag = |subtag: &str| {
        matches!(subtag.len(), 2 | 4) && subtag.bytes().all(|octet| octet.is_ascii_alphabetic())
            || subtag.len() == 3 && subtag.bytes().all(|octet| octet.is_ascii_digit())
    };
    has_language && subtags.all(is_subtag)
}

/// Returns the segments of a path that are versions: `v1`, `1.2`, `v2.0.1`, `3.x`.
fn versions(url: UriRef<'_>) -> Vec<String> {
    let path = url.path().as_str().to_ascii_lowercase();
    path.split('/').filter(|segment| is_version(segment)).map(str::to_owned).collect()
}

fn is_version(segment: &str) -> bool {
    let number = segment.strip_prefix("version-").or_else(|| segment.strip_prefix('v')).unwrap_or(segment);
    let has_prefix = number.len() < segment.len();
    let mut parts = number.split('.');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|octet| octet.is_ascii_digit());
    let is_first = parts.next().is_some_and(is_number);
    let others: Vec<&str> = parts.collect();
    let are_parts = others.iter().all(|part| is_number(part) || matches!(*part, "x" | "*"));
    is_first && are_parts && (has_prefix || !others.is_empty())
}

/// Returns whether a URL has the id of a session, where `old` has none.
fn has_session(old: UriRef<'_>, new: UriRef<'_>) -> bool {
    let (old, new) = (old.path().as_str(), new.path().as_str());
    let is_id = |segment: &str| {
        let (name, parameters) = segment.split_once(';').map_or((segment, None), |(a, b)| (a, Some(b)));
        parameters.is_some() || name.starts_with("(S(") || name.starts_with("(s(") || is_random(name)
    };
    let known: Vec<&str> = old.split('/').collect();
    new.split('/').any(|segment| !known.contains(&segment) && is_id(segment))
}

/// Returns whether a name is a long number or looks random: 20 letters and digits, both of them often.
fn is_random(name: &str) -> bool {
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    let is_word = name.bytes().all(|octet| octet.is_ascii_alphanumeric());
    let is_hex = name.bytes().all(|octet| octet.is_ascii_hexdigit());
    name.len() >= 20 && (is_word && digits >= 5 || is_hex && digits > 0)
}
