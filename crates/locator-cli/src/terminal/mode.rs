//! The mode of the terminal: a prompt for a password changes it, and a run that is interrupted there
//! restores it.

use std::fs::File;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

static BEFORE: Mutex<Option<(File, Termios)>> = Mutex::new(None);

/// Runs work that changes the mode while it lasts.
pub(crate) fn keep<T>(work: impl FnOnce() -> T) -> T {
    set(current());
    let result = work();
    set(None);
    result
}

/// Restores the mode, if it was changed, or is about to be: the prompt is on another thread, which may
/// be on its way to change it.
pub(crate) fn restore() {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some((terminal, mode)) = before else { return };
    for _ in 0..5 {
        // A failure to do so is ignored: the run ends.
        let _ = tcsetattr(&terminal, OptionalActions::Now, &mode);
        thread::sleep(Duration::from_millis(5));
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
