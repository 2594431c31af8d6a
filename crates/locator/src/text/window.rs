//! The visible part of a text. Takes its octets and whether the text ends with them; returns an
//! octet or character, or reports that more text is needed.

/// The visible octets of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window<'t> {
    pub(super) text: &'t [u8],
    /// How many places are known: all of the text's, and one more if the text ends with it. No
    /// `bool` says so, for a copy of its padding waits for what was written last.
    known: usize,
}

/// The text after the window is needed to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Incomplete;

/// The number of octets before a word that are searched for a control sequence.
const LONGEST_CONTROL: usize = 64;

/// ESC, and as source code has it.
const ESCAPES: [&[u8]; 5] = [b"\x1B", b"\\033", b"\\e", b"\\x1b", b"\\u001b"];

/// The octet before the start and after the end of a text: NUL, which is not in any URL.
pub(super) const NOTHING: u8 = 0;

impl<'t> Window<'t> {
    #[inline(always)]
    pub(super) fn new(text: &'t [u8], is_last: bool) -> Self {
        Self { text, known: text.len() + usize::from(is_last) }
    }

    /// Whether the text ends with these octets.
    #[inline(always)]
    pub(super) fn is_last(self) -> bool {
        self.known > self.text.len()
    }

    /// Returns the octet at an offset.
    #[inline(always)]
    pub(super) fn octet(self, at: usize) -> Result<u8, Incomplete> {
        match self.text.get(at) {
            Some(&octet) => Ok(octet),
            None if self.is_last() => Ok(NOTHING),
            None => Err(Incomplete),
        }
    }

    /// Returns the octet before an offset.
    #[inline(always)]
    pub(super) fn before(self, at: usize) -> u8 {
        at.checked_sub(1).map_or(NOTHING, |before| self.text[before])
    }

    /// Returns the start of a word that seems to begin at `start`, after a terminal's control
    /// sequence: "m" in "ESC [ 3 2 m" is not part of the word, also where source code spells out
    /// ESC.
    pub(super) fn after_control(self, start: usize, end: usize) -> usize {
        // "CSI P ... P I ... I F", parameters are 03/00 to 03/15 (ECMA-48, 5.4)
        let is_parameter = |octet: &&u8| (0x30..=0x3F).contains(*octet);
        let last = start + self.text[start..end].iter().take_while(is_parameter).count();
        if !self.text[last..end].first().is_some_and(u8::is_ascii_alphabetic) {
            return start;
        }
        let before = &self.text[start.saturating_sub(LONGEST_CONTROL)..start];
        let parameters = before.iter().rev().take_while(is_parameter).count();
        let escape = before[..before.len() - parameters].strip_suffix(b"[").unwrap_or_default();
        let ends_in = |written: &&[u8]| {
            let tail = &escape[escape.len().saturating_sub(written.len())..];
            tail.eq_ignore_ascii_case(written)
        };
        if ESCAPES.iter().any(ends_in) { last + 1 } else { start }
    }

    /// Returns at most so many octets from there on; fewer only at the end of the text.
    pub(super) fn excerpt(self, at: usize, length: usize) -> Result<&'t [u8], Incomplete> {
        let rest = self.text.get(at..).unwrap_or_default();
        match rest.get(..length) {
            Some(excerpt) => Ok(excerpt),
            None if self.is_last() => Ok(rest),
            None => Err(Incomplete),
        }
    }

    /// Returns the character there and its length; `None` for invalid UTF-8.
    pub(super) fn character(self, at: usize) -> Result<Option<(char, usize)>, Incomplete> {
        let rest = self.text.get(at..).unwrap_or_default();
        let octets = &rest[..rest.len().min(4)];
        let valid = match core::str::from_utf8(octets) {
            Ok(valid) => valid,
            Err(error) if error.valid_up_to() == 0 && error.error_len().is_none() && !self.is_last() => {
                return Err(Incomplete);
            }
            Err(error) => core::str::from_utf8(&octets[..error.valid_up_to()]).unwrap_or_default(),
        };
        Ok(valid.chars().next().map(|character| (character, character.len_utf8())))
    }
}
