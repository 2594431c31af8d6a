//! Replies: takes octets of a server, returns a reply and the number of its octets.

use std::fmt::{self, Display, Formatter};

use locator::plan::ReplyFraming;

/// A reply of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The code: `550`.
    pub code: u16,
    /// The text after the code; the lines of a longer reply are divided by LF.
    pub text: Vec<u8>,
}

/// Writes code and text; controls and octets that are not UTF-8 by their codes.
impl Display for Reply {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.code)?;
        let text = String::from_utf8_lossy(&self.text);
        for c in core::iter::once(' ').chain(text.trim_ascii().chars()) {
            match c {
                '\n' => f.write_str(" / ")?,
                c if c.is_control() || is_invisible(c) => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}

/// Returns whether a character changes how others are shown, or is not seen itself.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

/// What the octets of a server are.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Parsed {
    /// A reply, and the number of its octets.
    Reply(Reply, usize),
    /// The beginning of a reply.
    Unfinished,
    /// No reply.
    Wrong,
}

/// Parses the first reply.
pub(super) fn parse(framing: ReplyFraming, octets: &[u8]) -> Parsed {
    match framing {
        ReplyFraming::Line => parse_line(octets),
        ReplyFraming::Lines => parse_lines(octets),
        ReplyFraming::Head => parse_head(octets),
        _ => Parsed::Wrong,
    }
}

fn parse_line(octets: &[u8]) -> Parsed {
    let Some((line, end)) = next_line(octets, 0) else { return unfinished(octets) };
    match code_of(line) {
        Some((code, _)) => Parsed::Reply(Reply { code, text: text_of(line) }, end),
        None => Parsed::Wrong,
    }
}

/// "The format for multi-line replies requires that the first line will begin with the exact required
/// reply code, followed immediately by a Hyphen, "-" […] The last line will begin with the same code,
/// followed immediately by Space <SP>" (RFC 959, 4.2).
fn parse_lines(octets: &[u8]) -> Parsed {
    let Some((line, mut at)) = next_line(octets, 0) else { return unfinished(octets) };
    let Some((code, is_long)) = code_of(line) else { return Parsed::Wrong };
    let mut text = text_of(line);
    let mut is_open = is_long;
    while is_open {
        let Some((line, end)) = next_line(octets, at) else { return Parsed::Unfinished };
        at = end;
        let is_last = code_of(line) == Some((code, false));
        text.push(b'\n');
        match is_last || code_of(line) == Some((code, true)) {
            true => text.extend(text_of(line)),
            false => text.extend_from_slice(line),
        }
        is_open = !is_last;
    }
    Parsed::Reply(Reply { code, text }, at)
}

/// A status line and header fields, up to an empty line.
fn parse_head(octets: &[u8]) -> Parsed {
    let Some((status, mut at)) = next_line(octets, 0) else { return Parsed::Unfinished };
    let code = status
        .strip_prefix(b"HTTP/1.")
        .and_then(|rest| rest.get(1..))
        .and_then(|rest| rest.strip_prefix(b" "));
    let Some((code, _)) = code.and_then(code_of) else { return Parsed::Wrong };
    loop {
        let Some((line, end)) = next_line(octets, at) else { return Parsed::Unfinished };
        at = end;
        if line.is_empty() {
            return Parsed::Reply(Reply { code, text: status.get(13..).unwrap_or_default().into() }, at);
        }
    }
}

/// Returns the line that begins at an offset, without CR LF or LF, and the offset after it.
fn next_line(octets: &[u8], start: usize) -> Option<(&[u8], usize)> {
    let rest = octets.get(start..)?;
    let length = rest.iter().position(|&octet| octet == b'\n')?;
    let line = &rest[..length];
    Some((line.strip_suffix(b"\r").unwrap_or(line), start + length + 1))
}

/// Returns the code that begins a line, and whether a "-" follows it.
fn code_of(line: &[u8]) -> Option<(u16, bool)> {
    let (digits, rest) = line.split_at_checked(3)?;
    let is_code = matches!(digits[0], b'1'..=b'6') && digits.iter().all(u8::is_ascii_digit);
    let code = digits.iter().fold(0, |code, digit| 10 * code + u16::from(digit - b'0'));
    match rest.first() {
        None | Some(b' ') => is_code.then_some((code, false)),
        Some(b'-') => is_code.then_some((code, true)),
        Some(_) => None,
    }
}

fn text_of(line: &[u8]) -> Vec<u8> {
    line.get(4..).unwrap_or_default().into()
}

/// Octets that cannot begin a reply are wrong before their line has ended.
fn unfinished(octets: &[u8]) -> Parsed {
    let is_beginning = octets.iter().take(3).all(u8::is_ascii_digit);
    if is_beginning { Parsed::Unfinished } else { Parsed::Wrong }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(framing: ReplyFraming, text: &str) -> Option<(u16, String, usize)> {
        // Each beginning is unfinished.
        match parse(framing, text.as_bytes()) {
            Parsed::Reply(reply, length) => {
                for end in 0..length {
                    assert_eq!(parse(framing, &text.as_bytes()[..end]), Parsed::Unfinished, "{text:?} {end}");
                }
                Some((reply.code, String::from_utf8(reply.text).unwrap(), length))
            }
            Parsed::Unfinished => panic!("{text:?} is unfinished"),
            Parsed::Wrong => None,
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
        assert_eq!(parse(ReplyFraming::Lines, b"<html>"), Parsed::Wrong);
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
    fn a_reply_is_shown_on_one_line() {
        let reply = Reply { code: 550, text: b"No\x1B[2J such\nfile\xE9".into() };
        assert_eq!(reply.to_string(), "550 No\\u{1b}[2J such / file\u{FFFD}");
    }
}
