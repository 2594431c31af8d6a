//! Replies: takes octets of a server in any cut, returns each reply and the number of its octets.

use locator::plan::ReplyFraming;

use crate::error::failure::Reply;

/// What the octets of a server are.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Parsed {
    /// A reply, and the number of its octets.
    Reply(Reply, usize),
    /// The beginning of a reply.
    Unfinished,
    /// Not a reply.
    Wrong,
    /// The beginning of a reply that is longer than the limit.
    TooLong,
}

/// Parses one reply, line by line. Each octet is read once, in whatever pieces they come.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    /// The offset of the line that is not ended.
    line: usize,
    /// The octets before this offset contain no further LF.
    scanned: usize,
    /// The first line, once it was read.
    first: Option<First>,
    text: Vec<u8>,
}

/// What the first line of a reply says.
#[derive(Clone, Copy, Debug)]
struct First {
    code: u16,
    is_long: bool,
}

impl Parser {
    /// Parses the first reply of these octets, which begin as those of the last call did.
    pub(crate) fn parse(&mut self, framing: ReplyFraming, octets: &[u8], limit: usize) -> Parsed {
        if !may_begin(framing, octets) {
            return Parsed::Wrong;
        }
        while let Some(length) = find_lf(octets, self.scanned) {
            let line = octets.get(self.line..self.scanned + length).unwrap_or_default();
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            self.scanned += length + 1;
            self.line = self.scanned;
            if self.line > limit {
                return Parsed::TooLong;
            }
            match self.take_line(framing, line) {
                None => return Parsed::Wrong,
                Some(false) => {}
                Some(true) => {
                    let code = self.first.map(|first| first.code);
                    return Parsed::Reply(Reply { code, text: std::mem::take(&mut self.text) }, self.line);
                }
            }
        }
        self.scanned = octets.len();
        if self.scanned > limit { Parsed::TooLong } else { Parsed::Unfinished }
    }

    /// Takes a line, without its end: returns whether it is the last one, `None` if it is wrong.
    fn take_line(&mut self, framing: ReplyFraming, line: &[u8]) -> Option<bool> {
        let Some(first) = self.first else {
            let (first, text) = match framing {
                ReplyFraming::Head => status_of(line)?,
                _ => (code_of(line)?, line.get(4..).unwrap_or_default()),
            };
            self.text = text.into();
            self.first = Some(first);
            return Some(framing == ReplyFraming::Line || framing == ReplyFraming::Lines && !first.is_long);
        };
        if framing == ReplyFraming::Head {
            return Some(line.is_empty());
        }
        // "The format for multi-line replies requires that the first line will begin with the exact
        // required reply code, followed immediately by a Hyphen, "-" […] The last line will begin with
        // the same code, followed immediately by Space <SP>" (RFC 959, 4.2).
        let same = code_of(line).filter(|own| own.code == first.code);
        self.text.push(b'\n');
        self.text.extend_from_slice(if same.is_some() { line.get(4..).unwrap_or_default() } else { line });
        Some(same.is_some_and(|own| !own.is_long))
    }
}

fn find_lf(octets: &[u8], start: usize) -> Option<usize> {
    octets.get(start..)?.iter().position(|&octet| octet == b'\n')
}

/// Returns whether octets can begin a reply; this is seen before their line has ended.
fn may_begin(framing: ReplyFraming, octets: &[u8]) -> bool {
    match framing {
        ReplyFraming::Line | ReplyFraming::Lines => {
            octets.first().is_none_or(|digit| (b'1'..=b'6').contains(digit))
                && octets.iter().take(3).all(u8::is_ascii_digit)
        }
        ReplyFraming::Head => octets.iter().zip(b"HTTP/1.").all(|(octet, expected)| octet == expected),
        _ => false,
    }
}

/// Returns code and text of a status line: `HTTP/1.1 200 OK`.
fn status_of(line: &[u8]) -> Option<(First, &[u8])> {
    let rest = line.strip_prefix(b"HTTP/1.")?.get(1..)?.strip_prefix(b" ")?;
    let first = code_of(rest).filter(|first| !first.is_long)?;
    Some((first, rest.get(4..).unwrap_or_default()))
}

/// Returns the code that begins a line, and whether a "-" follows it.
fn code_of(line: &[u8]) -> Option<First> {
    let (digits, rest) = line.split_at_checked(3)?;
    let is_code = matches!(digits[0], b'1'..=b'6') && digits.iter().all(u8::is_ascii_digit);
    let is_long = match rest.first() {
        None | Some(b' ') => false,
        Some(b'-') => true,
        Some(_) => return None,
    };
    let code = digits.iter().fold(0, |code, digit| 10 * code + u16::from(digit.wrapping_sub(b'0')));
    is_code.then_some(First { code, is_long })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: usize = 100;

    /// Parses a reply at once and octet by octet.
    fn reply(framing: ReplyFraming, text: &str) -> Option<(u16, String, usize)> {
        let mut parser = Parser::default();
        let in_pieces = (0..=text.len())
            .map(|end| parser.parse(framing, &text.as_bytes()[..end], LIMIT))
            .find(|parsed| *parsed != Parsed::Unfinished);
        let parsed = Parser::default().parse(framing, text.as_bytes(), LIMIT);
        assert_eq!(in_pieces.as_ref().unwrap_or(&Parsed::Unfinished), &parsed, "{text:?}");
        match parsed {
            Parsed::Reply(reply, length) => {
                Some((reply.code.unwrap(), String::from_utf8(reply.text).unwrap(), length))
            }
            Parsed::Wrong => None,
            other => panic!("{text:?} is {other:?}"),
        }
    }

    #[test]
    fn lines() {
        let of = |text| reply(ReplyFraming::Lines, text);
        assert_eq!(of("220 ready\r\n"), Some((220, "ready".into(), 11)));
        assert_eq!(of("220\r\n331 x\r\n"), Some((220, "".into(), 5)));
        assert_eq!(of("226 done\nmore"), Some((226, "done".into(), 9)));
        assert_eq!(of("230-a\r\n230- b\r\n c\r\n230 d\r\n"), Some((230, "a\n b\n c\nd".into(), 26)));
        assert_eq!(of("230-a\r\n331 x\r\n230\r\n"), Some((230, "a\n331 x\n".into(), 19)));
        for wrong in ["SSH-2.0-x\r\n", "2200 x\r\n", "220x\r\n", "020 x\r\n", "\r\n", "22\r\n", "720 x\r\n"] {
            assert_eq!(of(wrong), None, "{wrong:?}");
        }
        assert_eq!(Parser::default().parse(ReplyFraming::Lines, b"<html>", LIMIT), Parsed::Wrong);
        assert_eq!(Parser::default().parse(ReplyFraming::None, b"220 x\r\n", LIMIT), Parsed::Wrong);
    }

    #[test]
    fn one_line() {
        assert_eq!(reply(ReplyFraming::Line, "211 3 1 3 a.b\r\n"), Some((211, "3 1 3 a.b".into(), 15)));
        assert_eq!(reply(ReplyFraming::Line, "211-3\r\n211 x\r\n"), Some((211, "3".into(), 7)));
    }

    #[test]
    fn a_head() {
        let text = "HTTP/1.1 200 OK\r\nVia: x\r\n\r\n";
        assert_eq!(reply(ReplyFraming::Head, text), Some((200, "OK".into(), text.len())));
        assert_eq!(reply(ReplyFraming::Head, "HTTP/1.0 502\r\n\r\n"), Some((502, "".into(), 16)));
        assert_eq!(reply(ReplyFraming::Head, "ICY 200 OK\r\n\r\n"), None);
    }

    #[test]
    fn a_reply_has_a_limit_in_any_cut() {
        for text in [format!("220 {}\r\n", "x".repeat(94)), format!("220-{}220 xxx\r\n", "y\r\n".repeat(29))]
        {
            for (limit, fits) in [(100, true), (99, false)] {
                let (mut parser, mut parsed) = (Parser::default(), Parsed::Unfinished);
                for end in 0..=text.len() {
                    parsed = parser.parse(ReplyFraming::Lines, &text.as_bytes()[..end], limit);
                    if parsed != Parsed::Unfinished {
                        break;
                    }
                }
                assert_eq!(matches!(parsed, Parsed::Reply(..)), fits, "{text:?}");
                let whole = Parser::default().parse(ReplyFraming::Lines, text.as_bytes(), limit);
                assert_eq!(parsed, whole, "{text:?}");
            }
        }
    }
}
