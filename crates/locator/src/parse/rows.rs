//! The fast path for eight rows at once: makes the same checks as [`super::fast`], on the codes of
//! eight blocks and without branches.
//!
//! A row that is not accepted may still be on the fast path of one text: it is left to that reader.

use super::names;
use crate::edition::Edition;
use crate::simd::{BLOCK, Bit, ByteCategory, Class, Codes, RowKernel, U64x8};
use crate::span::HostKind;

/// The number of rows that are read together.
pub(crate) const ROWS: usize = 64;

/// The positions of the components of rows on the fast path, relative to the start of each row.
#[derive(Debug)]
pub(crate) struct Rows {
    /// A bit for each row that is on the fast path.
    pub(crate) common: u64,
    pub(crate) scheme_end: [u32; ROWS],
    pub(crate) host_end: [u32; ROWS],
    pub(crate) path_end: [u32; ROWS],
    pub(crate) query_end: [u32; ROWS],
    /// The numbers of [`HostKind`]s.
    pub(crate) host_kind: [u32; ROWS],
    going_on: GoingOn,
}

/// The rows whose first block is valid and that continue; the eight elements after them are
/// undefined.
#[derive(Debug)]
struct GoingOn {
    count: usize,
    columns: [[u32; ROWS + 8]; 5],
}

/// The starts and lengths of eight rows.
pub(crate) struct Places<'a, const N: usize> {
    pub(crate) buffer: &'a [u8],
    pub(crate) starts: &'a [u32; N],
    pub(crate) lengths: &'a [u32; N],
}

/// The positions before the path in eight rows.
struct Heads<E> {
    scheme: E,
    host: E,
    /// The rows whose host is empty.
    empty: u8,
    /// The rows that are valid so far.
    right: u8,
}

/// The current positions of eight rows in a block.
struct Place<E> {
    /// The number of octets from the start of the block to the end of the row.
    left: E,
    from: E,
    /// The rows that are in their query; the others are in their path.
    in_query: u8,
    /// The octets that must be hex digits because of an escape that begins before the block.
    digits: E,
}

/// The ends of the components of eight rows in a block.
struct Tails<E> {
    path: E,
    query: E,
    /// The rows that are valid and end in the block.
    right: u8,
    /// The rows that are valid up to the end of the block and continue.
    go_on: u8,
    /// The continuing rows that are in their query.
    in_query: u8,
    /// The octets of the next block that must be hex digits.
    digits: E,
}

impl Rows {
    pub(crate) const NONE: Self = Self {
        common: 0,
        scheme_end: [0; ROWS],
        host_end: [0; ROWS],
        path_end: [0; ROWS],
        query_end: [0; ROWS],
        host_kind: [0; ROWS],
        going_on: GoingOn { count: 0, columns: [[0; ROWS + 8]; 5] },
    };

    /// Reads `count` rows.
    #[inline(always)]
    pub(crate) fn read<M: RowKernel>(
        &mut self,
        backend: M,
        places: &Places<'_, ROWS>,
        count: usize,
        edition: &Edition,
    ) {
        self.common = 0;
        let (starts, lengths) = (places.starts.as_chunks().0, places.lengths.as_chunks().0);
        for (eight, (starts, lengths)) in starts.iter().zip(lengths).take(count.div_ceil(8)).enumerate() {
            self.read_eight(backend, &Places { buffer: places.buffer, starts, lengths }, eight, edition);
        }
        self.read_on(backend, places.buffer, edition);
    }

    #[inline(always)]
    fn read_eight<M: RowKernel>(
        &mut self,
        backend: M,
        places: &Places<'_, 8>,
        eight: usize,
        edition: &Edition,
    ) {
        let codes = backend.code(places.buffer, places.starts, &edition.table);
        let (left, nothing) = (backend.eight(places.lengths), backend.all(0));
        let heads = read_heads(backend, &codes, left, edition);
        let place = Place { left, from: heads.host, in_query: 0, digits: nothing };
        let tails = read_tails(backend, &codes, &place, edition);
        let kind = |kind: HostKind| backend.all(kind as u64);
        let kinds = kind(HostKind::Empty).or_where(heads.empty, kind(HostKind::Name));
        for (column, value) in [
            (&mut self.scheme_end, heads.scheme),
            (&mut self.host_end, heads.host),
            (&mut self.path_end, tails.path),
            (&mut self.query_end, tails.query),
            (&mut self.host_kind, kinds),
        ] {
            column.as_chunks_mut().0[eight] = value.numbers();
        }
        self.common |= u64::from(heads.right & tails.right) << (8 * eight);
        // Rows of more than two blocks are faster to read one by one.
        let go_on = heads.right & tails.go_on & left.is_less(backend.all(2 * BLOCK as u64));
        if go_on != 0 {
            let rows = backend.eight(&[0, 1, 2, 3, 4, 5, 6, 7]).plus(backend.all(8 * eight as u64));
            self.going_on.add(backend, go_on, rows, backend.eight(places.starts), left, &tails);
        }
    }

    /// Reads the second blocks of the rows that continue.
    #[inline(always)]
    fn read_on<M: RowKernel>(&mut self, backend: M, buffer: &[u8], edition: &Edition) {
        const BASE: u32 = BLOCK as u32;
        let count = core::mem::take(&mut self.going_on.count);
        for first in (0..count).step_by(8) {
            let [rows, starts, left, in_query, digits] = self.going_on.eight(first);
            let was_in_query = backend.eight(&in_query).equals(backend.all(1));
            let place = Place {
                left: backend.eight(&left),
                from: backend.all(0),
                in_query: was_in_query,
                digits: backend.eight(&digits).up(backend.all(32)),
            };
            let codes = backend.code(buffer, &starts, &edition.table);
            let tails = read_tails(backend, &codes, &place, edition);
            let (path, query) = (tails.path.numbers(), tails.query.numbers());
            for i in 0..(count - first).min(8) {
                let row = rows[i] as usize;
                let path_end = &mut self.path_end[row];
                *path_end = if was_in_query >> i & 1 == 1 { *path_end } else { BASE + path[i] };
                self.query_end[row] = BASE + query[i];
                self.common |= u64::from(tails.right >> i & 1) << row;
            }
        }
    }
}

impl GoingOn {
    /// Appends rows whose blocks began at `starts`, with their remaining lengths.
    #[inline(always)]
    fn add<M: RowKernel>(
        &mut self,
        backend: M,
        which: u8,
        rows: M::Eight,
        starts: M::Eight,
        left: M::Eight,
        tails: &Tails<M::Eight>,
    ) {
        let block = backend.all(BLOCK as u64);
        let minus_block = backend.all((BLOCK as u64).wrapping_neg());
        let in_query = backend.all(1).or_where(tails.in_query, backend.all(0));
        // The highest bits of the digits are sufficient.
        let digits = tails.digits.down(backend.all(32));
        let values = [rows, starts.plus(block), left.plus(minus_block), in_query, digits];
        for (column, value) in self.columns.iter_mut().zip(values) {
            if let Some(eight) = column[self.count..].first_chunk_mut() {
                *eight = value.pack(which);
            }
        }
        self.count += which.count_ones() as usize;
    }

    /// Returns for eight rows from `first` on: their indices, the starts of their second blocks,
    /// the remaining lengths, whether they are in their query, and the octets that must be hex
    /// digits.
    #[inline(always)]
    fn eight(&self, first: usize) -> [[u32; 8]; 5] {
        self.columns.each_ref().map(|column| *column[first..].first_chunk().unwrap_or(&[0; 8]))
    }
}

/// Reads scheme ":" "//" host; the row then ends, or a path, a query or a fragment begins.
#[inline(always)]
fn read_heads<M: RowKernel>(
    backend: M,
    codes: &Codes<M::Eight>,
    left: M::Eight,
    edition: &Edition,
) -> Heads<M::Eight> {
    let (nothing, one, two) = (backend.all(0), backend.all(1), backend.all(2));
    let inside = left.before();
    let slash = codes.category(ByteCategory::SLASH);
    let digit = codes.category(ByteCategory::DIGIT);

    let scheme = (codes.bit(Bit::SCHEME) & inside).past(nothing);
    let letter = (codes.category(ByteCategory::LETTER) | codes.category(ByteCategory::HEX_LETTER)).highest();
    let begins = if edition.table.contains(Class::SCHEME_START, b'0') { u8::MAX } else { letter };
    // "URL" is not allowed as a scheme if "URL:" is a prefix.
    let prefix = edition.prefix().map_or(0, |prefix| prefix.len() as u64 - 1);
    let is_none = scheme.equals(nothing) | scheme.equals(backend.all(prefix));
    let marks = codes.category(ByteCategory::COLON) & slash.up(one) & slash.up(two) & inside;

    let host_start = scheme.plus(backend.all(3));
    let host = (codes.bit(Bit::HOST) & inside).past(host_start);
    let empty = host.equals(host_start);
    // Of the octets that may follow, only "/" is allowed in a path. Possible IPv4 addresses are
    // left to the other reader.
    let follows = (slash | !(codes.bit(Bit::PATH) & inside)).at(host) & !digit.at(host_start);
    let named = if edition.server.may_be_empty { u8::MAX } else { !empty };
    // If a user may contain "?", the text taken for the host may be the beginning of a user.
    let ends = match edition.server.user_may_contain_question_mark {
        true => !codes.category(ByteCategory::QUESTION_MARK).at(host),
        false => u8::MAX,
    };
    let right = begins & !is_none & marks.at(scheme) & follows & named & ends;
    let right = match &edition.server.name {
        Some(form) => right & (empty | names::fit(backend, codes, form, host_start, host)),
        None => right,
    };
    Heads { scheme, host, empty, right }
}

/// Reads `[ "/" path ] [ "?" query ]`.
#[inline(always)]
fn read_tails<M: RowKernel>(
    backend: M,
    codes: &Codes<M::Eight>,
    place: &Place<M::Eight>,
    edition: &Edition,
) -> Tails<M::Eight> {
    let (nothing, one, two) = (backend.all(0), backend.all(1), backend.all(2));
    let Place { left, from, in_query: was_in_query, digits } = *place;
    let inside = left.before();
    let block = backend.all(BLOCK as u64);

    let path = from.or_where(was_in_query, (codes.bit(Bit::PATH) & inside).past(from));
    let question = (codes.category(ByteCategory::QUESTION_MARK) & inside).at(path) & !was_in_query;
    let in_query = question | was_in_query;
    let query_start = path.plus(one).or_where(question, path);
    let query = (codes.bit(Bit::QUERY) & inside).past(query_start).or_where(in_query, path);

    // escape = "%" HEXDIG HEXDIG
    let hex = (codes.category(ByteCategory::HEX_LETTER) | codes.category(ByteCategory::DIGIT)) & inside;
    let percent = codes.category(ByteCategory::PERCENT) & inside;
    let whole = ((percent.down(one) | percent.down(two) | digits) & !hex).equals(nothing);

    let right = whole & if edition.query_is_words { !in_query } else { u8::MAX };
    let goes_on = query.equals(block);
    Tails {
        path,
        query,
        right: right & query.equals(left) & !goes_on,
        go_on: right & goes_on,
        in_query,
        digits: percent.up(backend.all(63)) | percent.up(backend.all(62)),
    }
}
