//! Who receives the results of a run, and how it ended.

use std::io;

use crate::document::page::Page;
use crate::outcome::Verdict;

/// Receives the results of a run.
pub trait Receiver {
    /// Receives a document, with the verdicts of the links that it has kept.
    ///
    /// # Errors
    ///
    /// The results cannot be written, which ends the run.
    fn page(&mut self, page: &Page, verdicts: &[Verdict]) -> io::Result<()>;

    /// Receives how many URLs are judged, how many there are, and for which hosts requests wait.
    fn progress(&mut self, done: usize, all: usize, waiting: &dyn Fn() -> Vec<String>) {
        let _ = (done, all, waiting);
    }

    /// Returns whether the run is to end.
    fn is_over(&self) -> bool {
        false
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All links are judged.
    Complete,
    /// This machine has no network: nothing is known of any server.
    NoNetwork,
    /// The run was ended.
    Interrupted,
}
