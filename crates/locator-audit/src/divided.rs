//! A text divided into components, whether it is valid or not: [`Divided`] parses it by an edition, and divides an
//! invalid text by the expression of RFC 3986, appendix B, so that checks see the same components in both.
//!
//! ```text
//! let divided = Divided::new("http://h.example/a b", &RFC3986);
//! assert!(divided.parsed.is_err());
//! assert_eq!(divided.get(Component::Path), Some("/a b"));
//! ```

use core::ops::Range;

use locator::{Component, ComponentSpans, Edition, ParseError, UriRef, internal};

/// A text with its components by an edition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Divided<'a> {
    pub(crate) text: &'a str,
    /// The reference, or the first error.
    pub(crate) parsed: Result<UriRef<'a>, ParseError>,
    spans: ComponentSpans,
}

impl<'a> Divided<'a> {
    /// Parses the text. If it is invalid, appendix B of RFC 3986 divides it. What is after 4 GiB is
    /// ignored, because positions have 32 bits.
    pub(crate) fn new(text: &'a str, edition: &'static Edition) -> Self {
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
        Self { text, parsed, spans }
    }

    /// Returns the edition that divides the text.
    pub(crate) const fn edition(&self) -> &'static Edition {
        match &self.parsed {
            Ok(reference) => reference.edition(),
            Err(error) => error.edition(),
        }
    }

    /// Returns the bytes of a component without its delimiters; `None` if it is undefined.
    pub(crate) fn span(&self, component: Component) -> Option<Range<usize>> {
        self.spans.span(component)
    }

    /// Returns the text of a component; `None` if it is undefined. The text may be cut within a
    /// character only where it is invalid; then the result is `None` too.
    #[inline]
    pub(crate) fn get(&self, component: Component) -> Option<&'a str> {
        self.text.get(self.span(component)?)
    }

    /// Returns the smallest component that contains the byte; delimiters are in none of those below
    /// the authority.
    pub(crate) fn component_at(&self, at: usize) -> Component {
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
    pub(crate) fn scheme(&self) -> &'a str {
        self.get(Component::Scheme).unwrap_or_default()
    }
}
