//! Every function through SQL: each row is what the function of the library returns for the text.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

#[path = "../../../locator-arrow/tests/it/kernels/cells.rs"]
mod cells;

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, RecordBatch, StringArray};
use arrow::compute::{cast, concat_batches};
use arrow::datatypes::{DataType, Field, Int64Type, Schema};
use datafusion::datasource::MemTable;
use datafusion::error::Result;
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion_expr::AggregateUDF;
use locator::edition::{self, RFC3986};
use locator_functions::{ArgumentValue, Call, FUNCTIONS, Row};
use locator_sql::UriUniq;

use super::rows::{answers, rows};

/// Returns a session with the rows as the table `t`, in batches, of a type.
fn session(rows: &[Option<String>], data_type: &DataType, config: SessionConfig) -> SessionContext {
    let mut session = SessionContext::new_with_config(config);
    locator_sql::register_all(&mut session).unwrap();
    let schema = Arc::new(Schema::new(vec![
        Field::new("url", data_type.clone(), true),
        Field::new("number", DataType::Int64, false),
    ]));
    let batches = rows.chunks(300).map(|rows| {
        let urls: ArrayRef = Arc::new(rows.iter().map(Option::as_deref).collect::<StringArray>());
        let numbers = (0..rows.len() as i64).map(|number| number % 3).collect::<Vec<_>>();
        let numbers = Arc::new(arrow::array::Int64Array::from(numbers));
        RecordBatch::try_new(Arc::clone(&schema), vec![cast(&urls, data_type).unwrap(), numbers]).unwrap()
    });
    let table = MemTable::try_new(Arc::clone(&schema), vec![batches.collect()]).unwrap();
    session.register_table("t", Arc::new(table)).unwrap();
    session
}

fn run(session: &SessionContext, query: &str) -> Result<ArrayRef> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let batches = runtime.block_on(async { session.sql(query).await?.collect().await })?;
    let batch = concat_batches(&batches[0].schema(), &batches).unwrap();
    Ok(Arc::clone(batch.column(0)))
}

fn in_order() -> SessionConfig {
    SessionConfig::new().with_target_partitions(1)
}

fn shapes() -> [DataType; 4] {
    let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    [DataType::Utf8View, DataType::Utf8, DataType::LargeUtf8, dictionary]
}

fn in_sql(arguments: &[ArgumentValue<'_>]) -> String {
    let texts = arguments.iter().map(|argument| match argument {
        ArgumentValue::Text(text) => format!(", '{text}'"),
        ArgumentValue::Int(int) => format!(", {int}"),
    });
    texts.collect()
}

#[test]
fn each_row_is_that_of_the_library() {
    let rows = rows();
    for data_type in shapes() {
        let session = session(&rows, &data_type, in_order());
        for function in FUNCTIONS.iter().filter(|function| !matches!(function.call(), Call::Distinct)) {
            let (name, arguments) = (function.name(), in_sql(function.example().arguments));
            if matches!(function.call(), Call::Constant(_)) {
                let array = run(&session, &format!("select {name}() from t")).unwrap();
                assert_eq!(cells::column(&array)[0], function.example().result);
                continue;
            }
            let array = run(&session, &format!("select {name}(url{arguments}) from t")).unwrap();
            assert!(cells::column(&array) == answers(function, &rows, &RFC3986), "{name} of {data_type}");
            let Some(second) = function.second_name() else { continue };
            for edition in [&RFC3986, edition::from_name("rfc3987").unwrap()] {
                let call = format!("{second}(url{arguments}, '{}')", edition.name);
                let array = run(&session, &format!("select {call} from t")).unwrap();
                assert!(cells::column(&array) == answers(function, &rows, edition), "{call} of {data_type}");
            }
        }
    }
}

/// Arguments with a value for each row, and a column that is a constant.
#[test]
fn arguments_can_be_columns() {
    let rows = rows();
    for data_type in shapes() {
        let session = session(&rows, &data_type, in_order());
        for (query, same) in [
            ("uri_resolve('http://h/a/', url)", "uri_resolve(arrow_cast('http://h/a/', 'Utf8View'), url)"),
            ("uri_path_segment(url, number)", "uri_path_segment(url, cast(number as int))"),
            ("uri_equivalent(url, url)", "uri_equivalent(url, concat(url, ''))"),
        ] {
            let one = cells::column(&run(&session, &format!("select {query} from t")).unwrap());
            let other = cells::column(&run(&session, &format!("select {same} from t")).unwrap());
            assert!(one == other && one.iter().any(|cell| cell != "null"), "{query} of {data_type}");
        }
    }
    let session = session(&rows, &DataType::Utf8, in_order());
    let resolve = FUNCTIONS.iter().find(|function| function.name() == "uri_resolve").unwrap();
    let expected = rows.iter().map(|row| match row {
        Some(text) => {
            let row = Row::new("http://h/a/", &RFC3986);
            resolve.answer(&row, &[ArgumentValue::Text(text)]).json().to_string()
        }
        None => "null".to_owned(),
    });
    let array = run(&session, "select uri_resolve('http://h/a/', url) from t").unwrap();
    assert_eq!(cells::column(&array), expected.collect::<Vec<_>>());
}

fn count(session: &SessionContext, query: &str) -> Vec<i64> {
    run(session, query).unwrap().as_primitive::<Int64Type>().values().to_vec()
}

#[test]
fn different_values_are_counted() {
    let mut rows = rows();
    rows.extend((0..9000).map(|number| Some(format!("http://h/{}", number % 4000))));
    let different: BTreeSet<_> = rows.iter().flatten().collect();
    let different = different.len() as i64;
    for data_type in shapes() {
        // In parts that are merged, in small batches.
        let config = SessionConfig::new().with_target_partitions(4).with_batch_size(100);
        let session = session(&rows, &data_type, config);
        assert_eq!(count(&session, "select uri_uniq(url) from t"), [different], "{data_type}");
        let groups = "select number, uri_uniq(url) u, count(distinct url) c from t group by number";
        assert_eq!(count(&session, &format!("select count(*) from ({groups}) where u = c")), [3]);
        assert_eq!(count(&session, "select uri_uniq(url) from t where number > 5"), [0]);
        assert_eq!(count(&session, "select uri_uniq(null)"), [0]);
        let bytes = "select uri_uniq(arrow_cast(url, 'Binary')) from t";
        if !matches!(data_type, DataType::Dictionary(..)) {
            assert_eq!(count(&session, bytes), [different]);
        }
    }
}

#[test]
fn too_many_values_are_an_error() {
    let rows: Vec<_> = (0..30_000).map(|number| Some(number.to_string())).collect();
    let session = session(&rows, &DataType::Utf8, SessionConfig::new().with_target_partitions(2));
    session.register_udaf(AggregateUDF::from(UriUniq::with_limit(100_000)));
    let error = run(&session, "select uri_uniq(url) from t").unwrap_err().to_string();
    assert!(error.contains("select count(*) from (select distinct"), "{error}");
}

#[test]
fn errors_name_the_function_and_the_argument() {
    let session = session(&rows(), &DataType::Utf8, in_order());
    for (call, message) in [
        ("uri_host(number)", "uri_host needs texts as \"url\", not Int64; cast them: url::text"),
        ("uri_host()", "uri_host needs the argument \"url\""),
        ("uri_host_by(url)", "uri_host_by needs the argument \"edition\""),
        ("uri_query_param_by(url, 'rfc3986')", "uri_query_param_by needs the argument \"name\""),
        ("uri_host(url, 'rfc3986')", "uri_host takes at most 1 argument, not 2"),
        ("uri_host_by(url, 'x')", "uri_host_by takes the name of an edition as its last argument, not 'x'"),
        ("uri_host_by(url, url)", "uri_host_by needs a constant as \"edition\", not a column"),
        ("uri_path_segment(url, 'a')", "uri_path_segment takes an integer as \"number\", not Utf8"),
        ("uri_query_param(url, 1)", "uri_query_param takes a text as \"name\", not Int64"),
        ("uri_strip(url, 'x')", "uri_strip takes as \"parts\""),
        ("uri_uniq(number)", "uri_uniq needs texts, not Int64"),
        ("uri_uniq(url, url)", "uri_uniq takes one argument, not 2"),
    ] {
        let error = run(&session, &format!("select {call} from t")).unwrap_err().to_string();
        assert!(error.contains(message), "{call}: {error}");
    }
}
