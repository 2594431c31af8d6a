//! zstd: divides what was compressed into frames and blocks (RFC 8878, 3.1), each of which is
//! decompressed when it is whole. So the memory is that of a block and of the window, whatever the
//! frame says.

use bytes::{Buf, Bytes};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::error::failure::{CodingCause, Detail};

/// How large a window of the codings is: "Decoders must be able to support window sizes up to 8 MB"
/// (RFC 9659, 3).
pub(super) const WINDOW: u64 = 8 << 20;

/// The frames of an object, one after the other.
#[derive(Default)]
pub(super) struct Frames {
    decoder: Option<FrameDecoder>,
    state: FrameState,
    /// The beginning of a header or of a block.
    held: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum FrameState {
    /// A frame begins, or the object has ended.
    #[default]
    Start,
    /// This many octets of a skippable frame follow.
    Skipping(usize),
    /// A block follows.
    Block { has_checksum: bool },
}

/// The first octets of a frame, and of a skippable one, but for their last four bits.
const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
const SKIPPABLE: [u8; 4] = [0x50, 0x2A, 0x4D, 0x18];

impl Frames {
    /// Returns whether the last frame has ended.
    pub(super) fn is_finished(&self) -> bool {
        self.state == FrameState::Start && self.held.is_empty()
    }

    /// Takes octets until there are octets of the object, or no more of them.
    pub(super) fn next(&mut self, input: &mut Bytes) -> Result<Vec<u8>, Detail<CodingCause>> {
        loop {
            let found = match self.state {
                FrameState::Start => {
                    if !self.start(input)? {
                        return Ok(Vec::new());
                    }
                    Vec::new()
                }
                FrameState::Skipping(0) => {
                    self.state = FrameState::Start;
                    Vec::new()
                }
                FrameState::Skipping(_) if input.is_empty() => return Ok(Vec::new()),
                FrameState::Skipping(left) => {
                    let count = left.min(input.len());
                    input.advance(count);
                    self.state = FrameState::Skipping(left - count);
                    Vec::new()
                }
                FrameState::Block { has_checksum } => match self.block(input, has_checksum)? {
                    Some(found) => found,
                    None => return Ok(Vec::new()),
                },
            };
            if !found.is_empty() {
                return Ok(found);
            }
        }
    }

    /// Moves octets to the held ones until they are this many; returns whether they are.
    fn hold(&mut self, input: &mut Bytes, length: usize) -> bool {
        let count = length.saturating_sub(self.held.len()).min(input.len());
        self.held.extend_from_slice(&input[..count]);
        input.advance(count);
        self.held.len() >= length
    }

    /// Reads the header of a frame; returns whether it was whole.
    fn start(&mut self, input: &mut Bytes) -> Result<bool, Detail<CodingCause>> {
        if !self.hold(input, 5) {
            return Ok(false);
        }
        if self.held[1..4] == SKIPPABLE[1..] && self.held[0] & 0xF0 == SKIPPABLE[0] {
            if !self.hold(input, 8) {
                return Ok(false);
            }
            let length = [self.held[4], self.held[5], self.held[6], self.held[7]];
            self.state = FrameState::Skipping(u32::from_le_bytes(length) as usize);
            self.held.clear();
            return Ok(true);
        }
        if self.held[..4] != MAGIC {
            return Err(corrupt("invalid zstd data"));
        }
        let descriptor = self.held[4];
        let is_single = descriptor & 0x20 != 0;
        let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let size = match descriptor >> 6 {
            0 => usize::from(is_single),
            flag => 1 << flag,
        };
        if !self.hold(input, 5 + usize::from(!is_single) + dictionary + size) {
            return Ok(false);
        }
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW);
        decoder.init(self.held.as_slice()).map_err(|error| match error {
            ruzstd::decoding::errors::FrameDecoderError::WindowSizeTooBig { .. } => too_large_a_window(),
            other => corrupt(other.to_string()),
        })?;
        self.decoder = Some(decoder);
        self.held.clear();
        self.state = FrameState::Block { has_checksum: descriptor & 4 != 0 };
        Ok(true)
    }

    /// Decompresses a block; `None` if it is not whole.
    fn block(
        &mut self,
        input: &mut Bytes,
        has_checksum: bool,
    ) -> Result<Option<Vec<u8>>, Detail<CodingCause>> {
        if !self.hold(input, 3) {
            return Ok(None);
        }
        let header = u32::from_le_bytes([self.held[0], self.held[1], self.held[2], 0]);
        let (is_last, kind, size) = (header & 1 == 1, header >> 1 & 3, (header >> 3) as usize);
        // A block of kind 1 is one octet, which is repeated.
        let length = if kind == 1 { 1 } else { size };
        if size > 128 << 10 {
            return Err(corrupt("a block is too large"));
        }
        if !self.hold(input, 3 + length + if is_last && has_checksum { 4 } else { 0 }) {
            return Ok(None);
        }
        let Some(decoder) = &mut self.decoder else { return Ok(None) };
        decoder
            .decode_blocks(self.held.as_slice(), BlockDecodingStrategy::UptoBlocks(1))
            .map_err(|error| corrupt(error.to_string()))?;
        self.held.clear();
        let mut found = Vec::new();
        decoder.collect_to_writer(&mut found).map_err(|error| corrupt(error.to_string()))?;
        if is_last {
            if decoder.get_checksum_from_data() != decoder.get_calculated_checksum() && has_checksum {
                return Err(corrupt("wrong checksum"));
            }
            self.decoder = None;
            self.state = FrameState::Start;
        }
        Ok(Some(found))
    }
}

pub(super) fn corrupt(text: impl Into<Box<str>>) -> Detail<CodingCause> {
    Detail::new(CodingCause::Corrupt, text)
}

pub(super) fn too_large_a_window() -> Detail<CodingCause> {
    Detail::new(CodingCause::Window, format!("it needs a window of more than {} MB", WINDOW >> 20))
}
