//! The order in which the implementations read a text.
//!
//! The caller tries [`read_value`], the fast path, which is compiled for each backend. If that
//! returns `Err(None)`, nothing is decided, and the caller calls [`read_more`], which is compiled
//! once: it reads from bitmaps, and leaves what they do not show, and texts without bitmaps, to the
//! reference implementation, octet by octet.

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
/// Returns the error if the bitmaps show it, otherwise `None`: the text may be valid or not, and
/// [`read_more`] decides.
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
/// backend. What is made of the spans is made where they are found, because copying what was just
/// written field by field stalls.
#[inline(always)]
pub(crate) fn read_more<T>(
    text: &str,
    edition: &'static Edition,
    make: impl FnOnce(ComponentSpans) -> T,
) -> Result<T, ParseError> {
    let octets = text.as_bytes();
    let mut map = Bitmaps::new(octets, &edition.table, edition.groups());
    // The plain backend makes no bitmaps; then `fill` returns false.
    if octets.len() < u32::MAX as usize && map.fill() {
        return Reader { map: &map, octets, edition }.read(make);
    }
    check::read(octets, edition).map(make)
}
