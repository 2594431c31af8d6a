//! A queue between threads. No thread is woken in vain: waking one takes longer than the rest.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A queue that one thread fills and others empty.
pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    /// There is a value, or the end.
    filled: Condvar,
    /// As few values are left as are waited for.
    emptied: Condvar,
    /// There are more values than threads that wait for one, or the end.
    needed: Condvar,
}

struct State<T> {
    values: VecDeque<T>,
    /// How many values were taken.
    taken: u64,
    /// How many threads wait for values, or begin to.
    takers: usize,
    /// How many values may be left for the thread that waits to add one, if it does.
    most: Option<usize>,
    /// Whether a thread waits until more takers are needed.
    has_watcher: bool,
    is_closed: bool,
}

impl<T> State<T> {
    fn needs_takers(&self) -> bool {
        self.values.len() > self.takers
    }
}

impl<T> Queue<T> {
    pub(super) fn new() -> Self {
        let (values, taken, takers, most) = (VecDeque::new(), 0, 0, None);
        let state = State { values, taken, takers, most, has_watcher: false, is_closed: false };
        let [filled, emptied, needed] = [const { Condvar::new() }; 3];
        Self { state: Mutex::new(state), filled, emptied, needed }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a value. If there are `most` values, waits until half of them are taken. Returns the value if
    /// the queue is closed.
    pub(super) fn push(&self, value: T, most: usize) -> Result<(), T> {
        let mut state = self.lock();
        if state.values.len() >= most {
            while state.values.len() > most / 2 && !state.is_closed {
                state.most = Some(most / 2);
                state = self.emptied.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
        if state.is_closed {
            return Err(value);
        }
        state.values.push_back(value);
        let (has_takers, needs_takers) = (state.takers > 0, state.has_watcher && state.needs_takers());
        // A thread that is woken before would wait for the lock.
        drop(state);
        if has_takers {
            self.filled.notify_one();
        }
        if needs_takers {
            self.needed.notify_one();
        }
        Ok(())
    }

    /// Waits until there are more values than threads that wait for one, and for this time none was taken;
    /// the caller then begins a thread. Returns false at the end.
    pub(super) fn needs_taker(&self, patience: Duration) -> bool {
        let mut state = self.lock();
        loop {
            while !state.needs_takers() {
                if state.is_closed {
                    return false;
                }
                state.has_watcher = true;
                state = self.needed.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.has_watcher = false;
            }
            if patience.is_zero() {
                break;
            }
            let taken = state.taken;
            let waited = self.needed.wait_timeout(state, patience);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if state.taken == taken && state.needs_takers() {
                break;
            }
        }
        state.takers += 1;
        true
    }

    /// Says that a thread that was needed has begun, or could not.
    pub(super) fn has_begun(&self) {
        self.lock().takers -= 1;
    }

    /// Takes the first value; waits for one. Returns `None` if the queue is closed and empty.
    pub(super) fn pop(&self) -> Option<T> {
        let mut state = self.lock();
        while state.values.is_empty() && !state.is_closed {
            state.takers += 1;
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.takers -= 1;
        }
        let value = state.values.pop_front()?;
        state.taken += 1;
        let has_space = state.most.is_some_and(|most| state.values.len() <= most);
        if has_space {
            state.most = None;
        }
        drop(state);
        if has_space {
            self.emptied.notify_one();
        }
        Some(value)
    }

    /// Drops the values that nobody has taken.
    pub(super) fn clear(&self) {
        self.lock().values.clear();
    }

    /// Says that no more values come.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        [&self.filled, &self.emptied, &self.needed].into_iter().for_each(Condvar::notify_all);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn every_value_is_taken_once() {
        for (most, takers) in [(1, 1), (1, 8), (4, 3), (64, 8)] {
            let queue = Queue::new();
            let mut taken: Vec<u32> = thread::scope(|scope| {
                let take = || std::iter::from_fn(|| queue.pop()).collect::<Vec<_>>();
                let takers: Vec<_> = (0..takers).map(|_| scope.spawn(take)).collect();
                (0..1000).for_each(|value| queue.push(value, most).unwrap());
                queue.close();
                takers.into_iter().flat_map(|taker| taker.join().unwrap()).collect()
            });
            taken.sort_unstable();
            assert!(taken.into_iter().eq(0..1000), "{most} {takers}");
        }
    }

    #[test]
    fn takers_are_needed() {
        let queue = Queue::new();
        queue.push(1, 9).unwrap();
        queue.push(2, 9).unwrap();
        assert!(queue.needs_taker(Duration::ZERO));
        assert!(queue.needs_taker(Duration::from_nanos(1)));
        // Two are on their way, and two values wait.
        queue.has_begun();
        assert!(queue.needs_taker(Duration::ZERO));
        assert_eq!(queue.pop(), Some(1));
        queue.clear();
        queue.close();
        assert!(!queue.needs_taker(Duration::ZERO));
        assert_eq!((queue.push(3, 9), queue.pop()), (Err(3), None));
    }
}
