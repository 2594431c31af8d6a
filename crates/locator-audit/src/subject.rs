//! The text that is audited, divided into components whether it is valid or not.

use core::ops::Range;

use super::reader::Contact;
use super::severity::Severity;
use super::signs::{self, Signs};
use locator::Edition;
use locator::ParseError;
use locator::UriRef;
use locator::internal;
use locator::{Component, ComponentSpans};

/// A text with its components by an edition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    pub(super) text: &'a str,
    /// The least severity that is asked for: checks of less need not run.
    pub(super) least: Severity,
    /// Whether the edition has rules for schemes.
    pub(super) has_rules: bool,
    /// The reference, or the first error.
    pub(super) parsed: Result<UriRef<'a>, ParseError>,
    /// What the text has that checks look for.
    pub(super) signs: Signs,
    /// The names that the host must not imitate.
    pub(super) protected: Option<&'a super::Protected>,
    /// What texts without a scheme refer to, if it was set.
    pub(super) base: Option<&'a Contact>,
    spans: ComponentSpans,
}

impl<'a> Subject<'a> {
    /// Parses the text. If it is invalid, appendix B of RFC 3986 divides it. What is after 4 GiB is
    /// ignored, because positions have 32 bits.
    pub(super) fn new(text: &'a str, edition: &'static Edition, has_rules: bool, least: Severity) -> Self {
        let mut end = text.len().min(u32::MAX as usize - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        let parsed = UriRef::parse_with(text, edition);
        let spans = match parsed {
            Ok(reference) => reference.spans(),
            Err(_) => internal::divide(text.as_bytes(), edition),
        };
        Self {
            text,
            least,
            has_rules,
            parsed,
            signs: signs::signs(text.as_bytes()),
            protected: None,
            base: None,
            spans,
        }
    }

    /// Sets what texts without a scheme refer to.
    pub(super) const fn against(self, base: Option<&'a Contact>) -> Self {
        Self { base, ..self }
    }

    /// Sets the names that the host must not imitate.
    pub(super) const fn protecting(self, protected: Option<&'a super::Protected>) -> Self {
        Self { protected, ..self }
    }

    /// Returns the edition that divides the text.
    pub(super) const fn edition(&self) -> &'static Edition {
        match &self.parsed {
            Ok(reference) => reference.edition(),
            Err(error) => error.edition(),
        }
    }

    /// Returns the bytes of a component without its delimiters; `None` if it is undefined.
    pub(super) fn span(&self, component: Component) -> Option<Range<usize>> {
        self.spans.span(component)
    }

    /// Returns the text of a component; `None` if it is undefined. The text may be cut within a
    /// character only where it is invalid; then the result is `None` too.
    pub(super) fn get(&self, component: Component) -> Option<&'a str> {
        self.text.get(self.span(component)?)
    }

    /// Returns the host with where it begins, if it is not empty and a client of the scheme connects to
    /// it; a reference without a scheme has that of its base.
    pub(super) fn dialled_host(&self) -> Option<(&'a str, usize)> {
        let host = self.get(Component::Host).filter(|host| !host.is_empty())?;
        let scheme = self.scheme();
        let is_dialled = scheme.is_empty() || internal::connects(scheme);
        is_dialled.then_some((host, self.span(Component::Host)?.start))
    }

    /// Returns the smallest component that contains the byte; delimiters are in none of those below
    /// the authority.
    pub(super) fn component_at(&self, at: usize) -> Component {
        let contains = |component: &Component| self.span(*component).is_some_and(|span| span.contains(&at));
        let all = [
            Component::Userinfo,
            Component::Host,
            Component::Port,
            Component::Authority,
            Component::Path,
            Component::Query,
            Component::Fragment,
            Component::Scheme,
        ];
        all.into_iter().find(contains).unwrap_or(Component::Reference)
    }

    /// Returns the scheme as written, or the empty text.
    pub(super) fn scheme(&self) -> &'a str {
        self.get(Component::Scheme).unwrap_or_default()
    }
}
