//! The division of a long document. Returns the length of a piece that memory allows and that ends
//! with a block.
//!
//! The Markdown parser makes a node of about a hundred octets for each character that may be
//! markup, so these characters are counted.

use pulldown_cmark::{Event, Options, Parser};
use std::ops::ControlFlow;

use memchr::memrchr;

use crate::search::input::End;

/// The maximum number of markup characters in a piece.
const MOST: usize = 1 << 19;

/// Returns the length of the longest prefix that has not too many markup characters; it ends with a
/// complete character.
pub(super) fn light(octets: &[u8]) -> usize {
    let counted = octets.iter().enumerate().try_fold(0, |count, (at, octet)| {
        let count = count + usize::from(SIGNS[usize::from(*octet)]);
        if count > MOST { ControlFlow::Break(at) } else { ControlFlow::Continue(count) }
    });
    match counted {
        ControlFlow::Break(at) => at,
        ControlFlow::Continue(_) => octets.len(),
    }
}

/// Returns the start of the last block, which may continue; if there is only one block, the end of
/// its last line.
pub(super) fn end(octets: &[u8]) -> End {
    let valid = match str::from_utf8(octets) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&octets[..error.valid_up_to()]).unwrap_or_default(),
    };
    match last_block(valid) {
        0 => End::Divided(last_line(octets)),
        at => End::At(at),
    }
}

fn last_block(text: &str) -> usize {
    let (mut depth, mut start) = (0_usize, 0);
    for (event, span) in Parser::new_ext(text, OPTIONS).into_offset_iter() {
        if depth == 0 && !matches!(event, Event::End(_)) {
            start = span.start;
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    start
}

fn last_line(octets: &[u8]) -> usize {
    let end = memrchr(b'\n', octets).map(|line_end| line_end + 1);
    // The octets of a character are not divided.
    let whole = || (1..octets.len()).rev().take(4).find(|at| octets[*at] & 0xC0 != 0x80);
    end.or_else(whole).unwrap_or(octets.len())
}

/// Characters that may be markup, and line ends. Others are markup only in certain positions, and
/// are rare.
static SIGNS: [bool; 256] = {
    let mut signs = [false; 256];
    let all = b"\n\r\t!#$&()*+<>[\\]^_`{|}~-";
    let mut at = 0;
    while at < all.len() {
        signs[all[at] as usize] = true;
        at += 1;
    }
    signs
};

/// GitHub's extensions of CommonMark, and the metadata blocks of static site generators.
pub(super) const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_GFM)
    .union(Options::ENABLE_YAML_STYLE_METADATA_BLOCKS);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_ends_where_a_block_does() {
        for (text, ends) in [
            ("a\n\nb\n", End::At(3)),
            ("# a\n- b\n\n  c\n- d\n", End::At(4)),
            ("a\n\n```\nb\n\nc", End::At(3)),
            ("- a\n- b\nc", End::Divided(8)),
            ("abc\u{E9}", End::Divided(3)),
            ("a\n\n\u{E9}", End::At(3)),
        ] {
            assert_eq!(end(text.as_bytes()), ends, "{text}");
        }
        assert_eq!(light(&[b'['; MOST + 9]), MOST);
        assert_eq!(light(b"a b"), 3);
    }
}
