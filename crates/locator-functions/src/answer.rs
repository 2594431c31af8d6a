//! The result of a function for a row, whatever its type: as JSON and as the text of a cell.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write};

use crate::function::{ArgumentValue, Call, Field, Function, Row, Value};

/// The result of a function for a row, as [`Function::answer`] returns it.
///
/// ```
/// use locator::edition::RFC3986;
/// use locator_functions::{Answer, Row, function};
///
/// let row = Row::new("http://h:80/a", &RFC3986);
/// let port = function("uri_port").unwrap().answer(&row, &[]);
/// assert_eq!(port, Answer::Int(80));
/// let query = function("uri_query").unwrap().answer(&row, &[]);
/// assert_eq!(
///     (query.json().to_string(), query.cell().to_string()),
///     ("null".to_owned(), String::new())
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer<'a> {
    /// No value.
    Null,
    /// A text.
    Text(Cow<'a, str>),
    /// An integer.
    Int(i64),
    /// True or false.
    Bool(bool),
    /// A hash.
    Hash([u8; 16]),
    /// A list of texts.
    Texts(Vec<Value<'a>>),
    /// The values of a record, one for each of its fields.
    Record(&'static [Field], Vec<Value<'a>>),
    /// The values of a list of records, one record after the other.
    Records(&'static [Field], Vec<Value<'a>>),
}

impl Function {
    /// Returns the result for a row, with the arguments that [`arguments`](Self::arguments) returns.
    ///
    /// The result of an aggregate is that of a table with only this row. Where the type of the result
    /// is known, the function in [`call`](Self::call) is faster.
    #[must_use]
    pub fn answer<'a>(&self, row: &Row<'a>, arguments: &[ArgumentValue<'_>]) -> Answer<'a> {
        let answer = match self.call() {
            Call::Slice(call) => call(row, arguments).map(|text| Answer::Text(Cow::Borrowed(text))),
            Call::Text(call) => call(row, arguments).map(Answer::Text),
            Call::Int(call) => call(row, arguments).map(|int| Answer::Int(int.into())),
            Call::Bool(call) => call(row, arguments).map(Answer::Bool),
            Call::Hash(call) => call(row, arguments).map(Answer::Hash),
            Call::Texts(call) => filled(|values| call(row, arguments, values)).map(Answer::Texts),
            Call::Record(fields, call) => {
                filled(|values| call(row, arguments, values)).map(|values| Answer::Record(fields, values))
            }
            Call::Records(fields, call) => {
                filled(|values| call(row, arguments, values)).map(|values| Answer::Records(fields, values))
            }
            Call::Constant(call) => Some(Answer::Text(Cow::Borrowed(call()))),
            Call::Distinct => Some(Answer::Int(1)),
        };
        answer.unwrap_or(Answer::Null)
    }
}

/// Returns the values that a function appends.
fn filled<'a>(append: impl FnOnce(&mut Vec<Value<'a>>) -> Option<()>) -> Option<Vec<Value<'a>>> {
    let mut values = Vec::new();
    append(&mut values).map(|()| values)
}

impl Answer<'_> {
    /// Returns the JSON text: a hash is a string of 32 hexadecimal digits, NULL is `null`.
    #[must_use]
    pub const fn json(&self) -> impl Display {
        Json(self)
    }

    /// Returns the text of a cell, as in CSV: that of a text without quotation marks, nothing for NULL,
    /// and JSON for lists and records.
    #[must_use]
    pub const fn cell(&self) -> impl Display {
        Cell(self)
    }
}

struct Json<'a>(&'a Answer<'a>);

struct Cell<'a>(&'a Answer<'a>);

impl Display for Cell<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Answer::Null => Ok(()),
            Answer::Text(text) => f.write_str(text),
            Answer::Hash(octets) => hexadecimal(octets, f),
            answer => answer.json().fmt(f),
        }
    }
}

impl Display for Json<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Answer::Null => f.write_str("null"),
            Answer::Text(text) => string(text, f),
            Answer::Int(int) => int.fmt(f),
            Answer::Bool(bool) => bool.fmt(f),
            Answer::Hash(octets) => {
                f.write_char('"')?;
                hexadecimal(octets, f)?;
                f.write_char('"')
            }
            Answer::Texts(values) => list(values.iter(), value, f),
            Answer::Record(fields, values) => record(fields, values, f),
            Answer::Records(fields, values) => {
                let records = values.chunks_exact(fields.len().max(1));
                list(records, |values, f| record(fields, values, f), f)
            }
        }
    }
}

fn list<T>(
    items: impl Iterator<Item = T>,
    write: impl Fn(T, &mut Formatter<'_>) -> fmt::Result,
    f: &mut Formatter<'_>,
) -> fmt::Result {
    f.write_char('[')?;
    for (place, item) in items.enumerate() {
        if place > 0 {
            f.write_char(',')?;
        }
        write(item, f)?;
    }
    f.write_char(']')
}

fn record(fields: &[Field], values: &[Value<'_>], f: &mut Formatter<'_>) -> fmt::Result {
    for (place, (field, item)) in fields.iter().zip(values).enumerate() {
        f.write_char(if place == 0 { '{' } else { ',' })?;
        string(field.name, f)?;
        f.write_char(':')?;
        value(item, f)?;
    }
    f.write_char('}')
}

fn value(value: &Value<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    match value {
        Value::Null => f.write_str("null"),
        Value::Text(text) => string(text, f),
        Value::Int(int) => int.fmt(f),
    }
}

/// Writes a string of JSON. "All Unicode characters may be placed within the quotation marks, except for
/// the characters that MUST be escaped: quotation mark, reverse solidus, and the control characters
/// (U+0000 through U+001F)" (RFC 8259, 7).
fn string(text: &str, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    let mut rest = text;
    while let Some(place) = rest.find(|c| c < ' ' || c == '"' || c == '\\') {
        f.write_str(&rest[..place])?;
        match rest.as_bytes()[place] {
            octet @ (b'"' | b'\\') => write!(f, "\\{}", char::from(octet))?,
            b'\n' => f.write_str("\\n")?,
            b'\r' => f.write_str("\\r")?,
            b'\t' => f.write_str("\\t")?,
            octet => write!(f, "\\u{octet:04x}")?,
        }
        rest = &rest[place + 1..];
    }
    f.write_str(rest)?;
    f.write_char('"')
}

fn hexadecimal(octets: &[u8; 16], f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, "{:032x}", u128::from_be_bytes(*octets))
}
