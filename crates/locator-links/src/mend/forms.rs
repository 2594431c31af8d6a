//! How a reference is written in a document: takes the reference and how the old one was written, returns the
//! ways to write it, the best first. The first that is read as the reference again is taken.

use locator_find::{Context, Format};

/// What is known of the place of a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    pub(super) format: Format,
    pub(super) context: Context<'a>,
    /// The link as it was written.
    pub(super) written: &'a [u8],
}

/// Returns the ways to write a reference at a place.
pub(super) fn forms(place: Place<'_>, reference: &str) -> Vec<Vec<u8>> {
    let Place { format, context, written } = place;
    let is_markup = matches!(format, Format::Html | Format::Xml);
    let mut forms = match context {
        Context::Markdown => destination(written, reference),
        Context::Style => vec![reference.to_owned(), with_backslashes(reference, "()'")],
        // A declaration of a style sheet in an attribute.
        Context::Attribute { attribute: "style", .. } => {
            let escaped = with_backslashes(reference, "()'").replace('&', "&amp;");
            [markup(written, reference), vec![escaped]].concat()
        }
        _ if is_markup => markup(written, reference),
        // A tag in Markdown.
        Context::Attribute { .. } | Context::Element(_) => markup(written, reference),
        _ if format == Format::Tex => {
            let escaped = with_backslashes(reference, "%#&_");
            let is_escaped = written.contains(&b'\\');
            if is_escaped { vec![escaped, reference.to_owned()] } else { vec![reference.to_owned(), escaped] }
        }
        _ => vec![reference.to_owned()],
    };
    let mut seen = Vec::new();
    forms.retain(|form| {
        let is_new = !seen.contains(form);
        seen.push(form.clone());
        is_new
    });
    forms.into_iter().map(String::into_bytes).collect()
}

/// A value of an attribute or text of an element: "&" is written as it was, or as "&amp;".
fn markup(written: &[u8], reference: &str) -> Vec<String> {
    let has_reference = memchr::memmem::find(written, b"&amp;").is_some();
    let is_bare = written.contains(&b'&') && !has_reference;
    let escaped = reference.replace('&', "&amp;");
    let full = escaped.replace('\'', "&#39;").replace('"', "&quot;").replace('<', "&lt;");
    let first = if is_bare { reference.to_owned() } else { escaped.clone() };
    vec![first, escaped, full]
}

/// A destination of Markdown: spaces and parentheses may end it (CommonMark, 6.3), entities are decoded.
fn destination(written: &[u8], reference: &str) -> Vec<String> {
    let has_entity = memchr::memmem::find(written, b"&amp;").is_some();
    let has_backslash = written.contains(&b'\\');
    let entities = |text: &str| text.replace('&', "&amp;");
    let escaped = with_backslashes(reference, "()<>\\");
    let plain = if has_entity { entities(reference) } else { reference.to_owned() };
    let first = if has_backslash { escaped.clone() } else { plain.clone() };
    vec![first, plain, escaped.clone(), entities(&escaped)]
}

fn with_backslashes(text: &str, before: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if before.contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ampersands_stay_as_they_were() {
        let place = |written| Place { format: Format::Html, context: Context::Style, written };
        let first = |written: &'static [u8]| markup(place(written).written, "/?a=1&b=2").remove(0);
        assert_eq!(first(b"/x?a=1&amp;b=2"), "/?a=1&amp;b=2");
        assert_eq!(first(b"/x?a=1&b=2"), "/?a=1&b=2");
        assert_eq!(first(b"/x"), "/?a=1&amp;b=2");
    }
}
