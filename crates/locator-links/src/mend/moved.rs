//! Whether a link may be replaced by where its redirects lead. Takes the URL, the reference and its verdict;
//! returns the new URL with the fragment of the reference.
//!
//! "The target resource has been assigned a new permanent URI" (301, RFC 9110, 15.4.2; 308 is 15.4.9). Servers
//! say so of logins, of start pages in place of deleted ones and of the language of the visitor, too.

use locator::UriRef;
use locator_audit::secrets;
use locator_domain::{DomainExt, Rules};

use super::aliases;
use super::kept::Kept;
use super::readings::{has_session, languages, versions};
use crate::document::page::fragment_of;
use crate::judge::is_login;
use crate::network::asking::origin_of;
use crate::outcome::{Code, Verdict};

/// Where a redirect may lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
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
pub fn moved(url: &str, reference: &str, verdict: &Verdict, scope: Scope) -> Result<String, Kept> {
    let end = verdict.final_url().ok_or(Kept::Temporary)?;
    let old = UriRef::parse(url).map_err(|_| Kept::Invalid)?;
    let new = UriRef::parse(end).map_err(|_| Kept::Invalid)?;
    if let Some(reason) = aliases::reason(old) {
        return Err(reason);
    }
    redirects(url, verdict)?;
    if is_gate(url, end) {
        return Err(Kept::Login);
    }
    if scope == Scope::Domain && !is_same_domain(old, new) {
        return Err(Kept::OtherDomain);
    }
    page(old, new)?;
    let fragment = fragment(reference, verdict)?;
    let whole = format!("{end}{fragment}");
    // A URL that has a secret must not get into a file.
    if !secrets(&whole).is_empty() {
        return Err(Kept::Session);
    }
    UriRef::parse(&whole).map_err(|_| Kept::Invalid)?;
    Ok(whole)
}

/// Checks the redirects themselves: all are permanent, none is insecure, and they end at a page.
fn redirects(url: &str, verdict: &Verdict) -> Result<(), Kept> {
    let urls = || std::iter::once(url).chain(verdict.hops.iter().map(|hop| hop.to.as_str()));
    let is_downgrade = |(from, to): (&str, &str)| has_scheme(from, "https") && !has_scheme(to, "https");
    if urls().zip(urls().skip(1)).any(is_downgrade) {
        return Err(Kept::Downgrade);
    }
    if !urls().all(|url| has_scheme(url, "https") || has_scheme(url, "http")) {
        return Err(Kept::Invalid);
    }
    if verdict.code == Code::Login {
        return Err(Kept::Login);
    }
    if !verdict.hops.iter().all(|hop| matches!(hop.status, 301 | 308)) {
        return Err(Kept::Temporary);
    }
    if verdict.status == Some(200) { Ok(()) } else { Err(Kept::Status) }
}

fn has_scheme(url: &str, scheme: &str) -> bool {
    url.split_once(':').is_some_and(|(own, _)| own.eq_ignore_ascii_case(scheme))
}

/// Returns whether a redirect leads to a page that lets only some visitors pass: it is named so, or has the
/// URL that was asked for in its query, to return there.
fn is_gate(url: &str, end: &str) -> bool {
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
    let words = |url: &str| -> Vec<String> {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let path = rest.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
        path.split(['/', '.']).map(str::to_owned).collect()
    };
    let known = words(url);
    let is_new = |word: &String| WORDS.contains(&word.as_str()) && !known.contains(word);
    let query = end.split_once('?').map(|(_, query)| query.to_ascii_lowercase()).unwrap_or_default();
    let returns = ["http:", "https:", "http%3a", "https%3a"].iter().any(|start| query.contains(start));
    let has_query = url.contains('?');
    is_login(end) || words(end).iter().any(is_new) || returns && !has_query
}

/// Returns whether two URLs are those of one owner, by the list of public suffixes; of addresses and names of
/// a local network host and port are compared.
fn is_same_domain(old: UriRef<'_>, new: UriRef<'_>) -> bool {
    match (old.registered_domain(Rules::Private), new.registered_domain(Rules::Private)) {
        (Some(old), Some(new)) => old == new,
        (None, None) => {
            let server = |url: UriRef<'_>| {
                let origin = origin_of(url.as_str())?;
                let server = origin.split_once("://")?.1;
                let is_usual = |end: &str| server.strip_suffix(end).map(str::to_owned);
                Some(is_usual(":80").or_else(|| is_usual(":443")).unwrap_or_else(|| server.to_owned()))
            };
            server(old).is_some_and(|old| server(new).as_ref() == Some(&old))
        }
        _ => false,
    }
}

/// Checks that the new URL names the same page as the old one, as far as their texts show it.
fn page(old: UriRef<'_>, new: UriRef<'_>) -> Result<(), Kept> {
    if is_above(old, new) {
        return Err(Kept::Root);
    }
    let query = |url: UriRef<'_>| url.query().map(|query| query.as_str().to_owned());
    if query(old) != query(new) {
        return Err(Kept::Query);
    }
    let has_user =
        |url: UriRef<'_>| url.authority().is_some_and(|authority| authority.as_str().contains('@'));
    if has_session(old, new) || has_user(old) || has_user(new) {
        return Err(Kept::Session);
    }
    if languages(old) != languages(new) {
        return Err(Kept::Language);
    }
    let known = versions(old);
    if versions(new).iter().any(|version| !known.contains(version)) {
        return Err(Kept::Version);
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
fn fragment(reference: &str, verdict: &Verdict) -> Result<String, Kept> {
    let is_set = verdict.hops.iter().any(|hop| hop.to.contains('#'));
    let is_missing = matches!(verdict.code, Code::RemoteAnchor | Code::ScriptAnchor | Code::UnreadAnchor);
    if is_set || is_missing {
        return Err(Kept::Fragment);
    }
    Ok(fragment_of(reference).map(|fragment| format!("#{fragment}")).unwrap_or_default())
}
