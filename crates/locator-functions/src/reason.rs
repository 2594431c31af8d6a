//! Why a text is not a valid reference.

use std::borrow::Cow;

use locator::{ParseError, UriRef};

use crate::function::{Field, Row, Value};

/// The fields of `uri_error_info`.
pub(crate) const FIELDS: &[Field] = &[
    Field { name: "offset", is_int: true },
    Field { name: "length", is_int: true },
    Field { name: "part", is_int: false },
    Field { name: "rule", is_int: false },
    Field { name: "found", is_int: false },
    Field { name: "message", is_int: false },
    Field { name: "see", is_int: false },
];

/// Returns the error of a row.
pub(crate) fn error_of(row: &Row<'_>) -> Option<ParseError> {
    if row.reference().is_some() {
        return None;
    }
    UriRef::parse_bytes_with(row.bytes(), row.edition()).err()
}

/// Appends the fields of the error of a row.
pub(crate) fn info<'a>(row: &Row<'a>, values: &mut Vec<Value<'a>>) -> Option<()> {
    let error = error_of(row)?;
    let int = |number: usize| i32::try_from(number).map_or(Value::Null, Value::Int);
    let text = |text: String| Value::Text(Cow::Owned(text));
    let span = error.span();
    values.extend([
        int(span.start),
        int(span.len()),
        Value::Text(Cow::Borrowed(error.component().name())),
        Value::Text(Cow::Borrowed(error.rule().name)),
        text(error.found().to_string()),
        text(error.message().to_string()),
        text(error.citation().to_string()),
    ]);
    Some(())
}
