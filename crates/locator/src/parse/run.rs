//! The order in which a text is read: by the fast path, compiled for each backend; then, compiled once, by the bitmaps
//! of its first block; then octet by octet.

use super::fast::Reader;
use super::invalid::InvalidByte;
use crate::edition::Edition;
use crate::error::ParseError;
use crate::simd::{Backend, Bitmaps};
use crate::span::ComponentSpans;

/// The parts of a text if it is of the common form.
///
/// # Errors
///
/// What is wrong, if that is plain to see.
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

/// Reads a text of any length that is rare or wrong. All of this is compiled once, not for each backend.
#[inline(never)]
pub(crate) fn read_more(text: &str, edition: &'static Edition) -> Result<ComponentSpans, ParseError> {
    let octets = text.as_bytes();
    let mut map = Bitmaps::new(octets, &edition.table);
    if octets.len() < u32::MAX as usize && map.fill() {
        return Reader { map: &map, octets, edition }.read();
    }
    super::read_const(text, edition)
}
