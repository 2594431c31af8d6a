//! The fast path for eight rows at once: makes the same checks as [`super::fast`], on the codes of
//! eight blocks and without branches.
//!
//! A row that is not accepted may still be on the fast path of one text: it is left to that reader.

use crate::edition::{Edition, Name};
use crate::simd::{BLOCK, Bit, ByteCategory, Class, Codes, RowKernel, U64x8};
use crate::span::HostKind;

/// The number of rows that are read together.
pub(crate) const ROWS: usize = 64;

/// The positions of the components of rows on the fast path, relative to the start of each row.
#[derive(Debug)]
pub(crate) struct Rows {
    /// A bit for each row that is on the fast path, in an octet for each eight.
    common: [u8; ROWS / 8],
    going_on: GoingOn,
    ends: [Ends; ROWS],
}

/// The positions in a row of less than two blocks, packed: from the lowest bit, seven bits for the
/// end of the scheme, one for whether the host is a name (otherwise it is empty), and eight each for
/// the end of the host, of the path and of the query. Packed numbers of eight rows are written at
/// once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends(u32);

/// The rows whose first block is valid and that continue. There is a bit for each row, in an octet
/// for each eight.
#[derive(Clone, Copy, Debug)]
struct GoingOn {
    rows: [u8; ROWS / 8],
    /// Those that are in their query.
    in_query: [u8; ROWS / 8],
    /// Those with a "%" in the last octet of the block, whose digits are in the next one.
    last: [u8; ROWS / 8],
    /// Those with a "%" in the last octet but one.
    last_but_one: [u8; ROWS / 8],
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
struct RowPositions<E> {
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
    /// The "%" in the block.
    percent: E,
}

impl Ends {
    /// Packs the positions of eight rows; `empty` are those whose host is empty.
    #[inline(always)]
    fn pack<M: RowKernel>(backend: M, heads: &Heads<M::Eight>, tails: &Tails<M::Eight>) -> [u32; 8] {
        let [name, host, path, query] = [7, 8, 16, 24].map(|bit| backend.all(bit));
        let named = backend.all(0).or_where(heads.empty, backend.all(1)).up(name);
        (heads.scheme | named | heads.host.up(host) | (tails.path.up(path) | tails.query.up(query))).numbers()
    }

    #[inline(always)]
    pub(crate) const fn scheme(self) -> u32 {
        self.0 & 0x7F
    }

    #[inline(always)]
    pub(crate) const fn host_kind(self) -> HostKind {
        if self.0 & 0x80 == 0 { HostKind::Empty } else { HostKind::Name }
    }

    #[inline(always)]
    pub(crate) const fn host(self) -> u32 {
        self.0 >> 8 & 0xFF
    }

    #[inline(always)]
    pub(crate) const fn path(self) -> u32 {
        self.0 >> 16 & 0xFF
    }

    #[inline(always)]
    pub(crate) const fn query(self) -> u32 {
        self.0 >> 24
    }

    /// Replaces the ends of the path and the query.
    #[inline(always)]
    const fn with_tail(self, path: u32, query: u32) -> Self {
        Self(self.0 & 0xFFFF | path << 16 | query << 24)
    }
}

impl Rows {
    pub(crate) const NONE: Self = Self {
        common: [0; ROWS / 8],
        ends: [Ends(0); ROWS],
        going_on: GoingOn {
            rows: [0; ROWS / 8],
            in_query: [0; ROWS / 8],
            last: [0; ROWS / 8],
            last_but_one: [0; ROWS / 8],
        },
    };

    /// Returns a bit for each row that is on the fast path.
    #[inline(always)]
    pub(crate) const fn common(&self) -> u64 {
        u64::from_le_bytes(self.common)
    }

    /// Returns the ends of the components of each row; those of rows that are not on the fast path
    /// are undefined.
    #[inline(always)]
    pub(crate) const fn ends(&self) -> &[Ends; ROWS] {
        &self.ends
    }

    /// Reads `count` rows.
    #[inline(always)]
    pub(crate) fn read<M: RowKernel>(
        &mut self,
        backend: M,
        places: &Places<'_, ROWS>,
        count: usize,
        edition: &Edition,
    ) {
        (self.common, self.going_on) = (Self::NONE.common, Self::NONE.going_on);
        let (starts, lengths) = (places.starts.as_chunks().0, places.lengths.as_chunks().0);
        for (eight, (starts, lengths)) in starts.iter().zip(lengths).take(count.div_ceil(8)).enumerate() {
            self.read_eight(backend, &Places { buffer: places.buffer, starts, lengths }, eight, edition);
        }
        if self.going_on.rows != [0; ROWS / 8] {
            self.read_on(backend, places, edition);
        }
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
        let place = RowPositions { left, from: heads.host, in_query: 0, digits: nothing };
        let tails = read_tails(backend, &codes, &place, edition);
        for (ends, packed) in
            self.ends.as_chunks_mut::<8>().0[eight].iter_mut().zip(Ends::pack(backend, &heads, &tails))
        {
            *ends = Ends(packed);
        }
        self.common[eight] = heads.right & tails.right;
        // Rows of more than two blocks are faster to read one by one.
        let is_short = left.is_less(backend.all(2 * BLOCK as u64));
        self.going_on.rows[eight] = heads.right & tails.go_on & is_short;
        self.going_on.in_query[eight] = tails.in_query;
        self.going_on.last[eight] = tails.percent.up(backend.all(63)).highest();
        self.going_on.last_but_one[eight] = tails.percent.up(backend.all(62)).highest();
    }

    /// Reads the second blocks of the rows that continue.
    #[inline(always)]
    fn read_on<M: RowKernel>(&mut self, backend: M, places: &Places<'_, ROWS>, edition: &Edition) {
        const BASE: u32 = BLOCK as u32;
        let on = self.going_on;
        let (mut rows, mut starts, mut left) = ([0; ROWS], [0; ROWS], [0; ROWS]);
        let (mut rest, mut count) = (u64::from_le_bytes(on.rows), 0);
        while rest != 0 {
            let row = rest.trailing_zeros() as usize;
            (rows[count], starts[count], left[count]) =
                (row, places.starts[row] + BASE, places.lengths[row] - BASE);
            count += 1;
            rest &= rest - 1;
        }
        let (mut in_query, mut last, mut last_but_one) = on.packed();
        let chunks =
            rows.as_chunks::<8>().0.iter().zip(starts.as_chunks::<8>().0).zip(left.as_chunks::<8>().0);
        for ((rows, starts), left) in chunks.take(count.div_ceil(8)) {
            let (nothing, highest) = (backend.all(0), backend.all(1 << 63));
            let was_in_query = in_query as u8;
            let digits = highest.or_where((last | last_but_one) as u8, nothing)
                | highest.down(backend.all(1)).or_where(last as u8, nothing);
            let place =
                RowPositions { left: backend.eight(left), from: nothing, in_query: was_in_query, digits };
            let codes = backend.code(places.buffer, starts, &edition.table);
            let tails = read_tails(backend, &codes, &place, edition);
            let (path, query) = (tails.path.numbers(), tails.query.numbers());
            for i in 0..count.min(8) {
                let ends = &mut self.ends[rows[i]];
                let path = if was_in_query >> i & 1 == 1 { ends.path() } else { BASE + path[i] };
                *ends = ends.with_tail(path, BASE + query[i]);
                self.common[rows[i] / 8] |= (tails.right >> i & 1) << (rows[i] % 8);
            }
            count = count.saturating_sub(8);
            (in_query, last, last_but_one) = (in_query >> 8, last >> 8, last_but_one >> 8);
        }
    }
}

impl GoingOn {
    /// Returns for each continuing row, without gaps: whether it is in its query, and whether a "%"
    /// is in the last octet of its block, or in the last but one.
    #[inline(always)]
    fn packed(self) -> (u64, u64, u64) {
        // There are few of each: the loop ends after the last one.
        let pack = |bits: [u8; ROWS / 8]| {
            let bits = u64::from_le_bytes(bits);
            let (mut rest, mut packed, mut at) = (u64::from_le_bytes(self.rows), 0, 0);
            while rest & bits != 0 {
                packed |= (bits >> rest.trailing_zeros() & 1) << at;
                at += 1;
                rest &= rest - 1;
            }
            packed
        };
        (pack(self.in_query), pack(self.last), pack(self.last_but_one))
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
        Some(form) => right & (empty | fitting_names(backend, codes, form, host_start, host)),
        None => right,
    };
    Heads { scheme, host, empty, right }
}

/// Reads `[ "/" path ] [ "?" query ]`.
#[inline(always)]
fn read_tails<M: RowKernel>(
    backend: M,
    codes: &Codes<M::Eight>,
    place: &RowPositions<M::Eight>,
    edition: &Edition,
) -> Tails<M::Eight> {
    let (nothing, one, two) = (backend.all(0), backend.all(1), backend.all(2));
    let RowPositions { left, from, in_query: was_in_query, digits } = *place;
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
        percent,
    }
}

/// Returns the rows whose host is certainly a valid name: it accepts only names that
/// [`super::host::name_error_position`] accepts.
#[inline(always)]
fn fitting_names<M: RowKernel>(
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
