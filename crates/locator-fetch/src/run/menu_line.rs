//! Errors of Gopher: takes the first octets of an object, returns whether they are a line of a menu
//! that a server sent in its place, because it has no such object. RFC 1436 has no replies.

/// The number of octets that a line which is an error may have, with its end.
const LONGEST: usize = 1024;

/// The longest rest after the line: a line ".".
const REST: usize = 3;

/// The beginning of an object, until it is known whether it is an error.
#[derive(Debug, Default)]
pub(super) struct MenuLine {
    held: Vec<u8>,
}

/// What the beginning of an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// That depends on what follows.
    Open,
    Error,
    Object,
}

impl MenuLine {
    pub(super) fn held(&self) -> &[u8] {
        &self.held
    }

    pub(super) fn into_held(self) -> Vec<u8> {
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
    pub(super) fn verdict(&self, ends_at_dot: bool) -> Verdict {
        let (line, rest) = self.divided();
        match rest {
            _ if !matches!(self.held.first(), None | Some(b'0' | b'3')) => Verdict::Object,
            None if self.held.len() <= LONGEST => Verdict::Open,
            Some(b"" | b"." | b".\r") if is_error_line(line) => Verdict::Open,
            Some([b'.', b'\n', ..] | [b'.', b'\r', b'\n', ..]) if is_error_line(line) && ends_at_dot => {
                Verdict::Error
            }
            Some(b".\n" | b".\r\n") if is_error_line(line) => Verdict::Open,
            _ => Verdict::Object,
        }
    }

    /// Returns whether all that was sent is an error.
    pub(super) fn is_error(&self) -> bool {
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
