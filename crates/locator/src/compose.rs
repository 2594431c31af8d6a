//! Composes the text of a reference from its components.
//!
//! This is the inverse of appendix B: each defined component is written with its delimiter, so
//! recomposing the components of a parsed reference gives the same text (RFC 3986, section 5.3). A
//! path from elsewhere may need a disambiguating prefix, without which it would be parsed
//! differently.

use alloc::string::String;
use core::fmt::{self, Display, Formatter};

use crate::edition::Edition;
use crate::reference::UriRef;
use crate::simd::Class;
use crate::span::Component;

/// The five components of a reference, the prefix of `url-1994`, and the edition by which they are
/// written. They are not checked here: the public way to compose a reference is `Edit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Components<'a> {
    /// The prefix `URL:`, if there is one.
    pub(crate) prefix: Option<&'a str>,
    /// The scheme, without the ":".
    pub(crate) scheme: Option<&'a str>,
    /// The authority, without the "//".
    pub(crate) authority: Option<&'a str>,
    /// The path, with its leading "/".
    pub(crate) path: &'a str,
    /// The query, without the "?".
    pub(crate) query: Option<&'a str>,
    /// The fragment, without the "#".
    pub(crate) fragment: Option<&'a str>,
    /// The edition, which decides whether a ":" in the first segment is ambiguous.
    pub(crate) edition: &'static Edition,
}

impl<'a> Components<'a> {
    /// Returns the components of a reference.
    pub(crate) fn of(reference: impl Into<UriRef<'a>>) -> Self {
        let reference = reference.into();
        Self {
            prefix: reference.component_out_of_line(Component::Prefix),
            scheme: reference.component_out_of_line(Component::Scheme),
            authority: reference.component_out_of_line(Component::Authority),
            path: reference.component_out_of_line(Component::Path).unwrap_or_default(),
            query: reference.component_out_of_line(Component::Query),
            fragment: reference.component_out_of_line(Component::Fragment),
            edition: reference.edition(),
        }
    }

    /// Returns the pieces of the whole text.
    pub(crate) fn pieces(&self) -> [&'a str; 11] {
        let [prefix, scheme, colon, slashes, authority] = self.before_path();
        let [question_mark, query, hash, fragment] = self.after_path();
        let (shield, path) = (self.disambiguating_prefix(), self.path);
        [prefix, scheme, colon, slashes, authority, shield, path, question_mark, query, hash, fragment]
    }

    /// Returns the pieces before the path.
    pub(crate) fn before_path(&self) -> [&'a str; 5] {
        let (scheme, colon) = self.scheme.map_or(("", ""), |scheme| (scheme, ":"));
        let (slashes, authority) = self.authority.map_or(("", ""), |authority| ("//", authority));
        [self.prefix.unwrap_or_default(), scheme, colon, slashes, authority]
    }

    /// Returns the prefix that the path needs to be parsed as this path.
    pub(crate) fn disambiguating_prefix(&self) -> &'static str {
        // "If a URI contains an authority component, then the path component must either be empty
        // or begin with a slash ("/") character." (RFC 3986, 3.3)
        if self.authority.is_some() {
            return if self.path.is_empty() || self.path.starts_with('/') { "" } else { "/" };
        }
        // "If a URI does not contain an authority component, then the path cannot begin with two
        // slash characters ("//")." (RFC 3986, 3.3)
        if self.path.starts_with("//") {
            return "/.";
        }
        // "A path segment that contains a colon character (e.g., "this:that") cannot be used as the
        // first segment of a relative-path reference" (RFC 3986, 4.2)
        if self.scheme.is_none() && self.begins_with_colon() { "./" } else { "" }
    }

    /// Returns whether the first segment of the path contains a ":" that changes how it is parsed.
    fn begins_with_colon(&self) -> bool {
        let octets = self.path.as_bytes();
        let end = octets.iter().position(|octet| matches!(octet, b'/' | b':')).unwrap_or(octets.len());
        let (before, rest) = octets.split_at(end);
        if rest.first() != Some(&b':') {
            return false;
        }
        let is_scheme = !before.is_empty()
            && before.iter().all(|&octet| self.edition.table.contains(Class::SCHEME, octet));
        is_scheme || !self.edition.colon_in_first_segment
    }

    /// Returns the pieces after the path.
    pub(crate) fn after_path(&self) -> [&'a str; 4] {
        let (question_mark, query) = self.query.map_or(("", ""), |query| ("?", query));
        let (hash, fragment) = self.fragment.map_or(("", ""), |fragment| ("#", fragment));
        [question_mark, query, hash, fragment]
    }
}

impl Display for Components<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.pieces().into_iter().try_for_each(|piece| f.write_str(piece))
    }
}

/// Appends pieces to a text.
#[inline(never)]
pub(crate) fn append(out: &mut String, pieces: &[&str]) {
    for piece in pieces {
        out.push_str(piece);
    }
}

/// Returns the concatenation of pieces.
#[inline(never)]
pub(crate) fn concat(pieces: &[&str]) -> String {
    let mut out = String::with_capacity(pieces.iter().map(|piece| piece.len()).sum());
    append(&mut out, pieces);
    out
}

/// Returns whether a text is the concatenation of pieces.
#[inline(never)]
pub(crate) fn is_concat(text: &str, pieces: &[&str]) -> bool {
    // An empty piece is not compared: its address is not that of memory, and some processors take a
    // microsecond for a masked load there.
    let mut pieces = pieces.iter().filter(|piece| !piece.is_empty());
    let rest = pieces.try_fold(text, |rest, piece| match core::ptr::eq(rest.as_ptr(), piece.as_ptr()) {
        // The piece is a part of the text, as most are.
        true => rest.get(piece.len()..),
        false => rest.strip_prefix(piece),
    });
    rest.is_some_and(str::is_empty)
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    #[test]
    fn a_path_that_would_be_read_as_something_else_gets_a_prefix() {
        let of = |path| Components { path, ..Components::of(UriRef::default()) }.to_string();
        assert_eq!(of("this:that"), "./this:that");
        assert_eq!(of("//not/a/host"), "/.//not/a/host");
    }
}
