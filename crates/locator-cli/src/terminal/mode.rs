//! The mode of the terminal: a prompt for a password changes it, and a run that is interrupted there
//! restores it.

use std::fs::File;
use std::sync::{Mutex, PoisonError};

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

static BEFORE: Mutex<Option<(File, Termios)>> = Mutex::new(None);

/// Runs work that changes the mode while it lasts.
pub(crate) fn keep<T>(work: impl FnOnce() -> T) -> T {
    set(current());
    let result = work();
    set(None);
    result
}

/// Restores the mode, if it was changed.
pub(crate) fn restore() {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((terminal, mode)) = before {
        // A failure to do so is ignored: the run ends.
        let _ = tcsetattr(terminal, OptionalActions::Now, &mode);
    }
}

fn current() -> Option<(File, Termios)> {
    let terminal = File::open("/dev/tty").ok()?;
    let mode = tcgetattr(&terminal).ok()?;
    Some((terminal, mode))
}

fn set(mode: Option<(File, Termios)>) {
    *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = mode;
}
