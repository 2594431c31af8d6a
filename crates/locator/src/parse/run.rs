//! The swift reader on whatever machine there is: for a text, for a row of many, and, outside of
//! the way of both, for what is long or rare.

use super::swift::Reader;
use super::wrong::Wrong;
use crate::edition::Edition;
use crate::error::Error;
use crate::octet::{self, BLOCK, Bitmaps, Blocks, Long, Machine, Short, Work};
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
            Ok(parts) => Ok(make(text, parts, edition)),
            Err(Some(wrong)) => Err(wrong.error(octets, edition)),
            Err(None) => read_text(text, edition, make),
        }
    }
}

/// The parts of a text if it is of the common form.
///
/// # Errors
///
/// What is wrong, if that is plain to see.
#[inline(always)]
pub(crate) fn read_value<M: Machine>(
    machine: M,
    octets: &[u8],
    edition: &'static Edition,
) -> Result<Parts, Option<Wrong>> {
    if octets.len() >= u32::MAX as usize {
        return Err(None);
    }
    let table = &edition.table;
    let block = machine.load(octets, table);
    if octets.len() >= BLOCK {
        let map = Short::of_block(machine, block, table, BLOCK);
        return Reader { map, octets, edition }.common(Blocks::new(machine, octets, table, block));
    }
    let reader = Reader { map: Short::of_block(machine, block, table, octets.len()), octets, edition };
    reader.common(&reader.map)
}

/// A text that is rare or wrong.
#[inline(never)]
fn read_text<'a, T>(
    text: &'a str,
    edition: &'static Edition,
    make: impl Fn(&'a str, Parts, &'static Edition) -> T,
) -> Result<T, Error> {
    read_more(text, edition).map(|parts| make(text, parts, edition))
}

/// Reads what is rare or wrong, by the same reader with all it has, and what is wrong by the plain one.
#[inline(never)]
pub(crate) fn read_more(text: &str, edition: &'static Edition) -> Result<Parts, Error> {
    let octets = text.as_bytes();
    let mut map = Bitmaps::EMPTY;
    if octets.len() < BLOCK && map.fill(octets, &edition.table) {
        return Reader { map: &map, octets, edition }.read();
    }
    match octet::dispatch(ReadMore { octets, edition }) {
        Some(parts) => Ok(parts),
        None => super::read_const(text, edition),
    }
}

struct ReadMore<'a> {
    octets: &'a [u8],
    edition: &'static Edition,
}

impl Work for ReadMore<'_> {
    type Output = Option<Parts>;

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) -> Option<Parts> {
        let ReadMore { octets, edition } = self;
        if octets.len() >= u32::MAX as usize {
            return None;
        }
        let map = Long::new(machine, octets, &edition.table);
        Reader { map, octets, edition }.reference()
    }

    /// The plain reader is as fast octet by octet.
    #[inline(always)]
    fn run_plain(self) -> Option<Parts> {
        None
    }
}
