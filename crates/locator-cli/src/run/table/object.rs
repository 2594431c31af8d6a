//! Rows of NDJSON: where the values of a JSON object are, so that one can be replaced and all other
//! bytes stay.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Appends the keys of an object, each with the range of its value.
///
/// # Errors
///
/// Returns why a line is not a JSON object.
pub(super) fn members<'a>(
    line: &'a str,
    members: &mut Vec<(Cow<'a, str>, Range<usize>)>,
) -> Result<(), String> {
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let found = deserializer.deserialize_map(Members).and_then(|found| deserializer.end().map(|()| found));
    let found = found.map_err(|error| why(&error))?;
    let start = line.as_ptr() as usize;
    members.extend(found.into_iter().map(|(key, value)| {
        let at = value.get().as_ptr() as usize - start;
        (key, at..at + value.get().len())
    }));
    Ok(())
}

/// Returns the range of the value that a path names in an object: names with a dot between them, or a
/// JSON pointer (RFC 6901); `None` if there is none.
///
/// # Errors
///
/// Returns the name of a key on the path that an object has more than once.
pub(super) fn nested(object: &str, path: &str) -> Result<Option<Range<usize>>, String> {
    let names: Vec<Cow<'_, str>> = match path.strip_prefix('/') {
        Some(pointer) => pointer.split('/').map(unescaped).collect(),
        None if path.contains('.') => path.split('.').map(Cow::Borrowed).collect(),
        None => return Ok(None),
    };
    let mut at = 0..object.len();
    for name in &names {
        let text = &object[at.clone()];
        let (mut found, mut count) = (None, 0);
        let mut keep = |range: Range<usize>| {
            found = Some(at.start + range.start..at.start + range.end);
            count += 1;
        };
        match text.as_bytes().first() {
            Some(b'[') => {
                let place = name.parse().ok();
                let item = place.and_then(|place: usize| items(text).into_iter().nth(place));
                item.into_iter().for_each(&mut keep);
            }
            _ => {
                let mut pairs = Vec::new();
                // What is no object has no keys.
                let _ = members(text, &mut pairs);
                pairs.into_iter().filter(|(key, _)| key == name).for_each(|(_, range)| keep(range));
            }
        }
        match found {
            Some(_) if count > 1 => return Err(name.clone().into_owned()),
            Some(range) => at = range,
            None => return Ok(None),
        }
    }
    Ok(Some(at))
}

/// "first transforming any occurrence of the sequence '~1' to '/', and then transforming any occurrence
/// of the sequence '~0' to '~'" (RFC 6901, 4)
fn unescaped(name: &str) -> Cow<'_, str> {
    if name.contains('~') {
        Cow::Owned(name.replace("~1", "/").replace("~0", "~"))
    } else {
        Cow::Borrowed(name)
    }
}

/// Returns the ranges of the items of a list.
fn items(list: &str) -> Vec<Range<usize>> {
    let start = list.as_ptr() as usize;
    let items: Vec<&RawValue> = serde_json::from_str(list).unwrap_or_default();
    let range = |item: &RawValue| {
        let at = item.get().as_ptr() as usize - start;
        at..at + item.get().len()
    };
    items.into_iter().map(range).collect()
}

/// Returns the message without its place, which is that of a text of one line.
fn why(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.split_once(" at line ").map_or(message.as_str(), |(message, _)| message).to_owned()
}

struct Members;

impl<'a> Visitor<'a> for Members {
    type Value = Vec<(Cow<'a, str>, &'a RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'a>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut members = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, &RawValue>()? {
            members.push((Cow::Owned(key), value));
        }
        Ok(members)
    }
}

/// Appends a text as a JSON string.
pub(super) fn write_text(text: &str, row: &mut Vec<u8>) {
    // A text can always be written to memory.
    let _ = serde_json::to_writer(row, text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_ranges() {
        let line = r#" {"a": 1.10, "b\n":"x\"y" ,"c":{"a":[]}} "#;
        let mut found = Vec::new();
        assert_eq!(members(line, &mut found), Ok(()));
        let found: Vec<_> = found.iter().map(|(key, range)| (&**key, &line[range.clone()])).collect();
        assert_eq!(found, [("a", "1.10"), ("b\n", "\"x\\\"y\""), ("c", "{\"a\":[]}")]);
        for line in ["", "[]", "1", "{", "{} {}", "{\"a\"}"] {
            assert!(members(line, &mut Vec::new()).is_err(), "{line}");
        }
    }

    #[test]
    fn a_path_names_a_value() {
        let line = r#"{"a":{"b":[1,{"c/d":"x"}],"e~":2,"a":{},"a":{}}, "n":null}"#;
        for (path, found) in [
            ("a.b", Ok(Some(r#"[1,{"c/d":"x"}]"#))),
            ("a.b.0", Ok(Some("1"))),
            ("/a/b/1/c~1d", Ok(Some("\"x\""))),
            ("/a/e~0", Ok(Some("2"))),
            ("/n", Ok(Some("null"))),
            ("a", Ok(None)),
            ("a.c", Ok(None)),
            ("a.b.2", Ok(None)),
            ("n.a", Ok(None)),
            ("a.a", Err("a".to_owned())),
        ] {
            let range = nested(line, path);
            assert_eq!(range.map(|range| range.map(|range| &line[range])), found, "{path}");
        }
    }
}
