//! Builds the arrays of results, row by row. What is too long for the type is an error, not a panic.

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, LargeStringBuilder, StringBuilder, StringViewBuilder};
use arrow_array::{Array, ArrayRef, ListArray, StructArray};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::DataType;
use locator_functions::{Field, Value};

use crate::error::KernelError;
use crate::types::{Family, fields_of, item};

/// Builds an array of texts of any family.
pub(crate) enum TextBuilder {
    Utf8(StringBuilder),
    LargeUtf8(LargeStringBuilder),
    Utf8View(StringViewBuilder),
}

impl TextBuilder {
    /// Creates a builder with capacity for so many rows of so many bytes together.
    pub(crate) fn new(family: Family, rows: usize, bytes: usize) -> Self {
        match family {
            Family::Utf8 => Self::Utf8(StringBuilder::with_capacity(rows, bytes)),
            Family::LargeUtf8 => Self::LargeUtf8(LargeStringBuilder::with_capacity(rows, bytes)),
            Family::Utf8View => Self::Utf8View(StringViewBuilder::with_capacity(rows)),
        }
    }

    /// Appends a text or NULL.
    #[inline]
    pub(crate) fn push(&mut self, text: Option<&str>) -> Result<(), KernelError> {
        match self {
            Self::Utf8(builder) => {
                if let Some(text) = text
                    && builder.values_slice().len() + text.len() > i32::MAX as usize
                {
                    return Err(KernelError::TooLong { data_type: DataType::Utf8 });
                }
                builder.append_option(text);
            }
            Self::LargeUtf8(builder) => builder.append_option(text),
            Self::Utf8View(builder) => match text {
                // A view has 32 bits for the length, and readers in Java take them as signed.
                Some(text) if text.len() > i32::MAX as usize => {
                    return Err(KernelError::TooLong { data_type: DataType::Utf8View });
                }
                Some(text) => builder.append_value(text),
                None => builder.append_null(),
            },
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> ArrayRef {
        match &mut self {
            Self::Utf8(builder) => Arc::new(builder.finish()),
            Self::LargeUtf8(builder) => Arc::new(builder.finish()),
            Self::Utf8View(builder) => Arc::new(builder.finish()),
        }
    }
}

/// Builds arrays of lists from the numbers of their items.
pub(crate) struct ListBuilder {
    offsets: Vec<i32>,
    nulls: NullBufferBuilder,
}

impl ListBuilder {
    pub(crate) fn new(rows: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        Self { offsets, nulls: NullBufferBuilder::new(rows) }
    }

    /// Appends a list with so many items, or NULL.
    pub(crate) fn push(&mut self, items: Option<usize>) -> Result<(), KernelError> {
        let last = self.offsets.last().copied().unwrap_or_default();
        let next = i32::try_from(items.unwrap_or(0)).ok().and_then(|items| last.checked_add(items));
        let too_long = || KernelError::TooLong { data_type: DataType::List(item(DataType::Null)) };
        self.offsets.push(next.ok_or_else(too_long)?);
        self.nulls.append(items.is_some());
        Ok(())
    }

    pub(crate) fn finish(mut self, items: ArrayRef) -> ArrayRef {
        let offsets = OffsetBuffer::new(ScalarBuffer::from(self.offsets));
        let field = item(items.data_type().clone());
        Arc::new(ListArray::new(field, offsets, items, self.nulls.finish()))
    }
}

/// Builds arrays of records.
pub(crate) struct RecordBuilder {
    fields: &'static [Field],
    family: Family,
    columns: Vec<FieldBuilder>,
    nulls: NullBufferBuilder,
}

enum FieldBuilder {
    Text(TextBuilder),
    Int(Int32Builder),
}

impl RecordBuilder {
    pub(crate) fn new(fields: &'static [Field], family: Family, rows: usize) -> Self {
        let builder = |field: &Field| match field.is_int {
            true => FieldBuilder::Int(Int32Builder::with_capacity(rows)),
            false => FieldBuilder::Text(TextBuilder::new(family, rows, 0)),
        };
        let columns = fields.iter().map(builder).collect();
        Self { fields, family, columns, nulls: NullBufferBuilder::new(rows) }
    }

    /// Appends a record, or NULL. A field without a value is NULL.
    pub(crate) fn push(&mut self, values: Option<&[Value<'_>]>) -> Result<(), KernelError> {
        for (place, column) in self.columns.iter_mut().enumerate() {
            match (column, values.and_then(|values| values.get(place))) {
                (FieldBuilder::Text(builder), Some(Value::Text(text))) => builder.push(Some(text))?,
                (FieldBuilder::Text(builder), _) => builder.push(None)?,
                (FieldBuilder::Int(builder), Some(Value::Int(int))) => builder.append_value(*int),
                (FieldBuilder::Int(builder), _) => builder.append_null(),
            }
        }
        self.nulls.append(values.is_some());
        Ok(())
    }

    pub(crate) fn finish(mut self) -> ArrayRef {
        let rows = self.nulls.len();
        let arrays = self.columns.into_iter().map(|column| match column {
            FieldBuilder::Text(builder) => builder.finish(),
            FieldBuilder::Int(mut builder) => Arc::new(builder.finish()),
        });
        let (fields, arrays) = (fields_of(self.fields, self.family), arrays.collect());
        // The columns have as many rows as the validity, and the types of the fields.
        let nulls = self.nulls.finish();
        debug_assert!(nulls.as_ref().is_none_or(|nulls| nulls.len() == rows));
        Arc::new(StructArray::new(fields, arrays, nulls))
    }
}
