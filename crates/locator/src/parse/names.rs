//! Host names of eight rows at once. Accepts only names that [`super::host::name_error_position`]
//! accepts.

use crate::edition::Name;
use crate::simd::{ByteCategory, Codes, RowKernel, U64x8};

/// Returns the rows whose host is certainly a valid name.
#[inline(always)]
pub(super) fn fit<M: RowKernel>(
    backend: M,
    codes: &Codes<M::Eight>,
    form: &Name,
    start: M::Eight,
    end: M::Eight,
) -> u8 {
    let (nothing, one) = (backend.all(0), backend.all(1));
    let host = end.before() & !start.before();
    let letters = codes.category(ByteCategory::LETTER) | codes.category(ByteCategory::HEX_LETTER);
    let alphanumeric = letters | codes.category(ByteCategory::DIGIT);
    let dots = codes.category(ByteCategory::DOT) & host;
    // A label begins at the start and after a dot, and ends at the end and before a dot.
    let begin = (dots.down(one) | !host.down(one)) & host;
    let ends = (dots.up(one) | !host.up(one)) & host;
    let may_end = if form.labels_end_alphanumeric { alphanumeric } else { !dots };
    let labels = ((begin & !alphanumeric) | (ends & !may_end)).equals(nothing);
    let first_fits = letters.at(start);
    // The lowest bit is at the beginning of the last label.
    let last_label = begin & (!begin).plus(one);
    let last_fits = (last_label & !letters).equals(nothing);
    let long = start.plus(backend.all(form.longest_label as u64)).is_less(end);
    let first = if form.first_begins_with_letter { first_fits } else { u8::MAX };
    let last = if form.last_begins_with_letter { last_fits } else { u8::MAX };
    labels & !long & first & last
}
