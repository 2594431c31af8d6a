//! Which schemes the gateway fetches, and to which a text of others may link.

use locator::UriRef;

/// The schemes that the gateway fetches.
pub(super) const FETCHED: [&str; 13] = [
    "ftp", "ftps", "gopher", "news", "snews", "nntp", "wais", "prospero", "whois", "mid", "cid", "file",
    "data",
];
/// The schemes of this machine, to which a server may not link.
const HERE: [&str; 2] = ["file", "data"];
/// The schemes of the web and of programs for sessions and mail.
const OTHERS: [&str; 6] = ["http", "https", "mailto", "telnet", "rlogin", "tn3270"];

/// Returns the schemes that a link in a text of others may have.
pub(super) fn schemes() -> impl Iterator<Item = &'static str> {
    FETCHED.iter().filter(|scheme| !HERE.contains(scheme)).chain(&OTHERS).copied()
}

/// Returns whether a link in a text of others may have this scheme, in lower case.
pub(super) fn is_shown(scheme: &str) -> bool {
    schemes().any(|shown| shown == scheme)
}

/// Returns the scheme that is meant by an address without one: that by which the host is called, such as
/// `gopher.example.com`, else the one of the web.
pub(in super::super) fn likely_scheme(address: &str) -> &'static str {
    let label = address.split('.').next().unwrap_or_default();
    let servers = FETCHED.iter().filter(|scheme| !["mid", "cid"].contains(*scheme) && !HERE.contains(*scheme));
    servers.copied().find(|scheme| label.eq_ignore_ascii_case(scheme)).unwrap_or("https")
}

/// Returns whether a URL is not fetched: it has a [page](super::web_link_page) instead. A mailto URL is a
/// [draft](super::draft_page).
pub(in super::super) fn no_fetch(url: UriRef<'_>) -> bool {
    let scheme = url.scheme().map(|scheme| scheme.as_str().to_ascii_lowercase()).unwrap_or_default();
    scheme != "mailto" && !FETCHED.contains(&&*scheme)
}
