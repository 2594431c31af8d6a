//! A queue between threads. Of the values for one host only so many are taken at the same time; others are
//! taken before them. No thread is woken in vain: waking one takes longer than the rest.

use std::collections::{HashMap, VecDeque};
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

/// The name of a host of which few values are taken at the same time.
pub(super) type Host = Box<str>;

/// A value, and its host if there may be few of that.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Queued<T> {
    pub(super) value: T,
    pub(super) host: Option<Host>,
}

struct State<T> {
    values: VecDeque<Queued<T>>,
    /// How many of them have no host.
    free: usize,
    hosts: HashMap<Host, Count>,
    /// How many values of one host are taken at the same time.
    per_host: usize,
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

/// How many values of a host wait, and how many were taken and have not ended.
#[derive(Default)]
struct Count {
    waiting: usize,
    taken: usize,
}

impl<T> State<T> {
    fn needs_takers(&self) -> bool {
        self.available() > self.takers
    }

    /// Returns how many values may be taken.
    fn available(&self) -> usize {
        let of_host = |count: &Count| count.waiting.min(self.per_host.saturating_sub(count.taken));
        self.free + self.hosts.values().map(of_host).sum::<usize>()
    }

    /// Takes the first value that may be taken.
    fn take(&mut self) -> Option<Queued<T>> {
        let may_be_taken = |queued: &Queued<T>| {
            let count = queued.host.as_ref().and_then(|host| self.hosts.get(host));
            count.is_none_or(|count| count.taken < self.per_host)
        };
        let first = self.values.iter().position(may_be_taken)?;
        let taken = self.values.remove(first)?;
        match &taken.host {
            None => self.free -= 1,
            Some(host) => {
                if let Some(count) = self.hosts.get_mut(host) {
                    count.waiting -= 1;
                    count.taken += 1;
                }
            }
        }
        Some(taken)
    }

    /// Counts a value that was taken; returns whether the thread that waits to add one goes on.
    fn note_taken(&mut self) -> bool {
        self.taken += 1;
        let has_space = self.most.is_some_and(|most| self.values.len() <= most);
        if has_space {
            self.most = None;
        }
        has_space
    }

    /// Notes that a value of a host has ended.
    fn end(&mut self, host: &Host) {
        if let Some(count) = self.hosts.get_mut(host) {
            count.taken = count.taken.saturating_sub(1);
            if count.taken == 0 && count.waiting == 0 {
                self.hosts.remove(host);
            }
        }
    }

    fn clear(&mut self) {
        self.values.clear();
        self.free = 0;
        self.hosts.values_mut().for_each(|count| count.waiting = 0);
    }
}

impl<T> Queue<T> {
    /// Creates a queue from which so many values of one host are taken at the same time.
    pub(super) fn new(per_host: usize) -> Self {
        let state = State {
            values: VecDeque::new(),
            free: 0,
            hosts: HashMap::new(),
            per_host: per_host.max(1),
            taken: 0,
            takers: 0,
            most: None,
            has_watcher: false,
            is_closed: false,
        };
        let [filled, emptied, needed] = [const { Condvar::new() }; 3];
        Self { state: Mutex::new(state), filled, emptied, needed }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a value, of a host if there may be few of that. If there are `most` values, waits until half of them
    /// are taken. Returns the value if the queue is closed.
    pub(super) fn push(&self, value: T, host: Option<Host>, most: usize) -> Result<(), T> {
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
        match &host {
            None => state.free += 1,
            Some(host) => state.hosts.entry(host.clone()).or_default().waiting += 1,
        }
        state.values.push_back(Queued { value, host });
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

    /// Takes the first value that may be taken; waits for one. The value that was taken before has ended, if
    /// `ended` is its host. Returns `None` if the queue is closed and empty.
    pub(super) fn pop(&self, ended: Option<Host>) -> Option<Queued<T>> {
        let mut state = self.lock();
        if let Some(host) = &ended {
            state.end(host);
        }
        let value = loop {
            if let Some(value) = state.take() {
                break value;
            }
            if state.values.is_empty() && state.is_closed {
                return None;
            }
            state.takers += 1;
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.takers -= 1;
        };
        // The value that may be taken now need not be the one that was.
        let has_others = ended.is_some() && state.takers > 0 && state.available() > 0;
        let is_over = state.is_closed && state.values.is_empty() && state.takers > 0;
        let has_space = state.note_taken();
        drop(state);
        if has_space {
            self.emptied.notify_one();
        }
        if is_over {
            self.filled.notify_all();
        } else if has_others {
            self.filled.notify_one();
        }
        Some(value)
    }

    /// Takes the first value, if one is there that has no host and may be taken now.
    pub(super) fn pop_now(&self, may_be_taken: impl FnOnce(&T) -> bool) -> Option<T> {
        let mut state = self.lock();
        let is_free = |queued: &Queued<T>| queued.host.is_none() && may_be_taken(&queued.value);
        let taken = state.values.front().is_some_and(is_free).then(|| state.take()).flatten()?;
        let has_space = state.note_taken();
        drop(state);
        if has_space {
            self.emptied.notify_one();
        }
        Some(taken.value)
    }

    /// Drops the values that nobody has taken.
    pub(super) fn clear(&self) {
        self.lock().clear();
        self.filled.notify_all();
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
            let queue = Queue::new(9);
            let mut taken: Vec<u32> = thread::scope(|scope| {
                let take = || std::iter::from_fn(|| Some(queue.pop(None)?.value)).collect::<Vec<_>>();
                let takers: Vec<_> = (0..takers).map(|_| scope.spawn(take)).collect();
                (0..1000).for_each(|value| queue.push(value, None, most).unwrap());
                queue.close();
                takers.into_iter().flat_map(|taker| taker.join().unwrap()).collect()
            });
            taken.sort_unstable();
            assert!(taken.into_iter().eq(0..1000), "{most} {takers}");
        }
    }

    #[test]
    fn takers_are_needed() {
        let queue = Queue::new(9);
        queue.push(1, None, 9).unwrap();
        queue.push(2, None, 9).unwrap();
        assert!(queue.needs_taker(Duration::ZERO));
        assert!(queue.needs_taker(Duration::from_nanos(1)));
        // Two are on their way, and two values wait.
        queue.has_begun();
        assert!(queue.needs_taker(Duration::ZERO));
        assert_eq!(queue.pop(None), Some(Queued { value: 1, host: None }));
        queue.clear();
        queue.close();
        assert!(!queue.needs_taker(Duration::ZERO));
        assert_eq!((queue.push(3, None, 9), queue.pop(None)), (Err(3), None));
    }

    #[test]
    fn values_that_are_taken_at_once() {
        let queue = Queue::new(9);
        assert_eq!(queue.pop_now(|_| true), None);
        queue.push(1, None, 9).unwrap();
        queue.push(2, Some("a".into()), 9).unwrap();
        assert_eq!((queue.pop_now(|_| false), queue.pop_now(|_| true)), (None, Some(1)));
        // There may be few of a host.
        assert_eq!(queue.pop_now(|_| true), None);
    }

    #[test]
    fn a_host_does_not_block_others() {
        let queue = Queue::new(2);
        let host = |name: &str| Some(Host::from(name));
        for (value, name) in [(1, "a"), (2, "a"), (3, "a"), (4, "b"), (5, "a")] {
            queue.push(value, host(name), 9).unwrap();
        }
        queue.push(6, None, 9).unwrap();
        let taken = |ended: Option<Host>| queue.pop(ended).map(|queued| queued.value);
        assert_eq!(
            [taken(None), taken(None), taken(None), taken(None)],
            [Some(1), Some(2), Some(4), Some(6)]
        );
        assert!(!queue.lock().needs_takers());
        assert_eq!(taken(host("a")), Some(3));
        queue.close();
        assert!(!queue.needs_taker(Duration::ZERO));
        assert_eq!((taken(host("a")), taken(host("a"))), (Some(5), None));
    }

    #[test]
    fn few_values_of_a_host_at_once() {
        use std::sync::atomic::{AtomicUsize, Ordering};

        let queue = Queue::new(3);
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut taken: Vec<u32> = thread::scope(|scope| {
            let take = || {
                let (mut ended, mut taken) = (None, Vec::new());
                while let Some(Queued { value, host }) = queue.pop(ended.take()) {
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    thread::yield_now();
                    running.fetch_sub(1, Ordering::SeqCst);
                    taken.push(value);
                    ended = host;
                }
                taken
            };
            let takers: Vec<_> = (0..8).map(|_| scope.spawn(take)).collect();
            (0..1000).for_each(|value| queue.push(value, Some("h".into()), 16).unwrap());
            queue.close();
            takers.into_iter().flat_map(|taker| taker.join().unwrap()).collect()
        });
        taken.sort_unstable();
        assert!(taken.into_iter().eq(0..1000));
        assert!(most.into_inner() <= 3);
    }
}
