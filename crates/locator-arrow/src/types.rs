//! The Arrow types of results.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields};
use locator_functions::ResultType;

/// The layout of a column of texts, which its results have as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Utf8,
    LargeUtf8,
    Utf8View,
}

impl Family {
    /// Returns the family of a type; `None` if it is not one of texts.
    pub(crate) fn of(data_type: &DataType) -> Option<Self> {
        let plain = match data_type {
            DataType::Dictionary(_, values) => values.as_ref(),
            other => other,
        };
        match plain {
            DataType::Utf8 | DataType::Binary | DataType::Null => Some(Self::Utf8),
            DataType::LargeUtf8 | DataType::LargeBinary => Some(Self::LargeUtf8),
            DataType::Utf8View | DataType::BinaryView => Some(Self::Utf8View),
            _ => None,
        }
    }

    pub(crate) const fn data_type(self) -> DataType {
        match self {
            Self::Utf8 => DataType::Utf8,
            Self::LargeUtf8 => DataType::LargeUtf8,
            Self::Utf8View => DataType::Utf8View,
        }
    }
}

/// Returns the type of a result whose texts are of a family; `None` if this crate does not know it.
pub(crate) fn type_of(result: ResultType, family: Family) -> Option<DataType> {
    Some(match result {
        ResultType::Text => family.data_type(),
        ResultType::Int => DataType::Int32,
        ResultType::Bool => DataType::Boolean,
        ResultType::Hash => DataType::FixedSizeBinary(16),
        ResultType::Texts => DataType::List(item(family.data_type())),
        ResultType::Record(fields) => DataType::Struct(fields_of(fields, family)),
        ResultType::Records(fields) => DataType::List(item(DataType::Struct(fields_of(fields, family)))),
        _ => return None,
    })
}

/// Returns the field of the items of a list.
pub(crate) fn item(data_type: DataType) -> Arc<Field> {
    Arc::new(Field::new_list_field(data_type, true))
}

/// Returns the fields of a record.
pub(crate) fn fields_of(fields: &[locator_functions::Field], family: Family) -> Fields {
    let data_type = |is_int| if is_int { DataType::Int32 } else { family.data_type() };
    fields.iter().map(|field| Field::new(field.name, data_type(field.is_int), true)).collect()
}
