//! What is seen of a text: its octets from some place on enter, and whether it ends with them; an octet or
//! character, or that more must be seen, leaves.

/// The octets at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window<'t> {
    pub(super) text: &'t [u8],
    /// How many places are known: all of the text's, and one more if the text ends with it. No `bool` says so, for a copy of
    /// its padding waits for what was written last.
    known: usize,
}

/// What is behind the window decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct More;

/// What stands behind the end of a text, and before its start: NUL, which is in no URL.
pub(super) const NOTHING: u8 = 0;

impl<'t> Window<'t> {
    #[inline(always)]
    pub(super) fn new(text: &'t [u8], is_last: bool) -> Self {
        Self { text, known: text.len() + usize::from(is_last) }
    }

    /// Whether the text ends where these octets end.
    #[inline(always)]
    pub(super) fn is_last(self) -> bool {
        self.known > self.text.len()
    }

    /// The octet there.
    #[inline(always)]
    pub(super) fn octet(self, at: usize) -> Result<u8, More> {
        match self.text.get(at) {
            Some(&octet) => Ok(octet),
            None if self.is_last() => Ok(NOTHING),
            None => Err(More),
        }
    }

    /// The octet before that place.
    #[inline(always)]
    pub(super) fn before(self, at: usize) -> u8 {
        at.checked_sub(1).map_or(NOTHING, |before| self.text[before])
    }

    /// At most so many octets from there on; fewer only at the end of the text.
    pub(super) fn excerpt(self, at: usize, length: usize) -> Result<&'t [u8], More> {
        let rest = self.text.get(at..).unwrap_or_default();
        match rest.get(..length) {
            Some(excerpt) => Ok(excerpt),
            None if self.is_last() => Ok(rest),
            None => Err(More),
        }
    }

    /// The character there and how many octets it has; none if the octets are no UTF-8.
    pub(super) fn character(self, at: usize) -> Result<Option<(char, usize)>, More> {
        let rest = self.text.get(at..).unwrap_or_default();
        let octets = &rest[..rest.len().min(4)];
        let valid = match core::str::from_utf8(octets) {
            Ok(valid) => valid,
            Err(error) if error.valid_up_to() == 0 && error.error_len().is_none() && !self.is_last() => {
                return Err(More);
            }
            Err(error) => core::str::from_utf8(&octets[..error.valid_up_to()]).unwrap_or_default(),
        };
        Ok(valid.chars().next().map(|character| (character, character.len_utf8())))
    }
}
