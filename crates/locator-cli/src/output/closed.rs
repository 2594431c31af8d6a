//! Whether standard output was closed when the program was started, as by `>&-` in a shell.
//!
//! The standard library opens /dev/null in place of a closed stream before `main`, so that nothing
//! fails and everything that is written is lost. Therefore a constructor looks at the stream first.

use std::io::{self, Write};
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(unix)]
static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
ctor::declarative::ctor! {
    #[ctor]
    fn look() {
        use std::os::fd::AsFd;

        let is_closed = io::stdout().as_fd().try_clone_to_owned().is_err();
        WAS_CLOSED.store(is_closed, Ordering::Relaxed);
    }
}

/// Returns whether standard output was closed.
pub(crate) fn was_closed() -> bool {
    #[cfg(unix)]
    return WAS_CLOSED.load(Ordering::Relaxed);
    #[cfg(not(unix))]
    false
}

/// A closed stream: every write fails.
pub(crate) struct Closed;

impl Write for Closed {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if octets.is_empty() { Ok(0) } else { Err(error()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The error of writing to a closed stream.
pub(crate) fn error() -> io::Error {
    io::Error::other("it is closed")
}
