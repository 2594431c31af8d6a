//! Why a kernel has no result.

use std::fmt;

use arrow_schema::DataType;
use locator_functions::{ArgumentError, Function};

/// The error of a call of a kernel. Invalid URLs are not errors: they give NULL.
///
/// ```
/// use arrow_array::Int32Array;
/// use locator_arrow::{KernelError, evaluate};
///
/// let host = locator_functions::function("uri_host").unwrap();
/// let error =
///     evaluate(host, &Int32Array::from(vec![1]), &[], locator::edition::DEFAULT)
///         .unwrap_err();
/// assert!(matches!(error, KernelError::ColumnType { .. }));
/// assert_eq!(error.to_string(), "uri_host needs a column of texts, not Int32");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KernelError {
    /// The column is not a column of texts.
    ColumnType {
        /// The name of the function.
        function: &'static str,
        /// The type of the column.
        found: DataType,
    },
    /// There are too many or too few arguments, or a constant has a value that is not allowed.
    Argument(ArgumentError),
    /// An argument is an array of a type that the parameter does not take.
    ArgumentType {
        /// The name of the function.
        function: &'static str,
        /// The name of the parameter.
        parameter: &'static str,
        /// The type of the array.
        found: DataType,
    },
    /// An argument is an array, but the parameter takes only constants.
    NotConstant {
        /// The name of the function.
        function: &'static str,
        /// The name of the parameter.
        parameter: &'static str,
    },
    /// An argument is an array of another length than the column.
    Length {
        /// The length of the column.
        column: usize,
        /// The length of the argument.
        argument: usize,
    },
    /// The result is larger than its type can address.
    TooLong {
        /// The type that is too small.
        data_type: DataType,
    },
    /// The function is an aggregate, which has no result for each row.
    Aggregate {
        /// The name of the function.
        function: &'static str,
    },
    /// The function is one that this version of the crate does not know how to call.
    Unsupported {
        /// The name of the function.
        function: &'static str,
    },
}

impl KernelError {
    pub(crate) fn column_type(function: &Function, found: &DataType) -> Self {
        Self::ColumnType { function: function.name(), found: found.clone() }
    }
}

impl fmt::Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ColumnType { function, found } => {
                write!(f, "{function} needs a column of texts, not {found}")
            }
            Self::Argument(error) => error.fmt(f),
            Self::ArgumentType { function, parameter, found } => {
                write!(f, "{function} does not accept an array of {found} as \"{parameter}\"")
            }
            Self::NotConstant { function, parameter } => {
                write!(f, "{function} needs a constant as \"{parameter}\", not an array")
            }
            Self::Length { column, argument } => {
                write!(f, "the column has {column} rows, but an argument has {argument}")
            }
            Self::TooLong { data_type } => {
                write!(f, "the result is too long for {data_type}; evaluate smaller chunks")
            }
            Self::Aggregate { function } => {
                write!(f, "{function} is an aggregate and has no result for each row")
            }
            Self::Unsupported { function } => write!(f, "{function} is not supported for arrays"),
        }
    }
}

impl std::error::Error for KernelError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Argument(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ArgumentError> for KernelError {
    fn from(error: ArgumentError) -> Self {
        Self::Argument(error)
    }
}
