//! Names of reStructuredText: ids of elements, the text of a title, and references without escapes. Follows the
//! specification of docutils, "Reference Names" and "Identifier Keys", and its `nodes.make_id`.
//!
//! ```text
//! assert_eq!(make_id("Snake_case & code() — it's 1.2"), "snake-case-code-it-s-1-2");
//! ```

use crate::heading_ids::HeadingIds;

/// Returns the id of a name; it is empty if the name has no letter of ASCII.
pub(crate) fn make_id(name: &str) -> String {
    HeadingIds::Docutils.id_of(name)
}

/// Returns a name without escapes, with one space for any white space.
pub(crate) fn unescaped(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    for (number, word) in name.split_whitespace().enumerate() {
        if number > 0 {
            plain.push(' ');
        }
        push_unescaped(&mut plain, word);
    }
    plain
}

/// Returns a URI, from which white space is removed, unless it is escaped ("Hyperlink Targets").
pub(super) fn uri(written: &str) -> String {
    let mut uri = String::with_capacity(written.len());
    let mut characters = written.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => uri.extend(characters.next()),
            _ if character.is_whitespace() => {}
            _ => uri.push(character),
        }
    }
    uri
}

fn push_unescaped(plain: &mut String, word: &str) {
    let mut characters = word.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => plain.extend(characters.next()),
            _ => plain.push(character),
        }
    }
}

/// Returns the text of a title as it is shown, of which its id is made.
pub(crate) fn visible(title: &str) -> String {
    let mut text = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(at) = rest.find(['`', '\\', '*', '|', '_']) {
        let (before, marked) = rest.split_at(at);
        text.push_str(before);
        rest = if let Some(literal) = marked.strip_prefix("``") {
            let end = literal.find("``").unwrap_or(literal.len());
            text.push_str(&literal[..end]);
            literal.get(end + 2..).unwrap_or_default()
        } else if let Some(inner) = marked.strip_prefix('`') {
            // A role is before its text: `:mod:`.
            if let Some(start) = role_before(&text) {
                text.truncate(start);
            }
            let end = inner.find('`').unwrap_or(inner.len());
            text.push_str(without_target(&inner[..end]));
            inner.get(end + 1..).unwrap_or_default().trim_start_matches('_')
        } else if let Some(escaped) = marked.strip_prefix('\\') {
            let mut characters = escaped.chars();
            text.extend(characters.next().filter(|one| !one.is_whitespace()));
            characters.as_str()
        } else if let Some(after) = marked.strip_prefix('_') {
            // A reference: `name_`.
            let is_end = after.is_empty() || after.starts_with([' ', ',', '.', ')', ':', ';']);
            let is_reference = is_end && text.ends_with(char::is_alphanumeric);
            text.extend((!is_reference).then_some('_'));
            after
        } else {
            let (mark, after) = marked.split_at(1);
            // `*emphasis*`, `**strong**` and `|substitution|` have no space inside of the mark; others are text.
            let opens = !after.starts_with(char::is_whitespace) && after.contains(mark);
            let closes = text.ends_with(|last: char| !last.is_whitespace());
            text.push_str(if mark != "|" && (opens || closes) { "" } else { mark });
            after
        };
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns where a role begins at the end of a text: `:mod:`.
fn role_before(text: &str) -> Option<usize> {
    let inner = text.strip_suffix(':')?;
    let is_name = |one: char| one.is_ascii_alphanumeric() || matches!(one, '_' | '.' | '+' | ':' | '-');
    let name = inner.trim_end_matches(is_name);
    inner[name.len()..].starts_with(':').then_some(name.len())
}

/// Returns the text of `text <target>`, or all of it.
fn without_target(content: &str) -> &str {
    match content.strip_suffix('>').and_then(|inner| inner.rfind('<')) {
        Some(at) if at > 0 => content[..at].trim_end(),
        _ => content.trim_start_matches(['~', '!']),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids() {
        for (name, id) in [
            ("Set up", "set-up"),
            ("Snake_case & code() — it's 1.2", "snake-case-code-it-s-1-2"),
            ("Überschrift Ä", "uberschrift-a"),
            ("1. First 2", "first-2"),
            ("中文标题", ""),
            ("straße", "strasze"),
            ("a--b-", "a-b"),
        ] {
            assert_eq!(make_id(name), id, "{name}");
        }
    }

    #[test]
    fn titles_are_read_without_markup() {
        for (title, text) in [
            ("Snake_case & ``code()`` — it's 1.2", "Snake_case & code() — it's 1.2"),
            (":mod:`os.path` --- paths", "os.path --- paths"),
            ("The `guide <x.html>`_ and *all* of **it**", "The guide and all of it"),
            (r"C\ ++ and a\*b", "C++ and a*b"),
            ("See guide_, x", "See guide, x"),
            ("2 * 3 * 4", "2 * 3 * 4"),
            (":ref:`text <label>`", "text"),
        ] {
            assert_eq!(visible(title), text, "{title}");
        }
    }

    #[test]
    fn names_and_uris_without_escapes() {
        assert_eq!(unescaped("a\\:  b\n c"), "a: b c");
        assert_eq!(uri("http://h/a\n   b\\_c"), "http://h/ab_c");
    }
}
