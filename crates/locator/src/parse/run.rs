//! The swift reader on whatever machine there is: for a text, for a row of many, and, outside of
//! the way of both, for what is long or rare.

use super::swift::Reader;
use crate::edition::Edition;
use crate::error::Error;
use crate::octet::{self, BLOCK, Long, Machine, Short, Table, Work};
use crate::part::Parts;

/// A text to be read, and what is made of its parts: made where they are found, so that they are
/// not carried about.
pub(super) struct Read<'a, F> {
    pub(super) text: &'a str,
    pub(super) edition: &'static Edition,
    pub(super) make: F,
}

impl<'a, T, F> Work for Read<'a, F>
where
    F: Fn(&'a str, Parts, &'static Edition) -> T,
{
    type Output = Result<T, Error>;

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) -> Result<T, Error> {
        let Read { text, edition, make } = self;
        let octets = text.as_bytes();
        match read_value(machine, octets, edition) {
            Some(parts) => Ok(make(text, parts, edition)),
            None => read_text(text, edition, make),
        }
    }
}

/// The parts of a text if it is of the common form.
#[inline(always)]
pub(crate) fn read_value<M: Machine>(machine: M, octets: &[u8], edition: &'static Edition) -> Option<Parts> {
    if octets.len() >= u32::MAX as usize {
        return None;
    }
    if octets.len() >= BLOCK {
        let map = Long::new(machine, octets, &edition.table);
        return Reader { map, octets, edition }.common();
    }
    let map = Short::new(machine, octets, &edition.table);
    Reader { map, octets, edition }.common()
}

/// A text that is long, rare or wrong.
#[inline(never)]
fn read_text<'a, T>(
    text: &'a str,
    edition: &'static Edition,
    make: impl Fn(&'a str, Parts, &'static Edition) -> T,
) -> Result<T, Error> {
    match read_more(text.as_bytes(), edition, |parts| make(text, parts, edition)) {
        Some(made) => Ok(made),
        None => super::read_plainly(text, edition).map(|parts| make(text, parts, edition)),
    }
}

/// Reads what is long or rare, by the same reader with all it has; `None` as there.
#[inline]
pub(crate) fn read_more<T>(
    octets: &[u8],
    edition: &'static Edition,
    make: impl FnOnce(Parts) -> T,
) -> Option<T> {
    octet::dispatch(ReadMore { octets, edition, make })
}

struct ReadMore<'a, F> {
    octets: &'a [u8],
    edition: &'static Edition,
    make: F,
}

impl<T, F: FnOnce(Parts) -> T> Work for ReadMore<'_, F> {
    type Output = Option<T>;

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) -> Option<T> {
        let ReadMore { octets, edition, make } = self;
        if octets.len() >= u32::MAX as usize {
            return None;
        }
        let map = Long::new(machine, octets, &edition.table);
        Reader { map, octets, edition }.reference().map(make)
    }
}

/// The row at the beginning of `rest`: how long it is up to the separator, and its parts if it is
/// of the common form.
#[inline(always)]
pub(crate) fn read_row<M: Machine>(
    machine: M,
    rest: &[u8],
    separator: u8,
    edition: &'static Edition,
    table: &Table,
) -> (usize, Option<Parts>) {
    let block = match rest.first_chunk() {
        Some(whole) => machine.load_whole(whole, table),
        None => machine.load(rest, table),
    };
    let end = machine.equal(block, separator).trailing_zeros() as usize;
    let len = if end < BLOCK {
        end
    } else if rest.len() < BLOCK {
        rest.len()
    } else {
        let len = Long::of_block(machine, block, rest, table).find_octet(separator, BLOCK);
        let octets = &rest[..len];
        let map = Long::of_block(machine, block, octets, table);
        return (len, Reader { map, octets, edition }.common());
    };
    let map = Short::of_block(machine, block, table, len);
    (len, Reader { map, octets: rest, edition }.common())
}
