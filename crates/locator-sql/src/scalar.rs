//! The functions that have a result for each row, as functions of DataFusion: converts the arguments of
//! a call, and calls the kernel of `locator-arrow`.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, NullArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion_common::{DataFusionError, Result, ScalarValue, exec_err, internal_err, plan_err};
use datafusion_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use locator::{Edition, edition};
use locator_arrow::{Argument, KernelError, evaluate, result_type};
use locator_functions::{Call, Function, Parameter, ParameterKind};

/// A function of the table as a function of DataFusion.
pub struct UriFunction {
    function: &'static Function,
    signature: Signature,
    documentation: Documentation,
}

impl UriFunction {
    /// Creates it from the description in the table, which must not be an aggregate.
    #[must_use]
    pub fn new(function: &'static Function) -> Self {
        // The types of the arguments are checked by `coerce_types`, whose messages name the parameter.
        let signature = match Self::column_count(function) {
            0 => Signature::nullary(Volatility::Immutable),
            _ => Signature::user_defined(Volatility::Immutable),
        };
        Self { function, signature, documentation: documentation(function) }
    }

    /// Returns the number of arguments before the parameters: one, or none for a constant.
    const fn column_count(function: &Function) -> usize {
        match function.call() {
            Call::Constant(_) => 0,
            _ => 1,
        }
    }

    /// Returns the place of the edition in a call, after all other arguments.
    const fn place_of_edition(&self) -> usize {
        1 + self.function.parameters().len()
    }

    /// Returns the edition of a call, and the arguments before it.
    fn edition_of<'a>(
        &self,
        arguments: &'a [ColumnarValue],
    ) -> Result<(&'static Edition, &'a [ColumnarValue])> {
        let place = self.place_of_edition();
        let Some(argument) = arguments.get(place) else { return Ok((edition::DEFAULT, arguments)) };
        let name = self.function.name();
        let ColumnarValue::Scalar(scalar) = argument else {
            return plan_err!("{name} needs a constant as \"edition\", not a column");
        };
        let name_of_edition = scalar.try_as_str().flatten().unwrap_or_default();
        match edition::from_name(name_of_edition) {
            Some(edition) => Ok((edition, &arguments[..place])),
            None => plan_err!(
                "{name} takes the name of an edition as \"edition\", not '{name_of_edition}'; 'locator editions' lists them"
            ),
        }
    }

    /// Evaluates a call whose first argument is an array.
    fn evaluate(&self, column: &dyn Array, arguments: &[ColumnarValue]) -> Result<ArrayRef> {
        let (edition, arguments) = self.edition_of(arguments)?;
        let arguments = arguments.iter().skip(1).map(argument).collect::<Result<Vec<_>>>()?;
        evaluate(self.function, column, &arguments, edition).map_err(of_user)
    }
}

/// Converts an argument after the column.
fn argument(value: &ColumnarValue) -> Result<Argument<'_>> {
    match value {
        ColumnarValue::Array(array) => Ok(Argument::Array(array.as_ref())),
        ColumnarValue::Scalar(scalar) if scalar.is_null() => Ok(Argument::Null),
        ColumnarValue::Scalar(ScalarValue::Int64(Some(int))) => Ok(Argument::Int(*int)),
        ColumnarValue::Scalar(scalar) => match scalar.try_as_str().flatten() {
            Some(text) => Ok(Argument::Text(text)),
            None => internal_err!("an argument was not coerced: {scalar}"),
        },
    }
}

/// Returns an error in what the user has written.
fn of_user(error: KernelError) -> DataFusionError {
    DataFusionError::Execution(error.to_string())
}

impl ScalarUDFImpl for UriFunction {
    fn name(&self) -> &str {
        self.function.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let (function, name) = (self.function, self.function.name());
        let (least, most) = arities(function);
        if types.len() < least {
            let missing = types.len().checked_sub(1).and_then(|place| function.parameters().get(place));
            let missing = missing.map_or(function.first(), |parameter| parameter.name);
            return plan_err!("{name} needs the argument \"{missing}\"");
        }
        if types.len() > most {
            return plan_err!("{name} takes at most {most} arguments, not {}", types.len());
        }
        let coerced = types.iter().enumerate().map(|(place, found)| match place.checked_sub(1) {
            None if result_type(function, found).is_ok() => Ok(found.clone()),
            None => plan_err!(
                "{name} needs texts as \"{}\", not {found}; cast them: {}::text",
                function.first(),
                function.first()
            ),
            Some(place) => match function.parameters().get(place) {
                Some(parameter) => coerce(name, parameter, found),
                None => coerce_text(name, "edition", found),
            },
        });
        coerced.collect()
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        let column = types.first().unwrap_or(&DataType::Utf8View);
        result_type(self.function, column).map_err(of_user)
    }

    fn return_field_from_args(&self, arguments: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let mut types: Vec<_> = arguments.arg_fields.iter().map(|field| field.data_type().clone()).collect();
        // With an argument that differs from row to row, the result of a dictionary is a plain array.
        let is_plain = arguments.scalar_arguments.iter().skip(1).any(Option::is_none);
        if let Some(DataType::Dictionary(_, values)) = types.first()
            && is_plain
        {
            types[0] = values.as_ref().clone();
        }
        Ok(Arc::new(Field::new(self.name(), self.return_type(&types)?, true)))
    }

    fn invoke_with_args(&self, call: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let expected = call.return_field.data_type();
        let of_type = |array: ArrayRef| match array.data_type() == expected {
            true => Ok(array),
            // What is planned as different from row to row can be a constant when it is evaluated.
            false => cast(&array, expected).map_err(DataFusionError::from),
        };
        match call.args.first() {
            Some(ColumnarValue::Array(column)) => {
                Ok(ColumnarValue::Array(of_type(self.evaluate(column.as_ref(), &call.args)?)?))
            }
            Some(ColumnarValue::Scalar(scalar)) => {
                let are_constant = call.args.iter().all(|value| matches!(value, ColumnarValue::Scalar(_)));
                let rows = if are_constant { 1 } else { call.number_rows };
                let result = of_type(self.evaluate(&scalar.to_array_of_size(rows)?, &call.args)?)?;
                match are_constant {
                    true => ScalarValue::try_from_array(&result, 0).map(ColumnarValue::Scalar),
                    false => Ok(ColumnarValue::Array(result)),
                }
            }
            None if Self::column_count(self.function) == 0 => {
                let result = cast(&self.evaluate(&NullArray::new(1), &[])?, expected)?;
                ScalarValue::try_from_array(&result, 0).map(ColumnarValue::Scalar)
            }
            None => exec_err!("{} needs the argument \"{}\"", self.name(), self.function.first()),
        }
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

/// Returns the least and the greatest number of arguments, with the edition.
fn arities(function: &Function) -> (usize, usize) {
    let needed = function.parameters().iter().filter(|parameter| parameter.default.is_none()).count();
    (1 + needed, 2 + function.parameters().len())
}

/// Returns the type that an argument is converted to.
fn coerce(function: &str, parameter: &Parameter, found: &DataType) -> Result<DataType> {
    match parameter.kind {
        ParameterKind::Int if found.is_integer() || found.is_null() => Ok(DataType::Int64),
        ParameterKind::Int => {
            plan_err!("{function} takes an integer as \"{}\", not {found}", parameter.name)
        }
        _ => coerce_text(function, parameter.name, found),
    }
}

fn coerce_text(function: &str, parameter: &str, found: &DataType) -> Result<DataType> {
    match found {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(found.clone()),
        DataType::Null => Ok(DataType::Utf8),
        DataType::Dictionary(_, values) => coerce_text(function, parameter, values),
        _ => plan_err!("{function} takes a text as \"{parameter}\", not {found}"),
    }
}

/// Describes a function for those who list the functions of a session.
fn documentation(function: &Function) -> Documentation {
    let parameters = function.parameters().iter().map(|parameter| match parameter.default {
        Some(_) => format!("[, {}]", parameter.name),
        None => format!(", {}", parameter.name),
    });
    let parameters: String = parameters.collect();
    let syntax = format!("{}({}{parameters})", function.name(), function.first());
    Documentation::builder(
        datafusion_expr::scalar_doc_sections::DOC_SECTION_STRING,
        function.summary(),
        syntax,
    )
    .build()
}

impl PartialEq for UriFunction {
    fn eq(&self, other: &Self) -> bool {
        self.function.name() == other.function.name()
    }
}

impl Eq for UriFunction {}

impl Hash for UriFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.name().hash(state);
    }
}

impl fmt::Debug for UriFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UriFunction").field(&self.function.name()).finish()
    }
}
