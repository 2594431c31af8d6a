//! Names that are similar to one that does not exist.

/// Returns the known name that is most similar to another, if it differs by a few letters.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let most = (name.chars().count() / 3).clamp(1, 3);
    let distances = known.map(|known| (distance(&name.to_lowercase(), &known.to_lowercase()), known));
    distances.filter(|(distance, _)| *distance <= most).min().map(|(_, known)| known)
}

/// Returns how many letters must be inserted, removed or replaced, or swapped with the next one.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<_>, Vec<_>) = (one.chars().collect(), other.chars().collect());
    // Long names are not typed; the time is the product of the lengths.
    if one.len().max(other.len()) > 256 {
        return usize::MAX;
    }
    let mut before = vec![0; other.len() + 1];
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for row in 1..=one.len() {
        let mut next = vec![row; other.len() + 1];
        for column in 1..=other.len() {
            let is_same = one[row - 1] == other[column - 1];
            let replaced = last[column - 1] + usize::from(!is_same);
            next[column] = replaced.min(last[column] + 1).min(next[column - 1] + 1);
            let is_swapped = row > 1
                && column > 1
                && one[row - 1] == other[column - 2]
                && one[row - 2] == other[column - 1];
            if is_swapped {
                next[column] = next[column].min(before[column - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, next);
    }
    last[other.len()]
}

/// Returns a name as SQL needs it: in double quotes unless it is in lower case.
pub(crate) fn quoted(name: &str) -> String {
    let is_plain =
        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    match is_plain && !name.is_empty() && !name.as_bytes()[0].is_ascii_digit() {
        true => name.to_owned(),
        false => format!("\"{}\"", name.replace('"', "\"\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names() {
        let known = || ["uri_host", "uri_path", "upper"].into_iter();
        assert_eq!(nearest("uri_hots", known()), Some("uri_host"));
        assert_eq!(nearest("URI_HOSTS", known()), Some("uri_host"));
        assert_eq!(nearest("md5", known()), None);
        assert_eq!((distance("ab", "ba"), distance("", "abc"), distance("kitten", "sitting")), (1, 3, 3));
    }

    #[test]
    fn names_in_sql() {
        assert_eq!(
            ["url", "URL", "a b", "1a", "a\"b", ""].map(quoted),
            ["url", "\"URL\"", "\"a b\"", "\"1a\"", "\"a\"\"b\"", "\"\""]
        );
    }
}
