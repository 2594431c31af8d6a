//! The form that nearly every URL has:
//! `scheme "://" host [ "/" path ] [ "?" query ] [ "#" fragment ]`.
//!
//! The swift reader with nothing in the way: each component is read to the first octet that may
//! not stand in it, which must be the delimiter of the next one. What is not of this form is
//! `None`, and left to the rest of [`super::swift`].

use super::cut;
use super::swift::Reader;
use crate::octet::{Class, Map};
use crate::part::Parts;

impl<M: Map> Reader<'_, M> {
    /// The parts of a valid text of this form.
    ///
    /// The octets begin with the text and may go on behind it with a separator.
    #[inline(always)]
    pub(super) fn common(&self) -> Option<Parts> {
        let len = self.map.len();
        // "URL:" is no scheme where it is a prefix.
        if cut::prefix(self.octets, self.edition) > 0 {
            return None;
        }
        let scheme_end = self.map.past(Class::Scheme, 0);
        let host_start = scheme_end + 3;
        if self.octets.get(scheme_end..host_start) != Some(b"://") {
            return None;
        }
        if !self.edition.table.holds(Class::SchemeStart, self.octets[0]) {
            return None;
        }
        let host_end = self.map.past(Class::Host, host_start);
        // Nearly always a path follows.
        if self.at(host_end) != Some(b'/') && host_end != len && !self.ends_authority(host_end) {
            return None;
        }
        let host_kind = self.host(host_start, host_end, self.edition.server.may_be_empty)?;
        let path_end = self.map.past(Class::Path, host_end);
        let query_end = match self.at(path_end) {
            _ if path_end == len => len,
            Some(b'?') => self.query(path_end + 1)?,
            Some(b'#') => path_end,
            _ => return None,
        };
        if query_end != len && self.map.past(Class::Fragment, query_end + 1) != len {
            return None;
        }
        if !self.map.escapes_are_whole() {
            return None;
        }
        Some(Parts {
            scheme_end: scheme_end as u32,
            host_start: host_start as u32,
            host_end: host_end as u32,
            path_start: host_end as u32,
            path_end: path_end as u32,
            query_end: query_end as u32,
            len: len as u32,
            start: 0,
            has_authority: true,
            host_kind,
        })
    }

    #[cold]
    fn ends_authority(&self, index: usize) -> bool {
        matches!(self.at(index), Some(b'?' | b'#'))
    }
}
