//! What was read and found in, a summary out.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use serde::Serialize;

use crate::progress::Counts;

/// What no progress tells.
#[derive(Debug)]
pub(super) struct Stats {
    start: Instant,
    /// How many files have links.
    files_with_links: AtomicU64,
}

/// The summary, in JSON under the key "stats".
#[derive(Serialize)]
struct Summary {
    links: u64,
    files_with_links: u64,
    files: u64,
    octets: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Object {
    stats: Summary,
}

impl Stats {
    /// Nothing is read yet.
    pub(super) fn begin() -> Self {
        Self { start: Instant::now(), files_with_links: AtomicU64::new(0) }
    }

    /// Counts a file that has links.
    pub(super) fn add(&self) {
        self.files_with_links.fetch_add(1, Ordering::Relaxed);
    }

    /// Writes the summary, for people after an empty line.
    pub(super) fn write(&self, counts: &Counts, is_json: bool, out: &mut impl Write) -> io::Result<()> {
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let stats = Summary {
            links: of(&counts.links),
            files_with_links: of(&self.files_with_links),
            files: of(&counts.files),
            octets: of(&counts.octets),
            // Microseconds are more than anybody trusts.
            seconds: (self.start.elapsed().as_secs_f64() * 1e6).round() / 1e6,
        };
        if is_json {
            serde_json::to_writer(&mut *out, &Object { stats })?;
            return writeln!(out);
        }
        let Summary { links, files_with_links, files, octets, seconds } = stats;
        writeln!(
            out,
            "\n{links} links\n{files_with_links} files contained links\n{files} files searched\n\
             {octets} bytes searched\n{seconds:.6} seconds"
        )
    }
}
