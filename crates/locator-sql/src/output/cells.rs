//! The values of a column as text: numbers and dates as SQL has them, hashes in hexadecimal, lists and
//! records as JSON.

use std::fmt::Write;

use arrow::array::{Array, ArrayRef};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, FieldRef};
use arrow::error::ArrowError;
use arrow::json::writer::{EncoderOptions, NullableEncoder, make_encoder};
use arrow::util::display::{ArrayFormatter, FormatOptions};

/// A column whose values are written as text.
pub(super) enum Cells<'a> {
    /// With its NULLs, also those of the values of a dictionary.
    Plain(Option<NullBuffer>, ArrayFormatter<'a>),
    Json(NullableEncoder<'a>),
}

/// How records and lists are written.
pub(super) fn json_options() -> EncoderOptions {
    EncoderOptions::default().with_explicit_nulls(true)
}

impl<'a> Cells<'a> {
    pub(super) fn new(
        field: &'a FieldRef,
        array: &'a ArrayRef,
        options: &'a EncoderOptions,
    ) -> Result<Self, ArrowError> {
        if is_nested(array.data_type()) {
            return make_encoder(field, array, options).map(Self::Json);
        }
        let options = FormatOptions::new().with_display_error(false);
        let formatter = ArrayFormatter::try_new(array, &options)?;
        Ok(Self::Plain(array.logical_nulls(), formatter))
    }

    /// Writes the value of a row into an empty text; returns false if it is NULL.
    pub(super) fn write(&mut self, row: usize, text: &mut String) -> Result<bool, ArrowError> {
        match self {
            Self::Plain(Some(nulls), _) if nulls.is_null(row) => return Ok(false),
            Self::Plain(_, formatter) => {
                write!(text, "{}", formatter.value(row))
                    .map_err(|error| ArrowError::CastError(error.to_string()))?;
            }
            Self::Json(encoder) if encoder.is_null(row) => return Ok(false),
            Self::Json(encoder) => {
                let mut bytes = Vec::new();
                encoder.encode(row, &mut bytes);
                text.push_str(&String::from_utf8_lossy(&bytes));
            }
        }
        Ok(true)
    }
}

fn is_nested(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => is_nested(values),
        other => other.is_nested(),
    }
}

/// Returns whether the values of a type are aligned to the right.
pub(super) fn is_number(data_type: &DataType) -> bool {
    data_type.is_numeric()
}
