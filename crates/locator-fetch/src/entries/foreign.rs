//! What a list of a server may name: takes an entry, returns it without its URL if a program that is
//! given the URL would read or run something of this machine, or would contact nobody. A list of a
//! local directory names files.

use locator::UriRef;
use locator::scheme::default_port;
use locator_audit::{Auditor, Severity};

use super::entry::{Entry, EntryError};

/// Schemes of files, data, messages and scripts of the machine that reads the URL.
const HERE: [&str; 8] = ["file", "data", "mid", "cid", "javascript", "vbscript", "livescript", "mocha"];

/// What the audit says of schemes that run something: `feed:javascript:`, `ms-msdt:`.
const RUNS: [&str; 2] = ["code-scheme", "abused-handler"];

/// Returns the entry of a list with this URL.
pub(super) fn judged(mut entry: Entry, list: UriRef<'_>) -> Entry {
    if is_scheme(list, "file") {
        return entry;
    }
    let why = |url: &locator::UriBuf| refusal(*url.as_uri());
    if let Some(why) = entry.url.as_ref().ok().and_then(why) {
        entry.url = Err(why);
    }
    if entry.access.as_ref().and_then(why).is_some() {
        entry.access = None;
    }
    entry
}

/// Returns why a server must not name a URL.
fn refusal(url: UriRef<'_>) -> Option<EntryError> {
    let scheme = url.scheme()?.as_str();
    let runs = || !Auditor::new().least(Severity::Info).only(&RUNS).audit(url.as_str()).is_empty();
    if HERE.iter().any(|here| scheme.eq_ignore_ascii_case(here)) || runs() {
        return Some(EntryError::Here);
    }
    let host = url.host().map(|host| host.as_str());
    // A group without a server is one of the server that the user has chosen.
    let needs_host = default_port(&scheme.to_ascii_lowercase()).is_some() && !is_scheme(url, "news");
    let has_none = host.map_or(needs_host, str::is_empty);
    has_none.then_some(EntryError::NoHost)
}

fn is_scheme(url: UriRef<'_>, name: &str) -> bool {
    url.scheme().is_some_and(|scheme| scheme.as_str().eq_ignore_ascii_case(name))
}
