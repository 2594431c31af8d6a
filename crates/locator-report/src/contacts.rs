//! Hosts and contacts as they are shown: without what may be a part of a password.

use core::ops::Range;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};

use locator::{PctStr, Redacted};
use locator_audit::{Contact, Host, Returned};

/// Shows the hosts that readers find in a URL.
///
/// ```
/// use locator_report::{ShownContacts, secrets};
///
/// let shown = secrets::without_secrets("http://u:secret@h/");
/// let host = locator_audit::Host::Name("secret".into());
/// assert_eq!(ShownContacts::new(&shown).host(&host), "(hidden)");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ShownContacts<'a> {
    url: &'a Redacted<'a>,
    has_secrets: bool,
}

impl<'a> ShownContacts<'a> {
    /// Shows hosts as the URL is shown, whose secrets are hidden.
    #[must_use]
    pub const fn new(url: &'a Redacted<'a>) -> Self {
        Self { url, has_secrets: false }
    }

    /// Shows hosts that are returned and may be a part of the password.
    #[must_use]
    pub const fn with_secrets(self, has_secrets: bool) -> Self {
        Self { has_secrets, ..self }
    }

    /// Returns a host as it is shown: hidden if a reader took it from what is hidden, and it is rather a
    /// part of a password. A name with a dot is shown, because it is probably meant to be contacted:
    /// `https://anna:x@evil.example\@good.example/`.
    #[must_use]
    pub fn host(&self, host: &Host) -> String {
        let is_secret = |range: &Range<usize>| {
            let hidden = self.url.as_str().get(range.clone()).unwrap_or_default();
            let decoded = PctStr::new(hidden).map(|hidden| hidden.decode_utf8_lossy().to_lowercase());
            let is_word = |name: &str| !name.trim_end_matches('.').contains('.');
            let has = |text: &str| matches!(host, Host::Name(name) if is_word(name) && text.contains(name.as_str()));
            has(&hidden.to_lowercase()) || decoded.is_ok_and(|decoded| has(&decoded))
        };
        match self.url.hidden().iter().any(is_secret) {
            true => Redacted::HIDDEN.to_owned(),
            false => host.to_string(),
        }
    }

    /// Returns a host that a reader returns as it is shown.
    #[must_use]
    pub fn returned(&self, found: &Returned<'_>) -> String {
        match found.is_of_password && !self.has_secrets {
            true => Redacted::HIDDEN.to_owned(),
            false => self.host(&Host::Name(found.host.to_owned())),
        }
    }

    /// Returns a contact as it is shown: `https://host:443`.
    #[must_use]
    pub fn contact(&self, contact: &Contact) -> String {
        match self.host(contact.host()) {
            host if host == Redacted::HIDDEN => format!("{}://{host}", contact.scheme()),
            _ => contact.to_string(),
        }
    }
}

/// Returns where a host is in a text for the first time, outside of other hosts; case is ignored.
///
/// ```
/// use locator_report::place_of_host;
///
/// let text = "http://a.example@A.example/";
/// assert_eq!(place_of_host(text, "a.example", &[]), Some(7..16));
/// assert_eq!(place_of_host(text, "a.example", &[7..16]), Some(17..26));
/// assert_eq!(place_of_host(text, "", &[]), None);
/// ```
#[must_use]
pub fn place_of_host(text: &str, host: &str, taken: &[Range<usize>]) -> Option<Range<usize>> {
    if host.is_empty() {
        return None;
    }
    let (text, host) = (text.to_ascii_lowercase(), host.to_ascii_lowercase());
    let found = text.match_indices(&host).map(|(start, host)| start..start + host.len());
    let is_free =
        |place: &Range<usize>| taken.iter().all(|other| other.end <= place.start || place.end <= other.start);
    found.into_iter().find(is_free)
}
