//! The ids of headings. Derives the id that GitHub gives a heading from its text. The rules are not
//! documented; they are inferred from GitHub's pages.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::ops::Range;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// The maximum number of different ids that are stored.
const MOST: usize = 1 << 20;

/// The headings of a document.
#[derive(Debug, Default)]
pub(super) struct Headings {
    /// The number of earlier headings with the same id without its number. The key is a hash of the
    /// id, so that memory is bounded.
    seen: HashMap<u64, u32>,
    keys: RandomState,
    /// The open heading: its text and the span of the text.
    open: Option<(String, Option<Range<usize>>)>,
}

impl Headings {
    /// Opens a heading.
    pub(super) fn start(&mut self) {
        self.open = Some((String::new(), None));
    }

    /// Appends text if a heading is open.
    pub(super) fn take(&mut self, text: &str, span: &Range<usize>) {
        if let Some((heading, place)) = &mut self.open {
            heading.push_str(text);
            let start = place.as_ref().map_or(span.start, |place| place.start);
            *place = Some(start..span.end);
        }
    }

    /// Closes the heading; returns its id and the span of its text, or `None` if it has no text.
    pub(super) fn end(&mut self) -> Option<(String, Range<usize>)> {
        let (heading, place) = self.open.take()?;
        let id = id_of(&heading);
        let key = self.keys.hash_one(&id);
        let number = match self.seen.len() < MOST || self.seen.contains_key(&key) {
            true => {
                let seen = self.seen.entry(key).or_default();
                std::mem::replace(seen, seen.saturating_add(1))
            }
            false => 0,
        };
        Some((if number == 0 { id } else { format!("{id}-{number}") }, place?))
    }
}

/// Returns the text in lower case, without everything but letters, marks, digits, connectors, "-"
/// and spaces, and with "-" for each space.
fn id_of(heading: &str) -> String {
    let kept = heading.chars().flat_map(char::to_lowercase).filter(|character| match character {
        '-' | ' ' | '_' => true,
        _ if character.is_ascii() => character.is_ascii_alphanumeric(),
        _ => is_word(*character),
    });
    kept.map(|character| if character == ' ' { '-' } else { character }).collect()
}

fn is_word(character: char) -> bool {
    use unicode_properties::GeneralCategory::{ConnectorPunctuation, DecimalNumber};
    let (group, category) = (character.general_category_group(), character.general_category());
    matches!(group, GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark)
        || matches!(category, DecimalNumber | ConnectorPunctuation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_github() {
        for (heading, id) in [
            ("Access plans", "access-plans"),
            ("What is `uri!`, then?", "what-is-uri-then"),
            ("C++ & Rust -- a_b", "c--rust----a_b"),
            ("Über 漢字 ½", "über-漢字-"),
            ("❤\u{FE0F} it", "\u{FE0F}-it"),
        ] {
            assert_eq!(id_of(&heading.replace('`', "")), id);
        }
    }

    #[test]
    fn the_same_id_is_given_once() {
        let mut headings = Headings::default();
        let ids: Vec<_> = (0..3)
            .map(|at| {
                headings.start();
                headings.take("a", &(at..at + 1));
                headings.end()
            })
            .collect();
        let [a, b, c] = ["a", "a-1", "a-2"].map(String::from);
        assert_eq!(ids, [Some((a, 0..1)), Some((b, 1..2)), Some((c, 2..3))]);
    }
}
