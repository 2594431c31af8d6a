//! Classes of octets in a text, as one table for the SIMD module, and the bitmaps of a block.

use crate::edition::rfc3986::UNRESERVED;
use crate::simd::{AsciiSet, BLOCK, Backend, Class, Table, WithBackend, dispatch};

/// The octets of a host that is a name or an IPv4 address.
pub(super) const NAME: AsciiSet = UNRESERVED;
const IN_NAME: Class = Class::of(0);

/// Octets of a URL that need no check: no bracket, no quote, no escape, and no colon, which may
/// belong to another URL.
const PLAIN: AsciiSet = NAME.union(AsciiSet::of(b"/?#@!$&+,;="));
const IN_PLAIN: Class = Class::of(1);

pub(super) static TABLE: Table = Table::new(&[(IN_NAME, NAME), (IN_PLAIN, PLAIN)], [0; 128]);

/// The bitmaps of a block of a text, of at most [`BLOCK`] octets. Nothing else of a URL depends on
/// the SIMD backend, so all other code is compiled once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Classified {
    /// The octets of a host that is a name or an IPv4 address.
    pub(super) name: u64,
    /// The octets of a URL that need no check.
    pub(super) plain: u64,
}

impl Classified {
    /// Classifies the first octets of a text, where a backend is known.
    #[inline(always)]
    pub(super) fn new<M: Backend>(backend: M, octets: &[u8]) -> Self {
        let block = match octets.first_chunk::<BLOCK>() {
            Some(whole) => backend.load(whole, &TABLE),
            None => backend.load(octets, &TABLE),
        };
        let bitmap = |class| backend.bitmap(&block, &TABLE, class);
        Self { name: bitmap(IN_NAME), plain: bitmap(IN_PLAIN) }
    }

    /// Returns the first block from `from` on that has an octet that needs a check or, if `of_name`
    /// is set, that is not of a name: its start and its bitmaps. At the end the block is not whole.
    pub(super) fn first_other(octets: &[u8], from: usize, of_name: bool) -> (usize, Self) {
        dispatch(FirstOther { octets, from, of_name })
    }
}

/// The search for a block that ends a run of octets.
struct FirstOther<'t> {
    octets: &'t [u8],
    from: usize,
    of_name: bool,
}

impl WithBackend for FirstOther<'_> {
    type Output = (usize, Classified);

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> (usize, Classified) {
        let class = if self.of_name { IN_NAME } else { IN_PLAIN };
        let mut start = self.from;
        while let Some(whole) = self.octets.get(start..).and_then(|rest| rest.first_chunk::<BLOCK>()) {
            let block = backend.load(whole, &TABLE);
            if backend.bitmap(&block, &TABLE, class) != u64::MAX {
                break;
            }
            start += BLOCK;
        }
        (start, Classified::new(backend, self.octets.get(start..).unwrap_or_default()))
    }
}
