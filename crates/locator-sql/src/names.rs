//! Names that are similar to one that does not exist.

use locator::edit_distance;

/// Returns the known name that is most similar to another, if it differs by a few letters.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let most = (name.chars().count() / 3).clamp(1, 3);
    let name = name.to_lowercase();
    let near = known.filter_map(|known| Some((edit_distance(&name, &known.to_lowercase(), most)?, known)));
    near.min().map(|(_, known)| known)
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
    }

    #[test]
    fn names_in_sql() {
        assert_eq!(
            ["url", "URL", "a b", "1a", "a\"b", ""].map(quoted),
            ["url", "\"URL\"", "\"a b\"", "\"1a\"", "\"a\"\"b\"", "\"\""]
        );
    }
}
