//! A row of an array as JSON, to compare it with [`locator_functions::Answer::json`].

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_schema::DataType;

/// Returns the JSON of all rows.
pub(crate) fn column(array: &dyn Array) -> Vec<String> {
    (0..array.len()).map(|row| json(array, row)).collect()
}

/// Returns the JSON of a row.
pub(crate) fn json(array: &dyn Array, row: usize) -> String {
    if array.is_null(row) {
        return "null".to_owned();
    }
    match array.data_type() {
        DataType::Utf8 => string(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => string(array.as_string::<i64>().value(row)),
        DataType::Utf8View => string(array.as_string_view().value(row)),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).to_string(),
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::FixedSizeBinary(16) => {
            let digits = array.as_fixed_size_binary().value(row).iter().map(|octet| format!("{octet:02x}"));
            string(&digits.collect::<String>())
        }
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            json(dictionary.values().as_ref(), dictionary.normalized_keys()[row])
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            let items: Vec<_> = (0..items.len()).map(|item| json(&items, item)).collect();
            format!("[{}]", items.join(","))
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns().iter();
            let fields = fields.iter().zip(columns);
            let fields: Vec<_> = fields
                .map(|(field, column)| format!("{}:{}", string(field.name()), json(column, row)))
                .collect();
            format!("{{{}}}", fields.join(","))
        }
        other => panic!("a result of {other}"),
    }
}

fn string(text: &str) -> String {
    locator_functions::Answer::Text(text.into()).json().to_string()
}
