//! The backend that is available on every processor: safe Rust, eight octets at a time.

use super::eight::OctetByOctet;
use super::{BLOCK, Backend, Class, Table};

/// The backend that looks up every octet in the table.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

/// Eight rows of eight octets, looked up in the table's first group, and the octets themselves for
/// the rare searches of another group.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'t> {
    /// Octet c of `rows[r]` is the bitmap of class c for octets 8r to 8r + 7.
    rows: [u64; BLOCK / 8],
    octets: &'t [u8],
}

impl Backend for Plain {
    type Block<'t> = Rows<'t>;
    type Eights = OctetByOctet;

    /// Not inlined: it is long, and there are many uses.
    #[inline(never)]
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
    fn bitmap(self, block: &Rows<'_>, table: &Table, class: Class) -> u64 {
        let class_number = class.number();
        if class_number < 8 {
            let column = block.rows.map(|row| row.to_le_bytes()[class_number]);
            return u64::from_le_bytes(column);
        }
        bitmap_of_rare(block.octets, table, class)
    }

    /// Not inlined, as `load` is not.
    #[inline(never)]
    fn equal(self, block: &Rows<'_>, octet: u8) -> u64 {
        let mut bitmap = 0;
        let (eights, rest) = block.octets.as_chunks::<8>();
        for (row, &eight) in eights.iter().enumerate() {
            bitmap |= zeros(u64::from_le_bytes(eight) ^ (EACH * u64::from(octet))) << (8 * row);
        }
        bitmap | gather(rest, |other| other == octet).unbounded_shl(8 * eights.len() as u32)
    }

    #[inline(always)]
    fn eights(self) -> OctetByOctet {
        OctetByOctet
    }
}

/// The lowest bit of each octet.
const EACH: u64 = 0x0101_0101_0101_0101;

/// Returns the bitmap of the octets that are 0.
#[inline(always)]
fn zeros(octets: u64) -> u64 {
    const LOW: u64 = 0x7F * EACH;
    // The highest bit of an octet stays clear only where none of its bits is set.
    let zeros = !((octets & LOW).wrapping_add(LOW) | octets | LOW);
    // Gathers eight bits that are eight apart in the highest octet.
    (zeros >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Returns the bitmap of a class that is not in the first group.
#[inline(never)]
fn bitmap_of_rare(octets: &[u8], table: &Table, class: Class) -> u64 {
    gather(octets, |octet| table.contains(class, octet))
}

/// Returns a bitmap, octet by octet.
#[inline(always)]
fn gather(octets: &[u8], find: impl Fn(u8) -> bool) -> u64 {
    octets.iter().rev().fold(0, |all, &octet| all << 1 | u64::from(find(octet)))
}

/// Loads at most eight octets as a row.
#[inline(always)]
fn look_up(octets: &[u8], table: &Table) -> u64 {
    octets.iter().rev().fold(0, |row, &octet| row << 1 | table.first_group[usize::from(octet)])
}
