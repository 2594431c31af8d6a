//! Handles Ctrl-C: prints how much is done and ends by the signal, which is the status 130 in a shell and
//! ends a loop of it. `get` handles SIGTERM, too.
//!
//! The run holds a lock while it works and checks for the signal after every input. While it waits
//! for more input, all output is flushed and the lock is free; then the handler prints the count
//! and exits. So the count is always that of finished inputs. A run of several threads holds the
//! lock while one of them writes.
//!
//! A fetch waits most of the time, so `get` exits at once ([`at_once`]), after what has come is written
//! ([`Unwritten`]).

use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
#[cfg(feature = "get")]
use std::sync::{OnceLock, RwLock, RwLockReadGuard};
use std::thread;
#[cfg(feature = "get")]
use std::time::Duration;

use locator_web::report::quantity::grouped;

use crate::exit::{INTERRUPTED, say};
use crate::input::Origin;
use crate::output::progress;
#[cfg(all(unix, feature = "get"))]
use crate::terminal::mode;

static STOP: AtomicBool = AtomicBool::new(false);
static TURN: Mutex<Done> = Mutex::new(Done { count: 0, origin: Origin::Line });

/// What is done.
struct Done {
    count: u64,
    origin: Origin,
}

/// The turn of a run that can be interrupted.
pub(crate) struct Turn {
    done: Option<MutexGuard<'static, Done>>,
}

impl Turn {
    /// Begins a run over inputs of that origin.
    pub(crate) fn begin(origin: Origin) -> Self {
        // Without a handler the signal ends the program, which is acceptable.
        handle(&[Signal::Interrupt], |_| stop());
        let mut done = lock();
        *done = Done { count: 0, origin };
        Self { done: Some(done) }
    }

    /// Waits for the turn, in a run whose threads take it one after the other.
    pub(crate) fn take() -> Self {
        Self { done: Some(lock()) }
    }

    /// Counts an input that is answered.
    pub(crate) fn count(&mut self) -> u64 {
        self.done.as_mut().map_or(0, |done| {
            done.count += 1;
            done.count
        })
    }

    /// Counts more of what this run counts, if that is what they are.
    pub(crate) fn add(&mut self, origin: Origin, more: u64) {
        if let Some(done) = self.done.as_mut().filter(|done| done.origin == origin) {
            done.count += more;
        }
    }

    /// Whether the run is to end.
    pub(crate) fn is_over() -> bool {
        STOP.load(Ordering::Relaxed)
    }

    /// Runs work that may block, without the lock.
    pub(crate) fn wait<T>(&mut self, work: impl FnOnce() -> T) -> T {
        self.done = None;
        let result = work();
        self.done = Some(lock());
        result
    }

    /// Prints how much is done.
    pub(crate) fn report(&self) {
        if let Some(done) = &self.done {
            done.report();
        }
    }
}

impl Done {
    fn report(&self) {
        let plural = if self.count == 1 { "" } else { "s" };
        say(&format!("interrupted after {} {}{plural}", grouped(self.count), self.origin.name()));
    }
}

/// A signal that ends a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Ctrl-C.
    Interrupt,
    #[cfg(feature = "get")]
    Terminate,
}

impl Signal {
    /// The exit status of a run that it ended, as a shell has it: 128 and the number of the signal.
    const fn status(self) -> i32 {
        match self {
            Self::Interrupt => INTERRUPTED as i32,
            #[cfg(feature = "get")]
            Self::Terminate => 128 + 15,
        }
    }

    #[cfg(feature = "get")]
    const fn word(self) -> &'static str {
        match self {
            Self::Interrupt => "interrupted",
            Self::Terminate => "terminated",
        }
    }

    #[cfg(unix)]
    const fn number(self) -> i32 {
        match self {
            Self::Interrupt => signal_hook::consts::SIGINT,
            #[cfg(feature = "get")]
            Self::Terminate => signal_hook::consts::SIGTERM,
        }
    }
}

/// Calls a function, in a thread of its own, at each of these signals, unless that is done already.
/// Without a handler a signal ends the program, which is acceptable.
fn handle(signals: &'static [Signal], handler: fn(Signal)) {
    static IS_HANDLED: AtomicBool = AtomicBool::new(false);
    if IS_HANDLED.swap(true, Ordering::Relaxed) {
        return;
    }
    #[cfg(unix)]
    {
        let numbers = signals.iter().map(|signal| signal.number());
        let Ok(mut come) = signal_hook::iterator::Signals::new(numbers) else { return };
        let _ = thread::Builder::new().spawn(move || {
            for number in come.forever() {
                signals.iter().filter(|signal| signal.number() == number).for_each(|&signal| handler(signal));
            }
        });
    }
    #[cfg(not(unix))]
    {
        let _ = ctrlc::set_handler(move || signals.first().into_iter().for_each(|&signal| handler(signal)));
    }
}

/// Ends the program by the signal, as if it were not handled: a shell ends a loop or a script at Ctrl-C
/// only if the program that it runs does not end in another way. Elsewhere the exit status says it.
#[expect(clippy::disallowed_methods, reason = "the thread of signals ends the program")]
pub(crate) fn end_by(signal: Signal) -> ! {
    #[cfg(unix)]
    let _ = signal_hook::low_level::emulate_default_handler(signal.number());
    exit(signal.status())
}

/// Ends the run at once when it is interrupted or terminated, and not after the input that is being
/// processed. For a verb that waits for others; it is called before the run begins. `report` says what the
/// run leaves.
#[cfg(feature = "get")]
pub(crate) fn at_once(report: fn()) {
    let _ = REPORT.set(report);
    handle(&[Signal::Interrupt, Signal::Terminate], |signal| {
        if signal == Signal::Interrupt && HELD.load(Ordering::Relaxed) {
            return;
        }
        // The end does not wait for a reader that does not read, of standard output or standard error.
        thread::spawn(move || {
            thread::sleep(PATIENCE);
            end_by(signal);
        });
        ENDS.store(true, Ordering::Relaxed);
        let _is_written = UNWRITTEN.write();
        #[cfg(unix)]
        mode::restore();
        progress::end_line();
        say(signal.word());
        REPORT.get().into_iter().for_each(|report| report());
        end_by(signal);
    });
}

/// Notifies a server when it is interrupted or terminated, so that it can answer what was asked; a second
/// signal ends it at once.
#[cfg(feature = "serve")]
pub(crate) fn notify(end: &'static tokio::sync::Notify) {
    let _ = SERVER.set(end);
    handle(&[Signal::Interrupt, Signal::Terminate], |signal| {
        if ENDS.swap(true, Ordering::Relaxed) {
            end_by(signal);
        }
        SERVER.get().into_iter().for_each(|end| end.notify_one());
    });
}

#[cfg(feature = "serve")]
static SERVER: OnceLock<&'static tokio::sync::Notify> = OnceLock::new();

#[cfg(feature = "get")]
static REPORT: OnceLock<fn()> = OnceLock::new();

#[cfg(feature = "get")]
static ENDS: AtomicBool = AtomicBool::new(false);
#[cfg(feature = "get")]
static UNWRITTEN: RwLock<()> = RwLock::new(());

/// Octets that were received and are on their way to standard output. A run that is interrupted ends
/// after them. Several threads may have some.
#[cfg(feature = "get")]
#[derive(Default)]
pub(crate) struct Unwritten(Option<RwLockReadGuard<'static, ()>>);

#[cfg(feature = "get")]
impl Unwritten {
    /// Notes that octets were received. Does not return if the run ends.
    pub(crate) fn received(&mut self) {
        self.0.get_or_insert_with(|| UNWRITTEN.read().unwrap_or_else(PoisonError::into_inner));
    }

    /// Notes that all of them are written.
    pub(crate) fn written(&mut self) {
        self.0 = None;
    }

    /// Returns whether the run ends as soon as they are written.
    pub(crate) fn run_ends() -> bool {
        ENDS.load(Ordering::Relaxed)
    }
}

/// How long an interrupted run may take to say so.
#[cfg(feature = "get")]
const PATIENCE: Duration = Duration::from_millis(100);

/// Leaves interruptions to a program that uses the same terminal, or no longer does so.
#[cfg(feature = "get")]
pub(crate) fn hold(held: bool) {
    HELD.store(held, Ordering::Relaxed);
}

#[cfg(feature = "get")]
static HELD: AtomicBool = AtomicBool::new(false);

/// The handler, in a thread of its own.
fn stop() {
    if STOP.swap(true, Ordering::Relaxed) {
        // A second signal exits at once: the first may be blocked by a reader that does not read.
        end_by(Signal::Interrupt);
    }
    thread::spawn(|| {
        let done = lock();
        progress::end_line();
        done.report();
        end_by(Signal::Interrupt);
    });
}

fn lock() -> MutexGuard<'static, Done> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
