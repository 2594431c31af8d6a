//! What a reference identifies in a document: takes a base and a reference, returns the URL, or what is
//! wrong with one of the two (RFC 3986, 5.2).

use alloc::string::{String, ToString};

use locator::{Edition, Uri, UriRef};
use maud::{Markup, html};

use crate::report::secrets;
use crate::section;
use crate::text::{code, sentence};

/// A reference that was resolved, or the reason why it cannot be.
pub(crate) struct Resolved(Result<String, String>);

impl Resolved {
    /// Resolves a reference against a base by an edition.
    pub(crate) fn new(base: &str, reference: &str, edition: &'static Edition) -> Self {
        let base = base.trim_matches([' ', '\t', '\n', '\r']);
        let resolved = Uri::parse_with(base, edition)
            .map_err(|error| ["The base is not a URL: ", &error.to_string()].concat())
            .and_then(|base| {
                let reference = UriRef::parse_with(reference, edition)
                    .map_err(|error| ["The reference is not valid: ", &error.to_string()].concat())?;
                base.join(reference).map_err(|error| error.to_string())
            });
        Self(resolved.map(locator::UriBuf::into_string))
    }

    /// Returns the URL.
    pub(crate) fn url(&self) -> Option<&str> {
        self.0.as_deref().ok()
    }
}

/// Returns the section.
pub(crate) fn section(resolved: &Resolved, shows_secrets: bool) -> Markup {
    let body = match &resolved.0 {
        Ok(url) if shows_secrets => html! { p.verdict.calm { (code(url)) } },
        Ok(url) => html! { p.verdict.calm { (code(&secrets::without_secrets(url).to_string())) } },
        Err(why) => html! { p.verdict.bad { (sentence(why)) } },
    };
    section::section("resolved", "Resolved against the base", &body)
}
