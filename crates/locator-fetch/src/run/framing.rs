//! Objects on the control connection: takes octets in any cut, returns those of the object, and finds
//! its end.

use locator::plan::{Framing, Meaning, Object, ObjectKind};

use super::failure::FailureKind;
use super::{Ending, Whole};

/// What is known after octets were decoded.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Decoded {
    /// The object goes on.
    More,
    /// The object has ended.
    End(Whole),
    /// There is no object.
    Failed(FailureKind, Vec<u8>),
}

/// Reads an object.
#[derive(Debug)]
pub(super) struct Decoder {
    mode: Mode,
    /// The beginning of a line, or of the first line of Gopher+, which is not decided yet.
    held: Vec<u8>,
    at_line_start: bool,
}

#[derive(Debug)]
enum Mode {
    /// To the end of the connection.
    ToEnd,
    /// To the end of the connection, less a last line ".".
    ToEndLessDot,
    /// To a line "."; whether a "." at the beginning of other lines is removed, and whether the
    /// connection may end instead.
    ToDot { is_stuffed: bool, may_end: bool },
    /// This many octets more.
    Counted(u64),
    /// The first line says; else this.
    GopherPlus(Box<Mode>),
    /// The text of an error of Gopher+, to a line "." or the end.
    Error(Box<Mode>, Meaning, Vec<u8>),
    /// One line.
    Line,
}

/// The number of octets that the first line of a Gopher+ answer may have.
const FIRST_LINE: usize = 64;

/// The number of octets of an error's text that are kept.
const ERROR_TEXT: usize = 4096;

impl Decoder {
    /// Begins to read an object; `None` if its framing is not one of a connection.
    pub(super) fn new(object: &Object) -> Option<Self> {
        let mode = match object.end {
            Framing::Connection => Mode::ToEnd,
            Framing::ConnectionLessDot => Mode::ToEndLessDot,
            Framing::Dot => Mode::ToDot { is_stuffed: true, may_end: false },
            Framing::DotOrConnection => Mode::ToDot { is_stuffed: false, may_end: true },
            Framing::GopherPlus => Mode::GopherPlus(Box::new(match object.kind {
                ObjectKind::Menu => Mode::ToDot { is_stuffed: false, may_end: true },
                ObjectKind::Text | ObjectKind::Form => Mode::ToEndLessDot,
                _ => Mode::ToEnd,
            })),
            Framing::Answer => Mode::Line,
            _ => return None,
        };
        Some(Self { mode, held: Vec::new(), at_line_start: true })
    }

    /// Takes octets; those of the object are appended to `body`. Returns what is known, and the
    /// number of octets that belong to the object; more are only there after its end.
    pub(super) fn decode(&mut self, octets: &[u8], body: &mut Vec<u8>) -> (Decoded, usize) {
        match &mut self.mode {
            Mode::ToEnd => {
                body.extend_from_slice(octets);
                (Decoded::More, octets.len())
            }
            Mode::Counted(left) => {
                let count = octets.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                body.extend_from_slice(&octets[..count]);
                *left -= count as u64;
                (if *left == 0 { Decoded::End(Whole::Framed) } else { Decoded::More }, count)
            }
            Mode::ToDot { .. } | Mode::ToEndLessDot | Mode::Line => self.decode_lines(octets, body),
            Mode::GopherPlus(_) => self.decode_first_line(octets, body),
            Mode::Error(..) => self.decode_error(octets),
        }
    }

    /// Decodes octets line by line. Only the beginning of a line is held: a "." and what may follow it
    /// in the last line.
    fn decode_lines(&mut self, octets: &[u8], body: &mut Vec<u8>) -> (Decoded, usize) {
        let (is_stuffed, ends_at_dot) = match self.mode {
            Mode::ToDot { is_stuffed, .. } => (is_stuffed, true),
            _ => (false, false),
        };
        let is_line = matches!(self.mode, Mode::Line);
        let mut i = 0;
        while i < octets.len() {
            if !self.held.is_empty() {
                // ".", ".CR": decided by the next octet.
                let octet = octets[i];
                match (self.held.as_slice(), octet) {
                    (b".", b'\r') => {
                        self.held.push(octet);
                        i += 1;
                    }
                    (b"." | b".\r", b'\n') => {
                        i += 1;
                        self.held.push(octet);
                        if ends_at_dot {
                            self.held.clear();
                            return (Decoded::End(Whole::Framed), i);
                        }
                        // The last line, unless more follows.
                    }
                    (held, _) => {
                        // RFC 3977, 3.1.1: a "." that begins a line was added.
                        let skip = usize::from(is_stuffed);
                        self.at_line_start = held.ends_with(b"\n");
                        body.extend_from_slice(&held[skip..]);
                        self.held.clear();
                    }
                }
                continue;
            }
            if self.at_line_start && octets[i] == b'.' && !is_line {
                self.held.push(b'.');
                i += 1;
                continue;
            }
            let end = octets[i..].iter().position(|&octet| octet == b'\n').map(|at| i + at + 1);
            let stop = end.unwrap_or(octets.len());
            body.extend_from_slice(&octets[i..stop]);
            self.at_line_start = end.is_some();
            i = stop;
            if is_line && end.is_some() {
                return (Decoded::End(Whole::Framed), i);
            }
        }
        (Decoded::More, i)
    }

    /// Reads the first line of Gopher+: `+` and a number, or `-` and the number of an error.
    fn decode_first_line(&mut self, octets: &[u8], body: &mut Vec<u8>) -> (Decoded, usize) {
        let before = self.held.len();
        let line_end = octets.iter().position(|&octet| octet == b'\n');
        self.held.extend_from_slice(&octets[..line_end.map_or(octets.len(), |at| at + 1)]);
        let is_beginning = matches!(self.held.first(), Some(b'+' | b'-')) && self.held.len() <= FIRST_LINE;
        if is_beginning && line_end.is_none() {
            return (Decoded::More, octets.len());
        }
        let used = self.held.len() - before;
        let line = std::mem::take(&mut self.held);
        let Mode::GopherPlus(other) = &mut self.mode else { return (Decoded::More, 0) };
        let to_dot = Mode::ToDot { is_stuffed: false, may_end: false };
        match Announced::of(&line) {
            Some(Announced::Octets(0)) => return (Decoded::End(Whole::Framed), used),
            Some(Announced::Octets(count)) => self.mode = Mode::Counted(count),
            Some(Announced::ToDot) => self.mode = to_dot,
            Some(Announced::ToEnd) => self.mode = Mode::ToEnd,
            Some(Announced::Error) => {
                let to_dot = Mode::ToDot { is_stuffed: false, may_end: true };
                self.mode = Mode::Error(Box::new(to_dot), Meaning::Missing, Vec::new());
            }
            None => {
                // A server without Gopher+: the line is of the object.
                self.mode = std::mem::replace(other, Mode::ToEnd);
                let (decoded, _) = self.decode(&line, body);
                if decoded != Decoded::More {
                    return (decoded, used);
                }
            }
        }
        let (decoded, count) = self.decode(&octets[used..], body);
        (decoded, used + count)
    }

    fn decode_error(&mut self, octets: &[u8]) -> (Decoded, usize) {
        let Mode::Error(end, meaning, text) = &mut self.mode else { return (Decoded::More, 0) };
        let mut inner = Self {
            mode: std::mem::replace(end, Mode::ToEnd),
            held: std::mem::take(&mut self.held),
            at_line_start: self.at_line_start,
        };
        let (decoded, count) = inner.decode(octets, text);
        text.truncate(ERROR_TEXT);
        if matches!(decoded, Decoded::End(_)) {
            return (Decoded::Failed(FailureKind::Said(*meaning), std::mem::take(text)), count);
        }
        (**end, self.held, self.at_line_start) = (inner.mode, inner.held, inner.at_line_start);
        (Decoded::More, count)
    }

    /// Ends the connection: returns whether the object is whole.
    pub(super) fn end(&mut self, ending: Ending, body: &mut Vec<u8>) -> Decoded {
        let known = if ending == Ending::Notified { Whole::Confirmed } else { Whole::Unverified };
        if ending == Ending::Reset {
            body.append(&mut self.held);
            return Decoded::Failed(FailureKind::Reset, Vec::new());
        }
        match &mut self.mode {
            Mode::ToEnd => Decoded::End(known),
            Mode::ToEndLessDot | Mode::ToDot { may_end: true, .. } => {
                // A last line "." without an end is the end, too.
                let is_dot = matches!(self.held.as_slice(), b"." | b".\r" | b".\r\n" | b".\n");
                if is_dot {
                    self.held.clear();
                    return Decoded::End(Whole::Framed);
                }
                body.append(&mut self.held);
                Decoded::End(known)
            }
            Mode::GopherPlus(other) => {
                // Less than a line: the object of a server without Gopher+.
                self.mode = std::mem::replace(other, Mode::ToEnd);
                let line = std::mem::take(&mut self.held);
                match self.decode(&line, body) {
                    (Decoded::More, _) => self.end(ending, body),
                    (decoded, _) => decoded,
                }
            }
            Mode::Error(_, meaning, text) => {
                Decoded::Failed(FailureKind::Said(*meaning), std::mem::take(text))
            }
            Mode::ToDot { .. } | Mode::Counted(_) | Mode::Line => {
                body.append(&mut self.held);
                Decoded::Failed(FailureKind::CutOff, Vec::new())
            }
        }
    }
}

/// What the first line of a Gopher+ answer announces.
enum Announced {
    Octets(u64),
    ToDot,
    ToEnd,
    Error,
}

impl Announced {
    fn of(line: &[u8]) -> Option<Self> {
        let line = line.strip_suffix(b"\n")?;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match line {
            b"+-1" => Some(Self::ToDot),
            b"+-2" => Some(Self::ToEnd),
            // "--1" and "--2" say how the text of the error ends; "-" and a number is its length.
            [b'-', rest @ ..] => std::str::from_utf8(rest).ok()?.parse::<i64>().ok().map(|_| Self::Error),
            [b'+', digits @ ..] if digits.iter().all(u8::is_ascii_digit) => {
                std::str::from_utf8(digits).ok()?.parse().ok().map(Self::Octets)
            }
            _ => None,
        }
    }
}
