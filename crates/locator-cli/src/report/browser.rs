//! Says where a browser would go with a URL that this program reads by RFC 3986 or by another edition: browsers read
//! by the URL Standard, which repairs a URL and may find another host in it (`http:/evil.example/`).

use locator::UriRef;
use locator_audit::{Contact, Host};
use locator_whatwg::Url;

use crate::exit::say;
use crate::terminal::visible;

/// Says on standard error which host a browser would contact for a URL, if that is not the host of its edition.
pub(crate) fn say_other_host(url: UriRef<'_>) {
    if let Some(host) = other_host(url) {
        say(&format!("a browser would contact {}", visible(&host)));
    }
}

/// Returns the host that a browser contacts for a URL, if it is another one than the edition finds.
fn other_host(url: UriRef<'_>) -> Option<String> {
    let parsed =
        Url::parse(url.as_str()).ok().filter(|parsed| parsed.is_special() && parsed.scheme() != "file")?;
    let found = match parsed.host()? {
        locator_whatwg::Host::Domain(name) => Host::Name(name.to_owned()),
        locator_whatwg::Host::Ipv4(address) => Host::Address(address.into()),
        locator_whatwg::Host::Ipv6(address) => Host::Address(address.to_canonical()),
    };
    let own = url.as_uri().and_then(Contact::from_uri);
    let is_own = match &own {
        Some(own) => *own.host() == found,
        // A name that nobody can look up, such as "a..b", is a host all the same.
        None => url.host().is_some_and(|host| host.as_str().eq_ignore_ascii_case(&found.to_string())),
    };
    (!is_own).then(|| found.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_find_other_hosts() {
        for (text, expected) in [
            ("http:/evil.example/", Some("evil.example")),
            ("https:evil.example", Some("evil.example")),
            ("http:///evil.example/a", Some("evil.example")),
            ("http://0x7f.1/", Some("127.0.0.1")),
            ("ws:/a/b", Some("a")),
            ("http://Good.example:80/", None),
            ("http://a%2Eb.example/", None),
            ("http://[::ffff:127.0.0.1]/", None),
            ("http://127.0.0.1/", None),
            ("http://a..b/", None),
            ("http://xn--a/", None),
            ("http://good.example/\\@evil.example/", None),
            // The browser rejects these, opens a file, or contacts nothing.
            ("http://1.2.3.4.5/", None),
            ("file://host.example/a", None),
            ("mailto:a@b.example", None),
            ("gopher:/h.example/", None),
            ("/a", None),
        ] {
            let found = UriRef::parse(text).ok().and_then(other_host);
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
