//! The arguments of a macro. Returns the span of each argument after the name of the macro. Follows
//! groff(7), "Using macros".

use super::escape::{Meaning, escape_at};

/// An argument, without the quotes around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Argument {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) is_quoted: bool,
}

/// Splits arguments at spaces. A comment after them is the last one.
pub(super) fn arguments(line: &[u8], escape: Option<u8>) -> Vec<Argument> {
    let mut arguments = Vec::new();
    let mut at = 0;
    loop {
        at += blanks(&line[at..]);
        if at == line.len() {
            return arguments;
        }
        let is_quoted = line[at] == b'"';
        let start = at + usize::from(is_quoted);
        let (end, is_comment) = end_of(line, start, is_quoted, escape);
        if end > start || is_quoted {
            arguments.push(Argument { start, end, is_quoted });
        }
        at = end + usize::from(is_quoted && end < line.len() && !is_comment);
        if is_comment {
            arguments.push(Argument { start: at, end: line.len(), is_quoted: false });
            return arguments;
        }
    }
}

/// Returns the end of an argument, and whether a comment begins there.
fn end_of(line: &[u8], start: usize, is_quoted: bool, escape: Option<u8>) -> (usize, bool) {
    let mut at = start;
    while let Some(&octet) = line.get(at) {
        match octet {
            b'"' if is_quoted && line.get(at + 1) == Some(&b'"') => at += 2,
            b'"' if is_quoted => break,
            b' ' | b'\t' if !is_quoted => break,
            _ if Some(octet) == escape => match escape_at(&line[at..], false) {
                (Meaning::Gap, 2) => return (at, true),
                (_, length) => at += length,
            },
            _ => at += 1,
        }
    }
    (at.min(line.len()), false)
}

/// Returns the number of leading blanks.
pub(super) fn blanks(octets: &[u8]) -> usize {
    octets.iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count()
}
