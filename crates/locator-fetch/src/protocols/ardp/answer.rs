//! The answer of a server: takes its packets in any order, returns the octets that they contain.

use std::collections::BTreeMap;

use super::CallError;

/// How far beyond the first missing packet others are kept. Servers send 16 at once.
const AHEAD: u16 = 64;

/// The octets of an answer, as far as they are there.
///
/// ```
/// let mut answer = locator_fetch::ardp::Answer::default();
/// answer.add(2, Some(2), b"world", 100)?;
/// answer.add(1, None, b"hello ", 100)?;
/// assert_eq!((answer.octets(), answer.is_whole()), (&b"hello world"[..], true));
/// # Ok::<_, locator_fetch::ardp::CallError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Answer {
    octets: Vec<u8>,
    /// All packets up to this number are in `octets`.
    received: u16,
    /// Packets after the first that is missing.
    later: BTreeMap<u16, Vec<u8>>,
    total: Option<u16>,
}

impl Answer {
    /// Takes a packet. Returns whether it brings something new.
    ///
    /// # Errors
    ///
    /// The packets contradict each other about how many they are, or they are longer than the limit.
    pub fn add(
        &mut self,
        number: u16,
        total: Option<u16>,
        data: &[u8],
        limit: usize,
    ) -> Result<bool, CallError> {
        self.count(number, total)?;
        let is_new =
            number > self.received && number - self.received <= AHEAD && !self.later.contains_key(&number);
        if !is_new {
            return Ok(false);
        }
        self.later.insert(number, data.to_vec());
        while let Some(data) = self.received.checked_add(1).and_then(|next| self.later.remove(&next)) {
            self.received += 1;
            if data.len() > limit - self.octets.len() {
                return Err(CallError::TooLong(limit));
            }
            self.octets.extend(data);
        }
        Ok(true)
    }

    /// Checks the number of a packet, and that of all.
    fn count(&mut self, number: u16, total: Option<u16>) -> Result<(), CallError> {
        let largest = self.later.last_key_value().map_or(self.received, |(&last, _)| last).max(number);
        match (self.total, total) {
            (Some(known), Some(total)) if known != total => return Err(CallError::Garbled),
            (known, total) => self.total = known.or(total),
        }
        if self.total.is_some_and(|total| largest > total) { Err(CallError::Garbled) } else { Ok(()) }
    }

    /// Returns the number of the last packet before which none is missing.
    #[must_use]
    pub const fn received(&self) -> u16 {
        self.received
    }

    /// Returns whether every packet is there.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.total == Some(self.received)
    }

    /// Returns the octets before the first packet that is missing.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }
}
