//! Where what a server sends ends. [`ControlConnection`] is what was read from the control connection and not used yet.
//! A [`Decoder`] takes the octets of an object in any cut, returns those of the object, and finds its end: at the
//! line "." (RFC 3977, 3.1.1), after a length, or with the connection. What is returned of an object that is cut
//! off is always a beginning of it. Where Gopher has no object it sends a line of a menu in its place, because
//! RFC 1436 has no replies; the first octets tell.

use locator::plan::{ErrorForm, Framing, Meaning, Object, ObjectKind, Protocol, ReplyFraming};

use super::event::{Ending, Whole};
use crate::error::failure::FailureKind;
use crate::protocols::ftp::{Parsed, Parser};
#[cfg(feature = "wais")]
use crate::protocols::wais::LARGEST_ANSWER;

/// What is known after octets were decoded.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Decoded {
    /// The object goes on.
    More,
    /// The object has ended.
    End(Whole),
    /// There is no object, or its end is missing; the text of the server's error, if it sent one.
    Failed(FailureKind, Vec<u8>),
}

/// Reads an object.
#[derive(Debug)]
pub(super) struct Decoder {
    mode: DecoderMode,
    lines: Lines,
    /// The beginning of the first line of Gopher+.
    first_line: Vec<u8>,
    /// The number of octets that the first line announced.
    announced: Option<u64>,
}

#[derive(Debug)]
enum DecoderMode {
    /// To the end of the connection.
    ToEnd,
    /// To the end of the connection, less a last line "."; whether that must be there.
    ToEndLessDot { needs_dot: bool },
    /// To a line "."; whether a "." at the beginning of other lines is removed, and whether the
    /// connection may end instead.
    ToDot { is_stuffed: bool, may_end: bool },
    /// This many octets more.
    Counted(u64),
    /// The first line says; else this. In a text, other lines may be "." before the last one.
    GopherPlus { other: Box<DecoderMode>, is_text: bool },
    /// The text of an error of Gopher+, to a line "." or the end.
    Error(Vec<u8>),
    /// The beginning may be an error in place of the object; else this.
    MenuLine(MenuLine, Box<DecoderMode>),
}

impl DecoderMode {
    /// Returns this mode after what may be an error in place of the object.
    fn after_error(self, error: Option<ErrorForm>) -> Self {
        match error {
            Some(ErrorForm::MenuLine) => Self::MenuLine(MenuLine::default(), Box::new(self)),
            _ => self,
        }
    }

    /// Returns how an object is read that Gopher+ announces by `+-1`. Servers send the lines of a text as
    /// they are, so one of them may be "."; they end the connection after the last one.
    const fn to_dot(&self) -> Self {
        match self {
            Self::GopherPlus { is_text: true, .. } => Self::ToEndLessDot { needs_dot: true },
            _ => Self::ToDot { is_stuffed: false, may_end: false },
        }
    }
}

/// The number of octets that the first line of a Gopher+ answer may have.
const FIRST_LINE: usize = 64;

/// The number of octets of an error's text that are kept.
const ERROR_TEXT: usize = 4096;

impl Decoder {
    /// Begins to read an object; `None` if its framing is not one of a connection.
    pub(super) fn new(object: &Object) -> Option<Self> {
        let to_dot = DecoderMode::ToDot { is_stuffed: false, may_end: true };
        let less_dot = DecoderMode::ToEndLessDot { needs_dot: false };
        let mode = match object.end {
            Framing::Connection => DecoderMode::ToEnd.after_error(object.error),
            Framing::ConnectionLessDot => less_dot.after_error(object.error),
            Framing::Dot => DecoderMode::ToDot { is_stuffed: true, may_end: false },
            Framing::DotOrConnection => to_dot.after_error(object.error),
            Framing::GopherPlus => {
                let other = Box::new(match object.kind {
                    ObjectKind::Menu => to_dot,
                    ObjectKind::Text | ObjectKind::Form => less_dot,
                    _ => DecoderMode::ToEnd,
                });
                let other = Box::new(other.after_error(object.error));
                DecoderMode::GopherPlus { other, is_text: object.kind == ObjectKind::Text }
            }
            _ => return None,
        };
        Some(Self { mode, lines: Lines::new(), first_line: Vec::new(), announced: None })
    }

    /// Returns the number of octets that the object has, if the server announced it.
    pub(super) const fn announced(&self) -> Option<u64> {
        self.announced
    }

    /// Takes octets; those of the object are appended to `body`. Returns what is known, and the
    /// number of octets that belong to the object; more are only there after its end.
    pub(super) fn decode(&mut self, octets: &[u8], body: &mut Vec<u8>) -> (Decoded, usize) {
        match &mut self.mode {
            DecoderMode::ToEnd => {
                body.extend_from_slice(octets);
                (Decoded::More, octets.len())
            }
            DecoderMode::Counted(left) => {
                let count = octets.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                body.extend_from_slice(&octets[..count]);
                *left -= count as u64;
                (if *left == 0 { Decoded::End(Whole::Framed) } else { Decoded::More }, count)
            }
            DecoderMode::ToEndLessDot { .. } => {
                (Decoded::More, self.lines.take(octets, DotRule::AsTheyAre, body).1)
            }
            DecoderMode::ToDot { is_stuffed, .. } => {
                let dots = if *is_stuffed { DotRule::EndAndStuffed } else { DotRule::End };
                let (dot, count) = self.lines.take(octets, dots, body);
                let decoded = match dot {
                    None => Decoded::More,
                    Some(DotLine::End) => Decoded::End(Whole::Framed),
                    Some(DotLine::Ambiguous) => Decoded::Failed(FailureKind::AmbiguousEnd, Vec::new()),
                };
                (decoded, count)
            }
            DecoderMode::GopherPlus { .. } => self.decode_first_line(octets, body),
            DecoderMode::MenuLine(..) => self.decode_menu_line(octets, body),
            DecoderMode::Error(text) => {
                let (dot, count) = self.lines.take(octets, DotRule::End, text);
                text.truncate(ERROR_TEXT);
                (if dot.is_some() { server_error(text) } else { Decoded::More }, count)
            }
        }
    }

    /// Reads the first line of Gopher+: `+` and a number, or `-` and the number of an error.
    fn decode_first_line(&mut self, octets: &[u8], body: &mut Vec<u8>) -> (Decoded, usize) {
        let near = octets.get(..FIRST_LINE - self.first_line.len()).unwrap_or(octets);
        let line_end = near.iter().position(|&octet| octet == b'\n');
        let used = line_end.map_or(near.len(), |at| at + 1);
        self.first_line.extend_from_slice(&near[..used]);
        let may_announce = matches!(self.first_line.first(), None | Some(b'+' | b'-'));
        if may_announce && line_end.is_none() && self.first_line.len() < FIRST_LINE {
            return (Decoded::More, used);
        }
        let line = std::mem::take(&mut self.first_line);
        match AnnouncedEnd::of(&line) {
            Some(AnnouncedEnd::Octets(count)) => {
                self.announced = Some(count);
                if count == 0 {
                    return (Decoded::End(Whole::Framed), used);
                }
                self.mode = DecoderMode::Counted(count);
            }
            Some(AnnouncedEnd::ToDot) => self.mode = self.mode.to_dot(),
            Some(AnnouncedEnd::ToEnd) => self.mode = DecoderMode::ToEnd,
            Some(AnnouncedEnd::Error) => self.mode = DecoderMode::Error(Vec::new()),
            // A server without Gopher+: the line is of the object.
            None => {
                let (decoded, _) = self.go_on_without_plus(&line, body);
                if decoded != Decoded::More {
                    return (decoded, used);
                }
            }
        }
        let (decoded, count) = self.decode(&octets[used..], body);
        (decoded, used + count)
    }

    /// Reads the beginning of an object that may be an error in its place.
    fn decode_menu_line(&mut self, octets: &[u8], body: &mut Vec<u8>) -> (Decoded, usize) {
        let DecoderMode::MenuLine(line, then) = &mut self.mode else { return (Decoded::More, 0) };
        let ends_at_dot = matches!(**then, DecoderMode::ToDot { .. });
        let before = line.held().len();
        let taken = line.take(octets);
        match line.verdict(ends_at_dot) {
            FirstLineVerdict::Open => (Decoded::More, taken),
            FirstLineVerdict::Error => (missing_object_error(line), taken),
            FirstLineVerdict::Object => {
                let held = self.leave_menu_line();
                let (decoded, count) = self.decode(&held, body);
                if decoded != Decoded::More {
                    return (decoded, count.saturating_sub(before));
                }
                let (decoded, count) = self.decode(&octets[taken..], body);
                (decoded, taken + count)
            }
        }
    }

    /// Goes on with the object; returns its beginning.
    fn leave_menu_line(&mut self) -> Vec<u8> {
        match std::mem::replace(&mut self.mode, DecoderMode::ToEnd) {
            DecoderMode::MenuLine(line, then) => {
                self.mode = *then;
                line.into_held()
            }
            other => {
                self.mode = other;
                Vec::new()
            }
        }
    }

    fn go_on_without_plus(&mut self, line: &[u8], body: &mut Vec<u8>) -> (Decoded, usize) {
        if let DecoderMode::GopherPlus { other, .. } = &mut self.mode {
            self.mode = std::mem::replace(other, DecoderMode::ToEnd);
        }
        self.decode(line, body)
    }

    /// Ends the connection: returns whether the object is whole. What was held back of a last line
    /// "." is not of the object: after a "." alone nobody knows what would have followed.
    pub(super) fn end(&mut self, ending: Ending, body: &mut Vec<u8>) -> Decoded {
        let known = if ending == Ending::Notified { Whole::Confirmed } else { Whole::Unverified };
        match &mut self.mode {
            _ if ending == Ending::Reset => Decoded::Failed(FailureKind::Reset, Vec::new()),
            DecoderMode::ToEnd => Decoded::End(known),
            DecoderMode::ToEndLessDot { .. } if self.lines.has_dot() => Decoded::End(Whole::Framed),
            DecoderMode::ToEndLessDot { needs_dot: false } | DecoderMode::ToDot { may_end: true, .. } => {
                Decoded::End(known)
            }
            DecoderMode::GopherPlus { .. } => {
                let line = std::mem::take(&mut self.first_line);
                if AnnouncedEnd::is_beginning(&line) {
                    return Decoded::Failed(FailureKind::CutOff, Vec::new());
                }
                match self.go_on_without_plus(&line, body) {
                    (Decoded::More, _) => self.end(ending, body),
                    (decoded, _) => decoded,
                }
            }
            DecoderMode::MenuLine(line, _) if line.held().is_empty() => {
                Decoded::Failed(FailureKind::EmptyReply, Vec::new())
            }
            DecoderMode::MenuLine(line, _) if line.is_error() => missing_object_error(line),
            DecoderMode::MenuLine(..) => {
                let held = self.leave_menu_line();
                match self.decode(&held, body) {
                    (Decoded::More, _) => self.end(ending, body),
                    (decoded, _) => decoded,
                }
            }
            DecoderMode::Error(text) if text.contains(&b'\n') => server_error(text),
            DecoderMode::Error(_)
            | DecoderMode::ToEndLessDot { .. }
            | DecoderMode::ToDot { .. }
            | DecoderMode::Counted(_) => Decoded::Failed(FailureKind::CutOff, Vec::new()),
        }
    }
}

/// Returns the error that a Gopher+ server reports: "1 Item is not available. 2 Try again later. 3 Item
/// has moved".
fn server_error(text: &mut Vec<u8>) -> Decoded {
    let meaning = if text.starts_with(b"2") { Meaning::Busy } else { Meaning::Missing };
    Decoded::Failed(FailureKind::Said(meaning), std::mem::take(text))
}

/// Returns the error that a server of Gopher sends in place of an object that it does not have.
fn missing_object_error(line: &MenuLine) -> Decoded {
    Decoded::Failed(FailureKind::Said(Meaning::Missing), line.text().into())
}

/// What the first line of a Gopher+ answer announces.
#[derive(Debug, PartialEq, Eq)]
enum AnnouncedEnd {
    Octets(u64),
    ToDot,
    ToEnd,
    Error,
}

impl AnnouncedEnd {
    fn of(line: &[u8]) -> Option<Self> {
        let line = line.strip_suffix(b"\n")?;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let (sign, number) = line.split_first()?;
        let digits = number.strip_prefix(b"-").unwrap_or(number);
        let text = std::str::from_utf8(digits).ok().filter(|text| !text.is_empty())?;
        match (sign, number) {
            _ if !digits.iter().all(u8::is_ascii_digit) => None,
            (b'+', b"-1") => Some(Self::ToDot),
            (b'+', b"-2") => Some(Self::ToEnd),
            // "--1" and "--2" say how the text of the error ends; "-" and a number is its length.
            (b'-', _) => Some(Self::Error),
            // A number that is too large is a lie, which the end of the connection shows.
            (b'+', number) if number == digits => Some(Self::Octets(text.parse().unwrap_or(u64::MAX))),
            _ => None,
        }
    }

    /// Returns whether octets without a line end can begin such a line.
    fn is_beginning(line: &[u8]) -> bool {
        matches!(line.first(), Some(b'+' | b'-'))
            && line.iter().skip(1).all(|octet| octet.is_ascii_digit() || b"-\r".contains(octet))
    }
}

/// What a "." at the beginning of a line means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DotRule {
    /// Nothing, but a last line "." is not of the object.
    AsTheyAre,
    /// A line "." ends the object.
    End,
    /// As `End`, and a "." was added to each other line that begins with one (RFC 3977, 3.1.1). Lines
    /// end in CR LF: "servers MUST NOT" send LF alone, and to read it as a line end loses what follows.
    EndAndStuffed,
}

/// A line "." that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DotLine {
    /// The object has ended.
    End,
    /// LF without CR is before or after it: some would read it as the end, and others as a line.
    Ambiguous,
}

/// Divides octets into lines, as far as lines that begin with "." matter.
#[derive(Debug)]
pub(super) struct Lines {
    /// ".", ".CR", ".LF" or ".CR LF" at the beginning of a line, until what follows decides.
    held: Vec<u8>,
    start: Start,
    /// Whether the last octet was CR.
    is_after_cr: bool,
}

/// Whether the next octet begins a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    No,
    /// After LF without CR.
    AfterLf,
    Yes,
}

impl Lines {
    pub(super) const fn new() -> Self {
        Self { held: Vec::new(), start: Start::Yes, is_after_cr: false }
    }

    /// Takes octets. Returns the line "." that has ended the object, and the number of octets taken.
    pub(super) fn take(
        &mut self,
        octets: &[u8],
        dots: DotRule,
        body: &mut Vec<u8>,
    ) -> (Option<DotLine>, usize) {
        let mut i = 0;
        while let Some(&octet) = octets.get(i) {
            if self.held.is_empty() && !(self.start != Start::No && octet == b'.') {
                let end = self.line_end(&octets[i..]) + i;
                body.extend_from_slice(&octets[i..end]);
                i = end;
            } else if self.holds_with(octet) {
                self.held.push(octet);
                i += 1;
                if octet == b'\n' && dots != DotRule::AsTheyAre {
                    let is_exact = self.start == Start::Yes && self.held.ends_with(b"\r\n");
                    let is_end = dots == DotRule::End || is_exact;
                    self.held.clear();
                    return (Some(if is_end { DotLine::End } else { DotLine::Ambiguous }), i);
                }
            } else {
                // After LF alone no "." was added.
                let is_stuffed = dots == DotRule::EndAndStuffed && self.start == Start::Yes;
                body.extend_from_slice(&self.held[usize::from(is_stuffed)..]);
                self.start = if self.has_dot() { Start::Yes } else { Start::No };
                self.is_after_cr = self.held.ends_with(b"\r");
                self.held.clear();
            }
        }
        (None, i)
    }

    /// Returns how many octets the line has up to its end, or as far as it is there.
    fn line_end(&mut self, octets: &[u8]) -> usize {
        let Some(at) = octets.iter().position(|&octet| octet == b'\n') else {
            self.start = Start::No;
            self.is_after_cr = octets.ends_with(b"\r");
            return octets.len();
        };
        let has_cr = if at == 0 { self.is_after_cr } else { octets[at - 1] == b'\r' };
        self.start = if has_cr { Start::Yes } else { Start::AfterLf };
        self.is_after_cr = false;
        at + 1
    }

    /// Returns whether what is held and this octet begin a line ".".
    fn holds_with(&self, octet: u8) -> bool {
        matches!((self.held.as_slice(), octet), (b"", b'.') | (b".", b'\r' | b'\n') | (b".\r", b'\n'))
    }

    /// Returns whether the last line was ".".
    fn has_dot(&self) -> bool {
        self.held.ends_with(b"\n")
    }
}

/// The number of octets that a line which is an error may have, with its end.
const LONGEST: usize = 1024;

/// The longest rest after the line: a line ".".
const REST: usize = 3;

/// The beginning of an object, until it is known whether it is an error.
#[derive(Debug, Default)]
struct MenuLine {
    held: Vec<u8>,
}

/// What the beginning of an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstLineVerdict {
    /// That depends on what follows.
    Open,
    Error,
    Object,
}

impl MenuLine {
    pub(super) fn held(&self) -> &[u8] {
        &self.held
    }

    fn into_held(self) -> Vec<u8> {
        self.held
    }

    /// Takes octets as far as they are needed; returns how many.
    pub(super) fn take(&mut self, octets: &[u8]) -> usize {
        let room = (LONGEST + REST + 1).saturating_sub(self.held.len());
        let taken = octets.get(..room).unwrap_or(octets);
        self.held.extend_from_slice(taken);
        taken.len()
    }

    /// Returns what is known, before the connection ends. If a line "." ends the object, nothing is
    /// waited for after it.
    fn verdict(&self, ends_at_dot: bool) -> FirstLineVerdict {
        let (line, rest) = self.divided();
        match rest {
            _ if !matches!(self.held.first(), None | Some(b'0' | b'3')) => FirstLineVerdict::Object,
            None if self.held.len() <= LONGEST => FirstLineVerdict::Open,
            Some(b"" | b"." | b".\r") if is_error_line(line) => FirstLineVerdict::Open,
            Some([b'.', b'\n', ..] | [b'.', b'\r', b'\n', ..]) if is_error_line(line) && ends_at_dot => {
                FirstLineVerdict::Error
            }
            Some(b".\n" | b".\r\n") if is_error_line(line) => FirstLineVerdict::Open,
            _ => FirstLineVerdict::Object,
        }
    }

    /// Returns whether all that was sent is an error.
    fn is_error(&self) -> bool {
        let (line, rest) = self.divided();
        let rest = rest.unwrap_or_default();
        is_error_line(line) && matches!(rest, b"" | b"." | b".\r" | b".\n" | b".\r\n")
    }

    /// Returns what the line of an error shows to people.
    pub(super) fn text(&self) -> &[u8] {
        let (line, _) = self.divided();
        let name = line.split(|&octet| octet == b'\t').next().unwrap_or_default();
        name.get(1..).unwrap_or_default().trim_ascii()
    }

    /// Returns the first line without its end, and what follows it, if it has ended.
    fn divided(&self) -> (&[u8], Option<&[u8]>) {
        let end = self.held.iter().take(LONGEST).position(|&octet| octet == b'\n');
        let (line, rest) = match end {
            Some(end) => (&self.held[..end], self.held.get(end + 1..)),
            None => (&self.held[..], None),
        };
        (line.strip_suffix(b"\r").unwrap_or(line), rest)
    }
}

/// Returns whether a line is an item of type 3, "an error", or a text of the host `error.host`, by which
/// servers of the University of Minnesota answer.
fn is_error_line(line: &[u8]) -> bool {
    let mut fields = line.split(|&octet| octet == b'\t');
    let (name, host, port) = (fields.next().unwrap_or_default(), fields.nth(1), fields.next());
    let is_of_error = match name.first() {
        Some(b'3') => true,
        Some(b'0') => host == Some(b"error.host"),
        _ => false,
    };
    is_of_error && port.is_some() && line.len() <= LONGEST
}

/// The control connection: what is spoken there, and what was read and not yet used.
#[derive(Debug)]
pub(super) struct ControlConnection {
    protocol: Option<&'static Protocol>,
    octets: Vec<u8>,
    /// The octets before this offset are used.
    used: usize,
    parser: Parser,
    pub(super) peer_is_ipv4: bool,
    /// How the peer ended the connection, if it did.
    pub(super) ending: Option<Ending>,
    #[cfg(feature = "wais")]
    /// The largest number of octets of an answer in one packet.
    pub(super) largest_answer: u64,
    #[cfg(feature = "wais")]
    /// Whether the server has said how large its answers may be.
    pub(super) states_largest: bool,
}

impl Default for ControlConnection {
    fn default() -> Self {
        Self {
            protocol: None,
            octets: Vec::new(),
            used: 0,
            parser: Parser::default(),
            peer_is_ipv4: false,
            ending: None,
            #[cfg(feature = "wais")]
            largest_answer: LARGEST_ANSWER,
            #[cfg(feature = "wais")]
            states_largest: false,
        }
    }
}

impl ControlConnection {
    /// Begins a new connection.
    pub(super) fn open(&mut self, protocol: &'static Protocol) {
        *self = Self { protocol: Some(protocol), ..Self::default() };
    }

    /// Returns the name of the protocol.
    pub(super) fn name(&self) -> &'static str {
        self.protocol.map_or("a server", |protocol| protocol.name)
    }

    pub(super) const fn protocol(&self) -> Option<&'static Protocol> {
        self.protocol
    }

    pub(super) fn add(&mut self, octets: &[u8]) {
        // What is used is moved away when it is the larger part, so each octet is moved once.
        if self.used > self.octets.len() / 2 {
            self.octets.drain(..self.used);
            self.used = 0;
        }
        self.octets.extend_from_slice(octets);
    }

    pub(super) fn unread(&self) -> &[u8] {
        self.octets.get(self.used..).unwrap_or_default()
    }

    /// Marks octets as used.
    pub(super) fn use_up(&mut self, count: usize) {
        self.used = self.octets.len().min(self.used + count);
        self.parser = Parser::default();
    }

    /// Returns how replies are divided.
    pub(super) fn framing(&self) -> ReplyFraming {
        self.protocol.map_or(ReplyFraming::None, |protocol| protocol.replies)
    }

    /// Takes the next reply.
    pub(super) fn take_reply(&mut self, limit: usize) -> Parsed {
        let framing = self.framing();
        #[cfg(feature = "wais")]
        if framing == ReplyFraming::Packets {
            return self.take_init_response(limit);
        }
        let unread = self.octets.get(self.used..).unwrap_or_default();
        let parsed = self.parser.parse(framing, unread, limit);
        if let Parsed::Reply(_, length) = parsed {
            self.use_up(length);
        }
        parsed
    }
}

#[cfg(test)]
mod tests {
    use super::AnnouncedEnd::{self, Error, Octets, ToDot, ToEnd};

    #[test]
    fn first_lines_of_gopher_plus() {
        for (line, announced) in [
            ("+53\r\n", Some(Octets(53))),
            ("+0\n", Some(Octets(0))),
            ("+99999999999999999999\r\n", Some(Octets(u64::MAX))),
            ("+-1\r\n", Some(ToDot)),
            ("+-2\r\n", Some(ToEnd)),
            ("+-3\r\n", None),
            ("+-53\r\n", None),
            ("--1\r\n", Some(Error)),
            ("--2\r\n", Some(Error)),
            ("-40\r\n", Some(Error)),
            ("-\r\n", None),
            ("--\r\n", None),
            ("+\r\n", None),
            ("+INFO: 0a\r\n", None),
            ("- an item\r\n", None),
            ("+5", None),
            ("\r\n", None),
        ] {
            assert_eq!(AnnouncedEnd::of(line.as_bytes()), announced, "{line:?}");
        }
    }
}
