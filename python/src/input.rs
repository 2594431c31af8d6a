//! Arguments: a text as bytes whose offsets can be counted in characters, and an edition by name.
//!
//! A `str` of Python may contain lone surrogates, which have no UTF-8. They are kept as the three
//! bytes that they would have, so that offsets agree, and rejected by the parser as invalid UTF-8.

use std::borrow::Cow;

use locator::Edition;
use locator::edition::{DEFAULT, UnknownEditionError};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::reference::UriRef;

/// A text as given: `str`, `bytes` or `UriRef`.
pub(crate) enum Input<'py> {
    Str(Bound<'py, PyString>),
    Bytes(Bound<'py, PyBytes>),
}

impl<'py> Input<'py> {
    /// Returns the text of an argument.
    ///
    /// # Errors
    ///
    /// Raises `TypeError` for other types.
    pub(crate) fn new(given: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = given.cast::<PyString>() {
            return Ok(Self::Str(text.clone()));
        }
        if let Ok(reference) = given.cast::<UriRef>() {
            return Ok(Self::Str(reference.get().text(given.py()).clone()));
        }
        if let Ok(bytes) = given.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.clone()));
        }
        let name = given.get_type().name()?;
        Err(PyTypeError::new_err(format!("expected str, bytes or UriRef, not {name}")))
    }

    /// Returns the object as given.
    pub(crate) fn object(&self) -> &Bound<'py, PyAny> {
        match self {
            Self::Str(text) => text.as_any(),
            Self::Bytes(bytes) => bytes.as_any(),
        }
    }

    /// Returns whether offsets are counted in characters.
    pub(crate) const fn is_str(&self) -> bool {
        matches!(self, Self::Str(_))
    }

    /// Returns the bytes of the text.
    pub(crate) fn bytes(&self) -> PyResult<Cow<'_, [u8]>> {
        match self {
            Self::Bytes(bytes) => Ok(Cow::Borrowed(bytes.as_bytes())),
            Self::Str(text) => match text.to_str() {
                Ok(text) => Ok(Cow::Borrowed(text.as_bytes())),
                Err(_) => {
                    let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
                    Ok(Cow::Owned(bytes.extract()?))
                }
            },
        }
    }

    /// Returns the text with U+FFFD in place of invalid UTF-8. A lone surrogate is as long as U+FFFD, so
    /// offsets stay.
    pub(crate) fn lossy(&self) -> PyResult<Cow<'_, str>> {
        Ok(match self.bytes()? {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => Cow::Owned(replace_surrogates(bytes)),
        })
    }
}

/// Returns text whose only invalid bytes are those of surrogates (ED A0 80 to ED BF BF).
fn replace_surrogates(mut bytes: Vec<u8>) -> String {
    let mut at = 0;
    while at + 2 < bytes.len() {
        if bytes[at] == 0xED && bytes[at + 1] >= 0xA0 {
            bytes[at..at + 3].copy_from_slice("\u{FFFD}".as_bytes());
        }
        at += 1;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Counts characters up to offsets that do not decrease.
pub(crate) struct Characters<'t> {
    bytes: &'t [u8],
    is_str: bool,
    at: usize,
    characters: usize,
}

impl<'t> Characters<'t> {
    /// Creates a counter; it counts bytes unless `is_str`.
    pub(crate) const fn new(bytes: &'t [u8], is_str: bool) -> Self {
        Self { bytes, is_str, at: 0, characters: 0 }
    }

    /// Returns the number of characters before an offset. A smaller offset than the last one costs a
    /// count from the start.
    pub(crate) fn until(&mut self, offset: usize) -> usize {
        if !self.is_str {
            return offset;
        }
        let offset = offset.min(self.bytes.len());
        if offset < self.at {
            (self.at, self.characters) = (0, 0);
        }
        let starts = self.bytes[self.at..offset].iter().filter(|&&byte| byte & 0xC0 != 0x80);
        self.characters += starts.count();
        self.at = offset;
        self.characters
    }
}

/// Returns the edition with a name; RFC 3986 without one.
///
/// # Errors
///
/// Raises `ValueError` for an unknown name.
#[inline]
pub(crate) fn edition(name: Option<&str>) -> PyResult<&'static Edition> {
    name.map_or(Ok(DEFAULT), edition_named)
}

#[inline(never)]
fn edition_named(name: &str) -> PyResult<&'static Edition> {
    name.parse().map_err(|error: UnknownEditionError| PyValueError::new_err(error.to_string()))
}
