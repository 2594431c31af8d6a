//! Destinations with a space, such as `[text](a b.md)`. CommonMark allows a space in a destination only
//! between "<" and ">", so this is no link, which its author has probably not noticed.

use std::ops::Range;

use memchr::memmem;

/// Returns the destinations with a space in a text, in order: what is after "](" and looks like a URL or
/// the name of a file. A remark in parentheses does not.
pub(super) fn find_in(text: &str) -> impl Iterator<Item = Range<usize>> {
    memmem::find_iter(text.as_bytes(), "](").filter_map(|at| destination(text, at + 2))
}

/// Returns the destination that begins there, without the title. It ends before the next bracket, so that
/// no text is read twice.
fn destination(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = text.get(start..)?;
    let end = rest.find(['(', ')', '[', ']', '<', '>', '"', '\n'])?;
    let url = rest[..end].trim_end_matches(' ');
    let is_whole = matches!(rest.as_bytes()[end], b')' | b'"');
    (is_whole && url.trim_start_matches(' ').len() == url.len() && url.contains(' ') && is_destination(url))
        .then(|| start..start + url.len())
}

/// Returns whether a text with spaces is rather a destination than a remark: it has a scheme and "//",
/// begins like a path, or ends like the name of a file.
fn is_destination(url: &str) -> bool {
    let is_name = |text: &str| !text.is_empty() && text.bytes().all(|octet| octet.is_ascii_alphanumeric());
    let has_scheme = url.split_once("://").is_some_and(|(scheme, _)| is_name(scheme));
    let path = url.split(['#', '?']).next().unwrap_or_default();
    let has_extension = path.rsplit_once('.').is_some_and(|(name, extension)| {
        !name.ends_with(' ') && (2..=5).contains(&extension.len()) && is_name(extension)
    });
    has_scheme || ["/", "./", "../"].iter().any(|start| url.starts_with(start)) || has_extension
}

#[cfg(test)]
mod tests {
    use super::find_in;

    #[test]
    fn a_destination_is_not_a_remark() {
        for (text, stated) in [
            ("[a](http://h/a b)", &["http://h/a b"][..]),
            ("[a](my file.md) [b](./a b#c) [c](/a b?q)", &["my file.md", "./a b#c", "/a b?q"]),
            ("[a](a b.png \"title\") ![](c d.png)", &["a b.png", "c d.png"]),
            ("[a](see there) [b](p. 5) [c](e. g. this) [d]( a b.md)", &[]),
            ("[a](a.md) [b](<a b.md>) [c](a b.md", &[]),
            ("](](](](", &[]),
        ] {
            let found: Vec<_> = find_in(text).map(|span| &text[span]).collect();
            assert_eq!(found, stated, "{text}");
        }
    }
}
