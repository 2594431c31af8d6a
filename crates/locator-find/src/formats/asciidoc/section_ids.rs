//! The ids of sections, as Asciidoctor makes them (`Section.generate_id`): of the title after its formatting, quotes and
//! replacements, of which letters, digits, "_", "-", "." and spaces are kept.
//!
//! ```text
//! assert_eq!(id_of("Snake_case & code() -- it's 1.2"), "_snake_case_codeits_1_2");
//! ```

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::attributes::Attributes;
use crate::formats::lightweight::UsedIds;

/// A title without markup.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ShownTitle {
    /// Its text as it is shown.
    pub(super) text: String,
    /// The same without what replacements make: they are entities, which an id does not have.
    kept: String,
}

/// Returns a title as it is shown: with the texts of macros, without marks.
pub(super) fn shown(written: &str) -> ShownTitle {
    let plain = without_marks(&without_macros(written));
    let kept = without_replaced(&plain);
    ShownTitle { text: plain.split_whitespace().collect::<Vec<_>>().join(" "), kept }
}

/// Replaces macros by their texts, and drops anchors and images.
fn without_macros(written: &str) -> String {
    let mut text = String::with_capacity(written.len());
    let mut rest = written;
    while let Some(open) = rest.find('[') {
        let (before, bracket) = rest.split_at(open);
        let close = bracket.find(']');
        let Some(close) = close else { break };
        let inside = &bracket[1..close];
        rest = &bracket[close + 1..];
        if inside.starts_with('[') {
            text.push_str(before);
            rest = rest.strip_prefix(']').unwrap_or(rest);
            continue;
        }
        let word = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let target = &before[word..];
        if target.contains(':') {
            text.push_str(&before[..word]);
            if !target.starts_with("image:") && !target.starts_with("icon:") && !target.starts_with("anchor:")
            {
                text.push_str(inside.split([',', '^']).next().unwrap_or_default());
            }
        } else if rest.starts_with('#') {
            // A role of a text: `[.role]#text#`.
            text.push_str(before);
        } else {
            text.push_str(before);
            text.push_str(&bracket[..=close]);
        }
    }
    text.push_str(rest);
    text
}

/// Drops the marks of formatting.
fn without_marks(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut plain = String::with_capacity(text.len());
    let mut in_code = false;
    for (at, character) in characters.iter().copied().enumerate() {
        let before = at.checked_sub(1).and_then(|at| characters.get(at)).copied();
        let after = characters.get(at + 1).copied();
        let is_word = |one: Option<char>| one.is_some_and(char::is_alphanumeric);
        match character {
            '`' => in_code = !in_code,
            '*' | '#' => {}
            // Emphasis begins and ends at a word, or is doubled.
            '_' if !in_code && (before == Some('_') || after == Some('_')) => {}
            '_' if !in_code && is_word(before) != is_word(after) => {}
            _ => plain.push(character),
        }
    }
    plain
}

/// Drops what is replaced by entities: dashes, ellipses, arrows, signs.
fn without_replaced(text: &str) -> String {
    let mut kept = text.to_owned();
    for (from, to) in [
        (" -- ", ""),
        ("...", ""),
        ("(C)", ""),
        ("(R)", ""),
        ("(TM)", ""),
        ("->", ""),
        ("=>", ""),
        ("<-", ""),
        ("<=", ""),
    ] {
        if kept.contains(from) {
            kept = kept.replace(from, to);
        }
    }
    // "--" between words.
    let mut text = String::with_capacity(kept.len());
    let mut rest = &*kept;
    while let Some(at) = rest.find("--") {
        let (before, dashes) = rest.split_at(at);
        let after = &dashes[2..];
        let is_word = |one: char| one.is_alphanumeric() || one == '_';
        text.push_str(before);
        text.push_str(if before.ends_with(is_word) && after.starts_with(is_word) { "" } else { "--" });
        rest = after;
    }
    text.push_str(rest);
    text
}

/// Returns the id of a title that is not used yet, and notes it.
pub(super) fn unique_id(title: &ShownTitle, attributes: &Attributes, ids: &mut UsedIds) -> String {
    let prefix = attributes.get("idprefix").flatten().unwrap_or("_");
    let separator = match attributes.get("idseparator").flatten() {
        None => Some('_'),
        Some(separator) => separator.chars().next(),
    };
    let id = made_of(&title.kept, prefix, separator);
    let mut unique = id.clone();
    let mut number = 2;
    while !ids.add(&unique) && number < MOST_TRIED {
        unique = format!("{id}{}{number}", separator.map_or(String::new(), String::from));
        number += 1;
    }
    unique
}

/// How many numbers are tried for an id.
const MOST_TRIED: usize = 1000;

fn made_of(title: &str, prefix: &str, separator: Option<char>) -> String {
    let lower = title.to_lowercase();
    let is_mark = |one: char| one.general_category_group() == GeneralCategoryGroup::Mark;
    let is_kept = |one: &char| one.is_alphanumeric() || is_mark(*one) || matches!(one, '_' | '-' | '.' | ' ');
    let kept = without_entities(&lower);
    let kept = kept.chars().filter(is_kept);
    let Some(separator) = separator else {
        return format!("{prefix}{}", kept.filter(|one| *one != ' ').collect::<String>());
    };
    let mut id = prefix.to_owned();
    let is_separator = |one: char| matches!(one, ' ' | '-' | '.') || one == separator;
    for character in kept {
        match is_separator(character) {
            true if id.ends_with(separator) => {}
            true => id.push(separator),
            false => id.push(character),
        }
    }
    if id.ends_with(separator) {
        id.pop();
    }
    match prefix.is_empty() {
        true => id.strip_prefix(separator).unwrap_or(&id).to_owned(),
        false => id,
    }
}

/// Drops character references: `&nbsp;`.
fn without_entities(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, entity) = rest.split_at(at);
        kept.push_str(before);
        let name =
            entity.bytes().skip(1).take_while(|one| one.is_ascii_alphanumeric() || *one == b'#').count();
        let length = if name > 0 && entity.as_bytes().get(name + 1) == Some(&b';') { name + 2 } else { 1 };
        rest = &entity[length..];
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(titles: &[&str], attributes: &Attributes) -> Vec<String> {
        let mut ids = UsedIds::default();
        titles.iter().map(|title| unique_id(&shown(title), attributes, &mut ids)).collect()
    }

    #[test]
    fn ids_are_those_of_asciidoctor() {
        let titles = [
            "Set up",
            "Duplicate",
            "Duplicate",
            "Überschrift Ä",
            "Snake_case & `code()` -- it's 1.2",
            "中文标题",
            "1. First",
            "Überschrift Ä & `x.y`",
            "See link:a.html[the _guide_] of *it*",
            "[[x]]Anchor...",
        ];
        let expected = [
            "_set_up",
            "_duplicate",
            "_duplicate_2",
            "_überschrift_ä",
            "_snake_case_codeits_1_2",
            "_中文标题",
            "_1_first",
            "_überschrift_ä_x_y",
            "_see_the_guide_of_it",
            "_anchor",
        ];
        assert_eq!(ids(&titles, &Attributes::default()), expected);
        let mut attributes = Attributes::default();
        attributes.set("idprefix", Some(""));
        attributes.set("idseparator", Some("-"));
        assert_eq!(
            ids(&["Set up", "A b", "A_b c-d", "A b"], &attributes),
            ["set-up", "a-b", "a_b-c-d", "a-b-2"]
        );
        assert_eq!(shown("The *bold* xref:a.adoc[one]").text, "The bold one");
    }
}
