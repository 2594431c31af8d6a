//! Text in the format "flowed". Joins the lines of each paragraph and removes quote marks. Follows
//! RFC 3676, section 4.

use memchr::memchr;

use crate::decode::decoded::Decoded;

/// Joins lines; `delsp` means that the space at the end of a flowed line is not part of the text
/// (4.1).
pub(super) fn join(text: &[u8], delsp: bool) -> Decoded {
    let mut decoded = Decoded::default();
    let mut open: Option<Open> = None;
    let mut at = 0;
    while at < text.len() {
        let end = memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length + 1);
        let line = Line::read(&text[at..end]);
        if let Some(open) = open.take_if(|open| open.depth != line.depth || line.is_signature) {
            open.break_line(&mut decoded);
        }
        let kept = line.content.len() - usize::from(delsp && line.is_flowed);
        decoded.keep(&line.content[..kept], at + line.start);
        let line_end = at + line.start + line.content.len()..end;
        match line.is_flowed {
            true => open = Some(Open { depth: line.depth, at: line_end.start, line_end: &text[line_end] }),
            false => {
                open = None;
                decoded.keep(&text[line_end.clone()], line_end.start);
            }
        }
        at = end;
    }
    decoded
}

/// A paragraph that continues, unless another quote depth or a signature ends it.
struct Open<'a> {
    depth: usize,
    at: usize,
    line_end: &'a [u8],
}

impl Open<'_> {
    /// "this is a sign of improper generation; the paragraph is considered to end": at the end of
    /// this line.
    fn break_line(&self, decoded: &mut Decoded) {
        decoded.keep(self.line_end, self.at);
    }
}

struct Line<'a> {
    depth: usize,
    /// The start of the content, after quote marks and stuffing.
    start: usize,
    content: &'a [u8],
    is_flowed: bool,
    is_signature: bool,
}

impl<'a> Line<'a> {
    fn read(line: &'a [u8]) -> Self {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        let content = content.strip_suffix(b"\r").unwrap_or(content);
        let depth = content.iter().take_while(|octet| **octet == b'>').count();
        // "if the first character of a line is a space, that space is logically deleted"
        let start = depth + usize::from(content.get(depth) == Some(&b' '));
        let content = &content[start..];
        // "There is a convention [...] of using "-- " as the separator line between the body and
        // the signature [...] it is fixed"
        let is_signature = content == b"-- ";
        Self { depth, start, content, is_flowed: content.ends_with(b" ") && !is_signature, is_signature }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn joined(text: &str, delsp: bool, expected: &str) -> Decoded {
        let decoded = join(text.as_bytes(), delsp);
        assert_eq!(str::from_utf8(decoded.text()), Ok(expected));
        decoded
    }

    #[test]
    fn flowed_lines_are_one() {
        joined("a \r\nb\r\nc", false, "a b\r\nc");
        let decoded = joined("http://a/ \r\nb/ \r\nc\r\n", true, "http://a/b/c\r\n");
        assert_eq!(decoded.source_of(0..12), 0..18);
        assert_eq!(decoded.source_of(9..10), 12..13);
    }

    #[test]
    fn quoting_of_another_depth_ends_a_paragraph() {
        joined("> a \n> b \n>> c \nd", false, "a b \nc \nd");
    }

    #[test]
    fn a_signature_is_fixed() {
        joined("a \n-- \nb \nc", false, "a \n-- \nb c");
        joined(" From \n  b", false, "From  b");
    }
}
