//! Prints a listing while it arrives: an entry as soon as its line is complete.

use std::io::{self, Write};

use locator_fetch::entries::{EntryError, EntryKind};

use super::list::Lister;
use super::trouble::Trouble;
use crate::terminal::visible::legible;

/// The state of a listing that is being printed.
pub(super) struct Printing<'l> {
    lister: &'l Lister,
    only_urls: bool,
    /// The number of bytes whose entries are printed.
    done: usize,
    /// The number of bytes that were searched for line ends.
    searched: usize,
    /// How many entries have no URL, and why the first has none.
    without: Option<(u64, EntryError)>,
}

impl<'l> Printing<'l> {
    pub(super) const fn new(lister: &'l Lister, only_urls: bool) -> Self {
        Self { lister, only_urls, done: 0, searched: 0, without: None }
    }

    /// Prints the entries whose lines are complete.
    pub(super) fn lines(&mut self, body: &[u8], out: &mut impl Write) -> io::Result<()> {
        let end = body[self.searched..].iter().rposition(|&octet| octet == b'\n');
        let end = end.map(|at| self.searched + at + 1);
        self.searched = body.len();
        match end {
            Some(end) if self.lister.is_by_line(body) => self.print(body, end, out),
            _ => Ok(()),
        }
    }

    /// Prints the rest of a complete listing, and notes about it.
    pub(super) fn end(mut self, body: &[u8], out: &mut impl Write) -> Result<(), Trouble> {
        self.print(body, body.len(), out)?;
        self.lister.remark_on_count(body);
        match self.lister.error(body) {
            Some(error) => Err(error),
            None => {
                self.lister.remark(self.without);
                Ok(())
            }
        }
    }

    fn print(&mut self, body: &[u8], end: usize, out: &mut impl Write) -> io::Result<()> {
        for entry in self.lister.entries(&body[self.done..end]) {
            match &entry.url {
                Ok(url) if self.only_urls => writeln!(out, "{url}")?,
                Ok(url) => line(out, url.as_str(), &entry.name)?,
                // A message of the server is not a result.
                Err(_) if self.lister.is_search() && entry.kind == EntryKind::Error => {}
                Err(why) => {
                    if !self.only_urls {
                        line(out, "", &entry.name)?;
                    }
                    if !matches!(entry.kind, EntryKind::Words | EntryKind::Error)
                        && !matches!(why, EntryError::Edition(_))
                    {
                        let (count, _) = self.without.get_or_insert((0, *why));
                        *count += 1;
                    }
                }
            }
        }
        self.done = end;
        out.flush()
    }
}

/// Writes an entry. The name comes from a server, so control characters in it are shown as codes.
fn line(out: &mut impl Write, url: &str, name: &[u8]) -> io::Result<()> {
    writeln!(out, "{url}\t{}", legible(&String::from_utf8_lossy(name)))
}
