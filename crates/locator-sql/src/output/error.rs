//! Why a result cannot be written: errors of the file or pipe, and others.

use std::io;

use arrow::error::ArrowError;
use datafusion::parquet::errors::ParquetError;

/// An error of a writer.
pub(super) enum WriteError {
    Io(io::Error),
    Other(String),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<ArrowError> for WriteError {
    fn from(error: ArrowError) -> Self {
        match error {
            ArrowError::IoError(_, error) => Self::Io(error),
            error => Self::Other(error.to_string()),
        }
    }
}

impl From<ParquetError> for WriteError {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(error) => match error.downcast::<io::Error>() {
                Ok(error) => Self::Io(*error),
                Err(error) => Self::Other(error.to_string()),
            },
            error => Self::Other(error.to_string()),
        }
    }
}
