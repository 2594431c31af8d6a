//! What a link is for, as far as its document says it: the relation of `rel`, the method of a form,
//! whether it redirects, whether it is code. Follows the HTML standard, 4.6 and 4.10.

/// The method by which following a link sends its request.
///
/// ```
/// use locator_find::{Document, Finder, Format, Link, Method};
/// use std::ops::ControlFlow;
///
/// let page = b"<form method=post action=/send></form><form action=/search></form>";
/// let document = Document::new(Format::Html);
/// let mut methods = Vec::new();
/// Finder::new().find(&document, &mut &page[..], &mut |link: &Link<'_>| {
///     methods.push(link.method());
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(methods, [Some(Method::Post), Some(Method::Get)]);
/// # Ok::<_, std::io::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// The form adds its data to the query.
    Get,
    /// The form sends its data as a body; `ping` is sent by this method, too.
    Post,
    /// The form closes its dialog, and sends nothing.
    Dialog,
    /// The `formaction` of a button that has no `formmethod` and is outside of its form, or in XML.
    Unknown,
}

impl Method {
    /// Returns the name of the method in JSON: `post`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
            Self::Dialog => "dialog",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the method that an attribute names; "the invalid value default" is GET.
    pub(crate) fn from_value(value: &[u8]) -> Self {
        let is = |name: &[u8]| value.eq_ignore_ascii_case(name);
        match () {
            () if is(b"post") => Self::Post,
            () if is(b"dialog") => Self::Dialog,
            () => Self::Get,
        }
    }
}

/// What is known of a link besides its context.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Purpose<'a> {
    pub(crate) rel: Option<&'a str>,
    pub(crate) method: Option<Method>,
    pub(crate) is_code: bool,
    /// After how many seconds the document redirects to it.
    pub(crate) refresh: Option<u32>,
}

impl<'a> Purpose<'a> {
    /// The purpose of a URL that is code.
    pub(crate) const CODE: Self = Self { rel: None, method: None, is_code: true, refresh: None };

    /// Returns the purpose of the URL of a refresh after so many seconds.
    pub(crate) const fn of_refresh(seconds: u32) -> Self {
        Self { rel: None, method: None, is_code: false, refresh: Some(seconds) }
    }

    /// Returns the purpose of a form's URL.
    pub(crate) const fn of_method(method: Method) -> Self {
        Self { rel: None, method: Some(method), is_code: false, refresh: None }
    }

    /// Returns the purpose of a link with this value of `rel`.
    ///
    /// Every link of a tag has the value, so its length is limited.
    pub(crate) fn of_rel(rel: &'a str) -> Self {
        let rel = Some(whole_words(rel.trim_ascii(), LONGEST_REL)).filter(|rel| !rel.is_empty());
        Self { rel, ..Self::default() }
    }
}

/// The maximum length of a `rel` in bytes; later words are left out.
const LONGEST_REL: usize = 1024;

/// Returns the words at the start of a text that have together at most this length.
fn whole_words(text: &str, longest: usize) -> &str {
    if text.len() <= longest {
        return text;
    }
    let ends = text.char_indices().take_while(|(at, _)| *at <= longest);
    let end = ends.filter(|(_, character)| character.is_ascii_whitespace()).last();
    text[..end.map_or(0, |(at, _)| at)].trim_ascii_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_ends_with_a_word() {
        for (text, longest, expected) in [
            ("ab cd", 5, "ab cd"),
            ("ab cd", 4, "ab"),
            ("ab  cd", 3, "ab"),
            ("ab cd ef", 6, "ab cd"),
            ("abc", 2, ""),
            ("é é", 2, "é"),
            ("", 0, ""),
        ] {
            assert_eq!(whole_words(text, longest), expected, "{text} {longest}");
        }
    }
}
