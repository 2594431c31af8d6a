//! The machine that is on every machine: safe Rust, eight octets at a time.

use super::{BLOCK, Class, Machine, Table};

/// Bitmaps made by looking every octet up in the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain;

/// Eight rows of eight octets, looked up in the table's first group, and the octets themselves for
/// the rare questions about another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'t> {
    /// Octet c of `rows[r]` is the bitmap of class c for octets 8r to 8r + 7.
    rows: [u64; BLOCK / 8],
    octets: &'t [u8],
}

impl Machine for Plain {
    type Block<'t> = Rows<'t>;

    #[inline(always)]
    fn load<'t>(self, octets: &'t [u8], table: &Table) -> Rows<'t> {
        let octets = &octets[..octets.len().min(BLOCK)];
        let mut rows = [0; BLOCK / 8];
        let (eights, rest) = octets.as_chunks::<8>();
        for (row, eight) in rows.iter_mut().zip(eights) {
            *row = look_up(eight, table);
        }
        if let Some(row) = rows.get_mut(eights.len()) {
            *row = look_up(rest, table);
        }
        Rows { rows, octets }
    }

    #[inline(always)]
    fn bitmap(self, block: Rows<'_>, table: &Table, class: Class) -> u64 {
        let class_number = class as usize;
        if class_number < 8 {
            let column = block.rows.map(|row| row.to_le_bytes()[class_number]);
            return u64::from_le_bytes(column);
        }
        let in_class = |all: u64, &octet: &u8| all << 1 | u64::from(table.holds(class, octet));
        block.octets.iter().rev().fold(0, in_class)
    }
}

/// At most eight octets as a row.
#[inline(always)]
fn look_up(octets: &[u8], table: &Table) -> u64 {
    octets.iter().rev().fold(0, |row, &octet| row << 1 | table.first_group[usize::from(octet)])
}
