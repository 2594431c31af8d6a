//! NEON: a block is four registers, loaded as far as the text goes.

use core::arch::aarch64::{
    uint8x16_t, vaddv_u8, vandq_u8, vceqq_u8, vdupq_n_u8, vget_high_u8, vget_low_u8, vld1q_u8, vqtbl1q_u8,
    vshrq_n_u8, vtstq_u8,
};

use super::eight::OctetByOctet;
use super::{BLOCK, Backend, Class, Table, WithBackend};

/// The number of octets in a register.
const QUARTER: usize = 16;

/// The NEON backend, available on every AArch64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon;

/// Octets, their low nibbles, and the bit of the high nibble of each in [`Table::nibbles`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nibbles {
    octets: uint8x16_t,
    low: uint8x16_t,
    high: uint8x16_t,
}

/// Runs the operation with NEON.
#[inline(always)]
pub(super) fn run<W: WithBackend>(work: W) -> W::Output {
    work.run(Neon)
}

impl Backend for Neon {
    type Block<'t> = [Nibbles; BLOCK / QUARTER];
    type Eights = OctetByOctet;

    /// Not inlined, as `bitmap` is not: four registers make each use long, and there are many uses.
    #[inline(never)]
    fn load<'t>(self, octets: &'t [u8], _: &Table) -> Self::Block<'t> {
        core::array::from_fn(|quarter| {
            let rest = octets.get(QUARTER * quarter..).unwrap_or_default();
            let sixteen = rest.first_chunk().copied().unwrap_or_else(|| {
                // An octet of no class.
                let mut sixteen = [0xFF; QUARTER];
                sixteen[..rest.len()].copy_from_slice(rest);
                sixteen
            });
            nibbles(&sixteen)
        })
    }

    #[inline(never)]
    fn bitmap(self, block: &Self::Block<'_>, table: &Table, class: Class) -> u64 {
        // SAFETY: every AArch64 has NEON; 16 octets are read from an array of 16.
        let row = unsafe { vld1q_u8(table.nibbles[class.number()].as_ptr()) };
        // SAFETY: every AArch64 has NEON.
        gather(block, |nibbles| unsafe { vtstq_u8(vqtbl1q_u8(row, nibbles.low), nibbles.high) })
    }

    #[inline(always)]
    fn equal(self, block: &Self::Block<'_>, octet: u8) -> u64 {
        // SAFETY: every AArch64 has NEON.
        gather(block, |nibbles| unsafe { vceqq_u8(nibbles.octets, vdupq_n_u8(octet)) })
    }

    #[inline(always)]
    fn eights(self) -> OctetByOctet {
        OctetByOctet
    }
}

/// Combines the results of each quarter into a bitmap.
#[inline(always)]
fn gather(block: &[Nibbles; BLOCK / QUARTER], find: impl Fn(Nibbles) -> uint8x16_t) -> u64 {
    const WEIGHTS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
    let mut bitmap = 0;
    for (quarter, &nibbles) in block.iter().enumerate() {
        // SAFETY: every AArch64 has NEON; 16 octets are read from an array of 16.
        let sixteen = unsafe {
            let bits = vandq_u8(find(nibbles), vld1q_u8(WEIGHTS.as_ptr()));
            u16::from_le_bytes([vaddv_u8(vget_low_u8(bits)), vaddv_u8(vget_high_u8(bits))])
        };
        bitmap |= u64::from(sixteen) << (QUARTER * quarter);
    }
    bitmap
}

#[inline(always)]
fn nibbles(octets: &[u8; QUARTER]) -> Nibbles {
    // Nibbles 0 to 7 have the bit of the same number; octets above 127 have none.
    const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];
    // SAFETY: every AArch64 has NEON; 16 octets are read from arrays of 16.
    unsafe {
        let octets = vld1q_u8(octets.as_ptr());
        let bits = vld1q_u8(BITS.as_ptr());
        let (low, high) = (vandq_u8(octets, vdupq_n_u8(0x0F)), vshrq_n_u8::<4>(octets));
        Nibbles { octets, low, high: vqtbl1q_u8(bits, high) }
    }
}
