//! The machine room: octets in, bitmaps out.
//!
//! An edition is a [`Table`] that tells for every octet in which classes it is. The room
//! answers every question of the parser ("where is the first octet of these classes", "is
//! every octet of this stretch in that class") from bitmaps, 64 octets at a time; a
//! [`Machine`] is one way of making them, and [`dispatch`] chooses it. Nothing here knows
//! what a URL is.

mod map;
mod plain;
mod set;
mod table;

pub(crate) use map::{Long, Map, Short};
pub use set::Set;
pub(crate) use table::{Class, Classes, Sets, Table};

/// How many octets one bitmap tells of.
pub(crate) const BLOCK: usize = 64;

/// One way of classifying octets: this is the seam.
///
/// For every machine the same block gives the same bitmaps: bit i of a bitmap is set if
/// octet i of the block is in one of the classes asked for, and never beyond its length.
pub(crate) trait Machine: Copy {
    /// A block as the machine likes to have it: registers, or bitmaps made beforehand.
    type Block: Copy;

    /// Takes in at most [`BLOCK`] octets.
    fn load(self, octets: &[u8], table: &Table) -> Self::Block;

    /// The bitmap of the octets that are in one of the classes.
    fn bitmap(self, block: Self::Block, table: &Table, classes: Classes) -> u64;
}

/// Something to be done on whatever machine there is.
pub(crate) trait Work {
    /// What comes out.
    type Output;

    /// Does it on this machine.
    fn run<M: Machine>(self, machine: M) -> Self::Output;
}

/// Does the work on the best machine there is.
#[inline]
pub(crate) fn dispatch<W: Work>(work: W) -> W::Output {
    work.run(plain::Plain)
}
