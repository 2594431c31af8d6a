//! Segments of the path, its file name and extension, as they are given.

use locator::UriRef;

/// Returns a segment of the path, as it is given: 1 is the first, -1 the last.
///
/// The "/" at the start of a path divides nothing, so the first segment of `/a/b` is `a`.
///
/// ```
/// let url = locator::UriRef::parse("http://h/a/b%20c/")?;
/// assert_eq!(locator_functions::path_segment(url, 2), Some("b%20c"));
/// assert_eq!(locator_functions::path_segment(url, -1), Some(""));
/// assert_eq!(locator_functions::path_segment(url, 4), None);
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn path_segment(reference: UriRef<'_>, number: i64) -> Option<&str> {
    let path = reference.path().as_str();
    if path.is_empty() {
        return None;
    }
    let path = path.strip_prefix('/').unwrap_or(path);
    let before = usize::try_from(number.unsigned_abs()).ok()?.checked_sub(1)?;
    let mut slashes = (0..path.len()).filter(|&place| path.as_bytes()[place] == b'/');
    let (start, end) = match (number > 0, before) {
        (true, 0) => (Some(0), slashes.next()),
        (true, before) => (slashes.nth(before - 1).map(|slash| slash + 1), slashes.next()),
        (false, 0) => (Some(slashes.next_back().map_or(0, |slash| slash + 1)), None),
        (false, before) => {
            let end = slashes.nth_back(before - 1)?;
            (Some(slashes.next_back().map_or(0, |slash| slash + 1)), Some(end))
        }
    };
    Some(&path[start?..end.unwrap_or(path.len())])
}

/// Returns the segments of the path, as they are given: [`path_segment`] by their numbers.
///
/// ```
/// use locator_functions::path_segments;
///
/// let url = locator::UriRef::parse("http://h/a/b%20c/")?;
/// assert_eq!(path_segments(url).collect::<Vec<_>>(), ["a", "b%20c", ""]);
/// # Ok::<_, locator::ParseError>(())
/// ```
pub fn path_segments(reference: UriRef<'_>) -> impl Iterator<Item = &str> {
    let path = Some(reference.path().as_str()).filter(|path| !path.is_empty());
    path.into_iter().flat_map(|path| path.strip_prefix('/').unwrap_or(path).split('/'))
}

/// Returns how many segments of the path have text: the depth of a page or a directory. `None` if the
/// path is opaque, as in `mailto:` and `urn:` URLs.
///
/// ```
/// use locator_functions::path_depth;
///
/// let depth = |url| path_depth(locator::UriRef::parse(url).unwrap());
/// assert_eq!(depth("http://h/a/b"), Some(2));
/// assert_eq!(depth("http://h/a/b/"), Some(2));
/// assert_eq!(depth("http://h/"), Some(0));
/// assert_eq!(depth("mailto:a@h"), None);
/// ```
#[must_use]
pub fn path_depth(reference: UriRef<'_>) -> Option<usize> {
    let path = reference.path().as_str();
    let is_opaque = reference.has_scheme() && !path.starts_with('/') && !path.is_empty();
    (!is_opaque).then(|| path_segments(reference).filter(|segment| !segment.is_empty()).count())
}

/// Returns the last segment of the path, as it is given; `None` if the path ends with "/" or with a dot
/// segment, is empty or opaque, as in `mailto:` and `urn:` URLs.
///
/// ```
/// let url = locator::UriRef::parse("http://h/a/b.tar.gz?q")?;
/// assert_eq!(locator_functions::file_name(url), Some("b.tar.gz"));
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn file_name(reference: UriRef<'_>) -> Option<&str> {
    let path = reference.path().as_str();
    let is_opaque = reference.has_scheme() && !path.starts_with('/');
    let name = if is_opaque { None } else { Some(after_last(path, b'/').unwrap_or(path)) }?;
    (!name.is_empty() && !is_dot_segment(name)).then_some(name)
}

/// Whether a segment is "." or "..", also if its dots are escaped: a normal form removes both.
fn is_dot_segment(segment: &str) -> bool {
    let dot = |text: &str| match text.as_bytes() {
        [b'.', ..] => 1,
        [b'%', b'2', b'E' | b'e', ..] => 3,
        _ => 0,
    };
    let first = dot(segment);
    let second = dot(&segment[first..]);
    first > 0 && first + second == segment.len()
}

/// Returns the extension of the file name: what follows its last ".", as it is given; `None` if the name
/// has no "." or begins with its only one.
///
/// ```
/// let url = locator::UriRef::parse("http://h/a/b.tar.gz?q")?;
/// assert_eq!(locator_functions::extension(url), Some("gz"));
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn extension(reference: UriRef<'_>) -> Option<&str> {
    let name = file_name(reference)?;
    let extension = after_last(name, b'.')?;
    (extension.len() + 1 < name.len()).then_some(extension)
}

/// Returns what follows the last of an octet of ASCII; faster for short texts than the search for a `char`.
fn after_last(text: &str, octet: u8) -> Option<&str> {
    text.bytes().rposition(|other| other == octet).map(|place| &text[place + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_those_between_slashes() {
        for path in ["/", "//h", "//h/", "a", "a/", "/a//", "/a/b/c", "http://h/a//b/", "?/a/b", ""] {
            let reference = UriRef::parse(path).expect("it is valid");
            let given = reference.path().as_str();
            let all: Vec<_> = given.strip_prefix('/').unwrap_or(given).split('/').collect();
            let all = if given.is_empty() { Vec::new() } else { all };
            assert_eq!(path_segment(reference, 0), None);
            for number in 1..6 {
                assert_eq!(path_segment(reference, number), all.get(number as usize - 1).copied(), "{path}");
                let from_end = all.iter().rev().nth(number as usize - 1).copied();
                assert_eq!(path_segment(reference, -number), from_end, "{path}");
            }
        }
    }
}
