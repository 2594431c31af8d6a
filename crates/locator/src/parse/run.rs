//! The order in which the implementations read a text: first the fast path, compiled for each
//! backend; then, compiled once, the bitmaps of the first block; then the reference implementation,
//! octet by octet.

use super::check;
use super::fault::InvalidByte;
use super::reader::Reader;
use crate::edition::Edition;
use crate::error::ParseError;
use crate::simd::{Backend, Bitmaps};
use crate::span::ComponentSpans;

/// Returns the spans of a text if it is on the fast path.
///
/// # Errors
///
/// Returns the error if the bitmaps show it.
#[inline(always)]
pub(crate) fn read_value<M: Backend>(
    backend: M,
    octets: &[u8],
    edition: &'static Edition,
) -> Result<ComponentSpans, Option<InvalidByte>> {
    if octets.len() >= u32::MAX as usize {
        return Err(None);
    }
    let block = backend.load(octets, &edition.table);
    Reader::common(backend, block, octets, edition)
}

/// Reads a text of any length that is rare or invalid. This code is compiled once, not for each
/// backend.
#[inline(never)]
pub(crate) fn read_more(text: &str, edition: &'static Edition) -> Result<ComponentSpans, ParseError> {
    let octets = text.as_bytes();
    let mut map = Bitmaps::new(octets, &edition.table);
    if octets.len() < u32::MAX as usize && map.fill() {
        return Reader { map: &map, octets, edition }.read();
    }
    check::read(octets, edition)
}
