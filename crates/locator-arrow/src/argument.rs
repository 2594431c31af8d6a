//! The arguments of a call after its column: constants, or arrays with a value for each row.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_schema::DataType;
use locator_functions::{ArgumentValue, Function, Parameter, ParameterKind};

use crate::column::Column;
use crate::error::KernelError;

/// An argument of a function, after the column.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'a> {
    /// NULL, for which every row of the result is NULL.
    Null,
    /// A text for all rows.
    Text(&'a str),
    /// An integer for all rows.
    Int(i64),
    /// An array with a value for each row.
    Array(&'a dyn Array),
}

/// The arguments of a call, checked.
pub(crate) struct Arguments<'a> {
    /// The constants, with anything in the places of arrays.
    given: Vec<ArgumentValue<'a>>,
    arrays: Vec<(usize, Values<'a>)>,
    has_null: bool,
}

enum Values<'a> {
    Texts(Column<'a>),
    Ints(Vec<Option<i64>>),
}

impl<'a> Arguments<'a> {
    /// Checks the arguments of a column with so many rows.
    pub(crate) fn new(
        function: &Function,
        arguments: &[Argument<'a>],
        rows: usize,
    ) -> Result<Self, KernelError> {
        let (mut given, mut arrays) = (Vec::new(), Vec::new());
        let mut has_null = false;
        for (place, argument) in arguments.iter().enumerate() {
            let parameter = function.parameters().get(place);
            given.push(match (*argument, parameter) {
                (Argument::Text(text), _) => ArgumentValue::Text(text),
                (Argument::Int(int), _) => ArgumentValue::Int(int),
                // Too many arguments are reported below.
                (Argument::Null | Argument::Array(_), None) => ArgumentValue::Int(0),
                (Argument::Null, Some(parameter)) => {
                    has_null = true;
                    in_place_of_value(parameter)
                }
                (Argument::Array(array), Some(parameter)) => {
                    arrays.push((place, Values::new(function, parameter, array, rows)?));
                    in_place_of_value(parameter)
                }
            });
        }
        Ok(Self { given: function.arguments(&given)?, arrays, has_null })
    }

    /// Returns whether the arguments are the same in each row.
    pub(crate) const fn are_constant(&self) -> bool {
        self.arrays.is_empty()
    }

    /// Returns whether a constant is NULL, so that every result is.
    pub(crate) const fn have_null(&self) -> bool {
        self.has_null
    }

    /// Returns the constants, for [`Arguments::set_row`].
    pub(crate) fn given(&self) -> Vec<ArgumentValue<'a>> {
        self.given.clone()
    }

    /// Replaces the values of arrays by those of a row; returns whether none of them is NULL.
    #[inline]
    pub(crate) fn set_row(&self, row: usize, given: &mut [ArgumentValue<'a>]) -> bool {
        self.arrays.iter().all(|(place, values)| match (given.get_mut(*place), values.get(row)) {
            (Some(given), Some(value)) => {
                *given = value;
                true
            }
            _ => false,
        })
    }
}

/// Returns a value that the check of constants accepts where there is none, or one for each row.
fn in_place_of_value<'a>(parameter: &Parameter) -> ArgumentValue<'a> {
    match parameter.kind {
        ParameterKind::Int => ArgumentValue::Int(0),
        ParameterKind::Choice(words) | ParameterKind::Choices(words) => {
            ArgumentValue::Text(words.first().copied().unwrap_or_default())
        }
        ParameterKind::Part => ArgumentValue::Text("url"),
        _ => ArgumentValue::Text(""),
    }
}

impl<'a> Values<'a> {
    fn new(
        function: &Function,
        parameter: &Parameter,
        array: &'a dyn Array,
        rows: usize,
    ) -> Result<Self, KernelError> {
        let (function, parameter_name) = (function.name(), parameter.name);
        if !parameter.can_be_column() {
            return Err(KernelError::NotConstant { function, parameter: parameter_name });
        }
        if array.len() != rows {
            return Err(KernelError::Length { column: rows, argument: array.len() });
        }
        let values = match parameter.kind {
            ParameterKind::Int => ints(array).map(Self::Ints),
            _ => Column::new(array).map(Self::Texts),
        };
        let found = || array.data_type().clone();
        values.ok_or_else(|| KernelError::ArgumentType {
            function,
            parameter: parameter_name,
            found: found(),
        })
    }

    #[inline]
    fn get(&self, row: usize) -> Option<ArgumentValue<'a>> {
        match self {
            Self::Texts(column) => Some(ArgumentValue::Text(str::from_utf8(column.get(row)?).ok()?)),
            Self::Ints(ints) => Some(ArgumentValue::Int((*ints.get(row)?)?)),
        }
    }
}

/// Reads an array of integers of any size; what does not fit in 64 bits is NULL.
fn ints(array: &dyn Array) -> Option<Vec<Option<i64>>> {
    macro_rules! of {
        ($($type:ident => $int:ident),*) => {
            match array.data_type() {
                $(DataType::$type => {
                    let ints = array.as_primitive::<$int>().iter();
                    Some(ints.map(|int| i64::try_from(int?).ok()).collect())
                })*
                DataType::Null => Some(vec![None; array.len()]),
                _ => None,
            }
        };
    }
    of!(
        Int8 => Int8Type, Int16 => Int16Type, Int32 => Int32Type, Int64 => Int64Type,
        UInt8 => UInt8Type, UInt16 => UInt16Type, UInt32 => UInt32Type, UInt64 => UInt64Type
    )
}
