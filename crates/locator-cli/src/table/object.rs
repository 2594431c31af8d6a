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
}
