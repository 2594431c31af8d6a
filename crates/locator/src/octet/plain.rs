//! The machine that is on every machine: safe Rust, eight octets at a time.

use super::table::GROUPS;
use super::{BLOCK, Class, Machine, Table};

/// Bitmaps made by looking every octet up in the table, and turning eight entries (a row an
/// octet, a column a class) into eight columns at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain;

impl Machine for Plain {
    /// The bitmap of each class.
    type Block = [u64; 8 * GROUPS];

    #[inline(always)]
    fn load(self, octets: &[u8], table: &Table) -> Self::Block {
        let mut block = [0; 8 * GROUPS];
        for (group, entries) in table.groups.iter().enumerate() {
            for (row, eight) in octets[..octets.len().min(BLOCK)].chunks(8).enumerate() {
                let mut rows = [0; 8];
                for (entry, &octet) in rows.iter_mut().zip(eight) {
                    *entry = if octet < 128 { entries[usize::from(octet)] } else { 0 };
                }
                let columns = transpose(u64::from_le_bytes(rows)).to_le_bytes();
                for (class, column) in columns.into_iter().enumerate() {
                    block[8 * group + class] |= u64::from(column) << (8 * row);
                }
            }
        }
        block
    }

    #[inline(always)]
    fn bitmap(self, block: Self::Block, _: &Table, class: Class) -> u64 {
        block[class as usize]
    }
}

/// Turns a matrix of 8 by 8 bits, rows being octets, over its diagonal.
fn transpose(rows: u64) -> u64 {
    // Swaps ever larger squares: single bits, squares of 2, squares of 4.
    let swap = |x: u64, by: u32, mask: u64| {
        let differing = (x ^ (x >> by)) & mask;
        x ^ differing ^ (differing << by)
    };
    let x = swap(rows, 7, 0x00AA_00AA_00AA_00AA);
    let x = swap(x, 14, 0x0000_CCCC_0000_CCCC);
    swap(x, 28, 0x0000_0000_F0F0_F0F0)
}
