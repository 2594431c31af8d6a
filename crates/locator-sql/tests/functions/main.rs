//! Every function as an engine calls it, but without one: the types of the arguments are converted, the type of
//! the result is asked for, and the rows are those of the library. It compiles in a tenth of the time of
//! the engine, so CI runs it; the test `it` asks for the same by SQL.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod cases;
#[path = "../../../locator-arrow/tests/it/kernels/cells.rs"]
mod cells;
#[path = "../it/rows.rs"]
mod rows;

use std::sync::Arc;

use arrow::array::{ArrayRef, BinaryArray, Int64Array, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field};
use datafusion_common::config::ConfigOptions;
use datafusion_common::{Result, ScalarValue};
use datafusion_expr::registry::{FunctionRegistry, MemoryFunctionRegistry};
use datafusion_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};
use locator::edition::{self, RFC3986};
use locator_functions::{ArgumentValue, Call, FUNCTIONS, PARTS, PartKey, Row, Selection};

/// Returns the functions by their names.
fn registry() -> MemoryFunctionRegistry {
    let mut registry = MemoryFunctionRegistry::new();
    locator_sql::register_all(&mut registry).unwrap();
    registry
}

/// Calls a function as an engine does.
fn call(function: &ScalarUDF, args: Vec<ColumnarValue>, number_rows: usize) -> Result<ArrayRef> {
    let types: Vec<_> = args.iter().map(ColumnarValue::data_type).collect();
    let coerced = if types.is_empty() { types } else { function.coerce_types(&types)? };
    let args = args.iter().zip(&coerced).map(|(value, to)| value.cast_to(to, None));
    let args = args.collect::<Result<Vec<_>>>()?;
    let arg_fields: Vec<_> =
        coerced.into_iter().map(|data_type| Arc::new(Field::new("argument", data_type, true))).collect();
    let constants: Vec<_> = args
        .iter()
        .map(|value| match value {
            ColumnarValue::Scalar(scalar) => Some(scalar),
            ColumnarValue::Array(_) => None,
        })
        .collect();
    let returned = ReturnFieldArgs { arg_fields: &arg_fields, scalar_arguments: &constants };
    let return_field = function.return_field_from_args(returned)?;
    let config_options = Arc::new(ConfigOptions::default());
    let expected = return_field.data_type().clone();
    let call = ScalarFunctionArgs { args, arg_fields, number_rows, return_field, config_options };
    let array = function.invoke_with_args(call)?.into_array(number_rows)?;
    assert_eq!(array.data_type(), &expected, "{} returns the type that it says", function.name());
    Ok(array)
}

fn constants(arguments: &[ArgumentValue<'_>]) -> Vec<ColumnarValue> {
    let values = arguments.iter().map(|argument| match argument {
        ArgumentValue::Text(text) => ScalarValue::from(*text),
        ArgumentValue::Int(int) => ScalarValue::from(*int),
    });
    values.map(ColumnarValue::Scalar).collect()
}

fn shapes() -> [DataType; 4] {
    let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    [DataType::Utf8View, DataType::Utf8, DataType::LargeUtf8, dictionary]
}

fn column(rows: &[Option<String>], data_type: &DataType) -> ColumnarValue {
    let texts: ArrayRef = Arc::new(rows.iter().map(Option::as_deref).collect::<StringArray>());
    ColumnarValue::Array(cast(&texts, data_type).unwrap())
}

#[test]
fn each_row_is_that_of_the_library() {
    let (registry, rows) = (registry(), rows::rows());
    for data_type in shapes() {
        for function in FUNCTIONS.iter().filter(|function| !matches!(function.call(), Call::Distinct)) {
            let udf = registry.udf(function.name()).unwrap();
            if matches!(function.call(), Call::Constant(_)) {
                let array = call(&udf, Vec::new(), rows.len()).unwrap();
                assert_eq!(cells::column(&array)[0], function.example().result);
                continue;
            }
            let mut arguments = vec![column(&rows, &data_type)];
            arguments.extend(constants(function.example().arguments));
            let array = call(&udf, arguments.clone(), rows.len()).unwrap();
            let name = function.name();
            assert!(
                cells::column(&array) == rows::answers(function, &rows, &RFC3986),
                "{name} of {data_type}"
            );
            let Some(second) = function.second_name() else { continue };
            for edition in [&RFC3986, edition::from_name("rfc3987").unwrap()] {
                let mut arguments = arguments.clone();
                arguments.push(ColumnarValue::Scalar(ScalarValue::from(edition.name)));
                let array = call(&registry.udf(&second).unwrap(), arguments, rows.len()).unwrap();
                assert!(
                    cells::column(&array) == rows::answers(function, &rows, edition),
                    "{second} by {} of {data_type}",
                    edition.name
                );
            }
        }
    }
}

#[test]
fn constants_give_one_value() {
    let registry = registry();
    let url = || ColumnarValue::Scalar(ScalarValue::from("http://www.example.co.uk/a/b?q=1"));
    let host = call(&registry.udf("uri_host").unwrap(), vec![url()], 3).unwrap();
    assert_eq!(cells::column(&host), ["\"www.example.co.uk\""; 3]);
    let numbers = ColumnarValue::Array(Arc::new(Int64Array::from(vec![1, 2, 3])));
    let segments = call(&registry.udf("uri_path_segment").unwrap(), vec![url(), numbers], 3).unwrap();
    assert_eq!(cells::column(&segments).len(), 3);
    let null = ColumnarValue::Scalar(ScalarValue::Utf8(None));
    let host = call(&registry.udf("uri_host").unwrap(), vec![null], 1).unwrap();
    assert_eq!(cells::column(&host), ["null"]);
}

#[test]
fn errors_name_the_function_and_the_argument() {
    let registry = registry();
    let text = |text: &str| ColumnarValue::Scalar(ScalarValue::from(text));
    let (url, number) = (text("http://h/"), ColumnarValue::Scalar(ScalarValue::from(1_i64)));
    for (name, arguments, message) in [
        ("uri_host", vec![number.clone()], "uri_host needs texts as \"url\", not Int64"),
        ("uri_host_by", vec![url.clone()], "uri_host_by needs the argument \"edition\""),
        ("uri_host", vec![url.clone(), text("rfc3986")], "uri_host takes at most 1 argument, not 2"),
        ("uri_host_by", vec![url.clone(), text("x")], "uri_host_by takes the name of an edition"),
        ("uri_path_segment", vec![url.clone(), text("a")], "uri_path_segment takes an integer as \"number\""),
        ("uri_query_param", vec![url.clone(), number], "uri_query_param takes a text as \"name\", not Int64"),
        ("uri_strip", vec![url, text("x")], "uri_strip takes as \"parts\""),
    ] {
        let error = call(&registry.udf(name).unwrap(), arguments, 1).unwrap_err().to_string();
        assert!(error.contains(message), "{name}: {error}");
    }
}

/// Bytes that are not UTF-8 do not end a query: no part of them is known, and `uri_error` says why.
#[test]
fn rows_that_are_not_texts() {
    let registry = registry();
    let rows = [Some(&b"http://h/\xFF"[..]), Some(b"http://h/\xED\xA0\x80"), Some(b"http://h/"), None];
    let column = || ColumnarValue::Array(Arc::new(BinaryArray::from(rows.to_vec())));
    let cells = |name: &str| cells::column(&call(&registry.udf(name).unwrap(), vec![column()], 4).unwrap());
    assert_eq!(cells("uri_host"), ["null", "null", "\"h\"", "null"]);
    assert_eq!(cells("uri_is_valid"), ["false", "false", "true", "null"]);
    assert_eq!(cells("uri_whatwg_is_valid"), ["false", "false", "true", "null"]);
    assert_eq!(
        cells("uri_error"),
        ["\"invalid UTF-8: byte FF\"", "\"invalid UTF-8: byte ED\"", "null", "null"]
    );
}

/// Each part of the registry, by its own function and by `uri_part`.
#[test]
fn each_part_has_the_value_of_the_library() {
    let (registry, rows) = (registry(), rows::rows());
    let texts = || column(&rows, &DataType::Utf8View);
    for part in PARTS {
        let name = match part.key() {
            None => part.name().to_owned(),
            Some(PartKey::Name) => format!("{}:q", part.name()),
            Some(_) => format!("{}:-1", part.name()),
        };
        let selection = Selection::parse(&name).unwrap();
        let arguments = vec![texts(), ColumnarValue::Scalar(ScalarValue::from(name.as_str()))];
        let named = call(&registry.udf("uri_part").unwrap(), arguments, rows.len()).unwrap();
        let own = part.function().filter(|_| part.key().is_none()).map(|function| {
            assert_eq!(part.sql(), format!("{}(url)", function.name()));
            call(&registry.udf(function.name()).unwrap(), vec![texts()], rows.len()).unwrap()
        });
        for (place, row) in rows.iter().enumerate() {
            let answer = row.as_deref().map(|text| selection.answer(&Row::new(text, &RFC3986)));
            let json = |text: &str| locator_functions::Answer::Text(text.into()).json().to_string();
            let cell = match &answer {
                None | Some(locator_functions::Answer::Null) => "null".to_owned(),
                Some(answer) => json(&answer.cell().to_string()),
            };
            assert_eq!(cells::json(&named, place), cell, "{name} of {row:?}");
            if let Some(own) = &own {
                let json = answer.map_or_else(|| "null".to_owned(), |answer| answer.json().to_string());
                assert_eq!(cells::json(own, place), json, "{name} of {row:?}");
            }
        }
    }
}
