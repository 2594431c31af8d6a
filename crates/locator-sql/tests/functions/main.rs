//! Every function as an engine calls it, but without one: the types of the arguments are converted, the type of
//! the result is asked for, and the rows are those of the library. It compiles in a tenth of the time of
//! the engine, so CI runs it; the test `it` asks for the same by SQL.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

#[path = "../../../locator-arrow/tests/it/kernels/cells.rs"]
mod cells;
#[path = "../it/rows.rs"]
mod rows;

use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field};
use datafusion_common::config::ConfigOptions;
use datafusion_common::{Result, ScalarValue};
use datafusion_expr::registry::{FunctionRegistry, MemoryFunctionRegistry};
use datafusion_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};
use locator::edition::{self, RFC3986};
use locator_functions::{Call, FUNCTIONS, Given};

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

fn constants(arguments: &[Given<'_>]) -> Vec<ColumnarValue> {
    let values = arguments.iter().map(|argument| match argument {
        Given::Text(text) => ScalarValue::from(*text),
        Given::Int(int) => ScalarValue::from(*int),
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
        ("uri_strip", vec![url.clone(), text("x")], "uri_strip takes as \"parts\""),
    ] {
        let error = call(&registry.udf(name).unwrap(), arguments, 1).unwrap_err().to_string();
        assert!(error.contains(message), "{name}: {error}");
    }
}
