//! The lines of one document in, standard output out: all of them together, whatever other threads have to say.
//!
//! A page that becomes long takes the floor before it is finished and keeps it to its end, so that memory has a
//! bound however many links a file has.

use std::io::{self, Write};
use std::mem;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::input::Origin;
use crate::interrupt::Turn;
use crate::run::Output;

/// Standard output, at which one document at a time has its say.
pub(super) struct Floor<'o> {
    out: Mutex<&'o mut Output>,
    /// What is written between two documents.
    separator: &'static str,
    /// Whether one has had its say.
    has_begun: AtomicBool,
    /// Why nothing can be written any more.
    failed: Mutex<Option<io::Error>>,
}

/// What one document has to say.
pub(super) struct Page<'f, 'o> {
    floor: &'f Floor<'o>,
    held: Option<MutexGuard<'f, &'o mut Output>>,
    lines: Vec<u8>,
    /// How many links stand on it.
    links: u64,
}

impl<'o> Floor<'o> {
    /// Lets documents have their say there.
    pub(super) const fn new(out: &'o mut Output, separator: &'static str) -> Self {
        Self { out: Mutex::new(out), separator, has_begun: AtomicBool::new(false), failed: Mutex::new(None) }
    }

    /// Begins a page, on paper that was used before.
    pub(super) fn page(&self, paper: Vec<u8>) -> Page<'_, 'o> {
        Page { floor: self, held: None, lines: paper, links: 0 }
    }

    /// Standard output again.
    pub(super) fn end(self) -> io::Result<&'o mut Output> {
        match self.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(self.out.into_inner().unwrap_or_else(PoisonError::into_inner)),
        }
    }
}

impl Page<'_, '_> {
    /// How long it becomes before it is written.
    const PIECE: usize = 256 * 1024;

    /// What stands on it and is not written yet.
    pub(super) const fn lines(&mut self) -> &mut Vec<u8> {
        &mut self.lines
    }

    /// Ends what is said of one link.
    pub(super) fn end_link(&mut self) -> ControlFlow<()> {
        self.links += 1;
        if self.lines.len() < Self::PIECE { ControlFlow::Continue(()) } else { self.write() }
    }

    /// Writes what stands on it; nobody else has a say then until it is finished. It ends where nobody listens.
    pub(super) fn write(&mut self) -> ControlFlow<()> {
        if self.lines.is_empty() {
            return ControlFlow::Continue(());
        }
        let floor = self.floor;
        let is_first = self.held.is_none();
        let out = self.held.get_or_insert_with(|| floor.out.lock().unwrap_or_else(PoisonError::into_inner));
        // An interrupted run ends between two pieces.
        let mut turn = Turn::take();
        let is_next = is_first && floor.has_begun.swap(true, Ordering::Relaxed);
        let between = if is_next { floor.separator } else { "" };
        let written = out
            .write_all(between.as_bytes())
            .and_then(|()| out.write_all(&self.lines))
            .and_then(|()| out.flush());
        self.lines.clear();
        turn.add(Origin::Link, mem::take(&mut self.links));
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                floor.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                ControlFlow::Break(())
            }
        }
    }

    /// Writes the rest, and gives the paper back.
    pub(super) fn finish(mut self) -> (ControlFlow<()>, Vec<u8>) {
        let flow = self.write();
        Turn::take().add(Origin::File, 1);
        (flow, self.lines)
    }
}
