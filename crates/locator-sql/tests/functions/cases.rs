//! The cases of `testdata/functions`, called as an engine calls a function.

use datafusion_common::ScalarValue;
use datafusion_expr::ColumnarValue;
use datafusion_expr::registry::FunctionRegistry;
use serde::Deserialize;

use super::{call, cells, registry};

#[derive(Deserialize)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    function: String,
    input: String,
    #[serde(default)]
    arguments: Vec<toml::Value>,
    edition: Option<String>,
    result: Option<String>,
    error: Option<String>,
}

impl Case {
    /// Returns the result as JSON, or the message of the error.
    fn run(&self) -> Result<String, String> {
        let arguments = self.arguments.iter().map(|argument| match argument {
            toml::Value::Integer(int) => ScalarValue::from(*int),
            other => ScalarValue::from(other.as_str().unwrap()),
        });
        // A function that depends on no edition has no second name.
        let second = locator_functions::function(&self.function).unwrap().second_name();
        let second = second.filter(|_| self.edition.is_some());
        let edition = self.edition.as_deref().filter(|_| second.is_some()).map(ScalarValue::from);
        let values = [ScalarValue::from(self.input.as_str())].into_iter().chain(arguments).chain(edition);
        let function = registry().udf(second.as_ref().unwrap_or(&self.function)).unwrap();
        let array = call(&function, values.map(ColumnarValue::Scalar).collect(), 1);
        array.map(|array| cells::json(&array, 0)).map_err(|error| error.to_string())
    }
}

#[test]
fn every_case_is_answered_as_stated() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/functions");
    let (mut wrong, mut count) = (String::new(), 0);
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for case in toml::from_str::<File>(&text).unwrap().case {
            count += 1;
            let found = case.run();
            let is_right = match (&found, &case.result, &case.error) {
                (Ok(found), Some(expected), _) => found == expected,
                // The engine says first which call failed.
                (Err(found), None, Some(expected)) => found.contains(expected),
                _ => false,
            };
            if !is_right {
                let (name, input, expected) = (&case.function, &case.input, case.result.or(case.error));
                wrong += &format!("{name} {input:?}\n  expected {expected:?}\n  found    {found:?}\n");
            }
        }
    }
    assert!(wrong.is_empty() && count > 500, "{count} cases\n{wrong}");
}
