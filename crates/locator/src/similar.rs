//! Similar names: takes a name that somebody wrote and one that exists, returns how many typing errors
//! are between them. What of it is near enough for a suggestion is for the caller to say.

use alloc::vec;
use alloc::vec::Vec;

/// Returns how many characters must be added, removed, replaced or exchanged with their neighbour to make
/// one name of another (the distance of "optimal string alignment"), or `None` if that is more than
/// `most`.
///
/// Upper and lower case are different characters. It takes time for `most` times the length of a name.
///
/// ```
/// use locator::edit_distance;
///
/// assert_eq!(edit_distance("gohper", "gopher", 2), Some(1));
/// assert_eq!(edit_distance("kitten", "sitting", 3), Some(3));
/// assert_eq!(edit_distance("kitten", "sitting", 2), None);
/// ```
#[must_use]
pub fn edit_distance(one: &str, other: &str, most: usize) -> Option<usize> {
    if one.is_ascii() && other.is_ascii() {
        return distance(one.as_bytes(), other.as_bytes(), most);
    }
    let characters = |text: &str| text.chars().collect::<Vec<_>>();
    distance(&characters(one), &characters(other), most)
}

fn distance<T: PartialEq>(one: &[T], other: &[T], most: usize) -> Option<usize> {
    if one.len().abs_diff(other.len()) > most {
        return None;
    }
    // Row i has the distances of the first i of `one` to the first j of `other`. Where i and j differ
    // by more than `most`, so does the distance.
    let far = most.saturating_add(1);
    let mut before_last = vec![far; other.len() + 1];
    let mut last: Vec<_> = (0..=other.len()).collect();
    let mut row = vec![far; other.len() + 1];
    for i in 1..=one.len() {
        let start = i.saturating_sub(most).max(1);
        let end = i.saturating_add(most).min(other.len());
        row[start - 1] = if start == 1 { i } else { far };
        for j in start..=end {
            let replaced = last[j - 1] + usize::from(one[i - 1] != other[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        if let Some(next) = row.get_mut(end + 1) {
            *next = far;
        }
        (before_last, last, row) = (last, row, before_last);
    }
    Some(last[other.len()]).filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;

    /// The distance without a limit, by its definition.
    fn naive(one: &[u8], other: &[u8]) -> usize {
        let mut cells = vec![vec![0; other.len() + 1]; one.len() + 1];
        for i in 0..=one.len() {
            for j in 0..=other.len() {
                cells[i][j] = match (i, j) {
                    (0, _) => j,
                    (_, 0) => i,
                    _ => {
                        let replaced = cells[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
                        replaced.min(cells[i - 1][j] + 1).min(cells[i][j - 1] + 1)
                    }
                };
                if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                    cells[i][j] = cells[i][j].min(cells[i - 2][j - 2] + 1);
                }
            }
        }
        cells[one.len()][other.len()]
    }

    /// All words of up to four of these letters.
    fn words(letters: &str) -> Vec<String> {
        let (mut words, mut start) = (vec![String::new()], 0);
        for _ in 0..4 {
            let longer = words[start..]
                .iter()
                .flat_map(|word| letters.chars().map(move |letter| format!("{word}{letter}")));
            let longer: Vec<_> = longer.collect();
            start = words.len();
            words.extend(longer);
        }
        words
    }

    #[test]
    fn the_limit_changes_no_distance_up_to_it() {
        let words = words("abc");
        for one in &words {
            for other in &words {
                let distance = naive(one.as_bytes(), other.as_bytes());
                for most in 0..=5 {
                    let expected = (distance <= most).then_some(distance);
                    assert_eq!(edit_distance(one, other, most), expected, "{one} {other} {most}");
                }
            }
        }
        assert_eq!(edit_distance("größe", "grösse", 9), Some(2));
        assert_eq!(edit_distance("", "abc", usize::MAX), Some(3));
        assert_eq!(edit_distance("ab", "ba", 1), Some(1));
    }
}
