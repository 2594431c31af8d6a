//! Which schemes the gateway fetches, and to which a text of others may link.

use locator::UriRef;
use locator_web::report::pasted;

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

/// Returns the URL that was probably meant by an address without a scheme; `None` if it does not look like one.
/// Its scheme is the one that the host is called by, such as `gopher.example.com`, or that of the port, else
/// one of the web.
pub(in super::super) fn with_likely_scheme(address: &str) -> Option<String> {
    let url = pasted::with_scheme(address.as_bytes())?;
    let (_, rest) = url.split_once("://")?;
    let server = rest.split('/').next()?;
    let (label, port) =
        (server.split('.').next()?, server.rsplit_once(':').and_then(|(_, port)| port.parse().ok()));
    let is_likely = |scheme: &str| {
        label.eq_ignore_ascii_case(scheme) || port.is_some() && locator::scheme::default_port(scheme) == port
    };
    let found = FETCHED.iter().find(|scheme| is_likely(scheme));
    Some(found.map_or_else(|| url.clone(), |scheme| [scheme, "://", rest].concat()))
}

/// Returns whether a URL is not fetched: it has a [page](super::web_link_page) instead. A mailto URL is a
/// [draft](super::draft_page).
pub(in super::super) fn no_fetch(url: UriRef<'_>) -> bool {
    let scheme = url.scheme().map(|scheme| scheme.as_str().to_ascii_lowercase()).unwrap_or_default();
    scheme != "mailto" && !FETCHED.contains(&&*scheme)
}
