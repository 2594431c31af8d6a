//! A substring of a `str`: the one place with `unsafe`, because pyo3 has no method for it.
//!
//! `PyString::new` validates and measures what is known to be ASCII already; a getter takes half as
//! long again.

#![allow(unsafe_code, reason = "pyo3 has no method for it")]

use std::ops::Range;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Returns the part of a text at a range of its bytes.
///
/// # Errors
///
/// Raises `MemoryError`, and what reading the text raises.
#[inline]
pub(crate) fn substring<'py>(
    text: &Bound<'py, PyString>,
    range: Range<usize>,
) -> PyResult<Bound<'py, PyString>> {
    let (py, octets) = (text.py(), text.to_str()?);
    let (Ok(start), Ok(end)) = (isize::try_from(range.start), isize::try_from(range.end)) else {
        return Ok(PyString::new(py, &octets[range]));
    };
    // In ASCII, and only there, are there as many characters as bytes.
    if text.len()? != octets.len() {
        return Ok(PyString::new(py, &octets[range]));
    }
    // SAFETY: `text` is a `str` and the interpreter is attached, which `Bound` guarantees. The function
    // accepts any offsets that are not negative, and returns a new reference to a `str`, or null with an
    // exception set.
    unsafe {
        let part = ffi::PyUnicode_Substring(text.as_ptr(), start, end);
        Ok(Bound::from_owned_ptr_or_err(py, part)?.cast_into_unchecked())
    }
}
