//! The names of elements of HTML in Markdown: `<h3 name="usage">`. In a page of HTML only those of `a` are
//! anchors; a script of GitHub finds those of all elements. The rules are not documented; they are inferred
//! from GitHub's pages.

use std::ops::Range;

use memchr::{memchr_iter, memmem};

/// Returns the places of the names in tags, without those of `a`, which are anchors in every page.
pub(super) fn find_in(html: &str) -> impl Iterator<Item = Range<usize>> {
    memchr_iter(b'<', html.as_bytes()).filter_map(|open| {
        let tag = &html[open + 1..];
        let tag = &tag[..tag.find(['<', '>'])?];
        let name = name_in(tag)?;
        Some(open + 1 + name.start..open + 1 + name.end)
    })
}

/// Returns the place of the value of `name` in a tag of another element than `a`.
fn name_in(tag: &str) -> Option<Range<usize>> {
    let element = tag.split(|one: char| one.is_ascii_whitespace()).next()?;
    let is_element = element.starts_with(|first: char| first.is_ascii_alphabetic());
    if !is_element || element.eq_ignore_ascii_case("a") {
        return None;
    }
    let is_attribute = |at: &usize| tag[..*at].ends_with(|last: char| last.is_ascii_whitespace());
    let at = memmem::find_iter(tag.as_bytes(), NAME).find(is_attribute)? + NAME.len();
    let value = &tag[at..];
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''));
    let start = at + usize::from(quote.is_some());
    let value = &tag[start..];
    let length = match quote {
        Some(quote) => value.find(quote)?,
        None => value.find(|one: char| one.is_ascii_whitespace()).unwrap_or(value.len()),
    };
    (length > 0).then_some(start..start + length)
}

const NAME: &[u8] = b"name=";

#[cfg(test)]
mod tests {
    use super::find_in;

    #[test]
    fn names_in_tags() {
        for (html, expected) in [
            (r#"<h3 name="usage">"#, &["usage"][..]),
            ("<h3 class=x name='a b'><p\nname=c>", &["a b", "c"]),
            (r#"<a name="x"><h3>name="y" <b data-name="z"> name="#, &[]),
            (r#"<h3 name=""> <h3 name="open"#, &[]),
            ("< h3 name=x>", &[]),
        ] {
            let found: Vec<_> = find_in(html).map(|place| &html[place]).collect();
            assert_eq!(found, expected, "{html}");
        }
    }
}
