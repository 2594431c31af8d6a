//! What lines are compared by: takes lines, returns a hash of 128 bits for each.
//!
//! A line that is not a valid URL, or has no host if hosts are compared, is compared by its text.

use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use clap::ValueEnum;
use locator::bulk::{Batch, Separator};
use locator::{Edition, Level, UriRef};
use twox_hash::XxHash3_128;

use crate::input::reading;

/// What lines are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum By {
    /// The line, byte for byte
    Text,
    /// The page: the normal form without fragment and tracking, pairs sorted
    Key,
    /// The normal form, as 'locator normalize' prints it
    Normal,
    /// The host, in normal form
    Host,
}

/// Makes keys of lines.
pub(super) struct Keys {
    by: By,
    edition: &'static Edition,
    separator: Separator,
    batch: Batch,
    /// Of the hashes of texts, and of the hashes of what else lines are compared by. They are
    /// random, so that nobody can prepare lines with the same hash.
    seeds: [u64; 2],
    /// How many lines were compared by their text in place of what was asked for.
    pub(super) by_text: u64,
}

impl Keys {
    pub(super) fn new(by: By, edition: &'static Edition, separator: Separator) -> Self {
        let seeds = [0, 1].map(|number| RandomState::new().hash_one(number));
        Self { by, edition, separator, batch: Batch::new_with(edition), seeds, by_text: 0 }
    }

    /// Replaces the keys by those of lines of a buffer that follow one another.
    pub(super) fn read(&mut self, buffer: &[u8], lines: &[Range<usize>], keys: &mut Vec<u128>) {
        keys.clear();
        match self.by {
            By::Text => keys.extend(lines.iter().map(|line| self.of_text(&buffer[line.clone()]))),
            By::Key => keys.extend(lines.iter().map(|line| self.of_key(&buffer[line.clone()]))),
            By::Normal => keys.extend(lines.iter().map(|line| self.of_normal(&buffer[line.clone()]))),
            By::Host => self.read_hosts(buffer, lines, keys),
        }
    }

    fn of_text(&self, line: &[u8]) -> u128 {
        XxHash3_128::oneshot_with_seed(self.seeds[0], line)
    }

    fn of_part(&self, part: &[u8]) -> u128 {
        XxHash3_128::oneshot_with_seed(self.seeds[1], part)
    }

    /// The key of a line without the part that is asked for.
    fn without_part(&mut self, line: &[u8]) -> u128 {
        self.by_text += 1;
        self.of_text(line)
    }

    fn of_normal(&mut self, line: &[u8]) -> u128 {
        match reading::read(line, self.edition) {
            Ok(parsed) => self.of_part(parsed.reference.normalize(Level::Scheme).as_str().as_bytes()),
            Err(_) => self.without_part(line),
        }
    }

    fn of_key(&mut self, line: &[u8]) -> u128 {
        match reading::read(line, self.edition) {
            Ok(parsed) => self.of_part(locator_functions::key(parsed.reference).as_str().as_bytes()),
            Err(_) => self.without_part(line),
        }
    }

    fn read_hosts(&mut self, buffer: &[u8], lines: &[Range<usize>], keys: &mut Vec<u128>) {
        let [Some(first), Some(last)] = [lines.first(), lines.last()] else { return };
        let rows = &buffer[first.start..last.end];
        // A batch has no row for an empty line at the end.
        let is_read = self.batch.read(rows, self.separator).is_ok() && self.batch.len() <= lines.len();
        let batch = std::mem::take(&mut self.batch);
        let read = if is_read { batch.len() } else { 0 };
        for (row, line) in lines.iter().enumerate() {
            let line = &buffer[line.clone()];
            let host = (row < read && batch.errors()[row] == Batch::VALID)
                .then(|| &line[batch.host_starts()[row] as usize..batch.host_ends()[row] as usize]);
            keys.push(match host {
                Some(host) if !host.is_empty() && host.iter().all(is_normal) => self.of_part(host),
                Some([]) => self.without_part(line),
                _ => self.of_host(line),
            });
        }
        self.batch = batch;
    }

    /// The key of a line whose host may not be in normal form, or which may be invalid.
    fn of_host(&mut self, line: &[u8]) -> u128 {
        let normal = UriRef::parse_bytes_with(line, self.edition).map(|url| url.normalize(Level::Scheme));
        let host = normal.as_ref().ok().and_then(|normal| normal.as_uri_ref().host());
        match host.map(|host| host.as_str()).filter(|host| !host.is_empty()) {
            Some(host) => self.of_part(host.as_bytes()),
            None => self.without_part(line),
        }
    }
}

/// Returns whether a byte of a host is the same in its normal form, whatever is around it.
fn is_normal(octet: &u8) -> bool {
    matches!(octet, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_')
}
