//! Converts ranges of characters to ranges of their UTF-8 octets (RFC 3629).

/// Returns sequences of octet ranges, one range for each position. Together they match exactly the
/// characters from `first` to `last`, inclusive.
pub(crate) fn ranges(first: char, last: char) -> Vec<Vec<(u8, u8)>> {
    let mut sequences = Vec::new();
    let mut first = u32::from(first);
    while first <= u32::from(last) {
        // Surrogates are not characters.
        let Some(from) = char::from_u32(first) else {
            first = 0xE000;
            continue;
        };
        let to = block_end(from, last);
        let (mut low, mut high) = ([0; 4], [0; 4]);
        let octets = (from.encode_utf8(&mut low).bytes(), to.encode_utf8(&mut high).bytes());
        sequences.push(octets.0.zip(octets.1).collect());
        first = u32::from(to) + 1;
    }
    sequences
}

/// Returns the end of the largest block of characters that begins with `from`, does not exceed
/// `last`, and is the product of one octet range for each position.
fn block_end(from: char, last: char) -> char {
    let from_code = u32::from(from);
    let end_of_length = match from.len_utf8() {
        1 => 0x7F,
        2 => 0x7FF,
        3 if from_code < 0xD800 => 0xD7FF,
        3 => 0xFFFF,
        _ => 0x10_FFFF,
    };
    let limit = end_of_length.min(u32::from(last));
    // Each octet after the first has six bits. The more octets are free, the larger is the block.
    let mut ends = (0..from.len_utf8()).rev().filter_map(|free| {
        let block = 1_u32 << (6 * free);
        let aligned = from_code.is_multiple_of(block);
        // The octet before the free ones runs to the end of its own range; the first one has no
        // limit.
        let run = if free + 1 == from.len_utf8() { u32::MAX } else { from_code | ((block << 6) - 1) };
        let whole = (limit.min(run) + 1) / block * block;
        (aligned && whole > from_code).then(|| whole - 1)
    });
    ends.next().and_then(char::from_u32).unwrap_or(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that each character of a range matches one sequence, and that no other character
    /// matches.
    fn agrees(first: char, last: char) {
        let sequences = ranges(first, last);
        for c in '\0'..=char::MAX {
            let mut buffer = [0; 4];
            let octets = c.encode_utf8(&mut buffer).as_bytes();
            let holds = |sequence: &&Vec<(u8, u8)>| {
                sequence.len() == octets.len()
                    && sequence.iter().zip(octets).all(|((low, high), octet)| (low..=high).contains(&octet))
            };
            let count = sequences.iter().filter(holds).count();
            assert_eq!(count, usize::from((first..=last).contains(&c)), "{c:?} {sequences:02X?}");
        }
    }

    #[test]
    fn each_character_has_one_sequence() {
        agrees('\u{A0}', '\u{D7FF}');
        agrees('\u{FDF0}', '\u{FFEF}');
        agrees('\u{1F}', '\u{1F400}');
        agrees('\u{E1000}', '\u{EFFFD}');
        agrees('\0', char::MAX);
        agrees('\u{D7FE}', '\u{E001}');
        agrees('a', 'a');
    }

    #[test]
    fn there_are_few_sequences() {
        assert_eq!(ranges('\u{80}', '\u{7FF}'), [[(0xC2, 0xDF), (0x80, 0xBF)]]);
        assert_eq!(ranges('\0', char::MAX).len(), 9);
    }
}
