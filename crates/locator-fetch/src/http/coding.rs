//! Content codings: takes what a server compressed, in any cut, and returns the octets of the object, a
//! piece at a time. No piece needs more memory than its window and [`PIECE`] octets. Follows RFC 9110,
//! section 8.4.1, RFC 1952 (gzip), RFC 7932 (br) and RFC 8878 (zstd).
//!
//! What zstd compressed is divided into frames and blocks (RFC 8878, 3.1), each of which is decompressed when it is
//! complete. So the memory is that of a block and of the window, whatever the frame says.

use std::io::Write;

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use bytes::{Buf, Bytes};
use flate2::write::MultiGzDecoder;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::error::failure::{CodingCause, Detail, FailureKind};

/// The codings that are asked for, and those with a small window.
pub(super) const ACCEPTED: &str = "gzip, br, zstd";
pub(super) const SMALL: &str = "gzip";

/// How many octets are returned at once.
const PIECE: usize = 64 << 10;

/// How much of a gzip file is decompressed at once; at most 1,032 times as much comes out of it.
const GZIP_STEP: usize = 256;

/// How many compressed octets are taken at once.
const STEP: usize = 8 << 10;

/// How many octets a compressed one may become. Text becomes 3 to 20 times larger.
const RATIO: u64 = 400;

/// How many octets are decompressed before the ratio counts.
const FREE: u64 = 64 << 20;

/// Decompresses an object.
pub(super) struct Decompressor {
    codec: Codec,
    input: Bytes,
    /// How many octets were taken in and given out.
    taken: u64,
    given: u64,
    /// Whether the ratio of the two is limited.
    has_ratio: bool,
}

enum Codec {
    Gzip(Box<MultiGzDecoder<Vec<u8>>>),
    Brotli(Box<Brotli>),
    Zstd(Box<Frames>),
}

impl Decompressor {
    /// Begins to decompress by a coding, the value of `Content-Encoding`; `None` for one that is not
    /// known.
    pub(super) fn new(coding: &str) -> Option<Self> {
        let codec = match coding.to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => Codec::Gzip(Box::new(MultiGzDecoder::new(Vec::new()))),
            "br" => Codec::Brotli(Box::new(Brotli::new())),
            "zstd" => Codec::Zstd(Box::default()),
            _ => return None,
        };
        Some(Self { codec, input: Bytes::new(), taken: 0, given: 0, has_ratio: true })
    }

    /// Lets compressed octets become any number of octets, where the object has a limit of its own.
    pub(super) fn without_ratio(self) -> Self {
        Self { has_ratio: false, ..self }
    }

    /// Returns whether the window may be large.
    pub(super) const fn is_large(&self) -> bool {
        !matches!(self.codec, Codec::Gzip(_))
    }

    /// Takes octets, after those before them gave none any more.
    pub(super) fn push(&mut self, octets: Bytes) {
        self.taken += octets.len() as u64;
        self.input = octets;
    }

    /// Returns the next octets of the object, `None` if more octets are needed. They may be empty: what is
    /// compressed can have any number of members, frames and blocks without content, so that each call takes
    /// [`STEP`] octets at most, and the caller looks at the time in between.
    ///
    /// # Errors
    ///
    /// The octets are not of this coding, or become too many.
    pub(super) fn next(&mut self) -> Result<Option<Bytes>, FailureKind> {
        let is_used_up = self.input.is_empty();
        let mut step = self.input.slice(..self.input.len().min(STEP));
        let before = step.len();
        let piece = match &mut self.codec {
            Codec::Gzip(gzip) => next_of_gzip(gzip, &mut step),
            Codec::Brotli(brotli) => brotli.next(&mut step),
            Codec::Zstd(frames) => frames.next(&mut step),
        };
        self.input.advance(before - step.len());
        let piece = piece.map_err(FailureKind::Compressed)?;
        self.given += piece.len() as u64;
        let used = self.taken - self.input.len() as u64;
        if self.has_ratio && self.given > FREE && self.given > RATIO.saturating_mul(used) {
            return Err(FailureKind::TooMuch { what: "bytes for each compressed byte", limit: RATIO });
        }
        Ok((!piece.is_empty() || !is_used_up).then(|| piece.into()))
    }

    /// Checks that the object is whole.
    ///
    /// # Errors
    ///
    /// The compressed octets have no end.
    pub(super) fn finish(&mut self) -> Result<(), FailureKind> {
        let is_whole = match &mut self.codec {
            // An object without octets has no header either.
            _ if self.taken == 0 => true,
            Codec::Gzip(gzip) => gzip.try_finish().is_ok(),
            Codec::Brotli(brotli) => brotli.is_finished,
            Codec::Zstd(frames) => frames.is_finished(),
        };
        if is_whole {
            Ok(())
        } else {
            Err(FailureKind::Compressed(Detail::new(CodingCause::CutOff, "the compressed data ended early")))
        }
    }
}

fn next_of_gzip(
    gzip: &mut MultiGzDecoder<Vec<u8>>,
    input: &mut Bytes,
) -> Result<Vec<u8>, Detail<CodingCause>> {
    while gzip.get_ref().is_empty() && !input.is_empty() {
        let step = input.len().min(GZIP_STEP);
        let count = gzip.write(&input[..step]).map_err(|error| corrupt_coding(error.to_string()))?;
        // The decoder takes no octets that are not of a member.
        if count == 0 {
            return Err(corrupt_coding("data after the end"));
        }
        input.advance(count);
        if gzip.get_ref().is_empty() {
            gzip.flush().map_err(|error| corrupt_coding(error.to_string()))?;
        }
    }
    Ok(std::mem::take(gzip.get_mut()))
}

struct Brotli {
    state: BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>,
    has_begun: bool,
    is_finished: bool,
}

impl Brotli {
    fn new() -> Self {
        let memory = StandardAlloc::default;
        Self { state: BrotliState::new(memory(), memory(), memory()), has_begun: false, is_finished: false }
    }

    fn next(&mut self, input: &mut Bytes) -> Result<Vec<u8>, Detail<CodingCause>> {
        // The first bits are these for a window of 16 MB (RFC 7932, 9.1), and for the larger ones that
        // this decoder also knows.
        if !self.has_begun && input.first().is_some_and(|first| first & 15 == 15 || first & 0x7F == 0x11) {
            return Err(too_large_a_window());
        }
        self.has_begun |= !input.is_empty();
        if self.is_finished {
            return if input.is_empty() { Ok(Vec::new()) } else { Err(corrupt_coding("data after the end")) };
        }
        let mut output = vec![0; PIECE];
        let (mut available, mut offset) = (input.len(), 0);
        let (mut room, mut count, mut total) = (PIECE, 0, 0);
        let result = BrotliDecompressStream(
            &mut available,
            &mut offset,
            input,
            &mut room,
            &mut count,
            &mut output,
            &mut total,
            &mut self.state,
        );
        input.advance(offset);
        output.truncate(count);
        match result {
            BrotliResult::ResultFailure => return Err(corrupt_coding("invalid brotli data")),
            BrotliResult::ResultSuccess => self.is_finished = true,
            BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => {}
        }
        Ok(output)
    }
}

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
    fn is_finished(&self) -> bool {
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
            return Err(corrupt_coding("invalid zstd data"));
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
            other => corrupt_coding(other.to_string()),
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
            return Err(corrupt_coding("a block is too large"));
        }
        if !self.hold(input, 3 + length + if is_last && has_checksum { 4 } else { 0 }) {
            return Ok(None);
        }
        let Some(decoder) = &mut self.decoder else { return Ok(None) };
        decoder
            .decode_blocks(self.held.as_slice(), BlockDecodingStrategy::UptoBlocks(1))
            .map_err(|error| corrupt_coding(error.to_string()))?;
        self.held.clear();
        let mut found = Vec::new();
        decoder.collect_to_writer(&mut found).map_err(|error| corrupt_coding(error.to_string()))?;
        if is_last {
            if decoder.get_checksum_from_data() != decoder.get_calculated_checksum() && has_checksum {
                return Err(corrupt_coding("wrong checksum"));
            }
            self.decoder = None;
            self.state = FrameState::Start;
        }
        Ok(Some(found))
    }
}

fn corrupt_coding(text: impl Into<Box<str>>) -> Detail<CodingCause> {
    Detail::new(CodingCause::Corrupt, text)
}

fn too_large_a_window() -> Detail<CodingCause> {
    Detail::new(CodingCause::Window, format!("it needs a window of more than {} MB", WINDOW >> 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decompresses octets in pieces of a size; returns how many octets came out, and whether each is `a`.
    fn decompress(coding: &str, octets: &[u8], size: usize) -> Result<Vec<u8>, FailureKind> {
        let mut decoder = Decompressor::new(coding).unwrap();
        let mut found = Vec::new();
        for piece in octets.chunks(size) {
            decoder.push(Bytes::copy_from_slice(piece));
            loop {
                let Some(piece) = decoder.next()? else { break };
                assert!(piece.len() <= GZIP_STEP * 1_100 + PIECE, "{coding}: {}", piece.len());
                found.extend_from_slice(&piece);
            }
        }
        decoder.finish().map(|()| found)
    }

    fn gzip(octets: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(octets).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(octets: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(octets, ruzstd::encoding::CompressionLevel::Fastest)
    }

    /// "hello, hello, hello" by `brotli`.
    const BROTLI: &[u8] = &[
        0x1B, 0x12, 0x00, 0xF8, 0x8D, 0x94, 0x6E, 0xDE, 0x44, 0x09, 0x52, 0x86, 0x96, 0x6C, 0x2C, 0x6F, 0x11,
        0x4F, 0x24, 0xD0, 0x71, 0x00,
    ];

    #[test]
    fn any_cut_gives_the_same() {
        let text: Vec<u8> = (0..20_000_u32).flat_map(|number| number.to_string().into_bytes()).collect();
        let members = [gzip(&text[..100]), gzip(&text[100..])].concat();
        let frames =
            [zstd(&text[..100]), b"\x50\x2A\x4D\x18\x02\0\0\0xx".to_vec(), zstd(&text[100..])].concat();
        for (coding, octets) in [("gzip", members), ("zstd", frames)] {
            for size in [1, 7, 4096, usize::MAX >> 1] {
                assert!(decompress(coding, &octets, size).unwrap() == text, "{coding} in pieces of {size}");
            }
            for end in [1, 3, 10, octets.len() / 2, octets.len() - 1] {
                let cut = decompress(coding, &octets[..end], 4096);
                assert!(matches!(cut, Err(FailureKind::Compressed(_))), "{coding} up to {end}");
            }
        }
    }

    #[test]
    fn zeros_for_ever() {
        // A member of zeros; members follow each other for ever.
        let zeros = gzip(&vec![0; 8 << 20]);
        let mut decoder = Decompressor::new("gzip").unwrap();
        let mut given = 0;
        let failure = 'all: loop {
            decoder.push(zeros.clone().into());
            loop {
                match decoder.next() {
                    Ok(None) => break,
                    Ok(Some(piece)) => given += piece.len() as u64,
                    Err(failure) => break 'all failure,
                }
            }
        };
        assert_eq!(failure, FailureKind::TooMuch { what: "bytes for each compressed byte", limit: RATIO });
        assert!((FREE..2 * FREE).contains(&given), "{given}");
    }

    #[test]
    fn garbage() {
        for (coding, octets) in [
            ("gzip", &b"<html>"[..]),
            ("gzip", b"\x1F\x8B\x08\0\0\0\0\0\0\xFF\xFF\xFF\xFF"),
            ("br", b"\x0F"),
            ("br", b"\xFF\xFF\xFF\xFF\xFF"),
            ("br", b"\x11"),
            ("zstd", b"<html>"),
            ("zstd", b"\x28\xB5\x2F\xFD\x00\x78\x01\x00\x00"),
            ("zstd", b"\x28\xB5\x2F\xFD\x00\x58\x07\xFF\xFF"),
        ] {
            let found = decompress(coding, octets, 1);
            assert!(matches!(found, Err(FailureKind::Compressed(_))), "{coding} {octets:?}: {found:?}");
        }
        assert!(Decompressor::new("compress").is_none());
        assert_eq!(decompress("gzip", b"", 1).unwrap(), b"");
    }

    #[test]
    fn brotli() {
        for size in [1, 5, 100] {
            assert_eq!(decompress("br", BROTLI, size).unwrap(), b"hello, hello, hello");
        }
        assert!(decompress("br", &BROTLI[..9], 1).is_err());
        assert!(decompress("br", &[BROTLI, b"x"].concat(), 100).is_err());
    }
}
