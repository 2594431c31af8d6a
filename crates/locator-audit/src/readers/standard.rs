//! The URL Standard, by which browsers read: takes a text and the server of its page, returns what is contacted.
//!
//! The reading is that of the parser, `locator_whatwg`, which follows the text of July 2026. Programs that follow the
//! same standard with differences are rows of [`Departures`]: of an older text, or faults. What a departure does to a
//! URL without changing whom it leads to (the escapes of a path, say) is not here.
//!
//! Chromium 156 contacts what this reader contacts for 10,776 strings, except that it refuses "*" in a host
//! (`scripts/compare/readers`, November 2026).

use alloc::format;
use core::net::IpAddr;

use locator_whatwg::{Host as ParsedHost, ParseError, Url};

use super::contact::{Contact, Host, Outcome};
use crate::domain;
use crate::schemes::{self, Fetched};

/// Where a program contacts another host than the standard of July 2026 says, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Departures {
    /// Whether a domain in ASCII is refused if one of its labels begins with `xn--` and is not valid by UTS 46.
    /// Since June 2026 "the domain parser" only lower-cases such a domain.
    checks_punycode: bool,
    /// Whether a third slash at the start of a relative reference is refused, as an empty host. The standard skips
    /// it ("special authority ignore slashes state").
    refuses_third_slash: bool,
}

impl Departures {
    pub(super) const NONE: Self = Self { checks_punycode: false, refuses_third_slash: false };
    /// Node 20, whose parser is ada 2.9.
    pub(super) const NODE_20: Self = Self { checks_punycode: true, ..Self::NONE };
    /// The crate `url` 2.5.8. A test compares this row with the crate.
    pub(super) const RUST_URL: Self = Self { checks_punycode: true, refuses_third_slash: true };
}

/// A text with the URL that the parser makes of it. Several readers share it.
pub(super) struct ParsedText<'t> {
    text: &'t str,
    url: Option<Url>,
}

impl<'t> ParsedText<'t> {
    /// Parses a text, which may be relative to a base.
    pub(super) fn new(text: &'t str, base: &Contact) -> Self {
        let base = Url::parse(&format!("{base}/")).ok();
        Self { text, url: Url::options().base_url(base.as_ref()).parse(text).ok() }
    }

    /// Parses a text as `new URL(text)` does in a script, and only what has no scheme relative to a base that nobody
    /// has set. (With a base of https, `https:h` is a path: "special relative or authority state".)
    pub(super) fn without_base(text: &'t str, unnamed: &Contact) -> Self {
        match Url::parse(text) {
            Ok(url) => Self { text, url: Some(url) },
            Err(ParseError::RelativeUrlWithoutBase) => Self::new(text, unnamed),
            Err(_) => Self { text, url: None },
        }
    }

    pub(super) const fn text(&self) -> &'t str {
        self.text
    }

    /// Returns what a program contacts that departs from the standard like this.
    pub(super) fn outcome(&self, departures: Departures) -> Outcome {
        let Some(url) = &self.url else { return Outcome::Refused };
        let (scheme, name) = (url.scheme(), url.domain().unwrap_or_default());
        let is_file = schemes::names_file(scheme);
        let is_fetched = is_file || Fetched::SPECIAL.contains(scheme);
        if !is_fetched || departures.checks_punycode && !are_labels_valid(name) {
            return Outcome::Refused;
        }
        if is_file {
            return Outcome::File;
        }
        if departures.refuses_third_slash && begins_with_three_slashes(self.text) {
            return Outcome::Refused;
        }
        let host = match url.host() {
            Some(ParsedHost::Ipv4(address)) => Host::Address(address.into()),
            Some(ParsedHost::Ipv6(address)) => Host::Address(IpAddr::V6(address).to_canonical()),
            Some(ParsedHost::Domain(name)) => {
                // The standard allows hosts that no resolver is asked for, such as "a..b".
                let Some(host) = Host::from_name(name) else { return Outcome::Returned(name.into()) };
                host
            }
            None => return Outcome::Refused,
        };
        Outcome::Contact(Contact::new(scheme, host, url.port_or_known_default()))
    }
}

/// Returns whether no label of a domain is in Punycode without being what UTS 46 makes of its letters.
fn are_labels_valid(name: &str) -> bool {
    !name.split('.').any(|label| label.starts_with("xn--")) || domain::mapped_form(name, false).is_some()
}

/// Returns whether a text begins with "//" and another slash, in the eyes of a parser that removes spaces, controls,
/// tabs and line ends.
fn begins_with_three_slashes(text: &str) -> bool {
    let text = text.trim_start_matches(|c| c <= ' ');
    let mut kept = text.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r'));
    kept.next() == Some('/') && kept.next() == Some('/') && matches!(kept.next(), Some('/' | '\\'))
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};

    use super::*;

    fn shown(text: &str, departures: Departures) -> String {
        let base = Contact::new("https", Host::Name("base.invalid".into()), Some(443));
        match ParsedText::new(text, &base).outcome(departures) {
            Outcome::Contact(contact) => contact.to_string(),
            Outcome::Returned(host) => host,
            Outcome::File => "file".into(),
            Outcome::NoHost => "no host".into(),
            Outcome::Refused => "refused".into(),
        }
    }

    #[test]
    fn programs_depart_from_the_standard() {
        for (text, expected) in [
            // An ASCII domain is only lower-cased.
            ("http://XN--A/", ["http://xn--a:80", "refused", "refused"]),
            ("http://a.xn--zn7c.com/", ["http://a.xn--zn7c.com:80", "refused", "refused"]),
            ("http://xn--mnchen-3ya.de/", ["http://xn--mnchen-3ya.de:80"; 3]),
            ("///evil.example/", ["https://evil.example:443", "https://evil.example:443", "refused"]),
            ("\t/\n/\\evil.example/", ["https://evil.example:443", "https://evil.example:443", "refused"]),
            ("/\\/evil.example/", ["https://evil.example:443"; 3]),
            ("http:///evil.example/", ["http://evil.example:80"; 3]),
            // With the scheme of the base this is a path; with another one it is a host.
            ("https:evil.example", ["https://base.invalid:443"; 3]),
            ("http:evil.example", ["http://evil.example:80"; 3]),
            ("http://good.example\\@evil.example/", ["http://good.example:80"; 3]),
            ("http://0x7f.1/", ["http://127.0.0.1:80"; 3]),
            ("http://[::ffff:127.0.0.1]/", ["http://127.0.0.1:80"; 3]),
            ("http://a..b/", ["a..b"; 3]),
            ("http://1.2.3.4.5/", ["refused"; 3]),
            ("http://h:65536/", ["refused"; 3]),
            ("http://", ["refused"; 3]),
            ("file://h.example/a", ["file"; 3]),
            ("file://h.example:99/a", ["refused"; 3]),
            ("file://xn--/a", ["file", "refused", "refused"]),
            ("mailto:a@b.example", ["refused"; 3]),
            ("foo://h.example/", ["refused"; 3]),
        ] {
            let rows = [Departures::NONE, Departures::NODE_20, Departures::RUST_URL];
            assert_eq!(rows.map(|row| shown(text, row)), expected, "{text:?}");
        }
    }

    #[test]
    fn a_base_that_nobody_has_set_is_for_what_has_no_scheme() {
        let base = Contact::new("https", Host::Name("base.invalid".into()), Some(443));
        for (text, expected) in [
            ("https:evil.example", "evil.example"),
            ("https:/evil.example", "evil.example"),
            ("/https:evil.example", "base.invalid"),
            ("//evil.example", "evil.example"),
        ] {
            let outcome = ParsedText::without_base(text, &base).outcome(Departures::NONE);
            assert_eq!(
                outcome.contact().map(|contact| contact.host().to_string()).as_deref(),
                Some(expected)
            );
        }
    }
}
