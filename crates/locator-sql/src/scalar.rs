//! The functions that have a result for each row, as functions of DataFusion: converts the arguments of
//! a call, and calls the kernel of `locator-arrow`.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, NullArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion_common::{DataFusionError, Result, ScalarValue, exec_err, internal_err, plan_err};
use datafusion_expr::scalar_doc_sections::DOC_SECTION_STRING;
use datafusion_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use locator::{Edition, edition};
use locator_arrow::{Argument, KernelError, evaluate, result_type};
use locator_functions::{Call, Function, Parameter, ParameterKind};

/// A function of the table as a function of DataFusion.
pub struct UriFunction {
    function: &'static Function,
    name: String,
    /// Whether the last argument is the name of an edition.
    is_by: bool,
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
        let documentation = documentation(function, function.name(), "");
        Self { function, name: function.name().to_owned(), is_by: false, signature, documentation }
    }

    /// Creates the function with the second name, whose last argument is the name of an edition; `None`
    /// if no result of the function depends on the edition.
    #[must_use]
    pub fn with_edition(function: &'static Function) -> Option<Self> {
        let name = function.second_name()?;
        let documentation = documentation(function, &name, ", edition");
        let signature = Signature::user_defined(Volatility::Immutable);
        Some(Self { function, name, is_by: true, signature, documentation })
    }

    /// Returns the number of arguments before the parameters: one, or none for a constant.
    const fn column_count(function: &Function) -> usize {
        match function.call() {
            Call::Constant(_) => 0,
            _ => 1,
        }
    }

    /// Returns how many arguments there can be.
    fn arities(&self) -> RangeInclusive<usize> {
        let parameters = self.function.parameters();
        let needed = parameters.iter().filter(|parameter| parameter.default.is_none()).count();
        let others = 1 + usize::from(self.is_by);
        others + needed..=others + parameters.len()
    }

    /// Returns the edition of a call, and the arguments before it.
    fn edition_of<'a>(
        &self,
        arguments: &'a [ColumnarValue],
    ) -> Result<(&'static Edition, &'a [ColumnarValue])> {
        let Some((last, others)) = arguments.split_last().filter(|_| self.is_by) else {
            return Ok((edition::DEFAULT, arguments));
        };
        let name = &self.name;
        let ColumnarValue::Scalar(scalar) = last else {
            return exec_err!("{name} needs a constant as \"edition\", not a column");
        };
        let wanted = scalar.try_as_str().flatten().unwrap_or_default();
        match edition::from_name(wanted) {
            Some(edition) => Ok((edition, others)),
            None if wanted.eq_ignore_ascii_case("whatwg") => exec_err!(
                "the URL Standard is not an edition; its functions begin with uri_whatwg_, such as \
                 uri_whatwg_host(url)"
            ),
            None => exec_err!(
                "{name} takes the name of an edition as its last argument, not '{wanted}'; 'locator editions' \
                 lists them"
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
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let (function, name) = (self.function, &self.name);
        let arities = self.arities();
        let has_edition = usize::from(self.is_by);
        if types.len() < *arities.start() {
            let given = types.len().saturating_sub(has_edition);
            let parameter = given.checked_sub(1).and_then(|place| function.parameters().get(place));
            let missing = match parameter {
                Some(parameter) => parameter.name,
                None if types.is_empty() => function.first(),
                None => "edition",
            };
            return plan_err!("{name} needs the argument \"{missing}\"");
        }
        let most = *arities.end();
        if types.len() > most {
            let plural = if most == 1 { "" } else { "s" };
            let hint = if self.is_by { "" } else { "; an edition is the last argument of the name with _by" };
            return plan_err!("{name} takes at most {most} argument{plural}, not {}{hint}", types.len());
        }
        let last = types.len() - has_edition;
        let coerced = types.iter().enumerate().map(|(place, found)| match place.checked_sub(1) {
            None => coerce_column(function, name, found),
            Some(_) if place == last => coerce_text(name, "edition", found),
            Some(place) => coerce(name, &function.parameters()[place], found),
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

/// Returns the type that the column is converted to.
fn coerce_column(function: &Function, name: &str, found: &DataType) -> Result<DataType> {
    let first = function.first();
    match result_type(function, found) {
        Ok(_) => Ok(found.clone()),
        Err(_) => plan_err!("{name} needs texts as \"{first}\", not {found}; cast them: {first}::text"),
    }
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
fn documentation(function: &Function, name: &str, last: &str) -> Documentation {
    let parameters = function.parameters().iter().map(|parameter| match parameter.default {
        Some(_) => format!("[, {}]", parameter.name),
        None => format!(", {}", parameter.name),
    });
    let parameters: String = parameters.collect();
    let syntax = format!("{name}({}{parameters}{last})", function.first());
    Documentation::builder(DOC_SECTION_STRING, function.summary(), syntax).build()
}

impl PartialEq for UriFunction {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for UriFunction {}

impl Hash for UriFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Debug for UriFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UriFunction").field(&self.name).finish()
    }
}
