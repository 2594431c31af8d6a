//! Lines that begin with ".": takes octets in any cut, finds the line "." that ends an object, and
//! removes what was added to other lines (RFC 3977, 3.1.1).

/// What a "." at the beginning of a line means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dots {
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
pub(super) enum Dot {
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
    pub(super) fn take(&mut self, octets: &[u8], dots: Dots, body: &mut Vec<u8>) -> (Option<Dot>, usize) {
        let mut i = 0;
        while let Some(&octet) = octets.get(i) {
            if self.held.is_empty() && !(self.start != Start::No && octet == b'.') {
                let end = self.line_end(&octets[i..]) + i;
                body.extend_from_slice(&octets[i..end]);
                i = end;
            } else if self.holds_with(octet) {
                self.held.push(octet);
                i += 1;
                if octet == b'\n' && dots != Dots::AsTheyAre {
                    let is_exact = self.start == Start::Yes && self.held.ends_with(b"\r\n");
                    let is_end = dots == Dots::End || is_exact;
                    self.held.clear();
                    return (Some(if is_end { Dot::End } else { Dot::Ambiguous }), i);
                }
            } else {
                // After LF alone no "." was added.
                let is_stuffed = dots == Dots::EndAndStuffed && self.start == Start::Yes;
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
    pub(super) fn has_dot(&self) -> bool {
        self.held.ends_with(b"\n")
    }
}
