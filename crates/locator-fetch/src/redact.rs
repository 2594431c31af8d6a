//! Texts of URLs: values of `Debug` and `Display` without their secrets (URLs without passwords and tokens,
//! sentences in which URLs may be, octets as their number), and parts of URLs as others read them.
//!
//! [`url()`] and [`sentence`] return texts for people; [`Url`] and [`Octets`] are for `Debug`. What is a secret is decided
//! by [`locator_audit::redacted`]: passwords, values of secret parameters, and tokens by their form.
//!
//! ```
//! let error = locator_fetch::blocking::get("http://joe:secret@127.0.0.1/?token=9f8c2b7a41d6e3f05b").unwrap_err();
//! let text = format!("{error} {error:?} {}", error.url());
//! assert!(!text.contains("secret") && !text.contains("9f8c"));
//! ```

use std::fmt::{self, Debug, Formatter};

use locator::{Component, Redacted, UriRef};

/// A URL, of which `Debug` shows no secret.
pub(crate) struct Url<'a>(pub(crate) UriRef<'a>);

impl Debug for Url<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        url(self.0).fmt(f)
    }
}

/// Returns a URL without its secrets.
pub(crate) fn url(url: UriRef<'_>) -> String {
    let secrets = locator_audit::redacted(url.as_str());
    url.redacted().hide(secrets.hidden().iter().cloned()).to_string()
}

/// Octets, of which `Debug` shows the number.
pub(crate) struct Octets<'a>(pub(crate) &'a [u8]);

impl Debug for Octets<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} octets", self.0.len())
    }
}

/// Returns a sentence in which the secrets of URLs are hidden.
pub(crate) fn sentence(text: &str) -> String {
    // Most sentences contain no URL.
    if !text.contains(['/', '?', '@', '=']) {
        return text.to_owned();
    }
    let words = text.split([' ', '\t', '\n', '"', '\'', '<', '>', '`']);
    let hidden = words.flat_map(|word| {
        let start = word.as_ptr().addr() - text.as_ptr().addr();
        let hidden = locator_audit::redacted(word).hidden().to_vec();
        let hidden =
            hidden.into_iter().filter(move |range| word.get(range.clone()) != Some(Redacted::HIDDEN));
        hidden.map(move |range| range.start + start..range.end + start)
    });
    Redacted::exact(text).hide(hidden).to_string()
}

/// Implements `Error`, and `Debug` as the sentence of `Display`, for a `main` that returns the error.
#[cfg(any(feature = "entries", feature = "http", feature = "prospero", feature = "tls", feature = "wais"))]
macro_rules! error {
    ($name:ident) => {
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }

        impl std::error::Error for $name {}
    };
}

#[cfg(any(
    feature = "entries",
    feature = "http",
    feature = "prospero",
    feature = "tls",
    feature = "wais"
))]
pub(crate) use error;

/// Returns the text of a URL without the prefix of its edition (`URL:`), which other programs do not know.
pub(crate) fn plain(url: UriRef<'_>) -> &str {
    let start = url.span(Component::Scheme).map_or(0, |scheme| scheme.start);
    url.as_str().get(start..).unwrap_or_default()
}

/// Returns the name of the scheme of a URL; empty if it has none.
pub(crate) fn scheme_of(url: UriRef<'_>) -> &str {
    url.scheme().map(|scheme| scheme.as_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_sentences() {
        for (text, shown) in [
            ("going on with ftp://u:pw@h/a", "going on with ftp://u:(hidden)@h/a"),
            ("\"http://h/?token=0f8fad5b\": no", "\"http://h/?token=(hidden)\": no"),
            ("ftp://u:(hidden)@h/", "ftp://u:(hidden)@h/"),
            ("no URL", "no URL"),
        ] {
            assert_eq!(sentence(text), shown);
        }
    }

    #[test]
    fn octets_and_urls() {
        assert_eq!(format!("{:?}", Octets(b"s3cret")), "6 octets");
        let url = locator::uri_ref!("ftp://u:pw@h/?token=0f8fad5b");
        assert_eq!(format!("{:?}", Url(url)), "\"ftp://u:(hidden)@h/?token=(hidden)\"");
    }
}
