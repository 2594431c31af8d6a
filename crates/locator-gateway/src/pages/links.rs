//! Which URLs pages link to, and how: takes a URL, returns the value of `href`.
//!
//! [`Links`] writes links through the gateway, or as the URLs themselves for clients that use it as a proxy.
//! [`is_shown`] decides which schemes a text of others may link to, [`no_fetch`] which URLs the gateway does
//! not fetch.
//!
//! ```text
//! let links = Links::gateway(String::new());
//! assert_eq!(links.page("gopher://h/"), "/u/gopher%3A%2F%2Fh%2F");
//! assert_eq!(links.href("https://h/"), "https://h/");
//! ```

use locator::{AsciiSet, PctString, Redacted, UriRef, edition};
use locator_web::report::{pasted, secrets};

/// How links are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Links {
    /// Through the gateway: `/u/ENCODED`, after this prefix, which is empty or `/KEY`; `None`: as the URLs themselves, for
    /// clients that use the gateway as a proxy.
    prefix: Option<String>,
    shows_secrets: bool,
}

impl Links {
    /// Links through the gateway, after a prefix.
    pub(in super::super) const fn gateway(prefix: String) -> Self {
        Self { prefix: Some(prefix), shows_secrets: false }
    }

    /// The URLs themselves.
    pub(in super::super) const fn native() -> Self {
        Self { prefix: None, shows_secrets: false }
    }

    /// Decides whether passwords in the URLs of pages are shown.
    pub(in super::super) fn showing_secrets(self, shows_secrets: bool) -> Self {
        Self { shows_secrets, ..self }
    }

    /// Returns a URL, valid or not, as a page shows it: with its secrets hidden.
    pub(in super::super) fn redacted<'t>(&self, text: &'t str) -> Redacted<'t> {
        if self.shows_secrets { Redacted::exact(text) } else { locator_audit::redacted(text) }
    }

    /// Returns a sentence that may quote URLs, with their secrets hidden.
    pub(super) fn sentence(&self, text: &str) -> String {
        if self.shows_secrets { text.to_owned() } else { secrets::sentence(text) }
    }

    /// Returns the address of the page of a URL.
    pub(in super::super) fn page(&self, url: &str) -> String {
        self.of("/u/", url).unwrap_or_else(|| url.to_owned())
    }

    /// Returns the address of the octets of a URL.
    pub(in super::super) fn raw(&self, url: &str) -> String {
        self.of("/raw/", url).unwrap_or_else(|| url.to_owned())
    }

    /// Returns the address of the readings of a URL; a proxy has none.
    pub(in super::super) fn read(&self, url: &str) -> Option<String> {
        self.of("/read?url=", url)
    }

    /// Returns the address of something of the gateway itself; a proxy has nothing of its own.
    pub(super) fn own(&self, path: &str) -> Option<String> {
        self.prefix.as_ref().map(|prefix| [prefix, path].concat())
    }

    /// Returns the address of the link to a URL: of one of the web itself, of others its page.
    pub(super) fn href(&self, url: &str) -> String {
        if is_web(url) { url.to_owned() } else { self.page(url) }
    }

    pub(in super::super) const fn is_gateway(&self) -> bool {
        self.prefix.is_some()
    }

    fn of(&self, path: &str, url: &str) -> Option<String> {
        self.own(path).map(|start| start + PctString::encode(url, AsciiSet::UNRESERVED).as_str())
    }
}

/// Returns whether a URL is one of the web. Such links lead out of the gateway.
pub(super) fn is_web(url: &str) -> bool {
    UriRef::parse(url).is_ok_and(UriRef::is_web)
}

/// Returns the URL of the directory or menu that contains what a URL identifies, if the URL says it.
pub(super) fn parent(url: UriRef<'_>) -> Option<String> {
    let base = locator::Base::new(locator::Uri::try_from(url).ok()?).ok()?;
    let scheme = url.scheme()?.as_str().to_ascii_lowercase();
    let parent = match &*scheme {
        "ftp" | "ftps" | "file" if url.path().as_str().trim_start_matches('/').is_empty() => return None,
        "ftp" | "ftps" | "file" if url.path().as_str().ends_with('/') => base.join("..").ok()?,
        "ftp" | "ftps" | "file" => base.join(".").ok()?,
        // The group of an article that has a number: "nntp://host/group/number".
        "nntp" if url.path().as_str().matches('/').count() == 2 => {
            return url.as_str().rsplit_once('/').map(|(group, _)| group.to_owned());
        }
        _ => return None,
    };
    Some(parent.into_string()).filter(|parent| parent != url.as_str())
}

/// Returns what the link to the [parent] of a URL is called.
pub(super) fn parent_name(url: &str) -> &'static str {
    if url.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("nntp:")) {
        "Newsgroup"
    } else {
        "Parent directory"
    }
}

/// Returns the URL of the server of a URL, where a server has a menu or a listing.
pub(super) fn server(url: UriRef<'_>) -> Option<String> {
    let scheme = url.scheme()?.as_str().to_ascii_lowercase();
    let authority = url.authority()?.as_str();
    let path = match &*scheme {
        "ftp" | "ftps" | "gopher" => "/",
        "news" | "snews" | "nntp" => "/*",
        _ => return None,
    };
    let scheme = if scheme == "nntp" { "news" } else { &*scheme };
    Some([scheme, "://", authority, path].concat()).filter(|server| server != url.as_str())
}

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
    let Ok(repaired) = UriRef::parse_repaired_with(&url, edition::DEFAULT) else { return Some(url) };
    let read = repaired.as_uri_ref();
    let label = read.host()?.as_str().split('.').next()?;
    let port = read.authority()?.port().and_then(|port| port.number());
    let is_likely = |scheme: &str| {
        label.eq_ignore_ascii_case(scheme) || port.is_some() && locator::scheme::default_port(scheme) == port
    };
    let usual = read.scheme()?.as_str().len();
    let found = FETCHED.iter().find(|scheme| is_likely(scheme));
    Some(found.map_or_else(|| url.clone(), |scheme| [scheme, &url[usual..]].concat()))
}

/// Returns whether a URL is not fetched: it has a [page](super::web_link_page) instead. A mailto URL is a
/// [draft](super::draft_page).
pub(in super::super) fn no_fetch(url: UriRef<'_>) -> bool {
    let scheme = url.scheme().map(|scheme| scheme.as_str().to_ascii_lowercase()).unwrap_or_default();
    scheme != "mailto" && !FETCHED.contains(&&*scheme)
}
