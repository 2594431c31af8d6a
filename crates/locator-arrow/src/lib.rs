//! Functions of URLs as kernels for Arrow arrays.
//!
//! [`evaluate`] computes a function of [`locator_functions::FUNCTIONS`] for every row of an array. The
//! result has the same length, and each row is what the function of the library returns for the text.
//!
//! ```
//! use arrow_array::cast::AsArray;
//! use arrow_array::{Array, StringArray};
//! use locator_arrow::{Argument, evaluate};
//! use locator_functions::function;
//!
//! let urls = StringArray::from(vec![
//!     Some("http://a.example/?q=1"),
//!     None,
//!     Some("http://b c/"),
//! ]);
//! let host = function("uri_host").unwrap();
//! let hosts = evaluate(host, &urls, &[], locator::edition::DEFAULT)?;
//! assert_eq!(
//!     hosts.as_string::<i32>(),
//!     &StringArray::from(vec![Some("a.example"), None, None])
//! );
//!
//! let param = function("uri_query_param").unwrap();
//! let values =
//!     evaluate(param, &urls, &[Argument::Text("q")], locator::edition::DEFAULT)?;
//! assert_eq!(values.as_string::<i32>().value(0), "1");
//! # Ok::<_, locator_arrow::KernelError>(())
//! ```
//!
//! # Types
//!
//! A column is of Utf8, LargeUtf8, Utf8View, Binary, LargeBinary, BinaryView, Null, or a dictionary of one
//! of these. Rows that are NULL give NULL, and their bytes are not read. Bytes that are not UTF-8 are
//! not valid: `uri_is_valid` is false, `uri_error` says why, and functions of references give NULL. Texts in the result are of the column's family: LargeUtf8 for LargeUtf8, Utf8View for Utf8View.
//! [`result_type`] returns the type without a column.
//!
//! Functions that return a part of the text, such as `uri_path`, do not copy texts of Utf8View: the
//! result refers to the buffers of the column and keeps them alive.
//!
//! A dictionary is evaluated once for each of its values. The result is a dictionary with the same keys
//! if it is text, else a plain array. A function of no column, `uri_psl_version`, has its text in every
//! row of a plain array.
//!
//! The aggregate `uri_uniq` is [`Uniq`].
//!
//! Large results of Utf8 can exceed the 2 GiB that its offsets address. This is an error
//! ([`KernelError::TooLong`]): evaluate smaller chunks, or a LargeUtf8 column.

mod argument;
mod builder;
mod column;
mod dictionary;
mod error;
mod evaluate;
mod parts;
mod rows;
mod types;
mod uniq;
mod views;

pub use argument::Argument;
pub use error::KernelError;
pub use evaluate::{evaluate, result_type};
pub use uniq::Uniq;
